//! The start: five questions about one scenario, each with its answer in a line, worked out one after the other while it is on
//! show.

use super::address;
use super::questions::Questions;
use super::shell::SolverState;
use super::topics;
use super::views::answer::SentenceView;
use super::views::assumed::table;
use super::views::notices::UpdateNotice;
use document::Verdict;
use engine::scenario::Question;
use leptos::prelude::*;
use protocol::assumed::sources;

/// The name of the start in an address.
pub const NAME: &str = "start";

/// The start.
#[component]
pub fn Start() -> impl IntoView {
    let questions = expect_context::<Questions>();
    let shell = questions.shell;
    document().set_title("Five questions - Edgewise");
    // Why a question cannot be asked, by question.
    let refused = RwSignal::new(Vec::<(Question, String)>::new());
    let is_refused =
        move |question| refused.with(|all| all.iter().any(|(other, _)| *other == question));
    Effect::new(move |_| {
        let is_done = |question: Question| {
            let is_given_up =
                shell.question.get() == question && shell.busy.get() == SolverState::GivenUp;
            is_given_up || is_refused(question) || words_of(questions, question).is_some()
        };
        let open = shell.question.get();
        let mut order = Question::ALL
            .into_iter()
            .filter(|question| *question != open);
        let next = match is_done(open) {
            true => order.find(|question| !is_done(*question)),
            false => None,
        };
        if let Some(next) = next
            && let Err(fault) = untrack(|| questions.turn_to(next))
        {
            refused.update(|all| all.push((next, fault.to_string())));
        }
    });
    let cards = Question::ALL.map(|question| {
        let card = topics::card(question);
        let line = move || {
            let why = refused.with(|all| {
                let found = all.iter().find(|(other, _)| *other == question);
                found.map(|(_, why)| why.clone())
            });
            match (words_of(questions, question), why) {
                (Some(words), _) => view! { <SentenceView sentence=words.headline/> }.into_any(),
                (None, Some(why)) => view! { {format!("{why}.")} }.into_any(),
                (None, None) => "Working it out.".into_any(),
            }
        };
        view! {
            <li class="asked">
                <a href=format!("#{}", question.name())>{question.asks()}</a>
                <p class="hint">{card.helps}</p>
                <p class="line" aria-live="polite">{line}</p>
                <p class="hint assumed-count">{move || assumed(questions, question)}</p>
            </li>
        }
    });
    view! {
        <main id="main" class="start">
            <UpdateNotice/>
            <section class="answer" id="answer" tabindex="-1">
                <p class="question">{shell.common.with(|world| world.title.clone())}</p>
                <h1 id="headline">"What do you want to know about these machines?"</h1>
                <p class="lead" id="lead">{fleet(questions)}</p>
            </section>
            <ol class="questions">{cards.collect_view()}</ol>
            <details class="sources" id="sources">
                <summary>"Where the numbers are from"</summary>
                {shell.common.with(|world| table("Numbers of the scenario", "From", &sources(world)))}
            </details>
        </main>
    }
}

/// The answer of a question in words, once it is there.
fn words_of(questions: Questions, question: Question) -> Option<Verdict> {
    questions.topic(question)?.answer()?.verdict()
}

/// How many numbers an answer rests on that is not given.
fn assumed(questions: Questions, question: Question) -> Option<String> {
    words_of(questions, question)?;
    let view = questions.shell.common.view_of(question).ok()?;
    match view.assumed.len() {
        0 => None,
        1 => Some("1 number is assumed.".to_owned()),
        count => Some(format!("{count} numbers are assumed.")),
    }
}

/// The machines and the model in a line.
fn fleet(questions: Questions) -> String {
    questions.shell.common.with(|world| {
        let on = world.machines.iter().filter(|machine| !machine.off);
        let names: Vec<&str> = on.map(|machine| machine.name.as_str()).collect();
        let names = match names.len() {
            0..=6 => document::list(&names),
            count => format!("{} and {} more", names[..5].join(", "), count - 5),
        };
        match world.model.name.as_str() {
            "" => format!("{names}. Change them in any question; all share them."),
            model => format!("{names} with {model}. Change them in any question; all share them."),
        }
    })
}

impl Questions {
    /// Opens the start.
    pub fn start(&self) {
        self.take_over();
        address::show(&format!("#{NAME}"));
        self.shell.start.set(true);
        window().scroll_to_with_x_and_y(0.0, 0.0);
    }
}
