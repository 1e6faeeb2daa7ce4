//! What is asked about the split, and what has come of it.

use crate::ui::jobs::Asked;
use crate::ui::operators::OperatorsState;
use crate::ui::operators::state::Shown as Ordered;
use engine::graph::Graph;
use engine::plan::Order;
use engine::scenario::operators::{Scenario, presets};
use job::operators::{
    Answer, Ask, Chain, Change, Cut, Island, Maker, Splits, Variant, best, exchange,
};
use job::worker::Sent;
use leptos::prelude::*;
use report::operators::{
    DeviceUse, PartTold, Piece, RoomTold, SplitTold, names, room_told, split_words,
};
use std::sync::Arc;
use story::Table;
use story::Words;

/// Groups of what is asked about splits; those of the questions must not meet.
const FIRST_GROUP: u32 = 10 << 20;
/// Groups of one scenario: what is known at once, chains, islands, other devices.
const GROUPS: u32 = 64;
const CHAINS: u32 = 1;
const ISLANDS: u32 = 24;
const VARIANTS: u32 = 48;

/// A split on show, with everything that is drawn of it.
#[derive(Debug, Clone)]
pub struct SplitShown {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// Its graph.
    pub graph: Arc<Graph>,
    /// The order.
    pub order: Arc<Order>,
    /// What was known at once.
    pub splits: Arc<Splits>,
    /// The best split so far.
    pub cut: Arc<Cut>,
    /// The same in words.
    pub words: Words,
    /// The operators in their order.
    pub pieces: Arc<Vec<Piece>>,
    /// What each device does.
    pub devices: Vec<DeviceUse>,
    /// Names of the devices.
    pub names: Arc<Vec<String>>,
    /// Along what operators are cut, in a sentence.
    pub dims: String,
    /// Limits that would do, where these do not.
    pub room: Option<RoomTold>,
}

impl SplitShown {
    /// Something made of the split; `None` if its maker does not say who makes what.
    pub fn told<T>(&self, make: impl FnOnce(&SplitTold<'_>) -> T) -> Option<T> {
        let told = SplitTold::of(&self.scenario, &self.graph, &self.order, &self.cut);
        told.ok().flatten().map(|told| make(&told))
    }

    /// What each device has to do at a step.
    pub fn parts(&self, step: usize) -> Vec<PartTold> {
        let op = self.pieces.get(step).map(|piece| piece.op);
        op.and_then(|op| self.told(|told| told.parts(op)))
            .unwrap_or_default()
    }

    /// A table of the split.
    pub fn table(&self, make: impl FnOnce(&SplitTold<'_>) -> Table) -> Arc<Table> {
        Arc::new(self.told(make).unwrap_or_default())
    }
}

/// Over what other devices are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// So many devices.
    Devices,
    /// So much memory on each.
    Memory,
    /// The configurations of Fig. 11.
    Factors,
}

/// The most devices that are tried.
const MOST_TRIED: u32 = 8;
/// Memory limits that are tried, as shares of what one device alone needs.
const LIMIT_SHARES: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5, 2.0];

/// A piece of a search: what has come of it, and whether more comes.
#[derive(Debug, Clone)]
pub struct Running<T> {
    /// As much as is known.
    pub so_far: Option<Arc<T>>,
    /// Whether it has come to its end, or been ended.
    pub is_over: bool,
    /// Whether it has come to its end by itself.
    pub is_whole: bool,
}

impl<T> Default for Running<T> {
    fn default() -> Self {
        Self {
            so_far: None,
            is_over: false,
            is_whole: false,
        }
    }
}

/// What has come of the searches for a split.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The scenario it belongs to.
    pub of: Option<Arc<Scenario>>,
    /// The order.
    pub order: Arc<Order>,
    /// The chains of the search, by number.
    pub chains: Vec<Running<Chain>>,
    /// The islands of the paper's search, by number; none before it has been asked for.
    pub islands: Vec<Running<Island>>,
    /// Other devices, those that are still to come without an answer.
    pub variants: Vec<(Range, Change, Option<Variant>)>,
    /// What was refused or could not be found out.
    pub faults: Vec<String>,
}

impl Found {
    /// Whether chains are still running.
    pub fn is_going(&self) -> bool {
        self.chains.iter().any(|chain| !chain.is_over)
    }

    /// Whether the paper's search is.
    pub fn is_evolving(&self) -> bool {
        self.islands.iter().any(|island| !island.is_over)
    }

