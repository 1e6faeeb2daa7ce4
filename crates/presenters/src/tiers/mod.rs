//! Sentences of an answer about tiers: headline, lead, slowest tier; its tables, charts and sections.

pub mod charts;
mod presenter;
mod queries;
pub mod sections;

use crate::calibration;
use document::quantity::rate;
use document::{Cell, Table};
use document::{Sentence, list};
use document::{Tone, Verdict};
use engine::scenario::tiers::{Goal, Mode, Placed, Scenario, Tier};
use engine::units::{NARROW, bytes, percent, seconds, tokens_a_second};
use planner::Status;
use planner::summary::is_gain;
use planner::tiers::{Plan, Planned, Runs, Stage, TierRule, TierTimeline};

/// Decimals of milliseconds that a reader sees.
const MS: usize = 3;
/// Decimals of seconds that a reader sees.
const S: usize = 3;

/// The name of a tier, or its place where it has none.
#[must_use]
pub fn tier_name(scenario: &Scenario, tier: usize) -> String {
    match scenario.tiers.get(tier).map(|t| t.name.trim()) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("Tier {}", tier + 1),
    }
}

/// `5 / 9 / 18`.
#[must_use]
pub fn split_words(placed: &[Placed]) -> String {
    let counts: Vec<String> = placed.iter().map(|p| p.blocks.to_string()).collect();
    counts.join(" / ")
}

/// Returns the name of a rule.
#[must_use]
pub const fn rule_name(who: TierRule) -> &'static str {
    match who {
        TierRule::Bottleneck => "Edgewise, slowest stage",
        TierRule::Rate => "Edgewise, nodes counted",
        TierRule::Request => "Edgewise, single request",
        TierRule::AnyOrder => "Edgewise, tiers skipped or reordered",
        TierRule::HypSplit => "HypSplit-DP",
        TierRule::Gpipe => "GPipe, equal counts",
        TierRule::GpipeRepaired => "GPipe, overflow moved",
        TierRule::Heft => "HEFT, first fit",
        TierRule::MemoryProportional => "Proportional to memory",
    }
}

/// Describes a rule in one line.
#[must_use]
pub const fn about(who: TierRule) -> &'static str {
    match who {
        TierRule::Bottleneck => {
            "the exact minimum of the slowest stage, which is the paper\u{2019}s goal"
        }
        TierRule::Rate => {
            "the exact minimum of stage time divided by nodes: the highest rate of requests"
        }
        TierRule::Request => "the exact minimum of the sum of all stages and links",
        TierRule::AnyOrder => {
            "the same over every order of the tiers after the first, some of them skipped"
        }
        TierRule::HypSplit => "the paper\u{2019}s search, to within 0.001 s per request",
        TierRule::Gpipe => "equal counts, ignoring speed and memory",
        TierRule::GpipeRepaired => "equal counts; blocks that do not fit go to a tier with room",
        TierRule::Heft => "fills the tiers in order, as far as memory allows",
        TierRule::MemoryProportional => {
            "blocks in proportion to each tier\u{2019}s memory, by largest remainder"
        }
    }
}

/// Names the quantity that a goal minimises, for sentences.
#[must_use]
pub const fn goal(goal: Goal) -> &'static str {
    match goal {
        Goal::Bottleneck => "slowest stage",
        Goal::Rate => "request rate",
        Goal::Request => "single request",
    }
}

/// Puts an answer into words.
#[must_use]
pub fn verdict(scenario: &Scenario, planned: &Planned) -> Verdict {
    match &planned.plan {
        Some(plan) => of_plan(scenario, planned, plan),
        None => Verdict {
            proof: "Does not fit, proven".to_owned(),
            tone: Tone::Bad,
            headline: Sentence::default()
                .plain("No split: ")
                .plain(planned.reason.clone().unwrap_or_default())
                .plain("."),
            summary: repairs(scenario, planned),
            reason: Sentence::default(),
        },
    }
}

