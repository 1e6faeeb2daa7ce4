//! Sentences of an answer about device or server: headline, lead, reason. Its tables are in [`tables`].

pub mod charts;
mod figures;
mod presenter;
pub mod sections;
mod start_rules;
mod tables;

pub use tables::{
    bills, comparison, every_token, law, predictors, rules, runs, several, sweep, waits,
};

pub use ::protocol::names::dispatch::{first_token_words, prompt_words, reply_words};
use document::Sentence;
use document::quantity::money;
use document::{Tone, Verdict};
use engine::plan::dispatch::Scarce;
use engine::problem::migration::Winner;
use engine::scenario::dispatch::log::Compacted;
use engine::scenario::dispatch::{FirstToken, Goal, Prompts, Scenario};
use engine::units::{count, percent, seconds, tokens_a_second};
use methods::dispatch::transfer_size;
use planner::dispatch::{
    DispatchPlan, FollowedRequest, ImportedLog, Rule, ScoredPolicy, WaitAt, waits_of, zones,
};
use planner::summary::is_gain;

/// The name of a device, or its place where it has none.
#[must_use]
pub fn device_name(scenario: &Scenario, device: usize) -> String {
    match scenario.devices.get(device).map(|d| d.name.trim()) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("Device {}", device + 1),
    }
}

/// Returns the name of a rule.
#[must_use]
pub const fn rule_name(rule: Rule, scarce: Scarce) -> &'static str {
    match (rule, scarce) {
        (Rule::Edgewise, _) => "Edgewise",
        (Rule::Disco, Scarce::Device) => "DiSCo-D",
        (Rule::Disco, Scarce::Server) => "DiSCo-S",
        (Rule::DiscoExact, Scarce::Device) => "DiSCo-D, randomised",
        (Rule::DiscoExact, Scarce::Server) => "DiSCo-S, randomised",
        (Rule::Stochastic, _) => "Stochastic",
        (Rule::AllServer, _) => "All server",
        (Rule::AllDevice, _) => "All device",
    }
}

/// Describes a rule in one line.
#[must_use]
pub const fn about(rule: Rule, scarce: Scarce) -> &'static str {
    match (rule, scarce) {
        (Rule::Edgewise, Scarce::Device) => {
            "a wait for every prompt length, optimal for the goal within the budget; one length may be randomised"
        }
        (Rule::Edgewise, Scarce::Server) => {
            "the lengths that gain most from the server per token, until the budget is spent"
        }
        (Rule::Disco, Scarce::Device) => {
            "Algorithm 2 of the DiSCo paper: one wait that guards the tail, short prompts at once while the budget lasts; with \
             its residual wait corrected"
        }
        (Rule::Disco, Scarce::Server) => {
            "Algorithm 3 of the DiSCo paper: both sides for prompts above a length, the device alone below"
        }
        (Rule::DiscoExact, _) => {
            "the same with one length randomised, so that the budget is used exactly"
        }
        (Rule::Stochastic, _) => "uses the scarce side at random, regardless of prompt length",
        (Rule::AllServer, _) => "the server alone",
        (Rule::AllDevice, _) => "the device alone",
    }
}

fn share(value: f64) -> String {
    percent(100.0 * value, 1)
}

fn tokens(n: u32) -> String {
    match n {
        1 => "1 token".to_owned(),
        n => format!("{n} tokens"),
    }
}

/// Puts an answer into words.
#[must_use]
pub fn verdict(scenario: &Scenario, planned: &DispatchPlan) -> Verdict {
    let (proof, tone) = proof(scenario, planned);
    Verdict {
        proof,
        tone,
        headline: headline(scenario, planned),
        summary: lead_sentence(scenario, planned),
        reason: reason(scenario, planned),
    }
}

