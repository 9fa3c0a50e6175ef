"""The schema of a definition: everything that can be done with its values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from .decoding import REFUSALS, Decoder, Slow, new
from .diagnosis.diagnosis import MAX_ISSUES, Diagnosis, Mode
from .diagnosis.walk import Walk
from .encoding import Encoder, Encoders, EncoderTable
from .json_text import parse_json, print_json
from .results import Failure, InvalidValueError, Issue, Success

T = TypeVar("T")


class Codec:
    """What the schemas of a profile share; the table is loaded when it is needed."""

    def __init__(
        self,
        decoders: dict[str, Decoder],
        checking_encoders: dict[str, EncoderTable],
        encoders: Encoders,
        load_table: Callable[[], dict[str, Any]],
    ) -> None:
        self.decoders = decoders
        self.checking_encoders = checking_encoders
        self.encoders = encoders
        self._load_table = load_table
        self._walk: Walk | None = None

    @property
    def walk(self) -> Walk:
        if self._walk is None:
            self._walk = Walk(self._load_table())
        return self._walk


class Schema(Generic[T]):
    """A definition of the protocol."""

    def __init__(self, definition: str, codec: Codec) -> None:
        self.definition = definition
        """The name of the definition."""
        self._codec = codec
        self._decode = codec.decoders[definition]
        table = codec.checking_encoders.get(definition)
        self._encoders: dict[type, Encoder] = {} if table is None else table

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
        diagnosis = Diagnosis(mode, max_issues)
        repaired = diagnosis.run(self._codec.walk.definition(self.definition), value)
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

        Raises InvalidValueError when it is invalid, or has tags or values that are
        reserved for the protocol. Properties in `extra` are sent as they are.
        """
        fast = self._encoders.get(type(value))
        if fast is not None:
            try:
                return fast(value, True)
            except Slow:
                pass
        encoded = self.to_json(value)
        # Decoders take for granted what an object of another class may not be: JSON.
        issues = self._walk(encoded, "send", MAX_ISSUES)
        if issues:
            raise InvalidValueError(self.definition, issues)
        return encoded

    def encode_json(self, value: T) -> str:
        """Returns the JSON text to send; see `encode`."""
        return print_json(self.encode(value))

    def to_json(self, value: T) -> Any:
        """Returns a value as JSON, without checking it."""
        return self._codec.encoders[type(value)](value, False)

    def _diagnose(self, value: Any, mode: Mode, max_issues: int) -> tuple[Issue, ...]:
        try:
            self._decode(value, 2)
            return ()
        except REFUSALS:
            return self._walk(value, mode, max_issues)

    def _walk(self, value: Any, mode: Mode, max_issues: int) -> tuple[Issue, ...]:
        diagnosis = Diagnosis(mode, max_issues)
        diagnosis.run(self._codec.walk.definition(self.definition), value)
        return tuple(diagnosis.issues)
