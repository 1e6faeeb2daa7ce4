"""pymoo's single-objective GA beside Edgewise on the same problems, at equal wall time, in one run.

    cargo build --release --bin edgewise
    cargo bench -p edgewise-bench --bench operators_split -- peer target/peer
    python3 -m venv target/peer-venv
    target/peer-venv/bin/pip install -r tests/bench/peer/requirements.txt
    target/peer-venv/bin/python tests/bench/peer/run.py target/release/edgewise target/peer/*.json

For each problem Edgewise answers first, as a program that is started, reads the file, searches on two threads and writes
its answer. Then pymoo searches for as many seconds, twice, with two seeds; the better one counts. The objective is written
here once more, in numpy, for a whole population at once; before anything is timed it is compared with `edgewise evaluate`
on random plans. Memory is left out: the limits of these problems cannot be broken.
"""

import json
import subprocess
import sys
import tempfile
import time

import numpy as np
from pymoo.algorithms.soo.nonconvex.ga import GA
from pymoo.core.duplicate import NoDuplicateElimination
from pymoo.core.problem import Problem
from pymoo.operators.crossover.pntx import TwoPointCrossover
from pymoo.operators.mutation.pm import PM
from pymoo.operators.sampling.rnd import FloatRandomSampling
from pymoo.optimize import minimize
from pymoo.termination.max_time import TimeBasedTermination


def rows_of(op):
    shape = op["shape"]
    return shape[-2] if len(shape) > 1 else 1


class Slices(Problem):
    """Genes from 0 to 1: for each operator a dimension (channels from a half on), then the inner marks as shares."""

    def __init__(self, problem):
        self.document = problem
        self.ops = problem["graph"]["ops"]
        self.factors = np.array(problem["cflops"])
        self.n, self.devices = len(self.ops), len(self.factors)
        self.rate = problem["mbps"] * 1e6 / 8 / 1000
        profile = problem["profile"]
        has_conv = any(op["kind"] == "conv" for op in self.ops)
        self.sides, self.base, self.slope, self.sources = [], [], [], []
        for op in self.ops:
            shape, rows, kind = op["shape"], rows_of(op), op["kind"]
            if kind == "conv":
                sides = [("row", rows, "fmh"), ("chan", shape[1], "cout")]
            elif kind == "pool" or (kind != "gemm" and len(shape) == 4 and has_conv):
                sides = [("row", rows, "fmh")]
            elif rows > 1:
                sides = [("row", rows, "len")]
            else:
                sides = [("col", shape[-1], "len")]
            moved = op["out"] + op.get("w", 0)
            flops = op.get("flops", 0) / (profile["gflops"] * 1e6)
            self.sides.append(sides)
            self.base.append(profile["op_ms"])
            self.slope.append(flops + moved / (profile["gbs"] * 1e6))
            seen = dict.fromkeys(u for u in op["ins"] if u >= 0)
            full = op.get("full", [])
            self.sources.append(
                [(u, float(self.ops[u]["out"]), rows_of(self.ops[u]), u in full) for u in seen]
            )
        super().__init__(n_var=self.n * self.devices, n_obj=1, xl=0.0, xu=1.0)

    def plans(self, x):
        """Whether channels are cut (plans by operators), and marks (plans by operators by devices + 1)."""
        genes = x.reshape(len(x), self.n, self.devices)
        free = np.array([len(sides) > 1 for sides in self.sides])
        turned = (genes[:, :, 0] >= 0.5) & free
        lengths = np.array([[sides[0][1], sides[-1][1]] for sides in self.sides])
        length = np.where(turned, lengths[:, 1], lengths[:, 0])
        marks = np.empty((len(x), self.n, self.devices + 1), dtype=np.int64)
        marks[:, :, 0] = 0
        marks[:, :, -1] = length
        inner = np.floor(genes[:, :, 1:] * (length + 1)[:, :, None]).astype(np.int64)
        marks[:, :, 1:-1] = np.sort(np.minimum(inner, length[:, :, None]), axis=2)
        return turned, marks

    def op_ms(self, turned, marks):
        """Time of every operator, plans by operators [ms]."""
        all_ms = np.empty((len(marks), self.n))
        for v, op in enumerate(self.ops):
            a, b = marks[:, v, :-1], marks[:, v, 1:]
            active = a < b
            several = active.sum(axis=1) > 1
            side = self.sides[v][0]
            share = (b - a) / marks[:, v, -1:]
            compute = self.factors * (self.base[v] + share * self.slope[v])
            is_row = (side[0] == "row") & ~turned[:, v]
            received = np.zeros(a.shape)
            for u, size, rows, whole in self.sources[v]:
                lo, hi = np.zeros_like(a), np.full_like(a, rows)
                if not whole and side[0] == "row":
                    if op["kind"] in ("conv", "pool"):
                        k, s, d = (op.get(field, 1) for field in "ksd")
                        p, reference = op.get("p", 0), op.get("hin", 1)
                        low = np.maximum(0, a * s - p)
                        end = (b - 1) * s + (k - 1) * d + 1 - p
                        high = np.maximum(low, np.minimum(reference, end))
                    else:
                        reference, low, high = side[1], a, b
                    if reference != rows:
                        low, high = low * rows // reference, -(-high * rows // reference)
                    lo = np.where(is_row[:, None], low, lo)
                    hi = np.where(is_row[:, None], high, hi)
                ua, ub = marks[:, u, :-1], marks[:, u, 1:]
                overlap = np.maximum(0, np.minimum(hi, ub) - np.maximum(lo, ua))
                by_rows = size * (hi - lo - overlap) / rows
                held = (ub - ua) / marks[:, u, -1:]
                by_channels = size * (1 - held) * (hi - lo) / rows
                cut_by_rows = (self.sides[u][0][0] == "row") & ~turned[:, u]
                missing = np.where(cut_by_rows[:, None], by_rows, by_channels)
                broadcast = (~is_row & several)[:, None]
                received += np.where(broadcast, size, missing)
            times = np.where(active, received / self.rate + compute, 0.0)
            all_ms[:, v] = times.max(axis=1)
        return all_ms

    def _evaluate(self, x, out, *args, **kwargs):
        out["F"] = self.op_ms(*self.plans(x)).sum(axis=1)


