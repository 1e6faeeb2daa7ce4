//! Planted sources, switched; some are compiled and run as they stand.

use super::*;
use crate::runtime;
use std::env;
use std::fs;
use std::process::Command;

fn mutant(number: u32, old: &str, new: &str) -> Mutant {
    Mutant {
        name: format!("{number:02}-planted"),
        number,
        file: "src/lib.rs".to_owned(),
        witness: None,
        old: old.to_owned(),
        new: new.to_owned(),
    }
}

fn switch(source: &str, mutants: &[Mutant]) -> Switched {
    let mutants: Vec<&Mutant> = mutants.iter().collect();
    switched(source, &mutants).expect("the planted source can be switched")
}

/// Without white space, which does not matter here.
fn tight(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn a_function_gets_a_second_body() {
    let found = switch(
        "fn f(x: u32) -> u32 { x + 1 }",
        &[mutant(6, "x + 1", "x + 2")],
    );
    assert_eq!(
        tight(&found.text),
        tight("fn f(x: u32) -> u32 {{ if crate::mutant_switch::on(6) { x + 2 } else { x + 1 }}}")
    );
    assert_eq!(found.regions[0].mutants, [6]);
    assert_eq!(found.regions[0].lines, 1..4);
}

#[test]
fn several_mutants_of_a_function_make_a_chain() {
    let mutants = [mutant(2, "1", "10"), mutant(1, "x -", "x *")];
    let found = switch("fn f(x: u32) -> u32 { x - 1 }", &mutants);
    assert_eq!(
        tight(&found.text),
        tight(
            "fn f(x: u32) -> u32 {{ if crate::mutant_switch::on(2) { x - 10 }
             else if crate::mutant_switch::on(1) { x * 1 } else { x - 1 } }}"
        )
    );
}

#[test]
fn a_function_inside_another_is_switched_by_itself() {
    let source = "fn f() -> u32 { fn g() -> u32 { 1 } g() + 8 } fn h() -> u32 { 7 }";
    // The braces belong to the body of f and not to that of g.
    let found = switch(source, &[mutant(1, "{ 1 }", "{ 4 }")]);
    assert!(
        tight(&found.text).starts_with("fnf()->u32{{ifcrate"),
        "{}",
        found.text
    );
    let mutants = [
        mutant(2, "+ 8", "+ 5"),
        mutant(1, "1", "4"),
        mutant(3, "7", "6"),
    ];
    assert_eq!(
        tight(&switch(source, &mutants).text),
        tight(
            "fn f() -> u32 {{ if crate::mutant_switch::on(2) { fn g() -> u32 { 1 } g() + 5 } else {
                fn g() -> u32 {{ if crate::mutant_switch::on(1) { 4 } else { 1 } }} g() + 8 } }}
             fn h() -> u32 {{ if crate::mutant_switch::on(3) { 6 } else { 7 } }}"
        )
    );
}

#[test]
fn methods_and_defaults_of_traits_are_functions() {
    let source =
        "trait T { fn a(&self) -> u8 { 1 } fn b(&self); } impl S { fn c(self) -> u8 { 5 } }";
    let found = switch(source, &[mutant(1, "1", "3"), mutant(2, "5", "4")]);
    assert!(found.awkward.is_empty());
    assert!(tight(&found.text).contains("{{ifcrate::mutant_switch::on(1){3}else{1}}}fnb"));
    assert!(tight(&found.text).contains("{{ifcrate::mutant_switch::on(2){4}else{5}}}}"));
}

#[test]
fn attributes_of_a_function_stay_outside() {
    let found = switch(
        "fn f() { #![allow(unused)] //! Doc.\n let x = 1; }",
        &[mutant(1, "1", "2")],
    );
    let outside = tight("fn f() { #![allow(unused)] //! Doc.\n { if");
    assert!(tight(&found.text).starts_with(&outside), "{}", found.text);
}

#[test]
fn spans_count_bytes() {
    let source = "/* ä→𝄞 */ fn f() -> &'static str { \"ä→𝄞 a\" }";
    let found = switch(source, &[mutant(1, "𝄞 a", "𝄞 b")]);
    let expected = "{ if crate::mutant_switch::on(1) { \"ä→𝄞 b\" } else { \"ä→𝄞 a\" } }";
    assert!(
        tight(&found.text).contains(&tight(expected)),
        "{}",
        found.text
    );
}

#[test]
fn mutants_outside_of_function_bodies_are_found_awkward() {
    let source = "const A: u8 = 1; fn g(x: u64) {} fn h() -> impl Iterator<Item = u8> { 5..7 }";
    let mutants = [
        mutant(1, "1", "9"),
        mutant(2, "u64", "u32"),
        mutant(3, "5", "9"),
    ];
    let found = switch(source, &mutants);
    let numbers: Vec<u32> = found.awkward.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert_eq!(found.text, source);
}

