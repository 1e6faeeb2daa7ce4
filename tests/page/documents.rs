//! Output of the command line as JSON, and a comparison of two answers by the bits of every number.

use serde_json::Value;
use std::process::Command;

/// What `edgewise run LINK --format json` prints.
pub fn run(link: &str) -> Value {
    let program = std::env::var_os("EDGEWISE_COMMAND")
        .expect("EDGEWISE_COMMAND has to name the command line: run ./dev test page");
    let command = Command::new(program)
        .args(["run", link, "--format", "json"])
        .output()
        .expect("the command line has been built");
    let (out, err) = (
        String::from_utf8_lossy(&command.stdout),
        String::from_utf8_lossy(&command.stderr),
    );
    assert!(command.status.success(), "edgewise run {link}: {err}");
    serde_json::from_str(&out).unwrap_or_else(|fault| panic!("edgewise run {link}: {fault}: {out}"))
}

/// Panics unless both documents hold the same parts with the same bits, among them those that matter most.
pub fn assert_same(page: &Value, command: &Value) {
    for part in ["scenario", "T", "plan", "timeline", "baselines"] {
        assert!(!page[part].is_null(), "the page's document has no {part}");
    }
    same(page, command);
}

/// Panics unless both documents are the same, every number by its bits.
pub fn same(page: &Value, command: &Value) {
    let mut found = Vec::new();
    differences("", page, command, &mut found);
    assert!(found.is_empty(), "page and command line differ: {found:#?}");
}

fn differences(path: &str, a: &Value, b: &Value, found: &mut Vec<String>) {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            for (key, value) in x {
                let other = y.get(key).unwrap_or(&Value::Null);
                differences(&format!("{path}.{key}"), value, other, found);
            }
            let only = y.keys().filter(|key| !x.contains_key(*key));
            found.extend(only.map(|key| format!("{path}.{key}: only on the command line")));
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            for (at, (value, other)) in x.iter().zip(y).enumerate() {
                differences(&format!("{path}[{at}]"), value, other, found);
            }
        }
        (Value::Number(x), Value::Number(y)) => {
            let bits = |n: &serde_json::Number| n.as_f64().map(f64::to_bits);
            if bits(x) != bits(y) {
                found.push(format!("{path}: {x} and {y}"));
            }
        }
        _ if a == b => {}
        _ => found.push(format!("{path}: {a} and {b}")),
    }
}

#[tokio::test]
#[should_panic(expected = ".T: 2.562 and 2.5620000000000003")]
async fn one_bit_is_a_difference() {
    let document = |total: f64| {
        let filled = serde_json::json!([]);
        serde_json::json!({ "scenario": {}, "T": total, "plan": filled, "timeline": filled, "baselines": {} })
    };
    assert_same(&document(2.562), &document(2.562_f64.next_up()));
}
