//! What the paper publishes beside what comes out here: everything of ours is computed, from the stated seeds, and the
//! words hold figures that can be computed again.

use crate::tier_profiles::{R16, model, split, three_tiers};
use crate::wire::{Json, replies, request};
use document::{Cell, PackedBytes};
use engine::papers::HYPERION;
use engine::problem::{Mode, PerOne};
use engine::scenario::tiers::{Scenario, presets};
use methods::tiers::trials::{Workload, quiet};
use planner::tiers_published::{LLAMA, PHI, SEEDS, TierMeasure, TierMeasurements};
use presenters::presenting::{AggregateResult, AnswerPresenter};
use presenters::published::hyperion_runs::{
    NOTES, many_requests, many_requests_table, memory, notes, one_request, topologies, utilisation,
};
use presenters::published::reproductions::{Reproduction, section};
use presenters::published::{Agreement, Figure, PublishedClaim};
use protocol::worker::{Codec, SharedPayload, WorkerResponse};
use protocol::{AnswerRequest, AnswerResponse, AnswerTask, SubtaskResult, unpacked, written};
use std::sync::Arc;

fn plain(text: &str) -> String {
    text.replace('\u{202f}', " ")
}

fn measured(measure: TierMeasure) -> TierMeasurements {
    let mut all = TierMeasurements::default();
    all.run(measure, &SEEDS).expect("there are seeds");
    all
}

/// Ours, agreement.
fn told(claims: &[PublishedClaim]) -> Vec<String> {
    let line = |c: &PublishedClaim| [c.ours.text(), c.agreement.text()].join(" | ");
    claims.iter().map(line).map(|line| plain(&line)).collect()
}

#[test]
fn one_request_is_shown_next_to_what_the_stages_take() {
    let claims = one_request();
    assert_eq!(
        told(&claims),
        [
            "24.3 s | 1.8 % apart",
            "48.0 s | Not reproduced",
            "24.6 s | 9.7 % apart",
            "48.3 s | Not reproduced",
            "24.3 s | 3.4 % apart",
            "48.0 s | Not reproduced",
            "48.7 s | Not reproduced",
            "96.1 s | Not reproduced",
            "34.8 s | 0.4 % apart",
            "52.3 s | 2.0 % apart",
            "30.7 s | Not reproduced",
            "58.1 s | Not reproduced",
        ]
    );
    for (claim, words) in claims.iter().zip([
        ["24.8 s with 5/9/18 under T2", "0.589 of the memory rate"],
        ["38.7 s with 7/13/20 under T2", "0.745 of the memory rate"],
        ["add 0.23 s", "needs 21 bytes"],
        ["add 0.28 s", "needs 23 bytes"],
        ["24.8 s with 5/9/18 under T2", "0.580 of the memory rate"],
        ["38.7 s with 7/13/20 under T2", "0.719 of the memory rate"],
        ["2.00 times the time", "published 1.42 times"],
        ["2.00 times the time", "published 1.44 times"],
        ["Cut 11/20/1", "34.2 s with 23/8/1 under T2"],
        ["Cut 7/19/14", "50.1 s with 15/24/1 under T2"],
        ["take 1.26 times", "not 1.99 times"],
        ["take 1.21 times", "not 1.96 times"],
    ]) {
        assert!(
            words.iter().all(|word| claim.reason.contains(word)),
            "{words:?}: {}",
            claim.reason
        );
    }
}

