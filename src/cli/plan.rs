//! `plan`: machines and a model by their names become a scenario, which is answered.

use super::ANSWERED;
use super::args::{Format, ImportArgs, PlanArgs};
use super::console::Console;
use super::import::{is_input, put, put_loading};
use super::measured::{note_unused, put_measured};
use super::names::{self, Link};
use super::run::{print, question_view, with_answer};
use engine::model::catalog::CatalogModel;
use engine::model::precision::Stored;
use engine::network::links;
use engine::problem::{Code, Invalid};
use engine::scenario::rows::free_name;
use engine::scenario::world::{FactOrigin, Listed, World, WorldFact};
use engine::scenario::{Any, Decode, Goal, Memory, Model, Question, Scenario, fields, presets};
use std::io;
use std::path::{Path, PathBuf};

/// The most machines of one name.
const MOST_COPIES: usize = 64;
/// The link where none is named.
const USUAL_LINK: &str = "Ethernet, 1 Gbit/s";

/// Plans a model on machines.
pub fn run(con: &Console<'_>, args: &PlanArgs) -> io::Result<u8> {
    let refused = |fault| con.write_fault(&fault, args.answered.format == Format::Json);
    let known = described(con, args).and_then(|(world, any, file)| {
        let file = file.as_deref();
        with_answer(con, world, &any, file)
    });
    let (world, view) = match known {
        Ok(known) => known,
        Err(fault) => return refused(fault),
    };
    note_unused(con, &world, &view, &args.measured);
    if args.scenario_only {
        con.print_text(&(world.to_json() + "\n"))?;
        return Ok(ANSWERED);
    }
    print(con, &world, &view, &args.answered, None)
}

/// The document that the arguments describe, the scenario of its question, and the file of the model if it is from one.
fn described(con: &Console<'_>, args: &PlanArgs) -> Result<(World, Any, Option<PathBuf>), Invalid> {
    if args.question == Some(Question::Operators) {
        let message = "--question operators is about a graph: run FILE.onnx answers it";
        return Err(Invalid::new(
            Code::Option,
            "--question",
            "operators",
            message,
        ));
    }
    let (rows, link) = (fleet(args)?, link(con, args)?);
    let path = Path::new(&args.model);
    let is_file = is_input(path) || con.open(path).is_ok() || con.folder(path)?.is_some();
    let model = match is_file {
        true => presets::paper().model,
        false => {
            let entry = names::model(&args.model)?;
            Model::from_dims(entry.name, &entry.dims)
        }
    };
    if !(is_file || args.set.is_empty()) {
        let message = "--set needs a file as --model: it gives values that the file leaves open";
        return Err(Invalid::new(Code::Option, "--set", "", message));
    }
    if is_file && (args.weights.is_some() || args.cache.is_some()) {
        let message = "--weights and --cache are for models of the catalogue: the bytes of a file are as the file says, and its cache \
                       has 16 bits";
        return Err(Invalid::new(Code::Option, "--weights", "", message));
    }
    let most = match is_file {
        true => None,
        false => Some(names::model(&args.model)?),
    };
    let context = context(args, most)?;
    let named: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let of_model = match is_file {
        true => args.model.as_str(),
        false => model.name(),
    };
    let title = format!("{of_model} on {}", named.join(", "));
    let scenario = Scenario {
        title: title.chars().take(fields::LONGEST_TITLE).collect(),
        model: model.clone().with_stored(Stored {
            weights: args.weights,
            cache: args.cache,
        }),
        prompt_tokens: f64::from(args.prompt),
        decode: Some(Decode {
            answer_tokens: f64::from(args.answer),
            goal: Goal::WholeAnswer,
            hop_ms: link.latency_ms.unwrap_or(Decode::USUAL.hop_ms),
            ..Decode::USUAL
        }),
        memory: Some(Memory {
            context_tokens: context,
            ..Memory::USUAL
        }),
        ..presets::paper()
    };
    let mut world = World::of(&scenario.into());
    world.network.clear();
    let mut put_network = |key, value| {
        let fact = WorldFact {
            value,
            range: None,
            origin: link.origin.clone(),
        };
        world.network.insert(key, fact);
    };
    put_network("rate_mbit_s", link.mbit_s);
    if let Some(latency_ms) = link.latency_ms {
        put_network("latency_ms", latency_ms);
    }
    world.put_fleet(&rows, &FactOrigin::Given, 0)?;
    let file = is_file.then(|| PathBuf::from(&args.model));
    let import = ImportArgs {
        model: file.clone(),
        set: args.set.clone(),
    };
    let view = world.view(args.question.unwrap_or(world.question))?;
    let any = put(con, view.scenario.clone(), &import)?;
    world.absorb(&view, &any, &view.rows)?;
    // A rate without a model is that of the model which was brought.
    put_measured(con, &mut world, &args.measured)?;
    let any = question_view(con, &world, args.question)?;
    let any = put_loading(any, &args.loading)?;
    if !is_file && args.weights.is_none() {
        con.note("assumed: weights of 16 bits (--weights)");
    }
    world.question = any.question();
    Ok((world, any, file))
}

