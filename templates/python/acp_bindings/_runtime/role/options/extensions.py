"""Methods outside the protocol, with handlers of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ... import sentences
from ...diagnosis.rendering import render
from ...protocol import Protocol
from ...record import Record
from .role_checks import check_signature

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


class Extension(Record):
    """The handler of an extension."""

    method: str
    handler: str
    """The name of the function in its class."""
    advertise: Mapping[str, Any]


def extension(
    method: str, *, advertise: Mapping[str, Any] | None = None
) -> Callable[[FunctionT], FunctionT]:
    """Makes a function of a role the handler of a method outside the protocol.

    The name of the method begins with `_` and the vendor's domain: `_acme.dev/review`.
    The function takes the params, as JSON, and the context; it returns JSON, and nothing
    for a notification. `advertise` has the entries that announce the extension in `_meta`
    of the capabilities.
    """
    if callable(method):
        raise TypeError('extension needs a method: @extension("_acme.dev/review")')

    def mark(function: FunctionT) -> FunctionT:
        found = Extension(method, function.__name__, advertise or {})
        setattr(function, "acp_extension", found)  # noqa: B010 - functions have any
        return function

    return mark


def extensions_of(role: type, protocol: Protocol) -> dict[str, Extension]:
    """Returns the extensions that a class handles, by method.

    Raises TypeError for a method that has a handler already, as those of the protocol have, for
    a name that an extension cannot have, and for a function that cannot be called with params
    and a context.
    """
    handlers = {one.name: one.handler for one in protocol.methods}
    found: dict[str, Extension] = {}
    for name in dir(role):
        one: Any = getattr(getattr(role, name, None), "acp_extension", None)
        if not isinstance(one, Extension):
            continue
        if one.method in handlers:
            cure = f"define {handlers[one.method]} in {role.__name__}"
            raise TypeError(sentences.not_an_extension(one.method, cure))
        at = f"{role.__name__}.{name}"
        if re.match(r"_?\Z|\$/|rpc\.", one.method):
            raise TypeError(
                f"{at}: {render(one.method)} cannot be a name; those of extensions start "
                'with _ and the vendor\'s domain, e.g. "_acme.dev/review"'
            )
        if one.method in found:
            raise TypeError(f"{at}: {one.method} already has a handler")
        check_signature(role, name)
        found[one.method] = Extension(one.method, name, one.advertise)
    return found
