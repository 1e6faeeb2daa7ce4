//! Links as people know them: what TCP gets through them, one way, and the time a packet takes, with ranges.
//!
//! Rates are goodput in 10^6 bit/s, not the rate on the box: Wi-Fi loses a third to a half of it to its protocol and to
//! neighbours, and every further wall costs more. Between two devices on one access point it is halved again, since both
//! share the air: the words of each say so. Mobile links are as fast as they send, which is slower than they receive.

use crate::hardware::machines::{FactSource, MachineFact};

/// A link.
#[derive(Debug, Clone, Copy)]
pub struct KnownLink {
    /// Name.
    pub name: &'static str,
    /// Throughput of TCP, in the slower direction [Mbit/s].
    pub rate: MachineFact,
    /// Time on the way, one direction [ms].
    pub latency: MachineFact,
}

const AIR: FactSource = FactSource::Assumed(
    "two antennas, same or next room, the other end on a cable; half of it from Wi-Fi to Wi-Fi",
);
const ALETHEA: FactSource = FactSource::Measured(
    "iperf3 over TCP at \u{2212}32 dBm, 16 laptops at once, 80 MHz at 5 GHz (Alethea); half of it from Wi-Fi to Wi-Fi",
);
const FRAMES: FactSource = FactSource::Sheet("1460 of the 1538 bytes of a frame, less time stamps");
const RADIO: FactSource = FactSource::Assumed("outdoor coverage of cities, sending");

/// Columns: least, usual and greatest rate [Mbit/s], the same of the latency [ms].
const fn link(
    name: &'static str,
    rate: [f64; 3],
    from: FactSource,
    latency: [f64; 3],
) -> KnownLink {
    const fn fact([low, value, high]: [f64; 3], origin: FactSource) -> MachineFact {
        MachineFact {
            value,
            range: Some((low, high)),
            origin,
        }
    }
    KnownLink {
        name,
        rate: fact(rate, from),
        latency: fact(latency, FactSource::Assumed("half of a usual ping")),
    }
}

/// All links, by kind.
pub const LINKS: &[KnownLink] = &[
    link(
        "Wi-Fi 4, 20 MHz",
        [20.0, 70.0, 100.0],
        AIR,
        [0.5, 2.0, 10.0],
    ),
    link(
        "Wi-Fi 5, 80 MHz",
        [150.0, 400.0, 600.0],
        AIR,
        [0.5, 1.5, 8.0],
    ),
    link(
        "Wi-Fi 6, 80 MHz",
        [250.0, 580.0, 900.0],
        ALETHEA,
        [0.5, 1.5, 8.0],
    ),
    link(
        "Wi-Fi 7, 80 MHz",
        [400.0, 925.0, 1100.0],
        ALETHEA,
        [0.5, 1.5, 8.0],
    ),
    link(
        "Wi-Fi 7, 160 MHz",
        [700.0, 1500.0, 2100.0],
        AIR,
        [0.5, 1.5, 8.0],
    ),
    link(
        "Ethernet, 100 Mbit/s",
        [90.0, 94.0, 94.9],
        FRAMES,
        [0.05, 0.2, 0.5],
    ),
    link(
        "Ethernet, 1 Gbit/s",
        [900.0, 941.0, 949.0],
        FRAMES,
        [0.05, 0.2, 0.5],
    ),
    link(
        "Ethernet, 2.5 Gbit/s",
        [2200.0, 2353.0, 2373.0],
        FRAMES,
        [0.05, 0.15, 0.5],
    ),
    link(
        "Ethernet, 10 Gbit/s",
        [6000.0, 9410.0, 9490.0],
        FRAMES,
        [0.02, 0.1, 0.3],
    ),
    link(
        "USB 3 network, 5 Gbit/s",
        [1000.0, 2500.0, 4000.0],
        FactSource::Assumed("5 Gbit/s less coding, and what controllers manage"),
        [0.1, 0.3, 1.0],
    ),
    link(
        "Thunderbolt 3 or 4",
        [9000.0, 15000.0, 20000.0],
        FactSource::Measured(
            "15 Gbit/s both ways between two Thunderbolt 3 controllers (Linux driver, 2017)",
        ),
        [0.05, 0.15, 0.5],
    ),
    link("4G, sending", [2.0, 10.0, 40.0], RADIO, [15.0, 25.0, 50.0]),
    link(
        "5G mid-band, sending",
        [10.0, 50.0, 150.0],
        RADIO,
        [5.0, 12.0, 30.0],
    ),
];

/// The link with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static KnownLink> {
    LINKS.iter().find(|link| link.name == name)
}
