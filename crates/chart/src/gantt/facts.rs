//! Cards of the marks of a timeline: bytes or operations and rate, meaning, effect on the answer with the range in which it
//! holds.
//!
//! All effects follow from one identity (CSGO, section on timing): T = max over n of (load of n + all transfers and
//! computation from n on). What is on the largest of these chains is critical; how far it may shrink before
//! another chain is the largest is a difference of two of them.

use super::Gantt;
use super::hits::{GanttPhase, PhaseSpan, layers, span_label};
use super::row::memory;
use crate::interaction::MarkWords;
use crate::scale::TimeFormat;
use engine::units::{NARROW, bytes, count, rate_mbit, tflops};

/// Describes a phase.
///
/// # Complexity
/// O(rows).
pub(super) fn facts(gantt: &Gantt, hit: &PhaseSpan) -> MarkWords {
    let row = &gantt.rows[hit.row];
    let (t, unit) = (&row.timing, TimeFormat::of_largest(gantt.total_s));
    let layers = layers(t.s, t.e);
    let layers = layers.trim_start_matches(|c: char| !c.is_ascii_digit());
    let (from, to) = (unit.figure(hit.from_s), unit.with_unit(hit.to_s));
    let mut rows = vec![
        ("Layers", layers.to_owned()),
        ("From, to", format!("{from} to {to}")),
        ("Takes", unit.with_unit(hit.to_s - hit.from_s)),
    ];
    let before = hit.row.checked_sub(1).and_then(|n| gantt.rows.get(n));
    let before = before.map(|row| row.device.as_str());
    let device = &row.device;
    let mut notes = Vec::new();
    match hit.phase {
        GanttPhase::Load => {
            if t.load > t.load_from {
                rows.push(("Loads", at_rate(row.weights.get(), row.loading)));
            }
            rows.push(("Memory", memory(row)));
            if t.stall > 0.0 {
                rows.push(("Stalls the pipeline", unit.with_unit(t.stall)));
            }
        }
        GanttPhase::Stall => notes.push(match before {
            Some(before) => format!(
                "A stall: {before} is done and {device} still loads, so the whole pipeline waits. Fewer layers on \
                 {device} or faster loading shorten it."
            ),
            None => format!(
                "A stall: nothing can run before the first stage has its weights. Fewer layers on {device} or \
                 faster loading shorten it."
            ),
        }),
        GanttPhase::Transfer => {
            rows.push(("Receives", bytes(row.received)));
            if t.comm > 0.0 {
                rows.push(("At", rate_mbit(8.0 * row.received / t.comm)));
            }
            rows.extend(before.map(|before| ("From", before.to_owned())));
        }
        GanttPhase::Compute => {
            rows.push(("Computes", format!("{:.3}{NARROW}TFLOP", row.work / 1e12)));
            rows.push(("At", tflops(row.speed)));
            // Read when they are needed: the bar holds both.
            if t.load == 0.0 && row.loading.is_finite() {
                rows.push(("Loads", at_rate(row.weights.get(), row.loading)));
            }
        }
        GanttPhase::Wait => notes.push(format!(
            "An obstructive bubble: {device} has its weights and waits for {}, with nothing to do. More layers on \
             {device} fill it; finishing earlier there shortens it.",
            before.unwrap_or("its turn")
        )),
        GanttPhase::Next => {
            if let Some(next) = &row.next {
                rows[0].1.clone_from(&next.layers);
                rows.push(("Loads", at_rate(next.bytes, row.loading)));
                rows.push(("Done after", unit.with_unit(next.to)));
            }
            notes.push(format!(
                "{device} has done its part of the first answer and reads layers of the plan for the tokens that follow. \
                 Nothing waits for it."
            ));
        }
        GanttPhase::Free => notes.push(format!(
            "A non-obstructive bubble: {device} is done and nothing waits for it, so other requests can use it. \
             Only the last stage has none."
        )),
    }
    notes.extend(effect(gantt, hit, unit));
    MarkWords {
        title: format!("{}, {}", row.device, hit.phase.name()),
        rows: rows
            .into_iter()
            .map(|(name, value)| crate::interaction::row(name, value))
            .collect(),
        notes,
        aria_label: span_label(gantt, hit, unit),
    }
}