fn repairs(scenario: &Scenario, planned: &Planned) -> Sentence {
    let listed: Vec<usize> = scenario.switched_on().map(|(j, _)| j).collect();
    let repairs = planned.infeasible.iter().flat_map(|proof| &proof.repairs);
    let least = repairs.min_by(|a, b| a.more.total_cmp(&b.more));
    match least {
        Some(repair) => {
            let name = listed.get(repair.tier).map(|j| tier_name(scenario, *j));
            Sentence::default()
                .plain("The smallest repair of one tier is ")
                .strong(format!(
                    "{} more on each node of {}",
                    bytes(1e9 * repair.more),
                    name.unwrap_or_default()
                ))
                .plain(". Fewer bytes per weight help as well.")
        }
        None => Sentence::default()
            .plain("More memory on one tier alone does not help. Fewer bytes per weight, or fewer tiers, may."),
    }
}

fn of_plan(scenario: &Scenario, planned: &Planned, plan: &Plan) -> Verdict {
    let is_own = scenario.split.is_some();
    let (proof, tone) = match (planned.status, is_own) {
        (Status::Infeasible, _) => ("Does not fit".to_owned(), Tone::Bad),
        (Status::Optimal, false) => (
            format!("Optimal for {}, proven", short_goal(scenario.goal)),
            Tone::Good,
        ),
        (Status::Optimal, true) => (
            format!("Yours, and optimal for {}", short_goal(scenario.goal)),
            Tone::Good,
        ),
        _ => match planned.best.as_ref().map(|best| best.value) {
            Some(best) => (
                format!(
                    "Yours, {}",
                    behind(scenario.goal, 100.0 * (plan.value / best - 1.0))
                ),
                Tone::Open,
            ),
            None => ("Yours".to_owned(), Tone::Open),
        },
    };
    let counts: Vec<usize> = plan.placed.iter().map(|p| p.blocks).collect();
    let split = match counts.as_slice() {
        [_] => format!("all on {}", tier_name(scenario, plan.placed[0].tier)),
        _ if is_as_listed(scenario, plan) => list(&counts).replace(" and ", ", "),
        _ => with_names(scenario, plan).replace(" / ", ", "),
    };
    if let Some(over) = plan.stages.iter().find(|stage| !stage.mem_ok) {
        let headline = Sentence::default()
            .plain("Your split ")
            .strong(split)
            .plain(" does not fit.");
        let name = tier_name(scenario, over.tier);
        let lead = Sentence::default()
            .strong(format!(
                "{name} needs {} on each node and has {}",
                bytes(1e9 * over.memory),
                bytes(1e9 * over.room)
            ))
            .plain(format!(
                ". With enough memory a single request would take {}.",
                seconds(plan.request)
            ));
        return Verdict {
            proof,
            tone,
            headline,
            summary: lead,
            reason: reason(scenario, plan),
        };
    }
    let headline = Sentence::default()
        .plain(match (is_own, counts.len()) {
            (true, _) => "Your split ",
            (false, 1) => "Fits ",
            (false, _) => "Fits, split ",
        })
        .strong(split)
        .plain(match counts.len() > 1 && is_as_listed(scenario, plan) {
            true => " over all tiers",
            false => "",
        })
        .plain(match is_own {
            true => " fits, weights in memory: first token in ",
            false => ", weights in memory: first token in ",
        })
        .strong(seconds(plan.first_token))
        .plain(", then ")
        .strong(tokens_a_second(1.0 / plan.per_token))
        .plain("; a single request takes ")
        .strong(seconds(plan.request))
        .plain(".");
    Verdict {
        proof,
        tone,
        headline,
        summary: lead_sentence(scenario, planned, plan),
        reason: reason(scenario, plan),
    }
}

const fn short_goal(goal: Goal) -> &'static str {
    match goal {
        Goal::Bottleneck => "the slowest stage",
        Goal::Rate => "the request rate",
        Goal::Request => "a single request",
    }
}

/// How far a plan is behind the best one by a goal.
fn behind(by: Goal, above: f64) -> String {
    let above = percent(above, 1);
    match by {
        Goal::Bottleneck => format!("slowest stage {above} above the best"),
        Goal::Rate => format!("slowest stage per node {above} above the best"),
        Goal::Request => format!("a single request takes {above} longer than the best"),
    }
}

/// Returns true if a plan uses every tier that is on, in the listed order.
fn is_as_listed(scenario: &Scenario, plan: &Plan) -> bool {
    let listed = scenario.switched_on().map(|(j, _)| j);
    listed.eq(plan.placed.iter().map(|p| p.tier))
}

