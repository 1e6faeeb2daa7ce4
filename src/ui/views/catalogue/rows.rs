//! The rows of the catalogue: found by words, put into the scenario by a button.

use super::Catalogue;
use crate::ui::download;
use crate::ui::questions::Questions;
use crate::ui::shell::Shell;
use crate::ui::views::table::TakeTable;
use crate::ui::views::tools::cold;
use engine::scenario::Question;
use engine::scenario::catalogue::{CatalogueKind, CatalogueRow, published};
use engine::scenario::fields;
use leptos::prelude::*;
use protocol::table;
use std::sync::Arc;

/// A row, and its place among the own rows if it is one.
type FoundRow = (CatalogueRow, Option<usize>);

/// Rows that are shown at once: a table of all machines takes long to lay out.
const MOST_SHOWN: usize = 100;

/// Kinds, search, table, and what else can be done with them.
#[component]
pub fn Rows() -> impl IntoView {
    let catalogue = expect_context::<Catalogue>();
    let Catalogue {
        kind, query, own, ..
    } = catalogue;
    // The radio of a link is cold start's alone.
    let asked = expect_context::<Shell>().question.get_untracked();
    let mut kinds = vec![
        (CatalogueKind::Device, "Devices"),
        (CatalogueKind::Model, "Models"),
    ];
    if asked == Question::ColdStart {
        kinds.insert(1, (CatalogueKind::Link, "Links"));
    } else if kind.get_untracked() == CatalogueKind::Link {
        kind.set(CatalogueKind::Device);
    }
    let of_kind = Memo::new(move |_| {
        let kind = kind.get();
        let mine = own.with(|own| {
            let rows = own.rows.iter().cloned().enumerate();
            let mine = rows.filter(|(_, row)| row.kind == kind);
            mine.map(|(at, row)| (row, Some(at)))
                .collect::<Vec<FoundRow>>()
        });
        let rows = published(kind).into_iter().map(|row| (row, None));
        mine.into_iter().chain(rows).collect::<Vec<FoundRow>>()
    });
    let found = Memo::new(move |_| {
        let query = query.get();
        let mut rows = of_kind.get();
        rows.retain(|(row, _)| row.matches(&query));
        rows.sort_by_key(|(row, _)| row.rank(&query));
        rows
    });
    let count = move || {
        let (shown, all) = (found.with(Vec::len), of_kind.with(Vec::len));
        match shown {
            0 => "No row matches all these words.".to_owned(),
            shown if shown > MOST_SHOWN => {
                format!("{shown} rows, the first {MOST_SHOWN} shown: search for the others")
            }
            shown if shown == all => format!("{all} rows"),
            shown => format!("{shown} of {all} rows"),
        }
    };
    let as_table = Signal::derive(move || {
        let rows: Vec<CatalogueRow> =
            found.with(|rows| rows.iter().map(|(row, _)| row.clone()).collect());
        Arc::new(table::catalogue(kind.get(), &rows))
    });
    view! {
        <div class="dialog-body catalogue">
            <div class="catalogue-tools">
                <div class="seg small" role="radiogroup" aria-label="Kind of rows">
                    {kinds
                        .into_iter()
                        .map(|(choice, label)| view! {
                            <button
                                role="radio"
                                id=format!("catalogue-{}s", choice.name())
                                aria-checked=move || (kind.get() == choice).to_string()
                                on:click=move |_| kind.set(choice)
                            >
                                {label}
                            </button>
                        })
                        .collect_view()}
                </div>
                <label class="find-rows">
                    <span>"Search"</span>
                    <input
                        type="search"
                        id="catalogue-search"
                        data-first=""
                        autocomplete="off"
                        spellcheck="false"
                        prop:value=move || query.get()
                        on:input=move |event| query.set(event_target_value(&event))
                    />
                </label>
                <span class="count" id="catalogue-count" role="status">{count}</span>
            </div>
            <StatusMessage/>
            <div class="scroll" tabindex="0" role="group" aria-label="Rows of the catalogue">
                <table class="data catalogue-rows" id="catalogue-rows">
                    <thead>
                        <tr>
                            <th scope="col">"Name"</th>
                            {move || heads(kind.get())}
                            <th scope="col">"Source"</th>
                            <th scope="col"><span class="sr">"Actions"</span></th>
                        </tr>
                    </thead>
                    <tbody>
                        {move || found.get().into_iter().take(MOST_SHOWN).map(|(row, at)| view! { <Line row=row at=at/> }).collect_view()}
                    </tbody>
                </table>
            </div>
            {move || (kind.get() == CatalogueKind::Link).then(|| view! {
                <p class="foot">
                    "The other papers give plain rates (1 Gbit/s, 100 Mbit/s, 2000 Mbit/s), no channel. A rate alone says \
                     nothing about distance and power, so it is not listed here."
                </p>
            })}
            <BrokenRows/>
        </div>
        <div class="dialog-foot">
            <KeepOne/>
            <TakeTable table=as_table id="catalogue"/>
        </div>
    }
}

