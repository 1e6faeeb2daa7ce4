//! The page that a browser keeps: it opens without its host, a newer build is offered and never forced, and no page is put
//! together from two builds.

use super::host::FOLDER;
use super::page::strings;
use super::scene::{Scene, dist};
use super::service::Service;
use super::visitor::{Log, Visitor};
use finish::{BuildFiles, PAGE, fingerprint, offline};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The name of the build shown.
const BUILD: &str = "document.documentElement.dataset.build";
/// Everything that the page shown has loaded, by name.
const LOADED: &str = "performance.getEntriesByType('resource').map(one => one.name)\
    .filter(name => !name.startsWith('blob:')).map(name => name.split('/').pop()).filter(name => name !== 'service.js')";
/// The builds that the browser keeps.
const KEPT: &str = "const done = arguments[0];
    caches.keys().then(names => done(names.map(name => name.split(' ').pop())), fault => done([`${fault}`]));";

/// What has to be true of a page whose files are all of one build.
async fn is_whole(visitor: &Visitor, files: &BuildFiles) {
    let page = files.text(PAGE).expect("a page");
    let build = visitor.text_of(BUILD).await;
    assert!(page.contains(&format!("data-build=\"{build}\"")), "{build}");
    let loaded = strings(&visitor.value(LOADED).await);
    assert!(loaded.len() >= 8, "{loaded:?}");
    for name in loaded {
        assert!(files.0.contains_key(&name), "{name} is of another build");
    }
}

/// The build that is tested, and one in which a colour is another.
fn two_builds() -> [BuildFiles; 2] {
    let first = BuildFiles::read(&dist()).expect("a built page");
    let mut second = first.clone();
    let style = second.0.keys().find(|name| name.starts_with("style-"));
    let style = style.expect("there is a style").clone();
    let changed = second
        .text(&style)
        .expect("a style is text")
        .replace("#fcfcfb", "#fcfcfa");
    second.put(&style, changed);
    fingerprint::stamp(&mut second).expect("a build can be stamped again");
    offline::list(&mut second).expect("a build can be listed again");
    let names = |files: &BuildFiles| files.0.keys().cloned().collect::<BTreeSet<_>>();
    assert_ne!(names(&first), names(&second));
    [first, second]
}

/// The builds that the browser keeps, once there are so many.
async fn kept(visitor: &Visitor, count: usize) -> Vec<String> {
    visitor
        .until(
            "the builds kept",
            &format!("caches.keys().then(names => names.length === {count})"),
        )
        .await;
    strings(&visitor.js_async(KEPT, vec![]).await)
}

#[tokio::test]
async fn the_second_visit_needs_no_host() {
    let mut scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.set_data_saver(false).await;
    visitor.open().await;
    visitor.whole().await;
    scene.host.leave().await;
    let before = scene.host.log();
    visitor
        .open_link(&format!("{}?from=home#tiers", scene.host.url()))
        .await;
    visitor.open_link(&scene.host.url()).await;
    visitor
        .headline_with("First answer in 2.562\u{202f}s")
        .await;
    is_whole(&visitor, &BuildFiles::read(&dist()).expect("a built page")).await;
    // Nobody was asked for a file; whether there is a newer version, the browser may ask.
    let mut asked = scene.host.log().split_off(before.len());
    asked.retain(|line| line != "a connection while offline" && !line.ends_with("/service.js"));
    assert_eq!(asked, [""; 0]);
    visitor.leave_after(&["service.js"]).await;
}

#[tokio::test]
async fn no_file_is_loaded_twice_to_be_kept() {
    let scene = Scene::open().await;
    let visitor = scene.visitor_with(Log::Network).await;
    visitor.open().await;
    visitor.whole().await;
    let mut seen = BTreeSet::new();
    let log = scene.host.log();
    for line in log
        .iter()
        .filter(|line| !line.ends_with(FOLDER) && !line.ends_with('/'))
    {
        assert!(seen.insert(line), "requested twice: {line}");
    }
    // Program, bundles, scripts and styles of the page.
    assert!(seen.len() > 20, "only {} files were requested", seen.len());
    visitor.leave().await;
}

#[tokio::test]
async fn a_newer_build_is_offered_and_shown_when_asked_for() {
    let mut scene = Scene::open().await;
    let [first, second] = two_builds();
    let folder = scene.room("build");
    first.write(&folder).expect("a folder can be written");
    scene.host = super::host::Host::start(&folder).await;
    let visitor = scene.visitor().await;
    visitor.set_data_saver(false).await;
    visitor.open().await;
    visitor.whole().await;
    is_whole(&visitor, &first).await;
    let old = visitor.text_of(BUILD).await;

    // The host has the next build, and nothing of the one before.
    second.write(&folder).expect("a folder can be written");
    visitor.open_link(&scene.host.url()).await;
    is_whole(&visitor, &first).await;
    visitor.fill("field-device-0-r_mb_s", "2500").await;
    visitor.answered().await;
    visitor
        .until("the offer", "document.getElementById('news')")
        .await;
    let offer = visitor.text("news").await;
    assert!(offer.starts_with("A new version is ready."), "{offer}");
    assert_eq!(kept(&visitor, 2).await.len(), 2);
    // Nobody has to accept: loaded again, it is the same build, and offers the other again.
    visitor.reload().await;
    visitor.answered().await;
    is_whole(&visitor, &first).await;
    visitor
        .until("the offer again", "document.getElementById('news')")
        .await;

    visitor.click_css("#news .btn:not(.quiet)").await;
    visitor
        .until("the next build", &format!("{BUILD} !== '{old}'"))
        .await;
    visitor.answered().await;
    is_whole(&visitor, &second).await;
    assert_eq!(visitor.field("field-device-0-r_mb_s").await, "2500");
    assert_eq!(
        visitor.value("document.getElementById('news')").await,
        json!(null)
    );
    visitor.whole().await;
    // What no tab shows any more is given up.
    assert_eq!(kept(&visitor, 1).await, [visitor.text_of(BUILD).await]);
    visitor.leave().await;
}

