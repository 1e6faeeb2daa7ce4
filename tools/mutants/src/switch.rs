//! A source file in which every mutant can be switched on at run time.
//!
//! The innermost function that holds the replaced text gets a body for each of its mutants beside its own:
//!
//! ```text
//! fn f(…) -> T {{ if crate::mutant_switch::on(6) { MUTATED BODY } else { BODY } }}
//! ```
//!
//! A function that returns `impl Trait` has one type whatever is switched on, so there the innermost closure that holds
//! the text gets the bodies. A `const fn` that is switched is const no longer. What is in no such body is awkward: it
//! cannot be switched.

use crate::mutant::Mutant;
use anyhow::{Context, Result};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A source file with switches.
#[derive(Debug, Default)]
pub struct Switched {
    /// Its text.
    pub text: String,
    /// Where the compiler may blame a mutant.
    pub regions: Vec<BlameRegion>,
    /// The numbers of the mutants that cannot be switched, and why.
    pub awkward: Vec<(u32, &'static str)>,
    /// Mutants whose function is no longer `const`, so that any call may fail to compile.
    pub not_const: Vec<u32>,
}

/// Lines of the text, counted from 1, that hold a switch, and the mutants it switches.
#[derive(Debug, Clone, PartialEq)]
pub struct BlameRegion {
    /// From the first line to the last.
    pub lines: Range<usize>,
    /// Their numbers.
    pub mutants: Vec<u32>,
}

/// The source with switches for these mutants, all of this file.
pub fn switched(source: &str, mutants: &[&Mutant]) -> Result<Switched> {
    let parsed = syn::parse_file(source).context("does not parse")?;
    let mut bodies = Bodies::default();
    bodies.visit_file(&parsed);
    let mut switched = Switched::default();
    let mut spots: Vec<MutableBody> = Vec::new();
    let mut kept = source.to_owned();
    for mutant in mutants {
        let place = mutant.place(source)?;
        let body = match bodies.around(&place) {
            Ok((body, constness)) => {
                if let Some(word) = constness {
                    // Blanks, so that all else stays where it is.
                    kept.replace_range(word.clone(), &" ".repeat(word.len()));
                    switched.not_const.push(mutant.number);
                }
                body
            }
            Err(why) => {
                switched.awkward.push((mutant.number, why));
                continue;
            }
        };
        let edit = Edit {
            number: mutant.number,
            place,
            new: &mutant.new,
        };
        match spots.iter_mut().find(|spot| spot.body == body) {
            Some(spot) => spot.edits.push(edit),
            None => spots.push(MutableBody {
                body,
                edits: vec![edit],
            }),
        }
    }
    // Outer ones before those inside them.
    spots.sort_by_key(|spot| (spot.body.start, usize::MAX - spot.body.end));
    render(&kept, 0..kept.len(), &spots, &mut switched);
    Ok(switched)
}

/// A body that gets variants.
struct MutableBody<'a> {
    body: Range<usize>,
    edits: Vec<Edit<'a>>,
}

/// A replacement by one mutant.
struct Edit<'a> {
    number: u32,
    place: Range<usize>,
    new: &'a str,
}

/// Appends a part of the source, with switches in the spots inside it.
fn render(source: &str, part: Range<usize>, spots: &[MutableBody], switched: &mut Switched) {
    let mut done = part.start;
    let mut rest = spots;
    while let Some((spot, others)) = rest.split_first() {
        let inside = others.partition_point(|other| other.body.start < spot.body.end);
        let (inner, behind) = others.split_at(inside);
        switched.text.push_str(&source[done..spot.body.start]);
        let first = line_of(&switched.text);
        switched.text.push('{');
        for edit in &spot.edits {
            // A line break before a closing brace, for a comment may be before it.
            switched.text.push_str(&format!(
                " if crate::mutant_switch::on({}) {{{}{}{}\n}} else ",
                edit.number,
                &source[spot.body.start..edit.place.start],
                edit.new,
                &source[edit.place.end..spot.body.end],
            ));
        }
        switched.text.push('{');
        render(source, spot.body.clone(), inner, switched);
        switched.text.push_str("\n}}");
        switched.regions.push(BlameRegion {
            lines: first..line_of(&switched.text) + 1,
            mutants: spot.edits.iter().map(|edit| edit.number).collect(),
        });
        done = spot.body.end;
        rest = behind;
    }
    switched.text.push_str(&source[done..part.end]);
}

/// The line that the next character is on, counted from 1.
fn line_of(text: &str) -> usize {
    text.matches('\n').count() + 1
}

/// The bodies of a file, from a walk over its syntax.
#[derive(Default)]
struct Bodies {
    functions: Vec<Function>,
    closures: Vec<Range<usize>>,
}

struct Function {
    /// Bytes between the braces, after inner attributes of the function.
    body: Range<usize>,
    /// The word const.
    constness: Option<Range<usize>>,
    returns_impl: bool,
}

/// A body, and the word that makes its function const.
type FoundBody = (Range<usize>, Option<Range<usize>>);

impl Bodies {
    /// The body to switch for a text that is there and the word that makes its function const, or why there is none.
    fn around(&self, place: &Range<usize>) -> Result<FoundBody, &'static str> {
        let holds = |body: &Range<usize>| body.start <= place.start && place.end <= body.end;
        let function = self
            .functions
            .iter()
            .filter(|function| holds(&function.body))
            .min_by_key(|function| function.body.len())
            .ok_or("its text is in the body of no function")?;
        if !function.returns_impl {
            return Ok((function.body.clone(), function.constness.clone()));
        }
        let inside = |body: &Range<usize>| {
            function.body.start <= body.start && body.end <= function.body.end
        };
        self.closures
            .iter()
            .filter(|body| holds(body) && inside(body))
            .min_by_key(|body| body.len())
            .map(|body| (body.clone(), None))
            .ok_or("its text is in a function that returns impl Trait, and in no closure there")
    }

    fn add(
        &mut self,
        attributes: &[syn::Attribute],
        signature: &syn::Signature,
        block: &syn::Block,
    ) {
        let open = block.brace_token.span.open().byte_range().end;
        let start = attributes
            .iter()
            .filter(|attribute| matches!(attribute.style, syn::AttrStyle::Inner(_)))
            .map(|attribute| attribute.span().byte_range().end)
            .fold(open, usize::max);
        let mut search = ImplSearch(false);
        search.visit_return_type(&signature.output);
        self.functions.push(Function {
            body: start..block.brace_token.span.close().byte_range().start,
            constness: signature.constness.map(|word| word.span().byte_range()),
            returns_impl: search.0,
        });
    }
}

impl<'ast> Visit<'ast> for Bodies {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.attrs, &item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(&item.attrs, &item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.add(&item.attrs, &item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.closures.push(closure.body.span().byte_range());
        visit::visit_expr_closure(self, closure);
    }
}

/// Finds `impl Trait` anywhere in a type.
struct ImplSearch(bool);

impl<'ast> Visit<'ast> for ImplSearch {
    fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
        self.0 = true;
    }
}

#[cfg(test)]
mod tests;
