//! The answer: the question with how far the claim goes, one sentence with the figure, what it is made of.

use super::bar::share;
use super::icons::{Glyph, Icon};
use super::why::{Why, WhyButton, WhyLine};
use crate::plot::TimeFormat;
use crate::report::Sentence;
use crate::report::cold_start::{Parts, Tone, device_name};
use crate::report::formula::{Figure, tightest};
use crate::ui::questions::Questions;
use crate::ui::state::{Busy, Shown, State};
use crate::units::{NARROW, bytes, percent, seconds};
use leptos::prelude::*;
use std::sync::Arc;

/// A sentence with its strong words; where they are a figure with a formula, they can be asked for it.
#[component]
pub fn Spoken(sentence: Sentence, #[prop(default = None)] figure: Option<Figure>) -> impl IntoView {
    sentence
        .pieces
        .into_iter()
        .map(|(text, strong)| match (strong, figure) {
            (true, Some(figure)) => {
                view! { <b><WhyButton figure=figure text=text/></b> }.into_any()
            }
            (true, None) => view! { <b>{text}</b> }.into_any(),
            (false, _) => text.into_any(),
        })
        .collect_view()
}

/// Question, headline, lead and figures.
#[component]
pub fn AnswerView() -> impl IntoView {
    let state = expect_context::<State>();
    provide_context(Why::new());
    view! {
        <section class="answer" id="answer" tabindex="-1" aria-live="polite" aria-atomic="true">
            <p class="question">"How soon can these devices give the first answer? "<Proof/></p>
            {move || match state.shown.get() {
                None => view! {
                    <h1 id="headline">"Searching for a first plan."</h1>
                    <p class="lead" id="lead"></p>
                }
                .into_any(),
                Some(shown) => {
                    let [total, gain] = [Figure::Total, Figure::Gain].map(|f| shown.answer.T.map(|_| f));
                    view! {
                        <h1 id="headline"><Spoken sentence=shown.words.headline.clone() figure=total/></h1>
                        <p class="lead" id="lead"><Spoken sentence=shown.words.lead.clone() figure=gain/></p>
                    }
                    .into_any()
                }
            }}
        </section>
        <Search/>
        {move || state.shown.get().map(|shown| view! { <Figures shown=shown/> })}
    }
}

/// How far the claim goes, in a word.
#[component]
fn Proof() -> impl IntoView {
    let state = expect_context::<State>();
    move || {
        let stale = !state.faults.with(|faults| faults.is_empty());
        let (class, glyph, text) = match (state.busy.get(), state.shown.get()) {
            _ if stale => ("proof old", None, "Not yet for this scenario".to_owned()),
            (Busy::Searching(Some(share)), _) => (
                "proof warn",
                None,
                format!("Searching, {}", percent(100.0 * share, 0)),
            ),
            (Busy::Searching(None), _) => ("proof warn", None, "Searching".to_owned()),
            (Busy::GivenUp, _) => (
                "proof old",
                None,
                "Stopped: not for this scenario".to_owned(),
            ),
            (Busy::Idle, None) => return None,
            (Busy::Idle, Some(shown)) => {
                let (class, glyph) = match shown.words.tone {
                    Tone::Good => ("proof good", Some(Glyph::Check)),
                    Tone::Open => ("proof warn", None),
                    Tone::Bad => ("proof bad", Some(Glyph::Close)),
                };
                (class, glyph, shown.words.proof.clone())
            }
        };
        Some(view! {
            <span class=class id="proof">
                {glyph.map(|glyph| view! { <Icon glyph=glyph/> })}
                {text}
            </span>
        })
    }
}

/// A way out of a long search, and back in.
#[component]
fn Search() -> impl IntoView {
    let state = expect_context::<State>();
    move || {
        match state.busy.get() {
        Busy::Idle => None,
        Busy::Searching(share) => Some(
            view! {
                <div class="search">
                    <progress max="1" value=share.map(|share| share.to_string())></progress>
                    <button class="btn" id="stop" on:click=move |_| state.stop()>"Stop searching"</button>
                </div>
            }
            .into_any(),
        ),
        Busy::GivenUp => Some(
            view! {
                <div class="search">
                    <p>"The search for this scenario was stopped. What is shown belongs to the one before."</p>
                    <button class="btn" id="go-on" on:click=move |_| state.scenario.notify()>"Search again"</button>
                </div>
            }
            .into_any(),
        ),
    }
    }
}

