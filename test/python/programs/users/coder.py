"""An agent with modes, options, tools, permissions, terminals and stored sessions."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from acp_bindings import RpcError, SessionStore, serve
from acp_bindings.v1 import Agent, AgentContext, AgentSession, types


@dataclass
class State:
    cwd: str
    mode: str = "ask"
    model: str = "small"
    history: list[types.ContentBlock] = field(default_factory=list[types.ContentBlock])


MODES = [
    types.SessionMode(id="ask", name="Ask"),
    types.SessionMode(id="code", name="Code", description="Edits without asking"),
]


def options(state: State) -> list[types.SessionConfigOption]:
    return [
        types.SessionConfigOptionSelect(
            id="model",
            name="Model",
            current_value=state.model,
            options=[
                types.SessionConfigSelectOption(value="small", name="Small"),
                types.SessionConfigSelectOption(value="large", name="Large"),
            ],
        )
    ]


class Coder(Agent):
    def __init__(self) -> None:
        super().__init__(
            info=types.Implementation(name="coder", version="1.0.0", title="Coder"),
            capabilities=types.AgentCapabilities(
                prompt_capabilities=types.PromptCapabilities(
                    image=True, embedded_context=True
                )
            ),
            auth_methods=[types.AuthMethodAgent(id="key", name="API key")],
        )
        self.sessions = SessionStore[State]()
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
            raise RpcError.auth_required("Sign in first")
        state = State(params.cwd)
        session_id = self.sessions.create(state)
        session = context.peer.session(session_id)
        await session.send(
            types.SessionUpdateAvailableCommandsUpdate(
                available_commands=[
                    types.AvailableCommand(name="plan", description="Makes a plan")
                ]
            )
        )
        return types.NewSessionResponse(
            session_id=session_id,
            modes=types.SessionModeState(
                current_mode_id=state.mode, available_modes=MODES
            ),
            config_options=options(state),
        )

    async def session_load(
        self, params: types.LoadSessionRequest, context: AgentContext
    ) -> types.LoadSessionResponse:
        state = self.sessions[params.session_id]
        for block in state.history:
            await context.session.send(
                types.SessionUpdateUserMessageChunk(content=block)
            )
        return types.LoadSessionResponse(
            modes=types.SessionModeState(
                current_mode_id=state.mode, available_modes=MODES
            ),
            config_options=options(state),
        )

    async def session_set_mode(
        self, params: types.SetSessionModeRequest, context: AgentContext
    ) -> types.SetSessionModeResponse:
        self.sessions[params.session_id].mode = params.mode_id
        await context.session.send(
            types.SessionUpdateCurrentModeUpdate(current_mode_id=params.mode_id)
        )
        return types.SetSessionModeResponse()

    async def session_set_config_option(
        self, params: types.SetSessionConfigOptionRequest, context: AgentContext
    ) -> types.SetSessionConfigOptionResponse:
        state = self.sessions[params.session_id]
        if isinstance(params.value, str):
            state.model = params.value
        return types.SetSessionConfigOptionResponse(config_options=options(state))

    async def session_prompt(
        self, params: types.PromptRequest, context: AgentContext
    ) -> types.PromptResponse:
        session = context.session
        state = self.sessions[session.id]
        state.history.extend(params.prompt)
        text = " ".join(
            b.text for b in params.prompt if isinstance(b, types.TextContent)
        )
        if text == "slow":
            await asyncio.sleep(60)
        await session.plan(
            "Look",
            types.PlanEntry(content="Edit", priority="high", status="in_progress"),
        )
        async with session.tool_call(
            "Read main.py",
            kind="read",
            locations=[types.ToolCallLocation(path=f"{state.cwd}/main.py")],
        ) as call:
            content = await session.fs_read_text_file(
                f"{state.cwd}/main.py", line=1, limit=10
            )
            await call.update(
                content=[
                    types.ToolCallContentContent(
                        content=types.ContentBlockText(text=content.content)
                    )
                ],
                raw_output={"length": len(content.content)},
            )
        await self.edit(session, state)
        if context.peer.supports("clientCapabilities.terminal"):
            await self.run(session)
        await session.text("Done.")
        return types.PromptResponse(stop_reason="end_turn")

    async def edit(self, session: AgentSession, state: State) -> None:
        path = f"{state.cwd}/main.py"
        diff = types.ToolCallContentDiff(path=path, old_text="a", new_text="b")
        async with session.tool_call(
            "Edit main.py", kind="edit", content=[diff]
        ) as call:
            allowed = state.mode == "code" or await call.ask("Edit main.py?")
            if allowed:
                await session.fs_write_text_file(path=path, content="b")
            else:
                await call.fail("rejected")

    async def run(self, session: AgentSession) -> None:
        async with (
            session.tool_call("Run tests", kind="execute") as call,
            session.terminal(
                "pytest", args=["-q"], env=[types.EnvVariable(name="CI", value="1")]
            ) as terminal,
        ):
            await call.update(content=[terminal.content])
            ended = await terminal.wait(timeout=30)
            if ended.exit_code:
                await call.fail(f"exit code {ended.exit_code}")


if __name__ == "__main__":
    asyncio.run(serve(Coder()))
