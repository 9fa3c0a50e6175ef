import { join } from "node:path";
import { MANIFEST_FILE, parseManifest, type Manifest } from "../../output/manifest.js";
import { readOutput } from "../../output/disk/write.js";
import { SITE_TARGET } from "../site-target.js";

/** Returns the path of the manifest that lists the files of these targets. */
export function manifestPathOf(targets: readonly string[] | undefined): string {
  const isSite = targets?.length === 1 && targets[0] === SITE_TARGET;
  return join(isSite ? "site" : "", MANIFEST_FILE);
}

/** Returns a manifest of an output folder; undefined when there is none that can be parsed. */
export function readManifest(out: string, path: string): Manifest | undefined {
  const text = readOutput(out, path);
  return text === undefined ? undefined : parseManifest(text);
}
