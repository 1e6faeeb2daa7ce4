//! Answers to the paper's own scenario, whatever the user's is: what stands beside the published figures.

use super::State;
use crate::ui::jobs::Asked;
use engine::problem::ColdStart;
use engine::scenario::{Scenario, presets};
use gloo::timers::callback::Timeout;
use job::cold_start::{Answer, Ask};
use job::worker::Sent;
use leptos::prelude::*;
use report::published::LENGTHS;
use report::published::sections::is_paper;
use std::sync::Arc;

/// The group of the paper's points; a sweep of the user's own never gets so far.
const GROUP: u32 = u32::MAX;
/// The paper is asked for so long after a sweep has begun [ms]: where the sweep is the paper's own, it is
/// answered by then.
const AFTER_MS: u32 = 600;

/// Answers at the paper's lengths, in their order; what has not arrived is missing.
pub type PaperAnswers = [Option<Arc<Answer>>; LENGTHS.len()];

impl State {
    /// Keeps an answer that happens to be one of the paper's.
    pub(super) fn keep_if_paper(&self, job: &Asked<Ask>, answer: &Answer) {
        let Some(at) = LENGTHS.iter().position(|t| *t == job.ask.tokens) else {
            return;
        };
        let known = self.paper.with_untracked(|paper| paper[at].is_some());
        if !known && is_paper(&job.scenario) {
            let answer = Arc::new(answer.clone());
            self.paper.update(|paper| paper[at] = Some(answer));
        }
    }

    /// Asks for what is missing of the paper's answers, when nothing else is wanted any more.
    pub fn ask_for_paper_soon(&self) {
        let state = *self;
        let ask = move || {
            let missing: Vec<Ask> = state.paper.with_untracked(|paper| {
                let open = LENGTHS.iter().zip(paper);
                open.filter(|(_, answer)| answer.is_none())
                    .map(|(tokens, _)| Ask { tokens: *tokens })
                    .collect()
            });
            if missing.is_empty() {
                return;
            }
            let paper = Sent(Arc::new(presets::paper()));
            state.with_solver(|solver| {
                solver.cancel(GROUP);
                solver.points(state, GROUP, &paper, missing);
            });
        };
        self.asking_paper
            .set_value(Some(Timeout::new(AFTER_MS, ask)));
    }

    /// The paper's problems with their answers, as far as they have arrived.
    pub fn paper_answers(&self) -> Vec<(ColdStart, Answer)> {
        let scenario = presets::paper();
        self.paper
            .with(|paper| asked(&scenario, |at| paper[at].clone()))
    }

    /// The user's own scenario at the paper's lengths, if it is another one; empty until all answers are known.
    pub fn own_answers(&self) -> Option<Vec<(ColdStart, Answer)>> {
        let scenario = self.scenario.get();
        if is_paper(&scenario) {
            return None;
        }
        let found = self.sweep.points.with(|sweep| {
            let of_this = sweep.is_of(&scenario);
            asked(&scenario, |at| {
                sweep.at(LENGTHS[at]).filter(|_| of_this).cloned()
            })
        });
        let is_whole = found.len() == LENGTHS.len();
        Some(if is_whole { found } else { Vec::new() })
    }
}

fn asked(
    scenario: &Scenario,
    answer_at: impl Fn(usize) -> Option<Arc<Answer>>,
) -> Vec<(ColdStart, Answer)> {
    let of_length = |(at, tokens): (usize, f64)| {
        let answer = answer_at(at)?;
        let problem = scenario.problem_at(tokens).ok()?;
        Some((problem, Arc::unwrap_or_clone(answer)))
    };
    LENGTHS
        .into_iter()
        .enumerate()
        .filter_map(of_length)
        .collect()
}
