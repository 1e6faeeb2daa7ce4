//! Pasted tables: what people paste is read, what is wrong is named by row and column, and no text whatever
//! makes the reader stumble.

use crate::cases::properties;
use crate::instances::Draw;
use engine::hardware::machines::find;
use engine::scenario::catalogue::machines;
use engine::scenario::paste::{Refused, fleet, fleet_text, layers, layers_text};
use engine::scenario::random::{Recipe, Spread};
use engine::scenario::{ChannelPart, LayerRow, presets};
use proptest::prelude::*;
use std::time::{Duration, Instant};

#[allow(non_snake_case)] // the names of the schema
fn row(W: f64, A: f64, P: f64) -> LayerRow {
    LayerRow { W, A, P }
}

/// Two layers in every form that a spreadsheet, a file or a person gives them.
#[test]
fn the_same_two_layers_in_many_forms() {
    let two = [row(1.5e9, 2.5e6, 3e8), row(2e9, 1e6, 4.25e8)];
    for text in [
        "1.5e9\t2500000\t300000000\n2e9\t1000000\t425000000",
        "W\tA\tP\n1.5e9\t2.5e6\t3e8\n2e9\t1e6\t4.25e8\n",
        "\u{feff}W;A;P\r\n1,5e9;2,5e6;3e8\r\n\r\n2e9;1e6;4,25e8\r\n",
        "W,A,P\r1.5e9,2.5e6,3e8\r2e9,1e6,4.25e8\r",
        "W A P\n1.5e9 2.5e6 3e8\n2e9 1e6 4.25e8",
        "1,5e9 2,5e6 3e8\n2e9 1e6 4,25e8",
        "P,W,A\n3e8,1.5e9,2.5e6\n4.25e8,2e9,1e6",
        "Layer,Work [GFLOP],Activation [MB],Weights [MB]\n1,1.5,2.5,300\n2,2,1,425",
        "work (GFLOP)\tactivations (kB)\tparams (GB)\n1,5\t2500\t0,3\n2\t1000\t0,425",
        "W_GFLOP;A_MB;P_GB\n1.5;2.5;0.3\n2;1;0.425",
        "W\tA\tP\n1.5 GFLOP\t2.5 MB\t300 MB\n2 GFLOPs\t1 MB\t425 MB",
        "W;A;P\n1 500 000 000;2 500 000;300 000 000\n2 000 000 000;1 000 000;425 000 000",
        "W;A;P;\n1.5e9;2.5e6;3e8;\n2e9;1e6;4.25e8;\n;;;\n",
        "\"W\",\"A\",\"P\"\n\"1,500,000,000\",\"2,500,000\",\"300,000,000\"\n\"2,000,000,000\",\"1,000,000\",\"425,000,000\"",
        "\"W\",\"A\",\"P\"\n\"1,5e9\",\"2,5e6\",\"3e8\"\n\"2e9\",\"1e6\",\"4,25e8\"",
        "\n\n  W  ,  A ,P\n 1.5e9 , 2.5e6,3e8 \n\n2e9,1e6,4.25e8",
        "W [FLOP] A [B] P [B]\n1.5e9 2.5e6 3e8\n2e9 1e6 4.25e8",
        "GFLOP,A,P\n1.5,2.5e6,3e8\n2,1e6,4.25e8",
        "[{\"W\":1.5e9,\"A\":2.5e6,\"P\":3e8},{\"W\":2e9,\"A\":1e6,\"P\":4.25e8}]",
        "{\"layers\":[{\"W\":1.5e9,\"A\":2.5e6,\"P\":3e8},{\"W\":2e9,\"A\":1e6,\"P\":4.25e8}],\"devices\":[]}",
    ] {
        let read = layers(text).unwrap_or_else(|refused| panic!("{text}: {refused:?}"));
        assert_eq!(read.rows, two, "{text}");
        assert!(!read.notes.is_empty(), "{text}");
    }
    let with_index = layers("Layer,W,A,P\n1,1e9,1e6,1e8").expect("a table");
    assert!(
        with_index
            .notes
            .iter()
            .any(|note| note == "Not used: \u{201c}Layer\u{201d}."),
        "{:?}",
        with_index.notes
    );
}

fn messages(refused: Refused) -> Vec<String> {
    refused
        .faults
        .into_iter()
        .map(|fault| fault.message)
        .collect()
}

fn refused(text: &str) -> Vec<String> {
    messages(layers(text).expect_err(text))
}

