//! Time and transfers of one operator: what a search asks millions of times a second.

use super::{Reach, SliceClass, Slices, Source};
use crate::plan::{Dim, Marks};
use crate::problem::partition::Link;
use serde::{Deserialize, Serialize};

/// Cost of one operator.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Cost {
    /// Until its last part is done [ms].
    pub ms: f64,
    /// How much of that the first of the slowest devices spends receiving [ms].
    pub comm_ms: f64,
    /// Bytes sent, each broadcast once.
    pub comm_bytes: f64,
}

/// Work of one device for one operator.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct SliceShare {
    /// First row, channel or entry.
    pub from: u32,
    /// One behind the last.
    pub to: u32,
    /// Bytes received.
    pub received: f64,
    /// How long it receives [ms].
    pub comm_ms: f64,
    /// How long it computes [ms].
    pub compute_ms: f64,
}

impl Slices<'_> {
    /// Returns the cost of operator v under a plan; it depends only on its own marks and those of its inputs.
    ///
    /// # Complexity
    /// O(operands × devices).
    #[must_use]
    pub fn operator(&self, v: usize, dims: &[Dim], cuts: &Marks) -> Cost {
        let mut cost = Cost::default();
        self.each_share(v, dims, cuts, &mut cost.comm_bytes, |share| {
            let ms = share.comm_ms + share.compute_ms;
            if ms > cost.ms {
                cost.ms = ms;
                cost.comm_ms = share.comm_ms;
            }
        });
        cost
    }

    /// Returns the work of every device for operator v, devices in order.
    ///
    /// # Complexity
    /// As [`Slices::operator`].
    #[must_use]
    pub fn shares(&self, v: usize, dims: &[Dim], cuts: &Marks) -> Vec<SliceShare> {
        let marks = cuts.of(v);
        let mut shares: Vec<SliceShare> = (marks.windows(2))
            .map(|ends| SliceShare {
                from: ends[0],
                to: ends[1],
                ..SliceShare::default()
            })
            .collect();
        let mut active = Vec::with_capacity(shares.len());
        self.each_share(v, dims, cuts, &mut 0.0, |share| active.push(share));
        let mut active = active.into_iter();
        for share in shares.iter_mut().filter(|share| share.from < share.to) {
            *share = active.next().unwrap_or_default();
        }
        shares
    }

    /// Calls `with` for each device that takes part, and adds up what is sent.
    #[inline]
    fn each_share(
        &self,
        v: usize,
        dims: &[Dim],
        cuts: &Marks,
        sent: &mut f64,
        mut with: impl FnMut(SliceShare),
    ) {
        let marks = cuts.of(v);
        let part = &self.parts[v];
        let side = self.side(v, dims[v]);
        let sources = self.sources(v);
        let active = marks.windows(2).filter(|ends| ends[0] < ends[1]).count();
        let is_broadcast = side.class != SliceClass::Row && active > 1;
        let rate = self.fleet.bytes_per_ms();
        if is_broadcast {
            for source in sources {
                *sent += source.bytes;
            }
        }
        let shared = self.fleet.link() == Link::Shared;
        if shared && !is_broadcast {
            for (k, ends) in marks.windows(2).enumerate() {
                if ends[0] < ends[1] {
                    *sent +=
                        self.received(v, side.class, sources, k, (ends[0], ends[1]), dims, cuts);
                }
            }
        }
        let length = f64::from(side.length);
        for (k, ends) in marks.windows(2).enumerate() {
            let (from, to) = (ends[0], ends[1]);
            if from == to {
                continue;
            }
            let received = if is_broadcast {
                *sent
            } else {
                let received = self.received(v, side.class, sources, k, (from, to), dims, cuts);
                if !shared {
                    *sent += received;
                }
                received
            };
            // On a shared link a device that receives anything waits for everything that is sent.
            let waits_for = if shared && received > 0.0 {
                *sent
            } else {
                received
            };
            let share = f64::from(to - from) / length;
            with(SliceShare {
                from,
                to,
                received,
                comm_ms: waits_for / rate,
                compute_ms: self
                    .fleet
                    .compute_ms(k, part.base_ms + share * part.slope_ms),
            });
        }
    }

    /// Returns the bytes of the sources that device k needs for its part and does not hold.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    fn received(
        &self,
        v: usize,
        class: SliceClass,
        sources: &[Source],
        k: usize,
        made: (u32, u32),
        dims: &[Dim],
        cuts: &Marks,
    ) -> f64 {
        // An empty sum of floating-point numbers is -0.
        sources.iter().fold(0.0, |sum, source| {
            sum + self.missing(v, class, source, k, made, dims, cuts)
        })
    }

    /// Returns the bytes of one source that device k does not hold, cases (ii) and (iii) of Algorithm 3.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    pub(super) fn missing(
        &self,
        v: usize,
        class: SliceClass,
        source: &Source,
        k: usize,
        made: (u32, u32),
        dims: &[Dim],
        cuts: &Marks,
    ) -> f64 {
        let u = source.u as usize;
        let (lo, hi) = self.reached(v, class, source, made);
        let held = &cuts.of(u)[k..k + 2];
        let need = (hi - lo) as f64;
        let of = self.side(u, dims[u]);
        if of.class == SliceClass::Row {
            let overlap = (hi.min(i64::from(held[1])) - lo.max(i64::from(held[0]))).max(0);
            source.bytes * (need - overlap as f64) / f64::from(source.rows)
        } else {
            let share = f64::from(held[1] - held[0]) / f64::from(of.length);
            source.bytes * (1.0 - share) * need / f64::from(source.rows)
        }
    }

    /// The operators that v reads, each once, and which of their rows it needs for the rows `made` of its own.
    ///
    /// # Complexity
    /// O(1) each.
    pub fn needs(
        &self,
        v: usize,
        dim: Dim,
        made: (u32, u32),
    ) -> impl Iterator<Item = (usize, (u32, u32))> + '_ {
        let class = self.class(v, dim);
        self.sources(v).iter().map(move |source| {
            let (lo, hi) = self.reached(v, class, source, made);
            (source.u as usize, (lo as u32, hi as u32))
        })
    }

    /// Which rows of a source v needs for what it makes.
    #[inline]
    fn reached(
        &self,
        v: usize,
        class: SliceClass,
        source: &Source,
        made: (u32, u32),
    ) -> (i64, i64) {
        if class == SliceClass::Row && !source.is_complete {
            self.needed(v, source.rows, made)
        } else {
            (0, i64::from(source.rows))
        }
    }

    /// Which of a source's rows are needed for some of v's, equation (1) with dilation, within the input; of a source
    /// of another height the rows that cover as much.
    #[inline]
    pub(super) fn needed(&self, v: usize, rows: u32, (from, to): (u32, u32)) -> (i64, i64) {
        let part = &self.parts[v];
        let (from, to) = (i64::from(from), i64::from(to));
        let reference = i64::from(part.reference);
        let (lo, hi) = match part.reach {
            Reach::Same => (from, to),
            Reach::Window { s, p, span } => {
                let lo = (from * s - p).max(0);
                let end = (to - 1) * s + span - p;
                (lo, end.min(reference).max(lo))
            }
        };
        let rows = i64::from(rows);
        if reference == rows {
            (lo, hi)
        } else {
            (
                lo * rows / reference,
                (hi * rows + reference - 1) / reference,
            )
        }
    }
}
