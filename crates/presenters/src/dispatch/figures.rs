//! The figures under the headline about device and server: who starts and who comes first, how soon, what it takes and costs.

use super::{request_shares, used};
use document::quantity::money;
use document::{FigurePart, Figures, Formula, Quantity, Unit, counted};
use engine::plan::dispatch::Scarce;
use engine::scenario::dispatch::{FirstToken, Prompts, Replies, Scenario};
use engine::units::count;
use planner::dispatch::DispatchPlan;

/// Classes and names of the parts, as programs have them.
const COST_PARTS: [(&str, [&str; 2]); 3] = [
    ("k-alone", ["server_only", "device_only"]),
    ("k-device", ["device_wins", "device_wins"]),
    ("k-server", ["server_wins", "server_wins"]),
];

/// All requests as three shares, and mean, tail, budget and cost beside them.
#[must_use]
pub fn figures(scenario: &Scenario, planned: &DispatchPlan) -> Figures {
    let all = request_shares(planned, planned.ours());
    let formulas = match planned.scarce {
        Scarce::Device => [
            "\u{3a3} p(l) P(T_s \u{2264} w(l))",
            "\u{3a3} p(l) P(T_s > w(l) + T_d(l))",
            "\u{3a3} p(l) P(w(l) < T_s \u{2264} w(l) + T_d(l))",
        ],
        Scarce::Server => [
            "\u{3a3} p(l) of lengths for which the server is not asked",
            "\u{3a3} p(l) P(T_s \u{2265} T_d(l)) of lengths for which it is asked",
            "\u{3a3} p(l) P(T_s < T_d(l)) of lengths for which it is asked",
        ],
    };
    let inputs = laws(scenario, &["budget", "prefill_tok_s", "start_s"]);
    let part = |(((name, note, value), (class, keys)), symbols): (((&str, &str, f64), _), &str)| {
        let keys: [&str; 2] = keys;
        let key = keys[usize::from(planned.scarce == Scarce::Server)];
        let shown = Unit::Share.format(value);
        FigurePart {
            quantity: Quantity::new(key, name, value, Unit::Share)
                .with_note(note)
                .by(Formula::new(
                    symbols,
                    format!("\u{3a3} over {} = {shown}", lengths(planned)),
                    race(planned.scarce),
                    &inputs,
                )),
            class: str::to_owned(class),
        }
    };
    Figures {
        total: None,
        shares: all
            .into_iter()
            .zip(COST_PARTS)
            .zip(formulas)
            .map(part)
            .collect(),
        quantities: vec![mean(scenario, planned), tail(scenario, planned)],
        other_quantities: vec![budget_used(scenario, planned), cost(scenario, planned)],
    }
}

/// `181 prompt lengths`.
fn lengths(planned: &DispatchPlan) -> String {
    counted(planned.prompts.len(), "prompt length", "prompt lengths")
}

/// Describes the order in which the two sides start, as in the paper.
const fn race(scarce: Scarce) -> &'static str {
    match scarce {
        Scarce::Device => {
            "DiSCo, section 4.2, device-constrained: the device starts after the wait w(l) if no token has come; the first token wins"
        }
        Scarce::Server => {
            "DiSCo, section 4.2, server-constrained: the device always starts, the server for some lengths; the first token wins"
        }
    }
}

