//! How what stands beside a paper’s figures is computed: in pieces, which the command line makes one after the other and a page
//! has its workers make. A question’s story needs [`section`] for its section, and hands [`piece`] and [`gathered`] what comes of
//! those that are [its own](is_of).

use super::LENGTHS;
use super::section::{PLACE, Shown, TITLE};
use super::sections::{self, ColdStarts, is_paper};
use crate::presenting::AggregateResult;
use engine::graph::catalogue;
use engine::plan::HeadRunSummary;
use engine::problem::{Code, Invalid};
use engine::scenario::{Scenario, presets};
use job::operators::{OrderCase, SplitCase};
use job::tiers_published::{self, SEEDS};
use job::tiers_run::Failed;
use job::{cold_start, dispatch_published, heads_published, operators};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use story::{Block, CacheScope, Later, Name, Patch, Section, Trigger};
use tell::{SubtaskResult, packed, read, unpacked, written};

/// Hears how far a piece is, of how much where that is known, and may end it.
pub type SubtaskProgress<'a> = dyn FnMut(u64, Option<u64>) -> ControlFlow<()> + 'a;

/// Results behind the figures of a paper, as far as they are known.
pub trait Reproduction: Default {
    /// Name of the query and of its slot.
    const NAME: Name = PLACE;
    /// The user’s own scenario, where figures of it stand beside those of the paper’s.
    type Own;
    /// A subtask.
    type Piece: Serialize + DeserializeOwned;
    /// Result of a subtask.
    type Found: Serialize + DeserializeOwned;

    /// All pieces in order.
    fn pieces(own: &Self::Own) -> Vec<Self::Piece>;

    /// Computes a piece; nothing where `heard` ended it.
    ///
    /// # Errors
    /// A piece that there is not; a scenario that cannot be answered.
    fn find(
        own: &Self::Own,
        piece: &Self::Piece,
        heard: &mut SubtaskProgress<'_>,
    ) -> Result<Option<Self::Found>, Invalid>;

    /// Takes a piece in.
    fn add(&mut self, own: &Self::Own, piece: Self::Piece, found: Self::Found);

    /// The sections out of what is known.
    fn shown(&self, own: &Self::Own) -> Vec<Shown>;
}

/// The section of a page: told once it is open, as its pieces come.
#[must_use]
pub fn section<K: Reproduction>(own: &K::Own) -> Section {
    with_place::<K>(empty(), own, Trigger::Opened, None)
}

