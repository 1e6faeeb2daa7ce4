//! An answer as data, and every form in which it is read.
//!
//! A [`Story`] is sections of [`Block`]s: sentences, quantities that know the formula they come from, tables, charts. Whatever
//! answers a question says it once, as a story; the renderers here make text, Markdown, HTML and JSON of it, the page shows the
//! same blocks, and [`compare`] makes a story of the differences between two.
//!
//! | module | what it holds |
//! |---|---|
//! | [`sentence`] | words, some of them strong; lists and counts |
//! | [`quantity`] | a number with its unit, its formula and what went into it |
//! | [`table`] | rows and columns, and their files |
//! | [`listing`] | rows to look through, with what can be done in each |
//! | [`block`] | what a story is made of |
//! | [`claims`] | what a paper claims beside what is computed here |
//! | [`dial`] | controls |
//! | [`later`] | what of it is still to be found out, and what comes of that |
//! | [`steps`] | single steps of an order of operators, in words |
//! | [`text`], [`markdown`], [`html`] | the forms |
//! | [`compare`] | what differs between two answers |
//! | [`wire`] | a story on its way from a worker to the page |
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod block;
pub mod claims;
pub mod compare;
pub mod control;
pub mod deferred;
pub mod html;
pub mod input;
pub mod listing;
pub mod markdown;
pub mod quantity;
pub mod sentence;
pub mod steps;
pub mod table;
pub mod text;
pub mod wire;

pub use block::{
    Block, Chart, ChartInteraction, Choice, Edit, Explained, FigurePart, Figures, Paper, Section,
    Story, Tone, Verdict,
};
pub use claims::{ClaimRow, Claims};
pub use control::{Control, ControlGroup, ControlInput};
pub use deferred::{CacheScope, DeferredQuery, DeferredSlot, Patch, Trigger};
pub use input::Input;
pub use listing::{CellGraphic, RichCell, RichRow, RichTable, RowAction};
pub use quantity::{Formula, Quantity, Unit};
pub use sentence::{Sentence, counted, list};
pub use steps::Walk;
pub use table::{Cell, Table, TableColumn};
pub use wire::{Name, PackedBytes};
