//! The views of the page, from the top bar to the exports.

pub mod answer;
pub mod assumed;
pub mod bar;
pub mod card;
pub mod catalogue;
pub mod claim;
pub mod dialog;
mod drag;
pub mod empty;
pub mod exports;
pub mod field;
pub mod flags;
pub mod fleet;
pub mod form;
pub mod formulas;
pub mod gains;
mod glyphs;
mod gradual;
pub mod headline;
pub mod icons;
pub mod import;
pub mod interaction;
pub mod known_link;
mod name_cell;
pub mod notices;
pub mod paste;
pub mod paste_table;
pub mod picture_files;
pub mod pins;
pub mod precision;
pub mod print;
pub mod queue;
pub mod random;
pub mod ranges;
pub mod report;
mod row_menu;
pub mod section;
pub mod sensitivity;
pub mod table;
pub mod terms;
pub mod tools;
pub mod world_query;

use super::answer_view::AnswerStore;
use super::lazy_bundle::{LazyBundle, LazyBundleState, lazy_view};
use super::pins::Pins;
use super::questions::Questions;
use super::shell::{Shell, SolverState};
use super::theme::ThemeState;
use super::update_notice::UpdateNotice;
use leptos::ev;
use leptos::prelude::*;
use queue::{BuildQueue, Deferred};
use wasm_bindgen::JsCast;

/// The whole page.
#[component]
pub fn Page(
    /// The bundle of later views, if it is loaded.
    later: Option<&'static LazyBundle>,
) -> impl IntoView {
    let theme = ThemeState::open();
    let rest = LazyBundleState::new(later);
    let questions = Questions::open(later);
    let shell = questions.shell;
    provide_context(theme);
    provide_context(questions);
    provide_context(shell);
    provide_context(rest);
    provide_context(catalogue::Catalogue::new());
    provide_context(UpdateNotice::listen());
    provide_context(print::Printing::listen());
    provide_context(card::OpenCard::new());
    let queue = BuildQueue::new();
    provide_context(queue);
    provide_context(section::Sections::new(queue));
    provide_context(Pins::new(questions));
    provide_context(super::first_paint::remove_first_paint(questions, queue));
    listen_to_keys(questions);
    manage_sheet_focus(shell);
    close_menus();
    super::files::handle_drops(questions);
    drag::listen();
    Effect::new(move |_| {
        if let Some(later) = rest.get() {
            (later.goes_on)();
        }
    });

    view! {
        <a class="skip" href="#answer" on:click=skip_to_answer>"Skip to the answer"</a>
        <Deferred><bar::Bar/></Deferred>
        {move || match shell.start.get() {
            true => lazy_view(|later| (later.start)()),
            false => questions.view().unwrap_or_else(unreached),
        }}
        <Deferred>{lazy_view(|later| (later.dialogs)())}</Deferred>
        <notices::ToastView/>
        <terms::TermNote/>
    }
}

/// In the place of a question's page before that is there: what has to be said all the same.
fn unreached() -> AnyView {
    view! { <main id="main"><notices::BannerView/></main> }.into_any()
}

/// A question's page: the panel beside the answer.
#[component]
pub fn Desktop(answer: AnyView) -> impl IntoView {
    let shell = expect_context::<Shell>();
    let questions = expect_context::<Questions>();
    let rest = expect_context::<LazyBundleState>();
    let question = shell.question.get_untracked();
    // Who has the first paint before them waits for the answer to it, and for nothing else.
    Effect::new(move |was_asked: Option<bool>| {
        let asks = was_asked == Some(true) || rest.get().is_some() || questions.is_settled();
        if asks && was_asked != Some(true) {
            questions.load_details(question, move || rest.load(shell));
        }
        asks
    });
    let is_whole = Memo::new(move |_| questions.details(question).is_some());
    let panel = move || {
        let below = is_whole
            .get()
            .then(|| questions.details(question))
            .flatten()?;
        Some(view! { {(below.panel)()} <Deferred><pins::PinsFold/></Deferred> })
    };
    let is_waiting = RwSignal::new(true);
    Effect::new(move |_| {
        // Until the first answer nothing is below its place, so that nothing jumps when it comes.
        if is_waiting.get_untracked() && questions.is_settled() {
            is_waiting.set(false);
            // Loading the rest of the page waits for this.
            if let Ok(answered) = web_sys::Event::new("edgewise-answered") {
                let _ = window().dispatch_event(&answered); // no one has to hear it
            }
        }
    });
    let queue = expect_context::<BuildQueue>();
    let stands = has_details();
    let is_led = expect_context::<AnswerStore>().has_stale_details;
    let is_led = move || is_led.get() && shell.busy.get() != SolverState::GivenUp;
    let is_busy = move || (queue.is_busy() || is_led() || !is_whole.get()).to_string();
    let is_stale = move || {
        !shell.faults.with(|faults| faults.is_empty()) || shell.busy.get() != SolverState::Idle
    };
    view! {
        <div class="page" class:sheet-open=move || shell.sheet.get()>
            <form::Frame>{panel}</form::Frame>
            <main id="main" aria-busy=is_busy inert=move || shell.sheet.get() class:stale=is_stale class:waiting=move || is_waiting.get() class:led=move || !stands.get()>
                <assumed::AssumedView/>
                {answer}
                {lazy_view(|later| (later.compared)())}
                // What describes the terms is there from the beginning, and seen once all that is above it is.
                <terms::Glossary/>
            </main>
        </div>
    }
}

