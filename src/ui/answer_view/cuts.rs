//! Handles between the tiers of a picture, which move the cuts: each a slider whose value is the number of blocks before it.

use super::AnswerStore;
use crate::ui::canvas::width_of;
use crate::ui::shell::Shell;
use crate::ui::views::interaction::USUAL_PX;
use chart::{ChartSpec, CutPlace, TierDiagram, layout_network};
use document::{Chart, ChartInteraction, Edit};
use leptos::html::Div;
use leptos::prelude::*;
use web_sys::{KeyboardEvent, PointerEvent};

/// A picture of tiers with the handles of its cuts over it, where it has any.
#[component]
pub fn Cuts(chart: Memo<Option<Chart>>, children: Children) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = width_of(holder);
    let places = Memo::new(move |_| {
        let width = width.get();
        let width = if width > 0.0 { width } else { USUAL_PX };
        let network = chart.with(|chart| {
            let chart = chart.as_ref()?;
            match (&*chart.drawing, &chart.interaction) {
                (ChartSpec::Network(network), ChartInteraction::Cuts { .. }) => {
                    Some(network.clone())
                }
                _ => None,
            }
        });
        network.map_or_else(Vec::new, |network| {
            layout_network(&network, width).cuts().to_vec()
        })
    });
    let count = Memo::new(move |_| places.with(Vec::len));
    let cut = move |at: usize| {
        let place = Memo::new(move |_| places.with(|places| places.get(at).copied()));
        view! { <Cut at=at chart=chart place=place/> }
    };
    view! {
        <div class="network" node_ref=holder>
            {children()}
            {move || (0..count.get()).map(cut).collect_view()}
        </div>
    }
}

/// The blocks on each tier of a picture.
fn blocks(network: &TierDiagram) -> Vec<usize> {
    let tiers = network.tiers.iter();
    tiers.map(|tier| tier.last + 1 - tier.first).collect()
}

#[component]
fn Cut(at: usize, chart: Memo<Option<Chart>>, place: Memo<Option<CutPlace>>) -> impl IntoView {
    let store = expect_context::<AnswerStore>();
    let shell = expect_context::<Shell>();
    let network = move || {
        chart.with(|chart| match chart.as_ref().map(|chart| &*chart.drawing) {
            Some(ChartSpec::Network(network)) => Some(network.clone()),
            _ => None,
        })
    };
    let ends = move || {
        let blocks = blocks(&network()?);
        let before = blocks.get(..=at)?.iter().sum::<usize>();
        let least = before - blocks[at] + 1;
        let most = before + blocks.get(at + 1)? - 1;
        Some((least, before, most))
    };
    let names = move || {
        let tiers = network()?.tiers;
        let name = |at: usize| tiers.get(at).map(|tier| tier.name.clone());
        Some((name(at)?, name(at + 1)?))
    };
    // The drag under way: its step to undo, where it began, and the blocks then.
    let drag = StoredValue::new(None::<(u32, f64, Vec<usize>, CutPlace)>);
    let visit = StoredValue::new(0_u32);
    let move_to = move |blocks: &[usize], by: isize, key: u32| {
        let hand =
            untrack(|| chart.with(|chart| chart.as_ref().map(|chart| chart.interaction.clone())));
        let Some(ChartInteraction::Cuts {
            pointer,
            of,
            places,
        }) = hand
        else {
            return;
        };
        let mut moved = blocks.to_vec();
        let (Some(&before), Some(&after)) = (blocks.get(at), blocks.get(at + 1)) else {
            return;
        };
        let (before, after) = (before as isize, after as isize);
        // A tier in use keeps a block.
        let by = by.clamp(1 - before, after - 1);
        moved[at] = (before + by) as usize;
        moved[at + 1] = (after - by) as usize;
        let mut split = vec![0; of];
        for (place, blocks) in places.iter().zip(&moved) {
            if let Some(here) = split.get_mut(*place) {
                *here = *blocks;
            }
        }
        let json = protocol::written(&split);
        store.apply(Edit::of(pointer, json).within(format!("cut {key}")));
    };
    let now = move || untrack(network).map(|network| blocks(&network));
    let press = move |event: PointerEvent| {
        let (Some(blocks), Some(place)) = (now(), place.get_untracked()) else {
            return;
        };
        if event.button() != 0 {
            return;
        }
        let target: web_sys::Element = event_target(&event);
        let _ = target.set_pointer_capture(event.pointer_id());
        let begun = f64::from(event.client_x());
        drag.set_value(Some((shell.fresh_id(), begun, blocks, place)));
    };
    let follow = move |event: PointerEvent| {
        drag.with_value(|drag| {
            if let Some((key, from, blocks, place)) = drag {
                let by = (f64::from(event.client_x()) - from) / place.px_per_block.max(1.0);
                move_to(blocks, libm::round(by) as isize, *key);
            }
        });
    };
    let keys = move |event: KeyboardEvent| {
        let by = match event.key().as_str() {
            "ArrowLeft" | "ArrowDown" => -1,
            "ArrowRight" | "ArrowUp" => 1,
            "PageDown" => -5,
            "PageUp" => 5,
            "Home" => isize::MIN / 4,
            "End" => isize::MAX / 4,
            _ => return,
        };
        event.prevent_default();
        if let Some(blocks) = now() {
            move_to(&blocks, by, visit.get_value());
        }
    };
    let text = move || {
        let ((_, now, _), (before, after)) = ends().zip(names())?;
        Some(format!(
            "{before} ends with block {now}; {after} begins after it"
        ))
    };
    view! {
        <button
            class="cut"
            id=format!("cut-{at}")
            role="slider"
            aria-label=move || names().map(|(a, b)| format!("Cut between {a} and {b}"))
            aria-orientation="horizontal"
            aria-valuemin=move || ends().map(|(least, _, _)| least.to_string())
            aria-valuemax=move || ends().map(|(_, _, most)| most.to_string())
            aria-valuenow=move || ends().map(|(_, now, _)| now.to_string())
            aria-valuetext=text
            title="Drag, or use the arrow keys"
            style:left=move || place.get().map(|place| format!("{}px", place.x))
            style:top=move || place.get().map(|place| format!("{}px", place.y))
            on:pointerdown=press
            on:pointermove=follow
            on:pointerup=move |_| drag.set_value(None)
            on:pointercancel=move |_| drag.set_value(None)
            on:focus=move |_| visit.set_value(shell.fresh_id())
            on:keydown=keys
        >
            <i aria-hidden="true"></i>
        </button>
    }
}
