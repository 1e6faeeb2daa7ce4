//! PipeEdge.
//!
//! **The rule** (usc-isi/PipeEdge, README, "Partitioning", and `runtime.py`): `-pt` holds the first and the last layer of
//! each stage, from 1 and inclusive, where a "layer" is a quarter of a transformer block: attention, its projection with
//! the residual, the first and the second half of the feed-forward part. A model of 12 blocks has 48. Block b therefore is
//! 4 (b - 1) + 1 to 4 b. Stage i runs on rank i, and the rank that loads the data must be the first stage or none.
//! Every rank is started as `runtime.py RANK WORLDSIZE` with the same partition.

use super::{Flags, LayerMap, PathForm, commas, line, placeholders};

/// How many of PipeEdge's layers a block is (`model_cfg.py`).
const PARTS_OF_A_BLOCK: usize = 4;

/// One line per rank.
pub(super) fn flags(chain: &LayerMap) -> Flags {
    let stages = chain.devices().len();
    let ends = chain.devices().iter().flat_map(|part| {
        [
            PARTS_OF_A_BLOCK * (part.first - 1) + 1,
            PARTS_OF_A_BLOCK * part.last,
        ]
    });
    let partition = commas(&ends.collect::<Vec<_>>());
    let mut text = String::new();
    for rank in 0..stages {
        line(&mut text, chain.stage_line(rank));
        let address = if stages > 1 {
            " --addr HOST1 --port 29500"
        } else {
            ""
        };
        line(
            &mut text,
            format_args!("python runtime.py {rank} {stages} -pt {partition} -m MODEL{address}"),
        );
    }
    let model = format!(
        "MODEL stands for PipeEdge\u{2019}s name of {}.",
        chain.model_name()
    );
    let notes = vec![
        placeholders(chain, &model),
        format!(
            "PipeEdge counts four layers in a block, from 1, ends included: {} blocks are its layers 1 to {}.",
            chain.layers(),
            PARTS_OF_A_BLOCK * chain.layers()
        ),
        "As published it runs ViT, DeiT and BERT, which have 48, 96 or 128 of its layers; any other model needs a shard \
         class of its own in its source."
            .to_owned(),
    ];
    Flags {
        text,
        form: PathForm::Shell,
        notes,
    }
}
