//! Kinds of numbers: the unit that a field is kept in, the others of its kind that may be typed, how the unit is spoken, and how
//! a number of the kind is dragged.

/// How a unit becomes the field's own.
#[derive(Debug, Clone, Copy)]
pub enum Scale {
    /// Ten to this power; done on the digits, so that no rounding comes in.
    Shift(i32),
    /// Times the first, over the second.
    Ratio(f64, f64),
    /// A level: this many decibels more.
    Plus(f64),
    /// A power that becomes a level: ten to this many milliwatts.
    Level(i32),
}

use Scale::{Level, Plus, Ratio, Shift};

/// A unit's spelling, and what it is in the field's own unit.
pub type UnitFactor = (&'static str, Scale);

/// A kind of numbers.
#[derive(Debug)]
pub struct FieldKind {
    /// The unit that its fields are kept in, empty for a pure number.
    pub unit: &'static str,
    /// The unit in words, for a screen reader.
    pub unit_words: &'static str,
    /// The units that may be typed, the own one first.
    pub units: &'static [UnitFactor],
    /// True if the case of a prefix matters, because `mb` could be a bit or a byte and `M` is not `m`.
    pub is_strict: bool,
    /// True if its numbers span decades, so that a drag multiplies them.
    pub spans_decades: bool,
    /// True if a change of it is stated in percent.
    pub is_shown_in_percent: bool,
    /// Words for its own unit besides, which no message lists.
    pub also: &'static [&'static str],
}

const KI: f64 = 1024.0;

/// A kind of which only the own unit may be typed.
const fn kind(unit: &'static str, spoken: &'static str, units: &'static [UnitFactor]) -> FieldKind {
    FieldKind {
        unit,
        unit_words: spoken,
        units,
        is_strict: false,
        spans_decades: false,
        is_shown_in_percent: false,
        also: &[],
    }
}

impl FieldKind {
    const fn strict(mut self) -> Self {
        self.is_strict = true;
        self
    }

    const fn decades(mut self) -> Self {
        self.spans_decades = true;
        self
    }

    const fn in_percent(mut self) -> Self {
        self.is_shown_in_percent = true;
        self
    }

    const fn also(mut self, also: &'static [&'static str]) -> Self {
        self.also = also;
        self
    }

    /// The unit that is spelt so.
    #[must_use]
    pub fn find(&self, typed: &str) -> Option<Scale> {
        if self.also.contains(&typed) {
            return self.units.first().map(|(_, scale)| *scale);
        }
        // "GFLOPs" is a word for several of them, not another unit.
        let one = match self.unit {
            "FLOP" | "GFLOP" => typed.strip_suffix(['s', 'S']).unwrap_or(typed),
            _ => typed,
        };
        let is_spelt =
            |name: &str| one == name || (!self.is_strict && one.eq_ignore_ascii_case(name));
        let found = self.units.iter().find(|(name, _)| is_spelt(name));
        found.map(|(_, scale)| *scale)
    }
}

