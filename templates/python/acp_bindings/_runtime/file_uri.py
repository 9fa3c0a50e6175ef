"""Paths of every system as URIs, and back."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote, urlsplit

from . import sentences

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\[^\\/]")
"""The beginning of an absolute path of Windows: a drive, or a server."""
_ALLOWED = "/!$&'()*+,;=:@"
"""Characters that a path need not encode (RFC 3986 section 3.3)."""


def file_uri(path: str) -> str:
    r"""Returns the URI of a file (RFC 8089).

    The path decides which system it is of, since an agent may run on another one than its
    client. It is absolute: `/home/ana/a b.ts`, `C:\Users\ana\a.ts` or `\\server\share\a.ts`.
    Raises ValueError for other paths.
    """
    is_windows = _WINDOWS.match(path) is not None
    if not is_windows and not path.startswith("/"):
        raise ValueError(sentences.needs_absolute_path(repr(path)))
    encoded = quote(path.replace("\\", "/") if is_windows else path, safe=_ALLOWED)
    if is_windows and encoded.startswith("//"):
        return f"file:{encoded}"
    return f"file://{'/' if is_windows else ''}{encoded}"


def file_path(uri: str) -> str:
    """Returns the path of a file URI, in the form of the system that the URI is of.

    Raises ValueError when it is not a file URI, or encodes a separator or a null character.
    """
    parts = urlsplit(uri)
    if parts.scheme != "file" or not parts.path.startswith("/"):
        text = f"{uri!r} is not a file URI, such as file:///home/ana/a.ts"
        raise ValueError(text)
    host = "" if parts.netloc.lower() == "localhost" else parts.netloc
    try:
        path = unquote(parts.path, errors="strict")
    except UnicodeDecodeError:
        raise ValueError(sentences.not_utf8(repr(uri))) from None
    is_windows = host != "" or re.match(r"/[A-Za-z]:(?:/|$)", path) is not None
    # A backslash is part of a name, except on Windows.
    if re.search("%2f|%00|%5c" if is_windows else "%2f|%00", parts.path, re.IGNORECASE):
        raise ValueError(sentences.separator_in_uri(repr(uri)))
    if host:
        return "\\\\" + host + path.replace("/", "\\")
    return path[1:].replace("/", "\\") if is_windows else path
