//! What things of a form are called, in the form and in the answer alike.

pub mod dispatch;
pub mod heads;
pub mod operators;
