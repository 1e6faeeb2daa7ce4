//! The links of a fleet: the rate that all pairs share, and those of one device to every other.

use super::HeadsState;
use crate::ui::views::field::{Binding, Fallback, Fault, NumberInput};
use crate::ui::views::form::{Labelled, bound};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::known_link::KnownLinks;
use engine::network::links as known;
use engine::scenario::heads::Scenario;
use leptos::prelude::*;
use protocol::names::heads::device_name;

/// The fold.
#[component]
pub fn Links() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let summary = move || {
        state.scenario.with(|s| {
            let count = s.devices.len();
            let pairs = count * count.saturating_sub(1) / 2;
            let own = s.links.own.len();
            let rates = s.links.own.iter().map(|own| own.gbit_s);
            let least = rates.clone().fold(f64::INFINITY, f64::min);
            let most = rates.fold(0.0, f64::max);
            match own {
                0 => format!("{} Gbit/s, {pairs} pairs", s.links.gbit_s),
                own if own >= pairs => format!("{least:.1} to {most:.1} Gbit/s, {pairs} pairs"),
                own => format!("{} Gbit/s, {own} pairs apart", s.links.gbit_s),
            }
        })
    };
    let is_open = RwSignal::new(false);
    let shared = bound(
        *state,
        "links gbit_s",
        "gbit_s",
        |s| s.links.gbit_s,
        |s, v| s.links.gbit_s = v,
    );
    let take = Callback::new(move |link: &'static known::KnownLink| {
        // The numbers of the catalogue are always in range.
        let _ = state.edit("", |s| s.links.gbit_s = link.rate.value / 1e3);
    });
    let all_alike = move |_| {
        let _ = state.edit("", |s| s.links.own.clear()); // fewer rates are always a scenario
    };
    view! {
        <details class="fold" id="links" on:toggle=move |event| {
            let fold: web_sys::HtmlDetailsElement = event_target(&event);
            is_open.set(fold.open());
        }>
            <summary><Icon glyph=Glyph::Right/>"Links"<span>{summary}</span></summary>
            <div class="grid-fields">
                <Labelled key="links gbit_s" label="Shared rate" unit="Gbit/s" binding=shared/>
                <KnownLinks id="head-links" take=take/>
                <div>
                    <button class="btn small" id="links-alike" disabled=move || state.scenario.with(|s| s.links.own.is_empty())
                        on:click=all_alike>"Same rate for all pairs"</button>
                </div>
            </div>
            {move || is_open.get().then(|| view! { <OfOne/> })}
            <p class="foot">
                "Every device is linked to every other, in both directions at the given rate, and links do not interfere. 0 means no \
                 link; plans avoid it."
            </p>
        </details>
    }
}

/// The rates from one device to all others.
#[component]
fn OfOne() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    // By id, so that moves and removals do not change whose rates are shown.
    let chosen = RwSignal::new(state.ids.with_untracked(|ids| ids.first().copied()));
    let from = Memo::new(move |_| {
        let ids = state.ids.get();
        let at = chosen
            .get()
            .and_then(|id| ids.iter().position(|other| *other == id));
        at.or((!ids.is_empty()).then_some(0))
    });
    let options = move || {
        state.scenario.with(|s| {
            let names = (0..s.devices.len()).map(|at| (at, device_name(s, at)));
            names
                .map(|(at, name)| view! {
                    <option value=at.to_string() selected=move || from.get() == Some(at)>{name}</option>
                })
                .collect_view()
        })
    };
    let others = move || {
        let from = from.get();
        state.ids.with(|ids| {
            let from = from.and_then(|at| ids.get(at).copied());
            let others = ids.iter().copied().filter(|id| Some(*id) != from);
            from.map(|from| others.map(|to| (from, to)).collect::<Vec<_>>())
                .unwrap_or_default()
        })
    };
    view! {
        <label class="of-one">
            <span>"Rates from"</span>
            <select
                id="links-from"
                on:change=move |event| {
                    if let Ok(at) = event_target_value(&event).parse::<usize>() {
                        chosen.set(state.ids.with_untracked(|ids| ids.get(at).copied()));
                    }
                }
            >
                {options}
            </select>
            <small>"to"</small>
        </label>
        <div class="pairs">
            <For each=others key=|pair| *pair let:pair>
                <Pair from=pair.0 to=pair.1/>
            </For>
        </div>
    }
}

/// One rate; empty where the shared one holds.
#[component]
fn Pair(from: u32, to: u32) -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let key = format!("link {} {} gbit_s", from.min(to), from.max(to));
    let places = move || Some((state.position(from)?, state.position(to)?));
    let set = move |s: &mut Scenario, value: Option<f64>| {
        if let Some((from, to)) = untrack(places) {
            s.links.set(from, to, value);
        }
    };
    let binding = Binding {
        key: key.clone(),
        field: "gbit_s",
        get: Box::new(move |s: &Scenario| {
            let (from, to) = places()?;
            s.links.own_rate(from, to)
        }),
        set: Box::new(move |s: &mut Scenario, value| set(s, Some(value))),
    };
    let instead = Fallback {
        clear: Box::new(move |s: &mut Scenario| set(s, None)),
        shared: Signal::derive(move || state.scenario.with(|s| s.links.gbit_s)),
    };
    let name = Memo::new(move |_| {
        let to = state.position(to);
        state
            .scenario
            .with(|s| to.map(|at| device_name(s, at)).unwrap_or_default())
    });
    let called = Signal::derive(move || format!("Link to {}", name.get()));
    view! {
        <label>
            <span>{move || name.get()}</span>
            <NumberInput binding=binding.or(*state, instead) called=called/>
            <Fault key=key/>
        </label>
    }
}
