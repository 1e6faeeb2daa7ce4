//! The fleet of any question: a small table in which every cell can be edited, and rows can be added, copied, moved, switched
//! off and removed, by pointer and by keys. What is a question's own about its rows, [`FleetRows`] says.

mod menu;
mod row;

use super::gradual::gradually;
use super::icons::{Glyph, Icon};
use super::terms::Explained;
use super::tools::FleetTools;
use crate::ui::scenario_editor::{EditableScenario, OwnRow, ScenarioEditor};
use crate::ui::shell::Shell;
use engine::scenario::fields::{Field, Number, NumberFields};
use engine::scenario::rows::{Shift, free_name};
use engine::scenario::world::{Assumed, Owner, shared_name};
use engine::units::capital;
use leptos::prelude::*;
use row::Row;
use std::sync::Arc;
use wasm_bindgen::JsCast;

/// The fleet of a question, for the table.
pub trait FleetRows: EditableScenario {
    /// Title of the table.
    const TITLE: &'static str = "Fleet";
    /// A further class of the table.
    const CLASS: &'static str = "";
    /// The fewest rows that it has to have.
    const LEAST: usize = 0;
    /// The most rows.
    const MOST: usize;
    /// The fields with a column of their own.
    const COLUMNS: &'static [&'static str];
    /// The fields that have their place elsewhere; the others are shown when a row is opened.
    const ELSEWHERE: &'static [&'static str] = &[];
    /// True if rows can be switched off.
    const CAN_BE_OFF: bool = true;
    /// True if rows are open at first.
    const IS_OPEN: bool = false;
    /// Title of the numbers that a row has in place of shared ones.
    const DETAILS_TITLE: &'static str = "";

    /// Its size in words.
    fn size(&self) -> String;
    /// Gives a row another name.
    fn rename(row: &mut Self::Row, name: String);
    /// Returns the switch of a row; `None` if rows cannot be switched off.
    fn off(row: &mut Self::Row) -> Option<&mut bool>;
    /// Returns the row that an empty fleet begins with.
    fn first() -> Option<Self::Row>;
    /// Returns the value that applies where a row has no number.
    fn fallback_value(&self, _key: &str) -> Option<f64> {
        None
    }
    /// Why the row at a place does not have this number.
    fn lacks(&self, _at: usize, _key: &str) -> Option<&'static str> {
        None
    }
    /// Describes the quantities derived from a row.
    fn derived(&self, _at: usize) -> Option<String> {
        None
    }
    /// Numbers that a row may have instead of shared ones, in columns of their own.
    fn part_columns(_editor: ScenarioEditor<Self>) -> Vec<RowPart<Self>> {
        Vec::new()
    }
    /// Returns groups of numbers that are shown when a row is opened.
    fn row_details() -> Vec<RowPart<Self>> {
        Vec::new()
    }
}

/// A number that a row may have instead of a shared one.
pub struct RowPart<S: EditableScenario> {
    /// The end of the key of its field: "link mu".
    pub key: String,
    /// The field.
    pub field: &'static Field,
    /// Head of the column.
    pub head: Signal<String>,
    /// Reads the row's own.
    pub get: ReadPart<S>,
    /// Writes it, or takes it away.
    pub set: WritePart<S>,
    /// Returns the shared value.
    pub shared: fn(&S, &Field) -> f64,
}

/// How the number of the row at a place is read.
type ReadPart<S> = Arc<dyn Fn(&S, usize) -> Option<f64> + Send + Sync>;
/// How it is written.
type WritePart<S> = Arc<dyn Fn(&mut S, usize, Option<f64>) + Send + Sync>;

impl<S: EditableScenario> Clone for RowPart<S> {
    fn clone(&self) -> Self {
        Self {
            key: self.key.clone(),
            field: self.field,
            head: self.head,
            get: self.get.clone(),
            set: self.set.clone(),
            shared: self.shared,
        }
    }
}

