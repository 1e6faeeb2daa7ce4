//! Single-board computers and Jetsons.

use super::rules::{CARD_25, CARD_50, CARD_104, EMMC};
use super::{CatalogMachine, FactSource, MachineClass, Source, row};
use crate::hardware::catalog::KNOWN_DEVICES;

/// Memory rate from type and width of the memory, power from the official supply.
const PI: Source = Source {
    sheet: "Raspberry Pi\u{2019}s product brief",
    compute: FactSource::Sheet(
        "FP32 on four cores, 8 FLOP per core and clock (Arm\u{2019}s optimisation guide)",
    ),
    fp32_share: 1.0,
    memory: FactSource::Sheet("Raspberry Pi\u{2019}s product brief"),
    rate: FactSource::Sheet("type of the memory times its 32 bits"),
    power: FactSource::Sheet("what the official supply can give"),
};
const PI_5: Source = Source {
    compute: FactSource::Sheet(
        "FP32 on four cores, 16 FLOP per core and clock (Arm\u{2019}s optimisation guide)",
    ),
    ..PI
};
const ROCKCHIP: Source = Source {
    sheet: "Board and RK3588S data sheets",
    compute: FactSource::Sheet("FP32 on the four fast cores, 16 FLOP per core and clock"),
    fp32_share: 1.0,
    memory: FactSource::Sheet("board and RK3588S data sheets"),
    rate: FactSource::Sheet("LPDDR4X-4266 on 64 bits"),
    power: FactSource::Sheet("what the board\u{2019}s supply can give"),
};
/// Tensor cores of the Orin family: dense FP16 is a quarter of int8 with sparsity.
const ORIN: Source = Source::sheet(
    "NVIDIA Jetson Orin data sheets",
    "FP16, dense: a quarter of the GPU\u{2019}s int8 TOPS with sparsity",
)
.fp32(0.25);
const THOR: Source = Source::sheet(
    "NVIDIA Jetson AGX Thor data sheet",
    "FP16, dense: an eighth of the FP4 TFLOPS with sparsity",
)
.fp32(0.031_25);
const OLDER: Source = Source::sheet(
    "NVIDIA Jetson data sheets",
    "FP16 on the GPU, as the data sheet says it",
)
.fp32(0.5);
/// Tensor cores: eight times the FP32 rate.
const XAVIER: Source = OLDER.fp32(0.125);

const fn board(
    name: &'static str,
    also: &'static str,
    n: [f64; 4],
    source: &'static Source,
) -> CatalogMachine {
    row(MachineClass::Board, name, also, n, source)
}

const fn jetson(
    name: &'static str,
    also: &'static str,
    n: [f64; 4],
    source: &'static Source,
) -> CatalogMachine {
    row(MachineClass::Jetson, name, also, n, source)
}

/// Columns: compute [TFLOPS], memory [GB], memory rate [GB/s], power [W]. Rows that are in a paper’s table take its numbers.
pub(super) const ROWS: &[CatalogMachine] = &[
    board(
        "Raspberry Pi 3",
        "BCM2837, Cortex-A53",
        [0.0384, 1.0, 3.6, 12.5],
        &PI,
    )
    .with_published(&KNOWN_DEVICES[7])
    .disk(CARD_25),
    board(
        "Raspberry Pi 4",
        "4GB, BCM2711, Cortex-A72",
        [0.048, 4.0, 12.8, 15.0],
        &PI,
    )
    .with_published(&KNOWN_DEVICES[6])
    .disk(CARD_50),
    board(
        "Raspberry Pi 4 8GB",
        "BCM2711, Cortex-A72",
        [0.048, 8.0, 12.8, 15.0],
        &PI,
    )
    .disk(CARD_50),
    board(
        "Raspberry Pi 5 8GB",
        "BCM2712, Cortex-A76",
        [0.154, 8.0, 17.1, 25.0],
        &PI_5,
    )
    .disk(CARD_104),
    board(
        "Raspberry Pi 5 16GB",
        "BCM2712, Cortex-A76",
        [0.154, 16.0, 17.1, 25.0],
        &PI_5,
    )
    .disk(CARD_104),
    board(
        "Orange Pi 5 16GB",
        "Rockchip RK3588S",
        [0.154, 16.0, 34.1, 20.0],
        &ROCKCHIP,
    ),
    jetson(
        "Jetson Nano",
        "4GB, Maxwell",
        [0.472, 4.0, 25.6, 10.0],
        &OLDER,
    )
    .disk(CARD_104),
    jetson("Jetson TX2", "Pascal", [1.33, 8.0, 59.7, 15.0], &OLDER)
        .with_published(&KNOWN_DEVICES[5])
        .disk(EMMC),
    jetson(
        "Jetson Xavier NX 8GB",
        "Volta",
        [6.0, 8.0, 59.7, 20.0],
        &XAVIER,
    )
    .rate(51.2, 59.7),
    jetson(
        "Jetson AGX Xavier 32GB",
        "Volta",
        [11.0, 32.0, 136.5, 30.0],
        &XAVIER,
    ),
    jetson(
        "Jetson Orin Nano 4GB",
        "Ampere",
        [5.0, 4.0, 34.0, 10.0],
        &ORIN,
    ),
    jetson(
        "Jetson Orin Nano 8GB",
        "Ampere, 15 W mode",
        [10.0, 8.0, 68.0, 25.0],
        &ORIN,
    )
    .with_published(&KNOWN_DEVICES[0]),
    jetson(
        "Jetson Orin Nano 8GB, Super mode",
        "Ampere",
        [16.75, 8.0, 102.0, 25.0],
        &ORIN,
    )
    .with_published(&KNOWN_DEVICES[1]),
    jetson(
        "Jetson Orin NX 16GB",
        "Ampere",
        [19.25, 16.0, 102.4, 40.0],
        &ORIN,
    )
    .with_published(&KNOWN_DEVICES[2]),
    jetson(
        "Jetson AGX Orin 32GB",
        "Ampere",
        [27.0, 32.0, 204.8, 40.0],
        &ORIN,
    )
    .with_published(&KNOWN_DEVICES[3]),
    jetson(
        "Jetson AGX Orin 64GB",
        "Ampere",
        [42.5, 64.0, 204.8, 60.0],
        &ORIN,
    ),
    jetson(
        "Jetson AGX Thor 128GB",
        "Blackwell, T5000",
        [258.0, 128.0, 273.0, 130.0],
        &THOR,
    ),
];
