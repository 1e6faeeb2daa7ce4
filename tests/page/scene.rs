//! What every test starts with: the built page on a host, browsers, and room for what they save.

use super::browser::Browser;
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
    has_new_browsers: bool,
}

impl Scene {
    /// A scene whose visitors use browsers of earlier tests again.
    pub async fn open() -> Self {
        Self::with(false).await
    }

    /// A scene in which every visitor has a new browser. For tests that measure time, which are in [`crate::timing`].
    pub async fn timed() -> Self {
        Self::with(true).await
    }

    async fn with(has_new_browsers: bool) -> Self {
        let dist = dist();
        Self {
            host: Host::start(&dist).await,
            dist,
            folder: Folder::new(),
            visitors: AtomicUsize::new(0),
            has_new_browsers,
        }
    }

    /// A folder of this scene.
    pub fn room(&self, name: &str) -> PathBuf {
        let path = self.folder.0.join(name);
        fs::create_dir_all(&path).expect("the target folder can be written");
        path
    }

    /// Somebody who has never been here.
    pub async fn visitor(&self) -> Visitor {
        self.visitor_with(Log::Console).await
    }

    /// Somebody who has never been here, and what is kept of the visit.
    pub async fn visitor_with(&self, log: Log) -> Visitor {
        let number = self.visitors.fetch_add(1, Ordering::Relaxed);
        let downloads = self.folder.0.join(format!("visitor-{number}"));
        // An earlier visit would leave requests in the log.
        let browser = if self.has_new_browsers || log == Log::Network {
            Browser::cold(log).await
        } else {
            Browser::warm(&self.dist).await
        };
        Visitor::new(browser, &self.host, downloads).await
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
