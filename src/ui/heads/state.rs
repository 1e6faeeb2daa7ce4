//! The state of the head-placement question: its answer as it is told.

use crate::ui::desk::Desk;
use crate::ui::questions::{Below, Opens};
use crate::ui::told::Teller;
use engine::scenario::heads::Scenario;
use std::ops::Deref;

/// The group of what is asked besides the answer; those of two questions must not meet.
const MORE: u32 = 2 << 20;

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct HeadsState {
    /// Its answer.
    pub teller: Teller<Scenario>,
}

impl Deref for HeadsState {
    type Target = Desk<Scenario>;

    fn deref(&self) -> &Desk<Scenario> {
        &self.teller
    }
}

impl Opens for HeadsState {
    type Scenario = Scenario;

    const BELOW: Below = super::BELOW;

    fn open(desk: Desk<Scenario>) -> Self {
        Self {
            teller: Teller::open(desk, MORE),
        }
    }
}