#[test]
fn many_requests_are_shown_next_to_runs_with_the_stated_seeds() {
    let claims = many_requests(&measured(TierMeasure::Readings)).expect("all is there");
    assert_eq!(claims.len(), 10);
    // The first figure once more, from the formulas of these tests.
    let load = Workload {
        rate: 0.2,
        tasks: 14,
        out_tokens: 128,
        memory: PerOne::All(0.0),
    };
    let cut = split("5/9/18");
    let llama = |profile, mode| three_tiers(model("llama"), profile, &cut, mode);
    let token = quiet(&llama(R16, Mode::Token), &load, &SEEDS).expect("a network");
    let Figure::Quantity(ours, ..) = claims[0].ours else {
        panic!("{:?}", claims[0]);
    };
    assert!((ours - token.latency.mean).abs() <= 1e-6 * ours, "{ours}");
    let serial = quiet(&llama(R16, Mode::Serial), &load, &SEEDS).expect("a network");
    let words = format!(
        "makespan, mode serial under R16: {:.0} s, 109",
        serial.makespan.mean
    );
    assert!(claims[0].reason.contains(&words), "{}", claims[0].reason);
    // In four of six rows the nearest is one under R16.
    let nearest = claims[..6]
        .iter()
        .map(|claim| claim.reason.contains("serial under R16:"));
    assert_eq!(
        nearest.collect::<Vec<bool>>(),
        [true, false, true, false, true, true]
    );
    assert!(
        claims[..6]
            .iter()
            .all(|claim| claim.agreement == Agreement::NotReproduced)
    );
    // What the note says of all of them: four times faster by the makespan, ten times by the mean.
    let published = HYPERION.row("many/Hyperion/Llama-3-8B").at(0);
    let faster = [token.makespan, token.latency].map(|ours| published / ours.mean);
    assert!(
        (3.5..4.5).contains(&faster[0]) && (9.0..11.0).contains(&faster[1]),
        "{faster:?}"
    );
    assert!(NOTES[0].contains("four times faster by the makespan and ten times by the mean"));
    assert_eq!(
        told(&claims[6..]),
        [
            "27.56 to 30.12 % | 3.2 points off",
            "13.20 to 20.82 % | Not reproduced",
            "8.15 to 22.64 % | Not reproduced",
            "13.20 to 17.24 % | Not reproduced",
        ]
    );
    // The published figures grow by so much of one request's latency with every further request.
    for row in HYPERION.group("many") {
        let parts: Vec<&str> = row.key.split('/').collect();
        let kind = if parts[1] == "Hyperion" {
            "fast"
        } else {
            parts[1]
        };
        let (one, many) = (
            HYPERION.row(&format!("one/{kind}/{}", parts[2])).at(0),
            row.at(0),
        );
        let paper = if parts[2] == LLAMA.name { LLAMA } else { PHI };
        let tasks = paper.tasks as f64;
        let share: f64 = (many - one) / (tasks - 1.0) / one;
        assert!((0.885..0.965).contains(&share), "{share}");
    }
    assert!(
        TierMeasurements::default()
            .run(TierMeasure::Readings, &[])
            .is_err()
    );
}

