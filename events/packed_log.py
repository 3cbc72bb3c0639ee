"""A finished game's log as one record: all commits in one zstd frame, three fifths of their bytes.

What is left are seals and salts, which are as good as random. Before the frame stands a digest of
all of it: what is damaged is found before a commit is read.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import zstandard

from .chain import digest_of
from .errors import LogDamaged

LEVEL = 3
"""Of zstd: higher ones take several times as long and save less than a hundredth."""

_DIGEST = 16


class PackedCommit(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the store keeps of a commit: its digest, its entry, and when it was appended."""

    digest: bytes
    entry: bytes
    written_ms: int


def pack_log(commits: Sequence[PackedCommit]) -> bytes:
    """Return a log as one record."""
    packed = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(_ENCODE(commits))
    return digest_of(packed) + packed


def unpack_log(game: str, record: bytes) -> tuple[PackedCommit, ...]:
    """Read what `pack_log` wrote."""
    packed = record[_DIGEST:]
    if digest_of(packed) != record[:_DIGEST]:
        raise LogDamaged(game, 0, "its record does not fit its digest")
    try:
        return _DECODE(zstandard.ZstdDecompressor().decompress(packed))
    except (zstandard.ZstdError, msgspec.DecodeError) as error:
        raise LogDamaged(game, 0, f"its record cannot be read ({error})") from error


_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE = msgspec.msgpack.Decoder(tuple[PackedCommit, ...]).decode
