//! The operator-graph question among the others.

use super::{Operators, OperatorsState};
use crate::ui::answer_view::AnswerStore;
use crate::ui::files::Dropped;
use crate::ui::questions::QuestionPage;
use crate::ui::scenario_editor::{EditorOps, document};
use engine::scenario::operators;
use leptos::prelude::*;

document!(Operators, operators, |a, b| a.graph == b.graph;
// A link without the graph says which file it needs.
fn has_link(&self) -> bool {
    true
});

impl QuestionPage for OperatorsState {
    fn editor(&self) -> &dyn EditorOps {
        &**self
    }

    fn answer(&self) -> Option<AnswerStore> {
        self.answer.now(|store| *store)
    }

    fn view(&self) -> AnyView {
        view! { <Operators/> }.into_any()
    }

    fn cancel_requests(&self) {
        self.answer.end();
        self.end_reading();
    }

    /// A graph by its name, and while one is asked for whatever is neither a text nor a language model.
    fn file_action(&self, file: &Dropped, is_open: bool) -> Option<Box<dyn FnOnce()>> {
        let Dropped::Files(files) = file else {
            return None;
        };
        let [file] = &files[..] else {
            return None;
        };
        let name = file.name().to_ascii_lowercase();
        let is_other = [".json", ".txt", ".gguf", ".safetensors"]
            .iter()
            .any(|end| name.ends_with(end));
        let is_graph = name.ends_with(".onnx") || is_open && !is_other;
        let (state, file) = (*self, file.clone());
        is_graph.then(|| Box::new(move || state.open_onnx(file)) as Box<dyn FnOnce()>)
    }
}
