//! The simulator against the same written a second time, plainly: hundreds of random runs in every mode, with every
//! scheduler, with memories, outages, unequal nodes, ranks and batches.

use super::seeded;
use crate::instances::Draw;
use crate::tier_reference;
use crate::tier_runs::{built, random};
use engine::problem::{Mode, Scheduler};

#[test]
fn random_runs_are_those_of_the_plain_simulator() {
    let mut draw = Draw::new(51);
    let (mut runs, mut pooled, mut batched, mut ranked, mut out) = (0, 0, 0, 0, 0);
    for round in 0..60_u64 {
        for mode in Mode::ALL {
            for scheduler in Scheduler::ALL {
                let numbers = random(&mut draw, mode, scheduler);
                let what = format!("round {round}: {numbers:?}");
                let fast = seeded(&numbers, round);
                let plain = tier_reference::simulate(&built(&numbers), round);
                for (task, path) in plain.path.iter().enumerate() {
                    let ours: Vec<usize> = fast.path_of(task).iter().map(|k| *k as usize).collect();
                    assert_eq!(&ours, path, "task {task}, {what}");
                }
                let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
                for (ours, theirs) in fast.completion.iter().zip(&plain.completion) {
                    assert!(close(*ours, *theirs), "{ours} and {theirs}, {what}");
                }
                if let Some(first) = &fast.first_token {
                    for (ours, theirs) in first.iter().zip(&plain.first_token) {
                        assert!(close(*ours, *theirs), "{ours} and {theirs}, {what}");
                    }
                }
                for (ours, theirs) in fast.busy.iter().zip(plain.busy.iter().flatten()) {
                    assert!(close(*ours, *theirs), "{ours} and {theirs}, {what}");
                }
                let segments = |list: &mut Vec<(usize, usize, usize, u32, f64, f64)>| {
                    list.sort_by(|a, b| {
                        a.4.total_cmp(&b.4)
                            .then(a.2.cmp(&b.2))
                            .then(a.3.cmp(&b.3))
                            .then(a.0.cmp(&b.0))
                    });
                };
                let mut theirs = plain.segments.clone();
                let mut ours: Vec<_> = fast
                    .timeline
                    .iter()
                    .map(|s| {
                        let (tier, node) = fast.place(s.resource as usize).expect("a node");
                        (tier, node, s.task as usize, s.pass, s.from, s.to)
                    })
                    .collect();
                segments(&mut theirs);
                segments(&mut ours);
                assert_eq!(ours, theirs, "{what}");
                runs += 1;
                pooled += usize::from(plain.pooled > 0);
                batched += usize::from(numbers.batch > 1.0);
                ranked += usize::from(numbers.order == engine::problem::Order::Rank);
                out += usize::from(!numbers.down.is_empty());
            }
        }
    }
    assert_eq!(runs, 720);
    // No class is only believed to be tested.
    assert!(
        pooled >= 100 && batched >= 40 && ranked >= 150 && out >= 250,
        "{pooled} waited for memory or a node, {batched} in batches, {ranked} by rank, {out} with outages"
    );
}
