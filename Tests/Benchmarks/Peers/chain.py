"""What the chains of the peers share: the clock around the run alone, the check that it was durable, and the line of JSON."""

import json
import sys
import time
from importlib.metadata import version

# Whether the database is to be set as ours is, in WAL mode at synchronous=NORMAL, which none of the peers documents, or left as they set it.
AS_OURS = sys.argv[3:] == ["as-ours"]


def measured(peer, package, prepare, chain, stored, end=lambda: None):
    """Runs `chain` with ten nodes, so that nothing is done for the first time, and then with as many as the first argument says, in the
    folder that is the second. `stored` says how many of them the database holds afterwards."""
    count, folder = int(sys.argv[1]), sys.argv[2]
    prepare(folder)
    assert chain(10) == 10
    start = time.monotonic()
    value = chain(count)
    seconds = time.monotonic() - start
    assert value == count, f"{value} is not {count}"
    found = stored(folder)
    assert found >= count, f"{found} of {count} nodes are in the database"
    end()
    figures = {
        "peer": peer,
        "version": version(package),
        "nodes": count,
        "seconds": seconds,
        "nodes_per_second": count / seconds,
        "durable": True,
    }
    print(json.dumps(figures), flush=True)
