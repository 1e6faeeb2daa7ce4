//! How what is beside a paper’s figures is computed: in pieces, which the command line makes one after the other and a page
//! has its workers make. A question’s story needs [`section`] for its section, and hands [`piece`] and [`gathered`] what comes of
//! those that are [its own](is_of).

use super::LENGTHS;
use super::section::{PLACE, Shown, TITLE};
use super::sections::{self, ColdStarts, is_paper};
use crate::presenting::AggregateResult;
use document::{Block, CacheScope, DeferredSlot, Name, Patch, Section, Trigger};
use engine::graph::catalogue;
use engine::plan::HeadRunSummary;
use engine::problem::{Code, Invalid};
use engine::scenario::{Scenario, presets};
use planner::operators::{OrderCase, SplitCase};
use planner::tiers_published::{self, SEEDS};
use planner::tiers_run::Failed;
use planner::{cold_start, dispatch_published, heads_published, operators};
use protocol::{SubtaskResult, packed, read, unpacked, written};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;

/// Receives the progress of a subtask, with the total where known, and may cancel it.
pub type SubtaskProgress<'a> = dyn FnMut(u64, Option<u64>) -> ControlFlow<()> + 'a;

/// Results behind the figures of a paper, as far as they are known.
pub trait Reproduction: Default {
    /// Name of the query and of its slot.
    const NAME: Name = PLACE;
    /// The user’s own scenario, where figures of it are beside those of the paper’s.
    type OwnScenario;
    /// A subtask.
    type Subtask: Serialize + DeserializeOwned;
    /// Result of a subtask.
    type Outcome: Serialize + DeserializeOwned;

    /// All pieces in order.
    fn subtasks(own: &Self::OwnScenario) -> Vec<Self::Subtask>;

    /// Runs a subtask; `None` if `on_progress` cancelled it.
    ///
    /// # Errors
    /// A piece that there is not; a scenario that cannot be answered.
    fn find(
        own: &Self::OwnScenario,
        piece: &Self::Subtask,
        on_progress: &mut SubtaskProgress<'_>,
    ) -> Result<Option<Self::Outcome>, Invalid>;

    /// Takes a piece in.
    fn add(&mut self, own: &Self::OwnScenario, piece: Self::Subtask, found: Self::Outcome);

    /// The sections out of what is known.
    fn sections(&self, own: &Self::OwnScenario) -> Vec<Shown>;
}

/// The section of a page: filled once it is open, as subtasks complete.
#[must_use]
pub fn section<K: Reproduction>(own: &K::OwnScenario) -> Section {
    with_place::<K>(empty(), own, Trigger::Opened, None)
}

/// Adds the figures behind a button, for those that take long: its label, and its label while they run. Figures that need no
/// subtask are shown at once.
#[must_use]
pub fn pressed<K: Reproduction>(
    section: Section,
    own: &K::OwnScenario,
    words: [&str; 2],
) -> Section {
    let begun = K::default().sections(own);
    let section = with_place::<K>(section, own, Trigger::Pressed(K::NAME), Some(words));
    let mut blocks = section.blocks;
    if let Some(Block::Deferred(place)) = blocks.last_mut() {
        place.blocks = begun.iter().flat_map(|shown| shown.blocks(None)).collect();
    }
    Section { blocks, ..section }
}

/// The section without anything in it.
#[must_use]
pub fn empty() -> Section {
    Section::new("published", TITLE)
        .folded()
        .holding("the paper\u{2019}s figures")
}

fn with_place<K: Reproduction>(
    section: Section,
    own: &K::OwnScenario,
    when: Trigger,
    button: Option<[&str; 2]>,
) -> Section {
    let place = DeferredSlot {
        id: K::NAME,
        button: button.map(|[ask, meanwhile]| (ask.to_owned(), meanwhile.to_owned())),
        blocks: Vec::new(),
    };
    let pieces = K::subtasks(own).into_iter().map(named::<K>).collect();
    section
        .with(Block::Deferred(place))
        .with_split_query(when, K::NAME.to_owned(), pieces, "Not computed")
        .lasting(CacheScope::Always)
}

/// A piece as it is asked for: no other question of a page asks the same.
fn named<K: Reproduction>(piece: K::Subtask) -> String {
    written(&(K::NAME, piece))
}

/// Returns true if a subtask or a query is one of these figures.
#[must_use]
pub fn is_of<K: Reproduction>(asked: &str) -> bool {
    let is_piece =
        || read::<(String, serde_json::Value)>(asked).is_ok_and(|(name, _)| name == K::NAME);
    asked == K::NAME || is_piece()
}

