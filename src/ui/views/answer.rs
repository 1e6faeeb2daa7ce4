//! The answer: the question with how far the claim goes, one sentence with the figure, what it is made of.

use super::claim::{Proof, Search, claim_of};
use super::hunt::HuntView;
use super::parts::grow;
use super::terms::Explained;
use super::why::{Why, WhyButton, WhyLine};
use crate::ui::state::{Shown, State};
use chart::TimeFormat;
use engine::problem::device_name;
use engine::scenario::Question;
use engine::units::{NARROW, bytes, percent, seconds};
use leptos::prelude::*;
use report::cold_decode::figure as headline_figure;
use report::cold_start::Parts;
use report::formula::{Figure, tightest};
use std::sync::Arc;
use story::Sentence;

/// The question.
pub const QUESTION: &str = Question::ColdStart.asks();

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
            (true, None) => view! { <b><Explained text=text/></b> }.into_any(),
            (false, _) => view! { <Explained text=text/> }.into_any(),
        })
        .collect_view()
}

/// Question, headline, lead and figures.
#[component]
pub fn AnswerView() -> impl IntoView {
    let state = expect_context::<State>();
    provide_context(Why::new());
    let claim = Signal::derive(move || state.shown.get().map(|shown| claim_of(&shown.words)));
    view! {
        <section class="answer" id="answer" tabindex="-1" aria-live="polite" aria-atomic="true">
            <p class="question">{QUESTION}" "<Proof claim=claim/></p>
            {move || match state.shown.get() {
                None => view! {
                    <h1 id="headline">"Searching for a first plan."</h1>
                    <p class="lead" id="lead"></p>
                }
                .into_any(),
                Some(shown) => {
                    // The formula of the headline is that of a first answer.
                    let is_first = shown.answer.decode.as_ref().is_none_or(|d| d.goal != "whole-answer");
                    let total = shown.answer.T.filter(|_| is_first).map(|_| Figure::Total);
                    let gain = shown.answer.gain_vs_best_pct.map(|_| Figure::Gain);
                    view! {
                        <h1 id="headline"><Spoken sentence=shown.words.headline.clone() figure=total/></h1>
                        <p class="lead" id="lead"><Spoken sentence=shown.words.lead.clone() figure=gain/></p>
                    }
                    .into_any()
                }
            }}
        </section>
        <Search
            stop=Callback::new(move |()| state.stop())
            again=Callback::new(move |()| state.scenario.notify())
        />
        <HuntView/>
        {move || state.shown.get().map(|shown| view! { <Figures shown=shown/> })}
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
                            <dd data-exact=format!("{part} s")>{figure(&unit.with_unit(part))}</dd>
                            <dd class="sub">{percent(of_total(part), 1)}</dd>
                        </div>
                    })
                    .collect_view()}
            </dl>
            <div class="splitbar" role="img" aria-label=label>
                {cells
                    .into_iter()
                    .map(|(class, _, part)| view! {
                        <i class=class style:flex-grow=grow(part, total)></i>
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
                    <dd data-exact=format!("{free} s")>{figure(&seconds(free))}</dd>
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

/// The scenario in one line.
pub fn summary(state: State) -> Signal<String> {
    Signal::derive(move || {
        state.scenario.with(|s| {
            format!(
                "{}, {} tokens, {} devices",
                s.model.shown_name(),
                s.prompt_tokens,
                s.switched_on().count()
            )
        })
    })
}

/// The answer in short: figure and claim.
pub fn in_short(state: State) -> Signal<Option<(String, String)>> {
    Signal::derive(move || {
        let shown = state.shown.get();
        let shown = shown.filter(|_| state.scenario.with(|scenario| !scenario.is_empty()))?;
        let figure = headline_figure(&shown.answer).map_or_else(|| "No plan".to_owned(), seconds);
        Some((figure, shown.words.proof.clone()))
    })
}
