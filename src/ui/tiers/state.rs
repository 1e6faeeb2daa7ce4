//! The state of the tiers question: its answer as it is told.

use crate::ui::desk::Desk;
use crate::ui::questions::{Below, Opens};
use crate::ui::told::Teller;
use engine::scenario::tiers::Scenario;
use std::ops::Deref;

/// The group of what is asked besides the answer; those of two questions must not meet.
const MORE: u32 = 1 << 20;

/// The question's state. Cheap to copy.
#[derive(Clone, Copy)]
pub struct TiersState {
    /// Its answer.
    pub teller: Teller<Scenario>,
}

impl Deref for TiersState {
    type Target = Desk<Scenario>;

    fn deref(&self) -> &Desk<Scenario> {
        &self.teller
    }
}

impl Opens for TiersState {
    type Scenario = Scenario;

    const BELOW: Below = super::BELOW;

    fn open(desk: Desk<Scenario>) -> Self {
        let teller = Teller::open(desk, MORE);
        Self { teller }
    }
}
