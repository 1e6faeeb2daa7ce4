//! What the Hyperion paper publishes about latency, utilisation and memory, as data, and the same computed here: one
//! request by the stages and transfers, many by simulation with the stated seeds ([`job::tiers_published::SEEDS`]).
//!
//! Source: Hyperion, Table II and figures 5, 6, 9, 10 and 12. The paper says "average latency required to complete
//! these tasks" and means, by its own numbers, something near the makespan of one task after another; so beside each
//! figure stands the mean latency that its words say, on machines that work in parallel, and the reason gives the
//! nearest reading that was found. Its learned scheduler is unpublished: round robin stands in for it and is called
//! so. The runs are those of [`job::tiers_published`].
//!
//! Complexity: O(cases²) to find the figures of each case; the runs themselves are [`job::tiers_published`]'s.

use super::{Agreement, Claim, Figure};
use engine::model::precision::Precision;
use engine::problem::Mode;
use engine::problem::tier_costs::{F9, Profile, R16, T2};
use engine::units::percent;
use job::tiers_published::{
    Case, FAST, Figures, LLAMA, MODES, Measured, PHI, Paper, RATE, SLOW, Setting, Strategy,
    TOPOLOGIES, usual,
};
use story::{Cell, Column, Table};

fn words(split: &[usize]) -> String {
    Figure::split(split).words()
}

