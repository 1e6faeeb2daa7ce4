//! Published latency, utilisation and memory of the Hyperion paper beside ours: one request by the sum of stages and transfers,
//! many by simulation with the stated seeds ([`planner::tiers_published::SEEDS`]).
//!
//! Source: Hyperion, Table II and figures 5, 6, 9, 10 and 12. The paper says "average latency required to complete
//! these tasks" and means, by its own numbers, something near the makespan of one task after another; so beside each
//! figure stands the mean latency that its words say, on machines that work in parallel, and the reason gives the
//! nearest reading that was found. Its learned scheduler is unpublished: round robin is in for it and is called
//! so. The runs are those of [`planner::tiers_published`].
//!
//! Complexity: O(cases²) to find the figures of each case; the runs themselves are [`planner::tiers_published`]'s.

use super::{Figure, PublishedClaim, Range};
use document::{Cell, Table};
use engine::model::precision::Precision;
use engine::papers::{HYPERION, PaperRow};
use engine::problem::Mode;
use engine::problem::tier_costs::{F9, R16, T2, TierProfile};
use engine::units::percent;
use planner::tiers_published::{
    FAST, Figures, LLAMA, MODES, PHI, PaperNetwork, PaperStrategy, RATE, SLOW, TOPOLOGIES,
    TierCase, TierMeasurements, TierSetting, usual,
};

fn split_text(split: &[usize]) -> String {
    Figure::split(split).text()
}

/// A quantity beside ours, which has at least one decimal.
fn claim(row: &'static PaperRow, ours: f64, reason: String) -> PublishedClaim {
    let figure = Figure::Quantity(ours, row.decimals().max(1), &row.unit);
    PublishedClaim::compare(row, Some((figure, reason)))
}

/// The paper's model that a row is of, by the end of its key or the part before it.
fn model(row: &PaperRow) -> PaperNetwork {
    match row.key.split('/').any(|part| part == PHI.name) {
        true => PHI,
        false => LLAMA,
    }
}

