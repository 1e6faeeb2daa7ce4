//! Over the budget: mean, P99 and cost of every policy, and cost against time, where a press sets the budget.

use super::DispatchState;
use super::picture::role;
use crate::ui::views::form::OneOf;
use crate::ui::views::held::{ChartView, LinesView};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::table::TableView;
use chart::{
    Drawn, Front, FrontCurve, FrontPoint, Joined, Lines, Series, View, layout_front, lines_sheet,
    spots_sheet,
};
use engine::plan::dispatch::Scarce;
use engine::units::percent;
use job::dispatch::{Rule, Sweep as Swept, SweepPoint};
use leptos::prelude::*;
use report::dispatch::{rule_name, sweep};
use std::sync::Arc;

/// Height of the charts [px].
const HEIGHT_PX: f64 = 300.0;

/// What the lines show.
#[derive(Clone, Copy, PartialEq)]
enum What {
    Mean,
    P99,
    Cost,
    Front,
}

const ALL: [What; 4] = [What::Mean, What::P99, What::Cost, What::Front];

/// The rules that a budget changes.
const RULES: [Rule; 3] = [Rule::Edgewise, Rule::Disco, Rule::Stochastic];

fn figure(what: What, point: &SweepPoint, rule: Rule) -> Option<f64> {
    let of = point.of(rule)?;
    Some(match what {
        What::Mean => of.mean,
        What::P99 => of.p99,
        What::Cost | What::Front => of.with,
    })
}

fn lines(swept: &Swept, what: What, now: f64) -> Lines {
    let series = RULES.into_iter().map(|rule| Series {
        name: rule_name(rule, swept.scarce).to_owned(),
        role: role(rule),
        points: swept
            .points
            .iter()
            .map(|point| (100.0 * point.budget, figure(what, point, rule)))
            .collect(),
    });
    let (title, y_title, y_unit, decimals) = match what {
        What::P99 => (
            "P99 of the first token by budget",
            "P99 first token",
            "s",
            3,
        ),
        What::Cost => (
            "Cost per request by budget",
            "Cost per request",
            "\u{b5}$",
            1,
        ),
        What::Mean | What::Front => ("Mean first token by budget", "Mean first token", "s", 3),
    };
    let whose = match swept.scarce {
        Scarce::Device => "Device budget, % of prompt tokens",
        Scarce::Server => "Server budget, % of prompt tokens",
    };
    Lines {
        title: title.to_owned(),
        x_title: whose.to_owned(),
        y_title: y_title.to_owned(),
        y_unit: y_unit.to_owned(),
        decimals,
        now: Some(100.0 * now),
        limit: None,
        series: series.collect(),
    }
}

fn front(swept: &Swept, now: f64) -> Front {
    let curves = RULES.into_iter().map(|rule| FrontCurve {
        name: rule_name(rule, swept.scarce).to_owned(),
        role: role(rule),
        joined: Joined::Line,
        points: swept
            .points
            .iter()
            .filter_map(|point| {
                let of = point.of(rule)?;
                Some(FrontPoint {
                    x: of.with,
                    y: of.mean,
                    pick: point.budget,
                    facts: vec![("Budget".to_owned(), percent(100.0 * point.budget, 0))],
                })
            })
            .collect(),
    });
    Front {
        title: "Cost per request and mean first token, budget by budget".to_owned(),
        x_title: "Cost per request, hand-over included".to_owned(),
        x_unit: "\u{b5}$".to_owned(),
        y_title: "Mean first token".to_owned(),
        y_unit: "s".to_owned(),
        decimals: (1, 3),
        curves: curves.collect(),
        now: Some(now),
        now_words: format!("now, {}", percent(100.0 * now, 0)),
    }
}

/// The block.
#[component]
pub fn Sweep() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let what = RwSignal::new(What::Mean);
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
            Some(lines(swept, what.get(), budget.get()))
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
        if what.get_untracked() == What::Front {
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
    let is_front = Memo::new(move |_| what.get() == What::Front);
    let words = move || match what.get() {
        What::Mean => "Mean first token at every budget, the same for each policy.",
        What::P99 => "The time within which 99\u{202f}% of requests get their first token.",
        What::Cost => "Cost per request, including prefill that loses the race and hand-overs.",
        What::Front => {
            "Every point is a budget: what a request costs with it, and how fast it is answered."
        }
    };
    view! {
        <section class="block" id="sweep">
            <div class="head">
                <h2>"Every budget"</h2>
                <div class="tools">
                    <OneOf label="What the lines show" id="sweep-what" words=vec!["Mean", "P99", "Cost", "Cost against mean"] now=now choose=choose/>
                    <TakePicture name="sweep" label="chart by budget" picture=picture/>
                </div>
            </div>
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
            <details class="fold" open=true>
                <summary><Icon glyph=Glyph::Right/>"Every budget as a table"<span></span></summary>
                <TableView table=table id="sweep-table" capped=true/>
                <p class="foot">
                    "The gain is that of the mean over stochastic routing at the same budget. \u{201c}At once\u{201d}, \u{201c}between\u{201d} \
                     and \u{201c}never\u{201d} are prompt lengths in tokens; between them the device waits, or one length is randomised."
                </p>
            </details>
        </section>
    }
}
