//! vLLM and SGLang: pipeline parallel servers with the same variable under two names.
//!
//! **The rule** (vllm-project/vllm, `vllm/distributed/utils.py`, `get_pp_indices`; sgl-project/sglang,
//! `sglang/srt/distributed/utils.py`, the same function): `.._PP_LAYER_PARTITION` is a list of whole numbers, one for each
//! rank, that must be as many as the pipeline size and add up to the model's layers, else a ValueError; rank r runs the
//! layers from the sum of those before it, from 0, end exclusive. One rank needs no list. Embedding and output head are on
//! the first and the last rank and count as no layer.
//!
//! Several machines: vLLM's `--nnodes`, `--node-rank`, `--master-addr` with the executor `mp`, `--headless` on all but
//! the first (`docs/serving/parallelism_scaling.md`); SGLang's `--nnodes`, `--node-rank`, `--dist-init-addr`
//! (`docs/references/multi_node_deployment`). The variable is read on every machine, so it is in every line.

use super::{Flags, LayerMap, PathForm, commas, line, placeholders};

/// The port on which SGLang's ranks meet, as its documentation has it.
const SGLANG_PORT: u32 = 5000;

/// The lines of vLLM.
pub(super) fn vllm(chain: &LayerMap) -> Flags {
    let stages = chain.devices().len();
    let rest = |rank: usize| {
        let headless = if rank > 0 { " --headless" } else { "" };
        format!(
            " --distributed-executor-backend mp --nnodes {stages} --node-rank {rank} --master-addr HOST1{headless}"
        )
    };
    let text = lines(
        chain,
        "VLLM_PP_LAYER_PARTITION",
        "vllm serve MODEL --tensor-parallel-size 1 --pipeline-parallel-size",
        rest,
    );
    let mut notes = notes(chain);
    if stages > 1 {
        notes.push(
            "On one machine with a GPU for each stage, run the first line alone without --nnodes, --node-rank and \
             --master-addr, and order the GPUs by CUDA_VISIBLE_DEVICES. Versions that know no --nnodes need a Ray cluster, \
             which decides by itself which machine gets which rank."
                .to_owned(),
        );
    }
    Flags {
        text,
        form: PathForm::Shell,
        notes,
    }
}

/// The lines of SGLang.
pub(super) fn sglang(chain: &LayerMap) -> Flags {
    let stages = chain.devices().len();
    let rest = |rank: usize| {
        format!(" --nnodes {stages} --node-rank {rank} --dist-init-addr HOST1:{SGLANG_PORT}")
    };
    let text = lines(
        chain,
        "SGLANG_PP_LAYER_PARTITION",
        "python3 -m sglang.launch_server --model-path MODEL --tp-size 1 --pp-size",
        rest,
    );
    let mut notes = notes(chain);
    if stages > 1 {
        notes.push(
            "On one machine with a GPU for each stage, run the first line alone without --nnodes, --node-rank and \
             --dist-init-addr, and order the GPUs by CUDA_VISIBLE_DEVICES."
                .to_owned(),
        );
    }
    Flags {
        text,
        form: PathForm::Shell,
        notes,
    }
}

/// One line per rank; a single rank needs neither the variable nor the others' address.
fn lines(
    chain: &LayerMap,
    variable: &str,
    command: &str,
    rest: impl Fn(usize) -> String,
) -> String {
    let mut text = String::new();
    let stages = chain.devices().len();
    let counts = commas(&chain.counts());
    for rank in 0..stages {
        line(&mut text, chain.stage_line(rank));
        if stages == 1 {
            line(&mut text, format_args!("{command} 1"));
        } else {
            let rest = rest(rank);
            line(
                &mut text,
                format_args!("{variable}={counts} {command} {stages}{rest}"),
            );
        }
    }
    text
}

fn notes(chain: &LayerMap) -> Vec<String> {
    let model = format!(
        "MODEL stands for {}: a folder, or its name on Hugging Face.",
        chain.model_name()
    );
    let mut notes = vec![placeholders(chain, &model)];
    if chain.devices().len() == 1 {
        notes.push(
            "One stage holds every layer: a pipeline of size 1 works and needs no partition."
                .to_owned(),
        );
    } else {
        notes.push(format!(
            "The numbers must be one for each rank and add up to the {} layers of the model\u{2019}s configuration, else it \
             does not start. The embedding is on the first rank and the output head on the last; they do not count as layers.",
            chain.layers()
        ));
    }
    notes
}
