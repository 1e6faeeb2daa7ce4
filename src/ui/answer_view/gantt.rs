//! Timelines in the hand, one or several on one axis, and the key to their marks.

use super::chart::ChartState;
use crate::ui::canvas::{PictureCanvas, width_of};
use crate::ui::views::interaction::{ChartView, MarkCard as Said, Zoom};
use chart::{
    ChartHandle, ChartSpec, Gantt, GanttStack, LegendKey, SCROLLS_FROM, TimeView, describe, layout,
    layout_stacked, swatch,
};
use document::wire::interned;
use document::{Chart as AnswerChart, Name};
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;

/// Timelines under their names.
type Named = Vec<(String, Arc<Gantt>)>;

/// The timelines of a chart; none where it shows something else.
fn timelines(chart: &AnswerChart) -> Named {
    match &*chart.drawing {
        ChartSpec::Timeline(gantt) => vec![(String::new(), Arc::new(gantt.clone()))],
        ChartSpec::Timelines(all) => {
            let named = all.iter();
            named
                .map(|(name, gantt)| (name.clone(), Arc::new(gantt.clone())))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The key to the marks of a chart of timelines; nothing beside any other.
#[component]
pub fn PhasesOf(chart: Memo<Option<AnswerChart>>, state: ChartState) -> impl IntoView {
    let all = Memo::new(move |_| {
        chart.with(|chart| {
            let all = chart.as_ref().map(timelines).unwrap_or_default();
            let has_next = all.iter().any(|(_, gantt)| gantt.has_next());
            (!all.is_empty(), has_next)
        })
    });
    let is_there = Memo::new(move |_| all.get().0);
    let has_next = Signal::derive(move || all.get().1);
    move || {
        let legend = || view! { <Legend only=state.only has_next=has_next/> };
        is_there.get().then(legend)
    }
}

/// Timelines one under the other, where there are several on one axis.
#[component]
pub fn Timelines(
    chart: Memo<Option<AnswerChart>>,
    state: ChartState,
    turn: Callback<()>,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = width_of(holder);
    let all =
        Memo::new(move |_| chart.with(|chart| chart.as_ref().map(timelines).unwrap_or_default()));
    let stack = Signal::derive(move || {
        let width = width.get();
        let all = all.get();
        (width > 0.0 && all.len() > 1)
            .then(|| GanttStack::of(all.iter().map(|(_, gantt)| &**gantt), width))
    });
    let of: Name = chart.with_untracked(|chart| chart.as_ref().map_or("", |chart| chart.id));
    let count = Memo::new(move |_| all.with(Vec::len));
    let one = move |at: usize| {
        let own = Memo::new(move |_| all.with(|all| all.get(at).cloned()));
        let gantt = Signal::derive(move || {
            let gantt = own.with(|own| own.as_ref().map(|(_, gantt)| gantt.clone()));
            gantt.unwrap_or_default()
        });
        let words = move || {
            let name = own.with(|own| own.as_ref().map(|(name, _)| name.clone()))?;
            let (name, total) = name.split_once(": ")?;
            let class = if name == "Edgewise" { "ours" } else { "" };
            Some(view! { <h3 class=class>{name.to_owned()}" "<b>{total.to_owned()}</b></h3> })
        };
        let id = match all.with_untracked(Vec::len) {
            1 => interned(&format!("{of}-chart")),
            _ => interned(&format!("{of}-{at}")),
        };
        view! { {words}<GanttView id=id gantt=gantt zoom=state.zoom only=state.only stack=stack on_table=turn/> }
    };
    view! {
        <div class="timelines" node_ref=holder>
            <For each=move || 0..count.get() key=|at| *at children=one/>
        </div>
    }
}

/// A timeline of `gantt`. Charts that share `zoom` show the same span; with a `stack` they also have it at the same
/// place.
#[component]
fn GanttView(
    id: &'static str,
    gantt: Signal<Arc<Gantt>>,
    /// Zoom state, up to the answer or the last of several.
    zoom: Zoom,
    /// The phase that is drawn in full.
    only: RwSignal<Option<LegendKey>>,
    /// Swaps chart and table.
    on_table: Callback<()>,
    /// Layout that this chart shares with those above and below it.
    stack: Signal<Option<GanttStack>>,
) -> impl IntoView {
    let laid = Callback::new(move |(width, seen): (f64, TimeView)| {
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
    let latest = StoredValue::new(None::<ChartHandle>);
    let draw = Callback::new(move |at| {
        let chart = ChartHandle::of(laid.run(at));
        latest.set_value(Some(chart.clone()));
        chart
    });
    let tell = Callback::new(move |at: usize| {
        let chart = latest.get_value()?;
        let words = chart.description(at)?;
        Some(Said {
            shade: chart.shade(at),
            title: words.title,
            rows: words.rows,
            notes: words.notes,
        })
    });
    let is_tall = Memo::new(move |_| gantt.with(|gantt| gantt.rows.len() >= SCROLLS_FROM));
    let label = Signal::derive(move || gantt.with(|gantt| describe(gantt)));
    view! {
        <ChartView id=id draw=draw kind="timeline" class="gantt" zoom=zoom describe=tell is_tall=Signal::from(is_tall)
            label=label on_table=on_table chain="the critical chain"/>
    }
}

/// The key to the marks; a press on an entry draws that phase alone in full, a second press all of them.
#[component]
fn Legend(
    only: RwSignal<Option<LegendKey>>,
    /// True if a device already reads for the next plan.
    has_next: Signal<bool>,
) -> impl IntoView {
    let entry = move |key: LegendKey| {
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
            {move || LegendKey::needed(has_next.get()).map(entry).collect_view()}
        </ul>
    }
}