#[test]
fn in_a_function_that_returns_impl_the_closure_is_switched() {
    let source = "fn f(m: u8) -> impl Iterator<Item = u8> { (0..9).filter(move |x| x % 2 == m) }";
    let found = switch(source, &[mutant(1, "2", "3")]);
    assert!(tight(&found.text).contains(&tight(
        "move |x| { if crate::mutant_switch::on(1) { x % 3 == m } else { x % 2 == m } })"
    )));
}

#[test]
fn a_text_that_occurs_twice_is_an_error() {
    let twice = mutant(1, "1", "2");
    let fault = switched("fn f() { 1; 1; }", &[&twice]).expect_err("it occurs twice");
    assert!(fault.to_string().contains("no longer applies"), "{fault}");
}

/// Every kind of body that could take offence, and what each mutant changes in the output.
const PROGRAM: &str = r#"
use std::fmt::Display;

struct Box2<T>(T, T);

impl<T: Display + Clone> Box2<T> {
    fn shown(self, which: bool) -> String {
        if which {
            return self.0.to_string(); // the first
        }
        self.1.to_string()
    }
}

fn parsed(text: &str) -> Result<i32, std::num::ParseIntError> {
    let value: i32 = text.parse()?;
    Ok(value + 1)
}

fn outer(n: u32) -> u32 {
    fn inner(n: u32) -> u32 {
        n * 2
    }
    let twice = |n| inner(n) + 3;
    twice(n)
}

fn evens(up_to: u32) -> impl Iterator<Item = u32> {
    (0..up_to).filter(|n| n % 2 == 0)
}

const fn grown(n: u32) -> u32 {
    n + 1
}

fn grow(list: &mut Vec<u32>) {
    list.push(grown(3));
}

fn main() {
    let mut list = vec![];
    grow(&mut list);
    println!(
        "{} {} {} {} {:?} {:?}",
        Box2(1, 2).shown(true),
        Box2("a", "b").shown(false),
        parsed("5").is_ok_and(|n| n == 6),
        outer(1),
        evens(5).collect::<Vec<_>>(),
        list
    );
}
"#;

#[test]
fn a_switched_program_does_what_its_switch_says() {
    let mutants = [
        mutant(
            1,
            "return self.0.to_string(); // the first",
            "return self.1.to_string(); // the second",
        ),
        mutant(2, "self.1.to_string()\n", "self.0.to_string()\n"),
        mutant(3, "value + 1", "value + 2"),
        mutant(4, "n * 2", "n * 5"),
        mutant(5, "inner(n) + 3", "inner(n)"),
        mutant(6, "n % 2 == 0", "n % 3 == 0 // or so"),
        mutant(7, "    list.push(grown(3));", "// nothing"),
        mutant(8, "n + 1", "n + 2"),
    ];
    let found = switch(PROGRAM, &mutants);
    assert_eq!(
        (found.awkward.as_slice(), found.not_const.as_slice()),
        (&[][..], &[8][..])
    );
    let folder = env::temp_dir().join(format!("edgewise-mutants-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    fs::write(folder.join("mutant_switch.rs"), runtime::MODULE).expect("can be written");
    let text = found.text + runtime::DECLARATION;
    fs::write(folder.join("main.rs"), text).expect("can be written");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(rustc)
        .args(["--edition", "2024", "main.rs", "-o", "main"])
        .current_dir(&folder)
        .status()
        .expect("rustc can be started");
    assert!(built.success());
    let trace = folder.join("trace");
    let run = |on: Option<&str>, traced: bool| {
        let mut program = Command::new(folder.join("main"));
        program.env_remove(runtime::ON).env_remove(runtime::TRACE);
        if let Some(on) = on {
            program.env(runtime::ON, on);
        }
        if traced {
            program.env(runtime::TRACE, &trace);
        }
        let output = program.output().expect("it can be started");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    for (on, expected) in [
        (None, "1 b true 5 [0, 2, 4] [4]"),
        (Some("99"), "1 b true 5 [0, 2, 4] [4]"),
        (Some("1"), "2 b true 5 [0, 2, 4] [4]"),
        (Some("2"), "1 a true 5 [0, 2, 4] [4]"),
        (Some("3"), "1 b false 5 [0, 2, 4] [4]"),
        (Some("4"), "1 b true 8 [0, 2, 4] [4]"),
        (Some("5"), "1 b true 2 [0, 2, 4] [4]"),
        (Some("6"), "1 b true 5 [0, 3] [4]"),
        (Some("7"), "1 b true 5 [0, 2, 4] []"),
        (Some("8"), "1 b true 5 [0, 2, 4] [5]"),
    ] {
        assert_eq!(run(on, false), expected, "with {on:?}");
    }
    assert_eq!(run(None, true), "1 b true 5 [0, 2, 4] [4]");
    let traced = fs::read_to_string(&trace).expect("the trace is there");
    let mut reached: Vec<&str> = traced.lines().collect();
    reached.sort_unstable();
    assert_eq!(reached, ["1", "2", "3", "4", "5", "6", "7", "8"]);
    fs::remove_dir_all(&folder).expect("the folder can be removed");
}
