//! Pasting a table: a text, a file or a drop becomes layers or a fleet. What will be used is shown before it is;
//! what cannot be read stays as it is, with every fault by row and column.

use super::dialog::Dialog;
use super::tools::{Opener, assumed_of_machines, change_cold, cold, fits};
use crate::ui::files;
use crate::ui::lazy_bundle;
use crate::ui::questions::Questions;
use crate::ui::shell::Toast;
use engine::problem::Invalid;
use engine::scenario::paste::{self, GridFault, Refused};
use engine::scenario::world::{FactOrigin, World};
use engine::scenario::{LayerRow, LayerTable, Model, Question, fields};
use engine::units::{bytes, count, work};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Rows of a table that a preview shows.
const PREVIEWED: usize = 5;

/// A table as it would be used.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Preview {
    /// Summary.
    pub summary: String,
    /// Notes to read before it is used.
    pub notes: Vec<String>,
    /// Heads of the rows shown.
    pub heads: Vec<&'static str>,
    /// The first rows.
    pub rows: Vec<Vec<String>>,
    /// Rows that are not shown.
    pub more: usize,
}

/// A kind of table: its name and use.
struct Kind {
    /// Id of the dialog; the text has this and `-text`.
    id: &'static str,
    /// Description of the expected text.
    intro: &'static str,
    /// On the button that puts the present table in.
    present: &'static str,
    /// True if it has a name of its own.
    is_named: bool,
    /// The present table as text.
    text: fn(&World) -> String,
    /// Returns the result of pasting a text into a scenario for a question.
    preview: fn(&str, &World, Question) -> Result<Preview, Refused>,
    /// Puts it into the scenario of all questions.
    apply: fn(Pasted<'_>, Questions) -> Result<(), String>,
}

/// A table that is to be used.
struct Pasted<'a> {
    text: &'a str,
    /// The name it was given.
    name: &'a str,
    /// The file that it is from; empty where it was typed.
    file: &'a str,
}

/// Layers.
static LAYERS: Kind = Kind {
    id: "paste-layers",
    intro: "One row per layer: W in FLOP, A and P in bytes, from a spreadsheet, a CSV file or a text. Headers, units and \
            decimal commas are read.",
    present: "Start from this model",
    is_named: true,
    text: |world| {
        let scenario = cold(world);
        let layers = scenario.map_or_else(Vec::new, |s| s.model.layers_at(s.prompt_tokens));
        let rows = layers.iter().map(|l| LayerRow {
            W: l.work,
            A: l.activation,
            P: l.weights,
        });
        paste::layers_text(&rows.collect::<Vec<_>>())
    },
    preview: |text, _, _| {
        let table = paste::layers(text)?;
        let rows = &table.rows;
        let noun = if rows.len() == 1 { "layer" } else { "layers" };
        let summary = format!(
            "{} {noun}, {} to compute, {} of weights",
            count(rows.len() as f64),
            work(rows.iter().map(|row| row.W).sum()),
            bytes(rows.iter().map(|row| row.P).sum())
        );
        let row = |(at, row): (usize, &LayerRow)| {
            vec![
                (at + 1).to_string(),
                work(row.W),
                bytes(row.A),
                bytes(row.P),
            ]
        };
        Ok(Preview {
            summary,
            notes: table.notes,
            heads: vec!["Layer", "W", "A", "P"],
            rows: rows.iter().enumerate().take(PREVIEWED).map(row).collect(),
            more: rows.len().saturating_sub(PREVIEWED),
        })
    },
    apply: |pasted, questions| {
        let layers = read(paste::layers(pasted.text))?.rows;
        let name = pasted.name.to_owned();
        let done = change_cold(questions, |scenario, _| {
            scenario.model = Model::Table(LayerTable { name, layers });
        });
        done.map_err(error_text)
    },
};

/// A table that a preview has shown to be good.
fn read<T>(table: Result<T, Refused>) -> Result<T, String> {
    table.map_err(|refused| {
        let first = refused.faults.into_iter().next();
        first.map_or_else(String::new, |fault| fault.message)
    })
}

fn error_text(fault: Invalid) -> String {
    format!("{fault}.")
}

