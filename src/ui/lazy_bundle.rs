//! The bundle of views that no first answer needs: reading links and files, saved scenarios, comparison, machine catalogue. It is
//! loaded before all else if the page opens with a link or a saved scenario, otherwise after the first answer. The rest of the
//! page may use these modules through here only.

use super::address::Visit;
use super::answer_view::{self, ExportBlock, Printed};
use super::common::learn_links;
use super::files::Dropped;
use super::pins::Pins;
use super::questions::Questions;
use super::shell::{Banner, Shell};
use super::views::catalogue::CatalogueDialog;
use super::views::pins::CompareView;
use super::views::ranges::RangesView;
use super::views::sensitivity::WhatHelps;
use super::views::table::{TableView, Tabled};
use super::views::{import, paste, random};
use super::{address, files, pins, start, workspace};
use ::chart::{ChartSpec, LAYOUTERS, LayouterFn, Palette, Picture};
use document::{Block, Name};
use engine::scenario::learn_all;
use engine::scenario::world::World;
use leptos::prelude::*;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use web_sys::File;

/// Entry points of the bundle.
pub struct LazyBundle {
    /// Parses a fragment that is more than a name.
    pub opened: fn(&str) -> Visit,
    /// Returns the scenario that the page opens with: that of a link, or the one worked on last.
    pub opening_scenario: fn(Option<World>) -> Option<World>,
    /// Opens a file that was chosen or dropped.
    pub open_files: fn(Questions, Vec<File>),
    /// The start.
    pub start: fn() -> AnyView,
    /// Dialogs that are not a question's own.
    pub dialogs: fn() -> AnyView,
    /// Comparison of pinned answers.
    pub compared: fn() -> AnyView,
    /// Sensitivity; the signal changes with every edit of the scenario.
    pub helps: fn(Signal<()>) -> AnyView,
    /// Ranges in the place of points, likewise.
    pub ranges: fn(Signal<()>) -> AnyView,
    /// Exports of an answer, with additional arguments of the command.
    pub export_view: fn(Signal<String>) -> AnyView,
    /// The dialog that takes a table.
    pub paste: fn(paste::TypedText) -> AnyView,
    /// The dialog that makes a random fleet.
    pub random: fn(RwSignal<bool>, random::Fields) -> AnyView,
    /// The dialog that takes a model.
    pub import_view: fn(import::ImportDialog) -> AnyView,
    /// Takes a model that fell on the page.
    pub import_dropped: fn(import::ImportDialog, Dropped),
    /// Pins the answer shown.
    pub pin: fn(Pins),
    /// How charts are held that no first answer shows.
    pub layouters: &'static [LayouterFn],
    /// A chart with its title and its legend.
    pub sheet: fn(&ChartSpec, &str, f64) -> Picture,
    /// A picture as a file.
    pub svg: fn(&Picture, &Palette, &str) -> String,
    /// The chart of a section on paper.
    pub printed: fn(Name) -> AnyView,
    /// A table.
    pub table: fn(Tabled) -> AnyView,
    /// Blocks that no first answer shows.
    pub block: fn(Memo<Option<Block>>, Name) -> AnyView,
    /// Starts what runs from then on: restores and saves pins.
    pub goes_on: fn(),
}

static ALL: LazyBundle = LazyBundle {
    opened: address::opened,
    opening_scenario: workspace::find,
    open_files: files::open,
    start: || view! { <start::Start/> }.into_any(),
    dialogs: || view! { <CatalogueDialog/><workspace::ScenariosDialog/> }.into_any(),
    compared: || view! { <CompareView/> }.into_any(),
    helps: |edited| view! { <WhatHelps edited=edited/> }.into_any(),
    ranges: |edited| view! { <RangesView edited=edited/> }.into_any(),
    export_view: |with| view! { <ExportBlock with=with/> }.into_any(),
    paste: paste::body,
    random: random::body,
    import_view: import::body,
    import_dropped: import::import_dropped,
    pin: |pins| pins.pin(),
    layouters: &LAYOUTERS,
    sheet: ChartSpec::sheet,
    svg: ::chart::svg,
    printed: |of| view! { <Printed of=of/> }.into_any(),
    table: |tabled| {
        let Tabled {
            table,
            id,
            marked,
            capped,
        } = tabled;
        view! { <TableView table=table id=id marked=marked capped=capped/> }.into_any()
    },
    block: answer_view::later_block,
    goes_on: pins::follow,
};

#[wasm_split(later_whole, fallible)]
fn later_whole() -> Result<&'static LazyBundle, SplitLoaderError> {
    learn_all();
    learn_links();
    Ok(&ALL)
}

/// Brings it, if it is not there yet.
///
/// # Errors
/// The bundle cannot be loaded.
pub async fn load() -> Result<&'static LazyBundle, SplitLoaderError> {
    later_whole().await
}

/// The bundle, once it is loaded. Cheap to copy.
#[derive(Clone, Copy)]
pub struct LazyBundleState(RwSignal<Option<&'static LazyBundle>>);

impl LazyBundleState {
    /// Creates the state at the start of the page.
    pub fn new(later: Option<&'static LazyBundle>) -> Self {
        Self(RwSignal::new(later))
    }

    /// It, once it is there; tracked.
    pub fn get(self) -> Option<&'static LazyBundle> {
        self.0.get()
    }

    /// It, if it is there already.
    pub fn now(self) -> Option<&'static LazyBundle> {
        self.0.get_untracked()
    }

    /// Brings it, and says so where it cannot be had.
    pub fn load(self, shell: Shell) {
        if self.now().is_some() {
            return;
        }
        leptos::task::spawn_local(async move {
            match load().await {
                Ok(later) => self.0.set(Some(later)),
                Err(_) => say_missing(shell),
            }
        });
    }
}

/// Says that it cannot be had.
pub fn say_missing(shell: Shell) {
    shell.banner.set(Some(Banner {
        title: "Part of the page could not be loaded.".into(),
        text: "What is here works, and your scenario is unchanged. Reload the page to try again."
            .into(),
        alert: true,
        details: None,
    }));
}

/// Shows a view of the bundle, once it is loaded.
pub fn lazy_view(view: impl Fn(&'static LazyBundle) -> AnyView + Send + 'static) -> AnyView {
    let rest = expect_context::<LazyBundleState>();
    (move || rest.get().map(&view)).into_any()
}

/// Exports of an answer.
#[component]
pub fn TakeAway(
    /// Additional arguments of the command.
    #[prop(optional, into)]
    with: Signal<String>,
) -> impl IntoView {
    lazy_view(move |later| (later.export_view)(with))
}
