//! The head-placement question, driven by a user: the run and its tokens, rules over draws, edits, links, records, wrong
//! input, files.

use super::accessible::{check, none};
use super::appearance::{DESKTOP, PHONE, set_screen, set_theme};
use super::documents::{run, same};
use super::scene::Scene;
use super::tiers::{BANNER, cell, headline};
use super::visitor::{Key, Visitor};
use super::workers::crashing;
use engine::scenario::heads::{Scenario, presets};
use engine::scenario::link;
use planner::heads::{HeadsPlan, HeadsRequest, HeadsResult, answer, comparison, rules, seeds};
use planner::heads_run::Comparison;
use presenters::heads::{against, verdict};
use serde_json::{Value, json};

/// Every run for comparison has come.
const RAN: &str = "document.querySelectorAll('#ranges tbody tr').length > 1 \
    && !document.getElementById('runs-progress') && !document.getElementById('runs-again')";

fn preset(name: &str) -> Scenario {
    presets::named(name).expect("a preset").scenario
}

fn plan(scenario: &Scenario) -> HeadsPlan {
    match answer(scenario, &HeadsRequest::Plan, &mut |_, _, _| ()) {
        Ok(HeadsResult::Plan(planned)) => *planned,
        other => panic!("{other:?}"),
    }
}

fn all_draws(scenario: &Scenario) -> Comparison {
    let mut all = comparison(scenario);
    for seed in seeds(scenario) {
        match answer(scenario, &HeadsRequest::Draw { seed }, &mut |_, _, _| ()) {
            Ok(HeadsResult::Draw(drawn)) => all.add(drawn.seed, drawn.sums),
            other => panic!("{other:?}"),
        }
    }
    all
}

/// Our mean as a reader sees it.
fn shown_mean(drawn: &Comparison) -> String {
    presenters::heads::comparison(drawn).for_readers().rows[0][1].display_text()
}

/// What the page has to say of a scenario.
fn sentence(scenario: &Scenario) -> String {
    verdict(scenario, &plan(scenario), true)
        .headline
        .to_string()
}

async fn open(visitor: &Visitor, scenario: &Scenario) {
    let address = format!("{}{}", visitor.url, link::of(scenario));
    visitor.open_link(&address).await;
    headline(visitor, &sentence(scenario)).await;
}

/// The small preset, with every run for comparison.
pub async fn open_small(visitor: &Visitor) {
    open(visitor, &preset("heads-small")).await;
    ran(visitor).await;
}

/// Waits for every run for comparison.
pub async fn ran(visitor: &Visitor) {
    visitor.until("all runs for comparison", RAN).await;
}

async fn put(visitor: &Visitor, id: &str, value: &str) {
    let script = "const field = document.getElementById(arguments[0]);
        field.value = arguments[1];
        field.dispatchEvent(new Event('input', { bubbles: true }));";
    visitor.js(script, vec![json!(id), json!(value)]).await;
}

async fn all_devices(visitor: &Visitor, count: usize) {
    let there = format!("document.querySelectorAll('#fleet tbody.device').length === {count}");
    visitor.until("every device", &there).await;
}

