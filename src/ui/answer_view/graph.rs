//! A graph of operators in the hand: where operators are at the step that is looked at, what they are called, and what the one of
//! that step reads, makes and is read by. The selected operator is the one that runs at the selected step.

use super::step_state::StepState;
use crate::ui::canvas::{PictureCanvas, width_of};
use crate::ui::views::interaction::{ChartView, Zoom, ZoomTools};
use crate::ui::views::picture_files::TakePicture;
use chart::{
    ChartHandle, ChartSpec, GraphLayout, GraphPicture, GraphView, TimeView, find_operators,
    first_view, graph_legend, layout_graph, sheet,
};
use document::Chart;
use document::steps::{Neighbour, facts, readers, reads};
use engine::units::count;
use leptos::html::{Div, H3};
use leptos::prelude::*;
use std::sync::Arc;
use web_sys::KeyboardEvent;

/// Width of the legend [px]; it folds on small screens.
const LEGEND_PX: f64 = 340.0;
/// Most operators that a search by name lists, and most neighbours of an operator.
const MOST_FOUND: usize = 8;
const MOST_LISTED: usize = 12;

/// A graph with the places of its operators, which belong to it whatever its order.
#[derive(Clone, PartialEq, Default)]
struct Placed {
    picture: GraphPicture,
    layout: Arc<GraphLayout>,
}

/// Visible part of the graph, and a way to scroll to an operator.
#[derive(Clone, Copy)]
pub struct GraphScroll {
    /// The step that is looked at.
    steps: StepState,
    placed: Memo<Placed>,
    zoom: Zoom,
    /// The layer of the operator of the step shown.
    at: Signal<f64>,
    lane: RwSignal<f64>,
    /// The chart of the moment, for what a drag across comes to.
    latest: StoredValue<Option<ChartHandle>>,
}

impl GraphScroll {
    /// Creates it for a chart.
    pub fn new(chart: Memo<Option<Chart>>, steps: StepState) -> Self {
        let placed = Memo::new(move |before: Option<&Placed>| {
            let now = chart.with(|chart| match chart.as_ref().map(|chart| &*chart.drawing) {
                Some(ChartSpec::Graph(picture, layout)) => Placed {
                    picture: picture.clone(),
                    layout: layout.clone(),
                },
                _ => Placed::default(),
            });
            // Another order of the same graph is seen as this one was.
            match before.filter(|before| before.layout == now.layout) {
                Some(before) => Placed {
                    layout: before.layout.clone(),
                    ..now
                },
                None => now,
            }
        });
        let end_s = Signal::derive(move || placed.with(|p| p.layout.layers().max(1) as f64));
        let running = move || placed.with(|placed| running(&placed.picture, steps.now()));
        let at = Signal::derive(move || {
            let layer = running().and_then(|op| placed.with(|placed| placed.layout.layer(op)));
            layer.unwrap_or(0) as f64
        });
        Self {
            steps,
            placed,
            at,
            zoom: Zoom::counted(end_s, 3.0, Some(at)),
            lane: RwSignal::new(0.0),
            latest: StoredValue::new(None),
        }
    }

    /// The operator of the step shown.
    fn running(self) -> Option<usize> {
        let step = self.steps.now();
        self.placed.with(|placed| running(&placed.picture, step))
    }

    fn picture(self) -> GraphPicture {
        GraphPicture {
            step: Some(self.steps.now()),
            view: Some(GraphView {
                layers: self.zoom.visible(),
                lane: self.lane.get(),
            }),
            ..self.placed.with(|placed| placed.picture.clone())
        }
    }

    /// Selects an operator and puts it into the middle, near enough to be read.
    fn go(self, op: usize) {
        let Some((layer, step)) = self.placed.with_untracked(|placed| {
            let layer = placed.layout.layer(op)? as f64;
            Some((layer, placed.picture.ops.get(op)?.step))
        }) else {
            return;
        };
        let width = self
            .latest
            .with_value(|c| c.as_ref().map_or(0.0, |c| c.picture.width));
        let near = self
            .placed
            .with_untracked(|placed| first_view(&placed.layout, Some(op), width));
        let (seen, end) = (self.zoom.seen_now(), self.zoom.end_s.get_untracked());
        let span = seen.span_s().min(near.span_s());
        let middle = TimeView {
            from_s: 0.0,
            to_s: span,
        };
        let view = middle.panned(layer + 0.5 - span / 2.0, end);
        self.zoom.view.set(view.fitted_to(end));
        self.steps.set(step);
    }
}

