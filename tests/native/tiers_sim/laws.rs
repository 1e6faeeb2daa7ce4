//! Laws of every run, as properties of random ones: nothing is busy longer than the run takes, a node does one thing
//! at a time, every pass is served exactly once and in order, memory is never exceeded, a node that is down is not
//! chosen, round robin goes round, and the same seed is the same run.

use super::{run, seeded};
use crate::cases::properties;
use crate::instances::Draw;
use crate::tier_runs::{built, random, task};
use engine::plan::TierOutcome;
use engine::problem::{Mode, Order, Outage, PerOne, Scheduler, TierRun, TierRunNumbers};
use engine::sim::{RecordWindow, TimeSegment};
use engine::solve::{Limits, NoProgress, SearchEvent, StopReason};
use methods::tiers::simulate::{events, metrics, simulate};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// A random run: proptest shrinks the seed and the choice, the rest follows.
fn runs() -> impl Strategy<Value = TierRunNumbers> {
    (any::<u64>(), 0..Mode::ALL.len(), 0..Scheduler::ALL.len()).prop_map(
        |(seed, mode, scheduler)| {
            random(
                &mut Draw::new(seed),
                Mode::ALL[mode],
                Scheduler::ALL[scheduler],
            )
        },
    )
}

/// The segments of each node, batches as one, in the order in which they began.
fn by_node(outcome: &TierOutcome) -> Vec<Vec<TimeSegment>> {
    let count: usize = outcome.nodes.iter().sum();
    let mut nodes: Vec<Vec<TimeSegment>> = vec![Vec::new(); count];
    for segment in &outcome.timeline {
        let list = &mut nodes[segment.resource as usize];
        match list.last() {
            Some(last)
                if last.from == segment.from && last.to == segment.to && last.from < last.to => {}
            _ => list.push(*segment),
        }
    }
    nodes
}

/// The first choice that cannot be right, in words: a task whose node was down at every moment at which it may have
/// been chosen.
///
/// A choice falls when a task reaches a tier or, if it found no node then, when a service ends on the tier or a node
/// comes back; in serial mode a task reaches the first tier at its arrival or when another is done. It falls no later
/// than the first pass begins, but may fall long before: a task waits for a node that others use or hold, and a node
/// that goes down in the meantime works off what it has.
fn chosen_while_down(numbers: &TierRunNumbers, outcome: &TierOutcome) -> Option<String> {
    let problem = built(numbers);
    let tiers = problem.tiers().len();
    let mut first = vec![None; problem.tasks().len() * tiers];
    let mut frees: Vec<Vec<f64>> = vec![Vec::new(); tiers];
    for segment in &outcome.timeline {
        let (tier, _) = outcome.place(segment.resource as usize)?;
        frees[tier].push(segment.to);
        if segment.pass == 0 {
            first[segment.task as usize * tiers + tier] = Some((segment.from, segment.to));
        }
    }
    for outage in &numbers.down {
        frees[outage.tier].push(outage.to);
    }
    if numbers.mode == Mode::Serial {
        frees[0].extend(&outcome.completion);
    }
    for (task, given) in problem.tasks().iter().enumerate() {
        let mut reached = given.arrival;
        for (tier, frees) in frees.iter().enumerate() {
            let (from, to) = first[task * tiers + tier].expect("every task has a first pass");
            let node = outcome.path_of(task)[tier] as usize;
            let down = |at: f64| {
                let of_node = numbers
                    .down
                    .iter()
                    .filter(|o| (o.tier, o.node) == (tier, node));
                of_node.into_iter().any(|o| o.from <= at && at < o.to)
            };
            let later = frees
                .iter()
                .copied()
                .filter(|at| reached <= *at && *at <= from);
            if later.chain([reached]).all(down) {
                return Some(format!(
                    "task {task} reached tier {tier} at {reached}, began at {from} on {node}"
                ));
            }
            if tier + 1 < tiers {
                reached = to
                    + match problem.mode() {
                        Mode::Request => problem.whole_hop(tier, given.out_tokens),
                        _ => problem.hop(tier, 0),
                    };
            }
        }
    }
    None
}

fn passes(problem: &TierRun, task: usize) -> u32 {
    match problem.mode() {
        Mode::Request => 1,
        _ => problem.tasks()[task].out_tokens,
    }
}

