//! Sentences of an answer about attention heads: headline, lead, bottleneck, faults of the published table. Its tables are in
//! [`tables`].

pub mod charts;
mod figures;
pub mod presenter;
pub mod sections;
mod tables;

pub use figures::figures;
pub use tables::{
    at_token, changes, comparison, devices, gaps, layers_table, moves, tokens, tracks_table,
};

pub use ::protocol::names::heads::{device_name, layer_words};
use document::Sentence;
use document::{Tone, Verdict};
use engine::plan::{HeadRunSummary, Remedy};
use engine::problem::head_sizes::{Delay, Memory, Operations};
use engine::scenario::heads::Scenario;
use engine::units::{NARROW, bytes, percent, seconds, tokens_a_second};
use methods::heads::Part;
use methods::heads::algorithm1::Variant;
use methods::heads::baseline::Pick;
use methods::heads::run::{Init, Strategy};
use planner::heads::{
    Cause, HeadsPlan, HeadsVariant, Layers, all_layers, ffn_first, ffn_hosts, ours,
};
use planner::heads_compared::{Rival, apart, rival, split_optimum, unproved};
use planner::heads_run::Comparison;

/// `head 3`, `projection`, `FFN`; heads count from 1 as people do.
#[must_use]
pub fn block_name(scenario: &Scenario, block: usize) -> String {
    let heads = scenario.model.placed_heads() as usize;
    match block.checked_sub(heads) {
        None => format!("head {}", block + 1),
        Some(0) => "projection".to_owned(),
        Some(_) => "FFN".to_owned(),
    }
}

/// Returns the name of a rule.
#[must_use]
pub fn rule_name(rule: Strategy) -> String {
    let variant = |variant: Variant| match variant {
        Variant::Published => "as published",
        Variant::WithMigration => "with migration",
        Variant::LoadAware => "load-aware",
    };
    match rule {
        Strategy::Exact => "Edgewise".to_owned(),
        Strategy::ExactSplit => "Edgewise, layer split".to_owned(),
        Strategy::ExactAhead { intervals } => format!("Edgewise, {intervals} ahead"),
        Strategy::Horizon { intervals, .. } => format!("Edgewise, horizon {intervals}"),
        Strategy::Algorithm1 { variant: which } => format!("Algorithm 1, {}", variant(which)),
        Strategy::Greedy => "Greedy".to_owned(),
        Strategy::RoundRobin => "Round-Robin".to_owned(),
        Strategy::Static { init } => match init {
            Init::Algorithm1(_) => "Static".to_owned(),
            Init::Greedy => "Static, from Greedy".to_owned(),
            Init::Exact => "Static, from the exact one".to_owned(),
        },
        Strategy::Dynamic => "Dynamic, whole layer".to_owned(),
        Strategy::EdgeShard { pick: Pick::Best } => "EdgeShard, best device".to_owned(),
        Strategy::EdgeShard { pick: Pick::First } => "EdgeShard, first device".to_owned(),
        Strategy::Galaxy { devices } => format!("Galaxy on {devices} devices"),
    }
}

/// Describes a rule in one line.
#[must_use]
pub fn about(rule: Strategy) -> &'static str {
    match rule {
        Strategy::Exact => {
            "the least time of each interval, moves included; proven optimal among placements of whole blocks"
        }
        Strategy::ExactSplit => {
            "the least time of each interval where the layer may also be split over a group of devices, as Galaxy does, and \
             the split may change; proven optimal among all such plans and placements of whole blocks, so it is not ranked \
             with the latter"
        }
        Strategy::ExactAhead { .. } => {
            "the same, with the cost of a move spread over several intervals"
        }
        Strategy::Horizon { .. } => {
            "looks several intervals ahead, over the best placements of each"
        }
        Strategy::Algorithm1 { .. } => {
            "the paper\u{2019}s Algorithm 1; its score looks at one block at a time unless it is load-aware"
        }
        Strategy::Greedy => "first fit, largest blocks first, redone in every interval",
        Strategy::RoundRobin => "blocks dealt to the devices in turn, redone in every interval",
        Strategy::Static { .. } => "the placement of the first interval, kept",
        Strategy::Dynamic => "the whole layer on one device, chosen again in every interval",
        Strategy::EdgeShard { .. } => "the whole layer on one device, chosen once",
        Strategy::Galaxy { .. } => {
            "tensor parallelism over the fastest devices, chosen once: splits projection and FFN over devices as well, which a \
             placement of whole blocks cannot; so it is shown but not ranked"
        }
    }
}

