"""Built-in agents: what they decide follows from seed, count, knowledge and prompt alone."""

import pytest

from apnap.actors.agents import BUILTIN_AGENTS, agent_named
from apnap.actors.chance import Chance
from apnap.actors.knowledge import SeatKnowledge
from apnap.cards.builtin import BUILTIN_DECKS
from apnap.events.decisions import AnyDecision
from apnap.events.ids import PlayerId, ZoneKind
from apnap.events.memory_store import MemoryStore
from apnap.projections.position import Position
from apnap.projections.redaction import redact_state
from apnap.replay.host import HostedGame, host_new_game
from apnap.replay.new_game import GameSetup
from apnap.rules.protocol import Prompt


class FromTheView:
    """An agent that is also asked with its seat's view alone, and must say the same."""

    def __init__(self, name: str, seed: bytes) -> None:
        self.agent = agent_named(name, seed)
        self.hosted: HostedGame | None = None
        self.asked = 0

    def decide(self, prompt: Prompt, game: SeatKnowledge) -> AnyDecision:
        """Decide twice."""
        decision = self.agent.decide(prompt, game)
        assert self.hosted is not None
        position = self.hosted.position
        view = redact_state(position.state, PlayerId(prompt.seat))
        redacted = Position(view, position.definitions, position.edition)
        seen = SeatKnowledge(redacted, PlayerId(prompt.seat))
        assert self.agent.decide(prompt, seen) == decision, f"{prompt.kind} prompt"
        self.asked += 1
        return decision


@pytest.mark.parametrize("name", BUILTIN_AGENTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_agents_decide_the_same_from_their_seats_view(name: str, seed: int) -> None:
    setup = GameSetup(decks=(BUILTIN_DECKS * 2)[: 1 + seed * 2][:3], seed=seed, agents=("random",))
    if seed == 1:
        setup = GameSetup(decks=BUILTIN_DECKS, seed=seed, agents=("random",))
    with host_new_game(MemoryStore(), setup) as hosted:
        agents = [FromTheView(name, bytes([seat])) for seat in range(len(hosted.agents))]
        for agent in agents:
            agent.hosted = hosted
        hosted.agents = tuple(agents)
        hosted.play()
        assert hosted.is_over
        assert all(agent.asked > 20 for agent in agents)


def test_knowledge_holds_no_card_that_the_seat_cannot_see() -> None:
    setup = GameSetup(decks=BUILTIN_DECKS, seed=1, agents=("human",))
    with host_new_game(MemoryStore(), setup) as hosted:
        state = hosted.state
        knowledge = SeatKnowledge(hosted.position, PlayerId(0))
        for name, item in state.objects.items():
            hidden = item.zone == ZoneKind.LIBRARY or (
                item.zone == ZoneKind.HAND and item.owner == 1
            )
            assert (knowledge.traits(name).name == "") == hidden
        theirs = state.players[1].hand
        assert [knowledge.seen(name) for name in theirs] == [None] * 7


def test_chance_is_a_function_of_seed_and_count() -> None:
    one, other, next_one = Chance(b"seed", 4), Chance(b"seed", 4), Chance(b"seed", 5)
    drawn = [one.below(1000) for _ in range(20)]
    assert drawn == [other.below(1000) for _ in range(20)]
    assert drawn != [next_one.below(1000) for _ in range(20)]


def test_greedy_wins_most_games_against_random() -> None:
    winners = []
    for seed in range(12):
        agents = ("greedy", "random") if seed % 2 else ("random", "greedy")
        setup = GameSetup(decks=BUILTIN_DECKS, seed=seed, agents=agents, names=agents)
        with host_new_game(MemoryStore(), setup) as hosted:
            hosted.play()
            winners.append(hosted.result().winner)
    assert winners.count("greedy") >= 9
