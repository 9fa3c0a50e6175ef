import { stateTable } from "../../../model/session-state.js";
import { methodWith } from "../../../model/method-with.js";
import type { Json } from "../../../schema/json-schema/json.js";
import type { MethodTrait } from "../../../schema/source/sources.js";
import { docstring, identifier, indent, joinPython, literal, py, type Python } from "../code.js";
import { printBoundCalls } from "./bound-calls.js";
import { classOf, type SessionClasses } from "./classes.js";
import { keywordsOf, parameter, passed, type Keyword } from "./keywords.js";

/** Names that a client's session has besides the methods of the agent. */
export const CLIENT_NAMES =
  "cancel forget id load new path prompt response resume set_config_option set_option state update".split(
    " ",
  );

/** Prints the state of a session, with the types of the profile. */
export function printState(classes: SessionClasses): Python {
  const kept = [
    ["available_commands_update", "commands"],
    ["config_option_update", "config"],
    ["usage_update", "usage"],
    ["prompt_suggestions_update", "suggestions"],
    ...(classes.version === 1
      ? [
          ["plan", "plan"],
          ["current_mode_update", "mode"],
        ]
      : [["state_update", "state"]]),
  ].flatMap(([tag, name]) => {
    const part = classes.updatePart(tag!);
    return part === undefined ? [] : [py`${identifier(name!)}: ${classOf(part, classes)} | None`];
  });
  const plan = classes.updatePart("plan_update");
  const plans = plan === undefined ? [] : [py`plans: dict[str, ${classOf(plan, classes)}]`];
  const mode = classes.parts.has("SessionMode") && classes.version === 1;
  const modes = mode ? [py`available_modes: list[${classOf("SessionMode", classes)}]`] : [];
  const typed = [...kept, ...plans, ...modes];
  const body =
    typed.length === 0 ? [] : [py`if TYPE_CHECKING:\n${indent(joinPython(typed, "\n"))}`];
  const table = literal(stateTable(classes.protocol) as unknown as Json);
  return py`class SessionState(SessionStateV${literal(classes.version)}):
${indent(joinPython([py`"""What a session has reported so far; see \`apply\`."""`, py`TABLE: ClassVar[StateTable] = ${table}`, ...body], "\n\n"))}`;
}

/** Prints the class of a session as clients use it. */
export function printClientSession(classes: SessionClasses): Python {
  const { block, textBlock, update, version } = classes;
  const idle = classes.parts.has("SessionUpdateStateUpdateIdle");
  const end =
    version === 1
      ? py`_t.PromptResponse`
      : py`TurnEnd[${idle ? py`_t.SessionUpdateStateUpdateIdle` : update}]`;
  const prompt = keywordsOf("PromptRequest", classes, ["sessionId", "prompt"]) ?? [];
  const given = joinPython([py`session_id=self.id`, py`prompt=blocks`, ...passed(prompt)], ", ");
  const more = prompt.map(parameter);
  const members = [
    py`"""A session of the agent, as clients use it."""`,
    py`def prompt(self, content: str | Sequence[${block}], *, ${joinPython([...more, py`timeout: float | None = None`], ", ")}) -> Turn[${update}, ${end}]:
    """Sends a prompt. Iterate the turn for its updates, or await it for its end.

    Leaving the loop, or cancelling what awaits the turn, asks the agent to stop, and so
    does a \`timeout\` in seconds, which ends the turn with a RequestTimeoutError.
    """
    blocks: list[${block}] = [${textBlock}(text=content)] if isinstance(content, str) else list(content)
    return self._prompt(blocks, _t.PromptRequest(${given}), timeout)`,
    ...printSetOption(classes),
    ...printBoundCalls(classes, "agent", CLIENT_NAMES),
  ];
  return py`class Session(ClientSession[SessionState]):
${indent(joinPython(members, "\n\n"))}`;
}

