//! Rates between devices: one for all pairs, and pairs with a rate of their own, which follow their devices through
//! moves.

use super::{Links, OwnRate};
use crate::problem::Invalid;
use crate::scenario::fields;
use crate::units::InOrder;

impl Links {
    /// The rate from one device to another [Gbit/s]. O(log pairs).
    #[must_use]
    pub fn rate(&self, from: usize, to: usize) -> f64 {
        let found = |from, to| {
            let at = self.own.binary_search_by_key(&(from, to), OwnRate::pair);
            at.ok().map(|at| self.own[at].gbit_s)
        };
        let both_ways = || found(from.min(to), from.max(to));
        found(from, to).or_else(both_ways).unwrap_or(self.gbit_s)
    }

    /// Gives a pair a rate of its own, both ways, or takes it away.
    pub fn set(&mut self, one: usize, other: usize, gbit_s: Option<f64>) {
        let pair = (one.min(other), one.max(other));
        self.own
            .retain(|own| own.pair() != pair && own.pair() != (pair.1, pair.0));
        if let Some(gbit_s) = gbit_s {
            let at = self.own.partition_point(|own| own.pair() < pair);
            let (from, to) = pair;
            self.own.insert(at, OwnRate { from, to, gbit_s });
        }
    }

    /// The rate of a pair’s own, both ways.
    #[must_use]
    pub fn own_rate(&self, one: usize, other: usize) -> Option<f64> {
        let pair = (one.min(other), one.max(other));
        let at = self.own.binary_search_by_key(&pair, OwnRate::pair);
        at.ok().map(|at| self.own[at].gbit_s)
    }

    /// A device has come to be at a place; it is linked as `like` was, by its place before, if that is given.
    pub fn inserted(&mut self, at: usize, like: Option<usize>) {
        let up = |device: usize| device + usize::from(device >= at);
        let copies: Vec<OwnRate> = self
            .own
            .iter()
            .filter_map(|own| match like {
                Some(like) if own.from == like => Some(own.renumbered(at, up(own.to))),
                Some(like) if own.to == like => Some(own.renumbered(up(own.from), at)),
                _ => None,
            })
            .collect();
        for own in &mut self.own {
            *own = own.renumbered(up(own.from), up(own.to));
        }
        self.own.extend(copies);
        self.own.in_order_of(OwnRate::pair);
    }

    /// A device is gone.
    pub fn removed(&mut self, at: usize) {
        self.own.retain(|own| own.from != at && own.to != at);
        let down = |device: usize| device - usize::from(device > at);
        for own in &mut self.own {
            *own = own.renumbered(down(own.from), down(own.to));
        }
    }

    /// Devices have other places: `now` says where each is by its place before.
    pub fn moved(&mut self, now: impl Fn(usize) -> usize) {
        let before = std::mem::take(&mut self.own);
        for own in &before {
            let (from, to) = (now(own.from), now(own.to));
            // A rate for both ways stays one, whichever of the two now is first.
            let has_way_back = before
                .binary_search_by_key(&(own.to, own.from), OwnRate::pair)
                .is_ok();
            let is_both = own.from < own.to && !has_way_back;
            let (from, to) = if is_both && from > to {
                (to, from)
            } else {
                (from, to)
            };
            self.own.push(own.renumbered(from, to));
            // A lone way back that now leads on would rule both ways.
            if own.from > own.to && !has_way_back && from < to {
                let gbit_s = self.gbit_s;
                self.own.push(OwnRate {
                    from: to,
                    to: from,
                    gbit_s,
                });
            }
        }
        self.own.in_order_of(OwnRate::pair);
    }

    pub(super) fn validate(&self, devices: usize) -> Result<(), Invalid> {
        fields::check("links", "gbit_s", self.gbit_s)?;
        for (at, own) in self.own.iter().enumerate() {
            let path = format!("links.own[{at}]");
            let allowed = format!("two different devices of {devices}, counted from 0");
            if own.from >= devices {
                return Err(Invalid::range(format!("{path}[0]"), own.from, &allowed));
            }
            if own.to >= devices || own.to == own.from {
                return Err(Invalid::range(format!("{path}[1]"), own.to, &allowed));
            }
            if at > 0 && self.own[at - 1].pair() >= own.pair() {
                let allowed = "pairs in ascending order, each once";
                return Err(Invalid::range(path, [own.from, own.to].as_slice(), allowed));
            }
            let range = fields::of("gbit_s").filter(|range| !range.allows(own.gbit_s));
            if let Some(range) = range {
                let path = format!("{path}[2]");
                return Err(Invalid::range(path, own.gbit_s, &range.range_text()));
            }
        }
        Ok(())
    }
}

impl OwnRate {
    fn pair(&self) -> (usize, usize) {
        (self.from, self.to)
    }

    fn renumbered(self, from: usize, to: usize) -> Self {
        Self { from, to, ..self }
    }
}
