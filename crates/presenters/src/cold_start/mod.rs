//! Sentences of a cold-start answer: headline, lead, bottleneck.

pub mod charts;
pub mod decode;
pub mod figures;
pub mod front;
pub mod gains;
pub mod listings;
pub mod presenter;
pub mod queries;
pub mod reasons;
pub mod repairs;
pub mod rules;
pub mod search_progress;
pub mod sections;
pub mod spread;
pub mod strategies;
pub mod tables;
pub mod trace;

use document::{Sentence, list};
use document::{Tone, Verdict};
use engine::plan::{Stage, StageTiming, critical_stage};
use engine::problem::cold_decode::DecodeGoal;
use engine::problem::device_name;
use engine::problem::{ColdStart, LoadOrder};
use engine::scenario::{FileAccess, Goal, Scenario, WeightSource};
use engine::units::{bytes, count, energy, percent, seconds, tokens_a_second};
use methods::cold_start::Cause;
use planner::cold_start::{Answer, Status};
use reasons::{PacePart, pace};

/// Parts of T: three sums that add up to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeParts {
    /// The pipeline waits for weights to load [s].
    pub stall: f64,
    /// Transfers [s].
    pub comm: f64,
    /// Computation [s].
    pub comp: f64,
}

impl TimeParts {
    /// Sums a timeline up.
    #[must_use]
    pub fn of(timeline: &[StageTiming]) -> Self {
        let sum = |part: fn(&StageTiming) -> f64| timeline.iter().map(part).sum();
        Self {
            stall: sum(|s| s.stall),
            comm: sum(|s| s.comm),
            comp: sum(|s| s.comp),
        }
    }
}

/// Names what plans are compared by: the goal of the problem.
#[must_use]
pub fn goal_name(problem: &ColdStart) -> &'static str {
    match is_whole(problem) {
        true => WHOLE_ANSWER,
        false => FIRST_ANSWER,
    }
}

/// Names the goal of a scenario, as [`goal_name`] does.
#[must_use]
pub fn goal_of(scenario: &Scenario) -> &'static str {
    match scenario.decode.map(|decode| decode.goal) {
        Some(Goal::WholeAnswer) => WHOLE_ANSWER,
        _ => FIRST_ANSWER,
    }
}

/// Returns true if plans are compared by the time of the whole answer.
#[must_use]
pub fn is_whole(problem: &ColdStart) -> bool {
    problem.decode().is_some() && matches!(problem.goal(), DecodeGoal::WholeAnswer)
}

const FIRST_ANSWER: &str = "First answer";
const WHOLE_ANSWER: &str = "Whole answer";

/// Puts an answer into words.
#[must_use]
pub fn verdict(problem: &ColdStart, answer: &Answer) -> Verdict {
    match (&answer.timeline, answer.T) {
        (Some(timeline), Some(total)) => planned(problem, answer, timeline, total),
        _ => unplanned(problem, answer),
    }
}

fn planned(problem: &ColdStart, answer: &Answer, timeline: &[StageTiming], total: f64) -> Verdict {
    let names: Vec<String> = timeline
        .iter()
        .map(|s| device_name(problem, s.device))
        .collect();
    let optimal = answer.status == Status::Optimal;
    let proof = match (optimal, answer.gap) {
        (true, _) => "Optimal, proven".to_owned(),
        (false, Some(gap)) => format!("Within {}, proven", percent(100.0 * gap, 1)),
        _ => "Best found, no bound".to_owned(),
    };
    Verdict {
        proof,
        tone: if optimal { Tone::Good } else { Tone::Open },
        headline: decode::headline(problem, answer, timeline, total),
        summary: decode::summary_sentence(
            problem,
            answer,
            lead_sentence(problem, answer, timeline),
        ),
        reason: decode::reason(problem, answer, reason(problem, answer, timeline, &names))
            .plain(load_energy(problem, answer, timeline)),
    }
}

