//! What every test starts with: the built page on a host, browsers, and room for what they save.

use super::browser::{Browser, Program};
use super::host::Host;
use super::visitor::{Log, Visitor};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

static SCENES: AtomicUsize = AtomicUsize::new(0);

/// One test's world.
pub struct Scene {
    /// The host.
    pub host: Host,
    dist: PathBuf,
    folder: Folder,
    visitors: AtomicUsize,
    is_timed: bool,
}

impl Scene {
    /// A scene whose visitors use browsers of earlier tests again.
    pub async fn open() -> Self {
        Self::with(false).await
    }

    /// A scene in which every visitor has a new browser, and the one that people use. For tests that measure time, which are
    /// in [`crate::timing`].
    pub async fn timed() -> Self {
        Self::with(true).await
    }

    async fn with(is_timed: bool) -> Self {
        let dist = dist();
        Self {
            host: Host::start(&dist).await,
            dist,
            folder: Folder::new(),
            visitors: AtomicUsize::new(0),
            is_timed,
        }
    }

    /// A folder of this scene.
    pub fn room(&self, name: &str) -> PathBuf {
        let path = self.folder.0.join(name);
        fs::create_dir_all(&path).expect("the target folder can be written");
        path
    }

    /// Somebody who has never been here, in a browser that is set to save data.
    pub async fn visitor(&self) -> Visitor {
        self.visitor_with(Log::Console).await
    }

    /// Somebody who has never been here, and what is kept of the visit.
    pub async fn visitor_with(&self, log: Log) -> Visitor {
        let number = self.visitors.fetch_add(1, Ordering::Relaxed);
        let downloads = self.folder.0.join(format!("visitor-{number}"));
        if self.is_timed || log == Log::Network {
            let program = if self.is_timed {
                Program::Full
            } else {
                Program::Shell
            };
            // A new one: an earlier visit would leave requests in the log.
            let browser = Browser::cold(program, log).await;
            return Visitor::new(browser, &self.host, downloads).await;
        }
        let browser = Browser::warm(&self.dist).await;
        let visitor = Visitor::new(browser, &self.host, downloads).await;
        // Most tests use a part of the page; loading and keeping the rest would take a tenth of their time.
        visitor.set_data_saver(true).await;
        visitor
    }
}

/// The folder of the built page.
pub fn dist() -> PathBuf {
    let Some(dist) = env::var_os("EDGEWISE_DIST").map(PathBuf::from) else {
        panic!("EDGEWISE_DIST has to name the built page: run ./dev test page");
    };
    assert!(
        dist.is_absolute() && dist.join("index.html").is_file(),
        "EDGEWISE_DIST has to be the absolute path of a built page, and {} holds none: run ./dev build",
        dist.display()
    );
    dist
}

/// A folder beside the test programs in which pictures are kept.
pub fn screenshots() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    let folder = target
        .expect("Cargo's folder for tests is in its target folder")
        .join("screenshots");
    fs::create_dir_all(&folder).expect("the target folder can be written");
    folder
}

/// A folder that goes when its test ends.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let number = SCENES.fetch_add(1, Ordering::Relaxed);
        let name = format!("page-{}-{number}", process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("the target folder can be written");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0); // a browser may still write its last lines
    }
}
