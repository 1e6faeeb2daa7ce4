//! `solve` and `evaluate`: which kind of problem, which options it has, and who answers it.
//!
//! A new kind is a variant of [`ProblemKind`], an arm in each of the two functions here, a row in [`OPTIONS`] for every flag
//! of its own, and a file in `job/problem_file`.

use super::args::{Evaluate, InputArgs, Solve};
use super::console::Console;
use super::exit_code;
use super::stream::each;
use engine::graph::{Objective, Weights};
use engine::plan::{OperatorOrder, Partition, Pipeline, Placement, TierCuts};
use engine::problem::{Code, Invalid};
use engine::solve::{Limits, SearchEvent};
use planner::cold_start::ColdStartMethod;
use planner::problem_file::{
    Answered, Open, ProblemKind, cold_start, cold_start_front, dispatch, head_placement,
    head_placement_run, migration, operator_order, operator_partition, tiers_partition,
    tiers_schedule, tiers_simulate,
};
use planner::tiers_partition as tiers;
use serde_json::Value;
use std::io;
use std::path::Path;
use std::time::Duration;

/// Flags that only some kinds have. `--method` is not here: every kind has it, with names of its own.
pub(super) const OPTIONS: &[(&str, &[ProblemKind])] = &[
    (
        "--heuristic",
        &[ProblemKind::ColdStart, ProblemKind::ColdStartFront],
    ),
    (
        "--relay",
        &[ProblemKind::ColdStart, ProblemKind::ColdStartFront],
    ),
    ("--variant", &[ProblemKind::HeadPlacement]),
    ("--eps", &[ProblemKind::TiersPartition]),
    (
        "--objective",
        &[ProblemKind::TiersPartition, ProblemKind::OperatorOrder],
    ),
    ("--weights", &[ProblemKind::OperatorOrder]),
    (
        "--dim",
        &[ProblemKind::OperatorOrder, ProblemKind::OperatorPartition],
    ),
    (
        "--classifier",
        &[ProblemKind::OperatorOrder, ProblemKind::OperatorPartition],
    ),
    ("--allow-empty", &[ProblemKind::TiersPartition]),
    ("--islands", &[ProblemKind::OperatorPartition]),
    ("--population", &[ProblemKind::OperatorPartition]),
    ("--generations", &[ProblemKind::OperatorPartition]),
    ("--patience", &[ProblemKind::OperatorPartition]),
    ("--first", &[ProblemKind::OperatorPartition]),
    ("--max-events", &[ProblemKind::TiersSimulate]),
];

/// Returns the allowed names of `--method`, `--objective` or `--weights` for a kind of problem. `None` if the kind does not have
/// the flag, or if the flag has the same values for every kind.
pub(super) fn names(flag: &str, kind: ProblemKind) -> Option<Vec<&'static str>> {
    use planner::head_placement::Method as Heads;
    let methods = |all: &[&'static str]| (flag == "--method").then(|| all.to_vec());
    match (flag, kind) {
        (_, ProblemKind::ColdStart) => methods(&ColdStartMethod::ALL.map(ColdStartMethod::name)),
        (_, ProblemKind::HeadPlacement) => methods(&Heads::ALL.map(Heads::name)),
        ("--objective", ProblemKind::TiersPartition) => {
            Some(TIERS_OBJECTIVES.map(|(name, _)| name).into())
        }
        (_, ProblemKind::TiersPartition) => {
            methods(&tiers_partition::Method::ALL.map(tiers_partition::Method::name))
        }
        ("--objective", ProblemKind::OperatorOrder) => {
            Some(Objective::ALL.map(Objective::name).into())
        }
        ("--weights", ProblemKind::OperatorOrder) => Some(Weights::ALL.map(Weights::name).into()),
        (_, ProblemKind::OperatorOrder) => {
            methods(&operator_order::Method::ALL.map(operator_order::Method::name))
        }
        (_, ProblemKind::OperatorPartition) => {
            methods(&operator_partition::Method::ALL.map(operator_partition::Method::name))
        }
        _ => None,
    }
}

