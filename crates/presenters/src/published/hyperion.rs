//! Published splits of the Hyperion paper beside ours.
//!
//! Source: Hyperion, Tables I and II. The published splits do not follow from the published speeds; which reading of the
//! three Jetsons' speeds gives them is asked of the exact method, reading by reading. Everything but the published
//! splits and the speeds is computed.

use super::{Figure, PublishedClaim};
use document::{Cell, Table};
use engine::hardware::catalog::KNOWN_DEVICES;
use engine::model::catalog::find;
use engine::model::cost::DecoderCost;
use engine::model::precision::Precision;
use engine::papers::{HYPERION, PaperRow};
use engine::plan::cuts;
use engine::problem::TierPartition;
use engine::problem::tier_costs::{FULL_MODEL, Passes, R16, REQUEST, TierCosts, TierNode};
use engine::solve::NoProgress;
use engine::units::percent;
use planner::tiers_partition::{Method, TiersPartitionOptions, answer, evaluate};
use planner::tiers_published::{LLAMA, PHI};

/// The published splits: on how many blocks each tier, Llama-3-8B first.
fn published() -> [[usize; 3]; 2] {
    [LLAMA, PHI].map(|paper| paper.split())
}

/// Nodes of the three tiers of Table I.
const NODES: [f64; 3] = [3.0, 3.0, 2.0];

/// Which number of a Jetson is taken for its speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speeds {
    /// In words.
    pub name: &'static str,
    /// C_1 : C_2 : C_3; only their ratios matter.
    pub speeds: [f64; 3],
}

/// The readings that are compared: the paper's own first.
#[must_use]
pub fn readings() -> Vec<Speeds> {
    let of = |shorts: [&str; 3],
              number: fn(&engine::hardware::catalog::KnownDevice) -> Option<f64>| {
        shorts.map(|short| {
            let known = KNOWN_DEVICES.iter().find(|known| known.short == short);
            known.and_then(number).unwrap_or(1.0)
        })
    };
    const USUAL: [&str; 3] = ["Nano", "NX", "AGX"];
    let tops = of(USUAL, |known| known.tops);
    let rate = of(USUAL, |known| known.bandwidth_gb_s);
    let fast = of(["Nano Super", "NX", "AGX"], |known| known.bandwidth_gb_s);
    let all_nodes = |speeds: [f64; 3]| [0, 1, 2].map(|j| NODES[j] * speeds[j]);
    let row = |name, speeds| Speeds { name, speeds };
    vec![
        row("TOPS of the paper", tops),
        row("TOPS of the GPU alone", GPU_TOPS),
        row("Memory rate", rate),
        row("Memory rate, Nano in Super mode", fast),
        row("Memory rate, all nodes of a tier", all_nodes(rate)),
        row("TOPS, all nodes of a tier", all_nodes(tops)),
        row("Blend of TOPS and memory rate", BLEND),
    ]
}

/// About so much of Table I's TOPS is the GPU's.
const GPU_TOPS: [f64; 3] = [67.0, 77.0, 108.0];

/// 0.6 / TOPS + 0.4 / memory rate as time a block, each against the AGX: found by trying, nothing in the text says so.
const BLEND: [f64; 3] = [0.334, 0.639, 1.0];

/// The best split of a model under a reading, and how much more the published one takes [%].
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedSplit {
    /// Blocks of each tier.
    pub counts: Vec<usize>,
    /// The published split's largest load over the least one, less 1, in percent.
    pub published_worse_pct: f64,
}

/// The best split of `published`'s blocks on tiers of these speeds, without a memory limit.
#[must_use]
pub fn best(published: [usize; 3], speeds: [f64; 3]) -> Option<PublishedSplit> {
    let blocks: usize = published.iter().sum();
    let ones = vec![1.0; blocks];
    let problem = TierPartition::new(&ones, &ones, &speeds, &[blocks as f64; 3]).ok()?;
    compared(&problem, published)
}

/// The best split of a problem beside the published one.
fn compared(problem: &TierPartition, published: [usize; 3]) -> Option<PublishedSplit> {
    let found = answer(problem, &TiersPartitionOptions::default(), &mut NoProgress);
    let theirs = evaluate(problem, &cuts(&published)).ok()?;
    Some(PublishedSplit {
        counts: found.counts?,
        published_worse_pct: 100.0 * (theirs.bottleneck / found.bottleneck? - 1.0),
    })
}