#[tokio::test]
async fn it_opens_with_physical_demands_and_says_what_is_wrong_with_the_papers_table() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor
        .open_link(&format!("{}#head-placement", visitor.url))
        .await;
    headline(&visitor, &sentence(&presets::physical())).await;
    assert_eq!(
        visitor.text("proof").await,
        "Optimal for whole blocks at each token, proven"
    );
    visitor
        .until("no notes", "!document.getElementById('table-notes')")
        .await;
    all_devices(&visitor, 25).await;
    let hash = visitor.text_of("location.hash").await;
    assert!(hash.starts_with("#head-placement/4."), "{hash}");
    let open_now = "document.querySelector('nav.methods a[aria-current=page]')?.textContent";
    assert_eq!(visitor.text_of(open_now).await, "Head placement");
    // The published demands are a preset, and say what is wrong with them.
    visitor.choose("preset", "heads-paper").await;
    headline(&visitor, &sentence(&presets::paper())).await;
    let notes = visitor.text("table-notes").await;
    for part in ["adds a cache of 8.19", "as if there were no cache"] {
        assert!(notes.contains(part), "{notes}");
    }
    // The honest setting is a press away, and one step to undo.
    visitor.click("honest").await;
    let honest = Scenario {
        demands: presets::PHYSICAL,
        ..presets::paper()
    };
    headline(&visitor, &sentence(&honest)).await;
    visitor
        .until("no notes", "!document.getElementById('table-notes')")
        .await;
    visitor.chord(&[Key::Control], 'z').await;
    headline(&visitor, &sentence(&presets::paper())).await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_token_is_looked_at_by_slider_by_press_and_by_itself() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let s = Scenario {
        new_tokens: 40.0,
        ..preset("heads-small")
    };
    open(&visitor, &s).await;
    let planned = plan(&s);
    let told = "document.getElementById('heads-told').textContent";
    visitor
        .until("the last token", &format!("{told}.includes('Token 40:')"))
        .await;
    put(&visitor, "scrub", "7").await;
    visitor
        .until("token 7", &format!("{told}.includes('Token 7:')"))
        .await;
    let heads = "[...document.querySelectorAll('#fleet .shown')].map(cell => cell.textContent)";
    let expected: Vec<String> = planned
        .segment(7)
        .expect("a segment")
        .layout
        .heads_on(4)
        .iter()
        .map(ToString::to_string)
        .collect();
    visitor
        .until(
            "the heads of token 7",
            &format!(
                "JSON.stringify({heads}) === JSON.stringify({})",
                json!(expected)
            ),
        )
        .await;
    visitor.open_section("load").await;
    visitor
        .until(
            "the devices of token 7",
            "document.querySelector('#load output').textContent === '7 of 40' \
                && document.querySelector('#at-token tbody tr')",
        )
        .await;
    let rows = visitor.rows("at-token").await;
    assert_eq!(rows.len(), 4, "{rows:?}");
    // A press on the map looks at what is under it: near the left end, one of the first tokens.
    let press =
        "const map = document.getElementById('heads-map'); const box = map.getBoundingClientRect();
        const at = { clientX: box.left + 0.5 * box.width, clientY: box.top + 60, bubbles: true };
        map.dispatchEvent(new PointerEvent('pointerdown', at));
        map.dispatchEvent(new PointerEvent('pointerup', at));";
    visitor.js(press, vec![]).await;
    visitor
        .until(
            "another token",
            "(n => n > 7 && n < 35)(+document.getElementById('scrub').value)",
        )
        .await;
    visitor.click("scrub-play").await;
    visitor
        .until(
            "the end",
            "document.getElementById('scrub').value === '40' \
                && document.getElementById('scrub-play').textContent === 'Play'",
        )
        .await;
    visitor.click("heads-as-table").await;
    assert_eq!(visitor.rows("tokens-table").await.len(), 40);
    visitor.unfold().await;
    assert_eq!(visitor.rows("moves-table").await.len(), planned.moves.len());
    visitor.leave().await;
}

#[tokio::test]
async fn rules_are_compared_over_draws_and_over_tokens() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let s = preset("heads-small");
    open(&visitor, &s).await;
    ran(&visitor).await;
    let count = rules(&s).len();
    visitor.unfold().await;
    let rows = visitor.rows("comparison-table").await;
    assert_eq!(rows.len(), count);
    // The mean over five draws, as the library has it.
    let drawn = all_draws(&s);
    assert_eq!(rows[0][1], shown_mean(&drawn), "{:?}", rows[0]);
    let over = visitor
        .text_of("document.getElementById('comparison-over').textContent")
        .await;
    assert!(over.contains("5 of 5 backgrounds"), "{over}");
    let lead = visitor.text("lead").await;
    let sooner = against(&s, &drawn).expect("all draws").to_string();
    assert!(lead.ends_with(&sooner), "{sooner}: {lead}");
    // Every line over the tokens, and what they show instead.
    visitor
        .click_css("#tracks .ways [role=radio]:nth-child(3)")
        .await;
    visitor
        .until(
            "the ratios",
            "document.getElementById('tracks-optimum-chart')?.getAttribute('aria-label').startsWith('J of each choice')",
        )
        .await;
    // What would help is a run of its own, and can be taken.
    let known = "document.querySelectorAll('#changes-table tbody tr').length > 3 \
        && [...document.querySelectorAll('#changes-table tbody tr')].every(row => row.cells[1].textContent !== '\u{2013}')";
    visitor.until("every change", known).await;
    visitor.click_css("#changes .try").await;
    visitor
        .until(
            "the faster device",
            "document.getElementById('undo').title.includes('compute')",
        )
        .await;
    // Drawn networks are those of the comparison alone: the run shown stays that of the listed devices.
    let mut whole = s.clone();
    whole.draws.networks = true;
    open(&visitor, &whole).await;
    assert_eq!(sentence(&whole), sentence(&s));
    ran(&visitor).await;
    visitor.unfold().await;
    let rows = visitor.rows("comparison-table").await;
    let mean = shown_mean(&all_draws(&whole));
    assert_eq!(rows[0][1], mean, "{:?}", rows[0]);
    visitor.leave().await;
}

