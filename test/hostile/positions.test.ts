import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTemplates } from "../../generators/run/installation.js";
import { compile } from "../../generators/compile.js";
import { buildProtocol } from "../../generators/model/build/build.js";
import { camelCase, definitionIdentifiers, snakeCase } from "../../generators/model/identifiers.js";
import { escapeBidi, type VirtualFile } from "../../generators/output/file.js";
import { compose } from "../../generators/schema/compose.js";
import type { JsonObject, JsonSchema } from "../../generators/schema/json-schema/json.js";
import { inKeyOrder } from "../../generators/schema/json-schema/key-order.js";
import { loadDialect } from "../../generators/schema/source/load.js";
import { InputError, type Problem } from "../../generators/schema/problem.js";
import { publishSchema } from "../../generators/schema/compose/publish.js";
import type { MethodSource } from "../../generators/schema/source/sources.js";
import { TARGETS } from "../../generators/targets.js";
import { createCodeFolder } from "../support/code-folder.js";
import { IS_DEEP } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { protocolOf } from "../generators/schema/sources.js";
import { commentsOf, essence, syntaxFaults, wordsOf } from "./oracles.js";
import { POSITIONS, type ModuleParts, type Position } from "./positions.js";
import { ALL, stringsFor } from "./strings.js";
import { NO_INPUTS } from "../support/emit-inputs.js";

const check = loadDialect(join(ROOT, "schema"));
const templates = readTemplates();
// The table of methods stands for roles, in protocols without ACP's handshake.
const targets = TARGETS.filter(({ name }) => name !== "docs" && name !== "methods");
const SEED = process.env["SEED"] ?? "20261122";

/** One text in one position. */
interface Case {
  readonly position: Position;
  readonly text: string;
  readonly parts: ModuleParts;
  readonly problems: readonly Problem[];
}

/** The placeholder for the text of a case where nothing is hostile. */
const harmless = (index: number, position: Position): string =>
  position.name === "definition name" ? `Zq${index}x` : `zq${index}x`;

/** Takes a case through everything that a module goes through; a refusal is noted. */
function tryCase(position: Position, text: string, own: string): Case {
  const parts = position.make(text, own);
  const document = {
    $schema: "module.schema.json",
    title: "Hostile",
    description: "Hostile.",
    $defs: parts.definitions,
    ...(parts.methods && { methods: parts.methods }),
  };
  const problems = check("module", JSON.parse(JSON.stringify(document)), "hostile.json");
  if (problems.length > 0) return { position, text, parts, problems };
  try {
    buildProtocol(bundleOf([parts]), profileOf(position.name));
    return { position, text, parts, problems };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { position, text, parts, problems: error.problems };
  }
}

function profileOf(name: string): { name: string; title: string; description: string } {
  return { name: name.replace(/\W/g, ""), title: "Hostile", description: "Hostile." };
}

function bundleOf(cases: readonly ModuleParts[]): ReturnType<typeof compose> {
  const all = cases.map(({ definitions, methods = [] }) =>
    inKeyOrder({ $defs: definitions, methods }),
  );
  const definitions = Object.fromEntries(all.flatMap(({ $defs }) => Object.entries($defs!)));
  const methods = all.flatMap((one) => one["methods"] as unknown as MethodSource[]);
  return compose(protocolOf(definitions as { [name: string]: JsonSchema }, methods), []);
}

async function compileCases(
  name: string,
  cases: readonly ModuleParts[],
): Promise<readonly VirtualFile[]> {
  const protocol = buildProtocol(bundleOf(cases), profileOf(name));
  const files = await compile([protocol], targets, NO_INPUTS, { templates, version: "0.0.0" });
  return files.filter(({ path }) => !path.includes("/runtime/"));
}

