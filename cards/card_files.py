"""Card files: the cards people have from Scryfall's bulk files or MTGJSON's AtomicCards.json.

Three shapes are told apart by what is in the file, never by its name: JSON lines, a JSON array,
and AtomicCards; each plain or gzip. The same cards give the same `CardText`s in all three. What is
not a card to play with (tokens, emblems, art cards) is passed over.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

import msgspec

from ..events.errors import FileUnreadable
from .card_text import CardText
from .names import FACE_SEPARATOR, folded_name

PASSED_OVER = ("token", "double_faced_token", "emblem", "art_series")
"""Layouts of what comes with cards and is none: no deck holds it (CR 108.2b, 111)."""

_SAME_LAYOUT = {"aftermath": "split", "reversible_card": "normal"}
_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"


class CardFileError(FileUnreadable):
    """A card file cannot be read."""


class _ScryfallFace(msgspec.Struct):
    name: str = ""
    mana_cost: str | None = None
    type_line: str | None = None
    oracle_text: str | None = None
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    color_indicator: tuple[str, ...] | None = None


class _ScryfallCard(_ScryfallFace):
    layout: str = "normal"
    set: str = ""
    released_at: str = ""
    card_faces: tuple[_ScryfallFace, ...] | None = None


class _AtomicFace(msgspec.Struct, rename="camel"):
    name: str = ""
    face_name: str | None = None
    side: str | None = None
    mana_cost: str | None = None
    type: str | None = None
    text: str | None = None
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    color_indicator: tuple[str, ...] | None = None
    layout: str = "normal"
    first_printing: str | None = None
    printings: tuple[str, ...] = ()


class _Opening(msgspec.Struct):
    """As much of the first JSON value as tells the shapes apart."""

    name: str | None = None
    data: msgspec.Raw = msgspec.Raw(b"")


def read_card_file(path: str | Path) -> tuple[CardText, ...]:
    """Return the cards of a file in its order, or raise CardFileError."""
    source = str(path)
    try:
        return tuple(_cards_of(_text_of(path, source), source))
    except RecursionError as error:
        raise CardFileError(source, None, "is no card file: it is nested too deep") from error


def texts_by_name(cards: Iterable[CardText]) -> dict[str, CardText]:
    """Return cards by folded name: a later card replaces an earlier one of that name."""
    return {folded_name(card.name): card for card in cards}


def digest_of_texts(cards: Iterable[CardText]) -> bytes:
    """Return one digest of cards as a whole, whatever files, shapes and order they came in.

    Sets and dates say when a card was printed, not what it does, so they do not count.
    """
    digest = blake2b(digest_size=16)
    for card in sorted(cards, key=lambda card: (folded_name(card.name), card.name)):
        digest.update(msgspec.msgpack.encode(_undated(card)))
    return digest.digest()


def _undated(card: CardText) -> CardText:
    return msgspec.structs.replace(card, set="", released_at="")


# Bytes to text


def _text_of(path: str | Path, source: str) -> bytes:
    """Return the file's text as UTF-8 without a byte order mark."""
    try:
        if Path(path).is_char_device():  # it may never end
            raise CardFileError(source, None, "is a device and no card file")
        data = Path(path).read_bytes()
    except OSError as error:
        raise CardFileError(source, None, f"cannot be read ({error.strerror})") from error
    if data.startswith(_GZIP):
        data = _unpacked(data, source)
    data = data.removeprefix(_BOM)
    if b"\0" in data:
        raise CardFileError(source, None, "is no card file: it holds bytes that are no text")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CardFileError(source, line, "holds bytes that are no UTF-8 text") from error
    return data


def _unpacked(data: bytes, source: str) -> bytes:
    try:
        return gzip.decompress(data)
    except EOFError as error:
        reason = "the gzip file is cut short, its end is missing"
        raise CardFileError(source, None, reason) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise CardFileError(source, None, "the gzip file is damaged") from error


# Text to records


