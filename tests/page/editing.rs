//! Changing the scenario by hand: every change is answered, and every change can be taken back.

use super::scene::Scene;
use super::visitor::{Key, Visitor};
use serde_json::json;

/// The disk of the first device.
const DISK: &str = "field-device-0-r_mb_s";

async fn focused(visitor: &Visitor) -> String {
    visitor.text_of("document.activeElement?.id").await
}

#[tokio::test]
async fn devices_are_added_copied_moved_and_removed() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    assert_eq!(visitor.devices().await, ["D1", "D2", "D3", "D4"]);
    visitor.click("add-device").await;
    assert_eq!(visitor.devices().await, ["D1", "D2", "D3", "D4", "D5"]);
    visitor.headline_with("5 devices").await;
    let five = visitor.text("headline").await;
    assert!(visitor.text("fleet-count").await.starts_with("5 devices"));
    visitor.device_menu(0, "Duplicate").await;
    assert_eq!(
        visitor.devices().await,
        ["D1", "D6", "D2", "D3", "D4", "D5"]
    );
    visitor.device_menu(1, "Remove").await;
    assert_eq!(visitor.devices().await, ["D1", "D2", "D3", "D4", "D5"]);
    assert!(visitor.text("toast").await.starts_with("Removed D6."));
    visitor.click_css("#toast button").await;
    assert_eq!(
        visitor.devices().await,
        ["D1", "D6", "D2", "D3", "D4", "D5"]
    );
    visitor.click("undo").await;
    visitor.device_menu(0, "Move down").await;
    assert_eq!(visitor.devices().await, ["D2", "D1", "D3", "D4", "D5"]);
    visitor.device_menu(4, "Move up").await;
    assert_eq!(visitor.devices().await, ["D2", "D1", "D3", "D5", "D4"]);
    // The order of the fleet is not the order of the pipeline: the answer stays.
    visitor.answered().await;
    assert_eq!(visitor.text("headline").await, five);

    // All the way back, all the way forth.
    for _ in 0..3 {
        visitor.click("undo").await;
    }
    assert_eq!(visitor.devices().await, ["D1", "D2", "D3", "D4"]);
    visitor.headline_with("2.562\u{202f}s").await;
    for _ in 0..3 {
        visitor.click("redo").await;
    }
    assert_eq!(visitor.devices().await, ["D2", "D1", "D3", "D5", "D4"]);
    visitor.headline_with("5 devices").await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_device_is_dragged_and_moved_by_keys() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let drag = "const rows = document.querySelectorAll('#fleet tbody.device');
        const fire = (element, kind) => element.dispatchEvent(
            new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() }));
        fire(rows[3].querySelector('.grip'), 'dragstart');
        fire(rows[0], 'dragover');
        fire(rows[0], 'drop');
        fire(rows[3].querySelector('.grip'), 'dragend');";
    visitor.js(drag, vec![]).await;
    assert_eq!(visitor.devices().await, ["D4", "D1", "D2", "D3"]);

    visitor
        .js(
            &format!("document.getElementById('{DISK}').focus()"),
            vec![],
        )
        .await;
    visitor.chord(&[Key::Alt, Key::Shift], Key::Down).await;
    assert_eq!(visitor.devices().await, ["D4", "D2", "D1", "D3"]);
    // Whoever moves a device stays in it.
    assert_eq!(focused(&visitor).await, DISK);
    assert_eq!(visitor.text("toast").await, "D1, position 3 of 4.");
    visitor.leave().await;
}

#[tokio::test]
async fn typing_steps_and_undo_work_from_the_keyboard() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    // The first stop is a way past the panel.
    visitor.keys(Key::Tab).await;
    visitor
        .until("the skip link", "document.activeElement.matches('a.skip')")
        .await;
    visitor.keys(Key::Enter).await;
    visitor
        .until(
            "the answer has the focus",
            "document.activeElement.id === 'answer'",
        )
        .await;
    assert_eq!(visitor.value("location.hash").await, json!(""));

    // What is typed stays as typed while it is typed.
    visitor.fill("field-device-0-m_gb", "12.").await;
    assert_eq!(visitor.field("field-device-0-m_gb").await, "12.");
    visitor.keys("5").await;
    assert_eq!(visitor.field("field-device-0-m_gb").await, "12.5");
    visitor.fill("field-device-0-m_gb", "9,75").await;
    visitor.keys(Key::Tab).await;
    assert_eq!(visitor.field("field-device-0-m_gb").await, "9.75");
    visitor.fill(DISK, "4000").await;
    visitor.keys(Key::Up).await;
    assert_eq!(visitor.field(DISK).await, "4001");
    visitor.chord(&[Key::Shift], Key::Down).await;
    assert_eq!(visitor.field(DISK).await, "3991");
    assert_eq!(focused(&visitor).await, DISK);

    // Outside of a field, one step takes all typing in a field back.
    visitor.focus("answer").await;
    visitor.chord(&[Key::Control], 'z').await;
    assert_eq!(visitor.field(DISK).await, "5000");
    visitor.chord(&[Key::Control], 'z').await;
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.chord(&[Key::Control, Key::Shift], 'z').await;
    assert_eq!(visitor.field("field-device-0-m_gb").await, "9.75");
    visitor.leave().await;
}

