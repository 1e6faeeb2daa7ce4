//! A search that goes on after the first answer: large fleets are searched by all workers together, and the best plan so far stays on
//! show with what is proved of it. A round of it is the shares of a level; what the search knows goes along from round to round, so
//! that any worker can add a round up.

use super::presenter::ColdStartResults;
use super::queries::{ColdStartQuery, share};
use document::{Block, DeferredSlot, Section, Sentence, Trigger};
use engine::problem::Invalid;
use engine::scenario::Scenario;
use engine::solve::{Ended, StopReason};
use engine::units::{count, percent, seconds};
use methods::cold_start::search::costs::StageCosts;
use planner::cold_start::Answer;
use planner::cold_start_search::{
    AnytimeSearch, Done, Extended, LevelShare, answer_of, done, go_on, next_subtask,
};
use protocol::{SubtaskResult as Came, packed, unpacked, written};

/// The most shares of a level: each takes the whole level along, and as many workers as a page has shall end together.
const SHARES: usize = 8;

/// Sets of devices between two looks at whether anybody wants to know how far a share is.
const SETS: u64 = 256;

/// The search that goes on from an answer, if one does.
#[must_use]
pub fn search_section(known: &ColdStartResults<'_>) -> Option<Section> {
    go_on(known.problem, known.answer).map(|hunt| section(&hunt))
}

/// How far it is, and its next round.
fn section(hunt: &AnytimeSearch) -> Section {
    let section = Section::new("hunt", "Search");
    let (piece, shares) = match next_subtask(hunt, SHARES / 2) {
        Ok(next) => next,
        Err(ended) => return section.with(sentence(hunt, Some(ended))),
    };
    let pieces = (0..shares).map(|at| share(at, shares));
    section
        .with(sentence(hunt, None))
        .with(Block::Deferred(DeferredSlot {
            id: "hunt-on",
            button: Some(("Continue searching".into(), "Searching".into())),
            blocks: Vec::new(),
        }))
        .with_split_query(
            Trigger::Now("hunt-on"),
            written(&ColdStartQuery::Hunt),
            pieces.collect(),
            "The search ended",
        )
        .with_context(packed(&piece), packed(hunt))
}

/// Does a share of a round.
///
/// # Errors
/// A scenario that poses no problem, or a round that is none.
pub fn extend(
    scenario: &Scenario,
    round: &[u8],
    (at, of): (u32, u32),
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Vec<u8>, Invalid> {
    let piece = unpacked(round)?;
    let found = done(scenario, &piece, LevelShare { at, of }, &mut |sets| {
        if sets.is_multiple_of(SETS) {
            on_progress(sets, None);
        }
    })?;
    Ok(packed(&found))
}

/// The answer after a round, and what follows; where no share has come the search is at its end.
///
/// # Errors
/// A search that is none of this build’s.
pub fn aggregate(
    known: &ColdStartResults<'_>,
    kept: &[u8],
    shares: &[Option<Came>],
) -> Result<(Answer, Section), Invalid> {
    let hunt: AnytimeSearch = unpacked(kept)?;
    let mut hunt = hunt.with(StageCosts::new(known.problem));
    let results = shares
        .iter()
        .map(|share| unpacked::<Done>(share.as_ref()?).ok());
    let results: Option<Vec<Done>> = results.collect();
    match results.as_deref() {
        Some([Done::Tuned(tuned)]) => hunt.tuned((**tuned).clone()),
        Some(all) => {
            let all: Option<Vec<Extended>> = all.iter().map(Done::extended).collect();
            hunt.extended(&all.unwrap_or_default());
        }
        None => hunt.stop(StopReason::Cancelled),
    }
    let ended = next_subtask(&hunt, 1).err();
    let answer = answer_of(known.problem, known.answer, &hunt, ended);
    Ok((answer, section(&hunt)))
}

/// Describes the best plan so far and the state of the search.
fn sentence(hunt: &AnytimeSearch, ended: Option<Ended>) -> Sentence {
    let bound = hunt.bound();
    let known = match hunt.best() {
        None => Sentence::default().plain("No plan is known yet. "),
        Some((_, best)) => {
            let gap = 100.0 * ((best - bound) / best).max(0.0);
            Sentence::default()
                .plain("Best plan ")
                .strong(seconds(*best))
                .plain(", none below ")
                .strong(seconds(bound))
                .plain(": a gap of ")
                .strong(percent(gap, if gap < 0.095 { 3 } else { 1 }))
                .plain(". ")
        }
    };
    let tally = hunt.tally();
    let labels = count(tally.all_labels as f64);
    match ended {
        None => known.plain(format!(
            "Pass {}, plans of {} {}, {labels} labels so far.",
            tally.passes,
            tally.level + 1,
            if tally.level == 0 { "stage" } else { "stages" },
        )),
        Some(Ended::Optimal) => Sentence::default().plain(format!(
            "Searched to the end: {labels} labels in {} passes. No plan is faster.",
            tally.passes
        )),
        Some(Ended::Finished) => Sentence::default().plain("Searched to the end: no plan fits."),
        Some(Ended::Stopped(StopReason::Size)) => known.plain(format!(
            "The search ended after {labels} labels: more would not fit in memory."
        )),
        Some(Ended::Stopped(_)) => known.plain(format!("Stopped after {labels} labels.")),
    }
}
