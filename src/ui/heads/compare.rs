//! Ours beside other rules, over draws and not on one alone, and what would help most.

use super::HeadsState;
use crate::ui::canvas::PictureCanvas;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::section::{Fold, Section, WhileOpen};
use crate::ui::views::table::TableView;
use crate::ui::views::terms::Explained;
use chart::{RangeBar, range_bars};
use engine::sim::Spread;
use engine::units::percent;
use job::heads::{Instead, Strategy, changed, rules, seeds};
use job::heads_run::Comparison;
use leptos::prelude::*;
use report::heads::charts::{plain, ranges};
use report::heads::told::RANKED;
use report::heads::{about, change_words, changes, comparison, rule_name};
use std::sync::Arc;

/// Width of a bar with its figure [px].
const BAR_PX: f64 = 260.0;

/// The comparison block.
#[component]
pub fn Compare() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let table = Memo::new(move |_| {
        Arc::new(
            state
                .with_compared(|_, others| comparison(&others.drawn))
                .unwrap_or_default(),
        )
    });
    let over = move || {
        state.with_compared(|shown, others| {
            let s = &shown.scenario;
            let count = others.drawn.seeds().len();
            let of = if s.draws.networks {
                "drawn networks, each with its own background load; your devices and your record play no part"
            } else {
                "backgrounds on these devices"
            };
            format!(
                "Total time of {} tokens: mean, min and max of {count} of {} {of}, from seed {} on. Every rule gets the same draw \
                 and is scored by the same evaluator.",
                s.new_tokens, s.draws.seeds, s.draws.first_seed
            )
        })
    };
    view! {
        <Section id="comparison" title="Against other placements">
            <p class="over">{over}</p>
            <Progress/>
            <Bars/>
            <p class="foot">
                {RANKED}
            </p>
            {move || {
                let faults = state.others.with(|others| others.faults.clone());
                faults.into_iter().map(|fault| view! { <p class="fault">{fault}"."</p> }).collect_view()
            }}
            <details class="fold">
                <summary><Icon glyph=Glyph::Right/>"All figures"<span></span></summary>
                <TableView table=table id="comparison-table"/>
            </details>
            <details class="fold">
                <summary><Icon glyph=Glyph::Right/>"What the rules do"<span></span></summary>
                <dl class="rules">
                    {move || {
                        let rules = state.scenario.with(|s| rules(s));
                        rules.into_iter().map(|rule| view! { <dt><Explained text=rule_name(rule)/></dt><dd>{about(rule)}</dd> }).collect_view()
                    }}
                </dl>
            </details>
        </Section>
    }
}

/// How much has come, and a way to end it or go on.
#[component]
fn Progress() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    move || {
        let found = state.with_compared(|shown, others| {
            let is_cut = others.drawn.seeds().len() < seeds(&shown.scenario).count();
            (others.came, others.asked, is_cut)
        });
        let (came, asked, is_cut) = found?;
        if came < asked {
            return Some(
                view! {
                    <div class="search" id="runs-progress">
                        <progress max=asked.to_string() value=came.to_string()></progress>
                        <span>{format!("{came} of {asked} runs")}</span>
                        <button class="btn small" on:click=move |_| state.end_tracks()>"Stop"</button>
                    </div>
                }
                .into_any(),
            );
        }
        is_cut.then(|| {
            view! {
                <div class="search">
                    <span>"Not all runs were made."</span>
                    <button class="btn small" id="runs-again" on:click=move |_| state.go_on()>"Run them"</button>
                </div>
            }
            .into_any()
        })
    }
}

/// A rule over the draws that it came through.
#[derive(Clone, PartialEq)]
struct Line {
    rule: Strategy,
    spread: Spread,
    failed: usize,
    /// How much later than ours it is, and how many times as long ours takes, each draw beside itself.
    later: Option<(f64, f64)>,
}

