"""Checks of the handlers of a role, when it is made."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ... import sentences
from ...diagnosis.did_you_mean import did_you_mean, nearest
from ...diagnosis.rendering import render
from ...gates.gates import Gates
from ...gates.paths import path_text, read
from ...json_values import LIST, OBJECT
from ...protocol import INITIALIZE, Gate, Protocol, Side
from ...rpc.receiver import Limits
from ...settings import check_counts, check_times
from .official_names import has_official_params, official_name


def check_handlers(
    role: type, protocol: Protocol, side: Side, handled: frozenset[str]
) -> None:
    """Raises TypeError for a required handler that is missing, and for one that cannot be called.

    A method that takes what handlers take, and whose name is almost that of a handler, would
    never be called: it is an error as well.
    """
    own = [
        one for one in protocol.methods if one.side == side and one.name != INITIALIZE
    ]
    others = check_names(role, [one.handler for one in own])
    for method in own:
        if method.is_required and method.handler not in handled:
            meant = nearest(method.handler, others)
            hint = "" if meant is None else f" (is {meant} meant to be it?)"
            handler = f"{role.__name__}.{method.handler}"
            text = sentences.missing_handler(handler, side, method.name)
            raise TypeError(text + hint)


def check_names(
    role: type, handlers: Sequence[str]
) -> Mapping[str, Callable[..., Any]]:
    """Raises TypeError for a function whose name is almost that of a handler.

    Returns the public functions of the class that are no handlers.
    """
    others = _others(role, handlers)
    for name, function in others.items():
        cutoff = _likeness(function)
        meant = None if cutoff is None else nearest(name, handlers, cutoff)
        if meant is not None:
            hint = sentences.did_you_mean(meant)
            text = sentences.unmatched_handler(f"{role.__name__}.{name}", hint)
            raise TypeError(f"{text}; if it is not a handler, begin its name with _")
        own = official_name(name, function, handlers)
        if own is not None:
            text = f"{role.__name__}.{name} is a handler of another package"
            raise TypeError(
                f"{text}: {own}; if it is not a handler, begin its name with _"
            )
    for name in handlers:
        check_signature(role, name)
    return others


def check_advertised(
    role: type,
    protocol: Protocol,
    side: Side,
    handled: frozenset[str],
    advertised: dict[str, Any],
) -> None:
    """Raises TypeError for a capability without its handler, and for a list of entries too.

    The reverse is an error where the capability does not follow from the handler.
    """
    gates = Gates(protocol)
    gates.advertised = {side: advertised}
    _check_required(protocol, side, advertised, gates)
    own = [one for one in protocol.methods if one.side == side]
    shared = {one.gate.path for one in own if one.kind == "request"}
    for method in own:
        gate = method.gate
        if gate.side != side or gate.kind == "always":
            continue
        handler = f"{role.__name__}.{method.handler}"
        has = method.handler in handled
        path = path_text(gate.path)
        missing = _missing(gates, gate, advertised)
        is_own = method.advertised is not None
        if (
            has
            and missing
            and (gate.kind == "key" or gate.kind == "capability" and is_own)
        ):
            raise TypeError(sentences.handler_without_capability(handler, path))
        if has and gate.kind == "entry" and not read(advertised, gate.path):
            raise TypeError(sentences.handler_without_entries(handler, path))
        is_optional = method.kind == "notification" and gate.path in shared
        if not has and not missing and not is_optional:
            raise TypeError(sentences.capability_without_handler(path, handler))


def check_unknown(role: type, protocol: Protocol, side: Side, unknown: object) -> None:
    """Raises ValueError for a treatment of unknown values, or a method, that does not exist."""
    items: Any = getattr(unknown, "items", None)
    if items is None:
        check_choice(f"{role.__name__}.unknown", unknown, ("keep", "reject"))
        return
    names = [
        one.name
        for one in protocol.methods
        if one.side == side and one.kind == "request"
    ]
    for name, value in items():
        if name not in names:
            hint = did_you_mean(str(name), names)
            text = sentences.not_handled(str(name), "request", side, hint)
            raise ValueError(f"{role.__name__}.unknown: {text}")
        check_choice(f'{role.__name__}.unknown["{name}"]', value, ("keep", "reject"))


def check_settings(role: type, own: set[str], settings: Sequence[str]) -> None:
    """Raises TypeError for an attribute whose name is almost that of a setting."""
    for name in own - {*settings}:
        meant = None if name.startswith("_") else nearest(name, settings, 0.85)
        if meant is not None:
            raise TypeError(
                f"{role.__name__}.{name} is not a setting"
                f"{sentences.did_you_mean(meant)}; if it is your own, begin its name with _"
            )


def check_hooks(role: type, base: type) -> None:
    """Raises TypeError for a function of a base class that a role replaces by what cannot be called as it."""
    for name, function in vars(base).items():
        if inspect.isfunction(function) and not name.startswith("_"):
            _check_callable(role, name, list(inspect.signature(function).parameters))


def check_store(path: str, store: object) -> None:
    """Raises TypeError for what does not remember prompts."""
    calls = (getattr(store, name, None) for name in ("find_message", "keep_message"))
    if store is not None and not all(map(callable, calls)):
        expected = sentences.store_setting
        raise TypeError(sentences.wrong_setting(path, expected, render(store)))


def check_limits(limits: object) -> Limits:
    """Returns the limits, by default those of `Limits`.

    Raises TypeError or ValueError for others that no connection can keep.
    """
    if limits is None:
        return Limits()
    if not isinstance(limits, Limits):
        raise TypeError("limits must be Limits(…), such as Limits(cancel_grace=5)")
    for name in Limits.__match_args__:
        is_count = isinstance(getattr(Limits, name), int)
        check = check_counts if is_count else check_times
        check(**{f"limits.{name}": getattr(limits, name)})
    return limits


def check_choice(path: str, value: object, choices: Sequence[str], *other: str) -> None:
    """Raises ValueError for a value that is not one of several.

    `other` describes a further choice, for the message.
    """
    if value not in choices:
        *others, last = (*(f'"{one}"' for one in choices), *other)
        hint = did_you_mean(str(value), choices)
        listed = f"{', '.join(others)} or {last}"
        raise ValueError(sentences.wrong_choice(path, listed, hint))


def _check_required(
    protocol: Protocol, side: Side, advertised: dict[str, Any], gates: Gates
) -> None:
    """Raises TypeError for a capability that requires another one of the same side."""
    initialize = protocol.find_initialize()
    places = initialize.result_places if side == "agent" else initialize.places
    own = tuple(
        one for one in places if one.gate.side == side and one.gate.strength == "must"
    )
    found = gates.unavailable(own, advertised)
    if found is not None:
        name = found[1][1:].replace("/", ".")
        other = path_text(found[0].gate.path)
        raise TypeError(sentences.capability_without_other(name, other))


def _missing(gates: Gates, gate: Gate, advertised: dict[str, Any]) -> bool:
    if gate.kind != "entry":
        return gates.missing(gate) is not None
    entries = read(advertised, gate.path)
    return not any(
        isinstance(entry, OBJECT)
        and all(isinstance(entry.get(name), str) for name in gate.entry)
        and not any(entry.get(name) == value for name, value in gate.excluded.items())
        for entry in (entries if isinstance(entries, LIST) else ())
    )


def _others(role: type, handlers: Sequence[str]) -> Mapping[str, Callable[..., Any]]:
    """Returns the public functions of a role that are no handlers, and that no base has."""
    bases = [base for base in role.__mro__ if "PROTOCOL" in vars(base)]
    return {
        name: value
        for kind in role.__mro__[: role.__mro__.index(bases[0])]
        for name, value in vars(kind).items()
        if inspect.isfunction(value)
        and not name.startswith("_")
        and name not in handlers
        and not hasattr(bases[0], name)
        and not hasattr(value, "acp_extension")
    }


def _likeness(function: Callable[..., Any]) -> float | None:
    """Returns how similar the name of a method must be to that of a handler to be meant as one.

    None for a method that does not take what handlers take: params and a context. Others may
    call these in another way, so that the name alone has to tell.
    """
    parameters = list(inspect.signature(function).parameters.values())
    if len(parameters) != 3:
        return None
    _, first, second = parameters
    is_context = second.name in ("context", "ctx") or "Context" in str(
        second.annotation
    )
    return 0.6 if first.name == "params" or is_context else 0.85


def check_signature(role: type, handler: str) -> None:
    """Raises TypeError for a handler that does not take params and a context."""
    function = inspect.getattr_static(role, handler)
    if function is None:
        return
    wanted = _check_callable(role, handler, ["self", "params", "context"])
    if inspect.isfunction(function) and has_official_params(function):
        raise TypeError(f"{wanted}; params has all properties")


def _check_callable(role: type, name: str, params: Sequence[str]) -> str:
    """Raises TypeError for what cannot be called with params. Returns the rule."""
    function = inspect.getattr_static(role, name)
    wanted = f"{role.__name__}.{name} has to take ({', '.join(params)})"
    if not callable(getattr(role, name)):
        kind = type(function).__name__
        raise TypeError(f"{wanted}, but is not a function: it is of the type {kind}")
    if inspect.isfunction(function):
        try:
            inspect.signature(function).bind(*params)
        except TypeError:
            raise TypeError(wanted) from None
    return wanted
