//! The graph: where operators stand, what they say, and the window on a long one.

use super::*;
use crate::ChartHandle;
use crate::gantt::TimeView;
use crate::ink::Ink;
use proptest::prelude::*;

fn chart_of(ops: Vec<GraphOp>, step: Option<usize>, width: f64) -> ChartHandle {
    let layout = Arc::new(place_graph(&ops));
    ChartHandle::of(layout_graph(&picture(ops, step), &layout, width))
}

fn is_placed(ops: &[GraphOp]) {
    let layout = place_graph(ops);
    assert_eq!(layout.len(), ops.len());
    for (v, op) in ops.iter().enumerate() {
        let longest = op.preds.iter().map(|u| layout.layer[*u as usize] + 1).max();
        assert_eq!(layout.layer[v], longest.unwrap_or(0));
    }
    for members in &layout.members {
        assert!(!members.is_empty());
        for pair in members.windows(2) {
            let apart = layout.lane[pair[1] as usize] - layout.lane[pair[0] as usize];
            assert!(apart > 1.0 - 1e-6, "{apart}");
        }
    }
    assert_eq!(layout, place_graph(ops));
}

#[test]
fn operators_are_right_of_their_inputs_without_overlap() {
    for n in SIZES {
        is_placed(&sized(n));
    }
    is_placed(&drawn(5000, 3));
    // Chains are straight, branches spread evenly round what they come from.
    let ops = stages();
    let layout = place_graph(&ops);
    assert!((0..5).all(|v| layout.layer[v] == v as u32 && layout.lane[v] == 0.0));
    let stage: Vec<f64> = (5..12).map(|v| layout.lane[v]).collect();
    assert_eq!(stage, [-1.5, -0.5, 0.5, 1.5, -0.5, 0.5, 1.5]);
    // Blocks that repeat look alike, however many there are.
    let blocks = place_graph(&blocks(421));
    assert_eq!(blocks.lane[1..17], blocks.lane[385..401]);
}

#[test]
fn marks_and_words_are_inside_at_every_size() {
    for n in SIZES {
        let ops = sized(n);
        let layout = Arc::new(place_graph(&ops));
        for width in WIDTHS {
            for step in [None, Some(0), Some(n / 2), Some(n - 1), Some(n + 3)] {
                let chart = layout_graph(&picture(ops.clone(), step), &layout, width);
                sound(&chart, &format!("{n} {width} {step:?}"));
                assert!(keys_reach_all(&chart), "{n} {width}");
                assert!(chart.picture.height < 640.0);
            }
        }
    }
    both_themes(&chart_of(stages(), Some(21), 358.0).picture);
    both_themes(&chart_of(blocks(421), Some(21), 358.0).picture);
}

#[test]
fn all_of_a_small_graph_is_shown_with_its_stages() {
    for width in [968.0, 358.0] {
        let chart = chart_of(stages(), Some(21), width);
        assert_eq!(chart.hits.len(), 71, "{width}");
        has(&chart.picture, &["step 22, 4a.b2.0", "3a", "4e", "5b"]);
    }
    let chart = chart_of(stages(), Some(21), 968.0);
    assert!(
        chart.picture.title.starts_with(
            "Graph of 71 operators in 26 layers; step 22 runs 4a.b2.0: 21 done before it, "
        ),
        "{}",
        chart.picture.title
    );
    // The running operator and its operand are strong: one edge, one mark, one ring.
    let strong = chart.picture.marks.iter().filter(|mark| {
        mark.ink == Ink::Accent
            && matches!(mark.shape, MarkShape::Line { width, .. } if width > 1.2)
    });
    assert_eq!(strong.count(), 1);
    let pools = chart.picture.marks.iter();
    let pools = pools.filter(|mark| matches!(mark.shape, MarkShape::Disc { .. }));
    assert_eq!(
        pools.count(),
        stages().iter().filter(|op| op.is_pool).count()
    );
    let at = (0..71)
        .find(|at| card_text(&chart, *at)[0] == "pool1")
        .expect("pool1");
    assert_eq!(
        card_text(&chart, at),
        [
            "pool1",
            "Operator: MaxPool",
            "Shape: 64 × 56 × 56",
            "Output: 0.77 MiB",
            "Weights: 0.00 MiB",
            "Runs at step: 2",
            "Output held until step: 3",
            "At the chosen step: done",
        ]
    );
    let (x, y) = chart.hits[at].middle();
    assert_eq!(chart.at(x + 3.0, y - 3.0), Some(at));
    assert_eq!(chart.hits[at].pick, Some(1.0));
    assert_eq!(chart.at(x, 4.0), None);
    // Its neighbours light up with it: one edge in, one out, and a frame.
    assert_eq!(chart.lit_by(at).marks.len(), chart.picture.marks.len() + 3);
}

