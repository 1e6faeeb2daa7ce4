//! Terms that explain themselves: each is marked where it is in a sentence or a head, its meaning is in the glossary
//! at the end of the page, and beside the term while the pointer or the focus of the keyboard is on it. The same note has
//! the digits that a figure does not show, and the formula that it comes from.

use super::section::{Fold, Section};
use leptos::ev;
use leptos::prelude::*;
use protocol::glossary::{self, TERMS, Term};
use wasm_bindgen::JsCast;

/// Selector of terms, figures and column heads with an explanation; attributes with its parts.
const TERM: &str = ".term, .why, .by";
const NOTE: &str = "term-note";
/// The attribute of a figure that has all its digits.
const EXACT: &str = "data-exact";
/// The attributes of a figure’s name that has a formula: in symbols, with the numbers of the answer, and its source.
pub const FORMULA: &str = "data-formula";
/// Attribute with the formula in numbers.
pub const FILLED: &str = "data-filled";
/// Attribute with the source of the formula.
pub const SOURCE: &str = "data-source";
/// Beginning of the ids of the glossary's entries.
const ID: &str = "term-";

/// A text whose terms explain themselves. A section has one tab stop for each term: where it is first.
#[component]
pub fn Explained(#[prop(into)] text: String) -> impl IntoView {
    let pieces = glossary::split_terms(&text).into_iter().map(|piece| {
        let words = piece.text.to_owned();
        match piece.term {
            Some(term) => {
                let node = NodeRef::<leptos::html::Dfn>::new();
                Effect::new(move |_| {
                    if let Some(node) = node.get() {
                        request_animation_frame(move || stop_once(&node));
                    }
                });
                view! { <dfn class="term" node_ref=node aria-describedby=id(term)>{words}</dfn> }
                    .into_any()
            }
            None => words.into_any(),
        }
    });
    pieces.collect_view()
}

/// Lets the first of a section's marks of the same term take the focus, and no other.
fn stop_once(mark: &web_sys::Element) {
    let key = mark.get_attribute("aria-describedby").unwrap_or_default();
    let marks = format!("dfn[aria-describedby='{key}']");
    let section = mark.closest("section").ok().flatten();
    // A mark that has been taken out of the page meanwhile has nothing to say.
    let section = section.or_else(|| document().document_element());
    let Some(section) = section.filter(|_| mark.is_connected()) else {
        return;
    };
    // Elements do not refuse this attribute.
    let stops = format!("{marks}[tabindex]");
    while let Ok(Some(stop)) = section.query_selector(&stops) {
        let _ = stop.remove_attribute("tabindex");
    }
    if let Ok(Some(first)) = section.query_selector(&marks) {
        let _ = first.set_attribute("tabindex", "0");
    }
}

/// Returns the description of a control with this text, which gets the class `term` and takes the focus itself.
pub fn described_by(text: &str) -> Option<String> {
    glossary::first(text).map(id)
}

fn id(term: &Term) -> String {
    format!("{ID}{}", term.key)
}

/// All terms, folded. What is folded still describes.
#[component]
pub fn Glossary() -> impl IntoView {
    let entries = TERMS.iter().map(|term| {
        view! { <dt>{term.name}</dt><dd id=id(term)>{term.means}</dd> }
    });
    view! {
        <Section id="glossary" title="Glossary" fold=Fold::Folded keeps=true>
            <dl class="rules">{entries.clone().collect_view()}</dl>
        </Section>
    }
}

/// Content of the note, and its place in the document [px].
#[derive(Debug, Clone, PartialEq)]
struct Open {
    name: String,
    text: Vec<String>,
    left: f64,
    foot: f64,
}

impl Open {
    /// The note of a term, or of a figure that has more digits than it shows.
    fn of(element: &web_sys::Element) -> Option<Self> {
        let read = |attribute| element.get_attribute(attribute);
        let (name, text) = if let Some(exact) = read(EXACT) {
            ("Exactly".to_owned(), vec![exact])
        } else if let Some(symbols) = read(FORMULA) {
            (
                symbols,
                [FILLED, SOURCE].into_iter().filter_map(read).collect(),
            )
        } else {
            let key = read("aria-describedby")?;
            let key = key.strip_prefix(ID)?;
            let term = TERMS.iter().find(|term| term.key == key)?;
            (term.name.to_owned(), vec![term.means.to_owned()])
        };
        let frame = element.get_bounding_client_rect();
        let scrolled = |by: Result<f64, _>| by.unwrap_or(0.0);
        Some(Self {
            name,
            text,
            left: frame.left() + scrolled(window().scroll_x()),
            foot: frame.bottom() + scrolled(window().scroll_y()),
        })
    }
}

/// The note of the term or figure under the pointer, or of the term that has the focus. Escape closes it; the pointer may
/// go onto it. Screen readers read the glossary's entry, which describes the term, and figures as they are shown.
#[component]
pub fn TermNote() -> impl IntoView {
    let open = RwSignal::new(None::<Open>);
    let show = move |element: Option<web_sys::Element>| {
        let found = element.as_ref().and_then(Open::of);
        if open.with_untracked(|open| *open != found) {
            open.set(found);
        }
    };
    // A press focuses as well, but only the keyboard leaves the note open for it.
    let focused = || {
        let element = document().active_element()?;
        let is_seen = element.matches(":focus-visible").unwrap_or(false);
        element.closest(TERM).ok().flatten().filter(|_| is_seen)
    };
    let over = window_event_listener(ev::pointerover, move |event| {
        let target = event.target();
        let element = target.and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let closest = |selector: &str| element.as_ref()?.closest(selector).ok().flatten();
        if closest(&format!("#{NOTE}")).is_none() {
            show(closest(&format!("{TERM}, [{EXACT}]")).or_else(focused));
        }
    });
    let focus = window_event_listener(ev::focusin, move |_| {
        if let Some(element) = focused() {
            show(Some(element));
        }
    });
    let blur = window_event_listener(ev::focusout, move |_| show(None));
    let keys = window_event_listener(ev::keydown, move |event| {
        if event.key() == "Escape" {
            show(None);
        }
    });
    on_cleanup(move || {
        over.remove();
        focus.remove();
        blur.remove();
        keys.remove();
    });
    move || {
        open.get().map(
            |Open {
                 name,
                 text,
                 left,
                 foot,
             }| {
                let text = text
                    .into_iter()
                    .map(|text| view! { <p>{text}</p> })
                    .collect_view();
                view! {
                    <div
                        class="term-note"
                        id=NOTE
                        aria-hidden="true"
                        style:left=format!("max(8px, min({left}px, 100vw - 336px))")
                        style:top=format!("{foot}px")
                    >
                        <div><b>{name}</b>{text}</div>
                    </div>
                }
            },
        )
    }
}
