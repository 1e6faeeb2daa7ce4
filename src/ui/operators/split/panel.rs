//! Editors of the split: dimensions, times of operators, search.

use crate::ui::operators::OperatorsState;
use crate::ui::views::form::{Labelled, Object, OneOf, bound, choice, numbers};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::paste_table::PasteTable;
use engine::problem::partition::Profile;
use engine::scenario::operators::presets::PAPER_PATIENCE;
use engine::scenario::operators::{Dims, Scenario, presets, read_times};
use engine::units::count;
use leptos::prelude::*;

/// Dimension along which convolutions are cut.
#[component]
pub fn CutsPicker() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let (now, choose) = choice(
        *state,
        vec![Dims::Free, Dims::Rule, Dims::Printed],
        |s| s.split.dims,
        |s, dims| s.split.dims = dims,
    );
    let about = move || {
        state.scenario.with(|s| match s.split.dims {
            Dims::Free => "By height or by channels, whichever is faster for each convolution.",
            Dims::Rule => {
                "By channels where more copies of the input fit than of the weights (k1 > k2), as in Table 6."
            }
            Dims::Printed => "By channels where fewer copies of the input fit (k1 < k2), as the paper prints twice.",
        })
    };
    view! {
        <span class="lab">"Cuts"</span>
        <OneOf label="Dimension along which convolutions are cut" id="cuts"
            words=vec!["Free", "Paper\u{2019}s rule", "As printed"] now=now choose=choose/>
        <p class="hint" id="cuts-hint">{about}</p>
    }
}

/// The folds.
#[component]
pub fn Folds() -> impl IntoView {
    view! {
        <Times/>
        <Search/>
    }
}

/// How long operators take, and what they hold.
#[component]
fn Times() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let summary = move || {
        state.scenario.with(|s| {
            let Profile { op_ms, gflops, gbs } = s.split.profile;
            match &s.split.table {
                Some(table) => format!("measured, {} rows", count(table.len() as f64)),
                None if s.split.profile == Profile::FITTED => "fitted to Table 8".to_owned(),
                None => format!("{op_ms} ms, {gflops} GFLOP/s, {gbs} GB/s"),
            }
        })
    };
    let is_measured = Memo::new(move |_| state.scenario.with(|s| s.split.table.is_some()));
    let take = Callback::new(move |typed: String| {
        let count = untrack(|| {
            state
                .answer
                .answer
                .of(|answer_view| answer_view.hint("count"))
        });
        let count = count
            .and_then(|count| count.parse().ok())
            .unwrap_or_default();
        let rows = read_times(&typed, count).map_err(|fault| fault.message)?;
        let done = state.edit("", |s| s.split.table = Some(rows));
        done.map_err(|fault| fault.message)
    });
    let drop_table = move |_| {
        let _ = state.edit("", |s| s.split.table = None); // the formula is always allowed
    };
    let fit = move |_| {
        let _ = state.edit("", |s| s.split.profile = Profile::FITTED);
        for key in ["op_ms", "gflops", "gbs"] {
            state.clear_field_error(key);
        }
    };
    let save = move |_| state.answer.answer.save_file("times");
    let weights = move || state.scenario.with(|s| s.split.gemm_weights);
    let fields = move || {
        if is_measured.get() {
            view! {
                <p class="hint" id="times-hint">"As measured, operator by operator; the formula is ignored."</p>
                <div class="row">
                    <button class="btn small" id="drop-times" on:click=drop_table>"Back to the formula"</button>
                </div>
            }
            .into_any()
        } else {
            view! {
                <p class="hint" id="times-hint">
                    "A slice of an operator takes fixed time + share \u{d7} (operations / speed + bytes of output and weights / memory rate), times the device\u{2019}s factor. The paper prints no times; 0.5, 270 and 0.43 are fitted to the Local column of its Table 8; \u{201c}Published beside ours\u{201d} says how far that is off."
                </p>
                <div class="grid-fields">
                    {numbers(*state, Object::new("", |s: &Scenario| Some(&s.split.profile), |s| Some(&mut s.split.profile)), &[("op_ms", ""), ("gflops", ""), ("gbs", "")])}
                </div>
                <div class="row">
                    <button class="btn small" id="fit-times" on:click=fit>"Restore the fit"</button>
                </div>
            }
            .into_any()
        }
    };
    view! {
        <details class="fold" id="times">
            <summary><Icon glyph=Glyph::Right/>"Operator times"<span>{summary}</span></summary>
            {fields}
            <PasteTable
                name="measured"
                label="Measured times: operator, a, b"
                note="In ms at time factor 1, one row per operator: a slice takes a plus its share of b.".to_owned()
                button="Use these times"
                take=take
            />
            <div class="row">
                <button class="btn small" id="save-times" on:click=save>"Save these times as CSV"</button>
            </div>
            <label class="check">
                <input type="checkbox" id="gemm-weights" prop:checked=weights on:change=move |event| {
                    let counts = event_target_checked(&event);
                    let _ = state.edit("", |s| s.split.gemm_weights = counts);
                }/>
                <span>"Every device that computes rows of a matrix product holds its weights"</span>
            </label>
        </details>
    }
}

/// How a split is looked for.
#[component]
fn Search() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let summary = move || {
        state.scenario.with(|s| {
            let search = &s.split.search;
            let chains = if search.islands == 1.0 {
                "chain"
            } else {
                "chains"
            };
            format!(
                "{} {chains} of {} moves",
                search.islands,
                count(search.moves)
            )
        })
    };
    let patience = |s: &Scenario| s.split.search.patience.unwrap_or(PAPER_PATIENCE);
    let is_random = move || state.scenario.with(|s| s.split.search.random_start);
    let paper = move |_| {
        let (plans, generations) = presets::PAPER_SEARCH;
        let done = state.edit("", |s| {
            s.split.search.population = (plans / s.split.search.islands).floor();
            s.split.search.generations = generations;
            s.split.search.patience = None; // the paper's is the usual one
        });
        if let Err(fault) = done {
            state.announce(format!("Not changed: {fault}."));
        }
        for key in ["population", "generations", "patience"] {
            state.clear_field_error(key);
        }
    };
    view! {
        <details class="fold" id="split-search">
            <summary><Icon glyph=Glyph::Right/>"Search for a split"<span>{summary}</span></summary>
            <p class="hint">"The same numbers give the same split on every machine, however many workers share the work."</p>
            <div class="grid-fields">
                {numbers(*state, Object::new("", |s: &Scenario| Some(&s.split.search), |s| Some(&mut s.split.search)), &[
                    ("moves", ""),
                    ("islands", ""),
                    ("seed", ""),
                    ("population", ""),
                    ("generations", ""),
                ])}
                <Labelled key="patience" label="GA: stops after, without gain" unit=""
                    binding=bound(*state, "patience", "patience", patience, |s, v| s.split.search.patience = Some(v))/>
            </div>
            <label class="check">
                <input type="checkbox" id="random-start" prop:checked=is_random on:change=move |event| {
                    let random = event_target_checked(&event);
                    let _ = state.edit("", |s| s.split.search.random_start = random);
                }/>
                <span>"GA: only random plans in the first population"</span>
            </label>
            <div class="row">
                <button class="btn small" id="paper-scale" title="250 000 plans in all, 50 generations, at most 10 without gain" on:click=paper>
                    "The paper\u{2019}s scale"
                </button>
            </div>
        </details>
    }
}
