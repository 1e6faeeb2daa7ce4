//! Writes small GGUF files for tests.
#![allow(dead_code)] // each test program uses a part of it

/// A metadata value to write.
#[derive(Debug, Clone)]
pub enum Meta {
    /// A u32.
    U32(u32),
    /// A u16.
    U16(u16),
    /// A text.
    Text(&'static str),
    /// A list of u32.
    List(Vec<u32>),
    /// Yes or no.
    Flag(bool),
    /// A list of yes and no.
    Flags(Vec<bool>),
    /// A list of so many texts.
    Words(usize),
    /// A list of so many f32.
    Floats(usize),
}

/// A file to write: metadata, and tensors by name, lengths and type. There is no data behind the header.
#[derive(Debug, Clone, Default)]
pub struct File {
    /// Metadata.
    pub meta: Vec<(String, Meta)>,
    /// Tensors.
    pub tensors: Vec<(String, Vec<u64>, u32)>,
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}

impl File {
    /// Adds a metadata value.
    #[must_use]
    pub fn with(mut self, key: &str, value: Meta) -> Self {
        self.meta.retain(|known| known.0 != key);
        self.meta.push((key.to_owned(), value));
        self
    }

    /// Adds a tensor.
    pub fn tensor(&mut self, name: impl Into<String>, dims: &[u64], kind: u32) {
        self.tensors.push((name.into(), dims.to_vec(), kind));
    }

    /// The file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = b"GGUF".to_vec();
        out.extend(3_u32.to_le_bytes());
        out.extend((self.tensors.len() as u64).to_le_bytes());
        out.extend((self.meta.len() as u64).to_le_bytes());
        for (key, value) in &self.meta {
            text(&mut out, key);
            let mut put = |kind: u32, bytes: &[u8]| {
                out.extend(kind.to_le_bytes());
                out.extend(bytes);
            };
            let list = |kind: u32, count: usize| {
                let head = [
                    kind.to_le_bytes().to_vec(),
                    (count as u64).to_le_bytes().to_vec(),
                ];
                head.concat()
            };
            match value {
                Meta::U32(n) => put(4, &n.to_le_bytes()),
                Meta::U16(n) => put(2, &n.to_le_bytes()),
                Meta::Text(words) => {
                    out.extend(8_u32.to_le_bytes());
                    text(&mut out, words);
                }
                Meta::Flag(flag) => put(7, &[u8::from(*flag)]),
                Meta::List(numbers) => {
                    put(9, &list(4, numbers.len()));
                    out.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
                }
                Meta::Flags(flags) => {
                    put(9, &list(7, flags.len()));
                    out.extend(flags.iter().map(|flag| u8::from(*flag)));
                }
                Meta::Words(count) => {
                    put(9, &list(8, *count));
                    for n in 0..*count {
                        text(&mut out, &format!("word {n}"));
                    }
                }
                Meta::Floats(count) => {
                    put(9, &list(6, *count));
                    out.extend((0..*count).flat_map(|n| (n as f32).to_le_bytes()));
                }
            }
        }
        for (at, (name, dims, kind)) in self.tensors.iter().enumerate() {
            text(&mut out, name);
            out.extend((dims.len() as u32).to_le_bytes());
            out.extend(dims.iter().flat_map(|n| n.to_le_bytes()));
            out.extend(kind.to_le_bytes());
            out.extend((at as u64 * 4096).to_le_bytes());
        }
        out
    }
}

/// A dense model of Qwen3's plan; `kind` is the type of a matrix by block and name.
#[must_use]
pub fn qwen3(
    [layers, d, h_q, h_k, d_head, d_ff, vocabulary]: [u32; 7],
    kind: impl Fn(u32, &str) -> u32,
) -> File {
    let mut file = File::default()
        .with("general.architecture", Meta::Text("qwen3"))
        .with("general.name", Meta::Text("Made Qwen3"))
        .with("qwen3.block_count", Meta::U32(layers))
        .with("qwen3.embedding_length", Meta::U32(d))
        .with("qwen3.feed_forward_length", Meta::U32(d_ff))
        .with("qwen3.context_length", Meta::U32(40960))
        .with("qwen3.attention.head_count", Meta::U32(h_q))
        .with("qwen3.attention.head_count_kv", Meta::U32(h_k))
        .with("qwen3.attention.key_length", Meta::U32(d_head))
        .with("qwen3.attention.value_length", Meta::U32(d_head))
        .with("tokenizer.ggml.tokens", Meta::Words(200))
        .with("tokenizer.ggml.scores", Meta::Floats(5000));
    let [d, q, kv, width, d_ff, vocabulary] =
        [d, h_q * d_head, h_k * d_head, d_head, d_ff, vocabulary].map(u64::from);
    file.tensor("token_embd.weight", &[d, vocabulary], kind(0, "token_embd"));
    file.tensor("output.weight", &[d, vocabulary], kind(0, "output"));
    file.tensor("output_norm.weight", &[d], 0);
    for block in 0..layers {
        let matrices: [(&str, [u64; 2]); 7] = [
            ("attn_q", [d, q]),
            ("attn_k", [d, kv]),
            ("attn_v", [d, kv]),
            ("attn_output", [q, d]),
            ("ffn_gate", [d, d_ff]),
            ("ffn_up", [d, d_ff]),
            ("ffn_down", [d_ff, d]),
        ];
        for (name, dims) in matrices {
            file.tensor(
                format!("blk.{block}.{name}.weight"),
                &dims,
                kind(block, name),
            );
        }
        for (name, length) in [
            ("attn_norm", d),
            ("ffn_norm", d),
            ("attn_q_norm", width),
            ("attn_k_norm", width),
        ] {
            file.tensor(format!("blk.{block}.{name}.weight"), &[length], 0);
        }
    }
    file
}
