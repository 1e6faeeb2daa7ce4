//! Lengths that a file leaves open: given by an option, inferred, or 1.

use super::model::OnnxAxis;
use super::{Dim, Options};
use crate::problem::{Code, Invalid};
use std::collections::{BTreeMap, BTreeSet};

/// The largest length that an option may give: 2^53.
const MOST: u64 = 1 << 53;

/// The most open lengths.
const MOST_DIMS: usize = 10_000;

/// Open lengths, met so far.
pub(super) struct Symbols<'a> {
    given: &'a BTreeMap<String, u64>,
    met: BTreeSet<String>,
    listed: BTreeSet<String>,
    dims: Vec<Dim>,
    /// True if there are more than are listed.
    has_more: bool,
}

impl<'a> Symbols<'a> {
    pub(super) fn new(options: &'a Options) -> Result<Self, Invalid> {
        for (name, value) in &options.dims {
            if !(1..=MOST).contains(value) {
                let allowed = format!("a whole number from 1 to {MOST}");
                return Err(Invalid::range(format!("dims.{name}"), *value, &allowed));
            }
        }
        Ok(Self {
            given: &options.dims,
            met: BTreeSet::new(),
            listed: BTreeSet::new(),
            dims: Vec::new(),
            has_more: false,
        })
    }

    /// The length of one axis of a tensor.
    fn length(&mut self, axis: &OnnxAxis, inferred: Option<u64>, name: impl Fn() -> String) -> u64 {
        let name = match axis {
            OnnxAxis::Given(length) => return *length,
            // The file is refused at the end: nothing more need be known of it.
            _ if self.has_more => return inferred.unwrap_or(1),
            OnnxAxis::Named(name) => name.clone(),
            OnnxAxis::Missing => name(),
        };
        let given = self.given.get(&name).copied();
        if given.is_some() {
            self.met.insert(name.clone());
        } else if let Some(inferred) = inferred {
            return inferred;
        }
        let value = given.unwrap_or(1);
        if self.dims.len() == MOST_DIMS && !self.listed.contains(&name) {
            self.has_more = true;
        } else if self.listed.insert(name.clone()) {
            let given = given.is_some();
            self.dims.push(Dim { name, value, given });
        }
        value
    }

    /// The shape of a tensor after what the file says and what follows from the operators.
    pub(super) fn shape(
        &mut self,
        axes: &[OnnxAxis],
        inferred: Option<&[u64]>,
        tensor: &str,
    ) -> Vec<u64> {
        let inferred = inferred.filter(|inferred| inferred.len() == axes.len());
        let numbered = axes.iter().enumerate();
        numbered
            .map(|(i, axis)| {
                let inferred = inferred.map(|shape| shape[i]);
                self.length(axis, inferred, || format!("{tensor}[{i}]"))
            })
            .collect()
    }

    /// The open lengths.
    ///
    /// # Errors
    /// An option that names none of them, or more of them than are read.
    pub(super) fn into_dims(self) -> Result<Vec<Dim>, Invalid> {
        if self.has_more {
            let message = format!("the file leaves more than {MOST_DIMS} lengths open");
            return Err(Invalid::new(Code::Range, "dims", MOST_DIMS, message));
        }
        let Some(name) = self.given.keys().find(|name| !self.met.contains(*name)) else {
            return Ok(self.dims);
        };
        const MOST_SHOWN: usize = 20;
        let names: Vec<&str> = self
            .dims
            .iter()
            .take(MOST_SHOWN)
            .map(|dim| dim.name.as_str())
            .collect();
        let more = self.dims.len().saturating_sub(MOST_SHOWN);
        let allowed = match (names.is_empty(), more) {
            (true, _) => "the file leaves no length open".to_owned(),
            (false, 0) => format!("the file leaves open {}", names.join(", ")),
            (false, more) => format!("the file leaves open {} and {more} more", names.join(", ")),
        };
        let message = format!("dims.{name} is not an open length of the file: {allowed}");
        Err(Invalid::new(
            Code::Range,
            format!("dims.{name}"),
            name.as_str(),
            message,
        ))
    }
}
