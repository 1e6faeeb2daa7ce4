//! The figures of a run token by token: what its time is made of, memory and the last token, each with its formula.

use super::{device_name, time_parts};
use document::{FigurePart, Figures, Formula, Quantity, Unit};
use engine::problem::head_sizes::{Delay, Memory};
use engine::scenario::heads::Scenario;
use engine::units::InOrder;
use engine::units::{bytes, count, seconds};
use planner::heads::HeadsPlan;

/// The role of each part’s colour.
const CLASSES: [&str; 4] = ["k-heads", "k-compute", "k-transfer", "k-moving"];
/// Their names for programs.
const KEYS: [&str; 4] = ["heads", "blocks", "transfer", "moving"];
/// Most summands that a formula writes out; of more it has the mean.
const MOST_SUMMANDS: usize = 6;

/// The fields that sizes and operations of blocks go by.
const OF_BLOCKS: &[&str] = &[
    "heads",
    "width",
    "value_bytes",
    "prompt_tokens",
    "new_tokens",
    "interval_tokens",
];
/// Fields of links.
const OF_LINKS: &[&str] = &["gbit_s", "own"];
/// Fields that free memory and compute of devices follow from.
const OF_DEVICES: &[&str] = &[
    "compute_gops",
    "memory_gb",
    "most",
    "begins",
    "ends",
    "idle",
    "busy",
    "first_seed",
];

/// The paper.
macro_rules! paper {
    ($equations:literal) => {
        concat!("Kafetzis et al., ", $equations)
    };
}

