//! Light and dark: the choice, and the colours that canvases take from the style sheet.

use super::workspace;
use chart::{MissingToken, Palette};
use gloo::events::EventListener;
use leptos::prelude::*;

/// Where the choice is kept, as plain text; `public/theme.js` reads it before the first paint.
const STORAGE_KEY: &str = "edgewise.theme";

/// The theme in force, as signals that canvases redraw on.
#[derive(Clone, Copy)]
pub struct ThemeState {
    dark: RwSignal<bool>,
    palette: Memo<Result<Palette, MissingToken>>,
}

impl ThemeState {
    /// Reads the theme that the start-up script has set.
    pub fn open() -> Self {
        let dark = attribute().as_deref() == Some("dark");
        let dark = RwSignal::new(dark);
        // Asking the style sheet for all colours takes longer than painting with them, so it is done once a theme.
        let palette = Memo::new(move |_| {
            dark.track();
            read_palette()
        });
        let theme = Self { dark, palette };
        if let Ok(Some(query)) = window().match_media("(prefers-color-scheme: dark)") {
            let system = query.clone();
            EventListener::new(&query, "change", move |_| {
                if workspace::remembered(STORAGE_KEY).is_none() {
                    theme.put(system.matches());
                }
            })
            .forget(); // as long as the page lives
        }
        theme.print_light();
        theme
    }

    /// Returns true if the page is dark.
    pub fn is_dark(self) -> bool {
        self.dark.get()
    }

    /// Changes to the other theme and keeps that choice.
    pub fn toggle(self) {
        let dark = !self.dark.get_untracked();
        workspace::remember(STORAGE_KEY, if dark { "dark" } else { "light" });
        self.put(dark);
    }

    /// The colours of the theme in force, from the style sheet's custom properties.
    ///
    /// # Errors
    /// When the style sheet lacks a colour.
    pub fn palette(self) -> Result<Palette, MissingToken> {
        self.palette.get()
    }

    /// The colours of paper, which is light whatever the screen is.
    ///
    /// # Errors
    /// When the style sheet lacks a colour.
    pub fn paper(self) -> Result<Palette, MissingToken> {
        if !self.dark.get_untracked() {
            return read_palette();
        }
        // Nothing is painted in between.
        set_attribute(false);
        let palette = read_palette();
        set_attribute(true);
        palette
    }

    /// Paper is light whatever the screen is.
    fn print_light(self) {
        let before = StoredValue::new(false);
        EventListener::new(&window(), "beforeprint", move |_| {
            before.set_value(self.dark.get_untracked());
            self.put(false);
        })
        .forget(); // as long as the page lives
        EventListener::new(&window(), "afterprint", move |_| {
            self.put(before.get_value())
        })
        .forget();
    }

    fn put(self, dark: bool) {
        set_attribute(dark);
        self.dark.set(dark);
    }
}

fn set_attribute(dark: bool) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-theme", if dark { "dark" } else { "light" });
    }
}

fn attribute() -> Option<String> {
    document().document_element()?.get_attribute("data-theme")
}

fn read_palette() -> Result<Palette, MissingToken> {
    let root = document().document_element();
    let style = root.and_then(|root| window().get_computed_style(&root).ok().flatten());
    Palette::new(|token| {
        style
            .as_ref()
            .and_then(|style| style.get_property_value(token).ok())
    })
}