/// The fields of the distributions of this scenario, and more.
fn laws(scenario: &Scenario, more: &[&'static str]) -> Vec<&'static str> {
    let first_tokens: &[&str] = match scenario.server.first_token {
        FirstToken::LogNormal { .. } => &["log_mean", "log_sd"],
        FirstToken::Bursty { .. } => &[
            "log_mean",
            "log_sd",
            "burst_share",
            "burst_times",
            "burst_sd",
        ],
        FirstToken::Measured(_) => &["bins"],
    };
    let prompts: &[&str] = match scenario.prompts {
        Prompts::LogNormal { .. } => &["log_mean", "log_sd", "least_tokens", "most_tokens"],
        Prompts::Alike(_) => &["alike"],
        Prompts::Measured(_) => &["bins"],
    };
    let mut all: Vec<&str> = [first_tokens, prompts, more].concat();
    all.sort_unstable();
    all.dedup();
    all
}

fn mean(scenario: &Scenario, planned: &DispatchPlan) -> Quantity {
    let value = planned.ours().outcome.mean;
    let symbols = match planned.scarce {
        Scarce::Device => {
            "\u{3a3} p(l) E[min(T_s, w(l) + T_d(l))], T_d(l) = start + l / prefill rate"
        }
        Scarce::Server => {
            "\u{3a3} p(l) E[min(T_s, T_d(l))], T_d(l) = start + l / prefill rate; T_d(l) alone where the server is not asked"
        }
    };
    Quantity::new("mean", "Mean first token", value, Unit::Seconds)
        .with_note("over all requests")
        .by(Formula::new(
            symbols,
            format!(
                "\u{3a3} over {} and {} first tokens of the server = {}",
                lengths(planned),
                count(planned.first_tokens.values.len() as f64),
                Unit::Seconds.format(value)
            ),
            "DiSCo, section 4.2: the server\u{2019}s time is drawn, the device\u{2019}s is linear in the prompt; exact for these distributions",
            &laws(scenario, &["budget", "prefill_tok_s", "start_s"]),
        ))
}

fn tail(scenario: &Scenario, planned: &DispatchPlan) -> Quantity {
    let value = planned.ours().outcome.p99;
    let note = planned.cap.map_or_else(
        || "99\u{202f}% have it by then".to_owned(),
        |cap| format!("limit {}", Unit::Seconds.format(cap)),
    );
    Quantity::new("p99", "P99 first token", value, Unit::Seconds)
        .with_note(note)
        .by(Formula::new(
            "least t with P(first token \u{2264} t) \u{2265} 0.99",
            format!(
                "99\u{202f}% of requests have it by t = {}",
                Unit::Seconds.format(value)
            ),
            "DiSCo, section 5.1, metrics: tail time to first token; exact for these distributions",
            &laws(scenario, &["budget", "prefill_tok_s", "start_s"]),
        ))
}

fn budget_used(scenario: &Scenario, planned: &DispatchPlan) -> Quantity {
    let value = used(planned, planned.ours());
    let (whose, symbols) = match planned.scarce {
        Scarce::Device => (
            "device",
            "\u{3a3} q(l) P(T_s > w(l)), q(l) = l p(l) / \u{3a3} l p(l)",
        ),
        Scarce::Server => (
            "server",
            "\u{3a3} q(l) of lengths for which the server is asked, q(l) = l p(l) / \u{3a3} l p(l)",
        ),
    };
    Quantity::new("budget_used", "Budget used", value, Unit::Share)
        .with_note(format!("{whose}, share of prompt tokens"))
        .by(Formula::new(
            symbols,
            format!(
                "\u{3a3} over {} = {}",
                lengths(planned),
                Unit::Share.format(value)
            ),
            "DiSCo, section 5.1, metrics: the share of input tokens that the constrained endpoint processes",
            &laws(scenario, &["budget"]),
        ))
}

fn cost(scenario: &Scenario, planned: &DispatchPlan) -> Quantity {
    let cost = &planned.ours().cost;
    let bill = &cost.bill;
    let added = [
        bill.server_prefill,
        bill.server_decode,
        bill.device_prefill,
        bill.device_decode,
        bill.lost_prefill,
    ];
    let (filled, rounded) = Formula::summed(&added, cost.with, Unit::MicroDollars);
    let replies: &[&str] = match scenario.replies {
        Replies::Alike(_) => &["alike"],
        Replies::Exponential { .. } => &["mean_tokens", "reply_tokens"],
    };
    let prices = [
        "input_usd",
        "output_usd",
        "energy_usd",
        "prefill_gflop",
        "decode_gflop",
        "charge",
        "reader_tok_s",
    ];
    let formula = Formula::new(
        "server prefill + server decode + device prefill + device decode + prefill that lost the race",
        filled,
        "DiSCo, equation (8), in expectation over prompts, first tokens and replies",
        &laws(scenario, &[&prices[..], replies].concat()),
    );
    Quantity::new("cost", "Cost per request", cost.with, Unit::MicroDollars)
        .with_note(format!("{} without hand-over", money(cost.without)))
        .by(Formula { rounded, ..formula })
}
