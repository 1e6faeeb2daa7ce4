//! `run` for the operator-graph question, on links, scenario files and ONNX files.

use super::answer_format::{AnswerFormatter, SeenBy, json};
use super::args::OnnxArgs;
use super::console::Console;
use super::onnx::import;
use document::{Section, Table};
use engine::graph::Graph;
use engine::problem::{Code, Invalid};
use engine::scenario::fields::LONGEST_TITLE;
use engine::scenario::operators::{Choice, Scenario, Source, presets};
use planner::Status;
use planner::operator_order::draws;
use planner::operators::{
    Documented, OperatorsRequest, OperatorsResult, Plan, SplitDocument, answer, best,
};
use presenters::operators::order_table;
use presenters::operators::sections::{self, SplitFacts};
use std::cell::OnceCell;
use std::path::Path;

/// The scenario of an ONNX file: the least sum over steps, no limit.
///
/// # Errors
/// The file is invalid.
pub fn of_file(con: &Console<'_>, path: &Path, how: &OnnxArgs) -> Result<Scenario, Invalid> {
    with_file(con, &presets::paper(), path, how)
}

/// A scenario with the graph of a file.
fn with_file(
    con: &Console<'_>,
    scenario: &Scenario,
    path: &Path,
    how: &OnnxArgs,
) -> Result<Scenario, Invalid> {
    let imported = import(con, path, how)?;
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let source = Source {
        file: file
            .chars()
            .filter(|c| !c.is_control())
            .take(LONGEST_TITLE)
            .collect(),
        dims: how.dims.clone(),
        classifier: how.classifier,
    };
    let scenario = scenario.with_graph(source, imported.graph.document());
    scenario.validate().map(|()| scenario)
}

/// Returns the scenario with the graph read from the file that it refers to.
fn completed(con: &Console<'_>, scenario: &Scenario, path: &Path) -> Result<Scenario, Invalid> {
    let Choice::File(wanted) = &scenario.graph else {
        let message = "--onnx is for a link that only names its graph; this one contains it";
        return Err(Invalid::new(Code::Option, "", "", message));
    };
    let how = OnnxArgs {
        dims: wanted.source.dims.clone(),
        classifier: wanted.source.classifier,
    };
    let found = with_file(con, scenario, path, &how)?;
    let is_wanted = match &found.graph {
        Choice::Custom(custom) => scenario.is_wanted(&custom.graph),
        _ => None,
    };
    if is_wanted == Some(false) {
        let place = path.display().to_string();
        let message = format!(
            "{place} is not the graph of the link, which needs {:?} with its {} operators",
            wanted.source.file, wanted.ops
        );
        return Err(Invalid::new(Code::Link, "graph.file", place, message));
    }
    Ok(Scenario {
        title: scenario.title.clone(),
        ..found
    })
}

/// The plan, and the operators cut over devices once that is asked for.
struct Answered {
    scenario: Scenario,
    graph: Graph,
    plan: Plan,
    split: OnceCell<Result<Option<SplitFacts>, Invalid>>,
}

/// Answers a scenario, with the file that it asks for where one is given.
///
/// # Errors
/// The scenario is invalid.
pub fn answered(
    con: &Console<'_>,
    scenario: &Scenario,
    file: Option<&Path>,
) -> Result<impl AnswerFormatter + use<>, Invalid> {
    let scenario = match file {
        None => scenario.clone(),
        Some(path) => completed(con, scenario, path)?,
    };
    let graph = scenario.graph()?;
    match answer(&scenario, &OperatorsRequest::Plan, &mut |_, _, _| ())? {
        OperatorsResult::Plan(plan) => Ok(Answered {
            scenario,
            graph,
            plan: *plan,
            split: OnceCell::new(),
        }),
        _ => Err(Invalid::new(Code::Plan, "", "", "the answer has no plan")),
    }
}

impl Answered {
    fn split(&self) -> &Result<Option<SplitFacts>, Invalid> {
        self.split.get_or_init(|| split(&self.scenario, &self.plan))
    }
}

impl AnswerFormatter for Answered {
    fn status(&self) -> Status {
        self.plan.status
    }

    fn about(&self) -> Vec<String> {
        sections::about(&self.graph)
    }

    fn sections(&self) -> Result<Vec<Section>, Invalid> {
        let drawn = draws(
            &self.graph,
            self.scenario.draws.orders as u32,
            self.scenario.draws.first_seed as u64,
        );
        Ok(sections::sections(&sections::OperatorsFacts {
            scenario: &self.scenario,
            graph: &self.graph,
            plan: &self.plan,
            drawn: Some(&drawn),
            cuts: self.split().as_ref().map(Option::as_ref),
            variants: &[],
        }))
    }

    fn table(&self) -> Table {
        let ours = self.plan.ours.as_ref();
        ours.map_or_else(Table::default, |ours| order_table(&self.graph, ours))
    }

    fn document(&self, _: SeenBy<'_>) -> Result<Vec<u8>, Invalid> {
        let split = self.split();
        Ok(json(&Documented {
            scenario: &self.scenario,
            plan: &self.plan,
            split: split.iter().flatten().map(document).next(),
        }))
    }
}

/// Operators cut over devices, as files have them.
fn document(cuts: &SplitFacts) -> SplitDocument<'_> {
    SplitDocument {
        best: &cuts.best,
        bound_ms: cuts.splits.bound_ms,
        others: &cuts.splits.others,
        alone_ms: &cuts.splits.alone_ms,
    }
}

/// Cuts the operators in the order shown; a fault where the graph cannot be cut over these devices.
fn split(scenario: &Scenario, plan: &Plan) -> Result<Option<SplitFacts>, Invalid> {
    let Some(shown) = plan.ours.as_ref().or(plan.others.first()) else {
        return Ok(None);
    };
    let order = shown.order.clone();
    let known = answer(
        scenario,
        &OperatorsRequest::Splits { order },
        &mut |_, _, _| (),
    )?;
    let OperatorsResult::Splits(splits) = known else {
        return Ok(None);
    };
    let ask = |ask: OperatorsRequest| answer(scenario, &ask, &mut |_, _, _| ()).ok();
    let chains = (0..scenario.split.search.islands as u32).filter_map(|chain| {
        let order = shown.order.clone();
        match ask(OperatorsRequest::Chain { order, chain })? {
            OperatorsResult::Chain(chain) => Some(*chain),
            _ => None,
        }
    });
    let chains: Vec<_> = chains.collect();
    let all = chains.iter().map(|chain| &chain.best);
    let best = best(all.chain([&splits.start])).cloned();
    Ok(best.map(|best| SplitFacts {
        order: shown.order.clone(),
        splits: *splits,
        best,
        chains,
    }))
}
