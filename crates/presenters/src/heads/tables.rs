//! The tables of an answer about attention heads: tokens, moves, devices, rules, changes, layers.

use super::{block_name, change_words, device_name, rule_name};
use chart::interval_begin;
use document::{Cell, Table, TableColumn};
use engine::evaluate::heads::score;
use engine::plan::HeadRunSummary;
use engine::scenario::heads::Scenario;
use planner::heads::{HeadsPlan, HeadsVariant, Layers, RunSetting, Track, ffn_hosts};
use planner::heads_compared::PlanClass;
use planner::heads_run::{Comparison, Distribution};

/// Decimals of ratios that a reader sees.
const RATIO: usize = 3;

/// Every token of a run: its parts, and what they add up to.
#[must_use]
pub fn tokens(planned: &HeadsPlan) -> Table {
    let columns = [
        ("token", "token", ""),
        ("head_stage_s", "head stage", "s"),
        ("projection_s", "projection", "s"),
        ("transfer_s", "transfer", "s"),
        ("ffn_s", "FFN", "s"),
        ("moving_s", "moving", "s"),
        ("elapsed_s", "elapsed", "s"),
        ("largest_memory_mb", "largest memory of a device", "MB"),
    ];
    let times = &planned.times;
    let rows = (0..times.elapsed.len()).map(|at| {
        let second = |list: &[f64]| Cell::Number(list[at], 4);
        vec![
            Cell::count(at + 1),
            second(&times.head_stage),
            second(&times.proj),
            second(&times.transfer),
            second(&times.ffn),
            second(&times.moving),
            second(&times.elapsed),
            Cell::Number(times.peak_memory[at] / 1e6, 2),
        ]
    });
    table("tokens", "Time per token", &columns, rows.collect())
}

/// Every move of a run.
#[must_use]
pub fn moves(scenario: &Scenario, planned: &HeadsPlan) -> Table {
    let columns = [
        ("token", "before token", ""),
        ("block", "block", ""),
        ("from", "from", ""),
        ("to", "to", ""),
        ("megabytes", "size", "MB"),
        ("seconds", "time", "s"),
    ];
    let rows = planned.moves.iter().map(|m| {
        let name = |device: usize| device_name(scenario, planned.places[device]);
        vec![
            Cell::count(m.token as usize),
            Cell::text(block_name(scenario, m.block)),
            Cell::text(name(m.from)),
            Cell::text(name(m.to)),
            Cell::Number(m.bytes / 1e6, 3),
            Cell::Number(m.seconds, 4),
        ]
    });
    table("moves", "Moves", &columns, rows.collect())
}

/// Returns the memory and work of each device.
#[must_use]
pub fn devices(scenario: &Scenario, planned: &HeadsPlan) -> Table {
    let columns = [
        ("device", "device", ""),
        ("compute_gops", "compute", "Gop/s"),
        ("memory_gb", "memory", "GB"),
        ("heads_first", "heads at token 1", ""),
        ("heads_last", "heads at the end", ""),
        ("ffn_share_pct", "FFN", "% of tokens"),
        ("busy_s", "computing", "s"),
        ("busy_pct", "of the run", "%"),
        ("largest_memory_mb", "largest memory", "MB"),
    ];
    let count = planned.places.len();
    let heads_at = |segment: Option<&engine::plan::HeadSegment>| {
        segment.map_or_else(|| vec![0; count], |s| s.layout.heads_on(count))
    };
    let (first, last) = (
        heads_at(planned.segments.first()),
        heads_at(planned.segments.last()),
    );
    let hosts = ffn_hosts(planned);
    let done = planned.times.elapsed.len().max(1) as f64;
    let total = planned.summary.seconds;
    let rows = planned.places.iter().enumerate().map(|(at, listed)| {
        let device = &scenario.devices[*listed];
        let ffn = hosts.iter().find(|(device, _)| *device == at);
        let used = planned.devices.get(at).copied().unwrap_or_default();
        vec![
            Cell::text(device_name(scenario, *listed)),
            Cell::Number(device.compute_gops, 1),
            Cell::Number(device.memory_gb, 2),
            Cell::count(first[at]),
            Cell::count(last[at]),
            Cell::Number(ffn.map_or(0.0, |(_, n)| 100.0 * *n as f64 / done), 1),
            Cell::Number(used.busy, 2),
            Cell::Number(100.0 * used.busy / total.max(f64::MIN_POSITIVE), 1),
            Cell::Number(used.peak_memory / 1e6, 2),
        ]
    });
    table("devices", "Devices over the run", &columns, rows.collect())
}

