//! Sections of the answers: what is open at first, and how long the page is then, what is remembered, how each is reached, and what
//! is asked of the worker for them.

use super::appearance::{DESKTOP, PHONE, Screen, set_screen};
use super::page::strings;
use super::scene::Scene;
use super::visitor::{Key, Visitor};
use super::workers::WATCH_WORKERS;
use engine::scenario::{heads, link};
use serde_json::{Value, json};
use std::time::Duration;

/// The questions by their names in links.
const QUESTIONS: [&str; 5] = [
    "cold-start",
    "head-placement",
    "dispatch",
    "tiers",
    "operators",
];

/// Opens a question as the papers have it, and waits until nothing more comes. Heads are placed for fewer tokens and draws, which
/// have the same sections: all of the paper's take more time than everything else together.
async fn open(visitor: &Visitor, question: &str) {
    let mut fragment = format!("#{question}");
    if question == "head-placement" {
        let mut scenario = heads::presets::physical();
        scenario.new_tokens = 40.0;
        scenario.draws.seeds = 2.0;
        fragment = link::of(&scenario);
    }
    visitor
        .open_link(&format!("{}{fragment}", visitor.url))
        .await;
    still(visitor).await;
}

/// Waits until nothing is under way, and the page has had its height for a second.
async fn still(visitor: &Visitor) {
    let script = "(now => { const last = window.__last ??= {};
        const busy = document.querySelector('main progress');
        if (busy || last.height !== now) Object.assign(last, { height: now, since: performance.now() });
        return performance.now() - last.since > 1000; })(document.documentElement.scrollHeight)";
    // Every question computes all it has, on cores that other tests share.
    let limit = Duration::from_secs(150);
    visitor
        .until_within(limit, "the end of all that moves", script)
        .await;
}

/// Sections that are on the page, in their order.
async fn sections(visitor: &Visitor) -> Vec<String> {
    let ids = "[...document.querySelectorAll('main .block[id]')].filter(s => s.checkVisibility()).map(s => s.id)";
    strings(&visitor.value(ids).await)
}

async fn is_open(visitor: &Visitor, id: &str) -> bool {
    let folded = format!("!document.getElementById('{id}').classList.contains('folded')");
    visitor.value(&folded).await == json!(true)
}

#[tokio::test]
async fn the_page_of_every_question_is_short_before_anything_is_unfolded() {
    let scene = Scene::open().await;
    let mut faults = Vec::new();
    for (screen, most) in [(DESKTOP, 3000), (PHONE, 6 * 844)] {
        let visitor = scene.visitor().await;
        set_screen(&visitor, screen).await;
        for question in QUESTIONS {
            open(&visitor, question).await;
            let height = visitor.value("document.documentElement.scrollHeight").await;
            let height = height.as_u64().unwrap_or(u64::MAX);
            if height > most {
                faults.push(format!("{question}, {}: {height} px", screen.0));
            }
        }
        visitor.leave().await;
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[tokio::test]
async fn open_sections_are_remembered_for_each_question() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    assert!(!is_open(&visitor, "published").await);
    visitor.open_section("published").await;
    visitor
        .until("a reason", "document.querySelector('#reasons .turn')")
        .await;
    visitor.click_css("#reasons .turn").await;
    let told = visitor.text("published").await;
    assert!(told.contains("here, not reproduced"), "{told}");
    for _ in 0..2 {
        visitor.go("about:blank").await;
        visitor.open().await;
        visitor
            .until("the reasons", "document.querySelector('#reasons .turn')")
            .await;
        assert!(is_open(&visitor, "published").await);
        assert!(!is_open(&visitor, "reasons").await);
        assert!(!is_open(&visitor, "rules").await);
    }
    open(&visitor, "tiers").await;
    assert!(!is_open(&visitor, "published").await);
    visitor.leave().await;
}

#[tokio::test]
async fn a_browser_that_keeps_nothing_folds_all_the_same() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let none = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('kept out'); } });";
    visitor.before_pages(none).await;
    visitor.open().await;
    visitor.open_section("published").await;
    visitor.click_css("#published .turn").await;
    let folded = "document.getElementById('published').classList.contains('folded')";
    visitor.until("a folded section", folded).await;
    visitor.leave().await;
}

