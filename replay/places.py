"""Where games are kept when nobody says: the environment's store, else the user's data folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ..events.errors import EngineError
from ..events.store import Store
from ..events.store_url import open_store

STORE_VARIABLE = "APNAP_STORE"


class NoHome(EngineError):
    """There is no folder to keep games in, and no store was named."""


def default_store(url: str | None = None) -> Store:
    """Open the store of a URL; without one that of APNAP_STORE, else the embedded server's."""
    known = url or os.environ.get(STORE_VARIABLE) or None
    return open_store(known, Path() if known else data_folder())


def data_folder() -> Path:
    """Return the user's data folder of apnap, where its embedded server keeps games."""
    given = os.environ.get("XDG_DATA_HOME")
    if given and Path(given).is_absolute():
        return Path(given) / "apnap"
    try:
        home = Path.home()
    except RuntimeError as error:
        raise NoHome("There is no home folder to keep games in: name a store.") from error
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "apnap"
    return home / ".local" / "share" / "apnap"
