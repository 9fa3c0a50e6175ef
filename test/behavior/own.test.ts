import { beforeAll, describe, onTestFinished, test, vi } from "vitest";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { buildTestee } from "../go/build-testee.js";
import { HAS_GO } from "../go/toolchain.js";
import { HAS_PYTHON } from "../python/python-env.js";
import { askedOf, expectPassed, idsOf, partOf, scriptsOf } from "./play.js";
import { OWN_SUBJECTS, usePython } from "./subjects.js";
import type { BehaviorScript, Subject } from "../../generators/index.js";
import { SubjectProcess } from "../../generators/tools/processes/subject-process.js";
import { ROOT } from "../support/paths.js";

/** Python and Go play one of so many scripts here, and all of them in the system tier. */
const EVERY = 16;

beforeAll(usePython);

/** Of Go, version 1 alone: each version takes as long to compile as all others to play. */
const GO = (["agent", "client"] as const).map((subject) => ({
  ...({ language: "Go", subject, profile: "v1" } as const),
  prepare: () => [buildTestee(subject, 1), "1"],
}));
const [PYTHON, TYPESCRIPT] = (["Python", "TypeScript"] as const).map((language) =>
  OWN_SUBJECTS.filter((own) => own.language === language),
);
const OTHERS = [...PYTHON!.map((own) => ({ ...own, prepare: () => own.command })), ...GO];
const IS_HERE = { TypeScript: true, Python: HAS_PYTHON, Go: HAS_GO };
for (const [language, isHere] of Object.entries(IS_HERE))
  if (!isHere) console.log(`${language} is not here: skipped its part of the behavior corpus`);

describe.each(TYPESCRIPT!)("$profile, $subject, TypeScript", ({ language: _, ...own }) => {
  const scripts = scriptsOf(own);
  const asked = askedOf(scripts.map(({ id }) => id));
  const here = scripts.filter(isPlayableHere).map(({ id }) => id);
  const start = () => startHere(own.subject, Number(own.profile.slice(1)));

  test("passes every script", { timeout: 300_000 }, async () => {
    const reports = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => reports.mockRestore());
    const only = asked.filter((id) => here.includes(id));
    await expectPassed({ ...own, start }, only);
  });

  test("passes every script that ends or stops its process", { timeout: 300_000 }, () =>
    expectPassed(
      own,
      asked.filter((id) => !here.includes(id)),
    ),
  );
});

describe.each(OTHERS.map((own, index) => ({ ...own, index })))(
  "$profile, $subject, $language",
  ({ language, index, prepare, subject, profile }) => {
    const only = partOf(idsOf({ subject, profile }), EVERY, index);
    const isSkipped = !IS_HERE[language] && process.env["CI"] !== "true";
    test.skipIf(isSkipped || only.length === 0)("passes scripts", { timeout: 300_000 }, () =>
      expectPassed({ subject, profile, command: prepare() }, only),
    );
  },
);

describe.each(OWN_SUBJECTS)("$profile-unstable, $subject, $language", ({ language, ...own }) => {
  const { subject } = own;
  const profile = `${own.profile}-unstable`;
  const stable = idsOf(own);
  const only = idsOf({ subject, profile }).filter((id) => !stable.includes(id));
  const isSkipped = !IS_HERE[language] && process.env["CI"] !== "true";
  test.skipIf(isSkipped)("passes the scripts of features", { timeout: 300_000 }, () =>
    expectPassed({ subject, profile, command: [...own.command, profile] }, askedOf(only)),
  );
});

/** The texts of steps and prompts that need a process, which ends, gets signals or prints. */
const OF_PROCESSES = /"(?:close|expectExit|output|signal)":|"print /;

/** Returns whether a script can be played with a testee in this process. */
function isPlayableHere({ steps }: BehaviorScript): boolean {
  return !OF_PROCESSES.test(JSON.stringify(steps));
}

/** Starts a TypeScript testee in this process, without the time that a process takes to start. */
async function startHere(subject: Subject, version: number): Promise<SubjectProcess> {
  const { byteTransport } = await import("acp-bindings/stdio");
  const { serve } = (await import(`${ROOT}test/behavior/testees/${subject}.mjs`)) as Testee;
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const program = Object.assign(new EventEmitter(), { stdin, stdout, stderr, kill: () => {} });
  const exit = (code: number): void => void program.emit("exit", code, null);
  serve(version, byteTransport(stdin, stdout)).then(
    () => exit(0),
    (error: Error) => {
      stderr.write(error.stack);
      exit(1);
    },
  );
  return new SubjectProcess(program, () => {
    stdin.destroy();
    exit(1);
  });
}

interface Testee {
  serve(version: number, transport: unknown): Promise<void>;
}
