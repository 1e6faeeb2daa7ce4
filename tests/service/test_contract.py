"""The service keeps to its description: schemathesis makes requests of it, right and wrong ones, and holds the answers against
it with all its checks. The same requests every time; docs/service.md has the long run."""

import os
import subprocess
import sys
import tempfile

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
TOKEN = "correct-horse-battery-staple"
# Every case of the phase `coverage` would take a minute: these stand for operations of their sort.
COVERED = ["/api/v1/evaluate/tiers-partition", "/api/v1/solve/migration", "/api/v1/model"]


def run(address, *options):
    """Runs schemathesis; contract.py says why its check stands in the place of one that is excluded."""
    command = [
        os.path.join(os.path.dirname(sys.executable), "schemathesis"),
        "run",
        f"{address}/api/v1/openapi.json",
        "--checks=all",
        "--exclude-checks=positive_data_acceptance",
        "--generation-deterministic",
        "--no-color",
        *options,
    ]
    environment = os.environ | {"SCHEMATHESIS_HOOKS": "contract", "PYTHONPATH": HERE, "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as place:
        ran = subprocess.run(command, env=environment, cwd=place, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-20000:] + ran.stderr[-2000:]
    assert "Tested: " in ran.stdout


@pytest.fixture(params=["open", "token"])
def service(request, serve, tmp_path):
    """A service for everybody, and one that asks for a token; its address, and what a client says to it."""
    limits = ["--time-limit", "1", "--queue", "1000"]
    if request.param == "open":
        return serve(*limits)[1], []
    path = tmp_path / "token"
    path.write_text(TOKEN)
    return serve("--token-file", str(path), *limits)[1], [f"--header=Authorization: Bearer {TOKEN}"]


def test_random_requests_are_answered_as_described(service):
    address, header = service
    run(address, "--phases=fuzzing,stateful", "--max-examples=10", *header)


def test_every_boundary_is_where_the_description_has_it(service):
    address, header = service
    of_the_service = r"--include-path-regex=^/(metrics|healthz|readyz|api/v1/(presets|version))"
    covered = [f"--include-path={path}" for path in COVERED]
    run(address, "--phases=coverage", of_the_service, *covered, *header)
