//! Quantities with their units, so that a factor of eight or a thousand cannot slip in between rooms.
//!
//! Public faces of the core take and return these types; hot loops unwrap them once into `f64` slices.
//! Every quantity is finite and never negative, and only operations that mean something in physics exist:
//! `Bytes / BytesPerSecond` is `Seconds`, `Bytes / BitsPerSecond` multiplies by eight in exactly one place.

mod display;
mod in_order;
mod times;

pub use display::{
    BinaryUnit, MINUS, NARROW, binary_bytes, bytes, capital, count, energy, memory, percent,
    rate_mbit, rounded, seconds, tflops, tokens_a_second, work,
};
pub use in_order::InOrder;
pub use times::TimeFormat;

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::ops::{Add, Div};

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
        #[serde(try_from = "f64")]
        pub struct $name(f64);

        impl TryFrom<f64> for $name {
            type Error = &'static str;

            fn try_from(value: f64) -> Result<Self, Self::Error> {
                Self::new(value).ok_or("a number, 0 or more")
            }
        }

        impl $name {
            /// Zero.
            pub const ZERO: Self = Self(0.0);

            /// The quantity, or `None` when the number is negative, infinite or not a number.
            #[must_use]
            pub fn new(value: f64) -> Option<Self> {
                (value.is_finite() && value >= 0.0).then_some(Self(value + 0.0))
            }

            /// The bare number, in the base unit.
            #[must_use]
            pub const fn get(self) -> f64 {
                self.0
            }
        }

        impl Eq for $name {}

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        // Total, because neither NaN nor a negative zero can be constructed.
        impl Ord for $name {
            fn cmp(&self, other: &Self) -> Ordering {
                self.0.total_cmp(&other.0)
            }
        }
    };
}

quantity! {
    /// An amount of data [B]. Exact up to 2^53; never `usize`, which has 32 bits in a browser.
    Bytes
}
quantity! {
    /// An amount of arithmetic [FLOP]; one multiply-add counts as two.
    Flops
}
quantity! {
    /// A span of time [s].
    Seconds
}
quantity! {
    /// A storage rate [B/s].
    BytesPerSecond
}
quantity! {
    /// A network rate [bit/s].
    BitsPerSecond
}
quantity! {
    /// A compute rate [FLOP/s].
    FlopsPerSecond
}
quantity! {
    /// Energy per byte moved [J/B].
    JoulesPerByte
}

impl Add for Seconds {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Add for Bytes {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Add for Flops {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Div<BytesPerSecond> for Bytes {
    type Output = Seconds;
    fn div(self, rate: BytesPerSecond) -> Seconds {
        Seconds(self.0 / rate.0)
    }
}

impl Div<BitsPerSecond> for Bytes {
    type Output = Seconds;
    /// The one place where bytes become bits.
    fn div(self, rate: BitsPerSecond) -> Seconds {
        Seconds(8.0 * self.0 / rate.0)
    }
}

impl Div<FlopsPerSecond> for Flops {
    type Output = Seconds;
    fn div(self, rate: FlopsPerSecond) -> Seconds {
        Seconds(self.0 / rate.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_no_quantity() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1e-300] {
            assert_eq!(Bytes::new(bad), None, "{bad}");
        }
        assert_eq!(Seconds::new(-0.0).map(|s| s.get().to_bits()), Some(0));
    }

    #[test]
    fn a_byte_over_a_bit_rate_has_eight_bits() {
        let (megabyte, rate) = (Bytes::new(1e6), BitsPerSecond::new(8e6));
        assert_eq!(megabyte.zip(rate).map(|(b, r)| (b / r).get()), Some(1.0));
        let disk = BytesPerSecond::new(2e6);
        assert_eq!(megabyte.zip(disk).map(|(b, r)| (b / r).get()), Some(0.5));
    }
}
