import { checkConformance } from "acp-bindings/conformance";
import { METHODS as METHODS_V1 } from "acp-bindings/v1-full";
import { METHODS as METHODS_V2 } from "acp-bindings/v2-full";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createRandom } from "../../../use/samples/random.js";
import { IS_DEEP } from "../../../support/deep.js";
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

/** Returns the texts of the agent's messages, in the order in which a side has sent or received them. */
function texts({ transcripts }: Simulation, side: Side): readonly string[] {
  return transcripts[side].flatMap(({ message }) => {
    const { update } = ((message as Message)["params"] ?? {}) as { readonly update?: Message };
    if (!/^agent_(message|thought)/.test(String(update?.["sessionUpdate"]))) return [];
    return JSON.stringify(update!["content"]).match(/(?<="text":")[^"]+/g) ?? [];
  });
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
        expect(texts(result, "client")).toEqual(texts(result, "agent"));
      }
    });
  },
);
