//! A user with a browser of their own.

use super::browser::Browser;
use super::host::Host;
use fantoccini::Locator;
use fantoccini::actions::{
    InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
};
use fantoccini::elements::Element;
pub use fantoccini::key::Key;
use serde_json::{Value, json};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long anything on the page may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(90);
/// Between two looks at what is saved or pressed.
const GLANCE: Duration = Duration::from_millis(20);
/// Duration of one pointer move. The driver sends moves in between, as a hand on a mouse does.
const MOVE: Duration = Duration::from_millis(250);

/// Releases the pointer's button.
const RELEASE: PointerAction = PointerAction::Up {
    button: MOUSE_BUTTON_LEFT,
};

/// Evaluates an expression inside the page, again and again for a second at most: a page that is left answers no more.
/// Nine tenths of the time belong to the page, because some expressions lay the page out.
const LOOK: &str = "
    const done = arguments[0], until = performance.now() + 1000;
    const look = () => {
        const since = performance.now();
        let value;
        try { value = (EXPRESSION); } catch (fault) { return done({ fault: String(fault) }); }
        const now = performance.now();
        if (value || now > until) done({ value }); else setTimeout(look, 10 + 9 * (now - since));
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
    /// The browser, with the visitor's tab as the current one.
    pub browser: Browser,
    origin: String,
    downloads: PathBuf,
}

impl Visitor {
    /// Opens a tab in which nobody has been at the host before.
    pub async fn new(browser: Browser, host: &Host, downloads: PathBuf) -> Self {
        browser.receive(&host.origin(), &downloads).await;
        Self {
            url: host.url(),
            browser,
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
        self.browser.cdp(method, parameters).await
    }

    /// Has a script run before those of every page opened from now on.
    pub async fn before_pages(&self, script: &str) {
        let source = json!({ "source": script });
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source)
            .await;
    }

    /// Sets whether the browser asks pages to save data. It applies to the current tab and the pages opened from now on.
    pub async fn set_data_saver(&self, is_on: bool) {
        let setting = json!({ "dataSaverEnabled": is_on });
        self.cdp("Emulation.setDataSaverOverride", setting).await;
    }

    /// Lets the page read the clipboard.
    pub async fn allow_clipboard(&self) {
        let permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
        let grant = json!({ "origin": self.origin, "permissions": permissions });
        self.cdp("Browser.grantPermissions", grant).await;
    }

    /// Goes to an address.
    pub async fn go(&self, url: &str) {
        let went = self.browser.client.goto(url).await;
        went.unwrap_or_else(|fault| panic!("going to {url}: {fault}"));
    }

    /// Loads the page again.
    pub async fn reload(&self) {
        let went = self.browser.client.refresh().await;
        went.unwrap_or_else(|fault| panic!("loading again: {fault}"));
    }

    /// Goes back by the browser's own button.
    pub async fn back(&self) {
        let went = self.browser.client.back().await;
        went.expect("there is a way back");
    }

    /// Goes forward by the browser's own button.
    pub async fn forward(&self) {
        let went = self.browser.client.forward().await;
        went.expect("there is a way forward");
    }

    /// Title of the page.
    pub async fn title(&self) -> String {
        let title = self.browser.client.title().await;
        title.expect("a page has a title")
    }

    /// Runs a function body in the page.
    pub async fn js(&self, script: &str, arguments: Vec<Value>) -> Value {
        let result = self.browser.client.execute(script, arguments).await;
        result.unwrap_or_else(|fault| panic!("{script}: {fault}"))
    }

    /// Runs a function body in the page that ends by calling the last of its arguments.
    pub async fn js_async(&self, script: &str, arguments: Vec<Value>) -> Value {
        let result = self.browser.client.execute_async(script, arguments).await;
        result.unwrap_or_else(|fault| panic!("{script}: {fault}"))
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
        self.until_within(PATIENCE, what, expression).await
    }