/// Columns besides the numbers; none by default.
pub struct OwnColumns<S: EditableScenario> {
    /// Marks behind its name.
    pub mark: fn(OwnRow<S>) -> AnyView,
    /// Further columns: the head, the unit below it, the cell.
    pub columns: Vec<ShownNumber<S>>,
    /// Further actions in its menu; the callback closes the menu.
    pub actions: fn(OwnRow<S>, Callback<()>) -> AnyView,
}

/// A further column.
pub struct ShownNumber<S: EditableScenario> {
    /// Head of the column.
    pub head: &'static str,
    /// Unit below the head.
    pub unit: Signal<String>,
    /// Renders the cell of a row.
    pub cell: fn(OwnRow<S>) -> AnyView,
}

impl<S: EditableScenario> Clone for ShownNumber<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: EditableScenario> Copy for ShownNumber<S> {}

impl<S: EditableScenario> Default for OwnColumns<S> {
    fn default() -> Self {
        Self {
            mark: |_| ().into_any(),
            columns: Vec::new(),
            actions: |_, _| ().into_any(),
        }
    }
}

/// The numbers of a row that are shown when it is opened.
fn more<S: FleetRows>() -> impl Iterator<Item = &'static Number<S::Row>> {
    let is_shown = |key: &str| S::COLUMNS.contains(&key) || S::ELSEWHERE.contains(&key);
    let all = S::Row::NUMBERS.iter();
    all.filter(move |number| !is_shown(number.field.key))
}

