//! Memory over steps: what it says, where it stands, what a hand finds.

use super::*;
use crate::ink::Ink;

#[test]
fn words_do_not_overlap_at_every_size() {
    for n in SIZES {
        let ops = sized(n);
        for width in WIDTHS {
            for between in [false, true] {
                for orders in [1, 4, 6] {
                    let memory = memory(&ops, between, orders);
                    let chart = layout_memory(&memory, width, 268.0);
                    sound(&chart, &format!("{n} {width} {between} {orders}"));
                    assert_eq!(chart.hits.len(), n + usize::from(between));
                    assert!(keys_reach_all(&chart));
                }
            }
        }
    }
    both_themes(&layout_memory(&memory(&stages(), false, 4), 358.0, 268.0).picture);
}

#[test]
fn the_peak_the_limit_and_the_step_are_named() {
    let ops = stages();
    let chart = layout_memory(&memory(&ops, false, 3), 968.0, 268.0);
    has(
        &chart.picture,
        &[
            "MiB while running",
            "limit 4.60 MiB",
            "peak 3.83 MiB at step 2, pool1, in every order shown",
            "step 22, 4a.b2.0: 0.46 MiB",
            "Exact",
            "Greedy",
            "Random",
            "Step",
            "1",
            "71",
        ],
    );
    let title = chart.picture.title.replace(engine::units::NARROW, " ");
    assert!(
        title.starts_with("Memory over steps: Exact at most 3.83 MiB, step 2, pool1; Greedy"),
        "{title}"
    );
    assert!(title.ends_with("the limit is 4.60 MiB."), "{title}");
    // Between steps there is one figure more, before the first step.
    let between = layout_memory(&memory(&ops, true, 3), 968.0, 268.0);
    has(
        &between.picture,
        &["MiB between steps", "After step", "0", "71"],
    );
    assert_eq!(card_text(&between, 0)[0], "Before the first step");
    assert_eq!(card_text(&between, 2)[0], "After step 2, pool1");
    let picks: Vec<Option<f64>> = between.hits.iter().take(3).map(|spot| spot.pick).collect();
    assert_eq!(picks, [Some(0.0), Some(0.0), Some(1.0)]);
}

#[test]
fn a_hit_target_describes_what_its_step_is_made_of() {
    let ops = stages();
    let chart = layout_memory(&memory(&ops, false, 2), 968.0, 268.0);
    let x = chart.hits[1].middle().0;
    let at = chart.at(x + 1.0, 200.0).expect("a step");
    assert_eq!(chart.hits[at].pick, Some(1.0));
    assert_eq!(
        card_text(&chart, at),
        [
            "Step 2, pool1",
            "Operator: MaxPool",
            "Held before: 3.06 MiB",
            "Weights: 0.00 MiB",
            "New output: 0.77 MiB",
            "Exact: 3.83 MiB",
            "Greedy: 3.83 MiB",
        ]
    );
    assert!(card_text(&chart, 8).contains(&"New output: in place".to_owned()));
    // Lit, a line runs through the place.
    let lit = chart.lit_by(at);
    assert_eq!(lit.marks[0].ink, Ink::HandOver);
}

#[test]
fn another_order_says_which_operator_it_runs() {
    let ops = stages();
    let mut memory = memory(&ops, false, 2);
    let orders = Arc::make_mut(&mut memory.orders);
    orders[1].ops.swap(6, 7);
    let chart = layout_memory(&memory, 968.0, 268.0);
    let words = card_text(&chart, 6);
    assert!(words[6].ends_with(" MiB, 3a.b3.0"), "{words:?}");
}

#[test]
fn a_far_limit_does_not_flatten_the_picture() {
    let ops = stages();
    let far = MemoryChart {
        limit: Some(50.0 * 1024.0 * KIB),
        ..memory(&ops, false, 1)
    };
    let chart = layout_memory(&far, 968.0, 268.0);
    has(&chart.picture, &["limit 50.0 MiB, far above the plot", "4"]);
    let is_limit = |mark: &&Mark| mark.ink == Ink::BadMark;
    assert_eq!(chart.picture.marks.iter().filter(is_limit).count(), 0);
    let near = layout_memory(&memory(&ops, false, 1), 968.0, 268.0);
    assert_eq!(near.picture.marks.iter().filter(is_limit).count(), 1);
}

