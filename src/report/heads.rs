//! What an answer about attention heads says: the headline, what it means, what sets the pace, what is wrong with the
//! published table; and its tables.

use super::Sentence;
use super::cold_start::{Tone, Words};
use super::table::{Cell, Column, Table};
use crate::evaluate::heads::Scored;
use crate::job::heads::{Cause, Drawn, Instead, Planned, Track, ffn_first, ffn_hosts, ours, rules};
use crate::methods::heads::Part;
use crate::methods::heads::algorithm1::Variant;
use crate::methods::heads::baseline::Pick;
use crate::methods::heads::run::{Init, Strategy};
use crate::plan::{HeadRunSummary, Remedy};
use crate::problem::head_sizes::{Delay, Memory, Operations};
use crate::problem::heads::HeadPlacement;
use crate::scenario::heads::Scenario;
use crate::sim::Spread;
use crate::units::{NARROW, bytes, percent, seconds};

/// Decimals of seconds that a reader sees.
const S: usize = 3;

/// The name of a device, or its place where it has none.
#[must_use]
pub fn device_name(scenario: &Scenario, device: usize) -> String {
    match scenario.devices.get(device).map(|d| d.name.trim()) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("Device {}", device + 1),
    }
}

/// `head 3`, `projection`, `FFN`; heads count from 1 as people do.
#[must_use]
pub fn block_name(scenario: &Scenario, block: usize) -> String {
    let heads = scenario.model.heads as usize;
    match block.checked_sub(heads) {
        None => format!("head {}", block + 1),
        Some(0) => "projection".to_owned(),
        Some(_) => "FFN".to_owned(),
    }
}

/// What a rule is called.
#[must_use]
pub fn rule_name(rule: Strategy) -> String {
    let variant = |variant: Variant| match variant {
        Variant::Published => "as published",
        Variant::WithMigration => "with migration",
        Variant::LoadAware => "load-aware",
    };
    match rule {
        Strategy::Exact => "Edgewise".to_owned(),
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
        Strategy::Galaxy { devices } => format!("Galaxy, {devices} devices"),
    }
}

/// What a rule does, in a line.
#[must_use]
pub fn about(rule: Strategy) -> &'static str {
    match rule {
        Strategy::Exact => {
            "the least time of the interval with what moving costs, proven at every interval"
        }
        Strategy::ExactAhead { .. } => "the same, with a move taken to pay for several intervals",
        Strategy::Horizon { .. } => {
            "looks several intervals ahead over the best placements of each"
        }
        Strategy::Algorithm1 { .. } => {
            "the paper\u{2019}s heuristic; its score looks at one block at a time unless it is load-aware"
        }
        Strategy::Greedy => {
            "the first device with room, largest blocks first, anew for every interval"
        }
        Strategy::RoundRobin => "blocks in turn over the devices, anew for every interval",
        Strategy::Static { .. } => "one placement of the first interval, kept",
        Strategy::Dynamic => "the whole layer on one device, chosen anew for every interval",
        Strategy::EdgeShard { .. } => "the whole layer on one device, chosen once",
        Strategy::Galaxy { .. } => {
            "tensor parallelism: projection and FFN are split too, which no placement of blocks may do"
        }
    }
}

/// Whether a rule may split projection and FFN, so that it is not beaten or beats on equal terms.
#[must_use]
pub const fn splits(rule: Strategy) -> bool {
    matches!(rule, Strategy::Galaxy { .. })
}

