//! How much a hand-over sends: the numbers of tokens in place of their text.
//!
//! Source: DiSCo (arXiv:2502.11417), section 4.3. Both ends know the vocabulary, so a token is a number of so many bits; the
//! paper's two savings, in whole bytes and in bits, both follow from 4.66 bytes of text a token. Where vocabularies differ
//! the text is sent. No key-value cache is sent either way: the target does its own prefill.

/// Bytes of UTF-8 text a token of instructions, from which both published savings follow.
pub const TEXT_BYTES: f64 = 4.66;
/// Entries of the vocabulary of the published figures, `cl100k_base`.
pub const VOCABULARY: u32 = 100_277;

/// Bits that tell the entries of a vocabulary apart; 0 for one entry or none.
#[must_use]
pub fn bits(vocabulary: u32) -> u32 {
    u32::BITS - vocabulary.saturating_sub(1).leading_zeros()
}

/// Whole bytes of a token's number.
#[must_use]
pub fn bytes(vocabulary: u32) -> u32 {
    bits(vocabulary).div_ceil(8)
}

/// Returns the bytes saved beside text with this many bytes for each token, as shares: with whole bytes for each token, and with
/// packed bits. Below 0 where text is shorter.
#[must_use]
pub fn savings(vocabulary: u32, text_bytes: f64) -> [f64; 2] {
    [
        1.0 - f64::from(bytes(vocabulary)) / text_bytes,
        1.0 - f64::from(bits(vocabulary)) / (8.0 * text_bytes),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::papers::DISCO;

    #[test]
    fn savings_are_the_published_ones() {
        assert_eq!((bits(VOCABULARY), bytes(VOCABULARY)), (17, 3));
        let ours = savings(VOCABULARY, TEXT_BYTES);
        for (ours, key) in ours.iter().zip(["bytes/whole", "bytes/packed"]) {
            let published = DISCO.row(key).at(0) / 100.0;
            assert!((ours - published).abs() < 1e-4, "{ours}, {published}");
        }
        // Short tokens of other instructions.
        let other = savings(VOCABULARY, 4.44);
        assert!((other[0] - 0.324).abs() < 5e-4 && (other[1] - 0.521).abs() < 5e-4);
        for vocabulary in [250_880, 151_936] {
            assert_eq!((bits(vocabulary), bytes(vocabulary)), (18, 3));
        }
        let edges = [(0, 0), (1, 0), (2, 1), (256, 8), (257, 9), (u32::MAX, 32)];
        for (vocabulary, expected) in edges {
            assert_eq!(bits(vocabulary), expected, "{vocabulary}");
        }
    }
}
