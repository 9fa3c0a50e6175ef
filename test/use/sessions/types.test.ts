import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { ROOT } from "../../support/paths.js";

test("a state is typed by the updates of the profile", () => {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const file = join(ROOT, "test/use/sessions/typed-program.ts");
  const program = ts.createProgram([file], options);
  const diagnostics = ts.getPreEmitDiagnostics(program, program.getSourceFile(file));
  expect(
    diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
  ).toEqual([]);
});
