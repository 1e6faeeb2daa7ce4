//! Odd maps, both themes, and cells against a plain count.

use super::*;
use crate::InkTheme;
use crate::ink::Ink;
use proptest::prelude::*;

#[test]
fn odd_maps_do_not_break_it() {
    let mut odd = small();
    odd.spans.extend([
        HeadSpan {
            device: 9,
            from: 1,
            to: 2,
            heads: 3,
        },
        HeadSpan {
            device: 1,
            from: 0,
            to: 3,
            heads: 7,
        },
        HeadSpan {
            device: 1,
            from: 7,
            to: 2,
            heads: 7,
        },
        HeadSpan {
            device: 2,
            from: 11,
            to: usize::MAX,
            heads: usize::MAX,
        },
    ]);
    odd.ffn.extend([
        HostedBlock {
            device: 0,
            from: 2,
            to: 99,
        },
        HostedBlock {
            device: 9,
            from: 1,
            to: 2,
        },
    ]);
    let mut moved = odd.moves[0];
    for (token, from, to) in [(0, 0, 1), (99, 0, 1), (3, 7, 1), (3, 1, 7), (3, 1, 1)] {
        (moved.token, moved.from, moved.to) = (token, from, to);
        odd.moves.push(moved);
    }
    (moved.token, moved.from, moved.to, moved.bytes) = (3, 0, 2, f64::NAN);
    odd.moves.push(moved);
    let mut many = small();
    for span in &mut many.spans {
        span.heads = usize::MAX - span.heads;
    }
    odd.at = Some(99);
    let mut lone = small();
    lone.tokens = 1;
    let mut none = small();
    none.tokens = 0;
    for map in [odd, many, lone, none, HeadMap::default()] {
        let index = HeadIndex::of(&map);
        for row in &index.data.rows {
            for runs in [&row.projection, &row.ffn] {
                assert!(
                    runs.windows(2).all(|pair| pair[0].1 < pair[1].0),
                    "{runs:?}"
                );
            }
        }
        for width in [968.0, 300.0, 10.0, 0.0, f64::NAN] {
            for view in [
                TimeView::until(12.0),
                TimeView::until(0.0),
                TimeView {
                    from_s: 5.0,
                    to_s: 4.0,
                },
                TimeView {
                    from_s: 3.2,
                    to_s: 3.3,
                },
                TimeView {
                    from_s: -4.0,
                    to_s: 1e9,
                },
            ] {
                let chart = index.layout(width, view);
                assert_readable(&head_map_legend(&index, width.max(300.0)), "legend");
                for (at, hit) in chart.describer.all.iter().enumerate() {
                    assert!(
                        hit.rect.is_none_or(|r| r.x.is_finite() && r.w >= 0.0),
                        "{hit:?}"
                    );
                    assert!(chart.description(at).is_some());
                }
                assert_readable(&chart.picture, &format!("{width} {view:?}"));
            }
        }
    }
}

#[test]
fn the_drawing_is_an_svg_in_both_themes() {
    for (name, map) in maps() {
        for svg in both_themes(&whole(&map, 390.0).picture) {
            assert!(svg.contains("<title>Heads on "), "{name}");
        }
    }
    // Neighbouring greys differ, and go from the ground away.
    for theme in [InkTheme::Light, InkTheme::Dark] {
        let palette = crate::tests::kit::palette(theme);
        let light = |ink| {
            let (r, g, b) = palette.colour(ink);
            i32::from(r) + i32::from(g) + i32::from(b)
        };
        let greys = [
            Ink::Background,
            Ink::Heads1,
            Ink::Heads2,
            Ink::Heads3,
            Ink::Heads4,
            Ink::Heads5,
        ];
        for pair in greys.windows(2) {
            let step = light(pair[1]) - light(pair[0]);
            assert!(
                if theme == InkTheme::Light {
                    step < -40
                } else {
                    step > 40
                },
                "{pair:?}"
            );
        }
    }
}

proptest! {
    #[test]
    fn cells_say_what_spans_said(
        spans in proptest::collection::vec((0_usize..3, 0_usize..40, 0_usize..12, 0_usize..4), 0..24),
        tokens in 1_usize..40,
        from in 0.0..40.0_f64,
        width in 200.0..1200.0_f64,
    ) {
        let map = HeadMap {
            devices: vec![DeviceRow::default(); 3],
            tokens,
            spans: spans.iter().map(|(device, from, long, heads)| HeadSpan {
                device: *device, from: *from, to: from + long, heads: *heads,
            }).collect(),
            ..HeadMap::default()
        };
        let index = HeadIndex::of(&map);
        for (device, row) in index.data.rows.iter().enumerate() {
            let mut own: Vec<_> = spans.iter().filter(|span| span.0 == device).collect();
            own.sort_by_key(|span| (span.1, span.1 + span.2));
            // The first span that holds a token and is not over says how many.
            let mut next = 1;
            let mut expected = vec![0; tokens + 1];
            for (_, from, long, heads) in own {
                let (from, to) = ((*from).max(next), (from + long).min(tokens));
                if from <= to {
                    expected[from..=to].fill(*heads);
                    next = to + 1;
                }
            }
            let mut at = 1;
            for cell in &row.cells {
                prop_assert_eq!(cell.from, at);
                let same = expected[cell.from..=cell.to].iter().all(|heads| *heads == cell.heads);
                prop_assert!(same, "{:?}", cell);
                at = cell.to + 1;
            }
            prop_assert_eq!(at, tokens + 1);
        }
        let chart = index.layout(width, TimeView { from_s: from, to_s: from + 9.0 });
        let (left, right) = chart.scale().expect("an axis").ends_px();
        for hit in &chart.describer.all {
            if let Some(rect) = hit.rect {
                prop_assert!(rect.x >= left - 3.0 && rect.right() <= right + 3.0, "{:?}", hit);
            }
        }
    }
}
