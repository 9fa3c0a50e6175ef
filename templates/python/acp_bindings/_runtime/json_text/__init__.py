"""JSON texts: parsing as every receiver must, and printing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn


def parse_json(text: str | bytes) -> Any:
    """Parses a JSON text (RFC 8259).

    Raises ValueError for any other text. The depth is limited by memory only.
    """
    if not isinstance(text, str):
        text = text.decode("utf-8")
    try:
        value, end = _scan(text, 0)
        if end == len(text):
            return value
    except (RecursionError, StopIteration, ValueError):
        pass
    try:
        return _decoder.decode(text)
    except json.JSONDecodeError:
        raise
    except (RecursionError, ValueError) as error:
        if isinstance(error, _ConstantError):
            raise
        from .deep import parse_deep

        return parse_deep(text)


class _ConstantError(ValueError):
    pass


def _refuse(constant: str) -> NoReturn:
    raise _ConstantError(f"{constant} is not JSON")


_decoder = json.JSONDecoder(parse_constant=_refuse)
_scan: Callable[[str, int], tuple[Any, int]] = vars(_decoder)["scan_once"]
_encoder = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def print_json(value: Any) -> str:
    """Returns the JSON text of a value, in ASCII and without spaces.

    Raises ValueError for numbers that JSON does not have, and for a value inside itself.
    """
    if _print is not None:
        try:
            return "".join(_print(value, 0))
        except RecursionError:
            pass
    return _encoder.encode(value)


def _create_printer() -> Callable[[Any, int], tuple[str, ...]] | None:
    """Returns the printer that `json` has in C; it takes as long to create as to use once."""
    create = vars(json.encoder).get("c_make_encoder")
    if create is None:
        return None
    quote = json.encoder.encode_basestring_ascii
    settings = (None, _encoder.default, quote, None, ":", ",", False, False, False)
    made: Callable[[Any, int], tuple[str, ...]] = create(*settings)
    return made


_print = _create_printer()
