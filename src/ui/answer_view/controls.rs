//! Settings of what is looked at: sliders, some of which run by themselves, and numbers that are typed. They are no part of the
//! scenario, so nothing is there to undo, and a new answer is looked at as the last one was.

use super::control_state::control_position;
use super::section::QueryTrigger;
use super::{AnswerCommand, AnswerStore};
use document::{Control, ControlGroup, ControlInput, Name};
use gloo::timers::callback::Interval;
use leptos::prelude::*;

/// Time between two steps of a player [ms], and the number of steps from end to end.
const STEP_MS: u32 = 50;
const STEPS: f64 = 240.0;

/// Controls; the content of their slot is requested while they exist, or once their button is pressed.
#[component]
pub fn Controls(dials: Memo<Option<ControlGroup>>) -> impl IntoView {
    let store = expect_context::<AnswerStore>();
    let listed = Memo::new(move |_| dials.get().map_or_else(Vec::new, |dials| dials.controls));
    let place = Memo::new(move |_| dials.with(|dials| dials.as_ref().map_or("", |d| d.place)));
    let button = Memo::new(move |_| dials.with(|dials| dials.as_ref()?.button.clone()));
    let now = Signal::derive(move || {
        let at = |control: Control| {
            control_position(&control, store.control_state(control.sets).at.get())
        };
        listed.get().into_iter().map(at).collect::<Vec<f64>>()
    });
    Effect::new(move |_| {
        store.answer_view.track();
        if !place.get().is_empty() && button.with(Option::is_none) {
            store.command(AnswerCommand::ShowSlot(place.get(), now.get()));
        }
    });
    // Error of a typed number, by its control.
    let wrong = RwSignal::new(Vec::<(Name, String)>::new());
    let ids = Memo::new(move |_| {
        let id = |control: &Control| (control.id, control.sets, control.input);
        listed.with(|all| all.iter().map(id).collect::<Vec<_>>())
    });
    let one = move |(id, sets, turn): (Name, Name, ControlInput)| {
        let control =
            Memo::new(move |_| listed.with(|all| all.iter().find(|d| d.id == id).cloned()));
        match turn {
            ControlInput::Typed => {
                view! { <Typed id=id sets=sets control=control wrong=wrong/> }.into_any()
            }
            ControlInput::Slides => {
                view! { <Slider id=id sets=sets control=control plays=false/> }.into_any()
            }
            ControlInput::Plays => {
                view! { <Slider id=id sets=sets control=control plays=true/> }.into_any()
            }
        }
    };
    let press = Callback::new(move |()| {
        store.command(AnswerCommand::TurnPressed(
            place.get_untracked(),
            now.get_untracked(),
        ));
    });
    let is_off = Signal::derive(move || wrong.with(|all| !all.is_empty()));
    let asks = move || {
        let words = button.get()?;
        let id = place.get();
        let named = format!("{id}-ask");
        Some(view! { <QueryTrigger id=id named=named words=words press=press is_off=is_off/> })
    };
    let faults = move || {
        let said = |(_, why): (Name, String)| view! { <p class="fault" role="alert">{why}"."</p> };
        wrong.get().into_iter().map(said).collect_view()
    };
    view! {
        <div class="dials"><For each=move || ids.get() key=Clone::clone children=one/></div>
        {faults}
        {asks}
    }
}

