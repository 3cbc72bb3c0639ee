"""Going back: seek, step, resume, verify, branch, records, notation, scenarios."""
