//! Menu of a row.

use super::{FleetRows, OwnColumns, duplicate, is_off, more, remove, switch};
use crate::ui::questions::Questions;
use crate::ui::scenario_editor::{OwnRow, ScenarioEditor};
use crate::ui::views::row_menu::{self, RowMenu};
use engine::scenario::catalogue::LONGEST_SOURCE;
use engine::scenario::world::{FactOrigin, World};
use leptos::prelude::*;

/// The menu of the row with this id; `open` says whether its further numbers are shown.
#[component]
pub fn Menu<S: FleetRows>(
    editor: ScenarioEditor<S>,
    id: u32,
    name: Memo<String>,
    open: RwSignal<bool>,
    shown: StoredValue<OwnColumns<S>, LocalStorage>,
) -> impl IntoView {
    let holder = NodeRef::<leptos::html::Details>::new();
    let own = OwnRow::of(editor, id);
    let place = move || editor.position(id).unwrap_or_default();
    let close = Callback::new(move |()| row_menu::close(holder));
    let act = move |action: fn(ScenarioEditor<S>, usize)| {
        close.run(());
        if let Some(at) = untrack(|| editor.position(id)) {
            action(editor, at);
        }
    };
    let off = move || {
        editor
            .scenario
            .with(|s| own.read(s, |row| is_off::<S>(row)).unwrap_or_default())
    };
    let count = move || editor.ids.with(Vec::len);
    let is_full = move || count() >= S::MOST;
    let is_least = move || count() <= S::LEAST;
    let has_more = more::<S>().next().is_some() || !S::row_details().is_empty();
    let what = if S::CAN_BE_OFF {
        "duplicate, move, switch off, remove"
    } else {
        "duplicate, move, remove"
    };
    let label = Signal::derive(move || format!("{}: {what}", name.get()));
    let list = move || {
        view! {
            <button title="Ctrl+D" disabled=is_full on:click=move |_| act(duplicate)>"Duplicate"</button>
            <button disabled=move || place() == 0 on:click=move |_| act(|editor, at| editor.move_row(at, at.saturating_sub(1)))>"Move up"</button>
            <button disabled=move || place() + 1 == count() on:click=move |_| act(|editor, at| editor.move_row(at, at + 1))>"Move down"</button>
            {has_more.then(|| view! {
                <button on:click=move |_| {
                    open.update(|open| *open = !*open);
                    close.run(());
                }>{move || if open.get() { "Fewer numbers" } else { "All numbers" }}</button>
            })}
            {(shown.with_value(|shown| shown.actions))(own, close)}
            <Origins id=id close=close/>
            {S::CAN_BE_OFF.then(|| view! {
                <button on:click=move |_| act(switch)>{move || if off() { "Switch on" } else { "Switch off" }}</button>
            })}
            <button class="bad" title="Delete" disabled=is_least on:click=move |_| act(remove)>"Remove"</button>
        }
    };
    view! { <RowMenu label=label holder=holder list=list/> }
}

/// Choice of the source of a machine's numbers.
#[component]
fn Origins(id: u32, close: Callback<()>) -> impl IntoView {
    let questions = expect_context::<Questions>();
    let common = questions.shell.common;
    let has_assumed = Memo::new(move |_| {
        let any =
            |view: &engine::scenario::world::QuestionView| view.assumed_of(id).next().is_some();
        common.view.with(any)
    });
    let has_given = Memo::new(move |_| {
        common.view.track();
        common.with(|world| world.has_given(id))
    });
    let change = move |change: &dyn Fn(&mut World)| {
        close.run(());
        if let Err(fault) = questions.change(change) {
            questions.shell.announce(format!("Not changed: {fault}."));
        }
    };
    let confirm = move |_| {
        let question = questions.shell.question.get_untracked();
        change(&|world| {
            if let Ok(view) = world.view(question) {
                let its: Vec<_> = view.assumed_of(id).cloned().collect();
                world.fix_assumptions(&its, true);
            }
        });
    };
    let mark = Callback::new(move |how: String| {
        change(&|world| world.machine_is_from(id, &FactOrigin::Measured(how.clone())));
    });
    let generates = Memo::new(move |_| common.view.with(|view| view.counts_generation(id)));
    let measure = Callback::new(move |typed: String| {
        close.run(());
        let Ok(rate) = typed.parse::<f64>() else {
            let said = format!("Not changed: \u{201c}{typed}\u{201d} is not a number.");
            return questions.shell.announce(said);
        };
        let mut measured = Ok(());
        let changed = questions.change(|world| {
            let run = world.measured_here(rate, format!("{typed} token/s here"));
            measured = world.measure(id, &run);
        });
        if let Err(fault) = measured.and(changed) {
            questions.shell.announce(format!("Not changed: {fault}."));
        }
    });
    move || {
        let confirm = has_assumed.get().then(|| {
            view! { <button on:click=confirm>"Confirm its numbers"</button> }
        });
        let measured = has_given.get().then(|| {
            view! { <Asks opens="Mark as measured" asks="How were its numbers measured?" acts="Mark" act=mark close=close/> }
        });
        let speed = generates.get().then(|| {
            view! {
                <Asks
                    opens="Set measured speed"
                    asks="Tokens per second that it generates with this model, alone"
                    acts="Set"
                    act=measure
                    close=close
                />
            }
        });
        view! { {confirm}{measured}{speed} }
    }
}

/// A button of a menu that asks for a text before it acts.
#[component]
fn Asks(
    /// Label of the button.
    opens: &'static str,
    /// Label of the field.
    asks: &'static str,
    /// Label of the button that acts.
    acts: &'static str,
    act: Callback<String>,
    close: Callback<()>,
) -> impl IntoView {
    let is_asking = RwSignal::new(false);
    let typed = RwSignal::new(String::new());
    let asked = NodeRef::<leptos::html::Input>::new();
    let finish = move || {
        let text = typed.with_untracked(|text| text.trim().to_owned());
        if !text.is_empty() {
            is_asking.set(false);
            act.run(text);
        }
    };
    move || {
        match is_asking.get() {
        false => view! {
            <button on:click=move |_| {
                is_asking.set(true);
                request_animation_frame(move || {
                    if let Some(input) = asked.get_untracked() {
                        let _ = input.focus();
                    }
                });
            }>{opens}</button>
        }
        .into_any(),
        true => view! {
            <label class="how">
                <span>{asks}</span>
                <input
                    node_ref=asked
                    autocomplete="off"
                    maxlength=LONGEST_SOURCE
                    prop:value=move || typed.get()
                    on:input=move |event| typed.set(event_target_value(&event))
                    on:keydown=move |event| {
                        event.stop_propagation();
                        match event.key().as_str() {
                            "Enter" => finish(),
                            "Escape" => close.run(()),
                            _ => {}
                        }
                    }
                />
            </label>
            <button disabled=move || typed.with(|text| text.trim().is_empty()) on:click=move |_| finish()>{acts}</button>
        }
        .into_any(),
    }
    }
}
