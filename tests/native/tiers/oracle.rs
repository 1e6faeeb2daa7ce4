//! Every method against every partition there is, on hundreds of random tiny problems of every kind; and the named
//! cause of every proof against the same enumeration.

use super::{close, exact, paper};
use crate::cases::cases;
use crate::instances::Draw;
use crate::tier_partitions::{Make, Numbers, numbers};
use engine::evaluate::tiers::score;
use engine::plan::{TierCuts, counts};
use engine::problem::TierPartition;
use engine::solve::NoPlan;
use methods::tiers::partition::order::{self, OrderRules};
use methods::tiers::partition::{
    Cause, Infeasible, Objective, baseline, brute, dp, front, least_bottleneck, of_baseline,
};

/// How often each outcome occurred, so that no class is only believed to be tested.
#[derive(Debug, Default)]
struct Seen {
    feasible: usize,
    tiers: usize,
    tier: usize,
    block: usize,
    total: usize,
    order: usize,
    repairs: usize,
    greed_fails: usize,
    points: usize,
}

const EPS: f64 = 1e-3;

impl Seen {
    fn check(&mut self, what: &str, problem: &TierPartition) {
        let best = brute::best(problem, Objective::Max);
        let sum = brute::best(problem, Objective::Sum);
        match (best, sum) {
            (Some((_, largest)), Some((_, least))) => {
                self.feasible += 1;
                agree(what, problem, largest, least);
                self.points += fronts(what, problem);
                self.greed_fails += usize::from(naive_greed(problem, largest).is_none());
            }
            _ => {
                for objective in [Objective::Max, Objective::Sum] {
                    let proof = exact(problem, objective).expect_err(what);
                    assert_eq!(dp::best(problem, objective), None, "{what}");
                    assert_eq!(paper(problem, EPS), Err(proof.clone()), "{what}");
                    if objective == Objective::Max {
                        self.proof(what, problem, &proof);
                    }
                }
                assert!(front(problem, 9).is_empty(), "{what}");
                assert_eq!(least_bottleneck(problem), None, "{what}");
            }
        }
    }

    /// Checks the named cause against the problem, the repairs against the enumeration.
    fn proof(&mut self, what: &str, problem: &TierPartition, proof: &Infeasible) {
        let need: f64 = problem.need().iter().sum();
        let have: f64 = problem.memory().iter().sum();
        match &proof.cause {
            Cause::TooManyTiers { tiers, blocks } => {
                self.tiers += 1;
                assert!(tiers > blocks && !problem.empty_tiers(), "{what}");
                assert!(brute::all(problem).is_empty(), "{what}");
            }
            Cause::Tier { tier, need, have } => {
                self.tier += 1;
                assert!(problem.need().iter().all(|m| m >= need), "{what}");
                assert_eq!(problem.memory()[*tier], *have, "{what}");
                let never = |(_, s): &(TierCuts, _)| -> bool {
                    let s: &engine::evaluate::tiers::ScoredCuts = s;
                    !s.fits[*tier]
                };
                assert!(brute::all(problem).iter().all(never), "{what}");
            }
            Cause::Block { block, need, have } => {
                self.block += 1;
                assert_eq!(problem.need()[block - 1], *need, "{what}");
                assert!(problem.memory().iter().all(|m| m <= have) && need > have);
            }
            Cause::TotalMemory { need: n, have: h } => {
                self.total += 1;
                assert!(close(*n, need) && close(*h, have) && need > have, "{what}");
            }
            Cause::Order {
                placed,
                fits_in_order,
            } => {
                self.order += 1;
                assert!(need <= have + 1e-6 && *placed <= problem.blocks(), "{what}");
                let orders = permutations(problem.tiers());
                let fitting = orders
                    .into_iter()
                    .find(|order| brute::best(&problem.reordered(order), Objective::Max).is_some());
                assert_eq!(*fits_in_order, fitting, "{what}");
            }
            Cause::Split { .. } => panic!("{what}: {proof}"),
        }
        assert!(proof.to_string().len() > 30, "{proof}");
        for repair in &proof.repairs {
            self.repairs += 1;
            let with = |memory: f64| {
                let changed = problem.clone().with_memory(repair.tier, memory);
                brute::best(&changed, Objective::Max).is_some()
            };
            assert!(with(repair.memory), "{what}: {repair:?} does not repair");
            assert!(
                !with(repair.memory - 1e-6),
                "{what}: {repair:?} is not the least"
            );
            let more = repair.memory - problem.memory()[repair.tier];
            assert!(more > 0.0 && more == repair.more, "{what}: {repair:?}");
        }
        // A tier without a repair has none: all the memory in the world does not do.
        for tier in 0..problem.tiers() {
            if proof.repairs.iter().all(|repair| repair.tier != tier) {
                let changed = problem.clone().with_memory(tier, need * 2.0 + 1.0);
                assert_eq!(brute::best(&changed, Objective::Max), None, "{what}");
            }
        }
    }
}

