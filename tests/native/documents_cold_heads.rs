//! Documents of the presets of cold starts and attention heads: figures have formulas with the same values, charts are drawn, every
//! format is well-formed.

use crate::cli::edgewise;
use crate::document_checks::{check_figures, check_forms, story};
use document::text::Width;
use document::{Block, Figures, Story};
use engine::scenario::{Any, heads, presets};
use engine::solve::{Limits, NoProgress};
use planner::cold_start::{ColdStartMethod, answer};
use planner::cold_start_front::front;
use planner::cold_start_gains::{USUAL_PCT, gains, limits};
use presenters::{cold_start::sections as cold_start_told, heads as heads_report};
use protocol::AnswerDocument;
use std::ops::ControlFlow;

/// All that is told of the built-in cold starts, searches included.
fn cold_starts() -> Vec<Story> {
    let told = |scenario: engine::scenario::Scenario| {
        let problem = scenario.problem().expect("presets are valid");
        let (reading, none) = (scenario.heuristic, Limits::default());
        let found = answer(
            &problem,
            ColdStartMethod::Exact,
            reading,
            &none,
            &mut NoProgress,
        );
        let mut heard = |_| ControlFlow::Continue(());
        let front = front(&scenario, &limits(), &mut heard).ok();
        let gains =
            gains(&scenario, &found, USUAL_PCT, &limits(), &mut NoProgress).expect("a share");
        let known = cold_start_told::ColdStartFacts {
            scenario: &scenario,
            problem: &problem,
            answer: &found,
            front: front.as_ref(),
            shorter: &[],
            gains: Some(&gains),
            sweep: &[(scenario.prompt_tokens, Some(&found))],
        };
        let sections = cold_start_told::sections(&known);
        let about = cold_start_told::about(&scenario);
        story(&Any::from(scenario), AnswerDocument { about, sections })
    };
    let all = presets::all().into_iter().map(|preset| preset.scenario);
    all.map(told).collect()
}

/// All that is told of the built-in scenarios about heads; other rules run on the small one alone.
fn head_placements() -> Vec<Story> {
    use planner::heads::{HeadsRequest, HeadsResult, answer, rules, setting};
    let told = |scenario: heads::Scenario| {
        let run = |ask: &HeadsRequest| {
            answer(&scenario, ask, &mut |_, _, _| ()).expect("presets are valid")
        };
        let HeadsResult::Plan(planned) = run(&HeadsRequest::Plan) else {
            panic!("a plan was asked for");
        };
        let is_small = scenario.new_tokens < 10.0;
        let others = rules(&scenario).into_iter().skip(1).filter(|_| is_small);
        let tracks: Vec<_> = others
            .filter_map(|rule| match run(&HeadsRequest::Track(rule)) {
                HeadsResult::Track(track) => Some(track),
                _ => None,
            })
            .collect();
        let on = setting(&scenario, scenario.draws.first_seed as u64).expect("presets are valid");
        let known = heads_report::sections::HeadsFacts {
            scenario: &scenario,
            planned: &planned,
            setting: Some(&on),
            drawn: None,
            tracks: &tracks,
            variants: &[],
            layers: None,
        };
        let sections = heads_report::sections::sections(&known);
        let about = heads_report::sections::about(&scenario);
        story(&Any::from(scenario), AnswerDocument { about, sections })
    };
    let all = heads::presets::all().into_iter();
    all.map(|preset| told(preset.scenario)).collect()
}

fn figures(story: &Story) -> impl Iterator<Item = &Figures> {
    let blocks = story.sections.iter().flat_map(|section| &section.blocks);
    blocks.filter_map(|block| match block {
        Block::Figures(figures) => Some(figures),
        _ => None,
    })
}

fn check(all: &[Story]) {
    for story in all {
        check_figures(story, &[]);
        let title = &story.title;
        for figures in figures(story) {
            let Some(whole) = &figures.total else {
                continue;
            };
            let sum: f64 = figures.shares.iter().map(|part| part.quantity.value).sum();
            assert!(
                (sum - whole.value).abs() <= 1e-9 * whole.value,
                "{title}: {sum} for {}",
                whole.value
            );
        }
        check_forms(story);
    }
}

#[test]
fn cold_starts_are_written_in_every_format() {
    let all = cold_starts();
    check(&all);
    let has = |story: &Story, id: &str| story.charts().any(|chart| chart.id == id);
    let planned = all.iter().filter(|story| story.quantities().count() > 0);
    for story in planned {
        for id in ["timeline", "strategies", "sweep"] {
            assert!(has(story, id), "{}: {id}", story.title);
        }
    }
    assert!(
        all.iter().any(|story| has(story, "front")),
        "a front is drawn"
    );
    let unfit = all.iter().find(|story| story.quantities().count() == 0);
    let unfit = unfit.expect("one does not fit").to_text(Width::ANY);
    assert!(
        unfit.contains("ROOM FOR LAYERS") && unfit.contains("SMALLEST REPAIRS"),
        "{unfit}"
    );
}

#[test]
fn head_placements_are_written_in_every_format() {
    let all = head_placements();
    check(&all);
    let charts: Vec<&str> = all
        .iter()
        .flat_map(Story::charts)
        .map(|chart| chart.id)
        .collect();
    for id in ["heads", "tracks-time", "tracks-memory", "tracks-optimum"] {
        assert!(charts.contains(&id), "{id} among {charts:?}");
    }
}

#[test]
fn a_quantity_is_explained_by_name() {
    let scenario = presets::paper().to_json();
    let told = edgewise(&["run", "-", "--explain", "transfer"], &scenario);
    let words = told.out.replace('\u{202f}', " ");
    assert_eq!(told.code, 0, "{told:?}");
    for part in [
        "Transfer: ",
        "Formula: Σ transfer",
        "Here: ",
        "CSGO, equation (20)",
        "Inputs:",
        "prompt",
    ] {
        assert!(words.contains(part), "{part} in {words}");
    }
    let refused = edgewise(&["run", "-", "--explain", "transfers"], &scenario);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(
        refused
            .err
            .contains("first_answer, stall, transfer, compute, memory, free, gain"),
        "{}",
        refused.err
    );
    let small = heads::presets::named("heads-small").expect("a preset");
    let told = edgewise(
        &["run", "-", "--explain", "last_token"],
        small.scenario.to_json(),
    );
    assert!(told.out.contains("equations (6) and (7)"), "{}", told.out);
}
