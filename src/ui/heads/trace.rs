//! A record of what the devices had free: a table pasted or dropped.

use super::HeadsState;
use crate::ui::views::paste_table::PasteTable;
use engine::sim::read_free;
use leptos::prelude::*;
use protocol::names::heads::device_name;

/// A place to paste or choose a record.
#[component]
pub fn PasteRecord() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let take = Callback::new(move |typed: String| {
        let names: Vec<String> = state
            .scenario
            .with_untracked(|s| (0..s.devices.len()).map(|at| device_name(s, at)).collect());
        let rows = read_free(&typed, &names).map_err(|fault| fault.message)?;
        let rows = rows
            .into_iter()
            .map(|row| (row.token, row.device, row.compute_gops, row.memory_gb))
            .collect();
        let edited = state.edit("", |s| s.recorded = Some(rows));
        edited.map_err(|fault| fault.message)
    });
    view! {
        <PasteTable
            name="record"
            label="A record of what is free: token,device,compute_gops,memory_gb"
            note="in force from that token on".to_owned()
            button="Use the record"
            take=take
        />
    }
}
