import { expect } from "vitest";
import { createSamples } from "../../../generators/model/sample/sample.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import { loadProfile } from "../../generators/emit/site/small-site.js";
import { pythonTest, runPython } from "../run-python.js";

const PROFILES = ["v1", "v1-unstable", "v1-full", "v2", "v2-unstable", "v2-full"];

/** The definitions whose samples need a diagnosis. */
const EXCEPTIONS: readonly string[] = [
  // Its example is a custom action; only a diagnosis accepts a tag that is not listed.
  "NesActionSuggestion",
];

pythonTest(
  "every sample takes the fast path of Python, and none is decoded by an internal error",
  () => {
    const samples = PROFILES.map((profile) => [profile, samplesOf(loadProfile(profile))] as const);
    const input = JSON.stringify(Object.fromEntries(samples));
    const { out, err } = runPython(["test/python/programs/fast_path.py"], input);
    expect(err).toBe("");
    const { checked, slow, raised } = JSON.parse(out) as Report;
    expect(checked).toBeGreaterThan(3000);
    const unlisted = slow.filter(([, name]) => !EXCEPTIONS.includes(name));
    expect(unlisted).toEqual([]);
    expect(raised.slice(0, 3)).toEqual([]);
  },
);

/** Names of scalars are left out: they are checked where they stand in a message. */
function samplesOf(protocol: Protocol): { readonly [definition: string]: readonly unknown[] } {
  const { typical, full, variants } = createSamples(protocol);
  const structured = protocol.definitions.filter(
    ({ shape }) => !["scalar", "enum", "any", "null"].includes(shape.kind),
  );
  return Object.fromEntries(
    structured.map(({ name }) => [name, [typical(name), full(name), ...variants(name).values()]]),
  );
}

interface Report {
  readonly checked: number;
  readonly slow: readonly (readonly [profile: string, definition: string, part: string])[];
  /** What raises for a value whose tag has another type. */
  readonly raised: readonly unknown[];
}