    /// The best of the paper's search.
    pub fn ga(&self) -> Option<&Cut> {
        let islands = self.islands.iter().filter_map(|own| own.so_far.as_ref());
        best(islands.filter_map(|island| island.best.as_ref()))
    }
}

/// The part of the question's state that is about splits. Cheap to copy.
#[derive(Clone, Copy)]
pub struct SplitState {
    /// The split on show.
    pub shown: RwSignal<Option<Arc<SplitShown>>>,
    /// What has come of the searches.
    pub found: RwSignal<Found>,
    /// Over what other devices are shown.
    pub range: RwSignal<Range>,
    /// The first group of the scenario's.
    group: StoredValue<u32>,
}

impl SplitState {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self {
            shown: RwSignal::new(None),
            found: RwSignal::new(Found::default()),
            range: RwSignal::new(Range::Devices),
            group: StoredValue::new(FIRST_GROUP),
        }
    }

    /// Whether the search for the split on show has come to its end by itself.
    pub fn is_whole(&self) -> bool {
        let shown = self.shown.get();
        self.found.with(|found| {
            let same = found.of.as_ref().zip(shown);
            let is_own = same.is_some_and(|(of, shown)| Arc::ptr_eq(of, &shown.scenario));
            is_own && !found.chains.is_empty() && found.chains.iter().all(|own| own.is_whole)
        })
    }

    /// The share of the search that is done, while it runs.
    pub fn share(&self) -> Option<f64> {
        self.found.with(|found| {
            found.is_going().then(|| {
                let done = |chain: &Running<Chain>| match &chain.so_far {
                    _ if chain.is_over => 1.0,
                    Some(chain) => chain.moves / chain.of.max(1.0),
                    None => 0.0,
                };
                let all: f64 = found.chains.iter().map(done).sum();
                all / found.chains.len().max(1) as f64
            })
        })
    }
}

impl OperatorsState {
    /// Asks what is known at once of the split; the order has just been found.
    pub(in crate::ui::operators) fn ask_splits(&self, shown: &Arc<Ordered>) {
        self.end_splits();
        let Some(main) = shown.main() else { return };
        let order = Arc::new(main.order.clone());
        self.split.found.set(Found {
            of: Some(shown.scenario.clone()),
            order: order.clone(),
            ..Found::default()
        });
        let order = (*order).clone();
        self.ask_split(0, vec![Ask::Splits { order }]);
    }

    fn ask_split(&self, group: u32, asks: Vec<Ask>) {
        let of = self.split.found.with_untracked(|found| found.of.clone());
        if let Some(of) = of {
            let group = self.split.group.get_value() + group;
            self.with_solver(|solver| solver.points(*self, group, &Sent(of), asks));
        }
    }

    fn order_of_split(&self) -> Order {
        self.split
            .found
            .with_untracked(|found| (*found.order).clone())
    }

    /// Starts the chains, each in a group of its own, so that they go to different workers.
    pub(in crate::ui::operators) fn cut_on(&self) {
        let is_ready = self.split.found.with_untracked(|found| {
            let shown = self.split.shown.get_untracked();
            let of = found.of.as_ref().zip(shown);
            found.chains.is_empty()
                && of.is_some_and(|(of, shown)| Arc::ptr_eq(of, &shown.scenario))
        });
        if !is_ready {
            return;
        }
        let chains = self
            .scenario
            .with_untracked(|s| s.split.search.islands as u32);
        self.split
            .found
            .update(|found| found.chains = vec![Running::default(); chains as usize]);
        for chain in 0..chains {
            let order = self.order_of_split();
            self.ask_split(CHAINS + chain, vec![Ask::Chain { order, chain }]);
        }
    }

    /// Ends everything that is asked about splits; what has come stays.
    pub(in crate::ui::operators) fn end_splits(&self) {
        let first = self.split.group.get_value();
        self.split.group.set_value(first + GROUPS);
        self.with_solver(|solver| {
            for group in first..first + GROUPS {
                solver.cancel(group);
            }
        });
        let is_busy = |found: &Found| found.is_going() || found.is_evolving();
        if self.split.found.with_untracked(is_busy) {
            self.split.found.update(|found| {
                for chain in &mut found.chains {
                    chain.is_over = true;
                }
                for island in &mut found.islands {
                    island.is_over = true;
                }
            });
        }
    }

    /// Ends the chains by hand; the best split so far stays.
    pub fn end_chains(&self) {
        let first = self.split.group.get_value() + CHAINS;
        let chains = self.split.found.with_untracked(|found| found.chains.len());
        self.with_solver(|solver| {
            for group in first..first + chains as u32 {
                solver.cancel(group);
            }
        });
        self.split.found.update(|found| {
            for chain in &mut found.chains {
                chain.is_over = true;
            }
        });
    }

