//! The arena as TensorFlow Lite for Microcontrollers takes it: the buffer of the metadata `OfflineMemoryAllocation`, and the
//! same as a C++ `BufferPlan`.
//!
//! Source: `tensorflow/lite/micro/docs/memory_management.md` and `memory_planner/memory_plan_struct.h` of tflite-micro. The
//! buffer is a list of little-endian 32-bit integers: the version of the format, 0, the subgraph that it is about, the number of
//! offsets, then an offset for each tensor or -1 where the runtime is to choose. Tensors are numbered as here, the outputs of the operators as the
//! file lists them and then the inputs; a converted model numbers its own, weights included, so the names are beside.

use engine::graph::Graph;
use engine::plan::Arena;
use std::fmt::Write;

/// The version of the format, as tflite-micro documents it.
const VERSION: i32 = 0;
/// The subgraph that the plan is about: the first, and here the only one.
const SUBGRAPH: i32 = 0;
/// The runtime chooses.
const FREE: i32 = -1;

/// The offset of each tensor, or -1; `None` where the arena is larger than 31 bits can say.
fn offsets(arena: &Arena) -> Option<Vec<i32>> {
    let of = |offset: &Option<u64>| match offset {
        None => Some(FREE),
        Some(offset) => i32::try_from(*offset).ok(),
    };
    i32::try_from(arena.size).ok()?;
    arena.offsets.iter().map(of).collect()
}

/// The buffer of the metadata, in bytes; `None` where the arena is larger than 31 bits can say.
#[must_use]
pub fn buffer(arena: &Arena) -> Option<Vec<u8>> {
    let offsets = offsets(arena)?;
    let head = [VERSION, SUBGRAPH, i32::try_from(offsets.len()).ok()?];
    let all = head.into_iter().chain(offsets);
    Some(all.flat_map(i32::to_le_bytes).collect())
}

/// A name as a comment may hold it.
fn plain(name: &str) -> String {
    let safe = |c: char| if c.is_control() || c == '\\' { ' ' } else { c };
    name.chars().map(safe).collect()
}

/// Writes the plan as C++: sizes as constants, and a `BufferPlan` with the tensors' names; `None` as for [`buffer`].
#[must_use]
pub fn header(graph: &Graph, arena: &Arena) -> Option<String> {
    let offsets = offsets(arena)?;
    let count = offsets.len();
    let mut rows = String::new();
    for (t, offset) in offsets.iter().enumerate() {
        let name = plain(&graph.tensor_name(t));
        writeln!(
            rows,
            "        {{{offset}}},  // {t}: {name}, {} B",
            graph.bytes(t)
        )
        .ok()?;
    }
    let name = plain(graph.name());
    Some(format!(
        "// Offsets of the tensors of {name} in one arena, made by Edgewise.\n\
         // Tensors are numbered as the graph lists them, then its inputs; -1 is never held.\n\
         #pragma once\n\
         #include <cstddef>\n\
         #include <cstdint>\n\
         \n\
         namespace edgewise {{\n\
         \n\
         constexpr std::size_t kArenaBytes = {};\n\
         constexpr std::size_t kArenaAlignment = {};\n\
         constexpr std::int32_t kTensors = {count};\n\
         \n\
         // Laid out as tflite::BufferPlan is: a count, then as many descriptors.\n\
         struct BufferDescriptor {{\n    std::int32_t offset;\n}};\n\
         struct BufferPlan {{\n    std::int32_t buffer_count;\n    BufferDescriptor buffer_plan_entries[kTensors];\n}};\n\
         \n\
         alignas(4) constexpr BufferPlan kPlan = {{\n    kTensors,\n    {{\n{rows}    }},\n}};\n\
         \n\
         }}  // namespace edgewise\n",
        arena.size, arena.align
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::operators::presets::table_2;

    fn arena(offsets: Vec<Option<u64>>, size: u64) -> Arena {
        Arena {
            align: 16,
            steps: vec![None; offsets.len()],
            offsets,
            shared: Vec::new(),
            size,
            bound: size,
        }
    }

    #[test]
    fn the_buffer_is_a_head_and_an_offset_for_each_tensor() {
        let arena = arena(vec![Some(0), Some(64), None], 128);
        let bytes = buffer(&arena).expect("it is small");
        let words: Vec<i32> = bytes
            .chunks_exact(4)
            .map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        assert_eq!(words, [0, 0, 3, 0, 64, -1]);
    }

    #[test]
    fn an_arena_beyond_31_bits_is_not_written() {
        let large = arena(vec![Some(0)], 1 << 31);
        assert_eq!(buffer(&large), None);
    }

    #[test]
    fn the_header_names_every_tensor() {
        let graph = Graph::new(table_2()).expect("a graph");
        let arena = arena(vec![Some(0), Some(64), None, Some(128), Some(256)], 1024);
        let text = header(&graph, &arena).expect("it is small");
        for part in [
            "kArenaBytes = 1024",
            "{64},  // 1: Conv2",
            "{-1},  // 2: Conv3",
            "kTensors = 5",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }
}
