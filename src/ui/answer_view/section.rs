//! The sections of an answer view, and their blocks. Changes are made in place: an element stays as long as its
//! block is of the same kind, so that the keyboard's place, a zoom and a scroll survive an edit.

use super::chart::{ChartBlock, ChartState, ChartTools, OwnViews};
use super::claims::ClaimsTable;
use super::controls::Controls;
use super::gantt::PhasesOf;
use super::listing::ListingBlock;
use super::runs::{QueryProgress, Runs};
use super::step_state::{STEP, WalkBlock};
use super::{AnswerCommand, AnswerStore};
use crate::ui::canvas::FONT;
use crate::ui::lazy_bundle;
use crate::ui::theme::ThemeState;
use crate::ui::views::answer::SentenceView;
use crate::ui::views::formulas::FiguresView;
use crate::ui::views::headline::Headline;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::queue::Deferred;
use crate::ui::views::section::{Fold, Section, WhileOpen};
use crate::ui::views::table::TableView;
use crate::ui::views::terms::Explained;
use ::chart::svg;
use document::wire::interned;
use document::{
    Block, Chart, Choice, DeferredQuery, Figures, Name, Section as StorySection, Trigger, Verdict,
};
use leptos::prelude::*;
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

/// Width of a printed drawing [px]: it is scaled to 180 mm, which makes its smallest type 7 points.
const PRINTED_PX: f64 = 860.0;
/// The section with the answer itself.
pub const ANSWER: Name = "answer";
/// The sections with a picture of it, under which stands its reason; one of them is there.
const PICTURES: [Name; 2] = ["picture", "memory"];

/// Returns true if a section belongs to the summary, which follows every edit at once.
pub fn is_summary(id: Name) -> bool {
    id == ANSWER || PICTURES.contains(&id)
}

/// Question, headline, lead and figures.
#[component]
pub fn Answer(
    /// The question.
    question: &'static str,
    /// The class of the figures.
    class: &'static str,
    /// View beside the proof, and below the lead.
    #[prop(optional, into)]
    side_view: ViewFn,
    #[prop(optional, into)] below: ViewFn,
) -> impl IntoView {
    let store = expect_context::<AnswerStore>();
    // Where there is no plan: why, and what would help.
    let way_out = Memo::new(move |_| {
        let answer = store
            .section(ANSWER)
            .unwrap_or_else(|| StorySection::new(ANSWER, ""));
        let found = answer.blocks.into_iter().find_map(|block| match block {
            Block::Try(said, all) => Some((said, all)),
            _ => None,
        });
        found.unwrap_or_default()
    });
    let has_way_out = Memo::new(move |_| way_out.with(|(_, all)| !all.is_empty()));
    let out = move || {
        let reason = store.verdict().filter(|_| has_way_out.get())?.reason;
        Some(view! {
            <p class="reason" id="reason"><SentenceView sentence=reason/></p>
            <div class="way-out"><Choices all=way_out/></div>
        })
    };
    let words = Signal::from(Memo::new(move |_| store.verdict()));
    let figures = Memo::new(move |_| {
        let answer = store.section(ANSWER)?;
        let note = answer.blocks.iter().find_map(|block| match block {
            Block::Note(words) => Some(words.clone()),
            _ => None,
        });
        let figures = answer.blocks.into_iter().find_map(|block| match block {
            Block::Figures(figures) => Some(figures),
            _ => None,
        });
        figures.map(|figures| (figures, note))
    });
    let asked = RwSignal::new(None);
    let shown = move |(figures, foot): (Figures, Option<String>)| {
        view! { <FiguresView class=class figures=figures foot=foot asked=asked/> }
    };
    // Where the headline says the whole, it can be asked for the formula.
    let whole = Memo::new(move |_| {
        let whole = figures.with(|found| found.as_ref()?.0.total.clone());
        whole.filter(|whole| {
            let shown = whole.text();
            let is_it = |(text, strong): &(String, bool)| *strong && *text == shown;
            let says = |words: &Verdict| words.headline.runs.iter().any(is_it);
            words.with(|words: &Option<Verdict>| words.as_ref().is_some_and(says))
        })
    });
    let figure = Signal::derive(move || whole.get().map(|whole| (whole, asked)));
    view! {
        <Headline
            question=question
            waiting="Searching for a first plan."
            words=words
            figure=figure
            stop=Callback::new(move |()| store.stop())
            again=Callback::new(move |()| store.retry())
            side_view=side_view
            below=below
        />
        {move || figures.get().map(shown)}
        {out}
    }
}

