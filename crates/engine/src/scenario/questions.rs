//! The questions: a list, a line each, and what there is to know of one whichever it is. Everything that is done for every
//! question goes over this list.

use super::schema::Head;
use super::world::{QuestionView, Shared, SharedView, World};
use super::{Preset, dispatch, heads, operators, tiers};
use crate::problem::{Code, Invalid};
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::sync::OnceLock;

/// The list: a name for programs, that in links and files, what is asked, and the scenario.
macro_rules! questions {
    ($($case:ident, $name:literal, $asks:literal, $scenario:ty;)*) => {
        /// Which of the questions a scenario asks.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
        pub enum Question {
            $(#[doc = $asks] #[serde(rename = $name)] $case,)*
        }

        impl Question {
            /// All questions, in the order of the page.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$case),*];

            /// The name in links and files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$case => $name,)*
                }
            }

            /// Returns the question in words.
            #[must_use]
            pub const fn asks(self) -> &'static str {
                match self {
                    $(Self::$case => $asks,)*
                }
            }

            /// Returns the operations of a question that are linked into native programs.
            #[cfg(not(target_arch = "wasm32"))]
            fn built_in(self) -> Option<&'static dyn QuestionOps> {
                Some(match self {
                    $(Self::$case => &Of::<$scenario>(PhantomData),)*
                })
            }
        }

        /// Has the program know every question from now on.
        pub fn learn_all() {
            $(learn::<$scenario>();)*
        }

        /// A scenario of one of the questions.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum Any {
            $(#[doc = $asks] $case(Box<$scenario>),)*
        }

        impl Any {
            /// Its question.
            #[must_use]
            pub const fn question(&self) -> Question {
                match self {
                    $(Self::$case(_) => Question::$case,)*
                }
            }

        }

        $(impl From<$scenario> for Any {
            fn from(scenario: $scenario) -> Self {
                Self::$case(Box::new(scenario))
            }
        }

        impl<'a> TryFrom<&'a Any> for &'a $scenario {
            type Error = Question;

            /// The question that it is of where that is another one.
            fn try_from(any: &'a Any) -> Result<Self, Question> {
                match any {
                    Any::$case(scenario) => Ok(scenario),
                    other => Err(other.question()),
                }
            }
        })*
    };
}

questions! {
    ColdStart, "cold-start", "How soon can these devices give the first answer?", super::Scenario;
    HeadPlacement, "head-placement", "Where should each attention head run, token by token?", heads::Scenario;
    Dispatch, "dispatch", "Who should answer, and how long should the device wait?", dispatch::Scenario;
    Tiers, "tiers", "Which blocks on which tier, and what happens under load?", tiers::Scenario;
    Operators, "operators", "In which order and split does this graph fit?", operators::Scenario;
}

/// Operations on scenarios of one question, without its type.
pub trait QuestionOps: Sync {
    /// The scenario that it opens with.
    fn opening(&self) -> Any;
    /// Its presets, the paper's own first.
    fn presets(&self) -> Vec<Preset<Any>>;
    /// Reads a scenario file of this question, in its own format.
    ///
    /// # Errors
    /// Names the field, what it holds and what is allowed.
    fn read(&self, text: &str) -> Result<Any, Invalid>;
    /// As [`World::view`].
    ///
    /// # Errors
    /// The first field that it cannot take.
    fn view(&self, world: &World) -> Result<QuestionView, Invalid>;
    /// Its settings as a link carries them; `None` where they are the same.
    fn settings_for_link(&self, settings: &str) -> Option<String>;
    /// Returns a scenario as a view of the shared scenario.
    fn shared_view<'a>(&self, any: &'a Any) -> &'a dyn SharedView;
}

