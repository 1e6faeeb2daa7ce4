//! The scenario's wire format, version 3. Every field is written, in this order, so that a later default
//! cannot move an old link's numbers; unknown fields are refused, missing ones too, but for those that say that something
//! is not asked or not known: they are left out. Versions 1 and 2 are still read.
//!
//! Field names are those of the problem files where both have the field.

use super::fields::{self, NumberFields, numbers};
use super::format1::{self, FORMAT_1};
use super::prefill::prompt_rate;
use super::{Decode, Loading, Memory, Model, Question, Ranges, WeightSource, world};
use crate::hardware;
use crate::network::{self, Relay};
use crate::problem::{Code, ColdStart, HeuristicReading, Invalid, PhysicalDevice, json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of the format that this program writes.
pub const FORMAT: u32 = 3;
/// The version before it: without what follows the first answer, memory rates and ranges.
const FORMAT_2: u32 = 2;
/// The versions that are read, the newest last.
const READ: [u32; 3] = [FORMAT_1, FORMAT_2, FORMAT];

/// Everything a person can set for one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Version of this format.
    pub format: u32,
    /// The question.
    pub question: Question,
    /// Name of the scenario on the page.
    pub title: String,
    /// The model to run.
    pub model: Model,
    /// Prompt length [tokens].
    pub prompt_tokens: f64,
    /// The channel all devices share.
    pub channel: Channel,
    /// How a transfer crosses the access point.
    pub relay: Relay,
    /// How the heuristic baseline is read.
    pub heuristic: HeuristicReading,
    /// The fleet.
    pub devices: Vec<Device>,
    /// Tokens after the first answer; left out if only that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decode: Option<Decode>,
    /// Memory as it is when a plan runs; left out where the paper's rule holds, which knows blocks and outputs alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
    /// How devices get their weights; left out for their own disks, as in the paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loading: Option<Loading>,
    /// Inputs of its own that are known as a range only: "prompt_tokens", "channel.mu".
    #[serde(default, skip_serializing_if = "Ranges::is_empty")]
    pub ranges: Ranges,
}

/// A wireless channel; see [`network::Channel`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
pub struct Channel {
    /// Share of the Shannon rate; above 0.
    pub mu: f64,
    /// Bandwidth of each device [MHz]; above 0.
    pub B_mhz: f64,
    /// Noise density [dBm/Hz].
    pub N0_dbm_hz: f64,
    /// Reference distance [m]; above 0.
    pub d0_m: f64,
    /// Path-loss exponent.
    pub zeta: f64,
    /// Gain at the reference distance [dB].
    pub beta0_db: f64,
}

/// Channel values of one device in place of the shared ones; `null` keeps the shared value.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case)]
pub struct ChannelPart {
    /// Share of the Shannon rate.
    pub mu: Option<f64>,
    /// Bandwidth [MHz].
    pub B_mhz: Option<f64>,
    /// Noise density [dBm/Hz].
    pub N0_dbm_hz: Option<f64>,
    /// Reference distance [m].
    pub d0_m: Option<f64>,
    /// Path-loss exponent.
    pub zeta: Option<f64>,
    /// Gain at the reference distance [dB].
    pub beta0_db: Option<f64>,
}

