//! The visible span of a time axis, and what a hand does to it. No view leaves the plan, and none is shorter than
//! its caller can show.

use super::Gantt;
use serde::{Deserialize, Serialize};

/// The visible span of the time axis. Charts that are to be compared share one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TimeView {
    /// Left end [s].
    pub from_s: f64,
    /// Right end [s].
    pub to_s: f64,
}

/// The finest a time axis goes [s a pixel].
const FINEST_S_PER_PX: f64 = 1e-6;

impl TimeView {
    /// All of a plan, from the start of loading to the answer.
    #[must_use]
    pub fn full(gantt: &Gantt) -> Self {
        Self::until(gantt.total_s)
    }

    /// From the start of loading to a time [s].
    #[must_use]
    pub const fn until(end_s: f64) -> Self {
        Self {
            from_s: 0.0,
            to_s: end_s,
        }
    }

    /// The shortest span that a plot of this width shows [s]: a microsecond a pixel.
    #[must_use]
    pub fn least_s(plot_px: f64) -> f64 {
        FINEST_S_PER_PX * plot_px.max(1.0)
    }

    /// Its length [s].
    #[must_use]
    pub fn span_s(self) -> f64 {
        self.to_s - self.from_s
    }

    /// `factor` times as near about a time, which keeps its place as far as the ends at 0 and `end_s` allow.
    #[must_use]
    pub fn zoomed(self, factor: f64, about_s: f64, end_s: f64, least_s: f64) -> Self {
        let span = self.span_s() / factor;
        if !(span.is_finite() && span > 0.0 && end_s.is_finite() && about_s.is_finite()) {
            return self;
        }
        let span = span.max(least_s).min(end_s);
        let about = about_s.clamp(self.from_s, self.to_s);
        let share = (about - self.from_s) / self.span_s();
        Self::of_span(about - share * span, span, end_s)
    }

    /// Moved by a time to the right [s], at most to the ends.
    #[must_use]
    pub fn panned(self, by_s: f64, end_s: f64) -> Self {
        if !(by_s.is_finite() && end_s.is_finite()) {
            return self;
        }
        Self::of_span(self.from_s + by_s, self.span_s(), end_s)
    }

    /// The span between two times [s] in either order.
    #[must_use]
    pub fn between(a_s: f64, b_s: f64, end_s: f64, least_s: f64) -> Self {
        let (from, to) = (
            a_s.min(b_s).clamp(0.0, end_s),
            a_s.max(b_s).clamp(0.0, end_s),
        );
        let span = (to - from).max(least_s).min(end_s);
        Self::of_span((from + to - span) / 2.0, span, end_s)
    }

    /// Moved as little as possible so that a span [s] is seen; of one that is longer than the view, its start.
    #[must_use]
    pub fn showing(self, from_s: f64, to_s: f64, end_s: f64) -> Self {
        if from_s < self.to_s && to_s > self.from_s && to_s - from_s >= self.span_s() {
            return self;
        }
        let by = if from_s < self.from_s || to_s - from_s >= self.span_s() {
            from_s - self.from_s
        } else {
            (to_s - self.to_s).max(0.0)
        };
        self.panned(by, end_s)
    }

    /// Returns the view for a plan that ends at `end_s` [s]; `None` if it does not fit there or would show all of it.
    #[must_use]
    pub fn fitted_to(self, end_s: f64) -> Option<Self> {
        let hair = 1e-9 * end_s;
        let fits = self.from_s >= -hair && self.to_s <= end_s + hair;
        (fits && self.span_s() < end_s - hair).then_some(self)
    }