/// The parts of a run's time [s]: heads, projection and FFN, between them, moving.
#[must_use]
pub fn time_parts(planned: &HeadsPlan) -> [(&'static str, f64); 4] {
    let sum = |list: &[f64]| list.iter().sum::<f64>();
    let times = &planned.times;
    [
        ("Head stage", sum(&times.head_stage)),
        ("Projection, FFN", sum(&times.proj) + sum(&times.ffn)),
        ("Transfer", sum(&times.transfer)),
        ("Moving", sum(&times.moving)),
    ]
}

/// Moves of heads, and of projection and FFN together.
#[must_use]
pub fn moves_by_kind(scenario: &Scenario, planned: &HeadsPlan) -> (usize, usize) {
    let heads = scenario.model.placed_heads() as usize;
    let of_heads = planned.moves.iter().filter(|m| m.block < heads).count();
    (of_heads, planned.moves.len() - of_heads)
}

fn counted(n: usize, one: &str, many: &str) -> String {
    match n {
        0 => format!("no {many}"),
        1 => format!("1 {one}"),
        _ => format!("{n} {many}"),
    }
}

/// Puts a run into words; `is_whole` says whether all of it has come.
#[must_use]
pub fn verdict(scenario: &Scenario, planned: &HeadsPlan, is_whole: bool) -> Verdict {
    let count = planned.places.len();
    let devices = counted(count, "device", "devices");
    let done = planned.times.elapsed.len();
    let sum = &planned.summary;
    if let Some(n) = planned.failed_at {
        return Verdict {
            proof: "Does not fit, proven".to_owned(),
            tone: Tone::Bad,
            headline: Sentence::default()
                .plain("No placement on ")
                .plain(devices)
                .plain(" holds the layer at ")
                .strong(format!("token {n}"))
                .plain("."),
            summary: failed_lead(scenario, planned),
            reason: Sentence::default().plain(until_then(done, sum)),
        };
    }
    let (proof, tone) = match (is_whole, ours(scenario)) {
        (false, _) => (format!("{done} of {} tokens", planned.tokens), Tone::Open),
        (true, Strategy::Exact) => (
            format!(
                "Optimal for whole blocks at each {}, proven",
                each(scenario)
            ),
            Tone::Good,
        ),
        (true, _) => (
            "Best within its look-ahead; no overall bound".to_owned(),
            Tone::Open,
        ),
    };
    let tokens = match (done, is_whole) {
        (1, _) => "1 token takes".to_owned(),
        (n, true) => format!("{n} tokens take"),
        (n, false) => format!("The first {n} tokens take"),
    };
    let all = all_layers(scenario, planned).filter(|all| is_whole && all.count > 1.0);
    let tokens = match &all {
        Some(all) => format!("One of {} layers: {tokens}", all.count),
        None => tokens,
    };
    let headline = Sentence::default()
        .plain(format!("{tokens} "))
        .strong(seconds(sum.seconds))
        .plain(format!(
            " on {devices}, with {}",
            counted(sum.moves as usize, "move", "moves")
        ));
    let headline = match all {
        Some(all) if all.fits() => headline
            .plain("; all layers fit, ")
            .strong(tokens_a_second(f64::from(sum.tokens) / all.seconds))
            .plain(" without the output head."),
        Some(_) => headline.plain("; not all layers fit when they are placed alike."),
        None => headline.plain("."),
    };
    Verdict {
        proof,
        tone,
        headline,
        summary: lead_sentence(scenario, planned),
        reason: reason(scenario, planned),
    }
}

fn until_then(done: usize, sum: &HeadRunSummary) -> String {
    match done {
        0 => "Not even the first token can be generated.".to_owned(),
        1 => format!("Until then 1 token took {}.", seconds(sum.seconds)),
        n => format!("Until then {n} tokens took {}.", seconds(sum.seconds)),
    }
}

/// The cause, and the smallest repair of one device.
fn failed_lead(scenario: &Scenario, planned: &HeadsPlan) -> Sentence {
    let mut sentence = Sentence::default();
    let Some(proof) = &planned.proof else {
        return sentence;
    };
    sentence = sentence.plain(match &proof.cause {
        Cause::Compute => "No device has any compute left at that token.".to_owned(),
        Cause::Links => "Because of missing links, or devices without compute, no placement would ever finish, however \
                         much memory there is."
            .to_owned(),
        Cause::Block { part, need, have } => {
            let part = match part {
                Part::Head => "A head",
                Part::Proj => "The projection",
                Part::Ffn => "The FFN",
            };
            format!(
                "{part} needs {}, and no device has more than {} free.",
                bytes(*need),
                bytes(*have)
            )
        }
        Cause::TotalMemory { need, have } => format!(
            "The layer needs {}, and all devices together have {} free.",
            bytes(*need),
            bytes(*have)
        ),
        Cause::Packing { need, have } => format!(
            "The layer's {} would fit into the {} free on all devices together, but its blocks cannot be packed.",
            bytes(*need),
            bytes(*have)
        ),
        Cause::Reach => {
            "The blocks fit only on devices that are ruled out by missing links or missing compute.".to_owned()
        }
    });
    let least = proof.repairs.iter();
    match least.min_by(|a, b| a.more.total_cmp(&b.more)) {
        Some(repair) => {
            let name = planned.places.get(repair.device);
            let name = name.map_or_else(String::new, |at| device_name(scenario, *at));
            sentence
                .plain(" The smallest repair is ")
                .strong(format!("{} more on {name}", bytes(repair.more)))
                .plain(" at that token.")
        }
        None => sentence,
    }
}

fn lead_sentence(scenario: &Scenario, planned: &HeadsPlan) -> Sentence {
    let (of_heads, of_rest) = moves_by_kind(scenario, planned);
    let sum = &planned.summary;
    let mut sentence = Sentence::default();
    sentence = if of_heads + of_rest == 0 {
        sentence.plain("Nothing moves while the answer grows. ")
    } else {
        sentence.plain(format!(
            "{}; {}. Moving takes {}. ",
            moved("Heads move", "Heads stay put", of_heads),
            moved(
                "projection and FFN move",
                "projection and FFN stay put",
                of_rest
            ),
            seconds(sum.moving)
        ))
    };
    let all = all_layers(scenario, planned);
    if let Some(all) = all.filter(|all| all.count > 1.0 && all.fits()) {
        sentence = sentence.plain(format!(
            "All {} layers, placed alike, take {}. ",
            all.count,
            seconds(all.seconds)
        ));
    }
    if sum.without_plan > 0 {
        let kept = planned.without_plan.iter();
        let kept = kept.filter(|w| w.remedy == Remedy::Kept).count();
        sentence = sentence.strong(format!(
            "{} without a placement of its own; {kept} kept the previous one. ",
            counted(sum.without_plan as usize, "interval", "intervals")
        ));
    }
    sentence
}

/// "Heads move 3 times", "Heads stay put".
fn moved(move_: &str, stay: &str, n: usize) -> String {
    match n {
        0 => stay.to_owned(),
        1 => format!("{move_} once"),
        2 => format!("{move_} twice"),
        n => format!("{move_} {n} times"),
    }
}

/// Compares our rule with the next best placement of whole blocks over all draws of a comparison, draw by draw, and with plans
/// that split the layer, which are not ranked. `None` while draws are missing, or if no rule succeeded in all draws in which ours
/// did.
///
/// # Complexity
/// O(s log s) a rule for s draws.
#[must_use]
pub fn against(scenario: &Scenario, drawn: &Comparison) -> Option<Sentence> {
    let count = drawn.seeds().len();
    let found = rival(scenario, drawn)?;
    let name = rule_name(*drawn.strategies().get(found.at)?);
    let ours = rule_name(*drawn.strategies().first()?);
    let later = found.extra_time_s.spread.mean;
    let over = match (scenario.draws.networks, count) {
        (false, 1) => "On this draw".to_owned(),
        (true, 1) => "On one drawn network".to_owned(),
        (false, _) => format!("Over {count} draws"),
        (true, _) => format!("Over {count} drawn networks"),
    };
    let mean = if count == 1 { "" } else { " on average" };
    let share = drawn.ratio(0, found.at)?.spread.mean;
    let start = Sentence::default().plain(format!("{over} "));
    let sentence = if later > 0.0 {
        start
            .plain(format!("{ours} is "))
            .strong(format!(
                "{} ({}) faster",
                seconds(later),
                percent(100.0 * (1.0 - share), 1)
            ))
            .plain(format!(
                "{mean} than {name}, the next best placement of whole blocks."
            ))
    } else if later < 0.0 {
        start
            .plain(format!("{name} is "))
            .strong(format!("{} faster", seconds(-later)))
            .plain(format!(
                "{mean}: the best choice at each token need not be the best over all tokens."
            ))
    } else {
        start.plain(format!("{name} takes as long as {ours}."))
    };
    Some(match not_ranked(scenario, drawn, mean) {
        Some(other) => sentence.followed(other),
        None => sentence,
    })
}

/// Describes the times of plans that split the layer, ours and the fastest baseline, which are not ranked.
fn not_ranked(scenario: &Scenario, drawn: &Comparison, mean: &str) -> Option<Sentence> {
    let best = split_optimum(scenario, drawn);
    let baseline = apart(scenario, drawn);
    // Over the draws that both came through: all that ours did.
    let ours = drawn.seconds(0)?.spread.mean;
    let theirs = |found: Rival| seconds(ours + found.extra_time_s.spread.mean);
    let name = |found: Rival| {
        drawn
            .strategies()
            .get(found.at)
            .map(|rule| rule_name(*rule))
    };
    let split = best.map(|best| {
        let proof = proof(scenario, drawn, best.at);
        let gain = best.extra_time_s.spread.mean;
        if gain.abs() <= 1e-9 * ours {
            return format!(" Splitting projection and FFN over devices as well would gain nothing ({proof})");
        }
        format!(
            " Splitting projection and FFN over devices as well would take {} against {}{mean} ({proof})",
            theirs(best),
            seconds(ours)
        )
    });
    let baseline = baseline.and_then(|found| Some((name(found)?, theirs(found))));
    let words = match (split, baseline) {
        (Some(split), Some((name, time))) => format!(
            "{split}; {name} splits them too and takes {time}. These are not ranked here, because this plan keeps both whole."
        ),
        (Some(split), None) => {
            format!("{split}. That is not ranked here, because this plan keeps both whole.")
        }
        (None, Some((name, time))) => format!(
            " {name} takes {time} against {}{mean}; it is not ranked here, because it also splits projection and FFN over \
             devices, which this plan does not.",
            seconds(ours)
        ),
        (None, None) => return None,
    };
    Some(Sentence::default().plain(words))
}

/// Names the unit that is planned again: each token or each interval.
fn each(scenario: &Scenario) -> &'static str {
    if scenario.interval_tokens > 1.0 {
        "interval"
    } else {
        "token"
    }
}