    /// Starts the paper's search from its beginning.
    pub fn evolve(&self) {
        let Some(of) = self.split.found.with_untracked(|found| found.of.clone()) else {
            return;
        };
        let islands = of.split.search.islands as u32;
        self.split.found.update(|found| {
            found.islands = vec![Running::default(); islands as usize];
            found.faults.clear();
        });
        for at in 0..islands {
            self.ask_island(Island::first(&of, at));
        }
    }

    fn ask_island(&self, island: Island) {
        let order = self.order_of_split();
        let group = ISLANDS + island.at;
        let island = Box::new(island);
        self.ask_split(group, vec![Ask::Island { order, island }]);
    }

    /// Ends it; its best plan so far stays.
    pub fn end_evolving(&self) {
        let first = self.split.group.get_value() + ISLANDS;
        let islands = self.split.found.with_untracked(|found| found.islands.len());
        self.with_solver(|solver| {
            for group in first..first + islands as u32 {
                solver.cancel(group);
            }
        });
        self.split.found.update(|found| {
            for island in &mut found.islands {
                island.is_over = true;
            }
        });
    }

    /// Asks for the other devices that are looked at, as far as they have not been.
    pub fn ask_variants(&self, range: Range) {
        let is_known = |found: &Found| {
            found.splits_are_there()
                && !found.is_going()
                && found.variants.iter().all(|v| v.0 != range)
        };
        if !self.split.found.with_untracked(is_known) {
            return;
        }
        let alone = self.shown.with_untracked(|shown| {
            let main = shown.as_deref().and_then(Ordered::main);
            main.map_or(0, |main| main.peak) as f64 / 1_048_576.0
        });
        let changes: Vec<Change> = match range {
            Range::Devices => (1..=MOST_TRIED).map(Change::Devices).collect(),
            Range::Memory => LIMIT_SHARES
                .iter()
                .map(|share| Change::LimitMib(Some((share * alone * 100.0).ceil() / 100.0)))
                .collect(),
            Range::Factors => presets::CONFIGURATIONS
                .iter()
                .map(|factors| Change::Factors(factors.to_vec()))
                .collect(),
        };
        let order = self.order_of_split();
        let asks = changes.iter().map(|change| Ask::Variant {
            order: order.clone(),
            change: change.clone(),
        });
        let asks = asks.collect();
        self.split.found.update(|found| {
            let more = changes.into_iter().map(|change| (range, change, None));
            found.variants.extend(more);
        });
        self.ask_split(VARIANTS + range as u32, asks);
    }

    /// An answer about splits has come, or a part of one.
    pub(in crate::ui::operators) fn split_answered(
        &self,
        job: &Asked<Ask>,
        answer: Answer,
        is_whole: bool,
    ) {
        let is_own = |found: &Found| {
            let of = found.of.as_ref();
            of.is_some_and(|of| Arc::ptr_eq(of, &job.scenario.0))
        };
        if !self.split.found.with_untracked(is_own) {
            return;
        }
        match answer {
            Answer::Splits(splits) => self.show_split(Arc::new(*splits)),
            Answer::Chain(chain) => {
                self.split.found.update(|found| {
                    if let Some(own) = found.chains.get_mut(chain.chain as usize)
                        && !own.is_over
                    {
                        own.is_over = is_whole;
                        own.is_whole = is_whole;
                        own.so_far = Some(Arc::new(*chain));
                    }
                });
                self.show_best();
            }
            Answer::Island(island) => self.island_answered(*island, is_whole),
            Answer::Variant(variant) => self.split.found.update(|found| {
                let same = |own: &&mut (Range, Change, Option<Variant>)| own.1 == variant.change;
                if let Some(own) = found.variants.iter_mut().find(same) {
                    own.2 = Some(*variant);
                }
            }),
            _ => {}
        }
    }

    fn island_answered(&self, island: Island, is_whole: bool) {
        let at = island.at as usize;
        let mut next = Vec::new();
        self.split.found.update(|found| {
            let Some(own) = found.islands.get_mut(at) else {
                return;
            };
            if own.is_over {
                return; // ended by hand
            }
            // A part has no plans to go on with.
            own.so_far = Some(Arc::new(island));
            if !is_whole {
                return;
            }
            own.is_over = true;
            if found.is_evolving() {
                return;
            }
            // All are at the end of a round: the best plans move on, and another round begins unless all have ended.
            let round = found.islands.iter().filter_map(|own| own.so_far.as_deref());
            let mut round: Vec<Island> = round.cloned().collect();
            if round.iter().all(|island| island.ended) {
                return;
            }
            exchange(&mut round);
            for (own, island) in found.islands.iter_mut().zip(round) {
                own.is_over = island.ended;
                own.so_far = Some(Arc::new(island.clone()));
                if !island.ended {
                    next.push(island);
                }
            }
        });
        for island in next {
            self.ask_island(island);
        }
    }

