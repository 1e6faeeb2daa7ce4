//! What has to hold of every problem: budgets, order, domination, and that order and scale of the input do not matter.

use crate::cases::properties;
use crate::dispatch_made::{Case, by_hand, small};
use crate::instances::Draw;
use engine::evaluate::dispatch::outcome;
use engine::plan::dispatch::{Policy, Scarce};
use engine::problem::dispatch::DispatchProblem;
use methods::dispatch::baseline::{RandomPolicy, all_device, all_server, slope, stochastic};
use methods::dispatch::classify::classify;
use methods::dispatch::optimum::{self, GainFrontier};
use methods::dispatch::priced;
use methods::dispatch::threshold::threshold;
use methods::dispatch::waits::{Residual, waits};
use methods::dispatch::{server, tail_cap};
use proptest::prelude::*;

fn case() -> impl Strategy<Value = Case> {
    any::<u64>().prop_map(|seed| small(&mut Draw::new(seed)))
}

fn device_share(problem: &DispatchProblem, policy: &Policy) -> f64 {
    outcome(problem, policy, Scarce::Device).device_share
}

fn mean(problem: &DispatchProblem, policy: &Policy) -> f64 {
    outcome(problem, policy, Scarce::Device).mean
}

/// Infinite where there is none.
fn seconds(wait: Option<f64>) -> f64 {
    wait.unwrap_or(f64::INFINITY)
}

/// Whether one law of times has a first token no later than the other, quantile by quantile.
fn no_later(problem: &DispatchProblem, ours: &Policy, theirs: &Policy) -> bool {
    let [ours, theirs] = [ours, theirs].map(|policy| outcome(problem, policy, Scarce::Device));
    let at = |k: u32| f64::from(k) / 40.0;
    (1..=40).all(|k| ours.quantile(at(k)) <= theirs.quantile(at(k)) + 1e-12)
}

