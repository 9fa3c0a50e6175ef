import { beforeAll, describe, test } from "vitest";
import { buildTestee } from "../go/build-testee.js";
import { HAS_GO } from "../go/toolchain.js";
import { HAS_PYTHON } from "../python/python-env.js";
import { askedOf, expectPassed, idsOf, partOf } from "./play.js";
import { OWN_SUBJECTS, usePython } from "./subjects.js";

/** Python and Go play one of so many scripts here, and all of them in the system tier. */
const EVERY = 8;

beforeAll(usePython);

const GO = (["agent", "client"] as const).flatMap((subject) =>
  ([1, 2] as const).map((version) => ({
    ...({ language: "Go", subject, profile: `v${version}` } as const),
    prepare: () => [buildTestee(subject, version), String(version)],
  })),
);
const SUBJECTS = [...OWN_SUBJECTS.map((own) => ({ ...own, prepare: () => own.command })), ...GO];
const IS_HERE = { TypeScript: true, Python: HAS_PYTHON, Go: HAS_GO };
for (const [language, isHere] of Object.entries(IS_HERE))
  if (!isHere) console.log(`${language} is not here: skipped its part of the behavior corpus`);

describe.each(SUBJECTS.map((own, index) => ({ ...own, index })))(
  "$profile, $subject, $language",
  ({ language, index, prepare, subject, profile }) => {
    const all = idsOf({ subject, profile });
    const only = language === "TypeScript" ? askedOf(all) : partOf(all, EVERY, index);
    const isSkipped = !IS_HERE[language] && process.env["CI"] !== "true";
    test.skipIf(isSkipped || only.length === 0)("passes every script", { timeout: 300_000 }, () =>
      expectPassed({ subject, profile, command: prepare() }, only),
    );
  },
);
