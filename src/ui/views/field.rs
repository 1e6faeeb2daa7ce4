//! A number that can be edited in place. What is typed stays as typed; the scenario changes only when it is
//! a number in range, and otherwise a sentence says what is allowed and which value the answer still uses: the one from
//! before the entry, not what its first letters happened to say.
//! One visit to a field, or one drag, is one step to undo.

use super::drag;
use crate::ui::questions::Questions;
use crate::ui::scenario_editor::{EditableScenario, ScenarioEditor, owner};
use crate::ui::shell::Shell;
use engine::problem::Invalid;
use engine::scenario::world::{FactOrigin, FieldOwner, LocatedField, Names, World, shared_name};
use engine::scenario::{Span, fields};
use leptos::prelude::*;
use protocol::assumed::from;

/// Numbers of model, network and request that a question calls otherwise.
const SHARED_NAMES: Names = &[
    ("heads", "h_q"),
    ("width", "d_model"),
    ("out_tokens", "answer_tokens"),
    ("new_tokens", "answer_tokens"),
    ("mbps", "rate_mbit_s"),
];

/// How a field reads its number; `None` while its owner is being removed, or where the number is left out.
type Read = Box<dyn Fn() -> Option<f64> + Send + Sync>;
/// How a field writes it, as part of the step to undo with this key; `None` takes it away.
type Write = Box<dyn Fn(&str, Option<f64>) -> Result<(), Invalid> + Send + Sync>;
/// How the edits with a key are taken back as if never made.
type GiveUp = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// How a scenario is read and written in one place.
type GetIn<S> = Box<dyn Fn(&S) -> Option<f64> + Send + Sync>;
type SetIn<S> = Box<dyn Fn(&mut S, f64) + Send + Sync>;
/// How a number is taken out of a scenario.
pub type Clear<S> = Box<dyn Fn(&mut S) + Send + Sync>;

/// Number of a question's scenario that a field edits.
pub struct Binding<S> {
    /// Stable name of the field: faults, undo steps and the element's id go by it.
    pub key: String,
    /// Name in the schema; decides the range.
    pub field: &'static str,
    /// Reads the number.
    pub get: GetIn<S>,
    /// Writes it.
    pub set: SetIn<S>,
}

/// A field bound to the editor of its question.
pub struct Bound {
    key: String,
    field: &'static str,
    fact: Fact,
    read: Read,
    write: Write,
    give_up: GiveUp,
    /// The number that holds while there is none, if one does; a field without this must have a number.
    instead: Option<Signal<Option<f64>>>,
}

/// Place of the number in the shared scenario: machine, if it belongs to one, and key.
#[derive(Debug, Clone, Copy)]
struct Fact {
    machine: Option<u32>,
    key: &'static str,
}

impl Fact {
    fn of<S: EditableScenario>(key: &str, field: &'static str) -> Self {
        let machine = owner::<S>(key);
        let names = match machine {
            Some(_) => S::ROW_NAMES,
            None => SHARED_NAMES,
        };
        Self {
            machine,
            key: shared_name(field, names),
        }
    }
}

/// A number that may be left out, because another then holds.
pub struct Fallback<S> {
    /// Takes the number away.
    pub clear: Clear<S>,
    /// Value that applies if the field is empty.
    pub shared: Signal<f64>,
}

impl<S: EditableScenario> Binding<S> {
    /// The field in its editor.
    pub fn on(self, editor: ScenarioEditor<S>) -> Bound {
        self.bound(editor, None, None)
    }

    /// Binds a number that may be left out.
    pub fn or(self, editor: ScenarioEditor<S>, instead: Fallback<S>) -> Bound {
        let Fallback { clear, shared } = instead;
        let shared = Signal::derive(move || Some(shared.get()));
        self.bound(editor, Some(clear), Some(shared))
    }

    /// Binds a number that may be unknown.
    pub fn or_unknown(self, editor: ScenarioEditor<S>, clear: Clear<S>) -> Bound {
        self.bound(editor, Some(clear), Some(Signal::derive(|| None)))
    }

    fn bound(
        self,
        editor: ScenarioEditor<S>,
        clear: Option<Clear<S>>,
        instead: Option<Signal<Option<f64>>>,
    ) -> Bound {
        let Self {
            key,
            field,
            get,
            set,
        } = self;
        Bound {
            fact: Fact::of::<S>(&key, field),
            key,
            field,
            read: Box::new(move || editor.scenario.with(|scenario| get(scenario))),
            write: Box::new(move |step, number| {
                editor.edit(step, |scenario| match (number, &clear) {
                    (Some(number), _) => set(scenario, number),
                    (None, Some(clear)) => clear(scenario),
                    (None, None) => {}
                })
            }),
            give_up: Box::new(move |step| editor.give_up(step)),
            instead,
        }
    }
}

