import { mkdirSync } from "node:fs";
import { withGoPatterns } from "../../../../../generators/emit/go/patterns.js";
import type { Protocol } from "../../../../../generators/model/protocol.js";
import type { Json, JsonObject } from "../../../../../generators/schema/json-schema/json.js";
import { InputError } from "../../../../../generators/schema/problem.js";
import { buildCodec } from "../../../../go/build-codec.js";
import { run, writeModule } from "../../../../go/toolchain.js";
import type { pythonVerdicts, Values } from "./python-verdicts.js";

/** Returns whether each pattern of a protocol has a form in Go. */
export function hasGoPatterns(protocol: Protocol): boolean {
  try {
    withGoPatterns(protocol);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** Returns whether a value is what was sent of it, apart from properties that were inserted. */
function isWithin(value: Json, sent: Json): boolean {
  if (typeof value !== "object" || value === null) return value === sent;
  if (typeof sent !== "object" || sent === null) return false;
  return Object.entries(value).every(
    ([key, part]) => Object.hasOwn(sent, key) && isWithin(part!, (sent as JsonObject)[key]!),
  );
}

/**
 * Builds the Go module of protocols, and tries values on their definitions: validates, decodes and encodes them.
 *
 * @param folder where the module is written
 * @param given values of definitions that have types in Go
 * @returns verdicts by profile, definition and value
 */
export async function goVerdicts(
  folder: string,
  protocols: readonly Protocol[],
  given: { readonly [profile: string]: Values },
): Promise<ReturnType<typeof pythonVerdicts>> {
  mkdirSync(folder, { recursive: true });
  const program = buildCodec(folder, protocols, await writeModule(folder, ...protocols));
  const requests = Object.entries(given).flatMap(([Profile, definitions]) =>
    definitions.flatMap(([Definition, values]) =>
      values.map((value) =>
        JSON.stringify({ Op: "encode", Profile, Definition, Input: JSON.stringify(value) }),
      ),
    ),
  );
  const { code, out, err } = run(program, [], { input: `${requests.join("\n")}\n` });
  if (code !== 0) throw new Error(err);
  const answers = out.trimEnd().split("\n").values();
  const verdict = (value: Json): boolean => {
    const answer = JSON.parse(answers.next().value!) as { readonly verdict: string; value?: Json };
    return answer.verdict === "ok" && isWithin(value, answer.value!);
  };
  return Object.fromEntries(
    Object.entries(given).map(([profile, definitions]) => [
      profile,
      definitions.map(([, values]) => values.map(verdict)),
    ]),
  );
}
