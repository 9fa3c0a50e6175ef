import { beforeAll, expect, test } from "vitest";
import { deepTest, IS_DEEP } from "../../support/deep.js";
import { cancel } from "./cases/cancel.js";
import { depth } from "./cases/depth.js";
import { ends } from "./cases/ends.js";
import type { Fault, Outcome } from "./fault.js";
import { floods } from "./cases/floods.js";
import { framing } from "./cases/framing.js";
import { ids } from "./cases/ids.js";
import { invalid } from "./cases/invalid.js";
import { jsonTexts } from "./cases/json-texts.js";
import { keys } from "./cases/keys.js";
import { order } from "./cases/order.js";
import type { Library } from "./peers.js";
import { responses } from "./cases/responses.js";
import { results } from "./cases/results.js";

const FAULTS: readonly Fault[] = [
  ...framing,
  ...jsonTexts,
  ...depth,
  ...results,
  ...ids,
  ...responses,
  ...order,
  ...keys,
  ...floods,
  ...cancel,
  ...ends,
  ...invalid,
].sort((one, two) => Number(one.id.slice(1)) - Number(two.id.slice(1)));

const outcomes: Record<Library, Map<Fault, Outcome>> = { ours: new Map(), sdk: new Map() };

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
