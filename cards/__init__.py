"""What cards say: ability model, compiler of card text, card pools, deck files."""
