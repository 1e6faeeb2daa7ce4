//! The answer about tiers: the question with how far the claim goes, a sentence with the figure, what it is made of.

use super::TiersState;
use super::state::Shown;
use crate::ui::views::headline::Headline;
use crate::ui::views::parts::{Further, Part, PartsView};
use engine::scenario::Question;
use engine::scenario::tiers::Scenario;
use engine::units::{bytes, percent, seconds};
use job::tiers::Plan;
use leptos::prelude::*;
use report::tiers::{ends_note, tier_name};
use std::sync::Arc;
use story::quantity::rate;

/// The question.
pub const QUESTION: &str = Question::Tiers.asks();

/// Question, headline, lead and figures.
#[component]
pub fn AnswerView() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let words = Signal::derive(move || state.shown.get().map(|shown| shown.words.clone()));
    view! {
        <Headline
            question=QUESTION
            waiting="Searching for a first plan."
            words=words
            stop=Callback::new(move |()| state.stop())
            again=Callback::new(move |()| state.scenario.notify())
        />
        {move || state.shown.get().map(|shown| figures(&shown))}
    }
}

/// What a lone request is made of: every tier's passes, the links, the wait before it enters.
fn parts(scenario: &Scenario, plan: &Plan) -> Vec<Part> {
    let mut parts: Vec<Part> = plan
        .stages
        .iter()
        .map(|stage| Part {
            name: tier_name(scenario, stage.tier),
            class: format!("dev d{}", stage.tier % 8 + 1),
            time: stage.load,
        })
        .collect();
    let generated = scenario.out_tokens;
    let hops = plan
        .hops
        .iter()
        .map(|hop| hop.prefill + (generated - 1.0) * hop.decode);
    let links = hops.sum::<f64>() + generated * plan.return_delay;
    if links > 0.0 {
        parts.push(Part {
            name: "Links".to_owned(),
            class: "k-transfer".to_owned(),
            time: links,
        });
    }
    if plan.setup > 0.0 {
        parts.push(Part {
            name: "Setup".to_owned(),
            class: "k-load".to_owned(),
            time: plan.setup,
        });
    }
    parts
}

fn figures(shown: &Arc<Shown>) -> Option<impl IntoView + use<>> {
    let (scenario, plan) = (&shown.scenario, shown.planned.plan.as_ref()?);
    let tight = plan
        .stages
        .iter()
        .max_by(|a, b| (a.memory / a.room).total_cmp(&(b.memory / b.room)))?;
    let busiest = &plan.stages[plan.busiest];
    let where_tight = format!(
        "{}, {} of {}",
        tier_name(scenario, tight.tier),
        bytes(1e9 * tight.memory),
        bytes(1e9 * tight.room)
    );
    let others = vec![
        Further {
            name: "First token",
            figure: seconds(plan.first_token),
            exact: Some(format!("{} s", plan.first_token)),
            note: format!("then one every {}", seconds(plan.per_token)),
        },
        Further {
            name: "Saturates at",
            figure: rate(plan.full_at),
            exact: Some(format!("{} requests/s", plan.full_at)),
            note: format!("{} first", tier_name(scenario, busiest.tier)),
        },
        Further {
            name: "Tightest memory",
            figure: percent(100.0 * tight.memory / tight.room, 0),
            exact: None,
            note: where_tight,
        },
    ];
    let foot = ends_note(scenario, plan);
    Some(view! {
        <PartsView class="tiers-figures" total=plan.request parts=parts(scenario, plan) others=others foot=foot/>
    })
}

/// The scenario in one line.
pub fn summary(state: TiersState) -> Signal<String> {
    Signal::derive(move || {
        state.scenario.with(|s| {
            format!(
                "{}, {} + {} tokens, {} tiers",
                s.model.name,
                s.prompt_tokens,
                s.out_tokens,
                s.switched_on().count()
            )
        })
    })
}

/// The answer in short: figure and claim.
pub fn in_short(state: TiersState) -> Signal<Option<(String, String)>> {
    Signal::derive(move || {
        let shown = state.shown.get();
        let shown = shown.filter(|_| state.scenario.with(|scenario| !scenario.is_empty()))?;
        let plan = shown.planned.plan.as_ref();
        let figure = plan.map_or_else(|| "No plan".to_owned(), |plan| seconds(plan.request));
        Some((figure, shown.words.proof.clone()))
    })
}
