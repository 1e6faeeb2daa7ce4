//! Where there is no plan: what each device could hold.

use crate::ui::state::{Shown, State};
use crate::ui::views::section::Section;
use engine::problem::device_name;
use engine::units::bytes;
use leptos::prelude::*;

/// No plan: how many of the leading layers each device could hold by itself.
#[component]
pub fn Room() -> impl IntoView {
    let state = expect_context::<State>();
    view! {
        <Section id="picture" title="Room for layers">
            {move || state.shown.get().map(|shown| room_view(&shown))}
        </Section>
    }
}

fn room_view(shown: &Shown) -> impl IntoView + use<> {
    let problem = &shown.problem;
    let rows: Vec<(String, f64, usize)> = (0..problem.machines().len())
        .map(|k| {
            (
                device_name(problem, k),
                problem.machines()[k].memory.get(),
                holds(problem, k),
            )
        })
        .collect();
    let most = rows.iter().map(|row| row.2).max().unwrap_or(1).max(1);
    view! {
            <table class="data room">
                <thead>
                    <tr><th>"Device"</th><th class="n">"Memory"</th><th class="w">"Layers it holds, from the first"</th></tr>
                </thead>
                <tbody>
                    {rows
                        .into_iter()
                        .map(|(name, memory, count)| view! {
                            <tr>
                                <td>{name}</td>
                                <td class="n">{bytes(memory)}</td>
                                <td>
                                    <span class="bars">
                                        <i class="cell" style:width=format!("{}%", 80.0 * count as f64 / most as f64)></i>
                                        <span>{count}</span>
                                    </span>
                                </td>
                            </tr>
                        })
                        .collect_view()}
                </tbody>
            </table>
    }
}

/// How many leading layers fit on a device: weights, and the widest output among them.
fn holds(problem: &engine::problem::ColdStart, device: usize) -> usize {
    let (mut weights, mut widest) = (0.0, 0.0_f64);
    problem
        .layers()
        .iter()
        .take_while(|layer| {
            weights += layer.weights.get();
            widest = widest.max(layer.activation.get());
            problem.holds(device, widest + weights)
        })
        .count()
}
