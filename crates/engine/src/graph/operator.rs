//! One operator of a graph.

/// Kind of an operator, as far as its cost depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperatorKind {
    /// A convolution.
    Conv,
    /// A pooling, global ones too.
    Pool,
    /// A sum of tensors; it may overwrite one that no other operator reads any more.
    Add,
    /// A product of matrices.
    Gemm,
    /// A normalisation that is one operator.
    Norm,
    /// Anything else, by its name.
    Other(String),
}

impl OperatorKind {
    /// The kind with this name; a name that is not known is a kind of its own.
    #[must_use]
    pub fn of(name: &str) -> Self {
        match name {
            "conv" => Self::Conv,
            "pool" => Self::Pool,
            "add" => Self::Add,
            "gemm" => Self::Gemm,
            "norm" => Self::Norm,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Its name in files.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Conv => "conv",
            Self::Pool => "pool",
            Self::Add => "add",
            Self::Gemm => "gemm",
            Self::Norm => "norm",
            Self::Other(name) => name,
        }
    }
}

/// How rows of the output depend on rows of the input, of a convolution or a pooling [rows].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel {
    /// Height of the input.
    pub hin: u64,
    /// Height of the kernel.
    pub k: u64,
    /// Stride.
    pub s: u64,
    /// Padding before the first row.
    pub p: u64,
    /// Dilation.
    pub d: u64,
}

impl Default for Kernel {
    fn default() -> Self {
        Self {
            hin: 1,
            k: 1,
            s: 1,
            p: 0,
            d: 1,
        }
    }
}

/// An operator: everything but its place in the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Op {
    /// Its name.
    pub name: String,
    /// Kind.
    pub kind: OperatorKind,
    /// Its output [bytes].
    pub out: u64,
    /// Its weights [bytes]; how long they are in memory, [`super::Weights`] says.
    pub w: u64,
    /// Shape of its output.
    pub shape: Vec<u64>,
    /// Rows in for rows out.
    pub kernel: Kernel,
    /// Operations.
    pub flops: f64,
}
