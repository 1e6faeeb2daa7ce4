//! The picture: what orders hold step by step over the graph itself, and one step that both show.

use super::OperatorsState;
use super::graph::{Graph, Operator, Seen};
use crate::ui::views::answer::Spoken;
use crate::ui::views::form::OneOf;
use crate::ui::views::held::{ChartView, Zoom, ZoomTools};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::Section;
use crate::ui::views::table::{TableView, TakeTable};
use chart::{Drawn, Memory, MemoryLine, View, layout_memory, spots_sheet};
use job::operator_order::Method;
use leptos::prelude::*;
use report::operators::charts::memory_line;
use report::operators::{Steps, formula, graph_name, method_name, order_table, step_words};
use std::sync::Arc;

/// Height of the chart [px].
const HEIGHT_PX: f64 = 280.0;
/// A table with more rows than this is only saved, for a page would choke on it.
const MOST_ROWS: usize = 500;

/// The block.
#[component]
pub fn Picture() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let is_there = Memo::new(move |_| state.shown.with(Option::is_some));
    move || is_there.get().then(|| view! { <Memories/> })
}

#[component]
fn Memories() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let lines = Memo::new(move |_| {
        let shown = state.shown.get();
        let between = state.between.get();
        let hidden = state.hidden.get();
        let seen = shown
            .iter()
            .flat_map(|shown| shown.orders().map(move |o| (shown, o)));
        let seen = seen
            .enumerate()
            .filter(|(at, (_, ordered))| *at == 0 || !hidden.contains(&ordered.method));
        let all: Vec<MemoryLine> = seen
            .map(|(at, (shown, ordered))| memory_line(&shown.graph, ordered, between, at == 0))
            .collect();
        Arc::new(all)
    });
    let chart = move || Memory {
        orders: lines.get(),
        limit: state.shown.with(|shown| {
            let limit = shown.as_ref()?.scenario.limit_bytes()?;
            Some(limit as f64)
        }),
        step: Some(state.looked_at()),
        between: state.between.get(),
        view: state.steps_seen.get(),
    };
    let draw = Callback::new(move |(width, _): (f64, View)| {
        Drawn(Arc::new(layout_memory(&chart(), width, HEIGHT_PX)))
    });
    // Between steps there is one figure more, before the first.
    let before = move || if state.between.get() { 1.0 } else { 0.0 };
    let steps = state.steps_zoom();
    let zoom = Zoom {
        end_s: Signal::derive(move || steps.end_s.get() + before()),
        ..steps
    };
    let picture = Callback::new(move |width| {
        let title = title_of(state, "what is held step by step")?;
        let chart = untrack(chart);
        Some(spots_sheet(&title, width, |w| {
            layout_memory(&chart, w, HEIGHT_PX).picture
        }))
    });
    let seen = Seen::new(state);
    let pick = Callback::new(move |step: f64| state.step.set(Some(step as usize)));
    let walk = state.walk(Signal::derive(move || state.looked_at() as f64 + before()));
    let stage = Signal::derive(move || Some(usize::from(state.between.get())));
    let reason = move || {
        let shown = state.shown.get()?;
        // Where nothing fits, the reason stands above.
        shown.plan.ours.as_ref()?;
        Some(
            view! { <p class="reason" id="reason"><Spoken sentence=shown.words.reason.clone()/></p> },
        )
    };
    view! {
        <Section
            id="memory"
            title="Memory over steps"
            beside={move || view! { <OneOf label="What is shown" id="stage" words=vec!["While running", "Between steps"] now=stage
                    choose=Callback::new(move |at: usize| state.between.set(at == 1))/> }}
            tools={move || view! { <ZoomTools name="memory" zoom=zoom/><TakePicture name="memory" label="memory over steps" picture=picture/> }}
        >
            <Series/>
            <ChartView draw=draw id="memory-chart" kind="step chart" zoom=zoom on_pick=pick walk=walk/>
            <Graph seen=seen/>
            <Stepper/>
            <Told/>
            <Operator seen=seen/>
            {reason}
            <EveryStep/>
        </Section>
    }
}

/// What a picture is called: the graph, and what is shown of it.
pub(super) fn title_of(state: OperatorsState, what: &str) -> Option<String> {
    let shown = state.shown.get_untracked()?;
    Some(format!("{}: {what}", graph_name(&shown.scenario)))
}

