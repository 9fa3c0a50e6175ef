import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, beforeEach, describe, expect } from "vitest";
import { readGuides } from "../../generators/emit/site/articles/guides/read-guides.js";
import { setUp } from "../../generators/output/set-up.js";
import { compileProfiles } from "../../generators/run/generate/compile-profiles.js";
import { PUBLISHED, readTemplates } from "../../generators/run/installation.js";
import { ownFeature } from "../generators/cli/own-feature.js";
import { deepDescribe, deepTest } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { copySources } from "../support/tool-copy.js";
import { COMMIT, strangersMachine, TIME } from "./strangers-machine.js";

// The logs have every request of npm and pip. Go finds only what needs no request.
const { folder, run, works, write } = strangersMachine((place) => ({
  npm_config_logs_dir: join(place, "logs"),
  npm_config_logs_max: "10000",
  PIP_LOG: join(place, "logs/pip.log"),
  GOPROXY: "off",
  PATH: [join(place, "venv/bin"), process.env["PATH"]].join(delimiter),
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: `url.${join(place, "origin")}.insteadOf`,
  GIT_CONFIG_VALUE_0: "https://github.com/acp-codegen/acp-codegen",
}));

const SET_UP = `${setUp(PUBLISHED)}\n`;
const shell = (cwd: string, script: string): string => works(cwd, "sh", "-e", "-c", script);

/** The commands in the fences of a text. */
function fences(text: string): readonly string[] {
  return [...text.matchAll(/^```sh.*\n([^]*?)^```/gm)].map(([, commands]) => commands!);
}

/** The first commands of a text: those of a set-up, or one that builds on it. */
function firstCommands(text: string): string | undefined {
  const [first] = fences(text);
  if (first?.startsWith(SET_UP)) return first.slice(SET_UP.length);
  return first?.split("\n")[0];
}

/** Makes an empty folder with the set-up, which has run once, and the files that readers bring. */
function project(name: string): string {
  mkdirSync(join(folder, name));
  symlinkSync(join(folder, "set-up/acp-codegen"), join(folder, name, "acp-codegen"));
  cpSync(join(folder, "set-up/my-project"), join(folder, name, "my-project"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const place = `${name}/my-project`;
  const upstream = join(ROOT, "node_modules/@agentclientprotocol/sdk/schema/v1/schema.json");
  cpSync(upstream, join(folder, place, "schema.json"));
  write(`${place}/session-pin.json`, ownFeature("A proposal."));
  const message = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } };
  write(`${place}/agent.log`, `${JSON.stringify(message)}\n`);
  write(`${place}/my-codec.py`, "import sys\nfor line in sys.stdin: print('{}', flush=True)\n");
  return place;
}

let isOffline = false;
beforeEach(({ skip }) => skip(isOffline, "the registry cannot be reached from here"));

const suite = PUBLISHED ? describe.skip : deepDescribe;

suite("in an empty folder, on a machine without our names", () => {
  beforeAll(() => {
    mkdirSync(join(folder, "logs"));
    mkdirSync(join(folder, "set-up"));
    copySources(join(folder, "origin"), [".npmrc", ".gitignore", "out"]);
    works("origin", "git", "init", "--quiet");
    works("origin", "git", "add", "--all");
    works("origin", "git", ...COMMIT);
    works("", "python3", "-m", "venv", "venv");
    const { code, text } = run("set-up", "sh", "-e", "-c", SET_UP);
    isOffline = /ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT/.test(text);
    if (!isOffline) expect(code, text).toBe(0);
  }, TIME);

  deepTest("the commands of the README work, and run its programs", { timeout: TIME }, () => {
    const place = project("readme");
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    const [, start, bindings, python] = fences(readme) as [string, string, string, string];
    expect(start.startsWith(SET_UP)).toBe(true);
    expect(shell(place, start.slice(SET_UP.length))).toContain("# fail 0");
    shell(place, bindings);
    const [agent, client] = [...readme.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, text]) => text!);
    writeFileSync(join(folder, place, "agent.js"), agent!);
    writeFileSync(join(folder, place, "client.js"), client!);
    expect(works(place, "node", "client.js").trim()).toBe("Hello");
    shell(place, python);
    works(place, ".venv/bin/python", "-c", "from acp_bindings.v1 import Agent");
  });

  deepTest("the first commands of every page work", { timeout: TIME }, async () => {
    const files = await compileProfiles({ profiles: ["v1"], targets: ["docs"] });
    const pages = files.filter(({ path }) => path.endsWith(".html.md"));
    const commands = new Map(
      pages.flatMap(({ path, text }) => {
        const first = firstCommands(text);
        return first === undefined ? [] : [[first, path]];
      }),
    );
    // As on the front page, whose twin in Markdown has no commands.
    expect([...commands.keys()]).toContain("npx acp-codegen init my-agent --starter agent");
    expect(commands.size).toBeGreaterThan(8);
    let number = 0;
    for (const [command, page] of commands) {
      const { code, text } = run(project(`page-${number++}`), "sh", "-e", "-c", command);
      // A codec that prints something else ends with 3; a finding in the log, or no output, with 1.
      const expected = command.includes("codec") ? 3 : /inspect|--check/.test(command) ? 1 : 0;
      expect(code, `${page}\n${command}\n${text}`).toBe(expected);
    }
  });

  deepTest.each(["TypeScript", "Python", "Go"])(
    "the guide to begin with generates and installs the bindings in %s",
    { timeout: TIME },
    (language) => {
      const { examples } = readGuides(readTemplates()).find(
        ({ article }) => article.path === "getting-started.html",
      )!;
      const [start, install] = examples.filter(
        ({ use, needs }) => use === `in ${language}` && needs !== "published",
      );
      shell(project(`start-${language}`), start!.text);
      shell(project(`install-${language}`), install!.text.replace("%flags%", "--profile v1"));
    },
  );

  deepTest("no command has asked a registry for our names", () => {
    const logs = readdirSync(join(folder, "logs")).map((name) =>
      readFileSync(join(folder, "logs", name), "utf8"),
    );
    const text = logs.join("\n");
    expect(text).toContain("/typescript");
    expect(text).toContain("/hatchling/");
    expect(text.match(/https?:\/\/(?!github\.com)\S+\/acp[-_](codegen|bindings)\b\S*/g)).toBe(null);
  });
});
