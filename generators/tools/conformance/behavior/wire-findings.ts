import type { Subject } from "../../../schema/source/behavior-source.js";
import type { Finding, Inspector, Violation } from "../../inspect/inspector-api.js";
import type { Exchanged } from "./play-script.js";

/** What the inspector finds in a message of a subject. */
export interface SubjectFinding extends Finding {
  /** The method that the message calls or answers. */
  readonly method: string | undefined;
}

/**
 * Checks everything that was sent and received, and returns what is wrong with the messages of the
 * subject.
 *
 * @param hasEnded whether what the subject has left open counts
 */
export function findInWire(
  exchanged: readonly Exchanged[],
  subject: Subject,
  inspector: Inspector,
  hasEnded: boolean,
): readonly SubjectFinding[] {
  const other: Subject = subject === "agent" ? "client" : "agent";
  /** The messages of the subject, with the methods that they call or answer. */
  const own = new Map<number, string | undefined>();
  const found: SubjectFinding[] = [];
  const add = ({ level, rule, path = "", message }: Omit<Violation, "line">, line: number): void =>
    void (own.has(line) && found.push({ level, rule, path, message, method: own.get(line) }));
  const addViolations = (violations: readonly Violation[]): void =>
    violations.forEach((one) => add(one, one.line));
  exchanged.forEach(({ from, message }, index) => {
    if (message === undefined) return;
    const side = from === "subject" ? subject : other;
    const { findings, violations, method } = inspector.inspect({ message, from: side }, index);
    if (from === "subject") own.set(index, method);
    findings.forEach((finding) => add(finding, index));
    addViolations(violations);
  });
  if (hasEnded) addViolations(inspector.end());
  return found;
}
