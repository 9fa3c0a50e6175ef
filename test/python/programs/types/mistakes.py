"""Mistakes that type checkers find: each line that ends in `# error` has one, the others none."""

from acp_bindings import UNSET, Unknown
from acp_bindings.v1 import AgentSession, types

types.PromptResponse(stop_reason="end_turn")
types.PromptResponse(stop_reason="endturn")  # error
types.PromptResponse()  # error
types.ToolCall(tool_call_id="1", title="Edit", kind="edit", status=UNSET)
types.ToolCall(tool_call_id="1", title="Edit", kind="edt")  # error
types.SessionUpdateToolCall(tool_call_id="1", title="Edit", kind="edt")  # error
types.TextContent(text="a", mime="text/plain")  # error
types.TextContent("a")  # error


async def send(session: AgentSession, kind: types.ToolKind) -> None:
    async with session.tool_call("Edit", kind="edt"):  # error
        pass
    async with session.tool_call("Edit", kind=kind) as call:
        await call.update(status="done")  # error
        await call.update(status="completed")


def relay(received: types.Annotations) -> types.Annotations:
    """What one side has sent can be sent to the other."""
    return types.Annotations(audience=received.audience)


def received(call: types.ToolCall) -> str:
    """Values of later versions are received."""
    if call.status == "of a later version":
        call.status = "done"  # error
        call.status = "completed"
    return call.kind if isinstance(call.kind, str) else "other"


def cost(kind: types.ToolKind) -> int:
    """A `match` over an enumeration is exhaustive."""
    match kind:
        case "read" | "search" | "fetch" | "think":
            return 0
        case "edit" | "delete" | "move" | "execute" | "switch_mode" | "other":
            return 1


def show(content: types.ContentBlock) -> str:
    """A `match` over a union is exhaustive, by the classes of its definitions."""
    match content:
        case types.TextContent(text=text):
            return text
        case types.ImageContent() | types.AudioContent(mime_type="audio/wav"):
            return "media"
        case types.ResourceLink(uri=uri):
            return uri
        case types.AudioContent(data=data, mime_type=mime_type):
            return data + mime_type
        case types.EmbeddedResource():
            return "resource"
        case Unknown(tag=tag):
            return tag
