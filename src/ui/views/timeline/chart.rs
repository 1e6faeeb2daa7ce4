//! A timeline in the hand: its canvas, the card of a mark, the strip that shows which part is seen, and its tools.

use super::hand::Hand;
use crate::ui::canvas::{PictureCanvas, width_of};
use crate::ui::views::card::{Card, Said};
use crate::ui::views::icons::{Glyph, Icon};
use chart::{
    Chart, Drawn, Gantt, Key, Rect, SCROLLS_FROM, Stack, View, describe, facts, layout,
    layout_stacked, swatch,
};
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;

/// The width of a chart that has not been laid out yet [px].
const USUAL_PX: f64 = 968.0;
/// What a press on + or - changes the scale by.
pub(super) const STEP: f64 = 2.0;

/// What a card says of a mark, but for where it stands.
pub struct Told {
    /// The shade of a device before the title, from 0.
    pub shade: Option<usize>,
    /// What it is about.
    pub title: String,
    /// Name and value.
    pub rows: Vec<(String, String)>,
    /// What it means, each a paragraph.
    pub notes: Vec<String>,
}

/// A timeline of `gantt` that can be zoomed, panned and walked through. Charts that share `view` and `end_s` show
/// the same span; with a `stack` they also have it at the same place.
#[component]
pub fn GanttView(
    id: &'static str,
    #[prop(into)] gantt: Signal<Arc<Gantt>>,
    /// The visible span; `None` is all of it.
    view: RwSignal<Option<View>>,
    /// Where the axis ends [s]: the answer, or the last of several.
    #[prop(into)]
    end_s: Signal<f64>,
    /// The phase that is drawn in full.
    only: RwSignal<Option<Key>>,
    /// Swaps chart and table.
    #[prop(optional, into)]
    on_table: Option<Callback<()>>,
    /// What this chart has in common with those above and below it.
    #[prop(optional, into)]
    stack: Signal<Option<Stack>>,
) -> impl IntoView {
    let laid = Callback::new(move |(width, seen): (f64, View)| {
        let gantt = gantt.get();
        let chart = match stack.get() {
            Some(stack) => layout_stacked(&gantt, width, seen, stack),
            None => layout(&gantt, width, seen),
        };
        match only.get() {
            Some(key) => chart.isolated(key),
            None => chart,
        }
    });
    // The chart of the moment, for the words of its marks.
    let latest = StoredValue::new(None::<Arc<Chart>>);
    let draw = Callback::new(move |at| {
        let chart = Arc::new(laid.run(at));
        latest.set_value(Some(chart.clone()));
        Drawn(chart)
    });
    let tell = Callback::new(move |at: usize| {
        let hit = latest.with_value(|chart| chart.as_ref()?.hits.get(at).cloned())?;
        let facts = gantt.with(|gantt| facts(gantt, &hit));
        Some(Told {
            shade: gantt.with(|gantt| gantt.rows.get(hit.row).map(|row| row.shade)),
            title: format!("{}, {}", hit.words.device, hit.phase.name()),
            rows: facts.rows,
            notes: facts.notes,
        })
    });
    let is_tall = Memo::new(move |_| gantt.with(|gantt| gantt.rows.len() >= SCROLLS_FROM));
    let label = Signal::derive(move || {
        let keys = "Arrow keys move from mark to mark, Enter opens the card, C follows the critical chain, plus, minus \
                    and 0 zoom, Shift and an arrow moves the view.";
        gantt.with(|gantt| format!("{} {keys}", describe(gantt)))
    });
    view! {
        <TimeView id=id draw=draw view=view end_s=end_s tell=tell is_tall=is_tall label=label on_table=on_table/>
    }
}

