//! Charts of "device or server": how long the device waits ([`layout_waits`]), who has answered by when
//! ([`layout_shares`]), one request token by token ([`layout_tokens`]), samples under their fitted law
//! ([`layout_spread`]), cost against time ([`layout_front`](super::layout_front)).
//!
//! All of them are laid out to one type, [`InteractiveChart`](super::InteractiveChart): a picture and its hit targets for pointer and
//! keys. Words are offered to the picture and written only where nothing is written yet, the important ones first, so
//! that no width makes them meet. A sweep over budgets is drawn by [`super::layout_lines`].

mod flags;
mod shares;
mod spread;
mod tokens;
mod waits;

pub use shares::{ShareCurve, Shares, layout_shares};
pub use spread::{SpreadChart, layout_spread};
pub use tokens::{ChartHandover, RaceStart, TokenLine, Writer, layout_tokens, tokens_legend};
pub use waits::{ScarceSide, WaitCurve, WaitPoint, WaitsChart, layout_waits};

#[cfg(test)]
mod tests;
