//! What can be taken away: the command that gives the same answer, files of the order and of the split, the plan for a microcontroller runtime, print.

use super::OperatorsState;
use super::split::SplitShown;
use super::state::{Besides, Shown};
use crate::ui::download;
use crate::ui::views::take_away::{FileKind, SaveFile, TakeAway};
use engine::scenario::operators::Choice;
use engine::units::NARROW;
use job::operators::{self as answers, Documented, SplitDocument};
use leptos::prelude::*;
use report::operators::{
    SplitTold, arena_table, comparison, device_table, order_table, split_comparison, split_table,
    tflm, trace_table, variant_table,
};
use std::sync::Arc;
use story::Table;
use wasm_bindgen::JsValue;
use web_sys::{Blob, BlobPropertyBag};

/// What the files are made of: the order, what was found out besides, the split.
type Known = (Arc<Shown>, Besides, Cut);

/// The split on show, and what else is known of it.
#[derive(Clone, Default)]
struct Cut {
    shown: Option<Arc<SplitShown>>,
    /// Whether the search has come to its end.
    is_whole: bool,
    /// The best of the paper's search.
    ga: Option<answers::Cut>,
    /// Other devices.
    variants: Vec<answers::Variant>,
}

impl Cut {
    fn table(&self, make: impl FnOnce(&SplitTold<'_>) -> Table) -> String {
        let shown = self.shown.as_ref();
        shown.map_or_else(String::new, |shown| shown.table(make).to_csv())
    }
}
/// A file, and what makes it.
type File = (FileKind, fn(&Known) -> String);

const fn file(
    id: &'static str,
    what: &'static str,
    ending: &'static str,
    label: &'static str,
    make: fn(&Known) -> String,
) -> File {
    let kind = FileKind {
        id,
        what,
        ending,
        label,
    };
    (kind, make)
}

fn answer_json((shown, _, cut): &Known) -> String {
    let (scenario, plan) = (&*shown.scenario, &shown.plan);
    let split = cut.shown.as_ref().filter(|_| cut.is_whole);
    let split = split.map(|own| SplitDocument {
        best: &own.cut,
        bound_ms: own.splits.bound_ms,
        others: &own.splits.others,
        alone_ms: &own.splits.alone_ms,
    });
    let document = Documented {
        scenario,
        plan,
        split,
    };
    serde_json::to_string(&document).expect("plain data with text keys always serialises")
}

fn order_csv((shown, ..): &Known) -> String {
    let main = shown.main().map(|main| order_table(&shown.graph, main));
    main.unwrap_or_default().to_csv()
}

fn trace_csv((shown, ..): &Known) -> String {
    let orders: Vec<_> = shown.orders().collect();
    trace_table(&shown.graph, &orders).to_csv()
}

fn arena_csv((shown, ..): &Known) -> String {
    let arena = shown.plan.arena.as_ref();
    let table = arena.map(|arena| arena_table(&shown.graph, arena));
    table.unwrap_or_default().to_csv()
}

fn orders_csv((shown, besides, _): &Known) -> String {
    let goal = shown.scenario.objective;
    let (drawn, searched) = (besides.drawn.as_ref(), besides.searched.as_ref());
    comparison(goal, &shown.plan, drawn, searched).to_csv()
}

fn split_csv((.., cut): &Known) -> String {
    cut.table(split_table)
}

fn devices_csv((.., cut): &Known) -> String {
    let alone = cut.shown.as_ref().map(|shown| &*shown.splits.alone_ms);
    cut.table(|told| device_table(told, alone.unwrap_or_default()))
}

fn splits_csv((.., cut): &Known) -> String {
    let table = cut
        .shown
        .as_ref()
        .map(|shown| split_comparison(&shown.cut, &shown.splits, cut.ga.as_ref()));
    table.unwrap_or_default().to_csv()
}

fn variants_csv((.., cut): &Known) -> String {
    variant_table(&cut.variants).to_csv()
}

const GROUPS: [(&str, &[File]); 10] = [
    (
        "Scenario",
        &[file(
            "save-scenario",
            "scenario",
            "json",
            "JSON",
            |(shown, ..)| shown.scenario.to_json(),
        )],
    ),
    (
        "Answer",
        &[file("save-answer", "answer", "json", "JSON", answer_json)],
    ),
    (
        "Order",
        &[file("save-order", "order", "csv", "CSV", order_csv)],
    ),
    (
        "Steps",
        &[file("save-trace", "trace", "csv", "CSV", trace_csv)],
    ),
    (
        "Arena",
        &[file("save-arena", "arena", "csv", "CSV", arena_csv)],
    ),
    (
        "Comparison",
        &[file("save-orders", "orders", "csv", "CSV", orders_csv)],
    ),
    (
        "Slices",
        &[file("save-split", "split", "csv", "CSV", split_csv)],
    ),
    (
        "Devices",
        &[file("save-devices", "devices", "csv", "CSV", devices_csv)],
    ),
    (
        "Other cuts",
        &[file("save-splits", "splits", "csv", "CSV", splits_csv)],
    ),
    (
        "Other devices",
        &[file(
            "save-variants",
            "variants",
            "csv",
            "CSV",
            variants_csv,
        )],
    ),
];

/// The export block.
#[component]
pub fn Take() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let command = Signal::derive(move || {
        let command = state.common.command();
        match state.scenario.with(|scenario| scenario.for_link().graph) {
            Choice::File(wanted) => {
                let file = wanted.source.file.replace('\'', "'\\''");
                format!("{command} --onnx '{file}'")
            }
            Choice::Preset(_) | Choice::Custom(_) => command,
        }
    });
    let known = Callback::new(move |()| {
        let shown = state.shown.get_untracked()?;
        let split = &state.split;
        let (ga, variants) = split.found.with_untracked(|found| {
            let come = found.variants.iter().filter_map(|own| own.2.clone());
            (found.ga().cloned(), come.collect())
        });
        let cut = Cut {
            shown: split.shown.get_untracked(),
            is_whole: untrack(|| split.is_whole()),
            ga,
            variants,
        };
        Some((shown, state.besides.get_untracked(), cut))
    });
    let is_known = Signal::derive(move || state.shown.with(Option::is_some));
    let foot = Signal::derive(move || {
        let shown = state.shown.get()?;
        let main = shown.main()?;
        Some(format!(
            "Every order is replayed and checked, whichever method made it: {n} of {n} operators run after their inputs, and the peak is {} bytes. Computed in {:.1}{NARROW}ms.",
            main.peak,
            shown.millis,
            n = shown.graph.len()
        ))
    });
    let groups = move || {
        GROUPS
            .iter()
            .map(|(title, files)| {
                let buttons = files.iter().map(|(file, make)| {
                    let make = Callback::new(move |()| known.run(()).map(|known| make(&known)));
                    view! { <SaveFile file=*file of=*title is_ready=is_known make=make/> }
                });
                view! {
                    <dt>{*title}</dt>
                    <dd><span class="item">{buttons.collect_view()}</span></dd>
                }
            })
            .collect_view()
    };
    view! {
        <TakeAway command=command foot=foot>
            {groups()}
            <Runtime/>
        </TakeAway>
    }
}

