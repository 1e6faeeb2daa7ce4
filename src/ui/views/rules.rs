//! What other tools would do on this fleet: rules by what they do, scored by the same referee, by their objective and by ours.

use super::table::TakeTable;
use crate::ui::state::{Kind, Shown, State};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::section::{Fold, Section, Sections, WhileOpen};
use chart::TimeFormat;
use job::Status;
use job::cold_start_more::{Ask, Told};
use job::cold_start_rules::{Measured, Rule, RuleAnswer, Rules};
use job::cold_start_shorter::Shorter;
use leptos::prelude::*;
use report::cold_start::rules::{SAME_REFEREE, about, note, other_objectives, table, times, title};
use report::cold_start::tables::route;
use std::sync::Arc;

/// The rules of an answer, once they have been told.
pub fn told(state: State, shown: &Arc<Shown>) -> Option<Rules> {
    state.more.of(Kind::Rules).newest.with(|round| {
        let told = round.told.first().filter(|_| round.is_of(shown))?;
        match told.as_ref()?.as_deref() {
            Ok(Told::Rules(rules)) => Some(rules.clone().beside(&shown.answer)),
            _ => None,
        }
    })
}

/// What would fit if it were shorter, once that has been told.
pub fn told_shorter(state: State, shown: &Arc<Shown>) -> Vec<Shorter> {
    state.more.of(Kind::Rules).newest.with(|round| {
        let told = round.told.get(1).filter(|_| round.is_of(shown));
        match told.and_then(|told| told.as_ref()?.as_deref().ok()) {
            Some(Told::Shorter(shorter)) => shorter.clone(),
            _ => Vec::new(),
        }
    })
}

/// The block; it is not there before the rules are scored.
#[component]
pub fn OtherRules() -> impl IntoView {
    let state = expect_context::<State>();
    let sections = expect_context::<Sections>();
    let is_searching = Memo::new(move |_| {
        let seen = state.hunting.seen;
        seen.with(|seen| seen.is_some_and(|seen| seen.is_running))
    });
    let ask = move || {
        let Some(shown) = state.settled.get() else {
            return;
        };
        let newest = state.more.of(Kind::Rules).newest;
        let is_known = newest.with_untracked(|round| round.is_of(&shown));
        let is_now = |now: &Arc<engine::scenario::Scenario>| Arc::ptr_eq(now, &shown.scenario);
        if !is_searching.get() && !is_known && state.scenario.with_untracked(is_now) {
            let plan = shown.answer.plan.clone();
            let mut asks = vec![Ask::Rules { plan }];
            if shown.answer.status == Status::Infeasible {
                asks.push(Ask::Shorter);
            }
            state.ask_more(Kind::Rules, &shown, asks);
        }
    };
    // What would fit if it were shorter is told with them, and wanted where nothing fits.
    Effect::new(move |_| {
        let is_unfit = |shown: &Option<Arc<Shown>>| {
            let shown = shown.as_ref();
            shown.is_some_and(|shown| shown.answer.status == Status::Infeasible)
        };
        if state.settled.with(is_unfit) {
            ask();
        }
    });
    let found = Memo::new_with_compare(
        move |_| {
            let shown = state.settled.get()?;
            let rules = told(state, &shown)?;
            Some((shown, Arc::new(rules)))
        },
        |_, _| true,
    );
    let as_table = Memo::new(move |_| {
        let found = found.get();
        let of = |(shown, rules): (Arc<Shown>, Arc<Rules>)| table(&shown.problem, &rules);
        Arc::new(found.map(of).unwrap_or_default())
    });
    let is_there = Memo::new(move |_| state.shown.with(Option::is_some));
    view! {
                <Section id="rules" title="What other tools would do" fold=Fold::Folded holds="rules of other runtimes, scored by the same referee" is_there=is_there>
                    <WhileOpen run=Callback::new(move |()| ask())/>
                    <div class="scroll" tabindex="0" role="region" aria-label="What other tools would do">
                        <table class="data" id="rules-list">
                            <thead>
                                <tr>
                                    <th scope="col">"Rule"</th>
                                    <th scope="col" class="n">"First answer"</th>
                                    <th scope="col" class="n">"\u{d7} Edgewise"</th>
                                    <th scope="col" class="n">"Slowest stage"</th>
                                    <th scope="col" class="n">"\u{d7} best"</th>
                                    <th scope="col"><span class="sr">"Flags"</span></th>
                                </tr>
                            </thead>
                            <tbody>{move || found.get().map(|(shown, rules)| rows(state, sections, &shown, &rules))}</tbody>
                        </table>
                    </div>
                    <p class="foot">
                        {SAME_REFEREE}" "
                        {move || found.get().map(|(_, rules)| other_objectives(&rules))}
                    </p>
                    <details class="fold">
                        <summary><Icon glyph=Glyph::Right/>"What the rules do, and who has them"<span></span></summary>
                        <dl class="rules">
                            {Rule::ALL.map(|rule| view! { <dt>{title(rule)}</dt><dd>{about(rule)}</dd> }).collect_view()}
                        </dl>
                    </details>
                    <TakeTable table=as_table id="rules"/>
                </Section>
    }
}

