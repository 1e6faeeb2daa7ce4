//! Published beside ours: what a paper claims, what is computed here on its own scenario, how far they agree, and
//! why not where they do not.

use super::icons::{Glyph, Icon};
use super::table::{TableView, TakeTable};
use crate::ui::measuring::Measuring;
use crate::ui::state::State;
use crate::ui::views::section::{self, WhileOpen};
use engine::problem::HeuristicReading;
use leptos::prelude::*;
use report::published::section::{Make, Part, Section};
use report::published::sections::{COLD_START, ColdStarts};
use report::published::{self, Agreement, Claim, Figure};
use std::sync::Arc;
use story::Table;

/// The block of a question: what its paper publishes, once the question `is_answered`; `ask` is done while it is open.
pub fn block(
    is_answered: impl Fn() -> bool + Send + Sync + 'static,
    ask: impl Fn() + Send + Sync + 'static,
    sections: impl Fn() -> AnyView + Send + Sync + 'static,
) -> AnyView {
    let is_answered = Memo::new(move |_| is_answered());
    let sections = Callback::new(move |()| sections());
    let content = move || is_answered.get().then(|| sections.run(()));
    let ask = Callback::new(move |()| ask());
    view! {
        <section::Section id="published" title="Published beside ours" fold=section::Fold::Folded holds="the paper\u{2019}s figures">
            <WhileOpen run=ask/>
            {content}
        </section::Section>
    }
    .into_any()
}

/// A section of a paper as a question shows it.
pub struct Beside<K: Send + Sync + 'static> {
    section: &'static Section<K>,
    known: Signal<K>,
    /// The row of what is open, and what is said of it.
    marked: (Signal<Option<usize>>, &'static str),
    work: Option<AnyView>,
    are_open: bool,
}

impl<K: Send + Sync + 'static> Beside<K> {
    /// A section, as far as what its figures are made of is `known`.
    pub fn of(section: &'static Section<K>, known: impl Into<Signal<K>>) -> Self {
        Self {
            section,
            known: known.into(),
            marked: (Signal::stored(None), ""),
            work: None,
            are_open: false,
        }
    }

    /// With a row that stands out in tables that have it, and what is said of it.
    pub fn marking(self, row: impl Into<Signal<Option<usize>>>, words: &'static str) -> Self {
        let marked = (row.into(), words);
        Self { marked, ..self }
    }

    /// With what the worker computes of it when it is asked.
    pub fn working(self, work: Work) -> Self {
        let work = Some(work.view());
        Self { work, ..self }
    }

    /// With folds that are open from the start.
    pub fn unfolded(self) -> Self {
        let are_open = true;
        Self { are_open, ..self }
    }

    /// What the figures are of, then the tables.
    pub fn view(self) -> AnyView {
        let (known, section) = (self.known, self.section);
        let about = move || known.with(section.about);
        view! { <p class="over">{about}</p>{self.tables()} }.into_any()
    }

    /// The tables with what is said of them: the first one, then the others in folds.
    pub fn tables(self) -> AnyView {
        let (section, known, (marked, of_mark)) = (self.section, self.known, self.marked);
        let table = move |part: &'static Part<K>| {
            let none = Signal::stored(None);
            made(part, known, if part.has_mark { marked } else { none })
        };
        let (first, rest) = section.parts.split_at(1);
        let folds = rest.iter().map(|part| {
            let table = table(part);
            let about = (!part.about.is_empty())
                .then(|| view! { <p class="foot over">{part.about}" "{of_mark}</p> });
            view! { <Fold title=part.title is_open=self.are_open>{about}{table}</Fold> }
        });
        view! {
            {self.work}
            {first.iter().map(table).collect_view()}
            {notes(section, known)}
            {folds.collect_view()}
            {source(section)}
        }
        .into_any()
    }
}