fn claim(
    name: &'static str,
    source: &'static str,
    published: (f64, usize, &'static str),
    ours: f64,
    reason: String,
) -> Claim {
    let (value, decimals, unit) = published;
    Claim {
        name,
        source,
        published: Figure::Quantity(value, decimals, unit),
        ours: Figure::Quantity(ours, decimals.max(1), unit),
        yours: Figure::Missing,
        agreement: Agreement::of_relative(value, decimals, Some(ours)),
        reason,
    }
}

/// One published latency of one request.
#[derive(Debug, Clone, Copy)]
struct Lone {
    name: &'static str,
    source: &'static str,
    published: f64,
    paper: Paper,
    strategy: Strategy,
    tokens: u32,
    rate: f64,
}

const TABLE_II: &str = "Table II";
const FIG_9: &str = "Fig. 9 and 10";

const fn lone(
    name: &'static str,
    source: &'static str,
    published: f64,
    paper: Paper,
    strategy: Strategy,
) -> Lone {
    Lone {
        name,
        source,
        published,
        paper,
        strategy,
        tokens: 128,
        rate: FAST,
    }
}

/// The published latencies of one request.
const LONE: [Lone; 10] = [
    lone(
        "Llama-3-8B, 128 tokens, 1 Gbit/s",
        TABLE_II,
        24.8,
        LLAMA,
        Strategy::Hyperion,
    ),
    lone(
        "Phi-3-medium, 128 tokens, 1 Gbit/s",
        TABLE_II,
        38.7,
        PHI,
        Strategy::Hyperion,
    ),
    Lone {
        rate: SLOW,
        ..lone(
            "Llama-3-8B, 100 Mbit/s",
            TABLE_II,
            27.2,
            LLAMA,
            Strategy::Hyperion,
        )
    },
    Lone {
        rate: SLOW,
        ..lone(
            "Phi-3-medium, 100 Mbit/s",
            TABLE_II,
            42.0,
            PHI,
            Strategy::Hyperion,
        )
    },
    Lone {
        tokens: 256,
        ..lone(
            "Llama-3-8B, 256 tokens",
            FIG_9,
            35.8,
            LLAMA,
            Strategy::Hyperion,
        )
    },
    Lone {
        tokens: 256,
        ..lone(
            "Phi-3-medium, 256 tokens",
            FIG_9,
            57.6,
            PHI,
            Strategy::Hyperion,
        )
    },
    lone("Llama-3-8B, HEFT", FIG_9, 35.0, LLAMA, Strategy::Heft),
    lone("Phi-3-medium, HEFT", FIG_9, 53.4, PHI, Strategy::Heft),
    lone("Llama-3-8B, GPipe", FIG_9, 50.1, LLAMA, Strategy::Gpipe),
    lone("Phi-3-medium, GPipe", FIG_9, 78.7, PHI, Strategy::Gpipe),
];

impl Lone {
    /// Latency under a profile [s], and the split.
    fn under(&self, profile: Profile) -> (f64, Vec<usize>) {
        let setting = Setting {
            tokens: self.tokens,
            rate: self.rate,
            ..usual(self.paper, profile, Mode::Token, self.strategy)
        };
        (setting.alone(), setting.split)
    }

    /// Why the default profile does not give what is published; `ours` is what it gives [s].
    fn why(&self, ours: f64) -> String {
        let published_at = |rate: f64, tokens: u32, strategy: Strategy| {
            let same = |other: &&Self| {
                (other.paper.name, other.rate, other.tokens, other.strategy)
                    == (self.paper.name, rate, tokens, strategy)
            };
            LONE.iter()
                .find(same)
                .map_or(f64::NAN, |other| other.published)
        };
        let usual = Self {
            rate: FAST,
            tokens: 128,
            strategy: Strategy::Hyperion,
            ..*self
        };
        let published = published_at(FAST, 128, Strategy::Hyperion);
        match self.strategy {
            Strategy::Heft => String::new(),
            Strategy::Gpipe => format!(
                "Equal counts take {:.2} times as long as the published split, not {:.2} times: that is about the ratio of the \
                 largest stages, but a request waits for all of them.",
                ours / usual.under(R16).0,
                self.published / published
            ),
            Strategy::Hyperion if self.rate < FAST => {
                let slower = ours - usual.under(R16).0;
                let bytes = 2.0 * (self.published - published) / slower;
                format!(
                    "Links of a tenth of the rate add {slower:.2} s here; the published difference needs {bytes:.0} bytes \
                     per hidden value on the wire instead of 2."
                )
            }
            Strategy::Hyperion if self.tokens > 128 => format!(
                "Twice the tokens are twice the passes: {:.2} times the time here. The published {:.2} times need a long \
                 fixed start, which a prompt of 64 tokens cannot cost.",
                ours / usual.under(R16).0,
                self.published / published
            ),
            Strategy::Hyperion => format!(
                "The published time would need {:.3} of the memory rate instead of 0.6.",
                0.6 * ours / self.published
            ),
        }
    }
}

/// The published latencies of one request beside ours in the default profile; the reasons give the other profiles.
#[must_use]
pub fn one_request() -> Vec<Claim> {
    let claim = |lone: &Lone| {
        let (ours, split) = lone.under(R16);
        let others = [T2, F9].map(|profile| {
            let (latency, split) = lone.under(profile);
            format!(
                "{latency:.1} s with {} under {}",
                words(&split),
                profile.name
            )
        });
        let reason = format!(
            "Cut {} under {}; {}. {}",
            words(&split),
            R16.name,
            others.join(", "),
            lone.why(ours)
        );
        let published = (lone.published, 1, "s");
        claim(
            lone.name,
            lone.source,
            published,
            ours,
            reason.trim_end().to_owned(),
        )
    };
    LONE.iter().map(claim).collect()
}

/// What the paper publishes for its largest number of tasks [s].
const MANY: [(Paper, [f64; 3]); 2] = [(LLAMA, [312.0, 451.0, 637.0]), (PHI, [355.0, 516.0, 742.0])];

const MANY_NAMES: [[&str; 3]; 2] = [
    [
        "Llama-3-8B, 14 requests, Hyperion",
        "Llama-3-8B, 14 requests, HEFT",
        "Llama-3-8B, 14 requests, GPipe",
    ],
    [
        "Phi-3-medium, 10 requests, Hyperion",
        "Phi-3-medium, 10 requests, HEFT",
        "Phi-3-medium, 10 requests, GPipe",
    ],
];

/// The published latencies of many requests beside the mean latency on machines that work in parallel (token mode,
/// default profile), and the published reductions beside those of the nearest reading; `None` as long as runs of
/// [`Measure::Many`](job::tiers_published::Measure::Many) are missing.
#[must_use]
pub fn many_requests(measured: &Measured) -> Option<Vec<Claim>> {
    let mut claims = Vec::new();
    let mut spans = [[0.0; 3]; 2];
    for (m, (paper, published)) in MANY.iter().enumerate() {
        for (s, strategy) in Strategy::ALL.into_iter().enumerate() {
            let under = |profile, mode| measured.of(&Case::many(*paper, profile, mode, strategy));
            let mean = under(R16, Mode::Token)?;
            let serial = under(T2, Mode::Serial)?.makespan.mean;
            spans[m][s] = serial;
            let reason = format!(
                "The published figure is not a mean: a mean that large would keep the slowest tier busy for twice what a request \
                 takes. Nearest is the makespan of one request after another under {}: {serial:.0} s, {} of what is \
                 published. In parallel the makespan is {:.0} s.",
                T2.name,
                percent(100.0 * serial / published[s], 0),
                mean.makespan.mean
            );
            let figure = (published[s], 0, "s");
            claims.push(claim(
                MANY_NAMES[m][s],
                "Fig. 5 and 6",
                figure,
                mean.latency.mean,
                reason,
            ));
        }
    }
    for (m, against, name, published) in [
        (0, 1, "Llama-3-8B, lower than HEFT by", 30.8),
        (0, 2, "Llama-3-8B, lower than GPipe by", 51.0),
        (1, 1, "Phi-3-medium, lower than HEFT by", 31.2),
        (1, 2, "Phi-3-medium, lower than GPipe by", 52.1),
    ] {
        let ours = 100.0 * (1.0 - spans[m][0] / spans[m][against]);
        claims.push(Claim {
            name,
            source: "section V, Fig. 5 and 6",
            published: Figure::Percent(published, 1),
            ours: Figure::percent(Some(ours)),
            yours: Figure::Missing,
            agreement: Agreement::of_percent(published, 1, Some(ours)),
            reason: format!(
                "Makespans of one request after another under {}. The paper calls these reductions \u{201c}higher\u{201d}.",
                T2.name
            ),
        });
    }
    Some(claims)
}

/// Every mode and profile for the largest numbers of tasks, with what is published; `None` as long as runs of
/// [`Measure::Readings`](job::tiers_published::Measure::Readings) are missing.
#[must_use]
pub fn many_requests_table(measured: &Measured) -> Option<Table> {
    let mut seeds = 0;
    let mut rows = Vec::new();
    for (paper, published) in MANY {
        for (strategy, published) in Strategy::ALL.into_iter().zip(published) {
            for profile in [T2, R16] {
                let of = |mode| Case::many(paper, profile, mode, strategy);
                let split = of(Mode::Token).setting.split;
                let mut row = vec![
                    Cell::text(paper.name),
                    Cell::text(strategy.name()),
                    Cell::text(profile.name),
                    Cell::text(words(&split)),
                    Cell::Number(paper.tasks as f64, 0),
                    Cell::Number(published, 0),
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
    let figures = [
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
    let heads = [
        ("model", "model", ""),
        ("strategy", "strategy", ""),
        ("profile", "profile", ""),
        ("split", "split", ""),
        ("requests", "requests", ""),
        ("published_s", "published", "s"),
    ];
    let columns = heads.into_iter().chain(figures);
    Some(Table {
        name: "many-requests",
        title: format!(
            "Many requests at {RATE} per second: mean latency with its 95 % confidence, and makespan, over {seeds} seeds"
        ),
        columns: columns
            .map(|(key, head, unit)| Column::new(key, head, unit))
            .collect(),
        rows,
    })
}

/// What Fig. 12 publishes of the [`TOPOLOGIES`] of a model: the statement, and each with its latency [s].
const FIG_12: [(&str, [(&str, f64); 3]); 2] = [
    (
        "Llama-3-8B: more tiers are faster",
        [
            ("Llama-3-8B, two tiers", 347.8),
            ("Llama-3-8B, three tiers", 303.8),
            ("Llama-3-8B, four tiers", 261.5),
        ],
    ),
    (
        "Phi-3-medium: more tiers are faster",
        [
            ("Phi-3-medium, two tiers", 573.3),
            ("Phi-3-medium, three tiers", 501.5),
            ("Phi-3-medium, four tiers", 427.2),
        ],
    ),
];

/// The topologies of Fig. 12 beside the mean latency of 14 requests (token mode, profile T2); `None` as long as runs of
/// [`Measure::Topologies`](job::tiers_published::Measure::Topologies) are missing.
#[must_use]
pub fn topologies(measured: &Measured) -> Option<Vec<Claim>> {
    let mut claims = Vec::new();
    for ((paper, rows), (statement, published)) in TOPOLOGIES.into_iter().zip(FIG_12) {
        let mut means = Vec::new();
        for (row, (name, published)) in rows.into_iter().zip(published) {
            let in_mode = |mode| Case::topology(paper, row, mode);
            let mean = measured.of(&in_mode(Mode::Token))?.latency.mean;
            let serial = measured.of(&in_mode(Mode::Serial))?.makespan.mean;
            means.push(mean);
            let reason = format!(
                "Cut {}; one request alone takes {:.1} s, 14 one after another {serial:.0} s.",
                words(row.1),
                in_mode(Mode::Token).setting.alone()
            );
            let figure = (published, 1, "s");
            claims.push(claim(name, "Fig. 12", figure, mean, reason));
        }
        let faster = means.windows(2).all(|pair| pair[1] < pair[0]);
        claims.push(Claim {
            name: statement,
            source: "Fig. 12",
            published: Figure::Holds(true),
            ours: Figure::Holds(faster),
            yours: Figure::Missing,
            agreement: Agreement::of_statement(Some(faster)),
            reason: format!(
                "Weaker tiers slow every single request and help only where the smaller network is overloaded. The networks \
                 have 5, 8 and 10 nodes, so this does not test tiers alone. Mean latencies: {}.",
                means
                    .iter()
                    .map(|mean| format!("{mean:.1} s"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        });
    }
    Some(claims)
}

const TIERS: [[&str; 3]; 2] = [
    ["Llama-3-8B, Nano", "Llama-3-8B, NX", "Llama-3-8B, AGX"],
    [
        "Phi-3-medium, Nano",
        "Phi-3-medium, NX",
        "Phi-3-medium, AGX",
    ],
];

/// Table II, GPU utilisation by tier [%].
const BUSY: [(Paper, [f64; 3]); 2] = [(LLAMA, [52.1, 47.2, 45.9]), (PHI, [59.3, 55.3, 53.6])];

/// The published utilisation of each tier beside ours (13 requests, token mode, profile T2); `None` as long as runs of
/// [`Measure::Busy`](job::tiers_published::Measure::Busy) are missing.
#[must_use]
pub fn utilisation(measured: &Measured) -> Option<Vec<Claim>> {
    let mut claims = Vec::new();
    for ((paper, published), names) in BUSY.into_iter().zip(TIERS) {
        let in_mode = |mode| measured.of(&Case::busy(paper, mode));
        let (token, serial) = (in_mode(Mode::Token)?, in_mode(Mode::Serial)?);
        for (tier, (name, published)) in names.into_iter().zip(published).enumerate() {
            let share = |figures: &Figures| {
                let share = figures.utilisation.get(tier);
                share.map_or(f64::NAN, |share| 100.0 * share)
            };
            let ours = share(token);
            claims.push(Claim {
                name,
                source: TABLE_II,
                published: Figure::Percent(published, 1),
                ours: Figure::percent(Some(ours)),
                yours: Figure::Missing,
                agreement: Agreement::of_percent(published, 1, Some(ours)),
                reason: format!(
                    "One request after another: {}. Here the AGX tier is the busiest, having two nodes and the output head; \
                     the published shares add up to more than the one request at a time that the published latencies allow.",
                    percent(share(serial), 0)
                ),
            });
        }
    }
    Some(claims)
}

/// Table II, memory in use by tier [GB].
const MEMORY: [(Paper, [f64; 3]); 2] = [(LLAMA, [4.25, 7.23, 13.66]), (PHI, [6.65, 12.53, 22.14])];

/// The published memory of each tier beside the weights it holds at fp16, embedding and output head included.
#[must_use]
pub fn memory() -> Vec<Claim> {
    let mut claims = Vec::new();
    for ((paper, published), names) in MEMORY.into_iter().zip(TIERS) {
        let decoder = paper.decoder();
        let weights = |precision: Precision, tier: usize| {
            let ends = usize::from(tier == 0) + usize::from(tier + 1 == paper.split.len());
            let blocks = paper.split[tier] as f64 * decoder.block_bytes(precision);
            (blocks + ends as f64 * decoder.head_bytes(precision)) / 1e9
        };
        for (tier, (name, published)) in names.into_iter().zip(published).enumerate() {
            let ours = weights(Precision::Fp16, tier);
            let reason = format!(
                "Weights alone. The {:.1} GB between are plausible as system and runtime, and grow with the device; int8 \
                 weights of {:.2} GB would leave {:.1} GB unexplained, though Fig. 9 is too fast for fp16.",
                published - ours,
                weights(Precision::Int8, tier),
                published - weights(Precision::Int8, tier)
            );
            let figure = (published, 2, "GB");
            claims.push(claim(name, TABLE_II, figure, ours, reason));
        }
    }
    claims
}

/// What is said under the figures, a paragraph each.
#[must_use]
pub fn note() -> [String; 2] {
    [
        "The published latencies of many requests grow by 0.89 to 0.96 of a single request\u{2019}s latency with every further \
         one: they are the time of requests one after another. On 3, 3 and 2 nodes that work in parallel, as the paper \
         describes them, many requests are four times faster by the makespan and ten times by the mean."
            .to_owned(),
        "No profile fits everything: Fig. 9 is too fast for fp16 weights, which its own Table II needs for its memory; the \
         mode that comes near Fig. 5 gives the reverse of Fig. 12. T2 is fitted to the two latencies of Table II and to \
         nothing else."
            .to_owned(),
    ]
}
