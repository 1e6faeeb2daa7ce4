//! Tables of a cold start with actions in their rows: plans beside ours, parts of the time, repairs, sensitivity, prompt lengths.
//! Each has its numbers as a table of the same name.

use super::gains::{self, shorter_name, subject, unit_of, values};
use super::reasons::{self, PaceShare, shares};
use super::repairs::{DeviceCapacity, capacities};
use super::rules::{self, note, times, title};
use super::strategies::strategies;
use super::tables::{self, route};
use super::{TimeParts, front, goal_name, goal_of, is_whole, repairs as repaired};
use chart::text_width;
use document::{
    Cell, CellGraphic, Choice, Edit, RichCell, RichRow, RichTable, RowAction, TableColumn,
};
use engine::plan::{Stage, StageTiming};
use engine::problem::{ColdStart, device_name};
use engine::scenario::{Goal, Scenario};
use engine::units::{MINUS, NARROW, TimeFormat, bytes, count, percent, seconds};
use planner::Status;
use planner::cold_start::{Answer, BaselineAnswer, Repair, gain_pct};
use planner::cold_start_front::{Front, Point};
use planner::cold_start_gains::{ColdStartGain, Known as Before, ResourceChange, improvements};
use planner::cold_start_rules::{Measured, RuleAnswer, Rules};
use planner::cold_start_shorter::Shorter;
use planner::cold_start_spread::Spread;
use protocol::difference;

/// Gains that are there before the user asks for all.
const FIRST_ROWS: usize = 6;
/// Number of devices beyond which a plan is described by their count.
const MANY: usize = 8;
/// Width of a strip [px].
const STRIP_PX: f64 = 200.0;

fn dash() -> String {
    "\u{2013}".to_owned()
}

fn signed(seconds: f64, unit: TimeFormat) -> String {
    let sign = if seconds < 0.0 {
        MINUS.to_string()
    } else {
        String::new()
    };
    format!("{sign}{}", unit.with_unit(seconds.abs()))
}

fn in_full(seconds: f64) -> String {
    format!("{seconds} s")
}

/// A change of the scenario with the words on its button.
fn change(words: &str, label: String, edit: Edit) -> RowAction {
    RowAction::Change {
        choice: Choice {
            id: "",
            words: words.to_owned(),
            edit,
        },
        label,
        is_first: false,
        is_done: false,
    }
}

/// The parts of a timeline by their colours.
fn timeline_parts([stall, comm, comp]: [f64; 3], whole: f64, percent: f64) -> Vec<(String, f64)> {
    [("k-load", stall), ("k-transfer", comm), ("k-compute", comp)]
        .into_iter()
        .filter(|(_, seconds)| *seconds > 0.0)
        .map(|(class, seconds)| (class.to_owned(), percent * seconds / whole))
        .collect()
}

