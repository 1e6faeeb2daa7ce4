//! The device-or-server question, driven by a user: the answer and the budget, one request, all budgets, logs of one's own,
//! simulated runs, links, files, wrong input.

use super::accessible::{check, none};
use super::appearance::{DESKTOP, PHONE, set_screen, set_theme};
use super::documents::{run, same};
use super::scene::Scene;
use super::tiers::headline;
use super::visitor::{Key, Visitor};
use engine::scenario::dispatch::{FirstToken, Goal, Measured, Prompts, Scenario, presets};
use engine::scenario::link;
use planner::dispatch::{DispatchPlan, DispatchRequest, DispatchResult, Rule, answer};
use presenters::dispatch::verdict;
use serde_json::{Value, json};

/// All budgets have come.
const SWEPT: &str = "!!document.querySelector('main:not(.stale) #sweep .blocks[aria-busy=false]')";

fn preset(name: &str) -> Scenario {
    let found = presets::all().into_iter().find(|p| p.name == name);
    found.expect("a preset").scenario
}

fn plan(scenario: &Scenario) -> DispatchPlan {
    match answer(scenario, &DispatchRequest::Plan, &mut |_, _| ()) {
        Ok(DispatchResult::Plan(planned)) => *planned,
        other => panic!("{other:?}"),
    }
}

/// What the page has to say of a scenario.
fn sentence(scenario: &Scenario) -> String {
    verdict(scenario, &plan(scenario)).headline.to_string()
}

/// A way of looking at all budgets.
fn way(at: usize) -> String {
    format!("#sweep [role=radio]:nth-of-type({at})")
}

async fn open(visitor: &Visitor, scenario: &Scenario) {
    let address = format!("{}{}", visitor.url, link::of(scenario));
    visitor.open_link(&address).await;
    headline(visitor, &sentence(scenario)).await;
}

async fn put(visitor: &Visitor, id: &str, value: &str) {
    let script = "const field = document.getElementById(arguments[0]);
        field.value = arguments[1];
        field.dispatchEvent(new Event('input', { bubbles: true }));";
    visitor.js(script, vec![json!(id), json!(value)]).await;
}

async fn unfolded(visitor: &Visitor, id: &str) {
    let script = "document.getElementById(arguments[0]).open = true;";
    visitor.js(script, vec![json!(id)]).await;
}

#[tokio::test]
async fn it_opens_with_a_phone_and_a_server_and_the_budget_moves_everything() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor
        .open_link(&format!("{}#dispatch", visitor.url))
        .await;
    let paper = presets::paper();
    headline(&visitor, &sentence(&paper)).await;
    assert_eq!(visitor.text("proof").await, "Optimal, proven");
    let open_now = "document.querySelector('nav.methods a[aria-current=page]')?.textContent";
    assert_eq!(visitor.text_of(open_now).await, "Device or server");
    let hash = visitor.text_of("location.hash").await;
    assert!(hash.starts_with("#dispatch/4."), "{hash}");
    visitor.until("all budgets", SWEPT).await;
    put(&visitor, "budget", "35").await;
    let more = Scenario {
        budget: 0.35,
        ..paper.clone()
    };
    headline(&visitor, &sentence(&more)).await;
    assert_eq!(visitor.text("budget-out").await, "35.0\u{202f}%");
    // Another budget is another point of the same sweep.
    visitor.until("all budgets still", SWEPT).await;
    let rows = visitor.rows("comparison-table").await;
    let planned = plan(&more);
    assert_eq!(rows.len(), planned.policies.len());
    assert_eq!(rows[0][1], format!("{:.3}", planned.ours().outcome.mean));
    let disco = planned.scored(Rule::Disco).expect("DiSCo-D");
    assert_eq!(rows[1][1], format!("{:.3}", disco.outcome.mean));
    visitor.chord(&[Key::Control], 'z').await;
    headline(&visitor, &sentence(&paper)).await;
    visitor.leave().await;
}

#[tokio::test]
async fn goals_sides_and_presets_are_a_press_away() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let paper = presets::paper();
    open(&visitor, &paper).await;
    visitor.click("goal-2").await;
    let mean = Scenario {
        goal: Goal::Mean,
        ..paper.clone()
    };
    headline(&visitor, &sentence(&mean)).await;
    visitor.click("goal-3").await;
    let tail = Scenario {
        goal: Goal::Tail,
        ..paper.clone()
    };
    headline(&visitor, &sentence(&tail)).await;
    visitor.click("goal-1").await;
    visitor.fill("field-mean_under", "0.2").await;
    let missed =
        "document.getElementById('proof').textContent === 'No policy keeps the limit, proven'";
    visitor.until("that no policy keeps it", missed).await;
    visitor.choose("preset", "dispatch-server").await;
    headline(&visitor, &sentence(&preset("dispatch-server"))).await;
    let lead = visitor.text("lead").await;
    assert!(lead.contains("the server is used"), "{lead}");
    visitor.choose("preset", "dispatch-two").await;
    headline(&visitor, &sentence(&preset("dispatch-two"))).await;
    visitor
        .until(
            "both devices",
            "document.querySelectorAll('#devices-table tbody tr').length === 2",
        )
        .await;
    visitor.leave().await;
}