fn lead_sentence(scenario: &Scenario, planned: &Planned, plan: &Plan) -> Sentence {
    let mut sentence = skipping(scenario, planned, plan);
    let other_best = planned.best.as_ref();
    let other_best = other_best.filter(|best| best.placed != plan.placed);
    let is_best = other_best.is_none();
    if let Some(best) = other_best {
        let words = format!(
            "The best split for {} is {}, with {} for a single request.",
            short_goal(scenario.goal),
            split_words(&best.placed),
            seconds(best.request)
        );
        sentence = sentence.plain(words);
    } else {
        let head = if scenario.cost.blocks_only {
            ", not counting the output head"
        } else {
            ""
        };
        let better = match scenario.goal {
            Goal::Bottleneck => "has a shorter slowest stage",
            Goal::Rate => "sustains a higher request rate",
            Goal::Request => "answers a single request faster",
        };
        sentence = sentence.plain(format!("No split of these tiers {better}{head}."));
    }
    let of = |wanted: TierRule| {
        let other = planned.others.iter().find(|other| other.who == wanted)?;
        other.plan.as_ref()
    };
    let sooner = |other: &Plan| plan.request - other.request;
    if let Some(other) = of(TierRule::Request).filter(|other| sooner(other) > 1e-6 * plan.request) {
        let share = percent(100.0 * sooner(other) / plan.request, 1);
        sentence = sentence
            .plain(match (is_best, scenario.goal) {
                (true, Goal::Bottleneck) => {
                    " The split with the shortest slowest stage does not answer fastest: "
                }
                (true, Goal::Rate) => {
                    " The split with the highest request rate does not answer fastest: "
                }
                _ => " ",
            })
            .plain(format!("{} is ", split_words(&other.placed)))
            .strong(format!("{} ({share}) faster", seconds(sooner(other))))
            .plain(" for a single request.");
    }
    if let Some(other) =
        of(TierRule::Rate).filter(|other| other.full_at > plan.full_at * (1.0 + 1e-9))
    {
        sentence = sentence
            .plain(format!(" {} saturates at ", split_words(&other.placed)))
            .strong(rate(other.full_at))
            .plain(format!(", this one at {}.", rate(plan.full_at)));
    }
    sentence
}

/// The plan that leaves tiers out or reorders them, where a request gains by it.
fn skipping(scenario: &Scenario, planned: &Planned, plan: &Plan) -> Sentence {
    let sentence = Sentence::default();
    let others = planned.others.iter();
    let mut skipping = others.filter(|other| other.who == TierRule::AnyOrder);
    let Some(other) = skipping.find_map(|other| other.plan.as_ref()) else {
        return sentence;
    };
    let saved = plan.request - other.request;
    if is_as_listed(scenario, other) || !is_gain(saved, plan.request) {
        return sentence;
    }
    sentence
        .plain("Each tier holds a block here. Without that rule, ")
        .strong(with_names(scenario, other))
        .plain(" takes ")
        .strong(seconds(other.request))
        .plain(format!(
            " for a single request, {} ({}) less. ",
            seconds(saved),
            percent(100.0 * saved / plan.request, 1)
        ))
}

fn reason(scenario: &Scenario, plan: &Plan) -> Sentence {
    let stage = &plan.stages[plan.slowest];
    let name = tier_name(scenario, stage.tier);
    let head = if stage.head > 0.0 {
        format!(", of which {} for the output head", seconds(stage.head))
    } else {
        String::new()
    };
    let blocks = match stage.last + 1 - stage.first {
        1 => "1 block takes".to_owned(),
        many => format!("{many} blocks take"),
    };
    let mut sentence = Sentence::default()
        .strong(format!("{name} sets the pace."))
        .plain(format!(
            " Its {blocks} {} per decode pass{head}.",
            seconds(stage.decode)
        ));
    let busiest = &plan.stages[plan.busiest];
    let nodes = scenario.tiers[busiest.tier].nodes;
    let nodes = if nodes == 1.0 {
        "1 node".to_owned()
    } else {
        format!("{nodes} nodes")
    };
    sentence = sentence.plain(format!(
        " With {nodes} the tier {} saturates at {}",
        tier_name(scenario, busiest.tier),
        rate(busiest.full_at)
    ));
    let idlest = plan
        .stages
        .iter()
        .max_by(|a, b| a.full_at.total_cmp(&b.full_at));
    let sentence = match idlest.filter(|stage| stage.tier != busiest.tier) {
        Some(stage) => sentence.plain(format!(
            "; {} would saturate at {}.",
            tier_name(scenario, stage.tier),
            rate(stage.full_at)
        )),
        None => sentence.plain("."),
    };
    let said = accuracy(scenario, plan).into_iter();
    said.fold(sentence, |all, one| all.plain(" ").followed(one))
}

