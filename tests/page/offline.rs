//! Once everything is loaded, which it does by itself, there is no request to any host: not while solving, not when the worker
//! is killed, not when another question is asked, not when the host has gone. Until then, what is missing says so and is tried
//! again.

use super::scene::Scene;
use super::visitor::{Log, Visitor};
use super::workers::{CRASH_LATEST, WATCH_WORKERS};
use serde_json::json;

async fn foreign(visitor: &Visitor, origin: &str) -> Vec<String> {
    let mut requests = visitor.requests().await;
    requests.retain(|url| {
        let own = url.strip_prefix("blob:").unwrap_or(url);
        !own.starts_with(origin) && !url.starts_with("data:") && !url.starts_with("chrome:")
    });
    requests
}

#[tokio::test]
async fn the_page_works_offline_with_a_new_worker_and_no_request() {
    let mut scene = Scene::open().await;
    let visitor = scene.visitor_with(Log::Network).await;
    visitor.before_pages(WATCH_WORKERS).await;
    visitor.open().await;
    visitor.headline_with("2.562\u{202f}s").await;
    visitor
        .until(
            "the sweep",
            "document.getElementById('sweep-summary')?.textContent",
        )
        .await;
    visitor.whole().await;
    let log = scene.host.log();
    // The page itself is asked for once more by who keeps it, and has not changed.
    let is_fine =
        |line: &String| line.starts_with("200 /some/folder/") || line == "304 /some/folder/";
    assert!(log.iter().all(is_fine), "{log:#?}");
    assert_eq!(foreign(&visitor, &scene.host.origin()).await, [""; 0]);

    scene.host.leave().await;
    visitor.fill("field-device-0-r_mb_s", "2500").await;
    visitor
        .until(
            "the answer to an edit",
            "!document.getElementById('headline').textContent.includes('2.562')",
        )
        .await;
    visitor.js(CRASH_LATEST, vec![]).await;
    let banner = visitor
        .until(
            "the banner",
            // An alert if the plan was lost, a status if it was a point of the sweep: either may be in flight.
            "document.querySelector('#banner .banner.warn')?.textContent",
        )
        .await;
    let banner = banner.as_str().unwrap_or_default();
    assert!(
        banner.starts_with("The solver stopped and was replaced."),
        "{banner}"
    );
    assert!(banner.contains("Your scenario"), "{banner}");
    assert_eq!(visitor.field("field-device-0-r_mb_s").await, "2500");

    // The new worker answers, rightly, an edit that the old one never saw.
    visitor.choose("preset", "csgo-paper-long").await;
    visitor.headline_with("7.029\u{202f}s").await;
    assert_eq!(visitor.text("proof").await, "Optimal, proven");
    visitor
        .until(
            "the sweep again",
            "document.getElementById('sweep-summary')?.textContent",
        )
        .await;
    // So does another question, which nobody has asked before.
    visitor.js("location.hash = '#tiers'", vec![]).await;
    visitor.headline_with("a single request takes").await;
    visitor.js("location.hash = '#cold-start'", vec![]).await;
    visitor.headline_with("7.029\u{202f}s").await;
    // One that was killed, one in its place, and others only for a long sweep; each may have been at what nobody waited for any more
    // when the scenario changed (four keys, a preset, two questions: seven times), and been replaced.
    let count = visitor.value("window.__workers.length").await;
    let most = visitor.value("8 * navigator.hardwareConcurrency + 2").await;
    assert!(
        (2..=most.as_u64().unwrap_or_default()).contains(&count.as_u64().unwrap_or_default()),
        "{count} workers"
    );

    assert_eq!(
        scene.host.log(),
        log,
        "a request after everything was loaded"
    );
    assert_eq!(
        visitor
            .requests()
            .await
            .iter()
            .filter(|url| !url.starts_with("blob:"))
            .count(),
        0
    );
    let entries = "performance.getEntriesByType('resource').map(e => e.name)\
                   .filter(name => !name.replace(/^blob:/, '').startsWith(location.origin))";
    assert_eq!(visitor.value(entries).await, json!([]));
    visitor.leave().await;
}