    /// Shows what is known at once.
    fn show_split(&self, splits: Arc<Splits>) {
        let cut = Arc::new(splits.start.clone());
        self.show_cut(&splits, cut);
        // Edits may have paused before it came.
        if self.has_paused() {
            self.cut_on();
        }
    }

    /// Shows the best split of the chains, if it is better than the one at the start.
    fn show_best(&self) {
        let Some(shown) = self.split.shown.get_untracked() else {
            return;
        };
        let start = &shown.splits.start;
        let best = self.split.found.with_untracked(|found| {
            let chains = found.chains.iter().filter_map(|own| own.so_far.as_ref());
            let all = chains.map(|chain| &chain.best);
            best(all.chain([start])).cloned()
        });
        if let Some(best) = best
            && (best.maker == Maker::Best || best != *shown.cut)
        {
            self.show_cut(&shown.splits.clone(), Arc::new(best));
        }
    }

    fn show_cut(&self, splits: &Arc<Splits>, cut: Arc<Cut>) {
        let (Some(ordered), Some((scenario, order, room))) = (
            self.shown.get_untracked(),
            self.split.found.with_untracked(|found| {
                let rooms = found.chains.iter().filter_map(|own| own.so_far.as_ref());
                let rooms = rooms.filter_map(|chain| chain.room.as_ref());
                let room = rooms.min_by(|a, b| a.factor.total_cmp(&b.factor)).cloned();
                Some((found.of.clone()?, found.order.clone(), room))
            }),
        ) else {
            return;
        };
        let graph = ordered.graph.clone();
        let Ok(Some(told)) = SplitTold::of(&scenario, &graph, &order, &cut) else {
            return; // every split that is shown says who makes what
        };
        let room = room.filter(|_| !cut.is_feasible);
        let words = split_words(&told, splits, room.as_ref());
        let shown = SplitShown {
            words,
            pieces: Arc::new(told.pieces()),
            devices: told.devices(&splits.alone_ms),
            names: Arc::new(names(&scenario)),
            dims: told.dims_words(),
            room: room.as_ref().map(room_told),
            scenario: scenario.clone(),
            graph: graph.clone(),
            order: order.clone(),
            splits: splits.clone(),
            cut: cut.clone(),
        };
        self.split.shown.set(Some(Arc::new(shown)));
    }

    /// Something about splits was refused, or failed twice; whether it was about splits.
    pub(in crate::ui::operators) fn split_refused(&self, job: &Asked<Ask>, why: &str) -> bool {
        let is_own = self.split.found.with_untracked(|found| {
            let of = found.of.as_ref();
            of.is_some_and(|of| Arc::ptr_eq(of, &job.scenario.0))
        });
        match &job.ask {
            Ask::Chain { chain, .. } if is_own => {
                self.split.found.update(|found| {
                    if let Some(own) = found.chains.get_mut(*chain as usize) {
                        own.is_over = true;
                    }
                    found.faults.push(why.to_owned());
                });
            }
            Ask::Island { .. } if is_own => {
                self.end_evolving();
                self.split
                    .found
                    .update(|found| found.faults.push(why.to_owned()));
            }
            Ask::Variant { change, .. } if is_own => self.split.found.update(|found| {
                found.variants.retain(|own| own.1 != *change);
            }),
            Ask::Splits { .. } if is_own => {
                // A split of another scenario says nothing about this one.
                self.split.shown.set(None);
                self.split
                    .found
                    .update(|found| found.faults.push(why.to_owned()));
            }
            Ask::Chain { .. } | Ask::Island { .. } | Ask::Variant { .. } | Ask::Splits { .. } => {}
            _ => return false,
        }
        true
    }
}

impl Found {
    /// Whether nothing more comes of the search for a split.
    pub fn is_at_rest(&self) -> bool {
        self.splits_are_there() && !self.is_going() || !self.faults.is_empty()
    }

    fn splits_are_there(&self) -> bool {
        self.of.is_some() && !self.chains.is_empty()
    }
}
