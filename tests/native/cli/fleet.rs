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
    let json = edgewise(&["fleet", "-"], "[{\"model\": \"llama 8B\"}]");
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

const BENCH: &str = r#"[{"model_type": "llama 8B Q4_K - Medium", "n_prompt": 512, "n_gen": 0, "avg_ts": 1811.2, "gpu_info": "NVIDIA GeForce RTX 3060"},
    {"model_type": "llama 8B Q4_K - Medium", "n_prompt": 0, "n_gen": 128, "avg_ts": 48.9, "gpu_info": "NVIDIA GeForce RTX 3060"}]"#;

#[test]
fn what_tools_measured_is_put_into_a_scenario() {
    let shown = edgewise(&["fleet", "-"], BENCH);
    assert!(
        shown.code == 0 && shown.out.contains("48.9 token/s of Llama-3.1-8B in q4_K_M"),
        "{shown:?}"
    );
    let plan = [
        "plan",
        "--machine",
        "RTX 3060",
        "--machine",
        "RTX 4090",
        "--model",
        "Llama-3.1-8B",
        "--weights",
        "q4_K_M",
        "--scenario-only",
    ];
    let scenario = file("fleet-scenario.json", &edgewise(&plan, "").out);
    let put = edgewise(&["fleet", "-", "--into", &scenario], BENCH);
    assert_eq!(put.code, 0, "{put:?}");
    assert!(
        put.err
            .contains("RTX 3060: what its runtime reaches is measured"),
        "{}",
        put.err
    );
    let by_option = edgewise(&["run", "-", "--format", "json"], &put.out).json();
    let bench = file("fleet-bench.json", BENCH);
    let measured = format!("RTX 3060={bench}");
    let by_run = edgewise(
        &[
            "run",
            &scenario,
            "--measured",
            &measured,
            "--format",
            "json",
        ],
        "",
    )
    .json();
    assert_eq!(by_option["summary"], by_run["summary"]);
    let table = "| model | size | params | backend | ngl | test | t/s |\n| --- | ---: | ---: | --- | --: | ---: | ---: |\n\
                 | llama 8B Q4_K - Medium | 4.58 GiB | 8.03 B | CUDA | 99 | pp512 | 1811.20 \u{b1} 3.05 |\n\
                 | llama 8B Q4_K - Medium | 4.58 GiB | 8.03 B | CUDA | 99 | tg128 | 48.90 \u{b1} 0.02 |\n\nbuild: 1234\n";
    let by_table = edgewise(
        &["fleet", "-", "--into", &scenario, "--machine", "RTX 3060"],
        table,
    );
    let by_table = edgewise(&["run", "-", "--format", "json"], &by_table.out).json();
    assert_eq!(by_table["summary"], by_run["summary"]);
    let iperf = r#"{"start": {}, "end": {"sum_received": {"bits_per_second": 941000000.0}}}"#;
    let link = edgewise(&["fleet", "-", "--into", &scenario], iperf);
    assert!(
        link.code == 0
            && link
                .err
                .contains("941 Mbit/s measured by iperf3, in place of"),
        "{link:?}"
    );
    let fio = r#"{"fio version": "fio-3.33", "jobs": [{"read": {"bw_bytes": 1500000000}}]}"#;
    let unclear = edgewise(&["fleet", "-", "--into", &scenario], fio);
    assert!(
        unclear.code == 2 && unclear.err.contains("RTX 3060, RTX 4090"),
        "{unclear:?}"
    );
    let disk = edgewise(
        &["fleet", "-", "--into", &scenario, "--machine", "RTX 4090"],
        fio,
    );
    assert!(
        disk.code == 0
            && disk
                .err
                .contains("RTX 4090: disk 1500 MB/s measured by fio"),
        "{disk:?}"
    );
    for broken in [
        r#"{"start": {}, "end": {}, "error": "unable to connect to server"}"#,
        r#"{"fio version": "fio-3.33", "jobs": [{"write": {"bw_bytes": 1}}]}"#,
        r#"[{"avg_ts": 1, "model_type": "zorro", "n_prompt": 1, "n_gen": 0}]"#,
    ] {
        let ran = edgewise(&["fleet", "-"], broken);
        assert_eq!(ran.code, 2, "{ran:?}");
    }
}
