//! llama.cpp with its RPC backend.
//!
//! **The rule** (ggml-org/llama.cpp, `src/llama-model.cpp`, `load_tensors`): the values of `-ts` are added up in float32
//! and divided by their sum; layer i, from 0, goes to the first device whose share so far is greater than
//! `i / act_gpu_layers`, by `std::upper_bound`. With `-ngl` above the number of layers `act_gpu_layers` is L + 1, the one
//! more being the output layer, which is layer L by the same rule. So the shares must add up to L + 1: the counts as they
//! are, and one more on the last device. Both sides then are the float32 quotient of the same two whole numbers wherever
//! they should be equal, which is exact for every L below 2^24. Plain counts give the first device a layer too many.
//!
//! The input embedding always stays on the CPU of the machine that runs `llama-server` (the same function). Options and
//! the worker's `-c`, a cache of tensors on its own disk: `tools/rpc/README.md` and `docs/multi-gpu.md`. At most 16
//! devices: `llama_max_devices` in `src/llama.cpp`, above which `-ts` is refused.

use super::{Flags, LayerMap, PathForm, commas, host, line, placeholders};

/// `llama_max_devices`.
const MOST_DEVICES: usize = 16;
/// The port that rpc-server listens on by default.
const PORT: u32 = 50052;
/// Layers to offload: more than most models have. A model with more says its own number.
const MANY_LAYERS: usize = 99;

/// The worker's lines, then the line of the machine that answers.
pub(super) fn flags(chain: &LayerMap) -> Result<Flags, String> {
    let stages = chain.devices().len();
    if stages > MOST_DEVICES {
        return Err(format!(
            "llama.cpp takes at most {MOST_DEVICES} devices (llama_max_devices), and this plan has {stages}."
        ));
    }
    let mut text = String::new();
    for stage in 1..stages {
        line(&mut text, chain.stage_line(stage));
        let host = host(stage);
        line(&mut text, format_args!("rpc-server -H {host} -p {PORT} -c"));
    }
    line(&mut text, chain.stage_line(0));
    let workers: Vec<String> = (1..stages).map(|s| format!("{}:{PORT}", host(s))).collect();
    let rpc = match workers.as_slice() {
        [] => String::new(),
        some => format!(" --rpc {}", some.join(",")),
    };
    let mut devices = vec!["LOCAL0".to_owned()];
    devices.extend((0..workers.len()).map(|worker| format!("RPC{worker}")));
    let mut shares = chain.counts();
    // The output layer rides on the last device.
    if let Some(last) = shares.last_mut() {
        *last += 1;
    }
    line(
        &mut text,
        format_args!(
            "llama-server -m MODEL.gguf -c {}{rpc} --device {} -sm layer -ts {} -ngl {} -fit off",
            chain.context_text(),
            devices.join(","),
            commas(&shares),
            MANY_LAYERS.max(chain.layers() + 1)
        ),
    );
    let model = format!(
        "MODEL.gguf stands for the file of {},{} LOCAL0 for the name that llama-server --list-devices gives the first \
         device.",
        chain.model_name(),
        match chain.context {
            Some(_) => "",
            None => " CTX for the context length to reserve,",
        }
    );
    let last = chain.name_of(stages - 1);
    let mut notes = vec![
        placeholders(chain, &model),
        format!(
            "The last number of -ts is the layers of {last} and one more: llama.cpp counts the output layer as a layer, and \
             it goes on the last device. The input embedding stays on the CPU of {}. Leave room for both.",
            chain.name_of(0)
        ),
        format!(
            "The shares are exact for a file with {} blocks (block_count in its header). The load log says which layers went \
             where.",
            chain.layers()
        ),
    ];
    if stages > 1 {
        notes.push(
            "RPC0, RPC1 and so on are the workers\u{2019} devices in the order of --rpc, where each worker shows one device: \
             give rpc-server --device if it finds more. What passes between two workers goes through llama-server\u{2019}s \
             machine. rpc-server has no protection: trusted networks only."
                .to_owned(),
        );
        notes.push(
            "-c lets a worker keep its tensors on its own disk, so that only the first start sends them over the network: \
             measure cold starts from the second one."
                .to_owned(),
        );
    }
    Ok(Flags {
        text,
        form: PathForm::Shell,
        notes,
    })
}
