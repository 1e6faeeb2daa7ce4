//! Drawing and descriptions of a map, and that nothing overlaps.

use super::*;
use crate::ink::Ink;

#[test]
fn no_text_runs_into_another_or_out_of_the_picture() {
    for (name, map) in maps() {
        let index = HeadIndex::of(&map);
        for width in WIDTHS {
            let n = map.tokens as f64;
            for (from_s, to_s) in [(0.0, n), (0.3 * n, 0.7 * n), (37.5, 48.25), (n - 8.0, n)] {
                let chart = index.layout(width, TimeView { from_s, to_s });
                let what = format!("{name} {width} {from_s} to {to_s}");
                assert_readable(&chart.picture, &what);
                assert_readable(chart.axis().expect("an axis"), &format!("{what}, axis"));
            }
        }
    }
}

#[test]
fn no_number_overlaps_a_tick() {
    for (name, map) in maps() {
        for width in WIDTHS {
            let chart = whole(&map, width);
            let marks = &chart.picture.marks;
            let amber = |mark: &&Mark| mark.ink == Ink::TransferEdge;
            let ticks: Vec<Rect> = marks
                .iter()
                .filter(amber)
                .filter_map(|mark| match mark.shape {
                    MarkShape::Rect { rect, .. } => Some(rect),
                    _ => None,
                })
                .collect();
            let numbers = marks
                .iter()
                .filter(|mark| [Ink::HeadsInk, Ink::HeadsInkStrong].contains(&mark.ink));
            for number in numbers.filter_map(Mark::text_box) {
                for tick in &ticks {
                    assert!(!number.meets(tick), "{name} {width}: {number:?} {tick:?}");
                }
            }
        }
    }
}

#[test]
fn cells_are_where_their_tokens_are() {
    let map = small();
    for (width, view) in [(968.0, (0.0, 12.0)), (358.0, (3.0, 10.0))] {
        let chart = between(&map, width, view.0, view.1);
        let (left, right) = chart.scale().expect("an axis").ends_px();
        let mut seen = 0;
        for (at, hit) in chart.describer.all.iter().enumerate() {
            let Some(rect) = hit.rect else { continue };
            let band = chart.bands[hit.row];
            assert!(
                rect.y >= band.y - 1.0 && rect.bottom() <= band.bottom() + 1.0,
                "{hit:?}"
            );
            if let HeadPart::Held { .. } = hit.meaning {
                seen += 1;
                let a = chart
                    .scale()
                    .expect("an axis")
                    .px_from_s(hit.from as f64 - 1.0)
                    .max(left);
                let b = chart
                    .scale()
                    .expect("an axis")
                    .px_from_s(hit.to as f64)
                    .min(right);
                assert!((rect.x - a).abs() < 1e-9 && (rect.right() - b).abs() < 1e-9);
                // Away from ticks, the cell is what is under a point.
                let x = rect.x + rect.w / 2.0 + 6.0;
                assert_eq!(chart.at(x, rect.y + 2.0), Some(at), "{hit:?}");
            }
        }
        // A: 2 then 1; B: 2, none, 1; C: none, 2.
        assert_eq!(seen, 7, "{width}");
    }
    let chart = whole(&map, 968.0);
    let words: Vec<String> = (0..3)
        .map(|at| chart.description(at).expect("a hit").aria_label)
        .collect();
    assert_eq!(
        words,
        [
            "A, 2 heads, tokens 1 to 8",
            "A, 1 head, tokens 9 to 12",
            "A, 1 head leaves, before token 9, 8.20\u{202f}MB in 12.0\u{202f}ms",
        ]
    );
    assert_eq!(
        chart.at(chart.scale().expect("an axis").ends_px().0 + 300.0, 8.0),
        None
    );
    assert_eq!(chart.at(f64::NAN, 40.0), None);
}

