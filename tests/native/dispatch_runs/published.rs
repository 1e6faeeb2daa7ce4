//! What hand-overs save and how many tokens they need, beside the published figures and those of another program.

use crate::data_table::{Row, number, table};
use crate::dispatch_runs_made::{PHONES, Phone, SERVICES, Service, disco, instance, terms};
use engine::evaluate::dispatch_cost::{Bill, bill};
use engine::plan::dispatch::Scarce;
use engine::plan::moves::Moves;
use engine::problem::dispatch_terms::Outputs;
use engine::sim::law::exponential_whole;
use std::collections::HashMap;

fn scarce(row: &Row) -> Scarce {
    match row["scarce"].as_str() {
        "device" => Scarce::Device,
        _ => Scarce::Server,
    }
}

/// The bill of DiSCo's policy with hand-overs and without.
fn bills(
    service: &Service,
    phone: &Phone,
    scarce: Scarce,
    b: f64,
    outputs: &Outputs,
    share: Option<f64>,
) -> (Bill, Bill) {
    let problem = instance(service, phone, 600, b);
    let mut terms = terms(service, phone, scarce, outputs.clone());
    if let Some(estimate) = share.and_then(|share| problem.times().quantile(share)) {
        terms.estimate = estimate;
    }
    let chosen = disco(&problem, &terms, scarce);
    let none = Moves::none(problem.prompts().lengths().len(), 1);
    let with = |moves: &Moves| bill(&problem, &chosen.policy, scarce, &terms, moves);
    (with(&chosen.moves), with(&none))
}

fn saved(bills: (Bill, Bill)) -> f64 {
    100.0 * (1.0 - bills.0.total / bills.1.total)
}

#[test]
fn the_largest_savings_are_those_of_another_program() {
    let fixed = Outputs::fixed(128).expect("a length");
    let random = Outputs::new(&exponential_whole(67.2, 128)).expect("lengths");
    assert!((random.mean() - 58.0).abs() < 1.0);
    for row in table(include_str!("../../data/disco_savings.csv")) {
        let scarce = scarce(&row);
        let most = |outputs: &Outputs| {
            let mut best = (0.0, "", "", 0.0);
            for service in &SERVICES {
                for phone in &PHONES {
                    for step in 0..=20 {
                        let b = f64::from(step) / 20.0;
                        let saved = saved(bills(service, phone, scarce, b, outputs, None));
                        // Invariant: whoever moves with N = N_exp pays less.
                        assert!(saved >= 0.0 || outputs.rows().len() > 1, "{row:?}, {b}");
                        if saved > best.0 {
                            best = (saved, service.name, phone.name, b);
                        }
                    }
                }
            }
            best
        };
        let best = most(&fixed);
        assert!(
            (best.0 - number(&row, "ours")).abs() < 0.5,
            "{best:?}, {row:?}"
        );
        assert_eq!((best.1, best.2), (&*row["service"], &*row["phone"]));
        let best = most(&random);
        assert!(
            (best.0 - number(&row, "ours_random")).abs() < 2.0,
            "{best:?}"
        );
        let service = SERVICES.iter().find(|s| s.name == row["service"]);
        let phone = PHONES.iter().find(|p| p.name == row["phone"]);
        let (service, phone) = (service.expect("a service"), phone.expect("a phone"));
        let there = saved(bills(
            service,
            phone,
            scarce,
            number(&row, "b"),
            &fixed,
            None,
        ));
        assert!(
            (there - number(&row, "ours")).abs() < 0.6,
            "{there}, {row:?}"
        );
    }
}

#[test]
fn savings_lie_where_another_program_finds_them() {
    let fixed = Outputs::fixed(128).expect("a length");
    // From b = 0.3 on, over all phones [%]; whole points there, and another grid of b.
    for (scarce, name, least, most) in [
        (Scarce::Device, "GPT", 41.0, 58.0),
        (Scarce::Device, "LLaMA", 51.0, 69.0),
        (Scarce::Device, "DeepSeek", 59.0, 73.0),
        (Scarce::Device, "Command", 0.0, 14.0),
        (Scarce::Server, "Command", 30.0, 73.0),
        (Scarce::Server, "GPT", 7.0, 42.0),
        (Scarce::Server, "LLaMA", 1.0, 8.0),
        (Scarce::Server, "DeepSeek", 0.0, 1.0),
    ] {
        let service = SERVICES.iter().find(|service| service.name == name);
        let service = service.expect("a service");
        let all = PHONES.iter().flat_map(|phone| {
            let at =
                |step: u32| bills(service, phone, scarce, f64::from(step) / 10.0, &fixed, None);
            (3..=10).map(at).map(saved).collect::<Vec<f64>>()
        });
        let all: Vec<f64> = all.collect();
        let low = all.iter().copied().fold(f64::INFINITY, f64::min);
        let high = all.iter().copied().fold(0.0, f64::max);
        assert!((low - least).abs() < 2.0, "{name}: {low}, another {least}");
        assert!((high - most).abs() < 2.0, "{name}: {high}, another {most}");
    }
}

#[test]
fn hand_overs_need_the_tokens_of_table_3() {
    let fixed = Outputs::fixed(128).expect("a length");
    let mut means: HashMap<(String, String), f64> = HashMap::new();
    for row in table(include_str!("../../data/disco_handovers.csv")) {
        let scarce = scarce(&row);
        let service = SERVICES.iter().find(|s| s.name == row["service"]);
        let service = service.expect("a service");
        let (mut mean, mut p99, mut count, mut late) = (0.0, 0.0, 0.0, 0.0);
        for phone in &PHONES {
            for b in [0.3, 0.6, 0.9] {
                let (with, _) = bills(service, phone, scarce, b, &fixed, Some(0.99));
                assert!((with.tbt_p99 - number(&row, "ours_tbt")).abs() < 5e-4);
                late += with.late_of_moved / 9.0;
                if let (Some(some), Some(most)) = (with.buffer_mean, with.buffer_p99) {
                    mean += some;
                    p99 += most;
                    count += 1.0;
                }
            }
        }
        // One hand-over in a hundred waits for a server that is slower than its P99; a device is never late.
        match scarce {
            Scarce::Device => assert!(late > 0.0 && late < 0.02, "{late}: {row:?}"),
            Scarce::Server => assert_eq!(late, 0.0),
        }
        let near = |ours: f64, column: &str, share: f64| {
            let theirs = number(&row, column);
            let apart = (ours / theirs - 1.0).abs();
            assert!(apart < share, "{column}: {ours}, another {theirs}: {row:?}");
        };
        let tail = if scarce == Scarce::Device {
            0.015
        } else {
            0.16
        };
        near(mean / count, "ours_mean", 0.05);
        near(p99 / count, "ours_p99", tail);
        means.insert(
            (row["scarce"].clone(), row["service"].clone()),
            mean / count,
        );
    }
    // The order over services is the published one.
    for scarce in ["server", "device"] {
        let mean = |name: &str| means[&(scarce.to_owned(), name.to_owned())];
        let order = ["Command", "GPT", "LLaMA", "DeepSeek"].map(mean);
        assert!(order.windows(2).all(|pair| pair[0] < pair[1]), "{order:?}");
    }
}