/** Prints the call that sets an option: the value selects the form of its params. */
function printSetOption(classes: SessionClasses): readonly Python[] {
  const method = methodWith(classes.protocol, "sets-config-option");
  if (method?.result === undefined) return [];
  const result = classOf(method.result, classes);
  return [
    py`async def set_config_option(self, config_id: str, value: str | bool, *, timeout: float | None = None) -> ${result}:
    """Changes the value of one configuration option: a value id, or a boolean."""
    result: ${result} = await self._set_config_option(config_id, value, timeout)
    return result`,
  ];
}

/** Prints the methods of the connected agent that open sessions. */
export function printOpening(classes: SessionClasses): readonly Python[] {
  const call = (trait: MethodTrait): Python =>
    identifier(classes.names.handlerOf(methodWith(classes.protocol, trait)!));
  const has = (trait: MethodTrait): boolean => methodWith(classes.protocol, trait) !== undefined;
  const sessions = py`self._connection.sessions`;
  const passing = py`(params, timeout=timeout)`;
  return [
    ...printOpen(classes, {
      name: "new_session",
      trait: "creates-session",
      first: ["cwd"],
      doc: "Opens a session. `cwd` is the absolute path of the folder to work in.",
      call: py`await ${sessions}.open(self.${call("creates-session")}${passing})`,
      id: py`response.session_id`,
    }),
    ...(has("loads-session")
      ? printOpen(classes, {
          name: "load_session",
          trait: "loads-session",
          first: ["sessionId", "cwd"],
          doc: "Opens a stored session, whose updates the agent sends again.",
          call: py`await ${sessions}.reopen(session_id, self.${call("loads-session")}${passing}, True)`,
          id: py`session_id`,
        })
      : []),
    ...(has("resumes-session")
      ? printOpen(classes, {
          name: "resume_session",
          trait: "resumes-session",
          first: ["sessionId", "cwd"],
          doc: "Continues a stored session.",
          call: py`await ${sessions}.reopen(session_id, self.${call("resumes-session")}${passing}, ${replays(classes)})`,
          id: py`session_id`,
        })
      : []),
    ...printContinue(classes),
    ...printList(classes),
    py`def session(self, session_id: str) -> Session:
    """Returns a session that exists."""
    return Session(self._connection, session_id)`,
  ];
}

function replays(classes: SessionClasses): Python {
  const found = replayKeyword(classes);
  return found === undefined ? py`False` : py`${found.name} not in (None, UNSET)`;
}

/** Returns the parameter that makes `session/resume` replay the messages, if there is one. */
function replayKeyword(classes: SessionClasses): Keyword | undefined {
  const all = keywordsOf("ResumeSessionRequest", classes) ?? [];
  return all.find(({ property }) => property === "replayFrom");
}

/** Prints the call that continues a session in one of the ways that the agent has. */
function printContinue(classes: SessionClasses): readonly Python[] {
  const all = keywordsOf("NewSessionRequest", classes, ["cwd"]);
  if (all === undefined) return [];
  const call = (name: string, part: string, more: readonly Python[]): Python => {
    const known = keywordsOf(part, classes) ?? [];
    const given = all.flatMap((one) => {
      const found = known.find(({ property }) => property === one.property);
      if (found === undefined) return [];
      // A list is passed on where one may be left out.
      const isList = one.required && !found.required;
      return [isList ? py`${one.name}=list(${one.name})` : py`${one.name}=${one.name}`];
    });
    return py`self.${identifier(name)}(${joinPython([...more, ...given, py`timeout=timeout`], ", ")})`;
  };
  const has = (trait: MethodTrait): boolean => methodWith(classes.protocol, trait) !== undefined;
  const again = [py`one`, py`cwd`];
  const resume = call("resume_session", "ResumeSessionRequest", again);
  const replay = replayKeyword(classes);
  const start = classes.parts.get("ReplayFromStartVariant");
  const load = has("loads-session")
    ? call("load_session", "LoadSessionRequest", again)
    : replay !== undefined && start !== undefined
      ? call("resume_session", "ResumeSessionRequest", [
          ...again,
          py`${replay.name}=${classOf(start.name, classes)}()`,
        ])
      : undefined;
  const ways = [
    ...(has("resumes-session") ? [py`"resume": lambda one: ${resume}`] : []),
    ...(load === undefined ? [] : [py`"load": lambda one: ${load}`]),
  ];
  const named = requiredFirst(all).map((one) => sessionParameter(one, classes));
  const args = joinPython(
    [
      py`session_id: str | None`,
      py`cwd: str`,
      py`*`,
      ...named,
      py`history: History = "known"`,
      py`timeout: float | None = None`,
    ],
    ", ",
  );
  const create = call("new_session", "NewSessionRequest", [py`cwd`]);
  return [
    py`async def continue_session(self, ${args}) -> ContinuedSession[Session]:
    """Continues a session: resumes it, else loads it, else opens a new one.

    With \`history="replay"\`, loading it is tried first. Another way is tried when the agent
    did not advertise one, or refuses it. Other errors are raised, e.g. that the user has to
    sign in.
    """
    return await continued(session_id, history, {${joinPython(ways, ", ")}}, lambda: ${create})`,
  ];
}

