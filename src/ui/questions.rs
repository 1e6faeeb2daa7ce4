//! The questions of the page side by side: which one is open, and what the bar, the keys and the notices ask of it
//! whichever it is. What there is to know of a question, its [`QuestionPage`] says; [`super::topics`] lists them.

use super::address::{self, Visit};
use super::answer_view::AnswerStore;
use super::files::Dropped;
use super::history::EditStep;
use super::jobs::Job;
use super::lazy_bundle::{self, LazyBundle};
use super::scenario_editor::{EditableScenario, EditorOps, ScenarioEditor};
use super::shell::{Banner, Shell, SolverState};
use super::solver::{SolverEvent, SolverHandle};
use super::topics;
use super::workspace::{self, Workspace};
use document::Story;
use engine::pool::FailedJob;
use engine::problem::Invalid;
use engine::scenario::Question;
use engine::scenario::link::LinkError;
use engine::scenario::world::{QuestionView, Shared, World};
use leptos::prelude::*;
use protocol::names;

/// A failure so soon after another counts as the same trouble [ms].
const AGAIN_WITHIN_MS: f64 = 60_000.0;

/// The question that the page opens with.
pub const FIRST: Question = Question::ALL[0];

/// A question as the page has it.
pub trait QuestionPage: Send + Sync + 'static {
    /// Its editor.
    fn editor(&self) -> &dyn EditorOps;
    /// Returns the answer, once a part of it is there; tracked.
    fn answer(&self) -> Option<AnswerStore>;
    /// Its page.
    fn view(&self) -> AnyView;
    /// Cancels its requests to the solver.
    fn cancel_requests(&self);
    /// Returns an action if the open question takes a file that is not a scenario; `is_open` is true if this question is open.
    fn file_action(&self, _file: &Dropped, _is_open: bool) -> Option<Box<dyn FnOnce()>> {
        None
    }
}

/// A question that can be opened with a scenario in its editor.
pub trait QuestionModule: QuestionPage + Copy {
    /// Its scenario.
    type Scenario: EditableScenario;

    /// Views beside and below its answer.
    const DETAILS: DeferredViews;

    /// The question; it is answered while it is open.
    fn open(editor: ScenarioEditor<Self::Scenario>) -> Self;
}

/// Views that are loaded after the first answer.
#[derive(Clone, Copy)]
pub struct DeferredViews {
    /// The editor panel.
    pub panel: fn() -> AnyView,
    /// Views below the summary.
    pub details: fn() -> AnyView,
}

/// Opens a question with what it sees of the scenario. It lives as long as the page, and views find it in the context.
pub fn opened<T: QuestionModule>(shell: Shell) -> &'static dyn QuestionPage {
    let view = shell.common.view.get_untracked();
    let rows = view.rows;
    let editor = match T::Scenario::of(view.scenario) {
        Some(scenario) => ScenarioEditor::new(shell, scenario, Some(rows)),
        None => ScenarioEditor::new(shell, T::Scenario::opening(), None),
    };
    let topic = T::open(editor);
    provide_context(topic);
    Box::leak(Box::new(topic))
}

/// All questions. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Questions {
    /// State that all questions share.
    pub shell: Shell,
    /// The scenarios of a link that compares some, until they are opened.
    pub to_compare: RwSignal<Option<Vec<World>>>,
    /// Questions that have been opened; a question is opened on first use.
    all: RwSignal<Vec<&'static dyn QuestionPage>>,
    /// Loaded views of the questions.
    below: RwSignal<Vec<(Question, DeferredViews)>>,
    /// How often a question was requested to be shown.
    turns: StoredValue<u32>,
    /// Owner of the questions' signals, which lives as long as the page.
    owner: StoredValue<Owner>,
    last_failure: StoredValue<f64>,
}

