//! Charts over steps as they are looked at: at which step, how much of their axis, without which lines.

use super::drawing::ChartSpec;
use super::gantt::TimeView;
use std::sync::Arc;

impl ChartSpec {
    /// Returns the drawing at a step, if it has steps and one is given, with the visible part of its axis.
    #[must_use]
    pub fn looked_at(&self, at: Option<f64>, seen: Option<TimeView>) -> Self {
        let mut all = self.clone();
        let (step, view) = match &mut all {
            Self::Memory(memory) => (&mut memory.step, &mut memory.view),
            Self::Arena(arena) => (&mut arena.step, &mut arena.view),
            Self::Slices(slices) => (&mut slices.step, &mut slices.view),
            _ => return all,
        };
        *step = at.map(|at| at as usize).or(*step);
        *view = seen.or(*view);
        all
    }

    /// Where a step is on its axis, where keys walk from step to step.
    #[must_use]
    pub fn place_of(&self, step: f64) -> Option<f64> {
        match self {
            // Between steps there is one figure more, before the first.
            Self::Memory(memory) => Some(step + f64::from(u8::from(memory.between))),
            Self::Slices(_) => Some(step),
            _ => None,
        }
    }

    /// Names of the lines that can be hidden: those beside the first, which the chart is about.
    #[must_use]
    pub fn optional_lines(&self) -> Vec<String> {
        match self {
            Self::Memory(memory) => {
                let others = memory.orders.iter().skip(1);
                others.map(|line| line.name.clone()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the drawing without some series.
    #[must_use]
    pub fn without(&self, hidden: &[String]) -> Self {
        let mut all = self.clone();
        if let Self::Memory(memory) = &mut all {
            let lines = memory.orders.iter().enumerate();
            let seen = lines.filter(|(at, line)| *at == 0 || !hidden.contains(&line.name));
            memory.orders = Arc::new(seen.map(|(_, line)| line.clone()).collect());
        }
        all
    }
}
