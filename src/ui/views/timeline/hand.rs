//! What a pointer, a wheel, fingers and keys do to a timeline.

use super::chart::STEP;
use crate::ui::views::card::OpenCard;
use chart::{Drawn, Step, View};
use leptos::html::Div;
use leptos::prelude::*;
use std::cell::Cell;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, PointerEvent, WheelEvent};

/// A press that travels no further than this is a click [px].
const CLICK_PX: f64 = 4.0;
/// Turning the wheel this far doubles the scale [px].
const DOUBLE_PX: f64 = 240.0;
/// A wheel that counts in lines: so many px a line.
const LINE_PX: f64 = 16.0;
/// The part of the view that a key moves it by.
const PAN_SHARE: f64 = 0.2;
/// How long the hint stays [ms].
const HINT_MS: u32 = 5_000;

thread_local! {
    /// Whether the hint about the wheel has been seen: once a visit is enough.
    static HINTED: Cell<bool> = const { Cell::new(false) };
}

/// What a pressed pointer does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Grip {
    /// It may still become a click: where it began [px].
    Still((f64, f64)),
    /// It moves the view that it found [px].
    Pan(f64, View),
    /// It selects a span on the axis, from a place [px].
    Span(f64),
}

/// A chart's signals, and everything that events do to them.
#[derive(Clone, Copy)]
pub struct Hand {
    id: &'static str,
    holder: NodeRef<Div>,
    rows: NodeRef<Div>,
    pub chart: Memo<Drawn>,
    view: RwSignal<Option<View>>,
    pub seen: Memo<View>,
    pub end_s: Signal<f64>,
    on_table: Option<Callback<()>>,
    /// The mark under the pointer, and where the pointer entered it [px].
    pub hover: RwSignal<Option<(usize, f64)>>,
    /// The mark that keys and taps have chosen.
    pub selected: RwSignal<Option<usize>>,
    /// The span that is being selected on the axis [px].
    pub span: RwSignal<Option<(f64, f64)>>,
    /// How far the rows are scrolled [px].
    pub scrolled: RwSignal<f64>,
    /// Whether the hint about the wheel is on show.
    pub hint: RwSignal<bool>,
    /// The visible span in words, after a key has changed it.
    pub announced: RwSignal<String>,
    grip: StoredValue<Option<Grip>>,
    fingers: StoredValue<Vec<(i32, f64)>>,
    open: OpenCard,
}

impl Hand {
    /// The hand on a chart.
    pub fn new(
        id: &'static str,
        (holder, rows): (NodeRef<Div>, NodeRef<Div>),
        chart: Memo<Drawn>,
        (view, seen, end_s): (RwSignal<Option<View>>, Memo<View>, Signal<f64>),
        on_table: Option<Callback<()>>,
    ) -> Self {
        Self {
            id,
            holder,
            rows,
            chart,
            view,
            seen,
            end_s,
            on_table,
            hover: RwSignal::new(None),
            selected: RwSignal::new(None),
            span: RwSignal::new(None),
            scrolled: RwSignal::new(0.0),
            hint: RwSignal::new(false),
            announced: RwSignal::new(String::new()),
            grip: StoredValue::new(None),
            fingers: StoredValue::new(Vec::new()),
            open: expect_context::<OpenCard>(),
        }
    }

    /// What is selected stays selected when the chart is laid out anew, whatever number it has then. A chart of much
    /// data has marks for what is seen alone.
    pub fn keep_selection(self) {
        Effect::new(move |before: Option<Drawn>| {
            let chart = self.chart.get();
            let selected = self.selected.get_untracked();
            if let (Some(before), Some(at)) = (before, selected) {
                let now = before.place(at).and_then(|place| chart.again(&place));
                if now != Some(at) {
                    self.selected.set(now);
                }
            }
            self.hover.set(None);
            chart
        });
    }

    /// The mark that the card speaks about, and where a pointer entered it [px].
    pub fn marked(&self) -> Option<(usize, Option<f64>)> {
        let hover = self.hover.get().map(|(at, x)| (at, Some(x)));
        hover.or(self.selected.get().map(|at| (at, None)))
    }

    /// Where an event happens, in the chart's pixels as they are seen.
    fn place(&self, event: &PointerEvent) -> Option<(f64, f64)> {
        let frame = self.holder.get_untracked()?.get_bounding_client_rect();
        Some((
            f64::from(event.client_x()) - frame.left(),
            f64::from(event.client_y()) - frame.top(),
        ))
    }

    fn hit(&self, (x, y): (f64, f64)) -> Option<usize> {
        let below_axis = self.chart.with_untracked(|chart| y > chart.axis().height);
        let y = y + self.scrolled.get_untracked();
        let found = self.chart.with_untracked(|chart| chart.at(x, y));
        found.filter(|_| below_axis)
    }

    fn s_per_px(&self) -> f64 {
        let (left, right) = self.chart.with_untracked(|chart| chart.scale().ends_px());
        self.seen.get_untracked().span_s() / (right - left)
    }