/// A device; see [`hardware::DeviceHardware`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// Its name.
    pub name: String,
    /// True if it is switched off: it keeps its numbers and its place, and no plan may use it.
    pub off: bool,
    /// Peak compute [TFLOPS].
    pub c_peak_tflops: f64,
    /// Utilisation that long prompts approach.
    pub a: f64,
    /// How soon it is approached [1/token].
    pub b: f64,
    /// Disk read rate [MB/s].
    pub r_mb_s: f64,
    /// Memory [GB].
    pub m_gb: f64,
    /// Uplink power [dBm].
    pub pu_dbm: f64,
    /// Downlink power [dBm].
    pub pd_dbm: f64,
    /// Distance to the access point [m].
    pub d_m: f64,
    /// Its own channel values, or `null`.
    pub link: Option<ChannelPart>,
    /// Memory bandwidth [GB/s]; left out where unknown. Only the tokens after the first answer need it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bandwidth_gb_s: Option<f64>,
    /// Compute rate on prompts, attention apart [TFLOPS]; left out where `a` and `b` say how much of the peak a prompt reaches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefill_tflops: Option<f64>,
    /// Compute rate of attention on prompts [TFLOPS]; left out for that of the rest. Only with `prefill_tflops`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attention_tflops: Option<f64>,
    /// Fixed time of each layer and batch of 512 prompt tokens [us]; left out for none. Only with `prefill_tflops`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch_us: Option<f64>,
    /// Share of the memory rate that decoding reaches; left out where unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_share: Option<f64>,
    /// Compute rate in decoding [TFLOPS]; left out for the rate that long prompts approach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decode_tflops: Option<f64>,
    /// Fixed time of each layer and token [us]; left out where unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer_us: Option<f64>,
    /// How many times longer its host takes to launch the kernels of a layer than a usual one: 1 for a usual host, about 5 for a slow
    /// one; left out where unknown. What is assumed as `layer_us` of NVIDIA cards follows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_factor: Option<f64>,
    /// Fixed time of each token outside the layers [ms]; left out where unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_ms: Option<f64>,
    /// Energy of reading from the disk [J/GB]; left out where unknown. No plan depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk_j_per_gb: Option<f64>,
    /// Its numbers that are known as a range only: "r_mb_s", "link.mu".
    #[serde(default, skip_serializing_if = "Ranges::is_empty")]
    pub ranges: Ranges,
}

numbers!(Scenario: prompt_tokens);
numbers!(Channel: mu, B_mhz, N0_dbm_hz, d0_m, zeta, beta0_db);
numbers!(ChannelPart: [mu], [B_mhz], [N0_dbm_hz], [d0_m], [zeta], [beta0_db]);
numbers!(Device: c_peak_tflops, a, b, r_mb_s, m_gb, pu_dbm, pd_dbm, d_m, [bandwidth_gb_s], [prefill_tflops], [attention_tflops], [batch_us], [memory_share], [decode_tflops], [layer_us], [host_factor], [token_ms], [disk_j_per_gb]);

impl Channel {
    /// The channel with a device's own values put in.
    #[must_use]
    pub fn with(&self, own: &ChannelPart) -> Self {
        let mut all = *self;
        for (field, value) in own.numbers() {
            all.set_number(field.key, value);
        }
        all
    }
}

impl From<Channel> for network::Channel {
    fn from(c: Channel) -> Self {
        Self {
            efficiency: c.mu,
            bandwidth_mhz: c.B_mhz,
            noise_dbm_hz: c.N0_dbm_hz,
            reference_m: c.d0_m,
            path_loss: c.zeta,
            gain_db: c.beta0_db,
        }
    }
}

impl From<network::Channel> for Channel {
    fn from(c: network::Channel) -> Self {
        Self {
            mu: c.efficiency,
            B_mhz: c.bandwidth_mhz,
            N0_dbm_hz: c.noise_dbm_hz,
            d0_m: c.reference_m,
            zeta: c.path_loss,
            beta0_db: c.gain_db,
        }
    }
}

impl From<&Device> for hardware::DeviceHardware {
    fn from(d: &Device) -> Self {
        Self {
            peak_tflops: d.c_peak_tflops,
            util_limit: d.a,
            util_rate: d.b,
            disk_mb_s: d.r_mb_s,
            memory_gb: d.m_gb,
            uplink_dbm: d.pu_dbm,
            downlink_dbm: d.pd_dbm,
            distance_m: d.d_m,
        }
    }
}

impl Device {
    /// Refuses what goes with a compute rate on prompts where there is none.
    fn check_prefill(&self, owner: &str) -> Result<(), Invalid> {
        let stray = [
            ("attention_tflops", self.attention_tflops),
            ("batch_us", self.batch_us),
        ];
        let stray = stray.into_iter().find(|(_, value)| value.is_some());
        match (self.prefill_tflops, stray) {
            (None, Some((key, _))) => {
                let path = format!("{owner}.prefill_tflops");
                let message = format!(
                    "{path} is missing: {key} is of no use without a compute rate on prompts, in whose place a and b stand"
                );
                let null = serde_json::Value::Null;
                Err(Invalid::new(Code::Missing, path, null, message))
            }
            _ => Ok(()),
        }
    }

