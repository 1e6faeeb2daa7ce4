//! The built-in scenarios of the operator-graph question: MemoriaNova's eleven models, and the graph of its Table 2.

use super::{Board, Choice, Custom, Dims, Draws, FORMAT, Scenario, Search, Source, Split};
use crate::graph::{Document, Objective, OpDocument, Weights, catalogue};
use crate::problem::partition::{Link, Profile};
use crate::scenario::{Preset, Question};

/// Bytes of a KiB.
const KIB: u64 = 1024;

/// The scenario that the page opens with: GoogLeNet, whose order matters most.
#[must_use]
pub fn paper() -> Scenario {
    of_model("googlenet", "GoogLeNet")
}

/// All of them. O(models).
#[must_use]
pub fn all() -> Vec<Preset<Scenario>> {
    let models = catalogue::MODELS.iter().map(|model| Preset {
        name: model.name,
        about: model.about,
        scenario: of_model(model.name, model.title),
    });
    let small = Preset {
        name: "operators-table2",
        about: "MemoriaNova\u{2019}s Table 2: three convolutions and a sum, in three orders",
        scenario: Scenario {
            title: "Table 2, 4 operators".to_owned(),
            graph: Choice::Custom(Box::new(Custom {
                source: Source::default(),
                graph: table_2(),
            })),
            ..paper()
        },
    };
    models.chain([small]).collect()
}

/// The preset with this name.
#[must_use]
pub fn named(name: &str) -> Option<Preset<Scenario>> {
    Preset::named(all(), name)
}

/// A model of the catalogue, in the order of the least sum.
fn of_model(name: &str, title: &str) -> Scenario {
    Scenario {
        format: FORMAT,
        question: Question::Operators,
        title: title.to_owned(),
        graph: Choice::Preset(name.to_owned()),
        objective: Objective::Sum,
        weights: Weights::PerOperator,
        limit_mib: None,
        draws: Draws {
            orders: 60.0,
            first_seed: 1.0,
        },
        align_bytes: 16.0,
        split: boards(),
    }
}

/// Table 3: two devices of factor 1.0 and two of 0.8 with 50 MiB each and 2000 Mbit/s, and the operator times of the fit.
#[must_use]
pub fn boards() -> Split {
    let board = |at: usize, factor: f64| Board {
        name: format!("D{}", at + 1),
        factor,
        limit_mib: Some(50.0),
        op_us: None,
    };
    let factors = [1.0, 1.0, 0.8, 0.8];
    Split {
        devices: (0..)
            .zip(factors)
            .map(|(at, factor)| board(at, factor))
            .collect(),
        mbps: 2000.0,
        link: Link::Own,
        dims: Dims::Free,
        profile: Profile::FITTED,
        table: None,
        gemm_weights: true,
        search: Search {
            moves: 1_000_000.0,
            islands: 2.0,
            seed: 1.0,
            population: 500.0,
            generations: 50.0,
            patience: None,
            random_start: false,
        },
    }
}

/// The paper’s hardware with its factors of time (Table 3, section 4.1.1).
pub const HARDWARE: [(&str, f64); 4] = [
    ("PC", 0.24),
    ("Jetson TX2", 0.50),
    ("RPi4", 0.80),
    ("RPi3", 1.00),
];

/// The seven configurations of Fig. 11: factors of time of four devices.
pub const CONFIGURATIONS: [[f64; 4]; 7] = [
    [0.8, 0.8, 0.8, 0.8],
    [0.8, 0.8, 0.8, 0.5],
    [0.8, 0.8, 0.5, 0.5],
    [0.8, 0.5, 0.5, 0.3],
    [0.5, 0.5, 0.5, 0.3],
    [0.5, 0.5, 0.3, 0.3],
    [0.3, 0.3, 0.3, 0.3],
];

/// Size of the paper’s search (section 4.1.4): plans, and generations.
pub const PAPER_SEARCH: (f64, f64) = (250_000.0, 50.0);

/// Generations without gain after which the paper's search ends (section 3.4); the usual number where nothing is said.
pub const PAPER_PATIENCE: f64 = 10.0;

/// The graph of Table 2: T0 of 588 KiB, read by two convolutions, one of them followed by a third, and their sum.
#[must_use]
pub fn table_2() -> Document {
    let conv =
        |name: &str, from: i64, channels: u64, side: u64, k: u64, s: u64, hin: u64, cin: u64| {
            let elements = channels * side * side;
            OpDocument {
                name: name.to_owned(),
                kind: "conv".to_owned(),
                ins: vec![from],
                out: elements * 4,
                w: channels * cin * k * k * 4,
                shape: vec![1, channels, side, side],
                hin,
                k,
                s,
                p: 1,
                d: 1,
                flops: (2 * elements * cin * k * k) as f64,
                full: Vec::new(),
            }
        };
    let sum = OpDocument {
        name: "Sum".to_owned(),
        kind: "add".to_owned(),
        ins: vec![1, 2],
        out: 6272 * KIB,
        w: 0,
        shape: vec![1, 128, 112, 112],
        hin: 1,
        k: 1,
        s: 1,
        p: 0,
        d: 1,
        flops: 1_605_632.0,
        full: Vec::new(),
    };
    Document {
        name: "Table 2".to_owned(),
        inputs: vec![588 * KIB],
        outputs: Vec::new(),
        ops: vec![
            conv("Conv1", -1, 64, 224, 3, 1, 224, 3),
            conv("Conv2", 0, 128, 112, 3, 2, 224, 64),
            conv("Conv3", -1, 128, 112, 3, 2, 224, 3),
            sum,
        ],
    }
}
