//! Sections of an answer about operator graphs, for command line, service, reports and page alike.

use super::charts::{self, DeviceRange};
use super::figures::{of_arena, of_split};
use super::{
    SplitSummary, against_random, arena_table, arena_words, bound_words, comparison, curve_table,
    device_table, graph_name, kinds, maker_table, method_table, order_table, slowest_table,
    split_comparison, split_table, split_words, trace_table, variant_table, verdict,
};
use chart::ChartSpec;
use document::steps::{StepSummary, formula, step_words};
use document::{Block, Chart, Section, Sentence, Table};
use engine::graph::Graph;
use engine::plan::OperatorOrder;
use engine::problem::Invalid;
use engine::scenario::operators::Scenario;
use engine::units::capital;
use planner::operator_order::Drawn;
use planner::operators::{AnnealChain, Cut, DeviceVariant, LeastLimits, Ordered, Plan, Splits};

pub use super::figures::figures;

/// Operators cut over devices, after the search that the page does.
#[derive(Debug, Clone)]
pub struct SplitFacts {
    /// The order in which they run.
    pub order: OperatorOrder,
    /// The simple cuts and the bound.
    pub splits: Splits,
    /// The best of all.
    pub best: Cut,
    /// The chains of the search.
    pub chains: Vec<AnnealChain>,
}

impl SplitFacts {
    /// The least memory with which there is a cut, where there is none.
    #[must_use]
    pub fn least_limits(&self) -> Option<&LeastLimits> {
        let rooms = self.chains.iter().filter_map(|chain| chain.room.as_ref());
        rooms.min_by(|a, b| a.factor.total_cmp(&b.factor))
    }
}

/// Results for a scenario so far.
#[derive(Debug, Clone, Copy)]
pub struct OperatorsFacts<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// Its graph.
    pub graph: &'a Graph,
    /// The order and what it is compared with.
    pub plan: &'a Plan,
    /// Orders drawn at random, where they are known.
    pub drawn: Option<&'a Drawn>,
    /// The operators cut over devices, or why they cannot be.
    pub cuts: Result<Option<&'a SplitFacts>, &'a Invalid>,
    /// Splits over other devices, where they were looked for.
    pub variants: &'a [(DeviceRange, Vec<DeviceVariant>)],
}

/// The scenario in a line.
#[must_use]
pub fn about(graph: &Graph) -> Vec<String> {
    vec![kinds(graph)]
}

/// All that is known, the answer first.
#[must_use]
pub fn sections(known: &OperatorsFacts<'_>) -> Vec<Section> {
    let mut all = summary(known);
    all.extend(every_step(known));
    all.extend(arena(known));
    all.extend(every_tensor(known));
    all.extend(compared(known));
    let section = Section::new("cuts", "Cut over devices");
    match known.cuts {
        Ok(cuts) => all.extend(
            cuts.and_then(|cuts| cut(known, cuts, section))
                .unwrap_or_default(),
        ),
        Err(fault) => {
            let said = format!("No split over devices: {fault}.");
            all.push(section.with(Sentence::default().plain(said)));
        }
    }
    all.extend(known.variants.iter().map(other_devices));
    all
}

/// The answer and its picture: what orders hold step by step.
pub(super) fn summary(known: &OperatorsFacts<'_>) -> Vec<Section> {
    let OperatorsFacts {
        scenario,
        graph,
        plan,
        ..
    } = *known;
    let answer = Section::new("answer", "Answer")
        .with(Block::Answer(verdict(scenario, graph, plan)))
        .and(figures(scenario, graph, plan, None));
    let memories = orders(plan)
        .next()
        .map(|main| memories(scenario, graph, plan, main));
    std::iter::once(answer).chain(memories).collect()
}

/// Every order, ours first.
fn orders(plan: &Plan) -> impl Iterator<Item = &Ordered> {
    plan.ours.iter().chain(&plan.others)
}

fn chart(id: &'static str, title: String, drawing: ChartSpec, table: Option<Table>) -> Chart {
    Chart {
        table,
        ..Chart::new(id, title, drawing)
    }
}

/// Returns the memory that orders hold step by step, and the peak.
fn memories(scenario: &Scenario, graph: &Graph, plan: &Plan, main: &Ordered) -> Section {
    let name = graph_name(scenario);
    let memory = charts::memory(scenario, graph, plan, false);
    let (picture, layout) = charts::graph(graph, main);
    let described = StepSummary::of(&picture, main.trace.peak_step()).map(|described| {
        let (symbols, filled) = formula(&described);
        let said = step_words(&picture, &described);
        [said.into(), Block::Note(format!("{symbols}: {filled}"))]
    });
    Section::new("memory", "Memory over steps")
        .with(chart(
            "memory",
            format!("{name}: what is held step by step"),
            ChartSpec::Memory(memory),
            None,
        ))
        .with(chart(
            "graph",
            format!("{name}: its operators"),
            ChartSpec::Graph(picture, layout),
            None,
        ))
        .and(described.into_iter().flatten())
}

