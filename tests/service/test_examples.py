"""The examples do what their folders say: every answer is that of the command line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd

EXAMPLES = Path(__file__).parents[2] / "examples"
SWEEP = [sys.executable, EXAMPLES / "python/sweep.py"]
ARRAY = EXAMPLES / "parallel/array.sbatch"


def one_process(edgewise: str, scenarios: int) -> bytes:
    """What a plain pipe answers to the first scenarios of the study."""
    lines = subprocess.check_output([sys.executable, EXAMPLES / "fleets.py", str(scenarios)])
    solve = [edgewise, "solve", "cold-start", "--jsonl"]
    return subprocess.run(solve, input=lines, check=True, capture_output=True).stdout


def test_a_sweep_has_the_numbers_of_the_command_line(serve, edgewise, tmp_path):
    _, address = serve()
    flags = ["--field", "channel.B_mhz", "--label", "Bandwidth [MHz]", "--values", "5", "160"]
    subprocess.run([*SWEEP, address, tmp_path / "sweep.svg", *flags], check=True)
    frame = pd.read_csv(tmp_path / "sweep.csv", index_col="channel.B_mhz")
    scenario = json.loads(subprocess.check_output([edgewise, "presets", "csgo-paper"]))
    for bandwidth in [5, 160]:
        scenario["channel"]["B_mhz"] = bandwidth
        run = [edgewise, "run", "-", "--format", "json"]
        answer = json.loads(subprocess.check_output(run, input=json.dumps(scenario).encode()))
        expected = {name: plan["T"] for name, plan in answer["baselines"].items()}
        expected["ours"] = answer["T"]
        assert frame.loc[bandwidth].to_dict() == {f"{name}_s": t for name, t in expected.items()}
    assert frame["ours_s"].is_monotonic_decreasing
    plot = (tmp_path / "sweep.svg").read_text()
    assert "<svg" in plot
    assert "<!-- single, exceeds memory -->" in plot


def test_a_sweep_says_what_the_service_refuses(serve, tmp_path):
    process, address = serve()
    refused = [*SWEEP, address, tmp_path / "sweep.png", "--values", "0"]
    run = subprocess.run(refused, capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr.startswith("run: 422 prompt_tokens must be a whole number from 1")
    unknown = [*SWEEP, address, tmp_path / "sweep.png", "--field", "devices.9.r_mb_s"]
    run = subprocess.run(unknown, capture_output=True, text=True)
    assert run.stderr == "--field: csgo-paper has no devices.9.r_mb_s\n"
    process.kill()
    process.wait()
    gone = subprocess.run(refused, capture_output=True, text=True)
    assert gone.returncode == 1
    assert gone.stderr.startswith(f"{address}: ")
    assert not list(tmp_path.iterdir())


# An edgewise that kills itself at scenario 37 and GNU parallel at 61, each once, and notes every start.
PROGRAM = """#!/bin/sh
block=$(cat)
echo >>{folder}/starts
case $block in
  *'"id":37,'*) mkdir {folder}/killed 2>/dev/null && kill -9 $$ ;;
  *'"id":61,'*) mkdir {folder}/stopped 2>/dev/null && kill -9 $(cut -d' ' -f4 /proc/$PPID/stat) && exit 9 ;;
esac
echo "$block" | {edgewise} "$@"
"""


def test_gnu_parallel_answers_as_one_process_whatever_dies(edgewise, until_gone, tmp_path):
    program, folder, starts = tmp_path / "edgewise", tmp_path / "out", tmp_path / "starts"
    program.write_text(PROGRAM.format(folder=tmp_path, edgewise=edgewise))
    program.chmod(0o755)

    def run(scenarios: int) -> subprocess.CompletedProcess:
        environment = {"EDGEWISE": str(program), "BLOCK": "8", "HOME": str(tmp_path)}
        environment["PARALLEL"] = "--jobs 2"
        command = [EXAMPLES / "parallel/run.sh", folder, str(scenarios)]
        return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True)

    assert run(100).returncode != 0
    until_gone(program, folder)
    assert (tmp_path / "killed").exists() and (tmp_path / "stopped").exists()
    # Only a job that is logged as ended well (exit value and signal 0) is not run again.
    jobs = [line.split() for line in (folder / "jobs.log").read_text().splitlines()[1:]]
    logged = [job[-1] for job in jobs if job[6:8] == ["0", "0"]]
    done = {
        path: path.stat().st_mtime_ns for path in folder.glob("*.answers") if path.name in logged
    }
    assert done
    starts.unlink()

    again = run(100)
    assert again.returncode == 0, again.stderr
    assert (folder / "answers.jsonl").read_bytes() == one_process(edgewise, 100)
    assert len(starts.read_text()) == 13 - len(done)
    assert all(path.stat().st_mtime_ns == time for path, time in done.items())

    assert run(100).returncode == 0
    assert len(starts.read_text()) == 13 - len(done)
    assert "another number of scenarios" in run(200).stderr


def test_the_slices_of_a_slurm_array_are_the_answers_of_one_process(edgewise, tmp_path):
    (tmp_path / "examples").symlink_to(EXAMPLES)
    subprocess.run(["bash", "-n", ARRAY], check=True)

    def task(number: int, program: str) -> int:
        environment = {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_JOB_ID": "7"}
        environment |= {"SLICE": "25", "EDGEWISE": program}
        return subprocess.run(
            ["bash", ARRAY], cwd=tmp_path, env=os.environ | environment
        ).returncode

    # The first task fails, and leaves nothing that could pass for a slice.
    assert task(0, "false") != 0
    assert not list(tmp_path.glob("slices/*.jsonl"))
    assert [task(number, edgewise) for number in [3, 1, 0, 2]] == [0] * 4
    # What is there is not solved again.
    assert task(1, "false") == 0
    slices = sorted(tmp_path.glob("slices/slice-*.jsonl"))
    assert b"".join(path.read_bytes() for path in slices) == one_process(edgewise, 100)
