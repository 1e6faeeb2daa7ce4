"""A study of many random fleets on Ray Data: by how much exact plans beat the baselines, and when.

Blocks of scenarios go to workers, each with an `edgewise solve cold-start --jsonl` as its child. A
finished block is a Parquet file named by its number; a later run solves only the blocks that are missing.
"""

import argparse
import dataclasses
import hashlib
import json
import logging
import os
import shutil
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
import pyarrow as pa
import pyarrow.parquet as pq
import ray

sys.path.append(str(Path(__file__).parents[1]))
import figure
import fleets

# How often a worker tries a block whose child dies. When the worker itself dies, Ray starts another.
ATTEMPTS = 3
SOLVE = ["solve", "cold-start", "--jsonl"]
SCHEMA = pa.schema(
    {"index": pa.int64(), "heterogeneity": pa.float64(), "status": pa.string()}
    | {f"{plan}_s": pa.float64() for plan in ["ours", *figure.BASELINES]}
    | {"answer": pa.string()}
)


@dataclasses.dataclass(frozen=True)
class Study:
    """What a folder of blocks belongs to. Runs that differ in any of it do not share a folder."""

    scenarios: int
    seed: int
    block: int
    program: str
    generator: str

    def blocks(self) -> range:
        """The numbers of all blocks."""
        return range(-(-self.scenarios // self.block))

    def indices(self, block: int) -> range:
        """The scenarios of a block; the last one may be shorter."""
        first = block * self.block
        return range(first, min(first + self.block, self.scenarios))


def shard(folder: Path, block: int) -> Path:
    """The file of a block."""
    return folder / f"block-{block:06}.parquet"


def row(index: int, answer: str) -> dict:
    """What is kept of an answer: the numbers of the plot, and its text to the byte."""
    read = json.loads(answer)
    if "error" in read or read["id"] != index:
        raise ValueError(f"scenario {index}: {answer}")
    seconds = {f"{name}_s": plan["T"] for name, plan in read["baselines"].items()}
    known = {"index": index, "heterogeneity": fleets.heterogeneity(index), "answer": answer}
    return known | {"status": read["status"], "ours_s": read["T"]} | seconds


class Child:
    """An `edgewise` that answers line for line."""

    def __init__(self, edgewise: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([edgewise, *SOLVE], stdin=pipe, stdout=pipe, text=True)

    def ask(self, seed: int, indices: range) -> Iterator[str]:
        """The answers to these scenarios in order, without line breaks, as they come.

        Raises ChildProcessError if the child ends before the last of them.
        """
        feeder = threading.Thread(target=self._feed, args=(seed, indices), daemon=True)
        feeder.start()
        for index in indices:
            answer = self.process.stdout.readline()
            if not answer.endswith("\n"):
                raise ChildProcessError(f"edgewise ended at scenario {index}")
            yield answer[:-1]
        feeder.join()

    def _feed(self, seed: int, indices: range) -> None:
        try:
            self.process.stdin.writelines(fleets.lines(seed, indices))
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # Whoever reads the answers says so.


class Worker:
    """Solves blocks of a study, and keeps its child from block to block."""

    def __init__(self, study: Study, folder: Path, edgewise: str) -> None:
        self.study, self.folder, self.edgewise = study, folder, edgewise
        self.child: Child | None = None

    def __call__(self, batch: dict) -> dict:
        for block in batch["block"]:
            # A worker may have died between writing a block and saying so.
            if not shard(self.folder, block).exists():
                self.write(block)
        return batch

    def rows(self, indices: range) -> list[dict]:
        """Solves scenarios."""
        for attempt in range(1, ATTEMPTS + 1):
            # A child is kept only after a block that went well: otherwise it may owe answers.
            child, self.child = self.child or Child(self.edgewise), None
            try:
                answers = list(child.ask(self.study.seed, indices))
            except ChildProcessError:
                if attempt == ATTEMPTS:
                    raise
            else:
                self.child = child
                return list(map(row, indices, answers))

    def write(self, block: int) -> None:
        """Solves a block. Its file appears whole or not at all."""
        rows = self.rows(self.study.indices(block))
        part = self.folder / f"{uuid.uuid4().hex}.part"
        pq.write_table(pa.Table.from_pylist(rows, SCHEMA), part, compression="zstd")
        part.rename(shard(self.folder, block))


def solve(study: Study, folder: Path, edgewise: str, workers: int) -> None:
    """Solves what is missing: on this machine, or on the cluster that RAY_ADDRESS names."""
    missing = [block for block in study.blocks() if not shard(folder, block).exists()]
    print(f"{len(missing)} of {len(study.blocks())} blocks to solve", flush=True)
    if not missing:
        return
    start = time.monotonic()
    here = {"num_cpus": workers, "include_dashboard": False, "object_store_memory": 100_000_000}
    here["_node_ip_address"] = "127.0.0.1"
    ray.init(**({} if "RAY_ADDRESS" in os.environ else here), logging_level="warning")
    ray.cloudpickle.register_pickle_by_value(fleets)
    ray.data.DataContext.get_current().enable_progress_bars = False
    items = [{"block": block} for block in missing]
    todo = ray.data.from_items(items, override_num_blocks=len(items))
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    done = todo.map_batches(
        Worker,
        batch_size=1,
        fn_constructor_args=[study, folder, edgewise],
        compute=ray.data.ActorPoolStrategy(size=workers),
        num_cpus=1,
    )
    ends = []
    for _ in done.iter_rows():
        ends.append(time.monotonic() - start)
        if len(ends) % 50 == 0:
            print(f"{len(ends)} blocks after {ends[-1]:.0f} s", flush=True)
    ray.shutdown()
    print(f"{len(ends)} blocks after {ends[-1]:.1f} s, the first after {ends[0]:.1f} s", flush=True)


def merge(study: Study, folder: Path) -> Path:
    """One file of all blocks, ordered by index. Every index is there once, or it raises ValueError."""
    merged, part = folder / "study.parquet", folder / "study.part"
    with pq.ParquetWriter(part, SCHEMA, compression="zstd") as writer:
        for block in study.blocks():
            table = pq.read_table(shard(folder, block))
            if table["index"].to_pylist() != list(study.indices(block)):
                raise ValueError(
                    f"{shard(folder, block)} does not have the scenarios of block {block}"
                )
            writer.write_table(table)
    part.rename(merged)
    return merged


def check(study: Study, merged: Path, edgewise: str) -> None:
    """Solves everything again in one process, and compares the answers byte by byte."""
    batches = pq.ParquetFile(merged).iter_batches(columns=["answer"])
    kept = (answer for batch in batches for answer in batch["answer"].to_pylist())
    again = Child(edgewise).ask(study.seed, range(study.scenarios))
    for index, (one, other) in enumerate(zip(again, kept, strict=True)):
        if one != other:
            raise ValueError(f"scenario {index}: one process answers {one}, the study has {other}")
    print(f"{study.scenarios} answers, the same bytes as one process")


def opened(folder: Path, study: Study) -> None:
    """Makes the folder of a study, or makes sure that it is the folder of this one."""
    folder.mkdir(parents=True, exist_ok=True)
    label = folder / "study.json"
    text = json.dumps(dataclasses.asdict(study), indent=1)
    if not label.exists():
        label.write_text(text)
    elif label.read_text() != text:
        sys.exit(f"{folder} holds another study, see {label}; this one is {text}")
    for part in folder.glob("*.part"):
        part.unlink()


def main() -> None:
    """Runs the study that the arguments describe, from where an earlier run of it was cut off."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where blocks, results and plot go")
    parser.add_argument("--scenarios", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--block", type=int, default=500, help="scenarios per block")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--edgewise", default="edgewise", help="the program")
    parser.add_argument("--check", action="store_true", help="compare with one process")
    options = parser.parse_args()
    if min(options.scenarios, options.block, options.workers) < 1:
        parser.error("--scenarios, --block and --workers are at least 1")
    edgewise = shutil.which(options.edgewise)
    if edgewise is None:
        parser.error(f"--edgewise: there is no program {options.edgewise}")
    edgewise, folder = str(Path(edgewise).absolute()), options.folder.absolute()
    program, generator = (
        hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in (edgewise, fleets.__file__)
    )
    study = Study(options.scenarios, options.seed, options.block, program, generator)
    opened(folder, study)
    solve(study, folder, edgewise, options.workers)
    merged = merge(study, folder)
    if options.check:
        check(study, merged, edgewise)
    print(figure.draw(merged, folder / "gain.svg"))


if __name__ == "__main__":
    main()