/// The machines by their names; a copy has a number behind its name.
fn fleet(args: &PlanArgs) -> Result<Vec<Listed>, Invalid> {
    let mut rows: Vec<Listed> = Vec::new();
    for text in &args.machines {
        let (words, count) = match text.rsplit_once('*') {
            None => (text.as_str(), 1),
            Some((words, count)) => {
                let count = count.trim().parse().ok();
                let count = count.filter(|count| (1..=MOST_COPIES).contains(count));
                let allowed = format!("NAME*COUNT with a whole number of 1 to {MOST_COPIES}");
                let count =
                    count.ok_or_else(|| Invalid::range("--machine", text.as_str(), &allowed))?;
                (words, count)
            }
        };
        let machine = names::machine(words)?;
        for _ in 0..count {
            let taken: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
            let name = free_name(machine.name, &taken);
            rows.push(Listed {
                name,
                numbers: Vec::new(),
            });
        }
    }
    Ok(rows)
}

/// The link that is named, or the usual one, which is then said.
fn link(con: &Console<'_>, args: &PlanArgs) -> Result<Link, Invalid> {
    let Some(text) = &args.link else {
        if args.machines.len() > 1 || args.machines[0].contains('*') {
            con.note(&format!("assumed: {USUAL_LINK} between machines (--link)"));
        }
        return Ok(links::find(USUAL_LINK)
            .map(Link::from)
            .expect("a link of the catalogue"));
    };
    let link = names::link(text)?;
    if link.latency_ms.is_none() {
        let usual = Decode::USUAL.hop_ms;
        con.note(&format!("assumed: a hop takes {usual} ms (--link MBIT,MS)"));
    }
    Ok(link)
}

/// Tokens for which there is room in the cache; at most what a model of the catalogue has positions for.
fn context(args: &PlanArgs, model: Option<&CatalogModel>) -> Result<f64, Invalid> {
    let least = args.prompt + args.answer;
    let asked = args.context.unwrap_or(least);
    if let Some(model) = model.filter(|model| asked.max(least) > model.context) {
        let CatalogModel { name, context, .. } = model;
        let path = match args.context {
            Some(asked) if asked > *context => "--context",
            _ => "--prompt",
        };
        let allowed = format!(
            "at most {context} tokens of prompt and answer together: {name} has positions for no more"
        );
        return Err(Invalid::range(path, asked.max(least), &allowed));
    }
    match args.context {
        None => {
            let usual = Memory::USUAL.context_tokens.max(f64::from(least));
            Ok(model.map_or(usual, |model| usual.min(f64::from(model.context))))
        }
        Some(context) if context >= least => Ok(f64::from(context)),
        Some(context) => {
            let allowed = format!("{least} or more: prompt and answer have to fit");
            Err(Invalid::range("--context", context, &allowed))
        }
    }
}