/// A button that starts some work: its id, its words, whether it is off, what it does.
pub type Start = (String, Signal<&'static str>, Signal<bool>, Callback<()>);

/// What the worker computes for a section: buttons that start it, how far it is, a button that ends it.
pub struct Work {
    /// The buttons.
    pub starts: Vec<Start>,
    /// How far it is, in words, and as a bar where the parts take long; nothing while it rests.
    pub going: Signal<Option<(String, Option<Measuring>)>>,
    /// What its ids end with, where a question has a second work.
    pub suffix: &'static str,
    /// Ends it.
    pub stop: Callback<()>,
}

impl Work {
    /// A button, and how many `things` are to go.
    pub fn counted(
        suffix: &'static str,
        words: impl Into<Signal<&'static str>>,
        (open, things): (RwSignal<usize>, &'static str),
        run: impl Fn() + Send + Sync + 'static,
        stop: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let is_off = Signal::derive(move || open.get() > 0);
        let run = Callback::new(move |()| run());
        let going = move || {
            let open = open.get();
            (open > 0).then(|| (format!("{open} {things}"), None))
        };
        Self {
            starts: vec![(format!("measure{suffix}"), words.into(), is_off, run)],
            going: Signal::derive(going),
            suffix,
            stop: Callback::new(move |()| stop()),
        }
    }

    fn view(self) -> AnyView {
        let (going, stop) = (self.going, self.stop);
        let starts = self.starts.into_iter().map(|(id, words, is_off, run)| {
            view! { <button class="btn small" id=id disabled=is_off on:click=move |_| run.run(())>{words}</button> }
        });
        let bar = |Measuring { asked, came }: Measuring| {
            view! { <progress max=asked.to_string() value=came.to_string()></progress> }
        };
        let [said, end] = ["measuring{}", "measure{}-stop"].map(|id| id.replace("{}", self.suffix));
        let going = move || {
            let (said, end) = (said.clone(), end.clone());
            going.get().map(|(words, measuring)| {
                view! {
                    {measuring.map(bar)}
                    <span class="foot" id=said>{words}</span>
                    <button class="btn small" id=end on:click=move |_| stop.run(())>"Stop"</button>
                }
            })
        };
        view! { <div class="row tries">{starts.collect_view()}{going}</div> }.into_any()
    }
}

/// The block for cold start.
#[component]
pub fn Published() -> impl IntoView {
    let state = expect_context::<State>();
    let known = Memo::new(move |_| ColdStarts {
        paper: state.paper_answers(),
        yours: state.own_answers(),
    });
    let own_reading = Memo::new(move |_| {
        let own = state.scenario.with(|scenario| scenario.heuristic);
        HeuristicReading::ALL.iter().position(|r| *r == own)
    });
    let section = move || {
        let beside = Beside::of(&COLD_START, known);
        beside
            .marking(own_reading, "Your reading is marked.")
            .view()
    };
    let is_searching = Memo::new(move |_| {
        let seen = state.hunting.seen;
        seen.with(|seen| seen.is_some_and(|seen| seen.is_running))
    });
    let ask = move || {
        if state.settled.with(Option::is_some) && !is_searching.get() {
            state.ask_for_paper_soon();
        }
    };
    block(|| true, ask, section)
}

/// A table of a section, as what is known grows.
pub fn made<K: Send + Sync + 'static>(
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

pub fn notes<K: Send + Sync + 'static>(section: &'static Section<K>, known: Signal<K>) -> AnyView {
    let said = Memo::new(move |_| known.with(section.notes));
    let paragraphs = move || {
        let said = said.get().into_iter();
        said.map(|text| view! { <p>{text}</p> }).collect_view()
    };
    view! { <div class="notes">{paragraphs}</div> }.into_any()
}

/// Where the figures stand in print.
pub fn source<K>(section: &Section<K>) -> Option<impl IntoView + use<K>> {
    let source = section.source();
    (!source.is_empty()).then(|| view! { <p class="foot">{source}"."</p> })
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