proptest! {
    #![proptest_config(properties(300))]

    #[test]
    fn a_node_does_one_thing_at_a_time_and_is_never_busy_longer_than_the_run(numbers in runs()) {
        let outcome = run(&numbers);
        for (node, segments) in by_node(&outcome).iter().enumerate() {
            for pair in segments.windows(2) {
                prop_assert!(pair[0].to <= pair[1].from, "{pair:?}");
            }
            let busy: f64 = segments.iter().map(|s| s.to - s.from).sum();
            prop_assert!((busy - outcome.busy[node]).abs() <= 1e-9, "{busy}, {}", outcome.busy[node]);
            prop_assert!(busy <= outcome.makespan + 1e-9);
        }
        prop_assert!(outcome.utilisation().iter().all(|share| (0.0..=1.0 + 1e-9).contains(share)));
    }

    #[test]
    fn every_pass_is_served_once_on_every_tier_in_order_on_the_node_of_the_task(numbers in runs()) {
        let problem = built(&numbers);
        let outcome = run(&numbers);
        let tiers = problem.tiers().len();
        let mut next = vec![(0_u32, 0_usize, 0.0_f64); problem.tasks().len()]; // pass, tier, not before
        for (state, task) in next.iter_mut().zip(problem.tasks()) {
            state.2 = task.arrival;
        }
        let mut segments = outcome.timeline.clone();
        segments.sort_by(|a, b| (a.task, a.pass).cmp(&(b.task, b.pass)).then(a.resource.cmp(&b.resource)));
        for segment in &segments {
            let task = segment.task as usize;
            let (pass, tier, ready) = next[task];
            let (at, node) = outcome.place(segment.resource as usize).expect("a node");
            prop_assert_eq!((segment.pass, at), (pass, tier));
            prop_assert_eq!(node as u32, outcome.path_of(task)[tier]);
            prop_assert!(segment.from >= ready - 1e-9 && segment.to >= segment.from, "{segment:?} before {ready}");
            let whole = problem.mode() == Mode::Request;
            let tokens = problem.tasks()[task].out_tokens;
            next[task] = if tier + 1 < tiers {
                let hop = if whole { problem.whole_hop(tier, tokens) } else { problem.hop(tier, pass) };
                (pass, tier + 1, segment.to + hop)
            } else {
                let back = if whole { f64::from(tokens) } else { 1.0 } * problem.return_delay();
                (pass + 1, 0, segment.to + back)
            };
        }
        for (task, (pass, tier, end)) in next.into_iter().enumerate() {
            prop_assert_eq!((pass, tier), (passes(&problem, task), 0));
            prop_assert!((end - outcome.completion[task]).abs() <= 1e-9);
            prop_assert!(end - problem.tasks()[task].arrival >= 0.0);
        }
        prop_assert!(outcome.events >= events(&problem));
    }

    #[test]
    fn no_request_is_faster_than_alone_and_figures_are_those_of_the_run(numbers in runs()) {
        let problem = built(&numbers);
        let outcome = run(&numbers);
        let figures = metrics(&problem, &outcome);
        for (task, done) in problem.tasks().iter().zip(&outcome.completion) {
            prop_assert!(done - task.arrival >= problem.alone(task.out_tokens) - 1e-9);
        }
        prop_assert_eq!(figures.latency.mean, outcome.mean_latency);
        prop_assert!(figures.latency.p50 <= figures.latency.p95 && figures.latency.p95 <= figures.latency.p99);
        prop_assert!(figures.latency.p99 <= outcome.makespan + 1e-9);
        for (memory, tier) in figures.memory.iter().zip(problem.tiers()) {
            let most = tier.memory.iter().copied().fold(0.0, f64::max);
            prop_assert!(memory.mean <= memory.peak + 1e-9 && memory.peak <= most + 1e-9);
        }
    }

    #[test]
    fn a_task_alone_in_token_mode_is_alone_in_all_modes(seed in any::<u64>(), tokens in 1..200_u32) {
        let mut draw = Draw::new(seed);
        let mut times = Vec::new();
        let made = random(&mut draw, Mode::Token, Scheduler::HypSched);
        for mode in Mode::ALL {
            let numbers = TierRunNumbers {
                mode,
                batch: 1.0,
                tasks: vec![task(2.0, tokens)],
                down: Vec::new(),
                ..made.clone()
            };
            let expected = built(&numbers).alone(tokens);
            let latency = run(&numbers).mean_latency;
            times.push((latency - expected).abs() <= 1e-9 * expected.max(1.0));
        }
        prop_assert_eq!(times, vec![true; 4]);
    }

    #[test]
    fn memory_is_never_exceeded_and_a_node_that_is_down_is_not_chosen(numbers in runs()) {
        let problem = built(&numbers);
        let outcome = run(&numbers);
        let last = |task: usize, tier: usize| {
            let pass = passes(&problem, task) - 1;
            let of_task = outcome.timeline.iter().filter(|s| s.task as usize == task && s.pass == pass);
            let mut on_tier = of_task.filter(|s| outcome.place(s.resource as usize).is_some_and(|p| p.0 == tier));
            on_tier.next().expect("the last pass was served").to
        };
        for tier in 0..problem.tiers().len() {
            for (node, size) in problem.tiers()[tier].memory.iter().enumerate() {
                // A task holds memory from before its first pass begins to the end of its last one.
                let held: Vec<(f64, f64, f64)> = (0..problem.tasks().len())
                    .filter(|task| outcome.path_of(*task)[tier] as usize == node)
                    .map(|task| {
                        let first = outcome.timeline.iter().find(|s| {
                            s.task as usize == task && outcome.place(s.resource as usize) == Some((tier, node))
                        });
                        (first.expect("a first pass").from, last(task, tier), problem.need(task, tier))
                    })
                    .collect();
                for (from, ..) in &held {
                    let sum: f64 = held.iter().filter(|h| h.0 <= *from && *from < h.1).map(|h| h.2).sum();
                    prop_assert!(sum <= size + 1e-9, "{sum} of {size} at {from} on {tier}, {node}");
                }
            }
        }
        prop_assert_eq!(chosen_while_down(&numbers, &outcome), None);
    }

    #[test]
    fn passes_are_served_in_the_order_in_which_they_reach_a_node(seed in any::<u64>(), scheduler in 0..3_usize) {
        let mut numbers = random(&mut Draw::new(seed), Mode::Token, Scheduler::ALL[scheduler]);
        numbers.order = Order::Fifo;
        numbers.down.clear();
        numbers.tiers.iter_mut().for_each(|tier| tier.memory = None);
        let problem = built(&numbers);
        let outcome = run(&numbers);
        // When a pass reaches its node follows from where it was before.
        let mut reached: Vec<(u32, f64, f64)> = Vec::new(); // node, reached, began
        let mut ready: Vec<f64> = problem.tasks().iter().map(|task| task.arrival).collect();
        let mut segments = outcome.timeline.clone();
        segments.sort_by(|a, b| (a.task, a.pass).cmp(&(b.task, b.pass)).then(a.resource.cmp(&b.resource)));
        for s in &segments {
            let task = s.task as usize;
            reached.push((s.resource, ready[task], s.from));
            let (tier, _) = outcome.place(s.resource as usize).expect("a node");
            ready[task] = s.to
                + if tier + 1 < problem.tiers().len() { problem.hop(tier, s.pass) } else { problem.return_delay() };
        }
        for a in &reached {
            for b in reached.iter().filter(|b| b.0 == a.0 && a.1 < b.1) {
                prop_assert!(a.2 <= b.2, "{a:?} came before {b:?}");
            }
        }
    }

    #[test]
    fn the_same_seed_is_the_same_run_to_the_last_bit(numbers in runs(), seed in any::<u64>()) {
        let (one, two) = (seeded(&numbers, seed), seeded(&numbers, seed));
        prop_assert_eq!(&one, &two);
        if numbers.scheduler != Scheduler::Random {
            prop_assert_eq!(&one, &seeded(&numbers, seed ^ 1));
        }
    }
}

