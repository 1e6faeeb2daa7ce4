//! What the service refuses, and in which words.

use super::Service;
use crate::cli::{self, SMALL, edgewise, file, small_with};
use serde_json::{Value, json};

const JSON: (&str, &str) = ("content-type", "application/json");

#[test]
fn a_fault_has_the_code_path_value_and_sentence_of_the_command_line() {
    let service = Service::start(&[]);
    for (verb, kind, status, document) in [
        ("solve", "cold-start", 422, small_with("80e6", "-1")),
        ("solve", "cold-start", 400, SMALL[..40].to_owned()),
        (
            "evaluate",
            "head-placement",
            422,
            cli::heads::TINY.to_owned(),
        ),
        ("evaluate", "cold-start", 422, SMALL.to_owned()),
        ("solve", "tiers-partition", 422, "{}".to_owned()),
    ] {
        let got = service.post(&format!("/api/v1/{verb}/{kind}"), &document);
        let ran = edgewise(&[verb, kind], &document);
        let fault: Value = serde_json::from_str(&ran.out).expect("JSON");
        let fault = &fault["error"];
        let of = |name: &str| fault[name].as_str().expect("a text").to_owned();
        assert_eq!(got.refused(status, &of("code"), &of("path")), of("message"));
        let problem: Value = serde_json::from_str(&got.body).expect("JSON");
        assert_eq!(problem["value"], fault["value"]);
    }
}

#[test]
fn unknown_paths_kinds_methods_types_and_options_are_named() {
    let service = Service::start(&["--body-limit", "1000"]);
    let sentence = service
        .post("/api/v1/solve/chess", "{}")
        .refused(404, "unknown", "kind");
    assert!(sentence.contains("cold-start-front"), "{sentence}");
    service
        .post("/api/v1/evaluate/migration", "{}")
        .refused(404, "unknown", "kind");
    service
        .get("/api/v1/presets/nobody")
        .refused(404, "unknown", "name");
    service.get("/api/v1/nothing").refused(404, "unknown", "");
    let got = service.get("/api/v1/run");
    got.refused(405, "method", "");
    assert!(got.header("allow").contains("POST"), "{got:?}");
    let form = [("content-type", "application/x-www-form-urlencoded")];
    service
        .ask("POST", "/api/v1/run", &form, "a=b")
        .refused(415, "type", "Content-Type");
    let picture = [JSON, ("accept", "image/png")];
    service
        .ask("POST", "/api/v1/run", &picture, "{}")
        .refused(406, "type", "Accept");
    let sentence = service
        .post("/api/v1/solve/cold-start?threads=2", SMALL)
        .refused(400, "unknown", "threads");
    assert!(sentence.contains("time-limit"), "{sentence}");
    // Read, and not a method of this kind; then one that cannot be read.
    service
        .post("/api/v1/solve/cold-start?method=best", SMALL)
        .refused(422, "option", "");
    service
        .post("/api/v1/solve/cold-start?seed=best", SMALL)
        .refused(400, "option", "");
    service
        .post("/api/v1/run", &"x".repeat(1001))
        .refused(413, "too_long", "");
}

