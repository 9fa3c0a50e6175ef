import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { ResolvedConfig } from "../../../generators/run/config.js";
import { watchInputs, type WatchSteps } from "../../../generators/run/generate/watch.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { ownFeature } from "../cli/own-feature.js";
import { startCommand } from "../cli/run-command.js";

const folder = temporaryFolder();

/** Watches without a file system: changes are what the test says. */
async function startWatching(config: ResolvedConfig, steps: Partial<WatchSteps>) {
  const events: string[] = [];
  let open: { paths: readonly string[]; onChange: () => void }[] = [];
  await watchInputs(
    config,
    {
      resolve: async () => config,
      run: async () => {},
      waiting: () => events.push("waiting"),
      ...steps,
    },
    async (paths, onChange) => {
      const watcher = { paths, onChange };
      open.push(watcher);
      return { close: async () => void (open = open.filter((other) => other !== watcher)) };
    },
  );
  return {
    events,
    paths: () => open.flatMap(({ paths }) => paths),
    change: () => open[0]!.onChange(),
  };
}

describe("watching", () => {
  test("runs once, and once more after changes that come together", async () => {
    let runs = 0;
    const { change, events } = await startWatching(
      { outputs: [{}] },
      { run: async () => void runs++ },
    );
    expect([runs, events]).toEqual([1, ["waiting"]]);
    for (let i = 0; i < 3; i++) change();
    await expect.poll(() => events.length).toBe(2);
    expect(runs).toBe(2);
  });

  test("runs again for a change that comes while it runs", async () => {
    let runs = 0;
    let change = (): void => {};
    const watching = await startWatching(
      { outputs: [{}] },
      { run: async () => (++runs === 2 ? change() : undefined) },
    );
    change = watching.change;
    change();
    await expect.poll(() => runs).toBe(3);
    await expect.poll(() => watching.events).toEqual(["waiting", "waiting"]);
  });

  test("continues when the configuration is invalid, and watches the files that the next one names", async () => {
    let config: ResolvedConfig | undefined = { outputs: [{}], file: join(folder, "config.json") };
    let runs = 0;
    const { change, events, paths } = await startWatching(config, {
      resolve: async () => config,
      run: async () => void runs++,
    });
    config = undefined;
    change();
    await expect.poll(() => events.length).toBe(2);
    expect(runs).toBe(1);
    config = { outputs: [{ with: [join(folder, "mine")] }] };
    change();
    await expect.poll(() => runs).toBe(2);
    expect(paths()).toContain(join(folder, "mine"));
  });

  test("watches the outermost folder that is missing on the way to a file", async () => {
    const { paths } = await startWatching(
      { outputs: [{ with: [join(folder, "a/b/mine.json")], targets: ["./target.js"] }] },
      {},
    );
    expect(paths()).toContain(join(folder, "a"));
    expect(paths()).toContain(resolve("target.js"));
  });
});

test("generate --watch runs again when a feature file changes or is replaced, and reports mistakes", async () => {
  const own = join(folder, "features");
  const save = (description: unknown, definition?: string): void => {
    mkdirSync(own, { recursive: true });
    const text = JSON.stringify(ownFeature(description, definition));
    writeFileSync(join(own, "mine.json"), text);
  };
  save("Adds one type.");
  const args = ["--protocol", "v1", "--with", "features/mine.json", "--target", "schema"];
  const child = startCommand(["generate", "--watch", ...args], { cwd: folder });
  let seen = "";
  child.stdout!.on("data", (chunk) => (seen += chunk));
  child.stderr!.on("data", (chunk) => (seen += chunk));
  const ended = once(child, "exit");
  const until = async (text: string): Promise<void> => {
    const isThere = (): boolean => {
      const at = seen.indexOf(text);
      return at >= 0 && seen.includes("watching", at);
    };
    await expect.poll(() => isThere() || seen, { timeout: 100_000 }).toBe(true);
    seen = "";
  };
  try {
    await until("done");
    save(5);
    await until("error");
    rmSync(own, { recursive: true });
    await until("features/mine.json does not exist");
    save("Adds one type.", "Yours");
    await until("done");
    expect(readFileSync(join(folder, "out/schema/v1-custom.schema.json"), "utf8")).toContain(
      "Yours",
    );
  } finally {
    child.kill("SIGINT");
  }
  expect(await ended).toEqual([130, null]);
}, 300_000);