/// Mean and tail with the fastest device; where there are several, those with all of them too.
fn headline(scenario: &Scenario, planned: &DispatchPlan) -> Sentence {
    let outcome = &planned.ours().outcome;
    let sentence = Sentence::default()
        .plain("Mean time to first token ")
        .strong(seconds(outcome.mean))
        .plain(", P99 ")
        .strong(seconds(outcome.p99));
    match &planned.several {
        None => sentence.plain(format!("; then {}.", rates(scenario, planned))),
        Some(found) => sentence
            .plain(format!(
                ", with {} as the only device; mean ",
                device_name(scenario, planned.device)
            ))
            .strong(seconds(found.outcome.mean))
            .plain(", P99 ")
            .strong(seconds(found.outcome.p99))
            .plain(format!(
                " with {}{}; then {}.",
                all_devices(found.places.len()),
                match scenario.goal {
                    Goal::Mean => "",
                    _ => ", for which the tail is not limited",
                },
                rates(scenario, planned)
            )),
    }
}

/// "21.5 tokens per second on Xiaomi 14, 60.0 tokens per second from the server".
fn rates(scenario: &Scenario, planned: &DispatchPlan) -> String {
    let device = scenario.devices.get(planned.device);
    let on_device = device.map(|device| {
        format!(
            "{} on {}, ",
            tokens_a_second(device.decode_tok_s),
            device_name(scenario, planned.device)
        )
    });
    format!(
        "{}{} from the server",
        on_device.unwrap_or_default(),
        tokens_a_second(scenario.server.decode_tok_s)
    )
}

/// "both devices", "all 3 devices".
fn all_devices(count: usize) -> String {
    match count {
        2 => "both devices".to_owned(),
        n => format!("all {n} devices"),
    }
}

/// Describes the result of all devices together, each within its own budget; `None` if there is only one.
#[must_use]
pub fn several_words(scenario: &Scenario, planned: &DispatchPlan) -> Option<Sentence> {
    let found = planned.several.as_ref()?;
    let first = device_name(scenario, planned.device);
    let faster = planned.ours().outcome.mean - found.outcome.mean;
    let alone = planned.ours().outcome.mean;
    let than = match faster {
        by if is_gain(by, alone) => {
            format!("{} faster on average than with only {first}", seconds(by))
        }
        by if is_gain(-by, alone) => {
            format!("{} slower on average than with only {first}", seconds(-by))
        }
        _ => format!("no gain over only {first}"),
    };
    let gap = (found.outcome.mean - found.bound) / found.bound.max(f64::MIN_POSITIVE);
    let proof = if gap <= NO_GAP {
        "No choice of one device and one wait per prompt length has a lower mean, proven."
            .to_owned()
    } else {
        format!(
            "No choice of one device and one wait per prompt length has a mean below {}.",
            seconds(found.bound)
        )
    };
    let tail = match scenario.goal {
        Goal::Mean => "",
        _ => " Here the goal is the mean alone, without a limit on the tail.",
    };
    Some(
        Sentence::default()
            .plain(format!(
                "With {}, each within its own budget, the mean time to first token is ",
                all_devices(found.places.len())
            ))
            .strong(seconds(found.outcome.mean))
            .plain(", P99 ")
            .strong(seconds(found.outcome.p99))
            .plain(format!(": {than}. {proof}{tail}")),
    )
}

/// A policy that uses so much more than the budget is over it.
const OVER: f64 = 1e-9;
/// Why the budget goes nowhere in particular.
const ONE_LENGTH: &str =
    "All prompts have the same length, so none gains more from the budget than another.";
/// A gap so small is that of rounding.
const NO_GAP: f64 = 1e-9;

fn proof(scenario: &Scenario, planned: &DispatchPlan) -> (String, Tone) {
    let gap = planned.gap();
    if planned.missed {
        return ("No policy keeps the limit, proven".to_owned(), Tone::Bad);
    }
    // All devices together have the least mean and no limit on the tail, which is another goal than this.
    let is_of_one = planned.several.is_some() && scenario.goal != Goal::Mean;
    if gap <= NO_GAP {
        let words = if is_of_one {
            "Optimal with one device, proven"
        } else {
            "Optimal, proven"
        };
        return (words.to_owned(), Tone::Good);
    }
    let digits = if gap < 1e-4 { 4 } else { 2 };
    let words = format!("Within {} of optimal", percent(100.0 * gap, digits));
    (words, Tone::Open)
}

