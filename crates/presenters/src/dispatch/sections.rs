//! Sections of an answer about device or server, for command line, service, reports and page alike.

use super::charts::{self, ByBudget};
pub use super::figures::figures;
use super::{
    bills, comparison, costs_words, every_token, first_token_words, law, law_words, predictors,
    printed_words, prompt_words, reply_words, request_words, rules, runs, several, several_words,
    sweep, verdict, waits,
};
use chart::{ChartSpec, SpreadChart};
use document::{Block, Chart, ChartInteraction, Name, Section};
use engine::scenario::dispatch::Scenario;
use engine::units::percent;
use planner::dispatch::{BudgetSweep, DispatchPlan, FollowedRequest, PolicyRun, Predicted};

/// Results for a scenario so far.
#[derive(Debug, Clone, Copy)]
pub struct DispatchFacts<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// Our policy and what it is compared with.
    pub planned: &'a DispatchPlan,
    /// One request through our policy.
    pub request: Option<&'a FollowedRequest>,
    /// Every budget.
    pub sweep: Option<&'a BudgetSweep>,
    /// Simulated requests, run by run.
    pub runs: &'a [PolicyRun],
    /// How well a first token can be predicted.
    pub predicted: Option<&'a Predicted>,
}

/// The scenario in a few lines.
#[must_use]
pub fn about(scenario: &Scenario) -> Vec<String> {
    vec![
        format!("Budget {}", percent(100.0 * scenario.budget, 1)),
        format!("{}, {}", scenario.server.name, first_token_words(scenario)),
        format!(
            "Prompts: {}. Replies: {}.",
            prompt_words(scenario),
            reply_words(scenario)
        ),
    ]
}

/// All that is known, the answer first.
#[must_use]
pub fn sections(known: &DispatchFacts<'_>) -> Vec<Section> {
    let mut all = summary(known.scenario, known.planned);
    all.extend(details(known));
    all
}

/// The answer and its picture.
#[must_use]
pub fn summary(scenario: &Scenario, planned: &DispatchPlan) -> Vec<Section> {
    let answer = Section::new("answer", "Answer")
        .with(Block::Answer(verdict(scenario, planned)))
        .with(figures(scenario, planned));
    let of_waits = charts::waits(planned);
    let of_shares = charts::shares(planned);
    let [waiting, times] = [&of_waits.title, &of_shares.title].map(Clone::clone);
    let picture = Section::new("picture", "Waits and first tokens").with(Block::Columns(vec![
        vec![Chart::new("waits", waiting, ChartSpec::Waits(of_waits)).into()],
        vec![Chart::new("first-token", times, ChartSpec::Shares(of_shares)).into()],
    ]));
    vec![answer, picture]
}

/// Returns the details.
#[must_use]
pub fn details(known: &DispatchFacts<'_>) -> Vec<Section> {
    let DispatchFacts {
        scenario, planned, ..
    } = *known;
    let every = Section::new("lengths", "Every prompt length")
        .holding("what each policy does with it")
        .with(waits(scenario, planned));
    let mut all = vec![every.folded()];
    if let Some(sentence) = several_words(scenario, planned) {
        let section = Section::new("devices", SEVERAL).with(sentence);
        let section = section.with(several(scenario, planned));
        all.push(section.with(Block::Note(SEVERAL_BUDGETS.to_owned())));
    }
    all.extend(known.request.map(|followed| request(known, followed)));
    let compared = Section::new("comparison", "Compared with other rules");
    let compared = compared.with(comparison(planned));
    let printed = printed_words(scenario, planned);
    all.extend([
        compared
            .with(Block::Note(COMPARED.to_owned()))
            .and(printed.map(Block::Note)),
        Section::new("rules", "What the rules do")
            .holding("in a sentence each")
            .with(rules(planned))
            .folded(),
        Section::new("costs", "Cost, with and without hand-over")
            .holding("per request, rule by rule")
            .with(bills(planned))
            .with(Block::Note(costs_words(scenario))),
    ]);
    all.extend(known.sweep.map(|swept| budgets(scenario, swept).folded()));
    all.push(laws(scenario, planned));
    all.extend(simulated(known));
    all
}

/// Title of the result of several devices.
pub const SEVERAL: &str = "All devices together, each with its own budget";
/// Where their budgets come from.
pub const SEVERAL_BUDGETS: &str =
    "The fastest device has the budget of the slider, every other one its own or else the same.";
/// Explanation of the column of gains.
pub const COMPARED: &str = "\u{201c}Faster by\u{201d} compares means; a rule that uses more than the budget is not ranked.";
/// Note on the quality of an answer that changes sides.
pub const QUALITY: &str = "In the paper the quality of an answer that changes sides lies between those of its two models. It \
     observed this on instructions, translations, summaries and stories; it is no guarantee, and no quality is computed here.";
/// Explanation of the columns of all budgets.
pub const BUDGETS: &str = "The gain is that of the mean over stochastic routing at the same budget. \u{201c}At once\u{201d}, \
     \u{201c}between\u{201d} and \u{201c}never\u{201d} are prompt lengths in tokens; between them the device waits, or one length \
     is randomised.";
