//! Several decoder layers, one after another in every token: the paper's future work.
//!
//! Ours. The ffn of a layer holds what the next one receives, so layers meet in two places only: that device, and the
//! memory they share. [`descend`] places one layer exactly while the others stay, over and over until none gets better; the
//! objective never rises, and where it ends need not be the best. [`bound`] says how far from it: memory gets a price per
//! byte, the layers then choose for themselves along a chain of devices for ffn (dynamic programming), and what they pay
//! beyond what memory there is can be no more than the optimum (Lagrangian relaxation; prices by subgradients with
//! Polyak's step). The first layer receives what the setting says, the others the activations L D b of the one before.
//!
//! Complexity: a round of descent is an exact search a layer; a round of the bound V^2 of them a layer, of which layers
//! that come from the same placement share one set.

use super::costs::HeadCosts;
use super::exact::HeadSolver;
use engine::evaluate::heads::{HeadsShape, memory_on, phases, score};
use engine::plan::Placement;
use engine::problem::head_sizes::{HeadLayer, Input};
use engine::problem::heads::{HeadPlacement, Interval, SLACK};
use engine::problem::{Code, Invalid};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// The most layers that are placed together.
pub const MOST_STACKED: usize = 512;

/// Layers that are alike, on the same devices in the same interval.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerStack {
    /// The first layer, before which nothing comes.
    first: HeadPlacement,
    /// Any other layer: its input is what a layer sends.
    other: HeadPlacement,
    /// Where each layer was before.
    prev: Vec<Option<Placement>>,
}

/// A stack that was scored.
#[derive(Debug, Clone, PartialEq)]
pub struct Stacked {
    /// Memory in use on each device, by all layers [B].
    pub memory_use: Vec<f64>,
    /// True if all devices have enough memory.
    pub memory_ok: bool,
    /// True if memory suffices and J is finite.
    pub feasible: bool,
    /// Delay of the last token, all layers one after another [s].
    pub d_t: f64,
    /// All moves, one after another [s].
    pub d_mig: f64,
    /// The objective, w D_T + D_mig [s].
    pub j: f64,
}

/// A plan for a stack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StackPlan {
    /// A placement a layer.
    pub placements: Vec<Placement>,
    /// The objective [s].
    pub value: f64,
    /// How often all layers were placed again.
    pub rounds: u32,
}

impl LayerStack {
    /// As many layers as `prev` has elements: where each was before, if anywhere. `interval.prev` has to be empty.
    ///
    /// # Errors
    /// [`Invalid`] as [`HeadPlacement::new`], at `prev[l][i]` of layer l, at `prev` for no layer or too many.
    pub fn new(
        layer: HeadLayer,
        links: std::sync::Arc<engine::problem::heads::LinkRates>,
        interval: Interval,
        prev: Vec<Option<Placement>>,
    ) -> Result<Self, Invalid> {
        if !(1..=MOST_STACKED).contains(&prev.len()) {
            let allowed = format!("a list of 1 to {MOST_STACKED} layers");
            return Err(Invalid::range("prev", prev.len(), &allowed));
        }
        if interval.prev.is_some() {
            let message = "prev of the interval must be empty: each layer has its own";
            return Err(Invalid::new(Code::Range, "interval.prev", 0, message));
        }
        let inner = layer.with_input(Input::Embed);
        let other = HeadPlacement::new(inner, links.clone(), interval.clone())?;
        let first = HeadPlacement::new(layer, links, interval)?;
        for (at, prev) in prev.iter().enumerate() {
            let checked = first.clone().with_prev(prev.clone());
            checked.map_err(|fault| Invalid {
                path: fault.path.replacen("prev", &format!("prev[{at}]"), 1),
                ..fault
            })?;
        }
        Ok(Self { first, other, prev })
    }

