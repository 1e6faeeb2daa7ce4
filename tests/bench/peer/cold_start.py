"""Two general solvers beside Edgewise on the same cold starts, with the same time limit and number of threads, in one run.

    cargo build --release --bin edgewise
    cargo bench -p edgewise-bench --bench cold_start -- files target/peer-cold seeds 2
    python3 -m venv target/peer-venv
    target/peer-venv/bin/pip install -r tests/bench/peer/requirements.txt
    target/peer-venv/bin/python tests/bench/peer/cold_start.py target/release/edgewise target/peer-cold/*.json

OR-Tools CP-SAT and HiGHS are given the strongest models that were found for each; the header of each function says what it
is. Of the two for HiGHS neither is the better one everywhere. `--peers` chooses among them, with one more for CP-SAT. No
solver is told a plan or a bound. Each runs as a program of its own, one after another. The seconds of CP-SAT and HiGHS are
those of their search alone; reading the file and building the model are not counted. The seconds of Edgewise are those of
the whole program, from its start to its answer.

Whatever a solver returns is scored again here, by the equations, with a fourth implementation of them. The run fails where
a plan breaks a rule, where two proofs disagree, or where a bound is above a plan of another solver.

CP-SAT counts whole microseconds: each load, hop and computation is rounded, by three of them for each stage at most. HiGHS
stops at a relative gap of 1e-6. Both are taken into account where answers are compared.
"""

import argparse
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from importlib.metadata import version

SLACK = 1e-9  # of memories
UNIT = 1e-6  # of CP-SAT [s]


