import type { Message, Version } from "./messages.js";
import type { Actor, Peer } from "./simulation.js";

type Params = { readonly [name: string]: unknown };

/** A session, as a client has it. */
interface Session {
  readonly id: string;
  /** The id of the prompt's request, while its work goes on. */
  prompt: unknown;
  /** Whether the work on the last prompt was cancelled. */
  isCancelled: boolean;
  isClosing: boolean;
  options: readonly Params[];
  mode: string | undefined;
}

const TEXT = [{ type: "text", text: "Go" }];

/** A client that opens and closes sessions, sends prompts, cancels them, and answers what it is asked. */
export function client(version: Version, { random, send, request }: Peer): Actor {
  const sessions = new Map<string, Session>();
  const closed: string[] = [];
  let asked: Message[] = [];
  let isFinishing = false;
  let isOpening = false;
  const sessionOf = (params: unknown): string => String((params as Params)["sessionId"]);

  const opened = (id: string, { result }: Message): void => {
    isOpening = false;
    if (result === undefined) return;
    const { configOptions, modes } = result as Params;
    const options = (configOptions ?? []) as readonly Params[];
    const mode = (modes as Params | undefined)?.["currentModeId"] as string | undefined;
    const state = { prompt: undefined, isCancelled: false, isClosing: false };
    sessions.set(id, { id, ...state, options, mode });
  };
  const open = (): void => {
    isOpening = true;
    const rest = { cwd: "/", ...(version === 1 && { mcpServers: [] }) };
    const id = closed.pop();
    if (id === undefined)
      return void request("session/new", rest, (message) =>
        opened(sessionOf(message["result"]), message),
      );
    const replay = random.chance(0.5);
    const method = version === 1 && replay ? "session/load" : "session/resume";
    const from = version === 2 && replay ? { replayFrom: { type: "start" } } : {};
    request(method, { sessionId: id, ...rest, ...from }, (message) => opened(id, message));
  };
  const prompt = (session: Session): void => {
    session.isCancelled = false;
    session.prompt = request(
      "session/prompt",
      { sessionId: session.id, prompt: TEXT },
      ({ error }) => {
        if (version === 1 || error !== undefined) session.prompt = undefined;
      },
    );
  };
  const answer = (message: Message, isCancelled: boolean): void => {
    const [option] = (message["params"] as { options: readonly Params[] }).options;
    const outcome =
      isCancelled || random.chance(0.2)
        ? { outcome: "cancelled" }
        : { outcome: "selected", optionId: option!["optionId"] };
    send({ id: message["id"], result: { outcome } });
  };
  const answerAll = (sessionId: string): void => {
    const own = asked.filter(({ params }) => sessionOf(params) === sessionId);
    asked = asked.filter((one) => !own.includes(one));
    for (const one of own) answer(one, true);
  };
  const close = (session: Session): void => {
    session.isClosing = true;
    request("session/close", { sessionId: session.id }, ({ error }) => {
      if (error !== undefined) return void (session.isClosing = false);
      sessions.delete(session.id);
      closed.push(session.id);
    });
    answerAll(session.id);
  };
  const cancel = (session: Session): void => {
    const { id } = session;
    session.isCancelled = true;
    send({ method: "session/cancel", params: { sessionId: id } });
    answerAll(id);
  };
  /** Whether the agent may have sent a request before it saw that its work is cancelled. */
  const isLate = ({ params }: Message): boolean => {
    const session = sessions.get(sessionOf(params));
    return session?.isClosing === true || session?.isCancelled === true;
  };
  const choose = ({ id, options, mode }: Session): void => {
    if (mode !== undefined && random.chance(0.5)) {
      const modeId = random.pick(["ask", "code"]);
      return void request("session/set_mode", { sessionId: id, modeId }, () => {});
    }
    if (options.length === 0) return;
    const option = random.pick(options);
    const configId = option[version === 1 ? "id" : "configId"];
    const params = { sessionId: id, configId, value: "ask", ...(version === 2 && { type: "id" }) };
    request("session/set_config_option", params, () => {});
  };

  return {
    take: (message) => {
      const { id, method, params } = message;
      if (method === "session/update") {
        const { update } = params as { readonly update: Params };
        const session = sessions.get(sessionOf(params));
        if (update["state"] === "idle" && session !== undefined) session.prompt = undefined;
        return;
      }
      if (method === "$/cancel_request") {
        const found = asked.find((one) => one["id"] === (params as Params)["requestId"]);
        asked = asked.filter((one) => one !== found);
        if (found !== undefined) answer(found, true);
        return;
      }
      if (method === "session/request_permission" && isLate(message)) answer(message, true);
      else if (method === "session/request_permission") asked.push(message);
      else if (id !== undefined) send({ id, error: { code: -32601, message: "No such method" } });
    },
    act: () => {
      const [first] = asked;
      if (first !== undefined && (isFinishing || random.chance(0.5))) {
        asked.shift();
        return answer(first, false);
      }
      if (isFinishing) return;
      if (!isOpening && (sessions.size === 0 || random.chance(0.03))) return open();
      const idle = [...sessions.values()].filter(({ isClosing }) => !isClosing);
      if (idle.length === 0) return;
      const session = random.pick(idle);
      if (session.prompt === undefined && random.chance(0.3)) return prompt(session);
      if (session.prompt !== undefined && random.chance(0.04)) return cancel(session);
      if (random.chance(0.02)) return close(session);
      if (random.chance(0.05)) return choose(session);
      if (random.chance(0.02)) request("session/list", {}, () => {});
    },
    finish: () => {
      isFinishing = true;
    },
  };
}