/// The rows of a group about a model, in order.
fn of_model(group: &'static str, paper: PaperNetwork) -> impl Iterator<Item = &'static PaperRow> {
    HYPERION.group(group).filter(move |row| model(row) == paper)
}

/// A published latency of one request.
#[derive(Debug, Clone, Copy)]
struct Lone {
    row: &'static PaperRow,
    paper: PaperNetwork,
    strategy: PaperStrategy,
    tokens: u32,
    rate: f64,
}

impl Lone {
    fn of(row: &'static PaperRow) -> Self {
        let usual = Self {
            row,
            paper: model(row),
            strategy: PaperStrategy::Hyperion,
            tokens: 128,
            rate: FAST,
        };
        match row.key.split('/').nth(1) {
            Some("slow") => Self {
                rate: SLOW,
                ..usual
            },
            Some("long") => Self {
                tokens: 256,
                ..usual
            },
            Some("HEFT") => Self {
                strategy: PaperStrategy::Heft,
                ..usual
            },
            Some("GPipe") => Self {
                strategy: PaperStrategy::Gpipe,
                ..usual
            },
            _ => usual,
        }
    }

    /// Returns what this one is compared with: 128 tokens over fast links, partitioned as published, from the same table or
    /// figure.
    fn usual(&self) -> Self {
        let from = if self.rate < FAST { "fast" } else { "figure" };
        Self::of(HYPERION.row(&format!("one/{from}/{}", self.paper.name)))
    }

    /// Latency under a profile [s], and the split.
    fn under(&self, profile: TierProfile) -> (f64, Vec<usize>) {
        let setting = TierSetting {
            tokens: self.tokens,
            rate: self.rate,
            ..usual(self.paper, profile, Mode::Token, self.strategy)
        };
        (setting.alone(), setting.split)
    }

    /// Why the default profile does not give what is published; `ours` is what it gives [s].
    fn why(&self, ours: f64) -> String {
        let usual = self.usual();
        let (own, published) = (self.row.at(0), usual.row.at(0));
        match self.strategy {
            PaperStrategy::Heft => String::new(),
            PaperStrategy::Gpipe => format!(
                "Equal counts take {:.2} times as long as the published split, not {:.2} times: that is about the ratio of the \
                 largest stages, but a request waits for all of them.",
                ours / usual.under(R16).0,
                own / published
            ),
            PaperStrategy::Hyperion if self.rate < FAST => {
                let slower = ours - usual.under(R16).0;
                let bytes = 2.0 * (own - published) / slower;
                format!(
                    "Links of a tenth of the rate add {slower:.2} s here; the published difference needs {bytes:.0} bytes \
                     per hidden value on the wire instead of 2."
                )
            }
            PaperStrategy::Hyperion if self.tokens > 128 => format!(
                "Twice the tokens are twice the passes: {:.2} times the time here. The published {:.2} times need a long \
                 fixed start, which a prompt of 64 tokens cannot cost.",
                ours / usual.under(R16).0,
                own / published
            ),
            PaperStrategy::Hyperion => format!(
                "The published time would need {:.3} of the memory rate instead of 0.6.",
                0.6 * ours / own
            ),
        }
    }
}

/// The published latencies of one request beside ours in the default profile; the reasons give the other profiles.
#[must_use]
pub fn one_request() -> Vec<PublishedClaim> {
    let claim = |lone: Lone| {
        let (ours, split) = lone.under(R16);
        let others = [T2, F9].map(|profile| {
            let (latency, split) = lone.under(profile);
            format!(
                "{latency:.1} s with {} under {}",
                split_text(&split),
                profile.name
            )
        });
        let reason = format!(
            "Cut {} under {}; {}. {}",
            split_text(&split),
            R16.name,
            others.join(", "),
            lone.why(ours)
        );
        claim(lone.row, ours, reason.trim_end().to_owned())
    };
    HYPERION.group("one").map(Lone::of).map(claim).collect()
}

/// A mean or a makespan under one profile and mode.
struct ManyReading {
    seconds: f64,
    /// `makespan, mode serial under T2`.
    name: String,
}

/// Every reading of the latency of many requests; `None` as long as one has not run.
fn many_readings(
    measured: &TierMeasurements,
    paper: PaperNetwork,
    strategy: PaperStrategy,
) -> Option<Vec<ManyReading>> {
    let mut all = Vec::new();
    for profile in PROFILES {
        for mode in MODES {
            let ran = measured.of(&TierCase::many(paper, profile, mode, strategy))?;
            for (what, spread) in [("mean", &ran.latency), ("makespan", &ran.makespan)] {
                all.push(ManyReading {
                    seconds: spread.mean,
                    name: format!("{what}, mode {} under {}", mode.name(), profile.name),
                });
            }
        }
    }
    Some(all)
}

/// The published latencies of many requests beside the mean latency on machines that work in parallel (token mode,
/// default profile), and the published reductions beside those of one request after another; `None` as long as runs of
/// [`Measure::Readings`](planner::tiers_published::TierMeasure::Readings) are missing.
#[must_use]
pub fn many_requests(measured: &TierMeasurements) -> Option<Vec<PublishedClaim>> {
    let mut claims = Vec::new();
    let mut lower = Vec::new();
    for paper in [LLAMA, PHI] {
        for (row, strategy) in of_model("many", paper).zip(PaperStrategy::ALL) {
            let mean = measured.of(&TierCase::many(paper, R16, Mode::Token, strategy))?;
            let readings = many_readings(measured, paper, strategy)?;
            let apart = |reading: &&ManyReading| libm::fabs(reading.seconds - row.at(0));
            let nearest = (readings.iter()).min_by(|a, b| apart(a).total_cmp(&apart(b)))?;
            let reason = format!(
                "Mean under {}, mode {}, {} requests; the makespan is {:.0} s. The published figure is not a mean: a mean that \
                 large would keep the slowest tier busy for twice what a request takes. Nearest of all readings is {}: {:.0} s, \
                 {} of what is published.",
                R16.name,
                Mode::Token.name(),
                paper.tasks,
                mean.makespan.mean,
                nearest.name,
                nearest.seconds,
                percent(100.0 * nearest.seconds / row.at(0), 0)
            );
            claims.push(claim(row, mean.latency.mean, reason));
        }
        for (row, strategy) in of_model("lower", paper).zip(&PaperStrategy::ALL[1..]) {
            let mut each = Vec::new();
            for profile in PROFILES {
                let span = |strategy| {
                    let case = TierCase::many(paper, profile, Mode::Serial, strategy);
                    Some(measured.of(&case)?.makespan.mean)
                };
                each.push(100.0 * (1.0 - span(PaperStrategy::Hyperion)? / span(*strategy)?));
            }
            let named: Vec<String> = (each.iter().zip(PROFILES))
                .map(|(lower, profile)| format!("{} under {}", percent(*lower, 1), profile.name))
                .collect();
            let reason = format!(
                "Makespans of {} requests, one after another (mode {}): {}. The paper calls these reductions \
                 \u{201c}higher\u{201d}.",
                paper.tasks,
                Mode::Serial.name(),
                named.join(", ")
            );
            let ours = Figure::Range(Range::of(each, 2, "%"));
            lower.push(PublishedClaim::compare(row, Some((ours, reason))));
        }
    }
    claims.extend(lower);
    Some(claims)
}

/// Every mode and profile for the largest numbers of tasks, with what is published; `None` as long as runs of
/// [`Measure::Readings`](planner::tiers_published::TierMeasure::Readings) are missing.
#[must_use]
pub fn many_requests_table(measured: &TierMeasurements) -> Option<Table> {
    let mut seeds = 0;
    let mut rows = Vec::new();
    for paper in [LLAMA, PHI] {
        for (strategy, published) in PaperStrategy::ALL.into_iter().zip(of_model("many", paper)) {
            for profile in PROFILES {
                let of = |mode| TierCase::many(paper, profile, mode, strategy);
                let split = of(Mode::Token).setting.split;
                let mut row = vec![
                    Cell::text(paper.name),
                    Cell::text(strategy.name()),
                    Cell::text(profile.name),
                    Cell::text(split_text(&split)),
                    Cell::Number(paper.tasks as f64, 0),
                    Cell::Number(published.at(0), 0),
                ];
                for mode in MODES {
                    let ran = measured.of(&of(mode))?;
                    seeds = ran.latency.runs;
                    row.extend([
                        Cell::Number(ran.latency.mean, 1),
                        Cell::maybe(ran.latency.confidence, 1),
                        Cell::Number(ran.makespan.mean, 1),
                    ]);
                }
                rows.push(row);
            }
        }
    }
    let columns = [
        ("model", "model", ""),
        ("strategy", "strategy", ""),
        ("profile", "profile", ""),
        ("split", "split", ""),
        ("requests", "requests", ""),
        ("published_s", "published", "s"),
        ("token_mean_s", "token, mean", "s"),
        ("token_confidence_s", "\u{b1}", "s"),
        ("token_makespan_s", "makespan", "s"),
        ("hold_mean_s", "hold, mean", "s"),
        ("hold_confidence_s", "\u{b1}", "s"),
        ("hold_makespan_s", "makespan", "s"),
        ("serial_mean_s", "serial, mean", "s"),
        ("serial_confidence_s", "\u{b1}", "s"),
        ("serial_makespan_s", "makespan", "s"),
    ];
    let title = format!(
        "Many requests at {RATE} per second: mean latency with its 95 % confidence, and makespan, over {seeds} seeds"
    );
    Some(Table::new("many-requests", title, &columns, rows))
}

/// The topologies of Fig. 12 beside the mean latency of 14 requests (token mode, profile T2); `None` as long as runs of
/// [`Measure::Topologies`](planner::tiers_published::TierMeasure::Topologies) are missing.
#[must_use]
pub fn topologies(measured: &TierMeasurements) -> Option<Vec<PublishedClaim>> {
    let mut claims = Vec::new();
    for (paper, topologies) in TOPOLOGIES {
        let mut means = Vec::new();
        for (topology, row) in topologies.into_iter().zip(of_model("tiers", paper)) {
            let in_mode = |mode| TierCase::topology(paper, topology, mode);
            let mean = measured.of(&in_mode(Mode::Token))?.latency.mean;
            let serial = measured.of(&in_mode(Mode::Serial))?.makespan.mean;
            means.push(mean);
            let reason = format!(
                "Cut {} under {}, mode {}, {} requests; one request alone takes {:.1} s, all one after another {serial:.0} s.",
                split_text(topology.1),
                T2.name,
                Mode::Token.name(),
                in_mode(Mode::Token).tasks,
                in_mode(Mode::Token).setting.alone()
            );
            claims.push(claim(row, mean, reason));
        }
        let faster = means.windows(2).all(|pair| pair[1] < pair[0]);
        let each: Vec<String> = means.iter().map(|mean| format!("{mean:.1} s")).collect();
        let reason = format!(
            "Weaker tiers slow every single request and help only where the smaller network is overloaded. The networks \
             have 5, 8 and 10 nodes, so this does not test tiers alone. Mean latencies: {}.",
            each.join(", ")
        );
        let statements = of_model("more-tiers", paper);
        claims.extend(
            statements.map(|row| PublishedClaim::stated(row, Some((faster, reason.clone())))),
        );
    }
    Some(claims)
}

/// The published utilisation of each tier beside ours (13 requests, token mode, profile T2); `None` as long as runs of
/// [`Measure::Busy`](planner::tiers_published::TierMeasure::Busy) are missing.
#[must_use]
pub fn utilisation(measured: &TierMeasurements) -> Option<Vec<PublishedClaim>> {
    let mut claims = Vec::new();
    for paper in [LLAMA, PHI] {
        let in_mode = |mode| measured.of(&TierCase::busy(paper, mode));
        let (token, serial) = (in_mode(Mode::Token)?, in_mode(Mode::Serial)?);
        for (tier, row) in of_model("busy", paper).enumerate() {
            let share = |figures: &Figures| {
                let share = figures.utilisation.get(tier);
                share.map_or(f64::NAN, |share| 100.0 * share)
            };
            let reason = format!(
                "Under {}, mode {}, {} requests; one after another {}. Here the AGX tier is the busiest, having two nodes and \
                 the output head; the published shares add up to more than the one request at a time that the published \
                 latencies allow.",
                T2.name,
                Mode::Token.name(),
                TierCase::busy(paper, Mode::Token).tasks,
                percent(share(serial), 0)
            );
            let ours = Figure::percent(Some(share(token)));
            claims.push(PublishedClaim::compare(row, Some((ours, reason))));
        }
    }
    Some(claims)
}

/// The published memory of each tier beside the weights it holds at fp16, embedding and output head included.
#[must_use]
pub fn memory() -> Vec<PublishedClaim> {
    let mut claims = Vec::new();
    for paper in [LLAMA, PHI] {
        let (decoder, split) = (paper.decoder(), paper.split());
        let weights = |precision: Precision, tier: usize| {
            let ends = usize::from(tier == 0) + usize::from(tier + 1 == split.len());
            let blocks = split[tier] as f64 * decoder.block_bytes(precision);
            (blocks + ends as f64 * decoder.head_bytes(precision)) / 1e9
        };
        for (tier, row) in of_model("memory", paper).enumerate().take(split.len()) {
            let (ours, published) = (weights(Precision::Fp16, tier), row.at(0));
            let reason = format!(
                "Weights alone. The {:.1} GB between are plausible as system and runtime, and grow with the device; int8 \
                 weights of {:.2} GB would leave {:.1} GB unexplained, though Fig. 9 is too fast for fp16.",
                published - ours,
                weights(Precision::Int8, tier),
                published - weights(Precision::Int8, tier)
            );
            claims.push(claim(row, ours, reason));
        }
    }
    claims
}

/// Profiles under which many requests are read, the default first.
const PROFILES: [TierProfile; 2] = [R16, T2];

/// Notes below the figures, one for each paragraph: the names of profiles and modes first.
#[must_use]
pub fn notes() -> Vec<String> {
    let profiles = [R16, T2, F9].map(|profile| format!("{} is {}", profile.name, profile.about));
    let modes = MODES.map(|mode| format!("{}: {}", mode.name(), mode_text(mode)));
    let legend = format!("{}. Modes are {}.", profiles.join("; "), modes.join("; "));
    let others = NOTES.into_iter().map(str::to_owned);
    std::iter::once(legend).chain(others).collect()
}

/// How requests use the tiers in a mode.
const fn mode_text(mode: Mode) -> &'static str {
    match mode {
        Mode::Token => "requests take turns on a node, token by token",
        Mode::Hold => "a node serves one request from its prompt to its last token",
        Mode::Request => "a request is one job on each tier",
        Mode::Serial => "one request at a time in the whole system",
    }
}

/// Remarks on all figures, one for each paragraph.
pub const NOTES: [&str; 2] = [
    "The published latencies of many requests grow by 0.89 to 0.96 of a single request\u{2019}s latency with every further \
     one: they are the time of requests one after another. On 3, 3 and 2 nodes that work in parallel, as the paper \
     describes them, many requests are four times faster by the makespan and ten times by the mean.",
    "No profile fits everything: Fig. 9 is too fast for fp16 weights, which its own Table II needs for its memory; the \
     mode that comes near Fig. 5 gives the reverse of Fig. 12. T2 is fitted to the two latencies of Table II and to \
     nothing else.",
];