/// Registered operations by question. Each question registers the types and readers of its scenario when its bundle is loaded, so
/// that others need not be.
static LEARNT: [OnceLock<&'static dyn QuestionOps>; Question::ALL.len()] =
    [const { OnceLock::new() }; Question::ALL.len()];

/// Has a program that is in pieces know a question from now on; it knows no other.
pub fn learn<S: Shared>()
where
    Any: From<S>,
    for<'a> &'a S: TryFrom<&'a Any>,
{
    let _ = LEARNT[S::QUESTION as usize].set(&Of::<S>(PhantomData)); // it may have been learnt before
}

struct Of<S>(PhantomData<fn() -> S>);

impl<S: Shared> QuestionOps for Of<S>
where
    Any: From<S>,
    for<'a> &'a S: TryFrom<&'a Any>,
{
    fn opening(&self) -> Any {
        S::opening().into()
    }

    fn presets(&self) -> Vec<Preset<Any>> {
        let any = |preset: Preset<S>| Preset {
            name: preset.name,
            about: preset.about,
            scenario: preset.scenario.into(),
        };
        S::presets().into_iter().map(any).collect()
    }

    fn read(&self, text: &str) -> Result<Any, Invalid> {
        S::read(text).map(Any::from)
    }

    fn view(&self, world: &World) -> Result<QuestionView, Invalid> {
        world.view_of::<S>()
    }

    fn settings_for_link(&self, settings: &str) -> Option<String> {
        World::settings_for_link::<S>(settings)
    }

    fn shared_view<'a>(&self, any: &'a Any) -> &'a dyn SharedView {
        match <&S>::try_from(any) {
            Ok(scenario) => scenario,
            Err(_) => unreachable!("a scenario is seen as one of its own question"),
        }
    }
}

impl Question {
    /// Returns the operations; `None` in a split program that has not loaded the question.
    #[must_use]
    pub fn operations(self) -> Option<&'static dyn QuestionOps> {
        let learnt = LEARNT[self as usize].get().copied();
        learnt.or_else(|| self.built_in())
    }

    /// A program in pieces has nothing built in.
    #[cfg(target_arch = "wasm32")]
    const fn built_in(self) -> Option<&'static dyn QuestionOps> {
        None
    }

    /// Returns the operations.
    ///
    /// # Panics
    /// In a program in pieces that has not learnt it.
    #[must_use]
    pub fn kind(self) -> &'static dyn QuestionOps {
        self.operations()
            .expect("a question is learnt before one of its scenarios is there")
    }

    /// Returns the operations of a question that may not be loaded yet.
    ///
    /// # Errors
    /// The question is not loaded.
    pub(super) fn kind_if_known(self) -> Result<&'static dyn QuestionOps, Invalid> {
        self.operations().ok_or_else(|| {
            let name = self.name();
            let message = format!("{name} is still being loaded; try again in a moment");
            Invalid::new(Code::Link, "question", name, message)
        })
    }

    /// The question with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|question| question.name() == name)
    }

    /// The question that a scenario file names; one that names none is read as a cold start, whose reader says what is wrong.
    ///
    /// # Errors
    /// A question that no one asks.
    pub(super) fn named_in(text: &str) -> Result<Self, Invalid> {
        let Some(name) = Head::of(text).and_then(|head| head.question) else {
            return Ok(Self::ColdStart);
        };
        Self::find(&name).ok_or_else(|| {
            let known = Self::ALL.map(|known| format!("{:?}", known.name()));
            let shown: String = name.chars().take(40).collect();
            let message = format!("question must be {}, it is {shown:?}", known.join(" or "));
            Invalid::new(Code::Range, "question", shown, message)
        })
    }
}

impl Any {
    /// Returns the scenario as a view of the shared scenario.
    pub(super) fn as_shared_view(&self) -> &dyn SharedView {
        self.question().kind().shared_view(self)
    }

    /// Reads a scenario file of whatever question it names, as that question sees it.
    ///
    /// # Errors
    /// As [`World::read`].
    pub fn from_json(text: &str) -> Result<Self, Invalid> {
        let world = World::read(text)?;
        Ok(world.view(world.question)?.scenario)
    }

    /// Its name.
    #[must_use]
    pub fn title(&self) -> &str {
        self.as_shared_view().title()
    }

    /// The scenario as a file.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.as_shared_view().text()
    }
}
