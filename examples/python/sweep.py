"""Sweeps one number of a scenario against a running `edgewise serve`, and plots our plan and the baselines.

sweep.py http://127.0.0.1:8080 sweep.svg --field channel.B_mhz --label "Bandwidth [MHz]" --values 5 20 80 320
"""

import argparse
import sys
from pathlib import Path

import httpx
import matplotlib.pyplot as plt
import pandas as pd

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("service", help="its address")
parser.add_argument("plot", type=Path, help="SVG or PNG; the numbers go into a CSV file beside it")
parser.add_argument("--preset", default="csgo-paper", help="a cold start; edgewise presets")
parser.add_argument("--field", default="prompt_tokens", help="what to vary, as a path")
parser.add_argument("--label", default="Prompt length [tokens]", help="its name and unit")
parser.add_argument("--values", type=float, nargs="+", default=[2**n for n in range(6, 15)])
options = parser.parse_args()


def ask(client: httpx.Client, method: str, path: str, document: dict | None = None) -> dict:
    """An answer of the service; a refusal ends the program with the service's own sentence."""
    try:
        answer = client.request(method, f"{options.service}/api/v1/{path}", json=document)
    except httpx.TransportError as error:
        sys.exit(f"{options.service}: {error}")
    if answer.headers["content-type"] == "application/problem+json":
        sys.exit(f"{path}: {answer.status_code} {answer.json()['detail']}")
    return answer.raise_for_status().json()


rows, exceeding = [], set()
with httpx.Client(timeout=60) as client:
    scenario = ask(client, "GET", f"presets/{options.preset}")
    *path, last = options.field.split(".")
    try:
        part = scenario
        for step in path:
            part = part[int(step) if isinstance(part, list) else step]
    except (KeyError, IndexError, ValueError, TypeError):
        sys.exit(f"--field: {options.preset} has no {options.field}")
    for value in options.values:
        part[last] = value
        answer = ask(client, "POST", "run", scenario)
        times = {name: plan["T"] for name, plan in answer["baselines"].items()}
        exceeding |= {name for name, plan in answer["baselines"].items() if not plan["mem_ok"]}
        rows.append({options.field: value, "ours": answer["T"]} | times)

frame = pd.DataFrame(rows).set_index(options.field).astype(float)
frame.add_suffix("_s").to_csv(options.plot.with_suffix(".csv"))
labels = {name: f"{name}, exceeds memory" for name in exceeding}
axes = frame.rename(columns=labels).plot(marker="o", logx=True, grid=True, title=scenario["title"])
axes.set(xlabel=options.label, ylabel="Time to first token [s]")
plt.savefig(options.plot)
