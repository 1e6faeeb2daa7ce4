//! A chart with spots in the hand: a card for the spot under the pointer or the keys, and where a spot stands for a
//! setting, a press that takes it.

use super::card::{Card, OpenCard, Said};
use crate::ui::canvas::{PictureCanvas, width_of};
use chart::{SpotChart, Step};
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;
use web_sys::{KeyboardEvent, PointerEvent};

/// The width of a chart that has not been laid out yet [px].
const FIRST_WIDTH_PX: f64 = 520.0;

/// The spot a card speaks about, and where the pointer entered it [px].
type Pointed = Option<(usize, f64)>;

/// A setting that counts from 0, one place of the chart or more for each: keys walk through it, and each key takes what it
/// leads to.
#[derive(Clone, Copy)]
pub struct Walk {
    /// What is set.
    pub now: Signal<usize>,
    /// The last that can be.
    pub last: Signal<usize>,
}

/// Everything that an event can change.
#[derive(Clone, Copy)]
struct Hand {
    id: &'static str,
    holder: NodeRef<Div>,
    chart: Memo<Arc<SpotChart>>,
    on_pick: Option<Callback<f64>>,
    hover: RwSignal<Pointed>,
    selected: RwSignal<Option<usize>>,
    walk: Option<Walk>,
    /// Whether keys walk just now.
    walks: RwSignal<bool>,
    open: OpenCard,
}

/// A chart; `draw` makes it for a width [px].
#[component]
pub fn SpotsView(
    draw: Callback<f64, Arc<SpotChart>>,
    id: &'static str,
    /// What it is called for a screen reader: "step chart".
    kind: &'static str,
    /// Takes the setting of a spot.
    #[prop(optional)]
    on_pick: Option<Callback<f64>>,
    /// What that does, for the card.
    #[prop(default = "")]
    pick_words: &'static str,
    /// Has keys walk through a setting rather than from mark to mark.
    #[prop(optional)]
    walk: Option<Walk>,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = width_of(holder);
    let chart = Memo::new(move |_| {
        let width = width.get();
        draw.run(if width > 0.0 { width } else { FIRST_WIDTH_PX })
    });
    let hand = Hand {
        id,
        holder,
        chart,
        on_pick,
        hover: RwSignal::new(None),
        selected: RwSignal::new(None),
        walk,
        walks: RwSignal::new(false),
        open: expect_context::<OpenCard>(),
    };
    let picture = Signal::derive(move || {
        let (chart, selected) = (chart.get(), hand.chosen());
        let hover = hand.hover.get().map(|(at, _)| at);
        let mut picture = match hover.or(selected) {
            Some(at) => chart.lit(at),
            None => chart.picture.clone(),
        };
        picture.marks.extend(selected.and_then(|at| chart.ring(at)));
        Arc::new(picture)
    });
    let said = Signal::derive(move || {
        let chart = chart.get();
        let selected = hand.chosen();
        let (at, x) = hand.hover.get().or(selected.map(|at| (at, f64::NAN)))?;
        said(&chart, (at, x), pick_words).map(Arc::new)
    });
    let spoken = move || {
        let at = hand.chosen()?;
        chart.with(|chart| chart.words(at).map(|words| words.spoken))
    };
    let label = move || {
        let title = chart.with(|chart| chart.picture.title.clone());
        let keys = match (walk, on_pick) {
            (Some(_), _) => {
                "Left and right arrows go to the previous and next step, up and down to the mark above and below"
            }
            (None, Some(_)) => "Arrow keys move from mark to mark, Enter selects it",
            (None, None) => "Arrow keys move from mark to mark",
        };
        format!("{title} {keys}.")
    };
    view! {
        <div
            class="chart spots"
            id=id
            tabindex="0"
            role="application"
            aria-roledescription=kind
            aria-label=label
            node_ref=holder
            on:pointermove=move |event| hand.follow(&event)
            on:pointerdown=move |event| hand.follow(&event)
            on:click=move |event| hand.press(&event)
            on:pointerleave=move |_| hand.hover.set(None)
            on:keydown=move |event| hand.key(&event)
            on:blur=move |_| {
                hand.selected.set(None);
                hand.walks.set(false);
            }
        >
            <PictureCanvas picture=picture/>
            <Card id=id holder=holder said=said/>
            <p class="sr" role="status">{spoken}</p>
        </div>
    }
}

