//! State of controls. It stays while answers change; a slot that depends on it is requested from the worker.

use super::{AnswerController, AnswerStore, Presentable, ScenarioStore};
use chart::TimeView;
use document::{Block, Control, Name, Section};
use leptos::prelude::*;
use protocol::AnswerRequest;
use protocol::worker::SharedPayload;

/// State of a control, which lives as long as the page.
#[derive(Clone)]
pub struct ControlState {
    /// Where they stand; nothing until one of them is turned.
    pub at: ArcRwSignal<Option<f64>>,
    /// Visible span of the axis; `None` for all of it.
    pub view: ArcRwSignal<Option<TimeView>>,
}

impl AnswerStore {
    /// Returns the state of the controls called `sets`.
    pub(super) fn control_state(&self, sets: Name) -> ControlState {
        let known = self.turned.with_value(|all| {
            let found = all.iter().find(|(of, _)| *of == sets);
            found.map(|(_, turned)| turned.clone())
        });
        known.unwrap_or_else(|| {
            let fresh = ControlState {
                at: ArcRwSignal::new(None),
                view: ArcRwSignal::new(None),
            };
            let kept = fresh.clone();
            self.turned.update_value(|all| all.push((sets, kept)));
            fresh
        })
    }

    /// Values of the controls of a group; `None` if the view has no such group.
    pub fn control_value(&self, sets: Name) -> Memo<Option<f64>> {
        let (store, at) = (*self, self.control_state(sets).at);
        let control = Memo::new(move |_| {
            store.sections.with(|all| {
                let blocks = all.iter().flat_map(Section::all_blocks);
                let mut dials = blocks.flat_map(|block| match block {
                    Block::Controls(dials) => dials.controls.as_slice(),
                    Block::Walk(walk) => std::slice::from_ref(&walk.control),
                    _ => &[],
                });
                dials.find(|control| control.sets == sets).cloned()
            })
        });
        Memo::new(move |_| {
            control.with(|control| Some(control_position(control.as_ref()?, at.get())))
        })
    }
}

impl<S: Presentable, D: ScenarioStore<S>> AnswerController<S, D> {
    /// Asks what a place shows at other settings, as its button says.
    pub(super) fn turn_pressed(&self, place: Name, at: Vec<f64>) {
        self.answer.searching.update(|all| all.push((place, None)));
        self.request_slot(place, at);
    }

    /// Asks what a place shows at other settings; while that is under way, only the last ones count.
    pub(super) fn request_slot(&self, place: Name, at: Vec<f64>) {
        let mut is_free = true;
        self.turning.update_value(|all| {
            if let Some((_, next)) = all.iter_mut().find(|(of, _)| *of == place) {
                *next = Some(at.clone());
                is_free = false;
            } else {
                all.push((place, None));
            }
        });
        if let Some(of) = self.of.get_untracked().filter(|_| is_free) {
            let (group, ask) = (
                self.group.get_value(),
                AnswerRequest::WithControls(place.to_owned(), at),
            );
            self.with_solver(|solver| {
                solver.ahead(*self, group, SharedPayload(of), self.request_about(ask))
            });
        }
    }

    /// Ends a request for a slot. Starts the next one if its controls were changed meanwhile.
    pub(super) fn slot_received(&self, place: &str) {
        let mut next = None;
        self.turning.update_value(|all| {
            let at = all.iter().position(|(of, _)| *of == place);
            next = at.map(|at| all.swap_remove(at));
        });
        if self
            .answer
            .searching
            .with_untracked(|all| all.iter().any(|(of, _)| *of == place))
        {
            let searching = self.answer.searching;
            searching.update(|all| all.retain(|(of, _)| *of != place));
        }
        if let Some((place, Some(at))) = next {
            self.request_slot(place, at);
        }
    }

    /// Shows the failure of a query with a button in its section.
    pub(super) fn fault_at(&self, place: &str, why: &str) {
        let of = self.answer.sections.with_untracked(|all| {
            let asks = |block: &Block| match block {
                Block::Controls(dials) => dials.place == place && dials.button.is_some(),
                _ => false,
            };
            let section = all.iter().find(|section| section.all_blocks().any(asks));
            section.map(|section| section.id)
        });
        if let Some(section) = of {
            let fault = (section, format!("{why}."));
            self.answer.faults.update(|all| {
                all.retain(|one| *one != fault);
                all.push(fault);
            });
        }
    }
}

/// Current value of a control.
pub fn control_position(control: &Control, at: Option<f64>) -> f64 {
    at.unwrap_or(control.at)
        .clamp(control.ends.0, control.ends.1)
}
