//! A timeline in the hand, and the key to its marks.

use crate::ui::canvas::PictureCanvas;
use crate::ui::views::held::{ChartView, Told, Zoom};
use chart::{
    Drawn, Gantt, Key, SCROLLS_FROM, Stack, View, describe, layout, layout_stacked, swatch,
};
use leptos::prelude::*;
use std::sync::Arc;

/// A timeline of `gantt`. Charts that share `zoom` show the same span; with a `stack` they also have it at the same
/// place.
#[component]
pub fn GanttView(
    id: &'static str,
    #[prop(into)] gantt: Signal<Arc<Gantt>>,
    /// What is seen of it, up to the answer or the last of several.
    zoom: Zoom,
    /// The phase that is drawn in full.
    only: RwSignal<Option<Key>>,
    /// Swaps chart and table.
    #[prop(optional, into)]
    on_table: Option<Callback<()>>,
    /// What this chart has in common with those above and below it.
    #[prop(optional, into)]
    stack: Signal<Option<Stack>>,
) -> impl IntoView {
    let laid = Callback::new(move |(width, seen): (f64, View)| {
        let gantt = gantt.get();
        let chart = match stack.get() {
            Some(stack) => layout_stacked(&gantt, width, seen, stack),
            None => layout(&gantt, width, seen),
        };
        match only.get() {
            Some(key) => chart.isolated(key),
            None => chart,
        }
    });
    // The chart of the moment, for the words of its marks.
    let latest = StoredValue::new(None::<Drawn>);
    let draw = Callback::new(move |at| {
        let chart = Drawn::of(laid.run(at));
        latest.set_value(Some(chart.clone()));
        chart
    });
    let tell = Callback::new(move |at: usize| {
        let chart = latest.get_value()?;
        let words = chart.words(at)?;
        Some(Told {
            shade: chart.shade(at),
            title: words.title,
            rows: words.rows,
            notes: words.notes,
        })
    });
    let is_tall = Memo::new(move |_| gantt.with(|gantt| gantt.rows.len() >= SCROLLS_FROM));
    let label = Signal::derive(move || gantt.with(|gantt| describe(gantt)));
    view! {
        <ChartView id=id draw=draw kind="timeline" class="gantt" zoom=zoom tell=tell is_tall=Signal::from(is_tall)
            label=label on_table=on_table chain="the critical chain"/>
    }
}

/// The key to the marks; a press on an entry draws that phase alone in full, a second press all of them.
#[component]
pub fn Legend(
    only: RwSignal<Option<Key>>,
    /// Whether some device reads for the plan that comes next.
    #[prop(optional, into)]
    has_next: Signal<bool>,
) -> impl IntoView {
    let entry = move |key: Key| {
        let picture = Arc::new(swatch(key));
        let is_on = move || only.get() == Some(key);
        view! {
            <li>
                <button
                    aria-pressed=move || is_on().to_string()
                    title=move || if is_on() { "Show all phases" } else { "Show this one alone" }
                    on:click=move |_| only.update(|only| *only = (*only != Some(key)).then_some(key))
                >
                    <PictureCanvas picture=Signal::derive(move || picture.clone())/>
                    {key.label()}
                </button>
            </li>
        }
    };
    view! {
        <ul class="legend" aria-label="Phases">
            {move || Key::needed(has_next.get()).map(entry).collect_view()}
        </ul>
    }
}
