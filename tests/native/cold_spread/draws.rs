//! The same draws however they are shared out, and a spread for every scenario that is valid.

use super::{all_on, paper_with_ranges};
use engine::plan::Pipeline;
use engine::problem::Invalid;
use engine::scenario::ranges::Span;
use engine::scenario::{Scenario, presets};
use engine::sim::Draw;
use engine::solve::{Limits, NoProgress};
use planner::cold_start::{ColdStartMethod, answer as solved};
use planner::cold_start_spread::{
    DrawOutcome, DrawResult, SpreadRequest, SpreadResult, answer, spread, spread_requests, sum_up,
    weigh,
};
use std::ops::ControlFlow;

fn plan_of(scenario: &Scenario) -> Option<Pipeline> {
    let problem = scenario.problem().expect("a problem");
    let (exact, limits) = (ColdStartMethod::Exact, Limits::default());
    solved(
        &problem,
        exact,
        scenario.heuristic,
        &limits,
        &mut NoProgress,
    )
    .plan
}

fn drawn(scenario: &Scenario, ask: &SpreadRequest) -> Vec<DrawResult> {
    match answer(scenario, ask, &mut |_, _| ()).expect("an answer") {
        SpreadResult::Drawn(drawn) => drawn,
        SpreadResult::Weighed(_) => panic!("draws were asked for"),
    }
}