/// Characters of a number that a narrow field shows.
const ROOM: usize = 7;

/// As much of what was typed as a message repeats.
const LONGEST_SHOWN: usize = 24;

/// The id of the input for a key.
pub fn element_id(key: &str) -> String {
    format!("field-{}", key.replace([' ', '.'], "-"))
}

/// Typed text in place of the scenario's number.
#[derive(Clone, Default)]
struct Draft {
    text: Option<String>,
    /// True if keys were typed since the field got the focus: then Ctrl+Z is the browser's.
    is_typed: bool,
}

/// One field: what it is bound to, and what is going on in it. Cheap to copy.
#[derive(Clone, Copy)]
struct Field {
    state: Shell,
    name: &'static str,
    key: StoredValue<String>,
    /// Name in sentences, without the unit.
    called: Signal<String>,
    value: Memo<Option<f64>>,
    write: StoredValue<Write>,
    give_up: StoredValue<GiveUp>,
    fallback: Option<Signal<Option<f64>>>,
    draft: RwSignal<Draft>,
    /// Number of the visit or drag, and what the field held before it.
    visit: StoredValue<(u32, Option<f64>)>,
    /// The entry that is being typed as far as it was taken, and what the field held before its first letter.
    entry: StoredValue<Option<(String, Option<f64>)>>,
    /// Value that the field wrote last.
    written: StoredValue<Option<Option<f64>>>,
    fact: Fact,
    questions: Option<Questions>,
}

impl Field {
    /// Begins a visit or a drag.
    fn begin(self) {
        self.visit
            .set_value((self.state.fresh_id(), self.value.get_untracked()));
        self.entry.set_value(None);
    }

    fn step_key(self) -> String {
        self.key
            .with_value(|key| format!("{key} {}", self.visit.get_value().0))
    }

    /// The number, or the one that holds in its place.
    fn in_force(self) -> Option<f64> {
        let instead = || self.fallback.and_then(|shared| shared.get_untracked());
        self.value.get_untracked().or_else(instead)
    }

    fn is_optional(self) -> bool {
        self.fallback.is_some()
    }

    /// Writes a number, or takes it away.
    fn write(self, number: Option<f64>) -> Result<(), String> {
        let step = self.step_key();
        let written = self.write.with_value(|write| write(&step, number));
        if written.is_ok() {
            self.written.set_value(Some(number));
        }
        // The sentence names the field as it is called on the page.
        written.map_err(|fault| {
            let rest = fault.message.strip_prefix(&fault.path);
            rest.map_or(fault.message.clone(), |rest| rest.trim_start().to_owned())
        })
    }

    /// Takes what was typed, and says what is wrong with it.
    fn offer(self, text: String, is_typed: bool) {
        let held = self.value.get_untracked();
        let outcome = if text.trim().is_empty() && self.is_optional() {
            self.write(None)
        } else if self.typed_range(&text).is_some() {
            // Taken once the entry is finished: `10-2` may become `10-20`.
            Ok(())
        } else {
            fields::parse(self.name, &text).and_then(|number| self.write(Some(number)))
        };
        match outcome {
            Ok(()) => {
                self.clear_error();
                self.entry.update_value(|entry| match entry {
                    Some((taken, _)) if text.starts_with(taken.as_str()) => taken.clone_from(&text),
                    _ => *entry = Some((text.clone(), held)),
                });
            }
            Err(why) => {
                if is_typed {
                    self.take_back(&text);
                }
                // The range names the unit.
                let name = self.called.get_untracked();
                let said: String = text.trim().chars().take(LONGEST_SHOWN).collect();
                let used = self
                    .in_force()
                    .map_or_else(|| "none".to_owned(), |v| v.to_string());
                let sentence = format!(
                    "{name} {why}, it is \u{201c}{said}\u{201d}. The answer still uses {used}."
                );
                self.state.faults.update(|faults| {
                    faults.insert(self.key.get_value(), sentence);
                });
            }
        }
        self.draft.set(Draft {
            text: Some(text),
            is_typed: is_typed || self.draft.with_untracked(|draft| draft.is_typed),
        });
    }

    /// The beginning of an entry may read as a number, as `1e3` does of `1e30`: once the entry is refused, that never was.
    fn take_back(self, refused: &str) {
        let entry = self.entry.get_value();
        self.entry.set_value(None);
        if let Some((_, held)) = entry.filter(|(taken, _)| refused.starts_with(taken.as_str())) {
            self.put_back(held);
        }
    }

