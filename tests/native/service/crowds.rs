//! Many clients at once, slow ones among them, and processes that are killed meanwhile.

use super::{Service, long, rest};
use crate::cli::{self, SMALL, edgewise};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

impl Service {
    /// The processes that search. Only some systems say which are whose.
    fn searches(&self) -> Vec<Pid> {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id()));
        let children = tasks
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
        let children: Vec<String> = children.collect();
        let pids = children.iter().flat_map(|line| line.split_whitespace());
        pids.filter_map(|pid| pid.parse().ok().map(Pid::from_raw))
            .collect()
    }

    /// Memory of the service itself [B], where the system says it.
    fn memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kib << 10)
    }

    /// One request on a connection of its own; all that comes back, and nothing if the service has hung up.
    fn once(&self, path: &str, document: &str) -> String {
        let Ok(mut stream) = TcpStream::connect(&self.address) else {
            return String::new();
        };
        let (length, host) = (document.len(), &self.address);
        let _ = write!(
            stream,
            "POST {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{document}"
        );
        rest(stream)
    }
}

/// Whether a process is there and not only a name that its parent has not asked about.
fn lives(pid: Pid) -> bool {
    let line = fs::read_to_string(format!("/proc/{pid}/cmdline"));
    line.is_ok_and(|line| line.contains("serve-worker"))
}

/// Whether an answer has all the bytes that its head promises.
fn is_whole(answer: &str) -> bool {
    let Some((head, body)) = answer.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    length.is_some_and(|length| length.parse() == Ok(body.len()))
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[test]
fn ten_thousand_idle_connections_delay_no_other_request() {
    // Each is a file at both ends, which are in different processes.
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).expect("there is a limit");
    setrlimit(Resource::RLIMIT_NOFILE, most, most).expect("up to the hard limit");
    let count = most.saturating_sub(500).min(10_000);
    let service = Service::start(&["--connections", "12000"]);
    service.post("/api/v1/solve/cold-start", SMALL).answer();
    let before = service.memory();
    let begun = Instant::now();
    let idle: Vec<TcpStream> = (0..count).map(|_| service.raw("")).collect();
    let opened = begun.elapsed();
    let mut took: Vec<Duration> = (0..20)
        .map(|_| {
            let begun = Instant::now();
            let answer = service.once("/api/v1/solve/cold-start", SMALL);
            assert_eq!(status(&answer), "200", "{answer}");
            begun.elapsed()
        })
        .collect();
    took.sort();
    let held = service.figure("edgewise_connections");
    // Idle connections are given up after a while, which a machine that has much to do may need to open them.
    let is_slow = begun.elapsed() > Duration::from_secs(8);
    println!("{held} connections opened in {opened:?}, answers within {took:?}");
    assert!(held >= count || is_slow, "{held} of {count} connections");
    if let (Some(before), Some(after)) = (before, service.memory()) {
        let each = after.saturating_sub(before) / held;
        println!("{each} B for a connection");
        assert!(each < 16 << 10 || is_slow, "{each} B for a connection");
    }
    assert!(took[10] < Duration::from_secs(1), "{took:?}");
    drop(idle);
    service.wait_for("edgewise_connections", 1);
}

#[test]
fn bodies_that_come_slowly_take_no_place() {
    let service = Service::start(&["--threads", "1", "--queue", "0"]);
    let host = &service.address;
    let half =
        format!("POST /api/v1/run HTTP/1.1\r\nhost: {host}\r\ncontent-length: 1000\r\n\r\n{{");
    let held: Vec<TcpStream> = (0..50).map(|_| service.raw(&half)).collect();
    service.wait_for("edgewise_connections", 51);
    service.post("/api/v1/solve/cold-start", SMALL).answer();
    drop(held);
}

