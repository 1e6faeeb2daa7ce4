//! Editor of how devices get their weights: own disks as in the paper, a host over the network, or memory.

use super::ColdStartState;
use crate::ui::views::form::{Object, numbers};
use crate::ui::views::icons::{Glyph, Icon};
use engine::scenario::{FileAccess, Loading, Scenario, WeightSource};
use leptos::prelude::*;

const LABELS: [(WeightSource, &str); 4] = [
    (WeightSource::Disk, "Each device\u{2019}s own disk (paper)"),
    (WeightSource::Host, "One host, over the network"),
    (WeightSource::HostCache, "Caches of what a host sent"),
    (WeightSource::Memory, "Memory: already loaded"),
];

/// The option for a host that is none of the devices.
const OUTSIDE: &str = "";

/// The list of sources, and what belongs to the chosen one.
#[component]
pub fn LoadingRule() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let now = Memo::new(move |_| {
        state
            .scenario
            .with(|s| s.loading.clone().unwrap_or(Loading::PAPER))
    });
    let edit = move |change: &dyn Fn(&mut Loading)| {
        let done = state.edit("", |s| {
            let mut loading = now.get_untracked();
            change(&mut loading);
            s.loading = (!loading.is_of_paper()).then_some(loading);
        });
        if let Err(fault) = done {
            state.announce(format!("Not changed: {fault}."));
        }
    };
    let choose = move |event: web_sys::Event| {
        let wanted = event_target_value(&event);
        let found = WeightSource::ALL
            .into_iter()
            .find(|from| from.name() == wanted);
        let Some(from) = found else { return };
        edit(&|loading| {
            // What is of no use with another source goes; the rest stays.
            *loading = Loading {
                host: loading.host.filter(|_| from.has_host()),
                cached_pct: match from {
                    WeightSource::Memory => 0.0,
                    _ => loading.cached_pct,
                },
                streams: loading.streams,
                ..Loading::of(from)
            };
        });
    };
    let options = LABELS.map(|(from, label)| {
        let is_chosen = move || now.with(|loading| loading.from == from);
        view! { <option value=from.name() selected=is_chosen>{label}</option> }
    });
    view! {
        <label class="lab" for="weights-from">"Weights come from"</label>
        <div class="select">
            <select id="weights-from" prop:value=move || now.with(|l| l.from.name()) on:change=choose>{options}</select>
            <Icon glyph=Glyph::Down/>
        </div>
        {move || now.with(|l| l.from.has_host()).then(|| host(state, now))}
        {move || now.with(|l| l.from != WeightSource::Memory).then(|| view! {
            <div class="grid-fields" id="loading-numbers">{numbers(*state, loading(), &[("cached_pct", "")])}</div>
        })}
        {move || now.with(|l| l.from == WeightSource::Disk).then(|| view! {
            <label class="check">
                <input type="checkbox" id="mmap" prop:checked=move || now.with(|l| l.access == FileAccess::Mmap)
                    on:change=move |event| {
                        let mapped = event_target_checked(&event);
                        edit(&|loading| loading.access = if mapped { FileAccess::Mmap } else { FileAccess::Read });
                    }/>
                <span>"Read a layer only when it is computed (mmap)"</span>
            </label>
        })}
        <label class="check">
            <input type="checkbox" id="streams" prop:checked=move || now.with(|l| l.streams)
                on:change=move |event| {
                    let streams = event_target_checked(&event);
                    edit(&|loading| loading.streams = streams);
                }/>
            <span>"Weights may exceed memory: the rest is read again for every token"</span>
        </label>
    }
}

/// Access to the loading, which the paper's own way stands for where nothing is said.
fn loading() -> Object<Scenario, Loading> {
    const PAPER: &Loading = &Loading::PAPER;
    Object {
        changed: |s, _| s.loading = s.loading.take().filter(|loading| !loading.is_of_paper()),
        ..Object::new(
            "loading",
            |s| Some(s.loading.as_ref().unwrap_or(PAPER)),
            |s| Some(s.loading.get_or_insert(Loading::PAPER)),
        )
    }
}

/// The list of devices that may have the file.
fn host(state: ColdStartState, now: Memo<Loading>) -> impl IntoView {
    let names = Memo::new(move |_| {
        let names = |s: &std::sync::Arc<Scenario>| -> Vec<String> {
            s.devices.iter().map(|device| device.name.clone()).collect()
        };
        state.scenario.with(names)
    });
    let choose = move |event: web_sys::Event| {
        let host = event_target_value(&event).parse::<usize>().ok();
        let done = state.edit("", |s| {
            if let Some(loading) = &mut s.loading {
                loading.host = host;
                loading.host_mb_s = loading.host_mb_s.filter(|_| host.is_none());
            }
        });
        if let Err(fault) = done {
            state.announce(format!("Not changed: {fault}."));
        }
    };
    let value = move || {
        now.with(|l| {
            l.host
                .map_or_else(|| OUTSIDE.to_owned(), |at| at.to_string())
        })
    };
    let options = move || {
        let names = names.get().into_iter().enumerate();
        let option = |(at, name): (usize, String)| {
            let is_chosen = move || now.with(|l| l.host == Some(at));
            view! { <option value=at.to_string() selected=is_chosen>{name}</option> }
        };
        names.map(option).collect_view()
    };
    view! {
        <label class="lab" for="loading-host">"Host"</label>
        <div class="select">
            <select id="loading-host" prop:value=value on:change=choose>
                <option value=OUTSIDE selected=move || now.with(|l| l.host.is_none())>"A machine that holds no layers"</option>
                {options}
            </select>
            <Icon glyph=Glyph::Down/>
        </div>
    }
}
