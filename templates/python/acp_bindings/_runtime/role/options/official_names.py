"""Names of handlers in the official package, for programs that are moved to this one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

_AGENT: Mapping[str, str] = {
    "authenticate": "authenticate",
    "cancel": "session_cancel",
    "close_session": "session_close",
    "fork_session": "session_fork",
    "list_sessions": "session_list",
    "load_session": "session_load",
    "new_session": "session_new",
    "prompt": "session_prompt",
    "resume_session": "session_resume",
    "set_config_option": "session_set_config_option",
    "set_session_mode": "session_set_mode",
}
_CLIENT: Mapping[str, str] = {
    "complete_elicitation": "elicitation_complete",
    "create_elicitation": "elicitation_create",
    "create_terminal": "terminal_create",
    "kill_terminal": "terminal_kill",
    "read_text_file": "fs_read_text_file",
    "release_terminal": "terminal_release",
    "request_permission": "session_request_permission",
    "session_update": "session_update",
    "terminal_output": "terminal_output",
    "wait_for_terminal_exit": "terminal_wait_for_exit",
    "write_text_file": "fs_write_text_file",
}
_OTHERS: Mapping[str, str] = {
    "initialize": "it is answered from the arguments of the constructor",
    "on_connect": "use context.peer in the handlers",
    "ext_method": "define handle_extension(self, params, context), or use @extension",
    "ext_notification": "define handle_extension(self, params, context), or use @extension",
}
_PARAMS = {
    *("conn", "cwd", "elicitation_id", "message", "method", "method_id", "params"),
    *("prompt", "protocol_version", "session_id", "terminal_id"),
}
"""The names that the first argument of such a handler has, or may have here."""


def official_name(
    name: str, function: Callable[..., Any], handlers: Sequence[str]
) -> str | None:
    """Returns what to do about a function that is a handler of the official package.

    `handlers` are those of the class; None for a function that is something else.
    """
    hint = _OTHERS.get(name)
    for names in (_AGENT, _CLIENT):
        if name in names and not set(handlers).isdisjoint(names.values()):
            known = names[name]
            hint = f"define {known}(self, params, context)"
            if known not in handlers:
                hint = "this profile has no such method"
    arguments = list(inspect.signature(function).parameters)[1:]
    return hint if _PARAMS.intersection(arguments) else None


def has_official_params(function: Callable[..., Any]) -> bool:
    """Returns whether a function takes the properties of the params one by one."""
    arguments = list(inspect.signature(function).parameters)[1:]
    return arguments[:1] in (["session_id"], ["method_id"])
