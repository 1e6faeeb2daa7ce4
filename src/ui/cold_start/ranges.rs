//! The ranges of a scenario as a table to edit: each with its ends, some percent at a press, and a list of the numbers that
//! have none yet.

use super::ColdStartState;
use crate::ui::views::field::{Binding, Fault, NumberInput};
use engine::scenario::Scenario;
use engine::scenario::ranges::{Place, Span, SpanInput};
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast;

/// Widths at a press [%].
const WIDTHS: [f64; 3] = [10.0, 20.0, 50.0];

/// A number by its device's id, which stays with it through moves, and its key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct NumberRef {
    device: Option<u32>,
    key: String,
}

impl NumberRef {
    /// Where it stands now; `None` while its device is being removed.
    fn place(&self, state: ColdStartState) -> Option<Place> {
        Some(match self.device {
            Some(id) => Place::of_device(state.position(id)?, &self.key),
            None => Place::shared(&self.key),
        })
    }

    /// The number as the scenario has it.
    fn input(&self, state: ColdStartState, s: &Scenario) -> Option<SpanInput> {
        let place = self.place(state)?;
        s.inputs().into_iter().find(|input| input.place == place)
    }

    /// The key of one of its fields: with it go faults and undo steps.
    fn field_key(&self, end: &str) -> String {
        let key = &self.key;
        match self.device {
            Some(id) => format!("device {id} {end} {key}"),
            None => format!("{end} {key}"),
        }
    }
}

/// Numbers of a scenario with their places on the page.
fn spots(state: ColdStartState, s: &Scenario) -> Vec<(NumberRef, SpanInput)> {
    let ids = state.ids.get();
    let all = s.inputs().into_iter();
    all.filter_map(|input| {
        let device = match input.place.device {
            Some(at) => Some(*ids.get(at)?),
            None => None,
        };
        let key = input.place.key.clone();
        Some((NumberRef { device, key }, input))
    })
    .collect()
}

/// Puts a range of some percent on a number.
fn widen(state: ColdStartState, spot: &NumberRef, percent: f64) {
    let done = state.edit("", |s| {
        if let Some(input) = untrack(|| spot.input(state, s)) {
            let span = Span::about(input.field, input.value, percent);
            s.set_span(&input.place, Some(span));
        }
    });
    if let Err(fault) = done {
        state.announce(format!("No range was set: {fault}."));
    }
}

fn focus(id: &'static str) {
    request_animation_frame(move || {
        if let Some(element) = document().get_element_by_id(id) {
            let _ = element.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    });
}

/// The table, and what adds a row to it.
#[component]
pub fn Ranges() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let rows = Memo::new(move |_| {
        let all = state.scenario.with(|s| spots(state, s));
        let with = all.into_iter().filter(|(_, input)| input.span.is_some());
        with.map(|(spot, _)| spot).collect::<Vec<NumberRef>>()
    });
    let is_empty = Memo::new(move |_| rows.with(Vec::is_empty));
    view! {
        <p class="over" id="spread-about">
            "Enter a range for any number you are unsure of. Edgewise then draws from the ranges and says how long the first \
             answer may take, how often this plan stays the fastest, and which number is most worth measuring."
        </p>
        <Add/>
        <div class="scroll" tabindex="0" role="region" aria-label="Numbers with a range" hidden=move || is_empty.get()>
            <table class="data spans" id="spread-ranges">
                <caption class="sr">"Numbers with a range"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Number"</th>
                        <th scope="col" class="n">"Value"</th>
                        <th scope="col" class="n">"Low"</th>
                        <th scope="col" class="n">"High"</th>
                        <th scope="col">"Unit"</th>
                        <th scope="col"><span class="sr">"Change"</span></th>
                    </tr>
                </thead>
                <tbody>
                    <For each=move || rows.get() key=|spot| spot.clone() let:spot>
                        <Row spot=spot/>
                    </For>
                </tbody>
            </table>
        </div>
    }
}

