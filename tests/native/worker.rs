//! What the worker says to a request. The browser tests check that it crosses to the page.

use crate::wire::{Json, replies, request as of};
use document::PackedBytes;
use engine::scenario::world::World;
use engine::scenario::{self, Scenario, presets};
use engine::solve::{Limits, NoProgress};
use planner::cold_start::{ColdStartMethod, answer};
use presenters::cold_start::queries::at;
use presenters::worker_tasks::handle;
use protocol::onnx::OnnxTask;
use protocol::request_kinds::{WorldQuery, WorldTask};
use protocol::worker::{Codec, Payload, SharedPayload, WorkerRequest, WorkerResponse};
use protocol::{self, AnswerTask};
use serde_json::Value;
use std::io;
use std::sync::Arc;

fn request(tokens: &[f64]) -> WorkerRequest<Value> {
    request_of(presets::paper(), tokens)
}

fn request_of(scenario: Scenario, tokens: &[f64]) -> WorkerRequest<Value> {
    let ask = |tokens: &f64| {
        AnswerTask::of(protocol::AnswerRequest::Subtask(
            (0, 0),
            at(*tokens),
            Arc::default(),
        ))
    };
    let asks: Vec<AnswerTask<Scenario>> = tokens.iter().map(ask).collect();
    of(3, &SharedPayload(Arc::new(scenario)), &asks)
}

/// What the worker says, without its progress.
fn answers(request: &WorkerRequest<Value>) -> Vec<WorkerResponse<Value>> {
    let mut heard = replies(request);
    heard.retain(|reply| !matches!(reply, WorkerResponse::Progress { .. }));
    heard
}

#[test]
fn every_prompt_length_of_a_request_is_answered_in_its_turn() {
    let scenario = presets::paper();
    let lengths = [256.0, 8192.0, 300.0];
    let expected: Vec<WorkerResponse<Value>> = (0..)
        .zip(lengths)
        .map(|(at, tokens)| {
            let problem = scenario.problem_at(tokens).expect("a valid length");
            let answer = answer(
                &problem,
                ColdStartMethod::Exact,
                scenario.heuristic,
                &Limits::default(),
                &mut NoProgress,
            );
            let answer = serde_json::to_vec(&answer).expect("JSON");
            let answer = PackedBytes(protocol::AnswerResponse::Subtask(answer.into()));
            let answer = Json::write(&answer).expect("an answer can go");
            WorkerResponse::Answered { id: 3, at, answer }
        })
        .collect();
    assert_eq!(answers(&request(&lengths)), expected);
}

#[test]
fn a_bad_scenario_or_length_is_refused_with_its_field() {
    let mut bad = presets::paper();
    bad.model.dimensions_mut().expect("dimensions").d_ff = 0.0;
    let bad = request_of(bad, &[256.0]);
    for (request, path) in [(bad, "model.d_ff"), (request(&[0.5]), "prompt_tokens")] {
        match answers(&request).as_slice() {
            [
                WorkerResponse::Refused {
                    id: 3,
                    at: 0,
                    fault,
                },
            ] => assert_eq!(fault.path, path),
            other => panic!("{other:?}"),
        }
    }
    // One bad length leaves the others alone.
    let mixed = answers(&request(&[0.5, 256.0]));
    assert!(
        matches!(
            mixed[..],
            [
                WorkerResponse::Refused { at: 0, .. },
                WorkerResponse::Answered { at: 1, .. }
            ]
        ),
        "{mixed:?}"
    );
}

