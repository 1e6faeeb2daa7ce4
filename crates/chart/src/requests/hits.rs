//! Hit targets of a run: for the card under a pointer and the keys.

use super::NodeRow;
use crate::ink::Ink;
use crate::interaction::{ChartLayout, HitTarget, HitTest, MarkDescriber, MarkWords, RowHits, row};
use crate::mark::{Mark, Picture, Rect};
use engine::units::{NARROW, seconds};
use std::ops::Range;
use std::sync::Arc;

/// Meaning of a mark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum RequestPart {
    /// A request on a node, from its first pass there to its last.
    Stay {
        /// Time that the node worked on it [s].
        worked_s: f64,
        /// How many passes that took.
        passes: usize,
        /// End of the prefill [s], where it is among the passes.
        prefill_to_s: Option<f64>,
    },
    /// One pass.
    Pass {
        /// Which, from 0: the prefill.
        pass: u32,
        /// From the end of the request's pass before, or its arrival, to the begin of this one, the way between
        /// nodes included [s].
        waited_s: f64,
        /// How many passes of other requests are under this one.
        overlapping: usize,
    },
    /// Stays or passes too slim to be distinguished, one after another.
    Many {
        /// How many.
        count: usize,
    },
    /// Stays beyond the lanes.
    Beyond {
        /// How many at once, at most.
        most: usize,
    },
    /// A piece of a row that is drawn as a profile of the requests it holds.
    Occupied {
        /// How many at once, at most.
        most: usize,
        /// How many on average.
        mean: f64,
    },
}

/// A mark that a pointer or a key can reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RequestHit {
    /// Where it stands [px]; `None` just outside the visible span.
    pub rect: Option<Rect>,
    /// Its node, from 0.
    pub row: usize,
    /// Its request, from 0; none for several.
    pub task: Option<usize>,
    /// Meaning.
    pub meaning: RequestPart,
    /// Begin [s].
    pub from_s: f64,
    /// End [s].
    pub to_s: f64,
}

/// Slimmer marks are caught as if they were this wide [px].
const CATCH_PX: f64 = 7.0;

/// Describes the marks.
#[derive(Debug, Clone, PartialEq)]
pub struct RunDescriber {
    pub(super) items: Vec<RequestHit>,
    pub(super) nodes: Arc<[NodeRow]>,
    /// True if single passes are drawn rather than stays.
    pub(crate) is_passes: bool,
}

impl RunDescriber {
    /// The marks of the rows, each of so many; the chain is a request on its way through the nodes.
    pub(super) fn rows(&self, ranges: Vec<Range<usize>>) -> RowHits {
        let mut rows = RowHits::default();
        for range in ranges {
            let hit = |of: usize| {
                let item = &self.items[of];
                HitTarget {
                    rect: item.rect,
                    row: item.row,
                    from_s: item.from_s,
                    to_s: item.to_s,
                    shade: self.nodes.get(item.row).map(|node| node.shade),
                    of,
                    chain: item.task,
                    is_link: item.task.is_some(),
                    ..HitTarget::default()
                }
            };
            rows.add(HitTest::Under(CATCH_PX), range.map(hit));
        }
        rows
    }
}

impl MarkDescriber for RunDescriber {
    /// One request marked wherever it is seen.
    fn light(&self, laid: &ChartLayout, at: usize, picture: &mut Picture) {
        let task = self.items[laid.hits[at].of].task;
        for (at, item) in self.items.iter().enumerate() {
            if let (true, Some(rect)) = (task.is_some() && item.task == task, item.rect) {
                picture.marks.extend(marked(rect).map(|mark| mark.of(at)));
            }
        }
    }

    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        let hit = self.items.get(hit.of)?;
        let node = self.nodes.get(hit.row)?.name.as_str();
        let mut rows = vec![row("Node", node)];
        let (what, mut spoken) = match (hit.task, hit.meaning) {
            (Some(task), part) => {
                let request = format!("request {}", task + 1);
                rows.push(row("Request", (task + 1).to_string()));
                match part {
                    RequestPart::Pass { pass: 0, .. } => {
                        (request.clone(), format!("{request}, prefill"))
                    }
                    RequestPart::Pass { pass, .. } => {
                        (request.clone(), format!("{request}, token {pass}"))
                    }
                    _ => (request.clone(), request),
                }
            }
            (None, RequestPart::Many { count }) => {
                let what = format!("{count} back to back");
                rows.push(row("Back to back", count.to_string()));
                (what.clone(), what)
            }
            (None, RequestPart::Beyond { most }) => {
                let what = format!("up to {most} more at once");
                rows.push(row("More at once", format!("up to {most}")));
                (what.clone(), what)
            }
            (None, RequestPart::Occupied { most, mean }) => {
                rows.push(row("Requests at once", format!("up to {most}")));
                rows.push(row("On average", format!("{mean:.2}")));
                let what = format!("up to {most} at once");
                (what.clone(), format!("{what}, {mean:.2} on average"))
            }
            (None, _) => (String::new(), String::new()),
        };
        if let RequestPart::Pass { pass, .. } = hit.meaning {
            let name = if pass == 0 {
                "prefill".to_owned()
            } else {
                format!("token {pass}")
            };
            rows.push(row("Pass", name));
        }
        rows.push(row("From", clock(hit.from_s)));
        rows.push(row("To", clock(hit.to_s)));
        rows.push(row("Takes", seconds(hit.to_s - hit.from_s)));
        spoken = format!(
            "{node}, {spoken}, {:.3} to {:.3} seconds",
            hit.from_s, hit.to_s
        );
        match hit.meaning {
            RequestPart::Stay {
                worked_s,
                passes,
                prefill_to_s,
            } => {
                rows.push(row("Processed", seconds(worked_s)));
                rows.push(row("Waited", seconds(hit.to_s - hit.from_s - worked_s)));
                rows.push(row("Passes", passes.to_string()));
                rows.extend(prefill_to_s.map(|s| row("Prefill until", clock(s))));
                let share = 100.0 * worked_s / (hit.to_s - hit.from_s);
                if share.is_finite() {
                    spoken.push_str(&format!(", {share:.0} percent of it being processed"));
                }
            }
            RequestPart::Pass {
                waited_s,
                overlapping,
                ..
            } => {
                rows.push(row("Waited", seconds(waited_s)));
                if overlapping > 0 {
                    rows.push(row("Concurrent", format!("{overlapping} others")));
                }
                if waited_s > 0.0 {
                    spoken.push_str(&format!(", waited {}", seconds(waited_s)));
                }
            }
            RequestPart::Many { .. }
            | RequestPart::Beyond { .. }
            | RequestPart::Occupied { .. } => {}
        }
        Some(MarkWords {
            title: format!("{node}, {what}"),
            rows,
            aria_label: spoken,
            notes: Vec::new(),
        })
    }
}

/// A time of day of the run: to the millisecond.
fn clock(s: f64) -> String {
    format!("{s:.3}{NARROW}s")
}

/// A frame two pixels wide on a mark, by which one request is known everywhere.
pub(super) fn marked(rect: Rect) -> [Mark; 2] {
    let frame = |rect| Mark::frame(Ink::Text, &[], rect);
    [frame(rect), frame(rect.grown(-1.0))]
}
