//! A run sorted once, so that a view of it costs what is seen and not what there is.

use super::{NodeRow, RequestRun};
use engine::units::InOrder;
use std::ops::Range;
use std::sync::Arc;

/// Most lanes of a row.
pub(super) const MOST_LANES: usize = 3;

/// A run, sorted for being looked at.
///
/// # Complexity
/// O(n log n) in the passes to make; see [`RequestIndex::layout`] for what a view costs.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestIndex {
    pub(super) nodes: Arc<[NodeRow]>,
    pub(super) rows: Vec<NodeIndex>,
    /// When requests arrive [s], ascending, and which.
    pub(super) arrivals: Vec<(f64, usize)>,
    pub(super) end_s: f64,
    pub(super) marked: Option<usize>,
    /// How many requests have a pass.
    pub(super) tasks: usize,
}

/// Work of one node.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct NodeIndex {
    pub passes: RowSpans<PassSpan>,
    /// How many lanes its passes take: more than one where a node works on several requests at once.
    pub pass_lanes: usize,
    /// Stays that do not meet, lane by lane.
    pub lanes: Vec<RowSpans<Stay>>,
    /// Where there are more stays than lanes: how many more, at most.
    pub beyond: RowSpans<Beyond>,
    /// Stays held, from a time on [s].
    pub in_progress: Vec<(f64, usize)>,
    /// Most stays held at once.
    pub most: usize,
}

/// One pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PassSpan {
    pub task: usize,
    pub pass: u32,
    pub from: f64,
    pub to: f64,
    /// When the request could have begun it, but for the way between nodes: the end of its pass before, or its
    /// arrival [s].
    pub ready: f64,
    /// Its lane; a pass without a lane is counted by the pass above it.
    pub lane: Option<usize>,
    /// How many passes without a lane begin while it runs and belong to it.
    pub unlaned_passes: usize,
}

/// A request on a node, from its first pass there to its last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stay {
    pub task: usize,
    pub from: f64,
    pub to: f64,
    /// End of the prefill, where it is among the passes [s].
    pub prefill_to: Option<f64>,
    /// Time that the node worked on it [s].
    pub worked: f64,
    pub passes: usize,
}

/// Stays that found no lane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Beyond {
    pub from: f64,
    pub to: f64,
    pub most: usize,
}

/// An interval of time.
pub(super) trait HasSpan {
    /// Begin and end [s].
    fn span(&self) -> (f64, f64);
}

macro_rules! lasts {
    ($($name:ident),*) => {
        $(impl HasSpan for $name {
            fn span(&self) -> (f64, f64) {
                (self.from, self.to)
            }
        })*
    };
}
lasts!(PassSpan, Stay, Beyond);

/// Spans in order of their begins, searchable by time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RowSpans<T> {
    pub all: Vec<T>,
    /// The latest end up to each place [s]: ascending, however the spans overlap.
    reach: Vec<f64>,
    /// How long the spans before each place last together [s].
    lasting: Vec<f64>,
}

impl<T> Default for RowSpans<T> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            reach: Vec::new(),
            lasting: vec![0.0],
        }
    }
}

impl<T: HasSpan> RowSpans<T> {
    fn of(all: Vec<T>) -> Self {
        let (mut reach, mut lasting) = (Vec::with_capacity(all.len()), vec![0.0]);
        let (mut latest, mut sum) = (f64::NEG_INFINITY, 0.0);
        for item in &all {
            let (from, to) = item.span();
            latest = latest.max(to);
            sum += to - from;
            reach.push(latest);
            lasting.push(sum);
        }
        Self {
            all,
            reach,
            lasting,
        }
    }

    /// The places between which all spans lie that touch a span [s]; where spans overlap, some between may not.
    ///
    /// # Complexity
    /// O(log n).
    pub fn touching(&self, from: f64, to: f64) -> Range<usize> {
        let first = self.reach.partition_point(|end| *end < from);
        let last = self.all.partition_point(|item| item.span().0 <= to);
        first..last.max(first)
    }

