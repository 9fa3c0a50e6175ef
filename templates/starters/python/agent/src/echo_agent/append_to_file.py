"""An edit through the client: a tool call, a diff, a request for permission."""

import contextlib
from dataclasses import dataclass
from pathlib import PurePath

from .acp import AcpError
from .acp.v1 import AgentSession, types

ANSWERS = [
    types.PermissionOption(option_id="once", name="Allow", kind="allow_once"),
    types.PermissionOption(option_id="always", name="Always allow", kind="allow_always"),
    types.PermissionOption(option_id="reject", name="Reject", kind="reject_once"),
]


@dataclass
class EditPolicy:
    """The edits that the user has allowed in a session."""

    may_edit: bool = False


async def append_to_file(
    session: AgentSession, path: str, text: str, policy: EditPolicy
) -> None:
    """Appends text to a file through the client, which has the unsaved text and can undo the edit.

    The user sees a tool call with the change, and is asked before it is made. The path is
    absolute, as all paths of the protocol. What fails ends the tool call, not the turn.
    """
    locations = [types.ToolCallLocation(path=path)]
    title = f"Append to {PurePath(path).name}"
    with contextlib.suppress(AcpError):
        async with session.tool_call(title, kind="edit", locations=locations) as call:
            old = (await session.fs_read_text_file(path)).content
            line_end = "" if old == "" or old.endswith("\n") else "\n"
            new = f"{old}{line_end}{text}\n"
            await call.update(
                content=[types.ToolCallContentDiff(path=path, old_text=old, new_text=new)]
            )
            if not policy.may_edit:
                answer = await call.ask(options=ANSWERS)
                if answer is None:
                    return await call.fail("The user rejected the edit.")
                policy.may_edit = answer.kind == "allow_always"
            await session.fs_write_text_file(path=path, content=new)
