//! Points that are found and walked, cards, and lines in other styles: in steps, on doublings, thinned.

use super::*;
use crate::mark::{Mark, MarkShape};
use crate::scale::ParameterScale;
use crate::tests::kit::{both_themes, boxes, card_text, has, nothing_beyond, paths, words_apart};
use crate::tests::sample;
use crate::{Ink, InteractiveChart, NeighbourKey};

#[test]
fn points_are_found_and_walked() {
    let chart = layout_lines(&sample::sweep(), 480.0, 264.0);
    let (x, y) = chart.describer.all[11].at;
    assert_eq!(chart.at(x + 3.0, y + 3.0), Some(11));
    assert_eq!(chart.at(0.0, 0.0), None);
    // The points at 8192: Edgewise 7.0, Single 9.5, Heuristic 11.2, Even 12.4.
    assert_eq!(chart.neighbour(5, NeighbourKey::Above), Some(23));
    assert_eq!(chart.neighbour(23, NeighbourKey::Above), Some(11));
    assert_eq!(chart.neighbour(11, NeighbourKey::Below), Some(23));
    assert_eq!(chart.neighbour(5, NeighbourKey::Below), None);
    assert_eq!(chart.neighbour(5, NeighbourKey::Later), None);
    assert_eq!(chart.neighbour(5, NeighbourKey::Earlier), Some(4));
    assert_eq!(chart.neighbour(3, NeighbourKey::First), Some(0));
    assert_eq!(chart.neighbour(6, NeighbourKey::Last), Some(11));
    let spoken = chart.description(0).expect("a point").aria_label;
    assert_eq!(spoken, "Edgewise, 256 prompt tokens: 2.562\u{202f}s");
    assert!(chart.ring_of(0).is_some());
    let mut near = sample::sweep();
    near.now = Some(900.0);
    assert_eq!(layout_lines(&near, 480.0, 264.0).first(), Some(2));
    assert_eq!(chart.lit_by(0).marks.len(), chart.picture.marks.len() + 1);
    nothing_beyond(&chart);
}

#[test]
fn a_card_names_every_series_at_its_parameter() {
    let lines = sample::sweep();
    let chart = layout_lines(&lines, 480.0, 264.0);
    let card = [
        "Heuristic",
        "Prompt tokens: 512",
        "Heuristic: 2.983 s",
        "Edgewise: 2.658 s",
        "Even: 3.700 s",
        "Single: 6.191 s",
    ];
    assert_eq!(card_text(&chart, 7), card);
}

const TOKENS: LineStyle = LineStyle {
    steps: false,
    log: false,
    even: true,
    thinned: true,
};

/// Twelve strategies over a thousand tokens: what they took so far [s].
fn twelve() -> LineChart {
    let series = (0..12_u8).map(|n| {
        let pace = 0.4 + 0.07 * f64::from(n);
        Series {
            name: format!("Strategy {}", n + 1),
            role: match n {
                0 => SeriesRole::Ours,
                1 => SeriesRole::A,
                2 => SeriesRole::B,
                3 => SeriesRole::C,
                4 => SeriesRole::D,
                n => SeriesRole::More(n - 5),
            },
            points: (1..=1000)
                .map(f64::from)
                .map(|k| (k, Some(pace * k * (0.5 + k / 2000.0))))
                .collect(),
        }
    });
    LineChart {
        title: "Time so far over tokens".into(),
        x_title: "Tokens".into(),
        y_title: "Time so far".into(),
        y_unit: "s".into(),
        decimals: 1,
        now: Some(640.0),
        limit: None,
        series: series.collect(),
        ..LineChart::default()
    }
}

/// How much longer a step takes than the best one could: a ratio from 1 on.
fn ratios() -> LineChart {
    let mut lines = twelve();
    lines.y_title = "Time to the least possible".into();
    lines.y_unit = String::new();
    lines.decimals = 2;
    for (n, series) in lines.series.iter_mut().enumerate() {
        for (k, (_, y)) in series.points.iter_mut().enumerate() {
            let wave = ((k * 37 + n * 101) % 97) as f64 / 97.0;
            *y = (n == 0 || k > 3).then_some(1.0 + n as f64 * (0.2 + wave));
        }
    }
    lines
}

#[test]
fn twelve_strategies_do_not_overlap_at_every_width() {
    for (lines, log) in [(twelve(), false), (ratios(), true)] {
        let style = LineStyle { log, ..TOKENS };
        for width in [1110.0, 520.0, 390.0, 320.0] {
            let chart = layout_lines_styled(&lines, style, width, 264.0);
            words_apart(&chart.picture, &format!("{width}"));
            for a in boxes(&chart.picture) {
                assert!(a.x >= 0.0 && a.right() <= width + 1.0, "{width}: {a:?}");
            }
            for name in lines.series.iter().map(|series| &series.name) {
                let there = |mark: &Mark| matches!(&mark.shape, MarkShape::Text { text, .. } if text == name);
                assert!(chart.picture.marks.iter().any(there), "{width}: {name}");
            }
            assert!(
                chart.describer.all.len() <= 12 * 300,
                "{}",
                chart.describer.all.len()
            );
            assert!(chart.picture.marks.len() < 800);
        }
    }
}

