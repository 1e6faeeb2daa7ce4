//! Descriptions of the parts of a tier diagram: for the card, the keys and screen readers.

use super::{HopBox, NetworkPart, TierBox, TierDiagram};
use crate::interaction::{MarkWords, row};
use crate::scale::TimeFormat;
use engine::units::{NARROW, count, percent, seconds};

/// How the passes of a network are printed: all in one unit, from the slowest.
pub(super) fn format(network: &TierDiagram) -> TimeFormat {
    let passes = network.tiers.iter().map(|tier| tier.pass_s);
    let finite = passes.filter(|s| s.is_finite());
    TimeFormat::of_largest(finite.fold(0.0, f64::max))
}

/// `3 nodes`, or `1 node`.
pub(super) fn nodes(tier: &TierBox) -> String {
    plural(tier.nodes, "node")
}

/// `18 blocks`, or `1 block`.
pub(super) fn plural(n: usize, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {what}{s}", count(n as f64))
}

/// `blocks 6–14`, `block 4` or `no blocks`.
pub(super) fn blocks(tier: &TierBox) -> String {
    match tier.blocks() {
        0 => "no blocks".into(),
        1 => format!("block {}", tier.first),
        _ => format!("blocks {}–{}", tier.first, tier.last),
    }
}

fn blocks_aria(tier: &TierBox) -> String {
    let mut words = blocks(tier).replace('–', " to ");
    if tier.embedding {
        words = format!("the embedding, {words}");
    }
    if tier.head {
        words.push_str(" and the head");
    }
    words
}