/// A part of the time of a token: description, equation, fields that it follows from.
type Origin = (&'static str, &'static str, Vec<&'static str>);

fn origins(scenario: &Scenario) -> [Origin; 4] {
    let computed = [OF_BLOCKS, &["operations", "compute_gops"]].concat();
    let sent = [OF_BLOCKS, OF_LINKS].concat();
    let blocks = match scenario.demands.delay {
        Delay::Full => (
            "Σ tokens (work of the projection / its device + work of the FFN / its device)",
            paper!("equation (5); equation (6) as printed leaves both out"),
        ),
        Delay::Eq6 => (
            "0 for every token",
            paper!("equation (6) as printed, which leaves out projection and FFN"),
        ),
    };
    [
        (
            "Σ tokens max over devices (input + work of its heads / compute + their outputs)",
            paper!("equations (3), (5) and (6); a device computes its heads one after the other"),
            [&computed[..], OF_LINKS, &["input", "controller"]].concat(),
        ),
        (blocks.0, blocks.1, [&computed[..], &["delay"]].concat()),
        (
            "Σ tokens (output of the projection / link to the FFN)",
            paper!("equation (4)"),
            sent.clone(),
        ),
        (
            "Σ moves (size of the block / link between its devices)",
            paper!("equations (2) and (7)"),
            [&sent[..], &["memory", "ahead"]].concat(),
        ),
    ]
}

/// Times of tokens that add up; of many of them how many there are and what one takes on average.
fn over_tokens(origin: Origin, times: &[f64], sum: f64) -> Formula {
    let (symbols, source, inputs) = origin;
    if times.len() <= MOST_SUMMANDS {
        return Formula::of_sum(symbols, (times, sum), source, &inputs);
    }
    let mean = sum / times.len() as f64;
    let filled = format!(
        "{} tokens × {} on average = {}",
        count(times.len() as f64),
        seconds(mean),
        seconds(sum)
    );
    Formula::new(symbols, filled, source, &inputs)
}

/// The figures under the headline; `None` where no token was answered.
///
/// # Complexity
/// O(n + D log D) for n tokens and D devices.
#[must_use]
pub fn figures(scenario: &Scenario, planned: &HeadsPlan) -> Option<Figures> {
    let times = &planned.times;
    let blocks = times.proj.iter().zip(&times.ffn).map(|(a, b)| a + b);
    let of_tokens = [
        times.head_stage.clone(),
        blocks.collect(),
        times.transfer.clone(),
        times.moving.clone(),
    ];
    let last = last_token(planned, &of_tokens)?;
    let named = time_parts(planned).into_iter().zip(KEYS).zip(CLASSES);
    let origins = origins(scenario).into_iter().zip(&of_tokens);
    let parts = named.zip(origins);
    let parts = parts.map(
        |((((name, time), key), class), (origin, list))| FigurePart {
            quantity: Quantity::new(key, name, time, Unit::Seconds)
                .by(over_tokens(origin, list, time)),
            class: class.to_owned(),
        },
    );
    let parts: Vec<FigurePart> = parts.collect();
    let added: Vec<f64> = parts.iter().map(|part| part.quantity.value).collect();
    let total = added.iter().sum();
    let formula = Formula::of_sum(
        "Σ tokens (head stage + projection, FFN + transfer + moving)",
        (&added, total),
        paper!("equations (6) and (7) for every token"),
        &[OF_BLOCKS, OF_LINKS, OF_DEVICES].concat(),
    );
    Some(Figures {
        quantities: Vec::new(),
        total: Some(Quantity::new("total", "All tokens", total, Unit::Seconds).by(formula)),
        shares: parts,
        other_quantities: vec![memory(scenario, planned)?, last],
    })
}

/// The most that a device ever held.
fn memory(scenario: &Scenario, planned: &HeadsPlan) -> Option<Quantity> {
    let mut peaks: Vec<(usize, f64)> = planned
        .devices
        .iter()
        .enumerate()
        .map(|(at, used)| (at, used.peak_memory))
        .collect();
    let of_all: f64 = peaks.iter().map(|(_, peak)| peak).sum();
    // The sort keeps the order of equals.
    peaks.in_order_by(|a, b| b.1.total_cmp(&a.1));
    let (fullest, peak) = *peaks.first()?;
    let shown: Vec<String> = peaks
        .iter()
        .take(MOST_SUMMANDS)
        .map(|(_, peak)| bytes(*peak))
        .chain((peaks.len() > MOST_SUMMANDS).then(|| "\u{2026}".to_owned()))
        .collect();
    let source = match scenario.demands.memory {
        Memory::Table => paper!("Table I and constraint (1)"),
        Memory::NoCache => paper!("Table I without its row for the cache, and constraint (1)"),
        Memory::Physical => {
            paper!(
                "constraint (1), with the weights and the keys and values that devices really hold"
            )
        }
    };
    let holder = device_name(scenario, *planned.places.get(fullest)?);
    let name = "Most memory on one device";
    Some(
        Quantity::new("memory", name, peak, Unit::Bytes)
            .with_note(format!("{holder}; all devices {}", bytes(of_all)))
            .by(Formula::new(
                "max over devices of the most that its blocks held at any token",
                format!("max({}) = {}", shown.join(", "), bytes(peak)),
                source,
                &[OF_BLOCKS, &["memory", "weights", "cache"]].concat(),
            )),
    )
}

/// The last token, with what moved before it.
fn last_token(planned: &HeadsPlan, of_tokens: &[Vec<f64>; 4]) -> Option<Quantity> {
    let elapsed = &planned.times.elapsed;
    let first = elapsed.first().copied()?;
    let last = match elapsed.as_slice() {
        [.., before, last] => last - before,
        _ => first,
    };
    let parts: Option<Vec<f64>> = of_tokens.iter().map(|list| list.last().copied()).collect();
    Some(
        Quantity::new("last_token", "Last token", last, Unit::Seconds)
            .with_note(format!("the first: {}", seconds(first)))
            .by(Formula::of_sum(
                "head stage + projection, FFN + transfer + moving at the last token",
                (&parts?, last),
                paper!("equations (6) and (7)"),
                &[OF_BLOCKS, OF_LINKS, OF_DEVICES].concat(),
            )),
    )
}
