//! Realistic data for the tests: LLaMA-3-70b as it is assumed to answer, and a Xiaomi 14, by the formulas alone.

mod odd;
mod picture;

use super::*;
use crate::TimeView;
use crate::lines::SeriesRole;
use crate::mark::{Mark, MarkShape, Rect};
use crate::tests::kit::{assert_readable, both_themes, boxes, card_text, has, paths, sound, texts};
use crate::{
    ChartHandle, FrontCurve, Interpolation, NeighbourKey, TradeOffChart, TradeOffPoint,
    layout_front,
};
use engine::units::percent;

const WIDTHS: [f64; 7] = [1100.0, 720.0, 560.0, 559.0, 390.0, 350.0, 300.0];

/// The normal density.
fn bell(z: f64) -> f64 {
    libm::exp(-0.5 * z * z)
}

/// Prompts as the instructions of Alpaca are long.
fn prompts() -> Vec<(f64, f64)> {
    let weight = |l: f64| bell((libm::log(l) - 2.7156) / 0.7) / l;
    (4..=512)
        .map(|l| (f64::from(l), weight(f64::from(l))))
        .collect()
}

/// First tokens of the server: mid-point quantiles of a log-normal law.
fn server_times(n: u32) -> Vec<f64> {
    // The inverse of the normal distribution by halving, which is enough here.
    let inverse = |u: f64| {
        let (mut low, mut high) = (-8.0, 8.0);
        for _ in 0..60 {
            let z = (low + high) / 2.0;
            if 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2) < u {
                low = z
            } else {
                high = z
            }
        }
        low
    };
    let time = |k: u32| libm::exp(-0.161 + 0.426 * inverse((f64::from(k) + 0.5) / f64::from(n)));
    (0..n).map(time).collect()
}

fn device_s(length: f64) -> f64 {
    length / 79.9
}

fn curve(name: &str, role: SeriesRole, wait: impl Fn(f64) -> Option<f64>) -> WaitCurve {
    let points = prompts().into_iter().map(|(length, _)| WaitPoint {
        length,
        wait_s: wait(length),
        other: None,
    });
    WaitCurve {
        name: name.into(),
        role,
        points: points.collect(),
    }
}

/// The waits of the mock: ours just in time for the tail between 13 and 24 tokens, the published rule's tail wait.
fn waits() -> WaitsChart {
    let mut ours = curve("Edgewise", SeriesRole::Ours, |l| match l {
        l if l <= 12.0 => Some(0.0),
        l if l <= 24.0 => Some(1.77 - device_s(l)),
        _ => None,
    });
    ours.points[8].other = Some((Some(1.6), 0.4));
    let rule = curve("DiSCo-D", SeriesRole::A, |l| match l {
        l if l <= 9.0 => Some(0.0),
        10.0 => Some(0.43),
        _ => Some(1.46),
    });
    WaitsChart {
        title: "How long the device waits".into(),
        waiting: ScarceSide::Device,
        prompts: prompts(),
        curves: vec![ours, rule],
    }
}

/// The server scarce: asked for long prompts, and for some of those at the border.
fn asked() -> WaitsChart {
    let mut ours = curve("Edgewise", SeriesRole::Ours, |l| (l >= 24.0).then_some(0.0));
    ours.points[19].other = Some((Some(0.0), 0.42));
    let never = curve("All device", SeriesRole::D, |_| None);
    WaitsChart {
        title: "Which prompts also ask the server".into(),
        waiting: ScarceSide::Server,
        prompts: prompts(),
        curves: vec![ours, never],
    }
}

/// The law of a policy over all prompts and times.
fn law(name: &str, role: SeriesRole, first: impl Fn(f64, f64) -> f64) -> ShareCurve {
    let times = server_times(200);
    let all: f64 = prompts().iter().map(|p| p.1).sum();
    let mut steps: Vec<(f64, f64)> = Vec::new();
    for (length, weight) in prompts() {
        let each = weight / all / times.len() as f64;
        steps.extend(times.iter().map(|t| (first(length, *t), each)));
    }
    steps.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sum = 0.0;
    for step in &mut steps {
        sum += step.1;
        step.1 = sum;
    }
    let p99_s = steps.iter().find(|step| step.1 >= 0.99).map(|step| step.0);
    ShareCurve {
        name: name.into(),
        role,
        steps,
        p99_s,
    }
}

