//! Pointer, wheel and touch input of a chart. Keys are in `keys`.

mod keys;

use super::zoom::Zoom;
use crate::ui::views::card::OpenCard;
use chart::{ChartHandle, TimeScale, TimeView};
use leptos::html::Div;
use leptos::prelude::*;
use std::cell::Cell;
use wasm_bindgen::JsCast;
use web_sys::{Element, MouseEvent, PointerEvent, WheelEvent};

/// A press that travels no further than this is a click [px].
const CLICK_PX: f64 = 4.0;
/// The line of the current value is caught within this distance, and by a finger [px].
const CURSOR_REACH_PX: f64 = 7.0;
const CURSOR_TOUCH_REACH_PX: f64 = 18.0;
/// Turning the wheel this far doubles the scale [px].
const DOUBLE_PX: f64 = 240.0;
/// A wheel that counts in lines: so many px a line.
const LINE_PX: f64 = 16.0;
/// How long the hint stays [ms].
const HINT_MS: u32 = 5_000;

thread_local! {
    /// True once the hint about the wheel was shown in this visit.
    static HINTED: Cell<bool> = const { Cell::new(false) };
}

/// State of a pressed pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
enum DragState {
    /// It may still become a click: where it began [px].
    Still((f64, f64)),
    /// It moves the view that it found, along and across the axis [px].
    Pan((f64, f64), TimeView),
    /// It drags the line of the current value.
    Now,
    /// It selects a span on the axis, from a place [px].
    Span(f64),
}

/// A setting that counts from 0, one place of the chart or more for each: keys walk through it, and each key takes what it
/// leads to.
#[derive(Clone, Copy)]
pub struct KeyboardStepper {
    /// Current value.
    pub now: Signal<usize>,
    /// The last that can be.
    pub last: Signal<usize>,
    /// Where along the axis of the chart it stands: what is set is brought into view.
    pub at: Signal<f64>,
}

/// Parts of an interactive chart.
#[derive(Clone, Copy)]
pub struct ChartParts {
    /// Its element.
    pub id: &'static str,
    /// The chart for the width that there is and the view.
    pub chart: Memo<ChartHandle>,
    /// Zoom state of its axis, if it has one.
    pub zoom: Option<Zoom>,
    /// Moves the view across the axis [px].
    pub across: Option<Callback<f64>>,
    /// Takes what a mark stands for, or a value of a line that is dragged.
    pub on_pick: Option<Callback<f64>>,
    /// Has keys walk through a setting rather than from mark to mark.
    pub walk: Option<KeyboardStepper>,
    /// Swaps chart and table.
    pub on_table: Option<Callback<()>>,
}

/// A chart's signals, and everything that events do to them.
#[derive(Clone, Copy)]
pub struct ChartController {
    parts: ChartParts,
    holder: NodeRef<Div>,
    rows: NodeRef<Div>,
    /// The mark under the pointer, and where the pointer entered it [px].
    pub hover: RwSignal<Option<(usize, f64)>>,
    /// The mark that keys and taps have chosen.
    selected: RwSignal<Option<usize>>,
    /// True while keys step through values.
    pub walks: RwSignal<bool>,
    /// The span that is being selected on the axis [px].
    pub span: RwSignal<Option<(f64, f64)>>,
    /// True if the line of the current value is dragged, or a press here would drag it.
    pub drags: RwSignal<bool>,
    pub near: RwSignal<bool>,
    /// How far the rows are scrolled [px].
    pub scrolled: RwSignal<f64>,
    /// True while the hint about the wheel is shown.
    pub hint: RwSignal<bool>,
    /// The visible span in words, after a key has changed it.
    pub announced: RwSignal<String>,
    drag: StoredValue<Option<DragState>>,
    fingers: StoredValue<Vec<(i32, f64)>>,
    open: OpenCard,
}

impl std::ops::Deref for ChartController {
    type Target = ChartParts;

    fn deref(&self) -> &ChartParts {
        &self.parts
    }
}

impl ChartController {
    /// The hand on a chart.
    pub fn new(parts: ChartParts, (holder, rows): (NodeRef<Div>, NodeRef<Div>)) -> Self {
        let hand = Self {
            parts,
            holder,
            rows,
            hover: RwSignal::new(None),
            selected: RwSignal::new(None),
            walks: RwSignal::new(false),
            span: RwSignal::new(None),
            drags: RwSignal::new(false),
            near: RwSignal::new(false),
            scrolled: RwSignal::new(0.0),
            hint: RwSignal::new(false),
            announced: RwSignal::new(String::new()),
            drag: StoredValue::new(None),
            fingers: StoredValue::new(Vec::new()),
            open: expect_context::<OpenCard>(),
        };
        hand.keep_selection();
        hand.follow_walk();
        hand
    }