/** Prints the call that iterates over the sessions of the agent. */
function printList(classes: SessionClasses): readonly Python[] {
  const method = methodWith(classes.protocol, "lists-sessions");
  const all = method && keywordsOf(method.params, classes);
  const cursor = all?.find(({ property }) => property === "cursor");
  const info = classes.parts.get("SessionInfo");
  if (method === undefined || cursor === undefined || info === undefined) return [];
  const named = [...all!.map(parameter), py`timeout: float | None = None`];
  const given = all!.map(({ name }) =>
    name === cursor.name ? py`${name}=page` : py`${name}=${name}`,
  );
  return [
    py`def list_sessions(self, *, ${joinPython(named, ", ")}) -> AsyncIterator[${classOf(info.name, classes)}]:
    """Iterates over the sessions of the agent, page by page; with \`cwd\`, over those of a folder."""
    def read(page: Any) -> Awaitable[Any]:
        return self.${identifier(classes.names.handlerOf(method))}(${classOf(method.params, classes)}(${joinPython(given, ", ")}), timeout=timeout)

    return sessions_of(${literal(method.name)}, read, ${cursor.name})`,
  ];
}

interface Opening {
  readonly name: string;
  readonly trait: MethodTrait;
  /** The properties that may be given by their place. */
  readonly first: readonly string[];
  readonly doc: string;
  readonly call: Python;
  readonly id: Python;
}

function requiredFirst(keywords: readonly Keyword[]): readonly Keyword[] {
  const isRequired = ({ required }: Keyword): boolean => required;
  return [...keywords.filter(isRequired), ...keywords.filter((one) => !isRequired(one))];
}

/** Returns whether a parameter is the required list of MCP servers, which is empty by default. */
function isServers({ property, required }: Keyword, { parts }: SessionClasses): boolean {
  return property === "mcpServers" && required && parts.has("McpServer");
}

function sessionParameter(one: Keyword, classes: SessionClasses): Python {
  return isServers(one, classes)
    ? py`${one.name}: Sequence[${classOf("McpServer", classes)}] = ()`
    : parameter(one);
}

function printOpen(classes: SessionClasses, opening: Opening): readonly Python[] {
  const { params } = methodWith(classes.protocol, opening.trait)!;
  const all = keywordsOf(params, classes);
  if (all === undefined) return [];
  const placed = opening.first.map((name) => all.find(({ property }) => property === name));
  if (placed.some((one) => one === undefined)) return [];
  const others = all.filter(({ property }) => !opening.first.includes(property));
  const named = requiredFirst(others).map((one) => sessionParameter(one, classes));
  const args = [
    ...placed.map((one) => parameter(one!)),
    py`*`,
    ...named,
    py`timeout: float | None = None`,
  ];
  const given = all.map((one) =>
    isServers(one, classes) ? py`${one.name}=list(${one.name})` : py`${one.name}=${one.name}`,
  );
  return [
    py`async def ${identifier(opening.name)}(self, ${joinPython(args, ", ")}) -> Session:
    ${docstring(opening.doc)!}
    params = ${classOf(params, classes)}(${joinPython(given, ", ")})
    response = ${opening.call}
    return Session(self._connection, ${opening.id}, response)`,
  ];
}
