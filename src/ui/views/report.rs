//! The answer shown as a file to attach or to send: one page that needs nothing else, or Markdown.

use super::icons::{Glyph, Icon};
use crate::ui::pins::Pins;
use crate::ui::questions::Questions;
use crate::ui::theme::ThemeState;
use document::Story;
use leptos::prelude::*;

/// The buttons that save it.
#[component]
pub fn SaveReport() -> impl IntoView {
    let questions = expect_context::<Questions>();
    let theme = expect_context::<ThemeState>();
    let is_whole = Memo::new(move |_| questions.has_whole_answer());
    let button = move |id: &'static str, ending: &'static str, label: &'static str| {
        let press = move |_| match untrack(|| questions.story()) {
            Some(story) => save(questions, theme, &story, ending),
            None => questions
                .shell
                .announce("The answer is still being computed; save it once it is there."),
        };
        view! {
            <button class="btn small" id=id disabled=move || !is_whole.get() on:click=press>
                <Icon glyph=Glyph::Save/>
                {label}
            </button>
        }
    };
    view! {
        {button("report-html", "html", "Report (HTML)")}
        {button("report-md", "md", "Report (Markdown)")}
    }
}

/// Saves what differs between the pins and the answer shown.
pub fn save_comparison(pins: Pins, theme: ThemeState) {
    let comparison = untrack(|| pins.differences());
    if let Some(mut story) = comparison {
        story.link = pins.link().unwrap_or_default();
        save(pins.questions, theme, &story, "html");
    }
}

fn save(questions: Questions, theme: ThemeState, story: &Story, ending: &'static str) {
    let text = match (ending, theme.paper()) {
        ("md", _) => story.to_markdown(),
        (_, Ok(colours)) => story.to_html(&colours),
        (_, Err(fault)) => return leptos::logging::error!("{fault}"),
    };
    questions.shell.save("report", ending, &text);
}