    /// Keeps selection and highlight when the chart is laid out again with other indices. A chart of much data has marks for its
    /// visible part only.
    fn keep_selection(self) {
        Effect::new(move |before: Option<ChartHandle>| {
            let chart = self.chart.get();
            let again = |at: usize| {
                let place = before.as_ref()?.place(at)?;
                chart.again(&place)
            };
            if let (Some(at), true) = (self.selected.get_untracked(), before.is_some()) {
                let now = again(at);
                if now != Some(at) {
                    self.selected.set(now);
                }
            }
            if let Some((at, x)) = self.hover.get_untracked() {
                let now = again(at);
                if now != Some(at) {
                    self.hover.set(now.map(|at| (at, x)));
                }
            }
            chart
        });
    }

    /// Scrolls the current value into view.
    fn follow_walk(self) {
        let Some((walk, zoom)) = self.walk.zip(self.zoom) else {
            return;
        };
        Effect::new(move |before: Option<f64>| {
            let at = walk.at.get();
            if before.is_some_and(|before| before != at)
                && zoom.view.with_untracked(Option::is_some)
            {
                let (seen, end_s) = (zoom.seen_now(), zoom.end_s.get_untracked());
                self.show(seen.showing(at, at + 1.0, end_s));
            }
            at
        });
    }

    /// The mark that keys and taps have chosen, or that what is set stands for.
    pub fn chosen(&self) -> Option<usize> {
        let Some(walk) = self.walk else {
            return self.selected.get();
        };
        let now = self.walks.get().then(|| walk.now.get() as f64)?;
        self.chart.with(|chart| {
            let mut all = 0..chart.count();
            all.find(|at| chart.pick(*at) == Some(now))
        })
    }

    /// The mark that the card speaks about, and where a pointer entered it [px].
    pub fn marked(&self) -> Option<(usize, Option<f64>)> {
        if self.drags.get() {
            return None;
        }
        let hover = self.hover.get().map(|(at, x)| (at, Some(x)));
        hover.or(self.chosen().map(|at| (at, None)))
    }

    /// The focus has gone elsewhere.
    pub fn leave(&self) {
        self.selected.set(None);
        self.walks.set(false);
    }

    /// Where an event happens, in the chart's pixels as they are seen.
    fn place(&self, event: &MouseEvent) -> Option<(f64, f64)> {
        let frame = self.holder.get_untracked()?.get_bounding_client_rect();
        Some((
            f64::from(event.client_x()) - frame.left(),
            f64::from(event.client_y()) - frame.top(),
        ))
    }

    fn hit(&self, (x, y): (f64, f64)) -> Option<usize> {
        let scrolled = self.scrolled.get_untracked();
        self.chart.with_untracked(|chart| {
            let under_axis = chart.axis().is_some_and(|axis| y <= axis.height);
            chart.at(x, y + scrolled).filter(|_| !under_axis)
        })
    }

    /// Returns true if a point is on the line of the current value and not on a mark beside it.
    fn is_on_now(&self, (x, y): (f64, f64), touch: bool) -> bool {
        let drag = if touch {
            CURSOR_TOUCH_REACH_PX
        } else {
            CURSOR_REACH_PX
        };
        let now = self.chart.with_untracked(|chart| chart.now());
        now.is_some_and(|(now, foot)| (x - now).abs() <= drag && y <= foot)
            && self.hit((x, y)).is_none()
    }

    /// Left and right end of the axis [px].
    pub fn ends_px(&self) -> (f64, f64) {
        let ends = |chart: &ChartHandle| chart.scale().map_or((0.0, 1.0), TimeScale::ends_px);
        self.chart.with_untracked(ends)
    }

    fn s_per_px(&self) -> f64 {
        let (left, right) = self.ends_px();
        self.visible_range().span_s() / (right - left)
    }

    fn s_from_px(&self, x: f64) -> f64 {
        let at = |chart: &ChartHandle| chart.scale().map_or(0.0, |scale| scale.s_from_px(x));
        self.chart.with_untracked(at)
    }

    fn least_s(&self) -> f64 {
        self.chart.with_untracked(|chart| chart.least_span())
    }

    fn visible_range(&self) -> TimeView {
        self.zoom
            .map_or(TimeView::until(1.0), |zoom| zoom.seen_now())
    }

    fn end_s(&self) -> f64 {
        self.zoom.map_or(1.0, |zoom| zoom.end_s.get_untracked())
    }

    fn is_zoomed(&self) -> bool {
        self.zoom
            .is_some_and(|zoom| zoom.view.with_untracked(Option::is_some))
    }