/// Goes to every section by the list, and unfolds it on the way.
async fn goes_everywhere(visitor: &Visitor, screen: Screen, question: &str) {
    open(visitor, question).await;
    // Sections that no first answer needs join the list when they are there.
    visitor.whole().await;
    still(visitor).await;
    let ids = sections(visitor).await;
    let titles =
        "[...document.querySelectorAll('#on-this-page li button')].map(b => b.textContent)";
    let listed = strings(&visitor.value(titles).await);
    assert_eq!(
        listed.len(),
        ids.len(),
        "{question}: {listed:?} and {ids:?}"
    );
    for (title, id) in listed.iter().zip(&ids) {
        let arrived = format!(
            "(section => {{ const top = section.getBoundingClientRect().top;
                return !section.classList.contains('folded')
                    && section.querySelector('.head h2').contains(document.activeElement)
                    && Math.ceil(top) >= 48 && top < innerHeight; }})(document.getElementById('{id}'))"
        );
        if screen.3 {
            visitor.click_css("#on-this-page > .turn").await;
        }
        let place = format!(
            "[...document.querySelectorAll('#on-this-page li button')].findIndex(b => b.textContent === {title:?}) + 1"
        );
        let place = visitor.value(&place).await;
        let button = format!("#on-this-page li:nth-child({place}) button");
        visitor.click_css(&button).await;
        visitor.until(&format!("{question}: {id}"), &arrived).await;
    }
}

#[tokio::test]
async fn the_list_leads_to_every_section_and_unfolds_it() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.set_data_saver(false).await;
    set_screen(&visitor, DESKTOP).await;
    for question in QUESTIONS {
        goes_everywhere(&visitor, DESKTOP, question).await;
    }
    visitor.leave().await;
    let visitor = scene.visitor().await;
    visitor.set_data_saver(false).await;
    set_screen(&visitor, PHONE).await;
    goes_everywhere(&visitor, PHONE, "dispatch").await;
    visitor.leave().await;
}

#[tokio::test]
async fn keys_alone_reach_unfold_and_fold_a_section() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor, "tiers").await;
    visitor
        .js("document.getElementById('answer').focus();", vec![])
        .await;
    let now =
        "document.activeElement.closest('#on-this-page') ? document.activeElement.textContent : ''";
    for _ in 0..60 {
        if visitor.text_of(now).await == "Published beside ours" {
            break;
        }
        visitor.keys(Key::Tab + "").await;
    }
    assert_eq!(visitor.text_of(now).await, "Published beside ours");
    visitor.keys(Key::Enter + "").await;
    let state = |expanded: bool| {
        format!(
            "document.activeElement.closest('#published .head') && document.activeElement.ariaExpanded === '{expanded}'"
        )
    };
    visitor.until("the section", &state(true)).await;
    visitor.keys(Key::Enter + "").await;
    visitor.until("its fold", &state(false)).await;
    visitor.keys(" ").await;
    visitor.until("the section again", &state(true)).await;
    visitor.leave().await;
}

/// Number of requests with this name.
async fn count_requests(visitor: &Visitor, name: &str) -> u64 {
    let count = format!("window.__requests.filter(({{ name }}) => name === '{name}').length");
    let count: Value = visitor.value(&count).await;
    count.as_u64().unwrap_or_default()
}

#[tokio::test]
async fn a_section_requests_nothing_before_it_is_open() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.before_pages(WATCH_WORKERS).await;
    for (question, section, name) in [
        ("cold-start", "rules", "Rules"),
        ("head-placement", "changes", "instead"),
        ("dispatch", "published", "published-told"),
        ("tiers", "requests", "Timeline"),
        ("operators", "variants", "Variant"),
        ("operators", "published", "published-told"),
    ] {
        open(&visitor, question).await;
        assert_eq!(
            count_requests(&visitor, name).await,
            0,
            "{question}: {section}"
        );
        visitor.open_section(section).await;
        let now = format!("window.__requests.some(({{ name }}) => name === '{name}')");
        visitor.until(&format!("{question}: {section}"), &now).await;
    }
    visitor.leave().await;
}
