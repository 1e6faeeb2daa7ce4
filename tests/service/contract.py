"""What schemathesis is told of this service beside its description; test_contract.py names it in SCHEMATHESIS_HOOKS.

`positive_data_acceptance` holds that a request that fits the schema is taken. Three things are beyond a schema here, so the
check below stands in its place:

* what the fields of a document ask of each other (as many speeds as devices, cuts in rising order), and whether an option is
  for this document: the service says 422, with the code of the fault. A field that the service does not know, or takes in
  another type only, is still a failure.
* how a whole number is written: 8.0 is an integer to JSON Schema, and not to the service.
* what is in a file or a link: their schema is a string. Nonsense in them may be called nonsense (400).
"""

import schemathesis
from schemathesis.specs.openapi.checks import RejectedPositiveData

# Bodies that no schema describes.
OPAQUE = {"text/plain", "application/octet-stream", "multipart/form-data"}


def of_form(problem):
    """Whether a document is refused for what a schema would have said of it."""
    match problem["code"], problem["value"]:
        case "type", value:
            return not (isinstance(value, float) and value.is_integer())
        case "unknown", _:
            # With other words a field is known, and not beside another one.
            return "is not a field here, " in problem["detail"]
        case code, _:
            return code == "syntax"


@schemathesis.check
def what_fits_the_schema_is_read(ctx, response, case):
    if not case.meta or not case.meta.generation.mode.is_positive or response.status_code not in (400, 422):
        return
    problem = response.json()
    code = problem["code"]
    if case.media_type in OPAQUE and code != "option":
        return
    if response.status_code == 422 and not of_form(problem):
        return
    raise RejectedPositiveData(
        operation=case.operation.label,
        message=f"{code} at {problem['path']!r}: {problem['detail']}",
        status_code=response.status_code,
        allowed_statuses=["2xx"],
    )
