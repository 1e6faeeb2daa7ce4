//! A chromedriver of one's own, which takes its browsers along when it ends.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a driver may take to close its browsers.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often one is started before it is given up.
const ATTEMPTS: usize = 5;

/// A running chromedriver.
pub struct Driver {
    child: Child,
    port: u16,
    // A driver whose output nobody could read would end with the first line it prints.
    output: BufReader<ChildStdout>,
}

impl Driver {
    /// Starts one on a free port. It takes one for IPv6 and then the same for IPv4, which somebody else may have
    /// by then: so it is asked again.
    pub fn start() -> Self {
        let program = env::var("CHROMEDRIVER").unwrap_or_else(|_| "/usr/bin/chromedriver".into());
        let mut said = String::new();
        for _ in 0..ATTEMPTS {
            match Self::try_start(&program) {
                Ok(driver) => return driver,
                Err(words) => said = words,
            }
        }
        panic!("{program} does not start: {said}");
    }

    /// Starts one, or hands back what it said before it ended.
    fn try_start(program: &str) -> Result<Self, String> {
        let mut child = Command::new(program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|fault| {
                panic!(
                    "the page's tests need chromedriver ({program}: {fault}); CHROMEDRIVER may name another"
                )
            });
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

    fn ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Asked to shut down, it closes its browsers; killed, it would leave them running.
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let _ = stream.write_all(b"GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            let asked = Instant::now();
            while !self.ended() && asked.elapsed() < PATIENCE {
                sleep(Duration::from_millis(10));
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