/// Describes the energy of reading the weights, or names the devices without one; empty if no device states it.
fn load_energy(problem: &ColdStart, answer: &Answer, timeline: &[StageTiming]) -> String {
    if let Some(joules) = answer.load_energy_j {
        let joules = energy(joules);
        return format!(" Reading the weights of this plan from disk takes {joules}.");
    }
    if !problem.knows_disk_energy() {
        return String::new();
    }
    let unknown = timeline.iter().filter(|stage| stage.load_j.is_none());
    let unknown: Vec<String> = unknown.map(|s| device_name(problem, s.device)).collect();
    format!(
        " The energy of reading the weights of this plan from disk is unknown: no disk energy is given for {}.",
        list(&unknown)
    )
}

/// The devices of a plan in running order: `D1 alone`, `D3 → D4 → D1`, `12 devices in a row`.
#[must_use]
pub fn runs_on(problem: &ColdStart, plan: &[Stage]) -> String {
    let names: Vec<String> = plan
        .iter()
        .map(|stage| device_name(problem, stage.device))
        .collect();
    match names.as_slice() {
        [one] => format!("{one} alone"),
        [_, _] | [_, _, _] | [_, _, _, _] => names.join("\u{a0}→\u{a0}"),
        many => format!("{} devices in a row", many.len()),
    }
}

fn lead_sentence(problem: &ColdStart, answer: &Answer, timeline: &[StageTiming]) -> Sentence {
    let layers = problem.layers().len();
    let counts: Vec<usize> = timeline.iter().map(|s| s.e + 1 - s.s).collect();
    let shares = match counts.as_slice() {
        [_] => format!("It takes all {layers} layers. "),
        _ if counts.len() <= 8 => format!("They take {} of the {layers} layers. ", list(&counts)),
        _ => format!("They share the {layers} layers. "),
    };
    let sentence = compared(answer, Sentence::default().plain(shares));
    match (answer.status, answer.bound) {
        (Status::Optimal, _) => {
            sentence.plain(", and no other order or cut of these devices is faster.")
        }
        (_, Some(bound)) => sentence.plain(format!(
            ". The search has not ended: no plan can beat {}, so at most {} is left to gain.",
            seconds(bound),
            percent(100.0 * answer.gap.unwrap_or_default(), 1)
        )),
        _ => sentence.plain("."),
    }
}

/// How the plan compares with the best simple split that could be run; nothing is gained over one that could not.
fn compared(answer: &Answer, sentence: Sentence) -> Sentence {
    let total = answer.objective.unwrap_or_default();
    let Some((name, best)) = answer.baselines.best() else {
        return sentence.plain("None of the simple splits fits");
    };
    let all_fit = answer.baselines.fitting().count() == answer.baselines.named().len();
    let other = match name {
        "single" => "one device alone",
        _ if all_fit => "the best simple split",
        _ => "the best simple split that fits",
    };
    let gained = best.objective() - total;
    if gained > 1e-9 * total {
        let share = percent(answer.gain_vs_best_pct.unwrap_or_default(), 1);
        sentence
            .plain("That is ")
            .strong(format!("{} ({share}) faster", seconds(gained)))
            .plain(format!(" than {other}"))
    } else if gained < -1e-9 * total {
        sentence.plain(format!("That is {} slower than {other}", seconds(-gained)))
    } else {
        let fits = if all_fit { "" } else { " that fits" };
        sentence.plain(format!("No simple split{fits} is faster"))
    }
}

/// How much less load on the critical stage is as much sooner [s], before another chain sets the pace.
#[must_use]
pub fn critical_slack(timeline: &[StageTiming]) -> f64 {
    let critical = critical_stage(timeline);
    let mut tail = 0.0;
    let mut chains: Vec<f64> = timeline
        .iter()
        .rev()
        .map(|stage| {
            tail += stage.comm + stage.comp;
            stage.load + tail
        })
        .collect();
    chains.reverse();
    let others = chains
        .iter()
        .enumerate()
        .filter(|(n, _)| *n != critical)
        .map(|(_, chain)| *chain);
    let next = others.fold(tail, f64::max);
    (chains.get(critical).copied().unwrap_or_default() - next).max(0.0)
}

