//! The event loop. Everything is in flat lists indexed by task or by node, and an event is nothing but its key:
//! a task is in one place at a time, so the task and the tier of the key say all there is to know.

use super::node::{NONE, NodeState};
use super::waiting::NodeQueues;
use super::{events, metrics};
use crate::tiers::schedule;
use engine::plan::TierOutcome;
use engine::problem::{Mode, Scheduler, TierRun};
use engine::sim::{Draw, EventKey, EventQueue, Outages, RecordWindow, Recorder, TimeSegment};
use engine::solve::{Limits, Progress, SearchEvent, StopReason};
use engine::units::InOrder;
use std::ops::ControlFlow;

/// Classes of events, in the order in which they happen within an instant.
const END: u8 = 0;
const BACK: u8 = 1;
const ARRIVAL: u8 = 2;

/// Events between two reports to the listener.
const REPORT_EVERY: u64 = 65_536;

/// The stream of random numbers that the random scheduler draws from.
const SCHEDULER_STREAM: u64 = 1;

/// A task while it runs.
#[derive(Debug, Clone, Copy)]
struct Running {
    /// The pass it is in, from 0.
    pass: u32,
    out_tokens: u32,
    entered: bool,
}

/// A tier while it runs: its nodes among all nodes, and where round robin goes on.
#[derive(Debug, Clone, Copy)]
struct Floor {
    first: usize,
    count: usize,
    pointer: usize,
}

pub(super) struct Engine<'a> {
    problem: &'a TierRun,
    queue: EventQueue,
    now: f64,
    floors: Vec<Floor>,
    nodes: Vec<NodeState>,
    tasks: Vec<Running>,
    waiting: NodeQueues,
    outages: Outages,
    has_outages: bool,
    /// Of each node, who is served together; used only where batches are.
    batches: Vec<Vec<u32>>,
    /// A list that is used again and again.
    spare: Vec<u32>,
    /// The node of each task on each tier, over all nodes.
    path: Vec<u32>,
    /// Tasks by arrival, and how many of them have been put into the queue.
    order: Vec<u32>,
    announced: usize,
    /// When nodes come back, and how many have been put into the queue.
    returns: Vec<(f64, usize)>,
    returned: usize,
    gate_closed: bool,
    draw: Draw,
    recorder: Recorder,
    first_token: Vec<f64>,
    completion: Vec<f64>,
    done: usize,
    events: u64,
}

impl<'a> Engine<'a> {
    pub fn new(problem: &'a TierRun, record: RecordWindow, seed: u64) -> Self {
        let mut floors = Vec::with_capacity(problem.tiers().len());
        let mut nodes = Vec::with_capacity(problem.nodes());
        for tier in problem.tiers() {
            let count = tier.speed.len();
            floors.push(Floor {
                first: nodes.len(),
                count,
                pointer: 0,
            });
            nodes.extend((0..count).map(|place| NodeState::new(tier, place)));
        }
        let tasks: Vec<Running> = problem
            .tasks()
            .iter()
            .map(|task| Running {
                pass: 0,
                out_tokens: task.out_tokens,
                entered: false,
            })
            .collect();
        let count = tasks.len();
        let arrival = |task: u32| problem.tasks()[task as usize].arrival;
        let mut order: Vec<u32> = (0..count as u32).collect();
        // A stable sort: tasks of one instant stay in the order of their indices.
        order.in_order_by(|a, b| arrival(*a).total_cmp(&arrival(*b)));
        let down = problem.down().iter();
        let down = down.map(|o| (floors[o.tier].first + o.node, o.from, o.to));
        let outages = Outages::new(nodes.len(), down);
        let returns: Vec<_> = outages
            .returns()
            .into_iter()
            .filter(|(time, _)| *time >= 0.0)
            .collect();
        Self {
            problem,
            queue: EventQueue::with_room(count.min(1 << 16) + 16),
            now: 0.0,
            path: vec![NONE; count * floors.len()],
            floors,
            batches: vec![Vec::new(); if problem.batch() > 1 { nodes.len() } else { 0 }],
            spare: Vec::new(),
            nodes,
            tasks,
            waiting: NodeQueues::new(problem),
            has_outages: !problem.down().is_empty(),
            outages,
            order,
            announced: 0,
            returns,
            returned: 0,
            gate_closed: false,
            draw: Draw::new(seed, SCHEDULER_STREAM),
            recorder: Recorder::new(record),
            first_token: match problem.mode() {
                Mode::Request => Vec::new(),
                Mode::Token | Mode::Hold | Mode::Serial => vec![0.0; count],
            },
            completion: vec![0.0; count],
            done: 0,
            events: 0,
        }
    }