/// Ours beside simple splits: the same units, one axis, parts of the time as bars.
#[must_use]
pub fn compared(problem: &ColdStart, answer: &Answer) -> RichTable {
    let entries = strategies(problem, answer);
    let longest = entries.iter().map(|e| e.total_s).fold(0.0, f64::max);
    let unit = TimeFormat::of_largest(longest);
    let has_whole = is_whole(problem);
    let whole_unit =
        TimeFormat::of_largest(entries.iter().map(|e| e.objective_s).fold(0.0, f64::max));
    let rows = entries.iter().map(|e| {
        let counts: Vec<String> = e.plan.iter().map(|stage| stage.len().to_string()).collect();
        let layers = match counts.as_slice() {
            [all] => format!("all {all}"),
            many if many.len() <= MANY => many.join(" / "),
            many => format!("{} devices", many.len()),
        };
        let note = (!e.fits).then(|| "does not fit its memory".to_owned());
        let of = TimeParts::of(&e.timeline);
        let bars = timeline_parts([of.stall, of.comm, of.comp], longest, 74.0);
        // Nothing is gained over a plan that cannot be run.
        let sooner = match answer.objective {
            Some(total) if !e.is_ours() && e.fits => RichCell {
                aside: percent(gain_pct(e.objective_s, total), 1),
                ..RichCell::of(signed(e.objective_s - total, whole_unit))
            },
            _ => RichCell::default(),
        };
        let class = match (e.is_ours(), e.fits) {
            (true, _) => "ours",
            (_, false) => "unfit",
            _ => "",
        };
        let mut cells = vec![
            RichCell::of(e.name).with(std::iter::once(layers).chain(note)),
            RichCell::exact(unit.with_unit(e.total_s), in_full(e.total_s))
                .drawn(CellGraphic::Bar(bars)),
        ];
        let whole = || RichCell::exact(whole_unit.with_unit(e.objective_s), in_full(e.objective_s));
        cells.extend(has_whole.then(whole));
        cells.push(sooner);
        RichRow::of(cells).classed(class)
    });
    let by = match answer.T {
        Some(_) => "Edgewise faster by",
        None => "",
    };
    let mut heads = vec![("Plan", ""), ("First answer", "w")];
    heads.extend(has_whole.then_some(("Whole answer", "n")));
    heads.push((by, "n"));
    let rows = rows.collect();
    RichTable::new(("", "cmp"), "Against simple splits", &heads, rows)
        .with_table(tables::comparison(problem, answer))
}

fn timed(unit: TimeFormat, time: f64) -> RichCell {
    RichCell::exact(unit.figure(time), in_full(time))
}

/// The parts of the stages that add up, each beginning where the one before ended.
#[must_use]
pub fn sums(problem: &ColdStart, timeline: &[StageTiming], total: f64) -> RichTable {
    let unit = TimeFormat::of_largest(total);
    let row = |share: PaceShare| {
        let own = [share.stall, share.comm, share.comp];
        let before = (share.sum - own.iter().sum::<f64>()).max(0.0);
        let gap = ("gap".to_owned(), 100.0 * before / total);
        let bars = std::iter::once(gap).chain(timeline_parts(own, total, 100.0));
        let mut cells = vec![
            RichCell::head(device_name(problem, share.device)),
            RichCell::default().drawn(CellGraphic::Fall(bars.collect())),
        ];
        cells.extend(
            own.into_iter()
                .chain([share.sum])
                .map(|time| timed(unit, time)),
        );
        RichRow::of(cells)
    };
    let heads = with_unit(
        unit,
        &["Waiting", "Transfer", "Compute", "Sum so far"],
        &[("Device", ""), ("", "fall")],
    );
    let rows = shares(timeline).into_iter().map(row).collect();
    let table = reasons::table(problem, timeline);
    RichTable {
        heads,
        ..RichTable::new(("reasons-sums", "sums"), "Parts that add up", &[], rows)
    }
    .titled()
    .with_table(table)
}

/// Heads, those of times with their unit.
fn with_unit(unit: TimeFormat, times: &[&str], before: &[(&str, &str)]) -> Vec<(String, String)> {
    let before = before
        .iter()
        .map(|(words, class)| ((*words).to_owned(), *class));
    let times = times
        .iter()
        .map(|words| (format!("{words} [{}]", unit.unit()), "n"));
    let all = before.chain(times);
    all.map(|(words, class)| (words, class.to_owned()))
        .collect()
}

/// Lists the time that each load alone would force.
#[must_use]
pub fn loads(problem: &ColdStart, timeline: &[StageTiming], total: f64) -> RichTable {
    let unit = TimeFormat::of_largest(total);
    let row = |share: PaceShare| {
        let slack = match share.binds {
            true => RichCell {
                is_strong: true,
                ..RichCell::of("decides")
            },
            false => timed(unit, share.slack),
        };
        let class = if share.binds { "binds" } else { "" };
        RichRow::of(vec![
            RichCell::head(device_name(problem, share.device)),
            timed(unit, share.load),
            timed(unit, share.after),
            timed(unit, share.forces),
            slack,
        ])
        .classed(class)
    };
    let heads = with_unit(
        unit,
        &["Load", "Work after it", "Together", "Slack"],
        &[("Device", "")],
    );
    let rows = shares(timeline).into_iter().map(row).collect();
    let title = "Lower bound from each load";
    RichTable {
        heads,
        ..RichTable::new(("reasons-loads", ""), title, &[], rows)
    }
    .titled()
}

