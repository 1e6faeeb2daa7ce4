//! Where a card is beside the mark it speaks about.

use super::mark::Rect;

/// From a mark to its card [px].
const GAP_PX: f64 = 12.0;

/// The upper left corner of a card of the given width and height [px] for a mark, inside `window`; all in one space.
///
/// Under the mark and right of `x` (the pointer, or the mark's middle); above the mark where there is no room under
/// it, left of `x` where there is none to the right. Where neither over nor under the mark is room enough, beside it.
/// Only a window that is too small for both lets a card cover its mark; it then is inside the window.
#[must_use]
pub fn place(mark: Rect, x: f64, (w, h): (f64, f64), window: Rect) -> (f64, f64) {
    let inside = |at: f64, size: f64, from: f64, to: f64| at.min(to - size).max(from);
    let right_of_x = x + GAP_PX;
    let left = if right_of_x + w <= window.right() {
        right_of_x
    } else {
        x - GAP_PX - w
    };
    let left = inside(left, w, window.x, window.right());
    let (under, over) = (mark.bottom() + GAP_PX, mark.y - GAP_PX - h);
    if under + h <= window.bottom() {
        return (left, under.max(window.y));
    }
    if over >= window.y {
        return (left, over.min(window.bottom() - h));
    }
    let top = inside(mark.y, h, window.y, window.bottom());
    let (after, before) = (mark.right() + GAP_PX, mark.x - GAP_PX - w);
    if after + w <= window.right() {
        (after, top)
    } else if before >= window.x {
        (before, top)
    } else {
        // Where there is more of the window, whichever side of the mark that is.
        let is_low = mark.y - window.y > window.bottom() - mark.bottom();
        let top = if is_low { over } else { under };
        (left, inside(top, h, window.y, window.bottom()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Rect = Rect::new(0.0, 48.0, 1440.0, 852.0);
    const CARD: (f64, f64) = (250.0, 220.0);

    fn covers(at: (f64, f64), mark: Rect) -> bool {
        at.0 < mark.right()
            && mark.x < at.0 + CARD.0
            && at.1 < mark.bottom()
            && mark.y < at.1 + CARD.1
    }

    #[test]
    fn under_and_right_where_there_is_space_and_flipped_where_not() {
        let mark = Rect::new(600.0, 300.0, 300.0, 28.0);
        assert_eq!(place(mark, 700.0, CARD, WINDOW), (712.0, 340.0));
        let low = Rect { y: 800.0, ..mark };
        assert_eq!(place(low, 700.0, CARD, WINDOW), (712.0, 568.0));
        let right = Rect { x: 1100.0, ..mark };
        assert_eq!(place(right, 1390.0, CARD, WINDOW), (1128.0, 340.0));
    }

    #[test]
    fn a_card_stays_in_the_window_and_off_its_mark() {
        for window in [
            WINDOW,
            Rect::new(0.0, 48.0, 390.0, 740.0),
            Rect::new(0.0, 0.0, 1000.0, 300.0),
        ] {
            for column in 0..40 {
                for row in 0..40 {
                    let x = window.x + window.w * f64::from(column) / 40.0;
                    let y = window.y + (window.h - 28.0) * f64::from(row) / 39.0;
                    let mark = Rect::new(x, y, 30.0, 28.0);
                    let at = place(mark, x + 15.0, CARD, window);
                    let card = Rect::new(at.0, at.1, CARD.0, CARD.1);
                    assert!(
                        card.x >= window.x && card.right() <= window.right(),
                        "{mark:?} {card:?}"
                    );
                    assert!(
                        card.y >= window.y && card.bottom() <= window.bottom(),
                        "{mark:?} {card:?}"
                    );
                    assert!(!covers(at, mark), "{mark:?} {card:?}");
                }
            }
        }
    }

    #[test]
    fn a_window_that_is_too_small_shows_the_cards_upper_left() {
        let small = Rect::new(0.0, 0.0, 100.0, 100.0);
        assert_eq!(
            place(Rect::new(40.0, 40.0, 5.0, 5.0), 42.0, CARD, small),
            (0.0, 0.0)
        );
    }
}
