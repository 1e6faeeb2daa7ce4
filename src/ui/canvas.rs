//! Paints a picture on a canvas, again whenever the picture, the theme or the screen changes.

use super::theme::ThemeState;
use chart::{Palette, Picture, Surface, paint};
use leptos::html::{Canvas, Div};
use leptos::prelude::*;
use plotters_canvas::CanvasBackend;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Blob, CanvasRenderingContext2d, HtmlCanvasElement, ResizeObserver};

/// Parts of a device pixel that the painter tells apart; more make no visible difference.
const FINE: u32 = 8;
/// The faces of `--font`, which a canvas cannot read from the style sheet.
pub const FONT: &str = "-apple-system, \"Segoe UI Variable Text\", \"Segoe UI\", Roboto, Inter, Cantarell, \
                        \"Noto Sans\", \"DejaVu Sans Condensed\", system-ui, sans-serif";

/// A canvas of the picture's own size. Screen readers ignore it: its parent gives its
/// wrapper a name and a table.
#[component]
pub fn PictureCanvas(#[prop(into)] picture: Signal<Arc<Picture>>) -> impl IntoView {
    let theme = expect_context::<ThemeState>();
    let node = NodeRef::<Canvas>::new();
    let next = StoredValue::new(None::<AnimationFrameRequestHandle>);
    let end = move || {
        if let Some(frame) = next.try_update_value(Option::take).flatten() {
            frame.cancel();
        }
    };
    Effect::new(move |was_drawn: Option<bool>| {
        let Some(canvas) = node.get() else {
            return false;
        };
        let (picture, palette) = (picture.get(), theme.palette());
        let now = move || match &palette {
            Ok(palette) => draw(&canvas, &picture, palette, window().device_pixel_ratio()),
            Err(fault) => leptos::logging::error!("{fault}"),
        };
        end();
        // A new one is there at once; another one waits for the frame that it is seen in, so that words come before it.
        if was_drawn == Some(true) {
            next.set_value(request_animation_frame_with_handle(now).ok());
        } else {
            now();
        }
        true
    });
    on_cleanup(end);
    view! {
        <canvas
            node_ref=node
            aria-hidden="true"
            style:width=move || format!("{}px", picture.with(|p| p.width))
            style:height=move || format!("{}px", picture.with(|p| p.height))
        ></canvas>
    }
}

/// Device pixels per pixel of a saved PNG: sharp on paper.
const SAVED_RATIO: f64 = 2.0;

/// Paints a picture on an opaque ground and hands it to `done` as a PNG, twice as large as on the page; `None` where
/// the browser makes none.
pub fn to_png(picture: &Picture, palette: &Palette, done: impl FnOnce(Option<Blob>) + 'static) {
    let made = document().create_element("canvas").ok();
    let Some(canvas) = made.and_then(|made| made.dyn_into::<HtmlCanvasElement>().ok()) else {
        return done(None);
    };
    let mut opaque = picture.clone();
    opaque.marks.insert(0, picture.ground());
    draw(&canvas, &opaque, palette, SAVED_RATIO);
    let callback = Closure::once_into_js(move |blob: Option<Blob>| done(blob));
    // The canvas of a page that loads nothing from elsewhere may always be read.
    let _ = canvas.to_blob(callback.unchecked_ref());
}

fn draw(canvas: &HtmlCanvasElement, picture: &Picture, palette: &Palette, ratio: f64) {
    let [width, height] = [picture.width, picture.height].map(|side| libm::ceil(side * ratio));
    // A canvas that is given a size, be it its own, is laid out and made again.
    if canvas.width() != width as u32 {
        canvas.set_width(width as u32);
    }
    if canvas.height() != height as u32 {
        canvas.set_height(height as u32);
    }
    let context = canvas.get_context("2d").ok().flatten();
    let context = context.and_then(|context| context.dyn_into::<CanvasRenderingContext2d>().ok());
    let scale = 1.0 / f64::from(FINE);
    let scaled = context.is_some_and(|context| {
        let is_plain = context.reset_transform().is_ok();
        context.clear_rect(0.0, 0.0, width, height);
        is_plain && context.scale(scale, scale).is_ok()
    });
    let Some(mut backend) = CanvasBackend::with_canvas_object(canvas.clone()).filter(|_| scaled)
    else {
        return leptos::logging::error!(
            "this browser gives no canvas to draw on; the tables show the same"
        );
    };
    let surface = Surface::canvas(ratio, FINE);
    if let Err(fault) = paint(&picture.marks, palette, surface, FONT, &mut backend) {
        leptos::logging::error!("{fault}");
    }
}

/// The width of an element [px], kept up to date by the browser; 0 until it has been laid out.
pub fn width_of(node: NodeRef<Div>) -> Memo<f64> {
    let width = RwSignal::new(0.0);
    let watching = StoredValue::new_local(None::<(ResizeObserver, Closure<dyn FnMut()>)>);
    Effect::new(move |_| {
        let Some(element) = node.get() else { return };
        let watched = element.clone();
        let measure = Closure::<dyn FnMut()>::new(move || {
            width.set(f64::from(watched.client_width()));
        });
        if let Ok(observer) = ResizeObserver::new(measure.as_ref().unchecked_ref()) {
            observer.observe(&element);
            watching.set_value(Some((observer, measure)));
        }
    });
    on_cleanup(move || {
        watching.update_value(|watching| {
            if let Some((observer, _)) = watching.take() {
                observer.disconnect();
            }
        });
    });
    Memo::new(move |_| width.get())
}