/// Every rule over all draws that have come. A figure is the mean over the draws that a rule came through, and a ratio
/// that over the draws that ours came through as well, each draw beside itself.
#[must_use]
pub fn comparison(drawn: &Comparison) -> Table {
    let columns = [
        ("rule", "rule", ""),
        ("mean_s", "mean", "s"),
        ("least_s", "min", "s"),
        ("most_s", "max", "s"),
        ("to_ours", "\u{d7} ours", ""),
        ("moves", "moves", ""),
        ("moving_s", "moving", "s"),
        ("largest_memory_mb", "largest memory", "MB"),
        ("without_plan", "intervals without a placement", ""),
        ("over_memory", "intervals over memory", ""),
        ("failed", "runs that failed", ""),
        ("blocks", "blocks", ""),
    ];
    let rows = drawn.strategies().iter().enumerate().map(|(at, rule)| {
        let seconds = drawn.seconds(at).map(|seconds| seconds.spread);
        let mean = |found: Option<Distribution>, decimals| {
            Cell::maybe(found.map(|found| found.spread.mean), decimals)
        };
        let mean_of =
            |part: fn(&HeadRunSummary) -> f64, decimals| mean(drawn.figure(at, part), decimals);
        vec![
            Cell::text(rule_name(*rule)),
            Cell::maybe(seconds.map(|s| s.mean), 1),
            Cell::maybe(seconds.map(|s| s.min), 1),
            Cell::maybe(seconds.map(|s| s.max), 1),
            mean(drawn.ratio(at, 0), RATIO),
            mean(drawn.moves(at), 1),
            mean_of(|sum| sum.moving, 2),
            mean_of(|sum| sum.peak_memory / 1e6, 2),
            mean_of(|sum| f64::from(sum.without_plan), 1),
            mean_of(|sum| f64::from(sum.violations), 1),
            Cell::count(drawn.failed(at)),
            Cell::text(match PlanClass::of(rule) {
                PlanClass::WholeBlocks => "whole",
                PlanClass::SplitBlocks => "split, not ranked",
            }),
        ]
    });
    let title = match drawn.seeds().len() {
        1 => "Rules on one draw".to_owned(),
        n => format!("Rules over {n} draws"),
    };
    let rows = match drawn.seeds() {
        [] => Vec::new(),
        _ => rows.collect(),
    };
    table("comparison", &title, &columns, rows)
}

fn table(
    name: &'static str,
    title: &str,
    columns: &[(&'static str, &str, &'static str)],
    rows: Vec<Vec<Cell>>,
) -> Table {
    Table {
        name,
        title: title.to_owned(),
        columns: columns
            .iter()
            .map(|(key, head, unit)| TableColumn::new(key, *head, unit))
            .collect(),
        rows,
    }
}

/// Returns the work of each device at a token, a row for each device of the plan; `None` if the token has no placement of whole
/// blocks.
#[must_use]
pub fn at_token(
    scenario: &Scenario,
    planned: &HeadsPlan,
    setting: &RunSetting,
    token: u32,
) -> Option<Table> {
    let placement = planned.segment(token)?.layout.placement()?;
    let begin = interval_begin(token as usize, setting.each() as usize) as u32;
    let before = planned.segment(begin - 1);
    let prev = before.and_then(|segment| segment.layout.placement());
    let problem = setting.problem_at(token, prev.cloned()).ok()??;
    let scored = score(&problem, placement).ok()?;
    let heads = problem.heads();
    let columns = [
        ("device", "device", ""),
        ("heads", "heads", ""),
        ("also", "also", ""),
        ("free_gops", "free compute", "Gop/s"),
        ("input_ms", "input", "ms"),
        ("heads_ms", "heads", "ms"),
        ("outputs_ms", "outputs", "ms"),
        ("stage_ms", "head stage", "ms"),
        ("memory_mb", "memory used", "MB"),
        ("free_mb", "memory free", "MB"),
    ];
    let rows = planned.places.iter().enumerate().map(|(at, listed)| {
        let stage = scored.stages.iter().find(|stage| stage.device == at);
        let ms = |time: Option<f64>| Cell::maybe(time.map(|t| 1e3 * t), 2);
        let also = match (placement[heads] == at, placement[heads + 1] == at) {
            (true, true) => "projection, FFN",
            (true, false) => "projection",
            (false, true) => "FFN",
            (false, false) => "",
        };
        vec![
            Cell::text(device_name(scenario, *listed)),
            Cell::count(stage.map_or(0, |stage| stage.heads)),
            Cell::text(also),
            Cell::Number(problem.compute()[at] / 1e9, 2),
            ms(stage.map(|stage| stage.input)),
            ms(stage.map(|stage| stage.compute)),
            ms(stage.map(|stage| stage.output)),
            ms(stage.map(|stage| stage.total())),
            Cell::Number(scored.memory_use[at] / 1e6, 2),
            Cell::Number(problem.memory()[at] / 1e6, 0),
        ]
    });
    let title = format!("Devices at token {token}");
    Some(table("at-token", &title, &columns, rows.collect()))
}