/// Sections that have no fixed position on the page: a new one appears without further code.
#[component]
pub fn OtherSections(
    /// Sections that do not.
    but: &'static [Name],
) -> impl IntoView {
    let store = expect_context::<AnswerStore>();
    let ids = Memo::new(move |_| {
        store.sections.with(|all| {
            let ids = all.iter().map(|section| section.id);
            ids.filter(|id| *id != ANSWER && !but.contains(id))
                .collect::<Vec<Name>>()
        })
    });
    // Sections on the page stay as they are when another one arrives.
    view! { <For each=move || ids.get() key=|id| *id children=|id| view! { <SectionView id=id/> }/> }
}

/// A section of the answer view; absent while the view has none.
#[component]
pub fn SectionView(
    /// Its name.
    id: Name,
    /// View above its blocks.
    #[prop(optional, into)]
    above: Option<ViewFn>,
    /// View below its blocks.
    #[prop(optional, into)]
    below: Option<ViewFn>,
    /// View at the right of its title.
    #[prop(optional, into)]
    further: Option<ViewFn>,
) -> impl IntoView {
    let store = expect_context::<AnswerStore>();
    // Sections with views of the page's own exist for those.
    let stands = above.is_some() || further.is_some();
    let head = Memo::new(move |_| {
        store.sections.with(|all| {
            let section = all.iter().find(|section| section.id == id)?;
            let is_empty = section.blocks.is_empty() && !stands;
            (!is_empty).then(|| (section.folded, section.teaser.clone()))
        })
    });
    let title = Memo::new(move |_| {
        store.sections.with(|all| {
            let section = all.iter().find(|section| section.id == id);
            section.map_or_else(String::new, |section| section.title.clone())
        })
    });
    let all = Memo::new(move |_| {
        store
            .section(id)
            .map(|section| section.blocks)
            .unwrap_or_default()
    });
    let state = ChartState::new();
    let chart = Memo::new(move |_| all.with(|all| first_chart(all).cloned()));
    let further = StoredValue::new(further);
    let tools = move || {
        let further = further.with_value(|further| further.as_ref().map(ViewFn::run));
        view! { {further}<ChartTools chart=chart state=state/> }
    };
    let side_view = move || view! { <PhasesOf chart=chart state=state/> };
    let opens = Memo::new(move |_| {
        store.sections.with(|all| {
            let section = all.iter().find(|section| section.id == id);
            let opened = |more: &&DeferredQuery| more.when == Trigger::Opened;
            let more = section.into_iter().flat_map(|section| &section.more);
            let asks = more.filter(opened).map(|more| more.query.clone());
            asks.collect::<Vec<String>>()
        })
    });
    let reason = move || {
        // Without a plan it is above.
        let has_plan = store
            .section(ANSWER)?
            .blocks
            .iter()
            .any(|block| matches!(block, Block::Figures(_)));
        let words = store
            .verdict()
            .filter(|_| has_plan && PICTURES.contains(&id))?;
        Some(view! { <p class="reason" id="reason"><SentenceView sentence=words.reason/></p> })
    };
    let above = StoredValue::new(above);
    let below = StoredValue::new(below);
    let is_awaited = Memo::new(move |_| {
        store.sections.with(|all| {
            let section = all.iter().find(|section| section.id == id);
            section.is_some_and(StorySection::is_awaited)
        })
    });
    // What was ended is not awaited; what was not asked for yet is.
    let is_busy = Memo::new(move |_| {
        let was_ended = |run: &QueryProgress| run.of == id && !run.is_on;
        is_awaited.get() && !store.runs.with(|runs| runs.iter().any(was_ended))
    });
    move || {
        let (folded, holds) = head.get()?;
        let fold = match (folded, holds.is_empty()) {
            (true, _) => Fold::Folded,
            // What says what is in it can be folded.
            (false, false) => Fold::Open,
            (false, true) => Fold::Never,
        };
        let open = Callback::new(move |()| {
            if opens.with(|asks| !asks.is_empty()) {
                store.command(AnswerCommand::Open(id));
            }
        });
        Some(view! {
            <Section id=id title=title fold=fold holds=holds side_view=side_view tools=tools>
                <WhileOpen run=open/>
                <Faults id=id/>
                <Runs id=id/>
                {above.with_value(|above| above.as_ref().map(ViewFn::run))}
                <div class="blocks" aria-busy=move || is_busy.get().to_string()>{blocks(all.into(), id, Some(state))}</div>
                {below.with_value(|below| below.as_ref().map(ViewFn::run))}
                {reason}
            </Section>
        })
    }
}