/// Objectives of a split over tiers.
const TIERS_OBJECTIVES: [(&str, tiers::Objective); 2] = [
    ("max", tiers::Objective::Max),
    ("sum", tiers::Objective::Sum),
];

/// Finds plans.
pub fn solve(con: &Console<'_>, args: &Solve) -> io::Result<u8> {
    let given = [
        ("--heuristic", args.heuristic.is_some()),
        ("--relay", args.input.relay.is_some()),
        ("--variant", args.variant.is_some()),
        ("--eps", args.eps.is_some()),
        ("--objective", args.objective.is_some()),
        ("--weights", args.weights.is_some()),
        ("--allow-empty", args.input.allow_empty),
        ("--max-events", args.max_events.is_some()),
        ("--dim", !args.input.onnx.dims.is_empty()),
        ("--classifier", args.input.onnx.classifier),
        ("--islands", args.genetic.islands.is_some()),
        ("--population", args.genetic.population.is_some()),
        ("--generations", args.genetic.generations.is_some()),
        ("--patience", args.genetic.patience.is_some()),
        ("--first", args.genetic.first.is_some()),
    ];
    if let Err(fault) = belong(args.input.kind, &given) {
        return con.write_fault(&fault, true);
    }
    match args.input.kind {
        ProblemKind::ColdStart => solve_cold_start(con, args),
        ProblemKind::ColdStartFront => match no_method(args) {
            Ok(()) => solve_cold_start_front(con, args),
            Err(fault) => con.write_fault(&fault, true),
        },
        ProblemKind::HeadPlacement => solve_head_placement(con, args),
        ProblemKind::HeadPlacementRun => match no_method(args) {
            Ok(()) => solve_head_placement_run(con, args),
            Err(fault) => con.write_fault(&fault, true),
        },
        ProblemKind::Dispatch => match no_method(args) {
            Ok(()) => each(con, &args.input, dispatch::solve),
            Err(fault) => con.write_fault(&fault, true),
        },
        ProblemKind::TiersPartition => solve_tiers_partition(con, args),
        ProblemKind::TiersSchedule => match no_method(args) {
            Ok(()) => each(con, &args.input, tiers_schedule::solve),
            Err(fault) => con.write_fault(&fault, true),
        },
        ProblemKind::TiersSimulate => match no_method(args) {
            Ok(()) => solve_tiers_simulate(con, args),
            Err(fault) => con.write_fault(&fault, true),
        },
        ProblemKind::Migration => match no_method(args) {
            Ok(()) => each(con, &args.input, migration::solve),
            Err(fault) => con.write_fault(&fault, true),
        },
        ProblemKind::OperatorOrder => solve_operator_order(con, args),
        ProblemKind::OperatorPartition => solve_operator_partition(con, args),
    }
}

/// Scores given plans.
pub fn evaluate(con: &Console<'_>, args: &Evaluate) -> io::Result<u8> {
    let given = [
        ("--relay", args.input.relay.is_some()),
        ("--allow-empty", args.input.allow_empty),
        ("--dim", !args.input.onnx.dims.is_empty()),
        ("--classifier", args.input.onnx.classifier),
    ];
    if let Err(fault) = belong(args.input.kind, &given) {
        return con.write_fault(&fault, true);
    }
    match args.input.kind {
        ProblemKind::ColdStart => {
            let options = cold_start::ColdStartOptions {
                relay: args.input.relay.map(Into::into).unwrap_or_default(),
                ..cold_start::ColdStartOptions::default()
            };
            each(con, &args.input, |text| cold_start::score(text, &options))
        }
        ProblemKind::HeadPlacement => each(con, &args.input, head_placement::score),
        ProblemKind::TiersPartition => {
            let empty = args.input.allow_empty;
            each(con, &args.input, |text| tiers_partition::score(text, empty))
        }
        ProblemKind::OperatorOrder => evaluate_graph(con, args, "order", operator_order::score),
        ProblemKind::OperatorPartition => evaluate_graph(con, args, "X", operator_partition::score),
        kind @ (ProblemKind::ColdStartFront
        | ProblemKind::HeadPlacementRun
        | ProblemKind::Dispatch
        | ProblemKind::Migration
        | ProblemKind::TiersSchedule
        | ProblemKind::TiersSimulate) => {
            let message = format!("{} has no plan to evaluate: use solve", kind.name());
            con.write_fault(&option_fault(message), true)
        }
    }
}

