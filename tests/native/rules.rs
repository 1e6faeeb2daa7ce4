//! What other rules would do: their plans by hand and by all plans there are, and what each costs by the other's objective.

use crate::cases::cases;
use crate::cold_families_made::{Family, Member};
use crate::instances::{Draw, Instance, Kind, instance};
use engine::evaluate::score;
use engine::plan::{Pipeline, Stage};
use engine::problem::{ColdStart, HeuristicReading};
use engine::scenario::{Scenario, presets};
use engine::solve::{Limits, NoProgress};
use methods::cold_start::rules::{NoRule, period, plan};
use planner::cold_start::{ColdStartMethod, answer};
use planner::cold_start_rules::{Rule, Rules, rules};
use presenters::cold_start::rules::{about, note, other_objectives, table, title};

fn compared(problem: &ColdStart) -> (f64, Rules) {
    let limits = Limits::default();
    let reading = HeuristicReading::Rate;
    let answer = answer(
        problem,
        ColdStartMethod::Exact,
        reading,
        &limits,
        &mut NoProgress,
    );
    (answer.T.unwrap_or(f64::INFINITY), rules(problem, &answer))
}

/// Layers per device, by hand.
fn counts(plan: &Pipeline, devices: usize) -> Vec<usize> {
    let mut counts = vec![0; devices];
    for stage in plan {
        counts[stage.device] = stage.len();
    }
    counts
}

fn row(rules: &Rules, rule: Rule) -> &planner::cold_start_rules::RuleAnswer {
    let found = rules.rules.iter().find(|row| row.rule == rule);
    found.expect("every rule has a row")
}

#[test]
fn shares_are_rounded_by_largest_remainder_in_the_order_of_the_fleet() {
    let problem = presets::paper().problem().expect("valid");
    let split = |rule| counts(&plan(&problem, rule).expect("a plan"), 4);
    assert_eq!(split(Rule::EqualSplit), [10, 10, 10, 10]);
    // 40 layers over 20, 10, 8 and 8 GB: shares 17.39, 8.70, 6.96, 6.96.
    assert_eq!(split(Rule::ByMemory), [17, 9, 7, 7]);
    // 8.078, 9.783, 5.890 and 5.907 TFLOPS at 256 tokens: shares 10.89, 13.19, 7.94, 7.97.
    assert_eq!(split(Rule::ByCompute), [11, 13, 8, 8]);
    for rule in [Rule::EqualSplit, Rule::ByMemory, Rule::ByCompute] {
        let devices: Vec<usize> = plan(&problem, rule)
            .expect("a plan")
            .iter()
            .map(|s| s.device)
            .collect();
        assert_eq!(devices, [0, 1, 2, 3]);
    }

    let mut draw = Draw::new(164);
    for _ in 0..cases(300) {
        let (devices, layers) = (draw.whole(1, 9), draw.whole(1, 30));
        let made = instance(Kind::Tight, &mut draw, devices, layers);
        let problem = made.problem();
        let equal = counts(&plan(&problem, Rule::EqualSplit).expect("a plan"), devices);
        let by_hand: Vec<usize> = (0..devices)
            .map(|k| layers / devices + usize::from(k < layers % devices))
            .collect();
        assert_eq!(equal, by_hand, "ties go to the earlier device");
        for (rule, weight) in [
            (
                Rule::ByMemory,
                made.devices.iter().map(|d| d.memory).collect::<Vec<_>>(),
            ),
            (
                Rule::ByCompute,
                made.devices.iter().map(|d| d.compute).collect(),
            ),
        ] {
            let counts = counts(&plan(&problem, rule).expect("a plan"), devices);
            let total: f64 = weight.iter().sum();
            assert_eq!(counts.iter().sum::<usize>(), layers);
            let mut given: Vec<(f64, bool)> = Vec::new();
            for (count, w) in counts.iter().zip(&weight) {
                let share = layers as f64 * w / total;
                let over = *count as f64 - share;
                assert!(over < 1.0 && over > -1.0, "{rule:?}: {count} of {share}");
                given.push((share - share.floor(), *count as f64 > share));
            }
            let least_up = given
                .iter()
                .filter(|g| g.1)
                .map(|g| g.0)
                .fold(1.0, f64::min);
            let most_down = given
                .iter()
                .filter(|g| !g.1)
                .map(|g| g.0)
                .fold(0.0, f64::max);
            assert!(least_up >= most_down - 1e-9, "{rule:?}: {given:?}");
        }
    }
}

