//! The compared plans in time, under one another on one axis: where each of them loses what ours gains.

use super::held::{Zoom, ZoomTools};
use super::icons::{Glyph, Icon};
use super::picture_files::TakePicture;
use super::section::{Fold, Section};
use super::table::TableView;
use super::timeline::{GanttView, Legend, title_of};
use crate::ui::canvas::width_of;
use crate::ui::state::State;
use chart::{Gantt, Key, Stack, TimeFormat, strategies_sheet};
use leptos::html::Div;
use leptos::prelude::*;
use report::cold_start::charts::timelines;
use report::cold_start::strategies::{Strategy, stages, strategies};
use std::sync::Arc;
use story::Table;

/// A strategy and its timeline.
type Timed = (Strategy, Arc<Gantt>);

/// The id of a strategy's chart.
fn id_of(key: &str) -> &'static str {
    match key {
        "edgewise" => "strategy-edgewise",
        "ordered" => "strategy-ordered",
        "heuristic" => "strategy-heuristic",
        "even" => "strategy-even",
        _ => "strategy-single",
    }
}

/// All timelines on one axis, as charts or as a table.
#[component]
pub fn Strategies() -> impl IntoView {
    let state = expect_context::<State>();
    let all = Memo::new(move |_| {
        let shown = state.settled.get();
        let all = shown.iter().flat_map(|shown| {
            let timed = |strategy: Strategy| {
                let gantt = Arc::new(Gantt::of(&shown.problem, &strategy.timeline));
                (strategy, gantt)
            };
            strategies(&shown.problem, &shown.answer)
                .into_iter()
                .map(timed)
        });
        Arc::new(all.collect::<Vec<Timed>>())
    });
    let end_s = Signal::derive(move || {
        all.with(|all| all.iter().map(|timed| timed.0.total_s).fold(0.0, f64::max))
    });
    let zoom = Zoom::new(end_s);
    let only = RwSignal::new(None::<Key>);
    let as_table = RwSignal::new(false);
    let table = Memo::new(move |_| {
        let shown = state.settled.get();
        let table = shown.map_or_else(Table::default, |shown| {
            let all: Vec<Strategy> =
                all.with(|all| all.iter().map(|timed| timed.0.clone()).collect());
            stages(&shown.problem, &all)
        });
        Arc::new(table)
    });
    let picture = Callback::new(move |width| {
        let shown = state.settled.get_untracked()?;
        let all = all.get_untracked();
        let strategies: Vec<Strategy> = all.iter().map(|timed| timed.0.clone()).collect();
        let plans = timelines(&shown.problem, &strategies);
        Some(strategies_sheet(
            &title_of(&shown),
            &plans,
            zoom.seen_now(),
            width,
        ))
    });
    let turn = Callback::new(move |()| as_table.update(|on| *on = !*on));
    let tools = move || {
        view! {
            <ZoomTools name="strategies" zoom=zoom/>
            <button
                class="btn quiet small"
                id="strategies-as-table"
                aria-pressed=move || as_table.get().to_string()
                on:click=move |_| turn.run(())
            >
                <Icon glyph=Glyph::Table/>
                {move || if as_table.get() { "Picture" } else { "Table" }}
            </button>
            <TakePicture name="strategies" label="timelines of all strategies" picture=picture/>
        }
    };
    let is_there = Memo::new(move |_| state.shown.with(Option::is_some));
    view! {
        <Section
            id="strategies"
            title="All timelines"
            class="strategies"
            fold=Fold::Folded
            holds="every plan that is compared, on one axis"
            is_there=is_there
            beside={move || view! { <Legend only=only/> }}
            tools=tools
        >
            {move || match as_table.get() {
                true => view! { <TableView table=table id="strategies-table"/> }.into_any(),
                false => view! { <Charts all=all zoom=zoom only=only turn=turn/> }.into_any(),
            }}
        </Section>
    }
}

#[component]
fn Charts(
    all: Memo<Arc<Vec<Timed>>>,
    zoom: Zoom,
    only: RwSignal<Option<Key>>,
    turn: Callback<()>,
) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = width_of(holder);
    let stack = Signal::derive(move || {
        let width = width.get();
        let gantts = all.get();
        (width > 0.0).then(|| Stack::of(gantts.iter().map(|timed| &*timed.1), width))
    });
    let keys = move || {
        all.with(|all| {
            all.iter()
                .map(|timed| timed.0.key)
                .collect::<Vec<&'static str>>()
        })
    };
    let chart = move |key: &'static str| {
        let own = Memo::new(move |_| {
            all.with(|all| all.iter().find(|timed| timed.0.key == key).cloned())
        });
        let gantt = Signal::derive(move || {
            own.with(|own| {
                own.as_ref()
                    .map(|timed| timed.1.clone())
                    .unwrap_or_default()
            })
        });
        let words = move || {
            own.with(|own| {
                let (strategy, _) = own.as_ref()?;
                let total = TimeFormat::of_largest(zoom.end_s.get()).with_unit(strategy.total_s);
                Some(view! { {strategy.title()} " " <b>{total}</b> })
            })
        };
        view! {
            <h3 class:ours=key == "edgewise">{words}</h3>
            <GanttView id=id_of(key) gantt=gantt zoom=zoom only=only stack=stack on_table=turn/>
        }
    };
    view! {
        <div node_ref=holder>
            <For each=keys key=|key| *key children=chart/>
        </div>
    }
}
