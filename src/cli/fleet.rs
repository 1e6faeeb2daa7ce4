//! `fleet`: what a table of machines says, and a scenario with these machines.

use super::ANSWERED;
use super::args::{FleetArgs, ModelFormat};
use super::console::Console;
use super::run::open_world;
use engine::problem::{Code, Invalid};
use engine::scenario::fields;
use engine::scenario::paste::{self, PastedTable, Refused};
use engine::scenario::world::{FactOrigin, Listed, World};
use serde_json::{Map, Value, json};
use std::io;
use std::path::Path;

/// Reads a table of machines.
pub fn run(con: &Console<'_>, args: &FleetArgs) -> io::Result<u8> {
    let is_json = args.format == ModelFormat::Json;
    let read = read(con, &args.file).and_then(|table| {
        let into = args.into.as_deref();
        let world = into.map(|source| with_machines(con, source, &args.file, &table));
        Ok((table, world.transpose()?))
    });
    let (table, world) = match read {
        Ok(read) => read,
        Err(fault) => return con.write_fault(&fault, is_json),
    };
    if let Some(world) = world {
        for note in &table.notes {
            con.note(note);
        }
        con.print_text(&(world.to_json() + "\n"))?;
    } else if is_json {
        con.print_json(&document(&table))?;
    } else {
        con.print_text(&text(&table))?;
    }
    Ok(ANSWERED)
}

fn read(con: &Console<'_>, file: &Path) -> Result<PastedTable<Listed>, Invalid> {
    let file = (file != Path::new("-")).then_some(file);
    let text = con.read_input(file)?;
    paste::fleet(&text).map_err(invalid)
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

/// A scenario with these machines.
fn with_machines(
    con: &Console<'_>,
    source: &str,
    file: &Path,
    table: &PastedTable<Listed>,
) -> Result<World, Invalid> {
    let mut world = open_world(con, source)?;
    let origin = match file == Path::new("-") {
        true => FactOrigin::Given,
        false => FactOrigin::File(file.display().to_string()),
    };
    let notes = world.put_fleet(&table.rows, &origin, 0)?;
    notes.iter().for_each(|note| con.note(note));
    let view = world.view(world.question)?;
    for one in &view.assumed {
        con.note(&format!("assumed: {} {} ({})", one.key, one.value, one.why));
    }
    Ok(world)
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

/// The same as JSON.
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