/// What T is made of, and what is tight.
#[component]
fn Figures(shown: Arc<Shown>) -> impl IntoView {
    let timeline = shown.answer.timeline.as_ref()?;
    let total = shown.answer.T?;
    let parts = Parts::of(timeline);
    let cells = [
        ("k-load", Figure::Stall, parts.stall),
        ("k-transfer", Figure::Transfer, parts.comm),
        ("k-compute", Figure::Compute, parts.comp),
    ];
    // Parts that add up are shown in one unit, that of the whole.
    let unit = TimeFormat::of_largest(total);
    let of_total = |part: f64| 100.0 * part / total;
    let spoken: Vec<String> = cells
        .iter()
        .map(|(_, of, part)| {
            format!(
                "{} {}",
                percent(of_total(*part), 1),
                of.name().to_lowercase()
            )
        })
        .collect();
    let label = format!("Of {}: {}", seconds(total), spoken.join(", "));
    let tightest = tightest(&shown.problem, timeline)?;
    let capacity = shown.problem.machines()[tightest.device].memory.get();
    let tight = percent(100.0 * tightest.mem / capacity, 0);
    let tight_where = format!(
        "{}, {} of {}",
        device_name(&shown.problem, tightest.device),
        bytes(tightest.mem),
        bytes(capacity)
    );
    let free: f64 = timeline.iter().map(|s| s.idle_after).sum();
    Some(view! {
        <div class="figures" id="figures">
            <dl class="kpi parts">
                {cells
                    .into_iter()
                    .map(|(class, of, part)| view! {
                        <div class=class>
                            <dt><WhyButton figure=of/></dt>
                            <dd title=format!("{part} s")>{figure(&unit.with_unit(part))}</dd>
                            <dd class="sub">{percent(of_total(part), 1)}</dd>
                        </div>
                    })
                    .collect_view()}
            </dl>
            <div class="splitbar" role="img" aria-label=label>
                {cells
                    .into_iter()
                    .map(|(class, _, part)| view! {
                        <i class=class style:flex-grow=part.to_string()></i>
                    })
                    .collect_view()}
            </div>
            <dl class="kpi others">
                <div>
                    <dt><WhyButton figure=Figure::Memory/></dt>
                    <dd>{figure(&tight)}</dd>
                    <dd class="sub">{tight_where}</dd>
                </div>
                <div>
                    <dt><WhyButton figure=Figure::Free/></dt>
                    <dd title=format!("{free} s")>{figure(&seconds(free))}</dd>
                    <dd class="sub">"over devices in use"</dd>
                </div>
            </dl>
            <WhyLine shown=shown.clone()/>
        </div>
    })
}

/// A figure with its unit in small print.
pub fn figure(text: &str) -> impl IntoView + use<> {
    let (number, unit) = text.rsplit_once(NARROW).unwrap_or((text, ""));
    view! { {number.to_owned()}<span>{unit.to_owned()}</span> }
}

/// The scenario in one line, where the panel is a drawer.
#[component]
pub fn SummaryLine() -> impl IntoView {
    let state = expect_context::<State>();
    let text = move || {
        state.scenario.with(|s| {
            format!(
                "{}, {} tokens, {} devices",
                s.model.name(),
                s.prompt_tokens,
                s.switched_on().count()
            )
        })
    };
    view! {
        <div class="summary-line">
            <span>{text}</span>
            <button class="btn small" id="edit-scenario-line" on:click=move |_| state.open_sheet()>
                <Icon glyph=Glyph::Edit/>
                "Edit scenario"
            </button>
        </div>
    }
}

/// On a small screen: the answer stays in view, and the scenario is one tap away.
#[component]
pub fn BottomBar() -> impl IntoView {
    let state = expect_context::<State>();
    let questions = expect_context::<Questions>();
    let answer = move || {
        let shown = state.shown.get();
        let shown = shown.filter(|_| state.scenario.with(|scenario| !scenario.is_empty()));
        shown.map(|shown| {
            let figure = shown.answer.T.map_or_else(|| "No plan".to_owned(), seconds);
            let current =
                state.faults.with(|faults| faults.is_empty()) && state.busy.get() == Busy::Idle;
            let claim = if current {
                shown.words.proof.clone()
            } else {
                "Not yet for this scenario".to_owned()
            };
            view! { <b>{figure}</b><small>{claim}</small> }
        })
    };
    view! {
        <aside class="bottom-bar" aria-label="Answer in short" class:away=move || state.sheet.get()>
            <span>{answer}</span>
            <button class="btn icon" aria-label="Copy link" on:click=move |_| share(questions)>
                <Icon glyph=Glyph::Link/>
            </button>
            <button class="btn primary" id="edit-scenario" on:click=move |_| state.open_sheet()>
                <Icon glyph=Glyph::Edit/>
                "Edit scenario"
            </button>
        </aside>
    }
}