    /// Has the field hold again what it held before; a visit that is back where it began leaves no step to undo.
    fn put_back(self, held: Option<f64>) {
        if self.value.get_untracked() == held {
            return;
        }
        let is_whole_visit = self.visit.get_value().1 == held;
        let step = self.step_key();
        self.written.set_value(Some(held));
        if !(is_whole_visit && self.give_up.with_value(|give_up| give_up(&step))) {
            // It was a number the scenario had, so it is one it can have.
            let _ = self.write(held);
        }
    }

    /// Takes the sentence about this field away.
    fn clear_error(self) {
        self.key.with_value(|key| self.state.clear_field_error(key));
    }

    fn is_bad(self) -> bool {
        self.key
            .with_value(|key| self.state.faults.with(|faults| faults.contains_key(key)))
    }

    /// A range that was typed in place of the number, and the number in its middle.
    fn typed_range(self, text: &str) -> Option<(f64, Span)> {
        self.questions?;
        Span::in_place_of_number(fields::of(self.name)?, text)
    }

    /// Shows the scenario's number again, unless what was typed is still wrong; takes a range. A unit stays as it was typed where the
    /// number has no room.
    fn leave(self) {
        // A field that is taken off the page while it has the focus is left after it has gone.
        if self.draft.is_disposed() || untrack(|| self.is_bad()) {
            return;
        }
        let text = self.draft.with_untracked(|draft| draft.text.clone());
        let text = text.unwrap_or_default();
        if let Some((value, span)) = self.typed_range(&text) {
            self.take_range(value, span);
        }
        // `12 GiB` says more than 12.884901888, and has room in its field.
        let is_kept = self.value.get_untracked().is_some_and(|value| {
            let has_room = value.to_string().len() <= ROOM;
            !has_room && fields::parse(self.name, &text) == Ok(value)
        });
        self.draft.set(Draft {
            text: is_kept.then_some(text),
            is_typed: false,
        });
    }

    /// Gives the number a range, with the value in its middle, as one step to undo.
    fn take_range(self, value: f64, span: Span) {
        let Some(questions) = self.questions else {
            return;
        };
        let (question, fact) = (self.state.question.get_untracked(), self.fact);
        let mut is_put = false;
        let done = questions.change(|world| {
            let Ok(view) = world.view(question) else {
                return;
            };
            let is_here = |owner: FieldOwner| match (owner, fact.machine) {
                (FieldOwner::Machine(row) | FieldOwner::Link(row), Some(id)) => {
                    view.rows.get(row) == Some(&id)
                }
                (FieldOwner::Machine(_) | FieldOwner::Link(_), None) => false,
                (_, machine) => machine.is_none(),
            };
            let spots = world.spots(&view).into_iter();
            let mut here = spots
                .filter(|known| known.location.key == fact.key && is_here(known.location.owner));
            if let Some(known) = here.next() {
                let known = LocatedField { value, ..known };
                is_put = world.put_range(&view, &known, Some(span)).is_ok();
            }
        });
        let name = self.called.get_untracked();
        self.state.announce(match done {
            Ok(()) if is_put => format!(
                "{name} is {} to {} now; the answer uses {value}.",
                span.low, span.high
            ),
            Ok(()) => format!("{name} can have no range; nothing was changed."),
            Err(fault) => format!("No range was set: {fault}."),
        });
    }

    /// Puts back what the field held before this visit or drag.
    fn restore(self) {
        self.draft.set(Draft::default());
        self.clear_error();
        self.put_back(self.visit.get_value().1);
        self.begin();
    }

    fn keys(self, event: &web_sys::KeyboardEvent) {
        match event.key().as_str() {
            "Escape" => self.restore(),
            "Enter" => {
                self.leave();
                self.begin();
            }
            // Alt with Shift moves the row, see the fleet.
            "ArrowUp" | "ArrowDown"
                if !(event.ctrl_key()
                    || event.meta_key()
                    || (event.alt_key() && event.shift_key())) =>
            {
                let up = event.key() == "ArrowUp";
                let scale = match (event.shift_key(), event.alt_key()) {
                    (true, _) => 10.0,
                    (_, true) => 0.1,
                    _ => 1.0,
                };
                let mut shown = event_target_value(event);
                if shown.trim().is_empty() && self.is_optional() {
                    shown = self.in_force().map(|v| v.to_string()).unwrap_or_default();
                }
                if let Some(next) = fields::stepped(self.name, &shown, up, scale) {
                    event.prevent_default();
                    self.offer(next, false);
                }
            }
            _ => {}
        }
    }

    /// How a drag changes this field.
    fn handle(self) -> drag::Handle {
        drag::Handle {
            field: self.name,
            start: Callback::new(move |()| {
                self.draft.set(Draft::default());
                self.clear_error();
                self.begin();
                self.in_force()
            }),
            // A number that the physics refuse is passed over, like one out of range.
            write: Callback::new(move |number| drop(self.write(Some(number)))),
            cancel: Callback::new(move |()| self.restore()),
        }
    }
}

