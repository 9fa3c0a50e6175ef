import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryTransports } from "acp-bindings";
import * as v2 from "acp-bindings/v2";
import { createRandom } from "../samples/random.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const info = { name: "test", version: "1" };

type Run = Parameters<v2.AgentSession["startTurn"]>[0];

describe("a turn of an agent, version 2", () => {
  test("echoes the prompt, answers it, and reports running before and idle after the work", async () => {
    const { turn, updates } = await prompted(async (turn) => {
      await turn.thought("Hm");
      await turn.plan([{ content: "Edit" }]);
      await turn.text("Hel");
      await turn.text("lo");
      const call = await turn.toolCall({ toolCallId: "t", title: "Edit" });
      expect(await call.ask()).toEqual(v2.ALLOW_ONCE);
      await call.run(() => {});
      await turn.text("done");
    });
    const result = await turn;
    expect(result).toMatchObject({ stopReason: "end_turn" });
    const ids = updates.map((update) => (update as { messageId?: string }).messageId);
    expect(ids[0]).toBe(result.messageId);
    expect([ids[4] === ids[5], new Set([ids[0], ids[2], ids[4], ids[9]]).size]).toEqual([true, 4]);
    expect(updates.map(named)).toEqual([
      "user_message",
      "state_update running",
      "agent_thought_chunk Hm",
      "plan_update",
      "agent_message_chunk Hel",
      "agent_message_chunk lo",
      "tool_call_update",
      "tool_call_update in_progress",
      "tool_call_update completed",
      "agent_message_chunk done",
      "state_update idle end_turn",
    ]);
  });

  test("does not begin when the message of the user cannot be sent", async () => {
    let runs = 0;
    const { connection, session, updates } = await connected(async () => {});
    const message = [{ type: "text" }] as unknown as readonly v2.ContentBlock[];
    const started = connection.session(session.id).startTurn(async () => void runs++, { message });
    await expect(started).rejects.toThrow("/update/content/0/text");
    await settled();
    expect([runs, updates]).toEqual([0, []]);
  });

  test("ends without an error when the connection closes", async () => {
    let isAborted = false;
    const { turn, connection, errors } = await prompted(async (turn) => {
      await turn.text("go");
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
      isAborted = true;
    });
    const result = Promise.resolve(turn);
    result.catch(() => {});
    for await (const update of turn) {
      if (!named(update).endsWith("go")) continue;
      connection.close();
      await expect(result).rejects.toThrow("closed");
      break;
    }
    await settled();
    expect([isAborted, errors]).toEqual([true, []]);
  });
});

describe("a diff of version 2", () => {
  test("is a patch with one hunk", () => {
    const lines = (...names: string[]): string => names.map((name) => `${name}\n`).join("");
    const { changes, patch } = v2.diff(
      "/a.ts",
      lines("1", "2", "3", "4", "5", "6", "7", "8", "9"),
      lines("1", "2", "3", "4", "five", "6", "7", "8", "9"),
    );
    expect(changes).toEqual([{ operation: "modify", path: "/a.ts" }]);
    expect(patch.text.split("\n")).toEqual([
      "diff --git /a.ts /a.ts",
      "--- /a.ts",
      "+++ /a.ts",
      "@@ -2,7 +2,7 @@",
      ...[" 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8"],
      "",
    ]);
    expect(v2.diff("/b", undefined, "x").patch.text).toContain(
      "--- /dev/null\n+++ /b\n@@ -0,0 +1,1 @@\n+x\n\\ No newline at end of file\n",
    );
    expect(v2.diff("/b", "x\n", undefined).changes[0].operation).toBe("delete");
    expect(v2.diff('C:\\a\t"b"', "x\n", undefined).patch.text).toContain(
      '--- "C:\\\\a\\011\\"b\\""\n+++ /dev/null\n',
    );
  });
});

test("Git applies the diffs of version 2, whatever the texts", () => {
  const random = createRandom("diffs");
  const text = (): string =>
    Array.from({ length: 1 + random.below(8) }, () => random.pick(["a\n", "b\n"])).join("") +
    random.pick(["", "end"]);
  const files = Array.from({ length: 200 }, (_, index) => {
    const [before, after] = [text(), text()];
    const isNew = random.chance(0.1);
    return { name: `f${index}`, before: isNew ? undefined : before, after };
  }).filter(({ before, after }) => before !== after);
  const folder = temporaryFolder();
  for (const { name, before } of files)
    if (before !== undefined) writeFileSync(join(folder, name), before);
  const input = files.map(({ name, before, after }) => v2.diff(`/${name}`, before, after));
  execFileSync("git", ["apply"], {
    cwd: folder,
    input: input.map(({ patch }) => patch.text).join(""),
  });
  for (const { name, after } of files) expect(readFileSync(join(folder, name), "utf8")).toBe(after);
});

async function prompted(run: Run) {
  const all = await connected(run);
  return { ...all, turn: all.session.prompt("Go") };
}

async function connected(run: Run) {
  const updates: object[] = [];
  const errors: unknown[] = [];
  const agent = v2.createAgent({
    info,
    capabilities: { session: {} },
    onError: (error) => errors.push(error),
    handlers: {
      session: {
        new: () => ({ sessionId: "s" }),
        list: () => ({ sessions: [] }),
        resume: () => ({}),
        close: () => ({}),
        prompt: (_, { session }) => session.startTurn(run),
        cancel: () => {},
      },
    },
  });
  const client = v2.createClient({
    info,
    handlers: {
      session: {
        update: ({ update }) => void updates.push(update),
        requestPermission: () => v2.select(v2.ALLOW_ONCE),
      },
    },
  });
  const [left, right] = memoryTransports();
  const connection = agent.connect(left);
  const opened = await client.connect(right);
  const session = await opened.newSession({ cwd: "/" });
  return { connection, session, updates, errors };
}

function named(update: object): string {
  const { sessionUpdate, content, state, status, stopReason } = update as {
    [name: string]: unknown;
  };
  const text = (content as { text?: string } | undefined)?.text;
  return [sessionUpdate, text, state, status, stopReason].filter((part) => part).join(" ");
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));
