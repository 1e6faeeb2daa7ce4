//! Downloads of the tiers question: files, pictures and links, and what opens again from them.

use super::documents::{run, same};
use super::page::strings;
use super::pictures::{pixels, saved};
use super::scene::Scene;
use super::tiers::{BANNER, PAPER, cell, focus, headline, open, ran};
use super::visitor::Key;
use engine::scenario::tiers::Scenario;
use planner::tiers::{Documented, planned};
use serde_json::{Value, json};

#[tokio::test]
async fn files_hold_the_plan_of_the_command_line_and_open_again() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    headline(&visitor, PAPER).await;
    focus(&visitor, "cut-0").await;
    visitor.keys(Key::Right).await;
    visitor.headline_with("Your split 6, 8, 18").await;
    let plan = visitor.saved_plan().await;
    assert_eq!(plan["scenario"]["split"], json!([6.0, 8.0, 18.0]));

    // The command line says the same of the link, and so does the library of the scenario inside.
    visitor.allow_clipboard().await;
    let link = visitor.copied_link().await;
    let mut ran = run(&link);
    // The command line runs the requests as well; the page keeps them apart from the plan.
    let load = ran.as_object_mut().and_then(|ran| ran.remove("load"));
    assert!(load.is_some_and(|load| load["latency"]["mean"].is_number()));
    same(&plan, &ran);
    let scenario: Scenario =
        serde_json::from_value(plan["scenario"].clone()).expect("a scenario of tiers");
    let answer = planned(&scenario).expect("it can be answered");
    let document =
        serde_json::to_string(&Documented::new(&scenario, &answer)).expect("it can be written");
    let document: Value = serde_json::from_str(&document).expect("it is JSON");
    same(&plan, &document);
    let fragment = link.split_once('#').map(|(_, rest)| rest).expect("a link");
    assert_eq!(
        visitor.text("command").await,
        format!("edgewise run '#{fragment}'")
    );

    visitor.open_section("take").await;
    visitor.click("save-stages").await;
    let (_, text) = visitor.saved("-stages.csv").await;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(
        lines[0].starts_with("tier,nodes,first block,last block"),
        "{text}"
    );
    visitor.click("save-scenario").await;
    let (name, text) = visitor.saved("-scenario.json").await;
    assert!(name.starts_with("edgewise-tiers-llama-3-8b-"), "{name}");
    let written: Value = serde_json::from_str(&text).expect("a scenario is JSON");
    assert_eq!(written, plan["scenario"]);

    // The file opens elsewhere, from the other question too.
    let stranger = scene.visitor().await;
    stranger.open().await;
    let script = "const input = document.getElementById('open-file');
        const transfer = new DataTransfer();
        transfer.items.add(new File([arguments[1]], arguments[0]));
        input.files = transfer.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));";
    stranger.js(script, vec![json!(name), json!(text)]).await;
    stranger.headline_with("Your split 6, 8, 18").await;
    same(&stranger.saved_plan().await, &plan);
    visitor.leave().await;
    stranger.leave().await;
}

#[tokio::test]
async fn its_plots_are_files_too() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    ran(&visitor).await;
    visitor.open_section("requests").await;
    visitor.open_section("front").await;
    visitor
        .until(
            "the requests",
            "document.querySelector('#requests-chart canvas')",
        )
        .await;
    let lonely = "[...document.querySelectorAll('canvas')].filter(c => !c.closest('.legend') \
                  && !c.closest('section').querySelector('[id$=-png]')).length";
    assert_eq!(visitor.value(lonely).await, 0);
    let names = "[...document.querySelectorAll('button[id$=-png]')].map(b => b.id.slice(0, -4))";
    let names = strings(&visitor.value(names).await);
    for known in ["blocks", "load", "front", "requests"] {
        assert!(names.iter().any(|name| name == known), "{names:?}");
    }
    for name in &names {
        visitor.click(&format!("{name}-svg")).await;
        let text = saved(&visitor, &format!("-{name}.svg")).await;
        let text = String::from_utf8(text).expect("an SVG is text");
        let svg =
            roxmltree::Document::parse(&text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let mut parts = svg.root_element().children();
        let title = parts.find(|node| node.has_tag_name("title"));
        let title = title.and_then(|title| title.text()).unwrap_or_default();
        assert!(!title.is_empty(), "{name} has no title");
        visitor.click(&format!("{name}-png")).await;
        let bytes = saved(&visitor, &format!("-{name}.png")).await;
        let (width, height, colours) = pixels(&bytes);
        assert!(width == 1920 && height > 200, "{name}: {width} x {height}");
        assert!(colours.len() > 8, "{name}: {colours:?}");
    }
    visitor.leave().await;
}

#[tokio::test]
async fn a_link_opens_elsewhere_and_a_bad_one_takes_nothing_away() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.allow_clipboard().await;
    open(&visitor).await;
    headline(&visitor, PAPER).await;
    let nodes = cell(&visitor, 2, "Nodes").await;
    visitor.fill(&nodes, "5").await;
    visitor.keys(Key::Enter).await;
    visitor.click("goal-1").await;
    visitor
        .until(
            "another answer",
            "!document.getElementById('headline').textContent.includes('5, 9, 18')",
        )
        .await;
    visitor.answered().await;
    let (said_here, lead) = (visitor.text("headline").await, visitor.text("lead").await);
    let link = visitor.copied_link().await;
    assert!(link.contains("#tiers/4."), "{link}");
    let stranger = scene.visitor().await;
    stranger.open_link(&link).await;
    assert_eq!(stranger.text("headline").await, said_here);
    assert_eq!(stranger.text("lead").await, lead);
    let nodes = cell(&stranger, 2, "Nodes").await;
    assert_eq!(stranger.field(&nodes).await, "5");

    let (page, payload) = link.split_once("#tiers/4.").expect("a whole link");
    let cut = &payload[..payload.len() - 30];
    for (bad, why) in [
        (
            format!("{page}#tiers/4.{cut}"),
            "This link is damaged".to_owned(),
        ),
        (
            format!("{page}#split/1.{payload}"),
            "is for a question that this Edgewise does not know: \u{201c}split\u{201d}".to_owned(),
        ),
    ] {
        stranger.go(&bad).await;
        let told = format!("{BANNER}?.includes({})", json!(why));
        stranger.until(&why, &told).await;
        let banner = stranger.text_of(BANNER).await;
        assert!(
            banner.contains("Your scenario is still here, unchanged."),
            "{banner}"
        );
        assert_eq!(stranger.text("headline").await, said_here);
        assert_eq!(stranger.field(&nodes).await, "5");
    }
    // In a fresh tab there is nothing to keep, and it is told.
    stranger.open_link(&format!("{page}#tiers/4.{cut}")).await;
    stranger.until("the banner", BANNER).await;
    let banner = stranger.text_of(BANNER).await;
    assert!(banner.contains("This link is damaged"), "{banner}");
    visitor.leave().await;
    stranger.leave().await;
}
