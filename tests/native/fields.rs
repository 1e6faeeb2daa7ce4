//! The table of fields: every row makes sense by itself, and `docs/fields.md` is made of it.

use crate::golden_file::is_to_be_written;
use engine::model::precision::Precision;
use engine::scenario::fields::{self, FIELDS, Field, NumberFields, parse, units_of};
use engine::scenario::{
    BlockModel, BlockRun, Channel, ChannelPart, Decode, Device, Dimensions, LayerRow, Memory,
    Scenario, dispatch, heads, operators, tiers,
};
use std::fmt::Write as _;
use std::path::Path;

fn keys<T: NumberFields>() -> Vec<&'static str> {
    T::NUMBERS.iter().map(|number| number.field.key).collect()
}

/// What has which numbers, as a reader would say it.
fn owners() -> Vec<(&'static str, Vec<&'static str>)> {
    vec![
        ("cold start", keys::<Scenario>()),
        ("cold start: device", keys::<Device>()),
        ("cold start: Wi-Fi", keys::<Channel>()),
        ("cold start: link of a device", keys::<ChannelPart>()),
        ("cold start: what follows", keys::<Decode>()),
        ("cold start: memory", keys::<Memory>()),
        ("model", keys::<Dimensions>()),
        ("model: layer of a table", keys::<LayerRow>()),
        ("model of a file", keys::<BlockModel>()),
        ("model of a file: blocks", keys::<BlockRun>()),
        ("heads", keys::<heads::Scenario>()),
        ("heads: layer", keys::<heads::HeadModel>()),
        ("heads: device", keys::<heads::HeadDevice>()),
        ("heads: links", keys::<heads::Links>()),
        ("heads: draws", keys::<heads::Draws>()),
        ("dispatch", keys::<dispatch::Scenario>()),
        ("dispatch: device", keys::<dispatch::Device>()),
        ("dispatch: server", keys::<dispatch::Server>()),
        ("dispatch: hand-over", keys::<dispatch::Handover>()),
        ("dispatch: runs", keys::<dispatch::Runs>()),
        ("tiers", keys::<tiers::Scenario>()),
        ("tiers: model", keys::<tiers::TierDimensions>()),
        ("tiers: blocks", keys::<tiers::TierBlocks>()),
        ("tiers: tier", keys::<tiers::Tier>()),
        ("tiers: link", keys::<tiers::Link>()),
        ("tiers: cost of a pass", keys::<tiers::Cost>()),
        ("tiers: load", keys::<tiers::Load>()),
        ("operators", keys::<operators::Scenario>()),
        ("operators: random orders", keys::<operators::Draws>()),
        ("operators: device", keys::<operators::Board>()),
        ("operators: links", keys::<operators::Split>()),
        ("operators: search", keys::<operators::Search>()),
    ]
}

/// A value that a field allows, and that a person would type.
fn allowed(field: &Field) -> f64 {
    let candidates = [1.0, 2.0, 0.5, 1000.0, -50.0];
    let found = candidates.into_iter().find(|value| field.allows(*value));
    found.unwrap_or_else(|| panic!("{} allows no plain number", field.key))
}

#[test]
fn every_field_is_written_once_and_makes_sense() {
    for (at, field) in FIELDS.iter().enumerate() {
        let key = field.key;
        let first = FIELDS.iter().position(|other| other.key == key);
        assert_eq!(first, Some(at), "{key} has two rows");
        assert!(field.min < field.max && field.max.is_finite(), "{key}");
        assert!(
            !field.noun.is_empty() && field.title().starts_with(char::is_uppercase),
            "{key}"
        );
        assert_eq!(fields::of(key).map(|found| found.key), Some(key));
    }
}

#[test]
fn the_shown_value_of_a_field_can_be_typed() {
    for field in FIELDS {
        let value = allowed(field);
        assert_eq!(
            parse(field.key, &value.to_string()),
            Ok(value),
            "{}",
            field.key
        );
        // Prices are per a number of tokens or operations, which nobody types.
        if !field.unit.is_empty() && !field.unit.starts_with('$') {
            let typed = format!("{value} {}", field.unit);
            assert_eq!(
                parse(field.key, &typed),
                Ok(value),
                "{}: {typed}",
                field.key
            );
        }
    }
}