fn solve_cold_start(con: &Console<'_>, args: &Solve) -> io::Result<u8> {
    let method = match method(args, &ColdStartMethod::ALL.map(|m| (m.name(), m))) {
        Ok(method) => method,
        Err(fault) => return con.write_fault(&fault, true),
    };
    let options = cold_start::ColdStartOptions {
        method: method.unwrap_or_default(),
        heuristic: args.heuristic.unwrap_or_default(),
        relay: args.input.relay.map(Into::into).unwrap_or_default(),
        limits: limits(args),
    };
    each(con, &args.input, |text| {
        let mut watch = con.watch(time_limit(args));
        let mut listen = |event: SearchEvent<'_, Pipeline>| watch.on_event(event);
        cold_start::solve(text, &options, &mut listen)
    })
}

fn solve_cold_start_front(con: &Console<'_>, args: &Solve) -> io::Result<u8> {
    let options = cold_start::ColdStartOptions {
        heuristic: args.heuristic.unwrap_or_default(),
        relay: args.input.relay.map(Into::into).unwrap_or_default(),
        limits: limits(args),
        ..cold_start::ColdStartOptions::default()
    };
    each(con, &args.input, |text| {
        let mut watch = con.watch(time_limit(args));
        cold_start_front::solve(text, &options, &mut |_| watch.look())
    })
}

fn solve_head_placement(con: &Console<'_>, args: &Solve) -> io::Result<u8> {
    use planner::head_placement::Method;
    let options = method(args, &Method::ALL.map(|m| (m.name(), m)))
        .and_then(|method| head_placement::options(method, args.variant));
    let options = match options {
        Ok(options) => options,
        Err(fault) => return con.write_fault(&fault, true),
    };
    each(con, &args.input, |text| {
        let mut watch = con.watch(time_limit(args));
        let mut listen = |event: SearchEvent<'_, Placement>| watch.on_event(event);
        head_placement::solve(text, &options, &mut listen)
    })
}

fn solve_head_placement_run(con: &Console<'_>, args: &Solve) -> io::Result<u8> {
    each(con, &args.input, |text| {
        let mut watch = con.watch(time_limit(args));
        let mut listen = |event: SearchEvent<'_, ()>| watch.on_event(event);
        head_placement_run::solve(text, &mut listen)
    })
}

fn solve_tiers_partition(con: &Console<'_>, args: &Solve) -> io::Result<u8> {
    use tiers_partition::{EPS, Method, TiersPartitionOptions, check};
    let options = method(args, &Method::ALL.map(|m| (m.name(), m))).and_then(|method| {
        let options = TiersPartitionOptions {
            method: method.unwrap_or_default(),
            objective: objective(args, &TIERS_OBJECTIVES)?.unwrap_or_default(),
            eps: args.eps.unwrap_or(EPS),
            limits: limits(args),
        };
        check(&options).map(|()| options)
    });
    let options = match options {
        Ok(options) => options,
        Err(fault) => return con.write_fault(&fault, true),
    };
    each(con, &args.input, |text| {
        let mut watch = con.watch(time_limit(args));
        let mut listen = |event: SearchEvent<'_, TierCuts>| watch.on_event(event);
        tiers_partition::solve(text, &options, args.input.allow_empty, &mut listen)
    })
}

fn solve_tiers_simulate(con: &Console<'_>, args: &Solve) -> io::Result<u8> {
    each(con, &args.input, |text| {
        let mut watch = con.watch(time_limit(args));
        let mut listen = |event: SearchEvent<'_, ()>| watch.on_event(event);
        tiers_simulate::solve(text, &limits(args), &mut listen)
    })
}

