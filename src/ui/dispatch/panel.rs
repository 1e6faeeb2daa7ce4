//! The scenario of the device-or-server question: preset, server, prompts, replies, goal, fleet, and what is rarely
//! changed in folds.

use super::DispatchState;
use super::logs::DropLog;
use super::rows::Fleet;
use crate::ui::views::field::{Fault, NumberInput};
use crate::ui::views::form::{self, Frame, OneOf, PresetPicker, bound, choice};
use crate::ui::views::icons::{Glyph, Icon};
use engine::plan::dispatch::Scarce;
use engine::scenario::dispatch::log::Column;
use engine::scenario::dispatch::{
    Arrivals, Charge, Estimate, FirstToken, Goal, Prompts, Replies, Scenario, Side, Stochastic,
    presets, profiles,
};
use engine::units::percent;
use leptos::prelude::*;
use report::dispatch::{first_token_words, prompt_words, reply_words};

type Reads = fn(&Scenario) -> f64;
type Writes = fn(&mut Scenario, f64);

/// A labelled field in a grid of them.
#[component]
fn Labelled(
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
        <Frame>
            <PresetPicker desk=*state presets=presets::all() title=|s| &s.title/>
            <section class="form" aria-label="Work">
                <ServerPicker/>
                <PromptPicker/>
                <Reading/>
                <GoalPicker/>
            </section>
            <Fleet/>
            <FirstTokens/>
            <PromptLaw/>
            <Money/>
            <HandOver/>
            <Rules/>
            <Load/>
        </Frame>
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
                state.say(format!("Not changed: {fault}."));
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
            state.forgive(key);
        }
    };
    view! {
        <label class="lab" for=format!("field-{key}")>{label}</label>
        <div class="with-slider">
            <span class="num">
                <NumberInput binding=binding spoken=Signal::derive(move || format!("{label}, {unit}"))/>
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

fn reply(s: &Scenario) -> f64 {
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
        let p99 = state.shown.with_untracked(|shown| {
            let shown = shown.as_ref();
            shown.map_or(1.0, |shown| shown.planned.ours().outcome.p99)
        });
        let goal = match kinds[at.min(3)] {
            GoalKind::Kept => Goal::MeanKeptTail,
            // What holds now is where to begin.
            GoalKind::Under => Goal::MeanUnder((1000.0 * p99).ceil() / 1000.0),
            GoalKind::Mean => Goal::Mean,
            GoalKind::Tail => Goal::Tail,
        };
        if let Err(fault) = state.edit("", |s| s.goal = goal) {
            state.say(format!("Not changed: {fault}."));
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

/// Which law of first tokens is in force.
#[derive(Clone, Copy, PartialEq)]
enum LawKind {
    Smooth,
    Bursty,
    Measured,
}

const fn law_kind(law: &FirstToken) -> LawKind {
    match law {
        FirstToken::LogNormal { .. } => LawKind::Smooth,
        FirstToken::Bursty { .. } => LawKind::Bursty,
        FirstToken::Measured(_) => LawKind::Measured,
    }
}

fn law(s: &Scenario) -> (f64, f64) {
    match s.server.first_token {
        FirstToken::LogNormal { log_mean, log_sd }
        | FirstToken::Bursty {
            log_mean, log_sd, ..
        } => (log_mean, log_sd),
        FirstToken::Measured(_) => (0.0, 0.3),
    }
}

fn burst(s: &mut Scenario, change: impl FnOnce([&mut f64; 3])) {
    if let FirstToken::Bursty {
        burst_share,
        burst_times,
        burst_sd,
        ..
    } = &mut s.server.first_token
    {
        change([burst_share, burst_times, burst_sd]);
    }
}

fn bursts(s: &Scenario) -> [f64; 3] {
    match s.server.first_token {
        FirstToken::Bursty {
            burst_share,
            burst_times,
            burst_sd,
            ..
        } => [burst_share, burst_times, burst_sd],
        _ => [0.0, 1.0, 0.4],
    }
}

fn set_law(s: &mut Scenario, change: impl FnOnce(&mut f64, &mut f64)) {
    match &mut s.server.first_token {
        FirstToken::LogNormal { log_mean, log_sd }
        | FirstToken::Bursty {
            log_mean, log_sd, ..
        } => change(log_mean, log_sd),
        FirstToken::Measured(_) => {}
    }
}

/// The server in numbers, and a log of its first tokens.
#[component]
fn FirstTokens() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let kind = Memo::new(move |_| state.scenario.with(|s| law_kind(&s.server.first_token)));
    let kinds = [LawKind::Smooth, LawKind::Bursty];
    let now = Signal::derive(move || kinds.iter().position(|k| *k == kind.get()));
    let choose = Callback::new(move |at: usize| {
        let tail = match at {
            0 => profiles::Tail::Smooth,
            _ => profiles::Tail::Bursty,
        };
        if kinds.get(at) == Some(&kind.get_untracked()) {
            return;
        }
        let _ = state.edit("", |s| {
            // The server's own guess where there is one; both are valid.
            let own = profiles::servers()
                .into_iter()
                .find(|p| p.name == s.server.name);
            let known = own.and_then(|p| match p.first_token {
                FirstToken::LogNormal { log_mean, log_sd } => Some((log_mean, log_sd)),
                _ => None,
            });
            s.server.first_token = profiles::first_token(known.unwrap_or_else(|| law(s)), tail);
        });
    });
    let summary = move || match kind.get() {
        LawKind::Smooth => "log-normal, assumed",
        LawKind::Bursty => "with bursts, assumed",
        LawKind::Measured => "measured",
    };
    let fields = move || {
        let is_law = kind.get() != LawKind::Measured;
        let is_bursty = kind.get() == LawKind::Bursty;
        view! {
            {is_law.then(|| view! {
                <Labelled key="server log_mean" field="log_mean" label="Mean of ln(s)" unit="" get=|s| law(s).0
                    set=|s, v| set_law(s, |mean, _| *mean = v)/>
                <Labelled key="server log_sd" field="log_sd" label="SD of ln(s)" unit="" get=|s| law(s).1
                    set=|s, v| set_law(s, |_, sd| *sd = v)/>
            })}
            {is_bursty.then(|| view! {
                <Labelled key="server burst_share" field="burst_share" label="In bursts" unit="share" get=|s| bursts(s)[0]
                    set=|s, v| burst(s, |b| *b[0] = v)/>
                <Labelled key="server burst_times" field="burst_times" label="Slower by a factor of" unit="" get=|s| bursts(s)[1]
                    set=|s, v| burst(s, |b| *b[1] = v)/>
                <Labelled key="server burst_sd" field="burst_sd" label="SD of ln(s) in bursts" unit="" get=|s| bursts(s)[2]
                    set=|s, v| burst(s, |b| *b[2] = v)/>
            })}
        }
    };
    view! {
        <details class="fold" id="first-tokens">
            <summary><Icon glyph=Glyph::Right/>"Server\u{2019}s first token"<span>{summary}</span></summary>
            <div class="one-column">
                <OneOf label="First tokens" id="law-kind" words=vec!["Log-normal", "With bursts"] now=now choose=choose/>
            </div>
            <div class="grid-fields">
                {fields}
                <Labelled key="server decode_tok_s" field="decode_tok_s" label="Decode" unit="tok/s" get=|s| s.server.decode_tok_s
                    set=|s, v| s.server.decode_tok_s = v/>
            </div>
            <DropLog bare=Column::FirstTokens/>
        </details>
    }
}

fn prompt_law(s: &Scenario) -> [f64; 4] {
    match s.prompts {
        Prompts::LogNormal {
            log_mean,
            log_sd,
            least_tokens,
            most_tokens,
        } => [log_mean, log_sd, least_tokens, most_tokens],
        _ => [1.0; 4],
    }
}

fn set_prompt_law(s: &mut Scenario, at: usize, value: f64) {
    if let Prompts::LogNormal {
        log_mean,
        log_sd,
        least_tokens,
        most_tokens,
    } = &mut s.prompts
    {
        *[log_mean, log_sd, least_tokens, most_tokens][at] = value;
    }
}

/// The law of prompts in numbers, and a log of them.
#[component]
fn PromptLaw() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let is_law = Memo::new(move |_| {
        state
            .scenario
            .with(|s| matches!(s.prompts, Prompts::LogNormal { .. }))
    });
    let is_alike = Memo::new(move |_| {
        state
            .scenario
            .with(|s| matches!(s.prompts, Prompts::Alike(_)))
    });
    let (random, choose_random) = choice(
        *state,
        vec![false, true],
        |s| matches!(s.replies, Replies::Exponential { .. }),
        |s, random| {
            let most = reply(s);
            s.replies = if random {
                Replies::Exponential {
                    mean_tokens: 67.2,
                    reply_tokens: most,
                }
            } else {
                Replies::Alike(most)
            };
        },
    );
    let is_random = Memo::new(move |_| {
        state
            .scenario
            .with(|s| matches!(s.replies, Replies::Exponential { .. }))
    });
    let summary = move || {
        state
            .scenario
            .with(|s| format!("replies: {}", reply_words(s)))
    };
    view! {
        <details class="fold" id="prompt-law">
            <summary><Icon glyph=Glyph::Right/>"Prompts and replies"<span>{summary}</span></summary>
            <div class="grid-fields">
                {move || is_law.get().then(|| view! {
                    <Labelled key="prompts log_mean" field="log_mean" label="Mean of ln(tokens)" unit="" get=|s| prompt_law(s)[0]
                        set=|s, v| set_prompt_law(s, 0, v)/>
                    <Labelled key="prompts log_sd" field="log_sd" label="SD of ln(tokens)" unit="" get=|s| prompt_law(s)[1]
                        set=|s, v| set_prompt_law(s, 1, v)/>
                    <Labelled key="prompts least_tokens" field="least_tokens" label="Shortest" unit="tokens" get=|s| prompt_law(s)[2]
                        set=|s, v| set_prompt_law(s, 2, v)/>
                    <Labelled key="prompts most_tokens" field="most_tokens" label="Longest" unit="tokens" get=|s| prompt_law(s)[3]
                        set=|s, v| set_prompt_law(s, 3, v)/>
                })}
                {move || is_alike.get().then(|| view! {
                    <Labelled key="prompts alike" field="alike" label="Every prompt" unit="tokens" get=|s| match s.prompts {
                        Prompts::Alike(n) => n,
                        _ => 1.0,
                    } set=|s, v| if let Prompts::Alike(n) = &mut s.prompts {
                        *n = v;
                    }/>
                })}
            </div>
            <DropLog bare=Column::Prompts/>
            <div class="one-column">
                <span>"Replies"</span>
                <OneOf label="Replies" id="replies" words=vec!["All the same", "Random, capped"] now=random choose=choose_random/>
            </div>
            {move || is_random.get().then(|| view! {
                <div class="grid-fields">
                    <Labelled key="mean_tokens" field="mean_tokens" label="Mean before the cap" unit="tokens" get=|s| match s.replies {
                        Replies::Exponential { mean_tokens, .. } => mean_tokens,
                        Replies::Alike(n) => n,
                    } set=|s, v| if let Replies::Exponential { mean_tokens, .. } = &mut s.replies {
                        *mean_tokens = v;
                    }/>
                </div>
            })}
        </details>
    }
}

/// Prices, energy, and which side is scarce.
#[component]
fn Money() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let (side, choose_side) = choice(
        *state,
        vec![Side::Dearer, Side::Device, Side::Server],
        |s| s.scarce,
        |s, side| s.scarce = side,
    );
    let (charge, choose_charge) = choice(
        *state,
        vec![Charge::Full, Charge::ProRata],
        |s| s.charge,
        |s, charge| s.charge = charge,
    );
    let by_price = move || {
        let shown = state.shown.get()?;
        let prices = shown.planned.prices;
        let dearer = match shown.planned.dearer {
            Scarce::Device => "The device is the more expensive side",
            Scarce::Server => "The server is the more expensive side",
        };
        Some(format!(
            "{dearer}: {:.3} in and {:.3} out on the device, {} and {} on the server, $ per 10\u{2076} tokens",
            prices.dev_p, prices.dev_d, prices.srv_p, prices.srv_d
        ))
    };
    let summary = move || {
        state.scenario.with(|s| {
            let scarce = match s.scarce {
                Side::Dearer => "by price",
                Side::Device => "device",
                Side::Server => "server",
            };
            format!(
                "scarce side {scarce}, {} $ per 10\u{2076} GFLOP",
                s.energy_usd
            )
        })
    };
    view! {
        <details class="fold" id="money">
            <summary><Icon glyph=Glyph::Right/>"Prices"<span>{summary}</span></summary>
            <div class="one-column">
                <span>"The scarce side"</span>
                <OneOf label="The scarce side" id="scarce" words=vec!["More expensive one", "Device", "Server"] now=side choose=choose_side/>
                <p class="hint" id="by-price">{by_price}</p>
            </div>
            <div class="grid-fields">
                <Labelled key="energy_usd" field="energy_usd" label="Energy" unit="$ per 10\u{2076} GFLOP" get=|s| s.energy_usd
                    set=|s, v| s.energy_usd = v/>
                <Labelled key="server input_usd" field="input_usd" label="Server, prompt" unit="$ per 10\u{2076}" get=|s| s.server.input_usd
                    set=|s, v| s.server.input_usd = v/>
                <Labelled key="server output_usd" field="output_usd" label="Server, reply" unit="$ per 10\u{2076}" get=|s| s.server.output_usd
                    set=|s, v| s.server.output_usd = v/>
            </div>
            <div class="one-column">
                <span>"Cost of a cancelled prefill on the device"</span>
                <OneOf label="A cancelled prefill" id="charge" words=vec!["The whole prefill", "The part done"] now=charge choose=choose_charge/>
            </div>
        </details>
    }
}

