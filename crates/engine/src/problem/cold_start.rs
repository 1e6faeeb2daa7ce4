//! A cold-start instance: layers, devices and the way a transfer crosses the access point.
//!
//! Source: CSGO, section 2, and section 3's constraints. Numbers arrive bare and become quantities once.

use super::cold_decode::{self, DecodeGoal, DecodeNumbers, DecodeTerms};
use super::loading::Loading;
use super::{Invalid, device_input};
use crate::hardware::DeviceHardware;
use crate::model::{Layer, Transformer};
use crate::network::{Channel, Relay};
use crate::units::{
    BitsPerSecond, Bytes, BytesPerSecond, Flops, FlopsPerSecond, JoulesPerByte, Seconds,
};

/// A layer as numbers: W [FLOP], A [B], P [B].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayerNumbers {
    /// W.
    pub work: f64,
    /// A.
    pub activation: f64,
    /// P.
    pub weights: f64,
}

/// A device as numbers, in base units.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineNumbers {
    /// Label; may repeat.
    pub name: String,
    /// Effective compute rate c [FLOP/s].
    pub compute: f64,
    /// Peak compute rate c* [FLOP/s]; `None` means the same as `compute`.
    pub peak: Option<f64>,
    /// Disk read rate r [B/s].
    pub disk: f64,
    /// Uplink b^u [bit/s].
    pub up: f64,
    /// Downlink b^d [bit/s].
    pub down: f64,
    /// Memory m [B].
    pub memory: f64,
}

/// A validated device.
#[derive(Debug, Clone, PartialEq)]
pub struct ColdMachine {
    /// Label; may repeat.
    pub name: String,
    /// Effective compute rate, c.
    pub compute: FlopsPerSecond,
    /// Peak compute rate, c*: decides who counts as the stronger device.
    pub peak: FlopsPerSecond,
    /// Disk read rate, r.
    pub disk: BytesPerSecond,
    /// Uplink rate, b^u.
    pub up: BitsPerSecond,
    /// Downlink rate, b^d.
    pub down: BitsPerSecond,
    /// Memory for weights and the largest activation, m. Zero makes the device unusable.
    pub memory: Bytes,
}

/// A device as its data sheet has it, with the channel from which it receives.
#[derive(Debug, Clone, PartialEq)]
pub struct PhysicalDevice {
    /// Its place in the list it comes from, for messages: `devices[3]`.
    pub place: usize,
    /// Label; may repeat.
    pub name: String,
    /// The hardware.
    pub hardware: DeviceHardware,
    /// The channel to the access point.
    pub channel: Channel,
    /// Compute rate at the prompt [FLOP/s], where it is known by more than the hardware's utilisation.
    pub compute: Option<f64>,
}

/// The instance. At least one layer and one device; every rate, W and P above zero; A and m at least zero.
#[derive(Debug, Clone, PartialEq)]
pub struct ColdStart {
    pub(super) layers: Vec<Layer>,
    machines: Vec<ColdMachine>,
    relay: Relay,
    decode: Option<DecodeTerms>,
    /// How weights arrive; `None` for the disk of each device.
    pub(super) loading: Option<Loading>,
    /// True if weights that do not fit are read again in every pass.
    pub(super) streams: bool,
    /// Energy of reading a byte from disk, one entry for each machine; empty if no machine states it.
    disk_energy: Vec<Option<JoulesPerByte>>,
}

/// Relative slack of the memory rule: it absorbs the rounding of a sum, so that a device that is exactly
/// full still fits. Section 3, (22).
const MEMORY_SLACK: f64 = 1e-9;

/// More layers than any model has; a larger count in a file would only exhaust memory.
pub const MOST_LAYERS: f64 = 1e7;