def edgewise(program, verb, problem, *more):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(problem, file)
        file.flush()
        command = [program, verb, "operator-partition", file.name, *more]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    answer = json.loads(ran.stdout) if ran.stdout else {"error": ran.stderr}
    if "error" in answer:
        sys.exit(str(answer["error"]))
    return answer


def compare(program, slices):
    """The objective here against the one there."""
    x = np.random.default_rng(1).random((3, slices.n_var))
    turned, marks = slices.plans(x)
    here = slices.op_ms(turned, marks).sum(axis=1)
    for at in range(len(x)):
        dims = [sides[-1 if t else 0][2] for sides, t in zip(slices.sides, turned[at])]
        plan = dict(slices.document, X=marks[at].tolist(), dims=dims)
        there = edgewise(program, "evaluate", plan)["latency_ms"]
        assert abs(here[at] - there) < 1e-9 * there, (here[at], there)


def main():
    program, files = sys.argv[1], sys.argv[2:]
    print("| model | seconds | ours [ms] | pymoo GA [ms] | plans it scored | gap of ours |")
    print("|---|---|---|---|---|---|")
    for path in files:
        with open(path, encoding="utf-8") as file:
            problem = json.load(file)
        slices = Slices(problem)
        compare(program, slices)
        begun = time.perf_counter()
        ours = edgewise(program, "solve", problem, "--method", "best", "--threads", "2")
        seconds = time.perf_counter() - begun
        found, scored = [], 0
        for seed in (1, 2):
            algorithm = GA(
                pop_size=200,
                sampling=FloatRandomSampling(),
                crossover=TwoPointCrossover(prob=0.9),
                mutation=PM(prob_var=1 / slices.n),
                eliminate_duplicates=NoDuplicateElimination(),
            )
            stop = TimeBasedTermination(max_time=seconds)
            result = minimize(slices, algorithm, stop, seed=seed, verbose=False)
            found.append(float(result.F[0]))
            scored += result.algorithm.evaluator.n_eval
        name = problem["graph"].get("name") or path
        print(
            f"| {name} | {seconds:.2f} | **{ours['latency_ms']:.2f}** | {min(found):.2f} "
            f"| {scored} | {100 * ours['gap']:.1f} % |",
            flush=True,
        )


if __name__ == "__main__":
    main()
