//! Formulas of table columns: one row for each column, by question and key. Views of a table show them as they show the formula
//! of a figure.

use document::Explained;
use engine::scenario::Question;

/// Key, after its table and a dot where the key alone means something else in other tables; formula, source.
type Row = (&'static str, &'static str, &'static str);

/// Tables whose columns are what was drawn or moved: their keys mean something else elsewhere.
const APART: [&str; 2] = ["runs", "moves"];

/// Where a column of a table comes from; nothing is to be said of what was given or is a name.
#[must_use]
pub fn of(question: Question, table: &str, key: &str) -> Option<(&'static str, &'static str)> {
    if APART.contains(&table) {
        return None;
    }
    let rows = match question {
        Question::ColdStart => COLD_START,
        Question::HeadPlacement => HEADS,
        Question::Dispatch => DISPATCH,
        Question::Tiers => TIERS,
        Question::Operators => OPERATORS,
    };
    let apart = |of: &str| of.split_once('.') == Some((table, key));
    let row = rows.iter().find(|(of, ..)| apart(of));
    let row = row.or_else(|| rows.iter().find(|(of, ..)| *of == key));
    row.map(|(_, symbols, source)| (*symbols, *source))
}

/// The columns of some tables that have a formula, each once.
pub fn explained<'a>(
    question: Question,
    tables: impl Iterator<Item = &'a document::Table>,
) -> Vec<Explained> {
    let mut all: Vec<Explained> = Vec::new();
    for table in tables {
        for column in &table.columns {
            let Some((symbols, source)) = of(question, table.name, column.key) else {
                continue;
            };
            // The same head means something else in another table.
            let is_known = |one: &Explained| {
                one.key == column.key && one.head == column.with_unit() && one.symbols == symbols
            };
            if !all.iter().any(is_known) {
                all.push(Explained {
                    table: table.title.clone(),
                    key: column.key.to_owned(),
                    head: column.with_unit(),
                    symbols: symbols.to_owned(),
                    source: source.to_owned(),
                });
            }
        }
    }
    all
}

const OURS: &str = "Ours: a ratio of columns of this table";
const SCORED: &str = "Ours: every plan is scored by the same evaluator";

