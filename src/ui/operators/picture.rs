//! The picture: what orders hold step by step over the graph itself, and one step that both show.

use super::OperatorsState;
use super::state::Shown;
use crate::ui::canvas::PictureCanvas;
use crate::ui::views::answer::Spoken;
use crate::ui::views::form::OneOf;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::Section;
use crate::ui::views::spots::{SpotsView, Walk};
use crate::ui::views::table::{TableView, TakeTable};
use chart::{
    GraphLayout, GraphOp, GraphPicture, Memory, MemoryLine, StepParts, graph_legend, layout_graph,
    layout_memory, place_graph, sheet, spots_sheet,
};
use engine::evaluate::operators::lifetimes;
use engine::graph::Kind;
use job::operator_order::Method;
use job::operators::Ordered;
use leptos::prelude::*;
use report::operators::{Steps, formula, graph_name, method_name, order_table, step_words};
use std::sync::Arc;

/// Height of the chart [px].
const HEIGHT_PX: f64 = 280.0;
/// Width of the legend [px]; it folds on small screens.
const LEGEND_PX: f64 = 340.0;
/// A table with more rows than this is only saved, for a page would choke on it.
const MOST_ROWS: usize = 500;

/// An order as a line; what a step is made of is told of ours.
fn line(shown: &Shown, ordered: &Ordered, between: bool, is_first: bool) -> MemoryLine {
    let graph = &shown.graph;
    let trace = &ordered.trace;
    let held = if between {
        &trace.interval
    } else {
        &trace.running
    };
    let order = || ordered.order.iter().map(|v| *v as usize).enumerate();
    let part = |(step, v): (usize, usize)| {
        let op = graph.op(v);
        StepParts {
            kind: op.kind.name().to_owned(),
            before: (trace.interval[step] - graph.resident()) as f64,
            weights: graph.weights_beside(v) as f64,
            output: op.out as f64,
            in_place: trace.in_place[step],
        }
    };
    MemoryLine {
        name: method_name(ordered.method).to_owned(),
        held: held.iter().map(|bytes| *bytes as f64).collect(),
        ops: order().map(|(_, v)| graph.op_name(v)).collect(),
        parts: if is_first && !between {
            order().map(part).collect()
        } else {
            Vec::new()
        },
    }
}

/// The operators of the order on show, with the steps during which their outputs are held.
fn operators(shown: &Shown) -> Vec<GraphOp> {
    let Some(main) = shown.main() else {
        return Vec::new();
    };
    let graph = &shown.graph;
    let n = graph.len();
    let mut step = vec![0; n];
    for (at, v) in main.order.iter().enumerate() {
        step[*v as usize] = at;
    }
    let mut until = step.clone();
    for life in lifetimes(graph, &main.order).unwrap_or_default() {
        if let Some(until) = until.get_mut(life.tensor as usize) {
            *until = life.to as usize;
        }
    }
    (0..n)
        .map(|v| {
            let op = graph.op(v);
            let shape: Vec<String> = op.shape.iter().map(u64::to_string).collect();
            GraphOp {
                name: graph.op_name(v),
                kind: op.kind.name().to_owned(),
                is_pool: op.kind == Kind::Pool,
                shape: shape.join(" \u{d7} "),
                out: op.out as f64,
                weights: op.w as f64,
                preds: graph
                    .src(v)
                    .iter()
                    .copied()
                    .filter(|t| (*t as usize) < n)
                    .collect(),
                step: step[v],
                until: until[v],
            }
        })
        .collect()
}

/// Operators with their places; the places belong to the graph, whatever its order.
#[derive(Clone, PartialEq)]
struct Placed {
    ops: Arc<Vec<GraphOp>>,
    layout: Arc<GraphLayout>,
}

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
            .map(|(at, (shown, ordered))| line(shown, ordered, between, at == 0))
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
    };
    let draw = Callback::new(move |width: f64| Arc::new(layout_memory(&chart(), width, HEIGHT_PX)));
    let picture = Callback::new(move |width| {
        let title = title_of(state, "what is held step by step")?;
        let chart = untrack(chart);
        Some(spots_sheet(&title, width, |w| {
            layout_memory(&chart, w, HEIGHT_PX).picture
        }))
    });
    let placed = Memo::new(move |before: Option<&Placed>| {
        let ops = state.shown.with(|shown| shown.as_deref().map(operators));
        let ops = Arc::new(ops.unwrap_or_default());
        let alike = |before: &&Placed| {
            let pairs = before.ops.iter().zip(ops.iter());
            before.ops.len() == ops.len() && pairs.into_iter().all(|(a, b)| a.preds == b.preds)
        };
        let kept = before.filter(alike).map(|before| before.layout.clone());
        Placed {
            layout: kept.unwrap_or_else(|| Arc::new(place_graph(&ops))),
            ops,
        }
    });
    let graph = move || GraphPicture {
        ops: placed.with(|placed| placed.ops.clone()),
        step: Some(state.looked_at()),
    };
    let draw_graph = Callback::new(move |width: f64| {
        let layout = placed.with(|placed| placed.layout.clone());
        Arc::new(layout_graph(&graph(), &layout, width))
    });
    let picture_of_graph = Callback::new(move |width| {
        let title = title_of(state, "its operators")?;
        let (graph, layout) = (
            untrack(graph),
            placed.with_untracked(|placed| placed.layout.clone()),
        );
        let chart = |w: f64| layout_graph(&graph, &layout, w).picture;
        Some(sheet(&title, width, chart, graph_legend))
    });
    let key = Signal::derive(|| Arc::new(graph_legend(LEGEND_PX)));
    let pick = Callback::new(move |step: f64| state.step.set(Some(step as usize)));
    let walk = Walk {
        now: Signal::derive(move || state.looked_at()),
        last: Signal::derive(move || state.last_step_of_order()),
    };
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
            tools={move || view! { <TakePicture name="memory" label="memory over steps" picture=picture/> }}
        >
            <Series/>
            <SpotsView draw=draw id="memory-chart" kind="step chart" on_pick=pick walk=walk/>
            <div class="head graph-head">
                <h3>"The graph at this step"</h3>
                <div class="tools"><TakePicture name="graph" label="graph" picture=picture_of_graph/></div>
            </div>
            <SpotsView draw=draw_graph id="graph-chart" kind="graph" on_pick=pick walk=walk/>
            <div class="key" aria-hidden="true"><PictureCanvas picture=key/></div>
            <Stepper/>
            <Told/>
            {reason}
            <EveryStep/>
        </Section>
    }
}

/// What a picture is called: the graph, and what is shown of it.
fn title_of(state: OperatorsState, what: &str) -> Option<String> {
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
