"""Opening a store by its URL."""

from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

from . import launcher
from .errors import StoreUnusable
from .memory_store import MemoryStore
from .redis_replies import without_password
from .redis_store import connect_to_socket, connect_to_url
from .store import Store


def open_store(url: str | None, folder: Path) -> Store:
    """Return the store that a URL names; without one, the embedded server's on a data folder.

    `redis://`, `rediss://` and `unix://` name a server that is there, `memory:` a store in this
    process, `embedded:FOLDER` an embedded server on another folder. A server that may lose what it
    has acknowledged is refused unless the URL ends in `?durable=no`.
    """
    if not url:
        return _open_embedded(folder)
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises if it is no number
    except ValueError as error:
        raise StoreUnusable(url, f"this is no URL ({error})") from error
    match parts.scheme:
        case "memory":
            return MemoryStore()
        case "embedded":
            path = url.partition(":")[2]
            if not path:
                raise StoreUnusable(url, "it names no folder, as embedded:FOLDER does")
            return _open_embedded(Path(path))
        case "redis" | "rediss" | "unix":
            query = parse_qsl(parts.query, keep_blank_values=True)
            options = urlencode([pair for pair in query if pair[0] != "durable"])
            plain = f"{parts.scheme}://{parts.netloc}{parts.path}?{options}"
            return connect_to_url(plain, must_be_durable=_must_be_durable(url, dict(query)))
        case _:
            known = "redis://, rediss://, unix://, memory:"
            raise StoreUnusable(without_password(url), f"its URL starts with none of {known}")


def _must_be_durable(url: str, query: dict[str, str]) -> bool:
    match query.get("durable", "yes"):
        case "yes":
            return True
        case "no":
            return False
        case other:
            reason = f"durable is yes or no, not {other!r}"
            raise StoreUnusable(without_password(url), reason)


def _open_embedded(folder: Path) -> Store:
    server = launcher.join(folder)
    try:
        return connect_to_socket(
            server.socket_path,
            str(server.folder),
            explain=server.last_words,
            on_close=server.leave,
        )
    except BaseException:
        server.leave()
        raise
