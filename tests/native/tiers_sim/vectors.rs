//! The test vectors that the problem's definition publishes: decisions, a run worked by hand, the paper's network,
//! and the latency of a task that meets nobody.

use super::{close, run};
use crate::tier_runs::{by_hand, network, paper, task};
use engine::problem::{Mode, RunTierNumbers, ScheduleNode, TierRunNumbers, TierSchedule};
use methods::tiers::schedule::decide;

fn node(running: f64, queued: &[f64]) -> ScheduleNode {
    ScheduleNode {
        capacity: 10.0,
        memory: 1.0,
        available: true,
        running,
        queued: queued.to_vec(),
    }
}

fn decision(nodes: Vec<ScheduleNode>, need: f64) -> (Option<usize>, Option<f64>) {
    let problem = TierSchedule::new(nodes, 30.0, need, 2.5).expect("a valid decision");
    let made = decide(&problem);
    (made.node, made.completion)
}

#[test]
fn a_task_goes_to_the_node_that_would_finish_it_first() {
    let nodes = || vec![node(5.0, &[20.0]), node(12.0, &[]), node(1.0, &[9.0, 9.0])];
    let (chosen, completion) = decision(nodes(), 0.0);
    assert_eq!(chosen, Some(1));
    assert!(close(completion.expect("a time"), 6.7));
    let tie = vec![node(10.0, &[20.0]), node(30.0, &[])];
    assert_eq!(decision(tie, 0.0).0, Some(0));
    let hair = vec![node(10.0, &[20.000_000_001]), node(30.0, &[])];
    assert_eq!(
        decision(hair, 0.0).0,
        Some(0),
        "within a billionth of a second"
    );

    let mut some = nodes();
    some[1].available = false;
    assert_eq!(decision(some.clone(), 0.0).0, Some(2));
    some[2].memory = 0.5;
    assert_eq!(
        decision(some.clone(), 1.0 + 1e-9).0,
        Some(0),
        "full to the brim"
    );
    some[0].memory = 0.5;
    assert_eq!(decision(some, 1.0), (None, None));
}

#[test]
fn two_tasks_on_three_nodes_run_as_worked_by_hand() {
    let token = run(&by_hand(Mode::Token));
    assert_eq!(token.completion, [4.6875, 4.9375]);
    assert_eq!(token.first_token, Some(vec![2.8125, 3.8125]));
    assert_eq!(
        (token.path_of(0), token.path_of(1)),
        (&[0, 0][..], &[0, 1][..])
    );
    let spans = |task: u32| -> Vec<(u32, f64, f64)> {
        let of_task = token.timeline.iter().filter(|s| s.task == task);
        of_task.map(|s| (s.resource, s.from, s.to)).collect()
    };
    assert_eq!(
        spans(0),
        [
            (0, 0.0, 1.0),
            (1, 1.25, 2.75),
            (0, 2.8125, 3.0625),
            (1, 3.1875, 3.6875),
            (0, 3.75, 4.0),
            (1, 4.125, 4.625),
        ]
    );
    assert_eq!(
        spans(1),
        [
            (0, 1.0, 2.0),
            (2, 2.25, 3.75),
            (0, 4.0, 4.25),
            (2, 4.375, 4.875),
        ]
    );
    assert_eq!(token.busy, [2.75, 2.5, 2.0]);
    assert_eq!((token.makespan, token.mean_latency), (4.9375, 4.5625));
    assert_eq!(token.events, 20, "five passes over two tiers");
    for (mode, completion) in [
        (Mode::Hold, [4.6875, 7.75]),
        (Mode::Request, [4.6875, 5.25]),
        (Mode::Serial, [4.6875, 8.4375]),
    ] {
        let outcome = run(&by_hand(mode));
        assert_eq!(outcome.completion, completion, "{mode:?}");
        assert_eq!(outcome.first_token.is_none(), mode == Mode::Request);
    }
}

#[test]
fn one_request_takes_what_the_stages_and_transfers_take() {
    let llama = run(&paper(Mode::Token, &[0.0]));
    assert!(
        (llama.mean_latency - 24.3484).abs() < 2e-4,
        "{}",
        llama.mean_latency
    );
    let stages = [
        (3, 116.997, 117.053),
        (3, 144.287, 144.356),
        (2, 113.662, 113.715),
    ];
    let phi = run(&network(Mode::Token, &stages, 5120.0, &[0.0]));
    assert!(
        (phi.mean_latency - 48.0470).abs() < 2e-4,
        "{}",
        phi.mean_latency
    );
    let stages = [
        (3, 58.685, 58.723),
        (3, 64.835, 64.880),
        (2, 69.864, 69.910),
    ];
    let fitted = run(&network(Mode::Token, &stages, 4096.0, &[0.0]));
    assert!(
        (fitted.mean_latency - 24.79).abs() < 5e-3,
        "{}",
        fitted.mean_latency
    );
}

#[test]
fn a_task_that_never_waits_takes_the_same_time_in_every_mode() {
    for tokens in [1, 5, 128] {
        for mode in Mode::ALL {
            let mut numbers = paper(mode, &[]);
            numbers.return_delay = 0.003;
            numbers.tasks = vec![task(1.5, tokens)];
            let stages = [(53.491, 53.523), (63.938, 63.977), (72.489, 72.527)];
            let decodes = f64::from(tokens) - 1.0;
            let work = stages.map(|(a, b)| (a + decodes * b) / 1000.0);
            let hops = 2.0 * (0.004_194_304 + decodes * 0.000_065_536);
            let expected = work.iter().sum::<f64>() + hops + f64::from(tokens) * 0.003;
            let outcome = run(&numbers);
            assert!(
                close(outcome.mean_latency, expected),
                "{mode:?}, {tokens} tokens"
            );
            assert!(close(
                crate::tier_runs::built(&numbers).alone(tokens),
                expected
            ));
        }
    }
}

#[test]
fn decode_passes_may_grow_and_nodes_may_differ() {
    let numbers = |mode: Mode| TierRunNumbers {
        tiers: vec![RunTierNumbers {
            slope: 0.125,
            speed: Some(vec![1.0, 2.0]),
            ..RunTierNumbers::plain(2, 1.0, 0.5)
        }],
        hop_prefill: Vec::new(),
        hop_decode: Vec::new(),
        tasks: vec![task(0.0, 4)],
        ..by_hand(mode)
    };
    // 1 + 0.5 + 0.625 + 0.75 at double speed, and the way back after each of four passes.
    for mode in Mode::ALL {
        let outcome = run(&numbers(mode));
        assert_eq!(outcome.completion, [1.4375 + 0.25], "{mode:?}");
        assert_eq!(outcome.path, [1], "{mode:?}: the faster node");
    }
}
