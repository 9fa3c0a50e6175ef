import { checkBridges } from "../../../model/bridge/check-bridge.js";
import type { Bridge, BridgePair } from "../../../model/bridge/build-bridge.js";
import type { Conversion } from "../../../model/bridge/rules.js";
import {
  code,
  docComment,
  identifier,
  joinCode,
  literal,
  specifier,
  type Code,
} from "../../../output/code.js";
import { outputPath } from "../../../output/file.js";
import type { BridgeSource, ConversionDirection } from "../../../schema/bridge/bridge-source.js";
import type { Json } from "../../../schema/json-schema/json.js";
import { InputError } from "../../../schema/problem.js";
import type { EmittedFile, Emitter } from "../../emitter.js";

const FOLDER = outputPath("typescript", "src", "bridge");

/**
 * The conversions between version 1 and version 2, for the profiles with most features that a run
 * has of both.
 */
export const bridge: Emitter<"bridge"> = {
  name: "bridge",
  summary: "converters between version 1 and version 2, and what makes them one conversation",
  requires: ["types", "runtime"],
  inputs: ["bridge"],
  emit: (protocols, { bridge: source }, { kept = [], templates }) => {
    // A run for some profiles leaves the bridge of others as it is.
    if (source === undefined || kept.some((path) => path.startsWith(`${FOLDER}/`))) return [];
    const { bridges, problems } = checkBridges(source, protocols);
    if (problems.length > 0) throw new InputError(problems);
    const widest = bridges.at(-1);
    if (widest === undefined) return [];
    const profile = `${widest.v1.profile}+${widest.v2.profile}`;
    const file = (
      name: string,
      text: EmittedFile["text"],
      language: EmittedFile["language"],
    ): EmittedFile => ({
      path: `${FOLDER}/${name}`,
      profile,
      text,
      language,
    });
    return [
      file("tables.ts", printTables(widest, source), "plain"),
      file("converters.ts", printConverters(widest), "plain"),
      ...["index.ts", "command.ts"].map((name) =>
        file(name, templates.get(`typescript/package/bridge/${name}`)!, "typescript"),
      ),
    ];
  },
};

function printTables({ toV1, toV2 }: Bridge, source: BridgeSource): Code {
  return code`import type { ConversionTable, StateLosses } from "../runtime/bridge/convert/table.js";

${docComment("The conversion of values of version 1 to version 2.")}
export const TO_V2: ConversionTable = ${printTable(toV2)};

${docComment("The conversion of values of version 2 to version 1.")}
export const TO_V1: ConversionTable = ${printTable(toV1)};

${docComment("The losses that depend on the state of a conversation.")}
export const STATE_LOSSES: StateLosses = ${literal(stateLosses(source))};
`;
}

/** Prints a table with a row on each line, so that changes can be read. */
function printTable({ rows, losses, methods }: Conversion): Code {
  const lines = (members: { readonly [name: string]: unknown }): Code =>
    joinCode(
      Object.entries(members).map(
        ([name, value]) => code`    ${literal(name)}: ${literal(value as Json)},`,
      ),
      "\n",
    );
  return code`{
  rows: {
${lines(rows)}
  },
  losses: [
${joinCode(
  losses.map((loss) => code`    ${literal({ ...loss })},`),
  "\n",
)}
  ],
  methods: {
${lines(methods)}
  },
}`;
}

function stateLosses({ states }: BridgeSource): Json {
  return Object.fromEntries(
    [...states].map(([id, { entry }]) => [
      id,
      { kind: entry.loss, to: entry.direction === "toV1" ? "v1" : "v2", text: entry.text },
    ]),
  );
}

function printConverters({ v1, v2, pairs }: Bridge): Code {
  const identifiers = (protocol: Bridge["v1"]): ReadonlyMap<string, string> =>
    new Map(protocol.definitions.map(({ name, identifier: id }) => [name, id]));
  const [ids1, ids2] = [identifiers(v1), identifiers(v2)];
  const print = (pair: BridgePair, direction: ConversionDirection): Code => {
    const [own, other] = [identifier(ids1.get(pair.v1)!), identifier(ids2.get(pair.v2)!)];
    // The name of the converter says the rest.
    const target = (name: string): Code =>
      pair.v1 === pair.v2 ? code`` : code`${docComment(`Converts to \`${name}\`.`)}\n`;
    return direction === "toV2"
      ? code`${target(pair.v2)}export const v1ToV2${identifier(pairId(pair, direction, pairs))}: _Converter<_v1.${own}, _v2.${other}> = /* @__PURE__ */ _converter(_TO_V2, "v2", ${literal(pair.key)});`
      : code`${target(pair.v1)}export const v2ToV1${identifier(pairId(pair, direction, pairs))}: _Converter<_v2.${other}, _v1.${own}> = /* @__PURE__ */ _converter(_TO_V1, "v1", ${literal(pair.key)});`;
  };
  const functions = pairs.flatMap((pair) => [
    ...(pair.only === "toV1" ? [] : [print(pair, "toV2")]),
    ...(pair.only === "toV2" ? [] : [print(pair, "toV1")]),
  ]);
  return joinCode(
    [
      code`import { converter as _converter, type Converter as _Converter } from "../runtime/bridge/convert/converters.js";
import type * as _v1 from ${specifier(`../${v1.profile}/types.js`)};
import type * as _v2 from ${specifier(`../${v2.profile}/types.js`)};
import { TO_V1 as _TO_V1, TO_V2 as _TO_V2 } from "./tables.js";
`,
      ...functions,
      code``,
    ],
    "\n",
  );
}

/** Names a converter after what it takes, and after the pair where two take the same. */
function pairId(
  { v1, v2, key }: BridgePair,
  direction: ConversionDirection,
  pairs: readonly BridgePair[],
): string {
  const own = direction === "toV2" ? v1 : v2;
  const same = pairs.filter(
    (pair) =>
      (direction === "toV2" ? pair.v1 : pair.v2) === own &&
      pair.only !== (direction === "toV2" ? "toV1" : "toV2"),
  );
  return same.length === 1 || key === own ? own : `${own}As${key}`;
}