/// How far an exact rule is proved over all draws.
fn proof(scenario: &Scenario, drawn: &Comparison, rule: usize) -> String {
    let each = each(scenario);
    let of_a_draw = (scenario.new_tokens / scenario.interval_tokens).ceil();
    match unproved(drawn, rule) {
        0 => format!("optimal at each {each}, proven"),
        n => format!(
            "proven optimal at all but {n} of {} {each}s",
            of_a_draw * drawn.seeds().len() as f64
        ),
    }
}

fn reason(scenario: &Scenario, planned: &HeadsPlan) -> Sentence {
    let [heads, rest, transfer, moving] = time_parts(planned).map(|(_, time)| time);
    let total = heads + rest + transfer + moving;
    let share = |time: f64| percent(100.0 * time / total.max(f64::MIN_POSITIVE), 0);
    let Some(device) = ffn_first(planned).first().copied() else {
        return Sentence::default();
    };
    let hosts = ffn_hosts(planned);
    let tokens = hosts.iter().find(|(host, _)| *host == device);
    let tokens = tokens.map_or(0, |(_, tokens)| *tokens);
    let name = device_name(scenario, planned.places[device]);
    let done = planned.times.elapsed.len().max(1);
    let often = match tokens {
        all if all == done => "every token".to_owned(),
        some => format!(
            "{} of the tokens",
            percent(100.0 * some as f64 / done as f64, 0)
        ),
    };
    if rest >= heads && scenario.demands.delay == Delay::Full {
        Sentence::default()
            .strong("The FFN is one block, and it sets the pace.")
            .plain(format!(
                " Projection and FFN are {} of the time; {name} runs the FFN for {often}. Extra devices shorten only the head \
                 stage.",
                share(rest)
            ))
    } else if heads >= rest {
        Sentence::default()
            .strong("The head stage sets the pace.")
            .plain(format!(
                " Inputs, heads and their outputs are {} of the time: another device with a good link would take heads off the \
                 slowest one.",
                share(heads)
            ))
    } else {
        Sentence::default()
            .strong("Transfers and moves set the pace.")
            .plain(format!(
                " They are {} of the time.",
                share(transfer + moving)
            ))
    }
}

