import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resolveConfig } from "../../../generators/run/config.js";
import { generate } from "../../../generators/run/generate/generate.js";
import { compile, createProjects, run, STARTER_NAMES, type Ended } from "./starter-projects.js";

let projects: Awaited<ReturnType<typeof createProjects>>;
const compiled = new Map<string, Ended>();
beforeAll(async () => {
  projects = await createProjects();
  await Promise.all(
    STARTER_NAMES.map(async (name) => compiled.set(name, await compile(projects.folder(name)))),
  );
}, 120_000);
afterAll(() => projects.remove());

describe("every starter", () => {
  test.each(STARTER_NAMES)("has the bindings that its configuration asks for: %s", async (name) => {
    const config = join(projects.folder(name), "acp-codegen.config.ts");
    const { outputs } = await resolveConfig({}, config);
    expect(outputs).toHaveLength(1);
    const { write, remove, unchanged } = await generate(outputs[0]!);
    expect({ write, remove }).toEqual({ write: [], remove: [] });
    expect(unchanged).toBeGreaterThan(100);
  });

  test.each(STARTER_NAMES)("compiles strictly: %s", (name) => {
    const config = readFileSync(join(projects.folder(name), "tsconfig.json"), "utf8");
    expect(JSON.parse(config)).toMatchObject({ compilerOptions: { strict: true } });
    expect(compiled.get(name)).toEqual({ code: 0, out: "", err: "" });
  });

  test("passes its own tests, without one that is skipped", async () => {
    const results = await Promise.all(
      STARTER_NAMES.map((name) => run(projects.folder(name), "--test", `dist/${name}.test.js`)),
    );
    for (const { code, out } of results) {
      expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^# skipped 0$/m) });
      expect(Number(/^# pass (\d+)$/m.exec(out)?.[1])).toBeGreaterThan(2);
    }
  });
});

/** The client starter at work: what it prints, and its input. */
function startClient(cwd: string, ...agent: readonly string[]) {
  const main = join(projects.folder("client"), "dist/main.js");
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
    const folder = join(projects.folder("client"), name);
    mkdirSync(folder);
    return folder;
  };

  test("cancels the turn on Ctrl-C and continues, and ends on Ctrl-C between turns", async () => {
    const agent = join(projects.folder("agent"), "dist/main.js");
    const client = startClient(workspace("interrupted"), process.execPath, agent);
    client.type("word ".repeat(5000));
    await client.until("word word");
    client.interrupt();
    await client.until("[cancelled]");
    client.type("short");
    await client.until("[end_turn]\n> ");
    client.interrupt();
    const { code, errors } = await client.ended();
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
  });

  test("reports when the agent cannot be started, or ends", async () => {
    const ends = startClient(
      workspace("ends"),
      process.execPath,
      "-e",
      "process.stdin.once('data', () => process.exit())",
    );
    expect(await ends.end()).toMatchObject({ code: 1, out: "the agent exited with code 0\n" });
    const killed = startClient(
      workspace("killed"),
      process.execPath,
      "-e",
      `process.stdin.on("data", (data) => {
        const { id, method } = JSON.parse(data);
        const result = method === "initialize" ? { protocolVersion: 1 } : { sessionId: "s" };
        console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
        if (method === "session/new") setTimeout(() => process.kill(process.pid, "SIGKILL"), 100);
      });`,
    );
    const end = { code: 1, out: expect.stringContaining("the agent was ended by SIGKILL") };
    expect(await killed.ended()).toMatchObject(end);
    const main = join(projects.folder("client"), "dist/main.js");
    const missing = await run(workspace("missing"), main, "/no/such/agent");
    expect(missing).toMatchObject({ code: 1, err: "" });
    expect(missing.out).toContain("cannot start /no/such/agent");
  });

  test.each(["a program", "at an address"])(
    "and the agent starter, %s, edit a file together",
    async (place) => {
      const cwd = workspace(`together ${place}`);
      const notes = join(cwd, "notes.txt");
      writeFileSync(notes, "milk\n");
      const program = join(projects.folder("agent"), "dist/main.js");
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
