//! The first paint is a default answer, drawn when the page was built, or the word that the solver is starting. It stays until the live
//! page has as much to show, or something that must be seen; meanwhile that is laid out hidden, so that it appears at once.

use super::questions::Questions;
use super::shell::SolverState;
use super::views::queue::BuildQueue;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

/// The class of the live page while it is not seen.
const UNSEEN: &str = "unseen";

/// How long the rest of what is seen first is waited for after the answer [frames].
const MOST_FRAMES: u32 = 60;

/// Keeps the first paint over the live page in `app`.
pub fn stay(app: &Element) {
    let _ = app.set_attribute("class", UNSEEN);
    let _ = app.set_attribute("inert", ""); // elements refuse neither
}

/// True once the live page is visible. Cheap to copy.
#[derive(Clone, Copy)]
pub struct PageVisible(RwSignal<bool>);

impl PageVisible {
    /// Returns true if it is visible; tracked.
    pub fn is_it(self) -> bool {
        self.0.get()
    }
}

/// Has the first paint go once the live page is worth seeing.
pub fn remove_first_paint(questions: Questions, queue: BuildQueue) -> PageVisible {
    let (shell, is_answer, seen) = (
        questions.shell,
        is_answer(),
        PageVisible(RwSignal::new(false)),
    );
    Effect::new(move |was_ready: Option<bool>| {
        if was_ready == Some(true) {
            return true;
        }
        let is_there = match is_answer {
            true => questions.has_answer(),
            false => questions.is_there(),
        };
        let has_to_say = shell.banner.with(Option::is_some)
            || shell.start.get()
            || shell.busy.get() == SolverState::GivenUp
            || questions.to_compare.with(Option::is_some);
        let is_ready = is_there || has_to_say;
        if is_ready {
            let frames = if has_to_say { 0 } else { MOST_FRAMES };
            // Charts are drawn once their width is known, a frame after they are laid out.
            request_animation_frame(move || hide_when_ready(frames, queue, seen));
        }
        is_ready
    });
    seen
}

/// Has the first paint say that nothing more will come. Where a file is missing, what fetched it knows which, so that this never
/// is in for what is said of it.
pub fn fail(why: &str) {
    let say = js_sys::Reflect::get(&window(), &"edgewiseFault".into());
    if let Ok(say) = say.and_then(JsCast::dyn_into::<js_sys::Function>) {
        let text = format!("{why}. Reload the page to try again.");
        let title = "The page could not start.";
        let is_unknown = true.into();
        let _ = say.call3(&JsValue::NULL, &title.into(), &text.into(), &is_unknown); // it has been said where it could be
    }
}

/// Returns true if the first paint shows an answer.
pub fn is_answer() -> bool {
    let first = document().query_selector("#static > #first:not([hidden])");
    first.ok().flatten().is_some()
}

/// Goes two frames later, or once what is seen first is built and the live page makes as many claims as the first paint does: a claim
/// of its own that is found out after the answer is not to vanish and come again.
fn hide_when_ready(frames: u32, queue: BuildQueue, seen: PageVisible) {
    let claims = |of: &str| {
        let found = document().query_selector_all(&format!("{of} .question .proof"));
        found.map_or(0, |found| found.length())
    };
    let waits = || untrack(|| queue.is_busy()) || claims("#app") < claims("#first:not([hidden])");
    match frames.checked_sub(1) {
        Some(left) if waits() => {
            request_animation_frame(move || hide_when_ready(left, queue, seen))
        }
        // A picture that takes its width in this frame is drawn in the next.
        _ => request_animation_frame(move || request_animation_frame(move || go(seen))),
    }
}

/// The live page alone.
fn go(seen: PageVisible) {
    if let Some(first) = document().get_element_by_id("static") {
        first.remove();
    }
    if let Some(app) = document().get_element_by_id("app") {
        let _ = app.remove_attribute("class");
        let _ = app.remove_attribute("inert");
    }
    seen.0.set(true);
}