/// Adds the figures behind a button, for those that take long: its label, and its label while they run. Figures that need no
/// subtask are shown at once.
#[must_use]
pub fn pressed<K: Reproduction>(section: Section, own: &K::Own, words: [&str; 2]) -> Section {
    let begun = K::default().shown(own);
    let section = with_place::<K>(section, own, Trigger::Pressed(K::NAME), Some(words));
    let mut blocks = section.blocks;
    if let Some(Block::Later(place)) = blocks.last_mut() {
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
    own: &K::Own,
    when: Trigger,
    button: Option<[&str; 2]>,
) -> Section {
    let place = Later {
        id: K::NAME,
        button: button.map(|[ask, meanwhile]| (ask.to_owned(), meanwhile.to_owned())),
        blocks: Vec::new(),
    };
    let pieces = K::pieces(own).into_iter().map(named::<K>).collect();
    section
        .with(Block::Later(place))
        .with_split_query(when, K::NAME.to_owned(), pieces, "Not computed")
        .lasting(CacheScope::Always)
}

/// A piece as it is asked for: no other question of a page asks the same.
fn named<K: Reproduction>(piece: K::Piece) -> String {
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
    own: &K::Own,
    piece: &str,
    heard: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Vec<u8>, Invalid> {
    let heard = &mut |done, of| {
        heard(done, of);
        ControlFlow::Continue(())
    };
    let (_, wanted): (String, K::Piece) = read(piece)?;
    let found = K::find(own, &wanted, heard)?;
    let unheard = || Invalid::new(Code::Plan, "piece", piece, "it was ended".to_owned());
    found.map(|found| packed(&found)).ok_or_else(unheard)
}

/// Aggregates the subtask results so far; `marked` as in [`Shown::blocks`].
///
/// # Errors
/// A piece that is none of this build’s.
pub fn aggregate<K: Reproduction>(
    own: &K::Own,
    pieces: &[Option<SubtaskResult>],
    marked: Option<(usize, &str)>,
) -> Result<AggregateResult, Invalid> {
    let mut known = K::default();
    for (piece, found) in K::pieces(own).into_iter().zip(pieces) {
        if let Some(found) = found {
            known.add(own, piece, unpacked(found)?);
        }
    }
    let shown = known.shown(own);
    let blocks = shown.iter().flat_map(|shown| shown.blocks(marked));
    Ok(AggregateResult::Fills(vec![Patch::Place {
        id: K::NAME,
        blocks: blocks.collect(),
    }]))
}

/// The paper’s scenario at each of [`LENGTHS`], then the user’s own if it is another one. A piece says which it is of: that of
/// another own scenario is another piece.
impl Reproduction for ColdStarts {
    type Own = Option<Scenario>;
    type Piece = (Option<String>, usize);
    /// As its file has it: fields that it lacks are left out there.
    type Found = String;

    fn pieces(own: &Self::Own) -> Vec<Self::Piece> {
        let other = own.as_ref().filter(|own| !is_paper(own));
        let other = other.map(|own| digest(&own.to_json()));
        let lengths = |of: Option<String>| (0..LENGTHS.len()).map(move |at| (of.clone(), at));
        let papers = lengths(None);
        let others = other.into_iter().flat_map(|of| lengths(Some(of)));
        papers.chain(others).collect()
    }

    fn find(
        own: &Self::Own,
        (of_own, at): &Self::Piece,
        heard: &mut SubtaskProgress<'_>,
    ) -> Result<Option<Self::Found>, Invalid> {
        let scenario = of(own, of_own.is_some());
        // A point of a sweep cannot be ended; who listens hears all the same that it goes on.
        let found = cold_start::planned(&scenario, LENGTHS[*at], &mut |done, of| {
            let _ = heard(done, of);
        });
        found.map(|answer| Some(written(&answer)))
    }

    fn add(&mut self, own: &Self::Own, (of_own, at): Self::Piece, found: Self::Found) {
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

    fn shown(&self, own: &Self::Own) -> Vec<Shown> {
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
    type Own = ();
    type Piece = (heads_published::HeadsMeasure, heads_published::Part);
    /// As its file has it: fields that it lacks are left out there.
    type Found = String;

    fn pieces((): &()) -> Vec<Self::Piece> {
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
        (measure, part): &Self::Piece,
        heard: &mut SubtaskProgress<'_>,
    ) -> Result<Option<Self::Found>, Invalid> {
        let sums = measure.run(*part, &mut |share| {
            heard((1000.0 * share) as u64, Some(1000))
        })?;
        Ok(sums.map(|sums| written(&sums)))
    }

    fn add(&mut self, (): &(), (measure, part): Self::Piece, found: Self::Found) {
        if let Ok(sums) = read::<Vec<HeadRunSummary>>(&found) {
            self.add(measure, part, sums);
        }
    }

    fn shown(&self, (): &()) -> Vec<Shown> {
        // A reading is shown when it is whole.
        let (mut known, mut whole) = (self.clone(), Self::default());
        for measure in Self::pieces(&()).into_iter().map(|(measure, _)| measure) {
            known.pass_on(measure, &mut whole);
        }
        vec![sections::HEADS.build(&whole)]
    }
}

impl Reproduction for dispatch_published::DispatchMeasurements {
    type Own = ();
    type Piece = dispatch_published::DispatchSubtask;
    type Found = dispatch_published::DispatchSubtaskResult;

    fn pieces((): &()) -> Vec<Self::Piece> {
        Self::subtasks()
    }

    fn find(
        (): &(),
        piece: &Self::Piece,
        _: &mut SubtaskProgress<'_>,
    ) -> Result<Option<Self::Found>, Invalid> {
        Ok(Some(piece.run()))
    }

    fn add(&mut self, (): &(), _: Self::Piece, found: Self::Found) {
        self.add(found);
    }

    fn shown(&self, (): &()) -> Vec<Shown> {
        vec![sections::DISPATCH.build(self)]
    }
}

impl Reproduction for tiers_published::TierMeasurements {
    type Own = ();
    type Piece = (tiers_published::TierMeasure, usize);
    type Found = tiers_published::Figures;

    /// A case may belong to several measures, and is run once.
    fn pieces((): &()) -> Vec<Self::Piece> {
        let mut all: Vec<(tiers_published::TierCase, Self::Piece)> = Vec::new();
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
        (measure, at): &Self::Piece,
        heard: &mut SubtaskProgress<'_>,
    ) -> Result<Option<Self::Found>, Invalid> {
        let cases = measure.cases();
        let Some(case) = cases.get(*at) else {
            let allowed = format!("the place of a case, 0 to {}", cases.len() - 1);
            return Err(Invalid::range("at", *at, &allowed));
        };
        // A case cannot be ended.
        match case.run(&SEEDS, &mut |done, of| {
            let _ = heard(done, of);
        }) {
            Ok(figures) => Ok(Some(figures)),
            Err(Failed::Invalid(fault)) => Err(fault),
            Err(Failed::Stopped(_) | Failed::Nothing) => Ok(None),
        }
    }

    fn add(&mut self, (): &(), (measure, at): Self::Piece, found: Self::Found) {
        if let Some(case) = measure.cases().into_iter().nth(at) {
            self.add(case, found);
        }
    }

    fn shown(&self, (): &()) -> Vec<Shown> {
        vec![sections::TIERS.build(&()), sections::TIERS_RUNS.build(self)]
    }
}

/// The models of the catalogue by their places.
macro_rules! of_models {
    ($case:ty, $find:path, $section:path, $name:expr) => {
        impl Reproduction for Vec<$case> {
            const NAME: Name = $name;
            type Own = ();
            type Piece = usize;
            type Found = $case;

            fn pieces((): &()) -> Vec<usize> {
                (0..catalogue::MODELS.len()).collect()
            }

            fn find(
                (): &(),
                at: &usize,
                heard: &mut SubtaskProgress<'_>,
            ) -> Result<Option<$case>, Invalid> {
                // A case cannot be ended.
                let found = $find(*at, &mut |done, of| {
                    let _ = heard(done, of);
                });
                found.map(Some)
            }

            fn add(&mut self, (): &(), _: usize, found: $case) {
                self.push(found);
            }

            fn shown(&self, (): &()) -> Vec<Shown> {
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
