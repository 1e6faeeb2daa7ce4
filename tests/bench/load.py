"""What `edgewise serve` does under load, measured with wrk: `cargo build --release && python3 tests/bench/load.py`, and
`python3 tests/bench/load.py soak [MINUTES]` for memory over time. Linux only: memory is read from /proc. Nothing is answered
from the cache."""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.environ.get("EDGEWISE_COMMAND", os.path.join(HERE, "../../target/release/edgewise"))
SECONDS = 10
KINDS = {"small": (2, 2), "large": (8, 60)}


def problem(devices, layers, seed=1):
    """A cold start of so many devices and layers, drawn with a seed."""
    draw = random.Random(seed).uniform
    layer = {"W": draw(1e10, 2e10), "A": draw(1e6, 2e6), "P": draw(1e8, 2e8)}

    def device(i):
        speed = draw(1e12, 3e13)
        rates = {"r": draw(1e9, 5e9), "bu": draw(5e7, 2e8), "bd": draw(1e8, 4e8)}
        # Two of the devices hold the model, none alone.
        return {"name": f"D{i}", "c": speed, "m": 0.7 * layers * layer["P"]} | rates

    return {"layers": [layer] * layers, "devices": [device(i) for i in range(devices)]}


class Service:
    """A running service."""

    def __init__(self, *flags):
        command = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--cache", "0", *flags]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split()[-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def searches(self):
        """The processes that search."""
        tasks = f"/proc/{self.process.pid}/task"
        lines = [open(f"{tasks}/{task}/children").read() for task in os.listdir(tasks)]
        return [int(pid) for line in lines for pid in line.split()]

    def memory(self, field="VmRSS"):
        """Memory of the service, and of all searches together [MB]."""

        def of(pid):
            try:
                lines = open(f"/proc/{pid}/status").read().splitlines()
            except FileNotFoundError:
                return 0.0
            return sum(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith(f"{field}:"))

        return of(self.process.pid), sum(map(of, self.searches()))


def row(words, body, connections, *flags):
    """Asks the same over so many connections."""
    with Service(*flags) as service:
        command = ["wrk", f"--threads={min(connections, 2)}", f"--connections={connections}", f"--duration={SECONDS}s"]
        script = [f"--script={HERE}/load.lua", "--timeout=60s", f"{service.address}/api/v1/solve/cold-start"]
        ran = subprocess.run(command + script, env=os.environ | {"BODY": body}, capture_output=True, text=True, check=True)
        line = next(line for line in ran.stdout.splitlines() if line.startswith("figures "))
        took, answered, refused, other, broken, p50, p99 = map(float, line.split()[1:])
        own, searches = service.memory("VmHWM")
        figures = [f"{answered / took:.0f}", f"{p50:.1f}", f"{p99:.1f}", f"{refused / took:.0f}", f"{other + broken:.0f}"]
        print("| " + " | ".join([words, str(connections), *figures, f"{own:.0f}", f"{searches:.0f}"]) + " |", flush=True)


def pipe(words, document, lines):
    """The same problem many times through the command line's pipe."""
    text = (json.dumps(document) + "\n") * lines
    begun = time.monotonic()
    command = [PROGRAM, "solve", "cold-start", "--jsonl"]
    subprocess.run(command, input=text, stdout=subprocess.DEVNULL, text=True, check=True)
    print(f"pipe, {words}: {lines / (time.monotonic() - begun):.0f} per second, one process")


def load():
    """Prints the table of docs/service.md."""
    print(f"load average before: {os.getloadavg()[0]:.1f}")
    print("| problem | connections | answered/s | p50, ms | P99, ms | refused/s | failed | service, MB | searches, MB |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        bodies = {name: os.path.join(folder, name) for name in KINDS}
        for name, size in KINDS.items():
            with open(bodies[name], "w") as file:
                json.dump(problem(*size), file)
            for connections in (1, 16, 256):
                row(name, bodies[name], connections, "--queue", "1000")
        for name, body in bodies.items():
            row(f"{name}, `--queue 8`", body, 256, "--queue", "8")
    pipe("small", problem(*KINDS["small"]), 20_000)
    pipe("large", problem(*KINDS["large"]), 200)
    print(f"load average after: {os.getloadavg()[0]:.1f}")


def ask(service, number):
    """One of a mixture of requests: problems of all sizes, faults, streams, presets, figures, and clients that hang up."""
    draw = random.Random(number)
    small = problem(draw.randint(1, 4), draw.randint(2, 30), number)
    body, media, path, patience = json.dumps(small), "application/json", "/api/v1/solve/cold-start", 60
    match number % 10:
        case 0:
            body = json.dumps(problem(*KINDS["large"]))
        case 1:
            body = body[: len(body) // 2]
        case 2:
            body, media = "\n".join([body] * 20), "application/x-ndjson"
        case 3:
            body, path = open(f"{HERE}/../../crates/service/src/openapi/examples/migration.json").read(), "/api/v1/run"
        case 4:
            body, path = None, "/api/v1/presets/csgo-paper"
        case 5:
            body, path = None, "/metrics"
        case 6 if number % 200 == 6:
            body, patience = json.dumps(problem(30, 200, number)), 0.2
    data = body.encode() if body is not None else None
    request = urllib.request.Request(service.address + path, data, {"Content-Type": media})
    try:
        with urllib.request.urlopen(request, timeout=patience) as answer:
            answer.read()
            return answer.status
    except urllib.error.HTTPError as refusal:
        refusal.read()
        return refusal.code
    except TimeoutError:
        return 0


def soak(minutes):
    """Keeps a service busy, and prints its memory every ten seconds and what came of it at the end."""
    counts, samples = {}, []
    with Service() as service, ThreadPoolExecutor(4) as clients:
        begun, number = time.monotonic(), 0
        while (now := time.monotonic() - begun) < 60 * minutes:
            for status in clients.map(lambda n: ask(service, n), range(number, number + 40)):
                counts[status] = counts.get(status, 0) + 1
            number += 40
            if now >= 10 * len(samples):
                samples.append(service.memory())
                print(f"{now:6.0f} s {number:8} requests, service {samples[-1][0]:.1f} MB, searches {samples[-1][1]:.1f} MB", flush=True)
            time.sleep(0.05)
    # The first minute fills buffers.
    print(f"{number} requests in {minutes:g} minutes; by status, 0 for those who hung up: {dict(sorted(counts.items()))}")
    for name, values in zip(("service", "searches"), zip(*samples[6:])):
        print(f"{name}, MB: first {values[0]:.1f}, last {values[-1]:.1f}, least {min(values):.1f}, most {max(values):.1f}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            load()
        case ["soak", *minutes]:
            soak(float(minutes[0]) if minutes else 10)
        case _:
            sys.exit(__doc__)
