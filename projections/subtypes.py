"""Which card type a subtype belongs to (CR 205.3)."""

LAND_TYPES = (
    "Plains",
    "Island",
    "Swamp",
    "Mountain",
    "Forest",
    "Cave",
    "Desert",
    "Gate",
    "Lair",
    "Locus",
    "Mine",
    "Power-Plant",
    "Sphere",
    "Tower",
    "Town",
    "Urza's",
)
"""Land types (CR 205.3i)."""

ARTIFACT_TYPES = (
    "Attraction",
    "Blood",
    "Bobblehead",
    "Clue",
    "Contraption",
    "Equipment",
    "Food",
    "Fortification",
    "Gold",
    "Incubator",
    "Junk",
    "Map",
    "Powerstone",
    "Spacecraft",
    "Treasure",
    "Vehicle",
)
"""Artifact types (CR 205.3g)."""

ENCHANTMENT_TYPES = (
    "Aura",
    "Background",
    "Cartouche",
    "Case",
    "Class",
    "Curse",
    "Role",
    "Room",
    "Rune",
    "Saga",
    "Shard",
    "Shrine",
)
"""Enchantment types (CR 205.3h)."""


def kind_of_subtype(name: str) -> str:
    """Return the card type that a subtype goes with; creature types are those no other has."""
    if name in LAND_TYPES:
        return "land"
    if name in ARTIFACT_TYPES:
        return "artifact"
    if name in ENCHANTMENT_TYPES:
        return "enchantment"
    return "creature"
