//! The workspace: scenarios are kept under names as they are edited, each tab works on its own, and nothing that is kept is lost.

use super::accessible::{check_part, none};
use super::appearance::{DESKTOP, PHONE, set_screen, set_theme};
use super::page::strings;
use super::scene::Scene;
use super::visitor::{Key, Visitor};
use engine::scenario::{link, presets, tiers};
use serde_json::{Value, json};

/// Disk of the first device [MB/s].
const DISK: &str = "field-device-0-r_mb_s";
/// The same of whatever is on the editor: a row of another scenario has another id.
const FIRST_DISK: &str = "document.querySelector('#fleet [id^=field-device-][id$=-r_mb_s]')?.value";
const PAPER: &str = "The paper's four devices";

/// Names in the list, what was edited last first.
async fn names(visitor: &Visitor) -> Vec<String> {
    let names = "[...document.querySelectorAll('#workspace-rows tbody th')]\
        .map(h => h.querySelector('input')?.value ?? h.firstChild.textContent)";
    strings(&visitor.value(names).await)
}

/// Waits until the first device has this disk.
async fn disk(visitor: &Visitor, value: &str) {
    let has = format!("{FIRST_DISK} === '{value}'");
    visitor
        .until(&format!("a disk of {value} MB/s"), &has)
        .await;
}

/// Waits until so many are kept.
async fn kept(visitor: &Visitor, count: usize) {
    let is_so = format!("document.querySelector('#scenarios b').textContent === '{count}'");
    visitor.until(&format!("{count} kept"), &is_so).await;
}

async fn show(visitor: &Visitor) {
    visitor.click("scenarios").await;
    let shown = "document.querySelector('#workspace[open] #workspace-name')";
    visitor.until("the list", &format!("!!{shown}")).await;
}

async fn close(visitor: &Visitor) {
    visitor.click("workspace-close").await;
    let closed = "!document.querySelector('dialog[open]')";
    visitor.until("a closed dialog", closed).await;
}

/// Presses the button that says exactly this to a screen reader.
async fn press(visitor: &Visitor, label: &str) {
    let button = format!("#workspace [aria-label={}]", json!(label));
    visitor.click_css(&button).await;
}

async fn said(visitor: &Visitor, words: &str) {
    let is_said = format!(
        "document.getElementById('workspace-said').textContent.includes({})",
        json!(words)
    );
    visitor.until(words, &is_said).await;
}

async fn save_as(visitor: &Visitor, name: &str) {
    visitor.fill("workspace-name", name).await;
    visitor.keys(Key::Enter).await;
    said(visitor, "Saved as").await;
}

/// Chooses a file of scenarios.
async fn choose(visitor: &Visitor, text: &str) {
    let script = "const input = document.getElementById('workspace-file');
        const files = new DataTransfer();
        files.items.add(new File([arguments[0]], 'brought.json'));
        input.files = files.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));";
    visitor.js(script, vec![json!(text)]).await;
}

