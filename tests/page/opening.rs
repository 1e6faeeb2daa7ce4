//! Opening the page: a first paint without any script, the solved scenario, assets that can be kept forever.

use super::host::Host;
use super::page::strings;
use super::paper::TABLE;
use super::scene::{Scene, dist};
use engine::scenario::{link, presets};
use finish::{BuildFiles, FIXED_NAMES};
use serde_json::json;
use std::fs;

#[tokio::test]
async fn it_opens_on_the_solved_scenario_with_the_papers_table() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor
        .headline_with("First answer in 2.562\u{202f}s")
        .await;
    assert_eq!(visitor.text("proof").await, "Optimal, proven");
    let title = visitor.title().await;
    assert!(title.starts_with("2.562\u{202f}s: Qwen3-14B"), "{title}");
    // The address stays short until something is changed.
    assert_eq!(visitor.value("location.hash").await, json!(""));

    visitor.swept().await;
    visitor.open_folds("sweep").await;
    visitor.until("all rows of the sweep", SWEPT).await;
    let rows = visitor.rows("sweep-table").await;
    let plans = "[...document.querySelectorAll('#sweep .plans .strip')].map(s => s.getAttribute('aria-label'))";
    let plans = strings(&visitor.value(plans).await);
    assert_eq!(plans.len(), TABLE.len());
    for ((row, plan), printed) in rows.iter().zip(&plans).zip(&TABLE) {
        let expected = [
            printed.tokens,
            printed.ours,
            printed.single,
            printed.even,
            printed.heuristic,
        ];
        assert_eq!(row[..5], expected);
        assert_eq!(plan, printed.plan, "at {} tokens", printed.tokens);
    }
    let plan = visitor.saved_plan().await;
    let total = plan["T"].as_f64().expect("a plan has a time");
    assert_eq!(format!("{total:.4}"), "2.5620");
    visitor.leave().await;
}

/// No row of the sweep is still waiting for its answer.
const SWEPT: &str = "document.querySelector('#sweep-table tbody tr') \
                     && [...document.querySelectorAll('#sweep-table tbody tr')]\
                     .every(row => row.cells[1].textContent.length > 1)";

#[tokio::test]
async fn something_is_painted_before_any_program_has_arrived() {
    let scene = Scene::open().await;
    scene.host.hold(".wasm");
    let visitor = scene.visitor().await;
    visitor.go(&scene.host.url()).await;
    visitor
        .until(
            "the static first paint",
            "document.querySelector('#first h1')?.checkVisibility() \
             && getComputedStyle(document.querySelector('header.bar')).height === '48px'",
        )
        .await;
    assert_eq!(visitor.text("app").await, "");
    scene.host.release();
    visitor.answered().await;
    assert_eq!(
        visitor.value("document.getElementById('static')").await,
        json!(null)
    );
    visitor.leave().await;
}

#[tokio::test]
async fn without_scripts_it_says_what_it_needs() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor
        .cdp(
            "Emulation.setScriptExecutionDisabled",
            json!({ "value": true }),
        )
        .await;
    visitor.go(&scene.host.url()).await;
    visitor
        .until(
            "the notice",
            "document.querySelector('noscript')?.textContent.includes('needs JavaScript and WebAssembly')",
        )
        .await;
    let seen = visitor.text_of("document.body.innerText").await;
    for said in [
        "First answer in 2.562\u{202f}s",
        "Computed when this page was built.",
    ] {
        assert!(seen.contains(said), "{seen}");
    }
    assert!(!seen.contains("starting the live solver"), "{seen}");
    visitor.leave().await;
}

#[tokio::test]
async fn without_webassembly_or_workers_it_says_so_plainly() {
    let scene = Scene::open().await;
    for missing in ["WebAssembly", "Worker"] {
        let visitor = scene.visitor().await;
        visitor
            .before_pages(&format!("delete window.{missing};"))
            .await;
        visitor.go(&scene.host.url()).await;
        visitor
            .until(
                "the notice",
                "document.querySelector('[role=alert]')?.checkVisibility()",
            )
            .await;
        let headline = visitor.text("starting").await;
        assert_eq!(headline, "This browser cannot run the solver.");
        // The answer stays; nobody is told that a solver is starting.
        let seen = visitor
            .text_of("document.getElementById('first').innerText")
            .await;
        assert!(
            seen.contains("Computed when this page was built."),
            "{seen}"
        );
        let notice = visitor
            .text_of("document.querySelector('[role=alert]').textContent")
            .await;
        assert!(
            notice.contains(&format!("Missing here: {missing}").replace("Worker", "Web Workers")),
            "{notice}"
        );
        assert!(notice.contains("edgewise run"), "{notice}");
        visitor.leave().await;
    }
}

#[tokio::test]
async fn a_broken_program_is_said_and_not_waited_for() {
    let mut scene = Scene::open().await;
    let mut files = BuildFiles::read(&dist()).expect("a built page");
    let cut: &[u8] = b"\0asm\x01\0\0\0\x07"; // a section begins and the file ends
    files.0.insert(asset("app_bg"), cut.to_vec());
    let folder = scene.room("broken");
    files.write(&folder).expect("a folder can be written");
    scene.host = Host::start(&folder).await;
    let visitor = scene.visitor().await;
    visitor.go(&scene.host.url()).await;
    let alert = "document.querySelector('[role=alert]')";
    visitor
        .until("the notice", &format!("{alert}?.checkVisibility()"))
        .await;
    let notice = visitor.text_of(&format!("{alert}.textContent")).await;
    assert!(notice.contains("The page could not start."), "{notice}");
    assert!(notice.contains("CompileError"), "{notice}");
    let waits = visitor.value("document.getElementById('missing')").await;
    assert_eq!(waits, json!(null));
    visitor.leave_after(&["CompileError"]).await;
}

