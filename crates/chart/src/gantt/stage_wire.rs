//! A stage with all its fields, on its way: a file leaves out an energy that is not known, and what is packed has a place for each.

use engine::plan::StageTiming;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub fn serialize<S: Serializer>(of: &StageTiming, to: S) -> Result<S::Ok, S::Error> {
    let load_j = Some(of.load_j.unwrap_or(f64::NAN));
    StageTiming { load_j, ..*of }.serialize(to)
}

pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<StageTiming, D::Error> {
    let of = StageTiming::deserialize(from)?;
    let load_j = of.load_j.filter(|energy| !energy.is_nan());
    Ok(StageTiming { load_j, ..of })
}
