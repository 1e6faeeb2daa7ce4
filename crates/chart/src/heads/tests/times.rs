//! Times of tokens: that bars are on the map's axis, that their parts add up, and what is said of them.

use super::*;
use crate::heads::times::TokenBar;
use crate::ink::Ink;

const HEIGHT: f64 = 150.0;

fn sample_times() -> (HeadIndex, TimesIndex, TokenTimes) {
    let (map, times) = sample::heads((25, 32), 1000, 40, 7);
    (HeadIndex::of(&map), TimesIndex::of(&times), times)
}

fn even(parts: [f64; 4], tokens: usize) -> TokenTimes {
    let one = PhaseTimes {
        heads_s: parts[0],
        blocks_s: parts[1],
        transfer_s: parts[2],
        moving_s: parts[3],
    };
    TokenTimes {
        tokens: vec![one; tokens],
        at: None,
    }
}

fn alone(times: &TokenTimes, width: f64, left: f64) -> InteractiveChart<TimesMarks> {
    let view = TimeView::until(times.tokens.len() as f64);
    TimesIndex::of(times).layout(width, HEIGHT, (left, width - 2.0), view)
}

#[test]
fn bars_line_up_with_the_map_above() {
    let (map, times, _) = sample_times();
    let times = times.scrubbed(Some(640));
    for width in WIDTHS {
        for (from_s, to_s) in [(0.0, 1000.0), (300.0, 700.0), (600.5, 680.25)] {
            let view = TimeView { from_s, to_s };
            let above = map.layout(width, view);
            let chart = times.layout(width, HEIGHT, map.plot_px(width), view);
            assert_eq!(
                chart.scale().expect("an axis"),
                above.scale().expect("an axis")
            );
            assert_readable(&chart.picture, &format!("{width} {from_s}"));
            assert_eq!(chart.picture.height, HEIGHT);
            let (left, right) = chart.scale().expect("an axis").ends_px();
            assert!(chart.describer.bars.len() as f64 <= (right - left) / 6.0 + 2.0);
            for pair in chart.describer.bars.windows(2) {
                assert_eq!(pair[0].to + 1, pair[1].from);
                assert!((pair[0].rect.right() - pair[1].rect.x).abs() < 1e-9);
            }
            // Bars of both charts hold the same tokens.
            let share = |hit: &&HeadHit| matches!(hit.meaning, HeadPart::Share { .. });
            for hit in above.describer.all.iter().filter(share) {
                let same = |bar: &TokenBar| (bar.from, bar.to) == (hit.from, hit.to);
                assert!(chart.describer.bars.iter().any(same), "{hit:?}");
            }
        }
    }
}

#[test]
fn a_bar_is_the_mean_of_its_tokens() {
    let (map, index, times) = sample_times();
    let chart = index.layout(1110.0, HEIGHT, map.plot_px(1110.0), TimeView::until(1000.0));
    for (at, hit) in chart.describer.bars.iter().enumerate() {
        let own = &times.tokens[hit.from - 1..hit.to];
        let all: f64 = own.iter().map(PhaseTimes::total_s).sum();
        let mean = all / own.len() as f64;
        let said = chart.description(at).expect("a bar").rows[0].1.clone();
        let figure: f64 = said
            .split(NARROW)
            .next()
            .map_or(f64::NAN, |text| text.parse().unwrap_or(f64::NAN));
        let unit = if said.ends_with("ms") { 1e-3 } else { 1.0 };
        assert!((figure * unit - mean).abs() <= 0.51e-3, "{said} {mean}");
    }
    // As high as they are long, and the highest below the edge.
    let of = |hit: &TokenBar| {
        let own = &times.tokens[hit.from - 1..hit.to];
        own.iter().map(PhaseTimes::total_s).sum::<f64>() / own.len() as f64
    };
    let (low, high) = (
        &chart.describer.bars[10],
        &chart.describer.bars[chart.describer.bars.len() - 1],
    );
    assert!((low.rect.h / high.rect.h - of(low) / of(high)).abs() < 0.03);
    assert!(high.rect.y >= 8.0);
}

#[test]
fn each_phase_is_seen_however_short() {
    let times = even([1e-6, 0.7, 1e-9, 1e-7], 20);
    let chart = alone(&times, 968.0, 120.0);
    for ink in [Ink::HeadStageFill, Ink::ComputeFill, Ink::TransferFill] {
        let bars = chart.picture.marks.iter().filter(|mark| mark.ink == ink);
        assert!(bars.clone().count() >= 20, "{ink:?}");
        for bar in bars {
            let MarkShape::Rect { rect, .. } = bar.shape else {
                panic!("a bar is a rectangle: {bar:?}");
            };
            assert!(rect.h >= 1.0, "{bar:?}");
        }
    }
    // Moving has its line where there is room for it.
    let lines = |times: &TokenTimes| {
        let chart = alone(times, 968.0, 120.0);
        let line = |mark: &&Mark| mark.ink == Ink::MoveLine;
        chart.picture.marks.iter().filter(line).count()
    };
    assert_eq!(lines(&times), 0);
    assert_eq!(lines(&even([0.1, 0.5, 0.1, 0.3], 20)), 20);
    assert_eq!(lines(&even([0.1, 0.5, 0.1, 0.0], 20)), 0);
}

