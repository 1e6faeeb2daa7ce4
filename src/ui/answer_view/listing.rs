//! A listing of an answer view: its rows with their pictures, a button in each row with an action, and buttons that
//! take its numbers away.

use super::AnswerStore;
use crate::ui::download;
use crate::ui::shell::Shell;
use crate::ui::views::section::Sections;
use crate::ui::views::table::TakeTable;
use document::{CellGraphic, RichCell, RichRow, RichTable, RowAction, Table};
use leptos::prelude::*;
use std::sync::Arc;

/// A listing of more rows scrolls in its own place.
const LONG: usize = 24;

/// The listing.
#[component]
pub fn ListingBlock(listing: Memo<RichTable>) -> impl IntoView {
    let first = listing.get_untracked();
    let all = RwSignal::new(false);
    let table = Memo::new(move |_| {
        let table = listing.with(|listing| listing.table().cloned());
        Arc::new(table.unwrap_or_else(Table::default))
    });
    // What can be done is done to what is shown: a comparison shows, and does nothing.
    let store = use_context::<AnswerStore>();
    let heads = move || {
        let heads = listing.with(|listing| listing.heads.clone());
        let head = |(words, class): (String, String)| match class.as_str() {
            "sr" => view! { <th scope="col"><span class="sr">{words}</span></th> }.into_any(),
            // Over what is only drawn, or is not there, stands nothing.
            _ if words.is_empty() => view! { <td class=class></td> }.into_any(),
            _ => view! { <th scope="col" class=class>{words}</th> }.into_any(),
        };
        heads.into_iter().map(head).collect_view()
    };
    let rows = move || {
        let rows = listing.with(|listing| {
            let kept = |line: &&RichRow| all.get() || !line.is_kept_back;
            let classes: Vec<String> = listing.heads.iter().map(|head| head.1.clone()).collect();
            let rows: Vec<RichRow> = listing.rows.iter().filter(kept).cloned().collect();
            (classes, rows)
        });
        let (classes, rows) = rows;
        let row = |line: RichRow| row(line, &classes, store);
        rows.into_iter().map(row).collect_view()
    };
    let title = move || listing.with(|listing| listing.title.clone());
    let is_long = Memo::new(move |_| listing.with(|listing| listing.rows.len() > LONG));
    let has_rows = Memo::new(move |_| listing.with(|listing| !listing.rows.is_empty()));
    let has_more = Memo::new(move |_| {
        listing.with(|listing| listing.rows.iter().any(|line| line.is_kept_back))
    });
    let turn = move || match all.get() {
        true => "Fewer rows".to_owned(),
        false => listing.with(|listing| listing.all.clone()),
    };
    let id = (!first.id.is_empty()).then_some(first.id);
    let caption = match first.is_titled {
        true => view! { <caption>{title}</caption> }.into_any(),
        false => view! { <caption class="sr">{title}</caption> }.into_any(),
    };
    let take = (!first.take.is_empty()).then(|| view! { <TakeTable table=table id=first.take/> });
    view! {
        <div class="scroll rows" class:long=is_long tabindex="0" role="region" aria-label=title hidden=move || !has_rows.get()>
            <table class=format!("data {}", first.class) id=id>
                {caption}
                <thead><tr>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <div class="under-rows">
            {move || has_more.get().then(|| view! {
                <button
                    class="btn quiet small"
                    id=format!("{}-all", first.take)
                    aria-expanded=move || all.get().to_string()
                    on:click=move |_| all.update(|all| *all = !*all)
                >
                    {turn}
                </button>
            })}
            {take}
        </div>
    }
}

fn row(line: RichRow, classes: &[String], store: Option<AnswerStore>) -> impl IntoView + use<> {
    let cells = line.cells.into_iter().zip(classes);
    let cells = cells.map(|(cell, class)| td(cell, class)).collect_view();
    let act = line.act.zip(store).map(|(act, store)| button(act, store));
    let has_act = classes.last().is_some_and(|class| class == "sr");
    let act = has_act.then(|| view! { <td class="n">{act}</td> });
    view! { <tr class=line.class>{cells}{act}</tr> }
}

