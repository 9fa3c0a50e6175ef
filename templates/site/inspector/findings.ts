import type { Note } from "../../typescript/runtime/validate/decode-result.js";
import { isMask, show } from "../../typescript/runtime/conformance/select.js";
import { createSpelling } from "./spelling.js";
import type { ValueChecks } from "./value-checks.js";

/** An error, warning or note about a message. A note is informative only. */
export interface Finding {
  readonly level: "error" | "warning" | "note";
  readonly rule: string;
  /** JSON pointer (RFC 6901) into the message. */
  readonly path: string;
  readonly message: string;
}

/** Shared by all values without findings. */
const NOTHING: readonly never[] = [];

/**
 * Returns the findings of a lenient receiver: errors for a value that it cannot
 * use, otherwise a warning for each part that it drops and a note for each
 * unknown part. An unknown part that looks like a misspelling is a warning, since
 * all names without an underscore are reserved; so is an undeclared property.
 *
 * @param prefix JSON pointer of the value in its message
 */
export function inspectValue(
  checks: ValueChecks,
  definition: string,
  value: unknown,
  prefix = "",
): readonly Finding[] {
  const outcome = checks.decode(definition, value);
  if (outcome === undefined) return NOTHING;
  if (!outcome.ok)
    return outcome.issues.map(({ pointer, rule, expected, found }) => ({
      level: "error",
      rule,
      path: prefix + pointer,
      message: `expected ${expected}, found ${found}`,
    }));
  const undeclared = checks.undeclared?.(definition, value) ?? NOTHING;
  if (outcome.notes.length === 0 && undeclared.length === 0) return NOTHING;
  const spelling = createSpelling(checks, definition, value);
  const noted = outcome.notes.map((note): Finding => {
    const path = prefix + note.pointer;
    return note.rule === "unknown"
      ? { ...unknown(note, spelling.meant(note.pointer)), path }
      : { level: "warning", rule: note.rule, path, message: note.reason };
  });
  const misspelled = undeclared.flatMap((property): Finding[] => {
    const meant = spelling.misspelled(property);
    const reason = `${show(property.name)} is not ${property.isTag ? "known" : "declared here"}`;
    const path = prefix + property.pointer;
    return meant === undefined ? [] : [{ ...unknown({ rule: "unknown", reason }, meant), path }];
  });
  return [...noted, ...misspelled];
}

function unknown(
  { rule, reason }: Pick<Note, "rule" | "reason">,
  meant: string | undefined,
): Omit<Finding, "path"> {
  // Of a masked value, the mask says nothing.
  const shown = reason.replace(/^"([^"]*)"/, (name, text: string) =>
    /xx/i.test(text) && isMask(text) ? "a masked value" : name,
  );
  return meant === undefined
    ? { level: "note", rule, message: shown }
    : { level: "warning", rule, message: `${reason}; did you mean "${meant}"?` };
}