#[test]
fn without_any_memory_there_is_nothing_to_share_by() {
    let mut draw = Draw::new(165);
    let mut made = instance(Kind::Roomy, &mut draw, 3, 6);
    for device in &mut made.devices {
        device.memory = 0.0;
    }
    let problem = made.problem();
    assert_eq!(plan(&problem, Rule::ByMemory), Err(NoRule::NoMemory));
    assert_eq!(plan(&problem, Rule::Bottleneck), Err(NoRule::NothingFits));
    let (_, rules) = compared(&problem);
    assert!(rules.ours.is_none());
    let equal = row(&rules, Rule::EqualSplit)
        .measured
        .as_ref()
        .expect("a plan");
    assert_eq!(
        equal.overflows.len(),
        equal.plan.len(),
        "every stage overflows"
    );
    assert_eq!(row(&rules, Rule::EqualSplit).times_ours, None);
    let said = note(&problem, row(&rules, Rule::Bottleneck)).expect("a reason");
    assert!(said.starts_with("left out: no plan fits"), "{said}");
}

/// All plans that fit, each with T and period.
fn every_plan(problem: &ColdStart) -> Vec<(f64, f64)> {
    fn extend(problem: &ColdStart, plan: &mut Pipeline, found: &mut Vec<(f64, f64)>) {
        let layers = problem.layers().len();
        let first = plan.last().map_or(1, |stage| stage.last + 1);
        if first > layers {
            let scored = score(problem, plan).expect("a whole plan");
            if scored.mem_ok {
                found.push((scored.total, period(&scored.timeline)));
            }
            return;
        }
        for device in 0..problem.machines().len() {
            if plan.iter().any(|stage| stage.device == device) {
                continue;
            }
            for last in first..=layers {
                plan.push(Stage {
                    device,
                    first,
                    last,
                });
                extend(problem, plan, found);
                plan.pop();
            }
        }
    }
    let mut found = Vec::new();
    extend(problem, &mut Pipeline::new(), &mut found);
    found
}

#[test]
fn the_bottleneck_is_the_least_of_all_plans_and_its_plan_the_soonest_of_those() {
    let mut draw = Draw::new(166);
    let (mut plans, mut choices, mut unfit) = (0, 0, 0);
    for round in 0..30 {
        for kind in Kind::ALL {
            let (devices, layers) = (draw.whole(1, 4), draw.whole(1, 6));
            let made: Instance = instance(kind, &mut draw, devices, layers);
            let problem = made.problem();
            let all = every_plan(&problem);
            let least = all.iter().map(|(_, period)| *period).reduce(f64::min);
            let what = format!("{round} {kind:?}: {made:?}");
            match (plan(&problem, Rule::Bottleneck), least) {
                (Ok(plan), Some(least)) => {
                    let scored = score(&problem, &plan).expect("a whole plan");
                    assert!(scored.mem_ok, "{what}");
                    // The program adds up as the referee does: to the last bit.
                    assert_eq!(period(&scored.timeline), least, "{what}");
                    let soonest = all.iter().filter(|(_, period)| *period == least);
                    let soonest = soonest
                        .map(|(total, _)| *total)
                        .fold(f64::INFINITY, f64::min);
                    assert_eq!(scored.total, soonest, "{what}");
                    plans += 1;
                    choices += usize::from(all.iter().filter(|p| p.1 == least).count() > 1);
                }
                (Err(NoRule::NothingFits), None) => unfit += 1,
                other => panic!("{other:?}: {what}"),
            }
        }
    }
    assert!(
        plans > 150 && choices > 20 && unfit > 50,
        "{plans}, {choices}, {unfit}"
    );
}

