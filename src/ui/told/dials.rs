//! Settings of what is looked at: sliders, some of which run by themselves, and numbers that are typed. They are no part of the
//! scenario, so nothing is there to undo, and a new answer is looked at as the last one was.

use super::section::QueryTrigger;
use super::turning::control_position;
use super::{AnswerCommand, AnswerStore};
use gloo::timers::callback::Interval;
use leptos::prelude::*;
use story::{Dial, Dials, Name, Turn};

/// Between two steps of a dial that runs by itself [ms], and how many steps all of it takes.
const STEP_MS: u32 = 50;
const STEPS: f64 = 240.0;

/// The dials; what their place shows is asked for as long as they are there, or once their button is pressed.
#[component]
pub fn Controls(dials: Memo<Option<Dials>>) -> impl IntoView {
    let told = expect_context::<AnswerStore>();
    let listed = Memo::new(move |_| dials.get().map_or_else(Vec::new, |dials| dials.dials));
    let place = Memo::new(move |_| dials.with(|dials| dials.as_ref().map_or("", |d| d.place)));
    let button = Memo::new(move |_| dials.with(|dials| dials.as_ref()?.button.clone()));
    let now = Signal::derive(move || {
        let at = |dial: Dial| control_position(&dial, told.control_state(dial.sets).at.get());
        listed.get().into_iter().map(at).collect::<Vec<f64>>()
    });
    Effect::new(move |_| {
        told.answer_view.track();
        if !place.get().is_empty() && button.with(Option::is_none) {
            told.wish(AnswerCommand::Turn(place.get(), now.get()));
        }
    });
    // Why a typed number is none, by its dial.
    let wrong = RwSignal::new(Vec::<(Name, String)>::new());
    let ids = Memo::new(move |_| {
        let id = |dial: &Dial| (dial.id, dial.sets, dial.turn);
        listed.with(|all| all.iter().map(id).collect::<Vec<_>>())
    });
    let one = move |(id, sets, turn): (Name, Name, Turn)| {
        let dial = Memo::new(move |_| listed.with(|all| all.iter().find(|d| d.id == id).cloned()));
        match turn {
            Turn::Typed => view! { <Typed id=id sets=sets dial=dial wrong=wrong/> }.into_any(),
            Turn::Slides => view! { <Slider id=id sets=sets dial=dial plays=false/> }.into_any(),
            Turn::Plays => view! { <Slider id=id sets=sets dial=dial plays=true/> }.into_any(),
        }
    };
    let press = Callback::new(move |()| {
        told.wish(AnswerCommand::TurnPressed(
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

/// A dial that slides.
#[component]
fn Slider(id: Name, sets: Name, dial: Memo<Option<Dial>>, plays: bool) -> impl IntoView {
    let at = RwSignal::from(expect_context::<AnswerStore>().control_state(sets).at);
    let now = move || dial.with(|dial| Some(control_position(dial.as_ref()?, at.get())));
    let ends = move || dial.with(|dial| dial.as_ref().map_or((0.0, 1.0), |dial| dial.ends));
    let label = move || dial.with(|dial| dial.as_ref().map(|dial| dial.label.clone()));
    let words = Signal::derive(move || {
        let unit = dial.with(|dial| dial.as_ref().map_or_else(String::new, |d| d.unit.clone()));
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
            let dial = dial.try_get_untracked().flatten();
            let Some((dial, now)) = dial.zip(at.try_get_untracked()) else {
                return;
            };
            let (first, last) = dial.ends;
            let step = libm::ceil((last - first + 1.0) / STEPS);
            let next = (control_position(&dial, now) + step).min(last);
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
    dial: Memo<Option<Dial>>,
    wrong: RwSignal<Vec<(Name, String)>>,
) -> impl IntoView {
    let at = RwSignal::from(expect_context::<AnswerStore>().control_state(sets).at);
    let label = move || dial.with(|dial| dial.as_ref().map(|dial| dial.label.clone()));
    let unit = move || dial.with(|dial| dial.as_ref().map(|dial| dial.unit.clone()));
    let first =
        dial.with_untracked(|dial| Some(control_position(dial.as_ref()?, at.get_untracked())));
    let is_wrong = Memo::new(move |_| wrong.with(|all| all.iter().any(|(of, _)| *of == id)));
    let typed = move |event: web_sys::Event| {
        let Some(Dial { label, ends, .. }) = dial.get_untracked() else {
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
