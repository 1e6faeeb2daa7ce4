//! Networks on wide and narrow ground: what is where, and that nothing runs into anything.

use super::*;
use crate::NeighbourKey;
use crate::tests::kit::{assert_readable, both_themes, has, texts};
use crate::tests::sample;

const WIDTHS: [f64; 9] = [
    1400.0, 968.0, 900.0, 700.0, 560.0, 559.0, 358.0, 320.0, 300.0,
];

fn longer_names() -> TierDiagram {
    let mut network = sample::three_tiers();
    for tier in &mut network.tiers {
        tier.name = format!("The {} computers in the cellar of the institute", tier.name);
    }
    network
}

#[test]
fn no_text_runs_into_another_or_out_of_the_picture() {
    for (name, network) in [
        ("three", sample::three_tiers()),
        ("six", sample::six_tiers()),
        ("long names", longer_names()),
        ("none", TierDiagram::default()),
    ] {
        for width in WIDTHS {
            assert_readable(
                &layout_network(&network, width).picture,
                &format!("{name} {width}"),
            );
        }
    }
}

#[test]
fn words_of_the_standard_case() {
    let chart = layout_network(&sample::three_tiers(), 968.0);
    has(
        &chart.picture,
        &[
            "Nano, 3 nodes",
            "blocks 6–14",
            "blocks 15–32 and the head",
            "64.0 ms per pass",
            "72.5 ms per pass, slowest",
            "room for 29 blocks",
            "E",
            "H",
            "1",
            "32",
            "One decode pass, to scale",
            "190.2 ms, 5.26 tokens/s",
            "72.5 ms, head 8.6",
            "0.0655 ms; prefill 4.19 ms",
            "then the token returns to Nano, 0 s",
        ],
    );
}

#[test]
fn equal_blocks_are_equally_wide() {
    for width in [968.0, 320.0] {
        let chart = layout_network(&sample::three_tiers(), width);
        let per_block = |at: usize, n: f64| {
            let hit = chart
                .describer
                .all
                .iter()
                .find(|hit| hit.what == NetworkPart::Blocks(at));
            hit.expect("the tier has blocks").rect.w / n
        };
        let px = [per_block(0, 5.0), per_block(1, 9.0), per_block(2, 18.0)];
        assert!(
            (px[0] - px[2]).abs() < 1e-9 && (px[1] - px[2]).abs() < 1e-9,
            "{px:?}"
        );
        assert!((chart.cuts()[0].px_per_block - px[0]).abs() < 1e-9);
    }
}

#[test]
fn cuts_lie_between_their_tiers() {
    for network in [sample::three_tiers(), sample::six_tiers()] {
        for width in WIDTHS {
            let chart = layout_network(&network, width);
            assert_eq!(chart.cuts().len(), network.tiers.len() - 1);
            let tier = |at: usize| {
                let hit = chart
                    .describer
                    .all
                    .iter()
                    .find(|hit| hit.what == NetworkPart::Tier(at));
                hit.expect("each tier has a box").rect
            };
            for cut in chart.cuts() {
                let (a, b) = (tier(cut.before), tier(cut.before + 1));
                assert!(cut.px_per_block >= 1.0);
                match cut.axis {
                    CutAxis::Across => assert!(width >= 560.0 && cut.x > a.right() && cut.x < b.x),
                    CutAxis::Down => assert!(width < 560.0 && cut.y > a.bottom() && cut.y < b.y),
                }
            }
        }
    }
}

#[test]
fn hits_are_where_their_marks_are() {
    for network in [sample::three_tiers(), sample::six_tiers()] {
        for width in WIDTHS {
            let chart = layout_network(&network, width);
            for (at, hit) in chart.describer.all.iter().enumerate() {
                let own: Vec<Rect> = chart
                    .picture
                    .marks
                    .iter()
                    .filter(|mark| mark.hit == Some(at))
                    .filter_map(|mark| match &mark.shape {
                        MarkShape::Rect { rect, .. } | MarkShape::Frame { rect, .. } => Some(*rect),
                        _ => mark.text_box(),
                    })
                    .collect();
                let is_hop = matches!(hit.what, NetworkPart::Hop(_));
                assert!(is_hop || !own.is_empty(), "{hit:?}");
                assert!(
                    is_hop || own.iter().any(|r| r.meets(&hit.rect)),
                    "{hit:?} {own:?}"
                );
                let found = chart.at(hit.rect.x + hit.rect.w / 2.0, hit.rect.y + 1.0);
                let found = found.map(|at| chart.describer.all[at].what.highlight_group());
                // A part of a tier is over its box; slim parts of the pass are under their neighbours' reach.
                let near = found == Some(hit.what.highlight_group()) || hit.rect.w < 14.0;
                assert!(near, "{hit:?} {found:?}");
            }
        }
    }
}