const COLD_START: &[Row] = &[
    (
        "comparison.stall_s",
        "\u{3a3} stall of its stages",
        "CSGO, equations (17) and (19)",
    ),
    (
        "comparison.transfer_s",
        "\u{3a3} transfer of its stages",
        "CSGO, equation (20)",
    ),
    (
        "comparison.compute_s",
        "\u{3a3} compute of its stages",
        "CSGO, equation (21)",
    ),
    (
        "load_s",
        "bytes of its layers\u{2019} weights / read rate of its device",
        "CSGO, equation (19)",
    ),
    (
        "stall_s",
        "max(0, load \u{2212} finish of the stage before)",
        "CSGO, equations (17) and (19)",
    ),
    (
        "wait_s",
        "max(0, finish of the stage before \u{2212} load)",
        "CSGO, equation (24)",
    ),
    (
        "start_s",
        "max(load, finish of the stage before)",
        "CSGO, equation (17)",
    ),
    (
        "transfer_s",
        "8 \u{d7} bytes of the hop / rate of its slower end, or both ends one after the other",
        "CSGO, equation (20); the scenario says which",
    ),
    (
        "compute_s",
        "FLOP of its layers / compute rate of its device",
        "CSGO, equation (21)",
    ),
    (
        "finish_s",
        "start + transfer + compute",
        "CSGO, equation (18)",
    ),
    (
        "free_after_s",
        "T \u{2212} finish",
        "CSGO, equations (18) and (23)",
    ),
    (
        "memory_b",
        "largest output + weights of its layers",
        "CSGO, equation (22)",
    ),
    (
        "sum_s",
        "\u{3a3} (stall + transfer + compute) of the stages so far",
        "CSGO, equations (17), (18) and (23)",
    ),
    (
        "after_s",
        "\u{3a3} (transfer + compute) from this stage on",
        "CSGO, equations (20) and (21)",
    ),
    (
        "forces_s",
        "load + work from here on: no plan with this stage ends sooner",
        "Ours: follows from CSGO, equations (17) and (18)",
    ),
    (
        "slack_s",
        "T \u{2212} (load + work from here on)",
        "Ours: how much later the load may end",
    ),
    (
        "first_answer_s",
        "T = \u{3a3} stall + \u{3a3} transfer + \u{3a3} compute",
        "CSGO, equations (17), (18) and (23)",
    ),
    ("sooner_s", "T of the plan \u{2212} T of Edgewise", SCORED),
    (
        "gain_pct",
        "(T of the plan \u{2212} T of Edgewise) / T of the plan",
        "CSGO, section 5.2, Fig. 3(b)",
    ),
    ("times_ours", "T of the rule / T of Edgewise", SCORED),
    (
        "slowest_stage_s",
        "max over stages (transfer + compute)",
        "The objective of pipelines in steady state, as other tools have it",
    ),
    (
        "times_least",
        "slowest stage of the rule / least slowest stage of any plan",
        SCORED,
    ),
    (
        "token_receive_ms",
        "8 \u{d7} bytes of a token\u{2019}s activations / rate of the hop + latency of the hop",
        "Not in CSGO, which ends at the first answer",
    ),
    (
        "token_compute_ms",
        "FLOP of its layers for a token / compute rate of its device",
        "Not in CSGO: equation (21) with one token",
    ),
    (
        "token_memory_ms",
        "bytes read for a token / memory rate of its device",
        "Not in CSGO: every token reads the weights of its stage and what is kept of the tokens before",
    ),
    (
        "token_ms",
        "receive + max(compute, read)",
        "Not in CSGO, which ends at the first answer",
    ),
    (
        "rate_tok_s",
        "1 / time of the busiest stage",
        "Ours: a pipeline that is always full",
    ),
    (
        "token_s",
        "\u{3a3} stages (receive + max(compute, read memory))",
        "Not in CSGO, which ends at the first answer",
    ),
    (
        "whole_s",
        "T + tokens of the answer \u{d7} time per token",
        "Not in CSGO, which ends at the first answer",
    ),
    (
        "bound_s",
        "the least T that the search has not ruled out",
        "Ours: branch and bound over groups of devices",
    ),
];

const HEADS: &[Row] = &[
    (
        "devices.largest_memory_mb",
        "max over tokens of what its blocks hold, caches included",
        "Kafetzis et al., Table I",
    ),
    (
        "comparison.moving_s",
        "\u{3a3} over all moves of the run, mean over the draws",
        "Kafetzis et al., equations (2) and (7)",
    ),
    (
        "head_stage_s",
        "max over devices (input + work of its heads / compute + their outputs)",
        "Kafetzis et al., equations (3), (5) and (6)",
    ),
    (
        "projection_s",
        "work of the projection / free compute of its device",
        "Kafetzis et al., equation (6) as printed leaves it out",
    ),
    (
        "transfer_s",
        "output of the projection / link to the device of the FFN",
        "Kafetzis et al., equation (4)",
    ),
    (
        "ffn_s",
        "work of the FFN / free compute of its device",
        "Kafetzis et al., equation (6) as printed leaves it out",
    ),
    (
        "moving_s",
        "\u{3a3} moves (size of the block / link between its devices)",
        "Kafetzis et al., equations (2) and (7)",
    ),
    (
        "elapsed_s",
        "\u{3a3} of all parts up to this token",
        "Kafetzis et al., equations (2) to (7)",
    ),
    (
        "largest_memory_mb",
        "max over devices of what their blocks hold, caches included",
        "Kafetzis et al., Table I",
    ),
    (
        "seconds",
        "\u{3a3} tokens (head stage + projection + transfer + FFN + moving)",
        "Kafetzis et al., equations (2) to (7)",
    ),
    (
        "busy_s",
        "\u{3a3} tokens (work of its blocks / free compute)",
        SCORED,
    ),
    ("busy_pct", "computing / time of all tokens", OURS),
    (
        "mean_s",
        "mean of the time of all tokens over the draws that the rule came through",
        SCORED,
    ),
    ("least_s", "least of them", SCORED),
    ("most_s", "most of them", SCORED),
    (
        "to_ours",
        "mean of (time of the rule / ours), draw by draw",
        "Ours: draws that both came through",
    ),
    ("sooner_s", "time now \u{2212} time with the change", SCORED),
    (
        "sooner_pct",
        "(time now \u{2212} time with the change) / time now",
        SCORED,
    ),
    (
        "free_gops",
        "compute \u{2212} background load of the interval",
        "Kafetzis et al., section III",
    ),
    (
        "input_ms",
        "input of the layer / link from the controller or the device before",
        "Kafetzis et al., equation (3)",
    ),
    (
        "heads_ms",
        "work of its heads / free compute",
        "Kafetzis et al., equation (5)",
    ),
    (
        "outputs_ms",
        "outputs of its heads / link to the device of the projection",
        "Kafetzis et al., equation (5)",
    ),
    (
        "stage_ms",
        "input + heads + outputs",
        "Kafetzis et al., equation (6)",
    ),
    (
        "memory_mb",
        "\u{3a3} bytes of its blocks at this token, caches included",
        "Kafetzis et al., Table I",
    ),
    (
        "free_mb",
        "memory \u{2212} memory used",
        "Kafetzis et al., equation (1)",
    ),
    (
        "mean_ratio",
        "mean over tokens of (J of the choice / least J from the same placement before)",
        "Ours: the paper\u{2019}s objective beside its optimum",
    ),
    (
        "worst_ratio",
        "max over tokens of the same",
        "Ours: the paper\u{2019}s objective beside its optimum",
    ),
];

