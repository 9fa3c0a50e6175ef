import { expect, test } from "vitest";
import { withGoPatterns } from "../../../../generators/emit/go/patterns.js";
import { loadProfile } from "../site/small-site.js";

test("each definition with a pattern that Go cannot have is named", () => {
  const protocol = loadProfile("v1");
  const shape = { kind: "scalar", type: "string", pattern: "^(?!con)[a-z]+$" } as const;
  const [one, two, ...others] = protocol.definitions;
  const definitions = [{ ...one!, shape }, { ...two!, shape }, ...others];
  const named = [one!.name, two!.name].map((name) => `${name}: the pattern "${shape.pattern}"`);
  expect(() => withGoPatterns({ ...protocol, definitions })).toThrow(
    expect.objectContaining({
      problems: named.map(
        (message) =>
          expect.objectContaining({
            message: `${message} has no form in Go, because of "(?!"`,
          }) as object,
      ),
    }) as Error,
  );
});
