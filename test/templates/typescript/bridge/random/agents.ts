import type { Message, Version } from "./messages.js";
import type { Actor, Peer } from "./simulation.js";

type Params = { readonly [name: string]: unknown };
type Step = () => void;

/** The work on a prompt. */
interface Work {
  readonly sessionId: string;
  /** The id of the prompt's request. */
  readonly id: unknown;
  /** What is said of the prompt before anything else. */
  readonly start: Step[];
  readonly steps: Step[];
  /** The id of a request for permission that is not answered. */
  asked: unknown;
}

const OPTIONS = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
const MODES = [
  { id: "ask", name: "Ask" },
  { id: "code", name: "Code" },
];
const text = (value: string): object => ({ type: "text", text: value });

/** An agent that works on prompts, one step after the other, in any order that its version allows. */
export function agent(version: Version, { random, send, request }: Peer): Actor {
  const works = new Map<string, Work>();
  const modes = new Map<string, string>();
  let last = 0;
  const update = (sessionId: string, value: object): void =>
    send({ method: "session/update", params: { sessionId, update: value } });
  const state = (sessionId: string, value: string, rest: object = {}): void =>
    update(sessionId, { sessionUpdate: "state_update", state: value, ...rest });
  const option = (sessionId: string): object => ({
    type: "select",
    [version === 1 ? "id" : "configId"]: "mode",
    name: "Mode",
    ...(version === 2 && { category: "mode" }),
    currentValue: modes.get(sessionId) ?? "ask",
    options: MODES.map(({ id, name }) => ({ value: id, name })),
  });
  const settings = (sessionId: string): object =>
    version === 2
      ? { configOptions: [option(sessionId)] }
      : { modes: { currentModeId: modes.get(sessionId) ?? "ask", availableModes: MODES } };

  /** Returns some content of a message or a tool call. */
  const content = (sessionId: string, prefix: string = String(version)): Step[] => {
    const id = `${prefix}-${++last}`;
    const say = (kind: string, rest: object = {}): Step => {
      const named = version === 2 || random.chance(0.3) ? { messageId: `${kind}-${id}` } : {};
      return () => update(sessionId, { sessionUpdate: kind, ...named, content: text(id), ...rest });
    };
    const call = { toolCallId: id, title: "Run", kind: "execute", status: "pending" };
    const item = { type: "content", content: text(id) };
    const done = { sessionUpdate: "tool_call_update", toolCallId: id, status: "completed" };
    const entries = [{ content: id, priority: "high", status: "pending" }];
    const common = [
      [say("agent_message_chunk"), say("agent_message_chunk")],
      [say("agent_thought_chunk")],
      [() => update(sessionId, { sessionUpdate: "session_info_update", title: id })],
    ];
    const own: Step[][] =
      version === 1
        ? [
            [
              () => update(sessionId, { sessionUpdate: "tool_call", ...call }),
              () => update(sessionId, { ...done, content: [item] }),
            ],
            [() => update(sessionId, { sessionUpdate: "plan", entries })],
          ]
        : [
            [
              say("agent_message", { content: [text(id)] }),
              say("agent_message", { content: null }),
            ],
            [
              () => update(sessionId, { sessionUpdate: "tool_call_update", ...call }),
              () =>
                update(sessionId, {
                  sessionUpdate: "tool_call_content_chunk",
                  toolCallId: id,
                  content: { type: "terminal", terminalId: id },
                }),
              () =>
                update(sessionId, {
                  sessionUpdate: "terminal_update",
                  terminalId: id,
                  command: "ls",
                }),
              () =>
                update(sessionId, {
                  sessionUpdate: "terminal_output_chunk",
                  terminalId: id,
                  data: btoa("out"),
                }),
              () => update(sessionId, { ...done, content: [item] }),
            ],
            [
              () =>
                update(sessionId, {
                  sessionUpdate: "plan_update",
                  plan: { type: "items", planId: random.pick(["main", "x"]), entries },
                }),
            ],
          ];
    return random.pick([...common, ...own]);
  };

  const permission = (work: Work): Step[] => {
    const { sessionId } = work;
    const toolCall = { toolCallId: `${version}-${++last}`, title: "Run" };
    const params =
      version === 1
        ? { sessionId, toolCall, options: OPTIONS }
        : random.chance(0.3)
          ? { sessionId, title: "Run?", options: OPTIONS }
          : { sessionId, title: "Run", subject: { type: "tool_call", toolCall }, options: OPTIONS };
    return [
      () => {
        if (version === 2) state(sessionId, "requires_action");
        work.asked = request("session/request_permission", params, () => {
          work.asked = undefined;
          if (version === 2 && works.get(sessionId) === work) state(sessionId, "running");
        });
      },
    ];
  };

  const end = (work: Work, stopReason: string): void => {
    works.delete(work.sessionId);
    if (version === 1) return send({ id: work.id, result: { stopReason } });
    if (work.asked !== undefined)
      send({ method: "$/cancel_request", params: { requestId: work.asked } });
    state(work.sessionId, "idle", { stopReason });
  };

  const begin = ({ id, params }: Message): void => {
    const { sessionId, prompt } = params as {
      readonly sessionId: string;
      readonly prompt: unknown;
    };
    const messageId = `prompt-${++last}`;
    const work: Work = { sessionId, id, start: [], steps: [], asked: undefined };
    works.set(sessionId, work);
    const confirm = (): void => send({ id, result: { messageId } });
    const echo = (): void =>
      update(sessionId, { sessionUpdate: "user_message", messageId, content: prompt });
    const run = (): void => state(sessionId, "running");
    const orders = [
      [confirm, echo, run],
      [echo, confirm, run],
      [echo, run, confirm],
      [run, confirm, echo],
    ];
    if (version === 2 && random.chance(0.15)) {
      // A command that the agent handles at once, without work to report.
      const idle = (): void => state(sessionId, "idle", { stopReason: "end_turn" });
      work.start.push(
        ...random.pick([
          [confirm, echo, idle],
          [echo, confirm, idle],
          [echo, idle, confirm],
        ]),
      );
      work.steps.push(() => void works.delete(sessionId));
      return;
    }
    if (version === 2) work.start.push(...random.pick(orders));
    for (let left = random.below(8); left > 0; left--)
      work.steps.push(...(random.chance(0.2) ? permission(work) : content(sessionId)));
    work.steps.push(() => end(work, random.pick(["end_turn", "max_tokens", "refusal"])));
  };

  const stop = (sessionId: string): void => {
    const work = works.get(sessionId);
    if (work === undefined) return;
    for (const step of work.start) step();
    end(work, "cancelled");
  };
  /** Ends cancelled work after some more of it, which may ask for permission. */
  const stopLater = (work: Work): void => {
    work.steps.splice(0);
    for (let left = random.below(3); left > 0; left--)
      work.steps.push(...(random.chance(0.5) ? permission(work) : content(work.sessionId)));
    work.steps.push(() => end(work, "cancelled"));
  };

  const reply = ({ id, method, params }: Message): void => {
    const sessionId = String((params as Params)["sessionId"] ?? `s-${++last}`);
    const { replayFrom, modeId, value } = params as Params;
    const isReplayed = method === "session/load" || replayFrom !== undefined;
    if (isReplayed) for (const step of content(sessionId, "replay")) step();
    if (isReplayed && version === 2) update(sessionId, { sessionUpdate: "replay_complete" });
    if (method === "session/resume" && version === 2) state(sessionId, "idle");
    if (method === "session/set_mode") modes.set(sessionId, String(modeId));
    if (method === "session/set_config_option") modes.set(sessionId, String(value));
    if (method === "session/close") stop(sessionId);
    const results: { readonly [method: string]: object } = {
      "session/new": { sessionId, ...settings(sessionId) },
      "session/load": settings(sessionId),
      "session/resume": settings(sessionId),
      "session/list": { sessions: [] },
      "session/close": {},
      "session/set_mode": {},
      "session/set_config_option": settings(sessionId),
    };
    const result = results[String(method)];
    const error = { code: -32601, message: `No ${String(method)}` };
    send({ id, ...(result === undefined ? { error } : { result }) });
  };

  return {
    take: (message) => {
      const { id, method, params } = message;
      if (method === "session/cancel") {
        const sessionId = String((params as Params)["sessionId"]);
        const work = works.get(sessionId);
        const isLater = work !== undefined && work.steps.length > 1 && random.chance(0.5);
        return isLater ? stopLater(work) : stop(sessionId);
      }
      if (method === "session/prompt") return begin(message);
      if (id !== undefined) reply(message);
    },
    act: () => {
      const work = [...works.values()].at(-1);
      if (work === undefined || work.asked !== undefined) return;
      const step = work.start.shift() ?? work.steps.shift();
      step?.();
    },
    finish: () => {},
  };
}