const DISPATCH: &[Row] = &[
    (
        "mean_s",
        "\u{3a3} p(l) E[first token of a prompt of length l], the sooner of the two sides where both start",
        "DiSCo, section 4.2; exact for these distributions",
    ),
    (
        "p99_s",
        "least t with P(first token \u{2264} t) \u{2265} 0.99",
        "DiSCo, section 5.1, metrics; exact for these distributions",
    ),
    (
        "comparison.budget_pct",
        "share of input tokens that the scarce side processes",
        "DiSCo, section 5.1, metrics",
    ),
    (
        "used_pct",
        "share of input tokens that the device processes",
        "DiSCo, section 5.1, metrics",
    ),
    (
        "sooner_s",
        "mean of the rule \u{2212} mean of Edgewise",
        SCORED,
    ),
    (
        "sooner_pct",
        "(mean of the rule \u{2212} mean of Edgewise) / mean of the rule",
        SCORED,
    ),
    (
        "gain_pct",
        "(mean of stochastic routing \u{2212} mean of Edgewise) / mean of stochastic routing",
        SCORED,
    ),
    (
        "device_first_token_s",
        "T_d(l) = start + l / prefill rate",
        "DiSCo, section 4.1: linear in the length of the prompt",
    ),
    (
        "without_microusd",
        "server prefill + server decode + device prefill + device decode, each where it began",
        "DiSCo, equation (8)",
    ),
    (
        "with_microusd",
        "the same with what is handed over priced at the other side",
        "DiSCo, equation (8)",
    ),
    (
        "less_pct",
        "(without hand-over \u{2212} with hand-over) / without hand-over",
        OURS,
    ),
    (
        "moved_pct",
        "share of requests for which decode is cheaper on the other side, hand-over included",
        "DiSCo, section 4.3",
    ),
    (
        "buffer_mean_tokens",
        "tokens written ahead of the reader when the hand-over begins, mean",
        "DiSCo, section 4.3, equations (4) to (6)",
    ),
    (
        "buffer_p99_tokens",
        "the same; 99\u{202f}% of hand-overs need no more",
        "DiSCo, section 4.3, equations (4) to (6)",
    ),
    (
        "late_tokens",
        "tokens that come later than the reader would take them, expected",
        "DiSCo, section 4.3: the reader takes tokens at a steady rate",
    ),
    (
        "tbt_p99_s",
        "99\u{202f}% of the times between two tokens, as read, are below",
        "DiSCo, section 5.1, metrics",
    ),
    (
        "cost_microusd",
        "with hand-over, prefill that lost the race included",
        "DiSCo, equation (8)",
    ),
    (
        "lost_prefill_microusd",
        "prefill of the side whose first token came second",
        "DiSCo, equation (8); the scenario says how much of it is charged",
    ),
    (
        "price_s",
        "what the mean of all requests would gain per unit of this budget",
        "Ours: the multiplier of the budget in the program over all devices",
    ),
    (
        "fit_distance_pct",
        "largest distance of the two cumulative distributions",
        "The distance of Kolmogorov and Smirnov",
    ),
];