#[test]
fn a_bar_speaks() {
    let times = even([0.042, 0.731, 0.008, 0.009], 1000);
    let chart = alone(&times, 358.0, 48.0);
    let index = TimesIndex::of(&times);
    let line = index.sentence(630).expect("a token");
    assert_eq!(
        line,
        "Token 630: 0.790\u{202f}s = 0.042 head stage + 0.731 projection, FFN + 0.008 transfer + 0.009 moving"
    );
    assert_eq!(index.sentence(1001), None);
    let words = chart.description(31).expect("a bar");
    assert_eq!(words.title, "Tokens 621–640");
    let row = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        words.rows,
        [
            row("Mean per token", "0.790\u{202f}s"),
            row("Moving", "0.009\u{202f}s, 1.1\u{202f}%"),
            row("Transfer", "0.008\u{202f}s, 1.0\u{202f}%"),
            row("Projection, FFN", "0.731\u{202f}s, 92.5\u{202f}%"),
            row("Head stage", "0.042\u{202f}s, 5.3\u{202f}%"),
            row("All 20 tokens", "15.80\u{202f}s"),
        ]
    );
    assert!(
        words
            .aria_label
            .starts_with("tokens 621 to 640, 0.790 seconds per token: head stage")
    );
    let one = alone(&even([0.0421, 0.731, 0.0, 0.0], 12), 358.0, 48.0);
    assert_eq!(one.description(3).expect("a bar").title, "Token 4");
    assert_eq!(one.description(99), None);
    let short = alone(&even([0.001, 0.002, 0.0, 0.0], 12), 358.0, 0.0);
    assert!(texts(&short.picture).contains(&"Milliseconds".to_owned()));
    let described = TimesIndex::of(&times).describe();
    assert_eq!(
        described,
        "Time per token over 1000 tokens: 0.790 seconds at the first, 0.790 seconds at the last."
    );
}

#[test]
fn bars_are_found_in_their_whole_column_and_walked() {
    let (map, times, _) = sample_times();
    let view = TimeView {
        from_s: 300.0,
        to_s: 700.0,
    };
    let chart = times.layout(968.0, HEIGHT, map.plot_px(968.0), view);
    for (at, hit) in chart.describer.bars.iter().enumerate() {
        let x = hit.rect.x + hit.rect.w / 2.0;
        assert_eq!(chart.at(x, 30.0), Some(at));
        assert_eq!(
            chart
                .token_at(x)
                .map(|token| (hit.from..=hit.to).contains(&token)),
            Some(true)
        );
    }
    assert_eq!(chart.at(4.0, 30.0), None);
    assert_eq!(chart.at(400.0, HEIGHT - 3.0), None);
    let drawn = &chart;
    let last = drawn.count() - 1;
    assert_eq!(drawn.neighbour(3, NeighbourKey::Later), Some(4));
    assert_eq!(drawn.neighbour(0, NeighbourKey::Earlier), None);
    assert_eq!(drawn.neighbour(last, NeighbourKey::Later), None);
    assert_eq!(
        (
            drawn.neighbour(9, NeighbourKey::First),
            drawn.neighbour(9, NeighbourKey::Last)
        ),
        (Some(0), Some(last))
    );
    assert_eq!(drawn.neighbour(usize::MAX, NeighbourKey::First), None);
    assert_eq!(drawn.axis(), None);
    assert_eq!(drawn.span_text(view, 1000.0), "tokens 301 to 700");
    assert_eq!(drawn.lit_by(2).marks.len(), drawn.picture().marks.len() + 1);
    assert!(drawn.ring_of(2).is_some() && drawn.ring_of(usize::MAX).is_none());
    assert!(
        drawn
            .description(2)
            .is_some_and(|words| words.aria_label.contains("seconds per token"))
    );
    // From another view: the bar that holds the middle of the old one.
    let near = times.layout(
        968.0,
        HEIGHT,
        map.plot_px(968.0),
        TimeView {
            from_s: 400.0,
            to_s: 440.0,
        },
    );
    let place = near.place(20).expect("a bar");
    let again = chart.again(&place).expect("it is there");
    assert!(
        (chart.describer.bars[again].from..=chart.describer.bars[again].to)
            .contains(&near.describer.bars[20].from)
    );
}

#[test]
fn odd_times_do_not_break_it() {
    let mut odd = even([0.1, 0.2, 0.0, 0.0], 12);
    odd.tokens[3].blocks_s = f64::INFINITY;
    odd.tokens[4].heads_s = f64::NAN;
    odd.tokens[5].moving_s = -1.0;
    odd.at = Some(99);
    for times in [odd, even([0.0; 4], 5), TokenTimes::default()] {
        let index = TimesIndex::of(&times);
        for width in [968.0, 10.0, f64::NAN] {
            for plot in [(120.0, 960.0), (0.0, 0.0), (f64::NAN, f64::NAN)] {
                for view in [
                    TimeView::until(12.0),
                    TimeView::until(0.0),
                    TimeView {
                        from_s: 3.5,
                        to_s: 3.6,
                    },
                ] {
                    let chart = index.layout(width, HEIGHT, plot, view);
                    for hit in &chart.describer.bars {
                        assert!(hit.rect.x.is_finite() && hit.rect.h.is_finite(), "{hit:?}");
                    }
                }
            }
        }
    }
    let mut gap = even([0.1, 0.2, 0.0, 0.0], 12);
    gap.tokens[3].blocks_s = f64::INFINITY;
    let chart = alone(&gap, 968.0, 120.0);
    assert_eq!(chart.describer.bars.len(), 11);
    let none = alone(&TokenTimes::default(), 358.0, 0.0);
    assert!(texts(&none.picture).contains(&"No token is computed yet.".to_owned()));
}

#[test]
fn times_are_an_svg() {
    let (map, times, _) = sample_times();
    let chart = times.layout(390.0, HEIGHT, map.plot_px(390.0), TimeView::until(1000.0));
    for svg in both_themes(&chart.picture) {
        assert!(svg.contains("<title>Time per token over 1000 tokens"));
    }
}
