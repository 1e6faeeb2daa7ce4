//! One token after the other through a cold-start pipeline.
//!
//! Source: section 12 of the method's description; what it leaves open is settled in [`crate::problem::cold_decode`].
//! D is the sum of all stages, of which the first pays the return; a pipeline that is always full lets a token pass
//! whenever its busiest stage is done, and R requests are never more than R tokens on their way.

use super::{InvalidStages, score};
use crate::plan::{Binds, Decoding, Stage, StageDecode};
use crate::problem::{ColdStart, StageSums};

/// Scores `plan` in decoding; `None` where the problem has no answer to plan for.
///
/// # Errors
/// [`InvalidStages`] when it is no plan for this problem.
///
/// # Complexity
/// O(L + K) time for L layers and K devices.
pub fn score_decode(
    problem: &ColdStart,
    plan: &[Stage],
) -> Result<Option<Decoding>, InvalidStages> {
    let first = score(problem, plan)?.total;
    let Some(terms) = problem.decode() else {
        return Ok(None);
    };
    let mut stages: Vec<StageDecode> = Vec::with_capacity(plan.len());
    for (n, stage) in plan.iter().enumerate() {
        let machine = &terms.machines()[stage.device];
        let (mut work, mut touched) = (0.0, 0.0);
        let (mut weights, mut kv_read, mut kv_held) = (0.0, 0.0, 0.0);
        for j in stage.first - 1..stage.last {
            let (layer, token) = (&problem.layers()[j], &terms.layers()[j]);
            work += token.work.get();
            touched += token.touched.get();
            weights += token.weights.get();
            kv_read += token.read.get();
            kv_held += problem.beside_weights(layer);
        }
        let sums = StageSums::of(&problem.layers()[stage.first - 1..stage.last]);
        let reread = problem.reread_time(stage.device, &sums, weights);
        let compute = work / machine.compute.get();
        let memory = touched / machine.bandwidth.get();
        let has_last = stage.last == problem.layers().len();
        let receive = match n.checked_sub(1) {
            Some(before) => {
                let from = plan[before].device;
                problem.token_hop(from, stage.device, stage.first - 1).get()
            }
            None if plan.len() > 1 => terms.hop().get(),
            None => 0.0,
        };
        stages.push(StageDecode {
            device: stage.device,
            s: stage.first,
            e: stage.last,
            compute,
            memory,
            binds: if compute > memory {
                Binds::Compute
            } else {
                Binds::Memory
            },
            overhead: machine.overhead(stage.len(), has_last),
            receive,
            reread,
            time: machine.time(work, touched, stage.len(), has_last) + reread + receive,
            weights,
            kv_read,
            kv_held,
        });
    }
    let token: f64 = stages.iter().fold(0.0, |sum, stage| sum + stage.time);
    let busiest = stages.iter().map(|s| s.time).fold(0.0, f64::max);
    Ok(Some(Decoding {
        D: token,
        busiest,
        rate: 1.0 / busiest,
        rate_one_request: 1.0 / token,
        rate_requests: (terms.requests() / token).min(1.0 / busiest),
        total: first + terms.answer() * token,
        kv_held: stages.iter().fold(0.0, |sum, stage| sum + stage.kv_held),
        stages,
    }))
}