#[test]
fn many_steps_have_few_marks() {
    let ops = blocks(5000);
    let memory = memory(&ops, false, 4);
    for width in [1000.0, 358.0] {
        let start = std::time::Instant::now();
        let chart = layout_memory(&memory, width, 268.0);
        let took = start.elapsed();
        let points = chart.picture.marks.iter().map(|mark| match &mark.shape {
            MarkShape::Line { points, .. } => points.len(),
            _ => 1,
        });
        let points: usize = points.sum();
        println!("5000 steps, 4 orders, {width} px: {took:?}, {points} points");
        assert!(points < 6000, "{points}");
        assert_eq!(chart.hits.len(), 5000);
        // The most of all is seen although most steps share a pixel.
        let highest = |ink: Ink| {
            let lines = chart.picture.marks.iter().filter(|mark| mark.ink == ink);
            let points = lines.filter_map(|mark| match &mark.shape {
                MarkShape::Line { points, width, .. } if *width > 1.2 && points.len() > 2 => {
                    Some(points)
                }
                _ => None,
            });
            points
                .flatten()
                .map(|at| at.1)
                .fold(f64::INFINITY, f64::min)
        };
        let peak = chart.hits.iter().map(|spot| spot.middle().1);
        let peak = peak.fold(f64::INFINITY, f64::min);
        assert!((highest(Ink::SeriesOurs) - peak).abs() < 1e-6);
    }
}

#[test]
fn odd_data_do_not_break_it() {
    let nan = f64::NAN;
    let mut odd = memory(&stages(), false, 4);
    let orders = Arc::make_mut(&mut odd.orders);
    orders[0].memory_b[3] = nan;
    orders[0].memory_b[70] = f64::INFINITY;
    orders[1].memory_b.truncate(5);
    orders[2].memory_b.clear();
    orders[3].ops.clear();
    orders[0].step_parts.truncate(9);
    orders[0].step_parts[2].before = nan;
    let nothing = MemoryChart {
        orders: Arc::new(vec![MemoryLine {
            name: "Exact".into(),
            memory_b: vec![0.0; 7],
            ..MemoryLine::default()
        }]),
        step: Some(99),
        ..MemoryChart::default()
    };
    let mut huge = memory(&stages(), false, 2);
    Arc::make_mut(&mut huge.orders)[0].memory_b[40] = 1e15;
    let long = {
        let mut long = memory(&stages(), false, 2);
        for line in Arc::make_mut(&mut long.orders) {
            line.name = "An order with a name that no picture on a phone is wide enough for".into();
            line.ops = vec!["one/".repeat(30); 71];
        }
        long
    };
    for limit in [None, Some(0.0), Some(nan), Some(1.0), Some(1e18)] {
        for width in [1000.0, 358.0, 200.0, 10.0, 0.0, nan] {
            for height in [268.0, 60.0, nan] {
                for data in [&odd, &nothing, &huge, &long, &MemoryChart::default()] {
                    let data = MemoryChart {
                        limit,
                        ..data.clone()
                    };
                    let chart = layout_memory(&data, width, height);
                    sound(&chart, &format!("{limit:?} {width} {height}"));
                }
            }
        }
    }
}

#[test]
fn a_zoomed_view_stays_inside_and_keeps_its_steps() {
    let ops = stages();
    for (from_s, to_s) in [(0.0, 5.0), (20.4, 30.9), (66.0, 71.0)] {
        let view = Some(crate::TimeView { from_s, to_s });
        let memory = MemoryChart {
            view,
            ..memory(&ops, false, 3)
        };
        let chart = layout_memory(&memory, 968.0, 268.0);
        sound(&chart, &format!("{from_s}"));
        let picks: Vec<f64> = chart.hits.iter().filter_map(|spot| spot.pick).collect();
        assert_eq!(picks.first(), Some(&from_s.floor()));
        assert_eq!(picks.last(), Some(&(to_s.ceil() - 1.0)));
        let plot = chart.plot;
        for mark in &chart.picture.marks {
            if let MarkShape::Line { points, width, .. } = &mark.shape
                && *width > 1.0
                && points.len() > 2
            {
                let inside = |x: f64| x >= plot.x - 1e-6 && x <= plot.right() + 1e-6;
                assert!(points.iter().all(|(x, _)| inside(*x)), "{mark:?}");
            }
        }
        for is_placed in [true, false] {
            let arena = ArenaPicture {
                view,
                ..arena(&ops, is_placed)
            };
            let chart = layout_arena(&arena, 968.0, 300.0);
            let name = if is_placed { "arena" } else { "lives" };
            sound(&chart, name);
            assert!(
                chart.hits.len() < ops.len() && !chart.hits.is_empty(),
                "{name}"
            );
            let inside = |spot: &crate::HitTarget| {
                spot.visible_rect().x >= chart.plot.x - 1e-6
                    && spot.visible_rect().right() <= chart.plot.right() + 1e-6
            };
            assert!(chart.hits.iter().all(inside), "{name}");
        }
    }
}
