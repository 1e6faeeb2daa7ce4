//! What the Hyperion paper publishes about latency, utilisation and memory, as data, and the same computed here: one
//! request by the stages and transfers, many by simulation with the stated [`SEEDS`].
//!
//! Source: Hyperion, Table II and figures 5, 6, 7, 8, 9, 10 and 12. The paper says "average latency required to complete
//! these tasks" and means, by its own numbers, something near the makespan of one task after another; so beside each
//! figure stands the mean latency that its words say, on machines that work in parallel, and the reason gives the
//! nearest reading that was found. Its learned scheduler is unpublished: round robin stands in for it and is called
//! so. Nothing is fitted here; the profiles are those of [`crate::problem::tier_costs`].
//!
//! Complexity: some 250 runs of at most 14 requests in all, a fraction of a second.

use super::{Agreement, Claim, Figure};
use crate::hardware::catalog::KNOWN;
use crate::methods::tiers::partition::baseline;
use crate::methods::tiers::trials::{Failed, Trials, Workload, quiet};
use crate::model::catalog::find;
use crate::model::cost::{Decoder, Precision};
use crate::plan::counts;
use crate::problem::tier_costs::{
    BLOCKS_ONLY, Costs, F9, Node, Passes, Profile, R16, REQUEST, Request, T2, TierLink,
};
use crate::problem::{Mode, Order, PerOne, RunTierNumbers, Scheduler, TierRunNumbers};
use crate::report::table::{Cell, Column, Table};
use crate::sim::Spread;
use crate::units::percent;

/// The seeds of every simulated figure.
pub const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];

/// Requests a second in every figure with many.
pub const RATE: f64 = 0.2;

/// Rates of the two links that are compared [bit/s].
const FAST: f64 = 1e9;
const SLOW: f64 = 1e8;

/// Who cuts and schedules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// The published split, HypSched-RT.
    Hyperion,
    /// First fit, earliest finish time.
    Heft,
    /// Equal counts, round robin in place of the unpublished learned scheduler.
    Gpipe,
}

impl Strategy {
    const ALL: [Self; 3] = [Self::Hyperion, Self::Heft, Self::Gpipe];

    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hyperion => "Hyperion",
            Self::Heft => "HEFT (first fit)",
            Self::Gpipe => "GPipe (round-robin stand-in)",
        }
    }
}

/// A model of the paper: its catalogue name, the published split, and how many tasks its largest figure has.
#[derive(Debug, Clone, Copy)]
struct Paper {
    name: &'static str,
    catalogue: &'static str,
    split: [usize; 3],
    tasks: usize,
}

const LLAMA: Paper = Paper {
    name: "Llama-3-8B",
    catalogue: "Llama-3-8B",
    split: [5, 9, 18],
    tasks: 14,
};

const PHI: Paper = Paper {
    name: "Phi-3-medium",
    catalogue: "Phi-3-medium-4k",
    split: [7, 13, 20],
    tasks: 10,
};

impl Paper {
    fn decoder(&self) -> Decoder {
        let entry = find(self.catalogue).expect("the catalogue has the paper's models");
        entry.into()
    }
}

/// Table I: device, nodes.
const THREE: [(&str, usize); 3] = [("Nano", 3), ("NX", 3), ("AGX", 2)];

/// A Jetson of the catalogue.
fn jetson(short: &str) -> Node {
    let known = KNOWN.iter().find(|known| known.short == short);
    let number = |of: fn(&crate::hardware::catalog::Known) -> Option<f64>| {
        known.and_then(of).expect("the catalogue knows its Jetsons")
    };
    Node {
        tops: number(|known| known.tops),
        bandwidth_gb_s: number(|known| known.bandwidth_gb_s),
        usable_gb: number(|known| known.usable_gb),
    }
}

/// One of the paper's settings.
#[derive(Debug, Clone, Copy)]
struct Setting<'a> {
    paper: Paper,
    profile: Profile,
    devices: &'a [(&'static str, usize)],
    split: &'a [usize],
    tokens: u32,
    rate: f64,
    mode: Mode,
    scheduler: Scheduler,
}