/// Message about the last action.
#[component]
fn StatusMessage() -> impl IntoView {
    let catalogue = expect_context::<Catalogue>();
    let back = move |_| {
        if let Some((_, Some((at, row)))) = catalogue.said.get_untracked() {
            let said = format!("{} is back.", row.name);
            catalogue.change(said, None, |own| {
                own.rows.insert(at.min(own.rows.len()), row);
            });
        }
    };
    view! {
        <div class="said" id="catalogue-said" role="status">
            {move || catalogue.said.get().map(|(said, gone)| view! {
                <p>
                    {said}
                    {gone.is_some().then(|| view! { <button class="btn small" on:click=back>"Undo"</button> })}
                </p>
            })}
        </div>
    }
}

fn heads(kind: CatalogueKind) -> impl IntoView {
    kind.fields()
        .iter()
        .map(|field| {
            let unit = fields::of(field).map_or("", |range| range.unit);
            view! { <th scope="col" class="n">{fields::noun(field)}<span>{unit}</span></th> }
        })
        .collect_view()
}

#[component]
fn Line(row: CatalogueRow, at: Option<usize>) -> impl IntoView {
    let questions = expect_context::<Questions>();
    let catalogue = expect_context::<Catalogue>();
    let name = row.name.clone();
    let table = row.layers.as_ref().map(|table| table.layers.len());
    let blocks = row.blocks.as_ref().map(|model| model.count());
    let words = table
        .map(|n| format!("a table of {n} layers"))
        .or_else(|| blocks.map(|n| format!("{n} blocks of a file")));
    let numbers: Vec<AnyView> = match words {
        Some(layers) => {
            let width = row.kind.fields().len().to_string();
            vec![view! { <td class="n" colspan=width>{layers}</td> }.into_any()]
        }
        None => row
            .fields()
            .map(|(field, value)| {
                let unit = fields::of(field).map_or("", |field| field.unit);
                let label = format!("{} {unit}", fields::noun(field));
                let span = row.ranges.get(field).map(|span| span.text(""));
                view! { <td class="n" data-l=label>{value}{span.map(|span| view! { <small>{span}</small> })}</td> }
                    .into_any()
            })
            .collect(),
    };
    let verb = match row.kind {
        CatalogueKind::Device => "Add",
        CatalogueKind::Link | CatalogueKind::Model => "Use",
    };
    let act = {
        let row = row.clone();
        move |_| catalogue.apply_row(questions, &row, at.is_some())
    };
    let own = at.map(|at| {
        let (row, gone) = (row.clone(), row.clone());
        let edit = move |_| catalogue.fill_in(row.clone(), Some(at));
        let delete = move |_| {
            let said = format!("{} is deleted.", gone.name);
            catalogue.change(said, Some((at, gone.clone())), |own| {
                if at < own.rows.len() {
                    own.rows.remove(at);
                }
            });
        };
        view! {
            <button class="btn quiet small" on:click=edit aria-label=format!("Edit {name}")>"Edit"</button>
            <button class="btn quiet small" on:click=delete aria-label=format!("Delete {name}")>"Delete"</button>
        }
    });
    let source = match (row.source.is_empty(), at) {
        (true, _) => "no source given".to_owned(),
        (false, _) => row.source.clone(),
    };
    view! {
        <tr>
            <th scope="row">
                {row.name.clone()}
                {at.is_some().then(|| view! { <span class="off-mark">"own"</span> })}
                {(!row.note.is_empty()).then(|| view! { <small>{row.note.clone()}</small> })}
            </th>
            {numbers}
            <td class="source">{source}</td>
            <td class="acts">
                <button class="btn small" on:click=act aria-label=format!("{verb} {}", row.name)>{verb}</button>
                {own}
            </td>
        </tr>
    }
}

