//! The state of the operator-graph question: its answer as it is told, and the file that a graph comes from.

use super::reading::{Read, Reading};
use crate::ui::desk::Desk;
use crate::ui::questions::{Below, Opens};
use crate::ui::told::Teller;
use engine::scenario::Question;
use engine::scenario::operators::Scenario;
use leptos::prelude::*;
use std::ops::Deref;
use std::sync::Arc;
use web_sys::File;

/// Groups of what is asked besides the answer; those of two questions must not meet.
const MORE: u32 = 7 << 20;
const FIRST_FILE: u32 = 9 << 20;

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct OperatorsState {
    /// Its answer.
    pub teller: Teller<Scenario>,
    /// State of reading a file.
    pub reading: RwSignal<Reading>,
    /// Results of reading files, the latest last.
    pub read: RwSignal<Vec<Arc<Read>>>,
    pub(super) file: StoredValue<Option<File>, LocalStorage>,
    /// The file that is being read.
    pub(super) file_to_read: StoredValue<Option<File>, LocalStorage>,
    pub(super) file_group: StoredValue<u32>,
}

impl Deref for OperatorsState {
    type Target = Desk<Scenario>;

    fn deref(&self) -> &Desk<Scenario> {
        &self.teller
    }
}

impl Opens for OperatorsState {
    type Scenario = Scenario;

    const BELOW: Below = super::BELOW;

    fn open(desk: Desk<Scenario>) -> Self {
        let state = Self {
            teller: Teller::open(desk, MORE),
            reading: RwSignal::new(Reading::Idle),
            read: RwSignal::new(Vec::new()),
            file: StoredValue::new_local(None),
            file_to_read: StoredValue::new_local(None),
            file_group: StoredValue::new(FIRST_FILE),
        };
        Effect::new(move |_| {
            if state.question.get() != Question::Operators {
                state.end_reading();
            }
        });
        state
    }
}
