"""Plays conversations, one per line of the input, between the client and the agent in Python,
in virtual time. Prints the log of each as a line."""

import asyncio
import json
import logging
import random
import re
import sys
import time
from typing import Any

from acp_bindings import (
    ConnectionClosedError,
    RequestTimeoutError,
    RpcError,
    connect,
    serve,
    v1,
    v2,
)
from virtual_time import VirtualLoop

QUIET = 200
FORM = {"mode": "form", "requestedSchema": {"type": "object", "properties": {}}}
MODES = {"currentModeId": "a", "availableModes": [{"id": x, "name": x} for x in "ab"]}


class Wire:
    """One direction of a wire: a bounded buffer whose bytes arrive in random pieces after random delays."""

    def __init__(self, play: "Play", name: str, cut: int | None) -> None:
        self.play, self.name, self.cut = play, name, cut
        self.wire = play.conversation["wires"][name]
        self.held, self.delivered = bytearray(), 0
        self.is_ended = self.is_broken = self.is_stalled = self.is_scheduled = False
        self.arriving: asyncio.Queue[bytes] = asyncio.Queue()
        self.lines_in, self.lines_out = b"", b""

    def write(self, data: bytes) -> None:
        if self.is_broken or self.is_ended:
            return
        *lines, self.lines_in = (self.lines_in + data).split(b"\n")
        for line in lines:
            text = re.sub(r"x{100,}", "", line.decode())
            self.play.add("sent", dir=self.name, line=text)
        self.held += data
        self.kick()

    async def drain(self) -> None:
        await asyncio.sleep(0)
        while len(self.held) > self.wire["capacity"] and not self.is_broken:
            await asyncio.sleep(0.001)

    def kick(self) -> None:
        is_idle = not self.held and not self.is_ended
        if self.is_scheduled or self.is_broken or self.is_stalled or is_idle:
            return
        self.is_scheduled = True
        delay = self.play.random.randint(0, self.wire["delay"]) / 1000
        asyncio.get_running_loop().call_later(delay, self.deliver)

    def deliver(self) -> None:
        self.is_scheduled = False
        if self.is_broken or self.is_stalled:
            return
        if not self.held:
            return self.break_off()
        most = self.play.random.randint(1, min(self.wire["chunk"], self.wire["capacity"]))
        left = most if self.cut is None else self.cut - self.delivered
        data = bytes(self.held[: min(most, left)])
        del self.held[: len(data)]
        self.delivered += len(data)
        *lines, self.lines_out = (self.lines_out + data).split(b"\n")
        for _ in lines:
            self.play.add("arrived", dir=self.name)
        if data:
            self.arriving.put_nowait(data)
        if self.cut is not None and left <= most:
            return self.break_off()
        self.kick()

    def break_off(self) -> None:
        """The receiver reads the end; nothing arrives any more."""
        if not self.is_broken:
            self.is_broken = True
            self.held.clear()
            self.arriving.put_nowait(b"")

    def end(self) -> None:
        """The sender ends: what is held arrives, then the end."""
        self.is_ended = True
        self.kick()

    def stall(self, is_stalled: bool) -> None:
        self.is_stalled = is_stalled
        self.kick()


class Stream:
    """The two wires of a side, as a connection takes them."""

    def __init__(self, incoming: Wire, outgoing: Wire) -> None:
        self.incoming, self.outgoing, self.is_over = incoming, outgoing, False

    async def read(self) -> bytes:
        if self.is_over:
            return b""
        data = await self.incoming.arriving.get()
        self.is_over = data == b""
        return data

    def write(self, data: bytes) -> None:
        self.outgoing.write(data)

    async def drain(self) -> None:
        await self.outgoing.drain()

    async def close(self) -> None:
        self.outgoing.end()
        self.incoming.break_off()


def sleep(ms: float) -> Any:
    return asyncio.sleep(ms / 1000)


def pad(size: int | None) -> str:
    return "x" * (size or 0)


def given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def text_of(step: dict[str, Any], p: str | None = None) -> str:
    """Returns the text of an update: how its handler behaves."""
    fields = {name: step.get(name) for name in ("id", "ms", "fails", "re")}
    return json.dumps(given(**fields, p=p, pad=pad(step.get("size"))))