/// The number of a row with this name.
fn number<S: EditableScenario>(key: &'static str) -> &'static Number<S::Row> {
    S::Row::number(key).expect("a column is a number of the row")
}

/// The table and its tools below it.
#[component]
pub fn FleetTable<S: FleetRows>(
    editor: ScenarioEditor<S>,
    /// Columns besides the numbers.
    own: OwnColumns<S>,
    /// Views below the table, besides the tools of every fleet.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let dragged = RwSignal::new(None::<u32>);
    let rows = gradually(editor.ids);
    let is_full = move || editor.ids.with(|ids| ids.len() >= S::MOST);
    let is_dense = move || S::CLASS.contains("dense") || editor.ids.with(|ids| ids.len() > 6);
    let head = |head: AnyView, unit: AnyView| view! { <th>{head}<span>{unit}</span></th> };
    let numbers = S::COLUMNS.iter().map(|key| {
        let field = number::<S>(key).field;
        head(
            view! { <Explained text=field.title()/> }.into_any(),
            field.unit.into_any(),
        )
    });
    let parts = S::part_columns(editor).into_iter().map(|part| {
        let (title, unit) = (part.head, part.field.unit);
        head((move || title.get()).into_any(), unit.into_any())
    });
    let shown = own.columns.iter().copied().map(|column| {
        let unit = column.unit;
        head(column.head.into_any(), (move || unit.get()).into_any())
    });
    let heads = numbers.chain(parts).chain(shown).collect_view();
    let own = StoredValue::new_local(own);
    let (noun, title) = (S::ROW, capital(S::ROW));
    let keys = S::COLUMNS.iter().map(|key| shared_name(key, S::ROW_NAMES));
    let keys = keys.collect();
    view! {
        <section aria-labelledby="fleet-h">
            <div class="head">
                <h2 id="fleet-h">{S::TITLE}</h2>
                <span class="count" id="fleet-count">{move || editor.scenario.with(|s| s.size())}</span>
            </div>
            <table class=format!("fleet {}", S::CLASS) id="fleet" class:dense=is_dense>
                <thead>
                    <tr>
                        <th class="c-grip"><span class="sr">"Move"</span></th>
                        <th class="c-name">{title}</th>
                        {heads}
                        <th class="c-menu"><span class="sr">"Actions"</span></th>
                    </tr>
                </thead>
                <For each=move || rows.get() key=|id| *id let:id>
                    <Row editor=editor id=id dragged=dragged shown=own/>
                </For>
            </table>
            <Legend keys=keys/>
            <div class="under">
                <button class="btn quiet small" id=format!("add-{noun}") aria-label=format!("Add a {noun}") disabled=is_full on:click=move |_| add_copy(editor)>
                    <Icon glyph=Glyph::Plus/>
                    "Add"
                </button>
                <FleetTools/>
                {children.map(|children| children())}
            </div>
        </section>
    }
}

/// Explains the mark of assumed numbers, if a column has one.
#[component]
fn Legend(keys: Vec<&'static str>) -> impl IntoView {
    let common = expect_context::<Shell>().common;
    let is_any = Memo::new(move |_| {
        common.view.with(|view| {
            let is_shown =
                |one: &Assumed| matches!(one.owner, Owner::Machine(_)) && keys.contains(&one.key);
            view.assumed.iter().any(is_shown)
        })
    });
    move || {
        is_any.get().then(|| {
            view! {
                <p class="hint origins" id="legend">
                    <span class="is-assumed">"Dotted"</span>
                    ": assumed. Type over a number to set your own."
                </p>
            }
        })
    }
}

/// Adds a copy of the last row, or what an empty fleet begins with.
pub fn add_copy<S: FleetRows>(editor: ScenarioEditor<S>) {
    let (at, last) = editor
        .scenario
        .with_untracked(|s| (s.rows().len(), s.rows().last().cloned()));
    if let Some(row) = last.or_else(S::first) {
        add(editor, at, row, at.checked_sub(1));
    }
}

/// Inserts a row at position `at`, switched on, and returns its unique name; `like` is the position of the row that it copies.
pub fn add<S: FleetRows>(
    editor: ScenarioEditor<S>,
    at: usize,
    mut row: S::Row,
    like: Option<usize>,
) -> Option<String> {
    let name = editor.scenario.with_untracked(|s| {
        let taken: Vec<&str> = s.rows().iter().map(|row| S::named(row).0).collect();
        free_name(S::named(&row).0, &taken)
    });
    S::rename(&mut row, name.clone());
    if let Some(off) = S::off(&mut row) {
        *off = false;
    }
    say_fault(editor, "added", editor.insert(at, row, like, |_| ())).then_some(name)
}

/// Says why something was not done, and whether it was.
pub fn say_fault<S: FleetRows>(
    editor: ScenarioEditor<S>,
    what: &str,
    done: Result<(), engine::problem::Invalid>,
) -> bool {
    if let Err(fault) = &done {
        editor.announce(format!("Not {what}: {fault}."));
    }
    done.is_ok()
}

/// Puts a copy of a row behind it.
fn duplicate<S: FleetRows>(editor: ScenarioEditor<S>, at: usize) {
    let is_full = editor.ids.with_untracked(Vec::len) >= S::MOST;
    let copied = editor
        .scenario
        .with_untracked(|s| s.rows().get(at).cloned());
    let Some(row) = copied.filter(|_| !is_full) else {
        return;
    };
    let from = S::named(&row).0.to_owned();
    if let Some(name) = add(editor, at + 1, row, Some(at)) {
        editor.announce(format!("{name} is a copy of {from}."));
    }
}

/// Removes a row and leaves the focus on the menu of the one that takes its place.
fn remove<S: FleetRows>(editor: ScenarioEditor<S>, at: usize) {
    if editor.ids.with_untracked(Vec::len) <= S::LEAST {
        return;
    }
    editor.remove(at);
    request_animation_frame(move || {
        let last = editor.ids.with_untracked(Vec::len);
        let place = (at + 1).min(last);
        let menu = format!("#fleet tbody:nth-of-type({place}) summary.menu");
        if let Some(menu) = document().query_selector(&menu).ok().flatten() {
            let _ = menu.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    });
}

/// Switches a row off, or on again.
fn switch<S: FleetRows>(editor: ScenarioEditor<S>, at: usize) {
    let done = editor.edit("", |s| {
        if let Some(off) = s.rows_mut().get_mut(at).and_then(S::off) {
            *off = !*off;
        }
        s.follow(Shift::Switched);
    });
    say_fault(editor, "switched", done);
}

/// Returns true if a row is switched off.
fn is_off<S: FleetRows>(row: &S::Row) -> bool {
    // Only the reader that may also write is given.
    S::off(&mut row.clone()).is_some_and(|off| *off)
}
