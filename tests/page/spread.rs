//! Ranges instead of points: given by list, field and press, drawn by the pool, shown in sentences, a picture and tables, and
//! the same to the last digit as on the command line.

use super::accessible::{check_part, none};
use super::appearance::{DESKTOP, PHONE, set_screen, set_theme};
use super::scene::Scene;
use super::visitor::{Key, Visitor};
use engine::scenario::ranges::{Place, Span};
use engine::scenario::{Scenario, link, presets};
use engine::solve::{Limits, NoProgress};
use planner::cold_start::{ColdStartMethod, answer};
use planner::cold_start_spread::{DRAWS, spread};
use presenters::cold_start::spread::{basis, summary};
use serde_json::json;
use std::ops::ControlFlow;

fn disk(device: usize) -> Place {
    Place::of_device(device, "r_mb_s")
}

fn paper_with_ranges() -> Scenario {
    let mut scenario = presets::paper();
    for (place, low, high) in [
        (disk(2), 2000.0, 3600.0),
        (disk(0), 4000.0, 6000.0),
        (Place::shared("prompt_tokens"), 200.0, 400.0),
    ] {
        scenario.set_span(&place, Some(Span { low, high }));
    }
    scenario
}

/// What the library says of the scenario's draws: sentences, and how they came about.
fn said(scenario: &Scenario) -> [String; 2] {
    let problem = scenario.problem().expect("a problem");
    let (exact, limits) = (ColdStartMethod::Exact, Limits::default());
    let plan = answer(
        &problem,
        exact,
        scenario.heuristic,
        &limits,
        &mut NoProgress,
    )
    .plan;
    let plan = plan.expect("a plan");
    let found = spread(scenario, &plan, (DRAWS, 0), &mut |_, _| {
        ControlFlow::Continue(())
    })
    .expect("a spread");
    [summary(scenario, &found).to_string(), basis(&found)]
}

impl Visitor {
    /// Waits until the block says what the library says of this scenario.
    async fn spread_is(&self, scenario: &Scenario) {
        self.open_section("spread").await;
        let [summary, basis] = said(scenario);
        for (id, text) in [("spread-said", summary), ("spread-basis", basis)] {
            let is_it = format!(
                "document.getElementById('{id}')?.textContent.trim() === {}",
                json!(text.trim())
            );
            self.until(&text, &is_it).await;
        }
    }

    async fn ranges_in_the_table(&self) -> usize {
        let count = "document.querySelectorAll('#spread-ranges tbody tr').length";
        self.value(count).await.as_u64().unwrap_or(99) as usize
    }
}

#[tokio::test]
async fn a_link_with_ranges_is_drawn_by_itself_and_says_what_the_library_says() {
    let scenario = paper_with_ranges();
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let address = format!("{}{}", visitor.url, link::of(&scenario));
    visitor.open_link(&address).await;
    visitor.spread_is(&scenario).await;
    assert_eq!(visitor.ranges_in_the_table().await, 3);
    let rows = visitor.rows("spread-inputs").await;
    assert_eq!(rows.len(), 3);
    let commands = visitor
        .text_of("[...document.querySelectorAll('#spread-inputs code')].map(c => c.textContent).join(' | ')")
        .await;
    assert!(commands.contains("fio --name=load"), "{commands}");
    assert!(
        commands.contains("llama-tokenize -m MODEL.gguf"),
        "{commands}"
    );
    // The first command is the one to copy for what is most worth measuring.
    visitor.allow_clipboard().await;
    visitor.click_css("#spread-inputs .command button").await;
    let copied = "document.getElementById('toast').textContent.startsWith('Command copied')";
    visitor.until("the command on the clipboard", copied).await;
    // A card over a bar of the histogram, by keys.
    let chart = "document.getElementById('spread-chart')";
    visitor.js(&format!("{chart}.focus()"), vec![]).await;
    visitor.keys(Key::Right + "").await;
    let card = format!("/\\ss/.test({chart}.querySelector('.card h3')?.textContent ?? '')");
    visitor.until("a card", &card).await;
    // The panel tells of the range under the device.
    let told = "[...document.querySelectorAll('#fleet .derived')].some(row => row.textContent.includes('disk 2000 to 3600'))";
    visitor.until("the range in the panel", told).await;
    visitor.leave().await;
}

