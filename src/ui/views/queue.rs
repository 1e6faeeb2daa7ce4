//! Parts of the page that are built one after the other, each in a task of its own, so that nothing holds the page up.

use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use std::collections::VecDeque;

/// Components that wait to be built. Cheap to copy.
#[derive(Clone, Copy)]
pub struct BuildQueue {
    waiting: StoredValue<VecDeque<RwSignal<bool>>>,
    is_busy: RwSignal<bool>,
}

impl BuildQueue {
    /// Creates an empty queue.
    pub fn new() -> Self {
        Self {
            waiting: StoredValue::new(VecDeque::new()),
            is_busy: RwSignal::new(false),
        }
    }

    /// Returns true if a component waits; tracked.
    pub fn is_busy(self) -> bool {
        self.is_busy.get()
    }

    /// Returns true once it is the turn of the calling component, which queues as soon as `when` is true.
    pub fn when_due(self, when: impl Fn() -> bool + 'static) -> Signal<bool> {
        let has_come = RwSignal::new(false);
        Effect::new(move |queues: Option<bool>| {
            if queues == Some(true) {
                return true;
            }
            let queues = when();
            if queues {
                self.queue(has_come);
            }
            queues
        });
        has_come.into()
    }

    fn queue(self, part: RwSignal<bool>) {
        self.waiting.update_value(|all| all.push_back(part));
        if !self.is_busy.get_untracked() {
            self.is_busy.set(true);
            self.go_on();
        }
    }

    fn go_on(self) {
        let next = move || {
            // What has gone meanwhile takes no turn.
            let next = || self.waiting.try_update_value(VecDeque::pop_front).flatten();
            while let Some(part) = next() {
                if part.try_set(true).is_none() {
                    return self.go_on();
                }
            }
            self.is_busy.set(false);
        };
        Timeout::new(0, next).forget();
    }
}

/// Children that are built when it is their turn.
#[component]
pub fn Deferred(children: ChildrenFn) -> impl IntoView {
    let has_come = expect_context::<BuildQueue>().when_due(|| true);
    move || has_come.get().then(|| children())
}