    fn of_span(from_s: f64, span_s: f64, end_s: f64) -> Self {
        let from_s = from_s.min(end_s - span_s).max(0.0);
        Self {
            from_s,
            to_s: (from_s + span_s).min(end_s),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LEAST: f64 = 8e-4;

    /// A plan's end and a view of it.
    fn views() -> impl Strategy<Value = (f64, TimeView)> {
        (0.01..100.0_f64, 0.0..1.0_f64, 0.0..1.0_f64)
            .prop_map(|(end, a, b)| (end, TimeView::between(a * end, b * end, end, LEAST)))
    }

    fn is_inside(view: TimeView, end: f64) -> bool {
        view.from_s >= 0.0 && view.to_s <= end && view.span_s() >= LEAST.min(end) * (1.0 - 1e-9)
    }

    proptest! {
        #[test]
        fn no_hand_leads_out_of_the_plan(
            (end, view) in views(),
            factor in 0.01..100.0_f64,
            share in -1.0..2.0_f64,
            other in 0.0..1.0_f64,
        ) {
            let at = share * end;
            prop_assert!(is_inside(view, end));
            prop_assert!(is_inside(view.zoomed(factor, at, end, LEAST), end));
            prop_assert!(is_inside(view.panned(at, end), end));
            prop_assert!(is_inside(TimeView::between(at, other * end, end, LEAST), end));
            let (from, to) = (at.clamp(0.0, end).min(other * end), at.clamp(0.0, end).max(other * end));
            prop_assert!(is_inside(view.showing(from, to, end), end));
        }

        #[test]
        fn zooming_about_a_time_keeps_its_place(
            (end, view) in views(),
            factor in 1.0..20.0_f64,
            share in 0.0..1.0_f64,
        ) {
            let about = view.from_s + share * view.span_s();
            let near = view.zoomed(factor, about, end, LEAST);
            let place = (about - near.from_s) / near.span_s();
            prop_assert!((place - share).abs() < 1e-6, "{} {}", place, share);
            // Out again by the same factor, it is the view it was, unless the limit stopped it.
            if near.span_s() > LEAST * 1.001 {
                let back = near.zoomed(1.0 / factor, about, end, LEAST);
                prop_assert!((back.from_s - view.from_s).abs() < 1e-6 * end);
                prop_assert!((back.to_s - view.to_s).abs() < 1e-6 * end);
            }
        }

        #[test]
        fn panning_keeps_the_span((end, view) in views(), by in -2.0..2.0_f64) {
            let moved = view.panned(by * end, end);
            prop_assert!((moved.span_s() - view.span_s()).abs() < 1e-9 * end);
        }

        #[test]
        fn a_span_to_be_seen_is_in_the_view((end, view) in views(), a in 0.0..1.0_f64, b in 0.0..1.0_f64) {
            let (from, to) = (a.min(b) * end, a.max(b) * end);
            let shown = view.showing(from, to, end);
            let hair = 1e-9 * end;
            if to - from <= view.span_s() {
                prop_assert!(shown.from_s <= from + hair && shown.to_s >= to - hair);
            } else {
                prop_assert!(shown.from_s <= to && shown.to_s >= from);
            }
        }
    }

    #[test]
    fn the_limits_are_all_of_it_and_a_microsecond_a_pixel() {
        let whole = TimeView::until(2.562);
        assert_eq!(whole.zoomed(0.5, 1.0, 2.562, LEAST), whole);
        let finest = whole.zoomed(1e9, 1.0, 2.562, TimeView::least_s(800.0));
        assert!((finest.span_s() - 8e-4).abs() < 1e-12);
    }

    #[test]
    fn a_new_plan_keeps_the_view_where_it_fits() {
        let view = TimeView {
            from_s: 1.0,
            to_s: 2.0,
        };
        assert_eq!(view.fitted_to(2.562), Some(view));
        assert_eq!(view.fitted_to(2.0), Some(view));
        assert_eq!(view.fitted_to(1.9), None);
        assert_eq!(TimeView::until(2.0).fitted_to(2.0), None);
    }

    #[test]
    fn a_plan_without_an_end_stays_as_it_is() {
        let odd = TimeView::until(f64::INFINITY);
        assert_eq!(odd.zoomed(2.0, 1.0, f64::INFINITY, LEAST), odd);
        assert_eq!(odd.panned(1.0, f64::INFINITY), odd);
        let still = TimeView::until(0.0);
        assert_eq!(still.zoomed(2.0, 0.0, 0.0, LEAST), still);
    }
}
