//! Odd and random data: whatever comes in, no text meets another, nothing leaves the picture, and every place speaks.

use super::*;
use proptest::prelude::*;

const ROLES: [SeriesRole; 6] = [
    SeriesRole::Ours,
    SeriesRole::A,
    SeriesRole::B,
    SeriesRole::C,
    SeriesRole::D,
    SeriesRole::More(0),
];

const NAMES: [&str; 6] = [
    "Edgewise",
    "DiSCo-D, without a hand-over",
    "All server",
    "Stochastic",
    "All device",
    "A rule with a name that is longer than any picture on a phone could be wide enough for",
];

#[test]
fn odd_data_do_not_break_it() {
    let nan = f64::NAN;
    let mut odd_waits = waits();
    odd_waits.prompts.extend([
        (nan, 1.0),
        (-3.0, 1.0),
        (9.0, nan),
        (1e9, 0.0),
        (f64::INFINITY, 1.0),
    ]);
    odd_waits.curves[0].points[3].wait_s = Some(-1.0);
    odd_waits.curves[1].points.clear();
    let one_length = WaitsChart {
        prompts: vec![(12.0, 1.0)],
        curves: vec![WaitCurve {
            name: "Edgewise".into(),
            role: SeriesRole::Ours,
            points: vec![WaitPoint {
                length: 12.0,
                wait_s: None,
                other: Some((Some(0.4), 0.3)),
            }],
        }],
        ..WaitsChart::default()
    };
    let mut odd_shares = shares();
    odd_shares.curves[0].p99_s = None;
    odd_shares.curves[1].p99_s = Some(nan);
    odd_shares.curves[2].steps.insert(0, (nan, nan));
    odd_shares.curves[3].steps.clear();
    let mut odd_spread = spread_of_times();
    odd_spread
        .samples
        .extend([(nan, 1.0), (0.0, 1.0), (-2.0, 1.0), (1.0, -1.0)]);
    odd_spread.fit = Some((nan, 1.0));
    odd_spread.quantiles.push(("P0".into(), nan));
    let mut odd_front = front();
    odd_front.curves[0].points[2].x = nan;
    odd_front.curves[1].points.truncate(1);
    for width in [1100.0, 350.0, 200.0, 10.0, 0.0, nan] {
        for height in [292.0, 60.0, 0.0, nan] {
            for chart in [
                ChartHandle::of(layout_waits(&odd_waits, width, height)),
                ChartHandle::of(layout_waits(&one_length, width, height)),
                ChartHandle::of(layout_waits(&WaitsChart::default(), width, height)),
                ChartHandle::of(layout_shares(&odd_shares, width, height)),
                ChartHandle::of(layout_shares(&Shares::default(), width, height)),
                ChartHandle::of(layout_spread(&odd_spread, width, height)),
                ChartHandle::of(layout_spread(&SpreadChart::default(), width, height)),
                ChartHandle::of(layout_front(&odd_front, width, height)),
                ChartHandle::of(layout_front(&TradeOffChart::default(), width, height)),
            ] {
                sound(&chart, &format!("{width} {height} {}", chart.picture.title));
            }
        }
        let mut ragged = requests().swap_remove(0).1;
        ragged.writers.truncate(40);
        ragged.shown_s.truncate(70);
        ragged.available_s[30] = nan;
        ragged.shown_s[31] = f64::INFINITY;
        ragged.starts[0].to_s = nan;
        for line in [ragged, TokenLine::default()] {
            for until in [None, Some(0.0), Some(nan), Some(1e9), Some(0.01)] {
                let chart = layout_tokens(&line, width, until.map(TimeView::until));
                sound(&chart, &format!("{width} {until:?}"));
            }
        }
    }
}

/// A token that is late from the start of a long answer is at the edge of the paper.
#[test]
fn a_late_first_token_stays_on_the_paper() {
    let rates = (11.269542809573355, 2.0, 11.397511829484552);
    let line = request(2, Writer::Device, rates, None);
    sound(
        &layout_tokens(&line, 300.0, Some(TimeView::until(180.72929044006463))),
        "request",
    );
}

