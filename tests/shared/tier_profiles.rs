//! Stage times of the paper's two models on its three devices, from the formulas of the cost model alone: nothing of
//! the crate's catalogues or cost model is used, so that both can be compared with it.
#![allow(dead_code)] // Shared by several test programs; none needs all of it.

use super::tier_runs::network;
use engine::problem::{Mode, TierRunNumbers};

/// A decoder, as its configuration has it.
#[derive(Debug, Clone, Copy)]
pub struct Decoder {
    pub blocks: usize,
    pub width: f64,
    pub inner: f64,
    pub heads: f64,
    pub kv_heads: f64,
    pub head: f64,
    pub vocabulary: f64,
    /// 10^9 parameters.
    pub params: f64,
}

pub const LLAMA: Decoder = Decoder {
    blocks: 32,
    width: 4096.0,
    inner: 14336.0,
    heads: 32.0,
    kv_heads: 8.0,
    head: 128.0,
    vocabulary: 128_256.0,
    params: 8.030_261_248,
};

pub const PHI: Decoder = Decoder {
    blocks: 40,
    width: 5120.0,
    inner: 17920.0,
    heads: 40.0,
    kv_heads: 10.0,
    head: 128.0,
    vocabulary: 32_064.0,
    params: 13.960_238_080,
};

/// A device: TOPS of its data sheet, GB/s of its memory, power [W].
#[derive(Debug, Clone, Copy)]
pub struct Device(pub f64, pub f64, pub f64);

pub const NANO: Device = Device(67.0, 68.0, 25.0);
pub const NX: Device = Device(157.0, 102.4, 40.0);
pub const AGX: Device = Device(200.0, 204.8, 40.0);

/// How well the devices are used.
#[derive(Debug, Clone, Copy)]
pub struct Profile {
    /// Bytes a weight.
    pub bytes: f64,
    pub eta_b: f64,
    /// A stage pass takes so much longer [s].
    pub overhead: f64,
    /// A request waits so long before it enters [s per 10^9 parameters].
    pub setup: f64,
}

pub const R16: Profile = Profile {
    bytes: 2.0,
    eta_b: 0.6,
    overhead: 0.0,
    setup: 0.0,
};

pub const T2: Profile = Profile {
    bytes: 1.0,
    eta_b: 0.51,
    overhead: 0.0272,
    setup: 0.0,
};

pub const F9: Profile = Profile {
    bytes: 1.0,
    eta_b: 0.75,
    overhead: 0.0,
    setup: 1.65,
};

pub fn profile(name: &str) -> Profile {
    match name {
        "R16" => R16,
        "T2" => T2,
        "F9" => F9,
        other => panic!("no profile {other}"),
    }
}

pub fn model(name: &str) -> Decoder {
    match name {
        "llama" => LLAMA,
        "phi" => PHI,
        other => panic!("no model {other}"),
    }
}

const PROMPT: f64 = 64.0;

impl Decoder {
    fn weights(&self) -> f64 {
        let (d, h) = (self.width, self.head);
        2.0 * d * self.heads * h + 2.0 * d * self.kv_heads * h + 3.0 * d * self.inner
    }

    /// Bytes of the cache of a token in a block.
    pub fn cache(&self) -> f64 {
        2.0 * self.kv_heads * self.head * 2.0
    }

    /// (prefill, decode) of `blocks` blocks on a device, with the output head where `last` [ms].
    pub fn stage(
        &self,
        device: Device,
        profile: Profile,
        blocks: usize,
        tokens: f64,
        last: bool,
    ) -> (f64, f64) {
        let Device(tops, bandwidth, _) = device;
        let (rate, bytes) = (0.5 * tops / 4.0 * 1e12, profile.eta_b * bandwidth * 1e9);
        let roof = |work: f64, moved: f64| (work / rate).max(moved / bytes);
        let weights = self.weights() * profile.bytes + 4.0 * self.width;
        let attention = self.heads * self.head;
        let context = PROMPT + tokens / 2.0;
        let prefill = roof(
            2.0 * self.weights() * PROMPT + 2.0 * attention * PROMPT * (PROMPT + 1.0),
            weights + PROMPT * self.cache(),
        );
        let decode = roof(
            2.0 * self.weights() + 4.0 * attention * context,
            weights + context * self.cache(),
        );
        let head = self.vocabulary * self.width;
        let head = if last {
            roof(2.0 * head, head * profile.bytes)
        } else {
            0.0
        };
        let whole = |block: f64| 1000.0 * (blocks as f64 * block + head + profile.overhead);
        (whole(prefill), whole(decode))
    }

    /// What a further pass of a batch adds on a tier [s]: its own cache is read, the weights are not.
    pub fn batch_inc(&self, device: Device, profile: Profile, blocks: usize, tokens: f64) -> f64 {
        let context = PROMPT + tokens / 2.0;
        blocks as f64 * context * self.cache() / (profile.eta_b * device.1 * 1e9)
    }
}

/// The paper's network of 3, 3 and 2 nodes, cut like this, at 1 Gbit/s, for requests of 128 tokens.
pub fn three_tiers(
    decoder: Decoder,
    profile: Profile,
    split: &[usize],
    mode: Mode,
) -> TierRunNumbers {
    tiers(
        decoder,
        profile,
        &[(NANO, 3), (NX, 3), (AGX, 2)],
        split,
        128.0,
        mode,
    )
}

/// A network of (device, nodes), cut like this, without tasks.
pub fn tiers(
    decoder: Decoder,
    profile: Profile,
    devices: &[(Device, usize)],
    split: &[usize],
    tokens: f64,
    mode: Mode,
) -> TierRunNumbers {
    assert_eq!(split.iter().sum::<usize>(), decoder.blocks);
    let stages: Vec<(usize, f64, f64)> = devices
        .iter()
        .zip(split)
        .enumerate()
        .map(|(j, ((device, nodes), blocks))| {
            let last = j + 1 == split.len();
            let (prefill, decode) = decoder.stage(*device, profile, *blocks, tokens, last);
            (*nodes, prefill, decode)
        })
        .collect();
    network(mode, &stages, decoder.width, &[])
}

/// `5/9/18`.
pub fn split(text: &str) -> Vec<usize> {
    text.split('/')
        .map(|n| n.parse().expect("a split"))
        .collect()
}
