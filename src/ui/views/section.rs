//! A block of an answer: its title, tools at the right of it, and what it says. What a reader does not need first is folded: then
//! it is as a line, its content is not made, and nothing is asked for it. Which sections are open, the browser remembers for
//! each question. The list of them leads to each, unfolded.

use super::has_details;
use super::icons::{Glyph, Icon};
use super::queue::BuildQueue;
use crate::ui::first_paint::PageVisible;
use crate::ui::lazy_bundle::LazyBundleState;
use crate::ui::questions::Questions;
use crate::ui::shell::{Shell, is_phone};
use crate::ui::workspace;
use engine::scenario::Question;
use leptos::prelude::*;
use std::cmp::Ordering;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, Node, NodeList};

/// Initial state of a section, and if it can be collapsed.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Fold {
    /// It cannot.
    #[default]
    Never,
    /// It is open at first.
    Open,
    /// It is open at first, but folded on a phone.
    OnPhones,
    /// It is folded at first.
    Folded,
}

/// A section of the page.
#[derive(Clone, Copy)]
struct PageSection {
    id: &'static str,
    title: Signal<String>,
    /// Open state, if it can be collapsed.
    is_open: Option<RwSignal<bool>>,
    is_there: Signal<bool>,
    question: Question,
}

impl PageSection {
    /// Returns true if it is on the page; tracked. False for one that was just removed.
    fn is_on_page(&self) -> bool {
        self.is_there.try_get().unwrap_or_default()
    }

    /// Opens or folds it, and remembers that.
    fn set_open(&self, open: bool) {
        if let Some(is_open) = self.is_open {
            let _ = is_open.try_set(open); // one that is gone has nothing to show
            let place = place(self.question, self.id);
            workspace::remember(&place, if open { "open" } else { "folded" });
        }
    }
}

/// Where the browser keeps whether a section is open.
fn place(question: Question, id: &str) -> String {
    format!("edgewise.section.{}.{id}", question.name())
}

/// The sections of the page. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Sections {
    all: RwSignal<Vec<PageSection>>,
    queue: BuildQueue,
}

impl Sections {
    /// None yet; what is in them is built by the queue.
    pub fn new(queue: BuildQueue) -> Self {
        let all = RwSignal::new(Vec::new());
        Self { all, queue }
    }

    /// Adds one for as long as the calling component lives.
    fn add(self, section: PageSection) {
        let all = self.all;
        all.update(|all| all.push(section));
        on_cleanup(move || {
            let _ = all.try_update(|all| all.retain(|other| other.title != section.title));
        });
    }

    /// Unfolds a section and goes to its heading, or to an element in it.
    pub fn reveal(self, id: &'static str, within: Option<&'static str>) {
        let found = self.all.with_untracked(|all| {
            let mut all = all.iter();
            all.find(|section| section.id == id).copied()
        });
        if let Some(section) = found {
            section.set_open(true);
        }
        // What was folded is made first.
        let queue = self.queue;
        request_animation_frame(move || go_to(id, within, queue));
    }

    /// Returns the sections on the page, in order; tracked.
    fn listed(self) -> Vec<PageSection> {
        let there = |all: &Vec<PageSection>| {
            let there = all.iter().filter(|section| section.is_on_page());
            there.copied().collect::<Vec<_>>()
        };
        let element = |section: &PageSection| document().get_element_by_id(section.id);
        let mut listed = self.all.with(there);
        listed.sort_by(|a, b| match (element(a), element(b)) {
            (Some(a), Some(b))
                if a.compare_document_position(&b) & Node::DOCUMENT_POSITION_FOLLOWING != 0 =>
            {
                Ordering::Less
            }
            (Some(a), Some(b)) if a != b => Ordering::Greater,
            _ => Ordering::Equal,
        });
        listed
    }
}

