//! An interactive chart of an answer view: its drawing, the effect of a click or a drag, the table behind it, and
//! its tools.

use super::AnswerStore;
use super::gantt::Timelines;
use super::ranges::RangeRows;
use super::section::Titled;
use crate::ui::canvas::{PictureCanvas, width_of};
use crate::ui::lazy_bundle::{self, LazyBundleState};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::interaction::{
    ChartView, KeyboardStepper, MarkCard as Said, USUAL_PX, Zoom, ZoomTools, points_table,
};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::table::Tabled;
use chart::{
    ChartHandle, ChartSpec, LayouterFn as HeldBy, LegendKey, Pane, PreparedChart, TimeView, nothing,
};
use document::wire::interned;
use document::{Block, Chart, ChartInteraction, Name, Table};
use leptos::html::Div;
use leptos::prelude::*;
use protocol::three_digits;
use std::sync::Arc;
use wasm_bindgen::JsCast;

/// Views that only one question’s first answer needs; the other views are loaded later.
#[derive(Clone, Copy)]
pub struct OwnViews {
    /// How its charts are held.
    pub interactions: &'static [HeldBy],
    /// Its blocks.
    pub block: fn(Memo<Option<Block>>, Name) -> Option<AnyView>,
    /// Wraps the charts that it is for.
    pub around: fn(Memo<Option<Chart>>, AnyView) -> AnyView,
}

/// A question that needs nothing of its own but charts.
pub const fn charts_alone(hands: &'static [HeldBy]) -> OwnViews {
    OwnViews {
        interactions: hands,
        block: |_, _| None,
        around: |_, chart| chart,
    }
}

/// A table, where it is not part of a first answer.
pub fn table_later(
    table: Signal<Arc<Table>>,
    id: Name,
    marked: Signal<Option<usize>>,
    capped: bool,
) -> AnyView {
    let tabled = Tabled {
        table,
        id,
        marked,
        capped,
    };
    lazy_bundle::lazy_view(move |later| (later.table)(tabled))
}

/// How a chart is looked at: as its table, and which part of its axis.
#[derive(Clone, Copy)]
pub struct ChartState {
    as_table: RwSignal<bool>,
    /// Where its axis ends.
    end: RwSignal<f64>,
    pub(super) zoom: Zoom,
    /// The phase of timelines that is drawn in full.
    pub(super) only: RwSignal<Option<LegendKey>>,
}

impl ChartState {
    /// All of it, as a picture.
    pub fn new() -> Self {
        let end = RwSignal::new(0.0);
        Self {
            as_table: RwSignal::new(false),
            end,
            zoom: Zoom::new(end.into()),
            only: RwSignal::new(None),
        }
    }
}

/// Returns true if the chart has a table.
fn is_tabled(chart: &Chart) -> bool {
    let has_points = matches!(&*chart.drawing, ChartSpec::Lines(lines) if lines.style.even);
    chart.table.is_some() || has_points
}

/// The table behind it; that of lines over tokens or steps is made of their points.
fn behind(chart: &Chart) -> Option<Table> {
    let points = || match &*chart.drawing {
        ChartSpec::Lines(lines) if lines.style.even => Some(points_table(lines)),
        _ => None,
    };
    chart.table.clone().or_else(points)
}

/// Returns the zoom state of a chart; charts with the same control share it.
fn zoom_of(chart: &Chart, state: ChartState) -> Zoom {
    let zoom = Zoom {
        least: chart.drawing.least_seen(),
        ..state.zoom
    };
    match (use_context::<AnswerStore>(), &chart.interaction) {
        (Some(store), ChartInteraction::SetsControl(control)) => {
            let stands = store.control_value(control);
            Zoom {
                view: store.control_state(control).view.into(),
                about: Some(Signal::derive(move || stands.get().unwrap_or_default())),
                ..zoom
            }
        }
        _ => zoom,
    }
}