/// How many of the leading layers each device could hold.
#[must_use]
pub fn capacity_table(problem: &ColdStart) -> RichTable {
    let all = capacities(problem);
    let most = all.iter().map(|row| row.layers).max().unwrap_or(1).max(1) as f64;
    let row = |of: DeviceCapacity| {
        let bar = vec![("cell".to_owned(), 80.0 * of.layers as f64 / most)];
        RichRow::of(vec![
            RichCell::of(of.device),
            RichCell::of(bytes(of.memory)),
            RichCell::of(of.layers.to_string()).drawn(CellGraphic::Bar(bar)),
        ])
    };
    let heads = [
        ("Device", ""),
        ("Memory", "n"),
        ("Layers it holds, from the first", "w"),
    ];
    let rows = all.into_iter().map(row).collect();
    RichTable::new(("", "room"), "Room for layers", &heads, rows)
        .with_table(repaired::room_table(problem))
}

/// The first of the least, by a value that some repairs may lack.
fn least(repairs: &[Repair], value: fn(&Repair) -> Option<f64>) -> Option<f64> {
    repairs.iter().filter_map(value).reduce(f64::min)
}

/// Lists repairs; empty if there is a plan, or if none was searched.
#[must_use]
pub fn fitting(
    scenario: &Scenario,
    problem: &ColdStart,
    repairs: &[Repair],
    shorter: &[Shorter],
) -> Option<RichTable> {
    let places: Vec<usize> = scenario.switched_on().map(|(at, _)| at).collect();
    let smallest = least(repairs, |r| Some(r.more));
    let fastest = least(repairs, |r| r.T).filter(|_| repairs.len() > 1);
    // A memory as it will be in its field: all of its four digits.
    let four_digits = |memory: f64| format!("{}{NARROW}GB", memory / 1e9);
    let then = |total: Option<f64>| RichCell::of(total.map_or_else(dash, seconds));
    let row = |repair: &Repair| {
        let name = device_name(problem, repair.device);
        let is_smallest = smallest == Some(repair.more);
        let tags = [
            (is_smallest, "Smallest"),
            (repair.T.is_some() && fastest == repair.T, "Fastest"),
        ];
        let tags = tags.iter().filter(|(holds, _)| *holds);
        let place = places.get(repair.device).copied().unwrap_or_default();
        let memory = (repair.memory / 1e9).to_string();
        let edit = Edit::of(format!("/devices/{place}/m_gb"), memory);
        let label = format!("Apply: {name} with {}", four_digits(repair.memory));
        let act = RowAction::Change {
            choice: Choice {
                id: "",
                words: "Apply".to_owned(),
                edit,
            },
            label,
            is_first: is_smallest,
            is_done: false,
        };
        RichRow::of(vec![
            RichCell {
                tags: tags.map(|(_, word)| (*word).to_owned()).collect(),
                ..RichCell::head(format!("{name} memory "))
            },
            RichCell::of(bytes(repair.memory - repair.more)),
            RichCell::exact(four_digits(repair.memory), format!("{} B", repair.memory)),
            RichCell::of(bytes(repair.more)),
            then(repair.T),
        ])
        .acting(Some(act))
    };
    let short = |s: &Shorter| {
        let name = shorter_name(s.what);
        let proved = (s.T.is_some() && !s.is_proved).then(|| "best found".to_owned());
        let pointer = format!("/{}", s.what.field().replace('.', "/"));
        let act = change(
            "Apply",
            format!("Apply: {name} {}", s.to),
            Edit::of(pointer, s.to.to_string()),
        );
        RichRow::of(vec![
            RichCell::head(name),
            RichCell::of(count(s.from)),
            RichCell::of(count(s.to)),
            RichCell::of(format!("{MINUS}{}", count(s.from - s.to))),
            then(s.T).with(proved),
        ])
        .acting(Some(act))
    };
    let rows: Vec<RichRow> = repairs
        .iter()
        .map(row)
        .chain(shorter.iter().map(short))
        .collect();
    let heads = [
        ("Change one number", ""),
        ("From", "n"),
        ("To", "n"),
        ("More", "n"),
        ("First answer then", "n"),
        ("Apply", "sr"),
    ];
    (!rows.is_empty()).then(|| {
        RichTable::new(("", ""), "Smallest repairs", &heads, rows)
            .with_table(repaired::table(problem, repairs, shorter))
    })
}

