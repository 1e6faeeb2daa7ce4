//! How the operators of a graph are cut over devices.

use serde::{Deserialize, Serialize};

/// Along what the output of an operator is cut (MemoriaNova, Table 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Dim {
    /// Height of the feature map: a device needs rows of the input, and all weights.
    Fmh,
    /// Output channels: a device needs the whole input, and its part of the weights.
    Cout,
    /// Length: rows of a sequence, or entries of a vector.
    Len,
}

impl Dim {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fmh => "fmh",
            Self::Cout => "cout",
            Self::Len => "len",
        }
    }
}

/// Where every operator is cut: for each of them `devices + 1` marks that do not fall, from 0 to its length. Device k, from
/// 0, makes what is between marks k and k + 1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    not(target_arch = "wasm32"),
    derive(schemars::JsonSchema),
    schemars(from = "Vec<Vec<u32>>", into = "Vec<Vec<u32>>")
)]
pub struct Marks {
    devices: usize,
    marks: Vec<u32>,
}

impl Marks {
    /// Everything on one device: the marks of operators of these lengths.
    #[must_use]
    pub fn on_one(lengths: &[u32], devices: usize, device: usize) -> Self {
        let marks = lengths.iter().flat_map(|length| {
            (0..=devices).map(move |mark| if mark <= device { 0 } else { *length })
        });
        Self {
            devices,
            marks: marks.collect(),
        }
    }

    /// Marks that are known to be good: `devices + 1` for each operator.
    #[must_use]
    pub fn from_rows<'a>(devices: usize, rows: impl IntoIterator<Item = &'a [u32]>) -> Self {
        let mut marks = Vec::new();
        for row in rows {
            debug_assert_eq!(row.len(), devices + 1);
            marks.extend_from_slice(row);
        }
        Self { devices, marks }
    }

    /// How many devices there are.
    #[must_use]
    pub const fn devices(&self) -> usize {
        self.devices
    }

    /// How many operators there are.
    #[must_use]
    pub const fn operators(&self) -> usize {
        self.marks.len() / (self.devices + 1)
    }

    /// The marks of operator v.
    #[must_use]
    pub fn of(&self, v: usize) -> &[u32] {
        let width = self.devices + 1;
        &self.marks[v * width..(v + 1) * width]
    }

    /// The marks of operator v, to be moved.
    pub fn of_mut(&mut self, v: usize) -> &mut [u32] {
        let width = self.devices + 1;
        &mut self.marks[v * width..(v + 1) * width]
    }

    /// The marks of all operators, one after the other.
    pub fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.marks.chunks_exact(self.devices + 1)
    }
}

impl Serialize for Marks {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.rows())
    }
}

impl<'de> Deserialize<'de> for Marks {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let rows: Vec<Vec<u32>> = Vec::deserialize(from)?;
        let width = rows.first().map_or(0, Vec::len);
        if width < 2 || rows.iter().any(|row| row.len() != width) {
            return Err(serde::de::Error::custom(
                "every operator needs as many marks as there are devices, and one more",
            ));
        }
        Ok(Self::from_rows(width - 1, rows.iter().map(Vec::as_slice)))
    }
}

/// A whole plan: along what, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Partition {
    /// Along what each operator is cut.
    pub dims: Vec<Dim>,
    /// Where.
    pub cuts: Marks,
}
