//! `run` and `presets`: scenarios, as the page has them.

use super::answer_format::{self, AnswerFormatter};
use super::args::{AnswerArgs, Format, MeasuredArgs, RunArgs};
use super::console::Console;
use super::import::{put, put_loading};
use super::measured::{note_unused, put_measured};
use super::names::nearest;
use super::onnx::is_onnx;
use super::operators::of_file;
use super::{ANSWERED, cold_start, dispatch, heads, operators, tiers};
use document::counted;
use engine::problem::{Code, Invalid};
use engine::scenario::random::RandomSpread;
use engine::scenario::world::{FactOrigin, QuestionView, World};
use engine::scenario::{Any, Question, link, open, presets};
use protocol::assumed::groups;
use serde::Serialize;
use std::io;
use std::path::Path;

/// Answers a scenario.
pub fn run(con: &Console<'_>, args: &RunArgs) -> io::Result<u8> {
    let refused = |fault| con.write_fault(&fault, args.answer.format == Format::Json);
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
        _ => open_world(con, &args.source).and_then(|mut world| {
            put_measured(con, &mut world, &args.measured)?;
            let any = question_view(con, &world, args.question)?;
            Ok((world, any))
        }),
    };
    if args.onnx_file.is_some() && !matches!(opened, Ok((_, Any::Operators(_))) | Err(_)) {
        let message = "--onnx is only for links of operator graphs";
        return refused(Invalid::new(Code::Option, "", "", message));
    }
    let put = opened.and_then(|(world, any)| {
        let any = put_loading(put(con, any, &args.import)?, &args.loading)?;
        Ok((world, any))
    });
    let file = args.import.model.as_deref();
    let known = put.and_then(|(world, any)| with_answer(con, world, &any, file));
    match known {
        Ok((world, view)) => {
            note_unused(con, &world, &view, &args.measured);
            print(con, &world, &view, &args.answer, args.onnx_file.as_deref())
        }
        Err(fault) => refused(fault),
    }
}

/// Answers a view of a document, in the form that is asked for.
pub(super) fn print(
    con: &Console<'_>,
    world: &World,
    view: &QuestionView,
    args: &AnswerArgs,
    onnx: Option<&Path>,
) -> io::Result<u8> {
    let refused = |fault| con.write_fault(&fault, args.format == Format::Json);
    if args.tool.is_some() && args.format != Format::Flags {
        let message = "--tool needs --format flags: it chooses whose flags are written";
        return refused(Invalid::new(Code::Option, "", "", message));
    }
    let link = link::encode(world);
    match answered(con, &view.scenario, onnx) {
        Ok(answer) => answer_format::print(con, &*answer, (world, view), &link, args),
        Err(fault) => refused(fault),
    }
}

/// The answer to a scenario of any question.
///
/// # Errors
/// The scenario is invalid.
pub(super) fn answered<'s>(
    con: &Console<'_>,
    any: &'s Any,
    onnx: Option<&Path>,
) -> Result<Box<dyn AnswerFormatter + 's>, Invalid> {
    Ok(match any {
        Any::ColdStart(scenario) => Box::new(cold_start::answered(con, scenario)?),
        Any::HeadPlacement(scenario) => Box::new(heads::answered(scenario)?),
        Any::Dispatch(scenario) => Box::new(dispatch::answered(scenario)?),
        Any::Tiers(scenario) => Box::new(tiers::answered(scenario)?),
        Any::Operators(scenario) => Box::new(operators::answered(con, scenario, onnx)?),
    })
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
        let spreads = RandomSpread::ALL.map(RandomSpread::name).join(", ");
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
            let near = nearest("the nearest are", name, known.iter().copied());
            let message = format!(
                "there is no preset {name:?}{near}; the presets are {} and {}",
                known.join(", "),
                presets::RANDOM_NAME
            );
            con.write_fault(&Invalid::new(Code::Option, "", name, message), false)
        }
    }
}

/// Returns the scenario of a question as it is seen in that of all. Says which machines it leaves out.
pub(super) fn question_view(
    con: &Console<'_>,
    world: &World,
    question: Option<Question>,
) -> Result<Any, Invalid> {
    let view = world.view(question.unwrap_or(world.question))?;
    if view.left_out > 0 {
        let count = counted(view.left_out, "machine", "machines");
        con.note(&format!(
            "left out: {count}, this question takes no more than {}",
            view.rows.len()
        ));
    }
    Ok(view.scenario)
}

/// The scenario of all questions with that of one in it, and what the question sees of it then: what other questions know goes with
/// it, what is only assumed stays so, and an imported model is from its `file`. Says what is assumed.
pub(super) fn with_answer(
    con: &Console<'_>,
    mut world: World,
    any: &Any,
    file: Option<&Path>,
) -> Result<(World, QuestionView), Invalid> {
    let view = world.view(any.question())?;
    world.absorb(&view, any, &view.rows)?;
    if let Some(name) = file.and_then(Path::file_name) {
        world.model_is_from(&FactOrigin::File(name.to_string_lossy().into_owned()));
    }
    // Rates that hold for another model follow the one that was brought.
    let view = world.view(any.question())?;
    for group in groups(&world, &view) {
        con.note(&format!("assumed: {}", group.sentence()));
    }
    Ok((world, view))
}

/// A document with what was measured, and its scenario of the question that it asks.
pub(super) fn open_measured(
    con: &Console<'_>,
    source: &str,
    measured: &MeasuredArgs,
) -> Result<(World, Any), Invalid> {
    let mut world = open_world(con, source)?;
    put_measured(con, &mut world, measured)?;
    let view = world.view(world.question)?;
    note_unused(con, &world, &view, measured);
    Ok((world, view.scenario))
}

/// The scenario of one question in a link or a file.
pub(super) fn open_source(con: &Console<'_>, source: &str) -> Result<Any, Invalid> {
    let world = open_world(con, source)?;
    Ok(world.view(world.question)?.scenario)
}

/// A link when it looks like one, a file, or a preset by its name.
pub(super) fn open_world(con: &Console<'_>, source: &str) -> Result<World, Invalid> {
    if source.contains('#') && !Path::new(source).exists() {
        let shown: String = source.chars().take(60).collect();
        return link::open(source).map_err(|fault| match fault {
            link::LinkError::Scenario(inner) => inner,
            other => Invalid::new(Code::Link, "", shown, other.to_string()),
        });
    }
    if source != "-"
        && con.open(Path::new(source)).is_err()
        && let Some(any) = named(source)
    {
        return Ok(World::of(&any));
    }
    let file = (source != "-").then(|| Path::new(source));
    let text = con.read_input(file).map_err(|fault| {
        let presets = listed();
        let near = nearest(
            "presets of like names:",
            source,
            presets.iter().map(|preset| preset.name),
        );
        let message = format!("{}{near}", fault.message);
        Invalid { message, ..fault }
    })?;
    open::world(&text)
}
