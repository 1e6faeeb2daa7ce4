//! Files that a person chooses or drops: read here, sent nowhere. A file that is no scenario changes nothing and
//! is told what it is.

use super::operators::OperatorsState;
use super::questions::Questions;
use super::shell::{Banner, Toast};
use super::state::{Dropped, State};
use super::workspace;
use engine::scenario::bring::{self, Answers};
use engine::scenario::{Any, Question, open};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DragEvent, File, HtmlInputElement};

/// The largest file that is read [B]; a scenario or table has a hundredth of it.
const LARGEST: f64 = 16e6;

/// The largest log that is read [B].
const LARGEST_LOG: f64 = 64e6;

/// Reads a file as text and hands over its name with the text, or why there is none.
pub fn read(file: File, done: impl FnOnce(String, Result<String, String>) + 'static) {
    read_up_to(LARGEST, file, done);
}

/// The same for a log of requests, which may be larger.
pub fn read_log(file: File, done: impl FnOnce(String, Result<String, String>) + 'static) {
    read_up_to(LARGEST_LOG, file, done);
}

fn read_up_to(
    largest: f64,
    file: File,
    done: impl FnOnce(String, Result<String, String>) + 'static,
) {
    let name = file.name();
    if file.size() > largest {
        let (megabytes, most) = (file.size() / 1e6, largest / 1e6);
        let why = format!("It has {megabytes:.0} MB; at most {most} MB are read.");
        return done(name, Err(why));
    }
    leptos::task::spawn_local(async move {
        let bytes = JsFuture::from(file.array_buffer()).await;
        let text = bytes.map(|bytes| open::text_of(&js_sys::Uint8Array::new(&bytes).to_vec()));
        done(
            name,
            text.map_err(|_: JsValue| "The browser cannot read it.".to_owned()),
        );
    });
}

/// The first file of a drop, if files are dropped; the browser then does not open it itself.
pub fn dropped(event: &DragEvent) -> Option<File> {
    let files = event.data_transfer()?.files()?;
    let file = files.get(0)?;
    event.prevent_default();
    event.stop_propagation();
    Some(file)
}

/// Whether files are being dragged, not a row of the page.
pub fn are_dragged(event: &DragEvent) -> bool {
    let kinds = event.data_transfer().map(|transfer| transfer.types());
    kinds.is_some_and(|kinds| kinds.includes(&JsValue::from_str("Files"), 0))
}

/// The file of an input, which is emptied so that the same file can be chosen again.
pub fn chosen(event: &ev::Event) -> Option<File> {
    let input: HtmlInputElement = event.target()?.unchecked_into();
    let file = input.files()?.get(0);
    input.set_value("");
    file
}

/// Opens a dropped file wherever on the page it falls, but for places of their own.
pub fn mind_drops(questions: Questions) {
    let over = window_event_listener(ev::dragover, |event| {
        if are_dragged(&event) {
            event.prevent_default();
        }
    });
    let drop = window_event_listener(ev::drop, move |event| {
        if let Some(file) = dropped(&event) {
            questions.open_file(file);
        }
    });
    on_cleanup(move || {
        over.remove();
        drop.remove();
    });
}

impl Questions {
    /// Whether a file is to be read as a model: by its name, and where a graph is asked for whatever is no text.
    fn is_model(self, file: &File) -> bool {
        let name = file.name().to_lowercase();
        let is_text = [".json", ".txt"].iter().any(|end| name.ends_with(end));
        let asks = self.shell.question.get_untracked() == Question::Operators;
        name.ends_with(".onnx") || asks && !is_text && !name.ends_with(".gguf")
    }

    /// Shows what a file says of a model, on the question that takes it.
    fn bring(self, dropped: Dropped) {
        self.go(Question::ColdStart);
        self.state::<State>().brought.set(Some(dropped));
    }

    /// Opens the scenario in a file, and the question it belongs to, as one step to undo; says so, or what the file is instead.
    /// A file that holds a model goes to the operator-graph question.
    pub fn open_file(self, file: File) {
        if self.is_model(&file) {
            self.go(Question::Operators);
            return self.state::<OperatorsState>().open_onnx(file);
        }
        if file.name().to_lowercase().ends_with(".gguf") {
            return self.bring(Dropped::File(file));
        }
        read(file, move |name, text| {
            if let Ok(text) = &text
                && workspace::holds(text)
            {
                return workspace::offer(&name, text);
            }
            // The config.json of a model is no scenario, and becomes one's model.
            if let Ok(text) = &text
                && open::world(text).is_err()
                && bring::config(text, &name, &Answers::new()).is_ok()
            {
                return self.bring(Dropped::Text(name, text.clone()));
            }
            let opened = text.and_then(|text| {
                let world = open::world(&text).map_err(|fault| format!("{fault}."))?;
                let view = world.view(world.question);
                let view = view.map_err(|fault| format!("{fault}."))?;
                if let Any::ColdStart(cold) = &view.scenario {
                    cold.problem().map_err(|fault| format!("{fault}."))?;
                }
                Ok(world)
            });
            let shell = self.shell;
            match opened {
                Ok(world) => {
                    let title = world.title.clone();
                    self.lay(world, true);
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
        });
    }
}

/// With a capital in front; a field's name stays as it is written.
fn sentence(why: &str) -> String {
    match why.strip_prefix("this is") {
        Some(rest) => format!("This is{rest}"),
        None => why.to_owned(),
    }
}
