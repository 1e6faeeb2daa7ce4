//! A table on the page: sorted by a press on a head, and taken away as CSV, as JSON or by the clipboard.

use super::terms::described_by;
use crate::ui::download;
use crate::ui::shell::Shell;
use document::{Cell, Table};
use engine::scenario::Question;
use engine::units::{InOrder, capital};
use leptos::prelude::*;
use protocol::columns;
use std::sync::Arc;

/// A column and whether it is sorted upwards.
type Order = Option<(usize, bool)>;

/// A table of results for [`TableView`].
#[derive(Clone, Copy)]
pub struct Tabled {
    /// The table.
    pub table: Signal<Arc<Table>>,
    /// Id of the table.
    pub id: &'static str,
    /// Row to mark, counted before sorting.
    pub marked: Signal<Option<usize>>,
    /// True if many rows scroll in a box of their own.
    pub capped: bool,
}

/// A table of results with its buttons. The table has the given id, its buttons `{id}-copy`, `{id}-csv` and
/// `{id}-json`.
#[component]
pub fn TableView(
    /// The table.
    #[prop(into)]
    table: Signal<Arc<Table>>,
    /// Id of the table.
    id: &'static str,
    /// Row to mark, counted before sorting.
    #[prop(optional, into)]
    marked: Signal<Option<usize>>,
    /// True if many rows scroll in a box of their own, under fixed heads.
    #[prop(optional)]
    capped: bool,
) -> impl IntoView {
    let order = RwSignal::new(None::<(usize, bool)>);
    // A table belongs to the question that it was made under.
    let question = expect_context::<Shell>().question.get_untracked();
    let whole = table;
    let table = Memo::new(move |_| Arc::new(whole.with(|table| table.for_readers())));
    // A table with other columns starts unsorted.
    let heads = Memo::new(move |_| table.with(|table| table.columns.clone()));
    Effect::new(move |_| {
        heads.track();
        order.set(None);
    });
    view! {
        <div class="results">
            <div class="scroll" class:capped=capped>
                <table class="data" id=id>
                    <caption class="sr">{move || table.with(|table| table.title.clone())}</caption>
                    <thead>
                        <tr>{move || table.with(|table| head_row(table, order, question))}</tr>
                    </thead>
                    <tbody>{move || table.with(|table| body(table, order.get(), marked.get()))}</tbody>
                </table>
            </div>
            <TakeTable table=whole id=id/>
        </div>
    }
}

/// The buttons of a table whose cells are drawn elsewhere.
#[component]
pub fn TakeTable(
    /// The table to export.
    #[prop(into)]
    table: Signal<Arc<Table>>,
    /// Beginning of their ids.
    id: &'static str,
) -> impl IntoView {
    let state = expect_context::<Shell>();
    let save = move |ending: &'static str, make: fn(&Table) -> String| {
        let label = move || {
            let title = table.with(|table| table.title.clone());
            format!("Save as {}: {title}", ending.to_ascii_uppercase())
        };
        view! {
            <button
                class="btn quiet small"
                id=format!("{id}-{ending}")
                aria-label=label
                on:click=move |_| {
                    let table = table.get_untracked();
                    state.save(table.name, ending, make(&table));
                }
            >
                {ending.to_ascii_uppercase()}
            </button>
        }
    };
    let copy = move |_| {
        let text = table.get_untracked().to_tsv();
        download::copy(&text, move |copied| state.say_copied("Table", copied));
    };
    view! {
        <div class="take-table">
            <button
                class="btn quiet small"
                id=format!("{id}-copy")
                aria-label=move || format!("Copy: {}", table.with(|table| table.title.clone()))
                on:click=copy
            >
                "Copy"
            </button>
            {save("csv", Table::to_csv)}
            {save("json", Table::to_json)}
        </div>
    }
}

fn head_row(table: &Table, order: RwSignal<Order>, question: Question) -> impl IntoView + use<> {
    let numeric: Vec<bool> = (0..table.columns.len())
        .map(|at| is_numeric(table, at))
        .collect();
    let columns = table.columns.clone().into_iter().zip(numeric).enumerate();
    columns
        .map(|(at, (column, numeric))| {
            let sorted = move || order.get().filter(|(by, _)| *by == at).map(|(_, up)| up);
            let turn = move |_| {
                order.update(|order| {
                    *order = match *order {
                        Some((by, true)) if by == at => Some((at, false)),
                        Some((by, false)) if by == at => None,
                        _ => Some((at, true)),
                    }
                })
            };
            let aria = move || match sorted() {
                Some(true) => Some("ascending"),
                Some(false) => Some("descending"),
                None => None,
            };
            let arrow = move || match sorted() {
                Some(true) => "\u{2191}",
                Some(false) => "\u{2193}",
                None => "",
            };
            let head = capital(&column.with_unit());
            let formula = columns::of(question, table.name, column.key);
            let described = described_by(&head);
            let is_term = described.is_some();
            view! {
                <th scope="col" class:n=numeric aria-sort=aria>
                    <button
                        class="sort"
                        class:term=is_term
                        class:by=formula.is_some()
                        aria-describedby=described
                        data-formula=formula.map(|(symbols, _)| symbols)
                        data-source=formula.map(|(_, source)| source)
                        on:click=turn
                    >
                        {head}
                        <i aria-hidden="true">{arrow}</i>
                    </button>
                </th>
            }
        })
        .collect_view()
}

fn body(table: &Table, order: Order, marked: Option<usize>) -> impl IntoView + use<> {
    let mut rows: Vec<(usize, &Vec<Cell>)> = table.rows.iter().enumerate().collect();
    if let Some((by, up)) = order {
        rows.in_order_by(|(_, a), (_, b)| {
            let (a, b) = (a.get(by), b.get(by));
            let (a, b) = (a.unwrap_or(&Cell::Missing), b.unwrap_or(&Cell::Missing));
            match (a, b) {
                // What is missing stays at the end either way.
                (Cell::Missing, _) | (_, Cell::Missing) => a.order(b),
                _ if up => a.order(b),
                _ => b.order(a),
            }
        });
    }
    let numeric: Vec<bool> = (0..table.columns.len())
        .map(|at| is_numeric(table, at))
        .collect();
    rows.into_iter()
        .map(|(at, row)| {
            let cells = row
                .iter()
                .zip(&numeric)
                .map(|(cell, numeric)| {
                    let title = matches!(cell, Cell::Number(..)).then(|| cell.in_full());
                    view! { <td class:n=*numeric data-exact=title>{cell.display_text()}</td> }
                })
                .collect_view();
            view! { <tr class:now=marked == Some(at)>{cells}</tr> }
        })
        .collect_view()
}

/// Returns true if a column holds numbers, which are aligned.
fn is_numeric(table: &Table, at: usize) -> bool {
    let mut cells = table.rows.iter().filter_map(|row| row.get(at));
    cells.any(|cell| matches!(cell, Cell::Number(..)))
}