/// A fleet.
static FLEET: Kind = Kind {
    id: "paste-fleet",
    intro: "One row per device: name, compute, disk, memory, and any other number of a device. Headers decide which column is \
            which; units and decimal commas are read. What the table leaves out is assumed.",
    present: "Start from this fleet",
    is_named: false,
    text: paste::fleet_text,
    preview: |text, world, question| {
        let table = paste::fleet(text)?;
        let mut world = world.clone();
        let kept = world.put_fleet(&table.rows, &FactOrigin::Given, 0);
        let kept = kept.map_err(|fault| Refused::of_table(error_text(fault)))?;
        let view = fits(&world, question).map_err(|fault| Refused::of_table(error_text(fault)))?;
        let devices = cold(&world).map_or_else(Vec::new, |scenario| scenario.devices);
        Ok(Preview {
            summary: fleet_summary(&devices),
            notes: [table.notes, kept, assumed_of_machines(&world, &view)].concat(),
            ..fleet_rows(&devices, PREVIEWED)
        })
    },
    apply: |pasted, questions| {
        let rows = read(paste::fleet(pasted.text))?.rows;
        let origin = match pasted.file {
            "" => FactOrigin::Given,
            file => FactOrigin::File(file.to_owned()),
        };
        let first = questions.shell.free_ids();
        let done = questions.change(|world| {
            // That it can be put there, the preview has shown.
            let _ = world.put_fleet(&rows, &origin, first);
        });
        done.map_err(error_text)
    },
};

/// "5 devices, 54.0 GB".
pub fn fleet_summary(devices: &[engine::scenario::Device]) -> String {
    let memory: f64 = devices.iter().map(|d| d.m_gb * 1e9).sum();
    let noun = if devices.len() == 1 {
        "device"
    } else {
        "devices"
    };
    format!("{} {noun}, {}", devices.len(), bytes(memory))
}

/// The first devices as rows.
pub fn fleet_rows(devices: &[engine::scenario::Device], most: usize) -> Preview {
    let row = |d: &engine::scenario::Device| {
        let numbers = [d.c_peak_tflops, d.r_mb_s, d.m_gb, d.d_m];
        let numbers = numbers.map(|n| n.to_string());
        [d.name.clone()].into_iter().chain(numbers).collect()
    };
    Preview {
        heads: vec!["Device", "TFLOPS", "Disk MB/s", "Memory GB", "To AP m"],
        rows: devices.iter().take(most).map(row).collect(),
        more: devices.len().saturating_sub(most),
        ..Preview::default()
    }
}

/// Which table.
#[derive(Clone, Copy)]
pub enum TableKind {
    /// Layers.
    Layers,
    /// A fleet.
    Fleet,
}

/// Typed text. It outlives the dialog, so that closing it loses nothing. Cheap to copy.
#[derive(Clone, Copy)]
pub struct TypedText {
    table: TableKind,
    open: RwSignal<bool>,
    text: RwSignal<String>,
    /// The file that the text is from, as long as no one changed it.
    file: RwSignal<String>,
}

/// The button and its dialog.
#[component]
pub fn Paste(table: TableKind) -> impl IntoView {
    let open = RwSignal::new(false);
    let (text, file) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let typed = TypedText {
        table,
        open,
        text,
        file,
    };
    let (id, label, title) = match table {
        TableKind::Layers => ("paste-layers", "Paste layers", "Paste a table of layers"),
        TableKind::Fleet => ("paste-fleet", "Paste a table", "Paste a fleet"),
    };
    view! {
        <Opener id=format!("{id}-open") label=label open=open/>
        <Dialog id=id title=title open=open wide=true>
            {lazy_bundle::lazy_view(move |later| (later.paste)(typed))}
        </Dialog>
    }
}