#[tokio::test]
async fn a_host_with_half_a_build_changes_nothing() {
    let mut scene = Scene::open().await;
    let [first, second] = two_builds();
    let folder = scene.room("build");
    first.write(&folder).expect("a folder can be written");
    scene.host = super::host::Host::start(&folder).await;
    let visitor = scene.visitor().await;
    visitor.set_data_saver(false).await;
    visitor.open().await;
    visitor.whole().await;
    // The service worker is of the next build, the page still of the one before.
    let mut half = second.clone();
    half.put(PAGE, first.text(PAGE).expect("a page").to_owned());
    half.write(&folder).expect("a folder can be written");
    visitor.open_link(&scene.host.url()).await;
    let fails = "const done = arguments[0];
        navigator.serviceWorker.getRegistration().then(async kept => {
            await kept.update().catch(() => {});
            for (let at = 0; at < 500 && kept.installing; at++) await new Promise(next => setTimeout(next, 10));
            done([!kept.installing, !kept.waiting, !!kept.active]);
        }, fault => done(`${fault}`));";
    let state = visitor.js_async(fails, vec![]).await;
    assert_eq!(state, json!([true, true, true]));
    is_whole(&visitor, &first).await;
    assert_eq!(
        visitor.value("document.getElementById('news')").await,
        json!(null)
    );
    assert_eq!(kept(&visitor, 1).await, [visitor.text_of(BUILD).await]);
    visitor.leave_after(&["service.js"]).await;
}

#[tokio::test]
async fn requests_outside_the_page_go_to_the_service() {
    let (scene, service) = (Scene::open().await, Service::start(&[]));
    let mut visitor = scene.visitor().await;
    visitor.set_data_saver(false).await;
    visitor.url = format!("{}/", service.origin);
    visitor.open().await;
    visitor.whole().await;
    visitor.open().await;
    let asks = "const done = arguments[0];
        Promise.all(['./api/v1/presets', './healthz', './api/openapi.json'].map(path => fetch(path).then(answer => answer.blob())))
            .then(() => {
                const all = performance.getEntriesByType('resource').filter(one => /api|healthz/.test(one.name));
                done([all.length, all.filter(one => one.workerStart > 0 && one.transferSize === 0).length,
                    !!navigator.serviceWorker.controller]);
            }, fault => done(`${fault}`));";
    assert_eq!(visitor.js_async(asks, vec![]).await, json!([3, 0, true]));
    // A page that is not the page: the description of the service.
    visitor.go(&format!("{}api/", visitor.url)).await;
    assert_eq!(
        visitor.value("document.getElementById('app')").await,
        json!(null)
    );
    visitor.leave_after(&["404"]).await;
}

#[tokio::test]
async fn the_manifest_names_icons_that_are_there() {
    let files = BuildFiles::read(&dist()).expect("a built page");
    let name = files.0.keys().find(|name| name.ends_with(".webmanifest"));
    let name = name.expect("there is a manifest");
    assert!(
        files
            .text(PAGE)
            .expect("a page")
            .contains(&format!("<link rel=\"manifest\" href=\"./{name}\">"))
    );
    let manifest: Value = serde_json::from_str(files.text(name).expect("text")).expect("JSON");
    assert_eq!(
        (&manifest["name"], &manifest["start_url"]),
        (&json!("Edgewise"), &json!("./"))
    );
    assert_eq!(manifest["display"], "standalone");
    let icons = manifest["icons"].as_array().expect("a list");
    let purposes: BTreeSet<&str> = icons
        .iter()
        .filter_map(|icon| icon["purpose"].as_str())
        .collect();
    assert_eq!(purposes, BTreeSet::from(["any", "maskable"]));
    for icon in icons {
        let file = icon["src"]
            .as_str()
            .and_then(|src| src.strip_prefix("./"))
            .expect("a file beside it");
        assert!(files.0.contains_key(file), "{file}");
    }
    let tokens = files
        .0
        .keys()
        .find(|name| name.starts_with("style-"))
        .expect("a style");
    let ground = manifest["background_color"].as_str().expect("a colour");
    assert!(
        files
            .text(tokens)
            .expect("text")
            .contains(&format!("--n-25:  {ground};"))
    );
    // The browser reads it too, and finds no fault.
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let read = visitor.cdp("Page.getAppManifest", json!({})).await;
    assert_eq!(read["errors"], json!([]), "{read}");
    visitor.leave().await;
}
