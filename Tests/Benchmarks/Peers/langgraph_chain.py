"""LangGraph: a StateGraph on its SQLite saver, a checkpoint after every node, written before the next starts (durability "sync").

As fast as it is documented to be while it stays durable: one node that leads back to itself, for a graph of N nodes costs more each step
the larger it is; a small state; no tracing. Its database is in WAL mode at synchronous=FULL, the saver's own settings.
"""

import itertools
import sqlite3
from typing import TypedDict

from chain import AS_OURS, measured
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    value: int
    end: int


made = {}
threads = itertools.count(1)


def node(state):
    return {"value": state["value"] + 1}


def prepare(folder):
    connection = sqlite3.connect(f"{folder}/langgraph.sqlite", check_same_thread=False)
    if AS_OURS:
        connection.execute("PRAGMA synchronous=NORMAL")
    graph = StateGraph(State)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    graph.add_conditional_edges("node", lambda state: "node" if state["value"] < state["end"] else END, ["node", END])
    made["graph"] = graph.compile(checkpointer=SqliteSaver(connection))


def chain(count):
    settings = {"configurable": {"thread_id": str(next(threads))}, "recursion_limit": count + 10}
    return made["graph"].invoke({"value": 0, "end": count}, settings, durability="sync")["value"]


def stored(folder):
    with sqlite3.connect(f"{folder}/langgraph.sqlite") as database:
        return database.execute("SELECT max(n) FROM (SELECT count(*) n FROM checkpoints GROUP BY thread_id)").fetchone()[0]


measured("LangGraph", "langgraph", prepare, chain, stored)