#[test]
fn thinning_keeps_what_is_seen() {
    let mut lines = ratios();
    lines.series.truncate(3);
    // A peak and a dip of one token are seen wherever in their pixel they stand.
    for (at, y) in (500..506).flat_map(|at| [(at, 9.0), (at, 0.5)]) {
        let mut lines = lines.clone();
        lines.series[0].points[at].1 = Some(y);
        let chart = layout_lines_styled(&lines, TOKENS, 390.0, 264.0);
        let path = paths(&chart.picture, Ink::SeriesOurs, 1.4).concat();
        let ends = path.iter().map(|at| at.1);
        let (low, high) = ends.fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), y| {
            (a.min(y), b.max(y))
        });
        assert!(high - low > 5.0, "{at} {y}: {low} {high}");
    }
    lines.series[0].points[500].1 = Some(9.0);
    let chart = layout_lines_styled(&lines, TOKENS, 390.0, 264.0);
    let full = layout_lines_styled(
        &lines,
        LineStyle {
            thinned: false,
            ..TOKENS
        },
        390.0,
        264.0,
    );
    for ink in [Ink::SeriesOurs, Ink::SeriesA, Ink::SeriesB] {
        let ends = |chart: &InteractiveChart<PointsDescriber>| {
            let all: Vec<f64> = paths(&chart.picture, ink, 1.4)
                .concat()
                .iter()
                .map(|at| at.1)
                .collect();
            let low = all.iter().copied().fold(f64::INFINITY, f64::min);
            (low, all.iter().copied().fold(0.0, f64::max), all.len())
        };
        let (thin, all) = (ends(&chart), ends(&full));
        assert_eq!((thin.0, thin.1), (all.0, all.1), "{ink:?}");
        // At most four points for a pixel's width.
        assert!(thin.2 as f64 <= 4.0 * chart.plot.w + 8.0, "{}", thin.2);
    }
    // All series are pointed at where one is, and the last token is there.
    let xs = |series: usize| -> Vec<f64> {
        let own = chart
            .describer
            .all
            .iter()
            .filter(|hit| hit.series == series);
        own.map(|hit| hit.x).filter(|x| *x > 4.0).collect()
    };
    assert_eq!(xs(0), xs(1));
    assert_eq!(xs(0).last(), Some(&1000.0));
    let own = |point: &Point| point.series == 1 && point.x >= 640.0;
    let at = chart.describer.all.iter().position(own).expect("a point");
    let words = chart.description(at).expect("a point");
    assert_eq!(words.rows.len(), 4);
    assert!(
        words.rows[1].1.ends_with(|c: char| c.is_ascii_digit()),
        "no unit"
    );
    assert!(
        chart.neighbour(at, NeighbourKey::Below).is_some()
            || chart.neighbour(at, NeighbourKey::Above).is_some()
    );
    // A gap stays one.
    let mut gap = twelve();
    gap.series.truncate(1);
    gap.series[0].points[400..500].fill((450.0, None));
    let chart = layout_lines_styled(&gap, TOKENS, 390.0, 264.0);
    assert_eq!(paths(&chart.picture, Ink::SeriesOurs, 1.4).len(), 2);
}

#[test]
fn steps_have_corners() {
    let mut lines = sample::sweep();
    lines.series.truncate(1);
    let style = LineStyle {
        steps: true,
        ..LineStyle::default()
    };
    for style in [
        style,
        LineStyle {
            thinned: true,
            ..style
        },
    ] {
        let chart = layout_lines_styled(&lines, style, 480.0, 264.0);
        let path = paths(&chart.picture, Ink::SeriesOurs, 1.4).concat();
        assert_eq!(path.len(), 11);
        for pair in path.windows(2) {
            assert!(pair[0].0 == pair[1].0 || pair[0].1 == pair[1].1, "{pair:?}");
        }
    }
}

