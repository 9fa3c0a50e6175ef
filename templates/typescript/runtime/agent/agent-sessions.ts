import { hasTrait } from "../find-method.js";
import { Resumptions } from "../role/resumptions.js";
import { isRecord } from "../rpc/messages.js";
import { ConnectionClosedError } from "../rpc/errors.js";
import type { CreateSessions, SessionLink } from "../session/link.js";
import { AgentSessionV1 } from "./session-v1.js";
import { AgentSessionV2 } from "./session-v2.js";
import { SessionTurns } from "./turns.js";

/** Creates the sessions of an agent of version 1. */
export const agentSessionsV1: CreateSessions = (link) => {
  const connection = signalOf(link);
  return {
    members: { session: (id: string) => new AgentSessionV1(link, id, connection) },
    of: (id, source, method) =>
      method === link.names.prompt
        ? new AgentSessionV1(link, id, source, () => source.isAnswered === true)
        : new AgentSessionV1(link, id, source),
    received: () => undefined,
  };
};

/** Creates the sessions of an agent of version 2, with their turns. */
export const agentSessionsV2: CreateSessions = (link) => {
  const turns: SessionTurns = new SessionTurns(
    (id, source, hasEnded) => new AgentSessionV2(link, id, source, { turns, hasEnded }),
    link,
  );
  const connection = signalOf(link);
  void link.closed.then(() => turns.cancel(() => true, new ConnectionClosedError(link.endReason)));
  return {
    members: { session: (id: string) => new AgentSessionV2(link, id, connection, { turns }) },
    of: (id, source, method, params) => {
      const prompt =
        method === link.names.prompt && isRecord(params) ? params["prompt"] : undefined;
      return new AgentSessionV2(link, id, source, {
        turns,
        prompt: prompt as object[] | undefined,
      });
    },
    hasTurn: (id) => turns.has(id),
    reportState: (id) => turns.reportState(id),
    resumptions: new Resumptions(
      (id) => turns.reportState(id),
      (sessionId, update) => link.peer.notify(link.names.update, { sessionId, update }),
    ),
    received: (method, params) => {
      if (!hasTrait(method, "cancels-turn") || !isRecord(params)) return undefined;
      const isClosing = method.kind === "request";
      const sessionId = String(params["sessionId"]);
      const ended = turns.cancel((id) => link.tree.path(id, isClosing).includes(sessionId));
      // The last updates of a session precede the answer that closes it.
      return isClosing ? ended : undefined;
    },
  };
};

/** Returns the source of a signal that is aborted when the connection has ended. */
function signalOf(link: SessionLink): { readonly signal: AbortSignal } {
  const controller = new AbortController();
  void link.closed.then(() => controller.abort(new ConnectionClosedError(link.endReason)));
  return controller;
}
