//! Parallax, without its scheduler.
//!
//! **The rule** (GradientHQ/parallax, `docs/user_guide/quick_start.md`, "Skipping Scheduler", and
//! `src/parallax/server/server_args.py`): `--start-layer` is the first layer of a node, from 0, inclusive;
//! `--end-layer` is exclusive. With the scheduler on, it places the layers by itself and takes no map.

use super::{Flags, LayerMap, PathForm, line};

/// One line per node.
pub(super) fn flags(chain: &LayerMap) -> Flags {
    let mut text = String::new();
    for (stage, part) in chain.devices().iter().enumerate() {
        line(&mut text, chain.stage_line(stage));
        line(
            &mut text,
            format_args!(
                "parallax serve --model-path MODEL --port 3000 --start-layer {} --end-layer {}",
                part.first - 1,
                part.last
            ),
        );
    }
    let model = format!(
        "MODEL stands for {}: a folder, or its name on Hugging Face.",
        chain.model_name()
    );
    let notes = vec![
        model,
        "Layers count from 0 here and the end is excluded: the end of one node is the start of the next.".to_owned(),
        "This is Parallax without its scheduler (parallax run), which would place the layers itself. Send requests to the \
         first node. Nodes on different networks also need --initial-peers or --relay-servers."
            .to_owned(),
    ];
    Flags {
        text,
        form: PathForm::Shell,
        notes,
    }
}
