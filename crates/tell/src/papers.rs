//! Citations of the papers and of Edgewise itself.

use engine::papers::{CSGO, DISCO, HEADWISE, HYPERION, MEMORIANOVA, Paper};
use engine::scenario::Question;

pub use engine::papers::own_bibtex;

/// Returns the paper of a question.
#[must_use]
pub fn of(question: Question) -> &'static Paper {
    match question {
        Question::ColdStart => &CSGO,
        Question::HeadPlacement => &HEADWISE,
        Question::Dispatch => &DISCO,
        Question::Tiers => &HYPERION,
        Question::Operators => &MEMORIANOVA,
    }
}
