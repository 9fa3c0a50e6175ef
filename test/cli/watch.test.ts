import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ownFeature } from "./own-feature.js";
import { startCommand } from "./run-command.js";

const folder = mkdtempSync(join(tmpdir(), "acp-watch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder of its own for one test. */
function place(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

/**
 * Runs `generate --watch` while `work` changes files; `until` waits for a run that
 * prints a text, and for its end. Ends it as a user does.
 */
async function watching(
  cwd: string,
  args: readonly string[],
  work: (until: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const child = startCommand(["generate", "--watch", ...args], { cwd });
  let seen = "";
  child.stdout!.on("data", (chunk) => (seen += chunk));
  child.stderr!.on("data", (chunk) => (seen += chunk));
  const ended = once(child, "exit");
  try {
    await work(async (text) => {
      const isThere = (): boolean => {
        const at = seen.indexOf(text);
        return at >= 0 && seen.includes("watching", at);
      };
      await expect.poll(() => isThere() || seen, { timeout: 100_000 }).toBe(true);
      seen = "";
    });
  } finally {
    child.kill("SIGINT");
  }
  expect(await ended).toEqual([130, null]);
}

const feature = (description: unknown, definition?: string): string =>
  JSON.stringify(ownFeature(description, definition));

describe("generate --watch", { timeout: 300_000 }, () => {
  test("runs again when a feature file changes, tells mistakes and goes on", async () => {
    const cwd = place("feature");
    const save = (text: string): void => writeFileSync(join(cwd, "mine.json"), text);
    save(feature("Adds one type."));
    const args = ["--protocol", "v1", "--with", "./mine.json", "--target", "schema"];
    await watching(cwd, args, async (until) => {
      await until("done");
      save(feature(5));
      await until("error");
      save(feature("Adds one type.", "Yours"));
      await until("done");
      expect(readFileSync(join(cwd, "out/schema/v1-custom.schema.json"), "utf8")).toContain(
        "Yours",
      );
    });
  });

  test("runs again when a feature file and its folder are removed, made again and edited", async () => {
    const cwd = place("removed");
    const own = join(cwd, "features/own");
    const save = (definition: string): void => {
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, "mine.json"), feature("Adds one type.", definition));
    };
    const made = (): string => readFileSync(join(cwd, "out/schema/v1-custom.schema.json"), "utf8");
    const args = ["--protocol", "v1", "--with", "features/own/mine.json", "--target", "schema"];
    save("First");
    await watching(cwd, args, async (until) => {
      await until("done");
      for (const gone of ["features/own/mine.json", "features"]) {
        rmSync(join(cwd, gone), { recursive: true });
        await until("ENOENT");
        save("Again");
        await until("done");
        expect(made(), gone).toContain("Again");
        save("Edited");
        await until("done");
        expect(made(), gone).toContain("Edited");
      }
    });
  });

  test("runs again when the configuration is removed, made again and edited", async () => {
    const cwd = place("removed configuration");
    const file = join(cwd, "acp-codegen.config.json");
    const save = (out: string): void =>
      writeFileSync(
        file,
        JSON.stringify({ outputs: [{ profiles: ["v1"], targets: ["schema"], out }] }),
      );
    save("first");
    await watching(cwd, [], async (until) => {
      await until("done");
      rmSync(file);
      await until("ENOENT");
      save("again");
      await until("in again");
      save("edited");
      await until("in edited");
    });
  });

  test("prints nothing but its results with --json, and nothing with --quiet", async () => {
    const runs = [
      ["--json", /^\{\n  "outputs": \[[^]*\n\}\n\{\n  "error": \{[^]*\n\}\n$/],
      ["--quiet", /^$/],
    ] as const;
    for (const [flag, expected] of runs) {
      const cwd = place(`with ${flag}`);
      const file = join(cwd, "mine.json");
      writeFileSync(file, feature("Adds one type."));
      const args = ["--protocol", "v1", "--with", "./mine.json", "--target", "schema", flag];
      const child = startCommand(["generate", "--watch", ...args], { cwd });
      let out = "";
      let err = "";
      child.stdout!.on("data", (chunk) => (out += chunk));
      child.stderr!.on("data", (chunk) => (err += chunk));
      const ended = once(child, "exit");
      try {
        const schema = join(cwd, "out/schema/v1-custom.schema.json");
        await expect.poll(() => existsSync(schema), { timeout: 100_000 }).toBe(true);
        // What is printed before the second run has ended includes the end of the first.
        writeFileSync(file, feature(5));
        await expect.poll(() => out + err, { timeout: 100_000 }).toContain("mine.json");
      } finally {
        child.kill("SIGINT");
      }
      await ended;
      expect(out, flag).toMatch(expected);
    }
  });

  const modules: readonly [file: string, of: (text: string) => string][] = [
    ["target.js", (text) => `module.exports = ${text};`],
    ["target.mjs", (text) => `export default ${text};`],
    ["target.ts", (text) => `const target: { name: string } = ${text};\nexport default target;`],
  ];
  test.each(modules)("runs again when a target of one's own changes: %s", async (file, of) => {
    const cwd = place(file);
    // Without a type, .js is CommonJS, which Node.js caches by its path.
    writeFileSync(join(cwd, "package.json"), "{}");
    const save = (text: string): void =>
      writeFileSync(
        join(cwd, file),
        of(`{
          name: "mine", summary: "Mine.",
          emit: () => [{ path: "mine.txt", text: ${JSON.stringify(text)}, language: "plain" }],
        }`),
      );
    save("first");
    await watching(cwd, ["--profile", "v1", "--target", `./${file}`], async (until) => {
      await until("done: ");
      expect(readFileSync(join(cwd, "out/mine.txt"), "utf8")).toBe("first");
      save("second");
      await until("done: ");
      expect(readFileSync(join(cwd, "out/mine.txt"), "utf8")).toBe("second");
    });
  });

  const configurations: readonly [file: string, of: (config: object) => string][] = [
    ["acp-codegen.config.json", (config) => JSON.stringify(config)],
    ["acp-codegen.config.cjs", (config) => `module.exports = ${JSON.stringify(config)};`],
    ["acp-codegen.config.ts", (config) => `export default ${JSON.stringify(config)} as object;`],
    ["package.json", (config) => JSON.stringify({ "acp-codegen": config })],
  ];
  test.each(configurations)("runs again when the configuration changes: %s", async (file, of) => {
    const cwd = place(`with ${file}`);
    const save = (...outputs: object[]): void => writeFileSync(join(cwd, file), of({ outputs }));
    const plain = { profiles: ["v1"], targets: ["schema"] };
    save(plain);
    await watching(cwd, [], async (until) => {
      await until("done: ");
      save({ ...plain, nonsense: true });
      await until('unknown keyword "nonsense"');
      const mine = { protocol: "v1", with: ["./mine.json"], targets: ["schema"], out: "other" };
      save(mine);
      await until("mine.json");
      // From here on a file is watched that was not named before.
      writeFileSync(join(cwd, "mine.json"), feature("Adds one type."));
      await until("done: ");
      expect(readFileSync(join(cwd, "other/schema/v1-custom.schema.json"), "utf8")).toContain(
        "Mine",
      );
      // Without it nothing is made, least of all every profile.
      rmSync(join(cwd, file));
      await until("ENOENT");
      expect(existsSync(join(cwd, "out/schema/v2.schema.json"))).toBe(false);
    });
  });
});