impl ColdStart {
    /// Checks every number and builds the instance.
    ///
    /// # Errors
    /// Names the first field that the method cannot take, as `layers[i].W` or `devices[k].r`.
    pub fn new(
        layers: &[LayerNumbers],
        devices: &[MachineNumbers],
        relay: Relay,
    ) -> Result<Self, Invalid> {
        if layers.is_empty() {
            return Err(Invalid::range(
                "layers",
                Vec::<f64>::new(),
                "a list with at least one layer",
            ));
        }
        if devices.is_empty() {
            return Err(Invalid::range(
                "devices",
                Vec::<f64>::new(),
                "a list with at least one device",
            ));
        }
        let checked_layers = layers
            .iter()
            .enumerate()
            .map(|(i, n)| layer(n).map_err(|fault| fault.within(&format!("layers[{i}]"))))
            .collect::<Result<Vec<_>, _>>()?;
        let machines = devices
            .iter()
            .enumerate()
            .map(|(k, n)| machine(n).map_err(|fault| fault.within(&format!("devices[{k}]"))))
            .collect::<Result<Vec<_>, _>>()?;
        let problem = Self {
            layers: checked_layers,
            machines,
            relay,
            decode: None,
            loading: None,
            streams: false,
            disk_energy: Vec::new(),
        };
        if !problem.longest_conceivable().is_finite() {
            let text = "the times of this problem exceed what 64-bit numbers can hold";
            return Err(Invalid::new(
                super::Code::Range,
                "",
                serde_json::Value::Null,
                text,
            ));
        }
        Ok(problem)
    }

    /// The instance of a transformer, a prompt length and devices behind a wireless star.
    ///
    /// Equations (1)-(12). `tokens_path` names the prompt length in messages (`t`, `tokens[3]`).
    ///
    /// # Errors
    /// As [`ColdStart::new`]; a rate that the physics makes zero or infinite is blamed on the field that
    /// does it, or on the device when several share the fault.
    pub fn from_physics(
        model: &Transformer,
        tokens: f64,
        tokens_path: &str,
        devices: &[PhysicalDevice],
        relay: Relay,
    ) -> Result<Self, Invalid> {
        if model.n_layers == 0 || f64::from(model.n_layers) > MOST_LAYERS {
            return Err(Invalid::range(
                "model.layers",
                model.n_layers,
                "a whole number from 1 to 10000000",
            ));
        }
        for (key, value) in [
            ("d_model", model.d_model),
            ("h_q", model.h_q),
            ("h_k", model.h_k),
            ("d_head", model.d_head),
            ("d_ff", model.d_ff),
        ] {
            if value.is_nan() || value < 0.0 {
                return Err(Invalid::range(
                    format!("model.{key}"),
                    value,
                    "a number, 0 or above",
                ));
            }
        }
        if tokens.is_nan() || tokens <= 0.0 {
            return Err(Invalid::range(
                tokens_path,
                tokens,
                "a number of tokens above 0",
            ));
        }
        let (work, activation, weights) = model.block(tokens);
        let block = LayerNumbers {
            work,
            activation,
            weights,
        };
        if let Err(fault) = layer(&block) {
            let message = format!("model: one block comes out with {}", fault.message);
            return Err(Invalid::new(fault.code, "model", *fault.value, message));
        }
        let layers = vec![block; model.n_layers as usize];
        Self::from_layers(&layers, tokens, devices, relay)
    }

    /// The instance of layers given as numbers, and devices behind a wireless star.
    ///
    /// Equations (8)-(12): `tokens`, a finite number above 0, decides only how well the devices are used.
    ///
    /// # Errors
    /// As [`ColdStart::from_physics`].
    pub fn from_layers(
        layers: &[LayerNumbers],
        tokens: f64,
        devices: &[PhysicalDevice],
        relay: Relay,
    ) -> Result<Self, Invalid> {
        let machines = devices
            .iter()
            .map(|device| {
                device_input::numbers(device, tokens, &format!("devices[{}]", device.place))
            })
            .collect::<Result<Vec<_>, _>>()?;
        Self::new(layers, &machines, relay)
    }

    /// Returns the problem with an answer to plan for: the cost of a token, and keys and values in memory.
    ///
    /// # Errors
    /// The first field that cannot be, as `layers[i].W_dec`, `devices[k].beta` or `decode.G`.
    ///
    /// # Panics
    /// When `numbers` has other layers or devices than the problem.
    pub fn with_decode(mut self, numbers: &DecodeNumbers) -> Result<Self, Invalid> {
        assert_eq!(numbers.layers.len(), self.layers.len());
        assert_eq!(numbers.devices.len(), self.machines.len());
        let compute: Vec<FlopsPerSecond> = self.machines.iter().map(|m| m.compute).collect();
        let (terms, kept) = cold_decode::checked(numbers, &self.layers, &compute)?;
        for (layer, kept) in self.layers.iter_mut().zip(kept) {
            layer.resident = layer.weights + kept;
        }
        self.decode = Some(terms);
        Ok(self)
    }

