//! Telling answers: what every question has to be able to say, and how what the page asks of it is done.

use super::worker::TaskHandler;
use document::{Edit, PackedBytes, Patch};
use engine::problem::Invalid;
use planner::Listener;
use protocol::worker::{SAME_BUILD, SharedPayload, WorkerTask};
use protocol::{AnswerRequest, AnswerResponse, AnswerTask, AnswerView, Answerable, SubtaskResult};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A scenario whose answer can be presented.
pub trait AnswerPresenter: Answerable {
    /// Answers it and builds the summary, the answer itself and its chart; `on_progress` may request as much of that as there
    /// is while it goes on. What knows only this is small, and it is all that a drag waits for.
    ///
    /// # Errors
    /// The first field at fault.
    fn summarize(&self, on_progress: &mut PartialProgress<'_>) -> Result<AnswerView, Invalid> {
        self.present(on_progress)
    }

    /// Builds the full view.
    ///
    /// # Errors
    /// As [`AnswerPresenter::summarize`].
    fn present(&self, on_progress: &mut PartialProgress<'_>) -> Result<AnswerView, Invalid>;

    /// Finds out what its story says is still to be found out at once.
    ///
    /// # Errors
    /// Why it cannot be.
    fn at_once(
        &self,
        ask: &str,
        _on_progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<Patch>, Invalid> {
        Err(Invalid::range("ask", ask, "one that is found out at once"))
    }

    /// Finds out what its story says is still to be found out.
    ///
    /// # Errors
    /// Why it cannot be.
    fn more(
        &self,
        ask: &str,
        _on_progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<Patch>, Invalid> {
        Err(Invalid::range("ask", ask, "one that is gathered of pieces"))
    }

    /// Runs a subtask of a query of the view.
    ///
    /// # Errors
    /// Why it cannot be.
    fn run_subtask(
        &self,
        piece: &str,
        _load: &[u8],
        _on_progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<u8>, Invalid> {
        Err(Invalid::range("piece", piece, "one of this build\u{2019}s"))
    }

    /// Aggregates the subtask results so far, each at its index: `None` if it is missing or was refused.
    ///
    /// # Errors
    /// Why it cannot be said.
    fn aggregate(
        &self,
        ask: &str,
        _kept: &[u8],
        _pieces: &[Option<SubtaskResult>],
    ) -> Result<AggregateResult, Invalid> {
        Err(Invalid::range("ask", ask, "one that is gathered of pieces"))
    }

    /// Returns the content of a slot for other values of its controls, in their order.
    ///
    /// # Errors
    /// A place that has none.
    fn with_controls(&self, place: &str, _at: &[f64]) -> Result<Vec<Patch>, Invalid> {
        Err(Invalid::range("place", place, "one with settings"))
    }

    /// Reads a file called `name` into the slot `place`. Returns the edit that it makes and a message about it.
    ///
    /// # Errors
    /// The file is invalid, or the slot takes no file.
    fn import_file(
        &self,
        place: &str,
        _name: &str,
        _text: &str,
    ) -> Result<(String, Edit), Invalid> {
        Err(Invalid::range("place", place, "one that takes something"))
    }

    /// The content of a file that its story offers.
    ///
    /// # Errors
    /// The first field at fault; a name that no file has.
    fn file(&self, name: &str) -> Result<String, Invalid>;

    /// Returns the content of a file that is not text.
    ///
    /// # Errors
    /// As [`AnswerPresenter::file`].
    fn bytes(&self, name: &str) -> Result<Vec<u8>, Invalid> {
        self.file(name).map(String::into_bytes)
    }

    /// Returns the content of a file that is made of subtask results.
    ///
    /// # Errors
    /// As [`AnswerPresenter::file`].
    fn file_of(&self, name: &str, _pieces: &[Option<SubtaskResult>]) -> Result<String, Invalid> {
        self.file(name)
    }
}

/// Receives the progress of an answer, and may request a partial view.
pub type PartialProgress<'a> =
    dyn FnMut(u64, Option<u64>, &mut dyn FnMut() -> Option<AnswerView>) + 'a;

/// Result of an aggregation.
#[derive(Debug, Clone, PartialEq)]
pub enum AggregateResult {
    /// Patches of the view.
    Fills(Vec<Patch>),
    /// A new view: a better answer, and perhaps the next query.
    Story(Box<AnswerView>),
}

impl<S: AnswerPresenter> TaskHandler for AnswerTask<S> {
    fn answer(
        &self,
        scenario: &SharedPayload<S>,
        on_progress: &mut Listener<'_, PackedBytes<AnswerResponse>>,
    ) -> Result<PackedBytes<AnswerResponse>, Invalid> {
        if self.is_first() {
            return first(self, scenario, on_progress);
        }
        PRESENTER_STATE.set(self.presenter_state.clone());
        if self.request == AnswerRequest::Full {
            return run_with_partials(on_progress, |on_progress| scenario.present(on_progress));
        }
        let on_progress = &mut |done, of| on_progress(done, of, &mut || None);
        let answer = match &self.request {
            AnswerRequest::Summary | AnswerRequest::Full | AnswerRequest::Immediate(_) => {
                unreachable!("answered above")
            }
            AnswerRequest::Deferred(ask) => {
                scenario.more(ask, on_progress).map(AnswerResponse::Patches)
            }
            AnswerRequest::Subtask(_, piece, load) => {
                let found = scenario.run_subtask(piece, load, on_progress);
                found.map(|piece| AnswerResponse::Subtask(SubtaskResult::from(piece)))
            }
            AnswerRequest::Aggregate(_, ask, kept, pieces) => {
                match scenario.aggregate(ask, kept, pieces)? {
                    AggregateResult::Fills(fills) => Ok(AnswerResponse::Patches(fills)),
                    AggregateResult::Story(telling) => Ok(AnswerResponse::View(*telling)),
                }
            }
            AnswerRequest::WithControls(place, at) => scenario
                .with_controls(place, at)
                .map(AnswerResponse::Patches),
            AnswerRequest::File(name) => scenario.bytes(name).map(AnswerResponse::File),
            AnswerRequest::FileFrom(name, pieces) => {
                let file = scenario.file_of(name, pieces);
                file.map(String::into_bytes).map(AnswerResponse::File)
            }
            AnswerRequest::Import(place, name, text) => {
                let brought = scenario.import_file(place, name, text);
                brought.map(|(words, edit)| AnswerResponse::Import(words, edit))
            }
        };
        answer.map(PackedBytes)
    }
}

/// The first answer alone, without all that can be asked after it: what knows only this is small.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SummaryOnly<E>(E);

impl<S: AnswerPresenter> WorkerTask for SummaryOnly<AnswerTask<S>> {
    type Scenario = SharedPayload<S>;
    type Answer = PackedBytes<AnswerResponse>;
    const KIND: &'static str = <AnswerTask<S> as WorkerTask>::KIND;

    fn is_first(&self) -> bool {
        self.0.is_first()
    }
}

impl<S: AnswerPresenter> TaskHandler for SummaryOnly<AnswerTask<S>> {
    fn answer(
        &self,
        scenario: &SharedPayload<S>,
        on_progress: &mut Listener<'_, PackedBytes<AnswerResponse>>,
    ) -> Result<PackedBytes<AnswerResponse>, Invalid> {
        first(&self.0, scenario, on_progress)
    }
}

/// Answers a scenario and builds the summary, or the result of an immediate query.
fn first<S: AnswerPresenter>(
    asked: &AnswerTask<S>,
    scenario: &SharedPayload<S>,
    on_progress: &mut Listener<'_, PackedBytes<AnswerResponse>>,
) -> Result<PackedBytes<AnswerResponse>, Invalid> {
    PRESENTER_STATE.set(asked.presenter_state.clone());
    match &asked.request {
        AnswerRequest::Summary => {
            run_with_partials(on_progress, |on_progress| scenario.summarize(on_progress))
        }
        AnswerRequest::Immediate(ask) => {
            let on_progress = &mut |done, of| on_progress(done, of, &mut || None);
            let found = scenario.at_once(ask, on_progress);
            found.map(AnswerResponse::Patches).map(PackedBytes)
        }
        _ => unreachable!("{SAME_BUILD}"),
    }
}

/// Runs `build` with a listener that receives partial views.
fn run_with_partials(
    on_progress: &mut Listener<'_, PackedBytes<AnswerResponse>>,
    build: impl FnOnce(&mut PartialProgress<'_>) -> Result<AnswerView, Invalid>,
) -> Result<PackedBytes<AnswerResponse>, Invalid> {
    let on_progress =
        &mut |done, of: Option<u64>, so_far: &mut dyn FnMut() -> Option<AnswerView>| {
            on_progress(done, of, &mut || {
                so_far().map(AnswerResponse::View).map(PackedBytes)
            });
        };
    build(on_progress)
        .map(AnswerResponse::View)
        .map(PackedBytes)
}

thread_local! {
    /// Presenter state that came with the request.
    static PRESENTER_STATE: RefCell<Arc<SubtaskResult>> = RefCell::default();
    /// The scenario that was solved last, and what came out.
    static SOLVED: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
    /// Result kept last, with the scenario that it is of.
    static LAST_RESULT: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// Returns the [presenter state](protocol::AnswerView::presenter_state) that came with the request; empty if there is none.
#[must_use]
pub fn presenter_state() -> Arc<SubtaskResult> {
    PRESENTER_STATE.with_borrow(Arc::clone)
}

/// Returns the plan of a scenario, solved once for consecutive requests. Another worker solves it again with an equal result.
///
/// # Errors
/// As `solve`.
pub fn solved<S, P>(
    scenario: &S,
    solve: impl FnOnce() -> Result<P, Invalid>,
) -> Result<Rc<P>, Invalid>
where
    S: Clone + PartialEq + 'static,
    P: 'static,
{
    let known = SOLVED.with_borrow(|last| {
        let last = last.as_ref()?.downcast_ref::<(S, Rc<P>)>();
        last.filter(|(of, _)| of == scenario)
            .map(|(_, found)| found.clone())
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let found = Rc::new(solve()?);
    let last: Box<dyn Any> = Box::new((scenario.clone(), found.clone()));
    SOLVED.set(Some(last));
    Ok(found)
}

/// Does something with what is the same for many scenarios: `of` says what it depends on. It is made once for all that do it in
/// a row, such as the steps of a drag, and an answer must not depend on whether it was there.
///
/// # Errors
/// As `make` and `with`.
pub fn cached<S, K, T>(
    of: S,
    make: impl FnOnce() -> Result<K, Invalid>,
    with: impl FnOnce(&mut K) -> Result<T, Invalid>,
) -> Result<T, Invalid>
where
    S: PartialEq + 'static,
    K: 'static,
{
    // Taken out while it is at work, so that nothing stays of what has failed.
    let last = LAST_RESULT
        .take()
        .and_then(|last| last.downcast::<(S, K)>().ok());
    let mut here = match last.filter(|last| last.0 == of) {
        Some(last) => last,
        None => Box::new((of, make()?)),
    };
    let found = with(&mut here.1)?;
    LAST_RESULT.set(Some(here));
    Ok(found)
}

/// A text as part of a file's name: small letters, digits and dashes.
#[must_use]
pub fn for_file(text: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    text.chars().map(plain).collect()
}
