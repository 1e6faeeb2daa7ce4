//! Splits of the eleven models over the paper's devices: how good they are, beside the baselines, the bound and the paper's
//! search, and how long that takes. `cargo bench -p edgewise-bench --bench operators_split` prints the tables of
//! `docs/operator-partition.md` and how many evaluations are made a second; `cargo bench -p edgewise-bench --bench operators_split -- peer DIR`
//! writes the same problems as files for `tests/bench/peer/run.py` instead, `-- seeds` shows how much chains differ, `-- genetic`
//! sets the paper's search beside the default one, at equal evaluations and at the paper's scale.

use engine::evaluate::slices::Slices;
use engine::graph::{Graph, Objective, catalogue};
use engine::problem::partition::{Fleet, Link, Profile, Reading, TimeModel};
use engine::solve::{Limits, NoProgress};
use methods::operators::order::solve;
use methods::operators::split::baseline::{coedge, deepthings, local};
use methods::operators::split::{
    Annealer, DimPolicy, Effort, ROUND, SplitResult, SplitTask, best, bound, ga, genetic,
    plain_bound, proportional,
};
use std::hint::black_box;
use std::time::Instant;

/// The devices of Table 3.
const FACTORS: [f64; 4] = [1.0, 1.0, 0.8, 0.8];
const MBPS: f64 = 2000.0;

fn order(graph: &Graph) -> Vec<u32> {
    let found = solve(
        graph,
        Objective::Sum,
        None,
        &Limits::default(),
        &mut NoProgress,
    );
    found.expect("there is no limit").order
}

fn task(graph: &Graph, order: &[u32], wish: DimPolicy) -> SplitTask<'static> {
    // A benchmark ends before it would matter.
    let graph: &'static Graph = Box::leak(Box::new(graph.clone()));
    let limits = vec![5000.0 * 1_048_576.0; FACTORS.len()];
    let fleet = Fleet::new(FACTORS.to_vec(), limits, MBPS, Link::Own).expect("devices");
    let times = TimeModel::Profile(Profile::FITTED);
    let slices = Slices::new(graph, fleet, &times, true).expect("a model");
    SplitTask::new(slices, order.to_vec(), wish).expect("an order")
}

fn timed<T>(call: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let found = call();
    (found, begun.elapsed().as_secs_f64())
}

/// The paper's search without its stopping rule, until it has scored so many plans; its best.
fn ga_with(task: &SplitTask<'_>, first: ga::FirstPopulation, plans: u64) -> f64 {
    const ISLANDS: u32 = 4;
    let size = ga::GaSize {
        population: 1000,
        generations: u32::MAX,
        first,
        ..ga::GaSize::default()
    };
    let mut breeder = ga::Variation::new(task, size);
    let mut islands: Vec<ga::GaIsland> = (0..ISLANDS).map(|at| breeder.first(at)).collect();
    while islands.iter().map(|island| island.evaluations).sum::<u64>() < plans {
        for island in &mut islands {
            breeder.generation(island);
            island.ended = false;
        }
        if islands[0].generation.is_multiple_of(ROUND) {
            ga::migrate(&mut islands);
        }
    }
    let best = islands.iter().map(|island| island.best().latency());
    best.fold(f64::INFINITY, f64::min)
}

fn searched(task: &SplitTask<'_>) -> (SplitResult, f64) {
    timed(|| best(task, &Effort::default(), 1, &mut NoProgress))
}

/// Milliseconds with two digits behind the point.
fn ms(value: f64) -> String {
    format!("{value:.2}")
}

fn quality() {
    println!(
        "| model | local, mean | DeepThings | CoEdge | proportional | GA, rule | GA, free | GA, free, 10 × | ours | 3 × the moves | bound | gap | compute only |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut speeds = Vec::new();
    for model in catalogue::MODELS {
        let graph = catalogue::graph(model.name).expect("a model");
        let order = order(&graph);
        let free = task(&graph, &order, DimPolicy::Free);
        let rule = task(&graph, &order, DimPolicy::Rule(Reading::MoreCopies));
        let everybody = (1 << FACTORS.len()) - 1;
        let even = rule.score(&proportional(&rule, rule.dims(), everybody));
        let subsets = coedge(&free).expect("four devices");
        let subsets = free.score(&subsets.plan).latency_ms;
        let (ours, seconds) = searched(&free);
        let own = free.score(&ours.plan).latency_ms;
        let size = ga::GaSize {
            population: 1000,
            ..ga::GaSize::default()
        };
        let by_rule = genetic(&rule, size, 4, 1, &mut NoProgress);
        let (by_ga, ga_seconds) = timed(|| genetic(&free, size, 4, 1, &mut NoProgress));
        let n = graph.len() as u64;
        let ten_times = ga_with(
            &free,
            ga::FirstPopulation::Known,
            10 * ours.evaluations.div_ceil(n),
        );
        let effort = Effort {
            moves: 3 * Effort::default().moves,
            ..Effort::default()
        };
        let longer = best(&free, &effort, 1, &mut NoProgress);
        let least = bound(&free);
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | **{}** | {} | {} | {:.1} % | {} |",
            model.title,
            ms(local(&free).mean_ms),
            ms(deepthings(&free).latency_ms),
            ms(subsets),
            ms(even.latency_ms),
            ms(by_rule.latency),
            ms(by_ga.latency),
            ms(ten_times),
            ms(own),
            ms(longer.latency),
            ms(least),
            100.0 * (own - least) / own,
            ms(plain_bound(&free)),
        );
        assert!(own <= subsets, "{}: above CoEdge", model.name);
        assert!(own <= ten_times, "{}: above the GA", model.name);
        assert!(least <= own, "{}: below the bound", model.name);
        speeds.push((model.title, ours, seconds, by_ga, ga_seconds));
    }
    println!();
    println!(
        "| model | ours, s | moves/s | operators/s | GA, s | plans/s | operators/s | whole plans/s, evaluated anew |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (at, (title, ours, seconds, by_ga, ga_seconds)) in speeds.iter().enumerate() {
        let graph = catalogue::graph(catalogue::MODELS[at].name).expect("a model");
        let task = task(&graph, &order(&graph), DimPolicy::Free);
        let million = |count: u64, seconds: f64| format!("{:.2} M", count as f64 / seconds / 1e6);
        println!(
            "| {title} | {seconds:.2} | {} | {} | {ga_seconds:.2} | {} | {} | {} |",
            million(ours.tried, *seconds),
            million(ours.evaluations, *seconds),
            million(by_ga.tried, *ga_seconds),
            million(by_ga.evaluations, *ga_seconds),
            million(1, whole_plan(&task, &ours.plan)),
        );
    }
}

