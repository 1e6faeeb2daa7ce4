//! The runs behind the published figures about tiers: which networks, which requests, which seeds. A case is one
//! network under one load with all seeds, some hundredths of a second, so that a worker can do them one by one.
//!
//! Source: Hyperion, Tables I, II and III and figures 5, 6 and 12. Its learned scheduler is unpublished: round
//! robin is in for it and is called so. Nothing is fitted here; the profiles are those of
//! [`engine::problem::tier_costs`].
//!
//! Complexity: 60 cases of five seeds, of at most 14 requests each.

use super::tiers_run::{Failed, Workload, trials};
use engine::hardware::catalog::KNOWN_DEVICES;
use engine::model::catalog::find;
use engine::model::cost::DecoderCost;
use engine::papers::HYPERION;
use engine::plan::counts;
use engine::problem::tier_costs::{
    BLOCKS_ONLY, Passes, R16, REQUEST, T2, TierCosts, TierLink, TierNode, TierProfile, TierRequest,
};
use engine::problem::{Mode, Order, PerOne, RunTierNumbers, Scheduler, TierRunNumbers};
use engine::sim::Spread;
use engine::solve::SearchEvent;
use methods::tiers::partition::baseline;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// The seeds of every simulated figure.
pub const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];

/// Requests a second in every figure with many.
pub const RATE: f64 = 0.2;

/// Rates of the two links that are compared [bit/s].
pub const FAST: f64 = 1e9;
/// The slow one [bit/s].
pub const SLOW: f64 = 1e8;

/// Rules that partition and schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaperStrategy {
    /// The published split, HypSched-RT.
    Hyperion,
    /// First fit, earliest finish time.
    Heft,
    /// Equal counts, round robin in place of the unpublished learned scheduler.
    Gpipe,
}

impl PaperStrategy {
    /// All of them, the paper's own first.
    pub const ALL: [Self; 3] = [Self::Hyperion, Self::Heft, Self::Gpipe];

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

/// A model of the paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PaperNetwork {
    /// Name in the paper.
    pub name: &'static str,
    catalogue: &'static str,
    /// How many tasks its largest figure has.
    pub tasks: usize,
}

/// The smaller one.
pub const LLAMA: PaperNetwork = PaperNetwork {
    name: "Llama-3-8B",
    catalogue: "Llama-3-8B",
    tasks: 14,
};

/// The larger one.
pub const PHI: PaperNetwork = PaperNetwork {
    name: "Phi-3-medium",
    catalogue: "Phi-3-medium-4k",
    tasks: 10,
};

impl PaperNetwork {
    /// The published split: the blocks of each tier.
    #[must_use]
    pub fn split(&self) -> [usize; 3] {
        HYPERION.row(&format!("split/{}", self.name)).wholes()
    }

    /// Its blocks and vocabulary.
    ///
    /// # Panics
    /// Never: the catalogue has the paper's models.
    #[must_use]
    pub fn decoder(&self) -> DecoderCost {
        let entry = find(self.catalogue).expect("the catalogue has the paper's models");
        entry.into()
    }
}

/// Devices of the tiers with their nodes.
pub type Devices = &'static [(&'static str, usize)];

/// Table I.
const THREE: [(&str, usize); 3] = [("Nano", 3), ("NX", 3), ("AGX", 2)];

/// A Jetson of the catalogue.
fn jetson(short: &str) -> TierNode {
    let known = KNOWN_DEVICES.iter().find(|known| known.short == short);
    let number = |of: fn(&engine::hardware::catalog::KnownDevice) -> Option<f64>| {
        known.and_then(of).expect("the catalogue knows its Jetsons")
    };
    TierNode {
        tops: number(|known| known.tops),
        bandwidth_gb_s: number(|known| known.bandwidth_gb_s),
        usable_gb: number(|known| known.usable_gb),
        ..TierNode::default()
    }
}

/// One of the paper's settings.
#[derive(Debug, Clone, PartialEq)]
pub struct TierSetting {
    /// The model.
    pub paper: PaperNetwork,
    /// Times of passes.
    pub profile: TierProfile,
    /// The tiers.
    pub devices: Devices,
    /// Blocks on each of them.
    pub split: Vec<usize>,
    /// Tokens that a request generates.
    pub tokens: u32,
    /// Rate of every link [bit/s].
    pub rate: f64,
    /// How requests use the tiers.
    pub mode: Mode,
    /// Rule that chooses nodes.
    pub scheduler: Scheduler,
}

