//! Published beside ours: what a paper claims, what is computed here on its own scenario, how far they agree, and
//! why not where they do not.

use super::icons::{Glyph, Icon};
use super::table::{TableView, TakeTable};
use crate::ui::state::State;
use crate::ui::views::section::{self, WhileOpen};
use engine::problem::HeuristicReading;
use leptos::prelude::*;
use report::published::section::{Make, Part, Section};
use report::published::sections::{COLD_START, ColdStarts, cold_start_about, is_paper};
use report::published::{self, Agreement, Claim, Figure};
use std::sync::Arc;
use story::Table;

/// The block for cold start.
#[component]
pub fn Published() -> impl IntoView {
    let state = expect_context::<State>();
    // The paper’s answers and the user’s change at different times, and much rests on the former alone.
    let paper = Memo::new(move |_| ColdStarts {
        paper: state.paper_answers(),
        yours: None,
    });
    let both = Memo::new(move |_| ColdStarts {
        yours: state.own_answers(),
        ..paper.get()
    });
    let own_reading = Memo::new(move |_| {
        let own = state.scenario.with(|scenario| scenario.heuristic);
        HeuristicReading::ALL.iter().position(|r| *r == own)
    });
    let is_searching = Memo::new(move |_| {
        let seen = state.hunting.seen;
        seen.with(|seen| seen.is_some_and(|seen| seen.is_running))
    });
    let ask = Callback::new(move |()| {
        if state.settled.with(Option::is_some) && !is_searching.get() {
            state.ask_for_paper_soon();
        }
    });
    let whose = move || cold_start_about(state.scenario.with(|scenario| is_paper(scenario)));
    let [claims, readings, tried] = COLD_START.parts else {
        unreachable!("the section has three tables");
    };
    let readings_words = StoredValue::new(format!("{} Your reading is marked.", readings.about));
    view! {
        <section::Section id="published" title="Published beside ours" fold=section::Fold::Folded holds="the paper\u{2019}s figures">
            <WhileOpen run=ask/>
            <p class="over">{whose}</p>
            {made(claims, both.into(), Signal::stored(None))}
            {notes(&COLD_START, paper.into())}
            <Fold title=readings.title>
                <p class="foot over">{readings_words.get_value()}</p>
                {made(readings, paper.into(), own_reading.into())}
            </Fold>
            <Fold title=tried.title>{made(tried, paper.into(), Signal::stored(None))}</Fold>
            <p class="foot">{COLD_START.source}"."</p>
        </section::Section>
    }
}

/// The tables of a section with what is said of them: the first one, then the others in folds, which `are_open` or not. The row
/// of the model that is `marked` stands out in tables of models.
pub fn tables<K: Send + Sync + 'static>(
    section: &'static Section<K>,
    known: Signal<K>,
    marked: Signal<Option<usize>>,
    are_open: bool,
) -> impl IntoView {
    let marked_in = move |part: &Part<K>| match part.of_models {
        true => marked,
        false => Signal::stored(None),
    };
    let (first, rest) = section.parts.split_at(1);
    let first = first.iter().map(|part| made(part, known, marked_in(part)));
    let folds = rest.iter().map(|part| {
        let table = made(part, known, marked_in(part));
        view! { <Fold title=part.title is_open=are_open>{table}</Fold> }
    });
    let source =
        (!section.source.is_empty()).then(|| view! { <p class="foot">{section.source}"."</p> });
    view! {
        {first.collect_view()}
        {notes(section, known)}
        {folds.collect_view()}
        {source}
    }
}

/// A table of a section, as what is known grows.
fn made<K: Send + Sync + 'static>(
    part: &'static Part<K>,
    known: Signal<K>,
    marked: Signal<Option<usize>>,
) -> AnyView {
    match part.make {
        Make::Claims(make) => {
            let claims: Memo<Arc<Vec<Claim>>> =
                Memo::new(move |_| Arc::new(known.with(make).unwrap_or_default()));
            view! { <ClaimsTable claims=claims title=part.title id=part.id/> }.into_any()
        }
        Make::Table(make) => {
            let table: Memo<Arc<Table>> =
                Memo::new(move |_| Arc::new(known.with(make).unwrap_or_default()));
            view! { <TableView table=table id=part.id marked=marked/> }.into_any()
        }
    }
}

fn notes<K: Send + Sync + 'static>(section: &'static Section<K>, known: Signal<K>) -> AnyView {
    let said = Memo::new(move |_| known.with(section.notes));
    let paragraphs = move || {
        let said = said.get().into_iter();
        said.map(|text| view! { <p>{text}</p> }).collect_view()
    };
    view! { <div class="notes">{paragraphs}</div> }.into_any()
}

/// A fold under a title.
#[component]
fn Fold(title: &'static str, #[prop(optional)] is_open: bool, children: Children) -> impl IntoView {
    view! {
        <details class="fold" open=is_open>
            <summary><Icon glyph=Glyph::Right/>{title}<span></span></summary>
            {children()}
        </details>
    }
}

/// Claims, row by row, for any method.
#[component]
pub fn ClaimsTable(
    #[prop(into)] claims: Signal<Arc<Vec<Claim>>>,
    title: &'static str,
    id: &'static str,
) -> impl IntoView {
    let has_yours = Memo::new(move |_| {
        claims.with(|claims| claims.iter().any(|claim| claim.yours != Figure::Missing))
    });
    let table = Memo::new(move |_| {
        claims.with(|claims| Arc::new(published::table("published", title, claims)))
    });
    let rows = move || {
        let beside = has_yours.get();
        claims.with(|claims| {
            claims
                .iter()
                .map(|claim| claim_row(claim, beside))
                .collect_view()
        })
    };
    let yours = move || {
        has_yours
            .get()
            .then(|| view! { <th scope="col" class="n">"Your scenario"</th> })
    };
    view! {
        <table class="data claims" id=id class:with-yours=has_yours>
            <caption class="sr">{title}</caption>
            <thead>
                <tr>
                    <th scope="col">"Claim"</th>
                    <th scope="col" class="n">"Published"</th>
                    <th scope="col" class="n">"Ours"</th>
                    {yours}
                    <th scope="col">"Agreement"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
        <TakeTable table=table id=id/>
    }
}

fn claim_row(claim: &Claim, beside: bool) -> impl IntoView + use<> {
    let class = match claim.agreement {
        Agreement::Agrees | Agreement::WithinOnePoint => "tag good",
        Agreement::Off(_) | Agreement::Apart(_) | Agreement::InPart => "tag warn",
        Agreement::NotReproduced => "tag bad",
        Agreement::NotComparable | Agreement::NotRun => "tag",
    };
    view! {
        <tr>
            <th scope="row">{claim.name}<small>{claim.source}</small></th>
            <td class="n" data-l="Published">{claim.published.words()}</td>
            <td class="n" data-l="Ours">{claim.ours.words()}</td>
            {beside.then(|| view! { <td class="n" data-l="Your scenario">{claim.yours.words()}</td> })}
            <td><span class=class>{claim.agreement.words()}</span><small>{claim.reason.clone()}</small></td>
        </tr>
    }
}
