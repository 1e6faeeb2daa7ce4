//! What is known about each mark of a run: for the card under a pointer and the keys.

use super::RequestChart;
use crate::gantt::Step;
use crate::heads::MarkWords;
use crate::held::{Held, Place};
use crate::ink::Ink;
use crate::mark::{Mark, Picture, Rect, Shape};
use crate::scale::TimeScale;
use engine::units::{NARROW, seconds};

/// What a mark of a run stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RequestPart {
    /// A request on a node, from its first pass there to its last.
    Stay {
        /// What the node worked on it [s].
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
        /// How many passes of other requests lie under this one.
        beside: usize,
    },
    /// Stays or passes too slim to be told apart, one after another.
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
    Held {
        /// How many at once, at most.
        most: usize,
        /// How many on average.
        mean: f64,
    },
}

/// A mark that a pointer or a key can reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RequestHit {
    /// Where it stands [px]; `None` just outside the visible span.
    pub rect: Option<Rect>,
    /// Its node, from 0.
    pub row: usize,
    /// Its request, from 0; none for several.
    pub task: Option<usize>,
    /// What it is.
    pub part: RequestPart,
    /// Begin [s].
    pub from_s: f64,
    /// End [s].
    pub to_s: f64,
}

/// Slimmer marks are caught as if they were this wide [px].
const CATCH_PX: f64 = 7.0;

impl RequestChart {
    /// The hits of a row, in order of time.
    fn in_row(&self, row: usize) -> std::ops::Range<usize> {
        self.rows.get(row).cloned().unwrap_or(0..0)
    }

    /// The mark at a point [px], or `None` on empty ground.
    ///
    /// # Complexity
    /// O(log rows + marks of the row).
    #[must_use]
    pub fn hit_at(&self, x: f64, y: f64) -> Option<usize> {
        let row = self.bands.partition_point(|band| band.bottom() < y);
        let away = |r: &Rect| (r.x - x).max(x - r.right()).max(0.0);
        let caught = self.in_row(row).filter_map(|at| {
            let rect = self.hits[at].rect?;
            let slack = (CATCH_PX - rect.w).max(0.0) / 2.0;
            let wider = Rect::new(rect.x - slack, rect.y, rect.w + 2.0 * slack, rect.h);
            wider.contains(x, y).then_some((at, away(&rect), rect.w))
        });
        // What is really under the point goes before what is only caught, and of those the slimmest.
        caught
            .min_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)))
            .map(|(at, ..)| at)
    }

    /// Where a step of the keyboard leads, or `None` at the border. In a row it may lead to what lies just outside
    /// the visible span. The chain is the same request on its way through the nodes, and after its last mark its
    /// first again.
    #[must_use]
    pub fn neighbour(&self, hit: usize, step: Step) -> Option<usize> {
        let here = self.hits.get(hit)?;
        let row = self.in_row(here.row);
        match step {
            Step::Earlier => hit.checked_sub(1).filter(|at| row.contains(at)),
            Step::Later => Some(hit + 1).filter(|at| row.contains(at)),
            Step::First => Some(row.start),
            Step::Last => row.last(),
            Step::Above => (0..here.row)
                .rev()
                .find_map(|row| self.at_time_in(row, here)),
            Step::Below => {
                (here.row + 1..self.rows.len()).find_map(|row| self.at_time_in(row, here))
            }
            Step::Chain => {
                let task = here.task?;
                let key = |at: usize| (self.hits[at].from_s, at);
                let order = |a: &usize, b: &usize| {
                    let ((ta, a), (tb, b)) = (key(*a), key(*b));
                    ta.total_cmp(&tb).then(a.cmp(&b))
                };
                let own = (0..self.hits.len()).filter(|at| self.hits[*at].task == Some(task));
                let after = own
                    .clone()
                    .filter(|at| order(at, &hit).is_gt())
                    .min_by(order);
                after.or_else(|| own.min_by(order))
            }
        }
    }

    /// The visible mark of a row whose span is nearest to the middle of a given one.
    fn at_time_in(&self, row: usize, to: &RequestHit) -> Option<usize> {
        let middle = (to.from_s + to.to_s) / 2.0;
        let away = |hit: &RequestHit| (hit.from_s - middle).max(middle - hit.to_s).max(0.0);
        let seen = self.in_row(row).filter(|at| self.hits[*at].rect.is_some());
        seen.min_by(|a, b| away(&self.hits[*a]).total_cmp(&away(&self.hits[*b])))
    }

    /// The same mark in this chart as one of another view of the same run, or the one that stands for it here.
    #[must_use]
    pub fn find(&self, other: &RequestHit) -> Option<usize> {
        let number = |part: &RequestPart| match part {
            RequestPart::Pass { pass, .. } => Some(*pass),
            _ => None,
        };
        let row = self.in_row(other.row);
        let same = |at: &usize| {
            let hit = &self.hits[*at];
            hit.task == other.task
                && hit.from_s == other.from_s
                && number(&hit.part) == number(&other.part)
        };
        row.clone()
            .find(same)
            .or_else(|| {
                row.clone()
                    .find(|at| other.task.is_some() && self.hits[*at].task == other.task)
            })
            .or_else(|| self.at_time_in(other.row, other))
    }

    /// The picture with one request marked wherever it is seen.
    #[must_use]
    pub fn lit(&self, task: usize) -> Picture {
        let mut picture = self.picture.clone();
        for (at, hit) in self.hits.iter().enumerate() {
            if let (true, Some(rect)) = (hit.task == Some(task), hit.rect) {
                picture.marks.extend(marked(rect).map(|mark| mark.of(at)));
            }
        }
        picture
    }

    /// The ring round a selected hit, or `None` while it is out of sight.
    #[must_use]
    pub fn ring(&self, hit: usize) -> Option<Mark> {
        let rect = self.hits.get(hit)?.rect?;
        Some(Mark::new(Ink::Focus, Shape::Ring { rect }).of(hit))
    }

    /// What the card of a hit says; `None` where there is no such hit.
    #[must_use]
    pub fn words(&self, hit: usize) -> Option<MarkWords> {
        let hit = self.hits.get(hit)?;
        let node = self.nodes.get(hit.row)?.name.as_str();
        let row = |name: &str, value: String| (name.to_owned(), value);
        let mut rows = vec![row("Node", node.to_owned())];
        let (what, mut spoken) = match (hit.task, hit.part) {
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
            (None, RequestPart::Held { most, mean }) => {
                rows.push(row("Requests at once", format!("up to {most}")));
                rows.push(row("On average", format!("{mean:.2}")));
                let what = format!("up to {most} at once");
                (what.clone(), format!("{what}, {mean:.2} on average"))
            }
            (None, _) => (String::new(), String::new()),
        };
        if let RequestPart::Pass { pass, .. } = hit.part {
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
        match hit.part {
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
                waited_s, beside, ..
            } => {
                rows.push(row("Waited", seconds(waited_s)));
                if beside > 0 {
                    rows.push(row("Concurrent", format!("{beside} others")));
                }
                if waited_s > 0.0 {
                    spoken.push_str(&format!(", waited {}", seconds(waited_s)));
                }
            }
            RequestPart::Many { .. } | RequestPart::Beyond { .. } | RequestPart::Held { .. } => {}
        }
        Some(MarkWords {
            title: format!("{node}, {what}"),
            rows,
            spoken,
        })
    }
}