#[tokio::test]
async fn one_request_is_followed_token_by_token() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor, &presets::paper()).await;
    visitor.open_section("request").await;
    put(&visitor, "request-prompt", "12").await;
    let told = "document.getElementById('request-told')?.textContent";
    visitor
        .until(
            "a hand-over",
            &format!("{told}?.includes('The reader does not notice the hand-over.')"),
        )
        .await;
    put(&visitor, "request-prompt", "300").await;
    visitor
        .until(
            "the server alone",
            &format!("{told}?.includes('is not started for a prompt of this length')"),
        )
        .await;
    // Every token of the picture is reached by keys.
    put(&visitor, "request-prompt", "12").await;
    let script = "document.getElementById('request-chart').focus();";
    visitor.js(script, vec![]).await;
    visitor.keys(Key::Right + "").await;
    let spoken = "document.querySelector('#request-chart [role=status]').textContent.length > 5";
    visitor.until("what a mark says", spoken).await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_point_of_the_sweep_sets_the_budget() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor, &presets::paper()).await;
    visitor.until("all budgets", SWEPT).await;
    for (what, chart) in [
        (2, "p99-by-budget"),
        (3, "cost-by-budget"),
        (1, "mean-by-budget"),
    ] {
        visitor.click_css(&way(what)).await;
        let drawn = format!("document.querySelector('#{chart}-chart canvas')?.width > 0");
        visitor.until("the chart", &drawn).await;
    }
    visitor
        .js(
            "document.getElementById('mean-by-budget-chart').focus();",
            vec![],
        )
        .await;
    // The first key finds the point of the scenario, the next one moves.
    visitor.keys(Key::Home + "").await;
    visitor.keys(Key::Home + "").await;
    visitor.keys(Key::Enter + "").await;
    let none = Scenario {
        budget: 0.0,
        ..presets::paper()
    };
    headline(&visitor, &sentence(&none)).await;
    visitor.click_css(&way(4)).await;
    visitor
        .until(
            "the front",
            "document.querySelector('#cost-against-mean-chart canvas')?.width > 0",
        )
        .await;
    visitor
        .js(
            "document.getElementById('cost-against-mean-chart').focus();",
            vec![],
        )
        .await;
    visitor.keys(Key::Right + "").await;
    visitor.keys(Key::End + "").await;
    visitor.keys(Key::Enter + "").await;
    let moved = "Number(document.getElementById('budget').value) > 0";
    visitor.until("a budget from the front", moved).await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_log_of_ones_own_takes_the_place_of_the_assumed_law() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let paper = presets::paper();
    open(&visitor, &paper).await;
    unfolded(&visitor, "first-tokens").await;
    put(&visitor, "log-times-text", "ttft\n0.5\nsoon\n").await;
    visitor.click("log-times-read").await;
    let fault = "document.querySelector('#log-times .log-fault')?.textContent";
    let said = visitor.until("what is wrong", fault).await;
    let said = said.as_str().unwrap_or_default();
    assert!(said.contains("line 3") && said.contains("soon"), "{said}");
    // Nothing is lost.
    assert_eq!(visitor.text("headline").await, sentence(&paper));
    assert_eq!(visitor.field("log-times-text").await, "ttft\n0.5\nsoon\n");
    let text = "ttft,prompt_tokens\n0.5,10\n0.75,20\n1.5,10\n3,30\n";
    put(&visitor, "log-times-text", text).await;
    visitor.click("log-times-read").await;
    let measured = |bins: &[(f64, f64)]| Measured {
        name: "pasted".to_owned(),
        bins: bins.to_vec(),
        exact: true,
    };
    let mut own = paper.clone();
    own.server.first_token =
        FirstToken::Measured(measured(&[(0.5, 1.0), (0.75, 1.0), (1.5, 1.0), (3.0, 1.0)]));
    own.prompts = Prompts::Measured(measured(&[(10.0, 2.0), (20.0, 1.0), (30.0, 1.0)]));
    headline(&visitor, &sentence(&own)).await;
    visitor.open_section("laws").await;
    let note = "document.querySelector('#laws .blocks')?.innerText";
    let note = visitor.until("the note", note).await;
    assert!(
        !note.as_str().unwrap_or_default().contains("assumed"),
        "{note}"
    );
    // A whole file, by drop or by choice.
    let script = "const input = document.getElementById('log-prompts-file');
        const transfer = new DataTransfer();
        transfer.items.add(new File([arguments[1]], arguments[0]));
        input.files = transfer.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));";
    let rows: Vec<String> = (0..3000).map(|n| (1 + n % 1000).to_string()).collect();
    unfolded(&visitor, "prompt-law").await;
    visitor
        .js(script, vec![json!("lengths.csv"), json!(rows.join("\n"))])
        .await;
    let hint = "document.getElementById('prompt-hint').textContent.includes('as a histogram')";
    visitor.until("the histogram", hint).await;
    visitor.chord(&[Key::Control], 'z').await;
    headline(&visitor, &sentence(&own)).await;
    visitor.leave().await;
}

