//! GenEFlow: the paper's genetic search, one population of it.
//!
//! Source: MemoriaNova, section 3.4: a single objective, parents and offspring compete, the best stay (elitist), constraints
//! by the rule of Deb (2000). Its operators are not given there. Here: two parents by a tournament of two each, two-point
//! crossover over operators with probability 0.9, then for each operator with probability 1 / operators one mark drawn again
//! and the row sorted; where dimensions are free, the dimension of a convolution is a gene as well and half of the mutations
//! of a convolution turn it, its marks scaled. The first plans are those that are known without a search
//! ([`super::library::seeds`]), then random ones, or all are random ([`FirstPopulation`]). It ends after its generations, or when the
//! best has not got better by 10^-6 for as many of them as its patience lasts.
//!
//! # What a plan costs
//!
//! Only operators that are cut otherwise than in the parent, or read one that is, are evaluated again: inside and outside the
//! exchanged stretch everything stays as it was in one parent or the other. Limits are looked at again in the steps during
//! which a tensor lives that came from elsewhere than the rest. All plans are summed as the referee sums them, so that
//! values are the same to the last bit however a plan came about.

use super::library::{Seeds, scaled};
use super::{LimitWatch, SplitTask};
use engine::plan::{Marks, Partition};
use engine::sim::Draw;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Probability that two parents are crossed.
const CROSSOVER: f64 = 0.9;
/// How much better the best has to get to count [ms].
const BETTER: f64 = 1e-6;
/// Plans that move on from an island.
const MIGRANTS: usize = 2;

/// Composition of the first population.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstPopulation {
    /// The plans that are known without a search, as far as they fit in, and random ones.
    #[default]
    Known,
    /// Random plans alone.
    Random,
}

impl FirstPopulation {
    /// Both, the usual one first.
    pub const ALL: [Self; 2] = [Self::Known, Self::Random];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::Random => "random",
        }
    }
}

/// How large a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GaSize {
    /// Plans on an island.
    pub population: u32,
    /// The most generations.
    pub generations: u32,
    /// Generations in which the best does not get better until it ends.
    pub patience: u32,
    /// Composition of the first population.
    pub first: FirstPopulation,
    /// Seed of the first stream.
    pub seed: u64,
}

impl Default for GaSize {
    fn default() -> Self {
        Self {
            population: 500,
            generations: 50,
            patience: Self::PATIENCE,
            first: FirstPopulation::Known,
            seed: 1,
        }
    }
}

impl GaSize {
    /// The paper's patience, and the usual one.
    pub const PATIENCE: u32 = 10;

    /// The paper's: 250 000 plans, 50 generations.
    pub const PAPER: Self = Self {
        population: 250_000,
        generations: 50,
        patience: Self::PATIENCE,
        first: FirstPopulation::Known,
        seed: 1,
    };

    /// The most memory that the plans of so many islands may take [bytes].
    pub const MOST_BYTES: u64 = 4 << 30;

    /// Returns the approximate memory of the plans of several islands, parents and offspring [bytes].
    #[must_use]
    pub fn bytes(&self, task: &SplitTask<'_>, islands: u32) -> u64 {
        let operators = task.slices.graph().len() as u64;
        // Marks, a dimension, a time and what is broken.
        let plan = operators * (4 * (task.slices.devices() as u64 + 1) + 24) + 200;
        2 * u64::from(islands) * u64::from(self.population) * plan
    }
}

/// A plan with what it costs.
#[derive(Debug, Clone)]
pub struct Member {
    plan: Partition,
    ms: Vec<f64>,
    /// By operator how far limits are broken; empty where none can be.
    broken: Vec<f64>,
    latency: f64,
    violation: f64,
}

impl Member {
    fn new(task: &SplitTask<'_>, watch: &LimitWatch, plan: Partition) -> Self {
        let n = plan.dims.len();
        let (dims, cuts) = (&plan.dims, &plan.cuts);
        let ms = (0..n).map(|v| task.slices.operator(v, dims, cuts).ms);
        let ms: Vec<f64> = ms.collect();
        let broken: Vec<f64> = if watch.is_idle() {
            Vec::new()
        } else {
            (0..n).map(|v| watch.broken(task, v, dims, cuts)).collect()
        };
        let mut member = Self {
            plan,
            ms,
            broken,
            latency: 0.0,
            violation: 0.0,
        };
        member.sum();
        member
    }

    fn sum(&mut self) {
        self.latency = self.ms.iter().sum();
        self.violation = self.broken.iter().sum();
    }

    /// The plan.
    #[must_use]
    pub const fn plan(&self) -> &Partition {
        &self.plan
    }

