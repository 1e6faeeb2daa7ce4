//! Sensitivity of every question: each figure equals that of the changed scenario when it is answered by itself.

use crate::wire::Json;
use document::{Block, Patch, RowAction};
use engine::scenario::improve::Obstacle;
use engine::scenario::levers::LeverChange;
use engine::scenario::world::{FieldOwner, World};
use engine::scenario::{Any, Question, dispatch, heads, operators, presets, tiers};
use engine::solve::Limits;
use planner::cold_start::{ColdStartMethod, answer};
use planner::measure::Reading;
use planner::sensitivity::{
    SensitivityEffect, SensitivityReport, SensitivityRequest, SensitivityRow, changed, helps,
    measure_change, prepared,
};
use presenters::presenting::{AggregateResult, AnswerPresenter};
use presenters::sensitivity::{foot, subject, table, text};
use protocol::request_kinds::{WorldQuery, WorldTask};
use protocol::worker::{Payload, SharedPayload};
use protocol::{self, SubtaskResult, unpacked, written};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A small scenario of each question.
pub(crate) fn small(question: Question) -> Any {
    match question {
        Question::ColdStart => presets::paper().into(),
        Question::HeadPlacement => {
            let preset = heads::presets::named("heads-small").expect("a preset");
            preset.scenario.into()
        }
        Question::Dispatch => dispatch::presets::paper().into(),
        Question::Tiers => tiers::presets::paper().into(),
        Question::Operators => {
            let preset = operators::presets::named("operators-table2").expect("a preset");
            let mut scenario = preset.scenario;
            scenario.split.search.moves = 2000.0;
            scenario.into()
        }
    }
}

fn all(world: &World, by_pct: f64) -> SensitivityReport {
    helps(world, by_pct, &mut |_, _| ControlFlow::Continue(())).expect("it can be solved")
}

/// What the page's own request for the question answers.
pub(crate) fn answered(any: &Any) -> Option<f64> {
    match any {
        Any::ColdStart(s) => {
            let problem = s.problem().expect("a problem");
            let limits = Limits::default();
            let exact = ColdStartMethod::Exact;
            answer(
                &problem,
                exact,
                s.heuristic,
                &limits,
                &mut engine::solve::NoProgress,
            )
            .objective
        }
        Any::HeadPlacement(s) => {
            let told =
                planner::heads::answer(s, &planner::heads::HeadsRequest::Plan, &mut |_, _, _| ());
            match told.expect("a run") {
                planner::heads::HeadsResult::Plan(plan) => {
                    let seconds = plan.summary.seconds;
                    plan.failed_at.is_none().then_some(seconds)
                }
                _ => unreachable!("a plan was asked for"),
            }
        }
        Any::Dispatch(s) => {
            let told = planner::dispatch::answer(
                s,
                &planner::dispatch::DispatchRequest::Plan,
                &mut |_, _| (),
            );
            match told.expect("a policy") {
                planner::dispatch::DispatchResult::Plan(plan) => Some(match &plan.several {
                    Some(all) => all.outcome.mean,
                    None => plan.ours().outcome.mean,
                }),
                _ => unreachable!("a plan was asked for"),
            }
        }
        Any::Tiers(s) => {
            let plan = planner::tiers::planned(s).expect("valid").plan?;
            Some(match s.goal {
                tiers::Goal::Bottleneck => plan.value,
                tiers::Goal::Rate => plan.full_at,
                tiers::Goal::Request => plan.request,
            })
        }
        Any::Operators(s) => {
            use planner::operators::{DeviceChange, OperatorsRequest, OperatorsResult, answer};
            let plan = answer(s, &OperatorsRequest::Plan, &mut |_, _, _| ()).expect("an order");
            let OperatorsResult::Plan(plan) = plan else {
                unreachable!("an order was asked for")
            };
            let order = plan.ours?.order;
            let change = DeviceChange::Devices(s.split.devices.len() as u32);
            let told = answer(
                s,
                &OperatorsRequest::Variant { order, change },
                &mut |_, _, _| (),
            );
            match told.expect("a split") {
                OperatorsResult::Variant(found) => found.best_fits.then_some(1e-3 * found.best_ms),
                _ => unreachable!("a split was asked for"),
            }
        }
    }
}

/// The rows of a scenario's file.
fn rows(file: &mut Value, question: Question) -> &mut Vec<Value> {
    let rows = match question {
        Question::Tiers => &mut file["tiers"],
        Question::Operators => &mut file["split"]["devices"],
        _ => &mut file["devices"],
    };
    rows.as_array_mut().expect("a list")
}

