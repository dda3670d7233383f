"""Prefect: a flow of N tasks on its SQLite API, results persisted to files.

As fast as it is documented to be while it stays durable: synchronous tasks called one after the other on the flow's thread, a persisted
result for each, stored under its inputs, so that a flow that is run again goes on where it was; no logs to the API, no analytics. The
server is the ephemeral one, which Prefect starts on a free port of 127.0.0.1, with its database in WAL mode at synchronous=NORMAL (its
own settings).
"""

import os
import sys
from pathlib import Path

folder = Path(sys.argv[2])
os.environ.update(
    PREFECT_HOME=str(folder / "prefect"),
    PREFECT_SERVER_ALLOW_EPHEMERAL_MODE="true",
    PREFECT_SERVER_ANALYTICS_ENABLED="false",
    PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS="120",
    PREFECT_LOGGING_LEVEL="CRITICAL",
    PREFECT_LOGGING_TO_API_ENABLED="false",
    PREFECT_RESULTS_PERSIST_BY_DEFAULT="true",
    DO_NOT_TRACK="1",
)

from chain import measured  # noqa: E402
from prefect import flow, task  # noqa: E402
from prefect.cache_policies import INPUTS, RUN_ID  # noqa: E402


@task(cache_policy=INPUTS + RUN_ID, persist_result=True)
def node(value):
    return value + 1


@flow(persist_result=True)
def chain(count):
    value = 0
    for _ in range(count):
        value = node(value)
    return value


def stored(folder):
    return sum(1 for _ in (Path(folder) / "prefect" / "storage").iterdir())


measured("Prefect", "prefect", lambda folder: None, chain, stored)
