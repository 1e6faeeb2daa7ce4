//! Settings of what a place shows: a slider each. They are no part of the scenario, so nothing is there to undo, and a new answer
//! is looked at as the last one was.

use super::{Told, Wish};
use leptos::prelude::*;
use story::{Dial, Dials};

/// The sliders; what the place shows is asked for as long as they are there.
#[component]
pub fn Turns(dials: Memo<Option<Dials>>) -> impl IntoView {
    let told = expect_context::<Told>();
    // What was turned, by its place among the dials.
    let turned = RwSignal::new(Vec::<Option<f64>>::new());
    let listed = Memo::new(move |_| dials.get().map_or_else(Vec::new, |dials| dials.dials));
    let now = move |at: usize| {
        let dial = listed.with(|all| all.get(at).cloned())?;
        let turned = turned.with(|turned| turned.get(at).copied().flatten());
        Some(turned.unwrap_or(dial.at).clamp(dial.ends.0, dial.ends.1))
    };
    Effect::new(move |_| {
        told.telling.track();
        let all = (0..listed.with(Vec::len)).filter_map(now).collect();
        if let Some(dials) = dials.get() {
            told.wish(Wish::Turn(dials.place, all));
        }
    });
    let slider = move |at: usize| {
        let dial = listed.with_untracked(|all| all.get(at).cloned())?;
        let Dial {
            id, label, unit, ..
        } = dial;
        let ends = move || {
            let dial = listed.with(|all| all.get(at).map(|dial| dial.ends));
            dial.unwrap_or((0.0, 1.0))
        };
        let words = move || now(at).map(|now| format!("{now} {unit}"));
        let words = Signal::derive(move || words().unwrap_or_default());
        let turn = move |event: web_sys::Event| {
            if let Ok(value) = event_target_value(&event).parse::<f64>() {
                turned.update(|turned| {
                    turned.resize(turned.len().max(at + 1), None);
                    turned[at] = Some(value);
                });
            }
        };
        Some(view! {
            <label for=id>{label}</label>
            <input
                type="range"
                class="slider"
                id=id
                step="1"
                aria-valuetext=words
                min=move || ends().0.to_string()
                max=move || ends().1.to_string()
                prop:value=move || now(at).unwrap_or_default().to_string()
                on:input=turn
            />
            <output for=id>{words}</output>
        })
    };
    let count = Memo::new(move |_| listed.with(Vec::len));
    view! { <div class="dials">{move || (0..count.get()).map(slider).collect_view()}</div> }
}