#[test]
fn round_robin_goes_round_and_passes_over_nodes_that_are_down_or_full() {
    let mut numbers = crate::tier_runs::by_hand(Mode::Token);
    numbers.scheduler = Scheduler::RoundRobin;
    numbers.tiers[1].nodes = 3.0;
    numbers.tasks = (0..7).map(|i| task(20.0 * f64::from(i), 2)).collect();
    let nodes = |numbers: &TierRunNumbers| -> Vec<u32> {
        let outcome = run(numbers);
        (0..numbers.tasks.len())
            .map(|task| outcome.path_of(task)[1])
            .collect()
    };
    assert_eq!(nodes(&numbers), [0, 1, 2, 0, 1, 2, 0]);
    numbers.down.push(Outage {
        tier: 1,
        node: 1,
        from: 15.0,
        to: 70.0,
    });
    assert_eq!(nodes(&numbers), [0, 2, 0, 2, 0, 1, 2]);
    numbers.down.clear();
    numbers.tiers[1].memory = Some(PerOne::Each(vec![1.0, 0.0, 1.0]));
    numbers
        .tasks
        .iter_mut()
        .for_each(|task| task.memory = PerOne::Each(vec![0.0, 0.5]));
    assert_eq!(nodes(&numbers), [0, 2, 0, 2, 0, 2, 0]);
}

#[test]
fn a_node_works_off_what_it_has_while_it_is_down_and_may_be_chosen_the_moment_it_is_back() {
    let mut numbers = crate::tier_runs::by_hand(Mode::Token);
    numbers.tiers.truncate(1);
    numbers.hop_prefill.clear();
    numbers.hop_decode.clear();
    let down = |from, to| Outage {
        tier: 0,
        node: 0,
        from,
        to,
    };
    numbers.down = vec![down(0.5, 7.0)];
    let outcome = run(&numbers);
    // A was there before: 1 s, then 0.25 s twice, each after 0.0625 s. B finds the only node down until 7 s.
    assert_eq!(
        outcome.completion,
        [1.6875, 7.0 + 1.0 + 0.0625 + 0.25 + 0.0625]
    );
    numbers.tasks[1].arrival = 7.0;
    assert_eq!(run(&numbers).completion[1], 8.375);
}

