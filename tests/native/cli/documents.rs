//! Documents on the command line: one answer in every form, where its numbers come from, and what differs between two.

use super::{edgewise, file};
use crate::openapi::assert_as_described;
use engine::scenario::world::World;
use engine::scenario::{Any, Question, link, tiers};
use roxmltree::Document;
use serde_json::{Value, json};

/// The first preset of every question, in files of a test’s own.
fn papers(test: &str) -> Vec<(Question, String)> {
    let first = move |question: Question| {
        let preset = question.kind().presets().swap_remove(0);
        let name = format!("story-{test}-{}.json", question.name());
        (question, file(&name, preset.scenario.to_json()))
    };
    Question::ALL.into_iter().map(first).collect()
}

/// Every picture of a file, parsed.
fn pictures(html: &str) -> Vec<&str> {
    let mut rest = html;
    let mut found = Vec::new();
    while let Some(from) = rest.find("<svg") {
        let to = from + rest[from..].find("</svg>").expect("a picture ends") + "</svg>".len();
        found.push(&rest[from..to]);
        rest = &rest[to..];
    }
    found
}

#[test]
fn a_report_needs_nothing_else_and_its_pictures_are_whole() {
    for (question, path) in papers("1") {
        let name = question.name();
        let html = edgewise(&["run", &path, "--format", "html"], "").out;
        assert!(
            html.starts_with("<!DOCTYPE html><html lang=\"en\">"),
            "{name}"
        );
        assert!(html.ends_with("</html>"), "{name}");
        let outside = ["<script", "<link", "<img", "src=", "url(", "@import"];
        assert_eq!(
            outside.map(|word| html.contains(word)),
            [false; 6],
            "{name}"
        );
        for picture in pictures(&html) {
            let parsed = Document::parse(picture);
            assert!(
                parsed.is_ok(),
                "{name}: {parsed:?} in {}",
                &picture[..200.min(picture.len())]
            );
        }
        let has = |words: &str| assert!(html.contains(words), "{name} lacks {words}");
        // Drawn devices with all their links are more than a code holds.
        let code = ["The link as a QR code", "longer than a QR code can hold"];
        assert!(code.iter().any(|words| html.contains(words)), "{name}");
        has("Inputs and their sources");
        has(question.asks());
        for tag in ["section", "table", "figure", "dl", "details"] {
            let [open, close] =
                [format!("<{tag}"), format!("</{tag}>")].map(|tag| html.matches(&tag).count());
            assert_eq!(open, close, "{name}: {tag}");
        }
    }
}

#[test]
fn a_name_of_a_scenario_is_text_in_every_form() {
    let mut scenario = tiers::presets::paper();
    scenario.title = "<b>x</b> & | *y*".to_owned();
    scenario.tiers[0].name = "<i>|Nano".to_owned();
    let path = file("story-hostile.json", Any::from(scenario).to_json());
    let run = |format| edgewise(&["run", &path, "--format", format], "").out;
    let html = run("html");
    assert!(
        !html.contains("<b>x</b>") && !html.contains("<i>|Nano"),
        "{html}"
    );
    assert!(html.contains("&lt;b&gt;x&lt;/b&gt;"), "{html}");
    let markdown = run("md");
    assert!(
        markdown.starts_with("# &lt;b&gt;x&lt;/b&gt; &amp; \\| \\*y\\*\n"),
        "{markdown}"
    );
    let rows = markdown
        .lines()
        .filter(|line| line.contains("Nano") && line.starts_with('|'));
    assert!(rows.clone().count() > 0);
    for row in rows {
        assert!(row.contains("\\|Nano"), "{row}");
    }
}

#[test]
fn an_answer_document_matches_its_schema_and_a_bare_answer_does_not() {
    for (question, path) in papers("2") {
        let story = edgewise(&["run", &path, "--format", "story"], "").json();
        assert_as_described(
            "story",
            &json!({ "$ref": "#/components/schemas/Story" }),
            &story,
        );
        assert_eq!(story["question"], question.name());
        let sections = story["sections"].as_array().expect("sections");
        assert!(sections.len() > 2, "{story}");
        assert!(
            sections[0]["blocks"][0]["answer"]["headline"].is_string(),
            "{story}"
        );
        let answer = edgewise(&["run", &path, "--format", "json"], "").json();
        assert!(answer.get("story").is_none() && answer.get("sections").is_none());
    }
}

#[test]
fn quantities_show_their_formula_with_its_numbers_and_the_sources_of_its_inputs() {
    let path = file(
        "story-tiers.json",
        Any::from(tiers::presets::paper()).to_json(),
    );
    let explain = |name| edgewise(&["run", &path, "--explain", name], "");
    let told = explain("full_at");
    assert_eq!(told.code, 0, "{told:?}");
    let told = told.out.replace('\u{202f}', " ");
    for line in [
        "Saturates at: 0.215 requests/s",
        "Here: 2 / 9.283 s = 0.215 requests/s",
        "  nodes of AGX: 2, given",
    ] {
        assert!(told.lines().any(|other| other == line), "{line} in {told}");
    }
    let refused = explain("speed");
    assert_eq!(refused.code, 2);
    let said = refused.complaint();
    assert!(
        said.contains("\"speed\"") && said.contains("full_at"),
        "{said}"
    );
}