/// A section without a head of its own: what belongs to the answer above it.
#[component]
pub fn Bare(
    /// Its name.
    id: Name,
) -> impl IntoView {
    let store = expect_context::<AnswerStore>();
    let title = Memo::new(move |_| {
        store.sections.with(|all| {
            let section = all.iter().find(|section| section.id == id);
            section.map(|section| section.title.clone())
        })
    });
    let all = Memo::new(move |_| {
        store
            .section(id)
            .map(|section| section.blocks)
            .unwrap_or_default()
    });
    move || {
        let title = title.get()?;
        Some(view! {
            <section id=id aria-label=title>
                <Faults id=id/>
                {blocks(all.into(), id, None)}
            </section>
        })
    }
}

/// The chart of a section as a drawing with its table, in place of the picture of the screen.
#[component]
pub fn Printed(
    /// The section.
    of: Name,
) -> impl IntoView {
    let store = expect_context::<AnswerStore>();
    let theme = expect_context::<ThemeState>();
    move || {
        let section = store.section(of)?;
        let chart = first_chart(&section.blocks)?;
        let picture = chart.drawing.sheet(&chart.title, PRINTED_PX);
        let drawing = svg(&picture, &theme.palette().ok()?, FONT);
        let table = Arc::new(chart.table.clone()?);
        let title = section.title.clone();
        Some(view! {
            <Section id="print-drawing" title=title class="on-paper-drawing">
                <div inner_html=drawing.clone()></div>
                <TableView table=Signal::stored(table.clone()) id="print-timeline"/>
            </Section>
        })
    }
}

/// Why something of a section was not found out.
#[component]
fn Faults(id: Name) -> impl IntoView {
    let store = expect_context::<AnswerStore>();
    move || {
        let of = store.faults.with(|all| {
            let of = all.iter().filter(|(section, _)| *section == id);
            of.map(|(_, fault)| fault.clone()).collect::<Vec<_>>()
        });
        let is_any = !of.is_empty();
        is_any.then(
            || view! { <p class="fault" id=format!("{id}-fault") role="status">{of.join(" ")}</p> },
        )
    }
}

/// Kind and name that an element is made for. The element is reused for as long as there is such a block, wherever it moves.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Shape(Discriminant<Block>, Name);

fn shape(block: &Block) -> Shape {
    let name = match block {
        Block::Table(table) | Block::Marked(table, _) => table.name,
        Block::Claims(claims) => claims.id,
        Block::Walk(walk) => walk.control.id,
        Block::Listing(listing) => listing.id,
        Block::Fold(title, _) => interned(title),
        Block::Chart(chart) => chart.id,
        Block::Deferred(later) => later.id,
        _ => "",
    };
    Shape(discriminant(block), name)
}

/// The blocks by their shapes, each with how many of the same came before it.
fn shapes(all: &[Block]) -> Vec<(Shape, usize)> {
    let all: Vec<Shape> = all.iter().map(shape).collect();
    let before = |at: usize| all[..at].iter().filter(|one| **one == all[at]).count();
    let numbered = |at: usize| (all[at].clone(), before(at));
    (0..all.len()).map(numbered).collect()
}

