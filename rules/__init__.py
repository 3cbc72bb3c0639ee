"""How a game proceeds: procedures and checks by family, legal actions, prompts."""