#[tokio::test]
async fn every_control_can_be_reached_by_tab_and_has_a_name() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.unfold().await;
    // What the browser's own accessibility tree calls nameless, nobody can be told about.
    let tree = visitor.cdp("Accessibility.getFullAXTree", json!({})).await;
    let controls = [
        "button",
        "textbox",
        "combobox",
        "slider",
        "radio",
        "link",
        "DisclosureTriangle",
        "application",
    ];
    let nodes = tree["nodes"].as_array().expect("a tree has nodes");
    let named = nodes.iter().filter(|node| {
        let role = node["role"]["value"].as_str().unwrap_or_default();
        controls.contains(&role) && node["ignored"] == json!(false)
    });
    let (named, nameless): (Vec<_>, Vec<_>) = named.partition(|node| {
        let name = node["name"]["value"].as_str().unwrap_or_default();
        !name.trim().is_empty()
    });
    assert!(
        nameless.is_empty(),
        "controls without a name: {nameless:#?}"
    );
    assert!(named.len() > 50, "only {} controls", named.len());

    // Tab goes through all that can take the focus, in the order of the document.
    let reachable = "[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex=\"0\"]')] \
        .filter(e => !e.disabled && e.checkVisibility({ visibilityProperty: true }) && e.tabIndex >= 0).length";
    let expected = visitor.value(reachable).await.as_u64().unwrap_or_default();
    let mut seen = 0;
    for _ in 0..expected + 5 {
        visitor.keys(Key::Tab).await;
        let fresh =
            "(e => e !== document.body && !e.__seen && (e.__seen = true))(document.activeElement)";
        if visitor.value(fresh).await != json!(true) {
            break;
        }
        let hidden = "(e => { const r = e.getBoundingClientRect(), bar = document.querySelector('header.bar'); \
            return !bar.contains(e) && !e.matches('.skip') && r.bottom <= bar.getBoundingClientRect().bottom \
            ? (e.id || e.outerHTML.slice(0, 80)) : ''; })(document.activeElement)";
        assert_eq!(visitor.text_of(hidden).await, "", "it is under the bar");
        seen += 1;
    }
    // Radio groups and closed menus are one stop each, so a few less are right.
    assert!(
        seen + 4 >= expected,
        "{seen} of {expected} controls are reached by Tab"
    );
    visitor.leave().await;
}

#[tokio::test]
async fn the_theme_is_chosen_once_and_kept() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let theme = "document.documentElement.dataset.theme";
    let before = visitor.text_of(theme).await;
    visitor.click("theme").await;
    let after = visitor.text_of(theme).await;
    assert_ne!(before, after);
    visitor.open().await;
    assert_eq!(visitor.text_of(theme).await, after);
    visitor.leave().await;
}

/// Drags an element sideways in two steps; the fleet is at the top.
async fn drag_sideways(visitor: &Visitor, css: &str, pixels: f64) {
    let half = pixels / 2.0;
    visitor.drag_sideways(css, &[half, half]).await;
}

/// What the button would take back.
async fn undo_title(visitor: &Visitor) -> String {
    visitor
        .text_of("document.getElementById('undo').title")
        .await
}

#[tokio::test]
async fn a_number_is_dragged_as_one_step() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    assert_eq!(undo_title(&visitor).await, "Nothing to undo");
    // A tenth of the way to tenfold: 2 px a step, 100 steps a decade.
    drag_sideways(&visitor, &format!("#{DISK}"), 60.0).await;
    assert_eq!(visitor.field(DISK).await, "9980");
    assert_ne!(focused(&visitor).await, DISK, "a drag is no click");
    assert_eq!(
        undo_title(&visitor).await,
        "Undo: D1 disk 5000 to 9980 MB/s"
    );
    visitor
        .until(
            "an earlier answer",
            "!document.getElementById('headline').textContent.includes('2.562')",
        )
        .await;
    visitor.answered().await;
    visitor.click("undo").await;
    assert_eq!(visitor.field(DISK).await, "5000");
    visitor.headline_with("2.562\u{202f}s").await;
    assert_eq!(undo_title(&visitor).await, "Nothing to undo");

    // Escape, before the button is let go, leaves nothing behind; a label drags too.
    visitor
        .drag_and_hold("label[for='field-prompt_tokens']", &[20.0, 20.0])
        .await;
    assert_eq!(visitor.field("field-prompt_tokens").await, "406");
    visitor.keys(Key::Escape).await;
    assert_eq!(visitor.field("field-prompt_tokens").await, "256");
    visitor.release_button().await;
    assert_eq!(undo_title(&visitor).await, "Nothing to undo");

    // Two pixels are a click, which selects everything.
    drag_sideways(&visitor, &format!("#{DISK}"), 2.0).await;
    assert_eq!(focused(&visitor).await, DISK);
    visitor.keys("7").await;
    assert_eq!(visitor.field(DISK).await, "7");
    visitor.keys(Key::Escape).await;
    assert_eq!(visitor.field(DISK).await, "5000");
    // In the focused cell the pointer selects text.
    drag_sideways(&visitor, &format!("#{DISK}"), 30.0).await;
    assert_eq!(visitor.field(DISK).await, "5000");
    visitor.leave().await;
}

