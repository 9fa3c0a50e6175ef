import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import * as sdk from "@agentclientprotocol/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { resolveConfig } from "../../../generators/run/config.js";
import { generate } from "../../../generators/run/generate/generate.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { type Ended } from "../../support/processes.js";
import {
  compile,
  createProjects,
  run,
  STARTER_NAMES,
  type StarterName,
} from "./starters/projects.js";

const peer = (name: string): string =>
  fileURLToPath(new URL(`./starters/${name}`, import.meta.url));

// Inside the repository, so that what is installed here is found.
const root = temporaryFolder(join(ROOT, "node_modules/.starters-"));
const folderOf = (name: StarterName): string => join(root, name);
const compiled = new Map<string, Ended>();
beforeAll(async () => {
  await createProjects(folderOf);
  await Promise.all(
    STARTER_NAMES.map(async (name) => compiled.set(name, await compile(folderOf(name)))),
  );
}, 120_000);

describe("every starter", () => {
  test.each(STARTER_NAMES)("has the bindings that its configuration asks for: %s", async (name) => {
    const config = join(folderOf(name), "acp-codegen.config.ts");
    const { outputs } = await resolveConfig({}, config);
    expect(outputs).toHaveLength(1);
    const { write, remove, unchanged } = await generate(outputs[0]!);
    expect({ write, remove }).toEqual({ write: [], remove: [] });
    expect(unchanged).toBeGreaterThan(100);
  });

  test.each(STARTER_NAMES)("compiles strictly: %s", (name) => {
    const config = readFileSync(join(folderOf(name), "tsconfig.json"), "utf8");
    expect(JSON.parse(config)).toMatchObject({ compilerOptions: { strict: true } });
    expect(compiled.get(name)).toEqual({ code: 0, out: "", err: "" });
  });

  test("passes its own tests, without one that is skipped", async () => {
    const results = await Promise.all(
      STARTER_NAMES.map((name) => run(folderOf(name), "--test", `dist/${name}.test.js`)),
    );
    for (const { code, out } of results) {
      expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^# skipped 0$/m) });
      expect(Number(/^# pass (\d+)$/m.exec(out)?.[1])).toBeGreaterThan(2);
    }
  });
});

/** A client on the official SDK with one file, whose user answers questions alike. */
async function withSdkClient(
  args: readonly string[],
  answer: string,
  conversation: (context: Conversation) => Promise<void>,
): Promise<{ code: number | null; errors: string }> {
  const child = spawn(process.execPath, args, { stdio: "pipe" });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  const exited = once(child, "exit") as Promise<[number | null]>;
  const updates: sdk.SessionUpdate[] = [];
  const files = new Map([["/project/a.txt", "old"]]);
  const questions: sdk.RequestPermissionRequest[] = [];
  let updated = (): void => {};
  const app = sdk
    .client({ name: "sdk" })
    .onNotification("session/update", ({ params }) => {
      updates.push(params.update);
      updated();
    })
    .onRequest("session/request_permission", ({ params }) => {
      questions.push(params);
      return { outcome: { outcome: "selected", optionId: answer } };
    })
    .onRequest("fs/read_text_file", ({ params }) => ({ content: files.get(params.path) ?? "" }))
    .onRequest("fs/write_text_file", ({ params }) => {
      files.set(params.path, params.content);
      return {};
    });
  const stream = sdk.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  await app.connectWith(stream, async (context) => {
    await context.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
    });
    const { sessionId } = await context.request("session/new", { cwd: "/project", mcpServers: [] });
    await conversation({
      updates,
      files,
      questions,
      prompt: (...prompt) => context.request("session/prompt", { sessionId, prompt }),
      cancel: () => context.notify("session/cancel", { sessionId }),
      nextUpdate: () => new Promise((resolve) => (updated = resolve)),
    });
  });
  // The official SDK leaves the process's input open when its connection is closed.
  child.stdin.end();
  const [code] = await exited;
  return { code, errors };
}

interface Conversation {
  readonly updates: sdk.SessionUpdate[];
  readonly files: Map<string, string>;
  readonly questions: sdk.RequestPermissionRequest[];
  readonly prompt: (...blocks: sdk.ContentBlock[]) => Promise<sdk.PromptResponse>;
  readonly cancel: () => Promise<void>;
  readonly nextUpdate: () => Promise<void>;
}

