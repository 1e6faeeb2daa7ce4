//! The answers are the command line's, byte for byte, whatever is asked.

use super::{Service, rest};
use crate::cli::{self, SMALL, edgewise};
use serde_json::{Value, json};

/// A document for every kind that is solved.
fn documents() -> Vec<(&'static str, String)> {
    vec![
        ("cold-start", cli::SMALL.to_owned()),
        ("cold-start-front", cli::decode::small(cli::decode::WHOLE)),
        ("head-placement", cli::heads::TINY.to_owned()),
        ("head-placement-run", cli::heads_run::RUN.to_owned()),
        ("dispatch", cli::dispatch::THREE.to_owned()),
        ("tiers-partition", cli::tiers_partition::SIX.to_owned()),
        ("tiers-schedule", cli::tiers_sim::DECISION.to_owned()),
        ("tiers-simulate", cli::tiers_sim::RUN.to_owned()),
        ("migration", cli::migration::MOVES.to_owned()),
        ("operator-order", cli::operators::SMALL.to_owned()),
        (
            "operator-partition",
            cli::operator_partition::with(&json!({ "id": 1 })).to_string(),
        ),
    ]
}

#[test]
fn every_kind_is_solved_as_on_the_command_line() {
    let service = Service::start(&["--threads", "1"]);
    let documents = documents();
    assert_eq!(
        documents.len(),
        planner::problem_file::ProblemKind::ALL.len()
    );
    for (kind, document) in &documents {
        let got = service.post(&format!("/api/v1/solve/{kind}"), document);
        let ran = edgewise(&["solve", kind], document);
        assert_eq!(got.answer(), ran.out, "{kind}");
        assert_eq!(got.header("edgewise-exit"), ran.code.to_string(), "{kind}");
        assert_eq!(got.header("content-type"), "application/json");
    }
}

#[test]
fn plans_are_scored_and_options_count_as_on_the_command_line() {
    let service = Service::start(&[]);
    let planned = cli::small_and("\"plan\":[[0,1,2]]");
    let cut = cli::tiers_partition::SIX.replacen('{', "{\"p\":[2,4],", 1);
    for (verb, kind, query, flags, document) in [
        ("evaluate", "cold-start", "", vec![], planned.as_str()),
        (
            "evaluate",
            "tiers-partition",
            "?allow-empty=true",
            vec!["--allow-empty"],
            cut.as_str(),
        ),
        (
            "solve",
            "cold-start",
            "?method=even&relay=store-and-forward",
            vec!["--method", "even", "--relay", "store-and-forward"],
            cli::SMALL,
        ),
        (
            "solve",
            "tiers-partition",
            "?objective=sum",
            vec!["--objective", "sum"],
            cli::tiers_partition::SIX,
        ),
    ] {
        let got = service.post(&format!("/api/v1/{verb}/{kind}{query}"), document);
        let ran = edgewise(&[&[verb, kind][..], &flags].concat(), document);
        assert_eq!(got.answer(), ran.out, "{verb} {kind} {query}");
    }
}

#[test]
fn scenarios_are_answered_in_every_form() {
    let service = Service::start(&[]);
    let forms = [
        ("application/json", "json"),
        ("text/plain", "text"),
        ("text/csv", "csv"),
    ];
    for name in [
        "csgo-paper",
        "hyperion-paper",
        "dispatch-paper",
        "heads-small",
        "operators-table2",
    ] {
        let scenario = service.get(&format!("/api/v1/presets/{name}"));
        assert_eq!(scenario.answer(), edgewise(&["presets", name], "").out);
        for (accept, format) in forms {
            let headers = [("content-type", "application/json"), ("accept", accept)];
            let got = service.ask("POST", "/api/v1/run", &headers, scenario.body.as_str());
            let ran = edgewise(&["run", "-", "--format", format], &scenario.body);
            assert_eq!(got.answer(), ran.out, "{name} as {format}");
            assert!(got.header("content-type").starts_with(accept), "{got:?}");
        }
    }
    let paper = service.get("/api/v1/presets/csgo-paper").body;
    let seen = service.post("/api/v1/run", &paper).body;
    assert!(seen.contains("\"T\":2.56"), "{seen}");
    let flags = service.post("/api/v1/run?format=flags&tool=llama.cpp", &paper);
    let ran = edgewise(
        &["run", "-", "--format", "flags", "--tool", "llama.cpp"],
        &paper,
    );
    assert_eq!(flags.answer(), ran.out);
    // A link is a scenario too.
    let text = service
        .ask(
            "POST",
            "/api/v1/run",
            &[("accept", "text/plain")],
            paper.as_str(),
        )
        .body;
    let link = text.lines().last().expect("the last line is the link");
    let headers = [
        ("content-type", "text/plain"),
        ("accept", "application/json"),
    ];
    assert_eq!(
        service.ask("POST", "/api/v1/run", &headers, link).answer(),
        seen
    );
}

