//! The answer view of an operator graph: the order and results of further queries. The sections on the split over
//! devices are in `split_queries.rs`.

use super::sections::{self, OperatorsFacts};
use super::split_queries::{self as split, SplitResults};
use super::{
    about, against_random, arena_table, charts, comparison, goal_name, graph_name, kinds,
    least_limit, mebi, method_name, operators, order_table, search_words, tflm, trace_table, value,
};
use crate::presenting::{AggregateResult, AnswerPresenter, PartialProgress, for_file, solved};
use crate::published::reproductions;
use chart::{ArenaPicture, ArenaTensor, ChartSpec};
use document::{
    Block, CacheScope, CellGraphic, Chart, ChartInteraction, Choice, Control, DeferredSlot, Edit,
    Name, Patch, RichCell, RichRow, RichTable, Section, Sentence, Table, Trigger, Walk,
};
use engine::graph::{Graph, Objective, Weights, catalogue};
use engine::problem::partition::Profile;
use engine::problem::{Code, Invalid};
use engine::scenario::operators::{Choice as Graphs, Scenario, times_text};
use engine::units::{NARROW, capital, memory, percent};
use planner::operator_order::{Drawn, Method, draws};
use planner::operators::{
    OperatorsRequest, OperatorsResult, OrderCase, Ordered, Plan, SearchedOrder, SplitCase, answer,
};
use protocol::{AnswerView, FileSpec, SubtaskResult, read, written};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use std::sync::Arc;

/// The control that all charts over steps share.
pub(super) const STEP: Name = "step";
/// The paper’s search, and its slot.
const SEARCH: Name = "btsearch";
/// The slot of other orders.
const ORDERS: Name = "orders-told";
/// A table of more rows is for files: a page would choke on it.
const MOST_ROWS: usize = 500;
/// Most operators of random orders that are drawn with the answer; larger samples follow when the page is idle.
const MOST_DRAWN: usize = 20_000;
/// The limit’s slider goes so far beyond the largest peak.
const LIMIT_SHARE: f64 = 1.5;
/// The longest bar takes this much of its cell [%].
const LONGEST: f64 = 60.0;

/// A query.
#[derive(Serialize, Deserialize)]
pub(super) enum OperatorsQuery {
    /// Random orders.
    Draws,
    /// The paper’s search, for a memory count and a weight rule.
    Search(bool, Weights),
    /// A query about operators split over devices.
    Split(split::SplitQuery),
}

/// An order with its graph, and the split over devices as far as it has been looked for.
pub(super) struct PlannedGraph {
    pub graph: Graph,
    pub plan: Plan,
    pub split: SplitResults,
}

impl PlannedGraph {
    /// The order whose steps are looked at: ours, or where there is none the first of the others.
    pub fn main(&self) -> Option<&Ordered> {
        self.orders().next()
    }

    fn orders(&self) -> impl Iterator<Item = &Ordered> {
        self.plan.ours.iter().chain(&self.plan.others)
    }
}

