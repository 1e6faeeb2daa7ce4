//! Graphics cards in PCs.
//!
//! GeForce cards multiply FP16 with FP32 accumulate at half the rate of FP16 accumulate, which their data sheets lead with, and
//! that once more doubled by sparsity: 4 FLOP per core and clock (Turing: 8), which the architecture whitepapers confirm
//! (RTX 3090: 71.2, RTX 4090: 165.2, RTX 5090: 209.5 TFLOPS).

use super::{CatalogMachine, MachineClass, Source, row};

pub(super) const PASCAL: Source = Source::sheet(
    "NVIDIA GeForce specifications",
    "FP32 at boost clock; there are no tensor cores, and FP16 is slower",
);
pub(super) const TURING: Source = Source::sheet(
    "NVIDIA GeForce specifications, Turing whitepaper",
    "FP16 tensor cores with FP32 accumulate, dense, at boost clock",
)
.fp32(0.25);
pub(super) const AMPERE: Source = Source::sheet(
    "NVIDIA GeForce specifications, GA102 whitepaper",
    "FP16 tensor cores with FP32 accumulate, dense, at boost clock",
)
.fp32(0.5);
pub(super) const ADA: Source = Source::sheet(
    "NVIDIA GeForce specifications, Ada whitepaper",
    "FP16 tensor cores with FP32 accumulate, dense, at boost clock",
)
.fp32(0.5);
pub(super) const BLACKWELL: Source = Source::sheet(
    "NVIDIA GeForce specifications, RTX Blackwell whitepaper",
    "FP16 tensor cores with FP32 accumulate, dense, at boost clock",
)
.fp32(0.5);
pub(super) const RADEON: Source = Source::sheet(
    "AMD Radeon specifications",
    "FP16 peak, dense, at boost clock",
)
.fp32(0.5);
/// Matrix units as fast as four times the FP32 ones.
pub(super) const RDNA_4: Source = RADEON.fp32(0.25);
pub(super) const ARC: Source = Source::sheet(
    "Intel Arc specifications",
    "FP16, dense: half of the int8 TOPS of the matrix engines",
);

const fn card(
    name: &'static str,
    also: &'static str,
    n: [f64; 4],
    source: &'static Source,
) -> CatalogMachine {
    row(MachineClass::DesktopGpu, name, also, n, source)
}

/// Columns: compute [TFLOPS], memory [GB], memory rate [GB/s], power [W].
pub(super) const ROWS: &[CatalogMachine] = &[
    card(
        "GTX 1080 Ti",
        "GeForce, Pascal",
        [11.3, 11.0, 484.0, 250.0],
        &PASCAL,
    ),
    card(
        "RTX 2060",
        "GeForce, Turing",
        [25.8, 6.0, 336.0, 160.0],
        &TURING,
    ),
    card(
        "RTX 2080 Ti",
        "GeForce, Turing",
        [53.8, 11.0, 616.0, 250.0],
        &TURING,
    ),
    card(
        "RTX 3050",
        "GeForce, Ampere",
        [18.2, 8.0, 224.0, 130.0],
        &AMPERE,
    ),
    card(
        "RTX 3060",
        "GeForce, Ampere",
        [25.5, 12.0, 360.0, 170.0],
        &AMPERE,
    ),
    card(
        "RTX 3060 Ti",
        "GeForce, Ampere",
        [32.4, 8.0, 448.0, 200.0],
        &AMPERE,
    ),
    card(
        "RTX 3070",
        "GeForce, Ampere",
        [40.6, 8.0, 448.0, 220.0],
        &AMPERE,
    ),
    card(
        "RTX 3080",
        "GeForce, Ampere",
        [59.5, 10.0, 760.0, 320.0],
        &AMPERE,
    ),
    card(
        "RTX 3090",
        "GeForce, Ampere",
        [71.2, 24.0, 936.0, 350.0],
        &AMPERE,
    ),
    card(
        "RTX 4060",
        "GeForce, Ada Lovelace",
        [30.2, 8.0, 272.0, 115.0],
        &ADA,
    ),
    card(
        "RTX 4060 Ti 16GB",
        "GeForce, Ada Lovelace",
        [44.1, 16.0, 288.0, 165.0],
        &ADA,
    ),
    card(
        "RTX 4070",
        "GeForce, Ada Lovelace",
        [58.3, 12.0, 504.0, 200.0],
        &ADA,
    ),
    card(
        "RTX 4070 Ti SUPER",
        "GeForce, Ada Lovelace",
        [88.2, 16.0, 672.0, 285.0],
        &ADA,
    ),
    card(
        "RTX 4080",
        "GeForce, Ada Lovelace",
        [97.5, 16.0, 716.8, 320.0],
        &ADA,
    ),
    card(
        "RTX 4090",
        "GeForce, Ada Lovelace",
        [165.2, 24.0, 1008.0, 450.0],
        &ADA,
    ),
    card(
        "RTX 5060 Ti 16GB",
        "GeForce, Blackwell",
        [47.4, 16.0, 448.0, 180.0],
        &BLACKWELL,
    ),
    card(
        "RTX 5070",
        "GeForce, Blackwell",
        [61.7, 12.0, 672.0, 250.0],
        &BLACKWELL,
    ),
    card(
        "RTX 5070 Ti",
        "GeForce, Blackwell",
        [87.9, 16.0, 896.0, 300.0],
        &BLACKWELL,
    ),
    card(
        "RTX 5080",
        "GeForce, Blackwell",
        [112.6, 16.0, 960.0, 360.0],
        &BLACKWELL,
    ),
    card(
        "RTX 5090",
        "GeForce, Blackwell",
        [209.5, 32.0, 1792.0, 575.0],
        &BLACKWELL,
    ),
    card(
        "RX 6800 XT",
        "AMD Radeon, RDNA 2",
        [41.5, 16.0, 512.0, 300.0],
        &RADEON,
    ),
    card(
        "RX 7800 XT",
        "AMD Radeon, RDNA 3",
        [74.6, 16.0, 624.0, 263.0],
        &RADEON,
    ),
    card(
        "RX 7900 XTX",
        "AMD Radeon, RDNA 3",
        [122.8, 24.0, 960.0, 355.0],
        &RADEON,
    ),
    card(
        "RX 9070 XT",
        "AMD Radeon, RDNA 4",
        [195.0, 16.0, 640.0, 304.0],
        &RDNA_4,
    ),
    card(
        "Arc A770 16GB",
        "Intel, Alchemist",
        [131.0, 16.0, 560.0, 225.0],
        &ARC,
    ),
    card(
        "Arc B580",
        "Intel, Battlemage, 12GB",
        [116.5, 12.0, 456.0, 190.0],
        &ARC,
    ),
];
