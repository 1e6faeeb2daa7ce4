//! The scenario of the device-or-server question: preset, server, prompts, replies, goal, fleet, and what is rarely
//! changed in folds.

use super::DispatchState;
use super::laws::{FirstTokens, PromptLaw};
use super::rare_settings::{HandOver, Load, Money, Rules};
use super::rows::Fleet;
use crate::ui::questions::Questions;
use crate::ui::views::field::{Fault, NumberInput};
use crate::ui::views::form::{self, OneOf, PresetPicker, bound};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::precision::StoredAs;
use crate::ui::views::queue::Deferred;
use engine::model::precision::Stored;
use engine::scenario::dispatch::{FirstToken, Goal, Prompts, Replies, Scenario, presets, profiles};
use leptos::prelude::*;
use protocol::names::dispatch::{first_token_words, prompt_words};

type Reads = fn(&Scenario) -> f64;
type Writes = fn(&mut Scenario, f64);

/// A labelled field in a grid of them.
#[component]
pub fn Labelled(
    key: &'static str,
    field: &'static str,
    label: &'static str,
    unit: &'static str,
    get: Reads,
    set: Writes,
) -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let binding = bound(*state, key, field, get, set);
    view! { <form::Labelled key=key label=label unit=unit binding=binding/> }
}

/// The panel.
#[component]
pub fn Panel() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    view! {
        <PresetPicker editor=*state presets=presets::all() title=|s| &s.title/>
        <section class="form" aria-label="Work">
            <ServerPicker/>
            <PromptPicker/>
            <Reading/>
            <GoalPicker/>
        </section>
        <Deferred><Fleet/></Deferred>
        <Deferred>
            <RatesOf/>
            <FirstTokens/>
        </Deferred>
        <Deferred>
            <PromptLaw/>
            <Money/>
        </Deferred>
        <Deferred><HandOver/></Deferred>
        <Deferred>
            <Rules/>
            <Load/>
        </Deferred>
    }
}

/// The model whose rates are assumed for machines of which no rates are known.
#[component]
fn RatesOf() -> impl IntoView {
    let questions = expect_context::<Questions>();
    let common = questions.shell.common;
    let is_assumed = Memo::new(move |_| {
        let view = common.view.get();
        view.assumed.iter().any(|one| one.key == "decode_tok_s")
    });
    // What is known of the model: nothing of it is a number of this question.
    let known = Memo::new(move |_| {
        common.view.track();
        common.with(|world| (world.model_name(), world.model.stored()))
    });
    let is_file = Memo::new(move |_| {
        common.view.track();
        common.with(|world| world.model.body.is_some())
    });
    let words = move || {
        let (name, stored) = known.get();
        match is_file.get() {
            true => format!("{name}, stored as in its file"),
            false => stored.of_model(&name),
        }
    };
    let stored = Signal::derive(move || known.get().1);
    let store = move |stored: Stored| {
        let changed = questions.change(|world| {
            world.store(stored);
        });
        if let Err(fault) = changed {
            questions.shell.announce(format!("Not changed: {fault}."));
        }
    };
    move || {
        is_assumed.get().then(|| {
            view! {
                <section class="form" aria-label="Model">
                    <span class="lab">"Model"</span>
                    <p id="rates-of">{words}</p>
                    {move || (!is_file.get()).then(|| view! { <StoredAs stored=stored set=store/> })}
                </section>
            }
        })
    }
}

