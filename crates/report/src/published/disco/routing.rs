//! Gains of routing over chance: Table 2, and what is said of its trends and ranges.

use super::COSTS;
use crate::published::{Agreement, Claim, Figure};
use engine::plan::dispatch::Scarce;
use engine::units::percent;
use job::dispatch_published::{Measured, PHONES, Pair, SERVICES};

const TABLE2: &str = "Table 2";

/// Table 2: by how much the tail of the times to first token is below that of chance [%], phones from slow to fast.
pub(super) const TAIL: [(&str, usize, Scarce, [f64; 3]); 8] = [
    (
        "Tail gain, GPT, device scarce",
        0,
        Scarce::Device,
        [26.39, 21.48, 16.32],
    ),
    (
        "Tail gain, LLaMA, device scarce",
        1,
        Scarce::Device,
        [35.67, 29.30, 21.29],
    ),
    (
        "Tail gain, DeepSeek, device scarce",
        2,
        Scarce::Device,
        [30.91, 28.01, 25.08],
    ),
    (
        "Tail gain, Command, device scarce",
        3,
        Scarce::Device,
        [34.78, 31.53, 24.42],
    ),
    (
        "Tail gain, GPT, server scarce",
        0,
        Scarce::Server,
        [23.85, 37.41, 44.04],
    ),
    (
        "Tail gain, LLaMA, server scarce",
        1,
        Scarce::Server,
        [11.08, 23.09, 26.29],
    ),
    (
        "Tail gain, DeepSeek, server scarce",
        2,
        Scarce::Server,
        [0.00, 3.88, 15.53],
    ),
    (
        "Tail gain, Command, server scarce",
        3,
        Scarce::Server,
        [47.93, 50.93, 52.23],
    ),
];

/// Gains that differ by less are the same [points]: as much comes from the number of quantiles alone.
const TREND: f64 = 0.5;

/// Gains of a service on all phones [%]: of the mean and of the tail.
type Gains = ([f64; 3], [f64; 3]);

fn gains(measured: &Measured, service: usize, scarce: Scarce) -> Option<Gains> {
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
    measured: &Measured,
    (name, service, scarce, published): &(&'static str, usize, Scarce, [f64; 3]),
) -> Claim {
    let ours = gains(measured, *service, *scarce);
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
    Claim {
        name,
        source: TABLE2,
        published: Figure::Percents(*published, 2),
        ours: ours.map_or(Figure::Missing, |(_, tails)| Figure::Percents(tails, 2)),
        yours: Figure::Missing,
        agreement: ours.map_or(Agreement::NotRun, |(_, tails)| {
            Agreement::of_percents(published, 2, &tails)
        }),
        reason: ours.map_or(String::new(), |(means, tails)| {
            format!(
                "{}, phones from slow to fast; the mean gains {}. The traces are not public.{constant}",
                apart(&tails),
                Figure::Percents(means, 1).words()
            )
        }),
    }
}

/// Which services' tail gains go one way from phone to phone.
pub(super) fn trends(measured: &Measured) -> Vec<Claim> {
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
    let claim = |name, services: Option<Vec<&'static str>>| Claim {
        name,
        source: TABLE2,
        published: Figure::Cases(SERVICES.len(), SERVICES.len()),
        ours: services.as_ref().map_or(Figure::Missing, |services| {
            Figure::Cases(services.len(), SERVICES.len())
        }),
        yours: Figure::Missing,
        agreement: services.as_ref().map_or(Agreement::NotRun, |services| {
            Agreement::of_cases(services.len(), SERVICES.len())
        }),
        reason: services.map_or(String::new(), |services| match services.as_slice() {
            [] => "For no service by more than half a point from phone to phone.".to_owned(),
            some => format!(
                "By more than half a point from phone to phone for {}.",
                some.join(", ")
            ),
        }),
    };
    vec![
        claim(
            "Tail gain shrinks with a faster phone, device scarce",
            count(Scarce::Device, |slow, fast| fast < slow - TREND),
        ),
        claim(
            "Tail gain grows with a faster phone, server scarce",
            count(Scarce::Server, |slow, fast| fast > slow + TREND),
        ),
    ]
}

/// Between which ends all gains lie.
pub(super) fn ranges(measured: &Measured) -> Vec<Claim> {
    let all: Option<Vec<Gains>> = TAIL
        .iter()
        .map(|(_, service, scarce, _)| gains(measured, *service, *scarce))
        .collect();
    let ends = |of: fn(&Gains) -> [f64; 3]| {
        all.as_ref().map(|all| {
            let each = all.iter().flat_map(of);
            each.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), gain| {
                (low.min(gain), high.max(gain))
            })
        })
    };
    let claim = |name, published: (f64, f64), ours: Option<(f64, f64)>, more: &str| {
        let holds = ours.map(|(low, high)| low >= published.0 - 0.5 && high <= published.1 + 0.5);
        Claim {
            name,
            source: COSTS,
            published: Figure::Holds(true),
            ours: Figure::holds(holds),
            yours: Figure::Missing,
            agreement: holds.map_or(Agreement::NotRun, |holds| {
                Agreement::of_statement(Some(holds))
            }),
            reason: ours.map_or(String::new(), |(low, high)| {
                format!("{low:.1} to {} here.{more}", percent(high, 1))
            }),
        }
    };
    vec![
        claim(
            "Mean first token 6 to 78 % faster",
            (6.0, 78.0),
            ends(|gains| gains.0),
            " At a budget below the tail\u{2019}s share the mean is slower than with random routing.",
        ),
        claim(
            "Tail 11 to 52 % faster, without DeepSeek with a scarce server",
            (11.0, 52.0),
            {
                let kept = TAIL.iter().zip(all.iter().flatten());
                let kept: Vec<f64> = kept
                    .filter(|((_, service, scarce, _), _)| {
                        (*service, *scarce) != (2, Scarce::Server)
                    })
                    .flat_map(|(_, (_, tails))| *tails)
                    .collect();
                let low = kept.iter().copied().fold(f64::INFINITY, f64::min);
                let high = kept.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                all.as_ref().map(|_| (low, high))
            },
            "",
        ),
    ]
}
