//! Two plans whose times cross at a known value of one number: every figure is an integral that can be done by hand.

use super::{all_on, one_layer, span};
use engine::scenario::Scenario;
use engine::scenario::ranges::Place;
use planner::cold_start_spread::{MOST_DRAWS, Spread, spread};
use std::ops::ControlFlow;

/// What the computation takes [s]: the same on both devices.
fn compute(scenario: &Scenario) -> f64 {
    let problem = scenario.problem().expect("a problem");
    1e11 / problem.machines()[0].compute.get()
}

fn of(scenario: &Scenario, device: usize) -> Spread {
    let plan = all_on(device, 1);
    spread(scenario, &plan, (MOST_DRAWS, 7), &mut |_, _| {
        ControlFlow::Continue(())
    })
    .expect("ranges and a plan")
}

fn near(what: &str, got: f64, wanted: f64, within: f64) {
    assert!((got - wanted).abs() < within, "{what}: {got}, not {wanted}");
}

/// The first disk is uniform between 1000 and 3000 MB/s, the second 2000: its time is 4000 / r, the other's 2.
fn crossing(first_mb_s: f64) -> Scenario {
    let mut scenario = one_layer(first_mb_s, 2000.0);
    scenario.set_span(&Place::of_device(0, "r_mb_s"), span(1000.0, 3000.0));
    // Nothing depends on the channel where there is no transfer.
    scenario.set_span(&Place::shared("channel.mu"), span(0.1, 0.9));
    scenario
}

#[test]
fn a_plan_without_a_range_of_its_own_has_the_regret_of_not_having_taken_the_other() {
    let scenario = crossing(1600.0);
    let w = compute(&scenario);
    let found = of(&scenario, 1);
    let share = found.stays as f64 / found.draws as f64;
    near("it stays the soonest", share, 0.5, 0.03);
    let (low, high) = found.stays_between.expect("draws");
    assert!(low < 0.5 && 0.5 < high && low < share && share < high);
    // E max(0, 2 - 4000 / r) = 1 - 2 ln 1.5.
    let regret = 1.0 - 2.0 * libm::log(1.5);
    near(
        "mean regret",
        found.mean_regret.expect("it fits"),
        regret,
        0.02,
    );
    // At 3000 MB/s, which is a corner.
    let worst = found.worst.as_ref().expect("a draw");
    assert!(worst.is_corner && worst.numbers[1] == 3000.0, "{worst:?}");
    near("worst regret", worst.regret, 2.0 - 4.0 / 3.0, 1e-12);
    assert_eq!(worst.plan, all_on(0, 1));
    // Its own time does not vary, and nothing explains a spread that is none.
    assert_eq!(
        (found.time_at(0.0), found.time_at(1.0)),
        (Some(2.0 + w), Some(2.0 + w))
    );
    assert_eq!(found.most_spread(), None);
    // To know the disk beforehand is to choose the smaller of both.
    let disk = found.inputs[1].worth.expect("two plans");
    near("worth of the disk", disk.mean, regret, 0.01);
    assert!(
        disk.mean <= disk.most && disk.most < regret + 0.01,
        "{disk:?}"
    );
    // As far off as it says that it may be.
    assert!(
        disk.error > 0.002 && (disk.mean - regret).abs() < 3.0 * disk.error,
        "{disk:?}"
    );
    assert_eq!(found.most_worth(), Some(1));
    let channel = found.inputs[0].worth.expect("two plans");
    assert!(!channel.is_something(2.0), "{channel:?}");
    // Both plans are known; the one shown has the least mean, 2 against 2 ln 3.
    assert_eq!(found.plans.len(), 2);
    near(
        "mean",
        found.plans[0].mean.expect("it fits"),
        2.0 + w,
        1e-12,
    );
    near(
        "mean",
        found.plans[1].mean.expect("it fits"),
        2.0 * libm::log(3.0) + w,
        0.02,
    );
    assert_eq!(found.sturdiest().0, Some(0));
}

