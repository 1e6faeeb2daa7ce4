//! Searches end: with their client, at their limits, with the service.

use super::{Service, long, rest};
use crate::cli::{self, SMALL};
use serde_json::Value;
use std::time::Duration;

#[test]
fn a_client_that_hangs_up_ends_its_search_at_once() {
    let service = Service::start(&["--threads", "1"]);
    let document = long();
    let mut took = Vec::new();
    for accept in ["application/json", "text/event-stream", "application/json"] {
        let client = service.search("/api/v1/run", accept, &document);
        service.wait_for("edgewise_running", 1);
        // Long enough to be in the midst of it.
        std::thread::sleep(Duration::from_millis(300));
        drop(client);
        took.push(service.wait_for("edgewise_running", 0));
    }
    // On a busy machine one may be late.
    let least = took.iter().min().expect("three of them");
    assert!(*least < Duration::from_millis(100), "{took:?}");
    assert_eq!(
        service.figure("edgewise_searches_total{outcome=\"hung_up\"}"),
        3
    );
    // The process has been replaced.
    service.post("/api/v1/solve/cold-start", SMALL).answer();
}

#[test]
fn at_the_time_limit_the_best_plan_is_answered_and_not_kept() {
    let service = Service::start(&["--time-limit", "0.5"]);
    for _ in 0..2 {
        let got = service.post("/api/v1/run", &long());
        let answer: Value = serde_json::from_str(got.answer()).expect("JSON");
        assert_eq!(answer["status"], "feasible");
        assert!(answer["gap"].as_f64().is_some_and(|gap| gap > 0.0));
        assert_eq!(got.header("edgewise-cache"), "miss");
        assert!(!got.headers.contains_key("etag"));
    }
}

#[test]
fn a_busy_search_is_killed_a_second_after_its_limit() {
    let service = Service::start(&["--time-limit", "0.1", "--threads", "1"]);
    let many = cli::edgewise(&["presets", "heads-paper"], "").out;
    let got = service.post("/api/v1/run", &many);
    got.refused(422, "time", "");
    service.post("/api/v1/solve/cold-start", SMALL).answer();
}

#[test]
fn at_the_time_limit_changes_and_draws_are_answered_as_far_as_they_came() {
    let service = Service::start(&["--time-limit", "0.5", "--threads", "1"]);
    let got = service.post("/api/v1/gains", &long());
    let answer: Value = serde_json::from_str(got.answer()).expect("JSON");
    let rows = answer["gains"].as_array().expect("a list");
    let is_open = |row: &&Value| row["status"] == "not computed";
    let open = rows.iter().filter(is_open).count();
    assert!(open > 0 && open < rows.len(), "{open} of {}", rows.len());
    let note = format!(
        "the time was over: {open} of {} changes were not computed",
        rows.len()
    );
    assert_eq!(got.header("edgewise-note"), note);
    assert!(!got.headers.contains_key("etag"));
    let headers = [
        ("content-type", "application/json"),
        ("accept", "text/plain"),
    ];
    let told = service.ask("POST", "/api/v1/gains", &headers, long());
    assert!(
        told.answer().contains(" changes were not computed."),
        "{told:?}"
    );
    // Fewer draws than say anything are no answer.
    let mut ranged: Value = serde_json::from_str(&long()).expect("JSON");
    let speed = ranged["devices"][0]["c_peak_tflops"]
        .as_f64()
        .expect("a number");
    ranged["devices"][0]["ranges"] = serde_json::json!({ "c_peak_tflops": [speed, 1.1 * speed] });
    let got = service.post("/api/v1/spread", &ranged.to_string());
    got.refused(422, "time", "");
}

