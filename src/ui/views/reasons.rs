//! Where the time goes: each stage's part in the answer, added up, and what each load alone would force.

use super::answer::Spoken;
use super::table::TakeTable;
use crate::ui::state::{Shown, State};
use crate::ui::views::section::{Fold, Section};
use engine::problem::device_name;
use engine::units::TimeFormat;
use leptos::prelude::*;
use report::cold_start::reasons::{Share, TWO_WAYS, advice, shares, table};
use std::sync::Arc;

/// The block of reasons; nothing where there is no plan.
#[component]
pub fn Reasons() -> impl IntoView {
    let state = expect_context::<State>();
    let rows = Memo::new(move |_| {
        let shown = state.settled.get();
        Arc::new(shown.map_or_else(Default::default, |shown| {
            let timeline = shown.answer.timeline.as_deref().unwrap_or_default();
            table(&shown.problem, timeline)
        }))
    });
    let content = move || {
        let shown = state.settled.get()?;
        let timeline = shown.answer.timeline.as_deref()?;
        let shares = shares(timeline);
        let total = shown.answer.T?;
        Some(view! {
            <p class="reason" id="advice"><Spoken sentence=advice(&shown.problem, timeline)/></p>
            <div class="two">
                {sums(&shown, &shares, total)}
                {loads(&shown, &shares, total)}
            </div>
        })
    };
    let has_plan = |shown: &Option<Arc<Shown>>| {
        let shown = shown.as_ref();
        shown.is_some_and(|shown| shown.answer.timeline.is_some())
    };
    let is_there = Memo::new(move |_| state.settled.with(has_plan));
    move || {
        is_there.get().then(|| view! {
            <Section id="reasons" title="Where the time goes" fold=Fold::Open holds="parts of the stages, and what each load alone would force" tools={move || view! { <TakeTable table=rows id="reasons"/> }}>
                {content}
                <p class="foot">
                    {TWO_WAYS}
                </p>
            </Section>
        })
    }
}

/// The parts that add up, each beginning where the one before ended.
fn sums(shown: &Shown, shares: &[Share], total: f64) -> impl IntoView + use<> {
    let unit = TimeFormat::of_largest(total);
    let rows = shares
        .iter()
        .map(|share| {
            let part = |seconds: f64| format!("{}%", 100.0 * seconds / total);
            let own = share.stall + share.comm + share.comp;
            let bars = [
                ("k-load", share.stall),
                ("k-transfer", share.comm),
                ("k-compute", share.comp),
            ]
            .into_iter()
            .filter(|(_, seconds)| *seconds > 0.0)
            .map(|(class, seconds)| view! { <i class=class style:width=part(seconds)></i> })
            .collect_view();
            view! {
                <tr>
                    <th scope="row">{device_name(&shown.problem, share.device)}</th>
                    <td class="fall">
                        <span aria-hidden="true">
                            <i class="gap" style:width=part((share.sum - own).max(0.0))></i>
                            {bars}
                        </span>
                    </td>
                    {cells(unit, [share.stall, share.comm, share.comp, share.sum])}
                </tr>
            }
        })
        .collect_view();
    let head =
        |text: &str| view! { <th scope="col" class="n">{format!("{text} [{}]", unit.unit())}</th> };
    view! {
        <table class="data sums" id="reasons-sums">
            <caption>"Parts that add up"</caption>
            <thead>
                <tr>
                    <th scope="col">"Device"</th>
                    <th scope="col" class="fall"><span class="sr">"Drawn in time"</span></th>
                    {head("Waiting")}
                    {head("Transfer")}
                    {head("Compute")}
                    {head("Sum so far")}
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

/// What each load alone would force.
fn loads(shown: &Shown, shares: &[Share], total: f64) -> impl IntoView + use<> {
    let unit = TimeFormat::of_largest(total);
    let rows = shares
        .iter()
        .map(|share| {
            let slack = if share.binds {
                view! { <td class="n"><b>"decides"</b></td> }.into_any()
            } else {
                cells(unit, [share.slack]).into_any()
            };
            view! {
                <tr class:binds=share.binds>
                    <th scope="row">{device_name(&shown.problem, share.device)}</th>
                    {cells(unit, [share.load, share.after, share.forces])}
                    {slack}
                </tr>
            }
        })
        .collect_view();
    let head =
        |text: &str| view! { <th scope="col" class="n">{format!("{text} [{}]", unit.unit())}</th> };
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label="Lower bound from each load">
        <table class="data" id="reasons-loads">
            <caption>"Lower bound from each load"</caption>
            <thead>
                <tr>
                    <th scope="col">"Device"</th>
                    {head("Load")}
                    {head("Work after it")}
                    {head("Together")}
                    {head("Slack")}
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
        </div>
    }
}

fn cells<const N: usize>(unit: TimeFormat, times: [f64; N]) -> impl IntoView + use<N> {
    times
        .into_iter()
        .map(|time| view! { <td class="n" data-exact=format!("{time} s")>{unit.figure(time)}</td> })
        .collect_view()
}