    fn s_from_px(&self, x: f64) -> f64 {
        self.chart
            .with_untracked(|chart| chart.scale().s_from_px(x))
    }

    fn least_s(&self) -> f64 {
        self.chart.with_untracked(|chart| chart.least_span())
    }

    fn show(&self, view: View) {
        self.view.set(view.kept(self.end_s.get_untracked()));
    }

    fn zoom(&self, factor: f64, about_s: f64) {
        let (seen, end_s) = (self.seen.get_untracked(), self.end_s.get_untracked());
        self.show(seen.zoomed(factor, about_s, end_s, self.least_s()));
    }

    pub fn press(&self, event: &PointerEvent) {
        let Some(at) = self.place(event) else { return };
        self.open.give_to(self.id);
        if event.pointer_type() == "touch" {
            self.fingers
                .update_value(|fingers| fingers.push((event.pointer_id(), at.0)));
        }
        if event.button() == 0 {
            self.grip.set_value(Some(Grip::Still(at)));
        }
    }

    pub fn follow(&self, event: &PointerEvent) {
        let Some(at) = self.place(event) else { return };
        if self.pinch(event.pointer_id(), at.0) {
            return;
        }
        match self.grip.get_value() {
            Some(Grip::Still(from)) => self.start_drag(event, from, at),
            Some(Grip::Pan(from, view)) => {
                let by = (from - at.0) * view.span_s() / self.seen.get_untracked().span_s();
                self.show(view.panned(by * self.s_per_px(), self.end_s.get_untracked()));
            }
            Some(Grip::Span(from)) => self.span.set(Some((from, self.on_axis(at.0)))),
            None => self.point(event, at),
        }
    }

    /// A pressed pointer that moves: along the axis it selects, elsewhere it pans what is zoomed.
    fn start_drag(&self, event: &PointerEvent, from: (f64, f64), at: (f64, f64)) {
        if libm::hypot(at.0 - from.0, at.1 - from.1) <= CLICK_PX {
            return;
        }
        let on_axis = self
            .chart
            .with_untracked(|chart| from.1 <= chart.axis().height);
        let grip = if on_axis {
            Grip::Span(self.on_axis(from.0))
        } else if self.view.with_untracked(Option::is_some) {
            Grip::Pan(from.0, self.seen.get_untracked())
        } else {
            return;
        };
        self.grip.set_value(Some(grip));
        self.hover.set(None);
        if let Some(element) = self.holder.get_untracked() {
            let _ = element.set_pointer_capture(event.pointer_id());
        }
    }

    /// The nearest place on the axis [px].
    fn on_axis(&self, x: f64) -> f64 {
        let (left, right) = self.chart.with_untracked(|chart| chart.scale().ends_px());
        x.clamp(left, right)
    }

    fn point(&self, event: &PointerEvent, at: (f64, f64)) {
        if event.pointer_type() == "touch" {
            return;
        }
        let found = self.hit(at);
        if found != self.hover.get_untracked().map(|(at, _)| at) {
            self.open.give_to(self.id);
            self.hover.set(found.map(|hit| (hit, at.0)));
        }
    }

    /// Two fingers: the time between them stays between them, and the scale follows their distance.
    fn pinch(&self, finger: i32, x: f64) -> bool {
        let fingers = self.fingers.get_value();
        let ([(a, xa), (b, xb)], true) = (fingers.as_slice(), fingers.len() == 2) else {
            return false;
        };
        let (na, nb) = (
            if *a == finger { x } else { *xa },
            if *b == finger { x } else { *xb },
        );
        self.fingers.set_value(vec![(*a, na), (*b, nb)]);
        self.grip.set_value(None);
        self.selected.set(None);
        let (old, new) = ((xa - xb).abs().max(10.0), (na - nb).abs().max(10.0));
        self.zoom(new / old, self.s_from_px((xa + xb) / 2.0));
        let moved = (xa + xb - na - nb) / 2.0 * self.s_per_px();
        let seen = self.seen.get_untracked();
        self.show(seen.panned(moved, self.end_s.get_untracked()));
        true
    }

    pub fn release(&self, event: &PointerEvent) {
        let grip = self.grip.get_value();
        let span = self.span.get_untracked();
        self.let_go(event);
        match grip {
            Some(Grip::Still(at)) => {
                self.hover.set(None);
                self.selected.set(self.hit(at));
                self.point(event, at);
            }
            Some(Grip::Span(_)) => {
                if let Some((a, b)) = span.filter(|(a, b)| (a - b).abs() > CLICK_PX) {
                    let (a, b) = (self.s_from_px(a), self.s_from_px(b));
                    let end_s = self.end_s.get_untracked();
                    self.show(View::between(a, b, end_s, self.least_s()));
                }
            }
            Some(Grip::Pan(..)) | None => {}
        }
    }

    pub fn let_go(&self, event: &PointerEvent) {
        self.grip.set_value(None);
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
        let (seen, end_s) = (self.seen.get_untracked(), self.end_s.get_untracked());
        let by = share * end_s - (seen.from_s + seen.to_s) / 2.0;
        self.show(seen.panned(by, end_s));
    }

