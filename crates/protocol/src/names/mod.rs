//! Labels that editor and answer share.

pub mod dispatch;
pub mod heads;
pub mod operators;

use engine::scenario::Question;

/// Returns the name of a question in the bar.
#[must_use]
pub const fn question(question: Question) -> &'static str {
    match question {
        Question::ColdStart => "Cold start",
        Question::HeadPlacement => "Head placement",
        Question::Dispatch => "Device or server",
        Question::Tiers => "Tiers",
        Question::Operators => "Operator graph",
    }
}
