"""The answer of `whynot`: whether it is refused, by which rule, and what would have to change."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from ..events.refused import Refused
from .gists import gist_lines


class Reason(StrEnum):
    """Why an ability did not trigger or a seat was not asked: stable words, beside `Code`."""

    OTHER_EVENT = "other-event"
    OTHER_OBJECT = "other-object"
    OTHER_PLAYER = "other-player"
    OTHER_KIND = "other-kind"
    CONDITION_FALSE = "condition-false"
    NOT_ON_BATTLEFIELD = "not-on-battlefield"
    NO_TRIGGERED_ABILITY = "no-triggered-ability"
    NO_LEGAL_TARGET = "no-legal-target"
    LEFT_GAME = "left-game"
    STANDING_PASS = "standing-pass"
    ONE_ANSWER = "one-answer"
    NOTHING_CAN_ATTACK = "nothing-can-attack"
    NOTHING_CAN_BLOCK = "nothing-can-block"
    OTHER_ASKED = "other-asked"


class WhyNot(msgspec.Struct, frozen=True):
    """The answer: where nothing is refused, `code`, `rule` and `change` are None.

    `change` names something after which it would be otherwise.
    """

    refused: bool
    code: str | None
    rule: str | None
    detail: str
    change: str | None

    def __str__(self) -> str:
        """Return it as lines for people."""
        if not self.refused:
            return self.detail if self.detail.endswith(".”") else f"{self.detail}."
        said = [f"{self.code} (CR {self.rule}): {self.detail}."]
        if self.change:
            said.append(f"What would change it: {self.change}.")
        return "\n".join((*said, *gist_lines(said)))


def not_refused(detail: str) -> WhyNot:
    """Return the answer that nothing is refused."""
    return WhyNot(refused=False, code=None, rule=None, detail=detail, change=None)


def because(code: str, rule: str, detail: str, change: str) -> WhyNot:
    """Return the answer that something is refused, or did not happen."""
    return WhyNot(refused=True, code=str(code), rule=rule, detail=detail, change=change)


def of_refusal(refused: Refused) -> WhyNot:
    """Return a refusal as an answer."""
    return because(refused.code, refused.rule, refused.detail, refused.change)