impl Questions {
    /// Opens what the address asks for, else what was worked on last, else the papers' scenarios.
    pub fn open(later: Option<&'static LazyBundle>) -> Self {
        let visit = address::visited(later);
        Workspace::open();
        let (linked, asked) = match &visit {
            Visit::Scenario(world) => (Some((**world).clone()), None),
            Visit::Question(question) => (None, Some(*question)),
            Visit::Start | Visit::Compare(_) => (None, None),
            Visit::Nothing | Visit::Unread => (None, Some(FIRST)),
            Visit::Fault(_) => (None, address::question_named()),
        };
        let found = match later {
            Some(later) => (later.opening_scenario)(linked),
            None => {
                workspace::detach();
                None
            }
        };
        let is_kept = found.is_some();
        let papers = World::of(&asked.unwrap_or(FIRST).kind().opening());
        // Numbers of machines are those of rows on the page, which count on from here.
        let world = found.map(|world| world.numbered(0));
        let world = world.unwrap_or_else(|| papers.clone());
        // What was worked on may have nothing for the question that is asked now.
        let seen = world.view(asked.unwrap_or(world.question));
        let (world, view, why) = match seen {
            Ok(view) => (world, view, None),
            Err(fault) => match world.view(world.question) {
                Ok(view) => (world, view, Some(fault)),
                Err(_) => {
                    let view = papers.view(papers.question);
                    (
                        papers,
                        view.expect("the papers' scenarios can be seen"),
                        None,
                    )
                }
            },
        };
        let (title, question) = (world.title.clone(), view.scenario.question());
        let shell = Shell::open(world, view);
        workspace::attach(shell);
        let to_compare = match &visit {
            Visit::Compare(worlds) => Some(worlds.clone()),
            _ => None,
        };
        let questions = Self {
            shell,
            to_compare: RwSignal::new(to_compare),
            all: RwSignal::new(Vec::new()),
            below: RwSignal::new(Vec::new()),
            turns: StoredValue::new(0),
            owner: StoredValue::new(Owner::current().unwrap_or_default()),
            last_failure: StoredValue::new(f64::NEG_INFINITY),
        };
        if let Visit::Fault(fault) = &visit {
            let instead = match is_kept {
                true => format!("Your last scenario is shown instead: {title}."),
                false => topics::card(question).broken_link_text.to_owned(),
            };
            shell.banner.set(Some(broken(fault, &instead)));
        }
        if let (Some(fault), Some(asked)) = (why, asked) {
            questions.cannot_ask(asked, &fault);
        }
        let solver = SolverHandle::new(move |news| questions.on_solver_event(news));
        shell.solver.set_value(Some(solver));
        let (is_start, is_named) = (
            matches!(visit, Visit::Start),
            matches!(visit, Visit::Question(_)),
        );
        questions.with(question, move |_| match () {
            () if is_start => questions.start(),
            () if is_named => questions.show_address(),
            () => {}
        });
        address::follow(move |visit| questions.follow(visit));
        questions
    }

    /// Says why a question cannot be asked of the scenario.
    fn cannot_ask(&self, question: Question, fault: &Invalid) {
        let name = names::question(question);
        self.shell.banner.set(Some(Banner {
            title: format!("{name} cannot take this scenario."),
            text: format!("{fault}. Your scenario is still here, unchanged."),
            alert: true,
            details: None,
        }));
    }

