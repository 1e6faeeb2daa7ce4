//! The tiers: a small table in which every cell can be edited, and tiers can be added, copied, moved, switched off and
//! removed.

use super::TiersState;
use crate::ui::desk::OwnRow;
use crate::ui::views::field::{Binding, Instead, NumberInput, faults_of};
use crate::ui::views::gradual::gradually;
use crate::ui::views::icons::{Glyph, Icon};
use crate::ui::views::name_cell::NameCell;
use crate::ui::views::row_menu::{self, RowMenu};
use engine::hardware::machines::{self, Class, Machine};
use engine::problem::Invalid;
use engine::scenario::catalogue::machines::{assumed_of_tier, tier};
use engine::scenario::ranges;
use engine::scenario::tiers::{Link, MOST_TIERS, Scenario, Tier, presets};
use engine::units::NARROW;
use leptos::prelude::*;
use report::tiers::tier_name;
use std::sync::Arc;

/// A number of a tier.
struct Column {
    field: &'static str,
    head: &'static str,
    unit: &'static str,
    get: fn(&Tier) -> f64,
    set: fn(&mut Tier, f64),
}

/// The columns on show.
const COLUMNS: [Column; 4] = [
    Column {
        field: "nodes",
        head: "Nodes",
        unit: "count",
        get: |t| t.nodes,
        set: |t, v| t.nodes = v,
    },
    Column {
        field: "bandwidth_gb_s",
        head: "Memory",
        unit: "GB/s",
        get: |t| t.bandwidth_gb_s,
        set: |t, v| t.bandwidth_gb_s = v,
    },
    Column {
        field: "tops",
        head: "Compute",
        unit: "TOPS",
        get: |t| t.tops,
        set: |t, v| t.tops = v,
    },
    Column {
        field: "usable_gb",
        head: "Usable",
        unit: "GB",
        get: |t| t.usable_gb,
        set: |t, v| t.usable_gb = v,
    },
];

/// The further ones.
const MORE: [Column; 2] = [
    Column {
        field: "memory_gb",
        head: "Nominal memory",
        unit: "GB",
        get: |t| t.memory_gb,
        set: |t, v| t.memory_gb = v,
    },
    Column {
        field: "power_w",
        head: "Power under load",
        unit: "W",
        get: |t| t.power_w,
        set: |t, v| t.power_w = v,
    },
];

/// A number of a tier's own link.
struct OwnColumn {
    field: &'static str,
    head: &'static str,
    unit: &'static str,
    part: fn(&mut Link) -> &mut f64,
}

const OWN: [OwnColumn; 2] = [
    OwnColumn {
        field: "rate_mbit_s",
        head: "Rate to the next",
        unit: "Mbit/s",
        part: |l| &mut l.rate_mbit_s,
    },
    OwnColumn {
        field: "latency_ms",
        head: "Delay to the next",
        unit: "ms",
        part: |l| &mut l.latency_ms,
    },
];

/// The table and the buttons around it.
#[component]
pub fn Tiers() -> impl IntoView {
    let state = expect_context::<TiersState>();
    let size = move || {
        state.scenario.with(|s| {
            let nodes: f64 = s.switched_on().map(|(_, t)| t.nodes).sum();
            let tiers = s.switched_on().count();
            let nodes = if nodes == 1.0 {
                "1 device".to_owned()
            } else {
                format!("{nodes} devices")
            };
            let tiers = if tiers == 1 {
                "1 tier".to_owned()
            } else {
                format!("{tiers} tiers")
            };
            format!("{tiers}, {nodes}")
        })
    };
    let is_full = move || state.ids.with(|ids| ids.len() >= MOST_TIERS);
    let rows = gradually(state.ids);
    view! {
        <section aria-labelledby="fleet-h">
            <div class="head">
                <h2 id="fleet-h">"Tiers"</h2>
                <span class="count" id="fleet-count">{size}</span>
                <button class="btn small" id="add-tier" disabled=is_full on:click=move |_| add_copy(state)>
                    <Icon glyph=Glyph::Plus/>
                    "Tier"
                </button>
            </div>
            <table class="fleet" id="fleet">
                <thead>
                    <tr>
                        <th class="c-grip"><span class="sr">"Place"</span></th>
                        <th class="c-name">"Tier"</th>
                        {COLUMNS.iter().map(|c| view! { <th>{c.head}<span>{c.unit}</span></th> }).collect_view()}
                        <th class="c-menu"><span class="sr">"Actions"</span></th>
                    </tr>
                </thead>
                <For each=move || rows.get() key=|id| *id let:id>
                    <Row id=id/>
                </For>
            </table>
            <div class="under">
                <div class="select small">
                    <select
                        id="tier-catalogue"
                        aria-label="Add a tier of a device from the catalogue"
                        disabled=is_full
                        prop:value=""
                        on:change=move |event| {
                            let chosen = event_target_value(&event);
                            let select: web_sys::HtmlSelectElement = event_target(&event);
                            select.set_value("");
                            if let Some(machine) = machines::find(&chosen) {
                                add(state, usize::MAX, tier(machine));
                                say_assumed(state, machine);
                            }
                        }
                    >
                        <option value="" selected>"Add from catalogue"</option>
                        {Class::ALL.map(options).into_iter().collect_view()}
                    </select>
                    <Icon glyph=Glyph::Down/>
                </div>
            </div>
        </section>
    }
}

