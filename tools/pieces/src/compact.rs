//! Pieces written as short as they can be: a linker that leaves relocations behind pads every number that may be moved to five
//! bytes, and the tool that cuts keeps them so.

use anyhow::{Result, anyhow};
use std::convert::Infallible;
use wasm_encoder::Module;
use wasm_encoder::reencode::{Error, Reencode};
use wasmparser::{CustomSectionReader, Parser};

struct Compact;

impl Reencode for Compact {
    type Error = Infallible;

    /// What a browser does not run is left out: names, and what the tools have noted.
    fn parse_custom_section(
        &mut self,
        _module: &mut Module,
        _section: CustomSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        Ok(())
    }
}

/// The same module, as short as it can be written. Takes time and memory in proportion to its size.
///
/// # Errors
/// What is no module.
pub fn compact(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut module = Module::new();
    let written = Compact.parse_core_module(&mut module, Parser::new(0), bytes);
    written.map_err(|fault| anyhow!("a piece is no module: {fault:?}"))?;
    Ok(module.finish())
}