/// Returns true if its table is beside it, so that a press on a mark acts as one on its row.
const fn has_rows(chart: &Chart) -> bool {
    matches!(chart.interaction, ChartInteraction::AppliesEdits(_)) && chart.table.is_some()
}

/// Toolbar of a chart: zoom, table, files.
#[component]
pub fn ChartTools(chart: Memo<Option<Chart>>, state: ChartState) -> impl IntoView {
    let id = Memo::new(move |_| chart.with(|chart| chart.as_ref().map(|chart| chart.id)));
    let of = move |read: fn(&Chart) -> bool| {
        Memo::new(move |_| chart.with(|chart| chart.as_ref().is_some_and(read)))
    };
    let zooms = of(|chart| chart.drawing.zooms());
    let turns = of(|chart| is_tabled(chart) && !has_rows(chart));
    let as_table = state.as_table;
    let store = use_context::<AnswerStore>();
    let rest = expect_context::<LazyBundleState>();
    let picture = Callback::new(move |width: f64| {
        let (chart, later) = (chart.get_untracked()?, rest.now()?);
        // As it is looked at.
        let turned = match (store, &chart.interaction) {
            (Some(store), ChartInteraction::SetsControl(control)) => {
                Some(store.control_state(control))
            }
            _ => None,
        };
        let (at, view) = turned.map(|turned| (turned.at, turned.view)).unzip();
        let at = at.and_then(|at| at.get_untracked());
        let view = view.and_then(|view| view.get_untracked());
        let drawing = chart.drawing.looked_at(at, view);
        let hidden = store.map(|store| store.hidden.get_untracked());
        let drawing = drawing.without(&hidden.unwrap_or_default());
        Some((later.sheet)(&drawing, &chart.title, width))
    });
    let tools = move |id: Name| {
        let zoom = chart.with_untracked(|chart| chart.as_ref().map(|chart| zoom_of(chart, state)));
        let zoom = zoom.unwrap_or(state.zoom);
        view! {
            <Show when=move || zooms.get() && !as_table.get()>
                <ZoomTools name=id zoom=zoom/>
            </Show>
            <Show when=move || turns.get()>
                <button
                    class="btn quiet small"
                    id=format!("{id}-as-table")
                    aria-pressed=move || as_table.get().to_string()
                    on:click=move |_| as_table.update(|on| *on = !*on)
                >
                    <Icon glyph=Glyph::Table/>
                    {move || if as_table.get() { "Picture" } else { "Table" }}
                </button>
            </Show>
            <TakePicture name=id label="chart" picture=picture/>
        }
    };
    move || id.get().map(tools)
}