/// The machines of a class, to choose from.
fn options(class: Class) -> impl IntoView {
    let of_class = machines::all().filter(|machine| machine.class == class);
    view! {
        <optgroup label=class.plural()>
            {of_class
                .map(|machine| view! { <option value=machine.name title=machine.also>{machine.name}</option> })
                .collect_view()}
        </optgroup>
    }
}

/// A change of the tiers leaves no split of the user's.
fn drop_split(s: &mut Scenario) {
    s.split = None;
}

/// Adds a copy of the last tier, or the first of the paper.
pub fn add_copy(state: TiersState) {
    let last = state.scenario.with_untracked(|s| s.tiers.last().cloned());
    let tier = last.or_else(|| presets::paper().tiers.into_iter().next());
    if let Some(mut tier) = tier {
        tier.off = false;
        add(state, usize::MAX, tier);
    }
}

fn add(state: TiersState, at: usize, mut tier: Tier) {
    let taken: Vec<String> = state
        .scenario
        .with_untracked(|s| s.tiers.iter().map(|t| t.name.clone()).collect());
    if taken.contains(&tier.name) {
        let base = tier.name.clone();
        let names = (2..).map(|n| format!("{base} {n}"));
        tier.name = names
            .into_iter()
            .find(|name| !taken.contains(name))
            .unwrap_or_default();
    }
    say_fault(state, "added", state.insert_with(at, tier, drop_split));
}

/// Says which numbers of a machine are assumed.
fn say_assumed(state: TiersState, machine: &Machine) {
    let assumed = assumed_of_tier(machine);
    if !assumed.is_empty() {
        state.say(format!(
            "Assumed for {}: {}.",
            machine.name,
            assumed.join(", ")
        ));
    }
}

fn say_fault(state: TiersState, what: &str, done: Result<(), Invalid>) {
    if let Err(fault) = done {
        state.say(format!("Not {what}: {fault}."));
    }
}

/// A number of the tier's own link; a link whose numbers are all shared is none.
fn own_binding(
    state: TiersState,
    own: OwnRow<Scenario>,
    column: &'static OwnColumn,
) -> (Binding<Scenario>, Instead<Scenario>) {
    let value = move |tier: &Tier| tier.link.map(|mut link| *(column.part)(&mut link));
    let binding = Binding {
        key: own.key(&format!("link {}", column.field)),
        field: column.field,
        get: Box::new(move |s: &Scenario| own.read(s, value).flatten()),
        set: Box::new(move |s: &mut Scenario, value| {
            let shared = s.link;
            own.change(s, |t| {
                let mut link = t.link.unwrap_or(shared);
                *(column.part)(&mut link) = value;
                t.link = Some(link);
            });
        }),
    };
    let instead = Instead {
        clear: Box::new(move |s: &mut Scenario| own.change(s, |t| t.link = None)),
        shared: Signal::derive(move || {
            state.scenario.with(|s| *(column.part)(&mut s.link.clone()))
        }),
    };
    (binding, instead)
}

#[component]
fn Row(id: u32) -> impl IntoView {
    let state = expect_context::<TiersState>();
    let own = OwnRow::of(*state, id);
    let open = RwSignal::new(false);
    let place = Memo::new(move |_| state.position(id));
    let name = Memo::new(move |_| {
        let name = |s: &Arc<Scenario>| own.read(s, |t| t.name.clone());
        state.scenario.with(name).unwrap_or_default()
    });
    let is_off = Memo::new(move |_| {
        let off = |s: &Arc<Scenario>| own.read(s, |t| t.off);
        state.scenario.with(off).unwrap_or_default()
    });
    let cell = move |column: &'static Column| {
        let noun = ranges::noun(column.field);
        let spoken = Signal::derive(move || format!("{} {noun}, {}", name.get(), column.unit));
        let label = match column.head {
            "Nodes" => "Nodes".to_owned(),
            _ => column.unit.to_owned(),
        };
        view! {
            <td data-l=label>
                <NumberInput binding=own.number(column.field, column.get, column.set).on(*state) spoken=spoken/>
            </td>
        }
    };
    let rename = Callback::new(move |typed: String| {
        // A name is free text; control characters cannot be typed into an input.
        let _ = state.edit("", |s| own.change(s, |row| row.name = typed));
    });
    let keys = COLUMNS.iter().chain(&MORE).map(|c| own.key(c.field));
    let keys = keys.chain(OWN.iter().map(|c| own.key(&format!("link {}", c.field))));
    let (has_fault, faults) = faults_of(own.key(""), keys.collect());
    view! {
        <tbody class="device" class:off=move || is_off.get()>
            <tr class="vals">
                <td class="g-grip"></td>
                <NameCell noun="tier" place=place name=name is_off=is_off rename=rename/>
                {COLUMNS.iter().map(cell).collect_view()}
                <td class="g-menu"><Menu id=id open=open/></td>
            </tr>
            <tr class="derived">
                <td></td>
                <td colspan="6">{move || state.scenario.with(|s| derived(s, place.get()))}</td>
            </tr>
            {move || open.get().then(|| view! { <AllNumbers own=own name=name/> })}
            <tr class="error" hidden=move || !has_fault.get()>
                <td colspan="7">{faults}</td>
            </tr>
        </tbody>
    }
}