    /// How many layers there are.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.prev.len()
    }

    /// Number of devices, V.
    #[must_use]
    pub fn devices(&self) -> usize {
        self.first.devices()
    }

    /// The problem of one layer whose input comes from device `from`, alone on the devices.
    ///
    /// # Errors
    /// [`Invalid`] at `controller` for a device that is none.
    pub fn layer(&self, at: usize, from: usize) -> Result<HeadPlacement, Invalid> {
        let base = if at == 0 { &self.first } else { &self.other };
        let interval = Interval {
            controller: if at == 0 { base.controller() } else { from },
            prev: self.prev.get(at).cloned().flatten(),
            ..base.interval().clone()
        };
        HeadPlacement::new(*base.layer(), base.links().clone(), interval)
    }

    /// Scores a placement of every layer by the referee of one layer.
    ///
    /// # Errors
    /// [`Code::Plan`] for another number of layers, or as [`score`].
    pub fn score(&self, placements: &[Placement]) -> Result<Stacked, Invalid> {
        if placements.len() != self.layers() {
            let message = format!(
                "placements must be a list of {} layers, it has {}",
                self.layers(),
                placements.len()
            );
            let found = placements.len();
            return Err(Invalid::new(Code::Plan, "placements", found, message));
        }
        let mut all = Stacked {
            memory_use: vec![0.0; self.devices()],
            memory_ok: true,
            feasible: true,
            d_t: 0.0,
            d_mig: 0.0,
            j: 0.0,
        };
        let mut from = self.first.controller();
        for (at, placement) in placements.iter().enumerate() {
            let one = score(&self.layer(at, from)?, placement)?;
            for (sum, held) in all.memory_use.iter_mut().zip(&one.memory_use) {
                *sum += held;
            }
            all.d_t += one.d_t;
            all.d_mig += one.d_mig;
            from = placement[placement.len() - 1];
        }
        all.j = self.first.tokens() * all.d_t + all.d_mig;
        all.memory_ok = (0..self.devices()).all(|j| self.first.fits(j, all.memory_use[j]));
        all.feasible = all.memory_ok && all.j.is_finite();
        Ok(all)
    }

    /// Seconds of the head stage of layer `at` with those counts if its input comes from `from`.
    fn head_stage(&self, at: usize, from: usize, shape: &HeadsShape) -> Result<f64, Invalid> {
        let problem = self.layer(at, from)?;
        Ok(phases(&problem, problem.sizes(), shape).head_stage)
    }
}

