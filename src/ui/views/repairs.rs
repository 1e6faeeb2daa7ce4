//! Where nothing fits: which single number would help, by how much, and how soon the first answer comes then.

use super::rules::told_shorter;
use crate::ui::state::{Shown, State};
use crate::ui::views::section::Section;
use engine::problem::device_name;
use engine::units::{MINUS, NARROW, bytes, count, seconds};
use job::cold_start::Repair;
use job::cold_start_shorter::Shorter;
use leptos::prelude::*;
use report::cold_start::gains::shorter_name;
use report::cold_start::repairs::EACH_REPAIR;

/// The repairs block; absent where there is a plan, or where none was looked for.
#[component]
pub fn Repairs() -> impl IntoView {
    let state = expect_context::<State>();
    let found = move || {
        let shown = state.shown.get()?;
        let repairs = shown.answer.repairs.clone();
        let shorter = told_shorter(state, &shown);
        let is_there = !(repairs.is_empty() && shorter.is_empty());
        is_there.then_some((shown, repairs, shorter))
    };
    let is_there = Memo::new(move |_| found().is_some());
    move || {
        is_there.get().then(|| view! {
        <Section id="repairs" title="Smallest repairs">
            <div class="scroll" tabindex="0" role="region" aria-label="Smallest repairs">
                <table class="data">
                    <thead>
                        <tr>
                            <th scope="col">"Change one number"</th>
                            <th scope="col" class="n">"From"</th>
                            <th scope="col" class="n">"To"</th>
                            <th scope="col" class="n">"More"</th>
                            <th scope="col" class="n">"First answer then"</th>
                            <th scope="col"><span class="sr">"Apply"</span></th>
                        </tr>
                    </thead>
                    <tbody>
                        {move || found().map(|(shown, repairs, shorter)| rows(state, &shown, &repairs, &shorter))}
                    </tbody>
                </table>
            </div>
            <p class="foot">
                {EACH_REPAIR}
            </p>
        </Section>

        })
    }
}

/// The first of the least, by a value that some repairs may lack.
fn least(repairs: &[Repair], value: fn(&Repair) -> Option<f64>) -> Option<f64> {
    repairs.iter().filter_map(value).reduce(f64::min)
}

fn rows(
    state: State,
    shown: &Shown,
    repairs: &[Repair],
    shorter: &[Shorter],
) -> impl IntoView + use<> {
    let smallest = least(repairs, |r| Some(r.more));
    let fastest = least(repairs, |r| r.T).filter(|_| repairs.len() > 1);
    let row = |repair: &Repair| {
        let Repair {
            device,
            memory,
            more,
            T: total,
        } = *repair;
        let name = device_name(&shown.problem, device);
        let tag = |word: &'static str, holds: bool| {
            holds.then(|| view! { <span class="proof good">{word}</span> })
        };
        let apply = move |_| {
            let _ = state.edit("", |scenario| {
                if let Some(device) = scenario.machine_mut(device) {
                    device.m_gb = memory / 1e9;
                }
            });
        };
        view! {
            <tr>
                <th scope="row">
                    {format!("{name} memory ")}
                    {tag("Smallest", smallest == Some(more))}
                    {tag("Fastest", total.is_some() && fastest == total)}
                </th>
                <td class="n">{bytes(memory - more)}</td>
                <td class="n" data-exact=format!("{memory} B")>{four_digits(memory)}</td>
                <td class="n">{bytes(more)}</td>
                <td class="n">{total.map_or_else(|| "\u{2013}".to_owned(), seconds)}</td>
                <td class="n">
                    <button
                        class="btn small"
                        class:primary=smallest == Some(more)
                        aria-label=format!("Apply: {name} with {}", four_digits(memory))
                        on:click=apply
                    >
                        "Apply"
                    </button>
                </td>
            </tr>
        }
    };
    let short_row = |s: &Shorter| {
        let Shorter {
            what,
            from,
            to,
            T: total,
            is_proved,
        } = *s;
        let name = shorter_name(what);
        let apply = move |_| {
            let _ = state.edit("", |scenario| what.set(scenario, to));
        };
        let proved = (total.is_some() && !is_proved).then(|| view! { <small>"best found"</small> });
        view! {
            <tr>
                <th scope="row">{name}</th>
                <td class="n">{count(from)}</td>
                <td class="n">{count(to)}</td>
                <td class="n">{format!("{MINUS}{}", count(from - to))}</td>
                <td class="n">{total.map_or_else(|| "\u{2013}".to_owned(), seconds)}{proved}</td>
                <td class="n">
                    <button class="btn small" aria-label=format!("Apply: {name} {to}") on:click=apply>"Apply"</button>
                </td>
            </tr>
        }
    };
    let rows = repairs.iter().map(row).collect_view();
    (rows, shorter.iter().map(short_row).collect_view())
}

/// A memory as it will stand in its field: all of its four digits.
fn four_digits(memory: f64) -> String {
    format!("{}{}GB", memory / 1e9, NARROW)
}
