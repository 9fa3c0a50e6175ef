/** One mistake, made in an agent on each library. */
export interface Mistake {
  readonly ours: string;
  readonly sdk: string;
}

export const HEADS: Mistake = {
  ours: 'import { createAgent } from "acp-bindings/v1";\nconst info = { name: "a", version: "1" };\n',
  sdk: 'import { agent, methods } from "@agentclientprotocol/sdk";\n',
};

/** Returns an agent on our bindings. */
function ours(handlers: string, others = ""): string {
  return `createAgent({ info, ${others} handlers: { session: { new: () => ({ sessionId: "s" }), ${handlers} } } });`;
}

/** Returns an agent on our bindings whose prompt runs some statements and answers. */
function oursPrompt(body: string, answer = '{ stopReason: "end_turn" }'): string {
  return ours(`prompt: async (_, { client, session }) => { ${body}; return ${answer}; }`);
}

/** Returns an agent on the official SDK whose prompt runs some statements and answers. */
function sdkPrompt(body: string, answer = '{ stopReason: "end_turn" }'): string {
  return `agent({ name: "a" }).onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => { ${body}; return ${answer}; });`;
}

/** Returns a mistake in an update: ours sends it by its tag, the SDK with all params. */
function update(tag: string, fields: string): Mistake {
  return {
    ours: oursPrompt(`await session.update("${tag}", { ${fields} })`),
    sdk: sdkPrompt(
      `await client.notify(methods.client.session.update, { sessionId, update: { sessionUpdate: "${tag}", ${fields} } })`,
    ),
  };
}

/** Returns a mistake in a request for permission, or in the use of its answer. */
function permission(kind: string, use: string): Mistake {
  const params = `{ sessionId: "s", toolCall: { toolCallId: "t" }, options: [{ optionId: "o", name: "Yes", kind: "${kind}" }] }`;
  return {
    ours: oursPrompt(
      `const { outcome } = await client.session.requestPermission(${params}); ${use}`,
    ),
    sdk: sdkPrompt(
      `const { outcome } = await client.request(methods.client.session.requestPermission, ${params}); ${use}`,
    ),
  };
}

const CHUNK = 'content: { type: "text", text: "Hello" }';
const UPDATE = `{ sessionId: "s", update: { sessionUpdate: "agent_message_chunk", ${CHUNK} } }`;
const PROMPT = 'prompt: () => ({ stopReason: "end_turn" })';

/** A program without a mistake. */
export const CORRECT: Mistake = {
  ours: oursPrompt(`await client.session.update(${UPDATE})`),
  sdk: sdkPrompt(`await client.notify(methods.client.session.update, ${UPDATE})`),
};

/** The mistakes by name. */
export const MISTAKES: { readonly [name: string]: Mistake } = {
  "an update's tag is misspelled": update("agent_mesage_chunk", CHUNK),
  "a text block has no text": update("agent_message_chunk", 'content: { type: "text" }'),
  "an update has no sessionId": {
    ours: oursPrompt(`await client.session.update(${UPDATE.replace('sessionId: "s", ', "")})`),
    sdk: sdkPrompt(
      `await client.notify(methods.client.session.update, ${UPDATE.replace('sessionId: "s", ', "")})`,
    ),
  },
  "a property is misspelled": update("tool_call_update", 'toolCallid: "t"'),
  "a property has another type": update("tool_call_update", "toolCallId: 7"),
  "an enumeration has no such value": update(
    "plan",
    'entries: [{ content: "x", priority: "urgent", status: "pending" }]',
  ),
  "a permission option's kind is misspelled": permission("alow_once", "console.log(outcome)"),
  "a property of an answer is read before its variant is known": permission(
    "allow_once",
    "console.log(outcome.optionId)",
  ),
  "a property of an answer is misspelled": {
    ours: oursPrompt(
      'const file = await session.client.fs.readTextFile?.({ path: "/a" }); console.log(file?.contents)',
    ),
    sdk: sdkPrompt(
      'const file = await client.request(methods.client.fs.readTextFile, { sessionId, path: "/a" }); console.log(file.contents)',
    ),
  },
  "a stop reason does not exist": {
    ours: oursPrompt("", '{ stopReason: "done" }'),
    sdk: sdkPrompt("", '{ stopReason: "done" }'),
  },
  "an answer lacks a property": { ours: oursPrompt("", "{}"), sdk: sdkPrompt("", "{}") },
  "a method is misspelled": {
    ours: oursPrompt(`await client.session.updat(${UPDATE})`),
    sdk: sdkPrompt(`await client.notify("session/updat", ${UPDATE})`),
  },
  "the agent handles a method of the client": {
    ours: `createAgent({ info, handlers: { session: { new: () => ({ sessionId: "s" }), ${PROMPT} }, fs: { readTextFile: () => ({ content: "" }) } } });`,
    sdk: 'agent({ name: "a" }).onRequest("fs/read_text_file", (params) => params, () => ({ content: "" }));',
  },
  "the handler of prompts is missing": {
    ours: ours(""),
    sdk: 'agent({ name: "a" }).onRequest(methods.agent.session.new, () => ({ sessionId: "s" }));',
  },
  "a capability is advertised and not handled": {
    ours: ours(PROMPT, "capabilities: { loadSession: true },"),
    sdk: 'agent({ name: "a" }).onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }));',
  },
  "a method is handled and not advertised": {
    ours: ours(`load: () => ({}), ${PROMPT}`, "capabilities: { loadSession: false },"),
    sdk: 'agent({ name: "a" }).onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 })).onRequest(methods.agent.session.load, () => ({}));',
  },
};

/** A mistake beyond those that the libraries are compared by. */
export const AUTHENTICATION: Mistake = {
  ours: ours(PROMPT, 'authMethods: [{ id: "token", name: "Token" }],'),
  sdk: 'agent({ name: "a" }).onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, authMethods: [{ id: "token", name: "Token" }] }));',
};
