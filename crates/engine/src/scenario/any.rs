//! A scenario of any question: what a link or a file may hold.

use super::world::World;
use super::{Question, Scenario, dispatch, heads, operators, presets, tiers};
use crate::problem::Invalid;
use serde::{Serialize, Serializer};

/// A scenario of one of the questions.
#[derive(Debug, Clone, PartialEq)]
pub enum Any {
    /// Cold start.
    ColdStart(Box<Scenario>),
    /// Attention heads on devices.
    HeadPlacement(Box<heads::Scenario>),
    /// Device or server.
    Dispatch(Box<dispatch::Scenario>),
    /// Blocks over tiers.
    Tiers(Box<tiers::Scenario>),
    /// Operator graphs.
    Operators(Box<operators::Scenario>),
}

impl Any {
    /// Reads a scenario file of whatever question it names, as that question sees it.
    ///
    /// # Errors
    /// As [`World::read`].
    pub fn from_json(text: &str) -> Result<Self, Invalid> {
        let world = World::read(text)?;
        Ok(world.view(world.question)?.scenario)
    }

    /// Reads a scenario file of a known question, in its own format.
    ///
    /// # Errors
    /// Names the field, what it holds and what is allowed.
    pub fn of_question(question: Question, text: &str) -> Result<Self, Invalid> {
        match question {
            Question::ColdStart => Scenario::from_json(text).map(|s| Self::ColdStart(Box::new(s))),
            Question::HeadPlacement => {
                heads::Scenario::from_json(text).map(|s| Self::HeadPlacement(Box::new(s)))
            }
            Question::Dispatch => {
                dispatch::Scenario::from_json(text).map(|s| Self::Dispatch(Box::new(s)))
            }
            Question::Tiers => tiers::Scenario::from_json(text).map(|s| Self::Tiers(Box::new(s))),
            Question::Operators => {
                operators::Scenario::from_json(text).map(|s| Self::Operators(Box::new(s)))
            }
        }
    }

    /// The scenario that a question opens with: the paper's own, and for attention heads the paper's devices with physical
    /// demands, because its Table I does not say what devices do.
    #[must_use]
    pub fn opening(question: Question) -> Self {
        match question {
            Question::ColdStart => Self::ColdStart(Box::new(presets::paper())),
            Question::HeadPlacement => Self::HeadPlacement(Box::new(heads::presets::physical())),
            Question::Dispatch => Self::Dispatch(Box::new(dispatch::presets::paper())),
            Question::Tiers => Self::Tiers(Box::new(tiers::presets::paper())),
            Question::Operators => Self::Operators(Box::new(operators::presets::paper())),
        }
    }

    /// Its question.
    #[must_use]
    pub const fn question(&self) -> Question {
        match self {
            Self::ColdStart(_) => Question::ColdStart,
            Self::HeadPlacement(_) => Question::HeadPlacement,
            Self::Dispatch(_) => Question::Dispatch,
            Self::Tiers(_) => Question::Tiers,
            Self::Operators(_) => Question::Operators,
        }
    }

    /// Its name.
    #[must_use]
    pub fn title(&self) -> &str {
        match self {
            Self::ColdStart(scenario) => &scenario.title,
            Self::HeadPlacement(scenario) => &scenario.title,
            Self::Dispatch(scenario) => &scenario.title,
            Self::Tiers(scenario) => &scenario.title,
            Self::Operators(scenario) => &scenario.title,
        }
    }

    /// The scenario as a file.
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            Self::ColdStart(scenario) => scenario.to_json(),
            Self::HeadPlacement(scenario) => scenario.to_json(),
            Self::Dispatch(scenario) => scenario.to_json(),
            Self::Tiers(scenario) => scenario.to_json(),
            Self::Operators(scenario) => scenario.to_json(),
        }
    }
}

impl Serialize for Any {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::ColdStart(scenario) => scenario.serialize(writer),
            Self::HeadPlacement(scenario) => scenario.serialize(writer),
            Self::Dispatch(scenario) => scenario.serialize(writer),
            Self::Tiers(scenario) => scenario.serialize(writer),
            Self::Operators(scenario) => scenario.serialize(writer),
        }
    }
}

impl From<Scenario> for Any {
    fn from(scenario: Scenario) -> Self {
        Self::ColdStart(Box::new(scenario))
    }
}

impl From<tiers::Scenario> for Any {
    fn from(scenario: tiers::Scenario) -> Self {
        Self::Tiers(Box::new(scenario))
    }
}

impl From<operators::Scenario> for Any {
    fn from(scenario: operators::Scenario) -> Self {
        Self::Operators(Box::new(scenario))
    }
}

impl From<heads::Scenario> for Any {
    fn from(scenario: heads::Scenario) -> Self {
        Self::HeadPlacement(Box::new(scenario))
    }
}

impl From<dispatch::Scenario> for Any {
    fn from(scenario: dispatch::Scenario) -> Self {
        Self::Dispatch(Box::new(scenario))
    }
}
