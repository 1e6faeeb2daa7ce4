//! Browsers, which are kept from test to test: starting one, and compiling the page in it, takes longer than most tests.
//!
//! A visit is as fresh as in a browser of its own: it has the browser to itself, a tab of its own, and an origin of which
//! the browser remembers nothing. What outlives it is the compiled program, which a second tab holds on to. A browser
//! whose visit went wrong is not used again.

use super::chrome::{ChromeCommand, LogEntry};
use super::driver::Driver;
use super::host::{FOLDER, Host};
use super::visitor::Log;
use fantoccini::wd::{Capabilities, WindowHandle};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// Browsers that nobody uses at the moment.
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());
/// How long a script may take that types into every field there is, on a busy machine.
const SCRIPTS: Duration = Duration::from_secs(100);
/// How long a page may take to load.
const LOADS: Duration = Duration::from_secs(60);

/// Runs the sessions of all browsers. A session and its connections belong to the runtime that opened them, and a browser
/// outlives the runtime of the test that started it. Clients send their commands here from any runtime.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let mut builder = Builder::new_multi_thread();
    let runtime = builder.worker_threads(1).enable_all().build();
    runtime.expect("a runtime needs a thread and nothing else")
});

fn idle() -> MutexGuard<'static, Vec<Browser>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where Debian installs the program below.
const HEADLESS_SHELL: &str = "/usr/lib/chromium/chromium-headless-shell";

/// Programs of Chromium.
#[derive(Clone, Copy, PartialEq)]
pub enum Program {
    /// The browser that people use, without a window.
    Full,
    /// Chromium's engine without the rest of a browser, which takes a third less CPU. Where it is not installed the browser
    /// takes its place; `EDGEWISE_HEADLESS_SHELL` names another path of it.
    Shell,
}

impl Program {
    /// What a session that is to start it asks for: the name of the browser, and its options.
    fn capabilities(self, switches: &[&str]) -> [(&'static str, Value); 2] {
        let path = env::var_os("EDGEWISE_HEADLESS_SHELL").map(PathBuf::from);
        let path = path.unwrap_or_else(|| HEADLESS_SHELL.into());
        let has_shell = self == Self::Shell && path.exists();
        let (name, options) = if has_shell {
            (
                "chrome-headless-shell",
                json!({ "args": switches, "binary": path }),
            )
        } else {
            ("chrome", json!({ "args": switches }))
        };
        [
            ("browserName", json!(name)),
            ("goog:chromeOptions", options),
        ]
    }
}

/// A running browser. It ends when it is dropped, or with the test program.
pub struct Browser {
    /// Client of the WebDriver session.
    pub client: Client,
    /// The tab that is open between visits.
    home: WindowHandle,
    is_kept: bool,
    _driver: Driver,
}

impl Browser {
    /// One that has been used before, or a new one that holds the page compiled.
    pub async fn warm(dist: &Path) -> Self {
        let found = idle().pop();
        if let Some(browser) = found {
            return browser;
        }
        let mut browser = Self::cold(Program::Shell, Log::Console).await;
        browser.compile(dist).await;
        browser.is_kept = true;
        browser
    }

    /// A new one that has never seen the page.
    pub async fn cold(program: Program, log: Log) -> Self {
        let driver = Driver::start();
        let profile = format!(
            "--user-data-dir={}",
            driver.folder().join("profile").display()
        );
        let switches = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--disable-sync",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--no-default-browser-check",
            "--no-proxy-server",
            "--hide-scrollbars",
            "--window-size=1440,900",
            // It ends when its driver does.
            "--remote-debugging-pipe",
            // What one tab has compiled is there for the next.
            "--process-per-site",
            profile.as_str(),
        ];
        let logs = match log {
            Log::Console => json!({ "browser": "ALL" }),
            Log::Network => json!({ "browser": "ALL", "performance": "ALL" }),
        };
        let settings = [
            ("goog:loggingPrefs", logs),
            (
                "timeouts",
                json!({
                    "script": SCRIPTS.as_millis() as u64,
                    "pageLoad": LOADS.as_millis() as u64,
                }),
            ),
        ];
        let capabilities = program.capabilities(&switches).into_iter().chain(settings);
        let capabilities = capabilities.map(|(name, value)| (name.to_owned(), value));
        let client = connect(driver.url(), capabilities.collect()).await;
        let home = client.window().await.expect("a browser opens with a tab");
        Self {
            client,
            home,
            is_kept: false,
            _driver: driver,
        }
    }