class Problem:
    """The numbers of a file, and the costs of stages: device d takes the layers from i to before j, counted from 0."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        self.name = document.get("id") or os.path.basename(path)
        self.layers, self.devices = document["layers"], document["devices"]
        self.L, self.K = len(self.layers), len(self.devices)
        self.weights, self.work = [0.0], [0.0]
        for layer in self.layers:
            self.weights.append(self.weights[-1] + layer["P"])
            self.work.append(self.work[-1] + layer["W"])

    def load(self, d, i, j):
        return (self.weights[j] - self.weights[i]) / self.devices[d]["r"]

    def comp(self, d, i, j):
        return (self.work[j] - self.work[i]) / self.devices[d]["c"]

    def hop(self, d, e, i):
        """From the stage on d, which ends before layer i, to the one on e."""
        rate = min(self.devices[d]["bu"], self.devices[e]["bd"])
        return 8 * self.layers[i - 1]["A"] / rate

    def far(self, d, i):
        """The largest j for which the layers from i to before j fit on d."""
        room, held, widest, j = self.devices[d]["m"] * (1 + SLACK), 0.0, 0.0, i
        while j < self.L:
            held += self.layers[j]["P"]
            widest = max(widest, self.layers[j]["A"])
            if held + widest > room:
                break
            j += 1
        return j

    def score(self, plan):
        """The referee: a plan as [[device from 0, first layer from 1, last layer], ..] to its time T [s]."""
        assert len({device for device, _, _ in plan}) == len(plan), "a device twice"
        finish, expected, before = 0.0, 1, None
        for at, first, last in plan:
            assert first == expected and last >= first, "a gap"
            device, held = self.devices[at], self.layers[first - 1 : last]
            weights = sum(layer["P"] for layer in held)
            need = weights + max(layer["A"] for layer in held)
            assert need <= device["m"] * (1 + SLACK), "a full memory"
            comm = 0.0
            if before is not None:
                output = self.layers[first - 2]["A"]
                comm = 8 * output / min(self.devices[before]["bu"], device["bd"])
            start = max(weights / device["r"], finish)
            finish = start + comm + sum(layer["W"] for layer in held) / device["c"]
            expected, before = last + 1, at
        assert expected == self.L + 1, "not all layers"
        return finish

    def stages(self):
        """All stages (d, i, j) that fit their device."""
        for d in range(self.K):
            for i in range(self.L):
                for j in range(i + 1, self.far(d, i) + 1):
                    yield d, i, j

    def hops(self):
        """All hops (d, e, i)."""
        for i in range(1, self.L):
            for d in range(self.K):
                for e in range(self.K):
                    if d != e:
                        yield d, e, i


def plan_of(stages):
    """Chosen (d, i, j) as a plan of the command line."""
    return [[d, i + 1, j] for d, i, j in sorted(stages, key=lambda stage: stage[1])]


def cp_model_of(problem, with_stages):
    """CP-SAT over devices: a circuit through those in use is their order, the first and last layer are integer variables.

    Loads and computations are differences of two elements of a table a device, the furthest last layer that memory allows is
    an element by the first, a hop is the output, an element, at the rate of the pair. Redundant: what follows each load must
    end by T (the second identity of the paper's timing), the computations share one time line, and the stages share L
    layers, all bytes and all operations, without which next to nothing is proved.

    `with_stages` adds a truth for each stage that fits its device, tied to the first and last layers, and what `highs_stages`
    says of them, with the least hop that each stage can have. On six devices and 40 layers that gives better bounds and later
    plans, on twelve devices and 60 layers nothing in 20 s: `--peers cp-sat-stages`.
    """
    from ortools.sat.python import cp_model

    K, L = problem.K, problem.L
    model = cp_model.CpModel()
    ticks = lambda seconds: round(seconds / UNIT)
    loads = [[ticks(problem.load(d, 0, j)) for j in range(L + 1)] for d in range(K)]
    comps = [[ticks(problem.comp(d, 0, j)) for j in range(L + 1)] for d in range(K)]
    rates = [device[side] for device in problem.devices for side in ("bu", "bd")]
    # An output in ticks at the lowest rate there is; what a pair takes of that in millionths.
    outputs = [0] + [ticks(8 * layer["A"] / min(rates)) for layer in problem.layers[:-1]] + [0]
    million = 1_000_000
    slowest_hop = max(outputs) + 2
    horizon = max(row[-1] for row in loads) + max(row[-1] for row in comps) + K * slowest_hop
    total = model.new_int_var(0, horizon, "T")

    arcs, intervals, first, last, tail, finish, used = [], [], [], [], [], [], []
    work, load, comp, hop = [], [], [], []
    for d in range(K):
        i, j = model.new_int_var(0, L, ""), model.new_int_var(0, L, "")
        fit = model.new_int_var(0, L, "")
        model.add_element(i, [problem.far(d, at) if at < L else L for at in range(L + 1)], fit)
        model.add(j <= fit)
        model.add(j >= i)
        ends = []
        for table in (loads[d], comps[d]):
            low, high = model.new_int_var(0, table[-1], ""), model.new_int_var(0, table[-1], "")
            model.add_element(i, table, low)
            model.add_element(j, table, high)
            ends.append(high - low)
        on = model.new_bool_var("")
        model.add(j > i).only_enforce_if(on)
        model.add(i == 0).only_enforce_if(~on)
        model.add(j == 0).only_enforce_if(~on)
        arcs.append((d + 1, d + 1, ~on))
        comm = model.new_int_var(0, slowest_hop, "")
        length = model.new_int_var(0, horizon, "")
        model.add(length == comm + ends[1])
        start, end = model.new_int_var(0, horizon, ""), model.new_int_var(0, horizon, "")
        intervals.append(model.new_optional_interval_var(start, length, end, on, ""))
        rest = model.new_int_var(0, horizon, "")
        model.add(start >= ends[0])
        model.add(end <= total)
        model.add(rest >= length)
        model.add(ends[0] + rest <= total)
        for values, value in (
            (first, i), (last, j), (used, on), (load, ends[0]), (comp, ends[1]), (hop, comm),
            (work, length), (tail, rest), (finish, (start, end)),
        ):
            values.append(value)
    for d in range(K):
        begins, closes = model.new_bool_var(""), model.new_bool_var("")
        arcs += [(0, d + 1, begins), (d + 1, 0, closes)]
        model.add(first[d] == 0).only_enforce_if(begins)
        model.add(last[d] == L).only_enforce_if(closes)
        # The output by the first layer: none of the first stage's, which no one sends.
        output = model.new_int_var(0, max(outputs), "")
        model.add_element(first[d], outputs, output)
        for e in range(K):
            if e == d:
                continue
            follows = model.new_bool_var("")  # d behind e
            arcs.append((e + 1, d + 1, follows))
            rate = min(problem.devices[e]["bu"], problem.devices[d]["bd"])
            ratio = round(million * min(rates) / rate)
            model.add(first[d] == last[e]).only_enforce_if(follows)
            model.add(million * hop[d] >= ratio * output).only_enforce_if(follows)
            model.add(finish[d][0] >= finish[e][1]).only_enforce_if(follows)
            model.add(tail[e] >= work[e] + tail[d]).only_enforce_if(follows)
    model.add_circuit(arcs)
    model.add_no_overlap(intervals)
    model.add(sum(last) - sum(first) == L)
    # All bytes are loaded and all operations done, whoever does them; all work is behind one another.
    for rate, totals, spent in (("r", problem.weights, load), ("c", problem.work, comp)):
        grain = min(device[rate] for device in problem.devices) / 10_000
        rates = [round(device[rate] / grain) for device in problem.devices]
        tables = loads if rate == "r" else comps
        # What the rounding of a rate and of a difference may add up to.
        slack = sum(0.5 * row[-1] + 1.5 * pace + 1 for row, pace in zip(tables, rates))
        least = int(totals[-1] / grain / UNIT - slack)
        model.add(sum(pace * time for pace, time in zip(rates, spent)) >= least)
    model.add(sum(work) <= total)
    model.minimize(total)
    if with_stages:
        cp_stages(problem, model, horizon, total, first, last, used)

    def read(solver):
        taking = [d for d in range(K) if solver.value(used[d])]
        return [(d, solver.value(first[d]), solver.value(last[d])) for d in taking]

    return model, read


def cp_stages(problem, model, horizon, total, first, last, used):
    """The redundant part: stages as truths, a flow from cut to cut, and T behind every cut."""
    K, L, devices = problem.K, problem.L, problem.devices
    ticks = lambda seconds: round(seconds / UNIT)
    of, starting, ending = defaultdict(list), defaultdict(list), defaultdict(list)
    loads, works = defaultdict(list), defaultdict(list)
    for d, i, j in problem.stages():
        chosen = model.new_bool_var("")
        of[d].append((i, j, chosen))
        starting[i].append(chosen)
        ending[j].append(chosen)
        others = [other["bu"] for e, other in enumerate(devices) if e != d]
        fastest = min(devices[d]["bd"], max(others, default=devices[d]["bd"]))
        hop = ticks(8 * problem.layers[i - 1]["A"] / fastest) if i > 0 else 0
        # Less what differences of rounded sums and the rate in millionths may be short of a rounded difference.
        works[i].append((ticks(problem.comp(d, i, j)) - 1 + max(0, hop - 2)) * chosen)
        loads[i].append((ticks(problem.load(d, i, j)) - 1) * chosen)
    for d in range(K):
        model.add_exactly_one([chosen for _, _, chosen in of[d]] + [~used[d]])
        model.add(first[d] == sum(i * chosen for i, _, chosen in of[d]))
        model.add(last[d] == sum(j * chosen for _, j, chosen in of[d]))
    model.add_exactly_one(starting[0])
    model.add_exactly_one(ending[L])
    for i in range(1, L):
        model.add(sum(starting[i]) == sum(ending[i]))
    behind = 0
    for i in reversed(range(L)):
        now = model.new_int_var(-K * 4, horizon, "")
        model.add(now == behind + sum(works[i]))
        model.add(total >= now + sum(loads[i]))
        behind = now


def rounding(problem):
    """How far a plan's T may be from what CP-SAT takes it for [s]: a tick a computation, two a hop, one for the load."""
    return (3 * min(problem.K, problem.L) + 1) * UNIT


def cp_sat(problem, limit, threads, with_stages):
    from ortools.sat.python import cp_model

    model, read = cp_model_of(problem, with_stages)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = limit
    solver.parameters.num_workers = threads
    begun = time.perf_counter()
    status = solver.solve(model)
    seconds = time.perf_counter() - begun
    if status == cp_model.INFEASIBLE:
        return {"seconds": seconds, "status": "infeasible"}
    error = rounding(problem)
    bound = max(0.0, solver.best_objective_bound * UNIT - error)
    answer = {"seconds": seconds, "status": "stopped", "bound": bound}
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        answer["plan"] = plan_of(read(solver))
        answer["status"] = "optimal" if status == cp_model.OPTIMAL else "feasible"
    return answer


class Rows:
    """A mixed-integer program for HiGHS, column by column and row by row; column 0 is T, which is made least."""

    scale = 1e3  # milliseconds, so that tolerances are small beside what they are tolerances of

    def __init__(self):
        self.upper, self.whole, self.rows, self.low, self.high = [], [], [], [], []
        self.column()

    def column(self, upper=math.inf, whole=False):
        self.upper.append(upper)
        self.whole.append(whole)
        return len(self.upper) - 1

    def row(self, entries, low=-math.inf, high=math.inf):
        self.rows.append(entries)
        self.low.append(low)
        self.high.append(high)

    def solve(self, limit, threads, read):
        """`read` makes stages of the values of the columns."""
        import highspy
        import numpy as np

        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.upper), len(self.rows)
        lp.col_cost_ = np.eye(1, len(self.upper))[0]
        lp.col_lower_, lp.col_upper_ = np.zeros(len(self.upper)), np.array(self.upper)
        lp.row_lower_, lp.row_upper_ = np.array(self.low), np.array(self.high)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.cumsum([0] + [len(entries) for entries in self.rows])
        lp.a_matrix_.index_ = np.array([at for entries in self.rows for at, _ in entries])
        lp.a_matrix_.value_ = np.array([value for entries in self.rows for _, value in entries])
        kinds = highspy.HighsVarType
        lp.integrality_ = [kinds.kInteger if whole else kinds.kContinuous for whole in self.whole]
        solver = highspy.Highs()
        options = {
            "output_flag": False,
            "time_limit": float(limit),
            "threads": threads,
            "parallel": "on" if threads > 1 else "off",
            "mip_rel_gap": 1e-6,
            "mip_abs_gap": 1e-6 * self.scale,
        }
        for name, value in options.items():
            assert solver.setOptionValue(name, value) == highspy.HighsStatus.kOk, name
        assert solver.passModel(lp) == highspy.HighsStatus.kOk
        begun = time.perf_counter()
        solver.run()
        seconds = time.perf_counter() - begun
        status, info = solver.getModelStatus(), solver.getInfo()
        if status == highspy.HighsModelStatus.kInfeasible:
            return {"seconds": seconds, "status": "infeasible"}
        answer = {"seconds": seconds, "status": "stopped"}
        if math.isfinite(info.mip_dual_bound):
            answer["bound"] = max(0.0, info.mip_dual_bound / self.scale)
        feasible = highspy.SolutionStatus.kSolutionStatusFeasible
        if info.primal_solution_status == int(feasible):
            answer["plan"] = plan_of(read(solver.getSolution().col_value))
            optimal = status == highspy.HighsModelStatus.kOptimal
            answer["status"] = "optimal" if optimal else "feasible"
        return answer


