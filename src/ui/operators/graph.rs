//! The graph in the hand: where operators stand at the step on show, what they are called, and what the one of that step
//! reads, makes and is read by. The selected operator is the one that runs at the selected step.

use super::OperatorsState;
use super::picture::title_of;
use super::state::Shown;
use crate::ui::canvas::{PictureCanvas, width_of};
use crate::ui::views::held::{ChartView, Zoom, ZoomTools};
use crate::ui::views::picture_files::TakePicture;
use chart::{
    Drawn, GraphLayout, GraphOp, GraphPicture, GraphView, View, find_operators, first_view,
    graph_legend, layout_graph, place_graph, sheet,
};
use engine::graph::Weights;
use engine::units::{binary_bytes, count};
use leptos::html::{Div, H3};
use leptos::prelude::*;
use report::operators::charts;
use std::sync::Arc;
use web_sys::KeyboardEvent;

/// Width of the legend [px]; it folds on small screens.
const LEGEND_PX: f64 = 340.0;
/// So many operators are listed that have a name, and that read an operator or are read by one.
const MOST_FOUND: usize = 8;
const MOST_LISTED: usize = 12;

/// The operators of the order on show.
fn operators(shown: &Shown) -> Vec<GraphOp> {
    let main = shown.main();
    main.map_or_else(Vec::new, |main| charts::operators(&shown.graph, main))
}

/// Operators with their places; the places belong to the graph, whatever its order.
#[derive(Clone, PartialEq)]
struct Placed {
    ops: Arc<Vec<GraphOp>>,
    layout: Arc<GraphLayout>,
}

/// What is seen of the graph, and how to go to an operator.
#[derive(Clone, Copy)]
pub struct Seen {
    state: OperatorsState,
    placed: Memo<Placed>,
    zoom: Zoom,
    /// The layer of the operator of the step on show.
    at: Signal<f64>,
    lane: RwSignal<f64>,
    /// The chart of the moment, for what a drag across comes to.
    latest: StoredValue<Option<Drawn>>,
}

/// The operator of the step on show.
fn running(state: OperatorsState) -> Option<usize> {
    let step = state.looked_at();
    state.shown.with(|shown| {
        let main = shown.as_deref()?.main()?;
        main.order.get(step).map(|v| *v as usize)
    })
}

impl Seen {
    /// What is seen of the graph on show.
    pub fn new(state: OperatorsState) -> Self {
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
        let end_s = Signal::derive(move || placed.with(|p| p.layout.layers().max(1) as f64));
        let at = Signal::derive(move || {
            let layer = placed.with(|placed| placed.layout.layer(running(state)?));
            layer.unwrap_or(0) as f64
        });
        Self {
            state,
            placed,
            at,
            zoom: Zoom::counted(end_s, 3.0, Some(at)),
            lane: RwSignal::new(0.0),
            latest: StoredValue::new(None),
        }
    }

    fn picture(self) -> GraphPicture {
        GraphPicture {
            ops: self.placed.with(|placed| placed.ops.clone()),
            step: Some(self.state.looked_at()),
            view: Some(GraphView {
                layers: self.zoom.seen(),
                lane: self.lane.get(),
            }),
        }
    }

