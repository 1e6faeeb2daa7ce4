//! One scenario for all questions: entered once, seen by five questions, with what is assumed said and confirmed.

use super::accessible::{check, check_part, none};
use super::appearance::{DESKTOP, PHONE, set_screen, set_theme};
use super::models::paste;
use super::paste::drop_file;
use super::scene::Scene;
use super::visitor::{Key, Visitor};
use serde_json::json;

const QWEN: &str = include_str!("../data/configs/qwen3-8b.json");
/// Three machines as somebody has them in a table.
const MACHINES: &str = "name\tcompute [TFLOPS]\tdisk [MB/s]\tmemory [GB]\n\
    Desk\t40\t3500\t24\nLaptop\t12\t2000\t12\nMini\t4\t1500\t16\n";
/// What each question is called in an address.
const QUESTIONS: [&str; 5] = [
    "cold-start",
    "head-placement",
    "dispatch",
    "tiers",
    "operators",
];

/// The answer in a line of every question at the start, once all are there.
async fn lines(visitor: &Visitor) -> Vec<String> {
    visitor.click_css("a.brand").await;
    let all = "[...document.querySelectorAll('.asked .line')].map(line => line.textContent)";
    let done = format!("{all}.length === 5 && {all}.every(line => line !== 'Working it out.')");
    visitor.until("five answers", &done).await;
    let found = visitor.value(all).await;
    let found = found.as_array().expect("a list of lines");
    found
        .iter()
        .map(|line| line.as_str().unwrap_or_default().to_owned())
        .collect()
}

async fn go(visitor: &Visitor, question: &str) {
    let link = format!("nav.methods a[href='#{question}']");
    visitor.click_css(&link).await;
    let here = format!("location.hash.startsWith('#{question}/4.')");
    visitor.until("the question", &here).await;
    visitor.answered().await;
}

async fn names(visitor: &Visitor) -> Vec<String> {
    visitor.devices().await
}

/// From a table of three machines and a `config.json`: six steps, and then five answers without typing anything again.
#[tokio::test]
async fn a_table_and_a_config_answer_all_questions() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let mut steps = 0;
    for (dialog, text) in [("paste-fleet", MACHINES), ("bring", QWEN)] {
        visitor.click(&format!("{dialog}-open")).await;
        paste(&visitor, dialog, text).await;
        let apply = format!("{dialog}-apply");
        let ready = format!("!document.getElementById('{apply}').disabled");
        visitor.until("a table that can be used", &ready).await;
        visitor.click(&apply).await;
        let closed = "!document.querySelector('dialog[open]')";
        visitor.until("the end of the dialog", closed).await;
        steps += 3;
    }
    visitor.answered().await;
    assert_eq!(steps, 6);
    let lines = lines(&visitor).await;
    for (line, part) in lines.iter().zip([
        "First answer in",
        "128 tokens take",
        "Mean time to first token",
        "Fits, split",
        " runs in ",
    ]) {
        assert!(line.contains(part), "{lines:?}");
    }
    for question in QUESTIONS {
        go(&visitor, question).await;
        assert_eq!(
            names(&visitor).await,
            ["Desk", "Laptop", "Mini"],
            "{question}"
        );
    }
    // The dimensions of the model are those of its file.
    go(&visitor, "tiers").await;
    let model = "document.getElementById('field-model-d_ff')?.value";
    assert_eq!(visitor.text_of(model).await, "12288");
    visitor.leave().await;
}