/// Rules of other tools beside ours, each with its flags.
#[must_use]
pub fn other_rules(problem: &ColdStart, found: &Rules) -> RichTable {
    let all = found.rules.iter().filter_map(|row| row.measured.as_ref());
    let all: Vec<&Measured> = all.chain(&found.ours).collect();
    let most = |of: fn(&Measured) -> f64| all.iter().map(|m| of(m)).fold(0.0, f64::max);
    let (unit, steady) = (
        TimeFormat::of_largest(most(|m| m.T)),
        TimeFormat::of_largest(most(|m| m.period)),
    );
    let has_whole = is_whole(problem);
    let whole_unit = TimeFormat::of_largest(most(|m| m.objective));
    let layers = |m: &Measured| match m.plan.len() {
        many if many > MANY => format!("{many} devices"),
        _ => route(problem, &m.plan),
    };
    let cells = |name: RichCell, m: Option<&Measured>, ours: Option<f64>, least: Option<f64>| {
        let time = |unit: TimeFormat, of: Option<f64>| {
            of.map_or_else(
                || RichCell::of(dash()),
                |of| RichCell::exact(unit.with_unit(of), in_full(of)),
            )
        };
        let ratio = |ratio: Option<f64>| RichCell::of(ratio.map_or_else(dash, times));
        let mut cells = vec![name, time(unit, m.map(|m| m.T))];
        cells.extend(has_whole.then(|| time(whole_unit, m.map(|m| m.objective))));
        cells.extend([ratio(ours), time(steady, m.map(|m| m.period)), ratio(least)]);
        cells
    };
    let ours = found.ours.as_ref().map(|ours| {
        let name = RichCell::of("Edgewise").with([layers(ours)]);
        let least = found.ours_times_least_period;
        RichRow::of(cells(name, Some(ours), Some(1.0), least)).classed("ours")
    });
    let row = |row: &RuleAnswer| {
        let measured = row.measured.as_ref();
        let name = title(row.rule);
        let said = measured.map(layers).into_iter().chain(note(problem, row));
        let name_cell = RichCell::of(name).with(said);
        let cells = cells(name_cell, measured, row.times_ours, row.times_least_period);
        let class = match measured {
            Some(m) if !m.fits() => "unfit",
            _ => "",
        };
        let flags = measured.map(|_| RowAction::Flags(name.to_owned()));
        RichRow::of(cells).classed(class).acting(flags)
    };
    let rows = ours.into_iter().chain(found.rules.iter().map(row));
    let mut heads = vec![("Rule", ""), ("First answer", "n")];
    heads.extend(has_whole.then_some(("Whole answer", "n")));
    heads.extend([
        ("\u{d7} Edgewise", "n"),
        ("Slowest stage", "n"),
        ("\u{d7} best", "n"),
        ("Flags", "sr"),
    ]);
    let title = "What other tools would do";
    RichTable::new(("rules-list", ""), title, &heads, rows.collect())
        .with_table(rules::table(problem, found))
        .with_export("rules")
}