/// Keeps something of the scenario as an own row.
#[component]
fn KeepOne() -> impl IntoView {
    let common = expect_context::<Shell>().common;
    let catalogue = expect_context::<Catalogue>();
    let keep_device = move |event: web_sys::Event| {
        let at = event_target_value(&event).parse::<usize>().ok();
        let device = at.and_then(|at| common.with(cold)?.devices.into_iter().nth(at));
        if let Some(device) = device {
            catalogue.fill_in(CatalogueRow::of_device(&device, ""), None);
        }
    };
    let keep = move |_| {
        let row = common
            .with(cold)
            .map(|s| match catalogue.kind.get_untracked() {
                CatalogueKind::Link => CatalogueRow::of_channel("Wi-Fi", &s.channel, ""),
                _ => CatalogueRow::of_model(&s.model, ""),
            });
        if let Some(row) = row {
            catalogue.fill_in(row, None);
        }
    };
    view! {
        <span class="grow">
            {move || catalogue.parked.get().map(|draft| {
                let label = match draft.texts.first().map_or("", |name| name.trim()) {
                    "" => "Continue with your row".to_owned(),
                    name => format!("Continue with {name}"),
                };
                let go_on = move |_| {
                    catalogue.kind.set(draft.row.kind);
                    catalogue.draft.set(Some(draft.clone()));
                    catalogue.parked.set(None);
                };
                view! { <button class="btn small" id="catalogue-go-on" on:click=go_on>{label}</button> }
            })}
            {move || match catalogue.kind.get() {
                CatalogueKind::Device => view! {
                    <select id="catalogue-keep" aria-label="Keep a device of the fleet as your own row" on:change=keep_device>
                        <option value="">"Keep a device of the fleet"</option>
                        {common.with(cold).map(|s| {
                            let names = s.devices.into_iter().map(|d| d.name).enumerate();
                            names
                                .map(|(at, name)| view! { <option value=at.to_string()>{name}</option> })
                                .collect_view()
                        })}
                    </select>
                }.into_any(),
                CatalogueKind::Link => view! {
                    <button class="btn small" id="catalogue-keep" on:click=keep>"Keep this scenario\u{2019}s link"</button>
                }.into_any(),
                CatalogueKind::Model => view! {
                    <button class="btn small" id="catalogue-keep" on:click=keep>"Keep this scenario\u{2019}s model"</button>
                }.into_any(),
            }}
        </span>
    }
}

/// Own rows that cannot be read: why, and their text to copy.
#[component]
fn BrokenRows() -> impl IntoView {
    let state = expect_context::<Shell>();
    let catalogue = expect_context::<Catalogue>();
    let broken = Memo::new(move |_| catalogue.own.with(|own| own.broken.clone()));
    let line = move |(at, broken): (usize, engine::scenario::catalogue::Broken)| {
        let raw = broken.raw.clone();
        let copy = move |_| download::copy(&raw, move |copied| state.say_copied("Row", copied));
        let delete = move |_| {
            catalogue.change("The row was deleted.".to_owned(), None, |own| {
                if at < own.broken.len() {
                    own.broken.remove(at);
                }
            });
        };
        let shown: String = broken.raw.chars().take(160).collect();
        view! {
            <li>
                <p class="fault">{format!("{}.", broken.why)}</p>
                <code>{shown}</code>
                <span class="acts">
                    <button class="btn small" on:click=copy>"Copy its text"</button>
                    <button class="btn quiet small" on:click=delete>"Delete"</button>
                </span>
            </li>
        }
    };
    move || {
        let broken = broken.get();
        (!broken.is_empty()).then(|| {
            view! {
                <section class="broken" id="catalogue-broken" aria-labelledby="catalogue-broken-h">
                    <h3 id="catalogue-broken-h">"Own rows that cannot be read"</h3>
                    <ul>{broken.into_iter().enumerate().map(line).collect_view()}</ul>
                </section>
            }
        })
    }
}
