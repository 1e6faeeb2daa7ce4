//! The first paint of the page is the answer to the scenario that a question opens with: computed by the solvers when the page is built,
//! and put into `index.html` where the live page has it. That of the first question is in the document, the others in templates
//! of which `public/first.js` shows one.
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod answer;
#[path = "../../../src/ui/views/glyphs.rs"]
pub mod glyphs;
mod page;
mod picture;

use anyhow::{Context, Result, anyhow, ensure};
use document::Trigger;
use engine::scenario::world::World;
use engine::scenario::{Any, Question};
use maud::{Markup, html};
use presenters::presenting::AnswerPresenter;
use protocol::AnswerView;

/// The question that the page opens with.
const FIRST: Question = Question::ALL[0];
/// Comments in `index.html` that are replaced by the bar and by the answers.
const PLACES: [&str; 2] = ["<!-- bar -->", "<!-- first answers -->"];

/// The page with all that its first paint shows.
///
/// # Errors
/// A scenario that has no answer; a page without the places.
pub fn paint(index_html: &str) -> Result<String> {
    let mut all = Vec::new();
    for question in Question::ALL {
        all.push((question, fragment(question)?));
    }
    let answers = html! {
        @for (question, answer) in &all {
            @if *question == FIRST {
                div #first { (answer) }
            } @else {
                template id={ "first-" (question.name()) } { (answer) }
            }
        }
    };
    let mut page = index_html.to_owned();
    for (place, markup) in PLACES.into_iter().zip([page::bar(FIRST), answers]) {
        ensure!(
            page.matches(place).count() == 1,
            "index.html has no single {place}"
        );
        page = page.replace(place, &markup.into_string());
    }
    Ok(page)
}

/// Returns the content below the bar of a question’s page, as it is after its first answer.
///
/// # Errors
/// A scenario that has no answer.
pub fn fragment(question: Question) -> Result<Markup> {
    let opening = World::of(&question.kind().opening());
    let view = opening.view(question).map_err(|fault| anyhow!("{fault}"))?;
    let telling = present(&view.scenario).with_context(|| question.name())?;
    let devices = match &view.scenario {
        Any::Operators(scenario) => scenario.split.devices.len(),
        _ => 0,
    };
    page::page(question, &telling, devices).with_context(|| question.name())
}

fn present(scenario: &Any) -> Result<AnswerView> {
    match scenario {
        Any::ColdStart(scenario) => initial_view(&**scenario),
        Any::HeadPlacement(scenario) => initial_view(&**scenario),
        Any::Dispatch(scenario) => initial_view(&**scenario),
        Any::Tiers(scenario) => initial_view(&**scenario),
        Any::Operators(scenario) => initial_view(&**scenario),
    }
}

/// The story with what the page asks for at once.
fn initial_view(scenario: &impl AnswerPresenter) -> Result<AnswerView> {
    let telling = scenario.present(&mut |_, _, _| ());
    let mut telling = telling.map_err(|fault| anyhow!("{fault}"))?;
    let all = telling.sections.iter().flat_map(|section| &section.more);
    let now = all.filter(|more| matches!(more.when, Trigger::Now(_)) && more.subtasks.is_empty());
    let asks: Vec<String> = now.map(|more| more.query.clone()).collect();
    for ask in asks {
        let fills = scenario.at_once(&ask, &mut |_, _| ());
        for fill in fills.map_err(|fault| anyhow!("{fault}"))? {
            telling
                .sections
                .iter_mut()
                .for_each(|section| section.fill(&fill));
        }
    }
    Ok(telling)
}
