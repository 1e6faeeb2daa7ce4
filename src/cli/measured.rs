//! `--measured` of `run`, `gains` and `spread`: rates that were measured on the machines of a scenario.

use super::args::MeasuredArgs;
use super::console::Console;
use super::names;
use engine::model::catalog::{self, MODELS};
use engine::model::precision::Stored;
use engine::problem::{Code, Invalid};
use engine::scenario::Model;
use engine::scenario::world::{MeasuredKind, MeasuredRun, QuestionView, World, of_llama_bench};
use std::path::Path;

/// Tokens that llama-bench generates unless told otherwise, after nothing: what a rate is taken for that names its model.
const GENERATED: f64 = 128.0;

/// Sets what the runtimes of a scenario's machines reach, by `NAME=TOK_S`, `NAME=TOK_S,MODEL,WEIGHTS` or `NAME=FILE`.
///
/// # Errors
/// A name that no machine has, a model or format that is not known, a rate that the machine cannot reach.
pub fn put_measured(
    con: &Console<'_>,
    world: &mut World,
    args: &MeasuredArgs,
) -> Result<(), Invalid> {
    for (name, what) in &args.measured {
        let machine = world.machines.iter().find(|machine| machine.name == *name);
        let Some(id) = machine.map(|machine| machine.id) else {
            let names = world.machines.iter().map(|machine| machine.name.as_str());
            let names: Vec<&str> = names.collect();
            let allowed = format!("the name of a machine: {}", names.join(", "));
            return Err(Invalid::range("--measured", name.as_str(), &allowed));
        };
        for run in runs(con, world, what)? {
            world.measure(id, &run)?;
        }
    }
    Ok(())
}

/// Says of which machines a measured rate does not count in a question.
pub fn note_unused(con: &Console<'_>, world: &World, view: &QuestionView, args: &MeasuredArgs) {
    for (name, _) in &args.measured {
        let machine = world.machines.iter().find(|machine| machine.name == *name);
        if machine.is_some_and(|machine| !view.counts_generation(machine.id)) {
            con.note(&format!(
                "what was measured on {name} does not move its generation here: the scenario has rates of its own, or generates nothing"
            ));
        }
    }
}

/// The runs of an option: a rate, of the scenario's model or of one that is named, or the runs of a file.
fn runs(con: &Console<'_>, world: &World, what: &str) -> Result<Vec<MeasuredRun>, Invalid> {
    let mut words = what.split(',').map(str::trim);
    let Some(Ok(tok_s)) = words.next().map(str::parse::<f64>) else {
        let text = con.read_input(Some(Path::new(what)))?;
        return of_llama_bench(&text);
    };
    let (model, weights, rest) = (words.next(), words.next(), words.next());
    let Some(model) = model else {
        return Ok(vec![world.measured_here(tok_s, format!("{tok_s} token/s"))]);
    };
    let option = |value: &str, allowed: &str| Err(Invalid::range("--measured", value, allowed));
    let Some(entry) = catalog::find(model) else {
        let known = MODELS.iter().map(|entry| entry.name);
        let known: Vec<&str> = known.collect();
        return option(
            model,
            &format!("a model of the catalogue: {}", known.join(", ")),
        );
    };
    let names = names::precisions();
    let Some(weights) = weights.filter(|_| rest.is_none()) else {
        let message = format!(
            "--measured needs how the weights of {model} were stored: NAME=TOK_S,MODEL,WEIGHTS with one of {names}"
        );
        return Err(Invalid::new(Code::Missing, "--measured", what, message));
    };
    let Some(weights) = names::precision(weights) else {
        return option(weights, &format!("a format of these: {names}"));
    };
    let stored = Stored {
        weights: Some(weights),
        cache: None,
    };
    Ok(vec![MeasuredRun {
        model: Model::from_dims(entry.name, &entry.dims).with_stored(stored),
        kind: MeasuredKind::Decode {
            prompt: 0.0,
            answer: GENERATED,
        },
        tok_s,
        source: format!("{tok_s} token/s of {model} in {}", weights.name()),
    }])
}
