//! A search that is shared out piece by piece, as a page does it, against the same search in one go.

use crate::cold_families_made::{Family, Member};
use engine::problem::{ColdStart, HeuristicReading};
use engine::scenario::{Model, Scenario, presets};
use engine::solve::{Ended, Limits, NoProgress, StopReason};
use methods::cold_start::search::frontier::LabelFrontier;
use methods::cold_start::search::relax::Prices;
use planner::Status;
use planner::cold_start::{Answer, ColdStartMethod, answer, first};
use planner::cold_start_search::{
    AnytimeSearch, Done, Extended, LevelShare, SearchSubtask, answer_of, done, go_on, next_subtask,
};

fn fleet(name: &str) -> (Scenario, ColdStart) {
    let scenario = presets::scenario_named(name).expect("a random fleet");
    let problem = scenario.problem().expect("random fleets are valid");
    (scenario, problem)
}

fn after(problem: &ColdStart, steps: Option<u64>) -> Answer {
    let limits = Limits {
        steps,
        ..Limits::default()
    };
    let reading = HeuristicReading::Rate;
    answer(
        problem,
        ColdStartMethod::Exact,
        reading,
        &limits,
        &mut NoProgress,
    )
}

/// What a page does, with so many workers; every message goes through text as it would go through a browser's.
fn hunted(
    scenario: &Scenario,
    hunt: &mut AnytimeSearch,
    workers: usize,
    most_pieces: usize,
) -> Ended {
    for at in 0.. {
        if at == most_pieces {
            hunt.stop(StopReason::Cancelled);
        }
        let (next, shares) = match next_subtask(hunt, workers) {
            Ok(next) => next,
            Err(ended) => return ended,
        };
        // An infinite ceiling has no JSON; a browser's messages do.
        let sent: SearchSubtask = match serde_json::to_string(&next) {
            Ok(text) if !text.contains("null") => serde_json::from_str(&text).expect("a piece"),
            _ => next,
        };
        let mut parts: Vec<Done> = (0..shares)
            .map(|at| {
                done(scenario, &sent, LevelShare { at, of: shares }, &mut |_| ())
                    .expect("a piece of its own")
            })
            .collect();
        if let Some(Done::Tuned(tuned)) = parts.first() {
            hunt.tuned((**tuned).clone());
        } else {
            let text = serde_json::to_string(&parts).expect("shares");
            parts = serde_json::from_str(&text).expect("shares");
            let shares: Vec<Extended> = parts
                .iter()
                .map(|part| part.extended().expect("a share"))
                .collect();
            hunt.extended(&shares);
        }
    }
    unreachable!("a search ends")
}

#[test]
fn a_large_fleet_has_a_plan_before_its_search_takes_a_step() {
    let (mut scenario, _) = fleet("random-1-24");
    if let Model::Dimensions(dims) = &mut scenario.model {
        dims.layers = 100.0;
    }
    let problem = scenario.problem().expect("a valid fleet");
    let mut most = 0;
    let known = first(&scenario, &mut |done, _| most = done.max(most)).expect("an answer");
    assert_eq!((known.status, most), (Status::Feasible, 0));
    let total = known.T.expect("a plan");
    assert!(
        known
            .bound
            .is_some_and(|bound| bound > 0.0 && bound <= total)
    );
    let (name, best) = known.baselines.best().expect("a baseline fits");
    assert!(total <= best.objective(), "{name}");
    assert!(go_on(&problem, &known).is_some());
    // A search that is soon at its end is not cut short.
    let (scenario, problem) = fleet("random-7-12");
    let told = first(&scenario, &mut |_, _| ()).expect("an answer");
    assert_eq!(told.status, Status::Optimal);
    assert_eq!(told.T, after(&problem, None).T);
}

