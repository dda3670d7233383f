"""DBOS: a workflow of N steps on its SQLite system database.

As fast as it is documented to be while it stays durable: a synchronous workflow on the calling thread, every step recorded in a
transaction of its own before the next starts; admin server, tracing and console off. Its database has a rollback journal at
synchronous=FULL, SQLite's own settings.
"""

import sqlalchemy
from chain import AS_OURS, measured
from dbos import DBOS


@sqlalchemy.event.listens_for(sqlalchemy.Engine, "connect")
def settings(connection, _):
    if AS_OURS:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")


@DBOS.step()
def node(value):
    return value + 1


@DBOS.workflow()
def chain(count):
    value = 0
    for _ in range(count):
        value = node(value)
    return value


def prepare(folder):
    DBOS(
        config={
            "name": "chain",
            "system_database_url": f"sqlite:///{folder}/dbos.sqlite",
            "log_level": "ERROR",
            "enable_otlp": False,
            "run_admin_server": False,
        }
    )
    DBOS.launch()


def stored(folder):
    with sqlalchemy.create_engine(f"sqlite:///{folder}/dbos.sqlite").connect() as database:
        return database.execute(sqlalchemy.text("SELECT max(n) FROM (SELECT count(*) n FROM operation_outputs GROUP BY workflow_uuid)")).scalar()


measured("DBOS", "dbos", prepare, chain, stored, DBOS.destroy)
