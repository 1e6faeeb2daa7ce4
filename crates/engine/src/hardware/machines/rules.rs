//! Defaults by class for numbers without a source, always with a range.
//!
//! Utilisation at long prompts: graphics cards as the four devices of CSGO, Table 1, which reach 0.4 to 0.8; Macs by published
//! runs of llama.cpp, in which an M1 Max processes 512 tokens of Llama 3.1 8B at 500 tokens/s, two thirds of its peak; the
//! others are set lower and wider, because their software is less tuned.
//!
//! How soon it is approached follows from the chip: at so many tokens as it has FLOP for each byte of its memory rate,
//! computing with a weight of two bytes takes as long as reading it. CSGO's first two devices, which have the peaks of an
//! RTX 4090 and an RTX 3090, approach their limit at 12 and 15 times that; the runs of Macs at 3 to 8 times.

use super::{FactSource, MachineFact};
use crate::units::rounded;

/// Class of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MachineClass {
    /// A phone.
    Phone,
    /// A single-board computer.
    Board,
    /// A Jetson module.
    Jetson,
    /// A mini PC or desktop whose processor computes.
    MiniPc,
    /// A laptop, with or without a graphics card.
    Laptop,
    /// A Mac, portable or not.
    Mac,
    /// A processor of a desktop that computes itself.
    DesktopCpu,
    /// A processor of a laptop that computes itself.
    LaptopCpu,
    /// A processor of a server or workstation that computes itself.
    ServerCpu,
    /// A graphics card in a PC.
    DesktopGpu,
    /// A GPU of servers and workstations.
    DatacentreGpu,
}

/// The rules of a class.
pub(super) struct ClassRules {
    /// Utilisation that long prompts approach.
    pub limit: MachineFact,
    /// Share of the memory on the box that weights can have, in 10^9 bytes for each GB: least, usual, greatest.
    pub usable: [f64; 3],
    /// In words.
    pub usable_words: &'static str,
    /// Disk [MB/s].
    pub disk: MachineFact,
    /// Power of its own sender [dBm].
    pub sender: MachineFact,
}

/// Power of the access point [dBm].
pub(super) const ACCESS_POINT: MachineFact =
    MachineFact::assumed([20.0, 25.0, 30.0], "an access point, as in CSGO");
/// Distance to the access point [m].
pub(super) const DISTANCE: MachineFact =
    MachineFact::assumed([2.0, 5.0, 10.0], "the same or the next room");

const CSGO: &str = "the span of CSGO\u{2019}s devices, Table 1";
const LESS_TUNED: &str = "less tuned software than on graphics cards";
const WIFI: &str = "a Wi-Fi radio of its class";
const DRIVER: &str = "all but what driver and runtime take";
const NVME: MachineFact = MachineFact::assumed([1500.0, 3500.0, 7000.0], "an NVMe drive");

/// A drive in the M.2 slot of a small machine [MB/s].
pub(super) const SMALL_NVME: MachineFact =
    MachineFact::assumed([1000.0, 2000.0, 3500.0], "an NVMe drive in a small machine");
/// Embedded flash [MB/s].
pub(super) const EMMC: MachineFact = MachineFact::assumed([100.0, 250.0, 320.0], "eMMC 5.1");
/// Card slots of 25, 50 and 104 MB/s [MB/s].
pub(super) const CARD_25: MachineFact =
    MachineFact::assumed([15.0, 22.0, 25.0], "a card in a 25 MB/s slot");
/// See [`CARD_25`].
pub(super) const CARD_50: MachineFact =
    MachineFact::assumed([30.0, 44.0, 50.0], "a card in a 50 MB/s slot");
/// See [`CARD_25`].
pub(super) const CARD_104: MachineFact =
    MachineFact::assumed([40.0, 85.0, 104.0], "a card in a 104 MB/s slot");

const fn rules(
    limit: [f64; 3],
    limit_words: &'static str,
    usable: [f64; 3],
    usable_words: &'static str,
    disk: MachineFact,
    sender: [f64; 3],
) -> ClassRules {
    ClassRules {
        limit: MachineFact::assumed(limit, limit_words),
        usable,
        usable_words,
        disk,
        sender: MachineFact::assumed(sender, WIFI),
    }
}

impl MachineClass {
    /// All of them, in the order of the catalogue.
    pub const ALL: [Self; 11] = [
        Self::Phone,
        Self::Board,
        Self::Jetson,
        Self::MiniPc,
        Self::Laptop,
        Self::Mac,
        Self::DesktopCpu,
        Self::LaptopCpu,
        Self::ServerCpu,
        Self::DesktopGpu,
        Self::DatacentreGpu,
    ];

