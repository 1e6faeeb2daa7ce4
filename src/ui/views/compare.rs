//! Ours beside the simple splits of the paper: same units, same axis, parts of the time as bars.

use crate::ui::state::{Shown, State};
use crate::ui::views::section::Section;
use chart::TimeFormat;
use engine::units::{MINUS, percent};
use job::cold_start::gain_pct;
use leptos::prelude::*;
use report::cold_start::Parts;
use report::cold_start::strategies::{SIMPLE_SPLITS, strategies};

/// The comparison block.
#[component]
pub fn Compare() -> impl IntoView {
    let state = expect_context::<State>();
    let table = move || {
        let shown = state.shown.get()?;
        Some(view! {
                <table class="data cmp">
                    <thead>
                        <tr>
                            <th>"Plan"</th>
                            <th class="w">"First answer"</th>
                            <th class="n">
                                {match shown.answer.T {
                                    Some(_) => "Edgewise faster by".into_any(),
                                    None => view! { <span class="sr">"No plan to compare"</span> }.into_any(),
                                }}
                            </th>
                        </tr>
                    </thead>
                    <tbody>{rows(&shown)}</tbody>
                </table>
                <p class="foot">
                    "Bars: waiting for weights, transfer, compute. "{SIMPLE_SPLITS}
                </p>
        })
    };
    let is_known = Memo::new(move |_| state.shown.with(Option::is_some));
    move || {
        is_known.get().then(|| {
            view! {
                <Section id="comparison" title="Against simple splits">
                    {table}
                </Section>
            }
        })
    }
}

fn rows(shown: &Shown) -> impl IntoView + use<> {
    let entries = strategies(&shown.problem, &shown.answer);
    let longest = entries.iter().map(|e| e.total_s).fold(0.0, f64::max);
    let unit = TimeFormat::of_largest(longest);
    let our_total = shown.answer.T;
    entries
        .into_iter()
        .map(|e| {
            let counts: Vec<String> = e.plan.iter().map(|stage| stage.len().to_string()).collect();
            let layers = match counts.as_slice() {
                [all] => format!("all {all}"),
                many if many.len() <= 8 => many.join(" / "),
                many => format!("{} devices", many.len()),
            };
            let parts = Parts::of(&e.timeline);
            let share = move |part: f64| format!("{}%", 74.0 * part / longest);
            let bars = [("k-load", parts.stall), ("k-transfer", parts.comm), ("k-compute", parts.comp)]
                .into_iter()
                .map(|(class, part)| view! { <i class=class style:width=share(part)></i> })
                .collect_view();
            let is_ours = e.is_ours();
            let note = (!e.fits).then_some("does not fit its memory");
            let sooner = match our_total {
                // Nothing is gained over a plan that cannot be run.
                Some(total) if !is_ours && e.fits => {
                    let sooner = |by: f64| {
                        let sign = if by < 0.0 { MINUS.to_string() } else { String::new() };
                        format!("{sign}{}", unit.with_unit(by.abs()))
                    };
                    let gain = percent(gain_pct(e.total_s, total), 1);
                    view! { <td class="n">{sooner(e.total_s - total)}" "<span class="pct">{gain}</span></td> }.into_any()
                }
                _ => view! { <td class="n"></td> }.into_any(),
            };
            view! {
                <tr class:ours=is_ours class:unfit=!e.fits>
                    <td>{e.name}<small>{layers}</small>{note.map(|note| view! { <small>{note}</small> })}</td>
                    <td>
                        <span class="bars">
                            {bars}
                            <span data-exact=format!("{} s", e.total_s)>{unit.with_unit(e.total_s)}</span>
                        </span>
                    </td>
                    {sooner}
                </tr>
            }
        })
        .collect_view()
}
