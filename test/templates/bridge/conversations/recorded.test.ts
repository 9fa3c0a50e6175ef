import { METHODS as METHODS_V1 } from "acp-bindings/v1-full";
import * as v1 from "acp-bindings/v1-full/schemas";
import { SAMPLES as SAMPLES_V1 } from "acp-bindings/v1-full/mocks";
import { METHODS as METHODS_V2 } from "acp-bindings/v2-full";
import * as v2 from "acp-bindings/v2-full/schemas";
import { SAMPLES as SAMPLES_V2 } from "acp-bindings/v2-full/mocks";
import { describe, expect, test } from "vitest";
import { recordedMessages } from "../../../use/samples/recorded-messages.js";
import { openCore, type OpenCore } from "../open-core.js";

type Params = { readonly [name: string]: unknown };

interface Schema {
  issues(value: unknown): readonly unknown[];
}

const VERSIONS = {
  1: { methods: METHODS_V1, schemas: v1, samples: SAMPLES_V1 },
  2: { methods: METHODS_V2, schemas: v2, samples: SAMPLES_V2 },
} as const;

const RECORDED = recordedMessages().filter(({ method }) => method !== "initialize");

const CONVERSATIONS = [...new Set(RECORDED.map(({ agent, version }) => `${agent} ${version}`))];

describe("a recorded conversation with", () => {
  test.each(CONVERSATIONS)("%s passes the bridge, and all messages stay valid", (name) => {
    const [agent, version] = name.split(" ") as [string, "v1" | "v2"];
    const messages = RECORDED.filter((one) => one.agent === agent && one.version === version);
    const own = version === "v1" ? 1 : 2;
    // The client's messages go to an agent of the other version, and the agent's to such a client.
    const other = own === 1 ? 2 : 1;
    const toAgent = openCore(own);
    const toClient = openCore(other);
    const problems: unknown[] = [];
    const asked: string[] = [];
    const answered: unknown[] = [];
    for (const { from, kind, method, payload } of messages) {
      if (kind === "response") continue;
      const id = `r${asked.length}`;
      if (kind === "request") asked.push(id);
      const message = {
        jsonrpc: "2.0" as const,
        ...(kind === "request" && { id }),
        method,
        params: payload,
      };
      const isClient = from === "client";
      const { core, sent } = isClient ? toAgent : toClient;
      if (isClient) core.fromClient(message as never);
      else core.fromAgent(message as never);
      answerAll(isClient ? toAgent : toClient, isClient ? "agent" : "client", other, problems);
      const received = sent[from].splice(0);
      check(received, own, method, problems);
      answered.push(...received.flatMap((one) => (one["method"] === undefined ? [one["id"]] : [])));
    }
    expect(messages.length).toBeGreaterThan(0);
    expect(problems).toEqual([]);
    expect(answered.sort()).toEqual(asked.sort());
  });
});

/** Checks what a side has received, and answers its requests with samples. */
function answerAll(
  { core, sent }: OpenCore,
  side: "client" | "agent",
  version: 1 | 2,
  problems: unknown[],
): void {
  for (const message of sent[side].splice(0)) {
    check([message], version, "", problems);
    if (message["method"] === undefined || message["id"] === undefined) continue;
    const { methods, samples } = VERSIONS[version];
    const { result } = methods.find(({ name }) => name === message["method"])! as {
      readonly result: string;
    };
    const answer = (samples as unknown as Params)[result];
    const response = { jsonrpc: "2.0" as const, id: message["id"], result: answer };
    if (side === "client") {
      core.fromClient(response as never);
      continue;
    }
    core.fromAgent(response as never);
    if (version === 1 || message["method"] !== "session/prompt") continue;
    const { sessionId } = message["params"] as Params;
    const update = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" };
    const params = { sessionId, update };
    core.fromAgent({ jsonrpc: "2.0", method: "session/update", params } as never);
  }
}

/** Holds messages against the schema of a version; responses are those to a method. */
function check(
  messages: readonly Params[],
  version: 1 | 2,
  answered: string,
  problems: unknown[],
): void {
  const { methods, schemas } = VERSIONS[version];
  for (const message of messages) {
    const { method = answered, params, result, error } = message;
    if (error !== undefined) continue;
    const found = methods.find(({ name }) => name === method) as
      { readonly params: string; readonly result?: string } | undefined;
    const isResponse = message["method"] === undefined;
    const definition = isResponse ? found?.result : found?.params;
    if (definition === undefined) {
      problems.push({ unknown: method });
      continue;
    }
    const schema = (schemas as unknown as { readonly [name: string]: Schema })[definition]!;
    const issues = schema.issues(isResponse ? result : params);
    if (issues.length > 0) problems.push({ version, method, issues });
  }
}