#[test]
fn a_thousand_blocks_merge_and_are_counted() {
    let chart = layout_network(&sample::six_tiers(), 968.0);
    assert!(
        chart.picture.marks.len() < 200,
        "{}",
        chart.picture.marks.len()
    );
    let texts = texts(&chart.picture);
    for expected in ["532 blocks", "no blocks", "does not fit"] {
        assert!(
            texts.iter().any(|t| t.starts_with(expected)),
            "{expected}: {texts:?}"
        );
    }
    let wide = layout_network(&sample::six_tiers(), 6000.0);
    assert!(wide.picture.marks.len() > 1000);
}

#[test]
fn numbers_give_way_to_cells() {
    let mut network = sample::three_tiers();
    for (tier, (first, last)) in network.tiers.iter_mut().zip([(1, 30), (31, 60), (61, 90)]) {
        (tier.first, tier.last) = (first, last);
    }
    let chart = layout_network(&network, 968.0);
    assert!(!texts(&chart.picture).contains(&"31".to_owned()));
    let bars = chart
        .picture
        .marks
        .iter()
        .filter(|mark| mark.ink == Ink::Dev2);
    assert!(bars.count() >= 30);
}

#[test]
fn a_tier_without_blocks_is_dashed() {
    let chart = layout_network(&sample::six_tiers(), 968.0);
    let at = chart
        .describer
        .all
        .iter()
        .position(|hit| hit.what == NetworkPart::Tier(2));
    let dashed = chart
        .picture
        .marks
        .iter()
        .filter(|mark| mark.hit == at)
        .any(|mark| {
            matches!(
                mark.shape,
                MarkShape::Rect {
                    edge: Some(Edge {
                        dash: [4.0, 3.0],
                        ..
                    }),
                    ..
                }
            )
        });
    assert!(dashed);
    let parts = chart.describer.all.iter().map(|hit| hit.what);
    assert!(!parts.clone().any(|part| part == NetworkPart::Blocks(2)));
    assert!(parts.clone().any(|part| part == NetworkPart::Blocks(1)));
}

#[test]
fn the_slowest_tier_and_an_overfull_one_are_marked_by_shape_and_word() {
    for width in [968.0, 320.0] {
        let chart = layout_network(&sample::six_tiers(), width);
        let all = |ink: Ink| {
            chart
                .picture
                .marks
                .iter()
                .filter(move |mark| mark.ink == ink)
        };
        // Under the box, and under its part of the pass.
        let lines = all(Ink::Text)
            .filter(|m| matches!(m.shape, MarkShape::Rect { rect, .. } if rect.h == 3.0));
        assert_eq!(lines.count(), 2);
        assert!(all(Ink::BadMark).count() >= 1);
        assert!(all(Ink::BadText).count() == 1);
        assert!(texts(&chart.picture).iter().any(|t| t.contains("slowest")));
    }
}

#[test]
fn hops_are_never_dropped() {
    let mut network = sample::three_tiers();
    network.hops[0].decode_s = 1e-12;
    network.return_s = 1e-12;
    for width in [968.0, 300.0] {
        let chart = layout_network(&network, width);
        let hops = chart
            .picture
            .marks
            .iter()
            .filter(|mark| mark.ink == Ink::TransferFill);
        assert_eq!(hops.count(), 3);
    }
}

