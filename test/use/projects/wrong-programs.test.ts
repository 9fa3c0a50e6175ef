import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type ts from "typescript";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "../../support/paths.js";
import { findTypeErrors } from "./find-type-errors.js";

// Inside the repository, so that both packages are found by their names.
const folder = mkdtempSync(join(ROOT, "node_modules/.wrong-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One mistake, made in an agent on each library. */
interface Mistake {
  readonly ours: string;
  readonly sdk: string;
}

const OURS = {
  head: 'import { createAgent } from "acp-bindings/v1";\nconst info = { name: "a", version: "1" };\n',
  /** An agent whose prompt does something and answers. */
  prompt: (body: string, answer = '{ stopReason: "end_turn" }'): string =>
    ours(`prompt: async ({ sessionId }, { client }) => { ${body}; return ${answer}; }`),
};

const ours = (handlers: string, others = ""): string =>
  `createAgent({ info, handlers: { session: { new: () => ({ sessionId: "s" }), cancel: () => {}, ${handlers} }${others} } });`;

const SDK_HEAD = 'import { agent, methods } from "@agentclientprotocol/sdk";\n';
const sdk = (body: string, answer = '{ stopReason: "end_turn" }'): string =>
  `agent({ name: "a" }).onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => { ${body}; return ${answer}; });`;

/** A mistake in the params of `session/update`, which both send in the same words. */
const update = (params: string): Mistake => ({
  ours: OURS.prompt(`await client.session.update(${params})`),
  sdk: sdk(`await client.notify(methods.client.session.update, ${params})`),
});
const permission = (use: string, kind = "allow_once"): Mistake => {
  const params = `{ sessionId, toolCall: { toolCallId: "t" }, options: [{ optionId: "o", name: "Yes", kind: "${kind}" }] }`;
  return {
    ours: OURS.prompt(
      `const { outcome } = await client.session.requestPermission(${params}); ${use}`,
    ),
    sdk: sdk(
      `const { outcome } = await client.request(methods.client.session.requestPermission, ${params}); ${use}`,
    ),
  };
};
const text = '{ type: "text", text: "Hello" }';

const MISTAKES: { readonly [name: string]: Mistake } = {
  "an update's tag is misspelled": update(
    `{ sessionId, update: { sessionUpdate: "agent_mesage_chunk", content: ${text} } }`,
  ),
  "a text block has no text": update(
    '{ sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text" } } }',
  ),
  "an update has no sessionId": update(
    `{ update: { sessionUpdate: "agent_message_chunk", content: ${text} } }`,
  ),
  "a property is misspelled": update(
    '{ sessionId, update: { sessionUpdate: "tool_call_update", toolCallid: "t" } }',
  ),
  "a property has another type": update(
    '{ sessionId, update: { sessionUpdate: "tool_call_update", toolCallId: 7 } }',
  ),
  "an enumeration has no such value": update(
    '{ sessionId, update: { sessionUpdate: "plan", entries: [{ content: "x", priority: "urgent", status: "pending" }] } }',
  ),
  "a permission option's kind is misspelled": permission("console.log(outcome)", "alow_once"),
  "a property of an answer is read before its variant is known": permission(
    "console.log(outcome.optionId)",
  ),
  "a property of an answer is misspelled": {
    ours: OURS.prompt(
      'const file = await client.fs.readTextFile?.({ sessionId, path: "/a" }); console.log(file?.contents)',
    ),
    sdk: sdk(
      'const file = await client.request(methods.client.fs.readTextFile, { sessionId, path: "/a" }); console.log(file.contents)',
    ),
  },
  "a stop reason does not exist": {
    ours: OURS.prompt("", '{ stopReason: "done" }'),
    sdk: sdk("", '{ stopReason: "done" }'),
  },
  "an answer lacks a property": { ours: OURS.prompt("", "{}"), sdk: sdk("", "{}") },
  "a method is misspelled": {
    ours: OURS.prompt(
      `await client.session.updat({ sessionId, update: { sessionUpdate: "agent_message_chunk", content: ${text} } })`,
    ),
    sdk: sdk(
      `await client.notify("session/updat", { sessionId, update: { sessionUpdate: "agent_message_chunk", content: ${text} } })`,
    ),
  },
  "the agent handles a method of the client": {
    ours: ours(
      'prompt: () => ({ stopReason: "end_turn" })',
      ', fs: { readTextFile: () => ({ content: "" }) }',
    ),
    sdk: 'agent({ name: "a" }).onRequest("fs/read_text_file", (params) => params, () => ({ content: "" }));',
  },
  "the handler of prompts is missing": {
    ours: ours(""),
    sdk: 'agent({ name: "a" }).onRequest(methods.agent.session.new, () => ({ sessionId: "s" }));',
  },
  "a capability is advertised and not handled": {
    ours: `createAgent({ info, capabilities: { loadSession: true }, handlers: { session: { new: () => ({ sessionId: "s" }), cancel: () => {}, prompt: () => ({ stopReason: "end_turn" }) } } });`,
    sdk: 'agent({ name: "a" }).onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }));',
  },
  "a method is handled and not advertised": {
    ours: `createAgent({ info, capabilities: { loadSession: false }, handlers: { session: { new: () => ({ sessionId: "s" }), load: () => ({}), cancel: () => {}, prompt: () => ({ stopReason: "end_turn" }) } } });`,
    sdk: 'agent({ name: "a" }).onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 })).onRequest(methods.agent.session.load, () => ({}));',
  },
};

/** The names of the mistakes that the compiler finds, and the programs with errors that are not about them. */
function findMistakes(library: keyof Mistake, head: string): readonly string[] {
  const files = Object.entries(MISTAKES).map(([name, mistake], index) => {
    const file = join(folder, `${library}-${index}.ts`);
    writeFileSync(file, `${head}${mistake[library]}\n`);
    return [name, file] as const;
  });
  const errors = findTypeErrors(files.map(([, file]) => file));
  const hasError = (file: string): boolean =>
    errors.some((error: ts.Diagnostic) => error.file?.fileName === file);
  return files.filter(([, file]) => hasError(file)).map(([name]) => name);
}

test("the compiler finds 14 of 16 mistakes in an agent on our bindings, 5 in one on the official SDK", () => {
  const correct = join(folder, "correct.ts");
  writeFileSync(
    correct,
    `${OURS.head}${OURS.prompt(`await client.session.update({ sessionId, update: { sessionUpdate: "agent_message_chunk", content: ${text} } })`)}`,
  );
  expect(findTypeErrors([correct])).toEqual([]);
  const names = Object.keys(MISTAKES);
  expect(names).toHaveLength(16);
  expect(findMistakes("ours", OURS.head)).toEqual(names.slice(0, 14));
  expect(findMistakes("sdk", SDK_HEAD)).toEqual([
    // Through its answer, whose type is unknown then.
    "a permission option's kind is misspelled",
    "a property of an answer is read before its variant is known",
    "a property of an answer is misspelled",
    "a stop reason does not exist",
    "an answer lacks a property",
  ]);
});

test("the other two are refused when our agent is made", async () => {
  const { createAgent } = await import("acp-bindings/v1");
  const session = {
    new: () => ({ sessionId: "s" }),
    cancel: () => {},
    prompt: () => ({ stopReason: "end_turn" as const }),
  };
  const info = { name: "a", version: "1" };
  expect(() =>
    createAgent({ info, capabilities: { loadSession: true }, handlers: { session } }),
  ).toThrow("handlers.session.load is missing");
  expect(() =>
    createAgent({
      info,
      capabilities: { loadSession: false },
      handlers: { session: { ...session, load: () => ({}) } },
    }),
  ).toThrow("loadSession");
});
