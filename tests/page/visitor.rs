//! Somebody with a browser of their own.

use super::browser::Browser;
use super::host::Host;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thirtyfour::TypingData;
use thirtyfour::prelude::*;

/// How long anything on the page may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(40);
/// Between two looks at what is saved or pressed.
const GLANCE: Duration = Duration::from_millis(20);

/// Looks at an expression from inside the page, which costs less than asking for it again and again, for a second at
/// most: a page that is left answers no more.
const LOOK: &str = "
    const done = arguments[0], until = performance.now() + 1000;
    const look = () => {
        let value;
        try { value = (EXPRESSION); } catch (fault) { return done({ fault: String(fault) }); }
        if (value || performance.now() > until) done({ value }); else setTimeout(look, 10);
    };
    look();";

/// Brings an element into the middle of the window, waits until it has stood still for two frames, and
/// notes whether the next press reaches it.
const STAND_STILL: &str = "
    const [element, done] = arguments;
    element.scrollIntoView({ block: 'center' });
    globalThis.pressArrived = false;
    element.addEventListener('click', () => { globalThis.pressArrived = true; }, { capture: true, once: true });
    const place = () => { const r = element.getBoundingClientRect(); return `${r.x} ${r.y} ${r.width} ${r.height}`; };
    let before = place(), still = 0;
    const look = () => {
        const now = place();
        still = now === before ? still + 1 : 0;
        before = now;
        if (still >= 2) done(true); else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);";

/// What is kept of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Log {
    /// What the browser's console says.
    Console,
    /// Also every request of the page, whether it reaches a host or not.
    Network,
}

/// A browser, and the page it is for.
pub struct Visitor {
    /// Address of the page.
    pub url: String,
    /// The browser's remote control.
    pub browser: WebDriver,
    lease: Browser,
    origin: String,
    downloads: PathBuf,
}

impl Visitor {
    /// Opens a tab in which nobody has been at the host before.
    pub async fn new(lease: Browser, host: &Host, downloads: PathBuf) -> Self {
        lease.receive(&host.origin(), &downloads).await;
        Self {
            url: host.url(),
            browser: lease.driver.clone(),
            lease,
            origin: host.origin(),
            downloads,
        }
    }

    /// Where the browser saves files.
    pub fn downloads(&self) -> PathBuf {
        self.downloads.clone()
    }

    /// A command of the browser's own protocol.
    pub async fn cdp(&self, method: &str, parameters: Value) -> Value {
        self.lease.cdp(method, parameters).await
    }

