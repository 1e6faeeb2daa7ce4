//! Queries about splits that the user starts: the paper’s search, which goes on round by round, and other devices than the
//! scenario’s.

use super::charts::{self, DeviceRange, place};
use super::presenter::PlannedGraph;
use super::split_queries::{SplitQuery, SplitSubtask, convergence, query_key};
use super::{gap, split_comparison, variant_table};
use chart::{ChartSpec, LineChart, LineStyle};
use document::quantity::millis;
use document::{Block, Chart, ChartInteraction, DeferredSlot, Edit, Name, Section, Table, Trigger};
use engine::plan::OperatorOrder;
use engine::scenario::operators::{Board, Scenario, presets};
use engine::units::{count, percent};
use planner::operators::{Cut, DeviceChange, DeviceVariant, GeneticIsland, Splits, best, exchange};
use protocol::{packed, written};

/// Where the paper’s search is.
const GENETIC: Name = "ga";
/// The most devices that are tried.
const MOST_TRIED: u32 = 8;
/// Memory limits that are tried, as shares of what one device alone needs.
const LIMIT_SHARES: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5, 2.0];

/// The paper’s search after a round: what it found so far, and the next round unless all islands have ended.
pub(super) fn genetic(
    scenario: &Scenario,
    order: &OperatorOrder,
    found: Option<(&Splits, &[GeneticIsland])>,
) -> Section {
    let round = found.map_or(&[][..], |(_, round)| round);
    let is_going = round.iter().any(|island| !island.ended);
    let mut blocks = Vec::new();
    if let Some(((splits, _), first)) = found.zip(round.first()) {
        let cuts = round.iter().filter_map(|island| island.best.as_ref());
        let best = best(cuts);
        blocks.push(genetic_words(round, first, best, is_going, splits.bound_ms).into());
        let curves = charts::islands(round);
        blocks.extend(convergence("genetic", &curves, true, splits.bound_ms));
        blocks.extend(best.map(|best| {
            let mut table = split_comparison(&splits.start, splits, Some(best));
            table.rows = vec![table.rows.swap_remove(1)];
            table.columns.retain(|column| column.key != "sooner_by");
            table.rows[0].remove(6);
            let table = Table {
                name: "genetic-split",
                title: "The best split of the paper\u{2019}s search".into(),
                ..table
            };
            Block::from(table)
        }));
    }
    let button = (
        "Run the paper\u{2019}s genetic search".to_owned(),
        "Searching".to_owned(),
    );
    let section = Section::new("genetic", "The paper\u{2019}s search for a split")
        .folded()
        .holding("GenEFlow, run when you ask for it")
        .with(Block::Deferred(DeferredSlot {
            id: GENETIC,
            button: Some(button),
            blocks,
        }));
    let islands = 0..scenario.split.search.islands as u32;
    let (when, next) = match is_going {
        true => {
            let mut next = round.to_vec();
            exchange(&mut next);
            (Trigger::Now(GENETIC), next)
        }
        false => {
            let first = islands.map(|at| GeneticIsland::first(scenario, at));
            (Trigger::Pressed(GENETIC), first.collect())
        }
    };
    let parts = (0..next.len()).map(|at| written(&SplitSubtask::Island(at)));
    section
        .with_split_query(
            when,
            query_key(SplitQuery::Islands),
            parts.collect(),
            "The paper\u{2019}s search",
        )
        .with_context(packed(&(order, next)), Vec::new())
}

/// Describes the progress of the paper’s search in a sentence.
fn genetic_words(
    round: &[GeneticIsland],
    first: &GeneticIsland,
    best: Option<&Cut>,
    is_going: bool,
    bound: f64,
) -> String {
    let scored: f64 = round.iter().map(|island| island.evaluations).sum();
    let generation = round.iter().map(|island| island.generation).max();
    let generation = generation.unwrap_or_default();
    let begin = match is_going {
        true => format!("Generation {generation}"),
        false => format!("Ended after generation {generation}"),
    };
    let best = match best {
        Some(best) if best.is_feasible => format!(
            "its best split takes {}, gap {}",
            millis(best.latency_ms),
            percent(100.0 * gap(best.latency_ms, bound), 1)
        ),
        _ => "none of its plans is within the limits".to_owned(),
    };
    format!(
        "{begin} on {} islands, {} plans scored: {best}.",
        first.islands,
        count(scored)
    )
}

