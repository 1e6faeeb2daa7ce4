//! Documents of the presets of device and server.

use crate::cli::edgewise;
use crate::document_checks::{check_figures, check_forms, story, sum_of_parts, value};
use chart::{ChartSpec, InkTheme, Palette};
use document::text::Width;
use document::{Formula, Story, Unit};
use engine::plan::dispatch::Scarce;
use engine::scenario::Any;
use engine::scenario::dispatch::{Runs, Scenario, presets};
use planner::dispatch::{DispatchPlan, DispatchRequest, DispatchResult, answer, request};
use presenters::dispatch::sections::{self, DispatchFacts};
use protocol::AnswerDocument;

fn planned(scenario: &Scenario) -> DispatchPlan {
    match answer(scenario, &DispatchRequest::Plan, &mut |_, _| ()) {
        Ok(DispatchResult::Plan(planned)) => *planned,
        other => panic!("a plan was asked for, not {other:?}"),
    }
}

/// All that can be told of a scenario, runs of a few requests included.
fn whole(scenario: Scenario) -> (DispatchPlan, Story) {
    let scenario = Scenario {
        runs: Runs {
            requests: 200.0,
            ..scenario.runs
        },
        ..scenario
    };
    let planned = planned(&scenario);
    let asked = request(&scenario, &planned, planned.example_prompt(), 0.5).expect("a request");
    let ask =
        |ask: DispatchRequest| answer(&scenario, &ask, &mut |_, _| ()).expect("presets are valid");
    let (
        DispatchResult::Sweep(sweep),
        DispatchResult::Run(run),
        DispatchResult::Predicted(predicted),
    ) = (
        ask(DispatchRequest::Sweep),
        ask(DispatchRequest::Run { seed: 1 }),
        ask(DispatchRequest::Predict),
    )
    else {
        panic!("answers to what was asked");
    };
    let told = AnswerDocument {
        about: sections::about(&scenario),
        sections: sections::sections(&DispatchFacts {
            scenario: &scenario,
            planned: &planned,
            request: Some(&asked),
            sweep: Some(&sweep),
            runs: &[run],
            predicted: Some(&predicted),
        }),
    };
    let story = story(&Any::from(scenario), told);
    (planned, story)
}

#[test]
fn every_preset_is_written_in_every_format() {
    for preset in presets::all() {
        let (planned, story) = whole(preset.scenario);
        check_figures(&story, &[]);
        check_forms(&story);
        let name = preset.name;
        assert!((sum_of_parts(&story) - 1.0).abs() < 1e-9, "{name}");
        let ours = planned.ours();
        let used = match planned.scarce {
            Scarce::Device => ours.outcome.device_share,
            Scarce::Server => ours.outcome.server_share,
        };
        let told = ["mean", "p99", "budget_used", "cost"].map(|key| value(&story, key));
        let known = [ours.outcome.mean, ours.outcome.p99, used, ours.cost.with];
        assert_eq!(told, known, "{name}");
        let bill = &ours.cost.bill;
        let parts = [
            bill.server_prefill,
            bill.server_decode,
            bill.device_prefill,
            bill.device_decode,
            bill.lost_prefill,
        ];
        let sum: f64 = parts.iter().sum();
        assert!((sum - ours.cost.with).abs() < 1e-9 * sum, "{name}: {sum}");
        let cost = story.quantities().find(|one| one.key == "cost");
        let formula = cost.and_then(|one| one.formula.clone()).expect("a formula");
        let (filled, rounded) = Formula::summed(&parts, sum, Unit::MicroDollars);
        assert_eq!(
            (formula.filled, formula.rounded),
            (filled, rounded),
            "{name}"
        );
    }
}

#[test]
fn every_chart_of_the_page_and_every_section_is_there_in_its_order() {
    let (planned, story) = whole(presets::paper());
    let charts: Vec<&str> = story.charts().map(|chart| chart.id).collect();
    let all = [
        "waits",
        "first-token",
        "request",
        "mean-by-budget",
        "p99-by-budget",
        "cost-by-budget",
        "cost-against-mean",
        "law-times",
        "law-prompts",
    ];
    assert_eq!(charts, all);
    let ChartSpec::Waits(waits) = &*story.charts().next().expect("a chart").drawing else {
        panic!("waits by length");
    };
    assert_eq!(waits.prompts.len(), planned.prompts.len());
    assert_eq!(waits.curves.len(), 2);
    let sections: Vec<&str> = story.sections.iter().map(|section| section.id).collect();
    let order = [
        "answer",
        "picture",
        "lengths",
        "request",
        "comparison",
        "rules",
        "costs",
        "sweep",
        "laws",
        "runs",
        "foretell",
    ];
    assert_eq!(sections, order);
    let text = story.to_text(Width::ANY);
    assert!(
        text.contains("Not shown here: Every prompt length; One request, token by token;"),
        "{text}"
    );
    // Of 509 prompt lengths nobody wants to see all at once.
    let colours = include_str!("../../style/tokens.css");
    let colours = Palette::from_tokens(colours, InkTheme::Light).expect("all colours are there");
    let html = story.to_html(&colours);
    let folded = format!(
        "<details><summary>Every prompt length, {} rows</summary>",
        planned.prompts.len()
    );
    assert!(html.contains(&folded), "{folded}");
    let (_, two) = whole(presets::named("dispatch-two").expect("a preset").scenario);
    assert!(two.sections.iter().any(|section| section.id == "devices"));
}

#[test]
fn the_command_line_explains_a_figure_by_its_name() {
    let paper = presets::paper().to_json();
    let told = edgewise(&["run", "-", "--explain", "cost"], &paper);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    let said = told.out.replace('\u{202f}', " ");
    for line in [
        "Cost per request: 78.7 \u{b5}$",
        "Here: 10.1 \u{b5}$ + 48.9 \u{b5}$ + 7.06 \u{b5}$ + 10.8 \u{b5}$ + 1.93 \u{b5}$ = 78.7 \u{b5}$",
        "Source: DiSCo, equation (8), in expectation over prompts, first tokens and replies",
        "  price of energy: 5 $ per 10\u{2076} GFLOP, given",
    ] {
        assert!(said.lines().any(|other| other == line), "{line} in {said}");
    }
    // So is a column of a table.
    let told = edgewise(&["run", "-", "--explain", "late_tokens"], &paper);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    assert!(
        told.out
            .starts_with("late per request [tokens], a column of: Cost per request\n")
    );
    assert!(
        told.out.contains("Source: DiSCo, section 4.3"),
        "{}",
        told.out
    );
    let refused = edgewise(&["run", "-", "--explain", "speed"], &paper);
    assert_eq!(refused.code, 2, "{refused:?}");
    let names = "server_only, device_wins, server_wins, mean, p99, budget_used, cost";
    assert!(refused.err.contains(names), "{refused:?}");
}
