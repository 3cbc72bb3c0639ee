"""Agents answer for seats. The built-in ones are deterministic: `random` and `greedy`.

What an agent decides depends on its seed, its seat's count of decisions, what the seat may know,
and the prompt: nothing else. A person is no agent: their decisions come from outside.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Protocol

from ..events.decisions import AnyDecision
from ..rules.protocol import Prompt
from .agent_greedy import GreedyAgent, is_no_mana
from .chance import Chance
from .knowledge import SeatKnowledge

OPTIONS_MAX = 16
"""How many of the listed answers the random agent picks among."""

PASS_ONE_IN = 4
MANA_ONE_IN = 24


class Agent(Protocol):
    """Answers the prompts of one seat."""

    def decide(self, prompt: Prompt, game: SeatKnowledge) -> AnyDecision:
        """Return a legal answer to the prompt."""


class RandomAgent:
    """Picks any of the first answers that are listed, each as likely."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def decide(self, prompt: Prompt, game: SeatKnowledge) -> AnyDecision:
        """Return any legal answer; with priority it passes at once now and then."""
        chance = Chance(self.seed, prompt.counter)
        options = game.lazy_options(prompt)
        if prompt.kind == "priority":
            if chance.one_in(PASS_ONE_IN):
                return next(options)
            if not chance.one_in(MANA_ONE_IN):
                # Mana abilities are listed last; what they add mostly goes to waste.
                options = takewhile(is_no_mana, options)
        listed: list[AnyDecision] = []
        for option in options:
            listed.append(option)
            if len(listed) == OPTIONS_MAX:
                break
        return listed[chance.below(len(listed))]


def agent_named(name: str, seed: bytes) -> Agent:
    """Return the built-in agent of that name, with its chance."""
    return _MAKERS[name](seed)


_MAKERS: dict[str, type[RandomAgent | GreedyAgent]] = {
    "random": RandomAgent,
    "greedy": GreedyAgent,
}

BUILTIN_AGENTS = tuple(_MAKERS)
"""The names of the agents that come with the program."""

__all__ = ["BUILTIN_AGENTS", "Agent", "GreedyAgent", "RandomAgent", "SeatKnowledge", "agent_named"]
