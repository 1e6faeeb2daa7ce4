//! Recorded timelines: what each resource did from when to when. A long run is recorded in part: within a window
//! of time, and never more than a number of segments.
//!
//! Complexity: O(1) a segment; 32 bytes each.

use serde::{Deserialize, Serialize};

/// A resource busy with one pass of a task.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TimeSegment {
    /// The resource, counted from 0 over all of them.
    pub resource: u32,
    /// The task, from 0.
    pub task: u32,
    /// The pass of the task, from 0.
    pub pass: u32,
    /// Start [s].
    pub from: f64,
    /// End [s].
    pub to: f64,
}

/// Part of a timeline to record.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RecordWindow {
    /// Segments that end before this [s] are left out.
    pub from: f64,
    /// Segments that start after this [s] are left out.
    pub to: f64,
    /// The most segments; the rest is counted only.
    pub most: usize,
}

impl RecordWindow {
    /// Everything, up to a number of segments.
    #[must_use]
    pub const fn all(most: usize) -> Self {
        Self {
            from: 0.0,
            to: f64::INFINITY,
            most,
        }
    }

    /// A record of nothing.
    #[must_use]
    pub const fn none() -> Self {
        Self::all(0)
    }
}

/// Keeps the segments of a window.
#[derive(Debug, Clone)]
pub struct Recorder {
    window: RecordWindow,
    segments: Vec<TimeSegment>,
    left_out: u64,
}

impl Recorder {
    /// An empty record.
    #[must_use]
    pub fn new(window: RecordWindow) -> Self {
        Self {
            window,
            segments: Vec::new(),
            left_out: 0,
        }
    }

    /// Records a segment if the window asks for it.
    #[inline]
    pub fn record(&mut self, segment: TimeSegment) {
        if segment.to < self.window.from || segment.from > self.window.to {
            return;
        }
        if self.segments.len() < self.window.most {
            self.segments.push(segment);
        } else {
            self.left_out += 1;
        }
    }

    /// The segments in the order they began, and how many of the window did not fit.
    #[must_use]
    pub fn finish(self) -> (Vec<TimeSegment>, u64) {
        (self.segments, self.left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_holds_its_window_and_counts_what_did_not_fit() {
        let mut recorder = Recorder::new(RecordWindow {
            from: 2.0,
            to: 5.0,
            most: 2,
        });
        for (task, from) in [(0_u32, 0.0), (1, 1.5), (2, 3.0), (3, 4.5), (4, 6.0)] {
            recorder.record(TimeSegment {
                resource: 0,
                task,
                pass: 0,
                from,
                to: from + 1.0,
            });
        }
        let (segments, left_out) = recorder.finish();
        let tasks: Vec<u32> = segments.iter().map(|s| s.task).collect();
        assert_eq!((tasks, left_out), (vec![1, 2], 1));
    }
}
