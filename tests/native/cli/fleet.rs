//! `fleet` and `link`: tables of machines and links on the command line.

use super::{edgewise, file};
use engine::scenario::link;
use serde_json::json;

const TABLE: &str = "| GPU | VRAM | Memory bandwidth |\n|---|---|---|\n| A | 24 GB | 936 GB/s |\n| B | 8-16 GB | n/a |\n| Total | 36 GB | |\n";

#[test]
fn a_table_is_shown_as_it_was_read() {
    let path = file("fleet-table.md", TABLE);
    let ran = edgewise(&["fleet", &path], "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    for part in [
        "A: memory 24 GB, memory rate 936 GB/s",
        "B: memory 12 (8 to 16) GB",
        "Markdown",
        "is a sum",
    ] {
        assert!(ran.out.contains(part), "{part} in {}", ran.out);
    }
    let piped = edgewise(&["fleet", "-", "--format", "json"], TABLE).answer();
    assert_eq!(piped["machines"][0]["name"], json!("A"));
    assert_eq!(
        piped["machines"][1]["numbers"]["m_gb"],
        json!({"value": 12.0, "low": 8.0, "high": 16.0})
    );
    assert_eq!(
        piped["machines"][1]["numbers"]["bandwidth_gb_s"],
        json!(null)
    );
    let scenario = edgewise(&["fleet", &path, "--into", "csgo-paper"], "");
    assert_eq!(scenario.code, 0, "{scenario:?}");
    let run = edgewise(&["run", "-", "--format", "json"], &scenario.out);
    assert!(run.code == 0 || run.code == 3, "{run:?}");
    let odd = edgewise(&["fleet", "-"], "name,memory\nA,many\n");
    assert_eq!(odd.code, 2);
    assert!(
        odd.err.contains("Row 2, column memory") && odd.err.contains("many"),
        "{}",
        odd.err
    );
    let json = edgewise(&["fleet", "-"], "[{\"model_type\": \"llama 8B\"}]");
    assert!(json.err.contains("llama-bench"), "{}", json.err);
}

#[test]
fn a_scenario_becomes_a_link_short_or_plain() {
    let short = edgewise(
        &[
            "link",
            "home-decode",
            "--base",
            "https://example.org/edgewise/",
        ],
        "",
    );
    assert_eq!(short.code, 0, "{short:?}");
    assert!(
        short
            .out
            .starts_with("https://example.org/edgewise/#cold-start/"),
        "{}",
        short.out
    );
    let plain = edgewise(&["link", "-", "--plain"], &short.out);
    assert!(plain.out.starts_with("#json=%7B"), "{}", plain.out);
    assert_eq!(link::open(&plain.out), link::open(&short.out));
    let again = edgewise(&["link", plain.out.trim()], "");
    assert_eq!(
        again.out.trim(),
        short
            .out
            .trim()
            .split_once('#')
            .map_or("", |(_, f)| &short.out.trim()
                [short.out.trim().len() - f.len() - 1..])
    );
    let odd = edgewise(&["link", "no-such-preset"], "");
    assert_eq!(odd.code, 2, "{odd:?}");
}