fn reason(
    problem: &ColdStart,
    answer: &Answer,
    timeline: &[StageTiming],
    names: &[String],
) -> Sentence {
    let critical = critical_stage(timeline);
    let (stage, name) = (&timeline[critical], &names[critical]);
    let after = &timeline[critical..];
    let (comm, comp): (f64, f64) = (
        after.iter().map(|s| s.comm).sum(),
        after.iter().map(|s| s.comp).sum(),
    );
    let n = stage.e + 1 - stage.s;
    let layers = if n == 1 {
        "layer takes".to_owned()
    } else {
        format!("{n} layers take")
    };
    let paced = pace(timeline).pace_part;
    let opening = match paced {
        PacePart::Load if problem.load_order() == LoadOrder::BeforeAll => {
            Sentence::default().strong("Loading sets the pace.")
        }
        PacePart::Load => {
            Sentence::default().strong(format!("{name}\u{2019}s disk sets the pace."))
        }
        PacePart::Compute if problem.load_order() == LoadOrder::OnDemand => {
            Sentence::default().strong("Reading weights when they are needed sets the pace.")
        }
        PacePart::Compute => {
            let longer = |best: usize, (k, s): (usize, &StageTiming)| {
                if s.comp > timeline[best].comp {
                    k
                } else {
                    best
                }
            };
            let busiest = timeline.iter().enumerate().fold(0, longer);
            Sentence::default()
                .strong("Computing sets the pace.")
                .plain(format!(
                    " {} computes longest, {}.",
                    names[busiest],
                    seconds(timeline[busiest].comp)
                ))
        }
        PacePart::Transfer => Sentence::default()
            .strong("The links set the pace.")
            .plain(format!(
                " Transfers take {}.",
                seconds(TimeParts::of(timeline).comm)
            )),
    };
    let rest = seconds(comm + comp);
    let whose = if paced == PacePart::Load {
        "Its".to_owned()
    } else {
        format!("{name}\u{2019}s")
    };
    let loaded = seconds(stage.load);
    let chain = match problem.load_order() {
        LoadOrder::BeforeAll => format!(
            " All weights arrive one stage after the other, in {loaded}, and the {rest} after that run back to back."
        ),
        LoadOrder::OnDemand => {
            format!(" Reading, computing and transfers take {rest}, back to back.")
        }
        LoadOrder::Beside if stage.load == 0.0 => {
            format!(" The weights are in memory, and the {rest} of the pass run back to back.")
        }
        LoadOrder::Beside => format!(
            " {whose} {layers} {loaded} to load, and the {rest} after that run back to back."
        ),
    };
    let is_beside = problem.load_order() == LoadOrder::Beside;
    let early: Vec<&String> = timeline
        .iter()
        .zip(names)
        // Where nothing loads beside, every later stage has its weights before its turn.
        .filter(|(s, _)| is_beside && s.load > 0.0 && s.wait > 1e-9 * s.start)
        .map(|(_, name)| name)
        .collect();
    let waits = match early.len() {
        0 if names.len() == 1 || !is_beside || stage.load == 0.0 => String::new(),
        0 => " No device waits for another.".to_owned(),
        1 => format!(" {} is ready before its turn.", early[0]),
        2..=4 => format!(" {} are ready before their turn.", list(&early)),
        many => format!(" {many} devices are ready before their turn."),
    };
    let unused = problem.machines().len() - timeline.len();
    let left_out = match unused {
        0 => String::new(),
        // With another goal a device may be left out although the first answer would come sooner with it.
        1 if answer
            .decode
            .as_ref()
            .is_none_or(|d| d.goal == "first-answer") =>
        {
            " One device is left out: with it the answer would be no faster.".to_owned()
        }
        1 => " One device is left out.".to_owned(),
        many => format!(" {many} devices are left out."),
    };
    opening.plain(chain).plain(waits).plain(left_out)
}