    pub fn run<P>(
        mut self,
        limits: &Limits,
        progress: &mut impl Progress<P>,
    ) -> Result<TierOutcome, StopReason> {
        let expected = events(self.problem);
        let most = limits.steps.unwrap_or(u64::MAX);
        let mut pause = REPORT_EVERY.min(most);
        self.announce();
        self.expect_back();
        while self.done < self.tasks.len() {
            if self.events >= pause {
                if self.events >= most {
                    return Err(StopReason::Steps);
                }
                let event = SearchEvent::Step {
                    done: self.events,
                    of: Some(expected.max(self.events)),
                };
                if progress.report(event) == ControlFlow::Break(()) {
                    return Err(StopReason::Cancelled);
                }
                pause = (self.events + REPORT_EVERY).min(most);
            }
            let (key, ()) = self
                .queue
                .pop()
                .expect("an unfinished task has an event before it");
            self.now = key.time();
            self.events += 1;
            match key.class() {
                END if usize::from(key.second()) == self.floors.len() => self.open_gate(),
                END => self.end(key.first(), usize::from(key.second())),
                BACK => {
                    self.expect_back();
                    self.retry(usize::from(key.second()));
                }
                _ => self.arrive(key.first(), usize::from(key.second())),
            }
        }
        Ok(self.finish())
    }

    /// Puts the next new task into the queue: only one waits there at a time, so the queue stays short.
    fn announce(&mut self) {
        if let Some(task) = self.order.get(self.announced) {
            let arrival = self.problem.tasks()[*task as usize].arrival;
            self.queue
                .put(EventKey::new(arrival, ARRIVAL, *task, 0), ());
            self.announced += 1;
        }
    }

    /// Schedules the return of nodes.
    fn expect_back(&mut self) {
        if let Some((time, node)) = self.returns.get(self.returned) {
            let tier = self.floors.iter().rposition(|floor| floor.first <= *node);
            let tier = tier.unwrap_or(0) as u16;
            self.queue
                .put(EventKey::new(*time, BACK, *node as u32, tier), ());
            self.returned += 1;
        }
    }

    #[inline]
    fn arrive(&mut self, task: u32, tier: usize) {
        let state = &mut self.tasks[task as usize];
        if !state.entered {
            state.entered = true;
            self.announce();
            if self.problem.mode() == Mode::Serial && std::mem::replace(&mut self.gate_closed, true)
            {
                let gate = self.nodes.len() + self.floors.len();
                self.waiting.lines().join(gate, task);
                return;
            }
        }
        if self.tasks[task as usize].pass > 0 {
            let node = self.path[task as usize * self.floors.len() + tier] as usize;
            self.reach(task, tier, node);
            return;
        }
        let pool = self.nodes.len() + tier;
        if !self.waiting.lines().is_empty(pool) || !self.place(task, tier) {
            self.waiting.lines().join(pool, task);
        }
    }

    /// The gate of serial mode: the request that has waited longest enters.
    fn open_gate(&mut self) {
        let gate = self.nodes.len() + self.floors.len();
        match self.waiting.lines().leave(gate) {
            Some(task) => self.arrive(task, 0),
            None => self.gate_closed = false,
        }
    }

    /// Chooses a node for a task that has reached a tier; whether there was one.
    fn place(&mut self, task: u32, tier: usize) -> bool {
        match self.choose(task, tier) {
            Some(node) => {
                self.assign_node(task, tier, node);
                true
            }
            None => false,
        }
    }

    /// A task belongs to a node of a tier from now on.
    fn assign_node(&mut self, task: u32, tier: usize, node: usize) {
        let at = task as usize * self.floors.len() + tier;
        self.path[at] = node as u32;
        let need = self.problem.need(task as usize, tier);
        self.nodes[node].memory.reserve(self.now, need);
        self.nodes[node].assign(self.tasks[task as usize].out_tokens);
        self.reach(task, tier, node);
    }