#[test]
fn progress_carries_the_number_of_the_request_and_rises_to_the_end() {
    let mut last = 0.0;
    for reply in replies(&request(&[256.0])) {
        match reply {
            WorkerResponse::Progress {
                id: 3,
                done,
                of: Some(of),
            } => {
                assert_eq!((done, of), (last + 1.0, 40.0));
                last = done;
            }
            WorkerResponse::Answered { id: 3, at: 0, .. } => assert_eq!(last, 40.0),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(last, 40.0);
}

/// Sends a scenario.
fn arrived<S: PartialEq + std::fmt::Debug>(scenario: S)
where
    SharedPayload<S>: Payload,
{
    let sent = SharedPayload(Arc::new(scenario));
    let value = sent.send::<Json>().expect("a scenario can go");
    assert_eq!(SharedPayload::arrive::<Json>(value), Ok(sent));
}

#[test]
fn a_scenario_is_sent_as_its_file_has_it_and_arrives_unchanged() {
    for preset in presets::all() {
        arrived(preset.scenario);
    }
    for preset in scenario::heads::presets::all() {
        arrived(preset.scenario);
    }
    for preset in scenario::dispatch::presets::all() {
        arrived(preset.scenario);
    }
    for preset in scenario::tiers::presets::all() {
        arrived(preset.scenario);
    }
    for preset in scenario::operators::presets::all() {
        arrived(preset.scenario);
    }
}

/// The kind of a request for one errand, after it has been answered or refused.
fn answered<E: protocol::worker::WorkerTask>(scenario: &E::Scenario, ask: E) -> String {
    let request = of(1, scenario, &[ask]);
    let said = answers(&request);
    assert!(!said.is_empty(), "{} is not known", E::KIND);
    request.kind
}

#[test]
fn every_kind_of_task_is_answered() {
    let paper = SharedPayload(Arc::new(presets::paper()));
    let onnx = OnnxTask {
        name: "a.onnx".to_owned(),
        options: engine::graph::onnx::Options::default(),
    };
    let asked = SharedPayload(Arc::new(WorldTask {
        world: World::of(&scenario::tiers::presets::paper().into()),
        wants: WorldQuery::Ranges { seed: 0 },
    }));
    let small = scenario::heads::presets::named("heads-small").expect("a preset");
    let kinds = [
        answered(&paper, AnswerTask::of(protocol::AnswerRequest::Full)),
        answered(
            &SharedPayload(Arc::new(small.scenario)),
            AnswerTask::of(protocol::AnswerRequest::Full),
        ),
        answered(
            &SharedPayload(Arc::new(scenario::dispatch::presets::paper())),
            AnswerTask::of(protocol::AnswerRequest::Full),
        ),
        answered(
            &SharedPayload(Arc::new(scenario::tiers::presets::paper())),
            AnswerTask::of(protocol::AnswerRequest::Full),
        ),
        answered(
            &SharedPayload(Arc::new(scenario::operators::presets::paper())),
            AnswerTask::of(protocol::AnswerRequest::Full),
        ),
        answered(&(), onnx.clone()),
        answered(&asked, AnswerTask::of(protocol::AnswerRequest::Full)),
    ];
    let mut apart = kinds.to_vec();
    apart.sort();
    apart.dedup();
    assert_eq!(
        apart.len(),
        kinds.len(),
        "two kinds have one name: {kinds:?}"
    );
    // A file that is asked for and does not come is missed by name; one that comes is read.
    let request = of(1, &(), &[onnx]);
    let missed = replies(&request);
    assert!(
        matches!(&missed[..], [WorkerResponse::Refused { fault, .. }] if fault.message.contains("no file came")),
        "{missed:?}"
    );
    let mut heard = Vec::new();
    handle::<Json, _>(request, Some(io::Cursor::new(b"no graph")), |reply| {
        heard.push(reply);
        true
    });
    assert!(
        matches!(&heard[..], [WorkerResponse::Refused { fault, .. }] if !fault.message.contains("no file came")),
        "{heard:?}"
    );
}

#[test]
#[should_panic(expected = "the same build")]
fn an_unknown_kind_is_of_another_build() {
    let request = WorkerRequest {
        kind: "nothing".to_owned(),
        ..request(&[256.0])
    };
    replies(&request);
}

#[test]
fn a_worker_that_does_not_start_says_so_as_one_that_fails_does() {
    let message = "the solver could not start".to_owned();
    let panic: WorkerResponse<Value> = WorkerResponse::Panic { message };
    let written = Json::write(&panic).expect("plain data");
    let boot = include_str!("../../public/boot.js");
    assert!(
        boot.contains(r#"postMessage({ panic: { message: "the solver could not start: " + f } })"#)
    );
    assert_eq!(written["panic"]["message"], "the solver could not start");
}
