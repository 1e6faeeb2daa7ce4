//! Values over draws, a row each: its name, its range as a bar, and what it comes to beside the first.

use crate::ui::canvas::PictureCanvas;
use chart::{ChartSpec, RangeBar, RangeChart, RangeRole, RangeRow, range_bars};
use document::Chart;
use leptos::prelude::*;
use std::sync::Arc;

/// Width of a bar with its figure [px].
const BAR_PX: f64 = 260.0;

/// The rows.
#[component]
pub fn RangeRows(chart: Memo<Option<Chart>>) -> impl IntoView {
    let id = chart.with_untracked(|chart| chart.as_ref().map(|chart| chart.id));
    let ranges = Memo::new(move |_| {
        chart.with(|chart| match &*chart.as_ref()?.drawing {
            ChartSpec::Ranges(ranges) => Some(ranges.clone()),
            _ => None,
        })
    });
    let row = |(row, picture): (RangeRow, chart::Picture)| {
        let picture = Signal::stored(Arc::new(picture));
        let note = (!row.note.is_empty()).then(|| view! { <small>", "{row.note}</small> });
        let merge_summary = row.figures.into_iter();
        let merge_summary = merge_summary.map(|words| view! { <td class="n">{words}</td> });
        view! {
            <tr class:ours=row.bar.role == RangeRole::Ours>
                <th scope="row">{row.name}{note}</th>
                <td><PictureCanvas picture=picture/><span class="sr">{row.aria_label}</span></td>
                {merge_summary.collect_view()}
            </tr>
        }
    };
    let label = move || {
        chart.with(|chart| {
            chart
                .as_ref()
                .map_or_else(String::new, |chart| chart.title.clone())
        })
    };
    move || {
        let RangeChart { heads, rows } = ranges.get().filter(|ranges| !ranges.rows.is_empty())?;
        let bars: Vec<RangeBar> = rows.iter().map(|row| row.bar.clone()).collect();
        let span = rows[0].figures.len().max(1).to_string();
        let rows = rows.into_iter().zip(range_bars(&bars, BAR_PX));
        let [name, bar, merge_summary] = heads;
        Some(view! {
            <div class="scroll" tabindex="0" role="group" aria-label=label>
                <table class="ranges" id=id>
                    <thead>
                        <tr><th>{name}</th><th>{bar}</th><th class="n" colspan=span>{merge_summary}</th></tr>
                    </thead>
                    <tbody>{rows.map(row).collect_view()}</tbody>
                </table>
            </div>
        })
    }
}