#[test]
fn draws_show_their_share_as_they_come() {
    let service = Service::start(&[]);
    let mut scenario: Value =
        serde_json::from_str(&cli::edgewise(&["presets", "random-3-12"], "").out).expect("JSON");
    let speed = scenario["devices"][0]["c_peak_tflops"]
        .as_f64()
        .expect("a number");
    scenario["devices"][0]["ranges"] = serde_json::json!({ "c_peak_tflops": [speed, 1.1 * speed] });
    let headers = [
        ("content-type", "application/json"),
        ("accept", "text/event-stream"),
    ];
    let got = service.ask(
        "POST",
        "/api/v1/spread?draws=50",
        &headers,
        scenario.to_string(),
    );
    assert!(got.answer().contains("event: answer\n"), "{got:?}");
    assert!(got.body.contains("\"share\":0."), "{got:?}");
}

#[test]
fn published_figures_end_at_the_time_limit() {
    let service = Service::start(&["--time-limit", "0.5", "--threads", "1"]);
    let path = "/api/v1/published/head-placement";
    let sentence = service.ask("POST", path, &[], "").refused(422, "time", "");
    assert!(sentence.contains(" of 320 computations"), "{sentence}");
    // The same process goes on.
    let stopped = service.figure("edgewise_searches_total{outcome=\"stopped\"}");
    assert_eq!(stopped, 1);
    let headers = [("accept", "text/event-stream")];
    let got = service.ask("POST", path, &headers, "");
    assert!(got.answer().contains("\"share\":0."), "{}", got.body);
    assert!(got.body.contains("event: problem\n"), "{}", got.body);
}

#[test]
fn published_figures_end_with_their_client() {
    let service = Service::start(&["--threads", "1"]);
    let client = service.search("/api/v1/published/operators", "*/*", "");
    service.wait_for("edgewise_running", 1);
    std::thread::sleep(Duration::from_millis(300));
    drop(client);
    service.wait_for("edgewise_running", 0);
    let ended = service.figure("edgewise_searches_total{outcome=\"hung_up\"}");
    assert_eq!(ended, 1);
}

/// A problem file that takes more memory to read than there is.
fn large() -> String {
    let lengths = vec!["[1,1]"; 3_000_000].join(",");
    cli::dispatch::THREE.replacen("[30,1]", &lengths, 1)
}

#[test]
fn a_search_that_takes_too_much_memory_takes_nothing_with_it() {
    let service = Service::start(&["--threads", "1", "--memory-limit", "64"]);
    let got = service.post(
        "/api/v1/solve/cold-start?method=dp&memory-limit=100000",
        &large(),
    );
    let sentence = got.refused(422, "memory", "");
    assert!(sentence.contains("64 MB"), "{sentence}");
    service.post("/api/v1/solve/cold-start", SMALL).answer();
    assert_eq!(
        service.figure("edgewise_searches_total{outcome=\"memory\"}"),
        1
    );
}

#[test]
fn more_than_the_queue_holds_is_refused_with_a_time_to_come_back() {
    let service = Service::start(&["--threads", "1", "--queue", "1"]);
    let document = long();
    let first = service.search("/api/v1/run", "*/*", &document);
    service.wait_for("edgewise_running", 1);
    let second = service.search("/api/v1/run", "*/*", &document);
    service.wait_for("edgewise_queue", 1);
    let got = service.post("/api/v1/solve/cold-start", SMALL);
    got.refused(429, "busy", "");
    assert_eq!(got.header("retry-after"), "1");
    // What takes a moment is answered all the same.
    assert_eq!(service.get("/api/v1/version").status, 200);
    drop((first, second));
    service.wait_for("edgewise_running", 0);
    service.wait_for("edgewise_queue", 0);
    service.post("/api/v1/solve/cold-start", SMALL).answer();
}

#[test]
fn when_it_stops_running_searches_get_their_best_answer() {
    let service = Service::start(&["--threads", "1"]);
    let client = service.search("/api/v1/run", "application/json", &long());
    service.wait_for("edgewise_running", 1);
    std::thread::sleep(Duration::from_secs(1));
    let (code, took) = service.terminate();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(6), "{took:?}");
    let got = rest(client);
    assert!(got.starts_with("HTTP/1.1 200"), "{got}");
    assert!(got.contains("\"status\":\"feasible\""), "{got}");
}
