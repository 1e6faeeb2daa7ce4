//! Edgewise beside other orders, with the paper's search when that is asked for.

use super::OperatorsState;
use crate::ui::views::answer::Spoken;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::section::Section;
use crate::ui::views::table::TableView;
use crate::ui::views::terms::Explained;
use engine::graph::Objective;
use engine::units::{memory, percent};
use job::operator_order::Method;
use job::operators::Ordered;
use leptos::prelude::*;
use report::operators::{
    about, against_random, comparison, goal_name, method_name, search_words, value,
};
use std::sync::Arc;
use story::Table;

/// A bar: what it is called, its value under the goal [bytes], whether it is ours.
#[derive(Clone, PartialEq)]
struct Bar {
    name: String,
    under: String,
    bytes: f64,
    is_ours: bool,
}

fn bar(ordered: &Ordered, goal: Objective) -> Bar {
    let is_ours = ordered.method == Method::Exact;
    Bar {
        name: if is_ours {
            "Edgewise".to_owned()
        } else {
            method_name(ordered.method).to_owned()
        },
        under: match ordered.method {
            Method::Exact => "exact".to_owned(),
            Method::File => "from the file".to_owned(),
            _ => String::new(),
        },
        bytes: value(ordered, goal) as f64,
        is_ours,
    }
}

/// The block.
#[component]
pub fn Compare() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let goal = Memo::new(move |_| {
        state
            .shown
            .with(|shown| shown.as_ref().map(|shown| shown.scenario.objective))
            .unwrap_or_default()
    });
    let bars = Memo::new(move |_| {
        let Some(shown) = state.shown.get() else {
            return Vec::new();
        };
        let goal = goal.get();
        let mut bars: Vec<Bar> = shown.orders().map(|ordered| bar(ordered, goal)).collect();
        state.with_besides(|_, besides| {
            if let Some(drawn) = &besides.drawn {
                let spread = match goal {
                    Objective::Sum => &drawn.sum,
                    Objective::Peak => &drawn.peak,
                    Objective::Table4 => &drawn.table4,
                };
                bars.push(Bar {
                    name: "Random".to_owned(),
                    under: format!("mean of {}", drawn.orders),
                    bytes: spread.mean,
                    is_ours: false,
                });
            }
            if let Some(searched) = &besides.searched {
                bars.push(bar(&searched.best, goal));
            }
        });
        bars
    });
    let table = Memo::new(move |_| {
        let shown = state.shown.get();
        let found = shown.map_or_else(Table::default, |shown| {
            let besides = state
                .with_besides(|_, besides| besides.clone())
                .unwrap_or_default();
            comparison(
                goal.get(),
                &shown.plan,
                besides.drawn.as_ref(),
                besides.searched.as_ref(),
            )
        });
        Arc::new(found)
    });
    let told = move || {
        let (shown, drawn) = state.with_besides(|shown, besides| (shown.clone(), besides.drawn))?;
        let ours = shown.plan.ours.as_ref()?;
        let sentence = against_random(goal.get(), ours, drawn.as_ref()?);
        Some(view! { <Spoken sentence=sentence/> })
    };
    let is_there = Memo::new(move |_| state.shown.with(Option::is_some));
    move || {
        is_there.get().then(|| view! {
            <Section id="comparison" title="Against other orders">
                <table class="data cmp orders" id="orders">
                    <caption class="sr">"Orders by the goal"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Order"</th>
                            <th scope="col">{move || capital(goal_name(goal.get()))}</th>
                            <th scope="col" class="n">"Edgewise saves"</th>
                        </tr>
                    </thead>
                    <tbody>{move || rows(&bars.get())}</tbody>
                </table>
                <p class="foot" id="against-random">{told}</p>
                <Search/>
                <details class="fold">
                    <summary><Icon glyph=Glyph::Right/>"As a table, under all three counts"<span></span></summary>
                    <TableView table=table id="comparison-table"/>
                </details>
                <details class="fold">
                    <summary><Icon glyph=Glyph::Right/>"How the orders are made"<span></span></summary>
                    <dl class="rules">
                        {[Method::Exact, Method::Btsearch, Method::Greedy, Method::Peft, Method::Random, Method::File]
                            .into_iter()
                            .map(|method| view! { <dt><Explained text=method_name(method)/></dt><dd><Explained text=about(method)/></dd> })
                            .collect_view()}
                    </dl>
                </details>
            </Section>
        })
    }
}

/// With a capital in front.
fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

fn rows(bars: &[Bar]) -> impl IntoView + use<> {
    let most = bars.iter().map(|bar| bar.bytes).fold(1.0, f64::max);
    let ours = bars.iter().find(|bar| bar.is_ours).map(|bar| bar.bytes);
    bars.iter()
        .map(|bar| {
            let less = ours.filter(|_| !bar.is_ours).map(|ours| {
                let by = bar.bytes - ours;
                if by.abs() < 0.5 {
                    return ("nothing".to_owned(), String::new());
                }
                let share = percent(100.0 * by / bar.bytes.max(1.0), 1);
                (memory(by), share)
            });
            let class = if bar.is_ours { "k-ours" } else { "cell" };
            let share = format!("{:.2}%", 60.0 * bar.bytes / most);
            let small = (!bar.under.is_empty()).then(|| view! { <small>{bar.under.clone()}</small> });
            view! {
                <tr class:ours=bar.is_ours>
                    <td><Explained text=bar.name.clone()/>{small}</td>
                    <td><div class="bars"><i class=class style:width=share></i><span>{memory(bar.bytes)}</span></div></td>
                    <td class="n">{less.map(|(by, share)| view! { {by}" "<span class="pct">{share}</span> })}</td>
                </tr>
            }
        })
        .collect_view()
}

/// The paper's search: asked for by a press, for it may take long.
#[component]
fn Search() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let searching =
        Memo::new(move |_| state.with_besides(|_, besides| besides.searching).flatten());
    let is_ready = Memo::new(move |_| state.with_besides(|_, _| ()).is_some());
    let found = move || {
        let words = state.with_besides(|_, besides| besides.searched.as_ref().map(search_words));
        words.flatten()
    };
    let going = move || {
        searching.get().map(|share| {
            view! {
                <progress max="1" value=share.map(|share| share.to_string()) aria-label="The paper\u{2019}s search"></progress>
                <button class="btn quiet small" id="btsearch-stop" on:click=move |_| state.end_search()>"Stop"</button>
            }
        })
    };
    let faults = move || {
        let faults = state.besides.with(|besides| besides.faults.clone());
        faults
            .into_iter()
            .map(|fault| view! { <p class="fault" role="alert">{fault}"."</p> })
            .collect_view()
    };
    view! {
        <div class="row tries">
            <button class="btn small" id="btsearch" disabled=move || searching.get().is_some() || !is_ready.get()
                on:click=move |_| state.search()>
                "Run the paper\u{2019}s search"
            </button>
            {going}
        </div>
        <p class="foot" id="btsearch-told" role="status">{found}</p>
        {faults}
    }
}
