//! A chromedriver that ends with whoever started it, however that ends, and takes its browser along.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// How often one is started before it is given up.
const ATTEMPTS: usize = 5;

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
    // A driver whose output nobody could read would end with the first line it prints.
    output: BufReader<ChildStdout>,
}

impl Driver {
    /// Starts one on a free port; `room` goes when it ends. It takes a port for IPv6 and then the same for IPv4, which
    /// somebody else may have by then: so it is asked again.
    pub fn start(room: &Path) -> Self {
        let program = env::var("CHROMEDRIVER").unwrap_or_else(|_| "/usr/bin/chromedriver".into());
        let mut said = String::new();
        for _ in 0..ATTEMPTS {
            match Self::try_start(&program, room) {
                Ok(driver) => return driver,
                Err(words) => said = words,
            }
        }
        panic!(
            "{program} does not start, and the page's tests need it; CHROMEDRIVER may name another: {said}"
        );
    }

    /// Starts one, or hands back what it said before it ended.
    fn try_start(program: &str, room: &Path) -> Result<Self, String> {
        let mut child = Command::new("sh")
            .args(["-c", KEEPER, program])
            .arg(room)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("this machine has a shell");
        let output = child.stdout.take().expect("its output is piped");
        let mut driver = Self {
            child,
            port: 0,
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
