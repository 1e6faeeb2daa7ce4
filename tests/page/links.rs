//! The link holds the whole scenario: it opens elsewhere, the command line reads it, and a bad one takes
//! nothing away.

use super::documents::{assert_same, run};
use super::scene::Scene;
use super::visitor::Visitor;
use serde_json::json;

const BANNER: &str = "document.querySelector('#banner [role=alert]')?.textContent";
/// The disk of the first device.
const DISK: &str = "field-device-0-r_mb_s";

#[tokio::test]
async fn from_an_edit_to_the_same_bits_elsewhere() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.headline_with("2.562\u{202f}s").await;
    let before = visitor.text("lead").await;

    // Edit a device, see the plan change.
    visitor.fill(DISK, "2500").await;
    visitor
        .until(
            "another answer",
            "!document.getElementById('headline').textContent.includes('2.562')",
        )
        .await;
    let (headline, lead) = (visitor.text("headline").await, visitor.text("lead").await);
    assert_ne!(lead, before);

    // Copy the link, open it in a fresh profile.
    visitor.allow_clipboard().await;
    let link = visitor.copied_link().await;
    assert_eq!(json!(link), visitor.value("location.href").await);
    let toast = visitor.text("toast").await;
    assert_eq!(toast, format!("Link copied, {} characters.", link.len()));
    let stranger = scene.visitor().await;
    stranger.open_link(&link).await;
    assert_eq!(stranger.text("headline").await, headline);
    assert_eq!(stranger.text("lead").await, lead);
    assert_eq!(stranger.field(DISK).await, "2500");

    // The command line gives the same bits as either page.
    let answered = run(&link);
    assert_same(&visitor.saved_plan().await, &answered);
    assert_same(&stranger.saved_plan().await, &answered);
    stranger.open_section("take").await;
    let command = stranger.text("command").await;
    let fragment = link
        .split_once('#')
        .map(|(_, fragment)| fragment)
        .unwrap_or_default();
    assert_eq!(command, format!("edgewise run '#{fragment}'"));

    // Break it, see the message: the link that was cut short takes nothing away.
    let cut = &link[..link.len() - 30];
    stranger.go(cut).await;
    let banner = stranger.until("the banner", BANNER).await;
    let banner = banner.as_str().unwrap_or_default();
    assert!(banner.contains("This link is damaged"), "{banner}");
    assert!(
        banner.contains("Your scenario is still here, unchanged."),
        "{banner}"
    );
    assert_eq!(stranger.text("headline").await, headline);
    assert_eq!(stranger.field(DISK).await, "2500");
    visitor.leave().await;
    stranger.leave().await;
}

/// Links that cannot be opened, each with a part of what has to be said.
fn broken(link: &str) -> Vec<(String, &'static str)> {
    let (page, payload) = link.split_once("#cold-start/4.").expect("a whole link");
    let middle = payload.len() / 2;
    let other = if payload.as_bytes()[middle] == b'A' {
        "B"
    } else {
        "A"
    };
    vec![
        (
            format!("{page}#cold-start/4.{}", &payload[..middle]),
            "This link is damaged: ",
        ),
        (
            format!(
                "{page}#cold-start/4.{}{other}{}",
                &payload[..middle],
                &payload[middle + 1..]
            ),
            "This link is damaged: ",
        ),
        (
            format!(
                "{page}#cold-start/4.{}!{}",
                &payload[..middle],
                &payload[middle + 1..]
            ),
            "which does not occur in links.",
        ),
        (
            format!("{page}#cold-start/5.{payload}"),
            "comes from a newer Edgewise (format 5, this one reads up to 4).",
        ),
        (
            format!("{page}#cold-start/4.{}", "A".repeat(300_000)),
            "too long: 300000 characters, at most 262144",
        ),
        (
            format!("{page}#split/1.{payload}"),
            "is for a question that this Edgewise does not know: \u{201c}split\u{201d}",
        ),
        (format!("{page}#nonsense"), "This is not an Edgewise link"),
    ]
}

async fn copied(visitor: &Visitor) -> String {
    visitor.click("share").await;
    visitor
        .until("the link in the address", "location.hash.length > 20")
        .await;
    visitor.text_of("location.href").await
}

