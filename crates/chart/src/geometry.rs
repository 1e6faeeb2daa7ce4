//! Hatches, dots, dashes and rounded corners cut down to polygons, all in px.

use super::mark::{Rect, Slant};

/// A place [px].
type Point = (f64, f64);

/// The slanted stripes of a hatch, each clipped exactly to the rectangle. They are tied to the origin of the
/// picture, so that neighbouring hatches run on into one another.
///
/// # Complexity
/// O((w + h) / spacing).
pub(super) fn stripes(rect: &Rect, slant: Slant, spacing: f64, width: f64) -> Vec<Vec<Point>> {
    let root = std::f64::consts::SQRT_2;
    // Along this direction a stripe does not change: x + y for a slash, y - x for a backslash.
    let along = |(x, y): Point| match slant {
        Slant::Rising => (x + y) / root,
        Slant::Falling => (y - x) / root,
    };
    let corners = [
        (rect.x, rect.y),
        (rect.right(), rect.y),
        (rect.right(), rect.bottom()),
        (rect.x, rect.bottom()),
    ];
    let reach = corners.map(along);
    let least = reach.into_iter().fold(f64::MAX, f64::min);
    let most = reach.into_iter().fold(f64::MIN, f64::max);
    let first = ((least - width / 2.0) / spacing).ceil() as i64;
    let last = ((most + width / 2.0) / spacing).floor() as i64;
    (first..=last)
        .filter_map(|k| {
            let middle = k as f64 * spacing;
            let above = clip(&corners, |p| along(p) - (middle - width / 2.0));
            let stripe = clip(&above, |p| (middle + width / 2.0) - along(p));
            (stripe.len() > 2).then_some(stripe)
        })
        .collect()
}

/// The part of a convex polygon where a linear function is not negative.
fn clip(polygon: &[Point], inside: impl Fn(Point) -> f64) -> Vec<Point> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, here) in polygon.iter().enumerate() {
        let next = polygon[(i + 1) % polygon.len()];
        let (a, b) = (inside(*here), inside(next));
        if a >= 0.0 {
            kept.push(*here);
        }
        if (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0) {
            let share = a / (a - b);
            kept.push((
                here.0 + share * (next.0 - here.0),
                here.1 + share * (next.1 - here.1),
            ));
        }
    }
    kept
}

/// The middles of sparse dots that lie wholly inside: columns tied to the origin of the picture, so that they
/// run through all rows; lines in the middle of the rectangle, so that a low one has some too.
pub(super) fn dots(rect: &Rect, spacing: f64, radius: f64) -> Vec<Point> {
    let (room_w, room_h) = (rect.w - 2.0 * radius, rect.h - 2.0 * radius);
    if room_w < 0.0 || room_h < 0.0 {
        return Vec::new();
    }
    let lines = (room_h / spacing).floor();
    let top = rect.y + rect.h / 2.0 - lines * spacing / 2.0;
    let first = ((rect.x + radius) / spacing).ceil() as i64;
    let last = ((rect.right() - radius) / spacing).floor() as i64;
    (0..=lines as i64)
        .flat_map(|line| (first..=last).map(move |column| (column, line)))
        .map(|(column, line)| (column as f64 * spacing, top + line as f64 * spacing))
        .collect()
}

/// A line cut into the pieces that are drawn. `dash` is drawn and left out in turn [px]; without one, or with
/// lengths that lead nowhere, the line stays whole.
pub(super) fn dashes(points: &[Point], dash: &[f64]) -> Vec<Vec<Point>> {
    let sum: f64 = dash.iter().sum();
    if dash.is_empty() || !sum.is_finite() || sum <= 0.0 || dash.iter().any(|d| *d < 0.0) {
        return vec![points.to_vec()];
    }
    let (mut pieces, mut turn, mut left) = (Vec::new(), 0, dash[0]);
    let mut piece: Vec<Point> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let length = libm::hypot(to.0 - from.0, to.1 - from.1);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let share = done / length;
            let at = (
                from.0 + share * (to.0 - from.0),
                from.1 + share * (to.1 - from.1),
            );
            if turn % 2 == 0 {
                piece.push(at);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![at];
            }
            turn += 1;
            left = dash[turn % dash.len()];
        }
        left -= length - done;
        if turn % 2 == 0 {
            piece.push(to);
        }
    }
    if piece.len() > 1 {
        pieces.push(piece);
    }
    pieces
}

/// The four sides of a frame of the given width inside a rectangle, cut into dashes.
pub(super) fn frame_dashes(rect: &Rect, dash: &[f64], width: f64) -> Vec<Rect> {
    let half = width / 2.0;
    let (left, right) = (rect.x + half, rect.right() - half);
    let (top, foot) = (rect.y + half, rect.bottom() - half);
    let sides = [
        [(rect.x, top), (rect.right(), top)],
        [(rect.x, foot), (rect.right(), foot)],
        [(left, rect.y), (left, rect.bottom())],
        [(right, rect.y), (right, rect.bottom())],
    ];
    let pieces = sides.iter().flat_map(|side| dashes(side, dash));
    pieces
        .filter_map(|piece| match piece.as_slice() {
            [a, .., b] => Some(if a.1 == b.1 {
                Rect::new(a.0, a.1 - half, b.0 - a.0, width)
            } else {
                Rect::new(a.0 - half, a.1, width, b.1 - a.1)
            }),
            _ => None,
        })
        .collect()
}

