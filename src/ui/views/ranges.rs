//! Ranges in the place of points, for any question but a cold start, which has more to say of them: a list of the numbers that
//! have a range, draws by the workers, what they come to, and which range matters most.

use super::world_query::{Answered, WorldQueryState, follow_world};
use crate::ui::questions::Questions;
use crate::ui::views::section::{Fold, Section};
use engine::scenario::Span;
use engine::scenario::world::{LocatedField, World};
use leptos::prelude::*;
use protocol::request_kinds::WorldQuery;

/// A number that is listed, with what it is called.
type Listed = (LocatedField, String);

/// The numbers that the question shows of a scenario.
fn numbers(world: &World) -> Vec<Listed> {
    let Ok(view) = world.view(world.question) else {
        return Vec::new();
    };
    let names = view.row_names();
    let label = |known: &LocatedField| known.location.owner.label(&names, known.field.noun);
    let all = world.spots(&view).into_iter();
    all.map(|known| (known, label(&known))).collect()
}

/// Gives a number a range, or takes it away, as one step to undo.
fn set_range(questions: Questions, known: LocatedField, range: Option<Span>) {
    let question = questions.shell.question.get_untracked();
    let done = questions.change(move |world| {
        if let Ok(view) = world.view(question) {
            // What was typed has been checked.
            let _ = world.put_range(&view, &known, range);
        }
    });
    if let Err(fault) = done {
        questions
            .shell
            .announce(format!("No range was set: {fault}."));
    }
}

/// A range as it is typed.
fn typed(span: Span) -> String {
    format!("{} to {}", span.low, span.high)
}

/// The block; `edited` changes with every edit of the scenario.
#[component]
pub fn RangesView(#[prop(into)] edited: Signal<()>) -> impl IntoView {
    let questions = expect_context::<Questions>();
    let asking = WorldQueryState::open(questions, edited, WorldQuery::Ranges { seed: 0 });
    let listed = RwSignal::new(Vec::<Listed>::new());
    let begin = move || {
        // Once more is with other draws.
        if asking.is_active()
            && let WorldQuery::Ranges { seed } = asking.wants.get_untracked()
        {
            let seed = seed.wrapping_add(1);
            asking.wants.set(WorldQuery::Ranges { seed });
        }
        asking.begin();
    };
    let has_ranges =
        Memo::new(move |_| listed.with(|all| all.iter().any(|(known, _)| known.range.is_some())));
    view! {
        <Section id="spread" title="Ranges" fold=Fold::Folded holds="numbers that are only known roughly">
            <Numbers questions=questions edited=edited listed=listed/>
            <p class="over" id="spread-about">
                "Enter a range for any number you are unsure of. Edgewise then draws from the ranges, plans each draw anew, and says \
                 how far the answer varies and which range matters most. Assumed numbers come with a range."
            </p>
            <Add questions=questions listed=listed/>
            {move || has_ranges.get().then(|| view! {
                <Answered id="spread" asking=asking labels=["Draw", "Other draws"] begin=move |()| begin()/>
            })}
            {move || has_ranges.get().then(|| view! { <List questions=questions listed=listed/> })}
        </Section>
    }
}

/// Keeps the list of numbers, which is not made while no one looks.
#[component]
fn Numbers(
    questions: Questions,
    edited: Signal<()>,
    listed: RwSignal<Vec<Listed>>,
) -> impl IntoView {
    follow_world(
        questions,
        edited,
        || true,
        move |world| listed.set(numbers(&world)),
    );
}

/// A list of all numbers, and what gives one of them a range.
#[component]
fn Add(questions: Questions, listed: RwSignal<Vec<Listed>>) -> impl IntoView {
    let chosen = RwSignal::new(None::<usize>);
    let fault = RwSignal::new(None::<String>);
    let text = RwSignal::new("20 %".to_owned());
    let press = move |_| {
        let known = chosen.get_untracked();
        let known = known.and_then(|at| listed.with_untracked(|all| Some(all.get(at)?.0)));
        let Some(known) = known else { return };
        match Span::typed(known.field, known.value, &text.get_untracked()) {
            Ok(range) => {
                fault.set(None);
                set_range(questions, known, range);
            }
            Err(why) => fault.set(Some(format!("{why}."))),
        }
    };
    let options = move || {
        listed.with(|all| {
            let option = |(at, (_, label)): (usize, &Listed)| {
                let is_chosen = move || chosen.get() == Some(at);
                view! { <option value=at.to_string() selected=is_chosen>{label.clone()}</option> }
            };
            all.iter().enumerate().map(option).collect_view()
        })
    };
    let is_bad = move || fault.with(Option::is_some);
    view! {
        <div class="sweep-controls add">
            <label for="spread-number">
                <span>"Range for"</span>
                <select
                    id="spread-number"
                    on:change=move |event| chosen.set(event_target_value(&event).parse().ok())
                >
                    <option value="" selected=move || chosen.get().is_none()>"Choose a number"</option>
                    {options}
                </select>
            </label>
            <label class="number" for="spread-range">
                <span>"From\u{2013}to, or percent to either side"</span>
                <input
                    id="spread-range"
                    autocomplete="off"
                    spellcheck="false"
                    class:bad=is_bad
                    aria-invalid=move || is_bad().then_some("true")
                    aria-describedby=move || is_bad().then_some("spread-range-fault")
                    prop:value=text
                    on:input=move |event| text.set(event_target_value(&event))
                />
            </label>
            <button class="btn small" id="spread-add" disabled=move || chosen.get().is_none() on:click=press>"Set the range"</button>
        </div>
        {move || fault.get().map(|fault| view! { <p class="fault" id="spread-range-fault" role="status">{fault}</p> })}
    }
}

/// The numbers that have a range.
#[component]
fn List(questions: Questions, listed: RwSignal<Vec<Listed>>) -> impl IntoView {
    let row = move |(known, label): &Listed| {
        let span = known.range?;
        let known = *known;
        let unit = known.field.unit;
        let called = format!("Remove the range of {label}");
        Some(view! {
            <tr>
                <th scope="row">{label.clone()}</th>
                <td class="n">{known.value.to_string()}</td>
                <td class="n">{typed(span)}</td>
                <td>{unit}</td>
                <td class="n">
                    <button class="btn quiet small" aria-label=called on:click=move |_| set_range(questions, known, None)>"Remove"</button>
                </td>
            </tr>
        })
    };
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label="Numbers with a range">
            <table class="data spans" id="spread-ranges">
                <caption class="sr">"Numbers with a range"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Number"</th>
                        <th scope="col" class="n">"Value"</th>
                        <th scope="col" class="n">"Range"</th>
                        <th scope="col">"Unit"</th>
                        <th scope="col"><span class="sr">"Remove"</span></th>
                    </tr>
                </thead>
                <tbody>{move || listed.with(|all| all.iter().map(row).collect_view())}</tbody>
            </table>
        </div>
    }
}
