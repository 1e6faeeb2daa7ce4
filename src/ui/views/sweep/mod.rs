//! The answer over prompt length: how soon each plan is, which plan is best at which length, and what is
//! gained. Points arrive one by one; a length not yet answered is a gap.

mod controls;
mod numbers;
mod plans;

use super::held::LinesView;
use super::icons::{Glyph, Icon};
use super::picture_files::TakePicture;
use crate::ui::state::{Points, State};
use crate::ui::views::section::Section;
use chart::lines_sheet;
use engine::scenario::FIXED_TABLE;
use engine::units::percent;
use job::cold_start::{Answer, summary};
use leptos::prelude::*;
use report::cold_start::charts;
use std::sync::Arc;

/// Height of the chart [px].
const HEIGHT_PX: f64 = 264.0;
/// Lengths beyond which tables scroll inside themselves.
const SHORT: usize = 12;

/// An answer that is compared by its place alone: comparing all of it would cost more than drawing it.
#[derive(Clone)]
struct Point(Option<Arc<Answer>>);

impl PartialEq for Point {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

/// The answer at a length; whoever reads it runs again only when that answer changes.
fn point(state: State, tokens: f64) -> Memo<Point> {
    Memo::new(move |_| Point(state.sweep.points.with(|points| points.at(tokens).cloned())))
}

/// The sweep block.
#[component]
pub fn Sweep() -> impl IntoView {
    let state = expect_context::<State>();
    let gain = RwSignal::new(false);
    let choice = move |label: &'static str, value: bool| {
        view! {
            <button
                role="radio"
                aria-checked=move || (gain.get() == value).to_string()
                on:click=move |_| gain.set(value)
            >
                {label}
            </button>
        }
    };
    let sweep = state.sweep;
    let is_old = Memo::new(move |_| {
        state
            .scenario
            .with(|scenario| sweep.points.with(|points| !points.is_of(scenario)))
    });
    let is_plan = move || {
        state
            .shown
            .with(|s| s.as_ref().is_some_and(|s| s.answer.T.is_some()))
    };
    let summed = move || {
        sweep
            .values
            .with(|lengths| sweep.points.with(|p| summed(lengths, p)))
    };
    let lines = Memo::new(move |_| {
        let now = state.scenario.with(|s| s.prompt_tokens);
        let lines = sweep.values.with(|lengths| {
            sweep.points.with(|points| {
                let answers = lengths.iter().map(|t| (*t, points.at(*t).map(Arc::as_ref)));
                charts::sweep(gain.get(), now, &answers.collect::<Vec<_>>())
            })
        });
        Arc::new(lines)
    });
    let pick = Callback::new(move |tokens: f64| {
        let _ = state.edit("sweep", |s| s.prompt_tokens = tokens);
    });
    let picture = Callback::new(move |width| Some(lines_sheet(&lines.get_untracked(), width)));
    let is_long = move || sweep.values.with(|lengths| lengths.len() > SHORT);
    view! {
        <Section
            id="sweep"
            title="Over prompt length"
            is_there=Signal::derive(is_plan)
            beside={move || view! { <div class="seg small" role="radiogroup" aria-label="Show">
                    {choice("First answer", false)}
                    {choice("Gain", true)}
                </div> }}
            tools={move || view! { <TakePicture name="sweep" label="chart" picture=picture/> }}
        >
            <div class:stale=is_old class:long=is_long>
            <controls::Controls/>
            {move || {
                let is_table = state.scenario.with(|s| s.model.is_table());
                is_table.then(|| view! { <p class="foot" id="sweep-fixed">{FIXED_TABLE}</p> })
            }}
            <div class="sweep">
                <LinesView lines=lines id="sweep-chart" height=HEIGHT_PX on_pick=pick/>
                <plans::Plans/>
            </div>
            <details class="fold">
                    <summary><Icon glyph=Glyph::Right/>"Every length as a table"<span></span></summary>
                    <numbers::Numbers/>
                </details>
            <p class="foot" id="sweep-summary">{summed}</p>
            </div>
        </Section>
    }
}

/// What is gained over all lengths, once every one of them is answered.
fn summed(lengths: &[f64], points: &Points) -> Option<String> {
    let expected = lengths.iter().filter(|t| !points.is_left_out(**t));
    let found: Option<Vec<&Answer>> = expected.map(|t| points.at(*t).map(Arc::as_ref)).collect();
    let summary = summary(found?.into_iter());
    let (min, max) = summary.gain_min_pct.zip(summary.gain_max_pct)?;
    let mean = summary.gain_vs_best_mean_pct?;
    let [min, max, mean] = [min, max, mean].map(|gain| percent(gain, 2));
    Some(format!(
        "Gains over simple splits that fit: {min} at least, {max} at most, {mean} on average over the best of them at \
         each length."
    ))
}
