//! The picture: heads by device and token with what moves, the time of every token by phase on the same axis, and a
//! line to look at one token, by hand or by itself.

use super::HeadsState;
use super::state::Shown;
use crate::ui::canvas::{PictureCanvas, width_of};
use crate::ui::views::answer::Spoken;
use crate::ui::views::held::{ChartView, Told, Zoom, ZoomTools};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::Section;
use crate::ui::views::table::TableView;
use chart::{
    Drawn, HeadIndex, HeadMap, LEAST_TOKENS, TimesIndex, TokenTimes, View, head_map_legend,
    heads_sheet, interval_begin, times_legend,
};
use gloo::timers::callback::Interval;
use leptos::html::Div;
use leptos::prelude::*;
use report::heads::charts::{map_of, times_of};
use report::heads::{device_name, moves, tokens};
use std::sync::Arc;

/// Height of the chart of times [px].
const TIMES_PX: f64 = 168.0;
/// Between two steps of the line that moves by itself [ms], and how many steps all tokens take.
const STEP_MS: u32 = 50;
const STEPS: u32 = 240;
/// A press that moves less is no drag [px].
const STILL_PX: f64 = 4.0;

/// Both charts of a run, indexed once; equal where they are of the same run.
#[derive(Clone)]
struct Indexed {
    shown: Arc<Shown>,
    map: Arc<HeadIndex>,
    times: Arc<TimesIndex>,
}

impl PartialEq for Indexed {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shown, &other.shown)
    }
}

/// The block.
#[component]
pub fn Map() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let is_there = Memo::new(move |_| {
        state.shown.with(|shown| {
            let shown = shown.as_ref();
            shown.is_some_and(|shown| !shown.planned.times.elapsed.is_empty())
        })
    });
    move || is_there.get().then(|| view! { <Charts/> })
}