/// All methods and both objectives on a problem with a partition.
fn agree(what: &str, problem: &TierPartition, largest: f64, least: f64) {
    for (objective, best) in [(Objective::Max, largest), (Objective::Sum, least)] {
        let (cuts, claimed) = exact(problem, objective).expect(what);
        let scored = score(problem, &cuts).expect(what);
        assert!(scored.mem_ok, "{what}: {cuts:?}");
        assert!(close(objective.of(&scored), best), "{what}: {cuts:?}");
        assert!(close(claimed, best), "{what}: {claimed} claimed, {best} is");
        let (cuts, value) = dp::best(problem, objective).expect(what);
        assert!(close(value, best), "{what}: {value} by the program");
        let scored = score(problem, &cuts).expect(what);
        assert!(
            scored.mem_ok && close(objective.of(&scored), best),
            "{what}"
        );
    }
    assert!(close(least_bottleneck(problem).expect(what), largest));
    for eps in [EPS, 1e-9] {
        let (cuts, tau) = paper(problem, eps).expect(what);
        let scored = score(problem, &cuts).expect(what);
        assert!(scored.mem_ok, "{what}: {cuts:?}");
        let hair = 1e-9 * largest;
        let excess = scored.bottleneck - largest;
        assert!(excess >= -hair && excess <= eps + hair, "{what}: {excess}");
        assert!(scored.bottleneck <= tau + hair, "{what}");
    }
    for cuts in [baseline::gpipe, baseline::gpipe_repaired, baseline::heft].map(|of| of(problem)) {
        let fits = score(problem, &cuts).expect(what).mem_ok;
        match of_baseline(problem, cuts, Objective::Max) {
            Ok(solved) => {
                assert!(fits && solved.claimed >= largest * (1.0 - 1e-9), "{what}");
                assert!(close(solved.bound.expect("known"), largest), "{what}");
            }
            Err(NoPlan::Infeasible(proof)) => {
                assert!(
                    !fits && matches!(proof.cause, Cause::Split { .. }),
                    "{what}"
                );
            }
            Err(NoPlan::Stopped(_)) => panic!("{what}"),
        }
    }
}

/// The front against all partitions that fit: every point is one of them, none is beaten, none is missing.
fn fronts(what: &str, problem: &TierPartition) -> usize {
    let all = brute::all(problem);
    let fitting: Vec<(f64, f64)> = all
        .iter()
        .filter(|(_, s)| s.mem_ok)
        .map(|(_, s)| (s.bottleneck, s.sum))
        .collect();
    let points = front(problem, usize::MAX);
    let hair = |x: f64| x * 1e-9;
    for point in &points {
        let scored = score(problem, &point.cuts).expect(what);
        assert!(scored.mem_ok && close(scored.bottleneck, point.bottleneck));
        assert!(close(scored.sum, point.sum), "{what}: {point:?}");
        let beaten = fitting.iter().any(|(b, s)| {
            (*b < point.bottleneck - hair(*b) && *s <= point.sum + hair(*s))
                || (*b <= point.bottleneck + hair(*b) && *s < point.sum - hair(*s))
        });
        assert!(!beaten, "{what}: {point:?} is beaten");
    }
    for (b, s) in fitting {
        let covered = points
            .iter()
            .any(|p| p.bottleneck <= b + hair(b) && p.sum <= s + hair(s));
        assert!(covered, "{what}: ({b}, {s}) is missing");
    }
    let rising = points
        .windows(2)
        .all(|p| p[0].bottleneck < p[1].bottleneck && p[0].sum > p[1].sum);
    assert!(rising, "{what}: {points:?}");
    points.len()
}

