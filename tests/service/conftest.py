"""A service of its own for every test that asks for one, and the program that it is part of."""

import contextlib
import os
import subprocess
import time
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def edgewise():
    """The program under test."""
    return os.environ["EDGEWISE_COMMAND"]


@pytest.fixture
def until_gone():
    """Waits until no process has a program on its command line: children may outlive a killed run by a moment."""

    def is_named(path, program):
        with contextlib.suppress(OSError):
            return str(program).encode() in path.read_bytes()

    def wait(program):
        deadline = time.monotonic() + 60
        while any(is_named(path, program) for path in Path("/proc").glob("[0-9]*/cmdline")):
            assert time.monotonic() < deadline, f"{program} still runs"
            time.sleep(0.1)

    return wait


@pytest.fixture
def serve(edgewise):
    """Starts services on free ports; each call gives (process, address)."""
    started = []

    def start(*flags):
        process = subprocess.Popen(
            [edgewise, "serve", "--listen", "127.0.0.1:0", *flags],
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        address = process.stdout.readline().split()[-1]
        return process, address

    yield start
    for process in started:
        process.kill()
        process.wait()
