//! Device or server while its budget moves: what is kept from one budget to the next changes no bit of any answer.

use engine::scenario::dispatch::{Goal, Scenario, Side, presets};
use planner::dispatch::{
    BudgetSweep, DispatchPlan, DispatchRequest, DispatchResult, PolicyAndRate, Rule, answer,
};
use presenters::presenting::AnswerPresenter;
use protocol::AnswerView;

const GOALS: [Goal; 4] = [
    Goal::MeanKeptTail,
    Goal::Mean,
    Goal::MeanUnder(1.7),
    Goal::Tail,
];

/// Up and down, to both ends, to one twice in a row and to one again after another.
const BUDGETS: [f64; 9] = [0.2, 0.21, 0.07, 0.75, 0.0, 0.75, 0.75, 1.0, 0.2];

/// What says every bit: numbers are written so that they can be read back, and -0 is not 0.
fn bits(found: &impl std::fmt::Debug) -> String {
    format!("{found:?}")
}

fn plan(scenario: &Scenario) -> DispatchPlan {
    match answer(scenario, &DispatchRequest::Plan, &mut |_, _| ()) {
        Ok(DispatchResult::Plan(planned)) => *planned,
        other => panic!("{other:?}"),
    }
}

fn sweep(scenario: &Scenario) -> BudgetSweep {
    match answer(scenario, &DispatchRequest::Sweep, &mut |_, _| ()) {
        Ok(DispatchResult::Sweep(swept)) => swept,
        other => panic!("{other:?}"),
    }
}

fn told(scenario: &Scenario) -> AnswerView {
    scenario.present(&mut |_, _, _| ()).expect("a story")
}

/// The same by a worker that has answered nothing yet.
fn told_alone(scenario: &Scenario) -> AnswerView {
    let scenario = scenario.clone();
    let alone = std::thread::spawn(move || told(&scenario));
    alone.join().expect("a worker")
}

#[test]
fn a_budget_that_is_turned_to_is_planned_as_it_would_be_alone() {
    for preset in presets::all() {
        for scarce in [Side::Dearer, Side::Device, Side::Server] {
            for goal in GOALS {
                let at = |budget: f64| Scenario {
                    budget,
                    goal,
                    scarce,
                    ..preset.scenario.clone()
                };
                let mut kept = PolicyAndRate::new(&at(0.4)).expect("a scenario");
                for (step, budget) in BUDGETS.into_iter().enumerate() {
                    let name = format!("{} {scarce:?} {goal:?} {budget}", preset.name);
                    kept.turn_to(budget).expect("a budget");
                    let found = kept.plan().expect("a plan");
                    assert_eq!(bits(&found), bits(&plan(&at(budget))), "{name}");
                    if step == 3 {
                        let swept = kept.sweep(&mut |_, _| ()).expect("a sweep");
                        assert_eq!(bits(&swept), bits(&sweep(&at(budget))), "{name}");
                        let point = swept.points.iter().find(|point| point.budget == budget);
                        let ours = point.and_then(|point| point.of(Rule::Edgewise));
                        let ours = ours.map(|of| (of.mean, of.p99, of.with, of.without));
                        let (outcome, cost) = (&found.ours().outcome, &found.ours().cost);
                        let planned = (outcome.mean, outcome.p99, cost.with, cost.without);
                        assert_eq!(bits(&ours), bits(&Some(planned)), "{name}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_budget_that_is_dragged_is_shown_as_it_would_be_alone() {
    for preset in presets::all() {
        for goal in [Goal::MeanKeptTail, Goal::Tail] {
            for budget in [0.2, 0.07, 0.75, 0.0, 0.75] {
                let dragged = Scenario {
                    budget,
                    goal,
                    ..preset.scenario.clone()
                };
                let name = format!("{} {goal:?} {budget}", preset.name);
                assert_eq!(bits(&told(&dragged)), bits(&told_alone(&dragged)), "{name}");
            }
        }
    }
}

#[test]
fn cached_results_of_one_scenario_are_not_shown_for_another() {
    let first = presets::paper();
    let mut other = first.clone();
    for device in &mut other.devices {
        device.prefill_tok_s *= 2.0;
    }
    let mut wrong = first.clone();
    wrong.budget = 1.5;
    let before = told(&first);
    let fault = wrong.present(&mut |_, _, _| ()).expect_err("a budget");
    assert_eq!(Some(fault), wrong.validate().err());
    assert_eq!(bits(&told(&other)), bits(&told_alone(&other)));
    assert_eq!(bits(&told(&first)), bits(&before));
}
