/** A group of cases in a report. */
export interface JUnitSuite {
  readonly name: string;
  readonly cases: readonly JUnitCase[];
}

/** A case that passed, failed or was skipped. */
export interface JUnitCase {
  readonly name: string;
  /** The group within the suite that viewers show around the name, e.g. a definition. */
  readonly classname: string;
  /** Why it failed; the first line is its title. Absent when it passed or was skipped. */
  readonly failure?: string;
  /** Why it was skipped. */
  readonly skipped?: string;
  readonly seconds?: number;
}

/**
 * Prints results in the XML that JUnit made common, which build servers show as tests. All characters
 * that XML cannot contain become U+FFFD.
 */
export function junitReport(suites: readonly JUnitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  const lines = suites.flatMap(({ name, cases }) => [
    `  <testsuite name="${escape(name)}" ${counts(cases)}>`,
    ...cases.flatMap(printCase),
    "  </testsuite>",
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts(all)}>`,
    ...lines,
    "</testsuites>",
    "",
  ].join("\n");
}

function counts(cases: readonly JUnitCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const skipped = cases.filter(({ skipped: reason }) => reason !== undefined).length;
  const seconds = cases.reduce((sum, { seconds: own = 0 }) => sum + own, 0);
  const numbers = `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
  return `${numbers} time="${seconds.toFixed(3)}"`;
}

function printCase({ name, classname, failure, skipped, seconds = 0 }: JUnitCase): string[] {
  const head = `    <testcase name="${escape(name)}" classname="${escape(classname)}" time="${seconds.toFixed(3)}"`;
  if (failure !== undefined) {
    const [title = ""] = failure.split("\n");
    const text = `      <failure message="${escape(title)}">${escape(failure)}</failure>`;
    return [`${head}>`, text, "    </testcase>"];
  }
  if (skipped === undefined) return [`${head}/>`];
  return [`${head}>`, `      <skipped message="${escape(skipped)}"/>`, "    </testcase>"];
}

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** What XML 1.0 cannot contain, not even as a reference (section 2.2). */
const FORBIDDEN = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escape(text: string): string {
  return text.replace(FORBIDDEN, "\ufffd").replace(/[&<>"]/g, (found) => ENTITIES[found]!);
}
