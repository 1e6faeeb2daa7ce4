//! Parts of the panels of all questions: the frame, the list of presets, labelled numbers, a choice of one.

use super::field::{Binding, Bound, Fault, NumberInput};
use super::icons::{Glyph, Icon};
use super::queue::Deferred;
use crate::ui::files;
use crate::ui::questions::Questions;
use crate::ui::scenario_editor::{EditableScenario, ScenarioEditor};
use crate::ui::shell::Shell;
use engine::scenario::Preset;
use engine::scenario::fields::NumberFields;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// The panel: a column on a wide screen, a sheet on a small one.
#[component]
pub fn Frame(children: ChildrenFn) -> impl IntoView {
    let shell = expect_context::<Shell>();
    view! {
        <div class="panel" id="scenario" aria-label="Scenario"
            role=move || if shell.sheet.get() { "dialog" } else { "complementary" }
            aria-modal=move || shell.sheet.get().then_some("true")
        >
            <div class="panel-in">
                <div class="sheet-head">
                    <h2>"Scenario"</h2>
                    <button class="btn quiet icon" id="close-scenario" aria-label="Close" on:click=move |_| shell.sheet.set(false)>
                        <Icon glyph=Glyph::Close/>
                    </button>
                </div>
                <Deferred>{children()}</Deferred>
            </div>
        </div>
    }
}

/// Returns the entry of the list for a scenario that is not a preset: the preset it was made from, or its own title.
fn own_title(title: String, listed: &[String]) -> String {
    if listed.contains(&title) {
        format!("{title}, changed")
    } else {
        title
    }
}

/// The list of a question's presets; "Reset" goes back to the one that the question opens with.
#[component]
pub fn PresetPicker<S: EditableScenario>(
    /// The editor that opens it.
    editor: ScenarioEditor<S>,
    /// All presets.
    presets: Vec<Preset<S>>,
    /// The title of a scenario.
    title: fn(&S) -> &str,
) -> impl IntoView {
    let opening = S::opening();
    let own = presets.iter().find(|preset| preset.scenario == opening);
    let first = own.or(presets.first()).map(|preset| preset.name);
    let titles: Vec<String> = presets
        .iter()
        .map(|preset| title(&preset.scenario).to_owned())
        .collect();
    let listed: Vec<_> = presets
        .iter()
        .zip(titles.clone())
        .map(|(preset, title)| (preset.name, preset.about, title))
        .collect();
    let presets = StoredValue::new(presets);
    // The one that is open, untouched.
    let current = Memo::new(move |_| {
        editor.scenario.with(|now| {
            let same = |preset: &&Preset<S>| preset.scenario == **now;
            presets.with_value(|all| all.iter().find(same).map(|preset| preset.name))
        })
    });
    let own = Memo::new(move |_| editor.scenario.with(|now| title(now).to_owned()));
    let open = move |name: &str| {
        let found = presets.with_value(|all| {
            let preset = all.iter().find(|preset| preset.name == name);
            preset.map(|preset| preset.scenario.clone())
        });
        if let Some(scenario) = found {
            editor.begin(scenario);
        }
    };
    let options = listed
        .into_iter()
        .map(|(name, about, title)| {
            view! {
                <option value=name title=about selected=move || current.get() == Some(name)>{title}</option>
            }
        })
        .collect_view();
    view! {
        <div class="preset">
            <label class="lab" for="preset">"Scenario"</label>
            <div class="select">
                <select
                    id="preset"
                    prop:value=move || current.get().unwrap_or_default()
                    on:change=move |event| open(&event_target_value(&event))
                >
                    {move || current.get().is_none().then(|| view! {
                        <option value="" selected>{own_title(own.get(), &titles)}</option>
                    })}
                    {options}
                </select>
                <Icon glyph=Glyph::Down/>
            </div>
            <div class="preset-tools">
                <OpenFile/>
                {move || (current.get() != first).then(|| view! {
                    <button class="btn quiet small" id="reset" on:click=move |_| {
                        open(first.unwrap_or_default());
                    }>
                        "Reset to the paper\u{2019}s scenario"
                    </button>
                })}
            </div>
        </div>
    }
}

/// A number of a scenario, bound to its editor.
pub fn bound<S: EditableScenario>(
    editor: ScenarioEditor<S>,
    key: &str,
    field: &'static str,
    get: fn(&S) -> f64,
    set: fn(&mut S, f64),
) -> Bound {
    let binding = Binding {
        key: key.to_owned(),
        field,
        get: Box::new(move |s: &S| Some(get(s))),
        set: Box::new(set),
    };
    binding.on(editor)
}

/// A labelled field in a grid of them; `key` is also where its fault goes by.
#[component]
pub fn Labelled(
    #[prop(into)] key: String,
    #[prop(into)] label: String,
    unit: &'static str,
    binding: Bound,
) -> impl IntoView {
    let name = label.clone();
    let called = Signal::derive(move || name.clone());
    view! {
        <label>
            <span>{label}" "<small>{unit}</small></span>
            <NumberInput binding=binding called=called/>
            <Fault key=key/>
        </label>
    }
}

/// An object with numbers within a scenario.
pub struct Object<S, T> {
    /// Prefix of the keys of its fields; empty for fields of the scenario itself.
    pub owner: &'static str,
    /// Reads it; `None` where the scenario has none.
    pub get: fn(&S) -> Option<&T>,
    /// Returns the value to change.
    pub get_mut: fn(&mut S) -> Option<&mut T>,
    /// Called after a number has changed, to adjust others.
    pub changed: fn(&mut S, &'static str),
}

impl<S, T> Object<S, T> {
    /// An object whose numbers change nothing else.
    pub fn new(
        owner: &'static str,
        get: fn(&S) -> Option<&T>,
        get_mut: fn(&mut S) -> Option<&mut T>,
    ) -> Self {
        Self {
            owner,
            get,
            get_mut,
            changed: |_, _| (),
        }
    }

