//! Graphics chips and processors that people compute on: a table of data-sheet values.
//!
//! The table is text, 40 bytes a row, and is read when machines are first asked for. A family says what its rows share.
//! Graphics chips are compared with the database of TechPowerUp of December 2025, processors with the product pages of Intel and
//! AMD of July 2023, as public tables have them: memory, memory rate, power, cores and FP32 peak. Rows that begin with a question mark
//! are in neither, or the sources differ, and say so. Chips of laptops are sold with a range of clocks and powers, of which a row has one;
//! processors of laptops have the rate of the memory that most of them are sold with.

use super::computers::{APPLE, APPLE_3, APPLE_4, GEFORCE_LAPTOP};
use super::datacentre::{A100, HOPPER, NVIDIA, VOLTA};
use super::gpus::{ADA, AMPERE, ARC, BLACKWELL, PASCAL, RADEON, RDNA_4, TURING};
use super::{CatalogMachine, FactSource, MachineClass, Source, row};
use crate::units::rounded;

/// The table.
const TABLE: &str = include_str!("accelerators.txt");

/// Turing without tensor cores.
const TURING_PLAIN: Source = Source::sheet(
    "NVIDIA specifications, Turing whitepaper",
    "FP16, twice the FP32 rate, at boost clock; there are no tensor cores",
)
.fp32(0.5);
/// Workstation cards multiply FP16 with FP32 accumulate at the full rate.
const WORKSTATION: Source = NVIDIA;
const ARC_750: Source = ARC.fp32(0.15);
/// Processors with units of 256 bits that multiply and add.
const PROCESSOR: Source = Source {
    sheet: "The maker\u{2019}s product specifications",
    compute: FactSource::Assumed(
        "FP32, 32 FLOP per core and clock, at an estimate of the clock that all fast cores keep",
    ),
    fp32_share: 1.0,
    memory: FactSource::Assumed("a usual size for such machines"),
    rate: FactSource::Sheet("the fastest memory that the maker supports, in all channels"),
    power: FactSource::Sheet("the maker\u{2019}s base power"),
};
/// Processors with half of that.
const NARROW: Source = Source {
    compute: FactSource::Assumed(
        "FP32, 16 FLOP per core and clock, at an estimate of the clock that all fast cores keep",
    ),
    ..PROCESSOR
};

/// Meaning of the four numbers of a row.
#[derive(Debug, Clone, Copy)]
enum Columns {
    /// FP32 [TFLOPS], memory [GB], memory rate [GB/s], power [W].
    Chip,
    /// Cores, clock [GHz], memory rate [GB/s], power [W]; FLOP per core and clock, and memory [GB] that is assumed.
    Processor(f64, f64),
}

/// Rows that share all but their numbers.
struct Family {
    key: &'static str,
    class: MachineClass,
    also: &'static str,
    source: &'static Source,
    columns: Columns,
}

const fn chips(
    key: &'static str,
    class: MachineClass,
    also: &'static str,
    source: &'static Source,
) -> Family {
    Family {
        key,
        class,
        also,
        source,
        columns: Columns::Chip,
    }
}

/// Processors of desktops, laptops or servers, with the memory that is assumed.
const fn processors(key: &'static str, class: MachineClass, also: &'static str) -> Family {
    let memory = match class {
        MachineClass::ServerCpu => 128.0,
        MachineClass::LaptopCpu => 16.0,
        _ => 32.0,
    };
    // AVX and the first Zen.
    let is_narrow = matches!(also.as_bytes(), [.., b'A', b'V', b'X'] | [.., b' ', b'1']);
    let (source, flop) = match is_narrow {
        true => (&NARROW, 16.0),
        false => (&PROCESSOR, 32.0),
    };
    Family {
        key,
        class,
        also,
        source,
        columns: Columns::Processor(flop, memory),
    }
}

const CARD: MachineClass = MachineClass::DesktopGpu;
const SERVER: MachineClass = MachineClass::DatacentreGpu;
const LAPTOP: MachineClass = MachineClass::Laptop;
const DESKTOP_CPU: MachineClass = MachineClass::DesktopCpu;
const LAPTOP_CPU: MachineClass = MachineClass::LaptopCpu;
const SERVER_CPU: MachineClass = MachineClass::ServerCpu;