/// A rectangle with round corners; three points to a corner are enough for the radii in use.
pub(super) fn outline(rect: &Rect, radius: f64) -> Vec<Point> {
    let (l, t, r, b) = (rect.x, rect.y, rect.right(), rect.bottom());
    // Where the arc crosses the diagonal, measured from the corner.
    let d = radius * (1.0 - std::f64::consts::FRAC_1_SQRT_2);
    vec![
        (l, t + radius),
        (l + d, t + d),
        (l + radius, t),
        (r - radius, t),
        (r - d, t + d),
        (r, t + radius),
        (r, b - radius),
        (r - d, b - d),
        (r - radius, b),
        (l + radius, b),
        (l + d, b - d),
        (l, b - radius),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(piece: &[Point]) -> f64 {
        let step = |p: &[Point]| libm::hypot(p[1].0 - p[0].0, p[1].1 - p[0].1);
        piece.windows(2).map(step).sum()
    }

    #[test]
    fn a_hatch_stays_inside_and_covers_its_share() {
        for slant in [Slant::Rising, Slant::Falling] {
            let rect = Rect::new(158.0, 51.0, 485.0, 70.0);
            let stripes = stripes(&rect, slant, 5.0, 1.4);
            let mut area = 0.0;
            for stripe in &stripes {
                for (x, y) in stripe {
                    assert!(rect.grown(1e-9).contains(*x, *y), "{x} {y}");
                }
                let next = stripe.iter().cycle().skip(1);
                let double: f64 = stripe
                    .iter()
                    .zip(next)
                    .map(|(a, b)| a.0 * b.1 - b.0 * a.1)
                    .sum();
                area += double.abs() / 2.0;
            }
            let share = area / (rect.w * rect.h);
            assert!((share - 1.4 / 5.0).abs() < 0.01, "{share}");
        }
    }

    #[test]
    fn slashes_rise() {
        // The middle stripe of a square through the origin's diagonal goes from lower left to upper right.
        let square = Rect::new(0.0, 0.0, 10.0, 10.0);
        let on = |slant, point: Point| {
            let near = |p: &Point| libm::hypot(p.0 - point.0, p.1 - point.1) < 1.0;
            let diagonal = 10.0 * std::f64::consts::FRAC_1_SQRT_2;
            stripes(&square, slant, diagonal, 0.5)
                .iter()
                .flatten()
                .any(near)
        };
        assert!(on(Slant::Rising, (10.0, 0.0)) && on(Slant::Rising, (0.0, 10.0)));
        assert!(on(Slant::Falling, (0.0, 0.0)) && on(Slant::Falling, (10.0, 10.0)));
    }

    #[test]
    fn a_sliver_may_have_no_stripe() {
        let sliver = Rect::new(1.0, 1.0, 0.0, 0.0);
        assert!(stripes(&sliver, Slant::Rising, 5.0, 0.1).is_empty());
        assert!(dots(&sliver, 7.0, 1.0).is_empty());
    }

    #[test]
    fn dots_lie_inside_and_in_the_middle() {
        let rect = Rect::new(3.0, 10.0, 40.0, 22.0);
        let found = dots(&rect, 7.0, 0.9);
        assert!(found.iter().all(|(x, y)| rect.grown(-0.9).contains(*x, *y)));
        let ys: Vec<f64> = found.iter().map(|dot| dot.1).collect();
        let least = ys.iter().copied().fold(f64::MAX, f64::min);
        let most = ys.iter().copied().fold(f64::MIN, f64::max);
        assert_eq!((least + most) / 2.0, 21.0);
        assert_eq!(dots(&Rect::new(0.0, 0.0, 29.0, 4.0), 7.0, 0.9).len(), 4);
    }

    #[test]
    fn dashes_have_their_lengths_also_round_corners() {
        let line = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)];
        let pieces = dashes(&line, &[8.0, 3.0]);
        let lengths: Vec<f64> = pieces.iter().map(|p| length(p)).collect();
        assert_eq!(lengths, [8.0, 8.0]);
        assert_eq!(pieces[1][0], (10.0, 1.0));
        // A dash over the corner keeps the corner.
        let pieces = dashes(&line, &[12.0, 100.0]);
        assert_eq!(pieces, [vec![(0.0, 0.0), (10.0, 0.0), (10.0, 2.0)]]);
        // Four lengths in turn.
        let lengths: Vec<f64> = dashes(&[(0.0, 0.0), (32.0, 0.0)], &[8.0, 3.0, 2.0, 3.0])
            .iter()
            .map(|p| length(p))
            .collect();
        assert_eq!(lengths, [8.0, 2.0, 8.0, 2.0]);
    }

    #[test]
    fn odd_dashes_leave_the_line_whole() {
        let line = [(0.0, 0.0), (10.0, 0.0)];
        for dash in [&[][..], &[0.0, 0.0], &[f64::NAN, 1.0], &[-1.0, 2.0]] {
            assert_eq!(dashes(&line, dash), [line.to_vec()]);
        }
        assert_eq!(dashes(&[], &[1.0, 1.0]), Vec::<Vec<Point>>::new());
    }

    #[test]
    fn a_dashed_frame_is_in_its_rectangle() {
        let rect = Rect::new(10.0, 20.0, 15.0, 9.0);
        let pieces = frame_dashes(&rect, &[2.0, 2.0], 1.0);
        assert!(pieces.len() >= 12);
        for piece in pieces {
            assert!(
                rect.contains(piece.x, piece.y) && rect.contains(piece.right(), piece.bottom())
            );
            assert!(piece.w.max(piece.h) <= 2.0);
        }
        assert_eq!(frame_dashes(&rect, &[], 1.0).len(), 4);
    }

    #[test]
    fn corners_are_rounded_inwards() {
        let rect = Rect::new(0.0, 0.0, 20.0, 10.0);
        let points = outline(&rect, 2.0);
        assert_eq!(points.len(), 12);
        assert!(points.iter().all(|(x, y)| rect.contains(*x, *y)));
        assert!(!points.contains(&(0.0, 0.0)));
    }
}