impl Held for RequestChart {
    fn shade(&self, hit: usize) -> Option<usize> {
        Some(self.nodes.get(self.hits.get(hit)?.row)?.shade)
    }

    fn picture(&self) -> &Picture {
        &self.picture
    }

    fn axis(&self) -> Option<&Picture> {
        Some(&self.axis)
    }

    fn scale(&self) -> Option<&TimeScale> {
        Some(&self.scale)
    }

    fn bands(&self) -> &[Rect] {
        &self.bands
    }

    fn count(&self) -> usize {
        self.hits.len()
    }

    fn place(&self, hit: usize) -> Option<Place> {
        self.hits.get(hit).map(|hit| Place {
            rect: hit.rect,
            row: hit.row,
            from_s: hit.from_s,
            to_s: hit.to_s,
        })
    }

    fn at(&self, x: f64, y: f64) -> Option<usize> {
        self.hit_at(x, y)
    }

    fn beside(&self, hit: usize, step: Step) -> Option<usize> {
        self.neighbour(hit, step)
    }

    fn words(&self, hit: usize) -> Option<MarkWords> {
        Self::words(self, hit)
    }

    fn lit_by(&self, hit: usize) -> Picture {
        match self.hits.get(hit).and_then(|hit| hit.task) {
            Some(task) => self.lit(task),
            None => self.picture.clone(),
        }
    }

    fn ring_of(&self, hit: usize) -> Option<Mark> {
        self.ring(hit)
    }
}

/// A time of day of the run: to the millisecond.
fn clock(s: f64) -> String {
    format!("{s:.3}{NARROW}s")
}

/// A frame two pixels wide on a mark, by which one request is known everywhere.
pub(super) fn marked(rect: Rect) -> [Mark; 2] {
    let frame = |rect| Mark::new(Ink::Text, Shape::Frame { rect, dash: &[] });
    [frame(rect), frame(rect.grown(-1.0))]
}