const TIERS: &[Row] = &[
    (
        "stages.request_s",
        "prefill + (G \u{2212} 1) decode on this tier",
        "Hyperion, section III: the load of a tier in equation (8), for every pass of a request",
    ),
    (
        "stages.full_at_per_s",
        "nodes / time of a request on this tier",
        "Utilisation 1 of the tier",
    ),
    (
        "utilisation.full_at_per_s",
        "nodes / time of a request on this tier",
        "Utilisation 1 of the tier",
    ),
    (
        "load.first_token_s",
        "mean over requests and seeds of the time from arrival to first token",
        "Simulated pass by pass",
    ),
    (
        "requests.first_token_s",
        "from its arrival to its first token",
        "Simulated pass by pass",
    ),
    (
        "prefill_ms",
        "work of its blocks for the whole prompt / speed of a node, by the scenario\u{2019}s rule of speed",
        "Hyperion, section III: L = \u{3a3} f / C",
    ),
    (
        "decode_ms",
        "the same for one token",
        "Hyperion, section III: L = \u{3a3} f / C",
    ),
    (
        "head_ms",
        "the same for the output head, on the last tier",
        "Not in Hyperion, which leaves the output head out",
    ),
    (
        "full_at_per_s",
        "nodes / time of a request on the tier that is full first",
        "Utilisation 1 of the tier with the least rate",
    ),
    (
        "memory_gb",
        "weights of its blocks",
        "Hyperion, section III, equation (5)",
    ),
    (
        "link_prefill_ms",
        "8 \u{d7} bytes of the prompt\u{2019}s activations / link rate + its latency",
        "Hyperion, section III: communication between tiers",
    ),
    (
        "link_decode_ms",
        "8 \u{d7} bytes of a token\u{2019}s activations / link rate + its latency",
        "Hyperion, section III: communication between tiers",
    ),
    (
        "slowest_pass_ms",
        "max over stages of a pass",
        "Hyperion, equation (8): what HypSplit-DP minimises",
    ),
    (
        "bottleneck_s",
        "max over stages (prefill + (G \u{2212} 1) decode)",
        "Hyperion, equation (8), for every pass of a request",
    ),
    (
        "request_s",
        "\u{3a3} tiers and links (prefill + (G \u{2212} 1) decode)",
        "Hyperion, section III: a request that waits for nobody",
    ),
    (
        "first_token_s",
        "\u{3a3} tiers and links of the prompt\u{2019}s pass",
        "Hyperion, section III: a request that waits for nobody",
    ),
    (
        "energy_j",
        "\u{3a3} tiers (power \u{d7} time of a request)",
        "An upper bound of the work: nodes at their rated power, no idling",
    ),
    (
        "mean_s",
        "mean over requests and seeds",
        "Simulated pass by pass",
    ),
    (
        "mean_spread_s",
        "half of the 95\u{202f}% interval of the mean over seeds",
        "Simulated pass by pass",
    ),
    (
        "makespan_s",
        "from the first arrival to the last token, mean over seeds",
        "Hyperion, section V, metrics",
    ),
    (
        "busiest",
        "busy time of the nodes / (nodes \u{d7} time of the run)",
        "Simulated pass by pass",
    ),
    (
        "estimate_s",
        "a request that waits for nobody + the longest wait of a queue M/D/K, by Cosmetatos",
        "Ours: Hyperion has no model of queues; within a few percent up to a utilisation of 0.9",
    ),
    (
        "busy_pct",
        "busy time of the nodes / (nodes \u{d7} time of the run)",
        "Simulated pass by pass",
    ),
    (
        "reserved_gb",
        "most that the caches of the requests on a node hold at once",
        "Simulated pass by pass",
    ),
];