fn shares() -> Shares {
    let waits = waits();
    let raced = |n: usize| {
        let curve = waits.curves[n].clone();
        move |l: f64, t: f64| {
            let point = curve.points.iter().find(|point| point.length == l);
            match point.and_then(|point| point.wait_s) {
                Some(w) if t > w => t.min(w + device_s(l)),
                _ => t,
            }
        }
    };
    Shares {
        title: "Time to first token".into(),
        curves: vec![
            law("Edgewise", SeriesRole::Ours, raced(0)),
            law("DiSCo-D", SeriesRole::A, raced(1)),
            law("All server", SeriesRole::B, |_, t| t),
            law("Stochastic", SeriesRole::C, |l, t| {
                if (l as usize * 7919 + (t * 1e6) as usize).is_multiple_of(5) {
                    device_s(l)
                } else {
                    t
                }
            }),
            law("All device", SeriesRole::D, |l, _| device_s(l)),
        ],
    }
}

/// A request as the referee would time it, with a hand-over after `g` tokens that takes `takes_s`.
fn request(
    n: usize,
    source: Writer,
    (r_src, r_tgt, r_c): (f64, f64, f64),
    handover: Option<(usize, f64, f64)>,
) -> TokenLine {
    let first = 0.15;
    let other = match source {
        Writer::Device => Writer::Server,
        Writer::Server => Writer::Device,
    };
    let mut line = TokenLine {
        title: "One request, token by token".into(),
        device: "Xiaomi 14".into(),
        server: "LLaMA-3-70b".into(),
        device_rate: if source == Writer::Device {
            r_src
        } else {
            r_tgt
        },
        server_rate: if source == Writer::Device {
            r_tgt
        } else {
            r_src
        },
        reader_rate: r_c,
        ..TokenLine::default()
    };
    let start = |by, from_s, to_s, is_stopped, planned_s| RaceStart {
        by,
        from_s,
        to_s,
        is_stopped,
        planned_s,
    };
    line.starts.push(start(source, 0.0, first, false, None));
    line.starts.push(start(other, 0.0, first, true, None));
    for j in 0..n {
        let at = match handover {
            Some((g, takes, _)) if j >= g => {
                first + (g - 1) as f64 / r_src + takes + (j - g) as f64 / r_tgt
            }
            _ => first + j as f64 / r_src,
        };
        line.available_s.push(at);
        let wanted = line.shown_s.last().map_or(at, |last| last + 1.0 / r_c);
        line.shown_s.push(at.max(wanted));
        line.writers.push(match handover {
            Some((g, ..)) if j >= g => other,
            _ => source,
        });
    }
    if let Some((g, takes, planned)) = handover {
        let at_s = first + (g - 1) as f64 / r_src;
        line.handover = Some(ChartHandover {
            at_s,
            after: g,
            needed: libm::ceil(r_c * planned) as usize,
        });
        line.starts
            .push(start(other, at_s, at_s + takes, false, Some(planned)));
    }
    line
}

/// Requests of every kind: as in the mock, the other way round, without a hand-over, stalled, long.
fn requests() -> Vec<(&'static str, TokenLine)> {
    let rates = (21.47, 60.0, 4.78);
    let device = Writer::Device;
    vec![
        ("mock", request(128, device, rates, Some((15, 1.10, 2.29)))),
        (
            "back",
            request(
                128,
                Writer::Server,
                (60.0, 21.47, 4.78),
                Some((9, 0.35, 0.41)),
            ),
        ),
        ("alone", request(128, device, (13.93, 60.0, 4.78), None)),
        (
            "served",
            request(58, Writer::Server, (60.0, 21.47, 4.78), None),
        ),
        (
            "stalled",
            request(128, device, rates, Some((15, 4.3, 2.29))),
        ),
        ("slow", request(64, device, (3.9, 60.0, 4.78), None)),
        ("long", request(4096, device, rates, Some((15, 1.10, 2.29)))),
        ("longalone", request(4096, device, rates, None)),
        ("one", request(1, device, rates, None)),
    ]
}