/// How far predictions for the plan's machines were off, where their runtimes decide the times.
fn accuracy(scenario: &Scenario, plan: &Plan) -> Vec<Sentence> {
    if scenario.cost.mode != Mode::Runtime {
        return Vec::new();
    }
    let tiers = plan
        .placed
        .iter()
        .map(|placed| &scenario.tiers[placed.tier]);
    let machines = tiers.map(Tier::predicted);
    let alone = (plan.placed.len() == 1).then(|| {
        let rate = 1.0 / plan.per_token;
        (rate, scenario.model.blocks() as f64)
    });
    calibration::accuracy(machines, alone, scenario.model.has_experts())
}

/// Returns the note on embedding and head, if the partition leaves them out but they need memory.
#[must_use]
pub fn ends_note(scenario: &Scenario, plan: &Plan) -> Option<String> {
    let over = plan
        .stages
        .iter()
        .find(|s| s.mem_ok && s.memory > s.room + 1e-9)?;
    Some(format!(
        "The split does not count embedding and output head, as in the paper; with them {} needs {} of {} on each node.",
        tier_name(scenario, over.tier),
        bytes(1e9 * over.memory),
        bytes(1e9 * over.room)
    ))
}

/// The stages of a plan, one row a tier in use.
#[must_use]
pub fn stages(scenario: &Scenario, plan: &Plan) -> Table {
    let memory = match scenario.cost.mode {
        Mode::Runtime => "memory per node",
        Mode::Flops | Mode::Roofline => "weights per node",
    };
    let columns = [
        ("tier", "tier", ""),
        ("nodes", "nodes", ""),
        ("first_block", "first block", ""),
        ("last_block", "last block", ""),
        ("prefill_ms", "prefill", "ms"),
        ("decode_ms", "decode pass", "ms"),
        ("head_ms", "output head\u{2019}s part", "ms"),
        ("request_s", "per request", "s"),
        ("full_at_per_s", "saturates at", "1/s"),
        ("memory_gb", memory, "GB"),
        ("room_gb", "usable per node", "GB"),
        ("link_prefill_ms", "link, prompt", "ms"),
        ("link_decode_ms", "link, token", "ms"),
    ];
    let row = |(at, s): (usize, &Stage)| {
        let hop = plan.hops.get(at);
        vec![
            Cell::text(tier_name(scenario, s.tier)),
            Cell::Number(scenario.tiers[s.tier].nodes, 0),
            Cell::count(s.first),
            Cell::count(s.last),
            Cell::Number(1e3 * s.prefill, MS),
            Cell::Number(1e3 * s.decode, MS),
            Cell::Number(1e3 * s.head, MS),
            Cell::Number(s.load, S),
            Cell::Number(s.full_at, 3),
            Cell::Number(s.memory, 2),
            Cell::Number(s.room, 2),
            Cell::maybe(hop.map(|hop| 1e3 * hop.prefill), MS),
            Cell::maybe(hop.map(|hop| 1e3 * hop.decode), MS),
        ]
    };
    Table::new(
        "stages",
        "Stages: one row per tier, in the order of a request",
        &columns,
        plan.stages.iter().enumerate().map(row).collect(),
    )
}

