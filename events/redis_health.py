"""What a server's settings mean for a log, and what its complaints mean for a person."""

from collections.abc import Mapping

ASKED = ("appendonly", "appendfsync", "maxmemory-policy")
"""The settings that decide whether what the server acknowledges is on disk and stays there."""

_COMPLAINTS = (
    ("MISCONF", "it cannot write to its disk"),
    ("OOM", "its memory is full"),
    ("READONLY", "it is a replica and takes no writes"),
    ("NOREPLICAS", "fewer replicas are connected than it demands (min-replicas-to-write)"),
    ("LOADING", "it is still loading its data"),
    ("MASTERDOWN", "it is a replica that has lost its primary"),
    ("CLUSTERDOWN", "its cluster is down"),
    ("NOAUTH", "it asks for a password"),
    ("WRONGPASS", "it refuses the user name or the password"),
    ("NOPERM", "its user may not do what a store must"),
    ("WRONGTYPE", "a key of it that starts with apnap: is not apnap's"),
)


def durability_of(settings: Mapping[str, str] | None, role: str) -> tuple[bool, str]:
    """Return whether an acknowledged write is kept, and why (not), from what the server said.

    `settings` is None where the server did not tell. Eviction counts as loss: it takes whole games.
    """
    if role != "master":
        return False, f"its role is {role}, and only a primary keeps what it is told"
    if settings is None:
        return False, "it does not say whether it keeps what it acknowledges (CONFIG is refused)"
    wanted = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
    wrong = [
        f"{name} is {settings.get(name, 'unknown')} and not {value}"
        for name, value in wanted.items()
        if settings.get(name) != value
    ]
    if wrong:
        return False, f"it may lose what it acknowledged: {', '.join(wrong)}"
    return True, "every write is on disk before it is acknowledged"


def complaint_in_words(code: str, message: str) -> str:
    """Return a server's error reply as a clause for a person."""
    for name, words in _COMPLAINTS:
        # An error inside a script arrives with the script's name around it.
        if code == name or f" {name} " in message:
            return words
    one_line = " ".join(message.split()).rstrip(".")
    return f"it answers {one_line!r}"
