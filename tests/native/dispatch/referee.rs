//! The referee against a count of every length, act and sample.

use super::near;
use crate::cases::cases;
use crate::dispatch_made::{SCARCE, by_hand, quantile, small};
use crate::instances::Draw;
use engine::evaluate::dispatch::outcome;
use engine::plan::dispatch::{Policy, Scarce, Starts};
use engine::problem::dispatch::{DispatchDevice, DispatchProblem, PromptLengths, ServerTimes};

/// Any policy at all: mixtures of up to three acts a length, waits at samples and between them.
fn anything(problem: &DispatchProblem, draw: &mut Draw) -> Policy {
    let values = problem.times().values();
    let act = |draw: &mut Draw| {
        let device = draw.below(problem.devices().len());
        match draw.below(5) {
            0 => Starts::SERVER,
            1 => Starts::device(device),
            2 => Starts::race(device, Some(0.0)),
            3 => Starts::race(device, Some(values[draw.below(values.len())])),
            _ => Starts::race(device, Some(draw.between(0.0, 3.0))),
        }
    };
    let mixture = |draw: &mut Draw| {
        let parts: Vec<f64> = (0..draw.whole(1, 3))
            .map(|_| draw.between(0.1, 1.0))
            .collect();
        let all: f64 = parts.iter().sum();
        parts.iter().map(|part| (part / all, act(draw))).collect()
    };
    let lengths = problem.prompts().lengths();
    Policy {
        acts: lengths.iter().map(|_| mixture(draw)).collect(),
    }
}

#[test]
fn every_figure_is_that_of_counting() {
    for seed in 0..cases(800) {
        let mut draw = Draw::new(seed);
        let problem = small(&mut draw).problem();
        let policy = anything(&problem, &mut draw);
        let (mean, device, server, all) = by_hand(&problem, &policy);
        for scarce in SCARCE {
            let found = outcome(&problem, &policy, scarce);
            near(found.mean, mean);
            near(found.device_share, device);
            near(found.server_share, server);
            for u in [0.01, 0.3, 0.5, 0.9, 0.99, 1.0] {
                assert_eq!(found.quantile(u), quantile(&all, u), "seed {seed} at {u}");
            }
            assert_eq!(found.p99, found.quantile(0.99));
            let shares = [
                found.server_only,
                found.device_only,
                found.device_wins,
                found.server_wins,
            ];
            near(shares.iter().sum(), 1.0);
            assert!(shares.iter().all(|share| *share > -1e-12), "{shares:?}");
            let rising = |pair: &[(f64, f64)]| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1;
            assert!(found.curve.windows(2).all(rising), "seed {seed}");
            near(found.curve.last().expect("a law").1, 1.0);
        }
    }
}

fn one_length(samples: &[f64], wait: Option<f64>) -> (DispatchProblem, Policy) {
    let prompts = PromptLengths::new(&[(10, 1.0)]).expect("a length");
    let times = ServerTimes::of_samples(samples.to_vec()).expect("samples");
    let device = DispatchDevice {
        prefill_rate: 10.0,
        constant: 0.0,
    };
    let problem = DispatchProblem::new(prompts, times, vec![device], 0.5, 0.1).expect("a problem");
    (problem, Policy::of([Starts::race(0, wait)]))
}

#[test]
fn a_token_at_the_end_of_the_wait_cancels_the_device() {
    let (problem, policy) = one_length(&[1.0, 2.0, 3.0, 8.0], Some(2.0));
    let found = outcome(&problem, &policy, Scarce::Device);
    assert_eq!((found.device_share, found.server_only), (0.5, 0.5));
    assert_eq!(found.mean, (1.0 + 2.0 + 3.0 + 3.0) / 4.0);
    assert_eq!(found.p99, 3.0);
}

#[test]
fn of_equal_times_the_endpoint_that_is_not_scarce_wins() {
    let (problem, policy) = one_length(&[1.0, 2.0, 3.0, 8.0], Some(2.0));
    // The device's first token comes at 3, together with a sample.
    let device = outcome(&problem, &policy, Scarce::Device);
    assert_eq!((device.device_wins, device.server_wins), (0.25, 0.25));
    let server = outcome(&problem, &policy, Scarce::Server);
    assert_eq!((server.device_wins, server.server_wins), (0.5, 0.0));
}

#[test]
fn a_device_that_never_starts_never_counts() {
    let (problem, policy) = one_length(&[1.0, 2.0], None);
    let found = outcome(&problem, &policy, Scarce::Device);
    assert_eq!((found.mean, found.p99, found.device_share), (1.5, 2.0, 0.0));
    assert_eq!(found.server_only, 1.0);
    let nobody = Starts {
        server: false,
        device: None,
    };
    let found = outcome(&problem, &Policy::of([nobody]), Scarce::Device);
    assert_eq!((found.mean, found.p99), (f64::INFINITY, f64::INFINITY));
}

#[test]
fn quantiles_of_samples_are_those_of_the_definition() {
    for seed in 0..cases(300) {
        let mut draw = Draw::new(seed);
        let n = draw.whole(1, 40);
        let mut samples: Vec<f64> = (0..n).map(|_| draw.whole(1, 15) as f64).collect();
        let times = ServerTimes::of_samples(samples.clone()).expect("samples");
        samples.sort_by(f64::total_cmp);
        for k in 0..=60 {
            let u = k as f64 / 60.0;
            let rank = ((n as f64 * u - 1e-9).ceil() as usize).max(1);
            let wanted = (k < 60).then(|| samples[rank - 1]);
            assert_eq!(times.quantile(u), wanted, "seed {seed}: {u} of {samples:?}");
            let at = draw.between(0.0, 17.0);
            let above = samples.iter().filter(|sample| **sample > at).count();
            near(times.tail(at), above as f64 / n as f64);
            near(times.cdf(at), 1.0 - above as f64 / n as f64);
            let excess: f64 = samples.iter().map(|sample| (sample - at).max(0.0)).sum();
            near(times.excess(at), excess / n as f64);
            let capped: f64 = samples.iter().map(|sample| sample.min(at)).sum();
            near(times.capped_mean(at), capped / n as f64);
        }
    }
}

#[test]
fn a_histogram_is_its_samples() {
    let rows = [(2.0, 3.0), (0.5, 1.0), (7.0, 2.0), (2.0, 1.0)];
    let histogram = ServerTimes::of_counts(&rows).expect("a histogram");
    let samples =
        ServerTimes::of_samples(vec![2.0, 7.0, 2.0, 0.5, 2.0, 7.0, 2.0]).expect("samples");
    assert_eq!(histogram, samples);
    assert_eq!(histogram.values(), [0.5, 2.0, 7.0]);
    assert_eq!(histogram.compressed(3), histogram);
    assert_eq!(histogram.compressed(2).values(), [2.0, 7.0]);
    assert_eq!(histogram.compressed(1).values(), [2.0]);
}
