// On a release: commits the Go module with all profiles on top of HEAD, tags the commit as Go expects it of a module in
// a folder, and writes both into a bundle. The job that may push the tag runs nothing but git. The same HEAD gives the
// same commit.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../generators/run/installation.js";
import { git, writeWholeTree } from "./git.js";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly version: string;
};
const tag = `refs/tags/out/go/v${version}`;
const [name, email, date] = git(ROOT, ["show", "--no-patch", "--format=%cn%n%ce%n%cI"]).split("\n");
const commit = git(
  ROOT,
  [
    ...["commit-tree", writeWholeTree(ROOT, ["out/go"]), "-p", "HEAD"],
    ...["-m", `Add the Go packages of all profiles for ${version}`],
  ],
  {
    ...{ GIT_AUTHOR_NAME: name!, GIT_AUTHOR_EMAIL: email!, GIT_AUTHOR_DATE: date! },
    ...{ GIT_COMMITTER_NAME: name!, GIT_COMMITTER_EMAIL: email!, GIT_COMMITTER_DATE: date! },
  },
);
git(ROOT, ["update-ref", tag, commit]);
git(ROOT, ["bundle", "create", process.argv[2]!, tag, "^HEAD"]);
