//! The tiers as a network with the blocks on them: a card for every part, and cuts to drag or to move by keys.

use super::TiersState;
use super::compare::as_split;
use super::state::Shown;
use crate::ui::canvas::width_of;
use crate::ui::views::answer::Spoken;
use crate::ui::views::held::{ChartView, Told, USUAL_PX};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::Section;
use crate::ui::views::table::TableView;
use chart::{CutPlace, Drawn, Network, NetworkChart, View, layout_network, network_sheet};
use engine::scenario::tiers::Placed;
use leptos::html::Div;
use leptos::prelude::*;
use report::tiers::{charts, split_words, stages, tier_name};
use std::sync::Arc;
use web_sys::{KeyboardEvent, PointerEvent};

/// The plan on show as a network.
fn network_of(shown: &Shown) -> Option<Network> {
    let plan = shown.planned.plan.as_ref()?;
    Some(charts::network(&shown.scenario, plan))
}

/// The block.
#[component]
pub fn Blocks() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let as_table = RwSignal::new(false);
    let network = Memo::new(move |_| {
        let shown = state.shown.get();
        let network = shown.and_then(|shown| network_of(&shown));
        network.map(Arc::new)
    });
    let is_there = Memo::new(move |_| network.with(Option::is_some));
    let turn = Callback::new(move |()| as_table.update(|on| *on = !*on));
    let table = Memo::new(move |_| {
        let shown = state.shown.get();
        let plan = shown
            .as_ref()
            .and_then(|shown| Some((shown, shown.planned.plan.as_ref()?)));
        Arc::new(plan.map_or_else(Default::default, |(shown, plan)| {
            stages(&shown.scenario, plan)
        }))
    });
    let picture = Callback::new(move |width| {
        let shown = state.shown.get_untracked()?;
        let network = network.get_untracked()?;
        Some(network_sheet(&title(&shown), &network, width))
    });
    let reason = move || {
        state
            .shown
            .get()
            .map(|shown| view! { <Spoken sentence=shown.words.reason.clone()/> })
    };
    let is_own = Memo::new(move |_| state.scenario.with(|s| s.split.is_some()));
    let find_again = move |_| {
        let _ = state.edit("", |s| s.split = None); // no split is always allowed
    };
    move || {
        is_there.get().then(|| {
            view! {
                <Section
                    id="picture"
                    title="Blocks on tiers"
                    beside={move || view! { {move || is_own.get().then(|| view! {
                            <button class="btn small" id="best-split" on:click=find_again>"Back to the best split"</button>
                        })} }}
                    tools={move || view! { <button
                                class="btn quiet small"
                                id="blocks-as-table"
                                aria-pressed=move || as_table.get().to_string()
                                on:click=move |_| turn.run(())
                            >
                                <Icon glyph=Glyph::Table/>
                                {move || if as_table.get() { "Picture" } else { "Table" }}
                            </button>
                            <TakePicture name="blocks" label="tiers" picture=picture/> }}
                >
                    {move || if as_table.get() {
                        view! { <TableView table=table id="stages-table"/> }.into_any()
                    } else {
                        view! { <NetworkView network=network on_table=turn/> }.into_any()
                    }}
                    <p class="reason" id="reason">{reason}</p>
                </Section>
            }
        })
    }
}

/// What an exported picture is of.
fn title(shown: &Shown) -> String {
    let plan = shown.planned.plan.as_ref();
    let split = plan
        .map(|plan| split_words(&plan.placed))
        .unwrap_or_default();
    format!("{} over tiers, {split}", shown.scenario.model.name)
}

