//! Mini PCs, laptops and Macs.

use super::{CatalogMachine, FactSource, MachineClass, Source, row};
use crate::hardware::catalog::KNOWN_DEVICES;

/// A processor with unknown vector units.
const PC: Source = Source {
    sheet: "MemoriaNova, Table 3",
    compute: FactSource::Assumed("FP32, 16 to 64 FLOP per core and clock"),
    fp32_share: 1.0,
    memory: FactSource::Sheet("MemoriaNova, Table 3"),
    rate: FactSource::Assumed("two channels of DDR3 to DDR5"),
    power: FactSource::Assumed("a desktop processor"),
};
const INTEL: Source = Source::sheet(
    "Intel product specifications",
    "FP16 on the built-in GPU: units, 32 FLOP per unit and clock, greatest clock",
)
.fp32(0.5);
const INTEL_XE: Source = Source::sheet(
    "Intel product specifications",
    "FP16 on the built-in GPU: 512 FLOP per Xe core and greatest clock",
)
.fp32(0.5);
const INTEL_XMX: Source = Source::sheet(
    "Intel product specifications",
    "FP16, dense: half of the int8 TOPS of the built-in GPU",
)
.fp32(0.125);
const RADEON: Source = Source::sheet(
    "AMD product specifications",
    "FP16 matrix instructions on the built-in GPU: 512 FLOP per compute unit and clock, dense",
)
.fp32(0.5);
const SPARK: Source = Source {
    sheet: "NVIDIA DGX Spark data sheet",
    compute: FactSource::Assumed(
        "FP16, dense: at most an eighth of 1000 TFLOPS, which count FP4 with sparsity",
    ),
    fp32_share: 0.25,
    memory: FactSource::Sheet("NVIDIA DGX Spark data sheet"),
    rate: FactSource::Sheet("NVIDIA DGX Spark data sheet"),
    power: FactSource::Sheet("the supply of the DGX Spark"),
};
pub(super) const GEFORCE_LAPTOP: Source = Source::sheet(
    "NVIDIA GeForce laptop specifications",
    "FP16 tensor cores with FP32 accumulate, dense: 4 FLOP per core at the clocks that laptops allow",
).fp32(0.5);
const QUALCOMM: Source = Source {
    sheet: "Qualcomm product brief",
    compute: FactSource::Sheet("FP32 on the GPU"),
    fp32_share: 1.0,
    memory: FactSource::Sheet("the laptop\u{2019}s specifications"),
    rate: FactSource::Sheet("Qualcomm product brief"),
    power: FactSource::Assumed("what laptops with it allow"),
};
/// M1 and M2: the rate that Apple gave, or gave for the same cores and clock.
pub(super) const APPLE: Source = Source::sheet(
    "Apple\u{2019}s technical specifications",
    "FP32 on the GPU, 256 FLOP per core and clock as Apple gave it; FP16 runs at the same rate",
);
/// M3 and M4: cores are known, the clock is reported between two values.
pub(super) const APPLE_3: Source = Source {
    compute: FactSource::Assumed(
        "256 FLOP per GPU core and clock, at 1.4 to 1.6 GHz; Apple gives no rate",
    ),
    ..APPLE
};
pub(super) const APPLE_4: Source = Source {
    compute: FactSource::Assumed(
        "256 FLOP per GPU core and clock, at 1.47 to 1.8 GHz; Apple gives no rate",
    ),
    ..APPLE
};

const fn mini(
    name: &'static str,
    also: &'static str,
    n: [f64; 4],
    source: &'static Source,
) -> CatalogMachine {
    row(MachineClass::MiniPc, name, also, n, source)
}

const fn laptop(
    name: &'static str,
    also: &'static str,
    n: [f64; 4],
    source: &'static Source,
) -> CatalogMachine {
    row(MachineClass::Laptop, name, also, n, source)
}

const fn geforce(name: &'static str, also: &'static str, n: [f64; 4]) -> CatalogMachine {
    row(MachineClass::Laptop, name, also, n, &GEFORCE_LAPTOP).own_memory()
}

const fn mac(
    name: &'static str,
    also: &'static str,
    n: [f64; 4],
    source: &'static Source,
) -> CatalogMachine {
    row(MachineClass::Mac, name, also, n, source)
}