async fn banner(visitor: &Visitor) -> String {
    let text = "document.querySelector('#banner .banner.warn')?.textContent";
    let text = visitor.until("the banner", text).await;
    text.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn scenarios_are_kept_named_copied_opened_and_deleted() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    // What is only looked at is not kept.
    visitor.choose("preset", "csgo-paper-long").await;
    visitor.headline_with("7.029\u{202f}s").await;
    visitor.choose("preset", "csgo-paper").await;
    visitor.headline_with("2.562\u{202f}s").await;
    kept(&visitor, 0).await;
    visitor.open().await;
    visitor.fill(DISK, "1234").await;
    kept(&visitor, 1).await;
    visitor.open().await;
    assert_eq!(visitor.field(DISK).await, "1234");

    show(&visitor).await;
    assert_eq!(
        visitor.text_of("document.activeElement.id").await,
        "workspace-name"
    );
    assert_eq!(names(&visitor).await, [PAPER]);
    save_as(&visitor, "Mine").await;
    assert_eq!(names(&visitor).await, ["Mine", PAPER]);
    close(&visitor).await;
    assert_eq!(
        visitor.text_of("document.activeElement.id").await,
        "scenarios"
    );
    visitor.fill(DISK, "4321").await;
    let edited = "document.getElementById('undo').disabled === false";
    visitor.until("a step to undo", edited).await;

    // The other one is as it was, and opening it is a step like any other.
    show(&visitor).await;
    let mark = "[...document.querySelectorAll('#workspace-rows .off-mark')].map(m => \
        m.textContent + ': ' + m.closest('th').querySelector('input').value)";
    assert_eq!(strings(&visitor.value(mark).await), ["open now: Mine"]);
    press(&visitor, &format!("Open {PAPER}")).await;
    disk(&visitor, "1234").await;
    visitor.click("undo").await;
    disk(&visitor, "4321").await;
    visitor.click("redo").await;
    disk(&visitor, "1234").await;
    visitor.open().await;
    disk(&visitor, "1234").await;

    show(&visitor).await;
    assert_eq!(names(&visitor).await, ["Mine", PAPER]);
    press(&visitor, "Duplicate Mine").await;
    said(&visitor, "Copied to \u{201c}Mine (2)\u{201d}.").await;
    press(&visitor, "Delete Mine").await;
    said(&visitor, "Deleted \u{201c}Mine\u{201d}.").await;
    assert_eq!(names(&visitor).await, ["Mine (2)", PAPER]);
    visitor.click_css("#workspace-said button").await;
    said(&visitor, "\u{201c}Mine\u{201d} is back.").await;
    assert_eq!(names(&visitor).await, ["Mine (2)", "Mine", PAPER]);

    // A name is typed in place; one that is taken gets a number, and none is none.
    for (name, typed, words) in [
        ("Mine (2)", "Mine", "Renamed to \u{201c}Mine (2)\u{201d}."),
        ("Mine (2)", "Office", "Renamed to \u{201c}Office\u{201d}."),
        ("Office", " ", "The name must not be empty."),
    ] {
        let script =
            "const input = document.querySelector(`[aria-label='Name of ${arguments[0]}']`);
            input.value = arguments[1];
            input.dispatchEvent(new Event('change', { bubbles: true }));";
        visitor.js(script, vec![json!(name), json!(typed)]).await;
        said(&visitor, words).await;
    }
    assert_eq!(names(&visitor).await, ["Office", "Mine", PAPER]);
    close(&visitor).await;
    kept(&visitor, 3).await;
    visitor.leave().await;
}

#[tokio::test]
async fn all_scenarios_go_into_one_file_and_come_back() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.fill(DISK, "1234").await;
    kept(&visitor, 1).await;
    show(&visitor).await;
    save_as(&visitor, "Mine").await;
    visitor.click("workspace-export").await;
    let (name, file) = visitor.saved(".json").await;
    assert_eq!(name, "edgewise-scenarios.json");
    let whole: Value = serde_json::from_str(&file).expect("it is JSON");
    assert_eq!(whole["kind"], "edgewise-workspace");

    // Somebody else's browser; what is there keeps its name.
    let other = scene.visitor().await;
    other.open().await;
    show(&other).await;
    save_as(&other, "Mine").await;
    choose(&other, &file).await;
    other
        .until("the offer", "document.getElementById('workspace-add')")
        .await;
    let offer = other.text("workspace-offer").await;
    assert!(
        offer.contains("brought.json: 2 scenarios can be added:"),
        "{offer}"
    );
    other.click("workspace-add").await;
    said(&other, "2 scenarios added.").await;
    let mut found = names(&other).await;
    found.sort();
    assert_eq!(found, ["Mine", "Mine (2)", PAPER]);
    press(&other, "Open Mine (2)").await;
    disk(&other, "1234").await;

    // A file that is dropped on the page is offered as well.
    let script = "const files = new DataTransfer();
        files.items.add(new File([arguments[0]], 'dropped.json'));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));";
    other.js(script, vec![json!(file)]).await;
    other
        .until(
            "the offer",
            "document.querySelector('#workspace[open] #workspace-add')",
        )
        .await;
    close(&other).await;

    // A file that nobody wrote: what is wrong is named by its place, the rest is offered, nothing is taken unasked.
    let mut spoiled = whole.clone();
    spoiled["scenarios"][0]["link"] = json!("#cold-start/9.AAAA");
    spoiled["scenarios"][1]["name"] = json!("<img src=x onerror=alert(1)>");
    show(&other).await;
    choose(&other, &spoiled.to_string()).await;
    other
        .until("the offer", "document.getElementById('workspace-add')")
        .await;
    let offer = other.text("workspace-offer").await;
    assert!(
        offer.contains("1 scenario can be added: <img src=x onerror=alert(1)>"),
        "{offer}"
    );
    assert!(
        offer.contains("scenarios[0].link: This link comes from a newer Edgewise (format 9"),
        "{offer}"
    );
    for (text, words) in [
        (
            "{\"format\":7,\"kind\":\"edgewise-workspace\"}",
            "format: made by a newer Edgewise (format 7, this one reads up to 1).",
        ),
        ("[1,2", "not readable as JSON"),
        (
            "{\"kind\":\"plan\"}",
            "kind must be \"edgewise-workspace\" in a file of scenarios, it is \"plan\"",
        ),
    ] {
        choose(&other, text).await;
        let is_said = format!(
            "document.getElementById('workspace-offer').textContent.includes({})",
            json!(words)
        );
        other.until(words, &is_said).await;
        assert_eq!(
            other
                .value("document.getElementById('workspace-add')")
                .await,
            Value::Null
        );
    }
    assert_eq!(names(&other).await.len(), 3);
    close(&other).await;
    visitor.leave().await;
    other.leave().await;
}

