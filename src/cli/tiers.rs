//! `run` for the tiers question.

use super::args::Format;
use super::{exit_code, print_json, write_fault};
use crate::job::tiers::{Documented, planned};
use crate::problem::{Code, Invalid};
use crate::report::table::Table;
use crate::report::tiers::{comparison, stages, words};
use crate::scenario::link;
use crate::scenario::tiers::Scenario;
use std::io::{self, Write};

/// Answers a scenario.
pub fn run(scenario: &Scenario, format: Format) -> io::Result<u8> {
    let as_json = format == Format::Json;
    let answer = match planned(scenario) {
        Ok(answer) => answer,
        Err(fault) => return write_fault(&fault, as_json),
    };
    let plan = answer.plan.as_ref();
    match format {
        Format::Json => print_json(&Documented {
            scenario,
            answer: &answer,
        })?,
        Format::Csv => {
            let table = plan.map_or_else(Table::default, |plan| stages(scenario, plan));
            print(&table.to_csv())?;
        }
        Format::Trace => {
            let message = "trace is a format of cold starts; tiers have text, json and csv";
            return write_fault(
                &Invalid::new(Code::Option, "format", "trace", message),
                false,
            );
        }
        Format::Text => {
            let words = words(scenario, &answer);
            let mut lines = vec![
                format!(
                    "{}: {}, {} tokens in, {} out, {} tiers",
                    scenario.title,
                    scenario.model.name,
                    scenario.prompt_tokens,
                    scenario.out_tokens,
                    scenario.switched_on().count()
                ),
                String::new(),
                format!("{} ({})", words.headline, words.proof),
                words.lead.to_string(),
                words.reason.to_string(),
                String::new(),
            ];
            if let Some(plan) = plan {
                lines.push(columns(&stages(scenario, plan)));
            }
            lines.push(columns(&comparison(scenario, &answer)));
            lines.push(link::encode_tiers(scenario));
            print(&(lines.join("\n") + "\n"))?;
        }
    }
    Ok(exit_code(Some(answer.status)))
}

/// A table in columns of one width each.
fn columns(table: &Table) -> String {
    let heads: Vec<String> = table
        .columns
        .iter()
        .map(|column| column.with_unit())
        .collect();
    let rows: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| row.iter().map(|cell| cell.shown()).collect())
        .collect();
    let widths: Vec<usize> = (0..heads.len())
        .map(|at| {
            let cells = rows.iter().map(|row| row[at].chars().count());
            cells.chain([heads[at].chars().count()]).max().unwrap_or(0)
        })
        .collect();
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| {
            let gap = width - cell.chars().count();
            format!("{cell}{}", " ".repeat(gap))
        });
        padded
            .collect::<Vec<String>>()
            .join("  ")
            .trim_end()
            .to_owned()
            + "\n"
    };
    rows.iter()
        .fold(line(&heads), |text, row| text + &line(row))
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
