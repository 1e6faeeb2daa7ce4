//! Split queries against simulated workers that answer in any order: no subtask is requested twice, no late result is shown, and the
//! last aggregation has all results.

use document::{CacheScope, DeferredQuery, Name, Trigger};
use proptest::prelude::*;
use protocol::{AggregateState, AnswerRequest, ScatterGather, SubtaskResult};
use std::collections::BTreeMap;

const SWEEP: Name = "sweep";

/// Something to be gathered of so many pieces; with a load, of pieces that are its own.
fn more(pieces: usize, load: &str) -> DeferredQuery {
    DeferredQuery {
        when: Trigger::Idle,
        query: format!("all of {pieces}"),
        subtasks: (0..pieces).map(|at| at.to_string()).collect(),
        needs_all: false,
        load: load.into(),
        context: Vec::new(),
        refused: String::new(),
        cache_scope: CacheScope::Equivalent,
    }
}

/// Made-up workers, and what has been told.
#[derive(Default)]
struct World {
    gatherings: ScatterGather,
    /// What is asked and not answered.
    open: Vec<AnswerRequest>,
    /// How often each piece was asked for since the last edit.
    asked: BTreeMap<String, usize>,
    /// The pieces of which something was told last.
    told: Option<Vec<Option<SubtaskResult>>>,
    is_whole: bool,
}

impl World {
    fn begin(&mut self, more: DeferredQuery) {
        self.is_whole = false;
        let (pieces, sum) = self.gatherings.begin(SWEEP, more);
        self.ask(pieces.into_iter().chain(sum));
    }

    fn ask(&mut self, asks: impl IntoIterator<Item = AnswerRequest>) {
        for ask in asks {
            if let AnswerRequest::Subtask(_, name, load) = &ask {
                let times = self.asked.entry(name.clone()).or_default();
                *times += 1;
                assert!(
                    *times == 1 || !load.is_empty(),
                    "{name} was asked for twice"
                );
            }
            self.open.push(ask);
        }
    }

    /// Some request is answered, or a piece refused.
    fn answer(&mut self, which: usize, is_refused: bool) {
        let ask = self.open.swap_remove(which % self.open.len());
        let asks = match ask {
            AnswerRequest::Subtask(at, name, load) => {
                let content = format!("{name}{}", String::from_utf8_lossy(&load));
                let found = (!is_refused).then(|| SubtaskResult::from(content.into_bytes()));
                self.gatherings.record_result((&at, &name, &load), &found)
            }
            AnswerRequest::Aggregate(number, _, _, pieces) => {
                let before = self.told.iter().flatten().flatten().count();
                match self.gatherings.summed(number) {
                    None => Vec::new(), // it is late, and not told
                    Some(AggregateState::Complete(_)) => {
                        (self.told, self.is_whole) = (Some(pieces), true);
                        Vec::new()
                    }
                    Some(AggregateState::Partial(sum)) => {
                        assert!(pieces.iter().flatten().count() >= before, "less is told");
                        self.told = Some(pieces);
                        sum.into_iter().collect()
                    }
                }
            }
            other => panic!("{other:?}"),
        };
        self.ask(asks);
    }
}

proptest! {
    #[test]
    fn the_last_aggregation_has_all_subtasks(
        pieces in 1_usize..9,
        load in prop_oneof![Just(""), Just("state")],
        steps in prop::collection::vec((0_usize..100, 0_u32..12), 0..60),
    ) {
        let mut world = World::default();
        world.begin(more(pieces, load));
        for (which, what) in steps {
            match what {
                // The section is replaced, at the same settings.
                0 => {
                    world.gatherings.remove_queries(|of| of == SWEEP);
                    world.told = None;
                    world.begin(more(pieces, load));
                }
                1 => {
                    world.gatherings.end();
                    world.open.clear();
                    world.asked.clear();
                    world.told = None;
                    world.begin(more(pieces, load));
                }
                _ if world.open.is_empty() => {}
                _ => world.answer(which, false),
            }
        }
        while !world.open.is_empty() {
            world.answer(0, false);
        }
        prop_assert!(world.is_whole);
        let told = world.told.expect("something was told");
        let all: Vec<_> = (0..pieces).map(|at| Some(SubtaskResult::from(format!("{at}{load}").into_bytes()))).collect();
        prop_assert_eq!(told, all);
    }
}

#[test]
fn a_piece_that_is_refused_is_not_waited_for() {
    let mut world = World::default();
    world.begin(more(3, ""));
    world.answer(0, true);
    while !world.open.is_empty() {
        world.answer(0, false);
    }
    let told = world.told.expect("something was told");
    assert_eq!(told.iter().flatten().count(), 2);
    assert!(world.is_whole);
}

#[test]
fn a_query_that_needs_all_subtasks_is_aggregated_once() {
    let mut world = World::default();
    let mut all = more(4, "");
    all.needs_all = true;
    world.begin(all);
    for _ in 0..4 {
        assert!(world.told.is_none());
        world.answer(0, false);
    }
    world.answer(0, false);
    assert!(world.is_whole && world.open.is_empty());
}

#[test]
fn pieces_of_another_scenario_are_forgotten() {
    let mut world = World::default();
    world.begin(more(2, ""));
    while !world.open.is_empty() {
        world.answer(0, false);
    }
    let known = |world: &World| world.gatherings.cached_result("1").is_some();
    world
        .gatherings
        .retain_cached(|lasts| lasts == CacheScope::Equivalent);
    assert!(known(&world));
    world
        .gatherings
        .retain_cached(|lasts| lasts == CacheScope::Always);
    assert!(!known(&world));
}

#[test]
fn progress_counts_partly_done_subtasks() {
    let mut gatherings = ScatterGather::default();
    let (asks, _) = gatherings.begin(SWEEP, more(4, ""));
    let AnswerRequest::Subtask(at, name, load) = &asks[2] else {
        panic!("{asks:?}");
    };
    gatherings.record_progress((at, name, load), 0.5);
    assert_eq!(
        gatherings
            .reached()
            .map(|(_, share)| share)
            .collect::<Vec<_>>(),
        [0.125]
    );
    assert_eq!(gatherings.section_progress(SWEEP), (0, 0.5));
    gatherings.record_result((at, name, load), &Some(SubtaskResult::default()));
    assert_eq!(gatherings.section_progress(SWEEP), (1, 0.0));
}