#[tokio::test]
async fn requests_are_simulated_and_foretold_when_that_is_asked_for() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut s = presets::paper();
    s.runs.requests = 20_000.0;
    s.runs.seeds = 3.0;
    open(&visitor, &s).await;
    visitor.until("all budgets", SWEPT).await;
    visitor.open_section("runs").await;
    visitor.click("simulate").await;
    visitor
        .until("all runs", "document.querySelector('#runs-table tbody tr') && !document.getElementById('simulate').disabled")
        .await;
    let rows = visitor.rows("runs-table").await;
    let planned = plan(&s);
    assert_eq!(rows.len(), planned.policies.len());
    for row in &rows {
        let (mean, expected): (f64, f64) = (
            row[1].parse().expect("a mean"),
            row[3].parse().expect("a mean"),
        );
        assert!((mean - expected).abs() < 0.02 * expected, "{row:?}");
    }
    visitor.open_section("foretell").await;
    visitor.click("predict").await;
    visitor
        .until(
            "errors of predictors",
            "document.querySelectorAll('#predictors-table tbody tr').length >= 2",
        )
        .await;
    visitor.leave().await;
}

#[tokio::test]
async fn files_hold_what_the_command_line_says_and_wrong_fields_keep_the_answer() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let s = preset("dispatch-two");
    open(&visitor, &s).await;
    visitor.allow_clipboard().await;
    let link = visitor.copied_link().await;
    visitor.open_section("take").await;
    visitor.click("save-policy").await;
    let (name, text) = visitor.saved("-policies.json").await;
    assert!(name.starts_with("edgewise-dispatch-deepseek"), "{name}");
    let saved: Value = serde_json::from_str(&text).expect("JSON");
    same(&saved, &run(&link));
    visitor.click("save-waits").await;
    let (_, text) = visitor.saved("-waits.csv").await;
    assert_eq!(text.lines().count(), 1 + plan(&s).prompts.len());
    visitor.open_section("request").await;
    for (button, ending) in [
        ("waits-svg", ".svg"),
        ("first-token-svg", ".svg"),
        ("request-svg", ".svg"),
    ] {
        visitor.click(button).await;
        let (_, text) = visitor.saved(ending).await;
        assert!(text.contains("<svg"), "{button}");
    }
    unfolded(&visitor, "rules-panel").await;
    visitor.fill("field-tail_share", "1.5").await;
    let fault = visitor
        .until(
            "a fault",
            "document.querySelector('#rules-panel .fault')?.textContent",
        )
        .await;
    assert!(
        fault.as_str().unwrap_or_default().contains("0.9999"),
        "{fault}"
    );
    assert_eq!(visitor.text("headline").await, sentence(&s));
    visitor.leave().await;
}

#[tokio::test]
async fn the_page_has_no_overflow_and_every_rule_of_accessibility_holds() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut faults = Vec::new();
    for (screen, theme, name) in [
        (DESKTOP, "light", "dispatch-two"),
        (PHONE, "dark", "dispatch-bursty"),
    ] {
        set_screen(&visitor, screen).await;
        open(&visitor, &preset(name)).await;
        set_theme(&visitor, theme).await;
        visitor.until("all budgets", SWEPT).await;
        visitor.unfold().await;
        let state = format!("dispatch, {} {theme}", screen.0);
        check(&visitor, &state, &mut faults).await;
        let out = visitor.sticks_out().await;
        assert_eq!(out, "", "{state}");
    }
    none(&faults);
    visitor.leave().await;
}