#[component]
fn AllNumbers(own: OwnRow<Scenario>, name: Memo<String>) -> impl IntoView {
    let state = expect_context::<TiersState>();
    let number = move |column: &'static Column| {
        let noun = ranges::noun(column.field);
        let spoken = Signal::derive(move || format!("{} {noun}, {}", name.get(), column.unit));
        view! {
            <label>
                <span>{column.head}" "<small>{column.unit}</small></span>
                <NumberInput binding=own.number(column.field, column.get, column.set).on(*state) spoken=spoken/>
            </label>
        }
    };
    let part = move |column: &'static OwnColumn| {
        let (binding, instead) = own_binding(state, own, column);
        let noun = ranges::noun(column.field);
        let spoken =
            Signal::derive(move || format!("{} own {noun}, {} or empty", name.get(), column.unit));
        view! {
            <label>
                <span>{column.head}" "<small>{column.unit}</small></span>
                <NumberInput binding=binding.or(*state, instead) spoken=spoken/>
            </label>
        }
    };
    view! {
        <tr class="more">
            <td></td>
            <td colspan="6">
                <div class="more-fields">{MORE.iter().map(number).collect_view()}</div>
                <h3>"Own link "<small>"empty: the shared one"</small></h3>
                <div class="more-fields">{OWN.iter().map(part).collect_view()}</div>
            </td>
        </tr>
    }
}

#[component]
fn Menu(id: u32, open: RwSignal<bool>) -> impl IntoView {
    let state = expect_context::<TiersState>();
    let holder = NodeRef::<leptos::html::Details>::new();
    let place = move || state.position(id).unwrap_or_default();
    let name = move || state.scenario.with(|s| tier_name(s, place()));
    let close = move || row_menu::close(holder);
    let act = move |action: &dyn Fn(usize)| {
        close();
        if let Some(at) = untrack(|| state.position(id)) {
            action(at);
        }
    };
    let is_off = move || {
        state
            .scenario
            .with(|s| s.tiers.get(place()).is_some_and(|t| t.off))
    };
    let last = move || place() + 1 == state.ids.with(Vec::len);
    let duplicate = move |at: usize| {
        let copied = state.scenario.with_untracked(|s| s.tiers.get(at).cloned());
        if let Some(tier) = copied {
            add(state, at + 1, tier);
        }
    };
    let switch = move |at: usize| {
        let done = state.edit("", |s| {
            if let Some(tier) = s.tiers.get_mut(at) {
                tier.off = !tier.off;
            }
            drop_split(s);
        });
        say_fault(state, "switched", done);
    };
    let label = Signal::derive(move || format!("{}: duplicate, move, switch off, remove", name()));
    let list = move || {
        view! {
                <button on:click=move |_| act(&duplicate)>"Duplicate"</button>
                <button disabled=move || place() == 0 on:click=move |_| act(&|at| state.move_with(at, at.saturating_sub(1), drop_split))>"Move up"</button>
                <button disabled=last on:click=move |_| act(&|at| state.move_with(at, at + 1, drop_split))>"Move down"</button>
                <button on:click=move |_| {
                    open.update(|open| *open = !*open);
                    close();
                }>{move || if open.get() { "Fewer numbers" } else { "All numbers" }}</button>
                <button on:click=move |_| act(&switch)>{move || if is_off() { "Switch on" } else { "Switch off" }}</button>
                <button class="bad" on:click=move |_| act(&|at| state.remove_with(at, drop_split))>"Remove"</button>
        }
    };
    view! { <RowMenu label=label holder=holder list=list/> }
}

/// What follows from a tier's numbers.
fn derived(s: &Scenario, at: Option<usize>) -> Option<String> {
    let tier = s.tiers.get(at?)?;
    if tier.off {
        return Some("Switched off: kept here, left out of every plan".to_owned());
    }
    let (pass, block) = s.with_costs(|costs| {
        let block = costs.model.block_bytes(costs.profile.precision) / 1e9;
        (costs.block(&tier.node()), block)
    });
    let room = libm::floor((tier.usable_gb + 1e-9) / block);
    let own = if tier.link.is_some() {
        ", own link"
    } else {
        ""
    };
    Some(format!(
        "{:.2}{NARROW}ms per block   room for {room:.0} blocks{own}",
        1e3 * pass.decode
    ))
}
