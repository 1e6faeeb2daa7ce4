//! Editor of the goal of a cold start: the first answer alone, or the tokens after it as well; then answer length, requests in
//! flight, and the memory rate of every device.

use super::ColdStartState;
use crate::ui::scenario_editor::OwnRow;
use crate::ui::views::field::{Fault, NumberInput};
use crate::ui::views::form::{Object, numbers};
use crate::ui::views::icons::{Glyph, Icon};
use engine::scenario::fields::NumberFields;
use engine::scenario::{Decode, Device, Goal, Scenario};
use leptos::prelude::*;

/// Choices: value in the list, goal, label. Without a goal nothing follows the first answer, as in the paper.
const AIMS: [(&str, Option<Goal>, &str); 4] = [
    ("first", None, "The first answer (paper)"),
    (
        "first-with-room",
        Some(Goal::FirstAnswer),
        "The first answer, with room for the rest",
    ),
    ("whole", Some(Goal::WholeAnswer), "The whole answer"),
    (
        "rate",
        Some(Goal::Throughput),
        "The first answer at a steady rate",
    ),
];

fn aim_of(decode: Option<Decode>) -> &'static str {
    let goal = decode.map(|decode| decode.goal);
    let same = AIMS.into_iter().find(|(_, of, _)| *of == goal);
    same.map_or("first", |(value, _, _)| value)
}

/// Devices whose memory rate is missing: only those that are on count.
fn without_rate(s: &Scenario) -> Vec<String> {
    let missing = s.switched_on().filter(|(_, d)| d.bandwidth_gb_s.is_none());
    missing.map(|(_, d)| d.name.clone()).collect()
}

/// The list of aims, and the numbers that the chosen one needs.
#[component]
pub fn Aim() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    // What is chosen and cannot be asked yet, because memory rates are missing.
    let pending = RwSignal::new(None::<Decode>);
    let decode = Memo::new(move |_| state.scenario.with(|s| s.decode));
    let missing = Memo::new(move |_| state.scenario.with(|s| without_rate(s)));
    let now = move || pending.get().or(decode.get());
    let apply = move |wanted: Option<Decode>| {
        if let Err(fault) = state.edit("", |s| s.decode = wanted) {
            state.announce(format!("Not changed: {fault}."));
        }
    };
    let choose = move |event: web_sys::Event| {
        let value = event_target_value(&event);
        let Some((_, goal, _)) = AIMS.into_iter().find(|(name, _, _)| *name == value) else {
            return;
        };
        let wanted = goal.map(|goal| Decode {
            goal,
            least_tok_s: match goal {
                Goal::Throughput => Some(rate_now(state)),
                _ => None,
            },
            ..decode.get_untracked().unwrap_or(Decode::USUAL)
        });
        let waits = wanted.is_some() && !missing.with_untracked(Vec::is_empty);
        pending.set(wanted.filter(|_| waits));
        if !waits {
            apply(wanted);
        }
    };
    // The last rate that was missing has come.
    Effect::new(move |_| {
        if missing.with(Vec::is_empty)
            && let Some(wanted) = pending.get_untracked()
        {
            pending.set(None);
            apply(Some(wanted));
        }
    });
    let lacking = move || {
        pending.get()?;
        let names = missing.get();
        let which = match names.as_slice() {
            [] => return None,
            [one] => format!("the memory rate of {one} is"),
            some => format!("the memory rates of {} are", some.join(", ")),
        };
        Some(view! {
            <p class="fault" id="aim-waits">
                {format!("Tokens after the first are read from memory one by one: {which} needed. Until then only the first answer is planned for.")}
            </p>
        })
    };
    let is_asked = Memo::new(move |_| now().is_some());
    view! {
        <label class="lab" for="aim">"Plan for"</label>
        <div class="select">
            <select id="aim" prop:value=move || aim_of(now()) on:change=choose>
                {AIMS
                    .map(|(value, _, words)| view! {
                        <option value=value selected=move || aim_of(now()) == value>{words}</option>
                    })
                    .collect_view()}
            </select>
            <Icon glyph=Glyph::Down/>
        </div>
        {move || is_asked.get().then(|| view! {
            <div class="aim" id="aim-numbers">
                {lacking}
                {move || decode.get().is_some().then(|| view! { <Answers/> })}
                <MemoryRates/>
            </div>
        })}
    }
}

/// The rate to begin with where one is asked for: what the plan shown reaches, or one token a second.
fn rate_now(state: ColdStartState) -> f64 {
    let reached = untrack(|| {
        state
            .answer
            .answer
            .of(|answer_view| answer_view.hint("rate"))
    });
    reached.and_then(|rate| rate.parse().ok()).unwrap_or(1.0)
}

/// Access to the settings of the tokens after the first answer.
fn decode() -> Object<Scenario, Decode> {
    Object::new("decode", |s| s.decode.as_ref(), |s| s.decode.as_mut())
}

/// How long an answer is, how many are under way, what a hop takes, and the rate if one is asked for.
#[component]
fn Answers() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let asks_rate = Memo::new(move |_| {
        let goal = state.scenario.with(|s| s.decode.map(|decode| decode.goal));
        goal == Some(Goal::Throughput)
    });
    view! {
        <div class="grid-fields">
            {move || asks_rate.get().then(|| numbers(*state, decode(), &[("least_tok_s", "")]))}
            {numbers(*state, decode(), &[("answer_tokens", ""), ("requests", "Answers at once"), ("hop_ms", "")])}
        </div>
    }
}

/// How fast the memory of every device is that is on.
#[component]
fn MemoryRates() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let field = move |id: u32| {
        let own: OwnRow<Scenario> = OwnRow::of(*state, id);
        let key = own.key("bandwidth_gb_s");
        let name = Memo::new(move |_| {
            let name = |s: &std::sync::Arc<Scenario>| own.read(s, |d| d.name.clone());
            state.scenario.with(name).unwrap_or_default()
        });
        let is_on = Memo::new(move |_| {
            let on = |s: &std::sync::Arc<Scenario>| own.read(s, |d| !d.off);
            state.scenario.with(on).unwrap_or_default()
        });
        let rate = Device::number("bandwidth_gb_s").expect("a device has a memory rate");
        let binding = own.number(rate);
        let clear = Box::new(move |s: &mut Scenario| own.change(s, |d| (rate.set)(d, None)));
        let called = Signal::derive(move || format!("{} {}", name.get(), rate.field.noun));
        view! {
            <label hidden=move || !is_on.get()>
                <span>{move || name.get()}" "<small>"GB/s"</small></span>
                <NumberInput binding=binding.or_unknown(*state, clear) called=called/>
                <Fault key=key/>
            </label>
        }
    };
    view! {
        <h3>"Memory rate "<small>"as the data sheet has it; every token reads the weights that it uses"</small></h3>
        <div class="grid-fields" id="memory-rates">
            <For each=move || state.ids.get() key=|id| *id let:id>{field(id)}</For>
        </div>
    }
}
