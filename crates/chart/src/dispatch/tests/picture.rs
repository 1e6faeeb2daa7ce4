//! Pictures of realistic data: what they say, where it stands, what a hand finds.

use super::*;
use crate::ink::Ink;

#[test]
fn words_do_not_overlap_at_every_width() {
    for width in WIDTHS {
        for (name, chart) in all_at(width) {
            assert_readable(&chart.picture, &format!("{name} {width}"));
        }
    }
}

#[test]
fn waits_say_when_the_device_starts() {
    for width in [540.0, 350.0] {
        let chart = layout_waits(&waits(), width, 292.0);
        has(
            &chart.picture,
            &[
                "Wait, s",
                "never",
                "Edgewise",
                "DiSCo-D, 1.46 s",
                "prompts by length",
                "Prompt tokens",
            ],
        );
        assert_eq!(
            chart.picture.title,
            "How long the device waits: Edgewise, DiSCo-D."
        );
        // From afar in its column a length is found, and what every policy does with it.
        let x = |length: usize| chart.hits[length - 4].visible_rect().x + 4.0;
        let at = chart.at(x(12) + 0.4, 250.0);
        assert_eq!(
            card_text(&chart, at)[..3],
            [
                "Prompt of 12 tokens",
                "Edgewise: at once (60 %), after 1.600 s (40 %)",
                "DiSCo-D: after 1.460 s"
            ]
        );
        assert_eq!(
            card_text(&chart, chart.at(x(40), 60.0))[1],
            "Edgewise: never"
        );
        let next = at.and_then(|at| chart.neighbour(at, NeighbourKey::Later));
        assert_eq!(card_text(&chart, next)[0], "Prompt of 13 tokens");
        assert_eq!(chart.neighbour(0, NeighbourKey::Earlier), None);
        // The step is between 24 and 25 tokens, and "never" in its band over every wait.
        let ours = paths(&chart.picture, Ink::SeriesOurs, 1.2);
        let path = ours.iter().max_by_key(|path| path.len()).expect("our line");
        let last = path[path.len() - 2];
        assert!((last.0 - (x(24) + x(25)) / 2.0).abs() < 1e-6);
        assert!(path.iter().all(|(_, y)| *y >= last.1));
        for pair in path.windows(2) {
            assert!(pair[0].0 == pair[1].0 || pair[0].1 == pair[1].1, "{pair:?}");
        }
    }
    // Where no policy says never, there is no band for it.
    let mut waits = waits();
    waits.curves.remove(0);
    let chart = layout_waits(&waits, 540.0, 292.0);
    assert!(!texts(&chart.picture).contains(&"never".to_owned()));
}

#[test]
fn the_scarce_server_is_asked_or_not() {
    let chart = layout_waits(&asked(), 540.0, 240.0);
    has(
        &chart.picture,
        &[
            "Server asked",
            "not",
            "at once",
            "42 % at 23 tokens",
            "Edgewise",
            "All device",
        ],
    );
    let words = |length: usize| card_text(&chart, Some(length - 4));
    assert_eq!(words(22)[1], "Edgewise: not asked");
    assert_eq!(
        words(23)[1],
        "Edgewise: not asked (58 %), asked at once (42 %)"
    );
    assert_eq!(words(24)[1], "Edgewise: asked at once");
}

