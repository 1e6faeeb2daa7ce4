//! Hand-overs: what they save, the tokens under way of Table 3, and what is sent.

use super::COSTS;
use crate::published::{Agreement, Claim, Figure};
use engine::plan::dispatch::Scarce;
use engine::units::{NARROW, percent};
use job::dispatch_published::{
    Measured, Pair, Point, RESIDUAL_BUDGETS, SERVICES, Spent, WIDE_BUDGETS,
};
use methods::dispatch::flops::PROFILES;
use methods::dispatch::wire;

const TABLE3: &str = "Table 3";

/// Table 3: tokens under way at a hand-over, mean and P99.
pub(super) const UNDER_WAY: [(&str, usize, Scarce, [f64; 2]); 8] = [
    (
        "Tokens buffered for a hand-over, GPT, device scarce",
        0,
        Scarce::Device,
        [6.59, 6.59],
    ),
    (
        "Tokens buffered for a hand-over, LLaMA, device scarce",
        1,
        Scarce::Device,
        [10.01, 10.01],
    ),
    (
        "Tokens buffered for a hand-over, DeepSeek, device scarce",
        2,
        Scarce::Device,
        [17.17, 17.17],
    ),
    (
        "Tokens buffered for a hand-over, Command, device scarce",
        3,
        Scarce::Device,
        [8.54, 8.54],
    ),
    (
        "Tokens buffered for a hand-over, GPT, server scarce",
        0,
        Scarce::Server,
        [4.21, 9.40],
    ),
    (
        "Tokens buffered for a hand-over, LLaMA, server scarce",
        1,
        Scarce::Server,
        [5.53, 11.00],
    ),
    (
        "Tokens buffered for a hand-over, DeepSeek, server scarce",
        2,
        Scarce::Server,
        [8.13, 11.00],
    ),
    (
        "Tokens buffered for a hand-over, Command, server scarce",
        3,
        Scarce::Server,
        [3.25, 8.00],
    ),
];

/// The most that hand-overs save.
pub(super) fn saved(measured: &Measured, scarce: Scarce) -> Claim {
    let (name, published) = match scarce {
        Scarce::Device => ("Most saved by hand-over, device scarce", 72.7),
        Scarce::Server => ("Most saved by hand-over, server scarce", 83.6),
    };
    let ours = measured.most_saved(scarce);
    let reason = ours.map_or(String::new(), |(pair, point)| {
        let place = format!(
            "{}, {}, budget {}.",
            SERVICES[pair.service].name,
            PROFILES[pair.phone].name,
            percent(100.0 * point.budget, 0)
        );
        let more = match scarce {
            Scarce::Device => format!(
                " With hand-overs computed from the server\u{2019}s P99 in place of its mean {}.",
                percent(100.0 * point.saved_by_p99, 1)
            ),
            Scarce::Server => {
                let (prompt, g) = (19.0, 2.0);
                format!(
                    " If the server won every request of {prompt:.0} tokens and handed over after {g:.0}, it would be {}.",
                    percent(100.0 * (1.0 - Measured::moved_cost(pair, prompt, g)), 1)
                )
            }
        };
        format!("{place}{more}")
    });
    let share = ours.map(|(_, point): (Pair, Point)| 100.0 * point.saved);
    Claim {
        name,
        source: COSTS,
        published: Figure::Percent(published, 1),
        ours: share.map_or(Figure::Missing, |share| Figure::Percent(share, 1)),
        yours: Figure::Missing,
        agreement: share.map_or(Agreement::NotRun, |share| {
            Agreement::of_percent(published, 1, Some(share))
        }),
        reason,
    }
}

