//! Modules written as short as they can be, and to be compressed as far as they can: a linker that leaves relocations behind pads
//! every number that may be moved to five bytes, and the tools that cut and bind keep the functions in the order it had them in.

use super::order::{Places, order_by_similarity};
use anyhow::{Result, anyhow};
use std::convert::Infallible;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionSectionReader, Parser, Payload, TypeRef,
};

/// Writes a module again, its functions in another order.
#[derive(Default)]
struct Compact {
    places: Places,
    order: Vec<u32>,
}

impl Reencode for Compact {
    type Error = Infallible;

    /// Leaves out sections that a browser does not use: names and notes of the tools.
    fn parse_custom_section(
        &mut self,
        _module: &mut Module,
        _section: CustomSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        Ok(())
    }

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.places.of_function(function))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let types: Vec<u32> = section.into_iter().collect::<Result<_, _>>()?;
        for at in self.placed(types.len()) {
            functions.function(self.type_index(types[at])?);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for at in self.placed(bodies.len()) {
            self.parse_function_body(code, bodies[at].clone())?;
        }
        Ok(())
    }
}

impl Compact {
    /// The places of so many functions in their new order; without one, as they are.
    fn placed(&self, functions: usize) -> Vec<usize> {
        match self.order.len() == functions {
            true => self.order.iter().map(|at| *at as usize).collect(),
            false => (0..functions).collect(),
        }
    }

    fn written(mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        let mut module = Module::new();
        let written = self.parse_core_module(&mut module, Parser::new(0), bytes);
        written.map_err(|fault| anyhow!("a piece is no module: {fault:?}"))?;
        Ok(module.finish())
    }
}

/// Writes the module in as few bytes as possible.
///
/// # Errors
/// The bytes are not a WebAssembly module.
///
/// # Complexity
/// O(length).
pub fn compact(bytes: &[u8]) -> Result<Vec<u8>> {
    Compact::default().written(bytes)
}

/// Writes the module with similar functions next to one another, which compresses best.
///
/// # Errors
/// The bytes are not a WebAssembly module.
///
/// # Complexity
/// As [`alike`].
pub fn ordered(bytes: &[u8]) -> Result<Vec<u8>> {
    let short = compact(bytes)?;
    let (mut imported, mut bodies) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(&short) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let is_function =
                        matches!(import?.ty, TypeRef::Func(_) | TypeRef::FuncExact(_));
                    imported += u32::from(is_function);
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    let order = order_by_similarity(&bodies);
    let places = Places::of(imported, &order);
    Compact { places, order }.written(&short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection, Function,
        ImportSection, TableSection, TableType, TypeSection, ValType,
    };

    /// A module with an imported function and three of its own: each calls the next, and gives so many bytes of numbers away.
    fn module() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        types.ty().function([ValType::I32], []);
        let mut imports = ImportSection::new();
        imports.import("page", "say", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        functions.function(0).function(1).function(0);
        let mut tables = TableSection::new();
        tables.table(TableType {
            element_type: wasm_encoder::RefType::FUNCREF,
            minimum: 1,
            maximum: None,
            table64: false,
            shared: false,
        });
        let mut exports = ExportSection::new();
        exports.export("first", ExportKind::Func, 1);
        exports.export("second", ExportKind::Func, 2);
        let mut elements = ElementSection::new();
        let third = Elements::Functions([3].as_slice().into());
        elements.active(None, &ConstExpr::i32_const(0), third);
        let mut code = CodeSection::new();
        for (calls, numbers) in [(2, 3), (3, 40), (0, 2)] {
            let mut function = Function::new([]);
            for number in 0..numbers {
                function.instructions().i32_const(1000 + number).drop();
            }
            if calls == 2 {
                function.instructions().i32_const(7);
            }
            function.instructions().call(calls).end();
            code.function(&function);
        }
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions);
        module.section(&tables).section(&exports).section(&elements);
        module.section(&code);
        module.finish()
    }

    /// Returns the exported and table functions of a module: name, number of instructions, number of calls.
    fn seen(bytes: &[u8]) -> Vec<(String, usize, usize)> {
        let (mut bodies, mut names) = (Vec::new(), Vec::new());
        for payload in Parser::new(0).parse_all(bytes) {
            match payload.expect("a module") {
                Payload::ExportSection(all) => {
                    let named = all.into_iter().map(|one| one.expect("an export"));
                    names.extend(named.map(|one| (one.name.to_owned(), one.index)));
                }
                Payload::ElementSection(all) => {
                    for one in all {
                        let wasmparser::ElementItems::Functions(list) = one.expect("a list").items
                        else {
                            panic!("functions stand in the table");
                        };
                        let known = list.into_iter().map(|index| index.expect("a number"));
                        names.extend(known.map(|index| ("table".to_owned(), index)));
                    }
                }
                Payload::CodeSectionEntry(body) => bodies.push(body),
                _ => {}
            }
        }
        let numbers = |index: u32| {
            let body: &wasmparser::FunctionBody<'_> = &bodies[index as usize - 1];
            let all = body.get_operators_reader().expect("a body");
            let all: Vec<_> = all.into_iter().map(|one| one.expect("one")).collect();
            let called = all.iter().find_map(|one| match one {
                wasmparser::Operator::Call { function_index } => Some(*function_index),
                _ => None,
            });
            (all.len(), called.expect("it calls one"))
        };
        let of = |(name, index): (String, u32)| {
            let (length, called) = numbers(index);
            let next = called.checked_sub(1).map_or(0, |_| numbers(called).0);
            (name, length, next)
        };
        names.into_iter().map(of).collect()
    }

    #[test]
    fn functions_in_another_order_are_the_same_functions() {
        let plain = module();
        let ordered = ordered(&plain).expect("a module");
        let own: Vec<usize> = seen(&plain).iter().map(|(_, length, _)| *length).collect();
        assert_eq!(own, [9, 82, 6]);
        assert_eq!(seen(&ordered), seen(&plain));
        let second = |bytes: &[u8]| {
            let mut all = Parser::new(0).parse_all(bytes);
            all.find_map(|payload| match payload.expect("a module") {
                Payload::CodeSectionEntry(body) => Some(body.as_bytes().len()),
                _ => None,
            })
        };
        assert!(
            second(&ordered) > second(&plain),
            "the longest stands first"
        );
        assert!(super::ordered(b"no module").is_err());
    }
}