fn lines(drawn: &Comparison) -> Vec<Line> {
    let rules = drawn.strategies().iter().enumerate();
    rules
        .filter_map(|(at, rule)| {
            let later = drawn.difference(at, 0).zip(drawn.ratio(0, at));
            Some(Line {
                rule: *rule,
                spread: drawn.seconds(at)?.spread,
                failed: drawn.failed(at),
                later: later.map(|(later, ours)| (later.spread.mean, ours.spread.mean)),
            })
        })
        .collect()
}

/// A row a rule: a bar over the draws, and by how much ours is faster.
#[component]
fn Bars() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let lines = Memo::new(move |_| state.with_compared(|_, others| lines(&others.drawn)));
    move || {
        let lines = lines.get().filter(|lines| !lines.is_empty())?;
        let bars = state.with_compared(|_, others| ranges(&others.drawn));
        let bars: Vec<RangeBar> = bars
            .into_iter()
            .flat_map(|bars| bars.rows)
            .map(|row| row.bar)
            .collect();
        let rows = lines
            .iter()
            .zip(range_bars(&bars, BAR_PX))
            .enumerate()
            .map(|(at, (line, picture))| {
                let picture = Arc::new(picture);
                let (by, share) = match (at, line.rule.splits_blocks(), line.later) {
                    (0, _, _) => (String::new(), String::new()),
                    (_, true, _) => ("splits the FFN, not ranked".to_owned(), String::new()),
                    (_, _, None) => ("other draws".to_owned(), String::new()),
                    (_, _, Some((gain, ours))) => {
                        let sign = |value: f64| if value < 0.0 { "\u{2212}" } else { "" };
                        let share = 100.0 * (1.0 - ours);
                        (
                            format!("{}{}", sign(gain), plain(gain.abs())),
                            format!("{}{}", sign(share), percent(share.abs(), 1)),
                        )
                    }
                };
                let Spread { mean, min, max, runs, .. } = line.spread;
                let spoken = format!(
                    "mean {}, from {} to {}, {runs} draws",
                    plain(mean),
                    plain(min),
                    plain(max)
                );
                let failed = (line.failed > 0).then(|| format!(", {} failed", line.failed));
                view! {
                    <tr class:ours=at == 0>
                        <th scope="row">{rule_name(line.rule)}<small>{failed}</small></th>
                        <td><PictureCanvas picture=Signal::derive(move || picture.clone())/><span class="sr">{spoken}</span></td>
                        <td class="n">{by}</td>
                        <td class="n">{share}</td>
                    </tr>
                }
            })
            .collect_view();
        Some(view! {
            <div class="scroll" tabindex="0" role="group" aria-label="Rules over draws">
            <table class="ranges" id="ranges">
                <thead>
                    <tr><th>"Plan"</th><th>"Mean, min and max"</th><th class="n" colspan="2">"Edgewise faster by"</th></tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            </div>
        })
    }
}

/// What a change does to our run, each under the same background.
#[component]
pub fn Changes() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let table = Memo::new(move |_| {
        Arc::new(
            state
                .with_compared(|shown, others| {
                    changes(&shown.scenario, &shown.planned, &others.instead)
                })
                .unwrap_or_default(),
        )
    });
    let tries = move || {
        state.with_compared(|shown, others| {
            let buttons = others.instead.iter().map(|(instead, _)| {
                let (words, instead) = (change_words(&shown.scenario, *instead), *instead);
                view! { <button class="btn small try" on:click=move |_| take(state, instead)>{words}</button> }
            });
            buttons.collect_view()
        })
    };
    let ask = Callback::new(move |()| {
        state.others.track();
        state.ask_changes();
    });
    view! {
        <Section id="changes" title="One change at a time" fold=Fold::Folded holds="faster devices, links, more memory, one device fewer">
            <WhileOpen run=ask/>
            <TableView table=table id="changes-table"/>
            <div class="row tries"><span class="foot">"Try it:"</span>{tries}</div>
            <p class="foot">"Each row is a separate run under the same background load."</p>
        </Section>
    }
}

fn take(state: HeadsState, instead: Instead) {
    let next = state.scenario.with_untracked(|s| changed(s, instead));
    let done = next.and_then(|next| state.edit("", |s| *s = next));
    if let Err(fault) = done {
        state.say(format!("Not changed: {fault}."));
    }
}
