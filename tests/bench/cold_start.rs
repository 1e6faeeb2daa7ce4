//! Cold start on up to 20 devices and 100 layers: how long the search takes on one thread and on two, how it ends and what
//! it proves, family by family of `tests/shared/cold_families.rs`, beside the dynamic program and the paper's recurrence
//! where their tables fit. The search is run at every size, also where a page would take the dynamic program.
//!
//!     cargo bench -p edgewise-bench --bench cold_start                       # two tables, each 10 seeds with a limit of 60 s
//!     cargo bench -p edgewise-bench --bench cold_start -- sizes 12x60,20x100 seeds 3 limit 20 families mixed,fast-compute layers same
//!     cargo bench -p edgewise-bench --bench cold_start -- files DIR sizes 4x12 seeds 2
//!     cargo bench -p edgewise-bench --bench cold_start -- decode sizes 8x40,10x40 seeds 3
//!
//! `decode` prints, instead, how long whole answers of 5, 50 and 500 tokens take to plan, and the front beside them.
//! `files` writes the problems into a folder instead, for `tests/bench/peer/cold_start.py`. `layers` is `own`, `same` or
//! both, as left out: each layer with its own numbers, or all alike. Speed-up is the median of the times on one thread over
//! those on two, of searches that both came to a proof. The first plan, the gap after ten seconds and the labels that the
//! last pass kept are those of the last number of threads.

use engine::evaluate::score;
use engine::plan::Pipeline;
use engine::problem::cold_decode::{
    DecodeGoal, DecodeNumbers, TokenLayerNumbers, TokenMachineNumbers,
};
use engine::problem::{ColdStart, HeuristicReading};
use engine::solve::{Ended, Limits, NoPlan, SearchEvent, Solved};
use methods::cold_start::decode::front;
use methods::cold_start::search::{most_labels, search};
use methods::cold_start::{Infeasible, hunt, outcome, program, solve};
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
const THREADS: [u32; 2] = [1, 2];

/// When the gap on the way is looked at.
const ON_THE_WAY: Duration = Duration::from_secs(10);

/// What is asked for on the command line.
struct Wanted {
    files: Option<String>,
    decode: bool,
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
            decode: words.iter().any(|word| word == "decode"),
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
    /// When the first plan was told [s].
    first: Option<f64>,
    /// T and its bound after [`ON_THE_WAY`], or at the end where that came before [s].
    on_the_way: Option<(f64, f64)>,
    /// Labels that the last pass kept.
    labels: u64,
}

/// How much of T is not proved.
fn gap((total, bound): (f64, f64)) -> f64 {
    (total - bound) / total
}

impl Run {
    fn gap(&self) -> Option<f64> {
        self.found.map(gap)
    }

    fn is_proof(&self) -> bool {
        self.ended == "optimal" || self.ended == "infeasible"
    }
}

/// What a listener with a clock keeps.
struct Heard {
    begun: Instant,
    limit: Duration,
    first: Option<f64>,
    now: (f64, f64),
    on_the_way: Option<(f64, f64)>,
}

impl Heard {
    fn new(limit: Duration) -> Self {
        Self {
            begun: Instant::now(),
            limit,
            first: None,
            now: (f64::INFINITY, 0.0),
            on_the_way: None,
        }
    }

