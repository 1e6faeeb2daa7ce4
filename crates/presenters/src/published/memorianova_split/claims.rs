//! Claims of the paper about splits, each with our result.

use super::{bracket, find, is_within, most_hours, named, printed, same_space};
use crate::published::memorianova::{CONVOLUTIONAL, row};
use crate::published::{Figure, PublishedClaim};
use engine::evaluate::slices::Slices;
use engine::graph::{Document, Graph, OpDocument, catalogue};
use engine::papers::MEMORIANOVA;
use engine::problem::partition::{Fleet, Link, Profile, TimeModel};
use engine::units::percent;
use planner::operators::{FIG_11, MOST_DEVICES, Methods, SCALED, SplitCase};

/// Devices in Fig. 10 with the lowest latency.
const BEST_DEVICES: usize = 4;

/// The paper's claims about splits, in its order.
#[must_use]
pub fn claims(cases: &[SplitCase]) -> Vec<PublishedClaim> {
    vec![
        overhead(),
        space(cases),
        quicker(cases),
        gain(cases),
        hours(),
        limits(cases),
        most_devices(cases),
        mixes(cases),
    ]
}

/// A row, where the paper has all of so many cases.
fn all(key: &str, of: usize, ours: Option<(usize, String)>) -> PublishedClaim {
    PublishedClaim::of_cases(MEMORIANOVA.row(key), (of, of), ours)
}

/// Table 1: what a second device costs beside its part, kind by kind, on operators of one size.
fn overhead() -> PublishedClaim {
    /// Kind, whether cut by its last choice, and whether the paper has overhead.
    const KINDS: [(&str, bool, bool); 5] = [
        ("conv", false, true),
        ("conv", true, true),
        ("pool", false, false),
        ("add", false, false),
        ("gemm", false, false),
    ];
    let met = KINDS.map(|(kind, last, has_overhead)| {
        extra_bytes(kind, last).map(|extra| (extra > 0.0) == has_overhead)
    });
    let met = met.iter().filter(|met| **met == Some(true)).count();
    all("split/overhead", KINDS.len(), Some((met, String::new())))
}

/// Returns the memory that two devices hold together while an operator runs beyond that of one [bytes], its operand cut the same
/// way.
fn extra_bytes(kind: &str, last: bool) -> Option<f64> {
    let op = |kind: &str, ins: Vec<i64>, w: u64| OpDocument {
        name: String::new(),
        kind: kind.to_owned(),
        ins,
        out: 1024,
        w,
        shape: vec![1, 8, 8, 4],
        hin: 8,
        k: 1,
        s: 1,
        p: 0,
        d: 1,
        flops: 0.0,
        full: Vec::new(),
    };
    let w = if kind == "conv" || kind == "gemm" {
        512
    } else {
        0
    };
    let graph = Graph::new(Document {
        name: String::new(),
        inputs: vec![1024],
        outputs: Vec::new(),
        ops: vec![op("conv", vec![-1], 0), op(kind, vec![0], w)],
    });
    let graph = graph.ok()?;
    let fleet = Fleet::new(vec![1.0; 2], vec![f64::INFINITY; 2], 1000.0, Link::Own).ok()?;
    let slices = Slices::new(&graph, fleet, &TimeModel::Profile(Profile::FITTED), true).ok()?;
    let mut dims = slices.by_height();
    dims[1] = if last {
        slices.choices(1).last()?
    } else {
        dims[1]
    };
    let half = |v: usize| u64::from(slices.length(v, dims[v]) / 2);
    let held = |halved: bool| {
        let row = |v: usize| {
            let length = 2 * half(v);
            vec![0, if halved { half(v) } else { length }, length]
        };
        let cuts = slices.read_cuts(&dims, &[row(0), row(1)]).ok()?;
        let score = slices.score(&vec![0, 1], &dims, &cuts).ok()?;
        Some(score.mem[1].iter().sum::<f64>())
    };
    Some(held(true)? - held(false)?)
}

