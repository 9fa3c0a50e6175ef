import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { Json, JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { IS_DEEP } from "../../support/deep.js";
import { createMutate, mutateProperties } from "../../use/samples/mutate-value.js";
import { createRandom } from "../../use/samples/random.js";
import { loadSdk } from "../../use/samples/sdk.js";
import { createFits } from "../../use/values/complete.js";
import { openSite } from "../support/site.js";
import { publishedSchema } from "../../use/samples/published.js";

/** The scripts of the validator page, apart from the one that shows the findings. */
const SCRIPTS = ["validator-core.js", "anchors.js", "hints.js", "transcript.js"];
/** How many mutations of each example are checked. */
const COUNT = IS_DEEP ? 200 : 4;
const PROFILES = ["v1", "v1-unstable", "v2", "v2-unstable"] as const;

interface Inspected {
  readonly line: number;
  readonly value: Json;
  readonly from: string;
  readonly findings?: readonly { readonly tone: string; readonly text: string }[];
  readonly lenient?: string;
}

interface Transcript {
  readonly read: (text: string, from: string) => { readonly messages?: Inspected[] };
  readonly inspectAll: (messages: Inspected[]) => unknown;
}

const site = await openSite();

/** Runs the code of a profile's validator page without a page. */
function loadTranscript(profile: string): Transcript {
  const scope = createContext({});
  for (const script of SCRIPTS) runInContext(site.page(`${profile}/assets/${script}`), scope);
  return runInContext("acpTranscript", scope) as Transcript;
}

describe.each(PROFILES)("the validator of %s", async (profile) => {
  const { read, inspectAll } = loadTranscript(profile);
  const inspect = (value: Json, from: string): Inspected => {
    const message: Inspected = { line: 1, value, from };
    inspectAll([message]);
    return message;
  };
  const published = publishedSchema(profile)!;
  const fits = createFits(published);
  const sdk = await loadSdk(profile);
  const protocol = site.byName.get(profile)!;
  const mutate = createMutate(published as JsonSchema);

  test("says that a message may be sent exactly when the published schema and the SDK accept it", () => {
    const counts = { sent: 0, refused: 0, repaired: 0 };
    for (const { name, kind, side, params, examples } of protocol.methods) {
      if (published.$defs?.[params] === undefined || side === "protocol") continue;
      const random = createRandom(`${profile} ${name}`);
      const values = examples.flatMap((example) => {
        const given = example.params as Json;
        const changed = Array.from({ length: COUNT }, () => mutate(given, random));
        return [given, ...changed, ...mutateProperties(given).slice(0, IS_DEEP ? undefined : 12)];
      });
      for (const value of values) {
        // JSON-RPC params are objects here; other values are faults of the envelope.
        if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
        const id = kind === "request" ? { id: 1 } : {};
        const message = { jsonrpc: "2.0", ...id, method: name, params: value };
        const inspected = inspect(message, side === "agent" ? "client" : "agent");
        const isSent = !inspected.findings!.some(({ tone }) => tone === "bad");
        const text = `${name} ${JSON.stringify(value)}`;
        expect(isSent, text).toBe(fits(`/$defs/${params}`, value));
        // The SDK checks the format of addresses, which the published schema only annotates, and
        // refuses integers of more than 32 bits; those above 2^53 have lost precision.
        const isExact = !hasLargeInteger(value);
        if (isSent && isExact && sdk.has(params) && !/"(baseUrl|ur[il])":/.test(text))
          expect(sdk.decode(params, value).ok, text).toBe(true);
        counts[isSent ? "sent" : "refused"]++;
        if (!isSent && inspected.lenient !== "rejected") counts.repaired++;
        if (isSent && isExact) expect(inspected.lenient, text).toBe("unchanged");
      }
    }
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(10);
  });

  test("reads lines after the prefix of a log", () => {
    const line = '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}';
    const { messages } = read(`[2026-03-01 10:00:00] --> ${line}\n[debug] ready\n${line}\n`, "");
    expect(messages).toHaveLength(3);
    expect(messages!.map(({ value }) => value !== undefined)).toEqual([true, false, true]);
    expect(read('{\n  "a": {},\n  "b": }\n', "").messages).toBeUndefined();
  });
});

describe("the validator explains", () => {
  const { inspectAll } = loadTranscript("v1");
  const texts = (method: string, params: Json): string => {
    const id = method === "session/update" ? {} : { id: 1 };
    const message: Inspected = {
      line: 1,
      value: { jsonrpc: "2.0", ...id, method, params },
      from: "",
    };
    inspectAll([message]);
    return message.findings!.map(({ text }) => text).join("\n");
  };

  test.each([
    ["session/promt", {}, "Did you mean session/prompt?"],
    ["session/fork", {}, "It exists in ACP v1 unstable."],
    ["session/new", { cwd: "/", mcp_servers: [] }, "Did you mean mcpServers?"],
    ["initialize", { protocolVersion: 1, capabilities: {} }, "Did you mean clientCapabilities?"],
    [
      "session/new",
      { cwd: "/", mcpServers: [], label: "x" },
      "not declared here. Custom data belongs in _meta.",
    ],
    [
      "session/update",
      { sessionId: "s", update: { sessionUpdate: "agent_mesage_chunk" } },
      "Did you mean agent_message_chunk?",
    ],
    [
      "session/update",
      { sessionId: "s", update: { sessionUpdate: "agent_message" } },
      "It exists in ACP v2.",
    ],
    [
      "session/update",
      {
        sessionId: "s",
        update: { sessionUpdate: "tool_call", toolCallId: "t", title: "", input: 1 },
      },
      "Did you mean rawInput?",
    ],
  ] satisfies readonly [string, Json, string][])("%s %j", (method, params, text) => {
    expect(texts(method, params)).toContain(text);
  });

  test("all mistakes and all repairs at once", () => {
    const update = { sessionUpdate: "plan", entries: [{ content: 5 }, { kind: "x" }] };
    const found = texts("session/update", { sessionId: "s", update, sesion: 1 });
    expect(found).toContain("expected string, found 5");
    expect(found).toContain("repaired by a lenient receiver (skip-invalid-items)");
    expect(found).toContain("not declared here");
  });
});

function hasLargeInteger(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) >= 2 ** 31;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasLargeInteger);
}