#[test]
fn shares_are_under_their_p99() {
    for width in [540.0, 350.0] {
        let shares = shares();
        let chart = layout_shares(&shares, width, 292.0);
        has(
            &chart.picture,
            &[
                "P99, s",
                "All device 0.96",
                "100 %",
                "Seconds to first token",
            ],
        );
        // The words of a policy are over its marker, in its colour; the lines end above 99 %.
        for (n, curve) in shares.curves.iter().enumerate() {
            let (ink, ..) = curve.role.look();
            let spot = chart
                .hits
                .iter()
                .position(|spot| spot.row == 0 && spot.of == n);
            let spot = spot.map(|at| chart.hits[at].middle()).expect("a marker");
            let is_own = |mark: &&Mark| matches!(&mark.shape, MarkShape::Text { text, .. } if text.starts_with(&curve.name));
            let words: Vec<&Mark> = chart.picture.marks.iter().filter(is_own).collect();
            assert!(words.len() == 1 && words[0].ink == ink, "{}", curve.name);
            let place = words[0].text_box().expect("words");
            assert!(
                place.bottom() < spot.1 + 1.0 && place.right() < spot.0,
                "{}",
                curve.name
            );
            let path = paths(&chart.picture, ink, 1.2)
                .into_iter()
                .max_by_key(Vec::len);
            let end = path.and_then(|path| path.last().copied()).expect("a line");
            assert!(end.1 <= spot.1 && end.0 > spot.0, "{}", curve.name);
        }
        // No stem runs through words.
        let stems = chart
            .picture
            .marks
            .iter()
            .filter_map(|mark| match &mark.shape {
                MarkShape::Line { points, .. }
                    if mark.ink == Ink::HandOver && points.len() == 2 =>
                {
                    Some((points[0], points[1]))
                }
                _ => None,
            });
        let boxes = boxes(&chart.picture);
        for (from, to) in stems {
            for place in &boxes {
                let across = from.0 > place.x && from.0 < place.right();
                assert!(
                    !(across && from.1 < place.bottom() && to.1 > place.y),
                    "{place:?}"
                );
            }
        }
        // A marker goes before the column it is in; below it the column is found.
        let marker = chart.hits[0].middle();
        assert_eq!(
            card_text(&chart, chart.at(marker.0, marker.1))[0],
            "All device"
        );
        let middle = (
            chart.plot.x + 0.5 * chart.plot.w,
            chart.plot.bottom() - 10.0,
        );
        let column = chart.at(middle.0, middle.1);
        let words = card_text(&chart, column);
        assert!(
            words[0].starts_with("Answered within ") && words.len() == 6,
            "{words:?}"
        );
        let up = column
            .and_then(|at| chart.neighbour(at, NeighbourKey::Above))
            .expect("a marker");
        assert_eq!(chart.hits[up].row, 0);
        assert_eq!(
            chart
                .neighbour(up, NeighbourKey::Below)
                .map(|at| chart.hits[at].row),
            Some(1)
        );
    }
}

#[test]
fn crowded_words_become_a_key() {
    let mut shares = shares();
    for (n, curve) in shares.curves.iter_mut().enumerate() {
        curve.name = format!("A rule with a long name {n}");
        curve.p99_s = Some(0.3 + 0.35 * n as f64);
    }
    let chart = layout_shares(&shares, 350.0, 292.0);
    assert_readable(&chart.picture, "key");
    let all = texts(&chart.picture);
    let named = all
        .iter()
        .filter(|text| text.starts_with("A rule with"))
        .count();
    assert_eq!(named, 5, "{all:?}");
}

#[test]
fn a_request_is_shown_token_by_token() {
    let (_, line) = requests().swap_remove(0);
    for width in [1100.0, 350.0] {
        let chart = layout_tokens(&line, width, None);
        has(
            &chart.picture,
            &[
                "Device writes",
                "Server writes",
                "Written, not yet read",
                "Reader, 4.78 tok/s",
                "hand-over at 0.80 s, after 15",
                "buffer of 11: enough to hand over",
            ],
        );
        let find = |part: usize, token: usize| {
            chart
                .hits
                .iter()
                .position(|spot| spot.of == 3 * token + part)
        };
        // The sixteenth token is the first of the server's; eight lie ready when it comes.
        let at = find(0, 15);
        let words = card_text(&chart, at);
        assert_eq!(
            words[..4],
            [
                "Token 16 of 128",
                "Written by: LLaMA-3-70b",
                "Written at: 1.902 s",
                "Read at: 3.288 s"
            ]
        );
        let ready = line
            .available_s
            .iter()
            .filter(|t| **t <= line.available_s[15] + 1e-9)
            .count()
            - line
                .shown_s
                .iter()
                .filter(|t| **t <= line.available_s[15] + 1e-9)
                .count();
        assert_eq!(words[4], format!("Buffered: {ready}"));
        // Rows from top to foot: device, server, ready, reader; keys go down them.
        let down = find(0, 3)
            .and_then(|at| chart.neighbour(at, NeighbourKey::Below))
            .expect("the server's row");
        assert_eq!(chart.hits[down].row, 1);
        let middle = at.map(|at| chart.hits[at].middle()).expect("seen");
        assert_eq!(chart.at(middle.0, middle.1), at);
        // All three places of a token are lit with it.
        let lit = at.map(|at| chart.lit_by(at).marks.len() - chart.picture.marks.len());
        assert_eq!(lit, Some(3));
    }
    assert!(line.describe().ends_with(
        "15 from the device, then 113 from the server, handed over at 0.802\u{202f}s, none late."
    ));
}