    /// With Ctrl it zooms about the pointer, sideways it pans what is zoomed; else the page scrolls.
    pub fn wheel(&self, event: &WheelEvent) {
        let px = if event.delta_mode() == WheelEvent::DOM_DELTA_LINE {
            LINE_PX
        } else {
            1.0
        };
        let (dx, dy) = (event.delta_x() * px, event.delta_y() * px);
        if event.ctrl_key() || event.meta_key() {
            event.prevent_default();
            self.hover.set(None);
            let Some(at) = self.place(event.unchecked_ref()) else {
                return;
            };
            let doublings = (-dy / DOUBLE_PX).clamp(-2.0, 2.0);
            self.zoom(libm::exp2(doublings), self.s_from_px(self.on_axis(at.0)));
        } else if dx.abs() > dy.abs() && self.view.with_untracked(Option::is_some) {
            event.prevent_default();
            let seen = self.seen.get_untracked();
            self.show(seen.panned(dx * self.s_per_px(), self.end_s.get_untracked()));
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

    pub fn key(&self, event: &KeyboardEvent) {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let step = match (event.key().as_str(), event.shift_key()) {
            ("ArrowLeft", true) => return self.pan_by_key(event, -PAN_SHARE),
            ("ArrowRight", true) => return self.pan_by_key(event, PAN_SHARE),
            ("+" | "=", _) => return self.zoom_by_key(event, STEP),
            ("-" | "_", _) => return self.zoom_by_key(event, 1.0 / STEP),
            ("0", _) => {
                self.view.set(None);
                return self.announce();
            }
            ("t" | "T", _) => {
                if let Some(turn) = self.on_table {
                    turn.run(());
                }
                return;
            }
            ("Escape", _) => return self.selected.set(None),
            ("Enter" | " ", _) if self.selected.with_untracked(Option::is_some) => {
                event.prevent_default();
                self.hover.set(None);
                return self.open.give_to(self.id);
            }
            ("ArrowLeft", _) => Step::Earlier,
            ("ArrowRight", _) => Step::Later,
            ("ArrowUp", _) => Step::Above,
            ("ArrowDown", _) => Step::Below,
            ("Home" | "Enter" | " ", _) => Step::First,
            ("End", _) => Step::Last,
            ("c" | "C", _) => Step::Chain,
            _ => return,
        };
        event.prevent_default();
        self.step(step);
    }

    fn step(&self, step: Step) {
        self.open.give_to(self.id);
        self.hover.set(None);
        let next = self.chart.with_untracked(|chart| {
            let at = match self.selected.get_untracked() {
                None => (chart.count() > 0).then_some(0)?,
                Some(at) => chart.beside(at, step).unwrap_or(at),
            };
            let place = chart.place(at)?;
            Some((at, place.from_s, place.to_s, place.row))
        });
        let Some((at, from_s, to_s, row)) = next else {
            return;
        };
        let (seen, end_s) = (self.seen.get_untracked(), self.end_s.get_untracked());
        if self.view.with_untracked(Option::is_some) {
            self.show(seen.showing(from_s, to_s, end_s));
        }
        self.selected.set(Some(at));
        self.bring(row);
    }

    /// Scrolls the rows so that one of them is seen.
    fn bring(&self, row: usize) {
        let Some(rows) = self.rows.get_untracked() else {
            return;
        };
        let (band, axis) = self
            .chart
            .with_untracked(|chart| (chart.bands().get(row).copied(), chart.axis().height));
        let Some(band) = band else { return };
        let (top, height) = (
            f64::from(rows.scroll_top()),
            f64::from(rows.client_height()),
        );
        if band.y - axis < top {
            rows.set_scroll_top((band.y - axis) as i32);
        } else if band.bottom() > top + height {
            rows.set_scroll_top((band.bottom() - height) as i32 + 1);
        }
    }

    /// About the selected mark where it is seen, else about the middle.
    fn zoom_by_key(&self, event: &KeyboardEvent, factor: f64) {
        event.prevent_default();
        let seen = self.seen.get_untracked();
        let chosen = self.chart.with_untracked(|chart| {
            let hit = chart.place(self.selected.get_untracked()?)?;
            Some((hit.from_s.max(seen.from_s) + hit.to_s.min(seen.to_s)) / 2.0)
        });
        let middle = (seen.from_s + seen.to_s) / 2.0;
        self.zoom(factor, chosen.unwrap_or(middle));
        self.announce();
    }

    fn pan_by_key(&self, event: &KeyboardEvent, share: f64) {
        event.prevent_default();
        let seen = self.seen.get_untracked();
        self.show(seen.panned(share * seen.span_s(), self.end_s.get_untracked()));
        self.announce();
    }

    fn announce(&self) {
        let (seen, end_s) = (self.seen.get_untracked(), self.end_s.get_untracked());
        let span = self
            .chart
            .with_untracked(|chart| chart.told_span(seen, end_s));
        self.announced.set(format!("Shown: {span}"));
    }
}
