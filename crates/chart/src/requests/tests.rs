//! Runs from afar and from near: what is drawn, how much of it, and that nothing runs into anything.

use super::hits::{RequestHit, RequestPart};
use super::*;
use crate::mark::MarkShape;
use crate::tests::kit::{assert_readable, both_themes, nothing_beyond, texts};
use crate::tests::sample;
use crate::{Ink, InteractiveChart, NeighbourKey};
use proptest::prelude::*;

const WIDTHS: [f64; 6] = [1400.0, 968.0, 560.0, 559.0, 358.0, 300.0];

fn whole(run: &RequestRun, width: f64) -> InteractiveChart<RunDescriber> {
    RequestIndex::of(run).layout(width, TimeView::until(run.end_s))
}

fn between(run: &RequestRun, width: f64, from_s: f64, to_s: f64) -> InteractiveChart<RunDescriber> {
    RequestIndex::of(run).layout(width, TimeView { from_s, to_s })
}

fn near(run: &RequestRun, width: f64) -> InteractiveChart<RunDescriber> {
    between(run, width, 22.9, 24.1)
}

/// Sixty thousand passes on 64 nodes.
fn large() -> RequestRun {
    sample::run(&[32, 24, 8], 400, 0.4, 50)
}

#[test]
fn no_text_runs_into_another_or_out_of_the_picture() {
    let crowded = sample::run(&[1, 1, 1], 40, 1.0, 30);
    for (name, run) in [
        ("thirteen", sample::thirteen()),
        ("crowded", crowded),
        ("large", large()),
        ("none", RequestRun::default()),
    ] {
        let index = RequestIndex::of(&run);
        for width in WIDTHS {
            for (from_s, to_s) in [(0.0, run.end_s), (10.0, 40.0), (22.9, 24.1), (24.0, 24.1)] {
                let chart = index.layout(width, TimeView { from_s, to_s });
                assert_readable(&chart.picture, &format!("{name} {width} {from_s}"));
                assert_readable(
                    chart.axis().expect("an axis"),
                    &format!("{name} {width} {from_s}, axis"),
                );
            }
        }
    }
}

#[test]
fn from_afar_there_are_stays_and_from_near_passes() {
    let mut run = sample::thirteen();
    run.marked = Some(4);
    let (far, close) = (whole(&run, 968.0), near(&run, 968.0));
    assert!(!far.describer.is_passes && close.describer.is_passes);
    let count = |chart: &InteractiveChart<RunDescriber>, ink| {
        let bars = chart.picture.marks.iter().filter(|mark| mark.ink == ink);
        bars.filter(|mark| matches!(mark.shape, MarkShape::Rect { .. }))
            .count()
    };
    // Each of 13 requests stays on a node of each tier, and begins with its prefill.
    assert_eq!(count(&far, Ink::MeterTrack), 39);
    assert_eq!(count(&far, Ink::ComputeFill), 39);
    assert_eq!(count(&far, Ink::DecodeFill), 0);
    assert_eq!(count(&close, Ink::MeterTrack), 0);
    assert!(count(&close, Ink::DecodeFill) > 40);
    for n in 1..=13 {
        assert!(texts(&far.picture).contains(&n.to_string()), "{n}");
    }
    for name in ["Nano 1", "NX 3", "AGX 2", "Time, s"] {
        assert!(texts(&far.picture).contains(&name.to_owned()), "{name}");
    }
    // Three frames of two lines around the marked one, one for each tier.
    let frames = far
        .picture
        .marks
        .iter()
        .filter(|m| matches!(m.shape, MarkShape::Frame { .. }));
    assert_eq!(frames.count(), 6);
    assert!(far.picture.title.contains("13 requests on 8 nodes"));
    assert!(far.picture.title.ends_with("request 5 is marked."));
}

#[test]
fn bars_are_where_the_scale_says() {
    let run = sample::thirteen();
    for chart in [whole(&run, 968.0), near(&run, 968.0)] {
        let (left, right) = chart.scale().expect("an axis").ends_px();
        for hit in &chart.describer.items {
            let Some(rect) = hit.rect else { continue };
            let a = chart
                .scale()
                .expect("an axis")
                .px_from_s(hit.from_s)
                .max(left);
            let b = chart
                .scale()
                .expect("an axis")
                .px_from_s(hit.to_s)
                .min(right);
            assert!((rect.x - a).abs() < 1e-9, "{hit:?}");
            assert!((rect.right() - b.max(a + 1.0)).abs() < 1e-9, "{hit:?}");
            let band = chart.bands[hit.row];
            assert!(
                rect.y >= band.y && rect.bottom() <= band.bottom(),
                "{hit:?}"
            );
        }
    }
}

