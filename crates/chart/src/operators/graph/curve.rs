//! Ways of edges: curves as lines of points, and the part of them that is seen.

use crate::mark::{Rect, clip_line};

/// Points of a curve.
const CURVE_POINTS: usize = 10;

/// A cubic curve as a line of points.
pub(super) fn bezier(
    a: (f64, f64),
    b: (f64, f64),
    c: (f64, f64),
    d: (f64, f64),
) -> Vec<(f64, f64)> {
    let at = |k: usize| {
        let t = k as f64 / CURVE_POINTS as f64;
        let s = 1.0 - t;
        let mix = |a: f64, b: f64, c: f64, d: f64| {
            s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
        };
        (mix(a.0, b.0, c.0, d.0), mix(a.1, b.1, c.1, d.1))
    };
    (0..=CURVE_POINTS).map(at).collect()
}

/// A way up, along and down again.
pub(super) fn bow(
    (x1, y1): (f64, f64),
    (x2, y2): (f64, f64),
    up: f64,
    layer_px: f64,
) -> Vec<(f64, f64)> {
    let rise = (0.45 * (x2 - x1)).min(0.9 * layer_px).max(2.0);
    let (a, b) = (x1 + rise, x2 - rise);
    let (high1, high2) = (y1 - up, y2 - up);
    let bend = rise / 2.0;
    let mut points = bezier((x1, y1), (x1 + bend, y1), (a - bend, high1), (a, high1));
    points.extend(bezier(
        (b, high2),
        (b + bend, high2),
        (x2 - bend, y2),
        (x2, y2),
    ));
    points
}

/// The parts of a line inside a rectangle.
pub(super) fn inside(points: &[(f64, f64)], area: &Rect) -> Vec<Vec<(f64, f64)>> {
    let turned = |path: Vec<(f64, f64)>| path.into_iter().map(|(x, y)| (y, x)).collect::<Vec<_>>();
    let across = clip_line(points, (area.x, area.right()));
    let cut = |path: Vec<(f64, f64)>| {
        let is_in = |(_, y): &(f64, f64)| *y >= area.y && *y <= area.bottom();
        if path.iter().all(is_in) {
            return vec![path];
        }
        let paths = clip_line(&turned(path), (area.y, area.bottom()));
        paths.into_iter().map(turned).collect()
    };
    across.into_iter().flat_map(cut).collect()
}