const text = (words: string): sdk.ContentBlock => ({ type: "text", text: words });
const link: sdk.ContentBlock = { type: "resource_link", name: "a", uri: "file:///project/a.txt" };
const saidIn = (updates: readonly sdk.SessionUpdate[]): string =>
  updates
    .flatMap((update) => (update.sessionUpdate === "agent_message_chunk" ? [update.content] : []))
    .map((content) => (content.type === "text" ? content.text : ""))
    .join("");
const statesIn = (updates: readonly sdk.SessionUpdate[]): unknown[] =>
  updates.flatMap((update) => ("status" in update ? [update.status] : []));

describe("the agent starter, driven by a client on the official SDK", () => {
  const agent = (): string[] => [join(folderOf("agent"), "dist/main.js")];

  test("streams, edits the file that is mentioned after consent, and ends with its input", async () => {
    const ended = await withSdkClient(agent(), "allow_once", async (conversation) => {
      const answer = await conversation.prompt(text("one two three"), link);
      expect(answer).toEqual({ stopReason: "end_turn" });
      expect(saidIn(conversation.updates)).toBe("one two three");
      expect(
        conversation.updates.filter((update) => update.sessionUpdate !== "tool_call")[2],
      ).toBeDefined();
      expect(conversation.files.get("/project/a.txt")).toBe("old\none two three\n");
      const diff = { type: "diff", path: "/project/a.txt", oldText: "old" };
      expect(conversation.questions).toMatchObject([{ toolCall: { content: [diff] } }]);
      expect(statesIn(conversation.updates)).toEqual(["in_progress", "completed"]);
    });
    expect(ended).toEqual({ code: 0, errors: "" });
  });

  test('leaves the file unchanged when the user rejects the edit, and does not ask again after "always"', async () => {
    await withSdkClient(agent(), "reject_once", async (conversation) => {
      await conversation.prompt(text("x"), link);
      expect(conversation.files.get("/project/a.txt")).toBe("old");
      expect(statesIn(conversation.updates)).toEqual(["failed"]);
    });
    await withSdkClient(agent(), "allow_always", async (conversation) => {
      await conversation.prompt(text("x"), link);
      await conversation.prompt(text("y"), link);
      expect(conversation.files.get("/project/a.txt")).toBe("old\nx\ny\n");
      expect(conversation.questions).toHaveLength(1);
    });
  });

  test("ends a turn that is cancelled as cancelled", async () => {
    const ended = await withSdkClient(agent(), "reject_once", async (conversation) => {
      const turn = conversation.prompt(text("word ".repeat(5000)));
      await conversation.nextUpdate();
      await conversation.cancel();
      expect(await turn).toEqual({ stopReason: "cancelled" });
      expect(saidIn(conversation.updates).length).toBeLessThan(25_000);
    });
    expect(ended).toEqual({ code: 0, errors: "" });
  });
});

describe("the adapter starter with a made-up model, driven by a client on the official SDK", () => {
  test("turns the stream into updates, asks for consent, and stops when it is cancelled", async () => {
    const args = [peer("mock-adapter.mjs"), folderOf("adapter")];
    const ended = await withSdkClient(args, "allow_once", async (conversation) => {
      expect(await conversation.prompt(text("Go"))).toEqual({ stopReason: "max_tokens" });
      const usage = { sessionUpdate: "usage_update", used: 15, size: 100 };
      const update = { sessionUpdate: "tool_call_update" };
      expect(conversation.updates).toMatchObject([
        { sessionUpdate: "agent_thought_chunk", content: text("Hm") },
        { sessionUpdate: "tool_call", toolCallId: "t1", kind: "read", status: "pending" },
        { ...update, toolCallId: "t1", status: "in_progress", rawInput: { path: "a.txt" } },
        { ...update, toolCallId: "t1", status: "completed", rawOutput: "old" },
        usage,
        { sessionUpdate: "tool_call", toolCallId: "t2", kind: "edit", status: "in_progress" },
        { ...update, toolCallId: "t2", status: "pending" },
        usage,
        { ...update, toolCallId: "t2", status: "in_progress" },
        { ...update, toolCallId: "t2", status: "completed", rawOutput: "written" },
        { sessionUpdate: "agent_message_chunk", content: text("Done") },
        usage,
      ]);
      const toolCall = { toolCallId: "t2", title: "write_file", kind: "edit" };
      expect(conversation.questions).toMatchObject([{ toolCall }]);
      expect(conversation.files.get("/project/a.txt")).toBe("new");

      const turn = conversation.prompt(text("Again"));
      await conversation.nextUpdate();
      await conversation.cancel();
      expect(await turn).toEqual({ stopReason: "cancelled" });
    });
    expect(ended).toEqual({ code: 0, errors: "" });
  });
});

