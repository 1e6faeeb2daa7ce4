//! Importers: who runs which layer, read from what was printed, by each tool's own rule and from the text alone.

use serde_json::Value;

/// For every layer, from 0, the stage that runs it, from 0.
pub(super) type Map = Vec<usize>;

/// The command lines of a text: no comments.
pub(super) fn commands(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with('#')).collect()
}

/// The words of a line after a flag.
pub(super) fn after<'a>(line: &'a str, flag: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|word| *word == flag)?;
    words.next().map(|word| word.trim_matches('"'))
}

/// A flag that must be there.
fn value<'a>(line: &'a str, flag: &str) -> &'a str {
    after(line, flag).unwrap_or_else(|| panic!("{flag} is not in {line}"))
}

fn number(line: &str, flag: &str) -> usize {
    let value = value(line, flag);
    value
        .parse()
        .unwrap_or_else(|_| panic!("{flag} {value} is no number"))
}

fn numbers(list: &str) -> Vec<usize> {
    let parse = |word: &str| {
        word.parse()
            .unwrap_or_else(|_| panic!("{word:?} in {list:?}"))
    };
    list.split(',').map(parse).collect()
}

/// The same word wherever a flag stands.
fn agreed(lines: &[&str], flag: &str) -> usize {
    let first = number(lines[0], flag);
    for line in lines {
        assert_eq!(number(line, flag), first, "{flag}");
    }
    first
}

/// A map where stage s holds so many layers.
pub(super) fn of_counts(counts: &[usize]) -> Map {
    let stages = counts.iter().enumerate();
    stages
        .flat_map(|(stage, count)| std::iter::repeat_n(stage, *count))
        .collect()
}

/// llama.cpp's `load_tensors`: shares in float32, added up, divided by their sum; `std::upper_bound`. The last entry is the
/// output layer. `None` is the CPU of the machine that runs llama-server.
pub(super) fn llama_split(
    shares: &[f32],
    n_layer: usize,
    n_gpu_layers: usize,
) -> Vec<Option<usize>> {
    let mut splits = shares.to_vec();
    let mut sum = 0.0_f32;
    for split in &mut splits {
        sum += *split;
        *split = sum;
    }
    for split in &mut splits {
        *split /= sum;
    }
    let begin = (n_layer + 1).saturating_sub(n_gpu_layers);
    let active = n_gpu_layers.min(n_layer + 1);
    let of = |il: usize| {
        if il < begin || il - begin >= active {
            return None;
        }
        let at = (il - begin) as f32 / active as f32;
        let found = splits.iter().position(|split| *split > at);
        Some(found.expect("devices.at() would throw"))
    };
    (0..=n_layer).map(of).collect()
}

/// llama.cpp: layers and the output layer by stage. The main machine is the first stage, workers follow as their
/// addresses do.
pub(super) fn llama_cpp(text: &str, layers: usize) -> (Map, usize) {
    let commands = commands(text);
    let (server, workers) = commands.split_last().expect("a server");
    assert!(server.starts_with("llama-server "), "{server}");
    assert_eq!(value(server, "-sm"), "layer");
    assert_eq!(value(server, "-fit"), "off");
    let addresses: Vec<&str> =
        after(server, "--rpc").map_or_else(Vec::new, |list| list.split(',').collect());
    assert_eq!(addresses.len(), workers.len());
    for (worker, address) in workers.iter().zip(&addresses) {
        assert!(worker.starts_with("rpc-server "), "{worker}");
        assert!(worker.ends_with(" -c"), "the cache: {worker}");
        let host = format!("{}:{}", value(worker, "-H"), value(worker, "-p"));
        assert_eq!(host, *address);
    }
    // HOST1 is the main machine; the others are the stages by their number.
    let stage_of = |device: &str| match device.strip_prefix("RPC") {
        Some(at) => {
            let address = addresses[at.parse::<usize>().expect("a number")];
            let host = address
                .strip_prefix("HOST")
                .and_then(|rest| rest.split(':').next());
            host.and_then(|n| n.parse::<usize>().ok())
                .expect("a placeholder")
                - 1
        }
        None => 0,
    };
    let stages: Vec<usize> = value(server, "--device").split(',').map(stage_of).collect();
    let shares: Vec<f32> = numbers(value(server, "-ts"))
        .iter()
        .map(|n| *n as f32)
        .collect();
    assert_eq!(shares.len(), stages.len());
    let placed = llama_split(&shares, layers, number(server, "-ngl"));
    let mut map: Map = placed
        .iter()
        .map(|device| stages[device.expect("nothing is left on the CPU")])
        .collect();
    let output = map.pop().expect("the output layer");
    (map, output)
}