fn space(cases: &[SplitCase]) -> PublishedClaim {
    let (mut met, mut of) = (Some(0), 0);
    for at in 0..catalogue::MODELS.len() {
        for (along, printed) in row("table-6", at).numbers::<3>().into_iter().enumerate() {
            if printed > 0.0 {
                let case = find(cases, at);
                let is_met = case.map(|case| same_space(printed, case.space[along]));
                met = met
                    .zip(is_met)
                    .map(|(met, is_met)| met + usize::from(is_met));
                of += 1;
            }
        }
    }
    all("split/space", of, met.map(|met| (met, String::new())))
}

/// The models of Table 8 for which both CoEdge and GenEFlow are printed.
fn compared() -> impl Iterator<Item = (usize, f64, f64)> {
    (0..CONVOLUTIONAL).filter_map(|at| Some((at, printed(at, 2)?, printed(at, 3)?)))
}

fn all_of<'c>(cases: &'c [SplitCase], models: &[usize]) -> Option<Vec<&'c SplitCase>> {
    models.iter().map(|at| find(cases, *at)).collect()
}

fn quicker(cases: &[SplitCase]) -> PublishedClaim {
    let models: Vec<usize> = compared().map(|(at, ..)| at).collect();
    let published = compared()
        .filter(|(_, coedge, geneflow)| geneflow < coedge)
        .count();
    let ours = all_of(cases, &models).map(|cases| {
        let quicker = |of: fn(&Methods) -> f64| {
            let quicker = cases
                .iter()
                .filter(|case| of(&case.methods) < case.methods.coedge);
            quicker.count()
        };
        let by_ga = quicker(|methods| methods.genetic);
        let reason = format!(
            "Annealing along the same dimensions is faster than CoEdge on {}, with free \
             dimensions on {} of {}.",
            quicker(|methods| methods.rule),
            quicker(|methods| methods.free),
            cases.len()
        );
        (by_ga, reason)
    });
    let row = MEMORIANOVA.row("split/faster");
    PublishedClaim::of_cases(row, (published, models.len()), ours)
}

fn gain(cases: &[SplitCase]) -> PublishedClaim {
    let models: Vec<usize> = (0..CONVOLUTIONAL).collect();
    let ours = all_of(cases, &models).map(|cases| {
        let most = |of: fn(&Methods) -> f64| {
            let gains = cases.iter().map(|case| {
                let coedge = case.methods.coedge;
                100.0 * (coedge - of(&case.methods)) / coedge
            });
            gains.fold(f64::NEG_INFINITY, f64::max)
        };
        let by_ga = most(|methods| methods.genetic);
        // What the bound leaves below CoEdge, the most first.
        let mut open: Vec<(f64, &str)> = (cases.iter())
            .map(|case| {
                let Methods { coedge, bound, .. } = case.methods;
                let title = catalogue::MODELS.get(case.at).map_or("", |model| model.title);
                (100.0 * (coedge - bound) / coedge, title)
            })
            .collect();
        open.sort_by(|a, b| b.0.total_cmp(&a.0));
        let rest = open.get(1..).unwrap_or_default();
        let leaves = match (open.first(), rest.first(), rest.last()) {
            (Some((most, model)), Some((next, _)), Some((least, _))) => format!(
                "the bound leaves {} for {model} and {least:.0} to {} for the others",
                percent(*most, 0),
                percent(*next, 0)
            ),
            _ => String::new(),
        };
        let reason = format!(
            "By Table 8 itself the largest is {}. Annealing gains at most {} along the rule\u{2019}s dimensions and {} with free \
             ones; {leaves}.",
            largest_of_table_8(),
            percent(most(|methods| methods.rule), 1),
            percent(most(|methods| methods.free), 1)
        );
        (Figure::Percent(by_ga, 1), reason)
    });
    PublishedClaim::compare(MEMORIANOVA.row("split/gain"), ours)
}

