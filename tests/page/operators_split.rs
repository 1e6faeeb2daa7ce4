//! The second part of the operator-graph question, driven by a user: operators cut over devices, what edits change of it, limits that
//! nothing keeps, the paper's search, workers that die, links, files.

use super::accessible::{check, check_part, none};
use super::appearance::{DESKTOP, PHONE, set_screen, set_theme};
use super::documents::{run, same};
use super::scene::Scene;
use super::visitor::{Key, Visitor};
use super::workers::crashing;
use engine::plan::OperatorOrder;
use engine::scenario::operators::{Dims, Scenario, presets};
use engine::scenario::{Any, link};
use planner::operators::{
    AnnealChain, Cut, OperatorsRequest, OperatorsResult, Splits, answer, best,
};
use presenters::operators::{SplitSummary, split_words};
use serde_json::{Value, json};

/// What is said of the split once the search has come to its end, or been ended.
const AT_END: &str = "(() => { const proof = document.getElementById('pieces-proof')?.textContent;
    return proof && !proof.startsWith('Cutting') ? proof : null; })()";
/// How far the paper's search is.
const GA: &str = "document.getElementById('ga-found')?.textContent";

/// GoogLeNet with a short search.
fn googlenet() -> Scenario {
    let mut scenario = presets::paper();
    scenario.split.search.moves = 20_000.0;
    scenario.split.search.population = 20.0;
    scenario.split.search.generations = 12.0;
    scenario
}

/// The same with these limits of all devices [MiB].
fn limited(mib: f64) -> Scenario {
    let mut scenario = googlenet();
    for board in &mut scenario.split.devices {
        board.limit_mib = Some(mib);
    }
    scenario
}

fn ask(scenario: &Scenario, ask: &OperatorsRequest) -> OperatorsResult {
    let found = answer(scenario, ask, &mut |_, _, _| ());
    found.unwrap_or_else(|fault| panic!("{fault}"))
}

/// The order, what is known at once, and the chains.
fn searched(scenario: &Scenario) -> (OperatorOrder, Splits, Vec<AnnealChain>) {
    let OperatorsResult::Plan(plan) = ask(scenario, &OperatorsRequest::Plan) else {
        panic!("a plan was asked for");
    };
    let order = plan.ours.expect("an order").order;
    let OperatorsResult::Splits(splits) = ask(
        scenario,
        &OperatorsRequest::Splits {
            order: order.clone(),
        },
    ) else {
        panic!("splits were asked for");
    };
    let chain = |chain| {
        let order = order.clone();
        match ask(scenario, &OperatorsRequest::Chain { order, chain }) {
            OperatorsResult::Chain(chain) => *chain,
            other => panic!("{other:?}"),
        }
    };
    let chains = (0..scenario.split.search.islands as u32).map(chain);
    let chains = chains.collect();
    (order, *splits, chains)
}

/// What the page has to say of a scenario's split in the end.
fn sentence(scenario: &Scenario) -> String {
    let (order, splits, chains) = searched(scenario);
    let graph = scenario.graph().expect("a graph");
    let all = chains.iter().map(|chain| &chain.best);
    let cut: &Cut = best(all.chain([&splits.start])).expect("a split");
    let told = SplitSummary::of(scenario, &graph, &order, cut);
    let told = told.expect("a scenario").expect("marks");
    let rooms = chains.iter().filter_map(|chain| chain.room.as_ref());
    let room = rooms.min_by(|a, b| a.factor.total_cmp(&b.factor));
    split_words(&told, &splits, room).headline.to_string()
}

async fn open(visitor: &Visitor, scenario: &Scenario) {
    let address = format!("{}{}", visitor.url, link::of(scenario));
    visitor.open_link(&address).await;
    visitor.until("the end of the search", AT_END).await;
}

/// Waits until the split is told like this.
async fn told(visitor: &Visitor, whole: &str) {
    let is_it = format!(
        "document.getElementById('split-headline')?.textContent === {}",
        json!(whole)
    );
    visitor.until(whole, &is_it).await;
}

/// The id of a field in the row of a device, by its unit on the page.
async fn cell(visitor: &Visitor, device: usize, label: &str) -> String {
    let expression = format!(
        "document.querySelectorAll('#fleet tbody')[{device}].querySelector('td[data-l={label:?}] input').id"
    );
    visitor.text_of(&expression).await
}

