//! The frame: the bar, the empty panel, what is said of the answer’s age, and what stands round the answer. Nothing here can be pressed
//! but links: what will be a button is drawn as one.

use super::answer::{answer, figures, split};
use super::glyphs::Glyph;
use super::picture::section;
use anyhow::{Context, Result};
use engine::scenario::Question;
use maud::{Markup, html};
use story::{Block, Quantity, Section};
use tell::AnswerView;
use tell::names;

/// Notice for browsers without scripts.
const NO_SCRIPT: &str = "Edgewise computes in your browser and needs JavaScript and WebAssembly. This is the answer to the \
                         scenario that it opens with. The command line tool gives the same answers: ";

/// The section of what the pieces of an operator graph come to.
const PIECES: &str = "cuts";

/// An icon.
pub fn icon(glyph: Glyph) -> Markup {
    html! { svg.i viewBox="0 0 16 16" aria-hidden="true" { path d=(glyph.path()) {} } }
}

/// Draws a button. It is in an inert part of the page.
pub fn button(class: &str, glyph: Option<Glyph>, word: &str) -> Markup {
    button_off(class, glyph, word, false)
}

/// One that will have nothing to do.
pub fn button_off(class: &str, glyph: Option<Glyph>, word: &str, is_off: bool) -> Markup {
    html! {
        button class={ "btn " (class) } disabled[is_off] {
            @if let Some(glyph) = glyph { (icon(glyph)) }
            (word)
        }
    }
}

/// The bar, with a question open.
pub fn bar(open: Question) -> Markup {
    html! {
        header.bar {
            a.brand href="#start" {
                svg.mark viewBox="0 0 20 20" aria-hidden="true" {
                    rect x="2" y="3" width="9" height="3.4" rx="1" {}
                    rect x="6" y="8.3" width="9" height="3.4" rx="1" {}
                    rect.last x="10" y="13.6" width="8" height="3.4" rx="1" {}
                }
                "Edgewise"
            }
            nav.methods aria-label="Questions" {
                @for question in Question::ALL {
                    a href={ "#" (question.name()) } aria-current=[(question == open).then_some("page")] {
                        (names::question(question))
                    }
                }
            }
            select.methods-list aria-label="Question" {
                option value="start" { "All questions" }
                @for question in Question::ALL {
                    option value=(question.name()) selected[question == open] { (names::question(question)) }
                }
            }
            div.tools inert {
                (button_off("quiet icon", Some(Glyph::Undo), "", true))
                (button_off("quiet icon redo", Some(Glyph::Redo), "", true))
                span.rule {}
                button.btn.scenarios { (icon(Glyph::Shelf)) span { "Scenarios" } " " b { "0" } }
                button.btn.share { (icon(Glyph::Link)) span { "Copy link" } }
                (button("quiet icon", Some(Glyph::Theme), ""))
            }
        }
    }
}

