"""The greedy agent: for now it takes the suggestion."""

from __future__ import annotations

from ..events.decisions import AnyDecision
from ..rules.protocol import Prompt
from .knowledge import SeatKnowledge


class GreedyAgent:
    """Takes what looks best at once."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def decide(self, prompt: Prompt, game: SeatKnowledge) -> AnyDecision:
        """Return a legal answer."""
        return game.suggestion(prompt)
