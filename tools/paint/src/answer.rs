//! The answer: question with how far the claim goes, headline, lead, and the figures under them.

use super::glyphs::Glyph;
use super::page::icon;
use engine::units::NARROW;
use maud::{Markup, html};
use story::{Figures, Quantity, Sentence, Tone, Words};
use tell::glossary;

/// A text with its terms marked.
pub fn explained(text: &str) -> Markup {
    html! {
        @for piece in glossary::split_terms(text) {
            @if piece.term.is_some() { dfn.term { (piece.text) } } @else { (piece.text) }
        }
    }
}

/// A sentence with its strong words; `asks` says whether those can be asked for a formula.
pub fn sentence_markup(sentence: &Sentence, asks: bool) -> Markup {
    html! {
        @for (text, strong) in &sentence.pieces {
            @match (strong, asks) {
                (true, true) => b { span.why { (text) } },
                (true, false) => b { (explained(text)) },
                (false, _) => (explained(text)),
            }
        }
    }
}

/// Question, claim, headline and lead, and above them that they are not live; `first.js` shows that the solver is starting.
pub fn answer(
    asks: &str,
    words: &Words,
    figures: Option<&Figures>,
    pieces: Option<&Words>,
) -> Markup {
    let whole = figures.and_then(|figures| figures.whole.as_ref());
    let shown = whole.map(Quantity::text);
    let is_it = |(text, strong): &(String, bool)| *strong && Some(text) == shown.as_ref();
    let is_said = words.headline.pieces.iter().any(is_it);
    html! {
        section.answer {
            p.built role="status" { "Computed when this page was built" span hidden { "; starting the live solver" } "." }
            p.question {
                (asks) " "
                (claimed(words))
                " "
                @if let Some(pieces) = pieces { (claimed(pieces)) }
            }
            h1 { (sentence_markup(&words.headline, is_said)) }
            p.lead { (sentence_markup(&words.lead, false)) }
        }
    }
}

/// How far a claim goes.
fn claimed(words: &Words) -> Markup {
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
pub fn split(words: Option<&Words>) -> Markup {
    html! {
        section.split-answer {
            @if let Some(words) = words {
                p.split-headline { (sentence_markup(&words.headline, false)) }
                p.lead { (sentence_markup(&words.lead, false)) }
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
    let parts = || all.parts.iter().zip(&shares);
    html! {
        div class={ "figures " (class) } {
            @if !all.parts.is_empty() {
                dl.kpi.parts {
                    @for (part, share) in parts() {
                        (cell(&part.quantity, Some(&part.class), &share.text, &share.note))
                    }
                }
                // A cell’s width is the one size that may stand in a page without inline styles.
                div.splitbar role="img" aria-label=(label) {
                    table role="presentation" { tr {
                        @for (part, share) in parts() {
                            td width={ (format!("{:.2}", share.percent)) "%" } { i class=(part.class) {} }
                        }
                    } }
                }
            }
            dl.kpi.others { @for one in &all.others { (cell(one, None, &one.text(), &one.note)) } }
            @if let Some(foot) = foot { p.foot.warn-note { (foot) } }
            div.formula-of {}
        }
    }
}