pub(super) fn planned(
    scenario: &Scenario,
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Rc<PlannedGraph>, Invalid> {
    solved(scenario, || {
        scenario.validate()?;
        let listen =
            &mut |done, of, _: &mut dyn FnMut() -> Option<OperatorsResult>| on_progress(done, of);
        match answer(scenario, &OperatorsRequest::Plan, listen)? {
            OperatorsResult::Plan(plan) => Ok(PlannedGraph {
                graph: scenario.graph()?,
                plan: *plan,
                split: SplitResults::default(),
            }),
            _ => unreachable!("a plan is answered with one"),
        }
    })
}

fn silently(scenario: &Scenario) -> Result<Rc<PlannedGraph>, Invalid> {
    planned(scenario, &mut |_, _| ())
}

impl AnswerPresenter for Scenario {
    fn summarize(&self, on_progress: &mut PartialProgress<'_>) -> Result<AnswerView, Invalid> {
        let planned = planned(self, &mut |done, of| on_progress(done, of, &mut || None))?;
        let name = graph_name(self);
        let figure = match &planned.plan.ours {
            Some(ours) => memory(ours.peak as f64),
            None => "Does not fit".to_owned(),
        };
        let peak = planned.main().map_or(0, |ordered| ordered.peak);
        Ok(AnswerView {
            about: sections::about(&planned.graph),
            sections: summary_sections(self, &planned),
            tab: format!("{figure}: order of {name}"),
            stem: format!(
                "edgewise-operators-{}-{}kib",
                for_file(&name),
                peak.div_ceil(1024)
            ),
            checked: format!(
                "Every order is replayed and checked, whichever method made it: {n} of {n} operators run after their inputs, and the peak is {peak} bytes.",
                n = planned.graph.len()
            ),
            hints: hints(&planned),
            figure,
            ..AnswerView::default()
        })
    }

    fn present(&self, on_progress: &mut PartialProgress<'_>) -> Result<AnswerView, Invalid> {
        let mut telling = self.summarize(on_progress)?;
        let planned = silently(self)?;
        let all = &mut telling.sections;
        let split = all.iter().position(|section| split::is_own(section.id));
        let split = split.unwrap_or(all.len());
        all.splice(split..split, order_sections(self, &planned));
        all.extend(split::more_sections(self, &planned));
        all.push(published());
        telling.files = files(&planned);
        Ok(telling)
    }

    fn at_once(
        &self,
        ask: &str,
        on_progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<Patch>, Invalid> {
        match read::<OperatorsQuery>(ask)? {
            OperatorsQuery::Split(split::SplitQuery::Splits) => {
                split::at_once(self, &*planned(self, on_progress)?)
            }
            _ => Err(Invalid::range("ask", ask, "one that is found out at once")),
        }
    }

    fn more(
        &self,
        ask: &str,
        on_progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<Patch>, Invalid> {
        match read::<OperatorsQuery>(ask)? {
            OperatorsQuery::Draws => {
                let planned = planned(self, on_progress)?;
                let drawn = drawn(self, &planned.graph);
                Ok(vec![Patch::Place {
                    id: ORDERS,
                    blocks: orders(self, &planned, Some(&drawn)),
                }])
            }
            OperatorsQuery::Search(..) => {
                let planned = silently(self)?;
                let listen = &mut |done, of, _: &mut dyn FnMut() -> Option<OperatorsResult>| {
                    on_progress(done, of)
                };
                match answer(self, &OperatorsRequest::Search, listen)? {
                    OperatorsResult::Search(searched) => Ok(vec![Patch::Place {
                        id: SEARCH,
                        blocks: search_result(self, &planned, &searched),
                    }]),
                    _ => unreachable!("a search is answered with one"),
                }
            }
            OperatorsQuery::Split(_) => {
                Err(Invalid::range("ask", ask, "one that waits for the answer"))
            }
        }
    }

    fn run_subtask(
        &self,
        piece: &str,
        load: &[u8],
        on_progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<u8>, Invalid> {
        if reproductions::is_of::<Vec<OrderCase>>(piece) {
            return reproductions::run_subtask::<Vec<OrderCase>>(&(), piece, on_progress);
        }
        if reproductions::is_of::<Vec<SplitCase>>(piece) {
            return reproductions::run_subtask::<Vec<SplitCase>>(&(), piece, on_progress);
        }
        split::run_subtask(self, piece, load, on_progress)
    }

    fn aggregate(
        &self,
        ask: &str,
        _: &[u8],
        results: &[Option<SubtaskResult>],
    ) -> Result<AggregateResult, Invalid> {
        if reproductions::is_of::<Vec<OrderCase>>(ask) {
            // The model shown stands out among the paper’s.
            let marked = match &self.graph {
                Graphs::Preset(name) => catalogue::MODELS.iter().position(|m| m.name == name),
                Graphs::Custom(_) | Graphs::File(_) => None,
            };
            return reproductions::aggregate::<Vec<OrderCase>>(
                &(),
                results,
                marked.map(|row| (row, "")),
            );
        }
        if reproductions::is_of::<Vec<SplitCase>>(ask) {
            return reproductions::aggregate::<Vec<SplitCase>>(&(), results, None);
        }
        let fills = match read::<OperatorsQuery>(ask)? {
            OperatorsQuery::Split(ask) => split::aggregate(self, &*silently(self)?, &ask, results)?,
            _ => Vec::new(),
        };
        Ok(AggregateResult::Fills(fills))
    }

    fn file(&self, name: &str) -> Result<String, Invalid> {
        let planned = silently(self)?;
        let (graph, arena) = (&planned.graph, planned.plan.arena.as_ref());
        let table = |table: Option<Table>| table.unwrap_or_default().to_csv();
        Ok(match name {
            "answer" => split::document(self, &planned),
            "order" => table(planned.main().map(|main| order_table(graph, main))),
            "trace" => {
                let orders: Vec<&Ordered> = planned.orders().collect();
                trace_table(graph, &orders).to_csv()
            }
            "arena" => table(arena.map(|arena| arena_table(graph, arena))),
            "split" => split::slices_csv(self, &planned)?,
            "times" => times(self, graph),
            "tflm" => {
                let header = arena.and_then(|arena| tflm::header(graph, arena));
                header.ok_or_else(|| too_large(name))?
            }
            _ => return Err(Invalid::range("file", name, "one that the story offers")),
        })
    }

    fn bytes(&self, name: &str) -> Result<Vec<u8>, Invalid> {
        match name {
            "tflm-buffer" => {
                let planned = silently(self)?;
                let buffer = planned.plan.arena.as_ref().and_then(tflm::buffer);
                buffer.ok_or_else(|| too_large(name))
            }
            _ => self.file(name).map(String::into_bytes),
        }
    }
}

/// 32 bits cannot say where everything is.
fn too_large(file: &str) -> Invalid {
    let message = "this arena is larger than the 2 GiB that 32-bit offsets can address";
    Invalid::new(Code::Plan, "arena", file, message)
}

fn drawn(scenario: &Scenario, graph: &Graph) -> Drawn {
    let wanted = scenario.draws;
    draws(graph, wanted.orders as u32, wanted.first_seed as u64)
}

/// Times of operators as they are pasted.
fn times(scenario: &Scenario, graph: &Graph) -> String {
    let Profile { op_ms, gflops, gbs } = scenario.split.profile;
    let by_profile = |v: usize| {
        let op = graph.op(v);
        let moved = (op.out + op.w) as f64;
        [op_ms, op.flops / (gflops * 1e6) + moved / (gbs * 1e6)]
    };
    let table = scenario.split.table.clone();
    let rows = table.unwrap_or_else(|| (0..graph.len()).map(by_profile).collect());
    let names = (0..graph.len()).map(|v| graph.op_name(v));
    times_text(names, &rows).replace('\t', ",")
}

/// The answer and its picture, with what can be looked at and asked for in them; what stood in the sections of the split stays
/// until they are set.
fn summary_sections(scenario: &Scenario, planned: &PlannedGraph) -> Vec<Section> {
    let known = facts(scenario, planned);
    let all = sections::summary(&known).into_iter();
    let all = all.map(|section| match section.id {
        "answer" if planned.plan.ours.is_none() => section.with(way_out(&planned.plan)),
        "memory" => memories(&known, planned, section),
        _ => section,
    });
    all.chain(split::waiting(planned)).collect()
}

/// Returns the sections between the chart and the split: addresses of tensors, other orders.
fn order_sections(scenario: &Scenario, planned: &PlannedGraph) -> Vec<Section> {
    let known = facts(scenario, planned);
    let lying = sections::arena(&known).map(|section| lying(&known, section));
    lying
        .into_iter()
        .chain([compared(scenario, planned)])
        .collect()
}

/// Returns the section of published figures.
fn published() -> Section {
    let cases = reproductions::section::<Vec<OrderCase>>(&());
    reproductions::pressed::<Vec<SplitCase>>(
        cases.with(Block::Paragraph(Sentence::default().strong("Splits"))),
        &(),
        ["Compute ours", "Computing"],
    )
}

fn facts<'a>(scenario: &'a Scenario, planned: &'a PlannedGraph) -> OperatorsFacts<'a> {
    OperatorsFacts {
        scenario,
        graph: &planned.graph,
        plan: &planned.plan,
        drawn: None,
        cuts: Ok(None),
        variants: &[],
    }
}

/// Where nothing fits: limits that work.
fn way_out(plan: &Plan) -> Block {
    let least = least_limit(plan);
    let limit = |id, words: String, json: String| Choice {
        id,
        words,
        edit: Edit::of("/limit_mib", json),
    };
    let set = format!("Set the limit to {least}{NARROW}MiB");
    Block::Try(
        String::new(),
        vec![
            limit("set-limit", set, least.to_string()),
            limit("no-limit", "No limit".into(), "null".into()),
        ],
    )
}

/// Returns the memory of orders under two counts, and the steps.
fn memories(known: &OperatorsFacts<'_>, planned: &PlannedGraph, mut section: Section) -> Section {
    let (scenario, graph, plan) = (known.scenario, known.graph, known.plan);
    let mut blocks = section.blocks.drain(..);
    let memory = blocks.next();
    let running = memory.map(turning);
    let held = charts::memory(scenario, graph, plan, true);
    let title = format!("{}: what is held between steps", graph_name(scenario));
    let between = Chart::new("memory", title, ChartSpec::Memory(held));
    let ways = vec![
        ("While running".to_owned(), running.into_iter().collect()),
        ("Between steps".to_owned(), vec![turning(between.into())]),
    ];
    let walk = Walk {
        control: step(planned),
        blocks: blocks.collect(),
    };
    let orders: Vec<&Ordered> = planned.orders().collect();
    let every = planned.main().map(|main| {
        let tables = || vec![order_table(graph, main), trace_table(graph, &orders)];
        every("Every step as a table", graph.len(), "steps", tables)
    });
    section
        .with(Block::Tabs("What is shown".into(), ways))
        .with(Block::Walk(walk))
        .and(every)
}

/// The step that is looked at: that of the peak until it is another.
pub(super) fn step(planned: &PlannedGraph) -> Control {
    let last = planned.graph.len().saturating_sub(1);
    let peak = planned.main().map_or(0, |main| main.trace.peak_step());
    Control::new(STEP, "Step", (0.0, last as f64), peak as f64)
}

/// A chart over steps with the step in the hand.
pub(super) fn turning(block: Block) -> Block {
    match block {
        Block::Chart(chart) => chart
            .with_interaction(ChartInteraction::SetsControl(STEP))
            .into(),
        block => block,
    }
}

/// Tables of so many rows, where a page can show them.
pub(super) fn every(
    words: &str,
    rows: usize,
    noun: &str,
    tables: impl FnOnce() -> Vec<Table>,
) -> Block {
    let blocks = if rows > MOST_ROWS {
        let many = format!("{rows} {noun} are too many for the page; save them as a file instead.");
        vec![many.into()]
    } else {
        tables().into_iter().map(Block::from).collect()
    };
    Block::Fold(words.to_owned(), blocks)
}

/// Where tensors lie, and how long.
fn lying(known: &OperatorsFacts<'_>, section: Section) -> Section {
    let graph = known.graph;
    let tensors = known.plan.arena.as_ref().map(|arena| {
        let tables = || vec![arena_table(graph, arena)];
        every(
            "Every tensor as a table",
            graph.tensors(),
            "tensors",
            tables,
        )
    });
    let blocks = section.blocks.into_iter().map(|block| match block {
        Block::Chart(chart) => {
            let lives = match &*chart.drawing {
                ChartSpec::Arena(arena) => Some(lives(arena, &chart.title)),
                _ => None,
            };
            let mut ways = vec![("Arena".to_owned(), vec![turning(chart.into())])];
            ways.extend(lives.map(|lives| ("Lifetimes".to_owned(), vec![turning(lives.into())])));
            Block::Tabs("What is shown".into(), ways)
        }
        block => block,
    });
    Section {
        blocks: blocks.chain(tensors).collect(),
        ..section
    }
    .folded()
    .holding("where each tensor lies, and how long")
}

/// Returns the chart of tensor lifetimes, without addresses.
fn lives(arena: &ArenaPicture, title: &str) -> Chart {
    let unplaced = |tensor: &ArenaTensor| ArenaTensor {
        offset: None,
        ..tensor.clone()
    };
    let lives = ArenaPicture {
        tensors: Arc::new(arena.tensors.iter().map(unplaced).collect()),
        ..arena.clone()
    };
    Chart::new("arena", title, ChartSpec::Arena(lives))
}

/// Other orders, those that are drawn, and the paper’s search, which is asked for.
fn compared(scenario: &Scenario, planned: &PlannedGraph) -> Section {
    let graph = &planned.graph;
    let is_short = scenario.draws.orders * graph.len() as f64 <= MOST_DRAWN as f64;
    let drawn = is_short.then(|| drawn(scenario, graph));
    let place = |id, button: Option<(&str, &str)>, blocks| {
        Block::Deferred(DeferredSlot {
            id,
            button: button.map(|(ask, meanwhile)| (ask.to_owned(), meanwhile.to_owned())),
            blocks,
        })
    };
    let button = ("Run the paper\u{2019}s search", "Searching");
    let methods = [
        Method::Exact,
        Method::Btsearch,
        Method::Greedy,
        Method::Peft,
        Method::Random,
        Method::File,
    ];
    let terms = methods.map(|method| (method_name(method).to_owned(), about(method).to_owned()));
    let search = OperatorsQuery::Search(scenario.objective == Objective::Table4, scenario.weights);
    let section = Section::new("comparison", "Against other orders")
        .with(place(
            ORDERS,
            None,
            orders(scenario, planned, drawn.as_ref()),
        ))
        .with(place(SEARCH, Some(button), Vec::new()))
        .with(Block::Fold(
            "How the orders are made".into(),
            vec![Block::Terms(terms.into())],
        ))
        .with_query(Trigger::Pressed(SEARCH), written(&search), "No search")
        .lasting(CacheScope::Equivalent);
    match drawn {
        Some(_) => section,
        None => section.with_query(
            Trigger::Idle,
            written(&OperatorsQuery::Draws),
            "No random orders",
        ),
    }
}

/// Orders by their value under the goal, and what random ones say.
fn orders(scenario: &Scenario, planned: &PlannedGraph, drawn: Option<&Drawn>) -> Vec<Block> {
    let goal = scenario.objective;
    let ours = planned.plan.ours.as_ref();
    let mut bars: Vec<(String, String, f64)> = Vec::new();
    for ordered in planned.orders() {
        let (name, under) = match ordered.method {
            Method::Exact => ("Edgewise", "exact"),
            Method::File => (method_name(Method::File), "from the file"),
            method => (method_name(method), ""),
        };
        let bytes = value(ordered, goal) as f64;
        bars.push((name.to_owned(), under.to_owned(), bytes));
    }
    if let Some(drawn) = drawn {
        let spread = match goal {
            Objective::Sum => &drawn.sum,
            Objective::Peak => &drawn.peak,
            Objective::Table4 => &drawn.table4,
        };
        let under = format!("mean of {}", drawn.orders);
        bars.push(("Random".to_owned(), under, spread.mean));
    }
    let most = bars.iter().map(|bar| bar.2).fold(1.0, f64::max);
    let own = ours.map(|ours| value(ours, goal) as f64);
    let row = |(at, (name, under, bytes)): (usize, (String, String, f64))| {
        let is_ours = at == 0 && own.is_some();
        let saves = match own.filter(|_| !is_ours).map(|own| bytes - own) {
            None => RichCell::default(),
            Some(by) if by.abs() < 0.5 => RichCell::of("nothing"),
            Some(by) => RichCell {
                aside: percent(100.0 * by / bytes.max(1.0), 1),
                ..RichCell::of(memory(by))
            },
        };
        let (bar, class) = if is_ours {
            ("k-ours", "ours")
        } else {
            ("cell", "")
        };
        let sketch = CellGraphic::Bar(vec![(bar.to_owned(), LONGEST * bytes / most)]);
        let small = (!under.is_empty()).then_some(under);
        RichRow::of(vec![
            RichCell::of(name).with(small),
            RichCell::exact(memory(bytes), format!("{bytes} B")).drawn(sketch),
            saves,
        ])
        .classed(class)
    };
    let counted = capital(goal_name(goal));
    let heads = [("Order", ""), (&*counted, ""), ("Edgewise saves", "n")];
    let rows = bars.into_iter().enumerate().map(row).collect();
    let table = comparison(goal, &planned.plan, drawn, None);
    let said = ours.zip(drawn);
    let said = said.map(|(ours, drawn)| against_random(goal, ours, drawn).into());
    [
        RichTable::new(("orders", "cmp orders"), "Orders by the goal", &heads, rows)
            .with_table(table.clone())
            .into(),
    ]
    .into_iter()
    .chain(said)
    .chain([Block::Fold(
        "As a table, under all three counts".into(),
        vec![table.into()],
    )])
    .collect()
}

/// Describes the result of the paper’s search; the comparison is in the section above.
fn search_result(
    scenario: &Scenario,
    planned: &PlannedGraph,
    searched: &SearchedOrder,
) -> Vec<Block> {
    let mut table = comparison(scenario.objective, &planned.plan, None, Some(searched));
    table.name = "paper-search";
    table.title = "The order of the paper\u{2019}s search".to_owned();
    table.rows.drain(..table.rows.len() - 1);
    // What ours saves would be that of one scenario alone.
    let apart = table
        .columns
        .iter()
        .position(|column| column.key == "less_by");
    if let Some(at) = apart {
        table.columns.remove(at);
        table.rows.iter_mut().for_each(|row| drop(row.remove(at)));
    }
    vec![search_words(searched).into(), table.into()]
}

fn files(planned: &PlannedGraph) -> Vec<(String, Vec<FileSpec>)> {
    let csv = |id, what| FileSpec::written(id, what, "csv", "CSV");
    let mut groups = vec![
        ("Scenario", vec![FileSpec::scenario()]),
        (
            "Answer",
            vec![FileSpec::from_worker("save-answer", "answer")],
        ),
        ("Order", vec![csv("save-order", "order")]),
        ("Steps", vec![csv("save-trace", "trace")]),
    ];
    if planned.plan.arena.is_some() {
        groups.extend([
            ("Arena", vec![csv("save-arena", "arena")]),
            (
                "Offline memory plan, TFLite Micro",
                vec![
                    FileSpec::written("save-tflm", "tflm-buffer", "bin", "Binary"),
                    FileSpec::written("save-tflm-header", "tflm", "h", "C++"),
                ],
            ),
        ]);
    }
    groups.push((
        "Comparison",
        vec![FileSpec::table("save-orders", "orders", "csv", "CSV")],
    ));
    groups.extend(split::files());
    let named = |(title, files): (&str, Vec<FileSpec>)| (title.to_owned(), files);
    groups.into_iter().map(named).collect()
}

/// Returns hints for the editor: kinds and number of operators, and the useful range of the limit \[MiB\].
fn hints(planned: &PlannedGraph) -> Vec<(String, String)> {
    let graph = &planned.graph;
    let peaks = planned.plan.others.iter().map(|other| other.peak);
    let most = LIMIT_SHARE * mebi(peaks.max().unwrap_or(1 << 20) as f64);
    let most = libm::ceil(most * 20.0) / 20.0;
    [
        ("kinds", kinds(graph)),
        ("operators", operators(graph.len())),
        ("count", graph.len().to_string()),
        ("most-mib", most.to_string()),
    ]
    .map(|(name, words)| (name.to_owned(), words))
    .into()
}
