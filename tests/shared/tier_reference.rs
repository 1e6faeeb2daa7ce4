//! The simulator written a second time, plainly: a list of events that is searched for its earliest, one structure a
//! task, one a node, every sum taken again when it is needed. It shares no code with the simulator of the crate, only
//! the problem, and the stream of random numbers.
#![allow(dead_code)] // Shared by several test programs; none needs all of it.

use engine::problem::{Mode, Order, Scheduler, TierRun};
use engine::sim::Draw;
use std::cmp::Ordering;

/// What the run leaves behind.
#[derive(Debug, Default)]
pub struct Reference {
    pub completion: Vec<f64>,
    pub first_token: Vec<f64>,
    pub path: Vec<Vec<usize>>,
    pub busy: Vec<Vec<f64>>,
    /// (tier, node, task, pass, from, to).
    pub segments: Vec<(usize, usize, usize, u32, f64, f64)>,
    /// How often a task had to wait for memory or for a node that was down.
    pub pooled: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum What {
    Served { task: usize, tier: usize },
    Gate { task: usize },
    Back { tier: usize, node: usize },
    Arrives { task: usize, tier: usize, new: bool },
}

impl What {
    /// Class, task, tier: what decides among events of one instant.
    fn order(self) -> (u8, usize, usize) {
        match self {
            Self::Served { task, tier } => (0, task, tier),
            Self::Gate { task } => (0, task, usize::MAX),
            Self::Back { tier, node } => (1, tier, node),
            Self::Arrives { task, tier, .. } => (2, task, tier),
        }
    }
}

#[derive(Debug, Clone, Default)]
struct Node {
    /// Tasks in service, and since when and until when.
    service: Vec<usize>,
    since: f64,
    until: f64,
    holder: Option<usize>,
    /// Waiting passes in the order in which they came.
    line: Vec<usize>,
}

struct World<'a> {
    run: &'a TierRun,
    now: f64,
    events: Vec<(f64, What)>,
    nodes: Vec<Vec<Node>>,
    pools: Vec<Vec<usize>>,
    pointers: Vec<usize>,
    gate: Vec<usize>,
    inside: Option<usize>,
    draw: Draw,
    /// Of each task: its pass, the node of each tier that it has reached, and how many passes it has begun and ended there.
    pass: Vec<u32>,
    node: Vec<Vec<Option<usize>>>,
    begun: Vec<Vec<u32>>,
    ended: Vec<Vec<u32>>,
    out: Reference,
}

/// Runs all tasks to their end.
pub fn simulate(run: &TierRun, seed: u64) -> Reference {
    let (tasks, tiers) = (run.tasks().len(), run.tiers().len());
    let mut world = World {
        run,
        now: 0.0,
        events: Vec::new(),
        nodes: run
            .tiers()
            .iter()
            .map(|t| vec![Node::default(); t.speed.len()])
            .collect(),
        pools: vec![Vec::new(); tiers],
        pointers: vec![0; tiers],
        gate: Vec::new(),
        inside: None,
        draw: Draw::new(seed, 1),
        pass: vec![0; tasks],
        node: vec![vec![None; tiers]; tasks],
        begun: vec![vec![0; tiers]; tasks],
        ended: vec![vec![0; tiers]; tasks],
        out: Reference {
            completion: vec![f64::NAN; tasks],
            first_token: vec![f64::NAN; tasks],
            path: vec![Vec::new(); tasks],
            busy: run
                .tiers()
                .iter()
                .map(|t| vec![0.0; t.speed.len()])
                .collect(),
            ..Reference::default()
        },
    };
    for (task, given) in run.tasks().iter().enumerate() {
        let new = What::Arrives {
            task,
            tier: 0,
            new: true,
        };
        world.events.push((given.arrival, new));
    }
    for outage in run.down() {
        let back = What::Back {
            tier: outage.tier,
            node: outage.node,
        };
        world.events.push((outage.to, back));
    }
    while world.out.completion.iter().any(|time| time.is_nan()) {
        let earlier = |a: &(f64, What), b: &(f64, What)| match a.0.total_cmp(&b.0) {
            Ordering::Equal => a.1.order().cmp(&b.1.order()),
            other => other,
        };
        let at = (0..world.events.len())
            .min_by(|a, b| earlier(&world.events[*a], &world.events[*b]))
            .expect("unfinished tasks have events");
        let (time, what) = world.events.swap_remove(at);
        world.now = time;
        world.happens(what);
    }
    for (task, nodes) in world.node.iter().enumerate() {
        world.out.path[task] = nodes
            .iter()
            .map(|k| k.expect("every tier was visited"))
            .collect();
    }
    world.out
}

