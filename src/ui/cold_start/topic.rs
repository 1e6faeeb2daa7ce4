//! The cold-start question among the others.

use super::{ColdStart, ColdStartState};
use crate::ui::answer_view::AnswerStore;
use crate::ui::files::Dropped;
use crate::ui::questions::QuestionPage;
use crate::ui::scenario_editor::{EditorOps, document};
use engine::scenario;
use leptos::prelude::*;
use web_sys::File;

document!(ColdStart, scenario, |a, b| a.model == b.model;
fn fits(&self) -> Result<(), engine::problem::Invalid> {
    match self.is_empty() {
        true => self.validate_fields(),
        false => self.problem().map(drop),
    }
}

fn adjust_dependents(&mut self, before: &Self, origin: &Self) -> Vec<String> {
    self.update_spans(before, origin)
});

impl QuestionPage for ColdStartState {
    fn editor(&self) -> &dyn EditorOps {
        &**self
    }

    fn answer(&self) -> Option<AnswerStore> {
        self.answer.now(|store| *store)
    }

    fn view(&self) -> AnyView {
        view! { <ColdStart/> }.into_any()
    }

    fn cancel_requests(&self) {
        self.answer.end();
    }

    /// A model of any family is shown here, to be looked at.
    fn file_action(&self, file: &Dropped, _is_open: bool) -> Option<Box<dyn FnOnce()>> {
        let has_weights = |file: &File| {
            let name = file.name().to_ascii_lowercase();
            let endings = [".gguf", ".safetensors", ".safetensors.index.json"];
            endings.iter().any(|ending| name.ends_with(ending))
        };
        let is_model = match file {
            Dropped::Files(files) => files.iter().any(has_weights),
            Dropped::Config(_) => true,
        };
        let (brought, file) = (self.dropped_model, file.clone());
        is_model.then(|| Box::new(move || brought.set(Some(file))) as Box<dyn FnOnce()>)
    }
}
