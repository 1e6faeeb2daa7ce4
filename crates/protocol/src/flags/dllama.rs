//! distributed-llama, which takes no layer map.
//!
//! **The rule** (b4rtaz/distributed-llama, README, "Known Limitations" and "Supported Arguments"): every node computes an
//! equal slice of every layer's tensors. `--workers` lists addresses and nothing else; the number of nodes is a power of
//! two and at most the model's key/value heads.

use super::LayerMap;

/// Why there are no flags.
pub(super) fn reason(chain: &LayerMap) -> String {
    let nodes = chain.devices().len();
    let also = if nodes == 1 {
        " On one device it simply runs all layers."
    } else if nodes.is_power_of_two() {
        ""
    } else {
        " It would not take this number of nodes either: it must be 1, 2, 4 or another power of two."
    };
    format!(
        "distributed-llama gives every node an equal slice of every layer. It takes addresses (--workers) but no layers, so it \
         cannot express a layer map.{also}"
    )
}
