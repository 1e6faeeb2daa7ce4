//! Simulated requests of a scenario, and how far off forecasts of its first tokens are.

use super::{Listener, PolicyAndRate, PolicyRun, Predicted, PredictedBy, Rule, RunRule};
use engine::plan::dispatch::Scarce;
use engine::problem::Invalid;
use engine::problem::dispatch::ServerTimes;
use engine::scenario::dispatch;
use engine::sim::Draw;
use engine::sim::law::{normal_cdf, normal_quantile};
use methods::dispatch::predict::{Predictor, score};
use methods::dispatch::simulate::{
    ArrivalProcess, Contender, DispatchRunner, Figures, RunSettings, TimeSource,
};

/// Requests between two words about how far a run is.
const STEP: usize = 20_000;
/// Samples of a trace that forecasts are made of.
const TRACE: usize = 1000;

/// Simulates the requests of a seed under every policy.
///
/// # Errors
/// The first field at fault.
///
/// # Complexity
/// O(1) a request and policy, O(log r) more with r requests under way where devices are busy.
pub(super) fn run(
    ready: &mut PolicyAndRate,
    seed: u64,
    on_progress: &mut Listener<'_>,
) -> Result<PolicyRun, Invalid> {
    let runs = ready.scenario.runs;
    let setting = RunSettings {
        arrivals: match runs.arrivals {
            dispatch::Arrivals::Poisson(gap) => ArrivalProcess::Poisson { gap },
            dispatch::Arrivals::Sessions => ArrivalProcess::Sessions,
        },
        times: TimeSource::Same,
        correlation: runs.correlation,
        queueing: runs.busy,
        cold: None,
        problem: ready.problem.clone(),
        terms: ready.costs.terms().clone(),
    };
    let ours = ready.solver.solve(&ready.problem).policy;
    let contender = |rule: &Rule| Contender {
        policy: match rule {
            Rule::Edgewise => ours.clone(),
            other => ready.other(*other, &ready.problem),
        },
        scarce: ready.scarce,
        moves: ready.costs.moves().clone(),
    };
    let contenders: Vec<Contender> = Rule::ALL.iter().map(contender).collect();
    let count = runs.requests as usize; // whole and in range, as checked
    let mut runner = DispatchRunner::new(&setting, &contenders, count, seed)?;
    while runner.advance(STEP) {
        on_progress(runner.arrived() as u64, Some(count as u64));
    }
    let figures = runner.figures();
    let rules = Rule::ALL.iter().zip(&figures);
    Ok(PolicyRun {
        seed,
        rules: rules
            .map(|(rule, figures)| of_rule(*rule, figures, ready.scarce))
            .collect(),
    })
}

const fn of_rule(rule: Rule, figures: &Figures, scarce: Scarce) -> RunRule {
    RunRule {
        rule,
        mean: figures.mean,
        p99: figures.p99,
        share: match scarce {
            Scarce::Device => figures.device_share,
            Scarce::Server => figures.server_share,
        },
        cost: figures.cost,
        moved: figures.moved,
        late: figures.late,
        tbt_p99: figures.tbt_p99,
    }
}

/// Draws a trace of first tokens as correlated as the scenario says, and forecasts its last fifth.
///
/// # Errors
/// None for a valid scenario.
pub(super) fn predict(ready: &PolicyAndRate) -> Result<Predicted, Invalid> {
    let runs = ready.scenario.runs;
    let times = trace(
        ready.problem.times(),
        runs.first_seed as u64,
        runs.correlation,
    );
    let row = |predictor: Predictor| {
        let score = score(&times, predictor)?;
        Ok(PredictedBy {
            name: predictor.name().to_owned(),
            mape: score.mape,
            mae: score.mae,
        })
    };
    let rows: Result<Vec<PredictedBy>, Invalid> = Predictor::ALL.into_iter().map(row).collect();
    Ok(Predicted {
        samples: times.len(),
        rows: rows?,
    })
}

/// First tokens one after the other, each normal score following the one before.
fn trace(times: &ServerTimes, seed: u64, correlation: f64) -> Vec<f64> {
    let mut draw = Draw::new(seed, 0);
    let fresh_part = libm::sqrt(1.0 - correlation * correlation);
    let mut before = None;
    let mut next = || {
        let fresh = normal_quantile(draw.unit().max(f64::EPSILON));
        let now = before.map_or(fresh, |before| correlation * before + fresh_part * fresh);
        before = Some(now);
        // Below 1, so that there is such a time.
        times.quantile(normal_cdf(now).min(1.0 - 1e-9))
    };
    (0..TRACE).filter_map(|_| next()).collect()
}
