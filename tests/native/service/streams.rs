//! Streams: a line for a line, and progress before the answer.

use super::{Service, long, rest};
use crate::cli::{SMALL, edgewise, small_and};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};

const LINES: &[(&str, &str)] = &[("content-type", "application/x-ndjson")];

#[test]
fn every_line_is_answered_in_order_and_as_on_the_command_line() {
    let service = Service::start(&["--threads", "2"]);
    let mut input: Vec<String> = (0..50)
        .map(|id| small_and(&format!("\"id\":{id}")))
        .collect();
    input.insert(10, "{\"id\":\"bad\",\"layers\":[]}".to_owned());
    input.insert(20, String::new());
    input.insert(30, SMALL[..40].to_owned());
    let input = input.join("\n");
    let got = service.ask("POST", "/api/v1/solve/cold-start", LINES, input.as_str());
    let ran = edgewise(&["solve", "cold-start", "--jsonl"], &input);
    assert_eq!(got.answer(), ran.out);
    assert_eq!(got.body.lines().count(), 52);
}

#[test]
fn a_line_over_the_limit_is_answered_in_its_place() {
    let service = Service::start(&["--body-limit", "2000"]);
    let input = format!(
        "{SMALL}\n{}\n{SMALL}\n{}",
        "x".repeat(200_000),
        "y".repeat(2001)
    );
    let got = service.ask("POST", "/api/v1/solve/cold-start", LINES, input);
    let lines: Vec<Value> = got
        .answer()
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert_eq!(
        (&lines[0]["T"], &lines[2]["T"]),
        (&2.35.into(), &2.35.into())
    );
    assert_eq!(
        (&lines[1]["error"]["code"], &lines[3]["error"]["code"]),
        (&"too_long".into(), &"too_long".into())
    );
}

#[test]
fn answers_come_while_lines_are_still_sent() {
    let service = Service::start(&[]);
    let host = &service.address;
    let mut stream = service.raw(format!(
        "POST /api/v1/solve/cold-start HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n"
    ));
    let mut answers = BufReader::new(stream.try_clone().expect("a second hand"));
    let mut line = String::new();
    for _ in 0..3 {
        let piece = format!("{SMALL}\n");
        write!(stream, "{:x}\r\n{piece}\r\n", piece.len()).expect("it reads");
        while !line.contains("\"T\":2.35") {
            line.clear();
            assert_ne!(answers.read_line(&mut line).expect("an answer comes"), 0);
        }
        line.clear();
    }
    stream.write_all(b"0\r\n\r\n").expect("it reads");
    assert!(rest(stream).ends_with("0\r\n\r\n"));
}

/// The events of a stream: names and data.
fn events(text: &str) -> Vec<(String, Value)> {
    let events = text
        .split("\n\n")
        .filter(|event| event.starts_with("event: "));
    events
        .map(|event| {
            let (name, data) = event.split_once('\n').expect("an event has data");
            let data: Vec<&str> = data
                .lines()
                .map(|line| line.trim_start_matches("data: "))
                .collect();
            let data = serde_json::from_str(&data.concat()).expect("data is JSON");
            (name.trim_start_matches("event: ").to_owned(), data)
        })
        .collect()
}

#[test]
fn progress_comes_before_the_answer_which_comes_at_the_time_limit() {
    let service = Service::start(&["--time-limit", "1.5"]);
    let headers = [
        ("content-type", "application/json"),
        ("accept", "text/event-stream"),
    ];
    let got = service.ask("POST", "/api/v1/run", &headers, long());
    let events = events(got.answer());
    let (last, all) = events.split_last().expect("there is an answer");
    assert!(all.len() > 3, "{all:?}");
    assert!(all.iter().all(|(name, _)| name == "progress"));
    let told = &all[all.len() - 1].1;
    let number = |name: &str| told[name].as_f64().expect("a number");
    assert!(number("bound") <= number("best"), "{told}");
    assert_eq!(
        number("gap"),
        (number("best") - number("bound")) / number("best")
    );
    assert_eq!(
        (last.0.as_str(), &last.1["status"]),
        ("answer", &"feasible".into())
    );
    assert!(last.1["gap"].as_f64().is_some_and(|gap| gap > 0.0));
    let refused = service.ask("POST", "/api/v1/run", &headers, "{}");
    assert!(refused.body.starts_with("event: problem\n"), "{refused:?}");
}