#[test]
fn hits_are_where_their_marks_are_and_are_found_there() {
    for run in [sample::thirteen(), large()] {
        for chart in [whole(&run, 968.0), near(&run, 968.0), whole(&run, 320.0)] {
            let mut has_mark = vec![false; chart.describer.items.len()];
            for mark in &chart.picture.marks {
                let Some(at) = mark.hit else { continue };
                has_mark[at] = true;
                let (own, drawn) = (
                    chart.describer.items[at].rect.expect("seen"),
                    match &mark.shape {
                        MarkShape::Rect { rect, .. } | MarkShape::Frame { rect, .. } => *rect,
                        _ => mark.text_box().expect("a form"),
                    },
                );
                assert!(
                    own.grown(1.0)
                        .contains(drawn.x + drawn.w / 2.0, drawn.y + drawn.h / 2.0)
                );
            }
            for (at, hit) in chart.describer.items.iter().enumerate() {
                assert_eq!(has_mark[at], hit.rect.is_some(), "{hit:?}");
                let Some(rect) = hit.rect else { continue };
                let found = chart.at(rect.x + rect.w / 2.0, rect.y + rect.h / 2.0);
                assert_eq!(found, Some(at), "{hit:?}");
            }
        }
    }
}

#[test]
fn sixty_thousand_passes_take_few_marks() {
    let run = large();
    assert_eq!(run.passes.len(), 60_000);
    assert_eq!(run.nodes.len(), 64);
    let index = RequestIndex::of(&run);
    for width in [320.0, 968.0, 2400.0] {
        let mut span = run.end_s;
        while span > 0.01 {
            let view = TimeView {
                from_s: 0.4 * run.end_s,
                to_s: 0.4 * run.end_s + 0.6 * span,
            };
            let chart = index.layout(width, view);
            let marks = chart.picture.marks.len();
            assert!(marks <= 20_000, "{width} {span}: {marks}");
            assert!(chart.describer.items.len() <= 20_000, "{width} {span}");
            span /= 2.0;
        }
    }
    // Also where every request has a pass of its own and all stays are slim.
    let slim = sample::run(&[32, 24, 8], 20_000 / 16, 0.01, 3);
    assert!(whole(&slim, 968.0).picture.marks.len() <= 20_000);
}

#[test]
fn crowded_rows_become_profiles() {
    let run = sample::run(&[32, 24, 8], 3000, 0.05, 1);
    let chart = whole(&run, 968.0);
    let profile = |hit: &&RequestHit| matches!(hit.meaning, RequestPart::Occupied { .. });
    assert!(
        chart.describer.items.iter().any(|hit| profile(&hit)),
        "no row is a profile"
    );
    assert!(
        texts(&chart.picture)
            .iter()
            .any(|text| text.starts_with("up to "))
    );
    // The steps say as many as the row's head, and together as long as the row's stays last.
    let index = RequestIndex::of(&run);
    for (at, row) in index.rows.iter().enumerate() {
        let (mut highest, mut lasting) = (0, 0.0);
        for hit in chart.describer.items.iter().filter(|hit| hit.row == at) {
            if let RequestPart::Occupied { most, mean } = hit.meaning {
                assert!(mean <= most as f64 + 1e-9, "{hit:?}");
                highest = highest.max(most);
                lasting += mean * (hit.to_s - hit.from_s);
            }
        }
        if highest > 0 {
            let stays: f64 = row.passes.lasting(&(0..row.passes.all.len()));
            assert_eq!(highest, row.most, "row {at}");
            assert!(
                (lasting - stays).abs() < 1e-6,
                "row {at}: {lasting} {stays}"
            );
        }
    }
    let at = chart
        .describer
        .items
        .iter()
        .position(|hit| profile(&hit))
        .expect("a step");
    let words = chart.description(at).expect("a hit");
    assert!(
        words.aria_label.contains(" at once, "),
        "{}",
        words.aria_label
    );
}