/// Has the heading of a section, or an element in it, take the focus, and the section begin below the bar.
fn go_to(id: &str, within: Option<&str>, queue: BuildQueue) {
    let Some(section) = document().get_element_by_id(id) else {
        return;
    };
    let find = |selector: &str| section.query_selector(selector).ok().flatten();
    let heading = || find(".head h2 button").or_else(|| find(".head h2"));
    let target = match within {
        Some(id) => document().get_element_by_id(id),
        None => heading(),
    };
    if let Some(target) = target.and_then(|target| target.dyn_into::<HtmlElement>().ok()) {
        let _ = target.focus();
    }
    section.scroll_into_view();
    keep_at_top(section, queue);
}

/// Goes to a section again two frames later, and as long as something is built above it: what has been laid out since, and the list
/// that has closed, may have moved it.
fn keep_at_top(section: Element, queue: BuildQueue) {
    let again = move || {
        section.scroll_into_view();
        if untrack(|| queue.is_busy()) {
            keep_at_top(section, queue);
        }
    };
    request_animation_frame(move || request_animation_frame(again));
}

/// A section of an answer.
#[component]
pub fn Section(
    /// Its id.
    id: &'static str,
    /// Title.
    #[prop(into)]
    title: Signal<String>,
    /// Further classes.
    #[prop(optional)]
    class: &'static str,
    /// Initial state, and if it can be collapsed.
    #[prop(optional)]
    fold: Fold,
    /// Teaser beside the title while it is collapsed.
    #[prop(optional, into)]
    holds: String,
    /// True if it is on the page.
    #[prop(default = Signal::stored(true), into)]
    is_there: Signal<bool>,
    /// True to build its content even while it is collapsed, for descriptions that other elements refer to.
    #[prop(optional)]
    keeps: bool,
    /// View next to the title.
    #[prop(optional, into)]
    side_view: Option<ViewFn>,
    /// View at the right end of the title line.
    #[prop(optional, into)]
    tools: Option<ViewFn>,
    children: ChildrenFn,
) -> impl IntoView {
    let question = expect_context::<Shell>().question.get_untracked();
    let kept = workspace::remembered(&place(question, id));
    let is_open = RwSignal::new(match (fold, kept.as_deref()) {
        (Fold::Never, _) | (_, Some("open")) => true,
        (_, Some(_)) | (Fold::Folded, None) => false,
        (Fold::Open, None) => true,
        (Fold::OnPhones, None) => !is_phone(),
    });
    let section = PageSection {
        id,
        title,
        is_open: (fold != Fold::Never).then_some(is_open),
        is_there,
        question,
    };
    expect_context::<Sections>().add(section);
    let heading = match fold {
        Fold::Never => view! { <h2 tabindex="-1">{title}</h2> }.into_any(),
        _ => view! {
            <h2>
                <button
                    class="turn"
                    aria-expanded=move || is_open.get().to_string()
                    on:click=move |_| section.set_open(!is_open.get_untracked())
                >
                    <Icon glyph=Glyph::Right/>
                    {title}
                </button>
            </h2>
            {move || (!is_open.get()).then(|| view! { <span class="holds">{holds.clone()}</span> })}
        }
        .into_any(),
    };
    // Until there is an answer there is nothing to see in it, and then it is built in its turn: after what is seen first.
    let questions = expect_context::<Questions>();
    let seen = expect_context::<PageVisible>();
    let queue = expect_context::<BuildQueue>();
    let has_come = match fold {
        Fold::Never => Signal::stored(true),
        _ => queue.when_due(move || seen.is_it() && questions.is_settled()),
    };
    let is_shown = move || has_come.get() && is_open.get();
    let further = move || {
        is_shown().then(|| {
            let tools = tools
                .as_ref()
                .map(|tools| view! { <div class="tools">{tools.run()}</div> });
            view! { {side_view.as_ref().map(ViewFn::run)}{tools} }
        })
    };
    let content = match (fold, keeps) {
        (Fold::Never, _) => children(),
        (_, true) => {
            let kept = move || has_come.get().then(|| children());
            view! { <div hidden=move || !is_open.get()>{kept}</div> }.into_any()
        }
        _ => (move || is_shown().then(|| children())).into_any(),
    };
    view! {
        <section
            class=format!("block {class}")
            class:folded=move || !is_open.get()
            id=id
            hidden=move || !is_there.get()
        >
            <div class="head">{heading}{further}</div>
            {content}
        </section>
    }
}

