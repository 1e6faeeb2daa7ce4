//! Sentences of an answer about operators split over devices: latency and lower bound, bytes sent, slowest operator; if nothing
//! fits, the limits that work.

use super::{MOST_NAMED, mebi};
use document::quantity::millis;
use document::{Sentence, Tone, Verdict, counted, list};
use engine::evaluate::slices::SliceClass;
use engine::graph::{Graph, OperatorKind};
use engine::plan::{Dim, OperatorOrder, Partition};
use engine::problem::Invalid;
use engine::scenario::operators::{Dims, Scenario};
use engine::units::{NARROW, count, memory, percent};
use methods::operators::split::SplitTask;
use methods::operators::split::baseline::local;
use planner::operators::{Cut, LeastLimits, Maker, Splits, task};
use planner::summary::LEAST_GAIN;

/// Returns the name of a method.
#[must_use]
pub const fn maker_name(maker: Maker) -> &'static str {
    match maker {
        Maker::Best => "Edgewise",
        Maker::Ga => "GA",
        Maker::Coedge => "CoEdge",
        Maker::Deepthings => "DeepThings",
        Maker::Proportional => "Proportional",
        Maker::Local => "Local",
    }
}

/// Describes a method in one line.
#[must_use]
pub const fn maker_about(maker: Maker) -> &'static str {
    match maker {
        Maker::Best => {
            "annealing: one operator\u{2019}s split is changed at a time, and only what that affects is evaluated again"
        }
        Maker::Ga => {
            "the paper\u{2019}s genetic search (GenEFlow), on islands that pass on their best plans"
        }
        Maker::Coedge => {
            "for each operator the best subset of the devices, in proportion to their speed; convolutions by height"
        }
        Maker::Deepthings => {
            "the first operators fused into tiles, so that nothing is sent between them; some rows are computed more than once"
        }
        Maker::Proportional => {
            "every operator in proportion to speed, along the paper\u{2019}s dimension"
        }
        Maker::Local => "everything on one device; the mean over the devices",
    }
}

/// Small numbers of devices in words.
fn devices(n: usize) -> String {
    const NUMBER_WORDS: [&str; 12] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let noun = if n == 1 { "device" } else { "devices" };
    match n.checked_sub(1).and_then(|at| NUMBER_WORDS.get(at)) {
        Some(word) => format!("{word} {noun}"),
        None => format!("{n} {noun}"),
    }
}

/// Names the dimension in which an operator of a class is split.
const fn unit_of(class: SliceClass) -> &'static str {
    match class {
        SliceClass::Row => "rows",
        SliceClass::Chan => "channels",
        SliceClass::Col => "entries",
    }
}

/// An operator of a split, at its place in the order.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitPiece {
    /// Its place in the graph.
    pub op: usize,
    /// Its name.
    pub name: String,
    /// Along what it is cut.
    pub dim: Dim,
    /// Dimension of the split: `rows`.
    pub unit: &'static str,
    /// Where: one mark more than there are devices, from 0 to its length.
    pub marks: Vec<u32>,
    /// How long it takes [ms].
    pub ms: f64,
    /// How much of that the slowest device receives [ms].
    pub comm_ms: f64,
    /// Bytes sent for it.
    pub sent_b: f64,
}

/// Totals of one device in a split.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceTotals {
    /// Its name.
    pub name: String,
    /// Its factor of time.
    pub factor: f64,
    /// The most that it holds [bytes].
    pub peak: f64,
    /// Its limit [bytes], if it has one.
    pub limit: Option<f64>,
    /// How long it computes [ms].
    pub compute_ms: f64,
    /// How long it receives [ms].
    pub comm_ms: f64,
    /// Bytes received.
    pub received: f64,
    /// How long it would take alone [ms], where that is known.
    pub alone_ms: Option<f64>,
}

/// Work of one device for one operator.
#[derive(Debug, Clone, PartialEq)]
pub struct PartSummary {
    /// Bytes received.
    pub received: f64,
    /// How long it receives [ms].
    pub comm_ms: f64,
    /// How long it computes [ms].
    pub compute_ms: f64,
    /// Memory held while the operator runs [bytes].
    pub memory_b: f64,
}