/// Three significant digits, without zeros at the end.
fn three(value: f64) -> String {
    let decimals = match value.abs() {
        v if v < 0.9995 => 3,
        v if v < 9.995 => 2,
        v if v < 99.95 => 1,
        _ => 0,
    };
    if decimals == 0 {
        return count(value);
    }
    let text = format!("{value:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `3.93 of 13 GB`.
pub(super) fn memory(tier: &TierBox) -> String {
    let (used, room) = (three(tier.memory_gb), three(tier.room_gb));
    format!("{used} of {room}{NARROW}GB")
}

/// How many tokens a pass of this length makes in a second: `5.26 tokens/s`.
pub(super) fn tokens(total_s: f64) -> Option<String> {
    let rate = 1.0 / total_s;
    let decimals = match rate {
        r if r < 9.995 => 2,
        r if r < 99.95 => 1,
        _ => 0,
    };
    (rate.is_finite() && rate > 0.0).then(|| format!("{rate:.decimals$} tokens/s"))
}

/// The network in one sentence, for those who do not see it.
pub(super) fn describe(network: &TierDiagram) -> String {
    let of = |tier: &TierBox| {
        let no = if tier.fits { "" } else { ", which do not fit" };
        format!("{} with {}{no}", tier.name, blocks_aria(tier))
    };
    let tiers: Vec<String> = network.tiers.iter().map(of).collect();
    if tiers.is_empty() {
        return "Network without tiers.".into();
    }
    let mut words = format!(
        "Network of {}: {}.",
        plural(tiers.len(), "tier"),
        tiers.join("; ")
    );
    if network.total_s.is_finite() {
        let takes = TimeFormat::of_largest(network.total_s).spell_out(network.total_s);
        words.push_str(&format!(" One decode pass takes {takes}"));
        if let Some(tier) = network.slowest.and_then(|at| network.tiers.get(at)) {
            words.push_str(&format!(", {} is slowest", tier.name));
        }
        words.push('.');
    }
    words
}

/// Describes a part; `None` if there is no such part.
pub(super) fn facts(network: &TierDiagram, what: NetworkPart) -> Option<MarkWords> {
    let name = |at: usize| network.tiers.get(at).map_or("", |tier| tier.name.as_str());
    match what {
        NetworkPart::Hop(at) | NetworkPart::PassHop(at) => {
            let hop = network.hops.get(at)?;
            Some(of_hop(network, hop, (name(at), name(at + 1))))
        }
        NetworkPart::Return => {
            let takes = seconds(network.return_s);
            let to = name(0);
            Some(MarkWords {
                aria_label: format!("Return to {to}, {takes}"),
                title: format!("Return to {to}"),
                rows: vec![row("Per token", takes)],
                notes: Vec::new(),
            })
        }
        NetworkPart::Tier(at)
        | NetworkPart::Embedding(at)
        | NetworkPart::Blocks(at)
        | NetworkPart::Head(at)
        | NetworkPart::Pass(at)
        | NetworkPart::PassHead(at) => {
            let tier = network.tiers.get(at)?;
            let slowest = network.slowest == Some(at);
            Some(of_tier(network, tier, what, slowest))
        }
    }
}

fn share(network: &TierDiagram, part_s: f64) -> Option<(String, String)> {
    let share = 100.0 * part_s / network.total_s;
    share
        .is_finite()
        .then(|| row("Share of the pass", percent(share, 1)))
}

fn of_hop(network: &TierDiagram, hop: &HopBox, (from, to): (&str, &str)) -> MarkWords {
    let (token, prompt) = (seconds(hop.decode_s), seconds(hop.prefill_s));
    let mut rows = vec![row("Per token", &*token), row("Prompt", &*prompt)];
    rows.extend(share(network, hop.decode_s));
    MarkWords {
        aria_label: format!("Hop from {from} to {to}, {token} per token, {prompt} for the prompt"),
        title: format!("{from} to {to}, transfer"),
        rows,
        notes: Vec::new(),
    }
}

fn of_tier(network: &TierDiagram, tier: &TierBox, what: NetworkPart, slowest: bool) -> MarkWords {
    let format = format(network);
    let takes = format.with_unit(tier.pass_s);
    let pace = if slowest { ", the slowest" } else { "" };
    let misfit = if tier.fits { "" } else { ", does not fit" };
    let name = &tier.name;
    let (spoken, title, mut rows) = match what {
        NetworkPart::Embedding(_) => (
            format!("{name}, the embedding"),
            format!("{name}, embedding"),
            vec![row("Before", blocks(tier))],
        ),
        NetworkPart::Head(_) | NetworkPart::PassHead(_) => {
            let head = format.with_unit(tier.head_s);
            let mut rows = vec![row("Per pass", &*head)];
            rows.extend(share(network, tier.head_s));
            (
                format!("{name}, the head, {head} per pass"),
                format!("{name}, head"),
                rows,
            )
        }
        NetworkPart::Blocks(_) => {
            let mut rows = vec![row("Blocks", count(tier.blocks() as f64))];
            if tier.blocks() > 0 {
                let each = (tier.pass_s - tier.head_s) / tier.blocks() as f64;
                rows.push(row("Per block", seconds(each)));
            }
            rows.extend(
                tier.block_capacity
                    .map(|n| row("Room for", plural(n, "block"))),
            );
            let words = blocks(tier).replace('–', " to ");
            (
                format!("{name}, {words}"),
                format!("{name}, {}", blocks(tier)),
                rows,
            )
        }
        NetworkPart::Pass(_) => {
            let mut rows = vec![row("Per pass", &*takes)];
            if tier.head_s > 0.0 {
                rows.push(row("Head alone", format.with_unit(tier.head_s)));
            }
            rows.extend(share(network, tier.pass_s));
            rows.push(row("Prompt", seconds(tier.prefill_s)));
            (
                format!("{name}, {takes} of a decode pass{pace}"),
                format!("{name}, a decode pass"),
                rows,
            )
        }
        _ => (
            format!(
                "{name}, {}, {}, {takes} per pass{pace}{misfit}",
                nodes(tier),
                blocks_aria(tier)
            ),
            format!("{name}, {}", nodes(tier)),
            whole_tier(tier, &takes),
        ),
    };
    if slowest && matches!(what, NetworkPart::Tier(_) | NetworkPart::Pass(_)) {
        rows.push(row("Pace", "set by this tier, the slowest"));
    }
    MarkWords {
        aria_label: spoken,
        title,
        rows,
        notes: Vec::new(),
    }
}

fn whole_tier(tier: &TierBox, takes: &str) -> Vec<(String, String)> {
    let mut rows = vec![row("Holds", blocks_aria(tier).replace(" to ", "–"))];
    rows.extend(
        tier.block_capacity
            .map(|n| row("Room for", plural(n, "block"))),
    );
    let fits = if tier.fits { "" } else { ", does not fit" };
    rows.push(row("Memory", format!("{}{fits}", memory(tier))));
    rows.push(row("Per pass", takes));
    rows.push(row("Prompt", seconds(tier.prefill_s)));
    if tier.full_at.is_finite() {
        rows.push(row(
            "Saturates at",
            format!("{} requests/s", three(tier.full_at)),
        ));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample;

    fn plain(network: &TierDiagram, what: NetworkPart) -> MarkWords {
        let facts = facts(network, what).expect("the part is there");
        let plain = |text: String| text.replace(NARROW, " ");
        MarkWords {
            aria_label: plain(facts.aria_label),
            title: facts.title,
            rows: facts.rows.into_iter().map(|(n, v)| (n, plain(v))).collect(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn a_tier_speaks() {
        let facts = plain(&sample::three_tiers(), NetworkPart::Tier(2));
        assert_eq!(
            facts.aria_label,
            "AGX, 2 nodes, blocks 15 to 32 and the head, 72.5 ms per pass, the slowest"
        );
        assert_eq!(facts.title, "AGX, 2 nodes");
        let rows = [
            ("Holds", "blocks 15–32 and the head"),
            ("Room for", "61 blocks"),
            ("Memory", "8.9 of 28 GB"),
            ("Per pass", "72.5 ms"),
            ("Prompt", "74.1 ms"),
            ("Saturates at", "0.215 requests/s"),
            ("Pace", "set by this tier, the slowest"),
        ];
        assert_eq!(facts.rows, rows.map(|(n, v)| (n.to_owned(), v.to_owned())));
    }

    #[test]
    fn hops_and_the_way_back_speak() {
        let network = sample::three_tiers();
        let hop = plain(&network, NetworkPart::PassHop(0));
        assert_eq!(
            hop.aria_label,
            "Hop from Nano to NX, 0.0655 ms per token, 4.19 ms for the prompt"
        );
        let back = plain(&network, NetworkPart::Return);
        assert_eq!(back.aria_label, "Return to Nano, 0 s");
        assert!(facts(&network, NetworkPart::Hop(2)).is_none());
        assert!(facts(&network, NetworkPart::Tier(9)).is_none());
    }

    #[test]
    fn one_sentence() {
        assert_eq!(
            describe(&sample::three_tiers()),
            "Network of 3 tiers: Nano with the embedding, blocks 1 to 5; NX with blocks 6 to 14; AGX with \
             blocks 15 to 32 and the head. One decode pass takes 0.190 seconds, AGX is slowest."
        );
        assert_eq!(describe(&TierDiagram::default()), "Network without tiers.");
    }

    #[test]
    fn figures_have_three_digits() {
        let all = [0.2154, 5.2, 3.934, 28.0, 61.24, 1234.0].map(three);
        assert_eq!(all, ["0.215", "5.2", "3.93", "28", "61.2", "1234"]);
        assert_eq!(tokens(0.190158).as_deref(), Some("5.26 tokens/s"));
        assert_eq!(tokens(0.0), None);
        assert_eq!(tokens(f64::INFINITY), None);
    }
}