/// Parts of a question’s page beside its answer.
struct Frame {
    /// The class of its figures.
    figures: &'static str,
    /// Its sections in the order of the page.
    sections: &'static [Stands],
    /// Where its picture is, and whether something stands between that and its reason.
    picture: (&'static str, bool),
}

/// A section of the page.
#[derive(Clone, Copy)]
enum Stands {
    /// One that is told, once something is.
    Told(&'static str),
    /// One that is told, and has something of the page’s own.
    With(&'static str),
    /// One of the page’s own.
    Own(&'static str),
    /// All that are told and are not named.
    Others,
}

use Stands::{Others, Own, Told, With};

const FLAGS: Stands = Own("Flags to paste");
const TAKE: Stands = Own("Take it with you");
const HELPS: Stands = Own("What would help most");
const RANGES: Stands = Own("Ranges");
const GLOSSARY: Stands = Own("Glossary");

const fn frame(question: Question) -> Frame {
    let (figures, sections, picture): (_, &[Stands], _) = match question {
        Question::ColdStart => (
            "",
            &[
                Told("picture"),
                Told("reasons"),
                Told("repairs"),
                FLAGS,
                TAKE,
                Told("front"),
                Told("comparison"),
                With("gains"),
                With("sweep"),
                Others,
                With("spread"),
                Told("published"),
                GLOSSARY,
            ],
            ("picture", false),
        ),
        Question::HeadPlacement => (
            "heads-figures",
            &[
                Told("picture"),
                TAKE,
                Told("comparison"),
                HELPS,
                Others,
                RANGES,
                Told("published"),
                GLOSSARY,
            ],
            ("picture", false),
        ),
        Question::Dispatch => (
            "dispatch-figures",
            &[
                Told("picture"),
                Told("devices"),
                TAKE,
                Told("comparison"),
                HELPS,
                Told("sweep"),
                Others,
                RANGES,
                Told("published"),
                GLOSSARY,
            ],
            ("picture", true),
        ),
        Question::Tiers => (
            "tiers-figures",
            &[
                Told("picture"),
                FLAGS,
                TAKE,
                Told("comparison"),
                HELPS,
                With("load"),
                Others,
                RANGES,
                Told("published"),
                GLOSSARY,
            ],
            ("picture", false),
        ),
        Question::Operators => (
            "operators-figures",
            &[
                Told("memory"),
                TAKE,
                Told("comparison"),
                HELPS,
                Others,
                RANGES,
                Told("published"),
                GLOSSARY,
            ],
            ("memory", true),
        ),
    };
    Frame {
        figures,
        sections,
        picture,
    }
}

/// The titles of the sections on the page, in its order.
fn titles(frame: &Frame, telling: &AnswerView) -> Vec<String> {
    let named = |id: &str| {
        let is_it = |one: &Stands| matches!(one, Told(name) | With(name) if *name == id);
        // The pieces of an operator graph stand in the answer.
        ["answer", PIECES, "hunt", "table-notes", "flags"].contains(&id)
            || frame.sections.iter().any(is_it)
    };
    let of = |all: &mut dyn Iterator<Item = &Section>| {
        all.map(|section| section.title.clone())
            .collect::<Vec<String>>()
    };
    let all = || telling.sections.iter();
    let told = |section: &&Section| !section.blocks.is_empty();
    let one = |stands: &Stands| match *stands {
        Own(title) => vec![title.to_owned()],
        Told(id) => of(&mut all().filter(|section| section.id == id).filter(told)),
        With(id) => of(&mut all().filter(|section| section.id == id)),
        Others => of(&mut all().filter(|section| !named(section.id)).filter(told)),
    };
    frame.sections.iter().flat_map(one).collect()
}

/// Returns the summary of a split beside the main figure: "63.1 ms on 4".
fn split_in_short(pieces: &Section, devices: usize) -> Option<String> {
    let figures = pieces.blocks.iter().find_map(|block| match block {
        Block::Figures(figures) => Some(figures),
        _ => None,
    })?;
    let mut all = figures.all();
    let time = all
        .find(|one| one.key == "split_time")
        .map(Quantity::text)?;
    Some(format!("{time} on {devices}"))
}

/// All that is under the bar, as far down as the main picture; an operator graph is cut over `devices`.
///
/// # Errors
/// A story without words.
pub fn page(question: Question, telling: &AnswerView, devices: usize) -> Result<Markup> {
    let frame = frame(question);
    let words = telling.sections.iter().find_map(Section::verdict);
    let words = words.context("the answer has no words")?;
    let told = telling
        .sections
        .iter()
        .find(|section| section.verdict().is_some());
    let told = told
        .map(|section| section.blocks.as_slice())
        .unwrap_or_default();
    let all = told.iter().find_map(|block| match block {
        Block::Figures(figures) => Some(figures),
        _ => None,
    });
    let foot = told.iter().find_map(|block| match block {
        Block::Note(words) => Some(words.as_str()),
        _ => None,
    });
    let (picture, ends_there) = frame.picture;
    let picture = telling
        .sections
        .iter()
        .find(|section| section.id == picture);
    let reason = (!ends_there).then_some(&words.reason);
    let titles = titles(&frame, telling);
    let pieces = telling.sections.iter().find(|section| section.id == PIECES);
    let in_short = pieces.and_then(|pieces| split_in_short(pieces, devices));
    let in_short = in_short.as_ref().unwrap_or(&words.proof);
    Ok(html! {
        div.page {
            div.panel {}
            main {
                noscript { p."banner"."info" { span { (NO_SCRIPT) code { "edgewise run" } } } }
                div.summary-line inert { span {} (button("small", Some(Glyph::Edit), "Edit scenario")) }
                div.whole {
                    (answer(question.asks(), words, all, pieces.and_then(Section::verdict)))
                    @if let Some(pieces) = pieces { (split(pieces.verdict())) }
                    @if let Some(all) = all { (figures(frame.figures, all, foot)) }
                    div.on-this-page inert {
                        button.turn { (icon(Glyph::Right)) "On this page" }
                        ul { @for title in &titles { li { button { (title) } } } }
                    }
                    @if let Some(picture) = picture { (section(picture, &telling.sections, reason)) }
                }
            }
        }
        div.bottom-bar inert {
            span { b { (telling.figure) } small { (in_short) } }
            (button("icon", Some(Glyph::Link), ""))
            (button("primary", Some(Glyph::Edit), "Edit scenario"))
        }
    })
}
