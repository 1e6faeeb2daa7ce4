//! Every rule over the tokens on the devices on show: time until then, the largest memory of a device, and how far each of
//! its choices was from the optimum.

use super::HeadsState;
use crate::ui::views::form::OneOf;
use crate::ui::views::held::{LinesTable, LinesView, Zoom, ZoomTools};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::{Fold, Section};
use chart::{LEAST_TOKENS, LineStyle, Lines, lines_sheet};
use leptos::prelude::*;
use report::heads::charts::{What, tracks};
use std::sync::Arc;

/// Height of the chart [px].
const HEIGHT_PX: f64 = 320.0;

/// The last token of some lines.
fn last_of(lines: &Lines) -> f64 {
    let ends = lines.series.iter().filter_map(|line| line.points.last());
    ends.map(|(x, _)| *x).fold(1.0, f64::max)
}

/// The block.
#[component]
pub fn Tracks() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let what = RwSignal::new(What::Time);
    let now = Signal::derive(move || What::ALL.iter().position(|w| *w == what.get()));
    let choose = Callback::new(move |at: usize| {
        if let Some(next) = What::ALL.get(at) {
            what.set(*next);
        }
    });
    // What is dear is made when something has come, not at every token of a scrub.
    let still = Memo::new(move |_| {
        let what = what.get();
        let lines = state.with_compared(|shown, others| {
            tracks(&shown.scenario, &shown.planned, &others.tracks, what)
        });
        lines.unwrap_or_default()
    });
    let drawn = Memo::new(move |_| {
        let mut lines = still.get();
        lines.now = Some(f64::from(state.looked_at()));
        Arc::new(lines)
    });
    let is_there = Memo::new(move |_| drawn.with(|lines| !lines.series.is_empty()));
    let style = Signal::derive(move || LineStyle {
        steps: what.get() == What::Memory,
        log: what.get() == What::Gap,
        thinned: true,
        even: true,
    });
    let zoom = Zoom::counted(
        Signal::derive(move || last_of(&still.get())),
        LEAST_TOKENS,
        None,
    );
    // A press or a drag looks at that token.
    let pick = Callback::new(move |token: f64| state.token.set(Some(token as u32)));
    let picture = Callback::new(move |width| {
        let lines = drawn.get_untracked();
        (!lines.series.is_empty()).then(|| lines_sheet(&lines, width))
    });
    let words = move || match what.get() {
        What::Time => "Elapsed time at each token, moves included, on the devices of the scenario.",
        What::Memory => {
            "The most memory used on any device. All devices together use the same under every placement, because each block \
             exists once."
        }
        What::Gap => {
            "The objective of each choice over the least one possible from the placement the rule itself had before: 1 is the \
             optimum, found by counting. For long answers, means over neighbouring tokens are plotted. A rule whose choices look good here can still be far off in the end, because a poor \
             placement makes the next moves expensive."
        }
    };
    view! {
        <Section
            id="tracks"
            title="Rules over the tokens"
            fold=Fold::Folded
            holds="time, memory and distance from the optimum"
            tools={move || view! { <OneOf label="What the lines show" id="tracks-what" words=vec!["Time", "Memory", "\u{d7} optimum"] now=now choose=choose/>
                    <ZoomTools name="tracks" zoom=zoom/>
                    <TakePicture name="rules" label="rules over the tokens" picture=picture/> }}
        >
            <Show when=move || is_there.get() fallback=|| view! { <p class="foot">"Running the other rules."</p> }>
                <LinesView lines=drawn id="tracks-chart" height=HEIGHT_PX on_pick=pick style=style zoom=zoom
                    pick_words="Click or press Enter to go to that token."/>
            </Show>
            <p class="foot">{words}</p>
            <LinesTable lines=drawn id="tracks-table"/>
        </Section>
    }
}