/// Describes which side starts when, and the gain.
fn lead_sentence(scenario: &Scenario, planned: &DispatchPlan) -> Sentence {
    let device = device_name(scenario, planned.device);
    let missed = match (planned.missed, planned.cap) {
        (true, Some(cap)) => Sentence::default().plain(format!(
            "No policy within this budget has a P99 of {} or less; this one comes nearest. ",
            seconds(cap)
        )),
        _ => Sentence::default(),
    };
    let sentence = match planned.scarce {
        Scarce::Device => start_rules::device_starts(&device, &waits_of(planned, planned.ours())),
        Scarce::Server => server_lead(&device, planned),
    };
    let ours = planned.ours().outcome.mean;
    let (base, disco) = match planned.scarce {
        Scarce::Device => (Rule::AllServer, "DiSCo-D"),
        Scarce::Server => (Rule::AllDevice, "DiSCo-S"),
    };
    let mut sentence = missed.followed(sentence).plain(" That is ");
    let alone = match planned.scarce {
        Scarce::Device => "the server alone",
        Scarce::Server => "the device alone",
    };
    if let Some(base) = planned.scored(base) {
        sentence = sentence
            .strong(slower_or_faster(base.outcome.mean, ours))
            .plain(format!(" than {alone}"));
    }
    if let Some(other) = planned.scored(Rule::Disco) {
        sentence = sentence.plain(format!(
            " and {} than {disco}",
            slower_or_faster(other.outcome.mean, ours)
        ));
        let at = match scenario.goal {
            Goal::MeanKeptTail => ", with a P99 no worse and within the same budget",
            _ => ", within the same budget",
        };
        sentence = sentence.plain(at);
    }
    sentence.plain(".").plain(lower_means(planned))
}

/// The share of prompt tokens that a policy gives to the scarce side.
fn used(planned: &DispatchPlan, scored: &ScoredPolicy) -> f64 {
    match planned.scarce {
        Scarce::Device => scored.outcome.device_share,
        Scarce::Server => scored.outcome.server_share,
    }
}

/// Returns true if a policy gives the scarce side more than the budget.
fn is_over_budget(planned: &DispatchPlan, scored: &ScoredPolicy) -> bool {
    used(planned, scored) > planned.budget + OVER
}

/// Names policies with a lower mean within the budget, which a goal that includes the tail allows.
fn lower_means(planned: &DispatchPlan) -> String {
    let ours = &planned.ours().outcome;
    let lower = planned.policies.iter().filter(|other| {
        !is_over_budget(planned, other) && is_gain(ours.mean - other.outcome.mean, ours.mean)
    });
    let each: Vec<String> = lower
        .map(|other| {
            format!(
                " {} has a lower mean, but a P99 of {}.",
                rule_name(other.rule, planned.scarce),
                seconds(other.outcome.p99)
            )
        })
        .collect();
    each.concat()
}

/// How much sooner ours is than another [s]; "no faster" below what counts as a gain.
fn slower_or_faster(other: f64, ours: f64) -> String {
    if is_gain(other - ours, other) {
        format!("{} faster on average", seconds(other - ours))
    } else if is_gain(ours - other, other) {
        format!("{} slower on average", seconds(ours - other))
    } else {
        "no faster".to_owned()
    }
}