/// The slot of other devices.
pub(super) const PLACES: [Name; 3] = ["variants-devices", "variants-memory", "variants-factors"];
/// Names of the tables.
pub(super) const TRIED: [Name; 3] = ["devices-tried", "memory-tried", "factors-tried"];

/// Other devices than the scenario’s: more or fewer, other memory, other speeds.
pub(super) fn variants(scenario: &Scenario, planned: &PlannedGraph, load: Vec<u8>) -> Section {
    let names = ["Number", "Memory", "Fig. 11"];
    let way = |at: usize| {
        let blocks = over(scenario, at, &[]);
        let later = DeferredSlot {
            id: PLACES[at],
            button: None,
            blocks,
        };
        (names[at].to_owned(), vec![Block::Deferred(later)])
    };
    let section = Section::new("variants", "With other devices")
        .folded()
        .holding("more or fewer, other memory, other speeds")
        .with(Block::Tabs(
            "What varies".into(),
            (0..names.len()).map(way).collect(),
        ));
    DeviceRange::ALL
        .into_iter()
        .enumerate()
        .fold(section, |section, (at, range)| {
            let parts = changes(range, planned)
                .into_iter()
                .map(|change| written(&SplitSubtask::Variant(change)));
            section
                .with_split_query(
                    Trigger::Opened,
                    query_key(SplitQuery::Variants(at)),
                    parts.collect(),
                    "Other devices",
                )
                .loaded(load.clone())
        })
}

fn changes(range: DeviceRange, planned: &PlannedGraph) -> Vec<DeviceChange> {
    match range {
        DeviceRange::Devices => (1..=MOST_TRIED).map(DeviceChange::Devices).collect(),
        DeviceRange::Memory => {
            let alone = planned.main().map_or(0, |main| main.peak) as f64 / 1_048_576.0;
            let limit =
                |share: f64| DeviceChange::LimitMib(Some((share * alone * 100.0).ceil() / 100.0));
            LIMIT_SHARES.map(limit).into()
        }
        DeviceRange::Factors => {
            let all = presets::CONFIGURATIONS.iter();
            all.map(|factors| DeviceChange::Factors(factors.to_vec()))
                .collect()
        }
    }
}

/// Splits over other devices, which a press takes.
pub(super) fn over(scenario: &Scenario, at: usize, come: &[DeviceVariant]) -> Vec<Block> {
    let range = DeviceRange::ALL[at];
    let devices = &scenario.split.devices;
    let now = match range {
        DeviceRange::Devices => Some(devices.len() as f64),
        DeviceRange::Memory => {
            let first = devices.first().and_then(|board| board.limit_mib);
            first.filter(|_| devices.iter().all(|board| board.limit_mib == first))
        }
        DeviceRange::Factors => None,
    };
    let about = range.about().to_owned().into();
    if come.is_empty() {
        return vec![
            "Computed once this section is open and the search is complete."
                .to_owned()
                .into(),
            about,
        ];
    }
    let style = LineStyle {
        even: true,
        ..LineStyle::default()
    };
    let lines = LineChart {
        style,
        ..charts::variants(range, come, now)
    };
    let takes = come
        .iter()
        .map(|variant| (place(&variant.change), taking(scenario, &variant.change)));
    let chart = Chart::new("variants", lines.title.clone(), ChartSpec::Lines(lines))
        .with_interaction(ChartInteraction::AppliesEdits(takes.collect()));
    let table = Table {
        name: TRIED[at],
        ..variant_table(come)
    };
    vec![chart.with_table(table).into(), about]
}

/// The scenario with these devices.
fn taking(scenario: &Scenario, change: &DeviceChange) -> Edit {
    let mut devices = scenario.split.devices.clone();
    match change {
        DeviceChange::Devices(count) => {
            let count = *count as usize;
            devices.truncate(count.max(1));
            while let (true, Some(last)) = (devices.len() < count, devices.last().cloned()) {
                let name = format!("D{}", devices.len() + 1);
                devices.push(Board { name, ..last });
            }
        }
        DeviceChange::LimitMib(limit) => devices
            .iter_mut()
            .for_each(|board| board.limit_mib = *limit),
        DeviceChange::Factors(factors) => {
            let all = devices.iter_mut().zip(factors);
            all.for_each(|(board, factor)| board.factor = *factor);
        }
    }
    Edit::of("/split/devices", written(&devices))
}
