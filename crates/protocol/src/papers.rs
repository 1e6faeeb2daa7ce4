//! Citations of the papers and of Edgewise itself.

use engine::papers::{CSGO, CitedPaper, DISCO, HEADWISE, HYPERION, MEMORIANOVA};
use engine::scenario::Question;

pub use engine::papers::own_bibtex;

/// Returns the paper of a question.
#[must_use]
pub fn of(question: Question) -> &'static CitedPaper {
    match question {
        Question::ColdStart => &CSGO,
        Question::HeadPlacement => &HEADWISE,
        Question::Dispatch => &DISCO,
        Question::Tiers => &HYPERION,
        Question::Operators => &MEMORIANOVA,
    }
}