/// Computes a piece.
///
/// # Errors
/// As [`Reproduction::find`].
pub fn run_subtask<K: Reproduction>(
    own: &K::OwnScenario,
    piece: &str,
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Vec<u8>, Invalid> {
    let on_progress = &mut |done, of| {
        on_progress(done, of);
        ControlFlow::Continue(())
    };
    let (_, wanted): (String, K::Subtask) = read(piece)?;
    let found = K::find(own, &wanted, on_progress)?;
    let cancelled = || Invalid::new(Code::Plan, "piece", piece, "it was ended".to_owned());
    found.map(|found| packed(&found)).ok_or_else(cancelled)
}

/// Aggregates the subtask results so far; `marked` as in [`Shown::blocks`].
///
/// # Errors
/// A piece that is none of this build’s.
pub fn aggregate<K: Reproduction>(
    own: &K::OwnScenario,
    pieces: &[Option<SubtaskResult>],
    marked: Option<(usize, &str)>,
) -> Result<AggregateResult, Invalid> {
    let mut known = K::default();
    for (piece, found) in K::subtasks(own).into_iter().zip(pieces) {
        if let Some(found) = found {
            known.add(own, piece, unpacked(found)?);
        }
    }
    let shown = known.sections(own);
    let blocks = shown.iter().flat_map(|shown| shown.blocks(marked));
    Ok(AggregateResult::Fills(vec![Patch::Place {
        id: K::NAME,
        blocks: blocks.collect(),
    }]))
}

/// The paper’s scenario at each of [`LENGTHS`], then the user’s own if it is another one. A piece says which it is of: that of
/// another own scenario is another piece.
impl Reproduction for ColdStarts {
    type OwnScenario = Option<Scenario>;
    type Subtask = (Option<String>, usize);
    /// As its file has it: fields that it lacks are left out there.
    type Outcome = String;

    fn subtasks(own: &Self::OwnScenario) -> Vec<Self::Subtask> {
        let other = own.as_ref().filter(|own| !is_paper(own));
        let other = other.map(|own| digest(&own.to_json()));
        let lengths = |of: Option<String>| (0..LENGTHS.len()).map(move |at| (of.clone(), at));
        let papers = lengths(None);
        let others = other.into_iter().flat_map(|of| lengths(Some(of)));
        papers.chain(others).collect()
    }

    fn find(
        own: &Self::OwnScenario,
        (of_own, at): &Self::Subtask,
        on_progress: &mut SubtaskProgress<'_>,
    ) -> Result<Option<Self::Outcome>, Invalid> {
        let scenario = of(own, of_own.is_some());
        // A point of a sweep cannot be cancelled; the listener is still notified that it goes on.
        let found = cold_start::planned(&scenario, LENGTHS[*at], &mut |done, of| {
            let _ = on_progress(done, of);
        });
        found.map(|answer| Some(written(&answer)))
    }

    fn add(&mut self, own: &Self::OwnScenario, (of_own, at): Self::Subtask, found: Self::Outcome) {
        let is_own = of_own.is_some();
        let found = read::<cold_start::Answer>(&found);
        if let (Ok(problem), Ok(found)) = (of(own, is_own).problem_at(LENGTHS[at]), found) {
            let side = match is_own {
                true => self.yours.get_or_insert_default(),
                false => &mut self.paper,
            };
            side.push((problem, found));
        }
    }

    fn sections(&self, own: &Self::OwnScenario) -> Vec<Shown> {
        let is_other = own.as_ref().is_some_and(|own| !is_paper(own));
        let is_whole = |yours: &&Vec<_>| yours.len() == LENGTHS.len();
        let yours = self.yours.as_ref().filter(is_whole);
        let known = Self {
            paper: self.paper.clone(),
            yours: is_other.then(|| yours.cloned().unwrap_or_default()),
        };
        vec![sections::COLD_START.build(&known)]
    }
}

/// A short name of a text, the same for as long as this build runs.
fn digest(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn of(own: &Option<Scenario>, is_own: bool) -> Scenario {
    let own = own.as_ref().filter(|_| is_own);
    own.cloned().unwrap_or_else(presets::paper)
}

impl Reproduction for heads_published::HeadsMeasurements {
    type OwnScenario = ();
    type Subtask = (heads_published::HeadsMeasure, heads_published::Part);
    /// As its file has it: fields that it lacks are left out there.
    type Outcome = String;

    fn subtasks((): &()) -> Vec<Self::Subtask> {
        use heads_published::{HeadsMeasure, ModelSize, Reading};
        let measures = [ModelSize::Small, ModelSize::Medium]
            .into_iter()
            .flat_map(|size| {
                let measure = move |reading| HeadsMeasure { reading, size };
                Reading::ALL.into_iter().map(measure)
            });
        let parts = |measure: HeadsMeasure| {
            let parts = measure.network_runs().into_iter();
            parts.map(move |part| (measure, part))
        };
        measures.flat_map(parts).collect()
    }

    fn find(
        (): &(),
        (measure, part): &Self::Subtask,
        on_progress: &mut SubtaskProgress<'_>,
    ) -> Result<Option<Self::Outcome>, Invalid> {
        let sums = measure.run(*part, &mut |share| {
            on_progress((1000.0 * share) as u64, Some(1000))
        })?;
        Ok(sums.map(|sums| written(&sums)))
    }

    fn add(&mut self, (): &(), (measure, part): Self::Subtask, found: Self::Outcome) {
        if let Ok(sums) = read::<Vec<HeadRunSummary>>(&found) {
            self.add(measure, part, sums);
        }
    }

    fn sections(&self, (): &()) -> Vec<Shown> {
        // A reading is shown when it is whole.
        let (mut known, mut whole) = (self.clone(), Self::default());
        for measure in Self::subtasks(&()).into_iter().map(|(measure, _)| measure) {
            known.pass_on(measure, &mut whole);
        }
        vec![sections::HEADS.build(&whole)]
    }
}

impl Reproduction for dispatch_published::DispatchMeasurements {
    type OwnScenario = ();
    type Subtask = dispatch_published::DispatchSubtask;
    type Outcome = dispatch_published::DispatchSubtaskResult;

    fn subtasks((): &()) -> Vec<Self::Subtask> {
        Self::subtasks()
    }

    fn find(
        (): &(),
        piece: &Self::Subtask,
        _: &mut SubtaskProgress<'_>,
    ) -> Result<Option<Self::Outcome>, Invalid> {
        Ok(Some(piece.run()))
    }

    fn add(&mut self, (): &(), _: Self::Subtask, found: Self::Outcome) {
        self.add(found);
    }

    fn sections(&self, (): &()) -> Vec<Shown> {
        vec![sections::DISPATCH.build(self)]
    }
}

impl Reproduction for tiers_published::TierMeasurements {
    type OwnScenario = ();
    type Subtask = (tiers_published::TierMeasure, usize);
    type Outcome = tiers_published::Figures;

    /// A case may belong to several measures, and is run once.
    fn subtasks((): &()) -> Vec<Self::Subtask> {
        let mut all: Vec<(tiers_published::TierCase, Self::Subtask)> = Vec::new();
        for measure in tiers_published::TierMeasure::ALL {
            for (at, case) in measure.cases().into_iter().enumerate() {
                if all.iter().all(|(known, _)| *known != case) {
                    all.push((case, (measure, at)));
                }
            }
        }
        all.into_iter().map(|(_, piece)| piece).collect()
    }

    fn find(
        (): &(),
        (measure, at): &Self::Subtask,
        on_progress: &mut SubtaskProgress<'_>,
    ) -> Result<Option<Self::Outcome>, Invalid> {
        let cases = measure.cases();
        let Some(case) = cases.get(*at) else {
            let allowed = format!("the place of a case, 0 to {}", cases.len() - 1);
            return Err(Invalid::range("at", *at, &allowed));
        };
        // A case cannot be ended.
        match case.run(&SEEDS, &mut |done, of| {
            let _ = on_progress(done, of);
        }) {
            Ok(figures) => Ok(Some(figures)),
            Err(Failed::Invalid(fault)) => Err(fault),
            Err(Failed::Stopped(_) | Failed::Nothing) => Ok(None),
        }
    }

    fn add(&mut self, (): &(), (measure, at): Self::Subtask, found: Self::Outcome) {
        if let Some(case) = measure.cases().into_iter().nth(at) {
            self.add(case, found);
        }
    }

    fn sections(&self, (): &()) -> Vec<Shown> {
        vec![sections::TIERS.build(&()), sections::TIERS_RUNS.build(self)]
    }
}

/// The models of the catalogue by their places.
macro_rules! of_models {
    ($case:ty, $find:path, $section:path, $name:expr) => {
        impl Reproduction for Vec<$case> {
            const NAME: Name = $name;
            type OwnScenario = ();
            type Subtask = usize;
            type Outcome = $case;

            fn subtasks((): &()) -> Vec<usize> {
                (0..catalogue::MODELS.len()).collect()
            }

            fn find(
                (): &(),
                at: &usize,
                on_progress: &mut SubtaskProgress<'_>,
            ) -> Result<Option<$case>, Invalid> {
                // A case cannot be ended.
                let found = $find(*at, &mut |done, of| {
                    let _ = on_progress(done, of);
                });
                found.map(Some)
            }

            fn add(&mut self, (): &(), _: usize, found: $case) {
                self.push(found);
            }

            fn sections(&self, (): &()) -> Vec<Shown> {
                vec![$section.build(self)]
            }
        }
    };
}
of_models!(OrderCase, operators::case, sections::OPERATORS, PLACE);
of_models!(
    SplitCase,
    operators::split_case,
    sections::SPLITS,
    "published-splits"
);
