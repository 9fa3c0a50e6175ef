"""The client of the behavior corpus on our bindings, for both versions: client.py [1|2] [profile]"""

import asyncio
import importlib
import json
import sys

from acp_bindings import ConnectionClosedError, RpcError, Unknown, connect, stdio

VERSION = int(sys.argv[1]) if len(sys.argv) > 1 else 1
PROFILE = sys.argv[2] if len(sys.argv) > 2 else f"v{VERSION}"
v = importlib.import_module(f"acp_bindings.{PROFILE.replace('-', '_')}")
NAMES = {"user_message": "user", "agent_message": "agent", "agent_thought": "thought"}
SUBAGENTS = {"subagents": {}} if VERSION == 1 else {}
CANCELLED = {"outcome": {"outcome": "cancelled"}}


def select(option):
    return {"outcome": {"outcome": "selected", "optionId": option}}


def code(error):
    if isinstance(error, RpcError):
        return str(error.code)
    return "closed" if isinstance(error, ConnectionClosedError) else "error"


def lines(state):
    """Returns the state of the session, one line for each thing in it."""
    for entry in state.timeline:
        if hasattr(entry, "tool_call_id"):
            yield f"tool {entry.tool_call_id} {entry.status}"
        elif hasattr(entry, "compaction_id"):
            yield f"compaction {entry.compaction_id} {entry.status}"
        else:
            name = f"#{entry.message_id}" if isinstance(entry.message_id, str) else ""
            yield NAMES[entry.kind] + name + " " + "".join(block.text for block in entry.content)
    if getattr(state, "mode", None):
        yield f"mode {state.mode.current_mode_id}"
    if getattr(state, "available_modes", None):
        yield "modes " + ",".join(mode.id for mode in state.available_modes)
    for option in state.config.config_options if state.config else ():
        yield f"option {option.id if VERSION == 1 else option.config_id}={option.current_value}"
    if state.commands and state.commands.available_commands:
        yield "commands " + ",".join(command.name for command in state.commands.available_commands)
    if state.usage:
        cost = [state.usage.cost.amount, state.usage.cost.currency] if state.usage.cost else []
        keys = sorted(state.usage.meta or {})
        yield " ".join(map(str, [f"usage {state.usage.used}/{state.usage.size}", *cost, *keys]))
    if state.turn_usage:
        yield f"tokens {state.turn_usage.total_tokens}"
    if isinstance(getattr(state, "state", None), v.types.SessionUpdateStateUpdateRunning if VERSION > 1 else ()):
        yield "running"
    for cursor in state.cursors.values():
        can_fork = getattr(getattr(cursor, "capabilities", None), "fork", None)
        yield f"cursor {cursor.cursor_id}" + (" fork" if can_fork else "")
    if state.others.count:
        yield f"others {state.others.count}"
    if isinstance(getattr(state.info, "title", None), str):
        yield f"title {state.info.title}"