/// What a greedy probe without its condition would answer at the optimum itself.
fn naive_greed(problem: &TierPartition, tau: f64) -> Option<TierCuts> {
    let own = usize::from(!problem.empty_tiers());
    let mut cuts = TierCuts::new();
    let mut start = 0;
    for tier in 0..problem.tiers() {
        let most = problem.blocks() - own * (problem.tiers() - 1 - tier);
        let (mut work, mut held) = (problem.fixed(tier), 0.0);
        let mut end = start;
        while end < most {
            work += problem.work(tier)[end] / problem.speed(tier);
            held += problem.need()[end];
            if work > tau * (1.0 + 1e-9) || !problem.fits(tier, held) {
                break;
            }
            end += 1;
        }
        if end < start + own {
            return None;
        }
        cuts.push(end);
        start = end;
    }
    (start == problem.blocks()).then_some(cuts)
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for first in 0..n {
        for rest in permutations(n - 1) {
            let rest = rest.into_iter().map(|x| x + usize::from(x >= first));
            all.push(std::iter::once(first).chain(rest).collect());
        }
    }
    all
}

fn sizes(draw: &mut Draw, make: Make) -> Numbers {
    let (tiers, blocks) = (draw.whole(1, 5), draw.whole(1, 10));
    numbers(make, draw, tiers, blocks)
}

#[test]
fn all_methods_agree_with_every_partition_there_is() {
    let mut seen = Seen::default();
    let mut draw = Draw::new(14450);
    for round in 0..60 {
        for make in Make::ALL {
            let made = sizes(&mut draw, make);
            for empty in [false, true] {
                let what = format!("round {round}, {make:?}, empty tiers {empty}: {made:?}");
                seen.check(&what, &made.problem().with_empty_tiers(empty));
            }
        }
    }
    eprintln!("{seen:?}");
    assert!(seen.feasible >= 300 && seen.greed_fails >= 5, "{seen:?}");
    assert!(
        seen.tiers >= 20 && seen.tier >= 20 && seen.block >= 10,
        "{seen:?}"
    );
    assert!(
        seen.total >= 10 && seen.order >= 20 && seen.repairs >= 60,
        "{seen:?}"
    );
    assert!(seen.points > seen.feasible, "{seen:?}");
}

#[test]
fn polynomial_methods_agree_on_larger_problems() {
    let mut draw = Draw::new(8);
    let mut feasible = 0;
    for round in 0..60 {
        let make = Make::ALL[round % Make::ALL.len()];
        let (tiers, blocks) = (draw.whole(1, 6), draw.whole(6, 80));
        let made = numbers(make, &mut draw, tiers, blocks);
        for empty in [false, true] {
            let problem = made.problem().with_empty_tiers(empty);
            let what = format!("round {round}, {make:?}, {empty}");
            let (max, sum) = (
                dp::best(&problem, Objective::Max),
                dp::best(&problem, Objective::Sum),
            );
            match (max, sum) {
                (Some((_, largest)), Some((_, least))) => {
                    feasible += 1;
                    agree(&what, &problem, largest, least);
                    let points = front(&problem, usize::MAX);
                    assert!(close(points[0].bottleneck, largest), "{what}");
                    assert!(close(points[points.len() - 1].sum, least), "{what}");
                }
                _ => assert!(exact(&problem, Objective::Max).is_err(), "{what}"),
            }
        }
    }
    assert!(feasible >= 40, "{feasible}");
}

/// The best pipeline over all orders of all sets of tiers, one by one: its value by the objective, then its time.
fn by_enumeration(
    problem: &TierPartition,
    objective: Objective,
    rules: &OrderRules,
) -> Option<(f64, f64)> {
    let tiers = problem.tiers();
    let mut best: Option<(f64, f64)> = None;
    for set in 1..1_usize << tiers {
        let used: Vec<usize> = (0..tiers).filter(|j| set >> j & 1 == 1).collect();
        if rules.use_all && used.len() < tiers {
            continue;
        }
        for order in permutations(used.len()) {
            let order: Vec<usize> = order.iter().map(|at| used[*at]).collect();
            if rules.first.is_some_and(|first| order[0] != first) {
                continue;
            }
            let hops: f64 = order
                .windows(2)
                .map(|pair| rules.links.get(pair[0]).map_or(0.0, |row| row[pair[1]]))
                .sum();
            for (_, scored) in brute::all(&problem.reordered(&order)) {
                let time = scored.sum + hops;
                let key = match objective {
                    Objective::Max => (scored.bottleneck, time),
                    Objective::Sum => (time, time),
                };
                let less = best.is_none_or(|least| {
                    key.0 < least.0 * (1.0 - 1e-12) || (close(key.0, least.0) && key.1 < least.1)
                });
                if scored.mem_ok && less {
                    best = Some(key);
                }
            }
        }
    }
    best
}