fn said(chart: &SpotChart, (at, x): (usize, f64), pick_words: &str) -> Option<Said> {
    let spot = chart.spots.get(at)?;
    let words = chart.words(at)?;
    let notes = match spot.pick {
        Some(_) if !pick_words.is_empty() => vec![pick_words.into()],
        _ => Vec::new(),
    };
    let middle = spot.rect.x + 0.5 * spot.rect.w;
    Some(Said {
        mark: spot.rect.grown(4.0),
        x: if x.is_nan() { middle } else { x },
        shade: None,
        title: words.title,
        rows: words.rows,
        notes,
    })
}

impl Hand {
    /// Where an event happens, in the chart's pixels.
    fn place(&self, x: i32, y: i32) -> Option<(f64, f64)> {
        let frame = self.holder.get_untracked()?.get_bounding_client_rect();
        Some((f64::from(x) - frame.left(), f64::from(y) - frame.top()))
    }

    /// The place that keys have chosen.
    fn chosen(&self) -> Option<usize> {
        match self.walk {
            None => self.selected.get(),
            Some(walk) if self.walks.get() => {
                let now = walk.now.get() as f64;
                self.chart.with(|chart| {
                    let mut spots = chart.spots.iter();
                    spots.position(|spot| spot.pick == Some(now))
                })
            }
            Some(_) => None,
        }
    }

    /// Takes the setting that a key leads to.
    fn walk(&self, walk: Walk, step: Step) {
        let (now, last) = (walk.now.get_untracked(), walk.last.get_untracked());
        self.walks.set(true);
        let next = match step {
            Step::Earlier => now.saturating_sub(1) as f64,
            Step::Later => (now + 1).min(last) as f64,
            Step::First => 0.0,
            Step::Last => last as f64,
            Step::Above | Step::Below | Step::Chain => {
                let here = untrack(|| self.chosen());
                let pick = self.chart.with_untracked(|chart| {
                    let there = chart.neighbour(here?, step)?;
                    chart.spots.get(there)?.pick
                });
                pick.unwrap_or(now as f64)
            }
        };
        if let Some(on_pick) = self.on_pick {
            on_pick.run(next);
        }
    }

    fn hit(&self, x: i32, y: i32) -> Option<(usize, f64)> {
        let (x, y) = self.place(x, y)?;
        let at = self.chart.with_untracked(|chart| chart.hit_at(x, y))?;
        Some((at, x))
    }

    fn follow(&self, event: &PointerEvent) {
        let found = self.hit(event.client_x(), event.client_y());
        if found.map(|(at, _)| at) != self.hover.get_untracked().map(|(at, _)| at) {
            self.open.give_to(self.id);
            self.hover.set(found);
        }
    }

    fn press(&self, event: &web_sys::MouseEvent) {
        if let Some((at, _)) = self.hit(event.client_x(), event.client_y()) {
            self.take(at);
        }
    }

    fn take(&self, at: usize) {
        let pick = self
            .chart
            .with_untracked(|chart| chart.spots.get(at).and_then(|spot| spot.pick));
        if let Some((pick, on_pick)) = pick.zip(self.on_pick) {
            on_pick.run(pick);
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
                if let Some(at) = self.selected.get_untracked() {
                    self.take(at);
                }
                return;
            }
            "Escape" => return self.selected.set(None),
            _ => return,
        };
        event.prevent_default();
        self.open.give_to(self.id);
        self.hover.set(None);
        if let Some(walk) = self.walk {
            return self.walk(walk, step);
        }
        let next = self
            .chart
            .with_untracked(|chart| match self.selected.get_untracked() {
                Some(at) => chart.neighbour(at, step).or(Some(at)),
                None => (!chart.spots.is_empty()).then_some(0),
            });
        self.selected.set(next);
    }
}