/// What the worker answers case by case, on its way as text, is what the library makes of all at once; and what is
/// missing is not half shown.
#[test]
fn measurements_come_through_the_worker_case_by_case() {
    let (mut whole, mut coming) = (TierMeasurements::default(), TierMeasurements::default());
    for measure in TierMeasure::ALL {
        whole.run(measure, &SEEDS).expect("there are seeds");
    }
    let told = |all: &TierMeasurements| {
        (
            many_requests(all),
            many_requests_table(all),
            topologies(all),
            utilisation(all),
        )
    };
    assert_eq!(told(&coming), (None, None, None, None));
    let paper = presets::paper();
    let pieces = <TierMeasurements as Reproduction>::subtasks(&());
    let asked = &section::<TierMeasurements>(&()).more[0];
    let asks = (0..).zip(&asked.subtasks).map(|(at, piece)| {
        AnswerTask::of(AnswerRequest::Subtask(
            (0, at),
            piece.clone(),
            Arc::default(),
        ))
    });
    let asks: Vec<AnswerTask<Scenario>> = asks.collect();
    let (mut steps, mut came) = (0, vec![None; pieces.len()]);
    for reply in replies(&request(7, &SharedPayload(Arc::new(paper.clone())), &asks)) {
        match reply {
            WorkerResponse::Progress { .. } => steps += 1,
            WorkerResponse::Answered { at, answer, .. } => {
                let told: PackedBytes<AnswerResponse> =
                    Json::read(answer).expect("it was written so");
                let AnswerResponse::Subtask(piece) = told.0 else {
                    panic!("{told:?}");
                };
                let (measure, case) = pieces[at as usize];
                let figures = unpacked(&piece).expect("figures");
                coming.add(measure.cases()[case].clone(), figures);
                came[at as usize] = Some(piece);
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(came.iter().all(Option::is_some) && steps > came.len());
    assert_eq!(told(&coming), told(&whole));
    // What a page shows of some of them, and of all.
    let shown = |came: &[Option<SubtaskResult>]| match paper
        .aggregate(&asked.query, &[], came)
        .expect("pieces")
    {
        AggregateResult::Fills(fills) => format!("{fills:?}"),
        other => panic!("{other:?}"),
    };
    let all = shown(&came);
    assert!(all.contains("Fig. 12") && all.contains("How busy"));
    came[0] = None;
    let some = shown(&came);
    assert!(some.contains("How busy") && !some.contains("Many requests: Fig. 5 and 6"));
    let far = written(&(TierMeasurements::NAME, (TierMeasure::Busy, 4)));
    let fault = paper
        .run_subtask(&far, &[], &mut |_, _| ())
        .expect_err("no such case");
    assert_eq!(fault.path, "at");
}

#[test]
fn the_table_of_many_requests_has_every_mode_and_profile() {
    let table = many_requests_table(&measured(TierMeasure::Readings)).expect("all is there");
    assert_eq!(table.rows.len(), 12);
    assert!(
        table
            .rows
            .iter()
            .all(|row| row.len() == table.columns.len())
    );
    let makespan = |row: usize| match table.rows[row].last() {
        Some(Cell::Number(value, _)) => *value,
        other => panic!("{other:?}"),
    };
    assert!((makespan(0) - 340.9).abs() < 0.1 && (makespan(1) - 347.1).abs() < 0.1);
    assert!(table.title.contains("5 seeds"));
}

#[test]
fn topologies_utilisation_and_memory_are_shown_next_to_ours() {
    let claims = topologies(&measured(TierMeasure::Topologies)).expect("all is there");
    let statements: Vec<&PublishedClaim> = claims
        .iter()
        .filter(|c| c.published == Figure::Holds(true))
        .collect();
    let holds: Vec<Figure> = statements.iter().map(|claim| claim.ours).collect();
    assert_eq!(
        (claims.len(), holds),
        (8, vec![Figure::Holds(false), Figure::Holds(true)])
    );
    assert!(
        claims[1]
            .reason
            .contains("under T2, mode token, 14 requests")
            && claims[1]
                .reason
                .contains("alone takes 24.8 s, all one after another 347 s")
    );
    // Every name in the rows is explained.
    let legend = notes()[0].clone();
    for name in ["R16 is", "T2 is", "F9 is", "token:", "hold:", "serial:"] {
        assert!(legend.contains(name), "{name}: {legend}");
    }

    let busy = utilisation(&measured(TierMeasure::Busy)).expect("all is there");
    // What is compared is what is cited: Table II, and none of the figures that show other algorithms or loads.
    assert!(
        busy.iter()
            .chain(&memory())
            .all(|claim| claim.source == "Table II")
    );
    let ours: Vec<f64> = busy
        .iter()
        .map(|claim| match claim.ours {
            Figure::Percent(value, _) => value,
            other => panic!("{other:?}"),
        })
        .collect();
    // Another program has 40/44/72 % and 52/61/77 %.
    for (ours, theirs) in ours.iter().zip([40.0, 44.0, 72.0, 52.0, 61.0, 77.0]) {
        assert!((ours - theirs).abs() <= 2.0, "{ours} {theirs}");
    }
    assert_eq!(
        told(&memory()),
        [
            "3.23 GB | Not reproduced",
            "3.93 GB | Not reproduced",
            "8.90 GB | Not reproduced",
            "5.10 GB | Not reproduced",
            "8.86 GB | Not reproduced",
            "13.96 GB | Not reproduced",
        ]
    );
}