fn td(cell: RichCell, class: &str) -> AnyView {
    let class = if class == "sr" { "" } else { class }.to_owned();
    let exact = (!cell.exact.is_empty()).then(|| cell.exact.clone());
    let small = cell.small.iter();
    let small = small
        .map(|words| view! { <small>{words.clone()}</small> })
        .collect_view();
    let tags = cell.tags.iter();
    let tags = tags
        .map(|word| view! { <span class="proof good">{word.clone()}</span> })
        .collect_view();
    if cell.is_head {
        return view! { <th scope="row">{cell.text}{tags}{small}</th> }.into_any();
    }
    let width = |share: f64| format!("{share}%");
    let part =
        move |(class, share): (String, f64)| view! { <i class=class style:width=width(share)></i> };
    match cell.drawn {
        CellGraphic::Nothing if cell.is_strong => {
            view! { <td class=class><b>{cell.text}</b></td> }.into_any()
        }
        CellGraphic::Nothing => {
            let aside = (!cell.aside.is_empty())
                .then(|| view! { " "<span class="pct">{cell.aside}</span> });
            view! { <td class=class data-exact=exact>{cell.text}{aside}{tags}{small}</td> }
                .into_any()
        }
        CellGraphic::Bar(parts) => {
            let parts = parts.into_iter().map(part).collect_view();
            view! { <td class=class><span class="bars">{parts}<span data-exact=exact>{cell.text}</span></span></td> }
                .into_any()
        }
        CellGraphic::Fall(parts) => {
            let parts = parts.into_iter().map(part).collect_view();
            view! { <td class="fall"><span aria-hidden="true">{parts}</span></td> }.into_any()
        }
        CellGraphic::Strip(parts) => {
            let part = |(class, weight, label): (String, f64, String)| {
                view! { <i class=class style:flex-grow=weight.to_string()>{label}</i> }
            };
            let parts = parts.into_iter().map(part).collect_view();
            view! { <td class=class><span class="strip" role="img" aria-label=cell.text>{parts}</span></td> }
                .into_any()
        }
        CellGraphic::Command(command, label) => {
            let paste = (!command.is_empty()).then(|| {
                let shell = expect_context::<Shell>();
                let text = command.clone();
                let copy = move |_| {
                    download::copy(&text, move |copied| shell.say_copied("Command", copied));
                };
                view! {
                    <code>{command}</code>
                    <button class="btn quiet small" aria-label=label on:click=copy>"Copy"</button>
                }
            });
            view! { <td class="how"><div class="command">{paste}</div><small>{cell.text}</small></td> }.into_any()
        }
    }
}

fn button(act: RowAction, store: AnswerStore) -> AnyView {
    match act {
        RowAction::Change {
            choice,
            label,
            is_first,
            is_done,
        } => {
            let edit = choice.edit;
            let shell = expect_context::<Shell>();
            let tried = label.strip_prefix("Try: ");
            let tried = tried.map(|what| format!("Tried: {what}."));
            let press = move |_| {
                if store.apply(edit.clone())
                    && let Some(tried) = &tried
                {
                    shell.announce(tried.clone());
                }
            };
            let class = if is_first {
                "btn small primary"
            } else {
                "btn small"
            };
            view! { <button class=class aria-label=label disabled=is_done on:click=press>{choice.words}</button> }
                .into_any()
        }
        RowAction::Look(sets, at, label) => {
            let turned = RwSignal::from(store.control_state(sets).at);
            view! { <button class="btn quiet small" aria-label=label on:click=move |_| turned.set(Some(at))>"Look"</button> }
                .into_any()
        }
        RowAction::Flags(plan) => {
            let sections = expect_context::<Sections>();
            let label = format!("Flags of: {plan}");
            let press = move |_| {
                store.flags_of.set(plan.clone());
                sections.reveal("flags", Some("flags-plan"));
            };
            view! { <button class="btn small" aria-label=label on:click=press>"Flags"</button> }
                .into_any()
        }
    }
}
