//! Maps of heads for the tests, and what holds of every picture of them.

mod much;
mod odd;
mod picture;
mod times;

use super::*;
use crate::heads::hits::{HeadHit, HeadPart};
use crate::mark::{Mark, MarkShape, Picture, Rect};
use crate::tests::kit::{assert_readable, both_themes, texts};
use crate::tests::sample;
use crate::{HitTarget, InteractiveChart, NeighbourKey};
use engine::units::NARROW;

const WIDTHS: [f64; 6] = [1400.0, 1110.0, 560.0, 559.0, 390.0, 320.0];

fn whole(map: &HeadMap, width: f64) -> InteractiveChart<HeadMarks> {
    HeadIndex::of(map).layout(width, TimeView::until(map.tokens as f64))
}

fn between(map: &HeadMap, width: f64, from_s: f64, to_s: f64) -> InteractiveChart<HeadMarks> {
    HeadIndex::of(map).layout(width, TimeView { from_s, to_s })
}

/// Three devices and twelve tokens, by hand. Heads 1 and 2 go from B to C before token 5, head 3 from A to B before token 9;
/// projection and FFN from C to A before token 7, where the FFN stays until token 10.
fn small() -> HeadMap {
    let device = |name: &str, is_controller| DeviceRow {
        name: name.into(),
        shade: 0,
        note: "9.5".into(),
        is_controller,
    };
    let span = |device, from, to, heads| HeadSpan {
        device,
        from,
        to,
        heads,
    };
    let run = |device, from, to| HostedBlock { device, from, to };
    let one = |token, block, from, to| BlockMove {
        token,
        block,
        from,
        to,
        bytes: 8.2e6,
        seconds: 0.012,
    };
    HeadMap {
        note_title: "Gop/s".into(),
        devices: vec![device("A", true), device("B", false), device("C", false)],
        tokens: 12,
        spans: vec![
            span(0, 9, 12, 1),
            span(0, 1, 8, 2),
            span(1, 1, 4, 2),
            span(1, 9, 12, 1),
            span(2, 5, 12, 2),
        ],
        projection: vec![run(2, 1, 6), run(0, 7, 12)],
        ffn: vec![run(2, 1, 6), run(0, 7, 10), run(2, 11, 12)],
        moves: vec![
            one(9, MovedBlock::Head(2), 0, 1),
            one(5, MovedBlock::Head(1), 1, 2),
            one(5, MovedBlock::Head(0), 1, 2),
            one(7, MovedBlock::Ffn, 2, 0),
            one(7, MovedBlock::Projection, 2, 0),
            one(11, MovedBlock::Ffn, 0, 2),
        ],
        interval: 1,
        at: None,
    }
}

/// The largest there is: sixty devices, a thousand tokens, thousands of moves.
fn large() -> HeadMap {
    let mut map = sample::heads((60, 96), 1000, 1, 11).0;
    map.at = Some(500);
    map
}

/// Maps of every size of row, with the line where something moves and where nothing does.
fn maps() -> Vec<(&'static str, HeadMap)> {
    let mut long = sample::heads((9, 64), 300, 3, 5).0;
    long.at = Some(299);
    for device in &mut long.devices {
        device.name = "The old computer in the living room".into();
    }
    let mut paper = sample::heads((25, 32), 1000, 40, 7).0;
    paper.at = Some(668);
    let mut few = sample::heads((5, 32), 100, 4, 7).0;
    few.at = Some(41);
    vec![
        ("paper", paper),
        ("few", few),
        ("long", long),
        ("large", large()),
        ("small", small()),
        ("none", HeadMap::default()),
    ]
}
