//! Sections of attention heads as the page requests them: subtasks add up to the command line's figures, offered changes are those that
//! were measured, and single tokens can be shown.

use document::{Block, Patch, Section, Trigger};
use engine::problem::Invalid;
use engine::scenario::heads::{Scenario, presets};
use planner::heads::{HeadsRequest, HeadsResult, answer, changed, worth_a_try};
use presenters::heads::{against, at_token};
use presenters::presenting::{AggregateResult, AnswerPresenter};
use protocol::{AnswerView, SubtaskResult, changed as edited, difference};

fn small() -> Scenario {
    presets::named("heads-small").expect("a preset").scenario
}

fn told(scenario: &Scenario) -> AnswerView {
    scenario
        .present(&mut |_, _, _| ())
        .expect("presets are answered")
}

fn pieces(scenario: &Scenario, asks: &[String]) -> Vec<Option<SubtaskResult>> {
    let found = |ask: &String| scenario.run_subtask(ask, &[], &mut |_, _| ());
    let found = asks.iter().map(found).collect::<Result<Vec<_>, Invalid>>();
    let found = found.expect("every piece is answered");
    found
        .into_iter()
        .map(|piece| Some(SubtaskResult::from(piece)))
        .collect()
}

fn fills(scenario: &Scenario, ask: &str, pieces: &[Option<SubtaskResult>]) -> Vec<Patch> {
    match scenario.aggregate(ask, &[], pieces) {
        Ok(AggregateResult::Fills(fills)) => fills,
        other => panic!("{other:?}"),
    }
}

#[test]
fn pieces_of_a_comparison_add_up_to_that_of_the_command_line() {
    let scenario = small();
    let mut telling = told(&scenario);
    let section = telling.section("comparison").expect("a comparison");
    let more = section.more.first().expect("what is to be gathered");
    assert_eq!(more.when, Trigger::Idle);
    let pieces = pieces(&scenario, &more.subtasks);
    // Half of them are no whole comparison, and say nothing of the answer.
    let half = fills(&scenario, &more.query, &pieces[..pieces.len() / 2]);
    assert!(!half.iter().any(|fill| matches!(fill, Patch::Section(_))));
    let ask = more.query.clone();
    for fill in fills(&scenario, &ask, &pieces) {
        telling
            .sections
            .iter_mut()
            .for_each(|section| section.fill(&fill));
    }
    let mut drawn = planner::heads::comparison(&scenario);
    for seed in planner::heads::seeds(&scenario) {
        match answer(&scenario, &HeadsRequest::Draw { seed }, &mut |_, _, _| ()) {
            Ok(HeadsResult::Draw(one)) => drawn.add(one.seed, one.sums),
            other => panic!("{other:?}"),
        }
    }
    let tables = telling.sections.iter().flat_map(Section::all_tables);
    let table = tables.into_iter().find(|table| table.name == "comparison");
    assert_eq!(table, Some(&presenters::heads::comparison(&drawn)));
    let lead = telling.verdict().expect("an answer").summary.to_string();
    let beside = against(&scenario, &drawn).expect("all draws").to_string();
    assert!(lead.ends_with(&beside), "{lead}");
    let plan = scenario.file_of("plan", &pieces).expect("a plan");
    let plan: serde_json::Value = serde_json::from_str(&plan).expect("JSON");
    assert_eq!(
        plan["comparison"]["draws"].as_array().map(Vec::len),
        Some(5)
    );
    let alone = scenario.file("plan").expect("a plan");
    assert!(alone.contains("\"comparison\":null"));
}

#[test]
fn changes_that_are_offered_are_those_that_were_measured() {
    for preset in presets::all() {
        let scenario = preset.scenario;
        let Ok(HeadsResult::Plan(planned)) =
            answer(&scenario, &HeadsRequest::Plan, &mut |_, _, _| ())
        else {
            panic!("{} has no plan", scenario.title);
        };
        for instead in worth_a_try(&scenario, &planned) {
            let after = changed(&scenario, instead).expect("a scenario");
            let edit = difference(&scenario, &after);
            assert_eq!(edited(&scenario, &edit), Ok(after), "{instead:?}");
        }
    }
}

#[test]
fn a_token_is_looked_at_as_every_other_form_has_it() {
    let scenario = small();
    let Ok(HeadsResult::Plan(planned)) = answer(&scenario, &HeadsRequest::Plan, &mut |_, _, _| ())
    else {
        panic!("a plan was asked for");
    };
    let on =
        planner::heads::setting(&scenario, scenario.draws.first_seed as u64).expect("a setting");
    let turned = scenario.with_controls("at-token", &[2.0]).expect("a token");
    let table = at_token(&scenario, &planned, &on, 2).expect("a placement");
    let expected = Patch::Place {
        id: "at-token",
        blocks: vec![Block::Table(table)],
    };
    assert_eq!(turned, [expected]);
    let layers = scenario.with_controls("layers-found", &[2.0, 1.0]);
    assert!(matches!(&layers.as_deref(), Ok([Patch::Place { blocks, .. }]) if blocks.len() == 2));
    assert!(scenario.with_controls("nowhere", &[1.0]).is_err());
}
