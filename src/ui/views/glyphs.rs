//! Icons: line drawings of 16 by 16, for the page and for its prerendered answers.

/// An icon by what it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glyph {
    /// Take a step back.
    Undo,
    /// Make it again.
    Redo,
    /// A chain link.
    Link,
    /// Half light, half dark.
    Theme,
    /// Opens downwards.
    Down,
    /// Opens sideways.
    Right,
    /// Add, or come nearer.
    Plus,
    /// Go further off.
    Minus,
    /// All of it.
    Fit,
    /// More actions.
    More,
    /// Can be dragged.
    DragHandle,
    /// Proved.
    Check,
    /// A table.
    Table,
    /// Close, or does not fit.
    Close,
    /// Look here.
    Warn,
    /// Copy.
    Copy,
    /// Edit.
    Edit,
    /// Save as a file.
    Save,
    /// Saved scenarios.
    Library,
}

impl Glyph {
    /// The line, as an SVG path.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Undo => "M3.5 6.5h6a3.5 3.5 0 0 1 0 7H6M6.5 3.5l-3 3 3 3",
            Self::Redo => "M12.5 6.5h-6a3.5 3.5 0 0 0 0 7H10M9.5 3.5l3 3-3 3",
            Self::Link => {
                "M6.5 9.5l3-3M7.5 4.7l1.6-1.6a2.7 2.7 0 0 1 3.8 3.8l-1.6 1.6M8.5 11.3l-1.6 1.6a2.7 2.7 0 0 1-3.8-3.8l1.6-1.6"
            }
            Self::Theme => {
                "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M8 2.5v11M10 3.6v8.8M12 5.2v5.6"
            }
            Self::Down => "M4.5 6.5L8 10l3.5-3.5",
            Self::Right => "M6.5 4.5L10 8l-3.5 3.5",
            Self::Plus => "M8 3.5v9M3.5 8h9",
            Self::Minus => "M3.5 8h9",
            Self::Fit => "M2.5 4v8M13.5 4v8M5 8h6M6.8 6.2L5 8l1.8 1.8M9.2 6.2L11 8l-1.8 1.8",
            Self::More => "M8 3.4v.2M8 7.9v.2M8 12.4v.2",
            Self::DragHandle => "M6 4v.1M10 4v.1M6 8v.1M10 8v.1M6 12v.1M10 12v.1",
            Self::Check => "M3.5 8.5l3 3 6-7",
            Self::Table => "M2.5 3.5h11v9h-11zM2.5 6.5h11M2.5 9.5h11M6.5 3.5v9",
            Self::Close => "M4 4l8 8M12 4l-8 8",
            Self::Warn => "M8 2.5l6 10.5H2zM8 6.5v3M8 11.4v.1",
            Self::Copy => "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
            Self::Save => "M8 2.5v7.5M5 7.2l3 3 3-3M3 13.5h10",
            Self::Library => "M2.5 12.5v-9h4l1.5 2h5.5v7z",
            Self::Edit => "M3 13l.6-2.8 7-7 2.2 2.2-7 7z",
        }
    }
}