/// The input alone; the caller puts a label or a table head beside it. `called` is what it is called in sentences; its unit is that
/// of the field. A number that may be left out may be left empty.
#[component]
pub fn NumberInput(binding: Bound, #[prop(into)] called: Signal<String>) -> impl IntoView {
    let Bound {
        key,
        field: name,
        fact,
        read,
        write,
        give_up,
        instead,
    } = binding;
    let state = expect_context::<Shell>();
    let id = element_id(&key);
    let fault_id = format!("{id}-fault");
    let value = Memo::new(move |_| read());
    let field = Field {
        state,
        name,
        key: StoredValue::new(key),
        called,
        value,
        write: StoredValue::new(write),
        give_up: StoredValue::new(give_up),
        fallback: instead,
        draft: RwSignal::new(Draft::default()),
        visit: StoredValue::new((0, None)),
        entry: StoredValue::new(None),
        written: StoredValue::new(None),
        fact,
        questions: use_context::<Questions>(),
    };
    drag::register(&id, field.handle());
    {
        let id = id.clone();
        on_cleanup(move || drag::unregister(&id));
    }
    let accessible_label = move || {
        let called = called.get();
        let full = fields::of(name).map_or(called.clone(), |field| field.full_name(&called));
        let or = if field.is_optional() { " or empty" } else { "" };
        format!("{full}{or}")
    };
    let is_bad = Memo::new(move |_| field.is_bad());
    // Where the number is from, until it is typed over.
    let origin = Memo::new(move |_| {
        let value = value.get()?;
        state.common.view.with(|view| {
            let of = |world: &World| world.origin(view, fact.machine, fact.key, value);
            state.common.with(of)
        })
    });
    let is_assumed = move || origin.with(|origin| matches!(origin, Some(FactOrigin::Assumed(_))));
    let words = move || origin.with(|origin| origin.as_ref().map(from));
    let text = move || {
        let number = || value.get().map(|number| number.to_string());
        field
            .draft
            .with(|draft| draft.text.clone())
            .or_else(number)
            .unwrap_or_default()
    };
    // Undo, presets and links change the value from outside: they win over what was typed before. What the field itself
    // wrote or took back does not.
    Effect::new(move |before: Option<(Option<f64>, u32)>| {
        let now = (value.get(), state.replaced.get());
        let typed = field.draft.with_untracked(|draft| {
            let text = draft.text.as_deref()?;
            Some(match text.trim() {
                "" if field.is_optional() => Ok(None),
                text => fields::parse(name, text).map(Some),
            })
        });
        let is_own = field.written.get_value() == Some(now.0);
        if let (Some(before), Some(typed)) = (before, typed)
            && (before.1 != now.1 || (before.0 != now.0 && typed != Ok(now.0) && !is_own))
        {
            field.draft.set(Draft::default());
            field.clear_error();
        }
        now
    });

    view! {
        <input
            id=id
            inputmode="decimal"
            autocomplete="off"
            spellcheck="false"
            class:bad=move || is_bad.get()
            class:is-assumed=is_assumed
            title=words
            aria-label=accessible_label
            aria-invalid=move || is_bad.get().then_some("true")
            aria-describedby=move || is_bad.get().then(|| fault_id.clone())
            data-settled=move || (!field.draft.with(|draft| draft.is_typed)).then_some("")
            prop:value=text
            on:focus=move |_| field.begin()
            on:input=move |event| field.offer(event_target_value(&event), true)
            on:blur=move |_| field.leave()
            on:keydown=move |event| field.keys(&event)
        />
    }
}

/// The sentences of all fields of a row that are wrong; `owner` is what their keys begin with.
pub fn faults_of(owner: String, keys: Vec<String>) -> (Memo<bool>, impl IntoView) {
    let state = expect_context::<Shell>();
    let has_fault = Memo::new(move |_| {
        let is_mine = |key: &String| key.starts_with(&owner);
        state.faults.with(|faults| faults.keys().any(is_mine))
    });
    // Most rows never have any, and a row has two dozen fields.
    let sentences = move || {
        let all = keys.iter().cloned();
        has_fault
            .get()
            .then(|| all.map(|key| view! { <Fault key=key/> }).collect_view())
    };
    (has_fault, sentences)
}

/// The sentence of a field that is wrong, where it belongs.
#[component]
pub fn Fault(key: String) -> impl IntoView {
    let state = expect_context::<Shell>();
    let id = format!("{}-fault", element_id(&key));
    move || {
        let sentence = state.faults.with(|faults| faults.get(&key).cloned());
        sentence.map(|sentence| view! { <p class="fault" id=id.clone()>{sentence}</p> })
    }
}
