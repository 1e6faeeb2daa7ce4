//! Placements of several intervals together, from a forecast of their resources.
//!
//! Source: the paper leaves looking ahead to future work. Ours: of every interval the best placements are kept, those met
//! by the exact search both from the placement that the myopic choice leaves behind and from nowhere; the cheapest path
//! through them, moves included, is the plan. Staying put is among the candidates, and so is the myopic path, so the plan
//! is never worse than it on the forecast. It is no optimum: placements outside the pool are never considered.
//!
//! Complexity: two exact searches an interval, and O(H P (P + H h)) for H intervals and a pool of P <= 2 H keep + 1.

use super::exact::HeadSolver;
use engine::evaluate::heads::score;
use engine::plan::Placement;
use engine::problem::heads::HeadPlacement;

/// A plan for several intervals.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// A placement an interval.
    pub placements: Vec<Placement>,
    /// The sum of their objectives, each coming from the one before [s].
    pub value: f64,
    /// Cost of the myopic choices; infinite where they lead to an interval without a placement [s].
    pub myopic: f64,
}

/// The cheapest path through the candidates of `problems`: intervals in order, of which the first says what was in force
/// before; what the others say about that is ignored. `None` when no path keeps to the memory of every interval.
#[must_use]
pub fn horizon(problems: &[HeadPlacement], keep: usize, solver: &mut HeadSolver) -> Option<Path> {
    let first = problems.first()?;
    let mut pool: Vec<Placement> = Vec::new();
    let mut add = |placement: &Placement| {
        if !pool.contains(placement) {
            pool.push(placement.clone());
        }
    };
    if let Some(prev) = first.prev() {
        add(&prev.to_vec());
    }
    let mut myopic: Option<Vec<Placement>> = Some(Vec::with_capacity(problems.len()));
    for (at, problem) in problems.iter().enumerate() {
        let before = match (&myopic, at) {
            (_, 0) => first.prev().map(<[usize]>::to_vec),
            (Some(path), _) => path.last().cloned(),
            (None, _) => None,
        };
        let here = problem.clone().with_prev(before).ok()?;
        let found = solver.solve_many(&here, keep);
        found.iter().for_each(|found| add(&found.placement));
        match (found.first(), &mut myopic) {
            (Some(best), Some(path)) => path.push(best.placement.clone()),
            _ => myopic = None,
        }
        if here.prev().is_some() {
            let nowhere = here.with_prev(None).ok()?;
            let found = solver.solve_many(&nowhere, keep);
            found.iter().for_each(|found| add(&found.placement));
        }
    }
    let myopic = myopic.map(|path| (value(problems, &path), path));
    let path = cheapest(problems, &pool).map(|path| (value(problems, &path), path));
    let myopic_value = myopic.as_ref().map_or(f64::INFINITY, |(value, _)| *value);
    let better = match (path, myopic) {
        (Some(path), Some(myopic)) if myopic.0 <= path.0 => Some(myopic),
        (path, myopic) => path.or(myopic),
    };
    let (value, placements) = better.filter(|(value, _)| value.is_finite())?;
    Some(Path {
        placements,
        value,
        myopic: myopic_value,
    })
}

/// The sum of the objectives along a path, as the referee sees it; infinite where it is not feasible.
fn value(problems: &[HeadPlacement], path: &[Placement]) -> f64 {
    let mut before = problems.first().and_then(HeadPlacement::prev);
    let mut sum = 0.0;
    for (problem, placement) in problems.iter().zip(path) {
        let here = problem.clone().with_prev(before.map(<[usize]>::to_vec));
        let scored = here.and_then(|here| score(&here, placement));
        sum += match scored {
            Ok(scored) if scored.feasible => scored.j,
            _ => f64::INFINITY,
        };
        before = Some(placement);
    }
    sum
}

/// The shortest path through as many layers as there are intervals, each with the placements of the pool that fit.
fn cheapest(problems: &[HeadPlacement], pool: &[Placement]) -> Option<Vec<Placement>> {
    let first = problems.first()?;
    let links = first.links();
    let heads = first.heads();
    // What a byte of each kind of block costs on its way: sizes change from interval to interval, ways do not.
    let way = |a: &[usize], b: &[usize]| -> [f64; 3] {
        let each = |block: usize| links.transfer(1.0, a[block], b[block]);
        let all = (0..heads).map(each).sum();
        [all, each(heads), each(heads + 1)]
    };
    let ways: Vec<[f64; 3]> = pool
        .iter()
        .flat_map(|a| pool.iter().map(move |b| way(a, b)))
        .collect();
    let own: Vec<Vec<f64>> = problems
        .iter()
        .map(|problem| {
            let alone = problem.clone().with_prev(None).ok();
            let value = |placement: &Placement| match alone
                .as_ref()
                .map(|problem| score(problem, placement))
            {
                Some(Ok(scored)) if scored.feasible => scored.j,
                _ => f64::INFINITY,
            };
            pool.iter().map(value).collect()
        })
        .collect();
    let moving = |problem: &HeadPlacement, way: &[f64; 3]| -> f64 {
        let sizes = problem.before();
        let bytes = [sizes.m_head, sizes.m_proj, sizes.m_ffn];
        way.iter().zip(bytes).map(|(way, bytes)| way * bytes).sum()
    };
    let mut cost: Vec<f64> = match first.prev() {
        None => own[0].clone(),
        Some(prev) => pool
            .iter()
            .zip(&own[0])
            .map(|(to, own)| own + moving(first, &way(prev, to)))
            .collect(),
    };
    let mut from: Vec<Vec<usize>> = Vec::with_capacity(problems.len());
    for (problem, own) in problems.iter().zip(&own).skip(1) {
        let mut next = vec![f64::INFINITY; pool.len()];
        let mut back = vec![0; pool.len()];
        for (b, (next, back)) in next.iter_mut().zip(&mut back).enumerate() {
            if own[b].is_infinite() {
                continue;
            }
            for (a, cost) in cost.iter().enumerate() {
                let there: f64 = cost + moving(problem, &ways[a * pool.len() + b]);
                if there < *next {
                    (*next, *back) = (there, a);
                }
            }
            *next += own[b];
        }
        cost = next;
        from.push(back);
    }
    let mut at = (0..pool.len()).min_by(|a, b| cost[*a].total_cmp(&cost[*b]))?;
    if cost[at].is_infinite() {
        return None;
    }
    let mut path = vec![pool[at].clone()];
    for back in from.iter().rev() {
        at = back[at];
        path.push(pool[at].clone());
    }
    path.reverse();
    Some(path)
}