#[test]
fn gains_and_spreads_are_the_command_lines() {
    let service = Service::start(&[]);
    let paper = edgewise(&["presets", "csgo-paper"], "").out;
    let got = service.post("/api/v1/gains?by=20", &paper);
    let ran = edgewise(&["gains", "-", "--by", "20", "--format", "json"], &paper);
    assert_eq!(got.answer(), ran.out);
    let got = service.post("/api/v1/spread?draws=50&seed=2", &paper);
    let ran = edgewise(
        &[
            "spread", "-", "--draws", "50", "--seed", "2", "--format", "json",
        ],
        &paper,
    );
    match ran.code {
        0 => assert_eq!(got.answer(), ran.out),
        _ => assert!(got.status == 422 || got.status == 400, "{got:?}"),
    }
}

#[test]
fn models_and_presets_are_shown() {
    let service = Service::start(&[]);
    let config = include_str!("../../data/configs/qwen3-8b.json");
    let got = service.post("/api/v1/model", config);
    let path = cli::file("config.json", config);
    let ran = edgewise(&["model", &path, "--format", "json"], "");
    // The command line shows the path that it was given.
    assert_eq!(got.answer(), ran.out.replace(&path, "config.json"));
    let listed = service.get("/api/v1/presets");
    assert_eq!(
        listed.answer(),
        edgewise(&["presets", "--format", "json"], "").out
    );
    let version = service.get("/api/v1/version");
    let version: Value = serde_json::from_str(version.answer()).expect("JSON");
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
}

/// A form with a graph, and a document beside it or none.
fn form(parts: &[(&str, Option<&str>, &[u8])]) -> Vec<u8> {
    let mut form = Vec::new();
    for (name, file, bytes) in parts {
        let file = file.map_or_else(String::new, |file| format!("; filename=\"{file}\""));
        let head =
            format!("--cut\r\ncontent-disposition: form-data; name=\"{name}\"{file}\r\n\r\n");
        form.extend_from_slice(head.as_bytes());
        form.extend_from_slice(bytes);
        form.extend_from_slice(b"\r\n");
    }
    form.extend_from_slice(b"--cut--\r\n");
    form
}

#[test]
fn graphs_come_in_the_body_or_as_a_part() {
    let service = Service::start(&[]);
    let path = format!(
        "{}/tests/models/squeezenet.onnx",
        env!("CARGO_MANIFEST_DIR")
    );
    let graph = std::fs::read(&path).expect("the model is there");
    let ran = edgewise(
        &["solve", "operator-order", &path, "--objective", "peak"],
        "",
    );
    let multipart = [("content-type", "multipart/form-data; boundary=cut")];
    let url = "/api/v1/solve/operator-order?objective=peak";
    let body = form(&[("file", Some("squeezenet.onnx"), &graph)]);
    let got = service.ask("POST", url, &multipart, body);
    assert_eq!(got.answer(), ran.out);
    let binary = [("content-type", "application/octet-stream")];
    let bare = service.ask("POST", url, &binary, graph.clone());
    assert_eq!(bare.status, 200, "{}", bare.body);
    // A document that names its graph, and the graph beside it.
    let order = serde_json::from_str::<Value>(&ran.out).expect("JSON")["order"].clone();
    let named = json!({ "onnx": "squeezenet.onnx", "order": order }).to_string();
    let parts = [
        ("document", None, named.as_bytes()),
        ("file", Some("squeezenet.onnx"), &graph),
    ];
    let got = service.ask(
        "POST",
        "/api/v1/evaluate/operator-order",
        &multipart,
        form(&parts),
    );
    let local = named.replace("squeezenet.onnx", &path);
    let ran = edgewise(&["evaluate", "operator-order"], &local);
    assert_eq!(got.answer(), ran.out);
    // A scenario whose model comes from a file.
    let paper = edgewise(&["presets", "csgo-paper"], "").out;
    let config = include_bytes!("../../data/configs/qwen3-8b.json");
    let parts = [
        ("document", None, paper.as_bytes()),
        ("model", Some("config.json"), &config[..]),
    ];
    let got = service.ask("POST", "/api/v1/run", &multipart, form(&parts));
    let path = cli::file("config.json", config);
    let ran = edgewise(&["run", "-", "--format", "json", "--model", &path], &paper);
    assert_eq!(got.answer(), ran.out.replace(&path, "config.json"));
    assert!(got.headers.contains_key("edgewise-note"), "{got:?}");
}