/// A chart; its tools are above it unless `state` is that of tools elsewhere.
#[component]
pub fn ChartBlock(chart: Memo<Option<Chart>>, state: Option<ChartState>) -> impl IntoView {
    let is_elsewhere = state.is_some();
    let state = state.unwrap_or_else(ChartState::new);
    let table = Memo::new(move |_| {
        let table = chart.with(|chart| chart.as_ref().and_then(behind));
        Arc::new(table.unwrap_or_default())
    });
    Effect::new(move |_| {
        let end = chart.with(|chart| chart.as_ref().map_or(0.0, |chart| chart.drawing.end()));
        state.end.set(end);
    });
    let Some(first) = chart.get_untracked() else {
        return ().into_any();
    };
    let title = use_context::<Titled>().filter(|titled| titled.0).map(|_| {
        let title = Memo::new(move |_| {
            chart.with(|chart| {
                chart
                    .as_ref()
                    .map_or_else(String::new, |chart| chart.title.clone())
            })
        });
        view! { <h3>{title}</h3> }
    });
    let tools = (!is_elsewhere).then(|| {
        view! {
            <div class="head chart-head">
                {title}
                <div class="tools"><ChartTools chart=chart state=state/></div>
            </div>
        }
    });
    let turn = Callback::new(move |()| {
        state.as_table.update(|on| *on = !*on);
        // The chart had the focus and is gone: the button that brings it back takes it.
        let id = format!("{}-as-table", first.id);
        if let Some(button) = document().get_element_by_id(&id) {
            let _ = button.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    });
    let is_timed = matches!(
        *first.drawing,
        ChartSpec::Timeline(_) | ChartSpec::Timelines(_)
    );
    let content = if is_timed {
        let id = first.id;
        (move || match state.as_table.get() {
            true => table_later(
                table.into(),
                table_id(id, table),
                Signal::stored(None),
                true,
            ),
            false => view! { <Timelines chart=chart state=state turn=turn/> }.into_any(),
        })
        .into_any()
    } else if let ChartSpec::Ranges(_) = &*first.drawing {
        view! { <RangeRows chart=chart/> }.into_any()
    } else if first.drawing.kind().is_none() {
        view! { <Still chart=chart/> }.into_any()
    } else if has_rows(&first) {
        let marked = Memo::new(move |_| chart.with(|chart| chart.as_ref().and_then(marked)));
        let id = table_id(first.id, table);
        view! {
            <div class="sweep">
                <div><InHand chart=chart state=state/></div>
                {table_later(table.into(), id, marked.into(), true)}
            </div>
        }
        .into_any()
    } else {
        let id = first.id;
        (move || match state.as_table.get() {
            true => table_later(
                table.into(),
                table_id(id, table),
                Signal::stored(None),
                true,
            ),
            false => view! { <InHand chart=chart state=state/> }.into_any(),
        })
        .into_any()
    };
    view! { <div class="drawn">{tools}{content}</div> }.into_any()
}

fn table_id(chart: Name, table: Memo<Arc<Table>>) -> Name {
    let name = table.with_untracked(|table| table.name);
    let name = if name.is_empty() { chart } else { name };
    interned(&format!("{name}-table"))
}

/// The row of the table that the current value is of.
fn marked(chart: &Chart) -> Option<usize> {
    let (ChartInteraction::AppliesEdits(takes), ChartSpec::Lines(lines)) =
        (&chart.interaction, &*chart.drawing)
    else {
        return None;
    };
    let now = lines.now?;
    takes.iter().position(|(at, _)| *at == now)
}

/// A chart that is looked at as a picture, with its title and its legend.
#[component]
fn Still(chart: Memo<Option<Chart>>) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = width_of(holder);
    let rest = expect_context::<LazyBundleState>();
    let picture = Memo::new(move |_| {
        let width = width.get();
        let width = if width > 0.0 { width } else { USUAL_PX };
        let drawn = rest.get().zip(chart.get());
        let drawn = drawn.map(|(later, chart)| (later.sheet)(&chart.drawing, &chart.title, width));
        Arc::new(drawn.unwrap_or_else(|| nothing(width)))
    });
    let store = move || picture.with(|picture| picture.title.clone());
    view! {
        <div class="chart" role="img" aria-label=store node_ref=holder>
            <PictureCanvas picture=picture/>
        </div>
    }
}

