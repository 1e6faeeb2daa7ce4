//! What can be done with a device, in words.

use super::{duplicate, remove, switch};
use crate::ui::state::State;
use crate::ui::views::catalogue::Catalogue;
use crate::ui::views::row_menu::{self, RowMenu};
use engine::scenario::catalogue::Row;
use leptos::prelude::*;

/// The menu of the device with this id; `open` says whether its further numbers are on show.
#[component]
pub fn Menu(id: u32, open: RwSignal<bool>) -> impl IntoView {
    let state = expect_context::<State>();
    let holder = NodeRef::<leptos::html::Details>::new();
    let place = move || state.position(id).unwrap_or_default();
    let name = move || {
        state.scenario.with(|s| {
            s.devices
                .get(place())
                .map(|d| d.name.clone())
                .unwrap_or_default()
        })
    };
    let close = move || row_menu::close(holder);
    let act = move |action: fn(State, usize)| {
        close();
        if let Some(at) = untrack(|| state.position(id)) {
            action(state, at);
        }
    };
    let catalogue = expect_context::<Catalogue>();
    let keep = move |_| {
        close();
        let device = state
            .scenario
            .with_untracked(|s| s.devices.get(untrack(place)).cloned());
        if let Some(device) = device {
            catalogue.keep(Row::of_device(&device, ""));
        }
    };
    let is_off = move || {
        state
            .scenario
            .with(|s| s.devices.get(place()).is_some_and(|d| d.off))
    };
    let last = move || place() + 1 == state.ids.with(Vec::len);
    let label = Signal::derive(move || format!("{}: duplicate, move, switch off, remove", name()));
    let list = move || {
        view! {
                <button title="Ctrl+D" on:click=move |_| act(duplicate)>"Duplicate"</button>
                <button disabled=move || place() == 0 on:click=move |_| act(|state, at| {
                    state.move_device(at, at.saturating_sub(1));
                })>"Move up"</button>
                <button disabled=last on:click=move |_| act(|state, at| state.move_device(at, at + 1))>"Move down"</button>
                <button on:click=move |_| {
                    open.update(|open| *open = !*open);
                    close();
                }>{move || if open.get() { "Fewer numbers" } else { "All numbers" }}</button>
                <button on:click=keep>"Keep in catalogue"</button>
                <button on:click=move |_| act(switch)>{move || if is_off() { "Switch on" } else { "Switch off" }}</button>
                <button class="bad" title="Delete" on:click=move |_| act(remove)>"Remove"</button>
        }
    };
    view! { <RowMenu label=label holder=holder list=list/> }
}
