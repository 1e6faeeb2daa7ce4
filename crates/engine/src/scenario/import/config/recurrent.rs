//! Blocks that keep a state of fixed size in the place of keys and values: linear attention, state spaces, short convolutions.
//!
//! Matrices as in the public model code of the `transformers` library; states in 32 bits and the last inputs of a convolution
//! in 16, as its caches and those of vLLM hold them.

use super::block::Recurrent;
use super::family::{Family, OtherMixer};
use super::file::ConfigFile;
use super::tensor::{Role, TensorList};
use crate::scenario::import::facts::{FieldValue, ImportFacts, MissingPolicy, RequestedFact};

/// Bytes of a value of a state.
const STATE_VALUE: u64 = 4;
/// Bytes of an input that a convolution keeps.
const INPUT_VALUE: u64 = 2;

const HEADS: RequestedFact = ("state_heads", "Heads of the state");
const WIDTH: RequestedFact = ("state_width", "Width of a head of the state");
const KEY_HEADS: RequestedFact = ("state_key_heads", "Key heads of the state");
const KEY_WIDTH: RequestedFact = ("state_key_width", "Width of a key of the state");
const SIZE: RequestedFact = ("state_size", "Values of a channel\u{2019}s state");
const KERNEL: RequestedFact = ("state_kernel", "Inputs of the convolution");
const GROUPS: RequestedFact = ("state_groups", "Groups of the state");
const INNER: RequestedFact = ("state_inner", "Channels of the state");
const RANK: RequestedFact = ("state_rank", "Rank of the time step");

/// Sizes of the model that mixers use.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) d: u64,
    pub(super) h_q: u64,
    pub(super) d_head: u64,
}

/// Asks for numbers of a file under the names that classes give them.
struct Reader<'a, 'b, 'c> {
    config: &'a ConfigFile<'b>,
    facts: &'a mut ImportFacts<'c>,
}

impl Reader<'_, '_, '_> {
    fn number(
        &mut self,
        wanted: RequestedFact,
        keys: &[&str],
        without: MissingPolicy,
    ) -> Option<u64> {
        let found = self.config.find(keys);
        self.facts.number(wanted, found, without).map(|n| n as u64)
    }

    fn asked(&mut self, wanted: RequestedFact, keys: &[&str]) -> Option<u64> {
        self.number(wanted, keys, MissingPolicy::Question)
    }

    /// A number that the class has where the file has none.
    fn or(&mut self, wanted: RequestedFact, keys: &[&str], value: u64) -> Option<u64> {
        let why = "the class has it where the file has none".to_owned();
        self.number(wanted, keys, MissingPolicy::Assumed(value as f64, why))
    }

    /// A number, or the word "auto" for what follows from others.
    fn or_auto(&mut self, wanted: RequestedFact, key: &str, value: u64, how: &str) -> Option<u64> {
        let derived = MissingPolicy::Derived(value as f64, how.to_owned());
        let found = match self.config.text(key) {
            Some("auto") => FieldValue::Nothing,
            _ => self.config.find(&[key]),
        };
        self.facts.number(wanted, found, derived).map(|n| n as u64)
    }

    fn is(&self, keys: &[&str], or: bool) -> bool {
        keys.iter()
            .find_map(|key| self.config.flag(key))
            .unwrap_or(or)
    }
}

/// Reads the recurrent part of the class; `None` where something is asked.
pub(super) fn read(
    config: &ConfigFile,
    facts: &mut ImportFacts,
    family: &Family,
    sizes: Sizes,
) -> Option<Recurrent> {
    let mut reader = Reader { config, facts };
    match family.other_mixer {
        OtherMixer::Unknown => None,
        OtherMixer::GatedDelta | OtherMixer::SplitDelta => delta(&mut reader, family, sizes.d),
        OtherMixer::KimiDelta => kimi(&mut reader, sizes.d),
        OtherMixer::Lightning => Some(lightning(sizes)),
        OtherMixer::Griffin => griffin(&mut reader, sizes),
        OtherMixer::Mamba => mamba(&mut reader, sizes.d),
        OtherMixer::Mamba2 => mamba2(&mut reader, sizes.d),
        OtherMixer::ShortConvolution => short_convolution(&mut reader, sizes.d),
    }
}

