//! Which requests change ends after their first token, and when.

/// Hand-overs by prompt length, in the order of the instance. An answer that is no longer than the tokens named here ends
/// where it began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moves {
    /// Of requests that the server won: to which device, and after how many tokens.
    pub from_server: Vec<Option<(usize, u32)>>,
    /// Of requests that a device won, device by device: after how many tokens they move to the server.
    pub from_device: Vec<Vec<Option<u32>>>,
}

impl Moves {
    /// No hand-over at all, for so many lengths and devices.
    #[must_use]
    pub fn none(lengths: usize, devices: usize) -> Self {
        Self {
            from_server: vec![None; lengths],
            from_device: vec![vec![None; lengths]; devices],
        }
    }
}