const OPERATORS: &[Row] = &[
    (
        "devices.peak_mib",
        "max over steps of what the device holds",
        "MemoriaNova, sections 3.2 to 3.4",
    ),
    (
        "splits.peak_mib",
        "max over devices and steps of what a device holds",
        "MemoriaNova, sections 3.2 to 3.4",
    ),
    (
        "kept_bytes",
        "Mi = \u{3a3} bytes of the tensors that are still read, and of outputs of the graph",
        "MemoriaNova, section 2.2 and Table 2",
    ),
    (
        "weights_bytes",
        "w = bytes of the operator\u{2019}s weights",
        "MemoriaNova, section 2.2 and Table 2",
    ),
    (
        "output_bytes",
        "out = bytes of its output; 0 where it overwrites an operand",
        "MemoriaNova, section 2.2 and Table 2",
    ),
    (
        "running_bytes",
        "Me = Mi + out + w",
        "MemoriaNova, section 2.2 and Table 2: the execution stage",
    ),
    (
        "table4_bytes",
        "\u{3a3} reads + out + w, and every tensor once more for each reader to come",
        "MemoriaNova, Table 4: the count that gives its figures",
    ),
    (
        "sum_mib",
        "\u{3a3} Me over all steps",
        "MemoriaNova, section 2.3: what the search minimises",
    ),
    (
        "peak_mib",
        "max Me over all steps",
        "MemoriaNova, section 2.2 and Table 2",
    ),
    (
        "table4_mib",
        "\u{3a3} of Table 4\u{2019}s count over all steps",
        "MemoriaNova, Table 4",
    ),
    (
        "less_by",
        "(sum of the order \u{2212} sum of Edgewise) / sum of the order",
        OURS,
    ),
    (
        "ms",
        "\u{3a3} over operators of the largest (receiving + computing) of a device; of one operator, that alone",
        "MemoriaNova, section 3.3.2, Algorithm 2",
    ),
    (
        "comm_ms",
        "bytes that a device has to receive / link rate",
        "MemoriaNova, sections 3.2 to 3.4",
    ),
    (
        "compute_ms",
        "work of its slices \u{d7} time factor of the device",
        "MemoriaNova, sections 3.2 to 3.4",
    ),
    (
        "sooner_by",
        "(time of the split \u{2212} time of Edgewise) / time of the split",
        OURS,
    ),
    (
        "gap",
        "(time \u{2212} bound) / time",
        "Ours: the bound adds up the least time of any cut of every operator",
    ),
    ("of_limit", "peak memory / limit", OURS),
    ("alone_ms", "time of the whole graph on this device", SCORED),
];

#[cfg(test)]
mod tests {
    use super::{COLD_START, DISPATCH, HEADS, OPERATORS, TIERS, explained, of};
    use document::Table;
    use engine::scenario::Question;

    #[test]
    fn a_column_that_means_something_else_in_another_table_is_explained_twice() {
        let columns = [("transfer_s", "transfer", "s"), ("load_s", "load", "s")];
        let tables = ["timeline", "comparison", "strategies"]
            .map(|name| Table::new(name, name, &columns, Vec::new()));
        let explanations = explained(Question::ColdStart, tables.iter());
        let explanations: Vec<(&str, &str)> = explanations
            .iter()
            .map(|one| (&*one.key, &*one.table))
            .collect();
        let twice = [
            ("transfer_s", "timeline"),
            ("load_s", "timeline"),
            ("transfer_s", "comparison"),
        ];
        assert_eq!(explanations, twice);
    }

    #[test]
    fn a_key_has_one_formula_in_a_question() {
        for rows in [COLD_START, HEADS, DISPATCH, TIERS, OPERATORS] {
            for (at, (key, symbols, source)) in rows.iter().enumerate() {
                assert!(rows[..at].iter().all(|(other, ..)| other != key), "{key}");
                assert!(!symbols.is_empty() && !source.is_empty(), "{key}");
            }
        }
    }

    #[test]
    fn drawn_values_are_distinguished_from_expected_ones() {
        let expected = of(Question::Dispatch, "comparison", "mean_s");
        assert!(expected.is_some_and(|(symbols, _)| symbols.contains("E[")));
        let of_a_plan = of(Question::Tiers, "comparison", "request_s");
        let of_a_stage = of(Question::Tiers, "stages", "request_s");
        assert!(of_a_plan.is_some() && of_a_stage.is_some() && of_a_plan != of_a_stage);
        assert_eq!(of(Question::Dispatch, "budgets", "budget_pct"), None);
        assert_eq!(of(Question::Dispatch, "runs", "mean_s"), None);
    }
}