#[component]
fn NetworkView(network: Memo<Option<Arc<Network>>>, on_table: Callback<()>) -> impl IntoView {
    let state = expect_context::<TiersState>();
    let holder = NodeRef::<Div>::new();
    let width = width_of(holder);
    let chart = Memo::new(move |_| {
        let width = width.get();
        let width = if width > 0.0 { width } else { USUAL_PX };
        let network = network.get().unwrap_or_default();
        Arc::new(layout_network(&network, width))
    });
    let draw = Callback::new(move |_: (f64, View)| Drawn(chart.get()));
    let tell = Callback::new(move |at: usize| {
        let hit = chart.with(|chart| chart.hits.get(at).cloned())?;
        let shade = |tier: usize| network.with(|n| Some(n.as_ref()?.tiers.get(tier)?.shade));
        Some(Told {
            shade: hit.what.tier().and_then(shade),
            title: hit.title,
            rows: hit.rows,
            notes: Vec::new(),
        })
    });
    let label = Signal::derive(move || {
        let keys = "The handles between tiers move the cuts.";
        chart.with(|chart| format!("{} {keys}", chart.picture.title))
    });
    // Cuts can be moved where the tiers stand as they are listed, and there are two.
    let cuts = Memo::new(move |_| {
        let is_listed = state.shown.with(|shown| {
            let plan = shown
                .as_ref()
                .and_then(|shown| Some((shown, shown.planned.plan.as_ref()?)));
            plan.is_some_and(|(shown, plan)| as_split(&shown.scenario, &plan.placed).is_some())
        });
        let count = chart.with(|chart| chart.cuts.len());
        if is_listed { count } else { 0 }
    });
    view! {
        <div class="network" node_ref=holder>
            <ChartView id="network" draw=draw kind="network of tiers" class="reach" tell=tell label=label
                chain="the slowest tier" on_table=on_table/>
            {move || (0..cuts.get()).map(|at| view! { <Cut at=at chart=chart/> }).collect_view()}
        </div>
    }
}

/// The handle of a cut between two tiers: a slider whose value is the number of blocks before it.
#[component]
fn Cut(at: usize, chart: Memo<Arc<NetworkChart>>) -> impl IntoView {
    let state = expect_context::<TiersState>();
    let place = Memo::new(move |_| chart.with(|chart| chart.cuts.get(at).copied()));
    let placed = Memo::new(move |_| {
        state.shown.with(|shown| {
            let plan = shown.as_ref()?.planned.plan.as_ref()?;
            Some(plan.placed.clone())
        })
    });
    let ends = move || {
        let placed = placed.get()?;
        let before = placed.get(..=at)?.iter().map(|p| p.blocks).sum::<usize>();
        let least = before - placed[at].blocks + 1;
        let most = before + placed.get(at + 1)?.blocks - 1;
        Some((least, before, most))
    };
    let names = move || {
        let shown = state.shown.get()?;
        let placed = placed.get()?;
        let name = |at: usize| Some(tier_name(&shown.scenario, placed.get(at)?.tier));
        Some((name(at)?, name(at + 1)?))
    };
    // The drag under way: its step to undo, where it began, and the split then.
    let drag = StoredValue::new(None::<(u32, f64, Vec<Placed>, CutPlace)>);
    let visit = StoredValue::new(0_u32);
    let move_to = move |placed: &[Placed], by: isize, key: u32| {
        let mut moved = placed.to_vec();
        let (before, after) = (moved[at].blocks as isize, moved[at + 1].blocks as isize);
        // A tier in use keeps a block.
        let by = by.clamp(1 - before, after - 1);
        moved[at].blocks = (before + by) as usize;
        moved[at + 1].blocks = (after - by) as usize;
        let split = state.scenario.with_untracked(|s| as_split(s, &moved));
        if let Some(split) = split {
            // It adds up to the model's blocks as long as the model is the one on show.
            let _ = state.edit(&format!("cut {key}"), |s| s.split = Some(split));
        }
    };
    let press = move |event: PointerEvent| {
        let (Some(placed), Some(place)) = (placed.get_untracked(), place.get_untracked()) else {
            return;
        };
        if event.button() != 0 {
            return;
        }
        let target: web_sys::Element = event_target(&event);
        let _ = target.set_pointer_capture(event.pointer_id());
        drag.set_value(Some((
            state.fresh_id(),
            f64::from(event.client_x()),
            placed,
            place,
        )));
    };
    let follow = move |event: PointerEvent| {
        drag.with_value(|drag| {
            if let Some((key, from, placed, place)) = drag {
                let blocks = (f64::from(event.client_x()) - from) / place.px_per_block.max(1.0);
                move_to(placed, libm::round(blocks) as isize, *key);
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
        if let Some(placed) = placed.get_untracked() {
            move_to(&placed, by, visit.get_value());
        }
    };
    let value = move || ends().map(|(_, now, _)| now.to_string());
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
            aria-valuenow=value
            aria-valuetext=text
            title="Drag, or use the arrow keys"
            style:left=move || place.get().map(|place| format!("{}px", place.x))
            style:top=move || place.get().map(|place| format!("{}px", place.y))
            on:pointerdown=press
            on:pointermove=follow
            on:pointerup=move |_| drag.set_value(None)
            on:pointercancel=move |_| drag.set_value(None)
            on:focus=move |_| visit.set_value(state.fresh_id())
            on:keydown=keys
        >
            <i aria-hidden="true"></i>
        </button>
    }
}
