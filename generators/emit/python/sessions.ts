import type { Part } from "../../model/parts/part.js";
import type { Protocol } from "../../model/protocol.js";
import { identifier, literal, py, type Python } from "./code.js";
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
  const has = (name: string): boolean => methods.some((method) => method.name === name);
  const hasAll = wanted.every(has);
  const block = parts.get("ContentBlock");
  const text = block?.kind === "choice" && block.cases.find(({ value }) => value === "text");
  if (!hasAll || !text) return { classes: [], agent: [], client: [] };
  const textType = identifier(names.typeOf(text.part));
  const end = versionNumber === 1 ? py`PromptResponse` : py`SessionUpdate`;
  return {
    classes: [
      py`class Session(ClientSession[SessionStateV${literal(versionNumber)}]):
    """A session of the agent, as clients use it."""

    def prompt(self, content: str | list[_t.ContentBlock]) -> Turn[_t.SessionUpdate, _t.${end}]:
        """Sends a prompt. Iterate the turn for its updates, or await it for its end."""
        blocks: list[_t.ContentBlock] = [_t.${textType}(text=content)] if isinstance(content, str) else content
        return self._prompt(blocks, _t.PromptRequest(session_id=self.id, prompt=blocks))`,
    ],
    agent: [
      py`async def new_session(self, params: _t.NewSessionRequest) -> Session:
    """Opens a session."""
    response = await self._connection.sessions.open(self.session_new(params))
    return Session(self._connection, response.session_id, response)`,
      ...(has("session/load")
        ? [
            py`async def load_session(self, params: _t.LoadSessionRequest) -> Session:
    """Opens a stored session, whose updates the agent sends again."""
    call = self.session_load(params)
    response = await self._connection.sessions.reopen(params.session_id, call, True)
    return Session(self._connection, params.session_id, response)`,
          ]
        : []),
      ...(has("session/resume")
        ? [
            py`async def resume_session(self, params: _t.ResumeSessionRequest) -> Session:
    """Continues a session."""
    replays = getattr(params, "replay_from", None) not in (None, UNSET)
    call = self.session_resume(params)
    response = await self._connection.sessions.reopen(params.session_id, call, replays)
    return Session(self._connection, params.session_id, response)`,
          ]
        : []),
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
