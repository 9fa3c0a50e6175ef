import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import type { Protocol } from "../model/protocol.js";
import { code, identifier, joinCode, printedCode, type Code } from "../output/code.js";
import { outputPath } from "../output/file.js";
import type { JsonSchema } from "../schema/json-schema/json.js";
import { DERIVED_KEYWORDS, KEYWORDS } from "../schema/json-schema/keywords.js";
import { mapSchema } from "../schema/json-schema/walk.js";
import type { Emitter } from "./emitter.js";

/** The id under which the bundle is compiled; ids of an input never reach ajv. */
const BUNDLE_ID = "bundle";

/** What ajv's code asks for with `require`, and what our runtime has instead. */
const SUPPORT: { readonly [path: string]: Code } = {
  "ajv/dist/runtime/ucs2length": code`codePointLength`,
  "ajv/dist/runtime/equal": code`deepEqual`,
};

/** The validators of the reference: ajv standalone code behind typed exports. */
export const ajv: Emitter = {
  name: "ajv",
  summary: "strict validators as ajv prints them: large, but the reference's own code",
  requires: ["types", "runtime"],
  onRequest: true,
  emit: (protocol) => [
    {
      path: outputPath("typescript", "src", protocol.profile, "ajv.ts"),
      text: printAjv(protocol),
      language: "plain",
    },
  ],
};

function printAjv(protocol: Protocol): Code {
  const compiler = new Ajv2020({
    code: { source: true, esm: true, lines: true },
    strict: false,
    validateFormats: false,
    inlineRefs: false,
    // Without it, `required: ["toString"]` would accept `{}`.
    ownProperties: true,
    unicodeRegExp: true,
  });
  compiler.addSchema(withoutText(protocol.schema), BUNDLE_ID);
  const exports = protocol.definitions.map(({ name, identifier: id }): [string, string] => [
    `validate${id}`,
    `${BUNDLE_ID}#/$defs/${name}`,
  ]);
  const printed = standalone.default(compiler, Object.fromEntries(exports));
  const { body, used } = replaceRequires(printed);
  return joinCode(
    [
      code`// @ts-nocheck The code is ajv's; the types of the exports are ours.`,
      code`import type { AjvValidator } from "../runtime/validate/ajv-support.js";`,
      ...(used.length > 0
        ? [code`import { ${joinCode(used, ", ")} } from "../runtime/validate/ajv-support.js";`]
        : []),
      code`import type * as types from "./types.js";`,
      typed(body, protocol),
      code``,
    ],
    "\n",
  );
}

/** ajv embeds every schema it compiles; without text they are a third of the size. */
function withoutText(schema: JsonSchema): JsonSchema {
  const strip = (part: JsonSchema): JsonSchema =>
    Object.fromEntries(
      Object.entries(part).filter(
        ([keyword]) => (KEYWORDS[keyword] ?? DERIVED_KEYWORDS[keyword]) === "structure",
      ),
    );
  const definitions = Object.entries(schema.$defs ?? {});
  return {
    $defs: Object.fromEntries(
      definitions.map(([name, definition]) => [name, mapSchema(definition, strip)]),
    ),
  };
}

/** A string in ajv's code, in which everything else that is looked for may stand as well. */
const STRING = String.raw`"(?:[^"\\]|\\.)*"`;

/**
 * Replaces what ajv would `require` with imports from the runtime.
 *
 * @throws Error when it asks for something that the runtime does not have
 */
function replaceRequires(printed: string): {
  readonly body: string;
  readonly used: readonly Code[];
} {
  const used = new Set<Code>();
  const body = printed.replace(
    new RegExp(`const (\\w+) = require\\("([^"]+)"\\)\\.default;|${STRING}|\\brequire\\b`, "g"),
    (found, variable?: string, path?: string) => {
      if (found.startsWith('"')) return found;
      const replacement = path === undefined ? undefined : SUPPORT[path];
      if (replacement === undefined)
        throw new Error(`ajv's code needs ${path ?? "a module"}, which the runtime does not have`);
      used.add(replacement);
      return `const ${variable} = ${replacement};`;
    },
  );
  return { body, used: [...used].sort() };
}

/** Gives every export its type. */
function typed(body: string, protocol: Protocol): Code {
  const types = new Map(protocol.definitions.map(({ identifier: id }) => [`validate${id}`, id]));
  const text = body.replace(
    new RegExp(`${STRING}|^export const (\\w+) = (\\w+);`, "gm"),
    (found, name?: string, target?: string) => {
      if (name === undefined) return found;
      const type = identifier(types.get(name)!);
      return `export const ${name} = ${target} as AjvValidator<types.${type}>;`;
    },
  );
  return printedCode(text.replace(/^"use strict";/, ""));
}
