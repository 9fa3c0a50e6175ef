"""Paths of every system as URIs, and back."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from . import sentences

_HOST = r"[^\0- #%/:<>?@\[\\\]^|]"
_WINDOWS = re.compile(rf"[A-Za-z]:[\\/]|\\\\{_HOST}+[\\/]")
"""The beginning of an absolute path of Windows: a drive, or a server and a share."""
_ALLOWED = "/!$&'()*+,;=:@"
"""Characters that a path need not encode (RFC 3986 section 3.3)."""
_ANY_DRIVE = re.compile(r"\Afile:/{1,3}([a-z])(?:[:|]|%3a)([/?#]|\Z)", re.IGNORECASE)
"""The beginning of a URI with a drive, in the forms that the URL standard reads."""
_URI = re.compile(r"file:(?://([^/?#]*))?(/[^?#]*)?", re.IGNORECASE)
_NOT_IN_URI = re.compile(r"[\0-\x1f\x7f\ud800-\udfff]")
_DRIVE = re.compile(r"/[A-Za-z]:(?:/|\Z)")


def file_uri(path: str) -> str:
    r"""Returns the URI of a file (RFC 8089).

    The path decides which system it is of, since an agent may run on another one than its
    client. It is absolute: `/home/ana/a b.ts`, `C:\Users\ana\a.ts` or `\\server\share\a.ts`.
    Raises ValueError for other paths.
    """
    is_windows = _WINDOWS.match(path) is not None
    if not is_windows and not path.startswith("/"):
        raise ValueError(sentences.needs_absolute_path(repr(path)))
    try:
        encoded = quote(path.replace("\\", "/") if is_windows else path, safe=_ALLOWED)
    except UnicodeEncodeError:
        raise ValueError(sentences.not_utf8(repr(path))) from None
    if is_windows and encoded.startswith("//"):
        return f"file:{encoded}"
    return f"file://{'/' if is_windows else ''}{encoded}"


def file_path(uri: str) -> str:
    """Returns the path of a file URI, in the form of the system that the URI is of.

    A backslash in the URI is a slash, as in the URL standard. Raises ValueError when it is
    not a file URI, or encodes a separator or a null character.
    """
    text = _ANY_DRIVE.sub(r"file:///\1:\2", uri.replace("\\", "/"), count=1)
    found = _URI.match(text)
    if found is None or not found[2] or _NOT_IN_URI.search(uri):
        raise ValueError(sentences.not_file_uri(repr(uri)))
    encoded = found[2]
    try:
        host, path = (unquote(part or "", errors="strict") for part in found.groups())
    except UnicodeDecodeError:
        raise ValueError(sentences.not_utf8(repr(uri))) from None
    if re.search("%(?![0-9A-Fa-f]{2})", found[0]):
        raise ValueError(sentences.not_utf8(repr(uri)))
    if not re.fullmatch(f"{_HOST}*", host):
        raise ValueError(sentences.not_file_uri(repr(uri)))
    if host.lower() == "localhost":
        host = ""
    path = _without_dots(path)
    is_windows = host != "" or _DRIVE.match(path) is not None
    # A backslash is part of a name, except on Windows.
    if re.search("%2f|%00|%5c" if is_windows else "%2f|%00", encoded, re.IGNORECASE):
        raise ValueError(sentences.separator_in_uri(repr(uri)))
    if host:
        return "\\\\" + host + path.replace("/", "\\")
    return path[1:].replace("/", "\\") if is_windows else path


def _without_dots(path: str) -> str:
    """Removes the segments `.` and `..`, which never removes a drive."""
    kept: list[str] = []
    parts = path.split("/")[1:]
    for part in parts:
        if part == "..":
            if len(kept) != 1 or not _DRIVE.match(f"/{kept[0]}"):
                del kept[-1:]
        elif part != ".":
            kept.append(part)
    if parts[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)