/// Lists the changes that help, the most useful first, each with a button that applies it.
#[must_use]
pub fn helping(
    scenario: &Scenario,
    before: &Before,
    found: &[ColdStartGain],
    by: f64,
) -> RichTable {
    let unit = unit_of(before, found);
    let all: Vec<&ColdStartGain> = improvements(found)
        .into_iter()
        .filter(|gain| gains::is_shown(gain, unit))
        .collect();
    // A second device of any kind helps more than most things: the first stands for all until all are asked for.
    let (mut copies, mut shown) = (0, 0);
    let row = |gain: &&ColdStartGain| {
        let is_copy = gain.change.what == ResourceChange::Another;
        copies += usize::from(is_copy);
        let is_kept_back = (is_copy && copies > 1) || shown == FIRST_ROWS;
        shown += usize::from(!is_kept_back);
        let then = gain.after.and_then(|after| after.objective);
        let saving = gains::sooner(gain, unit);
        let (by_time, proved) = match saving.split_once("; ") {
            Some((by, proved)) => (by.to_owned(), Some(proved.to_owned())),
            None => (saving, None),
        };
        let name = subject(scenario, gain);
        let label = match values(gain) {
            Some(values) => format!("Try: {name} {values}"),
            None => format!("Try: {name}"),
        };
        let edited = gain.change.applied(scenario, by).ok();
        let act = edited.map(|edited| change("Try", label, difference(scenario, &edited.scenario)));
        let then = then.map_or_else(
            || RichCell::of(dash()),
            |then| RichCell::exact(unit.with_unit(then), in_full(then)),
        );
        RichRow {
            is_kept_back,
            ..RichRow::of(vec![
                RichCell::head(name).with(values(gain)),
                then,
                RichCell::of(by_time).with(proved),
            ])
            .acting(act)
        }
    };
    let rows: Vec<RichRow> = all.iter().map(row).collect();
    let heads = [
        ("If you had", ""),
        (goal_of(scenario), "n"),
        ("Faster by", "n"),
        ("Try", "sr"),
    ];
    let title = "What would help most";
    RichTable {
        all: format!("All {} that help", all.len()),
        ..RichTable::new(("gains-list", "help"), title, &heads, rows)
    }
    .with_table(gains::table(scenario, before, found))
    .with_export("gains")
}

/// A rate with few digits that is reached by the plan of this rate and not by the one before it.
fn short_rate(own: f64, below: f64) -> f64 {
    (2..12)
        .map(|digits| {
            let unit = libm::pow(10.0, libm::floor(libm::log10(own)) - f64::from(digits));
            libm::floor(own / unit) * unit
        })
        .find(|short| *short > below && *short <= own)
        .unwrap_or(own * (1.0 - 1e-9))
}

/// Returns the edit that selects a point of the front: its rate becomes the required rate.
#[must_use]
pub fn loading(scenario: &Scenario, found: &Front, at: usize) -> Option<Edit> {
    let point = found.points.get(at)?;
    let (goal, least) = match at.checked_sub(1) {
        None => (Goal::FirstAnswer, None),
        Some(before) => {
            let below = found.points[before].rate;
            (Goal::Throughput, Some(short_rate(point.rate, below)))
        }
    };
    let mut after = scenario.clone();
    let decode = after.decode.as_mut()?;
    (decode.goal, decode.least_tok_s) = (goal, least);
    Some(difference(scenario, &after))
}

