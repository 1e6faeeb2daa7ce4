//! How the papers are cited, and this program.

use engine::papers::{CSGO, DISCO, HEADWISE, HYPERION, MEMORIANOVA, Paper};
use engine::scenario::Question;

pub use engine::papers::own_bibtex;

/// The paper behind a question: its citation in a line and its entry for BibTeX are asked of it.
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
