import { beforeAll, expect, test } from "vitest";
import { deepTest, IS_DEEP } from "../../support/deep.js";
import type { Fault, Outcome } from "./fault.js";
import type { Library } from "./peers.js";
import { FAULTS } from "./faults.js";

const outcomes: Record<Library, Map<Fault, Outcome>> = {
  ours: new Map(),
  sdk: new Map(),
  python: new Map(),
};

/** A deep run lets the same happen to the official SDK, which is slow where it does not answer. */
const LIBRARIES: readonly Library[] = IS_DEEP ? ["ours", "sdk"] : ["ours"];

beforeAll(async () => {
  await Promise.all(LIBRARIES.map(runAll));
  console.info([["fault", "asked", ...LIBRARIES].join(" | "), ...FAULTS.map(describe)].join("\n"));
}, 240_000);

test.each(FAULTS)("$id, $fault: $asked", (fault) => {
  expect(outcomes.ours.get(fault)!.mistakes).toEqual([]);
});

deepTest("every script runs on the official SDK, too", () => {
  const failed = [...outcomes.sdk.values()].filter(({ figure }) => figure.startsWith(FAILED));
  expect(failed).toEqual([]);
});

const FAILED = "the script failed";

/** One fault after the other; a script with a mistake of its own hides no other. */
async function runAll(library: Library): Promise<void> {
  for (const fault of FAULTS) {
    const outcome = await fault.run(library).catch((error: unknown): Outcome => {
      const figure = `${FAILED}: ${String(error)}`;
      return { figure, mistakes: [figure] };
    });
    outcomes[library].set(fault, outcome);
  }
}

/** A row of the table; what was not asked for stands in brackets, the first of it in full. */
function describe(fault: Fault): string {
  const cells = LIBRARIES.map((library) => {
    const { figure, mistakes } = outcomes[library].get(fault)!;
    const [first, ...more] = mistakes;
    if (first === undefined || first === figure) return figure;
    return `${figure} [${first.slice(0, 100)}${more.length > 0 ? ` and ${more.length} more` : ""}]`;
  });
  return [`${fault.id} ${fault.fault}`, fault.asked, ...cells].join(" | ");
}
