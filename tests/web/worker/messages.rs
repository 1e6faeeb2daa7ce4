//! What the worker says to a request, and that requests and replies cross to it and back unchanged.

use crate::wire::{Js, Messages};
use document::PackedBytes;
use engine::scenario::{Scenario, presets};
use planner::cold_start::{Answer, Status};
use presenters::cold_start::queries::at;
use presenters::worker_tasks::handle;
use protocol::worker::{Codec, Payload, SharedPayload, WorkerRequest, WorkerResponse, WorkerTask};
use protocol::{self, AnswerRequest, AnswerTask};
use serde::{Serialize, de::DeserializeOwned};
use std::io;
use std::sync::Arc;
use wasm_bindgen_test::wasm_bindgen_test;

/// There and back as a message between page and worker goes.
fn crossed<T: Serialize + DeserializeOwned>(message: &T) -> T {
    let value = Messages::write(message).expect("a message can be sent");
    Messages::read(value).expect("a message can be read")
}

fn request(preset: &str, tokens: f64) -> WorkerRequest<Js> {
    let scenario = presets::named(preset).expect("a preset").scenario;
    let sent = SharedPayload(Arc::new(scenario.clone()));
    let value = sent.send::<Messages>().expect("a scenario can be sent");
    assert_eq!(SharedPayload::arrive::<Messages>(value), Ok(sent));
    request_of(scenario, tokens)
}

fn request_of(scenario: Scenario, tokens: f64) -> WorkerRequest<Js> {
    let scenario = SharedPayload(Arc::new(scenario));
    let value = scenario.send::<Messages>().expect("a scenario can be sent");
    let ask = AnswerRequest::Subtask((0, 0), at(tokens), Arc::default());
    assert_eq!(crossed(&ask), ask);
    let asks = vec![AnswerTask::<Scenario>::of(ask)];
    WorkerRequest {
        id: 7,
        kind: AnswerTask::<Scenario>::KIND.to_owned(),
        first: false,
        scenario: value,
        tasks: Messages::write(&asks).expect("asks can be sent"),
    }
}

/// Everything that the worker says, as the page hears it.
fn heard(request: &WorkerRequest<Js>) -> Vec<WorkerResponse<Js>> {
    let mut heard = Vec::new();
    handle::<Messages, _>(crossed(request), None::<io::Empty>, |reply| {
        heard.push(crossed(&reply));
        true
    });
    heard
}

/// The last of it.
fn answered(request: &WorkerRequest<Js>) -> WorkerResponse<Js> {
    heard(request).pop().expect("a request is answered")
}

/// The answer in it.
fn answer_in(reply: WorkerResponse<Js>) -> Answer {
    let WorkerResponse::Answered {
        id: 7,
        at: 0,
        answer,
    } = reply
    else {
        panic!("{reply:?}");
    };
    let answer = Messages::read::<PackedBytes<protocol::AnswerResponse>>(answer)
        .expect("an answer can be read");
    let protocol::AnswerResponse::Subtask(piece) = answer.0 else {
        panic!("{answer:?}");
    };
    serde_json::from_slice(&piece).expect("a plan")
}

#[wasm_bindgen_test]
fn a_plan_crosses_to_the_page_with_all_its_bits() {
    let answer = answer_in(answered(&request("csgo-paper", 256.0)));
    assert_eq!(answer.status, Status::Optimal);
    assert!((answer.T.expect("a plan") - 2.562).abs() < 5e-5);
}

#[wasm_bindgen_test]
fn a_proof_that_nothing_fits_crosses_to_the_page() {
    let answer = answer_in(answered(&request("csgo-too-big", 256.0)));
    assert_eq!(answer.status, Status::Infeasible);
    assert!(answer.infeasible.is_some());
}

#[wasm_bindgen_test]
fn a_scenario_out_of_range_is_refused_with_its_field() {
    let mut scenario = presets::paper();
    // Not a whole number: as a value of any kind, JavaScript would hand back -3 for -3.0.
    scenario.devices[2].r_mb_s = -3.5;
    let reply = answered(&request_of(scenario, 256.0));
    let WorkerResponse::Refused {
        id: 7,
        at: 0,
        fault,
    } = &reply
    else {
        panic!("{reply:?}");
    };
    assert_eq!(fault.path, "devices[2].r_mb_s");
}

#[wasm_bindgen_test]
fn progress_rises_to_the_end() {
    let heard = heard(&request("csgo-paper", 256.0));
    let steps: Vec<WorkerResponse<Js>> = (1..=40)
        .map(|done| WorkerResponse::Progress {
            id: 7,
            done: f64::from(done),
            of: Some(40.0),
        })
        .collect();
    assert_eq!(heard[..40], steps);
    assert!(matches!(
        heard[40..],
        [WorkerResponse::Answered { at: 0, .. }]
    ));
}
