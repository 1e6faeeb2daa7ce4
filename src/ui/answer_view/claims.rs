//! Published figures beside ours, row by row; on a phone each row is a card.

use crate::ui::views::table::TakeTable;
use document::wire::interned;
use document::{ClaimRow, Claims, Tone};
use leptos::prelude::*;
use std::sync::Arc;

/// The claims as a table.
#[component]
pub fn ClaimsTable(claims: Memo<Claims>) -> impl IntoView {
    let id = claims.with_untracked(|claims| interned(claims.id));
    let title = Memo::new(move |_| claims.with(|claims| claims.title.clone()));
    let has_yours = Memo::new(move |_| claims.with(Claims::has_yours));
    let table = Memo::new(move |_| Arc::new(claims.with(Claims::table)));
    let rows = move || {
        let row = |claim: &ClaimRow| row(claim, has_yours.get());
        claims.with(|claims| claims.claims.iter().map(row).collect_view())
    };
    let yours = move || {
        let head = || view! { <th scope="col" class="n">"Your scenario"</th> };
        has_yours.get().then(head)
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

fn row(claim: &ClaimRow, has_yours: bool) -> impl IntoView + use<> {
    let class = match claim.tone {
        Some(Tone::Good) => "tag good",
        Some(Tone::Open) => "tag warn",
        Some(Tone::Bad) => "tag bad",
        None => "tag",
    };
    let ClaimRow {
        name,
        source,
        published,
        ours,
        yours,
        agreement,
        reason,
        ..
    } = claim.clone();
    let yours =
        has_yours.then(|| view! { <td class="n" data-l="Your scenario">{yours.words}</td> });
    view! {
        <tr>
            <th scope="row">{name}<small>{source}</small></th>
            <td class="n" data-l="Published">{published.words}</td>
            <td class="n" data-l="Ours">{ours.words}</td>
            {yours}
            <td><span class=class>{agreement}</span><small>{reason}</small></td>
        </tr>
    }
}