/// The two published splits, said to be best for the speeds of Table I, beside what is.
#[must_use]
pub fn splits() -> Vec<PublishedClaim> {
    let readings = readings();
    let claim = |row: &'static PaperRow| {
        let split = row.wholes();
        let ours = best(split, readings[0].speeds);
        let ours = ours.map(|ours| (Figure::split(&ours.counts), reason(split, &ours, &readings)));
        PublishedClaim::compare(row, ours)
    };
    HYPERION.group("split").map(claim).collect()
}

/// How far the published split is off, and which readings give it.
fn reason(published: [usize; 3], ours: &PublishedSplit, readings: &[Speeds]) -> String {
    let gives = |reading: &&Speeds| {
        best(published, reading.speeds).is_some_and(|split| split.counts == published)
    };
    let giving: Vec<String> = readings
        .iter()
        .filter(gives)
        .map(|reading| reading.name.to_ascii_lowercase().replace("tops", "TOPS"))
        .collect();
    let from = match giving.as_slice() {
        [] => "None of the readings of the speeds tried here gives it.".to_owned(),
        names => format!("It is the best split for: {}.", names.join("; ")),
    };
    format!(
        "The published split\u{2019}s slowest tier takes {} longer than necessary. {from}",
        percent(ours.published_worse_pct, 1)
    )
}

/// A row of the table: how the split comes about, and what it gives for each model.
struct Given {
    name: &'static str,
    speeds: String,
    /// Llama-3-8B and Phi-3-medium: blocks of each tier, and how much worse the published split is [%] if that is asked.
    splits: [Option<(Vec<usize>, Option<f64>)>; 2],
}

fn rows() -> Vec<Given> {
    let mut rows: Vec<Given> = readings()
        .into_iter()
        .map(|reading| Given {
            name: reading.name,
            // To four digits: a product of three nodes has more than anybody reads.
            speeds: reading
                .speeds
                .map(|c| (libm::round(c * 1e4) / 1e4).to_string())
                .join(" : "),
            splits: published().map(|published| {
                let split = best(published, reading.speeds)?;
                Some((split.counts, Some(split.published_worse_pct)))
            }),
        })
        .collect();
    let models = || MODELS.into_iter().zip(published());
    let two = |splits: Vec<Option<PublishedSplit>>| {
        let mut splits = splits.into_iter();
        [0, 1].map(|_| {
            let split = splits.next().flatten()?;
            Some((split.counts, Some(split.published_worse_pct)))
        })
    };
    rows.push(Given {
        name: "Memory rate, with the output head on the last tier",
        speeds: "times of profile R16".to_owned(),
        splits: two(models()
            .map(|(model, published)| with_head(model, published))
            .collect()),
    });
    rows.push(Given {
        name: "Memory rate, the Nano with 5.2 GB and the AGX with at most 20 blocks",
        speeds: "as memory rate".to_owned(),
        splits: two(models()
            .map(|(model, published)| capped(model, published))
            .collect()),
    });
    rows.push(Given {
        name: "Blocks in proportion to memory",
        speeds: "none".to_owned(),
        splits: published().map(|published| Some((by_memory(published)?, None))),
    });
    rows
}

/// The catalogue's names of the two models.
const MODELS: [&str; 2] = ["Llama-3-8B", "Phi-3-medium-4k"];

/// The three Jetsons of the catalogue, the Nano in its slower mode.
fn jetsons() -> Option<[TierNode; 3]> {
    let of = |short: &str| {
        let known = KNOWN_DEVICES.iter().find(|known| known.short == short)?;
        Some(TierNode {
            tops: known.tops?,
            bandwidth_gb_s: known.bandwidth_gb_s?,
            usable_gb: known.usable_gb?,
            ..TierNode::default()
        })
    };
    Some([of("Nano")?, of("NX")?, of("AGX")?])
}

/// The best split of a whole model, output head included, by the times of profile R16.
fn with_head(model: &str, published: [usize; 3]) -> Option<PublishedSplit> {
    let model = find(model)?.into();
    let costs = TierCosts::dense(&model, &R16, &REQUEST);
    let hops = [Passes::default(); 2];
    compared(
        &costs.partition(&jetsons()?, &hops, FULL_MODEL).ok()?,
        published,
    )
}

/// The best split on the memory rate where the Nano holds what fits beside the embedding, and the AGX 20 blocks.
fn capped(model: &str, published: [usize; 3]) -> Option<PublishedSplit> {
    let decoder: DecoderCost = find(model)?.into();
    let nodes = jetsons()?;
    let [block, embedding] = [
        decoder.block_bytes(Precision::Fp16),
        decoder.head_bytes(Precision::Fp16),
    ];
    let cap = libm::floor((nodes[0].usable_gb * 1e9 - embedding) / block);
    let blocks: usize = published.iter().sum();
    let ones = vec![1.0; blocks];
    let room = [cap, blocks as f64, 20.0];
    let speeds = nodes.map(|node| node.bandwidth_gb_s);
    compared(
        &TierPartition::new(&ones, &ones, &speeds, &room).ok()?,
        published,
    )
}