    /// Its time [ms].
    #[must_use]
    pub const fn latency(&self) -> f64 {
        self.latency
    }

    /// How far it breaks limits; 0: not.
    #[must_use]
    pub const fn violation(&self) -> f64 {
        self.violation
    }

    /// Deb's comparison: what keeps all limits first, then by time; among the others by what they break.
    fn against(&self, other: &Self) -> Ordering {
        (self.violation.total_cmp(&other.violation)).then(self.latency.total_cmp(&other.latency))
    }

    fn copy(&mut self, other: &Self) {
        self.plan.dims.clone_from(&other.plan.dims);
        self.plan.cuts.clone_from(&other.plan.cuts);
        self.ms.clone_from(&other.ms);
        self.broken.clone_from(&other.broken);
        self.latency = other.latency;
        self.violation = other.violation;
    }
}

/// A population, best first.
#[derive(Debug, Clone)]
pub struct GaIsland {
    /// Which one, from 0.
    pub at: u32,
    /// Its plans, best first.
    pub members: Vec<Member>,
    /// Generations done.
    pub generation: u32,
    /// Generations since the best got better.
    pub stalled: u32,
    /// Violation and time of the best when it last did.
    pub before: (f64, f64),
    /// True if the search has ended.
    pub ended: bool,
    /// Generations, and the least time until then [ms]; only of plans that keep every limit.
    pub curve: Vec<(u32, f64)>,
    /// Plans scored.
    pub evaluations: u64,
    /// Operators evaluated for them.
    pub operators: u64,
}

/// A generation that is under way.
#[derive(Debug, Clone)]
pub struct Offspring {
    draw: Draw,
    members: Vec<Member>,
}

/// Data that all generations of an island share.
#[derive(Debug)]
pub struct Variation<'t, 'a> {
    task: &'t SplitTask<'a>,
    watch: LimitWatch,
    size: GaSize,
    /// Plans that are known without a search.
    seeds: Seeds,
    /// Where each operator of a child comes from: one of the parents, or neither.
    origin: Vec<u8>,
    stale: Vec<bool>,
}

const MUTATED: u8 = 2;

impl<'t, 'a> Variation<'t, 'a> {
    /// For islands of a task.
    ///
    /// # Complexity
    /// As [`LimitWatch::new`].
    #[must_use]
    pub fn new(task: &'t SplitTask<'a>, size: GaSize) -> Self {
        let n = task.slices.graph().len();
        Self {
            task,
            watch: LimitWatch::new(task),
            size,
            seeds: Seeds::new(task),
            origin: vec![0; n],
            stale: vec![false; n],
        }
    }

    /// Stream of random numbers of one generation of one island: no state besides the number of the generation has to
    /// move with an island.
    fn draw(&self, at: u32, generation: u32) -> Draw {
        let stream = u64::from(at) << 32 | u64::from(generation);
        Draw::new(self.size.seed, stream)
    }

    /// The first population of island number `at`.
    ///
    /// # Complexity
    /// O(population × operators × devices).
    #[must_use]
    pub fn first(&self, at: u32) -> GaIsland {
        let mut litter = self.litter(at, 0);
        while !self.grow_first(&mut litter, u64::MAX) {}
        self.initial_island(at, litter)
    }

    /// Generation number `generation` of an island, before any of its plans is there; 0 is the first.
    #[must_use]
    pub fn litter(&self, at: u32, generation: u32) -> Offspring {
        Offspring {
            draw: self.draw(at, generation),
            members: Vec::new(),
        }
    }

    /// Makes plans of a first population, at least one and about so many parts; whether all are there.
    ///
    /// # Complexity
    /// O(parts + operators × devices).
    pub fn grow_first(&self, litter: &mut Offspring, parts: u64) -> bool {
        let population = self.size.population.max(2) as usize;
        let each = (self.origin.len() * self.task.slices.devices()) as u64;
        let mut made = 0u64;
        while litter.members.len() < population && made < parts {
            let known = match self.size.first {
                FirstPopulation::Known => self.seeds.get(self.task, litter.members.len()),
                FirstPopulation::Random => None,
            };
            let plan = known.unwrap_or_else(|| self.random(&mut litter.draw));
            let member = Member::new(self.task, &self.watch, plan);
            litter.members.push(member);
            made += each;
        }
        litter.members.len() == population
    }

    /// An island of the plans of a first population.
    ///
    /// # Complexity
    /// O(plans × log plans).
    #[must_use]
    pub fn initial_island(&self, at: u32, litter: Offspring) -> GaIsland {
        self.settled(at, litter.members)
    }