fn server_lead(device: &str, planned: &DispatchPlan) -> Sentence {
    let waits = waits_of(planned, planned.ours());
    // In how many requests of a length the server is asked.
    let request = |at: &WaitAt| match (at.wait, at.other) {
        (Some(_), None) => 1.0,
        (Some(_), Some((_, other))) => 1.0 - other,
        (None, Some((Some(_), other))) => other,
        (None, _) => 0.0,
    };
    let start = format!("{device} always starts; ");
    let always: Vec<u32> = waits
        .iter()
        .filter(|at| request(at) >= 1.0)
        .map(|at| at.tokens)
        .collect();
    let partly = waits
        .iter()
        .find(|at| request(at) > 0.0 && request(at) < 1.0);
    let partly = partly.map(|at| {
        format!(
            "at {} in {} of cases",
            tokens(at.tokens),
            share(request(at))
        )
    });
    let never = waits.iter().filter(|at| request(at) == 0.0).count();
    let words = match (always.as_slice(), partly) {
        ([], None) => "the server is never used.".to_owned(),
        ([], Some(partly)) => format!("the server is used {partly}, and otherwise never."),
        (_, _) if never == 0 && always.len() == waits.len() => {
            "the server is used for every prompt.".to_owned()
        }
        ([first, ..], partly) => {
            let last = waits.last().map_or(0, |at| at.tokens);
            let is_suffix = waits
                .iter()
                .filter(|at| at.tokens >= *first)
                .all(|at| request(at) >= 1.0);
            let where_ = if is_suffix {
                format!("for prompts of {} or more", tokens(*first))
            } else {
                format!(
                    "for {} of the {} prompt lengths up to {last} tokens",
                    always.len(),
                    waits.len()
                )
            };
            let also = partly
                .map(|partly| format!(", {partly}"))
                .unwrap_or_default();
            format!("the server is used {where_}{also}.")
        }
    };
    Sentence::default().plain(start + &words)
}

/// Why the budget goes where it goes.
fn reason(scenario: &Scenario, planned: &DispatchPlan) -> Sentence {
    let ours = planned.ours();
    let sentence = Sentence::default();
    match planned.scarce {
        Scarce::Device => {
            let zones = zones(planned, ours);
            if ours.outcome.device_share == 0.0 {
                return sentence.plain(if scenario.budget == 0.0 {
                    "The budget is zero, so the device never runs."
                } else {
                    "Starting the device within the budget does not help for any prompt length."
                });
            }
            if planned.prompts.len() == 1 {
                return sentence.plain(ONE_LENGTH);
            }
            let sentence = sentence.strong("Short prompts get the budget.").plain(
                " Budget pays off most on short prompts, where the device answers fastest: a prompt twice as long costs \
                 twice the budget and gains less time.",
            );
            match (zones.waits, planned.cap) {
                (Some(_), Some(cap)) => sentence.plain(format!(
                    " Where the device waits, it starts just in time for a P99 of {}.",
                    seconds(cap)
                )),
                _ => sentence,
            }
        }
        Scarce::Server => {
            let constant = scenario
                .devices
                .get(planned.device)
                .map_or(0.0, |d| d.start_s);
            if ours.outcome.server_share == 0.0 && scenario.budget == 0.0 {
                return sentence.plain("The budget is zero, so the server is never used.");
            }
            if planned.prompts.len() == 1 {
                return sentence.plain(ONE_LENGTH);
            }
            let sentence = sentence.strong("Long prompts get the budget.").plain(
                " The server\u{2019}s first token does not depend on the prompt\u{2019}s length, the device\u{2019}s does: the longer \
                 the prompt, the more time a token of budget saves.",
            );
            if constant > 0.0 {
                sentence.plain(format!(
                    " The device needs {} to start, whatever the prompt, so short prompts may gain more per token.",
                    seconds(constant)
                ))
            } else {
                sentence
            }
        }
    }
}