/// Explanation of the errors of predictors.
pub const PREDICTED: &str = "Errors of common predictors on the last fifth of a thousand first tokens drawn from this \
     distribution. They are as large as its spread, so the policies use the whole distribution and no prediction.";

/// Explains how simulated requests are drawn.
#[must_use]
pub fn runs_words(scenario: &Scenario) -> String {
    format!(
        "{} runs of {} requests, drawn by seed, with the same draws for every policy. The figures above are exact for the \
         distributions shown; a run has sampling noise and, with busy devices or correlated first tokens, shows effects that \
         expectations leave out.",
        scenario.runs.seeds, scenario.runs.requests
    )
}

/// One request, token by token.
fn request(known: &DispatchFacts<'_>, request: &FollowedRequest) -> Section {
    Section::new("request", "One request, token by token")
        .holding("who writes, and where it is handed over")
        .and(followed(known.scenario, known.planned, request))
        .with(Block::Note(QUALITY.to_owned()))
        .folded()
}

/// A request as a picture and in words.
#[must_use]
pub fn followed(
    scenario: &Scenario,
    planned: &DispatchPlan,
    request: &FollowedRequest,
) -> [Block; 2] {
    let line = charts::tokens(scenario, request);
    let (title, table) = (line.title.clone(), every_token(&line));
    let chart = Chart::new("request", title, ChartSpec::Tokens(line)).with_table(table);
    [
        chart.into(),
        request_words(scenario, planned, request).into(),
    ]
}

/// Every budget: a figure of the policies over it, or cost against time.
#[must_use]
pub fn budgets(scenario: &Scenario, swept: &BudgetSweep) -> Section {
    let of = |(id, drawing): (Name, ChartSpec)| {
        let (title, per) = match &drawing {
            ChartSpec::Lines(lines) => (lines.title.clone(), 100.0),
            ChartSpec::Front(front) => (front.title.clone(), 1.0),
            _ => Default::default(),
        };
        Chart::new(id, title, drawing).with_interaction(ChartInteraction::Sets {
            step: "budget".into(),
            pointer: "/budget".into(),
            per,
        })
    };
    let ways = drawings(scenario, swept).map(of).into_iter();
    let ways = ways.zip([
        ("Mean", ByBudget::Mean.about()),
        ("P99", ByBudget::P99.about()),
        ("Cost", ByBudget::Cost.about()),
        ("Cost against mean", charts::FRONT_ABOUT),
    ]);
    let ways = ways.map(|(chart, (name, about))| {
        let blocks = vec![chart.into(), Block::Note(about.to_owned())];
        (name.to_owned(), blocks)
    });
    Section::new("sweep", "Every budget")
        .with(Block::Tabs("What the lines show".into(), ways.collect()))
        .with(Block::Fold(
            "Every budget as a table".into(),
            vec![sweep(swept).into(), BUDGETS.to_owned().into()],
        ))
}

/// The charts of all budgets, by their names.
#[must_use]
pub fn drawings(scenario: &Scenario, swept: &BudgetSweep) -> [(Name, ChartSpec); 4] {
    let lines = |what| ChartSpec::Lines(charts::by_budget(swept, what, scenario.budget));
    [
        ("mean-by-budget", lines(ByBudget::Mean)),
        ("p99-by-budget", lines(ByBudget::P99)),
        ("cost-by-budget", lines(ByBudget::Cost)),
        (
            "cost-against-mean",
            ChartSpec::Front(charts::front(swept, scenario.budget)),
        ),
    ]
}

/// The distributions that everything rests on.
fn laws(scenario: &Scenario, planned: &DispatchPlan) -> Section {
    let spread = |id, words: String, spread: SpreadChart| {
        let title = spread.title.clone();
        let chart = Chart::new(id, title, ChartSpec::Spread(spread));
        vec![words.into(), chart.into()]
    };
    let times = charts::first_tokens(&planned.first_tokens);
    let prompts = charts::prompts(&planned.prompt_law);
    Section::new("laws", "First tokens and prompts")
        .holding("the distributions behind the answer")
        .with(Block::Columns(vec![
            spread("law-times", first_token_words(scenario), times),
            spread("law-prompts", prompt_words(scenario), prompts),
        ]))
        .with(Block::Note(law_words(scenario, planned)))
        .with(law(planned))
        .folded()
}

/// Simulated requests and predictions of single ones, where they were asked for.
fn simulated(known: &DispatchFacts<'_>) -> Vec<Section> {
    let mut all = Vec::new();
    if !known.runs.is_empty() {
        let section = Section::new("runs", "Simulated requests")
            .with(Block::Note(runs_words(known.scenario)))
            .with(runs(known.planned, known.runs));
        all.push(section.folded());
    }
    all.extend(known.predicted.map(|predicted| {
        Section::new("foretell", "Is the first token predictable?")
            .with(Block::Note(PREDICTED.to_owned()))
            .with(predictors(predicted))
            .folded()
    }));
    all
}
