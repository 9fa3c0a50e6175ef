import asyncio
import os
import signal
import sys
from asyncio import subprocess
from pathlib import Path
from uuid import uuid4

from acp_bindings import ConnectionClosedError, spawn_agent
from acp_bindings.v1 import Client, ClientContext, ConnectedAgent, SessionState, types


class Terminal:
    def __init__(self, process: subprocess.Process) -> None:
        self.process = process
        self.output = b""
        self.reading = asyncio.create_task(self.read())

    async def read(self) -> None:
        assert self.process.stdout
        async for line in self.process.stdout:
            self.output += line

    async def wait(self) -> int:
        await self.reading
        return await self.process.wait()

    def kill(self) -> None:
        if self.process.returncode is None:
            self.process.kill()


class Editor(Client):
    def __init__(self) -> None:
        super().__init__(info=types.Implementation(name="editor", version="1.0.0"))
        self.terminals: dict[str, Terminal] = {}

    async def authenticate_again(self, agent: ConnectedAgent) -> bool:
        # Runs once, however many calls fail; then they are sent again.
        print("sign in with token")
        await agent.authenticate(types.AuthenticateRequest(method_id="token"))
        return True

    async def session_update(
        self, params: types.SessionNotification, context: ClientContext
    ) -> None:
        # `context.session.state` has changed already: an editor draws it again here.
        if isinstance(params.update, types.AvailableCommandsUpdate):
            names = [one.name for one in params.update.available_commands]
            print("commands", *names)

    async def session_request_permission(
        self, params: types.RequestPermissionRequest, context: ClientContext
    ) -> types.RequestPermissionResponse:
        for option in params.options:
            if option.kind == "allow_always":  # the user's choice
                print("allow", params.tool_call.title, option.name)
                chosen = types.RequestPermissionOutcomeSelected(
                    option_id=option.option_id
                )
                return types.RequestPermissionResponse(outcome=chosen)
        return types.RequestPermissionResponse(
            outcome=types.RequestPermissionOutcomeCancelled()
        )

    async def fs_read_text_file(
        self, params: types.ReadTextFileRequest, context: ClientContext
    ) -> types.ReadTextFileResponse:
        return types.ReadTextFileResponse(content=Path(params.path).read_text("utf-8"))

    async def fs_write_text_file(
        self, params: types.WriteTextFileRequest, context: ClientContext
    ) -> types.WriteTextFileResponse:
        Path(params.path).write_text(params.content, "utf-8")
        return types.WriteTextFileResponse()

    async def terminal_create(
        self, params: types.CreateTerminalRequest, context: ClientContext
    ) -> types.CreateTerminalResponse:
        process = await asyncio.create_subprocess_exec(
            params.command,
            *(params.args or []),
            cwd=params.cwd or None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        terminal_id = uuid4().hex
        self.terminals[terminal_id] = Terminal(process)
        return types.CreateTerminalResponse(terminal_id=terminal_id)

    async def terminal_output(
        self, params: types.TerminalOutputRequest, context: ClientContext
    ) -> types.TerminalOutputResponse:
        output = self.terminals[params.terminal_id].output.decode("utf-8", "replace")
        return types.TerminalOutputResponse(output=output, truncated=False)

    async def terminal_wait_for_exit(
        self, params: types.WaitForTerminalExitRequest, context: ClientContext
    ) -> types.WaitForTerminalExitResponse:
        code = await self.terminals[params.terminal_id].wait()
        if code < 0:
            return types.WaitForTerminalExitResponse(signal=signal.Signals(-code).name)
        return types.WaitForTerminalExitResponse(exit_code=code)

    async def terminal_kill(
        self, params: types.KillTerminalRequest, context: ClientContext
    ) -> types.KillTerminalResponse:
        self.terminals[params.terminal_id].kill()
        return types.KillTerminalResponse()

    async def terminal_release(
        self, params: types.ReleaseTerminalRequest, context: ClientContext
    ) -> types.ReleaseTerminalResponse:
        self.terminals.pop(params.terminal_id).kill()
        return types.ReleaseTerminalResponse()


def models(state: SessionState) -> list[types.SessionConfigOptionSelect]:
    """The options for the model; the agent chooses their ids."""
    return [
        option
        for option in (state.config.config_options if state.config else [])
        if isinstance(option, types.SessionConfigOptionSelect)
        and option.category == "model"
    ]


def draw(state: SessionState) -> None:
    """Draws a session: the state has all that the agent has sent, and its settings."""
    for message in state.messages:
        print(message.kind, message.text)
    for call in state.tool_calls.values():
        print("tool", call.title, call.status)
    for entry in state.plan.entries if state.plan else []:
        print("plan", entry.content, entry.status)
    for option in state.config.config_options if state.config else []:
        if isinstance(option, types.SessionConfigOptionSelect):
            print(option.name, option.current_value)
    if state.mode:
        print("Mode", state.mode.current_mode_id)


async def main() -> None:
    folder = os.getcwd()
    prompts = ["Buy milk", "/crash", "/sort"]
    session_id = ""
    while prompts:
        # After a crash, calls say how the agent ended, and another one loads the session.
        try:
            async with spawn_agent(
                Editor(), sys.executable, "agent.py", timeout=10
            ) as agent:
                if session_id:
                    session = await agent.load_session(session_id, folder)
                else:
                    session = await agent.new_session(folder)
                    session_id = session.id
                    for option in models(session.state):
                        await session.set_config_option(option.id, "large")
                    await cancel_another(agent, folder)
                while prompts:
                    await session.prompt(prompts.pop(0))
                    draw(session.state)
        except ConnectionClosedError as error:
            print(error)


async def cancel_another(agent: ConnectedAgent, folder: str) -> None:
    session = await agent.new_session(folder)
    turn = session.prompt("Buy tea")
    await turn.cancel()
    print("the other turn:", (await turn).stop_reason)


if __name__ == "__main__":
    asyncio.run(main())
