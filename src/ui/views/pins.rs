//! Pinned answers: the list of them beside the scenario, and what differs between them and the answer shown.

use super::icons::{Glyph, Icon};
use super::section::{Section, Sections};
use crate::ui::answer_view::blocks;
use crate::ui::lazy_bundle::LazyBundleState;
use crate::ui::pins::{Pinned, Pins};
use crate::ui::questions::Questions;
use crate::ui::theme::ThemeState;
use leptos::prelude::*;
use std::sync::Arc;

/// The list, with the button that pins what is shown.
#[component]
pub fn PinsFold() -> impl IntoView {
    let pins = expect_context::<Pins>();
    let rest = expect_context::<LazyBundleState>();
    let questions = expect_context::<Questions>();
    let sections = expect_context::<Sections>();
    let summary = move || match pins.of_question().len() {
        0 => "None. Pin one to compare".to_owned(),
        1 => "1 pinned".to_owned(),
        many => format!("{many} pinned"),
    };
    let is_whole = Memo::new(move |_| questions.has_whole_answer());
    let rows = move || {
        let row = |(name, pin): (&'static str, Arc<Pinned>)| {
            let headline = pin.story.verdict().map(|words| words.headline.to_string());
            let (again, gone) = (pin.clone(), pin.clone());
            view! {
                <li>
                    <b>{name}</b>" "{pin.story.title.clone()}
                    <small>{headline}</small>
                    <span class="row">
                        <button class="btn quiet small" on:click=move |_| pins.show(&again)>"Open"</button>
                        <button class="btn quiet small" aria-label=format!("Unpin {name}") on:click=move |_| pins.remove(&gone)>"Unpin"</button>
                    </span>
                </li>
            }
        };
        pins.of_question().into_iter().map(row).collect_view()
    };
    let has_any = Memo::new(move |_| !pins.of_question().is_empty());
    view! {
        <details class="fold" id="pins">
            <summary><Icon glyph=Glyph::Right/>"Pinned answers"<span>{summary}</span></summary>
            <ol class="pins">{rows}</ol>
            <div class="row">
                <button
                    class="btn small"
                    id="pin"
                    disabled=move || !is_whole.get() || !pins.has_room() || rest.get().is_none()
                    on:click=move |_| {
                        if let Some(later) = rest.now() {
                            (later.pin)(pins);
                        }
                    }
                >
                    "Pin this answer"
                </button>
                {move || has_any.get().then(|| view! {
                    <button class="btn quiet small" id="pins-compare" on:click=move |_| sections.reveal("compare", None)>
                        "Show the differences"
                    </button>
                })}
            </div>
        </details>
    }
}

/// The differences between the pins and the answer shown.
#[component]
pub fn CompareView() -> impl IntoView {
    let pins = expect_context::<Pins>();
    let theme = expect_context::<ThemeState>();
    let comparison = Memo::new(move |_| pins.differences());
    let is_there = Memo::new(move |_| comparison.with(Option::is_some));
    let blocks = move || {
        let all = comparison.get()?;
        let sections = all.sections.into_iter().map(|section| {
            view! {
                <h3>{section.title}</h3>
                {blocks(Signal::stored(section.blocks), "compare", None)}
            }
        });
        Some(sections.collect_view())
    };
    let names = move || {
        comparison.with(|answer_view| {
            let answer_view = answer_view.as_ref()?;
            Some(
                answer_view
                    .about
                    .iter()
                    .map(|line| view! { <p class="foot">{line.clone()}</p> })
                    .collect_view(),
            )
        })
    };
    let tools = move || {
        view! {
            <button class="btn quiet small" id="compare-link" on:click=move |_| pins.copy_link()>
                <Icon glyph=Glyph::Link/>
                "Copy link"
            </button>
            <button class="btn quiet small" id="compare-html" on:click=move |_| super::report::save_comparison(pins, theme)>
                <Icon glyph=Glyph::Save/>
                "Report"
            </button>
        }
        .into_any()
    };
    view! {
        <Section id="compare" title="Compared with what you pinned" is_there=is_there tools=tools>
            {names}
            {blocks}
        </Section>
    }
}
