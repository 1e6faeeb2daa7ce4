//! What would help most, for any question but a cold start, which has its own: every change to the machines solved anew by the
//! workers, the most helpful first, each to be tried in one step. It waits for a press, because every row is a plan of its own.

use super::gains::{AllRows, FIRST_ROWS, Share, Tried, row_of};
use super::pieces::{Go, Pieces, world_now};
use super::table::TakeTable;
use crate::ui::questions::Questions;
use crate::ui::views::section::{Fold, Section};
use engine::scenario::levers::What;
use engine::scenario::world::World;
use job::cold_start_gains::USUAL_PCT;
use job::helps::{Ask, Effect as Outcome, Gain, Helps, changed, prepared};
use leptos::prelude::*;
use report::helps::{
    Figures, base, better_by, foot, standing, subject, table, value_after, values,
};
use std::sync::Arc;

/// What is on show: the scenario, and what is known of its changes.
#[derive(Clone)]
struct Found {
    world: Arc<World>,
    helps: Arc<Helps>,
}

/// The block; `edited` tells of every edit of the scenario.
#[component]
pub fn WhatHelps(#[prop(into)] edited: Signal<()>) -> impl IntoView {
    let questions = expect_context::<Questions>();
    let by = RwSignal::new(USUAL_PCT);
    let pieces = Pieces::<Ask>::open(questions, edited);
    let empty = StoredValue::new(None::<Helps>);
    let begin = move || {
        let world = Arc::new(world_now(questions));
        match prepared(&world, by.get_untracked()) {
            Ok(found) => {
                let asks = found.asks();
                empty.set_value(Some(found));
                pieces.begin(world, asks);
            }
            Err(fault) => questions.shell.say(format!("Not computed: {fault}.")),
        }
    };
    // Another share is another list.
    Effect::new(move |before: Option<f64>| {
        let now = by.get();
        let is_known = pieces.round.with_untracked(Option::is_some);
        if is_known && before.is_some_and(|before| before != now) {
            begin();
        }
        now
    });
    let found = Memo::new_with_compare(
        move |_| {
            pieces.round.with(|round| {
                let round = round.as_ref()?;
                let mut helps = empty.get_value()?;
                for (ask, told) in round.asks.iter().zip(&round.told) {
                    if let Some(told) = told {
                        helps.take(*ask, told.clone());
                    }
                }
                Some(Found {
                    world: round.world.clone(),
                    helps: Arc::new(helps),
                })
            })
        },
        |_, _| true,
    );
    let all = RwSignal::new(false);
    let far = Memo::new(move |_| pieces.far());
    let is_known = Memo::new(move |_| found.with(Option::is_some));
    let as_table = Memo::new(move |_| {
        let table = found.with(|found| found.as_ref().map(|found| table(&found.helps)));
        Arc::new(table.unwrap_or_default())
    });
    let label = move || match is_known.get() {
        true => "Compute again",
        false => "Compute",
    };
    view! {
        <Section id="gains" title="What would help most" fold=Fold::Open holds="each machine and link improved, added or left out" tools={move || view! { <Share by=by/> }}>
                    <Go
                    id="gains"
                    label=Signal::derive(label)
                    far=far
                    begin=move |()| begin()
                    cancel=move |()| pieces.cancel()
                />
                {move || found.get().map(|found| list(questions, found, all))}
                <div hidden=move || !is_known.get()>
                    <TakeTable table=as_table id="gains"/>
                </div>
        </Section>
    }
}

/// What helps, the most useful first, and what is to be said of the rest.
fn list(questions: Questions, found: Found, all: RwSignal<bool>) -> impl IntoView {
    let helps = found.helps.clone();
    let is_gain =
        |gain: &&Gain| !matches!(gain.change.what, What::Without(_)) && helps.is_help(gain);
    let helping: Vec<Gain> = helps
        .in_order()
        .into_iter()
        .filter(is_gain)
        .cloned()
        .collect();
    let (count, more) = (helping.len(), helping.len() > FIRST_ROWS);
    let mut effects = helps.gains.iter().map(|gain| helps.effect(gain));
    let is_open = effects.any(|effect| effect == Outcome::Asked);
    let sentences: Vec<String> = base(&helps).into_iter().chain(foot(&helps)).collect();
    let figures = Figures::of(&helps);
    let what = helps.headline.what;
    let nothing = (count == 0 && !is_open).then(|| {
        view! { <p class="foot">"No change of this size makes the answer better."</p> }
    });
    let rows = move || {
        let shown = if all.get() {
            count
        } else {
            count.min(FIRST_ROWS)
        };
        let listed = helping[..shown].iter();
        listed
            .map(|gain| row(questions, &found, gain, figures))
            .collect_view()
    };
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label="What would help most" hidden=count == 0>
            <table class="data help" id="gains-list">
                <thead>
                    <tr>
                        <th scope="col">"If you had"</th>
                        <th scope="col" class="n">{what}</th>
                        <th scope="col" class="n">"Better by"</th>
                        <th scope="col"><span class="sr">"Try"</span></th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        {nothing}
        <AllRows all=all count=count more=more/>
        <p class="foot" id="gains-foot">"Each row is a full new plan with one change. "{sentences.join(" ")}</p>
    }
}

fn row(
    questions: Questions,
    found: &Found,
    gain: &Gain,
    figures: Figures,
) -> impl IntoView + use<> {
    let helps = &found.helps;
    let name = subject(helps, gain);
    let exact = |then: f64| format!("{then} {}", helps.headline.unit.symbol());
    let standing = Some(standing(helps, gain)).filter(|words| *words == "best found");
    let (world, at, by, called) = (found.world.clone(), gain.at, helps.by_pct, name.clone());
    row_of(Tried {
        name,
        change: values(gain),
        then: value_after(gain).map(|then| (figures.with_unit(then), exact(then))),
        better: better_by(helps, gain, figures),
        standing: standing.map(str::to_owned),
        press: Callback::new(move |()| try_out(questions, &world, (at, by), &called)),
    })
}

/// Makes a change to what is on the desk: what was solved, as one step to undo.
fn try_out(questions: Questions, world: &World, (at, by_pct): (usize, f64), name: &str) {
    if world_now(questions) != *world {
        return;
    }
    let done = changed(world, at, by_pct)
        .and_then(|changed| questions.change(move |now| *now = changed.world));
    questions.shell.say(match done {
        Ok(()) => format!("Tried: {name}."),
        Err(fault) => format!("Not changed: {fault}."),
    });
}
