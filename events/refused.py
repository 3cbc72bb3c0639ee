"""A player's mistake as a value: what is refused, by which rule, and why."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Code(StrEnum):
    """Why an action is refused: stable words."""

    NOT_ASKED = "not-asked"
    WRONG_ANSWER = "wrong-answer"
    WRONG_COUNTER = "wrong-counter"
    GAME_OVER = "game-over"
    NO_PRIORITY = "no-priority"
    NO_SUCH_OBJECT = "no-such-object"
    NOT_YOURS = "not-yours"
    WRONG_ZONE = "wrong-zone"
    WRONG_TIME = "wrong-time"
    NOT_A_LAND = "not-a-land"
    LAND_ALREADY_PLAYED = "land-already-played"
    NOT_CASTABLE = "not-castable"
    NO_SUCH_ABILITY = "no-such-ability"
    ACTIVATION_LIMIT = "activation-limit"
    COST_UNPAYABLE = "cost-unpayable"
    PAYMENT_WRONG = "payment-wrong"
    SUMMONING_SICK = "summoning-sick"
    ALREADY_TAPPED = "already-tapped"
    TARGET_ILLEGAL = "target-illegal"
    TARGET_COUNT = "target-count"
    MODE_ILLEGAL = "mode-illegal"
    X_ILLEGAL = "x-illegal"
    CANNOT_ATTACK = "cannot-attack"
    MUST_ATTACK = "must-attack"
    CANNOT_BLOCK = "cannot-block"
    MUST_BLOCK = "must-block"
    TOO_FEW_BLOCKERS = "too-few-blockers"
    TOO_MANY_BLOCKERS = "too-many-blockers"
    DIVISION_ILLEGAL = "division-illegal"
    CHOICE_ILLEGAL = "choice-illegal"
    NOT_BUILT = "not-built"


class Refused(msgspec.Struct, frozen=True):
    """A refusal: nothing is logged and the state is as it was.

    `change` says what would have to be otherwise for the same action to be accepted.
    """

    code: Code
    rule: str
    detail: str
    change: str = ""
