import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../../generators/run/generate/generate.js";
import { lintPaths } from "../../../generators/run/lint/lint.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { findTypeErrors } from "./find-type-errors.js";

/** The code blocks of the page, by language, in their order. */
function blocks(language: string): string[] {
  const text = readFileSync(join(ROOT, "templates/site/guides/tool/features.md"), "utf8");
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, block]) => block!,
  );
}

interface Example {
  readonly add: object;
  readonly $defs: { readonly PinSessionRequest: { readonly properties: object } };
}

/** Refers to what the third block defines, as the page says. */
const REFERENCES = {
  reason: { $ref: "#/$defs/PinReason", description: "The reason for the pin." },
  place: { $ref: "#/$defs/PinPlace", description: "The place of the session." },
};

describe("the worked example of feature files", () => {
  // Inside the repository, so that what is generated finds the types of Node.js.
  const folder = temporaryFolder(join(ROOT, "node_modules/.example-"));
  const source = (name: string): string => join(folder, "typescript/src/pinned", name);

  beforeAll(async () => {
    const feature = join(folder, "session-pin.json");
    const [example, variant, open] = blocks("json").map((block) => JSON.parse(block) as Example);
    const { add, $defs } = example!;
    const { PinSessionRequest: request } = $defs;
    const properties = { ...request.properties, ...REFERENCES };
    const definitions = { ...$defs, PinSessionRequest: { ...request, properties }, ...open };
    const whole = { ...example, add: { ...add, ...variant }, $defs: definitions };
    writeFileSync(feature, JSON.stringify(whole));
    await generate({
      out: folder,
      protocol: "v1",
      with: [feature, "session_fork"],
      name: "pinned",
    });
  });
  test("generates the stub that it shows", () => {
    const shown = blocks("ts")[0]!;
    const indented = shown
      .trimEnd()
      .split("\n")
      .map((line) => `  ${line}`)
      .join("\n");
    expect(readFileSync(source("roles.ts"), "utf8")).toContain(indented);
  });

  test("adds the variant at the documented place, without findings of lint", () => {
    const { findings } = lintPaths({ paths: [join(folder, "session-pin.json")] });
    expect(findings).toEqual([]);
    const types = readFileSync(source("types.ts"), "utf8");
    // Both sides send what the request and the update have in common.
    expect(types).toContain('export type PinReason = "user" | "active" | (string & {});');
    expect(types).toMatch(/type PinPlace =[^]*?type: "first"[^]*?type: `_\$\{string\}`/);
    const tags = [...types.matchAll(/sessionUpdate: "(\w+)"/g)].map(([, tag]) => tag);
    expect(tags[tags.indexOf("session_info_update") + 1]).toBe("session_pin");
  });

  test("shows an agent that compiles with the generated bindings", () => {
    const program = join(folder, "typescript/src/agent.ts");
    writeFileSync(program, `import { createAgent } from "./pinned/index.js";\n${blocks("ts")[1]!}`);
    expect(findTypeErrors([program]).map(({ messageText }) => messageText)).toEqual([]);
  });

  test("shows a vendor's feature that is complete", async () => {
    const feature = join(folder, "example.json");
    writeFileSync(feature, blocks("json")[3]!);
    expect(lintPaths({ paths: [feature] }).findings).toEqual([]);
    const out = join(folder, "vendor");
    await generate({ out, protocol: "v1", with: [feature], name: "vendor" });
    const roles = readFileSync(join(out, "typescript/src/vendor/roles.ts"), "utf8");
    expect(roles).toContain("readonly reindex?: (");
  });
});