/// Does something while the section that it is in is open, and again when what it reads changes.
#[component]
pub fn WhileOpen(run: Callback<()>) -> impl IntoView {
    Effect::new(move |_| run.run(()));
}

/// How high the list of the first paint is that is seen [px], and the titles in it; 0 and none where none is.
fn painted() -> (i32, Vec<String>) {
    let all = |within: Result<NodeList, JsValue>| {
        let found = within.ok().map_or(Vec::new(), |all| {
            (0..all.length()).filter_map(|at| all.get(at)).collect()
        });
        found.into_iter().map(Node::unchecked_into::<Element>)
    };
    let lists = all(document().query_selector_all("#static .on-this-page"));
    let seen = lists.max_by_key(Element::client_height);
    let seen = seen.filter(|list| list.client_height() > 0);
    seen.map_or((0, Vec::new()), |list| {
        let titles = all(list.query_selector_all("li")).filter_map(|one| one.text_content());
        (list.client_height(), titles.collect())
    })
}

/// The sections to go to.
#[component]
pub fn OnThisPage() -> impl IntoView {
    let sections = expect_context::<Sections>();
    let is_open = RwSignal::new(false);
    let listed = RwSignal::new(Vec::<PageSection>::new());
    // As long as sections are still to come, the list is that of the first paint, so that nothing jumps; those that have come can be
    // gone to.
    let (stands, queue) = (has_details(), expect_context::<BuildQueue>());
    let rest = expect_context::<LazyBundleState>();
    let is_whole = RwSignal::new(false);
    let have_all_come = move || stands.get() && rest.get().is_some() && !queue.is_busy();
    // The places of new ones are known once they stand, and whether more are to come once what has come is built.
    Effect::new(move |_| {
        have_all_come();
        sections
            .all
            .with(|all| all.iter().for_each(|section| _ = section.is_on_page()));
        request_animation_frame(move || {
            let now = untrack(|| sections.listed());
            let _ = listed.try_set(now);
            if is_whole.try_get_untracked() == Some(false) && untrack(have_all_come) {
                is_whole.set(true);
            }
        });
    });
    let (height, titles) = painted();
    let is_painted = move || !is_whole.get() && height > 0;
    let least = move || is_painted().then(|| format!("{height}px"));
    let links = move || {
        let link = |(painted, section): (String, Option<PageSection>)| {
            let go = move |_| {
                if let Some(section) = section {
                    is_open.set(false);
                    sections.reveal(section.id, None);
                }
            };
            // A section that goes takes its title along a moment before the list is made again.
            let title = move || match section {
                Some(section) => section.title.try_get().unwrap_or_default(),
                None => painted.clone(),
            };
            let waits = section.is_none().then_some("true");
            view! { <li><button aria-disabled=waits on:click=go>{title}</button></li> }
        };
        let listed = listed.get();
        let all: Vec<(String, Option<PageSection>)> = match is_painted() {
            true => {
                let is_it = |of: &PageSection, title: &String| {
                    of.title
                        .try_get_untracked()
                        .is_some_and(|own| own == *title)
                };
                let found = |title: &String| listed.iter().copied().find(|of| is_it(of, title));
                let all = titles.iter();
                all.map(|title| (title.clone(), found(title))).collect()
            }
            false => listed
                .into_iter()
                .map(|of| (String::new(), Some(of)))
                .collect(),
        };
        all.into_iter().map(link).collect_view()
    };
    view! {
        <nav class="on-this-page" id="on-this-page" aria-label="On this page" class:open=is_open style:min-height=least>
            <button
                class="turn"
                aria-expanded=move || is_open.get().to_string()
                on:click=move |_| is_open.update(|open| *open = !*open)
            >
                <Icon glyph=Glyph::Right/>
                "On this page"
            </button>
            <ul>{links}</ul>
        </nav>
    }
}
