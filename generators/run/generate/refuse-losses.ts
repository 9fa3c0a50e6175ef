import type { Drift } from "../../output/drift.js";
import { hasHeader } from "../../output/header.js";
import { sha256, type Manifest, type ManifestEntry } from "../../output/manifest.js";
import { readOutput } from "../../output/disk/write.js";
import { OutputError } from "../../output/output-error.js";

/**
 * Refuses a run that would overwrite or remove text that no run has generated: files that the
 * manifest does not list, and files that were changed since they were generated. The manifest is
 * part of the folder, so a file must also agree with the digest there.
 *
 * @throws OutputError naming the files
 */
export function refuseLosses(out: string, drift: Drift, previous: Manifest | undefined): void {
  const entries = new Map(previous?.files.map((entry) => [entry.path, entry]));
  const changed = new Set<string>();
  const foreign = new Set<string>();
  const replaced = drift.write.filter(({ exists }) => exists).map(({ file }) => file.path);
  for (const path of [...replaced, ...drift.remove]) {
    const text = readOutput(out, path);
    const entry = entries.get(path);
    if (text === undefined || (entry !== undefined && isAsGenerated(text, entry))) continue;
    if (entry !== undefined) changed.add(path);
    else if (!hasHeader(text)) foreign.add(path);
  }
  if (foreign.size > 0) {
    throw new OutputError(
      `files that acp-codegen has not generated are in the way in ${out}: ${list(foreign)}. ` +
        "Move them, choose another output folder, or overwrite them with --force.",
    );
  }
  if (changed.size > 0) {
    throw new OutputError(
      `files were changed in ${out} since acp-codegen generated them: ${list(changed)}. ` +
        "Copy your changes to another folder, then discard them with --force.",
    );
  }
}

/** Compares digests; a checkout may have changed the line ends. */
function isAsGenerated(text: string, { sha256: digest }: ManifestEntry): boolean {
  return sha256(text) === digest || sha256(text.replaceAll("\r\n", "\n")) === digest;
}

function list(paths: ReadonlySet<string>): string {
  return [...paths].slice(0, 5).join(", ") + (paths.size > 5 ? ", …" : "");
}
