//! Files that a person chooses or drops: read here, sent nowhere. A file that is no scenario changes nothing and
//! is identified by its content.

use super::lazy_bundle;
use super::questions::Questions;
use super::shell::{Banner, Toast};
use super::views::tools::fits;
use super::workspace;
use engine::scenario::import::{self, UserAnswers};
use engine::scenario::world::World;
use engine::scenario::{self, Question};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DragEvent, File, FileList, HtmlInputElement};

/// The largest file that is read [B]; a scenario or table has a hundredth of it.
const LARGEST: f64 = 16e6;

/// The largest log that is read [B].
const LARGEST_LOG: f64 = 64e6;

/// A file that may hold a model.
#[derive(Debug, Clone)]
pub enum Dropped {
    /// Files as they are; of a large one only the beginning may be wanted.
    Files(Vec<File>),
    /// The config.json of a model.
    Config(File),
}

/// Reads a file as text and hands over its name with the text, or why there is none.
pub fn read(file: File, done: impl FnOnce(String, Result<String, String>) + 'static) {
    read_up_to(LARGEST, file, done);
}

/// Reads a log of requests, which may be larger.
pub fn read_log(file: File, done: impl FnOnce(String, Result<String, String>) + 'static) {
    read_up_to(LARGEST_LOG, file, done);
}

fn read_up_to(
    largest: f64,
    file: File,
    done: impl FnOnce(String, Result<String, String>) + 'static,
) {
    leptos::task::spawn_local(async move {
        let text = text_of(largest, &file).await;
        done(file.name(), text);
    });
}

async fn text_of(largest: f64, file: &File) -> Result<String, String> {
    if file.size() > largest {
        let (megabytes, most) = (file.size() / 1e6, largest / 1e6);
        return Err(format!(
            "It has {megabytes:.0} MB; at most {most} MB are read."
        ));
    }
    let bytes = JsFuture::from(file.array_buffer()).await;
    bytes
        .map(|bytes| scenario::open::text_of(&js_sys::Uint8Array::new(&bytes).to_vec()))
        .map_err(|_: JsValue| "The browser cannot read it.".to_owned())
}

/// The files of a drop; the browser then does not open them itself.
pub fn all_dropped(event: &DragEvent) -> Vec<File> {
    let list = event.data_transfer().and_then(|transfer| transfer.files());
    let files = list.map(files_of).unwrap_or_default();
    if !files.is_empty() {
        event.prevent_default();
        event.stop_propagation();
    }
    files
}

/// The first file of a drop, where one is wanted.
pub fn dropped(event: &DragEvent) -> Option<File> {
    all_dropped(event).into_iter().next()
}

fn files_of(list: FileList) -> Vec<File> {
    (0..list.length()).filter_map(|at| list.get(at)).collect()
}

/// Returns true if files are dragged, not a row of the page.
pub fn are_dragged(event: &DragEvent) -> bool {
    let kinds = event.data_transfer().map(|transfer| transfer.types());
    kinds.is_some_and(|kinds| kinds.includes(&JsValue::from_str("Files"), 0))
}

/// The files of an input, which is emptied so that the same can be chosen again.
pub fn all_chosen(event: &ev::Event) -> Vec<File> {
    let Some(target) = event.target() else {
        return Vec::new();
    };
    let input: HtmlInputElement = target.unchecked_into();
    let files = input.files().map(files_of).unwrap_or_default();
    input.set_value("");
    files
}

/// The file of an input that takes one.
pub fn chosen(event: &ev::Event) -> Option<File> {
    all_chosen(event).into_iter().next()
}

/// Opens a dropped file wherever on the page it falls, but for places of their own.
pub fn handle_drops(questions: Questions) {
    let over = window_event_listener(ev::dragover, |event| {
        if are_dragged(&event) {
            event.prevent_default();
        }
    });
    let drop = window_event_listener(ev::drop, move |event| {
        let files = all_dropped(&event);
        if !files.is_empty() {
            open_when_loaded(questions, files);
        }
    });
    on_cleanup(move || {
        over.remove();
        drop.remove();
    });
}

/// Opens files, once that can be done.
pub fn open_when_loaded(questions: Questions, files: Vec<File>) {
    leptos::task::spawn_local(async move {
        match lazy_bundle::load().await {
            Ok(later) => (later.open_files)(questions, files),
            Err(fault) => questions.show_opened(&names_of(&files), Err(format!("{fault}."))),
        }
    });
}

/// Opens the scenario in a file, and the question it belongs to, as one step to undo; says so, or what the file is instead.
/// Files that hold a model go to the question that is for it.
pub fn open(questions: Questions, files: Vec<File>) {
    leptos::task::spawn_local(questions.open_files(files));
}

fn names_of(files: &[File]) -> String {
    let names: Vec<String> = files.iter().map(File::name).collect();
    names.join(", ")
}

impl Questions {
    /// Gives a file to the question that is for it, if one is, and opens that question.
    async fn hand_over(self, dropped: &Dropped) -> bool {
        let open = self.shell.question.get_untracked();
        for question in Question::ALL {
            let topic = self.reach(question).await;
            if let Some(take) = topic.and_then(|topic| topic.file_action(dropped, question == open))
            {
                self.go(question);
                take();
                return true;
            }
        }
        false
    }

    async fn open_files(self, files: Vec<File>) {
        if self.hand_over(&Dropped::Files(files.clone())).await {
            return;
        }
        let [file] = &files[..] else {
            let why = "Only the files of one model are opened together.".to_owned();
            return self.show_opened(&names_of(&files), Err(why));
        };
        let (name, text) = (file.name(), text_of(LARGEST, file).await);
        if let Ok(text) = &text
            && workspace::is_workspace_file(text)
        {
            return workspace::offer(&name, text);
        }
        // The config.json of a model is no scenario, and becomes one's model.
        if let Ok(text) = &text
            && scenario::open::world(text).is_err()
            && import::config(text, &name, &UserAnswers::new()).is_ok()
            && self.hand_over(&Dropped::Config(file.clone())).await
        {
            return;
        }
        let opened = text.and_then(|text| {
            let world = scenario::open::world(&text).map_err(|fault| format!("{fault}."))?;
            let seen = fits(&world, world.question);
            seen.map(|_| world).map_err(|fault| format!("{fault}."))
        });
        self.show_opened(&name, opened);
    }

    fn show_opened(self, name: &str, opened: Result<World, String>) {
        let shell = self.shell;
        match opened {
            Ok(world) => {
                let title = world.title.clone();
                self.load(world, true);
                shell.banner.set(None);
                shell.toast.set(Some(Toast {
                    text: format!("Opened \u{201c}{title}\u{201d}."),
                    undo: true,
                }));
            }
            Err(why) => shell.banner.set(Some(Banner {
                title: format!("{name} was not opened."),
                text: format!("{} Your scenario is still here, unchanged.", sentence(&why)),
                alert: true,
                details: None,
            })),
        }
    }
}

/// With a capital in front; a field's name stays as it is written.
fn sentence(why: &str) -> String {
    match why.strip_prefix("this is") {
        Some(rest) => format!("This is{rest}"),
        None => why.to_owned(),
    }
}
