//! Phones. Their makers publish no compute rate that counts for this: it is assumed from the GPU’s arithmetic units and
//! clock as others measured them, with a range of about two either way.

use super::{CatalogMachine, FactSource, MachineClass, Source, row};

const GPU: FactSource = FactSource::Assumed("FP16 on the GPU; no maker publishes it");
const POWER: FactSource = FactSource::Assumed("what a phone can cool for a while");

/// Apple publishes neither memory nor its rate.
const APPLE: Source = Source {
    sheet: "Memory as iOS reports it; Apple publishes none",
    compute: GPU,
    fp32_share: 1.0,
    memory: FactSource::Measured("as iOS reports it"),
    rate: FactSource::Assumed("64 bits of the memory that teardowns found"),
    power: POWER,
};
const MAKER: Source = Source {
    sheet: "The maker\u{2019}s specifications",
    compute: GPU,
    fp32_share: 1.0,
    memory: FactSource::Sheet("the maker\u{2019}s specifications"),
    rate: FactSource::Assumed("64 bits of LPDDR5 or LPDDR5X"),
    power: POWER,
};
const SNAPDRAGON: Source = Source {
    sheet: "The maker\u{2019}s specifications; memory rate from Qualcomm\u{2019}s product brief",
    rate: FactSource::Sheet(
        "Qualcomm\u{2019}s product brief: memory clock times 64 bits, two transfers per clock",
    ),
    ..MAKER
};

const fn phone(
    name: &'static str,
    also: &'static str,
    [tflops, memory_gb, rate]: [f64; 3],
    source: &'static Source,
) -> CatalogMachine {
    row(
        MachineClass::Phone,
        name,
        also,
        [tflops, memory_gb, rate, 4.0],
        source,
    )
    .power(2.0, 8.0)
}

/// Columns: compute [TFLOPS], memory [GB], memory rate [GB/s].
pub(super) const ROWS: &[CatalogMachine] = &[
    phone("iPhone 13", "Apple A15", [1.4, 4.0, 34.1], &APPLE)
        .compute(0.9, 2.0)
        .rate(29.9, 34.1),
    phone("iPhone 15", "Apple A16", [1.8, 6.0, 51.2], &APPLE)
        .compute(1.2, 2.4)
        .rate(44.8, 51.2),
    phone("iPhone 15 Pro", "Apple A17 Pro", [2.1, 8.0, 51.2], &APPLE)
        .compute(1.4, 3.0)
        .rate(44.8, 60.0),
    phone("iPhone 16 Pro", "Apple A18 Pro", [2.3, 8.0, 60.0], &APPLE)
        .compute(1.5, 3.2)
        .rate(51.2, 68.3),
    phone("Pixel 6", "Google Tensor G1", [2.0, 8.0, 51.2], &MAKER)
        .compute(1.0, 4.3)
        .rate(44.8, 51.2),
    phone("Pixel 8", "Google Tensor G3", [2.0, 8.0, 60.0], &MAKER)
        .compute(1.0, 4.0)
        .rate(51.2, 68.3),
    phone("Pixel 9 Pro", "Google Tensor G4", [2.0, 16.0, 60.0], &MAKER)
        .compute(1.0, 4.0)
        .rate(51.2, 68.3),
    phone(
        "Galaxy A54",
        "Samsung, Exynos 1380",
        [1.0, 8.0, 34.0],
        &MAKER,
    )
    .compute(0.5, 1.8)
    .rate(17.0, 51.2),
    phone(
        "Galaxy S23",
        "Samsung, Snapdragon 8 Gen 2",
        [3.0, 8.0, 67.2],
        &SNAPDRAGON,
    )
    .compute(1.7, 5.0),
    phone(
        "Galaxy S24 Ultra",
        "Samsung, Snapdragon 8 Gen 3",
        [3.5, 12.0, 76.8],
        &SNAPDRAGON,
    )
    .compute(2.0, 5.9),
    phone(
        "Galaxy S25",
        "Samsung, Snapdragon 8 Elite",
        [3.5, 12.0, 84.8],
        &SNAPDRAGON,
    )
    .compute(2.0, 6.8),
];