/// A split with everything that is shown of it.
#[derive(Debug, Clone)]
pub struct SplitSummary<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) graph: &'a Graph,
    pub(super) task: SplitTask<'a>,
    pub(super) cut: &'a Cut,
    pub(super) partition: &'a Partition,
}

impl<'a> SplitSummary<'a> {
    /// Of a split whose maker says who makes what; `None` for one whose maker does not.
    ///
    /// # Errors
    /// A scenario or an order at fault.
    ///
    /// # Complexity
    /// O(operators + operands).
    pub fn of(
        scenario: &'a Scenario,
        graph: &'a Graph,
        order: &OperatorOrder,
        cut: &'a Cut,
    ) -> Result<Option<Self>, Invalid> {
        let task = task(scenario, graph, order)?;
        let partition = cut.partition.as_ref();
        Ok(partition.map(|partition| Self {
            scenario,
            graph,
            task,
            cut,
            partition,
        }))
    }

    /// The operators in their order.
    ///
    /// # Complexity
    /// O(operators × devices).
    #[must_use]
    pub fn operator_slices(&self) -> Vec<SplitPiece> {
        let score = self.cut.score.as_ref();
        let figure = |of: Option<&Vec<f64>>, v: usize| {
            of.and_then(|all| all.get(v)).copied().unwrap_or_default()
        };
        let piece = |v: &u32| {
            let v = *v as usize;
            let dim = self.partition.dims[v];
            SplitPiece {
                op: v,
                name: self.graph.op_name(v),
                dim,
                unit: unit_of(self.task.slices.class(v, dim)),
                marks: self.partition.cuts.of(v).to_vec(),
                ms: figure(score.map(|score| &score.op_ms), v),
                comm_ms: figure(score.map(|score| &score.op_comm_ms), v),
                sent_b: figure(score.map(|score| &score.op_comm_bytes), v),
            }
        };
        self.task.order.iter().map(piece).collect()
    }

    /// Names of the devices; those without one go by their place.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        names(self.scenario)
    }

    fn limit(&self, device: usize) -> Option<f64> {
        let limit = self.task.slices.fleet().limits()[device];
        limit.is_finite().then_some(limit)
    }

    /// The limit of each device [bytes], if it has one.
    #[must_use]
    pub fn limits(&self) -> Vec<Option<f64>> {
        let all = 0..self.task.slices.devices();
        all.map(|device| self.limit(device)).collect()
    }

    /// Returns the totals of each device.
    ///
    /// # Complexity
    /// O((operators + operands) × devices).
    #[must_use]
    pub fn devices(&self, alone_ms: &[f64]) -> Vec<DeviceTotals> {
        let slices = &self.task.slices;
        let of = |(device, name): (usize, String)| {
            let peak = self.cut.score.as_ref();
            DeviceTotals {
                name,
                factor: slices.fleet().factors()[device],
                peak: peak.map_or(0.0, |score| score.peak_bytes[device]),
                limit: self.limit(device),
                compute_ms: 0.0,
                comm_ms: 0.0,
                received: 0.0,
                alone_ms: alone_ms.get(device).copied(),
            }
        };
        let mut all: Vec<DeviceTotals> = self.names().into_iter().enumerate().map(of).collect();
        for v in 0..self.graph.len() {
            let shares = slices.shares(v, &self.partition.dims, &self.partition.cuts);
            for (own, share) in all.iter_mut().zip(shares) {
                own.compute_ms += share.compute_ms;
                own.comm_ms += share.comm_ms;
                own.received += share.received;
            }
        }
        all
    }

    /// Returns the work of each device for operator v.
    ///
    /// # Complexity
    /// O(operands × devices).
    #[must_use]
    pub fn device_parts(&self, v: usize) -> Vec<PartSummary> {
        let slices = &self.task.slices;
        let shares = slices.shares(v, &self.partition.dims, &self.partition.cuts);
        let held = self.cut.score.as_ref().and_then(|score| score.mem.get(v));
        let split_summary = shares.into_iter().enumerate();
        split_summary
            .map(|(device, share)| PartSummary {
                received: share.received,
                comm_ms: share.comm_ms,
                compute_ms: share.compute_ms,
                memory_b: held
                    .and_then(|held| held.get(device))
                    .copied()
                    .unwrap_or_default(),
            })
            .collect()
    }

    /// Convolutions, those of them cut by channels, and those that the paper's rule would cut by channels.
    #[must_use]
    pub fn by_channels(&self) -> (usize, usize, usize) {
        let convs =
            || (0..self.graph.len()).filter(|v| self.graph.op(*v).kind == OperatorKind::Conv);
        (
            convs().count(),
            convs()
                .filter(|v| self.partition.dims[*v] == Dim::Cout)
                .count(),
            convs()
                .filter(|v| self.task.rules[*v].dim == Dim::Cout)
                .count(),
        )
    }

    /// Along what operators are cut, in a sentence.
    #[must_use]
    pub fn dims_words(&self) -> String {
        let (convs, ours, rule) = self.by_channels();
        if convs == 0 {
            return "There is no convolution; every operator is cut along its length.".to_owned();
        }
        let verb = if ours == 1 { "is" } else { "are" };
        let of = format!(
            "fmh cuts the height of the output, cout its channels. A convolution cut by channels needs its whole input on every device \
             that takes part: here {ours} of {} {verb}",
            counted(convs, "convolution", "convolutions")
        );
        match self.scenario.split.dims {
            Dims::Free => format!("{of}; the paper\u{2019}s rule would cut {rule} that way."),
            Dims::Rule => format!("{of}, by the paper\u{2019}s rule."),
            Dims::Printed => format!("{of}, by the paper\u{2019}s rule as printed."),
        }
    }
}

