"""The forms of elicitations, and whether answers fit them."""

from __future__ import annotations

import re
from typing import Any

from .gates.paths import read
from .json_values import LIST, NUMBERS, OBJECT
from .message import UNSET
from .results import Issue

_ANY: Any = ["any"]


def check_elicitation(schema: Any, content: Any) -> tuple[Issue, ...]:
    """Returns why the content of an elicitation does not fit its form; empty if it does.

    `schema` is the `requested_schema` of the request, as an object or as JSON, and `content`
    that of the answer; an absent one has no fields. `pattern` and `format` are not checked,
    since an expression of the other side can run forever.
    """
    from .diagnosis.diagnosis import Diagnosis
    from .diagnosis.fields import REQUIRED
    from .diagnosis.walk import Walk

    properties = _properties(schema)
    required = [one for one in _items(schema, "required") if isinstance(one, str)]
    fields = [
        [name, _node(properties.get(name)), REQUIRED if name in required else 0]
        for name in dict.fromkeys((*required, *properties))
    ]
    diagnosis = Diagnosis("strict")
    form = Walk({"": ["object", fields, True]}).definition("")
    diagnosis.run(form, {} if content is None or content is UNSET else content)
    return tuple(diagnosis.issues)


def elicitation_defaults(schema: Any) -> dict[str, Any]:
    """Returns the values that a form starts with.

    They are the defaults of its fields, except for those that the field does not accept.
    """
    defaults: dict[str, Any] = {}
    for name, field in _properties(schema).items():
        value = _get(field, "default")
        form = {"properties": {"value": field}}
        if value is not None and not check_elicitation(form, {"value": value}):
            defaults[name] = value
    return defaults


def unfit_content(params: Any, result: Any) -> Issue | None:
    """Returns the first issue of the content in the answer to an elicitation."""
    schema: Any = read(params, ["requestedSchema"])
    if not isinstance(schema, OBJECT) or read(result, ["action"]) != "accept":
        return None
    for issue in check_elicitation(schema, read(result, ["content"])):
        place = f"/content{issue.pointer}"
        return Issue(place, issue.rule, issue.expected, issue.found)
    return None


def _get(value: Any, name: str) -> Any:
    """Returns a property of an object, or of its JSON; None where there is none."""
    value = getattr(value, "raw", value)
    if isinstance(value, OBJECT):
        return value.get(name)
    found = getattr(
        value, re.sub("[A-Z]", lambda one: f"_{one[0].lower()}", name), None
    )
    return None if found is UNSET else found


def _properties(schema: Any) -> dict[str, Any]:
    found: Any = _get(schema, "properties")
    return found if isinstance(found, OBJECT) else {}


def _items(value: Any, name: str) -> list[Any]:
    found: Any = _get(value, name)
    return found if isinstance(found, LIST) else []


def _limit(field: Any, name: str) -> Any:
    found = _get(field, name)
    return found if type(found) in NUMBERS else None


def _node(field: Any) -> Any:
    kind = _get(field, "type")
    if kind == "string":
        limits = [_limit(field, "minLength"), _limit(field, "maxLength"), None]
        return _offered_by(field) or [kind, *limits]
    if kind in ("number", "integer"):
        return [kind, _limit(field, "minimum"), _limit(field, "maximum")]
    if kind == "boolean":
        return [kind]
    if kind == "array":
        items = _offered_by(_get(field, "items")) or _ANY
        return ["list", items, _limit(field, "minItems"), _limit(field, "maxItems")]
    return _ANY


def _offered_by(field: Any) -> Any:
    """Returns the check of the values that a field offers; None if it has no list of them."""
    options = [one for name in ("oneOf", "anyOf") for one in _items(field, name)]
    values = _items(field, "enum") + [_get(one, "const") for one in options]
    offered = [one for one in values if isinstance(one, str)]
    return ["enum", "string", offered, False] if values else None