/// Columns: compute [TFLOPS], memory [GB], memory rate [GB/s], power [W].
pub(super) const ROWS: &[CatalogMachine] = &[
    mini(
        "PC, 8 cores at 2.5 GHz",
        "CPU only",
        [0.64, 32.0, 51.2, 95.0],
        &PC,
    )
    .with_published(&KNOWN_DEVICES[4])
    .compute(0.32, 1.28)
    .rate(25.6, 89.6)
    .power(65.0, 150.0),
    mini(
        "Mini PC, Intel N100, 16GB",
        "DDR5-4800, 24 EU",
        [0.576, 16.0, 38.4, 6.0],
        &INTEL,
    ),
    mini(
        "NUC 13, Core i5-1340P, 16GB",
        "Intel, DDR4-3200, Iris Xe 80 EU",
        [3.71, 16.0, 51.2, 28.0],
        &INTEL,
    ),
    mini(
        "Mini PC, Ryzen 7 8845HS, 32GB",
        "AMD, DDR5-5600, Radeon 780M",
        [16.6, 32.0, 89.6, 54.0],
        &RADEON,
    ),
    mini(
        "Framework Desktop 128GB",
        "AMD Ryzen AI Max+ 395, Strix Halo, Radeon 8060S",
        [59.4, 128.0, 256.0, 120.0],
        &RADEON,
    ),
    mini(
        "DGX Spark 128GB",
        "NVIDIA GB10, Grace Blackwell",
        [100.0, 128.0, 273.0, 240.0],
        &SPARK,
    )
    .compute(62.0, 125.0),
    laptop(
        "Laptop, Core i7-1165G7, 16GB",
        "Intel, Iris Xe 96 EU",
        [3.99, 16.0, 51.2, 28.0],
        &INTEL,
    )
    .rate(51.2, 68.3),
    laptop(
        "Laptop, Core Ultra 7 155H, 32GB",
        "Intel, Arc, 8 Xe cores",
        [9.2, 32.0, 89.6, 28.0],
        &INTEL_XE,
    )
    .rate(89.6, 119.5),
    laptop(
        "Laptop, Core Ultra 7 258V, 32GB",
        "Intel, Arc 140V, LPDDR5X-8533",
        [33.5, 32.0, 136.5, 37.0],
        &INTEL_XMX,
    ),
    laptop(
        "Laptop, Ryzen 7 7840U, 16GB",
        "AMD, Radeon 780M",
        [16.6, 16.0, 89.6, 28.0],
        &RADEON,
    )
    .rate(89.6, 120.0),
    laptop(
        "Laptop, Snapdragon X Elite, 16GB",
        "Qualcomm X1E-80-100, LPDDR5X-8448",
        [3.8, 16.0, 135.0, 45.0],
        &QUALCOMM,
    )
    .power(23.0, 80.0),
    geforce(
        "RTX 3060 Laptop",
        "GeForce, Ampere, 6GB",
        [23.0, 6.0, 336.0, 115.0],
    )
    .compute(19.7, 26.2)
    .power(60.0, 115.0),
    geforce(
        "RTX 4060 Laptop",
        "GeForce, Ada Lovelace, 8GB",
        [23.6, 8.0, 256.0, 115.0],
    )
    .compute(18.1, 29.1)
    .power(35.0, 115.0),
    geforce(
        "RTX 4070 Laptop",
        "GeForce, Ada Lovelace, 8GB",
        [31.4, 8.0, 256.0, 115.0],
    )
    .compute(22.7, 40.1)
    .power(35.0, 115.0),
    geforce(
        "RTX 4090 Laptop",
        "GeForce, Ada Lovelace, 16GB",
        [68.0, 16.0, 576.0, 150.0],
    )
    .compute(56.6, 79.4)
    .power(80.0, 150.0),
    mac(
        "MacBook Air M1 8GB",
        "8-core GPU",
        [2.6, 8.0, 68.25, 30.0],
        &APPLE,
    ),
    mac(
        "Mac mini M1 16GB",
        "8-core GPU",
        [2.6, 16.0, 68.25, 39.0],
        &APPLE,
    ),
    mac(
        "MacBook Pro M1 Pro 16GB",
        "16-core GPU",
        [5.2, 16.0, 200.0, 96.0],
        &APPLE,
    ),
    mac(
        "MacBook Pro M1 Max 32GB",
        "32-core GPU",
        [10.4, 32.0, 400.0, 140.0],
        &APPLE,
    ),
    mac(
        "Mac Studio M1 Ultra 64GB",
        "64-core GPU",
        [21.0, 64.0, 800.0, 215.0],
        &APPLE,
    ),
    mac(
        "MacBook Air M2 16GB",
        "10-core GPU",
        [3.6, 16.0, 100.0, 35.0],
        &APPLE,
    ),
    mac(
        "MacBook Pro M2 Max 64GB",
        "38-core GPU",
        [13.6, 64.0, 400.0, 140.0],
        &APPLE,
    ),
    mac(
        "Mac Studio M2 Ultra 192GB",
        "76-core GPU",
        [27.2, 192.0, 800.0, 295.0],
        &APPLE,
    ),
    mac(
        "MacBook Air M3 16GB",
        "10-core GPU",
        [3.6, 16.0, 100.0, 35.0],
        &APPLE_3,
    )
    .compute(3.58, 4.1),
    mac(
        "MacBook Pro M3 Pro 18GB",
        "18-core GPU",
        [6.5, 18.0, 150.0, 96.0],
        &APPLE_3,
    )
    .compute(6.4, 7.4),
    mac(
        "MacBook Pro M3 Max 64GB",
        "40-core GPU",
        [14.5, 64.0, 400.0, 140.0],
        &APPLE_3,
    )
    .compute(14.3, 16.4),
    mac(
        "Mac Studio M3 Ultra 256GB",
        "80-core GPU",
        [29.0, 256.0, 819.0, 270.0],
        &APPLE_3,
    )
    .compute(28.6, 32.8),
    mac(
        "Mac mini M4 16GB",
        "10-core GPU",
        [4.2, 16.0, 120.0, 65.0],
        &APPLE_4,
    )
    .compute(3.76, 4.61),
    mac(
        "Mac mini M4 Pro 48GB",
        "20-core GPU",
        [8.4, 48.0, 273.0, 140.0],
        &APPLE_4,
    )
    .compute(7.53, 9.22),
    mac(
        "MacBook Pro M4 Max 64GB",
        "40-core GPU",
        [16.7, 64.0, 546.0, 140.0],
        &APPLE_4,
    )
    .compute(15.1, 18.4),
];