/// A gated delta network: queries and keys of narrow heads, values of as many or more.
fn delta(reader: &mut Reader, family: &Family, d: u64) -> Option<Recurrent> {
    let v_heads = reader.asked(HEADS, &["linear_num_value_heads"]);
    let k_heads = reader.asked(KEY_HEADS, &["linear_num_key_heads"]);
    let v_width = reader.asked(WIDTH, &["linear_value_head_dim"]);
    let k_width = reader.asked(KEY_WIDTH, &["linear_key_head_dim"]);
    let kernel = reader.or(KERNEL, &["linear_conv_kernel_dim"], 4);
    let (v_heads, k_heads, v_width) = (v_heads?, k_heads?, v_width?);
    let (k_width, kernel) = (k_width?, kernel?);
    let (keys, values) = (k_heads * k_width, v_heads * v_width);
    let channels = 2 * keys + values;
    let mut list = TensorList::default();
    if family.other_mixer == OtherMixer::SplitDelta {
        list.matrix("linear_attn.q_proj", d, keys);
        list.matrix("linear_attn.k_proj", d, keys);
        list.matrix("linear_attn.v_proj", d, values);
        list.matrix("linear_attn.g_proj", d, values);
        list.matrix("linear_attn.a_proj", d, v_heads);
        list.matrix("linear_attn.b_proj", d, v_heads);
    } else {
        list.matrix("linear_attn.in_proj_qkvz", d, channels + values);
        list.matrix("linear_attn.in_proj_ba", d, 2 * v_heads);
    }
    list.vector("linear_attn.conv1d", channels * kernel);
    list.vector("linear_attn.A_log", v_heads);
    list.vector("linear_attn.dt_bias", v_heads);
    list.vector("linear_attn.norm", v_width);
    list.matrix("linear_attn.out_proj", values, d);
    // Where attention has two norms behind it, a block with a state has two before it: as many.
    Some(Recurrent {
        tensors: list,
        state_bytes: state(v_heads * k_width * v_width, channels * kernel),
    })
}

fn state(values: u64, inputs: u64) -> f64 {
    (values * STATE_VALUE + inputs * INPUT_VALUE) as f64
}

/// Kimi delta attention.
fn kimi(reader: &mut Reader, d: u64) -> Option<Recurrent> {
    let heads = reader.asked(HEADS, &["linear_attn_config.num_heads", "linear_num_heads"]);
    let width = reader.asked(WIDTH, &["linear_attn_config.head_dim", "linear_head_dim"]);
    let kernel = [
        "linear_attn_config.short_conv_kernel_size",
        "linear_conv_kernel_dim",
    ];
    let kernel = reader.or(KERNEL, &kernel, 4);
    let (heads, width, kernel) = (heads?, width?, kernel?);
    let all = heads * width;
    let mut list = TensorList::default();
    for name in ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"] {
        list.matrix(name, d, all);
    }
    list.vector("self_attn.conv1d", 3 * all * kernel);
    list.matrix("self_attn.f_a_proj", d, width);
    list.matrix("self_attn.f_b_proj", width, all);
    list.vector("self_attn.dt_bias", all);
    list.vector("self_attn.A_log", heads);
    list.matrix("self_attn.b_proj", d, heads);
    list.matrix("self_attn.g_a_proj", d, width);
    list.matrix("self_attn.g_b_proj", width, all);
    list.vector("self_attn.o_norm", width);
    list.matrix("self_attn.o_proj", all, d);
    Some(Recurrent {
        tensors: list,
        state_bytes: state(heads * width * width, 3 * all * kernel),
    })
}