#[tokio::test]
async fn two_tabs_never_write_over_one_another() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.fill(DISK, "1111").await;
    kept(&visitor, 1).await;
    let first = visitor.browser.tab().await;
    let second = visitor.browser.new_tab().await;
    visitor.browser.switch_to_tab(&second).await;
    visitor.open().await;
    assert_eq!(visitor.field(DISK).await, "1111");
    show(&visitor).await;
    let marks = "document.querySelector('#workspace-rows tbody th').textContent";
    visitor
        .until(
            "the other tab's mark",
            &format!("{marks}.includes('open in another tab')"),
        )
        .await;
    close(&visitor).await;
    visitor.fill(DISK, "2222").await;
    kept_disk(&visitor, 2222.0).await;

    visitor.browser.switch_to_tab(&first).await;
    visitor.fill(DISK, "3333").await;
    let words = banner(&visitor).await;
    assert!(
        words.contains("was also changed in another tab.") && words.contains("(2)\u{201d}, and"),
        "{words}"
    );
    kept(&visitor, 2).await;
    // From here on each tab has its own.
    visitor.fill(DISK, "4444").await;
    kept_disk(&visitor, 4444.0).await;
    visitor.browser.switch_to_tab(&second).await;
    kept(&visitor, 2).await;
    visitor.fill(DISK, "5555").await;
    kept_disk(&visitor, 5555.0).await;
    assert_eq!(
        visitor
            .value("document.querySelector('#banner .banner.warn')")
            .await,
        Value::Null
    );
    visitor.open().await;
    assert_eq!(visitor.field(DISK).await, "5555");
    visitor.browser.close_tab().await;
    visitor.browser.switch_to_tab(&first).await;
    visitor.open().await;
    assert_eq!(visitor.field(DISK).await, "4444");
    kept(&visitor, 2).await;
    visitor.leave().await;
}