#[component]
fn ServerPicker() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let name = Memo::new(move |_| state.scenario.with(|s| s.server.name.clone()));
    let is_known = move || profiles::servers().iter().any(|s| s.name == name.get());
    let choose = move |event: web_sys::Event| {
        let chosen = event_target_value(&event);
        let mut all = profiles::servers().into_iter();
        if let Some(server) = all.find(|server| server.name == chosen) {
            let done = state.edit("", |s| {
                let kept = match &s.server.first_token {
                    FirstToken::Measured(_) => Some(s.server.first_token.clone()),
                    _ => None,
                };
                s.server = server;
                if let Some(kept) = kept {
                    s.server.first_token = kept; // measured times are not thrown away for assumed ones
                }
            });
            if let Err(fault) = done {
                state.announce(format!("Not changed: {fault}."));
            }
        }
    };
    view! {
        <label class="lab" for="server">"Server"</label>
        <div class="select">
            <select id="server" prop:value=move || name.get() on:change=choose>
                {move || (!is_known()).then(|| view! { <option value=name.get() selected>{name.get()}</option> })}
                {profiles::servers()
                    .into_iter()
                    .map(|server| {
                        let (value, own) = (server.name.clone(), server.name.clone());
                        view! {
                            <option value=value selected=move || name.get() == own>
                                {format!("{}: {} / {} $", server.name, server.input_usd, server.output_usd)}
                            </option>
                        }
                    })
                    .collect_view()}
            </select>
            <Icon glyph=Glyph::Down/>
        </div>
        <p class="hint" id="server-hint">{move || state.scenario.with(|s| first_token_words(s))}</p>
    }
}

/// Which law of prompts is in force.
#[derive(Clone, Copy, PartialEq)]
enum PromptKind {
    Alpaca,
    LogNormal,
    Alike,
    Measured,
}

fn prompt_kind(s: &Scenario) -> PromptKind {
    match &s.prompts {
        law if *law == presets::ALPACA => PromptKind::Alpaca,
        Prompts::LogNormal { .. } => PromptKind::LogNormal,
        Prompts::Alike(_) => PromptKind::Alike,
        Prompts::Measured(_) => PromptKind::Measured,
    }
}

#[component]
fn PromptPicker() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let kind = Memo::new(move |_| state.scenario.with(|s| prompt_kind(s)));
    let choose = move |event: web_sys::Event| {
        let next = match event_target_value(&event).as_str() {
            "alpaca" => presets::ALPACA,
            "alike" => Prompts::Alike(16.0),
            "log-normal" => match state.scenario.with_untracked(|s| s.prompts.clone()) {
                Prompts::LogNormal {
                    log_sd,
                    least_tokens,
                    most_tokens,
                    ..
                } => Prompts::LogNormal {
                    log_mean: 3.0,
                    log_sd,
                    least_tokens,
                    most_tokens,
                },
                _ => Prompts::LogNormal {
                    log_mean: 3.0,
                    log_sd: 0.7,
                    least_tokens: 1.0,
                    most_tokens: 512.0,
                },
            },
            _ => return,
        };
        let _ = state.edit("", |s| s.prompts = next); // every one of these is valid
    };
    let option = move |value: &'static str, own: PromptKind, words: &'static str| {
        view! { <option value=value selected=move || kind.get() == own>{words}</option> }
    };
    view! {
        <label class="lab" for="prompts">"Prompts"</label>
        <div class="select">
            <select id="prompts" on:change=choose>
                {option("alpaca", PromptKind::Alpaca, "Like Alpaca: mean 19.3, P99 77 tokens")}
                {option("log-normal", PromptKind::LogNormal, "Log-normal, set below")}
                {option("alike", PromptKind::Alike, "All the same")}
                {move || (kind.get() == PromptKind::Measured).then(|| option("measured", PromptKind::Measured, "Your own log"))}
            </select>
            <Icon glyph=Glyph::Down/>
        </div>
        <p class="hint" id="prompt-hint">{move || state.scenario.with(|s| prompt_words(s))}</p>
    }
}

/// A number with a slider.
#[component]
fn Sliding(
    key: &'static str,
    field: &'static str,
    label: &'static str,
    unit: &'static str,
    ends: (f64, f64, f64),
    get: Reads,
    set: Writes,
) -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let binding = bound(*state, key, field, get, set);
    let (min, max, step) = ends;
    let slide = move |event: web_sys::Event| {
        if let Ok(value) = event_target_value(&event).parse::<f64>() {
            let _ = state.edit(key, |s| set(s, value)); // a slider's values are all in range
            state.clear_field_error(key);
        }
    };
    view! {
        <label class="lab" for=format!("field-{key}")>{label}</label>
        <div class="with-slider">
            <span class="num">
                <NumberInput binding=binding called=Signal::derive(move || label.to_owned())/>
                <span class="unit">{unit}</span>
            </span>
            <input
                type="range"
                class="slider"
                min=min.to_string()
                max=max.to_string()
                step=step.to_string()
                aria-label=format!("{label}, {unit}")
                aria-valuetext=move || state.scenario.with(|s| format!("{} {unit}", get(s)))
                prop:value=move || state.scenario.with(|s| get(s).clamp(min, max).to_string())
                on:input=slide
            />
        </div>
        <div class="hint"><Fault key=key.to_owned()/></div>
    }
}