    /// Returns the problem with additional memory of every layer beside its weights (or what an answer needs, if that is more),
    /// and of the first and the last layer: embedding and output head are where they run.
    ///
    /// # Errors
    /// A sum that 64-bit numbers cannot hold.
    ///
    /// # Panics
    /// When `kept` has another number of layers than the problem.
    pub fn with_resident_memory(
        mut self,
        kept: &[f64],
        first: f64,
        last: f64,
    ) -> Result<Self, Invalid> {
        assert_eq!(kept.len(), self.layers.len());
        let end = self.layers.len() - 1;
        for (i, (layer, kept)) in self.layers.iter_mut().zip(kept).enumerate() {
            let mut held = layer.resident.get().max(layer.weights.get() + kept);
            held += if i == 0 { first } else { 0.0 };
            held += if i == end { last } else { 0.0 };
            let path = || format!("layers[{i}]");
            layer.resident =
                Bytes::new(held).ok_or_else(|| Invalid::range(path(), held, NOT_NEGATIVE))?;
        }
        Ok(self)
    }

    /// Returns the problem with the energy of reading from the disk of each machine, where it is known: in the field `key`,
    /// joules for `bytes` bytes.
    ///
    /// # Errors
    /// The first that cannot be, as `devices[k].disk_j_per_gb`.
    pub fn with_disk_energy(
        mut self,
        key: &str,
        bytes: f64,
        energies: &[Option<f64>],
    ) -> Result<Self, Invalid> {
        let checked = |(k, energy): (usize, &Option<f64>)| {
            let Some(energy) = *energy else {
                return Ok(None);
            };
            let energy = not_negative(key, energy)
                .map_err(|fault| fault.within(&format!("devices[{k}]")))?;
            Ok(JoulesPerByte::new(energy / bytes))
        };
        if energies.iter().any(Option::is_some) {
            let all = energies.iter().enumerate().map(checked);
            self.disk_energy = all.collect::<Result<_, Invalid>>()?;
        }
        Ok(self)
    }

    /// Returns the energy of reading a byte from the disk of a machine, if it is known.
    #[must_use]
    pub fn disk_energy(&self, device: usize) -> Option<JoulesPerByte> {
        self.disk_energy.get(device).copied().flatten()
    }

    /// Returns true if that is known of any machine.
    #[must_use]
    pub fn knows_disk_energy(&self) -> bool {
        !self.disk_energy.is_empty()
    }

    /// Returns the costs of an answer; `None` if only the first token counts.
    #[must_use]
    pub fn decode(&self) -> Option<&DecodeTerms> {
        self.decode.as_ref()
    }

    /// Returns the goal.
    #[must_use]
    pub fn goal(&self) -> DecodeGoal {
        self.decode
            .as_ref()
            .map_or(DecodeGoal::FirstAnswer, DecodeTerms::goal)
    }

    /// Returns the problem with another goal; without an answer to plan for, only the first token counts.
    #[must_use]
    pub fn with_goal(&self, goal: DecodeGoal) -> Self {
        let mut changed = self.clone();
        if let Some(decode) = &mut changed.decode {
            decode.goal = goal;
        }
        changed
    }

    /// Time for one token to go from a device to another after layer `cut`, from 1: its bytes, and the fixed latency.
    /// Zero if no tokens are generated.
    #[must_use]
    pub fn token_hop(&self, from: usize, to: usize, cut: usize) -> Seconds {
        self.decode.as_ref().map_or(Seconds::ZERO, |decode| {
            self.hop(from, to, decode.layers[cut - 1].token) + decode.hop
        })
    }

    /// The layers in order.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The devices; plans refer to them by index.
    #[must_use]
    pub fn machines(&self) -> &[ColdMachine] {
        &self.machines
    }

    /// How a transfer crosses the access point.
    #[must_use]
    pub fn relay(&self) -> Relay {
        self.relay
    }