#[test]
fn ticks_are_between_tokens_and_say_what_moves() {
    let chart = whole(&small(), 968.0);
    let find = |row: usize, token: usize| {
        let of = |hit: &HeadHit| {
            hit.row == row && hit.from == token && matches!(hit.meaning, HeadPart::Moves { .. })
        };
        chart.describer.all.iter().position(of).expect("a tick")
    };
    // Rows: A, its strip, B, C, its strip.
    let at = find(3, 5);
    let rect = chart.describer.all[at].rect.expect("in sight");
    assert!((rect.x + 2.0 - chart.scale().expect("an axis").px_from_s(4.0)).abs() < 1e-9);
    assert_eq!(chart.at(rect.x + 5.0, rect.y + 4.0), Some(at));
    let words = chart.description(at).expect("a tick");
    assert_eq!(words.title, "C, 2 heads arrive");
    let expected = [
        ("Before", "token 5"),
        ("Arrive", "heads 1 and 2 from B"),
        ("Sent", "16.4\u{202f}MB"),
        ("Takes", "24.0\u{202f}ms"),
    ];
    assert_eq!(
        words.rows,
        expected.map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
    let gone = chart.description(find(2, 5)).expect("a tick");
    assert_eq!(gone.title, "B, 2 heads leave");
    assert!(
        gone.rows
            .contains(&("Leave".into(), "heads 1 and 2 to C".into()))
    );
    // Under a pointer the way of it is drawn.
    let lines = |picture: &Picture| {
        let line = |mark: &&Mark| {
            mark.ink == Ink::TransferEdge && matches!(mark.shape, MarkShape::Line { .. })
        };
        picture.marks.iter().filter(line).count()
    };
    assert_eq!(lines(&chart.picture), 0);
    assert_eq!(lines(&chart.lit_by(at)), 2);
    let count =
        |picture: &Picture, word: &str| texts(picture).iter().filter(|text| *text == word).count();
    // How many go is beside it, and no number under it.
    assert_eq!(count(&chart.lit_by(at), "2"), count(&chart.picture, "2"));
}

#[test]
fn the_line_has_a_tag_and_arrows() {
    let mut map = small();
    map.at = Some(5);
    let chart = whole(&map, 968.0);
    for picture in [&chart.picture, chart.axis().expect("an axis")] {
        let tag = |mark: &&Mark| {
            matches!(mark.shape, MarkShape::Rect { radius: 3.0, .. }) && mark.ink == Ink::Text
        };
        assert_eq!(picture.marks.iter().filter(tag).count(), 1);
    }
    let arrows: Vec<usize> = (0..chart.describer.all.len())
        .filter(|at| matches!(chart.describer.all[*at].meaning, HeadPart::Arrow { .. }))
        .collect();
    assert_eq!(arrows.len(), 1, "two heads go one way");
    let words = chart.description(arrows[0]).expect("an arrow");
    assert_eq!(
        words.aria_label,
        "B to C, 2 heads, before token 5, 16.4\u{202f}MB in 24.0\u{202f}ms"
    );
    let rect = chart.describer.all[arrows[0]].rect.expect("in sight");
    assert_eq!(
        chart.at(rect.x + 3.0, rect.y + rect.h / 2.0),
        Some(arrows[0])
    );
    // The arrow ends in the row of C, on the line.
    assert_eq!(chart.describer.all[arrows[0]].row, 3);
    let line = chart.scale().expect("an axis").px_from_s(4.5);
    let ends = |mark: &Mark| match &mark.shape {
        MarkShape::Line { points, .. } if mark.ink == Ink::TransferEdge && points.len() == 4 => {
            Some((points[0], points[3]))
        }
        _ => None,
    };
    let ends: Vec<_> = chart.picture.marks.iter().filter_map(ends).collect();
    let ((x, from), (tip, to)) = ends[0];
    assert_eq!(x, line);
    assert!((tip - line).abs() < 4.0);
    assert!(chart.bands[2].contains(1.0, from) && chart.bands[3].contains(1.0, to));
    // Projection and FFN go together from strip to strip.
    map.at = Some(7);
    let chart = whole(&map, 968.0);
    let arrow = chart
        .describer
        .all
        .iter()
        .position(|hit| matches!(hit.meaning, HeadPart::Arrow { .. }))
        .expect("an arrow");
    assert_eq!(chart.describer.all[arrow].row, 1);
    let words = chart.description(arrow).expect("an arrow");
    assert_eq!(words.title, "C to A, projection and FFN");
    // A line near the right edge has its arrows on the left; where nothing moves there are none.
    map.at = Some(12);
    map.moves[0].token = 12;
    let chart = whole(&map, 358.0);
    let arrow = chart
        .describer
        .all
        .iter()
        .find(|hit| matches!(hit.meaning, HeadPart::Arrow { .. }))
        .and_then(|hit| hit.rect)
        .expect("an arrow");
    assert!(arrow.right() < chart.scale().expect("an axis").px_from_s(11.5));
    let index = HeadIndex::of(&map).scrubbed(Some(2));
    let chart = index.layout(358.0, TimeView::until(12.0));
    assert!(
        !chart
            .describer
            .all
            .iter()
            .any(|hit| matches!(hit.meaning, HeadPart::Arrow { .. }))
    );
    assert_eq!(HeadIndex::of(&map).scrubbed(Some(13)).at, None);
}

#[test]
fn arrows_that_meet_have_lanes_of_their_own() {
    let mut map = sample::heads((8, 16), 20, 1000, 5).0;
    let one = |head, from, to| BlockMove {
        token: 5,
        block: MovedBlock::Head(head),
        from,
        to,
        bytes: 1e6,
        seconds: 0.01,
    };
    let ways = [(0, 1), (1, 3), (2, 6), (4, 5), (6, 7), (7, 0), (3, 2)];
    map.moves = (0..)
        .zip(ways)
        .map(|(head, (from, to))| one(head, from, to))
        .collect();
    map.at = Some(5);
    for width in [968.0, 358.0] {
        let chart = whole(&map, width);
        let way = |mark: &Mark| match &mark.shape {
            MarkShape::Line { points, .. } if mark.ink == Ink::TransferEdge => {
                (points.len() == 4).then(|| (points[1].0, points[1].1, points[2].1))
            }
            _ => None,
        };
        let ways: Vec<(f64, f64, f64)> = chart.picture.marks.iter().filter_map(way).collect();
        assert_eq!(ways.len(), 7);
        for (i, a) in ways.iter().enumerate() {
            for b in &ways[..i] {
                let apart = a.1.max(a.2) < b.1.min(b.2) || b.1.max(b.2) < a.1.min(a.2);
                assert!(a.0 != b.0 || apart, "{a:?} {b:?}");
                // What comes into a row and what goes out of it are side by side.
                for (end, start) in [(a.2, b.1), (b.2, a.1)] {
                    assert!((end - start).abs() >= 8.0, "{a:?} {b:?}");
                }
            }
        }
        let lanes = |at: f64| ways.iter().filter(|way| way.0 == at).count();
        assert!(
            ways.iter().any(|way| lanes(way.0) > 1),
            "short ones share a lane"
        );
    }
}

#[test]
fn a_strip_says_which_share_of_its_tokens() {
    let chart = whole(&small(), 968.0);
    let shares: Vec<(usize, usize, usize)> = chart
        .describer
        .all
        .iter()
        .filter_map(|hit| match hit.meaning {
            HeadPart::Share {
                projection, ffn, ..
            } => Some((hit.row, projection, ffn)),
            _ => None,
        })
        .collect();
    // One bin a token: A has both from 7 to 10 and the projection to 12; C both to 6 and the FFN from 11.
    let of = |row: usize, both: (usize, usize)| {
        shares
            .iter()
            .filter(|one| **one == (row, both.0, both.1))
            .count()
    };
    assert_eq!(
        [of(1, (1, 1)), of(1, (1, 0)), of(4, (1, 1)), of(4, (0, 1))],
        [4, 2, 6, 2]
    );
    let words = texts(&chart.picture);
    for expected in ["proj 50, FFN 33 %", "proj 50, FFN 67 %"] {
        assert!(words.contains(&expected.to_owned()), "{words:?}");
    }
    // Many tokens a bin: all of them add up to what there is.
    let (map, _) = sample::heads((25, 32), 1000, 40, 7);
    let chart = whole(&map, 358.0);
    let held: usize = chart
        .describer
        .all
        .iter()
        .filter_map(|hit| match hit.meaning {
            HeadPart::Share { ffn, .. } => Some(ffn),
            _ => None,
        })
        .sum();
    assert_eq!(held, 1000);
    let arrives: usize = chart
        .describer
        .all
        .iter()
        .filter_map(|hit| match hit.meaning {
            HeadPart::Share { ffn_arrives, .. } => Some(ffn_arrives),
            _ => None,
        })
        .sum();
    let moved = map.moves.iter().filter(|one| one.block == MovedBlock::Ffn);
    assert_eq!(arrives, moved.count());
}

#[test]
fn keys_walk_rows_and_what_moves() {
    let (map, _) = sample::heads((25, 32), 1000, 40, 7);
    let chart = between(&map, 968.0, 400.0, 700.0);
    let seen = chart
        .describer
        .all
        .iter()
        .position(|hit| hit.rect.is_some())
        .expect("something is seen");
    let first = chart.neighbour(seen, NeighbourKey::First).expect("a first");
    // The first of a row is just before the view; the page moves there.
    assert!(chart.describer.all[first].from <= 400);
    assert_eq!(chart.neighbour(first, NeighbourKey::Earlier), None);
    assert_eq!(chart.neighbour(seen, NeighbourKey::Above), None);
    let below = chart
        .neighbour(seen, NeighbourKey::Below)
        .expect("a row below");
    assert_eq!(
        chart.describer.all[below].row,
        chart.describer.all[seen].row + 1
    );
    let last = chart.neighbour(seen, NeighbourKey::Last).expect("a last");
    assert_eq!(chart.neighbour(last, NeighbourKey::Later), None);
    assert_eq!(chart.neighbour(usize::MAX, NeighbourKey::Later), None);
    let row = (0..29).find(|row| {
        let moves =
            |hit: &&HeadHit| hit.row == *row && matches!(hit.meaning, HeadPart::Moves { .. });
        chart.describer.all.iter().filter(moves).count() > 1
    });
    let start = chart
        .describer
        .all
        .iter()
        .position(|hit| Some(hit.row) == row);
    let first = chart
        .neighbour(start.expect("a row"), NeighbourKey::Chain)
        .expect("a tick");
    let second = chart
        .neighbour(first, NeighbourKey::Chain)
        .expect("the next");
    assert!(second > first);
    let mut at = second;
    for _ in 0..chart.describer.all.len() {
        at = chart
            .neighbour(at, NeighbourKey::Chain)
            .expect("it goes round");
        if at == first {
            break;
        }
    }
    assert_eq!(at, first);
}

fn small_at(token: usize) -> HeadMap {
    HeadMap {
        at: Some(token),
        ..small()
    }
}

/// Where a placement stays for several tokens, each of them shows what its interval began with.
#[test]
fn arrows_show_anywhere_in_an_interval() {
    let arrows = |token: usize, interval: usize| {
        let map = HeadMap {
            interval,
            ..small_at(token)
        };
        let chart = whole(&map, 968.0);
        let is_arrow =
            |at: &usize| matches!(chart.describer.all[*at].meaning, HeadPart::Arrow { .. });
        let all = (0..chart.describer.all.len()).filter(is_arrow);
        let words = all.filter_map(|at| chart.description(at));
        words.map(|words| words.aria_label).collect::<Vec<_>>()
    };
    let begin = arrows(5, 1);
    assert_eq!(begin.len(), 1, "{begin:?}");
    assert!(arrows(6, 1).is_empty(), "nothing moves before token 6");
    assert_eq!(arrows(6, 2), begin);
    assert_eq!(arrows(5, 2), begin);
    assert_eq!(arrows(8, 2), arrows(7, 1));
    assert!(arrows(3, 2).is_empty() && arrows(4, 4).is_empty());
    // The last interval is as long as there are tokens left; none at all counts as one.
    assert_eq!(arrows(12, 5), arrows(11, 0));
    assert!(!arrows(12, 5).is_empty());
}

#[test]
fn the_map_is_a_chart_over_tokens() {
    let map = small_at(5);
    let chart = whole(&map, 968.0);
    let drawn = &chart;
    assert_eq!(
        (drawn.count(), drawn.bands().len()),
        (chart.describer.all.len(), 5)
    );
    for at in 0..drawn.count() {
        let place = drawn.place(at).expect("a hit");
        assert!(place.from_s < place.to_s && place.to_s <= 12.0);
        assert!(
            drawn
                .description(at)
                .is_some_and(|words| words.aria_label.len() > 5)
        );
        assert!(drawn.lit_by(at).marks.len() > drawn.picture().marks.len());
        assert_eq!(drawn.ring_of(at).is_some(), place.rect.is_some());
    }
    assert_eq!(drawn.lit_by(usize::MAX), chart.picture);
    assert_eq!(drawn.description(usize::MAX), None);
    assert_eq!(drawn.place(usize::MAX), None);
    let view = TimeView {
        from_s: 3.4,
        to_s: 8.0,
    };
    assert_eq!(drawn.span_text(view, 12.0), "tokens 4 to 8");
    assert_eq!(drawn.least_span(), 8.0);
    // The same cell after a zoom.
    let near = between(&map, 968.0, 4.0, 12.0);
    let place = drawn.place(1).expect("a hit");
    let again = near.again(&place).expect("it is there");
    assert_eq!(
        (near.describer.all[again].from, near.describer.all[again].to),
        (9, 12)
    );
    // A bin of a strip that becomes many, and what is not there at all.
    let (map, _) = sample::heads((25, 32), 1000, 40, 7);
    let (far, near) = (whole(&map, 968.0), between(&map, 968.0, 400.0, 440.0));
    let is_bin = |hit: &HeadHit| hit.from == 411 && hit.to == 420;
    let bin = far
        .describer
        .all
        .iter()
        .position(is_bin)
        .expect("ten tokens a bin");
    let place = far.place(bin).expect("a hit");
    if let Some(again) = near.again(&place) {
        let hit = near.describer.all[again];
        assert!(
            hit.row == place.row && (411..=420).contains(&hit.from),
            "{hit:?}"
        );
    }
    let nowhere = HitTarget { row: 99, ..place };
    assert_eq!(near.again(&nowhere), None);
    let map = small_at(5);
    assert_eq!(chart, whole(&map, 968.0));
    let rows = chart.description(0).expect("a hit").rows;
    assert!(
        rows.contains(&("Device".into(), "9.5\u{202f}Gop/s, controller".into())),
        "{rows:?}"
    );
    assert_eq!(
        HeadIndex::of(&map).describe(),
        "Heads on 3 devices over 12 tokens: at most 2 heads at once; heads move 3 times, projection and FFN 3 times."
    );
}