#[test]
fn no_file_is_opened_that_a_request_names() {
    let service = Service::start(&[]);
    let path = format!(
        "{}/tests/models/squeezenet.onnx",
        env!("CARGO_MANIFEST_DIR")
    );
    let document = json!({ "onnx": path, "order": [0] }).to_string();
    let got = service.post("/api/v1/evaluate/operator-order", &document);
    let sentence = got.refused(422, "io", "onnx");
    assert!(sentence.contains("opens no files"), "{sentence}");
    let form = |name: &str| {
        format!(
            "--cut\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{{}}\r\n--cut--\r\n"
        )
    };
    let multipart = [("content-type", "multipart/form-data; boundary=cut")];
    for name in ["../secret", "/etc/passwd", "-x", "a#b", ""] {
        let got = service.ask("POST", "/api/v1/model", &multipart, form(name));
        assert_eq!(got.status, 400, "{name}: {got:?}");
    }
    let got = service.ask(
        "POST",
        "/api/v1/run",
        &multipart,
        form("/etc/passwd").replace("=\"file\"", "=\"other\""),
    );
    got.refused(400, "unknown", "other");
    // Parts are those of the verb.
    let got = service.ask(
        "POST",
        "/api/v1/gains",
        &multipart,
        form("graph.onnx").replace("=\"file\"", "=\"onnx\""),
    );
    let sentence = got.refused(400, "unknown", "onnx");
    assert!(sentence.contains("document, file, model"), "{sentence}");
    let one = form("graph.onnx");
    let two = one.replace("--cut--\r\n", "") + &one;
    let got = service.ask("POST", "/api/v1/run", &multipart, two);
    let sentence = got.refused(400, "syntax", "document");
    assert!(sentence.contains("it has 2"), "{sentence}");
    let got = service.ask("POST", "/api/v1/run", &multipart, "--cut--\r\n");
    got.refused(400, "syntax", "");
}

#[test]
fn without_the_token_nothing_is_answered() {
    let token = "correct-horse-battery-staple";
    let path = file("token", format!("{token}\n"));
    let service = Service::start(&["--token-file", &path]);
    let got = service.post("/api/v1/solve/cold-start", SMALL);
    got.refused(401, "token", "Authorization");
    assert_eq!(got.header("www-authenticate"), "Bearer");
    for wrong in ["Bearer nonsense", "Basic abc", token] {
        let headers = [JSON, ("authorization", wrong)];
        let got = service.ask("POST", "/api/v1/solve/cold-start", &headers, SMALL);
        got.refused(401, "token", "Authorization");
    }
    assert_eq!(service.get("/metrics").status, 401);
    let right = format!("Bearer {token}");
    let headers = [JSON, ("authorization", right.as_str())];
    service
        .ask("POST", "/api/v1/solve/cold-start", &headers, SMALL)
        .answer();
    // Whoever watches over the service needs none.
    assert_eq!(service.get("/healthz").answer(), "ok\n");
    assert_eq!(service.get("/readyz").answer(), "ready\n");
    let short = file("short-token", "abc");
    let ran = edgewise(&["serve", "--token-file", &short], "");
    assert!(ran.code == 2 && ran.err.contains("16 or more"), "{ran:?}");
}

#[test]
fn other_machines_need_a_token_or_a_word() {
    let ran = edgewise(&["serve", "--listen", "0.0.0.0:0"], "");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("--token-file") && ran.err.contains("--open"),
        "{ran:?}"
    );
}

#[test]
fn pages_of_other_origins_ask_only_where_they_are_named() {
    let service = Service::start(&["--allow-origin", "https://friend.example"]);
    let ask = |origin: &str| {
        let headers = [JSON, ("origin", origin)];
        service.ask("POST", "/api/v1/solve/cold-start", &headers, SMALL)
    };
    ask("https://stranger.example").refused(403, "origin", "Origin");
    let got = ask("https://friend.example");
    got.answer();
    assert_eq!(
        got.header("access-control-allow-origin"),
        "https://friend.example"
    );
    ask(&format!("http://{}", service.address)).answer();
    // A name that somebody makes point to this machine.
    let headers = [("host", "rebound.example")];
    service
        .ask("GET", "/api/v1/version", &headers, "")
        .refused(421, "host", "Host");
}

#[test]
fn the_help_states_every_default() {
    let ran = edgewise(&["serve", "--help"], "");
    use service::limits::{BODY, CACHE, CONNECTIONS, MEMORY, QUEUE, TIME};
    for range in [BODY, CACHE, CONNECTIONS, MEMORY, QUEUE, TIME] {
        let usual = format!("[default: {}]", range.usual);
        assert!(ran.out.contains(&usual), "{usual}");
        let to = format!("to {}", range.most);
        assert!(ran.out.contains(&to), "{to}");
    }
}