class Testee(v.Client):
    def __init__(self):
        super().__init__(
            info={"name": "testee", "version": "1.0.0"},
            capabilities=v.types.ClientCapabilities(elicitation={"form": {}}, **SUBAGENTS),
        )
        self.events, self.thoughts, self.answers = [], 0, "allow"
        self.signs_in = None
        self.tasks = set()

    def start(self, work, name=None):
        """Runs a coroutine; logs its result, or the code of its error."""

        async def run():
            try:
                result = await work
                if name is not None:
                    self.events.append(f"{name}{result}")
            except Exception as error:
                if name is not None:
                    self.events.append(f"{name.removesuffix(':')}!{code(error)}")

        task = asyncio.ensure_future(run())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def run(self, command):
        """Carries out a command that the agent gives in the session `control`."""
        name, _, rest = command.partition(" ")
        session, agent = self.session, self.agent
        match name:
            case "log":
                text, self.events = " ".join(["log", *self.events]), []
                self.start(self.prompt(self.control, text))
            case "state":
                shown = agent.session(rest) if rest else session
                self.start(self.prompt(self.control, "\n".join(["state", *lines(shown.state)])))
            case "path":
                self.start(self.prompt(self.control, "path " + "/".join(agent.session(rest).path)))
            case "count":
                self.start(self.prompt(self.control, f"count {self.thoughts}"))
            case "answer":
                self.answers = rest
            case "sign-in":
                self.signs_in = rest
            case "prompt":
                self.start(self.prompt(session, rest), f"{rest}:")
            case "keyed":
                self.start(self.prompt(session, rest, idempotency_key=rest), f"{rest}:")
            case "return":
                self.start(self.prompt(session, session.state.messages[-1].content))
            case "loop":
                self.start(self.loop(session.prompt(rest)), "loop:")
            case "loops":
                self.start(self.loops(session.prompt(rest)), "loops:")
            case "leave":
                self.start(self.leave(session.prompt(rest)), "left")
            case "drop":
                self.start(self.drop(session.prompt(rest)), f"{rest}:")
            case "cancel":
                await (agent.session(rest) if rest else session).cancel()
            case "new":
                self.start(self.open(agent.new_session("/"), keep=False), "new:")
            case "abandon":
                self.start(agent.new_session("/", timeout=0.05), "abandon:")
            case "load":
                self.start(self.open(agent.load_session(rest, "/")), "load:")
            case "resume":
                self.start(self.open(agent.resume_session(rest, "/"), keep=False), "resume:")
            case "continue" | "replay":
                self.start(self.continued(rest, "replay" if name == "replay" else "known"), f"{name}:")
            case "list":
                self.start(self.listed(rest), "list:")
            case "forget":
                session.forget()
            case "close":
                self.start(self.done(session.close()), "close:")
            case "mode":
                self.start(self.done(session.set_mode(rest)), "mode:")
            case "option":
                self.start(self.done(session.set_config_option(*rest.split(" "))), "option:")
            case "category":
                self.start(self.done(session.set_option(*rest.split(" "))), "category:")
            case "open":
                self.start(self.opened(agent.request("session/new", json.loads(rest))), "open:")
            case "ping":
                await agent.notify("_testee.dev/ping")
            case _:
                self.start(self.prompt(self.control, "unsupported"))

    async def prompt(self, session, content, **options):
        return (await session.prompt(content, **options)).stop_reason

    async def loop(self, turn):
        return len([update async for update in turn])

    async def loops(self, turn):
        counts = await asyncio.gather(self.loop(turn), self.loop(turn))
        return ",".join(map(str, counts))

    async def leave(self, turn):
        async for _ in turn:
            break
        return ""

    async def drop(self, turn):
        await turn.cancel()
        return (await turn).stop_reason

    async def listed(self, cwd):
        return ",".join([one.session_id async for one in self.agent.list_sessions(cwd=cwd)])

    async def continued(self, session_id, history):
        found = await self.agent.continue_session(session_id, "/", history=history)
        reasons = [str(getattr(error, "code", "lacks")) for error in found.reasons]
        return ",".join([found.how, found.session.id, *reasons])

    async def open(self, call, keep=True):
        opened = await call
        if keep:
            self.session = opened
        return opened.id

    async def opened(self, call):
        return (await call).session_id

    async def done(self, call):
        await call
        return "ok"

    async def authenticate_again(self, agent):
        if self.signs_in is not None:
            await agent.request("authenticate", {"methodId": self.signs_in})
        return self.signs_in is not None

    async def session_update(self, params, context):
        update = params.update
        tag = update.tag if isinstance(update, Unknown) else update.session_update
        content = getattr(update, "content", None)
        if params.session_id == "control":
            if content is not None:
                try:
                    await self.run(content.text)
                except Exception as error:
                    self.events.append(f"{content.text}!{code(error)}")
        elif tag == "agent_thought_chunk":
            self.thoughts += 1
        elif tag == "agent_message_chunk":
            kind = content.tag if isinstance(content, Unknown) else content.type
            self.events.append(f"u:{getattr(content, 'text', kind)}")
        else:
            self.events.append(f"u:{tag}")

    async def ask(self, context, yes, no):
        self.events.append("ask")
        if self.answers == "throw":
            raise ValueError("a-secret")
        if self.answers == "wait":
            await asyncio.Event().wait()
        if self.answers == "call":
            await context.peer.request("_testee.dev/ask", {})
        return select("reject") if self.answers == "reject" else yes

    async def session_request_permission(self, params, context):
        return await self.ask(context, select("allow"), CANCELLED)

    async def elicitation_create(self, params, context):
        accepted = {"action": "accept", "content": {"name": "x"}}
        return await self.ask(context, accepted, {"action": "cancel"})


if VERSION == 1:

    class Testee(Testee):
        async def fs_read_text_file(self, params, context):
            if params.path == "/none":
                raise RpcError.resource_not_found("There is no such file")
            return {"content": f"text of {params.path}"}


async def main():
    testee = Testee()
    async with connect(testee, stdio()) as agent:
        testee.agent = agent
        testee.control = await agent.new_session("/")
        testee.session = await agent.new_session("/")
        testee.events.append("opened")
        testee.start(testee.prompt(testee.control, "ready"))
        await agent.wait_closed()


asyncio.run(main())