#[tokio::test]
async fn ranges_are_given_changed_and_taken_back_step_by_step() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.open_section("spread").await;
    let disabled = "document.getElementById('spread-add-20').disabled";
    assert_eq!(visitor.value(disabled).await, json!(true));
    assert_eq!(
        visitor
            .value("document.getElementById('spread-said')")
            .await,
        json!(null)
    );

    // From the list, by a press.
    let pick = "const list = document.getElementById('spread-number');
        list.value = [...list.options].find(option => option.textContent === 'D3 disk').value;
        list.dispatchEvent(new Event('change', { bubbles: true }));";
    visitor.js(pick, vec![]).await;
    visitor.click("spread-add-20").await;
    let mut scenario = presets::paper();
    scenario.set_span(
        &disk(2),
        Some(Span {
            low: 2400.0,
            high: 3600.0,
        }),
    );
    visitor.spread_is(&scenario).await;

    // By its fields, with a unit.
    visitor.fill("field-device-2-low-r_mb_s", "2 GB/s").await;
    scenario.set_span(
        &disk(2),
        Some(Span {
            low: 2000.0,
            high: 3600.0,
        }),
    );
    visitor.spread_is(&scenario).await;
    // An end beyond the number is refused in words, and the range stays.
    visitor.fill("field-device-2-low-r_mb_s", "3200").await;
    let fault = "document.querySelector('#spread-ranges .fault')?.textContent ?? ''";
    let why = format!("({fault}).includes('must contain the number itself, 3000')");
    visitor.until("why it is refused", &why).await;
    visitor.fill("field-device-2-low-r_mb_s", "2000").await;
    visitor
        .until("no fault", &format!("({fault}) === ''"))
        .await;

    // The number itself leaves its range: the range goes along, and says so.
    visitor.fill("field-device-2-r_mb_s", "5600").await;
    let toast = "document.getElementById('toast').textContent.includes('The range of D3 disk moved along: 4000 to 7200')";
    visitor.until("what went along", toast).await;
    scenario.devices[2].r_mb_s = 5600.0;
    scenario.set_span(
        &disk(2),
        Some(Span {
            low: 4000.0,
            high: 7200.0,
        }),
    );
    visitor.spread_is(&scenario).await;

    // Each was one step.
    visitor.click("undo").await;
    scenario.devices[2].r_mb_s = 3000.0;
    scenario.set_span(
        &disk(2),
        Some(Span {
            low: 2000.0,
            high: 3600.0,
        }),
    );
    visitor.spread_is(&scenario).await;

    // The device goes, and its range with it.
    visitor
        .click_css("#spread-ranges tbody tr .acts button:last-of-type")
        .await;
    visitor
        .until(
            "no range",
            "document.getElementById('spread-said') === null",
        )
        .await;
    assert_eq!(visitor.ranges_in_the_table().await, 0);
    visitor.click("undo").await;
    visitor.spread_is(&scenario).await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_large_fleet_waits_to_be_asked_and_can_be_ended() {
    let mut scenario = presets::scenario_named("random-7-9").expect("a random fleet");
    let value = scenario.devices[0].r_mb_s;
    scenario.set_span(&disk(0), Some(Span::about("r_mb_s", value, 50.0)));
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let address = format!("{}{}", visitor.url, link::of(&scenario));
    visitor.open_link(&address).await;
    visitor.open_section("spread").await;
    visitor
        .until("the button", "document.getElementById('spread-draw')")
        .await;
    assert_eq!(
        visitor
            .value("document.getElementById('spread-said')")
            .await,
        json!(null)
    );
    visitor.choose("spread-count", "2000").await;
    visitor.click("spread-draw").await;
    visitor
        .until("some draws", "document.querySelector('#spread-said b')")
        .await;
    visitor.click("spread-draw-stop").await;
    visitor
        .until("the end", "!document.getElementById('spread-draw-stop')")
        .await;
    let some = visitor.text("spread-basis").await;
    assert!(!some.contains("2000 draws were solved"), "{some}");
    visitor.leave().await;
}

#[tokio::test]
async fn every_screen_and_theme_keeps_the_rules() {
    let scene = Scene::open().await;
    let mut faults = Vec::new();
    for screen in [DESKTOP, PHONE] {
        let visitor = scene.visitor().await;
        set_screen(&visitor, screen).await;
        let address = format!("{}{}", visitor.url, link::of(&paper_with_ranges()));
        visitor.open_link(&address).await;
        visitor.spread_is(&paper_with_ranges()).await;
        visitor.js("for (const fold of document.querySelectorAll('#spread details')) fold.open = true;", vec![]).await;
        for theme in ["light", "dark"] {
            set_theme(&visitor, theme).await;
            let state = format!("ranges, {} {theme}", screen.0);
            check_part(&visitor, "#spread", &state, &mut faults).await;
        }
        assert_eq!(visitor.sticks_out().await, "", "{}", screen.0);
        visitor.leave().await;
    }
    none(&faults);
}