/// Shares of the memory that the tiers are sold with.
fn by_memory(published: [usize; 3]) -> Option<Vec<usize>> {
    let blocks: usize = published.iter().sum();
    let memory: Vec<f64> = ["Nano", "NX", "AGX"]
        .iter()
        .filter_map(|short| KNOWN_DEVICES.iter().find(|known| known.short == *short))
        .map(|known| known.memory_gb)
        .collect();
    let (ones, nothing) = (vec![1.0; blocks], vec![0.0; blocks]);
    let problem = TierPartition::new(&ones, &nothing, &[1.0; 3], &memory).ok()?;
    let options = TiersPartitionOptions {
        method: Method::MemoryProportional,
        ..TiersPartitionOptions::default()
    };
    answer(&problem, &options, &mut NoProgress).counts
}

/// The readings as a table: the best split of each model, and how much worse the published one is.
#[must_use]
pub fn readings_table() -> Table {
    let rows = rows().into_iter().map(|row| {
        let mut cells = vec![Cell::text(row.name), Cell::Text(row.speeds)];
        for split in row.splits {
            match split {
                Some((counts, worse)) => {
                    cells.extend([Cell::text(split_text(&counts)), Cell::maybe(worse, 1)]);
                }
                None => cells.extend([Cell::Missing, Cell::Missing]),
            }
        }
        cells
    });
    let [llama, phi] = published().map(|split| format!("{} is worse by", split_text(&split)));
    let columns = [
        ("reading", "speeds read as", ""),
        ("speeds", "Nano : NX : AGX", ""),
        ("llama_split", "Llama-3-8B, best", ""),
        ("llama_worse_pct", &llama, "%"),
        ("phi_split", "Phi-3-medium, best", ""),
        ("phi_worse_pct", &phi, "%"),
    ];
    let title = "Which speeds give the published splits";
    Table::new("splits", title, &columns, rows.collect())
}

/// Notes below the table, one for each paragraph.
pub const NOTES: [&str; 2] = [
    "Decoding is bound by memory bandwidth, so that is what sets the speed of these machines, not their TOPS. By memory \
         bandwidth the published split of Llama-3-8B is the one optimum; blocks in proportion to memory give the same.",
    "The published split of Phi-3-medium follows from neither. Where 5/9/18 is best, the NX has 0.45 to 0.555 of the \
         AGX\u{2019}s speed; where 7/13/20 is best, 0.62 to 0.75: no one set of speeds gives both. It is found with at most 7 \
         blocks on the Nano, which 5.2 GB explain, and at most 20 on the AGX, which nothing explains, or with a blend of \
         TOPS and memory bandwidth that then misses 5/9/18.",
];

/// Over a grid of speed ratios C_1 / C_3 and C_2 / C_3, where the published splits are best: the least and the greatest
/// ratios of each, in the order of Table II. `step` apart from 0.05 to 0.6 and from 0.1 to 0.8.
#[must_use]
pub fn regions(step: f64) -> [Option<PublishedRegion>; 2] {
    let steps = |low: f64, high: f64| {
        let many = libm::round((high - low) / step) as usize;
        (0..=many).map(move |at| low + step * at as f64)
    };
    published().map(|split| {
        let mut region: Option<PublishedRegion> = None;
        for first in steps(0.05, 0.6) {
            for second in steps(0.1, 0.8) {
                if is_best(split, [first, second, 1.0]) {
                    let grown = region.get_or_insert(PublishedRegion {
                        first: (first, first),
                        second: (second, second),
                    });
                    grown.first = (grown.first.0.min(first), grown.first.1.max(first));
                    grown.second = (grown.second.0.min(second), grown.second.1.max(second));
                }
            }
        }
        region
    })
}

/// Least and greatest ratios of speeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedRegion {
    /// C_1 / C_3.
    pub first: (f64, f64),
    /// C_2 / C_3.
    pub second: (f64, f64),
}

/// Returns true if no split has a smaller largest load, up to rounding.
fn is_best(split: [usize; 3], speeds: [f64; 3]) -> bool {
    best(split, speeds).is_some_and(|best| best.published_worse_pct <= 1e-7)
}

fn split_text(counts: &[usize]) -> String {
    Figure::split(counts).text()
}
