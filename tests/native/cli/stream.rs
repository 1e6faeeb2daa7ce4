//! `--jsonl`: a document a line in, an answer a line out, in order, while it comes.

use super::{Ran, SMALL, edgewise, evaluate, file, paper, small_and, small_with, solve};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

fn stream(input: impl AsRef<[u8]>) -> Ran {
    edgewise(&["solve", "cold-start", "--jsonl"], input)
}

fn lines(ran: &Ran) -> Vec<Value> {
    let lines = ran.out.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a document a line"))
        .collect()
}

#[test]
fn answers_come_in_order_with_their_ids() {
    let documents: Vec<String> = (0..20)
        .map(|id| small_and(&format!("\"id\":{id}")))
        .collect();
    let ran = stream(documents.join("\n"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let answers = lines(&ran);
    assert_eq!(answers.len(), 20);
    for (id, answer) in answers.iter().enumerate() {
        assert_eq!(answer["id"], id);
        assert_eq!(answer["status"], "optimal");
    }
}

#[test]
fn a_bad_line_is_answered_in_its_place_and_the_stream_goes_on() {
    let good = small_and("\"id\":\"good\"");
    let bad = small_with("{\"layers\"", "{\"id\":\"bad\",\"layers\"").replace("80e6", "-1");
    let cut = &SMALL[..40];
    let input = [good.as_str(), &bad, cut, &good].join("\n");
    let ran = stream(&input);
    assert_eq!(ran.code, 2);
    let answers = lines(&ran);
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[0], answers[3]);
    assert_eq!(answers[0]["status"], "optimal");
    assert_eq!(answers[1]["id"], "bad");
    let fault = &answers[1]["error"];
    assert_eq!(
        (&fault["code"], &fault["path"]),
        (&json!("range"), &json!("devices[0].bu"))
    );
    assert_eq!(fault["value"], -1.0);
    assert_eq!(answers[2]["id"], Value::Null);
    assert_eq!(answers[2]["error"]["code"], "syntax");
    // One line for people each, with the number of the line.
    let complaints: Vec<&str> = ran.err.lines().collect();
    assert_eq!(complaints.len(), 2);
    assert!(complaints[0].starts_with("edgewise: line 2: devices[0].bu"));
    assert!(complaints[1].starts_with("edgewise: line 3: "));
}

#[test]
fn blank_lines_and_line_ends_of_other_systems_are_no_documents() {
    let input = format!("\n{SMALL}\r\n   \n\r\n{SMALL}");
    let ran = stream(&input);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(lines(&ran).len(), 2);
    let nothing = stream("\n\n");
    assert_eq!((nothing.code, nothing.out.as_str()), (0, ""));
}

#[test]
fn the_statuses_of_the_answers_do_not_change_the_exit_status() {
    let infeasible = SMALL.replace("4e9", "1");
    let ran = stream(format!("{infeasible}\n{SMALL}\n"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let answers = lines(&ran);
    assert_eq!(answers[0]["status"], "infeasible");
    assert_eq!(answers[1], solve(SMALL).answer());
}

#[test]
fn a_line_that_is_no_text_is_a_bad_line() {
    let mut input = SMALL.as_bytes().to_vec();
    input.extend(b"\n\xff\xfe\n");
    input.extend(SMALL.as_bytes());
    let ran = stream(input);
    assert_eq!(ran.code, 2);
    let answers = lines(&ran);
    assert_eq!(answers[1]["error"]["code"], "syntax");
    assert_eq!(answers[2]["status"], "optimal");
}

#[test]
fn files_and_evaluate_stream_too() {
    let planned = small_and("\"id\":5,\"plan\":[[1,1,2]]");
    let path = file("stream.jsonl", format!("{planned}\n{SMALL}\n"));
    let ran = edgewise(&["evaluate", "cold-start", "--jsonl", &path], "");
    assert_eq!(ran.code, 2);
    let answers = lines(&ran);
    let mut alone = evaluate(&planned).answer();
    assert_eq!(alone["id"], 5);
    assert_eq!(answers[0], alone.take());
    assert_eq!(answers[1]["error"]["path"], "plan");
}

#[test]
fn rows_of_several_lengths_stay_on_one_line() {
    let ran = stream(paper("\"tokens\":[256,512]"));
    assert_eq!(
        lines(&ran)[0],
        solve(&paper("\"tokens\":[256,512]")).answer()
    );
}

#[test]
fn an_answer_comes_before_the_next_question() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_edgewise"))
        .args(["solve", "cold-start", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut questions = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
    for id in 0..3 {
        writeln!(questions, "{}", small_and(&format!("\"id\":{id}"))).expect("it listens");
        let mut answer = String::new();
        answers.read_line(&mut answer).expect("it answers");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["id"], id);
    }
    drop(questions);
    assert!(child.wait().expect("it ends").success());
}