#[tokio::test]
async fn a_bad_link_is_explained_and_keeps_the_work() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.fill(DISK, "1234").await;
    let link = copied(&visitor).await;
    for (bad, said) in broken(&link) {
        // In the same tab, where the page is already open.
        visitor
            .js(
                "document.querySelector('#banner [aria-label=Dismiss]')?.click()",
                vec![],
            )
            .await;
        visitor.until("no banner", &format!("!({BANNER})")).await;
        visitor.go(&bad).await;
        let shown = short(&bad);
        let banner = visitor.until(&shown, BANNER).await;
        assert!(
            banner.as_str().unwrap_or_default().contains(said),
            "{shown}: {banner}"
        );
        assert_eq!(visitor.field(DISK).await, "1234", "{shown}");
        // In a new tab, which opens the scenario worked on last.
        visitor.open_link(&bad).await;
        let banner = visitor.until(&shown, BANNER).await;
        assert!(
            banner.as_str().unwrap_or_default().contains(said),
            "{shown}: {banner}"
        );
        assert_eq!(visitor.field(DISK).await, "1234", "{shown}");
    }
    // Where nothing was kept, the paper's scenario is in.
    let stranger = scene.visitor().await;
    let (bad, said) = broken(&link).swap_remove(0);
    stranger.open_link(&bad).await;
    let banner = stranger.until("the banner", BANNER).await;
    let banner = banner.as_str().unwrap_or_default();
    assert!(
        banner.contains(said)
            && banner.contains("The paper\u{2019}s four devices are shown instead"),
        "{banner}"
    );
    stranger.headline_with("2.562\u{202f}s").await;
    visitor.leave().await;
    stranger.leave().await;
}

fn short(link: &str) -> String {
    link.chars().skip_while(|c| *c != '#').take(40).collect()
}

#[tokio::test]
async fn the_last_scenario_survives_a_reload_without_a_link() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.fill(DISK, "1234").await;
    visitor
        .until("the scenario in the address", "location.hash")
        .await;
    visitor.open_link(&scene.host.url()).await;
    assert_eq!(visitor.field(DISK).await, "1234");
    assert_eq!(visitor.value("location.hash").await, json!(""));
    visitor.leave().await;
}

#[tokio::test]
async fn the_last_input_survives_leaving_at_once() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    // In one task, so that the page has no time to write anything down before it is left.
    let script = "const field = document.getElementById(arguments[0]);
        field.value = '1234';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        location.href = 'about:blank';";
    visitor.js(script, vec![json!(DISK)]).await;
    visitor
        .until("the end of the page", "location.href === 'about:blank'")
        .await;
    visitor.open_link(&scene.host.url()).await;
    assert_eq!(visitor.field(DISK).await, "1234");
    visitor.leave().await;
}

#[tokio::test]
async fn a_good_link_in_the_same_tab_can_be_undone() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.choose("preset", "csgo-paper-long").await;
    visitor.headline_with("7.029\u{202f}s").await;
    let link = copied(&visitor).await;
    visitor.choose("preset", "csgo-paper").await;
    visitor.headline_with("2.562\u{202f}s").await;
    copied(&visitor).await; // from now on the address holds another link
    visitor.go(&link).await;
    visitor.headline_with("7.029\u{202f}s").await;
    visitor.click("undo").await;
    visitor.headline_with("2.562\u{202f}s").await;
    visitor.leave().await;
}

#[tokio::test]
async fn looking_at_a_link_does_not_replace_the_work() {
    let scene = Scene::open().await;
    let author = scene.visitor().await;
    author.open().await;
    author.choose("preset", "csgo-paper-long").await;
    author.headline_with("7.029\u{202f}s").await;
    let link = copied(&author).await;

    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.fill(DISK, "1234").await;
    copied(&visitor).await;
    visitor.open_link(&link).await;
    assert_eq!(visitor.field("field-prompt_tokens").await, "8192");
    visitor.open_link(&scene.host.url()).await;
    assert_eq!(visitor.field(DISK).await, "1234");
    author.leave().await;
    visitor.leave().await;
}