#[test]
fn ratios_are_on_doublings() {
    let lines = ratios();
    let style = LineStyle {
        log: true,
        ..TOKENS
    };
    let chart = layout_lines_styled(&lines, style, 520.0, 264.0);
    has(
        &chart.picture,
        &["Time to the least possible, log scale", "1", "2", "5", "10"],
    );
    // Equal factors take the same way.
    let y = |value: f64| {
        let near = |hit: &&Point| (hit.y / value - 1.0).abs() < 0.02;
        chart.describer.all.iter().find(near).map(|hit| hit.at.1)
    };
    let ways: Vec<f64> = [1.5, 3.0, 6.0]
        .iter()
        .filter_map(|value| y(*value))
        .collect();
    assert_eq!(ways.len(), 3);
    assert!(
        ((ways[0] - ways[1]) - (ways[1] - ways[2])).abs() < 6.0,
        "{ways:?}"
    );
    // Where it spans much and is low, ticks give way.
    let mut wide = ratios();
    wide.series.truncate(1);
    wide.series[0].points[7].1 = Some(1e6);
    let low = layout_lines_styled(&wide, style, 520.0, 130.0);
    words_apart(&low.picture, "low");
    // What is not above zero is a gap; little spans have round ticks too; nothing at all does not break it.
    let mut some = ratios();
    some.series.truncate(1);
    for (k, (_, y)) in some.series[0].points.iter_mut().enumerate() {
        *y = Some(if k % 2 == 0 {
            1.0 + k as f64 * 1e-4
        } else {
            0.0
        });
    }
    let chart = layout_lines_styled(&some, style, 520.0, 264.0);
    assert!(
        chart
            .describer
            .all
            .iter()
            .all(|hit| hit.y >= 1.0 && hit.at.1.is_finite())
    );
    for lines in [some, LineChart::default()] {
        let chart = layout_lines_styled(&lines, style, 520.0, 264.0);
        assert!(boxes(&chart.picture).len() >= 3);
    }
}

#[test]
fn tokens_have_a_straight_axis() {
    let chart = layout_lines_styled(&twelve(), TOKENS, 520.0, 264.0);
    assert!(matches!(
        chart.current_value.as_ref().expect("a dial").scale,
        ParameterScale::Straight(_)
    ));
    let usual = layout_lines(&twelve(), 520.0, 264.0);
    assert!(usual.current_value.as_ref().expect("a dial").scale.is_log());
    let middle = chart
        .current_value
        .as_ref()
        .expect("a dial")
        .scale
        .px_from_value(500.5);
    assert!(
        (middle
            - (chart
                .current_value
                .as_ref()
                .expect("a dial")
                .scale
                .px_from_value(1.0)
                + chart
                    .current_value
                    .as_ref()
                    .expect("a dial")
                    .scale
                    .px_from_value(1000.0))
                / 2.0)
            .abs()
            < 1e-9
    );
}

#[test]
fn twelve_looks_differ() {
    let roles: Vec<SeriesRole> = twelve().series.iter().map(|series| series.role).collect();
    for (i, a) in roles.iter().enumerate() {
        for b in &roles[..i] {
            let same = a.look() == b.look();
            assert!(
                !same || (*a, *b) == (SeriesRole::More(6), SeriesRole::More(0)),
                "{a:?} {b:?}"
            );
        }
    }
}

#[test]
fn many_lines_have_a_layout_in_no_time() {
    let lines = twelve();
    let start = std::time::Instant::now();
    let chart = layout_lines_styled(&lines, TOKENS, 1110.0, 300.0);
    println!(
        "12 lines of 1000 points: {:?}, {} marks",
        start.elapsed(),
        chart.picture.marks.len()
    );
    for svg in both_themes(&chart.picture) {
        assert!(svg.contains("Time so far, s"));
    }
}

#[test]
fn means_replace_points_that_jump() {
    let mut lines = ratios();
    lines.series[1].points[20..40].fill((40.0, None));
    lines.series[1].points[45].1 = Some(f64::NAN);
    let means = lines.averaged(20);
    for (series, all) in means.series.iter().zip(&lines.series) {
        assert_eq!(series.points.len(), 50);
        assert_eq!(series.points[31].0, 640.0);
        let own = all.points[620..640].iter().filter_map(|(_, y)| *y);
        let mean = own.sum::<f64>() / 20.0;
        assert!(
            series.points[31]
                .1
                .is_some_and(|y| (y - mean).abs() < 1e-12)
        );
    }
    assert_eq!(means.series[1].points[1].1, None);
    assert!(means.series[1].points[2].1.is_some_and(f64::is_finite));
    assert_eq!(lines.averaged(0).series[0], lines.series[0]);
}

#[test]
fn thinned_lines_show_their_points_in_the_view() {
    let all = sample::sweep();
    let xs = |lines: &LineChart| -> Vec<f64> {
        let points = lines.series.iter().flat_map(|series| &series.points);
        points.map(|(x, _)| *x).collect()
    };
    let (from_s, to_s) = (xs(&all)[1], xs(&all)[2]);
    let part = all.within(crate::TimeView { from_s, to_s });
    assert!(!xs(&part).is_empty() && xs(&part).len() < xs(&all).len());
    assert!(xs(&part).iter().all(|x| (from_s..=to_s).contains(x)));
    assert_eq!(part.series.len(), all.series.len());
}
