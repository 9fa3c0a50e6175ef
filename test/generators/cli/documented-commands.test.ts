import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { deepDescribe } from "../../support/deep.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { ownFeature } from "./own-feature.js";
import { spawnCommand } from "./run-command.js";
import { REFERENCE } from "../../reference/reference.js";

const folder = temporaryFolder();
const MANUAL = "templates/site/guides/tool";
const pages = ["README.md", ...readdirSync(join(ROOT, MANUAL)).map((name) => `${MANUAL}/${name}`)];

/** The commands that the texts for users show, in fences and in sentences. */
const commands = new Set(
  pages
    .flatMap((page) => [
      ...readFileSync(join(ROOT, page), "utf8").matchAll(
        /^npx acp-codegen (.*?)(?: {2,}#.*| # .*)?$|`(?:npx )?acp-codegen ([^`…]+)`/gm,
      ),
    ])
    .map(([, line, code]) => (line ?? code!).trim()),
);

/** Options that keep a run short, where another test covers their effect. */
const SHORT: readonly (readonly [command: RegExp, extra: string])[] = [
  [/^generate(?! --check)/, "--dry-run"],
  [/^generate --check$/, "--profile v1 --target schema --out none"],
  [/^init/, "--dry-run"],
  [/^verify/, "checked --quick"],
  [/^docs(?! --protocol)/, "--profile v1 --out site"],
];
/** Exit codes of commands that report findings here. */
const ANSWERS_NO = /^(generate --check|diff|inspect|lint \.)/;

beforeAll(() => {
  // The target that the manual shows.
  const page = readFileSync(join(ROOT, MANUAL, "library.md"), "utf8");
  const [, target] = /^```ts file method-list\.mjs\n(.*?)^```$/ms.exec(page)!;
  writeFileSync(join(folder, "method-list.mjs"), target!);
  const feature = ownFeature("A proposal.");
  for (const name of ["my-proposal.json", "mine.json", "session-pin.json"])
    writeFileSync(join(folder, name), JSON.stringify(feature));
  const upstream = join(REFERENCE, "v1.json");
  cpSync(upstream, join(folder, "schema.json"));
  const message = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } };
  writeFileSync(join(folder, "transcript.ndjson"), `${JSON.stringify(message)}\n`);
  mkdirSync(join(folder, "checked"));
  const made = spawnCommand(
    ["generate", ..."--profile v1 --target schema --out checked".split(" ")],
    {
      cwd: folder,
    },
  );
  expect(made.code, made.err).toBe(0);
});

deepDescribe("the README and the manual show commands that work", () => {
  test("there are many", () => expect(commands.size).toBeGreaterThan(15));

  // Tarballs, programs, scripts and recordings are the reader's.
  test.each(
    [...commands].filter(
      (command) => !/\.tgz| -- |^(conformance|mock|replay recording)/.test(command),
    ),
  )(
    "npx acp-codegen %s",
    (command) => {
      const extra = SHORT.find(([pattern]) => pattern.test(command))?.[1].split(" ") ?? [];
      const { code, err } = spawnCommand([...command.split(" "), ...extra], { cwd: folder });
      expect(ANSWERS_NO.test(command) ? [0, 1] : [0], err).toContain(code);
    },
    120_000,
  );
});