/// The scenario with a change made by hand in its file.
fn by_hand(any: &Any, gain: &planner::sensitivity::SensitivityRow) -> Any {
    let question = any.question();
    let mut file: Value = serde_json::from_str(&any.to_json()).expect("JSON");
    match gain.change.kind {
        LeverChange::Number(spot) => {
            let (field, from) = gain.change.number.expect("a number");
            let (was, to) = gain.values.expect("values");
            assert_eq!(was.to_bits(), from.to_bits());
            let place = match (spot.owner, question) {
                (FieldOwner::Machine(at), _) => &mut rows(&mut file, question)[at][field.key],
                (FieldOwner::Network, Question::HeadPlacement) => &mut file["links"]["gbit_s"],
                (FieldOwner::Network, Question::Tiers) => &mut file["link"][field.key],
                (FieldOwner::Network, Question::Operators) => &mut file["split"]["mbps"],
                (FieldOwner::Network, Question::ColdStart) => &mut file["channel"][field.key],
                (whose, _) => panic!("no such number: {whose:?}"),
            };
            assert_eq!(place.as_f64().map(f64::to_bits), Some(was.to_bits()));
            *place = json!(to);
            if let (Question::Tiers, "usable_gb", FieldOwner::Machine(at)) =
                (question, field.key, spot.owner)
            {
                let memory = &mut rows(&mut file, question)[at]["memory_gb"];
                let more = memory.as_f64().expect("a number").max(to);
                *memory = json!(more);
            }
        }
        LeverChange::Another(at) => {
            let rows = rows(&mut file, question);
            let mut another = rows[at].clone();
            another["name"] = json!("another");
            rows.push(another);
        }
        LeverChange::Without(at) if question == Question::Operators => {
            rows(&mut file, question).remove(at);
        }
        LeverChange::Without(at) => {
            let rows = rows(&mut file, question);
            rows[at]["off"] = json!(true);
            let is_on = |row: &Value| row["off"] != true;
            let first = rows.iter().position(is_on).expect("one is on");
            // The input goes to another device.
            if file["controller"] == at {
                file["controller"] = json!(first);
            }
        }
    }
    if question == Question::Tiers {
        file["split"] = Value::Null;
    }
    question.kind().read(&file.to_string()).expect("a scenario")
}

#[test]
fn every_figure_is_the_answer_to_its_changed_scenario() {
    for question in Question::ALL {
        let any = small(question);
        let world = World::of(&any);
        let found = all(&world, 25.0);
        let before = found.before.as_ref().and_then(|before| before.value);
        assert_eq!(
            before.map(f64::to_bits),
            answered(&any).map(f64::to_bits),
            "{question:?}"
        );
        let mut solved = 0;
        for gain in &found.gains {
            let Some(after) = &gain.after else { continue };
            let after = after.as_ref().expect("it can be solved");
            let edited = by_hand(&any, gain);
            let then = answered(&edited);
            let name = subject(&found, gain);
            assert_eq!(
                after.value.map(f64::to_bits),
                then.map(f64::to_bits),
                "{question:?} {name}"
            );
            solved += 1;
        }
        assert!(solved >= 3, "{question:?}: {solved}");
    }
}

#[test]
fn an_applied_change_is_the_one_that_was_solved() {
    for question in Question::ALL {
        let any = small(question);
        let world = World::of(&any);
        for gain in prepared(&world, 25.0).expect("changes").gains {
            if gain.obstacle.is_some() {
                continue;
            }
            let changed = changed(&world, gain.at, 25.0).expect("a change");
            let again = changed.world.view(question).expect("a view");
            assert_eq!(again, changed.view, "{question:?}");
            let kept = World::from_json(&changed.world.to_json()).expect("a file");
            let kept = kept.view(question).expect("a view");
            assert_eq!(kept.scenario, changed.view.scenario, "{question:?}");
        }
    }
}