/// The plans of the front, each to be made the plan.
#[must_use]
pub fn front_plans(
    scenario: &Scenario,
    problem: &ColdStart,
    answer: &Answer,
    found: &Front,
) -> RichTable {
    let row = |(at, point): (usize, &Point)| {
        let short = route(problem, &point.plan);
        let is_now = Some(&point.plan) == answer.plan.as_ref();
        let bound = match point.proved {
            true => String::new(),
            false => format!(" (bound {})", seconds(point.bound)),
        };
        let act = loading(scenario, found, at).map(|edit| RowAction::Change {
            choice: Choice {
                id: "",
                words: "Load".to_owned(),
                edit,
            },
            label: format!("Make {short} the plan"),
            is_first: false,
            is_done: is_now,
        });
        let rate = Cell::Number(point.rate, 1).display_text();
        RichRow::of(vec![
            RichCell::of(format!("{}{bound}", seconds(point.T))),
            RichCell::of(format!("{rate}{NARROW}tok/s")),
            RichCell::of(seconds(point.D)),
            RichCell::of(seconds(point.total)),
            RichCell::of(short),
        ])
        .classed(if is_now { "now" } else { "" })
        .acting(act)
    };
    let heads = [
        ("First answer", "n"),
        ("Rate, full", "n"),
        ("Time per token", "n"),
        ("Whole answer", "n"),
        ("Layers by device, in running order", ""),
        ("Load", "sr"),
    ];
    let title = "Plans from the fastest first answer to the highest rate";
    let rows = found.points.iter().enumerate().map(row).collect();
    RichTable::new(("front-plans", ""), title, &heads, rows)
        .with_table(front::table(problem, found))
        .with_export("front-table")
}

/// As much of a strip's label as fits its share: name and count, the name, or nothing.
fn shortened(label: String, share: f64) -> String {
    let fits = |text: &str| text_width(text, 11.0, false) + 4.0 <= share * STRIP_PX;
    match label.rsplit_once(' ') {
        _ if fits(&label) => label,
        Some((name, _)) if fits(name) => name.to_owned(),
        _ => String::new(),
    }
}

/// A plan as a strip of its devices.
fn strip(problem: &ColdStart, plan: &[Stage]) -> RichCell {
    let layers = plan.last().map_or(1.0, |stage| stage.last as f64);
    let label = |s: &Stage| format!("{} {}", device_name(problem, s.device), s.len());
    let parts = plan.iter().map(|stage| {
        let weight = stage.len() as f64;
        let class = format!("dev d{}", stage.device % 8 + 1);
        (class, weight, shortened(label(stage), weight / layers))
    });
    let spoken: Vec<String> = plan.iter().map(label).collect();
    RichCell::of(spoken.join(", ")).drawn(CellGraphic::Strip(parts.collect()))
}

/// An answer at each prompt length; nothing where none has come.
pub type LengthPoints<'a> = [(f64, Option<&'a Answer>)];

/// Which devices run how many layers at each length; each can be made the scenario’s own.
#[must_use]
pub fn by_length(scenario: &Scenario, problem: &ColdStart, points: &LengthPoints<'_>) -> RichTable {
    let row = |(tokens, answer): &(f64, Option<&Answer>)| {
        let is_now = *tokens == scenario.prompt_tokens;
        let plan = answer.map(|answer| answer.plan.as_deref().unwrap_or_default());
        let label = format!("Use {tokens} tokens");
        let edit = Edit::of("/prompt_tokens", tokens.to_string());
        let act = RowAction::Change {
            choice: Choice {
                id: "",
                words: "Use".to_owned(),
                edit,
            },
            label,
            is_first: false,
            is_done: is_now,
        };
        RichRow::of(vec![
            RichCell::of(tokens.to_string()),
            plan.map_or_else(RichCell::default, |plan| strip(problem, plan)),
        ])
        .classed(if is_now { "now" } else { "" })
        .acting(Some(act))
    };
    let heads = [
        ("Tokens", "n"),
        ("Layers by device, in running order", ""),
        ("Use", "sr"),
    ];
    let rows = points.iter().map(row).collect();
    RichTable::new(("", "plans"), "Plans by prompt length", &heads, rows)
}

/// A percentage with two decimals and a true minus sign.
fn two_digits(percentage: f64) -> String {
    format!("{percentage:.2}").replace('-', &MINUS.to_string())
}

