//! Assumptions of the open question, above the answer until they are confirmed.

use super::tools::left_out;
use crate::ui::questions::Questions;
use leptos::prelude::*;
use protocol::assumed::{NumberGroup, groups};

/// Assumptions, collapsed; empty if there are none.
#[component]
pub fn AssumedView() -> impl IntoView {
    let questions = expect_context::<Questions>();
    let common = questions.shell.common;
    let found = Memo::new(move |_| {
        let view = common.view.get();
        let (left_out, can_confirm) = (view.left_out, !view.assumed.is_empty());
        (
            common.with(|world| groups(world, &view)),
            left_out,
            can_confirm,
        )
    });
    let confirm = move |_| {
        questions.confirm();
    };
    move || {
        let (groups, left_out_count, can_confirm) = found.get();
        let left_out = left_out(left_out_count).map(|said| view! { <p class="hint">{said}</p> });
        let is_any = !groups.is_empty();
        (is_any || left_out.is_some()).then(|| {
            let mut what: Vec<&str> = Vec::new();
            for group in &groups {
                if !what.contains(&group.what) {
                    what.push(group.what);
                }
            }
            view! {
                <section class="assumed" aria-label="Assumptions">
                    {left_out}
                    {is_any.then(|| view! {
                        <details id="assumed">
                            <summary>"Assumed: "{document::list(&what)}</summary>
                            {table("Assumed numbers", "Why", &groups)}
                            {can_confirm.then(|| view! {
                                <p class="acts">
                                    <button class="btn small" id="confirm-assumed" on:click=confirm>"Confirm all"</button>
                                    <span class="hint">"Change any of them in the panel; it then counts as given."</span>
                                </p>
                            })}
                        </details>
                    })}
                </section>
            }
        })
    }
}

/// Numbers with whose they are and why, or where they are from.
pub fn table(
    label: &'static str,
    last: &'static str,
    groups: &[NumberGroup],
) -> impl IntoView + use<> {
    let rows = groups.iter().map(row).collect_view();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=label>
            <table class="data">
                <thead>
                    <tr>
                        <th scope="col">"Number"</th>
                        <th scope="col">"Of"</th>
                        <th scope="col">"Taken"</th>
                        <th scope="col">{last}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

fn row(group: &NumberGroup) -> impl IntoView + use<> {
    let NumberGroup {
        what,
        of,
        value,
        why,
    } = group.clone();
    view! {
        <tr>
            <th scope="row">{what}</th>
            <td>{document::list(&of)}</td>
            <td>{value}</td>
            <td>{why}</td>
        </tr>
    }
}