    /// A catalogue row under a name of its own.
    #[must_use]
    pub fn from_hardware(name: &str, d: &hardware::DeviceHardware) -> Self {
        Self {
            name: name.to_owned(),
            off: false,
            c_peak_tflops: d.peak_tflops,
            a: d.util_limit,
            b: d.util_rate,
            r_mb_s: d.disk_mb_s,
            m_gb: d.memory_gb,
            pu_dbm: d.uplink_dbm,
            pd_dbm: d.downlink_dbm,
            d_m: d.distance_m,
            link: None,
            bandwidth_gb_s: None,
            prefill_tflops: None,
            attention_tflops: None,
            batch_us: None,
            memory_share: None,
            decode_tflops: None,
            layer_us: None,
            host_factor: None,
            token_ms: None,
            disk_j_per_gb: None,
            ranges: Ranges::new(),
        }
    }
}

/// The places of a scenario where an object stands, for [`json::read`].
pub(super) const OBJECTS: [&str; 12] = [
    "",
    "model",
    "model.layers[]",
    "model.blocks[]",
    "channel",
    "devices[]",
    "devices[].link",
    "devices[].ranges",
    "decode",
    "memory",
    "loading",
    "ranges",
];

impl Scenario {
    /// Reads a scenario file, of this format or an older one.
    ///
    /// # Errors
    /// Names the field, what it holds and what is allowed. A document of another kind is recognised.
    pub fn from_json(text: &str) -> Result<Self, Invalid> {
        let read = match format_of(text) {
            Some(FORMAT_1) => format1::read(text, &OBJECTS),
            Some(FORMAT_2) => json::read(text, &OBJECTS).and_then(Self::of_format_2),
            _ => json::read(text, &OBJECTS),
        };
        match read {
            Ok(scenario) => scenario.validate().map(|()| scenario),
            Err(fault) => Err(other_document(text).unwrap_or(fault)),
        }
    }

    /// Converts from format 2, which differs only in what it could not express.
    ///
    /// # Errors
    /// A field that came later.
    fn of_format_2(mut self) -> Result<Self, Invalid> {
        // What may be left out of a device came with format 3 or later.
        let later = |d: &Device| {
            let mut optional = Device::NUMBERS.iter().filter(|number| number.is_optional);
            let number = optional.find(|number| (number.get)(d).is_some());
            let ranges = (!d.ranges.is_empty()).then_some("ranges");
            number.map(|number| number.field.key).or(ranges)
        };
        let mut devices = self.devices.iter().enumerate();
        let newer = match devices.find_map(|(k, device)| Some((k, later(device)?))) {
            Some((k, field)) => Some(format!("devices[{k}].{field}")),
            None if self.decode.is_some() => Some("decode".to_owned()),
            None if self.memory.is_some() => Some("memory".to_owned()),
            None if self.loading.is_some() => Some("loading".to_owned()),
            None if !self.ranges.is_empty() => Some("ranges".to_owned()),
            None => None,
        };
        if let Some(path) = newer {
            let message = format!("{path} is unknown in format 2; format {FORMAT} has it");
            return Err(Invalid::new(
                Code::Unknown,
                path,
                serde_json::Value::Null,
                message,
            ));
        }
        self.format = FORMAT;
        Ok(self)
    }

