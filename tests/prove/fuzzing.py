"""The API's description turned into requests by schemathesis: right ones and wrong ones, by people of every role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import schemathesis
from schemathesis.core.transport import Response
from schemathesis.engine import events, from_schema
from schemathesis.engine.recorder import CheckNode
from schemathesis.generation.case import Case

from api.errors import CONTENT_TYPE

OF_THE_SERVER = frozenset({414, 431})
"""gunicorn's own: a request line or a header too long, cut off before the application is asked."""
PHASES = ("examples", "coverage", "fuzzing", "stateful")
# A request may be right in form and still be refused by the trade; all other checks of schemathesis hold.
CHECKS = {"positive_data_acceptance": {"enabled": False}}
# A batch is taken whatever is wrong with a line of it: the line is answered by its own problem.
CHECKS_OF_BATCHES = {"negative_data_rejection": {"enabled": False}}


class Run:
    """What a run of requests met: how many were sent, what each operation answered, and all that was wrong."""

    def __init__(self) -> None:
        self.requests = 0
        self.statuses: dict[str, Counter[int]] = {}
        self.wrongs: Counter[str] = Counter()

    def take(self, event: events.EngineEvent) -> None:
        """Count what a scenario did."""
        if isinstance(event, events.NonFatalError):
            self.wrongs[f"{event.label}: {event.info}"] += 1
        if isinstance(event, events.ScenarioFinished):
            recorder = event.recorder
            for case_id, sent in recorder.interactions.items():
                if sent.response is not None and sent.response.status_code not in OF_THE_SERVER:
                    self._answered(recorder.cases[case_id].value, sent.response)
                    self._failed(recorder.label, recorder.checks.get(case_id, ()))

    def _failed(self, label: str, checks: Iterable[CheckNode]) -> None:
        for found in (node.failure_info for node in checks):
            if found is not None:
                self.wrongs[f"{label}: {found.failure}\n{found.code_sample:.1000}"] += 1

    def _answered(self, case: Case, response: Response) -> None:
        self.requests += 1
        operation = case.operation.definition.raw
        self.statuses.setdefault(operation["operationId"], Counter())[response.status_code] += 1
        told = operation["responses"].get(str(response.status_code), {}).get("content", {}).get(CONTENT_TYPE, {})
        if "examples" in told and response.json()["code"] not in told["examples"]:
            self.wrongs[
                f"{operation['operationId']} refuses with {response.json()['code']}, which it does not tell"
            ] += 1


def run(
    url: str,
    tokens: Mapping[str, str],
    known: Mapping[str, Sequence[Any]],
    *,
    examples: int,
    seed: int,
    phases: Sequence[str] = PHASES,
) -> Run:
    """Call every operation as the description tells, each with the token its operationId is given.

    ``known`` are values that exist, by the parameter or field they may stand for (``path.code``, ``body.pool``);
    ``examples`` is how many random requests an operation gets beside those at the limits of its form.
    """
    configuration = {
        "seed": seed,
        # More of them would only wait for one another, and make CPython's parser stumble over its depth.
        "workers": 1,
        "continue-on-failure": True,
        "checks": CHECKS,
        # Else an operation that is given no token comes with the one before it, and may end its session.
        "headers": {"Authorization": "Bearer nobody"},
        "dictionaries": {name: {"values": list(values)} for name, values in known.items()},
        "parameters": {name: {"dictionary": name, "probability": 0.9} for name in known},
        "generation": {"max-examples": examples, "no-shrink": True},
        "phases": {name: {"enabled": name in phases} for name in PHASES},
        "operations": [
            {"include-operation-id": "place_batch", "checks": CHECKS_OF_BATCHES},
            *(
                {"include-operation-id": name, "headers": {"Authorization": f"Bearer {token}"}}
                for name, token in tokens.items()
            ),
        ],
    }
    schema = schemathesis.openapi.from_url(
        f"{url}/api/openapi.json", config=schemathesis.Config.from_dict(configuration)
    )
    met = Run()
    for event in from_schema(schema).execute():
        met.take(event)
    return met
