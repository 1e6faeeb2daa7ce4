//! Attention heads on devices: what blocks need, the referee, the exact placement and the others.

mod flows;
mod infeasible;
mod laws;
mod methods;
mod oracle;
mod sizes;
mod split;

use crate::heads_made::Case;
use engine::problem::head_sizes::{Delay, Input, LayerForm, Memory, Operations};
use engine::problem::heads::Interval;

/// Two heads of width 2, one byte a value, one token of prompt.
const TINY: LayerForm = LayerForm {
    h: 2,
    D: 4,
    b: 1.0,
    L0: 1,
    mem: Memory::Table,
    flops: Operations::Table,
    delay: Delay::Full,
    inp: Input::Embed,
};

/// The tiny layer at its first token: heads need 40 bytes and 56 operations, proj 8 and 32, ffn 32 and 256; what is sent
/// is 8, 4 and 8 bytes. Before it, heads held 30 bytes, proj 4 and ffn 16. All links carry 10 bytes/s.
fn tiny(compute: &[f64], memory: &[f64], prev: Option<Vec<usize>>) -> Case {
    Case {
        layer: TINY,
        rates: vec![vec![10.0; compute.len()]; compute.len()],
        interval: Interval {
            n: 1,
            n_prev: 0,
            tokens: 1.0,
            controller: 0,
            memory: memory.to_vec(),
            compute: compute.to_vec(),
            prev,
            t_tok: None,
        },
    }
}

/// Equal but for rounding.
#[track_caller]
fn near(found: f64, wanted: f64) {
    let hair = 1e-9 * wanted.abs();
    assert!((found - wanted).abs() <= hair, "{found}, not {wanted}");
}