/// Whoever waits for all of it.
fn to_the_end(_: u64, _: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn draws(scenario: &Scenario, plan: &Pipeline, from: u32, to: u32) -> Vec<DrawResult> {
    let ask = SpreadRequest::Draws {
        plan: plan.clone(),
        seed: 3,
        from,
        to,
    };
    drawn(scenario, &ask)
}

#[test]
fn pieces_in_any_order_make_the_same_spread_to_the_last_bit() {
    let scenario = paper_with_ranges();
    let plan = plan_of(&scenario).expect("a plan");
    let whole = spread(&scenario, &plan, (130, 3), &mut to_the_end).expect("ranges");
    assert_eq!(
        (whole.draws, whole.corners, whole.inputs.len()),
        (130, 64, 6)
    );

    // By hand, in pieces of other sizes, the last first.
    let mut parts: Vec<Option<DrawResult>> = vec![None; 130];
    for (from, to) in [(99_u32, 130_u32), (0, 7), (7, 8), (8, 99)] {
        for (at, found) in draws(&scenario, &plan, from, to).into_iter().enumerate() {
            parts[from as usize + at] = Some(found);
        }
    }
    let mut corners: Vec<Option<DrawResult>> = vec![None; 64];
    for (from, to) in [(33_u32, 64_u32), (0, 33)] {
        let ask = SpreadRequest::Corners {
            plan: plan.clone(),
            from,
            to,
        };
        for (at, found) in drawn(&scenario, &ask).into_iter().enumerate() {
            corners[from as usize + at] = Some(found);
        }
    }
    let known: Vec<&DrawResult> = parts.iter().flatten().collect();
    let ends: Vec<&DrawResult> = corners.iter().flatten().collect();
    let told = answer(&scenario, &weigh(&plan, 3, &known, &ends), &mut |_, _| ());
    let Ok(SpreadResult::Weighed(weighed)) = told else {
        panic!("plans were to be weighed");
    };
    let again = sum_up(&scenario, &plan, 3, &parts, &corners, Some(&weighed)).expect("a spread");
    assert_eq!(again, whole);

    // Whoever ends it gets the draws solved by then, and no corner unless it has all of them.
    let until = |last: u64| {
        let mut heard = |done: u64, all: u64| {
            assert_eq!(all, 130 + 64 + 1);
            match done < last {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        spread(&scenario, &plan, (130, 3), &mut heard).expect("ranges")
    };
    let fewer = spread(&scenario, &plan, (60, 3), &mut to_the_end).expect("ranges");
    let cut = until(60);
    assert_eq!((cut.draws, cut.corners), (60, 0));
    assert_eq!(
        (cut.stays, cut.mean_regret, &cut.best_times),
        (fewer.stays, fewer.mean_regret, &fewer.best_times)
    );
    let cut = until(150);
    assert_eq!((cut.draws, cut.corners), (130, 0));
    assert_eq!(until(194), whole);

    // Another seed, other draws; more draws begin with the same.
    let other = spread(&scenario, &plan, (130, 4), &mut to_the_end).expect("ranges");
    assert_ne!(other.mean_regret, whole.mean_regret);
    assert_eq!(
        draws(&scenario, &plan, 0, 90)[..60],
        draws(&scenario, &plan, 0, 60)[..]
    );

    // What is known half way is a spread as well, without what needs all of it.
    parts[50..].iter_mut().for_each(|part| *part = None);
    let half = sum_up(&scenario, &plan, 3, &parts, &[], None).expect("a spread");
    assert_eq!((half.draws, half.corners, half.is_weighed), (50, 0, false));
    assert!(half.most_worth().is_none() && half.time_at(0.5).is_some());
}

#[test]
fn requests_cover_every_draw_and_corner_once() {
    let scenario = paper_with_ranges();
    let plan = all_on(0, 40);
    let (mut draws, mut corners) = (vec![0; 130], vec![0; 64]);
    for ask in spread_requests(&scenario, &plan, 130, 0) {
        match ask {
            SpreadRequest::Draws { from, to, .. } => {
                (from..to).for_each(|at| draws[at as usize] += 1)
            }
            SpreadRequest::Corners { from, to, .. } => {
                (from..to).for_each(|at| corners[at as usize] += 1)
            }
            SpreadRequest::Weigh { .. } => panic!("nothing is known yet"),
        }
    }
    assert!(draws.iter().chain(&corners).all(|count| *count == 1));
}

#[test]
fn no_plan_of_a_draw_is_slower_than_the_one_on_show_and_corners_hold_all_times() {
    let scenario = paper_with_ranges();
    let plan = plan_of(&scenario).expect("a plan");
    let found = spread(&scenario, &plan, (100, 0), &mut to_the_end).expect("ranges");
    for drawn in draws(&scenario, &plan, 0, 100) {
        let (DrawOutcome::Fits(ours), Some(best)) = (drawn.ours, &drawn.best) else {
            panic!("memory carries no range here");
        };
        assert!(best.proved && best.time <= ours * (1.0 + 1e-12));
    }
    // Time never falls as disks, compute and rates do, so no draw is outside the corners.
    let (least, most) = found.corner_times.expect("corners");
    assert!(
        found
            .times
            .iter()
            .all(|time| *time >= least && *time <= most)
    );
    assert!(found.at_values > least && found.at_values < most);
    // Every number is worth at most what knowing all of them is.
    let all = found
        .plans
        .iter()
        .filter_map(|plan| plan.mean)
        .fold(f64::INFINITY, f64::min);
    let best = found.best_times.iter().sum::<f64>() / found.best_times.len() as f64;
    for input in &found.inputs {
        let worth = input.worth.expect("plans that fit");
        assert!(worth.mean < all - best + 0.02, "{worth:?}");
    }
    let shares: f64 = found.inputs.iter().filter_map(|input| input.share).sum();
    assert!(shares <= 1.02, "{shares}");
}

#[test]
fn asks_that_make_no_sense_are_refused() {
    let scenario = paper_with_ranges();
    let plan = all_on(1, 40);
    let refused = |scenario: &Scenario, ask: &SpreadRequest| -> Invalid {
        answer(scenario, ask, &mut |_, _| ()).expect_err("it makes no sense")
    };
    let ask = |plan: &Pipeline, from, to| SpreadRequest::Draws {
        plan: plan.clone(),
        seed: 0,
        from,
        to,
    };
    assert_eq!(refused(&presets::paper(), &ask(&plan, 0, 9)).path, "ranges");
    assert_eq!(refused(&scenario, &ask(&plan, 5, 4)).path, "draws");
    assert_eq!(refused(&scenario, &ask(&plan, 0, u32::MAX)).path, "draws");
    assert_eq!(
        refused(&scenario, &ask(&all_on(9, 40), 0, 9)).path,
        "plan[0]"
    );
    assert_eq!(
        refused(&scenario, &ask(&all_on(0, 39), 0, 9)).path,
        "plan[0]"
    );
    assert_eq!(refused(&scenario, &ask(&Vec::new(), 0, 9)).path, "plan");
    let corners = SpreadRequest::Corners {
        plan: plan.clone(),
        from: 0,
        to: 65,
    };
    assert_eq!(refused(&scenario, &corners).path, "draws");
    let weigh = |plans: Vec<Pipeline>, draws| SpreadRequest::Weigh {
        plans,
        seed: 0,
        draws: vec![None; draws],
        corners: Vec::new(),
    };
    assert_eq!(refused(&scenario, &weigh(Vec::new(), 0)).path, "plans");
    assert_eq!(
        refused(&scenario, &weigh(vec![plan; 2], 2001)).path,
        "plans"
    );
}

#[test]
fn random_fleets_with_random_ranges_have_a_spread() {
    let mut counts = [0; 3];
    for seed in 0..24_u64 {
        let mut draw = Draw::new(seed, 9);
        let devices = 1 + draw.integer_below(5);
        let name = format!("random-{seed}-{devices}");
        let mut scenario = presets::scenario_named(&name).expect("a random fleet");
        for input in scenario.inputs() {
            if draw.unit() < 0.12 || input.place.key == "prompt_tokens" {
                let wide = [1.0, 10.0, 60.0, 99.0][draw.integer_below(4)];
                let span = Span::about(input.place.field(), input.value, wide);
                scenario.set_span(&input.place, Some(span));
            }
        }
        scenario
            .validate()
            .unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let Some(plan) = plan_of(&scenario) else {
            counts[2] += 1;
            continue;
        };
        let found = spread(&scenario, &plan, (50, seed as u32), &mut to_the_end).expect("a spread");
        let count = found.stays + found.unfit + found.broken;
        assert!(
            count <= 50 && found.draws == 50 && found.stays <= 50,
            "{name}"
        );
        assert_eq!(found.inputs.len(), scenario.spanned().len());
        assert!(
            found.times.windows(2).all(|pair| pair[0] <= pair[1]),
            "{name}"
        );
        assert!(
            found
                .worst
                .as_ref()
                .is_none_or(|w| w.regret >= 0.0 && w.regret.is_finite())
        );
        let shares = found.inputs.iter().filter_map(|input| input.share);
        assert!(shares.into_iter().all(|share| (0.0..=1.0).contains(&share)));
        let sum: usize = found.plans.iter().map(|plan| plan.best_in).sum();
        assert!(sum <= 50 && found.plans[0].plan == plan, "{name}");
        counts[usize::from(found.unfit > 0)] += 1;
        // Its words are words.
        let problem = scenario.problem().expect("a problem");
        let text = presenters::cold_start::spread::text(&scenario, &problem, &found);
        assert!(!text.contains("NaN") && !text.contains("inf "), "{text}");
    }
    assert!(counts[0] > 5 && counts[0] + counts[1] > 12, "{counts:?}");
}

#[test]
fn draws_a_second() {
    // A figure to look at, no promise.
    let scenario = paper_with_ranges();
    let plan = plan_of(&scenario).expect("a plan");
    let begun = std::time::Instant::now();
    spread(&scenario, &plan, (1000, 0), &mut to_the_end).expect("ranges");
    let rate = 1064.0 / begun.elapsed().as_secs_f64();
    println!("{rate:.0} solved draws a second, with the plans weighed");
}
