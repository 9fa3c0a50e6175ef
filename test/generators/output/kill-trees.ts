import type { VirtualFile } from "../../../generators/output/file.js";
import { nextManifest, printManifest } from "../../../generators/output/manifest.js";

export const MANIFEST = "acp-codegen.manifest.json";

/** One of two trees of 24 files: some differ, some are the same, some are in one only. */
export function treeOf(name: "old" | "new"): VirtualFile[] {
  return Array.from({ length: 24 }, (_, index) => ({
    path: index % 6 === 0 ? `${name}/only-${index}.txt` : `part-${index % 3}/file-${index}.txt`,
    text: index % 4 === 1 ? "the same" : `${name} ${index}`.repeat(500),
    language: "plain",
    profile: "*",
    target: "t",
  }));
}

export function manifestOf(tree: readonly VirtualFile[]): string {
  const scope = { profiles: new Set(["*"]), targets: new Set(["t"]) };
  const facts = { generator: "acp-codegen 0.0.0", profiles: {} };
  return printManifest(nextManifest(undefined, tree, scope, facts));
}
