"""Who vouches for a game: keys and signatures kept beside its log, made and checked here.

A host signs a head now and then, at the end, when it gives the game up, and before an export, with
each seat that it hosts. The public keys lie beside the log from the first moment, the private root
in the data folder (`signing.key`, readable by its user alone), for a game with a seed in the store.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ..events.errors import EngineError
from ..events.seals import GameSecrets
from ..events.signing import (
    HOST,
    ROOT_SIZE,
    Evidence,
    Signature,
    Signers,
    root_of_seed,
)
from ..events.store import Store

SIGN_EVERY = 100
"""After how many commits a host signs again: as many may have to be searched for a forgery."""

ROOT_FILE = "signing.key"
"""Holds the root of a data folder's keys."""

_ROOT = "signing"
_EVIDENCE = "evidence:"
_KEYS = f"{_EVIDENCE}keys"


class EvidenceDamaged(EngineError):
    """The keys and signatures of a game cannot be read."""

    def __init__(self, game: str) -> None:
        """Name the game."""
        super().__init__(f"The signatures of {game!r} are damaged.")
        self.game = game


class SignedBy(msgspec.Struct, frozen=True):
    """Up to which commit somebody vouches for a log, and by which public key."""

    by: str
    commit: int
    key: str


class Loss(msgspec.Struct, frozen=True):
    """That commit `at` of a log says of those after `kept` up to `last` that they are lost."""

    at: int
    kept: int
    last: int


class Findings(msgspec.Struct, frozen=True):
    """What the signatures of a log show.

    `other_head` is the first signed head that is not in the log, `after_end` the first one beyond
    its end, `invalid` a signature that no key of its signer made, `other_branch` one of a branch
    that this log is not; `fitting` is the last commit before `other_head` whose head was signed.
    """

    signed: tuple[SignedBy, ...] = ()
    fitting: int = -1
    other_head: Signature | None = None
    after_end: Signature | None = None
    invalid: Signature | None = None
    other_branch: Signature | None = None


class HeadSigner:
    """Signs heads of a game for all whose keys this host has; without keys it does nothing.

    Who goes on with a game in another data folder signs by other keys from there on.
    """

    def __init__(self, store: Store, game: str) -> None:
        self.store = store
        self.game = game
        self.last = -1
        self._signers: Signers | None = None
        self._fresh = Evidence()
        self._secrets: GameSecrets | None = None

    def sign(self, commit: int, head: bytes) -> None:
        """Sign the head of an acknowledged commit and keep that in the store."""
        if commit <= self.last or commit < 0:
            return
        if self._secrets is None:
            self._prepare(commit)
        self.last = commit
        if self._signers is None or self._secrets is None:
            return
        branch = self._secrets.at(commit).since
        signed = Evidence(self._fresh.keys, self._signers.sign(commit, head, branch))
        self.store.put_blob(self.game, f"{_EVIDENCE}{commit:09d}", signed.to_bytes())

    def _prepare(self, commit: int) -> None:
        """Find the keys; what the game has not seen yet is told with the first signature."""
        secret = self.store.secret(self.game)
        root = _root_of(self.store, self.game)
        if not secret or root is None:
            return
        self._secrets = GameSecrets.from_bytes(secret)
        self._signers = Signers(root, _names(self.store, self.game))
        if not _are_known(self.store, self.game, self._signers):
            self._fresh = Evidence(self._signers.public_keys(commit))


def sign_export(store: Store, game: str, commit: int, head: bytes) -> None:
    """Sign a head that is about to be exported, if the game was hosted with the keys here.

    A game that only came here was acknowledged by nobody here.
    """
    root = _root_of(store, game)
    if root is not None and _are_known(store, game, Signers(root, _names(store, game))):
        HeadSigner(store, game).sign(commit, head)


def blobs_of_new_game(store: Store, names: Sequence[str], seed: int | None) -> dict[str, bytes]:
    """Return what is kept beside a new game for its signatures: public keys, and a root of its own.

    A game without a seed takes the root of the store's data folder, which its first one makes.
    """
    blobs: dict[str, bytes] = {}
    folder = _folder_of(store)
    if seed is None and folder is not None:
        root = _root_in(folder) or _make_root(folder)
    else:
        root = os.urandom(ROOT_SIZE) if seed is None else root_of_seed(seed)
        blobs[_ROOT] = root
    blobs[_KEYS] = Evidence(Signers(root, names).public_keys()).to_bytes()
    return blobs


def evidence_of(store: Store, game: str) -> Evidence:
    """Return all keys and signatures of a stored game."""
    found = Evidence()
    for name in store.blob_names(game):
        if name.startswith(_EVIDENCE):
            found = found.with_more(_read(store, game, name))
    return found


def keep_evidence(store: Store, game: str, evidence: Evidence) -> None:
    """Keep keys and signatures that came with a record; what is there already stays."""
    if evidence == Evidence():
        return
    merged = _read(store, game, _KEYS).with_more(evidence)
    store.put_blob(game, _KEYS, merged.to_bytes())


