//! The state of the cold-start question: its answer view, the prompt lengths of the sweep, and a model that waits to be
//! looked at.

use crate::ui::answer_view::AnswerController;
use crate::ui::files::Dropped;
use crate::ui::questions::{DeferredViews, QuestionModule};
use crate::ui::scenario_editor::ScenarioEditor;
use crate::ui::workspace;
use engine::scenario::Scenario;
use engine::scenario::lengths::SweepLengths;
use leptos::prelude::*;
use std::ops::Deref;
use std::sync::Arc;

/// The group of what is asked besides the answer. Groups of two questions must not meet.
const MORE: u32 = 12 << 20;
/// Where the lengths are kept between visits.
const STORAGE_KEY: &str = "edgewise.sweep";

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct ColdStartState {
    /// Its answer.
    pub answer: AnswerController<Scenario>,
    /// Prompt lengths of the sweep.
    pub lengths: RwSignal<Arc<SweepLengths>>,
    /// A model that fell on the page and waits to be looked at.
    pub dropped_model: RwSignal<Option<Dropped>, LocalStorage>,
}

impl Deref for ColdStartState {
    type Target = ScenarioEditor<Scenario>;

    fn deref(&self) -> &ScenarioEditor<Scenario> {
        &self.answer
    }
}

impl QuestionModule for ColdStartState {
    type Scenario = Scenario;

    const DETAILS: DeferredViews = super::DETAILS;

    fn open(editor: ScenarioEditor<Scenario>) -> Self {
        let kept = workspace::remembered(STORAGE_KEY);
        let kept = kept.and_then(|text| serde_json::from_str(&text).ok());
        let kept = kept.and_then(SweepLengths::checked);
        Self {
            answer: AnswerController::open(editor, MORE),
            lengths: RwSignal::new(Arc::new(kept.unwrap_or_default())),
            dropped_model: RwSignal::new_local(None),
        }
    }
}

impl ColdStartState {
    /// Sweeps other lengths from now on.
    pub fn sweep(&self, lengths: SweepLengths) {
        // A browser that keeps nothing shows the paper's next time.
        if let Ok(text) = serde_json::to_string(&lengths) {
            workspace::remember(STORAGE_KEY, &text);
        }
        self.lengths.set(Arc::new(lengths));
    }
}
