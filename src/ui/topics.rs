//! The questions of the page, a line each, in the order of the bar.

use super::cold_start::ColdStartState;
use super::dispatch::DispatchState;
use super::heads::HeadsState;
use super::operators::OperatorsState;
use super::questions::{Opening, Topic};
use super::tiers::TiersState;

/// Opens all of them.
pub fn open(opening: &Opening) -> Vec<&'static dyn Topic> {
    vec![
        opening.topic::<ColdStartState>(),
        opening.topic::<HeadsState>(),
        opening.topic::<DispatchState>(),
        opening.topic::<TiersState>(),
        opening.topic::<OperatorsState>(),
    ]
}
