import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { readTemplates } from "../../../generators/run/installation.js";
import { compile } from "../../../generators/compile.js";
import { buildProtocol } from "../../../generators/model/build/build.js";
import { compose } from "../../../generators/schema/compose.js";
import type { JsonObject } from "../../../generators/schema/json-schema/json.js";
import { inKeyOrder } from "../../../generators/schema/json-schema/key-order.js";
import { loadDialect } from "../../../generators/schema/source/load.js";
import { InputError } from "../../../generators/schema/problem.js";
import type { Definitions } from "../../../generators/schema/json-schema/references.js";
import type { MethodSource } from "../../../generators/schema/source/sources.js";
import { TARGETS } from "../../../generators/targets.js";
import { ROOT } from "../../support/paths.js";
import { protocolOf } from "../../generators/schema/sources.js";
import { randomModule } from "./random-module.js";
import { siteInputs } from "../../support/emit-inputs.js";

/**
 * Compiles random modules, one a seed, and writes what comes out for the type
 * checker. Prints a line before and a line after each, so that whoever reads
 * them knows where it ended.
 */
const [folder = "", ...seeds] = process.argv.slice(2);
const check = loadDialect(join(ROOT, "schema"));
// The texts printed for one module are remembered for the next, as the command remembers them for the next run.
const templates = readTemplates();
const context = { templates, version: "0.0.0", memo: new Map<string, string>() };
const inputs = siteInputs({ templates });
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

for (const seed of seeds.map(Number)) {
  say({ seed });
  const [module] = fc.sample(randomModule, { seed, numRuns: 1 });
  say({ seed, end: await endOf(JSON.parse(JSON.stringify(module)) as JsonObject, seed) });
}
say({ rss: process.resourceUsage().maxRSS / 1024 });

/** The result of a module; its refused parts are replaced a few times, so that the rest is tried. */
async function endOf(module: JsonObject, seed: number, attempts = 4): Promise<string> {
  try {
    await run(module, seed);
    return "MADE";
  } catch (error) {
    if (error instanceof RangeError)
      return `STACK: ${error.stack?.split("\n").slice(0, 6).join(" ")}`;
    if (!(error instanceof InputError)) return `THREW: ${(error as Error).stack}`;
    if (attempts === 1) return "REFUSED";
    return endOf(withoutRefused(module, error), seed, attempts - 1);
  }
}

function withoutRefused(module: JsonObject, { problems }: InputError): JsonObject {
  const paths = problems.map(({ pointer = "" }) => pointer.split("/"));
  const names = new Set(paths.filter(([, part]) => part === "$defs").map(([, , name]) => name));
  const $defs = Object.fromEntries(
    Object.entries(module["$defs"] as JsonObject).map(([name, definition]) => [
      name,
      names.has(name) ? { type: "object", properties: { a: { type: "string" } } } : definition,
    ]),
  );
  const isAboutMethods = paths.some(([, part]) => part !== "$defs");
  return { ...module, $defs, ...(isAboutMethods && { methods: [] }) };
}

async function run(module: JsonObject, seed: number): Promise<void> {
  const problems = check("module", module, "random.json");
  if (problems.length > 0) throw new InputError(problems);
  const { $defs, methods } = inKeyOrder(module);
  const source = protocolOf($defs as Definitions, methods as unknown as MethodSource[]);
  const protocol = buildProtocol(compose(source, []), {
    name: "fuzz",
    title: "Fuzz",
    description: "Fuzz.",
  });
  // Pages take the most time, and have tests of their own.
  // The table of methods stands for roles, in protocols without ACP's handshake.
  const others = TARGETS.filter(({ name }) => name !== "methods");
  const targets = others.filter(({ name }) => name !== "docs" || seed % 10 === 0);
  for (const { path, text } of await compile([protocol], targets, inputs, context)) {
    if (!/\.(ts|py)$/.test(path) || /\/_?runtime\//.test(path)) continue;
    const file = join(folder, String(seed), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  // The runtimes are the same in every package.
  for (const path of ["typescript/src/runtime", "python/acp_bindings/_runtime"])
    symlinkSync(join(ROOT, "out", path), join(folder, String(seed), path));
}
