// `npm run diff:on-demand [revision]`: generates Python and Go of a revision in a scratch worktree, and prints what has
// changed since in the files that `.gitignore` lists. By default the revision is HEAD, or its parent when nothing has
// changed since: in continuous integration, that is the base of a pull request.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../generators/run/installation.js";
import { git, writeWholeTree } from "./git.js";
import { restoreOnDemand } from "./on-demand.js";

const FOLDERS = ["out/go", "out/python/acp_bindings"];
const IGNORED = [
  ...["out/go/acpv*", ":!out/go/acpv1/"],
  ...["out/python/acp_bindings/v*", ":!out/python/acp_bindings/v1/"],
];

const hasChanges = git(ROOT, ["diff", "--name-only", "HEAD"]) !== "";
const base = process.argv[2] ?? (hasChanges ? "HEAD" : "HEAD^");
await restoreOnDemand();
const scratch = mkdtempSync(join(tmpdir(), "acp-base-"));
try {
  git(ROOT, ["worktree", "add", "--quiet", "--detach", scratch, base]);
  symlinkSync(join(ROOT, "node_modules"), join(scratch, "node_modules"), "junction");
  execFileSync(
    process.execPath,
    ["--import", "tsx", "generators/cli/main.ts", "generate", "--target", "python", "go"],
    {
      cwd: scratch,
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, ACP_CODEGEN_CACHE: "" },
    },
  );
  const [before, after] = [scratch, ROOT].map((folder) => writeWholeTree(folder, FOLDERS));
  console.log(`Python and Go that the repository has as digests, since ${base}:`);
  console.log(git(ROOT, ["diff", "--stat", "--patch", before!, after!, "--", ...IGNORED]));
} finally {
  rmSync(scratch, { recursive: true, force: true });
  git(ROOT, ["worktree", "prune"]);
}