#[tokio::test]
async fn links_and_the_controller_follow_their_devices() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let s = preset("heads-small");
    open(&visitor, &s).await;
    all_devices(&visitor, 4).await;
    let rate = |from: usize, to: usize| s.links.rate(from, to).to_string();
    let link = cell(&visitor, 2, "Gbit/s").await;
    assert_eq!(visitor.field(&link).await, rate(2, 0));
    // The third becomes the controller: the column is now about the way to it.
    visitor.device_menu(2, "Make it the controller").await;
    let link = cell(&visitor, 1, "Gbit/s").await;
    visitor
        .until(
            "the rate to the new controller",
            &format!(
                "document.getElementById('{link}').value === '{}'",
                rate(1, 2)
            ),
        )
        .await;
    visitor.device_menu(0, "Remove").await;
    all_devices(&visitor, 3).await;
    assert_eq!(visitor.field(&link).await, rate(1, 2));
    let mut less = s.clone();
    less.devices.remove(0);
    less.links.removed(0);
    less.controller = 1;
    headline(&visitor, &sentence(&less)).await;
    visitor.device_menu(0, "Move down").await;
    visitor
        .until(
            "the controller first",
            "document.querySelector('#fleet tbody.device .ctrl')",
        )
        .await;
    assert_eq!(visitor.field(&link).await, rate(1, 2));
    ran(&visitor).await;
    visitor.fill(&link, "0").await;
    visitor.keys(Key::Enter).await;
    visitor.answered().await;
    let kept = visitor.saved_plan().await;
    let kept: Scenario = serde_json::from_value(kept["scenario"].clone()).expect("a scenario");
    assert_eq!(kept.links.rate(0, 1), 0.0);
    visitor.leave().await;
}

#[tokio::test]
async fn wrong_numbers_and_records_are_shown_and_nothing_is_lost() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let s = preset("heads-small");
    open(&visitor, &s).await;
    all_devices(&visitor, 4).await;
    visitor.unfold().await;
    visitor.fill("field-model-heads", "30").await;
    let fault = "document.getElementById('field-model-heads-fault')?.textContent";
    let text = visitor.until("a fault", fault).await;
    let text = text.as_str().unwrap_or_default();
    assert!(text.contains("a multiple of the 30 heads"), "{text}");
    assert!(text.contains("still uses 32"), "{text}");
    assert_eq!(visitor.text("proof").await, "Not yet for this scenario");
    visitor.keys(Key::Escape).await;
    visitor.until("no fault", &format!("!({fault})")).await;
    put(
        &visitor,
        "record-text",
        "token,device,compute_gops,memory_gb\n1,D1,2,4\n1,Nobody,2,4",
    )
    .await;
    visitor.click("record-take").await;
    let fault = visitor
        .until(
            "a fault",
            "document.getElementById('record-fault')?.textContent",
        )
        .await;
    let fault = fault.as_str().unwrap_or_default();
    assert!(fault.contains("Nobody") && fault.contains('3'), "{fault}");
    assert_eq!(visitor.text("headline").await, sentence(&s));
    put(
        &visitor,
        "record-text",
        "token,device,compute_gops,memory_gb\n1,D1,2,4\n3,D1,0,4",
    )
    .await;
    visitor.click("record-take").await;
    let recorded = Scenario {
        recorded: Some(vec![(1, 0, 2.0, 4.0), (3, 0, 0.0, 4.0)]),
        ..s.clone()
    };
    headline(&visitor, &sentence(&recorded)).await;
    visitor.click("background-kind-0").await;
    let quiet = Scenario {
        background: engine::sim::Background::Quiet,
        ..s
    };
    headline(&visitor, &sentence(&quiet)).await;
    visitor.leave().await;
}

#[tokio::test]
async fn files_hold_what_the_command_line_says_and_open_again() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let s = preset("heads-small");
    open(&visitor, &s).await;
    ran(&visitor).await;
    let plan = visitor.saved_plan().await;
    visitor.allow_clipboard().await;
    let link = visitor.copied_link().await;
    same(&plan, &run(&link));
    assert_eq!(plan["steps"].as_array().map(Vec::len), Some(4));
    assert!(
        plan["steps"]
            .as_array()
            .is_some_and(|all| all.iter().all(|step| step["status"] == json!("optimal")))
    );
    visitor.open_section("take").await;
    visitor.click("save-tokens").await;
    let (name, text) = visitor.saved("-tokens.csv").await;
    assert!(name.starts_with("edgewise-heads-32-heads"), "{name}");
    assert_eq!(text.lines().count(), 5, "{text}");
    visitor.click("save-comparison").await;
    let (_, text) = visitor.saved("-comparison.csv").await;
    assert_eq!(text.lines().count(), 1 + rules(&s).len(), "{text}");
    visitor.click("save-scenario").await;
    let (name, text) = visitor.saved("-scenario.json").await;
    let written: Value = serde_json::from_str(&text).expect("a scenario is JSON");
    assert_eq!(written, plan["scenario"]);
    // The file opens elsewhere, from another question too.
    let stranger = scene.visitor().await;
    stranger.open().await;
    let script = "const input = document.getElementById('open-file');
        const transfer = new DataTransfer();
        transfer.items.add(new File([arguments[1]], arguments[0]));
        input.files = transfer.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));";
    stranger.js(script, vec![json!(name), json!(text)]).await;
    headline(&stranger, &sentence(&s)).await;
    ran(&stranger).await;
    same(&stranger.saved_plan().await, &plan);
    for (button, ending) in [("heads-svg", ".svg"), ("tracks-time-svg", ".svg")] {
        ran(&stranger).await;
        stranger.unfold().await;
        stranger.click(button).await;
        let (_, text) = stranger.saved(ending).await;
        assert!(text.contains("<svg"), "{button}");
    }
    visitor.leave().await;
    stranger.leave().await;
}

