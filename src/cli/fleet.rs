//! `fleet`: what a table of machines says or a tool measured, and a scenario with it.

use super::ANSWERED;
use super::args::{FleetArgs, ModelFormat};
use super::console::Console;
use super::run::open_world;
use engine::problem::{Code, Invalid};
use engine::scenario::fields;
use engine::scenario::paste::{self, PastedTable, Refused};
use engine::scenario::world::{FactOrigin, Listed, Reported, World};
use serde_json::{Map, Value, json};
use std::io;
use std::path::Path;

/// Reads a table of machines, or what a tool measured.
pub fn run(con: &Console<'_>, args: &FleetArgs) -> io::Result<u8> {
    let is_json = args.format == ModelFormat::Json;
    let file = (args.file != Path::new("-")).then_some(args.file.as_path());
    let done = con.read_input(file).and_then(|text| {
        let output = match Reported::read(&text) {
            Some(reported) => Output::Reported(reported?),
            None => Output::Table(paste::fleet(&text).map_err(invalid)?),
        };
        let Some(source) = &args.into else {
            return Ok((output, None));
        };
        let mut world = open_world(con, source)?;
        match &output {
            Output::Table(table) => put_machines(con, &mut world, &args.file, table)?,
            Output::Reported(reported) => {
                let notes = world.put_reported(reported, args.machine.as_deref())?;
                notes.iter().for_each(|note| con.note(note));
            }
        }
        Ok((output, Some(world)))
    });
    match done {
        Err(fault) => return con.write_fault(&fault, is_json),
        Ok((_, Some(world))) => con.print_text(&(world.to_json() + "\n"))?,
        Ok((Output::Table(table), None)) if is_json => con.print_json(&document(&table))?,
        Ok((Output::Table(table), None)) => con.print_text(&text(&table))?,
        Ok((Output::Reported(reported), None)) => con.print_text(&measured(&reported))?,
    }
    Ok(ANSWERED)
}

/// The content of a file.
enum Output {
    Table(PastedTable<Listed>),
    Reported(Reported),
}

/// A measurement of a tool, and how to use it.
fn measured(reported: &Reported) -> String {
    let what = match reported {
        Reported::Link(mbit_s) => format!("iperf3: a link of {mbit_s} Mbit/s"),
        Reported::Disk(mb_s) => format!("fio: a disk that is read at {mb_s} MB/s"),
        Reported::Runs { machine, runs } => {
            let sources = runs.iter().map(|run| run.source.as_str());
            let sources: Vec<&str> = sources.collect();
            let machine = if machine.is_empty() {
                "a machine without a name"
            } else {
                machine
            };
            format!("{machine}\n{}", sources.join("\n"))
        }
    };
    format!("{what}\n\nfleet FILE --into SCENARIO puts it into a scenario.\n")
}

/// The faults of a table as one.
fn invalid(refused: Refused) -> Invalid {
    let mut messages: Vec<String> = refused
        .faults
        .iter()
        .map(|fault| fault.message.clone())
        .collect();
    if refused.more > 0 {
        messages.push(format!("{} more faults.", refused.more));
    }
    let message = messages.join(" ");
    Invalid::new(
        Code::Syntax,
        "machines",
        Value::Null,
        message.trim_end_matches('.'),
    )
}

/// Puts machines in the place of a scenario's; says what becomes of what the table does not say.
fn put_machines(
    con: &Console<'_>,
    world: &mut World,
    file: &Path,
    table: &PastedTable<Listed>,
) -> Result<(), Invalid> {
    let origin = match file == Path::new("-") {
        true => FactOrigin::Given,
        false => FactOrigin::File(file.display().to_string()),
    };
    let notes = world.put_fleet(&table.rows, &origin, 0)?;
    table
        .notes
        .iter()
        .chain(&notes)
        .for_each(|note| con.note(note));
    let view = world.view(world.question)?;
    for one in &view.assumed {
        con.note(&format!("assumed: {} {} ({})", one.key, one.value, one.why));
    }
    Ok(())
}

/// Machines with what the table says of each.
fn text(table: &PastedTable<Listed>) -> String {
    let mut lines = Vec::new();
    for row in &table.rows {
        let known = row.numbers.iter().filter_map(|(key, given)| {
            let given = (*given)?;
            let field = fields::of(key)?;
            let range = given.range.map_or_else(String::new, |span| {
                format!(" ({} to {})", span.low, span.high)
            });
            Some(
                format!("{} {}{range} {}", field.noun, given.value, field.unit)
                    .trim_end()
                    .to_owned(),
            )
        });
        let known: Vec<String> = known.collect();
        let said = if known.is_empty() {
            "as the catalogue has it".to_owned()
        } else {
            known.join(", ")
        };
        lines.push(format!("{}: {said}", row.name));
    }
    lines.push(String::new());
    lines.extend(table.notes.iter().cloned());
    lines.join("\n") + "\n"
}

/// The machines as JSON.
fn document(table: &PastedTable<Listed>) -> Value {
    let machine = |row: &Listed| {
        let numbers = row.numbers.iter().map(|(key, given)| {
            let value = given.map(|given| match given.range {
                Some(span) => json!({"value": given.value, "low": span.low, "high": span.high}),
                None => json!({"value": given.value}),
            });
            ((*key).to_owned(), value.unwrap_or(Value::Null))
        });
        json!({"name": row.name, "numbers": numbers.collect::<Map<String, Value>>()})
    };
    json!({"machines": table.rows.iter().map(machine).collect::<Vec<_>>(), "notes": table.notes})
}