/// Names of the scenario's devices; those without one go by their place.
#[must_use]
pub fn names(scenario: &Scenario) -> Vec<String> {
    let devices = scenario.split.devices.iter().enumerate();
    devices
        .map(|(at, board)| match board.name.as_str() {
            "" => format!("Device {}", at + 1),
            name => name.to_owned(),
        })
        .collect()
}

/// How far a value is above a bound, as a share of the value.
#[must_use]
pub fn gap(ms: f64, bound: f64) -> f64 {
    if ms > 0.0 {
        ((ms - bound) / ms).max(0.0)
    } else {
        0.0
    }
}

/// Describes the bound and its derivation.
#[must_use]
pub fn bound_words(splits: &Splits) -> String {
    format!(
        "lower bound, {}. It follows from the time that whole rows take to compute and from the least that has to be sent.",
        millis(splits.bound_ms)
    )
}

/// Puts a split into words: the best one that is known, and what is known of it.
///
/// # Complexity
/// O((operators + operands) × devices).
#[must_use]
pub fn split_words(
    split_summary: &SplitSummary<'_>,
    splits: &Splits,
    room: Option<&LeastLimits>,
) -> Verdict {
    if split_summary.cut.is_feasible {
        feasible(split_summary, splits)
    } else {
        infeasible(split_summary, room)
    }
}

fn feasible(split_summary: &SplitSummary<'_>, splits: &Splits) -> Verdict {
    let ms = split_summary.cut.latency_ms;
    let bound = splits.bound_ms;
    let gap = gap(ms, bound);
    let n = split_summary.scenario.split.devices.len();
    let (proof, tone) = if gap < 1e-9 {
        ("Split optimal, proven".to_owned(), Tone::Good)
    } else {
        (
            format!("Split best found, gap {}", percent(100.0 * gap, 1)),
            Tone::Open,
        )
    };
    let headline = Sentence::default()
        .plain(format!("On {} it takes ", devices(n)))
        .strong(millis(ms))
        .plain("; no split takes less than ")
        .plain(format!("{}.", millis(bound)));
    Verdict {
        proof,
        tone,
        headline,
        summary: lead_sentence(split_summary, splits),
        reason: reason(split_summary),
    }
}

