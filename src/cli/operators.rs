//! `run` for the operator-graph question, on links, scenario files and ONNX files.

use super::args::{Format, Onnx, Run};
use super::console::Console;
use super::exit_code;
use super::onnx::import;
use engine::graph::Graph;
use engine::plan::Order;
use engine::problem::{Code, Invalid};
use engine::scenario::fields::LONGEST_TITLE;
use engine::scenario::operators::{Choice, Scenario, Source, presets};
use job::operator_order::draws;
use job::operators::{
    Answer, Ask, Cut, Documented, Plan, Room, SplitDocument, Splits, answer, best,
};
use report::operators::{
    SplitTold, arena_words, comparison, device_table, kinds, order_table, split_comparison,
    split_words, words,
};
use report::table::Table;
use std::io;
use std::path::Path;

/// The scenario of an ONNX file: the least sum over steps, no limit.
///
/// # Errors
/// What is wrong with the file.
pub fn of_file(con: &Console<'_>, path: &Path, how: &Onnx) -> Result<Scenario, Invalid> {
    with_file(con, &presets::paper(), path, how)
}

/// A scenario with the graph of a file.
fn with_file(
    con: &Console<'_>,
    scenario: &Scenario,
    path: &Path,
    how: &Onnx,
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

/// The same scenario with the file that it asks for, read as it says.
fn completed(con: &Console<'_>, scenario: &Scenario, path: &Path) -> Result<Scenario, Invalid> {
    let Choice::File(wanted) = &scenario.graph else {
        let message = "--onnx is for a link that only names its graph; this one contains it";
        return Err(Invalid::new(Code::Option, "", "", message));
    };
    let how = Onnx {
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

/// Answers a scenario.
pub fn run(con: &Console<'_>, scenario: &Scenario, link: &str, args: &Run) -> io::Result<u8> {
    let as_json = args.format == Format::Json;
    let complete = match &args.onnx_file {
        None => Ok(scenario.clone()),
        Some(path) => completed(con, scenario, path),
    };
    let found = complete.and_then(|scenario| {
        let graph = scenario.graph()?;
        match answer(&scenario, &Ask::Plan, &mut |_, _, _| ())? {
            Answer::Plan(plan) => Ok((scenario, graph, *plan)),
            _ => Err(Invalid::new(Code::Plan, "", "", "the answer has no plan")),
        }
    });
    let (scenario, graph, plan) = match found {
        Ok(found) => found,
        Err(fault) => return con.write_fault(&fault, as_json),
    };
    let split = match args.format {
        Format::Json | Format::Text => split(&scenario, &plan),
        Format::Csv | Format::Trace | Format::Flags => Ok(None),
    };
    match args.format {
        Format::Json => con.print_json(&Documented {
            scenario: &scenario,
            plan: &plan,
            split: split.iter().flatten().map(Split::document).next(),
        })?,
        Format::Csv => {
            let table = plan.ours.as_ref().map(|ours| order_table(&graph, ours));
            con.print_text(&table.unwrap_or_else(Table::default).to_csv())?;
        }
        Format::Trace | Format::Flags => {
            return super::no_such_format(
                con,
                args.format,
                "for operator graphs use text, json or csv",
            );
        }
        Format::Text => con.print_text(&text(&scenario, link, &graph, &plan, &split))?,
    }
    Ok(exit_code(Some(plan.status)))
}

/// Operators cut over the scenario's devices, after the search that the page does.
struct Split<'a> {
    order: &'a Order,
    splits: Splits,
    best: Cut,
    room: Option<Room>,
}

impl Split<'_> {
    fn document(&self) -> SplitDocument<'_> {
        SplitDocument {
            best: &self.best,
            bound_ms: self.splits.bound_ms,
            others: &self.splits.others,
            alone_ms: &self.splits.alone_ms,
        }
    }
}

/// Cuts the operators in the order on show; a fault where the graph cannot be cut over these devices.
fn split<'a>(scenario: &Scenario, plan: &'a Plan) -> Result<Option<Split<'a>>, Invalid> {
    let Some(shown) = plan.ours.as_ref().or(plan.others.first()) else {
        return Ok(None);
    };
    let order = shown.order.clone();
    let known = answer(scenario, &Ask::Splits { order }, &mut |_, _, _| ())?;
    let Answer::Splits(splits) = known else {
        return Ok(None);
    };
    let ask = |ask: Ask| answer(scenario, &ask, &mut |_, _, _| ()).ok();
    let chains = (0..scenario.split.search.islands as u32).filter_map(|chain| {
        let order = shown.order.clone();
        match ask(Ask::Chain { order, chain })? {
            Answer::Chain(chain) => Some(*chain),
            _ => None,
        }
    });
    let chains: Vec<_> = chains.collect();
    let all = chains.iter().map(|chain| &chain.best);
    let best = best(all.chain([&splits.start])).cloned();
    let rooms = chains.into_iter().filter_map(|chain| chain.room);
    let room = rooms.min_by(|a, b| a.factor.total_cmp(&b.factor));
    Ok(best.map(|best| Split {
        order: &shown.order,
        splits: *splits,
        best,
        room,
    }))
}

/// The split in sentences, beside others, and what each device does.
fn split_text(scenario: &Scenario, graph: &Graph, split: &Split<'_>) -> Option<Vec<String>> {
    let told = SplitTold::of(scenario, graph, split.order, &split.best).ok()??;
    let words = split_words(&told, &split.splits, split.room.as_ref());
    Some(vec![
        format!("{} ({})", words.headline, words.proof),
        words.lead.to_string(),
        words.reason.to_string(),
        told.dims_words(),
        String::new(),
        split_comparison(&split.best, &split.splits, None).to_text(),
        device_table(&told, &split.splits.alone_ms).to_text(),
    ])
}

/// Sentences, the arena, the other orders, the split, the link.
fn text(
    scenario: &Scenario,
    link: &str,
    graph: &Graph,
    plan: &Plan,
    split: &Result<Option<Split<'_>>, Invalid>,
) -> String {
    let words = words(scenario, graph, plan);
    let drawn = draws(
        graph,
        scenario.draws.orders as u32,
        scenario.draws.first_seed as u64,
    );
    let mut lines = vec![
        format!("{}: {}", scenario.title, kinds(graph)),
        String::new(),
        format!("{} ({})", words.headline, words.proof),
        words.lead.to_string(),
        words.reason.to_string(),
    ];
    if let Some(arena) = &plan.arena {
        lines.push(arena_words(graph, arena).to_string());
    }
    lines.push(String::new());
    lines.push(comparison(scenario.objective, plan, Some(&drawn), None).to_text());
    match split {
        Ok(split) => {
            let told = split.iter().filter_map(|s| split_text(scenario, graph, s));
            lines.extend(told.flatten());
        }
        Err(fault) => lines.extend([format!("No split over devices: {fault}."), String::new()]),
    }
    lines.push(link.to_owned());
    lines.join("\n") + "\n"
}
