import { join } from "node:path";
import * as bridge from "acp-bindings/bridge";
import type { Converted } from "acp-bindings/bridge";
import { expect, test } from "vitest";
import { buildBridge } from "../../../../../generators/model/bridge/build-bridge.js";
import { loadBridge } from "../../../../../generators/schema/bridge/load-bridge.js";
import { ROOT } from "../../../../support/paths.js";
import { readLines } from "../../../../support/read-lines.js";
import { protocolOf, SCHEMA } from "../corpus.js";

/** A value that other converters refuse or get wrong, with the value in the other version. */
interface Case {
  /** The version that the value is converted to. */
  readonly to: 1 | 2;
  readonly name: string;
  readonly definition: string;
  readonly value: unknown;
  /** Absent where the other version has no such value. */
  readonly expected?: unknown;
  readonly losses: readonly string[];
}

const CASES = readLines<Case>(join(ROOT, "test/fixtures/bridge-cases.ndjson"));
const { toV1, toV2 } = buildBridge(
  loadBridge(SCHEMA)!,
  protocolOf("v1-full"),
  protocolOf("v2-full"),
).bridge;
const convert = bridge as unknown as {
  readonly [name: string]: (value: unknown) => Converted<unknown>;
};

test("values that other converters get wrong have an answer in the other version", () => {
  for (const { to, name, definition, value: given, expected, losses } of CASES) {
    const places = (to === 1 ? toV1 : toV2).losses.map(textOf);
    // Limits that both versions of this release have.
    if (losses.some((loss) => loss.endsWith(" limit") && !places.includes(loss))) continue;
    const found = convert[`${to === 1 ? "v2ToV1" : "v1ToV2"}${definition}`]!(given);
    expect({ name, value: found.value, losses: found.losses.map(textOf) }).toEqual({
      name,
      value: expected,
      losses,
    });
  }
});

function textOf({ kind, place, when }: { kind: string; place: string; when: string }): string {
  return `${kind} ${place} ${when}`;
}
