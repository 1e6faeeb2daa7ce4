//! The page out of the program itself: what `edgewise serve` shows, at the root of its address and below a prefix.

use super::page::strings;
use super::scene::Scene;
use super::visitor::{Log, Visitor};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running service; it ends with the test.
pub struct Service {
    child: Child,
    /// `http://127.0.0.1:PORT`.
    pub origin: String,
}

impl Service {
    /// Starts one with these flags.
    pub fn start(flags: &[&str]) -> Self {
        let program = std::env::var("EDGEWISE_COMMAND");
        let program =
            program.expect("EDGEWISE_COMMAND has to name the program: run ./dev test page");
        let mut child = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(flags)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the service starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("standard output is a pipe");
        BufReader::new(out)
            .read_line(&mut line)
            .expect("it says where it listens");
        let origin = line
            .trim()
            .rsplit(' ')
            .next()
            .unwrap_or_default()
            .to_owned();
        Self { child, origin }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Every file that the page has asked for so far, with the status of its answer.
const LOADED: &str =
    "performance.getEntriesByType('resource').map(one => `${one.responseStatus} ${one.name}`)";

/// Opens the page at an address, solves, and goes on to another question; every file comes from below that address.
async fn works(visitor: &mut Visitor, address: String) {
    visitor.url = address;
    visitor.open().await;
    visitor
        .headline_with("First answer in 2.562\u{202f}s")
        .await;
    assert_eq!(visitor.text("proof").await, "Optimal, proven");
    let loaded = strings(&visitor.value(LOADED).await);
    assert!(loaded.len() >= 8, "{loaded:?}");
    let begin = format!("200 {}", visitor.url);
    for file in loaded.iter().filter(|file| !file.contains("blob:")) {
        assert!(file.starts_with(&begin), "{file}");
    }
    visitor.open_link(&format!("{}#tiers", visitor.url)).await;
    let title = visitor.text_of("document.title").await;
    assert!(!title.starts_with("2.562"), "{title}");
}

#[tokio::test]
async fn the_program_shows_the_page_that_it_holds() {
    let (scene, service) = (Scene::open().await, Service::start(&[]));
    let mut visitor = scene.visitor().await;
    works(&mut visitor, format!("{}/", service.origin)).await;
    // The policy of the file is a header as well, and the browser found nothing that breaks it: the console is silent.
    let policy = "fetch('./').then(page => page.headers.get('content-security-policy'))";
    let script = format!("{policy}.then(arguments[0], fault => arguments[0](`${{fault}}`));");
    let policy = visitor.js_async(&script, vec![]).await;
    let policy = policy.as_str().expect("there is a policy");
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
    visitor.leave().await;
}

#[tokio::test]
async fn below_a_prefix_everything_is_found_too() {
    let service = Service::start(&["--prefix", "/tools/edgewise"]);
    let scene = Scene::open().await;
    let mut visitor = scene.visitor_with(Log::Network).await;
    let address = format!("{}/tools/edgewise/", service.origin);
    works(&mut visitor, address.clone()).await;
    // Without its last slash the address leads to the page all the same.
    visitor.open_link(address.trim_end_matches('/')).await;
    assert_eq!(visitor.text_of("location.href").await, address);
    // The description and its style.
    visitor.go(&format!("{address}api/")).await;
    let styled = "[...document.styleSheets].every(sheet => sheet.cssRules.length > 5) && document.styleSheets.length === 1";
    visitor.until("the style of the description", styled).await;
    let asked = visitor.requests().await;
    for url in asked.iter().filter(|url| url.starts_with("http")) {
        assert!(url.starts_with(address.trim_end_matches('/')), "{url}");
    }
    visitor.leave().await;
}