fn at_length(answer: &Answer) -> [String; 7] {
    let total = answer.objective;
    let timed = |of: &BaselineAnswer| {
        // Nothing is gained over a plan that cannot be run.
        let gain = total
            .filter(|_| of.mem_ok)
            .map(|total| format!(" ({})", two_digits(gain_pct(of.objective(), total))))
            .unwrap_or_default();
        format!("{:.4}{gain}", of.objective())
    };
    let b = &answer.baselines;
    [
        match (total, answer.status) {
            (None, _) => "does not fit".to_owned(),
            (Some(total), Status::Feasible) => format!("\u{2264}\u{202f}{total:.4}"),
            (Some(total), _) => format!("{total:.4}"),
        },
        timed(&b.single),
        timed(&b.even),
        timed(&b.heuristic),
        answer.ordered.as_ref().map_or_else(dash, timed),
        answer.best_baseline.clone().unwrap_or_default(),
        answer.gain_vs_best_pct.map(two_digits).unwrap_or_default(),
    ]
}

/// The first answer at each length as numbers.
#[must_use]
pub fn numbers(scenario: &Scenario, problem: &ColdStart, points: &LengthPoints<'_>) -> RichTable {
    let row = |(tokens, answer): &(f64, Option<&Answer>)| {
        let texts = answer.map_or_else(|| std::array::from_fn(|_| dash()), at_length);
        let cells = std::iter::once(tokens.to_string()).chain(texts);
        let is_now = *tokens == scenario.prompt_tokens;
        RichRow::of(cells.map(RichCell::of).collect()).classed(if is_now { "now" } else { "" })
    };
    let heads = [
        "Tokens",
        "Edgewise",
        "Single, no memory limit",
        "Even",
        "Heuristic",
        "In strength order",
        "Best of these that fits",
        "Gain over it, %",
    ]
    .map(|head| (head, "n"));
    let x = TableColumn::new("prompt_tokens", "prompt tokens", "");
    let table = tables::sweep(problem, x, 0, points.iter().copied());
    let title = format!("{} over prompt length, in seconds", goal_name(problem));
    let rows = points.iter().map(row).collect();
    RichTable::new(("sweep-table", ""), &title, &heads, rows)
        .with_table(table)
        .with_export("sweep-table")
}

/// The numbers with a range, the most worth measuring first, each with the command that measures it.
#[must_use]
pub fn to_measure(scenario: &Scenario, found: &Spread) -> RichTable {
    let inputs = scenario.spanned();
    let row = |at: usize| {
        let (input, row) = (inputs.get(at)?, found.inputs.get(at)?);
        let how = super::spread::measure::measure(scenario, input);
        let decides = (row.decides_fit() > 0.0).then(|| {
            let share = percent(100.0 * row.decides_fit(), 0);
            format!("decides {share} of whether it fits")
        });
        let worth = match row.worth {
            Some(worth) if worth.is_something(found.at_values) => seconds(worth.mean),
            Some(_) => "nothing".to_owned(),
            None => dash(),
        };
        let share = row.share.map_or_else(dash, |s| percent(100.0 * s, 1));
        let label = format!("Copy the command that measures {}", input.label);
        let said = format!("On {}. {}", how.on, how.then);
        Some(RichRow::of(vec![
            RichCell::head(input.label.clone()).with([input.span?.text(input.unit)]),
            RichCell::of(worth).with(decides),
            RichCell::of(share),
            RichCell::of(said).drawn(CellGraphic::Command(how.command, label)),
        ]))
    };
    let rows = super::spread::order(found).into_iter().filter_map(row);
    let heads = [
        ("Number", ""),
        ("Worth knowing", "n"),
        ("Share of spread", "n"),
        ("How to measure it", ""),
    ];
    let title = "Numbers with a range, most worth measuring first";
    RichTable::new(("spread-inputs", "measures"), title, &heads, rows.collect())
        .with_table(super::spread::inputs_table(scenario, found))
        .with_export("spread-inputs")
}
