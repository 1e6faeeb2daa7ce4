//! Tensors that a file holds: type and lengths, and the numbers of small ones; weights are sought over.

use super::model::MOST_AXES;
use super::reader::{ProtoReader, ProtoValue};
use crate::problem::Invalid;
use std::io::{Read, Seek};

/// The most numbers of a constant that is read: shapes and axes are short.
pub(super) const MOST_KEPT: usize = 1024;

/// A tensor of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct OnnxTensor {
    /// Number of its element type.
    element: i64,
    /// Lengths of its axes, as the file has them.
    dims: Vec<i64>,
    /// Its numbers, if it is a small one of whole numbers that are in the file.
    pub(super) ints: Option<Vec<i64>>,
    /// Its numbers, if it is a small one of float32 that are in the file.
    pub(super) floats: Option<Vec<f32>>,
    /// Bytes beside its elements: the places of a sparse tensor.
    extra_b: u64,
    /// The shape of a sparse tensor, whose elements are a list.
    dense: Option<Vec<i64>>,
}

impl OnnxTensor {
    /// Its shape, if there is one.
    pub(super) fn shape(&self) -> Option<Vec<u64>> {
        let dims = self.dense.as_ref().unwrap_or(&self.dims);
        dims.iter().map(|dim| u64::try_from(*dim).ok()).collect()
    }

    /// Bits of an element; none where its type has no size.
    pub(super) const fn element_bits(&self) -> Option<u64> {
        bits(self.element)
    }

    /// Bytes that it takes; none where its type has no size.
    ///
    /// # Errors
    /// A length is invalid.
    pub(super) fn bytes(&self) -> Result<Option<u64>, String> {
        let mut lengths = Vec::with_capacity(self.dims.len());
        for dim in &self.dims {
            let length = u64::try_from(*dim);
            lengths.push(length.map_err(|_| format!("has an axis of length {dim}"))?);
        }
        let Some(bits) = bits(self.element) else {
            return Ok(None);
        };
        let too_large = || format!("is too large: {:?} elements", self.dims);
        let bytes = bytes(&lengths, bits).ok_or_else(too_large)?;
        Ok(Some(bytes.checked_add(self.extra_b).ok_or_else(too_large)?))
    }

    /// Its lengths, for messages.
    pub(super) fn shape_text(&self) -> String {
        format!("{:?}", self.dims)
    }
}

/// Bits of an element by the number of its type; none for texts and what is not known.
pub(super) const fn bits(element: i64) -> Option<u64> {
    Some(match element {
        2 | 3 | 9 | 17..=20 | 24 => 8,
        4 | 5 | 10 | 16 => 16,
        1 | 6 | 12 => 32,
        7 | 11 | 13 | 14 => 64,
        15 => 128,
        21..=23 => 4,
        _ => return None,
    })
}

/// Bytes of a tensor; none where they leave 62 bits.
pub(super) fn bytes(shape: &[u64], bits: u64) -> Option<u64> {
    // A length of zero makes the product zero, whatever the others are.
    if shape.contains(&0) {
        return Some(0);
    }
    let all = shape
        .iter()
        .try_fold(u128::from(bits), |product, length| {
            product.checked_mul(u128::from(*length))
        })?
        .div_ceil(8);
    u64::try_from(all).ok().filter(|bytes| *bytes <= 1 << 62)
}

/// Reads a tensor and its name.
pub(super) fn read<R: Read + Seek>(
    wire: &mut ProtoReader<R>,
    place: &'static str,
    i: usize,
    value: ProtoValue,
) -> Result<(String, OnnxTensor), Invalid> {
    let (mut name, mut tensor) = (String::new(), OnnxTensor::default());
    let (mut raw, mut ints, mut fit, mut is_outside) = (None, Vec::new(), true, false);
    let end = wire.end(value)?;
    wire.message(place, i, end, |wire, field, value| {
        match field {
            1 => wire.lengths(value, MOST_AXES, &mut tensor.dims)?,
            2 => tensor.element = wire.int(value)?,
            // Whole numbers of 32 and of 64 bits, where they are few.
            5 | 7 => fit = fit && wire.ints(value, MOST_KEPT, &mut ints)?,
            8 => name = wire.name(value)?,
            9 => raw = wire.bytes(value, 8 * MOST_KEPT)?,
            14 => is_outside = wire.int(value)? == 1,
            _ => {}
        }
        Ok(())
    })?;
    if !is_outside {
        tensor.set_values(raw, fit.then_some(ints));
    }
    Ok((name, tensor))
}

impl OnnxTensor {
    /// Takes its numbers, if they are as many as its lengths say.
    fn set_values(&mut self, raw: Option<Vec<u8>>, ints: Option<Vec<i64>>) {
        let count = self.shape().and_then(|shape| bytes(&shape, 8));
        let count = count.and_then(|count| usize::try_from(count).ok());
        let Some(count) = count.filter(|count| *count <= MOST_KEPT) else {
            return;
        };
        let raw = raw.unwrap_or_default();
        let eight = |bytes: &[u8; 8]| i64::from_le_bytes(*bytes);
        let four = |bytes: &[u8; 4]| i32::from_le_bytes(*bytes);
        let read: Vec<i64> = match self.element {
            7 if !raw.is_empty() => raw.as_chunks().0.iter().map(eight).collect(),
            6 if !raw.is_empty() => raw
                .as_chunks()
                .0
                .iter()
                .map(|b| i64::from(four(b)))
                .collect(),
            // A truth is a byte.
            9 if !raw.is_empty() => raw.iter().map(|byte| i64::from(*byte)).collect(),
            6 | 7 | 9 => ints.unwrap_or_default(),
            1 if raw.len() == 4 * count => {
                let floats = raw.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b));
                self.floats = (count <= MOST_AXES).then(|| floats.collect());
                return;
            }
            _ => return,
        };
        self.ints = (read.len() == count).then_some(read);
    }
}

/// Reads a sparse tensor and its name.
pub(super) fn read_sparse<R: Read + Seek>(
    wire: &mut ProtoReader<R>,
    i: usize,
    value: ProtoValue,
) -> Result<(String, OnnxTensor), Invalid> {
    let (mut name, mut values) = (String::new(), OnnxTensor::default());
    let (mut places, mut dims) = (OnnxTensor::default(), Vec::new());
    let end = wire.end(value)?;
    wire.message("sparse_initializers", i, end, |wire, field, value| {
        match field {
            1 => (name, values) = read(wire, "values", usize::MAX, value)?,
            2 => (_, places) = read(wire, "indices", usize::MAX, value)?,
            3 => wire.lengths(value, MOST_AXES, &mut dims)?,
            _ => {}
        }
        Ok(())
    })?;
    values.extra_b = places.bytes().ok().flatten().unwrap_or_default();
    values.dense = Some(dims);
    (values.ints, values.floats) = (None, None);
    Ok((name, values))
}