def _cards_of(data: bytes, source: str) -> Iterator[CardText]:
    start = data.lstrip()[:1]
    if not start:
        raise CardFileError(source, None, "holds no cards: it is empty")
    if start == b"[":
        return _scryfall_array(data, data, source)
    if start == b"{":
        return _object_file(data, source)
    reason = "is no card file: it begins neither as JSON lines nor as a JSON array"
    raise CardFileError(source, 1, reason)


def _object_file(data: bytes, source: str) -> Iterator[CardText]:
    """Read what begins with a brace: JSON lines, AtomicCards, or a list of Scryfall's API."""
    first_line = data.lstrip().split(b"\n", 1)[0]
    try:
        opening = msgspec.json.decode(first_line, type=_Opening)
    except msgspec.DecodeError:
        opening = _Opening()
        if first_line.count(b"{") == first_line.count(b"}"):
            return _scryfall_lines(data, source)
    if opening.name is not None:
        return _scryfall_lines(data, source)
    whole = _whole_object(data, source)
    inner = bytes(whole.data)
    if not inner:
        return _scryfall_lines(data, source)
    if inner.startswith(b"["):
        return _scryfall_array(inner, data, source)
    return _atomic_cards(inner, data, source)


def _whole_object(data: bytes, source: str) -> _Opening:
    """Decode a file that is one JSON object; JSON lines with a broken first line are none."""
    try:
        return msgspec.json.decode(data, type=_Opening)
    except msgspec.ValidationError as error:
        raise CardFileError(source, 1, _said(error)) from error
    except msgspec.DecodeError as error:
        if b'"data"' in data[:20000]:
            raise _broken(data, source, error) from error
        return _Opening()


def _scryfall_lines(data: bytes, source: str) -> Iterator[CardText]:
    decoder = msgspec.json.Decoder(_ScryfallCard)
    for number, line in enumerate(data.split(b"\n"), start=1):
        stripped = line.strip()
        if not stripped:
            continue
        try:
            record = decoder.decode(stripped)
        except msgspec.DecodeError as error:
            raise CardFileError(source, number, _said(error)) from error
        if not record.name:
            raise CardFileError(source, number, "the card has no name")
        if _is_card(record.layout, record.type_line):
            yield _from_scryfall(record)


def _scryfall_array(array: bytes, data: bytes, source: str) -> Iterator[CardText]:
    try:
        items = msgspec.json.decode(array, type=list[msgspec.Raw])
    except msgspec.DecodeError as error:
        raise _broken(array, source, error) from error
    decoder = msgspec.json.Decoder(_ScryfallCard)
    place = _Place(data, source)
    for item in items:
        place.go_to(bytes(item))
        try:
            record = decoder.decode(item)
        except msgspec.DecodeError as error:
            raise place.error(_said(error)) from error
        if not record.name:
            raise place.error("the card has no name")
        if _is_card(record.layout, record.type_line):
            yield _from_scryfall(record)


def _atomic_cards(inner: bytes, data: bytes, source: str) -> Iterator[CardText]:
    try:
        entries = msgspec.json.decode(inner, type=dict[str, msgspec.Raw])
    except msgspec.DecodeError as error:
        raise CardFileError(source, None, f"is no AtomicCards file: {_said(error)}") from error
    decoder = msgspec.json.Decoder(tuple[_AtomicFace, ...])
    place = _Place(data, source)
    for key, item in entries.items():
        place.go_to(bytes(item))
        try:
            faces = decoder.decode(item)
        except msgspec.DecodeError as error:
            raise place.error(f"{key}: {_said(error)}") from error
        if not faces or not faces[0].name:
            raise place.error("the card has no name")
        if _is_card(faces[0].layout, faces[0].type):
            yield _from_atomic(faces)


