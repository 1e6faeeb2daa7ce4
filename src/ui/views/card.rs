//! The card beside a mark: what a chart knows about the mark under the pointer or the keys. Every chart of the
//! page has the same one, and only one is open at a time.

use chart::{Rect, place};
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;

/// Room kept to the window's edges [px].
const AIR_PX: f64 = 8.0;

/// Content of a card, and its mark.
#[derive(Debug, Clone, PartialEq)]
pub struct CardContent {
    /// The mark, in the chart's own pixels.
    pub mark: Rect,
    /// Where the pointer entered the mark, or its middle [px].
    pub x: f64,
    /// The shade of a device before the title, from 0.
    pub shade: Option<usize>,
    /// Title.
    pub title: String,
    /// Name and value.
    pub rows: Vec<(String, String)>,
    /// Paragraphs on its meaning.
    pub notes: Vec<String>,
}

/// Which chart shows its card.
#[derive(Clone, Copy)]
pub struct OpenCard(RwSignal<&'static str>);

impl OpenCard {
    /// None does yet.
    pub fn new() -> Self {
        Self(RwSignal::new(""))
    }

    /// Lets the chart with this id show its card, and no other.
    pub fn give_to(self, id: &'static str) {
        if self.0.get_untracked() != id {
            self.0.set(id);
        }
    }
}

/// The card of the chart `id` whose element is `holder`. It opens under the mark and flips at the window's edges.
#[component]
pub fn Card(
    id: &'static str,
    holder: NodeRef<Div>,
    #[prop(into)] said: Signal<Option<Arc<CardContent>>>,
) -> impl IntoView {
    let open = expect_context::<OpenCard>();
    let node = NodeRef::<Div>::new();
    let shown = Memo::new(move |_| said.get().filter(|_| open.0.get() == id));
    // A window that is turned or made smaller must not keep a card outside.
    let resized = RwSignal::new(());
    let listener = window_event_listener(leptos::ev::resize, move |_| resized.set(()));
    on_cleanup(move || listener.remove());
    Effect::new(move |_| {
        resized.track();
        let (Some(said), Some(_), Some(_)) = (shown.get(), node.get(), holder.get()) else {
            return;
        };
        // Once its words are laid out, and before they are seen.
        request_animation_frame(move || put(node, holder, &said));
    });
    let rows = move || {
        let said = shown.get()?;
        let row = |(name, value): &(String, String)| {
            view! { <dt>{name.clone()}</dt><dd>{value.clone()}</dd> }
        };
        Some(said.rows.iter().map(row).collect_view())
    };
    let notes = move || {
        let said = shown.get()?;
        Some(
            said.notes
                .iter()
                .map(|note| view! { <p>{note.clone()}</p> })
                .collect_view(),
        )
    };
    let is_open = Memo::new(move |_| shown.with(Option::is_some));
    let shade = move || {
        shown
            .with(|said| said.as_ref().and_then(|said| said.shade))
            .map(|shade| view! { <i class=format!("dev d{}", shade % 8 + 1)></i> })
    };
    let title = move || shown.with(|said| said.as_ref().map(|said| said.title.clone()));
    move || {
        is_open.get().then(|| {
            view! {
                <div class="card" id="card" node_ref=node>
                    <h3>{shade}{title}</h3>
                    <dl>{rows}</dl>
                    {notes}
                </div>
            }
        })
    }
}

fn put(node: NodeRef<Div>, holder: NodeRef<Div>, said: &CardContent) {
    // The card may have closed since.
    let (Some(card), Some(holder)) = (node.get_untracked(), holder.get_untracked()) else {
        return;
    };
    let frame = holder.get_bounding_client_rect();
    let (dx, dy) = (frame.left(), frame.top());
    let height = |selector: &str| {
        let bar = document().query_selector(selector).ok().flatten();
        bar.map_or(0.0, |bar| bar.get_bounding_client_rect().height())
    };
    let size = |of: Result<wasm_bindgen::JsValue, wasm_bindgen::JsValue>| {
        of.ok().and_then(|px| px.as_f64()).unwrap_or(0.0)
    };
    // What sticks out on a phone widens the window, but not the page's own width.
    let page = document().document_element();
    let wide = page.map_or(0.0, |page| f64::from(page.client_width()));
    let high = size(window().inner_height());
    // The bars at the top and, on a phone, at the foot are over the page.
    let (top, foot) = (height(".bar"), height(".bottom-bar"));
    let seen = Rect::new(0.0, top, wide, high - top - foot).grown(-AIR_PX);
    let mark = Rect::new(said.mark.x + dx, said.mark.y + dy, said.mark.w, said.mark.h);
    let own = (
        f64::from(card.offset_width()),
        f64::from(card.offset_height()),
    );
    let (x, y) = place(mark, said.x + dx, own, seen);
    let style = web_sys::HtmlElement::style(&card);
    let _ = style.set_property("left", &format!("{}px", x - dx));
    let _ = style.set_property("top", &format!("{}px", y - dy));
}
