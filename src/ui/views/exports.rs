//! Exports of every question: the command that gives the same answer, files, print.

use super::icons::{Glyph, Icon};
use crate::ui::address;
use crate::ui::download;
use crate::ui::questions::Questions;
use crate::ui::shell::Shell;
use crate::ui::views::report::SaveReport;
use crate::ui::views::section::{Fold, Section};
use engine::scenario::link;
use leptos::prelude::*;

/// The block; `children` are the files, as terms and their items.
#[component]
pub fn TakeAway(
    /// Command for the same answer.
    command: Signal<String>,
    /// How the answer was checked, and how long it took.
    foot: Signal<Option<String>>,
    children: ChildrenFn,
) -> impl IntoView {
    let shell = expect_context::<Shell>();
    let copy = move |_| {
        download::copy(&command.get_untracked(), move |copied| {
            shell.say_copied("Command", copied);
        });
    };
    let questions = expect_context::<Questions>();
    let copy_plain = move |_| {
        let Some(world) = questions.world_if_any() else {
            return shell.announce("The page is still loading.");
        };
        let link = address::with_page(&link::encode_plain(&world));
        download::copy(&link, move |copied| {
            shell.say_copied("Plain link", copied);
        });
    };
    view! {
        <Section id="take" title="Take it with you" class="take" fold=Fold::Folded holds="command, files, report, print">
            <div class="cmd">
                <code id="command">{move || command.get()}</code>
                <button class="btn quiet small icon" aria-label="Copy the command" on:click=copy>
                    <Icon glyph=Glyph::Copy/>
                </button>
            </div>
            <dl class="files">{children()}</dl>
            <div class="row">
                <SaveReport/>
                <button
                    class="btn small"
                    on:click=|_| {
                        // A browser that does not print says so itself.
                        let _ = window().print();
                    }
                >
                    "Print"
                </button>
                <button class="btn small" id="plain-link" on:click=copy_plain>
                    <Icon glyph=Glyph::Link/>
                    "Plain link (JSON)"
                </button>
            </div>
            <p class="foot">{move || foot.get()}</p>
        </Section>
    }
}

/// A file to save.
#[derive(Clone, Copy)]
pub struct ExportFile {
    /// Id of its button.
    pub id: &'static str,
    /// Part of the file name that names the content: `plan`.
    pub content_name: &'static str,
    /// The ending of its name.
    pub ending: &'static str,
    /// The words on its button.
    pub label: &'static str,
}

/// The button of a file; `of` is what it holds, for a screen reader.
#[component]
pub fn SaveFile(
    file: ExportFile,
    #[prop(into)] of: String,
    is_ready: Signal<bool>,
    /// Returns the content; `None` while there is nothing to save.
    make: Callback<(), Option<String>>,
) -> impl IntoView {
    let shell = expect_context::<Shell>();
    view! {
        <button
            class="btn small"
            id=file.id
            aria-label=format!("Save {}: {}", of.to_lowercase(), file.label)
            disabled=move || !is_ready.get()
            on:click=move |_| {
                if let Some(content) = make.run(()) {
                    shell.save(file.content_name, file.ending, &content);
                }
            }
        >
            {file.label}
        </button>
    }
}
