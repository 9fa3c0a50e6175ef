"""Bindings of the Agent Client Protocol: one subpackage for each profile."""

from ._runtime.message import UNSET, Message, Unknown, Unset
from ._runtime.results import Failure, InvalidValueError, Issue, Note, Success

__all__ = [
    "UNSET",
    "Failure",
    "InvalidValueError",
    "Issue",
    "Message",
    "Note",
    "Success",
    "Unknown",
    "Unset",
]
