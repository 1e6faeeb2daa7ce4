//! Ours beside other cuts: bars on one axis with the bound, and the table behind them.

use super::state::{Found, SplitShown};
use crate::ui::operators::OperatorsState;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::section::{Fold, Section};
use crate::ui::views::table::TableView;
use crate::ui::views::terms::Explained;
use engine::scenario::operators::Dims;
use engine::units::percent;
use job::operators::{Cut, Maker};
use leptos::prelude::*;
use report::operators::{maker_about, maker_name, millis, split_comparison};
use std::sync::Arc;

/// The longest bar takes this much of its cell [%].
const LONGEST: f64 = 66.0;

/// What stands under a maker's name.
fn under(cut: &Cut, shown: &SplitShown) -> String {
    match cut.maker {
        Maker::Best => match shown.scenario.split.dims {
            Dims::Free => "free cuts, annealing".to_owned(),
            _ => "the paper\u{2019}s cuts, annealing".to_owned(),
        },
        Maker::Ga => match shown.scenario.split.dims {
            Dims::Free => "free cuts, genetic".to_owned(),
            _ => "the paper\u{2019}s cuts, genetic".to_owned(),
        },
        Maker::Coedge => "height, best subset".to_owned(),
        Maker::Deepthings => "fused tiles".to_owned(),
        Maker::Proportional => "the paper\u{2019}s rule".to_owned(),
        Maker::Local => "one device, mean".to_owned(),
    }
}

/// The block.
#[component]
pub fn Compare() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    // The genetic search tells of itself several times a second; only its best split matters here.
    let ga = Memo::new(move |_| state.split.found.with(|found| Found::ga(found).cloned()));
    let table = Memo::new(move |_| {
        let shown = state.split.shown.get();
        let found = shown.map(|shown| {
            let mut ours = (*shown.cut).clone();
            ours.maker = Maker::Best;
            split_comparison(&ours, &shown.splits, ga.get().as_ref())
        });
        Arc::new(found.unwrap_or_default())
    });
    let rows = move || {
        let shown = state.split.shown.get()?;
        let ours = Cut {
            maker: Maker::Best,
            ..(*shown.cut).clone()
        };
        let all: Vec<Cut> = std::iter::once(ours.clone())
            .chain(ga.get())
            .chain(shown.splits.others.iter().cloned())
            .collect();
        let most = all.iter().map(|cut| cut.latency_ms).fold(1e-9, f64::max);
        let rows = all.iter().map(|cut| row(cut, &ours, &shown, most));
        Some(rows.collect_view())
    };
    let foot = move || {
        let shown = state.split.shown.get()?;
        Some(format!(
            "Dashed: lower bound, {}. It follows from the time that whole rows take to compute and from the least that has to be sent.",
            millis(shown.splits.bound_ms)
        ))
    };
    let is_there = Memo::new(move |_| state.split.shown.with(Option::is_some));
    move || {
        is_there.get().then(|| view! {
            <Section id="cuts-comparison" title="Against other cuts" fold=Fold::Folded holds="simple cuts of the same operators">
                <table class="data cmp orders cuts" id="cuts-table">
                    <caption class="sr">"Splits by time"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Method"</th>
                            <th scope="col">"All operators"</th>
                            <th scope="col" class="n">"Edgewise faster by"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
                <p class="foot" id="cuts-foot">{foot}</p>
                <details class="fold">
                    <summary><Icon glyph=Glyph::Right/>"As a table, with bytes sent and held"<span></span></summary>
                    <TableView table=table id="splits-table"/>
                </details>
                <details class="fold">
                    <summary><Icon glyph=Glyph::Right/>"How the cuts are made"<span></span></summary>
                    <dl class="rules">
                        {[Maker::Best, Maker::Ga, Maker::Coedge, Maker::Deepthings, Maker::Proportional, Maker::Local]
                            .into_iter()
                            .map(|maker| view! { <dt><Explained text=maker_name(maker)/></dt><dd><Explained text=maker_about(maker)/></dd> })
                            .collect_view()}
                    </dl>
                </details>
            </Section>
        })
    }
}

/// A split as a bar.
fn row(cut: &Cut, ours: &Cut, shown: &SplitShown, most: f64) -> impl IntoView + use<> {
    let is_ours = cut.maker == Maker::Best;
    let share = |ms: f64| format!("{:.2}%", LONGEST * ms / most);
    let class = if is_ours { "k-ours" } else { "cell" };
    let sooner = (!is_ours && ours.is_feasible && cut.is_feasible).then(|| {
        let by = cut.latency_ms - ours.latency_ms;
        let word = if by < 0.0 { "slower by " } else { "" };
        let share = percent(100.0 * by.abs() / cut.latency_ms.max(1e-9), 1);
        (format!("{word}{}", millis(by.abs())), share)
    });
    let fits = (!cut.is_feasible).then(|| view! { <small class="bad">"breaks a limit"</small> });
    view! {
        <tr class:ours=is_ours>
            <td><Explained text=maker_name(cut.maker)/><small>{under(cut, shown)}</small></td>
            <td>
                <div class="bars bound">
                    <i class="limit" style:left=share(shown.splits.bound_ms)></i>
                    <i class=class style:width=share(cut.latency_ms)></i>
                    <span>{millis(cut.latency_ms)}</span>
                    {fits}
                </div>
            </td>
            <td class="n">{sooner.map(|(by, share)| view! { {by}" "<span class="pct">{share}</span> })}</td>
        </tr>
    }
}
