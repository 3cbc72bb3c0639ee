"""Run `python -m apnap.cli` as the `apnap` command."""

from .main import main

if __name__ == "__main__":
    main()
