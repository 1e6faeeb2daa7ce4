//! Policy of dispatch: for every prompt length a mixture of actions.

use serde::{Deserialize, Serialize};

/// Starts for a request.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Starts {
    /// True if the server starts, at time 0.
    pub server: bool,
    /// Which device starts, from 0, and after which wait [s]: it starts if the server's first token comes later than that.
    /// Without the server it always starts.
    pub device: Option<(usize, f64)>,
}

impl Starts {
    /// The server alone.
    pub const SERVER: Self = Self {
        server: true,
        device: None,
    };

    /// A device alone, at time 0.
    #[must_use]
    pub const fn device(device: usize) -> Self {
        Self {
            server: false,
            device: Some((device, 0.0)),
        }
    }

    /// The server, and a device after a wait [s]; `None` is never.
    #[must_use]
    pub fn race(device: usize, wait: Option<f64>) -> Self {
        Self {
            server: true,
            device: wait.map(|wait| (device, wait)),
        }
    }
}

/// Acts with probabilities that add up to 1.
pub type ActMixture = Vec<(f64, Starts)>;

/// For every prompt length, ascending, a mixture of acts with probabilities that add up to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    /// The mixtures.
    pub acts: Vec<ActMixture>,
}

impl Policy {
    /// One act for every length.
    #[must_use]
    pub fn of(acts: impl IntoIterator<Item = Starts>) -> Self {
        Self {
            acts: acts.into_iter().map(|act| vec![(1.0, act)]).collect(),
        }
    }

    /// Creates a policy with one mixture for all of `lengths` prompt lengths.
    #[must_use]
    pub fn same(mixture: &[(f64, Starts)], lengths: usize) -> Self {
        Self {
            acts: vec![mixture.to_vec(); lengths],
        }
    }

    /// This policy with probability 1 - `share`, another one with `share`. Equal acts are added up.
    #[must_use]
    pub fn mixed(&self, other: &Self, share: f64) -> Self {
        if share <= 0.0 {
            return self.clone();
        }
        if share >= 1.0 {
            return other.clone();
        }
        let mix = |(mine, theirs): (&ActMixture, &ActMixture)| {
            let mut both: ActMixture = Vec::new();
            let mine = mine.iter().map(|(p, act)| (p * (1.0 - share), *act));
            let theirs = theirs.iter().map(|(p, act)| (p * share, *act));
            for (p, act) in mine.chain(theirs) {
                match both.iter_mut().find(|(_, known)| *known == act) {
                    Some((sum, _)) => *sum += p,
                    None => both.push((p, act)),
                }
            }
            if let [(p, _)] = both.as_mut_slice() {
                *p = 1.0;
            }
            both
        };
        Self {
            acts: self.acts.iter().zip(&other.acts).map(mix).collect(),
        }
    }
}

/// Which endpoint is scarce: the other one always starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Scarce {
    /// The device: the server always starts, the device may follow.
    Device,
    /// The server: the device always starts, the server may join it.
    Server,
}
