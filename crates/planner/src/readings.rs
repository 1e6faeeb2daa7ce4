//! The heuristic under each of its readings: the paper leaves open on which common scale compute and disk speed
//! are averaged, so every figure that rests on the heuristic can be asked for under all ten.

use super::cold_start::{Answer, BaselineAnswer, Summary, summary};
use engine::plan::Pipeline;
use engine::problem::{ColdStart, HeuristicReading};
use methods::cold_start::baseline;

/// One reading over several prompt lengths.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadingResult {
    /// The reading.
    pub reading: HeuristicReading,
    /// The heuristic at each length: when it answers [s], its stages, whether they fit.
    pub heuristic: Vec<BaselineAnswer>,
    /// Gains over these lengths with the heuristic read so.
    pub gains: Summary,
}

impl ReadingResult {
    /// Layers of the stages at a length, in running order: `14/12/8/6`; `None` where that length was not asked.
    #[must_use]
    pub fn split(&self, at: usize) -> Option<String> {
        let plan: &Pipeline = &self.heuristic.get(at)?.plan;
        let counts: Vec<String> = plan.iter().map(|stage| stage.len().to_string()).collect();
        Some(counts.join("/"))
    }
}

/// All readings over the given problems and their answers. The plans of the answers are kept: nothing is
/// searched again, only the heuristic is timed again.
///
/// O(R·N·(L + K log K)) for R readings and N problems of L layers and K devices.
#[must_use]
pub fn readings(asked: &[(ColdStart, Answer)]) -> Vec<ReadingResult> {
    HeuristicReading::ALL
        .into_iter()
        .map(|reading| {
            let answers: Vec<Answer> = asked
                .iter()
                .map(|(problem, answer)| under(problem, answer, reading))
                .collect();
            ReadingResult {
                reading,
                gains: summary(answers.iter()),
                heuristic: answers.into_iter().map(|a| a.baselines.heuristic).collect(),
            }
        })
        .collect()
}

/// An answer as if the heuristic had been read so; plan and bound stay.
#[must_use]
pub fn under(problem: &ColdStart, answer: &Answer, reading: HeuristicReading) -> Answer {
    let plan = baseline::heuristic(problem, reading);
    let mut answer = answer.clone();
    answer.baselines.heuristic = BaselineAnswer::of(problem, plan);
    answer.compare();
    answer
}
