//! Several layers of the same kind together: they share the memory of the devices, and each hands its output to the
//! next. A plan with a bound beside it, when it is asked for.

use super::HeadsState;
use crate::ui::views::answer::Spoken;
use crate::ui::views::section::{Fold, Section};
use crate::ui::views::table::TableView;
use job::heads::MOST_LAYERS;
use leptos::prelude::*;
use report::heads::{layers_table, layers_words};
use std::sync::Arc;

/// Layers that are planned unless somebody says otherwise: those of a model of 7 thousand million parameters.
const USUAL: u32 = 32;

/// The block.
#[component]
pub fn Layers() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let count = RwSignal::new(USUAL);
    let wrong = RwSignal::new(None::<String>);
    let typed = move |event: web_sys::Event| {
        let text = event_target_value(&event);
        match text.trim().parse::<u32>() {
            Ok(n) if (1..=MOST_LAYERS).contains(&n) => {
                count.set(n);
                wrong.set(None);
            }
            _ => wrong.set(Some(format!(
                "layers must be a whole number from 1 to {MOST_LAYERS}, it is \u{201c}{}\u{201d}",
                text.trim().chars().take(20).collect::<String>()
            ))),
        }
    };
    let found = move || {
        let found = state.with_compared(|shown, others| {
            let stacked = others.layers.clone()?;
            Some((shown.clone(), stacked))
        });
        found.flatten()
    };
    let words = move || {
        found().map(|(shown, stacked)| {
            view! { <p class="reason" id="layers-found"><Spoken sentence=layers_words(&shown.scenario, &stacked)/></p> }
        })
    };
    let table = Memo::new(move |_| {
        Arc::new(found().map_or_else(Default::default, |(shown, stacked)| {
            layers_table(&shown.scenario, &shown.planned, &stacked)
        }))
    });
    let has_table = move || table.with(|table| !table.rows.is_empty());
    let is_stacking = move || state.others.with(|others| others.is_stacking);
    let is_ready = move || {
        let is_whole = |s: &Arc<super::state::Shown>| s.is_whole && s.planned.failed_at.is_none();
        state
            .shown
            .with(|shown| shown.as_ref().is_some_and(is_whole))
    };
    view! {
        <Section id="layers" title="Several layers" fold=Fold::Folded holds="layers that share the memory of the devices">
            <p class="over">
                "A model has many such layers. They run one after the other for every token; each receives the output of the previous \
                 one from the device of its FFN, and all share the memory of the devices."
            </p>
            <div class="row tries">
                <label>
                    "Layers "
                    <input
                        id="layers-count"
                        class="small-number"
                        inputmode="numeric"
                        value=USUAL.to_string()
                        aria-invalid=move || wrong.with(Option::is_some).then_some("true")
                        on:input=typed
                    />
                </label>
                <button
                    class="btn small"
                    id="layers-plan"
                    disabled=move || is_stacking() || !is_ready() || wrong.with(Option::is_some)
                    on:click=move |_| state.stack(count.get_untracked())
                >
                    {move || format!("Place them all at token {}", state.looked_at())}
                </button>
                {move || is_stacking().then(|| view! { <span class="foot">"Searching for a plan and a bound."</span> })}
            </div>
            {move || wrong.get().map(|why| view! { <p class="fault" role="alert">{why}"."</p> })}
            {words}
            <Show when=has_table><TableView table=table id="layers-table" capped=true/></Show>
        </Section>
    }
}