class _Place:
    """Where in the file a record stands; the line is counted only when somebody asks."""

    def __init__(self, data: bytes, source: str) -> None:
        self._data = data
        self._source = source
        self._offset = 0
        self._length = 0

    def go_to(self, item: bytes) -> None:
        found = self._data.find(item, self._offset + self._length)
        self._offset = found if found >= 0 else self._offset
        self._length = len(item)

    def error(self, reason: str) -> CardFileError:
        line = self._data.count(b"\n", 0, self._offset) + 1
        return CardFileError(self._source, line, reason)


def _broken(data: bytes, source: str, error: msgspec.DecodeError) -> CardFileError:
    """Say on which line JSON stops being JSON."""
    text = str(error)
    if "truncated" in text:
        return CardFileError(source, data.rstrip().count(b"\n") + 1, _said(error))
    place = text.rpartition("(byte ")[2].rstrip(")")
    line = data.count(b"\n", 0, int(place)) + 1 if place.isdigit() else None
    return CardFileError(source, line, _said(error))


def _said(error: msgspec.DecodeError) -> str:
    text = str(error)
    if "truncated" in text:
        return "the file is cut short, it ends in the middle of a card"
    if isinstance(error, msgspec.ValidationError):
        return f"a card is not as it must be ({text})"
    return f"this is no JSON ({text})"


# Records to card texts


def _is_card(layout: str, type_line: str | None) -> bool:
    return layout not in PASSED_OVER and not (type_line or "").startswith(("Token", "Card"))


def _from_scryfall(record: _ScryfallCard) -> CardText:
    layout = _SAME_LAYOUT.get(record.layout, record.layout)
    if record.card_faces is None or len(record.card_faces) < 2:
        return _card_text(record, layout, record.set, record.released_at)
    faces = tuple(_card_text(face, layout, "", "") for face in record.card_faces)
    return _of_faces(faces, layout, record.set, record.released_at)


def _from_atomic(entries: tuple[_AtomicFace, ...]) -> CardText:
    """Join the entries under one name; without sides they are variants, and the first counts."""
    first = entries[0]
    layout = _SAME_LAYOUT.get(first.layout, first.layout)
    printed = first.first_printing or (first.printings[0] if first.printings else "")
    sides = sorted((entry for entry in entries if entry.side), key=lambda entry: entry.side or "")
    records = tuple(_as_scryfall(entry) for entry in sides or entries[:1])
    if len(records) == 1:
        return _card_text(records[0], layout, printed.lower(), "")
    faces = tuple(_card_text(face, layout, "", "") for face in records)
    return _of_faces(faces, layout, printed.lower(), "")


def _as_scryfall(entry: _AtomicFace) -> _ScryfallFace:
    return _ScryfallFace(
        name=entry.face_name or entry.name,
        mana_cost=entry.mana_cost,
        type_line=entry.type,
        oracle_text=entry.text,
        power=entry.power,
        toughness=entry.toughness,
        loyalty=entry.loyalty,
        color_indicator=entry.color_indicator,
    )


def _card_text(record: _ScryfallFace, layout: str, printed_in: str, released_at: str) -> CardText:
    return CardText(
        name=record.name,
        mana_cost=record.mana_cost or "",
        type_line=record.type_line or "",
        oracle_text=(record.oracle_text or "").strip(),
        power=record.power,
        toughness=record.toughness,
        loyalty=record.loyalty,
        color_indicator=tuple(sorted(record.color_indicator or ())),
        layout=layout,
        set=printed_in,
        released_at=released_at,
    )


def _of_faces(
    faces: tuple[CardText, ...], layout: str, printed_in: str, released_at: str
) -> CardText:
    """Join faces to a card: sources differ in what they say of the whole, the faces decide."""
    name = faces[0].name if layout == "meld" else FACE_SEPARATOR.join(f.name for f in faces)
    return CardText(
        name=name,
        mana_cost=FACE_SEPARATOR.join(face.mana_cost for face in faces if face.mana_cost),
        type_line=FACE_SEPARATOR.join(face.type_line for face in faces),
        oracle_text="",
        layout=layout,
        set=printed_in,
        released_at=released_at,
        faces=faces,
    )