/// The largest gain of GenEFlow over CoEdge that Table 8 prints, with its model and both latencies.
fn largest_of_table_8() -> String {
    let gains = compared().map(|(at, coedge, geneflow)| {
        let gain = 100.0 * (coedge - geneflow) / coedge;
        (gain, at, coedge, geneflow)
    });
    let largest = gains.max_by(|a, b| a.0.total_cmp(&b.0));
    largest.map_or(String::new(), |(gain, at, coedge, geneflow)| {
        let title = catalogue::MODELS.get(at).map_or("", |model| model.title);
        format!(
            "{title}\u{2019}s {}, {coedge:.2} to {geneflow:.2} ms",
            percent(gain, 1)
        )
    })
}

/// The text against its own table; how long a search takes is not computed here.
fn hours() -> PublishedClaim {
    let row = MEMORIANOVA.row("split/hours");
    let reason = format!(
        "The paper\u{2019}s own Table 7 has {:.1} hours for Qwen2, which its text leaves out: {} hours are GPT-2\u{2019}s.",
        most_hours(),
        row.printed(0)
    );
    PublishedClaim::compare(row, Some((Figure::Missing, reason)))
}

fn limits(cases: &[SplitCase]) -> PublishedClaim {
    let models: Vec<usize> = (0..CONVOLUTIONAL).collect();
    let ours = all_of(cases, &models).map(|cases| {
        let within = cases.iter().filter(|case| {
            let bracket = bracket(case.at);
            bracket.is_some_and(|bracket| is_within(case, bracket))
        });
        let within = within.count();
        let times = cases.iter().map(|case| case.table4_peak as f64 / case.peak as f64);
        let least = times.clone().fold(f64::INFINITY, f64::min);
        let most = times.fold(0.0, f64::max);
        let reason = format!(
            "As Table 4 counts, which is {least:.1} to {most:.1} times what is held: every model runs on less than Table 8 \
             says, VGG13 in 30 MB."
        );
        (within, reason)
    });
    all("split/memory", CONVOLUTIONAL, ours)
}

fn most_devices(cases: &[SplitCase]) -> PublishedClaim {
    let found: Option<Vec<&SplitCase>> = SCALED.iter().map(|name| named(cases, name)).collect();
    let best = |times: &[f64]| {
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        times.iter().position(|ms| *ms <= least).map(|at| at + 1)
    };
    let ours = found.map(|cases| {
        let at_four = |of: fn(&SplitCase) -> &Vec<f64>| {
            cases.iter().filter(|case| best(of(case)) == Some(BEST_DEVICES)).count()
        };
        let own = at_four(|case| &case.devices_own);
        let (vgg, shared) = (&cases[0].devices_own, &cases[0].devices_shared);
        let list = |of: fn(&SplitCase) -> &Vec<f64>| {
            let numbers = cases.iter().filter_map(|case| best(of(case)));
            let numbers: Vec<String> = numbers.map(|devices| devices.to_string()).collect();
            numbers.join(", ")
        };
        let reason = format!(
            "Here a plan may leave devices idle, so one more device never makes the best plan slower: VGG13 takes {:.0} ms on one \
             device, {:.0} on four, {:.0} on eight, and on a shared router {:.0}, {:.0} and {:.0}. With every device at work on a \
             shared router latency can rise: it is lowest on {} devices.",
            vgg[0],
            vgg[BEST_DEVICES - 1],
            vgg[MOST_DEVICES - 1],
            shared[0],
            shared[BEST_DEVICES - 1],
            shared[MOST_DEVICES - 1],
            list(|case| &case.devices_all),
        );
        (own, reason)
    });
    all("split/devices", SCALED.len(), ours)
}

fn mixes(cases: &[SplitCase]) -> PublishedClaim {
    let found: Option<Vec<&SplitCase>> = SCALED.iter().map(|name| named(cases, name)).collect();
    let ours = found.map(|cases| {
        let falls = cases.iter().filter(|case| {
            let mut steps = case.mixes.windows(2);
            steps.all(|pair| pair[1] <= pair[0])
        });
        let falls = falls.count();
        let vgg = &cases[0].mixes;
        let reason = format!(
            "From the first to the seventh configuration VGG13 goes from {:.1} to {:.1} ms.",
            vgg[0],
            vgg[FIG_11.len() - 1]
        );
        (falls, reason)
    });
    all("split/mixes", SCALED.len(), ours)
}
