//! One run of the requests in time: a row a node, to zoom down to single passes.

use super::TiersState;
use crate::ui::views::held::{ChartView, Told, Zoom, ZoomTools};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::{Fold, Section, WhileOpen};
use crate::ui::views::table::TableView;
use chart::{Drawn, RequestChart, RequestIndex, RequestRun, View, requests_sheet};
use leptos::prelude::*;
use report::tiers::{charts, requests_table};
use std::sync::Arc;
use story::Table;

/// From so many rows on the chart scrolls under its axis.
const SCROLLS_FROM: usize = 24;

/// The run as the chart takes it; `None` until it has come.
fn run_of(state: TiersState) -> Option<Arc<RequestRun>> {
    let load = state.load.get();
    let (of, timeline) = (load.of?, load.timeline?);
    let placed = &load.series.first()?.placed;
    charts::requests(&of, placed, &timeline).map(Arc::new)
}

/// The block.
#[component]
pub fn Requests() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let run = Memo::new(move |_| run_of(state));
    let is_there = Memo::new(move |_| state.load.with(|load| load.of.is_some()));
    let ask = Callback::new(move |()| {
        state.load.track();
        state.ask_timeline();
    });
    let as_table = RwSignal::new(false);
    let zoom = Zoom::new(Signal::derive(move || {
        run.with(|run| run.as_ref().map_or(0.0, |run| run.end_s))
    }));
    let index = Memo::new(move |_| Indexed(run.get().map(|run| Arc::new(RequestIndex::of(&run)))));
    // The chart of the moment, for the words of its marks.
    let latest = StoredValue::new(None::<Arc<RequestChart>>);
    let draw = Callback::new(move |(width, seen): (f64, View)| {
        let index = index.get().0;
        let chart = match index {
            Some(index) => index.layout(width, seen),
            None => RequestIndex::of(&RequestRun::default()).layout(width, seen),
        };
        let chart = Arc::new(chart);
        latest.set_value(Some(chart.clone()));
        Drawn(chart)
    });
    let tell = Callback::new(move |at: usize| {
        let chart = latest.get_value()?;
        let words = chart.words(at)?;
        let row = chart.hits.get(at)?.row;
        Some(Told {
            shade: run.with(|run| Some(run.as_ref()?.nodes.get(row)?.shade)),
            title: words.title,
            rows: words.rows,
            notes: Vec::new(),
        })
    });
    let is_tall = Signal::derive(move || {
        run.with(|run| {
            run.as_ref()
                .is_some_and(|run| run.nodes.len() >= SCROLLS_FROM)
        })
    });
    let label = Signal::derive(move || {
        let said = index.with(|index| index.0.as_ref().map(|index| index.describe()));
        said.unwrap_or_default()
    });
    let turn = Callback::new(move |()| as_table.update(|on| *on = !*on));
    let table = Memo::new(move |_| {
        let timeline = state.load.with(|load| load.timeline.clone());
        Arc::new(timeline.map_or_else(Table::default, |timeline| requests_table(&timeline)))
    });
    let picture = Callback::new(move |width| {
        let run = run.get_untracked()?;
        Some(requests_sheet(
            "Requests over time",
            &run,
            zoom.seen_now(),
            width,
        ))
    });
    let note = move || {
        let load = state.load.get();
        let (of, timeline) = (load.of?, load.timeline?);
        let cut = if timeline.left_out > 0 {
            format!(" {} later passes are not drawn.", timeline.left_out)
        } else {
            String::new()
        };
        Some(format!(
            "{} requests, seed {}. A node serves passes one at a time in order of arrival; a request stays on its node, \
             where its cache is.{cut}",
            timeline.arrival.len(),
            of.load.first_seed
        ))
    };
    view! {
                <Section
                    id="requests"
                    title="Requests over time"
                    fold=Fold::Folded
                    holds="pass by pass on every node"
                    tools={move || view! { <Show when=move || !as_table.get()>
                                <ZoomTools name="requests" zoom=zoom/>
                            </Show>
                            <button
                                class="btn quiet small"
                                id="requests-as-table"
                                aria-pressed=move || as_table.get().to_string()
                                on:click=move |_| turn.run(())
                            >
                                <Icon glyph=Glyph::Table/>
                                {move || if as_table.get() { "Picture" } else { "Table" }}
                            </button>
                            <TakePicture name="requests" label="requests" picture=picture/> }}
                    is_there=is_there
                >
                    <WhileOpen run=ask/>
                    {move || if as_table.get() {
                        view! { <TableView table=table id="requests-table" capped=true/> }.into_any()
                    } else {
                        view! {
                            <ChartView
                                id="requests-chart"
                                draw=draw
                                kind="timeline"
                                class="gantt"
                                chain="a request"
                                zoom=zoom
                                tell=tell
                                is_tall=is_tall
                                label=label
                                on_table=turn
                            />
                        }.into_any()
                    }}
                    <p class="foot">{note}</p>
                </Section>
    }
}

/// An index that can be compared: equal where it is the same one.
#[derive(Clone)]
struct Indexed(Option<Arc<RequestIndex>>);

impl PartialEq for Indexed {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}
