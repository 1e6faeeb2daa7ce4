//! A chart in the hand, whatever it shows: its canvas, a card for the mark under the pointer or the keys, a press that takes
//! what a mark stands for, and where it has an axis of time or steps, zoom and pan along it. There is no other hand.

mod chart_controller;
mod zoom;

pub use chart_controller::KeyboardStepper;
pub use zoom::{Zoom, ZoomTools};

use super::card::{Card, CardContent};
use crate::ui::canvas::{PictureCanvas, width_of};
use chart::{ChartHandle, LineChart, Rect, TimeView};
use chart_controller::{ChartController, ChartParts};
use document::{Cell, Table, TableColumn};
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;
use zoom::Overview;

/// The width of a chart that has not been laid out yet [px].
pub const USUAL_PX: f64 = 968.0;

/// Content of a mark's card, without its place.
pub struct MarkCard {
    /// The shade of a device before the title, from 0.
    pub shade: Option<usize>,
    /// Title.
    pub title: String,
    /// Name and value.
    pub rows: Vec<(String, String)>,
    /// Paragraphs on its meaning.
    pub notes: Vec<String>,
}

/// A chart. `draw` lays it out for a width [px] and what is seen of its axis.
#[component]
pub fn ChartView(
    id: &'static str,
    draw: Callback<(f64, TimeView), ChartHandle>,
    /// Name of its kind for screen readers: "step chart".
    kind: &'static str,
    /// Its class beside `chart`.
    #[prop(default = "spots")]
    class: &'static str,
    /// Accessible label; the title of its picture by default.
    #[prop(optional_no_strip, into)]
    label: Option<Signal<String>>,
    /// Zoom state of its axis, if it has one.
    #[prop(optional_no_strip, into)]
    zoom: Option<Zoom>,
    /// Moves the view across the axis [px].
    #[prop(optional_no_strip, into)]
    across: Option<Callback<f64>>,
    /// Returns additional content for the card of a mark.
    #[prop(optional_no_strip, into)]
    describe: Option<Callback<usize, Option<MarkCard>>>,
    /// Takes what a mark stands for.
    #[prop(optional_no_strip, into)]
    on_pick: Option<Callback<f64>>,
    /// Label of that action on the card.
    #[prop(default = "")]
    pick_words: &'static str,
    /// Name of the chain that the key C follows; empty if there is none.
    #[prop(default = "")]
    chain: &'static str,
    /// Has keys walk through a setting rather than from mark to mark.
    #[prop(optional_no_strip, into)]
    walk: Option<KeyboardStepper>,
    /// True if its rows scroll under their axis.
    #[prop(optional_no_strip, into)]
    is_tall: Option<Signal<bool>>,
    /// Swaps chart and table.
    #[prop(optional_no_strip, into)]
    on_table: Option<Callback<()>>,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let rows = NodeRef::<Div>::new();
    let width = width_of(holder);
    let chart = Memo::new(move |_| {
        let seen = zoom.map_or(TimeView::until(1.0), Zoom::visible);
        let width = width.get();
        draw.run((if width > 0.0 { width } else { USUAL_PX }, seen))
    });
    let parts = ChartParts {
        id,
        chart,
        zoom,
        across,
        on_pick,
        walk,
        on_table,
    };
    let hand = ChartController::new(parts, (holder, rows));
    let picture = Signal::derive(move || {
        let chart = chart.get();
        let marked = hand.marked().filter(|(at, _)| *at < chart.count());
        let mut picture = match marked {
            Some((at, _)) => chart.lit_by(at),
            None => chart.picture().clone(),
        };
        let ring = hand.chosen().and_then(|at| chart.ring_of(at));
        picture.marks.extend(ring);
        Arc::new(picture)
    });
    let axis = Signal::derive(move || {
        let axis = chart.with(|chart| chart.axis().cloned());
        Arc::new(axis.unwrap_or_else(|| chart.with(|chart| chart.picture().clone())))
    });
    let said = Signal::derive(move || {
        let (at, x) = hand.marked()?;
        let chart = chart.get();
        let rect = chart.place(at)?.rect?;
        let facts = match describe {
            Some(describe) => describe.run(at)?,
            None => plain(&chart, at)?,
        };
        let mut notes = facts.notes;
        if chart.is_now(at) {
            notes.push("The scenario on show.".into());
        } else if !pick_words.is_empty() && on_pick.is_some() && chart.pick(at).is_some() {
            notes.push(pick_words.into());
        }
        Some(Arc::new(CardContent {
            mark: Rect {
                y: rect.y - hand.scrolled.get(),
                ..rect
            },
            x: x.unwrap_or(rect.x + rect.w / 2.0),
            shade: facts.shade,
            title: facts.title,
            rows: facts.rows,
            notes,
        }))
    });
    let accessible_label = move || {
        let at = hand.chosen()?;
        chart.with(|chart| chart.description(at).map(|words| words.aria_label))
    };
    let label = move || {
        let what = match label {
            Some(label) => label.get(),
            None => chart.with(|chart| chart.picture().title.clone()),
        };
        let has_now = chart.with(|chart| chart.now().is_some());
        format!("{what} {}", keys(&parts, chain, has_now))
    };
    let is_tall = move || is_tall.is_some_and(|is_tall| is_tall.get());
    let is_zoomed = Memo::new(move |_| zoom.is_some_and(Zoom::is_zoomed));
    let span = move || {
        hand.span.get().map(|(a, b)| {
            let (left, width) = (a.min(b), (a - b).abs());
            view! { <i class="span" style:left=format!("{left}px") style:width=format!("{width}px")></i> }
        })
    };
    view! {
        <div
            class=format!("chart {class}")
            class:tall=is_tall
            class:zooms=zoom.is_some()
            class:zoomed=is_zoomed
            class:drag=move || hand.drags.get() || hand.near.get()
            id=id
            tabindex="0"
            role="application"
            aria-roledescription=kind
            aria-label=label
            node_ref=holder
            on:pointerdown=move |event| hand.press(&event)
            on:pointermove=move |event| hand.follow(&event)
            on:pointerup=move |event| hand.release(&event)
            on:pointercancel=move |event| hand.let_go(&event)
            on:pointerleave=move |_| {
                hand.hover.set(None);
                hand.near.set(false);
            }
            on:dblclick=move |event| hand.show_all(&event)
            on:wheel=move |event| hand.wheel(&event)
            on:keydown=move |event| hand.key(&event)
            on:blur=move |_| hand.leave()
        >
            <div class="rows" node_ref=rows on:scroll=move |_| hand.scroll()>
                <Show when=is_tall>
                    <div class="axis"><PictureCanvas picture=axis/></div>
                </Show>
                <PictureCanvas picture=picture/>
            </div>
            {span}
            {zoom.map(|zoom| view! {
                <Show when=move || is_zoomed.get()>
                    <Overview hand=hand zoom=zoom/>
                </Show>
            })}
            <Show when=move || hand.hint.get()>
                <p class="wheel-hint">"Ctrl and wheel zooms, drag pans."</p>
            </Show>
            <Card id=id holder=holder said=said/>
            <p class="sr" role="status">{accessible_label}</p>
            <p class="sr" role="status">{move || hand.announced.get()}</p>
        </div>
    }
}