/// Content of the dialog.
pub fn body(typed: TypedText) -> AnyView {
    let TypedText {
        table,
        open,
        text,
        file,
    } = typed;
    let kind = match table {
        TableKind::Layers => &LAYERS,
        TableKind::Fleet => &FLEET,
    };
    let questions = expect_context::<Questions>();
    let common = questions.shell.common;
    let name = RwSignal::new("Pasted layers".to_owned());
    // Faults that only the whole scenario has, and of files that are no text.
    let trouble = RwSignal::new(None::<String>);
    let read = Memo::new(move |_| {
        let question = common.view.with(|view| view.scenario.question());
        let is_blank = text.with(|text| text.trim().is_empty());
        (!is_blank)
            .then(|| text.with(|text| common.with(|world| (kind.preview)(text, world, question))))
    });
    let is_good = move || read.with(|read| matches!(read, Some(Ok(_))));
    let put = move |new: String, from: String| {
        trouble.set(None);
        file.set(from);
        text.set(new);
    };
    let take_file = move |file: web_sys::File| {
        files::read(file, move |name, read| match read {
            Ok(read) => put(read, name),
            Err(why) => trouble.set(Some(format!("{name}: {why}"))),
        });
    };
    let apply = move |_| {
        let done = text.with_untracked(|text| {
            let (name, file) = (name.get_untracked(), file.get_untracked());
            let pasted = Pasted {
                text,
                name: name.trim(),
                file: &file,
            };
            (kind.apply)(pasted, questions)
        });
        match done {
            Ok(()) => {
                let summary = read.with_untracked(|read| match read {
                    Some(Ok(preview)) => preview.summary.clone(),
                    _ => String::new(),
                });
                open.set(false);
                put(String::new(), String::new());
                questions.shell.toast.set(Some(Toast {
                    text: format!("{summary}."),
                    undo: true,
                }));
            }
            Err(why) => trouble.set(Some(why)),
        }
    };
    let choose = NodeRef::<leptos::html::Input>::new();
    let text_id = format!("{}-text", kind.id);
    view! {
        <div class="dialog-body">
            <p class="hint" id=format!("{}-intro", kind.id)>{kind.intro}</p>
            {kind.is_named.then(|| view! {
                <label class="named">
                    <span class="lab">"Name"</span>
                    <input
                        id=format!("{}-name", kind.id)
                        autocomplete="off"
                        maxlength=fields::LONGEST_NAME
                        prop:value=move || name.get()
                        on:input=move |event| name.set(event_target_value(&event))
                    />
                </label>
            })}
            <div class="pasted">
                <label class="sr" for=text_id.clone()>"Table"</label>
                <textarea
                    id=text_id
                    data-first="true"
                    rows="9"
                    wrap="off"
                    spellcheck="false"
                    autocomplete="off"
                    aria-describedby=format!("{}-said", kind.id)
                    placeholder="Paste here, or drop a file."
                    prop:value=move || text.get()
                    on:input=move |event| put(event_target_value(&event), String::new())
                    on:drop=move |event| {
                        if let Some(file) = files::dropped(&event) {
                            take_file(file);
                        }
                    }
                ></textarea>
                <div class="row">
                    <input
                        type="file"
                        id=format!("{}-file", kind.id)
                        hidden=true
                        accept=".csv,.tsv,.txt,.json,text/*"
                        node_ref=choose
                        on:change=move |event| {
                            if let Some(file) = files::chosen(&event) {
                                take_file(file);
                            }
                        }
                    />
                    <button class="btn small" on:click=move |_| {
                        if let Some(input) = choose.get_untracked() {
                            input.unchecked_ref::<web_sys::HtmlElement>().click();
                        }
                    }>"Choose a file"</button>
                    <button
                        class="btn small"
                        id=format!("{}-present", kind.id)
                        on:click=move |_| put(common.with(kind.text), String::new())
                    >
                        {kind.present}
                    </button>
                </div>
            </div>
            <div class="said" id=format!("{}-said", kind.id)>
                {move || trouble.get().map(|why| view! { <p class="fault">{why}</p> })}
                {move || read.with(|read| match read {
                    None => ().into_any(),
                    Some(Ok(preview)) => preview_view(preview).into_any(),
                    Some(Err(refused)) => faults(refused).into_any(),
                })}
            </div>
        </div>
        <div class="dialog-foot">
            <p class="grow" role="status" id=format!("{}-status", kind.id)>
                {move || read.with(status)}
            </p>
            <button class="btn" on:click=move |_| open.set(false)>"Cancel"</button>
            <button
                class="btn primary"
                id=format!("{}-apply", kind.id)
                disabled=move || !is_good()
                on:click=apply
            >
                "Use this table"
            </button>
        </div>
    }
    .into_any()
}

fn status(read: &Option<Result<Preview, Refused>>) -> String {
    match read {
        None => String::new(),
        Some(Ok(preview)) => format!("{}.", preview.summary),
        Some(Err(refused)) => match refused.faults.len() + refused.more {
            1 => "One fault; nothing is changed.".to_owned(),
            many => format!("{} faults; nothing is changed.", count(many as f64)),
        },
    }
}

fn faults(refused: &Refused) -> impl IntoView + use<> {
    let line = |fault: &GridFault| view! { <li>{fault.message.clone()}</li> };
    let more = refused.more;
    view! {
        <ul class="faults">
            {refused.faults.iter().map(line).collect_view()}
            {(more > 0).then(|| view! { <li>{format!("And {} more.", count(more as f64))}</li> })}
        </ul>
    }
}

/// A preview: what was understood, and the first rows.
pub fn preview_view(preview: &Preview) -> impl IntoView + use<> {
    let cells = |row: &Vec<String>| {
        let cells = row.iter().map(|cell| view! { <td>{cell.clone()}</td> });
        view! { <tr>{cells.collect_view()}</tr> }
    };
    let more = preview.more;
    let noun = if more == 1 { "row" } else { "rows" };
    view! {
        {preview.notes.iter().map(|note| view! { <p class="note">{note.clone()}</p> }).collect_view()}
        <div class="scroll">
            <table class="data sample">
                <thead>
                    <tr>{preview.heads.iter().map(|head| view! { <th scope="col">{*head}</th> }).collect_view()}</tr>
                </thead>
                <tbody>{preview.rows.iter().map(cells).collect_view()}</tbody>
            </table>
        </div>
        {(more > 0).then(|| view! { <p class="note">{format!("and {} more {noun}", count(more as f64))}</p> })}
    }
}
