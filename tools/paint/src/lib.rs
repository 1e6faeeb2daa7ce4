//! The first paint of the page is the answer to the scenario that a question opens with: told by the solvers when the page is built,
//! and put into `index.html` where the live page has it. That of the first question stands in the document, the others in templates
//! of which `public/first.js` shows one.
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod answer;
#[path = "../../../src/ui/views/glyphs.rs"]
pub mod glyphs;
mod page;
mod picture;

use anyhow::{Context, Result, anyhow, ensure};
use engine::scenario::world::World;
use engine::scenario::{Any, Question};
use maud::{Markup, html};
use report::tells::Tells;
use tell::Telling;

/// The question that the page opens with.
const FIRST: Question = Question::ALL[0];
/// What `index.html` has where the bar is to stand, and where the answers are.
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

/// What is under the bar of a question’s page once its first answer has come.
///
/// # Errors
/// A scenario that has no answer.
pub fn fragment(question: Question) -> Result<Markup> {
    let opening = World::of(&question.kind().opening());
    let view = opening.view(question).map_err(|fault| anyhow!("{fault}"))?;
    let telling = tell(&view.scenario).with_context(|| question.name())?;
    page::page(question, &telling).with_context(|| question.name())
}

fn tell(scenario: &Any) -> Result<Telling> {
    let heard: &mut report::tells::Heard<'_> = &mut |_, _, _| ();
    let told = match scenario {
        Any::ColdStart(scenario) => scenario.tell(heard),
        Any::HeadPlacement(scenario) => scenario.tell(heard),
        Any::Dispatch(scenario) => scenario.tell(heard),
        Any::Tiers(scenario) => scenario.tell(heard),
        Any::Operators(scenario) => scenario.tell(heard),
    };
    told.map_err(|fault| anyhow!("{fault}"))
}