/// Describes the source of the distributions, and the fit of a log-normal distribution to TTFT.
#[must_use]
pub fn law_words(scenario: &Scenario, planned: &DispatchPlan) -> String {
    let assumed = match (&scenario.server.first_token, &scenario.prompts) {
        (FirstToken::Measured(_), Prompts::Measured(_)) => None,
        (FirstToken::Measured(_), _) => Some("Prompt lengths are assumed"),
        (_, Prompts::Measured(_)) => {
            Some("First tokens are assumed: no trace of the paper is public")
        }
        _ => Some("Both are assumed: no trace of the paper is public"),
    };
    let assumed =
        assumed.map(|words| format!("{words}. A log of your own can replace them in the panel."));
    let fit = planned.first_tokens.fit.map(|fit| {
        format!(
            "The log-normal distribution fitted to the first tokens has a median of {}; the two cumulative distributions differ by \
             at most {:.1}\u{202f}% of requests.",
            seconds(libm::exp(fit.log_mean)),
            100.0 * fit.distance
        )
    });
    let said: Vec<String> = assumed.into_iter().chain(fit).collect();
    said.join(" ")
}

/// Describes the values read from a log.
#[must_use]
pub fn imported_words(imported: &ImportedLog) -> String {
    let one = |what: &str, compacted: &Compacted| {
        let kept = if compacted.bins == compacted.distinct {
            format!("{} distinct values, all kept", compacted.distinct)
        } else {
            format!(
                "{} distinct values in {} bins, so that they fit in a link: the mean changes by {}, P99 by {}",
                compacted.distinct,
                compacted.bins,
                percent(100.0 * compacted.mean_moved, 3),
                percent(100.0 * compacted.p99_moved, 3)
            )
        };
        format!("{} {what} ({kept})", compacted.samples)
    };
    let mut parts = Vec::new();
    if let Some((_, compacted)) = &imported.first_tokens {
        parts.push(one("first tokens", compacted));
    }
    if let Some((_, compacted)) = &imported.prompts {
        parts.push(one("prompts", compacted));
    }
    let mut text = format!("Read {}.", document::list(&parts));
    if let Some(r) = imported.correlation {
        text.push_str(&format!(
            " Prompt length and first token have a correlation of {r:.3}; the policies treat them as independent."
        ));
    }
    if !imported.unused.is_empty() {
        text.push_str(&format!(" Not used: {}.", imported.unused.join(", ")));
    }
    text
}

/// Describes the parts of the cost of requests.
#[must_use]
pub fn costs_words(scenario: &Scenario) -> String {
    let on = if scenario.handover.on {
        ""
    } else {
        " Hand-overs are switched off in this scenario."
    };
    format!(
        "Micro-dollars per request, which is dollars per million requests. The side that loses the race is paid for its prefill. \
         Energy costs {} $ per 10\u{2076} GFLOP. Only the reply moves, from the more expensive side to the cheaper one. A token of \
         a vocabulary of {} is sent in {} bits, where its text of {} bytes takes {:.0}.{on}",
        scenario.energy_usd,
        count(f64::from(transfer_size::VOCABULARY)),
        transfer_size::bits(transfer_size::VOCABULARY),
        transfer_size::TEXT_BYTES,
        8.0 * transfer_size::TEXT_BYTES
    )
}

/// The parts of all requests: who starts, and who comes first.
#[must_use]
pub fn request_shares(
    planned: &DispatchPlan,
    scored: &ScoredPolicy,
) -> [(&'static str, &'static str, f64); 3] {
    let o = &scored.outcome;
    match planned.scarce {
        Scarce::Device => [
            ("Server only", "the device does not start", o.server_only),
            (
                "Device wins",
                "both run, the device first",
                o.device_wins + o.device_only,
            ),
            ("Server wins", "both run, the server first", o.server_wins),
        ],
        Scarce::Server => [
            ("Device only", "the server is not used", o.device_only),
            ("Device wins", "both run, the device first", o.device_wins),
            (
                "Server wins",
                "both run, the server first",
                o.server_wins + o.server_only,
            ),
        ],
    }
}

