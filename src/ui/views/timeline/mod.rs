//! The picture: the plan in time, to zoom and to walk through, and the same as a table. Where there is no plan:
//! what each device could hold.

mod chart;
mod room;

pub use chart::{GanttView, Legend};

use super::answer::Spoken;
use super::front::way_of;
use super::held::{Zoom, ZoomTools};
use super::icons::{Glyph, Icon};
use super::picture_files::TakePicture;
use super::table::TableView;
use crate::ui::state::{Shown, State};
use crate::ui::views::section::Section;
use ::chart::{Picture, View, timeline_sheet};
use leptos::prelude::*;
use report::cold_start::charts::{gantt, title};
use report::cold_start::tables as table;
use std::sync::Arc;
use wasm_bindgen::JsCast;

/// The picture block.
#[component]
pub fn Timeline() -> impl IntoView {
    let state = expect_context::<State>();
    // The chart stays while plans come and go, so that a selection and the keyboard's place survive an edit.
    let has_plan = Memo::new(move |_| {
        state
            .shown
            .with(|s| s.as_ref().map(|s| s.answer.timeline.is_some()))
    });
    move || {
        has_plan.get().map(|has_plan| {
            if has_plan {
                view! { <Planned/> }.into_any()
            } else {
                view! { <room::Holds/> }.into_any()
            }
        })
    }
}

/// The picture of the timeline on show, for the export.
pub fn picture_of(shown: &Shown, width_px: f64) -> Picture {
    let gantt = gantt(&shown.problem, &shown.answer, None);
    timeline_sheet(&title_of(shown), &gantt, View::whole(&gantt), width_px)
}

/// What an exported picture is of: model, prompt, fleet.
pub fn title_of(shown: &Shown) -> String {
    title(&shown.scenario, &shown.problem)
}

#[component]
fn Planned() -> impl IntoView {
    let state = expect_context::<State>();
    let as_table = RwSignal::new(false);
    let reason = move || {
        state
            .shown
            .get()
            .map(|shown| view! { <Spoken sentence=shown.words.reason.clone()/> })
    };
    let gantt = Memo::new(move |_| {
        state
            .shown
            .get()
            .map(|shown| {
                let way = way_of(state, &shown);
                Arc::new(gantt(&shown.problem, &shown.answer, way.as_ref()))
            })
            .unwrap_or_default()
    });
    let zoom = Zoom::new(Signal::derive(move || gantt.with(|gantt| gantt.total_s)));
    let has_next = Memo::new(move |_| gantt.with(|gantt| gantt.has_next()));
    let only = RwSignal::new(None);
    let turn = Callback::new(move |()| {
        as_table.update(|on| *on = !*on);
        // The chart had the focus and is gone: the button that brings it back takes it.
        if let Some(button) = document().get_element_by_id("timeline-as-table") {
            let _ = button.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    });
    let picture = Callback::new(move |width| {
        let shown = state.shown.get_untracked()?;
        let gantt = gantt.get_untracked();
        Some(timeline_sheet(
            &title_of(&shown),
            &gantt,
            zoom.seen_now(),
            width,
        ))
    });
    view! {
        <Section
            id="picture"
            title="Timeline"
            beside={move || view! { <Legend only=only has_next=has_next/> }}
            tools={move || view! { <Show when=move || !as_table.get()>
                        <ZoomTools name="timeline" zoom=zoom/>
                    </Show>
                    <button
                        class="btn quiet small"
                        id="timeline-as-table"
                        aria-pressed=move || as_table.get().to_string()
                        on:click=move |_| turn.run(())
                    >
                        <Icon glyph=Glyph::Table/>
                        {move || if as_table.get() { "Picture" } else { "Table" }}
                    </button>
                    <TakePicture name="timeline" label="timeline" picture=picture/> }}
        >
            {move || {
                if as_table.get() {
                    view! { <Rows/> }.into_any()
                } else {
                    view! { <GanttView id="gantt" gantt=gantt zoom=zoom only=only on_table=turn/> }.into_any()
                }
            }}
            <p class="reason" id="reason">{reason}</p>
        </Section>
    }
}

/// The same rows as numbers.
#[component]
fn Rows() -> impl IntoView {
    let state = expect_context::<State>();
    let table = Memo::new(move |_| {
        let shown = state.shown.get();
        Arc::new(shown.map_or_else(Default::default, |shown| {
            table::timeline(&shown.problem, &shown.answer)
        }))
    });
    view! { <TableView table=table id="timeline-table"/> }
}