#[component]
fn Row(spot: NumberRef) -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let kept = StoredValue::new(spot.clone());
    let input = Memo::new(move |_| {
        state
            .scenario
            .with(|s| kept.with_value(|spot| spot.input(state, s)))
    });
    let label =
        Memo::new(move |_| input.with(|i| i.as_ref().map(|i| i.label.clone()).unwrap_or_default()));
    let Some(first) = input.get_untracked() else {
        return ().into_any();
    };
    let (field, unit) = (first.field, first.unit);
    let binding = |end: &'static str, get: fn(Span) -> f64, set: fn(&mut Span, f64)| {
        let (read, write) = (spot.clone(), spot.clone());
        let span_of = move |s: &Scenario, spot: &NumberRef| s.span_at(&spot.place(state)?);
        Binding {
            key: spot.field_key(end),
            field,
            get: Box::new(move |s: &Scenario| span_of(s, &read).map(get)),
            set: Box::new(move |s: &mut Scenario, value| {
                let place = untrack(|| write.place(state));
                if let Some(place) = place
                    && let Some(mut span) = s.span_at(&place)
                {
                    set(&mut span, value);
                    s.set_span(&place, Some(span));
                }
            }),
        }
    };
    let low = binding("low", |span| span.low, |span, value| span.low = value);
    let high = binding("high", |span| span.high, |span, value| span.high = value);
    let faults = [low.key.clone(), high.key.clone()];
    let called = move |end: &'static str| Signal::derive(move || format!("{} {end}", label.get()));
    let value = move || input.with(|i| i.as_ref().map(|i| i.value.to_string()));
    let off = move || {
        let is_off = input.with(|i| i.as_ref().is_some_and(|i| i.off));
        is_off.then(|| view! { <small>"switched off: not drawn"</small> })
    };
    let width = move |percent: f64| {
        let press = move |_| kept.with_value(|spot| widen(state, spot, percent));
        view! {
            <button
                class="btn quiet small"
                aria-label=move || format!("{}: plus or minus {percent} percent", label.get())
                on:click=press
            >
                {format!("\u{b1}\u{202f}{percent}\u{202f}%")}
            </button>
        }
    };
    let remove = move |_| {
        let _ = state.edit("", |s| {
            if let Some(place) = untrack(|| kept.with_value(|spot| spot.place(state))) {
                s.set_span(&place, None);
            }
        });
        focus("spread-number");
    };
    let [low_fault, high_fault] = faults;
    view! {
        <tr>
            <th scope="row">{move || label.get()}{off}</th>
            <td class="n">{value}</td>
            <td class="n"><NumberInput binding=low.on(*state) called=called("low")/></td>
            <td class="n"><NumberInput binding=high.on(*state) called=called("high")/></td>
            <td>{unit}</td>
            <td class="n acts">
                {WIDTHS.map(width).collect_view()}
                <button class="btn quiet small" aria-label=move || format!("Remove the range of {}", label.get()) on:click=remove>
                    "Remove"
                </button>
                <Fault key=low_fault/>
                <Fault key=high_fault/>
            </td>
        </tr>
    }
    .into_any()
}

/// The list of numbers without a range, and the widths that give one.
#[component]
fn Add() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let chosen = RwSignal::new(None::<NumberRef>);
    let open = Memo::new(move |_| {
        let all = state.scenario.with(|s| spots(state, s));
        let without = all.into_iter().filter(|(_, input)| input.span.is_none());
        let listed: Vec<(NumberRef, String)> = without.map(|(spot, i)| (spot, i.label)).collect();
        Arc::new(listed)
    });
    // What has a range now, or is gone, is chosen no more.
    Effect::new(move |_| {
        let is_there =
            |spot: &NumberRef| open.with(|open| open.iter().any(|(other, _)| other == spot));
        if chosen.get().is_some_and(|spot| !is_there(&spot)) {
            chosen.set(None);
        }
    });
    let options = move || {
        let option = |at: usize, (spot, label): &(NumberRef, String)| {
            let spot = spot.clone();
            let is_chosen = move || chosen.with(|chosen| chosen.as_ref() == Some(&spot));
            view! { <option value=at.to_string() selected=is_chosen>{label.clone()}</option> }
        };
        open.with(|open| {
            let all = open.iter().enumerate();
            all.map(|(at, spot)| option(at, spot)).collect_view()
        })
    };
    let choose = move |event: web_sys::Event| {
        let at = event_target_value(&event).parse::<usize>().ok();
        let spot =
            at.and_then(|at| open.with_untracked(|open| open.get(at).map(|(s, _)| s.clone())));
        chosen.set(spot);
    };
    let width = move |percent: f64| {
        let press = move |_| {
            if let Some(spot) = chosen.get_untracked() {
                widen(state, &spot, percent);
                focus("spread-number");
            }
        };
        view! {
            <button
                class="btn small"
                id=format!("spread-add-{percent}")
                aria-label=format!("Range of plus or minus {percent} percent")
                disabled=move || chosen.with(Option::is_none)
                on:click=press
            >
                {format!("\u{b1}\u{202f}{percent}\u{202f}%")}
            </button>
        }
    };
    view! {
        <div class="sweep-controls add">
            <label for="spread-number">
                <span>"Range for"</span>
                <select id="spread-number" on:change=choose>
                    <option value="" selected=move || chosen.with(Option::is_none)>"Choose a number"</option>
                    {options}
                </select>
            </label>
            <span class="widths">{WIDTHS.map(width).collect_view()}</span>
        </div>
    }
}
