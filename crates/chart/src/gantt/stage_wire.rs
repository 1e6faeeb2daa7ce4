//! A stage with all its fields, on its way: a file leaves out an energy that is not known and a load that begins at once, and what is
//! packed has a place for each.

use engine::plan::StageTiming;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub fn serialize<S: Serializer>(of: &StageTiming, to: S) -> Result<S::Ok, S::Error> {
    let load_j = Some(of.load_j.unwrap_or(f64::NAN));
    let load_from = if of.load_from == 0.0 {
        f64::NAN
    } else {
        of.load_from
    };
    let stage = StageTiming {
        load_j,
        load_from,
        ..*of
    };
    stage.serialize(to)
}

pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<StageTiming, D::Error> {
    let of = StageTiming::deserialize(from)?;
    let load_j = of.load_j.filter(|energy| !energy.is_nan());
    let load_from = if of.load_from.is_nan() {
        0.0
    } else {
        of.load_from
    };
    Ok(StageTiming {
        load_j,
        load_from,
        ..of
    })
}
