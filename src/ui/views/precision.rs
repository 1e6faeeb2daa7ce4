//! How the model is stored: a menu for its weights and one for its cache, the same in every question.

use super::icons::{Glyph, Icon};
use crate::ui::questions::Questions;
use engine::model::precision::{Precision, Stored};
use engine::scenario::import::ImportedModel;
use engine::scenario::world::{FactOrigin, World};
use engine::units::NARROW;
use leptos::prelude::*;

/// The two menus; `set` stores the model as it is chosen.
#[component]
pub fn StoredAs(
    /// How it is stored, as the question has it.
    #[prop(into)]
    stored: Signal<Stored>,
    /// Stores it so.
    #[prop(into)]
    set: Callback<Stored>,
    /// Entry for no choice.
    #[prop(default = "16 bits (assumed)")]
    unsaid: &'static str,
) -> impl IntoView {
    // Known apart, so that an edit of something else leaves the lists as they are.
    let weights = Memo::new(move |_| stored.get().weights);
    let cache = Memo::new(move |_| stored.get().cache);
    let choose_weights = Callback::new(move |weights| {
        let weights = Some(weights);
        set.run(Stored {
            weights,
            ..stored.get_untracked()
        });
    });
    let choose_cache = Callback::new(move |cache| {
        let cache = Some(cache);
        set.run(Stored {
            cache,
            ..stored.get_untracked()
        });
    });
    view! {
        <Menu id="weights" label="Weights" all=&Precision::ALL now=weights choose=choose_weights unsaid=unsaid/>
        <Menu id="cache" label="Cache" all=&Precision::OF_CACHE now=cache choose=choose_cache unsaid=unsaid/>
    }
}

#[component]
fn Menu(
    id: &'static str,
    label: &'static str,
    all: &'static [Precision],
    now: Memo<Option<Precision>>,
    choose: Callback<Precision>,
    unsaid: &'static str,
) -> impl IntoView {
    let common = expect_context::<Questions>().shell.common;
    let name = move || now.get().map_or("", Precision::name);
    let on_change = move |event: web_sys::Event| {
        if let Some(chosen) = Precision::find(&event_target_value(&event)) {
            choose.run(chosen);
        }
    };
    let options = all.iter().map(|one| {
        let one = *one;
        let words = format!("{}, {}{NARROW}B each", one.name(), one.rounded_bytes());
        view! {
            <option value=one.name() title=one.source() selected=move || now.get() == Some(one)>{words}</option>
        }
    });
    // Where the bytes are from, and where it is known from that the model is stored so.
    let hint = move || {
        common.view.track();
        let now = now.get().filter(|one| !one.is_16_bits())?;
        let file = common.with(|world| {
            let known = [&world.model.weights, &world.model.cache];
            let known = known[usize::from(id == "cache")].as_ref()?;
            let is_it = known.precision == now;
            match &known.origin {
                FactOrigin::File(name) if is_it => Some(format!("; from {name}")),
                _ => None,
            }
        });
        Some(format!("{}{}", now.source(), file.unwrap_or_default()))
    };
    view! {
        <label class="lab" for=id>{label}</label>
        <div class="select">
            <select id=id prop:value=name on:change=on_change>
                {move || now.get().is_none().then(|| view! { <option value="" selected>{unsaid}</option> })}
                {options.collect_view()}
            </select>
            <Icon glyph=Glyph::Down/>
        </div>
        <p class="hint">{hint}</p>
    }
}

/// An imported model becomes that of the open question, as one step to undo; its precision is that of its file.
///
/// # Errors
/// The question cannot take the model.
pub fn put_in<S: crate::ui::scenario_editor::EditableScenario>(
    questions: Questions,
    brought: &ImportedModel,
    change: impl FnOnce(&mut S),
) -> Result<(), engine::problem::Invalid> {
    questions.change(|world: &mut World| {
        let Ok(view) = world.view(S::QUESTION) else {
            return;
        };
        if let Some(mut scenario) = S::of(view.scenario.clone()) {
            change(&mut scenario);
            // What it cannot take is said where the change is looked at.
            let _ = world.absorb(&view, &scenario.into(), &view.rows);
            if let Some(storage) = brought.storage() {
                world.model.weights = Some(storage);
            }
        }
    })
}
