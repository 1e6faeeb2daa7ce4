//! Requests through a placement of a tiers scenario: the run that the simulator takes, its figures over seeds, and one
//! run pass by pass.

use super::tiers::{Runs, RunsAsk, TierTimeline, UnderLoad, plan, planned};
use super::tiers_run::{self, Failed, LoadSearch, Workload, compare};
use engine::problem::tier_costs::{TierCosts, TierRequest};
use engine::problem::{
    Code, Invalid, MEMORY_SLACK, Mode, Order, PerOne, RunTierNumbers, Scheduler as Chooser,
    TaskNumbers, TierRun, TierRunNumbers,
};
use engine::scenario::tiers::{Placed, Requests, Scenario, Scheduler};
use engine::sim::{RecordWindow, Spread, Summary};
use engine::solve::{Limits, SearchEvent};
use std::ops::ControlFlow;

/// The most passes of a run that are kept for a picture.
const MOST_SEGMENTS: usize = 60_000;

/// The tiers of a placement as the simulator takes them, without tasks. Memory in GB.
///
/// # Errors
/// A tier that does nothing in finite time.
pub fn network(scenario: &Scenario, ask: &RunsAsk) -> Result<TierRunNumbers, Invalid> {
    let plan = plan(scenario, &ask.placed)?;
    let last = plan.stages.len().saturating_sub(1);
    let tiers = plan.stages.iter().enumerate().map(|(at, stage)| {
        let tier = &scenario.tiers[stage.tier];
        let blocks = stage.first - 1..stage.last;
        let (batch, memory) = scenario.with_costs(|costs| {
            let batch = costs.batch(&tier.node(), &blocks, at == last);
            (batch, costs.memory(&blocks))
        });
        // What the split leaves aside takes no room from requests either.
        let standing = match scenario.cost.blocks_only {
            true => memory.standing() - memory.ends,
            false => memory.standing(),
        };
        RunTierNumbers {
            memory: Some(PerOne::All((stage.room - standing / 1e9).max(0.0))),
            batch_inc: batch.more,
            batch_compute: batch.compute,
            ..RunTierNumbers::plain(tier.nodes as usize, stage.prefill, stage.decode)
        }
    });
    Ok(TierRunNumbers {
        mode: Mode::Token,
        scheduler: match ask.scheduler {
            Scheduler::Hypsched => Chooser::HypSched,
            Scheduler::RoundRobin => Chooser::RoundRobin,
            Scheduler::Random => Chooser::Random,
        },
        order: Order::Fifo,
        batch: scenario.load.batch,
        tiers: tiers.collect(),
        hop_prefill: plan.hops.iter().map(|hop| hop.prefill).collect(),
        hop_decode: plan.hops.iter().map(|hop| hop.decode).collect(),
        return_delay: plan.return_delay,
        tasks: Vec::new(),
        down: Vec::new(),
    })
}

/// Returns the memory that a request with `tokens` output tokens reserves on a node of each stage [GB].
fn reserved(scenario: &Scenario, ask: &RunsAsk, tokens: f64) -> Vec<f64> {
    let request = TierRequest {
        generated: tokens,
        ..scenario.request()
    };
    scenario.with_costs(|costs| {
        let costs = TierCosts {
            request: &request,
            ..costs.clone()
        };
        let mut first = 0;
        let of = |placed: &Placed| {
            let blocks = first..first + placed.blocks;
            first = blocks.end;
            costs.memory(&blocks).request() / 1e9
        };
        ask.placed.iter().map(of).collect()
    })
}