/// Views below the summary, once they are loaded.
#[component]
pub fn Details() -> impl IntoView {
    let questions = expect_context::<Questions>();
    let question = questions.shell.question.get_untracked();
    let stands = has_details();
    move || {
        stands
            .get()
            .then(|| questions.details(question).map(|below| (below.details)()))
    }
}

/// Returns true once those views and the details are there. All appear at once, because sections between them would push them
/// down.
pub fn has_details() -> Memo<bool> {
    let questions = expect_context::<Questions>();
    let store = expect_context::<AnswerStore>();
    let question = questions.shell.question.get_untracked();
    let is_answered =
        move || store.answer_view.with(Option::is_some) && !store.has_stale_details.get();
    let is_over = move || is_answered() || questions.shell.busy.get() == SolverState::GivenUp;
    Memo::new(move |was: Option<&bool>| {
        was == Some(&true) || questions.details(question).is_some() && is_over()
    })
}

/// The fragment holds the scenario, so a skip link must not write another one into it.
fn skip_to_answer(event: ev::MouseEvent) {
    event.prevent_default();
    if let Some(answer) = document().get_element_by_id("answer") {
        let _ = answer.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

/// Undo and redo anywhere outside a text field in which something was typed, Escape closes the sheet.
fn listen_to_keys(state: Questions) {
    let handle = window_event_listener(ev::keydown, move |event| {
        let in_field = event
            .target()
            .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
            .is_some_and(|element| {
                let takes_text = element
                    .matches("input:not([type=range], [type=checkbox], [type=radio]), textarea");
                takes_text.unwrap_or(false) && !element.has_attribute("data-settled")
            });
        let command = event.ctrl_key() || event.meta_key();
        match (event.key().to_ascii_lowercase().as_str(), command) {
            ("z", true) if !in_field => {
                event.prevent_default();
                if event.shift_key() {
                    state.step_forward()
                } else {
                    state.step_back()
                }
            }
            ("y", true) if !in_field => {
                event.prevent_default();
                state.step_forward();
            }
            ("escape", _) if state.shell.sheet.get_untracked() => state.shell.sheet.set(false),
            _ => {}
        }
    });
    on_cleanup(move || handle.remove());
}

/// A sheet takes the focus when it opens, gives it back when it closes, and goes when the screen gets wide.
fn manage_sheet_focus(state: Shell) {
    let focus = |id: &str| {
        if let Some(element) = document().get_element_by_id(id) {
            let _ = element.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    };
    Effect::new(move |was_open: Option<bool>| {
        let open = state.sheet.get();
        match (was_open, open) {
            (Some(false) | None, true) => request_animation_frame(move || focus("close-scenario")),
            (Some(true), false) => request_animation_frame(move || {
                focus("edit-scenario");
                focus("edit-scenario-line");
            }),
            _ => {}
        }
        open
    });
    let handle = window_event_listener(ev::resize, move |_| {
        if state.sheet.get_untracked() && !super::shell::is_narrow() {
            state.sheet.set(false);
        }
    });
    on_cleanup(move || handle.remove());
}

/// A press anywhere outside an open menu closes it.
fn close_menus() {
    let handle = window_event_listener(ev::pointerdown, |event| {
        let pressed = event
            .target()
            .and_then(|target| target.dyn_into::<web_sys::Node>().ok());
        let open = document()
            .query_selector("details.menu-box[open]")
            .ok()
            .flatten();
        if let Some(menu) = open.filter(|menu| !menu.contains(pressed.as_ref())) {
            let _ = menu.remove_attribute("open");
        }
    });
    on_cleanup(move || handle.remove());
}
