//! How much is drawn at which size, and how long that takes.

use super::*;

#[test]
fn slim_cells_merge_and_ticks_are_counted() {
    let map = large();
    let chart = whole(&map, 320.0);
    let (mut arrive, mut leave, mut tokens) = (0, 0, 0);
    for hit in &chart.describer.all {
        match hit.meaning {
            HeadPart::Moves {
                arrive: a,
                leave: l,
                ..
            } => (arrive, leave) = (arrive + a, leave + l),
            HeadPart::Held { .. } | HeadPart::Mixed { .. } => tokens += hit.to - hit.from + 1,
            _ => {}
        }
        if let HeadPart::Mixed {
            least,
            most,
            mean,
            runs,
        } = hit.meaning
        {
            assert!(least as f64 <= mean && mean <= most as f64 && runs > 1);
        }
    }
    let heads = map
        .moves
        .iter()
        .filter(|one| matches!(one.block, MovedBlock::Head(_)));
    let heads = heads.count();
    assert!(heads > 1000);
    assert_eq!((arrive, leave, tokens), (heads, heads, 60_000));
    // What is wide is alone.
    let rows = &HeadIndex::of(&map).data.rows;
    let px = chart.scale().expect("an axis").px_from_s(1.0)
        - chart.scale().expect("an axis").px_from_s(0.0);
    for hit in &chart.describer.all {
        if let HeadPart::Mixed { .. } = hit.meaning {
            let cells = rows[hit.device].cells.iter();
            let own = cells.filter(|cell| cell.from >= hit.from && cell.to <= hit.to);
            for cell in own {
                let wide = px * (cell.to - cell.from + 1) as f64;
                assert!(wide < 4.0 + 1e-9, "{hit:?} {cell:?}");
            }
        }
    }
    let mixed = chart
        .describer
        .all
        .iter()
        .position(|hit| matches!(hit.meaning, HeadPart::Mixed { .. }));
    let words = chart
        .description(mixed.expect("a merged cell"))
        .expect("a hit");
    assert!(
        words.aria_label.contains("on average"),
        "{}",
        words.aria_label
    );
}

#[test]
fn the_largest_map_has_a_layout_in_no_time() {
    let map = large();
    let start = std::time::Instant::now();
    let index = HeadIndex::of(&map);
    let sorted = start.elapsed();
    let mut times = Vec::new();
    for (from_s, to_s) in [(0.0, 1000.0), (400.0, 700.0), (495.0, 505.0)] {
        let start = std::time::Instant::now();
        let chart = index.layout(1110.0, TimeView { from_s, to_s });
        let took = start.elapsed();
        let marks = chart.picture.marks.len();
        assert!(marks < 40_000, "{marks}");
        assert!(chart.describer.all.len() < 20_000);
        times.push((to_s - from_s, marks, took));
    }
    println!(
        "{} spans and {} moves: sorted in {sorted:?}; (tokens, marks, laid out in) {times:?}",
        map.spans.len(),
        map.moves.len()
    );
}

#[test]
fn greys_are_numbers() {
    assert_eq!(steps_of_heads(0), []);
    assert_eq!(steps_of_heads(3), [(1, 1), (2, 2), (3, 3)]);
    assert_eq!(
        steps_of_heads(32),
        [(1, 7), (8, 13), (14, 20), (21, 26), (27, 32)]
    );
    for most in 1..200 {
        let steps = steps_of_heads(most);
        assert!(steps.len() <= STEPS);
        for heads in 1..=most {
            let step = step_of_heads(heads, most).expect("a head has a step");
            assert!(
                (steps[step].0..=steps[step].1).contains(&heads),
                "{most} {heads}"
            );
        }
        assert_eq!(steps.last().map(|step| step.1), Some(most));
        assert_eq!(step_of_heads(0, most), None);
    }
    let index = HeadIndex::of(&sample::heads((5, 32), 100, 4, 7).0);
    for width in [968.0, 320.0] {
        let legend = head_map_legend(&index, width);
        assert_readable(&legend, "legend");
        assert!(texts(&legend).contains(&"Head arrives".to_owned()));
        assert!(texts(&legend).iter().any(|text| text.ends_with(" heads")));
        assert_readable(&times_legend(width), "legend of times");
    }
    // Where they part, projection and FFN have a key each.
    let apart = texts(&head_map_legend(&HeadIndex::of(&small()), 968.0));
    assert!(
        apart.contains(&"FFN here".to_owned()) && apart.contains(&"Projection here".to_owned())
    );
}