/// Checks that the memory of a request fits and returns it; `path` names the field with the tokens in errors.
fn fitting(
    scenario: &Scenario,
    ask: &RunsAsk,
    network: &TierRunNumbers,
    (path, tokens): (&str, f64),
) -> Result<PerOne, Invalid> {
    let kept = reserved(scenario, ask, tokens);
    let room = network.tiers.iter().map(|tier| match &tier.memory {
        Some(PerOne::All(room)) => *room,
        _ => f64::INFINITY,
    });
    for ((placed, kept), room) in ask.placed.iter().zip(&kept).zip(room) {
        if *kept > room + MEMORY_SLACK {
            let name = &scenario.tiers[placed.tier].name;
            let message = format!(
                "{path} is {tokens}: such a request keeps {} on {name}, where a node has {} beside its weights",
                engine::units::bytes(1e9 * kept),
                engine::units::bytes(1e9 * room)
            );
            return Err(Invalid::new(Code::Range, path, tokens, message));
        }
    }
    Ok(PerOne::Each(kept))
}

/// The seeds of a scenario's runs.
fn seeds(scenario: &Scenario) -> Vec<u64> {
    let first = scenario.load.first_seed as u64;
    (0..scenario.load.seeds as u64).map(|n| first + n).collect()
}

/// The run of one seed.
fn run_of(
    scenario: &Scenario,
    ask: &RunsAsk,
    network: &TierRunNumbers,
    seed: u64,
) -> Result<TierRun, Invalid> {
    let setup = scenario.setup();
    let requests = &scenario.load.requests;
    if let (Requests::Trace(rows), None) = (requests, ask.rate) {
        let task = |(at, (time, tokens)): (usize, &(f64, f64))| {
            let path = format!("load.requests.trace[{at}][1]");
            Ok(TaskNumbers {
                arrival: time + setup,
                out_tokens: *tokens,
                memory: fitting(scenario, ask, network, (&path, *tokens))?,
            })
        };
        let tasks = rows.iter().enumerate().map(task);
        return TierRun::new(&TierRunNumbers {
            tasks: tasks.collect::<Result<_, Invalid>>()?,
            ..network.clone()
        });
    }
    let memory = fitting(scenario, ask, network, ("out_tokens", scenario.out_tokens))?;
    let rate = ask.rate.unwrap_or(requests.mean_rate());
    let count = ask.count.unwrap_or(requests.count());
    let workload = Workload {
        rate,
        tasks: count as usize,
        out_tokens: scenario.out_tokens as u32,
        memory,
    };
    let mut tasks = workload.draw(seed)?;
    for task in &mut tasks {
        task.arrival += setup;
    }
    TierRun::new(&TierRunNumbers {
        tasks,
        ..network.clone()
    })
}

