import { describe, expect, test } from "vitest";
import * as v1 from "acp-bindings/v1";
import { connectInMemory } from "../peers/in-memory.js";

type Prompt = NonNullable<v1.AgentHandlers["session"]["prompt"]>;

describe("a session of an agent, version 1", () => {
  test("announces, changes and fails tool calls", async () => {
    const { turn, updates } = await prompted(async (_, { session }) => {
      const call = await session.toolCall({ toolCallId: "t", title: "Edit", kind: "edit" });
      const option = await call.ask();
      expect(option).toEqual(v1.ALLOW_ONCE);
      expect(await call.run(() => 5)).toBe(5);
      await call.update({ content: [v1.diff("/a", "old", "new")] });
      await expect(call.run(() => Promise.reject(new Error("disk full")))).rejects.toThrow("disk");
      // Its failure is reported already.
      await call.fail("once more");
      await expect(call.ask([])).rejects.toThrow("ask needs at least one option");
      return { stopReason: "end_turn" };
    });
    await turn;
    const of = (fields: object) => ({
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      ...fields,
    });
    expect(updates).toEqual([
      { sessionUpdate: "tool_call", toolCallId: "t", title: "Edit", kind: "edit" },
      of({ status: "in_progress" }),
      of({ status: "completed" }),
      of({ content: [{ type: "diff", path: "/a", oldText: "old", newText: "new" }] }),
      of({ status: "in_progress" }),
      of({
        status: "failed",
        content: [
          { type: "diff", path: "/a", oldText: "old", newText: "new" },
          { type: "content", content: { type: "text", text: "disk full" } },
        ],
      }),
    ]);
  });

  test("asks about a tool call with its last fields, but for its status", async () => {
    let asked: unknown;
    const { turn } = await prompted(
      async (_, { session }) => {
        const call = await session.toolCall({ toolCallId: "t", title: "Edit", status: "pending" });
        await call.update({ title: "Edit a.ts", kind: "edit" });
        await call.ask();
        return { stopReason: "end_turn" };
      },
      { ask: async ({ toolCall }) => ((asked = toolCall), v1.select(v1.ALLOW_ONCE)) },
    );
    await turn;
    expect(asked).toEqual({ toolCallId: "t", title: "Edit a.ts", kind: "edit" });
  });

  test("runs terminals of the client and releases them once; without the capability there is none", async () => {
    const seen: unknown[] = [];
    const program: Prompt = async (_, { session }) => {
      const terminal = await session.terminal({ command: "ls" });
      if (terminal === undefined) seen.push("none");
      else {
        seen.push(terminal.content, await terminal.wait(), (await terminal.output()).output);
        await terminal.kill();
        await terminal[Symbol.asyncDispose]();
        await terminal.release();
      }
      return { stopReason: "end_turn" };
    };
    const calls: string[] = [];
    const log =
      <T>(name: string, result: T) =>
      () => (calls.push(name), result);
    const { turn } = await prompted(program, {
      capabilities: { terminal: true },
      handlers: {
        terminal: {
          create: log("create", { terminalId: "t" }),
          waitForExit: log("wait", { exitCode: 0 }),
          output: log("output", { output: "a", truncated: false }),
          kill: log("kill", {}),
          release: log("release", {}),
        },
      },
    });
    await turn;
    await (
      await prompted(program)
    ).turn;
    expect(seen).toEqual([{ type: "terminal", terminalId: "t" }, { exitCode: 0 }, "a", "none"]);
    expect(calls).toEqual(["create", "wait", "output", "kill", "release"]);
  });
});

interface Setup {
  readonly capabilities?: v1.ClientCapabilities;
  readonly handlers?: Partial<v1.ClientHandlers>;
  readonly ask?: (params: { readonly toolCall: object }) => Promise<v1.RequestPermissionResponse>;
}

async function prompted(prompt: Prompt, { capabilities = {}, handlers, ask }: Setup = {}) {
  const updates: object[] = [];
  const session: v1.ClientHandlers["session"] = {
    update: ({ update }) => void updates.push(update),
    requestPermission: (params) => ask?.(params) ?? v1.select(v1.ALLOW_ONCE),
  };
  const { client } = await connectInMemory(
    { handlers: { session: { prompt } } },
    { capabilities, handlers: { ...handlers, session } },
  );
  const opened = await client.newSession({ cwd: "/" });
  return { turn: opened.prompt("Go"), updates };
}