    /// The key of one of its fields.
    fn key(&self, field: &str) -> String {
        format!("{} {field}", self.owner).trim_start().to_owned()
    }
}

/// Numbers of an object as labelled fields: their names, and what they are called here where their own title says too little.
pub fn numbers<S: EditableScenario, T: NumberFields>(
    editor: ScenarioEditor<S>,
    object: Object<S, T>,
    keys: &[(&'static str, &'static str)],
) -> impl IntoView + use<S, T> {
    let fields = keys.iter().map(|(key, label)| {
        let number = T::number(key).expect("a field of a form is a number of the object");
        let (get, get_mut, changed) = (object.get, object.get_mut, object.changed);
        let binding = Binding {
            key: object.key(key),
            field: number.field.key,
            get: Box::new(move |s: &S| get(s).and_then(number.get)),
            set: Box::new(move |s: &mut S, value| {
                if let Some(object) = get_mut(s) {
                    (number.set)(object, Some(value));
                }
                changed(s, number.field.key);
            }),
        };
        let label = if label.is_empty() {
            number.field.title()
        } else {
            (*label).to_owned()
        };
        view! { <Labelled key=object.key(key) label=label unit=number.field.unit binding=binding.on(editor)/> }
    });
    fields.collect_view()
}

/// One of a few, as buttons side by side: which is chosen, by its place, and how another is.
#[component]
pub fn OneOf(
    label: &'static str,
    id: &'static str,
    words: Vec<&'static str>,
    now: Signal<Option<usize>>,
    choose: Callback<usize>,
) -> impl IntoView {
    let count = words.len();
    let keys = move |event: web_sys::KeyboardEvent, at: usize| {
        let next = match event.key().as_str() {
            "ArrowRight" | "ArrowDown" => (at + 1) % count,
            "ArrowLeft" | "ArrowUp" => (at + count - 1) % count,
            _ => return,
        };
        event.prevent_default();
        choose.run(next);
        if let Some(next) = document().get_element_by_id(&format!("{id}-{next}")) {
            let _ = next.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    };
    // Where none is chosen, the first takes the focus.
    let is_reached = move |at: usize| now.get().unwrap_or_default() == at;
    view! {
        <div class="seg" role="radiogroup" aria-label=label id=id>
            {words
                .into_iter()
                .enumerate()
                .map(|(at, word)| {
                    view! {
                        <button
                            role="radio"
                            id=format!("{id}-{at}")
                            aria-checked=move || (now.get() == Some(at)).to_string()
                            tabindex=move || if is_reached(at) { "0" } else { "-1" }
                            on:click=move |_| choose.run(at)
                            on:keydown=move |event| keys(event, at)
                        >
                            {word}
                        </button>
                    }
                })
                .collect_view()}
        </div>
    }
}

/// Binds a choice of one to the scenario, for [`OneOf`].
pub fn choice<S: EditableScenario, T: Copy + PartialEq + Send + Sync + 'static>(
    editor: ScenarioEditor<S>,
    values: Vec<T>,
    get: fn(&S) -> T,
    set: fn(&mut S, T),
) -> (Signal<Option<usize>>, Callback<usize>) {
    let kept = values.clone();
    let now = Memo::new(move |_| {
        let now = editor.scenario.with(|s| get(s));
        kept.iter().position(|value| *value == now)
    });
    let choose = Callback::new(move |at: usize| {
        if let Some(value) = values.get(at)
            && let Err(fault) = editor.edit("", |s| set(s, *value))
        {
            editor.announce(format!("Not changed: {fault}."));
        }
    });
    (now.into(), choose)
}

/// A list from which something is taken, by its place; it shows nothing afterwards.
#[component]
pub fn Pick(
    id: &'static str,
    label: &'static str,
    accessible_label: &'static str,
    options: Vec<String>,
    choose: Callback<usize>,
) -> impl IntoView {
    view! {
        <div class="select small">
            <select
                id=id
                aria-label=accessible_label
                prop:value=""
                on:change=move |event| {
                    let select: web_sys::HtmlSelectElement = event_target(&event);
                    let chosen = event_target_value(&event).parse::<usize>();
                    select.set_value("");
                    if let Ok(at) = chosen {
                        choose.run(at);
                    }
                }
            >
                <option value="" selected>{label}</option>
                {options
                    .into_iter()
                    .enumerate()
                    .map(|(at, words)| view! { <option value=at.to_string()>{words}</option> })
                    .collect_view()}
            </select>
            <Icon glyph=Glyph::Down/>
        </div>
    }
}

/// Opens a scenario file; one can also be dropped anywhere on the page.
#[component]
pub fn OpenFile() -> impl IntoView {
    let state = expect_context::<Questions>();
    let choose = NodeRef::<leptos::html::Input>::new();
    view! {
        <input
            type="file"
            id="open-file"
            hidden=true
            accept=".json,.txt"
            node_ref=choose
            on:change=move |event| {
                if let Some(file) = files::chosen(&event) {
                    files::open_when_loaded(state, vec![file]);
                }
            }
        />
        <button class="btn quiet small" id="open" on:click=move |_| {
            if let Some(input) = choose.get_untracked() {
                input.unchecked_ref::<web_sys::HtmlElement>().click();
            }
        }>
            "Open file"
        </button>
    }
}
