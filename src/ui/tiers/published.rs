//! Published beside ours: the paper's splits, and which reading of the devices' speeds gives them.

use super::TiersState;
use crate::report::published::hyperion;
use crate::report::published::{Claim, hyperion_runs};
use crate::report::table::Table;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::published::ClaimsTable;
use crate::ui::views::table::TableView;
use leptos::prelude::*;
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
                    "The paper\u{2019}s two models over its three tiers, whatever your scenario is: blocks of equal work, no memory limit."
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
#[derive(Clone)]
enum Content {
    Claims(Arc<Vec<Claim>>),
    Table(Arc<Table>),
    Nothing(String),
}

/// Claims, or why there are none.
fn claims(found: Result<Vec<Claim>, impl std::fmt::Display>) -> Content {
    match found {
        Ok(claims) => Content::Claims(Arc::new(claims)),
        Err(why) => Content::Nothing(why.to_string()),
    }
}

/// Id, title, and what makes the content.
type Measured = (&'static str, &'static str, fn() -> Content);

/// The paper’s measurements. Each is computed when its fold is first opened: runs of its own
/// requests, some of them many.
const MEASURED: [Measured; 6] = [
    (
        "one-request",
        "One request: Table II, Fig. 9 and 10",
        || Content::Claims(Arc::new(hyperion_runs::one_request())),
    ),
    ("many-requests", "Many requests: Fig. 5 and 6", || {
        claims(hyperion_runs::many_requests(&hyperion_runs::SEEDS))
    }),
    (
        "modes",
        "Many requests under every reading",
        || match hyperion_runs::many_requests_table(&hyperion_runs::SEEDS) {
            Ok(table) => Content::Table(Arc::new(table)),
            Err(why) => Content::Nothing(why.to_string()),
        },
    ),
    ("topologies", "Two, three and four tiers: Fig. 12", || {
        claims(hyperion_runs::topologies(&hyperion_runs::SEEDS))
    }),
    (
        "busy",
        "How busy the devices are: Table II, Fig. 7 and 8",
        || claims(hyperion_runs::utilisation(&hyperion_runs::SEEDS)),
    ),
    ("memory", "Memory: Table II", || {
        Content::Claims(Arc::new(hyperion_runs::memory()))
    }),
];

/// The folds of measurements.
#[component]
fn Runs() -> impl IntoView {
    let fold = |(id, title, make): Measured| {
        let content = RwSignal::new(None::<Content>);
        let open = move |event: web_sys::Event| {
            let fold: web_sys::HtmlDetailsElement = event_target(&event);
            if fold.open() && content.with_untracked(Option::is_none) {
                // After the fold is painted: some of these take a moment.
                gloo::timers::callback::Timeout::new(20, move || content.set(Some(make())))
                    .forget();
            }
        };
        let shown = move || match content.get() {
            None => view! { <p class="foot">"Running the paper\u{2019}s requests."</p> }.into_any(),
            Some(Content::Claims(claims)) => {
                view! { <ClaimsTable claims=Signal::stored(claims) title=title id=id/> }.into_any()
            }
            Some(Content::Table(table)) => {
                view! { <TableView table=Signal::stored(table) id=id/> }.into_any()
            }
            Some(Content::Nothing(why)) => view! { <p class="fault">{why}</p> }.into_any(),
        };
        view! {
            <details class="fold" id=format!("fold-{id}") on:toggle=open>
                <summary><Icon glyph=Glyph::Right/>{title}</summary>
                {shown}
            </details>
        }
    };
    let notes = hyperion_runs::note();
    view! {
        {MEASURED.map(fold).collect_view()}
        <div class="notes">{notes.into_iter().map(|text| view! { <p>{text}</p> }).collect_view()}</div>
    }
}
