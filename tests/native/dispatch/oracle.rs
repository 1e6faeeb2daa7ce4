//! The best policies beside a general linear program: a variable for every length, device and wait, no hulls, no order, no
//! prices.

use super::near;
use super::simplex::maximum;
use crate::cases::cases;
use crate::dispatch_made::{SCARCE, by_hand, quantile, small};
use crate::instances::Draw;
use engine::evaluate::dispatch::outcome;
use engine::plan::dispatch::Scarce;
use engine::problem::dispatch::DispatchProblem;
use methods::dispatch::hulls::HullCache;
use methods::dispatch::{devices, optimum, server, tail_cap};

const TO: f64 = 1e-7;

/// The least mean with at most the budget of tokens on each device, and at most `room` requests later than `tau`.
fn program(
    problem: &DispatchProblem,
    scarce: Scarce,
    budgets: &[f64],
    cap: Option<(f64, f64)>,
) -> Option<f64> {
    let (prompts, times) = (problem.prompts(), problem.times());
    let lengths = prompts.lengths();
    let (mut gains, mut costs, mut owners, mut reliefs) = (vec![], vec![], vec![], vec![]);
    let mean_of = |cut: f64| -> f64 {
        let rows = times.values().iter().zip(times.weights());
        rows.map(|(t, w)| t.min(cut) * w).sum::<f64>() / times.total()
    };
    let after = |t: f64| -> f64 {
        let rows = times.values().iter().zip(times.weights());
        rows.filter(|(v, _)| **v > t).map(|(_, w)| w).sum::<f64>() / times.total()
    };
    let tau = cap.map_or(f64::INFINITY, |(tau, _)| tau);
    let (mut mean, mut late) = (0.0, 0.0);
    for (i, length) in lengths.iter().enumerate() {
        let (p, q) = (prompts.p()[i], prompts.q()[i]);
        match scarce {
            Scarce::Device => {
                mean += p * mean_of(f64::INFINITY);
                late += p * after(tau);
                for (m, device) in problem.devices().iter().enumerate().take(budgets.len()) {
                    let d = device.first_token(*length);
                    for wait in times.values().iter().copied().chain([0.0]) {
                        gains.push(p * (mean_of(f64::INFINITY) - mean_of(wait + d)));
                        costs.push((m, q * after(wait)));
                        owners.push(i);
                        let meets = wait + d <= tau;
                        reliefs.push(if meets { p * after(tau) } else { 0.0 });
                    }
                }
            }
            Scarce::Server => {
                let d = problem.devices()[0].first_token(*length);
                mean += p * d;
                gains.push(p * (d - mean_of(d)));
                costs.push((0, q));
                owners.push(i);
                let is_late = d > tau;
                late += if is_late { p } else { 0.0 };
                reliefs.push(if is_late { p * (1.0 - after(tau)) } else { 0.0 });
            }
        }
    }
    let mut a: Vec<Vec<f64>> = Vec::new();
    let mut b: Vec<f64> = Vec::new();
    for (m, budget) in budgets.iter().enumerate() {
        let cost = |(device, cost): &(usize, f64)| if *device == m { *cost } else { 0.0 };
        a.push(costs.iter().map(cost).collect());
        b.push(*budget);
    }
    for i in 0..lengths.len() {
        let own = |owner: &usize| f64::from(u8::from(*owner == i));
        a.push(owners.iter().map(own).collect());
        b.push(1.0);
    }
    if let Some((_, room)) = cap {
        a.push(reliefs.iter().map(|relief| -relief).collect());
        b.push(room - late);
    }
    maximum(&gains, &a, &b).map(|gain| mean - gain)
}

