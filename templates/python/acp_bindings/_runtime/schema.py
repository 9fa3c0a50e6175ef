"""The schema of a definition: everything that can be done with its values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .decoding import REFUSALS, Decoder, new
from .json_text import parse_json, print_json
from .results import MAX_ISSUES, Failure, InvalidValueError, Issue, Success

if TYPE_CHECKING:
    from .diagnosis.diagnosis import Diagnosis, Mode
    from .diagnosis.walk import Walk
    from .encoding import Encoder, Encoders

T = TypeVar("T")


class Codec:
    """What the schemas of a profile share; everything is loaded when it is needed."""

    def __init__(
        self,
        load_decoder: Callable[[str], Decoder],
        load_encoders: Callable[[str], tuple[Encoders, dict[type, Encoder]]],
        load_table: Callable[[], dict[str, Any]],
    ) -> None:
        self.load_decoder = load_decoder
        self.load_encoders = load_encoders
        self._load_table = load_table
        self._walk: Walk | None = None

    def diagnose(
        self,
        definition: str,
        value: Any,
        mode: Mode,
        max_issues: int,
        received: frozenset[int] = frozenset(),
    ) -> tuple[Diagnosis, Any]:
        """Diagnoses a value. Returns the report, and the value with its repairs.

        `received`: the identities of objects that were received, and may be sent again.
        """
        from .diagnosis.diagnosis import Diagnosis
        from .diagnosis.walk import Walk

        if self._walk is None:
            self._walk = Walk(self._load_table())
        diagnosis = Diagnosis(mode, max_issues, received)
        return diagnosis, diagnosis.run(self._walk.definition(definition), value)


class Schema(Generic[T]):
    """A definition of the protocol."""

    def __init__(self, definition: str, codec: Codec) -> None:
        self.definition = definition
        """The name of the definition."""
        self._codec = codec

    @cached_property
    def _decode(self) -> Decoder:
        return self._codec.load_decoder(self.definition)

    @cached_property
    def _encoders(self) -> dict[type, Encoder]:
        return self._codec.load_encoders(self.definition)[1]

    def __repr__(self) -> str:
        return f"Schema({self.definition!r})"

    def decode(
        self, value: Any, unknown: str = "keep", max_issues: int = MAX_ISSUES
    ) -> Success[T] | Failure:
        """Decodes a parsed value leniently.

        Repairs what the schema marks as repairable and reports each repair in `notes`.
        The value is not modified. With `unknown="reject"`, values that closed unions and
        enumerations do not list are errors.
        """
        try:
            success: Success[T] = new(Success)
            success.value = self._decode(value, 0)
            success.notes = ()
            return success
        except REFUSALS:
            pass
        mode: Mode = "reject" if unknown == "reject" else "keep"
        diagnosis, repaired = self._codec.diagnose(
            self.definition, value, mode, max_issues
        )
        if diagnosis.failures > 0:
            return Failure(tuple(diagnosis.issues))
        return Success(self._decode(repaired, 1), tuple(diagnosis.notes))

    def decode_json(self, text: str | bytes) -> Success[T] | Failure:
        """Decodes a JSON text leniently. Raises ValueError for text that is not JSON."""
        value = parse_json(text)
        try:
            success: Success[T] = new(Success)
            success.value = self._decode(value, 0)
            success.notes = ()
            return success
        except REFUSALS:
            return self.decode(value)

    def repair(self, value: Any) -> Any:
        """Returns a parsed value as it is decoded, leniently; an invalid one unchanged."""
        try:
            self._decode(value, 0)
            return value
        except REFUSALS:
            pass
        diagnosis, repaired = self._codec.diagnose(self.definition, value, "keep", 1)
        return value if diagnosis.failures > 0 else repaired

    def parse(self, value: Any) -> T:
        """Decodes a parsed value leniently. Raises InvalidValueError if it is invalid."""
        decoded = self.decode(value)
        if isinstance(decoded, Failure):
            raise InvalidValueError(self.definition, decoded.issues)
        return decoded.value

    def issues(self, value: Any, *, max_issues: int = MAX_ISSUES) -> tuple[Issue, ...]:
        """Validates a parsed value strictly and returns the issues."""
        return self._diagnose(value, "strict", max_issues)

    def is_valid(self, value: Any) -> bool:
        """Returns whether a parsed value is valid, strictly."""
        return not self.issues(value, max_issues=1)

    def encode(self, value: T) -> Any:
        """Returns the JSON value to send.

        Raises InvalidValueError when it is invalid, or has properties, tags or values that
        the protocol does not list and were not received.
        """
        fast = self._encoders.get(type(value))
        if fast is not None:
            try:
                return fast(value, True)
            except KeyError:
                pass
        return self._encode_slowly(value)

    def _encode_slowly(self, value: T) -> Any:
        from .diagnosis.unsendable import find_unsendable, unsendable
        from .encoding import plain, received_variants
        from .message import Message

        try:
            encoded = self._encode_freely(value)
        except RecursionError:
            raise unsendable(self.definition, value, Message) from None
        # The walks below would never end inside a circle.
        circle = find_unsendable(encoded, object)
        if circle is not None:
            raise InvalidValueError(self.definition, (circle,))
        # Decoders take for granted what an object of another class may not be: JSON.
        diagnosis, _ = self._codec.diagnose(
            self.definition, encoded, "send", MAX_ISSUES, received_variants(value)
        )
        if diagnosis.failures > 0:
            raise InvalidValueError(self.definition, tuple(diagnosis.issues))
        return plain(encoded)

    def encode_json(self, value: T) -> str:
        """Returns the JSON text to send; see `encode`."""
        encoded = self.encode(value)
        try:
            return print_json(encoded)
        except (TypeError, ValueError, RecursionError):
            from .diagnosis.unsendable import unsendable

            raise unsendable(self.definition, encoded) from None

    def to_json(self, value: T) -> Any:
        """Returns a value as JSON, without checking it."""
        from .encoding import plain

        return plain(self._encode_freely(value))

    def _encode_freely(self, value: T) -> Any:
        from .encoding import freely

        encoders, checked = self._codec.load_encoders(self.definition)
        return freely(checked, encoders, value)

    def _diagnose(self, value: Any, mode: Mode, max_issues: int) -> tuple[Issue, ...]:
        try:
            self._decode(value, 2)
            return ()
        except REFUSALS:
            return self._walk(value, mode, max_issues)

    def _walk(self, value: Any, mode: Mode, max_issues: int) -> tuple[Issue, ...]:
        diagnosis, _ = self._codec.diagnose(self.definition, value, mode, max_issues)
        return tuple(diagnosis.issues)