/// Returns the notes on numbers by the published table; empty for physical demands.
#[must_use]
pub fn table_notes(scenario: &Scenario) -> Vec<String> {
    let mut notes = Vec::new();
    let Ok(layer) = scenario.layer() else {
        return notes;
    };
    let model = &scenario.model;
    let n = scenario.new_tokens;
    let all = scenario.prompt_tokens + n;
    if scenario.demands.memory == Memory::Table {
        let counted = n * model.width * model.value_bytes;
        let real = 2.0 * all * (model.width / model.heads) * model.value_bytes;
        notes.push(format!(
            "Table I of the paper adds a cache of {} to every head at token {n}: the full width, one tensor, the prompt left \
             out. Keys and values of one head are {}, and its row for heads already includes a similar term.",
            bytes(counted),
            bytes(real)
        ));
    }
    if scenario.demands.memory != Memory::Physical {
        notes.push(
            "Memory of projection and FFN counts their activations only; the weights, which the paper mentions, are left out."
                .to_owned(),
        );
    }
    if scenario.demands.operations != Operations::Cached {
        let pass = layer.sizes(n as u32);
        let heads = model.heads as u32;
        let cached = Scenario {
            demands: engine::scenario::heads::presets::PHYSICAL,
            ..scenario.clone()
        };
        let less = cached
            .layer()
            .ok()
            .map(|layer| pass.all_operations(heads) / layer.sizes(n as u32).all_operations(heads));
        notes.push(format!(
            "Operations are those of a pass over all {all} tokens, as if there were no cache: {:.0} times those of a step with \
             a cache at token {n}. The model pays for the cache without using it.",
            less.unwrap_or(f64::NAN)
        ));
    }
    if scenario.demands.delay == Delay::Eq6 {
        notes.push(
            "Equation (6) as printed leaves out the time of projection and FFN, which is most of the work.".to_owned(),
        );
    }
    notes
}