#[test]
fn the_least_mean_is_that_of_the_general_program() {
    let mut better = 0;
    for seed in 0..cases(600) {
        let case = small(&mut Draw::new(10_000 + seed));
        let problem = case.problem();
        let found = optimum::solve(&problem);
        let wanted = program(&problem, Scarce::Device, &[case.b], None).expect("a policy");
        assert!(
            (found.mean - wanted).abs() < TO,
            "seed {seed}: {} and {wanted}",
            found.mean
        );
        // The referee agrees, the budget holds, and the price proves it.
        let (mean, share, _, _) = by_hand(&problem, &found.policy);
        near(mean, found.mean);
        near(share, found.share);
        assert!(share <= case.b + 1e-9, "seed {seed}");
        let bound = optimum::bound(&problem, 0, found.price);
        assert!(
            bound <= found.mean + 1e-9 && bound > found.mean - 1e-9,
            "seed {seed}"
        );
        for price in [0.0, 0.3 * found.price, 2.0 * found.price + 0.1] {
            assert!(optimum::bound(&problem, 0, price) <= found.mean + 1e-9);
        }
        let random = found.policy.acts.iter().filter(|mixture| mixture.len() > 1);
        assert!(random.count() <= 1, "seed {seed}");
        better += usize::from(found.mean < problem.times().mean() - 1e-6);
    }
    assert!(better > 300, "{better}");
}

#[test]
fn the_budget_that_the_least_mean_spends_is_the_least_that_reaches_it() {
    let mut unspent = 0;
    for seed in 0..cases(300) {
        let case = small(&mut Draw::new(20_000 + seed));
        let problem = case.problem();
        let found = optimum::solve(&problem);
        if found.share < case.b - 1e-6 {
            unspent += 1;
        }
        if found.share > 1e-3 {
            let less = found.share - 1e-4;
            let wanted = program(&problem, Scarce::Device, &[less], None).expect("a policy");
            assert!(wanted > found.mean + 1e-10, "seed {seed}");
        }
    }
    assert!(unspent > 20, "{unspent}");
}

/// Hulls go along from cap to cap and from budget to budget, and come to the same bits as hulls of their own.
#[test]
fn hulls_that_are_kept_change_no_policy() {
    let mut met = 0;
    for seed in 0..cases(200) {
        let mut draw = Draw::new(35_000 + seed);
        let problem = small(&mut draw).problem();
        let values = problem.times().values();
        let mut kept = HullCache::new(&problem);
        for _ in 0..8 {
            let at = problem.with_budget(draw.unit()).expect("a budget");
            let tau = match draw.below(3) {
                0 => tail_cap::least_tail(&at, 0.9).tau,
                1 => draw.between(0.0, 1.2 * values[values.len() - 1]),
                _ => values[draw.below(values.len())],
            };
            let alone = tail_cap::capped(&at, tau, 0.9);
            let found = tail_cap::capped_on(&at, &mut kept, tau, 0.9);
            assert_eq!(found, alone, "seed {seed}, cap {tau}");
            met += u32::from(found.is_some());
        }
    }
    assert!(met > 400, "{met}");
}

#[test]
fn the_least_mean_under_a_cap_is_that_of_the_general_program() {
    let (mut met, mut mixed, mut none) = (0, 0, 0);
    for seed in 0..cases(600) {
        let mut draw = Draw::new(30_000 + seed);
        let case = small(&mut draw);
        let problem = case.problem();
        let u = [0.99, 0.9, 0.75, 0.5][draw.below(4)];
        let least = tail_cap::least_tail(&problem, u);
        let last = problem.times().values()[problem.times().values().len() - 1];
        let tau = match draw.below(3) {
            0 => least.tau,
            1 => draw.between(0.0, last),
            _ => problem.times().values()[draw.below(problem.times().values().len())],
        };
        let room = tail_cap::tail_share(u);
        let wanted = program(&problem, Scarce::Device, &[case.b], Some((tau, room)));
        let found = tail_cap::capped(&problem, tau, u);
        let Some(found) = found else {
            assert!(tau < least.tau, "seed {seed}");
            assert_eq!(
                wanted.filter(|_| tau < least.tau - 1e-9),
                None,
                "seed {seed}"
            );
            none += 1;
            continue;
        };
        assert!(tau >= least.tau, "seed {seed}");
        let wanted = wanted.expect("what was found");
        assert!(
            (found.mean - wanted).abs() < TO,
            "seed {seed}: {} and {wanted}",
            found.mean
        );
        assert!(found.gap() < 1e-9, "seed {seed}: {}", found.gap());
        let (mean, share, _, all) = by_hand(&problem, &found.policy);
        near(mean, found.mean);
        assert!(share <= case.b + 1e-9, "seed {seed}");
        assert!(quantile(&all, u) <= tau, "seed {seed}");
        met += 1;
        mixed += usize::from(found.mean > optimum::solve(&problem).mean + 1e-9);
    }
    assert!(met > 200 && mixed > 25 && none > 60, "{met} {mixed} {none}");
}

