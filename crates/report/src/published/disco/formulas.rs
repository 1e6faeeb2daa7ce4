//! What needs no run: the forecasts of Table 5 without trees, the operations of Tables 6 and 7.

use crate::published::{Agreement, Claim, Figure};
use engine::units::percent;
use job::dispatch_published::{Measured, SERVICES};
use methods::dispatch::flops::{Attention, LENGTHS, PROFILES, Parts, Phase, Profile, per_token};
use methods::dispatch::predict::PUBLISHED as TABLE5;

/// Table 7: shares of a decoded token's operations at 128 tokens [%]: embedding, attention, FFN, LayerNorm, output.
const SHARES: [[f64; 5]; 3] = [
    [31.24, 13.01, 24.48, 0.02, 31.24],
    [25.00, 10.00, 20.00, 0.02, 25.00],
    [31.51, 16.56, 20.38, 0.04, 31.51],
];

/// Table 5, the two forecasts that need no trees.
pub(super) fn forecasts(measured: &Measured) -> Vec<Claim> {
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
pub(super) fn operations() -> Vec<Claim> {
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
