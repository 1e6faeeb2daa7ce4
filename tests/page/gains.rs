//! What would help most and what other tools would do: rows as the library has them, tried in one step, cancelled, taken away.

use super::scene::Scene;
use super::visitor::{Key, Visitor};
use engine::scenario::{Scenario, link, presets};
use engine::solve::{Limits, NoProgress};
use engine::units::seconds;
use planner::cold_start::{Answer, ColdStartMethod, answer};
use planner::cold_start_gains::{ColdStartGain, Known, gains, improvements, limits};
use planner::cold_start_rules::rules;
use presenters::cold_start::gains::{foot, is_shown, sooner, subject, unit_of, values};
use presenters::cold_start::rules::{times, title};
use serde_json::{Value, json};

fn solved(scenario: &Scenario) -> Answer {
    let problem = scenario.problem().expect("valid");
    let exact = ColdStartMethod::Exact;
    answer(
        &problem,
        exact,
        scenario.heuristic,
        &Limits::default(),
        &mut NoProgress,
    )
}

fn worked_out(scenario: &Scenario, by_pct: f64) -> Vec<ColdStartGain> {
    let limits = limits();
    gains(
        scenario,
        &solved(scenario),
        by_pct,
        &limits,
        &mut NoProgress,
    )
    .expect("it can be solved")
}

/// The rows that the page has to show when all are asked for: what is changed, then T, then how much sooner.
fn printed(scenario: &Scenario, gains: &[ColdStartGain]) -> Vec<Vec<String>> {
    let unit = unit_of(&Known::of(&solved(scenario)), gains);
    improvements(gains)
        .into_iter()
        .filter(|gain| is_shown(gain, unit))
        .map(|gain| {
            let name = format!(
                "{}{}",
                subject(scenario, gain),
                values(gain).unwrap_or_default()
            );
            let then = gain.after.and_then(|after| after.T).expect("a plan");
            vec![
                name,
                unit.with_unit(then),
                sooner(gain, unit),
                "Try".to_owned(),
            ]
        })
        .collect()
}

async fn shows(visitor: &Visitor, rows: &[Vec<String>]) {
    let is_it = format!(
        "JSON.stringify([...document.querySelectorAll('#gains-list tbody tr')]\
         .map(row => [...row.cells].map(cell => cell.textContent.trim()))) === {}",
        json!(serde_json::to_string(rows).expect("text"))
    );
    visitor.until("the rows", &is_it).await;
}

async fn share(visitor: &Visitor, by: &str) {
    visitor.fill("gains-by", by).await;
    visitor.keys(Key::Enter + "").await;
}

#[tokio::test]
async fn rows_are_those_of_the_library_and_one_is_tried_in_a_step() {
    let paper = presets::paper();
    let quarter = worked_out(&paper, 25.0);
    let all = printed(&paper, &quarter);
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    // Worked out unasked; of the copies only the first, until all rows are asked for.
    let mut copies = 0;
    let mut first = all.clone();
    first.retain(|row| {
        copies += usize::from(row[0].starts_with("One more"));
        !row[0].starts_with("One more") || copies == 1
    });
    shows(&visitor, &first[..6]).await;
    visitor.click("gains-all").await;
    shows(&visitor, &all).await;
    let said = visitor.text("gains-foot").await;
    for sentence in foot(&paper, &Known::of(&solved(&paper)), &quarter) {
        assert!(said.contains(&sentence), "{sentence}: {said}");
    }

    // Another share: other rows. Nonsense keeps them, and says what is allowed.
    share(&visitor, "100").await;
    let twice = printed(&paper, &worked_out(&paper, 100.0));
    shows(&visitor, &twice).await;
    share(&visitor, "901").await;
    let fault = visitor.text("gains-by-fault").await;
    assert!(
        fault.contains("from 1 to 900 %") && fault.contains("still use 100 %"),
        "{fault}"
    );
    shows(&visitor, &twice).await;
    share(&visitor, "25").await;
    shows(&visitor, &all).await;
    let faults = visitor
        .value("document.querySelectorAll('#gains-by-fault').length")
        .await;
    assert_eq!(faults, json!(0));

    // The file has one row per change.
    visitor.click("gains-json").await;
    let (_, text) = visitor.saved("what-would-help.json").await;
    let saved: Value = serde_json::from_str(&text).expect("a JSON document");
    assert_eq!(saved["rows"].as_array().map(Vec::len), Some(quarter.len()));

    // Tried: what was solved is on the editor, with the T that was promised, and one step takes it back.
    for at in [0, 4, 11] {
        let gain = improvements(&quarter)[at].clone();
        let promised = gain.after.and_then(|after| after.T).expect("a plan");
        let press = format!("#gains-list tbody tr:nth-child({}) button", at + 1);
        visitor.click_css(&press).await;
        visitor.headline_with(&seconds(promised)).await;
        visitor.answered().await;
        let saved = visitor.saved_plan().await;
        assert_eq!(saved["T"], json!(promised), "{at}");
        let edited = gain
            .change
            .applied(&paper, 25.0)
            .expect("possible")
            .scenario;
        let written: Value = serde_json::from_str(&edited.to_json()).expect("JSON");
        assert_eq!(saved["scenario"]["devices"], written["devices"], "{at}");
        visitor.click("undo").await;
        visitor.headline_with("2.562\u{202f}s").await;
        visitor.answered().await;
        assert_eq!(visitor.devices().await, ["D1", "D2", "D3", "D4"]);
        shows(&visitor, &all).await;
    }
    visitor.leave().await;
}