#[tokio::test]
async fn a_worker_killed_in_the_middle_of_a_search_is_replaced_and_the_search_goes_on() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.before_pages(WATCH_WORKERS).await;
    visitor.open().await;
    visitor
        .until(
            "the sweep",
            "document.getElementById('sweep-summary')?.textContent",
        )
        .await;
    // In one task: the worker cannot have answered yet.
    let script = format!(
        "const field = document.getElementById('field-device-0-r_mb_s');
         field.value = '2500';
         field.dispatchEvent(new Event('input', {{ bubbles: true }}));
         {CRASH_LATEST}"
    );
    visitor.js(&script, vec![]).await;
    visitor
        .until(
            "the banner",
            "document.querySelector('#banner .banner.warn')",
        )
        .await;
    visitor
        .until(
            "the answer to the edit",
            "!document.getElementById('headline').textContent.includes('2.562')",
        )
        .await;
    let plan = visitor.saved_plan().await;
    assert_eq!(plan["scenario"]["devices"][0]["r_mb_s"], json!(2500.0));

    // A worker that dies again and again is not started for ever; the page says so and stays usable.
    visitor
        .js(
            "window.__ends = setInterval(() => { CRASH_LATEST }, 0)"
                .replace("CRASH_LATEST", CRASH_LATEST)
                .as_str(),
            vec![],
        )
        .await;
    visitor
        .until(
            "the end of it",
            "document.getElementById('banner').textContent.includes('cannot be started')",
        )
        .await;
    visitor.js("clearInterval(window.__ends)", vec![]).await;
    let count = visitor.value("window.__workers.length").await;
    assert!(
        count.as_u64().is_some_and(|count| count <= 16),
        "{count} workers"
    );
    visitor.fill("field-device-0-r_mb_s", "2600").await;
    assert_eq!(visitor.field("field-device-0-r_mb_s").await, "2600");
    visitor.leave().await;
}

#[tokio::test]
async fn a_piece_that_cannot_be_had_is_said_and_comes_when_there_is_a_connection() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.set_data_saver(false).await;
    let cut_after = "window.__asked = 0; window.__cut = true;
        const real = fetch, most = Number(new URL(location.href).searchParams.get('most') ?? Infinity);
        window.fetch = (...all) => window.__cut && ++window.__asked > most
            ? Promise.reject(new TypeError('Failed to fetch')) : real(...all);";
    visitor.before_pages(cut_after).await;
    // Wherever the network is cut in the start, the page comes to its answer once it is back.
    for most in [0, 1, 2, 4, 7, 10] {
        visitor.go("about:blank").await;
        visitor
            .go(&format!("{}?most={most}", scene.host.url()))
            .await;
        visitor
            .until("what is missing", "document.getElementById('missing')")
            .await;
        let said = visitor.text("missing").await;
        assert!(
            said.starts_with("No connection: part of the page is still missing."),
            "{said}"
        );
        visitor
            .js(
                "window.__cut = false; dispatchEvent(new Event('online'));",
                vec![],
            )
            .await;
        visitor.answered().await;
        visitor.headline_with("2.562\u{202f}s").await;
        visitor.whole().await;
        assert_eq!(
            visitor.value("document.getElementById('missing')").await,
            json!(null)
        );
    }
    visitor.leave().await;
}

#[tokio::test]
async fn a_browser_that_saves_data_loads_what_is_asked_for_and_keeps_nothing() {
    let scene = Scene::open().await;
    let visitor = scene.visitor_with(Log::Network).await;
    visitor.set_data_saver(true).await;
    visitor.open().await;
    visitor.swept().await;
    let is_of = |question: &str| {
        let part = format!("/app_{question}");
        scene.host.log().iter().any(|line| line.contains(&part))
    };
    assert!(is_of("cold_start"));
    assert!(!is_of("dispatch"), "{:#?}", scene.host.log());
    let kept = "const done = arguments[0];
        Promise.all([caches.keys(), navigator.serviceWorker.getRegistrations()]).then(kept => done(kept.flat().length));";
    assert_eq!(visitor.js_async(kept, vec![]).await, json!(0));

    visitor.js("location.hash = '#dispatch'", vec![]).await;
    visitor
        .until("the other question", "/^#dispatch/.test(location.hash) && document.querySelector('main[aria-busy=false] #headline')?.textContent")
        .await;
    visitor.answered().await;
    assert!(is_of("dispatch"));
    assert!(!is_of("operators"), "{:#?}", scene.host.log());
    visitor.leave().await;
}

/// The banner is made anew with each question; what listened for the one before is gone.
#[tokio::test]
async fn the_network_may_go_and_come_on_any_question() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.js("location.hash = '#tiers'", vec![]).await;
    visitor.headline_with("a single request takes").await;
    let say = |event: &str| format!("window.dispatchEvent(new Event('{event}'))");
    visitor.js(&say("offline"), vec![]).await;
    let banner =
        "document.querySelector('#banner .banner.info')?.textContent.includes('You are offline.')";
    visitor.until("the banner", banner).await;
    visitor.js(&say("online"), vec![]).await;
    visitor.until("no banner", &format!("!{banner}")).await;
    visitor.leave().await;
}