/// A claim of a quantity.
fn quantity(
    (name, source): (&'static str, &'static str),
    (published, decimals, unit): (f64, usize, &'static str),
    ours: Option<f64>,
    reason: String,
) -> Claim {
    Claim {
        name,
        source,
        published: Figure::Quantity(published, decimals, unit),
        ours: ours.map_or(Figure::Missing, |ours| {
            Figure::Quantity(ours, decimals, unit)
        }),
        yours: Figure::Missing,
        agreement: ours.map_or(Agreement::NotRun, |ours| {
            Agreement::of_relative(published, decimals, Some(ours))
        }),
        reason,
    }
}

pub(super) fn under_way(
    measured: &Measured,
    (name, service, scarce, [published, _]): &(&'static str, usize, Scarce, [f64; 2]),
) -> Claim {
    let row = measured.handover(*service, *scarce);
    let reason = row.map_or(String::new(), |[_, _, late, _]| {
        let what = match scarce {
            Scarce::Device => "Reading rate times the server\u{2019}s P99",
            Scarce::Server => "Reading rate times the phone\u{2019}s prefill",
        };
        let late = if late < 5e-4 {
            "No token is late.".to_owned()
        } else {
            format!("{late:.3} tokens of a hand-over are late.")
        };
        format!("{what}; the paper does not say what it counts. {late}")
    });
    quantity(
        (name, TABLE3),
        (*published, 2, "tokens"),
        row.map(|row| row[0]),
        reason,
    )
}

/// P99 of the same where it differs from the mean.
pub(super) fn under_way_tails(measured: &Measured) -> Vec<Claim> {
    const NAMES: [&str; 4] = [
        "The same, P99, GPT, server scarce",
        "The same, P99, LLaMA, server scarce",
        "The same, P99, DeepSeek, server scarce",
        "The same, P99, Command, server scarce",
    ];
    let rows = UNDER_WAY
        .iter()
        .filter(|(_, _, scarce, _)| *scarce == Scarce::Server);
    let rows = rows
        .zip(NAMES)
        .map(|((_, service, scarce, [_, published]), name)| {
            let ours = measured.handover(*service, *scarce).map(|row| row[1]);
            let reason = ours.map_or(String::new(), |_| {
                "It depends on the longest prompts that the server wins.".to_owned()
            });
            quantity((name, TABLE3), (*published, 2, "tokens"), ours, reason)
        });
    rows.collect()
}

pub(super) fn between_tokens(measured: &Measured) -> Vec<Claim> {
    let rows = [
        (
            "Time between tokens, P99, server scarce",
            Scarce::Server,
            0.209,
            "The reading rate was chosen from this figure.",
        ),
        (
            "Time between tokens, P99, device scarce",
            Scarce::Device,
            0.217,
            "A buffer that covers the server\u{2019}s P99 leaves one hand-over in a hundred late.",
        ),
    ];
    let rows = rows.map(|(name, scarce, published, why)| {
        let each: Option<Vec<f64>> = (0..SERVICES.len())
            .map(|service| Some(measured.handover(service, scarce)?[3]))
            .collect();
        let ours = each.map(|each| each.iter().sum::<f64>() / each.len() as f64);
        let reason = ours.map_or(String::new(), |_| why.to_owned());
        quantity((name, TABLE3), (published, 3, "s"), ours, reason)
    });
    rows.into()
}

/// Whether the line as printed meets its own budget.
pub(super) fn residual(measured: &Measured) -> Vec<Claim> {
    let spent = measured.spent();
    let of = |shares: &[f64]| {
        let each: Vec<String> = shares
            .iter()
            .map(|share| percent(100.0 * share, 1))
            .collect();
        each.join(", ")
    };
    let meets = |shares: &[f64], budgets: &[f64]| {
        let each = shares.iter().zip(budgets);
        each.into_iter().all(|(share, b)| (share - b).abs() < 2e-3)
    };
    let claim = |name, holds: Option<bool>, reason: String| Claim {
        name,
        source: "Algorithm 2",
        published: Figure::Holds(true),
        ours: Figure::holds(holds),
        yours: Figure::Missing,
        agreement: holds.map_or(Agreement::NotRun, |holds| {
            Agreement::of_statement(Some(holds))
        }),
        reason,
    };
    let one = |spent: &Spent| {
        format!(
            "Prompts of one length, budgets {}: as printed {}, reversed {}, corrected {}.",
            of(&RESIDUAL_BUDGETS),
            of(&spent.published),
            of(&spent.increment),
            of(&spent.corrected)
        )
    };
    let wide = |spent: &Spent| {
        format!(
            "Budgets {}: as printed {}. With many lengths it barely shows, since only one of them has the wait.",
            of(&WIDE_BUDGETS),
            of(&spent.wide)
        )
    };
    vec![
        claim(
            "The residual wait meets the budget, prompts of one length",
            spent.map(|spent| meets(&spent.published, &RESIDUAL_BUDGETS)),
            spent.map_or(String::new(), one),
        ),
        claim(
            "The residual wait meets the budget, prompts of every length",
            spent.map(|spent| meets(&spent.wide, &WIDE_BUDGETS)),
            spent.map_or(String::new(), wide),
        ),
    ]
}

/// What ids save against text at a hand-over: as whole bytes, and as bits.
pub(super) fn bytes() -> Vec<Claim> {
    let ours = wire::savings(wire::VOCABULARY, wire::TEXT_BYTES);
    let claim = |name, k: usize, what: String| {
        let (published, ours) = (100.0 * wire::PUBLISHED[k], 100.0 * ours[k]);
        Claim {
            name,
            source: "section 4.3",
            published: Figure::Percent(published, 2),
            ours: Figure::Percent(ours, 2),
            yours: Figure::Missing,
            agreement: Agreement::of_percent(published, 2, Some(ours)),
            reason: format!(
                "{what} per token against {} bytes of text, which both figures imply.",
                wire::TEXT_BYTES
            ),
        }
    };
    vec![
        claim(
            "A hand-over sends token ids: saved over text, whole bytes",
            0,
            format!("{}{NARROW}bytes", wire::bytes(wire::VOCABULARY)),
        ),
        claim(
            "The same, packed bits",
            1,
            format!("{}{NARROW}bits", wire::bits(wire::VOCABULARY)),
        ),
    ]
}