/// `8.3 ms (12.0 %) faster`, of two times of which the first is ours.
fn faster(ours: f64, other: f64) -> String {
    let by = other - ours;
    let word = if by >= 0.0 { "faster" } else { "slower" };
    format!(
        "{} ({}) {word}",
        millis(by.abs()),
        percent(100.0 * by.abs() / other.max(1e-9), 1)
    )
}

/// How it compares with one device and with the best of the others, and what is sent.
fn lead_sentence(split_summary: &SplitSummary<'_>, splits: &Splits) -> Sentence {
    let ms = split_summary.cut.latency_ms;
    let mut sentence = Sentence::default();
    if split_summary.scenario.split.devices.len() > 1 {
        let one = local(&split_summary.task);
        sentence = match one.quickest() {
            Some(at) => {
                let (name, alone) = (
                    names(split_summary.scenario).swap_remove(at),
                    one.alone_ms[at],
                );
                match (alone - ms).abs() < LEAST_GAIN * alone {
                    true => sentence.plain(format!(
                        "Splitting does not pay: {name} alone takes {}. ",
                        millis(alone)
                    )),
                    false => sentence
                        .plain("That is ")
                        .strong(faster(ms, alone))
                        .plain(format!(" than {name} alone. ")),
                }
            }
            None => sentence.plain("No device can hold the whole graph by itself. "),
        };
    }
    let others = splits.others.iter();
    let others = others.filter(|cut| cut.is_feasible && cut.maker != Maker::Local);
    if let Some(best) = others.min_by(|a, b| a.latency_ms.total_cmp(&b.latency_ms)) {
        sentence = sentence.plain(format!(
            "The best baseline that fits, {}, takes {}. ",
            maker_name(best.maker),
            if best.latency_ms == ms {
                "the same time".to_owned()
            } else {
                millis(best.latency_ms)
            }
        ));
    }
    match &split_summary.cut.score {
        Some(score) if score.comm_bytes > 0.0 => sentence.plain(format!(
            "This split sends {}; receiving takes {} of the time.",
            memory(score.comm_bytes),
            percent(100.0 * score.comm_ms / ms.max(1e-9), 1)
        )),
        _ => sentence.plain("Nothing is sent between devices."),
    }
}

/// Which operator takes longest, and how it is cut.
fn reason(split_summary: &SplitSummary<'_>) -> Sentence {
    let pieces = split_summary.operator_slices();
    let longest = pieces
        .iter()
        .enumerate()
        .max_by(|a, b| a.1.ms.total_cmp(&b.1.ms).then(b.0.cmp(&a.0)));
    let Some((step, piece)) = longest else {
        return Sentence::default();
    };
    let parts: Vec<String> = split_summary
        .names()
        .into_iter()
        .zip(piece.marks.windows(2))
        .filter(|(_, ends)| ends[0] < ends[1])
        .enumerate()
        .map(|(at, (name, ends))| {
            let makes = if at == 0 { " makes" } else { "" };
            format!("{name}{makes} {}", count(f64::from(ends[1] - ends[0])))
        })
        .collect();
    let length = piece.marks.last().copied().unwrap_or_default();
    Sentence::default()
        .strong(format!("{} takes longest.", piece.name))
        .plain(format!(
            " Step {} takes {}, {} of it receiving. Of its {} {} {}.",
            step + 1,
            millis(piece.ms),
            percent(100.0 * piece.comm_ms / piece.ms.max(1e-9), 1),
            count(f64::from(length)),
            piece.unit,
            list(&parts)
        ))
}

/// The devices whose limits are broken, what each holds and its limit [bytes].
fn broken(split_summary: &SplitSummary<'_>) -> Vec<(usize, f64, f64)> {
    let over = |(device, peak): (usize, &f64)| {
        let limit = split_summary.limit(device)?;
        (*peak > limit).then_some((device, *peak, limit))
    };
    let score = split_summary.cut.score.as_ref();
    let peaks = score.map_or(&[][..], |score| &score.peak_bytes);
    peaks.iter().enumerate().filter_map(over).collect()
}