#[tokio::test]
async fn a_finger_scrolls_on_cells_and_drags_on_labels() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let touch = "const target = document.querySelector(arguments[0]);
        const fire = (kind, x) => target.dispatchEvent(new PointerEvent(kind, { bubbles: true, cancelable: true,
            pointerId: 7, pointerType: 'touch', isPrimary: true, button: 0, clientX: x, clientY: 5 }));
        fire('pointerdown', 100); fire('pointermove', 110); fire('pointermove', 140); fire('pointerup', 140);";
    visitor.js(touch, vec![json!(format!("#{DISK}"))]).await;
    assert_eq!(visitor.field(DISK).await, "5000");
    visitor
        .js(touch, vec![json!("label[for='field-prompt_tokens']")])
        .await;
    assert_eq!(visitor.field("field-prompt_tokens").await, "406");
    let action = "getComputedStyle(document.querySelector(\"label[for='field-prompt_tokens']\")).touchAction";
    assert_eq!(visitor.text_of(action).await, "pan-y");
    visitor.leave().await;
}

#[tokio::test]
async fn any_unit_of_the_kind_may_be_typed() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    for (field, typed, shown) in [
        (DISK, "0,9 GB/s", "900"),
        // The number in GB would be longer.
        ("field-device-0-m_gb", "8 GiB", "8 GiB"),
        ("field-device-0-c_peak_tflops", "500 GFLOPS", "0.5"),
        ("field-device-0-d_m", "250 cm", "2.5"),
        ("field-prompt_tokens", "4k", "4000"),
    ] {
        visitor.fill(field, typed).await;
        assert_eq!(visitor.field(field).await, typed);
        visitor.keys(Key::Enter).await;
        assert_eq!(visitor.field(field).await, shown);
    }
    visitor.fill(DISK, "9 GHz").await;
    let fault = visitor.text("field-device-0-r_mb_s-fault").await;
    assert!(
        fault.contains("other units accepted: kB/s, GB/s"),
        "{fault}"
    );
    assert!(fault.contains("still uses 900."), "{fault}");
    visitor.leave().await;
}

#[tokio::test]
async fn every_step_is_named_and_ctrl_z_works_in_a_settled_field() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.fill(DISK, "4000").await;
    visitor.keys(Key::Enter).await;
    visitor.keys(Key::Up).await;
    assert_eq!(visitor.field(DISK).await, "4001");
    // Enter ended one step, the arrow began another; nothing is being typed, so the keys are the page's.
    visitor.chord(&[Key::Control], 'z').await;
    assert_eq!(visitor.field(DISK).await, "4000");
    visitor.chord(&[Key::Control], 'z').await;
    assert_eq!(visitor.field(DISK).await, "5000");
    assert_eq!(focused(&visitor).await, DISK);
    visitor.chord(&[Key::Control, Key::Shift], 'z').await;
    assert_eq!(visitor.field(DISK).await, "4000");
    let redo = "document.getElementById('redo').title";
    assert_eq!(
        visitor.text_of(redo).await,
        "Redo: D1 disk 4000 to 4001 MB/s"
    );
    visitor.choose("model", "Qwen3-8B").await;
    assert_eq!(
        undo_title(&visitor).await,
        "Undo: model Qwen3-14B to Qwen3-8B"
    );
    visitor.device_menu(1, "Remove").await;
    assert_eq!(undo_title(&visitor).await, "Undo: removed D2");
    visitor.click("add-device").await;
    assert_eq!(undo_title(&visitor).await, "Undo: added D2");
    visitor.device_menu(0, "Move down").await;
    assert!(undo_title(&visitor).await.starts_with("Undo: moved D"));
    visitor.choose("relay", "store-and-forward").await;
    assert_eq!(
        undo_title(&visitor).await,
        "Undo: access point: stores, then forwards"
    );
    visitor.choose("preset", "csgo-paper").await;
    assert!(
        undo_title(&visitor)
            .await
            .starts_with("Undo: opened \u{201c}The paper")
    );
    for _ in 0..7 {
        visitor.click("undo").await;
    }
    visitor.headline_with("2.562\u{202f}s").await;
    assert_eq!(undo_title(&visitor).await, "Nothing to undo");
    visitor.leave().await;
}