fn rows(
    state: State,
    sections: Sections,
    shown: &Arc<Shown>,
    rules: &Rules,
) -> impl IntoView + use<> {
    let all = rules.rules.iter().filter_map(|row| row.measured.as_ref());
    let all: Vec<&Measured> = all.chain(&rules.ours).collect();
    let most = |of: fn(&Measured) -> f64| all.iter().map(|m| of(m)).fold(0.0, f64::max);
    let (unit, steady) = (
        TimeFormat::of_largest(most(|m| m.T)),
        TimeFormat::of_largest(most(|m| m.period)),
    );
    let dash = || "\u{2013}".to_owned();
    let cells = move |measured: Option<&Measured>, ours: Option<f64>, least: Option<f64>| {
        let total = measured.map_or_else(dash, |m| unit.with_unit(m.T));
        let period = measured.map_or_else(dash, |m| steady.with_unit(m.period));
        let ratio = |ratio: Option<f64>| ratio.map_or_else(dash, times);
        let in_full = |of: fn(&Measured) -> f64| measured.map(|m| format!("{} s", of(m)));
        view! {
            <td class="n" data-exact=in_full(|m| m.T)>{total}</td>
            <td class="n">{ratio(ours)}</td>
            <td class="n" data-exact=in_full(|m| m.period)>{period}</td>
            <td class="n">{ratio(least)}</td>
        }
    };
    let problem = &shown.problem;
    let layers = |m: &Measured| match m.plan.len() {
        many if many > 8 => format!("{many} devices"),
        _ => route(problem, &m.plan),
    };
    let ours = rules.ours.as_ref().map(|ours| {
        view! {
            <tr class="ours">
                <td>"Edgewise"<small>{layers(ours)}</small></td>
                {cells(Some(ours), Some(1.0), rules.ours_times_least_period)}
                <td class="n"></td>
            </tr>
        }
    });
    let row = |row: &RuleAnswer| {
        let name = title(row.rule);
        let measured = row.measured.as_ref();
        let is_unfit = measured.is_some_and(|m| !m.fits());
        let flags = measured.map(|_| {
            let press = move |_| {
                state.flags_of.set(name.to_owned());
                sections.reveal("flags", Some("flags-plan"));
            };
            view! {
                <button class="btn small" aria-label=format!("Flags of: {name}") on:click=press>"Flags"</button>
            }
        });
        view! {
            <tr class:unfit=is_unfit>
                <td>
                    {name}
                    <small>{measured.map(layers)}</small>
                    {note(problem, row).map(|note| view! { <small>{note}</small> })}
                </td>
                {cells(measured, row.times_ours, row.times_least_period)}
                <td class="n">{flags}</td>
            </tr>
        }
    };
    (ours, rules.rules.iter().map(row).collect_view())
}
