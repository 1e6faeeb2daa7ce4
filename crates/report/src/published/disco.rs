//! What the paper on device or server publishes, as data, beside the same computed here from [`Measured`] pieces. As long as a
//! piece has not been computed, its figures are missing.
//!
//! Source: DiSCo (arXiv 2502.11417), Tables 2, 3, 5, 6 and 7, sections 4 and 5. The traces behind its figures are not
//! public, and it leaves open how long prompts are, which share of the budget the tail has and what it counts in Table 3;
//! what is taken for them is said in [`job::dispatch_published`], and every reason says what follows from it.
//!
//! Complexity: O(pieces) a claim; the pieces themselves are [`job::dispatch_published`]'s.

use super::{Agreement, Claim, Figure};
use crate::table::{Cell, Column, Table};
use engine::plan::dispatch::Scarce;
use engine::units::{NARROW, percent};
use job::dispatch_published::{
    Measured, PHONES, Pair, Point, RESIDUAL_BUDGETS, SERVICES, STEPS, Spent, WIDE_BUDGETS,
};
use methods::dispatch::flops::{Attention, LENGTHS, PROFILES, Parts, Phase, Profile, per_token};
use methods::dispatch::predict::PUBLISHED as TABLE5;
use methods::dispatch::wire;

const TABLE2: &str = "Table 2";
const TABLE3: &str = "Table 3";
const COSTS: &str = "section 5";

