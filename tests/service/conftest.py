"""A service of its own for every test that asks for one, and the program that it is part of."""

import os
import subprocess

import pytest


@pytest.fixture(scope="session")
def edgewise():
    """The program under test."""
    return os.environ["EDGEWISE_COMMAND"]


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
