//! Terms explain themselves: to a pointer, to the keyboard and to a screen reader, in every question.

use super::scene::Scene;
use super::visitor::Key;
use serde_json::json;

#[tokio::test]
async fn every_term_is_described_in_every_question() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    for question in [
        "cold-start",
        "head-placement",
        "dispatch",
        "tiers",
        "operators",
    ] {
        let go = format!("location.hash = '{question}';");
        visitor.js(&go, vec![]).await;
        let here =
            format!("document.querySelector('.methods [aria-current]')?.hash === '#{question}'");
        visitor.until(question, &here).await;
        visitor
            .until("a term", "document.querySelector('#proof .term')")
            .await;
        let lost = "[...document.querySelectorAll('.term')].filter(term =>
            !document.getElementById(term.getAttribute('aria-describedby'))?.textContent).length";
        assert_eq!(visitor.value(lost).await, json!(0), "{question}");
        // Every section has one tab stop for a term, however often it is there.
        let stops = "[...document.querySelectorAll('dfn.term')].every(term => {
            const section = term.closest('section');
            if (!section || section.querySelector('section')) return true;
            if (section.parentElement.closest('section')) return true;
            const key = term.getAttribute('aria-describedby');
            const alike = [...section.querySelectorAll(`dfn[aria-describedby='${key}']`)];
            return alike.every((one, at) => (one.tabIndex === 0) === (at === 0));
        })";
        visitor.until("one stop for each term", stops).await;
    }
    visitor.leave().await;
}

#[tokio::test]
async fn a_term_opens_its_note_for_pointer_and_keyboard() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let note = "document.getElementById('term-note')";
    visitor
        .js("document.querySelector('#proof .term').focus();", vec![])
        .await;
    let says = format!("{note}?.textContent.includes('no other plan')");
    visitor.until("the note of the focus", &says).await;
    visitor.keys(Key::Escape).await;
    visitor.until("no note", &format!("!{note}")).await;
    let over = |selector: &str| {
        format!(
            "document.querySelector('{selector}').dispatchEvent(new PointerEvent('pointerover', {{ bubbles: true }}));"
        )
    };
    visitor.js("document.activeElement.blur();", vec![]).await;
    visitor.js(&over("#fleet .term"), vec![]).await;
    let says = format!("{note}?.textContent.includes('Wi-Fi')");
    visitor.until("the note under the pointer", &says).await;
    let inside =
        format!("(r => r.left >= 0 && r.right <= innerWidth)({note}.getBoundingClientRect())");
    assert_eq!(visitor.value(&inside).await, json!(true));
    visitor.js(&over("#term-note"), vec![]).await;
    assert_eq!(visitor.value(&format!("!!{note}")).await, json!(true));
    visitor.js(&over("#main"), vec![]).await;
    visitor.until("no note", &format!("!{note}")).await;
    // Figures are rounded for everybody; the pointer finds the rest.
    visitor.js(&over("#figures [data-exact]"), vec![]).await;
    let says = format!("/Exactly[0-9.]{{8,}} s/.test({note}?.textContent)");
    visitor.until("all digits", &says).await;
    visitor.leave().await;
}
