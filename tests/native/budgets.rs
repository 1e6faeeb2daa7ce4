//! The table of steps that `.ci/run` and `./dev test` print beside their budgets: which steps are over, and which fail.

use std::io::Write;
use std::process::{Command, Stdio};

const BUDGETS: &str = "# step, wall, CPU\nnative 100 200\npage 300 40\n";

/// Runs `print_steps` on rows of steps: whether it passes, and what it prints.
fn printed(rows: &str) -> (bool, String) {
    let script = r#". tools/clock.sh; steps_file=/dev/stdin; budgets=$(mktemp); clock_files+=("$budgets")
        printf '%s' "$1" >"$budgets"; print_steps"#;
    let mut child = Command::new("bash")
        .args(["-c", script, "bash", BUDGETS])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("bash starts");
    let mut input = child.stdin.take().expect("its input is piped");
    input.write_all(rows.as_bytes()).expect("bash reads");
    drop(input);
    let output = child.wait_with_output().expect("bash ends");
    let text = String::from_utf8(output.stdout).expect("the table is text");
    (output.status.success(), text)
}

/// The line of a step.
fn line<'a>(table: &'a str, step: &str) -> &'a str {
    let found = table.lines().find(|line| line.starts_with(step));
    found.unwrap_or_else(|| panic!("no line of {step} in\n{table}"))
}

#[test]
fn steps_within_their_budgets_pass_and_are_summed() {
    let (passes, table) = printed("native\t100\t200\t9 passed\npage\t30\t4\tpassed\n");
    assert!(passes, "{table}");
    assert!(line(&table, "native").ends_with("9 passed"), "{table}");
    assert!(
        !table.contains("OVER") && !table.contains("FAILED"),
        "{table}"
    );
    let sums: Vec<&str> = line(&table, "all").split_whitespace().collect();
    assert_eq!(sums, ["all", "130", "400", "204", "240"]);
    assert!(table.ends_with("run again: none\n"), "{table}");
}

#[test]
fn a_step_over_a_budget_is_named_and_passes() {
    for (row, verdict) in [
        ("page\t301\t40\tpassed\n", "OVER ITS WALL BUDGET"),
        ("page\t300\t60\tpassed\n", "OVER ITS CPU BUDGET"),
        ("page\t999\t60\tpassed\n", "OVER BOTH BUDGETS"),
    ] {
        let (passes, table) = printed(row);
        assert!(passes && line(&table, "page").contains(verdict), "{table}");
    }
}

#[test]
fn a_step_half_over_its_cpu_budget_fails_and_so_does_one_without_a_budget() {
    for row in ["page\t1\t61\tpassed\n", "unknown\t1\t1\tpassed\n"] {
        let (passes, table) = printed(&format!("{row}native\t1\t1\tpassed\n"));
        assert!(!passes && table.contains("FAILED"), "{table}");
    }
}

#[test]
fn page_tests_that_were_run_again_are_listed_last() {
    let (passes, table) = printed("rerun\tlooks::dark\npage\t1\t1\tpassed\nrerun\tpool::two\n");
    assert!(passes, "{table}");
    assert!(
        table.ends_with("run again:\n  looks::dark\n  pool::two\n"),
        "{table}"
    );
}
