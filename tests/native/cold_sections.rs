//! Sections of a cold start as the page requests them: view, subtasks, continued search, files.

use document::{Block, DeferredQuery, Patch, RichTable, RowAction, Section, Trigger};
use engine::scenario::{Decode, Goal, Model, Scenario, presets};
use engine::solve::{Limits, NoProgress};
use planner::cold_start::{ColdStartMethod, answer};
use planner::cold_start_gains::{gains, limits};
use planner::cold_start_spread;
use presenters::cold_start::gains::table as gains_table;
use presenters::cold_start::spread::{basis, summary};
use presenters::worker::TaskHandler;
use protocol::worker::SharedPayload;
use protocol::{
    AnswerRequest, AnswerResponse, AnswerTask, AnswerView, SubtaskResult, changed, packed, unpacked,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A page without a browser: what it has been told of a scenario.
struct Reader {
    scenario: SharedPayload<Scenario>,
    told: AnswerView,
    noted: Arc<SubtaskResult>,
}

impl Reader {
    fn of(scenario: Scenario) -> Self {
        let scenario = SharedPayload(Arc::new(scenario));
        let ask = AnswerTask::of(AnswerRequest::Full);
        let AnswerResponse::View(told) = answered(&scenario, &ask) else {
            panic!("a story is told");
        };
        let mut reader = Self {
            scenario,
            told,
            noted: Arc::default(),
        };
        reader.note();
        reader
    }

    fn note(&mut self) {
        // As it arrives on the page.
        let sent = packed(&self.told);
        let arrived: AnswerView = unpacked(&sent).expect("it arrives");
        // By its bytes: what has no place in a chart is no number.
        assert_eq!(packed(&arrived), sent);
        self.noted = Arc::new(SubtaskResult::from(self.told.presenter_state.clone()));
    }

    fn ask(&self, ask: AnswerRequest) -> AnswerResponse {
        answered(&self.scenario, &AnswerTask::about(ask, self.noted.clone()))
    }

    fn fill(&mut self, fills: &[Patch]) {
        for section in &mut self.told.sections {
            fills.iter().for_each(|fill| section.fill(fill));
        }
    }

    fn turn(&mut self, place: &str, at: &[f64]) {
        match self.ask(AnswerRequest::WithControls(place.to_owned(), at.to_vec())) {
            AnswerResponse::Patches(fills) => self.fill(&fills),
            other => panic!("{other:?}"),
        }
    }

    /// Finds out what a section says is still to be found out, `parts` of its pieces.
    fn find(&mut self, more: &DeferredQuery, parts: usize) {
        if more.subtasks.is_empty() {
            match self.ask(AnswerRequest::Deferred(more.query.clone())) {
                AnswerResponse::Patches(fills) => return self.fill(&fills),
                other => panic!("{other:?}"),
            }
        }
        let load = Arc::new(SubtaskResult::from(more.load.clone()));
        let pieces = more.subtasks.iter().enumerate().map(|(at, piece)| {
            let ask = AnswerRequest::Subtask((0, at as u32), piece.clone(), load.clone());
            match (at < parts).then(|| self.ask(ask))? {
                AnswerResponse::Subtask(piece) => Some(piece),
                other => panic!("{other:?}"),
            }
        });
        let pieces = pieces.collect();
        let kept = Arc::new(SubtaskResult::from(more.context.clone()));
        match self.ask(AnswerRequest::Aggregate(
            0,
            more.query.clone(),
            kept,
            pieces,
        )) {
            AnswerResponse::Patches(fills) => self.fill(&fills),
            AnswerResponse::View(told) => {
                self.told = told;
                self.note();
            }
            other => panic!("{other:?}"),
        }
    }

    fn find_all(&mut self, section: &str) {
        for more in self.section(section).more.clone() {
            self.find(&more, usize::MAX);
        }
    }

    fn section(&self, id: &str) -> &Section {
        let found = self.told.section(id);
        found.unwrap_or_else(|| panic!("no section {id}"))
    }

    fn listing(&self, section: &str, id: &str) -> &RichTable {
        let mut blocks = self.section(section).all_blocks();
        let found = blocks.find_map(|block| match block {
            Block::Listing(listing) if listing.id == id => Some(listing),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("no listing {id} in {section}"))
    }

    fn plan(&self) -> Value {
        match self.ask(AnswerRequest::File("plan".to_owned())) {
            AnswerResponse::File(text) => serde_json::from_slice(&text).expect("JSON"),
            other => panic!("{other:?}"),
        }
    }
}

fn answered(scenario: &SharedPayload<Scenario>, ask: &AnswerTask<Scenario>) -> AnswerResponse {
    ask.answer(scenario, &mut |_, _, _| ()).expect("told").0
}

fn said(section: &Section) -> String {
    let words = section.all_blocks().filter_map(|block| match block {
        Block::Paragraph(sentence) => Some(sentence.to_string()),
        Block::Note(words) => Some(words.clone()),
        _ => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_preset_is_shown_and_arrives_as_it_was_sent() {
    for preset in presets::all() {
        let reader = Reader::of(preset.scenario.clone());
        let ids: Vec<&str> = reader
            .told
            .sections
            .iter()
            .map(|section| section.id)
            .collect();
        let once: BTreeSet<&&str> = ids.iter().collect();
        assert_eq!(once.len(), ids.len(), "{}: {ids:?}", preset.name);
        assert_eq!(ids[0], "answer");
        assert!(!reader.told.chains.is_empty());
        for section in ["comparison", "gains", "strategies", "rules"] {
            assert!(ids.contains(&section), "{}: {ids:?}", preset.name);
        }
    }
}

#[test]
fn prompt_lengths_come_one_by_one_and_are_those_of_the_paper() {
    let mut reader = Reader::of(presets::paper());
    let lengths = [256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0];
    reader.turn("sweep", &lengths);
    let more = reader.section("sweep").more[0].clone();
    assert_eq!((more.when, more.subtasks.len()), (Trigger::Idle, 6));
    reader.find(&more, 2);
    let cells = |reader: &Reader, at: usize| {
        let row = &reader.listing("sweep", "sweep-table").rows[at];
        row.cells
            .iter()
            .map(|cell| cell.text.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(cells(&reader, 0)[..2], ["256", "2.5620"]);
    assert_eq!(cells(&reader, 2)[1], "\u{2013}");
    assert!(!said(reader.section("sweep")).contains("Gains over"));
    reader.find(&more, 6);
    assert_eq!(cells(&reader, 0)[5], "2.6853 (4.59)");
    let sum = said(reader.section("sweep"));
    for part in ["8.82", "43.53", "20.40"] {
        assert!(sum.contains(part), "{sum}");
    }
}

#[test]
fn sensitivity_equals_the_library_s_and_each_change_is_an_edit() {
    for (preset, by) in [
        ("csgo-paper", 25.0),
        ("csgo-paper", 100.0),
        ("csgo-too-big", 25.0),
    ] {
        let scenario = presets::named(preset).expect("a preset").scenario;
        let mut reader = Reader::of(scenario.clone());
        reader.turn("gains", &[by]);
        reader.find_all("gains");
        let problem = scenario.problem().expect("valid");
        let limits_of = Limits::default();
        let before = answer(
            &problem,
            ColdStartMethod::Exact,
            scenario.heuristic,
            &limits_of,
            &mut NoProgress,
        );
        let found = gains(&scenario, &before, by, &limits(), &mut NoProgress).expect("solved");
        let known = planner::cold_start_gains::Known::of(&before);
        let listing = reader.listing("gains", "gains-list");
        assert_eq!(listing.table, gains_table(&scenario, &known, &found));
        let best = planner::cold_start_gains::improvements(&found);
        for (line, gain) in listing.rows.iter().zip(best) {
            let Some(RowAction::Change { choice, .. }) = &line.act else {
                panic!("each can be tried");
            };
            let tried = changed(&scenario, &choice.edit).expect("a change");
            let edited = gain.change.applied(&scenario, by).expect("possible");
            assert_eq!(tried, edited.scenario);
        }
    }
}

#[test]
fn the_front_its_plans_and_the_way_between_them_are_shown() {
    let mut scenario = presets::paper();
    scenario.decode = Some(Decode::USUAL);
    for (device, rate) in scenario
        .devices
        .iter_mut()
        .zip([1008.0, 760.0, 360.0, 224.0])
    {
        device.bandwidth_gb_s = Some(rate);
        (device.memory_share, device.layer_us) = (Some(1.0), Some(0.0));
        device.m_gb *= 1.5; // room for both plans
    }
    let mut reader = Reader::of(scenario.clone());
    reader.find_all("front");
    assert!(said(reader.section("front")).contains("Start spread, then consolidate"));
    let rows = reader.listing("front", "front-plans").rows.clone();
    assert!(rows.len() > 2 && rows[0].class == "now");
    let Some(RowAction::Change { choice, .. }) = &rows.last().expect("plans").act else {
        panic!("each can be loaded");
    };
    let loaded = changed(&scenario, &choice.edit).expect("a change");
    assert_eq!(
        loaded.decode.map(|decode| decode.goal),
        Some(Goal::Throughput)
    );
    // The front is another scenario’s with the same goal aside: it is told at once.
    let reader = Reader::of(loaded);
    let again = &reader.listing("front", "front-plans").rows;
    assert_eq!(again.len(), rows.len());
    assert_eq!(again.last().map(|row| row.class), Some("now"));
}

#[test]
fn rules_of_other_tools_come_with_their_flags() {
    let mut reader = Reader::of(presets::paper());
    let before = reader.told.chains.len();
    reader.find_all("rules");
    let rows = &reader.listing("rules", "rules-list").rows;
    assert_eq!(rows.len(), 5);
    for row in &rows[1..] {
        let Some(RowAction::Flags(plan)) = &row.act else {
            panic!("a rule has flags");
        };
        assert!(
            reader.told.chains.iter().any(|(name, _)| name == plan),
            "{plan}"
        );
    }
    assert_eq!(reader.told.chains.len(), before + 4);
}

#[test]
fn repairs_of_an_infeasible_scenario_are_edits() {
    let too_big = presets::named("csgo-too-big").expect("a preset").scenario;
    let mut reader = Reader::of(too_big.clone());
    reader.find_all("repairs");
    let rows = &reader.listing("repairs", "").rows;
    for row in rows {
        let Some(RowAction::Change { choice, .. }) = &row.act else {
            panic!("each can be applied");
        };
        let fits = Reader::of(changed(&too_big, &choice.edit).expect("a change"));
        assert!(fits.plan()["T"].is_number(), "{choice:?}");
    }
    assert!(!rows.is_empty());
}

#[test]
fn draws_come_to_what_the_command_line_says() {
    let mut scenario = presets::paper();
    let span = engine::scenario::ranges::Span {
        low: 2000.0,
        high: 3600.0,
    };
    let place = engine::scenario::ranges::Place::of_device(2, "r_mb_s");
    scenario.set_span(&place, Some(span));
    let mut reader = Reader::of(scenario.clone());
    reader.turn("spread", &[60.0, 3.0]);
    reader.find_all("spread");
    let problem = scenario.problem().expect("valid");
    let all = Limits::default();
    let plan = answer(
        &problem,
        ColdStartMethod::Exact,
        scenario.heuristic,
        &all,
        &mut NoProgress,
    )
    .plan;
    let go_on = &mut |_, _| ControlFlow::Continue(());
    let found = cold_start_spread::spread(&scenario, &plan.expect("a plan"), (60, 3), go_on);
    let found = found.expect("draws");
    let told = said(reader.section("spread"));
    for words in [summary(&scenario, &found).to_string(), basis(&found)] {
        assert!(told.contains(&words), "{words}: {told}");
    }
}

fn fleet(name: &str, layers: f64) -> Scenario {
    let mut scenario = presets::scenario_named(name).expect("a random fleet");
    if let Model::Dimensions(dims) = &mut scenario.model {
        dims.layers = layers;
    }
    scenario
}

fn round(reader: &Reader) -> Option<DeferredQuery> {
    let hunt = reader.told.section("hunt")?;
    hunt.more.first().cloned()
}

#[test]
fn a_search_goes_on_round_by_round_to_the_plan_of_one_in_one_go() {
    let scenario = fleet("random-7-20", 60.0);
    let problem = scenario.problem().expect("valid");
    let limits = Limits {
        threads: 2,
        ..Limits::default()
    };
    let whole = answer(
        &problem,
        ColdStartMethod::Exact,
        scenario.heuristic,
        &limits,
        &mut NoProgress,
    );
    let mut reader = Reader::of(scenario);
    let first = round(&reader).expect("the first answer proves too little");
    assert!(matches!(first.when, Trigger::Now(_)) && first.needs_all);
    while let Some(more) = round(&reader) {
        reader.find(&more, usize::MAX);
    }
    assert!(said(reader.section("hunt")).starts_with("Searched to the end"));
    let plan = reader.plan();
    assert_eq!(plan["T"].as_f64(), whole.T);
    assert_eq!(plan["bound"].as_f64(), whole.T);
    assert_eq!(plan["status"], "optimal");
}

#[test]
fn a_search_that_is_ended_keeps_its_plan_and_its_bound() {
    let mut reader = Reader::of(fleet("random-11-20", 60.0));
    for _ in 0..3 {
        let more = round(&reader).expect("it goes on");
        reader.find(&more, usize::MAX);
    }
    let before = reader.plan();
    let more = round(&reader).expect("it goes on");
    reader.find(&more, 0);
    assert!(round(&reader).is_none());
    assert!(said(reader.section("hunt")).contains("Stopped after "));
    let after = reader.plan();
    assert_eq!(
        (&after["T"], &after["plan"]),
        (&before["T"], &before["plan"])
    );
}