/// The arena for TensorFlow Lite Micro: the buffer of its metadata, and the same as C++.
#[component]
fn Runtime() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let has_arena = Signal::derive(move || {
        state
            .shown
            .with(|shown| shown.as_ref().is_some_and(|s| s.plan.arena.is_some()))
    });
    let too_large =
        move || state.say("This arena is larger than the 2 GiB that 32-bit offsets can address.");
    let save_bytes = move |_| {
        let shown = state.shown.get_untracked();
        let Some(arena) = shown.as_ref().and_then(|s| s.plan.arena.as_ref()) else {
            return;
        };
        let (Some(bytes), Some(name)) = (tflm::buffer(arena), state.file_name("tflm", "bin"))
        else {
            return too_large();
        };
        let saved = as_blob(&bytes).and_then(|blob| download::blob(&name, &blob));
        state.say_saved(&name, &saved);
    };
    let header = Callback::new(move |()| {
        let shown = state.shown.get_untracked()?;
        let text = tflm::header(&shown.graph, shown.plan.arena.as_ref()?);
        if text.is_none() {
            too_large();
        }
        text
    });
    let kind = FileKind {
        id: "save-tflm-header",
        what: "tflm",
        ending: "h",
        label: "C++",
    };
    view! {
        <dt>"TFLite Micro"</dt>
        <dd><span class="item">
            <button class="btn small" id="save-tflm" aria-label="Save the offline memory plan: binary" disabled=move || !has_arena.get()
                on:click=save_bytes>"Binary"</button>
            <SaveFile file=kind of="Offline memory plan" is_ready=has_arena make=header/>
        </span></dd>
    }
}

/// Bytes as the browser saves them.
fn as_blob(bytes: &[u8]) -> Result<Blob, JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type("application/octet-stream");
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    Blob::new_with_u8_array_sequence_and_options(&parts, &options)
}