/// Figures of the runs of all seeds.
///
/// # Errors
/// A field out of range, or a request that fits no node of a tier.
///
/// # Complexity
/// O(seeds · events log tasks).
pub fn runs(
    scenario: &Scenario,
    ask: &RunsAsk,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Runs, Invalid> {
    let network = network(scenario, ask)?;
    let setup = scenario.setup();
    let mut seeds = seeds(scenario);
    // A trace leaves nothing to luck but the choice of nodes.
    let is_trace = matches!(scenario.load.requests, Requests::Trace(_)) && ask.rate.is_none();
    if is_trace && ask.scheduler != Scheduler::Random {
        seeds.truncate(1);
    }
    let mut figures = Vec::new();
    let mut estimate = None;
    let rate = (!is_trace).then(|| ask.rate.unwrap_or(scenario.load.requests.mean_rate()));
    for (at, seed) in (0_u64..).zip(&seeds) {
        let run = run_of(scenario, ask, &network, *seed)?;
        if let Some(rate) = rate.filter(|_| at == 0) {
            let found = tiers_run::estimate(&run, rate, scenario.out_tokens as u32);
            estimate = found.map(|found| (found.latency + setup, found.trusted));
        }
        let events = tiers_run::events(&run);
        let all = events * seeds.len() as u64;
        let mut listen = |event: SearchEvent<'_, ()>| {
            if let SearchEvent::Step { done, .. } = event {
                progress(at * events + done, Some(all));
            }
            ControlFlow::Continue(())
        };
        let limits = Limits {
            seed: *seed,
            ..Limits::default()
        };
        let ran = tiers_run::run(&run, RecordWindow::none(), &limits, &mut listen);
        figures.push(ran.expect("nobody stops this run").metrics);
    }
    let spread = |of: &dyn Fn(&tiers_run::RunMetrics) -> f64| {
        Spread::of(&figures.iter().map(of).collect::<Vec<f64>>()).expect("there is a seed")
    };
    let mean = |of: &dyn Fn(&tiers_run::RunMetrics) -> f64| spread(of).mean;
    let stages = ask.placed.len();
    let has_first = figures.iter().all(|f| f.ttft.is_some());
    let first = |of: fn(&Summary) -> f64| setup + mean(&|f| f.ttft.as_ref().map_or(0.0, of));
    Ok(Runs {
        rate,
        latency: spread(&|f| setup + f.latency.mean),
        makespan: spread(&|f| f.makespan + setup),
        quantiles: Summary {
            mean: setup + mean(&|f| f.latency.mean),
            p50: setup + mean(&|f| f.latency.p50),
            p95: setup + mean(&|f| f.latency.p95),
            p99: setup + mean(&|f| f.latency.p99),
        },
        first_token: has_first.then(|| Summary {
            mean: first(|s| s.mean),
            p50: first(|s| s.p50),
            p95: first(|s| s.p95),
            p99: first(|s| s.p99),
        }),
        utilisation: (0..stages).map(|j| mean(&|f| f.utilisation[j])).collect(),
        reserved: (0..stages).map(|j| mean(&|f| f.memory[j].peak)).collect(),
        estimate,
    })
}

/// One run, of the first seed, pass by pass.
///
/// # Errors
/// As [`runs`].
pub fn timeline(
    scenario: &Scenario,
    ask: &RunsAsk,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<TierTimeline, Invalid> {
    let network = network(scenario, ask)?;
    let seed = scenario.load.first_seed as u64;
    let run = run_of(scenario, ask, &network, seed)?;
    let mut listen = |event: SearchEvent<'_, ()>| {
        if let SearchEvent::Step { done, of } = event {
            progress(done, of);
        }
        ControlFlow::Continue(())
    };
    let limits = Limits {
        seed,
        ..Limits::default()
    };
    let ran = tiers_run::run(&run, RecordWindow::all(MOST_SEGMENTS), &limits, &mut listen);
    let outcome = ran.expect("nobody stops this run").outcome;
    let setup = scenario.setup();
    Ok(TierTimeline {
        segments: outcome.timeline,
        nodes: outcome.nodes,
        arrival: run
            .tasks()
            .iter()
            .map(|task| task.arrival - setup)
            .collect(),
        completion: outcome.completion,
        first_token: outcome.first_token.unwrap_or_default(),
        left_out: outcome.left_out,
    })
}

/// The most splits that are tried under load.
const MOST_TRIED: usize = 60;
/// How many of them get all requests and all seeds.
const FINALISTS: usize = 6;

/// All splits of `blocks` over `tiers` whose counts, but for the last, are 1 or multiples of `step`; `None` where they
/// are more than [`MOST_TRIED`].
///
/// # Complexity
/// O([`MOST_TRIED`] tiers²): it gives up as soon as there are too many.
fn grid(blocks: usize, tiers: usize, step: usize) -> Option<Vec<Vec<usize>>> {
    let mut open = vec![Vec::new()];
    for rest in (1..tiers).rev() {
        let mut next = Vec::new();
        for start in &open {
            let left = blocks - start.iter().sum::<usize>();
            let multiples = (1..).map(|n| n * step).skip_while(|n| *n <= 1);
            let counts = std::iter::once(1).chain(multiples);
            for count in counts.take_while(|count| count + rest <= left) {
                next.push([start.as_slice(), &[count]].concat());
                if next.len() > MOST_TRIED {
                    return None;
                }
            }
        }
        open = next;
    }
    for split in &mut open {
        split.push(blocks - split.iter().sum::<usize>());
    }
    Some(open)
}

