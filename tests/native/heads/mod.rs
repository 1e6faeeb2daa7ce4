//! Attention heads on devices: what blocks need, the referee, the exact placement and the others.

mod oracle;
mod sizes;
