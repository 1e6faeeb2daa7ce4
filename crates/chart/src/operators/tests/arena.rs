//! Tensors in one piece of memory, and their lifetimes alone.

use super::*;
use crate::ink::Ink;

#[test]
fn words_do_not_overlap_at_every_size() {
    for n in [1, 2, 4, 30, 71, 108, 421, 1500] {
        let ops = sized(n);
        for width in WIDTHS {
            for placed in [true, false] {
                let start = std::time::Instant::now();
                let arena = arena(&ops, placed);
                let chart = layout_arena(&arena, width, 300.0);
                println!("{n} {width} {placed}: {:?}", start.elapsed());
                sound(&chart, &format!("{n} {width} {placed}"));
                assert_eq!(chart.hits.len(), n);
                assert!(keys_reach_all(&chart), "{n} {width} {placed}");
                assert!(chart.picture.height < 645.0);
            }
        }
    }
    both_themes(&layout_arena(&arena(&stages(), true), 358.0, 300.0).picture);
    both_themes(&layout_arena(&arena(&stages(), false), 358.0, 300.0).picture);
}

#[test]
fn a_rectangle_is_as_high_as_its_tensor_is_large() {
    let ops = stages();
    let picture = arena(&ops, true);
    let chart = layout_arena(&picture, 968.0, 300.0);
    has(
        &chart.picture,
        &[
            "Address, MiB",
            "Step",
            "71",
            "arena 3.83 MiB",
            "dashed: at least 3.56 MiB",
        ],
    );
    let of = |name: &str| {
        let found = (0..chart.hits.len()).find(|at| card_text(&chart, *at)[0] == name);
        found.unwrap_or_else(|| panic!("{name}"))
    };
    let (conv, pool) = (
        chart.hits[of("conv1")].visible_rect(),
        chart.hits[of("pool1")].visible_rect(),
    );
    assert!((conv.h / pool.h - 4.0).abs() < 1e-6);
    // conv1 is held for two steps, its reader begins in the second.
    assert!((conv.x + conv.w / 2.0 - pool.x).abs() < 1e-6);
    assert_eq!(
        card_text(&chart, of("4a.b2.0")),
        [
            "4a.b2.0",
            "Size: 0.14 MiB",
            "Address: 0.10 MiB",
            "Held: step 22 to 25"
        ]
    );
    let hit = chart.at(conv.x + 5.0, conv.y + 20.0);
    assert_eq!(hit, Some(of("conv1")));
    assert_eq!(chart.hits[of("4a.b2.0")].pick, Some(21.0));
    // What the chosen step makes is strong, what it holds is lit.
    let ink = |ink: Ink| {
        let own = chart
            .picture
            .marks
            .iter()
            .filter(move |mark| mark.ink == ink);
        own.filter(|mark| matches!(mark.shape, MarkShape::Rect { edge: Some(_), .. }))
            .count()
    };
    let held = picture
        .tensors
        .iter()
        .filter(|t| t.from < 21 && t.to >= 21)
        .count();
    assert!(ink(Ink::Accent) == 1 && ink(Ink::AccentSoft) > 0 && ink(Ink::AccentSoft) <= held);
    let title = chart.picture.title.replace(engine::units::NARROW, " ");
    assert_eq!(
        title,
        "Arena of 3.83 MiB for 71 tensors over 71 steps; at least 3.56 MiB is needed."
    );
    let least = ArenaPicture {
        bound: picture.size,
        ..picture
    };
    let chart = layout_arena(&least, 968.0, 300.0);
    has(&chart.picture, &["arena 3.83 MiB, the minimum"]);
    let _ = card_text(&chart, 8);
}

#[test]
fn lifetimes_are_rows_in_the_order_of_their_beginning() {
    let picture = arena(&drawn(30, 30), false);
    let chart = layout_arena(&picture, 520.0, 300.0);
    let mut last = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for spot in &chart.hits {
        assert!(spot.visible_rect().x >= last.0 && spot.visible_rect().y > last.1);
        last = (spot.visible_rect().x, spot.visible_rect().y);
    }
    assert!(
        texts(&chart.picture)
            .iter()
            .any(|text| text.starts_with("conv"))
    );
    assert_eq!(
        chart.picture.title,
        "Lifetimes of 30 tensors over 30 steps."
    );
    // Keys go down the rows.
    let below = chart
        .neighbour(0, NeighbourKey::Below)
        .expect("a row below");
    assert!(chart.hits[below].visible_rect().y > chart.hits[0].visible_rect().y);
    assert_eq!(chart.neighbour(below, NeighbourKey::Above), Some(0));
}

#[test]
fn odd_data_do_not_break_it() {
    let nan = f64::NAN;
    let mut odd = arena(&stages(), true);
    let tensors = Arc::make_mut(&mut odd.tensors);
    tensors[0].bytes = nan;
    tensors[1].bytes = 0.0;
    tensors[2].offset = Some(nan);
    tensors[3].offset = None;
    tensors[4].to = 0;
    tensors[5].to = usize::MAX - 1;
    tensors[6].from = 400;
    tensors[6].to = 401;
    tensors[7].bytes = 1e13;
    tensors[9].name = String::new();
    let bare = ArenaPicture {
        steps: 0,
        size: nan,
        bound: f64::INFINITY,
        ..odd.clone()
    };
    let empty = {
        let mut empty = arena(&stages(), true);
        for tensor in Arc::make_mut(&mut empty.tensors) {
            (tensor.bytes, tensor.offset) = (0.0, Some(0.0));
        }
        ArenaPicture {
            size: 0.0,
            bound: 0.0,
            ..empty
        }
    };
    for width in [1000.0, 358.0, 200.0, 0.0, nan] {
        for height in [300.0, 60.0, nan] {
            for picture in [&odd, &bare, &empty, &ArenaPicture::default()] {
                let chart = layout_arena(picture, width, height);
                sound(&chart, &format!("{width} {height}"));
                assert!(keys_reach_all(&chart));
            }
        }
    }
}
