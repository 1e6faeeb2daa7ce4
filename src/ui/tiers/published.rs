//! Published beside ours: the paper's splits, and which reading of the devices' speeds gives them.

use super::TiersState;
use crate::report::published::hyperion;
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