/// Which other orders the chart shows.
#[component]
fn Series() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let others = Memo::new(move |_| {
        let shown = state.shown.get();
        let methods = shown.iter().flat_map(|shown| shown.orders().skip(1));
        methods
            .map(|ordered| ordered.method)
            .collect::<Vec<Method>>()
    });
    let button = move |method: Method| {
        let is_seen = move || state.hidden.with(|hidden| !hidden.contains(&method));
        let turn = move |_| {
            state.hidden.update(|hidden| {
                if hidden.contains(&method) {
                    hidden.retain(|other| *other != method);
                } else {
                    hidden.push(method);
                }
            });
        };
        let id = format!(
            "series-{}",
            method_name(method).to_lowercase().replace(' ', "-")
        );
        view! {
            <button class="btn quiet small" id=id aria-pressed=move || is_seen().to_string() on:click=turn>
                {method_name(method)}
            </button>
        }
    };
    view! {
        <div class="series" role="group" aria-label="Orders beside ours">
            {move || others.get().into_iter().map(button).collect_view()}
        </div>
    }
}

/// The selected step: the same for both pictures.
#[component]
fn Stepper() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let last = move || state.last_step_of_order();
    let set = move |step: usize| state.step.set(Some(step));
    let spoken = move || format!("step {} of {}", state.looked_at() + 1, last() + 1);
    view! {
        <div class="stepper">
            <div class="row">
                <button class="btn quiet small" id="step-first" aria-label="First step" disabled=move || state.looked_at() == 0
                    on:click=move |_| set(0)>"First"</button>
                <button class="btn quiet small" id="step-previous" aria-label="Previous step" disabled=move || state.looked_at() == 0
                    on:click=move |_| set(untrack(|| state.looked_at()).saturating_sub(1))>"Previous"</button>
                <button class="btn quiet small" id="step-next" aria-label="Next step" disabled=move || { state.looked_at() >= last() }
                    on:click=move |_| set(untrack(|| (state.looked_at() + 1).min(last())))>"Next"</button>
                <button class="btn quiet small" id="step-last" aria-label="Last step" disabled=move || { state.looked_at() >= last() }
                    on:click=move |_| set(untrack(last))>"Last"</button>
                <button class="btn quiet small" id="step-peak" aria-label="Peak step"
                    on:click=move |_| state.step.set(None)>"Peak"</button>
            </div>
            <input type="range" class="slider" id="step" min="1" step="1" aria-label="Step" aria-valuetext=spoken
                max=move || (last() + 1).to_string()
                prop:value=move || (state.looked_at() + 1).to_string()
                on:input=move |event| {
                    if let Ok(step) = event_target_value(&event).parse::<usize>() {
                        set(step.saturating_sub(1));
                    }
                }/>
            <output for="step">{spoken}</output>
        </div>
    }
}

/// The step in words and as a sum.
#[component]
fn Told() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    move || {
        let shown = state.shown.get()?;
        let main = shown.main()?;
        let steps = Steps::of(&shown.graph, &main.order, &main.trace).ok()?;
        let told = steps.at(state.looked_at());
        let (symbols, filled) = formula(&told);
        Some(view! {
            <p class="step-told" id="step-told"><Spoken sentence=step_words(&shown.graph, &told)/></p>
            <p class="step-formula" id="step-formula"><span class="symbols">{symbols}</span>" "<span>{filled}</span></p>
        })
    }
}

/// Every step as a table, once it is unfolded.
#[component]
fn EveryStep() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let open = RwSignal::new(false);
    let table = Memo::new(move |_| {
        let shown = state.shown.get();
        let table = shown.and_then(|shown| Some(order_table(&shown.graph, shown.main()?)));
        Arc::new(table.unwrap_or_default())
    });
    let marked = Signal::derive(move || Some(state.looked_at()));
    let content = move || {
        open.get().then(|| {
            let count = table.with(|table| table.rows.len());
            if count > MOST_ROWS {
                view! {
                    <p class="foot">{format!("{count} steps are too many for the page; save them as a file instead.")}</p>
                    <TakeTable table=table id="order-table"/>
                }
                .into_any()
            } else {
                view! { <TableView table=table id="order-table" marked=marked capped=true/> }.into_any()
            }
        })
    };
    view! {
        <details class="fold" id="every-step" on:toggle=move |event| {
            let fold: web_sys::HtmlDetailsElement = event_target(&event);
            open.set(fold.open());
        }>
            <summary><Icon glyph=Glyph::Right/>"Every step as a table"<span></span></summary>
            {content}
        </details>
    }
}
