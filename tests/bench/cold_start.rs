//! Cold start on up to 20 devices and 100 layers: how long the search takes, how it ends and what it proves, family by
//! family of `tests/shared/cold_families.rs`, beside the paper's recurrence where its table fits.
//!
//!     cargo bench --bench cold_start                       # two tables, each 10 seeds with a limit of 60 s
//!     cargo bench --bench cold_start -- sizes 12x60,20x100 seeds 3 limit 20 families mixed,fast-compute layers same
//!     cargo bench --bench cold_start -- files DIR sizes 4x12 seeds 2
//!
//! `files` writes the problems into a folder instead, for `tests/bench/peer/cold_start.py`. `layers` is `own`, `same` or
//! both, as left out: each layer with its own numbers, or all alike.

use edgewise::evaluate::score;
use edgewise::methods::cold_start::solve;
use edgewise::plan::Pipeline;
use edgewise::problem::{ColdStart, HeuristicReading};
use edgewise::solve::{Ended, Event, Limits, NoPlan};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

#[path = "../shared/cold_families.rs"]
mod cold_families;
#[path = "../shared/cold_recurrence.rs"]
mod cold_recurrence;

use cold_families::{Family, Member};
use cold_recurrence::by_the_recurrence;

/// Devices and layers.
const SIZES: [(usize, usize); 7] = [
    (4, 12),
    (6, 40),
    (8, 40),
    (10, 40),
    (12, 60),
    (16, 80),
    (20, 100),
];

/// The most devices for which the recurrence is run: its table for 12 devices and 60 layers has 3 million states.
const RECURRENCE: usize = 12;

/// How many threads the search is given, one column each.
const THREADS: [usize; 1] = [1];

/// What is asked for on the command line.
struct Wanted {
    files: Option<String>,
    families: Vec<Family>,
    sizes: Vec<(usize, usize)>,
    identical: Vec<bool>,
    seeds: u64,
    limit: Duration,
}

impl Wanted {
    /// `cargo bench` adds words of its own, which begin with a dash.
    fn read(words: &[String]) -> Self {
        let after = |word: &str| {
            let at = words.iter().position(|w| w == word)?;
            Some(words.get(at + 1).unwrap_or_else(|| panic!("{word} what?")))
        };
        let number = |word: &str, default: u64| {
            after(word).map_or(default, |text| text.parse().expect("a whole number"))
        };
        Self {
            files: after("files").cloned(),
            families: Family::ALL
                .into_iter()
                .filter(|family| {
                    after("families").is_none_or(|text| text.split(',').any(|f| f == family.name()))
                })
                .collect(),
            sizes: after("sizes")
                .map_or(SIZES.to_vec(), |text| text.split(',').map(size).collect()),
            identical: match after("layers").map(String::as_str) {
                None => vec![false, true],
                Some("own") => vec![false],
                Some("same") => vec![true],
                Some(other) => panic!("layers own or layers same, not {other}"),
            },
            seeds: number("seeds", 10),
            limit: Duration::from_secs(number("limit", 60)),
        }
    }

    /// The instances of one row, seed by seed.
    fn members(&self, family: Family, size: (usize, usize), identical: bool) -> Vec<Member> {
        let (devices, layers) = size;
        let member = |seed| Member {
            family,
            devices,
            layers,
            identical,
            seed,
        };
        (1..=self.seeds).map(member).collect()
    }

    /// All rows.
    fn rows(&self) -> impl Iterator<Item = Vec<Member>> + '_ {
        self.families.iter().flat_map(move |family| {
            self.identical.iter().flat_map(move |identical| {
                let row = move |size: &(usize, usize)| self.members(*family, *size, *identical);
                self.sizes.iter().map(row)
            })
        })
    }
}

/// `12x60`.
fn size(text: &str) -> (usize, usize) {
    let (devices, layers) = text.split_once('x').expect("devices x layers, as 12x60");
    let number = |text: &str| text.parse().expect("a whole number");
    (number(devices), number(layers))
}

/// How a search went.
struct Run {
    seconds: f64,
    /// "optimal", "infeasible", or what stopped it.
    ended: String,
    /// T and its bound, when there is a plan [s].
    found: Option<(f64, f64)>,
}

impl Run {
    fn gap(&self) -> Option<f64> {
        self.found.map(|(total, bound)| (total - bound) / total)
    }

    fn is_proof(&self) -> bool {
        self.ended == "optimal" || self.ended == "infeasible"
    }
}