#[test]
fn states_follow_from_the_step() {
    let ops = stages();
    let at = |step| {
        let picture = picture(ops.clone(), step);
        [0, 1, 2, 3].map(|op| picture.state(op).expect("an operator"))
    };
    use OpState::{Done, Live, NotYet, Running};
    assert_eq!(at(None), [NotYet; 4]);
    assert_eq!(at(Some(0)), [Running, NotYet, NotYet, NotYet]);
    assert_eq!(at(Some(2)), [Done, Live, Running, NotYet]);
    assert_eq!(at(Some(99)), [Done; 4]);
    assert_eq!(picture(ops, None).state(99), None);
}

#[test]
fn a_long_graph_has_a_window_that_follows_the_step_and_a_strip_that_moves_it() {
    for width in [968.0, 358.0] {
        let ops = blocks(421);
        let layout = Arc::new(place_graph(&ops));
        let show = |step: usize| {
            ChartHandle::of(layout_graph(
                &picture(ops.clone(), Some(step)),
                &layout,
                width,
            ))
        };
        let chart = show(200);
        let in_window = |chart: &ChartHandle| {
            let rows: std::collections::BTreeSet<usize> =
                chart.hits.iter().map(|spot| spot.row).collect();
            let strip = *rows.last().expect("a strip");
            chart.hits.iter().filter(|spot| spot.row < strip).count()
        };
        assert!(in_window(&chart) < 100);
        assert!(chart.hits.iter().any(|spot| spot.pick == Some(200.0)));
        let all = texts(&chart.picture);
        assert!(
            all.iter().any(|text| text.starts_with("layers ")),
            "{all:?}"
        );
        assert!(all.iter().any(|text| text == "layers 12"), "{all:?}");
        // The height does not change with the step.
        for step in [0, 50, 419, 420] {
            assert_eq!(show(step).picture.height, chart.picture.height);
        }
        // A press far to the right in the strip moves the window there.
        let strip = chart.hits.last().expect("a strip").visible_rect();
        let hit = chart.at(width - 2.0, strip.y + 10.0).expect("the strip");
        assert!(
            card_text(&chart, hit)[0].starts_with("Layer"),
            "{:?}",
            card_text(&chart, hit)
        );
        let pick = chart.hits[hit].pick.expect("a step");
        assert!(pick > 415.0, "{pick}");
        assert!(
            show(pick as usize)
                .hits
                .iter()
                .any(|spot| spot.pick == Some(pick))
        );
    }
}

#[test]
fn odd_graphs_do_not_break_it() {
    let circle = vec![
        op("a", &[2], 1.0),
        op("b", &[0], 1.0),
        op("c", &[1], 1.0),
        op("d", &[3, 99], 1.0),
    ];
    let mut nothing = stages();
    for op in &mut nothing {
        (op.name, op.kind, op.shape) = (String::new(), String::new(), String::new());
        (op.out, op.weights, op.step) = (f64::NAN, 0.0, 0);
    }
    let wide: Vec<GraphOp> = (0..1500)
        .map(|v| {
            if v == 0 {
                op("first", &[], 1.0)
            } else {
                op(&format!("pool{v}"), &[0], 1.0)
            }
        })
        .collect();
    let long = (0..60).map(|v| {
        let before: Vec<usize> = (0..v).collect();
        op(&"very/long/".repeat(20), &before, 1.0)
    });
    for ops in [
        Vec::new(),
        circle,
        nothing,
        in_order(wide),
        in_order(long.collect()),
    ] {
        let layout = Arc::new(place_graph(&ops));
        for width in [1000.0, 358.0, 200.0, 0.0, f64::NAN] {
            for step in [None, Some(0), Some(2)] {
                let chart = layout_graph(&picture(ops.clone(), step), &layout, width);
                sound(&chart, &format!("{} {width}", ops.len()));
                assert!(keys_reach_all(&chart));
                assert!(chart.picture.height < 640.0);
            }
        }
    }
    // A layout of another graph is not used.
    let other = Arc::new(place_graph(&stages()));
    let chart = layout_graph(&picture(blocks(40), None), &other, 968.0);
    sound(&chart, "another layout");
}

