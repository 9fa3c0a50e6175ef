import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  context,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Context,
  type Span,
  type SpanOptions,
} from "@opentelemetry/api";
import { memoryTransports, mcpLaunch, type Intercept } from "acp-bindings";
import * as v1 from "acp-bindings/v1";
import ts from "typescript";
import { afterAll, expect, test } from "vitest";
import { AsyncLocalStorage } from "node:async_hooks";
import { ROOT } from "../../support/paths.js";

// The programs of the manual's page "Recipes".

const PAGE = readFileSync(join(ROOT, "templates/docs/guides/tool/recipes.md"), "utf8");
// Inside the repository, so that packages are found by their names.
const folder = mkdtempSync(join(ROOT, "node_modules/.recipes-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  trace.disable();
  context.disable();
  propagation.disable();
});

async function load(mark: string): Promise<object> {
  const program = PAGE.split("```ts\n")
    .find((text) => text.includes(mark))!
    .split("```")[0]!;
  const { outputText } = ts.transpileModule(program, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const file = join(folder, `${mark.replaceAll(/\W/g, "-")}.mjs`);
  writeFileSync(file, outputText);
  return (await import(/* @vite-ignore */ file)) as object;
}

test("the spans of a client and an agent are parts of one trace", async () => {
  const ended: { name: string; parent: string | undefined; failed: boolean }[] = [];
  record(ended);
  const { intercept } = (await load("@opentelemetry/api")) as { readonly intercept: Intercept };
  const info = { name: "test", version: "1" };
  const agent = v1.createAgent({
    info,
    intercept,
    onError: () => {},
    handlers: {
      session: {
        new: () => ({ sessionId: "s" }),
        prompt: async (_, { session, client }) => {
          await session.text("Hi");
          await client.session.requestPermission({
            sessionId: "s",
            toolCall: { toolCallId: "t" },
            options: [v1.ALLOW_ONCE],
          });
          throw new Error("failed");
        },
      },
    },
  });
  const client = v1.createClient({
    info,
    intercept,
    handlers: { session: { requestPermission: () => v1.CANCELLED } },
  });
  const [left, right] = memoryTransports();
  agent.connect(left);
  const connection = await client.connect(right);
  const session = await connection.newSession({ cwd: "/" });
  await expect(Promise.resolve(session.prompt("Hi"))).rejects.toThrow("Internal error");
  connection.close();
  const ask = "session/request_permission";
  const chain = ended.filter(({ name }) => /prompt|permission/.test(name));
  expect(chain).toEqual([
    { name: `in ${ask}`, parent: `out ${ask}`, failed: false },
    { name: `out ${ask}`, parent: "in session/prompt", failed: false },
    { name: "in session/prompt", parent: "out session/prompt", failed: true },
    { name: "out session/prompt", parent: undefined, failed: true },
  ]);
  expect(ended.some(({ name }) => name.includes("update"))).toBe(false);
});

/** Registers the least that OpenTelemetry needs: a tracer, the active context, and a header. */
function record(ended: { name: string; parent: string | undefined; failed: boolean }[]): void {
  const key = Symbol("span");
  const storage = new AsyncLocalStorage<Context>();
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (given, run, self, ...args) => storage.run(given, () => run.apply(self, args)),
    bind: (_, target) => target,
    enable: () => undefined as never,
    disable: () => undefined as never,
  });
  propagation.setGlobalPropagator({
    inject: (given, carrier) =>
      Object.assign(carrier as object, { traceparent: given.getValue(key) }),
    extract: (given, carrier) =>
      given.setValue(key, (carrier as { traceparent?: string }).traceparent),
    fields: () => ["traceparent"],
  });
  const startSpan = (own: string, parent: Context): { span: Span; within: Context } => {
    const facts = { name: own, parent: parent.getValue(key) as string | undefined, failed: false };
    const span = {
      end: () => void ended.push(facts),
      setStatus: () => (facts.failed = true),
      recordException: () => {},
    } as unknown as Span;
    return { span, within: parent.setValue(key, own) };
  };
  trace.setGlobalTracerProvider({
    getTracer: () => ({
      startSpan: () => undefined as never,
      startActiveSpan: (
        name: string,
        { kind }: SpanOptions,
        parent: Context,
        run: (span: Span) => unknown,
      ) => {
        const { span, within } = startSpan(`${kind === 1 ? "in" : "out"} ${name}`, parent);
        return context.with(within, () => run(span));
      },
    }),
  } as never);
}

test("an MCP client starts a server that mcpLaunch describes, with its variables and in its folder", async () => {
  const server = join(folder, "server.mjs");
  writeFileSync(
    server,
    `import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const text = [process.env.TOKEN, process.cwd(), process.env.PATH !== undefined].join();
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
    "tools/call": { content: [{ type: "text", text }] },
    "tools/list": { tools: [{ name: "where", inputSchema: { type: "object" } }] },
  };
  if (id !== undefined) console.log(JSON.stringify(results[method] ? { jsonrpc: "2.0", id, result: results[method] } : { jsonrpc: "2.0", id, error: { code: -32601, message: method } }));
}
`,
  );
  const { connectMcp } = (await load("connectMcp")) as {
    readonly connectMcp: (server: v1.McpServer, cwd: string) => Promise<McpClient>;
  };
  const passed: v1.McpServer = {
    name: "s",
    command: process.execPath,
    args: [server],
    env: [{ name: "TOKEN", value: "secret" }],
  };
  expect(mcpLaunch(passed).type).toBe("stdio");
  const client = await connectMcp(passed, folder);
  const { content } = await client.callTool({ name: "where", arguments: {} });
  expect(content).toEqual([{ type: "text", text: `secret,${folder},true` }]);
  await client.close();
});

interface McpClient {
  callTool(params: object): Promise<{ readonly content: unknown }>;
  close(): Promise<void>;
}