/// One search with so many threads, ended after `limit`.
fn run(problem: &ColdStart, threads: usize, limit: Duration) -> Run {
    assert_eq!(threads, 1, "the search takes no number of threads yet");
    let begun = Instant::now();
    let mut listen = |_: Event<'_, Pipeline>| {
        if begun.elapsed() >= limit {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let found = solve(
        problem,
        HeuristicReading::Rate,
        &Limits::default(),
        &mut listen,
    );
    let seconds = begun.elapsed().as_secs_f64();
    let solved = match found {
        Ok(solved) => solved,
        Err(fault) => {
            let ended = match fault {
                NoPlan::Infeasible(_) => "infeasible".to_owned(),
                NoPlan::Stopped(stop) => format!("{stop:?}, no plan"),
            };
            return Run {
                seconds,
                ended,
                found: None,
            };
        }
    };
    let scored = score(problem, &solved.plan).expect("a whole plan");
    let total = scored.total;
    let bound = solved.bound.unwrap_or_default();
    assert!(scored.mem_ok);
    assert!((total - solved.claimed).abs() <= 1e-9 * total);
    assert!(bound <= total * (1.0 + 1e-9));
    let ended = match solved.ended {
        Ended::Optimal => "optimal".to_owned(),
        Ended::Finished => "finished".to_owned(),
        Ended::Stopped(stop) => format!("{stop:?}"),
    };
    Run {
        seconds,
        ended,
        found: Some((total, bound)),
    }
}

/// The recurrence's time, checked against a search that came to its end.
fn recurrence(problem: &ColdStart, ours: &Run, name: &str) -> f64 {
    let begun = Instant::now();
    let (least, _) = by_the_recurrence(problem);
    let seconds = begun.elapsed().as_secs_f64();
    match ours.found {
        Some((total, bound)) => {
            assert!(bound <= least * (1.0 + 1e-9), "{name}: bound above {least}");
            assert!(least <= total * (1.0 + 1e-9), "{name}: better than {least}");
            assert!(!ours.is_proof() || total <= least * (1.0 + 1e-9), "{name}");
        }
        None => assert!(!ours.is_proof() || least.is_infinite(), "{name}"),
    }
    seconds
}

/// The middle and the largest value.
fn middle_and_most(mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    let most = *values.last()?;
    let half = values.len() / 2;
    let middle = if values.len() % 2 == 1 {
        values[half]
    } else {
        0.5 * (values[half - 1] + values[half])
    };
    Some((middle, most))
}

/// Median and maximum of seconds, with as many digits as they are worth.
fn seconds(values: impl Iterator<Item = f64>) -> String {
    let digits = |value: f64| match value {
        v if v < 0.000_995 => format!("{v:.6}"),
        v if v < 0.0995 => format!("{v:.4}"),
        v if v < 9.95 => format!("{v:.2}"),
        v => format!("{v:.1}"),
    };
    middle_and_most(values.collect()).map_or("–".to_owned(), |(middle, most)| {
        format!("{} / {}", digits(middle), digits(most))
    })
}

fn percent(gap: f64) -> String {
    format!("{:.1} %", 100.0 * gap)
}

/// One row a family, size and kind of layers; then one for each search that was not proved to the end.
fn table(wanted: &Wanted) {
    let limit = wanted.limit;
    println!(
        "{} seeds each, at most {} s a search; times are median / maximum.\n",
        wanted.seeds,
        limit.as_secs()
    );
    let mut head = String::from("| family | layers | K × L |");
    let mut line = String::from("|---|---|---|");
    for threads in THREADS {
        let named = if threads == 1 { "thread" } else { "threads" };
        let _ = write!(head, " {threads} {named}, s | proved | gap of the others |");
        line += "---|---|---|";
    }
    println!("{head} recurrence, s |\n{line}---|");
    let mut open = Vec::new();
    for members in wanted.rows() {
        let first = members[0];
        let layers = if first.identical { "same" } else { "own" };
        let (devices, size) = (first.devices, first.layers);
        let mut row = format!(
            "| {} | {layers} | {devices} × {size} |",
            first.family.name()
        );
        let problems: Vec<ColdStart> = members.iter().map(Member::problem).collect();
        let mut plain = Vec::new();
        for threads in THREADS {
            let runs: Vec<Run> = problems
                .iter()
                .map(|problem| run(problem, threads, limit))
                .collect();
            let proved = runs.iter().filter(|run| run.is_proof()).count();
            let gaps = runs.iter().filter(|run| !run.is_proof());
            let gaps = middle_and_most(gaps.filter_map(Run::gap).collect());
            let gaps = gaps.map_or("–".to_owned(), |(middle, most)| {
                format!("{} / {}", percent(middle), percent(most))
            });
            let times = seconds(runs.iter().map(|run| run.seconds));
            let _ = write!(row, " {times} | {proved} of {} | {gaps} |", runs.len());
            if devices <= RECURRENCE && plain.is_empty() {
                let each = problems.iter().zip(&runs).zip(&members);
                plain = each
                    .map(|((problem, run), member)| recurrence(problem, run, &member.name()))
                    .collect();
            }
            for (member, run) in members.iter().zip(runs) {
                if !run.is_proof() {
                    open.push((member.name(), threads, run));
                }
            }
        }
        println!("{row} {} |", seconds(plain.into_iter()));
    }
    if open.is_empty() {
        return;
    }
    println!("\n| not proved | threads | s | ended | T, s | bound, s | gap |");
    println!("|---|---|---|---|---|---|---|");
    for (name, threads, run) in open {
        let found = run.found.map_or("– | – | –".to_owned(), |(total, bound)| {
            let gap = percent((total - bound) / total);
            format!("{total:.4} | {bound:.4} | {gap}")
        });
        println!(
            "| {name} | {threads} | {:.2} | {} | {found} |",
            run.seconds, run.ended
        );
    }
}

/// The problems as files.
fn files(wanted: &Wanted, folder: &str) {
    std::fs::create_dir_all(folder).expect("a folder");
    for member in wanted.rows().flatten() {
        let path = format!("{folder}/{}.json", member.name());
        std::fs::write(path, member.document().to_string()).expect("a file");
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let wanted = Wanted::read(&words);
    match &wanted.files {
        Some(folder) => files(&wanted, folder),
        None => table(&wanted),
    }
}