#[test]
fn a_plan_with_the_range_has_the_quantiles_of_its_disk() {
    let scenario = crossing(2500.0);
    let w = compute(&scenario);
    let found = of(&scenario, 0);
    for share in [0.05, 0.25, 0.5, 0.75, 0.95] {
        let wanted = 4000.0 / (1000.0 + 2000.0 * (1.0 - share)) + w;
        near(
            "quantile",
            found.time_at(share).expect("it fits"),
            wanted,
            0.06,
        );
    }
    assert_eq!(found.corners, 4);
    let (least, most) = found.corner_times.expect("corners");
    near("least", least, 4.0 / 3.0 + w, 1e-12);
    near("most", most, 4.0 + w, 1e-12);
    // E max(0, 4000 / r - 2) = 2 ln 2 - 1; at worst 4 - 2.
    near(
        "mean regret",
        found.mean_regret.expect("it fits"),
        2.0 * libm::log(2.0) - 1.0,
        0.03,
    );
    near(
        "worst",
        found.worst.as_ref().map_or(0.0, |w| w.regret),
        2.0,
        1e-12,
    );
    let (at, share) = found.most_spread().expect("it varies");
    assert!(at == 1 && share > 0.98, "{share}");
    // Knowing the disk is worth the same whichever plan is shown: it is counted from the plan of least mean.
    let regret = 1.0 - 2.0 * libm::log(1.5);
    near(
        "worth",
        found.inputs[1].worth.map_or(0.0, |w| w.mean),
        regret,
        0.01,
    );
    assert_eq!(found.sturdiest(), (Some(1), Some(1)));
}

#[test]
fn draws_without_a_plan_are_counted_and_enter_no_mean() {
    // The first device holds its layer in half of the draws: it needs 4 GB and 1 MB, and has 3 to 5.
    let mut scenario = one_layer(2500.0, 2000.0);
    scenario.devices[0].m_gb = 4.5;
    scenario.set_span(&Place::of_device(0, "m_gb"), span(3.0, 5.002));
    let found = of(&scenario, 0);
    let share = found.unfit as f64 / found.draws as f64;
    near("it does not fit", share, 0.5, 0.03);
    assert_eq!(found.stays + found.unfit, found.draws);
    assert_eq!((found.impossible, found.mean_regret), (0, Some(0.0)));
    assert_eq!((found.plans[0].mean, found.plans[0].worst), (None, None));
    assert!(found.plans[1].mean.is_some());
    // Only the second plan fits in all draws, so nothing is left to be chosen.
    assert_eq!(found.always_fit(), 1);
    assert_eq!(found.most_worth(), None);
    assert_eq!((found.corners, found.corners_unfit), (2, 1));
    // Of a memory that decides the fit and a disk that decides much of the time, the memory comes first.
    let mut two = scenario.clone();
    two.set_span(&Place::of_device(0, "r_mb_s"), span(1000.0, 4000.0));
    let found = of(&two, 0);
    let names: Vec<String> = (two.spanned().iter())
        .map(|input| input.label.clone())
        .collect();
    let first = presenters::cold_start::spread::order(&found)[0];
    assert!(
        names[first].contains("memory"),
        "{names:?}: {:?}",
        found.inputs
    );
    assert_eq!(found.most_fitting(), Some(first));
    near(
        "all of the fit",
        found.inputs[first].decides_fit(),
        1.0,
        0.05,
    );
    assert!(
        found.inputs[1 - first].decides_fit() < 0.02,
        "{:?}",
        found.inputs
    );
    let said = presenters::cold_start::spread::summary(&two, &found).to_string();
    assert!(said.contains("of whether this plan fits."), "{said}");

    // Where neither fits in every draw, no number is given.
    scenario.devices[1].m_gb = 4.5;
    scenario.set_span(&Place::of_device(1, "m_gb"), span(3.0, 5.002));
    let found = of(&scenario, 0);
    let share = found.impossible as f64 / found.draws as f64;
    near("nothing fits", share, 0.25, 0.03);
    assert!(found.inputs.iter().all(|input| input.worth.is_none()));
    assert_eq!(found.always_fit(), 0);
}

#[test]
fn a_link_without_a_rate_is_a_draw_of_its_own_kind() {
    // At a path loss of 10, nothing arrives from some kilometres on.
    let mut scenario = one_layer(2500.0, 2000.0);
    scenario.channel.zeta = 10.0;
    scenario.set_span(&Place::of_device(1, "d_m"), span(1.0, 100_000.0));
    let found = of(&scenario, 0);
    assert!(found.broken > found.draws / 2, "{}", found.broken);
    assert_eq!(found.stays + found.broken, found.draws);
    assert_eq!((found.unfit, found.impossible), (0, 0));
}
