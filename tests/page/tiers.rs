//! The tiers question, driven by a user: splits by keys and pointer, goals, load, requests in time, wrong input.

use super::accessible::{check, check_part, none};
use super::appearance::{DESKTOP, PHONE, set_screen, set_theme};
use super::scene::Scene;
use super::visitor::{Key, Visitor};
use engine::scenario::link;
use engine::scenario::tiers::{Scenario, presets};
use serde_json::json;

/// The answer for the paper's own tiers.
pub const PAPER: &str = "Fits, split 5, 9, 18 over all tiers, weights in memory: first token in 0.198\u{202f}s, then 5.26 tokens per second; a \
                         single request takes 24.35\u{202f}s.";
/// All runs of requests have come.
const RAN: &str = "document.getElementById('own-load')?.textContent \
    && !document.getElementById('runs-progress') && !document.getElementById('runs-again')";
/// The runs of every measurement have come: each has a fold.
pub const MEASURED: &str = "document.querySelectorAll('#published details.fold').length > 5 \
    && !document.querySelector('#published .search')";
/// The words of a warning above the answer.
pub const BANNER: &str = "document.querySelector('#banner .banner.warn')?.textContent";

/// Opens the question as it was left.
pub async fn open(visitor: &Visitor) {
    let address = format!("{}#tiers", visitor.url);
    visitor.open_link(&address).await;
}

/// Waits until the tab opens the question with a scenario, as the papers have it.
async fn kept(visitor: &Visitor, scenario: &Scenario) {
    let keeps = format!(
        "sessionStorage.getItem('edgewise.open') === {}",
        json!(link::of(scenario))
    );
    visitor.until("the scenario to be kept", &keeps).await;
}

/// Waits for a headline.
pub async fn headline(visitor: &Visitor, whole: &str) {
    let is_it = format!(
        "document.getElementById('headline')?.textContent === {} && document.querySelector('main[aria-busy=false]')",
        json!(whole)
    );
    visitor.until(whole, &is_it).await;
}

/// Waits for the words of the proof pill, which may go on behind `begin`.
async fn proof(visitor: &Visitor, begin: &str) -> String {
    let is_it = format!(
        "document.getElementById('proof')?.textContent.startsWith({})",
        json!(begin)
    );
    visitor.until(begin, &is_it).await;
    visitor.text("proof").await
}

/// Waits until the text of an element holds a part, and returns all of it.
pub async fn said(visitor: &Visitor, id: &str, part: &str) -> String {
    let holds = format!(
        "document.getElementById({})?.textContent.includes({})",
        json!(id),
        json!(part)
    );
    visitor.until(part, &holds).await;
    visitor.text(id).await
}

/// Waits until all runs have come.
pub async fn ran(visitor: &Visitor) {
    visitor.until("all runs of requests", RAN).await;
}

/// Gives an element the focus.
pub async fn focus(visitor: &Visitor, id: &str) {
    let script = "const element = document.getElementById(arguments[0]);
        element.scrollIntoView({ block: 'center' });
        element.focus();
        return document.activeElement === element;";
    let has = visitor.js(script, vec![json!(id)]).await;
    assert_eq!(has, json!(true), "#{id} takes the focus");
}

async fn names(visitor: &Visitor) -> Vec<String> {
    visitor.devices().await
}

/// The id of a field in the row of a tier, by its unit on the page.
pub async fn cell(visitor: &Visitor, tier: usize, label: &str) -> String {
    let id = format!(
        "document.querySelectorAll('#fleet tbody.device')[{tier}]?.querySelector('td[data-l=\"{label}\"] input')?.id"
    );
    visitor.text_of(&id).await
}

pub async fn undo_title(visitor: &Visitor) -> String {
    visitor
        .text_of("document.getElementById('undo').title")
        .await
}

