"""Mocks: roles that answer with samples, for tests of the other side."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from ..diagnosis.did_you_mean import did_you_mean, nearest
from ..elicitation import elicitation_defaults
from ..gates.gates import Gates
from ..json_values import LIST, OBJECT
from ..message import Message
from ..protocol import Method
from ..rpc.errors import CapabilityError, RpcError
from .options.role_checks import check_choice
from .role import Context, Role

Script: TypeAlias = Any
"""An answer, a list with one answer to each request, or a function of the params."""

_PERMISSIONS = (
    "allow_once",
    "allow_always",
    "reject_once",
    "reject_always",
    "cancelled",
)

_ACTIONS = ("accept", "decline", "cancel")

_OTHER_UPDATES = ("state_update", "user_message", "replay_complete")
"""Updates of version 2 that a turn sends with its own content, or that are not part of one."""


class Call(NamedTuple):
    """A message that a mock has received."""

    method: str
    params: Any


class Mock(Role[Any]):
    """The base class of the generated mocks."""

    SAMPLES: ClassVar[Mapping[str, Any]]
    """Results by method, as JSON."""
    UPDATES: ClassVar[Sequence[Mapping[str, Any]]]
    """One session update of every kind, as JSON."""
    INFO: ClassVar[Mapping[str, Any]]
    EVERYTHING: ClassVar[Mapping[str, Any]]
    """The parts of the initialize message of a role that can do everything."""

    def __init__(
        self,
        capabilities: Literal["none", "all"] | Mapping[str, Any] | Message = "none",
        *,
        permission: Script = "allow_once",
        elicitation: Script = "decline",
        **handlers: Callable[[Any, Context[Any]], Any],
    ) -> None:
        """Makes a mock.

        `capabilities` are those to advertise. `permission` is the kind or the id of the
        option to select, or `cancelled`; `elicitation` is `accept`, for a form with its
        defaults, `decline`, `cancel`, or the content of a form. `handlers` take the place of the mock's own.

        Raises TypeError for a handler that does not exist, ValueError for capabilities and
        answers that do not. A function may take the place of an answer.
        """
        self.calls: list[Call] = []
        """The messages received, in order, except `initialize`."""
        known = {one.handler for one in self.PROTOCOL.methods if self._is_own(one)}
        for name in handlers:
            if name not in known:
                hint = did_you_mean(name, known)
                raise TypeError(f"{type(self).__name__} has no handler {name}{hint}")
        if isinstance(elicitation, str):
            other = "the content of a form"
            check_choice("elicitation", elicitation, _ACTIONS, other)
        _check_permission(permission)
        self._own = handlers
        self._user = {"permission": _replies(permission)}
        self._user["elicitation"] = _replies(elicitation)
        self._stopped: set[str] = set()
        initial = self._initial(capabilities)
        self._gates = Gates(self.PROTOCOL)
        self._gates.advertised = {self.SIDE: initial}
        role: type[Role[Any]] = Role
        role.__init__(self, initial)
        for method in self.PROTOCOL.methods:
            if self._handles(method):
                respond = functools.partial(self._respond, method)
                setattr(self, method.handler, respond)

    def params_of(self, method: str) -> list[Any]:
        """Returns the params of the calls of one method, in order.

        Raises ValueError for a name that is not a method of the mock's side.
        """
        names = [one.name for one in self.PROTOCOL.methods if self._is_own(one)]
        if method not in names:
            text = f"{method} is not a method that the {self.SIDE} handles"
            raise ValueError(text + did_you_mean(method, names))
        return [call.params for call in self.calls if call.method == method]

    def _initial(self, capabilities: Any) -> dict[str, Any]:
        if capabilities == "none":
            return dict(self.INFO)
        if capabilities == "all":
            return {**self.INFO, **self.EVERYTHING}
        if isinstance(capabilities, Message):
            schema = self.PROTOCOL.schema_of(type(capabilities).__name__)
            capabilities = schema.to_json(capabilities)
        if not isinstance(capabilities, OBJECT):
            other = "an object with capabilities"
            check_choice("capabilities", capabilities, ("none", "all"), other)
        field = self.PROTOCOL.capabilities[self.SIDE]
        return {**self.INFO, field: capabilities}

    def _is_own(self, method: Method) -> bool:
        is_own = method.side in (self.SIDE, "protocol")
        return is_own and method.name not in ("initialize", "$/cancel_request")

    def _handles(self, method: Method) -> bool:
        if not self._is_own(method):
            return False
        gate = method.gate
        if method.handler in self._own or gate.side != self.SIDE:
            return True
        if gate.kind == "entry":
            entries: Any = self._gates.advertised[self.SIDE]
            for name in gate.path:
                entries = entries.get(name) if isinstance(entries, OBJECT) else None
            return bool(entries)
        granted = {
            one.gate.path
            for one in self.PROTOCOL.methods
            if one.handler in self._own or "creates-session" in one.traits
        }
        return gate.path in granted or self._gates.missing(gate) is None

    def _respond(self, method: Method, params: Any, context: Context[Any]) -> Any:
        self.calls.append(Call(method.name, params))
        own = self._own.get(method.handler)
        if own is not None:
            return own(params, context)
        behavior = getattr(self, f"_on_{method.handler}", None)
        if behavior is not None:
            return behavior(method, params, context)
        return self._sample(method)

    def _sample(self, method: Method, **changes: Any) -> Any:
        if not method.result:
            return None
        sample = {**self.SAMPLES.get(method.name, {}), **changes}
        return self.PROTOCOL.schema_of(method.result).parse(sample)

    async def _on_session_prompt(
        self, method: Method, params: Any, context: Context[Any]
    ) -> Any:
        session = context.peer.session(params.session_id)
        self._stopped.discard(session.id)
        if self.PROTOCOL.version == 1:
            for update in self._updates(()):
                if not await self._send(session, update):
                    return self._sample(method, stopReason="cancelled")
            return self._sample(method)

        async def work(turn: Any) -> str | None:
            for update in self._updates(_OTHER_UPDATES):
                if not await self._send(turn, update):
                    return "cancelled"
            return None

        return await session.start_turn(work, message=params.prompt)

    def _updates(self, left_out: Sequence[str]) -> list[dict[str, Any]]:
        """Returns the updates, of which those of tool calls are about the same one."""
        kinds = [dict(one) for one in self.UPDATES]
        calls = [one for one in kinds if one["sessionUpdate"] == "tool_call"]
        for update in kinds:
            if update["sessionUpdate"] == "tool_call_update" and calls:
                update["toolCallId"] = calls[0]["toolCallId"]
        return [one for one in kinds if one["sessionUpdate"] not in left_out]

    async def _send(self, session: Any, update: dict[str, Any]) -> bool:
        """Sends an update that the client supports. Returns whether the turn goes on."""
        try:
            await session.send(update)
        except CapabilityError:
            """An agent leaves out what the client does not support."""
        return session.id not in self._stopped

    def _on_session_cancel(
        self, method: Method, params: Any, context: Context[Any]
    ) -> None:
        self._stopped.add(params.session_id)

    def _on_session_list(
        self, method: Method, params: Any, context: Context[Any]
    ) -> Any:
        sessions = self.SAMPLES[method.name].get("sessions")
        if "session_archive" not in self.handled or not isinstance(sessions, LIST):
            return self._sample(method)
        listed = [{"archived": False, **session} for session in sessions]
        return self._sample(method, sessions=listed)

    def _on_session_request_permission(
        self, method: Method, params: Any, context: Context[Any]
    ) -> Any:
        answer = self._answer("permission", method, params)
        if answer == "cancelled":
            return self._sample(method, outcome={"outcome": "cancelled"})
        for option in params.options:
            if answer in (option.kind, option.option_id):
                chosen = {"outcome": "selected", "optionId": option.option_id}
                return self._sample(method, outcome=chosen)
        text = f"The scripted user finds no option {answer!r}"
        raise RpcError.internal(text)

    def _on_elicitation_create(
        self, method: Method, params: Any, context: Context[Any]
    ) -> Any:
        answer = self._answer("elicitation", method, params)
        if isinstance(answer, OBJECT):
            return self._parse(method, {"action": "accept", "content": answer})
        form = getattr(params, "requested_schema", None)
        if answer == "accept" and form is not None:
            content = elicitation_defaults(form)
            return self._parse(method, {"action": "accept", "content": content})
        return self._parse(method, {"action": answer})

    def _parse(self, method: Method, result: dict[str, Any]) -> Any:
        return self.PROTOCOL.schema_of(method.result).parse(result)

    def _answer(self, name: str, method: Method, params: Any) -> Any:
        answer = self._user[name](params)
        if answer is None:
            text = f"The scripted user has no answer left for {method.name}"
            raise RpcError.internal(text)
        return answer


def _check_permission(script: Script) -> None:
    """Raises ValueError for an answer that is a kind of option with a spelling mistake."""
    answers = script if isinstance(script, LIST) else (script,)
    for answer in answers:
        # The id of an option may be any text, and is often a kind with hyphens.
        if not isinstance(answer, str) or answer.replace("-", "_") in _PERMISSIONS:
            continue
        meant = nearest(answer, _PERMISSIONS, 0.85)
        if meant is not None:
            raise ValueError(
                f'permission: there is no answer "{answer}" (did you mean "{meant}"?); '
                "a function returns the id of any option"
            )


def _replies(script: Script) -> Callable[[Any], Any]:
    """Returns the function that answers as scripted; None when nothing is left."""
    if callable(script):
        return lambda params: script(params)
    if not isinstance(script, LIST):
        return lambda _params: script
    answers = iter(script)
    return lambda _params: next(answers, None)
