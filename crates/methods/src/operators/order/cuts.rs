//! Articulation points: numbers of operators that only one set can have run by. There an order falls into parts that do
//! not know of one another, so their sums add and their peaks compare.

use engine::graph::Graph;

/// The sizes at which exactly one set of operators can have run, ascending, 0 and all of them included. That set is the
/// first operators of the graph, in whatever topological order it lists them.
///
/// A set P is the only one of its size if every operator that can run next reads every operator of P that no operator of P
/// reads: any other set of that size would hold a next one and with it, down from the ends of P, all of P.
///
/// # Complexity
/// O(operators + operands): each operator is an end once.
#[must_use]
pub fn cuts(graph: &Graph) -> Vec<usize> {
    let n = graph.len();
    let made = |v: usize| {
        graph
            .src(v)
            .iter()
            .map(|t| *t as usize)
            .filter(move |t| *t < n)
    };
    let mut missing: Vec<usize> = (0..n).map(|v| made(v).count()).collect();
    let mut is_end = vec![false; n];
    // Of each operator that can run: how many ends it reads; of all: how many there are, and the sum.
    let mut reads = vec![0usize; n];
    let mut ready = missing.iter().filter(|count| **count == 0).count();
    let (mut ends, mut sum) = (0, 0);
    let mut cuts = vec![0];
    for v in 0..n {
        ready -= 1;
        sum -= reads[v];
        for u in made(v) {
            if !is_end[u] {
                continue;
            }
            is_end[u] = false;
            ends -= 1;
            for x in graph.consumers(u).iter().map(|x| *x as usize) {
                if x > v && missing[x] == 0 {
                    reads[x] -= 1;
                    sum -= 1;
                }
            }
        }
        is_end[v] = true;
        ends += 1;
        for x in graph.consumers(v).iter().map(|x| *x as usize) {
            missing[x] -= 1;
            if missing[x] == 0 {
                ready += 1;
                reads[x] = made(x).filter(|u| is_end[*u]).count();
                sum += reads[x];
            }
        }
        if sum == ends * ready {
            cuts.push(v + 1);
        }
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuts_of(reads: &[&[i64]]) -> Vec<usize> {
        let op = |ins: &&[i64]| format!(r#"{{"kind":"x","ins":{ins:?},"out":1,"shape":[1]}}"#);
        let ops: Vec<String> = reads.iter().map(op).collect();
        let text = format!(r#"{{"inputs":[1],"ops":[{}]}}"#, ops.join(","));
        cuts(&Graph::from_json(&text).expect("a graph"))
    }

    #[test]
    fn a_graph_falls_apart_where_one_set_alone_is_possible() {
        assert_eq!(cuts_of(&[&[-1], &[0], &[1]]), [0, 1, 2, 3], "a chain");
        assert_eq!(
            cuts_of(&[&[-1], &[0], &[0], &[1, 2]]),
            [0, 1, 3, 4],
            "two lanes"
        );
        assert_eq!(cuts_of(&[&[-1], &[-1]]), [0, 2], "two parts");
        assert_eq!(cuts_of(&[&[-1], &[0], &[1, 0]]), [0, 1, 2, 3], "a skip");
        // Both readers need both ends: after the two nothing else can have run.
        assert_eq!(cuts_of(&[&[-1], &[-1], &[0, 1], &[0, 1]]), [0, 2, 4]);
        assert_eq!(cuts_of(&[&[-1], &[-1], &[0, 1], &[0]]), [0, 4]);
    }
}