#[tokio::test]
async fn a_device_may_have_a_link_of_its_own() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.allow_clipboard().await;
    visitor.open().await;
    let own = "field-device-1-link-B_mhz";
    let derived = "document.querySelectorAll('#fleet tr.derived')[1].textContent";
    let shared_line = visitor.text_of(derived).await;
    visitor.device_menu(1, "All numbers").await;
    assert_eq!(visitor.field(own).await, "");
    let hint =
        format!("document.getElementById('{own}').closest('.own').lastElementChild.textContent");
    assert_eq!(visitor.text_of(&hint).await, "Shared: 160");
    visitor.fill(own, "1 MHz").await;
    visitor.keys(Key::Enter).await;
    assert_eq!(visitor.field(own).await, "1");
    assert_eq!(undo_title(&visitor).await, "Undo: D2 own bandwidth 1 MHz");
    let line = visitor.text_of(derived).await;
    assert!(
        line.ends_with(", own link") && line != shared_line,
        "{line}"
    );
    visitor.answered().await;
    visitor
        .until(
            "another answer",
            "!document.getElementById('headline').textContent.includes('2.562')",
        )
        .await;
    visitor.answered().await;
    // The command line computes the same from the same link.
    let saved = visitor.saved_plan().await;
    let link = visitor.copied_link().await;
    let run = super::documents::run(&link);
    assert_eq!(run["T"], saved["T"]);
    assert_eq!(run["plan"], saved["plan"]);
    assert_eq!(run["scenario"]["devices"][1]["link"]["B_mhz"], json!(1.0));

    // Nonsense is refused as everywhere; empty is as all share it.
    visitor.fill(own, "0").await;
    let fault = visitor.text(&format!("{own}-fault")).await;
    assert!(
        fault.starts_with("D2 own bandwidth must be a number from 0.01"),
        "{fault}"
    );
    visitor.keys(Key::Escape).await;
    assert_eq!(visitor.field(own).await, "1");
    visitor.click_css(".own button.plain").await;
    assert_eq!(visitor.text_of(derived).await, shared_line);
    assert_eq!(
        undo_title(&visitor).await,
        "Undo: D2 bandwidth shared again"
    );
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.leave().await;
}

#[tokio::test]
async fn disk_power_is_optional_and_counted_where_it_is_given() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.device_menu(1, "All numbers").await;
    let energy = "field-device-1-disk_j_per_gb";
    assert_eq!(visitor.field(energy).await, "");
    visitor.fill(energy, "250 pJ/bit").await;
    visitor.keys(Key::Enter).await;
    assert_eq!(visitor.field(energy).await, "2");
    assert_eq!(undo_title(&visitor).await, "Undo: D2 disk energy 2 J/GB");
    visitor
        .until(
            "the devices without it",
            "document.getElementById('reason').textContent.endsWith('is given for D3, D4 and D1.')",
        )
        .await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_device_is_copied_switched_and_removed_by_keys() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let focus = format!("document.getElementById('{DISK}').focus()");
    visitor.js(&focus, vec![]).await;
    visitor.chord(&[Key::Control], 'd').await;
    assert_eq!(visitor.devices().await, ["D1", "D5", "D2", "D3", "D4"]);
    assert_eq!(visitor.text("toast").await, "D5 is a copy of D1.");
    // Delete in a field is for its text.
    visitor.keys(Key::Delete).await;
    assert_eq!(visitor.devices().await.len(), 5);
    let menu = "document.querySelectorAll('#fleet summary.menu')[1].focus()";
    visitor.js(menu, vec![]).await;
    visitor.keys(Key::Delete).await;
    assert_eq!(visitor.devices().await, ["D1", "D2", "D3", "D4"]);
    let next = "document.activeElement.getAttribute('aria-label')";
    visitor
        .until(
            "the next row's menu",
            &format!("({next} ?? '').startsWith('D2')"),
        )
        .await;
    visitor.chord(&[Key::Alt], Key::Down).await;
    assert_eq!(visitor.devices().await, ["D1", "D3", "D2", "D4"]);
    visitor.device_menu(3, "Switch off").await;
    assert_eq!(undo_title(&visitor).await, "Undo: switched D4 off");
    assert!(
        visitor
            .text("fleet-count")
            .await
            .starts_with("3 of 4 devices")
    );
    visitor
        .until(
            "a plan without it",
            "!document.getElementById('headline').textContent.includes('D4')",
        )
        .await;
    visitor.device_menu(3, "Switch on").await;
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.leave().await;
}