/// The chart’s own words of a mark.
fn plain(chart: &ChartHandle, at: usize) -> Option<MarkCard> {
    let words = chart.description(at)?;
    Some(MarkCard {
        shade: None,
        title: words.title,
        rows: words.rows,
        notes: words.notes,
    })
}

/// Describes the keys for screen readers.
fn keys(parts: &ChartParts, chain: &str, has_now: bool) -> String {
    let walk = match (parts.walk, parts.on_pick) {
        (Some(_), _) => {
            "Left and right arrows go to the previous and next step, up and down to the mark above and below"
        }
        (None, Some(_)) => "Arrow keys move from mark to mark, Enter selects it",
        (None, None) => "Arrow keys move from mark to mark",
    };
    let mut all = vec![walk.to_owned()];
    if !chain.is_empty() {
        all.push(format!("C follows {chain}"));
    }
    if parts.zoom.is_some() {
        all.push("plus, minus and 0 zoom, Shift and an arrow moves the view".into());
    }
    if has_now {
        all.push("Shift and an arrow moves the current value".into());
    }
    if parts.on_table.is_some() {
        all.push("T shows the table".into());
    }
    format!("{}.", all.join(", "))
}

/// Every point of some lines.
pub fn points_table(lines: &LineChart) -> Table {
    let points = lines.series.iter().flat_map(|series| {
        let row = |(x, y): &(f64, Option<f64>)| {
            vec![
                Cell::text(&*series.name),
                Cell::Number(*x, 0),
                Cell::maybe(*y, lines.decimals),
            ]
        };
        series.points.iter().map(row)
    });
    let unit = if lines.y_unit.is_empty() {
        String::new()
    } else {
        format!(" [{}]", lines.y_unit)
    };
    Table {
        name: "points",
        title: lines.title.clone(),
        columns: vec![
            TableColumn::new("line", "line", ""),
            TableColumn::new("x", lines.x_title.to_ascii_lowercase(), ""),
            TableColumn::new(
                "y",
                format!("{}{unit}", lines.y_title.to_ascii_lowercase()),
                "",
            ),
        ],
        rows: points.collect(),
    }
}