proptest! {
    #![proptest_config(properties(500))]

    #[test]
    fn the_budget_holds_and_the_exact_version_spends_all_of_it(case in case()) {
        let problem = case.problem();
        let found = waits(&problem, Residual::Corrected);
        prop_assert!(device_share(&problem, &found.policy()) <= case.b + 1e-9);
        let (_, share, _, _) = by_hand(&problem, &found.exact());
        prop_assert!((share - case.b).abs() <= 1e-9, "{share} of {}", case.b);
        prop_assert!(device_share(&problem, &slope(&problem).policy()) <= case.b + 1e-9);
    }

    #[test]
    fn waits_never_fall_with_the_length(case in case()) {
        let problem = case.problem();
        let found = waits(&problem, Residual::Corrected);
        let tail = seconds(found.w_tail);
        prop_assert!(found.waits.windows(2).all(|pair| seconds(pair[0]) <= seconds(pair[1])));
        let between = |wait: &&Option<f64>| **wait != Some(0.0) && seconds(**wait) != tail;
        prop_assert!(found.waits.iter().filter(between).count() <= 1);
        prop_assert!(found.waits.iter().all(|wait| seconds(*wait) <= tail));
        let best = priced::solve(&problem).policy;
        let latest = |acts: &Vec<_>| acts.iter().map(|(_, act): &(f64, engine::plan::dispatch::Starts)| {
            act.device.map_or(f64::INFINITY, |(_, wait)| wait)
        }).fold(0.0, f64::max);
        let waits: Vec<f64> = best.acts.iter().map(latest).collect();
        prop_assert!(waits.windows(2).all(|pair| pair[0] <= pair[1]), "{waits:?}");
    }

    #[test]
    fn more_budget_is_more_share_and_no_worse(case in case(), more in 0.0..1.0_f64) {
        let problem = case.problem();
        let richer = problem.with_budget(case.b + (1.0 - case.b) * more).expect("a budget");
        let of = |problem: &DispatchProblem| waits(problem, Residual::Corrected);
        let share = |problem: &DispatchProblem| device_share(problem, &of(problem).policy());
        prop_assert!(share(&richer) >= share(&problem) - 1e-9);
        let best = |problem: &DispatchProblem| optimum::solve(problem).mean;
        prop_assert!(best(&richer) <= best(&problem) + 1e-12);
        let tail = |problem: &DispatchProblem| tail_cap::least_tail(problem, 0.9).tau;
        prop_assert!(tail(&richer) <= tail(&problem));
        let from = |problem: &DispatchProblem| threshold(problem).from.unwrap_or(usize::MAX);
        prop_assert!(from(&richer) <= from(&problem));
    }

    #[test]
    fn at_both_ends_the_policy_is_known(case in case()) {
        let none = Case { b: 0.0, ..case.clone() }.problem();
        let server = outcome(&none, &all_server(&none), Scarce::Device);
        for residual in Residual::ALL {
            let found = outcome(&none, &waits(&none, residual).exact(), Scarce::Device);
            prop_assert_eq!(&found, &server);
        }
        prop_assert_eq!(optimum::solve(&none).mean, none.times().mean());
        let all = Case { b: 1.0, ..case }.problem();
        let race = stochastic(&all, Scarce::Device, RandomPolicy::Additive);
        let race = outcome(&all, &race, Scarce::Device);
        let found = outcome(&all, &waits(&all, Residual::Corrected).policy(), Scarce::Device);
        prop_assert_eq!(&found, &race);
        prop_assert!((optimum::solve(&all).mean - race.mean).abs() < 1e-12);
    }

    #[test]
    fn a_race_is_never_later_than_either_alone(case in case()) {
        let problem = case.problem();
        let found = waits(&problem, Residual::Corrected);
        for policy in [found.policy(), found.exact()] {
            prop_assert!(no_later(&problem, &policy, &all_server(&problem)));
        }
        let found = threshold(&problem);
        for policy in [found.policy(), found.exact()] {
            prop_assert!(no_later(&problem, &policy, &all_device(&problem)));
        }
    }

    #[test]
    fn the_server_gets_what_it_may_and_with_theta_all_of_it(case in case()) {
        let problem = case.problem();
        let found = threshold(&problem);
        let (_, _, share, _) = by_hand(&problem, &found.policy());
        prop_assert!(share <= case.b + 1e-9);
        prop_assert!((share - found.share).abs() <= 1e-9);
        let (_, _, share, _) = by_hand(&problem, &found.exact());
        prop_assert!((share - case.b).abs() <= 1e-9);
    }

    #[test]
    fn chance_spends_the_budget(case in case()) {
        let problem = case.problem();
        for chance in [RandomPolicy::Exclusive, RandomPolicy::Additive] {
            let device = stochastic(&problem, Scarce::Device, chance);
            prop_assert!((by_hand(&problem, &device).1 - case.b).abs() <= 1e-9);
            let server = stochastic(&problem, Scarce::Server, chance);
            prop_assert!((by_hand(&problem, &server).2 - case.b).abs() <= 1e-9);
        }
    }

    #[test]
    fn exactly_one_endpoint_is_scarce(prices in proptest::array::uniform4(0_u8..4)) {
        let [a, b, c, d] = prices.map(f64::from);
        let device = a.min(b) > c.max(d);
        let wanted = if device { Scarce::Device } else { Scarce::Server };
        prop_assert_eq!(classify([a, b], [c, d]), wanted);
        if a == b && b == c && c == d {
            prop_assert_eq!(wanted, Scarce::Server);
        }
    }

    #[test]
    fn no_policy_under_the_budget_has_a_smaller_mean(case in case(), alpha in 0.01..0.99_f64) {
        let problem = case.problem();
        let best = optimum::solve(&problem);
        prop_assert!(best.share <= case.b + 1e-9);
        let other = problem.with_alpha(alpha).expect("an alpha");
        for policy in [
            waits(&problem, Residual::Corrected).exact(),
            waits(&other, Residual::Corrected).exact(),
            waits(&other, Residual::Increment).policy(),
            stochastic(&problem, Scarce::Device, RandomPolicy::Additive),
            slope(&problem).policy(),
        ] {
            prop_assert!(best.mean <= mean(&problem, &policy) + 1e-9);
        }
        let best = server::solve(&problem).mean;
        let found = threshold(&problem).exact();
        let of = |policy: &Policy| outcome(&problem, policy, Scarce::Server).mean;
        prop_assert!(best <= of(&found) + 1e-9);
        if problem.devices()[0].constant == 0.0 {
            prop_assert!((best - of(&found)).abs() < 1e-9, "a threshold is best");
        }
    }

    #[test]
    fn the_goal_is_no_later_than_algorithm_2_in_the_tail_and_no_worse_in_the_mean(case in case()) {
        let problem = case.problem();
        let goal = tail_cap::recommended(&problem).expect("Algorithm 2 keeps its own cap");
        let found = outcome(&problem, &goal.policy, Scarce::Device);
        prop_assert!(found.device_share <= case.b + 1e-9);
        for policy in [
            waits(&problem, Residual::Corrected).policy(),
            waits(&problem, Residual::Corrected).exact(),
        ] {
            let theirs = outcome(&problem, &policy, Scarce::Device);
            prop_assert!(found.p99 <= theirs.p99);
            prop_assert!(found.mean <= theirs.mean + 1e-9 || theirs.p99 > goal.tau);
        }
    }

    #[test]
    fn order_and_scale_of_the_input_do_not_matter(case in case(), seed in any::<u64>()) {
        let mut draw = Draw::new(seed);
        let mut same = case.clone();
        // Every row twice, with half its weight and then all weights eight times; every sample three times.
        same.lengths = [&case.lengths[..], &case.lengths[..]].concat();
        same.lengths.iter_mut().for_each(|row| row.1 *= 4.0);
        same.samples = [&case.samples[..], &case.samples[..], &case.samples[..]].concat();
        draw.shuffle(&mut same.lengths);
        draw.shuffle(&mut same.samples);
        let (problem, same) = (case.problem(), same.problem());
        let (a, b) = (waits(&problem, Residual::Corrected), waits(&same, Residual::Corrected));
        prop_assert_eq!((&a.waits, a.w_tail), (&b.waits, b.w_tail));
        prop_assert_eq!(threshold(&problem).from, threshold(&same).from);
        let (a, b) = (optimum::solve(&problem), optimum::solve(&same));
        prop_assert!((a.mean - b.mean).abs() < 1e-9 && (a.share - b.share).abs() < 1e-9);
    }

    #[test]
    fn the_frontier_is_one_convex_curve_of_all_budgets(case in case()) {
        let problem = case.problem();
        let frontier = GainFrontier::new(&problem, 0);
        let corners: Vec<(f64, f64)> = frontier.corners().collect();
        let slope = |pair: &[(f64, f64)]| (pair[0].1 - pair[1].1) / (pair[1].0 - pair[0].0);
        let slopes: Vec<f64> = corners.windows(2).map(slope).collect();
        prop_assert!(slopes.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-9) + 1e-12));
        for k in 0..=20 {
            let b = f64::from(k) / 20.0;
            let found = frontier.policy(b);
            let scored = outcome(&problem, &found.policy, Scarce::Device);
            prop_assert!((found.mean - scored.mean).abs() < 1e-9);
            prop_assert!((frontier.mean(b) - scored.mean).abs() < 1e-9);
            prop_assert!((found.share - scored.device_share).abs() < 1e-9);
            prop_assert!(scored.device_share <= b + 1e-9);
            let by_price = priced::solve(&problem.with_budget(b).expect("a budget"));
            prop_assert!((by_price.mean - found.mean).abs() < 1e-9);
            let at = problem.with_budget(b).expect("a budget");
            let bound = optimum::bound(&at, 0, by_price.price);
            prop_assert!((bound - found.mean).abs() < 1e-9);
            let scored = outcome(&problem, &by_price.policy, Scarce::Device);
            prop_assert!((scored.mean - found.mean).abs() < 1e-9);
            prop_assert!((scored.device_share - by_price.share).abs() < 1e-9);
        }
        // From few of the times the budget still holds on all of them, and with as many nothing is lost.
        let coarse = GainFrontier::compressed(&problem, 0, 3);
        let found = coarse.policy(case.b);
        let scored = outcome(&problem, &found.policy, Scarce::Device);
        prop_assert!(scored.device_share <= case.b + 1e-9);
        prop_assert!((scored.mean - found.mean).abs() < 1e-9);
        prop_assert!(found.mean >= frontier.mean(case.b) - 1e-9);
        let fine = GainFrontier::compressed(&problem, 0, 100);
        prop_assert!((fine.mean(case.b) - frontier.mean(case.b)).abs() < 1e-9);
    }
}