/// The models of the table of the genetic search.
const GENETIC: [&str; 5] = [
    "vgg13",
    "mobilenetv3",
    "squeezenet",
    "resnet50",
    "googlenet",
];

/// The paper's search beside the default one: as it is by default, with as many evaluations of operators as the default search
/// makes, and at the paper's scale, each from the plans that are known without a search and from random ones.
fn genetic_table() {
    println!(
        "| model | dimensions | proportional | CoEdge | GA, default | GA, equal | GA, equal, random | GA, paper | GA, paper, random | plans scored | annealing | gap |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for name in GENETIC {
        let model = catalogue::MODELS.iter().find(|model| model.name == name);
        let graph = catalogue::graph(name).expect("a model");
        let order = order(&graph);
        for (dims, wish) in [
            ("rule", DimPolicy::Rule(Reading::MoreCopies)),
            ("free", DimPolicy::Free),
        ] {
            let task = task(&graph, &order, wish);
            let everybody = (1 << FACTORS.len()) - 1;
            let even = task.score(&proportional(&task, task.dims(), everybody));
            let subsets = task.score(&coedge(&task).expect("four devices").plan);
            let (ours, _) = searched(&task);
            let plans = ours.evaluations.div_ceil(graph.len() as u64);
            let usual = genetic(&task, ga::GaSize::default(), 4, 1, &mut NoProgress);
            let at_scale = |first| {
                let size = ga::GaSize {
                    first,
                    ..ga::GaSize::PAPER
                };
                genetic(&task, size, 1, 1, &mut NoProgress)
            };
            let paper = at_scale(ga::FirstPopulation::Known);
            let random = at_scale(ga::FirstPopulation::Random);
            let least = bound(&task);
            println!(
                "| {} | {dims} | {} | {} | {} | {} | {} | {} | {} | {:.2} M, {:.2} M, {:.2} M | **{}** | {:.1} % |",
                model.map_or(name, |model| model.title),
                ms(even.latency_ms),
                ms(subsets.latency_ms),
                ms(usual.latency),
                ms(ga_with(&task, ga::FirstPopulation::Known, plans)),
                ms(ga_with(&task, ga::FirstPopulation::Random, plans)),
                ms(paper.latency),
                ms(random.latency),
                plans as f64 / 1e6,
                paper.tried as f64 / 1e6,
                random.tried as f64 / 1e6,
                ms(ours.latency),
                100.0 * (ours.latency - least) / ours.latency,
            );
        }
    }
}

/// How long it takes to evaluate all operators of a plan [s].
fn whole_plan(task: &SplitTask<'_>, plan: &engine::plan::Partition) -> f64 {
    const RUNS: u32 = 20_000;
    let n = task.slices.graph().len();
    let ((), seconds) = timed(|| {
        for _ in 0..RUNS {
            let plan = black_box(plan);
            let each = (0..n).map(|v| task.slices.operator(v, &plan.dims, &plan.cuts).ms);
            black_box(each.sum::<f64>());
        }
    });
    seconds / f64::from(RUNS)
}

/// How much it depends on the seed: four chains of each model, and how long one takes. `MOVES` sets how many moves.
fn seeds() {
    for model in catalogue::MODELS {
        let graph = catalogue::graph(model.name).expect("a model");
        let task = task(&graph, &order(&graph), DimPolicy::Free);
        let mut line = format!("{:16}", model.name);
        let moves = std::env::var("MOVES").map_or(1_000_000, |m| m.parse().expect("a number"));
        let begun = Instant::now();
        for seed in 1..=4 {
            let mut chain = Annealer::new(&task, seed, 0, moves);
            while chain.advance(10_000) {}
            line += &format!(" {:.3}", chain.latency());
        }
        println!("{line} {:.2} s", begun.elapsed().as_secs_f64() / 4.0);
    }
}

/// The problems as files.
fn problems(folder: &str) {
    std::fs::create_dir_all(folder).expect("a folder");
    for model in catalogue::MODELS {
        let graph = catalogue::graph(model.name).expect("a model");
        let problem = serde_json::json!({
            "graph": graph.document(),
            "profile": Profile::FITTED,
            "cflops": FACTORS,
            "limits": vec![5000.0 * 1_048_576.0; FACTORS.len()],
            "mbps": MBPS,
            "dims": "free",
            "order": order(&graph),
        });
        let path = format!("{folder}/{}.json", model.name);
        std::fs::write(path, problem.to_string()).expect("a file");
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    match words.iter().position(|word| word == "peer") {
        Some(at) => problems(words.get(at + 1).map_or("target/peer", String::as_str)),
        None if words.iter().any(|word| word == "seeds") => seeds(),
        None if words.iter().any(|word| word == "genetic") => genetic_table(),
        None => quality(),
    }
}
