"""The plot of the study: how much earlier the first answer is than with each baseline, by heterogeneity."""

from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pandas as pd

BASELINES = {
    "single": "strongest device alone",
    "even": "layers in equal parts",
    "heuristic": "layers by compute and disk rate",
}
QUANTILES = {"P5": 0.05, "median": 0.5, "P95": 0.95}


def draw(merged: Path, plot: Path) -> str:
    """Draws the plot from the study's file, and gives its numbers as text."""
    columns = ["heterogeneity", "ours_s", *(f"{name}_s" for name in BASELINES)]
    frame = pd.read_parquet(merged, columns=columns)
    gains = pd.DataFrame(
        {name: 100 * (1 - frame["ours_s"] / frame[f"{name}_s"]) for name in BASELINES}
    )
    levels = gains.groupby(frame["heterogeneity"]).quantile(list(QUANTILES.values())).unstack()
    # Nothing in the file changes from run to run.
    matplotlib.rcParams |= {"svg.hashsalt": "edgewise", "svg.fonttype": "none"}
    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    for name, label in BASELINES.items():
        low, middle, high = (levels[name, quantile] for quantile in QUANTILES.values())
        (line,) = axes.plot(levels.index, middle, marker="o", label=label)
        axes.fill_between(levels.index, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel(
        "Heterogeneity: largest over smallest compute rate, disk rate, distance (at most)"
    )
    axes.set_ylabel("Reduction of time to first token [%]")
    axes.set_ylim(0, 100)
    axes.set_title(f"Exact plan against baselines, {len(frame):,} fleets: median, P5 to P95")
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(plot, metadata={"Date": None})
    return (
        levels.rename(columns={value: name for name, value in QUANTILES.items()})
        .round(1)
        .to_string()
    )
