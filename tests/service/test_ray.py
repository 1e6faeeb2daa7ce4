"""The study on Ray: whatever dies on the way, its answers are those of one process, each once."""

import collections
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SCENARIOS, BLOCK = 400, 20

# An edgewise that notes which scenarios it was asked for, and at those named kills itself, its worker or the whole run, once.
PROGRAM = """#!{python}
import json, os, signal, subprocess, sys
from pathlib import Path
folder = Path({folder!r})
pipe = subprocess.PIPE
solver = subprocess.Popen([{edgewise!r}, *sys.argv[1:]], stdin=pipe, stdout=pipe)
for line in sys.stdin.buffer:
    index = json.loads(line)["id"]
    with open(folder / "asked", "a") as asked:
        asked.write(f"{{index}}\\n")
    order = folder / f"kill-{{index}}"
    if order.exists():
        victims = {{"child": os.getpid(), "worker": os.getppid()}}
        victim = order.read_text()
        order.unlink()
        os.kill(victims.get(victim) or int(victim), signal.SIGKILL)
    solver.stdin.write(line)
    solver.stdin.flush()
    sys.stdout.buffer.write(solver.stdout.readline())
    sys.stdout.buffer.flush()
"""


class Run:
    """A study in a folder, with a program that can be told to kill."""

    def __init__(self, folder: Path, edgewise: str, temporary: str) -> None:
        self.folder, self.out = folder, folder / "out"
        self.program = folder / "edgewise"
        text = PROGRAM.format(python=sys.executable, folder=str(folder), edgewise=edgewise)
        self.program.write_text(text)
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)
        self.environment = os.environ | {"HOME": str(folder), "RAY_TMPDIR": temporary}

    def kill(self, victim: str, at: int) -> None:
        (self.folder / f"kill-{at}").write_text(victim)

    def start(self, *flags: str) -> subprocess.Popen:
        command = [sys.executable, EXAMPLES / "ray/study.py", self.out, *flags]
        command += ["--scenarios", str(SCENARIOS), "--block", str(BLOCK), "--workers", "2"]
        command += ["--edgewise", self.program]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=self.environment, stdout=pipe, stderr=pipe, text=True)

    def blocks(self) -> dict[int, bytes]:
        """The finished blocks by number."""
        paths = self.out.glob("block-*.parquet")
        return {int(path.stem.split("-")[1]): path.read_bytes() for path in paths}

    def asked(self) -> collections.Counter:
        """How often each scenario was asked for since the last call."""
        path = self.folder / "asked"
        counts = collections.Counter(map(int, path.read_text().split()))
        path.unlink()
        return counts


@pytest.fixture
def run(tmp_path, edgewise):
    # Sockets need a short path.
    temporary = tempfile.mkdtemp(prefix="ray-", dir="/tmp")
    yield Run(tmp_path, edgewise, temporary)
    shutil.rmtree(temporary, ignore_errors=True)


def repeated(asked: collections.Counter) -> set[int]:
    """The blocks of what was asked for more than once."""
    return {index // BLOCK for index, count in asked.items() if count > 1}


def one_process(edgewise: str) -> bytes:
    """The answers of a plain pipe."""
    lines = subprocess.run(
        [sys.executable, EXAMPLES / "fleets.py", str(SCENARIOS)], check=True, capture_output=True
    ).stdout
    solve = [edgewise, "solve", "cold-start", "--jsonl"]
    return subprocess.run(solve, input=lines, check=True, capture_output=True).stdout


def test_a_study_survives_what_dies(run, edgewise, until_gone):
    process = run.start()
    run.kill(str(process.pid), at=108)
    process.communicate(timeout=120)
    assert process.returncode == -9
    until_gone(run.program)
    before, asked = run.blocks(), run.asked()
    assert before
    assert not repeated(asked)

    run.kill("worker", at=367)
    run.kill("child", at=388)
    output, _ = run.start().communicate(timeout=120)
    missing = set(range(SCENARIOS // BLOCK)) - set(before)
    assert f"{len(missing)} of 20 blocks to solve" in output
    after, asked = run.blocks(), run.asked()
    assert {index // BLOCK for index in asked} == missing
    assert repeated(asked) == {367 // BLOCK, 388 // BLOCK}
    assert all(after[number] == content for number, content in before.items())
    assert not list(run.folder.glob("kill-*"))

    output, _ = run.start("--check").communicate(timeout=120)
    assert "0 of 20 blocks to solve" in output
    assert "400 answers, the same bytes as one process" in output
    table = pq.read_table(run.out / "study.parquet")
    assert table["index"].to_pylist() == list(range(SCENARIOS))
    kept = "".join(answer + "\n" for answer in table["answer"].to_pylist()).encode()
    assert kept == one_process(edgewise)
    last = json.loads(table["answer"][SCENARIOS - 1].as_py())
    assert table["ours_s"][SCENARIOS - 1].as_py() == last["T"]
    assert table["even_s"][SCENARIOS - 1].as_py() == last["baselines"]["even"]["T"]
    assert "Heterogeneity" in (run.out / "gain.svg").read_text()

    other = run.start("--seed", "2")
    assert "holds another study" in other.communicate(timeout=120)[1]
    assert other.returncode == 1
