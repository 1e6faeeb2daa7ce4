//! Plans as layer maps, for the flags of other runtimes.

use document::list;
use engine::model::catalog;
use engine::plan::{Stage, StageTiming};
use engine::problem::device_name;
use engine::problem::{ColdStart, Invalid};
use engine::scenario::{Scenario, tiers};
use engine::units::{bytes, count};
use planner::cold_start::evaluate;
use planner::tiers::Plan;
use protocol::flags::{ChainPart, LayerMap};

/// A cold-start plan; `fits` says whether every stage fits its device.
///
/// # Errors
/// A plan that is no layer map.
pub fn of_cold_start(
    scenario: &Scenario,
    problem: &ColdStart,
    plan: &[Stage],
    fits: bool,
) -> Result<LayerMap, Invalid> {
    let part = |stage: &Stage| ChainPart {
        name: device_name(problem, stage.device),
        device: stage.device,
        first: stage.first,
        last: stage.last,
    };
    let name = scenario.model.name();
    let parts = plan.iter().map(part).collect();
    let tied = catalog::find(name).map(|entry| entry.tied_embeddings);
    let mut chain = LayerMap::new(name, problem.layers().len(), parts)?.with_tied(tied);
    if scenario.model.is_table() {
        chain = chain.with_caveat(
            "The model is a table of layers: the map holds where each row is one block of the model.",
        );
    }
    chain = chain.with_context(
        scenario
            .memory
            .map(|memory| scenario.context(&memory, scenario.prompt_tokens) as u64),
    );
    for said in in_memory(&chain, scenario, plan) {
        chain = chain.with_caveat(said);
    }
    Ok(if fits {
        chain
    } else {
        chain.with_caveat(UNFIT)
    })
}

/// A split over tiers. A tier is one stage however many nodes it has: the chain is one node of each.
///
/// # Errors
/// A split that is no layer map.
pub fn of_tiers(scenario: &tiers::Scenario, plan: &Plan) -> Result<LayerMap, Invalid> {
    let mut last = 0;
    let held = plan.placed.iter().filter(|placed| placed.blocks > 0);
    let parts = held.map(|placed| {
        let first = last + 1;
        last += placed.blocks;
        let name = scenario.tiers.get(placed.tier);
        ChainPart {
            name: name.map_or_else(String::new, |tier| tier.name.clone()),
            device: placed.tier,
            first,
            last,
        }
    });
    let parts: Vec<ChainPart> = parts.collect();
    let several = parts.iter().any(|part| {
        let tier = scenario.tiers.get(part.device);
        tier.is_some_and(|tier| tier.nodes > 1.0)
    });
    let tied = Some(scenario.model.has_tied_embeddings());
    let model = scenario.model.name();
    let context = scenario.with_costs(|costs| costs.reserved_tokens() as u64);
    let mut chain = LayerMap::new(model, scenario.blocks(), parts)?
        .with_tied(tied)
        .with_context(Some(context));
    if several {
        chain = chain.with_caveat(
            "The flags are for one chain: one node of each tier. Which node of a tier takes a request is the \
             dispatcher\u{2019}s choice; start one chain for each set of nodes.",
        );
    }
    Ok(if plan.mem_ok {
        chain
    } else {
        chain.with_caveat(UNFIT)
    })
}

/// Lists the memory that a cold-start plan uses on each device, and where that is too much.
fn in_memory(chain: &LayerMap, scenario: &Scenario, plan: &[Stage]) -> Vec<String> {
    let run = scenario.as_it_runs();
    let problem = run.problem();
    let scored = problem
        .as_ref()
        .ok()
        .and_then(|p| evaluate(p, plan).ok().map(|scored| (p, scored)));
    let (Some((problem, scored)), Some(memory)) = (scored, run.memory) else {
        return Vec::new();
    };
    let row = |(stage, row): (usize, &StageTiming)| {
        let have = problem.machines()[row.device].memory.get();
        let (name, need) = (chain.name_of(stage), bytes(row.mem));
        (row.mem_ok, format!("{name} {need} of {}", bytes(have)))
    };
    let rows: Vec<(bool, String)> = scored.timeline.iter().enumerate().map(row).collect();
    let names = |wanted: fn(&bool) -> bool| -> Vec<String> {
        let rows = rows.iter().filter(|(fits, _)| wanted(fits));
        rows.map(|(_, words)| words.clone()).collect()
    };
    let context = count(run.context(&memory, run.prompt_tokens));
    let cache = match run.model.cache_of_layers() {
        Some(_) => format!("a cache of {context} tokens"),
        None => "no cache (its size is not known)".to_owned(),
    };
    let ends = match memory.ends(&run.model) {
        Some(_) => "the embedding on the first device and the output head on the last",
        None => "neither embedding nor output head (their sizes are not known)",
    };
    let rule = if scenario.memory.is_some() {
        ""
    } else {
        " The plan was made by the paper\u{2019}s rule, which counts the blocks and the largest output alone."
    };
    let mut said = vec![format!(
        "Memory in use when the plan runs, of the usable memory: {}. That is the weights, the largest output, {cache}, {ends}.{rule}",
        list(&names(|_| true))
    )];
    let over = names(|fits| !fits);
    if !over.is_empty() {
        said.push(format!(
            "Too little memory to run: {}. Let memory count all that runs (\u{201c}Memory counts\u{201d} on the page, \
             \u{201c}memory\u{201d} in a scenario file) for a plan that has room.",
            list(&over)
        ));
    }
    said
}

const UNFIT: &str = "This plan does not fit the memory of every device in it.";
