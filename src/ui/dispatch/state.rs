//! The state of the device-or-server question: its answer as it is told.

use crate::ui::desk::Desk;
use crate::ui::questions::{Below, Opens};
use crate::ui::told::Teller;
use engine::scenario::dispatch::Scenario;
use std::ops::Deref;

/// The group of what is asked besides the answer; those of two questions must not meet.
const MORE: u32 = 11 << 20;

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct DispatchState {
    /// Its answer.
    pub teller: Teller<Scenario>,
}

impl Deref for DispatchState {
    type Target = Desk<Scenario>;

    fn deref(&self) -> &Desk<Scenario> {
        &self.teller
    }
}

impl Opens for DispatchState {
    type Scenario = Scenario;

    const BELOW: Below = super::BELOW;

    fn open(desk: Desk<Scenario>) -> Self {
        let teller = Teller::open(desk, MORE);
        Self { teller }
    }
}