#[test]
fn inputs_say_where_they_are_from() {
    let path = file(
        "story-world.json",
        World::of(&Any::from(tiers::presets::paper())).to_json(),
    );
    // What no tier says is assumed for the cold start, and says so.
    let run = [
        "run",
        &path,
        "--question",
        "cold-start",
        "--format",
        "story",
    ];
    let story = edgewise(&run, "").json();
    let inputs = story["inputs"].as_array().expect("inputs").clone();
    let from = |key: &str| {
        let found = inputs.iter().find(|input| input["key"] == key);
        found
            .and_then(|input| input["from"].as_str())
            .unwrap_or_default()
            .to_owned()
    };
    assert!(from("r_mb_s").starts_with("assumed, "), "{inputs:?}");
    assert_eq!(from("prompt_tokens"), "given", "{inputs:?}");
}

/// Two scenarios that differ in one number.
fn two(test: &str) -> [String; 2] {
    let paper = tiers::presets::paper();
    let mut slow = paper.clone();
    slow.link.rate_mbit_s = 100.0;
    [("a", paper), ("b", slow)].map(|(name, scenario)| {
        file(
            &format!("story-{test}-{name}.json"),
            Any::from(scenario).to_json(),
        )
    })
}

fn table<'a>(story: &'a Value, name: &str) -> &'a Vec<Value> {
    let sections = story["sections"].as_array().expect("sections");
    let blocks = sections
        .iter()
        .flat_map(|section| section["blocks"].as_array().expect("blocks"));
    let mut tables = blocks.filter_map(|block| block.get("table"));
    let found = tables
        .find(|table| table["table"] == name)
        .expect("a table");
    found["rows"].as_array().expect("rows")
}

#[test]
fn a_comparison_shows_the_inputs_that_differ_and_what_that_does() {
    let [a, b] = two("1");
    let story = edgewise(&["compare", &a, &b, "--format", "json"], "").json();
    let inputs = table(&story, "inputs");
    assert_eq!(inputs.len(), 1, "{inputs:?}");
    assert_eq!(inputs[0]["what"], "link rate");
    let shown = |of: &str| {
        inputs[0][of]
            .as_str()
            .unwrap_or_default()
            .replace('\u{202f}', " ")
    };
    assert_eq!([shown("a"), shown("b")], ["1000 Mbit/s", "100 Mbit/s"]);
    let quantities = table(&story, "quantities");
    let links = quantities
        .iter()
        .find(|row| row["quantity"] == "Links")
        .expect("links");
    // A tenth of the rate is ten times the time: nothing else is on these links.
    let ratio = links["b_ratio"].as_f64().expect("a ratio");
    assert!((ratio - 10.0).abs() < 1e-9, "{links}");
    let first = quantities
        .iter()
        .find(|row| row["quantity"] == "AGX")
        .expect("a stage");
    assert_eq!(
        (&first["b_difference"], &first["b_ratio"]),
        (&"0".into(), &1.0.into())
    );
}

#[test]
fn a_link_holds_all_scenarios_of_a_comparison_and_opens_them_again() {
    let [a, b] = two("2");
    let told = edgewise(&["compare", &a, &b, &a], "").out;
    let fragment = told.trim_end().lines().last().expect("a link");
    let worlds = link::open_compared(fragment)
        .expect("it compares")
        .expect("it opens");
    assert_eq!(worlds.len(), 3);
    assert_eq!(worlds[0], worlds[2]);
    let again = edgewise(&["compare", fragment], "");
    assert_eq!((again.code, again.out), (0, told.clone()));
    let damaged = fragment.replace('~', "~x");
    for (arguments, why) in [
        (
            vec!["compare", fragment.split('~').next().unwrap_or_default()],
            "it must be two or three",
        ),
        (
            vec!["compare", &damaged],
            "for a question that this Edgewise does not know",
        ),
        (vec!["compare", &a], "two or three scenarios"),
        (vec!["run", fragment], "compares scenarios"),
    ] {
        let refused = edgewise(&arguments, "");
        assert_eq!(refused.code, 2, "{arguments:?}");
        assert!(refused.complaint().contains(why), "{refused:?}");
    }
}

#[test]
fn a_comparison_has_every_form_and_its_charts_are_on_common_axes() {
    let [a, b] = two("3");
    let compare = |format| edgewise(&["compare", &a, &b, "--format", format], "").out;
    let html = compare("html");
    assert!(html.contains("id=\"chart-requests\"") && html.contains("id=\"chart-front\""));
    assert!(
        html.contains("A: Best splits") && html.contains("B: Best splits"),
        "one chart of lines"
    );
    let csv = compare("csv");
    assert!(
        csv.starts_with("quantity,A,B,B \u{2212} A,B / A\n"),
        "{csv}"
    );
    assert!(compare("md").contains("## Inputs that differ"));
}

#[test]
fn the_energy_of_a_request_is_shown_tier_by_tier() {
    let path = file(
        "story-energy.json",
        Any::from(tiers::presets::paper()).to_json(),
    );
    let plan = edgewise(&["run", &path, "--format", "json"], "").json();
    let story = edgewise(&["run", &path, "--format", "story"], "").json();
    let sections = story["sections"].as_array().expect("sections");
    let energy = sections.iter().find(|section| section["id"] == "energy");
    let figures = &energy.expect("energy")["blocks"][1]["figures"];
    assert_eq!(figures["whole"]["value"], plan["plan"]["energy"]);
    let parts = figures["parts"].as_array().expect("parts").iter();
    let sum: f64 = parts.filter_map(|part| part["value"].as_f64()).sum();
    let whole = plan["plan"]["energy"].as_f64().expect("a number");
    assert!((sum - whole).abs() < 1e-9 * whole, "{sum} of {whole}");
}
