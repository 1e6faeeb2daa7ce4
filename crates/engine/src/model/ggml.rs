//! Types of ggml: how many weights make a block of a type, and how many bytes it takes. GGUF files store tensors in them, and
//! caches are kept in some.
//!
//! Source: the type traits of ggml (`ggml.h`, `ggml-common.h`), numbers as they are in files.

/// A type: its number, its name, weights of a block, bytes of a block.
type Kind = (u32, &'static str, u64, u64);

/// All of them. Numbers 4 and 5 were removed; 31 to 33 and 36 to 38 are packed forms that files no longer have.
const KINDS: &[Kind] = &[
    (0, "F32", 1, 4),
    (1, "F16", 1, 2),
    (2, "Q4_0", 32, 18),
    (3, "Q4_1", 32, 20),
    (6, "Q5_0", 32, 22),
    (7, "Q5_1", 32, 24),
    (8, "Q8_0", 32, 34),
    (9, "Q8_1", 32, 36),
    (10, "Q2_K", 256, 84),
    (11, "Q3_K", 256, 110),
    (12, "Q4_K", 256, 144),
    (13, "Q5_K", 256, 176),
    (14, "Q6_K", 256, 210),
    (15, "Q8_K", 256, 292),
    (16, "IQ2_XXS", 256, 66),
    (17, "IQ2_XS", 256, 74),
    (18, "IQ3_XXS", 256, 98),
    (19, "IQ1_S", 256, 50),
    (20, "IQ4_NL", 32, 18),
    (21, "IQ3_S", 256, 110),
    (22, "IQ2_S", 256, 82),
    (23, "IQ4_XS", 256, 136),
    (24, "I8", 1, 1),
    (25, "I16", 1, 2),
    (26, "I32", 1, 4),
    (27, "I64", 1, 8),
    (28, "F64", 1, 8),
    (29, "IQ1_M", 256, 56),
    (30, "BF16", 1, 2),
    (31, "Q4_0_4_4", 32, 18),
    (32, "Q4_0_4_8", 32, 18),
    (33, "Q4_0_8_8", 32, 18),
    (34, "TQ1_0", 256, 54),
    (35, "TQ2_0", 256, 66),
    (36, "IQ4_NL_4_4", 32, 18),
    (37, "IQ4_NL_4_8", 32, 18),
    (38, "IQ4_NL_8_8", 32, 18),
    (39, "MXFP4", 32, 17),
    (40, "NVFP4", 64, 36),
];

/// Weights and bytes of a block of the type with this name, when the program is compiled: a name without a row does not compile.
pub(super) const fn block(name: &str) -> (u64, u64) {
    let mut at = 0;
    while at < KINDS.len() {
        let (_, known, weights, bytes) = KINDS[at];
        let (known, name) = (known.as_bytes(), name.as_bytes());
        let mut same = 0;
        while same < known.len() && same < name.len() && known[same] == name[same] {
            same += 1;
        }
        if same == known.len() && same == name.len() {
            return (weights, bytes);
        }
        at += 1;
    }
    panic!("ggml has no type of this name")
}

fn find(kind: u32) -> Option<&'static Kind> {
    KINDS.iter().find(|known| known.0 == kind)
}

/// Returns true if a type is known.
#[must_use]
pub fn is_known(kind: u32) -> bool {
    find(kind).is_some()
}

/// The name of a type; of one that is not known, its number.
#[must_use]
pub fn name(kind: u32) -> String {
    find(kind).map_or_else(|| format!("type {kind}"), |known| known.1.to_owned())
}

/// Bytes of so many weights of a type, the last block counted whole; `None` for a type that is not known.
#[must_use]
pub fn bytes(kind: u32, weights: u64) -> Option<u64> {
    let (_, _, block, size) = find(kind)?;
    weights.div_ceil(*block).checked_mul(*size)
}
