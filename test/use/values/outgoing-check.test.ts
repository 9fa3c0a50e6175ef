import type { MethodDescriptor, Issue } from "acp-bindings";
import fc from "fast-check";
import { beforeAll, describe, expect, it, test } from "vitest";
import type { Json } from "../../../generators/schema/json-schema/json.js";
import type { Check } from "../../../templates/typescript/runtime/validate/check.js";
import { arbitrariesOf } from "../samples/arbitraries.js";
import { corpus } from "../samples/corpus-lines.js";
import { changeHostilely } from "./hostile-changes.js";
import { createMutate } from "../samples/mutate-value.js";
import { loadBindings, PROFILES, type Profile } from "../samples/profiles.js";
import { createRandom } from "../samples/random.js";
import { IS_DEEP } from "../../support/deep.js";

const SEED = process.env["SEED"] ?? "1";
/** Changed values of each definition. */
const RUNS = IS_DEEP ? 5000 : 80;
const LONGEST_MS = IS_DEEP ? 3_600_000 : 60_000;

/** The checks of outgoing messages. */
interface Checking {
  /** The definitions that methods carry. */
  readonly carried: readonly string[];
  readonly samples: readonly { readonly [definition: string]: Json }[];
  /** The fast path. */
  readonly mayBeSent: (definition: string, value: unknown) => boolean;
  /** Whether a definition has a fast path. */
  readonly isHot: (definition: string) => boolean;
  /** The slow path. */
  readonly explainRejected: (definition: string, value: unknown) => readonly Issue[];
}

/** The parts of the generated package that it does not export. */
async function load<T>(path: string): Promise<T> {
  const url = new URL(`../../../out/typescript/dist/${path}.js`, import.meta.url);
  return (await import(/* @vite-ignore */ url.href)) as T;
}

async function loadChecking(profile: Profile): Promise<Checking> {
  const { METHODS } = await load<{ METHODS: readonly MethodDescriptor[] }>(`${profile}/methods`);
  const mocks = await load<{ SAMPLES: {}; FULL_SAMPLES: {} }>(`${profile}/mocks`);
  const checks = await load<{ readonly [name: string]: Check }>(`${profile}/internal/checks`);
  const fastPath = await load<{ mayBeSent: (check: Check, value: unknown) => boolean }>(
    "runtime/validate/outgoing-check",
  );
  const slowPath = await load<{
    explainRejected: (check: Check, value: unknown) => readonly Issue[];
  }>("runtime/validate/encode");
  return {
    carried: [...new Set(METHODS.flatMap(({ params, result = params }) => [params, result]))],
    isHot: (name) => checks[name]!.is !== undefined,
    samples: [mocks.SAMPLES, mocks.FULL_SAMPLES],
    mayBeSent: (name, value) => fastPath.mayBeSent(checks[name]!, value),
    explainRejected: (name, value) => slowPath.explainRejected(checks[name]!, value),
  };
}

describe.each(PROFILES)(`in %s (SEED=${SEED}),`, async (profile) => {
  const { bundle } = await loadBindings(profile);
  const { carried, isHot, samples, mayBeSent, explainRejected } = await loadChecking(profile);
  const mutate = createMutate(bundle);
  const [plainOf, anyOf] = [arbitrariesOf(bundle, false), arbitrariesOf(bundle)];
  const lines = profile === "v1" ? [...corpus("valid"), ...corpus("invalid")] : [];
  const counts = { fine: 0, refused: 0 };

  /** Values of a definition, most of them valid. */
  function valuesOf(name: string): Json[] {
    const options = { seed: Number(SEED), numRuns: 40 };
    return [
      ...samples.flatMap((all) => (Object.hasOwn(all, name) ? [all[name]!] : [])),
      ...lines.filter(({ def }) => def === name).map(({ value }) => value as Json),
      ...fc.sample(plainOf(name), options),
      ...fc.sample(anyOf(name), options),
    ];
  }

  function expectNoError(name: string, value: unknown): void {
    if (!mayBeSent(name, value)) {
      if (explainRejected(name, value).length === 0) expectSent(name, value);
      return void counts.refused++;
    }
    counts.fine++;
    const issues = explainRejected(name, value);
    // The fast path does not look for scalars that are not enumerable.
    const others = issues.filter(({ expected }) => expected !== "an enumerable property");
    expect(others, name).toEqual([]);
    if (issues.length === 0) expectSent(name, value);
  }

  /** Checks that what was checked is what JSON gets. */
  function expectSent(name: string, value: unknown): void {
    const sent: unknown = JSON.parse(JSON.stringify(value));
    expect(explainRejected(name, sent), name).toEqual([]);
  }

  it(
    "the slow path accepts each value that the fast path accepts; both verdicts are frequent",
    { timeout: LONGEST_MS },
    () => {
      for (const name of carried) {
        const values = valuesOf(name);
        for (const value of values) expectNoError(name, value);
        const random = createRandom(`${SEED} ${profile} ${name}`);
        for (let run = 0; run < RUNS; run++) {
          const value = random.pick(values);
          expectNoError(name, mutate(value, random));
          expectNoError(name, changeHostilely(value, random));
        }
      }
      expect(counts.fine).toBeGreaterThan(1000);
      expect(counts.refused).toBeGreaterThan(1000);
    },
  );

  it("the fast path accepts nearly all full samples of what a turn holds", () => {
    const hot = carried.filter(isHot);
    const names = hot.filter((name) => !mayBeSent(name, samples[1]![name]));
    expect(hot.length).toBeGreaterThan(10);
    expect(names.length / hot.length, names.join(", ")).toBeLessThanOrEqual(0.1);
  });
});

/** The updates that every turn may have. */
const FREQUENT =
  /^(user_message_chunk|agent_(message|thought)_chunk|tool_call|plan|usage)(_update)?$/;

/** Returns whether a message has an update of a setting, or one that a gate allows. */
function hasRareUpdate(message: unknown): boolean {
  const { update } = message as { readonly update?: { readonly sessionUpdate?: string } };
  return update?.sessionUpdate !== undefined && !FREQUENT.test(update.sessionUpdate);
}

describe("of the valid messages of the corpus", () => {
  let checking: Checking;
  beforeAll(async () => {
    checking = await loadChecking("v1");
  });

  test("the fast path accepts 98 % of the messages of turns", ({ annotate }) => {
    const messages = corpus("valid").filter(
      ({ def, value }) =>
        checking.carried.includes(def) && checking.isHot(def) && !hasRareUpdate(value),
    );
    expect(messages.length).toBeGreaterThan(100);
    const fast = messages.filter(({ def, value }) => checking.mayBeSent(def, value));
    void annotate(`${fast.length} of ${messages.length} messages take the fast path`);
    expect(fast.length / messages.length).toBeGreaterThanOrEqual(0.98);
  });
});