    fn hear(&mut self, event: &SearchEvent<'_, Pipeline>) -> ControlFlow<()> {
        let since = self.begun.elapsed();
        if since >= ON_THE_WAY && self.on_the_way.is_none() && self.first.is_some() {
            self.on_the_way = Some(self.now);
        }
        match event {
            SearchEvent::Incumbent { claimed, .. } => {
                self.first.get_or_insert(since.as_secs_f64());
                self.now.0 = *claimed;
            }
            SearchEvent::Bound(bound) => self.now.1 = *bound,
            SearchEvent::Step { .. } => {}
        }
        if since >= self.limit {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// One search with so many threads, ended after `limit`.
fn run(problem: &ColdStart, threads: u32, limit: Duration) -> Run {
    let limits = Limits {
        threads,
        ..Limits::default()
    };
    let mut heard = Heard::new(limit);
    let mut labels = 0;
    let solved =
        hunt(problem, HeuristicReading::Rate, most_labels(&limits)).and_then(|mut hunt| {
            let mut listen = |event: SearchEvent<'_, Pipeline>| heard.hear(&event);
            let found = search(&mut hunt, &limits, &mut listen);
            labels = hunt.tally().labels;
            outcome(problem, found)
        });
    judged(problem, solved, labels, &heard)
}

/// The dynamic program, where its table fits.
fn plain(problem: &ColdStart, limit: Duration) -> Option<Run> {
    let mut heard = Heard::new(limit);
    let mut listen = |event: SearchEvent<'_, Pipeline>| heard.hear(&event);
    let limits = Limits::default();
    let solved = program(problem, HeuristicReading::Rate, &limits, &mut listen);
    let run = judged(problem, solved, 0, &heard);
    run.is_proof().then_some(run)
}

/// How it went, scored again.
fn judged(
    problem: &ColdStart,
    solved: Result<Solved<Pipeline>, NoPlan<Infeasible>>,
    labels: u64,
    heard: &Heard,
) -> Run {
    let run = |ended: String, found| Run {
        seconds: heard.begun.elapsed().as_secs_f64(),
        ended,
        found,
        first: heard.first,
        on_the_way: heard.on_the_way.or(found),
        labels,
    };
    let solved = match solved {
        Ok(solved) => solved,
        Err(NoPlan::Infeasible(_)) => return run("infeasible".to_owned(), None),
        Err(NoPlan::Stopped(stop)) => return run(format!("{stop:?}, no plan"), None),
    };
    let ended = match solved.ended {
        Ended::Optimal => "optimal".to_owned(),
        Ended::Finished => "finished".to_owned(),
        Ended::Stopped(stop) => format!("{stop:?}"),
    };
    let bound = solved.bound.unwrap_or_default();
    let run = run(ended, Some((solved.claimed, bound)));
    let scored = score(problem, &solved.plan).expect("a whole plan");
    assert!(scored.mem_ok);
    assert!(scored.total == solved.claimed && bound <= scored.total);
    run
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

/// Median and maximum of gaps.
fn percents(values: impl Iterator<Item = f64>) -> String {
    middle_and_most(values.collect()).map_or("–".to_owned(), |(middle, most)| {
        format!("{} / {}", percent(middle), percent(most))
    })
}

/// Whoever proves something proves the same.
fn same_proofs(one: &[Run], other: &[Run], members: &[Member]) {
    for ((one, other), member) in one.iter().zip(other).zip(members) {
        let is_proved = one.is_proof() && other.is_proof();
        let total = |run: &Run| run.found.map(|(total, _)| total);
        assert!(
            !is_proved || total(one) == total(other),
            "{}",
            member.name()
        );
    }
}

/// One row per family, size and kind of layers; then one for each search that was not proved to the end.
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
    head += " speed-up | first plan, s | gap at 10 s | labels | program, s | recurrence, s |";
    println!("{head}\n{line}---|---|---|---|---|---|");
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
        let columns = THREADS.map(|threads| -> Vec<Run> {
            let each = problems.iter();
            each.map(|problem| run(problem, threads, limit)).collect()
        });
        for runs in &columns {
            let proved = runs.iter().filter(|run| run.is_proof()).count();
            let others = runs.iter().filter(|run| !run.is_proof());
            let times = seconds(runs.iter().map(|run| run.seconds));
            let gaps = percents(others.filter_map(Run::gap));
            let _ = write!(row, " {times} | {proved} of {} | {gaps} |", runs.len());
        }
        let [one, .., most] = &columns;
        same_proofs(one, most, &members);
        let both = one.iter().zip(most);
        let both = both.filter(|(one, most)| one.is_proof() && most.is_proof());
        let faster = middle_and_most(both.map(|(one, most)| one.seconds / most.seconds).collect());
        let faster = faster.map_or("–".to_owned(), |(middle, _)| format!("{middle:.2}"));
        let told = seconds(most.iter().filter_map(|run| run.first));
        let gaps = percents(most.iter().filter_map(|run| run.on_the_way).map(gap));
        let labels = middle_and_most(most.iter().map(|run| run.labels as f64).collect());
        let labels = labels.map_or("–".to_owned(), |(middle, most)| {
            format!("{middle:.0} / {most:.0}")
        });
        let plain: Vec<Run> = problems.iter().filter_map(|p| plain(p, limit)).collect();
        if plain.len() == most.len() {
            same_proofs(&plain, most, &members);
        }
        let plain = seconds(plain.iter().map(|run| run.seconds));
        let printed = problems.iter().zip(one).zip(&members);
        let printed = printed.filter(|_| devices <= RECURRENCE);
        let printed = seconds(
            printed.map(|((problem, run), member)| recurrence(problem, run, &member.name())),
        );
        println!("{row} {faster} | {told} | {gaps} | {labels} | {plain} | {printed} |");
        for (threads, runs) in THREADS.into_iter().zip(columns) {
            for (member, run) in members.iter().zip(runs) {
                if !run.is_proof() {
                    open.push((member.name(), threads, run));
                }
            }
        }
    }
    if open.is_empty() {
        return;
    }
    println!("\n| not proved | threads | s | ended | T, s | bound, s | gap |");
    println!("|---|---|---|---|---|---|---|");
    for (name, threads, run) in open {
        let found = run.found.map_or("– | – | –".to_owned(), |(total, bound)| {
            let gap = percent(gap((total, bound)));
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

/// A member with an answer to plan for: memory rates from 60 to 900 GB/s, not in the order of anything else.
fn with_answer(problem: &ColdStart, answer: f64) -> ColdStart {
    const PROMPT: f64 = 256.0;
    let layer = |layer: &engine::model::Layer| TokenLayerNumbers {
        work: layer.work.get() / PROMPT,
        weights_read: None,
        kv: 4096.0,
        window: None,
    };
    let device = |k: usize| TokenMachineNumbers {
        bandwidth: 60e9 + 70e9 * (k * 7 % 13) as f64,
        compute: None,
        layer_overhead: 1e-4,
        token_overhead: 1e-3,
    };
    let numbers = DecodeNumbers {
        layers: problem.layers().iter().map(layer).collect(),
        devices: (0..problem.machines().len()).map(device).collect(),
        prompt: PROMPT,
        answer,
        requests: 1.0,
        hop: 0.002,
        goal: DecodeGoal::WholeAnswer,
    };
    problem
        .clone()
        .with_decode(&numbers)
        .expect("these numbers are valid")
}

/// Whole answers and fronts.
fn decode(wanted: &Wanted) {
    println!("| family | K x L | layers | G | proved | median s | longest s | largest gap |");
    println!("|---|---|---|---|---|---|---|---|");
    for row in wanted.rows() {
        let first = &row[0];
        let layers = if first.identical { "same" } else { "own" };
        let name = format!(
            "| {} | {} x {} | {layers} |",
            first.family.name(),
            first.devices,
            first.layers
        );
        for answer in [5.0, 50.0, 500.0] {
            let (mut times, mut gaps) = (Vec::new(), Vec::new());
            for member in &row {
                let problem = with_answer(&member.problem(), answer);
                let mut heard = Heard::new(wanted.limit);
                let begun = Instant::now();
                let mut listen = |event: SearchEvent<'_, Pipeline>| heard.hear(&event);
                let limits = Limits::default();
                let solved = solve(&problem, HeuristicReading::Rate, &limits, &mut listen);
                times.push(begun.elapsed().as_secs_f64());
                gaps.push(solved.map_or(f64::NAN, |solved| {
                    1.0 - solved.bound.unwrap_or(0.0) / solved.claimed
                }));
            }
            let proved = gaps.iter().filter(|gap| **gap <= 0.0).count();
            let worst = gaps.iter().copied().fold(0.0, f64::max);
            let (median, most) = middle_and_most(times).expect("a member at least");
            println!(
                "{name} {answer} | {proved} of {} | {median:.3} | {most:.3} | {:.1} % |",
                row.len(),
                100.0 * worst
            );
        }
        let problem = with_answer(&first.problem(), 200.0);
        let begun = Instant::now();
        let mut heard = |_| {
            if begun.elapsed() < wanted.limit {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let limits = Limits::default();
        let found = front(&problem, HeuristicReading::Rate, &limits, &mut heard);
        let ended = if found.is_complete {
            "whole"
        } else {
            "cut off"
        };
        println!(
            "{name} front, {} points in {} solves, {ended} | | {:.3} | | |",
            found.points.len(),
            found.solves,
            begun.elapsed().as_secs_f64()
        );
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let wanted = Wanted::read(&words);
    match &wanted.files {
        Some(folder) => files(&wanted, folder),
        None if wanted.decode => decode(&wanted),
        None => table(&wanted),
    }
}
