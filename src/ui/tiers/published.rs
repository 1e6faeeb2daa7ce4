//! Published beside ours: the paper's splits, and which reading of the devices' speeds gives them.

use super::TiersState;
use crate::ui::measuring::Measuring;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::published::{ClaimsTable, tables};
use crate::ui::views::section::{Fold, Section};
use crate::ui::views::table::TableView;
use engine::scenario::Question;
use job::tiers_published::{Measure, Measured};
use leptos::prelude::*;
use report::published::section::{Content, Part};
use report::published::sections::{TIERS, TIERS_NEED, TIERS_RUNS};

/// The block.
#[component]
pub fn Published() -> impl IntoView {
    // It belongs to the paper's own devices whatever the scenario is, so it is computed once, when first answers are in.
    let state = expect_context::<TiersState>();
    let is_answered = Memo::new(move |_| state.shown.with(Option::is_some));
    let content = move || {
        is_answered.get().then(|| {
            view! {
                <p class="over">{(TIERS.about)(&())}</p>
                {tables(&TIERS, Signal::stored(()), Signal::stored(None), true)}
                <Runs/>
            }
        })
    };
    view! {
        <Section id="published" title="Published beside ours" fold=Fold::Folded holds="the paper\u{2019}s tables">
            {content}
        </Section>
    }
}

/// The folds of measurements.
#[component]
fn Runs() -> impl IntoView {
    let notes = (TIERS_RUNS.notes)(&Measured::default());
    let parts = TIERS_RUNS.parts.iter().zip(TIERS_NEED);
    let folds = parts.map(|(part, needs)| view! { <Measurement part=part needs=needs/> });
    view! {
        {folds.collect_view()}
        <div class="notes">{notes.into_iter().map(|text| view! { <p>{text}</p> }).collect_view()}</div>
        <p class="foot">{TIERS_RUNS.source}"."</p>
    }
}

/// A fold. The runs that it needs are made by the worker when it is first opened.
#[component]
fn Measurement(part: &'static Part<Measured>, needs: Option<Measure>) -> impl IntoView {
    let state = expect_context::<TiersState>();
    let is_open = RwSignal::new(false);
    let content = Memo::new(move |_| {
        let made = || state.measured.with(|known| part.made(known));
        is_open.get().then(made).flatten()
    });
    if let Some(measure) = needs {
        // Also when the question is opened again after it was left half way.
        Effect::new(move |_| {
            let is_asked = is_open.get() && state.question.get() == Question::Tiers;
            if is_asked && content.with(Option::is_none) {
                state.measure(measure);
            }
        });
    }
    let open = move |event: web_sys::Event| {
        let fold: web_sys::HtmlDetailsElement = event_target(&event);
        is_open.set(is_open.get_untracked() || fold.open());
    };
    let (id, title) = (part.id, part.title);
    let shown = move || match (content.get(), needs) {
        (Some(Content::Claims(claims)), _) => {
            view! { <ClaimsTable claims=Signal::stored(claims) title=title id=id/> }.into_any()
        }
        (Some(Content::Table(table)), _) => {
            view! { <TableView table=Signal::stored(table) id=id/> }.into_any()
        }
        (None, Some(measure)) => view! { <Going measure=measure/> }.into_any(),
        (None, None) => ().into_any(),
    };
    view! {
        <details class="fold" id=format!("fold-{id}") on:toggle=open>
            <summary><Icon glyph=Glyph::Right/>{title}</summary>
            {shown}
        </details>
    }
}

/// How far the runs of a measurement are, and a way to go on where they were stopped.
#[component]
fn Going(measure: Measure) -> impl IntoView {
    let state = expect_context::<TiersState>();
    let going = Memo::new(move |_| {
        state.measuring.with(|all| {
            let found = all.iter().find(|(of, _)| *of == measure);
            found.map(|(_, going)| *going)
        })
    });
    move || {
        match going.get() {
        Some(Measuring { asked, came }) => view! {
            <div class="search">
                <progress max=asked.to_string() value=came.to_string()></progress>
                <span>{format!("Running the paper\u{2019}s requests: {came} of {asked}.")}</span>
            </div>
        }
        .into_any(),
        None => view! {
            <div class="search">
                <span>"Not all runs were made."</span>
                <button class="btn small" on:click=move |_| state.measure(measure)>"Run them"</button>
            </div>
        }
        .into_any(),
    }
    }
}