#[rustfmt::skip] // a table: one line a row
static FAMILIES: &[Family] = &[
    chips("pascal", CARD, "GeForce, Pascal", &PASCAL),
    chips("pascal-workstation", SERVER, "NVIDIA, Pascal", &PASCAL),
    chips("pascal-datacentre", SERVER, "NVIDIA, Pascal", &PASCAL),
    chips("turing-plain", CARD, "GeForce and Quadro, Turing", &TURING_PLAIN),
    chips("turing", CARD, "GeForce, Turing", &TURING),
    chips("turing-workstation", SERVER, "NVIDIA, Turing", &TURING),
    chips("volta", CARD, "NVIDIA, Volta", &VOLTA),
    chips("volta-datacentre", SERVER, "NVIDIA, Volta", &VOLTA),
    chips("ampere", CARD, "GeForce, Ampere", &AMPERE),
    chips("ampere-workstation", SERVER, "NVIDIA, Ampere", &WORKSTATION),
    chips("ampere-datacentre", SERVER, "NVIDIA, Ampere", &NVIDIA),
    chips("a100", SERVER, "NVIDIA, Ampere", &A100),
    chips("ada", CARD, "GeForce, Ada Lovelace", &ADA),
    chips("ada-workstation", SERVER, "NVIDIA, Ada Lovelace", &WORKSTATION),
    chips("ada-datacentre", SERVER, "NVIDIA, Ada Lovelace", &NVIDIA),
    chips("hopper", SERVER, "NVIDIA, Hopper", &HOPPER),
    chips("blackwell", CARD, "GeForce, Blackwell", &BLACKWELL),
    chips("blackwell-workstation", SERVER, "NVIDIA, Blackwell", &WORKSTATION),
    chips("pascal-laptop", LAPTOP, "GeForce, Pascal", &PASCAL),
    chips("turing-plain-laptop", LAPTOP, "GeForce and Quadro, Turing", &TURING_PLAIN),
    chips("turing-laptop", LAPTOP, "GeForce, Turing", &TURING),
    chips("ampere-laptop", LAPTOP, "GeForce, Ampere", &GEFORCE_LAPTOP),
    chips("ampere-workstation-laptop", LAPTOP, "NVIDIA, Ampere", &WORKSTATION),
    chips("ada-laptop", LAPTOP, "GeForce, Ada Lovelace", &GEFORCE_LAPTOP),
    chips("ada-workstation-laptop", LAPTOP, "NVIDIA, Ada Lovelace", &WORKSTATION),
    chips("blackwell-laptop", LAPTOP, "GeForce, Blackwell", &GEFORCE_LAPTOP),
    chips("rdna1", CARD, "AMD Radeon, RDNA 1", &RADEON),
    chips("rdna2", CARD, "AMD Radeon, RDNA 2", &RADEON),
    chips("rdna3", CARD, "AMD Radeon, RDNA 3", &RADEON),
    chips("rdna4", CARD, "AMD Radeon, RDNA 4", &RDNA_4),
    chips("arc", CARD, "Intel, Alchemist", &ARC_750),
    chips("m1", MachineClass::Mac, "", &APPLE),
    chips("m2", MachineClass::Mac, "", &APPLE),
    chips("m3", MachineClass::Mac, "", &APPLE_3),
    chips("m4", MachineClass::Mac, "", &APPLE_4),
    processors("desktop-avx", DESKTOP_CPU, "AVX"),
    processors("desktop-avx2", DESKTOP_CPU, "Intel, AVX2"),
    processors("desktop-avx512", DESKTOP_CPU, "Intel, AVX-512"),
    processors("desktop-hybrid", DESKTOP_CPU, "Intel, hybrid"),
    processors("desktop-zen1", DESKTOP_CPU, "AMD, Zen 1"),
    processors("desktop-zen2", DESKTOP_CPU, "AMD, Zen 2"),
    processors("desktop-zen3", DESKTOP_CPU, "AMD, Zen 3"),
    processors("desktop-zen4", DESKTOP_CPU, "AMD, Zen 4"),
    processors("desktop-zen5", DESKTOP_CPU, "AMD, Zen 5"),
    processors("laptop-avx", LAPTOP_CPU, "Intel, AVX"),
    processors("laptop-avx2", LAPTOP_CPU, "Intel, AVX2"),
    processors("laptop-avx512", LAPTOP_CPU, "Intel, AVX-512"),
    processors("laptop-hybrid", LAPTOP_CPU, "Intel, hybrid"),
    processors("laptop-zen1", LAPTOP_CPU, "AMD, Zen 1"),
    processors("laptop-zen2", LAPTOP_CPU, "AMD, Zen 2"),
    processors("laptop-zen3", LAPTOP_CPU, "AMD, Zen 3"),
    processors("laptop-zen4", LAPTOP_CPU, "AMD, Zen 4"),
    processors("laptop-zen5", LAPTOP_CPU, "AMD, Zen 5"),
    processors("server-avx", SERVER_CPU, "Intel, AVX"),
    processors("server-avx2", SERVER_CPU, "Intel, AVX2"),
    processors("server-avx512", SERVER_CPU, "Intel, AVX-512"),
    processors("server-zen1", SERVER_CPU, "AMD, Zen 1"),
    processors("server-zen2", SERVER_CPU, "AMD, Zen 2"),
    processors("server-zen3", SERVER_CPU, "AMD, Zen 3"),
    processors("server-zen4", SERVER_CPU, "AMD, Zen 4"),
    processors("server-zen5", SERVER_CPU, "AMD, Zen 5"),
];

