"""Actions as English clauses: what players do, and what is done to objects."""

from __future__ import annotations

from ..events.ids import ZoneKind
from .model import (
    AddMana,
    Amount,
    Attach,
    CardsInHand,
    ChooseCards,
    Chosen,
    CounterSpell,
    CreateTokens,
    Destroy,
    Discard,
    DiscardCards,
    DrawCards,
    Every,
    ExileTopFaceDown,
    Filter,
    GainLife,
    Instruction,
    KeywordAbility,
    LifeTotal,
    LookAtHand,
    LoseGame,
    LoseLife,
    ManaValueOf,
    Mill,
    MoveObjects,
    Number,
    Objects,
    Players,
    PowerOf,
    PutAndRest,
    PutCounters,
    RemoveCounters,
    RevealCards,
    RevealHand,
    RevealTop,
    Sacrifice,
    Scry,
    SearchLibrary,
    ShuffleLibrary,
    TapObjects,
    Target,
    This,
    TokenTemplate,
    ToughnessOf,
    UntapObjects,
    WinGame,
    You,
)
from .predefined_tokens import PREDEFINED_TOKENS
from .render_changes import Quote, joined_list
from .render_hidden import hidden_text
from .render_keywords import keyword_text, own_cards_text
from .render_phrases import Phrases, Unrenderable, with_article
from .vocabulary import NUMBER_WORDS

READ_OFF = (PowerOf, ToughnessOf, ManaValueOf, LifeTotal)
"""Numbers that are found by looking: written behind "equal to"."""

_HIDDEN = (
    LookAtHand,
    RevealHand,
    RevealTop,
    RevealCards,
    DiscardCards,
    SearchLibrary,
    ExileTopFaceDown,
    ShuffleLibrary,
    PutAndRest,
    MoveObjects,
    ChooseCards,
)

_ANY_COLOR = ("{W}", "{U}", "{B}", "{R}", "{G}")


