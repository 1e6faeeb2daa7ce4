//! The operator graph, driven by a user: zoomed and moved by wheel, drag, buttons and keys, an operator found by its name, and
//! what is said of the one that is selected.

use super::accessible::{check, none};
use super::operators::{googlenet, open, plan};
use super::scene::Scene;
use super::tiers::focus;
use super::timeline_hand::{drag, frame_of, wheel};
use super::visitor::{Key, Visitor};
use engine::units::binary_bytes;

/// The visible part of the layers: left end and length in percent.
const PART: &str = "(i => i ? [parseFloat(i.style.left), parseFloat(i.style.width)] : [0, 100])\
                    (document.querySelector('#graph-chart .overview i'))";
const NAME: &str = "document.getElementById('operator-name')?.textContent";

async fn part(visitor: &Visitor) -> (f64, f64) {
    let part = visitor.value(PART).await;
    let at = |n: usize| part[n].as_f64().unwrap_or(f64::NAN);
    (at(0), at(1))
}

/// Waits until the selected operator is that of a step, counted from 1, with this name.
async fn selected(visitor: &Visitor, step: usize, name: &str) {
    let wanted = format!("{NAME} === 'Step {step}: {name}'");
    visitor.until(name, &wanted).await;
}

#[tokio::test]
async fn the_graph_is_zoomed_and_moved_by_hand_and_the_page_still_scrolls() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    open(&visitor, &googlenet()).await;
    let [left, top, width, _] = frame_of(&visitor, "graph-chart").await;
    let place = (left + 0.5 * width, top + 60.0);
    wheel(&visitor, place, -480.0, true).await;
    let near = format!("{PART}[1] < 30");
    visitor.until("a part of the graph", &near).await;
    let (from, span) = part(&visitor).await;
    assert!((span - 25.0).abs() < 1.0, "{span} % of the layers are seen");
    drag(&visitor, place, (place.0 - 0.25 * width, place.1)).await;
    visitor
        .until("later layers", &format!("{PART}[0] > {}", from + 2.0))
        .await;
    // A press that is no drag selects what it meets, whatever part is seen.
    let before = visitor.value("scrollY").await.as_f64().unwrap_or_default();
    wheel(&visitor, place, 200.0, false).await;
    visitor
        .until("the page further down", &format!("scrollY > {before}"))
        .await;
    let (_, same) = part(&visitor).await;
    assert!((same - span).abs() < 1e-6, "a plain wheel does not zoom");
    visitor.click("graph-fit").await;
    visitor
        .until("all of it", &format!("{PART}[1] === 100"))
        .await;
    visitor.click("graph-in").await;
    visitor
        .until("half of it", &format!("{PART}[1] === 50"))
        .await;
    visitor.click("graph-out").await;
    visitor
        .until("all of it", &format!("{PART}[1] === 100"))
        .await;

    // By keys alone: nearer, along, and all of it again, each told.
    focus(&visitor, "graph-chart").await;
    visitor.keys("+").await;
    visitor
        .until("half of it", &format!("{PART}[1] === 50"))
        .await;
    let told = "[...document.querySelectorAll('#graph-chart [role=status]')].map(p => p.textContent).join(' ')";
    visitor
        .until(
            "what is shown",
            &format!("/Shown: layers \\d+ to \\d+ of \\d+/.test({told})"),
        )
        .await;
    let (from, _) = part(&visitor).await;
    let (key, wanted) = if from > 1.0 {
        (Key::Left, format!("{PART}[0] < {from}"))
    } else {
        (Key::Right, format!("{PART}[0] > {from}"))
    };
    visitor.chord(&[Key::Shift], key).await;
    visitor.until("other layers", &wanted).await;
    visitor.keys("0").await;
    visitor
        .until("all of it", &format!("{PART}[1] === 100"))
        .await;
    visitor.leave().await;
}

#[tokio::test]
async fn an_operator_is_found_by_keys_and_its_neighbours_are_a_press_away() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    let scenario = googlenet();
    open(&visitor, &scenario).await;
    let graph = scenario.graph().expect("a graph");
    let order = plan(&scenario).ours.expect("an order").order;
    let step = |v: usize| 1 + order.iter().position(|u| *u as usize == v).expect("a step");
    // One that reads an operator and is read by one.
    let is_between = |v: &usize| graph.src(*v).iter().all(|t| (*t as usize) < graph.len());
    let v = (10..graph.len())
        .filter(is_between)
        .find(|v| !graph.consumers(*v).is_empty())
        .expect("an operator");
    let name = graph.op_name(v);
    visitor.click("graph-in").await;
    focus(&visitor, "graph-find").await;
    visitor.keys("nothing has this name").await;
    let none_found = "document.getElementById('graph-found').textContent";
    assert_eq!(
        visitor
            .until(
                "that there is none",
                &format!("{none_found} && {none_found}")
            )
            .await,
        "No operator has \u{201c}nothing has this name\u{201d} in its name."
    );
    visitor.keys(Key::Escape + "").await;
    visitor.keys(&*name).await;
    let hits = "document.querySelectorAll('#graph-hits [role=option]').length";
    visitor
        .until("hits", &format!("{hits} > 0 && {hits} <= 8"))
        .await;
    let mut faults = Vec::new();
    check(&visitor, "an open list of operators", &mut faults).await;
    none(&faults);
    visitor.keys(Key::Enter + "").await;
    selected(&visitor, step(v), &name).await;
    let said = visitor.text_of(none_found).await;
    assert!(said.starts_with(&format!("Selected {name}, ")), "{said}");
    // It is in what is seen, and all is told of it.
    let (_, span) = part(&visitor).await;
    assert!(span <= 50.0, "{span}");
    let facts = visitor.text("operator-facts").await;
    let op = graph.op(v);
    let shape: Vec<String> = op.shape.iter().map(u64::to_string).collect();
    for fact in [
        op.kind.name().to_owned(),
        shape.join(" \u{d7} "),
        binary_bytes(op.out as f64),
        format!("from step {} to", step(v)),
    ] {
        assert!(facts.contains(&fact), "{fact}: {facts}");
    }
    // To what it reads, and back through what reads that: the focus goes along.
    let read = graph.src(v)[0] as usize;
    visitor.click_css("#operator-reads button").await;
    selected(&visitor, step(read), &graph.op_name(read)).await;
    visitor
        .until(
            "the focus on its name",
            "document.activeElement.id === 'operator-name'",
        )
        .await;
    let back = graph.consumers(read).iter().position(|u| *u as usize == v);
    let back = format!(
        "#operator-readers li:nth-child({}) button",
        back.expect("it reads") + 1
    );
    visitor.click_css(&back).await;
    selected(&visitor, step(v), &name).await;
    visitor.leave().await;
}
