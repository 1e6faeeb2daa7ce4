//! exo.
//!
//! **The rule** (exo-explore/exo, `src/exo/shared/types/worker/shards.py`): a shard runs the half-open interval
//! `[start_layer, end_layer)`, from 0, of `n_layers`; `device_rank` counts the stages from 0 up to `world_size`, and the
//! last rank gives the output. There are no flags: a placement is read from `GET /instance/previews?model_id=..`
//! (`docs/api.md`), its shards are changed, and it is sent to `POST /instance`. The interface writes these fields in camel
//! case and reads them in either (`src/exo/utils/pydantic_ext.py`). A preview holds more than the numbers (runner and
//! node names, the model's card), which only exo knows; so what is given here are the numbers of each shard.

use super::{Flags, LayerMap, PathForm};

/// The numbers of every shard.
pub(super) fn flags(chain: &LayerMap) -> Flags {
    let world = chain.devices().len();
    let shards = chain.devices().iter().enumerate().map(|(rank, part)| {
        format!(
            "  {{\"deviceRank\": {rank}, \"worldSize\": {world}, \"startLayer\": {}, \"endLayer\": {}, \"nLayers\": {}}}",
            part.first - 1,
            part.last,
            chain.layers()
        )
    });
    let shards: Vec<String> = shards.collect();
    let ranks = (0..world).map(|rank| format!("{rank} is {}", chain.name_of(rank)));
    let ranks: Vec<String> = ranks.collect();
    let notes = vec![
        format!(
            "exo has no flags for this. Take a preview of {} with sharding Pipeline over {world} from GET \
             /instance/previews, give every shard these numbers and the node that its rank stands for, and send it to POST \
             /instance.",
            chain.model_name()
        ),
        format!("Ranks in running order: {}.", ranks.join(", ")),
        "Layers count from 0 and endLayer is excluded. exo also reads the names with underscores (start_layer)."
            .to_owned(),
    ];
    Flags {
        text: format!("[\n{}\n]\n", shards.join(",\n")),
        form: PathForm::Json,
        notes,
    }
}