#[tokio::test]
async fn it_opens_by_its_address_and_by_the_bar_about_the_machines_on_show() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    headline(&visitor, PAPER).await;
    assert_eq!(
        visitor.text("proof").await,
        "Optimal for the slowest stage, proven"
    );
    let title = visitor.title().await;
    assert!(title.starts_with("24.35\u{202f}s: Llama-3-8B"), "{title}");
    let hash = visitor.text_of("location.hash").await;
    assert!(hash.starts_with("#tiers/4."), "{hash}");
    let open_now = "document.querySelector('nav.methods a[aria-current=page]')?.textContent";
    assert_eq!(visitor.text_of(open_now).await, "Tiers");

    // By the bar to another question about the same machines, and back by the browser's own button.
    visitor.click_css("nav.methods a[href='#cold-start']").await;
    visitor.headline_with("First answer in").await;
    assert_eq!(names(&visitor).await.len(), 3);
    visitor.back().await;
    headline(&visitor, PAPER).await;
    assert_eq!(visitor.text_of(open_now).await, "Tiers");
    visitor.forward().await;
    visitor.headline_with("First answer in").await;
    visitor.click_css("nav.methods a[href='#tiers']").await;
    headline(&visitor, PAPER).await;

    visitor.choose("preset", "hyperion-two").await;
    visitor
        .until(
            "two tiers",
            "document.querySelectorAll('#fleet tbody.device').length === 2",
        )
        .await;
    visitor.answered().await;
    let two = "#tiers/4.";
    visitor
        .until(
            "the scenario kept",
            &format!("location.hash.startsWith('{two}')"),
        )
        .await;
    // The two tiers survive a visit's end, and are the devices of another question.
    visitor.open_link(&scene.host.url()).await;
    assert_eq!(names(&visitor).await.len(), 2);
    open(&visitor).await;
    assert_eq!(names(&visitor).await.len(), 2);
    assert_eq!(visitor.field("preset").await, "hyperion-two");
    visitor.leave().await;
}

#[tokio::test]
async fn a_cut_is_moved_by_keys_and_by_the_pointer() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    headline(&visitor, PAPER).await;
    focus(&visitor, "cut-0").await;
    visitor.keys(Key::Right).await;
    visitor.headline_with("Your split 6, 8, 18").await;
    let claim = proof(&visitor, "Yours, ").await;
    assert!(claim.ends_with("above the best"), "{claim}");
    let value = "document.getElementById('cut-0').getAttribute('aria-valuenow')";
    visitor
        .until("the cut's value", &format!("{value} === '6'"))
        .await;
    // The handle under the fingers is still the one that has the focus, and the next step is part of this one.
    visitor.keys(Key::Right).await;
    visitor.headline_with("Your split 7, 7, 18").await;
    assert_eq!(visitor.text_of("document.activeElement.id").await, "cut-0");
    visitor.chord(&[Key::Control], 'z').await;
    headline(&visitor, PAPER).await;
    assert_eq!(undo_title(&visitor).await, "Nothing to undo");
    assert_eq!(
        visitor.text("proof").await,
        "Optimal for the slowest stage, proven"
    );
    // A tier in use keeps a block.
    focus(&visitor, "cut-0").await;
    visitor.keys(Key::Home).await;
    visitor.headline_with("Your split 1, 13, 18").await;
    visitor.click("best-split").await;
    headline(&visitor, PAPER).await;
    visitor
        .until(
            "no button for what is there",
            "!document.getElementById('best-split')",
        )
        .await;
    for _ in 0..2 {
        visitor.click("undo").await;
    }
    assert_eq!(undo_title(&visitor).await, "Nothing to undo");

    focus(&visitor, "cut-1").await;
    let value = "Number(document.getElementById('cut-1').getAttribute('aria-valuenow'))";
    assert_eq!(visitor.value(value).await, 14);
    visitor
        .drag_sideways("#cut-1", &[-40.0, -40.0, -40.0])
        .await;
    visitor.headline_with("Your split 5, ").await;
    visitor
        .until("a cut far to the left", &format!("{value} < 13"))
        .await;
    assert_ne!(undo_title(&visitor).await, "Nothing to undo");
    visitor.click("undo").await;
    headline(&visitor, PAPER).await;
    assert_eq!(undo_title(&visitor).await, "Nothing to undo");
    visitor.click("redo").await;
    visitor.headline_with("Your split 5, ").await;
    visitor.click("best-split").await;
    headline(&visitor, PAPER).await;
    visitor.leave().await;
}