#[test]
fn pieces_find_what_the_search_finds_whatever_the_number_of_workers() {
    for name in ["random-7-12", "random-3-14"] {
        let (scenario, problem) = fleet(name);
        let whole = after(&problem, None);
        assert_eq!(whole.status, Status::Optimal, "{name}");
        let first = after(&problem, Some(40));
        assert_eq!(first.status, Status::Feasible, "{name}");
        let mut plans = Vec::new();
        for workers in [1, 2, 5] {
            let mut hunt = go_on(&problem, &first).expect("it can go on");
            let ended = hunted(&scenario, &mut hunt, workers, usize::MAX);
            let found = answer_of(&problem, &first, &hunt, Some(ended));
            assert_eq!(found.status, Status::Optimal, "{name}");
            assert_eq!(
                found.T.map(f64::to_bits),
                whole.T.map(f64::to_bits),
                "{name}"
            );
            assert_eq!(found.bound, found.T, "{name}");
            plans.push(found.plan);
        }
        assert!(
            plans.windows(2).all(|pair| pair[0] == pair[1]),
            "{name}: {plans:?}"
        );
    }
}

#[test]
fn a_search_that_is_ended_keeps_its_plan_and_what_is_proved() {
    let (scenario, problem) = fleet("random-3-14");
    let best = after(&problem, None).T.expect("a plan");
    let first = after(&problem, Some(1));
    let (mut bound, mut total) = (first.bound.expect("a bound"), first.T.expect("a plan"));
    for pieces in [0, 1, 3, 10, 30, 100] {
        let mut hunt = go_on(&problem, &first).expect("it can go on");
        let ended = hunted(&scenario, &mut hunt, 2, pieces);
        let found = answer_of(&problem, &first, &hunt, Some(ended));
        let (now_bound, now_total) = (found.bound.expect("a bound"), found.T.expect("a plan"));
        assert!(
            now_bound >= bound && now_total <= total,
            "{pieces}: {now_bound} {now_total}"
        );
        assert!(
            now_bound <= best && best <= now_total,
            "{pieces}: {now_bound} {now_total}"
        );
        assert_eq!(found.status == Status::Optimal, ended == Ended::Optimal);
        (bound, total) = (now_bound, now_total);
        // And it can be taken up again.
        if found.status != Status::Optimal {
            let mut again = go_on(&problem, &found).expect("it can go on");
            let ended = hunted(&scenario, &mut again, 2, usize::MAX);
            assert_eq!(ended, Ended::Optimal);
            assert_eq!(again.best().map(|(_, total)| *total), Some(best));
        }
    }
}

#[test]
fn an_answer_that_is_proved_is_not_searched_on() {
    let (_, problem) = fleet("random-7-12");
    assert!(go_on(&problem, &after(&problem, None)).is_none());
    let small = Member {
        family: Family::Mixed,
        devices: 5,
        layers: 12,
        identical: false,
        seed: 1,
    };
    assert!(go_on(&small.problem(), &after(&small.problem(), None)).is_none());
}

#[test]
fn a_piece_that_is_not_of_its_problem_is_refused() {
    let (scenario, problem) = fleet("random-7-12");
    let hunt = go_on(&problem, &after(&problem, Some(1))).expect("it can go on");
    let (_, shares) = next_subtask(&hunt, 2).expect("a first piece");
    assert_eq!(shares, 1);
    let of = |labels: LabelFrontier| SearchSubtask::Extend {
        prices: Prices {
            price: vec![1; 12],
            exact: Vec::new(),
        },
        pass_ceiling: 1.0,
        ceiling: 1.0,
        level: labels.to_bytes().into(),
    };
    let mut far = LabelFrontier::first();
    far.done = vec![41];
    let mut crowded = LabelFrontier::first();
    crowded.sets = vec![1 << 12];
    let mut stranger = LabelFrontier::first();
    stranger.last = vec![12];
    let mut hollow = LabelFrontier::first();
    hollow.sets = vec![0, 1];
    hollow.set_ends = vec![0, 1];
    for wrong in [
        of(far),
        of(crowded),
        of(stranger),
        of(hollow),
        SearchSubtask::Tune {
            weights: vec![1.0; 3],
            money: 240.0,
            ceiling: 1.0,
            rounds: 1,
        },
        SearchSubtask::Extend {
            prices: Default::default(),
            pass_ceiling: 1.0,
            ceiling: 1.0,
            level: vec![1, 2, 3].into(),
        },
    ] {
        let fault = done(&scenario, &wrong, LevelShare::ALL, &mut |_| ()).expect_err("refused");
        assert!(
            fault.message.contains("do not belong to its problem"),
            "{fault}"
        );
    }
}