    /// Time for `activation` to go up from one device and down to another. Equation (20).
    #[must_use]
    pub fn hop(&self, from: usize, to: usize, activation: Bytes) -> Seconds {
        let (up, down) = (self.machines[from].up, self.machines[to].down);
        match self.relay {
            Relay::SlowerHop => activation / up.min(down),
            Relay::StoreAndForward => activation / up + activation / down,
        }
    }

    /// Time [s] for so many bytes to go up from one device and down to another.
    #[must_use]
    pub fn transfer(&self, from: usize, to: usize, bytes: f64) -> f64 {
        Bytes::new(bytes).map_or(0.0, |bytes| self.hop(from, to, bytes).get())
    }

    /// Returns true if a device can hold `need` bytes: inclusive, with the slack of section 3.
    #[must_use]
    pub fn fits(&self, device: usize, need: f64) -> bool {
        need <= self.capacity(device)
    }

    /// The most bytes that count as fitting on a device, slack included.
    #[must_use]
    pub fn capacity(&self, device: usize) -> f64 {
        self.machines[device].memory.get() * (1.0 + MEMORY_SLACK)
    }

    /// Returns the problem with another memory of one device.
    ///
    /// # Panics
    /// When there is no such device.
    #[must_use]
    pub fn with_memory(&self, device: usize, memory: Bytes) -> Self {
        let mut changed = self.clone();
        changed.machines[device].memory = memory;
        changed
    }

    /// Returns true if all layers are equal, which reduces packing to counting.
    #[must_use]
    pub fn identical_layers(&self) -> bool {
        let tokens = self.decode.as_ref().map_or(&[][..], |d| &d.layers);
        self.layers.iter().all(|layer| *layer == self.layers[0])
            && tokens.iter().all(|layer| *layer == tokens[0])
    }

    /// An upper bound on every time that can occur: all loads, computations and hops at the slowest rates.
    #[must_use]
    pub fn longest_conceivable(&self) -> f64 {
        let least = |rate: fn(&ColdMachine) -> f64| {
            self.machines.iter().map(rate).fold(f64::INFINITY, f64::min)
        };
        let total = |size: fn(&Layer) -> f64| self.layers.iter().map(size).sum::<f64>();
        let slowest_link = least(|m| m.up.min(m.down).get());
        total(|l| l.weights.get()) / least(|m| m.disk.get())
            + total(|l| l.work.get()) / least(|m| m.compute.get())
            + 16.0 * total(|l| l.activation.get()) / slowest_link
    }
}

const POSITIVE: &str = "a finite number above 0";
const NOT_NEGATIVE: &str = "a finite number, 0 or above";

pub(super) fn positive(path: &str, value: f64) -> Result<f64, Invalid> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(Invalid::range(path, value, POSITIVE))
    }
}

pub(super) fn not_negative(path: &str, value: f64) -> Result<f64, Invalid> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(Invalid::range(path, value, NOT_NEGATIVE))
    }
}

/// A device's name, or its place in the fleet where it has none.
#[must_use]
pub fn device_name(problem: &ColdStart, device: usize) -> String {
    match problem.machines().get(device).map(|m| m.name.trim()) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("D{}", device + 1),
    }
}

/// Wraps a number that has just been checked.
macro_rules! quantity {
    ($kind:ident, $checked:expr) => {
        $kind::new($checked).expect("the check refuses what is no quantity")
    };
}

fn layer(n: &LayerNumbers) -> Result<Layer, Invalid> {
    let work = quantity!(Flops, positive("W", n.work)?);
    let activation = quantity!(Bytes, not_negative("A", n.activation)?);
    let weights = quantity!(Bytes, positive("P", n.weights)?);
    Ok(Layer {
        work,
        activation,
        weights,
        resident: weights,
    })
}

fn machine(n: &MachineNumbers) -> Result<ColdMachine, Invalid> {
    let compute = quantity!(FlopsPerSecond, positive("c", n.compute)?);
    Ok(ColdMachine {
        name: n.name.clone(),
        compute,
        peak: match n.peak {
            Some(peak) => quantity!(FlopsPerSecond, positive("c_peak", peak)?),
            None => compute,
        },
        disk: quantity!(BytesPerSecond, positive("r", n.disk)?),
        up: quantity!(BitsPerSecond, positive("bu", n.up)?),
        down: quantity!(BitsPerSecond, positive("bd", n.down)?),
        memory: quantity!(Bytes, not_negative("m", n.memory)?),
    })
}
