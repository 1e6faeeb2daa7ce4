//! Plans and sweeps for the tests of this room.

use crate::gantt::{Gantt, GanttRow};
use crate::heads::{
    BlockMove, DeviceRow, HeadMap, HeadSpan, HostedBlock, MovedBlock, PhaseTimes, TokenTimes,
};
use crate::lines::{LineChart, Series, SeriesRole};
use crate::network::{HopBox, TierBox, TierDiagram};
use crate::requests::{NodeRow, PassBar, RequestRun};
use engine::plan::StageTiming;
use engine::units::Bytes;

/// One stage in short: device from 1, first and last layer, load, stall, start, transfer, compute, finish.
type Short = (usize, usize, usize, f64, f64, f64, f64, f64, f64);

fn row(
    (device, s, e, load, stall, start, comm, comp, finish): Short,
    total_s: f64,
    layer: f64,
    (mem, capacity): (f64, f64),
) -> GanttRow {
    let bytes = |b: f64| Bytes::new(b).expect("sizes in the samples are sizes");
    GanttRow {
        device: format!("D{device}"),
        shade: device - 1,
        weights: bytes((e - s + 1) as f64 * layer),
        capacity: bytes(capacity * 1e9),
        loading: 1e9 * libm::round(0.1 + (e - s + 1) as f64 * layer / load / 1e8) / 10.0,
        work: (e - s + 1) as f64 * 170.456_514_56e9,
        speed: (e - s + 1) as f64 * 170.456_514_56e9 / comp,
        received: if s == 1 { 0.0 } else { 2_621_440.0 },
        timing: StageTiming {
            device: device - 1,
            s,
            e,
            load,
            start,
            comm,
            comp,
            finish,
            wait: start - load,
            stall,
            idle_after: total_s - finish,
            mem: mem * 1e9,
            mem_ok: mem <= capacity,
            ..StageTiming::default()
        },
        next: None,
    }
}

/// The four devices of CSGO, Table 1, with Qwen3-14B and 256 tokens: the optimal plan.
#[rustfmt::skip]
pub fn paper() -> Gantt {
    let total_s = 2.561990;
    let stages: [(Short, (f64, f64)); 4] = [
        ((3, 1, 7, 1.541407, 1.541407, 1.541407, 0.0, 0.202573, 1.743980), (4.63, 8.0)),
        ((4, 8, 12, 1.651507, 0.0, 1.743980, 0.020344, 0.144270, 1.908594), (3.31, 8.0)),
        ((1, 13, 27, 1.981809, 0.073215, 1.981809, 0.022935, 0.316514, 2.321258), (9.91, 20.0)),
        ((2, 28, 40, 2.146959, 0.0, 2.321258, 0.014233, 0.226500, 2.561990), (8.59, 10.0)),
    ];
    let rows = stages.map(|(short, memory)| row(short, total_s, 0.66060288e9, memory));
    Gantt { rows: rows.into(), total_s }
}

/// A larger fleet, with rows of one layer and hand-overs of many lengths.
#[rustfmt::skip]
pub fn twelve() -> Gantt {
    let total_s = 3.2063;
    let stages: [(Short, f64); 12] = [
        ((11, 1, 1, 0.3751, 0.3751, 0.3751, 0.0, 0.0527, 0.4277), 8.0),
        ((4, 2, 2, 0.4876, 0.0599, 0.4876, 0.0379, 0.062, 0.5875), 8.0),
        ((8, 3, 3, 0.5418, 0.0, 0.5875, 0.0422, 0.0659, 0.6956), 8.0),
        ((12, 4, 4, 0.6095, 0.0, 0.6956, 0.0576, 0.0555, 0.8087), 8.0),
        ((3, 5, 7, 0.8359, 0.0272, 0.8359, 0.0507, 0.158, 1.0445), 8.0),
        ((7, 8, 10, 0.8865, 0.0, 1.0445, 0.0305, 0.134, 1.2091), 8.0),
        ((1, 11, 15, 1.219, 0.0099, 1.219, 0.0379, 0.1959, 1.4527), 16.0),
        ((10, 16, 21, 1.4271, 0.0, 1.4527, 0.041, 0.2202, 1.7139), 8.0),
        ((6, 22, 29, 1.6599, 0.0, 1.7139, 0.0501, 0.2737, 2.0377), 8.0),
        ((9, 30, 41, 2.053, 0.0153, 2.053, 0.0501, 0.34, 2.4431), 16.0),
        ((2, 42, 49, 2.4379, 0.0, 2.4431, 0.0381, 0.2375, 2.7186), 8.0),
        ((5, 50, 64, 2.6121, 0.0, 2.7186, 0.0323, 0.4554, 3.2063), 16.0),
    ];
    let layer = 0.97517568e9;
    let rows = stages.map(|(short, capacity)| {
        let mem = (short.2 - short.1 + 1) as f64 * layer / 1e9;
        row(short, total_s, layer, (mem, capacity))
    });
    Gantt { rows: rows.into(), total_s }
}