    /// Returns the noun of one machine.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Phone => "phone",
            Self::Board => "single-board computer",
            Self::Jetson => "Jetson",
            Self::MiniPc => "mini PC",
            Self::Laptop => "laptop",
            Self::Mac => "Mac",
            Self::DesktopCpu => "desktop processor",
            Self::LaptopCpu => "laptop processor",
            Self::ServerCpu => "server processor",
            Self::DesktopGpu => "desktop GPU",
            Self::DatacentreGpu => "datacentre GPU",
        }
    }

    /// Returns the noun of several machines.
    #[must_use]
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Phone => "Phones",
            Self::Board => "Single-board computers",
            Self::Jetson => "Jetsons",
            Self::MiniPc => "Mini PCs",
            Self::Laptop => "Laptops",
            Self::Mac => "Macs",
            Self::DesktopCpu => "Desktop processors",
            Self::LaptopCpu => "Laptop processors",
            Self::ServerCpu => "Server processors",
            Self::DesktopGpu => "Desktop GPUs",
            Self::DatacentreGpu => "Datacentre GPUs",
        }
    }

    /// Returns the defaults of its machines.
    pub(super) const fn rules(self) -> ClassRules {
        match self {
            Self::Phone => rules(
                [0.1, 0.3, 0.6],
                LESS_TUNED,
                [0.35, 0.5, 0.65],
                "what a phone leaves to one app",
                MachineFact::assumed([700.0, 1500.0, 4000.0], "UFS or NVMe flash"),
                [10.0, 15.0, 20.0],
            ),
            Self::Board => rules(
                [0.3, 0.5, 0.75],
                LESS_TUNED,
                [0.7, 0.85, 0.95],
                "a system without a desktop",
                CARD_104,
                [10.0, 15.0, 18.0],
            ),
            Self::Jetson => rules(
                [0.3, 0.5, 0.8],
                LESS_TUNED,
                [0.6, 0.75, 0.9],
                "as Hyperion\u{2019}s Jetsons, Table I",
                SMALL_NVME,
                [12.0, 18.0, 20.0],
            ),
            Self::DesktopCpu | Self::ServerCpu => rules(
                [0.3, 0.5, 0.75],
                LESS_TUNED,
                [0.5, 0.85, 0.95],
                "memory shared with the system",
                NVME,
                [12.0, 18.0, 20.0],
            ),
            Self::LaptopCpu => rules(
                [0.3, 0.5, 0.75],
                LESS_TUNED,
                [0.4, 0.75, 0.9],
                "memory shared with system and desktop",
                NVME,
                [12.0, 15.0, 20.0],
            ),
            Self::MiniPc => rules(
                [0.2, 0.4, 0.7],
                LESS_TUNED,
                [0.5, 0.75, 0.9],
                "memory shared with the system",
                NVME,
                [12.0, 18.0, 20.0],
            ),
            Self::Laptop => rules(
                [0.25, 0.5, 0.8],
                LESS_TUNED,
                [0.4, 0.6, 0.8],
                "memory shared with system and desktop",
                NVME,
                [12.0, 15.0, 20.0],
            ),
            Self::Mac => rules(
                [0.6, 0.75, 0.9],
                "published runs of llama.cpp at 512 tokens",
                [0.6, 0.716, 0.9],
                "two thirds, which macOS gives the GPU by default",
                MachineFact::assumed([1400.0, 3000.0, 7400.0], "an Apple SSD"),
                [14.0, 18.0, 20.0],
            ),
            Self::DesktopGpu => rules(
                [0.4, 0.6, 0.8],
                CSGO,
                [0.85, 0.93, 1.04],
                DRIVER,
                NVME,
                [15.0, 20.0, 23.0],
            ),
            Self::DatacentreGpu => rules(
                [0.4, 0.6, 0.8],
                CSGO,
                [0.9, 0.97, 1.04],
                DRIVER,
                NVME,
                [15.0, 20.0, 23.0],
            ),
        }
    }
}

/// Least, usual and greatest of an assumed number.
fn assumed(numbers: [f64; 3], rule: &'static str) -> MachineFact {
    // Three digits are more precise than any rule.
    MachineFact::assumed(numbers.map(|number| rounded(number, 3)), rule)
}

/// Memory that weights can have [GB] of so much on the box.
pub(super) fn usable(class: MachineClass, memory_gb: f64, is_cards_own: bool) -> MachineFact {
    let class = if is_cards_own {
        MachineClass::DesktopGpu
    } else {
        class
    };
    let rules = class.rules();
    // macOS: 2/3 of up to 32 GiB and 3/4 of more, and a GiB is 1.074 GB.
    let (share, words) = if class == MachineClass::Mac && memory_gb > 32.0 {
        let words = "three quarters, which macOS gives the GPU by default";
        ([0.7, 0.805, 0.95], words)
    } else {
        (rules.usable, rules.usable_words)
    };
    assumed(share.map(|share| share * memory_gb), words)
}

/// How soon utilisation is approached [1/token], from compute [TFLOPS] and memory rate [GB/s].
/// How soon utilisation is approached, from peak compute [TFLOPS] and memory rate [GB/s].
#[must_use]
pub fn rate_of_utilisation(tflops: f64, gb_s: f64) -> MachineFact {
    let balance = 1e3 * tflops / gb_s;
    let numbers = [20.0, 8.0, 3.0].map(|times| 1.0 / (times * balance));
    let rule = "3 to 20 times the tokens at which computing takes as long as reading the weights";
    assumed(numbers, rule)
}

/// Compute as the data sheets of newer Jetsons count it [TOPS], int8 with sparsity: four times the dense FP16 rate.
pub(super) fn tops(compute: MachineFact) -> MachineFact {
    MachineFact {
        value: 4.0 * compute.value,
        range: compute.range.map(|(low, high)| (4.0 * low, 4.0 * high)),
        origin: match compute.origin {
            FactSource::Assumed(rule) => FactSource::Assumed(rule),
            _ => FactSource::Sheet("four times the dense FP16 rate, as int8 with sparsity counts"),
        },
    }
}

/// Returns the defaults of a machine of which only compute, disk and memory are known: the range over all classes.
#[must_use]
pub fn of_any_machine() -> [(&'static str, MachineFact); 5] {
    let any = |numbers| MachineFact::assumed(numbers, "the span of all machines of the catalogue");
    [
        ("a", any([0.1, 0.5, 0.9])),
        ("b", any([1e-4, 1e-3, 0.02])),
        ("pu_dbm", any([10.0, 15.0, 23.0])),
        ("pd_dbm", ACCESS_POINT),
        ("d_m", DISTANCE),
    ]
}
