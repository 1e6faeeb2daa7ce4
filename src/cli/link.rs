//! `link`: a scenario as a link, short or plain.

use super::ANSWERED;
use super::args::LinkArgs;
use super::console::Console;
use super::run::open_world;
use engine::scenario::link;
use std::io;

/// Prints the link of a scenario.
pub fn run(con: &Console<'_>, args: &LinkArgs) -> io::Result<u8> {
    let world = match open_world(con, &args.source) {
        Ok(world) => world,
        Err(fault) => return con.write_fault(&fault, false),
    };
    let fragment = match args.plain {
        true => link::encode_plain(&world),
        false => link::encode(&world),
    };
    let base = args.base.as_deref().unwrap_or_default();
    let base = base.split('#').next().unwrap_or_default();
    con.print_text(&format!("{base}{fragment}\n"))?;
    Ok(ANSWERED)
}