    fn choose(&mut self, task: u32, tier: usize) -> Option<usize> {
        let Floor {
            first,
            count,
            pointer,
        } = self.floors[tier];
        let need = self.problem.need(task as usize, tier);
        let (nodes, outages) = (&self.nodes, &mut self.outages);
        let (now, has_outages) = (self.now, self.has_outages);
        let mut can_take = |place: usize| {
            let node = first + place;
            nodes[node].memory.fits(need) && !(has_outages && outages.is_out(node, now))
        };
        let place = match self.problem.scheduler() {
            Scheduler::HypSched => {
                let pace = &self.problem.tiers()[tier];
                let whole = pace.task_time(self.tasks[task as usize].out_tokens);
                let batch = self.problem.batch();
                let cost = |place: usize| nodes[first + place].cost(pace, now, whole, batch);
                let costs = (0..count).map(|place| can_take(place).then(|| cost(place)));
                schedule::least(costs)?.0
            }
            Scheduler::RoundRobin => {
                let place = (pointer..count).chain(0..pointer).find(|p| can_take(*p))?;
                self.floors[tier].pointer = (place + 1) % count;
                place
            }
            Scheduler::Random => {
                let able = (0..count).filter(|place| can_take(*place)).count();
                if able == 0 {
                    return None;
                }
                let skip = self.draw.integer_below(able);
                (0..count).filter(|place| can_take(*place)).nth(skip)?
            }
        };
        Some(first + place)
    }

    /// A pass has reached its node: it is served at once or waits.
    #[inline]
    fn reach(&mut self, task: u32, tier: usize, node: usize) {
        let state = &mut self.nodes[node];
        if self.problem.mode() == Mode::Hold {
            if state.holder == task {
                self.start(task, tier, node);
            } else if state.holder == NONE {
                state.holder = task;
                self.start(task, tier, node);
            } else {
                self.waiting.join(self.problem, tier, node, task);
            }
        } else if state.serving == NONE {
            self.start(task, tier, node);
        } else {
            self.waiting.join(self.problem, tier, node, task);
        }
    }

    /// A node begins a pass, or a whole job in request mode.
    #[inline]
    fn start(&mut self, task: u32, tier: usize, node: usize) {
        let Running {
            pass, out_tokens, ..
        } = self.tasks[task as usize];
        let pace = &self.problem.tiers()[tier];
        let state = &mut self.nodes[node];
        let time = if self.problem.mode() == Mode::Request {
            state.begin_whole(out_tokens);
            pace.task_time(out_tokens) / state.speed
        } else {
            state.begin(pass);
            state.pass(pace, pass)
        };
        if let Some(batch) = self.batches.get_mut(node) {
            batch.clear();
            batch.push(task);
        }
        self.serve(task, tier, node, time);
        self.note(task, node);
    }

    /// A node is busy for a time, with a task or a batch of which it is the lowest.
    #[inline]
    fn serve(&mut self, task: u32, tier: usize, node: usize, time: f64) {
        let state = &mut self.nodes[node];
        state.serving = task;
        state.until = self.now + time;
        state.busy += time;
        self.queue
            .put(EventKey::new(state.until, END, task, tier as u16), ());
    }

    #[inline]
    fn note(&mut self, task: u32, node: usize) {
        self.recorder.record(TimeSegment {
            resource: node as u32,
            task,
            pass: self.tasks[task as usize].pass,
            from: self.now,
            to: self.nodes[node].until,
        });
    }

    /// A free node takes what it does next.
    #[inline]
    fn next(&mut self, tier: usize, node: usize) {
        if self.nodes[node].holder != NONE {
            return; // It waits for the next pass of the task that holds it.
        }
        let Some(task) = self.waiting.leave(node) else {
            return;
        };
        if self.problem.mode() == Mode::Hold {
            self.nodes[node].holder = task;
        }
        if self.problem.batch() > 1 && self.tasks[task as usize].pass > 0 {
            self.start_batch(task, tier, node);
        } else {
            self.start(task, tier, node);
        }
    }

    /// A node begins the decode passes at the head of its line together.
    fn start_batch(&mut self, task: u32, tier: usize, node: usize) {
        let pace = &self.problem.tiers()[tier];
        let mut together = std::mem::take(&mut self.batches[node]);
        together.clear();
        together.push(task);
        while together.len() < self.problem.batch() as usize
            && let Some(next) = self.waiting.head(node)
            && self.tasks[next as usize].pass > 0
        {
            self.waiting.leave(node);
            together.push(next);
        }
        let state = &mut self.nodes[node];
        let mut longest = 0.0_f64;
        for task in &together {
            let pass = self.tasks[*task as usize].pass;
            state.begin(pass);
            longest = longest.max(state.pass(pace, pass));
        }
        let count = together.len() as f64;
        let shared = longest + pace.batch_inc / state.speed * (count - 1.0);
        let time = if together.len() > 1 {
            shared.max(count * pace.batch_compute / state.speed)
        } else {
            shared
        };
        together.sort_unstable();
        self.serve(together[0], tier, node, time);
        for task in &together {
            self.note(*task, node);
        }
        self.batches[node] = together;
    }

