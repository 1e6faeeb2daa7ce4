//! Fits from raw logs are those of sorted ones, bit for bit, and bad rows are named.

use crate::cases::cases;
use crate::dispatch_made::{Case, service, small};
use crate::instances::Draw;
use engine::problem::Code;
use engine::problem::dispatch::{PromptLengths, ServerTimes};
use methods::dispatch::fit;
use methods::dispatch::recent::{Recent, cautious};
use methods::dispatch::threshold::threshold;
use methods::dispatch::waits::{Residual, waits};

/// One row for every request, in random order.
fn raw(case: &Case, draw: &mut Draw) -> Vec<u32> {
    let mut lengths = Vec::new();
    for (length, weight) in &case.lengths {
        lengths.extend(std::iter::repeat_n(*length, weight.ceil() as usize));
    }
    draw.shuffle(&mut lengths);
    lengths
}

#[test]
fn raw_logs_give_what_sorted_ones_give() {
    for seed in 0..cases(1500) {
        let mut draw = Draw::new(90_000 + seed);
        let mut case = small(&mut draw);
        if draw.one_in(3) {
            let many = draw.whole(100, 400);
            case.samples = (0..many).map(|_| draw.between(0.1, 2.0)).collect();
        }
        let lengths = raw(&case, &mut draw);
        case.lengths = lengths.iter().map(|length| (*length, 1.0)).collect();
        let problem = case.problem();
        let (prompts, found) =
            fit::device_scarce(&case.samples, &lengths, case.b, case.alpha).expect("a fit");
        assert_eq!(&prompts, problem.prompts(), "seed {seed}");
        assert_eq!(found, waits(&problem, Residual::Corrected), "seed {seed}");
        let (prompts, found) = fit::server_scarce(&lengths, case.b).expect("a fit");
        assert_eq!(&prompts, problem.prompts());
        assert_eq!(found, threshold(&problem), "seed {seed}");
    }
}

#[test]
fn huge_lengths_are_counted_without_a_table() {
    let lengths = [u32::MAX, 7, u32::MAX, 1_000_000_000];
    let rows: Vec<(u32, f64)> = lengths.iter().map(|length| (*length, 1.0)).collect();
    let wanted = PromptLengths::new(&rows).expect("lengths");
    assert_eq!(fit::prompts(&lengths), Ok(wanted));
}

#[test]
fn bad_rows_are_named() {
    let fault = |samples: &[f64], lengths: &[u32]| {
        let fault = fit::device_scarce(samples, lengths, 0.5, 0.1).expect_err("a bad row");
        assert_eq!(fault.code, Code::Range);
        fault.path
    };
    assert_eq!(fault(&[], &[1]), "ttft");
    assert_eq!(fault(&[1.0], &[]), "lengths");
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, -0.0] {
        assert_eq!(fault(&[1.0, 2.0, bad], &[1]), "ttft[2]");
        let times = ServerTimes::of_samples(vec![1.0, 2.0, bad]).expect_err("a bad row");
        assert_eq!(times.path, "[2]");
        let counts = ServerTimes::of_counts(&[(1.0, 1.0), (bad, 1.0)]).expect_err("a bad row");
        assert_eq!(counts.path, "[1][0]");
        let counts = ServerTimes::of_counts(&[(1.0, bad)]).expect_err("a bad row");
        assert_eq!(counts.path, "[0][1]");
        let prompts = PromptLengths::new(&[(1, 1.0), (2, bad)]).expect_err("a bad row");
        assert_eq!(prompts.path, "[1][1]");
    }
    assert_eq!(fault(&[1.0], &[3, 0]), "lengths[1]");
    let sum = ServerTimes::of_counts(&[(1.0, f64::MAX), (2.0, f64::MAX)]).expect_err("no sum");
    assert_eq!((sum.path.as_str(), sum.code), ("", Code::Range));
    // Times so late that their differences are lost are refused, with what is allowed.
    for late in [1.1e12, 1e15, f64::MAX] {
        let times = ServerTimes::of_samples(vec![1.0, late]).expect_err("too late");
        assert_eq!((times.path.as_str(), times.code), ("[1]", Code::Range));
        assert!(
            times.message.contains("at most 1000000000000"),
            "{}",
            times.message
        );
        assert_eq!(
            ServerTimes::of_counts(&[(late, 1.0)])
                .expect_err("too late")
                .path,
            "[0][0]"
        );
    }
    assert!(
        ServerTimes::of_samples(vec![1e12]).is_ok()
            && ServerTimes::of_counts(&[(1e12, 1e15)]).is_ok()
    );
    assert!(ServerTimes::of_samples(Vec::new()).is_err() && PromptLengths::new(&[]).is_err());
}

