//! What requests cost: `cargo build --release && cargo bench -p edgewise-bench --bench service`.
//!
//! Starts the program, asks it over kept connections, and prints requests per second, median and 99th percentile, CPU time
//! per request and the most memory of a search. Nothing is answered from the cache. Linux only: CPU time and memory are
//! read from `/proc`.

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use ureq::Agent;

/// Time for a row.
const ROW: Duration = Duration::from_secs(3);
/// Clock ticks of a second in `/proc`, the same on all machines of today.
const TICKS: f64 = 100.0;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn program() -> String {
    let usual = || format!("{ROOT}/target/release/edgewise");
    std::env::var("EDGEWISE_COMMAND").unwrap_or_else(|_| usual())
}

struct Service {
    child: Child,
    address: String,
}

impl Service {
    fn start() -> Self {
        let mut child = Command::new(program())
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--cache",
                "0",
                "--queue",
                "1000",
            ])
            .stdout(Stdio::piped())
            .spawn()
            .expect("cargo build --release comes first");
        let mut line = String::new();
        let out = child.stdout.take().expect("a pipe");
        BufReader::new(out)
            .read_line(&mut line)
            .expect("it says where it listens");
        let address = line
            .trim()
            .rsplit(' ')
            .next()
            .unwrap_or_default()
            .to_owned();
        Self { child, address }
    }

    /// The service and its searches.
    fn processes(&self) -> Vec<u32> {
        let own = self.child.id();
        let mut all = vec![own];
        let tasks = fs::read_dir(format!("/proc/{own}/task"))
            .expect("Linux")
            .flatten();
        for task in tasks {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            all.extend(
                children
                    .split_whitespace()
                    .filter_map(|pid| pid.parse::<u32>().ok()),
            );
        }
        all
    }

    /// CPU time of all of them so far [s].
    fn cpu(&self) -> f64 {
        let of = |pid: &u32| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let rest = stat.rsplit(") ").next().unwrap_or_default().to_owned();
            let fields: Vec<f64> = rest
                .split(' ')
                .skip(11)
                .take(2)
                .filter_map(|n| n.parse().ok())
                .collect();
            fields.iter().sum::<f64>() / TICKS
        };
        self.processes().iter().map(of).sum()
    }

    /// The most memory of a search, and of the service itself [MB].
    fn memory(&self) -> (f64, f64) {
        let of = |pid: &u32| {
            let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kb: f64 = line
                .and_then(|line| line.split_whitespace().next()?.parse().ok())
                .unwrap_or(0.0);
            kb * 1024.0 / 1e6
        };
        let all = self.processes();
        (all[1..].iter().map(of).fold(0.0, f64::max), of(&all[0]))
    }
}

impl Service {
    /// What comes back for lines that are written while answers are read. ureq writes all of a body before it reads, and a
    /// service with bounded memory takes no more lines while nobody reads its answers.
    fn pour(&self, path: &str, lines: &str) -> Vec<u8> {
        let host = self.address.trim_start_matches("http://");
        let mut out = TcpStream::connect(host).expect("it listens");
        let mut back = out.try_clone().expect("a second handle");
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-ndjson\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            lines.len()
        );
        let mut answers = Vec::new();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                out.write_all(head.as_bytes()).expect("it reads");
                out.write_all(lines.as_bytes()).expect("it reads");
            });
            back.read_to_end(&mut answers).expect("it answers");
        });
        answers
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn agent() -> Agent {
    let config = Agent::config_builder().http_status_as_error(false);
    Agent::new_with_config(
        config
            .timeout_global(Some(Duration::from_secs(300)))
            .build(),
    )
}

fn post(agent: &Agent, url: &str, media: &str, body: &str) -> u16 {
    let mut answer = agent
        .post(url)
        .header("content-type", media)
        .send(body)
        .expect("an answer");
    let _ = answer.body_mut().with_config().limit(1 << 30).read_to_vec();
    answer.status().as_u16()
}

