"""Who does it: owners of things, as actors on one deterministic dispatcher."""
