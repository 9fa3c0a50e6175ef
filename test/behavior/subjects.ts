import { PYTHON, PYTHON_ENV } from "../python/python-env.js";
import { ROOT } from "../support/paths.js";
import type { Subject } from "../../generators/index.js";

const TESTEES = `${ROOT}test/behavior/testees/`;

/** A program that the behavior corpus is played with. */
export interface TestedSubject {
  readonly language: "TypeScript" | "Python";
  readonly subject: Subject;
  readonly profile: "v1" | "v2";
  readonly command: readonly string[];
}

/** Our bindings in both languages, as agent and as client, in both versions. */
export const OWN_SUBJECTS: readonly TestedSubject[] = (["agent", "client"] as const).flatMap(
  (subject) =>
    (["1", "2"] as const).flatMap((version): TestedSubject[] => [
      {
        language: "TypeScript",
        subject,
        profile: `v${version}`,
        command: [process.execPath, `${TESTEES}${subject}.mjs`, version],
      },
      {
        language: "Python",
        subject,
        profile: `v${version}`,
        command: [PYTHON, `${TESTEES}${subject}.py`, version],
      },
    ]),
);

/** Lets the processes of the corpus import the generated Python package. */
export function usePython(): void {
  Object.assign(process.env, { PYTHONPATH: PYTHON_ENV.PYTHONPATH });
}
