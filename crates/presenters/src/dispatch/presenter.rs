//! The answer about device and server as the page has it.

use super::sections::{self, PREDICTED, QUALITY, drawings, followed, runs_words};
use super::{imported_words, predictors, runs, sweep};
use crate::presenting::{
    AggregateResult, AnswerPresenter, PartialProgress, cached, for_file, solved,
};
use crate::published::reproductions;
use document::{
    Block, CacheScope, Control, ControlGroup, DeferredSlot, Edit, Patch, Section, Trigger,
};
use engine::plan::dispatch::Scarce;
use engine::problem::Invalid;
use engine::scenario::dispatch::log::LogColumn;
use engine::scenario::dispatch::{FirstToken, Prompts, Scenario};
use engine::units::seconds;
use planner::dispatch::{
    BudgetSweep, DispatchPlan, DispatchRequest, DispatchResult, PolicyAndRate, answer, document,
    imported, request,
};
use planner::dispatch_published::DispatchMeasurements;
use protocol::{AnswerView, FileSpec, SubtaskResult, difference, read, written};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use std::sync::Arc;

/// Places for what is found out later.
const REQUEST: &str = "request-told";
const SIMULATED: &str = "simulate";
const PREDICTION: &str = "predict";

/// Slots that take a log: TTFT, prompts.
const TIMES: &str = "log-times";
const LENGTHS: &str = "log-prompts";

/// A query.
#[derive(Serialize, Deserialize)]
enum More {
    /// Every budget.
    Sweep,
    /// Simulated requests, run by run.
    Runs,
    /// How well a first token can be predicted.
    Predict,
}

/// Does something with a scenario that is ready. All that no budget changes is kept, so that a budget that is dragged is followed.
fn ready<T>(
    scenario: &Scenario,
    with: impl FnOnce(&mut PolicyAndRate) -> Result<T, Invalid>,
) -> Result<T, Invalid> {
    scenario.validate()?;
    let at_no_budget = Scenario {
        budget: 0.0,
        ..scenario.clone()
    };
    let make = || PolicyAndRate::new(scenario);
    cached(at_no_budget, make, |ready| {
        ready.turn_to(scenario.budget)?;
        with(ready)
    })
}

fn planned(scenario: &Scenario) -> Result<Rc<DispatchPlan>, Invalid> {
    solved(scenario, || ready(scenario, PolicyAndRate::plan))
}

impl AnswerPresenter for Scenario {
    fn summarize(&self, _: &mut PartialProgress<'_>) -> Result<AnswerView, Invalid> {
        let planned = planned(self)?;
        let outcome = &planned.ours().outcome;
        let mean = seconds(outcome.mean);
        let server = &self.server.name;
        Ok(AnswerView {
            about: sections::about(self),
            sections: sections::summary(self, &planned),
            tab: format!("{mean}: first token from {server} or a device"),
            stem: format!(
                "edgewise-dispatch-{}-{:.0}ms",
                for_file(server),
                1e3 * outcome.mean
            ),
            checked: "Every policy is scored again by a separate evaluator, over all prompt lengths and all first tokens."
                .into(),
            hints: hints(&planned),
            figure: mean,
            ..AnswerView::default()
        })
    }

    fn present(&self, on_progress: &mut PartialProgress<'_>) -> Result<AnswerView, Invalid> {
        let mut telling = self.summarize(on_progress)?;
        telling
            .sections
            .extend(detail_sections(self, &*planned(self)?));
        telling.files = files();
        Ok(telling)
    }

