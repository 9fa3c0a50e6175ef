import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { Json, JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { IS_DEEP } from "../../support/deep.js";
import { createMutate, mutateProperties } from "../../use/samples/mutate-value.js";
import { createRandom } from "../../use/samples/random.js";
import { createFits } from "../../use/values/complete.js";
import type { Captured } from "../../../templates/site/inspector/capture.js";
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
  readonly broken?: string;
  readonly findings?: readonly { readonly level: string; readonly message: string }[];
  readonly lenient?: string;
}

interface Transcript {
  readonly read: (
    text: string,
    from: string,
  ) => {
    readonly lines?: readonly { readonly captured: Captured }[];
    readonly messages?: Inspected[];
    readonly skipped?: number;
    readonly reason?: string;
  };
  readonly inspectAll: (messages: Inspected[]) => {
    readonly violations: readonly { readonly rule: string }[];
    readonly version?: object;
  };
}

const site = await openSite();

/** Runs the code of a profile's validator page without a page. */
function loadTranscript(profile: string): Transcript {
  const scope = createContext({});
  for (const script of SCRIPTS) runInContext(site.page(`${profile}/assets/${script}`), scope);
  return runInContext("acpTranscript", scope) as Transcript;
}

describe.each(PROFILES)("the validator of %s", async (profile) => {
  const { inspectAll } = loadTranscript(profile);
  const inspect = (value: Json, from: string): Inspected => {
    const message: Inspected = { line: 1, value, from };
    inspectAll([message]);
    return message;
  };
  const published = publishedSchema(profile)!;
  const fits = createFits(published);
  const protocol = site.byName.get(profile)!;
  const mutate = createMutate(published as JsonSchema);

  test("says that a message may be sent exactly when the published schema accepts it", () => {
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
        const isSent = !inspected.findings!.some(({ level }) => level === "error");
        const text = `${name} ${JSON.stringify(value)}`;
        expect(isSent, text).toBe(fits(`/$defs/${params}`, value));
        // Integers above 2^53 have lost precision.
        const isExact = !hasLargeInteger(value);
        counts[isSent ? "sent" : "refused"]++;
        if (!isSent && inspected.lenient !== "rejected") counts.repaired++;
        if (isSent && isExact) expect(inspected.lenient, text).toBe("unchanged");
      }
    }
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(10);
  });
});

describe("the second verdict", () => {
  const { inspectAll } = loadTranscript("v1");
  const received = (message: object): Inspected => {
    const inspected: Inspected = { line: 1, value: { jsonrpc: "2.0", ...message }, from: "" };
    inspectAll([inspected]);
    return inspected;
  };
  const update = (update: object): object => ({
    method: "session/update",
    params: { sessionId: "s", update },
  });
  const toolCall = { sessionUpdate: "tool_call", toolCallId: "t", title: "Write" };

  test.each([
    ["repaired", true, update({ ...toolCall, kind: "write" })],
    ["repaired", true, update({ ...toolCall, status: "cancelled" })],
    ["repaired", true, update({ ...toolCall, content: [{ type: "text" }] })],
    [
      "repaired",
      true,
      update({
        sessionUpdate: "plan",
        entries: [{ content: "", priority: "urgent", status: "pending" }],
      }),
    ],
    ["rejected", true, update({ sessionUpdate: "agent_mood" })],
    [
      "rejected",
      true,
      { id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [{ type: "video" }] } },
    ],
    ["rejected", false, { id: 1, method: "session/prompt", params: { sessionId: "s" } }],
    ["unchanged", false, update(toolCall)],
  ])(
    "is %s by the flags of the schema, and kept (%s) by the bindings: %j",
    (lenient, isKept, message) => {
      expect(received(message)).toMatchObject({ lenient, isKept });
    },
  );

  test("is missing for a result without its request", () => {
    for (const result of [{ stopReason: "done" }, null, {}])
      expect(received({ id: 1, result })).toMatchObject({ isUnchecked: true });
  });
});

describe("the validator checks", () => {
  const { inspectAll } = loadTranscript("v1");
  const rulesOf = (...values: object[]): readonly string[] => {
    const messages = values.map((value, index) => ({
      line: index + 1,
      value: { jsonrpc: "2.0", ...value },
      from: "",
    }));
    return inspectAll(messages).violations.map(({ rule }) => rule);
  };

  test.each([
    ["absolute-paths", { id: 1, method: "session/new", params: { cwd: "src", mcpServers: [] } }],
    [
      "absolute-paths",
      { id: 1, method: "terminal/create", params: { sessionId: "s", command: "a", cwd: "." } },
    ],
    [
      "one-based-lines",
      { id: 1, method: "fs/read_text_file", params: { sessionId: "s", path: "/a", line: 0 } },
    ],
  ])("the rule %s on one message", (rule, message) => {
    expect(rulesOf(message)).toEqual([rule]);
  });

  test("no rule about a conversation on one message", () => {
    expect(
      rulesOf({ id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [] } }),
    ).toEqual([]);
  });

  test("the version of a conversation, and names the profile for it", () => {
    const text = (number: number): Inspected[] =>
      [
        {
          id: 0,
          method: "initialize",
          params: { protocolVersion: number, info: { name: "a", version: "1" } },
        },
        { id: 0, result: { protocolVersion: number, info: { name: "a", version: "1" } } },
      ].map((value, index) => ({ line: index + 1, value: { jsonrpc: "2.0", ...value }, from: "" }));
    expect(inspectAll(text(1)).version).toBeUndefined();
    expect(inspectAll(text(2)).version).toEqual({
      number: 2,
      title: "ACP v2",
      profile: "v2",
      isAgreed: true,
    });
    expect(loadTranscript("v2-unstable").inspectAll(text(1)).version).toMatchObject({
      profile: "v1-unstable",
    });
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
    return message.findings!.map((one) => one.message).join("\n");
  };

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
