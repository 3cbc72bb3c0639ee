"""What can happen: events, decisions, commits, codec, chain, seals, and the log."""