    /// The scenario as a file: every field, fixed order, numbers that read back to the same bits.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("plain data with text keys always serialises")
    }

    /// Checks every field against the ranges of the page, and that there is a fleet.
    ///
    /// # Errors
    /// The first field out of range; no device, too many, or none that is on.
    pub fn validate(&self) -> Result<(), Invalid> {
        self.validate_fields()?;
        let count = self.devices.len();
        if count == 0 || count > fields::MOST_DEVICES {
            let allowed = format!("a list of 1 to {} devices", fields::MOST_DEVICES);
            return Err(Invalid::new(
                Code::Range,
                "devices",
                count,
                format!("devices must be {allowed}, it has {count}"),
            ));
        }
        if self.is_empty() {
            let message = "devices must have at least one that is switched on, all are off";
            return Err(Invalid::new(Code::Range, "devices", count, message));
        }
        Ok(())
    }

    /// Returns true if there is no device that a plan could use. The page has a state for that, while links and files refuse it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.switched_on().next().is_none()
    }

    /// Checks every field against the ranges of the page; the fleet may be empty.
    ///
    /// # Errors
    /// The first field out of range.
    pub fn validate_fields(&self) -> Result<(), Invalid> {
        let head = (self.format, self.question, self.title.as_str());
        check_head(head, Question::ColdStart, &READ)?;
        self.model.validate()?;
        self.decode.map_or(Ok(()), |decode| decode.validate())?;
        self.memory.map_or(Ok(()), |memory| memory.validate())?;
        if let Some(loading) = &self.loading {
            loading.validate(&self.devices)?;
        }
        self.check_numbers("")?;
        self.channel.check_numbers("channel")?;
        for (k, device) in self.devices.iter().enumerate() {
            let owner = format!("devices[{k}]");
            fields::text(&format!("{owner}.name"), &device.name, fields::LONGEST_NAME)?;
            device.check_numbers(&owner)?;
            device.check_prefill(&owner)?;
            if let Some(own) = device.link {
                own.check_numbers(&format!("{owner}.link"))?;
            }
        }
        self.validate_spans()
    }

    /// The devices that a plan may use, each with its place in the fleet. Their order is that of the
    /// problem's machines: the machine with index n is the n-th of these.
    pub fn switched_on(&self) -> impl Iterator<Item = (usize, &Device)> {
        self.devices.iter().enumerate().filter(|(_, d)| !d.off)
    }

    /// The problem this scenario poses, at its own prompt length.
    ///
    /// # Errors
    /// A field out of range, or physics that gives a rate of zero.
    pub fn problem(&self) -> Result<ColdStart, Invalid> {
        self.problem_at(self.prompt_tokens)
    }

    /// Returns the problem at another prompt length, for sweeps.
    ///
    /// # Errors
    /// As [`Scenario::problem`].
    pub fn problem_at(&self, tokens: f64) -> Result<ColdStart, Invalid> {
        self.validate()?;
        fields::check("", "prompt_tokens", tokens)?;
        let devices: Vec<PhysicalDevice> = self
            .switched_on()
            .map(|(place, device)| PhysicalDevice {
                place,
                name: device.name.clone(),
                hardware: hardware::DeviceHardware {
                    memory_gb: match &self.memory {
                        Some(memory) => memory.usable_gb(device),
                        None => device.m_gb,
                    },
                    ..device.into()
                },
                channel: self.channel.with(&device.link.unwrap_or_default()).into(),
                compute: prompt_rate(&self.model, device, tokens),
            })
            .collect();
        let problem = match &self.model {
            Model::Dimensions(dims) if dims.weights.is_none() => ColdStart::from_physics(
                &dims.transformer(),
                tokens,
                "prompt_tokens",
                &devices,
                self.relay,
            ),
            Model::Dimensions(_) | Model::Table(_) | Model::Blocks(_) => {
                let layers = self.model.layers_at(tokens);
                ColdStart::from_layers(&layers, tokens, &devices, self.relay)
            }
        }?;
        let energies: Vec<_> = self.switched_on().map(|(_, d)| d.disk_j_per_gb).collect();
        let from = self.loading.as_ref().map_or(WeightSource::Disk, |l| l.from);
        let problem = match from {
            WeightSource::Disk => problem.with_disk_energy("disk_j_per_gb", 1e9, &energies)?,
            // A host reads for all, a cache is read on top, or nothing is read: no sum over the stages' own disks.
            WeightSource::Host | WeightSource::HostCache | WeightSource::Memory => problem,
        };
        let problem = match &self.decode {
            Some(decode) => {
                let numbers =
                    decode.of_problem(&self.model, self.head_cost(), tokens, self.switched_on())?;
                problem.with_decode(&numbers)?
            }
            None => problem,
        };
        let problem = match &self.memory {
            Some(memory) => self.with_memory(problem, memory, tokens)?,
            None => problem,
        };
        Ok(self.with_loading(problem))
    }
}

/// The fields of a file that identify it.
#[derive(Deserialize)]
pub(super) struct Head {
    /// Its format.
    pub format: Option<u32>,
    /// Its question.
    pub question: Option<String>,
}