    fn show(&self, view: TimeView) {
        if let Some(zoom) = self.zoom {
            zoom.view.set(view.fitted_to(self.end_s()));
        }
    }

    fn zoom_by(&self, factor: f64, about_s: f64) {
        let end_s = self.end_s();
        self.show(
            self.visible_range()
                .zoomed(factor, about_s, end_s, self.least_s()),
        );
    }

    fn capture(&self, event: &PointerEvent) {
        if let Some(element) = self.holder.get_untracked() {
            let _ = element.set_pointer_capture(event.pointer_id());
        }
    }

    pub fn press(&self, event: &PointerEvent) {
        let Some(at) = self.place(event) else { return };
        self.open.give_to(self.id);
        if event.pointer_type() == "touch" {
            self.fingers
                .update_value(|fingers| fingers.push((event.pointer_id(), at.0)));
        }
        if event.button() != 0 {
            return;
        }
        let is_touch = event.pointer_type() == "touch";
        if self.on_pick.is_some() && self.is_on_now(at, is_touch) {
            self.drag.set_value(Some(DragState::Now));
            self.drags.set(true);
            self.hover.set(None);
            self.capture(event);
        } else {
            self.drag.set_value(Some(DragState::Still(at)));
        }
    }

    pub fn follow(&self, event: &PointerEvent) {
        let Some(at) = self.place(event) else { return };
        if self.pinch(event.pointer_id(), at.0) {
            return;
        }
        match self.drag.get_value() {
            Some(DragState::Still(from)) => self.start_drag(event, from, at),
            Some(DragState::Now) => self.drag_to(at.0),
            Some(DragState::Pan(from, view)) => {
                let by = (from.0 - at.0) * view.span_s() / self.visible_range().span_s();
                self.show(view.panned(by * self.s_per_px(), self.end_s()));
                if let Some(across) = self.across {
                    across.run(from.1 - at.1);
                    // What is dragged across is moved by what has come since.
                    self.drag
                        .set_value(Some(DragState::Pan((from.0, at.1), view)));
                }
            }
            Some(DragState::Span(from)) => self.span.set(Some((from, self.on_axis(at.0)))),
            None => self.point(event, at),
        }
    }

    /// A pressed pointer that moves: along the axis it selects, elsewhere it pans what is zoomed.
    fn start_drag(&self, event: &PointerEvent, from: (f64, f64), at: (f64, f64)) {
        if libm::hypot(at.0 - from.0, at.1 - from.1) <= CLICK_PX {
            return;
        }
        let on_axis = self.zoom.is_some() && self.chart.with_untracked(|c| c.is_axis(from.1));
        let drag = if on_axis {
            DragState::Span(self.on_axis(from.0))
        } else if self.is_zoomed() {
            DragState::Pan(from, self.visible_range())
        } else {
            return;
        };
        self.drag.set_value(Some(drag));
        self.hover.set(None);
        self.capture(event);
    }

    fn drag_to(&self, x: f64) {
        let value = self.chart.with_untracked(|chart| chart.dragged(x));
        if let Some((value, on_pick)) = value.zip(self.on_pick) {
            on_pick.run(value);
        }
    }

    /// The nearest place on the axis [px].
    fn on_axis(&self, x: f64) -> f64 {
        let (left, right) = self.ends_px();
        x.clamp(left, right)
    }

    fn point(&self, event: &PointerEvent, at: (f64, f64)) {
        if event.pointer_type() == "touch" {
            return;
        }
        let on_now = self.on_pick.is_some() && self.is_on_now(at, false);
        if on_now != self.near.get_untracked() {
            self.near.set(on_now);
        }
        let found = self.hit(at);
        if found != self.hover.get_untracked().map(|(at, _)| at) {
            self.open.give_to(self.id);
            self.hover.set(found.map(|hit| (hit, at.0)));
        }
    }

    /// Two fingers: the time between them stays between them, and the scale follows their distance.
    fn pinch(&self, finger: i32, x: f64) -> bool {
        if self.zoom.is_none() {
            return false;
        }
        let fingers = self.fingers.get_value();
        let ([(a, xa), (b, xb)], true) = (fingers.as_slice(), fingers.len() == 2) else {
            return false;
        };
        let (na, nb) = (
            if *a == finger { x } else { *xa },
            if *b == finger { x } else { *xb },
        );
        self.fingers.set_value(vec![(*a, na), (*b, nb)]);
        self.drag.set_value(None);
        self.selected.set(None);
        let (old, new) = ((xa - xb).abs().max(10.0), (na - nb).abs().max(10.0));
        self.zoom_by(new / old, self.s_from_px((xa + xb) / 2.0));
        let moved = (xa + xb - na - nb) / 2.0 * self.s_per_px();
        self.show(self.visible_range().panned(moved, self.end_s()));
        true
    }