fn spread_of_times() -> SpreadChart {
    // Some noise, so that the bars are not the law itself.
    let noisy = server_times(600).into_iter().enumerate();
    SpreadChart {
        title: "Time to first token of the server".into(),
        x_title: "Time to first token, s".into(),
        unit: "s".into(),
        decimals: 2,
        is_whole: false,
        is_even: false,
        samples: noisy
            .map(|(k, t)| (t * (1.0 + 0.05 * ((k * 37 % 11) as f64 / 5.0 - 1.0)), 1.0))
            .collect(),
        fit: Some((-0.161, 0.426)),
        quantiles: vec![
            ("median".into(), 0.85),
            ("P90".into(), 1.47),
            ("P99".into(), 2.29),
        ],
    }
}

fn spread_of_prompts() -> SpreadChart {
    SpreadChart {
        title: "Prompt lengths".into(),
        x_title: "Prompt tokens".into(),
        unit: "tokens".into(),
        decimals: 0,
        is_whole: true,
        is_even: false,
        samples: prompts(),
        fit: Some((2.7156, 0.7)),
        quantiles: vec![
            ("median".into(), 15.0),
            ("mean".into(), 19.3),
            ("P99".into(), 77.0),
        ],
    }
}

fn front() -> TradeOffChart {
    let curve = |name: &str, role, a: f64| FrontCurve {
        name: name.into(),
        role,
        joined: Interpolation::Line,
        points: (0..=20)
            .map(|k| f64::from(k) / 20.0)
            .map(|budget| TradeOffPoint {
                x: 0.059 + 0.085 * budget + 0.01 * a,
                y: 0.24 + 0.69 * libm::pow(1.0 - budget, 2.0 + a),
                pick: budget,
                facts: vec![("Budget".to_owned(), percent(100.0 * budget, 0))],
            })
            .collect(),
    };
    TradeOffChart {
        title: "Cost against time to first token".into(),
        x_title: "Cost of 1000 requests".into(),
        x_unit: "$".into(),
        y_title: "Mean first token".into(),
        y_unit: "s".into(),
        decimals: (4, 3),
        now: Some(0.2),
        now_words: "now, 20\u{202f}%".into(),
        curves: vec![
            curve("Edgewise", SeriesRole::Ours, 1.0),
            curve("DiSCo-D", SeriesRole::A, 0.4),
            curve("Stochastic", SeriesRole::C, -1.0),
        ],
    }
}

/// Every chart at a width, by name.
fn all_at(width: f64) -> Vec<(String, ChartHandle)> {
    let charts = [
        (
            "waits",
            ChartHandle::of(layout_waits(&waits(), width, 292.0)),
        ),
        (
            "asked",
            ChartHandle::of(layout_waits(&asked(), width, 240.0)),
        ),
        (
            "shares",
            ChartHandle::of(layout_shares(&shares(), width, 292.0)),
        ),
        (
            "times",
            ChartHandle::of(layout_spread(&spread_of_times(), width, 220.0)),
        ),
        (
            "prompts",
            ChartHandle::of(layout_spread(&spread_of_prompts(), width, 220.0)),
        ),
        (
            "front",
            ChartHandle::of(layout_front(&front(), width, 280.0)),
        ),
    ];
    let mut all: Vec<_> = charts.map(|(name, chart)| (name.to_owned(), chart)).into();
    for (name, line) in requests() {
        for seen in [None, Some(TimeView::until(line.end_s()))] {
            let chart = ChartHandle::of(layout_tokens(&line, width, seen));
            all.push((format!("tokens-{name} {seen:?}"), chart));
        }
    }
    all
}
