//! Published beside ours: what a paper claims, what is computed here on its own scenario, how far they agree, and
//! why not where they do not.

use super::table::{TableView, TakeTable};
use crate::ui::state::{State, is_paper};
use engine::problem::HeuristicReading;
use job::readings::readings;
use leptos::prelude::*;
use report::published::{self, Agreement, Claim, Figure, SOURCE, claims, note, tried_table};
use std::sync::Arc;

/// The block for cold start.
#[component]
pub fn Published() -> impl IntoView {
    let state = expect_context::<State>();
    let paper = Memo::new(move |_| Arc::new(state.paper_answers()));
    let claimed = Memo::new(move |_| {
        let yours = state.own_answers();
        Arc::new(claims(&paper.get(), yours.as_deref()))
    });
    let read = Memo::new(move |_| Arc::new(published::readings(&readings(&paper.get()))));
    let marked = Memo::new(move |_| {
        let own = state.scenario.with(|scenario| scenario.heuristic);
        HeuristicReading::ALL.iter().position(|r| *r == own)
    });
    let whose = move || {
        let same = state.scenario.with(|scenario| is_paper(scenario));
        if same {
            "The paper\u{2019}s own scenario, Qwen3-14B on the four devices of Table 1, which is yours; 256 to 8192 tokens."
        } else {
            "The paper\u{2019}s own scenario, Qwen3-14B on the four devices of Table 1, whatever yours is; 256 to 8192 \
             tokens. Yours is different: its figures are shown as well, and are not comparable with the published ones."
        }
    };
    let notes = move || {
        let paragraphs = note(&paper.get());
        paragraphs
            .into_iter()
            .map(|text| view! { <p>{text}</p> })
            .collect_view()
    };
    view! {
        <section class="block" id="published">
            <div class="head"><h2>"Published beside ours"</h2></div>
            <p class="over">{whose}</p>
            <ClaimsTable claims=claimed title="Published beside ours, cold start"/>
            <div class="notes">{notes}</div>
            <details class="fold">
                <summary>
                    <super::icons::Icon glyph=super::icons::Glyph::Right/>
                    "All ten readings of the heuristic"
                </summary>
                <p class="foot over">"The heuristic\u{2019}s first answer in seconds at six lengths, its layers strongest device first, and the gains over these lengths. Your reading is marked."</p>
                <TableView table=read id="readings" marked=marked/>
            </details>
            <details class="fold">
                <summary>
                    <super::icons::Icon glyph=super::icons::Glyph::Right/>
                    "What else was tried"
                </summary>
                <TableView table=Signal::stored(Arc::new(tried_table())) id="tried"/>
            </details>
            <p class="foot">{SOURCE}"."</p>
        </section>
    }
}

/// Claims, row by row, for any method.
#[component]
pub fn ClaimsTable(
    #[prop(into)] claims: Signal<Arc<Vec<Claim>>>,
    title: &'static str,
    /// Id of the table, where a page has several.
    #[prop(default = "claims")]
    id: &'static str,
) -> impl IntoView {
    let has_yours = Memo::new(move |_| {
        claims.with(|claims| claims.iter().any(|claim| claim.yours != Figure::Missing))
    });
    let table = Memo::new(move |_| {
        claims.with(|claims| Arc::new(published::table("published", title, claims)))
    });
    let rows = move || {
        let beside = has_yours.get();
        claims.with(|claims| {
            claims
                .iter()
                .map(|claim| claim_row(claim, beside))
                .collect_view()
        })
    };
    let yours = move || {
        has_yours
            .get()
            .then(|| view! { <th scope="col" class="n">"Your scenario"</th> })
    };
    view! {
        <table class="data claims" id=id class:with-yours=has_yours>
            <caption class="sr">{title}</caption>
            <thead>
                <tr>
                    <th scope="col">"Claim"</th>
                    <th scope="col" class="n">"Published"</th>
                    <th scope="col" class="n">"Ours"</th>
                    {yours}
                    <th scope="col">"Agreement"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
        <TakeTable table=table id=id/>
    }
}

fn claim_row(claim: &Claim, beside: bool) -> impl IntoView + use<> {
    let class = match claim.agreement {
        Agreement::Agrees | Agreement::WithinOnePoint => "tag good",
        Agreement::Off(_) | Agreement::Apart(_) | Agreement::InPart => "tag warn",
        Agreement::NotReproduced => "tag bad",
        Agreement::NotComparable | Agreement::NotRun => "tag",
    };
    view! {
        <tr>
            <th scope="row">{claim.name}<small>{claim.source}</small></th>
            <td class="n" data-l="Published">{claim.published.words()}</td>
            <td class="n" data-l="Ours">{claim.ours.words()}</td>
            {beside.then(|| view! { <td class="n" data-l="Your scenario">{claim.yours.words()}</td> })}
            <td><span class=class>{claim.agreement.words()}</span><small>{claim.reason.clone()}</small></td>
        </tr>
    }
}
