"""Deck files of MTGO: `.dek`, an XML list of `<Cards CatID Quantity Sideboard Name/>`."""

from __future__ import annotations

from xml.parsers import expat

from .deck_piles import MAIN, SIDEBOARD, Deck, DeckFileError, Piles, Refusal


def read_xml_deck(data: bytes, path: str, name: str) -> Deck:
    """Read a deck as MTGO saves it, or raise DeckFileError.

    Expat is driven directly because it alone says on which line an element stands.
    """
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartElementHandler = reader.start
    parser.StartDoctypeDeclHandler = reader.refuse_doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = f"this is no XML ({expat.ErrorString(error.code)})"
        raise DeckFileError(path, error.lineno, reason) from error
    except Refusal as refusal:
        raise DeckFileError(path, parser.CurrentLineNumber, str(refusal)) from None
    if not reader.is_deck:
        raise DeckFileError(path, None, "this XML is no deck, it has no element <Deck>")
    return reader.piles.deck(name, path)


class _Reader:
    """Takes elements as the parser meets them."""

    def __init__(self) -> None:
        self.piles = Piles()
        self.is_deck = False

    def start(self, element: str, attributes: dict[str, str]) -> None:
        if element == "Deck":
            self.is_deck = True
        elif element == "Cards":
            self._read_cards(attributes)

    def refuse_doctype(self, *_: object) -> None:
        # A deck needs no entities, and entities that multiply would fill the memory.
        raise Refusal("a document type has no place in a deck")

    def _read_cards(self, attributes: dict[str, str]) -> None:
        name = attributes.get("Name", "").strip()
        if not name:
            raise Refusal("<Cards> names no card")
        quantity = attributes.get("Quantity", "")
        if not (quantity.isascii() and quantity.isdigit()):
            raise Refusal(f"{quantity!r} is no number of cards")
        on_the_side = attributes.get("Sideboard", "false").lower() == "true"
        self.piles.add(SIDEBOARD if on_the_side else MAIN, int(quantity), name)
