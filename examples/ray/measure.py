"""What Ray costs: the study on one core and on two, beside a plain pipe over the same scenarios on one.

    target/ray/bin/python examples/ray/measure.py [SCENARIOS]

Times of the wall and of the CPU. A study of two blocks is taken off the others: what starting costs is shown by itself.
Assumes what run.sh installs and builds, and Linux.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).parent
EDGEWISE = str(HERE.parents[1] / "target/release/edgewise")
BLOCK = 500
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(root: int) -> float:
    """CPU time of a process and everything below it, the ended ones that were waited for included."""
    parents, ticks = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid = int(path.parent.name)
        parents[pid], ticks[pid] = int(fields[1]), sum(map(int, fields[11:15]))

    def is_below(pid: int) -> bool:
        while pid in parents and pid != root:
            pid = parents[pid]
        return pid == root

    return sum(spent for pid, spent in ticks.items() if is_below(pid)) / TICKS


def timed(cores: int, command: list[str], **files) -> tuple[float, float]:
    """Seconds of the wall and of the CPU that a command takes on the first `cores` cores."""
    start, cpu = time.monotonic(), 0.0
    process = subprocess.Popen(
        command, preexec_fn=lambda: os.sched_setaffinity(0, range(cores)), **files
    )
    waiter = threading.Thread(target=process.wait)
    waiter.start()
    while waiter.is_alive():
        # The sum falls when a process ends that nobody waits for.
        cpu = max(cpu, cpu_seconds(process.pid))
        waiter.join(0.1)
    if process.returncode != 0:
        sys.exit(f"{command} ended with {process.returncode}")
    return time.monotonic() - start, cpu


def study(cores: int, scenarios: int) -> tuple[float, float]:
    """The study with a worker for each core."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(HERE / "study.py"), folder, "--edgewise", EDGEWISE]
        command += ["--scenarios", str(scenarios), "--workers", str(cores), "--block", str(BLOCK)]
        log = subprocess.DEVNULL
        return timed(cores, command, stdout=log, stderr=log)


def main() -> None:
    """Measures and prints."""
    scenarios = int(sys.argv[1]) if len(sys.argv) > 1 else 60_000
    lines = subprocess.check_output([sys.executable, HERE.parent / "fleets.py", str(scenarios)])
    with tempfile.TemporaryFile() as problems, tempfile.TemporaryFile() as answers:
        problems.write(lines)
        problems.seek(0)
        solve = [EDGEWISE, "solve", "cold-start", "--jsonl"]
        pipe = timed(1, solve, stdin=problems, stdout=answers)
    print(f"{'':24}wall, s  CPU, s  per scenario: wall, ms  CPU, ms")

    def show(name: str, seconds: tuple[float, float], count: int | None) -> None:
        each = [f"{1000 * value / count:.3f}" for value in seconds] if count else ["", ""]
        print(f"{name:24}{seconds[0]:7.1f}{seconds[1]:8.1f}{each[0]:>24}{each[1]:>9}", flush=True)

    show("plain pipe, 1 core", pipe, scenarios)
    for cores in (1, 2):
        start, whole = study(cores, 2 * BLOCK), study(cores, scenarios)
        show(f"Ray, {cores} core(s), 2 blocks", start, None)
        rest = (whole[0] - start[0], whole[1] - start[1])
        show(f"Ray, {cores} core(s), the rest", rest, scenarios - 2 * BLOCK)


if __name__ == "__main__":
    main()
