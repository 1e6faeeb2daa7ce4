//! The terms that answers use, each with what it means: `docs/glossary.md` and the page are made of this list.

/// A term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// Its name in links and ids.
    pub key: &'static str,
    /// How it heads its entry.
    pub name: &'static str,
    /// How sentences, labels and heads spell it: in lower case for any case, else as it stands.
    pub spelled: &'static [&'static str],
    /// Definition in one or two sentences.
    pub means: &'static str,
}

/// A piece of a text: plain words, or a term as it is spelled there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextRun<'a> {
    /// The words.
    pub text: &'a str,
    /// The term that they are.
    pub term: Option<&'static Term>,
}

/// Every term, by name.
pub const TERMS: &[Term] = &[
    Term {
        key: "access-point",
        name: "Access point (AP)",
        spelled: &["access point", "To AP"],
        means: "The Wi-Fi router that all devices are connected to. \u{201c}To AP\u{201d} is a device\u{2019}s distance from it in metres; \
                distance and transmit power set the rate of the device\u{2019}s link.",
    },
    Term {
        key: "arena",
        name: "Arena",
        spelled: &["arena"],
        means: "One block of memory in which every tensor of a graph has a fixed address. Two tensors may share an address if they \
                are never live at the same step.",
    },
    Term {
        key: "best-found",
        name: "Best found",
        spelled: &["best found"],
        means: "The best plan so far. The search was not completed, so a better plan may exist; the gap, where there is one, limits how \
                much better.",
    },
    Term {
        key: "bound",
        name: "Bound",
        spelled: &["the bound", "no bound", "lower bound"],
        means: "A value that provably no plan can beat. It follows from the problem alone, whatever plan has been found.",
    },
    Term {
        key: "btsearch",
        name: "BTSearch",
        spelled: &["BTSearch"],
        means: "MemoriaNova\u{2019}s search for an order of operators: depth first, with a branch pruned once the same set of operators \
                was reached at no greater cost.",
    },
    Term {
        key: "bubble",
        name: "Bubble",
        spelled: &["obstructive bubble", "non-obstructive bubble"],
        means: "Idle time of a device in a pipeline (CSGO). An obstructive bubble comes before the device\u{2019}s own work; a \
                non-obstructive one comes after it and delays nothing.",
    },
    Term {
        key: "coedge",
        name: "CoEdge",
        spelled: &["CoEdge"],
        means: "A published baseline that divides every operator among a subset of the devices in proportion to their speed. Here the best \
                subset is chosen for each operator.",
    },
    Term {
        key: "controller",
        name: "Controller",
        spelled: &["controller", "ctrl"],
        means: "The device that holds the input and sends it to the devices with attention heads.",
    },
    Term {
        key: "cut-dimension",
        name: "cout, fmh",
        spelled: &["cout", "fmh"],
        means: "The dimension along which a convolution is cut over devices: fmh is the height of the output (feature map height), \
                cout its channels. A cut along cout needs the whole input on every device that takes part.",
    },
    Term {
        key: "critical-chain",
        name: "Critical chain",
        spelled: &["critical chain"],
        means: "The load, transfers and computations that follow one another without a pause up to the end. Shortening any of \
                them shortens the total until another chain becomes the longest.",
    },
    Term {
        key: "csgo",
        name: "CSGO",
        spelled: &["CSGO"],
        means: "Generalized Optimization for Cold Start in Wireless Collaborative Edge LLM Systems (Liu et al.): the paper behind the \
                question \u{201c}Cold start\u{201d}. Its Table 1 lists the four devices.",
    },
    Term {
        key: "deepthings",
        name: "DeepThings",
        spelled: &["DeepThings"],
        means: "A published baseline that fuses the first operators into tiles, one for each device. Nothing is sent between \
                the fused operators, but rows at the seams are computed more than once.",
    },
    Term {
        key: "disco",
        name: "DiSCo, DiSCo-D, DiSCo-S",
        spelled: &["DiSCo-D", "DiSCo-S", "DiSCo"],
        means: "The paper behind the question \u{201c}Device or server\u{201d}, and its policies. DiSCo-D applies where the device is the \
                constrained side: the server starts at once and the device after a wait. DiSCo-S applies where the server is: short prompts stay on the device, and from a certain length on both start.",
    },
    Term {
        key: "ffn",
        name: "FFN, projection",
        spelled: &["FFN", "projection"],
        means: "The two parts of a decoder layer after its attention heads. The projection (proj) combines the outputs of all heads; \
                the feed-forward network (FFN) follows it.",
    },
    Term {
        key: "first-answer",
        name: "First answer",
        spelled: &["first answer"],
        means: "The time from the moment all devices start to read weights until the first token is computed.",
    },
    Term {
        key: "genetic-search",
        name: "GA, GenEFlow",
        spelled: &["GenEFlow", "GA"],
        means: "MemoriaNova\u{2019}s genetic algorithm for cutting operators over devices. It keeps a population of splits on several \
                islands, recombines and mutates them, and passes the best on to the next island.",
    },
    Term {
        key: "galaxy",
        name: "Galaxy",
        spelled: &["Galaxy"],
        means: "A published baseline that shares out every part of a layer (heads, projection and FFN) over a fixed number of devices.",
    },
    Term {
        key: "gap",
        name: "Gap",
        spelled: &["gap"],
        means: "How far the best plan found is above the bound, as a share of the plan\u{2019}s value: no plan can be better by more than that. A gap of 0 \
                means that the plan is optimal.",
    },
    Term {
        key: "hand-over",
        name: "Hand-over",
        spelled: &["hand-over", "hand-overs"],
        means: "Moving an answer from the device to the server, or back, while it is being generated. The new side first processes \
                the prompt and the tokens so far; a buffer of unread tokens covers the pause.",
    },
    Term {
        key: "heuristic",
        name: "Heuristic",
        spelled: &["heuristic"],
        means: "CSGO\u{2019}s baseline: layers in proportion to the harmonic mean of a device\u{2019}s compute and disk speed. The paper leaves \
                open on what common scale the two are averaged.",
    },
    Term {
        key: "hyperion",
        name: "Hyperion, HypSplit-DP, HypSched-RT",
        spelled: &["Hyperion", "HypSplit-DP", "HypSched-RT"],
        means: "The paper behind the question \u{201c}Tiers\u{201d} and its two methods. HypSplit-DP splits the blocks among the tiers by binary \
                search over the slowest stage; HypSched-RT picks the node of a tier that runs a task.",
    },
    Term {
        key: "kv-cache",
        name: "KV cache",
        spelled: &["KV cache", "keys and values"],
        means: "The attention keys and values of all tokens so far. They stay in memory so that each new token is computed from itself \
                alone.",
    },
    Term {
        key: "makespan",
        name: "Makespan",
        spelled: &["makespan"],
        means: "The time from the first arrival until all requests are done.",
    },
    Term {
        key: "memory-of-a-step",
        name: "Me = Mi + w + out",
        spelled: &["Me", "Me = Mi + w + out", "Me = Mi + w"],
        means: "Memory while an operator runs (MemoriaNova). Mi is every tensor that is still needed, w the operator\u{2019}s \
                weights, out its output. An operator that writes its output over an operand needs no room for out.",
    },
    Term {
        key: "memorianova",
        name: "MemoriaNova",
        spelled: &["MemoriaNova"],
        means: "The paper behind the question \u{201c}Operator graph\u{201d}: the order of operators with the least memory, and their \
                cut over devices. Its Table 3 lists four devices, its Table 4 sums memory in its own way.",
    },
    Term {
        key: "optimal",
        name: "Optimal, proven",
        spelled: &["optimal, proven"],
        means: "The search was completed: no other plan that meets the limits is better in this model. It says nothing about real devices.",
    },
    Term {
        key: "percentile",
        name: "P95, P99",
        spelled: &["P95", "P99"],
        means: "Percentiles: 95 % and 99 % of all values are no larger. A tail is what lies above.",
    },
    Term {
        key: "peft",
        name: "PEFT",
        spelled: &["PEFT"],
        means: "Predict Earliest Finish Time, a scheduling heuristic: of the operators that can run, take the one with the longest \
                remaining path. It has nothing to do with parameter-efficient fine-tuning.",
    },
    Term {
        key: "phases",
        name: "Prefill, decode",
        spelled: &["prefill", "decode", "decoding"],
        means: "The two phases of an answer. Prefill processes the whole prompt and gives the first token; each decode pass then gives one \
                more.",
    },
    Term {
        key: "proven",
        name: "Proven",
        spelled: &["proven"],
        means: "True of every plan in this model, not only of those that were tried.",
    },
    Term {
        key: "profile",
        name: "R16, T2, F9, PF",
        spelled: &["R16", "T2", "F9", "PF"],
        means: "Timing profiles under \u{201c}Tiers\u{201d}. R16: 16-bit weights read at 60 % of the memory rate. T2: 8-bit weights and 27.2 ms \
                per stage, fitted to Hyperion\u{2019}s Table II. F9: 8-bit weights and a fixed start-up time, fitted to its Fig. 9. PF: \
                the paper\u{2019}s own formula, arithmetic only.",
    },
    Term {
        key: "shadow-price",
        name: "Shadow price",
        spelled: &["shadow price"],
        means: "By how much the objective improves for one more unit of a scarce resource, such as a token of the budget.",
    },
    Term {
        key: "slower-hop",
        name: "Slower hop, store-and-forward",
        spelled: &["slower hop", "store-and-forward"],
        means: "Two models of a transfer through the access point. With the slower hop, uplink and downlink overlap and the \
                slower one decides (CSGO); with store-and-forward their times add up.",
    },
    Term {
        key: "stall",
        name: "Stall",
        spelled: &["stall", "stalls"],
        means: "Time in which the whole pipeline waits for a device that is still reading its weights.",
    },
    Term {
        key: "steady-rate",
        name: "Steady rate",
        spelled: &["steady rate"],
        means: "Tokens per second once the pipeline is full: a token comes as often as the slowest stage allows.",
    },
    Term {
        key: "step",
        name: "Step",
        spelled: &["sum over steps"],
        means: "The run of one operator. The sum over steps adds up the memory held while each operator runs; the peak is the largest of \
                these values and decides whether the graph fits.",
    },
    Term {
        key: "table-4",
        name: "Table 4",
        spelled: &["Table 4"],
        means: "MemoriaNova\u{2019}s table of memory summed over all steps. It counts the inputs of an operator twice and a tensor once for \
                each reader to come, so its values are larger than what is held.",
    },
    Term {
        key: "table-i",
        name: "Table I",
        spelled: &["Table I"],
        means: "Under \u{201c}Head placement\u{201d}: the memory and operations of each block in \u{201c}Large Language Model Partitioning for Low-Latency Inference at \
                the Edge\u{201d} (Kafetzis et al.). Under \u{201c}Tiers\u{201d}: the models and devices of Hyperion.",
    },
    Term {
        key: "tier",
        name: "Tier, node",
        spelled: &["tier"],
        means: "A tier is one stage of a pipeline and consists of equal machines, its nodes. Every request visits the tiers in order and uses \
                one node of each.",
    },
    Term {
        key: "time-factor",
        name: "Time factor",
        spelled: &["time factor"],
        means: "The time of a device relative to a Raspberry Pi 3: 0.25 means four times as fast.",
    },
    Term {
        key: "ttft",
        name: "Time to first token (TTFT)",
        spelled: &["TTFT", "time to first token"],
        means: "The time from sending a prompt until the first token of its answer.",
    },
    Term {
        key: "utilisation",
        name: "Utilisation a, rate b",
        spelled: &["utilisation a", "utilisation rate b", "rate b"],
        means: "How much of its peak a device reaches with a prompt of t tokens: a (1 \u{2212} exp(\u{2212}b t)). a is the utilisation with very \
                long prompts, b how quickly it is approached.",
    },
    Term {
        key: "layer-columns",
        name: "W, A, P",
        spelled: &["W, A, P"],
        means: "A layer of a model: its work W in FLOP, the size A of its output and the size P of its weights in bytes.",
    },
];