    /// Has a script run before those of every page opened from now on.
    pub async fn before_pages(&self, script: &str) {
        let source = json!({ "source": script });
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source)
            .await;
    }

    /// Lets the page read the clipboard.
    pub async fn allow_clipboard(&self) {
        let permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
        let grant = json!({ "origin": self.origin, "permissions": permissions });
        self.cdp("Browser.grantPermissions", grant).await;
    }

    /// Goes to an address.
    pub async fn go(&self, url: &str) {
        let went = self.browser.goto(url).await;
        went.unwrap_or_else(|fault| panic!("going to {url}: {fault}"));
    }

    /// Loads the page anew.
    pub async fn reload(&self) {
        let went = self.browser.refresh().await;
        went.unwrap_or_else(|fault| panic!("loading again: {fault}"));
    }

    /// Runs a function body in the page.
    pub async fn js(&self, script: &str, arguments: Vec<Value>) -> Value {
        let result = self.browser.execute(script, arguments).await;
        let result = result.unwrap_or_else(|fault| panic!("{script}: {fault}"));
        result.json().clone()
    }

    /// Runs a function body in the page that ends by calling the last of its arguments.
    pub async fn js_async(&self, script: &str, arguments: Vec<Value>) -> Value {
        let result = self.browser.execute_async(script, arguments).await;
        let result = result.unwrap_or_else(|fault| panic!("{script}: {fault}"));
        result.json().clone()
    }

    /// The value of an expression.
    pub async fn value(&self, expression: &str) -> Value {
        self.js(&format!("return ({expression});"), vec![]).await
    }

    /// The text of an expression, empty when it has none.
    pub async fn text_of(&self, expression: &str) -> String {
        let value = self.value(expression).await;
        value.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression is true in JavaScript's sense, and returns it.
    pub async fn until(&self, what: &str, expression: &str) -> Value {
        let since = Instant::now();
        let look = LOOK.replace("EXPRESSION", expression);
        loop {
            // While one page makes way for another, nothing can be asked.
            let seen = match self.browser.execute_async(look.as_str(), vec![]).await {
                Ok(seen) => seen.json().clone(),
                Err(_) => self.value("{}").await,
            };
            if let Some(fault) = seen["fault"].as_str() {
                panic!("{what}: {expression}: {fault}");
            }
            let value = &seen["value"];
            let is_true = !matches!(value, Value::Null | Value::Bool(false))
                && *value != json!("")
                && *value != json!(0);
            if is_true {
                return value.clone();
            }
            if since.elapsed() > PATIENCE {
                let (at, seen) = (
                    self.text_of("location.href").await,
                    self.text_of("document.body.innerText").await,
                );
                panic!(
                    "waited {PATIENCE:?} for {what}: {expression}\nthe page at {at} reads:\n{seen}"
                );
            }
        }
    }

    /// The element with this id.
    pub async fn element(&self, id: &str) -> WebElement {
        let found = self.browser.find(By::Id(id)).await;
        found.unwrap_or_else(|fault| panic!("#{id}: {fault}"))
    }

    /// Presses an element as a pointer does, in the middle of the screen where no bar lies over it.
    pub async fn click(&self, id: &str) {
        let element = self.element(id).await;
        self.press(&element, &format!("#{id}")).await;
    }

    /// Presses an element once it stands still: parts of the page that arrive above it push it down, and a
    /// press on the place where it was a moment ago would hit something else, or nothing. A press that did
    /// not reach the element is made again, as a person would.
    async fn press(&self, element: &WebElement, what: &str) {
        let handle = element.to_json().expect("an element has a handle");
        let since = Instant::now();
        loop {
            self.js_async(STAND_STILL, vec![handle.clone()]).await;
            let clicked = element.click().await;
            let arrived = "return globalThis.pressArrived !== false;"; // another page knows of none
            match clicked {
                // A press that leads to another page takes its traces along.
                Ok(()) => match self.browser.execute(arrived, vec![]).await {
                    Ok(answer) if answer.json() == &json!(false) => {}
                    _ => return,
                },
                Err(fault) if since.elapsed() > PATIENCE => panic!("{what}: {fault}"),
                Err(_) => tokio::time::sleep(GLANCE).await,
            }
            assert!(since.elapsed() < PATIENCE, "no press reaches {what}");
        }
    }

    /// Presses the first element that matches a selector.
    pub async fn click_css(&self, selector: &str) {
        let found = self.browser.find(By::Css(selector)).await;
        let found = found.unwrap_or_else(|fault| panic!("{selector}: {fault}"));
        self.press(&found, selector).await;
    }

    /// Types into whatever has the focus.
    pub async fn keys(&self, keys: impl Into<TypingData>) {
        let chain = self.browser.action_chain().send_keys(keys);
        chain.perform().await.expect("keys can be pressed");
    }

    /// Presses a key while others are held.
    pub async fn chord(&self, held: &[Key], key: impl Into<char>) {
        let chain = self.browser.action_chain();
        let chain = held
            .iter()
            .fold(chain, |chain, key| chain.key_down(key.clone()));
        let chain = chain.send_keys(key.into().to_string());
        let chain = held
            .iter()
            .fold(chain, |chain, key| chain.key_up(key.clone()));
        chain.perform().await.expect("keys can be pressed");
    }

    /// Waits for a file to be saved, and reads it.
    pub async fn saved(&self, ending: &str) -> (String, String) {
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            if let Some(path) = newest(&self.downloads(), ending) {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                // The name is taken by an empty file until the whole one moves to its place.
                if !text.is_empty() {
                    return (name.into_owned(), text);
                }
            }
            tokio::time::sleep(GLANCE).await;
        }
        let there: Vec<PathBuf> = entries(&self.downloads());
        let toast = self
            .text_of("document.getElementById('toast')?.textContent")
            .await;
        panic!(
            "nothing that ends in {ending} was saved; there are {there:?}; the page says \"{toast}\""
        );
    }

    /// What the console said since the last time.
    pub async fn console(&self) -> Vec<String> {
        let log = self.browser.browser_log().await;
        let log = log.expect("the browser keeps its console");
        log.into_iter()
            .map(|entry| format!("{} {}", entry.level, entry.message))
            .collect()
    }

    /// Addresses of all requests since the last time; needs [`Log::Network`].
    pub async fn requests(&self) -> Vec<String> {
        let log = self.browser.get_log("performance").await;
        let log = log.expect("the browser keeps its requests");
        let events = log.into_iter().filter_map(|entry| {
            let event: Value = serde_json::from_str(&entry.message).ok()?;
            (event["message"]["method"] == "Network.requestWillBeSent")
                .then(|| event["message"]["params"]["request"]["url"].clone())
        });
        events
            .map(|url| url.as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// Ends a visit in which the console had nothing to say.
    pub async fn leave(self) {
        self.leave_after(&[]).await;
    }

    /// Ends a visit in which the console said nothing but lines that hold one of these.
    pub async fn leave_after(self, expected: &[&str]) {
        let mut lines = self.console().await;
        lines.retain(|line| !expected.iter().any(|part| line.contains(part)));
        assert!(lines.is_empty(), "the console is not silent: {lines:#?}");
        self.lease.dismiss().await;
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect()
}

fn newest(folder: &Path, ending: &str) -> Option<PathBuf> {
    let mut paths = entries(folder).into_iter();
    paths.find(|path| path.to_string_lossy().ends_with(ending))
}
