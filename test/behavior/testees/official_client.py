"""The client of the behavior corpus on the official Python package, version 1. It keeps no state of sessions."""

import asyncio
from collections import Counter, defaultdict

import acp
from acp import RequestError, schema

CANCELLED = schema.RequestPermissionResponse(outcome=schema.DeniedOutcome(outcome="cancelled"))


def select(option):
    outcome = schema.AllowedOutcome(outcome="selected", option_id=option)
    return schema.RequestPermissionResponse(outcome=outcome)


def code(error):
    if isinstance(error, RequestError):
        return str(error.code)
    return "closed" if isinstance(error, ConnectionError) else "error"


class Testee:
    def __init__(self):
        self.events, self.thoughts, self.answers = [], 0, "allow"
        self.session = "s1"
        self.cancels = defaultdict(asyncio.Event)
        self.running = Counter()
        self.tasks = set()

    def on_connect(self, connection):
        self.agent = connection

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
        agent, session = self.agent, self.session
        match name:
            case "log":
                text, self.events = " ".join(["log", *self.events]), []
                self.start(self.prompt("control", text))
            case "count":
                self.start(self.prompt("control", f"count {self.thoughts}"))
            case "answer":
                self.answers = rest
            case "prompt":
                self.start(self.prompt(session, rest), f"{rest}:")
            case "cancel":
                self.cancels[session].set()
                await agent.cancel(session)
            case "new":
                self.start(self.opened(agent.new_session("/")), "new:")
            case "load":
                if self.abilities.load_session:
                    self.session = rest
                    self.start(self.opened(agent.load_session("/", rest), rest), "load:")
            case "resume":
                self.start(self.opened(agent.resume_session(rest, "/"), rest), "resume:")
            case "close":
                self.start(self.opened(agent.close_session(session), "ok"), "close:")
            case "mode":
                self.start(self.opened(agent.set_session_mode(session, rest), "ok"), "mode:")
            case "option":
                option, value = rest.split(" ")
                self.start(self.opened(agent.set_config_option(option, session, value), "ok"), "option:")
            case "ping":
                await agent.ext_notification("testee.dev/ping", {})
            case _:
                self.start(self.prompt("control", "unsupported"))

    async def prompt(self, session, text):
        if self.running[session] == 0:
            self.cancels.pop(session, None)
        self.running[session] += 1
        try:
            response = await self.agent.prompt(session, [acp.text_block(text)])
            return response.stop_reason
        finally:
            self.running[session] -= 1
            if self.running[session] > 0:
                self.cancels.pop(session, None)

    async def opened(self, call, result=None):
        response = await call
        return result or response.session_id

    async def session_update(self, session_id, update, **_):
        content = getattr(update, "content", None)
        if session_id == "control":
            if content is not None:
                await self.run(content.text)
        elif update.session_update == "agent_thought_chunk":
            self.thoughts += 1
        elif update.session_update == "agent_message_chunk":
            self.events.append(f"u:{getattr(content, 'text', content.type)}")
        else:
            self.events.append(f"u:{update.session_update}")

    async def ask(self, session, yes, no):
        """Asks the user, unless the turn of the session is cancelled: that is the answer then."""
        cancel = self.cancels[session]
        if cancel.is_set():
            return no
        self.events.append("ask")
        if self.answers == "throw":
            raise ValueError("a-secret")
        if self.answers == "wait":
            await cancel.wait()
            return no
        if self.answers == "call":
            await self.agent.ext_method("testee.dev/ask", {})
        return select("reject") if self.answers == "reject" else yes

    async def request_permission(self, options, session_id, tool_call, **_):
        return await self.ask(session_id, select("allow"), CANCELLED)

    async def create_elicitation(self, message, mode, **_):
        accepted = schema.AcceptElicitationResponse(action="accept", content={"name": "x"})
        return await self.ask(mode.session_id, accepted, schema.CancelElicitationResponse(action="cancel"))

    async def read_text_file(self, path, session_id, **_):
        if path == "/none":
            raise RequestError.resource_not_found(path)
        return schema.ReadTextFileResponse(content=f"text of {path}")


async def main():
    testee = Testee()
    reader, writer = await acp.stdio_streams()
    agent = acp.connect_to_agent(testee, writer, reader, use_unstable_protocol=True)
    async with agent:
        capabilities = {"fs": {"readTextFile": True}, "elicitation": {"form": {}}}
        response = await agent.initialize(
            acp.PROTOCOL_VERSION,
            schema.ClientCapabilities.model_validate(capabilities),
            schema.Implementation(name="testee", version="1.0.0"),
        )
        if response.protocol_version != acp.PROTOCOL_VERSION:
            return
        testee.abilities = response.agent_capabilities or schema.AgentCapabilities()
        await agent.new_session("/")
        await agent.new_session("/")
        testee.events.append("opened")
        testee.start(testee.prompt("control", "ready"))
        while not reader.at_eof():  # The connection does not tell that it has ended.
            await asyncio.sleep(0.02)


asyncio.run(main())
