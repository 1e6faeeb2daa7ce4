//! The answer: question with how far the claim goes, headline, lead, and the figures under them.

use super::glyphs::Glyph;
use super::page::icon;
use document::{Figures, Quantity, Sentence, Tone, Verdict};
use engine::units::NARROW;
use maud::{Markup, html};
use protocol::glossary;

/// A text with its terms marked.
pub fn explained(text: &str) -> Markup {
    html! {
        @for piece in glossary::split_terms(text) {
            @if piece.term.is_some() { dfn.term { (piece.text) } } @else { (piece.text) }
        }
    }
}

/// A sentence with its strong words; `question` says whether those can be asked for a formula.
pub fn sentence_markup(sentence: &Sentence, question: bool) -> Markup {
    html! {
        @for (text, strong) in &sentence.runs {
            @match (strong, question) {
                (true, true) => b { span.why { (text) } },
                (true, false) => b { (explained(text)) },
                (false, _) => (explained(text)),
            }
        }
    }
}

/// Question, claim, headline and lead, and above them that they are not live; `first.js` shows that the solver is starting.
pub fn answer(
    question: &str,
    words: &Verdict,
    figures: Option<&Figures>,
    pieces: Option<&Verdict>,
) -> Markup {
    let whole = figures.and_then(|figures| figures.total.as_ref());
    let shown = whole.map(Quantity::text);
    let is_it = |(text, strong): &(String, bool)| *strong && Some(text) == shown.as_ref();
    let is_said = words.headline.runs.iter().any(is_it);
    html! {
        section.answer {
            p.built role="status" { "Computed when this page was built" span hidden { "; starting the live solver" } "." }
            p.question {
                (question) " "
                (claimed(words))
                " "
                @if let Some(pieces) = pieces { (claimed(pieces)) }
            }
            h1 { (sentence_markup(&words.headline, is_said)) }
            p.lead { (sentence_markup(&words.summary, false)) }
        }
    }
}

/// How far a claim goes.
fn claimed(words: &Verdict) -> Markup {
    let (class, glyph) = match words.tone {
        Tone::Good => ("proof good", Some(Glyph::Check)),
        Tone::Open => ("proof warn", None),
        Tone::Bad => ("proof bad", Some(Glyph::Close)),
    };
    html! {
        span class=(class) {
            @if let Some(glyph) = glyph { (icon(glyph)) }
            span { (explained(&words.proof)) }
        }
    }
}

/// Draws the result of the operator split; its empty slot if the result is not known.
pub fn split(words: Option<&Verdict>) -> Markup {
    html! {
        section.split-answer {
            @if let Some(words) = words {
                p.split-headline { (sentence_markup(&words.headline, false)) }
                p.lead { (sentence_markup(&words.summary, false)) }
                div { div.row.tries {} }
            }
        }
    }
}

/// A figure with its unit in small print.
fn figure(text: &str) -> Markup {
    let (number, unit) = text.rsplit_once(NARROW).unwrap_or((text, ""));
    html! { (number) span { (unit) } }
}

fn cell(one: &Quantity, class: Option<&str>, shown: &str, note: &str) -> Markup {
    html! {
        div {
            dt {
                @if let Some(class) = class { i class={ "swatch " (class) } {} }
                @if one.formula.is_some() { span.why { (one.name) } } @else { (explained(&one.name)) }
            }
            dd { (figure(shown)) }
            dd.sub { (note) }
        }
    }
}

/// Figures: a whole as its parts with a bar, and others beside them.
pub fn figures(class: &str, all: &Figures, foot: Option<&str>) -> Markup {
    let (shares, label) = all.shares();
    let parts = || all.shares.iter().zip(&shares);
    html! {
        div class={ "figures " (class) } {
            @if !all.shares.is_empty() {
                dl.kpi.parts {
                    @for (part, share) in parts() {
                        (cell(&part.quantity, Some(&part.class), &share.text, &share.note))
                    }
                }
                // A cell’s width is the one size that may be in a page without inline styles.
                div.splitbar role="img" aria-label=(label) {
                    table role="presentation" { tr {
                        @for (part, share) in parts() {
                            td width={ (format!("{:.2}", share.percent)) "%" } { i class=(part.class) {} }
                        }
                    } }
                }
            }
            dl.kpi.others { @for one in &all.other_quantities { (cell(one, None, &one.text(), &one.note)) } }
            @if let Some(foot) = foot { p.foot.warn-note { (foot) } }
            div.formula-of {}
        }
    }
}
