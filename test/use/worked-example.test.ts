import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../generators/run/generate/generate.js";
import { ROOT } from "../paths.js";
import { findTypeErrors } from "./find-type-errors.js";

/** The code blocks of the README, by language, in their order. */
function blocks(language: string): string[] {
  const text = readFileSync(join(ROOT, "schema/README.md"), "utf8");
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, block]) => block!,
  );
}

describe("the worked example of the schema's README", () => {
  // Inside the repository, so that what is generated finds the types of Node.js.
  const folder = mkdtempSync(join(ROOT, "node_modules/.example-"));
  const source = (name: string): string => join(folder, "typescript/src/pinned", name);

  beforeAll(async () => {
    const feature = join(folder, "session-pin.json");
    writeFileSync(feature, blocks("json")[0]!);
    await generate({
      out: folder,
      protocol: "v1",
      with: [feature, "session_fork"],
      name: "pinned",
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("generates the stub that it shows", () => {
    const shown = blocks("ts")[0]!;
    const indented = shown
      .trimEnd()
      .split("\n")
      .map((line) => `  ${line}`)
      .join("\n");
    expect(readFileSync(source("dispatch.ts"), "utf8")).toContain(indented);
  });

  test("shows an agent that compiles against what is generated", () => {
    const program = join(folder, "typescript/src/agent.ts");
    writeFileSync(program, `import { createAgent } from "./pinned/index.js";\n${blocks("ts")[1]!}`);
    expect(findTypeErrors([program]).map(({ messageText }) => messageText)).toEqual([]);
  });
});