/// vLLM and SGLang: `get_pp_indices`, on every rank by its own line.
pub(super) fn pipeline_server(text: &str, layers: usize, variable: &str, size: &str) -> Map {
    let commands = commands(text);
    let world = agreed(&commands, size);
    assert_eq!(commands.len(), world);
    let mut map = vec![usize::MAX; layers];
    for (at, line) in commands.iter().enumerate() {
        let (rank, list) = if world == 1 {
            assert!(!line.contains(variable), "one rank needs no list: {line}");
            (0, vec![layers])
        } else {
            let list = line
                .split(' ')
                .next()
                .and_then(|word| word.strip_prefix(variable));
            let list = list
                .and_then(|rest| rest.strip_prefix('='))
                .expect("the variable comes first");
            assert_eq!(number(line, "--nnodes"), world);
            (number(line, "--node-rank"), numbers(list))
        };
        assert_eq!(rank, at);
        assert_eq!(list.len(), world, "len(partitions) does not match pp_size");
        assert_eq!(
            list.iter().sum::<usize>(),
            layers,
            "sum(partitions) does not match num_hidden_layers"
        );
        let start: usize = list[..rank].iter().sum();
        map[start..start + list[rank]].fill(rank);
    }
    map
}

/// prima.cpp: the windows in the order of ranks, round by round until no layer is left, each device its own part.
pub(super) fn prima_cpp(text: &str, layers: usize) -> Map {
    let commands = commands(text);
    if commands.len() == 1 {
        assert!(
            after(commands[0], "--world").is_none(),
            "alone it is llama.cpp"
        );
        assert!(number(commands[0], "-ngl") > layers);
        return vec![0; layers];
    }
    let world = agreed(&commands, "--world");
    assert_eq!(commands.len(), world);
    let head = commands[0];
    let windows = numbers(value(head, "-lw"));
    assert_eq!(windows.len(), world);
    for (rank, line) in commands.iter().enumerate() {
        assert_eq!(number(line, "--rank"), rank);
        assert_eq!(value(line, "--master"), "HOST1");
        assert_eq!(
            value(line, "--next"),
            format!("HOST{}", (rank + 1) % world + 1),
            "the ring"
        );
        assert_eq!(number(line, "-ngl"), windows[rank]);
        assert_eq!(rank == 0, after(line, "-lw").is_some(), "the head's alone");
    }
    let round = of_counts(&windows);
    round.iter().copied().cycle().take(layers).collect()
}

/// PipeEdge: pairs of first and last quarter of a block, from 1, inclusive; the whole block must be on one rank.
pub(super) fn pipe_edge(text: &str, layers: usize) -> Map {
    let commands = commands(text);
    let mut maps = commands.iter().enumerate().map(|(at, line)| {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words[..2], ["python", "runtime.py"]);
        assert_eq!(words[2..4], [at.to_string(), commands.len().to_string()]);
        let ends = numbers(value(line, "-pt"));
        assert_eq!(ends.len(), 2 * commands.len());
        let mut quarters = Vec::new();
        for (stage, pair) in ends.chunks_exact(2).enumerate() {
            assert_eq!(
                pair[0],
                quarters.len() + 1,
                "each begins after the one before"
            );
            quarters.extend((pair[0]..=pair[1]).map(|_| stage));
        }
        assert_eq!(quarters.len(), 4 * layers);
        let blocks = quarters.chunks_exact(4).map(|block| {
            assert!(
                block.iter().all(|stage| *stage == block[0]),
                "a block in two"
            );
            block[0]
        });
        blocks.collect::<Map>()
    });
    let first = maps.next().expect("a rank");
    assert!(
        maps.all(|map| map == first),
        "all ranks have the same partition"
    );
    first
}

/// Parallax: half-open intervals from 0.
pub(super) fn parallax(text: &str, layers: usize) -> Map {
    let mut map = vec![usize::MAX; layers];
    for (stage, line) in commands(text).iter().enumerate() {
        let (start, end) = (number(line, "--start-layer"), number(line, "--end-layer"));
        for owner in &mut map[start..end] {
            assert_eq!(*owner, usize::MAX, "a layer twice: {line}");
            *owner = stage;
        }
    }
    map
}

/// exo: half-open intervals from 0 by rank.
pub(super) fn exo(text: &str, layers: usize) -> Map {
    let shards: Vec<Value> = serde_json::from_str(text).expect("a list");
    let mut map = vec![usize::MAX; layers];
    for (rank, shard) in shards.iter().enumerate() {
        let field = |name: &str| shard[name].as_u64().expect("a number") as usize;
        assert_eq!(
            (field("deviceRank"), field("worldSize"), field("nLayers")),
            (rank, shards.len(), layers)
        );
        map[field("startLayer")..field("endLayer")].fill(rank);
    }
    map
}

/// accelerate: where each module goes: layers, then embedding, norm and head.
pub(super) fn accelerate(text: &str, layers: usize) -> (Map, [usize; 3]) {
    let dict: serde_json::Map<String, Value> = serde_json::from_str(text).expect("a dict");
    // One line per module: a key that stood twice would be lost in the dict.
    assert_eq!(text.lines().count(), dict.len() + 2);
    let of = |module: &str| dict[module].as_u64().expect("a device") as usize;
    let map = (0..layers)
        .map(|i| of(&format!("model.layers.{i}")))
        .collect();
    assert_eq!(dict.len(), layers + 4, "no other module");
    (map, ["model.embed_tokens", "model.norm", "lm_head"].map(of))
}