/// Which rule memory is counted by, in a sentence.
#[must_use]
pub fn memory_words(scenario: &Scenario) -> String {
    let Some(memory) = &scenario.memory else {
        let cache = match scenario.decode {
            Some(_) => ", the largest output and the cache of the answer",
            None => " and the largest output",
        };
        return format!(
            "Memory by the paper\u{2019}s rule: the weights of the blocks{cache}, in all of a device\u{2019}s memory."
        );
    };
    let context = count(scenario.context(memory, scenario.prompt_tokens));
    let cache = match scenario.model.cache_of_layers() {
        Some(_) => format!("a cache of {context} tokens"),
        None => "no cache, whose size is not known".to_owned(),
    };
    let ends = match memory.ends(&scenario.model) {
        Some(_) if memory.logits_buffer(&scenario.model).is_some() => {
            "embedding, output head and its buffer of logits"
        }
        Some(_) => "embedding and output head",
        None => "neither embedding nor output head, whose sizes are not known",
    };
    format!(
        "Memory as it is when the plan runs: weights, largest output, {cache}, {ends}, in {} of a device\u{2019}s memory or in \
         what is published as usable.",
        percent(memory.usable_pct, 0)
    )
}

/// How weights arrive, in a sentence; empty where the scenario does not say it.
#[must_use]
pub fn loading_words(scenario: &Scenario) -> String {
    let Some(loading) = &scenario.loading else {
        return String::new();
    };
    let host = match (scenario.loading_host(), loading.host_mb_s) {
        (Some(device), _) => device.name.clone(),
        (None, Some(_)) => "A machine that holds no layers".to_owned(),
        (None, None) => {
            "A machine that holds no layers, and whose disk is no slower than the network,"
                .to_owned()
        }
    };
    let mut words = match (loading.from, loading.access) {
        (WeightSource::Disk, FileAccess::Read) => {
            "Every device reads its weights from its own disk, while others load and compute"
                .to_owned()
        }
        (WeightSource::Disk, FileAccess::Mmap) => {
            "Every device reads a layer from its own disk when it computes it first".to_owned()
        }
        (WeightSource::Host, _) => format!(
            "{host} sends every device its weights, one stage after the other, before the first layer is computed"
        ),
        (WeightSource::HostCache, _) => format!(
            "{host} reads and hashes all weights, and every other device reads them from its cache, one stage after the \
             other, before the first layer is computed"
        ),
        (WeightSource::Memory, _) => "All weights are in memory already".to_owned(),
    };
    if loading.cached_pct > 0.0 && loading.from != WeightSource::Memory {
        let share = percent(loading.cached_pct, 0);
        words.push_str(&format!(
            "; {share} of each file is still in the file cache"
        ));
    }
    words.push('.');
    if loading.streams {
        words.push_str(
            " Weights for which a device has no room are read from its disk again in every pass; the rest stays, which is \
             the best that a system can do.",
        );
    }
    words
}