    /// How long the spans between two places last together [s].
    pub fn lasting(&self, range: &Range<usize>) -> f64 {
        self.lasting[range.end] - self.lasting[range.start]
    }
}

impl RequestIndex {
    /// Sorts a run.
    #[must_use]
    pub fn of(run: &RequestRun) -> Self {
        let known = |at: &&super::PassBar| {
            at.node < run.nodes.len()
                && at.from.is_finite()
                && at.to.is_finite()
                && at.to >= at.from
        };
        // Task by task first, to know when each pass could begin.
        let mut bars: Vec<_> = run.passes.iter().filter(known).copied().collect();
        bars.in_order_by(|a, b| {
            let by_time = a.from.total_cmp(&b.from).then(a.to.total_cmp(&b.to));
            a.task.cmp(&b.task).then(by_time).then(a.pass.cmp(&b.pass))
        });
        let mut passes: Vec<Vec<PassSpan>> = vec![Vec::new(); run.nodes.len()];
        let (mut tasks, mut before) = (0, None);
        for bar in &bars {
            let ready = match before {
                Some((task, end)) if task == bar.task => end,
                _ => {
                    tasks += 1;
                    let arrival = run.arrivals.get(bar.task).copied();
                    arrival.filter(|s| s.is_finite()).unwrap_or(bar.from)
                }
            };
            before = Some((bar.task, bar.to));
            passes[bar.node].push(PassSpan {
                task: bar.task,
                pass: bar.pass,
                from: bar.from,
                to: bar.to,
                ready: ready.min(bar.from),
                lane: None,
                unlaned_passes: 0,
            });
        }
        let mut arrivals: Vec<(f64, usize)> =
            (0..).zip(&run.arrivals).map(|(n, s)| (*s, n)).collect();
        arrivals.retain(|(s, _)| s.is_finite());
        arrivals.in_order_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let last = bars.iter().map(|bar| bar.to).fold(0.0, f64::max);
        Self {
            nodes: run.nodes.clone().into(),
            rows: passes.into_iter().map(NodeIndex::of).collect(),
            arrivals,
            end_s: if run.end_s.is_finite() {
                run.end_s
            } else {
                last
            },
            marked: run.marked,
            tasks,
        }
    }

    /// When the run ends: where the axis does [s].
    #[must_use]
    pub const fn end_s(&self) -> f64 {
        self.end_s
    }
}

impl NodeIndex {
    /// From the passes of a node, task by task and in order of time.
    fn of(mut passes: Vec<PassSpan>) -> Self {
        let mut stays: Vec<Stay> = Vec::new();
        for pass in &passes {
            let prefill_to = (pass.pass == 0).then_some(pass.to);
            match stays.last_mut().filter(|stay| stay.task == pass.task) {
                Some(stay) => {
                    stay.to = stay.to.max(pass.to);
                    stay.worked += pass.to - pass.from;
                    stay.passes += 1;
                    stay.prefill_to = stay.prefill_to.or(prefill_to);
                }
                None => stays.push(Stay {
                    task: pass.task,
                    from: pass.from,
                    to: pass.to,
                    prefill_to,
                    worked: pass.to - pass.from,
                    passes: 1,
                }),
            }
        }
        stays.in_order_by(|a, b| a.from.total_cmp(&b.from).then(a.task.cmp(&b.task)));
        passes.in_order_by(|a, b| a.from.total_cmp(&b.from).then(a.task.cmp(&b.task)));
        let pass_lanes = lanes_of_passes(&mut passes);
        let held = occupancy(&stays);
        let (lanes, rest) = lanes(stays);
        Self {
            passes: RowSpans::of(passes),
            pass_lanes,
            lanes: lanes.into_iter().map(RowSpans::of).collect(),
            beyond: RowSpans::of(beyond(&rest)),
            most: held.iter().map(|(_, n)| *n).max().unwrap_or(0),
            in_progress: held,
        }
    }

