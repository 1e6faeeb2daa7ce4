//! Makes one module of several pieces that are always loaded together. The library that cuts a program makes a piece for every set of
//! places that need the same, hundreds of them, each with all types of the program, and has each call the others' functions by way
//! of a table: a stub that calls a place in that table stands for every function of another piece. In one module the stubs
//! are the functions that they stand for.

use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use std::convert::Infallible;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ElementSection, Elements, FunctionSection, ImportSection,
    Module, TypeSection,
};
use wasmparser::{
    BinaryReader, DataKind, ElementItems, ElementKind, FunctionBody, Operator, Parser, Payload,
    TypeRef, TypeSectionReader,
};

/// A function, by its piece and its number among those that the piece defines.
type FunctionRef = (usize, usize);

/// Imports of a module, by index.
#[derive(Default)]
struct Imports<'a> {
    all: Vec<(&'a str, &'a str, TypeRef)>,
}

impl<'a> Imports<'a> {
    fn add(&mut self, import: (&'a str, &'a str, TypeRef)) {
        let is_known = |known: &&(&str, &str, TypeRef)| (known.0, known.1) == (import.0, import.1);
        if !self.all.iter().any(|known| is_known(&known)) {
            self.all.push(import);
        }
    }

    /// Returns the imports of one kind, in order.
    fn of(&self, kind: Kind) -> impl Iterator<Item = (&'a str, &'a str)> {
        let all = self
            .all
            .iter()
            .filter(move |(.., ty)| Kind::of(*ty) == kind);
        all.map(|(module, name, _)| (*module, *name))
    }

    /// The numbers of another module's imports of one kind in this.
    fn numbers(&self, other: &Imports<'a>, kind: Kind) -> Vec<u32> {
        let number = |import| self.of(kind).position(|known| known == import);
        let all = other
            .of(kind)
            .map(|import| number(import).unwrap_or_default() as u32);
        all.collect()
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Function,
    Table,
    Memory,
    Global,
    Other,
}

impl Kind {
    fn of(ty: TypeRef) -> Self {
        match ty {
            TypeRef::Func(_) | TypeRef::FuncExact(_) => Self::Function,
            TypeRef::Table(_) => Self::Table,
            TypeRef::Memory(_) => Self::Memory,
            TypeRef::Global(_) => Self::Global,
            TypeRef::Tag(_) => Self::Other,
        }
    }
}

/// A piece as it is read.
#[derive(Default)]
struct ParsedBundle<'a> {
    /// Its types as they are written.
    types: &'a [u8],
    imports: Imports<'a>,
    /// The type of each function that it defines, and its body.
    functions: Vec<u32>,
    bodies: Vec<FunctionBody<'a>>,
    /// The function at each place of the table that it fills, by the piece's numbers.
    places: Vec<(u32, u32)>,
    /// Data segments: offset in memory and bytes.
    data: Vec<(i32, &'a [u8])>,
}

impl<'a> ParsedBundle<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self> {
        let mut piece = Self::default();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TypeSection(types) => {
                    let range = types.range();
                    piece.types = &bytes[range.start as usize..range.end as usize];
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import?;
                        ensure!(Kind::of(import.ty) != Kind::Other, "a piece imports a tag");
                        piece.imports.add((import.module, import.name, import.ty));
                    }
                }
                Payload::FunctionSection(types) => {
                    piece.functions = types.into_iter().collect::<Result<_, _>>()?;
                }
                Payload::ExportSection(exports) => {
                    ensure!(exports.count() == 0, "a piece exports something");
                }
                Payload::ElementSection(elements) => {
                    for element in elements {
                        let element = element?;
                        let (ElementKind::Active { offset_expr, .. }, ElementItems::Functions(all)) =
                            (element.kind, element.items)
                        else {
                            bail!("a piece has a list of functions that is no part of a table");
                        };
                        let from = constant(offset_expr.get_binary_reader())? as u32;
                        for (place, function) in (from..).zip(all) {
                            piece.places.push((place, function?));
                        }
                    }
                }
                Payload::DataSection(all) => {
                    for data in all {
                        let data = data?;
                        let DataKind::Active { offset_expr, .. } = data.kind else {
                            bail!("a piece has data that is not in memory from its start");
                        };
                        let at = constant(offset_expr.get_binary_reader())?;
                        piece.data.push((at, data.data));
                    }
                }
                Payload::CodeSectionEntry(body) => piece.bodies.push(body),
                Payload::TableSection(_)
                | Payload::MemorySection(_)
                | Payload::GlobalSection(_)
                | Payload::TagSection(_)
                | Payload::StartSection { .. } => bail!("a piece has more than code and data"),
                _ => {}
            }
        }
        Ok(piece)
    }

    fn imported(&self) -> usize {
        self.imports.of(Kind::Function).count()
    }
}

/// The number that an expression is.
fn constant(expression: BinaryReader<'_>) -> Result<i32> {
    let mut all = wasmparser::OperatorsReader::new(expression);
    match all.read()? {
        Operator::I32Const { value } => Ok(value),
        other => bail!("a piece begins at {other:?}, which is no number"),
    }
}

