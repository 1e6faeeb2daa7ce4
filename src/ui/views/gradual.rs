//! Rows of a table a few at a time, so that a long table never holds the page up.

use gloo::timers::callback::Timeout;
use leptos::prelude::*;

/// New rows that are built in one task. A row of the fleet takes a few milliseconds, and no task is to take fifty.
const AT_ONCE: usize = 2;

/// The rows among `ids` that are to be seen: those that were there before, and the new ones two by two, in order.
///
/// # Complexity
/// O(n²) comparisons of ids for n new rows; a fleet has a few dozen.
pub fn gradually(ids: RwSignal<Vec<u32>>) -> Signal<Vec<u32>> {
    let seen = RwSignal::new(Vec::new());
    admit(ids, seen);
    Effect::watch(move || ids.track(), move |(), _, _| admit(ids, seen), false);
    seen.into()
}

fn admit(ids: RwSignal<Vec<u32>>, seen: RwSignal<Vec<u32>>) {
    // The table may have gone while a timer ran.
    let Some(all) = ids.try_get_untracked() else {
        return;
    };
    let Some(before) = seen.try_get_untracked() else {
        return;
    };
    let mut left = AT_ONCE;
    let mut next = Vec::with_capacity(all.len());
    for id in &all {
        if before.contains(id) {
            next.push(*id);
        } else if left > 0 {
            left -= 1;
            next.push(*id);
        }
    }
    let is_all = next.len() == all.len();
    if next != before {
        seen.set(next);
    }
    if !is_all {
        Timeout::new(0, move || admit(ids, seen)).forget();
    }
}
