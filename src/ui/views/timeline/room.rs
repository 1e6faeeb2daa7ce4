//! Where there is no plan: what each device could hold.

use crate::ui::state::{Shown, State};
use crate::ui::views::section::Section;
use engine::units::bytes;
use leptos::prelude::*;
use report::cold_start::repairs::{Room, room};

/// No plan: how many of the leading layers each device could hold by itself.
#[component]
pub fn Holds() -> impl IntoView {
    let state = expect_context::<State>();
    view! {
        <Section id="picture" title="Room for layers">
            {move || state.shown.get().map(|shown| room_view(&shown))}
        </Section>
    }
}

fn room_view(shown: &Shown) -> impl IntoView + use<> {
    let rows = room(&shown.problem);
    let most = rows.iter().map(|row| row.layers).max().unwrap_or(1).max(1);
    view! {
            <table class="data room">
                <thead>
                    <tr><th>"Device"</th><th class="n">"Memory"</th><th class="w">"Layers it holds, from the first"</th></tr>
                </thead>
                <tbody>
                    {rows
                        .into_iter()
                        .map(|Room { device, memory, layers }| view! {
                            <tr>
                                <td>{device}</td>
                                <td class="n">{bytes(memory)}</td>
                                <td>
                                    <span class="bars">
                                        <i class="cell" style:width=format!("{}%", 80.0 * layers as f64 / most as f64)></i>
                                        <span>{layers}</span>
                                    </span>
                                </td>
                            </tr>
                        })
                        .collect_view()}
                </tbody>
            </table>
    }
}