/// Share by which an all-core clock is uncertain.
const CLOCK: [f64; 2] = [0.85, 1.15];
/// Likewise the clock of a chip whose maker gives no rate.
const CHIP_CLOCK: [f64; 2] = [0.93, 1.07];

/// The rows of the table. Lines that are none are left out; a test counts them.
pub(super) fn rows() -> Vec<CatalogMachine> {
    let mut rows = Vec::new();
    let mut family = None;
    for line in TABLE.lines() {
        if let Some(key) = line.strip_prefix('[') {
            let key = key.trim_end_matches(']');
            family = FAMILIES.iter().find(|family| family.key == key);
        } else if let Some(family) = family {
            rows.extend(read(family, line));
        }
    }
    rows
}

/// A row of a family; `None` of a line that is none.
fn read(family: &Family, line: &'static str) -> Option<CatalogMachine> {
    let unchecked = line.strip_prefix("? ");
    let mut cells = unchecked.unwrap_or(line).split(';').map(str::trim);
    let name = cells.next()?;
    let mut number = || cells.next()?.parse::<f64>().ok();
    let numbers = [number()?, number()?, number()?, number()?];
    let also = cells.next().unwrap_or(family.also);
    let made = |numbers| match unchecked {
        Some(_) => row(family.class, name, also, numbers, family.source).unchecked(),
        None => row(family.class, name, also, numbers, family.source),
    };
    Some(match family.columns {
        Columns::Chip => {
            let [fp32, memory, rate, power] = numbers;
            // Four digits: a share such as 0.0677 must not add some.
            let peak = rounded(fp32 / family.source.fp32_share, 4);
            let chip = made([peak, memory, rate, power]);
            let chip = match family.source.compute {
                FactSource::Assumed(_) => {
                    let [low, high] = CHIP_CLOCK.map(|share| rounded(share * peak, 4));
                    chip.compute(low, high)
                }
                _ => chip,
            };
            match family.class {
                MachineClass::Laptop => chip.own_memory(),
                _ => chip,
            }
        }
        Columns::Processor(flop, memory) => {
            let [cores, clock, rate, power] = numbers;
            let peak = rounded(1e-3 * flop * cores * clock, 4);
            let [low, high] = CLOCK.map(|share| rounded(share * peak, 4));
            made([peak, memory, rate, power]).compute(low, high)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_row_of_a_known_family() {
        let mut count = 0;
        for line in TABLE.lines() {
            if let Some(key) = line.strip_prefix('[') {
                let key = key.strip_suffix(']').expect("a bracket");
                assert!(FAMILIES.iter().any(|one| one.key == key), "{key}");
            } else if !line.is_empty() && !line.starts_with('#') {
                count += 1;
            }
        }
        assert_eq!(rows().len(), count);
        let unchecked = TABLE.lines().filter(|line| line.starts_with("? ")).count();
        let says_so = |row: &&CatalogMachine| row.source().contains("not yet compared");
        assert_eq!(rows().iter().filter(says_so).count(), unchecked);
        assert!(rows().iter().all(|row| !row.name.contains('?')));
        for family in FAMILIES {
            let head = format!("[{}]\n", family.key);
            assert!(TABLE.contains(&head), "{head}");
        }
    }
}
