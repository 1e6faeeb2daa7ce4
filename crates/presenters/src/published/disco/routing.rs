//! Gains of routing over chance: Table 2, and what is said of its trends and ranges.

use super::{scarce, service};
use crate::published::{Figure, PublishedClaim, Range};
use engine::papers::{DISCO, PaperRow};
use engine::plan::dispatch::Scarce;
use planner::dispatch_published::{DispatchMeasurements, PHONES, Pair, SERVICES};

/// Table 2: by how much the tail of the times to first token is below that of chance [%], phones from slow to fast; the
/// service, and which end is scarce.
pub(super) fn tails() -> impl Iterator<Item = (&'static PaperRow, usize, Scarce)> + Clone {
    DISCO
        .group("tail")
        .map(|row| (row, service(row), scarce(row)))
}

/// Gains that differ by less are the same [points]: as much comes from the number of quantiles alone.
const TREND: f64 = 0.5;

/// Gains of a service on all phones [%]: of the mean and of the tail.
type Gains = ([f64; 3], [f64; 3]);

fn gains(measured: &DispatchMeasurements, service: usize, scarce: Scarce) -> Option<Gains> {
    let (mut means, mut tails) = ([0.0; 3], [0.0; 3]);
    for phone in 0..PHONES.len() {
        let (mean, tail) = measured.gains(Pair {
            service,
            phone,
            scarce,
        })?;
        (means[phone], tails[phone]) = (100.0 * mean, 100.0 * tail);
    }
    Some((means, tails))
}

pub(super) fn tail(
    measured: &DispatchMeasurements,
    (row, service, scarce): (&'static PaperRow, usize, Scarce),
) -> PublishedClaim {
    let published: [f64; 3] = row.numbers();
    let apart = |tails: &[f64; 3]| {
        let each = published.iter().zip(tails).map(|(a, b)| (a - b).abs());
        let (least, most) = each.fold((f64::INFINITY, 0.0), |(least, most): (f64, f64), d| {
            (least.min(d), most.max(d))
        });
        format!("{least:.1} to {most:.1} points apart")
    };
    let constant = if published[0] == 0.0 {
        " The paper says of the first that the tail stays as it is."
    } else {
        ""
    };
    let ours = gains(measured, service, scarce).map(|(means, tails)| {
        let reason = format!(
            "{}, phones from slow to fast; the mean gains {}. The traces are not public.{constant}",
            apart(&tails),
            Figure::Percents(means, 1).text()
        );
        (Figure::Percents(tails, 2), reason)
    });
    PublishedClaim::compare(row, ours)
}

/// Which services' tail gains go one way from phone to phone.
pub(super) fn trends(measured: &DispatchMeasurements) -> Vec<PublishedClaim> {
    let count = |scarce, goes: fn(f64, f64) -> bool| -> Option<Vec<&'static str>> {
        let mut found = Vec::new();
        for (service, known) in SERVICES.iter().enumerate() {
            let (_, tails) = gains(measured, service, scarce)?;
            if tails.windows(2).all(|pair| goes(pair[0], pair[1])) {
                found.push(known.name);
            }
        }
        Some(found)
    };
    let claim = |key, services: Option<Vec<&'static str>>| {
        let ours = services.map(|services| {
            let reason = match services.as_slice() {
                [] => "For no service by more than half a point from phone to phone.".to_owned(),
                some => format!(
                    "By more than half a point from phone to phone for {}.",
                    some.join(", ")
                ),
            };
            (services.len(), reason)
        });
        PublishedClaim::of_cases(DISCO.row(key), (SERVICES.len(), SERVICES.len()), ours)
    };
    vec![
        claim(
            "trend/device",
            count(Scarce::Device, |slow, fast| fast < slow - TREND),
        ),
        claim(
            "trend/server",
            count(Scarce::Server, |slow, fast| fast > slow + TREND),
        ),
    ]
}

/// Between which ends all gains lie.
pub(super) fn ranges(measured: &DispatchMeasurements) -> Vec<PublishedClaim> {
    let all: Option<Vec<Gains>> = tails()
        .map(|(_, service, scarce)| gains(measured, service, scarce))
        .collect();
    let ends = |of: fn(&Gains) -> [f64; 3], is_left_out: fn(usize, Scarce) -> bool| {
        let kept = tails().zip(all.as_ref()?);
        let kept = kept.filter(|((_, service, scarce), _)| !is_left_out(*service, *scarce));
        Some(Range::of(kept.flat_map(|(_, gains)| of(gains)), 1, "%"))
    };
    let claim = |key, ours: Option<Range>, more: &str| {
        let ours = ours.map(|range| (Figure::Range(range), more.to_owned()));
        PublishedClaim::compare(DISCO.row(key), ours)
    };
    vec![
        claim(
            "range/mean",
            ends(|gains| gains.0, |_, _| false),
            "At a budget below the tail\u{2019}s share the mean is slower than with random routing.",
        ),
        claim(
            "range/tail",
            ends(
                |gains| gains.1,
                |service, scarce| SERVICES[service].name == "DeepSeek" && scarce == Scarce::Server,
            ),
            "Of every other service, phone and side.",
        ),
    ]
}