#[test]
fn a_long_log_is_fitted_like_its_law() {
    let samples = service(-0.161, 0.426, 4000);
    let lengths: Vec<u32> = (0..4000).map(|k| 4 + k % 90).collect();
    let mut shuffled = samples.clone();
    Draw::new(5).shuffle(&mut shuffled);
    let (_, found) = fit::device_scarce(&shuffled, &lengths, 0.3, 0.1).expect("a fit");
    assert_eq!(found.w_tail, Some(samples[3599]));
}

#[test]
fn a_histogram_that_forgets_follows_its_samples() {
    let mut recent = Recent::new(0.01, 100.0, 1000.0).expect("a histogram");
    assert_eq!(recent.times().expect_err("no sample yet").path, "");
    let mut draw = Draw::new(3);
    let mut before = service(-0.161, 0.426, 5000);
    draw.shuffle(&mut before);
    before.iter().for_each(|sample| recent.add(*sample));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let kept = recent.clone();
        recent.add(bad);
        assert_eq!(recent, kept);
    }
    let at = |recent: &Recent, u: f64| {
        let times = recent.times().expect("samples");
        times.quantile(u).expect("a time")
    };
    let sorted = ServerTimes::of_samples(before).expect("samples");
    for u in [0.1, 0.5, 0.9] {
        let wanted = sorted.quantile(u).expect("a time");
        let found = at(&recent, u);
        assert!(
            (found / wanted - 1.0).abs() < 0.05,
            "{u}: {found}, not {wanted}"
        );
    }
    // After ten half-lives of times three times as long the old ones have all but gone; and no number grows too large.
    let mut after = service(-0.161 + 3.0_f64.ln(), 0.426, 10_000);
    draw.shuffle(&mut after);
    after.iter().for_each(|sample| recent.add(*sample));
    let wanted = 3.0 * sorted.quantile(0.5).expect("a time");
    assert!((at(&recent, 0.5) / wanted - 1.0).abs() < 0.05);
    let mut short = Recent::new(0.01, 100.0, 0.5).expect("a histogram");
    for k in 0..2000 {
        short.add(if k < 1990 { 1.0 } else { 5.0 });
    }
    assert!((at(&short, 0.01) / 5.0 - 1.0).abs() < 0.02);
    short.add(1e-9);
    short.add(1e9);
    assert!(short.times().expect("samples").values().len() >= 2);
    for (low, high, half, path) in [
        (0.0, 1.0, 1.0, "low"),
        (1.0, 1.0, 1.0, "high"),
        (1.0, 2.0, 0.0, "half_life"),
    ] {
        assert_eq!(Recent::new(low, high, half).expect_err("bad").path, path);
    }
}

#[test]
fn a_margin_keeps_a_fit_within_its_budget_on_other_samples() {
    assert_eq!(cautious(0.5, 100.0, 2.0), 0.4);
    assert_eq!(
        (cautious(0.0, 10.0, 3.0), cautious(0.01, 10.0, 3.0)),
        (0.0, 0.0)
    );
    let (mut over, mut over_with) = (0, 0);
    for seed in 0..cases(200) {
        let mut draw = Draw::new(seed);
        let mut sample =
            |n: usize| -> Vec<f64> { (0..n).map(|_| draw.between(0.1, 2.0)).collect() };
        let (ours, others) = (sample(200), sample(20_000));
        let share = |b: f64| {
            let (_, found) = fit::device_scarce(&ours, &[20], b, 0.01).expect("a fit");
            let others = ServerTimes::of_samples(others.clone()).expect("samples");
            others.tail(found.waits[0].expect("a wait"))
        };
        over += usize::from(share(0.3) > 0.3);
        over_with += usize::from(share(cautious(0.3, 200.0, 2.0)) > 0.3);
    }
    assert!(over > 60 && over_with < 15, "{over} {over_with}");
}
