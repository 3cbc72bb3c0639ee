"""The exceptions for a broken world: a store, a log or a program that is not as it must be.

A player's mistake is never one of these: it is a `Refused` value. Every message is one sentence
for a person and, where a moment of a game is meant, ends in its address `GAME@N`.
"""


class EngineError(Exception):
    """The root of every exception that apnap raises on purpose."""


class StoreUnusable(EngineError):
    """The store cannot be used: unreachable, full, not durable, or not answering as one."""

    def __init__(self, address: str, reason: str) -> None:
        """Say which store it is and what is wrong with it."""
        super().__init__(f"The store at {address} cannot be used: {reason}.")
        self.address = address
        self.reason = reason


class GameUnknown(EngineError):
    """The store holds no game of that name."""

    def __init__(self, game: str, address: str) -> None:
        """Name the game that was asked for and the store that was asked."""
        super().__init__(f"The store at {address} holds no game named {game!r}.")
        self.game = game
        self.address = address


class GameExists(EngineError):
    """A game of that name is in the store already, with another secret."""

    def __init__(self, game: str) -> None:
        """Name the game."""
        super().__init__(f"A different game named {game!r} is in the store already.")
        self.game = game


class LogConflict(EngineError):
    """A commit does not continue the head of its log: somebody else wrote, or the log is cut."""

    def __init__(self, game: str, number: int, head: int, *, same_place: bool = False) -> None:
        """Say which commit was to be appended and which one the log ends in (-1: none)."""
        if same_place:
            found = f"commit {head} is there, with another digest than the one it continues"
        elif head < 0:
            found = "the log is empty"
        else:
            found = f"the log ends in commit {head}"
        super().__init__(f"Commit {number} cannot be appended, {found}: {game}@{number}")
        self.game = game
        self.number = number
        self.head = head


class LogDamaged(EngineError):
    """A log has a gap, a changed byte or a broken chain."""

    def __init__(self, game: str, number: int, reason: str) -> None:
        """Say at which commit the damage shows, and how."""
        super().__init__(f"The log is damaged, {reason}: {game}@{number}")
        self.game = game
        self.number = number
        self.reason = reason


class UnknownTag(EngineError):
    """A record carries a type tag that this version does not know."""

    def __init__(self, tag: int, kind: str, where: str) -> None:
        """Name the tag, the kind of record (event, decision, …) and its address."""
        super().__init__(f"Type tag {tag} of {kind} is unknown to this version: {where}")
        self.tag = tag
        self.kind = kind
        self.where = where


class NewerFormat(EngineError):
    """A log or file was written in a format newer than this version reads."""

    def __init__(self, found: int, known: int, where: str) -> None:
        """Name both format versions and what was being read."""
        super().__init__(
            f"Format {found} is newer than {known}, the newest that this version reads: {where}"
        )
        self.found = found
        self.known = known
        self.where = where


class LeaseHeld(EngineError):
    """Another host runs the game at this moment."""

    def __init__(self, game: str, holder: str) -> None:
        """Name the game and who holds it."""
        super().__init__(f"The game {game!r} is being run by {holder}.")
        self.game = game
        self.holder = holder


class LeaseLost(EngineError):
    """This host ran the game, and another has taken it over since."""

    def __init__(self, game: str, number: int, holder: str | None) -> None:
        """Name the game, the commit that was refused (or the next one) and the new holder."""
        by = f"taken over by {holder}" if holder else "given up or taken over"
        super().__init__(f"The game has been {by}, nothing was written: {game}@{number}")
        self.game = game
        self.number = number
        self.holder = holder


class FileUnreadable(EngineError):
    """A file that people bring cannot be read; one sentence says which, where and why."""

    def __init__(self, path: str, line: int | None, reason: str) -> None:
        """Name the file, the line (None where it has none) and what is wrong."""
        where = path if line is None else f"{path}, line {line}"
        super().__init__(f"{where}: {reason}.")
        self.path = path
        self.line = line
        self.reason = reason


class RecordDamaged(EngineError):
    """A record file is cut, has a changed byte, or its parts are not in their order."""

    def __init__(self, file: str, section: str, reason: str, *, is_cut: bool = False) -> None:
        """Name the file and its section: header, definitions, a commit by its address, trailer."""
        super().__init__(f"The record {file} is damaged, {reason}, in its {section}")
        self.file = file
        self.section = section
        self.reason = reason
        self.is_cut = is_cut