#[tokio::test]
async fn rows_of_an_infeasible_scenario_say_what_would_fit() {
    let too_big = presets::named("csgo-too-big").expect("a preset").scenario;
    let rows = printed(&too_big, &worked_out(&too_big, 25.0));
    assert_eq!(rows[0][2], "then it fits");
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let link = format!("{}{}", visitor.url, link::of(&too_big));
    visitor.open_link(&link).await;
    shows(&visitor, &rows).await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_large_fleet_waits_for_a_press_and_can_be_ended() {
    let scenario = presets::scenario_named("random-7-14").expect("a random fleet");
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let link = format!("{}{}", visitor.url, link::of(&scenario));
    visitor.open_link(&link).await;
    visitor.swept().await;
    let waits = "document.getElementById('gains-start') && !document.getElementById('gains-list')";
    visitor.until("a button", waits).await;
    visitor.click("gains-start").await;
    let runs = "document.querySelector('#gains progress')?.value > 0";
    visitor.until("its progress", runs).await;
    visitor.click("gains-start-stop").await;
    let ended = "!document.getElementById('gains-start-stop') && !document.getElementById('gains-start').disabled";
    visitor.until("its end", ended).await;
    visitor.click("gains-start").await;
    visitor.until("its progress", runs).await;
    // Another scenario ends all of it and forgets.
    visitor.fill("field-device-0-m_gb", "12.5").await;
    visitor.keys(Key::Enter + "").await;
    visitor.until("a button", waits).await;
    visitor.leave().await;
}

#[tokio::test]
async fn other_rules_are_shown_next_to_ours_and_their_flags_are_a_press_away() {
    let paper = presets::paper();
    let problem = paper.problem().expect("valid");
    let found = rules(&problem, &solved(&paper));
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.open_section("rules").await;
    let five = "document.querySelectorAll('#rules-list tbody tr').length === 5";
    visitor.until("five rows", five).await;
    let rows = visitor.rows("rules-list").await;
    assert!(rows[0][0].starts_with("Edgewise"), "{rows:?}");
    for (row, told) in rows[1..].iter().zip(&found.rules) {
        assert!(row[0].starts_with(title(told.rule)), "{row:?}");
        let measured = told.measured.as_ref().expect("a plan");
        assert_eq!(row[1], format!("{:.3}\u{202f}s", measured.T));
        assert_eq!(row[2], times(told.times_ours.expect("ours")));
        assert_eq!(row[4], times(told.times_least_period.expect("a least")));
    }
    assert!(
        rows[1][0].ends_with("the same plan as Even above"),
        "{rows:?}"
    );
    let said = visitor.text("rules").await;
    assert!(said.contains("not a fault"), "{said}");

    visitor
        .click_css("#rules-list tbody tr:nth-child(3) button")
        .await;
    visitor.choose("flags-tool", "vllm").await;
    let counts = "document.getElementById('flags-text').textContent.includes('=17,9,7,7 ')";
    visitor
        .until("the flags of the split by memory", counts)
        .await;
    let chosen = visitor.field("flags-plan").await;
    assert_eq!(chosen, "In proportion to memory");

    visitor.click("rules-csv").await;
    let (_, text) = visitor.saved("other-rules.csv").await;
    assert_eq!(text.trim_end().lines().count(), 6, "{text}");
    visitor.leave().await;
}

#[tokio::test]
async fn requests_after_an_edit_refer_to_its_answer() {
    let long = presets::named("csgo-paper-long")
        .expect("a preset")
        .scenario;
    let problem = long.problem().expect("valid");
    let found = rules(&problem, &solved(&long));
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    // In one task, so that the solver cannot have answered: the edit, all that follows from it, and the section opened.
    let script = "const done = arguments[0];
        const preset = document.getElementById('preset');
        preset.value = 'csgo-paper-long';
        preset.dispatchEvent(new Event('change', { bubbles: true }));
        (async () => {
            for (let turn = 0; turn < 100; turn++) await null;
            const isAsked = !document.getElementById('headline').textContent.includes('7.029');
            document.querySelector('#rules > .head .turn').click();
            done(isAsked);
        })();";
    assert_eq!(visitor.js_async(script, vec![]).await, json!(true));
    visitor.headline_with("7.029").await;
    let five = "document.querySelectorAll('#rules-list tbody tr').length === 5 && document.querySelector('#rules .blocks[aria-busy=false]')";
    visitor.until("five rows", five).await;
    let rows = visitor.rows("rules-list").await;
    for (row, told) in rows[1..].iter().zip(&found.rules) {
        let measured = told.measured.as_ref().expect("a plan");
        assert_eq!(row[1], seconds(measured.T));
    }
    visitor.leave().await;
}
