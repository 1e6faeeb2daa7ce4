//! What is on the page, from the top bar to the exports.

mod answer;
mod bar;
mod card;
mod catalogue;
mod compare;
mod dialog;
mod drag;
mod empty;
mod field;
mod fleet;
mod icons;
mod lines;
mod model;
mod notices;
mod panel;
mod paste;
mod picture_files;
mod print;
mod published;
mod random;
mod reasons;
mod repairs;
mod strategies;
mod sweep;
mod table;
mod take;
mod timeline;
mod why;

use super::state::{Busy, State};
use super::theme::Theme;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// The whole page.
#[component]
pub fn Page() -> impl IntoView {
    let theme = Theme::open();
    let state = State::open();
    provide_context(theme);
    provide_context(state);
    provide_context(catalogue::Catalogue::new(state));
    provide_context(print::Printing::listen());
    provide_context(card::OpenCard::new());
    name_the_tab(state);
    listen_to_keys(state);
    mind_the_sheet(state);
    close_menus();
    let is_empty = Memo::new(move |_| state.scenario.with(|scenario| scenario.is_empty()));
    super::files::mind_drops(state);
    drag::listen();

    view! {
        <a class="skip" href="#answer" on:click=skip_to_answer>"Skip to the answer"</a>
        <bar::Bar/>
        <div class="page" class:sheet-open=move || state.sheet.get()>
            <panel::Panel/>
            <main id="main" inert=move || state.sheet.get() class:stale=move || !state.faults.with(|f| f.is_empty()) || state.busy.get() != Busy::Idle>
                <print::Head/>
                <notices::BannerView/>
                <answer::SummaryLine/>
                {move || is_empty.get().then(|| view! { <empty::Empty/> })}
                <div class="whole" hidden=move || is_empty.get()>
                    <answer::AnswerView/>
                    <print::Drawing/>
                    <timeline::Timeline/>
                    <reasons::Reasons/>
                    <repairs::Repairs/>
                    <compare::Compare/>
                    <sweep::Sweep/>
                    <published::Published/>
                    <take::Take/>
                </div>
            </main>
        </div>
        <answer::BottomBar/>
        <catalogue::CatalogueDialog/>
        <notices::ToastView/>
    }
}

/// The fragment holds the scenario, so a skip link must not write another one into it.
fn skip_to_answer(event: ev::MouseEvent) {
    event.prevent_default();
    if let Some(answer) = document().get_element_by_id("answer") {
        let _ = answer.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

/// The answer in the tab's title, so that tabs, bookmarks and history are useful.
fn name_the_tab(state: State) {
    Effect::new(move |_| {
        let Some(shown) = state.shown.get() else {
            return;
        };
        let figure = shown
            .answer
            .T
            .map_or_else(|| "Does not fit".to_owned(), crate::units::seconds);
        let (model, count) = (shown.scenario.model.name(), shown.problem.machines().len());
        let devices = if count == 1 {
            "1 device".to_owned()
        } else {
            format!("{count} devices")
        };
        document().set_title(&format!(
            "{figure}: {model} cold start on {devices} - Edgewise"
        ));
    });
}

/// Undo and redo anywhere outside a text field in which something was typed, Escape closes the sheet.
fn listen_to_keys(state: State) {
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
        match (event.key().to_lowercase().as_str(), command) {
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
            ("escape", _) if state.sheet.get_untracked() => state.sheet.set(false),
            _ => {}
        }
    });
    on_cleanup(move || handle.remove());
}

/// A sheet takes the focus when it opens, gives it back when it closes, and goes when the screen gets wide.
fn mind_the_sheet(state: State) {
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
        if state.sheet.get_untracked() && !super::state::is_narrow() {
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
