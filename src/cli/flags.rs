//! `run --format flags`: the layer map as runtimes take it.

use super::console::Console;
use super::exit_code;
use engine::problem::{Code, Invalid};
use planner::Status;
use protocol::flags::{LayerMap, Tool, all_flags, flags};
use std::io;

/// Prints what one tool takes, or what all of them take. One tool's text is alone on standard output, fit for a file
/// or a pipe; its notes go to standard error. Without a plan nothing is printed, and the status says why.
pub fn print(
    con: &Console<'_>,
    chain: Option<Result<LayerMap, Invalid>>,
    tool: Option<Tool>,
    status: Status,
) -> io::Result<u8> {
    let chain = match chain {
        Some(Ok(chain)) => chain,
        Some(Err(fault)) => return con.write_fault(&fault, false),
        None => {
            con.note("there is no plan and so no flags; --format text says why");
            return Ok(exit_code(Some(status)));
        }
    };
    let Some(tool) = tool else {
        con.print_text(&all_flags(&chain))?;
        return Ok(exit_code(Some(status)));
    };
    match flags(tool, &chain) {
        Ok(flags) => {
            con.print_text(&flags.text)?;
            for note in &flags.notes {
                con.note(note);
            }
            Ok(exit_code(Some(status)))
        }
        Err(reason) => {
            let message = format!("not expressible: {reason}");
            con.write_fault(
                &Invalid::new(Code::Option, "tool", tool.name(), message),
                false,
            )
        }
    }
}