/// B is promised the only node of the first tier while A holds it, and gets it when the node has been down for long.
/// A's last pass there takes no time, so nothing in the timeline tells that the node was not idle.
#[test]
fn a_task_that_waits_for_a_held_node_stays_with_it_through_an_outage() {
    let mut numbers = crate::tier_runs::by_hand(Mode::Hold);
    numbers.tiers[0].decode = 0.0;
    numbers.tasks = vec![task(0.0, 2), task(0.5, 2)];
    let whole = run(&numbers);
    let down = |from, to| Outage {
        tier: 0,
        node: 0,
        from,
        to,
    };
    numbers.down = vec![down(1.5, 9.0)];
    let outcome = run(&numbers);
    // A: 0 to 1 s and 1.25 to 2.75 s, again at 2.8125 s and 2.9375 to 3.4375 s. B: 2.8125 to 3.8125 s and 4.0625 to
    // 5.5625 s, again at 5.625 s and 5.75 to 6.25 s.
    assert_eq!(outcome.completion, [3.5, 6.3125]);
    assert_eq!(outcome.completion, whole.completion);
    assert_eq!(chosen_while_down(&numbers, &outcome), None);
    // Had the node been down from the moment at which B reached it, B would have had to wait for its return.
    numbers.down = vec![down(0.5, 9.0)];
    let wrong = chosen_while_down(&numbers, &whole).expect("a choice that cannot be right");
    assert_eq!(wrong, "task 1 reached tier 0 at 0.5, began at 2.8125 on 0");
    let late = run(&numbers);
    assert_eq!(late.completion[0], 3.5);
    assert_eq!(
        late.timeline.iter().find(|s| s.task == 1).map(|s| s.from),
        Some(9.0)
    );
    assert_eq!(chosen_while_down(&numbers, &late), None);
}

#[test]
fn a_listener_receives_the_progress_of_a_run_and_ends_it() {
    let mut numbers = crate::tier_runs::paper(Mode::Token, &[0.0; 400]);
    let problem = built(&numbers);
    let whole = events(&problem);
    let mut heard = Vec::new();
    let mut listen = |event: SearchEvent<'_, ()>| {
        if let SearchEvent::Step { done, of } = event {
            heard.push((done, of));
        }
        ControlFlow::Continue(())
    };
    let none = RecordWindow::none();
    let outcome = simulate(&problem, none, &Limits::default(), &mut listen).expect("it ends");
    assert_eq!(outcome.events, whole);
    assert_eq!(heard.len() as u64, (whole - 1) / 65_536);
    assert!(
        heard
            .iter()
            .all(|(done, of)| *of == Some(whole) && *done < whole)
    );
    let mut stop = |_: SearchEvent<'_, ()>| ControlFlow::Break(());
    assert_eq!(
        simulate(&problem, none, &Limits::default(), &mut stop),
        Err(StopReason::Cancelled)
    );
    let limited = |steps| {
        let limits = Limits {
            steps: Some(steps),
            ..Limits::default()
        };
        simulate::<()>(&problem, none, &limits, &mut NoProgress)
    };
    assert_eq!(limited(whole - 1), Err(StopReason::Steps));
    assert!(limited(whole).is_ok());
    numbers.tasks.truncate(1);
    let few = simulate(&built(&numbers), none, &Limits::default(), &mut stop);
    assert!(few.is_ok(), "too short to hear of");
}

#[test]
fn a_timeline_is_recorded_as_far_as_is_wanted() {
    let numbers = crate::tier_runs::paper(Mode::Token, &[0.0, 1.0]);
    let recorded = |window: RecordWindow| {
        let limits = Limits::default();
        simulate::<()>(&built(&numbers), window, &limits, &mut NoProgress).expect("it ends")
    };
    let all = recorded(RecordWindow::all(10_000));
    assert_eq!((all.timeline.len(), all.left_out), (2 * 128 * 3, 0));
    let few = recorded(RecordWindow::all(10));
    assert_eq!((few.timeline.len(), few.left_out), (10, 2 * 128 * 3 - 10));
    assert_eq!(few.timeline, all.timeline[..10]);
    let part = recorded(RecordWindow {
        from: 2.0,
        to: 3.0,
        most: 10_000,
    });
    assert!(part.timeline.iter().all(|s| s.to >= 2.0 && s.from <= 3.0));
    assert!(!part.timeline.is_empty() && part.timeline.len() < 100);
    assert!(recorded(RecordWindow::none()).timeline.is_empty());
}
