//! Waiting lines: first come, first served. A task waits in one line at a time, so all lines together need one
//! link a task: no line ever allocates.
//!
//! Complexity: O(1) for joining and leaving, O(lines + tasks) memory.

/// Index that stands for no entry.
const NONE: u32 = u32::MAX;

/// Lines over tasks 0 to n - 1; each task is in at most one of them.
#[derive(Debug, Clone)]
pub struct FifoQueues {
    ends: Vec<Ends>,
    behind: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Ends {
    first: u32,
    last: u32,
    length: u32,
}

impl FifoQueues {
    /// Creates empty queues for `tasks` tasks, fewer than 2³² - 1.
    #[must_use]
    pub fn new(lines: usize, tasks: usize) -> Self {
        let empty = Ends {
            first: NONE,
            last: NONE,
            length: 0,
        };
        Self {
            ends: vec![empty; lines],
            behind: vec![NONE; tasks],
        }
    }

    /// A task that is in no line joins the end of one.
    #[inline]
    pub fn join(&mut self, line: usize, task: u32) {
        let ends = &mut self.ends[line];
        if ends.length == 0 {
            ends.first = task;
        } else {
            self.behind[ends.last as usize] = task;
        }
        ends.last = task;
        ends.length += 1;
    }

    /// The head of a line leaves it.
    #[inline]
    pub fn leave(&mut self, line: usize) -> Option<u32> {
        let ends = &mut self.ends[line];
        if ends.length == 0 {
            return None;
        }
        let task = ends.first;
        ends.length -= 1;
        ends.first = self.behind[task as usize];
        Some(task)
    }

    /// The head of a line.
    #[must_use]
    #[inline]
    pub fn head(&self, line: usize) -> Option<u32> {
        let ends = self.ends[line];
        (ends.length > 0).then_some(ends.first)
    }

    /// How many are in a line.
    #[must_use]
    #[inline]
    pub fn len(&self, line: usize) -> usize {
        self.ends[line].length as usize
    }

    /// Returns true if a queue is empty.
    #[must_use]
    #[inline]
    pub fn is_empty(&self, line: usize) -> bool {
        self.ends[line].length == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_leaves_in_the_order_it_came_and_may_join_again() {
        let mut lines = FifoQueues::new(2, 5);
        for task in [3, 1, 4] {
            lines.join(0, task);
        }
        lines.join(1, 0);
        assert_eq!((lines.len(0), lines.head(0)), (3, Some(3)));
        assert_eq!(lines.leave(0), Some(3));
        lines.join(1, 3);
        lines.join(0, 2);
        let rest: Vec<u32> = std::iter::from_fn(|| lines.leave(0)).collect();
        assert_eq!(rest, [1, 4, 2]);
        assert!(lines.is_empty(0) && lines.head(0).is_none());
        lines.join(0, 4);
        assert_eq!(lines.leave(0), Some(4));
        assert_eq!([lines.leave(1), lines.leave(1)], [Some(0), Some(3)]);
        assert_eq!(lines.leave(1), None);
    }
}
