"""The agent of the behavior corpus on the official Python package, version 1."""

import asyncio
import json
import os
import uuid
from types import SimpleNamespace

import acp
from acp import RequestError, schema


def code(error):
    return f"failed {getattr(error, 'code', type(error).__name__)}"


def update(**fields):
    value = {"sessionId": "", "update": fields}
    return schema.SessionNotification.model_validate(value).update


class Testee:
    def __init__(self):
        self.sessions = {}

    def on_connect(self, connection):
        self.client = connection

    def state(self, session_id):
        if session_id not in self.sessions:
            raise RequestError(-32002, "Session not found")
        return self.sessions[session_id]

    def facts(self, state):
        modes = [{"id": name, "name": name} for name in ("ask", "code")]
        options = [{"value": name, "name": name} for name in ("small", "large")]
        option = {"type": "select", "id": "model", "name": "Model", "currentValue": state.model}
        return {
            "modes": {"currentModeId": state.mode, "availableModes": modes},
            "configOptions": [{**option, "options": options}],
        }

    async def initialize(self, client_capabilities=None, **_):
        self.abilities = client_capabilities or schema.ClientCapabilities()
        return schema.InitializeResponse.model_validate({
            "protocolVersion": 1,
            "agentInfo": {"name": "testee", "version": "1.0.0"},
            "agentCapabilities": {"loadSession": True, "sessionCapabilities": {"close": {}, "list": {}, "resume": {}}},
            "authMethods": [{"id": "key", "name": "Key"}],
        })

    async def authenticate(self, method_id, **_):
        if method_id != "key":
            raise RequestError.invalid_params()
        return schema.AuthenticateResponse()

    async def new_session(self, cwd, **_):
        if cwd == "/slow":
            await asyncio.sleep(0.15)
        if cwd == "/none":
            raise RequestError(-32002, "There is no such folder")
        if cwd == "/locked":
            raise RequestError.auth_required()
        state = SimpleNamespace(cwd=cwd, mode="ask", model="small", history=[], turns=set())
        session_id = str(uuid.uuid4())
        self.sessions[session_id] = state
        if cwd == "/commands":  # Nothing can be sent behind a response.
            await self.client.session_update(session_id, acp.update_agent_message_text("unsupported"))
        return schema.NewSessionResponse.model_validate({"sessionId": session_id, **self.facts(state)})

    async def load_session(self, session_id, **_):
        state = self.state(session_id)
        for content in state.history:
            chunk = schema.UserMessageChunk(session_update="user_message_chunk", content=content)
            await self.client.session_update(session_id, chunk)
        return schema.LoadSessionResponse.model_validate(self.facts(state))

    async def resume_session(self, session_id, **_):
        return schema.ResumeSessionResponse.model_validate(self.facts(self.state(session_id)))

    async def list_sessions(self, **_):
        found = [{"sessionId": name, "cwd": one.cwd} for name, one in self.sessions.items()]
        return schema.ListSessionsResponse.model_validate({"sessions": found})

    async def close_session(self, session_id, **_):
        await self.cancel(session_id)
        self.state(session_id)
        return schema.CloseSessionResponse()

    async def set_session_mode(self, session_id, mode_id, **_):
        if mode_id not in ("ask", "code"):
            raise RequestError.invalid_params()
        self.state(session_id).mode = mode_id
        return schema.SetSessionModeResponse()

    async def set_config_option(self, session_id, value, **_):
        if value not in ("small", "large"):
            raise RequestError.invalid_params()
        state = self.state(session_id)
        state.model = value
        return schema.SetSessionConfigOptionResponse.model_validate(self.facts(state))

    async def cancel(self, session_id, **_):
        for turn in getattr(self.sessions.get(session_id), "turns", ()):
            turn.cancel()

    async def prompt(self, session_id, prompt, **_):
        state = self.state(session_id)
        turn = asyncio.ensure_future(self.work(session_id, prompt))
        state.turns.add(turn)
        turn.add_done_callback(state.turns.discard)
        await asyncio.wait({turn})
        reason = "cancelled" if turn.cancelled() else turn.result()
        return schema.PromptResponse(stop_reason=reason or "end_turn")

    async def work(self, session_id, prompt):
        """The work on a prompt: the first word of its text names it. Returns the stop reason."""
        name, _, rest = getattr(prompt[0] if prompt else None, "text", "").partition(" ")
        send = lambda **fields: self.client.session_update(session_id, update(**fields))
        say = lambda text: self.client.session_update(session_id, acp.update_agent_message_text(text))
        tool = lambda tag, **fields: send(sessionUpdate=tag, toolCallId="t1", **fields)
        self.state(session_id).history += prompt
        match name:
            case "say":
                await say(rest)
            case "think":
                await send(sessionUpdate="agent_thought_chunk", content={"type": "text", "text": rest})
            case "count":
                for number in range(int(rest)):
                    await say(str(number))
            case "echo":
                for block in prompt[1:]:
                    await self.client.session_update(session_id, acp.update_agent_message(block))
            case "wait":
                await asyncio.Event().wait()
            case "sleep":
                await asyncio.sleep(int(rest) / 1000)
            case "stubborn":
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    await asyncio.sleep(int(rest) / 1000)
                    await say("late")
                    raise
            case "throw":
                raise ValueError(rest)
            case "fail":
                number, _, text = rest.partition(" ")
                raise RequestError(int(number), text)
            case "ask":
                await tool("tool_call", title="Run", kind="execute", status="pending")
                options = [
                    schema.PermissionOption(option_id="allow", name="Allow", kind="allow_once"),
                    schema.PermissionOption(option_id="reject", name="Reject", kind="reject_once"),
                ]
                call = schema.ToolCallUpdate(tool_call_id="t1")
                answer = await self.client.request_permission(options=options, session_id=session_id, tool_call=call)
                allowed = getattr(answer.outcome, "option_id", None) == "allow"
                await tool("tool_call_update", status="completed" if allowed else "failed")
                await say("allowed" if allowed else "not allowed")
            case "read":
                try:
                    if not (self.abilities.fs and self.abilities.fs.read_text_file):
                        raise RequestError.method_not_found("fs/read_text_file")
                    text = (await self.client.read_text_file(path=rest, session_id=session_id)).content
                except Exception as error:
                    text = code(error)
                await say(text)
            case "call":
                try:
                    answer = await self.client.ext_method(rest.removeprefix("_"), {})
                    text = json.dumps(answer, separators=(",", ":"))
                except Exception as error:
                    text = code(error)
                await say(text)
            case "notify":
                await self.client.ext_notification(rest.removeprefix("_"), {})
            case "tool" | "broken":
                await tool("tool_call", title="Look", kind="read", status="pending")
                await tool("tool_call_update", status="completed" if name == "tool" else "failed")
            case "plan":
                entries = [{"content": text, "priority": "medium", "status": "pending"} for text in ("first", "second")]
                await send(sessionUpdate="plan", entries=entries)
            case "title":
                await send(sessionUpdate="session_info_update", title=rest)
            case "mode":
                await send(sessionUpdate="current_mode_update", currentModeId=rest)
            case "thread":
                self.thread = asyncio.ensure_future(self.stream(say))
                await asyncio.sleep(0.03)
            case "exit":
                os._exit(int(rest))
            case "print":
                print(rest)
            case "stop":
                return rest
            case _:
                await say("unsupported")

    async def stream(self, say):
        for number in range(10):
            await say(f"thread {number}")
            await asyncio.sleep(0.02)


asyncio.run(acp.run_agent(Testee(), use_unstable_protocol=True))
