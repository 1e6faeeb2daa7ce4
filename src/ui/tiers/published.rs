//! Published beside ours: the paper's splits, and which reading of the devices' speeds gives them.

use super::TiersState;
use crate::ui::measuring::Measuring;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::published::ClaimsTable;
use crate::ui::views::table::TableView;
use engine::scenario::Question;
use job::tiers_published::{Measure, Measured};
use leptos::prelude::*;
use report::published::hyperion;
use report::published::{Claim, hyperion_runs};
use report::table::Table;
use std::sync::Arc;

/// The block.
#[component]
pub fn Published() -> impl IntoView {
    // It belongs to the paper's own devices whatever the scenario is, so it is computed once, when first answers are in.
    let state = expect_context::<TiersState>();
    let is_answered = Memo::new(move |_| state.shown.with(Option::is_some));
    let content = move || {
        is_answered.get().then(|| {
            let claims = Arc::new(hyperion::splits());
            let readings = Arc::new(hyperion::readings_table());
            let notes = hyperion::note();
            view! {
                <p class="over">
                    "The paper\u{2019}s two models over its three tiers, independent of your scenario: blocks of equal work, no memory limit."
                </p>
                <ClaimsTable claims=Signal::stored(claims) title="Published beside ours, splits"/>
                <div class="notes">{notes.into_iter().map(|text| view! { <p>{text}</p> }).collect_view()}</div>
                <details class="fold" open=true>
                    <summary>
                        <crate::ui::views::icons::Icon glyph=crate::ui::views::icons::Glyph::Right/>
                        "Which speeds give which split"
                    </summary>
                    <TableView table=Signal::stored(readings) id="readings"/>
                </details>
                <Runs/>
                <p class="foot">{hyperion::SOURCE}"."</p>
            }
        })
    };
    view! {
        <section class="block" id="published">
            <div class="head"><h2>"Published beside ours"</h2></div>
            {content}
        </section>
    }
}

/// What stands in a fold.
#[derive(Clone, PartialEq)]
enum Content {
    Claims(Arc<Vec<Claim>>),
    Table(Arc<Table>),
}

/// What a fold is made of.
#[derive(Clone, Copy)]
enum Source {
    /// Formulas alone.
    Known(fn() -> Vec<Claim>),
    /// Runs of the paper’s own requests, which the worker makes when the fold is first opened.
    Runs(Measure, fn(&Measured) -> Option<Content>),
}

/// Id, title, and what makes the content.
type Fold = (&'static str, &'static str, Source);

/// The paper’s measurements.
const FOLDS: [Fold; 6] = [
    (
        "one-request",
        "One request: Table II, Fig. 9 and 10",
        Source::Known(hyperion_runs::one_request),
    ),
    (
        "many-requests",
        "Many requests: Fig. 5 and 6",
        Source::Runs(Measure::Many, |all| {
            claims(hyperion_runs::many_requests(all))
        }),
    ),
    (
        "modes",
        "Many requests under every reading",
        Source::Runs(Measure::Readings, |all| {
            hyperion_runs::many_requests_table(all).map(|table| Content::Table(Arc::new(table)))
        }),
    ),
    (
        "topologies",
        "Two, three and four tiers: Fig. 12",
        Source::Runs(Measure::Topologies, |all| {
            claims(hyperion_runs::topologies(all))
        }),
    ),
    (
        "busy",
        "How busy the devices are: Table II",
        Source::Runs(Measure::Busy, |all| claims(hyperion_runs::utilisation(all))),
    ),
    (
        "memory",
        "Memory: Table II",
        Source::Known(hyperion_runs::memory),
    ),
];

fn claims(found: Option<Vec<Claim>>) -> Option<Content> {
    found.map(|claims| Content::Claims(Arc::new(claims)))
}

/// The folds of measurements.
#[component]
fn Runs() -> impl IntoView {
    let notes = hyperion_runs::note();
    view! {
        {FOLDS.map(|(id, title, source)| view! { <Measurement id=id title=title source=source/> }).collect_view()}
        <div class="notes">{notes.into_iter().map(|text| view! { <p>{text}</p> }).collect_view()}</div>
    }
}

/// A fold.
#[component]
fn Measurement(id: &'static str, title: &'static str, source: Source) -> impl IntoView {
    let state = expect_context::<TiersState>();
    let is_open = RwSignal::new(false);
    let content = Memo::new(move |_| {
        is_open.get().then(|| match source {
            Source::Known(make) => claims(Some(make())),
            Source::Runs(_, make) => state.measured.with(make),
        })?
    });
    if let Source::Runs(measure, _) = source {
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
    let shown = move || match (content.get(), source) {
        (Some(Content::Claims(claims)), _) => {
            view! { <ClaimsTable claims=Signal::stored(claims) title=title id=id/> }.into_any()
        }
        (Some(Content::Table(table)), _) => {
            view! { <TableView table=Signal::stored(table) id=id/> }.into_any()
        }
        (None, Source::Runs(measure, _)) => view! { <Going measure=measure/> }.into_any(),
        (None, Source::Known(_)) => ().into_any(),
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