/// Table 2: by how much the tail of the times to first token is below that of chance [%], phones from slow to fast.
const TAIL: [(&str, usize, Scarce, [f64; 3]); 8] = [
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

/// Table 3: tokens under way at a hand-over, mean and P99.
const UNDER_WAY: [(&str, usize, Scarce, [f64; 2]); 8] = [
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

/// Table 7: shares of a decoded token's operations at 128 tokens [%]: embedding, attention, FFN, LayerNorm, output.
const SHARES: [[f64; 5]; 3] = [
    [31.24, 13.01, 24.48, 0.02, 31.24],
    [25.00, 10.00, 20.00, 0.02, 25.00],
    [31.51, 16.56, 20.38, 0.04, 31.51],
];

/// Gains that differ by less are the same [points]: as much comes from the number of quantiles alone.
const TREND: f64 = 0.5;
/// The claims, in the order of the paper.
#[must_use]
pub fn claims(measured: &Measured) -> Vec<Claim> {
    let mut claims: Vec<Claim> = TAIL.iter().map(|row| tail(measured, row)).collect();
    claims.extend(trends(measured));
    claims.extend(ranges(measured));
    claims.push(saved(measured, Scarce::Device));
    claims.push(saved(measured, Scarce::Server));
    claims.extend(UNDER_WAY.iter().map(|row| under_way(measured, row)));
    claims.extend(under_way_tails(measured));
    claims.extend(between_tokens(measured));
    claims.extend(residual(measured));
    claims.extend(forecasts(measured));
    claims.extend(operations());
    claims.extend(bytes());
    claims
}

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

fn tail(
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
fn trends(measured: &Measured) -> Vec<Claim> {
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
fn ranges(measured: &Measured) -> Vec<Claim> {
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

/// The most that hand-overs save.
fn saved(measured: &Measured, scarce: Scarce) -> Claim {
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

fn under_way(
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
fn under_way_tails(measured: &Measured) -> Vec<Claim> {
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

fn between_tokens(measured: &Measured) -> Vec<Claim> {
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
fn residual(measured: &Measured) -> Vec<Claim> {
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

/// Table 5, the two forecasts that need no trees.
fn forecasts(measured: &Measured) -> Vec<Claim> {
    const NAMES: [[&str; 2]; 4] = [
        [
            "Error of the moving average, GPT",
            "Error of exponential smoothing, GPT",
        ],
        [
            "Error of the moving average, LLaMA",
            "Error of exponential smoothing, LLaMA",
        ],
        [
            "Error of the moving average, DeepSeek",
            "Error of exponential smoothing, DeepSeek",
        ],
        [
            "Error of the moving average, Command",
            "Error of exponential smoothing, Command",
        ],
    ];
    let mut claims = Vec::new();
    for (service, (known, names)) in SERVICES.iter().zip(NAMES).enumerate() {
        let Some((_, row)) = TABLE5.iter().find(|(name, _)| *name == known.name) else {
            continue;
        };
        let ours = measured.forecasts(service);
        for (k, name) in names.into_iter().enumerate() {
            let (share, seconds) = row[k];
            let reason = ours.map_or(String::new(), |ours| {
                let why = match k {
                    0 => "The distribution was chosen by this figure.",
                    _ => "Ours is on independent times: smoothing helps where a trace is correlated and hurts where it jumps.",
                };
                format!(
                    "{why} In seconds {seconds:.4} published, {:.4} here.",
                    ours[k].1
                )
            });
            claims.push(Claim {
                name,
                source: "Table 5",
                published: Figure::Percent(100.0 * share, 2),
                ours: ours.map_or(Figure::Missing, |ours| {
                    Figure::Percent(100.0 * ours[k].0, 2)
                }),
                yours: Figure::Missing,
                agreement: ours.map_or(Agreement::NotRun, |ours| {
                    Agreement::of_percent(100.0 * share, 2, Some(100.0 * ours[k].0))
                }),
                reason,
            });
        }
    }
    claims
}

/// Tables 6 and 7, which need no run: how many of their figures the formula gives to the digit.
fn operations() -> Vec<Claim> {
    const NAMES: [[&str; 2]; 3] = [
        [
            "Operations per token, BLOOM-1.1B",
            "Their shares, BLOOM-1.1B",
        ],
        [
            "Operations per token, BLOOM-560M",
            "Their shares, BLOOM-560M",
        ],
        ["Operations per token, Qwen-0.5B", "Their shares, Qwen-0.5B"],
    ];
    let rounds = |value: f64, printed: f64| (value - printed).abs() <= 0.005 * (1.0 + 1e-9);
    let mut claims = Vec::new();
    for ((profile, names), shares) in PROFILES.iter().zip(NAMES).zip(SHARES) {
        let figures = work(profile);
        let hits = figures.iter().filter(|(v, printed)| rounds(*v, *printed));
        let (hits, all) = (hits.count(), figures.len());
        let each: Vec<String> = figures.iter().map(|(v, _)| format!("{v:.2}")).collect();
        let claim = |name, source, (hits, all), reason| Claim {
            name,
            source,
            published: Figure::Cases(all, all),
            ours: Figure::Cases(hits, all),
            yours: Figure::Missing,
            agreement: Agreement::of_cases(hits, all),
            reason,
        };
        let words = format!(
            "Without the division by heads, 10 L d more in the prefill: {} GFLOP.",
            each.join(", ")
        );
        claims.push(claim(names[0], "Table 6", (hits, all), words));
        let parts = parts(profile);
        let hits = parts.iter().zip(shares).filter(|(v, s)| rounds(**v, *s));
        let hits = hits.count();
        let sum: f64 = shares.iter().sum();
        let words = if (sum - 100.0).abs() < 0.5 {
            "At 128 tokens, decode.".to_owned()
        } else {
            format!(
                "The published shares add up to {}, so no formula gives them.",
                percent(sum, 2)
            )
        };
        claims.push(claim(names[1], "Table 7", (hits, shares.len()), words));
    }
    claims
}

/// Operations of a token [10^9] with what is printed: prefill at three lengths, then decode.
fn work(profile: &Profile) -> Vec<(f64, f64)> {
    let total = |length, phase| {
        let parts: Parts = per_token(&profile.decoder, length, phase, Attention::TABLES);
        parts.total() / 1e9
    };
    let prefill = LENGTHS.iter().zip(profile.prefill);
    let prefill = prefill.map(|(length, printed)| (total(*length, Phase::Prefill), printed));
    let decode = LENGTHS.map(|length| (total(length, Phase::Decode), profile.decode));
    prefill.chain(decode).collect()
}

/// Shares of the parts of a decoded token at 128 tokens [%].
fn parts(profile: &Profile) -> [f64; 5] {
    let parts = per_token(
        &profile.decoder,
        LENGTHS[2],
        Phase::Decode,
        Attention::TABLES,
    );
    let all = parts.total();
    [
        parts.embedding,
        parts.attention,
        parts.ffn,
        parts.layer_norm,
        parts.output,
    ]
    .map(|part| 100.0 * part / all)
}

/// What ids save against text at a hand-over: as whole bytes, and as bits.
fn bytes() -> Vec<Claim> {
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

/// Every pair: gains over all budgets, and what hand-overs save at most.
#[must_use]
pub fn table(measured: &Measured) -> Table {
    let columns = vec![
        Column::new("scarce", "scarce", ""),
        Column::new("service", "service", ""),
        Column::new("phone", "phone", ""),
        Column::new("tail_published", "tail gain, published", "%"),
        Column::new("tail", "tail gain, ours", "%"),
        Column::new("mean", "mean gain, ours", "%"),
        Column::new("saved", "most saved by hand-over", "%"),
        Column::new("saved_at", "at a budget of", "%"),
    ];
    let mut rows = Vec::new();
    for (_, service, scarce, published) in TAIL {
        for (phone, published) in published.into_iter().enumerate() {
            let pair = Pair {
                service,
                phone,
                scarce,
            };
            let gains = measured.gains(pair);
            let points = measured.pair(pair).unwrap_or(&[]);
            let best = points.iter().max_by(|a, b| a.saved.total_cmp(&b.saved));
            rows.push(vec![
                Cell::text(match scarce {
                    Scarce::Device => "device",
                    Scarce::Server => "server",
                }),
                Cell::text(SERVICES[service].name),
                Cell::text(PROFILES[phone].name),
                Cell::Number(published, 2),
                Cell::maybe(gains.map(|gains| 100.0 * gains.1), 2),
                Cell::maybe(gains.map(|gains| 100.0 * gains.0), 2),
                Cell::maybe(best.map(|best| 100.0 * best.saved), 1),
                Cell::maybe(best.map(|best| 100.0 * best.budget), 0),
            ]);
        }
    }
    Table {
        name: "disco_pairs",
        title: format!("Gains over random routing, mean of {} budgets", STEPS + 1),
        columns,
        rows,
    }
}

/// What has to be said wherever these figures are shown.
#[must_use]
pub const fn note() -> &'static str {
    "The paper\u{2019}s traces are not public: first tokens are log-normal laws fitted to the moving averages of its Table 5, \
     prompts a law with the mean of Alpaca, answers 128 tokens. The tail\u{2019}s share of the budget, which it does not give, \
     is a tenth. Its times to fit a policy (Figure 9) depend on the machine: see the benchmark of this program."
}