/// The operator that runs at a step.
fn running(graph: &GraphPicture, step: usize) -> Option<usize> {
    graph.ops.iter().position(|op| op.step == step)
}

/// The graph: its head, the chart and the key to its marks.
#[component]
pub fn Graph(seen: GraphScroll, chart: Memo<Option<Chart>>) -> impl IntoView {
    let GraphScroll {
        steps,
        placed,
        zoom,
        at,
        lane,
        latest,
    } = seen;
    let holder = NodeRef::<Div>::new();
    let room = width_of(holder);
    let draw = Callback::new(move |(width, _): (f64, TimeView)| {
        let layout = placed.with(|placed| placed.layout.clone());
        let chart = ChartHandle::of(layout_graph(&seen.picture(), &layout, width));
        latest.set_value(Some(chart.clone()));
        chart
    });
    // Another graph is first seen as far as it can be read, at the step that it marks.
    Effect::new(move |before: Option<Option<Arc<GraphLayout>>>| {
        let (width, layout) = (room.get(), placed.with(|placed| placed.layout.clone()));
        let before = before.flatten();
        if width <= 0.0 || before.as_ref().is_some_and(|b| Arc::ptr_eq(b, &layout)) {
            return before;
        }
        if before.is_some() {
            steps.follow_chart();
        }
        let view = first_view(&layout, untrack(|| seen.running()), width);
        zoom.view.set(view.fitted_to(layout.layers().max(1) as f64));
        Some(layout)
    });
    // Where not all lanes are seen, that of the operator shown is in the middle.
    Effect::new(move |_| {
        let op = seen.running();
        if let Some(own) = placed.with(|placed| placed.layout.lane(op?)) {
            lane.set(own);
        }
    });
    let across = Callback::new(move |px: f64| {
        let next = latest.with_value(|chart| chart.as_ref()?.lane_after(px));
        if let Some(next) = next {
            lane.set(next);
        }
    });
    let picture = Callback::new(move |width| {
        let title =
            chart.with_untracked(|chart| chart.as_ref().map(|chart| chart.title.clone()))?;
        let layout = placed.with_untracked(|placed| placed.layout.clone());
        let graph = untrack(|| seen.picture());
        let chart = |w: f64| layout_graph(&graph, &layout, w).picture;
        Some(sheet(&title, width, chart, graph_legend))
    });
    let key = Signal::derive(|| Arc::new(graph_legend(LEGEND_PX)));
    let pick = Callback::new(move |step: f64| steps.set(step as usize));
    let walk = steps.walk(at);
    view! {
        <div class="head graph-head">
            <h3>"The graph at this step"</h3>
            <Find seen=seen/>
            <div class="tools">
                <ZoomTools name="graph" zoom=zoom/>
                <TakePicture name="graph" label="graph" picture=picture/>
            </div>
        </div>
        <ChartView draw=draw id="graph-chart" kind="graph" class="graph" zoom=zoom across=across on_pick=pick walk=walk/>
        <div class="key" aria-hidden="true" node_ref=holder><PictureCanvas picture=key/></div>
    }
}

