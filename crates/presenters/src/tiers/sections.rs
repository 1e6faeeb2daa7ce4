//! Sections of an answer about tiers, for command line, service, reports and page alike.

use super::queries::as_split;
use super::{
    charts, comparison, ends_note, front, own_load, requests_table, split_words, stages, tier_name,
    utilisation, verdict,
};
use crate::chains;
use chart::ChartSpec;
use document::{
    Block, Chart, ChartInteraction, FigurePart, Figures, Formula, Quantity, Section, Sentence,
    Unit, counted,
};
use engine::scenario::tiers::{Mode, Scenario};
use engine::units::{NARROW, bytes, count, energy as energy_words, percent, seconds};
use planner::tiers::{Compromise, Plan, Planned, Runs, Stage, TierTimeline};

/// Results for a scenario so far.
#[derive(Debug, Clone, Copy)]
pub struct TiersFacts<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The plan and what it is compared with.
    pub planned: &'a Planned,
    /// The scenario’s own requests through the plan, or why there are none.
    pub load: Option<Result<&'a Runs, &'a engine::problem::Invalid>>,
    /// Timeline pass by pass.
    pub timeline: Option<&'a TierTimeline>,
}

/// The scenario in a line.
#[must_use]
pub fn about(scenario: &Scenario) -> Vec<String> {
    vec![format!(
        "{}, {} tokens in, {} out, {}",
        scenario.shown_model(),
        scenario.prompt_tokens,
        scenario.out_tokens,
        counted(scenario.switched_on().count(), "tier", "tiers")
    )]
}

/// All that is known, the answer first.
#[must_use]
pub fn sections(known: &TiersFacts<'_>) -> Vec<Section> {
    let mut all = summary(known.scenario, known.planned);
    all.extend(details(known));
    all
}

/// The answer and its picture.
#[must_use]
pub fn summary(scenario: &Scenario, planned: &Planned) -> Vec<Section> {
    let words = verdict(scenario, planned);
    let mut answer = Section::new("answer", "Answer").with(Block::Answer(words));
    let Some(plan) = &planned.plan else {
        return vec![answer];
    };
    answer = answer
        .and(ends_note(scenario, plan))
        .with(figures(scenario, plan));
    let name = scenario.model.name();
    let picture = Chart::new(
        "blocks",
        format!("{name} over tiers, {}", split_words(&plan.placed)),
        ChartSpec::Network(charts::network(scenario, plan)),
    )
    .with_table(stages(scenario, plan))
    .with_interaction(cuts(scenario, plan));
    vec![
        answer,
        Section::new("picture", "Blocks on tiers").with(picture),
    ]
}

/// Returns the details.
#[must_use]
pub fn details(known: &TiersFacts<'_>) -> Vec<Section> {
    let TiersFacts {
        scenario, planned, ..
    } = *known;
    let Some(plan) = &planned.plan else {
        return vec![compared(known)];
    };
    let mut all: Vec<Section> = load(known, plan).into_iter().collect();
    all.push(compared(known));
    all.extend(compromises(known));
    all.extend(static_sections(scenario, plan));
    if let Ok(chain) = chains::of_tiers(scenario, plan) {
        all.push(protocol::flags::section(&chain));
    }
    all
}

/// Cuts can be moved where the tiers are as they are listed, and there are two.
fn cuts(scenario: &Scenario, plan: &Plan) -> ChartInteraction {
    match as_split(scenario, &plan.placed) {
        Some(_) if plan.placed.len() > 1 => ChartInteraction::Cuts {
            pointer: "/split".into(),
            of: scenario.tiers.len(),
            places: plan.placed.iter().map(|placed| placed.tier).collect(),
        },
        _ => ChartInteraction::Looks,
    }
}

/// Sections that need nothing but to be shown.
#[must_use]
pub fn static_sections(scenario: &Scenario, plan: &Plan) -> Vec<Section> {
    vec![energy(scenario, plan)]
}