/// The text in pieces, a term as such where it stands for the first time.
#[must_use]
pub fn split_terms(text: &str) -> Vec<TextRun<'_>> {
    let mut pieces = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    let (mut begin, mut at) = (0, 0);
    while let Some(letter) = text[at..].chars().next() {
        let found = is_edge(text, at)
            .then(|| term_at(text, at))
            .flatten()
            .filter(|(term, _)| !seen.contains(&term.key));
        let Some((term, length)) = found else {
            at += letter.len_utf8();
            continue;
        };
        if begin < at {
            pieces.push(TextRun {
                text: &text[begin..at],
                term: None,
            });
        }
        pieces.push(TextRun {
            text: &text[at..at + length],
            term: Some(term),
        });
        seen.push(term.key);
        at += length;
        begin = at;
    }
    if begin < text.len() {
        pieces.push(TextRun {
            text: &text[begin..],
            term: None,
        });
    }
    pieces
}

/// The first term in a text.
#[must_use]
pub fn first(text: &str) -> Option<&'static Term> {
    split_terms(text).into_iter().find_map(|piece| piece.term)
}

/// The term whose longest spelling begins here, and how long it is.
fn term_at(text: &str, at: usize) -> Option<(&'static Term, usize)> {
    let spellings = TERMS.iter().flat_map(|term| {
        let spelled = term.spelled.iter();
        spelled.map(move |word| (term, *word))
    });
    spellings
        .filter(|(_, word)| {
            let Some(here) = text.get(at..at + word.len()) else {
                return false;
            };
            let in_any_case = !word.chars().any(char::is_uppercase);
            let is_it = here == *word || (in_any_case && here.eq_ignore_ascii_case(word));
            is_it && is_edge(text, at + word.len())
        })
        .map(|(term, word)| (term, word.len()))
        .max_by_key(|(_, length)| *length)
}