#[test]
fn slim_bars_merge_and_are_counted() {
    let bar = |task: usize| PassBar {
        node: 0,
        task,
        pass: 0,
        from: task as f64 * 0.001,
        to: task as f64 * 0.001 + 0.000_5,
    };
    let run = RequestRun {
        nodes: vec![NodeRow::default()],
        passes: (0..500).map(bar).collect(),
        arrivals: Vec::new(),
        end_s: 100.0,
        marked: None,
    };
    let chart = whole(&run, 968.0);
    assert_eq!(chart.describer.items.len(), 1);
    assert_eq!(
        chart.describer.items[0].meaning,
        RequestPart::Many { count: 500 }
    );
    let words = chart.description(0).expect("a hit");
    assert!(
        words.aria_label.contains("500 back to back"),
        "{}",
        words.aria_label
    );
}

#[test]
fn passes_without_a_lane_are_counted() {
    // One node holds five requests at once: three in lanes, two beyond.
    let bars = (0..5).flat_map(|task| {
        [0, 1].map(|pass| PassBar {
            node: 0,
            task,
            pass,
            from: task as f64 + 40.0 * f64::from(pass),
            to: task as f64 + 40.0 * f64::from(pass) + 0.1,
        })
    });
    let run = RequestRun {
        nodes: vec![NodeRow::default()],
        passes: bars.collect(),
        arrivals: vec![0.0; 5],
        end_s: 50.0,
        marked: None,
    };
    let chart = whole(&run, 968.0);
    assert_eq!(chart.describer.items.len(), 4);
    let beyond = chart
        .describer
        .items
        .iter()
        .find(|hit| hit.task.is_none())
        .expect("a strip");
    assert_eq!(beyond.meaning, RequestPart::Beyond { most: 2 });
    assert_eq!((beyond.from_s, beyond.to_s), (3.0, 44.1));
    assert!(texts(&chart.picture).contains(&"+2 at once".to_owned()));
}

#[test]
fn passes_at_once_lie_in_lanes() {
    let bar = |task: usize| PassBar {
        node: 0,
        task,
        pass: 1,
        from: 1.0,
        to: 2.0,
    };
    let run = RequestRun {
        nodes: vec![NodeRow::default()],
        passes: (0..5).map(bar).collect(),
        arrivals: vec![0.5; 5],
        end_s: 2.0,
        marked: None,
    };
    let chart = whole(&run, 968.0);
    assert!(chart.describer.is_passes);
    let overlapping = |hit: &RequestHit| match hit.meaning {
        RequestPart::Pass {
            overlapping,
            waited_s,
            ..
        } => (overlapping, waited_s),
        _ => (99, 0.0),
    };
    let all: Vec<_> = chart.describer.items.iter().map(overlapping).collect();
    assert_eq!(all, [(0, 0.5), (0, 0.5), (2, 0.5)]);
    let rows = chart.description(2).expect("a hit").rows;
    assert!(
        rows.contains(&("Concurrent".into(), "2 others".into())),
        "{rows:?}"
    );
    assert_readable(&chart.picture, "batch");
}

#[test]
fn rows_by_width() {
    let of = |nodes: &[usize]| sample::run(nodes, 2, 100.0, 5);
    let heights = |run: &RequestRun, width| whole(run, width).picture.height;
    assert_eq!(heights(&of(&[2, 2, 2]), 968.0), 24.0 + 6.0 * 50.0 + 4.0);
    assert_eq!(heights(&of(&[3, 3, 2]), 968.0), 24.0 + 8.0 * 28.0 + 4.0);
    assert_eq!(heights(&of(&[32, 24, 8]), 968.0), 24.0 + 64.0 * 28.0 + 4.0);
    assert_eq!(heights(&of(&[2, 2, 2]), 358.0), 24.0 + 6.0 * 68.0 + 4.0);
    assert_eq!(
        whole(&of(&[2, 2, 2]), 358.0)
            .scale()
            .expect("an axis")
            .ends_px()
            .0,
        0.0
    );
    assert!(
        whole(&of(&[3, 3, 2]), 358.0)
            .scale()
            .expect("an axis")
            .ends_px()
            .0
            >= 48.0
    );
    // Rows with many lanes grow, but not where the chart scrolls.
    assert_eq!(
        whole(&large(), 968.0).picture.height,
        24.0 + 64.0 * 28.0 + 4.0
    );
    // Rows stay where they are when one comes nearer.
    let run = sample::thirteen();
    assert_eq!(whole(&run, 968.0).bands, near(&run, 968.0).bands);
}