#[test]
fn what_is_wrong_is_named_by_row_and_column() {
    let head = "W;A;P\n1e9;1e6;1e8\n";
    for (rows, sentence) in [
        (
            "1e9;12,5x;1e8",
            "Row 3, column A must be a number from 0 to 1e15 B (other units accepted: kB, MB, GB, KiB, MiB, GiB), such as \
             2621440 or 2.6 MB; it is \u{201c}12,5x\u{201d}.",
        ),
        (
            "1e9;;1e8",
            "Row 3, column A is empty; a number is needed, such as 2621440 or 2.6 MB.",
        ),
        ("1e9;1e6", "Row 3 has 2 cells, the header has 3."),
        ("1e9;1e6;1e8;7", "Row 3 has 4 cells, the header has 3."),
        (
            "0;1e6;1e8",
            "Row 3, column W must be a number from 1 to 1e24 FLOP, such as 1.83e11 or 183 GFLOP; it is \u{201c}0\u{201d}.",
        ),
        (
            "1e9;1e6;-1",
            "Row 3, column P must be a number from 1 to 1e15 B, such as 660602880 or 661 MB; it is \u{201c}-1\u{201d}.",
        ),
        (
            "1e9;12 34;1e8",
            "Row 3, column A must be one number, such as 2621440 or 2.6 MB; it is \u{201c}12 34\u{201d}.",
        ),
        (
            "1e9;1,500;1e8",
            "Row 3, column A says \u{201c}1,500\u{201d}: is that 1.500 or 1500? Write it without the comma.",
        ),
    ] {
        assert_eq!(refused(&format!("{head}{rows}")), [sentence], "{rows}");
    }
    // Row and column also stand apart, for whoever wants to mark them.
    let found = layers(&format!("{head}\n1e9;x;1e8")).expect_err("x is no number");
    assert_eq!(found.faults[0].row, Some(4));
    assert_eq!(found.faults[0].column.as_deref(), Some("A"));
}

#[test]
fn tables_that_are_none_or_can_be_two_are_asked_about() {
    for (text, part) in [
        ("", "no table here yet"),
        ("  \n \n", "no table here yet"),
        ("W,A,P\n", "no rows under its header"),
        ("W;A\n1;2", "There is no column for P (weights)."),
        (
            "W;A;Q\n1;2;3",
            "no column for P (weights), and \u{201c}Q\u{201d} is not a known header",
        ),
        ("W;A;work;P\n1;2;3;4", "both mean work"),
        (
            "W [kg];A;P\n1;2;3",
            "\u{201c}kg\u{201d} is not a unit of work; allowed are FLOP, ",
        ),
        (
            "1e9;1e6",
            "Row 1 has 2 cells; without a header it must have 3: work, activation, weights.",
        ),
        (
            "1;2;3;4",
            "Row 1 has 4 cells; without a header it must have 3",
        ),
        ("1,500 200,300\n", "may be decimal marks or separators"),
        (
            "W,A,P\n1,5,2,5,3,5",
            "If commas are decimal marks here, separate the columns by tabs or semicolons.",
        ),
        (
            "a\u{0}b\u{1}",
            "Line 1 has characters that do not occur in text",
        ),
        (
            "W,A,P\n\u{fffd}\u{fffd},2,3",
            "Line 2 has characters that do not occur in text",
        ),
        ("{\"nodes\":[]}", "This is JSON but not a list of layers"),
        ("{\"layers\":[{\"W\":1,\"A\":1}]}", "layers[0].P is missing"),
        (
            "[{\"W\":0,\"A\":1,\"P\":1}]",
            "Layer 1: W must be a number from 1 to 1e24 FLOP, it is 0",
        ),
        ("[]", "no rows"),
    ] {
        let said = refused(text).join(" ");
        assert!(said.contains(part), "{text:?}: {said}");
    }
}

#[test]
fn five_faults_are_listed_and_the_others_counted() {
    let text = format!("W;A;P\n{}", "x;1;1\n".repeat(9));
    let found = layers(&text).expect_err("nine faults");
    assert_eq!((found.faults.len(), found.more), (5, 4));
    let rows: Vec<_> = found.faults.iter().map(|fault| fault.row).collect();
    assert_eq!(rows, [2, 3, 4, 5, 6].map(Some));
}

