//! Who makes what: the shares of all operators over the steps with the time each takes, the step in the hand device by
//! device, and the operators that take longest.

use super::state::SplitShown;
use crate::ui::canvas::{PictureCanvas, width_of};
use crate::ui::operators::OperatorsState;
use crate::ui::views::answer::Spoken;
use crate::ui::views::held::{ChartView, ZoomTools};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::{Fold, Section};
use crate::ui::views::table::{TableView, TakeTable};
use chart::{Drawn, SlicePicture, View, layout_slices, sheet, slices_legend};
use engine::plan::Dim;
use engine::units::{binary_bytes, count, memory, percent};
use leptos::html::Div;
use leptos::prelude::*;
use report::operators::charts::slice_steps;
use report::operators::{
    LONGEST, PartTold, Piece, device_table, graph_name, longest, mebi, millis, part_table,
    split_table,
};
use std::sync::Arc;

/// A table with more rows than this is only saved, for a page would choke on it.
const MOST_ROWS: usize = 500;
/// A legend that has not been laid out yet is so wide [px].
const FIRST_WIDTH_PX: f64 = 520.0;

/// The block.
#[component]
pub fn SplitPicture() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let is_there = Memo::new(move |_| state.split.shown.with(Option::is_some));
    move || is_there.get().then(|| view! { <Slices/> })
}

#[component]
fn Slices() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let drawn = Memo::new(move |_| {
        let shown = state.split.shown.get();
        let of =
            |shown: &Arc<SplitShown>| (shown.names.clone(), Arc::new(slice_steps(&shown.pieces)));
        shown.as_ref().map(of).unwrap_or_default()
    });
    let chart = move || {
        let (devices, steps) = drawn.get();
        SlicePicture {
            devices,
            steps,
            step: Some(state.looked_at()),
            view: state.steps_seen.get(),
        }
    };
    let draw = Callback::new(move |(width, _): (f64, View)| {
        Drawn(Arc::new(layout_slices(&chart(), width)))
    });
    let zoom = state.steps_zoom();
    let picture = Callback::new(move |width| {
        let shown = state.split.shown.get_untracked()?;
        let title = format!("{}: slices per device", graph_name(&shown.scenario));
        let chart = untrack(chart);
        Some(sheet(
            &title,
            width,
            |w| layout_slices(&chart, w).picture,
            |w| slices_legend(&shown.names, w),
        ))
    });
    let holder = NodeRef::<Div>::new();
    let width = width_of(holder);
    let names = Memo::new(move |_| drawn.with(|(names, _)| names.clone()));
    let key = Signal::derive(move || {
        let width = width.get();
        let width = if width > 0.0 { width } else { FIRST_WIDTH_PX };
        Arc::new(slices_legend(&names.get(), width))
    });
    let pick = Callback::new(move |step: f64| state.step.set(Some(step as usize)));
    let walk = state.walk(Signal::derive(move || state.looked_at() as f64));
    let reason = move || {
        let shown = state.split.shown.get()?;
        Some(view! { <Spoken sentence=shown.words.reason.clone()/> })
    };
    let dims = move || state.split.shown.get().map(|shown| shown.dims.clone());
    view! {
        <Section
            id="slices"
            title="Slices per device"
            fold=Fold::Folded
            holds="what each device computes"
            tools={move || view! { <ZoomTools name="slices" zoom=zoom/><TakePicture name="slices" label="slices per device" picture=picture/> }}
        >
            <div class="key" aria-hidden="true" node_ref=holder><PictureCanvas picture=key/></div>
            <ChartView draw=draw id="slices-chart" kind="step chart" zoom=zoom on_pick=pick walk=walk/>
            <p class="reason" id="slices-reason">{reason}</p>
            <AtStep/>
            <Longest/>
            <p class="foot" id="slices-dims">{dims}</p>
            <EveryOperator/>
            <Devices/>
        </Section>
    }
}

