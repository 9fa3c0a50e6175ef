import { beforeAll, describe } from "vitest";
import { askedOf, expectPassed, idsOf } from "../behavior/play.js";
import { OWN_SUBJECTS, usePython } from "../behavior/subjects.js";
import { pythonTest } from "./run-python.js";

beforeAll(usePython);

describe.each(OWN_SUBJECTS.filter(({ language }) => language === "Python"))(
  "$profile, $subject, Python",
  (subject) => {
    pythonTest("passes every script", { timeout: 600_000 }, () =>
      expectPassed(subject, askedOf(idsOf(subject))),
    );
  },
);