#[tokio::test]
async fn an_assumed_number_is_marked_until_it_is_confirmed() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let is_there = "!!document.getElementById('assumed')";
    assert_eq!(visitor.value(is_there).await, json!(false));
    go(&visitor, "head-placement").await;
    assert_eq!(visitor.value(is_there).await, json!(true));
    // A token takes milliseconds here, and its parts fill their bar all the same.
    let empty = "(() => {
        const bar = document.querySelector('.splitbar');
        const parts = [...bar.children].reduce((sum, part) => sum + part.getBoundingClientRect().width, 0);
        return bar.getBoundingClientRect().width > 40 && parts < 0.9 * bar.getBoundingClientRect().width;
    })()";
    assert_eq!(visitor.value(empty).await, json!(false));
    let said = visitor.text("assumed").await;
    for part in [
        "compute",
        "D1, D2, D3 and D4",
        "one multiply-add for two FLOP",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let headline = visitor.text("headline").await;
    visitor
        .js("document.getElementById('assumed').open = true", vec![])
        .await;
    visitor.click("confirm-assumed").await;
    let is_given = "!document.getElementById('confirm-assumed')";
    visitor.until("all is given", is_given).await;
    assert_eq!(visitor.value(is_there).await, json!(false));
    assert_eq!(visitor.text("headline").await, headline);
    // A link says so too, and gives the same elsewhere.
    visitor.allow_clipboard().await;
    let link = visitor.copied_link().await;
    let stranger = scene.visitor().await;
    stranger.open_link(&link).await;
    assert_eq!(stranger.text("headline").await, headline);
    assert_eq!(stranger.value(is_given).await, json!(true));
    visitor.leave().await;
    stranger.leave().await;
}

#[tokio::test]
async fn an_edit_in_one_question_is_there_in_the_next_and_is_a_step_to_undo() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    go(&visitor, "head-placement").await;
    go(&visitor, "cold-start").await;
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.fill("field-device-3-m_gb", "6").await;
    visitor.keys(Key::Enter).await;
    go(&visitor, "head-placement").await;
    let memory = "field-device-3-memory_gb";
    assert_eq!(visitor.field(memory).await, "6");
    visitor.chord(&[Key::Control], 'z').await;
    let back = format!("document.getElementById('{memory}').value === '8'");
    visitor.until("the memory before", &back).await;
    go(&visitor, "cold-start").await;
    assert_eq!(visitor.field("field-device-3-m_gb").await, "8");
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.leave().await;
}

#[tokio::test]
async fn steps_of_all_questions_are_taken_back_in_one_order() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.fill("field-device-3-m_gb", "6").await;
    visitor.keys(Key::Enter).await;
    go(&visitor, "head-placement").await;
    let prompt = visitor.field("field-prompt_tokens").await;
    let unfold = "for (const fold of document.querySelectorAll('details')) fold.open = true;";
    visitor.js(unfold, vec![]).await;
    visitor.fill("field-ahead", "7").await;
    visitor.keys(Key::Enter).await;
    go(&visitor, "dispatch").await;
    let title = "document.getElementById('undo').title";
    visitor
        .until(
            "the step of another question",
            &format!("{title}.includes('7')"),
        )
        .await;
    // Only head placement knows what is taken back.
    visitor.click("undo").await;
    let opened = "location.hash.length > 0 && !!document.getElementById('field-ahead')";
    visitor.until("the question of the step", opened).await;
    assert_ne!(visitor.field("field-ahead").await, "7");
    // This one shows here as well.
    let memory = "document.getElementById('field-device-3-memory_gb').value";
    assert_eq!(visitor.value(memory).await, json!("6"));
    visitor.click("undo").await;
    visitor
        .until("the memory before", &format!("{memory} === '8'"))
        .await;
    let nothing = format!("{title} === 'Nothing to undo'");
    visitor.until("no step before", &nothing).await;
    visitor.click("redo").await;
    visitor
        .until("the memory again", &format!("{memory} === '6'"))
        .await;
    visitor.click("redo").await;
    let again = "document.getElementById('field-ahead').value === '7'";
    visitor.until("the step again", again).await;
    assert_eq!(visitor.field("field-prompt_tokens").await, prompt);
    go(&visitor, "cold-start").await;
    assert_eq!(visitor.field("field-device-3-m_gb").await, "6");
    visitor.leave().await;
}

