"""The agent of the behavior corpus on our bindings, for both versions: agent.py [1|2] [profile]"""

import asyncio
import importlib
import json
import os
import sys
from types import SimpleNamespace

from acp_bindings import RpcError, SessionStore, serve

VERSION = int(sys.argv[1]) if len(sys.argv) > 1 else 1
PROFILE = sys.argv[2] if len(sys.argv) > 2 else f"v{VERSION}"
v = importlib.import_module(f"acp_bindings.{PROFILE.replace('-', '_')}")
MODES = [{"id": name, "name": name} for name in ("ask", "code")]
COMMAND = {"name": "plan", "description": "Plans"} | ({"type": "command"} if VERSION > 1 else {})


def facts(state):
    option = {"type": "select", "name": "Model", "currentValue": state.model}
    option["id" if VERSION == 1 else "configId"] = "model"
    option["options"] = [{"value": name, "name": name} for name in ("small", "large")]
    modes = {"modes": {"currentModeId": state.mode, "availableModes": MODES}}
    return {"configOptions": [option], **(modes if VERSION == 1 else {})}


def code(error):
    return f"failed {error.code if isinstance(error, RpcError) else type(error).__name__}"


class Testee(v.Agent):
    def __init__(self):
        method = {"id": "key", "name": "Key"} if VERSION == 1 else {"type": "agent", "methodId": "key", "name": "Key"}
        more = {"capabilities": {"session": {"mcp": {"stdio": {}}}}} if VERSION > 1 else {}
        super().__init__(info={"name": "testee", "version": "1.0.0"}, auth_methods=[method], **more)
        self.sessions = self.session_store = SessionStore()

    async def session_new(self, params, context):
        if params.cwd == "/slow":
            await asyncio.sleep(0.15)
        if params.cwd == "/none":
            raise RpcError.resource_not_found("There is no such folder")
        if params.cwd == "/locked":
            raise RpcError.auth_required()
        state = SimpleNamespace(cwd=params.cwd, mode="ask", model="small", history=[])
        session_id = self.sessions.create(state)
        update = {"sessionUpdate": "available_commands_update", "availableCommands": [COMMAND]}
        if params.cwd == "/running":
            running = {"sessionUpdate": "state_update", "state": "running"}
            context.after_response(lambda: context.peer.session(session_id).send(running))
        if params.cwd == "/commands":
            context.after_response(lambda: context.peer.session(session_id).send(update))
        return {"sessionId": session_id, **facts(state)}

    async def session_resume(self, params, context):
        state = self.sessions[params.session_id]
        for at, block in enumerate(state.history if VERSION > 1 and params.replay_from else ()):
            await context.session.send(v.types.SessionUpdateUserMessage(message_id=f"h{at}", content=[block]))
        if params.cwd in ("/slow", "/broken"):
            await asyncio.sleep(0.15)
        if params.cwd == "/broken":
            raise RpcError.internal("The history is damaged")
        if params.cwd == "/marked":
            await context.session.send({"sessionUpdate": "replay_complete"})
        if params.cwd == "/running":
            await context.session.send({"sessionUpdate": "state_update", "state": "running"})
        return facts(state)

    async def session_list(self, params, context):
        return {"sessions": [{"sessionId": name, "cwd": one.cwd} for name, one in self.sessions.items()]}

    async def session_close(self, params, context):
        self.sessions[params.session_id]

    async def session_set_config_option(self, params, context):
        state = self.sessions[params.session_id]
        if params.value not in ("small", "large"):
            raise RpcError.invalid_params("There is no such model")
        state.model = params.value
        return {"configOptions": facts(state)["configOptions"]}

    async def session_prompt(self, params, context):
        self.sessions[params.session_id]
        name, _, time = getattr(params.prompt[0] if params.prompt else None, "text", "").partition(" ")
        if name == "late":
            await asyncio.sleep(int(time) / 1000)
        if VERSION > 1:
            return await context.session.start_turn(lambda turn: self.work(params.prompt, turn, context))
        return {"stopReason": await self.work(params.prompt, context.session, context) or "end_turn"}

    async def work(self, prompt, session, context):
        """The work on a prompt: the first word of its text names it. Returns the stop reason."""
        name, _, rest = getattr(prompt[0] if prompt else None, "text", "").partition(" ")
        self.sessions[session.id].history += prompt
        match name:
            case "":
                pass
            case "say" | "late":
                await session.text(rest)
            case "think":
                await session.thought(rest)
            case "count":
                for number in range(int(rest)):
                    await session.text(str(number))
            case "echo":
                for block in prompt[1:]:
                    await session.text(block)
            case "wait":
                await asyncio.Event().wait()
            case "sleep":
                await asyncio.sleep(int(rest) / 1000)
            case "stubborn":
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    await asyncio.sleep(int(rest) / 1000)
                    await session.text("late")
            case "throw":
                raise ValueError(rest)
            case "fail":
                number, _, text = rest.partition(" ")
                raise RpcError(int(number), text)
            case "ask":
                async with session.tool_call("Run", kind="execute", status="pending", tool_call_id="t1") as call:
                    kinds = {"allow": rest, "reject": "reject_once"} if rest else {}
                    options = [v.types.PermissionOption(option_id=id, name=id, kind=kind) for id, kind in kinds.items()]
                    if chosen := await call.ask(options=options):
                        await call.update(status="in_progress")
                    else:
                        await call.fail("rejected")
                await session.text("allowed" if chosen else "not allowed")
            case "asks":

                async def ask(name):
                    async with session.tool_call("Run", kind="execute", status="pending", tool_call_id=name) as call:
                        return "allow" if await call.ask() else "reject"

                names = [f"t{number + 1}" for number in range(int(rest))]
                await session.text(" ".join(await asyncio.gather(*map(ask, names))))
            case "delegate":
                child = context.peer.session(f"{session.id}-child")
                await session.send({"sessionUpdate": "subagent_update", "sessionId": child.id})
                if rest == "background":
                    background = [{"type": "subagent", "sessionId": child.id}]
                    await session.send({"sessionUpdate": "state_update", "state": "running", "background": background})
                self.asking = asyncio.ensure_future(self.ask(child))
                if rest == "background":
                    await asyncio.Event().wait()
                await session.text("allowed" if await asyncio.shield(self.asking) else "not allowed")
            case "elicit":
                schema = {"type": "object", "properties": {"name": {"type": "string"}}}
                form = {"mode": "form", "message": "Your name?", "requestedSchema": schema}
                try:
                    answer = await context.peer.elicitation_create({"sessionId": session.id, **form})
                except RpcError:
                    answer = None
                is_accepted = isinstance(answer, v.types.CreateElicitationResponseAccept)
                await session.text("accepted" if is_accepted else "not accepted")
            case "read":
                try:
                    params = {"sessionId": session.id, "path": rest}
                    text = (await context.peer.request("fs/read_text_file", params)).content
                except Exception as error:
                    text = code(error)
                await session.text(text)
            case "terminal":
                async with session.terminal(rest) as terminal:
                    await terminal.wait()
                    await session.text((await terminal.output()).output)
            case "call":
                try:
                    text = json.dumps(await context.peer.request(rest, {}), separators=(",", ":"))
                except Exception as error:
                    text = code(error)
                await session.text(text)
            case "notify":
                await context.peer.notify(rest, {})
            case "tool":
                async with session.tool_call("Look", kind="read", tool_call_id="t1"):
                    pass
            case "broken":
                try:
                    async with session.tool_call("Look", kind="read", tool_call_id="t1"):
                        raise FileNotFoundError("no such file")
                except FileNotFoundError:
                    pass
            case "plan":
                await session.plan("first", "second")
            case "update":
                try:
                    update = {"sessionId": session.id, "update": json.loads(rest)}
                    await context.peer.notify("session/update", update)
                except Exception as error:
                    await session.text(code(error))
            case "title":
                await session.send({"sessionUpdate": "session_info_update", "title": rest})
            case "mode":
                await session.send({"sessionUpdate": "current_mode_update", "currentModeId": rest})
            case "after":
                context.after_response(lambda: session.send({"sessionUpdate": "session_info_update", "title": rest}))
            case "thread":
                self.thread = asyncio.ensure_future(self.stream(session))
                await asyncio.sleep(0.03)
            case "exit":
                os._exit(int(rest))
            case "print":
                print(rest)
            case "stop":
                return rest
            case _:
                await session.text("unsupported")

    async def ask(self, session):
        async with session.tool_call("Run", kind="execute", tool_call_id="t1") as call:
            return await call.ask()

    async def stream(self, session):
        for number in range(10):
            try:
                await session.text(f"thread {number}")
            except Exception:
                pass
            await asyncio.sleep(0.02)


if VERSION == 1:

    class Testee(Testee):
        async def authenticate(self, params, context):
            return {}

        async def session_load(self, params, context):
            state = self.sessions[params.session_id]
            for content in state.history:
                await context.session.send(v.types.SessionUpdateUserMessageChunk(content=content))
            return facts(state)

        async def session_set_mode(self, params, context):
            self.sessions[params.session_id].mode = params.mode_id

else:

    class Testee(Testee):
        async def auth_login(self, params, context):
            return {}

        async def auth_logout(self, params, context):
            return {}


if PROFILE.endswith("unstable"):

    class Testee(Testee):
        async def session_options(self, params, context):
            return facts(SimpleNamespace(mode="ask", model="small"))


asyncio.run(serve(Testee()))
