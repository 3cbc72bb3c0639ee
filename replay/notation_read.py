"""Reading the notation: the exact form, and what people type."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from ..events.base import Decision
from ..events.decisions import (
    Answer,
    BeginGame,
    ChoosePlayers,
    ChooseTargets,
    Concede,
    GiveConsent,
    KeepHand,
    OfferTakeBack,
    OrderObjects,
    PassPriority,
    RefuseConsent,
    Repair,
    ReportTailLost,
    RevokeStandingPass,
    SetUp,
    StandingMode,
    TakeMulligan,
)
from ..events.ids import JUDGE, NOBODY, CommitNumber, ObjectId, PlayerId
from ..projections.position import Position
from ..rules.prompts import (
    ChooseTriggerTargets,
    OrderTriggers,
    SelectObjects,
    SelectOption,
    SelectPlayers,
    YesNo,
)
from ..rules.protocol import Prompt
from .answers import NO, NONE, YES, Item, answer_of
from .names import Misread, Naming, NotationError, player_named, split_list
from .notation_combat import read_attack, read_block, read_division
from .notation_proposals import (
    Fields,
    read_activation,
    read_bare_action,
    read_cast,
    read_modes,
    read_payment,
    read_play,
    read_tap,
    read_targets,
    read_turn_up,
)
from .remedies import read_remedy

_FOR = re.compile(r"^\(for ([^)]+)\)\s*", re.IGNORECASE)
_CHOOSE = re.compile(
    r"^(?:choose|pick|select|discard|sacrifice|keep|bottom|put|take|name|find|option)\b\s*",
    re.IGNORECASE,
)
_LOST = re.compile(r"lost (\d+) to (\d+) ([0-9a-f]{32})")
_TAKE_BACK = re.compile(r"(?:take|go) back to (?:after )?(?:commit )?(\d+)")
_SET_UP = re.compile(r"((?:[0-9a-f]{2})+)/(\d+)/(\d+)")
_TAIL = re.compile(r"\s+(?:on|to) (?:the )?bottom$|\s+on top$", re.IGNORECASE)

_PASSING = {
    r"(?:pass|p|ok|next|pass priority|no response|nothing|no)": StandingMode.NONE,
    r"(?:pass turn|end turn|pass (?:until|till|to) (?:the )?end(?: of turn)?|"
    r"pass (?:the )?(?:rest of the )?turn|f6)": StandingMode.UNTIL_END_OF_TURN,
    r"(?:pass (?:until|till) (?:the stack grows|something happens|(?:a )?response))": (
        StandingMode.UNTIL_STACK_GROWS
    ),
    r"(?:pass (?:until|till|to) my (?:next )?turn)": StandingMode.UNTIL_MY_TURN,
}


def parse_decision(
    game: Position,
    prompt: Prompt | None,
    text: str,
    *,
    seat: PlayerId | None = None,
    aliases: Mapping[str, ObjectId] | None = None,
) -> Decision | NotationError:
    """Return the decision that a text means, or what is wrong with the text.

    It is what `seat` decides (default: who is asked). Legality is not judged here: an attack that
    the rules refuse is read all the same. What may mean several things is refused with these.
    """
    try:
        return _Reader(game, prompt, seat, aliases or {}).read(text)
    except Misread as error:
        return error.error


class _Reader:
    """Reads one text against a position."""

    def __init__(
        self,
        game: Position,
        prompt: Prompt | None,
        seat: PlayerId | None,
        aliases: Mapping[str, ObjectId],
    ) -> None:
        self.game = game
        self.prompt = prompt
        self.naming = Naming(game, aliases, lenient=True)
        if seat is None:
            seat = prompt.seat if prompt is not None else game.state.turn.active
        self.seat = seat
        self.player = prompt.player if prompt is not None and prompt.seat == seat else seat

    @property
    def fields(self) -> Fields:
        """Seat, player and counter of the decision."""
        counters = self.game.state.decision_counters
        return (self.seat, self.player, counters[self.seat] if self.seat >= 0 else 0)

    @property
    def kind(self) -> str:
        """The kind of what the seat is asked; empty if it is not asked."""
        prompt = self.prompt
        return prompt.kind if prompt is not None and prompt.seat == self.seat else ""

    def read(self, text: str) -> Decision:
        """Return the decision."""
        text = " ".join(text.split()).rstrip(".!")
        prefix = _FOR.match(text)
        if prefix is not None:
            self.player = self.naming.player(prefix[1])
            text = text[prefix.end() :]
        if not text:
            raise Misread("syntax", "say what to do", ("pass", "concede"))
        if self.seat == JUDGE:
            return Repair(JUDGE, JUDGE, 0, read_remedy(self.naming, text))
        found = self._fixed(text) or self._verb(text)
        return found if found is not None else self._bare(text)

    def _fixed(self, text: str) -> Decision | None:
        """Return what words mean that take no names."""
        word = text.lower()
        if word in {"concede", "i concede", "resign", "give up", "scoop"}:
            return Concede(*self.fields)
        if word in {"stop passing", "revoke", "wait", "stop"}:
            return RevokeStandingPass(*self.fields)
        found = _TAKE_BACK.fullmatch(word)
        if found is not None:
            return OfferTakeBack(*self.fields, CommitNumber(int(found[1])))
        if word in {"agree", "i agree", "consent"}:
            return GiveConsent(*self.fields)
        if word in {"refuse", "i refuse", "disagree"}:
            return RefuseConsent(*self.fields)
        lost = _LOST.fullmatch(word)
        if lost is not None:
            kept, last = CommitNumber(int(lost[1]) - 1), CommitNumber(int(lost[2]))
            return ReportTailLost(NOBODY, NOBODY, 0, kept, last, bytes.fromhex(lost[3]))
        if word == "begin":
            return BeginGame(NOBODY, NOBODY, 0)
        if self.kind in {"mulligan", ""}:
            if word in {"keep", "keep hand", "keep it", "keep this hand", "k"}:
                return KeepHand(*self.fields)
            if word in {"mulligan", "mull", "take a mulligan", "m"}:
                return TakeMulligan(*self.fields)
        if self.kind in {"priority", ""}:
            return self._passing(word)
        return self._declares_nothing(word)

    def _passing(self, word: str) -> Decision | None:
        for pattern, mode in _PASSING.items():
            if re.fullmatch(pattern, word):
                return PassPriority(*self.fields, int(mode))
        return None

    def _declares_nothing(self, word: str) -> Decision | None:
        """Return an empty declaration for "done" and the like."""
        if word in {"done", "pass", "none", "nothing", "no", "skip", "ok"}:
            if self.kind == "attackers":
                return read_attack(self.naming, self.fields, "with nothing")
            if self.kind == "blockers":
                return read_block(self.naming, self.fields, "nothing")
        return None

    def _verb(self, text: str) -> Decision | None:
        """Return what a text means that begins with a verb of its own."""
        word, _, rest = text.partition(" ")
        word = word.lower()
        if self._is_choice_of_objects() and word in {"keep", "take", "put"}:
            return None
        readers = self._verbs()
        if word in readers:
            return readers[word](rest.strip())
        lowered = text.lower()
        if lowered in {"no attack", "no attacks", "no attackers", "don't attack"}:
            return read_attack(self.naming, self.fields, "with nothing")
        if lowered in {"no block", "no blocks", "no blockers", "don't block"}:
            return read_block(self.naming, self.fields, "nothing")
        if lowered.startswith("set up "):
            return self._set_up(text[len("set up ") :])
        for verb, read in ((" attacks", read_attack), (" blocks ", read_block)):
            subject, found, tail = text.partition(verb)
            if found and (verb == " blocks " or not tail or tail.startswith(" ")):
                return read(self.naming, self.fields, _turned(verb.strip(), subject, tail.strip()))
        return None

    def _is_choice_of_objects(self) -> bool:
        return isinstance(self.prompt, SelectObjects | SelectPlayers)

    def _verbs(self) -> dict[str, Callable[[str], Decision]]:
        naming, fields = self.naming, self.fields
        return {
            "play": lambda rest: read_play(naming, fields, rest),
            "land": lambda rest: read_play(naming, fields, rest),
            "cast": lambda rest: read_cast(naming, fields, rest),
            "activate": lambda rest: read_activation(naming, fields, rest),
            "unmorph": lambda rest: read_turn_up(naming, fields, rest),
            "use": lambda rest: read_activation(naming, fields, rest),
            "attack": lambda rest: read_attack(naming, fields, rest),
            "swing": lambda rest: read_attack(naming, fields, rest),
            "block": lambda rest: read_block(naming, fields, rest),
            "divide": lambda rest: read_division(naming, fields, rest),
            "assign": lambda rest: read_division(naming, fields, rest),
            "target": self._targets,
            "targets": self._targets,
            "order": self._order,
            "tap": lambda rest: read_tap(naming, fields, rest),
            "yes": self._yes,
            "pay": self._yes,
        }

    def _yes(self, rest: str) -> Decision:
        if isinstance(self.prompt, SelectObjects):
            return answer_of(self.naming, self.prompt, ("yes",))
        payment, said = read_payment(self.naming, rest)
        if said.strip():
            raise Misread("syntax", f"{said!r} is not understood behind yes")
        return Answer(*self.fields, yes=True, payment=payment)

    def _targets(self, rest: str) -> Decision:
        prompt = self.prompt
        modes, rest = read_modes(rest)
        if not isinstance(prompt, ChooseTriggerTargets):
            raise Misread("syntax", "nobody is asked for targets now")
        chosen = read_targets(self.naming, prompt.body, modes, prompt.context, rest)
        return ChooseTargets(*self.fields, chosen, modes)

    def _order(self, rest: str) -> Decision:
        items = self._items(rest)
        if isinstance(self.prompt, OrderTriggers):
            return answer_of(self.naming, self.prompt, items)
        if not all(str(item).isdigit() for item in items):
            raise Misread("syntax", "an order is a list of numbers")
        return OrderObjects(*self.fields, tuple(int(item) for item in items))

    def _set_up(self, rest: str) -> Decision:
        objects: list[tuple[bytes, int, PlayerId]] = []
        for item in rest.split(" + "):
            match = _SET_UP.fullmatch(item.strip())
            if match is None:
                raise Misread("syntax", f"{item!r} is no card that is set up: HEX/ZONE/SEAT")
            card, zone, who = match.groups()
            objects.append((bytes.fromhex(card), int(zone), PlayerId(int(who))))
        return SetUp(NOBODY, NOBODY, 0, tuple(objects))

    def _items(self, text: str) -> list[Item]:
        """Return the items of a list: names, numbers, words."""
        if text.strip().lower() in NONE:
            return []
        among = getattr(self.prompt, "candidates", None)

        def is_name(part: str) -> bool:
            return part.isdigit() or _is_something(self.naming, part, among)

        return [int(part) if part.isdigit() else part for part in split_list(text, is_name)]

    def _bare(self, text: str) -> Decision:
        """Return what an answer means that has no verb, or one of choosing."""
        prompt = self.prompt if self.kind else None
        said = _TAIL.sub("", _CHOOSE.sub("", text))
        if prompt is None or prompt.kind == "priority":
            return read_bare_action(self.naming, self.fields, text)
        if prompt.kind == "attackers":
            return read_attack(self.naming, self.fields, f"with {text}")
        if prompt.kind == "blockers":
            return read_block(self.naming, self.fields, f"with {text}")
        if prompt.kind == "damage-division":
            return read_division(self.naming, self.fields, text)
        if isinstance(prompt, ChooseTriggerTargets):
            return self._targets(said)
        return self._answer(prompt, said)

    def _answer(self, prompt: Prompt, said: str) -> Decision:
        word = said.lower()
        if isinstance(prompt, YesNo) and word not in YES and word not in (*NO, *NONE):
            raise Misread("syntax", f"{said!r} is neither yes nor no", ("yes", "no"))
        if isinstance(prompt, SelectPlayers) and word in NONE:
            return ChoosePlayers(*self.fields, ())
        items: Sequence[Item] = (said,) if isinstance(prompt, SelectOption) else self._items(said)
        found = answer_of(self.naming, prompt, items)
        return msgspec.structs.replace(found, counter=self.fields[2])


def _is_something(naming: Naming, text: str, among: Sequence[ObjectId] | None) -> bool:
    """Say whether words name a player or an object."""
    return player_named(naming.game, text) is not None or bool(naming.find(text, among))


def _turned(verb: str, subject: str, tail: str) -> str:
    """Return "bob with X" for "X attacks bob", "Y with X" for "X blocks Y"."""
    if verb == "attacks":
        return f"{tail} with {subject}" if tail else f"with {subject}"
    return f"{tail} with {subject}"