/// How long the nearest split takes and what it breaks.
fn nearest(split_summary: &SplitSummary<'_>) -> Sentence {
    let all = split_summary.task.slices.devices();
    let begin = Sentence::default()
        .plain("The nearest split takes ")
        .strong(millis(split_summary.cut.latency_ms));
    let broken = broken(split_summary);
    if broken.is_empty() {
        return begin.plain(
            " and has more parts than there is room for copies of an operator\u{2019}s input or weights.",
        );
    }
    let names = names(split_summary.scenario);
    let mut each: Vec<String> = broken
        .iter()
        .take(MOST_NAMED)
        .map(|(device, peak, limit)| {
            let (peak, limit) = (memory(*peak), memory(*limit));
            format!("{} needs {peak} and has {limit}", names[*device])
        })
        .collect();
    if let Some(more) = broken
        .len()
        .checked_sub(MOST_NAMED)
        .filter(|more| *more > 0)
    {
        each.push(format!("{more} more"));
    }
    let limits = if all == 1 { "limit" } else { "limits" };
    begin.plain(format!(
        " and breaks {} of {all} {limits}: {}.",
        broken.len(),
        list(&each)
    ))
}

/// Limits that would do, where the given ones do not.
#[derive(Debug, Clone, PartialEq)]
pub struct CapacitySummary {
    /// Label of the action that sets them.
    pub label: String,
    /// The limits as the fields take them: rounded up to a thousandth [MiB].
    pub limits_mib: Vec<Option<f64>>,
}

/// A size as a field of MiB takes it.
fn field_mib(bytes: f64) -> f64 {
    libm::ceil(mebi(bytes) * 1000.0) / 1000.0
}

/// The limits that would do, to be set by a press.
#[must_use]
pub fn capacity_summary(room: &LeastLimits) -> CapacitySummary {
    let limits: Vec<Option<f64>> = room.limits.iter().map(|own| own.map(field_mib)).collect();
    CapacitySummary {
        label: match common_limit(&limits) {
            Some(mib) => format!("Set every limit to {mib}{NARROW}MiB"),
            None => format!("Make every limit {:.2} times as large", room.factor),
        },
        limits_mib: limits,
    }
}

/// The one limit of all devices, if it is one.
fn common_limit(limits: &[Option<f64>]) -> Option<f64> {
    let (first, rest) = limits.split_first()?;
    rest.iter().all(|own| own == first).then_some(*first)?
}

/// Limits of a multiple of those that are given, in words.
fn limits_words(split_summary: &SplitSummary<'_>, factor: f64) -> String {
    let limits: Vec<Option<f64>> = (0..split_summary.task.slices.devices())
        .map(|device| split_summary.limit(device).map(|limit| factor * limit))
        .collect();
    match common_limit(&limits) {
        Some(bytes) => memory(bytes),
        None => format!("{factor:.2} times these limits"),
    }
}

/// No split keeps the limits, as far as is known.
fn infeasible(split_summary: &SplitSummary<'_>, room: Option<&LeastLimits>) -> Verdict {
    let is_proved = room.is_some_and(|room| room.is_proved);
    let mut lead = nearest(split_summary);
    if let Some(room) = room {
        lead = lead
            .plain(" With ")
            .strong(limits_words(split_summary, room.factor))
            .plain(format!(
                "{} there is a split that takes {}; below {} there is none.",
                if common_limit(&room.limits).is_some() {
                    " on every device"
                } else {
                    ""
                },
                millis(room.cut.latency_ms),
                limits_words(split_summary, room.at_least)
            ));
    }
    let (proof, tone) = if is_proved {
        ("Split does not fit, proven", Tone::Bad)
    } else {
        ("No split found, not proven", Tone::Open)
    };
    Verdict {
        proof: proof.to_owned(),
        tone,
        headline: Sentence::default()
            .plain(if is_proved {
                "No split meets these "
            } else {
                "No split was found that meets these "
            })
            .strong("memory limits")
            .plain("."),
        summary: lead,
        reason: reason(split_summary),
    }
}
