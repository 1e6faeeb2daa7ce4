//! The plan with the least a T + b D: exact, and any time.
//!
//! T + G D is what a whole answer takes, D alone finds the plan of the steady state, T alone under a limit on D breaks its
//! ties. A label says that layers 1 to j are done by a set of devices, the last of them d, at time t, and that a token takes
//! D so far. Of two labels of the same set and layer, A makes B superfluous when it hands over no more slowly,
//! D_A ≤ D_B, and a t_A + b D_A ≤ a t_B + b D_B. *Proof:* give A the completion of B. Its finish F(t) never decreases in t
//! and grows by no more than t does, since each stage takes the later of its load and its predecessor and adds a constant.
//! If t_A ≤ t_B, both parts are no larger. Otherwise F(t_A) ≤ F(t_B) + (t_A - t_B), so
//! a F(t_A) + b D_A ≤ a F(t_B) + a (t_A - t_B) + b D_A ≤ a F(t_B) + b D_B, and what the completion adds to D is the same.
//!
//! Labels are extended in order of their bound ([`super::completion_bound`]), the least first, so that the least bound of those that
//! wait is a proof at any moment; a narrow search by stages finds good plans before. A step of [`Limits`] is
//! some 250 stages that are tried. Source: section 12 of the method's description gives state and dominance of pairs; the rest is ours.

use super::completion_bound::{CompletionBound, Fills, all_but, any};
use super::costs::TokenCosts;
use crate::cold_start::search::costs::StageCosts;
use engine::plan::{Pipeline, Stage};
use engine::problem::ColdStart;
use engine::solve::{Ended, Limits, Progress, SearchEvent, StopReason};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::ControlFlow;

/// Objective: `time` T + `token` D, among plans with D up to `most_token`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Aim {
    /// Weight of T, a.
    pub time: f64,
    /// Weight of D, b.
    pub token: f64,
    /// The largest D that is allowed [s].
    pub most_token: f64,
}

/// Known before the search: a plan with its value, and a lower bound of T [s].
#[derive(Debug, Clone, Default)]
pub(super) struct StartingPoint {
    /// The best plan and its value.
    pub best: Option<(Pipeline, f64)>,
    /// No plan has a T below this.
    pub least_time: f64,
}

/// Result of the search.
#[derive(Debug)]
pub(super) struct WholeResult {
    /// The best plan and its value.
    pub best: Option<(Pipeline, f64)>,
    /// No plan has a lower value.
    pub bound: f64,
    /// [`Ended::Optimal`] without a plan proves that there is none.
    pub ended: Ended,
}

/// Before the first stage.
const NONE: u32 = u32::MAX;
/// Labels that the narrow search keeps a level.
const NARROW: usize = 300;
/// Memory of a label with its entries in heap and map [B].
const LABEL_BYTES: u64 = 120;
/// Default limit of the labels' memory [B].
const MEMORY: u64 = 480_000_000;
/// Plans better by less than this, relative, are not looked for.
const ROUNDING: f64 = 1e-12;
/// Stages of a step.
const STEP: u64 = 256;
/// Labels between two words to the listener.
const STRIDE: u64 = 64;

#[derive(Debug, Clone, Copy)]
struct Label {
    set: u32,
    done: u16,
    last: u8,
    is_dead: bool,
    parent: u32,
    time: f64,
    token: f64,
    bound: f64,
}

/// The search.
struct Search<'a> {
    costs: &'a StageCosts,
    tokens: &'a TokenCosts,
    completion_bound: CompletionBound,
    aim: Aim,
    least_time: f64,
    labels: Vec<Label>,
    /// Labels that nothing makes superfluous, by set and layer.
    nondominated: BTreeMap<(u32, u16), Vec<u32>>,
    best: Option<(Pipeline, f64)>,
    fills: Fills,
    /// Stages that were tried.
    tried: u64,
}