    /// The same with another limit.
    pub async fn until_within(&self, limit: Duration, what: &str, expression: &str) -> Value {
        let since = Instant::now();
        let look = LOOK.replace("EXPRESSION", expression);
        loop {
            // While one page makes way for another, nothing can be asked.
            let seen = match self.browser.client.execute_async(&look, vec![]).await {
                Ok(seen) => seen,
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
            if since.elapsed() > limit {
                let (at, seen) = (
                    self.text_of("location.href").await,
                    self.text_of("document.body.innerText").await,
                );
                panic!(
                    "waited {limit:?} for {what}: {expression}\nthe page at {at} reads:\n{seen}"
                );
            }
        }
    }

    /// The first element that matches a CSS selector.
    async fn find(&self, selector: &str) -> Element {
        let found = self.browser.client.find(Locator::Css(selector)).await;
        found.unwrap_or_else(|fault| panic!("{selector}: {fault}"))
    }

    /// Gives an element the focus, wherever it is on the page.
    pub async fn focus(&self, id: &str) {
        let script = "document.getElementById(arguments[0]).focus();";
        self.js(script, vec![json!(id)]).await;
    }

    /// Presses an element as a pointer does, in the middle of the screen where no bar is over it.
    pub async fn click(&self, id: &str) {
        self.click_css(&by_id(id)).await;
    }

    /// Presses an element once it is still: parts of the page that arrive above it push it down, and a
    /// press on the place where it was a moment ago would hit something else, or nothing. A press that did
    /// not reach the element is made again, as a person would.
    async fn press(&self, element: &Element, what: &str) {
        let handle = serde_json::to_value(element).expect("an element has a handle");
        let since = Instant::now();
        loop {
            self.js_async(STAND_STILL, vec![handle.clone()]).await;
            let clicked = element.click().await;
            let arrived = "return globalThis.pressArrived !== false;"; // another page knows of none
            match clicked {
                // A press that leads to another page takes its traces along.
                Ok(()) => match self.browser.client.execute(arrived, vec![]).await {
                    Ok(Value::Bool(false)) => {}
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
        let found = self.find(selector).await;
        self.press(&found, selector).await;
    }

    /// Types into an element, which gets the focus.
    pub async fn type_into(&self, id: &str, keys: &str) {
        let element = self.find(&by_id(id)).await;
        let typed = element.send_keys(keys).await;
        typed.unwrap_or_else(|fault| panic!("#{id}: {fault}"));
    }

    /// Types into whatever has the focus: a text, or one [`Key`].
    pub async fn keys(&self, keys: impl Deref<Target = str>) {
        let actions = keys.chars().fold(keyboard(), press_and_release);
        self.press_keys(actions).await;
    }

    /// Presses a key while others are held.
    pub async fn chord(&self, held: &[Key], key: impl Into<char>) {
        let held: Vec<char> = held.iter().map(|key| char::from(*key)).collect();
        let actions = held.iter().fold(keyboard(), |actions, &value| {
            actions.then(KeyAction::Down { value })
        });
        let actions = press_and_release(actions, key.into());
        let actions = held.iter().fold(actions, |actions, &value| {
            actions.then(KeyAction::Up { value })
        });
        self.press_keys(actions).await;
    }

    async fn press_keys(&self, actions: KeyActions) {
        let pressed = self.browser.client.perform_actions(actions).await;
        pressed.expect("keys can be pressed");
    }

    /// Moves the pointer to a point of the window, in CSS pixels.
    pub async fn point_at(&self, x: f64, y: f64) {
        let to = PointerAction::MoveTo {
            duration: Some(MOVE),
            x,
            y,
        };
        self.use_pointer(mouse().then(to)).await;
    }

    /// Moves the pointer to the middle of an element.
    pub async fn point_at_element(&self, selector: &str) {
        let to = middle_of(self.find(selector).await);
        self.use_pointer(mouse().then(to)).await;
    }

    /// Drags an element by its middle, sideways in steps of so many pixels, and releases the button.
    pub async fn drag_sideways(&self, selector: &str, steps: &[f64]) {
        let drag = hold_and_move(self.find(selector).await, steps);
        self.use_pointer(drag.then(RELEASE)).await;
    }

    /// Drags an element like [`Visitor::drag_sideways`], but keeps the button down until [`Visitor::release_button`].
    pub async fn drag_and_hold(&self, selector: &str, steps: &[f64]) {
        let drag = hold_and_move(self.find(selector).await, steps);
        self.use_pointer(drag).await;
    }

    /// Releases the pointer's button where the pointer is.
    pub async fn release_button(&self) {
        self.use_pointer(mouse().then(RELEASE)).await;
    }

    async fn use_pointer(&self, actions: MouseActions) {
        let moved = self.browser.client.perform_actions(actions).await;
        moved.expect("the pointer can be moved");
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
        let log = self.browser.take_log("browser").await;
        log.into_iter()
            .map(|entry| format!("{} {}", entry.level, entry.message))
            .collect()
    }

    /// Addresses of all requests since the last time; needs [`Log::Network`].
    pub async fn requests(&self) -> Vec<String> {
        let log = self.browser.take_log("performance").await;
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
        self.browser.dismiss().await;
    }
}

/// CSS selector of the element with an id.
fn by_id(id: &str) -> String {
    format!("[id=\"{id}\"]")
}

/// Input of the one keyboard: the driver remembers by this name which keys are down.
fn keyboard() -> KeyActions {
    KeyActions::new("key".to_owned())
}

/// Input of the one mouse: the driver remembers by this name where it is and whether its button is down.
fn mouse() -> MouseActions {
    MouseActions::new("pointer".to_owned())
}

/// Presses a key and releases it.
fn press_and_release(actions: KeyActions, value: char) -> KeyActions {
    actions
        .then(KeyAction::Down { value })
        .then(KeyAction::Up { value })
}

/// Presses the button in the middle of an element and moves the pointer sideways.
fn hold_and_move(element: Element, steps: &[f64]) -> MouseActions {
    let down = PointerAction::Down {
        button: MOUSE_BUTTON_LEFT,
    };
    let held = mouse().then(middle_of(element)).then(down);
    steps.iter().fold(held, |actions, &x| {
        actions.then(PointerAction::MoveBy {
            duration: Some(MOVE),
            x,
            y: 0.0,
        })
    })
}

/// Moves the pointer to the middle of an element.
fn middle_of(element: Element) -> PointerAction {
    PointerAction::MoveToElement {
        element,
        duration: Some(MOVE),
        x: 0.0,
        y: 0.0,
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
