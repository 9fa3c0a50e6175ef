import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../../generators/run/generate/generate.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { findTypeErrors } from "../projects/find-type-errors.js";

const SNAPSHOT = join(ROOT, "node_modules/@agentclientprotocol/sdk/dist/nes/schema/types.gen.d.ts");

/** The differences between the frozen snapshot of the official SDK and our types, with the reason. */
const DIFFERENCES: { readonly [type: string]: string } = {
  PositionEncodingKind: "open in sent types, since both sides receive it",
};

describe("v1-unstable with nes", () => {
  // Inside the repository, so that the snapshot's imports resolve.
  const folder = temporaryFolder(join(ROOT, "node_modules/.nes-"));
  const names = [
    ...readFileSync(SNAPSHOT, "utf8").matchAll(
      /^export (?:declare )?(?:type|interface|enum) (\w+)/gm,
    ),
  ].map(([, name]) => name!);
  let errors: string[] = [];

  beforeAll(async () => {
    await generate({
      out: folder,
      profiles: ["v1-unstable"],
      with: ["nes"],
      name: "with-nes",
      targets: ["types"],
    });
    const checks = names.map(
      (name) => `export const ${name}: Mutual<Plain<theirs.${name}>, Plain<ours.${name}>> = true;`,
    );
    const file = join(folder, "check.ts");
    writeFileSync(
      file,
      `import type * as theirs from ${JSON.stringify(SNAPSHOT.replace(".d.ts", ".js"))};
import type * as ours from "./typescript/src/with-nes/types.js";
// Ours may be readonly and undefined where the official ones may not.
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object ? { [Name in keyof T]: Plain<Exclude<T[Name], undefined>> } : T;
type Mutual<A, B> = [A] extends [B] ? ([B] extends [A] ? true : "ours takes more") : "theirs takes more";
${checks.join("\n")}
export const Control: Mutual<theirs.Position, ours.Range> = true;
`,
    );
    errors = findTypeErrors([file]).map(({ messageText, start, file: at }) => {
      const line = at?.text.slice(0, start).split("\n").at(-1) ?? "";
      return `${/const (\w+)/.exec(line + (at?.text.slice(start, start! + 60) ?? ""))?.[1] ?? line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
  });
  test("has every type of the official SDK's frozen snapshot, equal except for the listed ones", () => {
    expect(names.length).toBeGreaterThanOrEqual(57);
    expect(errors.map((error) => error.split(" ")[0]!)).toEqual([
      ...Object.keys(DIFFERENCES),
      "Control",
    ]);
  });
});
