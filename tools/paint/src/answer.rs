//! The answer: question with how far the claim goes, headline, lead, and the figures under them.

use super::glyphs::Glyph;
use super::page::icon;
use engine::units::{NARROW, TimeFormat, percent, seconds};
use maud::{Markup, html};
use story::{Figures, Quantity, Sentence, Tone, Unit, Words};
use tell::glossary;

/// A text with its terms marked.
pub fn explained(text: &str) -> Markup {
    html! {
        @for piece in glossary::pieces(text) {
            @if piece.term.is_some() { dfn.term { (piece.text) } } @else { (piece.text) }
        }
    }
}

/// A sentence with its strong words; `asks` says whether those can be asked for a formula.
pub fn spoken(sentence: &Sentence, asks: bool) -> Markup {
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
    let shown = whole.map(Quantity::shown);
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
            h1 { (spoken(&words.headline, is_said)) }
            p.lead { (spoken(&words.lead, false)) }
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

/// What the pieces of an operator graph come to; its room where they are not known.
pub fn split(words: Option<&Words>) -> Markup {
    html! {
        section.split-answer {
            @if let Some(words) = words {
                p.split-headline { (spoken(&words.headline, false)) }
                p.lead { (spoken(&words.lead, false)) }
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

/// Figures: a whole as its parts with a bar, and others beside them. Parts of a time are all in the unit of the whole.
pub fn figures(class: &str, all: &Figures, foot: Option<&str>) -> Markup {
    let parts: f64 = all.parts.iter().map(|part| part.quantity.value).sum();
    let total = all.whole.as_ref().map_or(parts, |whole| whole.value);
    let total = total.max(f64::MIN_POSITIVE);
    let unit = TimeFormat::of_largest(total);
    let shown = |one: &Quantity| match one.unit {
        Unit::Seconds => unit.with_unit(one.value),
        _ => one.shown(),
    };
    let share = |one: &Quantity| percent(100.0 * one.value / total, 1);
    let note = |one: &Quantity| match one.note.as_str() {
        "" => share(one),
        note => note.to_owned(),
    };
    let of = all.whole.as_ref().map(|whole| match whole.unit {
        Unit::Seconds => seconds(total),
        _ => whole.shown(),
    });
    let spoken = all.parts.iter().map(|part| &part.quantity);
    let spoken: Vec<String> = spoken
        .map(|one| format!("{} {}", share(one), one.name))
        .collect();
    let label = format!(
        "Of {}: {}",
        of.as_deref().unwrap_or("all"),
        spoken.join(", ")
    );
    html! {
        div class={ "figures " (class) } {
            @if !all.parts.is_empty() {
                dl.kpi.parts {
                    @for part in &all.parts {
                        (cell(&part.quantity, Some(&part.class), &shown(&part.quantity), &note(&part.quantity)))
                    }
                }
                // A cell’s width is the one size that may stand in a page without inline styles.
                div.splitbar role="img" aria-label=(label) {
                    table role="presentation" { tr {
                        @for part in &all.parts {
                            td width={ (format!("{:.2}", 100.0 * part.quantity.value / total)) "%" } { i class=(part.class) {} }
                        }
                    } }
                }
            }
            dl.kpi.others { @for one in &all.others { (cell(one, None, &one.shown(), &one.note)) } }
            @if let Some(foot) = foot { p.foot.warn-note { (foot) } }
            div.formula-of {}
        }
    }
}
