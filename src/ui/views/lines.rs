//! A line chart in the hand: a card for the point under the pointer or the keys, a press on a point, and the line
//! of the current value, which can be dragged.

use super::card::{Card, OpenCard, Said};
use crate::ui::canvas::{PictureCanvas, width_of};
use chart::{LineChart, LineStyle, Lines, Rect, Step, layout_lines_styled};
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;
use web_sys::{KeyboardEvent, PointerEvent};

/// The line of the current value is caught within this distance [px].
const GRIP_PX: f64 = 7.0;
/// A finger needs more.
const FINGER_GRIP_PX: f64 = 18.0;
/// A press that travels no further than this is a click [px].
const CLICK_PX: f64 = 4.0;

/// The point a card speaks about, and where the pointer entered it [px].
type Pointed = Option<(usize, f64)>;

/// Everything that an event can change.
#[derive(Clone, Copy)]
struct Hand {
    id: &'static str,
    holder: NodeRef<Div>,
    lines: Signal<Arc<Lines>>,
    chart: Memo<Arc<LineChart>>,
    on_pick: Callback<f64>,
    hover: RwSignal<Pointed>,
    selected: RwSignal<Option<usize>>,
    /// Whether the line of the current value is dragged, or could be from here.
    drag: RwSignal<bool>,
    near: RwSignal<bool>,
    /// Where a press began [px].
    pressed: StoredValue<Option<(f64, f64)>>,
    open: OpenCard,
}

/// A chart of `lines`, `height` px high. A click on a point, Enter on it, and each step of a drag of the current
/// value call `on_pick` with the parameter; a caller that gives all its edits one key makes a drag one step to undo.
#[component]
pub fn LinesView(
    #[prop(into)] lines: Signal<Arc<Lines>>,
    id: &'static str,
    height: f64,
    on_pick: Callback<f64>,
    #[prop(optional, into)] style: Signal<LineStyle>,
    /// What a pick does, for the card of a point.
    #[prop(default = "Click or press Enter to use it in the scenario.")]
    pick_words: &'static str,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = width_of(holder);
    let chart = Memo::new(move |_| {
        let width = width.get();
        Arc::new(layout_lines_styled(
            &lines.get(),
            style.get(),
            if width > 0.0 { width } else { 520.0 },
            height,
        ))
    });
    let hand = Hand {
        id,
        holder,
        lines,
        chart,
        on_pick,
        hover: RwSignal::new(None),
        selected: RwSignal::new(None),
        drag: RwSignal::new(false),
        near: RwSignal::new(false),
        pressed: StoredValue::new(None),
        open: expect_context::<OpenCard>(),
    };
    let picture = Signal::derive(move || {
        let (chart, selected) = (chart.get(), hand.selected.get());
        let hover = hand.hover.get().map(|(at, _)| at);
        let mut picture = match hover.or(selected) {
            Some(at) => chart.lit(at),
            None => chart.picture.clone(),
        };
        picture.marks.extend(selected.and_then(|at| chart.ring(at)));
        Arc::new(picture)
    });
    let said = Signal::derive(move || {
        if hand.drag.get() {
            return None;
        }
        let chart = chart.get();
        let selected = hand.selected.get();
        let (at, x) = hand.hover.get().or(selected.map(|at| (at, f64::NAN)))?;
        said(&chart, &lines.get(), (at, x), pick_words).map(Arc::new)
    });
    let spoken = move || {
        let at = hand.selected.get()?;
        chart.with(|chart| chart.hits.get(at).map(|hit| hit.spoken.clone()))
    };
    let label = move || {
        format!(
            "{} Arrow keys move from point to point, Enter selects the point, Shift and an arrow moves the current value.",
            chart.with(|chart| chart.picture.title.clone())
        )
    };
    view! {
        <div
            class="chart lines"
            class:grip=move || hand.drag.get() || hand.near.get()
            id=id
            tabindex="0"
            role="application"
            aria-roledescription="line chart"
            aria-label=label
            node_ref=holder
            on:pointerdown=move |event| hand.press(&event)
            on:pointermove=move |event| hand.follow(&event)
            on:pointerup=move |event| hand.release(&event)
            on:pointercancel=move |_| hand.drag.set(false)
            on:pointerleave=move |_| {
                hand.hover.set(None);
                hand.near.set(false);
            }
            on:keydown=move |event| hand.key(&event)
            on:blur=move |_| hand.selected.set(None)
        >
            <PictureCanvas picture=picture/>
            <Card id=id holder=holder said=said/>
            <p class="sr" role="status">{spoken}</p>
        </div>
    }
}

fn said(chart: &LineChart, lines: &Lines, (at, x): (usize, f64), pick_words: &str) -> Option<Said> {
    let hit = chart.hits.get(at)?;
    let words = chart.words(lines, at)?;
    let is_now = lines.now == Some(hit.x);
    let note = if is_now {
        "The scenario on show."
    } else {
        pick_words
    };
    Some(Said {
        mark: Rect::new(hit.at.0, hit.at.1, 0.0, 0.0).grown(6.0),
        x: if x.is_nan() { hit.at.0 } else { x },
        shade: None,
        title: words.series,
        rows: std::iter::once(words.x).chain(words.values).collect(),
        notes: vec![note.into()],
    })
}

