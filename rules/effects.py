"""What each instruction of the ability model does as a spell or ability resolves (CR 608.2c)."""

from __future__ import annotations

from ..cards.model import (
    AddMana,
    Attach,
    Continuously,
    CounterSpell,
    CreateTokens,
    DealDamage,
    Delayed,
    Destroy,
    Discard,
    DrawCards,
    Fight,
    GainLife,
    If,
    LoseGame,
    LoseLife,
    May,
    Mill,
    MoveObjects,
    PutCounters,
    RemoveCounters,
    Sacrifice,
    Scry,
    ShuffleLibrary,
    TapObjects,
    UntapObjects,
    WinGame,
)
from .effects_base import EFFECTS, follow
from .effects_choices import conditionally, delay, may
from .effects_life import (
    add_mana,
    deal_damage,
    fight,
    gain_life,
    lose_game,
    lose_life,
    win_game,
)
from .effects_permanents import (
    attach,
    continuously,
    put_counters,
    remove_counters,
    tap_objects,
    untap_objects,
)
from .effects_zones import (
    counter_spell,
    create_tokens,
    destroy,
    discard,
    draw_cards,
    mill,
    move_objects,
    sacrifice,
    scry,
    shuffle_library,
)

EFFECTS.update(
    {
        AddMana: add_mana,
        Attach: attach,
        Continuously: continuously,
        CounterSpell: counter_spell,
        CreateTokens: create_tokens,
        DealDamage: deal_damage,
        Delayed: delay,
        Destroy: destroy,
        Discard: discard,
        DrawCards: draw_cards,
        Fight: fight,
        GainLife: gain_life,
        If: conditionally,
        LoseGame: lose_game,
        LoseLife: lose_life,
        May: may,
        Mill: mill,
        MoveObjects: move_objects,
        PutCounters: put_counters,
        RemoveCounters: remove_counters,
        Sacrifice: sacrifice,
        Scry: scry,
        ShuffleLibrary: shuffle_library,
        TapObjects: tap_objects,
        UntapObjects: untap_objects,
        WinGame: win_game,
    }
)

__all__ = ["EFFECTS", "follow"]