#[tokio::test]
async fn the_picture_and_the_files_hold_what_the_command_line_says() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let s = googlenet();
    open(&visitor, &s).await;
    told(&visitor, &sentence(&s)).await;
    let command = run(&link::of(&s));
    visitor.open_section("take").await;
    visitor.click("save-answer").await;
    let (_, text) = visitor.saved("-answer.json").await;
    let saved: Value = serde_json::from_str(&text).expect("JSON");
    same(&saved, &command);
    // Every row of the table is the command line's.
    let cuts = &command["split"]["best"]["partition"]["cuts"];
    visitor.unfold().await;
    let rows = visitor.rows("split-table").await;
    assert_eq!(rows.len(), 71);
    for row in &rows {
        let op: usize = row[1].parse().expect("an operator");
        let marks: Vec<String> = cuts[op]
            .as_array()
            .expect("marks")
            .iter()
            .map(Value::to_string)
            .collect();
        assert_eq!(row[4], marks.join(" "), "{row:?}");
    }
    let slow = visitor.rows("slow").await;
    assert_eq!(slow.len(), 10);
    for (button, ending, lines) in [
        ("save-split", "-split.csv", 72),
        ("save-devices", "-devices.csv", 5),
        ("save-splits", "-splits.csv", 0),
    ] {
        visitor.click(button).await;
        let (_, text) = visitor.saved(ending).await;
        assert!(
            text.lines().count() == lines || lines == 0,
            "{button}: {text}"
        );
    }
    for (button, ending) in [
        ("slices-svg", "-slices.svg"),
        ("convergence-svg", "-convergence.svg"),
    ] {
        visitor.click(button).await;
        let (_, text) = visitor.saved(ending).await;
        assert!(text.contains("<svg"), "{button}");
    }
    visitor.leave().await;
}

#[tokio::test]
async fn an_edit_of_the_fleet_cuts_again_and_can_be_taken_back() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let s = googlenet();
    open(&visitor, &s).await;
    let before = sentence(&s);
    told(&visitor, &before).await;
    let factor = cell(&visitor, 2, "Time factor").await;
    visitor.fill(&factor, "0.24").await;
    let mut quick = s.clone();
    quick.split.devices[2].factor = 0.24;
    told(&visitor, &sentence(&quick)).await;
    // Nonsense is told, and the split stays.
    visitor.fill(&factor, "-1").await;
    let fault = format!("document.getElementById('{factor}-fault')?.textContent");
    visitor.until("a fault", &fault).await;
    told(&visitor, &sentence(&quick)).await;
    // Escape gives up everything that was typed in the field.
    visitor.keys(Key::Escape + "").await;
    told(&visitor, &before).await;
    // The paper's rule, a device more, one less.
    visitor.click("cuts-1").await;
    let mut rule = s.clone();
    rule.split.dims = Dims::Rule;
    told(&visitor, &sentence(&rule)).await;
    visitor.chord(&[Key::Control], 'z').await;
    visitor.click("add-device").await;
    let five =
        "document.getElementById('split-headline')?.textContent.startsWith('On five devices')";
    visitor.until("five devices", five).await;
    visitor.device_menu(4, "Remove").await;
    told(&visitor, &before).await;
    // The link holds all of it.
    visitor.allow_clipboard().await;
    let address = visitor.copied_link().await;
    let Any::Operators(opened) = link::decode(&address).expect("a link") else {
        panic!("{address}");
    };
    assert_eq!(*opened, s);
    visitor.leave().await;
}

#[tokio::test]
async fn limits_that_no_split_keeps_are_said_with_those_that_work() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let s = limited(0.25);
    open(&visitor, &s).await;
    told(&visitor, &sentence(&s)).await;
    let said = visitor.text("split-headline").await;
    assert!(said.starts_with("No split"), "{said}");
    let proof = visitor.text("pieces-proof").await;
    assert!(!proof.contains("gap"), "{proof}");
    // What is offered works.
    let offered = "document.getElementById('set-limits')";
    visitor.until("limits that work", offered).await;
    visitor.click("set-limits").await;
    let fits =
        "document.getElementById('split-headline')?.textContent.startsWith('On four devices')";
    visitor.until("a split that fits", fits).await;
    visitor.leave().await;
}

