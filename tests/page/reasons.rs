//! Figures say how they come about: formulas hold the numbers of the plan, and the parts of the stages add up.

use super::scene::Scene;
use super::visitor::{Key, Visitor};
use serde_json::Value;

/// The sum of a field over the stages [s].
fn sum(plan: &Value, field: &str) -> f64 {
    let stages = plan["timeline"].as_array().into_iter().flatten();
    stages.filter_map(|stage| stage[field].as_f64()).sum()
}

/// `1.615 + 0.058 = 1.673 s` as the parts and what they give [s]; short times are in milliseconds.
fn read(filled: &str) -> (Vec<f64>, f64) {
    let (parts, given) = filled.split_once(" = ").expect("a formula has two sides");
    let number = |text: &str| -> f64 {
        let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        let number: f64 = digits
            .parse()
            .unwrap_or_else(|_| panic!("{text} in {filled}"));
        number / if filled.ends_with("ms") { 1e3 } else { 1.0 }
    };
    (parts.split(" + ").map(number).collect(), number(given))
}

async fn asked(visitor: &Visitor, figure: &str) -> String {
    visitor.click(&format!("why-{figure}")).await;
    visitor.text("formula-filled").await
}

#[tokio::test]
async fn every_figure_shows_its_formula_with_the_numbers_of_the_plan() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let plan = visitor.saved_plan().await;
    let total = plan["T"].as_f64().expect("a plan");
    for (figure, fields, given) in [
        (
            "first_answer",
            vec![sum(&plan, "stall"), sum(&plan, "comm"), sum(&plan, "comp")],
            total,
        ),
        ("stall", of_stages(&plan, "stall"), sum(&plan, "stall")),
        ("transfer", of_stages(&plan, "comm"), sum(&plan, "comm")),
        ("compute", of_stages(&plan, "comp"), sum(&plan, "comp")),
        (
            "free",
            of_stages(&plan, "idle_after"),
            sum(&plan, "idle_after"),
        ),
    ] {
        let (parts, sum) = read(&asked(&visitor, figure).await);
        assert_eq!(parts.len(), fields.len(), "{figure}");
        for (part, field) in parts.iter().zip(&fields) {
            assert!(
                (part - field).abs() <= 0.000_500_1,
                "{figure}: {part} for {field}"
            );
        }
        assert!(
            (sum - given).abs() <= 0.000_500_1,
            "{figure}: {sum} for {given}"
        );
    }
    let memory = asked(&visitor, "memory").await;
    assert!(memory.ends_with("86\u{202f}%"), "{memory}");
    let gain = asked(&visitor, "gain").await;
    let best = plan["baselines"]["heuristic"]["T"]
        .as_f64()
        .expect("a time");
    assert_eq!(
        gain,
        format!(
            "({best:.3} \u{2212} {total:.3}) / {best:.3} = {:.1}\u{202f}%",
            100.0 * (best - total) / best
        )
    );
    visitor.leave().await;
}

fn of_stages(plan: &Value, field: &str) -> Vec<f64> {
    let stages = plan["timeline"].as_array().into_iter().flatten();
    stages.filter_map(|stage| stage[field].as_f64()).collect()
}

#[tokio::test]
async fn a_formula_opens_and_closes_by_keys() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let expanded = "document.getElementById('why-compute').getAttribute('aria-expanded')";
    let focus = "document.getElementById('why-compute').focus(); return true;";
    visitor.js(focus, vec![]).await;
    assert_eq!(visitor.text_of(expanded).await, "false");
    visitor.keys(Key::Enter).await;
    visitor
        .until("the formula", "document.getElementById('formula-filled')")
        .await;
    assert_eq!(visitor.text_of(expanded).await, "true");
    visitor.click_css("#formula button").await;
    visitor
        .until("no formula", "!document.getElementById('formula-filled')")
        .await;
    let back = "document.activeElement.id";
    assert_eq!(visitor.text_of(back).await, "why-compute");
    visitor.leave().await;
}

#[tokio::test]
async fn the_parts_of_the_stages_add_up_to_the_answer() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let plan = visitor.saved_plan().await;
    let sums = visitor.rows("reasons-sums").await;
    let loads = visitor.rows("reasons-loads").await;
    let stages = plan["timeline"].as_array().expect("a plan has stages");
    assert_eq!((sums.len(), loads.len()), (stages.len(), stages.len()));
    let shown = |value: f64| {
        if value == 0.0 {
            "0.000".to_owned()
        } else {
            format!("{value:.3}")
        }
    };
    for (row, stage) in sums.iter().zip(stages) {
        let fields = ["stall", "comm", "comp", "finish"];
        let times = fields.map(|field| shown(stage[field].as_f64().expect("a time")));
        assert_eq!(row[2..6], times);
    }
    for (row, stage) in loads.iter().zip(stages) {
        assert_eq!(row[1], shown(stage["load"].as_f64().expect("a time")));
    }
    let deciding: Vec<&str> = loads
        .iter()
        .filter(|row| row[4] == "decides")
        .map(|row| row[0].as_str())
        .collect();
    assert_eq!(deciding, ["D1"]);
    let advice = visitor.text("advice").await.replace('\u{202f}', " ");
    assert!(
        advice.starts_with("Doubling the compute rate of D1 helps this plan most"),
        "{advice}"
    );
    visitor.leave().await;
}