/// The parts of a run's time [s]: heads, projection and FFN, between them, moving.
#[must_use]
pub fn parts(planned: &Planned) -> [(&'static str, f64); 4] {
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
pub fn moves_by_kind(scenario: &Scenario, planned: &Planned) -> (usize, usize) {
    let heads = scenario.model.heads as usize;
    let of_heads = planned.moves.iter().filter(|m| m.block < heads).count();
    (of_heads, planned.moves.len() - of_heads)
}

fn counted(n: usize, one: &str, many: &str) -> String {
    match n {
        0 => format!("no {one}"),
        1 => format!("1 {one}"),
        _ => format!("{n} {many}"),
    }
}

/// Puts a run into words; `is_whole` says whether all of it has come.
#[must_use]
pub fn words(scenario: &Scenario, planned: &Planned, is_whole: bool) -> Words {
    let count = planned.places.len();
    let devices = counted(count, "device", "devices");
    let done = planned.times.elapsed.len();
    let sum = &planned.summary;
    if let Some(n) = planned.failed_at {
        return Words {
            proof: "Does not fit, proven".to_owned(),
            tone: Tone::Bad,
            headline: Sentence::default()
                .plain("No placement on ")
                .plain(devices)
                .plain(" holds the layer at ")
                .strong(format!("token {n}"))
                .plain("."),
            lead: failed_lead(scenario, planned),
            reason: Sentence::default().plain(until_then(done, sum)),
        };
    }
    let (proof, tone) = match (is_whole, ours(scenario)) {
        (false, _) => (format!("{done} of {} tokens", planned.tokens), Tone::Open),
        (true, Strategy::Exact) => {
            let each = if scenario.interval_tokens > 1.0 {
                "interval"
            } else {
                "token"
            };
            (format!("Optimal at each {each}, proven"), Tone::Good)
        }
        (true, _) => (
            "Best for what it looks ahead to, no bound on the whole".to_owned(),
            Tone::Open,
        ),
    };
    let tokens = match (done, is_whole) {
        (1, _) => "1 token takes".to_owned(),
        (n, true) => format!("{n} tokens take"),
        (n, false) => format!("The first {n} tokens take"),
    };
    let headline = Sentence::default()
        .plain(format!("{tokens} "))
        .strong(seconds(sum.seconds))
        .plain(format!(
            " on {devices}, with {}.",
            counted(sum.moves as usize, "move", "moves")
        ));
    Words {
        proof,
        tone,
        headline,
        lead: lead(scenario, planned),
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
fn failed_lead(scenario: &Scenario, planned: &Planned) -> Sentence {
    let mut sentence = Sentence::default();
    let Some(proof) = &planned.proof else {
        return sentence;
    };
    sentence = sentence.plain(match &proof.cause {
        Cause::Compute => "No device has any compute left then.".to_owned(),
        Cause::Links => "Missing links, or devices without compute, leave no placement that would ever finish, whatever \
                         the memory."
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
            "The {} of the layer would fit into the {} that are free in all, but its blocks do not pack.",
            bytes(*need),
            bytes(*have)
        ),
        Cause::Reach => {
            "The blocks fit, but only on devices that missing links or missing compute rule out.".to_owned()
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

fn lead(scenario: &Scenario, planned: &Planned) -> Sentence {
    let (of_heads, of_rest) = moves_by_kind(scenario, planned);
    let sum = &planned.summary;
    let mut sentence = Sentence::default();
    sentence = if of_heads + of_rest == 0 {
        sentence.plain("Nothing moves while the answer grows. ")
    } else {
        sentence.plain(format!(
            "Projection and FFN move {} in all, heads {}, which takes {}. ",
            times(of_rest),
            times(of_heads),
            seconds(sum.moving)
        ))
    };
    if sum.without_plan > 0 {
        let kept = planned.without_plan.iter();
        let kept = kept.filter(|w| w.remedy == Remedy::Kept).count();
        sentence = sentence.strong(format!(
            "{} without a placement, {kept} of which kept the one before. ",
            counted(sum.without_plan as usize, "interval", "intervals")
        ));
    }
    sentence
}

fn times(n: usize) -> String {
    match n {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{n} times"),
    }
}

/// What our run is against others on the same draw, once they have come.
#[must_use]
pub fn against(planned: &Planned, tracks: &[Track]) -> Option<Sentence> {
    let rival = tracks
        .iter()
        .filter(|track| !splits(track.strategy) && track.summary.failed_at.is_none())
        .min_by(|a, b| a.summary.seconds.total_cmp(&b.summary.seconds))?;
    let (ours, theirs) = (planned.summary.seconds, rival.summary.seconds);
    let name = rule_name(rival.strategy);
    Some(if theirs > ours {
        Sentence::default()
            .plain("That is ")
            .strong(format!(
                "{} ({}) sooner",
                seconds(theirs - ours),
                percent(100.0 * (theirs - ours) / theirs, 1)
            ))
            .plain(format!(" than {name}, the next best on this draw."))
    } else {
        Sentence::default()
            .plain(format!("{name} is "))
            .strong(format!("{} sooner", seconds(ours - theirs)))
            .plain(
                " over the whole run: the best choice at each token need not be the best for all.",
            )
    })
}

fn reason(scenario: &Scenario, planned: &Planned) -> Sentence {
    let [heads, rest, transfer, moving] = parts(planned).map(|(_, time)| time);
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
    let often = percent(100.0 * tokens as f64 / done as f64, 0);
    if rest >= heads && scenario.demands.delay == Delay::Full {
        Sentence::default()
            .strong("The FFN is one block, and it sets the pace.")
            .plain(format!(
                " Projection and FFN are {} of the time; {name} runs the FFN for {often} of the tokens. More devices shorten \
                 the head stage alone.",
                share(rest)
            ))
    } else if heads >= rest {
        Sentence::default()
            .strong("The head stage sets the pace.")
            .plain(format!(
                " Inputs, heads and their outputs are {} of the time: a further device with a good link takes heads off the \
                 slowest.",
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

/// What must be said wherever numbers by the published table are shown; nothing under the honest setting.
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
            "Table I adds a cache of {} to every head at token {n}: the full width, one tensor, the prompt left out. Keys and \
             values of one head are {}, and its row for heads holds a like term already.",
            bytes(counted),
            bytes(real)
        ));
    }
    if scenario.demands.memory != Memory::Physical {
        notes.push(
            "Memory of projection and FFN is their activations; the weights, of which the paper speaks, are left out."
                .to_owned(),
        );
    }
    if scenario.demands.operations != Operations::Cached {
        let pass = layer.sizes(n as u32);
        let heads = model.heads as u32;
        let cached = Scenario {
            demands: crate::scenario::heads::presets::PHYSICAL,
            ..scenario.clone()
        };
        let less = cached
            .layer()
            .ok()
            .map(|layer| pass.all_operations(heads) / layer.sizes(n as u32).all_operations(heads));
        notes.push(format!(
            "Operations are those of a pass over all {all} tokens, as if there were no cache: {:.0} times what a step with a \
             cache takes at token {n}. The model pays for the cache and does not use it.",
            less.unwrap_or(f64::NAN)
        ));
    }
    if scenario.demands.delay == Delay::Eq6 {
        notes.push(
            "Equation (6) as printed leaves the time of projection and FFN out, which is most of the work.".to_owned(),
        );
    }
    notes
}

/// Every token of a run: its parts, and what they add up to.
#[must_use]
pub fn tokens(planned: &Planned) -> Table {
    let columns = [
        ("token", "token", ""),
        ("head_stage_s", "head stage", "s"),
        ("projection_s", "projection", "s"),
        ("transfer_s", "transfer", "s"),
        ("ffn_s", "FFN", "s"),
        ("moving_s", "moving", "s"),
        ("elapsed_s", "in all until then", "s"),
        ("largest_memory_mb", "largest memory of a device", "MB"),
    ];
    let times = &planned.times;
    let rows = (0..times.elapsed.len()).map(|at| {
        let second = |list: &[f64]| Cell::Number(list[at], 4);
        vec![
            Cell::whole(at + 1),
            second(&times.head_stage),
            second(&times.proj),
            second(&times.transfer),
            second(&times.ffn),
            second(&times.moving),
            second(&times.elapsed),
            Cell::Number(times.peak_memory[at] / 1e6, 2),
        ]
    });
    table("tokens", "Time of every token", &columns, rows.collect())
}

/// Every move of a run.
#[must_use]
pub fn moves(scenario: &Scenario, planned: &Planned) -> Table {
    let columns = [
        ("token", "before token", ""),
        ("block", "block", ""),
        ("from", "from", ""),
        ("to", "to", ""),
        ("megabytes", "takes along", "MB"),
        ("seconds", "takes", "s"),
    ];
    let rows = planned.moves.iter().map(|m| {
        let name = |device: usize| device_name(scenario, planned.places[device]);
        vec![
            Cell::whole(m.token as usize),
            Cell::text(block_name(scenario, m.block)),
            Cell::text(name(m.from)),
            Cell::text(name(m.to)),
            Cell::Number(m.bytes / 1e6, 3),
            Cell::Number(m.seconds, 4),
        ]
    });
    table("moves", "Moves", &columns, rows.collect())
}

/// What each device held and did.
#[must_use]
pub fn devices(scenario: &Scenario, planned: &Planned) -> Table {
    let columns = [
        ("device", "device", ""),
        ("compute_gops", "compute", "Gop/s"),
        ("memory_gb", "memory", "GB"),
        ("heads_first", "heads at token 1", ""),
        ("heads_last", "heads at the end", ""),
        ("ffn_share_pct", "FFN", "% of tokens"),
        ("busy_s", "computes", "s"),
        ("busy_pct", "of the run", "%"),
        ("largest_memory_mb", "largest memory", "MB"),
    ];
    let count = planned.places.len();
    let heads_at = |segment: Option<&crate::plan::HeadSegment>| {
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
            Cell::whole(first[at]),
            Cell::whole(last[at]),
            Cell::Number(ffn.map_or(0.0, |(_, n)| 100.0 * *n as f64 / done), 1),
            Cell::Number(used.busy, 2),
            Cell::Number(100.0 * used.busy / total.max(f64::MIN_POSITIVE), 1),
            Cell::Number(used.peak_memory / 1e6, 2),
        ]
    });
    table("devices", "Devices over the run", &columns, rows.collect())
}

/// The runs of a rule over all draws that have come, and those that failed.
#[must_use]
pub fn over_draws(drawn: &[Drawn], rule: usize) -> (Vec<f64>, usize) {
    let sums = drawn.iter().filter_map(|draw| draw.sums.get(rule));
    let all: Vec<&HeadRunSummary> = sums.collect();
    let whole = all.iter().filter(|sum| sum.failed_at.is_none());
    let seconds: Vec<f64> = whole.map(|sum| sum.seconds).collect();
    let failed = all.len() - seconds.len();
    (seconds, failed)
}

/// Every rule on the draw on show and over all draws that have come.
#[must_use]
pub fn comparison(scenario: &Scenario, drawn: &[Drawn]) -> Table {
    let columns = [
        ("rule", "rule", ""),
        ("mean_s", "mean", "s"),
        ("least_s", "least", "s"),
        ("most_s", "most", "s"),
        ("to_ours", "to ours", "times"),
        ("moves", "moves", ""),
        ("moving_s", "moving", "s"),
        ("largest_memory_mb", "largest memory", "MB"),
        ("without_plan", "intervals without a placement", ""),
        ("over_memory", "intervals over memory", ""),
        ("failed", "runs that failed", ""),
    ];
    let of_ours = over_draws(drawn, 0).0;
    let ours = Spread::of(&of_ours);
    let rows = rules(scenario).into_iter().enumerate().map(|(at, rule)| {
        let sums: Vec<&HeadRunSummary> = drawn.iter().filter_map(|d| d.sums.get(at)).collect();
        let (times, failed) = over_draws(drawn, at);
        let spread = Spread::of(&times);
        let mean_of = |part: &dyn Fn(&HeadRunSummary) -> f64| {
            let count = sums.len();
            (count > 0).then(|| sums.iter().map(|sum| part(sum)).sum::<f64>() / count as f64)
        };
        // Only draws that both came through are compared.
        let ratio = (failed == 0).then_some(spread).flatten().zip(ours);
        vec![
            Cell::text(rule_name(rule)),
            Cell::maybe(spread.map(|s| s.mean), 1),
            Cell::maybe(spread.map(|s| s.min), 1),
            Cell::maybe(spread.map(|s| s.max), 1),
            Cell::maybe(ratio.map(|(s, ours)| s.mean / ours.mean), S),
            Cell::maybe(mean_of(&|sum| f64::from(sum.moves)), 1),
            Cell::maybe(mean_of(&|sum| sum.moving), 2),
            Cell::maybe(mean_of(&|sum| sum.peak_memory / 1e6), 2),
            Cell::maybe(mean_of(&|sum| f64::from(sum.without_plan)), 1),
            Cell::maybe(mean_of(&|sum| f64::from(sum.violations)), 1),
            Cell::whole(failed),
        ]
    });
    let title = match drawn.len() {
        1 => "Rules on one draw".to_owned(),
        n => format!("Rules over {n} draws"),
    };
    table("comparison", &title, &columns, rows.collect())
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
            .map(|(key, head, unit)| Column::new(key, *head, unit))
            .collect(),
        rows,
    }
}

/// "32 heads, D 2048": the layer in short.
#[must_use]
pub fn layer_words(scenario: &Scenario) -> String {
    let m = &scenario.model;
    let each = m.width / m.heads;
    format!(
        "{} heads of width {each}, {}{NARROW}B a value",
        m.heads, m.value_bytes
    )
}

/// What each device does at a token: a row a device of the plan.
#[must_use]
pub fn at_token(
    scenario: &Scenario,
    planned: &Planned,
    problem: &HeadPlacement,
    (placement, scored): (&[usize], &Scored),
) -> Table {
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
        ("memory_mb", "holds", "MB"),
        ("free_mb", "of free", "MB"),
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
            Cell::whole(stage.map_or(0, |stage| stage.heads)),
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
    table("at-token", "Devices at a token", &columns, rows.collect())
}

/// A change whose worth is asked for, in words.
#[must_use]
pub fn change_words(scenario: &Scenario, instead: Instead) -> String {
    match instead {
        Instead::Compute { device, times } => {
            let now = scenario.devices.get(device).map_or(0.0, |d| d.compute_gops);
            let name = device_name(scenario, device);
            format!("{name} at {:.1}{NARROW}Gop/s", now * times)
        }
        Instead::Links { times } => format!("every link at {times} times its rate"),
        Instead::Memory { times } => format!("{times} times the memory everywhere"),
        Instead::Without { device } => format!("without {}", device_name(scenario, device)),
    }
}

/// What changes would save.
#[must_use]
pub fn changes(
    scenario: &Scenario,
    planned: &Planned,
    found: &[(Instead, Option<HeadRunSummary>)],
) -> Table {
    let columns = [
        ("change", "if you had", ""),
        ("seconds", "the answer takes", "s"),
        ("sooner_s", "sooner by", "s"),
        ("sooner_pct", "sooner by", "%"),
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
