//! `serve`, run as a program and asked over HTTP.

mod answers;
mod crowds;
mod deploy;
mod hostile;
mod refusals;
mod searches;
mod streams;

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use ureq::Agent;
use ureq::http::{HeaderMap, Request};

/// A service of a test's own.
pub(crate) struct Service {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub(crate) address: String,
    agent: Agent,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Got {
    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        let value = value.unwrap_or_else(|| panic!("there is no {name}: {self:?}"));
        value.to_str().expect("headers are text here")
    }

    /// The answer of a request that went well.
    #[track_caller]
    pub(crate) fn answer(&self) -> &str {
        assert_eq!(self.status, 200, "{self:?}");
        &self.body
    }

    /// Refused with this status, code and path; the sentence.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, code: &str, path: &str) -> String {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem: Value = serde_json::from_str(&self.body).expect("a problem is JSON");
        assert_eq!(problem["status"], status);
        assert_eq!(
            (problem["code"].as_str(), problem["path"].as_str()),
            (Some(code), Some(path))
        );
        problem["detail"].as_str().expect("a sentence").to_owned()
    }
}

impl Service {
    /// Starts one on a free port.
    pub(crate) fn start(flags: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_edgewise"))
            .args([&["serve", "--listen", "127.0.0.1:0"], flags].concat())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the service starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("standard output is a pipe");
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("it says where it listens");
        let address = line
            .trim()
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{line:?}");
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // The service closes idle connections, and one that is reused at that moment is reset.
            .max_idle_connections(0)
            .timeout_global(Some(Duration::from_secs(300)));
        let agent = Agent::new_with_config(config.build());
        Self {
            child,
            address,
            agent,
        }
    }

    fn send(&self, request: Request<Vec<u8>>) -> Got {
        let mut answer = self.agent.run(request).expect("the service answers");
        let body = answer
            .body_mut()
            .with_config()
            .limit(100_000_000)
            .read_to_vec();
        Got {
            status: answer.status().as_u16(),
            headers: answer.headers().clone(),
            body: String::from_utf8(body.expect("the body ends")).expect("answers are text"),
        }
    }

    /// Asks with headers.
    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Vec<u8>>,
    ) -> Got {
        let uri = format!("http://{}{path}", self.address);
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(body.into()).expect("a request"))
    }

    pub(crate) fn get(&self, path: &str) -> Got {
        self.ask("GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, document: &str) -> Got {
        self.ask(
            "POST",
            path,
            &[("content-type", "application/json")],
            document,
        )
    }

    /// A line of the figures, such as `edgewise_running`.
    pub(crate) fn figure(&self, name: &str) -> u64 {
        let text = self.get("/metrics").body;
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.map_or(0, |value| value.parse().expect("a number"))
    }

    /// Waits until a figure has a value; how long that took.
    #[track_caller]
    pub(crate) fn wait_for(&self, name: &str, value: u64) -> Duration {
        let begun = Instant::now();
        while self.figure(name) != value {
            let so_far = begun.elapsed();
            assert!(
                so_far < Duration::from_secs(60),
                "{name} is {}",
                self.figure(name)
            );
            std::thread::sleep(Duration::from_millis(2));
        }
        begun.elapsed()
    }

    /// A connection on which this was written, byte for byte.
    pub(crate) fn raw(&self, text: impl AsRef<[u8]>) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(text.as_ref()).expect("it reads");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("a time");
        stream
    }

    /// A search under way whose client can hang up.
    pub(crate) fn search(&self, path: &str, accept: &str, document: &str) -> TcpStream {
        let (length, host) = (document.len(), &self.address);
        self.raw(format!(
            "POST {path} HTTP/1.1\r\nhost: {host}\r\naccept: {accept}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{document}"
        ))
    }

    /// Asks it to stop as a supervisor does; its exit status and how long it took.
    pub(crate) fn terminate(mut self) -> (Option<i32>, Duration) {
        use nix::sys::signal::{Signal, kill};
        let begun = Instant::now();
        let pid = nix::unistd::Pid::from_raw(i32::try_from(self.child.id()).expect("a process id"));
        kill(pid, Signal::SIGTERM).expect("it runs");
        let status = self.child.wait().expect("it ends");
        (status.code(), begun.elapsed())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// All that comes until the other side hangs up.
fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A scenario whose search takes many seconds.
fn long() -> String {
    crate::cli::edgewise(&["presets", "random-3-20"], "").out
}
