//! What the worker says to a request, and that requests and replies cross to it and back unchanged.

use engine::scenario::{Scenario, presets};
use job::cold_start::Status;
use job::worker::{Answered, Reply, Request, Work, handle};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen_test::wasm_bindgen_test;

/// There and back as a message between page and worker goes.
fn crossed<T: Serialize + DeserializeOwned>(message: &T) -> T {
    let value = serde_wasm_bindgen::to_value(message).expect("a message can be sent");
    serde_wasm_bindgen::from_value(value).expect("a message can be read")
}

fn request(preset: &str, tokens: f64) -> Request {
    let scenario = presets::named(preset).expect("a preset").scenario;
    request_of(scenario, tokens)
}

fn request_of(scenario: Scenario, tokens: f64) -> Request {
    Request {
        id: 7,
        work: Work::ColdStart {
            scenario: Box::new(scenario),
            tokens: vec![tokens],
        },
    }
}

/// The last thing that the worker says.
fn answered(request: &Request) -> Reply {
    let mut last = None;
    handle(request, |reply| {
        last = Some(reply);
        true
    });
    last.expect("a request is answered")
}

#[wasm_bindgen_test]
fn a_plan_crosses_to_the_page_with_all_its_bits() {
    let request = request("csgo-paper", 256.0);
    assert_eq!(crossed(&request), request);
    let reply = answered(&request);
    let Reply::Answered {
        id: 7,
        at: 0,
        answer: Answered::ColdStart(answer),
    } = &reply
    else {
        panic!("{reply:?}");
    };
    assert_eq!(answer.status, Status::Optimal);
    assert!((answer.T.expect("a plan") - 2.562).abs() < 5e-5);
    assert_eq!(crossed(&reply), reply);
}

#[wasm_bindgen_test]
fn a_proof_that_nothing_fits_crosses_to_the_page() {
    let reply = answered(&request("csgo-too-big", 256.0));
    let Reply::Answered {
        answer: Answered::ColdStart(answer),
        ..
    } = &reply
    else {
        panic!("{reply:?}");
    };
    assert_eq!(answer.status, Status::Infeasible);
    assert!(answer.infeasible.is_some());
    assert_eq!(crossed(&reply), reply);
}

#[wasm_bindgen_test]
fn a_scenario_out_of_range_is_refused_with_its_field() {
    let mut scenario = presets::paper();
    // Not a whole number: as a value of any kind, JavaScript would hand back -3 for -3.0.
    scenario.devices[2].r_mb_s = -3.5;
    let reply = answered(&request_of(scenario, 256.0));
    let Reply::Refused {
        id: 7,
        at: 0,
        fault,
    } = &reply
    else {
        panic!("{reply:?}");
    };
    assert_eq!(fault.path, "devices[2].r_mb_s");
    assert_eq!(crossed(&reply), reply);
}

#[wasm_bindgen_test]
fn progress_rises_to_the_end() {
    let mut heard = Vec::new();
    handle(&request("csgo-paper", 256.0), |reply| {
        heard.push(reply);
        true
    });
    let steps: Vec<Reply> = (1..=40)
        .map(|done| Reply::Progress {
            id: 7,
            done: f64::from(done),
            of: Some(40.0),
        })
        .collect();
    assert_eq!(crossed(&heard), heard);
    assert_eq!(heard[..40], steps);
    assert!(matches!(heard[40..], [Reply::Answered { at: 0, .. }]));
}