    /// A service ends.
    #[inline]
    fn end(&mut self, task: u32, tier: usize) {
        let node = self.path[task as usize * self.floors.len() + tier] as usize;
        self.nodes[node].serving = NONE;
        if self.batches.is_empty() {
            self.release(task, tier, node);
            self.next(tier, node);
            self.retry(tier);
            self.go_on(task, tier);
            return;
        }
        let spare = std::mem::take(&mut self.spare);
        let together = std::mem::replace(&mut self.batches[node], spare);
        self.events += together.len() as u64 - 1;
        for task in &together {
            self.release(*task, tier, node);
        }
        self.next(tier, node);
        self.retry(tier);
        for task in &together {
            self.go_on(*task, tier);
        }
        self.spare = together;
    }

    /// After its last pass on a tier a task gives back its memory and the node it holds.
    #[inline]
    fn release(&mut self, task: u32, tier: usize, node: usize) {
        let state = self.tasks[task as usize];
        if state.pass + 1 < state.out_tokens && self.problem.mode() != Mode::Request {
            return;
        }
        let need = self.problem.need(task as usize, tier);
        let now = self.now;
        let node = &mut self.nodes[node];
        node.memory.give_back(now, need);
        node.holder = NONE;
    }

    /// Places waiting tasks of a tier's pool in order, up to the first that finds no node.
    #[inline]
    fn retry(&mut self, tier: usize) {
        let pool = self.nodes.len() + tier;
        while let Some(task) = self.waiting.lines().head(pool) {
            // It has to leave the pool before it may join the line of a node.
            let Some(node) = self.choose(task, tier) else {
                return;
            };
            self.waiting.lines().leave(pool);
            self.assign_node(task, tier, node);
        }
    }

    /// A pass goes on to the next tier, to the next pass, or to the user.
    #[inline]
    fn go_on(&mut self, task: u32, tier: usize) {
        let at = task as usize;
        let Running {
            pass, out_tokens, ..
        } = self.tasks[at];
        let whole = self.problem.mode() == Mode::Request;
        if tier + 1 < self.floors.len() {
            let hop = if whole {
                self.problem.whole_hop(tier, out_tokens)
            } else {
                self.problem.hop(tier, pass)
            };
            let next = EventKey::new(self.now + hop, ARRIVAL, task, tier as u16 + 1);
            self.queue.put(next, ());
            return;
        }
        if whole {
            let delivered = f64::from(out_tokens) * self.problem.return_delay();
            self.complete(at, self.now + delivered);
            return;
        }
        let back = self.now + self.problem.return_delay();
        if pass == 0 {
            self.first_token[at] = back;
        }
        if pass + 1 < out_tokens {
            self.tasks[at].pass = pass + 1;
            self.queue.put(EventKey::new(back, ARRIVAL, task, 0), ());
        } else {
            self.complete(at, back);
            if self.problem.mode() == Mode::Serial {
                let gate = self.floors.len() as u16;
                self.queue.put(EventKey::new(back, END, task, gate), ());
            }
        }
    }

    fn complete(&mut self, task: usize, time: f64) {
        self.completion[task] = time;
        self.done += 1;
    }

    fn finish(self) -> TierOutcome {
        let floors = &self.floors;
        let path = self.path.iter().enumerate();
        let path = path.map(|(at, node)| node - floors[at % floors.len()].first as u32);
        let (mean_latency, first, last) = metrics::span(self.problem, &self.completion);
        let makespan = last - first;
        let mean = |node: &NodeState| {
            if makespan > 0.0 {
                node.memory.area(last) / makespan
            } else {
                0.0
            }
        };
        let (timeline, left_out) = self.recorder.finish();
        TierOutcome {
            nodes: floors.iter().map(|floor| floor.count).collect(),
            first_token: (self.problem.mode() != Mode::Request).then_some(self.first_token),
            path: path.collect(),
            busy: self.nodes.iter().map(|node| node.busy).collect(),
            memory_peak: self.nodes.iter().map(|node| node.memory.peak()).collect(),
            memory_mean: self.nodes.iter().map(mean).collect(),
            completion: self.completion,
            mean_latency,
            makespan,
            events: self.events,
            timeline,
            left_out,
        }
    }
}