#[test]
fn the_axis_counts_whole_tokens() {
    let (map, _) = sample::heads((25, 32), 1000, 40, 7);
    let axis = |width: f64, from: f64, to: f64| {
        texts(between(&map, width, from, to).axis().expect("an axis"))
    };
    let all = axis(1110.0, 0.0, 1000.0);
    assert_eq!(all[..3], ["Gop/s", "token 1", "100"]);
    assert_eq!(all.last().map(String::as_str), Some("1000"));
    let near = axis(1110.0, 600.0, 680.0);
    assert!(
        near.contains(&"token 610".to_owned()) && near.contains(&"680".to_owned()),
        "{near:?}"
    );
    let nearest = axis(358.0, 600.0, 608.0);
    assert!(
        nearest.len() >= 3 && nearest.iter().all(|text| !text.contains('.')),
        "{nearest:?}"
    );
    // What a pointer means.
    let chart = between(&map, 1110.0, 600.0, 680.0);
    let (left, right) = chart.scale().expect("an axis").ends_px();
    assert_eq!(chart.token_at(left + 1.0), Some(601));
    assert_eq!(chart.token_at(right), Some(681));
    assert_eq!(chart.token_at(left - 1.0), None);
    assert_eq!(whole(&map, 1110.0).token_at(right), Some(1000));
    let line = chart.scale().expect("an axis").px_from_s(640.0 - 0.5);
    assert_eq!(chart.token_at(line), Some(640));
}

#[test]
fn rows_by_width() {
    let heights = |devices: usize, width: f64| {
        let mut map = sample::heads((devices, 32), 100, 4, 7).0;
        map.projection.clear();
        map.ffn.clear();
        map.moves
            .retain(|one| matches!(one.block, MovedBlock::Head(_)));
        let index = HeadIndex::of(&map);
        let chart = index.layout(width, TimeView::until(100.0));
        (chart.picture.height, index.is_tall())
    };
    assert_eq!(heights(6, 968.0), (24.0 + 6.0 * 50.0 + 4.0, false));
    assert_eq!(heights(6, 358.0), (24.0 + 6.0 * 68.0 + 4.0, false));
    assert_eq!(heights(7, 968.0), (24.0 + 7.0 * 28.0 + 4.0, false));
    assert_eq!(heights(24, 968.0), (24.0 + 24.0 * 28.0 + 4.0, true));
    assert_eq!(heights(25, 358.0), (24.0 + 25.0 * 20.0 + 4.0, false));
    assert_eq!(heights(60, 968.0), (24.0 + 60.0 * 20.0 + 4.0, true));
    // Rows stay where they are when one comes nearer, and the strip of a device is a row of its own.
    let (map, _) = sample::heads((25, 32), 1000, 40, 7);
    assert_eq!(
        whole(&map, 968.0).bands,
        between(&map, 968.0, 400.0, 420.0).bands
    );
    assert_eq!(whole(&map, 968.0).bands.len(), 29);
    let index = HeadIndex::of(&map);
    for width in WIDTHS {
        let chart = index.layout(
            width,
            TimeView {
                from_s: 3.0,
                to_s: 70.0,
            },
        );
        assert_eq!(
            index.plot_px(width),
            chart.scale().expect("an axis").ends_px()
        );
        for pair in chart.bands.windows(2) {
            assert_eq!(pair[0].bottom(), pair[1].y);
        }
    }
}