#[component]
fn HandOver() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let (on, choose_on) = choice(
        *state,
        vec![true, false],
        |s| s.handover.on,
        |s, on| s.handover.on = on,
    );
    let (guard, choose_guard) = choice(
        *state,
        vec![false, true],
        |s| s.handover.guard,
        |s, guard| s.handover.guard = guard,
    );
    let (mean, choose_mean) = choice(
        *state,
        vec![false, true],
        |s| s.handover.server_start == Estimate::Mean,
        |s, mean| {
            s.handover.server_start = if mean {
                Estimate::Mean
            } else {
                Estimate::Quantile(0.99)
            };
        },
    );
    let is_quantile = Memo::new(move |_| {
        state
            .scenario
            .with(|s| s.handover.server_start != Estimate::Mean)
    });
    let summary = move || {
        state
            .scenario
            .with(|s| match (s.handover.on, s.handover.server_start) {
                (false, _) => "off".to_owned(),
                (true, Estimate::Mean) => "server starts at its mean".to_owned(),
                (true, Estimate::Quantile(q)) => format!(
                    "server starts at its P{}",
                    percent(100.0 * q, 0).trim_end_matches(['%', '\u{202f}'])
                ),
            })
    };
    view! {
        <details class="fold" id="hand-over">
            <summary><Icon glyph=Glyph::Right/>"Hand-over"<span>{summary}</span></summary>
            <div class="one-column">
                <OneOf label="Hand-over" id="handover-on" words=vec!["When it saves money", "Never"] now=on choose=choose_on/>
                <span>"Assumed start of the server"</span>
                <OneOf label="Estimate of the server\u{2019}s start" id="estimate" words=vec!["A quantile", "Mean"] now=mean choose=choose_mean/>
                <span>"Hand over to a side slower than the reader"</span>
                <OneOf label="Hand over to a side slower than the reader" id="guard" words=vec!["Allowed", "Refused"] now=guard choose=choose_guard/>
            </div>
            <div class="grid-fields">
                {move || is_quantile.get().then(|| view! {
                    <Labelled key="quantile" field="quantile" label="Quantile" unit="share" get=|s| match s.handover.server_start {
                        Estimate::Quantile(q) => q,
                        Estimate::Mean => 0.5,
                    } set=|s, v| s.handover.server_start = Estimate::Quantile(v)/>
                })}
                <Labelled key="net_s" field="net_s" label="Network" unit="s" get=|s| s.handover.net_s set=|s, v| s.handover.net_s = v/>
            </div>
        </details>
    }
}

