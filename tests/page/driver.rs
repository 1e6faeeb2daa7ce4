//! A chromedriver that ends with the process that started it, however that ends, and takes its browser along.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{self, Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How often one is started before it is given up.
const ATTEMPTS: usize = 5;

/// Length of the longest path that can be `TMPDIR`, in bytes. Chromium makes the socket
/// `org.chromium.Chromium.scoped_dir.XXXXXX/SingletonSocket` in it, and does not start if the path of the socket is longer
/// than the 107 bytes that the system has for it.
const LONGEST_TMPDIR: usize = 51;

/// How many have been started by this process.
static STARTED: AtomicUsize = AtomicUsize::new(0);

/// Runs the driver until nobody holds the shell's input any more, and clears up after it. Browsers outlive tests, and
/// at the end of a test program nobody is asked to drop anything: the closed pipe is the one sign that never fails.
/// The shell lets go of its own output, so that a driver that ends is seen to. A browser may still write its last lines
/// while its folder is removed.
const KEEPER: &str = r#"
    "$0" --port=0 &
    driver=$!
    exec >&-
    read -r _
    kill $driver
    for again in 1 2 3; do sleep 1; rm -rf "$1"; done
"#;

/// A running chromedriver.
pub struct Driver {
    child: Child,
    port: u16,
    folder: PathBuf,
    // A driver whose output nobody could read would end with the first line it prints.
    output: BufReader<ChildStdout>,
}

impl Driver {
    /// Starts one on a free port. It takes a port for IPv6 and then the same for IPv4, which another process may have by
    /// then: so it is started again.
    pub fn start() -> Self {
        let program = env::var("CHROMEDRIVER").unwrap_or_else(|_| "/usr/bin/chromedriver".into());
        let mut said = String::new();
        for _ in 0..ATTEMPTS {
            match Self::try_start(&program) {
                Ok(driver) => return driver,
                Err(words) => said = words,
            }
        }
        panic!(
            "{program} does not start, and the page's tests need it; CHROMEDRIVER may name another: {said}"
        );
    }

    /// Starts one with a folder of its own, or returns its output if it ends at once. The folder is new for each attempt:
    /// the shell of an earlier one is still removing its own.
    fn try_start(program: &str) -> Result<Self, String> {
        let folder = new_folder();
        let temporary = folder.join("t");
        fs::create_dir_all(&temporary).expect("the target folder can be written");
        let mut command = Command::new("sh");
        command.args(["-c", KEEPER, program]).arg(&folder);
        // Driver and browser inherit it, so that nothing of them stays in the machine's folder for temporary files.
        if temporary.as_os_str().len() <= LONGEST_TMPDIR {
            command.env("TMPDIR", &temporary);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("this machine has a shell");
        let output = child.stdout.take().expect("its output is piped");
        let mut driver = Self {
            child,
            port: 0,
            folder,
            output: BufReader::new(output),
        };
        let mut said = String::new();
        while driver.port == 0 {
            let read = driver.output.read_line(&mut said);
            if !read.is_ok_and(|bytes| bytes > 0) {
                return Err(said);
            }
            let port = said.rsplit_once("started successfully on port ");
            let port =
                port.and_then(|(_, port)| port.trim_end().trim_end_matches('.').parse().ok());
            driver.port = port.unwrap_or_default();
        }
        Ok(driver)
    }

    /// Its folder, for the browser's profile as well. It is removed when the driver ends.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        drop(self.child.stdin.take()); // the shell does the rest, and nobody has to wait for it
    }
}

/// Path of a new folder below the target folder. The name is short because of [`LONGEST_TMPDIR`].
fn new_folder() -> PathBuf {
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    let name = format!("browser-{}-{number}", process::id());
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}