/// The energy of a request by tier, on nodes that draw their power while they work and nothing else.
fn energy(scenario: &Scenario, plan: &Plan) -> Section {
    let of_stage = |(at, stage): (usize, &Stage)| {
        let power = scenario.tiers[stage.tier].power_w;
        let name = format!("Energy on {}", tier_name(scenario, stage.tier));
        let spent = power * stage.load;
        let formula = Formula::new(
            "power \u{d7} time of a request on the tier",
            format!(
                "{power}{NARROW}W \u{d7} {} = {}",
                seconds(stage.load),
                energy_words(spent)
            ),
            "The power of a node while it works; idle nodes and links are not counted",
            &["power_w", "out_tokens"],
        );
        FigurePart {
            quantity: Quantity::new(format!("energy_{}", at + 1), name, spent, Unit::Joules)
                .by(formula),
            class: format!("dev d{}", stage.tier % 8 + 1),
        }
    };
    let parts: Vec<FigurePart> = plan.stages.iter().enumerate().map(of_stage).collect();
    let shown: Vec<String> = parts.iter().map(|part| part.quantity.text()).collect();
    let whole =
        Quantity::new("energy", "Energy of a request", plan.energy, Unit::Joules).by(Formula::new(
            "\u{3a3} tiers",
            format!("{} = {}", shown.join(" + "), energy_words(plan.energy)),
            "An upper bound of the work: nodes at their rated power, no idling",
            &["power_w", "out_tokens"],
        ));
    let said = Sentence::default()
        .plain("A single request takes ")
        .strong(whole.text())
        .plain(" of the nodes that work on it.");
    let figures = Figures {
        total: Some(whole),
        shares: parts,
        ..Figures::default()
    };
    Section::new("energy", "Energy of a request by tier")
        .folded()
        .with(said)
        .with(figures)
}

/// The figures under the headline: what a single request is made of, and what else counts.
#[must_use]
pub fn figures(scenario: &Scenario, plan: &Plan) -> Figures {
    let tokens = scenario.out_tokens;
    let passes = tokens - 1.0;
    let part = |key: String, name: String, class: &str, value: f64, formula: Formula| FigurePart {
        quantity: Quantity::new(key, name, value, Unit::Seconds).by(formula),
        class: class.to_owned(),
    };
    let of_stage = |(at, stage): (usize, &Stage)| {
        let formula = Formula::new(
            "prefill + (G − 1) decode",
            format!(
                "{} + {} × {} = {}",
                seconds(stage.prefill),
                count(passes),
                seconds(stage.decode),
                seconds(stage.load)
            ),
            "Hyperion, section III: the load of a tier in equation (8), for every pass of a request",
            &[
                "prompt_tokens",
                "out_tokens",
                "bandwidth_gb_s",
                "tops",
                "eta_b",
                "eta_c",
                "eta_f",
            ],
        );
        let class = format!("dev d{}", stage.tier % 8 + 1);
        part(
            format!("stage_{}", at + 1),
            tier_name(scenario, stage.tier),
            &class,
            stage.load,
            formula,
        )
    };
    let mut parts: Vec<FigurePart> = plan.stages.iter().enumerate().map(of_stage).collect();
    let hops = plan
        .hops
        .iter()
        .map(|hop| hop.prefill + passes * hop.decode);
    let (hops, back) = (hops.sum::<f64>(), tokens * plan.return_delay);
    if hops + back > 0.0 {
        let formula = Formula::of_sum(
            "Σ links (prompt + (G − 1) token) + G × the way back",
            (&[hops, back], hops + back),
            "Hyperion, equation (9), for every pass; nothing queues on a link",
            &[
                "rate_mbit_s",
                "latency_ms",
                "wire_bytes",
                "prompt_tokens",
                "out_tokens",
            ],
        );
        parts.push(part(
            "links".into(),
            "Links".into(),
            "k-transfer",
            hops + back,
            formula,
        ));
    }
    if plan.setup > 0.0 {
        let formula = Formula::new(
            "seconds per billion parameters × parameters",
            seconds(plan.setup),
            "Hyperion, section V: setup before a request enters",
            &["setup_s_per_gparam"],
        );
        parts.push(part(
            "setup".into(),
            "Setup".into(),
            "k-load",
            plan.setup,
            formula,
        ));
    }
    let added: Vec<f64> = parts.iter().map(|part| part.quantity.value).collect();
    let whole = Quantity::new("request", "Single request", plan.request, Unit::Seconds).by(Formula::of_sum(
        "Σ stages + links + setup",
        (&added, plan.request),
        "One request passes every tier: loads and links add up. The paper\u{2019}s total takes only the slowest stage, equations (8) and (9)",
        &["prompt_tokens", "out_tokens"],
    ));
    Figures {
        quantities: Vec::new(),
        total: Some(whole),
        shares: parts,
        other_quantities: other_figures(scenario, plan),
    }
}