#[test]
fn both_themes_are_svg() {
    for (_, chart) in all_at(350.0) {
        both_themes(&chart.picture);
    }
    let [svg, _] = both_themes(&tokens_legend(350.0));
    assert!(svg.contains("Late"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_waits(
        curves in proptest::collection::vec(
            proptest::collection::vec((1_u16..600, prop::option::of(0.0..8.0_f64), prop::option::of((prop::option::of(0.0..8.0_f64), 0.0..1.0_f64))), 0..30),
            0..6,
        ),
        prompts in proptest::collection::vec((1_u16..600, 0.01..1.0_f64), 0..60),
        server in any::<bool>(),
        width in 300.0..1200.0_f64,
        height in 180.0..320.0_f64,
    ) {
        let curves = curves.into_iter().enumerate().map(|(n, points)| {
            let mut points: Vec<WaitPoint> = points.into_iter().map(|(l, wait_s, other)| WaitPoint {
                length: f64::from(l), wait_s, other,
            }).collect();
            points.sort_by(|a, b| a.length.total_cmp(&b.length));
            points.dedup_by(|a, b| a.length == b.length);
            WaitCurve { name: NAMES[n].into(), role: ROLES[n], points }
        }).collect();
        let waits = WaitsChart {
            title: "Waits".into(),
            waiting: if server { ScarceSide::Server } else { ScarceSide::Device },
            prompts: prompts.into_iter().map(|(l, w)| (f64::from(l), w)).collect(),
            curves,
        };
        sound(&layout_waits(&waits, width, height), "waits");
    }

    #[test]
    fn any_shares(
        curves in proptest::collection::vec(
            (proptest::collection::vec((0.001..5.0_f64, 0.01..1.0_f64), 0..40), prop::option::of(0.001..5.0_f64)),
            0..6,
        ),
        scale in 0.01..10.0_f64,
        width in 300.0..1200.0_f64,
        height in 180.0..320.0_f64,
    ) {
        let count = curves.len();
        let curves: Vec<ShareCurve> = curves.into_iter().enumerate().map(|(n, (mut steps, p99_s))| {
            steps.sort_by(|a, b| a.0.total_cmp(&b.0));
            let all: f64 = steps.iter().map(|s| s.1).sum();
            let mut sum = 0.0;
            let steps = steps.into_iter().map(|(t, w)| { sum += w / all; (scale * t, sum) }).collect();
            ShareCurve { name: NAMES[n].into(), role: ROLES[n], steps, p99_s: p99_s.map(|s| scale * s) }
        }).collect();
        let shares = Shares { title: "Shares".into(), curves };
        let chart = layout_shares(&shares, width, height);
        sound(&chart, "shares");
        // Each policy is named once, on a stem or in the key, unless the picture is too low for its key.
        let all = texts(&chart.picture);
        for curve in &shares.curves[..count.min(4)] {
            let named = all.iter().filter(|text| text.starts_with(&curve.name)).count();
            let cut = curve.name.chars().take(8).collect::<String>();
            let cut = all.iter().filter(|text| text.starts_with(&cut)).count();
            prop_assert!(named == 1 || cut == 1, "{}: {:?}", curve.name, all);
        }
    }

    #[test]
    fn any_spread(
        samples in proptest::collection::vec((0.01..50.0_f64, 0.1..2.0_f64), 0..200),
        fit in prop::option::of((-2.0..4.0_f64, 0.05..1.5_f64)),
        quantiles in proptest::collection::vec(0.01..50.0_f64, 0..5),
        is_whole in any::<bool>(),
        width in 300.0..1200.0_f64,
    ) {
        let samples: Vec<(f64, f64)> = samples.into_iter()
            .map(|(v, w)| (if is_whole { libm::ceil(v) } else { v }, w)).collect();
        let spread = SpreadChart {
            title: "Spread".into(),
            x_title: "Value".into(),
            unit: "s".into(),
            decimals: 2,
            is_whole,
            is_even: fit.is_none(),
            samples,
            fit,
            quantiles: quantiles.into_iter().enumerate().map(|(n, q)| (format!("P{n}0"), q)).collect(),
        };
        let chart = layout_spread(&spread, width, 220.0);
        sound(&chart, "spread");
        // All samples are in bars: what these say adds up.
        let total: f64 = (0..chart.hits.len())
            .filter_map(|at| chart.description(at))
            .filter_map(|words| {
                let value = words.rows[0].1.replace('%', "");
                value.trim().trim_start_matches('<').parse::<f64>().ok()
            })
            .sum();
        if !spread.samples.is_empty() {
            prop_assert!((total - 100.0).abs() < 0.06 * chart.hits.len() as f64 + 0.1, "{total}");
        }
    }

    #[test]
    fn any_request(
        n in 1_usize..300,
        from_server in any::<bool>(),
        r_src in 2.0..80.0_f64,
        r_tgt in 2.0..80.0_f64,
        r_c in 1.0..12.0_f64,
        handover in prop::option::of((1_usize..40, 0.0..5.0_f64, 0.05..5.0_f64)),
        until in prop::option::of(0.05..200.0_f64),
        width in 300.0..1200.0_f64,
    ) {
        let source = if from_server { Writer::Server } else { Writer::Device };
        let handover = handover.filter(|(g, ..)| *g < n);
        let line = request(n, source, (r_src, r_tgt, r_c), handover);
        let chart = layout_tokens(&line, width, until.map(TimeView::until));
        sound(&chart, "request");
        let whole = layout_tokens(&line, width, Some(TimeView::until(line.end_s() * 1.01)));
        // All tokens can be reached where all is seen: written, ready, read; and the starts.
        prop_assert_eq!(whole.hits.len(), 3 * n + line.starts.iter().filter(|s| s.to_s > s.from_s).count());
    }

    #[test]
    fn any_front(
        curves in proptest::collection::vec(proptest::collection::vec((0.0..9.0_f64, 0.0..9.0_f64), 0..30), 0..5),
        now in prop::option::of(0_u8..30),
        width in 300.0..1200.0_f64,
        height in 180.0..320.0_f64,
    ) {
        let budget = |k: usize| k as f64 / 30.0;
        let curves = curves.into_iter().enumerate().map(|(n, points)| FrontCurve {
            name: NAMES[n].into(),
            role: ROLES[n],
            joined: [Interpolation::Line, Interpolation::Stairs, Interpolation::Apart][n % 3],
            points: points.into_iter().enumerate().map(|(k, (x, y))| TradeOffPoint { x, y, pick: budget(k), facts: Vec::new() }).collect(),
        }).collect();
        let front = TradeOffChart { curves, now: now.map(|k| budget(usize::from(k))), ..TradeOffChart::default() };
        let chart = layout_front(&front, width, height);
        sound(&chart, "front");
        for (at, spot) in chart.hits.iter().enumerate() {
            let (x, y) = (spot.visible_rect().x + 4.0, spot.visible_rect().y + 4.0);
            let found = chart.at(x, y).map(|hit| chart.hits[hit].visible_rect());
            // Where two points are on one place, either may answer.
            prop_assert_eq!(found, Some(spot.visible_rect()), "{}", at);
            prop_assert!(spot.pick.is_some());
        }
    }
}