fn unplanned(problem: &ColdStart, answer: &Answer) -> Verdict {
    let layers = problem.layers().len();
    let Some(proof) = answer.infeasible else {
        return Verdict {
            proof: "Nothing found".into(),
            tone: Tone::Open,
            headline: Sentence::default().plain("No plan was found, and none was ruled out."),
            summary: Sentence::default()
                .plain("The fleet is too large for a proof, and no simple split fits its memory."),
            reason: Sentence::default(),
        };
    };
    let headline = match (proof.room, proof.cause) {
        (_, Cause::Layer { layer, .. }) => Sentence::default()
            .plain("No plan: ")
            .strong(format!("layer {layer}"))
            .plain(" does not fit on any device."),
        (_, Cause::Slow { rate, .. }) => Sentence::default()
            .plain("No plan: this one reaches only ")
            .strong(tokens_a_second(rate))
            .plain("."),
        (_, Cause::Rate { least, .. }) => Sentence::default()
            .plain("No plan reaches ")
            .strong(tokens_a_second(least))
            .plain("."),
        (Some(room), _) => Sentence::default()
            .plain("No plan: there is room for ")
            .strong(format!(
                "{} of the {}",
                count(room as f64),
                count(layers as f64)
            ))
            .plain(" layers."),
        (None, _) => Sentence::default().plain("No plan: the model does not fit."),
    };
    let lead = match proof.cause {
        Cause::Layer { need, largest, .. } => {
            format!(
                "One layer needs {} and the largest device has {}.",
                bytes(need),
                bytes(largest)
            )
        }
        Cause::TotalMemory { need, have } => format!(
            "The devices have {} and {} need {}: {} are missing, whatever the plan.",
            bytes(have),
            match proof.kept {
                Some(kept) => format!("the weights plus {} kept in memory", bytes(kept)),
                None => "the weights".to_owned(),
            },
            bytes(need),
            bytes(need - have)
        ),
        Cause::Packing { first_unplaced } => format!(
            "There is enough memory in total, but whole layers in order leave some of it unused: layer {first_unplaced} has no place, whatever the plan."
        ),
        Cause::Rate {
            greatest: Some(greatest),
            ..
        } => format!(
            "The most that any plan reaches is {}.",
            tokens_a_second(greatest)
        ),
        Cause::Search | Cause::Split { .. } | Cause::Rate { .. } | Cause::Slow { .. } => {
            format!("{proof}.")
        }
    };
    let least = answer
        .repairs
        .iter()
        .min_by(|a, b| a.more.total_cmp(&b.more));
    let lead = match least {
        Some(repair) => Sentence::default()
            .plain("The smallest repair is ")
            .strong(format!(
                "{} more on {}",
                bytes(repair.more),
                device_name(problem, repair.device)
            ))
            .plain(format!(". {lead}")),
        None => Sentence::default().plain(lead),
    };
    let proof = match proof.cause {
        Cause::Rate { .. } | Cause::Slow { .. } => "Not possible, proven",
        _ => "Does not fit, proven",
    };
    Verdict {
        proof: proof.into(),
        tone: Tone::Bad,
        headline,
        summary: lead,
        reason: Sentence::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::presets;
    use engine::solve::{Limits, NoProgress};
    use planner::cold_start::{ColdStartMethod, answer};

    fn answered(preset: &str) -> (ColdStart, Answer, Verdict) {
        let scenario = presets::named(preset).expect("a preset").scenario;
        let problem = scenario.problem().expect("presets are valid");
        let answer = answer(
            &problem,
            ColdStartMethod::Exact,
            scenario.heuristic,
            &Limits::default(),
            &mut NoProgress,
        );
        let words = verdict(&problem, &answer);
        (problem, answer, words)
    }

    fn plain(sentence: &Sentence) -> String {
        sentence.to_string().replace(['\u{202f}', '\u{a0}'], " ")
    }

    #[test]
    fn the_papers_scenario_in_words() {
        let (_, answer, words) = answered("csgo-paper");
        assert_eq!(words.proof, "Optimal, proven");
        assert_eq!(
            plain(&words.headline),
            "First answer in 2.562 s, running D3 → D4 → D1 → D2."
        );
        assert_eq!(
            plain(&words.summary),
            "They take 7, 5, 15 and 13 of the 40 layers. That is 0.248 s (8.8 %) faster than the best simple \
             split that fits, and no other order or cut of these devices is faster."
        );
        assert_eq!(
            plain(&words.reason),
            "D1’s disk sets the pace. Its 15 layers take 1.982 s to load, and the 0.580 s after that run back to back. D4 and D2 are ready before their turn."
        );
        let timeline = answer.timeline.expect("a plan");
        assert_eq!(critical_stage(&timeline), 2);
        assert!((critical_slack(&timeline) - 0.073_215).abs() < 1e-6);
        let parts = TimeParts::of(&timeline);
        assert!(
            (parts.stall + parts.comm + parts.comp - answer.T.unwrap_or_default()).abs() < 1e-12
        );
    }

    #[test]
    fn less_load_on_the_critical_stage_is_as_much_sooner() {
        let (problem, answer, _) = answered("csgo-paper");
        let timeline = answer.timeline.expect("a plan");
        let slack = critical_slack(&timeline);
        let critical = timeline[critical_stage(&timeline)];
        for (faster_by, gains) in [(0.5 * slack, 0.5 * slack), (2.0 * slack, slack)] {
            let total = timeline.iter().fold(0.0_f64, |before, s| {
                let load = if s.s == critical.s {
                    s.load - faster_by
                } else {
                    s.load
                };
                load.max(before) + s.comm + s.comp
            });
            assert!((answer.T.unwrap_or_default() - total - gains).abs() < 1e-9);
        }
        assert_eq!(problem.machines().len(), 4);
    }

    #[test]
    fn an_infeasible_scenario_says_why() {
        let (_, answer, words) = answered("csgo-too-big");
        assert_eq!(answer.status, Status::Infeasible);
        assert_eq!(words.proof, "Does not fit, proven");
        assert_eq!(
            plain(&words.headline),
            "No plan: there is room for 46 of the 64 layers."
        );
        assert_eq!(
            plain(&words.summary),
            "The smallest repair is 17.1 GB more on D1. The devices have 46.0 GB and the weights need 62.4 GB: \
             16.4 GB are missing, whatever the plan."
        );
    }

    #[test]
    fn a_long_prompt_leaves_a_device_out() {
        let (_, _, words) = answered("csgo-paper-long");
        assert_eq!(
            plain(&words.headline),
            "First answer in 7.029 s, running D3 → D2 → D1."
        );
        assert!(
            plain(&words.reason)
                .ends_with("One device is left out: with it the answer would be no faster.")
        );
    }

    /// At 8192 tokens one device alone would be the fastest of the simple plans, but does not fit.
    #[test]
    fn no_gain_is_claimed_over_a_plan_that_does_not_fit() {
        let scenario = presets::paper();
        let problem = scenario.problem_at(8192.0).expect("a valid length");
        let (reading, limits) = (scenario.heuristic, Limits::default());
        let mut answer = answer(
            &problem,
            ColdStartMethod::Exact,
            reading,
            &limits,
            &mut NoProgress,
        );
        let (name, best) = answer.baselines.best().expect("splits fit");
        assert!(name != "single" && best.T > answer.baselines.single.T);
        let lead = plain(&verdict(&problem, &answer).summary);
        assert!(
            lead.contains("faster than the best simple split that fits"),
            "{lead}"
        );
        answer.baselines.even.mem_ok = false;
        answer.baselines.heuristic.mem_ok = false;
        let lead = plain(&verdict(&problem, &answer).summary);
        assert!(
            lead.contains("None of the simple splits fits, and no other") && !lead.contains('%'),
            "{lead}"
        );
    }

    /// All that is said of one plan rests on one analysis: what takes most of the time, and the one number that helps most.
    #[test]
    fn two_reasons_never_contradict_each_other() {
        for preset in ["csgo-paper", "csgo-paper-long", "home-decode"] {
            let (problem, answer, words) = answered(preset);
            let timeline = answer.timeline.expect("a plan");
            let parts = TimeParts::of(&timeline);
            let pace = pace(&timeline);
            let most = parts.stall.max(parts.comm).max(parts.comp);
            let (takes, opening) = match pace.pace_part {
                PacePart::Load => (parts.stall, "disk sets the pace."),
                PacePart::Transfer => (parts.comm, "The links set the pace."),
                PacePart::Compute => (parts.comp, "Computing sets the pace."),
            };
            assert_eq!(takes, most, "{preset}");
            assert!(plain(&words.reason).contains(opening), "{preset}");
            let advice = plain(&super::reasons::advice(&problem, &timeline));
            let best = pace.lever.expect("something helps");
            // Where another kind of number helps most, the sentence says why.
            assert_eq!(
                advice.contains("takes most of the time, but") || advice.contains("take most of"),
                best.pace_part != pace.pace_part,
                "{preset}: {advice}"
            );
        }
    }

    #[test]
    fn a_search_that_was_ended_is_reported() {
        let mut scenario = presets::paper();
        let four = scenario.devices.clone();
        scenario.devices = four.iter().cycle().take(12).cloned().collect();
        let problem = scenario.problem().expect("twelve valid devices");
        let limits = Limits {
            steps: Some(10),
            ..Limits::default()
        };
        let answer = answer(
            &problem,
            ColdStartMethod::Exact,
            scenario.heuristic,
            &limits,
            &mut NoProgress,
        );
        let words = verdict(&problem, &answer);
        assert_eq!(answer.status, Status::Feasible);
        assert_eq!(words.tone, Tone::Open);
        assert!(
            words.proof.starts_with("Within ") && words.proof.ends_with("%, proven"),
            "{}",
            words.proof
        );
        let lead = plain(&words.summary);
        assert!(
            lead.contains("The search has not ended: no plan can beat "),
            "{lead}"
        );
    }
}
