//! prima.cpp.
//!
//! **The rule** (Lizonghang/prima.cpp, README, questions 1 and 2): `-lw` on the head gives the layers of each device, in the
//! order of ranks; with it prima.cpp skips its own profiling and takes all devices in. Windows that add up to the
//! number of layers are gone through once; windows that add up to a part of it are gone through again, round by round, so
//! only the first kind is a chain of consecutive layers. `-ngl` on each device says how many of its own layers run on its
//! GPU. The devices are a ring: `--next` of the last is the head. Rank 0 is the head, takes the prompt and holds
//! embedding and output, so the first stage must be the machine that asks.
//!
//! At most 32 devices: `n_layer_window` and `n_gpu_layers` are arrays of 32 (`include/llama.h`).

use super::{Flags, LayerMap, PathForm, commas, host, line, placeholders};

/// The length of `n_layer_window`.
const MOST_DEVICES: usize = 32;

/// One line per rank.
pub(super) fn flags(chain: &LayerMap) -> Result<Flags, String> {
    let stages = chain.devices().len();
    if stages > MOST_DEVICES {
        return Err(format!(
            "prima.cpp takes at most {MOST_DEVICES} devices, and this plan has {stages}."
        ));
    }
    let model = format!(
        "MODEL.gguf stands for the file of {}, on every device;{} PROMPT for the question.",
        chain.model_name(),
        match chain.context {
            Some(_) => "",
            None => " CTX for the context length,",
        }
    );
    let context = chain.context_text();
    let mut notes = vec![placeholders(chain, &model)];
    let mut text = String::new();
    let windows = commas(&chain.counts());
    for (rank, part) in chain.devices().iter().enumerate() {
        line(&mut text, chain.stage_line(rank));
        let ask = if rank == 0 {
            format!(" -c {context} -n 256 -p PROMPT")
        } else {
            String::new()
        };
        if stages == 1 {
            // Alone, prima.cpp is llama.cpp: a layer more is the output layer.
            let all = chain.layers() + 1;
            line(
                &mut text,
                format_args!("./llama-cli -m MODEL.gguf{ask} -ngl {all}"),
            );
            continue;
        }
        let next = host((rank + 1) % stages);
        let window = if rank == 0 {
            format!(" -lw \"{windows}\"")
        } else {
            String::new()
        };
        line(
            &mut text,
            format_args!(
                "./llama-cli -m MODEL.gguf{ask} --world {stages} --rank {rank} --master HOST1 --next {next} --prefetch{window} \
                 -ngl {}",
                part.count()
            ),
        );
    }
    if stages == 1 {
        notes.push("One device alone runs as llama.cpp does and takes no -lw.".to_owned());
    } else {
        notes.push(format!(
            "Rank 0 is the head: {} takes the prompt and also holds the embedding and the output layer. With -lw prima.cpp \
             skips its own profiling; the windows add up to the {} layers, so a token goes round the ring once.",
            chain.name_of(0),
            chain.layers()
        ));
    }
    notes.push(
        "-ngl runs all of a device\u{2019}s layers on its GPU: lower it where they do not fit there, leave it out where there \
         is no GPU."
            .to_owned(),
    );
    Ok(Flags {
        text,
        form: PathForm::Shell,
        notes,
    })
}