#[test]
fn the_best_order_is_that_of_the_enumeration() {
    let mut draw = Draw::new(133);
    let (mut found, mut none, mut skipped, mut turned) = (0, 0, 0, 0);
    for round in 0..90 {
        let make = Make::ALL[round % Make::ALL.len()];
        let (tiers, blocks) = (draw.whole(1, 4), draw.whole(1, 6));
        let problem = numbers(make, &mut draw, tiers, blocks).problem();
        let links: Vec<Vec<f64>> = (0..tiers)
            .map(|_| (0..tiers).map(|_| draw.between(0.0, 2.0)).collect())
            .collect();
        let rules = OrderRules {
            links: if draw.one_in(4) { &[] } else { &links },
            first: draw.one_in(2).then(|| draw.below(tiers)),
            use_all: draw.one_in(3),
        };
        for objective in [Objective::Max, Objective::Sum] {
            let what = format!("round {round}, {make:?}, {objective:?}: {problem:?}, {rules:?}");
            let ours = order::best(&problem, objective, &rules);
            match (ours, by_enumeration(&problem, objective, &rules)) {
                (Some(ours), Some((value, time))) => {
                    let scored = score(&problem.reordered(&ours.order), &ours.cuts).expect(&what);
                    assert!(scored.mem_ok, "{what}: {ours:?}");
                    assert_eq!(counts(&ours.cuts, blocks), ours.counts, "{what}");
                    assert!(close(scored.bottleneck, ours.bottleneck), "{what}");
                    let own = ours.sum + ours.communication;
                    assert!(close(own, time), "{what}: {own} instead of {time}");
                    if objective == Objective::Max {
                        assert!(close(ours.bottleneck, value), "{what}: {ours:?}");
                    }
                    found += 1;
                    skipped += usize::from(ours.order.len() < tiers);
                    turned += usize::from(!ours.order.is_sorted());
                }
                (None, None) => none += 1,
                (ours, theirs) => panic!("{what}: {ours:?} and {theirs:?}"),
            }
        }
    }
    assert!(
        found >= 80 && none >= 10 && skipped >= 20 && turned >= 20,
        "{found} {none} {skipped} {turned}"
    );
}

#[test]
fn the_referee_scores_random_cuts_as_the_equations_do() {
    let mut draw = Draw::new(15);
    for round in 0..cases(300) {
        let made = sizes(&mut draw, Make::ALL[round % Make::ALL.len()]);
        let (tiers, blocks) = (made.capacity.len(), made.m.len());
        let hops: Vec<f64> = (1..tiers).map(|_| draw.between(0.0, 1.0)).collect();
        let problem = made.problem().with_empty_tiers(true).with_hops(&hops);
        let mut cuts: TierCuts = (1..tiers).map(|_| draw.whole(0, blocks)).collect();
        cuts.sort_unstable();
        let scored = score(&problem.expect("valid"), &cuts).expect("cuts of the problem");
        let (mut largest, mut sum) = (0.0_f64, 0.0);
        for tier in 0..tiers {
            let start = if tier == 0 { 0 } else { cuts[tier - 1] };
            let held = start..cuts.get(tier).copied().unwrap_or(blocks);
            let work = &made.f[if made.f.len() == 1 { 0 } else { tier }];
            let mut load: f64 = held.clone().map(|i| work[i] / made.c[tier]).sum();
            if !held.is_empty() {
                load += made.fixed[tier];
            }
            let need: f64 = held.clone().map(|i| made.m[i]).sum();
            assert_eq!(scored.counts[tier], held.len());
            assert!((scored.load[tier] - load).abs() <= 1e-9 * load);
            assert_eq!(scored.memory[tier], need);
            assert_eq!(scored.fits[tier], need <= made.capacity[tier] + 1e-9);
            largest = largest.max(load);
            sum += load;
        }
        assert!(close(scored.bottleneck, largest) && close(scored.sum, sum));
        assert!((scored.communication - hops.iter().sum::<f64>()).abs() < 1e-12);
        assert_eq!(scored.mem_ok, scored.fits.iter().all(|fits| *fits));
    }
}
