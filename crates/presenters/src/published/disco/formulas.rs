//! Figures that need no run: the forecasts of Table 5 without trees, the operations of Tables 6 and 7.

use super::service;
use crate::published::{Figure, PublishedClaim};
use engine::papers::{DISCO, PaperRow};
use engine::units::percent;
use methods::dispatch::flops::{
    AttentionShape, FlopParts, FlopPhase, LENGTHS, ModelFlops, PROFILES, per_token,
};
use planner::dispatch_published::DispatchMeasurements;

/// Table 5, the two forecasts that need no trees.
pub(super) fn forecasts(measured: &DispatchMeasurements) -> Vec<PublishedClaim> {
    let claim = |row: &'static PaperRow| {
        let at = usize::from(row.key.contains("smoothing"));
        let seconds = DISCO.row(&row.key.replace("error/", "error-s/"));
        let ours = measured.forecasts(service(row)).map(|ours| {
            let (share, late) = ours[at];
            let more = format!(
                "In seconds {} published, {late:.4} here.",
                seconds.printed(0)
            );
            (Figure::Percent(100.0 * share, 2), more)
        });
        PublishedClaim::compare(row, ours)
    };
    DISCO.group("error").map(claim).collect()
}

/// Tables 6 and 7, which need no run: how many of their figures the formula gives to the digit.
pub(super) fn operations() -> Vec<PublishedClaim> {
    let rounds = |value: f64, printed: f64| (value - printed).abs() <= 0.005 * (1.0 + 1e-9);
    let mut claims = Vec::new();
    for profile in PROFILES.iter() {
        let figures = work(profile);
        let hits = figures.iter().filter(|(v, printed)| rounds(*v, *printed));
        let (hits, all) = (hits.count(), figures.len());
        let each: Vec<String> = figures.iter().map(|(v, _)| format!("{v:.2}")).collect();
        let words = format!(
            "Without the division by heads, 10 L d more in the prefill: {} GFLOP.",
            each.join(", ")
        );
        let row = |what| DISCO.row(&format!("{what}/{}", profile.name));
        claims.push(PublishedClaim::of_cases(
            row("operations"),
            (all, all),
            Some((hits, words)),
        ));
        let row = row("shares");
        let shares: [f64; 5] = row.numbers();
        let hits = flop_shares(profile)
            .into_iter()
            .zip(shares)
            .filter(|(v, s)| rounds(*v, *s));
        let sum: f64 = shares.iter().sum();
        let words = if (sum - 100.0).abs() < 0.5 {
            "At 128 tokens, decode.".to_owned()
        } else {
            format!(
                "The published shares add up to {}, so no formula gives them.",
                percent(sum, 2)
            )
        };
        let (hits, all) = (hits.count(), shares.len());
        claims.push(PublishedClaim::of_cases(
            row,
            (all, all),
            Some((hits, words)),
        ));
    }
    claims
}

/// Operations of a token [10^9] with what is printed: prefill at three lengths, then decode.
fn work(profile: &ModelFlops) -> Vec<(f64, f64)> {
    let total = |length, phase| {
        let parts: FlopParts = per_token(&profile.decoder, length, phase, AttentionShape::TABLES);
        parts.total() / 1e9
    };
    let prefill = LENGTHS.iter().zip(profile.prefill);
    let prefill = prefill.map(|(length, printed)| (total(*length, FlopPhase::Prefill), printed));
    let decode = LENGTHS.map(|length| (total(length, FlopPhase::Decode), profile.decode));
    prefill.chain(decode).collect()
}

/// Shares of the parts of a decoded token at 128 tokens [%].
fn flop_shares(profile: &ModelFlops) -> [f64; 5] {
    let parts = per_token(
        &profile.decoder,
        LENGTHS[2],
        FlopPhase::Decode,
        AttentionShape::TABLES,
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
