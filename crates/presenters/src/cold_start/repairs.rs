//! Where no plan fits: how many layers each device could hold, and the smallest change of one number with which a plan exists.

use super::gains::shorter_name;
use document::{Cell, Table};
use engine::problem::{ColdStart, device_name};
use planner::cold_start::Repair;
use planner::cold_start_shorter::Shorter;

/// The layers that a device could hold by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceCapacity {
    /// Its name.
    pub device: String,
    /// Its memory \[B\].
    pub memory: f64,
    /// How many layers from the first on it holds: weights, and the widest output among them.
    pub layers: usize,
}

/// The room on every device, in the order of the fleet.
///
/// # Complexity
/// O(K L) for K devices and L layers.
#[must_use]
pub fn capacities(problem: &ColdStart) -> Vec<DeviceCapacity> {
    let of = |device: usize| {
        let (mut weights, mut widest) = (0.0, 0.0_f64);
        let held = problem.layers().iter().take_while(|layer| {
            weights += layer.weights.get();
            widest = widest.max(layer.activation.get());
            problem.fits(device, widest + weights)
        });
        DeviceCapacity {
            device: device_name(problem, device),
            layers: held.count(),
            memory: problem.machines()[device].memory.get(),
        }
    };
    (0..problem.machines().len()).map(of).collect()
}

/// Returns the memory of each device as a table.
#[must_use]
pub fn room_table(problem: &ColdStart) -> Table {
    let row = |room: DeviceCapacity| {
        vec![
            Cell::Text(room.device),
            Cell::Number(room.memory / 1e9, 2),
            Cell::count(room.layers),
        ]
    };
    Table::new(
        "room",
        "Room for layers",
        &[
            ("device", "device", ""),
            ("memory_gb", "memory", "GB"),
            ("layers", "layers it holds, from the first", ""),
        ],
        capacities(problem).into_iter().map(row).collect(),
    )
}

/// Explanation of the rows of repairs.
pub const EACH_REPAIR: &str = "Each row is the least memory of one device with which a plan exists, rounded up to four digits, or \
                               the largest length; each solved in full.";

/// Each repair in a row: memory of a device \[GB\], or a length.
#[must_use]
pub fn table(problem: &ColdStart, repairs: &[Repair], shorter: &[Shorter]) -> Table {
    let memory = repairs.iter().map(|repair| {
        let name = device_name(problem, repair.device);
        vec![
            Cell::Text(format!("{name} memory, GB")),
            Cell::Number((repair.memory - repair.more) / 1e9, 4),
            Cell::Number(repair.memory / 1e9, 4),
            Cell::maybe(repair.T, 4),
        ]
    });
    let lengths = shorter.iter().map(|one| {
        vec![
            Cell::text(shorter_name(one.what)),
            Cell::Number(one.from, 0),
            Cell::Number(one.to, 0),
            Cell::maybe(one.T, 4),
        ]
    });
    Table::new(
        "repairs",
        "Smallest repairs",
        &[
            ("change", "change one number", ""),
            ("from", "from", ""),
            ("to", "to", ""),
            ("first_answer_s", "first answer then", "s"),
        ],
        memory.chain(lengths).collect(),
    )
}
