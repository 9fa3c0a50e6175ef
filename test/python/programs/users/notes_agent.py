import asyncio
import json
import os
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from acp_bindings import FileSessions, RpcError, SessionStore, serve
from acp_bindings.v1 import Agent, AgentContext, types


@dataclass
class State:
    cwd: str
    mode: str = "ask"
    model: str = "small"
    thoughts: bool = True
    messages: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


FOLDER = Path(os.environ.get("NOTES_HOME") or Path.home() / ".notes-agent")
MODES = [types.SessionMode(id=name, name=name) for name in ("ask", "code")]
MODELS = [
    types.SessionConfigSelectOption(value=name, name=name)
    for name in ("small", "large")
]
COMMANDS = types.SessionUpdateAvailableCommandsUpdate(
    available_commands=[
        types.AvailableCommand(name="sort", description="Prints the notes in order")
    ]
)
CHOICES = [
    types.PermissionOption(option_id="once", name="Allow", kind="allow_once"),
    types.PermissionOption(option_id="always", name="Always", kind="allow_always"),
    types.PermissionOption(option_id="reject", name="Reject", kind="reject_once"),
]


def modes(state: State) -> types.SessionModeState:
    return types.SessionModeState(current_mode_id=state.mode, available_modes=MODES)


def options(state: State, context: AgentContext) -> list[types.SessionConfigOption]:
    offered: list[types.SessionConfigOption] = [
        types.SessionConfigOptionSelect(
            id="model",
            category="model",
            name="Model",
            current_value=state.model,
            options=MODELS,
        )
    ]
    # A client that has not advertised boolean options is not offered any.
    if context.peer.supports("clientCapabilities.session.configOptions.boolean"):
        offered.append(
            types.SessionConfigOptionBoolean(
                id="thoughts", name="Show thoughts", current_value=state.thoughts
            )
        )
    return offered


async def complete(task: str, model: str) -> AsyncIterator[str]:
    """Stands for a language model."""
    for word in ("I", "add", f'"{task}",', "says", model):
        yield f"{word} "


class Notes(Agent):
    def __init__(self) -> None:
        super().__init__(
            info=types.Implementation(name="notes", version="1.0.0"),
            auth_methods=[types.AuthMethodAgent(id="token", name="Token")],
        )
        # An unknown id is answered with "Session not found".
        self.sessions = SessionStore[State](
            backend=FileSessions(FOLDER),
            encode=lambda state: json.dumps(asdict(state)),
            decode=lambda text: State(**json.loads(text)),
        )
        self.signed_in = False

    async def authenticate(
        self, params: types.AuthenticateRequest, context: AgentContext
    ) -> types.AuthenticateResponse:
        self.signed_in = True
        return types.AuthenticateResponse()

    async def session_new(
        self, params: types.NewSessionRequest, context: AgentContext
    ) -> types.NewSessionResponse:
        if not self.signed_in:
            raise RpcError.auth_required()
        state = State(params.cwd)
        session_id = self.sessions.create(state)
        session = context.peer.session(session_id)
        context.after_response(lambda: session.send(COMMANDS))
        return types.NewSessionResponse(
            session_id=session_id,
            modes=modes(state),
            config_options=options(state, context),
        )

    async def session_load(
        self, params: types.LoadSessionRequest, context: AgentContext
    ) -> types.LoadSessionResponse:
        if not self.signed_in:
            raise RpcError.auth_required()
        state = await self.sessions.open(params.session_id)
        for author, text in state.messages:
            if author == "agent":
                await context.session.text(text)
            else:
                block = types.ContentBlockText(text=text)
                await context.session.send(
                    types.SessionUpdateUserMessageChunk(content=block)
                )
        context.after_response(lambda: context.session.send(COMMANDS))
        return types.LoadSessionResponse(
            modes=modes(state), config_options=options(state, context)
        )

    async def session_set_mode(
        self, params: types.SetSessionModeRequest, context: AgentContext
    ) -> types.SetSessionModeResponse:
        self.sessions[params.session_id].mode = params.mode_id
        await self.sessions.save(params.session_id)
        return types.SetSessionModeResponse()

    async def session_set_config_option(
        self, params: types.SetSessionConfigOptionRequest, context: AgentContext
    ) -> types.SetSessionConfigOptionResponse:
        state = self.sessions[params.session_id]
        if isinstance(params, types.SetSessionConfigOptionRequestBoolean):
            state.thoughts = params.value
        else:
            state.model = params.value
        await self.sessions.save(params.session_id)
        return types.SetSessionConfigOptionResponse(
            config_options=options(state, context)
        )

    async def session_prompt(
        self, params: types.PromptRequest, context: AgentContext
    ) -> types.PromptResponse:
        # `session/cancel` cancels the task: whatever it awaits ends.
        session = context.session
        texts = [
            one.text for one in params.prompt if isinstance(one, types.TextContent)
        ]
        task = "".join(texts)
        if task == "/crash":  # for the editor below; leave it out
            os._exit(3)
        # Stored before the answer, after a turn that was cancelled or has failed as well.
        async with self.sessions.turn(session.id) as state:
            state.messages.append(("user", task))
            await self.work(context, state, task)
        return types.PromptResponse(stop_reason="end_turn")

    async def work(self, context: AgentContext, state: State, task: str) -> None:
        session = context.session
        if task.startswith("/sort"):
            return await self.sort(context, state)
        if state.thoughts:
            await session.thought("A line is missing.")
        await session.plan("Edit", "Sort")
        words: list[str] = []
        async for word in complete(task, state.model):
            await session.text(word)
            words.append(word)
        state.messages.append(("agent", "".join(words)))
        await self.edit(context, state, task)
        await self.sort(context, state)
        done = [
            types.PlanEntry(content=content, priority="medium", status="completed")
            for content in ("Edit", "Sort")
        ]
        await session.plan(*done)

    async def edit(self, context: AgentContext, state: State, line: str) -> None:
        session = context.session
        # The editor has the unsaved text, if it gives access to its files.
        supports = context.peer.supports
        path = f"{state.cwd}/notes.txt"
        if supports("clientCapabilities.fs.readTextFile"):
            old = (await session.fs_read_text_file(path)).content
        else:
            old = Path(path).read_text("utf-8")
        new = f"{old}{line}\n"
        diff = types.ToolCallContentDiff(path=path, old_text=old, new_text=new)
        # in_progress, then completed at the end of the block; failed if it raises
        async with session.tool_call("Edit notes", kind="edit", content=[diff]) as call:
            if state.mode == "ask":
                choice = await call.ask("Add a line?", CHOICES)
                if choice is None:
                    return await call.fail("The user rejected it.")
                if choice.kind == "allow_always":
                    state.mode = "code"
                    await session.send(
                        types.SessionUpdateCurrentModeUpdate(current_mode_id=state.mode)
                    )
            if supports("clientCapabilities.fs.writeTextFile"):
                await session.fs_write_text_file(path=path, content=new)
            else:
                Path(path).write_text(new, "utf-8")

    async def sort(self, context: AgentContext, state: State) -> None:
        session = context.session
        if not context.peer.supports("clientCapabilities.terminal"):
            return await session.text("The editor has no terminals.")
        async with (
            session.tool_call("Sort", kind="execute") as call,
            session.terminal("sort", args=["notes.txt"], cwd=state.cwd) as terminal,
        ):
            await call.update(content=[terminal.content])
            await terminal.wait()
            await session.text((await terminal.output()).output)


if __name__ == "__main__":
    asyncio.run(serve(Notes()))