#[test]
fn a_pass_and_a_stay_speak() {
    let run = sample::thirteen();
    let (far, close) = (whole(&run, 968.0), near(&run, 968.0));
    let words = far.description(0).expect("a hit");
    assert_eq!(words.title, "Nano 1, request 1");
    assert!(
        words.aria_label.starts_with("Nano 1, request 1, 6.125 to "),
        "{}",
        words.aria_label
    );
    let names: Vec<&str> = words.rows.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "Node",
        "Request",
        "From",
        "To",
        "Takes",
        "Processed",
        "Waited",
        "Passes",
        "Prefill until",
    ];
    assert_eq!(names, expected);
    let at = close
        .describer
        .items
        .iter()
        .position(|hit| hit.rect.is_some())
        .expect("a pass is seen");
    let words = close.description(at).expect("a hit");
    let names: Vec<&str> = words.rows.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["Node", "Request", "Pass", "From", "To", "Takes", "Waited"]
    );
    assert!(
        words.aria_label.contains(", token "),
        "{}",
        words.aria_label
    );
    assert_eq!(close.description(usize::MAX), None);
}

#[test]
fn keys_walk_rows_and_follow_a_request() {
    let run = sample::thirteen();
    let chart = near(&run, 968.0);
    let seen = chart
        .describer
        .items
        .iter()
        .position(|hit| hit.rect.is_some())
        .expect("a pass is seen");
    let first = chart.neighbour(seen, NeighbourKey::First).expect("a first");
    // The first of a row is just before the view; the page moves there.
    assert_eq!(chart.describer.items[first].rect, None);
    assert_eq!(chart.neighbour(first, NeighbourKey::Earlier), None);
    assert_eq!(chart.neighbour(seen, NeighbourKey::Later), Some(seen + 1));
    let last = chart.neighbour(seen, NeighbourKey::Last).expect("a last");
    assert_eq!(chart.neighbour(last, NeighbourKey::Later), None);
    let below = chart
        .neighbour(seen, NeighbourKey::Below)
        .expect("a row below");
    assert_eq!(
        chart.describer.items[below].row,
        chart.describer.items[seen].row + 1
    );
    assert!(chart.describer.items[below].rect.is_some());
    assert_eq!(
        chart
            .neighbour(below, NeighbourKey::Above)
            .map(|at| chart.describer.items[at].row),
        Some(0)
    );
    assert_eq!(chart.neighbour(seen, NeighbourKey::Above), None);
    let next = chart
        .neighbour(seen, NeighbourKey::Chain)
        .expect("the request goes on");
    assert_eq!(
        chart.describer.items[next].task,
        chart.describer.items[seen].task
    );
    assert!(chart.describer.items[next].from_s >= chart.describer.items[seen].to_s);
    assert_eq!(chart.neighbour(usize::MAX, NeighbourKey::Later), None);
    // The same mark in another view.
    let outside = chart.describer.items[first];
    let moved = TimeView {
        from_s: 22.9,
        to_s: 24.1,
    }
    .showing(outside.from_s, outside.to_s, run.end_s);
    let there = RequestIndex::of(&run).layout(968.0, moved);
    let place = chart.place(first).expect("a hit");
    let again = there
        .again(&place)
        .map(|at| there.describer.items[at])
        .expect("it is seen there");
    assert_eq!((again.task, again.from_s), (outside.task, outside.from_s));
    assert!(again.rect.is_some());
}

#[test]
fn one_request_is_lit_everywhere() {
    let run = sample::thirteen();
    let chart = whole(&run, 968.0);
    let at = chart
        .describer
        .items
        .iter()
        .position(|item| item.task == Some(4))
        .expect("its stay");
    assert_eq!(chart.lit_by(at).marks.len(), chart.picture.marks.len() + 6);
    nothing_beyond(&chart);
    let close = near(&run, 968.0);
    let outside = close.hits.iter().position(|hit| hit.rect.is_none());
    assert_eq!(close.ring_of(outside.expect("one outside")), None);
    assert_eq!((close.count(), close.bands().len()), (close.hits.len(), 8));
    assert_eq!(close, near(&run, 968.0));
}