    /// An island of these plans, in the order of their worth.
    ///
    /// # Complexity
    /// O(plans × operators × devices).
    #[must_use]
    pub fn island(&self, at: u32, plans: Vec<Partition>) -> GaIsland {
        let members = plans.into_iter();
        let members = members.map(|plan| Member::new(self.task, &self.watch, plan));
        self.settled(at, members.collect())
    }

    fn settled(&self, at: u32, mut members: Vec<Member>) -> GaIsland {
        members.sort_by(Member::against); // stable: ties stay in order
        let mut island = GaIsland {
            at,
            generation: 0,
            stalled: 0,
            before: (members[0].violation, members[0].latency),
            ended: false,
            curve: Vec::new(),
            evaluations: members.len() as u64,
            operators: (members.len() * self.origin.len()) as u64,
            members,
        };
        island.note();
        island
    }

    fn random(&self, draw: &mut Draw) -> Partition {
        let slices = &self.task.slices;
        let mut dims = self.task.dims();
        if self.task.fixed.is_none() {
            for (v, dim) in dims.iter_mut().enumerate() {
                let count = slices.choices(v).count();
                if count > 1 {
                    let at = draw.integer_below(count);
                    *dim = slices.choices(v).nth(at).unwrap_or(*dim);
                }
            }
        }
        let lengths = slices.lengths(&dims);
        let devices = slices.devices();
        let mut cuts = Marks::on_one(&lengths, devices, 0);
        for (v, length) in lengths.iter().enumerate() {
            let row = cuts.of_mut(v);
            for mark in &mut row[1..devices] {
                *mark = draw.integer_below(*length as usize + 1) as u32;
            }
            row[1..devices].sort_unstable();
        }
        Partition { dims, cuts }
    }

    /// One generation more.
    ///
    /// # Complexity
    /// O(population × (operators + evaluations of those that changed)).
    pub fn generation(&mut self, island: &mut GaIsland) {
        if island.ended {
            return;
        }
        let mut litter = self.litter(island.at, island.generation + 1);
        while !self.grow(island, &mut litter, u64::MAX) {}
        self.succeed(island, litter);
    }

    /// Makes children of an island's plans, at least two and about so many parts; whether all are there.
    ///
    /// # Complexity
    /// O(parts + operators × devices).
    pub fn grow(&mut self, island: &mut GaIsland, litter: &mut Offspring, parts: u64) -> bool {
        let population = island.members.len();
        let (n, devices) = (self.origin.len(), self.task.slices.devices() as u64);
        let (children, draw) = (&mut litter.members, &mut litter.draw);
        let mut made = 0u64;
        while children.len() < population && made < parts {
            let first = tournament(draw, population);
            let second = tournament(draw, population);
            let (mother, father) = (&island.members[first], &island.members[second]);
            // Whole plans are copied, then the stretch from the other parent goes over them.
            let mut one = mother.clone();
            let mut other = (children.len() + 1 < population).then(|| father.clone());
            let stretch = if draw.unit() < CROSSOVER {
                let (a, b) = (draw.integer_below(n + 1), draw.integer_below(n + 1));
                (a.min(b), a.max(b))
            } else {
                (0, 0)
            };
            let mut evaluated = self.breed(&mut one, father, stretch, draw);
            children.push(one);
            if let Some(mut other) = other.take() {
                let mother = &island.members[first];
                evaluated += self.breed(&mut other, mother, stretch, draw);
                children.push(other);
            }
            island.operators += evaluated;
            made += 2 * n as u64 + evaluated * devices;
        }
        children.len() == population
    }

    /// Lets children and parents compete.
    ///
    /// # Complexity
    /// O(population × log population).
    pub fn succeed(&mut self, island: &mut GaIsland, mut litter: Offspring) {
        let population = island.members.len();
        island.evaluations += population as u64;
        island.members.append(&mut litter.members);
        island.members.sort_by(Member::against);
        island.members.truncate(population);
        island.generation += 1;
        island.stalled += 1;
        island.note();
        island.ended =
            island.generation >= self.size.generations || island.stalled >= self.size.patience;
    }

