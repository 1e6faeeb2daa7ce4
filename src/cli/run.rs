//! `run` and `presets`: scenarios, as the page has them.

use super::args::{Format, Run};
use super::bring::put;
use super::console::Console;
use super::onnx::is_onnx;
use super::operators::of_file;
use super::{ANSWERED, exit_code};
use chart::TimeFormat;
use engine::problem::device_name;
use engine::problem::{Code, ColdStart, Invalid};
use engine::scenario::random::Spread;
use engine::scenario::world::{Origin, World};
use engine::scenario::{Any, Question, Scenario, link, open, presets};
use engine::solve::{Event, Limits};
use engine::units::{bytes, percent, seconds, tokens_a_second};
use job::Documented;
use job::cold_start::{Answer, Method, answer};
use job::cold_start_decode::DecodeAnswer;
use job::cold_start_rules::rules;
use report::assumed::groups;
use report::cold_start::{memory_words, words};
use report::counted;
use report::flags::Chain;
use report::rules::{note, other_objectives, times, title};
use report::table;
use report::trace::trace;
use serde::Serialize;
use std::io;
use std::path::Path;
use std::time::Duration;

/// A large fleet is searched for no longer than this; its plan then has a bound. `solve` has no such limit.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// Answers a scenario.
pub fn run(con: &Console<'_>, args: &Run) -> io::Result<u8> {
    let refused = |fault| con.write_fault(&fault, args.format == Format::Json);
    let opened = match Path::new(&args.source) {
        path if is_onnx(path) && !args.source.contains('#') => {
            let scenario = of_file(con, path, &args.onnx).map(Any::from);
            scenario.map(|any| {
                let world = World::of(&any);
                (world, any)
            })
        }
        _ if !args.onnx.is_empty() => {
            let message = "--dim and --classifier are for ONNX files, and the input is not one";
            Err(Invalid::new(Code::Option, "", "", message))
        }
        _ => open_world(con, &args.source).and_then(|world| {
            let any = asked(con, &world, args.question)?;
            Ok((world, any))
        }),
    };
    if args.onnx_file.is_some() && !matches!(opened, Ok((_, Any::Operators(_))) | Err(_)) {
        let message = "--onnx is only for links of operator graphs";
        return refused(Invalid::new(Code::Option, "", "", message));
    }
    if args.tool.is_some() && args.format != Format::Flags {
        let message = "--tool needs --format flags: it chooses whose flags are written";
        return refused(Invalid::new(Code::Option, "", "", message));
    }
    let put = opened.and_then(|(world, any)| Ok((world, put(con, any, &args.bring)?)));
    let (world, any) = match put {
        Ok(opened) => opened,
        Err(fault) => return refused(fault),
    };
    let link = link_of(world, &any, args.bring.model.as_deref());
    let scenario = match any {
        Any::ColdStart(scenario) => *scenario,
        Any::HeadPlacement(scenario) => {
            return super::heads::run(con, &scenario, &link, args.format);
        }
        Any::Dispatch(scenario) => {
            return super::dispatch::run(con, &scenario, &link, args.format);
        }
        Any::Tiers(scenario) => {
            return super::tiers::run(con, &scenario, &link, args.format, args.tool);
        }
        Any::Operators(scenario) => return super::operators::run(con, &scenario, &link, args),
    };
    let problem = match scenario.problem() {
        Ok(problem) => problem,
        Err(fault) => return refused(fault),
    };
    let answer = planned(con, &scenario, &problem);
    match args.format {
        Format::Json => con.print_json(&Documented {
            scenario: &scenario,
            answer: &answer,
        })?,
        Format::Csv => con.print_text(&table::timeline(&problem, &answer).to_csv())?,
        Format::Flags => {
            let plan = answer.plan.as_ref();
            let chain = plan.map(|plan| Chain::of_cold_start(&scenario, &problem, plan, true));
            return super::flags::print(con, chain, args.tool, answer.status);
        }
        Format::Trace => con.print_json(&trace(&problem, &answer))?,
        Format::Text => con.print_text(&text(&scenario, &link, &problem, &answer))?,
    }
    Ok(exit_code(Some(answer.status)))
}

/// The answer to a scenario, searched for as long as there is patience.
pub(super) fn planned(con: &Console<'_>, scenario: &Scenario, problem: &ColdStart) -> Answer {
    let mut watch = con.watch(Some(PATIENCE));
    let mut patience = |event: Event<'_, _>| watch.hear(event);
    answer(
        problem,
        Method::Exact,
        scenario.heuristic,
        &Limits::default(),
        &mut patience,
    )
}

/// A built-in scenario in the list.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    question: &'static str,
    about: &'static str,
}

/// All built-in scenarios, question by question.
fn listed() -> Vec<Listed> {
    let of = |question: Question| {
        let presets = question.kind().presets().into_iter();
        presets.map(move |preset| Listed {
            name: preset.name,
            question: question.name(),
            about: preset.about,
        })
    };
    Question::ALL.into_iter().flat_map(of).collect()
}