#[test]
fn units_of_a_kind_agree_with_each_other() {
    // Where both are known elsewhere: the same amount in two units is the same number.
    for (key, one, other) in [
        ("limit_mib", "512 KiB", "0.5"),
        ("limit_mib", "1 GB", "953.67431640625"),
        ("gbit_s", "125 MB/s", "1"),
        ("gbit_s", "100 Mbit/s", "0.1"),
        ("mbps", "12.5 MB/s", "100"),
        ("compute_gops", "1.5 Top/s", "1500"),
        ("gflops", "0.25 TFLOP/s", "250"),
        ("bandwidth_gb_s", "1 TB/s", "1000"),
        ("start_s", "250 ms", "0.25"),
        ("budget", "30 %", "0.3"),
        ("kv_bytes", "4 KiB", "4096"),
        ("decode_gflop", "500 MFLOP", "0.5"),
    ] {
        assert_eq!(parse(key, one), parse(key, other), "{key}: {one}");
    }
}

#[test]
fn the_unit_is_no_part_of_a_name() {
    let spoken = |key, name| fields::of(key).expect("a field").full_name(name);
    let disk = spoken("r_mb_s", "Rack, left disk");
    assert_eq!(disk, "Rack, left disk, megabytes per second");
    // A field without a unit has nothing behind its name, comma or not.
    assert_eq!(spoken("nodes", "Rack, left nodes"), "Rack, left nodes");
}

#[test]
fn every_object_has_the_numbers_that_it_is_said_to_have() {
    let mut device = engine::scenario::presets::paper().devices[0].clone();
    assert_eq!(device.numbers().count(), 8, "its memory rate is not known");
    assert!(
        !device.set_number("bandwidth_gb_s", 100.0),
        "what is left out has no number to change"
    );
    assert!(device.set_number("r_mb_s", 123.0));
    assert_eq!(device.r_mb_s, 123.0);
    device.bandwidth_gb_s = Some(360.0);
    assert!(device.set_number("bandwidth_gb_s", 100.0));
    assert_eq!(device.bandwidth_gb_s, Some(100.0));
    assert!(!device.set_number("layers", 1.0));
    for (owner, keys) in owners() {
        assert!(!keys.is_empty(), "{owner}");
        let mut once = keys.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), keys.len(), "{owner} has a number twice");
    }
}

fn page() -> String {
    let mut text = String::from(
        "# Fields\n\nEvery number that can be edited, typed, pasted or sent in a scenario, made of the table that the program \
         uses\n(`crates/engine/src/scenario/fields/table.rs`). A number may be typed with any of the units; without one it is in \
         the first.\n\n| name in files | what it is | may be | units | of |\n|---|---|---|---|---|\n",
    );
    for field in FIELDS {
        let units: Vec<&str> = units_of(field.key).collect();
        let of = owners()
            .into_iter()
            .filter(|(_, keys)| keys.contains(&field.key));
        let of: Vec<&str> = of.map(|(owner, _)| owner).collect();
        let of = if of.is_empty() {
            "a choice".to_owned()
        } else {
            of.join("; ")
        };
        writeln!(
            text,
            "| `{}` | {} | {} | {} | {of} |",
            field.key,
            field.noun,
            field.range_text(),
            units.join(", ")
        )
        .expect("a text takes any text");
    }
    text.push_str(
        "\n## How a model is stored\n\nThe names that `weights` and `cache` may have \
         (`crates/engine/src/model/precision.rs`), and what one number takes.\n\n\
         | name in files | bytes | of a cache too | where the bytes are from |\n|---|---|---|---|\n",
    );
    for precision in Precision::ALL {
        let is_of_cache = Precision::OF_CACHE.contains(&precision);
        writeln!(
            text,
            "| `{}` | {} | {} | {} |",
            precision.name(),
            precision.rounded_bytes(),
            if is_of_cache { "yes" } else { "no" },
            precision.source()
        )
        .expect("a text takes any text");
    }
    text
}

#[test]
fn the_page_of_fields_is_made_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/fields.md");
    if is_to_be_written() {
        std::fs::write(&path, page()).expect("the page can be written");
    }
    let kept = std::fs::read_to_string(&path).expect("docs/fields.md is there");
    assert!(
        kept == page(),
        "docs/fields.md is stale: EDGEWISE_WRITE_GOLDEN=1 cargo test --test native fields"
    );
}