/// Places layer after layer, the best for each in the room that the others leave, until a round of all layers changes
/// nothing or `rounds` are over. It starts from `start`, or from the layers placed in order. `None` when the start does
/// not fit; that proves nothing. `go_on` is asked before every layer.
///
/// # Errors
/// [`Invalid`] as [`LayerStack::score`].
pub fn descend(
    stack: &LayerStack,
    start: Option<Vec<Placement>>,
    rounds: u32,
    go_on: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Option<StackPlan>, Invalid> {
    let mut solver = HeadSolver::new();
    let placements = match start {
        Some(start) => start,
        None => match in_order(stack, &[], &mut solver)? {
            Some(placements) => placements,
            None => return Ok(None),
        },
    };
    let scored = stack.score(&placements)?;
    if !scored.feasible {
        return Ok(None);
    }
    let mut plan = StackPlan {
        placements,
        value: scored.j,
        rounds: 0,
    };
    let mut memory_use = scored.memory_use;
    for _ in 0..rounds {
        plan.rounds += 1;
        let mut better = false;
        for at in 0..stack.layers() {
            if go_on(plan.value).is_break() {
                return Ok(Some(plan));
            }
            let costs = layer_costs(stack, &plan.placements, &memory_use, at)?;
            solver.search(&costs, 1, &mut || true);
            let Some(counts) = solver.results().first() else {
                continue;
            };
            let before = std::mem::replace(&mut plan.placements[at], costs.place(counts));
            let scored = stack.score(&plan.placements)?;
            if scored.feasible && scored.j < plan.value {
                plan.value = scored.j;
                memory_use = scored.memory_use;
                better = true;
            } else {
                plan.placements[at] = before;
            }
        }
        if !better {
            break;
        }
    }
    Ok(Some(plan))
}

/// The layers placed in order, each in the room that those before it leave; memory costs what `prices` say, if anything.
fn in_order(
    stack: &LayerStack,
    prices: &[f64],
    solver: &mut HeadSolver,
) -> Result<Option<Vec<Placement>>, Invalid> {
    let mut left: Vec<f64> = usable_memory(&stack.first);
    let mut placements = Vec::with_capacity(stack.layers());
    let mut from = stack.first.controller();
    for at in 0..stack.layers() {
        let problem = stack.layer(at, from)?;
        let mut costs = HeadCosts::of(&problem);
        priced(&mut costs, prices);
        costs.memory.clone_from(&left);
        solver.search(&costs, 1, &mut || true);
        let Some(counts) = solver.results().first() else {
            return Ok(None);
        };
        let placement = costs.place(counts);
        let shape = HeadsShape::of(&placement, stack.devices());
        for (j, left) in left.iter_mut().enumerate() {
            *left -= memory_on(problem.sizes(), &shape, j);
        }
        from = shape.ffn;
        placements.push(placement);
    }
    Ok(Some(placements))
}

/// Adds what the memory of each block costs where it goes. No prices: nothing.
fn priced(costs: &mut HeadCosts, prices: &[f64]) {
    if prices.len() != costs.devices {
        return;
    }
    for (at, cost) in costs.cost.iter_mut().enumerate() {
        *cost += prices[at % costs.devices] * costs.m_head;
    }
    for (at, cost) in costs.pair.iter_mut().enumerate() {
        let (p, f) = (at / costs.devices, at % costs.devices);
        *cost += prices[p] * costs.m_proj + prices[f] * costs.m_ffn;
    }
}

/// A plan for all layers and a bound beside it. It begins with the layers placed in order; then, every few prices, the
/// layers are placed in order at the prices that gave the best bound so far, which share memory out better where it is
/// scarce. Each of these starts is followed by descent, and each better plan makes the steps towards it shorter. Without
/// a plan the bound may prove that there is none.
///
/// # Errors
/// [`Invalid`] as [`LayerStack::score`].
pub fn solve(
    stack: &LayerStack,
    rounds: u32,
    go_on: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<(Option<StackPlan>, StackBound), Invalid> {
    const EVERY: u32 = 8;
    let mut plan = descend(stack, None, rounds, go_on)?;
    let mut solver = HeadSolver::new();
    let below = climb(stack, rounds, go_on, &mut |found, last| {
        if found.rounds.is_multiple_of(EVERY) || last {
            let start = in_order(stack, &found.prices, &mut solver)?;
            let again = match start {
                Some(start) => descend(stack, Some(start), rounds, &mut |_| {
                    ControlFlow::Continue(())
                })?,
                None => None,
            };
            if value_of(&again) < value_of(&plan) {
                plan = again;
            }
        }
        Ok(value_of(&plan))
    })?;
    Ok((plan, below))
}

fn value_of(plan: &Option<StackPlan>) -> f64 {
    plan.as_ref().map_or(f64::INFINITY, |plan| plan.value)
}

/// Memory of each device with its slack [B].
fn usable_memory(problem: &HeadPlacement) -> Vec<f64> {
    let memory = problem.memory().iter();
    memory.map(|m| m * (1.0 + SLACK)).collect()
}

/// The costs of one layer while the others stay: memory that they leave, and what its ffn means for the next.
fn layer_costs(
    stack: &LayerStack,
    placements: &[Placement],
    memory_use: &[f64],
    at: usize,
) -> Result<HeadCosts, Invalid> {
    let devices = stack.devices();
    let ffn = |placement: &Placement| placement[placement.len() - 1];
    let from = match at {
        0 => stack.first.controller(),
        _ => ffn(&placements[at - 1]),
    };
    let problem = stack.layer(at, from)?;
    let own = HeadsShape::of(&placements[at], devices);
    let mut costs = HeadCosts::of(&problem);
    for (j, memory) in costs.memory.iter_mut().enumerate() {
        *memory -= memory_use[j] - memory_on(problem.sizes(), &own, j);
    }
    if let Some(next) = placements.get(at + 1) {
        let shape = HeadsShape::of(next, devices);
        for f in 0..devices {
            let stage = costs.weight * stack.head_stage(at + 1, f, &shape)?;
            for p in 0..devices {
                costs.pair[p * devices + f] += stage;
            }
        }
    }
    Ok(costs)
}

/// Lower bound of the optimum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StackBound {
    /// No plan is better than this [s]; infinite when there is none.
    pub value: f64,
    /// The price of memory on each device that gave it [s/B].
    pub prices: Vec<f64>,
    /// How many prices were tried.
    pub rounds: u32,
}

/// A lower bound of the objective. `best` is the value of a plan, infinite if none is known; prices are tried until the
/// bound meets it, `rounds` are over, or `go_on`, which receives the bound so far, returns false.
///
/// # Errors
/// [`Invalid`] as [`LayerStack::layer`].
pub fn bound(
    stack: &LayerStack,
    best: f64,
    rounds: u32,
    go_on: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<StackBound, Invalid> {
    climb(stack, rounds, go_on, &mut |_, _| Ok(best))
}

/// The value of the best plan that is known, after a price that gave this bound, and whether it was the last one.
type Best<'a> = &'a mut dyn FnMut(&StackBound, bool) -> Result<f64, Invalid>;

/// Climbs by subgradients on the prices.
fn climb(
    stack: &LayerStack,
    rounds: u32,
    go_on: &mut dyn FnMut(f64) -> ControlFlow<()>,
    best: Best<'_>,
) -> Result<StackBound, Invalid> {
    let mut pricing = Pricing::new(stack)?;
    let mut prices = vec![0.0; stack.devices()];
    let mut found = StackBound {
        value: f64::NEG_INFINITY,
        prices: prices.clone(),
        rounds: 0,
    };
    let mut eagerness = 1.0;
    let mut waited = 0;
    for round in 1..=rounds.max(1) {
        found.rounds = round;
        let (value, excess) = pricing.relaxed(&prices);
        if value > found.value {
            found.value = value;
            found.prices.clone_from(&prices);
            waited = 0;
        } else {
            waited += 1;
        }
        let norm: f64 = excess.iter().map(|g| g * g).sum();
        let ends = value.is_infinite() || norm == 0.0 || go_on(found.value).is_break();
        let best = best(&found, ends || round == rounds)?;
        if ends || found.value >= best - 1e-9 * best.abs() {
            break;
        }
        // Polyak's step towards the best plan, or a little above the bound where no plan is known; shorter when it
        // leads nowhere.
        if waited >= 4 {
            (eagerness, waited) = (0.5 * eagerness, 0);
        }
        let target = match best.is_finite() {
            true => best,
            false => value + 0.1 * value.abs(),
        };
        let step = eagerness * (target - value).max(0.0) / norm;
        let mut moved = false;
        for (price, excess) in prices.iter_mut().zip(&excess) {
            let next = (*price + step * excess).max(0.0);
            moved |= next != *price;
            *price = next;
        }
        if !moved {
            break;
        }
    }
    Ok(found)
}

/// The layers with a price on memory.
struct Pricing<'a> {
    stack: &'a LayerStack,
    solver: HeadSolver,
    usable_memory: Vec<f64>,
    /// The layers in groups that have the same costs: the first of each, and to which a layer belongs.
    kinds: Vec<usize>,
    kind_of: Vec<usize>,
    /// Costs of a kind from each device of input, without prices: `[kind][from]`.
    costs: Vec<Vec<HeadCosts>>,
}

/// The best of one layer with its input on one device and its ffn on another.
#[derive(Debug, Clone)]
struct Leg {
    value: f64,
    proj: usize,
    heads_on: Vec<usize>,
}

impl<'a> Pricing<'a> {
    fn new(stack: &'a LayerStack) -> Result<Self, Invalid> {
        let mut kinds: Vec<usize> = Vec::new();
        let mut kind_of = Vec::with_capacity(stack.layers());
        for at in 0..stack.layers() {
            let same =
                |kind: &usize| (*kind == 0) == (at == 0) && stack.prev[*kind] == stack.prev[at];
            let kind = kinds.iter().position(same).unwrap_or_else(|| {
                kinds.push(at);
                kinds.len() - 1
            });
            kind_of.push(kind);
        }
        let each = |at: &usize| {
            let sources = if *at == 0 { 1 } else { stack.devices() };
            (0..sources)
                .map(|from| Ok(HeadCosts::of(&stack.layer(*at, from)?)))
                .collect()
        };
        Ok(Self {
            stack,
            solver: HeadSolver::new(),
            usable_memory: usable_memory(&stack.first),
            costs: kinds.iter().map(each).collect::<Result<_, Invalid>>()?,
            kinds,
            kind_of,
        })
    }

    /// The least of the priced objective less what all memory is worth, and by how much each device is overfull then.
    fn relaxed(&mut self, prices: &[f64]) -> (f64, Vec<f64>) {
        let devices = self.stack.devices();
        let legs: Vec<Vec<Option<Leg>>> = (0..self.kinds.len())
            .map(|kind| self.legs(kind, prices))
            .collect();
        // From the front: the least up to a layer whose ffn is on each device, and which device came before.
        let mut cost: Vec<f64> = vec![0.0];
        let mut back: Vec<Vec<usize>> = Vec::new();
        for kind in &self.kind_of {
            let leg = |from: usize, f: usize| match &legs[*kind][from * devices + f] {
                Some(leg) => leg.value,
                None => f64::INFINITY,
            };
            let mut next = vec![f64::INFINITY; devices];
            let mut came = vec![0; devices];
            for (f, (next, came)) in next.iter_mut().zip(&mut came).enumerate() {
                for (from, so_far) in cost.iter().enumerate() {
                    let value = so_far + leg(from, f);
                    if value < *next {
                        (*next, *came) = (value, from);
                    }
                }
            }
            cost = next;
            back.push(came);
        }
        let worth: f64 = prices
            .iter()
            .zip(&self.usable_memory)
            .map(|(mu, m)| mu * m)
            .sum();
        let mut excess: Vec<f64> = self.usable_memory.iter().map(|m| -m).collect();
        let last = (0..devices).min_by(|a, b| cost[*a].total_cmp(&cost[*b]));
        let Some(mut f) = last.filter(|f| cost[*f] < f64::INFINITY) else {
            return (f64::INFINITY, excess);
        };
        let value = cost[f] - worth;
        let sizes = *self.stack.first.sizes();
        for (at, kind) in self.kind_of.iter().enumerate().rev() {
            let from = back[at][f];
            if let Some(leg) = &legs[*kind][from * devices + f] {
                for (held, heads) in excess.iter_mut().zip(&leg.heads_on) {
                    *held += *heads as f64 * sizes.m_head;
                }
                excess[leg.proj] += sizes.m_proj;
                excess[f] += sizes.m_ffn;
            }
            f = from;
        }
        (value, excess)
    }

    /// The best of a kind for each device of input and each of ffn, `[from * V + f]`; the first layer has one input.
    fn legs(&mut self, kind: usize, prices: &[f64]) -> Vec<Option<Leg>> {
        let devices = self.stack.devices();
        let mut legs = Vec::new();
        for costs in &self.costs[kind] {
            let mut all = costs.clone();
            priced(&mut all, prices);
            let mut one = all.clone();
            for f in 0..devices {
                for (at, cost) in one.pair.iter_mut().enumerate() {
                    *cost = match at % devices == f {
                        true => all.pair[at],
                        false => f64::INFINITY,
                    };
                }
                self.solver.search(&one, 1, &mut || true);
                legs.push(self.solver.results().first().map(|counts| Leg {
                    value: counts.value,
                    proj: counts.proj,
                    heads_on: counts.heads_on.clone(),
                }));
            }
        }
        legs
    }
}