/// `12 to 23`, or that it is nothing.
fn span(part: &PartTold) -> String {
    if part.from == part.to {
        return "nothing".to_owned();
    }
    format!("{} to {}", part.from, part.to - 1)
}

/// The selected step: what each device has to do.
#[component]
fn AtStep() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    move || {
        let shown = state.split.shown.get()?;
        let step = state.looked_at();
        let piece = shown.pieces.get(step)?.clone();
        let length = piece.marks.last().copied().unwrap_or_default();
        let words = format!(
            "Step {} of {}: {}, cut along {} into {} {}; {}, of which {} receiving.",
            step + 1,
            shown.pieces.len(),
            piece.name,
            piece.dim.name(),
            count(f64::from(length)),
            piece.unit,
            millis(piece.ms),
            millis(piece.comm_ms),
        );
        let rows = shown.parts(step).into_iter().enumerate().map(|(at, part)| {
            let held = match part.limit {
                Some(limit) => {
                    let share = percent(100.0 * part.held / limit.max(1.0), 0);
                    format!("{} ({share})", memory(part.held))
                }
                None => memory(part.held),
            };
            let is_over = part.limit.is_some_and(|limit| part.held > limit);
            let shade = format!("dev d{}", at % 8 + 1);
            view! {
                <tr>
                    <td><i class=shade></i>{part.name.clone()}</td>
                    <td class="n">{span(&part)}</td>
                    <td class="n">{count(f64::from(part.to - part.from))}</td>
                    <td class="n">{binary_bytes(part.received)}</td>
                    <td class="n">{format!("{:.3}", part.comm_ms)}</td>
                    <td class="n">{format!("{:.3}", part.compute_ms)}</td>
                    <td class="n" class:bad=is_over>{held}</td>
                </tr>
            }
        });
        Some(view! {
            <p class="step-told" id="slice-told">{words}</p>
            <div class="scroll" tabindex="0" role="region" aria-label="What each device does at this step">
                <table class="data at-step" id="slice-parts">
                    <caption class="sr">"What each device does at this step"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Device"</th>
                            <th scope="col" class="n">{capital(piece.unit)}</th>
                            <th scope="col" class="n">"Of them"</th>
                            <th scope="col" class="n">"Receives"</th>
                            <th scope="col" class="n">"Receiving, ms"</th>
                            <th scope="col" class="n">"Computing, ms"</th>
                            <th scope="col" class="n">"Holds"</th>
                        </tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </div>
        })
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// The operators that take longest; a press on one looks at its step.
#[component]
fn Longest() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let rows = move || {
        let Some(shown) = state.split.shown.get() else {
            return Vec::new();
        };
        let pieces = &shown.pieces;
        let longest = longest(pieces);
        let most = longest.first().map_or(1.0, |at| pieces[*at].ms).max(1e-9);
        longest
            .into_iter()
            .map(|at| row(state, at, &pieces[at], most).into_any())
            .collect::<Vec<_>>()
    };
    let names = move || {
        let shown = state.split.shown.get();
        shown.map_or_else(String::new, |shown| shown.names.join(", "))
    };
    let head = move || {
        let n = state.last_step_of_order() + 1;
        match n.min(LONGEST) {
            LONGEST => "The ten slowest operators",
            _ => "Operators by time",
        }
    };
    view! {
        <h3 class="sub-h">{head}</h3>
        <table class="data slow" id="slow">
            <caption class="sr">"Slowest operators"</caption>
            <thead>
                <tr>
                    <th scope="col" class="n">"Step"</th>
                    <th scope="col">"Operator"</th>
                    <th scope="col">"Cut"</th>
                    <th scope="col">"Rows or channels on "{names}</th>
                    <th scope="col" class="n sec">"Sent, KiB"</th>
                    <th scope="col">"Time, ms"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

/// An operator as a row.
fn row(state: OperatorsState, at: usize, piece: &Piece, most: f64) -> impl IntoView + use<> {
    let parts = piece.marks.windows(2).enumerate().filter_map(|(k, ends)| {
        let made = ends[1] - ends[0];
        (made > 0).then(|| {
            let class = format!("part d{}", k % 8 + 1);
            view! { <i class=class style:flex-grow=made.to_string()><span>{count(f64::from(made))}</span></i> }
        })
    });
    // Room for the figure behind the longest bar.
    let px = |ms: f64| format!("calc((100% - 52px) * {:.4})", ms / most);
    let is_channels = piece.dim == Dim::Cout;
    let look = move |_| state.step.set(Some(at));
    let label = format!("Look at step {}, {}", at + 1, piece.name);
    let is_it = move || state.looked_at() == at;
    view! {
        <tr class:marked=is_it>
            <td class="n">{at + 1}</td>
            <td class="op"><button class="plain" aria-label=label on:click=look>{piece.name.clone()}</button></td>
            <td class:strong=is_channels>{piece.dim.name()}</td>
            <td><div class="parts">{parts.collect_view()}</div></td>
            <td class="n sec">{format!("{:.1}", piece.sent / 1024.0)}</td>
            <td>
                <div class="bars times">
                    <i class="k-transfer" style:width=px(piece.comm_ms)></i>
                    <i class="k-compute" style:width=px(piece.ms - piece.comm_ms)></i>
                    <span>{format!("{:.3}", piece.ms)}</span>
                </div>
            </td>
        </tr>
    }
}

/// Every operator as a table, once it is unfolded.
#[component]
fn EveryOperator() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let open = RwSignal::new(false);
    let table = Memo::new(move |_| {
        let shown = state.split.shown.get();
        shown.map_or_else(Default::default, |shown| shown.table(split_table))
    });
    let at_step = Memo::new(move |_| {
        let shown = state.split.shown.get();
        let step = state.looked_at();
        shown.map_or_else(Default::default, |shown| {
            let op = shown.pieces.get(step).map_or(0, |piece| piece.op);
            shown.table(|told| part_table(told, op))
        })
    });
    let marked = Signal::derive(move || Some(state.looked_at()));
    let content = move || {
        open.get().then(|| {
            let count = table.with(|table| table.rows.len());
            let all = if count > MOST_ROWS {
                view! {
                    <p class="foot">{format!("{count} operators are too many for the page; save them as a file instead.")}</p>
                    <TakeTable table=table id="split-table"/>
                }
                .into_any()
            } else {
                view! { <TableView table=table id="split-table" marked=marked capped=true/> }
                    .into_any()
            };
            view! {
                {all}
                <h3 class="sub-h">"The selected step"</h3>
                <TableView table=at_step id="part-table"/>
            }
        })
    };
    view! {
        <details class="fold" id="every-operator" on:toggle=move |event| {
            let fold: web_sys::HtmlDetailsElement = event_target(&event);
            open.set(fold.open());
        }>
            <summary><Icon glyph=Glyph::Right/>"Every operator as a table"<span></span></summary>
            {content}
        </details>
    }
}

/// What each device does in all.
#[component]
fn Devices() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let table = Memo::new(move |_| {
        let shown = state.split.shown.get();
        shown.map_or_else(Default::default, |shown| {
            let alone = shown.splits.alone_ms.clone();
            shown.table(|told| device_table(told, &alone))
        })
    });
    let summary = move || {
        let shown = state.split.shown.get()?;
        let peak = shown.devices.iter().map(|device| device.peak);
        let most = peak.fold(0.0, f64::max);
        Some(format!("at most {:.2} MiB on one", mebi(most)))
    };
    view! {
        <details class="fold" id="devices-fold">
            <summary><Icon glyph=Glyph::Right/>"What each device does"<span>{summary}</span></summary>
            <TableView table=table id="devices-table"/>
        </details>
    }
}
