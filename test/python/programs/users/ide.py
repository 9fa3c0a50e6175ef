"""A client with files, permissions and terminals, which drives the agent in `coder.py`.

ide.py <program of the agent>
"""

from __future__ import annotations

import asyncio
import itertools
import sys
import tempfile
from pathlib import Path

from acp_bindings import CapabilityError, RpcError, spawn_agent
from acp_bindings.v1 import Client, ClientContext, ConnectedAgent, types


class Ide(Client):
    def __init__(self) -> None:
        super().__init__(info=types.Implementation(name="ide", version="1.0.0"))
        self.terminals: dict[str, asyncio.subprocess.Process] = {}
        self.commands: list[str] = []
        self.asked: list[str] = []
        self.ids = itertools.count()

    async def authenticate_again(self, agent: ConnectedAgent) -> bool:
        await agent.authenticate(types.AuthenticateRequest(method_id="key"))
        return True

    async def session_update(
        self, params: types.SessionNotification, context: ClientContext
    ) -> None:
        if isinstance(params.update, types.AvailableCommandsUpdate):
            self.commands = [one.name for one in params.update.available_commands]

    async def session_request_permission(
        self, params: types.RequestPermissionRequest, context: ClientContext
    ) -> types.RequestPermissionResponse:
        call = context.session.state.tool_calls[params.tool_call.tool_call_id]
        self.asked.append(f"{params.tool_call.title} {call.kind} {call.status}")
        option = next(one for one in params.options if one.kind == "allow_once")
        return types.RequestPermissionResponse(
            outcome=types.RequestPermissionOutcomeSelected(option_id=option.option_id)
        )

    async def fs_read_text_file(
        self, params: types.ReadTextFileRequest, context: ClientContext
    ) -> types.ReadTextFileResponse:
        path = Path(params.path)
        if not path.exists():
            raise RpcError.resource_not_found(f"no file {path.name}")
        lines = path.read_text().splitlines(keepends=True)
        first = (params.line or 1) - 1
        last = first + params.limit if params.limit else None
        return types.ReadTextFileResponse(content="".join(lines[first:last]))

    async def fs_write_text_file(
        self, params: types.WriteTextFileRequest, context: ClientContext
    ) -> types.WriteTextFileResponse:
        Path(params.path).write_text(params.content)
        return types.WriteTextFileResponse()

    async def terminal_create(
        self, params: types.CreateTerminalRequest, context: ClientContext
    ) -> types.CreateTerminalResponse:
        terminal_id = f"t{next(self.ids)}"
        self.terminals[terminal_id] = await asyncio.create_subprocess_exec(
            sys.executable, "-c", "print('ok')", stdout=asyncio.subprocess.PIPE
        )
        return types.CreateTerminalResponse(terminal_id=terminal_id)

    async def terminal_output(
        self, params: types.TerminalOutputRequest, context: ClientContext
    ) -> types.TerminalOutputResponse:
        return types.TerminalOutputResponse(output="ok", truncated=False)

    async def terminal_wait_for_exit(
        self, params: types.WaitForTerminalExitRequest, context: ClientContext
    ) -> types.WaitForTerminalExitResponse:
        process = self.terminals[params.terminal_id]
        await process.communicate()
        return types.WaitForTerminalExitResponse(exit_code=process.returncode)

    async def terminal_kill(
        self, params: types.KillTerminalRequest, context: ClientContext
    ) -> types.KillTerminalResponse:
        self.terminals[params.terminal_id].kill()
        return types.KillTerminalResponse()

    async def terminal_release(
        self, params: types.ReleaseTerminalRequest, context: ClientContext
    ) -> types.ReleaseTerminalResponse:
        del self.terminals[params.terminal_id]
        return types.ReleaseTerminalResponse()


async def work(agent: ConnectedAgent, ide: Ide, folder: Path) -> None:
    session = await agent.new_session(str(folder), timeout=10)
    state = session.state
    assert state.mode is not None and state.mode.current_mode_id == "ask"
    assert [one.name for one in state.available_modes] == ["Ask", "Code"]
    plan, call, *_ = [update async for update in session.prompt("Tidy up")]
    assert isinstance(plan, types.Plan) and isinstance(call, types.ToolCall)
    assert ide.commands == ["plan"]
    assert ide.asked == ["Edit main.py? edit in_progress"], ide.asked
    assert (folder / "main.py").read_text() == "b"
    assert [one.status for one in state.tool_calls.values()] == ["completed"] * 3
    assert state.plan is not None and len(state.plan.entries) == 2
    assert state.messages[-1].text.startswith("Done.")
    await session.set_mode("code")
    assert state.mode.current_mode_id == "code"
    await session.set_config_option("model", "large")
    assert state.config is not None
    [model] = state.config.config_options
    assert isinstance(model, types.SessionConfigSelect)
    assert model.current_value == "large"
    assert (await session.prompt("again")).stop_reason == "end_turn"
    assert len(ide.asked) == 1, "the mode allows edits"
    turn = session.prompt("slow")
    await turn.cancel()
    assert (await turn).stop_reason == "cancelled"
    try:
        await asyncio.wait_for(session.prompt("slow"), 0.2)
    except TimeoutError:
        pass
    else:
        raise AssertionError
    try:
        await session.set_mode("none")
    except CapabilityError as error:
        assert error.pointer == "/modeId"
    try:
        await agent.load_session("unknown", str(folder))
    except RpcError as error:
        assert (error.code, error.message) == (-32002, "Session not found")
    loaded = await agent.load_session(session.id, str(folder))
    assert any("again" in one.text for one in loaded.state.messages)
    assert loaded.state.mode is not None and loaded.state.mode.current_mode_id == "code"


async def main() -> None:
    ide = Ide()
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        Path(name, "main.py").write_text("a\n")
        command = (sys.executable, sys.argv[1])
        async with spawn_agent(ide, *command, stderr=lines.append, timeout=10) as agent:
            await work(agent, ide, Path(name))
            assert agent.stats.malformed == 0
    assert lines == [], lines


if __name__ == "__main__":
    asyncio.run(main())