def mark_of(update: Any) -> dict[str, Any] | None:
    """Returns how the handler of an update behaves; None for an update that is not of a program."""
    content = getattr(update, "content", None)
    text = getattr(content, "text", None) or getattr(update, "title", None)
    if entries := getattr(getattr(update, "plan", update), "entries", None):
        text = entries[0].content
    is_mark = isinstance(text, str) and text.startswith("{")
    return json.loads(text) if is_mark else None


def describe(error: BaseException) -> dict[str, Any]:
    kind = "other"
    if isinstance(error, RpcError):
        kind = "rpc"
    elif isinstance(error, ConnectionClosedError):
        kind = "closed"
    elif isinstance(error, RequestTimeoutError):
        kind = "timeout"
    elif isinstance(error, asyncio.CancelledError):
        kind = "aborted"
    code = error.code if isinstance(error, RpcError) else None
    method = getattr(error, "method", None)
    return given(kind=kind, text=str(error)[:200], code=code, method=method)


class Play:
    """A conversation that is played: its log, and what both sides share."""

    def __init__(self, conversation: dict[str, Any]) -> None:
        self.conversation = conversation
        self.random = random.Random(conversation["seed"])
        self.log: list[dict[str, Any]] = []
        self.start = asyncio.get_running_loop().time()
        self.calls = 0
        self.tasks: set[asyncio.Task[Any]] = set()

    def add(self, kind: str, **fields: Any) -> None:
        now = asyncio.get_running_loop().time()
        ms = round((now - self.start) * 1000)
        self.log.append({"kind": kind, "t": ms, **given(**fields)})

    def spawn(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def call(self, op: str, work: Any, **fields: Any) -> bool:
        """Logs the start and the end of a call; returns whether it has succeeded."""
        self.calls += 1
        call = self.calls
        self.add("start", call=call, op=op, **fields)
        try:
            result = await (work() if callable(work) else work)
        except BaseException as error:
            self.add("end", call=call, ok=False, error=describe(error))
            if isinstance(error, asyncio.CancelledError):
                raise
            return False
        self.add("end", call=call, ok=True, result=result if isinstance(result, str) else None)
        return True


class Agent:
    """The agent of both versions, whose prompts are programs."""

    is_first = False

    def __init__(self, play: Play, **options: Any) -> None:
        super().__init__(**options)
        self.play, self.sessions = play, 0

    async def session_new(self, params: Any, context: Any) -> Any:
        program = json.loads(params.cwd[1:])
        s = f"s{self.sessions}"
        self.sessions += 1

        async def send(step: dict[str, Any]) -> None:
            self.play.add("send", id=step["id"], s=s)
            update = {"sessionUpdate": "session_info_update", "title": text_of(step)}
            await context.peer.session(s).send(update)

        for step in program["early"]:
            await send(step)
        for step in program["after"]:
            context.after_response(lambda step=step: send(step))
        await sleep(program.get("ms", 0))
        return {"sessionId": s, **self.facts()}

    def facts(self, value: str = "x") -> dict[str, Any]:
        options = [{"value": x, "name": x} for x in "xy"]
        option = {"type": "select", "name": "Model", "currentValue": value, "options": options}
        option["id" if self.is_first else "configId"] = "m"
        return {"configOptions": [option], **({"modes": MODES} if self.is_first else {})}

    async def session_resume(self, params: Any, context: Any) -> Any:
        program = json.loads(params.cwd[1:])
        for step in program["early"]:
            await self.update(step, context.session, {"s": params.session_id})
            await sleep(program.get("ms", 0))
        if program.get("fails"):
            raise RpcError(-32050, "failed")
        return self.facts()

    async def session_close(self, params: Any, context: Any) -> None:
        self.play.add("closed-session", s=params.session_id)

    async def session_list(self, params: Any, context: Any) -> Any:
        what = json.loads(params.cursor)
        if asks := what.get("asks"):
            asked = {**FORM, "requestId": context.request_id, "message": json.dumps(asks)}
            work = context.peer.request("elicitation/create", asked)
            await self.play.call(asks["do"], work, id=asks["id"])
        await sleep(what.get("ms", 0))
        return {"sessions": []}

    async def session_set_config_option(self, params: Any, context: Any) -> Any:
        return {"configOptions": self.facts(params.value)["configOptions"]}

    async def run(self, params: Any, context: Any, session: Any) -> str:
        program = json.loads(params.prompt[0].text)
        at = {"p": program["id"], "s": session.id}
        self.play.add("run", **at)
        is_aborted = False
        background: list[asyncio.Task[Any]] = []
        try:
            for step in program["steps"]:
                try:
                    await self.step(step, context, session, at, background)
                except asyncio.CancelledError:
                    if not is_aborted:
                        self.play.add("aborted", p=at["p"])
                    is_aborted = True
                    if not program.get("stubborn"):
                        raise
            if program.get("join"):
                await asyncio.gather(*background, return_exceptions=True)
            for step in program.get("after") or ():
                context.after_response(lambda step=step: self.update(step, session, at))
            if late := program.get("late"):
                self.play.spawn(self.late(late, session, at))
            if program["end"] == "throw":
                raise ValueError("thrown")
            if program["end"] == "fail":
                raise RpcError(-32050, "failed")
            return "end_turn" if program["end"] == "end" else program["end"]
        except asyncio.CancelledError:
            if not is_aborted:
                self.play.add("aborted", p=at["p"])
            raise
        finally:
            self.play.add("ran", **at)

    async def late(self, late: dict[str, Any], session: Any, at: dict[str, str]) -> None:
        await sleep(late["ms"])
        await self.update(late["step"], session, at)

    async def step(self, step: Any, context: Any, session: Any, at: Any, background: Any) -> None:
        if step["do"] == "sleep":
            await sleep(step.get("ms", 0))
        elif step["do"] in ("text", "thought", "plan", "title", "tool"):
            await self.update(step, session, at)
        else:
            text = json.dumps({**step, **at})

            def work() -> Any:
                return self.ask(step, context.peer, session, text)

            called = self.play.spawn(self.play.call(step["do"], work, id=step["id"], **at))
            if step.get("background"):
                background.append(called)
            else:
                await called

    async def ask(self, step: Any, peer: Any, session: Any, text: str) -> str | None:
        params = {"sessionId": session.id}
        match step["do"]:
            case "ask":
                if step.get("child"):
                    child = peer.session(f"{session.id}-{step['id']}")
                    await session.send({"sessionUpdate": "subagent_update", "sessionId": child.id})
                    session = child
                async with session.tool_call("ask", tool_call_id=step["id"]) as tool:
                    await tool.update(title=text)
                    return "allow" if await tool.ask() else "reject"
            case "elicit":
                await peer.request("elicitation/create", {**params, **FORM, "message": text})
            case "read":
                await peer.request("fs/read_text_file", {**params, "path": "/" + text})
            case "write":
                content = pad(step.get("size"))
                asked = {**params, "path": "/" + text, "content": content}
                await peer.request("fs/write_text_file", asked)
            case "terminal":
                async with session.terminal(text) as terminal:
                    await terminal.wait()
        return None

    async def update(self, step: Any, session: Any, at: dict[str, str]) -> None:
        text = text_of(step, at.get("p"))
        self.play.add("send", id=step["id"], **at)
        try:
            match step["do"]:
                case "text":
                    await session.text(text)
                case "thought":
                    await session.thought(text)
                case "plan":
                    await session.plan(text)
                case "title":
                    await session.send({"sessionUpdate": "session_info_update", "title": text})
                case "tool":
                    tool = {"title": text, "kind": "read", "toolCallId": step["id"]}
                    tag = "tool_call" if self.is_first else "tool_call_update"
                    await session.send({"sessionUpdate": tag, **tool})
        except Exception as error:
            self.play.add("refused", id=step["id"], error=describe(error))


class AgentV1(Agent, v1.Agent):
    is_first = True

    async def session_load(self, params: Any, context: Any) -> Any:
        return await self.session_resume(params, context)

    async def session_set_mode(self, params: Any, context: Any) -> None:
        return None

    async def session_prompt(self, params: Any, context: Any) -> Any:
        return {"stopReason": await self.run(params, context, context.session)}


class AgentV2(Agent, v2.Agent):
    async def session_prompt(self, params: Any, context: Any) -> Any:
        return await context.session.start_turn(lambda turn: self.run(params, context, turn))


class Client:
    """The client of both versions, and its user."""

    types: Any

    def __init__(self, play: Play, **options: Any) -> None:
        super().__init__(**options)
        self.play = play
        self.peer: Any = None
        self.sessions: dict[int, Any] = {}
        self.opened: dict[int, asyncio.Task[Any]] = {}
        self.turns: dict[str, Any] = {}
        self.turn_sessions: dict[str, str] = {}
        self.ended: set[str] = set()

    async def session_request_permission(self, params: Any, context: Any) -> Any:
        call = getattr(params, "tool_call", params)
        step = await self.asked(call.title)
        kind = "reject" if step["answer"] == "reject" else "allow"
        option = next(one for one in params.options if one.kind.startswith(kind))
        return {"outcome": {"outcome": "selected", "optionId": option.option_id}}

    async def elicitation_create(self, params: Any, context: Any) -> Any:
        step = await self.asked(params.message)
        if step["answer"] == "reject":
            return {"action": "decline"}
        return {"action": "accept", "content": {}}

    async def asked(self, text: str) -> dict[str, Any]:
        step = json.loads(text)
        at = {"p": step.get("p"), "s": step.get("s")}
        self.play.add("question", id=step["id"], what=step["do"], **at)
        try:
            await sleep(step.get("ms", 0))
            if step.get("answer") == "throw" or step.get("fails"):
                raise ValueError("thrown")
            if step.get("answer") == "wait":
                await sleep(20_000)
            return step
        except asyncio.CancelledError:
            self.play.add("question-aborted", id=step["id"])
            raise
        finally:
            self.play.add("question-end", id=step["id"])

    async def session_update(self, params: Any, context: Any) -> None:
        s, update = params.session_id, params.update
        mark = mark_of(update) or {}
        id = mark.get("id") or getattr(update, "tool_call_id", None)
        self.play.add("handle", s=s, id=id, tag=update.session_update)
        try:
            re = mark.get("re")
            session = next((one for one in self.sessions.values() if one.id == s), None)
            if re == "own" and mark.get("p") in self.turns:
                await asyncio.gather(self.turns[mark["p"]].wait(), return_exceptions=True)
            if "ms" in mark:
                await sleep(mark["ms"])
            if re == "cancel" and session:
                self.play.add("cancel", s=s)
                await session.cancel()
            if re == "list":
                await context.peer.session_list(self.types.ListSessionsRequest(cursor="{}"))
            if re == "prompt" and session:
                program = {"id": f"{id}n", "steps": [], "end": "end"}
                await self.prompt(session, program, {"look": "now"}, inside=True)
            if mark.get("fails"):
                raise ValueError("thrown")
        finally:
            if "id" in mark:
                self.play.add("handled", id=mark["id"])

    async def prompt(self, session: Any, program: Any, act: Any, inside: bool = False) -> None:
        p, look = program["id"], act["look"]
        self.play.add("prompt", p=p, s=session.id, inside=inside)
        texts = [json.dumps(program)] + ([pad(act["size"])] if act.get("size") else [])
        blocks = [self.types.TextContent(text=text) for text in texts]
        key = {"idempotency_key": p} if "retryMs" in act and self.types is v2.types else {}
        turn = self.turns[p] = session.prompt(blocks, **key)
        if key:
            self.play.spawn(self.retry(act, session, blocks, p))
        self.turn_sessions[p] = session.id

        async def log_end(by: str) -> None:
            try:
                end = await turn
                self.ended.add(p)
                self.play.add("turn", p=p, by=by, ok=True, stopReason=end.stop_reason)
            except BaseException as error:
                self.ended.add(p)
                self.play.add("turn", p=p, by=by, ok=False, error=describe(error))
                if isinstance(error, asyncio.CancelledError):
                    raise

        match look:
            case "late":
                await sleep(act.get("lookMs", 0))
            case "race" | "catch":
                waiting = asyncio.ensure_future(turn.wait())
                timeout = (act.get("lookMs", 0) + 1) / 1000
                while not (await asyncio.wait([waiting], timeout=timeout))[0]:
                    pass
                waiting.exception()
            case "twice":
                self.play.spawn(log_end("first"))
                await sleep(act.get("lookMs", 0))
            case "loop" | "leave":
                await self.loop(turn, p, 2 if look == "leave" else 1_000_000)
            case "signal":
                self.play.spawn(self.stop(p, act.get("abortMs", 0)))
        await log_end(look)

    async def loop(self, turn: Any, p: str, most: int) -> None:
        ids: list[str | None] = []
        try:
            async for update in turn:
                ids.append((mark_of(update) or {}).get("id"))
                if len(ids) == most:
                    self.cancelled(p)
                    await turn.cancel()
                    return
        except Exception:
            pass
        self.play.add("looped", p=p, ids=ids)

    async def retry(self, act: Any, session: Any, blocks: Any, p: str) -> None:
        await sleep(act["retryMs"])
        work = lambda: session.prompt(blocks, idempotency_key=p)
        await self.play.call("retry", work, p=p, s=session.id)

    async def stop(self, p: str, ms: float) -> None:
        await sleep(ms)
        self.cancelled(p)
        await self.turns[p].cancel()

    def cancelled(self, p: str) -> None:
        if p not in self.ended:
            self.play.add("cancel", s=self.turn_sessions[p], p=p)

    async def act(self, act: dict[str, Any]) -> None:
        play, op = self.play, act["op"]
        await sleep(act["t"])
        if op == "list":
            what = given(ms=act.get("ms"), asks=act.get("asks"))
            request = self.types.ListSessionsRequest(cursor=json.dumps(what))
            timeout = act["timeoutMs"] / 1000 if act.get("timeoutMs") else None
            work = self.peer.session_list(request, timeout=timeout)
            asks = (act.get("asks") or {}).get("id")
            limits = {"abort": act.get("abortMs"), "timeout": act.get("timeoutMs")}
            await self.abortable(act, play.call(op, work, asks=asks, **limits))
            return
        s = act["s"]
        if op == "new":

            async def new() -> str:
                self.sessions[s] = await self.peer.new_session("/" + json.dumps(act["program"]))
                return self.sessions[s].id

            call = play.call(op, new(), abort=act.get("abortMs"))
            self.opened[s] = play.spawn(self.abortable(act, call))
            return
        while s not in self.opened:
            await sleep(1)
        await asyncio.wait([self.opened[s]])
        session = self.sessions.get(s)
        if session is None:
            return
        at = {"s": session.id}
        match op:
            case "prompt":
                await self.prompt(session, act["program"], act)
            case "cancel":
                play.add("cancel", **at)
                await play.call(op, session.cancel(), **at)
            case "cancelTurn":
                if self.turns:
                    p, turn = list(self.turns.items())[-1]
                    self.cancelled(p)
                    await turn.cancel()
            case "mode" if hasattr(session, "set_mode"):
                await play.call(op, session.set_mode("b"), **at)
            case "option":
                await play.call(op, session.set_config_option("m", "y"), **at)
            case "close":
                await play.call(op, session.close(), **at)
            case "resume":

                async def resume() -> None:
                    replay = act.get("replay")
                    cwd = "/" + json.dumps(replay or {"early": []})
                    is_load = replay and self.types is v1.types
                    call = self.peer.load_session if is_load else self.peer.resume_session
                    start = {"type": "start"} if replay and not is_load else None
                    given = {"replay_from": start} if start else {}
                    self.sessions[s] = await call(session.id, cwd, **given)

                await play.call(op, resume(), **at, id=(act.get("replay") or {}).get("id"))

    async def abortable(self, act: dict[str, Any], call: Any) -> None:
        task = asyncio.ensure_future(call)
        if act.get("abortMs") is not None:
            asyncio.get_running_loop().call_later(act["abortMs"] / 1000, task.cancel)
        await asyncio.wait([task])


class ClientV1(Client, v1.Client):
    types = v1.types

    async def fs_read_text_file(self, params: Any, context: Any) -> Any:
        return {"content": pad((await self.asked(params.path[1:])).get("size"))}

    async def fs_write_text_file(self, params: Any, context: Any) -> Any:
        await self.asked(params.path[1:])
        return {}

    async def terminal_create(self, params: Any, context: Any) -> Any:
        return {"terminalId": (await self.asked(params.command))["id"]}

    async def terminal_wait_for_exit(self, params: Any, context: Any) -> Any:
        await sleep(3)
        return {"exitCode": 0}

    async def terminal_release(self, params: Any, context: Any) -> Any:
        self.play.add("released", id=params.terminal_id)
        return {}

    async def terminal_kill(self, params: Any, context: Any) -> Any:
        return {}

    async def terminal_output(self, params: Any, context: Any) -> Any:
        return {"output": "", "truncated": False}


class ClientV2(Client, v2.Client):
    types = v2.types


class Reports(logging.Handler):
    """Logs the errors that a side reports."""

    def __init__(self, play: Play) -> None:
        super().__init__()
        self.play = play

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        facts = describe(error) if error else {"kind": "other", "text": record.getMessage()[:200]}
        self.play.add("report", side="either", error=facts)


async def play_one(conversation: dict[str, Any]) -> list[dict[str, Any]]:
    play = Play(conversation)
    loop = asyncio.get_running_loop()

    def unhandled(_: Any, context: dict[str, Any]) -> None:
        error = context.get("exception")
        facts = describe(error) if error else {"kind": "other", "text": context["message"]}
        play.add("unhandled", error=facts)

    loop.set_exception_handler(unhandled)
    fault = conversation.get("fault") or {"kind": None}
    cuts = {"toAgent": "cutToAgent", "toClient": "cutToClient"}
    cut = {name: fault["bytes"] if fault["kind"] == kind else None for name, kind in cuts.items()}
    to_agent, to_client = (Wire(play, name, cut[name]) for name in cuts)
    roles = (AgentV1, ClientV1) if conversation["version"] == 1 else (AgentV2, ClientV2)
    agent = roles[0](play, info={"name": "agent", "version": "1"})
    subagents = {"subagents": {}} if conversation["version"] == 1 else {}
    capabilities = roles[1].types.ClientCapabilities(elicitation={"form": {}}, **subagents)
    client = roles[1](play, info={"name": "client", "version": "1"}, capabilities=capabilities)
    handler = Reports(play)
    logging.getLogger("acp_bindings").addHandler(handler)
    serving = asyncio.ensure_future(serve(agent, Stream(to_agent, to_client)))
    serving.add_done_callback(lambda _: play.add("closed", side="agent"))
    connection = connect(client, Stream(to_client, to_agent))
    closings: list[asyncio.Task[Any]] = []

    def close() -> None:
        if not closings:
            closings.append(asyncio.ensure_future(connection.__aexit__(None, None, None)))

    acts: list[asyncio.Task[Any]] = []
    known = 0
    if await play.call("connect", opened(connection, client)):
        closing = asyncio.ensure_future(client.peer.wait_closed())
        closing.add_done_callback(lambda _: play.add("closed", side="client"))
        known = len(asyncio.all_tasks())
        acts = [asyncio.ensure_future(client.act(act)) for act in conversation["acts"]]
        if fault["kind"] and not fault["kind"].startswith("cut"):
            ends = {"clientClose": close, "agentClose": serving.cancel}
            play.spawn(break_connection(play, fault, ends, to_agent, to_client))
    await asyncio.sleep(QUIET)
    left = sum(not act.done() for act in acts)
    if not fault["kind"]:
        left = len(asyncio.all_tasks()) - known
    play.add("quiet", left=left)
    if client.peer is not None:
        close()
    await asyncio.sleep(QUIET)
    serving.cancel()
    await asyncio.wait([serving])
    await asyncio.sleep(QUIET)
    rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    play.add("over", left=len(rest))
    logging.getLogger("acp_bindings").removeHandler(handler)
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
    return play.log


async def opened(connection: Any, client: Client) -> None:
    client.peer = await connection.__aenter__()


async def break_connection(
    play: Play, fault: Any, ends: Any, to_agent: Wire, to_client: Wire
) -> None:
    await sleep(fault["t"])
    play.add("fault")
    match fault["kind"]:
        case "clientClose" | "agentClose":
            ends[fault["kind"]]()
        case "agentDies":
            to_agent.break_off()
            to_client.end()
        case "clientDies":
            to_client.break_off()
            to_agent.end()
        case "stall":
            to_agent.stall(True)
            await sleep(fault["ms"])
            to_agent.stall(False)


logging.getLogger("acp_bindings").propagate = False
for line in sys.stdin:
    loop = VirtualLoop()
    asyncio.set_event_loop(loop)
    time.monotonic = loop.time
    print(json.dumps(loop.run_until_complete(play_one(json.loads(line)))), flush=True)