/// Returns the savings of each change.
#[must_use]
pub fn changes(
    scenario: &Scenario,
    planned: &HeadsPlan,
    found: &[(HeadsVariant, Option<HeadRunSummary>)],
) -> Table {
    let columns = [
        ("change", "if you had", ""),
        ("seconds", "the answer takes", "s"),
        ("sooner_s", "faster by", "s"),
        ("sooner_pct", "faster by", "%"),
    ];
    let ours = planned.summary.seconds;
    let rows = found.iter().map(|(instead, summary)| {
        let seconds = summary
            .filter(|sum| sum.failed_at.is_none())
            .map(|sum| sum.seconds);
        vec![
            Cell::text(change_words(scenario, *instead)),
            Cell::maybe(seconds, 1),
            Cell::maybe(seconds.map(|s| ours - s), 1),
            Cell::maybe(seconds.map(|s| 100.0 * (ours - s) / ours), 1),
        ]
    });
    table("changes", "What would help", &columns, rows.collect())
}

/// Where each layer is placed.
#[must_use]
pub fn layers_table(scenario: &Scenario, planned: &HeadsPlan, layers: &Layers) -> Table {
    let columns = [
        ("layer", "layer", ""),
        ("projection", "projection", ""),
        ("ffn", "FFN", ""),
        ("heads", "heads", ""),
    ];
    let name = |device: usize| {
        let listed = planned.places.get(device);
        listed.map_or_else(String::new, |at| device_name(scenario, *at))
    };
    let rows = layers.placements.iter().enumerate().map(|(at, placement)| {
        let heads = placement.len().saturating_sub(2);
        let mut on = vec![0_usize; planned.places.len()];
        for device in &placement[..heads] {
            on[*device] += 1;
        }
        let held = on.iter().enumerate().filter(|(_, n)| **n > 0);
        let held: Vec<String> = held.map(|(at, n)| format!("{} {n}", name(at))).collect();
        vec![
            Cell::count(at + 1),
            Cell::text(name(placement[heads])),
            Cell::text(name(placement[heads + 1])),
            Cell::text(held.join(", ")),
        ]
    });
    table("layers", "Several layers", &columns, rows.collect())
}

/// How far every choice of every rule was from the optimum.
#[must_use]
pub fn gaps(tracks: &[Track]) -> Table {
    let columns = [
        ("rule", "rule", ""),
        ("token", "token", ""),
        ("times_the_optimum", "J over the least J", ""),
    ];
    let rows = tracks.iter().flat_map(|track| {
        let name = rule_name(track.strategy);
        track.gaps.iter().map(move |gap| {
            vec![
                Cell::text(name.clone()),
                Cell::count(gap.n as usize),
                Cell::Number(gap.ratio, 4),
            ]
        })
    });
    table(
        "to-the-optimum",
        "Choices compared with the optimum",
        &columns,
        rows.collect(),
    )
}

/// Returns the results of other rules on the devices of the scenario, and the distance of their choices from the best ones.
#[must_use]
pub fn tracks_table(tracks: &[Track]) -> Table {
    let columns = [
        ("rule", "rule", ""),
        ("seconds", "all tokens", "s"),
        ("largest_memory_mb", "largest memory", "MB"),
        ("mean_ratio", "J over the least J, mean", ""),
        ("worst_ratio", "worst", ""),
    ];
    let rows = tracks.iter().map(|track| {
        let count = track.gaps.len() as f64;
        // A split layer is no placement to compare with the best one.
        let has_gaps = count > 0.0 && !track.strategy.splits_blocks();
        let ratios = || track.gaps.iter().map(|gap| gap.ratio);
        vec![
            Cell::text(rule_name(track.strategy)),
            Cell::Number(track.summary.seconds, 1),
            Cell::Number(track.summary.peak_memory / 1e6, 2),
            Cell::maybe(has_gaps.then(|| ratios().sum::<f64>() / count), RATIO),
            Cell::maybe(has_gaps.then(|| ratios().fold(0.0, f64::max)), RATIO),
        ]
    });
    table(
        "rules-over-tokens",
        "Rules over the tokens",
        &columns,
        rows.collect(),
    )
}