/// The built-in scenario with this name.
fn named(name: &str) -> Option<Any> {
    let mut all = Question::ALL
        .into_iter()
        .flat_map(|question| question.kind().presets());
    let preset = all.find(|preset| preset.name == name);
    let preset = preset.map(|preset| preset.scenario);
    preset.or_else(|| presets::scenario_named(name).map(Any::from))
}

/// Lists the presets, or prints one as a scenario file.
pub fn presets(con: &Console<'_>, name: Option<&str>, json: bool) -> io::Result<u8> {
    let Some(name) = name else {
        if json {
            con.print_json(&listed())?;
            return Ok(ANSWERED);
        }
        let line = |preset: Listed| format!("{:<20}{}\n", preset.name, preset.about);
        let mut lines: Vec<String> = listed().into_iter().map(line).collect();
        let spreads = Spread::ALL.map(Spread::name).join(", ");
        lines.push(format!(
            "{}  the paper\u{2019}s model on a random fleet; SPREAD is one of {spreads}\n",
            presets::RANDOM_NAME
        ));
        con.print_text(&lines.concat())?;
        return Ok(ANSWERED);
    };
    match named(name) {
        Some(scenario) => {
            con.print_text(&(serde_json::to_string_pretty(&scenario)? + "\n"))?;
            Ok(ANSWERED)
        }
        None => {
            let known: Vec<_> = listed().iter().map(|preset| preset.name).collect();
            let message = format!(
                "there is no preset {name:?}; the presets are {} and {}",
                known.join(", "),
                presets::RANDOM_NAME
            );
            con.write_fault(&Invalid::new(Code::Option, "", name, message), false)
        }
    }
}

/// What a question sees of a scenario; what it assumes goes to standard error.
fn asked(con: &Console<'_>, world: &World, question: Option<Question>) -> Result<Any, Invalid> {
    let view = world.view(question.unwrap_or(world.question))?;
    for group in groups(world, &view) {
        con.note(&format!("assumed: {}", group.words()));
    }
    if view.left_out > 0 {
        let count = counted(view.left_out, "machine", "machines");
        con.note(&format!(
            "left out: {count}, this question takes no more than {}",
            view.rows.len()
        ));
    }
    Ok(view.scenario)
}

/// The link of a scenario: what other questions know goes with it, what is only assumed stays so, and a model that was brought is
/// from its `file`.
fn link_of(mut world: World, any: &Any, file: Option<&Path>) -> String {
    match world.view(any.question()) {
        Ok(view) if world.absorb(&view, any, &view.rows).is_ok() => {
            if let Some(name) = file.and_then(Path::file_name) {
                world.model_is_from(&Origin::File(name.to_string_lossy().into_owned()));
            }
            link::encode(&world)
        }
        _ => link::of(any),
    }
}

/// The scenario of one question in a link or a file.
pub(super) fn open_source(con: &Console<'_>, source: &str) -> Result<Any, Invalid> {
    let world = open_world(con, source)?;
    Ok(world.view(world.question)?.scenario)
}

/// A link when it looks like one, otherwise a file.
pub(super) fn open_world(con: &Console<'_>, source: &str) -> Result<World, Invalid> {
    if source.contains('#') && !Path::new(source).exists() {
        let shown: String = source.chars().take(60).collect();
        return link::open(source).map_err(|fault| match fault {
            link::LinkError::Scenario(inner) => inner,
            other => Invalid::new(Code::Link, "", shown, other.to_string()),
        });
    }
    let file = (source != "-").then(|| Path::new(source));
    let text = con.read_input(file)?;
    open::world(&text)
}

/// The tokens after the first one: one row per stage, and what they add up to.
fn decoding(problem: &ColdStart, decode: &DecodeAnswer) -> Vec<String> {
    // All parts of a token in one unit, that of the largest.
    let parts = decode.stages.iter().map(|s| s.time);
    let unit = TimeFormat::of_largest(parts.fold(0.0, f64::max));
    let mut lines = vec![format!(
        "{:<14}{:>9}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}",
        "per token", "layers", "receive", "compute", "memory", "total", "reads", "holds"
    )];
    for s in &decode.stages {
        let name: String = device_name(problem, s.device).chars().take(13).collect();
        lines.push(format!(
            "{name:<14}{:>9}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}",
            format!("{}-{}", s.s, s.e),
            unit.with_unit(s.receive),
            unit.with_unit(s.compute),
            unit.with_unit(s.memory),
            unit.with_unit(s.time),
            bytes(s.weights + s.kv_read),
            bytes(s.kv_held),
        ));
    }
    let full = match decode.stages.len() {
        1 => String::new(),
        _ => format!(
            "; {} when the pipeline is full",
            tokens_a_second(decode.rate)
        ),
    };
    let under_way = if decode.requests > 1.0 {
        let rate = tokens_a_second(decode.rate_requests);
        format!(", {rate} with {} answers at once", decode.requests)
    } else {
        String::new()
    };
    lines.push(format!(
        "One token every {}: {}{full}{under_way}.",
        seconds(decode.D),
        tokens_a_second(decode.rate_one_request),
    ));
    lines
}

