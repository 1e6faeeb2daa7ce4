//! An answer about attention heads as charts: heads by device and token, the time of every token, rules over the
//! tokens and over draws.

use super::{device_name, rule_name};
use chart::{
    BlockMove, DeviceRow, HeadMap, HeadSpan, HostedBlock, LineChart, MovedBlock, PhaseTimes,
    RangeBar, RangeChart, RangeRole, RangeRow, Series, SeriesRole, TokenTimes,
};
use engine::scenario::heads::Scenario;
use engine::sim::Spread;
use engine::units::{NARROW, percent};
use planner::heads::{HeadsPlan, Strategy, Track, ours};
use planner::heads_run::Comparison;

/// The most points of a line of ratios.
const MOST_MEANS: usize = 50;

/// The run as the map takes it.
#[must_use]
pub fn map_of(scenario: &Scenario, planned: &HeadsPlan) -> HeadMap {
    let heads = scenario.model.placed_heads() as usize;
    let count = planned.places.len();
    let devices = planned.places.iter().map(|listed| DeviceRow {
        name: device_name(scenario, *listed),
        shade: *listed,
        note: format!("{:.1}", scenario.devices[*listed].compute_gops),
        is_controller: *listed == scenario.controller,
    });
    let mut spans = Vec::new();
    let (mut projection, mut ffn) = (Vec::new(), Vec::new());
    for segment in &planned.segments {
        let (from, to) = (segment.from as usize, segment.to as usize);
        for (device, heads) in segment.layout.heads_on(count).into_iter().enumerate() {
            extend(&mut spans, device, heads, from, to);
        }
        if let Some(placement) = segment.layout.placement() {
            run(&mut projection, placement[heads], from, to);
            run(&mut ffn, placement[heads + 1], from, to);
        }
    }
    let moved = planned.moves.iter().map(|m| BlockMove {
        token: m.token as usize,
        block: match m.block.checked_sub(heads) {
            None => MovedBlock::Head(m.block),
            Some(0) => MovedBlock::Projection,
            Some(_) => MovedBlock::Ffn,
        },
        from: m.from,
        to: m.to,
        bytes: m.bytes,
        seconds: m.seconds,
    });
    HeadMap {
        note_title: "Gop/s".to_owned(),
        devices: devices.collect(),
        tokens: planned.tokens as usize,
        spans,
        projection,
        ffn,
        moves: moved.collect(),
        // A whole number in range, as checked.
        interval: scenario.interval_tokens as usize,
        at: None,
    }
}

/// Adds heads on a device for some tokens, to the span before where that goes on.
fn extend(spans: &mut Vec<HeadSpan>, device: usize, heads: usize, from: usize, to: usize) {
    if heads == 0 {
        return;
    }
    // Of a device, the span before is among the last so many as there are devices.
    let before = spans.iter_mut().rev().find(|span| span.device == device);
    match before {
        Some(span) if span.heads == heads && span.to + 1 == from => span.to = to,
        _ => spans.push(HeadSpan {
            device,
            from,
            to,
            heads,
        }),
    }
}

fn run(runs: &mut Vec<HostedBlock>, device: usize, from: usize, to: usize) {
    match runs.last_mut() {
        Some(run) if run.device == device && run.to + 1 == from => run.to = to,
        _ => runs.push(HostedBlock { device, from, to }),
    }
}

/// The parts of every token’s time.
#[must_use]
pub fn times_of(planned: &HeadsPlan) -> TokenTimes {
    let times = &planned.times;
    let token = |at: usize| PhaseTimes {
        heads_s: times.head_stage[at],
        blocks_s: times.proj[at] + times.ffn[at],
        transfer_s: times.transfer[at],
        moving_s: times.moving[at],
    };
    TokenTimes {
        tokens: (0..times.elapsed.len()).map(token).collect(),
        at: None,
    }
}

/// Quantity of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenSeries {
    /// Time until then.
    Time,
    /// The largest memory of a device.
    Memory,
    /// How far each choice was from the best one.
    Gap,
}

impl TokenSeries {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Time, Self::Memory, Self::Gap];
}

fn points(what: TokenSeries, track: &Track) -> Vec<(f64, Option<f64>)> {
    let along = |values: &[f64], scale: f64| {
        let pairs = track.at.iter().zip(values);
        pairs
            .map(|(at, value)| (f64::from(*at), Some(value * scale)))
            .collect()
    };
    match what {
        TokenSeries::Time => along(&track.elapsed, 1.0),
        TokenSeries::Memory => along(&track.peak_memory, 1e-6),
        TokenSeries::Gap => {
            let gaps = track.gaps.iter();
            gaps.map(|gap| (f64::from(gap.n), Some(gap.ratio)))
                .collect()
        }
    }
}

fn role(at: usize) -> SeriesRole {
    match at {
        0 => SeriesRole::A,
        1 => SeriesRole::B,
        2 => SeriesRole::C,
        3 => SeriesRole::D,
        n => SeriesRole::More((n - 4) as u8),
    }
}