/// A slider.
#[component]
fn Slider(id: Name, sets: Name, control: Memo<Option<Control>>, plays: bool) -> impl IntoView {
    let at = RwSignal::from(expect_context::<AnswerStore>().control_state(sets).at);
    let now = move || control.with(|control| Some(control_position(control.as_ref()?, at.get())));
    let ends =
        move || control.with(|control| control.as_ref().map_or((0.0, 1.0), |control| control.ends));
    let label =
        move || control.with(|control| control.as_ref().map(|control| control.label.clone()));
    let words = Signal::derive(move || {
        let unit = control.with(|control| {
            control
                .as_ref()
                .map_or_else(String::new, |d| d.unit.clone())
        });
        let said = now().map(|now| format!("{now} {unit}"));
        said.map_or_else(String::new, |said| said.trim_end().to_owned())
    });
    let clock = StoredValue::new_local(None::<Interval>);
    let is_playing = RwSignal::new(false);
    let stop = move || {
        clock.set_value(None);
        is_playing.set(false);
    };
    let turn = move |event: web_sys::Event| {
        if let Ok(value) = event_target_value(&event).parse::<f64>() {
            stop();
            at.set(Some(value));
        }
    };
    let play = move |_| {
        if is_playing.get_untracked() {
            return stop();
        }
        is_playing.set(true);
        let (first, last) = untrack(ends);
        if untrack(now) == Some(last) {
            at.set(Some(first));
        }
        let tick = Interval::new(STEP_MS, move || {
            // The page may be gone by then.
            let control = control.try_get_untracked().flatten();
            let Some((control, now)) = control.zip(at.try_get_untracked()) else {
                return;
            };
            let (first, last) = control.ends;
            let step = libm::ceil((last - first + 1.0) / STEPS);
            let next = (control_position(&control, now) + step).min(last);
            at.set(Some(next));
            if next == last {
                stop();
            }
        });
        clock.set_value(Some(tick));
    };
    let name = match plays {
        true => view! {
            <button class="btn small" id=format!("{id}-play") on:click=play aria-pressed=move || is_playing.get().to_string()>
                {move || if is_playing.get() { "Pause" } else { "Play" }}
            </button>
        }
        .into_any(),
        false => view! { <label for=id>{label}</label> }.into_any(),
    };
    view! {
        {name}
        <input
            type="range"
            class="slider"
            id=id
            step="1"
            aria-label=move || plays.then(label)
            aria-valuetext=words
            min=move || ends().0.to_string()
            max=move || ends().1.to_string()
            prop:value=move || now().unwrap_or_default().to_string()
            on:input=turn
        />
        <output for=id>{words}</output>
    }
}

/// A whole number that is typed; one that is none, or beyond its ends, is not taken.
#[component]
fn Typed(
    id: Name,
    sets: Name,
    control: Memo<Option<Control>>,
    wrong: RwSignal<Vec<(Name, String)>>,
) -> impl IntoView {
    let at = RwSignal::from(expect_context::<AnswerStore>().control_state(sets).at);
    let label =
        move || control.with(|control| control.as_ref().map(|control| control.label.clone()));
    let unit = move || control.with(|control| control.as_ref().map(|control| control.unit.clone()));
    let first = control
        .with_untracked(|control| Some(control_position(control.as_ref()?, at.get_untracked())));
    let is_wrong = Memo::new(move |_| wrong.with(|all| all.iter().any(|(of, _)| *of == id)));
    let typed = move |event: web_sys::Event| {
        let Some(Control { label, ends, .. }) = control.get_untracked() else {
            return;
        };
        let text = event_target_value(&event);
        let text = text.trim();
        let found = text.parse::<u32>().ok().map(f64::from);
        let found = found.filter(|n| (ends.0..=ends.1).contains(n));
        wrong.update(|all| {
            all.retain(|(of, _)| *of != id);
            if found.is_none() {
                let why = format!(
                    "{} must be a whole number from {} to {}, it is \u{201c}{}\u{201d}",
                    label.to_ascii_lowercase(),
                    ends.0,
                    ends.1,
                    text.chars().take(20).collect::<String>()
                );
                all.push((id, why));
            }
        });
        if found.is_some() {
            at.set(found);
        }
    };
    view! {
        <label for=id>{label}</label>
        <input
            id=id
            class="small-number"
            inputmode="numeric"
            value=first.unwrap_or_default().to_string()
            aria-invalid=move || is_wrong.get().then_some("true")
            on:input=typed
        />
        <output for=id>{unit}</output>
    }
}
