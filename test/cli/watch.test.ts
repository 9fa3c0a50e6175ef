import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
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

const feature = (description: unknown, definition = "Mine"): string =>
  JSON.stringify({
    $schema: "feature.schema.json",
    name: "mine",
    protocol: "v1",
    title: "Mine",
    description,
    status: "proposed",
    $defs: { [definition]: { description: "A text.", type: "string" } },
  });

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
