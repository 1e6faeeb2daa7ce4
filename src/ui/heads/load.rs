//! What each device does at the token that is looked at, and over the whole run.

use super::HeadsState;
use crate::ui::views::section::{Fold, Section};
use crate::ui::views::table::TableView;
use job::heads::{RunSetting, setting};
use leptos::prelude::*;
use report::heads::{at_token, devices};
use std::sync::Arc;
use story::Table;

/// The block: two tables.
#[component]
pub fn Load() -> impl IntoView {
    let state = expect_context::<HeadsState>();
    let is_there = Memo::new(move |_| {
        let has = |shown: &Option<Arc<super::state::Shown>>| {
            let shown = shown.as_ref();
            shown.is_some_and(|shown| shown.is_whole && !shown.planned.segments.is_empty())
        };
        state.shown.with(has)
    });
    let over_run = Memo::new(move |_| {
        let shown = state.shown.get();
        Arc::new(shown.map_or_else(Table::default, |shown| {
            devices(&shown.scenario, &shown.planned)
        }))
    });
    // The setting draws the background, so it is made once a run, not once a token.
    let drawn = Memo::new(move |_| {
        let shown = state.shown.get()?;
        let seed = shown.scenario.draws.first_seed as u64;
        Some(Same(
            shown.clone(),
            Arc::new(setting(&shown.scenario, seed).ok()?),
        ))
    });
    let now = Memo::new(move |_| {
        let token = state.looked_at();
        let table = drawn.get().and_then(|Same(shown, setting)| {
            at_token(&shown.scenario, &shown.planned, &setting, token)
        });
        Arc::new(table.unwrap_or_default())
    });
    move || {
        is_there.get().then(|| {
            view! {
                <Section id="load" title=Signal::derive(move || format!("Devices at token {}", state.looked_at())) fold=Fold::Folded holds="memory, work and links of each">
                    <TableView table=now id="at-token" capped=true/>
                    <h3>"Over the whole run"</h3>
                    <TableView table=over_run id="over-run" capped=true/>
                </Section>
            }
        })
    }
}

/// A run with its setting: equal where it is the same run.
#[derive(Clone)]
struct Same(Arc<super::state::Shown>, Arc<RunSetting>);

impl PartialEq for Same {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
