//! Clients that mean no good, or do not know how.

use super::{Service, rest};
use crate::cli::SMALL;
use std::io::Read;
use std::time::{Duration, Instant};

#[test]
fn nonsense_is_answered_or_hung_up_on_and_never_answered_with_a_fault_of_ours() {
    let service = Service::start(&["--body-limit", "100000"]);
    let host = format!("host: {}\r\n", service.address);
    let deep = "[".repeat(50_000);
    let long = "x".repeat(100_000);
    for text in [
        "\0\0\0\r\n\r\n".to_owned(),
        "GET\r\n\r\n".to_owned(),
        "GET / HTTP/1.1\r\n\r\n".to_owned(),
        format!("GET /{long} HTTP/1.1\r\n{host}\r\n"),
        format!("GET / HTTP/1.1\r\n{host}x: {long}\r\n\r\n"),
        format!("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n{host}connection: close\r\n\r\n"),
        format!("GET /api/v1/presets/%00%ff HTTP/1.1\r\n{host}connection: close\r\n\r\n"),
        format!(
            "POST /api/v1/run HTTP/1.1\r\n{host}connection: close\r\ncontent-length: 99999999999\r\n\r\n"
        ),
        format!(
            "POST /api/v1/run HTTP/1.1\r\n{host}connection: close\r\ncontent-length: -1\r\n\r\n"
        ),
        format!(
            "POST /api/v1/run HTTP/1.1\r\n{host}connection: close\r\ncontent-length: 50000\r\n\r\n{deep}"
        ),
        format!(
            "POST /api/v1/run HTTP/1.1\r\n{host}connection: close\r\ncontent-length: 3\r\n\r\n\u{1}\u{2}\u{3}"
        ),
        format!(
            "POST /api/v1/run HTTP/1.1\r\n{host}connection: close\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"
        ),
        format!(
            "POST /api/v1/run?format=%ff%00 HTTP/1.1\r\n{host}connection: close\r\ncontent-length: 2\r\n\r\n{{}}"
        ),
        format!(
            "POST /api/v1/run?tool=--help HTTP/1.1\r\n{host}connection: close\r\ncontent-length: 2\r\n\r\n{{}}"
        ),
        format!(
            "POST /api/v1/model HTTP/1.1\r\n{host}connection: close\r\ncontent-type: application/octet-stream\r\ncontent-length: 8\r\n\r\nGGUF\u{3}\0\0\0"
        ),
        format!(
            "POST /api/v1/run HTTP/1.1\r\n{host}connection: close\r\ncontent-type: multipart/form-data\r\ncontent-length: 2\r\n\r\n{{}}"
        ),
    ] {
        let got = rest(service.raw(&text));
        let shown: String = text.chars().take(80).collect();
        let status = got.split(' ').nth(1).unwrap_or("4").to_owned();
        assert!(status.starts_with('4'), "{shown:?}: {got}");
    }
    service.post("/api/v1/solve/cold-start", SMALL).answer();
}

#[test]
fn slow_heads_and_half_bodies_are_given_up_and_delay_no_other_request() {
    let service = Service::start(&["--threads", "1"]);
    let begun = Instant::now();
    let mut slow = service.raw("GET /healthz HT");
    let half = service.raw(format!(
        "POST /api/v1/run HTTP/1.1\r\nhost: {}\r\ncontent-length: 1000\r\n\r\n{{",
        service.address
    ));
    let idle: Vec<_> = (0..200).map(|_| service.raw("")).collect();
    service.post("/api/v1/solve/cold-start", SMALL).answer();
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "{:?}",
        begun.elapsed()
    );
    let mut bytes = Vec::new();
    let _ = slow.read_to_end(&mut bytes);
    assert!(
        begun.elapsed() < Duration::from_secs(30),
        "{:?}",
        begun.elapsed()
    );
    drop((half, idle));
    assert_eq!(service.wait_for("edgewise_running", 0).as_secs(), 0);
}

#[test]
fn connections_beyond_the_limit_are_reported() {
    let service = Service::start(&["--connections", "3"]);
    let held: Vec<_> = (0..3).map(|_| service.raw("")).collect();
    let begun = Instant::now();
    let told = loop {
        let told = rest(service.raw(format!(
            "GET /healthz HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
            service.address
        )));
        if told.starts_with("HTTP/1.1 503") || begun.elapsed() > Duration::from_secs(5) {
            break told;
        }
    };
    assert!(told.contains("retry-after: 1"), "{told:?}");
    drop(held);
    while service.get("/healthz").status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(30));
    }
}

#[test]
fn searches_end_with_a_service_that_is_killed() {
    let service = Service::start(&["--threads", "1"]);
    let _client = service.search("/api/v1/run", "*/*", &super::long());
    service.wait_for("edgewise_running", 1);
    let children =
        std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", service.child.id()));
    drop(service);
    // Only some systems say which processes are whose.
    let Ok(children) = children else { return };
    let begun = Instant::now();
    for child in children.split_whitespace() {
        let path = format!("/proc/{child}/cmdline");
        while std::fs::read_to_string(&path).is_ok_and(|line| line.contains("serve-worker")) {
            assert!(
                begun.elapsed() < Duration::from_secs(10),
                "{child} lives on"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