/// Searches; `costs` and `tokens` are those of `problem`.
///
/// # Complexity
/// O(n K (K + L)) time for n labels extended, at worst all K L 2^K states with many pairs each.
pub(super) fn search(
    problem: &ColdStart,
    (costs, tokens): (&StageCosts, &TokenCosts),
    aim: Aim,
    known: StartingPoint,
    limits: &Limits,
    progress: &mut impl Progress<Pipeline>,
) -> WholeResult {
    let mut search = Search {
        completion_bound: CompletionBound::new(problem, costs, tokens, &aim),
        costs,
        tokens,
        aim,
        least_time: known.least_time,
        labels: Vec::new(),
        nondominated: BTreeMap::new(),
        best: known.best,
        fills: Fills::default(),
        tried: 0,
    };
    search.narrow(limits);
    let mut extended = 0_u64;
    let mut last_reported = (f64::INFINITY, 0.0_f64);
    let most_labels = (limits.memory.unwrap_or(MEMORY) / LABEL_BYTES).max(1) as usize;
    search.labels.clear();
    search.nondominated.clear();
    let mut heap: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
    let mut children = Vec::new();
    search.extend(None, &mut children);
    search.keep_labels(&mut children, &mut heap);
    let ended = loop {
        let Some(&Reverse((bound, at))) = heap.peek() else {
            break Ended::Optimal;
        };
        let bound = f64::from_bits(bound);
        if bound >= search.ceiling() {
            break Ended::Optimal;
        }
        if limits.steps.is_some_and(|most| search.steps() >= most) {
            break Ended::Stopped(StopReason::Steps);
        }
        if search.labels.len() >= most_labels {
            break Ended::Stopped(StopReason::Size);
        }
        if extended.is_multiple_of(STRIDE)
            && search
                .report(bound, &mut last_reported, progress)
                .is_break()
        {
            break Ended::Stopped(StopReason::Cancelled);
        }
        heap.pop();
        if search.labels[at as usize].is_dead {
            continue;
        }
        extended += 1;
        search.extend(Some(at), &mut children);
        search.keep_labels(&mut children, &mut heap);
    };
    let least = heap
        .peek()
        .map(|Reverse((bound, _))| f64::from_bits(*bound));
    let value = search.best.as_ref().map_or(f64::INFINITY, |best| best.1);
    let bound = match ended {
        Ended::Stopped(_) => least.unwrap_or(value).min(value),
        _ => value,
    };
    WholeResult {
        best: search.best,
        bound,
        ended,
    }
}

