//! Hand-overs: what they save, the tokens under way of Table 3, and what is sent.

use super::{scarce, service};
use crate::published::{Figure, PublishedClaim};
use engine::papers::{DISCO, PaperRow};
use engine::plan::dispatch::Scarce;
use engine::units::{NARROW, percent};
use methods::dispatch::flops::PROFILES;
use methods::dispatch::transfer_size;
use planner::dispatch_published::{
    DispatchMeasurements, RESIDUAL_BUDGETS, SERVICES, Spent, WIDE_BUDGETS,
};

/// The most that hand-overs save.
pub(super) fn saved(measured: &DispatchMeasurements, scarce: Scarce) -> PublishedClaim {
    let key = match scarce {
        Scarce::Device => "saved/device",
        Scarce::Server => "saved/server",
    };
    let ours = measured.most_saved(scarce).map(|(pair, point)| {
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
                    percent(100.0 * (1.0 - DispatchMeasurements::moved_cost(pair, prompt, g)), 1)
                )
            }
        };
        (Figure::Percent(100.0 * point.saved, 1), format!("{place}{more}"))
    });
    PublishedClaim::compare(DISCO.row(key), ours)
}

/// A quantity of Table 3, with the digits that it is printed with.
fn quantity(row: &'static PaperRow, ours: Option<f64>, reason: String) -> PublishedClaim {
    let figure = |ours| Figure::Quantity(ours, row.decimals(), &row.unit);
    PublishedClaim::compare(row, ours.map(|ours| (figure(ours), reason)))
}

/// Table 3: tokens under way at a hand-over, their mean.
pub(super) fn under_way(measured: &DispatchMeasurements, row: &'static PaperRow) -> PublishedClaim {
    let scarce = scarce(row);
    let ours = measured.handover(service(row), scarce);
    let reason = ours.map_or(String::new(), |[_, _, late, _]| {
        let what = match scarce {
            Scarce::Device => "reading rate times the server\u{2019}s P99",
            Scarce::Server => "reading rate times the phone\u{2019}s prefill",
        };
        let late = if late < 5e-4 {
            "No token is late.".to_owned()
        } else {
            format!("{late:.3} tokens of a hand-over are late.")
        };
        format!(
            "The caption counts delayed tokens during a migration; ours is the buffer that covers one: {what}. {late}"
        )
    });
    quantity(row, ours.map(|ours| ours[0]), reason)
}

/// P99 of the same where it differs from the mean.
pub(super) fn under_way_tail(
    measured: &DispatchMeasurements,
    row: &'static PaperRow,
) -> PublishedClaim {
    let ours = measured.handover(service(row), scarce(row));
    quantity(row, ours.map(|ours| ours[1]), String::new())
}

/// P99 of the time between tokens, over all services.
pub(super) fn between_tokens(
    measured: &DispatchMeasurements,
    row: &'static PaperRow,
) -> PublishedClaim {
    let each: Option<Vec<f64>> = (0..SERVICES.len())
        .map(|service| Some(measured.handover(service, scarce(row))?[3]))
        .collect();
    let ours = each.map(|each| each.iter().sum::<f64>() / each.len() as f64);
    quantity(row, ours, String::new())
}

/// Compares the line as printed with its own budget.
pub(super) fn residual(measured: &DispatchMeasurements) -> Vec<PublishedClaim> {
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
    let claim = |key, ours| PublishedClaim::stated(DISCO.row(key), ours);
    vec![
        claim(
            "residual/one",
            spent.map(|spent| (meets(&spent.published, &RESIDUAL_BUDGETS), one(spent))),
        ),
        claim(
            "residual/wide",
            spent.map(|spent| (meets(&spent.wide, &WIDE_BUDGETS), wide(spent))),
        ),
    ]
}

/// Returns the bytes that token ids save against text at a migration: as whole bytes, and as bits.
pub(super) fn bytes() -> [PublishedClaim; 2] {
    let [whole, packed] =
        transfer_size::savings(transfer_size::VOCABULARY, transfer_size::TEXT_BYTES);
    let claim = |key, share: f64, what: String| {
        let reason = format!(
            "{what} per token against {} bytes of text, which both figures imply.",
            transfer_size::TEXT_BYTES
        );
        let ours = Figure::Percent(100.0 * share, 2);
        PublishedClaim::compare(DISCO.row(key), Some((ours, reason)))
    };
    let (bytes, bits) = (
        transfer_size::bytes(transfer_size::VOCABULARY),
        transfer_size::bits(transfer_size::VOCABULARY),
    );
    [
        claim("bytes/whole", whole, format!("{bytes}{NARROW}bytes")),
        claim("bytes/packed", packed, format!("{bits}{NARROW}bits")),
    ]
}