    /// Stays held at once in a span [s]: the most, and on average; given where in the sorted stays a search may
    /// begin, and answering where the next may.
    pub fn in_progress_during(&self, from: f64, to: f64, start: usize) -> (usize, f64, usize) {
        let mut at = start;
        while self
            .in_progress
            .get(at + 1)
            .is_some_and(|(s, _)| *s <= from)
        {
            at += 1;
        }
        let (mut most, mut sum) = (0, 0.0);
        for (k, (begin, n)) in self.in_progress.iter().enumerate().skip(at) {
            if *begin >= to {
                break;
            }
            let end = self
                .in_progress
                .get(k + 1)
                .map_or(to, |next| next.0.min(to));
            sum += (end - begin.max(from)).max(0.0) * *n as f64;
            most = most.max(*n);
        }
        let mean = if to > from { sum / (to - from) } else { 0.0 };
        (most, mean, at)
    }
}

/// The first lane that is free at a time, or a new one while there are fewer than may be.
fn free_lane(ends: &mut Vec<f64>, from: f64, to: f64) -> Option<usize> {
    let lane = match ends.iter().position(|end| *end <= from) {
        Some(lane) => lane,
        None if ends.len() < MOST_LANES => {
            ends.push(to);
            ends.len() - 1
        }
        None => return None,
    };
    ends[lane] = to;
    Some(lane)
}

fn lanes(stays: Vec<Stay>) -> (Vec<Vec<Stay>>, Vec<Stay>) {
    let (mut ends, mut lanes, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for stay in stays {
        match free_lane(&mut ends, stay.from, stay.to) {
            None => rest.push(stay),
            Some(lane) => {
                if lane == lanes.len() {
                    lanes.push(Vec::new());
                }
                lanes[lane].push(stay);
            }
        }
    }
    (lanes, rest)
}

/// Gives passes their lanes; answers how many they take.
fn lanes_of_passes(passes: &mut [PassSpan]) -> usize {
    let (mut ends, mut over) = (Vec::new(), None::<usize>);
    for at in 0..passes.len() {
        let lane = free_lane(&mut ends, passes[at].from, passes[at].to);
        passes[at].lane = lane;
        match (lane, over) {
            // The last lane is the one that has more beside it.
            (Some(lane), _) if lane + 1 == MOST_LANES => over = Some(at),
            (None, Some(over)) => passes[over].unlaned_passes += 1,
            _ => {}
        }
    }
    ends.len().max(1)
}

/// How many of some stays there are from each time on; one of no length is not held.
fn occupancy(stays: &[Stay]) -> Vec<(f64, usize)> {
    let mut ends: Vec<f64> = stays.iter().map(|stay| stay.to).collect();
    ends.sort_by(f64::total_cmp);
    let mut steps: Vec<(f64, usize)> = Vec::with_capacity(2 * stays.len());
    let (mut begun, mut ended) = (0, 0);
    while ended < ends.len() {
        let next = stays.get(begun).map_or(f64::INFINITY, |stay| stay.from);
        let now = next.min(ends[ended]);
        while stays.get(begun).is_some_and(|stay| stay.from <= now) {
            begun += 1;
        }
        while ends.get(ended).is_some_and(|end| *end <= now) {
            ended += 1;
        }
        steps.push((now, begun - ended));
    }
    steps
}

/// Spans that meet as one, with the most of them at once.
fn beyond(rest: &[Stay]) -> Vec<Beyond> {
    let mut all: Vec<Beyond> = Vec::new();
    let mut first = 0;
    while first < rest.len() {
        let (mut to, mut end) = (rest[first].to, first + 1);
        while rest.get(end).is_some_and(|stay| stay.from < to) {
            to = to.max(rest[end].to);
            end += 1;
        }
        let most = occupancy(&rest[first..end])
            .into_iter()
            .map(|(_, n)| n)
            .max();
        all.push(Beyond {
            from: rest[first].from,
            to,
            most: most.unwrap_or(0).max(1),
        });
        first = end;
    }
    all
}
