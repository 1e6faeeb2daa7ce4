//! Flags to paste: the layer map as the runtime of one's choice takes it, for every question that yields one.

use super::icons::{Glyph, Icon};
use crate::ui::answer_view::AnswerStore;
use crate::ui::download;
use crate::ui::shell::Shell;
use crate::ui::views::section::{Fold, Section};
use leptos::prelude::*;
use protocol::flags::{Flags, LayerMap, Tool, flags};
use std::sync::Arc;

/// Plans with what they are called, the answer first.
pub type Plans = Arc<Vec<(String, LayerMap)>>;

/// The block; it is not there while there is no plan.
#[component]
pub fn FlagsView(
    /// The plans there are.
    plans: Memo<Plans>,
) -> impl IntoView {
    let shell = expect_context::<Shell>();
    // The name of the one whose flags are shown; the first where there is none of this name.
    let chosen = expect_context::<AnswerStore>().flags_of;
    let tool = RwSignal::new(Tool::ALL[0]);
    let names = Memo::new(move |_| {
        plans.with(|plans| {
            plans
                .iter()
                .map(|(name, _)| name.clone())
                .collect::<Vec<_>>()
        })
    });
    // A plan that went away leaves the first in its place.
    let place = Memo::new(move |_| {
        let place = names.with(|names| names.iter().position(|name| *name == chosen.get()));
        place.unwrap_or_default()
    });
    let made =
        Memo::new(move |_| plans.with(|plans| Some(flags(tool.get(), &plans.get(place.get())?.1))));
    let copy = move |_| {
        if let Some(Ok(flags)) = made.get_untracked() {
            download::copy(&flags.text, move |copied| shell.say_copied("Flags", copied));
        }
    };
    let can_copy = move || made.with(|made| matches!(made, Some(Ok(_))));
    // The elements stay while the plan changes, so that the keyboard's place and a scroll survive an edit.
    let text = Memo::new(move |_| match made.get() {
        Some(Ok(Flags { text, .. })) => text,
        _ => String::new(),
    });
    let notes = Memo::new(move |_| match made.get() {
        Some(Ok(Flags { notes, .. })) => notes,
        _ => Vec::new(),
    });
    let reason = Memo::new(move |_| match made.get() {
        Some(Err(reason)) => reason,
        _ => String::new(),
    });
    let is_there = Memo::new(move |_| plans.with(|plans| !plans.is_empty()));
    move || {
        is_there.get().then(|| {
            view! {
                <Section id="flags" title="Flags to paste" class="flags" fold=Fold::OnPhones holds="the layer map for a runtime">
                    <p class="over">
                        "The layer map as a runtime takes it, by that runtime\u{2019}s own way of counting. Names in capitals are \
                         to be filled in."
                    </p>
                    <div class="row">
                        <label>"Runtime " <ChooseTool tool=tool/></label>
                        <label>"Plan " <ChoosePlan names=names place=place chosen=chosen/></label>
                        <button class="btn" id="flags-copy" aria-label=move || format!("Copy: flags of {}", tool.get().title()) on:click=copy disabled=move || !can_copy()>
                            <Icon glyph=Glyph::Copy/>
                            "Copy"
                        </button>
                    </div>
                    <pre
                        id="flags-text"
                        tabindex="0"
                        role="group"
                        aria-label=move || format!("What {} takes", tool.get().title())
                        hidden=move || !can_copy()
                    >
                        {text}
                    </pre>
                    <details class="fold" hidden=move || !can_copy()>
                        <summary><Icon glyph=Glyph::Right/>"What to know of these flags"<span></span></summary>
                        <ul class="notes">
                            {move || notes.get().into_iter().map(|note| view! { <li>{note}</li> }).collect_view()}
                        </ul>
                    </details>
                    <p class="foot" id="flags-not" hidden=can_copy>
                        <b>"Not expressible. "</b>
                        {reason}
                    </p>
                </Section>
            }
        })
    }
}

#[component]
fn ChooseTool(tool: RwSignal<Tool>) -> impl IntoView {
    let choose = move |event| {
        if let Some(found) = Tool::find(&event_target_value(&event)) {
            tool.set(found);
        }
    };
    let options = Tool::ALL.map(|one| {
        view! { <option value=one.name() selected=move || tool.get() == one>{one.title()}</option> }
    });
    view! {
        <span class="select">
            <select id="flags-tool" prop:value=move || tool.get().name() on:change=choose>{options}</select>
            <Icon glyph=Glyph::Down/>
        </span>
    }
}

#[component]
fn ChoosePlan(
    names: Memo<Vec<String>>,
    place: Memo<usize>,
    chosen: RwSignal<String>,
) -> impl IntoView {
    let options = move || {
        names
            .get()
            .into_iter()
            .enumerate()
            .map(|(at, name)| {
                view! { <option value=name.clone() selected=move || place.get() == at>{name.clone()}</option> }
            })
            .collect_view()
    };
    view! {
        <span class="select">
            <select id="flags-plan" on:change=move |event| chosen.set(event_target_value(&event))>{options}</select>
            <Icon glyph=Glyph::Down/>
        </span>
    }
}