/// Sentences, the stages, the baselines.
fn text(scenario: &Scenario, link: &str, problem: &ColdStart, answer: &Answer) -> String {
    let words = words(problem, answer);
    let mut lines = vec![
        format!(
            "{}: {}, {} tokens, {}",
            scenario.title,
            scenario.model.shown_name(),
            scenario.prompt_tokens,
            counted(scenario.switched_on().count(), "device", "devices")
        ),
        String::new(),
        format!("{} ({})", words.headline, words.proof),
        words.lead.to_string(),
    ];
    let reason = words.reason.to_string();
    if !reason.is_empty() {
        lines.push(reason);
    }
    lines.push(memory_words(scenario));
    // One unit for all times, that of the longest.
    let longest = answer
        .baselines
        .named()
        .iter()
        .map(|(_, b)| b.objective())
        .fold(0.0, f64::max);
    let unit = TimeFormat::of_largest(answer.objective.unwrap_or(longest));
    if let Some(timeline) = &answer.timeline {
        lines.push(String::new());
        lines.push(format!(
            "{:<14}{:>9}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>22}",
            "device", "layers", "load", "wait", "start", "transfer", "compute", "finish", "memory"
        ));
        for s in timeline {
            let name: String = device_name(problem, s.device).chars().take(13).collect();
            let capacity = problem.machines()[s.device].memory.get();
            lines.push(format!(
                "{name:<14}{:>9}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>22}",
                format!("{}-{}", s.s, s.e),
                unit.with_unit(s.load),
                unit.with_unit(s.wait),
                unit.with_unit(s.start),
                unit.with_unit(s.comm),
                unit.with_unit(s.comp),
                unit.with_unit(s.finish),
                format!("{} of {}", bytes(s.mem), bytes(capacity)),
            ));
        }
    }
    if let Some(decode) = &answer.decode {
        lines.push(String::new());
        lines.extend(decoding(problem, decode));
    }
    lines.push(String::new());
    lines.push(format!(
        "{:<14}{:>12}{:>10}",
        "simple split", "takes", "gain"
    ));
    for (name, baseline) in answer.baselines.named() {
        let fits = if baseline.mem_ok {
            ""
        } else {
            "  (does not fit in memory)"
        };
        // Nothing is gained over a plan that cannot be run.
        let gain = answer
            .objective
            .filter(|_| baseline.mem_ok)
            .map(|ours| {
                let gain = job::cold_start::gain_pct(baseline.objective(), ours);
                format!("{:>10}", percent(gain, 2))
            })
            .unwrap_or_else(|| format!("{:>10}", "\u{2013}"));
        lines.push(format!(
            "{name:<14}{:>12}{gain}{fits}",
            unit.with_unit(baseline.objective())
        ));
    }
    lines.push(String::new());
    lines.extend(by_rules(problem, answer, unit));
    lines.push(String::new());
    lines.push(link.to_owned());
    lines.join("\n") + "\n"
}

/// What other rules would do on the fleet, by both objectives.
fn by_rules(problem: &ColdStart, answer: &Answer, unit: TimeFormat) -> Vec<String> {
    let found = rules(problem, answer);
    let head = [
        "what other rules would do",
        "first answer",
        "× Edgewise",
        "slowest stage",
        "× best",
    ];
    let line = |cells: [&str; 5], note: &str| {
        let [name, total, ours, period, least] = cells;
        let line = format!("{name:<26}{total:>13}{ours:>12}{period:>15}{least:>10}  {note}");
        line.trim_end().to_owned()
    };
    let told = |ratio: Option<f64>| ratio.map_or_else(|| "\u{2013}".to_owned(), times);
    let mut lines = vec![line(head, "")];
    if let Some(ours) = &found.ours {
        let (total, period) = (unit.with_unit(ours.T), seconds(ours.period));
        let least = told(found.ours_times_least_period);
        lines.push(line(
            ["Edgewise", &total, &told(Some(1.0)), &period, &least],
            "",
        ));
    }
    for row in &found.rules {
        let measured = row.measured.as_ref();
        let dash = || "\u{2013}".to_owned();
        let total = measured.map_or_else(dash, |m| unit.with_unit(m.T));
        let period = measured.map_or_else(dash, |m| seconds(m.period));
        let (ours, least) = (told(row.times_ours), told(row.times_least_period));
        let note = note(problem, row).unwrap_or_default();
        lines.push(line(
            [title(row.rule), &total, &ours, &period, &least],
            &note,
        ));
    }
    lines.push(other_objectives(&found));
    lines
}
