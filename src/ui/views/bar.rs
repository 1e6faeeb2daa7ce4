//! The top bar: brand, questions, undo and redo, scenarios, share, theme.

use super::icons::{Glyph, Icon};
use crate::ui::download;
use crate::ui::questions::Questions;
use crate::ui::start;
use crate::ui::theme::ThemeState;
use crate::ui::workspace::Scenarios;
use engine::scenario::Question;
use leptos::prelude::*;
use protocol::names;

/// The bar.
#[component]
pub fn Bar() -> impl IntoView {
    let state = expect_context::<Questions>();
    let theme = expect_context::<ThemeState>();
    // What the address names.
    let open = Memo::new(move |_| match state.shell.start.get() {
        true => start::NAME,
        false => state.shell.question.get().name(),
    });
    let last = Memo::new(move |_| state.last_step());
    let next = Memo::new(move |_| state.next_step());
    view! {
        <header class="bar">
            <a class="brand" href="#start" title="All five questions about this scenario">
                <svg class="mark" viewBox="0 0 20 20" aria-hidden="true">
                    <rect x="2" y="3" width="9" height="3.4" rx="1"></rect>
                    <rect x="6" y="8.3" width="9" height="3.4" rx="1"></rect>
                    <rect x="10" y="13.6" width="8" height="3.4" rx="1" class="last"></rect>
                </svg>
                "Edgewise"
            </a>
            <nav class="methods" aria-label="Questions">
                {Question::ALL
                    .into_iter()
                    .map(|question| {
                        let is_open = move || open.get() == question.name();
                        view! {
                            <a
                                href=format!("#{}", question.name())
                                aria-current=move || is_open().then_some("page")
                                on:click=move |event| {
                                    // The address already holds this question\u{2019}s scenario.
                                    if open.get_untracked() == question.name() {
                                        event.prevent_default();
                                    }
                                }
                            >
                                {names::question(question)}
                            </a>
                        }
                    })
                    .collect_view()}
            </nav>
            <select
                class="methods-list"
                id="question-list"
                aria-label="Question"
                prop:value=move || open.get()
                on:change=move |event| {
                    let _ = window().location().set_hash(&event_target_value(&event)); // a name of ours is always a fragment
                }
            >
                <option value=start::NAME selected=move || open.get() == start::NAME>"All questions"</option>
                {Question::ALL
                    .into_iter()
                    .map(|question| view! {
                        <option value=question.name() selected=move || open.get() == question.name()>{names::question(question)}</option>
                    })
                    .collect_view()}
            </select>
            <div class="tools">
                <button
                    class="btn quiet icon"
                    id="undo"
                    aria-label="Undo"
                    title=move || step_title("Undo", "Nothing to undo", last)
                    disabled=move || last.with(Option::is_none)
                    on:click=move |_| state.step_back()
                >
                    <Icon glyph=Glyph::Undo/>
                </button>
                <button
                    class="btn quiet icon redo"
                    id="redo"
                    aria-label="Redo"
                    title=move || step_title("Redo", "Nothing to redo", next)
                    disabled=move || next.with(Option::is_none)
                    on:click=move |_| state.step_forward()
                >
                    <Icon glyph=Glyph::Redo/>
                </button>
                <span class="rule"></span>
                <Scenarios/>
                <button class="btn share" id="share" aria-label="Copy link" on:click=move |_| share(state)>
                    <Icon glyph=Glyph::Link/>
                    <span>"Copy link"</span>
                </button>
                <button
                    class="btn quiet icon"
                    id="theme"
                    aria-label=move || if theme.is_dark() { "Theme: dark" } else { "Theme: light" }
                    on:click=move |_| theme.toggle()
                >
                    <Icon glyph=Glyph::Theme/>
                </button>
            </div>
        </header>
    }
}

/// "Undo: D1 memory 24 to 20 GB".
fn step_title(verb: &str, nothing: &str, step: Memo<Option<String>>) -> String {
    step.with(|step| match step {
        Some(step) => format!("{verb}: {step}"),
        None => nothing.to_owned(),
    })
}

/// Puts the link on the clipboard and says how long it is; where there is no clipboard, shows it.
pub fn share(questions: Questions) {
    let shell = questions.shell;
    let link = match questions.link() {
        Ok(link) => link,
        Err(why) => return shell.announce(why),
    };
    let length = link.chars().count();
    download::copy(&link, move |copied| {
        shell.announce(if copied {
            format!("Link copied, {length} characters.")
        } else {
            "The browser does not allow copying here. The link is in the address bar.".to_owned()
        });
    });
}
