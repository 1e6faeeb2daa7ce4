//! The selected step, in every chart over the same steps: its controls and its description.

use super::AnswerStore;
use super::chart::{ChartBlock, table_later};
use super::graph::{Graph, GraphScroll, Operator};
use crate::ui::views::answer::SentenceView;
use crate::ui::views::interaction::KeyboardStepper as Keys;
use chart::ChartSpec;
use document::steps::{StepSummary, formula, slice_table, slice_words, step_words};
use document::{Block, Chart, Control, Walk};
use leptos::prelude::*;
use std::sync::Arc;

/// The control of the steps, and the first column of a table over them.
pub const STEP: &str = "step";

/// The step that is looked at. Cheap to copy.
#[derive(Clone, Copy)]
pub struct StepState {
    at: RwSignal<Option<f64>>,
    now: Memo<usize>,
    last: Memo<usize>,
}

impl StepState {
    /// The step that a control sets, with its initial value.
    pub fn of(store: AnswerStore, control: Memo<Option<Control>>) -> Self {
        let sets =
            control.with_untracked(|control| control.as_ref().map_or("", |control| control.sets));
        let at = RwSignal::from(store.control_state(sets).at);
        let last = Memo::new(move |_| {
            control.with(|control| control.as_ref().map_or(0, |d| d.ends.1 as usize))
        });
        let now = Memo::new(move |_| {
            let first = control.with(|control| control.as_ref().map_or(0.0, |control| control.at));
            (at.get().unwrap_or(first) as usize).min(last.get())
        });
        Self { at, now, last }
    }

    /// The step, from 0.
    pub fn now(self) -> usize {
        self.now.get()
    }

    /// Looks at a step.
    pub fn set(self, step: usize) {
        self.at.set(Some(step as f64));
    }

    /// Looks at the one that the chart marks.
    pub fn follow_chart(self) {
        self.at.set(None);
    }

    /// Has keys walk through the steps; `at` is where the chosen one is on the axis.
    pub fn walk(self, at: Signal<f64>) -> Keys {
        Keys {
            now: self.now.into(),
            last: self.last.into(),
            at,
        }
    }
}

/// A chart over steps, the description of the selected step, and its control.
#[component]
pub fn WalkBlock(walk: Memo<Option<Walk>>) -> impl IntoView {
    let chart = Memo::new(move |_| {
        walk.with(|walk| match walk.as_ref()?.blocks.first() {
            Some(Block::Chart(chart)) => Some(chart.clone()),
            _ => None,
        })
    });
    let is_graph = chart.with_untracked(|chart| {
        let drawing = chart.as_ref().map(|chart| &*chart.drawing);
        matches!(drawing, Some(ChartSpec::Graph(..)))
    });
    // A comparison is looked at where its charts are marked.
    let Some(store) = use_context::<AnswerStore>() else {
        return view! { <ChartBlock chart=chart state=None/> }.into_any();
    };
    let control =
        Memo::new(move |_| walk.with(|walk| walk.as_ref().map(|walk| walk.control.clone())));
    let steps = StepState::of(store, control);
    if !is_graph {
        return view! {
            <ChartBlock chart=chart state=None/>
            <SliceDescription chart=chart steps=steps/>
        }
        .into_any();
    }
    let seen = GraphScroll::new(chart, steps);
    view! {
        <Graph seen=seen chart=chart/>
        <Stepper steps=steps/>
        <StepDescription chart=chart steps=steps/>
        <Operator seen=seen/>
    }
    .into_any()
}

/// The selected step: the same for all charts.
#[component]
fn Stepper(steps: StepState) -> impl IntoView {
    let (now, last) = (steps.now, steps.last);
    let set = move |step: usize| steps.set(step);
    let accessible_label = move || format!("step {} of {}", now.get() + 1, last.get() + 1);
    let (is_first, is_last) = (move || now.get() == 0, move || now.get() >= last.get());
    view! {
        <div class="stepper">
            <div class="row">
                <button class="btn quiet small" id="step-first" aria-label="First step" disabled=is_first
                    on:click=move |_| set(0)>"First"</button>
                <button class="btn quiet small" id="step-previous" aria-label="Previous step" disabled=is_first
                    on:click=move |_| set(now.get_untracked().saturating_sub(1))>"Previous"</button>
                <button class="btn quiet small" id="step-next" aria-label="Next step" disabled=is_last
                    on:click=move |_| set((now.get_untracked() + 1).min(last.get_untracked()))>"Next"</button>
                <button class="btn quiet small" id="step-last" aria-label="Last step" disabled=is_last
                    on:click=move |_| set(last.get_untracked())>"Last"</button>
                <button class="btn quiet small" id="step-peak" aria-label="Peak step"
                    on:click=move |_| steps.follow_chart()>"Peak"</button>
            </div>
            <input type="range" class="slider" id="step" min="1" step="1" aria-label="Step" aria-valuetext=accessible_label
                max=move || (last.get() + 1).to_string()
                prop:value=move || (now.get() + 1).to_string()
                on:input=move |event| {
                    if let Ok(step) = event_target_value(&event).parse::<usize>() {
                        set(step.saturating_sub(1));
                    }
                }/>
            <output for="step">{accessible_label}</output>
        </div>
    }
}

/// The step in words and as a sum.
#[component]
fn StepDescription(chart: Memo<Option<Chart>>, steps: StepState) -> impl IntoView {
    move || {
        let step = steps.now();
        let (words, (symbols, filled)) = chart.with(|chart| match &*chart.as_ref()?.drawing {
            ChartSpec::Graph(graph, _) => {
                let store = StepSummary::of(graph, step)?;
                Some((step_words(graph, &store), formula(&store)))
            }
            _ => None,
        })?;
        Some(view! {
            <p class="step-told" id="step-told"><SentenceView sentence=words/></p>
            <p class="step-formula" id="step-formula"><span class="symbols">{symbols}</span>" "<span>{filled}</span></p>
        })
    }
}

/// Work of each device at the step.
#[component]
fn SliceDescription(chart: Memo<Option<Chart>>, steps: StepState) -> impl IntoView {
    let words = move || {
        let step = steps.now();
        chart.with(|chart| match &*chart.as_ref()?.drawing {
            ChartSpec::Slices(slices) => slice_words(slices, step),
            _ => None,
        })
    };
    let table = Memo::new(move |_| {
        let step = steps.now();
        Arc::new(
            chart.with(|chart| match chart.as_ref().map(|chart| &*chart.drawing) {
                Some(ChartSpec::Slices(slices)) => slice_table(slices, step),
                _ => document::Table::default(),
            }),
        )
    });
    view! {
        <p class="step-told" id="slice-told">{words}</p>
        {table_later(table.into(), "slice-parts", Signal::stored(None), false)}
    }
}