#[test]
fn no_policy_has_a_shorter_tail_than_the_least() {
    let mut shorter = 0;
    for seed in 0..cases(400) {
        let mut draw = Draw::new(40_000 + seed);
        let case = small(&mut draw);
        let problem = case.problem();
        let u = [0.99, 0.9, 0.7][draw.below(3)];
        for scarce in SCARCE {
            let least = match scarce {
                Scarce::Device => tail_cap::least_tail(&problem, u),
                Scarce::Server => server::least_tail(&problem, u),
            };
            let found = outcome(&problem, &least.policy, scarce);
            assert_eq!(found.quantile(u), least.tau, "seed {seed}");
            let share = match scarce {
                Scarce::Device => found.device_share,
                Scarce::Server => found.server_share,
            };
            near(share, least.share);
            assert!(share <= case.b + 1e-9, "seed {seed}");
            // Just below it the general program has no policy, and just there it has one.
            let room = tail_cap::tail_share(u);
            let at = |tau: f64| program(&problem, scarce, &[case.b], Some((tau, room)));
            assert!(at(least.tau).is_some(), "seed {seed}");
            assert_eq!(at(least.tau * (1.0 - 1e-9)), None, "seed {seed} {scarce:?}");
            let without = match scarce {
                Scarce::Device => problem.times().values().last().copied(),
                Scarce::Server => problem.first_tokens(0).last().copied(),
            };
            shorter += usize::from(Some(least.tau) < without);
        }
    }
    assert!(shorter > 200, "{shorter}");
}

#[test]
fn where_the_server_is_scarce_the_best_are_those_of_the_general_program() {
    let (mut met, mut better) = (0, 0);
    for seed in 0..cases(2000) {
        let mut draw = Draw::new(50_000 + seed);
        let case = small(&mut draw);
        let problem = case.problem();
        let found = server::solve(&problem);
        let wanted = program(&problem, Scarce::Server, &[case.b], None).expect("a policy");
        assert!(
            (found.mean - wanted).abs() < TO,
            "seed {seed}: {} and {wanted}",
            found.mean
        );
        let (mean, _, share, _) = by_hand(&problem, &found.policy);
        near(mean, found.mean);
        near(share, found.share);
        let bound = server::bound(&problem, found.price);
        assert!(
            bound <= mean + 1e-9 && bound > mean - 1e-9,
            "seed {seed}: {bound} {mean}"
        );
        let u = [0.99, 0.8, 0.5][draw.below(3)];
        let least = server::least_tail(&problem, u).tau;
        let longest = *problem.first_tokens(0).last().expect("a length");
        let tau = least + (longest - least) * [0.0, 0.2, 0.6][draw.below(3)];
        let capped = server::capped(&problem, tau, u).expect("no tail is shorter");
        let cap = Some((tau, tail_cap::tail_share(u)));
        let wanted = program(&problem, Scarce::Server, &[case.b], cap).expect("a policy");
        assert!(
            (capped.mean - wanted).abs() < TO,
            "seed {seed}: {} and {wanted}",
            capped.mean
        );
        assert!(capped.gap() < 1e-9, "seed {seed}");
        let (mean, _, share, all) = by_hand(&problem, &capped.policy);
        near(mean, capped.mean);
        assert!(
            share <= case.b + 1e-9 && quantile(&all, u) <= tau,
            "seed {seed}"
        );
        met += usize::from(capped.mean > found.mean + 1e-9);
        better += usize::from(found.mean < problem_without_server(&problem) - 1e-9);
        assert_eq!(server::capped(&problem, least * (1.0 - 1e-6), u), None);
    }
    assert!(met > 25 && better > 200, "{met} {better}");
}

