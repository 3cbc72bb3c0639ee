"""The same cards written in each shape that card files have, and decks in each format."""

import gzip
import json
from pathlib import Path
from typing import Any

from apnap.cards.deck_files import Deck, Pile

Record = dict[str, Any]


def records_of(path: Path) -> list[Record]:
    """Read JSON lines as plain JSON, without the reader under test."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def as_lines(records: list[Record]) -> bytes:
    """Write records as JSON lines."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def as_array(records: list[Record]) -> bytes:
    """Write records as Scryfall writes its bulk files."""
    return ("[\n" + ",\n".join(json.dumps(record) for record in records) + "\n]\n").encode()


def as_atomic(records: list[Record]) -> bytes:
    """Write records as MTGJSON's AtomicCards.json has them."""
    data = {record["name"]: _atomic_entries(record) for record in records}
    return json.dumps({"meta": {"date": "2025-02-07", "version": "5.2.2"}, "data": data}).encode()


def _atomic_entries(record: Record) -> list[Record]:
    faces = record.get("card_faces") or []
    if not faces:
        return [_atomic_entry(record, record)]
    sides = zip("abc", faces, strict=False)
    return [
        {**_atomic_entry(record, face), "faceName": face["name"], "side": side}
        for side, face in sides
    ]


def _atomic_entry(record: Record, face: Record) -> Record:
    renamed = {
        "manaCost": "mana_cost",
        "type": "type_line",
        "text": "oracle_text",
        "power": "power",
        "toughness": "toughness",
        "loyalty": "loyalty",
        "colorIndicator": "color_indicator",
    }
    entry = {new: face[old] for new, old in renamed.items() if face.get(old)}
    return {
        "name": record["name"],
        "layout": record.get("layout", "normal"),
        "firstPrinting": str(record.get("set", "")).upper(),
        "printings": [str(record.get("set", "")).upper()],
        "identifiers": {"scryfallOracleId": "0"},
        "legalities": {"vintage": "Legal"},
        "manaValue": 1.0,
        **entry,
    }


def counted(pile: Pile, line: str) -> str:
    """Write a pile, each entry by a pattern with `n` and `name`."""
    return "".join(line.format(n=count, name=name) + "\n" for count, name in pile)


def deck_formats(deck: Deck) -> dict[str, bytes]:
    """Write a deck with a sideboard in every format, by file name."""
    main, side = deck.main, deck.sideboard
    quoted = '  <Cards CatID="7" Quantity="{n}" Sideboard="false" Name="{name}" Annotation="0" />'
    xml = counted(main, quoted) + counted(side, quoted.replace("false", "true"))
    forge = "[metadata]\nName={}\n[Main]\n{}[Sideboard]\n{}"
    entry = "{n} {name}|M19|2"
    arena = "{n} {name} (M19) 12"
    moxfield = "{n} {name} (M19) 12 *F*"
    texts = {
        "forge.dck": forge.format(deck.name, counted(main, entry), counted(side, entry)),
        "xmage.dck": f"NAME:{deck.name}\n"
        + counted(main, "{n} [M19:12] {name}")
        + counted(side, "SB: {n} [M19:12] {name}")
        + "LAYOUT MAIN:(1,1)(NONE,false,50)|([M19:12])\nLAYOUT SIDEBOARD:(0,0)(NONE,false,50)|\n",
        "apprentice.dec": f"// NAME : {deck.name}\n// four colours\n\n"
        + counted(main, "    {n} {name}")
        + counted(side, "SB: {n} {name}"),
        "arena.txt": f"About\nName {deck.name}\n\nDeck\n{counted(main, arena)}\n"
        f"Sideboard\n{counted(side, arena)}",
        "moxfield.txt": f"{counted(main, moxfield)}\nSIDEBOARD:\n{counted(side, moxfield)}",
        "mtgo.txt": f"{counted(main, '{n} {name}')}\n{counted(side, '{n} {name}')}",
        "counted.txt": f"{counted(main, '{n}x {name}')}\n{counted(side, '{n}x {name}')}",
        "mtgo.dek": '<?xml version="1.0" encoding="utf-8"?>\n<Deck>\n  <NetDeckID>0</NetDeckID>\n'
        + xml.replace("&", "&amp;")
        + "</Deck>\n",
    }
    return {name: text.encode() for name, text in texts.items()}
