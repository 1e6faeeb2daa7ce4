//! What can be done with a row, in words.

use super::{Own, Rows, duplicate, is_off, more, remove, switch};
use crate::ui::desk::{Desk, OwnRow};
use crate::ui::views::row_menu::{self, RowMenu};
use leptos::prelude::*;

/// The menu of the row with this id; `open` says whether its further numbers are on show.
#[component]
pub fn Menu<S: Rows>(
    desk: Desk<S>,
    id: u32,
    name: Memo<String>,
    open: RwSignal<bool>,
    shown: StoredValue<Own<S>, LocalStorage>,
) -> impl IntoView {
    let holder = NodeRef::<leptos::html::Details>::new();
    let own = OwnRow::of(desk, id);
    let place = move || desk.position(id).unwrap_or_default();
    let close = Callback::new(move |()| row_menu::close(holder));
    let act = move |action: fn(Desk<S>, usize)| {
        close.run(());
        if let Some(at) = untrack(|| desk.position(id)) {
            action(desk, at);
        }
    };
    let off = move || {
        desk.scenario
            .with(|s| own.read(s, |row| is_off::<S>(row)).unwrap_or_default())
    };
    let count = move || desk.ids.with(Vec::len);
    let is_full = move || count() >= S::MOST;
    let is_least = move || count() <= S::LEAST;
    let has_more = more::<S>().next().is_some() || !S::parts().is_empty();
    let what = if S::CAN_BE_OFF {
        "duplicate, move, switch off, remove"
    } else {
        "duplicate, move, remove"
    };
    let label = Signal::derive(move || format!("{}: {what}", name.get()));
    let list = move || {
        view! {
            <button title="Ctrl+D" disabled=is_full on:click=move |_| act(duplicate)>"Duplicate"</button>
            <button disabled=move || place() == 0 on:click=move |_| act(|desk, at| desk.move_row(at, at.saturating_sub(1)))>"Move up"</button>
            <button disabled=move || place() + 1 == count() on:click=move |_| act(|desk, at| desk.move_row(at, at + 1))>"Move down"</button>
            {has_more.then(|| view! {
                <button on:click=move |_| {
                    open.update(|open| *open = !*open);
                    close.run(());
                }>{move || if open.get() { "Fewer numbers" } else { "All numbers" }}</button>
            })}
            {(shown.with_value(|shown| shown.actions))(own, close)}
            {S::CAN_BE_OFF.then(|| view! {
                <button on:click=move |_| act(switch)>{move || if off() { "Switch on" } else { "Switch off" }}</button>
            })}
            <button class="bad" title="Delete" disabled=is_least on:click=move |_| act(remove)>"Remove"</button>
        }
    };
    view! { <RowMenu label=label holder=holder list=list/> }
}