/// The first stages of the paper's plan, as a plan of their own.
pub fn first_rows(n: usize) -> Gantt {
    let mut gantt = paper();
    gantt.rows.truncate(n);
    gantt.total_s = gantt.rows.last().map_or(0.0, |row| row.timing.finish);
    gantt
}

/// First answer over prompt length, for the optimal plan and three simple splits.
pub fn sweep() -> LineChart {
    let tokens = [256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0];
    let series = |name: &str, role, ys: [f64; 6]| Series {
        name: name.into(),
        role,
        points: tokens.into_iter().zip(ys.map(Some)).collect(),
    };
    LineChart {
        title: "First answer over prompt length".into(),
        x_title: "Prompt tokens".into(),
        y_title: "First answer".into(),
        y_unit: "s".into(),
        decimals: 3,
        now: Some(256.0),
        limit: None,
        series: vec![
            series(
                "Edgewise",
                SeriesRole::Ours,
                [2.5620, 2.6577, 2.8482, 3.3376, 4.4966, 7.0291],
            ),
            series(
                "Heuristic",
                SeriesRole::A,
                [2.8097, 2.9826, 3.3621, 4.2406, 6.3366, 11.1757],
            ),
            series(
                "Even",
                SeriesRole::B,
                [3.6119, 3.7004, 3.9026, 4.3881, 6.4947, 12.4483],
            ),
            series(
                "Single",
                SeriesRole::C,
                [6.1289, 6.1910, 6.3246, 6.6303, 7.3941, 9.4616],
            ),
        ],
        ..LineChart::default()
    }
}

/// Three tiers with Llama-3-8B on them, split 5, 9, 18.
pub fn three_tiers() -> TierDiagram {
    let tier = |name: &str, shade, nodes, (first, last), room, pass_ms: f64| TierBox {
        name: name.into(),
        shade,
        nodes,
        first,
        last,
        block_capacity: Some(room),
        pass_s: pass_ms / 1e3,
        prefill_s: 1.022 * pass_ms / 1e3,
        fits: true,
        ..TierBox::default()
    };
    let hop = HopBox {
        prefill_s: 4.19e-3,
        decode_s: 65.5e-6,
    };
    let mut tiers = vec![
        tier("Nano", 0, 3, (1, 5), 9, 53.523),
        tier("NX", 1, 3, (6, 14), 29, 63.977),
        tier("AGX", 3, 2, (15, 32), 61, 72.527),
    ];
    tiers[0].embedding = true;
    (tiers[2].head, tiers[2].head_s) = (true, 8.55e-3);
    let memory = [(3.23, 5.2, 0.438), (3.93, 13.0, 0.366), (8.9, 28.0, 0.215)];
    for (tier, (used, room, full_at)) in tiers.iter_mut().zip(memory) {
        (tier.memory_gb, tier.room_gb, tier.full_at) = (used, room, full_at);
    }
    TierDiagram {
        tiers,
        hops: vec![hop; 2],
        slowest: Some(2),
        total_s: 0.190_158,
        return_s: 0.0,
    }
}

/// Six tiers with a thousand blocks on them, one tier with none and one with too many.
pub fn six_tiers() -> TierDiagram {
    let small = three_tiers();
    let spans = [
        (1, 167),
        (168, 168),
        (169, 168),
        (169, 700),
        (701, 702),
        (703, 1000),
    ];
    let tier = |(at, (first, last)): (usize, (usize, usize))| TierBox {
        name: format!("Tier of site {}", at + 1),
        shade: at,
        nodes: at + 1,
        first,
        last,
        embedding: at == 0,
        head: at == 5,
        fits: at != 3,
        ..small.tiers[at % 3].clone()
    };
    TierDiagram {
        tiers: spans.into_iter().enumerate().map(tier).collect(),
        hops: vec![small.hops[0]; 5],
        slowest: Some(5),
        total_s: 0.4,
        return_s: 1e-4,
    }
}

