"""The steps of a scenario's script: each is turned into decisions at the scenario's table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..cards.model import ActivatedAbility
from ..cards.names import folded_name
from ..events.base import Decision
from ..events.decisions import (
    ActivateAbility,
    CastSpell,
    Concede,
    DeclareAttackers,
    DeclareBlockers,
    KeepHand,
    PassPriority,
    Payment,
    PlayLand,
    SetUp,
    TakeMulligan,
    TurnFaceUp,
)
from ..events.ids import NOBODY, NOTHING, ObjectId, PlayerId, Step
from ..projections.characteristics import FACE_DOWN, Characteristics
from ..projections.context import Context
from ..rules.arranging import SETTABLE
from ..rules.casting import FACE_DOWN_CAST
from ..rules.combat_attack import able_attackers
from ..rules.combat_block import attackers_of
from ..rules.mana import activated_abilities, is_mana_ability, mana_options
from ..rules.targets import phrases_of, spell_body
from .answers import targets_of
from .names import ZONE_WORDS, Misread, player_named
from .scenario_setup import Unbuilt, step_named
from .scenario_table import ScenarioTable, StepFailed, Waiting, told
from .scenario_words import item_list, mana_option

_CAST_KEYS = (
    *("cast", "by", "targets", "x", "modes", "kicked", "alternative", "face", "from", "pay"),
    "divided",
)
_ACTIVATE_KEYS = ("activate", "ability", "by", "targets", "x", "modes", "pay", "divided", "from")
_PAID = {
    "sacrifice": "sacrificed",
    "discard": "discarded",
    "tap": "tapped",
    "exile": "exiled",
    "return": "returned",
}
_PASSES_MAX = 5_000

Goal = Callable[[], bool]
"""Says whether the players have passed as far as a step wants."""


class Steps:
    """Does the steps of one script."""

    def __init__(self, table: ScenarioTable) -> None:
        """Play at a table."""
        self.table = table
        self.goal: Goal | None = None

    def proposal(self, step: dict[str, Any]) -> Decision | None:
        """Return the decision that a step is; None for one that only passes priority."""
        for word, make in self._makers().items():
            if word in step:
                return make(step)
        return None

    def do(self, step: dict[str, Any]) -> None:
        """Do a step of a map: decide, and fail with the rule that refuses it."""
        if "choose" in step:
            self.choose(step)
            return
        if "step" in step or "turn" in step:
            self.go_to(step)
            return
        self.prepare(step)
        if self._is_nothing_to_declare(step):
            return
        decision = self.proposal(step)
        if decision is None:
            known = ", ".join((*self._makers(), "choose", "step", "turn", "illegal", "expect"))
            raise Unbuilt(f"no step is written with {', '.join(sorted(step))}; there are {known}")
        refused = self.table.decide(decision)
        if refused is not None:
            raise StepFailed("a step that is accepted", told(refused), refused.change)

    def prepare(self, step: dict[str, Any]) -> None:
        """Move on to where the step is taken: declarations have their own moments."""
        if "attack" in step:
            self._move_to_declaration("attackers", Step.DECLARE_ATTACKERS, step)
        elif "block" in step:
            self._move_to_declaration("blockers", Step.DECLARE_BLOCKERS, step)
        elif not ("concede" in step or "keep" in step or "mulligan" in step):
            self.table.declare_nothing()

    def _makers(self) -> dict[str, Callable[[dict[str, Any]], Decision]]:
        return {
            "cast": self._cast,
            "activate": self._activate,
            "play": self._play,
            "attack": self._attack,
            "block": self._block,
            "pass": self._pass,
            "concede": lambda step: Concede(*self._out_of_turn(step["concede"])),
            "keep": lambda step: KeepHand(*self._asked(step["keep"])),
            "mulligan": lambda step: TakeMulligan(*self._asked(step["mulligan"])),
            "special": self._special,
            "put": self._put,
        }

    def _special(self, step: dict[str, Any]) -> Decision:
        _check_keys(step, ("special", "card", "by", "pay"))
        if step["special"] != "unmorph":
            raise Unbuilt(f"the special action {step['special']!r} is not built yet")
        fields = self._asked(step["by"])
        item = self.table.naming.object(str(step["card"]))
        return TurnFaceUp(*fields, item, self._payment(step.get("pay"), fields[1]))

    def _put(self, step: dict[str, Any]) -> Decision:
        _check_keys(step, ("put", "into"))
        who, _, zone = str(step.get("into")).rpartition(".")
        kind = ZONE_WORDS.get(zone)
        if kind not in SETTABLE:
            raise Unbuilt(f"put: into: {step.get('into')} is not built yet")
        wanted = folded_name(str(step["put"]))
        definitions = self.table.game.definitions
        for digest in definitions:
            if folded_name(definitions.get(digest).name) == wanted:
                return SetUp(NOBODY, NOBODY, 0, ((digest, int(kind), self.player(who)),))
        raise StepFailed(f"a card named {step['put']}", "no card of that name")

    def player(self, name: object) -> PlayerId:
        """Return a player of the scenario."""
        found = player_named(self.table.game, str(name))
        if found is None:
            raise StepFailed("a player of the scenario", repr(name))
        return found

    def _asked(self, name: object) -> tuple[PlayerId, PlayerId, int]:
        """Return seat, player and counter for a decision of a player."""
        player = self.player(name)
        prompt = self.table.prompt
        if prompt is not None and prompt.player == player:
            return (prompt.seat, player, prompt.counter)
        return self._out_of_turn(name)

    def _out_of_turn(self, name: object) -> tuple[PlayerId, PlayerId, int]:
        player = self.player(name)
        return (player, player, self.table.game.state.decision_counters[player])

    def choose(self, step: dict[str, Any]) -> None:
        """Give a player's next answer, and go on with a step that waited for it."""
        player = self.player(step["by"]) if "by" in step else self._chooser()
        self.table.give(player, item_list(step["choose"]))
        if self.goal is not None and not self.table.waits_for_choice():
            self._pass_until(self.goal)

    def _chooser(self) -> PlayerId:
        prompt = self.table.prompt
        if prompt is None:
            raise StepFailed("a player who is asked", "nobody is asked")
        return prompt.player

    # Casting, activating, playing

    def _cast(self, step: dict[str, Any]) -> Decision:
        _check_keys(step, _CAST_KEYS)
        for key in ("kicked", "face"):
            if step.get(key):
                raise Unbuilt(f"cast with {key}: {step[key]} is not built yet")
        alternative = str(step.get("alternative") or "")
        if alternative not in ("", *FACE_DOWN_CAST):
            raise Unbuilt(f"cast with alternative: {alternative} is not built yet")
        options = (alternative,) if alternative else ()
        fields = self._asked(step["by"])
        card = self._card(step["cast"], fields[1], step.get("from"))
        traits = FACE_DOWN if options else self.table.game.characteristics(card)
        modes = tuple(int(mode) for mode in item_list(step.get("modes")))
        x = int(step.get("x") or 0)
        context = Context(source=card, you=fields[1], x=x)
        body = spell_body(traits)
        phrases = phrases_of(body, modes) if _are_modes(body, modes) else ()
        shares = tuple(int(part) for part in item_list(step.get("divided")))
        targets = targets_of(
            self.table.naming, phrases, item_list(step.get("targets")), context, shares
        )
        payment = self._payment(step.get("pay"), fields[1])
        return CastSpell(*fields, card, targets, modes, x, payment, options)

    def _card(self, name: object, player: PlayerId, zone: object) -> ObjectId:
        """Return a card that a player casts or plays: from their hand unless said otherwise."""
        state = self.table.game.state
        kind = ZONE_WORDS.get(str(zone or "hand"))
        if kind is None:
            raise Unbuilt(f"from: {zone} is not built yet")
        owned = [item for item in state.objects if item and state.objects[item].zone == kind]
        among = [item for item in owned if state.objects[item].owner == player]
        return self.table.naming.object(str(name), among)

    def _play(self, step: dict[str, Any]) -> Decision:
        _check_keys(step, ("play", "by", "from"))
        fields = self._asked(step["by"])
        return PlayLand(*fields, self._card(step["play"], fields[1], step.get("from")))

    def _activate(self, step: dict[str, Any]) -> Decision:
        _check_keys(step, _ACTIVATE_KEYS)
        game = self.table.game
        fields = self._asked(step["by"])
        source = self._source(step["activate"], fields[1], step.get("from"))
        traits = game.characteristics(source)
        number = self._ability_number(traits, step)
        abilities = activated_abilities(traits)
        modes = tuple(int(mode) for mode in item_list(step.get("modes")))
        x = int(step.get("x") or 0)
        targets: tuple[Any, ...] = ()
        mana = ""
        if 0 <= number < len(abilities):
            ability = abilities[number]
            context = Context(source=source, you=fields[1], x=x)
            phrases = phrases_of(ability.body, modes) if _are_modes(ability.body, modes) else ()
            named = item_list(step.get("targets"))
            shares = tuple(int(part) for part in item_list(step.get("divided")))
            targets = targets_of(self.table.naming, phrases, named, context, shares)
            mana = self._mana(source, fields[1], ability)
        payment = self._payment(step.get("pay"), fields[1])
        return ActivateAbility(*fields, source, number, targets, modes, x, payment, mana)

    def _ability_number(self, traits: Characteristics, step: dict[str, Any]) -> int:
        return int(step.get("ability") or 1) - 1

    def _source(self, name: object, player: PlayerId, zone: object) -> ObjectId:
        game = self.table.game
        if zone is not None:
            return self._card(name, player, zone)
        mine = game.state.players[player]
        elsewhere = [
            item
            for item in (*mine.graveyard, *mine.hand)
            if any(
                ability.zone == game.state.objects[item].zone
                for ability in activated_abilities(game.characteristics(item))
            )
        ]
        return self.table.naming.object(str(name), [*game.permanents_of(player), *elsewhere])

    def _mana(self, source: ObjectId, player: PlayerId, ability: ActivatedAbility) -> str:
        """Return what a mana ability with options is to add: the next answer says which."""
        if not is_mana_ability(ability):
            return ""
        options = mana_options(self.table.game, source, player, ability)
        queue = self.table.queues[player]
        coming = list(queue) or list(self.table.coming(player))
        if len(options) < 2 or not coming:
            return ""
        found = mana_option(options, coming[0])
        if found and queue:
            del queue[0]
        return found

    def _payment(self, pay: object, player: PlayerId) -> Payment:
        if pay is None:
            return Payment()
        if not isinstance(pay, dict):
            raise Unbuilt(f"pay: {pay} is not built yet")
        parts: dict[str, Any] = {}
        for key, value in pay.items():
            if key == "life":
                parts["life"] = int(value)
            elif key in _PAID:
                names = [str(item) for item in item_list(value)]
                parts[_PAID[key]] = self._paid(key, names, player)
            else:
                raise Unbuilt(f"pay: {key} is not built yet")
        return Payment(**parts)

    def _paid(self, key: str, names: Sequence[str], player: PlayerId) -> tuple[ObjectId, ...]:
        game = self.table.game
        mine = game.state.players[player]
        zones: dict[str, Sequence[ObjectId]] = {
            "discard": mine.hand,
            "exile": (*mine.graveyard, *mine.hand, *game.permanents_of(player)),
        }
        among = list(zones.get(key, game.permanents_of(player)))
        chosen: list[ObjectId] = []
        for name in names:
            left = [item for item in among if item not in chosen]
            chosen.append(self.table.naming.object(name, left))
        return tuple(chosen)

    def _pass(self, step: dict[str, Any]) -> Decision:
        _check_keys(step, ("pass",))
        return PassPriority(*self._asked(step["pass"]))

    # Combat

    def _attack(self, step: dict[str, Any]) -> Decision:
        _check_keys(step, ("attack", "by"))
        game = self.table.game
        fields = self._asked(step.get("by") or game.state.players[game.state.turn.active].name)
        able = able_attackers(game, fields[1])
        chosen: list[tuple[ObjectId, PlayerId, ObjectId]] = []
        for name, whom in (step["attack"] or {}).items():
            taken = [attack[0] for attack in chosen]
            among = [item for item in game.permanents_of(fields[1]) if item not in taken]
            preferred = [item for item in able if item not in taken]
            attacker = self._either(str(name), preferred, among)
            chosen.append((attacker, *self._defender(str(whom))))
        return DeclareAttackers(*fields, tuple(chosen))

    def _either(
        self, name: str, preferred: Sequence[ObjectId], among: Sequence[ObjectId]
    ) -> ObjectId:
        try:
            return self.table.naming.object(name, among)
        except Misread:
            return self.table.naming.object(name, preferred)

    def _defender(self, name: str) -> tuple[PlayerId, ObjectId]:
        game = self.table.game
        player = player_named(game, name)
        if player is not None:
            return player, NOTHING
        item = self.table.naming.object(name, game.state.battlefield)
        return game.controller_of(item), item

    def _block(self, step: dict[str, Any]) -> Decision:
        _check_keys(step, ("block", "by"))
        game = self.table.game
        prompt = self.table.prompt
        asked = prompt.player if prompt is not None else PlayerId(0)
        fields = self._asked(step.get("by") or game.state.players[asked].name)
        mine, attackers = game.permanents_of(fields[1]), attackers_of(game, fields[1])
        pairs: list[tuple[ObjectId, ObjectId]] = []
        for name, whom in (step["block"] or {}).items():
            blocker = self.table.naming.object(str(name), mine)
            names = [str(one) for one in item_list(whom)]
            pairs += [(blocker, self.table.naming.object(one, attackers)) for one in names]
        return DeclareBlockers(*fields, tuple(pairs))

    def _move_to_declaration(self, kind: str, at: Step, step: dict[str, Any]) -> None:
        """Pass until the declaration is asked of the player who declares."""
        by = step.get("by")
        turn = self.table.game.state.turn.number

        def is_asked() -> bool:
            prompt = self.table.prompt
            return (
                prompt is not None
                and prompt.kind == kind
                and (by is None or prompt.player == self.player(by))
            )

        for _ in range(_PASSES_MAX):
            if is_asked():
                return
            state = self.table.game.state
            is_over = (state.turn.number, state.turn.step) > (turn, at)
            prompt = self.table.prompt
            is_past = (
                state.turn.step == at
                and prompt is not None
                and prompt.kind == "priority"
                and state.turn.actions_done
            )
            if is_over or is_past or state.winners is not None:
                if self._declares_nothing(step):
                    return
                raise StepFailed(f"a declaration of {kind}", f"nobody is asked for {kind}")
            if prompt is not None and prompt.kind == kind:
                self._declare_for_other(kind)
            else:
                self.table.pass_once()
        raise StepFailed(f"a declaration of {kind}", "passing without end")

    def _declare_for_other(self, kind: str) -> None:
        """Let a player whom the step does not name declare nothing."""
        prompt = self.table.prompt
        assert prompt is not None, "somebody is asked"
        before = prompt.player
        self.table.declare_nothing_once()
        after = self.table.prompt
        if after is not None and after.kind == kind and after.player == before:
            raise StepFailed(f"a declaration of {kind}", "another player is asked")

    def _is_nothing_to_declare(self, step: dict[str, Any]) -> bool:
        """Say whether a step declares nothing where nobody is asked: nothing could be declared."""
        if not ("attack" in step or "block" in step) or not self._declares_nothing(step):
            return False
        prompt = self.table.prompt
        return prompt is None or prompt.kind != ("attackers" if "attack" in step else "blockers")

    def _declares_nothing(self, step: dict[str, Any]) -> bool:
        return not (step.get("attack") or step.get("block"))

    # Passing

    def word(self, word: str) -> None:
        """Do a step that is one word: resolve, resolve_all."""
        state = self.table.game.state
        if word == "resolve":
            self.table.declare_nothing()
            if not state.stack:
                raise StepFailed("an object on the stack to resolve", "an empty stack")
            top = state.stack[-1]
            self._pass_until(lambda: top not in self.table.game.state.stack)
        elif word == "resolve_all":
            self._pass_until(lambda: not self.table.game.state.stack)
        else:
            raise Unbuilt(f"{word!r} is no step; steps of one word are resolve and resolve_all")

    def go_to(self, step: dict[str, Any]) -> None:
        """Pass until a step begins, of this turn or of a named one."""
        _check_keys(step, ("step", "turn"))
        now = self.table.game.state.turn
        number = int(step.get("turn") or now.number)
        wanted = step_named(str(step.get("step") or "upkeep"))
        goal = (number, wanted)
        if (now.number, now.step) > goal:
            raise StepFailed(f"{_moment(*goal)} to come", f"it is {_moment(now.number, now.step)}")

        def is_there() -> bool:
            turn = self.table.game.state.turn
            is_open = self.table.prompt is None or self.table.prompt.kind == "priority"
            return (turn.number, turn.step) >= goal and is_open

        self.table.steps_seen.clear()
        self._pass_until(is_there)
        turn = self.table.game.state.turn
        if self.goal is None and (turn.number, turn.step) != goal:
            self._check_passed_through(goal)

    def _check_passed_through(self, goal: tuple[int, Step]) -> None:
        """Fail if the step never came: nobody has priority in some, others are skipped."""
        if (goal[0], int(goal[1])) in self.table.steps_seen:
            return
        turn = self.table.game.state.turn
        raise StepFailed(
            f"{_moment(*goal)} to begin", f"it is {_moment(turn.number, turn.step)}: it was skipped"
        )

    def _pass_until(self, goal: Goal) -> None:
        """Let the players pass until the goal is reached; wait where the script has to choose."""
        self.goal = goal
        for _ in range(_PASSES_MAX):
            if self.table.game.state.winners is not None:
                self.goal = None
                return
            if goal() and not self.table.waits_for_choice():
                self.goal = None
                return
            try:
                self.table.pass_once()
            except Waiting:
                return
        raise StepFailed("a game that gets there", "passing without end")


def _are_modes(body: object, modes: tuple[int, ...]) -> bool:
    count = len(getattr(body, "modes", ()))
    return all(1 <= mode <= count for mode in modes)


def _moment(turn: int, step: Step) -> str:
    return f"turn {turn}, {step.name.lower()}"


def _check_keys(step: dict[str, Any], known: tuple[str, ...]) -> None:
    for key in step:
        if key not in known:
            raise Unbuilt(f"{key!r} in a step {known[0]} is not built yet")
