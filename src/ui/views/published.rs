//! Published beside ours: what a paper claims, what is computed here on its own scenario, how far they agree, and
//! why not where they do not.

use crate::ui::measuring::Measuring;
use crate::ui::told::blocks;
use crate::ui::views::section::{self, WhileOpen};
use leptos::prelude::*;
use report::published::section::Section;

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
}

impl<K: Send + Sync + 'static> Beside<K> {
    /// A section, as far as what its figures are made of is `known`.
    pub fn of(section: &'static Section<K>, known: impl Into<Signal<K>>) -> Self {
        Self {
            section,
            known: known.into(),
            marked: (Signal::stored(None), ""),
            work: None,
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

    /// What is told of it.
    pub fn view(self) -> AnyView {
        let (section, known, (marked, words)) = (self.section, self.known, self.marked);
        let all = Memo::new(move |_| {
            let marked = marked.get().map(|row| (row, words));
            known.with(|known| section.shown(known).blocks(marked))
        });
        view! { {self.work}<div class="blocks">{blocks(all.into(), "published", None)}</div> }
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