def copy_evidence(store: Store, game: str, child: str, last: int) -> None:
    """Give a branch the evidence for the commits that it shares, and the root to sign by."""
    keep_evidence(store, child, evidence_of(store, game).up_to(last))
    root = store.get_blob(game, _ROOT)
    if root is not None:
        store.put_blob(child, _ROOT, root)


def checked(
    evidence: Evidence,
    heads: Sequence[bytes],
    names: Sequence[str],
    secrets: GameSecrets | None,
    losses: Sequence[Loss] = (),
) -> Findings:
    """Check all signatures against the heads of a log, one for each commit.

    With the secrets it is known, too, which commits a branch has of its own. `losses` are what the
    log says that a failover took: who signed a head of that, and signed the log after it said so,
    vouches for the loss.
    """
    fitting: list[Signature] = []
    other: list[Signature] = []
    after: list[Signature] = []
    invalid: list[Signature] = []
    branch: list[Signature] = []
    for one in evidence.signatures:
        if not evidence.is_valid(one):
            invalid.append(one)
        elif one.commit >= len(heads):
            after.append(one)
        elif one.commit < 0 or heads[one.commit] != one.head:
            other.append(one)
        elif secrets is not None and secrets.at(one.commit).since != one.branch:
            branch.append(one)
        else:
            fitting.append(one)
    other = [one for one in other if not _is_excused(one, losses, fitting)]
    after = [one for one in after if not _is_excused(one, losses, fitting)]
    if other:
        fitting = [one for one in fitting if one.commit < other[0].commit]
    last = {one.signer: one for one in fitting}
    return Findings(
        signed=tuple(
            SignedBy(name_of(one.signer, names), one.commit, _key_of(evidence, one))
            for _, one in sorted(last.items())
        ),
        fitting=max((one.commit for one in fitting), default=-1),
        other_head=next(iter(other), None),
        after_end=next(iter(after), None),
        invalid=next(iter(invalid), None),
        other_branch=next(iter(branch), None),
    )


def _is_excused(one: Signature, losses: Sequence[Loss], fitting: Sequence[Signature]) -> bool:
    """Whether a signed commit is one of those that its signer vouches were lost."""
    return any(
        loss.kept < one.commit <= loss.last
        and any(later.signer == one.signer and later.commit >= loss.at for later in fitting)
        for loss in losses
    )


def name_of(signer: int, names: Sequence[str]) -> str:
    """Return who signs: the host, or a seat by its name."""
    if signer == HOST:
        return "the host"
    return names[signer] if 0 <= signer < len(names) else f"seat {signer}"


def _are_known(store: Store, game: str, signers: Signers) -> bool:
    known = {(key.signer, key.key) for key in evidence_of(store, game).keys}
    return all((key.signer, key.key) in known for key in signers.public_keys())


def _key_of(evidence: Evidence, signature: Signature) -> str:
    for key in evidence.keys:
        alone = Evidence((key,))
        if alone.is_valid(signature):
            return key.key.hex()
    return ""


def _read(store: Store, game: str, name: str) -> Evidence:
    blob = store.get_blob(game, name)
    if blob is None:
        return Evidence()
    try:
        return Evidence.from_bytes(blob)
    except msgspec.DecodeError as error:
        raise EvidenceDamaged(game) from error


def _names(store: Store, game: str) -> list[str]:
    return [name for name in store.meta(game).get("players", "").split(",") if name]


def _root_of(store: Store, game: str) -> bytes | None:
    """Return the root to sign a game by: its own, else its data folder's."""
    own = store.get_blob(game, _ROOT)
    if own is not None:
        return own if len(own) == ROOT_SIZE else None
    folder = _folder_of(store)
    return None if folder is None else _root_in(folder)


def _folder_of(store: Store) -> Path | None:
    """Return the data folder that a store lies in, None where it is no folder of this machine."""
    folder = Path(store.address)
    return folder if folder.is_absolute() and folder.is_dir() else None


def _root_in(folder: Path) -> bytes | None:
    try:
        root = (folder / ROOT_FILE).read_bytes()
    except FileNotFoundError:
        return None
    return root if len(root) == ROOT_SIZE else None


def _make_root(folder: Path) -> bytes:
    """Make the root of a data folder; of two that make one at once, one is kept."""
    unfinished = folder / f".{ROOT_FILE}.{os.getpid()}"
    opened = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(opened, "wb") as file:
            file.write(os.urandom(ROOT_SIZE))
            file.flush()
            os.fsync(file.fileno())
        (folder / ROOT_FILE).hardlink_to(unfinished)
    except FileExistsError:
        pass
    finally:
        unfinished.unlink(missing_ok=True)
    root = _root_in(folder)
    if root is None:
        raise EngineError(
            f"The file {folder / ROOT_FILE} holds no key: it is not {ROOT_SIZE} bytes."
        )
    return root
