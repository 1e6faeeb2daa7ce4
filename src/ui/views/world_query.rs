//! Analyses of the shared scenario, whichever question is open. The workers run them on request.

use crate::ui::answer_view::{AnswerController, AnswerStore, ScenarioStore, blocks};
use crate::ui::questions::Questions;
use crate::ui::shell::Shell;
use engine::problem::Invalid;
use engine::scenario::world::World;
use engine::units::percent;
use leptos::prelude::*;
use protocol::request_kinds::{WorldQuery, WorldTask};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The groups of what is asked count from here, so many for each of them; those of questions must not meet them.
static NEXT_GROUP: AtomicU32 = AtomicU32::new(1 << 28);
const GROUPS: u32 = 1 << 16;

/// The shared scenario with the current content of the editor, opening on the open question.
pub fn world_now(questions: Questions) -> World {
    questions.take_over();
    world_seen(questions)
}

/// Returns the shared scenario as it was last committed.
fn world_seen(questions: Questions) -> World {
    let mut world = questions.shell.common.world();
    world.question = questions.shell.question.get_untracked();
    world
}

/// Hands the scenario of all questions on, now and after every change; `edited` changes with those in the editor. Only these are taken over
/// here: that changes what is seen, and must not come back as a change to take over.
pub fn follow_world(
    questions: Questions,
    edited: Signal<()>,
    is_wanted: impl Fn() -> bool + Copy + 'static,
    hand: impl Fn(World) + Copy + 'static,
) {
    Effect::new(move |_| {
        edited.track();
        if is_wanted() {
            hand(world_now(questions));
        }
    });
    Effect::new(move |_| {
        questions.shell.common.view.track();
        if is_wanted() {
            hand(world_seen(questions));
        }
    });
}

/// The shared scenario, and the analyses requested of it.
#[derive(Clone, Copy)]
pub struct WorldQueryContext {
    questions: Questions,
    wants: RwSignal<WorldQuery>,
}

impl Deref for WorldQueryContext {
    type Target = Shell;

    fn deref(&self) -> &Shell {
        &self.questions.shell
    }
}

impl ScenarioStore<WorldTask> for WorldQueryContext {
    fn now(&self) -> Arc<WorldTask> {
        Arc::new(WorldTask {
            world: world_now(self.questions),
            wants: self.wants.get_untracked(),
        })
    }

    fn is_now(&self, of: &Arc<WorldTask>) -> bool {
        self.now() == *of
    }

    fn put(&self, _: &str, after: WorldTask) -> Result<(), Invalid> {
        self.questions.change(move |now| *now = after.world)
    }
}

/// An analysis and its answer. Cheap to copy.
#[derive(Clone, Copy)]
pub struct WorldQueryState {
    /// The analysis.
    pub wants: RwSignal<WorldQuery>,
    controller: AnswerController<WorldTask, WorldQueryContext>,
    /// The last request, while its scenario is current.
    begun: StoredValue<Option<Arc<WorldTask>>>,
}

impl WorldQueryState {
    /// Creates it without requests. Results for another scenario than that of `edited` are dropped, and no longer awaited once the
    /// view is gone.
    pub fn open(questions: Questions, edited: Signal<()>, wants: WorldQuery) -> Self {
        let wants = RwSignal::new(wants);
        let group = NEXT_GROUP.fetch_add(GROUPS, Ordering::Relaxed);
        let controller = AnswerController::about(WorldQueryContext { questions, wants }, group);
        let begun = StoredValue::new(None::<Arc<WorldTask>>);
        let is_wanted = move || begun.with_value(Option::is_some);
        follow_world(questions, edited, is_wanted, move |now| {
            let is_other =
                |of: &Option<Arc<WorldTask>>| of.as_ref().is_some_and(|of| of.world != now);
            if begun.with_value(is_other) {
                begun.set_value(None);
                controller.clear();
            }
        });
        on_cleanup(move || controller.end());
        Self {
            wants,
            controller,
            begun,
        }
    }

    /// Requests an analysis of the scenario in the editor.
    pub fn begin(self) {
        let now = self.controller.now();
        self.begun.set_value(Some(now.clone()));
        self.controller.begin(now);
    }

    /// Returns true if an answer is shown or being computed.
    pub fn is_active(self) -> bool {
        self.begun.with_value(Option::is_some)
    }

    /// Returns true if an answer is shown; tracked.
    pub fn is_answered(self) -> bool {
        self.controller.answer.answer_view.with(Option::is_some)
    }

    /// Returns the answer.
    pub fn answer(self) -> AnswerStore {
        self.controller.answer
    }
}

/// A button that starts the analysis, or its progress with a button to cancel it, and the result; ids begin with `id`.
#[component]
pub fn Answered(
    /// Beginning of the ids.
    id: &'static str,
    /// The analysis.
    asking: WorldQueryState,
    /// Labels of the button before and after the first run.
    labels: [&'static str; 2],
    /// Starts the analysis.
    #[prop(into)]
    begin: Callback<()>,
) -> impl IntoView {
    let response = asking.answer();
    provide_context(response);
    // The elements stay while figures change, so that the button keeps the focus.
    let is_going = Memo::new(move |_| response.searching.with(|all| !all.is_empty()));
    let share = move || {
        let share = response
            .searching
            .with(|all| all.first().and_then(|(_, share)| *share));
        share.unwrap_or_default()
    };
    let label = move || labels[usize::from(asking.is_answered())];
    let go = move || {
        if is_going.get() {
            view! {
                <div class="search" id=format!("{id}-progress")>
                    <progress aria-label="Parts solved" max="1" value=move || share().to_string()></progress>
                    <span>{move || percent(100.0 * share(), 0)}</span>
                    <button class="btn small" id=format!("{id}-cancel") on:click=move |_| response.end()>"Cancel"</button>
                </div>
            }
            .into_any()
        } else {
            view! {
                <div class="search">
                    <button class="btn small" id=format!("{id}-start") on:click=move |_| begin.run(())>{label}</button>
                </div>
            }
            .into_any()
        }
    };
    let all = Memo::new(move |_| {
        let sections = response.sections.get();
        sections
            .first()
            .map(|section| section.blocks.clone())
            .unwrap_or_default()
    });
    view! {
        {go}
        <div class="blocks">{blocks(all.into(), id, None)}</div>
    }
}