const canary = { requests: 0 };
let server: Server;
const folder = createCodeFolder();
beforeAll(async () => {
  server = createServer((_, response) => {
    canary.requests++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());

test("there are 515 naughty strings and more than 53 of our own", () => {
  expect(ALL.length).toBeGreaterThanOrEqual(515 + 53);
  expect(POSITIONS).toHaveLength(12);
});

/** The quick run compiles a part of all texts in all positions at once, a deep one all of them by position. */
const GROUPS: readonly { readonly name: string; readonly positions: readonly Position[] }[] =
  IS_DEEP
    ? POSITIONS.map((position) => ({ name: position.name, positions: [position] }))
    : [{ name: "any part of a module", positions: POSITIONS }];

describe.each(GROUPS)(
  "hostile text as $name (seed " + SEED + ")",
  { timeout: 600_000 },
  ({ name, positions }) => {
    const pairs = positions.flatMap((position) =>
      [...new Set(["Plain", ...stringsFor(`${SEED} ${position.name}`)])].map(
        (text) => [position, text] as const,
      ),
    );
    const texts = pairs.map(([, text]) => text);
    let cases: readonly Case[];
    let files: readonly VirtualFile[];
    let plain: readonly VirtualFile[];
    const sources = (of: readonly VirtualFile[]): readonly VirtualFile[] =>
      of.filter(({ path }) => path.endsWith(".ts"));
    const taken = (): readonly Case[] => cases.filter(({ problems }) => problems.length === 0);

    beforeAll(async () => {
      cases = pairs.map(([position, text], index) => tryCase(position, text, `Own${index}`));
      files = await compileCases(
        name,
        taken().map(({ parts }) => parts),
      );
      const harmlessParts = cases.flatMap(({ position, problems }, index) =>
        problems.length === 0 ? [position.make(harmless(index, position), `Own${index}`)] : [],
      );
      plain = await compileCases(name, harmlessParts);
    }, 600_000);

    test("is accepted unchanged, or refused with its place", () => {
      for (const { position, text, problems } of cases) {
        for (const { file, pointer, message } of problems) {
          expect(file, JSON.stringify(text)).toMatch(
            /^(hostile\.json|schema\/v9\/base\/things\.json)$/,
          );
          expect(pointer, `${JSON.stringify(text)}: ${message}`).toMatch(position.pointer);
        }
      }
      expect(cases.length).toBe(texts.length);
    });

    test("leaves files that parse and contain only the intended statements", () => {
      expect(sources(files).length).toBeGreaterThan(9);
      expect(sources(files).flatMap(syntaxFaults)).toEqual([]);
    });

    test("is unchanged in every literal and key, without additions", () => {
      const expected = new Map<string, ReadonlySet<string>>();
      const marker = /zq(\d+)x/gi;
      for (const word of wordsOf(sources(plain))) {
        const spellings = SPELLINGS.map((spell) =>
          word.replace(marker, (_, index: string) => spell(texts[Number(index)]!)),
        );
        expected.set(word, new Set([...spellings, ...identifiersIn(word)]));
      }
      const found = wordsOf(sources(files));
      const all = new Set([...expected.values()].flatMap((spellings) => [...spellings]));
      const isOurs = (word: string): boolean => OURS.test(word);
      expect([...found].filter((word) => !all.has(word) && !isOurs(word))).toEqual([]);
      // ajv leaves out properties that are called `__proto__`.
      const ours = wordsOf(sources(plain).filter(({ path }) => !path.endsWith("/ajv.ts")));
      const lost = [...ours].filter(
        (word) => !isOurs(word) && ![...expected.get(word)!].some((one) => found.has(one)),
      );
      expect(lost).toEqual([]);
    });

    let known: ReadonlyMap<string, string> | undefined;
    const identifiers = (): ReadonlyMap<string, string> =>
      (known ??= definitionIdentifiers(
        taken().flatMap(({ parts }) => Object.keys(parts.definitions)),
      ));

    /** Names of definitions become identifiers in ways of their own. */
    function identifiersIn(word: string): readonly string[] {
      return [...word.matchAll(/zq(\d+)x/gi)].flatMap(([, index]) => {
        const [position, text] = pairs[Number(index)]!;
        if (position.name !== "definition name") return [];
        return word.replace(/zq\d+x/i, identifiers().get(text)!);
      });
    }

    test("is in comments with all its words", () => {
      const marks = new Set(
        commentsOf(sources(plain)).flatMap((text) =>
          [...text.matchAll(/zq(\d+)x/g)].map(([, at]) => at!),
        ),
      );
      const comments = commentsOf(sources(files)).join("\n");
      for (const at of marks) {
        const text = texts[Number(at)]!;
        const { text: escaped } = escapeBidi({ text } as VirtualFile);
        const json = JSON.stringify(text);
        const spellings = [text, escaped, json, json.slice(1, -1)];
        expect(
          spellings.some((one) => comments.includes(essence(one))),
          JSON.stringify(text),
        ).toBe(true);
      }
    });

    test("is what the published schema says", () => {
      const file = files.find(({ path }) => path.endsWith(".schema.json"))!;
      const bundle = bundleOf(taken().map(({ parts }) => parts));
      const { $comment: _, ...schema } = JSON.parse(file.text) as JsonObject;
      expect(schema).toEqual(JSON.parse(JSON.stringify(publishSchema(bundle))));
    });

    test("is never executed, even when all modules are imported and all exports called", async () => {
      folder.write(sources(files));
      const cwd = join(folder.path, profileOf(name).name);
      mkdirSync(cwd);
      const { port } = server.address() as AddressInfo;
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [
          join(ROOT, "test/hostile/call-everything.mjs"),
          join(folder.path, "typescript/src", profileOf(name).name),
        ],
        { cwd, env: { ...process.env, CANARY: `http://127.0.0.1:${port}/` } },
      );
      const { modules, calls, ...harm } = JSON.parse(stdout) as { modules: number; calls: number };
      expect(modules).toBe(sources(files).length);
      expect(calls).toBeGreaterThan(3 * taken().length);
      expect(harm).toEqual({ pwned: false, polluted: false });
      expect([existsSync(join(cwd, "PWNED")), existsSync(join(ROOT, "PWNED"))]).toEqual([
        false,
        false,
      ]);
      expect(canary.requests).toBe(0);
    });
  },
);

/** How a text may be written inside a longer one: as it is, in JSON, in a JSON pointer, by another rule for names, in a pointer as a URL. */
const SPELLINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => text.replaceAll("~", "~0").replaceAll("/", "~1"),
  snakeCase,
  camelCase,
  (text) => encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1")),
];

/** Texts of our own code: names that every object inherits, the digest of the schema, ajv's own names. */
const OURS =
  /^(_hasOwn|hasOwn|then_|complete\$Own\d+|[0-9a-f]{64}|(validate|schema|func|pattern)\d+)$/;