impl Head {
    /// The head of a document; `None` where it has none that could be one.
    pub(super) fn of(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// Returns the format that a file states; `None` if it states none.
pub(super) fn format_of(text: &str) -> Option<u32> {
    Head::of(text)?.format
}

/// Reads a scenario of one question, of which only `format` is read; `objects` as for [`json::read`].
///
/// # Errors
/// Another format or another kind of file before any field that is wrong.
pub(super) fn read<S: DeserializeOwned>(
    text: &str,
    objects: &[&str],
    format: u32,
) -> Result<S, Invalid> {
    json::read(text, objects).map_err(|fault| match Head::of(text).and_then(|head| head.format) {
        Some(other) if other != format => other_format(u64::from(other), &[format]),
        _ => other_kind(text).unwrap_or(fault),
    })
}

/// Checks what every scenario begins with: a format that this program writes, the question, the title. `read` are the
/// formats that are read, the newest last.
///
/// # Errors
/// The first of them that is not as it must be.
pub(super) fn check_head(
    (format, question, title): (u32, Question, &str),
    expected: Question,
    read: &[u32],
) -> Result<(), Invalid> {
    if read.last() != Some(&format) {
        return Err(other_format(u64::from(format), read));
    }
    if question != expected {
        let (name, expected) = (question.name(), expected.name());
        let message = format!("question must be {expected:?} here, it is {name:?}");
        return Err(Invalid::new(Code::Range, "question", name, message));
    }
    fields::text("title", title, fields::LONGEST_TITLE)
}

/// The fault of a scenario in a format that this program does not read.
pub(super) fn other_format(format: u64, read: &[u32]) -> Invalid {
    let mut known: Vec<String> = read.iter().map(u32::to_string).collect();
    let newest = world::FORMAT;
    let advice = match format {
        // A scenario of all questions where that of one is asked for.
        format if format == u64::from(newest) && !read.contains(&newest) => "",
        format => {
            // Every question’s scenario may also be part of the scenario of all questions.
            known.extend((!read.contains(&newest)).then(|| newest.to_string()));
            match format > u64::from(newest) {
                true => ". A newer Edgewise opens it",
                false => "",
            }
        }
    };
    let message = format!(
        "format must be {}, which this Edgewise reads; it is {format}{advice}",
        known.join(" or ")
    );
    Invalid::new(Code::Link, "format", format, message)
}

/// A better message for a document that is something else than a scenario of this version.
fn other_document(text: &str) -> Option<Invalid> {
    let document: serde_json::Value = serde_json::from_str(text).ok()?;
    if let Some(format) = document.get("format").and_then(serde_json::Value::as_u64)
        && !READ.map(u64::from).contains(&format)
    {
        return Some(other_format(format, &READ));
    }
    other_kind(text)
}

/// A better message for a document that is no scenario at all.
pub(super) fn other_kind(text: &str) -> Option<Invalid> {
    let document: serde_json::Value = serde_json::from_str(text).ok()?;
    if document.get("format").is_some() {
        return None;
    }
    let missing = |message: String| {
        Some(Invalid::new(
            Code::Missing,
            "format",
            serde_json::Value::Null,
            message,
        ))
    };
    let problem_file = document.get("layers").is_some()
        || (document.get("model").is_some() && document.get("link").is_some());
    if problem_file {
        let message = "this is a problem file, not a scenario: try `edgewise solve cold-start FILE`; the page takes \
                       its layers as a pasted table";
        return missing(message.into());
    }
    let fields = document.as_object()?;
    if fields.is_empty() || fields.contains_key("question") {
        return None;
    }
    // By letter: whether a document keeps its order depends on how the JSON library was built.
    let mut keys: Vec<&str> = fields.keys().map(String::as_str).collect();
    keys.sort_unstable();
    let names: Vec<String> = keys
        .into_iter()
        .take(5)
        .map(|key| key.chars().filter(|c| !c.is_control()).take(20).collect())
        .collect();
    let more = if fields.len() > names.len() {
        " and others"
    } else {
        ""
    };
    let names = names.join(", ");
    missing(format!(
        "this is not an Edgewise scenario: it has no format; its fields are {names}{more}"
    ))
}