    /// A question of the page, once it has been opened.
    pub fn topic(&self, question: Question) -> Option<&'static dyn QuestionPage> {
        let is_it = |topic: &&&'static dyn QuestionPage| topic.editor().question() == question;
        self.all.with(|all| all.iter().find(is_it).copied())
    }

    /// The open question; tracked.
    fn on_show(&self) -> Option<&'static dyn QuestionPage> {
        self.topic(self.shell.question.get())
    }

    fn now(&self) -> Option<&'static dyn QuestionPage> {
        untrack(|| self.on_show())
    }

    /// Writes the scenario in the editor of the open question into the shared scenario.
    pub fn take_over(&self) {
        if let Some(topic) = self.now() {
            topic.editor().take_over();
        }
    }

    /// A question, opened if it was not before: what it is made of may have to come first.
    pub async fn reach(self, question: Question) -> Option<&'static dyn QuestionPage> {
        let found = || untrack(|| self.topic(question));
        if found().is_some() {
            return found();
        }
        let Ok(open) = topics::open(question).await else {
            self.shell.banner.set(Some(Banner {
                title: format!("{} could not be loaded.", names::question(question)),
                text: "Your scenario is still here, unchanged. Reload the page to try again."
                    .into(),
                alert: true,
                details: None,
            }));
            return None;
        };
        // Another caller may have opened it meanwhile.
        if found().is_none() {
            let topic = self
                .owner
                .with_value(|owner| owner.with(|| open(self.shell)));
            self.all.update(|all| all.push(topic));
        }
        found()
    }

    /// Returns the views below the answer to a question, once they are loaded; tracked.
    pub fn details(&self, question: Question) -> Option<DeferredViews> {
        let all = self.below.read();
        let found = all.iter().find(|(known, _)| *known == question);
        found.map(|(_, below)| *below)
    }

    /// Brings that, and says so where it cannot be had; either way, `then` is next.
    pub fn load_details(self, question: Question, then: impl FnOnce() + 'static) {
        if untrack(|| self.details(question)).is_some() {
            return then();
        }
        leptos::task::spawn_local(async move {
            match topics::load_details(question).await {
                Ok(below) => {
                    self.below.update(|all| all.push((question, below)));
                    // What writes links has come with it.
                    match address::is_name() {
                        true => self.show_address(),
                        false => _ = self.shell.common.fragment(),
                    }
                }
                Err(_) => lazy_bundle::say_missing(self.shell),
            }
            then();
        });
    }

    /// Does something with a question: at once where it is there, else when it is, if no one wanted another one meanwhile.
    fn with(&self, question: Question, then: impl FnOnce(&'static dyn QuestionPage) + 'static) {
        let questions = *self;
        self.turns
            .update_value(|turns| *turns = turns.wrapping_add(1));
        let turn = self.turns.get_value();
        match untrack(|| self.topic(question)) {
            Some(topic) => then(topic),
            None => leptos::task::spawn_local(async move {
                let topic = questions.reach(question).await;
                if let Some(topic) = topic.filter(|_| questions.turns.get_value() == turn) {
                    then(topic);
                }
            }),
        }
    }

    /// Goes where another link of the same tab leads.
    fn follow(&self, visit: Visit) {
        match visit {
            // Back to where the visit began: the page without a link is the first question.
            Visit::Nothing => self.go(FIRST),
            Visit::Start => self.start(),
            Visit::Question(question) => self.go(question),
            Visit::Scenario(world) => {
                self.load(*world, false);
                self.shell.banner.set(None);
            }
            Visit::Compare(worlds) => self.to_compare.set(Some(worlds)),
            Visit::Unread => lazy_bundle::say_missing(self.shell),
            Visit::Fault(fault) => self.shell.banner.set(Some(broken(
                &fault,
                "Your scenario is still here, unchanged.",
            ))),
        }
    }

    /// Opens another question about the scenario; where it cannot be asked, says why.
    pub fn go(&self, question: Question) {
        let questions = *self;
        if self.shell.question.get_untracked() == question {
            self.shell.start.set(false);
            return self.show_address();
        }
        self.with(question, move |topic| {
            questions.take_over();
            match questions.shell.common.view_of(question) {
                Ok(view) => {
                    questions.shell.go(question);
                    topic.editor().show(view);
                }
                Err(fault) => questions.cannot_ask(question, &fault),
            }
            questions.show_address();
        });
    }

    /// Has a question be the one that is worked on, with the start shown.
    ///
    /// # Errors
    /// The question cannot take the scenario.
    pub(super) fn turn_to(&self, question: Question) -> Result<(), Invalid> {
        let view = self.shell.common.view_of(question)?;
        let shell = self.shell;
        self.with(question, move |topic| {
            shell.busy.set(SolverState::Idle);
            shell.question.set(question);
            topic.editor().show(view);
        });
        Ok(())
    }

    /// Turns the assumptions of the open question into given numbers.
    pub fn confirm(&self) {
        let held = self.change(|world| {
            if let Ok(view) = world.view(world.question) {
                world.fix_assumptions(&view.assumed, true);
            }
        });
        if let Err(fault) = held {
            self.shell.announce(format!("Not confirmed: {fault}."));
        }
    }

    /// Changes the scenario of all questions, as one step to undo.
    ///
    /// # Errors
    /// The open question cannot take the scenario, which stays as it was.
    pub fn change(&self, change: impl FnOnce(&mut World)) -> Result<(), Invalid> {
        self.take_over();
        let mut world = self.shell.common.world();
        change(&mut world);
        self.changed(world)
    }

    /// Changes the scenario of all questions as another question sees it, as one step to undo. A row that is new has an id
    /// that no machine has.
    ///
    /// # Errors
    /// One of the two questions cannot take the scenario, which stays as it was.
    pub fn change_as<S: EditableScenario>(
        &self,
        change: impl FnOnce(&mut S, &mut Vec<u32>) -> Result<(), Invalid>,
    ) -> Result<(), Invalid> {
        self.take_over();
        let mut world = self.shell.common.world();
        let view = world.view(S::QUESTION)?;
        let mut rows = view.rows.clone();
        if let Some(mut scenario) = S::of(view.scenario.clone()) {
            change(&mut scenario, &mut rows)?;
            world.absorb(&view, &scenario.into(), &rows)?;
        }
        self.changed(world)
    }

    fn changed(&self, world: World) -> Result<(), Invalid> {
        let view = world.view(self.shell.question.get_untracked())?;
        if let Some(topic) = self.now() {
            topic.editor().change(world, view);
        }
        Ok(())
    }

    /// The address shows the scenario as the question that is open has it.
    fn show_address(&self) {
        let fragment = self.now().and_then(|topic| topic.editor().fragment());
        if let Some(fragment) = fragment {
            address::show(&fragment);
        }
    }

    /// Puts another scenario in the place of the present one, as one step to undo, and opens its question. `is_kept` says
    /// whether it is worked on from now on, also after a reload.
    pub fn load(&self, world: World, is_kept: bool) {
        let (question, common) = (world.question, self.shell.common);
        let world = world.numbered(self.shell.free_ids());
        let view = match world.view(question) {
            Ok(view) => view,
            Err(fault) => return self.cannot_ask(question, &fault),
        };
        let questions = *self;
        self.with(question, move |topic| {
            questions.take_over();
            match common.view_of(question) {
                // A link to what is here already changes nothing.
                Ok(here) if here.scenario == view.scenario && !is_kept => {
                    questions.shell.go(question);
                    topic.editor().show(here);
                }
                _ => {
                    if let Some(step) = questions.now().and_then(|now| now.editor().here()) {
                        questions.shell.history.remember(step);
                    }
                    questions.shell.go(question);
                    topic.editor().set_world(world, view, is_kept);
                }
            }
        });
    }

    /// Takes the last step back.
    pub fn step_back(&self) {
        self.travel(true);
    }

    /// Makes the last step that was taken back again.
    pub fn step_forward(&self) {
        self.travel(false);
    }

    /// The open question stays open where it sees what a step changes; else the one that made the step is opened.
    fn travel(&self, is_back: bool) {
        let (history, common) = (self.shell.history, self.shell.common);
        let Some(step) = history.take_step(is_back) else {
            return;
        };
        self.shell.withdraw_undo();
        self.take_over();
        // The question of a step has been opened.
        let by = untrack(|| self.topic(step.question));
        let (Some(by), Some(now)) = (by, self.now()) else {
            return;
        };
        let (by, editor) = (by.editor(), now.editor());
        if let Some(here) = by.here().or_else(|| editor.here()) {
            history.leave(is_back, here);
        }
        step.return_to_entry();
        let is_other = |view: &QuestionView| {
            common
                .view
                .with_untracked(|now| now.scenario != view.scenario)
        };
        let seen = step.world.view(editor.question());
        match seen.ok().filter(is_other) {
            Some(view) if editor.question() != step.question => {
                editor.load_from_history(step.world, view)
            }
            _ => {
                self.shell.go(step.question);
                by.restore(step);
            }
        }
    }

    /// Names the last edit.
    pub fn last_step(&self) -> Option<String> {
        self.step_in_words(true)
    }

    /// Names the next edit.
    pub fn next_step(&self) -> Option<String> {
        self.step_in_words(false)
    }

    fn step_in_words(&self, is_back: bool) -> Option<String> {
        let words = |step: &EditStep| {
            let by = self.topic(step.question)?;
            Some(by.editor().step_description(step, is_back))
        };
        self.shell.history.next(is_back, words).flatten()
    }

    /// The link of the open question's scenario, or why there is none.
    ///
    /// # Errors
    /// The missing part, in words.
    pub fn link(&self) -> Result<String, String> {
        let topic = self.now().ok_or("The page is still loading.")?;
        topic.editor().link_if_any()
    }

    /// Returns true if the open question is shown.
    pub fn is_there(&self) -> bool {
        self.on_show().is_some()
    }

    /// Returns true if the current scenario is answered, or will not be; tracked.
    pub fn is_settled(&self) -> bool {
        self.shell.busy.get() == SolverState::GivenUp || self.has_answer()
    }

    /// Returns true if the answer to the current scenario is shown.
    pub fn has_answer(&self) -> bool {
        self.answer()
            .is_some_and(|answer| answer.verdict().is_some())
    }

    /// Returns true once every section is of that answer, so that it can be pinned or saved; tracked.
    pub fn has_whole_answer(&self) -> bool {
        self.answer().is_some_and(|answer| answer.is_whole())
    }

    fn answer(&self) -> Option<AnswerStore> {
        self.on_show()?.answer()
    }

    /// The scenario of all questions as it stands, with the one that is open; nothing where no link can hold it.
    pub fn world_if_any(&self) -> Option<World> {
        self.link().ok()?;
        Some(self.shell.common.world())
    }

    /// The answer document of the shown scenario, once it is answered; tracked.
    pub fn story(&self) -> Option<Story> {
        let topic = self.on_show()?;
        let answer_store = topic.answer()?.all()?;
        let common = self.shell.common;
        untrack(|| {
            topic.editor().take_over();
            let link = self.link().unwrap_or_default();
            let view = common.view.get_untracked();
            Some(common.with(|world| answer_store.story(world, &view, link)))
        })
    }

    /// The page of the question that is open, once it is there.
    pub fn view(&self) -> Option<AnyView> {
        self.on_show().map(QuestionPage::view)
    }

    fn on_solver_event(&self, news: SolverEvent) {
        match news {
            SolverEvent::Searching { share } => self.shell.busy.set(SolverState::Searching(share)),
            SolverEvent::Reached { job, share } => job.reached(share),
            SolverEvent::Partial { job, answer } => {
                if let Ok(part) = answer {
                    job.part(part);
                }
            }
            SolverEvent::Done {
                job,
                answer,
                millis,
            } => {
                let said = match answer {
                    Ok(answer) => job.answered(answer, millis),
                    Err(fault) => Err(fault.to_string()),
                };
                if let Err(why) = said {
                    self.refused(&job, why);
                }
            }
            SolverEvent::Replaced { message, outcome } => self.replaced(message, outcome),
            SolverEvent::Dead { message } => {
                self.all.with_untracked(|all| {
                    for topic in all {
                        topic.cancel_requests();
                    }
                });
                self.shell.busy.set(SolverState::GivenUp);
                self.shell.banner.set(Some(Banner {
                    title: "The solver cannot be started.".into(),
                    text: "Your scenario is unchanged. Reloading the page may help; the command line gives the same answers."
                        .into(),
                    alert: true,
                    details: Some(message),
                }));
            }
        }
    }

    /// The plan or something besides it was refused.
    fn refused(&self, job: &Job, why: String) {
        if job.is_plan {
            self.shell.busy.set(SolverState::GivenUp);
        } else if job.refused(why.clone()) {
            return;
        }
        self.shell.banner.set(Some(Banner {
            title: "This scenario was refused.".into(),
            text: why,
            alert: true,
            details: None,
        }));
    }

    /// A worker was replaced: what that means for what the user sees.
    fn replaced(&self, message: String, outcome: FailedJob<Job>) {
        let now = js_sys::Date::now();
        let again = now - self.last_failure.get_value() < AGAIN_WITHIN_MS;
        self.last_failure.set_value(now);
        // A point of a sweep is no reason to interrupt anybody.
        let is_point = match &outcome {
            FailedJob::Retried(job) | FailedJob::GivenUp(job) => !job.is_plan,
            FailedJob::Idle => false,
        };
        let text = match outcome {
            FailedJob::GivenUp(job) if is_point => job.left_out(),
            FailedJob::GivenUp(_) => {
                self.shell.busy.set(SolverState::GivenUp);
                "It stopped again on this scenario, so this scenario is not solved. Nothing is lost."
                    .to_owned()
            }
            FailedJob::Idle => "Your scenario and its plan are unchanged.".to_owned(),
            FailedJob::Retried(job) if is_point => job.again().to_owned(),
            FailedJob::Retried(_) if again => {
                "It stopped again. Nothing is lost; the plan is computed again.".to_owned()
            }
            FailedJob::Retried(_) => {
                "Your scenario is untouched; its plan is computed again.".to_owned()
            }
        };
        self.shell.banner.set(Some(Banner {
            title: "The solver stopped and was replaced.".into(),
            text,
            alert: !is_point,
            details: Some(message),
        }));
    }
}

fn broken(fault: &LinkError, instead: &str) -> Banner {
    Banner {
        title: fault.to_string(),
        text: format!("Nothing from it was used. {instead}"),
        alert: true,
        details: None,
    }
}