/// "4.7 GB at 117 MB/s".
fn at_rate(size: f64, rate: f64) -> String {
    let rate = count(rate / 1e6);
    format!("{} at {rate}{NARROW}MB/s", bytes(size))
}

/// The length of each chain [s]: a load and all work from its stage on.
fn chains(gantt: &Gantt) -> Vec<f64> {
    let mut tail = 0.0;
    let back = gantt.rows.iter().rev().map(|row| {
        tail += row.timing.comm + row.timing.comp;
        row.timing.load + tail
    });
    let mut chains: Vec<f64> = back.collect();
    chains.reverse();
    chains
}

/// Describes the effect of less or more of it on the answer, for the same plan.
fn effect(gantt: &Gantt, hit: &PhaseSpan, unit: TimeFormat) -> Option<String> {
    let (mut chains, total, here) = (chains(gantt), gantt.total_s, hit.row);
    if !total.is_finite() {
        return None;
    }
    let hair = 1e-9 * total;
    // Where weights come one stage after the other, nothing is computed before the last of them.
    if gantt.rows.iter().any(|row| row.timing.load_from > 0.0) {
        if matches!(hit.phase, GanttPhase::Load | GanttPhase::Stall) {
            let words = "Nothing is computed before all weights are there: less to load anywhere gains the same.";
            return Some(words.to_owned());
        }
        chains[1..].fill(f64::NEG_INFINITY);
    }
    // A load is in its own chain only, work in those of all stages up to its own.
    let holds = |n: usize| match hit.phase {
        GanttPhase::Load | GanttPhase::Stall => n == here,
        _ => n <= here,
    };
    let longest = |within: bool| {
        let of = (0..chains.len()).filter(|n| holds(*n) == within);
        of.map(|n| (chains[n], n))
            .max_by(|a, b| a.0.total_cmp(&b.0))
    };
    match hit.phase {
        GanttPhase::Wait | GanttPhase::Next | GanttPhase::Free => None,
        _ if hit.critical => {
            let own = hit.to_s - hit.from_s;
            let next = longest(false).map(|(chain, n)| (total - chain, n));
            Some(match next.filter(|(limit, _)| *limit < own - hair) {
                None => "On the critical chain. Less here gains the same.".to_owned(),
                Some((limit, n)) => {
                    let other = &gantt.rows[n].device;
                    if limit <= hair {
                        format!(
                            "On the critical chain, like the load of {other}: saving time here alone changes nothing."
                        )
                    } else {
                        format!(
                            "On the critical chain. Up to {} less here gains the same; then the load of {other} \
                             sets the pace.",
                            unit.with_unit(limit)
                        )
                    }
                }
            })
        }
        _ => {
            let (chain, _) = longest(true)?;
            let spare = total - chain;
            Some(if spare > hair {
                format!(
                    "Not on the critical chain. Up to {} more here changes nothing.",
                    unit.with_unit(spare)
                )
            } else {
                "As critical as the chain shown: any delay here lengthens the total by as much."
                    .to_owned()
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample;
    use crate::{TimeView, layout};

    fn words_of(gantt: &Gantt, row: usize, phase: GanttPhase) -> MarkWords {
        let chart = layout(gantt, 968.0, TimeView::full(gantt));
        let hit = chart
            .describer
            .spans
            .iter()
            .find(|hit| hit.row == row && hit.phase == phase);
        let mut facts = facts(gantt, hit.expect("the plan has this phase"));
        for (_, value) in &mut facts.rows {
            *value = value.replace(NARROW, " ");
        }
        for note in &mut facts.notes {
            *note = note.replace(NARROW, " ");
        }
        facts
    }

    fn value(facts: &MarkWords, name: &str) -> String {
        let row = facts.rows.iter().find(|row| row.0 == name);
        row.map(|row| row.1.clone()).unwrap_or_default()
    }

    #[test]
    fn the_load_that_sets_the_pace() {
        let facts = words_of(&sample::paper(), 2, GanttPhase::Load);
        assert_eq!(value(&facts, "Loads"), "9.91 GB at 5000 MB/s");
        assert_eq!(value(&facts, "Memory"), "9.9 of 20 GB");
        assert_eq!(value(&facts, "Stalls the pipeline"), "0.073 s");
        assert_eq!(
            facts.notes,
            [
                "On the critical chain. Up to 0.073 s less here gains the same; then the load of D3 sets the pace."
            ]
        );
    }

    #[test]
    fn bubbles_are_explained_in_plain_words_and_the_papers() {
        let paper = sample::paper();
        let wait = words_of(&paper, 1, GanttPhase::Wait);
        assert!(
            wait.notes[0].starts_with("An obstructive bubble: D4 has its weights and waits for D3")
        );
        let free = words_of(&paper, 0, GanttPhase::Free);
        assert!(free.notes[0].starts_with("A non-obstructive bubble: D3 is done"));
        let stall = words_of(&paper, 2, GanttPhase::Stall);
        assert!(
            stall.notes[0].starts_with("A stall: D4 is done and D1 still loads"),
            "{stall:?}"
        );
        let first = words_of(&paper, 0, GanttPhase::Stall);
        assert!(first.notes[0].contains("before the first stage has its weights"));
    }

    #[test]
    fn transfers_and_computations_show_their_rates() {
        let paper = sample::paper();
        let transfer = words_of(&paper, 1, GanttPhase::Transfer);
        assert_eq!(value(&transfer, "Receives"), "2.62 MB");
        assert_eq!(value(&transfer, "At"), "1031 Mbit/s");
        assert_eq!(value(&transfer, "From"), "D3");
        let compute = words_of(&paper, 2, GanttPhase::Compute);
        assert_eq!(value(&compute, "Computes"), "2.557 TFLOP");
        assert_eq!(value(&compute, "At"), "8.08 TFLOPS");
    }

    /// The plan with one time changed by `by`, run again.
    fn rerun(gantt: &Gantt, row: usize, phase: GanttPhase, by: f64) -> f64 {
        let mut before = 0.0_f64;
        for (n, r) in gantt.rows.iter().enumerate() {
            let change = |of: bool| if n == row && of { by } else { 0.0 };
            let load = r.timing.load + change(phase == GanttPhase::Load);
            let work = r.timing.comm + r.timing.comp + change(phase == GanttPhase::Compute);
            before = load.max(before) + work;
        }
        before
    }

    #[test]
    fn effects_hold_as_far_as_they_say_and_no_further() {
        for gantt in [sample::paper(), sample::twelve()] {
            let chart = layout(&gantt, 968.0, TimeView::full(&gantt));
            let total = rerun(&gantt, 0, GanttPhase::Load, 0.0);
            for hit in &chart.describer.spans {
                if !matches!(hit.phase, GanttPhase::Load | GanttPhase::Compute) {
                    continue;
                }
                let note = facts(&gantt, hit).notes.pop().unwrap_or_default();
                let figure = note
                    .split("p to ")
                    .nth(1)
                    .and_then(|rest| rest.split(NARROW).next());
                let figure: f64 =
                    figure.map_or(f64::NAN, |figure| figure.parse().unwrap_or(f64::NAN));
                let at = |by: f64| rerun(&gantt, hit.row, hit.phase, by) - total;
                // Figures are rounded to a millisecond, and so are the sample's own times.
                let slack = 2e-3;
                if hit.critical && figure.is_nan() {
                    let all = hit.to_s - hit.from_s;
                    assert!((at(-all) + all).abs() < slack, "{note} {hit:?}");
                } else if hit.critical {
                    assert!((at(-figure) + figure).abs() < slack, "{note} {hit:?}");
                    assert!(
                        (at(-2.0 * figure - 0.1) + figure).abs() < slack,
                        "{note} {hit:?}"
                    );
                } else {
                    assert!(at(figure).abs() < slack, "{note} {hit:?}");
                    assert!((at(figure + 0.1) - 0.1).abs() < slack, "{note} {hit:?}");
                }
            }
        }
    }
}