/// Waits until a scenario whose first device has this disk is kept.
async fn kept_disk(visitor: &Visitor, disk: f64) {
    for _ in 0..400 {
        let links = "Object.keys(localStorage).filter(key => key.startsWith('edgewise.workspace.'))\
            .map(key => JSON.parse(localStorage[key]).link)";
        let links = strings(&visitor.value(links).await);
        let is_it = |text: &String| {
            let any = link::decode(text).expect("every link that is kept opens");
            let value: Value = serde_json::from_str(&any.to_json()).expect("a scenario is JSON");
            value["devices"][0]["r_mb_s"] == json!(disk)
        };
        if links.iter().any(is_it) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("no scenario with a disk of {disk} MB/s is kept");
}

#[tokio::test]
async fn data_of_other_versions_stays() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let mut old = presets::paper();
    old.devices[0].r_mb_s = 1234.0;
    let newer = "{\"format\":2,\"name\":\"Of tomorrow\"}";
    let script = "localStorage.clear();
        sessionStorage.clear();
        localStorage['edgewise.scenario'] = JSON.stringify(arguments[0]);
        localStorage['edgewise.scenario.tiers'] = JSON.stringify(arguments[1]);
        localStorage['edgewise.workspace.later'] = arguments[2];";
    let arguments = vec![
        json!(link::of(&old)),
        json!(link::of(&tiers::presets::paper())),
        json!(newer),
    ];
    visitor.js(script, arguments).await;
    visitor.open_link(&scene.host.url()).await;
    assert_eq!(visitor.field(DISK).await, "1234");
    kept(&visitor, 3).await;
    show(&visitor).await;
    let rows = visitor
        .text_of("document.getElementById('workspace-rows').innerText")
        .await;
    assert!(
        rows.contains("Of tomorrow") && rows.contains("made by a newer Edgewise"),
        "{rows}"
    );
    visitor.click("workspace-export").await;
    let (_, file) = visitor.saved(".json").await;
    assert!(file.contains("\"Of tomorrow\""), "{file}");
    press(&visitor, &format!("Delete {PAPER}")).await;
    said(&visitor, "Deleted").await;
    close(&visitor).await;
    // Not taken over again, and nothing of the old is gone.
    visitor.open_link(&scene.host.url()).await;
    kept(&visitor, 2).await;
    let texts =
        "[localStorage['edgewise.scenario'].length > 20, localStorage['edgewise.workspace.later']]";
    assert_eq!(visitor.value(texts).await, json!([true, newer]));
    visitor.leave().await;
}

#[tokio::test]
async fn a_browser_that_keeps_nothing_is_named_once_and_the_page_works() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let full = "Storage.prototype.setItem = function() { throw new DOMException('full', 'QuotaExceededError'); };";
    visitor.before_pages(full).await;
    visitor.open().await;
    visitor.fill(DISK, "1234").await;
    let words = banner(&visitor).await;
    assert!(
        words.starts_with("Your changes are not saved in this browser."),
        "{words}"
    );
    visitor.click_css("#banner [aria-label=Dismiss]").await;
    visitor.fill(DISK, "2562").await;
    visitor
        .until("the address", "location.hash.length > 20")
        .await;
    let link = visitor.text_of("location.href").await;
    visitor.fill(DISK, "2563").await;
    visitor
        .until(
            "another address",
            &format!("location.href !== {}", json!(link)),
        )
        .await;
    assert_eq!(
        visitor
            .value("document.querySelector('#banner .banner')")
            .await,
        Value::Null
    );
    visitor.leave().await;
}

#[tokio::test]
async fn the_list_is_for_everybody_on_every_screen() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.fill(DISK, "1234").await;
    kept(&visitor, 1).await;
    let later =
        "localStorage['edgewise.workspace.later'] = '{\"format\":2,\"name\":\"Of tomorrow\"}'";
    visitor.js(later, vec![]).await;
    let mut faults = Vec::new();
    for screen in [DESKTOP, PHONE] {
        set_screen(&visitor, screen).await;
        visitor.open().await;
        show(&visitor).await;
        press(&visitor, &format!("Duplicate {PAPER}")).await;
        choose(&visitor, "{}").await;
        visitor
            .until("the offer", "document.getElementById('workspace-offer')")
            .await;
        for theme in ["light", "dark"] {
            set_theme(&visitor, theme).await;
            let state = format!("{} {theme}", screen.0);
            check_part(&visitor, "#workspace", &state, &mut faults).await;
            super::appearance::keep(
                &visitor,
                &format!("workspace-{}-{theme}", screen.0),
                false,
                &mut faults,
            )
            .await;
        }
        visitor.keys(Key::Escape).await;
        visitor
            .until("a closed dialog", "!document.querySelector('dialog[open]')")
            .await;
    }
    none(&faults);
    visitor.leave().await;
}