class Actions:
    """Writes instructions that hold no others."""

    def __init__(self, phrases: Phrases, quote: Quote) -> None:
        """Take the writer of phrases, whose scope belongs to this body."""
        self.p = phrases
        self.quote = quote
        self.bare = False  # "you may have that player draw a card": no s behind the verb

    def action(self, instruction: Instruction) -> str:
        """Return what somebody does, without a capital or a full stop."""
        hidden = self._hidden(instruction)
        if hidden is not None:
            return hidden
        match instruction:
            case GainLife(player=who, amount=number):
                return self._by(who, "gain", self._counted(number, "life"), named=True)
            case LoseLife(player=who, amount=number):
                return self._by(who, "lose", self._counted(number, "life"), named=True)
            case DrawCards(player=who, amount=number):
                return self._by(who, "draw", lambda: self._cards(number))
            case Discard(player=who, amount=CardsInHand(of=of), at_random=False) if of == who:
                hand = "your hand" if isinstance(who, You) else "their hand"
                return self._by(who, "discard", lambda: hand)
            case Discard(player=who, amount=number, at_random=random):
                ending = " at random" if random else ""
                return self._by(who, "discard", lambda: self._cards(number) + ending)
            case Mill(player=who, amount=number):
                return self._by(who, "mill", lambda: self._cards(number))
            case Scry(player=who, amount=number):
                return self._by(who, "scry", lambda: self.p.digits(number))
            case Sacrifice(player=who, what=what):
                return self._by(who, "sacrifice", lambda: self.p.objects(what)[0])
            case WinGame(player=who):
                return self._by(who, "win", lambda: "the game", named=True)
            case LoseGame(player=who):
                return self._by(who, "lose", lambda: "the game", named=True)
            case AddMana():
                return self._by(instruction.player, "add", lambda: self._mana(instruction))
            case CreateTokens():
                return self._by(instruction.player, "create", lambda: self._tokens(instruction))
            case _:
                return self._to_objects(instruction)

    def _hidden(self, instruction: Instruction) -> str | None:
        """Return what somebody does with hidden cards; None if it is something else."""
        who: Players = getattr(instruction, "player", None) or You()
        if isinstance(instruction, LookAtHand):
            who = You()
        if isinstance(instruction, MoveObjects):
            who = self.p.scope.hand or You()
        if isinstance(instruction, ChooseCards):
            who = instruction.by
        if type(instruction) not in _HIDDEN:
            return None
        if isinstance(instruction, MoveObjects) and (
            instruction.what != self.p.scope.held or instruction.to is ZoneKind.EXILE
        ):
            return None
        subject = None if isinstance(who, You) else self.p.player(who)
        text = hidden_text(instruction, self.p, who)
        if text is None:
            return None
        if subject is not None:
            verb, _, rest = text.partition(" ")
            return f"{subject[0]} {verb}{'' if subject[1] or self.bare else 's'} {rest}"
        return f"you {text}" if isinstance(instruction, ChooseCards) else text

    def _by(self, who: Players, verb: str, rest: object, *, named: bool = False) -> str:
        """Return who does something; orders leave "you" out."""
        if isinstance(who, You):
            lead = f"you {verb}" if named else verb
        else:
            subject, plural = self.p.player(who)
            lead = f"{subject} {verb}{'' if plural or self.bare else 's'}"
        assert callable(rest), "what is done is written after who does it"
        return f"{lead} {rest()}"

    def _counted(self, number: Amount, what: str) -> object:
        def text() -> str:
            if isinstance(number, READ_OFF):
                return f"{what} equal to {self.p.value(number)}"
            counted = self.p.for_each(number) if not isinstance(number, Number) else None
            if counted is not None:
                return f"{counted[0]} {what} {counted[1]}"
            return f"{self.p.digits(number)} {what}"

        return text

    def _cards(self, number: Amount) -> str:
        if number == Number(1):
            return "a card"
        counted = self.p.for_each(number) if not isinstance(number, Number) else None
        if counted is not None and counted[0] == 1:
            return f"a card {counted[1]}"
        if isinstance(number, READ_OFF):
            return f"cards equal to {self.p.value(number)}"
        return f"{self.p.count(number)} cards"

    def _mana(self, add: AddMana) -> str:
        if add.options == _ANY_COLOR:
            if add.amount == Number(1):
                return "one mana of any color"
            return f"{self.p.count(add.amount)} mana of any one color"
        if len(add.options) > 2:
            text = f"{', '.join(add.options[:-1])}, or {add.options[-1]}"
        else:
            text = " or ".join(add.options)
        counted = self.p.for_each(add.amount) if not isinstance(add.amount, Number) else None
        return f"{text} {counted[1]}" if counted is not None else text

    def _tokens(self, create: CreateTokens) -> str:
        token = create.token
        counted = self.p.for_each(create.amount) if not isinstance(create.amount, Number) else None
        one = create.amount == Number(1) or (counted is not None and counted[0] == 1)
        tapped = ["tapped"] if create.tapped else []
        if PREDEFINED_TOKENS.get(token.subtypes[0] if token.subtypes else "") == token:
            word = f"{token.subtypes[0]} {'token' if one else 'tokens'}"
            text = " ".join((*tapped, word))
            text = with_article(text) if one else f"{self.p.count(create.amount)} {text}"
            return f"{text} {counted[1]}" if one and counted is not None else text
        name = ["named", token.name] if token.name else []
        noun = "token" if one else "tokens"
        text = " ".join((*tapped, *self._token_words(token), noun, *name))
        text = with_article(text) if one else f"{self.p.count(create.amount)} {text}"
        text += self._token_abilities(token)
        return f"{text} {counted[1]}" if one and counted is not None else text

    def _token_words(self, token: TokenTemplate) -> list[str]:
        words = [*token.supertypes]
        if token.power is not None:
            words.append(f"{token.power}/{token.toughness}")
        words.append(" and ".join(token.colors) or "colorless")
        return [*words, *token.subtypes, *token.types]

    def _token_abilities(self, token: TokenTemplate) -> str:
        if not token.abilities:
            return ""
        self.p.scope.nouns = frozenset({token.types[-1], "token"})
        keywords = [each for each in token.abilities if isinstance(each, KeywordAbility)]
        quotes = [each for each in token.abilities if not isinstance(each, KeywordAbility)]
        parts = [joined_list([keyword_text(each, self.p) for each in keywords])] if keywords else []
        parts += [f'"{self.quote(each, self.p)}"' for each in quotes]
        return f" with {' and '.join(parts)}"

    def _to_objects(self, instruction: Instruction) -> str:
        match instruction:
            case Attach(what=what, to=to):
                return f"attach {self.p.objects(what)[0]} to {self.p.objects(to)[0]}"
            case Destroy(what=what):
                return f"destroy {self.p.objects(what)[0]}"
            case TapObjects(what=what):
                return f"tap {self.p.objects(what)[0]}"
            case UntapObjects(what=what):
                return f"untap {self.p.objects(what)[0]}"
            case CounterSpell(what=what):
                return f"counter {self.p.objects(what)[0]}"
            case PutCounters(what=what, kind=kind, amount=number):
                return f"put {self._counters(kind, number, what, 'on')}"
            case RemoveCounters(what=what, kind=kind, amount=number):
                return f"remove {self._counters(kind, number, what, 'from')}"
            case MoveObjects():
                return self._move(instruction)
            case _:
                raise Unrenderable(f"an instruction without words: {type(instruction).__name__}")

    def _counters(self, kind: str, number: Amount, what: Objects, joint: str) -> str:
        counted = self.p.for_each(number) if not isinstance(number, Number) else None
        if number == Number(1) or (counted is not None and counted[0] == 1):
            text = f"{with_article(kind)} counter {joint} {self._on(what)}"
            return f"{text} {counted[1]}" if counted is not None else text
        return f"{self.p.count(number)} {kind} counters {joint} {self._on(what)}"

    def _on(self, what: Objects) -> str:
        return self.p.objects(what, each=isinstance(what, Every))[0]

    def _move(self, move: MoveObjects) -> str:
        what = move.what
        zone = self._zone_of(what)
        is_put = move.to is ZoneKind.BATTLEFIELD
        if is_put and isinstance(what, Chosen) and what.own:
            return self._put_by_each(what)
        if is_put and isinstance(what, Chosen) and what.what.zone is ZoneKind.HAND:
            tapped = " tapped" if move.tapped else ""
            text = own_cards_text(what, self.p)
            return f"put {text} from your hand onto the battlefield{tapped}"
        is_put_back = move.to is ZoneKind.LIBRARY
        if is_put_back and isinstance(what, Chosen) and what.what.zone is ZoneKind.HAND:
            return self._onto_own_library(move, what)
        text, plural = self.p.objects(what)
        if isinstance(what, This) and self.p.in_graveyard:
            return self._from_graveyard(move, text)
        if move.to is ZoneKind.EXILE:
            return f"exile {text}"
        if move.to is ZoneKind.HAND:
            if zone is ZoneKind.GRAVEYARD:
                return f"return {text} to your hand"
            owners = "their owners' hands" if plural else "its owner's hand"
            return f"return {text} to {owners}"
        if move.to is ZoneKind.LIBRARY:
            place = "on top of" if move.library_position == "top" else "on the bottom of"
            owner = "their owners' libraries" if plural else "its owner's library"
            own = "your library" if zone is ZoneKind.GRAVEYARD else owner
            return f"put {text} {place} {own}"
        if move.to is not ZoneKind.BATTLEFIELD:
            raise Unrenderable("a move without words")
        return self._onto_battlefield(move, text, plural=plural)

    def _put_by_each(self, what: Chosen) -> str:
        """Return what each player may put onto the battlefield from their own hand (101.4a)."""
        text = self.p.described(what.what, plural=False).removesuffix(" in all hands")
        who, _ = self.p.player(what.by)
        return f"{who} may put {with_article(text)} from their hand onto the battlefield"

    def _onto_own_library(self, move: MoveObjects, what: Chosen) -> str:
        place = "on top of" if move.library_position == "top" else "on the bottom of"
        order = " in any order" if what.ordered else ""
        text = own_cards_text(what, self.p)
        return f"put {text} from your hand {place} your library{order}"

    def _from_graveyard(self, move: MoveObjects, text: str) -> str:
        """Return what an ability says that functions in a graveyard (CR 113.6m)."""
        if move.to is ZoneKind.HAND:
            return f"return {text} from your graveyard to your hand"
        tapped = " tapped" if move.tapped else ""
        counters = self._entering_counters(move)
        return f"return {text} from your graveyard to the battlefield{tapped}{counters}"

    def _onto_battlefield(self, move: MoveObjects, text: str, *, plural: bool) -> str:
        tapped = " tapped" if move.tapped else ""
        counters = self._entering_counters(move)
        if move.under_your_control:
            return f"return {text} to the battlefield{tapped} under your control{counters}"
        if self._zone_of(move.what) is ZoneKind.GRAVEYARD and self._owner_of(move.what) == "you":
            return f"return {text} to the battlefield{tapped}{counters}"
        owner = "their owners' control" if plural else "its owner's control"
        return f"return {text} to the battlefield{tapped} under {owner}{counters}"

    def _entering_counters(self, move: MoveObjects) -> str:
        text = ""
        for kind, number in move.counters:
            if number == 1:
                text += f" with {with_article(kind)} counter on it"
            else:
                text += f" with {NUMBER_WORDS[number]} {kind} counters on it"
        return text

    def _owner_of(self, what: Objects) -> object:
        if isinstance(what, (Every, Chosen)):
            return what.what.owner
        spec = self.p.specs[what.index if isinstance(what, Target) else 0]
        return spec.what.owner if spec.what is not None else "any"

    def _zone_of(self, what: Objects) -> ZoneKind:
        held: Filter | None = None
        if isinstance(what, (Every, Chosen)):
            held = what.what
        elif isinstance(what, Target) and what.index < len(self.p.specs):
            held = self.p.specs[what.index].what
        return held.zone if held is not None else ZoneKind.BATTLEFIELD