/// The tools below the fleet do the same in every question, as one step to undo each.
#[tokio::test]
async fn machines_come_from_the_same_tools_in_every_question() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let closed = "!document.querySelector('dialog[open]')";
    for question in &QUESTIONS[..4] {
        // The first is open already.
        if *question != QUESTIONS[0] {
            go(&visitor, question).await;
        }
        let before = names(&visitor).await;
        visitor.click("paste-fleet-open").await;
        paste(&visitor, "paste-fleet", MACHINES).await;
        visitor.click("paste-fleet-apply").await;
        visitor.until("the end of the dialog", closed).await;
        visitor.answered().await;
        let pasted = ["Desk", "Laptop", "Mini"];
        assert_eq!(names(&visitor).await, pasted, "{question}");
        visitor.click("from-catalogue").await;
        visitor.fill("catalogue-search", "rtx 4060").await;
        let add = "#catalogue [aria-label=\"Add RTX 4060\"]";
        visitor
            .until("the row", &format!("document.querySelector('{add}')"))
            .await;
        visitor.click_css(add).await;
        let said = visitor.text("catalogue-said").await;
        assert!(
            said.starts_with("RTX 4060 is in the fleet as RTX 4060"),
            "{said}"
        );
        visitor.keys(Key::Escape).await;
        visitor.until("the end of the dialog", closed).await;
        assert_eq!(names(&visitor).await.len(), 4, "{question}");
        visitor.click("random-open").await;
        visitor.fill("random-count", "5").await;
        visitor.click("random-apply").await;
        visitor.until("the end of the dialog", closed).await;
        visitor.answered().await;
        let drawn = names(&visitor).await;
        assert_eq!(drawn, ["D1", "D2", "D3", "D4", "D5"], "{question}");
        for count in [4, 3, before.len()] {
            visitor.click("undo").await;
            visitor.answered().await;
            assert_eq!(names(&visitor).await.len(), count, "{question}");
        }
        assert_eq!(names(&visitor).await, before, "{question}");
    }
    visitor.leave().await;
}

/// A cell says where its number is from until somebody types over it; a row can be confirmed, and marked as measured.
#[tokio::test]
async fn a_cell_says_where_its_number_is_from() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let legend = "document.getElementById('legend')";
    assert_eq!(visitor.value(&format!("!{legend}")).await, json!(true));
    visitor.click("paste-fleet-open").await;
    paste(&visitor, "paste-fleet", MACHINES).await;
    visitor.click("paste-fleet-apply").await;
    visitor.answered().await;
    go(&visitor, "tiers").await;
    let tops = "document.querySelectorAll('#fleet tbody.device')[0].querySelector('[id$=-tops]')";
    let memory =
        "document.querySelectorAll('#fleet tbody.device')[0].querySelector('[id$=-usable_gb]')";
    let is_marked = |cell: &str| format!("{cell}?.classList.contains('is-assumed')");
    visitor.until("a mark", &is_marked(tops)).await;
    let why = visitor.text_of(&format!("{tops}.title")).await;
    assert!(
        why.starts_with("assumed, four times its dense FP16 rate"),
        "{why}"
    );
    assert_eq!(visitor.value(&is_marked(memory)).await, json!(false));
    assert_eq!(visitor.text_of(&format!("{memory}.title")).await, "");
    let said = visitor.text("legend").await;
    assert!(
        said.contains("Type over a number to set your own."),
        "{said}"
    );
    // Typed over, the mark goes at once and stays away.
    let id = visitor.text_of(&format!("{tops}.id")).await;
    visitor.fill(&id, "170").await;
    visitor
        .until("no mark", &format!("!{}", is_marked(tops)))
        .await;
    visitor.answered().await;
    go(&visitor, "cold-start").await;
    go(&visitor, "tiers").await;
    assert_eq!(visitor.value(&is_marked(tops)).await, json!(false));
    // The rest of the row, and then where its numbers are from.
    let marks = |row: usize| {
        let row = format!("document.querySelectorAll('#fleet tbody.device')[{row}]");
        format!("{row}.querySelectorAll('.is-assumed').length")
    };
    assert_ne!(visitor.value(&marks(0)).await, json!(0));
    visitor.device_menu(0, "Confirm its numbers").await;
    visitor
        .until("all is given", &format!("{} === 0", marks(0)))
        .await;
    assert_ne!(visitor.value(&marks(1)).await, json!(0));
    visitor.device_menu(0, "Mark as measured").await;
    visitor
        .until("the field", "document.activeElement?.closest('.how')")
        .await;
    visitor.keys("fio and llama-bench").await;
    visitor.keys(Key::Enter).await;
    let measured = format!("{memory}.title === 'measured, fio and llama-bench'");
    visitor.until("how it was measured", &measured).await;
    visitor.leave().await;
}