/// The split that is soonest under the scenario’s own requests: a coarse grid of splits and the best ones by every
/// goal, the same arrivals for all, successively halved.
///
/// For the comparison every split reserves as much for a request as the one that reserves most; the figures of the
/// winner are its own.
///
/// # Errors
/// A field out of range; no split that fits, as `split`.
///
/// # Complexity
/// About six runs of the first seed for each of at most [`MOST_TRIED`] splits and those of the rules, all seeds for
/// [`KEPT`].
pub fn under_load(
    scenario: &Scenario,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<UnderLoad, Invalid> {
    let planned = planned(scenario)?;
    let order: Vec<usize> = match &planned.plan {
        Some(plan) => plan.placed.iter().map(|p| p.tier).collect(),
        None => scenario.switched_on().map(|(tier, _)| tier).collect(),
    };
    let blocks = scenario.blocks();
    let mut candidates: Vec<Vec<Placed>> = planned
        .plan
        .iter()
        .chain(
            planned
                .others
                .iter()
                .filter_map(|other| other.plan.as_ref()),
        )
        .filter(|plan| plan.placed.iter().map(|p| &p.tier).eq(&order))
        .map(|plan| plan.placed.clone())
        .collect();
    if blocks >= order.len() {
        let coarse = (1..=blocks).find_map(|step| grid(blocks, order.len(), step));
        for counts in coarse.unwrap_or_default() {
            let pairs = order.iter().zip(counts);
            candidates.push(
                pairs
                    .map(|(tier, blocks)| Placed {
                        tier: *tier,
                        blocks,
                    })
                    .collect(),
            );
        }
    }
    let mut tried: Vec<Vec<Placed>> = Vec::new();
    for placed in candidates {
        if !tried.contains(&placed) && plan(scenario, &placed)?.mem_ok {
            tried.push(placed);
        }
    }
    let ask = |placed: &Vec<Placed>| RunsAsk {
        placed: placed.clone(),
        rate: None,
        count: None,
        scheduler: scenario.load.scheduler,
        out_tokens: None,
        link_mbit_s: None,
    };
    let networks = tried
        .iter()
        .map(|placed| network(scenario, &ask(placed)))
        .collect::<Result<Vec<_>, Invalid>>()?;
    let mut memory = vec![0.0_f64; order.len()];
    for placed in &tried {
        let own = reserved(scenario, &ask(placed), scenario.out_tokens);
        memory
            .iter_mut()
            .zip(own)
            .for_each(|(most, own)| *most = most.max(own));
    }
    // A trace is searched at its mean rate; the winner is then run on the trace itself.
    let requests = &scenario.load.requests;
    let workload = Workload {
        rate: requests.mean_rate(),
        tasks: requests.count() as usize,
        out_tokens: scenario.out_tokens as u32,
        memory: PerOne::Each(memory),
    };
    let mut listen = |event: SearchEvent<'_, ()>| {
        if let SearchEvent::Step { done, of } = event {
            progress(done, of);
        }
        ControlFlow::Continue(())
    };
    let search = LoadSearch::Halving { keep: FINALISTS };
    let ranked = compare(&networks, &workload, &seeds(scenario), search, &mut listen);
    let best = match ranked {
        Ok(ranking) => ranking.first().map(|(index, _)| tried[*index].clone()),
        Err(Failed::Invalid(fault)) => return Err(fault),
        Err(Failed::Stopped(_) | Failed::Nothing) => None,
    };
    let Some(placed) = best else {
        let message = "split: no split of these tiers fits, so none can be run";
        return Err(Invalid::new(
            Code::Plan,
            "split",
            serde_json::Value::Null,
            message,
        ));
    };
    let runs = runs(scenario, &ask(&placed), &mut |_, _| ())?;
    Ok(UnderLoad {
        placed,
        runs,
        tried: tried.len(),
    })
}