#[tokio::test]
async fn the_papers_search_is_run_by_a_press_and_what_is_stopped_keeps_its_best() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut s = googlenet();
    open(&visitor, &s).await;
    visitor.unfold().await;
    visitor.click("ga").await;
    let ended = format!("{GA}?.startsWith('Ended after generation') && {GA}");
    visitor.until("its end", &ended).await;
    visitor.answered().await;
    let words = visitor.until("its end", &ended).await;
    let words = words.as_str().unwrap_or_default().to_owned();
    assert!(words.contains("on 2 islands"), "{words}");
    let rows = visitor.rows("genetic-split-table").await;
    assert!(rows[0][0].starts_with("GA"), "{rows:?}");
    // The same numbers, the same end.
    visitor.click("ga").await;
    visitor.until("its end", &ended).await;
    visitor.answered().await;
    let again = visitor.until("its end", &ended).await;
    assert_eq!(again.as_str().unwrap_or_default(), words);
    s.split.search.population = 20_000.0;
    s.split.search.generations = 10_000.0;
    // Otherwise it ends in its first round, before anybody can stop it.
    s.split.search.patience = Some(10_000.0);
    open(&visitor, &s).await;
    // What was searched before belongs to another scenario.
    let is_new = format!("!{GA}");
    visitor.until("a search of its own", &is_new).await;
    visitor.click("ga").await;
    visitor
        .until("plans", &format!("{GA}?.includes('its best split takes')"))
        .await;
    visitor.click("ga-stop").await;
    let stopped = "!document.getElementById('ga-stop')";
    visitor.until("its stop", stopped).await;
    let rows = visitor.rows("genetic-split-table").await;
    assert!(rows[0][0].starts_with("GA"), "{rows:?}");
    visitor.leave().await;
}

/// The worker is sent the second chain of an annealing.
const AT_THE_SECOND_CHAIN: &str =
    r#"requests.some(({ kind, query }) => kind === 'operators-story' && query === '{"Chain":1}')"#;

#[tokio::test]
async fn a_worker_that_crashes_in_a_chain_is_replaced_and_the_split_is_the_same() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor
        .before_pages(&crashing(1, AT_THE_SECOND_CHAIN))
        .await;
    let s = googlenet();
    open(&visitor, &s).await;
    told(&visitor, &sentence(&s)).await;
    assert_eq!(visitor.value("window.__crashes").await, json!(0));
    visitor.leave().await;
}

#[tokio::test]
async fn one_step_is_shared_with_the_slices_and_the_longest_operators_lead_to_theirs() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor, &googlenet()).await;
    let at = |step: usize| {
        format!(
            "document.getElementById('slice-told')?.textContent.startsWith('Step {step} of 71:')"
        )
    };
    visitor.open_section("slices").await;
    visitor.click("step-first").await;
    visitor.until("step 1", &at(1)).await;
    super::tiers::focus(&visitor, "slices-chart").await;
    visitor.keys(Key::Right + "").await;
    visitor.until("step 2", &at(2)).await;
    visitor.keys(Key::End + "").await;
    visitor.until("step 71", &at(71)).await;
    let longest = visitor.rows("slow").await[0][0].clone();
    visitor.click_css("#slow tbody tr:first-child button").await;
    let longest = longest.parse().expect("a step");
    visitor.until("the longest", &at(longest)).await;
    assert_eq!(visitor.rows("slice-parts").await.len(), 4);
    visitor.leave().await;
}

#[tokio::test]
async fn the_split_has_no_overflow_and_every_rule_of_accessibility_holds() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut faults = Vec::new();
    // The graph, with most of the page's elements, is looked at with the orders.
    let parts = ["#slices", "#cuts-comparison", "#fleet"];
    for (screen, theme, parts) in [(DESKTOP, "light", &parts[..]), (PHONE, "dark", &parts[..2])] {
        set_screen(&visitor, screen).await;
        open(&visitor, &googlenet()).await;
        set_theme(&visitor, theme).await;
        visitor.unfold().await;
        let state = format!("split, {} {theme}", screen.0);
        for part in parts {
            check_part(&visitor, part, &state, &mut faults).await;
        }
        assert_eq!(visitor.sticks_out().await, "", "{state}");
    }
    open(&visitor, &limited(0.25)).await;
    check(&visitor, "split, nothing fits", &mut faults).await;
    assert_eq!(visitor.sticks_out().await, "", "nothing fits");
    none(&faults);
    visitor.leave().await;
}