    /// Makes a child of a copy of one parent and a stretch of the other; how many operators were evaluated.
    fn breed(
        &mut self,
        child: &mut Member,
        other: &Member,
        (from, to): (usize, usize),
        draw: &mut Draw,
    ) -> u64 {
        let slices = &self.task.slices;
        let graph = slices.graph();
        let n = graph.len();
        self.origin.fill(0);
        for v in from..to {
            let is_same = child.plan.dims[v] == other.plan.dims[v]
                && child.plan.cuts.of(v) == other.plan.cuts.of(v);
            if !is_same {
                child.plan.dims[v] = other.plan.dims[v];
                let marks = child.plan.cuts.of_mut(v);
                marks.copy_from_slice(other.plan.cuts.of(v));
            }
            self.origin[v] = 1;
        }
        let rate = 1.0 / n as f64;
        for v in 0..n {
            if draw.unit() < rate && mutate(self.task, &mut child.plan, v, draw) {
                self.origin[v] = MUTATED;
            }
        }
        // What holds for operators that come from one parent with all that they read is known there.
        let mut evaluated = 0;
        let origin = &self.origin;
        for v in 0..n {
            let whole = origin[v] != MUTATED
                && (graph.src(v).iter())
                    .all(|t| *t as usize >= n || origin[*t as usize] == origin[v]);
            if !whole {
                child.ms[v] = (slices.operator(v, &child.plan.dims, &child.plan.cuts)).ms;
                evaluated += 1;
            } else if origin[v] == 1 {
                child.ms[v] = other.ms[v];
            }
        }
        if !self.watch.is_idle() {
            self.weigh(child, other);
        }
        child.sum();
        evaluated
    }

    /// Limits of a child: what depends on operators of one parent only is known there.
    fn weigh(&mut self, child: &mut Member, other: &Member) {
        let n = self.origin.len();
        self.stale.fill(false);
        for v in 0..n {
            for step in self.watch.touched(v) {
                let step = *step as usize;
                // Every operator that a step depends on is compared with the step's own.
                if self.origin[v] != self.origin[step] || self.origin[v] == MUTATED {
                    self.stale[step] = true;
                }
            }
        }
        for v in 0..n {
            if self.stale[v] {
                child.broken[v] =
                    (self.watch).broken(self.task, v, &child.plan.dims, &child.plan.cuts);
            } else if self.origin[v] == 1 {
                child.broken[v] = other.broken[v];
            }
        }
    }
}

impl GaIsland {
    /// Its best plan.
    #[must_use]
    pub fn best(&self) -> &Member {
        &self.members[0]
    }

    /// Looks at the best plan: whether it got better by enough, and where that leaves the curve.
    pub fn note(&mut self) {
        let best = &self.members[0];
        let (violation, latency) = self.before;
        let less_broken =
            violation - best.violation >= BETTER || best.violation == 0.0 && violation > 0.0;
        if less_broken || best.violation <= violation && latency - best.latency >= BETTER {
            self.stalled = 0;
            self.before = (best.violation, best.latency);
        }
        let is_news = (self.curve.last()).is_none_or(|(_, ms)| best.latency < *ms);
        if best.violation == 0.0 && is_news {
            self.curve.push((self.generation, best.latency));
        }
    }
}

/// The better of two at random: members stand best first.
fn tournament(draw: &mut Draw, population: usize) -> usize {
    let (a, b) = (
        draw.integer_below(population),
        draw.integer_below(population),
    );
    a.min(b)
}

/// Draws one mark of operator v again, or turns its dimension; whether anything moved.
fn mutate(task: &SplitTask<'_>, plan: &mut Partition, v: usize, draw: &mut Draw) -> bool {
    let slices = &task.slices;
    let devices = slices.devices();
    if task.fixed.is_none() && slices.is_free(v) && draw.integer_below(2) == 0 {
        let now = plan.dims[v];
        let dim = slices.choices(v).find(|dim| *dim != now).unwrap_or(now);
        let before = plan.cuts.of(v).to_vec();
        scaled(&before, slices.length(v, dim), plan.cuts.of_mut(v));
        plan.dims[v] = dim;
        return true;
    }
    if devices < 2 {
        return false;
    }
    let row = plan.cuts.of_mut(v);
    let length = row[devices] as usize;
    row[1 + draw.integer_below(devices - 1)] = draw.integer_below(length + 1) as u32;
    row[1..devices].sort_unstable();
    true
}

/// The two best plans of each island go to the next one, those of the last to the first, in place of the worst two there.
/// Cached values of a plan migrate with it.
///
/// # Complexity
/// O(islands × operators × devices + population × log population).
pub fn migrate(islands: &mut [GaIsland]) {
    if islands.len() < 2 {
        return;
    }
    let movers: Vec<Vec<Member>> = (islands.iter())
        .map(|island| island.members.iter().take(MIGRANTS).cloned().collect())
        .collect();
    for (at, movers) in movers.iter().enumerate() {
        let next = (at + 1) % islands.len();
        let island = &mut islands[next];
        let population = island.members.len();
        for (place, mover) in movers.iter().enumerate() {
            if let Some(worst) = population.checked_sub(1 + place) {
                island.members[worst].copy(mover);
            }
        }
        island.members.sort_by(Member::against);
        island.note();
    }
}