impl Setting<'_> {
    fn network(&self) -> TierRunNumbers {
        let decoder = self.paper.decoder();
        let request = Request {
            generated: f64::from(self.tokens),
            ..REQUEST
        };
        let costs = Costs {
            model: &decoder,
            profile: &self.profile,
            request: &request,
        };
        let stage = |(at, ((short, nodes), blocks)): (usize, (&(&str, usize), &usize))| {
            let last = at + 1 == self.split.len();
            let passes = costs.stage(&jetson(short), *blocks, last);
            RunTierNumbers::plain(*nodes, passes.prefill, passes.decode)
        };
        let hop: Passes = TierLink::of_rate(self.rate).passes(&decoder, &request);
        let hops = self.split.len() - 1;
        TierRunNumbers {
            mode: self.mode,
            scheduler: self.scheduler,
            order: Order::Fifo,
            batch: 1.0,
            tiers: self
                .devices
                .iter()
                .zip(self.split)
                .enumerate()
                .map(stage)
                .collect(),
            hop_prefill: vec![hop.prefill; hops],
            hop_decode: vec![hop.decode; hops],
            return_delay: 0.0,
            tasks: Vec::new(),
            down: Vec::new(),
        }
    }

    /// Latency of a request that meets nobody, its set-up included [s].
    fn alone(&self) -> f64 {
        let decoder = self.paper.decoder();
        let setup = self.profile.setup * decoder.parameters() / 1e9;
        let lone = self.load(1).run_of(&self.network(), 0);
        setup + lone.map_or(f64::NAN, |run| run.alone(self.tokens))
    }

    fn load(&self, tasks: usize) -> Workload {
        Workload {
            rate: RATE,
            tasks,
            out_tokens: self.tokens,
            memory: PerOne::All(0.0),
        }
    }

    fn trials(&self, tasks: usize, seeds: &[u64]) -> Result<Trials, Failed> {
        quiet(&self.network(), &self.load(tasks), seeds)
    }
}

/// The split of a strategy; HEFT's depends on how large the blocks are.
fn split(paper: &Paper, profile: &Profile, strategy: Strategy) -> Vec<usize> {
    if strategy == Strategy::Hyperion {
        return paper.split.to_vec();
    }
    let decoder = paper.decoder();
    let costs = Costs {
        model: &decoder,
        profile,
        request: &REQUEST,
    };
    let nodes = THREE.map(|(short, _)| jetson(short));
    let problem = costs
        .partition(&nodes, &[Passes::default(); 2], BLOCKS_ONLY)
        .expect("the paper's problem is one");
    let cuts = match strategy {
        Strategy::Heft => baseline::heft(&problem),
        Strategy::Hyperion | Strategy::Gpipe => baseline::gpipe(&problem),
    };
    counts(&cuts, problem.blocks())
}