#[component]
fn Charts() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let as_table = RwSignal::new(false);
    let holder = NodeRef::<Div>::new();
    let width = width_of(holder);
    let indexed = Memo::new(move |_| {
        let shown = state.shown.get()?;
        Some(Indexed {
            map: Arc::new(HeadIndex::of(&map_of(&shown.scenario, &shown.planned))),
            times: Arc::new(TimesIndex::of(&times_of(&shown.planned))),
            shown,
        })
    });
    let end_s = Signal::derive(move || {
        let tokens = |shown: &Option<Indexed>| shown.as_ref().map(|i| i.shown.planned.tokens);
        indexed.with(tokens).map_or(1.0, f64::from)
    });
    let zoom = Zoom::counted(end_s, LEAST_TOKENS, None);
    let at = Memo::new(move |_| state.token.get().map(|_| state.looked_at() as usize));
    // The charts of the moment, for the words of their marks.
    let last_map = StoredValue::new(None::<Drawn>);
    let draw_map = Callback::new(move |(width, seen): (f64, View)| {
        let index = indexed.get().map(|indexed| indexed.map);
        let index = index.unwrap_or_else(|| Arc::new(HeadIndex::of(&HeadMap::default())));
        let chart = Drawn::of(index.scrubbed(at.get()).layout(width, seen));
        last_map.set_value(Some(chart.clone()));
        chart
    });
    let draw_times = Callback::new(move |(width, seen): (f64, View)| {
        let chart = match indexed.get() {
            Some(indexed) => {
                let ends = indexed.map.plot_px(width);
                let times = indexed.times.scrubbed(at.get());
                times.layout(width, TIMES_PX, ends, seen)
            }
            None => {
                TimesIndex::of(&TokenTimes::default()).layout(width, TIMES_PX, (0.0, width), seen)
            }
        };
        Drawn::of(chart)
    });
    let tell_map = Callback::new(move |at: usize| {
        let chart = last_map.get_value()?;
        let words = chart.words(at)?;
        Some(Told {
            shade: chart.shade(at),
            title: words.title,
            rows: words.rows,
            notes: Vec::new(),
        })
    });
    let is_tall =
        Signal::derive(move || indexed.with(|i| i.as_ref().is_some_and(|i| i.map.is_tall())));
    let label = Signal::derive(move || {
        let said = indexed.with(|indexed| indexed.as_ref().map(|i| i.map.describe()));
        said.unwrap_or_default()
    });
    let times_label = Signal::derive(move || {
        indexed
            .with(|indexed| indexed.as_ref().map(|i| i.times.describe()))
            .unwrap_or_default()
    });
    let turn = Callback::new(move |()| as_table.update(|on| *on = !*on));
    let picture = Callback::new(move |width| {
        let shown = state.shown.get_untracked()?;
        let seen = zoom.seen_now();
        let title = format!("Heads by device and token: {}", shown.scenario.title);
        let mut map = map_of(&shown.scenario, &shown.planned);
        map.at = at.get_untracked();
        Some(heads_sheet(
            &title,
            &map,
            &times_of(&shown.planned),
            seen,
            width,
        ))
    });
    let legend = Signal::derive(move || {
        let width = width.get().max(300.0);
        let index = indexed.get().map(|indexed| indexed.map);
        let index = index.unwrap_or_else(|| Arc::new(HeadIndex::of(&HeadMap::default())));
        Arc::new(head_map_legend(&index, width))
    });
    let times_key = Signal::derive(move || Arc::new(times_legend(width.get().max(300.0))));
    // A press that is no drag looks at the token under it.
    let pressed = StoredValue::new(0.0_f64);
    let look = move |event: web_sys::MouseEvent| {
        let x = f64::from(event.client_x());
        if (x - pressed.get_value()).abs() > STILL_PX {
            return;
        }
        let left = holder
            .get_untracked()
            .map_or(0.0, |div| div.get_bounding_client_rect().left());
        let token = last_map.with_value(|chart| chart.as_ref()?.token_at(x - left));
        if let Some(token) = token {
            state.token.set(Some(token as u32));
        }
    };
    let reason = move || {
        let shown = state.shown.get()?;
        Some(view! { <Spoken sentence=shown.words.reason.clone()/> })
    };
    view! {
        <Section
            id="picture"
            title="Heads by device and token"
            tools={move || view! { <Show when=move || !as_table.get()>
                        <ZoomTools name="heads" zoom=zoom/>
                    </Show>
                    <button
                        class="btn quiet small"
                        id="heads-as-table"
                        aria-pressed=move || as_table.get().to_string()
                        on:click=move |_| turn.run(())
                    >
                        <Icon glyph=Glyph::Table/>
                        {move || if as_table.get() { "Picture" } else { "Table" }}
                    </button>
                    <TakePicture name="heads" label="heads by device and token" picture=picture/> }}
        >
            {move || if as_table.get() {
                view! { <Tables/> }.into_any()
            } else {
                view! {
                    <div
                        class="heads-charts"
                        node_ref=holder
                        on:pointerdown=move |event| pressed.set_value(f64::from(event.client_x()))
                        on:click=look
                    >
                        <div class="key" aria-hidden="true"><PictureCanvas picture=legend/></div>
                        <ChartView id="heads-map" draw=draw_map kind="timeline" class="gantt" zoom=zoom tell=tell_map
                            is_tall=is_tall label=label on_table=turn/>
                        <h3>"Time per token"</h3>
                        <div class="key" aria-hidden="true"><PictureCanvas picture=times_key/></div>
                        <ChartView id="token-times" draw=draw_times kind="timeline" class="gantt" zoom=zoom
                            label=times_label on_table=turn/>
                    </div>
                    <Scrub/>
                    <p class="told" id="token-told" role="status">{move || told(state)}</p>
                }.into_any()
            }}
            <p class="reason" id="reason">{reason}</p>
        </Section>
    }
}

