//! What the paper publishes is beside what is computed here, whatever scenario is open.

use super::scene::Scene;
use super::visitor::Visitor;
use engine::papers::CSGO;
use presenters::published::Figure;

const COMPLETE: &str = "document.querySelector('#claims tbody')?.textContent.includes('58.20')";

async fn told(visitor: &Visitor) -> Vec<[String; 3]> {
    visitor.open_section("published").await;
    visitor.until("the paper's answers", COMPLETE).await;
    let tag = "[...document.querySelectorAll('#claims tbody tr')].map(row => [row.cells[1].textContent, \
               row.cells[2].textContent, row.querySelector('.tag').textContent].join('|'))";
    let rows = visitor.value(tag).await;
    super::page::strings(&rows)
        .iter()
        .map(|row| {
            let row = row.replace('\u{202f}', " ");
            let cells: Vec<&str> = row.split('|').collect();
            [0, 1, 2].map(|at| cells[at].to_owned())
        })
        .collect()
}

/// What the paper publishes, ours, and how far they agree.
fn expected() -> Vec<[String; 3]> {
    let ours = [
        ["8.82 %", "Within 1 point"],
        ["58.20 %", "Not reproduced"],
        ["18.51 %", "1.1 points off"],
        ["yes", "Agrees"],
        ["yes", "Agrees"],
        ["yes", "Agrees"],
    ];
    let rows = CSGO.rows().iter().zip(ours);
    rows.map(|(row, [ours, agreement])| {
        let published = Figure::published(row).text().replace('\u{202f}', " ");
        [published, ours.to_owned(), agreement.to_owned()]
    })
    .collect()
}

#[tokio::test]
async fn claims_are_shown_next_to_our_figures_and_all_readings_in_one_table() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    assert_eq!(told(&visitor).await, expected());
    let block = visitor.text("published").await;
    for words in [
        "58.20\u{202f}% here, not reproduced",
        "does not independently confirm",
    ] {
        assert!(block.contains(words), "{words}: {block}");
    }
    let unfold = "for (const fold of document.querySelectorAll('#published details')) fold.open = true; return true;";
    visitor.js(unfold, vec![]).await;
    let rows = visitor.rows("readings-table").await;
    assert_eq!(rows.len(), 10);
    assert_eq!(
        rows[0],
        [
            "rate (default)",
            "2.810",
            "2.983",
            "3.362",
            "4.241",
            "6.337",
            "11.176",
            "14/12/8/6",
            "16/12/7/5",
            "8.82",
            "58.20",
            "18.51"
        ]
    );
    visitor.click("readings-table-csv").await;
    let (_, text) = visitor.saved("-readings.csv").await;
    assert_eq!(text.lines().count(), 11, "{text}");
    visitor.leave().await;
}

#[tokio::test]
async fn another_scenario_leaves_the_papers_figures_as_they_are() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.choose("preset", "csgo-too-big").await;
    visitor.headline_with("No plan").await;
    assert_eq!(told(&visitor).await, expected());
    let block = visitor.text("published").await;
    assert!(block.contains("Yours is different"), "{block}");
    visitor.leave().await;
}
