"""Which process holds a lease, and whether it still lives: told from what the machine says."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import msgspec


class ProcessId(msgspec.Struct, frozen=True):
    """One run of one process; `machine` is its boot and pid namespace, empty where unknown.

    A pid alone is used again; with the time it began, and the boot and the namespace that counts
    pids, it never is.
    """

    machine: str
    pid: int
    began: str


def this_process() -> ProcessId:
    """Return the identity of the running process."""
    pid = os.getpid()
    return ProcessId(_machine(), pid, _began(pid) or "")


def is_dead(process: ProcessId) -> bool:
    """Whether a process is known to have ended; of another machine's processes nothing is known.

    A zombie has ended: it will not write again.
    """
    if not process.machine or process.machine != _machine() or not process.began:
        return False
    return _began(process.pid) != process.began


@cache
def _machine() -> str:
    if sys.platform == "darwin":
        return _output_of("/usr/sbin/sysctl", "-n", "kern.bootsessionuuid")
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _began(pid: int) -> str | None:
    """Return when a process began, in the machine's own notation; None if it has ended."""
    if sys.platform == "darwin":
        return _output_of("/bin/ps", "-o", "lstart=", "-p", str(pid)) or None
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The second field is the command in parentheses and may hold anything, also parentheses.
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else fields[19]


def _output_of(*command: str) -> str:
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed commands
    return run.stdout.strip()