    /// Has the tab that stays compile the page's programs, from a host that goes again.
    async fn compile(&self, dist: &Path) {
        let host = Host::start(dist).await;
        let files = fs::read_dir(dist).expect("the built page is a folder");
        let names = files.map(|entry| entry.expect("a folder can be listed").file_name());
        let names: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        let style = names.iter().find(|name| name.ends_with(".css"));
        let style = style.expect("the built page has a style");
        let programs: Vec<&String> = names.iter().filter(|n| n.ends_with(".wasm")).collect();
        let plain = format!("{}{FOLDER}/{style}", host.origin());
        self.client
            .goto(&plain)
            .await
            .unwrap_or_else(|fault| panic!("going to {plain}: {fault}"));
        let keep = "const [names, done] = arguments;
            Promise.all(names.map(name => WebAssembly.compileStreaming(fetch(name))))
                .then(programs => { globalThis.kept = programs; done(''); }, fault => done('' + fault));";
        let said = self
            .client
            .execute_async(keep, vec![json!(programs)])
            .await
            .expect("a browser runs scripts");
        assert_eq!(said, json!(""), "compiling {programs:?}");
    }

    /// Runs a command of the Chrome DevTools Protocol in the current tab.
    pub async fn cdp(&self, method: &str, parameters: Value) -> Value {
        let command = ChromeCommand::DevTools {
            method: method.to_owned(),
            parameters,
        };
        let result = self.client.issue_cmd(command).await;
        result.unwrap_or_else(|fault| panic!("{method}: {fault}"))
    }

    /// Entries of a log since the last call: `browser` is the console, `performance` needs [`Log::Network`].
    pub async fn take_log(&self, kind: &'static str) -> Vec<LogEntry> {
        let response = self.client.issue_cmd(ChromeCommand::TakeLog { kind }).await;
        let response = response.unwrap_or_else(|fault| panic!("log {kind}: {fault}"));
        LogEntry::list_from_json(&response)
            .unwrap_or_else(|| panic!("log {kind} is no list of entries: {response}"))
    }

    /// The current tab.
    pub async fn tab(&self) -> WindowHandle {
        let tab = self.client.window().await;
        tab.expect("a tab has a handle")
    }

    /// Opens a tab; the current one stays current.
    pub async fn new_tab(&self) -> WindowHandle {
        let opened = self.client.new_window(true).await;
        opened.expect("a browser opens tabs").handle
    }

    /// Makes a tab current and brings it to the front: otherwise its page has no focus before it is clicked.
    pub async fn switch_to_tab(&self, tab: &WindowHandle) {
        let switched = self.client.switch_to_window(tab.clone()).await;
        switched.expect("an open tab can be switched to");
        self.cdp("Page.bringToFront", json!({})).await;
    }

    /// Closes the current tab; another one has to be made current after that.
    pub async fn close_tab(&self) {
        let closed = self.client.close_window().await;
        closed.expect("a tab can be closed");
    }

    /// Opens a tab for somebody who has never been at this origin and saves files in a folder of their own.
    pub async fn receive(&self, origin: &str, downloads: &Path) {
        let tab = self.new_tab().await;
        self.switch_to_tab(&tab).await;
        let all = json!({ "origin": origin, "storageTypes": "all" });
        self.cdp("Storage.clearDataForOrigin", all).await;
        self.cdp("Network.clearBrowserCache", json!({})).await;
        self.cdp("Browser.resetPermissions", json!({})).await;
        let downloads = json!({ "behavior": "allow", "downloadPath": downloads });
        self.cdp("Browser.setDownloadBehavior", downloads).await;
        self.take_log("browser").await; // lines of earlier visits
    }

    /// Closes the visitor's tab and waits for the next visitor, or ends where the next would not find what it expects.
    pub async fn dismiss(self) {
        if !self.is_kept {
            return;
        }
        self.close_tab().await;
        let home = self.client.switch_to_window(self.home.clone()).await;
        home.expect("the first tab stays open");
        idle().push(self);
    }
}

/// Opens a session on [`RUNTIME`].
async fn connect(url: String, capabilities: Capabilities) -> Client {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    let session = RUNTIME.spawn(async move {
        let mut builder = ClientBuilder::new(connector);
        builder.capabilities(capabilities).connect(&url).await
    });
    let client = session.await.expect("the runtime is never shut down");
    let client = client.unwrap_or_else(|fault| panic!("chromedriver opens no Chromium: {fault}"));
    // Otherwise the client deletes the session when it is dropped, while the driver ends and closes its browser.
    let kept = client.persist().await;
    kept.expect("a session can be kept open");
    client
}