#[test]
fn the_pass_is_to_scale() {
    let chart = layout_network(&sample::three_tiers(), 968.0);
    let width = |what| {
        let hit = chart.describer.all.iter().find(|hit| hit.what == what);
        hit.expect("a part of the pass").rect.w
    };
    let per_ms = width(NetworkPart::Pass(0)) / 53.523;
    assert!((width(NetworkPart::Pass(1)) - 63.977 * per_ms).abs() < 1e-6);
    assert!((width(NetworkPart::PassHead(2)) - 8.55 * per_ms).abs() < 1e-6);
}

#[test]
fn keys_walk_the_network_and_the_pass() {
    let chart = layout_network(&sample::three_tiers(), 968.0);
    let at = |what| chart.describer.all.iter().position(|hit| hit.what == what);
    let first = at(NetworkPart::Tier(0)).expect("a tier");
    assert_eq!(chart.neighbour(first, NeighbourKey::Earlier), None);
    let mut order = vec![first];
    while let Some(next) = chart.neighbour(order[order.len() - 1], NeighbourKey::Later) {
        order.push(next);
    }
    let pass = at(NetworkPart::Pass(0)).expect("a pass");
    assert_eq!(order.len(), pass);
    assert_eq!(chart.neighbour(pass, NeighbourKey::Earlier), None);
    assert_eq!(chart.neighbour(first, NeighbourKey::Last), Some(pass - 1));
    assert_eq!(
        chart.neighbour(pass, NeighbourKey::Last),
        Some(chart.describer.all.len() - 1)
    );
    assert_eq!(
        chart.neighbour(first, NeighbourKey::Chain),
        at(NetworkPart::Tier(2))
    );
    let below = chart
        .neighbour(first, NeighbourKey::Below)
        .expect("the pass is below");
    assert!(chart.describer.all[below].what.is_pass());
    let above = chart
        .neighbour(pass, NeighbourKey::Above)
        .expect("the network is above");
    assert!(!chart.describer.all[above].what.is_pass());
    assert_eq!(chart.neighbour(first, NeighbourKey::Above), None);
    assert_eq!(chart.neighbour(usize::MAX, NeighbourKey::Later), None);
    let phone = layout_network(&sample::three_tiers(), 320.0);
    let below = phone
        .neighbour(0, NeighbourKey::Below)
        .expect("a row below");
    assert_eq!(phone.describer.all[below].what, NetworkPart::Hop(0));
}

#[test]
fn a_highlight_is_in_both_pictures() {
    let chart = layout_network(&sample::three_tiers(), 968.0);
    let plain = chart.picture.marks.len();
    // Ground, and frames round the tier's pass and its head's.
    assert_eq!(
        chart.lit_by(chart.describer.all.len() - 1).marks.len(),
        plain + 3
    );
    let hop = chart
        .describer
        .all
        .iter()
        .position(|hit| hit.what == NetworkPart::Hop(0))
        .expect("a hop");
    assert_eq!(chart.lit_by(hop).marks.len(), plain + 2);
    assert_eq!(chart.lit_by(999), chart.picture);
    assert!(chart.ring_of(0).is_some());
    assert_eq!(chart.ring_of(999), None);
}

#[test]
fn odd_networks_do_not_break_it() {
    let mut endless = sample::three_tiers();
    endless.tiers[1].pass_s = f64::INFINITY;
    endless.total_s = f64::INFINITY;
    endless.hops[1].decode_s = f64::NAN;
    let mut still = sample::three_tiers();
    for tier in &mut still.tiers {
        (tier.pass_s, tier.head_s, tier.first, tier.last) = (0.0, 0.0, 1, 0);
    }
    still.total_s = 0.0;
    still.hops.clear();
    let mut many = sample::six_tiers();
    many.tiers.extend(sample::six_tiers().tiers);
    for network in [endless, still, many, TierDiagram::default()] {
        for width in [968.0, 560.0, 300.0, 10.0, 0.0, f64::NAN] {
            let chart = layout_network(&network, width);
            for hit in &chart.describer.all {
                let r = hit.rect;
                assert!(r.x.is_finite() && r.y.is_finite() && r.w >= 0.0, "{hit:?}");
            }
        }
    }
}

#[test]
fn it_is_an_svg() {
    for width in [968.0, 320.0] {
        let chart = layout_network(&sample::six_tiers(), width);
        for svg in both_themes(&chart.picture) {
            assert!(svg.contains("<title>Network of 6 tiers"));
        }
    }
}
