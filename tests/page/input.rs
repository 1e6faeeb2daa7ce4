//! Bad input: the message names the field, the value and what is allowed, and nothing is lost.

use super::page::strings;
use super::scene::Scene;
use super::visitor::Key;
use serde_json::json;

/// The disk of the first device.
const DISK: &str = "field-device-0-r_mb_s";

#[tokio::test]
async fn a_wrong_number_is_explained_and_the_answer_stays() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    // Every key counts: the answer follows what is typed as long as it is a number. An entry that is refused in the end was
    // never made, whatever its first letters said.
    let cases = [
        ("0", "7000"),
        ("-5", "7000"),
        ("abc", "7000"),
        ("1e30", "7000"),
        ("1e999", "7000"),
        ("", "7000"),
        ("5000 kg", "7000"),
        ("NaN", "7000"),
    ];
    for (typed, used) in cases {
        visitor.fill(DISK, "7000").await;
        visitor.fill(DISK, typed).await;
        if typed.is_empty() {
            visitor.keys(Key::Backspace).await;
        }
        let fault = visitor
            .until(
                &format!("the message for {typed:?}"),
                "document.getElementById('field-device-0-r_mb_s-fault')?.textContent",
            )
            .await;
        let fault = fault.as_str().unwrap_or_default();
        assert!(fault.contains("D1 disk"), "{fault}");
        assert!(
            fault.contains("must be a number from 0.01 to 1000000 MB/s"),
            "{fault}"
        );
        assert!(
            fault.contains(&format!("The answer still uses {used}.")),
            "{fault}"
        );
        assert!(
            typed.is_empty() || fault.contains(typed),
            "{typed} is not named: {fault}"
        );
        assert_eq!(visitor.field(DISK).await, typed);
        let field = format!(
            "['aria-invalid', 'aria-describedby'].map(a => document.getElementById('{DISK}').getAttribute(a))"
        );
        assert_eq!(
            visitor.value(&field).await,
            json!(["true", format!("{DISK}-fault")])
        );
        assert_eq!(visitor.text("proof").await, "Not yet for this scenario");
        assert!(
            visitor
                .text("banner")
                .await
                .contains("One number needs correcting.")
        );
        visitor.keys(Key::Escape).await;
        // Back to what it was before anything was typed, valid or not.
        assert_eq!(visitor.field(DISK).await, "5000");
        visitor.answered().await;
        assert_eq!(visitor.text("banner").await, "");
    }
    visitor.leave().await;
}

#[tokio::test]
async fn no_field_can_be_made_to_fail() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.unfold().await;
    for at in 0..4 {
        visitor.device_menu(at, "All numbers").await;
    }
    visitor
        .until(
            "all fields",
            "document.querySelectorAll('input[inputmode=decimal]').length >= 45",
        )
        .await;
    // Everything everywhere, without a pause: the page has to hold, to say what is wrong, and to recover.
    let abuse = "const [texts, done] = arguments;
        const silent = [];
        const set = (field, text) => {
            field.value = text;
            field.dispatchEvent(new Event('input', { bubbles: true }));
        };
        (async () => {
            const alike = {};
            for (const field of document.querySelectorAll('input[inputmode=decimal]')) {
                const before = field.value, kind = field.id.replace(/\\d+/g, '#');
                const at = alike[kind] = (alike[kind] ?? -1) + 1;
                // Fields of the same kind, of one device and the next, share the texts among them.
                for (const text of texts.filter((_, i) => i % 4 === at % 4 || !kind.includes('device'))) {
                    set(field, text);
                    await new Promise(then => setTimeout(then, 0));
                    // Some numbers may be left out.
                    if (text === '' && field.getAttribute('aria-label')?.endsWith(' or empty')) continue;
                    if (!/^[-0-9.e]+$/.test(text) && !document.getElementById(field.id + '-fault')) {
                        silent.push(field.id + ': ' + text);
                    }
                }
                set(field, before);
                await new Promise(then => setTimeout(then, 0));
                if (document.querySelector('.fault')) silent.push(field.id + ': not recovered');
            }
            done(silent);
        })();";
    let texts = [
        "",
        "x",
        "--1",
        "1..2",
        "0",
        "-1",
        "1e-320",
        "1e308",
        "9007199254740993",
        "1e5",
        "Infinity",
        "\u{202e}7",
        "1 2 x",
    ];
    let silent = visitor.js_async(abuse, vec![json!(texts)]).await;
    assert_eq!(strings(&silent), [""; 0]);
    visitor.headline_with("2.562\u{202f}s").await;
    assert_eq!(visitor.text("proof").await, "Optimal, proven");
    visitor.leave().await;
}

