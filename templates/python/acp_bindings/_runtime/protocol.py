"""A protocol as data: its methods, their schemas, and the capabilities they need."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from .record import Record
from .schema import Schema

if TYPE_CHECKING:
    from .session.state import SessionState

Side: TypeAlias = Literal["agent", "client"]

Trait: TypeAlias = Literal[
    "starts-turn",
    "cancels-turn",
    "updates-session",
    "creates-session",
    "forks-session",
    "loads-session",
    "resumes-session",
    "lists-sessions",
    "ends-session",
    "accepts-closed-session",
    "sets-mode",
    "sets-config-option",
    "sets-title",
    "creates-terminal",
    "releases-terminal",
    "requests-permission",
    "changes-authentication",
    "suggests-edits",
    "initializes-proxy",
    "wraps-message",
]
"""What a method does: methods are found by their traits, and only `initialize` by name."""

INITIALIZE = "initialize"
"""The only method that is known by its name: it comes before everything else."""

_NONE: Mapping[str, str] = MappingProxyType({})


class Gate(Record):
    """What a method or a value needs."""

    kind: Literal["always", "capability", "key", "entry"]
    side: Literal["agent", "client", "session", ""] = ""
    """The side that advertises it, or a session that has the entry or the item."""
    path: tuple[str, ...] = ()
    """The way to it in the initialize message."""
    test: Literal["true", "present", "filled"] = "present"
    key: str = ""
    """The way to the key in the params, with dots."""
    entry: Mapping[str, str] = _NONE
    """The properties of an entry, and where the params have them."""
    excluded: Mapping[str, str] = _NONE
    strength: Literal["must", "should", "implicit"] = "must"

    @property
    def pointer(self) -> str:
        """The pointer to the value in the params that selects what the gate needs."""
        paths = [self.key, *self.entry.values()]
        found = next((path for path in paths if path), "")
        return "".join(f"/{name}" for name in found.split(".")[1:])


class Place(Record):
    """A value in params that needs a capability."""

    path: tuple[Any, ...]
    """Names of properties, `{"each": "item"}`, or `{"tag": …, "values": […]}`."""
    gate: Gate
    tag: str = ""
    values: tuple[str, ...] = ()


class Fact(Record):
    """What a message shows of a session."""

    name: str
    part: Literal["params", "result"]
    path: tuple[Any, ...]
    item_id: str = ""
    """The property that names an item of the session."""


class Method(Record):
    """A request or notification."""

    name: str
    side: str
    """The side that handles it; `protocol` for both."""
    kind: Literal["request", "notification"]
    handler: str
    """The name of its handler, and of the call."""
    params: str
    result: str = ""
    gate: Gate = Gate("always")
    places: tuple[Place, ...] = ()
    """The values in its params that need a capability."""
    result_places: tuple[Place, ...] = ()
    capabilities: tuple[Gate, ...] = ()
    """What both sides can advertise in its messages; only `initialize` has it."""
    facts: tuple[Fact, ...] = ()
    traits: tuple[Trait, ...] = ()
    """What the method does."""
    cancelled_result: Any = None
    """The result of a request that ends with a cancelled turn; None where it fails."""
    implied_result: dict[str, Any] | None = None
    """The members of the result that are implied where a received result lacks them."""
    advertised: Any = None
    """The capability that a handler advertises."""
    is_required: bool = False
    """Whether every implementation of the side has to handle it."""


class Protocol:
    """A profile of the protocol."""

    def __init__(
        self,
        *,
        version: int,
        methods: tuple[Method, ...],
        schema_of: Callable[[str], Schema[Any]],
        info: dict[Side, str],
        capabilities: dict[Side, str],
        null_ids: bool,
        state: Callable[[], SessionState] | None = None,
    ) -> None:
        self.version = version
        self.methods = methods
        self.schema_of = functools.cache(schema_of)
        """Returns the schema of a definition by its name."""
        self.info = info
        """The property of the initialize message that names the software of a side."""
        self.capabilities = capabilities
        self.null_ids = null_ids
        self.state = state
        """Creates the state of a session."""
        self._table: dict[tuple[str, str, str], Method] = {
            (side, method.kind, method.name): method
            for method in methods
            for side in ("agent", "client")
            if method.side in (side, "protocol")
        }

        self._by_trait: dict[tuple[str, str], Method] = {}
        for method in methods:
            for trait in method.traits:
                self._by_trait.setdefault((trait, method.kind), method)

    def find(self, side: Side, kind: str, name: str) -> Method | None:
        """Returns the method that a side handles."""
        return self._table.get((side, kind, name))

    def find_initialize(self) -> Method:
        """Returns `initialize`, the only method that is found by its name."""
        return self._table["agent", "request", INITIALIZE]

    def having(self, trait: Trait, kind: str = "request") -> Method | None:
        """Returns the first method of a kind with a trait."""
        return self._by_trait.get((trait, kind))

    def find_close(self) -> Method | None:
        """Returns the method that closes a session, and only an open one."""
        for method in self.methods:
            accepts_closed = "accepts-closed-session" in method.traits
            if "ends-session" in method.traits and not accepts_closed:
                return method
        return None

    def named(self, trait: Trait, kind: str = "request") -> str:
        """Returns the name of the method with a trait; empty when there is none."""
        found = self.having(trait, kind)
        return "" if found is None else found.name

    def initialize(self, side: Side) -> Schema[Any]:
        """Returns the schema of the initialize message of a side."""
        method = self.find_initialize()
        return self.schema_of(method.params if side == "client" else method.result)

    def params_schema(self, side: Side, kind: str, name: str) -> Schema[Any]:
        """Returns the schema of the params of a method that the profile has."""
        return self.schema_of(self._table[side, kind, name].params)

    def to_json(self, value: Any) -> Any:
        """Returns a value of any class as JSON, without checking it."""
        return self.schema_of(self.methods[0].params).to_json(value)
