"""Rules about values to send, which the protocol states and its schema cannot express."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from .. import sentences
from ..diagnosis.rendering import render
from ..gates.paths import option_id, read
from ..json_values import LIST, MISSING, OBJECT
from ..protocol import Method
from ..results import InvalidValueError, Issue

_PATHS = ("cwd", "path")
"""The properties of params, updates and plans that are paths: every path of the protocol is absolute."""
_PATH_LISTS = ("additionalDirectories",)
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[\\/]|\\\\")
_MOST_NAMED = 20
"""How many offered ids an error names."""


def check_sent(method: Method, part: Literal["params", "result"], sent: Any) -> None:
    """Raises InvalidValueError for a relative path, and options with a value they lack or one id."""
    if not isinstance(sent, OBJECT) or method.name.startswith("_"):
        return
    update = sent.get("update")
    issue = _relative_paths(sent, update) if part == "params" else None
    if isinstance(update, OBJECT):
        options, place = update.get("configOptions"), "/update/configOptions"
    else:
        options, place = sent.get("configOptions"), "/configOptions"
    issue = issue or _not_offered(options, place)
    if issue is not None:
        definition = method.params if part == "params" else method.result
        raise InvalidValueError(definition, (issue,))


def wrong_item(params: Any, version: int) -> Issue | None:
    """Returns what is wrong with the lists in params.

    An initial option must not be named twice. After version 1, neither must an MCP server,
    and its command has to be an absolute path.
    """
    option = _repeated(read(params, ["configOptions"]), "configId", "/configOptions")
    if option is not None or version == 1:
        return option
    servers: Any = read(params, ["mcpServers"])
    issue = _repeated(servers, "name", "/mcpServers")
    for index, server in enumerate(servers if isinstance(servers, LIST) else ()):
        if read(server, ["type"]) == "stdio":
            place = f"/mcpServers/{index}/command"
            issue = issue or _check_path(place, read(server, ["command"]))
    return issue


def check_option(method: Method, sent: Any, options: Any) -> None:
    """Raises InvalidValueError for an option that a session lacks, or a value it lacks.

    `options` are those that the session has reported, if any.
    """
    if "sets-config-option" not in method.traits or not isinstance(options, LIST):
        return
    config_id, value = read(sent, ["configId"]), read(sent, ["value"])
    option = next((one for one in options if option_id(one) == config_id), None)
    issue = None
    if option is None:
        issue = _issue("/configId", [option_id(one) for one in options], config_id)
    elif read(option, ["type"]) == "select" and value not in _values(option):
        issue = _issue("/value", _values(option), value)
    elif read(option, ["type"]) == "boolean" and not isinstance(value, bool):
        issue = Issue("/value", "offered", "true or false", render(value))
    if issue is not None:
        raise InvalidValueError(method.params, (issue,))


def _relative_paths(params: Any, update: Any) -> Issue | None:
    issue = _relative_path(params, "")
    if not isinstance(update, OBJECT) or str(update.get("sessionUpdate"))[:1] == "_":
        return issue
    in_plan = _relative_path(update.get("plan"), "/update/plan")
    return issue or _relative_path(update, "/update") or in_plan


def _relative_path(holder: Any, place: str) -> Issue | None:
    if not isinstance(holder, OBJECT):
        return None
    paths = [(f"{place}/{name}", holder.get(name)) for name in _PATHS]
    for name in _PATH_LISTS:
        listed = holder.get(name)
        if isinstance(listed, LIST):
            found = enumerate(listed)
            paths += [(f"{place}/{name}/{index}", path) for index, path in found]
    issues = (_check_path(pointer, path) for pointer, path in paths)
    return next(filter(None, issues), None)


def _check_path(pointer: str, path: Any) -> Issue | None:
    if isinstance(path, str) and _ABSOLUTE.match(path) is None:
        return Issue(pointer, "absolute-path", "an absolute path", render(path))
    return None


def _repeated(listed: Any, name: str, place: str) -> Issue | None:
    """Returns the first item whose property has the value of an earlier item."""
    values: list[Any] = []
    for index, item in enumerate(listed if isinstance(listed, LIST) else ()):
        value = read(item, [name])
        if value is not None and value in values:
            expected = f"a {name} that is not repeated"
            return Issue(f"{place}/{index}/{name}", "unique", expected, render(value))
        values.append(value)
    return None


def _not_offered(options: Any, place: str) -> Issue | None:
    repeated = _repeated(options, "configId", place)
    if repeated is not None:
        return repeated
    for index, option in enumerate(options if isinstance(options, LIST) else ()):
        current = read(option, ["currentValue"])
        if read(option, ["type"]) == "select" and current not in _values(option):
            pointer = f"{place}/{index}/currentValue"
            return _issue(pointer, _values(option), current)
    return None


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
    expected = sentences.one_offered(named + more) if ids else sentences.none_offered
    return Issue(
        pointer, "offered", expected, render(MISSING if given is None else given)
    )
