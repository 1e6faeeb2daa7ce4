//! Other devices than the scenario's: more or fewer, more or less memory on each, the configurations of Fig. 11.

use super::state::Found;
use crate::ui::operators::OperatorsState;
use crate::ui::views::form::OneOf;
use crate::ui::views::held::LinesView;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::{Fold, Section, WhileOpen};
use crate::ui::views::table::TableView;
use chart::{LineStyle, lines_sheet};
use engine::scenario::operators::presets;
use leptos::prelude::*;
use report::operators::charts::{Range, variants};
use report::operators::variant_table;
use std::sync::Arc;

/// Height of the chart [px].
const HEIGHT_PX: f64 = 280.0;

/// The block.
#[component]
pub fn Sweep() -> impl IntoView {
    let state = expect_context::<OperatorsState>();
    let range = state.split.range;
    let now = Signal::derive(move || Range::ALL.iter().position(|own| *own == range.get()));
    let choose = Callback::new(move |at: usize| {
        if let Some(next) = Range::ALL.get(at) {
            range.set(*next);
            state.ask_variants(*next);
        }
    });
    // Those that have come, along the axis.
    let come = Memo::new(move |_| {
        let range = range.get();
        let all = state.split.found.with(Found::variants);
        let come = all.into_iter().find(|(of, _)| *of == range);
        come.map(|(_, come)| come).unwrap_or_default()
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
        let lines = come.with(|come| variants(range.get(), come, own_place.get()));
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
    let words = move || range.get().about();
    let is_there = Memo::new(move |_| drawn.with(|lines| !lines.series.is_empty()));
    let ask = Callback::new(move |()| {
        state.split.found.track();
        state.ask_variants(range.get());
    });
    let is_ready = Memo::new(move |_| state.split.shown.with(Option::is_some));
    let going = move || {
        let open = to_go.get();
        (open > 0).then(
            || view! { <span class="foot" id="variants-to-go">{format!("{open} left")}</span> },
        )
    };
    move || {
        is_ready.get().then(|| view! {
            <Section
                id="variants"
                title="With other devices"
                fold=Fold::Folded
                holds="more or fewer, other memory, other speeds"
                tools={move || view! { <OneOf label="What varies" id="variants-what" words=vec!["Number", "Memory", "Fig. 11"] now=now choose=choose/>
                        <TakePicture name="variants" label="chart over other devices" picture=picture/> }}
            >
                <WhileOpen run=ask/>
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
            </Section>
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