#[tokio::test]
async fn the_papers_small_comparison_is_run_when_it_is_asked_for() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor, &preset("heads-small")).await;
    ran(&visitor).await;
    visitor.open_section("published").await;
    // What is published is there before anything is run.
    let claims = "document.querySelectorAll('#heads-claims tbody tr').length > 3";
    visitor.until("the paper's figures", claims).await;
    visitor.click("published-told").await;
    let begun = "document.querySelector('#published progress')?.value > 0";
    visitor.until("some networks", begun).await;
    // It goes on while the scenario is edited.
    visitor.fill("field-new_tokens", "5").await;
    visitor.keys(Key::Enter + "").await;
    // A reading is shown when it is whole; the small networks come first.
    let small = "(() => { for (const fold of document.querySelectorAll('#published details.fold')) fold.open = true; \
        return document.querySelectorAll('#heads_small_networks-table tbody tr').length === 52; })()";
    visitor.until("all small networks", small).await;
    visitor.click("published-told-stop").await;
    let rows = visitor.rows("heads_small_networks-table").await;
    assert_eq!(rows.len(), 4 * 13, "{} rows", rows.len());
    let exact = rows
        .iter()
        .filter(|row| row[2] == "1.000" && row[3] == "1.000");
    assert!(exact.count() >= 4);
    visitor.leave().await;
}

#[tokio::test]
async fn the_page_has_no_overflow_and_every_rule_of_accessibility_holds() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut faults = Vec::new();
    let tiny = {
        let mut s = preset("heads-small");
        s.devices.iter_mut().for_each(|d| d.memory_gb = 0.01);
        s
    };
    for (screen, theme) in [(DESKTOP, "light"), (PHONE, "dark")] {
        set_screen(&visitor, screen).await;
        open(&visitor, &preset("heads-small")).await;
        set_theme(&visitor, theme).await;
        ran(&visitor).await;
        visitor.unfold().await;
        ran(&visitor).await;
        let state = format!("heads, {} {theme}", screen.0);
        check(&visitor, &state, &mut faults).await;
        let out = visitor.sticks_out().await;
        if !out.is_empty() {
            faults.push(format!("{state}: {out}"));
        }
        if screen.0 == PHONE.0 {
            visitor.click("edit-scenario").await;
            visitor
                .until("the sheet", "document.querySelector('.page.sheet-open')")
                .await;
        }
        visitor.unfold().await;
        check(&visitor, &format!("{state}, unfolded"), &mut faults).await;
        let out = visitor.sticks_out().await;
        if !out.is_empty() {
            faults.push(format!("{state}, unfolded: {out}"));
        }
        open(&visitor, &tiny).await;
        check(&visitor, &format!("{state}, does not fit"), &mut faults).await;
        visitor.go("about:blank").await;
    }
    none(&faults);
    visitor.leave().await;
}

/// A worker that is requested to compute another rule crashes before it can answer.
const AT_A_RULE: &str = "requests.some(({ kind, isSubtask, query }) => kind === 'heads-story' && isSubtask && query.includes('track'))";

#[tokio::test]
async fn a_worker_that_crashes_is_replaced_and_every_rule_arrives() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.before_pages(&crashing(1, AT_A_RULE)).await;
    open(&visitor, &preset("heads-small")).await;
    let banner = visitor.until("the banner", BANNER).await;
    let banner = banner.as_str().unwrap_or_default();
    assert!(
        banner.starts_with("The solver stopped and was replaced."),
        "{banner}"
    );
    ran(&visitor).await;
    assert_eq!(visitor.value("window.__crashes").await, json!(0));
    visitor.unfold().await;
    assert_eq!(
        visitor.rows("comparison-table").await.len(),
        rules(&preset("heads-small")).len()
    );
    visitor.leave().await;
}
