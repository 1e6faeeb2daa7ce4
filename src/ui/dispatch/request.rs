//! One request, token by token: who writes, what lies ready, what is read, and where it is handed over.

use super::DispatchState;
use crate::ui::canvas::{PictureCanvas, width_of};
use crate::ui::views::answer::Spoken;
use crate::ui::views::held::{ChartView, Zoom, ZoomTools};
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::picture_files::TakePicture;
use crate::ui::views::section::{Fold, Section};
use crate::ui::views::table::TableView;
use chart::{Drawn, TokenLine, View, Writer, layout_tokens, sheet, tokens_legend};
use engine::units::{percent, seconds};
use job::dispatch::{Asked, request};
use leptos::html::Div;
use leptos::prelude::*;
use report::dispatch::told::QUALITY;
use report::dispatch::{charts, request_words};
use std::sync::Arc;
use story::{Cell, Column, Table};

/// Width of the legend [px]; it folds on small screens.
const LEGEND_PX: f64 = 340.0;

/// One request of the scenario on show.
#[derive(Clone, PartialEq)]
struct One {
    asked: Arc<Asked>,
    line: Arc<TokenLine>,
}

/// The block.
#[component]
pub fn Request() -> impl IntoView {
    let state = expect_context::<DispatchState>();
    let one = Memo::new(move |_| {
        let shown = state.shown.get()?;
        let asked = request(
            &shown.scenario,
            &shown.planned,
            state.looked_at(),
            state.luck.get(),
        )
        .ok()?;
        let line = Arc::new(charts::tokens(&shown.scenario, &asked));
        Some(One {
            asked: Arc::new(asked),
            line,
        })
    });
    let whole = RwSignal::new(false);
    let holder = NodeRef::<Div>::new();
    let room = width_of(holder);
    let line = move || one.get().map(|one| one.line).unwrap_or_default();
    let zoom = Zoom::new(Signal::derive(move || match whole.get() {
        true => line().end_s(),
        false => line().worth_seeing_s(room.get()),
    }));
    let draw = Callback::new(move |(width, seen): (f64, View)| {
        Drawn(Arc::new(layout_tokens(&line(), width, Some(seen))))
    });
    let picture = Callback::new(move |width| {
        let line = one.get_untracked()?.line;
        let seen = zoom.seen_now();
        let chart = |w: f64| layout_tokens(&line, w, Some(seen)).picture;
        Some(sheet(&line.title, width, chart, tokens_legend))
    });
    let key = Signal::derive(move || Arc::new(tokens_legend(LEGEND_PX)));
    let said = move || {
        let (shown, one) = state.shown.get().zip(one.get())?;
        Some(
            view! { <Spoken sentence=request_words(&shown.scenario, &shown.planned, &one.asked)/> },
        )
    };
    let longest = move || {
        let shown = state.shown.get();
        let last = shown.and_then(|s| s.planned.prompts.last().map(|(tokens, _)| *tokens));
        last.unwrap_or(1)
    };
    let shortest = move || {
        let shown = state.shown.get();
        let first = shown.and_then(|s| s.planned.prompts.first().map(|(tokens, _)| *tokens));
        first.unwrap_or(1)
    };
    let luck_words = move || {
        let time = one.get().map(|one| seconds(one.asked.server_start));
        format!(
            "after {}, faster than {} of its starts",
            time.unwrap_or_default(),
            percent(100.0 * (1.0 - state.luck.get()), 0)
        )
    };
    let is_there = Memo::new(move |_| one.with(Option::is_some));
    move || {
        is_there.get().then(|| view! {
            <Section
                id="request"
                title="One request, token by token"
                fold=Fold::Folded
                holds="who writes, and where it is handed over"
                tools={move || view! { <ZoomTools name="request" zoom=zoom/> <button class="btn quiet small" id="request-whole" aria-pressed=move || whole.get().to_string()
                            on:click=move |_| whole.update(|on| *on = !*on)>
                            {move || if whole.get() { "The beginning" } else { "The whole answer" }}
                        </button>
                        <TakePicture name="request" label="request, token by token" picture=picture/> }}
            >
                <div class="key" aria-hidden="true" node_ref=holder><PictureCanvas picture=key/></div>
                <ChartView draw=draw id="tokens-chart" kind="timeline" zoom=zoom/>
                <Tokens line=Signal::derive(line)/>
                <div class="request-sliders">
                    <label for="request-prompt">"Prompt"</label>
                    <input type="range" class="slider" id="request-prompt" step="1"
                        aria-valuetext=move || format!("{} tokens", state.looked_at())
                        min=move || shortest().to_string() max=move || longest().to_string()
                        prop:value=move || state.looked_at().to_string()
                        on:input=move |event| {
                            if let Ok(tokens) = event_target_value(&event).parse::<u32>() {
                                state.prompt.set(Some(tokens));
                            }
                        }/>
                    <output for="request-prompt">{move || format!("{} tokens", state.looked_at())}</output>
                    <label for="request-luck">"The server starts"</label>
                    <input type="range" class="slider" id="request-luck" min="1" max="99" step="1" aria-valuetext=luck_words
                        prop:value=move || (100.0 * state.luck.get()).round().to_string()
                        on:input=move |event| {
                            if let Ok(percent) = event_target_value(&event).parse::<f64>() {
                                state.luck.set(percent / 100.0);
                            }
                        }/>
                    <output for="request-luck">{luck_words}</output>
                </div>
                <p class="reason" id="request-told" role="status">{said}</p>
                <p class="foot">{QUALITY}</p>
            </Section>
        })
    }
}

/// Every token of the request as a table, once it is unfolded.
#[component]
fn Tokens(line: Signal<Arc<TokenLine>>) -> impl IntoView {
    let open = RwSignal::new(false);
    let table = Memo::new(move |_| Arc::new(line.with(|line| table_of(line))));
    view! {
        <details class="fold" on:toggle=move |event| {
            let fold: web_sys::HtmlDetailsElement = event_target(&event);
            open.set(fold.open());
        }>
            <summary><Icon glyph=Glyph::Right/>"Every token as a table"</summary>
            {move || open.get().then(|| view! { <TableView table=table id="tokens-table" capped=true/> })}
        </details>
    }
}

fn table_of(line: &TokenLine) -> Table {
    let columns = [
        ("token", "token", ""),
        ("by", "written by", ""),
        ("written_s", "written", "s"),
        ("read_s", "read", "s"),
    ];
    let tokens = line.available_s.iter().zip(&line.shown_s);
    let rows = tokens.zip(&line.writers).enumerate();
    let rows = rows.map(|(at, ((written, read), by))| {
        let by = match by {
            Writer::Device => &line.device,
            Writer::Server => &line.server,
        };
        vec![
            Cell::whole(at + 1),
            Cell::text(&**by),
            Cell::Number(*written, 3),
            Cell::Number(*read, 3),
        ]
    });
    Table {
        name: "tokens",
        title: line.title.clone(),
        columns: columns
            .map(|(key, head, unit)| Column::new(key, head, unit))
            .into(),
        rows: rows.collect(),
    }
}