def highs_stages(problem, limit, threads):
    """A path through stages: z = 1 if device d takes the layers i to before j, y = 1 if the path goes from d to e at cut i.

    T is at least the load of the stage that begins at a cut and all computations and hops behind it, for every cut, and at
    least the latter where none begins: no large constant is needed. y is continuous, for it is whole wherever z is. Its
    bounds are often better than those of `highs_layers`; on twelve devices and 60 layers it mostly finds no plan in 20 s.
    """
    K, L = problem.K, problem.L
    rows = Rows()
    rest = [rows.column() for _ in range(L)]
    stages = {stage: rows.column(1.0, True) for stage in problem.stages()}
    starting, ending, of = defaultdict(list), defaultdict(list), defaultdict(list)
    work, load = defaultdict(list), defaultdict(list)
    for (d, i, j), at in stages.items():
        starting[d, i].append(at)
        ending[d, j].append(at)
        of[d].append(at)
        work[i].append((at, -rows.scale * problem.comp(d, i, j)))
        load[i].append((at, -rows.scale * problem.load(d, i, j)))
    leaving, entering = defaultdict(list), defaultdict(list)
    for d, e, i in problem.hops():
        if ending[d, i] and starting[e, i]:
            at = rows.column(1.0)
            leaving[d, i].append(at)
            entering[e, i].append(at)
            work[i].append((at, -rows.scale * problem.hop(d, e, i)))
    for d in range(K):
        rows.row([(at, 1.0) for at in of[d]], high=1.0)
        for i in range(1, L):
            for path, here in ((leaving, ending), (entering, starting)):
                both = [(at, 1.0) for at in path[d, i]] + [(at, -1.0) for at in here[d, i]]
                rows.row(both, 0.0, 0.0)
    rows.row([(at, 1.0) for d in range(K) for at in starting[d, 0]], 1.0, 1.0)
    rows.row([(at, 1.0) for d in range(K) for at in ending[d, L]], 1.0, 1.0)
    for i in range(L):
        behind = [(rest[i + 1], -1.0)] if i + 1 < L else []
        rows.row([(rest[i], 1.0), *behind, *work[i]], 0.0, 0.0)
        rows.row([(0, 1.0), (rest[i], -1.0), *load[i]], 0.0)

    def read(values):
        return [stage for stage, at in stages.items() if values[at] > 0.5]

    return rows.solve(limit, threads, read)


