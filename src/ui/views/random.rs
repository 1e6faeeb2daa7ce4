//! A random fleet: a seed, a count and a spread make it, and the same three make it again.

use super::dialog::Dialog;
use super::paste::{fleet_rows, fleet_summary, preview_view};
use super::tools::{Opener, change_cold, cold, left_out};
use crate::ui::lazy_bundle;
use crate::ui::questions::Questions;
use crate::ui::shell::Toast;
use engine::scenario::fields;
use engine::scenario::random::{RandomSpread, Recipe};
use engine::units::bytes;
use leptos::prelude::*;

/// Devices that the preview shows.
const PREVIEWED: usize = 8;

/// Typed text of the three fields.
#[derive(Clone, Copy)]
pub struct Fields {
    seed: RwSignal<String>,
    count: RwSignal<String>,
    spread: RwSignal<RandomSpread>,
}

impl Fields {
    fn recipe(&self) -> Result<Recipe, String> {
        let (seed, count) = (self.seed.get(), self.count.get());
        let short = |typed: &str| typed.trim().chars().take(24).collect::<String>();
        let most = fields::MOST_DEVICES;
        let seed = seed.trim().parse::<u32>().map_err(|_| {
            let said = short(&seed);
            format!(
                "Seed must be a whole number from 0 to {}, it is \u{201c}{said}\u{201d}.",
                u32::MAX
            )
        })?;
        let parsed = count.trim().parse::<usize>().ok();
        let count = parsed.filter(|n| (1..=most).contains(n)).ok_or_else(|| {
            let said = short(&count);
            format!(
                "Devices must be a whole number from 1 to {most}, it is \u{201c}{said}\u{201d}."
            )
        })?;
        Ok(Recipe {
            seed,
            count,
            spread: self.spread.get(),
        })
    }
}

/// The button and its dialog.
#[component]
pub fn RandomFleet() -> impl IntoView {
    let open = RwSignal::new(false);
    let fields = Fields {
        seed: RwSignal::new("1".to_owned()),
        count: RwSignal::new("6".to_owned()),
        spread: RwSignal::new(RandomSpread::default()),
    };
    view! {
        <Opener id="random-open".to_owned() label="Random fleet" open=open/>
        <Dialog id="random" title="Random fleet" open=open>
            {lazy_bundle::lazy_view(move |later| (later.random)(open, fields))}
        </Dialog>
    }
}

/// Content of the dialog.
pub fn body(open: RwSignal<bool>, fields: Fields) -> AnyView {
    let questions = expect_context::<Questions>();
    let shell = questions.shell;
    // Why the fleet could not be put there.
    let trouble = RwSignal::new(None::<String>);
    let seen = Memo::new(move |_| {
        shell.common.view.track();
        shell.common.with(cold)
    });
    let recipe = Memo::new(move |_| fields.recipe());
    let another = move |_| {
        if let Ok(recipe) = recipe.get_untracked() {
            fields.seed.set(recipe.seed.wrapping_add(1).to_string());
        }
    };
    let apply = move |_| {
        let Ok(recipe) = recipe.get_untracked() else {
            return;
        };
        let done = change_cold(questions, |scenario, rows| {
            *scenario = recipe.applied_to(scenario);
            // None of them is a machine that was here.
            *rows = scenario.devices.iter().map(|_| shell.fresh_id()).collect();
        });
        if let Err(fault) = done {
            return trouble.set(Some(format!("{fault}.")));
        }
        open.set(false);
        let rest = left_out(shell.common.view.with_untracked(|view| view.left_out));
        let rest = rest.map_or_else(String::new, |rest| format!(" {rest}"));
        shell.toast.set(Some(Toast {
            text: format!("{}.{rest}", recipe.title()),
            undo: true,
        }));
    };
    let typed = move |id: &'static str, label: &'static str, value: RwSignal<String>| {
        view! {
            <label>
                <span>{label}</span>
                <input
                    id=id
                    inputmode="numeric"
                    autocomplete="off"
                    data-first=(id == "random-seed").then_some("true")
                    prop:value=move || value.get()
                    on:input=move |event| value.set(event_target_value(&event))
                />
            </label>
        }
    };
    // Whether all of it fits is for the solver to say; what cannot fit is seen here.
    let room = move |recipe: &Recipe| {
        let devices = recipe.devices();
        let memory: f64 = devices.iter().map(|d| d.m_gb * 1e9).sum();
        let layers = seen.with(|seen| {
            let s = seen.as_ref();
            s.map_or_else(Vec::new, |s| s.model.layers_at(s.prompt_tokens))
        });
        let need: f64 = layers.iter().map(|layer| layer.weights).sum();
        let verdict = if memory < need {
            ": too little, no plan can fit"
        } else {
            ""
        };
        format!(
            "{} for {} of weights{verdict}.",
            fleet_summary(&devices),
            bytes(need)
        )
    };
    view! {
        <div class="dialog-body">
            <p class="hint">
                "Numbers in the range of the paper\u{2019}s four devices, each drawn independently. The seed is in the \
                 title: the same seed, count and spread make the same fleet anywhere. Model, prompt and Wi-Fi stay."
            </p>
            <div class="grid-fields three">
                {typed("random-seed", "Seed", fields.seed)}
                {typed("random-count", "Devices", fields.count)}
                <label>
                    <span>"Spread"</span>
                    <select
                        id="random-spread"
                        prop:value=move || fields.spread.get().name()
                        on:change=move |event| {
                            if let Some(spread) = RandomSpread::find(&event_target_value(&event)) {
                                fields.spread.set(spread);
                            }
                        }
                    >
                        <option value="alike">"Alike: within a tenth"</option>
                        <option value="mixed">"Mixed: as the paper\u{2019}s"</option>
                        <option value="wild">"Wild: four times further"</option>
                    </select>
                </label>
            </div>
            <div class="said">
                {move || trouble.get().map(|why| view! { <p class="fault" role="alert">{why}</p> })}
                {move || recipe.with(|recipe| match recipe {
                    Err(why) => view! { <p class="fault" id="random-fault">{why.clone()}</p> }.into_any(),
                    Ok(recipe) => preview_view(&fleet_rows(&recipe.devices(), PREVIEWED)).into_any(),
                })}
            </div>
        </div>
        <div class="dialog-foot">
            <p class="grow" role="status" id="random-status">
                {move || recipe.with(|recipe| recipe.as_ref().map(room).unwrap_or_default())}
            </p>
            <button class="btn" id="random-another" on:click=another>"Another"</button>
            <button class="btn" on:click=move |_| open.set(false)>"Cancel"</button>
            <button
                class="btn primary"
                id="random-apply"
                disabled=move || recipe.with(Result::is_err)
                on:click=apply
            >
                "Use this fleet"
            </button>
        </div>
    }
    .into_any()
}
