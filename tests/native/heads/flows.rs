//! The exact placement of many heads against a second solver that knows nothing of sweeps: for every pair of devices for
//! proj and ffn, and for every level that the slowest device may reach, the cheapest flow of heads from scratch.

use super::near;
use crate::cases::cases;
use crate::heads_made::sized;
use crate::instances::Draw;
use engine::evaluate::heads::score;
use methods::heads::costs::HeadCosts;
use methods::heads::exact::HeadSolver;

/// An arc of the network, and back.
struct Arc {
    from: usize,
    to: usize,
    left: usize,
    cost: f64,
}

/// The least cost of `heads` units from node 0 to node 1, along cheapest paths one after another; `None` if they do not
/// fit. Arc `i ^ 1` is the way back of arc `i`.
fn cheapest(nodes: usize, arcs: &mut [Arc], heads: usize) -> Option<f64> {
    let (mut sent, mut spent) = (0, 0.0);
    while sent < heads {
        let mut distance = vec![f64::INFINITY; nodes];
        let mut by = vec![usize::MAX; nodes];
        distance[0] = 0.0;
        for _ in 0..nodes {
            for (at, arc) in arcs.iter().enumerate() {
                let there = distance[arc.from] + arc.cost;
                // Rounding must not go around in circles.
                if arc.left > 0 && there < distance[arc.to] - 1e-12 * there.abs() {
                    distance[arc.to] = there;
                    by[arc.to] = at;
                }
            }
        }
        if distance[1].is_infinite() {
            return None;
        }
        let mut path = Vec::new();
        let mut node = 1;
        while node != 0 {
            path.push(by[node]);
            node = arcs[by[node]].from;
        }
        let most = path.iter().map(|at| arcs[*at].left).min().expect("a path");
        let most = most.min(heads - sent);
        for at in path {
            arcs[at].left -= most;
            arcs[at ^ 1].left += most;
            spent += most as f64 * arcs[at].cost;
        }
        sent += most;
    }
    Some(spent)
}

/// The least value of plain costs.
fn least(costs: &HeadCosts) -> Option<f64> {
    let (devices, sources) = (costs.devices, costs.supply.len());
    let mut least: Option<f64> = None;
    for p in 0..devices {
        let mut levels: Vec<f64> = Vec::new();
        for j in 0..devices {
            levels.extend((1..=costs.heads).map(|heads| costs.stage(p, j, heads)));
        }
        levels.retain(|level| level.is_finite());
        levels.sort_by(f64::total_cmp);
        levels.dedup();
        for f in 0..devices {
            let pair = costs.pair[p * devices + f];
            let fits = |j| costs.use_of(j, 0, p, Some(f)) <= costs.memory[j];
            if !pair.is_finite() || !(0..devices).all(fits) {
                continue;
            }
            for &level in &levels {
                if least.is_some_and(|least| pair + costs.weight * level >= least) {
                    break;
                }
                let mut arcs = Vec::new();
                let mut arc = |from, to, left, cost| {
                    arcs.push(Arc {
                        from,
                        to,
                        left,
                        cost,
                    });
                    arcs.push(Arc {
                        from: to,
                        to: from,
                        left: 0,
                        cost: -cost,
                    });
                };
                for (s, supply) in costs.supply.iter().enumerate() {
                    arc(0, 2 + s, *supply, 0.0);
                    for k in 0..devices {
                        let cost = costs.cost[s * devices + k];
                        if cost.is_finite() {
                            arc(2 + s, 2 + sources + k, *supply, cost);
                        }
                    }
                }
                for k in 0..devices {
                    let room = (0..=costs.heads).rev().find(|heads| {
                        let held = costs.use_of(k, *heads, p, Some(f));
                        let time = costs.stage(p, k, *heads);
                        held <= costs.memory[k] && time <= level
                    });
                    arc(2 + sources + k, 1, room.unwrap_or(0), 0.0);
                }
                if let Some(moves) = cheapest(2 + sources + devices, &mut arcs, costs.heads) {
                    let value = pair + costs.weight * level + moves;
                    if least.is_none_or(|least| value < least) {
                        least = Some(value);
                    }
                }
            }
        }
    }
    least
}

#[test]
fn sweeps_find_what_flows_from_scratch_find() {
    let mut solver = HeadSolver::new();
    let (mut with, mut without, mut none) = (0, 0, 0);
    for seed in 0..cases(100) {
        let mut draw = Draw::new(110_000 + seed);
        let (devices, heads) = (draw.whole(5, 8), draw.whole(8, 20));
        let problem = sized(&mut draw, devices, heads).problem();
        let (found, least) = (solver.solve(&problem), least(&HeadCosts::of(&problem)));
        match (found, least) {
            (Some(found), Some(least)) => {
                near(found.value, least);
                near(
                    score(&problem, &found.placement).expect("a placement").j,
                    least,
                );
                *(if problem.prev().is_some() {
                    &mut with
                } else {
                    &mut without
                }) += 1;
            }
            (None, None) => none += 1,
            (found, least) => panic!("seed {seed}: {found:?} and {least:?}"),
        }
    }
    assert!(
        with > 25 && without > 10 && none > 10,
        "{with} {without} {none}"
    );
}

#[test]
fn the_least_level_of_many_heads_is_in_its_place_among_all() {
    // Without a previous placement the h-th smallest of all T_j(c) is best: found by counting up for few heads, and by
    // halving for many. Rounded times make levels that many share.
    let mut solver = HeadSolver::new();
    let mut plans = 0;
    for seed in 0..cases(150) {
        let mut draw = Draw::new(120_000 + seed);
        let heads = [30, 512, 513, 700][seed as usize % 4];
        let mut case = sized(&mut draw, 4, heads);
        case.interval.prev = None;
        let mut costs = HeadCosts::of(&case.problem());
        if seed % 3 == 0 {
            let times = costs.per_head.iter_mut().chain(&mut costs.start);
            times.for_each(|time| *time = time.round());
        }
        let mut best: Option<f64> = None;
        for (at, pair) in costs.pair.iter().enumerate() {
            let (p, f) = (at / 4, at % 4);
            if (0..4).any(|j| costs.capacity(j, p, Some(f)).is_none()) {
                continue;
            }
            let mut times: Vec<f64> = Vec::new();
            for j in 0..4 {
                let most = costs.capacity(j, p, Some(f)).unwrap_or(0);
                times.extend((1..=most).map(|heads| costs.stage(p, j, heads)));
            }
            times.sort_by(f64::total_cmp);
            let value = times
                .get(heads - 1)
                .map(|level| pair + costs.weight * level);
            if let Some(value) = value.filter(|value| value.is_finite())
                && best.is_none_or(|best| value < best)
            {
                best = Some(value);
            }
        }
        solver.search(&costs, 1, &mut || true);
        let found = solver.results().first();
        assert_eq!(found.map(|found| found.value), best, "seed {seed}");
        if let Some(found) = found {
            assert_eq!(found.heads_on.iter().sum::<usize>(), heads);
            let level = |(j, heads): (usize, &usize)| costs.stage(found.proj, j, *heads);
            let slowest = found
                .heads_on
                .iter()
                .enumerate()
                .map(level)
                .fold(0.0, f64::max);
            let pair = costs.pair[found.proj * 4 + found.ffn];
            assert_eq!(pair + costs.weight * slowest, found.value);
            plans += 1;
        }
    }
    assert!(plans > 60, "{plans}");
}
