//! The questions of the page, a line each, in the order of the bar: what is said of each before it is there, and the pieces of the
//! program that it comes in.

use super::cold_start::ColdStartState;
use super::common::learn_links;
use super::dispatch::DispatchState;
use super::heads::HeadsState;
use super::operators::OperatorsState;
use super::questions::{DeferredViews, QuestionModule, QuestionPage, opened};
use super::shell::Shell;
use super::tiers::TiersState;
use engine::scenario::{Question, learn};
use wasm_split_helpers::{SplitLoaderError, wasm_split};

/// Texts about a question, wherever it is named.
pub struct QuestionCard {
    /// For whom it is.
    pub helps: &'static str,
    /// Text where the opening scenario is shown because a link is broken and nothing was saved.
    pub broken_link_text: &'static str,
}

/// Constructor of a question's page.
type Open = fn(Shell) -> &'static dyn QuestionPage;

macro_rules! topics {
    ($($case:ident $piece:ident $below:ident $state:ty: $helps:literal, $broken_link_text:literal;)*) => {
        /// Returns the texts about a question.
        pub const fn card(question: Question) -> QuestionCard {
            let (helps, broken_link_text) = match question {
                $(Question::$case => ($helps, $broken_link_text),)*
            };
            QuestionCard { helps, broken_link_text }
        }

        /// Returns the constructor of a question's page; loads its bundle if necessary.
        ///
        /// # Errors
        /// The bundle cannot be loaded.
        pub async fn open(question: Question) -> Result<Open, SplitLoaderError> {
            match question {
                $(Question::$case => $piece().await,)*
            }
        }

        /// Returns the views beside and below the answer to a question; loads their bundle if necessary.
        ///
        /// # Errors
        /// The bundle cannot be loaded.
        pub async fn load_details(question: Question) -> Result<DeferredViews, SplitLoaderError> {
            match question {
                $(Question::$case => $below().await,)*
            }
        }

        $(#[wasm_split($piece, fallible)]
        fn $piece() -> Result<Open, SplitLoaderError> {
            learn::<<$state as QuestionModule>::Scenario>();
            Ok(opened::<$state>)
        }

        #[wasm_split($below, fallible)]
        fn $below() -> Result<DeferredViews, SplitLoaderError> {
            learn_links();
            Ok(<$state as QuestionModule>::DETAILS)
        })*
    };
}

topics! {
    ColdStart cold_start cold_start_below ColdStartState:
        "For starting a model from disk on devices that share Wi-Fi: which layers go where.",
        "The paper\u{2019}s four devices are shown instead.";
    HeadPlacement head_placement head_placement_below HeadsState:
        "For generating with one layer\u{2019}s heads and caches spread over devices.",
        "The paper\u{2019}s 25 devices are shown instead.";
    Dispatch dispatch dispatch_below DispatchState:
        "For an app with a model on the device and a paid server behind it.",
        "LLaMA-3.1-70b and a Xiaomi 14 are shown instead.";
    Tiers tiers tiers_below TiersState:
        "For serving many requests through a chain of machines.",
        "The paper\u{2019}s three tiers are shown instead.";
    Operators operators operators_below OperatorsState:
        "For a network on a device with little memory, or cut over several.",
        "GoogLeNet is shown instead.";
}
