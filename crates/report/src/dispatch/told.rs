//! What is told about device and server, section by section: for the command line, the service, reports and the page alike.

use super::charts::{self, ByBudget};
pub use super::figures::figures;
use super::{
    bills, comparison, costs_words, first_token_words, law, law_words, predictors, printed_words,
    prompt_words, reply_words, request_words, rules, runs, several, several_words, sweep, waits,
    words,
};
use chart::Drawing;
use engine::scenario::dispatch::Scenario;
use engine::units::percent;
use job::dispatch::{Asked, Planned, Predicted, Run, Sweep};
use story::{Block, Chart, Section, Table};

/// What is known of a scenario.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// Our policy and what it is compared with.
    pub planned: &'a Planned,
    /// One request through our policy.
    pub request: Option<&'a Asked>,
    /// Every budget.
    pub sweep: Option<&'a Sweep>,
    /// Simulated requests, run by run.
    pub runs: &'a [Run],
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
pub fn sections(known: &Known<'_>) -> Vec<Section> {
    let Known {
        scenario, planned, ..
    } = *known;
    let answer = Section::new("answer", "Answer")
        .with(Block::Answer(words(scenario, planned)))
        .with(figures(scenario, planned));
    let of_waits = charts::waits(planned);
    let of_shares = charts::shares(planned);
    let [waiting, times] = [&of_waits.title, &of_shares.title].map(Clone::clone);
    let picture = Section::new("picture", "Waits and first tokens")
        .with(drawn("waits", &waiting, Drawing::Waits(of_waits), None))
        .with(drawn(
            "first-token",
            &times,
            Drawing::Shares(of_shares),
            None,
        ));
    let every = Section::new("lengths", "Every prompt length").with(waits(scenario, planned));
    let mut all = vec![answer, picture, every.folded()];
    if let Some(sentence) = several_words(scenario, planned) {
        let section = Section::new("devices", SEVERAL).with(sentence);
        let section = section.with(several(scenario, planned));
        all.push(section.with(Block::Note(SEVERAL_BUDGETS.to_owned())));
    }
    all.extend(known.request.map(|asked| request(known, asked)));
    let compared = Section::new("comparison", "Compared with other rules");
    let compared = compared.with(comparison(planned));
    let printed = printed_words(scenario, planned);
    all.extend([
        compared
            .with(Block::Note(COMPARED.to_owned()))
            .and(printed.map(Block::Note)),
        Section::new("rules", "What the rules do")
            .with(rules(planned))
            .folded(),
        Section::new("costs", "Cost, with and without hand-over")
            .with(bills(planned))
            .with(Block::Note(costs_words(scenario))),
    ]);
    all.extend(known.sweep.map(|swept| budgets(scenario, swept)));
    all.push(laws(scenario, planned));
    all.extend(simulated(known));
    all
}

/// What several devices are called.
pub const SEVERAL: &str = "All devices together, each with its own budget";
/// Where their budgets come from.
pub const SEVERAL_BUDGETS: &str =
    "The first device has the budget of the slider, every other one its own or else the same.";
/// What the column of gains compares.
pub const COMPARED: &str = "\u{201c}Faster by\u{201d} compares means; a rule that uses more than the budget is not ranked.";
/// What is known of the quality of an answer that changes sides.
pub const QUALITY: &str = "In the paper the quality of an answer that changes sides lies between those of its two models. It \
     observed this on instructions, translations, summaries and stories; it is no guarantee, and no quality is computed here.";
/// What the columns of all budgets are.
pub const BUDGETS: &str = "The gain is that of the mean over stochastic routing at the same budget. \u{201c}At once\u{201d}, \
     \u{201c}between\u{201d} and \u{201c}never\u{201d} are prompt lengths in tokens; between them the device waits, or one length \
     is randomised.";
/// What predictors are measured on.
pub const PREDICTED: &str = "Errors of common predictors on the last fifth of a thousand first tokens drawn from this \
     distribution. They are as large as its spread, so the policies use the whole distribution and no prediction.";

/// What simulated requests are, beside the figures.
#[must_use]
pub fn runs_words(scenario: &Scenario) -> String {
    format!(
        "{} runs of {} requests, drawn by seed, with the same draws for every policy. The figures above are exact for the \
         distributions shown; a run has sampling noise and, with busy devices or correlated first tokens, shows effects that \
         expectations leave out.",
        scenario.runs.seeds, scenario.runs.requests
    )
}

fn drawn(id: &'static str, title: &str, drawing: Drawing, table: Option<Table>) -> Chart {
    Chart {
        table,
        ..Chart::new(id, title.to_owned(), drawing)
    }
}

/// One request, token by token.
fn request(known: &Known<'_>, asked: &Asked) -> Section {
    let line = charts::tokens(known.scenario, asked);
    let title = line.title.clone();
    Section::new("request", "One request, token by token")
        .with(drawn("request", &title, Drawing::Tokens(line), None))
        .with(request_words(known.scenario, known.planned, asked))
        .with(Block::Note(QUALITY.to_owned()))
        .folded()
}

/// Every budget; the table behind all charts stands with the first.
fn budgets(scenario: &Scenario, swept: &Sweep) -> Section {
    let mut section = Section::new("sweep", "Every budget").folded();
    for what in ByBudget::ALL {
        let lines = charts::by_budget(swept, what, scenario.budget);
        let (id, table) = match what {
            ByBudget::Mean => ("mean-by-budget", Some(sweep(swept))),
            ByBudget::P99 => ("p99-by-budget", None),
            ByBudget::Cost => ("cost-by-budget", None),
        };
        let title = lines.title.clone();
        section = section
            .with(drawn(id, &title, Drawing::Lines(lines), table))
            .with(Block::Note(what.about().to_owned()));
    }
    let front = charts::front(swept, scenario.budget);
    let title = front.title.clone();
    section
        .with(drawn(
            "cost-against-mean",
            &title,
            Drawing::Front(front),
            None,
        ))
        .with(Block::Note(charts::FRONT_ABOUT.to_owned()))
        .with(Block::Note(BUDGETS.to_owned()))
}

/// The distributions that everything rests on.
fn laws(scenario: &Scenario, planned: &Planned) -> Section {
    let times = charts::first_tokens(&planned.first_tokens);
    let prompts = charts::prompts(&planned.prompt_law);
    let (of_times, of_prompts) = (times.title.clone(), prompts.title.clone());
    Section::new("laws", "First tokens and prompts")
        .with(drawn("law-times", &of_times, Drawing::Spread(times), None))
        .with(drawn(
            "law-prompts",
            &of_prompts,
            Drawing::Spread(prompts),
            None,
        ))
        .with(Block::Note(law_words(scenario, planned)))
        .with(law(planned))
        .folded()
}

/// Simulated requests and predictions of single ones, where they were asked for.
fn simulated(known: &Known<'_>) -> Vec<Section> {
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
