//! Dragging a number sideways to change it: on its label, or on a cell that has not the focus. With touch only the
//! label drags, so that a finger on a cell still scrolls. One listener for the whole page serves all fields.

use engine::scenario::fields;
use gloo::events::{EventListener, EventListenerOptions};
use leptos::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlInputElement, KeyboardEvent, PointerEvent};

/// Sideways travel that makes a press a drag [px].
const STARTS_AT: f64 = 3.0;

/// How a drag changes a field.
#[derive(Clone, Copy)]
pub struct Handle {
    /// Name in the schema; decides range and pace.
    pub field: &'static str,
    /// Begins a step to undo; the number to start from.
    pub start: Callback<(), Option<f64>>,
    /// Writes a number in range.
    pub write: Callback<f64>,
    /// Puts back what was there before.
    pub cancel: Callback<()>,
}

/// A press that may become a drag.
struct Press {
    handle: Handle,
    input: HtmlInputElement,
    pointer: i32,
    from_x: f64,
    on_label: bool,
    /// The number it began with, once it is a drag.
    from: Option<f64>,
}

#[derive(Default)]
struct Drags {
    handles: BTreeMap<String, Handle>,
    press: Option<Press>,
    /// A drag ends with a click, which must not focus what it ends on.
    swallows_click: bool,
}

thread_local! {
    static DRAGS: RefCell<Drags> = RefCell::default();
}

/// Makes the input with this id one that can be dragged.
pub fn register(id: &str, handle: Handle) {
    DRAGS.with_borrow_mut(|drags| drags.handles.insert(id.to_owned(), handle));
}

/// Undoes [`register`].
pub fn unregister(id: &str) {
    DRAGS.with_borrow_mut(|drags| {
        drags.handles.remove(id);
        drags.press.take_if(|press| press.input.id() == id);
    });
}

/// Listens, as long as the page lives.
pub fn listen() {
    let on = |kind: &'static str, hear: fn(&Event)| {
        let options = EventListenerOptions {
            phase: gloo::events::EventListenerPhase::Capture,
            passive: false,
        };
        EventListener::new_with_options(&window(), kind, options, hear).forget();
    };
    on("pointerdown", |event| pressed(event.unchecked_ref()));
    on("pointermove", |event| moved(event.unchecked_ref()));
    on("pointerup", |event| ended(event.unchecked_ref(), true));
    on("pointercancel", |event| ended(event.unchecked_ref(), false));
    on("mousedown", |event| {
        // Focus and selection wait until it is clear that this is a click.
        let waits = DRAGS.with_borrow(|drags| drags.press.as_ref().is_some_and(|p| !p.on_label));
        if waits {
            event.prevent_default();
        }
    });
    on("click", |event| {
        if DRAGS.with_borrow_mut(|drags| std::mem::take(&mut drags.swallows_click)) {
            event.prevent_default();
            event.stop_propagation();
        }
    });
    on("keydown", |event| {
        let event: &KeyboardEvent = event.unchecked_ref();
        if event.key() != "Escape" {
            return;
        }
        let dragging = |press: &mut Press| press.from.is_some();
        let press = DRAGS.with_borrow_mut(|drags| drags.press.take_if(dragging));
        if let Some(press) = press {
            event.prevent_default();
            event.stop_propagation();
            finish(&press);
            press.handle.cancel.run(());
        }
    });
}

/// The field that a press is about, and whether it is on its label.
fn field_at(target: &Element) -> Option<(HtmlInputElement, bool)> {
    if let Some(input) = target.dyn_ref::<HtmlInputElement>() {
        return Some((input.clone(), false));
    }
    // On a small screen the cell itself carries the label of its input.
    let owner = target.closest("label, td[data-l]").ok().flatten()?;
    let named = owner
        .get_attribute("for")
        .and_then(|id| document().get_element_by_id(&id));
    let inside = || {
        owner
            .query_selector("input[inputmode=decimal]")
            .ok()
            .flatten()
    };
    let input = named.or_else(inside)?.dyn_into().ok()?;
    Some((input, true))
}

fn pressed(event: &PointerEvent) {
    DRAGS.with_borrow_mut(|drags| drags.swallows_click = false);
    if event.button() != 0 || !event.is_primary() {
        return;
    }
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    let Some((target, (input, on_label))) = target.and_then(|t| field_at(&t).map(|f| (t, f)))
    else {
        return;
    };
    let has_focus = document().active_element().as_ref() == Some(input.as_ref());
    if !on_label && (has_focus || event.pointer_type() == "touch") {
        return;
    }
    let handle = DRAGS.with_borrow(|drags| drags.handles.get(&input.id()).copied());
    let Some(handle) = handle else {
        return;
    };
    // The pointer may leave the cell; without capture the drag ends at the window's edge, which is no harm.
    let _ = target.set_pointer_capture(event.pointer_id());
    let press = Press {
        handle,
        input,
        pointer: event.pointer_id(),
        from_x: f64::from(event.client_x()),
        on_label,
        from: None,
    };
    DRAGS.with_borrow_mut(|drags| drags.press = Some(press));
}

fn moved(event: &PointerEvent) {
    // Callbacks run outside of the borrow: they may create and remove fields.
    let press = DRAGS.with_borrow_mut(|drags| {
        let ours = |press: &mut Press| press.pointer == event.pointer_id();
        drags.press.take_if(ours)
    });
    let Some(mut press) = press else {
        return;
    };
    let travel = f64::from(event.client_x()) - press.from_x;
    if press.from.is_none() && travel.abs() >= STARTS_AT {
        press.from = press.handle.start.run(());
        mark(&press, true);
    }
    if let Some(from) = press.from {
        event.prevent_default();
        let next = fields::dragged(press.handle.field, from, travel, event.shift_key());
        if let Some(next) = next {
            press.handle.write.run(next);
        }
    }
    DRAGS.with_borrow_mut(|drags| drags.press = Some(press));
}

fn ended(event: &PointerEvent, released: bool) {
    let press = DRAGS.with_borrow_mut(|drags| {
        let ours = |press: &mut Press| press.pointer == event.pointer_id();
        drags.press.take_if(ours)
    });
    match press {
        Some(press) if press.from.is_some() => finish(&press),
        // A plain click.
        Some(press) if released && !press.on_label => {
            let _ = press.input.focus();
            press.input.select();
        }
        _ => {}
    }
}

fn finish(press: &Press) {
    mark(press, false);
    DRAGS.with_borrow_mut(|drags| drags.swallows_click = true);
}

/// Shows that a number is being dragged, wherever the pointer is.
fn mark(press: &Press, is_dragged: bool) {
    let root = document().document_element();
    let input = Some(press.input.clone().unchecked_into());
    for element in [root, input].into_iter().flatten() {
        let _ = element.toggle_attribute_with_force("data-dragging", is_dragged);
    }
}
