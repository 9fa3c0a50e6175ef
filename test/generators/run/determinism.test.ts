import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { resolveInputs } from "../../../generators/run/inputs/select-profiles.js";
import { buildProtocol } from "../../../generators/model/build/build.js";
import { publishSchema } from "../../../generators/schema/compose/publish.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { readFolder } from "../golden/compile-mini.js";
import { IS_DEEP, deepDescribe, deepTest } from "../../support/deep.js";
import { ROOT } from "../../support/paths.js";
import { buildCopy, copyTool } from "../../support/tool-copy.js";
import { createRandom, type Random } from "../../use/samples/random.js";
import { digestOf, runIn, type Surroundings } from "./surroundings.js";
import { REFERENCE } from "../../reference/reference.js";

const folder = temporaryFolder();
const FLAGS = ["generate", "--profile", "v1"];
let count = 0;

/** The output folder of a run in these surroundings, with more flags. */
async function outputOf(
  where: Partial<Surroundings>,
  flags: readonly string[] = FLAGS,
): Promise<string> {
  const out = join(folder, `out-${count++}`);
  const { code, err } = await runIn({ cwd: folder, ...where }, [...flags, "--out", out]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
}

let usual: string;
beforeAll(async () => void (usual = digestOf(await outputOf({}))));

const otherFolder = join(folder, "else where");
mkdirSync(otherFolder);

describe("the output is the same bytes", () => {
  const surroundings: readonly [what: string, where: Partial<Surroundings>][] = [
    [
      "in Turkish, in another folder, home and time zone",
      {
        cwd: otherFolder,
        env: {
          HOME: otherFolder,
          TZ: "Asia/Kathmandu",
          LANG: "tr_TR.UTF-8",
          LC_ALL: "tr_TR.UTF-8",
        },
      },
    ],
    [
      "without a home, with files for nobody else",
      { env: { TZ: "America/St_Johns", LANG: "C", LC_ALL: "C" }, umask: "077" },
    ],
  ];
  // One case for every run, the others in deep runs.
  test.each(surroundings.slice(0, IS_DEEP ? undefined : 1))("%s", async (_, where) => {
    expect(digestOf(await outputOf(where))).toBe(usual);
  });
});

deepDescribe("the compiled command gives the same bytes", () => {
  const copy = join(folder, "compiled");
  const command = [join(copy, "dist/cli/main.js")];
  beforeAll(() => {
    copyTool(copy);
    buildCopy(copy);
  });

  test.for(["20", "22", "24"])(
    "under Node.js %s, in 20 surroundings under load",
    { timeout: 900_000 },
    async (version, { skip }) => {
      const node = findNode(version);
      if (node === undefined) return skip(`Node.js ${version} cannot be had here`);
      const load = spawn(process.execPath, ["-e", "for (;;);"]);
      try {
        const random = createRandom(`surroundings ${version}`);
        for (let run = 0; run < 20; run++) {
          const locale = random.pick(["tr_TR.UTF-8", "de_DE.UTF-8", "C"]);
          const where = {
            cwd: random.pick([folder, otherFolder, ROOT, "/"]),
            env: {
              HOME: random.pick([folder, otherFolder, "/nowhere"]),
              TZ: random.pick(["UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati"]),
              LANG: locale,
              LC_ALL: locale,
            },
            umask: random.pick(["000", "022", "077"]),
          };
          const out = await outputOf({ ...where, node, command });
          expect(digestOf(out), JSON.stringify(where)).toBe(usual);
          rmSync(out, { recursive: true });
        }
      } finally {
        load.kill();
      }
    },
  );
});

/** The path of a Node.js of that major version, which npm may have to fetch; nothing when it cannot. */
function findNode(version: string): string | undefined {
  const print = ["-p", "JSON.stringify([process.version, process.execPath])"];
  const { status, stdout } = spawnSync("npx", ["-y", `node@${version}`, ...print], {
    encoding: "utf8",
    cwd: folder,
    timeout: 120_000,
  });
  if (status !== 0) return undefined;
  const [found, path] = JSON.parse(stdout) as [version: string, path: string];
  return found.startsWith(`v${version}.`) ? path : undefined;
}

deepDescribe("configurations of formatters are ignored", () => {
  deepTest("in the folder of the run, above it, in the home and in the output", async () => {
    const cwd = join(folder, "formatted/inner");
    const out = join(cwd, "out");
    mkdirSync(join(out, "typescript/src"), { recursive: true });
    const tripwire = join(folder, "tripwire");
    const trip = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(tripwire)}, "");`;
    for (const place of [join(cwd, ".."), cwd, out, join(out, "typescript/src")]) {
      writeFileSync(join(place, "plugin.mjs"), `${trip} export const languages = [];`);
      writeFileSync(
        join(place, ".prettierrc.mjs"),
        `${trip} export default { semi: false, tabWidth: 7, plugins: ["./plugin.mjs"] };`,
      );
      writeFileSync(join(place, ".prettierrc"), '{ "semi": false, "plugins": ["./plugin.mjs"] }');
      writeFileSync(join(place, ".prettierignore"), "*\n");
      writeFileSync(
        join(place, ".editorconfig"),
        "root = true\n[*]\nindent_style = tab\nend_of_line = crlf\nmax_line_length = 40\n",
      );
    }
    const before = new Set(readFolder(out).keys());
    const { code, err } = await runIn({ cwd, env: { HOME: cwd } }, [...FLAGS, "--out", out]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const path of before) rmSync(join(out, path));
    expect(digestOf(out)).toBe(usual);
    expect(readdirSync(folder)).not.toContain("tripwire");
  });
});

deepDescribe("line ends and byte order marks of a checkout", () => {
  test("change nothing: the output has LF and no mark", async () => {
    const copy = join(folder, "checkout");
    copyTool(copy);
    for (const part of ["schema", "templates"])
      for (const [path, text] of readFolder(join(copy, part))) {
        const mark = part === "schema" && path.endsWith(".json") ? "\ufeff" : "";
        writeFileSync(join(copy, part, path), mark + text.replaceAll("\n", "\r\n"));
      }
    const main = join(copy, "generators/cli/main.ts");
    const out = await outputOf({ command: ["--import", "tsx", main], cwd: copy });
    expect(digestOf(out)).toBe(usual);
    for (const [path, text] of readFolder(out)) expect(text, path).not.toMatch(/\r|^\ufeff/);
  });
});

describe("the order of keys in the input", () => {
  const SEEDS = IS_DEEP ? 100 : 1;
  const profiles = ["v1", "v2-unstable"];
  const models = (schema: string): string =>
    JSON.stringify(
      [
        ...resolveInputs({ profiles }, schema),
        ...resolveInputs({ protocol: "v1", schema: join(schema, "upstream.json") }, schema),
      ].map(({ bundle, profile }) => [publishSchema(bundle), buildProtocol(bundle, profile)]),
    );

  test(`does not change any input (${SEEDS} orders)`, () => {
    const schema = join(folder, "schema");
    cpSync(join(ROOT, "schema"), schema, { recursive: true });
    const upstream = join(REFERENCE, "v1.json");
    cpSync(upstream, join(schema, "upstream.json"));
    const texts = [...readFolder(schema)].filter(
      ([path]) => path.endsWith(".json") && !path.startsWith("dialect/"),
    );
    const before = models(schema);
    for (let seed = 0; seed < SEEDS; seed++) {
      const random = createRandom(`order ${seed}`);
      for (const [path, text] of texts)
        writeFileSync(join(schema, path), JSON.stringify(shuffled(JSON.parse(text), random)));
      expect(models(schema) === before, `seed ${seed}`).toBe(true);
    }
  }, 600_000);
});

describe("the output does not depend on the place and time of the run", () => {
  test("it contains neither paths nor users nor the host nor the time", async () => {
    const cwd = join(folder, "canary-folder");
    mkdirSync(cwd);
    // A clock that stands still, long ago.
    const clock = join(folder, "clock.mjs");
    writeFileSync(
      clock,
      `const Now = Date;
      globalThis.Date = class extends Now {
        constructor(...given) { super(...(given.length === 0 ? [0] : given)); }
        static now() { return 0; }
      };`,
    );
    const who = { USER: "canary-user", LOGNAME: "canary-user", HOSTNAME: "canary-host" };
    const env = { ...who, HOME: cwd, PWD: cwd, NODE_OPTIONS: `--import ${clock}` };
    const out = await outputOf({ cwd, env });
    expect(digestOf(out)).toBe(usual);
    const traces = ["canary", folder, ROOT, homedir(), hostname()].filter(
      ({ length }) => length > 5,
    );
    for (const [path, text] of readFolder(out))
      for (const trace of traces) expect(text.includes(trace), `${trace} in ${path}`).toBe(false);
  });
});

/** A document with the keys of every object in another order. */
function shuffled(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, random));
  if (typeof value !== "object" || value === null) return value;
  const rest = Object.entries(value);
  const entries: [string, unknown][] = [];
  while (rest.length > 0) entries.push(...rest.splice(random.below(rest.length), 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, shuffled(part, random)]));
}