/// A change whose worth is asked for, in words.
#[must_use]
pub fn change_words(scenario: &Scenario, instead: HeadsVariant) -> String {
    match instead {
        HeadsVariant::Compute { device, times } => {
            let now = scenario.devices.get(device).map_or(0.0, |d| d.compute_gops);
            let name = device_name(scenario, device);
            format!("{name} at {:.1}{NARROW}Gop/s", now * times)
        }
        HeadsVariant::Links { times } => format!("every link {times} times as fast"),
        HeadsVariant::Memory { times } => format!("{times} times the memory everywhere"),
        HeadsVariant::Without { device } => format!("without {}", device_name(scenario, device)),
    }
}

/// Describes a plan for several layers.
#[must_use]
pub fn layers_words(scenario: &Scenario, layers: &Layers) -> Sentence {
    let Layers {
        layers: count,
        token,
        ..
    } = layers;
    let sentence = Sentence::default();
    match (layers.seconds, layers.bound) {
        (Some(seconds_a_token), bound) => {
            let sentence = sentence
                .plain(format!("{count} layers at token {token} take "))
                .strong(seconds(seconds_a_token))
                .plain(" per token.");
            match bound {
                Some(bound) => {
                    let gap = (seconds_a_token / bound.max(f64::MIN_POSITIVE) - 1.0).max(0.0);
                    sentence.plain(format!(
                        " No plan can take less than {}, so this one is at most {} above the optimum.",
                        seconds(bound),
                        percent(100.0 * gap, 2)
                    ))
                }
                None => sentence,
            }
        }
        (None, None) => sentence.plain(format!(
            "{count} layers do not fit on these devices at token {token}: the bound proves that no plan exists."
        )),
        (None, Some(bound)) => sentence.plain(format!(
            "No plan for {count} layers was found at token {token}, and none can take less than {}. {}",
            seconds(bound),
            match scenario.demands.memory {
                Memory::Table => "Physical demands need less memory.",
                _ => "More memory may help.",
            }
        )),
    }
}