    /// Selects an operator and puts it into the middle, near enough to be read.
    fn go(self, op: usize) {
        let Some((layer, step)) = self.placed.with_untracked(|placed| {
            let layer = placed.layout.layer(op)? as f64;
            Some((layer, placed.ops.get(op)?.step))
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
        let middle = View {
            from_s: 0.0,
            to_s: span,
        };
        let view = middle.panned(layer + 0.5 - span / 2.0, end);
        self.zoom.view.set(view.kept(end));
        self.state.step.set(Some(step));
    }
}

/// The graph: its head, the chart and the key to its marks.
#[component]
pub fn Graph(seen: Seen) -> impl IntoView {
    let Seen {
        state,
        placed,
        zoom,
        at,
        lane,
        latest,
    } = seen;
    let holder = NodeRef::<Div>::new();
    let room = width_of(holder);
    let draw = Callback::new(move |(width, _): (f64, View)| {
        let layout = placed.with(|placed| placed.layout.clone());
        let chart = Drawn::of(layout_graph(&seen.picture(), &layout, width));
        latest.set_value(Some(chart.clone()));
        chart
    });
    // Another graph is first seen as far as it can be read.
    Effect::new(move |before: Option<Option<Arc<GraphLayout>>>| {
        let (width, layout) = (room.get(), placed.with(|placed| placed.layout.clone()));
        let before = before.flatten();
        if width <= 0.0 || before.as_ref().is_some_and(|b| Arc::ptr_eq(b, &layout)) {
            return before;
        }
        let view = first_view(&layout, untrack(|| running(state)), width);
        zoom.view.set(view.kept(layout.layers().max(1) as f64));
        Some(layout)
    });
    // Where not all lanes are seen, that of the operator on show is in the middle.
    Effect::new(move |_| {
        let op = running(state);
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
        let title = title_of(state, "its operators")?;
        let layout = placed.with_untracked(|placed| placed.layout.clone());
        let graph = untrack(|| seen.picture());
        let chart = |w: f64| layout_graph(&graph, &layout, w).picture;
        Some(sheet(&title, width, chart, graph_legend))
    });
    let key = Signal::derive(|| Arc::new(graph_legend(LEGEND_PX)));
    let pick = Callback::new(move |step: f64| state.step.set(Some(step as usize)));
    let walk = state.walk(at);
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
fn Find(seen: Seen) -> impl IntoView {
    let words = RwSignal::new(String::new());
    let marked = RwSignal::new(0_usize);
    let gone = RwSignal::new(String::new());
    let ops = move || seen.placed.with(|placed| placed.ops.clone());
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

/// A tensor that the operator on show reads, or an operator that reads it.
struct Beside {
    name: String,
    /// The operator to go to; none for an input of the graph.
    op: Option<usize>,
    /// What is read [bytes].
    bytes: u64,
}

/// The operator of the step on show: what it is, reads and makes, and how long that is held.
#[component]
pub fn Operator(seen: Seen) -> impl IntoView {
    let state = seen.state;
    let head = NodeRef::<H3>::new();
    let go = move |op: usize| {
        seen.go(op);
        // The button that was pressed is of another operator now: whoever hears the page goes along.
        request_animation_frame(move || {
            if let Some(head) = head.get_untracked() {
                let _ = head.focus();
            }
        });
    };
    let list =
        move |id: &'static str, title: &'static str, all: Vec<Beside>, none: &'static str| {
            let more = all.len().saturating_sub(MOST_LISTED);
            let one = move |beside: Beside| {
                let bytes = binary_bytes(beside.bytes as f64);
                let name = match beside.op {
                Some(op) => {
                    view! { <button class="plain" on:click=move |_| go(op)>{beside.name}</button> }
                        .into_any()
                }
                None => beside.name.into_any(),
            };
                view! { <li>{name}<span>{bytes}</span></li> }
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
    let told = move || {
        let shown = state.shown.get()?;
        let (v, step) = (running(state)?, state.looked_at());
        let (graph, main) = (&shown.graph, shown.main()?);
        let op = graph.op(v);
        let ops = seen.placed.with(|placed| placed.ops.clone());
        let until = ops.get(v)?.until;
        let own = |t: usize| (t < graph.len()).then_some(t);
        let reads = graph.src(v).iter().map(|t| Beside {
            name: graph.tensor_name(*t as usize),
            op: own(*t as usize),
            bytes: graph.bytes(*t as usize),
        });
        let readers = graph.consumers(v).iter().map(|u| Beside {
            name: graph.op_name(*u as usize),
            op: Some(*u as usize),
            bytes: op.out,
        });
        let shape = match charts::shape_words(&op.shape) {
            words if !words.is_empty() => words,
            _ if op.out <= 8 => "one number".to_owned(),
            _ => "not in the file".to_owned(),
        };
        let mut output = binary_bytes(op.out as f64);
        if main.trace.in_place.get(step).copied().unwrap_or_default() {
            output.push_str(", in place of what it reads");
        }
        let weights = match (op.w, graph.weights_rule()) {
            (0, _) => "none".to_owned(),
            (bytes, Weights::PerOperator) => {
                format!("{}, loaded for this step", binary_bytes(bytes as f64))
            }
            (bytes, Weights::Resident) => {
                format!("{}, held at every step", binary_bytes(bytes as f64))
            }
        };
        let at = |step: usize| count(step as f64 + 1.0);
        let held = match (until == step, graph.is_output(v)) {
            (_, true) => format!("from step {} to the end: an output of the graph", at(step)),
            (true, false) => format!("at step {} alone", at(step)),
            (false, false) => format!("from step {} to {}", at(step), at(until)),
        };
        let facts = [
            ("Kind", op.kind.name().to_owned()),
            ("Output shape", shape),
            ("Output", output),
            ("Held", held),
            ("Weights", weights),
        ];
        let facts = facts.map(|(name, value)| view! { <dt>{name}</dt><dd>{value}</dd> });
        let (reads, readers): (Vec<_>, Vec<_>) = (reads.collect(), readers.collect());
        Some(view! {
            <dl id="operator-facts">{facts.collect_view()}</dl>
            {list("operator-reads", "Reads", reads, "nothing")}
            {list("operator-readers", "Read by", readers, "no operator")}
        })
    };
    let name = move || {
        let op = running(state)?;
        let name = state
            .shown
            .with(|shown| Some(shown.as_ref()?.graph.op_name(op)))?;
        Some(format!(
            "Step {}: {name}",
            count(state.looked_at() as f64 + 1.0)
        ))
    };
    view! {
        <div class="operator" id="operator" role="group" aria-labelledby="operator-name">
            <h3 id="operator-name" tabindex="-1" node_ref=head>{name}</h3>
            <div class="operator-told">{told}</div>
        </div>
    }
}
