//! Editors of settings that are rarely changed: prices, migration, reading of other policies, simulated requests.

use super::DispatchState;
use super::panel::Labelled;
use crate::ui::views::form::{Object, OneOf, choice, numbers};
use crate::ui::views::icons::{Glyph, Icon};
use engine::scenario::dispatch::{Arrivals, Charge, Estimate, Runs, Scenario, Side, Stochastic};
use engine::units::percent;
use leptos::prelude::*;

/// Prices, energy, and which side is scarce.
#[component]
pub fn Money() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let (side, choose_side) = choice(
        *state,
        vec![Side::Dearer, Side::Device, Side::Server],
        |s| s.scarce,
        |s, side| s.scarce = side,
    );
    let (charge, choose_charge) = choice(
        *state,
        vec![Charge::Full, Charge::ProRata],
        |s| s.charge,
        |s, charge| s.charge = charge,
    );
    let store = state.answer.answer;
    let by_price = move || store.of(|answer_view| answer_view.hint("by-price"));
    let summary = move || {
        state.scenario.with(|s| {
            let scarce = match s.scarce {
                Side::Dearer => "by price",
                Side::Device => "device",
                Side::Server => "server",
            };
            format!(
                "scarce side {scarce}, {} $ per 10\u{2076} GFLOP",
                s.energy_usd
            )
        })
    };
    view! {
        <details class="fold" id="money">
            <summary><Icon glyph=Glyph::Right/>"Prices"<span>{summary}</span></summary>
            <div class="one-column">
                <span>"The scarce side"</span>
                <OneOf label="The scarce side" id="scarce" words=vec!["More expensive one", "Device", "Server"] now=side choose=choose_side/>
                <p class="hint" id="by-price">{by_price}</p>
            </div>
            <div class="grid-fields">
                {numbers(*state, itself(), &[("energy_usd", "")])}
                {numbers(*state, Object::new("server", |s: &Scenario| Some(&s.server), |s| Some(&mut s.server)), &[
                    ("input_usd", ""),
                    ("output_usd", ""),
                ])}
            </div>
            <div class="one-column">
                <span>"Cost of a cancelled prefill on the device"</span>
                <OneOf label="A cancelled prefill" id="charge" words=vec!["The whole prefill", "The part done"] now=charge choose=choose_charge/>
            </div>
        </details>
    }
}

#[component]
pub fn HandOver() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let (on, choose_on) = choice(
        *state,
        vec![true, false],
        |s| s.handover.on,
        |s, on| s.handover.on = on,
    );
    let (guard, choose_guard) = choice(
        *state,
        vec![false, true],
        |s| s.handover.guard,
        |s, guard| s.handover.guard = guard,
    );
    let (mean, choose_mean) = choice(
        *state,
        vec![false, true],
        |s| s.handover.server_start == Estimate::Mean,
        |s, mean| {
            s.handover.server_start = if mean {
                Estimate::Mean
            } else {
                Estimate::Quantile(0.99)
            };
        },
    );
    let is_quantile = Memo::new(move |_| {
        state
            .scenario
            .with(|s| s.handover.server_start != Estimate::Mean)
    });
    let summary = move || {
        state
            .scenario
            .with(|s| match (s.handover.on, s.handover.server_start) {
                (false, _) => "off".to_owned(),
                (true, Estimate::Mean) => "server starts at its mean".to_owned(),
                (true, Estimate::Quantile(q)) => format!(
                    "server starts at its P{}",
                    percent(100.0 * q, 0).trim_end_matches(['%', '\u{202f}'])
                ),
            })
    };
    view! {
        <details class="fold" id="hand-over">
            <summary><Icon glyph=Glyph::Right/>"Hand-over"<span>{summary}</span></summary>
            <div class="one-column">
                <OneOf label="Hand-over" id="handover-on" words=vec!["When it saves money", "Never"] now=on choose=choose_on/>
                <span>"Assumed start of the server"</span>
                <OneOf label="Estimate of the server\u{2019}s start" id="estimate" words=vec!["A quantile", "Mean"] now=mean choose=choose_mean/>
                <span>"Hand over to a side slower than the reader"</span>
                <OneOf label="Hand over to a side slower than the reader" id="guard" words=vec!["Allowed", "Refused"] now=guard choose=choose_guard/>
            </div>
            <div class="grid-fields">
                {move || is_quantile.get().then(|| view! {
                    <Labelled key="quantile" field="quantile" label="Quantile" unit="share" get=|s| match s.handover.server_start {
                        Estimate::Quantile(q) => q,
                        Estimate::Mean => 0.5,
                    } set=|s, v| s.handover.server_start = Estimate::Quantile(v)/>
                })}
                {numbers(*state, Object::new("", |s: &Scenario| Some(&s.handover), |s| Some(&mut s.handover)), &[("net_s", "")])}
            </div>
        </details>
    }
}

