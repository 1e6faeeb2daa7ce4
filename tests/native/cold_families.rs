//! The families of cold-start problems that benches and other solvers work on are what their description says, and the
//! same every time.

use crate::cold_families_made::{Family, Member};
use engine::problem::{ColdStart, HeuristicReading};
use engine::solve::{Ended, Limits, NoProgress};
use methods::cold_start::solve;
use planner::problem_file::cold_start as file;

fn members() -> Vec<Member> {
    let shapes = [(3, 1), (4, 12), (12, 60), (20, 100)];
    let mut members = Vec::new();
    for family in Family::ALL {
        for (devices, layers) in shapes {
            for identical in [false, true] {
                members.extend((1..=5).map(|seed| Member {
                    family,
                    devices,
                    layers,
                    identical,
                    seed,
                }));
            }
        }
    }
    members
}

fn close(value: f64, to: f64) -> bool {
    (value - to).abs() <= 1e-9 * to
}

#[test]
fn families_have_the_balance_and_the_ranges_that_are_said() {
    for member in members() {
        let problem = member.problem();
        let (layers, machines) = (problem.layers(), problem.machines());
        let (count, size) = (machines.len() as f64, layers.len() as f64);
        assert_eq!(
            (machines.len(), layers.len()),
            (member.devices, member.layers)
        );
        let weights: f64 = layers.iter().map(|layer| layer.weights.get()).sum();
        let work: f64 = layers.iter().map(|layer| layer.work.get()).sum();
        let outputs: f64 = layers.iter().map(|layer| layer.activation.get()).sum();
        let memory: f64 = machines.iter().map(|machine| machine.memory.get()).sum();
        let disks: f64 = machines.iter().map(|machine| machine.disk.get()).sum();
        let compute: f64 = machines.iter().map(|m| m.compute.get()).sum();
        let rates: f64 = machines.iter().map(|m| m.up.get() + m.down.get()).sum();

        let load = weights / disks;
        let (computing, hop) = match member.family {
            Family::Mixed => (2.0, 0.02),
            Family::FastCompute => (0.7, 0.003),
            Family::SlowCompute => (8.0, 0.02),
            Family::SlowLink => (2.0, 0.15),
        };
        let name = member.name();
        assert!(close(work / (compute / count) / load, computing), "{name}");
        let one_hop = 8.0 * (outputs / size) / (rates / (2.0 * count));
        assert!(close(one_hop / load, hop), "{name}");
        assert!((2.0..=3.0).contains(&(memory / weights)), "{name}");
        for machine in machines {
            assert!(machine.memory.get() < weights, "{name}");
            assert!((5e8..=6e9).contains(&machine.disk.get()), "{name}");
            assert!((1e8..=1.2e9).contains(&machine.up.get()), "{name}");
            assert!((1e8..=1.2e9).contains(&machine.down.get()), "{name}");
        }
        assert!(member.layers == 1 || problem.identical_layers() == member.identical);
    }
}

#[test]
fn a_member_is_the_same_every_time_and_no_other() {
    let problems: Vec<ColdStart> = members().iter().map(Member::problem).collect();
    for (member, problem) in members().iter().zip(&problems) {
        assert_eq!(*problem, member.problem());
    }
    for (at, problem) in problems.iter().enumerate() {
        assert!(!problems[..at].contains(problem));
    }
    // The numbers themselves: bounds and times of one day are compared with those of another.
    let first = Member {
        family: Family::Mixed,
        devices: 4,
        layers: 12,
        identical: false,
        seed: 1,
    };
    let (layers, devices) = first.numbers();
    let sampled = [layers[11].weights, devices[3].compute, devices[3].memory];
    let then: [f64; 3] = [713294535.6293093, 5662506612510.285, 7075942683.380165];
    assert_eq!(sampled.map(f64::to_bits), then.map(f64::to_bits));
}

#[test]
fn the_file_of_a_member_is_its_problem() {
    for family in Family::ALL {
        let member = Member {
            family,
            devices: 4,
            layers: 12,
            identical: false,
            seed: 1,
        };
        let limits = Limits::default();
        let reading = HeuristicReading::Rate;
        let here = solve(&member.problem(), reading, &limits, &mut NoProgress).expect("a plan");
        assert_eq!(here.ended, Ended::Optimal);
        let text = member.document().to_string();
        let there = file::solve(&text, &file::ColdStartOptions::default(), &mut NoProgress)
            .expect("a file");
        let answer = serde_json::to_value(&there).expect("an answer is JSON");
        assert_eq!(answer["id"], member.name());
        assert_eq!(answer["status"], "optimal");
        assert_eq!(answer["T"].as_f64(), Some(here.claimed));
    }
}
