//! The questions: a list, a line each, and what there is to know of one whichever it is. Everything that is done for every
//! question goes over this list.

use super::schema::Head;
use super::world::{Seen, Shared, View, World};
use super::{Preset, dispatch, heads, operators, tiers};
use crate::problem::{Code, Invalid};
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

/// The list, as a name for programs, that in links and files, and the scenario.
macro_rules! questions {
    ($($(#[$words:meta])* $case:ident, $name:literal, $scenario:ty;)*) => {
        /// Which of the questions a scenario asks.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum Question {
            $($(#[$words])* #[serde(rename = $name)] $case,)*
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

            /// What there is to know of it.
            #[must_use]
            pub fn kind(self) -> &'static dyn Kind {
                match self {
                    $(Self::$case => &Of::<$scenario>(PhantomData),)*
                }
            }
        }

        /// A scenario of one of the questions.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum Any {
            $($(#[$words])* $case(Box<$scenario>),)*
        }

        impl Any {
            /// Its question.
            #[must_use]
            pub const fn question(&self) -> Question {
                match self {
                    $(Self::$case(_) => Question::$case,)*
                }
            }

            /// What the scenario of all questions knows of it.
            pub(super) fn seen(&self) -> &dyn Seen {
                match self {
                    $(Self::$case(scenario) => &**scenario,)*
                }
            }
        }

        $(impl From<$scenario> for Any {
            fn from(scenario: $scenario) -> Self {
                Self::$case(Box::new(scenario))
            }
        })*
    };
}

questions! {
    /// How soon can these devices give the first answer?
    ColdStart, "cold-start", super::Scenario;
    /// Where should each attention head run, token by token?
    HeadPlacement, "head-placement", heads::Scenario;
    /// Who should answer, and how long should the device wait?
    Dispatch, "dispatch", dispatch::Scenario;
    /// Which blocks on which tier, and what happens under load?
    Tiers, "tiers", tiers::Scenario;
    /// In which order and pieces does this graph fit?
    Operators, "operators", operators::Scenario;
}

/// What there is to know of a question.
pub trait Kind: Sync {
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
    fn view(&self, world: &World) -> Result<View, Invalid>;
    /// Its settings as a link carries them; `None` where they are the same.
    fn settings_for_link(&self, settings: &str) -> Option<String>;
}

struct Of<S>(PhantomData<fn() -> S>);

impl<S: Shared> Kind for Of<S>
where
    Any: From<S>,
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

    fn view(&self, world: &World) -> Result<View, Invalid> {
        world.view_of::<S>()
    }

    fn settings_for_link(&self, settings: &str) -> Option<String> {
        World::settings_for_link::<S>(settings)
    }
}

impl Question {
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
    /// A question that nobody asks.
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
        self.seen().title()
    }

    /// The scenario as a file.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.seen().text()
    }
}
