"""What is done with hidden cards, as English clauses (CR 701.16-19)."""

from __future__ import annotations

import msgspec

from ..events.ids import ZoneKind
from .grammar_hidden import HIDDEN_SENTENCES
from .model import (
    ChooseCards,
    DiscardCards,
    ExileTopFaceDown,
    Instruction,
    LookAtHand,
    MayBeginOnBattlefield,
    MoveObjects,
    Number,
    Objects,
    Players,
    PutAndRest,
    RevealCards,
    RevealHand,
    RevealTop,
    SearchLibrary,
    ShuffleLibrary,
    StaticAbility,
    You,
)
from .render_phrases import Phrases, Unrenderable, with_article
from .vocabulary import NUMBER_WORDS

_PLACES = {
    ZoneKind.BATTLEFIELD: "onto the battlefield",
    ZoneKind.HAND: "into {} hand",
    ZoneKind.GRAVEYARD: "into {} graveyard",
}


def hidden_text(instruction: Instruction, p: Phrases, who: Players) -> str | None:
    """Return what is done with hidden cards, without its subject; None if it is something else."""
    own = "your" if isinstance(who, You) else "their"
    match instruction:
        case LookAtHand(player=whose):
            subject, _ = p.player(whose)
            return f"look at {subject}'s hand"
        case RevealHand():
            return f"reveal {own} hand"
        case RevealTop():
            return f"reveal the top card of {own} library"
        case RevealCards(what=what):
            return f"reveal {_held(what, p)}"
        case DiscardCards(what=what):
            return f"discard {_held(what, p)}"
        case SearchLibrary():
            return _search(instruction, p)
        case ExileTopFaceDown():
            return "exile the top card of your library face down"
        case ShuffleLibrary(on_top=what):
            top = f", then put {_held(what, p)} on top of it" if what is not None else ""
            return f"shuffle {own} library{top}"
        case PutAndRest(what=what, to=to):
            place = _PLACES[to].format(own)
            return f"put {_held(what, p)} {place} and the rest into your graveyard"
        case MoveObjects(what=what) if p.scope.held is not None and what == p.scope.held:
            return _put(instruction, p, own)
        case ChooseCards():
            return _choice(instruction, p)
        case _:
            return None


def _held(what: Objects, p: Phrases) -> str:
    if what != p.scope.held:
        raise Unrenderable("cards that were not found or chosen last")
    return "them" if p.scope.held_plural else "that card"


def _put(move: MoveObjects, p: Phrases, own: str) -> str:
    if move.to is ZoneKind.LIBRARY:
        side = "on top of" if move.library_position == "top" else "on the bottom of"
        place = f"{side} {own} library"
    else:
        place = _PLACES[move.to].format(own) + (" tapped" if move.tapped else "")
    return f"put {_held(move.what, p)} {place}"


def _search(search: SearchLibrary, p: Phrases) -> str:
    one = search.amount == Number(1)
    text = p.described(search.what, plural=not one)
    if search.up_to:
        assert isinstance(search.amount, Number), "the grammar reads a number"
        text = f"up to {NUMBER_WORDS[search.amount.value]} {text}"
    else:
        text = with_article(text) if one else f"{p.count(search.amount)} {text}"
    shown = f", reveal {'it' if one else 'them'}" if search.reveal else ""
    return f"search your library for {text}{shown}"


def _choice(choice: ChooseCards, p: Phrases) -> str:
    if choice.what is None:
        return "choose one"
    # Cards of a library are described without their place, which "from it" says.
    shown = msgspec.structs.replace(choice.what, zone=ZoneKind.LIBRARY, owner="any")
    text = with_article(p.described(shown, plural=False))
    return f"{'may ' if choice.optional else ''}choose {text} from it"


def play_text(ability: StaticAbility, p: Phrases) -> str | None:
    """Return the sentence of a static ability about how players play, if it is one."""
    change = ability.modifications[0]
    if isinstance(change, MayBeginOnBattlefield):
        own = p.itself()
        begin = f"you may begin the game with {own} on the battlefield"
        return f"If {own} is in your opening hand, {begin}."
    text = HIDDEN_SENTENCES.get(change)
    return f"{text[:1].upper()}{text[1:]}." if text is not None else None