    pub fn release(&self, event: &PointerEvent) {
        let drag = self.drag.get_value();
        let span = self.span.get_untracked();
        self.let_go(event);
        match drag {
            Some(DragState::Still(_)) => {
                if let Some(at) = self.place(event) {
                    self.click(event, at);
                }
            }
            Some(DragState::Span(_)) => {
                if let Some((a, b)) = span.filter(|(a, b)| (a - b).abs() > CLICK_PX) {
                    let (a, b) = (self.s_from_px(a), self.s_from_px(b));
                    self.show(TimeView::between(a, b, self.end_s(), self.least_s()));
                }
            }
            Some(DragState::Pan(..) | DragState::Now) | None => {}
        }
    }

    /// A press on a place takes what its mark stands for, or selects it. A finger has no hover: its first tap shows the
    /// card, its second takes.
    fn click(&self, event: &PointerEvent, at: (f64, f64)) {
        let found = self.hit(at);
        let waits = event.pointer_type() == "touch"
            && self.walk.is_none()
            && found != self.selected.get_untracked();
        if !waits && found.is_some_and(|hit| self.activate(hit)) {
            return;
        }
        // Whatever mark is there is selected all the same.
        let value = self.chart.with_untracked(|chart| chart.value_at(at.0));
        if let Some((value, on_pick)) = value.zip(self.on_pick) {
            on_pick.run(value);
        }
        self.hover.set(None);
        self.selected.set(found);
        self.point(event, at);
    }

    /// Takes what a mark stands for; says whether it stands for something.
    fn activate(&self, hit: usize) -> bool {
        let pick = self.chart.with_untracked(|chart| chart.pick(hit));
        let taken = pick.zip(self.on_pick);
        if let Some((pick, on_pick)) = taken {
            on_pick.run(pick);
        }
        taken.is_some()
    }

    pub fn let_go(&self, event: &PointerEvent) {
        self.drag.set_value(None);
        self.drags.set(false);
        self.span.set(None);
        self.fingers
            .update_value(|fingers| fingers.retain(|(id, _)| *id != event.pointer_id()));
    }

    /// Moves the middle of the view to a place on the overview.
    pub fn centre(&self, event: &PointerEvent) {
        let target = event.current_target();
        let Some(strip) = target.and_then(|target| target.dyn_into::<Element>().ok()) else {
            return;
        };
        let _ = strip.set_pointer_capture(event.pointer_id());
        let frame = strip.get_bounding_client_rect();
        let share = (f64::from(event.client_x()) - frame.left()) / frame.width();
        let (seen, end_s) = (self.visible_range(), self.end_s());
        let by = share * end_s - (seen.from_s + seen.to_s) / 2.0;
        self.show(seen.panned(by, end_s));
    }

    /// All of it, where a double click meets no mark.
    pub fn show_all(&self, event: &MouseEvent) {
        let on_mark = self.place(event).and_then(|at| self.hit(at)).is_some();
        if let Some(zoom) = self.zoom.filter(|_| !on_mark || self.on_pick.is_none()) {
            zoom.view.set(None);
        }
    }

    /// With Ctrl it zooms about the pointer, sideways it pans what is zoomed; else the page scrolls.
    pub fn wheel(&self, event: &WheelEvent) {
        if self.zoom.is_none() {
            return;
        }
        let px = if event.delta_mode() == WheelEvent::DOM_DELTA_LINE {
            LINE_PX
        } else {
            1.0
        };
        let (dx, dy) = (event.delta_x() * px, event.delta_y() * px);
        if event.ctrl_key() || event.meta_key() {
            event.prevent_default();
            self.hover.set(None);
            let Some(at) = self.place(event) else {
                return;
            };
            let doublings = (-dy / DOUBLE_PX).clamp(-2.0, 2.0);
            self.zoom_by(libm::exp2(doublings), self.s_from_px(self.on_axis(at.0)));
        } else if dx.abs() > dy.abs() && self.is_zoomed() {
            event.prevent_default();
            self.show(
                self.visible_range()
                    .panned(dx * self.s_per_px(), self.end_s()),
            );
        } else if dy != 0.0 && !HINTED.replace(true) {
            self.hint.set(true);
            let hint = self.hint;
            gloo::timers::callback::Timeout::new(HINT_MS, move || {
                // The chart may be gone by then.
                let _ = hint.try_set(false);
            })
            .forget();
        }
    }

    /// The rows have scrolled under their axis.
    pub fn scroll(&self) {
        if let Some(rows) = self.rows.get_untracked() {
            self.scrolled.set(f64::from(rows.scroll_top()));
        }
    }
}