/// The chart whose tools are beside its section's title.
fn first_chart(all: &[Block]) -> Option<&Chart> {
    all.iter().find_map(|block| match block {
        Block::Chart(chart) => Some(chart),
        _ => None,
    })
}

/// Blocks one under the other; `elsewhere` is the state of the first chart, where its tools stand elsewhere.
pub fn blocks(all: Signal<Vec<Block>>, within: Name, elsewhere: Option<ChartState>) -> AnyView {
    let keys = Memo::new(move |_| all.with(|all| shapes(all)));
    let one = move |(wanted, before): (Shape, usize)| {
        let is_first =
            || all.with_untracked(|all| first_chart(all).map(|chart| chart.id)) == Some(wanted.1);
        let state = elsewhere.filter(|_| is_first());
        let block = Memo::new(move |_| {
            all.with(|all| {
                let mut alike = all.iter().filter(|block| shape(block) == wanted);
                alike.nth(before).cloned()
            })
        });
        block_view(block, within, state)
    };
    view! { <For each=move || keys.get() key=Clone::clone children=one/> }.into_any()
}

/// Reads a part of a block, for as long as it is of the kind that its element was made for.
macro_rules! part {
    ($block:ident, $pattern:pat => $value:expr) => {
        Memo::new(move |_| {
            $block.with(|block| match block {
                Some($pattern) => $value,
                _ => Default::default(),
            })
        })
    };
}

fn block_view(block: Memo<Option<Block>>, within: Name, state: Option<ChartState>) -> AnyView {
    if let Some(own) = use_context::<OwnViews>().and_then(|own| (own.block)(block, within)) {
        return own;
    }
    match block.get_untracked() {
        None => ().into_any(),
        Some(Block::Answer(words)) => {
            view! { <p><SentenceView sentence=words.headline/>" ("{words.proof}")"</p> }.into_any()
        }
        Some(Block::Paragraph(_)) => {
            let said = part!(block, Block::Paragraph(sentence) => sentence.clone());
            view! { <p>{move || view! { <SentenceView sentence=said.get()/> }}</p> }.into_any()
        }
        Some(Block::Note(_)) => {
            let said = part!(block, Block::Note(words) => words.clone());
            view! { <p class="foot">{said}</p> }.into_any()
        }
        Some(Block::Figures(_)) => {
            let figures = part!(block, Block::Figures(figures) => figures.clone());
            let shown = move || {
                view! { <FiguresView class="" figures=figures.get() within=within/> }
            };
            shown.into_any()
        }
        Some(Block::Chart(_)) => {
            let chart = part!(block, Block::Chart(chart) => Some(chart.clone()));
            view! { <Deferred><ChartBlock chart=chart state=state/></Deferred> }.into_any()
        }
        Some(Block::Try(..)) => {
            let all = part!(block, Block::Try(said, all) => (said.clone(), all.clone()));
            view! { <Choices all=all/> }.into_any()
        }
        Some(Block::Columns(_)) => {
            let columns = part!(block, Block::Columns(columns) => columns.clone());
            view! { <Columns columns=columns within=within/> }.into_any()
        }
        Some(Block::Controls(_)) => {
            let dials = part!(block, Block::Controls(dials) => Some(dials.clone()));
            view! { <Controls dials=dials/> }.into_any()
        }
        Some(Block::Deferred(later)) => {
            let inner = part!(block, Block::Deferred(later) => later.blocks.clone());
            let id = match later.button {
                Some(_) => format!("{}-found", later.id),
                None => later.id.to_owned(),
            };
            let store = expect_context::<AnswerStore>();
            let press = Callback::new(move |()| store.command(AnswerCommand::Press(later.id)));
            let ask = later
                .button
                .map(|words| view! { <QueryTrigger id=later.id named=later.id.to_owned() words=words press=press/> });
            view! { {ask}<div class="later" id=id>{blocks(inner.into(), within, None)}</div> }
                .into_any()
        }
        Some(
            Block::Table(_)
            | Block::Marked(..)
            | Block::Walk(_)
            | Block::Claims(_)
            | Block::Listing(_)
            | Block::Code(_)
            | Block::Terms(_)
            | Block::Tabs(..)
            | Block::Fold(..),
        ) => lazy_bundle::lazy_view(move |later| (later.block)(block, within)),
    }
}