#[test]
fn the_legend_names_every_state() {
    for width in [968.0, 358.0] {
        let legend = graph_legend(width);
        assert_readable(&legend, "legend");
        has(
            &legend,
            &[
                "Done",
                "Done, output still held",
                "Running",
                "Not yet",
                "Round: pooling",
            ],
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_graph(n in 1_usize..260, seed in any::<u64>(), width in 300.0..1200.0_f64, at in 0.0..1.0_f64) {
        let ops = drawn(n, seed);
        is_placed(&ops);
        let chart = chart_of(ops, Some((at * n as f64) as usize), width);
        sound(&chart, "any");
        prop_assert!(keys_reach_all(&chart));
    }
}

/// A graph as a hand shows it: some layers, the first to the last that is not seen.
fn seen(ops: &Arc<Vec<GraphOp>>, (from_s, to_s): (f64, f64), lane: f64) -> ChartHandle {
    let layout = Arc::new(place_graph(ops));
    let layers = TimeView { from_s, to_s };
    let picture = GraphPicture {
        ops: ops.clone(),
        step: Some(3),
        view: Some(GraphView { layers, lane }),
        ..GraphPicture::default()
    };
    ChartHandle::of(layout_graph(&picture, &layout, 968.0))
}

#[test]
fn from_far_a_graph_of_thousands_is_few_marks_and_from_near_boxes_with_names() {
    let ops = Arc::new(blocks(5000));
    let layers = place_graph(&ops).layers() as f64;
    let far = seen(&ops, (0.0, layers), 0.0);
    sound(&far, "far");
    assert!(
        far.picture.marks.len() < 3_000,
        "{}",
        far.picture.marks.len()
    );
    // Every place is one of the strip, wherever it is pressed, and each takes a step.
    assert!(far.hits.len() < 400 && far.hits.iter().all(|spot| spot.pick.is_some()));
    let hit = far.at(500.0, 40.0).expect("a layer");
    assert!(card_text(&far, hit)[0].starts_with("Layer"));
    let near = seen(&ops, (10.0, 16.0), 0.0);
    sound(&near, "near");
    assert!(
        near.picture.marks.len() < 1_200,
        "{}",
        near.picture.marks.len()
    );
    let names = texts(&near.picture);
    let named = near.hits.iter().filter(|spot| spot.of < ops.len());
    assert!(named.count() > 5);
    let is_name = |words: &&String| {
        let end = words.trim_start_matches('…');
        ops.iter().any(|op| op.name.ends_with(end))
    };
    assert!(names.iter().filter(is_name).count() > 5, "{names:?}");
    // The chart is as high from near as from far, and the axis of the hand is that of the layers.
    assert_eq!(near.picture.height, far.picture.height);
    let scale = near.scale().expect("an axis");
    assert_eq!(scale.span_s(), (10.0, 16.0));
    let view = TimeView {
        from_s: 10.0,
        to_s: 16.0,
    };
    assert_eq!(
        near.span_text(view, layers),
        format!("layers 11 to 16 of {layers}")
    );
}

#[test]
fn a_view_shows_what_is_in_it_and_nothing_else() {
    let ops = Arc::new(stages());
    let layout = place_graph(&ops);
    for from in 0..layout.layers() - 4 {
        let (from, to) = (from as f64 + 0.25, from as f64 + 4.0);
        let chart = seen(&ops, (from, to), 0.0);
        sound(&chart, &format!("from {from}"));
        assert!(keys_reach_all(&chart));
        let shown = chart.hits.iter().filter(|spot| spot.of < ops.len());
        let shown: std::collections::BTreeSet<usize> = shown.map(|spot| spot.of).collect();
        let wanted = (0..ops.len()).filter(|v| {
            let middle = layout.layer[*v] as f64 + 0.5;
            middle > from && middle < to
        });
        assert_eq!(shown, wanted.collect(), "{from}");
    }
}

#[test]
fn lanes_that_do_not_fit_are_reached_across() {
    let mut ops = vec![op("first", &[], 1.0)];
    ops.extend((0..200).map(|v| op(&format!("branch{v}"), &[0], 1.0)));
    ops.extend((0..20).map(|v| op(&format!("tail{v}"), &[200 + v], 1.0)));
    let ops = Arc::new(in_order(ops));
    let all = |chart: &ChartHandle| chart.hits.iter().filter(|s| s.of < ops.len()).count();
    let near = seen(&ops, (0.0, 3.0), 0.0);
    assert!(all(&near) < 100, "{}", all(&near));
    let down = near.lane_after(1e6).expect("a lane");
    let low = seen(&ops, (0.0, 3.0), down);
    sound(&low, "low");
    assert!(down > 50.0 && low.lane_after(1e6) == Some(down));
    let names = |chart: &ChartHandle| {
        let own = chart.hits.iter().filter(|s| s.of < ops.len());
        own.map(|s| s.of).max()
    };
    assert!(names(&low) != names(&near));
}

#[test]
fn an_operator_is_found_by_its_name() {
    let named = |name: &str| op(name, &[], 1.0);
    let ops = [
        "conv10",
        "layer1.conv1",
        "conv1",
        "a/Conv1/b",
        "myconv1",
        "pool",
    ]
    .map(named);
    assert_eq!(find_operators(&ops, " CONV1 ", 9), [2, 0, 1, 3, 4]);
    assert_eq!(find_operators(&ops, "conv1", 2), [2, 0]);
    assert_eq!(find_operators(&ops, "1.conv", 9), [1]);
    for nothing in ["", "  ", "gemm"] {
        assert!(find_operators(&ops, nothing, 9).is_empty());
    }
}