fn solve_operator_order(con: &Console<'_>, args: &Solve) -> io::Result<u8> {
    use operator_order::{Method, OrderOptions};
    let methods = Method::ALL.map(|m| (m.name(), m));
    let objectives = Objective::ALL.map(|one| (one.name(), one));
    let rules = Weights::ALL.map(|rule| (rule.name(), rule));
    let options = method(args, &methods).and_then(|method| {
        let objective = objective(args, &objectives)?;
        let options = OrderOptions {
            method: method.unwrap_or_default(),
            objective: objective.unwrap_or_default(),
            limits: limits(args),
        };
        let weights = one_of("--weights <RULE>", args.weights.as_deref(), args, &rules)?;
        Ok((options, weights))
    });
    let (options, weights) = match options {
        Ok(options) => options,
        Err(fault) => return con.write_fault(&fault, true),
    };
    if let Some(path) = onnx_path(&args.input) {
        let graph = super::onnx::import(con, path, &args.input.onnx)
            .and_then(|imported| imported.graph.with_weights(weights.unwrap_or_default()));
        let graph = match graph {
            Ok(graph) => graph,
            Err(fault) => return con.write_fault(&fault, true),
        };
        let mut watch = con.watch(time_limit(args));
        let mut listen = |event: SearchEvent<'_, OperatorOrder>| watch.on_event(event);
        let output = operator_order::of_graph(&graph, &options, &mut listen);
        con.print_json(&output)?;
        return Ok(exit_code(output.status()));
    }
    if !args.input.onnx.is_empty() {
        let message = "--dim and --classifier are for ONNX files, and the input is not one";
        return con.write_fault(&option_fault(message.to_owned()), true);
    }
    if weights.is_some() {
        let message = "--weights is for ONNX files; a document says it in its field weights";
        return con.write_fault(&option_fault(message.to_owned()), true);
    }
    each(con, &args.input, |text| {
        let mut watch = con.watch(time_limit(args));
        let mut listen = |event: SearchEvent<'_, OperatorOrder>| watch.on_event(event);
        operator_order::solve(text, &options, &mut listen)
    })
}

fn solve_operator_partition(con: &Console<'_>, args: &Solve) -> io::Result<u8> {
    use operator_partition::{Genetic, Method, PartitionOptions};
    let genetic = Genetic {
        islands: args.genetic.islands,
        population: args.genetic.population,
        generations: args.genetic.generations,
        patience: args.genetic.patience,
        first: args.genetic.first,
    };
    let options =
        method(args, &Method::ALL.map(|m| (m.name(), m))).map(|method| PartitionOptions {
            method: method.unwrap_or(Method::Best),
            limits: limits(args),
            threads: args.threads,
            genetic,
        });
    let options = match options {
        Ok(options) => options,
        Err(fault) => return con.write_fault(&fault, true),
    };
    if let Some(path) = onnx_path(&args.input) {
        let output = super::onnx::import(con, path, &args.input.onnx).and_then(|imported| {
            let mut watch = con.watch(time_limit(args));
            let mut listen = |event: SearchEvent<'_, Partition>| watch.on_event(event);
            operator_partition::of_graph(&imported.graph, &options, &mut listen)
        });
        return match output {
            Ok(output) => {
                con.print_json(&output)?;
                Ok(exit_code(output.status()))
            }
            Err(fault) => con.write_fault(&fault, true),
        };
    }
    each(con, &args.input, |text| {
        let mut watch = con.watch(time_limit(args));
        let mut listen = |event: SearchEvent<'_, Partition>| watch.on_event(event);
        with_named_onnx(con, &args.input, |open| {
            operator_partition::solve(text, &options, open, &mut listen)
        })
    })
}

