//! What is told about operator graphs, section by section.

use super::{
    SplitTold, arena_words, comparison, device_table, kinds, split_comparison, split_words, words,
};
use engine::graph::Graph;
use engine::plan::Order;
use engine::problem::Invalid;
use engine::scenario::operators::Scenario;
use job::operator_order::Drawn;
use job::operators::{Cut, Plan, Room, Splits};
use story::{Block, Section, Sentence};

/// Operators cut over devices, after the search that the page does.
#[derive(Debug, Clone)]
pub struct Cuts {
    /// The order in which they run.
    pub order: Order,
    /// The simple cuts and the bound.
    pub splits: Splits,
    /// The best of all.
    pub best: Cut,
    /// The least memory with which there is a cut, where there is none.
    pub room: Option<Room>,
}

/// What is known of a scenario.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// Its graph.
    pub graph: &'a Graph,
    /// The order and what it is compared with.
    pub plan: &'a Plan,
    /// Orders drawn at random.
    pub drawn: &'a Drawn,
    /// The operators cut over devices, or why they cannot be.
    pub cuts: Result<Option<&'a Cuts>, &'a Invalid>,
}

/// The scenario in a line.
#[must_use]
pub fn about(graph: &Graph) -> Vec<String> {
    vec![kinds(graph)]
}

/// All that is known, the answer first.
#[must_use]
pub fn sections(known: &Known<'_>) -> Vec<Section> {
    let Known {
        scenario,
        graph,
        plan,
        ..
    } = *known;
    let words = words(scenario, graph, plan);
    let arena = plan.arena.as_ref().map(|arena| arena_words(graph, arena));
    let answer = Section::new("answer", "Answer")
        .with(Block::Answer(words))
        .and(arena);
    let table = comparison(scenario.objective, plan, Some(known.drawn), None);
    let compared = Section::new("comparison", "Compared with other orders").with(table);
    let mut all = vec![answer, compared];
    let section = Section::new("cuts", "Cut over devices");
    match known.cuts {
        Ok(cuts) => all.extend(cuts.and_then(|cuts| cut(known, cuts, section))),
        Err(fault) => {
            let said = format!("No split over devices: {fault}.");
            all.push(section.with(Sentence::default().plain(said)));
        }
    }
    all
}

/// The split in sentences, beside others, and what each device does.
fn cut(known: &Known<'_>, cuts: &Cuts, section: Section) -> Option<Section> {
    let told = SplitTold::of(known.scenario, known.graph, &cuts.order, &cuts.best).ok()??;
    let words = split_words(&told, &cuts.splits, cuts.room.as_ref());
    let section = section
        .with(Block::Answer(words))
        .with(told.dims_words())
        .with(split_comparison(&cuts.best, &cuts.splits, None))
        .with(device_table(&told, &cuts.splits.alone_ms));
    Some(section)
}
