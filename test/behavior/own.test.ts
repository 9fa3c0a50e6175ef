import { beforeAll, describe, expect, test } from "vitest";
import { HAS_PYTHON } from "../python/python-env.js";
import { failuresOf, idsOf, partOf, playAgain } from "./play.js";
import { OWN_SUBJECTS, usePython } from "./subjects.js";

beforeAll(usePython);

describe.each(OWN_SUBJECTS.map((own, index) => ({ ...own, index })))(
  "$profile, $subject, $language",
  ({ language, index, ...subject }) => {
    const only = partOf(idsOf(subject), index);
    const isSkipped = language === "Python" && !HAS_PYTHON && process.env["CI"] !== "true";
    test.skipIf(isSkipped || only.length === 0)(
      "passes every script",
      { timeout: 300_000 },
      async () => {
        const result = await playAgain(subject, only);
        expect(failuresOf(result)).toEqual([]);
        const passed = result.scripts.filter(({ outcome }) => outcome === "passed").length;
        expect(passed).toBeGreaterThan(0.9 * only.length);
      },
    );
  },
);
