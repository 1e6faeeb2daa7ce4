//! Algorithms 1 to 3 by hand and beside a plain second version.

use super::near;
use crate::cases::cases;
use crate::dispatch_made::{Case, by_hand, small};
use crate::instances::Draw;
use engine::plan::dispatch::{Scarce, Starts};
use engine::problem::dispatch::{DispatchDevice, DispatchProblem, PromptLengths, ServerTimes};
use methods::dispatch::classify::classify;
use methods::dispatch::threshold::threshold;
use methods::dispatch::waits::{Blend, Residual, waits};

fn case(lengths: &[(u32, f64)], samples: &[f64], b: f64, alpha: f64) -> DispatchProblem {
    let prompts = PromptLengths::new(lengths).expect("lengths");
    let times = ServerTimes::of_samples(samples.to_vec()).expect("samples");
    let device = DispatchDevice {
        prefill_rate: 10.0,
        constant: 0.0,
    };
    DispatchProblem::new(prompts, times, vec![device], b, alpha).expect("a problem")
}

/// Ten samples, 1 to 10 s.
fn ten() -> Vec<f64> {
    (1..=10).map(f64::from).collect()
}

#[test]
fn ties_of_prices_go_to_the_server() {
    assert_eq!(classify([4.0, 3.0], [1.0, 2.0]), Scarce::Device);
    assert_eq!(classify([4.0, 2.0], [1.0, 2.0]), Scarce::Server);
    assert_eq!(classify([0.1, 9.0], [1.0, 2.0]), Scarce::Server);
}

#[test]
fn waits_of_three_lengths_by_hand() {
    // q = 1/6, 2/6, 3/6. Half the budget of tokens; a tenth guards the tail with a wait of 9 s. 0.4 is left: length 10
    // costs 0.15 and length 20 0.3, of which 0.25 is left; it starts with 0.1 + 0.25 / (1/3) = 0.85, which ten samples
    // round down to 0.8, a wait of 2 s.
    let problem = case(&[(30, 1.0), (10, 1.0), (20, 1.0)], &ten(), 0.5, 0.1);
    let found = waits(&problem, Residual::Corrected);
    assert_eq!(found.w_tail, Some(9.0));
    near(found.a_eff, 0.1);
    assert_eq!(found.residual, Some(1));
    assert_eq!(found.waits, [Some(0.0), Some(2.0), Some(9.0)]);
    let blend = found.blend.expect("a residual length");
    assert_eq!(
        (blend.length, blend.wait, blend.earlier),
        (Some(1), Some(2.0), 1.0)
    );
    near(blend.rho, 0.5);
    let (_, share, _, _) = by_hand(&problem, &found.policy());
    near(share, 1.0 / 6.0 + 0.8 / 3.0 + 0.05);
    let (_, share, _, _) = by_hand(&problem, &found.exact());
    near(share, 0.5);
    // As printed: F = A/C = 0.25/0.3, a wait of 9 s. Turned round: 1 - F = 0.25/0.3, a wait of 2 s.
    assert_eq!(waits(&problem, Residual::Published).waits[1], Some(9.0));
    assert_eq!(waits(&problem, Residual::Increment).waits[1], Some(2.0));
}

#[test]
fn without_a_budget_the_device_never_starts() {
    let problem = case(&[(10, 1.0), (20, 1.0)], &ten(), 0.0, 0.1);
    let found = waits(&problem, Residual::Corrected);
    assert_eq!(
        (found.w_tail, found.a_eff, found.residual),
        (None, 0.0, None)
    );
    assert_eq!(found.waits, [None, None]);
    assert_eq!(found.blend, None);
    assert_eq!(found.policy().acts[0], [(1.0, Starts::SERVER)]);
    assert_eq!(found.exact(), found.policy());
}

#[test]
fn a_budget_below_alpha_is_all_for_the_tail() {
    let problem = case(&[(10, 1.0), (20, 1.0)], &ten(), 0.25, 0.5);
    let found = waits(&problem, Residual::Corrected);
    // 1 - 0.25 of ten samples is the eighth: 0.2 come later, and 0.25 by a coin between 7 and 8 s.
    assert_eq!(found.waits, [Some(8.0), Some(8.0)]);
    assert_eq!((found.w_tail, found.residual), (Some(8.0), None));
    near(found.a_eff, 0.2);
    let blend = found.blend.expect("all lengths");
    assert_eq!(
        (blend.length, blend.wait, blend.earlier),
        (None, Some(8.0), 7.0)
    );
    near(blend.rho, 0.5);
    near(by_hand(&problem, &found.exact()).1, 0.25);
}

#[test]
fn the_whole_budget_starts_every_length_at_once() {
    let problem = case(&[(10, 1.0), (20, 3.0), (40, 1.0)], &ten(), 1.0, 0.3);
    let found = waits(&problem, Residual::Corrected);
    assert_eq!(found.waits, [Some(0.0); 3]);
    assert_eq!((found.residual, found.blend), (None, None));
    assert_eq!(found.w_tail, Some(7.0));
}

