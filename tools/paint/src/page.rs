//! The frame: the bar, the empty panel, what is said of the answer’s age, and what stands round the answer. Nothing here can be pressed
//! but links: what will be a button is drawn as one.

use super::answer::{answer, figures, split};
use super::glyphs::Glyph;
use super::picture::section;
use anyhow::{Context, Result};
use document::{Block, Quantity, Section};
use engine::scenario::Question;
use maud::{Markup, html};
use protocol::AnswerView;
use protocol::names;

/// Notice for browsers without scripts.
const NO_SCRIPT: &str = "Edgewise computes in your browser and needs JavaScript and WebAssembly. This is the answer to the \
                         scenario that it opens with. The command line tool gives the same answers: ";

/// The section of what the pieces of an operator graph come to.
const SPLIT_SECTION: &str = "cuts";

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
                button.btn.scenarios { (icon(Glyph::Library)) span { "Scenarios" } " " b { "0" } }
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
    sections: &'static [SectionSource],
    /// Where its picture is, and whether something is between that and its reason.
    picture: (&'static str, bool),
}

/// A section of the page.
#[derive(Clone, Copy)]
enum SectionSource {
    /// A section of the answer, once it exists.
    Answer(&'static str),
    /// A section of the answer with views of the page’s own.
    With(&'static str),
    /// One of the page’s own.
    Page(&'static str),
    /// All remaining sections of the answer.
    Remaining,
}

use SectionSource::{Answer, Page, Remaining, With};

const FLAGS: SectionSource = Page("Flags to paste");
const EXPORTS: SectionSource = Page("Take it with you");
const HELPS: SectionSource = Page("What would help most");
const RANGES: SectionSource = Page("Ranges");
const GLOSSARY: SectionSource = Page("Glossary");

const fn frame(question: Question) -> Frame {
    let (figures, sections, picture): (_, &[SectionSource], _) = match question {
        Question::ColdStart => (
            "",
            &[
                Answer("picture"),
                Answer("reasons"),
                Answer("repairs"),
                FLAGS,
                EXPORTS,
                Answer("front"),
                Answer("comparison"),
                With("gains"),
                With("sweep"),
                Remaining,
                With("spread"),
                Answer("published"),
                GLOSSARY,
            ],
            ("picture", false),
        ),
        Question::HeadPlacement => (
            "heads-figures",
            &[
                Answer("picture"),
                EXPORTS,
                Answer("comparison"),
                HELPS,
                Remaining,
                RANGES,
                Answer("published"),
                GLOSSARY,
            ],
            ("picture", false),
        ),
        Question::Dispatch => (
            "dispatch-figures",
            &[
                Answer("picture"),
                Answer("devices"),
                EXPORTS,
                Answer("comparison"),
                HELPS,
                Answer("sweep"),
                Remaining,
                RANGES,
                Answer("published"),
                GLOSSARY,
            ],
            ("picture", true),
        ),
        Question::Tiers => (
            "tiers-figures",
            &[
                Answer("picture"),
                FLAGS,
                EXPORTS,
                Answer("comparison"),
                HELPS,
                With("load"),
                Remaining,
                RANGES,
                Answer("published"),
                GLOSSARY,
            ],
            ("picture", false),
        ),
        Question::Operators => (
            "operators-figures",
            &[
                Answer("memory"),
                EXPORTS,
                Answer("comparison"),
                HELPS,
                Remaining,
                RANGES,
                Answer("published"),
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
        let is_it = |one: &SectionSource| matches!(one, Answer(name) | With(name) if *name == id);
        // The pieces of an operator graph are in the answer.
        ["answer", SPLIT_SECTION, "hunt", "table-notes", "flags"].contains(&id)
            || frame.sections.iter().any(is_it)
    };
    let of = |all: &mut dyn Iterator<Item = &Section>| {
        all.map(|section| section.title.clone())
            .collect::<Vec<String>>()
    };
    let all = || telling.sections.iter();
    let with_content = |section: &&Section| !section.blocks.is_empty();
    let one = |stands: &SectionSource| match *stands {
        Page(title) => vec![title.to_owned()],
        Answer(id) => of(&mut all()
            .filter(|section| section.id == id)
            .filter(with_content)),
        With(id) => of(&mut all().filter(|section| section.id == id)),
        Remaining => of(&mut all()
            .filter(|section| !named(section.id))
            .filter(with_content)),
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
    let answer_blocks = telling
        .sections
        .iter()
        .find(|section| section.verdict().is_some());
    let answer_blocks = answer_blocks
        .map(|section| section.blocks.as_slice())
        .unwrap_or_default();
    let all = answer_blocks.iter().find_map(|block| match block {
        Block::Figures(figures) => Some(figures),
        _ => None,
    });
    let foot = answer_blocks.iter().find_map(|block| match block {
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
    let pieces = telling
        .sections
        .iter()
        .find(|section| section.id == SPLIT_SECTION);
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