/// Every rule over the tokens, ours first.
#[must_use]
pub fn tracks(
    scenario: &Scenario,
    planned: &HeadsPlan,
    others: &[Track],
    what: TokenSeries,
) -> LineChart {
    let times = &planned.times;
    let own = |values: &[f64], scale: f64| {
        let pairs = (1..).zip(values);
        pairs
            .map(|(at, value)| (f64::from(at), Some(value * scale)))
            .collect::<Vec<_>>()
    };
    let mut series = vec![Series {
        name: rule_name(ours(scenario)),
        role: SeriesRole::Ours,
        points: match what {
            TokenSeries::Time => own(&times.elapsed, 1.0),
            TokenSeries::Memory => own(&times.peak_memory, 1e-6),
            // Ours is the optimum that the others are held against.
            TokenSeries::Gap => Vec::new(),
        },
    }];
    // A split layer is no placement to compare with the best one.
    let is_shown = |track: &&Track| what != TokenSeries::Gap || !track.strategy.splits_blocks();
    let tracks = others.iter().filter(is_shown).enumerate();
    series.extend(tracks.map(|(at, track)| Series {
        name: rule_name(track.strategy),
        role: role(at),
        points: points(what, track),
    }));
    series.retain(|line| !line.points.is_empty());
    let (title, y_title, y_unit, decimals) = match what {
        TokenSeries::Time => ("Elapsed time by token", "Elapsed time", "s", 2),
        TokenSeries::Memory => ("Largest memory of a device", "Largest memory", "MB", 1),
        TokenSeries::Gap => (
            "J of each choice over the least J from the same previous placement",
            "\u{d7} optimum",
            "",
            3,
        ),
    };
    // A rule’s choices are good and bad from token to token: means are drawn, so that twelve lines can be distinguished.
    let most = series
        .iter()
        .map(|line| line.points.len())
        .max()
        .unwrap_or(0);
    let size = if what == TokenSeries::Gap {
        most.div_ceil(MOST_MEANS)
    } else {
        1
    };
    let lines = LineChart {
        title: title.to_owned(),
        x_title: "Token".to_owned(),
        y_title: y_title.to_owned(),
        y_unit: y_unit.to_owned(),
        decimals,
        now: None,
        limit: None,
        series,
        ..LineChart::default()
    };
    if size > 1 {
        lines.averaged(size)
    } else {
        lines
    }
}

/// Seconds, never minutes: figures that are compared are in one unit.
#[must_use]
pub fn plain(seconds: f64) -> String {
    let digits = match seconds {
        s if s >= 100.0 => 1,
        s if s >= 10.0 => 2,
        s if s >= 0.1 || s == 0.0 => 3,
        s if s >= 0.01 => 4,
        _ => 6,
    };
    format!("{seconds:.digits$}{NARROW}s")
}

/// Every rule over the draws that it came through, ours first.
#[must_use]
pub fn ranges(drawn: &Comparison) -> RangeChart {
    let row = |(at, rule): (usize, &Strategy)| {
        let Spread {
            min,
            mean,
            max,
            runs,
            ..
        } = drawn.seconds(at)?.spread;
        let bar = RangeBar {
            least: min,
            mean,
            most: max,
            role: match (at, rule.splits_blocks()) {
                (0, _) => RangeRole::Ours,
                (_, true) => RangeRole::Apart,
                _ => RangeRole::Other,
            },
            label: plain(mean),
        };
        // By how much ours is faster, each draw beside itself.
        let later = drawn.difference(at, 0).zip(drawn.ratio(0, at));
        let beside = match (at, rule.splits_blocks(), later) {
            (0, _, _) => ["", ""].map(str::to_owned),
            (_, true, _) => ["splits the FFN, not ranked", ""].map(str::to_owned),
            (_, _, None) => ["other draws", ""].map(str::to_owned),
            (_, _, Some((later, ours))) => {
                let (gain, share) = (later.spread.mean, 100.0 * (1.0 - ours.spread.mean));
                let sign = |value: f64| if value < 0.0 { "\u{2212}" } else { "" };
                [
                    format!("{}{}", sign(gain), plain(gain.abs())),
                    format!("{}{}", sign(share), percent(share.abs(), 1)),
                ]
            }
        };
        let failed = drawn.failed(at);
        Some(RangeRow {
            name: rule_name(*rule),
            note: match failed {
                0 => String::new(),
                failed => format!("{failed} failed"),
            },
            bar,
            aria_label: format!(
                "mean {}, from {} to {}, {runs} draws",
                plain(mean),
                plain(min),
                plain(max)
            ),
            figures: beside.into(),
        })
    };
    let rows = drawn.strategies().iter().enumerate().filter_map(row);
    RangeChart {
        heads: ["Plan", "Mean, min and max", "Edgewise faster by"].map(str::to_owned),
        rows: rows.collect(),
    }
}
