//! Published channels, one row each, with the place the numbers come from.

use super::Channel;

/// A catalogue row.
#[derive(Debug, Clone, Copy)]
pub struct CatalogChannel {
    /// Name on the page.
    pub name: &'static str,
    /// Its parameters.
    pub channel: Channel,
    /// Where the numbers were read.
    pub source: &'static str,
}

/// All channels.
pub const CHANNELS: &[CatalogChannel] = &[CatalogChannel {
    name: "Wi-Fi, 160 MHz a device",
    channel: Channel {
        efficiency: 0.5,
        bandwidth_mhz: 160.0,
        noise_dbm_hz: -174.0,
        reference_m: 1.0,
        path_loss: 3.0,
        gain_db: -47.2,
    },
    source: "CSGO, Table 1 (shared by all devices)",
}];
