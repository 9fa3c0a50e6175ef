import { checkConformance } from "acp-bindings/conformance";
import { METHODS as METHODS_V1 } from "acp-bindings/v1-full";
import { METHODS as METHODS_V2 } from "acp-bindings/v2-full";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createRandom } from "../../../../use/samples/random.js";
import { IS_DEEP } from "../../../../support/deep.js";
import { agent } from "./agents.js";
import { client } from "./clients.js";
import type { Message, Side, Version } from "./messages.js";
import { simulate, type Simulation } from "./simulation.js";

const RUNS = IS_DEEP ? 1000 : 15;
const SEED = process.env["SEED"] ?? "bridge";

/** Rules that messages on their way can break, as their own notes say. */
const RACES: ReadonlySet<string> = new Set([
  "cancelled-idle",
  "cancelled-stop-reason",
  "closed-prompt-cancelled",
  "withdrawn-permission",
]);

afterEach(() => void vi.useRealTimers());

/** Returns the violations at one side, with the side that has sent the message. */
function violations({ transcripts }: Simulation, side: Side, version: Version): readonly string[] {
  const transcript = transcripts[side];
  const methods = version === 1 ? METHODS_V1 : METHODS_V2;
  return checkConformance(transcript, { version, methods }).flatMap(({ rule, message, line }) => {
    const who = transcript[line - 1]?.from === side ? "peer" : "bridge";
    const text = `${side} v${version}: the ${who} breaks ${rule} in line ${line}: ${message}`;
    return RACES.has(rule) ? [] : [text];
  });
}

/** Returns the updates that a side has sent or received. */
function updates({ transcripts }: Simulation, side: Side): readonly Message[] {
  return transcripts[side].flatMap(({ message }) => {
    const { update } = ((message as Message)["params"] ?? {}) as { readonly update?: Message };
    return update === undefined ? [] : [update];
  });
}

/** Returns the texts of the agent's messages in turns, in the order in which a side has sent or received them. */
function texts(simulation: Simulation, side: Side): readonly string[] {
  return updates(simulation, side).flatMap(({ sessionUpdate, content }) => {
    if (!/^agent_(message|thought)/.test(String(sessionUpdate))) return [];
    return JSON.stringify(content).match(/(?<="text":")(?!replay)[^"]+/g) ?? [];
  });
}

/** Returns the messages of the user that repeat a prompt. */
function echoes(simulation: Simulation): readonly Message[] {
  return updates(simulation, "client").filter(
    ({ sessionUpdate, content }) =>
      sessionUpdate === "user_message_chunk" && (content as Message)["text"] === "Go",
  );
}

/** Returns the ids of the questions that an agent has asked between a cancellation and the end of the turn. */
function lateQuestions({ transcripts }: Simulation): ReadonlySet<unknown> {
  const cancelled = new Set<unknown>();
  const ids = transcripts.agent.flatMap(({ message }) => {
    const { id, method, params } = message as Message;
    const { sessionId, update } = (params ?? {}) as Message;
    if (method === "session/cancel") cancelled.add(sessionId);
    if (method === "session/prompt" || (update as Message | undefined)?.["state"] === "idle")
      cancelled.delete(sessionId);
    return method === "session/request_permission" && cancelled.has(sessionId) ? [id] : [];
  });
  return new Set(ids);
}

/** Returns the late questions that have reached the client, and answers to them that are not cancelled. */
function askedTooLate(simulation: Simulation): readonly Message[] {
  const late = lateQuestions(simulation);
  const { client, agent } = simulation.transcripts;
  const received = [
    ...client.filter(({ from }) => from === "agent"),
    ...agent.filter(({ from }) => from === "client"),
  ].map(({ message }) => message as Message);
  return received.filter(
    ({ id, result }) => late.has(id) && !JSON.stringify(result ?? null).includes('"cancelled"'),
  );
}

describe.each([1, 2] as const)(
  "a client of version %i and an agent that keep the rules",
  (version) => {
    test("receive nothing that breaks them, in any order of messages", () => {
      vi.useFakeTimers();
      for (let run = 0; run < RUNS; run++) {
        const other = version === 1 ? 2 : 1;
        const result = simulate(
          version,
          createRandom(`${SEED} ${version} ${run}`),
          { client: (peer) => client(version, peer), agent: (peer) => agent(other, peer) },
          1500,
          (milliseconds) => void vi.advanceTimersByTime(milliseconds),
        );
        const found = [
          ...violations(result, "client", version),
          ...violations(result, "agent", other),
        ];
        expect({ run, found, waiting: result.waiting() }).toEqual({ run, found: [], waiting: [] });
        expect(askedTooLate(result)).toEqual([]);
        if (version === 1) expect(echoes(result)).toEqual([]);
        const said = texts(result, "agent");
        const places = result.losses.map(({ place }) => place);
        // An agent that cannot close a session may go on after it.
        if (!places.includes("session-closed")) expect(texts(result, "client")).toEqual(said);
      }
    });
  },
);