/// What the token that is looked at took, and what moved before it.
fn told(state: HeadsState) -> Option<impl IntoView> {
    let shown = state.shown.get()?;
    let token = state.looked_at();
    let sentence = TimesIndex::of(&times_of(&shown.planned)).sentence(token as usize);
    let planned = &shown.planned;
    let segment = planned.segment(token)?;
    let placement = segment.layout.placement()?;
    let name = |device: usize| device_name(&shown.scenario, planned.places[device]);
    let heads = shown.scenario.model.heads as usize;
    let begin = interval_begin(token as usize, shown.scenario.interval_tokens as usize) as u32;
    let moved = planned.moves.iter().filter(|m| m.token == begin).count();
    let before = match begin {
        _ if begin == token => "it".to_owned(),
        begin => format!("token {begin}, where its interval began"),
    };
    let moved = match moved {
        0 => format!("Nothing moves before {before}."),
        1 => format!("1 block moves before {before}."),
        n => format!("{n} blocks move before {before}."),
    };
    let seat = if placement[heads] == placement[heads + 1] {
        format!("projection and FFN on {}", name(placement[heads]))
    } else {
        format!(
            "projection on {}, FFN on {}",
            name(placement[heads]),
            name(placement[heads + 1])
        )
    };
    Some(view! {
        <b>{sentence}</b>
        <span>{format!("Token {token}: {seat}. {moved}")}</span>
    })
}

/// The line over the tokens: a slider, and a button that moves it by itself.
#[component]
fn Scrub() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let last = Memo::new(move |_| {
        state.shown.with(|shown| {
            let shown = shown.as_ref();
            shown.map_or(1, |shown| shown.planned.times.elapsed.len().max(1) as u32)
        })
    });
    let clock = StoredValue::new_local(None::<Interval>);
    let is_playing = RwSignal::new(false);
    let stop = move || {
        clock.set_value(None);
        is_playing.set(false);
    };
    let play = move |_| {
        if is_playing.get_untracked() {
            return stop();
        }
        is_playing.set(true);
        if untrack(|| state.looked_at()) >= last.get_untracked() {
            state.token.set(Some(1));
        }
        let tick = Interval::new(STEP_MS, move || {
            let Some(end) = last.try_get_untracked() else {
                return;
            };
            let step = end.div_ceil(STEPS);
            let next = (untrack(|| state.looked_at()) + step).min(end);
            state.token.set(Some(next));
            if next == end {
                stop();
            }
        });
        clock.set_value(Some(tick));
    };
    view! {
        <div class="scrub">
            <button class="btn small" id="play" on:click=play aria-pressed=move || is_playing.get().to_string()>
                {move || if is_playing.get() { "Pause" } else { "Play" }}
            </button>
            <input
                type="range"
                class="slider"
                id="scrub"
                min="1"
                max=move || last.get().to_string()
                step="1"
                aria-label="Selected token"
                aria-valuetext=move || format!("token {}", state.looked_at())
                prop:value=move || state.looked_at().to_string()
                on:input=move |event| {
                    if let Ok(token) = event_target_value(&event).parse::<u32>() {
                        stop();
                        state.token.set(Some(token));
                    }
                }
            />
            <output for="scrub">{move || format!("token {}", state.looked_at())}</output>
        </div>
    }
}

/// The same as numbers.
#[component]
fn Tables() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let of_tokens = Memo::new(move |_| {
        let shown = state.shown.get();
        Arc::new(shown.map_or_else(Default::default, |shown| tokens(&shown.planned)))
    });
    let of_moves = Memo::new(move |_| {
        let shown = state.shown.get();
        Arc::new(shown.map_or_else(Default::default, |shown| {
            moves(&shown.scenario, &shown.planned)
        }))
    });
    view! {
        <TableView table=of_tokens id="tokens-table" capped=true/>
        <h3>"Moves"</h3>
        <TableView table=of_moves id="moves-table" capped=true/>
    }
}