#[test]
fn odd_runs_do_not_break_it() {
    let mut odd = sample::run(&[1, 1], 3, 1.0, 4);
    let bar = |node, from, to| PassBar {
        node,
        task: 0,
        pass: 9,
        from,
        to,
    };
    odd.passes.push(bar(7, 0.0, 1.0));
    odd.passes.push(bar(0, f64::NAN, 1.0));
    odd.passes.push(bar(0, 1.0, f64::INFINITY));
    odd.passes.push(bar(0, 2.0, 1.0));
    odd.passes.push(bar(0, 2.0, 2.0));
    odd.arrivals.push(f64::NAN);
    odd.end_s = f64::INFINITY;
    let mut nameless = sample::thirteen();
    for node in &mut nameless.nodes {
        node.name = "The old computer in the living room".into();
    }
    for run in [odd, nameless, RequestRun::default()] {
        let index = RequestIndex::of(&run);
        for width in [968.0, 300.0, 10.0, 0.0, f64::NAN] {
            for view in [
                TimeView::until(index.end_s()),
                TimeView::until(0.0),
                TimeView {
                    from_s: 5.0,
                    to_s: 4.0,
                },
            ] {
                let chart = index.layout(width, view);
                for hit in &chart.describer.items {
                    assert!(
                        hit.rect.is_none_or(|r| r.x.is_finite() && r.w >= 0.0),
                        "{hit:?}"
                    );
                }
                assert_readable(&chart.picture, &format!("{width} {view:?}"));
            }
        }
    }
}

#[test]
fn the_axis_is_drawn_alone_for_rows_that_scroll() {
    let run = large();
    let chart = whole(&run, 968.0);
    let axis = chart.axis().expect("an axis");
    assert_eq!((axis.width, axis.height), (968.0, 24.0));
    let texts = texts(chart.axis().expect("an axis"));
    assert!(
        texts.contains(&"Time, s".to_owned()) && texts.len() >= 5,
        "{texts:?}"
    );
}

#[test]
fn it_is_an_svg() {
    let mut run = sample::thirteen();
    run.marked = Some(4);
    for chart in [whole(&run, 968.0), near(&run, 968.0), whole(&run, 320.0)] {
        for svg in both_themes(&chart.picture) {
            assert!(svg.contains("<title>Timeline of 13 requests"));
        }
    }
}

proptest! {
    #[test]
    fn a_view_finds_what_touches_it(
        bars in proptest::collection::vec((0_usize..3, 0_usize..6, 0.0..20.0_f64, 0.0..5.0_f64), 0..60),
        from in 0.0..25.0_f64,
        span in 0.01..25.0_f64,
    ) {
        let passes: Vec<PassBar> = (0..).zip(&bars).map(|(pass, (node, task, from, lasts))| PassBar {
            node: *node, task: *task, pass, from: *from, to: from + lasts,
        }).collect();
        let run = RequestRun {
            nodes: vec![NodeRow::default(); 3],
            passes: passes.clone(),
            end_s: 25.0,
            ..RequestRun::default()
        };
        let index = RequestIndex::of(&run);
        for (node, row) in index.rows.iter().enumerate() {
            let touches = |a: f64, b: f64| b >= from && a <= from + span;
            let expected = passes.iter().filter(|bar| bar.node == node && touches(bar.from, bar.to)).count();
            let range = row.passes.touching(from, from + span);
            let found = row.passes.all[range].iter().filter(|pass| touches(pass.from, pass.to)).count();
            prop_assert_eq!(found, expected);
            // In a lane nothing meets, and nothing is lost.
            let mut stays = 0;
            for lane in &row.lanes {
                stays += lane.all.len();
                for pair in lane.all.windows(2) {
                    prop_assert!(pair[0].to <= pair[1].from);
                }
            }
            let mut tasks: Vec<usize> = row.passes.all.iter().map(|pass| pass.task).collect();
            tasks.sort_unstable();
            tasks.dedup();
            prop_assert!(stays <= tasks.len());
            prop_assert_eq!(stays < tasks.len(), !row.beyond.all.is_empty());
        }
    }
}
