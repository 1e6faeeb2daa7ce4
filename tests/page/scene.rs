//! What every test starts with: the built page on a host, browsers, and room for what they save.

use super::browser::Browser;
use super::host::Host;
use super::visitor::{Log, Visitor};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Tests that measure time run alone; all others share the machine.
static MACHINE: RwLock<()> = RwLock::new(());
static SCENES: AtomicUsize = AtomicUsize::new(0);

enum Turn {
    Shared {
        _guard: RwLockReadGuard<'static, ()>,
    },
    Alone {
        _guard: RwLockWriteGuard<'static, ()>,
    },
}

/// One test's world. The turn ends last of all.
pub struct Scene {
    /// The host.
    pub host: Host,
    dist: PathBuf,
    folder: Folder,
    visitors: AtomicUsize,
    turn: Turn,
}

impl Scene {
    /// A scene beside others.
    pub async fn open() -> Self {
        let guard = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
        Self::with(Turn::Shared { _guard: guard }).await
    }

    /// A scene with the machine to itself, to measure time.
    pub async fn alone() -> Self {
        let guard = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
        Self::with(Turn::Alone { _guard: guard }).await
    }

    async fn with(turn: Turn) -> Self {
        let dist = dist();
        Self {
            host: Host::start(&dist).await,
            dist,
            folder: Folder::new(),
            visitors: AtomicUsize::new(0),
            turn,
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
        // Time is measured, and requests are watched, in a browser that is new.
        let browser = match (&self.turn, log) {
            (Turn::Shared { .. }, Log::Console) => Browser::warm(&self.dist).await,
            _ => Browser::cold(log).await,
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
