//! Flags to paste: a layer map as the runtimes of others take it, each by that runtime's own rule.
//!
//! A [`LayerMap`] goes in: how many layers the model has, and who runs which of them, in running order. Out comes a text to
//! paste with notes ([`Flags`]), or the reason why a tool has no way to say it. One file per tool; where a tool counts from
//! 0, excludes the end or splits a layer in four, that is said there with the place where it was read, and the tests read
//! every text back by the same rule.
//!
//! Names of devices and models are what users typed. They occur in comments and notes alone, never in a command, and
//! only after [`plain`] has left nothing in them that any shell would act on.

mod accelerate;
mod chain;
mod dllama;
mod exo;
mod llama_cpp;
mod parallax;
mod pipe_edge;
mod pipeline_servers;
mod plain;
mod prima_cpp;

pub use chain::{ChainPart, LayerMap};
pub use plain::plain;

use document::{Block, Section};
use std::fmt::Write;

/// The placeholder of a stage's address: HOST1 for the first.
fn host(stage: usize) -> String {
    format!("HOST{}", stage + 1)
}

/// Numbers with commas between them.
fn commas(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    numbers.join(",")
}

/// Adds a line to a text.
fn line(text: &mut String, line: impl std::fmt::Display) {
    // Writing into a string cannot fail.
    let _ = writeln!(text, "{line}");
}

/// Explains the placeholders in the flags.
fn placeholders(chain: &LayerMap, model: &str) -> String {
    let hosts = match chain.devices().len() {
        1 => String::new(),
        many => format!(
            " HOST1 to HOST{many} stand for the addresses of the devices, in running order: the comments say whose."
        ),
    };
    format!("{model}{hosts}")
}

/// How a text is to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathForm {
    /// Command lines for a POSIX shell.
    Shell,
    /// A JSON document.
    Json,
}

/// Flags of one runtime for a layer map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flags {
    /// The text to paste, with a line break at its end.
    pub text: String,
    /// How it is to be used.
    pub form: PathForm,
    /// Notes on how to use them.
    pub notes: Vec<String>,
}

/// A runtime that runs layers on several devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// llama.cpp with its RPC backend.
    LlamaCpp,
    /// vLLM, pipeline parallel.
    Vllm,
    /// SGLang, pipeline parallel.
    Sglang,
    /// prima.cpp.
    PrimaCpp,
    /// exo.
    Exo,
    /// Parallax.
    Parallax,
    /// PipeEdge.
    PipeEdge,
    /// Hugging Face accelerate.
    Accelerate,
    /// distributed-llama.
    DistributedLlama,
}

impl Tool {
    /// All tools, in the order in which they are offered.
    pub const ALL: [Self; 9] = [
        Self::LlamaCpp,
        Self::Vllm,
        Self::Sglang,
        Self::PrimaCpp,
        Self::Exo,
        Self::Parallax,
        Self::PipeEdge,
        Self::Accelerate,
        Self::DistributedLlama,
    ];

    /// Its name, on the command line too.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LlamaCpp => "llama.cpp",
            Self::Vllm => "vllm",
            Self::Sglang => "sglang",
            Self::PrimaCpp => "prima.cpp",
            Self::Exo => "exo",
            Self::Parallax => "parallax",
            Self::PipeEdge => "pipeedge",
            Self::Accelerate => "accelerate",
            Self::DistributedLlama => "distributed-llama",
        }
    }

    /// Its name as its makers write it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Vllm => "vLLM",
            Self::Sglang => "SGLang",
            Self::Parallax => "Parallax",
            Self::PipeEdge => "PipeEdge",
            Self::Accelerate => "Hugging Face accelerate",
            other => other.name(),
        }
    }

    /// The tool with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }
}

/// A layer map as a tool takes it.
///
/// # Errors
/// Why the tool cannot take this map, in a sentence.
///
/// # Complexity
/// O(L + S²) for L layers on S stages: every stage's line may hold the whole map.
pub fn flags(tool: Tool, chain: &LayerMap) -> Result<Flags, String> {
    let mut flags = match tool {
        Tool::LlamaCpp => llama_cpp::flags(chain),
        Tool::Vllm => Ok(pipeline_servers::vllm(chain)),
        Tool::Sglang => Ok(pipeline_servers::sglang(chain)),
        Tool::PrimaCpp => prima_cpp::flags(chain),
        Tool::Exo => Ok(exo::flags(chain)),
        Tool::Parallax => Ok(parallax::flags(chain)),
        Tool::PipeEdge => Ok(pipe_edge::flags(chain)),
        Tool::Accelerate => Ok(accelerate::flags(chain)),
        Tool::DistributedLlama => Err(dllama::reason(chain)),
    }?;
    flags.notes.extend(chain.caveats.iter().cloned());
    Ok(flags)
}

/// Returns the flags of all runtimes as a section.
#[must_use]
pub fn section(chain: &LayerMap) -> Section {
    let code = Block::Code(all_flags(chain));
    Section::new("flags", "Flags of other runtimes")
        .folded()
        .with(code)
}

/// Returns the flags of all runtimes as text: a heading for each, its flags and its notes.
#[must_use]
pub fn all_flags(chain: &LayerMap) -> String {
    let mut text = String::new();
    for tool in Tool::ALL {
        line(&mut text, format_args!("## {}\n", tool.title()));
        match flags(tool, chain) {
            Ok(flags) => {
                line(&mut text, &flags.text);
                for note in &flags.notes {
                    line(&mut text, format_args!("* {note}"));
                }
            }
            Err(reason) => line(&mut text, format_args!("Not expressible: {reason}")),
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}
