//! Blocks of a story on the page: sentences, small print, tables, charts.

use super::answer::Spoken;
use super::parts::FiguresView;
use super::picture_files::TakePicture;
use super::section::{Fold, Section};
use super::table::TableView;
use crate::ui::canvas::{PictureCanvas, width_of};
use crate::ui::questions::Questions;
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;
use story::{Block, Chart, Table};

/// The width of a picture that has not been laid out yet [px].
const USUAL_PX: f64 = 960.0;

/// Sections of the answer on show that need nothing but to be shown.
#[component]
pub fn FurtherSections() -> impl IntoView {
    let questions = expect_context::<Questions>();
    let all = Memo::new(move |_| questions.further());
    let listed = Memo::new(move |_| {
        let of = |section: &story::Section| (section.id, section.title.clone(), section.folded);
        all.with(|all| all.iter().map(of).collect::<Vec<_>>())
    });
    let section = move |(id, title, folded): (&'static str, String, bool)| {
        let blocks = move || {
            let found = all.with(|all| all.iter().find(|section| section.id == id).cloned());
            found.map(|section| view! { <BlocksView blocks=section.blocks within=id/> })
        };
        let fold = if folded { Fold::Folded } else { Fold::Open };
        view! { <Section id=id title=title fold=fold>{blocks}</Section> }
    };
    move || listed.get().into_iter().map(section).collect_view()
}

/// Blocks one under the other.
#[component]
pub fn BlocksView(
    blocks: Vec<Block>,
    /// The section that they stand in.
    within: &'static str,
) -> impl IntoView {
    blocks
        .into_iter()
        .map(|one| block(one, within))
        .collect_view()
}

fn block(block: Block, within: &'static str) -> AnyView {
    match block {
        Block::Answer(words) => {
            view! { <p><Spoken sentence=words.headline/>" ("{words.proof}")"</p> }.into_any()
        }
        Block::Say(sentence) => view! { <p><Spoken sentence=sentence/></p> }.into_any(),
        Block::Note(words) => view! { <p class="foot">{words}</p> }.into_any(),
        Block::Figures(figures) => {
            view! { <FiguresView class="" figures=figures within=within/> }.into_any()
        }
        Block::Table(table) => table_view(table),
        Block::Chart(chart) => view! { <ChartBlock chart=chart/> }.into_any(),
        Block::Code(text) => view! { <pre class="code">{text}</pre> }.into_any(),
    }
}

fn table_view(table: Table) -> AnyView {
    let id = table.name;
    let table = Arc::new(table);
    view! { <TableView table=Signal::stored(table) id=id capped=true/> }.into_any()
}

/// A chart as it is drawn for files: with its title and its legend.
#[component]
fn ChartBlock(chart: Chart) -> impl IntoView {
    let holder = NodeRef::<Div>::new();
    let width = width_of(holder);
    let id = chart.id;
    let shown = chart.clone();
    let picture = Memo::new(move |_| {
        let width = width.get();
        let width = if width > 0.0 { width } else { USUAL_PX };
        Arc::new(shown.drawing.sheet(&shown.title, width))
    });
    let told = move || picture.with(|picture| picture.title.clone());
    let taken = Callback::new(move |width: f64| Some(chart.drawing.sheet(&chart.title, width)));
    view! {
        <div class="chart" role="img" aria-label=told node_ref=holder>
            <PictureCanvas picture=picture/>
        </div>
        <div class="tools"><TakePicture name=id label="chart" picture=taken/></div>
    }
}