/// Renders the alternatives of a block as tabs, if it has any.
pub fn ways_block(block: Memo<Option<Block>>, within: Name) -> Option<AnyView> {
    block.with_untracked(|block| matches!(block, Some(Block::Tabs(..))).then_some(()))?;
    let ways = part!(block, Block::Tabs(said, ways) => (said.clone(), ways.clone()));
    Some(view! { <Tabs ways=ways within=within/> }.into_any())
}

/// A block that only few first answers show.
pub fn later_block(block: Memo<Option<Block>>, within: Name) -> AnyView {
    match block.get_untracked() {
        Some(Block::Table(table)) => {
            let rows = part!(block, Block::Table(table) => Arc::new(table.clone()));
            let id = interned(&format!("{}-table", table.name));
            // A table with a row for each step marks the one that is looked at.
            let is_stepped = table
                .columns
                .first()
                .is_some_and(|column| column.key == STEP);
            let step = use_context::<AnswerStore>()
                .filter(|_| is_stepped)
                .map(|store| store.control_value(STEP));
            let marked = Signal::derive(move || step?.get().map(|step| step as usize));
            view! { <TableView table=rows id=id marked=marked capped=true/> }.into_any()
        }
        Some(Block::Marked(table, _)) => {
            let rows = part!(block, Block::Marked(table, _) => Arc::new(table.clone()));
            let marked = part!(block, Block::Marked(_, row) => Some(*row));
            view! { <TableView table=rows id=interned(&format!("{}-table", table.name)) marked=marked capped=true/> }
                .into_any()
        }
        Some(Block::Walk(_)) => {
            let walk = part!(block, Block::Walk(walk) => Some(walk.clone()));
            view! { <WalkBlock walk=walk/> }.into_any()
        }
        Some(Block::Claims(_)) => {
            let claims = part!(block, Block::Claims(claims) => claims.clone());
            view! { <ClaimsTable claims=claims/> }.into_any()
        }
        Some(Block::Listing(_)) => {
            let listing = part!(block, Block::Listing(listing) => listing.clone());
            view! { <ListingBlock listing=listing/> }.into_any()
        }
        Some(Block::Code(_)) => {
            let text = part!(block, Block::Code(text) => text.clone());
            view! { <pre class="code" tabindex="0">{text}</pre> }.into_any()
        }
        Some(Block::Terms(_)) => {
            let all = part!(block, Block::Terms(all) => all.clone());
            let rows = move || {
                let row = |(name, meaning): (String, String)| {
                    view! { <dt><Explained text=name/></dt><dd>{meaning}</dd> }
                };
                all.get().into_iter().map(row).collect_view()
            };
            view! { <dl class="rules">{rows}</dl> }.into_any()
        }
        Some(Block::Tabs(..)) => ways_block(block, within).into_any(),
        Some(Block::Fold(title, _)) => {
            let inner = part!(block, Block::Fold(_, inner) => inner.clone());
            view! { <Folded title=title inner=inner within=within/> }.into_any()
        }
        _ => ().into_any(),
    }
}

/// Changes to try.
#[component]
pub fn Choices(all: Memo<(String, Vec<Choice>)>) -> impl IntoView {
    let store = expect_context::<AnswerStore>();
    let buttons = move || {
        let (said, all) = all.get();
        let button = |choice: Choice| {
            let id = (!choice.id.is_empty()).then_some(choice.id);
            let edit = choice.edit;
            let press = move |_| _ = store.apply(edit.clone());
            view! { <button class="btn small try" id=id on:click=press>{choice.words}</button> }
        };
        let said = (!said.is_empty()).then(|| view! { <span class="foot">{said}</span> });
        view! { {said}{all.into_iter().map(button).collect_view()} }
    };
    view! { <div class="row tries">{buttons}</div> }
}

