"""Random fleets as problem files of a cold start, one per line: the scenarios of the large study.

Each line depends on the seed and its own index alone, so any block can be made again by anyone, in any order.

    fleets.py COUNT [--first INDEX] [--seed SEED]
"""

import argparse
import json
import random
from collections.abc import Iterator

# How many times the largest value of a number may be the smallest in one fleet.
HETEROGENEITY = [2 ** (step / 2) for step in range(11)]
DEVICES = 6
# Geometric means over the four devices of CSGO, Table 1: peak compute [TFLOPS], disk [MB/s], distance to the access point [m].
MEANS = {"c_peak_tflops": 51.3, "r_mb_s": 3310.0, "d_m": 3.2}
# The rest is the same on every device. Each can hold the whole model, so that plans differ in time alone.
SAME = {"a": 0.7, "b": 0.001, "m_gb": 16, "pu_dbm": 16, "pd_dbm": 25}
MODEL = {
    "layers": 36,
    "d_model": 4096,
    "h_q": 32,
    "h_k": 8,
    "d_head": 128,
    "d_ff": 12288,
}  # Qwen3-8B
LINK = {"mu": 0.5, "B_mhz": 160, "N0_dbm_hz": -174, "d0_m": 1, "zeta": 3, "beta0_db": -47.2}
PROMPT_TOKENS = 256


def heterogeneity(index: int) -> float:
    """The largest over the smallest value that devices of this scenario may have; every level comes equally often."""
    return HETEROGENEITY[index % len(HETEROGENEITY)]


def line(seed: int, index: int) -> str:
    """The problem file of one scenario, without a line break; its `id` is the index."""
    draw = random.Random(f"{seed}/{index}").random
    factor = heterogeneity(index)
    # Log-uniform around the mean; three digits, so that no platform's last bit can show.
    devices = [
        {name: float(f"{mean * factor ** (draw() - 0.5):.3g}") for name, mean in MEANS.items()}
        | SAME
        for _ in range(DEVICES)
    ]
    document = {"id": index, "model": MODEL, "t": PROMPT_TOKENS, "link": LINK, "devices": devices}
    return json.dumps(document, separators=(",", ":"))


def lines(seed: int, indices: range) -> Iterator[str]:
    """The problem files of these scenarios, each with its line break."""
    return (line(seed, index) + "\n" for index in indices)


def main() -> None:
    """Prints the lines that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0, help="index of the first scenario")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for text in lines(options.seed, range(options.first, options.first + options.count)):
        print(text, end="")


if __name__ == "__main__":
    main()
