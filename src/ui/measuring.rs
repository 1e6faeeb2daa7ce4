//! How far runs of a paper's own are that the worker makes one by one.

/// How many were asked for and how many have come; nothing is asked for while they rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Measuring {
    /// How many were asked for.
    pub asked: usize,
    /// How many have come, refusals included.
    pub came: usize,
}

impl Measuring {
    /// So many are asked for now.
    pub const fn of(asked: usize) -> Self {
        Self { asked, came: 0 }
    }

    /// Whether some are still to come.
    pub const fn is_going(self) -> bool {
        self.came < self.asked
    }

    /// Another one has come.
    pub fn one_came(&mut self) {
        self.came += 1;
        if !self.is_going() {
            *self = Self::default();
        }
    }
}
