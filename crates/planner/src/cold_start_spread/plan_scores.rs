//! Plans that were best somewhere, scored in many draws without any search: their means, how far each falls behind at worst,
//! and what it is worth to know one number before choosing among them.

use super::{
    DrawOutcome, SCORED, SOLVED, STRATA, WEIGHED, Weighed, WeighedInput, WeighedPlan, plan_outcome,
    thinned, units,
};
use engine::plan::Pipeline;
use engine::scenario::ranges::SpanDraws;
use engine::sim::Strata;

/// Scores plans in many draws.
pub(super) fn weighed(
    drawing: &SpanDraws,
    plans: &[Pipeline],
    seed: u32,
    (draws, ends): (&[Option<f64>], &[Option<f64>]),
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> Weighed {
    let outcomes = |numbers: &[f64]| -> Vec<DrawOutcome> {
        match drawing.scenario(numbers).problem() {
            Ok(problem) => plans
                .iter()
                .map(|plan| plan_outcome(&problem, plan))
                .collect(),
            Err(_) => vec![DrawOutcome::Broken; plans.len()],
        }
    };
    let shares = units(seed, SCORED, WEIGHED, drawing.len());
    let drawn: Vec<Vec<f64>> = shares.iter().map(|unit| drawing.numbers(unit)).collect();
    let mut times: Vec<Vec<Option<f64>>> = vec![Vec::with_capacity(WEIGHED); plans.len()];
    for (at, numbers) in drawn.iter().enumerate() {
        if at.is_multiple_of(256) {
            on_progress(at as u64, Some(WEIGHED as u64));
        }
        for (outcome, times) in outcomes(numbers).into_iter().zip(&mut times) {
            times.push(match outcome {
                DrawOutcome::Fits(time) => Some(time),
                DrawOutcome::Unfit | DrawOutcome::Broken => None,
            });
        }
    }
    // How far each plan is behind the best of a solved draw, at worst.
    let mut worst: Vec<Option<f64>> = vec![Some(0.0); plans.len()];
    let solved_units = units(seed, SOLVED, draws.len(), drawing.len());
    let solved = solved_units.iter().map(|unit| drawing.numbers(unit));
    let corners = (0..ends.len()).map(|corner| drawing.corner(corner));
    for (numbers, best) in solved.chain(corners).zip(draws.iter().chain(ends)) {
        let outcomes = outcomes(&numbers);
        // A search that was not finished may have missed one of these.
        let least = outcomes.iter().filter_map(|outcome| match outcome {
            DrawOutcome::Fits(time) => Some(*time),
            DrawOutcome::Unfit | DrawOutcome::Broken => None,
        });
        let least = least.chain(*best).fold(f64::INFINITY, f64::min);
        for (outcome, worst) in outcomes.iter().zip(&mut worst) {
            *worst = match (outcome, *worst) {
                (DrawOutcome::Fits(time), Some(worst)) => Some(worst.max(time - least)),
                _ => None,
            };
        }
    }
    let mut own: Vec<f64> = times[0].iter().copied().flatten().collect();
    let all: Vec<Option<Vec<f64>>> = times
        .iter()
        .map(|times| times.iter().copied().collect())
        .collect();
    let usable: Vec<Vec<f64>> = all.iter().flatten().cloned().collect();
    let fits: Vec<f64> = (times[0].iter())
        .map(|time| if time.is_some() { 1.0 } else { 0.0 })
        .collect();
    let inputs = (0..drawing.len()).map(|input| {
        let column =
            |rows: &[usize]| -> Vec<f64> { rows.iter().map(|row| drawn[*row][input]).collect() };
        let every: Vec<usize> = (0..drawn.len()).collect();
        let fitting: Vec<usize> = (0..drawn.len())
            .filter(|row| times[0][*row].is_some())
            .collect();
        WeighedInput {
            fit_share: Strata::of(&column(&every), STRATA).variance_share(&fits),
            share: Strata::of(&column(&fitting), STRATA).variance_share(&own),
            worth: Strata::of(&column(&every), STRATA).worth(&usable),
        }
    });
    let inputs = inputs.collect();
    let mean = |times: &Vec<f64>| times.iter().sum::<f64>() / times.len() as f64;
    let rows = plans.iter().zip(&times).zip(&all).zip(worst);
    let plans = rows.map(|(((plan, times), all), worst)| WeighedPlan {
        plan: plan.clone(),
        fits: times.iter().flatten().count(),
        mean: all.as_ref().map(mean),
        worst,
    });
    let plans = plans.collect();
    own.sort_by(f64::total_cmp);
    Weighed {
        draws: WEIGHED,
        plans,
        times: thinned(&own),
        inputs,
    }
}
