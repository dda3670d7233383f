"""Starts a program, and ends it with everything that came of it.

    keep.py PARENT FOLDER PROGRAM WORD…

It ends at SIGTERM, when PROGRAM ends, or when PARENT (a process id) is gone, however it went. Ray starts two dozen processes in several
sessions, and some of them outlive its head: whoever loses its parent down there comes to this process, which kills until there is no one
left. FOLDER, which is theirs, is deleted then.
"""

import ctypes
import os
import select
import shutil
import signal
import subprocess
import sys

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
libc = ctypes.CDLL(None)


def children():
    """Of this process, orphans included."""
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return [int(word) for word in file.read().split()]


def end_all():
    """A child that is killed hands its own children up, so this ends when the last of them has been waited for."""
    while True:
        for child in children():
            os.kill(child, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def main():
    parent, folder, words = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    told, tell = os.pipe()
    os.set_blocking(tell, False)
    signal.set_wakeup_fd(tell)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    try:
        above = os.pidfd_open(parent)
        if os.getppid() == parent:
            program = subprocess.Popen(words, preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL))
            select.select([above, os.pidfd_open(program.pid), told], [], [])
    finally:
        end_all()
        shutil.rmtree(folder, ignore_errors=True)


main()
