//! Pasted tables: what people paste is read, what is wrong is named by row and column, and no text whatever
//! makes the reader stumble.

use crate::cases::properties;
use crate::instances::Draw;
use engine::hardware::machines::find;
use engine::scenario::catalogue::machines;
use engine::scenario::paste::{Refused, fleet, fleet_text, layers, layers_text};
use engine::scenario::random::{RandomSpread, Recipe};
use engine::scenario::world::{FactOrigin, World};
use engine::scenario::{Any, ChannelPart, Device, LayerRow, Question, presets};
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
fn faults_are_named_by_row_and_column() {
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
    // Row and column also are apart, for whoever wants to mark them.
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

/// What becomes of the paper's four machines when a table is put in their place: cold start's devices, and what is said.
fn put(text: &str) -> (World, Vec<Device>, Vec<String>) {
    let table = fleet(text).unwrap_or_else(|refused| panic!("{refused:?}"));
    let mut world = World::of(&presets::paper().into());
    let said = world.put_fleet(&table.rows, &FactOrigin::Given, 0);
    let notes = [table.notes, said.expect("a fleet")].concat();
    let devices = devices(&world);
    (world, devices, notes)
}

fn devices(world: &World) -> Vec<Device> {
    match world
        .view(Question::ColdStart)
        .expect("a cold start")
        .scenario
    {
        Any::ColdStart(scenario) => scenario.devices,
        _ => panic!("not cold start"),
    }
}

#[test]
fn a_fleet_is_read_and_what_it_lacks_is_assumed_with_ranges_and_said() {
    let text = "Device\tTFLOPS\tDisk GB/s\tMemory\nlaptop\t12.5\t3,5\t16 GiB\nD2\t70\t4\t10";
    let (world, read, notes) = put(text);
    let [laptop, d2] = read.as_slice() else {
        panic!("{read:?}");
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
    let given: Vec<&str> = world.machines[0].facts.keys().copied().collect();
    assert_eq!(given, ["c_peak_tflops", "m_gb", "r_mb_s"]);
    let view = world.view(Question::ColdStart).expect("a cold start");
    let assumed: Vec<&str> = view.assumed.iter().map(|one| one.key).collect();
    assert_eq!(assumed, ["a", "b", "pu_dbm", "pd_dbm", "d_m"]);
    let notes = notes.join(" ");
    for part in [
        "Machines already in the fleet keep what the table leaves out: D2.",
        "Separated by tabs, columns matched by header: name, compute in TFLOPS, disk in GB/s, memory in GB; a unit in a cell wins.",
    ] {
        assert!(notes.contains(part), "{notes}");
    }
    let unnamed = fleet("10,1000,8\n20,2000,16");
    let unnamed = messages(unnamed.expect_err("names come first without a head"));
    assert!(
        unnamed[0].contains("it must have 4 to 9: name, compute"),
        "{unnamed:?}"
    );
    let (_, unnamed, notes) = put("compute,disk,memory\n10,1000,8\n20,2000,16");
    assert_eq!(unnamed[1].name, "D2");
    assert!(
        notes.iter().any(|note| note.contains("D1 to D2 were used")),
        "{notes:?}"
    );
    let many = format!("compute,disk,memory\n{}", "10,1000,8\n".repeat(65));
    let many = messages(fleet(&many).expect_err("65 devices"));
    assert_eq!(
        many,
        ["This table has 65 rows; at most 64 devices are taken."]
    );
}

#[test]
fn a_machine_of_the_catalogue_is_known_by_its_name() {
    let text =
        "device;compute;disk;memory;a\nrtx 4060;30.2;5000;7.5;0.65\nNobody\u{2019}s;10;1000;8;0.5";
    let (world, read, notes) = put(text);
    let machine = machines::device(find("RTX 4060").expect("in the catalogue"));
    let card = &read[0];
    assert_eq!(
        (card.name.as_str(), card.a, card.r_mb_s),
        ("rtx 4060", 0.65, 5000.0)
    );
    assert_eq!((card.b, card.pu_dbm), (machine.b, machine.pu_dbm));
    assert_eq!(card.bandwidth_gb_s, Some(272.0));
    // A number of the table is known: the catalogue's range of it is gone.
    let ranged: Vec<&str> = card.ranges.keys().map(String::as_str).collect();
    assert_eq!(ranged, ["b", "d_m", "pd_dbm", "pu_dbm"]);
    assert_eq!(read[1].bandwidth_gb_s, None);
    let facts = &world.machines[0].facts;
    assert!(matches!(
        facts["bandwidth_gb_s"].origin,
        FactOrigin::Catalogue(_)
    ));
    assert!(matches!(facts["pu_dbm"].origin, FactOrigin::Assumed(_)));
    let notes = notes.join(" ");
    let part = "Filled in from the catalogue, by name: rtx 4060.";
    assert!(notes.contains(part), "{notes}");
    assert!(!notes.contains("Nobody"), "{notes}");
}

/// Every number that a question has of a machine is a column, by its row in the table of fields.
#[test]
fn numbers_of_every_question_are_columns_by_their_heads() {
    let text = "machine;memory GB;compute TOPS;memory rate;Prefill tok/s;decode [tok/s];nodes;time factor;Disk energy [pJ/bit]\n\
                Box;16;40;100;900;30;2;0.5;250\nOther;16;40;;;;;;";
    let (world, _, notes) = put(text);
    let said = |at: usize| {
        let facts = world.machines[at].facts.iter();
        facts
            .map(|(key, fact)| (*key, fact.value))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        said(0),
        [
            ("bandwidth_gb_s", 100.0),
            ("decode_tok_s", 30.0),
            ("disk_j_per_gb", 2.0),
            ("factor", 0.5),
            ("m_gb", 16.0),
            ("nodes", 2.0),
            ("prefill_tok_s", 900.0),
            ("tops", 40.0),
        ]
    );
    // An empty cell says that it is unknown.
    assert_eq!(said(1), [("m_gb", 16.0), ("tops", 40.0)]);
    assert!(notes[0].contains("disk energy in pJ/bit; "), "{notes:?}");
    for question in Question::ALL {
        let view = world.view(question).expect("a view");
        assert_eq!(view.rows.len(), 2, "{}", question.name());
    }
    for (cell, part) in [("-1", "such as 1 J/GB"), ("1 W", "such as 1 J/GB")] {
        let wrong = text
            .replace(";250\n", &format!(";{cell}\n"))
            .replace(" [pJ/bit]", "");
        let refused = fleet(&wrong).expect_err("no energy");
        assert!(refused.faults[0].message.contains(part), "{refused:?}");
    }
    for (text, part) in [
        (
            "name;colour\nA;red",
            "This table has no column for a number of a machine",
        ),
        (
            "name;memory;limit MiB\nA;1;1",
            "Memory and memory limit are the same quantity",
        ),
        ("name;compute;TFLOPS\nA;1;1", "both mean compute"),
        (
            "name;compute [W]\nA;1",
            "\u{201c}W\u{201d} is not a unit of compute",
        ),
    ] {
        let said = messages(fleet(text).expect_err(text)).join(" ");
        assert!(said.contains(part), "{text}: {said}");
    }
    // A unit alone still means the disk where it could be the memory rate.
    let (_, read, _) = put("device;compute;GB/s;memory\nD1;30;5;20");
    assert_eq!((read[0].r_mb_s, read[0].bandwidth_gb_s), (5000.0, None));
}

/// A machine keeps its place in what questions have set by rows, its link and its switch; one that is new has none of another's.
#[test]
fn a_table_keeps_what_it_does_not_say_of_machines_of_the_same_name() {
    let mut scenario = presets::paper();
    scenario.devices[1].bandwidth_gb_s = Some(900.0);
    scenario.devices[1].off = true;
    let mut world = World::of(&scenario.clone().into());
    let table = fleet("name;compute;disk\nD9;10;1000\nD2;70;4000").expect("a table");
    let said = world.put_fleet(&table.rows, &FactOrigin::File("fleet.csv".into()), 0);
    let said = said.expect("a fleet").join(" ");
    assert!(said.contains("staying switched off: D2."), "{said}");
    assert_eq!(world.machines[1].id, 1);
    assert_eq!(world.machines[0].id, 4);
    assert_eq!(world.machines[1].facts["bandwidth_gb_s"].value, 900.0);
    let from = FactOrigin::File("fleet.csv".into());
    assert_eq!(world.machines[0].facts["r_mb_s"].origin, from);
    // The same number again is no news of where it is from.
    let same = scenario.devices[1].r_mb_s == 4000.0;
    assert_eq!(
        world.machines[1].facts["r_mb_s"].origin == FactOrigin::Given,
        same
    );
    assert!(!world.machines[0].facts.contains_key("bandwidth_gb_s"));
    let table = fleet("name;compute;disk\nD2;70;4000").expect("a table");
    let all_off = world.put_fleet(&table.rows, &FactOrigin::Given, 0);
    let why = all_off.expect_err("D2 is off").message;
    assert!(why.contains("at least one must be on"), "{why}");
}

#[test]
fn a_written_table_is_read_back_to_the_bit() {
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
    for spread in RandomSpread::ALL {
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
        let mut scenario = presets::paper();
        scenario.devices = devices.clone();
        let mut world = World::of(&scenario.into());
        let before = world.machines.clone();
        let read = fleet(&fleet_text(&world));
        let read = read.unwrap_or_else(|refused| panic!("{refused:?}"));
        let put = world.put_fleet(&read.rows, &FactOrigin::Given, 0);
        put.expect("the same fleet");
        assert_eq!(world.machines, before);
    }
}

proptest! {
    #![proptest_config(properties(2000))]

    #[test]
    fn no_text_makes_the_reader_stumble(text in "\\PC*") {
        let _ = layers(&text);
        let _ = fleet(&text);
    }

    #[test]
    fn no_table_like_text_makes_the_reader_stumble(text in "[0-9WAPk., ;\t\n\"'\\[(eE+µ-]{0,120}") {
        for refused in [layers(&text).err(), fleet(&text).err()].into_iter().flatten() {
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
