//! Browsers, which are kept from test to test: starting one, and compiling the page in it, takes longer than most tests.
//!
//! A visit is as fresh as in a browser of its own: it has the browser to itself, a tab of its own, and an origin of which
//! the browser remembers nothing. What outlives it is the compiled program, which a second tab holds on to. A browser
//! whose visit went wrong is not used again.

use super::driver::Driver;
use super::host::{FOLDER, Host};
use super::visitor::Log;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use thirtyfour::TimeoutConfiguration;
use thirtyfour::prelude::*;

/// Browsers that nobody uses at the moment.
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());
/// How long a script may take that types into every field there is, on a busy machine.
const SCRIPTS: Duration = Duration::from_secs(100);

static STARTED: AtomicUsize = AtomicUsize::new(0);

fn idle() -> MutexGuard<'static, Vec<Browser>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running browser. It ends when it is dropped, or with the test program.
pub struct Browser {
    /// Its remote control.
    pub driver: WebDriver,
    /// The tab that is open between visits.
    home: WindowHandle,
    is_kept: bool,
    _ends: Driver,
}

impl Browser {
    /// One that has been used before, or a new one that holds the page compiled.
    pub async fn warm(dist: &Path) -> Self {
        let found = idle().pop();
        if let Some(browser) = found {
            return browser;
        }
        let mut browser = Self::cold(Log::Console).await;
        browser.compile(dist).await;
        browser.is_kept = true;
        browser
    }

    /// A new one that has never seen the page.
    pub async fn cold(log: Log) -> Self {
        let room = room();
        let keeper = Driver::start(&room);
        let mut capabilities = DesiredCapabilities::chrome();
        let profile = format!("--user-data-dir={}", room.join("profile").display());
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
        for switch in switches {
            capabilities.add_arg(switch).expect("a switch is a string");
        }
        let logs = match log {
            Log::Console => json!({ "browser": "ALL" }),
            Log::Network => json!({ "browser": "ALL", "performance": "ALL" }),
        };
        capabilities
            .set("goog:loggingPrefs", logs)
            .expect("a capability is JSON");
        // A connection belongs to the runtime of the test that made it, and the browser outlives the test: none is kept.
        let client = reqwest::Client::builder()
            .no_proxy()
            .pool_max_idle_per_host(0)
            .build()
            .expect("a client that needs nothing");
        let driver = WebDriver::builder(keeper.url(), capabilities)
            .client(client)
            .await
            .unwrap_or_else(|fault| panic!("chromedriver opens no Chromium: {fault}"));
        let patience = TimeoutConfiguration::new(Some(SCRIPTS), None, None);
        let set = driver.update_timeouts(patience).await;
        set.expect("a browser can be told to wait longer for scripts");
        let home = driver.window().await.expect("a browser opens with a tab");
        Self {
            driver,
            home,
            is_kept: false,
            _ends: keeper,
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
        self.driver
            .goto(&plain)
            .await
            .unwrap_or_else(|fault| panic!("going to {plain}: {fault}"));
        let keep = "const [names, done] = arguments;
            Promise.all(names.map(name => WebAssembly.compileStreaming(fetch(name))))
                .then(programs => { globalThis.kept = programs; done(''); }, fault => done('' + fault));";
        let said = self
            .driver
            .execute_async(keep, vec![json!(programs)])
            .await
            .expect("a browser runs scripts");
        assert_eq!(said.json(), &json!(""), "compiling {programs:?}");
    }

    /// A command of the browser's own protocol.
    pub async fn cdp(&self, method: &str, parameters: Value) -> Value {
        let result = self.driver.cdp().send_raw(method, parameters).await;
        result.unwrap_or_else(|fault| panic!("{method}: {fault}"))
    }

    /// Opens a tab for somebody who has never been at this origin and saves files in a folder of their own.
    pub async fn receive(&self, origin: &str, downloads: &Path) {
        let tab = self.driver.new_tab().await.expect("a browser opens tabs");
        let to_tab = self.driver.switch_to_window(tab).await;
        to_tab.expect("an open tab can be switched to");
        // Otherwise it has no focus before somebody clicks into it.
        self.cdp("Page.bringToFront", json!({})).await;
        let all = json!({ "origin": origin, "storageTypes": "all" });
        self.cdp("Storage.clearDataForOrigin", all).await;
        self.cdp("Network.clearBrowserCache", json!({})).await;
        self.cdp("Browser.resetPermissions", json!({})).await;
        let downloads = json!({ "behavior": "allow", "downloadPath": downloads });
        self.cdp("Browser.setDownloadBehavior", downloads).await;
        let earlier = self.driver.browser_log().await;
        earlier.expect("the browser keeps its console");
    }

    /// Closes the visitor's tab and waits for the next visitor, or ends where the next would not find what it expects.
    pub async fn dismiss(self) {
        if !self.is_kept {
            return;
        }
        let closed = self.driver.close_window().await;
        closed.expect("a tab can be closed");
        let home = self.driver.switch_to_window(self.home.clone()).await;
        home.expect("the first tab stays open");
        idle().push(self);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver closes its browser as it ends; asking for it here would wait for ever.
        let _ = self.driver.clone().leak(); // there is no other owner to say so
    }
}

/// A folder for a profile; its driver removes it.
fn room() -> PathBuf {
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    let name = format!("browser-{}-{number}", process::id());
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}