fn problem_without_server(problem: &DispatchProblem) -> f64 {
    let firsts = problem.first_tokens(0);
    firsts
        .iter()
        .zip(problem.prompts().p())
        .map(|(d, p)| d * p)
        .sum()
}

#[test]
fn several_devices_are_those_of_the_general_program() {
    let mut several = 0;
    for seed in 0..cases(400) {
        let mut draw = Draw::new(60_000 + seed);
        let case = small(&mut draw);
        let problem = case.problem();
        let budgets: Vec<f64> = case.devices.iter().map(|_| draw.unit() * 0.6).collect();
        let found = devices::solve(&problem, &budgets).expect("a budget a device");
        let wanted = program(&problem, Scarce::Device, &budgets, None).expect("a policy");
        assert!(
            (found.mean - wanted).abs() < TO,
            "seed {seed}: {} and {wanted}",
            found.mean
        );
        assert!(found.gap() < 1e-9, "seed {seed}: {}", found.gap());
        let scored = outcome(&problem, &found.policy, Scarce::Device);
        near(scored.mean, found.mean);
        near(scored.device_share, found.shares.iter().sum());
        for (share, budget) in found.shares.iter().zip(&budgets) {
            assert!(*share <= budget + 1e-9, "seed {seed}");
        }
        several += usize::from(found.shares.iter().filter(|share| **share > 1e-6).count() > 1);
        if let [only] = budgets[..] {
            let alone = problem.with_budget(only).expect("a budget");
            near(found.mean, optimum::solve(&alone).mean);
        }
    }
    assert!(several > 80, "{several}");
    let problem = small(&mut Draw::new(1)).problem();
    assert_eq!(devices::solve(&problem, &[]), None);
    assert_eq!(
        devices::solve(&problem, &vec![1.5; problem.devices().len()]),
        None
    );
}

#[test]
fn no_policy_has_a_smaller_mean_of_its_latest() {
    let mut smaller = 0;
    for seed in 0..cases(150) {
        let mut draw = Draw::new(70_000 + seed);
        let case = small(&mut draw);
        let problem = case.problem();
        let u = [0.95, 0.8, 0.5][draw.below(3)];
        let cvar = |policy: &_| {
            let (_, _, _, all) = by_hand(&problem, policy);
            let mut left = 1.0 - u;
            let mut sum = 0.0;
            for (time, share) in all.iter().rev() {
                let part = share.min(left);
                sum += part * time;
                left -= part;
            }
            sum / (1.0 - u)
        };
        let found = tail_cap::least_cvar(&problem, u);
        assert!(
            (cvar(&found.policy) - found.cvar).abs() < 1e-6,
            "seed {seed}"
        );
        let others = [
            optimum::solve(&problem).policy,
            tail_cap::least_tail(&problem, u).policy,
            tail_cap::least_tail(&problem, 0.5 + 0.5 * u).policy,
        ];
        for other in &others {
            assert!(found.cvar <= cvar(other) + 1e-7, "seed {seed}");
            smaller += usize::from(found.cvar < cvar(other) - 1e-6);
        }
    }
    assert!(smaller > 100, "{smaller}");
}