def highs_layers(problem, limit, threads):
    """A path through layers: x = 1 if device d takes layer j, y = 1 if the path goes from d to e before layer j.

    Far fewer columns than stages, and plans come sooner, but T needs a large constant for each device: the longest load that
    its memory allows.
    """
    K, L, devices = problem.K, problem.L, problem.devices
    rows = Rows()
    rest = [rows.column() for _ in range(L)]
    x = {(d, j): rows.column(1.0, True) for d in range(K) for j in range(L)}
    begins = {(d, j): rows.column(1.0) for d in range(K) for j in range(L)}
    stays = {(d, j): rows.column(1.0) for d in range(K) for j in range(1, L)}
    leaving, entering, hops = defaultdict(list), defaultdict(list), defaultdict(list)
    for d, e, j in problem.hops():
        at = rows.column(1.0)
        leaving[d, j].append((at, 1.0))
        entering[e, j].append((at, 1.0))
        hops[j].append((at, -rows.scale * problem.hop(d, e, j)))
    for j in range(L):
        rows.row([(x[d, j], 1.0) for d in range(K)], 1.0, 1.0)
        work = [(x[d, j], -rows.scale * problem.comp(d, j, j + 1)) for d in range(K)]
        behind = [(rest[j + 1], -1.0)] if j + 1 < L else []
        rows.row([(rest[j], 1.0), *behind, *work, *hops[j]], 0.0, 0.0)
    rows.row([(0, 1.0), (rest[0], -1.0)], 0.0)
    for d in range(K):
        rows.row([(begins[d, 0], 1.0), (x[d, 0], -1.0)], 0.0, 0.0)
        rows.row([(begins[d, j], 1.0) for j in range(L)], high=1.0)
        for j in range(1, L):
            rows.row([(x[d, j - 1], -1.0), (stays[d, j], 1.0), *leaving[d, j]], 0.0, 0.0)
            rows.row([(x[d, j], -1.0), (stays[d, j], 1.0), *entering[d, j]], 0.0, 0.0)
            rows.row([(begins[d, j], -1.0), *entering[d, j]], 0.0, 0.0)
        gigabyte = 1e-9
        widest = rows.column()
        room = devices[d]["m"] * (1 + SLACK) * gigabyte
        held = [(x[d, j], problem.layers[j]["P"] * gigabyte) for j in range(L)]
        rows.row([*held, (widest, 1.0)], high=room)
        for j in range(L):
            rows.row([(widest, 1.0), (x[d, j], -problem.layers[j]["A"] * gigabyte)], 0.0)
        loads = [(x[d, j], -rows.scale * problem.load(d, j, j + 1)) for j in range(L)]
        longest = max(problem.load(d, i, problem.far(d, i)) for i in range(L)) * rows.scale
        for j in range(L):
            # T >= load + rest - longest (1 - begins)
            rows.row([(0, 1.0), (rest[j], -1.0), (begins[d, j], -longest), *loads], -longest)
        own = [(x[d, j], -rows.scale * problem.comp(d, j, j + 1)) for j in range(L)]
        rows.row([(0, 1.0), *((at, a + b) for (at, a), (_, b) in zip(loads, own))], 0.0)

    def read(values):
        taken = defaultdict(list)
        for (d, j), at in x.items():
            if values[at] > 0.5:
                taken[d].append(j)
        return [(d, min(layers), max(layers) + 1) for d, layers in taken.items()]

    return rows.solve(limit, threads, read)