/// What was read from a file is from there.
#[tokio::test]
async fn numbers_of_a_file_are_from_the_file() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.click("paste-fleet-open").await;
    drop_file(
        &visitor,
        "paste-fleet-text",
        "rack.tsv",
        MACHINES.as_bytes(),
    )
    .await;
    let ready = "!document.getElementById('paste-fleet-apply').disabled";
    visitor.until("a table that can be used", ready).await;
    visitor.click("paste-fleet-apply").await;
    visitor.answered().await;
    drop_file(&visitor, "", "config.json", QWEN.as_bytes()).await;
    let ready = "document.getElementById('bring-apply')?.disabled === false";
    visitor.until("a model that can be used", ready).await;
    visitor.click("bring-apply").await;
    visitor.answered().await;
    let title = |cell: &str| format!("document.querySelector('{cell}')?.title");
    let memory = title("#fleet tbody.device [id$=-m_gb]");
    assert_eq!(visitor.text_of(&memory).await, "read from rack.tsv");
    go(&visitor, "tiers").await;
    let width = title("#field-model-d_ff");
    assert_eq!(visitor.text_of(&width).await, "read from config.json");
    visitor.leave().await;
}

/// How the model is stored is chosen in one question, and known in the others.
#[tokio::test]
async fn the_precision_of_weights_is_known_to_all_questions() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.choose("weights", "q4_K_M").await;
    let weights = "document.getElementById('weights')?.value === 'q4_K_M'";
    // Three tenths of the bytes to load.
    visitor.headline_with("1.219\u{202f}s").await;
    for question in ["head-placement", "dispatch", "tiers"] {
        go(&visitor, question).await;
        visitor.until("the same weights", weights).await;
    }
    visitor.click("undo").await;
    let before = "document.getElementById('weights').value !== 'q4_K_M'";
    visitor.until("weights as before", before).await;
    go(&visitor, "cold-start").await;
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.leave().await;
}

/// The start and what is assumed, by the rules of axe-core.
#[tokio::test]
async fn the_start_and_what_is_assumed_are_accessible() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let mut faults = Vec::new();
    for screen in [DESKTOP, PHONE] {
        set_screen(&visitor, screen).await;
        visitor.open().await;
        let found = lines(&visitor).await;
        assert_eq!(found.len(), 5);
        let unfold =
            "for (const fold of document.querySelectorAll('main details')) fold.open = true;";
        visitor.js(unfold, vec![]).await;
        let sources = visitor.text("sources").await;
        assert!(sources.contains("given"), "{sources}");
        for theme in ["light", "dark"] {
            set_theme(&visitor, theme).await;
            check(
                &visitor,
                &format!("start, {} {theme}", screen.0),
                &mut faults,
            )
            .await;
        }
        visitor.click_css(".asked a[href='#tiers']").await;
        visitor.answered().await;
        visitor.js(unfold, vec![]).await;
        check_part(
            &visitor,
            ".assumed",
            &format!("assumed, {}", screen.0),
            &mut faults,
        )
        .await;
    }
    none(&faults);
    visitor.leave().await;
}