impl Hand {
    /// Where an event happens, in the chart's pixels.
    fn place(&self, event: &PointerEvent) -> Option<(f64, f64)> {
        let frame = self.holder.get_untracked()?.get_bounding_client_rect();
        Some((
            f64::from(event.client_x()) - frame.left(),
            f64::from(event.client_y()) - frame.top(),
        ))
    }

    fn hit(&self, (x, y): (f64, f64)) -> Option<usize> {
        self.chart.with_untracked(|chart| chart.hit_at(x, y))
    }

    /// Whether a place is on the line of the current value, and not on a point beside it.
    fn is_on_now(&self, (x, y): (f64, f64), touch: bool) -> bool {
        let grip = if touch { FINGER_GRIP_PX } else { GRIP_PX };
        let (now, inside) = self
            .chart
            .with_untracked(|chart| (chart.now_px, y <= chart.plot.bottom()));
        inside && now.is_some_and(|now| (x - now).abs() <= grip) && self.hit((x, y)).is_none()
    }

    fn press(&self, event: &PointerEvent) {
        let Some(at) = self.place(event) else { return };
        self.open.give_to(self.id);
        self.pressed.set_value(Some(at));
        if event.button() == 0 && self.is_on_now(at, event.pointer_type() == "touch") {
            self.drag.set(true);
            self.hover.set(None);
            if let Some(element) = self.holder.get_untracked() {
                let _ = element.set_pointer_capture(event.pointer_id());
            }
        }
    }

    fn follow(&self, event: &PointerEvent) {
        let Some(at) = self.place(event) else { return };
        if self.drag.get_untracked() {
            return self.drag_to(at.0);
        }
        self.near.set(self.is_on_now(at, false));
        let found = self.hit(at);
        if found != self.hover.get_untracked().map(|(at, _)| at) {
            self.open.give_to(self.id);
            self.hover.set(found.map(|hit| (hit, at.0)));
        }
    }

    fn drag_to(&self, x: f64) {
        let value = self.chart.with_untracked(|chart| {
            let x = x.clamp(chart.plot.x, chart.plot.right());
            let ends = chart.hits.iter().map(|hit| hit.x);
            let (least, most) = ends.fold((f64::MAX, f64::MIN), |(least, most), x| {
                (least.min(x), most.max(x))
            });
            let value = chart.x.round_value_from_px(x);
            (least <= most).then(|| value.clamp(least, most))
        });
        if let Some(value) =
            value.filter(|value| self.lines.with_untracked(|l| l.now) != Some(*value))
        {
            self.on_pick.run(value);
        }
    }

    fn release(&self, event: &PointerEvent) {
        let pressed = self.pressed.try_update_value(Option::take).flatten();
        if self.drag.get_untracked() {
            return self.drag.set(false);
        }
        let (Some(from), Some(to)) = (pressed, self.place(event)) else {
            return;
        };
        if libm::hypot(to.0 - from.0, to.1 - from.1) > CLICK_PX {
            return;
        }
        let found = self.hit(to);
        // A finger has no hover: its first tap shows the card, its second takes the point.
        let asks = event.pointer_type() == "touch" && found != self.selected.get_untracked();
        if asks {
            self.hover.set(None);
            self.selected.set(found);
        } else if let Some(hit) = found {
            self.pick(hit);
        }
    }

    fn pick(&self, hit: usize) {
        let x = self
            .chart
            .with_untracked(|chart| chart.hits.get(hit).map(|hit| hit.x));
        if let Some(x) = x {
            self.on_pick.run(x);
        }
    }

    fn key(&self, event: &KeyboardEvent) {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let step = match event.key().as_str() {
            "ArrowLeft" => Step::Earlier,
            "ArrowRight" => Step::Later,
            "ArrowUp" => Step::Above,
            "ArrowDown" => Step::Below,
            "Home" => Step::First,
            "End" => Step::Last,
            "Enter" | " " => {
                event.prevent_default();
                if let Some(hit) = self.selected.get_untracked() {
                    self.pick(hit);
                }
                return;
            }
            "Escape" => return self.selected.set(None),
            _ => return,
        };
        event.prevent_default();
        if event.shift_key() {
            return self.move_now(step);
        }
        self.open.give_to(self.id);
        self.hover.set(None);
        let next = self
            .chart
            .with_untracked(|chart| match self.selected.get_untracked() {
                Some(at) => chart.neighbour(at, step).or(Some(at)),
                None => {
                    let now = self.lines.with_untracked(|lines| lines.now);
                    let from_now = now.and_then(|now| chart.nearest(0, now));
                    from_now.or((!chart.hits.is_empty()).then_some(0))
                }
            });
        self.selected.set(next);
    }

    /// The current value to the next parameter of the sweep, as a drag would.
    fn move_now(&self, step: Step) {
        let Some(now) = self.lines.with_untracked(|lines| lines.now) else {
            return;
        };
        let next = self.chart.with_untracked(|chart| {
            let xs = chart.hits.iter().map(|hit| hit.x);
            match step {
                Step::Earlier => xs.filter(|x| *x < now).max_by(f64::total_cmp),
                Step::Later => xs.filter(|x| *x > now).min_by(f64::total_cmp),
                Step::First => xs.min_by(f64::total_cmp),
                Step::Last => xs.max_by(f64::total_cmp),
                Step::Above | Step::Below | Step::Chain => None,
            }
        });
        if let Some(x) = next {
            self.on_pick.run(x);
        }
    }
}