#[tokio::test]
async fn the_goal_decides_the_split() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    headline(&visitor, PAPER).await;
    visitor.click("goal-2").await;
    headline(
        &visitor,
        "Fits, split 1, 1, 30 over all tiers, weights in memory: first token in 0.141\u{202f}s, then 7.51 tokens per second; a single request takes \
         17.05\u{202f}s.",
    )
    .await;
    assert_eq!(
        visitor.text("proof").await,
        "Optimal for a single request, proven"
    );
    // Arrow keys go round the choices and take the focus along.
    focus(&visitor, "goal-2").await;
    visitor.keys(Key::Left).await;
    visitor
        .headline_with("Fits, split 7, 11, 14 over all tiers,")
        .await;
    assert_eq!(visitor.text_of("document.activeElement.id").await, "goal-1");
    let checked = "[0, 1, 2].map(n => document.getElementById('goal-' + n).getAttribute('aria-checked')).join()";
    assert_eq!(visitor.text_of(checked).await, "false,true,false");
    visitor.keys(Key::Left).await;
    headline(&visitor, PAPER).await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_point_of_the_front_becomes_the_split() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    headline(&visitor, PAPER).await;
    visitor.open_section("front").await;
    let marked = "document.querySelector('#front-table tr.now')?.cells[0].textContent";
    assert_eq!(visitor.text_of(marked).await, "5 / 9 / 18");
    // The first key takes the point of the split shown.
    focus(&visitor, "front-chart").await;
    visitor.keys(Key::End).await;
    visitor.keys(Key::End).await;
    visitor
        .until("the card", "document.getElementById('card')")
        .await;
    visitor.keys(Key::Enter).await;
    headline(
        &visitor,
        "Your split 1, 1, 30 over all tiers fits, weights in memory: first token in 0.141\u{202f}s, then 7.51 tokens per second; a single request \
         takes 17.05\u{202f}s.",
    )
    .await;
    visitor
        .until("its row", &format!("{marked} === '1 / 1 / 30'"))
        .await;
    visitor.chord(&[Key::Control], 'z').await;
    headline(&visitor, PAPER).await;
    // The other end is where it began: the same split, now set by hand.
    focus(&visitor, "front-chart").await;
    visitor.keys(Key::Home).await;
    visitor.keys(Key::Home).await;
    visitor.keys(Key::Enter).await;
    visitor.headline_with("Your split 5, 9, 18").await;
    assert_eq!(
        visitor.text("proof").await,
        "Yours, and optimal for the slowest stage"
    );
    visitor.leave().await;
}

#[tokio::test]
async fn an_infeasible_split_is_shown_and_tiers_can_be_switched_off() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    ran(&visitor).await;
    visitor.choose("preset", "hyperion-too-big").await;
    visitor.headline_with("No split: ").await;
    assert_eq!(visitor.text("proof").await, "Does not fit, proven");
    let lead = visitor.text("lead").await;
    assert!(
        lead.contains("smallest repair") || lead.contains("More memory on one tier alone"),
        "{lead}"
    );
    visitor
        .until(
            "no chart of load",
            "!document.getElementById('load') && !document.getElementById('picture')",
        )
        .await;
    visitor.click("undo").await;
    headline(&visitor, PAPER).await;
    ran(&visitor).await;

    visitor.device_menu(0, "Switch off").await;
    visitor.headline_with("Fits, split ").await;
    visitor
        .until(
            "a split over two",
            "document.querySelectorAll('#utilisation-table tbody tr').length === 2",
        )
        .await;
    assert_eq!(names(&visitor).await.len(), 3);
    assert_eq!(
        visitor
            .value("document.querySelectorAll('#fleet tbody.device.off').length")
            .await,
        json!(1)
    );
    for tier in [1, 2] {
        visitor.device_menu(tier, "Switch off").await;
    }
    visitor
        .until(
            "the empty state",
            "document.getElementById('empty')?.checkVisibility()",
        )
        .await;
    let seen = "document.getElementById('headline').checkVisibility()";
    assert_eq!(
        visitor.value(seen).await,
        json!(false),
        "no answer without a tier"
    );
    visitor.click("share").await;
    said(&visitor, "toast", "at least one tier").await;
    visitor.click("first-tier").await;
    assert_eq!(names(&visitor).await.len(), 4);
    visitor.headline_with("all on ").await;
    visitor.until("an answer on show", seen).await;
    for _ in 0..4 {
        visitor.click("undo").await;
    }
    headline(&visitor, PAPER).await;
    assert_eq!(names(&visitor).await.len(), 3);
    visitor.leave().await;
}