/// The place in the table that a function stands for, if it does nothing but call it with all that it is given; and the type that
/// it calls it with.
fn table_slot(body: &FunctionBody<'_>) -> Option<(u32, u32)> {
    if body.get_locals_reader().ok()?.get_count() > 0 {
        return None;
    }
    let mut all = body.get_operators_reader().ok()?;
    let mut given = 0;
    loop {
        match all.read().ok()? {
            Operator::LocalGet { local_index } if local_index == given => given += 1,
            Operator::I32Const { value } => {
                let Operator::CallIndirect {
                    type_index,
                    table_index: 0,
                } = all.read().ok()?
                else {
                    return None;
                };
                let is_end = matches!(all.read().ok()?, Operator::End) && all.eof();
                return is_end.then_some((value as u32, type_index));
            }
            _ => return None,
        }
    }
}

/// Numbers of one piece in the module.
struct Renumbered {
    functions: Vec<u32>,
    tables: Vec<u32>,
    memories: Vec<u32>,
    globals: Vec<u32>,
}

impl Reencode for Renumbered {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.functions[function as usize])
    }

    fn table_index(&mut self, table: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.tables[table as usize])
    }

    fn memory_index(&mut self, memory: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.memories[memory as usize])
    }

    fn global_index(&mut self, global: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.globals[global as usize])
    }
}

/// One module that is all of these.
///
/// # Errors
/// The modules are not parts of one program.
///
/// # Complexity
/// O(length · log functions).
pub fn joined(pieces: &[Vec<u8>]) -> Result<Vec<u8>> {
    let pieces: Vec<ParsedBundle<'_>> = pieces
        .iter()
        .map(|bytes| ParsedBundle::read(bytes))
        .collect::<Result<_>>()?;
    let first = pieces.first().context("nothing is to be joined")?;
    let mut imports = Imports::default();
    for piece in &pieces {
        ensure!(piece.types == first.types, "pieces have different types");
        piece.imports.all.iter().for_each(|one| imports.add(*one));
    }
    let meant = meant(&pieces);
    // Those that stay, in order.
    let imported = imports.of(Kind::Function).count() as u32;
    let mut numbers: BTreeMap<FunctionRef, u32> = BTreeMap::new();
    for (own, _) in meant.iter().filter(|(own, meant)| own == meant) {
        let number = imported + numbers.len() as u32;
        numbers.insert(*own, number);
    }
    let mut renumbered: Vec<Renumbered> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let mut functions = imports.numbers(&piece.imports, Kind::Function);
        functions.extend((0..piece.functions.len()).map(|own| numbers[&meant[&(at, own)]]));
        renumbered.push(Renumbered {
            functions,
            tables: imports.numbers(&piece.imports, Kind::Table),
            memories: imports.numbers(&piece.imports, Kind::Memory),
            globals: imports.numbers(&piece.imports, Kind::Global),
        });
    }

    let bad = |fault: Error<Infallible>| anyhow::anyhow!("a piece is no module: {fault:?}");
    let mut types = TypeSection::new();
    let read = TypeSectionReader::new(BinaryReader::new(first.types, 0))?;
    renumbered[0]
        .parse_type_section(&mut types, read)
        .map_err(bad)?;
    let mut imported = ImportSection::new();
    for (module, name, ty) in &imports.all {
        let ty = renumbered[0].entity_type(*ty).map_err(bad)?;
        imported.import(module, name, ty);
    }
    let (mut functions, mut code) = (FunctionSection::new(), CodeSection::new());
    for (at, own) in numbers.keys() {
        let piece = &pieces[*at];
        functions.function(piece.functions[*own]);
        let body = piece.bodies[*own].clone();
        renumbered[*at]
            .parse_function_body(&mut code, body)
            .map_err(bad)?;
    }
    let mut places: BTreeMap<u32, u32> = BTreeMap::new();
    let mut data = DataSection::new();
    for (piece, renumbered) in pieces.iter().zip(&renumbered) {
        for (place, function) in &piece.places {
            places.insert(*place, renumbered.functions[*function as usize]);
        }
        for (at, bytes) in &piece.data {
            data.active(0, &ConstExpr::i32_const(*at), bytes.iter().copied());
        }
    }
    let mut module = Module::new();
    module
        .section(&types)
        .section(&imported)
        .section(&functions);
    module
        .section(&table(&places))
        .section(&code)
        .section(&data);
    Ok(module.finish())
}