/// Requests through tiers of so many nodes each, every node serving one pass at a time in the order in which they come;
/// requests arrive at equal distances and take the nodes in turn.
pub fn run(nodes: &[usize], requests: usize, gap_s: f64, passes: u32) -> RequestRun {
    const PASS_S: [f64; 3] = [0.0535, 0.064, 0.0725];
    let names = ["Nano", "NX", "AGX"];
    let row = |tier: usize, n: usize| NodeRow {
        name: format!("{} {}", names[tier % 3], n + 1),
        tier,
        shade: [0, 1, 3][tier % 3],
    };
    let rows = (0..nodes.len()).flat_map(|tier| (0..nodes[tier]).map(move |n| row(tier, n)));
    let rows: Vec<NodeRow> = rows.collect();
    let before = |tier: usize| nodes[..tier].iter().sum::<usize>();
    let arrivals: Vec<f64> = (0..requests)
        .map(|task| 7.0 * gap_s / 8.0 + gap_s * task as f64)
        .collect();
    // When each request is ready for its next step, and which that is.
    let mut next: Vec<(f64, u32)> = arrivals.iter().map(|s| (*s, 0)).collect();
    let mut free = vec![0.0_f64; rows.len()];
    let (mut bars, steps) = (Vec::new(), passes * nodes.len() as u32);
    loop {
        let open = next
            .iter()
            .enumerate()
            .filter(|(_, (_, step))| *step < steps);
        let Some((task, (ready, step))) = open.min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0)) else {
            break;
        };
        let tier = *step as usize % nodes.len();
        let (pass, node) = (
            *step / nodes.len() as u32,
            before(tier) + task % nodes[tier],
        );
        let from = ready.max(free[node]);
        let to = from + PASS_S[tier % 3] * if pass == 0 { 1.6 } else { 1.0 };
        bars.push(PassBar {
            node,
            task,
            pass,
            from,
            to,
        });
        (free[node], next[task]) = (to, (to, step + 1));
    }
    RequestRun {
        nodes: rows,
        end_s: bars.iter().map(|bar| bar.to).fold(0.0, f64::max),
        passes: bars,
        arrivals,
        marked: None,
    }
}

/// Thirteen requests of a hundred passes on eight nodes.
pub fn thirteen() -> RequestRun {
    run(&[3, 3, 2], 13, 7.0, 100)
}

/// Heads on so many devices over so many tokens: a head moves before one token in so many, projection and FFN before one
/// in three, between four devices.
pub fn heads(
    (devices, heads): (usize, usize),
    tokens: usize,
    one_in: usize,
    seed: u64,
) -> (HeadMap, TokenTimes) {
    let mut state = seed;
    let mut below = move |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % n.max(1)
    };
    let row = |at: usize| DeviceRow {
        name: format!("D{}", at + 1),
        shade: at,
        note: format!("{:.1}", 5.0 + ((at * 37) % 40) as f64 * 0.97),
        is_controller: at == 0,
    };
    let mut map = HeadMap {
        note_title: "Gop/s".into(),
        devices: (0..devices).map(row).collect(),
        tokens,
        at: None,
        ..HeadMap::default()
    };
    let mut times = TokenTimes::default();
    // Some devices stay empty, some hold several from the start.
    let mut place: Vec<usize> = (0..heads)
        .map(|_| (below(devices) / 2 * 2 + 1) % devices)
        .collect();
    let mut held = vec![0_usize; devices];
    for at in &place {
        held[*at] += 1;
    }
    let mut since = vec![1_usize; devices];
    let hosts: Vec<usize> = (0..4).map(|k| (k * 7 + 2) % devices).collect();
    let (mut host, mut host_since) = (hosts[0], 1);
    for token in 1..=tokens {
        let mut moving_s = 0.0;
        if token > 1 && below(one_in) == 0 {
            // Now and then several go at once.
            for _ in 0..1 + below(8) / 5 * 2 {
                let (head, to) = (below(heads), below(devices));
                let from = place[head];
                if from == to {
                    continue;
                }
                for device in [from, to] {
                    if token > since[device] {
                        map.spans.push(HeadSpan {
                            device,
                            from: since[device],
                            to: token - 1,
                            heads: held[device],
                        });
                        since[device] = token;
                    }
                }
                held[from] -= 1;
                held[to] += 1;
                place[head] = to;
                moving_s += 0.01 + 1e-5 * token as f64;
                map.moves.push(BlockMove {
                    token,
                    block: MovedBlock::Head(head),
                    from,
                    to,
                    bytes: 8.2e3 * token as f64,
                    seconds: 0.01 + 1e-5 * token as f64,
                });
            }
        }
        if token > 1 && below(3) == 0 {
            let to = hosts[[0, 0, 0, 1, 1, 2, 3][below(7)]];
            if to != host {
                let run = HostedBlock {
                    device: host,
                    from: host_since,
                    to: token - 1,
                };
                map.projection.push(run);
                map.ffn.push(run);
                for (block, bytes) in [(MovedBlock::Projection, 1.0e6), (MovedBlock::Ffn, 4.0e6)] {
                    map.moves.push(BlockMove {
                        token,
                        block,
                        from: host,
                        to,
                        bytes,
                        seconds: 1e-9 * bytes,
                    });
                    moving_s += 1e-9 * bytes;
                }
                (host, host_since) = (to, token);
            }
        }
        let grown = token as f64 / 1000.0;
        let noise = below(1000) as f64 / 1000.0;
        times.tokens.push(PhaseTimes {
            heads_s: 0.004 + 0.06 * grown,
            blocks_s: 0.07 + (0.8 + 0.25 * noise) * grown,
            transfer_s: 0.001 + 0.01 * grown,
            moving_s,
        });
    }
    let last = HostedBlock {
        device: host,
        from: host_since,
        to: tokens,
    };
    map.projection.push(last);
    map.ffn.push(last);
    for device in 0..devices {
        map.spans.push(HeadSpan {
            device,
            from: since[device],
            to: tokens,
            heads: held[device],
        });
    }
    (map, times)
}