/// How the other policies are read.
#[component]
fn Rules() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let (stochastic, choose_stochastic) = choice(
        *state,
        vec![Stochastic::Exclusive, Stochastic::Additive],
        |s| s.stochastic,
        |s, stochastic| s.stochastic = stochastic,
    );
    let summary = move || {
        state
            .scenario
            .with(|s| format!("DiSCo with tail share {}", s.tail_share))
    };
    view! {
        <details class="fold" id="rules">
            <summary><Icon glyph=Glyph::Right/>"Comparison rules"<span>{summary}</span></summary>
            <div class="grid-fields">
                <Labelled key="tail_share" field="tail_share" label="DiSCo\u{2019}s tail share" unit="\u{3b1}" get=|s| s.tail_share
                    set=|s, v| s.tail_share = v/>
            </div>
            <div class="one-column">
                <span>"Stochastic routing"</span>
                <OneOf label="Stochastic routing" id="stochastic" words=vec!["One or the other", "Scarce one in addition"] now=stochastic choose=choose_stochastic/>
            </div>
        </details>
    }
}

/// The requests of simulated runs.
#[component]
fn Load() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let (sessions, choose_sessions) = choice(
        *state,
        vec![false, true],
        |s| s.runs.arrivals == Arrivals::Sessions,
        |s, sessions| {
            s.runs.arrivals = if sessions {
                Arrivals::Sessions
            } else {
                Arrivals::Poisson(30.0)
            };
        },
    );
    let (busy, choose_busy) = choice(
        *state,
        vec![false, true],
        |s| s.runs.busy,
        |s, busy| s.runs.busy = busy,
    );
    let is_poisson = Memo::new(move |_| {
        state
            .scenario
            .with(|s| s.runs.arrivals != Arrivals::Sessions)
    });
    let summary = move || {
        state
            .scenario
            .with(|s| format!("{} requests, {} seeds", s.runs.requests, s.runs.seeds))
    };
    view! {
        <details class="fold" id="runs-panel">
            <summary><Icon glyph=Glyph::Right/>"Simulated requests"<span>{summary}</span></summary>
            <div class="one-column">
                <span>"Arrivals"</span>
                <OneOf label="Arrivals" id="arrivals" words=vec!["Poisson", "Sessions of ten users"] now=sessions choose=choose_sessions/>
                <span>"A device still generating"</span>
                <OneOf label="A device still generating" id="busy" words=vec!["Takes the next request too", "Makes it wait"] now=busy choose=choose_busy/>
            </div>
            <div class="grid-fields">
                <Labelled key="runs requests" field="requests" label="Requests" unit="" get=|s| s.runs.requests set=|s, v| s.runs.requests = v/>
                <Labelled key="runs seeds" field="seeds" label="Runs" unit="" get=|s| s.runs.seeds set=|s, v| s.runs.seeds = v/>
                <Labelled key="runs first_seed" field="first_seed" label="First seed" unit="" get=|s| s.runs.first_seed
                    set=|s, v| s.runs.first_seed = v/>
                {move || is_poisson.get().then(|| view! {
                    <Labelled key="runs gap" field="poisson" label="Mean gap" unit="s" get=|s| match s.runs.arrivals {
                        Arrivals::Poisson(gap) => gap,
                        Arrivals::Sessions => 30.0,
                    } set=|s, v| s.runs.arrivals = Arrivals::Poisson(v)/>
                })}
                <Labelled key="runs correlation" field="correlation" label="Correlation of successive first tokens" unit=""
                    get=|s| s.runs.correlation set=|s, v| s.runs.correlation = v/>
            </div>
        </details>
    }
}