#[test]
fn a_table_of_100000_rows_is_answered_at_once() {
    let started = Instant::now();
    for (text, rows) in [
        ("1e9\t1e6\t1e8\n".repeat(100_000), "100\u{202f}000"),
        (
            format!("W,A,P\n{}", "1,2,3\n".repeat(100_000)),
            "100\u{202f}000",
        ),
        (format!("W,A,P\n{}", "1,2,3\n".repeat(1001)), "1001"),
    ] {
        let expected = format!("This table has {rows} rows; at most 1000 layers are taken.");
        assert_eq!(refused(&text), [expected]);
    }
    let thousand = format!("W,A,P\n{}", "1,2,3\n".repeat(1000));
    assert_eq!(layers(&thousand).map(|table| table.rows.len()), Ok(1000));
    let long = "1".repeat(5_000_000);
    assert!(refused(&long)[0].contains("5 million characters"));
    let quoted = format!("W,A,P\n\"{}", "1,2,3\n".repeat(900));
    assert!(layers(&quoted).is_err());
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn a_fleet_is_read_and_what_it_lacks_is_assumed_with_ranges_and_said() {
    let present = presets::paper().devices;
    let text = "Device\tTFLOPS\tDisk GB/s\tMemory\nlaptop\t12.5\t3,5\t16 GiB\nD2\t70\t4\t10";
    let read = fleet(text, &present).unwrap_or_else(|refused| panic!("{refused:?}"));
    let [laptop, d2] = read.rows.as_slice() else {
        panic!("{:?}", read.rows);
    };
    assert_eq!(
        (
            laptop.name.as_str(),
            laptop.c_peak_tflops,
            laptop.r_mb_s,
            laptop.m_gb
        ),
        ("laptop", 12.5, 3500.0, 17.179_869_184)
    );
    // What it lacks is assumed with a range, never taken from another device; D2 keeps its own.
    assert_eq!((laptop.a, laptop.b, laptop.d_m), (0.5, 1e-3, 5.0));
    let ranged: Vec<&str> = laptop.ranges.keys().map(String::as_str).collect();
    assert_eq!(ranged, ["a", "b", "d_m", "pd_dbm", "pu_dbm"]);
    assert_eq!((d2.a, d2.b, d2.d_m), (0.7, 8.7e-4, 3.0));
    assert!(d2.ranges.is_empty());
    let notes = read.notes.join(" ");
    for part in [
        "No column for these, so they are assumed, with ranges, for laptop: utilisation a 0.5 (0.1 to 0.9), rate b 0.001 per token \
         (0.0001 to 0.02), uplink power 15 dBm (10 to 23), downlink power 25 dBm (20 to 30), distance 5 m (2 to 10).",
        "Existing devices of the same name keep distance, utilisation a, rate b, uplink power, downlink power: D2.",
        "Separated by tabs, columns matched by header: name, compute in TFLOPS, disk in GB/s, memory in GB; a unit in a cell wins.",
    ] {
        assert!(notes.contains(part), "{notes}");
    }
    let unnamed = fleet("10,1000,8\n20,2000,16", &present);
    let unnamed = messages(unnamed.expect_err("names come first without a head"));
    assert!(
        unnamed[0].contains("it must have 4 to 9: name, compute"),
        "{unnamed:?}"
    );
    let unnamed = fleet("compute,disk,memory\n10,1000,8\n20,2000,16", &present).expect("a fleet");
    assert_eq!(unnamed.rows[1].name, "D2");
    assert!(
        unnamed
            .notes
            .iter()
            .any(|note| note.contains("D1 to D2 were used"))
    );
    let onto_nothing = fleet("compute,disk,memory\n10,1000,8", &[]).expect("a fleet");
    assert!(
        onto_nothing
            .notes
            .join(" ")
            .contains("they are assumed, with ranges, for D1: "),
        "{:?}",
        onto_nothing.notes
    );
    let many = format!("compute,disk,memory\n{}", "10,1000,8\n".repeat(65));
    let many = messages(fleet(&many, &present).expect_err("65 devices"));
    assert_eq!(
        many,
        ["This table has 65 rows; at most 64 devices are taken."]
    );
}

#[test]
fn a_machine_of_the_catalogue_is_known_by_its_name() {
    let text =
        "device;compute;disk;memory;a\nrtx 4060;30.2;5000;7.5;0.65\nNobody\u{2019}s;10;1000;8;0.5";
    let read = fleet(text, &presets::paper().devices);
    let read = read.unwrap_or_else(|refused| panic!("{refused:?}"));
    let machine = machines::device(find("RTX 4060").expect("in the catalogue"));
    let card = &read.rows[0];
    assert_eq!(
        (card.name.as_str(), card.a, card.r_mb_s),
        ("rtx 4060", 0.65, 5000.0)
    );
    assert_eq!((card.b, card.pu_dbm), (machine.b, machine.pu_dbm));
    assert_eq!(card.bandwidth_gb_s, Some(272.0));
    // A number of the table is known: the catalogue's range of it is gone.
    let ranged: Vec<&str> = card.ranges.keys().map(String::as_str).collect();
    assert_eq!(ranged, ["b", "d_m", "pd_dbm", "pu_dbm"]);
    assert_eq!(read.rows[1].bandwidth_gb_s, None);
    let notes = read.notes.join(" ");
    for part in [
        "From the catalogue, by name, with its ranges: distance, rate b, uplink power, downlink power, memory rate of rtx 4060.",
        "assumed, with ranges, for Nobody\u{2019}s: rate b 0.001 per token (0.0001 to 0.02)",
    ] {
        assert!(notes.contains(part), "{notes}");
    }
    let mut scenario = presets::paper();
    scenario.devices = read.rows;
    assert_eq!(scenario.validate(), Ok(()));
}

/// Numbers that may be unknown are columns by their rows in the table of fields.
#[test]
fn a_column_of_what_may_be_unknown_is_read_by_its_head() {
    let mut present = presets::paper().devices;
    present[0].bandwidth_gb_s = Some(900.0);
    present[1].disk_j_per_gb = Some(7.0);
    let text = "device;compute;disk;memory;distance;a;b;uplink;downlink;Disk energy [pJ/bit]\n\
                D1;30;5000;20;1;0.4;0.001;20;25;250\nD2;30;4000;20;1;0.4;0.001;20;25;";
    let read = fleet(text, &present).unwrap_or_else(|refused| panic!("{refused:?}"));
    let known = |d: &engine::scenario::Device| (d.bandwidth_gb_s, d.disk_j_per_gb);
    let known: Vec<_> = read.rows.iter().map(known).collect();
    // An empty cell says that it is unknown; a column that is not there says nothing.
    assert_eq!(known, [(Some(900.0), Some(2.0)), (None, None)]);
    assert!(
        read.notes[0].contains("downlink power in dBm, disk energy in pJ/bit; "),
        "{:?}",
        read.notes
    );
    for (cell, part) in [("-1", "such as 1 J/GB"), ("1 W", "such as 1 J/GB")] {
        let wrong = text
            .replace(";250\n", &format!(";{cell}\n"))
            .replace(" [pJ/bit]", "");
        let refused = fleet(&wrong, &present).expect_err("no energy");
        assert!(refused.faults[0].message.contains(part), "{refused:?}");
    }
    // A unit alone still means the disk where it could be the memory rate.
    let text = "device;compute;GB/s;memory\nD1;30;5;20";
    let read = fleet(text, &present).unwrap_or_else(|refused| panic!("{refused:?}"));
    assert_eq!(
        (read.rows[0].r_mb_s, read.rows[0].bandwidth_gb_s),
        (5000.0, Some(900.0))
    );
}

#[test]
fn what_a_table_writes_is_read_back_to_the_bit() {
    let mut draw = Draw::new(11);
    let rows: Vec<LayerRow> = (0..200)
        .map(|_| {
            row(
                draw.magnitude(0, 24),
                draw.magnitude(-3, 15),
                draw.magnitude(0, 15),
            )
        })
        .collect();
    let read = layers(&layers_text(&rows)).unwrap_or_else(|refused| panic!("{refused:?}"));
    assert!(read.rows == rows, "the same bits");
    for spread in Spread::ALL {
        let mut devices = Recipe {
            seed: 5,
            count: 40,
            spread,
        }
        .devices();
        devices[1].name = "a \"quoted\" name".into();
        devices[2].name = String::new();
        devices[3].name = "=1+1".into();
        devices[4].off = true;
        devices[5].link = Some(ChannelPart {
            mu: Some(0.1 + 0.2),
            ..ChannelPart::default()
        });
        devices[6].a = 0.1 + 0.2;
        devices[7].disk_j_per_gb = Some(0.1 + 0.2);
        devices[8].disk_j_per_gb = Some(2.0);
        devices[8].bandwidth_gb_s = Some(50.0);
        devices[7].name = "量子 \u{1f9c0}; 1,5".into();
        let read = fleet(&fleet_text(&devices), &devices);
        let read = read.unwrap_or_else(|refused| panic!("{refused:?}"));
        assert_eq!(read.rows, devices);
    }
}

proptest! {
    #![proptest_config(properties(2000))]

    #[test]
    fn no_text_makes_the_reader_stumble(text in "\\PC*") {
        let _ = layers(&text);
        let _ = fleet(&text, &presets::paper().devices);
    }

    #[test]
    fn no_table_like_text_makes_the_reader_stumble(text in "[0-9WAPk., ;\t\n\"'\\[(eE+µ-]{0,120}") {
        let present = presets::paper().devices;
        for refused in [layers(&text).err(), fleet(&text, &present).err()].into_iter().flatten() {
            prop_assert!(!refused.faults.is_empty());
            for fault in refused.faults {
                prop_assert!(fault.message.chars().count() < 500, "{}", fault.message);
                prop_assert!(!fault.message.contains('\n'), "{}", fault.message);
            }
        }
        if let Ok(read) = layers(&text) {
            let again = layers(&layers_text(&read.rows)).map(|table| table.rows);
            prop_assert_eq!(again, Ok(read.rows));
        }
    }
}