impl Search<'_> {
    /// Values from here on are not asked for.
    fn ceiling(&self) -> f64 {
        let best = self.best.as_ref().map_or(f64::INFINITY, |best| best.1);
        best * (1.0 - ROUNDING)
    }

    fn report(
        &self,
        bound: f64,
        last_reported: &mut (f64, f64),
        progress: &mut impl Progress<Pipeline>,
    ) -> ControlFlow<()> {
        if let Some((plan, claimed)) = &self.best
            && *claimed < last_reported.0
        {
            last_reported.0 = *claimed;
            let claimed = *claimed;
            progress.report(SearchEvent::Incumbent { plan, claimed })?;
        }
        if bound > last_reported.1 {
            last_reported.1 = bound;
            progress.report(SearchEvent::Bound(bound))?;
        }
        progress.report(SearchEvent::Step {
            done: self.steps(),
            of: None,
        })
    }

    /// A search by number of stages that keeps the labels of least bound: plans to begin with, nothing proved.
    fn narrow(&mut self, limits: &Limits) {
        let mut heap = BinaryHeap::new();
        let mut children = Vec::new();
        self.extend(None, &mut children);
        let quarter = limits.steps.map_or(u64::MAX, |most| most / 4);
        while !children.is_empty() {
            // Many more than are kept, since some of them make others superfluous.
            children.sort_by_key(|label| label.bound.to_bits());
            children.truncate(8 * NARROW);
            self.nondominated.clear();
            self.keep_labels(&mut children, &mut heap);
            let mut level: Vec<(u64, u32)> = heap.drain().map(|Reverse(entry)| entry).collect();
            level.retain(|(_, at)| !self.labels[*at as usize].is_dead);
            level.sort_unstable();
            level.truncate(NARROW);
            for (_, at) in level {
                if self.steps() >= quarter {
                    return;
                }
                self.extend(Some(at), &mut children);
            }
        }
    }

    /// How many steps were made.
    fn steps(&self) -> u64 {
        self.tried / STEP
    }

    /// All labels with one more stage that may still lead to a better plan; whole plans are taken at once.
    fn extend(&mut self, at: Option<u32>, children: &mut Vec<Label>) {
        let from = match at {
            Some(at) => self.labels[at as usize],
            None => Label {
                set: 0,
                done: 0,
                last: 0,
                is_dead: false,
                parent: NONE,
                time: 0.0,
                token: 0.0,
                bound: 0.0,
            },
        };
        let before = at.map(|_| usize::from(from.last));
        let cut = usize::from(from.done);
        let (costs, tokens, aim) = (self.costs, self.tokens, self.aim);
        let mut fills = std::mem::take(&mut self.fills);
        for device in (0..costs.devices).filter(|k| from.set >> k & 1 == 0) {
            if costs.twin[device].is_some_and(|twin| from.set >> twin & 1 == 0) {
                continue;
            }
            let set = from.set | 1 << device;
            let rest = all_but(costs.devices, set);
            self.completion_bound.fill(rest, &mut fills);
            self.tried += costs.layers as u64 / 4;
            let hop = before.map_or(0.0, |from| costs.hops(from, device)[cut]);
            let (load, comp) = (costs.load(device, cut), costs.comp(device, cut));
            let each = tokens.time(device, cut);
            for end in cut + 1..=costs.reach(device, cut) {
                self.tried += 1;
                let start = load[end].max(from.time);
                let time = start + hop + comp[end];
                let token = from.token + (each[end] + tokens.receive(before, device, cut, end));
                let value = aim.time * time + aim.token * token;
                let ceiling = self.ceiling();
                if value >= ceiling && end + 1 < costs.layers {
                    // A longer stage is dearer, but for the return that a single one saves.
                    if before.is_some() {
                        break;
                    }
                    continue;
                }
                if end == costs.layers {
                    if value < ceiling && token <= aim.most_token {
                        let plan = self.read_back(at, device, cut);
                        self.best = Some((plan, value));
                    }
                    continue;
                }
                if !any(rest) || token + fills.token[end] > aim.most_token {
                    continue;
                }
                let bound = (value
                    + self
                        .completion_bound
                        .walk(device, end)
                        .max(fills.price[end]))
                .max(aim.time * self.least_time + aim.token * (token + fills.token[end]))
                .max(from.bound);
                let best = self.best.as_ref().map_or(f64::INFINITY, |best| best.1);
                if bound >= ceiling
                    || self
                        .completion_bound
                        .is_late(&aim, rest, end, (time, token), &fills, best)
                {
                    continue;
                }
                children.push(Label {
                    set,
                    done: end as u16,
                    last: device as u8,
                    is_dead: false,
                    parent: at.unwrap_or(NONE),
                    time,
                    token,
                    bound,
                });
            }
        }
        self.fills = fills;
    }

    /// Keeps the labels that no other makes superfluous.
    fn keep_labels(
        &mut self,
        children: &mut Vec<Label>,
        heap: &mut BinaryHeap<Reverse<(u64, u32)>>,
    ) {
        let (costs, aim) = (self.costs, self.aim);
        let value = |label: &Label| aim.time * label.time + aim.token * label.token;
        for child in children.drain(..) {
            let rest = all_but(costs.devices, child.set);
            let out = |label: &Label| costs.way_out(usize::from(label.last), rest);
            let is_better = |a: &Label, b: &Label| {
                a.token <= b.token && value(a) <= value(b) && (a.last == b.last || out(a) >= out(b))
            };
            let here = self
                .nondominated
                .entry((child.set, child.done))
                .or_default();
            let labels = &mut self.labels;
            if here
                .iter()
                .any(|at| is_better(&labels[*at as usize], &child))
            {
                continue;
            }
            here.retain(|at| {
                let other = &mut labels[*at as usize];
                other.is_dead = is_better(&child, other);
                !other.is_dead
            });
            let at = labels.len() as u32;
            here.push(at);
            labels.push(child);
            heap.push(Reverse((child.bound.to_bits(), at)));
        }
    }

    /// The plan whose last stage is on `device` after layer `cut`.
    fn read_back(&self, at: Option<u32>, device: usize, cut: usize) -> Pipeline {
        let mut plan = vec![Stage {
            device,
            first: cut + 1,
            last: self.costs.layers,
        }];
        let mut next = at.unwrap_or(NONE);
        while next != NONE {
            let label = &self.labels[next as usize];
            let parent = label.parent;
            let first = match parent {
                NONE => 1,
                parent => usize::from(self.labels[parent as usize].done) + 1,
            };
            plan.push(Stage {
                device: usize::from(label.last),
                first,
                last: usize::from(label.done),
            });
            next = parent;
        }
        plan.reverse();
        plan
    }
}
