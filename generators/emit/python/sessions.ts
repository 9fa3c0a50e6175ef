import type { Part } from "../../model/parts/part.js";
import type { Protocol } from "../../model/protocol.js";
import { identifier, py, type Python } from "./code.js";
import type { PythonNames } from "./names.js";

/** The classes of sessions, and the methods of the connected sides that make them. */
export interface PrintedSessions {
  readonly classes: readonly Python[];
  readonly agent: readonly Python[];
  readonly client: readonly Python[];
}

/** Prints sessions for a protocol that has prompts and updates; nothing for others. */
export function printSessions(
  { methods, versionNumber }: Protocol,
  parts: ReadonlyMap<string, Part>,
  names: PythonNames,
): PrintedSessions {
  const wanted = ["session/new", "session/prompt", "session/update", "session/request_permission"];
  const hasAll = wanted.every((name) => methods.some((method) => method.name === name));
  const block = parts.get("ContentBlock");
  const text = block?.kind === "choice" && block.cases.find(({ value }) => value === "text");
  if (!hasAll || !text) return { classes: [], agent: [], client: [] };
  const textType = identifier(names.typeOf(text.part));
  const end = versionNumber === 1 ? py`PromptResponse` : py`SessionUpdate`;
  return {
    classes: [
      py`class Session:
    """A session of the agent, as clients use it."""

    def __init__(self, connection: RoleConnection, session_id: str, response: _t.NewSessionResponse | None = None) -> None:
        self._connection = connection
        self.id = session_id
        self.response = response
        """The answer to \`session/new\`; None for a session that was not made here."""

    def prompt(self, content: str | list[_t.ContentBlock]) -> Turn[_t.SessionUpdate, _t.${end}]:
        """Sends a prompt. Iterate the turn for its updates, or await it for its end."""
        blocks: list[_t.ContentBlock] = [_t.${textType}(text=content)] if isinstance(content, str) else content
        params = _t.PromptRequest(session_id=self.id, prompt=blocks)
        return Turn(self._connection, self.id, params)`,
    ],
    agent: [
      py`async def new_session(self, params: _t.NewSessionRequest) -> Session:
    """Opens a session."""
    response = await self.session_new(params)
    return Session(self._connection, response.session_id, response)`,
      py`def session(self, session_id: str) -> Session:
    """Returns a session that exists."""
    return Session(self._connection, session_id)`,
    ],
    client: [
      py`def session(self, session_id: str) -> AgentSession:
    """Returns a session, for sending its updates."""
    return AgentSession(self._connection, session_id)`,
    ],
  };
}
