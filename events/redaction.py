"""What a seat may have of a log: the same bodies, fewer openings, so the same head.

Laws: folding a seat's log gives what that seat may see of the folded log; and games that differ
only in what a seat may not know give that seat the same entries once `blanked`.
"""

from __future__ import annotations

import msgspec

from .codec import (
    SEALED,
    Body,
    decode_entry,
    encode_commit,
    pack_older,
    read_body,
    read_entry,
    unpack_older,
)
from .commit import Commit, Entry, Opening
from .ids import JUDGE, PlayerId
from .seals import SEAL_SIZE, GameSecrets

_ENCODE = msgspec.msgpack.Encoder().encode
_BLANK = bytes(SEAL_SIZE)


def redact_entry(entry: bytes, seat: PlayerId) -> bytes:
    """Return an entry without what opens seals that this seat may not open."""
    outer = read_entry(entry)
    openings = tuple(opening for opening in outer.openings if _may_read(opening, seat))
    older = outer.older
    if older:
        kept = tuple(opening for opening in unpack_older(older) if seat in opening.readers)
        older = pack_older(kept)
    return _ENCODE(Entry(outer.body, outer.digest, openings, older))


def _may_read(opening: Opening, seat: PlayerId) -> bool:
    """Whether a seat may open a seal: what a judge decides is open to all."""
    return seat in opening.readers or JUDGE in opening.readers


def redact_commit(commit: Commit, seat: PlayerId, secrets: GameSecrets) -> Commit:
    """Return a commit with the seal in the place of each value that this seat may not know."""
    entry, _ = encode_commit(commit, secrets)
    return decode_entry(redact_entry(entry, seat))


def blanked(entry: bytes) -> bytes:
    """Return an entry with zeros for what depends on the secrets: seals, salts and digests.

    By it two games are compared: what is left of a seat's entry must not tell what it hides.
    """
    outer = read_entry(entry)
    body = read_body(outer)
    for group in body.groups:
        for event in group:
            for field in SEALED.get(type(event), ()):
                held = getattr(event, field.name)
                if held is not None:  # this body was decoded for us alone
                    blank = (_BLANK,) * len(held) if field.is_many else _BLANK
                    msgspec.structs.force_setattr(event, field.name, blank)
    blank_body = Body(body.format, body.number, _BLANK, body.quiescent, body.groups, _BLANK)
    openings = tuple(msgspec.structs.replace(opening, salt=_BLANK) for opening in outer.openings)
    older = pack_older(
        tuple(
            msgspec.structs.replace(opening, salt=_BLANK) for opening in unpack_older(outer.older)
        )
    )
    return _ENCODE(Entry(_ENCODE(blank_body), _BLANK, openings, older))