#[test]
fn where_the_tail_has_no_sample_nothing_is_kept_for_it() {
    // A tenth of four samples is less than one of them: the wait for the tail is the last sample and lets nothing through.
    let problem = case(
        &[(10, 1.0), (10, 1.0), (20, 1.0)],
        &[1.0, 2.0, 3.0, 4.0],
        0.5,
        0.1,
    );
    let found = waits(&problem, Residual::Corrected);
    assert_eq!((found.w_tail, found.a_eff), (Some(4.0), 0.0));
    // Length 10 has half of all tokens and takes the budget; nothing is left for length 20.
    assert_eq!(found.waits, [Some(0.0), Some(4.0)]);
    assert_eq!(found.residual, Some(1));
    let nothing = Blend {
        length: Some(1),
        wait: None,
        earlier: 4.0,
        rho: 0.0,
    };
    assert_eq!(found.blend, Some(nothing));
    near(by_hand(&problem, &found.exact()).1, 0.5);
}

#[test]
fn thresholds_by_hand() {
    let lengths = [(10, 1.0), (20, 1.0), (30, 1.0)];
    // q = 1/6, 2/6, 3/6.
    for (b, from, share, boundary, theta) in [
        (0.0, None, 0.0, Some(2), 0.0),
        (0.25, None, 0.0, Some(2), 0.5),
        (0.5, Some(2), 0.5, Some(1), 0.0),
        (0.75, Some(2), 0.5, Some(1), 0.75),
        (0.9, Some(1), 5.0 / 6.0, Some(0), 0.4),
        (1.0, Some(0), 1.0, None, 0.0),
    ] {
        let problem = case(&lengths, &ten(), b, 0.1);
        let found = threshold(&problem);
        assert_eq!((found.from, found.boundary), (from, boundary), "b = {b}");
        near(found.share, share);
        near(found.theta, theta);
        near(by_hand(&problem, &found.policy()).2, share);
        near(by_hand(&problem, &found.exact()).2, b);
    }
}

/// Algorithm 2 on a sorted list of samples, line by line: wait for the tail, its share, the residual length, waits.
type Plain = (Option<f64>, f64, Option<usize>, Vec<Option<f64>>);

fn plainly(case: &Case, residual: Residual) -> Plain {
    let mut x = case.samples.clone();
    x.sort_by(f64::total_cmp);
    let n = x.len() as f64;
    let f = |t: f64| x.iter().filter(|sample| **sample <= t).count() as f64 / n;
    let inverse = |u: f64| {
        let rank = ((n * u - 1e-9).ceil() as usize).max(1);
        (u < 1.0 - 1e-12).then(|| x[rank - 1])
    };
    let mut lengths: Vec<u32> = case.lengths.iter().map(|row| row.0).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let weight = |l: u32| -> f64 {
        let rows = case.lengths.iter().filter(|row| row.0 == l);
        rows.map(|row| row.1).sum::<f64>() * f64::from(l)
    };
    let all: f64 = lengths.iter().map(|l| weight(*l)).sum();
    if case.b <= 0.0 {
        return (None, 0.0, None, vec![None; lengths.len()]);
    }
    let tail = inverse(1.0 - case.alpha.min(case.b));
    let a = tail.map_or(0.0, |tail| 1.0 - f(tail));
    let mut waits = vec![tail; lengths.len()];
    if case.b <= case.alpha {
        return (tail, a, None, waits);
    }
    let mut left = case.b - a;
    for (i, l) in lengths.iter().enumerate() {
        let q = weight(*l) / all;
        let cost = q * (1.0 - a);
        if left + 1e-12 >= cost {
            waits[i] = Some(0.0);
            left = (left - cost).max(0.0);
        } else {
            let wait = inverse(match residual {
                Residual::Corrected => 1.0 - a - left / q,
                Residual::Published => left / cost,
                Residual::Increment => 1.0 - left / cost,
            });
            let least = wait
                .unwrap_or(f64::INFINITY)
                .min(tail.unwrap_or(f64::INFINITY));
            waits[i] = Some(least).filter(|wait| wait.is_finite());
            return (tail, a, Some(i), waits);
        }
    }
    (tail, a, None, waits)
}

#[test]
fn waits_are_those_of_a_plain_second_version() {
    let mut seen = [0; 3];
    for seed in 0..cases(3000) {
        let case = small(&mut Draw::new(80_000 + seed));
        let problem = case.problem();
        for (k, residual) in Residual::ALL.into_iter().enumerate() {
            let found = waits(&problem, residual);
            let (tail, a, at, plain) = plainly(&case, residual);
            assert_eq!(found.w_tail, tail, "seed {seed}");
            near(found.a_eff, a);
            assert_eq!((found.residual, &found.waits), (at, &plain), "seed {seed}");
            seen[k] += usize::from(at.is_some());
            assert!(k == 0 || found.blend.is_none());
        }
    }
    assert!(seen.iter().all(|seen| *seen > 900), "{seen:?}");
}