impl World<'_> {
    fn happens(&mut self, what: What) {
        match what {
            What::Arrives { task, tier, new } => {
                if new && self.run.mode() == Mode::Serial {
                    if self.inside.is_some() {
                        self.gate.push(task);
                        return;
                    }
                    self.inside = Some(task);
                }
                self.arrives(task, tier);
            }
            What::Gate { .. } => {
                self.inside = None;
                if !self.gate.is_empty() {
                    let task = self.gate.remove(0);
                    self.inside = Some(task);
                    self.arrives(task, 0);
                }
            }
            What::Back { tier, .. } => self.try_pool(tier),
            What::Served { task, tier } => self.served(task, tier),
        }
    }

    fn arrives(&mut self, task: usize, tier: usize) {
        if let Some(node) = self.node[task][tier] {
            self.reaches(task, tier, node);
        } else if !self.pools[tier].is_empty() {
            self.pools[tier].push(task);
            self.out.pooled += 1;
        } else if let Some(node) = self.choice(task, tier) {
            self.node[task][tier] = Some(node);
            self.reaches(task, tier, node);
        } else {
            self.pools[tier].push(task);
            self.out.pooled += 1;
        }
    }

    /// How many passes a task has on a tier.
    fn passes(&self, task: usize) -> u32 {
        match self.run.mode() {
            Mode::Request => 1,
            _ => self.run.tasks()[task].out_tokens,
        }
    }

    /// Time of one of these passes on a node.
    fn time(&self, task: usize, tier: usize, node: usize, pass: u32) -> f64 {
        let t = &self.run.tiers()[tier];
        let decode = |q: u32| t.decode + t.slope * f64::from(q - 1);
        let base = match (self.run.mode(), pass) {
            (Mode::Request, _) => {
                t.prefill
                    + (1..self.run.tasks()[task].out_tokens)
                        .map(decode)
                        .sum::<f64>()
            }
            (_, 0) => t.prefill,
            (_, q) => decode(q),
        };
        base / t.speed[node]
    }

    /// Tasks that belong to a node and have not had their last pass there.
    fn residents(&self, tier: usize, node: usize) -> Vec<usize> {
        (0..self.pass.len())
            .filter(|task| self.node[*task][tier] == Some(node))
            .filter(|task| self.ended[*task][tier] < self.passes(*task))
            .collect()
    }

    fn choice(&mut self, task: usize, tier: usize) -> Option<usize> {
        let t = &self.run.tiers()[tier];
        let count = t.speed.len();
        let able: Vec<usize> = (0..count)
            .filter(|node| {
                let taken: f64 = self
                    .residents(tier, *node)
                    .iter()
                    .map(|r| self.run.need(*r, tier))
                    .sum();
                let down = self.run.down().iter().any(|o| {
                    (o.tier, o.node) == (tier, *node) && o.from <= self.now && self.now < o.to
                });
                !down && self.run.need(task, tier) <= t.memory[*node] - taken + 1e-9
            })
            .collect();
        match self.run.scheduler() {
            Scheduler::RoundRobin => {
                let from = self.pointers[tier];
                let chosen = (0..count)
                    .map(|k| (from + k) % count)
                    .find(|k| able.contains(k))?;
                self.pointers[tier] = (chosen + 1) % count;
                Some(chosen)
            }
            Scheduler::Random => {
                if able.is_empty() {
                    return None;
                }
                Some(able[self.draw.integer_below(able.len())])
            }
            Scheduler::HypSched => {
                let mut best: Option<(usize, f64)> = None;
                for node in able {
                    let cost = self.cost(task, tier, node);
                    if best.is_none_or(|(_, least)| cost < least - 1e-9) {
                        best = Some((node, cost));
                    }
                }
                best.map(|(node, _)| node)
            }
        }
    }

    fn cost(&self, task: usize, tier: usize, node: usize) -> f64 {
        let state = &self.nodes[tier][node];
        let residents = self.residents(tier, node);
        let (mut cost, mut decodes) = (0.0, 0.0);
        if !state.service.is_empty() {
            cost += state.until - self.now;
        }
        for other in &residents {
            for pass in self.begun[*other][tier]..self.passes(*other) {
                let time = self.time(*other, tier, node, pass);
                if pass == 0 {
                    cost += time;
                } else {
                    decodes += time;
                }
            }
        }
        cost += decodes / f64::from(self.run.batch());
        (0..self.passes(task)).fold(cost, |sum, pass| sum + self.time(task, tier, node, pass))
    }

    fn reaches(&mut self, task: usize, tier: usize, node: usize) {
        let hold = self.run.mode() == Mode::Hold;
        let state = &mut self.nodes[tier][node];
        let free = if hold {
            state.holder.is_none() || state.holder == Some(task)
        } else {
            state.service.is_empty()
        };
        if free {
            if hold {
                state.holder = Some(task);
            }
            self.begin(&[task], tier, node);
        } else {
            state.line.push(task);
        }
    }

    fn begin(&mut self, together: &[usize], tier: usize, node: usize) {
        let t = &self.run.tiers()[tier];
        let mut time = 0.0_f64;
        for task in together {
            let pass = self.begun[*task][tier];
            time = time.max(self.time(*task, tier, node, pass));
            self.begun[*task][tier] += 1;
        }
        if together.len() > 1 {
            let n = together.len() as f64;
            time += (n - 1.0) * t.batch_inc / t.speed[node];
            time = time.max(n * t.batch_compute / t.speed[node]);
        }
        self.out.busy[tier][node] += time;
        let end = self.now + time;
        for task in together {
            let pass = self.begun[*task][tier] - 1;
            self.out
                .segments
                .push((tier, node, *task, pass, self.now, end));
        }
        let state = &mut self.nodes[tier][node];
        state.service = together.to_vec();
        (state.since, state.until) = (self.now, end);
        let task = *together.iter().min().expect("somebody is served");
        self.events.push((end, What::Served { task, tier }));
    }

    /// Who goes first in a line: its place.
    fn first_of(&self, tier: usize, line: &[usize]) -> Option<usize> {
        match self.run.order() {
            Order::Fifo => (!line.is_empty()).then_some(0),
            Order::Rank => {
                let mut best: Option<usize> = None;
                for (at, task) in line.iter().enumerate() {
                    if best.is_none_or(|b| self.rank(*task, tier) > self.rank(line[b], tier)) {
                        best = Some(at);
                    }
                }
                best
            }
        }
    }

    fn rank(&self, task: usize, tier: usize) -> f64 {
        let tokens = self.run.tasks()[task].out_tokens;
        let mut rank = 0.0;
        for (j, t) in self.run.tiers().iter().enumerate().skip(tier).rev() {
            let mean = t.speed.iter().map(|s| 1.0 / s).sum::<f64>() / t.speed.len() as f64;
            let stage = t.prefill
                + (1..tokens)
                    .map(|q| t.decode + t.slope * f64::from(q - 1))
                    .sum::<f64>();
            if j + 1 < self.run.tiers().len() {
                rank += (0..tokens).map(|q| self.run.hop(j, q)).sum::<f64>();
            }
            rank += stage * mean;
        }
        rank
    }

    fn served(&mut self, task: usize, tier: usize) {
        let node = self.node[task][tier].expect("a served task has a node");
        let mut together = std::mem::take(&mut self.nodes[tier][node].service);
        together.sort_unstable();
        for task in &together {
            self.ended[*task][tier] += 1;
            if self.ended[*task][tier] == self.passes(*task) {
                self.nodes[tier][node].holder = None;
            }
        }
        self.takes_next(tier, node);
        self.try_pool(tier);
        for task in together {
            self.goes_on(task, tier);
        }
    }

    fn takes_next(&mut self, tier: usize, node: usize) {
        if self.nodes[tier][node].holder.is_some() {
            return;
        }
        let mut line = std::mem::take(&mut self.nodes[tier][node].line);
        if let Some(at) = self.first_of(tier, &line) {
            let mut together = vec![line.remove(at)];
            let decodes = |world: &Self, task: usize| world.begun[task][tier] > 0;
            if decodes(self, together[0]) {
                while together.len() < self.run.batch() as usize
                    && let Some(at) = self.first_of(tier, &line)
                    && decodes(self, line[at])
                {
                    together.push(line.remove(at));
                }
            }
            if self.run.mode() == Mode::Hold {
                self.nodes[tier][node].holder = Some(together[0]);
            }
            self.begin(&together, tier, node);
        }
        self.nodes[tier][node].line = line;
    }

    fn try_pool(&mut self, tier: usize) {
        while let Some(task) = self.pools[tier].first().copied() {
            let Some(node) = self.choice(task, tier) else {
                return;
            };
            self.pools[tier].remove(0);
            self.node[task][tier] = Some(node);
            self.reaches(task, tier, node);
        }
    }

    fn goes_on(&mut self, task: usize, tier: usize) {
        let tokens = self.run.tasks()[task].out_tokens;
        let pass = self.pass[task];
        let request = self.run.mode() == Mode::Request;
        if tier + 1 < self.run.tiers().len() {
            let hop = if request {
                (0..tokens).map(|q| self.run.hop(tier, q)).sum()
            } else {
                self.run.hop(tier, pass)
            };
            let next = What::Arrives {
                task,
                tier: tier + 1,
                new: false,
            };
            self.events.push((self.now + hop, next));
        } else if request {
            self.out.completion[task] = self.now + f64::from(tokens) * self.run.return_delay();
        } else {
            let back = self.now + self.run.return_delay();
            if pass == 0 {
                self.out.first_token[task] = back;
            }
            self.pass[task] += 1;
            if self.pass[task] < tokens {
                self.events.push((
                    back,
                    What::Arrives {
                        task,
                        tier: 0,
                        new: false,
                    },
                ));
            } else {
                self.out.completion[task] = back;
                if self.run.mode() == Mode::Serial {
                    self.events.push((back, What::Gate { task }));
                }
            }
        }
    }
}