/// Every step as tables.
fn every_step(known: &OperatorsFacts<'_>) -> Option<Section> {
    let orders: Vec<&Ordered> = orders(known.plan).collect();
    let main = orders.first()?;
    let section = Section::new("steps", "Every step")
        .with(order_table(known.graph, main))
        .with(trace_table(known.graph, &orders));
    Some(section.folded())
}

/// Where the tensors lie.
pub(super) fn arena(known: &OperatorsFacts<'_>) -> Option<Section> {
    let (graph, plan) = (known.graph, known.plan);
    let (ours, arena) = plan.ours.as_ref().zip(plan.arena.as_ref())?;
    let title = format!("{}: addresses of tensors", graph_name(known.scenario));
    let drawing = ChartSpec::Arena(charts::arena(graph, ours, arena));
    let section = Section::new("arena", "Tensor addresses")
        .with(of_arena(graph, arena))
        .with(chart("arena", title, drawing, None));
    Some(section.with(arena_words(graph, arena)))
}

/// Every tensor as a table.
fn every_tensor(known: &OperatorsFacts<'_>) -> Option<Section> {
    let arena = known.plan.ours.as_ref().and(known.plan.arena.as_ref())?;
    let section = Section::new("tensors", "Every tensor").with(arena_table(known.graph, arena));
    Some(section.folded())
}

/// Other orders.
fn compared(known: &OperatorsFacts<'_>) -> [Section; 2] {
    let goal = known.scenario.objective;
    let ours = known.plan.ours.as_ref();
    let random = ours.zip(known.drawn);
    let random = random.map(|(ours, drawn)| against_random(goal, ours, drawn));
    [
        Section::new("comparison", "Against other orders")
            .with(comparison(goal, known.plan, known.drawn, None))
            .and(random),
        Section::new("methods", "How the orders are made")
            .with(method_table())
            .folded(),
    ]
}

/// The split in sentences, who makes what, other splits, the search.
pub(super) fn cut(
    known: &OperatorsFacts<'_>,
    cuts: &SplitFacts,
    section: Section,
) -> Option<Vec<Section>> {
    let described =
        SplitSummary::of(known.scenario, known.graph, &cuts.order, &cuts.best).ok()??;
    let pieces = described.operator_slices();
    let title = format!("{}: slices per device", graph_name(known.scenario));
    let drawing = ChartSpec::Slices(charts::slices(&described));
    let curves = charts::chains(&cuts.chains);
    let bound = cuts.splits.bound_ms;
    let lines = charts::convergence(&curves, false, bound);
    let mut all = vec![
        section
            .with(Block::Answer(split_words(
                &described,
                &cuts.splits,
                cuts.least_limits(),
            )))
            .with(of_split(&described, &cuts.splits)),
        Section::new("slices", "Slices per device")
            .with(chart("slices", title, drawing, None))
            .with(slowest_table(&pieces))
            .with(described.dims_words())
            .with(device_table(&described, &cuts.splits.alone_ms)),
        Section::new("operators", "Every operator")
            .with(split_table(&described))
            .folded(),
        Section::new("cuts-comparison", "Against other cuts")
            .with(split_comparison(&cuts.best, &cuts.splits, None))
            .with(capital(&bound_words(&cuts.splits))),
        Section::new("makers", "How the cuts are made")
            .with(maker_table())
            .folded(),
    ];
    if !lines.series.is_empty() {
        let title = lines.title.clone();
        let table = curve_table(&curves, false);
        let drawn = chart("convergence", title, ChartSpec::Lines(lines), Some(table));
        all.push(
            Section::new("convergence", "The search")
                .with(drawn)
                .folded(),
        );
    }
    Some(all)
}

/// Splits over other devices.
fn other_devices((range, variants): &(DeviceRange, Vec<DeviceVariant>)) -> Section {
    let lines = charts::variants(*range, variants, None);
    let title = lines.title.clone();
    let table = Some(variant_table(variants));
    Section::new("variants", "With other devices")
        .with(chart("variants", title, ChartSpec::Lines(lines), table))
        .with(Block::Note(range.about().to_owned()))
        .folded()
}