/** The client starter at work: what it prints, and its input. */
function startClient(cwd: string, ...agent: readonly string[]) {
  const main = join(folderOf("client"), "dist/main.js");
  const child = spawn(process.execPath, [main, ...agent], { cwd, stdio: "pipe" });
  let out = "";
  let errors = "";
  let look = (): void => {};
  const closed = once(child, "close") as Promise<[number | null]>;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
    look();
  });
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  return {
    type: (...lines: readonly string[]) =>
      child.stdin.write(lines.map((line) => `${line}\n`).join("")),
    interrupt: () => child.kill("SIGINT"),
    /** Resolves when it has printed something. */
    until: (words: string) =>
      new Promise<void>((resolve) => {
        look = () => void (out.includes(words) && resolve());
        look();
      }),
    ended: async () => {
      const [code] = await closed;
      return { code, out, errors };
    },
    end: async () => {
      child.stdin.end();
      const [code] = await closed;
      return { code, out, errors };
    },
  };
}

/** Starts the agent starter as a server; it ends with its signal. */
async function startServer(program: string) {
  const child = spawn(process.execPath, [program, "--remote", "0"], { stdio: "pipe" });
  const [url] = (await once(child.stderr, "data")) as [Buffer];
  const end = async (): Promise<void> => {
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([0, null]);
  };
  return { url: url.toString().trim(), end };
}

describe("the client starter", () => {
  const workspace = (name: string): string => {
    const folder = join(folderOf("client"), name);
    mkdirSync(folder);
    return folder;
  };

  test("serves files, commands and questions to an agent on the official SDK", async () => {
    const cwd = workspace("serves");
    const client = startClient(cwd, process.execPath, peer("sdk-agent.mjs"));
    client.type("files", "terminal", "kill", "permission", "y", "2");
    const { code, out, errors } = await client.end();
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    expect(readFileSync(join(cwd, "by-agent.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    expect(out.split("\n").filter((line) => /^[a-zT][a-z]+ /.test(line))).toEqual([
      "read two",
      "missing -32002",
      "exit 3 output éééé truncated true released -32002",
      "killed SIGTERM",
      "The agent asks: Delete everything",
      "chosen no",
    ]);
    expect(out).toContain("  1) Yes\n  2) No\nYour choice: ");
    expect(out).toContain("Please answer with a number from 1 to 2.\n");
    expect(out.match(/^\[end_turn\]$/gm)).toHaveLength(4);
  });

  test("cancels the turn on Ctrl-C and continues, and ends on Ctrl-C between turns", async () => {
    const client = startClient(workspace("interrupted"), process.execPath, peer("sdk-agent.mjs"));
    client.type("wait");
    await client.until("waiting");
    client.interrupt();
    await client.until("[cancelled]");
    client.type("files");
    await client.until("[end_turn]\n> ");
    client.interrupt();
    const { code, out, errors } = await client.ended();
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    // The agent's text does not reach the terminal as commands for it.
    expect(out).toContain("waiting [31mred\n");
  });

  test.each(["a program", "at an address"])(
    "and the agent starter, %s, edit a file together",
    async (place) => {
      const cwd = workspace(`together ${place}`);
      const notes = join(cwd, "notes.txt");
      writeFileSync(notes, "milk\n");
      const program = join(folderOf("agent"), "dist/main.js");
      const server = place === "at an address" ? await startServer(program) : undefined;
      const client = startClient(
        cwd,
        ...(server === undefined ? [process.execPath, program] : [server.url]),
      );
      client.type("bread @notes.txt", "1");
      const { code, out, errors } = await client.end();
      expect({ code, errors }).toEqual({ code: 0, errors: "" });
      expect(readFileSync(notes, "utf8")).toBe("milk\nbread @notes.txt\n");
      expect(out).toContain(`${notes}\n+ bread @notes.txt\n`);
      expect(out).toContain("[completed] Append to notes.txt\n[end_turn]\n");
      await server?.end();
    },
  );
});
