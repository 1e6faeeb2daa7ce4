//! Tables of machines as people have them: from issue threads, spec sheets, forum posts and tools.

use engine::scenario::paste::{PastedTable, fleet};
use engine::scenario::world::{Given, Listed};

#[track_caller]
fn read(text: &str) -> PastedTable<Listed> {
    fleet(text).unwrap_or_else(|refused| panic!("{refused:?}"))
}

#[track_caller]
fn refusal(text: &str) -> String {
    let refused = fleet(text).expect_err("the table is refused");
    let messages = refused.faults.into_iter().map(|fault| fault.message);
    messages.collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn given(row: &Listed, key: &str) -> Option<Given> {
    let found = row.numbers.iter().find(|(known, _)| *known == key);
    found.unwrap_or_else(|| panic!("no {key} in {row:?}")).1
}

#[track_caller]
fn value(row: &Listed, key: &str) -> f64 {
    given(row, key).expect("the number is known").value
}

#[test]
fn a_markdown_table_is_a_table() {
    for text in [
        "| Name | Compute | Disk | Memory |\n|---|---:|:---:|---|\n| **Jetson** | 5 TFLOPS | 500 MB/s | 8 GB |\n| `NUC` | 0.4 | 900 | 16 |\n",
        "Name | Compute | Disk | Memory\n--- | --- | --- | ---\nJetson | 5 | 500 | 8\nNUC | 0.4 | 900 | 16",
    ] {
        let table = read(text);
        let names: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["Jetson", "NUC"]);
        assert_eq!(value(&table.rows[0], "m_gb"), 8.0);
        assert_eq!(value(&table.rows[1], "r_mb_s"), 900.0);
        assert!(table.notes[0].contains("Markdown"), "{:?}", table.notes);
    }
    let short = refusal("| Name | Memory |\n|---|---|\n| A |\n| B | 8 |");
    assert!(
        short.contains("Row 3 has 1 cell, the header has 2"),
        "{short}"
    );
}

#[test]
fn heads_and_units_are_read_as_they_are_written() {
    let table = read("name;disk mb/s;ram gb\nA;350;8\n");
    assert_eq!(value(&table.rows[0], "r_mb_s"), 350.0);
    for (cell, mb_s) in [
        ("3.5 GB/sec", 3500.0),
        ("550 MBps", 550.0),
        ("6 Gbps", 750.0),
        ("900 mb/s", 900.0),
        ("1 GiB/s", 1_073.741_824),
        ("480 Mbps", 60.0),
    ] {
        let table = read(&format!("name;disk\nA;{cell}\n"));
        assert!(
            (value(&table.rows[0], "r_mb_s") - mb_s).abs() < 1e-9,
            "{cell}"
        );
    }
    // One small letter would make a factor of eight.
    let either = refusal("name;disk\nA;900 Mb/s\n");
    assert!(
        either.contains("Mbit/s") && either.contains("900 Mb/s"),
        "{either}"
    );
}

#[test]
fn columns_of_spec_sheets_are_known() {
    let table = read(
        "GPU\tFP16 TFLOPS\tMemory Size\tMemory Bandwidth\tTDP\nA\t25.6\t24 GB GDDR6X\t936 GB/s\t350 W\n",
    );
    let row = &table.rows[0];
    assert_eq!(row.name, "A");
    assert_eq!(value(row, "c_peak_tflops"), 25.6);
    assert_eq!(value(row, "m_gb"), 24.0);
    assert_eq!(value(row, "bandwidth_gb_s"), 936.0);
    assert_eq!(value(row, "power_w"), 350.0);
    let module = read("Module,FP16 TFLOPS,Memory,Bandwidth\nOrin NX,25,16,102.4\n");
    assert_eq!(module.rows[0].name, "Orin NX");
    assert_eq!(value(&module.rows[0], "bandwidth_gb_s"), 102.4);
}

#[test]
fn ranges_guesses_and_gaps_are_what_they_say() {
    let table = read(
        "name;memory;disk\nA;8-16 GB;~500\nB;6\u{2013}8 GB;n/a\nC;10 to 20;?\nD;about 6 GB;-\n",
    );
    let range = |at: usize| given(&table.rows[at], "m_gb").expect("it is known");
    for (at, middle, low, high) in [
        (0, 12.0, 8.0, 16.0),
        (1, 7.0, 6.0, 8.0),
        (2, 15.0, 10.0, 20.0),
    ] {
        let found = range(at);
        let span = found.range.expect("it is a range");
        assert_eq!((found.value, span.low, span.high), (middle, low, high));
    }
    assert_eq!(range(3), Given::new(6.0, None));
    assert_eq!(value(&table.rows[0], "r_mb_s"), 500.0);
    for at in 1..4 {
        assert_eq!(given(&table.rows[at], "r_mb_s"), None);
    }
}

#[test]
fn a_sum_is_no_machine() {
    let table = read("name,memory\nA,4\nB,8\nTotal,12\n");
    assert_eq!(table.rows.len(), 2);
    let note = table.notes.last().expect("it is said");
    assert!(
        note.contains("Total") && !note.contains("differs"),
        "{note}"
    );
    let odd = read("name,memory\nA,4\nB,8\nTotal,20\n");
    let note = odd.notes.last().expect("it is said");
    assert!(note.contains("memory 20 for 12"), "{note}");
    // The only machine may be called so.
    assert_eq!(read("name,memory\nTotal,12\n").rows.len(), 1);
}

#[test]
fn names_alone_are_those_of_the_catalogue() {
    let table = read("- RTX 3060\n- 2x Raspberry Pi 5 16GB\nRTX 4090 *2\n");
    let names: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names.len(), 5, "{names:?}");
    assert!(
        names[1].starts_with("Raspberry Pi 5 16GB") && names[1] != names[2],
        "{names:?}"
    );
    let odd = refusal("RTX 3060\nZorro 9000\n");
    assert!(
        odd.contains("Line 2") && odd.contains("Zorro 9000"),
        "{odd}"
    );
    let by_head = read("name\nRTX 3060\nRTX 4090\n");
    assert_eq!(by_head.rows.len(), 2);
}

#[test]
fn what_nvidia_smi_prints_is_a_table() {
    let table = read(
        "name, memory.total [MiB], power.limit [W]\nNVIDIA GeForce RTX 3090, 24576 MiB, 350.00 W\nNVIDIA GeForce RTX 3060, 12288 MiB, [N/A]\n",
    );
    let row = &table.rows[0];
    assert!((value(row, "m_gb") - 24.0 * 1.073_741_824).abs() < 1e-9);
    assert_eq!(value(row, "power_w"), 350.0);
    assert_eq!(given(&table.rows[1], "power_w"), None);
}

#[test]
fn commas_that_could_be_either_are_asked_about() {
    let either = refusal("name\tdisk\nA\t1,500\nB\t2,000\n");
    assert!(either.contains("1.500 or 1500"), "{either}");
    let table = read("name\tdisk\nA\t1,500\nB\t12,000,000 kB/s\n");
    assert_eq!(value(&table.rows[0], "r_mb_s"), 1500.0);
}
