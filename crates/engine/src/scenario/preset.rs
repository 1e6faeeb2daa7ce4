//! A preset of any question: a scenario with a name.

/// A preset: a name for the command line, a sentence for people, and the scenario.
#[derive(Debug, Clone)]
pub struct Preset<S> {
    /// Name on the command line and in the page's list.
    pub name: &'static str,
    /// Description, with the source of its numbers.
    pub about: &'static str,
    /// The scenario.
    pub scenario: S,
}

impl<S> Preset<S> {
    /// The one with this name among some. O(presets).
    #[must_use]
    pub fn named(all: Vec<Self>, name: &str) -> Option<Self> {
        all.into_iter().find(|preset| preset.name == name)
    }
}