#[test]
fn late_tokens_are_marked_and_counted() {
    let stalled = requests().swap_remove(4).1;
    let chart = layout_tokens(&stalled, 1100.0, None);
    let of = |ink| {
        chart
            .picture
            .marks
            .iter()
            .filter(move |mark| mark.ink == ink)
    };
    let late = (0..128)
        .filter(|token| stalled.late_s(*token).is_some())
        .count();
    assert!(late > 0 && stalled.describe().ends_with(&format!("{late} late.")));
    assert!(of(Ink::StallEdge).any(|mark| matches!(mark.shape, MarkShape::Hatch { .. })));
    let first = (0..128)
        .find(|token| stalled.late_s(*token).is_some())
        .expect("one");
    let hit = chart.hits.iter().position(|spot| spot.of == 3 * first);
    assert!(
        card_text(&chart, hit)
            .last()
            .is_some_and(|row| row.starts_with("Late by: "))
    );
    // In time there is no such colour.
    let fine = layout_tokens(&requests().swap_remove(0).1, 1100.0, None);
    assert!(
        !fine
            .picture
            .marks
            .iter()
            .any(|mark| mark.ink == Ink::StallEdge)
    );
}

#[test]
fn long_replies_have_few_marks() {
    let long = requests().swap_remove(6).1;
    for until in [None, Some(long.end_s())] {
        let start = std::time::Instant::now();
        let chart = layout_tokens(&long, 1100.0, until.map(TimeView::until));
        println!(
            "4096 tokens: {:?}, {} marks",
            start.elapsed(),
            chart.picture.marks.len()
        );
        assert!(
            chart.picture.marks.len() < 2500,
            "{}",
            chart.picture.marks.len()
        );
    }
    let whole = layout_tokens(&long, 350.0, Some(TimeView::until(long.end_s())));
    assert_eq!(whole.hits.iter().filter(|spot| spot.row == 3).count(), 4096);
}

#[test]
fn the_law_is_drawn_over_its_samples() {
    for (spread, unit) in [(spread_of_times(), "s"), (spread_of_prompts(), "tokens")] {
        let chart = layout_spread(&spread, 540.0, 220.0);
        has(&chart.picture, &["Share per doubling, %", "log-normal fit"]);
        let mut sums = (0.0, 0.0);
        for at in 0..chart.hits.len() {
            let words = chart.description(at).expect("a bar");
            assert!(words.title.ends_with(unit), "{}", words.title);
            let share = |n: usize| -> f64 {
                let text = words.rows[n]
                    .1
                    .replace(['%', '<', engine::units::NARROW], "");
                text.trim().parse().expect("a share")
            };
            sums = (sums.0 + share(0), sums.1 + share(1));
        }
        assert!(
            (sums.0 - 100.0).abs() < 2.0 && (sums.1 - 97.0).abs() < 4.0,
            "{sums:?}"
        );
    }
}

#[test]
fn a_point_of_the_front_sets_its_budget() {
    let chart = layout_front(&front(), 540.0, 280.0);
    has(
        &chart.picture,
        &[
            "Mean first token, s",
            "Cost of 1000 requests, $",
            "now, 20 %",
        ],
    );
    let spot = chart
        .hits
        .iter()
        .position(|spot| spot.row == 0 && spot.of == 4);
    let words = card_text(&chart, spot);
    assert_eq!(words[..2], ["Edgewise", "Budget: 20 %"]);
    assert_eq!(spot.map(|at| chart.hits[at].pick), Some(Some(0.2)));
    let (x, y) = spot.map(|at| chart.hits[at].middle()).expect("a point");
    assert_eq!(chart.at(x + 3.0, y + 3.0), spot);
    assert_eq!(chart.at(chart.plot.right() - 2.0, chart.plot.y + 2.0), None);
}

#[test]
fn a_part_of_a_request_is_that_part() {
    for (name, line) in requests() {
        let end = line.end_s();
        for (from, to) in [(0.0, 0.5), (0.3, 0.6), (0.8, 1.0)] {
            let (from_s, to_s) = (from * end, to * end);
            let chart = layout_tokens(&line, 900.0, Some(TimeView { from_s, to_s }));
            let plot = chart.plot;
            let inside = |rect: &Rect| rect.x >= plot.x - 4.0 && rect.right() <= plot.right() + 4.0;
            assert!(
                chart.hits.iter().all(|spot| inside(&spot.visible_rect())),
                "{name}"
            );
            for mark in &chart.picture.marks {
                if let MarkShape::Rect { rect, .. } | MarkShape::Hatch { rect, .. } = &mark.shape {
                    assert!(inside(rect), "{name} {from}: {mark:?}");
                }
            }
            let scale = chart.scale().expect("an axis");
            assert_eq!(scale.span_s(), (from_s, to_s));
        }
    }
}