/// Lightning attention: as many heads of keys as of queries, and a gate.
fn lightning(sizes: Sizes) -> Recurrent {
    let all = sizes.h_q * sizes.d_head;
    let mut list = TensorList::default();
    list.matrix("self_attn.qkv_proj", sizes.d, 3 * all);
    list.matrix("self_attn.out_proj", all, sizes.d);
    list.matrix("self_attn.output_gate", sizes.d, all);
    list.vector("self_attn.norm", all);
    Recurrent {
        tensors: list,
        state_bytes: state(sizes.h_q * sizes.d_head * sizes.d_head, 0),
    }
}

/// The gated linear recurrence of Griffin: gates are matrices of one head each.
fn griffin(reader: &mut Reader, sizes: Sizes) -> Option<Recurrent> {
    let (d, heads) = (sizes.d, sizes.h_q);
    let width = reader.number(
        INNER,
        &["lru_width"],
        MissingPolicy::Derived(d as f64, "as wide as the model".into()),
    );
    let kernel = reader.or(KERNEL, &["conv1d_width"], 4);
    let (width, kernel) = (width?, kernel?);
    let gates = 2 * width * (width / heads.max(1));
    let mut list = TensorList::default();
    list.matrix("temporal_block.linear_y", d, width);
    list.matrix("temporal_block.linear_x", d, width);
    list.matrix("temporal_block.linear_out", width, d);
    list.add("temporal_block.rg_lru.gates", Role::Matrix, gates);
    list.vector("temporal_block.conv_1d", width * (kernel + 1));
    list.vector("temporal_block.biases", 2 * width + d);
    list.vector("temporal_block.rg_lru", 3 * width);
    Some(Recurrent {
        tensors: list,
        state_bytes: state(width, width * (kernel - 1)),
    })
}

/// A selective state space with a state for every channel.
fn mamba(reader: &mut Reader, d: u64) -> Option<Recurrent> {
    let size = reader.asked(SIZE, &["mamba_d_state", "state_size"]);
    let kernel = reader.or(KERNEL, &["mamba_d_conv", "conv_kernel"], 4);
    let times = reader
        .config
        .number("mamba_expand")
        .or(reader.config.number("expand"));
    let inner = MissingPolicy::Derived(
        times.unwrap_or(2.0) * d as f64,
        "expand \u{d7} hidden size".into(),
    );
    let inner = reader
        .number(INNER, &["intermediate_size"], inner.clone())
        .filter(|_| !is_jamba(reader))
        .or_else(|| {
            reader.facts.list.retain(|fact| fact.field != INNER.0);
            reader.number(INNER, &[], inner)
        });
    let key = if is_jamba(reader) {
        "mamba_dt_rank"
    } else {
        "time_step_rank"
    };
    let rank = reader.or_auto(RANK, key, d.div_ceil(16), "hidden size / 16");
    let (size, kernel, inner, rank) = (size?, kernel?, inner?, rank?);
    let has_bias = reader.is(&["mamba_proj_bias", "use_bias"], false);
    let has_conv_bias = reader.is(&["mamba_conv_bias", "use_conv_bias"], true);
    let mut list = TensorList::default();
    list.matrix("mamba.in_proj", d, 2 * inner);
    list.matrix("mamba.x_proj", inner, rank + 2 * size);
    list.matrix("mamba.dt_proj", rank, inner);
    list.vector("mamba.dt_proj.bias", inner);
    list.vector("mamba.conv1d", inner * kernel);
    list.vector("mamba.conv1d.bias", if has_conv_bias { inner } else { 0 });
    list.vector("mamba.A_log", inner * size);
    list.vector("mamba.D", inner);
    list.matrix("mamba.out_proj", inner, d);
    list.vector("mamba.biases", if has_bias { 2 * inner + d } else { 0 });
    list.vector(
        "mamba.norms",
        if is_jamba(reader) { rank + 2 * size } else { 0 },
    );
    Some(Recurrent {
        tensors: list,
        state_bytes: state(inner * size, inner * kernel),
    })
}

