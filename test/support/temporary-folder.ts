import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished, TestRunner } from "vitest";

/** Makes a folder that is removed after the test that calls this, else after the tests of the file. */
export function temporaryFolder(prefix = join(tmpdir(), "acp-")): string {
  const folder = realpathSync(mkdtempSync(prefix));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (TestRunner.getCurrentTest()) onTestFinished(remove);
  else afterAll(remove);
  return folder;
}