/// Ours beside other rules: what each makes of the same tiers.
#[must_use]
pub fn comparison(scenario: &Scenario, planned: &Planned) -> Table {
    let columns = [
        ("plan", "plan", ""),
        ("split", "split", ""),
        ("slowest_pass_ms", "slowest pass", "ms"),
        ("request_s", "single request", "s"),
        ("first_token_s", "first token", "s"),
        ("full_at_per_s", "saturates at", "1/s"),
        ("energy_j", "energy", "J"),
        ("fits", "fits", ""),
    ];
    let cells = |name: &str, plan: Option<&Plan>| {
        let slowest = plan.map(|plan| 1e3 * plan.stages[plan.slowest].decode);
        let fits = plan.map_or("no such split", |plan| {
            let is_over = |s: &Stage| s.memory > s.room + 1e-9;
            match (plan.mem_ok, plan.stages.iter().any(is_over)) {
                (false, _) => "does not fit",
                // The split does not count embedding and output head, which need memory all the same.
                (true, true) => "blocks only",
                (true, false) => "yes",
            }
        });
        vec![
            Cell::text(name),
            Cell::text(
                plan.map(|plan| with_names(scenario, plan))
                    .unwrap_or_default(),
            ),
            Cell::maybe(slowest, MS),
            Cell::maybe(plan.map(|plan| plan.request), S),
            Cell::maybe(plan.map(|plan| plan.first_token), S),
            Cell::maybe(plan.map(|plan| plan.full_at), 3),
            Cell::maybe(plan.map(|plan| plan.energy), 0),
            Cell::text(fits),
        ]
    };
    let mut rows = Vec::new();
    if scenario.split.is_some() {
        rows.push(cells("Yours", planned.plan.as_ref()));
    }
    let others = planned.others.iter();
    rows.extend(others.map(|other| cells(rule_name(other.who), other.plan.as_ref())));
    Table::new("comparison", "Edgewise and other rules", &columns, rows)
}

/// `5 / 9 / 18`, with the tiers' names where some are left out or moved.
fn with_names(scenario: &Scenario, plan: &Plan) -> String {
    if is_as_listed(scenario, plan) {
        return split_words(&plan.placed);
    }
    let parts: Vec<String> = plan
        .placed
        .iter()
        .map(|p| format!("{} {}", tier_name(scenario, p.tier), p.blocks))
        .collect();
    parts.join(" / ")
}

/// Every compromise between the slowest stage and a single request.
#[must_use]
pub fn front(planned: &Planned) -> Table {
    let columns = [
        ("split", "split", ""),
        ("bottleneck_s", "slowest stage of a request", "s"),
        ("request_s", "single request", "s"),
    ];
    let rows = planned.front.iter().map(|point| {
        vec![
            Cell::text(split_words(&point.placed)),
            Cell::Number(point.bottleneck, S),
            Cell::Number(point.request, S),
        ]
    });
    Table::new(
        "front",
        "Splits that no other beats in both",
        &columns,
        rows.collect(),
    )
}

/// The scenario's own requests through a plan, and the tier that they keep busiest.
#[must_use]
pub fn own_load(scenario: &Scenario, plan: &Plan, runs: &Runs) -> Sentence {
    let at = runs.rate.map_or_else(
        || "With the trace".to_owned(),
        |r| format!("At {}", rate(r)),
    );
    // What is left of equal runs is rounding.
    let spread = runs
        .latency
        .confidence
        .filter(|half| *half > 1e-9 * runs.latency.mean);
    let spread = spread.map_or_else(String::new, |half| {
        format!(
            " \u{b1} {} (95{NARROW}% confidence over the seeds)",
            seconds(half)
        )
    });
    let mut sentence = Sentence::default()
        .plain(format!("{at}: "))
        .strong(format!("{} on average", seconds(runs.latency.mean)))
        .plain(format!(
            "{spread}, median {}, P95 {}, P99 {}.",
            seconds(runs.quantiles.p50),
            seconds(runs.quantiles.p95),
            seconds(runs.quantiles.p99)
        ));
    // Batches carry more requests than that rate, which counts one pass at a time.
    let is_single = scenario.load.batch <= 1.0;
    if let Some(arriving) = runs.rate.filter(|r| is_single && *r > plan.full_at) {
        sentence = sentence.strong(" The tiers cannot keep up.").plain(format!(
            " {} arrive and the split saturates at {}: the queue grows, and latency depends on how many requests there are, \
             here {}.",
            rate(arriving),
            rate(plan.full_at),
            scenario.load.requests.count()
        ));
    }
    if let Some(first) = &runs.first_token {
        sentence = sentence.plain(format!(
            " The first token comes after {} on average.",
            seconds(first.mean)
        ));
    }
    let busiest = plan.stages.iter().zip(&runs.utilisation);
    if let Some((stage, share)) = busiest.max_by(|a, b| a.1.total_cmp(b.1)) {
        sentence = sentence.plain(format!(
            " The busiest tier, {}, is busy {} of the time.",
            tier_name(scenario, stage.tier),
            percent(100.0 * share, 1)
        ));
    }
    if let Some((estimate, trusted)) = runs.estimate {
        let far = if trusted {
            ""
        } else {
            ", beyond the load up to which it can be trusted"
        };
        sentence = sentence.plain(format!(
            " The queueing formula gives {}{far}.",
            seconds(estimate)
        ));
    }
    sentence
}

