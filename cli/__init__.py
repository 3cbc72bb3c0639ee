"""The `apnap` command."""
