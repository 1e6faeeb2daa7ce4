//! The tables of a cold-start answer: its timeline, a token, the comparison with simple splits, the sweep.

use super::{TimeParts, goal_name, is_whole};
use document::{Cell, Table, TableColumn};
use engine::plan::{Stage, StageDecode, StageTiming};
use engine::problem::ColdStart;
use engine::problem::device_name;
use planner::cold_start::{Answer, BaselineAnswer, evaluate, gain_pct};
use planner::cold_start_decode::DecodeAnswer;

/// Decimals of a time in seconds that a reader sees.
const S: usize = 4;
/// Decimals of a percentage beside published figures.
const PCT: usize = 2;

/// The plan in time, one row per stage in running order.
#[must_use]
pub fn timeline(problem: &ColdStart, answer: &Answer) -> Table {
    let rows = answer.timeline.iter().flatten();
    let mut table = Table {
        name: "timeline",
        title: "Timeline: one row per stage, in running order".to_owned(),
        columns: stage_columns(),
        rows: rows
            .map(|stage| stage_cells(device_name(problem, stage.device), stage))
            .collect(),
    };
    let energies = answer.timeline.iter().flatten().map(|stage| stage.load_j);
    if energies.clone().any(|joules| joules.is_some()) {
        table
            .columns
            .push(TableColumn::new("load_j", "load energy", "J"));
        for (row, joules) in table.rows.iter_mut().zip(energies) {
            row.push(Cell::maybe(joules, S));
        }
    }
    if let Some(decode) = &answer.decode {
        let has_reread = rereads(&decode.stages);
        table.columns.extend(token_columns(has_reread));
        for (row, stage) in table.rows.iter_mut().zip(&decode.stages) {
            row.extend(token_cells(stage, has_reread));
        }
    }
    table
}

/// The columns of a stage in time.
#[must_use]
pub fn stage_columns() -> Vec<TableColumn> {
    let columns = [
        ("device", "device", ""),
        ("first_layer", "first layer", ""),
        ("last_layer", "last layer", ""),
        ("load_s", "load", "s"),
        ("stall_s", "stall", "s"),
        ("wait_s", "wait", "s"),
        ("start_s", "start", "s"),
        ("transfer_s", "transfer", "s"),
        ("compute_s", "compute", "s"),
        ("finish_s", "finish", "s"),
        ("free_after_s", "free after", "s"),
        ("memory_b", "memory", "B"),
    ];
    columns
        .map(|(key, head, unit)| TableColumn::new(key, head, unit))
        .into()
}

/// The cells of a stage on a device with this name.
#[must_use]
pub fn stage_cells(device: String, s: &StageTiming) -> Vec<Cell> {
    let times = [
        s.load,
        s.stall,
        s.wait,
        s.start,
        s.comm,
        s.comp,
        s.finish,
        s.idle_after,
    ];
    let head = [Cell::Text(device), Cell::count(s.s), Cell::count(s.e)];
    let times = times.map(|time| Cell::Number(time, S));
    let memory = Cell::Number(s.mem, 0);
    head.into_iter().chain(times).chain([memory]).collect()
}

/// Ours beside the simple splits of the paper: when the first answer comes, what that time is made of, the whole answer where that
/// is the goal, and what ours gains by the goal over those that fit.
#[must_use]
pub fn comparison(problem: &ColdStart, answer: &Answer) -> Table {
    let columns = [
        ("plan", "plan", ""),
        ("layers", "layers", ""),
        ("first_answer_s", "first answer", "s"),
        ("stall_s", "waiting for weights", "s"),
        ("transfer_s", "transfer", "s"),
        ("compute_s", "compute", "s"),
        ("whole_answer_s", "whole answer", "s"),
        ("sooner_s", "Edgewise faster by", "s"),
        ("gain_pct", "gain", "%"),
        ("fits", "fits its memory", ""),
    ];
    let has_whole = is_whole(problem);
    let columns = columns
        .into_iter()
        .filter(|(key, ..)| has_whole || *key != "whole_answer_s");
    let row =
        |name: &str, (first, goal): (f64, f64), plan: &[Stage], fits: bool, ours: Option<f64>| {
            // Nothing is gained over a plan that cannot be run.
            let ours = ours.filter(|_| fits);
            let parts = evaluate(problem, plan)
                .ok()
                .map(|scored| TimeParts::of(&scored.timeline));
            let part = |of: fn(&TimeParts) -> f64| Cell::maybe(parts.as_ref().map(of), S);
            let mut cells = vec![
                Cell::text(name),
                Cell::text(route(problem, plan)),
                Cell::Number(first, S),
                part(|p| p.stall),
                part(|p| p.comm),
                part(|p| p.comp),
            ];
            cells.extend(has_whole.then_some(Cell::Number(goal, S)));
            cells.extend([
                Cell::maybe(ours.map(|ours| goal - ours), S),
                Cell::maybe(ours.map(|ours| gain_pct(goal, ours)), PCT),
                Cell::text(if fits { "yes" } else { "no" }),
            ]);
            cells
        };
    let ours = answer.T.zip(answer.objective).zip(answer.plan.as_ref());
    let ours = ours.map(|(times, plan)| row("Edgewise", times, plan, true, None));
    let baselines = &answer.baselines;
    let baselines = [
        ("Heuristic", &baselines.heuristic),
        ("Even", &baselines.even),
        ("Single, no memory limit", &baselines.single),
    ];
    Table {
        name: "comparison",
        title: format!("{} against simple splits", goal_name(problem)),
        columns: columns
            .map(|(key, head, unit)| TableColumn::new(key, head, unit))
            .collect(),
        rows: ours
            .into_iter()
            .chain(baselines.map(|(name, b)| {
                row(
                    name,
                    (b.T, b.objective()),
                    &b.plan,
                    b.mem_ok,
                    answer.objective,
                )
            }))
            .collect(),
    }
}