/// Asks the same over so many connections, and prints a row.
fn row(what: &str, path: &str, body: &str, connections: usize) {
    let service = Service::start();
    let url = format!("{}{path}", service.address);
    assert_eq!(
        post(&agent(), &url, "application/json", body),
        200,
        "{what}"
    );
    let (before, begun, refused) = (service.cpu(), Instant::now(), AtomicUsize::new(0));
    let mut times: Vec<f64> = std::thread::scope(|scope| {
        let ask = || {
            let (agent, mut times) = (agent(), Vec::new());
            while begun.elapsed() < ROW {
                let asked = Instant::now();
                match post(&agent, &url, "application/json", body) {
                    200 => times.push(asked.elapsed().as_secs_f64()),
                    _ => {
                        refused.fetch_add(1, Ordering::Relaxed);
                    }
                }
            }
            times
        };
        let threads: Vec<_> = (0..connections).map(|_| scope.spawn(ask)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("no panic"))
            .collect()
    });
    let took = begun.elapsed().as_secs_f64();
    let cpu = (service.cpu() - before) / times.len() as f64;
    times.sort_by(f64::total_cmp);
    let at = |share: f64| 1e3 * times[((times.len() - 1) as f64 * share) as usize];
    let (search, own) = service.memory();
    println!(
        "{what:<28}{connections:>5}{:>10.0}{:>10.2}{:>10.2}{:>10.2}{search:>8.0}{own:>8.0}{:>9}",
        times.len() as f64 / took,
        at(0.5),
        at(0.99),
        1e3 * cpu,
        refused.into_inner(),
    );
}

/// The same problem many times: as a stream to the service, and through the command line's pipe.
fn stream(document: &str, lines: usize) {
    let input = format!("{document}\n").repeat(lines);
    let service = Service::start();
    let begun = Instant::now();
    let answers = service.pour("/api/v1/solve/cold-start", &input);
    assert!(answers.starts_with(b"HTTP/1.1 200"), "a stream is answered");
    assert!(answers.iter().filter(|byte| **byte == b'\n').count() > lines);
    println!(
        "stream, {lines} lines: {:.0} per second",
        lines as f64 / begun.elapsed().as_secs_f64()
    );
    let begun = Instant::now();
    let mut pipe = Command::new(program())
        .args(["solve", "cold-start", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    pipe.stdin
        .take()
        .expect("a pipe")
        .write_all(input.as_bytes())
        .expect("it reads");
    pipe.wait().expect("it ends");
    println!(
        "pipe, {lines} lines: {:.0} per second",
        lines as f64 / begun.elapsed().as_secs_f64()
    );
}

fn preset(name: &str) -> String {
    let output = Command::new(program())
        .args(["presets", name])
        .output()
        .expect("it starts");
    String::from_utf8(output.stdout).expect("presets are text")
}

fn main() {
    let folder = format!("{ROOT}/crates/service/src/openapi/examples");
    let mut kinds: Vec<(String, String)> = fs::read_dir(folder)
        .expect("the examples are there")
        .flatten()
        .map(|file| {
            let text = fs::read_to_string(file.path()).expect("a file");
            let examples: Vec<Value> = serde_json::from_str(&text).expect("examples are JSON");
            let mut example = examples[0].clone();
            let name = file.path();
            let name = name.file_stem().expect("a name").to_string_lossy();
            // What `evaluate` scores.
            let scored: &[&str] = match &*name {
                "operator-order" => &["order"],
                _ => &["plan", "p", "X", "placement"],
            };
            let fields = example.as_object_mut().expect("an object");
            for field in scored {
                fields.remove(*field);
            }
            let name = name.into_owned();
            (name, example.to_string())
        })
        .collect();
    kinds.sort();
    println!(
        "{:<28}{:>5}{:>10}{:>10}{:>10}{:>10}{:>8}{:>8}{:>9}",
        "request", "conn.", "per s", "p50 ms", "p99 ms", "CPU ms", "MB", "own MB", "refused"
    );
    for (kind, document) in &kinds {
        row(
            &format!("solve {kind}"),
            &format!("/api/v1/solve/{kind}"),
            document,
            2,
        );
    }
    for name in [
        "csgo-paper",
        "hyperion-paper",
        "dispatch-paper",
        "heads-small",
        "operators-table2",
        "random-3-20",
    ] {
        row(&format!("run {name}"), "/api/v1/run", &preset(name), 2);
    }
    row(
        "gains csgo-paper",
        "/api/v1/gains",
        &preset("csgo-paper"),
        2,
    );
    let (_, small) = kinds
        .iter()
        .find(|(kind, _)| kind == "cold-start")
        .expect("it is there");
    for connections in [1, 16, 256] {
        row(
            "solve cold-start",
            "/api/v1/solve/cold-start",
            small,
            connections,
        );
    }
    stream(small, 20_000);
}