/// One request in words: who answers, and whether a reader notices the hand-over.
#[must_use]
pub fn request_words(
    scenario: &Scenario,
    planned: &DispatchPlan,
    request: &FollowedRequest,
) -> Sentence {
    let device = device_name(scenario, request.device);
    let server = &scenario.server.name;
    let (winner, other) = match request.winner {
        Winner::Device => (&device, server),
        Winner::Server => (server, &device),
    };
    let mut sentence = Sentence::default().strong(format!(
        "{winner} answers first, after {}.",
        seconds(request.first_token)
    ));
    let race = match (request.server_time, request.device_time) {
        (Some(server_time), Some((from, to))) => Some(match request.winner {
            Winner::Device => format!(
                " The server would have answered at {}.",
                seconds(server_time)
            ),
            Winner::Server => format!(
                " The device started at {} and would have answered at {}.",
                seconds(from),
                seconds(to)
            ),
        }),
        (Some(_), None) => match request.act.device {
            Some((_, wait)) => Some(format!(
                " The device would have started at {}; that was not needed.",
                seconds(wait)
            )),
            None => Some(" The device is not started for a prompt of this length.".to_owned()),
        },
        _ => Some(" The server is not used for a prompt of this length.".to_owned()),
    };
    sentence = sentence.plain(race.unwrap_or_default());
    if request.probability < 1.0 {
        sentence = sentence.plain(format!(
            " This length is randomised: this is what happens in {} of cases.",
            share(request.probability)
        ));
    }
    let line = &request.timeline;
    let Some(moved) = &line.handover else {
        let why = if scenario.handover.on {
            no_move(planned, request)
        } else {
            "Hand-overs are switched off."
        };
        return sentence.plain(format!(" {why}"));
    };
    let rest = line.available.len() as u32 - moved.tokens;
    let seen = if line.late == 0 {
        " The reader does not notice the hand-over."
    } else {
        " The reader waits."
    };
    sentence = sentence.strong(seen).plain(format!(
        " It begins after {}, when the buffer covers the {} allowed for {other} to start; this start needs {}. {rest} more \
         come from there.",
        tokens(moved.tokens),
        seconds(request.allowed),
        seconds(moved.first - moved.from)
    ));
    if line.late > 0 {
        sentence = sentence.plain(format!(
            " {} come late, by up to {}.",
            tokens(line.late),
            seconds(line.max_stall)
        ));
    }
    sentence.plain(format!(
        " It costs {} instead of {}, prompts that lost the race not counted.",
        money(line.cost),
        money(line.cost_without)
    ))
}

/// Why nothing is handed over.
fn no_move(planned: &DispatchPlan, request: &FollowedRequest) -> &'static str {
    let prices = planned.prices;
    let is_dearer = match request.winner {
        Winner::Device => prices.dev_d > prices.srv_d,
        Winner::Server => prices.srv_d > prices.dev_d,
    };
    if is_dearer {
        "No hand-over: the rest of the answer would not pay for a second prefill, or the buffer fills too late."
    } else {
        "No hand-over: a token costs no less on the other side."
    }
}

/// Describes the share that Algorithm 2 would spend with its residual wait as printed.
#[must_use]
pub fn printed_words(scenario: &Scenario, planned: &DispatchPlan) -> Option<String> {
    let printed = planned.printed_share?;
    let corrected = planned.scored(Rule::Disco)?.outcome.device_share;
    Some(format!(
        "DiSCo-D, the DiSCo paper\u{2019}s policy for a scarce device, is run with its residual wait corrected and uses {} of \
         prompt tokens where the budget is {}; as printed it would use {}. With a tail share of {} it {} to protect the tail.",
        percent(100.0 * corrected, 2),
        percent(100.0 * scenario.budget, 1),
        percent(100.0 * printed, 2),
        scenario.tail_share,
        planned.w_tail.map_or_else(
            || "never starts the device".to_owned(),
            |wait| format!("starts the device after {}", seconds(wait))
        )
    ))
}