/// Answers over the values of one quantity `x` by the goal of the problem, in the given order; a value without an answer is
/// missing.
#[must_use]
pub fn sweep<'a>(
    problem: &ColdStart,
    x: TableColumn,
    decimals: usize,
    answers: impl IntoIterator<Item = (f64, Option<&'a Answer>)>,
) -> Table {
    let columns = [
        ("edgewise_s", "Edgewise", "s"),
        ("single_s", "single, no memory limit", "s"),
        ("gain_over_single_pct", "gain over single", "%"),
        ("even_s", "even", "s"),
        ("gain_over_even_pct", "gain over even", "%"),
        ("heuristic_s", "heuristic", "s"),
        ("gain_over_heuristic_pct", "gain over heuristic", "%"),
        ("ordered_s", "in strength order", "s"),
        ("gain_over_ordered_pct", "gain over strength order", "%"),
        ("best_baseline", "best that fits", ""),
        ("gain_over_best_pct", "gain over it", "%"),
        ("plan", "plan", ""),
        ("bound_s", "no plan below", "s"),
    ];
    let title = format!("{} over {}", goal_name(problem), x.head);
    let columns = columns.map(|(key, head, unit)| TableColumn::new(key, head, unit));
    let width = columns.len();
    let rows = answers.into_iter().map(|(at, answer)| {
        let mut cells = vec![Cell::Number(at, decimals)];
        let Some(answer) = answer else {
            cells.resize(1 + width, Cell::Missing);
            return cells;
        };
        cells.push(Cell::maybe(answer.objective, S));
        let named = answer.baselines.named().map(|(_, b)| Some(b));
        for base in named.into_iter().chain([answer.ordered.as_ref()]) {
            let gain = base
                .filter(|base| base.mem_ok)
                .zip(answer.objective)
                .map(|(base, total)| gain_pct(base.objective(), total));
            cells.push(Cell::maybe(base.map(BaselineAnswer::objective), S));
            cells.push(Cell::maybe(gain, PCT));
        }
        let named = |text: &Option<String>| text.clone().map_or(Cell::Missing, Cell::Text);
        cells.push(named(&answer.best_baseline));
        cells.push(Cell::maybe(answer.gain_vs_best_pct, PCT));
        cells.push(match &answer.plan {
            Some(plan) => Cell::Text(route(problem, plan)),
            None => Cell::Missing,
        });
        cells.push(Cell::maybe(answer.bound, S));
        cells
    });
    Table {
        name: "sweep",
        title,
        rows: rows.collect(),
        columns: std::iter::once(x).chain(columns).collect(),
    }
}

/// The devices of a plan in running order, each with its number of layers: `D3 7, D4 5`.
#[must_use]
pub fn route(problem: &ColdStart, plan: &[Stage]) -> String {
    let stages: Vec<String> = plan
        .iter()
        .map(|stage| format!("{} {}", device_name(problem, stage.device), stage.len()))
        .collect();
    stages.join(", ")
}

/// Decimals of a token's time in milliseconds.
const MS: usize = 3;

/// Column of the weights that are read from disk again for every token, where any are.
const REREAD: (&str, &str, &str) = ("token_reread_ms", "read again for a token", "ms");

/// Returns true if any stage has weights without room.
fn rereads(stages: &[StageDecode]) -> bool {
    stages.iter().any(|stage| stage.reread > 0.0)
}

/// The columns of a stage and one token.
fn token_columns(has_reread: bool) -> Vec<TableColumn> {
    let columns = [
        ("token_receive_ms", "receive a token", "ms"),
        ("token_compute_ms", "compute a token", "ms"),
        ("token_memory_ms", "read for a token", "ms"),
        ("token_fixed_ms", "fixed times of a token", "ms"),
        ("token_ms", "a token in all", "ms"),
        ("token_read_b", "bytes read", "B"),
        ("kv_b", "keys and values kept", "B"),
    ];
    let mut columns: Vec<TableColumn> = columns
        .map(|(key, head, unit)| TableColumn::new(key, head, unit))
        .into();
    if has_reread {
        let (key, head, unit) = REREAD;
        columns.push(TableColumn::new(key, head, unit));
    }
    columns
}

/// The cells of a stage and one token.
fn token_cells(s: &StageDecode, has_reread: bool) -> Vec<Cell> {
    let time = |seconds: f64| Cell::Number(1e3 * seconds, MS);
    let times = [s.receive, s.compute, s.memory, s.overhead, s.time].map(time);
    let sizes = [s.weights + s.kv_read, s.kv_held].map(|b| Cell::Number(b, 0));
    let reread = has_reread.then(|| time(s.reread));
    times.into_iter().chain(sizes).chain(reread).collect()
}

/// Every stage and one token, in running order.
#[must_use]
pub fn tokens(problem: &ColdStart, decode: &DecodeAnswer) -> Table {
    let mut columns = vec![TableColumn::new("device", "device", "")];
    let has_reread = rereads(&decode.stages);
    columns.extend(token_columns(has_reread));
    let row = |stage: &StageDecode| {
        let mut row = vec![Cell::Text(device_name(problem, stage.device))];
        row.extend(token_cells(stage, has_reread));
        row
    };
    Table {
        name: "tokens",
        title: "One token: one row per stage, in running order".to_owned(),
        columns,
        rows: decode.stages.iter().map(row).collect(),
    }
}
