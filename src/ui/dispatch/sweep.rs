//! Over the budget: mean, P99 and cost of every policy, and cost against time, where a press sets the budget.

use super::DispatchState;
use crate::ui::views::form::OneOf;
use crate::ui::views::held::{ChartView, LinesView};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::Section;
use crate::ui::views::table::TableView;
use chart::{Drawn, View, layout_front, lines_sheet, spots_sheet};
use leptos::prelude::*;
use report::dispatch::charts::{ByBudget, FRONT_ABOUT, by_budget, front};
use report::dispatch::sweep;
use report::dispatch::told::BUDGETS;
use std::sync::Arc;

/// Height of the charts [px].
const HEIGHT_PX: f64 = 300.0;

/// What is drawn: a figure over the budget, or cost against time.
const ALL: [Option<ByBudget>; 4] = [
    Some(ByBudget::Mean),
    Some(ByBudget::P99),
    Some(ByBudget::Cost),
    None,
];

/// The block.
#[component]
pub fn Sweep() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let what = RwSignal::new(ALL[0]);
    let now = Signal::derive(move || ALL.iter().position(|w| *w == what.get()));
    let choose = Callback::new(move |at: usize| {
        if let Some(next) = ALL.get(at) {
            what.set(*next);
        }
    });
    let swept = Memo::new(move |_| {
        state
            .with_besides(|_, besides| besides.sweep.clone())
            .flatten()
    });
    let budget = Memo::new(move |_| state.scenario.with(|s| s.budget));
    let drawn = Memo::new(move |_| {
        let lines = swept.with(|swept| {
            let swept = swept.as_ref()?;
            Some(by_budget(swept, what.get()?, budget.get()))
        });
        Arc::new(lines.unwrap_or_default())
    });
    let drawn_front = move || {
        let front = swept.with(|swept| Some(front(swept.as_ref()?, budget.get())));
        front.unwrap_or_default()
    };
    let draw_front = Callback::new(move |(width, _): (f64, View)| {
        Drawn(Arc::new(layout_front(&drawn_front(), width, HEIGHT_PX)))
    });
    let pick = Callback::new(move |percent: f64| state.set_budget(percent / 100.0));
    let pick_share = Callback::new(move |budget: f64| state.set_budget(budget));
    let picture = Callback::new(move |width| {
        if what.get_untracked().is_none() {
            let front = untrack(drawn_front);
            let title = front.title.clone();
            return (!front.curves.is_empty()).then(|| {
                spots_sheet(&title, width, |w| {
                    layout_front(&front, w, HEIGHT_PX).picture
                })
            });
        }
        let lines = drawn.get_untracked();
        (!lines.series.is_empty()).then(|| lines_sheet(&lines, width))
    });
    let table = Memo::new(move |_| {
        let found = swept.with(|swept| swept.as_ref().map(|swept| sweep(swept)));
        Arc::new(found.unwrap_or_default())
    });
    let is_there = Memo::new(move |_| swept.with(Option::is_some));
    let is_front = Memo::new(move |_| what.get().is_none());
    let words = move || what.get().map_or(FRONT_ABOUT, ByBudget::about);
    view! {
        <Section
            id="sweep"
            title="Every budget"
            tools={move || view! { <OneOf label="What the lines show" id="sweep-what" words=vec!["Mean", "P99", "Cost", "Cost against mean"] now=now choose=choose/>
                    <TakePicture name="sweep" label="chart by budget" picture=picture/> }}
        >
            <Show when=move || is_there.get() fallback=|| view! { <p class="foot">"Computing all budgets."</p> }>
                {move || if is_front.get() {
                    view! {
                        <ChartView draw=draw_front id="front-chart" kind="chart" on_pick=pick_share
                            pick_words="Click or press Enter to set this budget."/>
                    }.into_any()
                } else {
                    view! {
                        <LinesView lines=drawn id="sweep-chart" height=HEIGHT_PX on_pick=pick
                            pick_words="Click or press Enter to set this budget."/>
                    }.into_any()
                }}
            </Show>
            <p class="foot">{words}</p>
            <details class="fold">
                <summary><Icon glyph=Glyph::Right/>"Every budget as a table"<span></span></summary>
                <TableView table=table id="sweep-table" capped=true/>
                <p class="foot">{BUDGETS}</p>
            </details>
        </Section>
    }
}
