import { describe, expect, test } from "vitest";
import {
  DEFINITIONS,
  LEAVES,
  NAMES,
  nestedValue,
  PARTS,
} from "../../use/json-schema/recursive-definitions.js";
import { IS_DEEP } from "../../support/deep.js";
import { HAS_PYTHON } from "../python-env.js";
import { compileSchema, runWithSchemas } from "./small-package.js";

/** Counts the calls of Python functions that each case takes, up to a limit; prints them. */
const COUNT = `
class TooMany(BaseException):
    pass

def count(work, *args):
    calls = 0
    def profile(frame, event, arg):
        nonlocal calls
        calls += event == "call"
        if calls > 300_000:
            raise TooMany
    sys.setprofile(profile)
    try:
        work(*args)
    except TooMany:
        pass
    finally:
        sys.setprofile(None)
    return calls

for definition, value in given:
    schema = getattr(schemas, definition)
    # The first diagnosis creates its functions.
    count(schema.issues, value)
    print(count(schema.is_valid, value), count(schema.decode, value))
`;

describe.skipIf(!HAS_PYTHON)("the work of Python for a recursive union", async () => {
  const files = await compileSchema(DEFINITIONS);
  const cases = Object.keys(LEAVES).flatMap((leaf) =>
    Object.keys(PARTS).map((part) => [leaf, part] as const),
  );
  test.each(NAMES.slice(0, IS_DEEP ? undefined : 2))("grows with the depth: %s", (name) => {
    const given = cases.flatMap(([leaf, part]) =>
      [10, 20, 100].map((depth) => {
        const { definition, value } = nestedValue(name, depth, leaf, part);
        return [definition, value];
      }),
    );
    const { out, err } = runWithSchemas(files, COUNT, given);
    expect(err).toBe("");
    const counts = out
      .trim()
      .split("\n")
      .map((line) => line.split(" ").map(Number));
    expect(counts).toHaveLength(given.length);
    cases.forEach((one, index) => {
      const [few, more, most] = counts.slice(3 * index, 3 * index + 3);
      for (const work of [0, 1]) {
        const grown = { case: one, calls: [few![work], more![work], most![work]] };
        expect(more![work], JSON.stringify(grown)).toBeLessThan(few![work]! * 5);
        expect(most![work], JSON.stringify(grown)).toBeLessThan(few![work]! * 50);
      }
    });
  });
});