#[test]
fn a_body_that_trickles_is_given_up() {
    let service = Service::start(&[]);
    let (begun, host) = (Instant::now(), &service.address);
    let mut slow = service.raw(format!(
        "POST /api/v1/run HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: 1000\r\n\r\n"
    ));
    let pause = Duration::from_millis(500);
    slow.set_read_timeout(Some(pause)).expect("a time");
    let mut answer = [0; 12];
    while slow.read(&mut answer).is_err() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "it waits for ever"
        );
        let _ = slow.write_all(b" ");
    }
    assert_eq!(&answer, b"HTTP/1.1 408");
    assert!(
        begun.elapsed() > Duration::from_secs(25),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn a_crowd_is_answered_or_asked_to_retry() {
    let service = Service::start(&["--threads", "2", "--queue", "4", "--cache", "0"]);
    // Some tenths of a second each.
    let scenario = edgewise(&["presets", "operators-table2"], "").out;
    let (begun, seconds) = (Instant::now(), Duration::from_secs(3));
    let mut got: Vec<(String, Duration)> = std::thread::scope(|scope| {
        let ask = || {
            let mut got = Vec::new();
            while begun.elapsed() < seconds {
                let asked = Instant::now();
                let answer = service.once("/api/v1/run", &scenario);
                assert!(is_whole(&answer), "{answer:?}");
                if status(&answer) == "429" {
                    assert!(answer.contains("\r\nretry-after: 1\r\n"), "{answer}");
                }
                got.push((status(&answer).to_owned(), asked.elapsed()));
            }
            got
        };
        let crowd: Vec<_> = (0..64).map(|_| scope.spawn(ask)).collect();
        crowd
            .into_iter()
            .flat_map(|one| one.join().expect("no client fails"))
            .collect()
    });
    got.sort_by_key(|(_, took)| *took);
    let of = |status: &str| got.iter().filter(|(got, _)| got == status).count();
    let (answered, refused) = (of("200"), of("429"));
    assert_eq!(answered + refused, got.len(), "{got:?}");
    assert!(
        answered > 1 && refused > 10,
        "{answered} answered, {refused} refused"
    );
    let longest = &got[got.len() - 1];
    assert!(longest.1 < Duration::from_secs(30), "{longest:?}");
}

#[test]
fn stopped_under_load_it_ends_in_time_and_every_answer_is_whole() {
    let service = Service::start(&["--threads", "2", "--cache", "0"]);
    let pid = Pid::from_raw(i32::try_from(service.child.id()).expect("a process id"));
    let client = service.search("/api/v1/run", "application/json", &long());
    service.wait_for("edgewise_running", 1);
    let is_over = AtomicBool::new(false);
    let answers: Vec<String> = std::thread::scope(|scope| {
        let ask = || {
            let mut got = Vec::new();
            while !is_over.load(Ordering::Relaxed) {
                got.push(service.once("/api/v1/solve/cold-start", SMALL));
            }
            got
        };
        let crowd: Vec<_> = (0..16).map(|_| scope.spawn(ask)).collect();
        std::thread::sleep(Duration::from_secs(1));
        let begun = Instant::now();
        kill(pid, Signal::SIGTERM).expect("it runs");
        let stat = format!("/proc/{pid}/stat");
        // It stays as a name until this process asks how it ended.
        while fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z")) {
            assert!(begun.elapsed() < Duration::from_secs(6), "it does not stop");
            std::thread::sleep(Duration::from_millis(10));
        }
        is_over.store(true, Ordering::Relaxed);
        let crowd = crowd.into_iter();
        crowd
            .flat_map(|one| one.join().expect("no client fails"))
            .collect()
    });
    let (code, _) = service.terminate();
    assert_eq!(code, Some(0));
    // Whoever came too late for it to be accepted got nothing at all.
    let begun: Vec<&String> = answers.iter().filter(|answer| !answer.is_empty()).collect();
    assert!(begun.len() > 100, "{} answers", begun.len());
    for answer in &begun {
        assert!(is_whole(answer), "{answer:?}");
        assert!(matches!(status(answer), "200" | "503"), "{answer}");
    }
    let long = rest(client);
    assert!(
        is_whole(&long) && long.contains("\"status\":\"feasible\""),
        "{long}"
    );
}

#[test]
fn a_service_killed_under_load_leaves_no_search_behind() {
    let service = Service::start(&["--threads", "3", "--cache", "0"]);
    let document = long();
    let ask = || service.search("/api/v1/run", "*/*", &document);
    let mut clients: Vec<TcpStream> = (0..12).map(|_| ask()).collect();
    service.wait_for("edgewise_running", 3);
    // Some hang up, so that other processes take the place of theirs.
    clients.drain(..6);
    std::thread::sleep(Duration::from_millis(300));
    let searches = service.searches();
    assert!(searches.len() >= 3, "{searches:?}");
    drop(service);
    let begun = Instant::now();
    for pid in searches {
        while lives(pid) {
            assert!(begun.elapsed() < Duration::from_secs(10), "{pid} lives on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn a_search_that_is_killed_is_said_to_be_and_replaced() {
    let service = Service::start(&["--threads", "2", "--cache", "0"]);
    assert_eq!(
        service.searches().len(),
        2,
        "solver processes of the service"
    );
    let scenario = edgewise(&["presets", "random-3-20"], "").out;
    std::thread::scope(|scope| {
        let hurt = scope.spawn(|| service.post("/api/v1/run", &scenario));
        service.wait_for("edgewise_running", 1);
        std::thread::sleep(Duration::from_millis(200));
        for pid in service.searches() {
            kill(pid, Signal::SIGKILL).expect("it runs");
        }
        let got = hurt.join().expect("it is answered");
        let sentence = got.refused(503, "process", "");
        assert!(sentence.contains("killed from outside"), "{sentence}");
        assert_eq!(got.header("retry-after"), "1");
    });
    // Both have been replaced, the idle one as well.
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                service
                    .post("/api/v1/solve/cold-start", &cli::small_with("80e6", "81e6"))
                    .answer()
                    .len()
            });
        }
    });
    // One that was killed may be listed until somebody has asked how it ended.
    let are_two = |_: u32| {
        std::thread::sleep(Duration::from_millis(20));
        service.searches().len() == 2
    };
    assert!((0..250).any(are_two), "{:?}", service.searches());
    let died = service.figure("edgewise_searches_total{outcome=\"died\"}");
    assert_eq!(died, 1);
}