pub(super) fn reply(s: &Scenario) -> f64 {
    match s.replies {
        Replies::Alike(n) => n,
        Replies::Exponential { reply_tokens, .. } => reply_tokens,
    }
}

fn set_reply(s: &mut Scenario, value: f64) {
    match &mut s.replies {
        Replies::Alike(n) => *n = value,
        Replies::Exponential { reply_tokens, .. } => *reply_tokens = value,
    }
}

#[component]
fn Reading() -> impl IntoView {
    view! {
        <Sliding key="reply_tokens" field="reply_tokens" label="Reply" unit="tokens" ends=(16.0, 512.0, 8.0) get=reply set=set_reply/>
        <Sliding key="reader_tok_s" field="reader_tok_s" label="Reader" unit="tok/s" ends=(2.0, 10.0, 0.01)
            get=|s| s.reader_tok_s set=|s, v| s.reader_tok_s = v/>
    }
}

/// Which goal is chosen.
#[derive(Clone, Copy, PartialEq)]
enum GoalKind {
    Kept,
    Under,
    Mean,
    Tail,
}

const fn goal_kind(goal: Goal) -> GoalKind {
    match goal {
        Goal::MeanKeptTail => GoalKind::Kept,
        Goal::MeanUnder(_) => GoalKind::Under,
        Goal::Mean => GoalKind::Mean,
        Goal::Tail => GoalKind::Tail,
    }
}

#[component]
fn GoalPicker() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let kinds = [
        GoalKind::Kept,
        GoalKind::Under,
        GoalKind::Mean,
        GoalKind::Tail,
    ];
    let kind = Memo::new(move |_| state.scenario.with(|s| goal_kind(s.goal)));
    let now = Signal::derive(move || kinds.iter().position(|k| *k == kind.get()));
    let choose = Callback::new(move |at: usize| {
        let p99 = untrack(|| state.answer.answer.figure("p99")).unwrap_or(1.0);
        let goal = match kinds[at.min(3)] {
            GoalKind::Kept => Goal::MeanKeptTail,
            // What holds now is where to begin.
            GoalKind::Under => Goal::MeanUnder((1000.0 * p99).ceil() / 1000.0),
            GoalKind::Mean => Goal::Mean,
            GoalKind::Tail => Goal::Tail,
        };
        if let Err(fault) = state.edit("", |s| s.goal = goal) {
            state.announce(format!("Not changed: {fault}."));
        }
    });
    let words = move || match kind.get() {
        GoalKind::Kept => "Lowest mean with P99 no worse than DiSCo\u{2019}s",
        GoalKind::Under => "Lowest mean with P99 under the limit",
        GoalKind::Mean => "Lowest mean, ignoring the tail",
        GoalKind::Tail => "Lowest P99, ignoring the mean",
    };
    view! {
        <span class="lab">"Goal"</span>
        <OneOf label="Goal" id="goal" words=vec!["DiSCo\u{2019}s tail", "Tail limit", "Mean", "Tail"] now=now choose=choose/>
        <p class="hint">{words}</p>
        {move || (kind.get() == GoalKind::Under).then(|| view! {
            <span class="lab"></span>
            <div class="grid-fields">
                <Labelled key="mean_under" field="mean_under" label="P99 at most" unit="s" get=|s| match s.goal {
                    Goal::MeanUnder(cap) => cap,
                    _ => 1.0,
                } set=|s, v| if let Goal::MeanUnder(cap) = &mut s.goal {
                    *cap = v;
                }/>
            </div>
        })}
    }
}