#[tokio::test]
async fn a_host_that_lacks_a_file_is_named() {
    let scene = Scene::open().await;
    for (file, named) in [
        (".wasm", ".wasm: the server answered 404"),
        ("boot", "A file is missing"),
        // Without it nothing can read a link.
        ("app_later_whole", ".wasm: the server answered 404"),
    ] {
        let (name, fragment) = match file {
            ".wasm" => (file.to_owned(), String::new()),
            "boot" => (asset(file), String::new()),
            _ => (asset(file), link::of(&presets::home())),
        };
        scene.host.lose(&name);
        let visitor = scene.visitor().await;
        let address = format!("{}{fragment}", scene.host.url());
        visitor.go(&address).await;
        let alert = "document.querySelector('[role=alert]')";
        let names = format!("{alert}?.textContent.includes({})", json!(named));
        visitor.until(named, &names).await;
        // The program, which starts meanwhile and lacks the file too, does not know why.
        let unknown = "edgewiseFault('The page could not start.', 'a piece is missing', true)";
        visitor.js(unknown, vec![]).await;
        assert_eq!(visitor.value(&names).await, json!(true));
        assert_eq!(
            visitor.value(&format!("{alert}.checkVisibility()")).await,
            json!(true)
        );
        assert_eq!(visitor.text("starting").await, "The page could not start.");
        let all = "document.querySelectorAll('[role=alert]').length";
        assert_eq!(visitor.value(all).await, json!(1));
        visitor.leave_after(&["404"]).await;
    }
}

#[tokio::test]
async fn a_failed_request_is_reported_and_the_answer_stays() {
    let missing = "Part of the page could not be loaded.";
    for (file, place, said) in [
        ("app_cold_start_below", "banner", missing),
        (
            "app_cold_start_more",
            "picture-fault",
            "What stands below could not be computed: the solver failed twice on one of its runs.",
        ),
    ] {
        let scene = Scene::open().await;
        scene.host.lose(&asset(file));
        let visitor = scene.visitor().await;
        visitor.go(&scene.host.url()).await;
        let words = format!("document.getElementById({})?.textContent", json!(place));
        let is_said = format!("{words}?.includes({})", json!(said));
        visitor.until(said, &is_said).await;
        assert_eq!(visitor.text("proof").await, "Optimal, proven");
        let headline = visitor.text("headline").await;
        assert!(headline.contains("2.562\u{202f}s"), "{headline}");
        visitor.leave_after(&["404", "panicked", file]).await;
    }
}

/// The name of the asset that begins so.
fn asset(begin: &str) -> String {
    let names = assets();
    let found = names
        .iter()
        .find(|name| name.starts_with(&format!("{begin}-")));
    found
        .cloned()
        .unwrap_or_else(|| panic!("dist/ holds no {begin}: {names:?}"))
}

/// All files whose names say what they hold.
fn assets() -> Vec<String> {
    let entries = fs::read_dir(dist()).expect("the built page is a folder");
    let names = entries.map(|entry| entry.expect("a folder can be listed").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    let is_pressed = |name: &String| [".br", ".gz"].iter().any(|ending| name.ends_with(ending));
    names.retain(|name| !FIXED_NAMES.contains(&name.as_str()) && !is_pressed(name));
    names.sort();
    names
}

#[tokio::test]
async fn every_asset_is_named_by_its_content() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    // The browser computes the digests: what it gets by a name is what the name says.
    let digests = "const [names, done] = arguments;
        const digest = async name => {
            const bytes = await (await fetch(name)).arrayBuffer();
            const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
            return Array.from(hash.slice(0, 8), byte => byte.toString(16).padStart(2, '0')).join('');
        };
        Promise.all(names.map(digest)).then(done, fault => done('' + fault));";
    let names = assets();
    assert!(names.len() >= 8, "{names:?}");
    let digests = strings(&visitor.js_async(digests, vec![json!(names)]).await);
    let files = BuildFiles::read(&dist()).expect("the built page can be read");
    let texts: Vec<&str> = files
        .0
        .keys()
        .filter_map(|name| files.text(name).ok())
        .collect();
    for (name, digest) in names.iter().zip(&digests) {
        let stem = name
            .rsplit_once('.')
            .map_or(name.as_str(), |(stem, _)| stem);
        assert!(
            stem.ends_with(&format!("-{digest}")),
            "{name} holds {digest}"
        );
        let namers = texts.iter().filter(|text| text.contains(name.as_str()));
        assert!(
            namers.count() >= 2,
            "nothing names {name} but the list of all files"
        );
    }
    visitor.leave().await;
}

#[tokio::test]
async fn the_policy_allows_nothing_inline_and_no_other_origin() {
    let page = fs::read_to_string(dist().join("index.html")).expect("the page is text");
    let policy = page
        .split_once("Content-Security-Policy\" content=\"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(policy, _)| policy)
        .expect("the page has a policy");
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    for forbidden in ["unsafe-inline", "'unsafe-eval'", "http:", "https:", "*"] {
        assert!(!policy.contains(forbidden), "{policy}");
    }
    for forbidden in [
        "<script>", "<style", " style=", "https://", "href=\"/", "src=\"/", "//cdn",
    ] {
        assert!(!page.contains(forbidden), "index.html holds {forbidden}");
    }
}
