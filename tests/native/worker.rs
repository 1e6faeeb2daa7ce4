//! What the worker says to a request. The browser tests check that it crosses to the page.

use engine::scenario::{Scenario, presets};
use engine::solve::{Deaf, Limits};
use job::cold_start::{Method, answer};
use job::worker::{Answered, Reply, Request, Work, handle};

fn request(tokens: &[f64]) -> Request {
    request_of(presets::paper(), tokens)
}

fn request_of(scenario: Scenario, tokens: &[f64]) -> Request {
    Request {
        id: 3,
        work: Work::ColdStart {
            scenario: Box::new(scenario),
            tokens: tokens.to_vec(),
        },
    }
}

/// What the worker says, without its progress.
fn replies(request: &Request) -> Vec<Reply> {
    let mut heard = Vec::new();
    handle(request, |reply| {
        heard.push(reply);
        true
    });
    heard.retain(|reply| !matches!(reply, Reply::Progress { .. }));
    heard
}

#[test]
fn every_prompt_length_of_a_request_is_answered_in_its_turn() {
    let scenario = presets::paper();
    let lengths = [256.0, 8192.0, 300.0];
    let expected: Vec<Reply> = (0..)
        .zip(lengths)
        .map(|(at, tokens)| {
            let problem = scenario.problem_at(tokens).expect("a valid length");
            let answer = answer(
                &problem,
                Method::Exact,
                scenario.heuristic,
                &Limits::default(),
                &mut Deaf,
            );
            let answer = Answered::ColdStart(Box::new(answer));
            Reply::Answered { id: 3, at, answer }
        })
        .collect();
    assert_eq!(replies(&request(&lengths)), expected);
}

#[test]
fn a_bad_scenario_or_length_is_refused_with_its_field() {
    let mut bad = presets::paper();
    bad.model.dimensions_mut().expect("dimensions").d_ff = 0.0;
    let bad = request_of(bad, &[256.0]);
    for (request, path) in [(bad, "model.d_ff"), (request(&[0.5]), "prompt_tokens")] {
        match replies(&request).as_slice() {
            [
                Reply::Refused {
                    id: 3,
                    at: 0,
                    fault,
                },
            ] => assert_eq!(fault.path, path),
            other => panic!("{other:?}"),
        }
    }
    // One bad length leaves the others alone.
    let mixed = replies(&request(&[0.5, 256.0]));
    assert!(
        matches!(
            mixed[..],
            [Reply::Refused { at: 0, .. }, Reply::Answered { at: 1, .. }]
        ),
        "{mixed:?}"
    );
}

#[test]
fn progress_carries_the_number_of_the_request_and_rises_to_the_end() {
    let mut last = 0.0;
    handle(&request(&[256.0]), |reply| {
        match reply {
            Reply::Progress {
                id: 3,
                done,
                of: Some(of),
            } => {
                assert_eq!((done, of), (last + 1.0, 40.0));
                last = done;
            }
            Reply::Answered { id: 3, at: 0, .. } => assert_eq!(last, 40.0),
            other => panic!("{other:?}"),
        }
        true
    });
    assert_eq!(last, 40.0);
}
