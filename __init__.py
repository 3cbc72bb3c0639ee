"""apnap: a Magic: The Gathering rules engine that keeps every game as a log of events."""