/// Returns true if `at` is at the edge of a word.
fn is_edge(text: &str, at: usize) -> bool {
    let wordlike = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let before = text[..at].chars().next_back().is_some_and(wordlike);
    let after = text[at..].chars().next().is_some_and(wordlike);
    !(before && after)
}

/// The glossary as the documentation has it.
#[must_use]
pub fn markdown() -> String {
    let head = "# Glossary\n\nThe terms of the page and of the command line. The same list explains them on the page.\n";
    TERMS.iter().fold(head.to_owned(), |text, term| {
        format!("{text}\n**{}**: {}\n", term.name, term.means)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Terms of a text as they are spelled there.
    fn terms(text: &str) -> Vec<&str> {
        let all = split_terms(text);
        let again: String = all.iter().map(|piece| piece.text).collect();
        assert_eq!(again, text);
        let terms = all.into_iter().filter(|piece| piece.term.is_some());
        terms.map(|piece| piece.text).collect()
    }

    #[test]
    fn a_text_is_cut_where_its_terms_are() {
        assert_eq!(terms("Optimal, proven"), ["Optimal, proven"]);
        assert_eq!(terms("Best found, gap 3 %"), ["Best found", "gap"]);
        assert_eq!(terms("the gap to the bound"), ["gap", "the bound"]);
        assert_eq!(terms("DiSCo-D, randomised"), ["DiSCo-D"]);
        assert_eq!(terms("Me = Mi + w + out"), ["Me = Mi + w + out"]);
        assert_eq!(terms("demands by Table I"), ["Table I"]);
        assert_eq!(terms("To AP [m]"), ["To AP"]);
        assert_eq!(terms("\u{2013} stalls, then a stall \u{2013}"), ["stalls"]);
    }

    #[test]
    fn a_part_of_a_word_is_no_term() {
        for text in ["gaps", "Table II", "a stallion", "me", "Tables", "R160", ""] {
            assert_eq!(terms(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn terms_are_distinguished_by_key_and_by_spelling() {
        let mut keys: Vec<&str> = TERMS.iter().map(|term| term.key).collect();
        let mut words: Vec<&str> = TERMS
            .iter()
            .flat_map(|term| term.spelled)
            .copied()
            .collect();
        for all in [&mut keys, &mut words] {
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count);
        }
        let names: Vec<String> = TERMS.iter().map(|term| term.name.to_lowercase()).collect();
        assert!(names.is_sorted(), "{names:?}");
        for term in TERMS {
            assert!(term.means.ends_with('.'), "{}", term.name);
            assert!(!term.spelled.is_empty(), "{}", term.name);
        }
    }
}