impl TierSetting {
    /// The network, without a request. O(tiers).
    fn network(&self) -> TierRunNumbers {
        let decoder = self.paper.decoder();
        let request = TierRequest {
            generated: f64::from(self.tokens),
            ..REQUEST
        };
        let costs = TierCosts::dense(&decoder, &self.profile, &request);
        let stage = |(at, ((short, nodes), blocks)): (usize, (&(&str, usize), &usize))| {
            let last = at + 1 == self.split.len();
            let before: usize = self.split[..at].iter().sum();
            let passes = costs.stage(&jetson(short), &(before..before + blocks), last);
            RunTierNumbers::plain(*nodes, passes.prefill, passes.decode)
        };
        let hop: Passes = TierLink::of_rate(self.rate).passes(decoder.dims.d_model, &request);
        let hops = self.split.len().saturating_sub(1);
        TierRunNumbers {
            mode: self.mode,
            scheduler: self.scheduler,
            order: Order::Fifo,
            batch: 1.0,
            tiers: self
                .devices
                .iter()
                .zip(&self.split)
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

    /// Latency of a request that never waits, its set-up included [s]: by the stages, without a run. O(tiers).
    #[must_use]
    pub fn alone(&self) -> f64 {
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
}

/// The split of a strategy on Table I; HEFT's depends on how large the blocks are.
///
/// # Panics
/// Never: the paper's problem is one.
#[must_use]
pub fn split(paper: &PaperNetwork, profile: &TierProfile, strategy: PaperStrategy) -> Vec<usize> {
    if strategy == PaperStrategy::Hyperion {
        return paper.split().to_vec();
    }
    let decoder = paper.decoder();
    let costs = TierCosts::dense(&decoder, profile, &REQUEST);
    let nodes = THREE.map(|(short, _)| jetson(short));
    let problem = costs
        .partition(&nodes, &[Passes::default(); 2], BLOCKS_ONLY)
        .expect("the paper's problem is one");
    let cuts = match strategy {
        PaperStrategy::Heft => baseline::heft(&problem),
        PaperStrategy::Hyperion | PaperStrategy::Gpipe => baseline::gpipe(&problem),
    };
    counts(&cuts, problem.blocks())
}

/// A setting on the three tiers of Table I at 128 tokens and 1 Gbit/s.
#[must_use]
pub fn usual(
    paper: PaperNetwork,
    profile: TierProfile,
    mode: Mode,
    strategy: PaperStrategy,
) -> TierSetting {
    TierSetting {
        paper,
        profile,
        devices: &THREE,
        split: split(&paper, &profile, strategy),
        tokens: 128,
        rate: FAST,
        mode,
        scheduler: match strategy {
            PaperStrategy::Hyperion | PaperStrategy::Heft => Scheduler::HypSched,
            PaperStrategy::Gpipe => Scheduler::RoundRobin,
        },
    }
}

/// Table III.
const TWO_TIERS: [(&str, usize); 2] = [("NX", 3), ("AGX", 2)];
const FOUR_TIERS: [(&str, usize); 4] = [("Nano", 2), ("Nano", 2), ("NX", 3), ("AGX", 3)];

/// Devices, and the best split over them by memory rate.
pub type Topology = (Devices, &'static [usize]);

/// The topologies of Fig. 12.
pub const TOPOLOGIES: [(PaperNetwork, [Topology; 3]); 2] = [
    (
        LLAMA,
        [
            (&TWO_TIERS, &[10, 22]),
            (&THREE, &[5, 9, 18]),
            (&FOUR_TIERS, &[5, 5, 7, 15]),
        ],
    ),
    (
        PHI,
        [
            (&TWO_TIERS, &[13, 27]),
            (&THREE, &[7, 11, 22]),
            (&FOUR_TIERS, &[6, 6, 9, 19]),
        ],
    ),
];

/// Requests through a setting: what is run once for every seed.
#[derive(Debug, Clone, PartialEq)]
pub struct TierCase {
    /// The setting.
    pub setting: TierSetting,
    /// How many requests come.
    pub tasks: usize,
}

/// Figures of the runs of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Figures {
    /// Mean latency over the seeds [s].
    pub latency: Spread,
    /// Makespan over the seeds [s].
    pub makespan: Spread,
    /// Mean share of the time that the nodes of each tier are busy.
    pub utilisation: Vec<f64>,
}

impl TierCase {
    /// As many requests as the paper's largest figure of a model has.
    #[must_use]
    pub fn many(
        paper: PaperNetwork,
        profile: TierProfile,
        mode: Mode,
        strategy: PaperStrategy,
    ) -> Self {
        Self {
            setting: usual(paper, profile, mode, strategy),
            tasks: paper.tasks,
        }
    }

    /// Fourteen requests through a topology, profile T2.
    #[must_use]
    pub fn topology(paper: PaperNetwork, (devices, split): Topology, mode: Mode) -> Self {
        Self {
            setting: TierSetting {
                devices,
                split: split.to_vec(),
                ..usual(paper, T2, mode, PaperStrategy::Hyperion)
            },
            tasks: 14,
        }
    }

    /// Thirteen requests, by which tiers are said to be busy, profile T2.
    #[must_use]
    pub fn busy(paper: PaperNetwork, mode: Mode) -> Self {
        Self {
            setting: usual(paper, T2, mode, PaperStrategy::Hyperion),
            tasks: 13,
        }
    }

    /// Runs it once for every seed; `progress` receives the events done and in total.
    ///
    /// # Errors
    /// [`Failed::Nothing`] without a seed.
    ///
    /// # Complexity
    /// O(events log tasks) a seed.
    pub fn run(
        &self,
        seeds: &[u64],
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Figures, Failed> {
        let load = self.setting.load(self.tasks);
        let mut listen = |event: SearchEvent<'_, ()>| {
            if let SearchEvent::Step { done, of } = event {
                progress(done, of);
            }
            ControlFlow::Continue(())
        };
        let ran = trials(&self.setting.network(), &load, seeds, &mut listen)?;
        let share = |tier: usize| {
            let shares = ran.runs.iter().map(|run| run.utilisation[tier]);
            Spread::of(&shares.collect::<Vec<f64>>()).map_or(f64::NAN, |spread| spread.mean)
        };
        Ok(Figures {
            latency: ran.latency,
            makespan: ran.makespan,
            utilisation: (0..self.setting.split.len()).map(share).collect(),
        })
    }
}

/// Figures that are measured together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TierMeasure {
    /// Many requests in every mode and profile: Fig. 5 and 6.
    Readings,
    /// Fig. 12.
    Topologies,
    /// Utilisation, Table II.
    Busy,
}

/// The modes in which many requests are read.
pub const MODES: [Mode; 3] = [Mode::Token, Mode::Hold, Mode::Serial];

impl TierMeasure {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Readings, Self::Topologies, Self::Busy];

    /// Returns the cases of a measure, in order; a case may belong to several measures.
    #[must_use]
    pub fn cases(self) -> Vec<TierCase> {
        let papers = [LLAMA, PHI];
        let all = |of: &dyn Fn(PaperNetwork, PaperStrategy) -> Vec<TierCase>| {
            let pairs = papers.iter().flat_map(|paper| {
                let strategies = PaperStrategy::ALL.into_iter();
                strategies.map(move |strategy| (*paper, strategy))
            });
            pairs
                .flat_map(|(paper, strategy)| of(paper, strategy))
                .collect()
        };
        match self {
            Self::Readings => all(&|paper, strategy| {
                let modes = |profile| {
                    let of = move |mode| TierCase::many(paper, profile, mode, strategy);
                    MODES.into_iter().map(of)
                };
                [T2, R16].into_iter().flat_map(modes).collect()
            }),
            Self::Topologies => {
                let of = |(paper, rows): (PaperNetwork, [Topology; 3])| {
                    let rows = rows.into_iter();
                    rows.flat_map(move |row| {
                        [Mode::Token, Mode::Serial].map(|mode| TierCase::topology(paper, row, mode))
                    })
                    .collect::<Vec<_>>()
                };
                TOPOLOGIES.into_iter().flat_map(of).collect()
            }
            Self::Busy => papers
                .iter()
                .flat_map(|paper| {
                    [Mode::Token, Mode::Serial].map(|mode| TierCase::busy(*paper, mode))
                })
                .collect(),
        }
    }
}

/// Results so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TierMeasurements {
    all: Vec<(TierCase, Figures)>,
}

impl TierMeasurements {
    /// Takes the figures of a case in. O(cases).
    pub fn add(&mut self, case: TierCase, figures: Figures) {
        match self.all.iter_mut().find(|(known, _)| *known == case) {
            Some((_, slot)) => *slot = figures,
            None => self.all.push((case, figures)),
        }
    }

    /// The figures of a case, where it has been run. O(cases).
    #[must_use]
    pub fn of(&self, case: &TierCase) -> Option<&Figures> {
        let found = self.all.iter().find(|(known, _)| known == case);
        found.map(|(_, figures)| figures)
    }

    /// Returns true if all cases of a measure have been run.
    #[must_use]
    pub fn has(&self, measure: TierMeasure) -> bool {
        measure.cases().iter().all(|case| self.of(case).is_some())
    }

    /// Runs what is missing of a measure.
    ///
    /// # Errors
    /// As [`TierCase::run`].
    pub fn run(&mut self, measure: TierMeasure, seeds: &[u64]) -> Result<(), Failed> {
        for case in measure.cases() {
            if self.of(&case).is_none() {
                let figures = case.run(seeds, &mut |_, _| ())?;
                self.add(case, figures);
            }
        }
        Ok(())
    }
}
