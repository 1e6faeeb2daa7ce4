//! Tensor addresses in one piece of memory, and during which steps.

use super::OperatorsState;
use crate::ui::views::answer::{Spoken, figure};
use crate::ui::views::form::OneOf;
use crate::ui::views::held::{ChartView, ZoomTools};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::{Fold, Section};
use crate::ui::views::table::{TableView, TakeTable};
use chart::{ArenaPicture, Drawn, View, layout_arena, spots_sheet};
use engine::units::{memory, percent};
use leptos::prelude::*;
use report::operators::charts::tensors;
use report::operators::{arena_table, arena_words, graph_name};
use std::sync::Arc;

/// Height of the chart with places [px].
const HEIGHT_PX: f64 = 300.0;
/// A table with more rows than this is only saved.
const MOST_ROWS: usize = 500;

/// The block.
#[component]
pub fn ArenaView() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let is_there = Memo::new(move |_| {
        state
            .shown
            .with(|shown| shown.as_ref().is_some_and(|s| s.plan.arena.is_some()))
    });
    move || is_there.get().then(|| view! { <Lying/> })
}

#[component]
fn Lying() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let places = RwSignal::new(true);
    let all = Memo::new(move |_| {
        let shown = state.shown.get();
        let tensors = shown.and_then(|shown| {
            let mut all = tensors(&shown.graph, shown.main()?, shown.plan.arena.as_ref()?);
            if !places.get() {
                all.iter_mut().for_each(|tensor| tensor.offset = None);
            }
            Some(all)
        });
        Arc::new(tensors.unwrap_or_default())
    });
    let chart = move || {
        let sizes = state.shown.with(|shown| {
            let shown = shown.as_ref()?;
            let arena = shown.plan.arena.as_ref()?;
            Some((shown.graph.len(), arena.size as f64, arena.bound as f64))
        });
        let (steps, size, bound) = sizes.unwrap_or_default();
        ArenaPicture {
            tensors: all.get(),
            steps,
            size,
            bound,
            step: Some(state.looked_at()),
            view: state.steps_seen.get(),
        }
    };
    let draw = Callback::new(move |(width, _): (f64, View)| {
        Drawn(Arc::new(layout_arena(&chart(), width, HEIGHT_PX)))
    });
    let zoom = state.steps_zoom();
    let picture = Callback::new(move |width| {
        let shown = state.shown.get_untracked()?;
        let title = format!("{}: addresses of tensors", graph_name(&shown.scenario));
        let chart = untrack(chart);
        Some(spots_sheet(&title, width, |w| {
            layout_arena(&chart, w, HEIGHT_PX).picture
        }))
    });
    let pick = Callback::new(move |step: f64| state.step.set(Some(step as usize)));
    let view_now = Signal::derive(move || Some(usize::from(!places.get())));
    let told = move || {
        let shown = state.shown.get()?;
        let arena = shown.plan.arena.as_ref()?;
        Some(view! { <Spoken sentence=arena_words(&shown.graph, arena)/> })
    };
    let figures = move || {
        let shown = state.shown.get()?;
        let arena = shown.plan.arena.as_ref()?;
        let gap = arena.size.saturating_sub(arena.bound) as f64;
        let share = percent(100.0 * gap / arena.size.max(1) as f64, 1);
        let cell = |name: &'static str, bytes: f64, under: String| {
            view! {
                <div>
                    <dt>{name}</dt>
                    <dd data-exact=format!("{bytes} B")>{figure(&memory(bytes))}</dd>
                    <dd class="sub">{under}</dd>
                </div>
            }
        };
        Some(view! {
            <dl class="kpi" id="arena-figures">
                {cell("Size", arena.size as f64, format!("aligned to {} B", arena.align))}
                {cell("Bound", arena.bound as f64, "live at one step".to_owned())}
                {cell("Gap", gap, share)}
            </dl>
        })
    };
    view! {
        <Section
            id="arena"
            title="Tensor addresses"
            fold=Fold::Folded
            holds="where each tensor lies, and how long"
            beside={move || view! { <OneOf label="What is shown" id="arena-view" words=vec!["Arena", "Lifetimes"] now=view_now
                    choose=Callback::new(move |at: usize| places.set(at == 0))/> }}
            tools={move || view! { <ZoomTools name="arena" zoom=zoom/><TakePicture name="arena" label="arena" picture=picture/> }}
        >
            {figures}
            <ChartView draw=draw id="arena-chart" kind="memory map" zoom=zoom on_pick=pick
                pick_words="Click or press Enter to see the step that creates it."/>
            <p class="reason" id="arena-told">{told}</p>
            <EveryTensor/>
        </Section>
    }
}

/// Every tensor as a table, once it is unfolded.
#[component]
fn EveryTensor() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let open = RwSignal::new(false);
    let table = Memo::new(move |_| {
        let shown = state.shown.get();
        let table = shown.and_then(|shown| {
            let arena = shown.plan.arena.as_ref()?;
            Some(arena_table(&shown.graph, arena))
        });
        Arc::new(table.unwrap_or_default())
    });
    let content = move || {
        open.get().then(|| {
            let count = table.with(|table| table.rows.len());
            if count > MOST_ROWS {
                view! {
                    <p class="foot">{format!("{count} tensors are too many for the page; save them as a file instead.")}</p>
                    <TakeTable table=table id="arena-table"/>
                }
                .into_any()
            } else {
                view! { <TableView table=table id="arena-table" capped=true/> }.into_any()
            }
        })
    };
    view! {
        <details class="fold" id="every-tensor" on:toggle=move |event| {
            let fold: web_sys::HtmlDetailsElement = event_target(&event);
            open.set(fold.open());
        }>
            <summary><Icon glyph=Glyph::Right/>"Every tensor as a table"<span></span></summary>
            {content}
        </details>
    }
}
