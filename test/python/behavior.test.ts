import { beforeAll, describe, onTestFinished } from "vitest";
import { askedOf, expectPassed, idsOf } from "../behavior/play.js";
import { OWN_SUBJECTS, usePython } from "../behavior/subjects.js";
import { forkTestees } from "./forked-testees.js";
import { pythonTest } from "./run-python.js";

beforeAll(usePython);

describe.each(OWN_SUBJECTS.filter(({ language }) => language === "Python"))(
  "$profile, $subject, Python",
  (subject) => {
    pythonTest("passes every script", { timeout: 600_000 }, async () => {
      if (process.platform === "win32") return expectPassed(subject, askedOf(idsOf(subject)));
      const { start, stop } = await forkTestees(subject.command);
      onTestFinished(stop);
      await expectPassed({ ...subject, start }, askedOf(idsOf(subject)));
    });
  },
);
