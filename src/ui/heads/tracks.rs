//! Every rule over the tokens on the devices on show: time until then, the largest memory of a device, and how far each of
//! its choices was from the optimum.

use super::HeadsState;
use super::state::{Others, Shown};
use crate::ui::views::form::OneOf;
use crate::ui::views::held::{LinesTable, LinesView, Zoom, ZoomTools};
use crate::ui::views::picture_files::TakePicture;
use chart::{LEAST_TOKENS, LineStyle, Lines, Series, SeriesRole, lines_sheet};
use job::heads::{Track, ours};
use leptos::prelude::*;
use report::heads::rule_name;
use std::sync::Arc;

/// Height of the chart [px].
const HEIGHT_PX: f64 = 320.0;

/// The most points of a line of ratios.
const MOST_MEANS: usize = 50;

/// What a line shows.
#[derive(Clone, Copy, PartialEq)]
enum What {
    Time,
    Memory,
    Gap,
}

const ALL: [What; 3] = [What::Time, What::Memory, What::Gap];

fn points(what: What, track: &Track) -> Vec<(f64, Option<f64>)> {
    let along = |values: &[f64], scale: f64| {
        let pairs = track.at.iter().zip(values);
        pairs
            .map(|(at, value)| (f64::from(*at), Some(value * scale)))
            .collect()
    };
    match what {
        What::Time => along(&track.elapsed, 1.0),
        What::Memory => along(&track.peak_memory, 1e-6),
        What::Gap => {
            let gaps = track.gaps.iter();
            gaps.map(|gap| (f64::from(gap.n), Some(gap.ratio)))
                .collect()
        }
    }
}

fn role(at: usize) -> SeriesRole {
    match at {
        0 => SeriesRole::A,
        1 => SeriesRole::B,
        2 => SeriesRole::C,
        3 => SeriesRole::D,
        n => SeriesRole::More((n - 4) as u8),
    }
}

/// The lines but for the token that is looked at.
fn lines(shown: &Shown, others: &Others, what: What) -> Lines {
    let times = &shown.planned.times;
    let own = |values: &[f64], scale: f64| {
        let pairs = (1..).zip(values);
        pairs
            .map(|(at, value)| (f64::from(at), Some(value * scale)))
            .collect::<Vec<_>>()
    };
    let mut series = vec![Series {
        name: rule_name(ours(&shown.scenario)),
        role: SeriesRole::Ours,
        points: match what {
            What::Time => own(&times.elapsed, 1.0),
            What::Memory => own(&times.peak_memory, 1e-6),
            // Ours is the optimum that the others are held against.
            What::Gap => Vec::new(),
        },
    }];
    // A split layer is no placement to compare with the best one.
    let is_shown = |track: &&Track| what != What::Gap || !track.strategy.splits_blocks();
    let tracks = others.tracks.iter().filter(is_shown).enumerate();
    series.extend(tracks.map(|(at, track)| Series {
        name: rule_name(track.strategy),
        role: role(at),
        points: points(what, track),
    }));
    series.retain(|line| !line.points.is_empty());
    let (title, y_title, y_unit, decimals) = match what {
        What::Time => ("Elapsed time by token", "Elapsed time", "s", 2),
        What::Memory => ("Largest memory of a device", "Largest memory", "MB", 1),
        What::Gap => (
            "J of each choice over the least J from the same previous placement",
            "\u{d7} optimum",
            "",
            3,
        ),
    };
    // A rule’s choices are good and bad from token to token: means are drawn, so that twelve lines can be told apart.
    let most = series
        .iter()
        .map(|line| line.points.len())
        .max()
        .unwrap_or(0);
    let size = if what == What::Gap {
        most.div_ceil(MOST_MEANS)
    } else {
        1
    };
    let lines = Lines {
        title: title.to_owned(),
        x_title: "Token".to_owned(),
        y_title: y_title.to_owned(),
        y_unit: y_unit.to_owned(),
        decimals,
        now: None,
        limit: None,
        series,
    };
    if size > 1 {
        lines.averaged(size)
    } else {
        lines
    }
}

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
    let now = Signal::derive(move || ALL.iter().position(|w| *w == what.get()));
    let choose = Callback::new(move |at: usize| {
        if let Some(next) = ALL.get(at) {
            what.set(*next);
        }
    });
    // What is dear is made when something has come, not at every token of a scrub.
    let still = Memo::new(move |_| {
        let what = what.get();
        let lines = state.with_compared(|shown, others| lines(shown, others, what));
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
        <section class="block" id="tracks">
            <div class="head">
                <h2>"Rules over the tokens"</h2>
                <div class="tools">
                    <OneOf label="What the lines show" id="tracks-what" words=vec!["Time", "Memory", "\u{d7} optimum"] now=now choose=choose/>
                    <ZoomTools name="tracks" zoom=zoom/>
                    <TakePicture name="rules" label="rules over the tokens" picture=picture/>
                </div>
            </div>
            <Show when=move || is_there.get() fallback=|| view! { <p class="foot">"Running the other rules."</p> }>
                <LinesView lines=drawn id="tracks-chart" height=HEIGHT_PX on_pick=pick style=style zoom=zoom
                    pick_words="Click or press Enter to go to that token."/>
            </Show>
            <p class="foot">{words}</p>
            <LinesTable lines=drawn id="tracks-table"/>
        </section>
    }
}
