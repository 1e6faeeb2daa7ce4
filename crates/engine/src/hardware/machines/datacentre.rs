//! GPUs of servers and workstations. Their data sheets lead with rates that count sparsity from Ampere on; these are dense.

use super::{CatalogMachine, MachineClass, Source, row};

pub(super) const VOLTA: Source = Source::sheet(
    "NVIDIA data sheet",
    "FP16 tensor cores with FP32 accumulate; no sparsity on this generation",
)
.fp32(0.125);
pub(super) const NVIDIA: Source = Source::sheet(
    "NVIDIA data sheet",
    "FP16 tensor cores with FP32 accumulate, dense: half of the rate with sparsity",
)
.fp32(0.25);
/// Tensor cores of server chips, beside as many FP32 units as other chips have.
pub(super) const A100: Source = NVIDIA.fp32(0.0625);
/// Likewise, twice as fast.
pub(super) const HOPPER: Source = NVIDIA.fp32(0.0677);
/// Likewise.
const B200: Source = NVIDIA.fp32(0.0333);
const INSTINCT: Source = Source::sheet("AMD data sheet", "FP16 matrix rate, dense").fp32(0.125);

const fn gpu(
    name: &'static str,
    also: &'static str,
    n: [f64; 4],
    source: &'static Source,
) -> CatalogMachine {
    row(MachineClass::DatacentreGpu, name, also, n, source)
}

/// Columns: compute [TFLOPS], memory [GB], memory rate [GB/s], power [W].
pub(super) const ROWS: &[CatalogMachine] = &[
    gpu(
        "Tesla V100 32GB",
        "NVIDIA, Volta, SXM2",
        [125.0, 32.0, 900.0, 300.0],
        &VOLTA,
    ),
    gpu(
        "Tesla T4",
        "NVIDIA, Turing, 16GB",
        [65.0, 16.0, 320.0, 70.0],
        &VOLTA,
    ),
    gpu(
        "RTX A6000",
        "NVIDIA, Ampere, 48GB",
        [154.8, 48.0, 768.0, 300.0],
        &NVIDIA,
    ),
    gpu(
        "RTX 6000 Ada",
        "NVIDIA, Ada Lovelace, 48GB",
        [364.0, 48.0, 960.0, 300.0],
        &NVIDIA,
    ),
    gpu(
        "A10",
        "NVIDIA, Ampere, 24GB",
        [125.0, 24.0, 600.0, 150.0],
        &NVIDIA,
    ),
    gpu(
        "A100 40GB",
        "NVIDIA, Ampere, SXM",
        [312.0, 40.0, 1555.0, 400.0],
        &A100,
    ),
    gpu(
        "A100 80GB",
        "NVIDIA, Ampere, SXM",
        [312.0, 80.0, 2039.0, 400.0],
        &A100,
    ),
    gpu(
        "L4",
        "NVIDIA, Ada Lovelace, 24GB",
        [121.0, 24.0, 300.0, 72.0],
        &NVIDIA,
    ),
    gpu(
        "L40S",
        "NVIDIA, Ada Lovelace, 48GB",
        [362.0, 48.0, 864.0, 350.0],
        &NVIDIA,
    ),
    gpu(
        "H100 PCIe 80GB",
        "NVIDIA, Hopper",
        [756.0, 80.0, 2000.0, 350.0],
        &HOPPER,
    ),
    gpu(
        "H100 SXM 80GB",
        "NVIDIA, Hopper",
        [989.5, 80.0, 3350.0, 700.0],
        &HOPPER,
    ),
    gpu(
        "H200 141GB",
        "NVIDIA, Hopper, SXM",
        [989.5, 141.0, 4800.0, 700.0],
        &HOPPER,
    ),
    gpu(
        "B200 180GB",
        "NVIDIA, Blackwell, SXM",
        [2250.0, 180.0, 8000.0, 1000.0],
        &B200,
    ),
    gpu(
        "Instinct MI300X",
        "AMD, CDNA 3, 192GB",
        [1307.4, 192.0, 5300.0, 750.0],
        &INSTINCT,
    ),
];
