//! Zoom of a chart's axis: buttons, and a strip that shows the visible part.

use super::USUAL_PX;
use super::chart_controller::ChartController;
use crate::ui::views::icons::{Glyph, Icon};
use chart::TimeView;
use leptos::prelude::*;

/// Factor of one press on + or -.
pub(super) const STEP: f64 = 2.0;

/// Visible span of an axis. Charts that share it show the same span.
#[derive(Clone, Copy)]
pub struct Zoom {
    /// The visible span; `None` is all of it.
    pub view: RwSignal<Option<TimeView>>,
    /// Where the axis ends [s, or what it counts].
    pub end_s: Signal<f64>,
    /// The shortest span that buttons lead to, where it is not that of an axis of seconds.
    pub least: Option<f64>,
    /// Center of button zooms if it is visible: the current value.
    pub about: Option<Signal<f64>>,
}

impl Zoom {
    /// An axis of seconds, all of it seen.
    pub fn new(end_s: Signal<f64>) -> Self {
        Self {
            view: RwSignal::new(None),
            end_s,
            least: None,
            about: None,
        }
    }

    /// The axis of something counted, of which at least so much is seen; buttons zoom about `at`.
    pub fn counted(end: Signal<f64>, least: f64, at: Option<Signal<f64>>) -> Self {
        Self {
            least: Some(least),
            about: at,
            ..Self::new(end)
        }
    }

    /// The span shown.
    pub fn visible(self) -> TimeView {
        let end_s = self.end_s.get();
        let view = self.view.get().and_then(|view| view.fitted_to(end_s));
        view.unwrap_or(TimeView::until(end_s))
    }

    /// Returns the visible span without tracking.
    pub fn seen_now(self) -> TimeView {
        untrack(|| self.visible())
    }

    /// Returns true if a part of the axis is out of view.
    pub fn is_zoomed(self) -> bool {
        self.visible() != TimeView::until(self.end_s.get())
    }
}

/// Which part of the axis is seen; a press or a drag on it moves the view there.
#[component]
pub fn Overview(hand: ChartController, zoom: Zoom) -> impl IntoView {
    let ends = Memo::new(move |_| {
        hand.chart.track();
        hand.ends_px()
    });
    let part = move |of: fn(TimeView) -> f64| {
        format!("{}%", 100.0 * of(zoom.visible()) / zoom.end_s.get())
    };
    view! {
        <div
            class="overview"
            aria-hidden="true"
            style:margin-left=move || format!("{}px", ends.get().0)
            style:width=move || format!("{}px", ends.get().1 - ends.get().0)
            on:pointerdown=move |event| {
                event.stop_propagation();
                hand.centre(&event);
            }
            on:pointermove=move |event| {
                event.stop_propagation();
                if event.buttons() == 1 {
                    hand.centre(&event);
                }
            }
            on:pointerup=|event| event.stop_propagation()
            on:dblclick=|event| event.stop_propagation()
        >
            <i style:left=move || part(|view| view.from_s) style:width=move || part(TimeView::span_s)></i>
        </div>
    }
}

/// Buttons that zoom, with ids that begin with `name`.
#[component]
pub fn ZoomTools(name: &'static str, zoom: Zoom) -> impl IntoView {
    let step = move |factor: f64| {
        if factor == 0.0 {
            return zoom.view.set(None);
        }
        let (from, end_s) = (zoom.seen_now(), zoom.end_s.get_untracked());
        let at = zoom.about.map(|at| at.get_untracked() + 0.5);
        let at = at.filter(|at| (from.from_s..=from.to_s).contains(at));
        let middle = at.unwrap_or((from.from_s + from.to_s) / 2.0);
        let least = zoom.least.unwrap_or_else(|| TimeView::least_s(USUAL_PX));
        let next = from.zoomed(factor, middle, end_s, least);
        zoom.view.set(next.fitted_to(end_s));
    };
    let button = move |id: &'static str, label: &'static str, glyph: Glyph, factor: f64| {
        view! {
            <button
                class="btn quiet small icon"
                id=format!("{name}-{id}")
                aria-label=label
                title=label
                disabled=move || factor < 1.0 && !zoom.is_zoomed()
                on:click=move |_| step(factor)
            >
                <Icon glyph=glyph/>
            </button>
        }
    };
    view! {
        {button("out", "Zoom out", Glyph::Minus, 1.0 / STEP)}
        {button("in", "Zoom in", Glyph::Plus, STEP)}
        {button("fit", "Show all of it", Glyph::Fit, 0.0)}
    }
}
