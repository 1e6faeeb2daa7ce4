//! Which prompt lengths are swept.

use super::ColdStartState;
use engine::scenario::lengths::{LengthsFault, Spacing, SweepLengths, TypedLengths};
use leptos::prelude::*;

const SPACINGS: [(Spacing, &str, &str); 3] = [
    (Spacing::Factors, "Equal factors", "sweep-factors"),
    (Spacing::Steps, "Equal steps", "sweep-steps"),
    (Spacing::Listed, "Own list", "sweep-listed"),
];

/// A field of what was typed: its name in faults, its label, how to get at its text.
type Field = (
    &'static str,
    &'static str,
    fn(&mut TypedLengths) -> &mut String,
);

const NUMBERS: [Field; 3] = [
    ("from", "From", |typed| &mut typed.from),
    ("to", "To", |typed| &mut typed.to),
    ("count", "Lengths", |typed| &mut typed.count),
];
const LIST: Field = ("list", "Prompt lengths", |typed| &mut typed.list);

/// Typed text, with its error.
#[derive(Clone, Copy)]
struct Draft {
    state: ColdStartState,
    spacing: RwSignal<Spacing>,
    typed: RwSignal<TypedLengths>,
    fault: RwSignal<Option<LengthsFault>>,
}

impl Draft {
    /// Sweeps what was typed, if it can be swept.
    fn offer(&self) {
        let lengths = self.state.lengths.get_untracked();
        let typed = self.typed.get_untracked();
        match lengths.read(self.spacing.get_untracked(), &typed) {
            Ok(read) => {
                self.fault.set(None);
                if read != *lengths {
                    self.state.sweep(read);
                }
            }
            Err(fault) => self.fault.set(Some(fault)),
        }
    }

    /// Chooses a spacing; a list begins with the lengths shown.
    fn choose(&self, spacing: Spacing) {
        let shown: Vec<String> = self
            .state
            .lengths
            .with_untracked(|lengths| lengths.values().iter().map(f64::to_string).collect());
        self.typed.update(|typed| {
            if spacing == Spacing::Listed && self.spacing.get_untracked() != spacing {
                typed.list = shown.join(", ");
            }
        });
        self.spacing.set(spacing);
        self.offer();
    }

    fn input(self, (key, label, text): Field, class: &'static str) -> impl IntoView {
        let id = format!("sweep-{key}");
        let name = id.clone();
        let is_bad = Memo::new(move |_| {
            self.fault
                .with(|f| f.as_ref().is_some_and(|f| f.field == key))
        });
        view! {
            <label class=class for=name>
                <span>{label}</span>
                <input
                    id=id
                    inputmode=if key == "list" { "text" } else { "numeric" }
                    autocomplete="off"
                    spellcheck="false"
                    class:bad=is_bad
                    aria-invalid=move || is_bad.get().then_some("true")
                    aria-describedby=move || is_bad.get().then_some("sweep-lengths-fault")
                    prop:value=move || self.typed.with(|typed| text(&mut typed.clone()).clone())
                    on:input=move |event| {
                        self.typed.update(|typed| *text(typed) = event_target_value(&event));
                    }
                    on:change=move |_| self.offer()
                />
            </label>
        }
    }
}

/// The choice of lengths; what they come to is asked for as long as it is there.
#[component]
pub fn Controls() -> impl IntoView {
    let state = expect_context::<ColdStartState>();
    let lengths = state.lengths.get_untracked();
    let draft = Draft {
        state,
        spacing: RwSignal::new(lengths.spacing),
        typed: RwSignal::new(lengths.typed()),
        fault: RwSignal::new(None),
    };
    let values = move || state.lengths.with(|lengths| lengths.values());
    state
        .answer
        .answer
        .bind_controls("sweep", Signal::derive(values));
    let is_list = Memo::new(move |_| draft.spacing.get() == Spacing::Listed);
    let choices = SPACINGS.map(|(spacing, label, id)| {
        view! {
            <button
                id=id
                role="radio"
                aria-checked=move || (draft.spacing.get() == spacing).to_string()
                on:click=move |_| draft.choose(spacing)
            >
                {label}
            </button>
        }
    });
    let is_papers = move || {
        state
            .lengths
            .with(|lengths| **lengths == SweepLengths::default())
    };
    let reset = move |_| {
        let papers = SweepLengths::default();
        draft.spacing.set(papers.spacing);
        draft.typed.set(papers.typed());
        draft.offer();
    };
    view! {
        <div class="sweep-controls">
            <div class="seg small" role="radiogroup" aria-label="Spacing of the prompt lengths">
                {choices.collect_view()}
            </div>
            {move || if is_list.get() {
                draft.input(LIST, "listed").into_any()
            } else {
                NUMBERS.map(|field| draft.input(field, "number")).collect_view().into_any()
            }}
            <button id="sweep-papers" class="btn quiet small" hidden=is_papers on:click=reset>
                "The paper\u{2019}s lengths"
            </button>
        </div>
        {move || {
            let fault = draft.fault.get()?;
            let sentence = format!("{} The sweep keeps its lengths.", fault.sentence);
            Some(view! { <p class="fault" id="sweep-lengths-fault" role="status">{sentence}</p> })
        }}
    }
}
