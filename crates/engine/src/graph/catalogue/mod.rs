//! The catalogue of graphs: eleven networks as they are exported, without their weights.
//!
//! Source: MemoriaNova (ACM TACO 22(1), article 3), Tables 4 and 5; which variant of each network is meant follows from
//! the published counts and sums. `tests/native/graph/catalogue.rs` makes the files beside this one out of
//! `tests/models` and holds them to be what the import gives. InceptionV3 is at 299 × 299, where its published sum
//! is obtained; the decomposed Qwen2 has more operators than the paper counts.

use super::Graph;

/// A network of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CatalogueGraph {
    /// Its name in files.
    pub name: &'static str,
    /// Name.
    pub title: &'static str,
    /// Description and source.
    pub about: &'static str,
}

const fn model(name: &'static str, title: &'static str, about: &'static str) -> CatalogueGraph {
    CatalogueGraph { name, title, about }
}

/// All of them, in the order of MemoriaNova's Table 4.
pub const MODELS: [CatalogueGraph; 11] = [
    model("vgg13", "VGG13", "torchvision vgg13, 224 × 224"),
    model("resnet50", "ResNet50", "torchvision resnet50, 224 × 224"),
    model(
        "inceptionv3",
        "InceptionV3",
        "torchvision inception_v3 without its auxiliary head, 299 × 299",
    ),
    model(
        "mobilenetv3",
        "MobileNetV3",
        "torchvision mobilenet_v3_small, 224 × 224",
    ),
    model(
        "squeezenet",
        "SqueezeNet",
        "torchvision squeezenet1_0, 224 × 224",
    ),
    model(
        "efficientnet_b0",
        "EfficientNet-b0",
        "torchvision efficientnet_b0, 224 × 224",
    ),
    model(
        "googlenet",
        "GoogLeNet",
        "torchvision googlenet without its auxiliary heads, 224 × 224",
    ),
    model("regnet", "RegNet", "torchvision regnet_x_16gf, 224 × 224"),
    model(
        "gpt2",
        "GPT-2",
        "124M parameters, without its head, 128 tokens",
    ),
    model("bert", "BERT", "BERT-base, encoder and pooler, 128 tokens"),
    model(
        "qwen2",
        "Qwen2",
        "Qwen2-1.5B decoder without its head, 128 tokens; normalisation and rotary embedding in single steps",
    ),
];

/// Texts of the catalogue on each network, in the order of [`MODELS`].
const TEXTS: [&str; MODELS.len()] = [
    include_str!("models/vgg13.json"),
    include_str!("models/resnet50.json"),
    include_str!("models/inceptionv3.json"),
    include_str!("models/mobilenetv3.json"),
    include_str!("models/squeezenet.json"),
    include_str!("models/efficientnet_b0.json"),
    include_str!("models/googlenet.json"),
    include_str!("models/regnet.json"),
    include_str!("models/gpt2.json"),
    include_str!("models/bert.json"),
    include_str!("models/qwen2.json"),
];

/// The graph with this name. O(its size).
#[must_use]
pub fn graph(name: &str) -> Option<Graph> {
    let at = MODELS.iter().position(|model| model.name == name)?;
    let graph = Graph::from_json(TEXTS[at]);
    Some(graph.expect("a test reads every file of the catalogue"))
}
