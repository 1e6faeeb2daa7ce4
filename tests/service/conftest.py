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
    """Waits until no process has a program on its command line or works in a folder, if there is one.

    Children may outlive a killed run by a moment, and those just forked are not yet called by the program's name.
    """

    def belongs(process, program, folder):
        with contextlib.suppress(OSError):
            if str(program).encode() in (process / "cmdline").read_bytes():
                return True
            return folder is not None and (process / "cwd").readlink() == folder
        return False

    def wait(program, folder=None):
        deadline = time.monotonic() + 60
        while any(belongs(path, program, folder) for path in Path("/proc").glob("[0-9]*")):
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