/// A chart over time in the hand, whatever it shows: `draw` lays it out for a width [px] and a span, `tell` says what
/// the card of a mark says.
#[component]
pub fn TimeView(
    id: &'static str,
    draw: Callback<(f64, View), Drawn>,
    view: RwSignal<Option<View>>,
    #[prop(into)] end_s: Signal<f64>,
    tell: Callback<usize, Option<Told>>,
    #[prop(into)] is_tall: Signal<bool>,
    #[prop(into)] label: Signal<String>,
    on_table: Option<Callback<()>>,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let rows = NodeRef::<Div>::new();
    let width = width_of(holder);
    let seen = Memo::new(move |_| {
        let end_s = end_s.get();
        view.get()
            .and_then(|view| view.kept(end_s))
            .unwrap_or(View::until(end_s))
    });
    let chart = Memo::new(move |_| {
        let (width, seen) = (width.get(), seen.get());
        let width = if width > 0.0 { width } else { USUAL_PX };
        draw.run((width, seen))
    });
    let hand = Hand::new(id, (holder, rows), chart, (view, seen, end_s), on_table);
    hand.keep_selection();
    let picture = Signal::derive(move || {
        let chart = chart.get();
        let marked = hand.marked().filter(|(at, _)| *at < chart.count());
        let mut picture = match marked {
            Some((at, _)) => chart.lit_by(at),
            None => chart.picture().clone(),
        };
        let ring = hand.selected.get().and_then(|at| chart.ring_of(at));
        picture.marks.extend(ring);
        Arc::new(picture)
    });
    let axis = Signal::derive(move || Arc::new(chart.with(|chart| chart.axis().clone())));
    let said = Signal::derive(move || {
        let (at, x) = hand.marked()?;
        let rect = chart.with(|chart| chart.place(at))?.rect?;
        let told = tell.run(at)?;
        Some(Arc::new(Said {
            mark: Rect {
                y: rect.y - hand.scrolled.get(),
                ..rect
            },
            x: x.unwrap_or(rect.x + rect.w / 2.0),
            shade: told.shade,
            title: told.title,
            rows: told.rows,
            notes: told.notes,
        }))
    });
    let spoken = move || {
        let at = hand.selected.get()?;
        chart.with(|chart| chart.spoken(at).map(str::to_owned))
    };
    let is_zoomed = Memo::new(move |_| seen.get() != View::until(end_s.get()));
    let span = move || {
        hand.span.get().map(|(a, b)| {
            let (left, width) = (a.min(b), (a - b).abs());
            view! { <i class="span" style:left=format!("{left}px") style:width=format!("{width}px")></i> }
        })
    };
    view! {
        <div
            class="chart gantt"
            class:tall=move || is_tall.get()
            class:zoomed=is_zoomed
            id=id
            tabindex="0"
            role="application"
            aria-roledescription="timeline"
            aria-label=move || label.get()
            node_ref=holder
            on:pointerdown=move |event| hand.press(&event)
            on:pointermove=move |event| hand.follow(&event)
            on:pointerup=move |event| hand.release(&event)
            on:pointercancel=move |event| hand.let_go(&event)
            on:pointerleave=move |_| hand.hover.set(None)
            on:dblclick=move |_| view.set(None)
            on:wheel=move |event| hand.wheel(&event)
            on:keydown=move |event| hand.key(&event)
            on:blur=move |_| hand.selected.set(None)
        >
            <div class="rows" node_ref=rows on:scroll=move |_| hand.scroll()>
                <Show when=move || is_tall.get()>
                    <div class="axis"><PictureCanvas picture=axis/></div>
                </Show>
                <PictureCanvas picture=picture/>
            </div>
            {span}
            <Show when=move || is_zoomed.get()>
                <Overview hand=hand/>
            </Show>
            <Show when=move || hand.hint.get()>
                <p class="wheel-hint">"Ctrl and wheel zooms, drag pans."</p>
            </Show>
            <Card id=id holder=holder said=said/>
            <p class="sr" role="status">{spoken}</p>
            <p class="sr" role="status">{move || hand.announced.get()}</p>
        </div>
    }
}

/// Which part of the plan is seen; a press or a drag on it moves the view there.
#[component]
fn Overview(hand: Hand) -> impl IntoView {
    let ends = Memo::new(move |_| hand.chart.with(|chart| chart.scale().ends_px()));
    let part = move |of: fn(View) -> f64| {
        let end_s = hand.end_s.get();
        format!("{}%", 100.0 * of(hand.seen.get()) / end_s)
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
            <i style:left=move || part(|view| view.from_s) style:width=move || part(View::span_s)></i>
        </div>
    }
}

/// Buttons that zoom, with ids that begin with `name`.
#[component]
pub fn ZoomTools(
    name: &'static str,
    view: RwSignal<Option<View>>,
    #[prop(into)] end_s: Signal<f64>,
    /// The shortest span they lead to, where it is not that of an axis of seconds.
    #[prop(optional)]
    least: Option<f64>,
) -> impl IntoView {
    let seen = move || {
        let end_s = end_s.get();
        view.get().and_then(|view| view.kept(end_s))
    };
    let zoom = move |factor: f64| {
        if factor == 0.0 {
            return view.set(None);
        }
        let end_s = end_s.get_untracked();
        let from = seen().unwrap_or(View::until(end_s));
        let middle = (from.from_s + from.to_s) / 2.0;
        let least = least.unwrap_or_else(|| View::least_s(USUAL_PX));
        let next = from.zoomed(factor, middle, end_s, least);
        view.set(next.kept(end_s));
    };
    let button = move |id: &'static str, label: &'static str, glyph: Glyph, factor: f64| {
        view! {
            <button
                class="btn quiet small icon"
                id=format!("{name}-{id}")
                aria-label=label
                title=label
                disabled=move || factor < 1.0 && seen().is_none()
                on:click=move |_| zoom(factor)
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

/// The key to the marks; a press on an entry draws that phase alone in full, a second press all of them.
#[component]
pub fn Legend(
    only: RwSignal<Option<Key>>,
    /// Whether some device reads for the plan that comes next.
    #[prop(optional, into)]
    has_next: Signal<bool>,
) -> impl IntoView {
    let entry = move |key: Key| {
        let picture = Arc::new(swatch(key));
        let is_on = move || only.get() == Some(key);
        view! {
            <li>
                <button
                    aria-pressed=move || is_on().to_string()
                    title=move || if is_on() { "Show all phases" } else { "Show this one alone" }
                    on:click=move |_| only.update(|only| *only = (*only != Some(key)).then_some(key))
                >
                    <PictureCanvas picture=Signal::derive(move || picture.clone())/>
                    {key.label()}
                </button>
            </li>
        }
    };
    view! {
        <ul class="legend" aria-label="Phases">
            {move || Key::needed(has_next.get()).map(entry).collect_view()}
        </ul>
    }
}