#[test]
fn the_same_request_is_answered_once_and_not_sent_twice() {
    let service = Service::start(&["--cache", "1"]);
    let first = service.post("/api/v1/solve/cold-start", cli::SMALL);
    let second = service.post("/api/v1/solve/cold-start", cli::SMALL);
    assert_eq!(
        (
            first.header("edgewise-cache"),
            second.header("edgewise-cache")
        ),
        ("miss", "hit")
    );
    assert_eq!(first.body, second.body);
    let tag = first.header("etag");
    assert_eq!(tag, second.header("etag"));
    assert_eq!(service.figure("edgewise_cache_hits_total"), 1);
    let headers = [("content-type", "application/json"), ("if-none-match", tag)];
    let third = service.ask("POST", "/api/v1/solve/cold-start", &headers, cli::SMALL);
    assert_eq!((third.status, third.body.as_str()), (304, ""));
    let other = service.ask(
        "POST",
        "/api/v1/solve/cold-start?seed=1",
        &headers,
        cli::SMALL,
    );
    assert_eq!(other.status, 200);
    assert_ne!(other.header("etag"), tag);
    let none = Service::start(&["--cache", "0"]);
    for _ in 0..2 {
        let got = none.post("/api/v1/solve/cold-start", cli::SMALL);
        assert_eq!(got.header("edgewise-cache"), "miss");
        assert_eq!(got.header("etag"), tag);
    }
}

#[test]
fn published_figures_are_those_of_the_command_line_with_and_without_a_scenario() {
    let service = Service::start(&[]);
    let path = "/api/v1/published/cold-start";
    let told = edgewise(&["published", "cold-start", "--format", "json"], "");
    assert_eq!(service.ask("POST", path, &[], "").answer(), told.out);
    for (accept, format) in [("text/plain", "text"), ("text/csv", "csv")] {
        let got = service.ask("POST", path, &[("accept", accept)], "");
        let ran = edgewise(&["published", "cold-start", "--format", format], "");
        assert_eq!(got.answer(), ran.out);
        assert!(got.header("content-type").starts_with(accept), "{got:?}");
    }
    let home = service.get("/api/v1/presets/home-decode").body;
    let got = service.post(path, &home);
    let ran = edgewise(&["published", "cold-start", "-", "--format", "json"], &home);
    assert_eq!(got.answer(), ran.out);
    assert_ne!(got.body, told.out);
    let got = service.ask("POST", "/api/v1/published/dispatch?format=csv", &[], " \n");
    let ran = edgewise(&["published", "dispatch", "--format", "csv"], "");
    assert_eq!(got.answer(), ran.out);
    // The figures of other papers do not depend on a scenario, and an empty object is none.
    let sentence = service
        .post("/api/v1/published/tiers", &home)
        .refused(422, "option", "question");
    assert!(
        sentence.contains("the same for all scenarios"),
        "{sentence}"
    );
    assert_eq!(service.post(path, "{}").status, 422);
    let sentence = service
        .ask("POST", "/api/v1/published/csgo", &[], "")
        .refused(404, "unknown", "question");
    assert!(sentence.contains("head-placement"), "{sentence}");
}

#[test]
fn below_a_prefix_the_same_is_answered() {
    let service = Service::start(&["--prefix", "/tools/edgewise"]);
    let at = |path: &str| format!("/tools/edgewise{path}");
    let below = service.post(&at("/api/v1/solve/cold-start?seed=1"), SMALL);
    let plain = service.post("/api/v1/solve/cold-start?seed=1", SMALL);
    assert_eq!(below.answer(), plain.answer());
    assert_eq!(plain.header("edgewise-cache"), "hit");
    service.get(&at("/healthz")).answer();
    let described: Value = serde_json::from_str(service.get(&at("/api/v1/openapi.json")).answer())
        .expect("the document is JSON");
    assert_eq!(described["servers"][0]["url"], "/tools/edgewise");
    for other in [
        "/tools/edgewisely/healthz",
        "/tools/healthz",
        "/tools/edgewise/tools/edgewise/healthz",
    ] {
        service.get(other).refused(404, "unknown", "");
    }
    let moved = rest(service.raw(format!(
        "GET /tools/edgewise HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
        service.address
    )));
    assert!(
        moved.contains("\r\nlocation: /tools/edgewise/\r\n"),
        "{moved}"
    );
    // Figures go by route, whatever is before it.
    assert_eq!(
        service.figure("edgewise_requests_total{route=\"/healthz\",status=\"200\"}"),
        1
    );
    for wrong in ["tools", "/", "/tools/", "//tools", "/../tools", "/a b"] {
        let ran = cli::edgewise(&["serve", "--prefix", wrong], "");
        assert!(
            ran.code == 2 && ran.err.contains("/tools/edgewise"),
            "{ran:?}"
        );
    }
}