#[test]
fn numbers_that_are_only_assumed_stay_as_they_are_shown() {
    // Seen from tiers, nearly all of a cold start is assumed: one number changes, and only that.
    let mut world = World::of(&small(Question::ColdStart));
    world.question = Question::Tiers;
    let view = world.view(Question::Tiers).expect("a view");
    assert!(!view.assumed.is_empty());
    for gain in prepared(&world, 25.0).expect("changes").gains {
        let Some((_, to)) = gain.values else { continue };
        let changed = changed(&world, gain.at, 25.0).expect("a change");
        let (before, after) = (world.spots(&view), changed.world.spots(&changed.view));
        assert_eq!(before.len(), after.len());
        for (old, new) in before.iter().zip(&after) {
            let is_it = LeverChange::Number(old.location) == gain.change.kind;
            let follows = old.location.key == "memory_gb" && new.value > old.value;
            if is_it {
                assert_eq!(new.value.to_bits(), to.to_bits());
            } else if !follows {
                assert_eq!(
                    new.value.to_bits(),
                    old.value.to_bits(),
                    "{:?}",
                    old.location
                );
            }
        }
    }
}

#[test]
fn the_most_helpful_comes_first_and_ties_keep_their_order() {
    for question in Question::ALL {
        let found = all(&World::of(&small(question)), 25.0);
        let order = found.in_order();
        let mut places: Vec<usize> = order.iter().map(|gain| gain.at).collect();
        for pair in order.windows(2) {
            let is_loss = |at: usize| matches!(pair[at].change.kind, LeverChange::Without(_));
            let (a, b) = (found.effect(pair[0]), found.effect(pair[1]));
            if is_loss(0) != is_loss(1) {
                assert!(is_loss(1), "{question:?}");
                continue;
            }
            if let (SensitivityEffect::Moves(a), SensitivityEffect::Moves(b)) = (a, b) {
                assert!(if is_loss(0) { a <= b } else { a >= b }, "{question:?}");
                assert!(a != b || pair[0].at < pair[1].at, "{question:?}");
            }
        }
        places.sort_unstable();
        assert_eq!(places, (0..found.gains.len()).collect::<Vec<_>>());
    }
}

#[test]
fn where_more_is_better_a_gain_is_more() {
    let mut scenario = tiers::presets::paper();
    scenario.goal = tiers::Goal::Rate;
    scenario.split = None;
    let found = all(&World::of(&scenario.into()), 100.0);
    assert_eq!(found.headline.name, "Requests per second");
    let before = found.before.as_ref().and_then(|before| before.value);
    let before = before.expect("a rate");
    let best = found.in_order()[0];
    let after = best.after.clone().expect("solved").expect("solved").value;
    let after = after.expect("a rate");
    assert!(after > before);
    assert_eq!(found.effect(best), SensitivityEffect::Moves(after - before));
    assert!(found.is_proved(best));
}

#[test]
fn a_field_that_cannot_change_says_why() {
    let found = all(&World::of(&small(Question::Dispatch)), 25.0);
    let obstacle = |found: &SensitivityReport, name: &str| {
        let gain = found.gains.iter().find(|gain| subject(found, gain) == name);
        gain.unwrap_or_else(|| panic!("no {name}")).obstacle.clone()
    };
    let name = &found.view.row_names()[0].0;
    let start = obstacle(&found, &format!("{name} start"));
    assert!(matches!(
        start,
        Some(Obstacle::Nothing {
            field: "start_s",
            ..
        })
    ));
    let without = obstacle(&found, &format!("Without {name}"));
    assert_eq!(without, Some(Obstacle::OnlyOne));
    // Six tiers are as many as there may be.
    let mut scenario = tiers::presets::paper();
    while scenario.tiers.len() < 6 {
        scenario.tiers.push(scenario.tiers[0].clone());
    }
    scenario.tiers[1].nodes = 60.0;
    scenario.split = None;
    let found = prepared(&World::of(&scenario.into()), 25.0).expect("changes");
    let name = found.view.row_names()[1].0.clone();
    let another = obstacle(&found, &format!("One more like {name}"));
    let another = another.expect("an obstacle").to_string();
    assert_eq!(another, "this question takes at most 6 machines");
    let nodes = obstacle(&found, &format!("{name} nodes"));
    assert!(matches!(
        nodes,
        Some(Obstacle::Range {
            field: "nodes",
            needed: 75.0,
            ..
        })
    ));
    let said = foot(&found).join("\n");
    assert!(said.contains("takes at most 6 machines"), "{said}");
}