fn other_figures(scenario: &Scenario, plan: &Plan) -> Vec<Quantity> {
    let busiest = &plan.stages[plan.busiest];
    let nodes = scenario.tiers[busiest.tier].nodes;
    let busiest_name = tier_name(scenario, busiest.tier);
    let prefills: Vec<f64> = plan.stages.iter().map(|stage| stage.prefill).collect();
    let hops: f64 = plan.hops.iter().map(|hop| hop.prefill).sum();
    let firsts = [plan.setup, prefills.iter().sum(), hops + plan.return_delay];
    let mut all = vec![
        Quantity::new(
            "first_token",
            "First token",
            plan.first_token,
            Unit::Seconds,
        )
        .with_note(format!("then one every {}", seconds(plan.per_token)))
        .by(Formula::of_sum(
            "setup + Σ prefill + Σ links with the prompt and the way back",
            (&firsts, plan.first_token),
            "The first pass of equations (8) and (9) of Hyperion",
            &["prompt_tokens", "rate_mbit_s", "latency_ms"],
        )),
        Quantity::new(
            "full_at",
            "Saturates at",
            plan.full_at,
            Unit::RequestsPerSecond,
        )
        .with_note(format!("{busiest_name} first"))
        .by(Formula::new(
            "nodes / time of a request on the busiest tier",
            format!(
                "{nodes} / {} = {}",
                seconds(busiest.load),
                Unit::RequestsPerSecond.format(plan.full_at)
            ),
            "Utilisation 1 of the tier with the least rate",
            &["nodes", "out_tokens"],
        )),
    ];
    let fill = |stage: &Stage| stage.memory / stage.room;
    if let Some(tight) = plan
        .stages
        .iter()
        .max_by(|a, b| fill(a).total_cmp(&fill(b)))
    {
        let [held, room] = [tight.memory, tight.room].map(|gb| bytes(1e9 * gb));
        all.push(
            Quantity::new("memory", "Tightest memory", fill(tight), Unit::WholeShare)
                .with_note(format!(
                    "{}, {held} of {room}",
                    tier_name(scenario, tight.tier)
                ))
                .by(Formula::new(
                    match scenario.cost.mode {
                        Mode::Runtime => {
                            "weights, buffers and cache of a request on a node / usable memory of a node"
                        }
                        Mode::Flops | Mode::Roofline => {
                            "weights on a node / usable memory of a node"
                        }
                    },
                    format!("{held} / {room} = {}", percent(100.0 * fill(tight), 0)),
                    "Hyperion, section III: memory of a tier, equation (5)",
                    &["usable_gb", "layers", "d_model"],
                )),
        );
    }
    all
}

/// Requests through the plan.
fn load(known: &TiersFacts<'_>, plan: &Plan) -> Option<Section> {
    let section = Section::new("load", "Under load");
    let runs = match known.load? {
        Ok(runs) => runs,
        Err(fault) => {
            return Some(section.with(Sentence::default().plain(format!("No runs: {fault}."))));
        }
    };
    let scenario = known.scenario;
    let mut section = section
        .with(own_load(scenario, plan, runs))
        .and(utilisation(scenario, plan, runs));
    let drawn = known.timeline.and_then(|timeline| {
        let run = charts::requests(scenario, &plan.placed, timeline)?;
        Some(
            Chart::new(
                "requests",
                format!(
                    "{} over time",
                    counted(timeline.arrival.len(), "request", "requests")
                ),
                ChartSpec::Requests(run),
            )
            .with_table(requests_table(timeline)),
        )
    });
    section = section.and(drawn);
    Some(section)
}

fn compared(known: &TiersFacts<'_>) -> Section {
    Section::new("comparison", "Compared with other rules")
        .with(SAME_COSTS.to_owned())
        .with(comparison(known.scenario, known.planned))
}

const SAME_COSTS: &str = "Every split is scored by the same evaluator with the same costs. GPipe and HEFT are the paper\u{2019}s \
                          baselines as far as it describes them; its scheduler for GPipe is not public.";

fn compromises(known: &TiersFacts<'_>) -> Option<Section> {
    let planned = known.planned;
    let lines = charts::front(planned);
    (!lines.series.is_empty()).then(|| {
        let cut = planned.front_is_cut.then(|| FRONT_CUT.to_owned());
        let take = |point: &Compromise| {
            let edit = as_split(known.scenario, &point.placed)?;
            Some((point.bottleneck, edit.within("front")))
        };
        let takes = planned.front.iter().filter_map(take).collect();
        let chart = Chart::new("front", lines.title.clone(), ChartSpec::Lines(lines));
        Section::new("front", "Single request and slowest stage")
            .folded()
            .holding("splits that no other beats in both")
            .with(
                chart
                    .with_table(front(planned))
                    .with_interaction(ChartInteraction::AppliesEdits(takes)),
            )
            .with(FRONT_MEANS.to_owned())
            .and(cut)
    })
}

const FRONT_MEANS: &str = "Each point is a split that no other beats in both. The slowest stage decides how many requests a \
                           tier of one node can serve, the sum how long a single one takes.";

/// Note on a front that is not listed in full.
const FRONT_CUT: &str = "The list is truncated: the front has more points than are shown.";