/// Scores what documents give in a field, on the graphs that they hold or name.
fn evaluate_graph<A: Answered>(
    con: &Console<'_>,
    args: &Evaluate,
    field: &str,
    score: impl Fn(&str, Open<'_>) -> Result<A, Invalid>,
) -> io::Result<u8> {
    if let Some(path) = onnx_path(&args.input) {
        let message = format!(
            "{} holds a graph and nothing to score: evaluate takes a problem file that names it in \"onnx\", with \"{field}\"",
            path.display()
        );
        return con.write_fault(&option_fault(message), true);
    }
    each(con, &args.input, |text| {
        with_named_onnx(con, &args.input, |open| score(text, open))
    })
}

/// Answers a document that may name an ONNX file, whose path is seen from the folder of the document.
fn with_named_onnx<A>(
    con: &Console<'_>,
    input: &InputArgs,
    answer: impl FnOnce(Open<'_>) -> Result<A, Invalid>,
) -> Result<A, Invalid> {
    let mut opened = false;
    let mut open = |path: &str| {
        opened = true;
        let folder = input.file.as_deref().and_then(Path::parent);
        let place = folder.map_or_else(|| Path::new(path).to_owned(), |folder| folder.join(path));
        let imported = super::onnx::import(con, &place, &input.onnx);
        let graph = imported.map(|imported| imported.graph);
        graph.map_err(|fault| Invalid {
            path: "onnx".to_owned(),
            ..fault
        })
    };
    let answered = answer(&mut open)?;
    if opened || input.onnx.is_empty() {
        return Ok(answered);
    }
    let message = "--dim and --classifier are for ONNX files, and the input is not one";
    Err(option_fault(message.to_owned()))
}

/// The ONNX file that is given instead of a problem file.
fn onnx_path(input: &InputArgs) -> Option<&Path> {
    let path = input.file.as_deref()?;
    super::onnx::is_onnx(path).then_some(path)
}

/// Refuses `--method` where the document says all there is to say.
fn no_method(args: &Solve) -> Result<(), Invalid> {
    match args.method {
        None => Ok(()),
        Some(_) => {
            let kind = args.input.kind;
            let why = match kind {
                ProblemKind::HeadPlacementRun => "whose documents name the method",
                ProblemKind::Dispatch => "which returns all policies at once",
                _ => "which has only one method",
            };
            let name = kind.name();
            let message = format!("--method is not an option of {name}, {why}");
            Err(option_fault(message))
        }
    }
}

fn limits(args: &Solve) -> Limits {
    Limits {
        steps: args.max_events,
        seed: args.seed,
        threads: args.threads,
        memory: args
            .memory_limit
            .map(|megabytes| megabytes.saturating_mul(1_000_000)),
    }
}

/// How long a search may take.
fn time_limit(args: &Solve) -> Option<Duration> {
    // Longer than a Duration can say is as good as no limit.
    args.time_limit
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

/// The method that was asked for, if any was; `all` are those that the kind has.
fn method<M: Copy>(args: &Solve, all: &[(&str, M)]) -> Result<Option<M>, Invalid> {
    one_of("--method <METHOD>", args.method.as_deref(), args, all)
}

/// The objective that was asked for, if any was.
fn objective<M: Copy>(args: &Solve, all: &[(&str, M)]) -> Result<Option<M>, Invalid> {
    one_of(
        "--objective <OBJECTIVE>",
        args.objective.as_deref(),
        args,
        all,
    )
}

/// Finds the value of a flag among those that the kind has.
fn one_of<M: Copy>(
    flag: &str,
    given: Option<&str>,
    args: &Solve,
    all: &[(&str, M)],
) -> Result<Option<M>, Invalid> {
    let Some(given) = given else {
        return Ok(None);
    };
    let found = all.iter().find(|(name, _)| *name == given);
    found.map(|(_, method)| Some(*method)).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        option_fault(format!(
            "invalid value '{given}' for '{flag}': for {} it must be one of {}",
            args.input.kind.name(),
            names.join(", ")
        ))
    })
}

/// Refuses a flag that was given to a kind that does not have it: it would change nothing.
fn belong(kind: ProblemKind, given: &[(&str, bool)]) -> Result<(), Invalid> {
    for (flag, kinds) in OPTIONS {
        let is_given = given.iter().any(|(name, given)| name == flag && *given);
        if is_given && !kinds.contains(&kind) {
            let owners: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            return Err(option_fault(format!(
                "{flag} is not an option of {}; it is for {}",
                kind.name(),
                owners.join(", ")
            )));
        }
    }
    Ok(())
}

fn option_fault(message: String) -> Invalid {
    Invalid::new(Code::Option, "", Value::Null, message)
}