#[tokio::test]
async fn a_fleet_that_cannot_hold_the_model_is_reported() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.choose("preset", "csgo-too-big").await;
    visitor
        .until(
            "the proof",
            "document.getElementById('proof')?.textContent === 'Does not fit, proven'",
        )
        .await;
    visitor.answered().await;
    assert!(visitor.text("headline").await.starts_with("No plan: "));
    let names =
        "[...document.querySelectorAll('#picture tbody tr')].map(r => r.cells[0].textContent)";
    let names = strings(&visitor.value(names).await);
    assert_eq!(names, ["D1", "D2", "D3", "D4"]);
    assert_eq!(
        visitor
            .value("!!document.getElementById('sweep')?.checkVisibility()")
            .await,
        json!(false)
    );
    // More memory, and it fits.
    let fields =
        "[...document.querySelectorAll('#fleet tbody.device input[id$=-m_gb]')].map(i => i.id)";
    let fields = strings(&visitor.value(fields).await);
    assert_eq!(fields.len(), 4);
    for field in fields {
        visitor.fill(&field, "64").await;
    }
    visitor.headline_with("First answer in").await;
    visitor.click("reset").await;
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.leave().await;
}

#[tokio::test]
async fn a_fleet_without_devices_is_a_state_of_its_own() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.allow_clipboard().await;
    let link = visitor.copied_link().await;
    for _ in 0..4 {
        visitor.device_menu(0, "Remove").await;
    }
    assert!(visitor.devices().await.is_empty());
    assert!(
        visitor
            .text("empty")
            .await
            .contains("Add a device to see a timeline.")
    );
    let seen = "document.getElementById('headline').checkVisibility()";
    assert_eq!(
        visitor.value(seen).await,
        false,
        "no answer without a fleet"
    );
    visitor.click("share").await;
    visitor
        .until(
            "a word",
            "document.getElementById('toast').textContent.includes('at least one device')",
        )
        .await;
    visitor.click("first-device").await;
    assert_eq!(visitor.devices().await, ["D1"]);
    visitor.answered().await;
    assert_eq!(visitor.value(seen).await, true);
    for _ in 0..5 {
        visitor.click("undo").await;
    }
    visitor.headline_with("2.562\u{202f}s").await;
    assert_eq!(visitor.copied_link().await, link);
    visitor.leave().await;
}

/// A unit stays as it was typed, and a range in place of a number is one.
#[tokio::test]
async fn a_typed_unit_stays_and_a_range_is_taken() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let memory = "field-device-0-m_gb";
    visitor.fill(memory, "12 GiB").await;
    visitor.keys(Key::Enter + "").await;
    assert_eq!(visitor.field(memory).await, "12 GiB");
    visitor.fill(memory, "10 to 20").await;
    visitor.keys(Key::Enter + "").await;
    let taken = format!("document.getElementById('{memory}').value === '15'");
    visitor.until("the middle of the range", &taken).await;
    let fault = format!("!document.getElementById('{memory}-fault')");
    assert_eq!(visitor.value(&fault).await, json!(true));
    visitor.allow_clipboard().await;
    let link = visitor.copied_link().await;
    let world = engine::scenario::link::open(&link).expect("a link");
    let view = world.view(world.question).expect("a view");
    let ranges = world
        .spots(&view)
        .into_iter()
        .filter_map(|known| known.range);
    let ranges: Vec<(f64, f64)> = ranges.map(Into::into).collect();
    assert_eq!(ranges, [(10.0, 20.0)]);
    visitor.leave().await;
}