    fn more(
        &self,
        ask: &str,
        on_progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<Patch>, Invalid> {
        match read::<More>(ask)? {
            More::Sweep => {
                let swept = ready(self, |ready| ready.sweep(on_progress))?;
                Ok(of_sweep(self, &swept))
            }
            More::Runs => {
                let (first, count) = (self.runs.first_seed as u64, self.runs.seeds as u64);
                let mut all = Vec::new();
                for at in 0..count {
                    on_progress(at, Some(count));
                    let ask = DispatchRequest::Run { seed: first + at };
                    match answer(self, &ask, &mut |_, _| ())? {
                        DispatchResult::Run(run) => all.push(run),
                        _ => unreachable!("a run is answered with one"),
                    }
                }
                let table = runs(&*planned(self)?, &all);
                Ok(vec![placed(SIMULATED, [table.into()])])
            }
            More::Predict => match answer(self, &DispatchRequest::Predict, on_progress)? {
                DispatchResult::Predicted(found) => {
                    Ok(vec![placed(PREDICTION, [predictors(&found).into()])])
                }
                _ => unreachable!("predictions are answered with some"),
            },
        }
    }

    fn run_subtask(
        &self,
        piece: &str,
        _: &[u8],
        on_progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<u8>, Invalid> {
        reproductions::run_subtask::<DispatchMeasurements>(&(), piece, on_progress)
    }

    fn aggregate(
        &self,
        _: &str,
        _: &[u8],
        results: &[Option<SubtaskResult>],
    ) -> Result<AggregateResult, Invalid> {
        reproductions::aggregate::<DispatchMeasurements>(&(), results, None)
    }

    fn with_controls(&self, place: &str, at: &[f64]) -> Result<Vec<Patch>, Invalid> {
        let (REQUEST, &[tokens, luck]) = (place, at) else {
            return Err(Invalid::range("place", place, REQUEST));
        };
        let planned = planned(self)?;
        let request = request(self, &planned, tokens as u32, luck / 100.0)?;
        let said = format!("The server starts after {}.", seconds(request.server_start));
        let followed_request = followed(self, &planned, &request);
        Ok(vec![placed(
            REQUEST,
            followed_request.into_iter().chain([said.into()]),
        )])
    }

    fn import_file(&self, place: &str, name: &str, text: &str) -> Result<(String, Edit), Invalid> {
        let bare = match place {
            TIMES => LogColumn::FirstTokens,
            LENGTHS => LogColumn::Prompts,
            _ => return Err(Invalid::range("place", place, "log-times, log-prompts")),
        };
        let found = imported(name, text, bare)?;
        let mut after = self.clone();
        if let Some((measured, _)) = &found.first_tokens {
            after.server.first_token = FirstToken::Measured(measured.clone());
        }
        if let Some((measured, _)) = &found.prompts {
            after.prompts = Prompts::Measured(measured.clone());
        }
        Ok((imported_words(&found), difference(self, &after)))
    }

    fn file(&self, name: &str) -> Result<String, Invalid> {
        match name {
            "policies" => document(self, &*planned(self)?, None).map(|document| document.to_json()),
            _ => Err(Invalid::range("file", name, "policies")),
        }
    }
}

fn placed(id: document::Name, blocks: impl IntoIterator<Item = Block>) -> Patch {
    Patch::Place {
        id,
        blocks: blocks.into_iter().collect(),
    }
}

/// Builds the details of the page: the shared sections and deferred queries.
fn detail_sections(scenario: &Scenario, planned: &DispatchPlan) -> Vec<Section> {
    let mut all = sections::details(&sections::DispatchFacts {
        scenario,
        planned,
        request: None,
        sweep: None,
        runs: &[],
        predicted: None,
    });
    // A page has the answer’s reasons first.
    for section in all.iter_mut().filter(|section| section.id == "costs") {
        section.folded = true;
    }
    let after = all.iter().position(|section| section.id == "comparison");
    let at = after.map_or(all.len(), |at| at + 1);
    let every = sections::budgets(scenario, &BudgetSweep::unknown(planned.scarce));
    let every = every.with_query(Trigger::Idle, written(&More::Sweep), "No budgets");
    all.splice(
        at..at,
        [every.lasting(CacheScope::Equivalent), one_request(planned)],
    );
    let pressed = |id, title: &str, note: String, words: (&str, &str), place, more| {
        let button = Some((words.0.to_owned(), words.1.to_owned()));
        let later = DeferredSlot {
            id: place,
            button,
            blocks: Vec::new(),
        };
        Section::new(id, title)
            .folded()
            .with(note)
            .with(Block::Deferred(later))
            .with_query(Trigger::Pressed(place), written(&more), "Not computed")
    };
    let simulated = pressed(
        "runs",
        "Simulated requests",
        runs_words(scenario),
        ("Run the requests", "Running the requests"),
        SIMULATED,
        More::Runs,
    );
    let prediction = pressed(
        "foretell",
        "Is the first token predictable?",
        PREDICTED.to_owned(),
        ("Predict", "Predicting"),
        PREDICTION,
        More::Predict,
    );
    let laws = all.iter().position(|section| section.id == "laws");
    let at = laws.unwrap_or(all.len());
    let request = [
        simulated.holding("noise and busy devices"),
        prediction.holding("barely"),
    ];
    all.splice(at..at, request);
    all.push(reproductions::section::<DispatchMeasurements>(&()));
    all
}

/// One request, of whatever prompt and start of the server.
fn one_request(planned: &DispatchPlan) -> Section {
    let length = |of: Option<&(u32, f64)>| of.map_or(1.0, |(tokens, _)| f64::from(*tokens));
    let ends = (
        length(planned.prompts.first()),
        length(planned.prompts.last()),
    );
    let at = f64::from(planned.example_prompt());
    let prompt = Control::new("request-prompt", "Prompt", ends, at).unit("tokens");
    let luck = Control::new(
        "request-luck",
        "The server is slower than in",
        (1.0, 99.0),
        50.0,
    )
    .unit("% of its starts");
    let place = DeferredSlot {
        id: REQUEST,
        button: None,
        blocks: Vec::new(),
    };
    Section::new("request", "One request, token by token")
        .folded()
        .holding("who writes, and where it is handed over")
        .with(Block::Controls(ControlGroup::of(
            REQUEST,
            vec![prompt, luck],
        )))
        .with(Block::Deferred(place))
        .with(Block::Note(QUALITY.to_owned()))
}

fn of_sweep(scenario: &Scenario, swept: &BudgetSweep) -> Vec<Patch> {
    let charts = drawings(scenario, swept).map(|(chart, drawing)| Patch::Drawn {
        chart,
        drawing: Arc::new(drawing),
    });
    let rows = sweep(swept).rows.into_iter().enumerate();
    let rows = rows.map(|(at, cells)| Patch::Row {
        table: "budgets",
        at: at as u32,
        cells,
    });
    charts.into_iter().chain(rows).collect()
}

fn files() -> Vec<(String, Vec<FileSpec>)> {
    let csv = |id, what| FileSpec::table(id, what, "csv", "CSV");
    let groups = [
        ("Scenario", vec![FileSpec::scenario()]),
        (
            "Policies",
            vec![FileSpec::from_worker("save-policy", "policies")],
        ),
        (
            "Prompt lengths",
            vec![
                csv("save-waits", "waits"),
                FileSpec::table("save-waits-json", "waits", "json", "JSON"),
            ],
        ),
        (
            "Comparison",
            vec![
                csv("save-comparison", "comparison"),
                csv("save-costs", "costs"),
            ],
        ),
        ("Budgets", vec![csv("save-budgets", "budgets")]),
        ("Runs", vec![csv("save-runs", "runs")]),
    ];
    groups
        .map(|(title, files)| (title.to_owned(), files))
        .into()
}

/// Which side is scarce, and why.
fn hints(planned: &DispatchPlan) -> Vec<(String, String)> {
    let prices = planned.prices;
    let dearer = match planned.dearer {
        Scarce::Device => "The device is the more expensive side",
        Scarce::Server => "The server is the more expensive side",
    };
    let by_price = format!(
        "{dearer}: {:.3} in and {:.3} out on the device, {} and {} on the server, $ per 10\u{2076} tokens",
        prices.dev_p, prices.dev_d, prices.srv_p, prices.srv_d
    );
    let (whose, none) = match planned.scarce {
        Scarce::Device => ("Device budget", "server only"),
        Scarce::Server => ("Server budget", "device only"),
    };
    [
        ("by-price", by_price.as_str()),
        ("budget", whose),
        ("no-budget", none),
    ]
    .map(|(name, words)| (name.to_owned(), words.to_owned()))
    .into()
}