/// Jamba names its state spaces apart from its feed-forward networks.
fn is_jamba(reader: &Reader) -> bool {
    reader.config.get("mamba_d_state").is_some()
}

/// A selective state space with heads.
fn mamba2(reader: &mut Reader, d: u64) -> Option<Recurrent> {
    let heads = reader.asked(HEADS, &["mamba_n_heads", "mamba_num_heads", "num_heads"]);
    let size = reader.asked(SIZE, &["mamba_d_state", "ssm_state_size", "state_size"]);
    let groups = reader.or(GROUPS, &["mamba_n_groups", "n_groups"], 1);
    let kernel = reader.or(KERNEL, &["mamba_d_conv", "conv_kernel"], 4);
    let (heads, size, groups, kernel) = (heads?, size?, groups?, kernel?);
    let times = reader
        .config
        .number("mamba_expand")
        .or(reader.config.number("expand"));
    let wide = times.unwrap_or(2.0) * d as f64;
    // Falcon-H1 states its channels, Nemotron-H the width of a head; the others follow from the hidden size.
    let inner = if reader.config.get("mamba_d_ssm").is_some() {
        reader.asked(INNER, &["mamba_d_ssm"])?
    } else if reader.config.get("mamba_head_dim").is_some() {
        heads * reader.asked(WIDTH, &["mamba_head_dim"])?
    } else {
        let how = "expand \u{d7} hidden size".to_owned();
        reader.number(INNER, &[], MissingPolicy::Derived(libm::trunc(wide), how))?
    };
    // The width of a head follows; a file that states it as well must agree.
    let _ = (
        reader.config.get("mamba_d_head"),
        reader.config.get("head_dim"),
    );
    let channels = inner + 2 * groups * size;
    let projected = inner + channels + heads;
    let has_bias = reader.is(&["mamba_proj_bias", "use_bias"], false);
    let has_conv_bias = reader.is(&["mamba_conv_bias", "use_conv_bias"], true);
    let has_norm = reader.is(
        &["mamba_rms_norm"],
        reader.config.get("mamba_d_ssm").is_none(),
    );
    let mut list = TensorList::default();
    list.matrix("mamba.in_proj", d, projected);
    list.vector("mamba.conv1d", channels * kernel);
    list.vector(
        "mamba.conv1d.bias",
        if has_conv_bias { channels } else { 0 },
    );
    list.vector("mamba.dt_bias", heads);
    list.vector("mamba.A_log", heads);
    list.vector("mamba.D", heads);
    list.vector("mamba.norm", if has_norm { inner } else { 0 });
    list.matrix("mamba.out_proj", inner, d);
    list.vector("mamba.in_proj.bias", if has_bias { projected } else { 0 });
    let has_out_bias = reader.is(&["projectors_bias"], has_bias);
    list.vector("mamba.out_proj.bias", if has_out_bias { d } else { 0 });
    Some(Recurrent {
        tensors: list,
        state_bytes: state(inner * size, channels * kernel),
    })
}

/// A short convolution with gates.
fn short_convolution(reader: &mut Reader, d: u64) -> Option<Recurrent> {
    let kernel = reader.or(KERNEL, &["conv_L_cache"], 3)?;
    let has_bias = reader.is(&["conv_bias"], false);
    // Both are the hidden size in every published file.
    let _ = (
        reader.config.get("conv_dim"),
        reader.config.get("conv_dim_out"),
    );
    let mut list = TensorList::default();
    list.matrix("conv.in_proj", d, 3 * d);
    list.vector("conv.conv", d * kernel);
    list.matrix("conv.out_proj", d, d);
    list.vector("conv.biases", if has_bias { 5 * d } else { 0 });
    Some(Recurrent {
        tensors: list,
        state_bytes: state(0, d * kernel),
    })
}
