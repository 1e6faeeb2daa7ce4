//! Other devices than the scenario's: more or fewer, more or less memory on each, the configurations of Fig. 11.

use super::state::Range;
use crate::ui::operators::OperatorsState;
use crate::ui::views::form::OneOf;
use crate::ui::views::held::LinesView;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::table::TableView;
use chart::{LineStyle, Lines, Series, SeriesRole, lines_sheet};
use engine::scenario::operators::presets;
use engine::units::InOrder;
use job::operators::{Change, Variant};
use leptos::prelude::*;
use report::operators::variant_table;
use std::sync::Arc;

/// Height of the chart [px].
const HEIGHT_PX: f64 = 280.0;

const RANGES: [Range; 3] = [Range::Devices, Range::Memory, Range::Factors];

/// Where a change stands on the axis.
fn place(change: &Change) -> f64 {
    match change {
        Change::Devices(count) => f64::from(*count),
        Change::LimitMib(mib) => mib.unwrap_or(f64::INFINITY),
        Change::Factors(factors) => {
            let all = presets::CONFIGURATIONS.iter();
            let at = { all }.position(|own| own[..] == factors[..]);
            at.map_or(0.0, |at| at as f64 + 1.0)
        }
    }
}

/// A figure of a variant, where it keeps the limits.
type Figure = fn(&Variant) -> Option<f64>;

const SERIES: [(&str, SeriesRole, Figure); 4] = [
    ("Edgewise", SeriesRole::Ours, |v| {
        v.best_fits.then_some(v.best_ms)
    }),
    ("CoEdge", SeriesRole::A, |v| {
        v.coedge_ms.filter(|_| v.coedge_fits)
    }),
    ("Proportional", SeriesRole::B, |v| {
        v.proportional_fits.then_some(v.proportional_ms)
    }),
    ("Bound", SeriesRole::D, |v| Some(v.bound_ms)),
];

fn lines(range: Range, variants: &[Variant], now: Option<f64>) -> Lines {
    let (title, x_title) = match range {
        Range::Devices => ("Time by number of devices", "Devices"),
        Range::Memory => (
            "Time by memory of each device",
            "Memory of each device, MiB",
        ),
        Range::Factors => (
            "Time by configuration of Fig. 11",
            "Configuration of Fig. 11",
        ),
    };
    let series = SERIES.into_iter().map(|(name, role, figure)| Series {
        name: name.to_owned(),
        role,
        points: variants
            .iter()
            .map(|v| (place(&v.change), figure(v)))
            .collect(),
    });
    Lines {
        title: title.to_owned(),
        x_title: x_title.to_owned(),
        y_title: "All operators".to_owned(),
        y_unit: "ms".to_owned(),
        decimals: 1,
        now,
        limit: None,
        series: if variants.is_empty() {
            Vec::new()
        } else {
            series.collect()
        },
    }
}