/// A field that finds operators by name; Enter goes to the one that is marked.
#[component]
fn Find(seen: GraphScroll) -> impl IntoView {
    let words = RwSignal::new(String::new());
    let marked = RwSignal::new(0_usize);
    let gone = RwSignal::new(String::new());
    let ops = move || seen.placed.with(|placed| placed.picture.ops.clone());
    // What was asked of another graph means nothing here.
    let layout = Memo::new(move |_| seen.placed.with(|placed| placed.layout.clone()));
    Effect::new(move |_| {
        layout.track();
        words.set(String::new());
        gone.set(String::new());
    });
    let found = Memo::new(move |_| find_operators(&ops(), &words.get(), MOST_FOUND));
    let is_open = move || gone.with(String::is_empty) && found.with(|found| !found.is_empty());
    let go = move |at: usize| {
        let Some(op) = found.with_untracked(|found| found.get(at).copied()) else {
            return;
        };
        seen.go(op);
        let said = untrack(ops).get(op).map(|op| {
            let step = count(op.step as f64 + 1.0);
            format!("Selected {}, {}, step {step}.", op.name, op.kind)
        });
        gone.set(said.unwrap_or_default());
    };
    let key = move |event: KeyboardEvent| {
        let last = found.with_untracked(|found| found.len().saturating_sub(1));
        match event.key().as_str() {
            "ArrowDown" => marked.update(|at| *at = (*at + 1).min(last)),
            "ArrowUp" => marked.update(|at| *at = at.saturating_sub(1)),
            "Enter" => go(marked.get_untracked()),
            "Escape" => {
                words.set(String::new());
                gone.set(String::new());
            }
            _ => return,
        }
        event.prevent_default();
    };
    let option = move |(at, op): (usize, usize)| {
        let all = ops();
        let op = all.get(op)?;
        let is_it = move || (marked.get() == at).to_string();
        Some(view! {
            <li role="option" id=format!("graph-hit-{at}") aria-selected=is_it on:click=move |_| go(at)>
                {op.name.clone()}<span>{op.kind.clone()}</span>
            </li>
        })
    };
    let list = move || {
        is_open().then(|| {
            let all = found.get().into_iter().enumerate();
            let all: Vec<_> = all.filter_map(option).collect();
            view! { <ul role="listbox" id="graph-hits" aria-label="Operators found">{all}</ul> }
        })
    };
    let said = move || {
        let (asked, gone) = (words.get(), gone.get());
        if gone.is_empty() && !asked.trim().is_empty() && found.with(Vec::is_empty) {
            return format!(
                "No operator has \u{201c}{}\u{201d} in its name.",
                asked.trim()
            );
        }
        gone
    };
    view! {
        <div class="find">
            <input
                type="search"
                id="graph-find"
                role="combobox"
                autocomplete="off"
                placeholder="Find an operator"
                aria-label="Find an operator by name"
                aria-autocomplete="list"
                aria-expanded=move || is_open().to_string()
                aria-controls=move || is_open().then_some("graph-hits")
                aria-activedescendant=move || is_open().then(|| format!("graph-hit-{}", marked.get()))
                prop:value=move || words.get()
                on:input=move |event| {
                    words.set(event_target_value(&event));
                    marked.set(0);
                    gone.set(String::new());
                }
                on:keydown=key
            />
            {list}
            <p id="graph-found" role="status">{said}</p>
        </div>
    }
}

/// The operator of the step shown: what it is, reads and makes, and how long that is held.
#[component]
pub fn Operator(seen: GraphScroll) -> impl IntoView {
    let head = NodeRef::<H3>::new();
    let go = move |op: usize| {
        seen.go(op);
        // The pressed button now belongs to another operator: keyboard focus follows.
        request_animation_frame(move || {
            if let Some(head) = head.get_untracked() {
                let _ = head.focus();
            }
        });
    };
    let list = move |id: &'static str,
                     title: &'static str,
                     all: Vec<Neighbour>,
                     none: &'static str| {
        let more = all.len().saturating_sub(MOST_LISTED);
        let one = move |merge_summary: Neighbour| {
            let name = match merge_summary.op {
                Some(op) => {
                    view! { <button class="plain" on:click=move |_| go(op)>{merge_summary.name}</button> }
                        .into_any()
                }
                None => merge_summary.name.into_any(),
            };
            view! { <li>{name}<span>{merge_summary.bytes}</span></li> }
        };
        let is_empty = all.is_empty();
        let shown: Vec<_> = all.into_iter().take(MOST_LISTED).map(one).collect();
        view! {
            <div>
                <h4>{title}</h4>
                <ul id=id>
                    {shown}
                    {(more > 0).then(|| view! { <li>{format!("and {more} more")}</li> })}
                    {is_empty.then(|| view! { <li>{none}</li> })}
                </ul>
            </div>
        }
    };
    let description = move || {
        let v = seen.running()?;
        let (facts, reads, readers) = seen.placed.with(|placed| {
            let graph = &placed.picture;
            let op = graph.ops.get(v)?;
            Some((facts(graph, op), reads(graph, op), readers(graph, v)))
        })?;
        let facts = facts
            .into_iter()
            .map(|(name, value)| view! { <dt>{name}</dt><dd>{value}</dd> });
        Some(view! {
            <dl id="operator-facts">{facts.collect_view()}</dl>
            {list("operator-reads", "Reads", reads, "nothing")}
            {list("operator-readers", "Read by", readers, "no operator")}
        })
    };
    let name = move || {
        let op = seen.running()?;
        let name = seen
            .placed
            .with(|placed| placed.picture.ops.get(op).map(|op| op.name.clone()))?;
        Some(format!(
            "Step {}: {name}",
            count(seen.steps.now() as f64 + 1.0)
        ))
    };
    view! {
        <div class="operator" id="operator" role="group" aria-labelledby="operator-name">
            <h3 id="operator-name" tabindex="-1" node_ref=head>{name}</h3>
            <div class="operator-told">{description}</div>
        </div>
    }
}