/// Label of the group, and the alternatives by name.
type NamedWays = (String, Vec<(String, Vec<Block>)>);

/// Tabs, one of them shown.
#[component]
fn Tabs(ways: Memo<NamedWays>, within: Name) -> impl IntoView {
    // Each way says what it is.
    provide_context(Titled(false));
    let chosen = RwSignal::new(0_usize);
    let names = Memo::new(move |_| {
        ways.with(|(_, ways)| {
            ways.iter()
                .map(|(name, _)| name.clone())
                .collect::<Vec<_>>()
        })
    });
    let now = Memo::new(move |_| chosen.get().min(names.with(Vec::len).saturating_sub(1)));
    let inner = Memo::new(move |_| {
        ways.with(|(_, ways)| {
            let way = ways.get(now.get());
            way.map(|(_, blocks)| blocks.clone()).unwrap_or_default()
        })
    });
    let radio = move |(at, name): (usize, String)| {
        view! {
            <button role="radio" aria-checked=move || (now.get() == at).to_string() on:click=move |_| chosen.set(at)>{name}</button>
        }
    };
    let radios = move || {
        let all = names.get().into_iter().enumerate();
        all.map(radio).collect_view()
    };
    view! {
        <div class="ways">
            <div class="seg small" role="radiogroup" aria-label=move || ways.with(|(said, _)| said.clone())>{radios}</div>
            {blocks(inner.into(), within, None)}
        </div>
    }
}

/// True if charts show their titles, where several are side by side.
#[derive(Clone, Copy)]
pub struct Titled(pub bool);

/// Blocks side by side where there is room.
#[component]
fn Columns(columns: Memo<Vec<Vec<Block>>>, within: Name) -> impl IntoView {
    provide_context(Titled(true));
    let count = Memo::new(move |_| columns.with(Vec::len));
    let column = move |at: usize| {
        let inner = Memo::new(move |_| {
            columns.with(|columns| columns.get(at).cloned().unwrap_or_default())
        });
        view! { <div>{blocks(inner.into(), within, None)}</div> }
    };
    view! { <div class="beside">{move || (0..count.get()).map(column).collect_view()}</div> }
}

/// Blocks behind a disclosure.
#[component]
fn Folded(title: String, inner: Memo<Vec<Block>>, within: Name) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let turn = move |event: web_sys::Event| {
        let fold: web_sys::HtmlDetailsElement = event_target(&event);
        is_open.set(is_open.get_untracked() || fold.open());
    };
    view! {
        <details class="fold" on:toggle=turn>
            <summary><Icon glyph=Glyph::Right/>{title}</summary>
            {move || is_open.get().then(|| blocks(inner.into(), within, None))}
        </details>
    }
}

/// Asks for what belongs into a place.
#[component]
pub fn QueryTrigger(
    /// The place.
    id: Name,
    /// Label of its button.
    named: String,
    words: (String, String),
    press: Callback<()>,
    /// True if it is disabled.
    #[prop(optional, into)]
    is_off: Signal<bool>,
) -> impl IntoView {
    let store = expect_context::<AnswerStore>();
    let share = Memo::new(move |_| {
        store.searching.with(|all| {
            let found = all.iter().find(|(of, _)| *of == id);
            found.map(|(_, share)| *share)
        })
    });
    let is_on = Memo::new(move |_| share.get().is_some());
    let (ask, meanwhile) = words;
    view! {
        <div class="row">
            <button class="btn small" id=named disabled=move || is_on.get() || is_off.get() on:click=move |_| press.run(())>
                {move || if is_on.get() { meanwhile.clone() } else { ask.clone() }}
            </button>
            {move || share.get().flatten().map(|share| view! { <progress max="1" value=share.to_string()></progress> })}
            {move || is_on.get().then(|| view! {
                <button class="btn quiet small" id=format!("{id}-stop") on:click=move |_| store.end()>"Stop"</button>
            })}
        </div>
    }
}