pub(super) static PLAIN: FieldKind = kind("", "", &[]);
pub(super) static SHARE: FieldKind = kind("", "as a share", &[("%", Shift(-2))]);
pub(super) static BUDGET: FieldKind = kind("", "as a share", &[("%", Shift(-2))]).in_percent();
pub(super) static PERCENT: FieldKind = kind("%", "percent", &[("%", Shift(0))]);
pub(super) static COMPUTE: FieldKind = kind(
    "TFLOPS",
    "teraflops",
    &[
        ("TFLOPS", Shift(0)),
        ("MFLOPS", Shift(-6)),
        ("GFLOPS", Shift(-3)),
        ("PFLOPS", Shift(3)),
        ("MFLOP/s", Shift(-6)),
        ("GFLOP/s", Shift(-3)),
        ("TFLOP/s", Shift(0)),
        ("PFLOP/s", Shift(3)),
    ],
)
.decades();
pub(super) static SPEED: FieldKind = kind(
    "GFLOP/s",
    "gigaflops",
    &[
        ("GFLOP/s", Shift(0)),
        ("MFLOP/s", Shift(-3)),
        ("TFLOP/s", Shift(3)),
        ("GFLOPS", Shift(0)),
        ("MFLOPS", Shift(-3)),
        ("TFLOPS", Shift(3)),
    ],
)
.decades();
pub(super) static OPERATIONS: FieldKind = kind(
    "TOPS",
    "trillion operations per second",
    &[("TOPS", Shift(0)), ("GOPS", Shift(-3)), ("POPS", Shift(3))],
)
.decades();
pub(super) static GIGA_OPERATIONS: FieldKind = kind(
    "Gop/s",
    "billion operations per second",
    &[
        ("Gop/s", Shift(0)),
        ("Mop/s", Shift(-3)),
        ("Top/s", Shift(3)),
    ],
)
.decades();
pub(super) static STORAGE_RATE: FieldKind = kind(
    "MB/s",
    "megabytes per second",
    &[
        ("MB/s", Shift(0)),
        ("kB/s", Shift(-3)),
        ("GB/s", Shift(3)),
        ("KiB/s", Ratio(KI, 1e6)),
        ("MiB/s", Ratio(KI * KI, 1e6)),
        ("GiB/s", Ratio(KI * KI * KI, 1e6)),
        ("Mbit/s", Ratio(1.0, 8.0)),
        ("Gbit/s", Ratio(125.0, 1.0)),
    ],
)
.strict()
.decades();
pub(super) static MEMORY: FieldKind = kind(
    "GB",
    "gigabytes",
    &[
        ("GB", Shift(0)),
        ("B", Shift(-9)),
        ("kB", Shift(-6)),
        ("MB", Shift(-3)),
        ("TB", Shift(3)),
        ("KiB", Ratio(KI, 1e9)),
        ("MiB", Ratio(KI * KI, 1e9)),
        ("GiB", Ratio(KI * KI * KI, 1e9)),
        ("TiB", Ratio(KI * KI * KI * KI, 1e9)),
    ],
)
.decades();
pub(super) static MEBIBYTES: FieldKind = kind(
    "MiB",
    "mebibytes",
    &[
        ("MiB", Shift(0)),
        ("KiB", Ratio(1.0, KI)),
        ("GiB", Ratio(KI, 1.0)),
        ("kB", Ratio(1e3, KI * KI)),
        ("MB", Ratio(1e6, KI * KI)),
        ("GB", Ratio(1e9, KI * KI)),
    ],
);
pub(super) static BYTES: FieldKind = kind(
    "B",
    "bytes",
    &[
        ("B", Shift(0)),
        ("kB", Shift(3)),
        ("MB", Shift(6)),
        ("GB", Shift(9)),
        ("KiB", Ratio(KI, 1.0)),
        ("MiB", Ratio(KI * KI, 1.0)),
        ("GiB", Ratio(KI * KI * KI, 1.0)),
    ],
)
.also(&["byte", "bytes"]);
pub(super) static MEMORY_RATE: FieldKind = kind(
    "GB/s",
    "gigabytes per second",
    &[
        ("GB/s", Shift(0)),
        ("MB/s", Shift(-3)),
        ("TB/s", Shift(3)),
        ("GiB/s", Ratio(KI * KI * KI, 1e9)),
    ],
)
.decades();
pub(super) static ENERGY_PER_BYTE: FieldKind = kind(
    "J/GB",
    "joules per gigabyte",
    &[
        ("J/GB", Shift(0)),
        ("mJ/GB", Shift(-3)),
        ("mJ/MB", Shift(0)),
        ("nJ/B", Shift(0)),
        ("pJ/bit", Ratio(8.0, 1e3)),
    ],
)
.strict()
.decades();
pub(super) static LINK_RATE: FieldKind = kind(
    "Mbit/s",
    "megabits per second",
    &[
        ("Mbit/s", Shift(0)),
        ("kbit/s", Shift(-3)),
        ("Gbit/s", Shift(3)),
        ("MB/s", Ratio(8.0, 1.0)),
        ("GB/s", Ratio(8000.0, 1.0)),
        ("Mbps", Shift(0)),
        ("Gbps", Shift(3)),
    ],
)
.decades();
pub(super) static FAST_LINK_RATE: FieldKind = kind(
    "Gbit/s",
    "gigabits per second",
    &[
        ("Gbit/s", Shift(0)),
        ("Mbit/s", Shift(-3)),
        ("MB/s", Ratio(8.0, 1e3)),
        ("GB/s", Ratio(8.0, 1.0)),
        ("Gbps", Shift(0)),
        ("Mbps", Shift(-3)),
    ],
)
.decades();
pub(super) static LENGTH: FieldKind = kind(
    "m",
    "metres",
    &[
        ("m", Shift(0)),
        ("mm", Shift(-3)),
        ("cm", Shift(-2)),
        ("km", Shift(3)),
    ],
)
.decades();
pub(super) static FREQUENCY: FieldKind = kind(
    "MHz",
    "megahertz",
    &[
        ("MHz", Shift(0)),
        ("Hz", Shift(-6)),
        ("kHz", Shift(-3)),
        ("GHz", Shift(3)),
    ],
)
.decades();
pub(super) static POWER: FieldKind = kind(
    "dBm",
    "dBm",
    &[
        ("dBm", Shift(0)),
        ("dBW", Plus(30.0)),
        ("\u{b5}W", Level(-3)),
        ("uW", Level(-3)),
        ("mW", Level(0)),
        ("W", Level(3)),
    ],
)
.strict();
pub(super) static DENSITY: FieldKind = kind(
    "dBm/Hz",
    "dBm per hertz",
    &[
        ("dBm/Hz", Shift(0)),
        ("dBW/Hz", Plus(30.0)),
        ("dBm/MHz", Plus(-60.0)),
        ("W/Hz", Level(3)),
    ],
)
.strict();
pub(super) static GAIN: FieldKind = kind("dB", "decibels", &[("dB", Shift(0))]);
pub(super) static WATTS: FieldKind = kind(
    "W",
    "watts",
    &[("W", Shift(0)), ("mW", Shift(-3)), ("kW", Shift(3))],
);
pub(super) static TOKENS: FieldKind = kind(
    "tokens",
    "tokens",
    &[
        ("tokens", Shift(0)),
        ("token", Shift(0)),
        ("k", Shift(3)),
        ("Ki", Ratio(KI, 1.0)),
    ],
)
.decades();
pub(super) static TOKEN_RATE: FieldKind = kind(
    "tok/s",
    "tokens per second",
    &[
        ("tok/s", Shift(0)),
        ("tokens/s", Shift(0)),
        ("ktok/s", Shift(3)),
    ],
)
.decades();
pub(super) static PER_TOKEN: FieldKind = kind(
    "per token",
    "per token",
    &[
        ("per token", Shift(0)),
        ("1/token", Shift(0)),
        ("/token", Shift(0)),
    ],
)
.decades();
pub(super) static WORK: FieldKind = kind(
    "FLOP",
    "floating-point operations",
    &[
        ("FLOP", Shift(0)),
        ("MFLOP", Shift(6)),
        ("GFLOP", Shift(9)),
        ("TFLOP", Shift(12)),
        ("PFLOP", Shift(15)),
    ],
);
pub(super) static GIGA_WORK: FieldKind = kind(
    "GFLOP",
    "billion floating-point operations",
    &[
        ("GFLOP", Shift(0)),
        ("MFLOP", Shift(-3)),
        ("TFLOP", Shift(3)),
    ],
);
pub(super) static MILLISECONDS: FieldKind = kind(
    "ms",
    "milliseconds",
    &[
        ("ms", Shift(0)),
        ("s", Shift(3)),
        ("us", Shift(-3)),
        ("\u{b5}s", Shift(-3)),
    ],
);
pub(super) static MICROSECONDS: FieldKind = kind(
    "\u{b5}s",
    "microseconds",
    &[
        ("us", Shift(0)),
        ("\u{b5}s", Shift(0)),
        ("\u{3bc}s", Shift(0)),
        ("ms", Shift(3)),
        ("s", Shift(6)),
    ],
);
pub(super) static SECONDS: FieldKind = kind("s", "seconds", &[("s", Shift(0)), ("ms", Shift(-3))]);
pub(super) static ARRIVALS: FieldKind = kind(
    "requests/s",
    "requests per second",
    &[
        ("requests/s", Shift(0)),
        ("per s", Shift(0)),
        ("/s", Shift(0)),
        ("1/s", Shift(0)),
        ("per minute", Ratio(1.0, 60.0)),
        ("/min", Ratio(1.0, 60.0)),
        ("per hour", Ratio(1.0, 3600.0)),
        ("/h", Ratio(1.0, 3600.0)),
    ],
)
.decades();
pub(super) static REQUESTS: FieldKind = kind("requests", "requests", &[("requests", Shift(0))]);
pub(super) static PASSES: FieldKind = kind("passes", "passes", &[("passes", Shift(0))]);
pub(super) static INTERVALS: FieldKind = kind("intervals", "intervals", &[("intervals", Shift(0))]);
pub(super) static TOKEN_PRICE: FieldKind = kind(
    "$ per 10\u{2076} tokens",
    "dollars per million tokens",
    &[("$", Shift(0))],
);
pub(super) static ENERGY_PRICE: FieldKind = kind(
    "$ per 10\u{2076} GFLOP",
    "dollars per million billion floating-point operations",
    &[("$", Shift(0))],
);
