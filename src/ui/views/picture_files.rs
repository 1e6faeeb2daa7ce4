//! A plot as a file: PNG at twice its size and SVG, in the colours of the page, with everything it needs to stand
//! alone in a paper.

use super::icons::{Glyph, Icon};
use crate::ui::canvas::{FONT, to_png};
use crate::ui::download;
use crate::ui::lazy_bundle::LazyBundleState;
use crate::ui::shell::Shell;
use crate::ui::theme::ThemeState;
use chart::Picture;
use leptos::prelude::*;

/// Width of an exported picture [px]: legible on a page and in a slide.
const PICTURE_PX: f64 = 960.0;

/// Buttons that save a plot as PNG and SVG, with the ids `{name}-png` and `{name}-svg`. `picture` makes the plot of
/// a given width [px], titled and with its legend; `None` where there is nothing to draw yet.
#[component]
pub fn TakePicture(
    name: &'static str,
    #[prop(into)] picture: Callback<f64, Option<Picture>>,
    /// Accessible name of the plot: "timeline".
    label: &'static str,
) -> impl IntoView {
    let state = expect_context::<Shell>();
    let theme = expect_context::<ThemeState>();
    let rest = expect_context::<LazyBundleState>();
    let take = move |is_png: bool| {
        let drawn = picture.run(PICTURE_PX).zip(theme.palette().ok());
        let ending = if is_png { "png" } else { "svg" };
        let (Some((picture, palette)), Some(file)) = (drawn, state.file_name(name, ending)) else {
            return;
        };
        if is_png {
            to_png(&picture, &palette, move |blob| {
                let refused = Err(wasm_bindgen::JsValue::NULL);
                let saved = blob.map_or(refused, |blob| download::blob(&file, &blob));
                state.say_saved(&file, &saved);
            });
        } else {
            let Some(later) = rest.now() else {
                return; // there is no picture either
            };
            let text = (later.svg)(&picture, &palette, FONT);
            state.say_saved(&file, &download::text(&file, "image/svg+xml", &text));
        }
    };
    let button = move |ending: &'static str, word: &'static str, is_png: bool| {
        view! {
            <button
                class="btn quiet small"
                id=format!("{name}-{ending}")
                aria-label=format!("Save the {label} as {word}")
                on:click=move |_| take(is_png)
            >
                <Icon glyph=Glyph::Save/>
                {word}
            </button>
        }
    };
    view! { {button("png", "PNG", true)} {button("svg", "SVG", false)} }
}
