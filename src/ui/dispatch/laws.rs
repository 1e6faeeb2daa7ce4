//! Editors of the distributions: TTFT of the server, prompts and replies; and logs in their place.

use super::DispatchState;
use super::logs::DropLog;
use super::panel::{Labelled, reply};
use crate::ui::views::form::{OneOf, choice};
use crate::ui::views::icons::{Glyph, Icon};
use engine::scenario::dispatch::log::LogColumn;
use engine::scenario::dispatch::{FirstToken, Prompts, Replies, Scenario, profiles};
use leptos::prelude::*;
use protocol::names::dispatch::reply_words;

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
pub fn FirstTokens() -> impl IntoView {
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
            <DropLog bare=LogColumn::FirstTokens/>
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
pub fn PromptLaw() -> impl IntoView {
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
            <DropLog bare=LogColumn::Prompts/>
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
