"""Rules about values to send, which the protocol states and its schema cannot express."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from ..diagnosis.rendering import render
from ..gates.paths import read
from ..json_values import LIST, MISSING, OBJECT
from ..results import InvalidValueError, Issue
from .protocol import Method

_PATHS = ("cwd", "path")
"""The properties of params that are paths: every path of the protocol is absolute."""
_PATH_LISTS = ("additionalDirectories",)
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[\\/]|\\\\")
_MOST_NAMED = 20
"""How many offered ids an error names."""


def check_sent(method: Method, part: Literal["params", "result"], sent: Any) -> None:
    """Raises InvalidValueError for a relative path, and options with a value they lack or one id."""
    if not isinstance(sent, OBJECT) or method.name.startswith("_"):
        return
    issue = _relative_path(sent) if part == "params" else None
    update = sent.get("update")
    if isinstance(update, OBJECT):
        options, place = update.get("configOptions"), "/update/configOptions"
    else:
        options, place = sent.get("configOptions"), "/configOptions"
    issue = issue or _not_offered(options, place)
    if issue is not None:
        definition = method.params if part == "params" else method.result
        raise InvalidValueError(definition, (issue,))


def wrong_server(params: Any) -> Issue | None:
    """Returns what is wrong with the MCP servers in params after version 1.

    A name must not be repeated, and a command has to be an absolute path.
    """
    servers: Any = read(params, ["mcpServers"])
    for index, server in enumerate(servers if isinstance(servers, LIST) else ()):
        place, command = f"/mcpServers/{index}", read(server, ["command"])
        issue = _repeated(servers, index, "name", place)
        if issue is None and read(server, ["type"]) == "stdio":
            issue = _check_path(f"{place}/command", command)
        if issue is not None:
            return issue
    return None


def check_option(method: Method, sent: Any, options: Any) -> None:
    """Raises InvalidValueError for an option that a session lacks, or a value it lacks.

    `options` are those that the session has reported, if any.
    """
    if "sets-config-option" not in method.traits or not isinstance(options, LIST):
        return
    config_id, value = sent.get("configId"), sent.get("value")
    option = next((one for one in options if _id(one) == config_id), None)
    issue = None
    if option is None:
        issue = _issue("/configId", [_id(one) for one in options], config_id)
    elif read(option, ["type"]) == "select" and value not in _values(option):
        issue = _issue("/value", _values(option), value)
    elif read(option, ["type"]) == "boolean" and not isinstance(value, bool):
        issue = Issue("/value", "offered", "true or false", render(value))
    if issue is not None:
        raise InvalidValueError(method.params, (issue,))


def _relative_path(params: Any) -> Issue | None:
    paths = [(f"/{name}", params.get(name)) for name in _PATHS]
    for name in _PATH_LISTS:
        listed = params.get(name)
        if isinstance(listed, LIST):
            paths += [(f"/{name}/{index}", path) for index, path in enumerate(listed)]
    issues = (_check_path(pointer, path) for pointer, path in paths)
    return next(filter(None, issues), None)


def _check_path(pointer: str, path: Any) -> Issue | None:
    if isinstance(path, str) and _ABSOLUTE.match(path) is None:
        return Issue(pointer, "absolute-path", "an absolute path", render(path))
    return None


def _repeated(listed: Any, index: int, name: str, place: str) -> Issue | None:
    """Returns the issue of an item whose property has the value of an earlier item."""
    value = read(listed[index], [name])
    if value is None or all(read(one, [name]) != value for one in listed[:index]):
        return None
    expected = f"a {name} that is not repeated"
    return Issue(f"{place}/{name}", "unique", expected, render(value))


def _not_offered(options: Any, place: str) -> Issue | None:
    for index, option in enumerate(options if isinstance(options, LIST) else ()):
        repeated = _repeated(options, index, "configId", f"{place}/{index}")
        if repeated is not None:
            return repeated
        current = read(option, ["currentValue"])
        if read(option, ["type"]) == "select" and current not in _values(option):
            pointer = f"{place}/{index}/currentValue"
            return _issue(pointer, _values(option), current)
    return None


def _id(option: Any) -> Any:
    """Returns the id of an option, whose property depends on the version."""
    return read(option, ["configId"]) or read(option, ["id"])


def _values(option: Any) -> list[Any]:
    """Returns the values that an option offers, with those of its groups."""
    entries: Any = read(option, ["options"])
    values: list[Any] = []
    for entry in entries if isinstance(entries, LIST) else ():
        group: Any = read(entry, ["options"])
        members = group if isinstance(group, LIST) else (entry,)
        values += [read(one, ["value"]) for one in members]
    return values


def _issue(pointer: str, ids: Sequence[Any], given: Any) -> Issue:
    named = ", ".join(map(render, ids[:_MOST_NAMED]))
    more = ", …" if len(ids) > _MOST_NAMED else ""
    expected = f"one of {named}{more}" if ids else "no value, since none is offered"
    return Issue(
        pointer, "offered", expected, render(MISSING if given is None else given)
    )