/// An interactive chart: its data, and how its axis relates to controls and the scenario.
#[component]
fn InHand(chart: Memo<Option<Chart>>, state: ChartState) -> impl IntoView {
    // A comparison changes nothing.
    let store = use_context::<AnswerStore>();
    let drawing = Memo::new(move |_| {
        let drawing = chart.with(|chart| Some(chart.as_ref()?.drawing.clone()))?;
        let hidden = store.map(|store| store.hidden.get()).unwrap_or_default();
        Some(match hidden.is_empty() {
            true => drawing,
            false => Arc::new(drawing.without(&hidden)),
        })
    });
    let holder = NodeRef::<Div>::new();
    let (own, rest) = (
        use_context::<OwnViews>(),
        expect_context::<LazyBundleState>(),
    );
    let around = own.map_or(charts_alone(&[]).around, |own| own.around);
    let ready = Memo::new_with_compare(
        move |_| {
            let drawing = drawing.get()?;
            let own = own.and_then(|own| PreparedChart::of(drawing.clone(), own.interactions));
            let ready = own.or_else(|| PreparedChart::of(drawing, rest.get()?.layouters));
            ready.map(Arc::new)
        },
        |_, _| true,
    );
    let Some(first) = chart.get_untracked() else {
        return ().into_any();
    };
    let Some(kind) = first.drawing.kind() else {
        return ().into_any();
    };
    // Value of the control that it sets.
    let control = match &first.interaction {
        ChartInteraction::SetsControl(control) => store.map(|store| {
            (
                store.control_value(control),
                store.control_state(control).at,
            )
        }),
        _ => None,
    };
    let (stands, turned) = control.unzip();
    let at = Signal::derive(move || stands.and_then(|stands| stands.get()));
    let turned = turned.map(RwSignal::from);
    let on_pick = Callback::new(move |value: f64| {
        if let Some(turned) = turned {
            return turned.set(Some(libm::round(value)));
        }
        match chart.get_untracked().map(|chart| chart.interaction) {
            Some(ChartInteraction::AppliesEdits(takes)) => {
                let away = |at: f64| (at - value).abs();
                let nearest = takes
                    .into_iter()
                    .min_by(|a, b| away(a.0).total_cmp(&away(b.0)));
                if let Some((store, (_, edit))) = store.zip(nearest) {
                    store.apply(edit);
                }
            }
            Some(ChartInteraction::Sets { step, pointer, per }) => {
                if let Some(store) = store {
                    store.set(&step, &pointer, three_digits(value) / per);
                }
            }
            _ => {}
        }
    });
    let turns = matches!(first.interaction, ChartInteraction::SetsControl(_));
    let picks = matches!(
        first.interaction,
        ChartInteraction::AppliesEdits(_)
            | ChartInteraction::Sets { .. }
            | ChartInteraction::SetsControl(_)
    );
    let on_pick = (store.is_some() && picks).then_some(on_pick);
    let pick_words = match turns {
        true => "Click or press Enter to look at it.",
        false => "Click or press Enter to use it in the scenario.",
    };
    let turn = Callback::new(move |()| state.as_table.update(|on| *on = !*on));
    let on_table = (is_tabled(&first) && !has_rows(&first)).then_some(turn);
    let zoom = kind.zooms.then(|| zoom_of(&first, state));
    // Keys walk from step to step.
    let place = move |at: f64| drawing.with(|drawing| drawing.as_ref()?.place_of(at));
    let now = Signal::derive(move || at.get().unwrap_or_default());
    let walk = (turns && first.drawing.place_of(0.0).is_some()).then(|| KeyboardStepper {
        now: Signal::derive(move || now.get() as usize),
        last: Signal::derive(move || {
            let end = drawing.with(|drawing| drawing.as_ref().map_or(0.0, |d| d.end()));
            (end - place(1.0).unwrap_or(1.0)).max(0.0) as usize
        }),
        at: Signal::derive(move || place(now.get()).unwrap_or_default()),
    });
    // What is worth seeing first depends on the room that there is.
    let room = width_of(holder);
    Effect::new(move |was: Option<bool>| {
        let (width, is_seen) = (room.get(), was == Some(true));
        if is_seen || width <= 0.0 {
            return is_seen;
        }
        let first = drawing.with_untracked(|drawing| drawing.as_ref()?.first_seen(width));
        if let Some(zoom) = zoom.filter(|_| first.is_some()) {
            zoom.view.set(first.map(TimeView::until));
        }
        true
    });
    let name = first.id;
    let pane = move |(number, pane): (usize, &Pane)| {
        let id = match pane.id {
            "" => interned(&format!("{name}-chart")),
            id => id,
        };
        let title = (!pane.title.is_empty()).then_some(pane.title);
        // The chart of the moment, for what is said of its marks.
        let latest = StoredValue::new(None::<ChartHandle>);
        let draw = Callback::new(move |(width, seen): (f64, TimeView)| {
            let at = at.get();
            let lay = |ready: &Arc<PreparedChart>| ready.layout(number, width, seen, at);
            let drawn = ready.with(|ready| ready.as_ref().and_then(lay));
            let drawn = drawn.unwrap_or_else(|| ChartHandle::nothing(width));
            latest.set_value(Some(drawn.clone()));
            drawn
        });
        let tell = Callback::new(move |at: usize| {
            let drawn = latest.get_value()?;
            let words = drawn.description(at)?;
            Some(Said {
                shade: drawn.shade(at),
                title: words.title,
                rows: words.rows,
                notes: Vec::new(),
            })
        });
        let is_tall = Signal::derive(move || {
            ready.with(|ready| ready.as_ref().is_some_and(|ready| ready.is_tall(number)))
        });
        let key = Memo::new(move |_| {
            let width = room.get().max(USUAL_PX / 3.0);
            ready.with(|ready| ready.as_ref()?.legend(number, width).map(Arc::new))
        });
        let legend = move || {
            let key = key.get()?;
            let key = Signal::stored(key);
            Some(view! { <div class="key" aria-hidden="true"><PictureCanvas picture=key/></div> })
        };
        view! {
            {title.map(|title| view! { <h3>{title}</h3> })}
            {legend}
            {around(chart, view! {
                <ChartView
                    id=id
                    draw=draw
                    kind=kind.name
                    class=kind.class
                    chain=kind.chain
                    zoom=zoom
                    describe=tell
                    is_tall=is_tall
                    on_pick=on_pick
                    pick_words=pick_words
                    walk=walk
                    on_table=on_table
                />
            }.into_any())}
        }
    };
    // What is said of the place of the line; a sentence each.
    let said = Memo::new(move |_| {
        let at = at.get();
        ready.with(|ready| {
            ready
                .as_ref()
                .zip(at)
                .map(|(ready, at)| ready.describe_at(at))
        })
    });
    let said = move || {
        let mut said = said.get().unwrap_or_default().into_iter();
        let first = said.next()?;
        let others = said.map(|said| view! { <span>{said}</span> });
        let id = format!("{name}-told");
        Some(
            view! { <p class="told" id=id role="status"><b>{first}</b>{others.collect_view()}</p> },
        )
    };
    let merge_summary =
        store.map(|store| view! { <SecondaryLines chart=chart hidden=store.hidden/> });
    view! {
        <div node_ref=holder></div>
        {merge_summary}
        {first.drawing.panes().iter().enumerate().map(pane).collect_view()}
        {said}
    }
    .into_any()
}

/// Lines beside the first, each of which can be hidden.
#[component]
fn SecondaryLines(chart: Memo<Option<Chart>>, hidden: RwSignal<Vec<String>>) -> impl IntoView {
    let names = Memo::new(move |_| {
        let names = chart.with(|chart| Some(chart.as_ref()?.drawing.optional_lines()));
        names.unwrap_or_default()
    });
    let button = move |name: String| {
        let id = format!("series-{}", name.to_ascii_lowercase().replace(' ', "-"));
        let (of, turned) = (name.clone(), name.clone());
        let is_seen = move || hidden.with(|hidden| !hidden.contains(&of));
        let turn = move |_| {
            hidden.update(|hidden| {
                let others = hidden.len();
                hidden.retain(|other| *other != turned);
                if hidden.len() == others {
                    hidden.push(turned.clone());
                }
            });
        };
        view! {
            <button class="btn quiet small" id=id aria-pressed=move || is_seen().to_string() on:click=turn>{name}</button>
        }
    };
    move || {
        let names = names.get();
        (!names.is_empty()).then(|| {
            view! {
                <div class="series" role="group" aria-label="Lines beside ours">
                    {names.into_iter().map(button).collect_view()}
                </div>
            }
        })
    }
}