/// The block.
#[component]
pub fn Sweep() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let range = state.split.range;
    let now = Signal::derive(move || RANGES.iter().position(|own| *own == range.get()));
    let choose = Callback::new(move |at: usize| {
        if let Some(next) = RANGES.get(at) {
            range.set(*next);
            state.ask_variants(*next);
        }
    });
    // Those that have come, along the axis.
    let come = Memo::new(move |_| {
        let range = range.get();
        let mut come: Vec<Variant> = state.split.found.with(|found| {
            let own = found.variants.iter().filter(|own| own.0 == range);
            own.filter_map(|own| own.2.clone()).collect()
        });
        come.in_order_by(|a, b| place(&a.change).total_cmp(&place(&b.change)));
        come
    });
    let to_go = Memo::new(move |_| {
        let range = range.get();
        state.split.found.with(|found| {
            let own = found.variants.iter().filter(|own| own.0 == range);
            own.filter(|own| own.2.is_none()).count()
        })
    });
    let own_place = Memo::new(move |_| {
        state.scenario.with(|s| match range.get() {
            Range::Devices => Some(s.split.devices.len() as f64),
            Range::Memory => {
                let first = s.split.devices.first()?.limit_mib?;
                let same = |mib: Option<f64>| mib == Some(first);
                let all = s.split.devices.iter().all(|board| same(board.limit_mib));
                all.then_some(first)
            }
            Range::Factors => None,
        })
    });
    let drawn = Memo::new(move |_| {
        let lines = come.with(|come| lines(range.get(), come, own_place.get()));
        Arc::new(lines)
    });
    let table = Memo::new(move |_| Arc::new(come.with(|come| variant_table(come))));
    let style = Signal::derive(|| LineStyle {
        even: true,
        ..LineStyle::default()
    });
    let pick = Callback::new(move |at: f64| take(state, range.get_untracked(), at));
    let picture = Callback::new(move |width| {
        let lines = drawn.get_untracked();
        (!lines.series.is_empty()).then(|| lines_sheet(&lines, width))
    });
    let words = move || match range.get() {
        Range::Devices => {
            "The first devices of the fleet; beyond them, copies of the last. In Fig. 10 the minimum is at four devices. With a link for each device it does not appear for heavy models, because what one more device receives delays no other."
        }
        Range::Memory => {
            "The same limit on every device. Where a line is missing, that method found no split within it."
        }
        Range::Factors => {
            "Four devices with the factors of each configuration, from 0.8 on all to 0.3 on all; a lower factor means a faster device."
        }
    };
    let is_there = Memo::new(move |_| drawn.with(|lines| !lines.series.is_empty()));
    let is_ready = Memo::new(move |_| state.split.shown.with(Option::is_some));
    let going = move || {
        let open = to_go.get();
        (open > 0).then(
            || view! { <span class="foot" id="variants-to-go">{format!("{open} left")}</span> },
        )
    };
    move || {
        is_ready.get().then(|| view! {
            <section class="block" id="variants">
                <div class="head">
                    <h2>"With other devices"</h2>
                    <div class="tools">
                        <OneOf label="What varies" id="variants-what" words=vec!["Number", "Memory", "Fig. 11"] now=now choose=choose/>
                        <TakePicture name="variants" label="chart over other devices" picture=picture/>
                    </div>
                </div>
                {going}
                <Show when=move || is_there.get() fallback=|| view! { <p class="foot">"Computed once the search is complete."</p> }>
                    <LinesView lines=drawn id="variants-chart" height=HEIGHT_PX on_pick=pick style=style
                        pick_words="Click or press Enter to use these devices."/>
                </Show>
                <p class="foot">{words}</p>
                <details class="fold">
                    <summary><Icon glyph=Glyph::Right/>"As a table"<span></span></summary>
                    <TableView table=table id="variants-table"/>
                </details>
            </section>
        })
    }
}

/// Takes a point of the chart into the scenario.
fn take(state: OperatorsState, range: Range, at: f64) {
    let done = state.edit_whole(|s| {
        let devices = &mut s.split.devices;
        match range {
            Range::Devices => {
                devices.truncate(at.max(1.0) as usize);
                while let (true, Some(last)) =
                    ((devices.len() as f64) < at, devices.last().cloned())
                {
                    let name = format!("D{}", devices.len() + 1);
                    devices.push(engine::scenario::operators::Board { name, ..last });
                }
            }
            Range::Memory => {
                for board in devices.iter_mut() {
                    board.limit_mib = Some((at * 1000.0).round() / 1000.0);
                }
            }
            Range::Factors => {
                let factors = presets::CONFIGURATIONS.get((at - 1.0).max(0.0) as usize);
                for (board, factor) in devices.iter_mut().zip(factors.into_iter().flatten()) {
                    board.factor = *factor;
                }
            }
        }
    });
    if let Err(fault) = done {
        state.say(format!("Not changed: {fault}."));
    }
}