/// How the other policies are read.
#[component]
pub fn Rules() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let (stochastic, choose_stochastic) = choice(
        *state,
        vec![Stochastic::Exclusive, Stochastic::Additive],
        |s| s.stochastic,
        |s, stochastic| s.stochastic = stochastic,
    );
    let summary = move || {
        state
            .scenario
            .with(|s| format!("DiSCo with tail share {}", s.tail_share))
    };
    view! {
        <details class="fold" id="rules-panel">
            <summary><Icon glyph=Glyph::Right/>"Comparison rules"<span>{summary}</span></summary>
            <div class="grid-fields">
                {numbers(*state, itself(), &[("tail_share", "")])}
            </div>
            <div class="one-column">
                <span>"Stochastic routing"</span>
                <OneOf label="Stochastic routing" id="stochastic" words=vec!["One or the other", "Scarce one in addition"] now=stochastic choose=choose_stochastic/>
            </div>
        </details>
    }
}

/// The requests of simulated runs.
#[component]
pub fn Load() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let (sessions, choose_sessions) = choice(
        *state,
        vec![false, true],
        |s| s.runs.arrivals == Arrivals::Sessions,
        |s, sessions| {
            s.runs.arrivals = if sessions {
                Arrivals::Sessions
            } else {
                Arrivals::Poisson(30.0)
            };
        },
    );
    let (busy, choose_busy) = choice(
        *state,
        vec![false, true],
        |s| s.runs.busy,
        |s, busy| s.runs.busy = busy,
    );
    let is_poisson = Memo::new(move |_| {
        state
            .scenario
            .with(|s| s.runs.arrivals != Arrivals::Sessions)
    });
    let summary = move || {
        state
            .scenario
            .with(|s| format!("{} requests, {} seeds", s.runs.requests, s.runs.seeds))
    };
    view! {
        <details class="fold" id="runs-panel">
            <summary><Icon glyph=Glyph::Right/>"Simulated requests"<span>{summary}</span></summary>
            <div class="one-column">
                <span>"Arrivals"</span>
                <OneOf label="Arrivals" id="arrivals" words=vec!["Poisson", "Sessions of ten users"] now=sessions choose=choose_sessions/>
                <span>"A device still generating"</span>
                <OneOf label="A device still generating" id="busy" words=vec!["Takes the next request too", "Makes it wait"] now=busy choose=choose_busy/>
            </div>
            <div class="grid-fields">
                {numbers(*state, runs(), &[("requests", ""), ("seeds", "Runs"), ("first_seed", "")])}
                {move || is_poisson.get().then(|| view! {
                    <Labelled key="runs gap" field="poisson" label="Mean gap" unit="s" get=|s| match s.runs.arrivals {
                        Arrivals::Poisson(gap) => gap,
                        Arrivals::Sessions => 30.0,
                    } set=|s, v| s.runs.arrivals = Arrivals::Poisson(v)/>
                })}
                {numbers(*state, runs(), &[("correlation", "")])}
            </div>
        </details>
    }
}

/// The numbers of the scenario itself.
fn itself() -> Object<Scenario, Scenario> {
    Object::new("", |s| Some(s), |s| Some(s))
}

/// The numbers of simulated runs.
fn runs() -> Object<Scenario, Runs> {
    Object::new("runs", |s| Some(&s.runs), |s| Some(&mut s.runs))
}
