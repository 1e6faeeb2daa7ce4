//! What every question calls a preset: a scenario with a name.

/// A preset: a name for the command line, a sentence for people, and the scenario.
#[derive(Debug, Clone)]
pub struct Preset<S> {
    /// Name on the command line and in the page's list.
    pub name: &'static str,
    /// What it is and where its numbers come from.
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
