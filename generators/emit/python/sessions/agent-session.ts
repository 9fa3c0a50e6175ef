import { docstring, identifier, indent, joinPython, literal, py, type Python } from "../code.js";
import { printBoundCalls } from "./bound-calls.js";
import { classOf, type SessionClasses } from "./classes.js";
import { keywordsOf, parameter, parameters, passed } from "./keywords.js";
import { printTerminal, printTerminalOpening } from "./terminal.js";

/** Names that an agent's session has besides the methods of the client. */
export const AGENT_NAMES = "id plan send start_turn terminal text thought tool_call update".split(
  " ",
);

/** Prints the classes with which an agent reports on a session. */
export function printAgentSession(classes: SessionClasses): readonly Python[] {
  const { block, notification, update, updates } = classes;
  const members = [
    py`"""A session, as the handlers of an agent use it: \`context.session\`."""`,
    py`async def send(self, update: ${update}) -> None:
    """Sends an update, checked like every message."""
    await self._notify(${literal(updates.name)}, ${notification}(session_id=self.id, update=update))`,
    printChunk("text", "agent_message", "Sends a part of the answer.", classes),
    printChunk("thought", "agent_thought", "Sends a part of the agent's reasoning.", classes),
    ...printPlan(classes),
    printToolCallOpening(classes),
    ...printTerminalOpening(classes),
    ...(classes.version === 1
      ? []
      : [
          py`async def start_turn(self, work: Callable[[AgentSession], Awaitable[str | None]], *, message: Sequence[${block}] | None = None) -> _t.PromptResponse:
    """Starts a turn, and returns the response to the prompt.

    The prompt, or \`message\` in its place, is first sent back as a message of the user.
    The session is \`running\` while \`work\` runs, and then \`idle\` for the reason that it
    returns; \`end_turn\` by default, \`cancelled\` after \`session/cancel\`, which cancels its
    task, and \`error\` when it raises. Turns of one session run one after the other.
    """
    sent = None if message is None else list(message)
    return _t.PromptResponse(message_id=await self._start_turn(work, sent))`,
        ]),
    ...printBoundCalls(classes, "client", AGENT_NAMES),
  ];
  return [
    ...printTerminal(classes),
    printToolCall(classes),
    py`class AgentSession(BaseAgentSession):
${indent(joinPython(members, "\n\n"))}`,
  ];
}

function printChunk(
  name: "text" | "thought",
  kind: "agent_message" | "agent_thought",
  doc: string,
  classes: SessionClasses,
): Python {
  const { block, textBlock, version } = classes;
  const part = classes.updatePart(`${kind}_chunk`)!;
  const id = version === 1 ? py`` : py`, message_id=self._message_id(${literal(kind)})`;
  const more = version === 1 ? "" : " Parts of one kind that follow each other are one message.";
  return py`async def ${identifier(name)}(self, content: str | ${block}) -> None:
    ${docstring(doc + more)!}
    block: ${block} = ${textBlock}(text=content) if isinstance(content, str) else content
    await self.send(${classOf(part, classes)}(content=block${id}))`;
}

/** Prints the call that sends the whole plan. */
function printPlan(classes: SessionClasses): readonly Python[] {
  const { parts, version } = classes;
  const part = classes.updatePart(version === 1 ? "plan" : "plan_update");
  const items = version === 1 ? undefined : parts.get("PlanUpdateContent");
  if (part === undefined || !parts.has("PlanEntry")) return [];
  const entry = classOf("PlanEntry", classes);
  const listed =
    items?.kind === "choice" ? items.cases.find(({ value }) => value === "items") : undefined;
  if (version === 2 && listed === undefined) return [];
  const sent =
    listed === undefined
      ? py`${classOf(part, classes)}(entries=entries)`
      : py`${classOf(part, classes)}(plan=${classOf(listed.part, classes)}(plan_id="plan", entries=entries))`;
  return [
    py`async def plan(self, *steps: str | ${entry}) -> None:
    """Sends the whole plan, in place of the last one. Texts are steps that are pending."""
    entries = [
        ${entry}(content=step, priority="medium", status="pending") if isinstance(step, str) else step
        for step in steps
    ]
    await self.send(${sent})`,
  ];
}

/** The properties of a tool call that the printed functions set by themselves. */
const SET = ["toolCallId", "title", "status"];

function printToolCallOpening(classes: SessionClasses): Python {
  const part = classes.updatePart("tool_call") ?? classes.updatePart("tool_call_update")!;
  const more = keywordsOf(part, classes, SET) ?? [];
  const status = py`status: _t.ToolCallStatus = "in_progress"`;
  const given = joinPython(
    [py`tool_call_id=call.id`, py`title=title`, py`status=status`, ...passed(more)],
    ", ",
  );
  const split = classes.version === 1 ? [] : [py`self._end_message()`];
  const body = [
    py`"""Reports a tool call that runs, and at the end of the block its status.

An error in the block fails the tool call, and is raised.
"""`,
    py`call = ToolCall(self, tool_call_id)`,
    ...split,
    py`async with running(call, ${classOf(part, classes)}(${given})):
    yield call`,
  ];
  const named = [status, ...more.map(parameter), py`tool_call_id: str | None = None`];
  return py`@contextlib.asynccontextmanager
async def tool_call(self, title: str, *, ${joinPython(named, ", ")}) -> AsyncGenerator[ToolCall, None]:
${indent(joinPython(body, "\n"))}`;
}

function printToolCall(classes: SessionClasses): Python {
  const part = classes.updatePart("tool_call_update")!;
  const fields = keywordsOf(part, classes, ["toolCallId"]) ?? [];
  const given = joinPython([py`tool_call_id=self.id`, ...passed(fields)], ", ");
  const option = classOf("PermissionOption", classes);
  const members = [
    py`"""A tool call that runs; made by \`tool_call\` of a session."""`,
    py`async def update(${parameters(fields)}) -> None:
    """Changes properties of the tool call; the others stay as they are."""
    await self._update(${classOf(part, classes)}(${given}))`,
    py`async def ask(self, title: str | None = None, options: Sequence[${option}] = ()) -> ${option} | None:
    """Asks the user for permission to run the tool call.

    Returns the option that allows it; None when the user rejected it or did not decide.
    Without \`options\`, the user can allow or reject it once.
    """
    chosen: ${option} | None = await self._ask(title, list(options) or [
        ${option}(option_id="allow", name="Allow", kind="allow_once"),
        ${option}(option_id="reject", name="Reject", kind="reject_once"),
    ])
    return chosen`,
  ];
  return py`class ToolCall(BaseToolCall):
${indent(joinPython(members, "\n\n"))}`;
}