def edgewise(program, path, limit, threads, method="exact"):
    command = [program, "solve", "cold-start", path, "--method", method]
    command += ["--threads", str(threads), "--time-limit", str(limit)]
    begun = time.perf_counter()
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - begun
    answer = json.loads(ran.stdout) if ran.stdout else {"error": ran.stderr}
    if "error" in answer:
        sys.exit(str(answer["error"]))
    answered = {"seconds": seconds, "status": answer["status"], "claimed": answer["T"]}
    answered |= {key: answer[key] for key in ("bound", "plan") if answer.get(key) is not None}
    return answered


PEERS = {
    "cp-sat": lambda *how: cp_sat(*how, False),
    "cp-sat-stages": lambda *how: cp_sat(*how, True),
    "highs-layers": highs_layers,
    "highs-stages": highs_stages,
}
TITLES = {
    "edgewise": "Edgewise",
    "dp": "`--method dp`",
    "cp-sat": "CP-SAT",
    "cp-sat-stages": "CP-SAT, stages",
    "highs-layers": "HiGHS, layers",
    "highs-stages": "HiGHS, stages",
}


def peer(name, path, limit, threads):
    """One search in a program of its own, which also keeps the libraries of the two solvers apart."""
    command = [sys.executable, __file__, "--one", name, str(limit), str(threads), path]
    try:
        patience = 5 * limit + 120
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=patience)
    except subprocess.TimeoutExpired:
        return {"seconds": patience, "status": "stopped"}
    if ran.returncode != 0:
        print(f"{name} on {path}: {ran.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return {"seconds": float(limit), "status": "failed"}
    return json.loads(ran.stdout.splitlines()[-1])


def tolerance(name, problem, total):
    """How far a proved optimum may be from the true one [s]."""
    if name.startswith("cp-sat"):
        return 2 * rounding(problem)
    return 3e-6 * total if name.startswith("highs") else 1e-9 * total


def check(problem, answers):
    """Scores every plan again, and confronts every proof with every plan. Returns what is wrong."""
    faults = []
    for name, answer in answers.items():
        if "plan" not in answer:
            continue
        try:
            answer["T"] = problem.score(answer["plan"])
        except AssertionError as fault:
            faults.append(f"{problem.name}: the plan of {name} has {fault}")
            continue
        claimed = answer.get("claimed")
        if claimed is not None and abs(claimed - answer["T"]) > 1e-9 * claimed:
            faults.append(f"{problem.name}: {name} claims {claimed}, scored {answer['T']}")
    plans = {name: answer["T"] for name, answer in answers.items() if "T" in answer}
    for name, answer in answers.items():
        bound = answer.get("bound", 0.0)
        if answer["status"] == "optimal" and "T" in answer:
            bound = max(bound, answer["T"] - tolerance(name, problem, answer["T"]))
        for other, total in plans.items():
            if bound > total + tolerance(name, problem, total):
                faults.append(f"{problem.name}: {name} proves {bound}, {other} has {total}")
        if answer["status"] == "infeasible" and plans:
            faults.append(f"{problem.name}: {name} proves that there is no plan, {list(plans)} found one")
    return faults


def group_of(record):
    """Family, layers and size of a name such as mixed-k12-l60-same-1."""
    family, _, rest = record["name"].partition("-k")
    same = "same" if "-same-" in rest else "own"
    return family, same, record["devices"], record["layers"]


def spoken(value):
    return f"{value:.3f}" if value < 0.995 else f"{value:.1f}"


def cell(values, form, least=False):
    """Median, and beside it the most, or the least and the most, where they are others."""
    if not values:
        return "–"
    middle, low, high = (form(of(values)) for of in (statistics.median, min, max))
    if low == high:
        return middle
    return f"{middle} ({low} to {high})" if least else f"{middle} / {high}"


def proved(answer):
    return answer["status"] in ("optimal", "infeasible")


def gap_of(answer):
    return 100 * (1 - answer.get("bound", 0.0) / answer["T"])


def table(records, head, fill, out):
    """One row a family, kind of layers and size."""
    groups = defaultdict(list)
    for record in records:
        groups[group_of(record)].append(record["answers"])
    print("| family | layers | K × L | instances | " + " | ".join(head) + " |", file=out)
    print("|---|---|---|---|" + "---|" * len(head), file=out)
    for (family, same, devices, layers), answers in groups.items():
        cells = " | ".join(fill(answers))
        print(f"| {family} | {same} | {devices} × {layers} | {len(answers)} | {cells} |", file=out)


def tables(records, names, out):
    """Ratios first; then what they are ratios of."""
    others = [name for name in names if name != "edgewise"]

    def ratios(answers):
        for name in others:
            both = [(a["edgewise"], a[name]) for a in answers if name in a]
            timed = [(a, b) for a, b in both if proved(a)]
            cut = "≥ " if any(not proved(b) for _, b in timed) else ""
            times = [b["seconds"] / a["seconds"] for a, b in timed]
            yield cut + cell(times, lambda r: f"{r:.2g}" if r < 99.5 else f"{r:.0f}", least=True)
            longer = [100 * (b["T"] / a["T"] - 1) for a, b in both if "T" in a and "T" in b]
            none = sum("T" in a and "T" not in b for a, b in both)
            missing = f"; no plan: {none}" if none else ""
            yield cell(longer, lambda p: f"{round(p, 2) + 0.0:+.2f} %", least=True) + missing

    def figures(answers):
        for name in names:
            mine = [a[name] for a in answers if name in a]
            yield cell([a["seconds"] for a in mine], spoken)
            yield f"{sum(map(proved, mine))} of {len(mine)}"
            open_ones = [a for a in mine if "T" in a and not proved(a)]
            yield cell([gap_of(a) for a in open_ones], lambda g: f"{g:.1f} %")

    def bounds(answers):
        best = [min((a["T"] for a in each.values() if "T" in a), default=None) for each in answers]
        for name in names:
            both = [(a[name], t) for a, t in zip(answers, best) if name in a and t]
            shares = [100 * a.get("bound", 0.0) / t for a, t in both if not proved(a)]
            yield cell(shares, lambda share: f"{share:.1f} %", least=True)

    print(
        "Seconds of a search in those of Edgewise, where that ended with a proof (≥: a limit ended some of the\n"
        "other's), and how much longer the answer takes by the other's plan; median (least to most).\n",
        file=out,
    )
    table(records, [f"{TITLES[n]}: {w}" for n in others for w in ("time", "T")], ratios, out)
    print(
        "\nSeconds (median / most), searches that ended with a proof, and the gap (T − bound) / T of the others that\n"
        "have a plan.\n",
        file=out,
    )
    head = [f"{TITLES[n]}: {w}" for n in names for w in ("s", "proved", "gap")]
    table(records, head, figures, out)
    print(
        "\nBounds of the searches without a proof, in the least T that any of the plans has: median (least to most).\n",
        file=out,
    )
    table(records, [TITLES[name] for name in names], bounds, out)


def instances(records, names, out):
    """Every instance by itself: T and bound."""
    print("| instance | " + " | ".join(f"{TITLES[n]}: T, s | bound, s" for n in names) + " |", file=out)
    print("|---|" + "---|---|" * len(names), file=out)
    for record in records:
        line = f"| {record['name']} |"
        for name in names:
            answer = record["answers"].get(name, {})
            for key in ("T", "bound"):
                value = answer.get(key)
                line += " – |" if value is None else f" {value:.4f} |"
        print(line, file=out)


def machine(threads, limit):
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    peers = ", ".join(f"{package} {version(package)}" for package in ("ortools", "highspy"))
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, {peers}; "
        f"{threads} threads and at most {limit:g} s each."
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the native edgewise")
    parser.add_argument("files", nargs="*", help="problem files")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds a search")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--peers", default="cp-sat,highs-layers,highs-stages", help="of " + ", ".join(PEERS))
    parser.add_argument("--dp", type=int, default=12, help="most devices for which --method dp is run as well; 0: never")
    again = "a line of JSON an instance is appended here; searches that it has are not run again"
    parser.add_argument("--log", help=again)
    parser.add_argument("--each", action="store_true", help="also T and bound of every instance")
    options = parser.parse_args()
    done = {}
    if options.log and os.path.exists(options.log):
        with open(options.log, encoding="utf-8") as file:
            done = {record["name"]: record for record in map(json.loads, file)}
    records, faults = [], []
    names = options.peers.split(",")
    for path in options.files:
        problem = Problem(path)
        shape = {"name": problem.name, "devices": problem.K, "layers": problem.L}
        record = done.get(problem.name, shape | {"answers": {}})
        answers, known = record["answers"], set(record["answers"])
        if "edgewise" not in known:
            answers["edgewise"] = edgewise(options.program, path, options.limit, options.threads)
            if problem.K <= options.dp:
                table_of_all = edgewise(options.program, path, options.limit, options.threads, "dp")
                if proved(table_of_all):  # otherwise its table did not fit, or the limit ended it
                    answers["dp"] = table_of_all
        for name in names:
            if name not in known:
                answers[name] = peer(name, path, options.limit, options.threads)
        faults += check(problem, record["answers"])
        if options.log and set(answers) != known:
            with open(options.log, "a", encoding="utf-8") as file:
                print(json.dumps(record), file=file)
        told = [
            f"{n} {a['status']} {a.get('T', float('nan')):.4f} {a['seconds']:.2f} s"
            for n, a in record["answers"].items()
        ]
        print(f"{problem.name}: " + ", ".join(told), file=sys.stderr, flush=True)
        records.append(record)
    order = ["mixed", "fast-compute", "slow-compute", "slow-link"]
    place = lambda family: order.index(family) if family in order else len(order)
    records.sort(key=lambda r: (place(group_of(r)[0]), *group_of(r), r["name"]))
    shown = [n for n in ("edgewise", "dp", *names) if any(n in r["answers"] for r in records)]
    print(machine(options.threads, options.limit) + "\n")
    tables(records, shown, sys.stdout)
    if options.each:
        print()
        instances(records, shown, sys.stdout)
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "--one":
        _, _, name, limit, threads, path = sys.argv
        print(json.dumps(PEERS[name](Problem(path), float(limit), int(threads))))
    else:
        main()
