//! Trials over seeds: what they hear, how they end, what they refuse; and what batches cost when arithmetic, not memory,
//! is the limit.

use crate::tier_runs::{network, paper, task};
use engine::problem::{Mode, PerOne, TierRunNumbers};
use engine::solve::{SearchEvent, StopReason};
use methods::tiers::simulate::events;
use methods::tiers::trials::{Failed, LoadSearch, Workload, compare, quiet, trials};
use std::ops::ControlFlow;

fn load() -> Workload {
    Workload {
        rate: 0.2,
        tasks: 30,
        out_tokens: 128,
        memory: PerOne::All(0.0),
    }
}

#[test]
fn a_trial_is_the_run_of_its_seed() {
    let network = paper(Mode::Token, &[]);
    let both = quiet(&network, &load(), &[4, 9]).expect("a network");
    for (at, seed) in [4, 9].into_iter().enumerate() {
        let tasks = load().draw(seed).expect("a load");
        let outcome = super::run(&TierRunNumbers {
            tasks,
            ..network.clone()
        });
        assert_eq!(both.runs[at].latency.mean, outcome.mean_latency);
    }
    let mean = (both.runs[0].latency.mean + both.runs[1].latency.mean) / 2.0;
    assert!((both.latency.mean - mean).abs() <= 1e-12 * mean);
    assert!(both.latency.confidence.is_some_and(|half| half > 0.0));
    let longer = Workload {
        tasks: 60,
        ..load()
    };
    assert_eq!(
        longer.draw(4).expect("a load")[..30],
        load().draw(4).expect("a load")
    );
}

#[test]
fn a_listener_receives_all_runs_as_one_and_ends_them() {
    let network = paper(Mode::Token, &[]);
    let each = events(&load().run_of(&network, 1).expect("a network"));
    let mut last = 0;
    let mut listen = |event: SearchEvent<'_, ()>| {
        if let SearchEvent::Step { done, of } = event {
            assert!(done > last && of.is_none_or(|of| done <= of));
            last = done;
        }
        ControlFlow::Continue(())
    };
    trials(&network, &load(), &[1, 2, 3], &mut listen).expect("a network");
    assert_eq!(last, 3 * each);
    let mut heard = 0;
    let mut stop = |_: SearchEvent<'_, ()>| {
        heard += 1;
        if heard == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let ended = trials(&network, &load(), &[1, 2, 3], &mut stop);
    assert_eq!(ended, Err(Failed::Stopped(StopReason::Cancelled)));
    let mut whole = None;
    let mut seen = 0;
    let mut listen = |event: SearchEvent<'_, ()>| {
        if let SearchEvent::Step { done, of } = event {
            (seen, whole) = (done, of);
        }
        ControlFlow::Continue(())
    };
    let networks = vec![network; 5];
    let halving = LoadSearch::Halving { keep: 2 };
    compare(&networks, &load(), &[1, 2], halving, &mut listen).expect("networks");
    let expected = whole.expect("it is known beforehand");
    assert!(
        seen <= expected && seen as f64 >= 0.95 * expected as f64,
        "{seen} of {expected}"
    );
}

#[test]
fn invalid_trials_are_refused() {
    let network = paper(Mode::Token, &[]);
    let deaf = &mut engine::solve::NoProgress;
    assert_eq!(quiet(&network, &load(), &[]), Err(Failed::Nothing));
    assert_eq!(
        compare(&[], &load(), &[1], LoadSearch::All, deaf),
        Err(Failed::Nothing)
    );
    let path = |load: Workload| match quiet(&network, &load, &[1]) {
        Err(Failed::Invalid(fault)) => fault.path,
        other => panic!("{other:?}"),
    };
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(path(Workload { rate, ..load() }), "rate");
    }
    for tasks in [0, 1_000_001] {
        assert_eq!(path(Workload { tasks, ..load() }), "tasks");
    }
    let none = Workload {
        out_tokens: 0,
        ..load()
    };
    assert_eq!(path(none), "tasks[0].out_tokens");
}

#[test]
fn a_batch_takes_as_long_as_its_longest_pass_and_its_caches_but_no_less_than_its_arithmetic() {
    let mut numbers = network(Mode::Token, &[(1, 1000.0, 500.0)], 0.0, &[]);
    numbers.batch = 2.0;
    numbers.tiers[0].batch_inc = 0.25;
    numbers.tasks = vec![task(0.0, 2), task(0.0, 2), task(0.0, 2)];
    // Three prefills alone, each followed in line by the decode pass of the one before: 3 s, then A and B share
    // 0.5 + 0.25 s, then C has its 0.5 s.
    let outcome = super::run(&numbers);
    assert_eq!(outcome.completion, [3.75, 3.75, 4.25]);
    assert_eq!((outcome.busy[0], outcome.events), (4.25, 12));
    numbers.tiers[0].batch_compute = 0.5;
    assert_eq!(super::run(&numbers).completion, [4.0, 4.0, 4.5]);
    numbers.batch = 1.0;
    assert_eq!(super::run(&numbers).completion, [3.5, 4.0, 4.5]);
}
