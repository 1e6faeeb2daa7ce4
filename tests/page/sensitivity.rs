//! What would help most, and ranges, for a question that is no cold start: as the library has them, tried in one step.

use super::scene::Scene;
use super::tiers::{PAPER, headline, open};
use super::visitor::Visitor;
use engine::scenario::tiers::presets;
use engine::scenario::world::World;
use engine::scenario::{Any, Span, levers::LeverChange};
use planner::ranges::spread;
use planner::sensitivity::{SensitivityRow, changed, helps};
use presenters::ranges::{basis, summary};
use presenters::sensitivity::{Figures, better_by, foot, standing, subject, value_after, values};
use serde_json::json;
use std::ops::ControlFlow;

async fn says(visitor: &Visitor, paragraph: &str, text: &str) {
    let is_it = format!(
        "document.querySelector('#spread-found > {paragraph}')?.textContent.trim() === {}",
        json!(text.trim())
    );
    visitor.until(text, &is_it).await;
}

#[tokio::test]
async fn sensitivity_of_tiers_equals_the_library_s_and_a_change_is_applied_in_one_step() {
    let world = World::of(&presets::paper().into());
    let found = helps(&world, 25.0, &mut |_, _| ControlFlow::Continue(())).expect("changes");
    let figures = Figures::of(&found);
    let order = found.in_order().into_iter();
    let helping: Vec<&SensitivityRow> = order
        .filter(|gain| !matches!(gain.change.kind, LeverChange::Without(_)) && found.is_help(gain))
        .collect();
    let expected: Vec<Vec<String>> = helping
        .iter()
        .map(|gain| {
            let name = subject(&found, gain) + values(gain).unwrap_or_default().as_str();
            let then = value_after(gain).expect("a plan");
            let proof = match standing(&found, gain) {
                "best found" => "best found",
                _ => "",
            };
            let by = better_by(&found, gain, figures) + proof;
            vec![name, figures.with_unit(then), by, "Try".to_owned()]
        })
        .collect();
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    headline(&visitor, PAPER).await;
    visitor.open_section("gains").await;
    visitor.click("gains-start").await;
    let is_it = format!(
        "JSON.stringify([...document.querySelectorAll('#gains-list tbody tr')]\
         .map(row => [...row.cells].map(cell => cell.textContent.trim()))) === {}",
        json!(serde_json::to_string(&expected).expect("text"))
    );
    visitor.until("the rows", &is_it).await;
    for sentence in foot(&found) {
        let shown = format!(
            "document.getElementById('gains').textContent.includes({})",
            json!(sentence)
        );
        visitor.until(&sentence, &shown).await;
    }

    // Tried: what was solved is on the editor, and one step takes it back.
    let at = helping.iter().position(|gain| gain.values.is_some());
    let at = at.expect("a number that helps");
    let tried = changed(&world, helping[at].at, 25.0).expect("a change");
    let Any::Tiers(scenario) = tried.view.scenario else {
        panic!("another question");
    };
    let planned = planner::tiers::planned(&scenario).expect("valid");
    let then = presenters::tiers::verdict(&scenario, &planned).headline;
    let press = format!("#gains-list tbody tr:nth-child({}) button", at + 1);
    visitor.click_css(&press).await;
    headline(&visitor, &then.to_string()).await;
    visitor.click("undo").await;
    headline(&visitor, PAPER).await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_range_is_typed_drawn_and_taken_away() {
    let mut world = World::of(&presets::paper().into());
    let view = world.view(world.question).expect("a view");
    let numbers = world.spots(&view);
    let at = numbers
        .iter()
        .position(|known| known.location.key == "bandwidth_gb_s")
        .expect("a memory rate");
    let range = Span::from((40.0, 100.0));
    world
        .put_range(&view, &numbers[at], Some(range))
        .expect("a range");
    let drawn = spread(&world, (200, 0), &mut |_, _| ControlFlow::Continue(()));
    let drawn = drawn.expect("draws");

    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    headline(&visitor, PAPER).await;
    visitor.open_section("spread").await;
    visitor.choose("spread-number", &at.to_string()).await;
    visitor.fill("spread-range", "100 to 40").await;
    visitor.click("spread-add").await;
    let fault = visitor.text("spread-range-fault").await;
    assert!(fault.contains("memory rate"), "{fault}");
    visitor.fill("spread-range", "40-100").await;
    visitor.click("spread-add").await;
    let rows = "document.querySelectorAll('#spread-ranges tbody tr').length";
    visitor.until("a range", &format!("{rows} === 1")).await;
    visitor.click("spread-start").await;
    says(&visitor, "p", &summary(&drawn).to_string()).await;
    says(&visitor, "p.foot", &basis(&drawn)).await;
    assert_eq!(visitor.rows("ranges-table").await.len(), 1);
    // Taken away, nothing is left to draw; what was drawn goes with it.
    visitor.click_css("#spread-ranges tbody button").await;
    visitor.until("no range", &format!("{rows} === 0")).await;
    let gone =
        "!document.querySelector('#spread-found p') && !document.getElementById('spread-start')";
    visitor.until("no draws", gone).await;
    headline(&visitor, PAPER).await;
    visitor.leave().await;
}