#[tokio::test]
async fn a_wrong_number_of_a_tier_is_explained_and_units_are_read() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor).await;
    headline(&visitor, PAPER).await;
    let nodes = cell(&visitor, 0, "Nodes").await;
    visitor.fill(&nodes, "0").await;
    let fault = visitor
        .until(
            "the message",
            &format!("document.getElementById('{nodes}-fault')?.textContent"),
        )
        .await;
    let fault = fault.as_str().unwrap_or_default();
    for part in [
        "Nano",
        "nodes",
        "from 1 to 64",
        "\u{201c}0\u{201d}",
        "still uses 3.",
    ] {
        assert!(fault.contains(part), "{part} is not in {fault}");
    }
    assert_eq!(visitor.field(&nodes).await, "0");
    assert_eq!(visitor.text("headline").await, PAPER);
    assert_eq!(visitor.text("proof").await, "Not yet for this scenario");
    assert!(
        visitor
            .text("banner")
            .await
            .contains("One number needs correcting.")
    );
    // It stays after the field is left, under its own row.
    visitor.keys(Key::Tab).await;
    assert_eq!(visitor.field(&nodes).await, "0");
    let row = format!(
        "document.getElementById('{nodes}-fault').closest('tbody') === document.querySelector('#fleet tbody.device')"
    );
    assert_eq!(visitor.value(&row).await, json!(true));
    visitor.fill(&nodes, "4").await;
    proof(&visitor, "Optimal").await;
    assert_eq!(visitor.text("banner").await, "");

    let rate = cell(&visitor, 0, "GB/s").await;
    let before = visitor.field(&rate).await;
    visitor.fill(&rate, "102 GB/s").await;
    visitor.keys(Key::Enter).await;
    assert_eq!(visitor.field(&rate).await, "102");
    assert_ne!(before, "102");
    visitor
        .until(
            "another split",
            "!document.getElementById('headline').textContent.includes('5, 9, 18')",
        )
        .await;
    for _ in 0..2 {
        visitor.click("undo").await;
    }
    headline(&visitor, PAPER).await;
    visitor.leave().await;
}

#[tokio::test]
async fn the_page_has_no_overflow_and_every_rule_of_accessibility_holds() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut faults = Vec::new();
    for (screen, theme) in [(DESKTOP, "light"), (PHONE, "dark")] {
        set_screen(&visitor, screen).await;
        open(&visitor).await;
        set_theme(&visitor, theme).await;
        ran(&visitor).await;
        let state = format!("tiers, {} {theme}", screen.0);
        check(&visitor, &state, &mut faults).await;
        visitor.click("blocks-as-table").await;
        if screen.0 == PHONE.0 {
            let out = visitor.sticks_out().await;
            if !out.is_empty() {
                faults.push(format!("{state}: {out}"));
            }
            visitor.click("edit-scenario").await;
            visitor
                .until("the sheet", "document.querySelector('.page.sheet-open')")
                .await;
        }
        visitor.unfold().await;
        visitor.until("all measurements", MEASURED).await;
        visitor.unfold().await;
        visitor.device_menu(0, "All numbers").await;
        check(&visitor, &format!("{state}, unfolded"), &mut faults).await;
        let out = visitor.sticks_out().await;
        if !out.is_empty() {
            faults.push(format!("{state}, unfolded: {out}"));
        }
        // What does not fit, and a number that is none.
        let nodes = cell(&visitor, 0, "Nodes").await;
        visitor.fill(&nodes, "many").await;
        let wrong = format!("{state}, a wrong number");
        check_part(&visitor, "#fleet", &wrong, &mut faults).await;
        visitor.choose("preset", "hyperion-too-big").await;
        visitor.headline_with("No split: ").await;
        check(&visitor, &format!("{state}, does not fit"), &mut faults).await;
        let out = visitor.sticks_out().await;
        if !out.is_empty() {
            faults.push(format!("{state}, does not fit: {out}"));
        }
        visitor.choose("preset", "hyperion-paper").await;
        headline(&visitor, PAPER).await;
        // The next round opens the question as this one leaves it.
        kept(&visitor, &presets::paper()).await;
    }
    none(&faults);
    visitor.leave().await;
}

#[tokio::test]
async fn a_fault_names_the_whole_row_where_the_field_has_no_unit() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut scenario = presets::paper();
    scenario.tiers[1].name = "Rack, left".into();
    let link = link::of(&scenario);
    visitor.open_link(&format!("{}{link}", visitor.url)).await;
    let nodes = cell(&visitor, 1, "Nodes").await;
    visitor.fill(&nodes, "many").await;
    let fault = visitor.text(&format!("{nodes}-fault")).await;
    assert!(
        fault.starts_with("Rack, left nodes must be a whole number from 1 to 64"),
        "{fault}"
    );
    visitor.leave().await;
}