#[test]
fn shares_and_places_that_are_none_are_refused_by_name() {
    let world = World::of(&small(Question::Tiers));
    for by in [0.0, -25.0, 900.5, f64::NAN, f64::INFINITY] {
        let fault = prepared(&world, by).expect_err("no share");
        assert_eq!(fault.path, "by", "{fault}");
        let ask = SensitivityRequest::Change { at: 0, by_pct: by };
        assert_eq!(
            measure_change(&world, ask).expect_err("no share").path,
            "by"
        );
    }
    let ask = SensitivityRequest::Change {
        at: 10_000,
        by_pct: 25.0,
    };
    assert_eq!(
        measure_change(&world, ask).expect_err("no change").path,
        "at"
    );
    let found = prepared(&World::of(&small(Question::Dispatch)), 25.0).expect("changes");
    let at = found.gains.iter().position(|gain| gain.obstacle.is_some());
    let ask = SensitivityRequest::Change {
        at: at.expect("an obstacle"),
        by_pct: 25.0,
    };
    let fault =
        measure_change(&World::of(&small(Question::Dispatch)), ask).expect_err("an obstacle");
    assert!(fault.message.contains("cannot be made"), "{fault}");
}

#[test]
fn asked_piece_by_piece_it_is_the_same() {
    let world = World::of(&small(Question::Tiers));
    let whole = all(&world, 40.0);
    let mut found = prepared(&world, 40.0).expect("changes");
    for ask in found.requests().into_iter().rev() {
        let told = measure_change(&world, ask).map_err(|fault| fault.message);
        found.record(ask, told);
    }
    assert_eq!(table(&found), table(&whole));
    assert_eq!(text(&found), text(&whole));
    // What is ended early is open.
    let ended = helps(&world, 40.0, &mut |done, _| match done {
        3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    let ended = ended.expect("a part");
    let open = ended.gains.iter();
    let open = open
        .filter(|gain| ended.effect(gain) == SensitivityEffect::Pending)
        .count();
    assert_eq!(open, whole.requests().len() - 3);
}

/// What a worker measures is what is measured here, for every question, to the last bit.
#[test]
fn scenarios_go_to_a_worker_and_come_to_the_same_there() {
    for question in Question::ALL {
        let asked = WorldTask {
            world: World::of(&small(question)),
            wants: WorldQuery::Helps { by_pct: 40.0 },
        };
        let sent = SharedPayload(Arc::new(asked.clone()))
            .send::<Json>()
            .expect("it goes");
        let there = SharedPayload::<WorldTask>::arrive::<Json>(sent).expect("it comes");
        assert_eq!(*there, asked, "{question:?}");
        let before = there.run_subtask(&written(&SensitivityRequest::Before), &[], &mut |_, _| ());
        let before: Result<Reading, String> =
            unpacked(&before.expect("a piece")).expect("a reading");
        assert_eq!(
            before,
            Ok(measure_change(&asked.world, SensitivityRequest::Before).expect("an answer"))
        );
    }
}

/// Every change that is offered does what was solved.
#[test]
fn an_offered_change_can_be_applied() {
    let asked = WorldTask {
        world: World::of(&small(Question::Tiers)),
        wants: WorldQuery::Helps { by_pct: 25.0 },
    };
    let telling = asked.present(&mut |_, _, _| ()).expect("a story");
    let more = &telling.sections[0].more[0];
    let pieces = more.subtasks.iter().map(|piece| {
        let piece = asked
            .run_subtask(piece, &[], &mut |_, _| ())
            .expect("a piece");
        Some(SubtaskResult::from(piece))
    });
    let pieces: Vec<Option<SubtaskResult>> = pieces.collect();
    let told = asked
        .aggregate(&more.query, &[], &pieces)
        .expect("all of them");
    let AggregateResult::Fills(fills) = told else {
        panic!("{told:?}");
    };
    let Patch::Place { blocks, .. } = &fills[0] else {
        panic!("{fills:?}");
    };
    let Block::Listing(told) = &blocks[0] else {
        panic!("{blocks:?}");
    };
    let found = all(&asked.world, 25.0);
    assert_eq!(told.table, table(&found));
    let order = found.in_order().into_iter();
    let is_gain = |gain: &&SensitivityRow| {
        !matches!(gain.change.kind, LeverChange::Without(_)) && found.is_help(gain)
    };
    let helping: Vec<&SensitivityRow> = order.filter(is_gain).collect();
    assert_eq!(told.rows.len(), helping.len());
    for (line, gain) in told.rows.iter().zip(helping) {
        assert_eq!(line.cells[0].text, subject(&found, gain));
        let Some(RowAction::Change { choice, .. }) = &line.act else {
            panic!("{line:?}");
        };
        let tried = protocol::changed(&asked, &choice.edit).expect("a scenario");
        let solved = changed(&asked.world, gain.at, 25.0).expect("a change");
        assert_eq!(tried.world, solved.world, "{}", line.cells[0].text);
    }
}