#[test]
fn no_rule_whose_plan_fits_beats_the_optimum_and_ours_is_not_the_quickest_stream() {
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); Rule::ALL.len()];
    let (mut ours_period, mut fitting, mut unfit) = (Vec::new(), 0, 0);
    for seed in 0..15 {
        for family in Family::ALL {
            let member = Member {
                family,
                devices: 6,
                layers: 40,
                identical: seed % 2 == 0,
                seed,
            };
            let problem = member.problem();
            let (best, rules) = compared(&problem);
            for (row, times) in rules.rules.iter().zip(&mut times) {
                let measured = row.measured.as_ref().expect("a plan");
                let scored = score(&problem, &measured.plan).expect("a whole plan");
                assert_eq!((measured.T, measured.fits()), (scored.total, scored.mem_ok));
                assert_eq!(measured.period, period(&scored.timeline));
                let ratio = row.times_ours.expect("ours has a plan");
                assert_eq!(ratio, measured.T / best);
                if measured.fits() {
                    assert!(measured.T >= best, "{:?} of {}", row.rule, member.name());
                    assert!(row.times_least_period.expect("a period") >= 1.0);
                    fitting += 1;
                    times.push(ratio);
                } else {
                    unfit += 1;
                }
            }
            ours_period.push(rules.ours_times_least_period.expect("both have a plan"));
        }
    }
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        (
            values[values.len() / 2],
            values.len(),
            values[values.len() - 1],
        )
    };
    for (rule, times) in Rule::ALL.into_iter().zip(times) {
        let (median, count, most) = median(times);
        println!(
            "{}: {median:.2} times ours, at most {most:.2}, {count} fit",
            title(rule)
        );
    }
    let (middle, _, most) = median(ours_period);
    println!("our period: {middle:.2} times the least, at most {most:.2}");
    assert!(fitting > 100 && unfit > 10, "{fitting}, {unfit}");
}

#[test]
fn a_large_fleet_has_no_bottleneck_in_passing_and_says_so() {
    let scenario = presets::scenario_named("random-3-16-mixed").expect("a random fleet");
    let problem = scenario.problem().expect("valid");
    assert_eq!(plan(&problem, Rule::Bottleneck), Err(NoRule::TooLarge));
    assert!(plan(&problem, Rule::EqualSplit).is_ok());
}

#[test]
fn a_row_says_what_it_repeats_and_what_overflows_and_who_has_it() {
    let scenario = presets::paper();
    let problem = scenario.problem().expect("valid");
    let (_, rules) = compared(&problem);
    let equal = row(&rules, Rule::EqualSplit);
    assert_eq!(equal.same_as.as_deref(), Some("even"));
    assert_eq!(
        note(&problem, equal).as_deref(),
        Some("the same plan as Even above")
    );
    for rule in Rule::ALL {
        assert!(
            about(rule).contains("by default")
                || about(rule).contains("after it has")
                || about(rule).contains("aims at")
        );
    }
    assert!(other_objectives(&rules).contains("not a fault"));
    let table = table(&problem, &rules);
    assert_eq!(table.rows.len(), 5);
    assert!(
        table
            .rows
            .iter()
            .all(|row| row.len() == table.columns.len())
    );

    // Seven of eight devices are too small for their equal share.
    let mut small = scenario.clone();
    small.devices[1].m_gb = 5.0;
    let problem = small.problem().expect("valid");
    let (_, rules) = compared(&problem);
    let equal = row(&rules, Rule::EqualSplit);
    let measured = equal.measured.as_ref().expect("a plan");
    assert_eq!(measured.overflows.len(), 1);
    assert_eq!(measured.overflows[0].device, 1);
    let said = note(&problem, equal).expect("a note");
    assert!(said.ends_with("overflows D2 by 1.61\u{202f}GB"), "{said}");
    let moved = rules.with_devices_at(&[0, 2, 3, 4]);
    let moved = row(&moved, Rule::EqualSplit)
        .measured
        .as_ref()
        .expect("a plan");
    assert_eq!(moved.overflows[0].device, 2);
    assert_eq!(moved.plan[1].device, 2);
}

#[test]
fn the_sentence_on_the_rules_agrees_with_their_figures() {
    let told = |scenario: &Scenario| {
        let (_, rules) = compared(&scenario.problem().expect("valid"));
        other_objectives(&rules)
    };
    // Every rule is later at the first answer, and some have the shorter slowest stage.
    let paper = told(&presets::paper());
    assert!(paper.contains("A later answer is the price"), "{paper}");
    assert!(paper.contains("have the higher throughput"), "{paper}");
    assert!(!paper.contains("earlier"), "{paper}");
    // A plan for a whole answer may start later than all of them.
    let home = told(&presets::home());
    assert!(
        home.contains("Some have the earlier first answer"),
        "{home}"
    );
    assert!(home.contains("A later answer is the price"), "{home}");
    // Without a plan of ours there is nothing to compare with, and with one device all plans are the same.
    let none = told(&presets::named("csgo-too-big").expect("a preset").scenario);
    let mut alone = presets::paper();
    alone.devices.truncate(1);
    alone.devices[0].m_gb = 200.0;
    for said in [none, told(&alone)] {
        assert!(said.ends_with("this formula does not."), "{said}");
    }
}