/// A setting on the three tiers of Table I at 128 tokens and 1 Gbit/s.
fn usual<'a>(
    paper: Paper,
    profile: Profile,
    split: &'a [usize],
    mode: Mode,
    strategy: Strategy,
) -> Setting<'a> {
    Setting {
        paper,
        profile,
        devices: &THREE,
        split,
        tokens: 128,
        rate: FAST,
        mode,
        scheduler: match strategy {
            Strategy::Hyperion | Strategy::Heft => Scheduler::HypSched,
            Strategy::Gpipe => Scheduler::RoundRobin,
        },
    }
}

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
        let split = split(&self.paper, &profile, self.strategy);
        let setting = Setting {
            tokens: self.tokens,
            rate: self.rate,
            ..usual(self.paper, profile, &split, Mode::Token, self.strategy)
        };
        (setting.alone(), split)
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
                    "Links of a tenth of the rate add {slower:.2} s here; the published difference needs {bytes:.0} bytes a \
                     hidden value on the wire instead of 2."
                )
            }
            Strategy::Hyperion if self.tokens > 128 => format!(
                "Twice the tokens are twice the passes: {:.2} times the time here. The published {:.2} times need a long \
                 fixed start, which a prompt of 64 tokens cannot cost.",
                ours / usual.under(R16).0,
                self.published / published
            ),
            Strategy::Hyperion => format!(
                "What is published would come of {:.3} of the memory rate instead of 0.6.",
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
/// default profile), and the published reductions beside those of the nearest reading.
///
/// # Errors
/// [`Failed::Nothing`] without a seed.
pub fn many_requests(seeds: &[u64]) -> Result<Vec<Claim>, Failed> {
    let mut claims = Vec::new();
    let mut spans = [[0.0; 3]; 2];
    for (m, (paper, published)) in MANY.iter().enumerate() {
        for (s, strategy) in Strategy::ALL.into_iter().enumerate() {
            let under = |profile: Profile, mode: Mode| {
                let split = split(paper, &profile, strategy);
                usual(*paper, profile, &split, mode, strategy).trials(paper.tasks, seeds)
            };
            let mean = under(R16, Mode::Token)?;
            let serial = under(T2, Mode::Serial)?.makespan.mean;
            spans[m][s] = serial;
            let reason = format!(
                "The published figure is no mean: a mean of so much would keep the slowest tier busy for twice what a request \
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
    Ok(claims)
}

/// Every mode and profile for the largest numbers of tasks, with what is published.
///
/// # Errors
/// As [`many_requests`].
pub fn many_requests_table(seeds: &[u64]) -> Result<Table, Failed> {
    let mut rows = Vec::new();
    for (paper, published) in MANY {
        for (strategy, published) in Strategy::ALL.into_iter().zip(published) {
            for profile in [T2, R16] {
                let split = split(&paper, &profile, strategy);
                let mut row = vec![
                    Cell::text(paper.name),
                    Cell::text(strategy.name()),
                    Cell::text(profile.name),
                    Cell::text(words(&split)),
                    Cell::Number(paper.tasks as f64, 0),
                    Cell::Number(published, 0),
                ];
                for mode in [Mode::Token, Mode::Hold, Mode::Serial] {
                    let ran = usual(paper, profile, &split, mode, strategy);
                    let ran = ran.trials(paper.tasks, seeds)?;
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
    Ok(Table {
        name: "many-requests",
        title: format!(
            "Many requests at {RATE} a second: mean latency with its 95 % confidence, and makespan, over {} seeds",
            seeds.len()
        ),
        columns: columns
            .map(|(key, head, unit)| Column::new(key, head, unit))
            .collect(),
        rows,
    })
}

/// Table III: devices with their nodes.
const TWO_TIERS: [(&str, usize); 2] = [("NX", 3), ("AGX", 2)];
const FOUR_TIERS: [(&str, usize); 4] = [("Nano", 2), ("Nano", 2), ("NX", 3), ("AGX", 3)];

/// A row of Fig. 12: claim, devices, the best split by memory rate, what is published [s].
type Topology = (
    &'static str,
    &'static [(&'static str, usize)],
    &'static [usize],
    f64,
);

const TOPOLOGIES: [(Paper, &str, [Topology; 3]); 2] = [
    (
        LLAMA,
        "Llama-3-8B: more tiers are faster",
        [
            ("Llama-3-8B, two tiers", &TWO_TIERS, &[10, 22], 347.8),
            ("Llama-3-8B, three tiers", &THREE, &[5, 9, 18], 303.8),
            ("Llama-3-8B, four tiers", &FOUR_TIERS, &[5, 5, 7, 15], 261.5),
        ],
    ),
    (
        PHI,
        "Phi-3-medium: more tiers are faster",
        [
            ("Phi-3-medium, two tiers", &TWO_TIERS, &[13, 27], 573.3),
            ("Phi-3-medium, three tiers", &THREE, &[7, 11, 22], 501.5),
            (
                "Phi-3-medium, four tiers",
                &FOUR_TIERS,
                &[6, 6, 9, 19],
                427.2,
            ),
        ],
    ),
];

/// The topologies of Fig. 12 beside the mean latency of 14 requests (token mode, profile T2).
///
/// # Errors
/// As [`many_requests`].
pub fn topologies(seeds: &[u64]) -> Result<Vec<Claim>, Failed> {
    let mut claims = Vec::new();
    for (paper, statement, rows) in TOPOLOGIES {
        let mut means = Vec::new();
        for (name, devices, split, published) in rows {
            let in_mode = |mode| Setting {
                devices,
                ..usual(paper, T2, split, mode, Strategy::Hyperion)
            };
            let mean = in_mode(Mode::Token).trials(14, seeds)?.latency.mean;
            let serial = in_mode(Mode::Serial).trials(14, seeds)?.makespan.mean;
            means.push(mean);
            let reason = format!(
                "Cut {}; one request alone takes {:.1} s, 14 one after another {serial:.0} s.",
                words(split),
                in_mode(Mode::Token).alone()
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
                 have 5, 8 and 10 nodes, so it is no test of tiers alone. Mean latencies: {}.",
                means
                    .iter()
                    .map(|mean| format!("{mean:.1} s"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        });
    }
    Ok(claims)
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

/// The published utilisation of each tier beside ours (13 requests, token mode, profile T2).
///
/// # Errors
/// As [`many_requests`].
pub fn utilisation(seeds: &[u64]) -> Result<Vec<Claim>, Failed> {
    let mut claims = Vec::new();
    for ((paper, published), names) in BUSY.into_iter().zip(TIERS) {
        let in_mode =
            |mode| usual(paper, T2, &paper.split, mode, Strategy::Hyperion).trials(13, seeds);
        let (token, serial) = (in_mode(Mode::Token)?, in_mode(Mode::Serial)?);
        for (tier, (name, published)) in names.into_iter().zip(published).enumerate() {
            let share = |trials: &Trials| {
                let shares: Vec<f64> = trials
                    .runs
                    .iter()
                    .map(|run| 100.0 * run.utilisation[tier])
                    .collect();
                Spread::of(&shares).map_or(f64::NAN, |spread| spread.mean)
            };
            let ours = share(&token);
            claims.push(Claim {
                name,
                source: "Table II, Fig. 7 and 11",
                published: Figure::Percent(published, 1),
                ours: Figure::percent(Some(ours)),
                yours: Figure::Missing,
                agreement: Agreement::of_percent(published, 1, Some(ours)),
                reason: format!(
                    "One request after another: {}. Here the AGX tier is the busiest, having two nodes and the output head; \
                     the published shares add up to more than the one request at a time that the published latencies allow.",
                    percent(share(&serial), 0)
                ),
            });
        }
    }
    Ok(claims)
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
            claims.push(claim(name, "Table II, Fig. 8", figure, ours, reason));
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
