//! The paper's recurrence for a cold start, written down plainly: what a faster program is measured against.

use engine::plan::Pipeline;
use engine::problem::ColdStart;

/// Equations (29)-(31) as they are printed: prefix sums, a scalar loop, and a table of the choices made.
pub fn by_the_recurrence(problem: &ColdStart) -> (f64, Pipeline) {
    let (k, l) = (problem.machines().len(), problem.layers().len());
    let mut weights = vec![0.0; l + 1];
    let mut work = vec![0.0; l + 1];
    for (j, layer) in problem.layers().iter().enumerate() {
        weights[j + 1] = weights[j] + layer.weights.get();
        work[j + 1] = work[j] + layer.work.get();
    }
    let mut widest = vec![vec![0.0_f64; l + 1]; l + 1]; // over layers i + 1 ..= j
    for (i, row) in widest.iter_mut().enumerate() {
        for j in i + 1..=l {
            let output = problem.layers()[j - 1].activation.get();
            row[j] = row[j - 1].max(output);
        }
    }
    let load =
        |i: usize, j: usize, d: usize| (weights[j] - weights[i]) / problem.machines()[d].disk.get();
    let comp =
        |i: usize, j: usize, d: usize| (work[j] - work[i]) / problem.machines()[d].compute.get();
    let fits =
        |i: usize, j: usize, d: usize| problem.fits(d, widest[i][j] + weights[j] - weights[i]);
    let at = |set: usize, j: usize, d: usize| (set * k + d) * (l + 1) + j;
    let mut least = vec![f64::INFINITY; (k << k) * (l + 1)];
    let mut choice = vec![(0_usize, 0_usize); least.len()];
    for set in 1..1_usize << k {
        for d in (0..k).filter(|d| set >> d & 1 == 1) {
            let rest = set & !(1 << d);
            for j in set.count_ones() as usize..=l {
                let here = at(set, j, d);
                if rest == 0 {
                    if fits(0, j, d) {
                        least[here] = load(0, j, d) + comp(0, j, d); // (30)
                    }
                    continue;
                }
                for before in (0..k).filter(|b| rest >> b & 1 == 1) {
                    for i in rest.count_ones() as usize..j {
                        if !fits(i, j, d) {
                            continue;
                        }
                        let output = problem.layers()[i - 1].activation;
                        let start = load(i, j, d).max(least[at(rest, i, before)]);
                        let finish = start + problem.hop(before, d, output).get() + comp(i, j, d);
                        if finish < least[here] {
                            least[here] = finish; // (29)
                            choice[here] = (i, before);
                        }
                    }
                }
            }
        }
    }
    let ends = (1..1_usize << k).flat_map(|set| (0..k).map(move |d| (set, d)));
    let best = ends.min_by(|a, b| least[at(a.0, l, a.1)].total_cmp(&least[at(b.0, l, b.1)])); // (31)
    let (mut set, mut d) = best.expect("there is a device");
    let total = least[at(set, l, d)];
    let mut plan = Pipeline::new();
    let mut last = l;
    loop {
        let (i, before) = choice[at(set, last, d)];
        plan.push((d, i + 1, last).into());
        if i == 0 {
            plan.reverse();
            return (total, plan);
        }
        (set, d, last) = (set & !(1 << d), before, i);
    }
}