/// Maps every function to the one that stands for it: itself, the target of its stub, or the first of equal ones.
fn meant(pieces: &[ParsedBundle<'_>]) -> BTreeMap<FunctionRef, FunctionRef> {
    let mut filled: BTreeMap<u32, FunctionRef> = BTreeMap::new();
    for (at, piece) in pieces.iter().enumerate() {
        for (place, function) in &piece.places {
            if let Some(own) = (*function as usize).checked_sub(piece.imported()) {
                filled.insert(*place, (at, own));
            }
        }
    }
    let kind = |(at, own): FunctionRef| pieces[at].functions[own];
    let mut outside: BTreeMap<(u32, u32), FunctionRef> = BTreeMap::new();
    let mut meant = BTreeMap::new();
    for (at, piece) in pieces.iter().enumerate() {
        for (own, body) in piece.bodies.iter().enumerate() {
            let it = (at, own);
            let is_it = match table_slot(body) {
                Some((place, called)) if called == kind(it) => match filled.get(&place) {
                    // A place that is filled with what stands for another place is left as it is.
                    Some(other) if *other != it && kind(*other) == called => {
                        match table_slot(&pieces[other.0].bodies[other.1]) {
                            Some(_) => it,
                            None => *other,
                        }
                    }
                    Some(_) => it,
                    None => *outside.entry((place, called)).or_insert(it),
                },
                _ => it,
            };
            meant.insert(it, is_it);
        }
    }
    meant
}

/// The table's part that is filled.
fn table(places: &BTreeMap<u32, u32>) -> ElementSection {
    let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
    for (place, function) in places {
        match runs.last_mut() {
            Some((from, run)) if *from + run.len() as u32 == *place => run.push(*function),
            _ => runs.push((*place, vec![*function])),
        }
    }
    let mut elements = ElementSection::new();
    for (from, run) in &runs {
        let from = ConstExpr::i32_const(*from as i32);
        elements.active(None, &from, Elements::Functions(run.into()));
    }
    elements
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: &str = "(type (func (param i32) (result i32)))
        (type (func))
        (import \"m\" \"memory\" (memory 1))
        (import \"m\" \"table\" (table 8 funcref))";

    /// A piece: what it imports besides, its functions, what it fills.
    fn piece(imports: &str, functions: &str, fills: &str) -> Vec<u8> {
        wat::parse_str(format!("(module {TYPES} {imports} {functions} {fills})")).expect("a piece")
    }

    /// A function that calls a place of the table with all that it is given.
    fn stub(place: u32) -> String {
        format!("(func (type 0) (call_indirect (type 0) (local.get 0) (i32.const {place})))")
    }

    fn printed(bytes: &[u8]) -> String {
        wasmparser::Validator::new()
            .validate_all(bytes)
            .expect("a valid module");
        let text = wasmprinter::print_bytes(bytes).expect("a module");
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        lines.join("\n")
    }

    #[test]
    fn a_stub_becomes_the_function_that_it_replaces() {
        let one = piece(
            "",
            "(func (type 0) (i32.add (local.get 0) (i32.const 1)))",
            "(elem (i32.const 3) func 0) (data (i32.const 16) \"one\")",
        );
        // It says something, calls the other piece’s function by its place, and one that is in neither twice.
        let other = piece(
            "(import \"page\" \"say\" (func (type 1)))",
            &format!(
                "(func (type 0) (call 0) (call 2 (call 3 (call 4 (local.get 0))))) {} {} {}",
                stub(3),
                stub(7),
                stub(7)
            ),
            "(elem (i32.const 4) func 1) (data (i32.const 32) \"other\")",
        );
        let joined = joined(&[one, other]).expect("pieces of one program");
        let said = printed(&joined);
        assert_eq!(said.matches("(func (;").count(), 1 + 3, "{said}");
        assert_eq!(said.matches("call_indirect").count(), 1, "{said}");
        // The import, then the first piece’s, the second’s, and one stub.
        let body = "call 0\nlocal.get 0\ncall 3\ncall 3\ncall 1\n";
        assert!(said.contains(body), "{said}");
        assert!(
            said.contains("(elem (;0;) (i32.const 3) func 1 2)"),
            "{said}"
        );
        assert!(said.contains("(i32.const 16) \"one\""), "{said}");
        assert!(said.contains("(i32.const 32) \"other\""), "{said}");
    }

    #[test]
    fn a_place_that_is_filled_with_another_stub_is_left_as_it_is() {
        let one = piece("", &stub(5), "(elem (i32.const 3) func 0)");
        let other = piece("", &stub(3), "");
        let said = printed(&joined(&[one, other]).expect("pieces of one program"));
        assert_eq!(said.matches("call_indirect").count(), 2, "{said}");
    }

    #[test]
    fn a_module_of_another_program_is_refused() {
        let one = piece("", &stub(3), "");
        let other = wat::parse_str("(module (type (func)))").expect("a module");
        let refused = |pieces: &[Vec<u8>]| joined(pieces).expect_err("it is refused").to_string();
        assert_eq!(
            refused(&[one.clone(), other]),
            "pieces have different types"
        );
        assert_eq!(refused(&[]), "nothing is to be joined");
        let exports = piece("", &stub(3), "(export \"run\" (func 0))");
        assert_eq!(refused(&[exports]), "a piece exports something");
        let more = piece("", &stub(3), "(global i32 (i32.const 1))");
        assert_eq!(refused(&[more]), "a piece has more than code and data");
        assert!(joined(&[one[..20].to_vec()]).is_err());
    }
}