/// Latency against the rate of requests, one row a rate and split.
#[must_use]
pub fn load(rows: &[(String, Runs)]) -> Table {
    let columns = [
        ("split", "split", ""),
        ("rate_per_s", "rate", "1/s"),
        ("mean_s", "mean", "s"),
        ("mean_spread_s", "\u{b1} 95 % over seeds", "s"),
        ("p50_s", "median", "s"),
        ("p95_s", "P95", "s"),
        ("p99_s", "P99", "s"),
        ("first_token_s", "first token, mean", "s"),
        ("makespan_s", "makespan", "s"),
        ("busiest", "utilisation of the busiest tier", "%"),
        ("estimate_s", "queueing estimate", "s"),
    ];
    let row = |(split, runs): &(String, Runs)| {
        let busiest = runs.utilisation.iter().copied().fold(0.0, f64::max);
        vec![
            Cell::text(split.clone()),
            Cell::maybe(runs.rate, 3),
            Cell::Number(runs.latency.mean, 2),
            Cell::maybe(runs.latency.confidence, 2),
            Cell::Number(runs.quantiles.p50, 2),
            Cell::Number(runs.quantiles.p95, 2),
            Cell::Number(runs.quantiles.p99, 2),
            Cell::maybe(runs.first_token.map(|first| first.mean), 2),
            Cell::Number(runs.makespan.mean, 1),
            Cell::Number(100.0 * busiest, 1),
            Cell::maybe(runs.estimate.map(|(estimate, _)| estimate), 2),
        ]
    };
    Table::new(
        "load",
        "Latency against the rate of requests",
        &columns,
        rows.iter().map(row).collect(),
    )
}

/// How busy and how full the tiers are at the scenario\u{2019}s own requests; `None` where the runs are not those of the plan.
#[must_use]
pub fn utilisation(scenario: &Scenario, plan: &Plan, runs: &Runs) -> Option<Table> {
    if plan.stages.len() != runs.utilisation.len() {
        return None;
    }
    let columns = [
        ("tier", "tier", ""),
        ("busy_pct", "utilisation", "%"),
        ("full_at_per_s", "saturates at", "1/s"),
        ("weights_gb", "weights", "GB"),
        ("reserved_gb", "caches, max", "GB"),
        ("usable_gb", "usable", "GB"),
    ];
    let rows = plan.stages.iter().enumerate().map(|(at, stage)| {
        let blocks = stage.first - 1..stage.last;
        let memory = scenario.with_costs(|costs| costs.memory(&blocks));
        vec![
            Cell::text(tier_name(scenario, stage.tier)),
            Cell::Number(100.0 * runs.utilisation[at], 1),
            Cell::Number(stage.full_at, 3),
            Cell::Number((memory.weights + memory.ends) / 1e9, 2),
            Cell::Number(runs.reserved[at], 3),
            Cell::Number(stage.room, 1),
        ]
    });
    let title = "How busy and how full the tiers are";
    Some(Table::new("utilisation", title, &columns, rows.collect()))
}

/// The requests of one run, a row each.
#[must_use]
pub fn requests_table(timeline: &TierTimeline) -> Table {
    let columns = [
        ("request", "request", ""),
        ("arrival_s", "arrival", "s"),
        ("first_token_s", "first token after", "s"),
        ("latency_s", "finished after", "s"),
    ];
    let rows = timeline.arrival.iter().enumerate().map(|(at, arrival)| {
        let after = |times: &[f64]| times.get(at).map(|time| time - arrival);
        vec![
            Cell::count(at + 1),
            Cell::Number(*arrival, 3),
            Cell::maybe(after(&timeline.first_token), 3),
            Cell::maybe(after(&timeline.completion), 3),
        ]
    });
    Table::new("requests", "Requests of one run", &columns, rows.collect())
}
