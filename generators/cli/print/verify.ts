import type { Verified } from "../../run/verify/verify.js";
import { withoutControls } from "../../schema/controls.js";
import { count, foreignNote } from "./format.js";

/** Prints the result of a verification for people. */
export function printVerified(
  { files, rebuilt, findings, foreign }: Verified,
  folder: string,
): string {
  const notes = foreign.length > 0 ? [foreignNote(foreign)] : [];
  if (findings.length > 0) {
    const rows = findings.map(({ path, message }) =>
      withoutControls(path === undefined ? `  ${message}` : `  ${path} ${message}`),
    );
    return [`${folder} does not match its manifest:`, ...rows, ...notes].join("\n");
  }
  const proof =
    rebuilt.length > 0
      ? `; regenerated without differences: ${withoutControls(rebuilt.join(", "))}`
      : " (manifest only)";
  return [`${folder} is complete: ${count(files, "file")}${proof}`, ...notes].join("\n");
}
