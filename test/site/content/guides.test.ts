import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { packageOf } from "../../../generators/emit/go/names.js";
import { readTemplates } from "../../../generators/run/installation.js";
import { TURN } from "../../../generators/emit/site/home/front-page.js";
import { readGuides } from "../../../generators/emit/site/articles/guides/read-guides.js";
import { goTest } from "../../go/go-test.js";
import { buildProgram, run } from "../../go/toolchain.js";
import { ROOT } from "../../support/paths.js";
import { findTypeErrors } from "../../use/projects/find-type-errors.js";
import { IS_DEEP } from "../../support/deep.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { runToEnd } from "../../support/processes.js";

const guides = readGuides(readTemplates());
// Inside the repository, so that the package is found by its name.
const makeFolder = (): string => temporaryFolder(join(ROOT, "node_modules/.guide-"));

describe.each([
  ["v1", ["v1", ...(IS_DEEP ? ["v1-unstable", "v1-full"] : [])]],
  ["v2", ["v2", ...(IS_DEEP ? ["v2-unstable", "v2-full"] : [])]],
] as const)("the guide to begin with, for %s", (version, profiles) => {
  const guide = guides.find(({ article }) => article.path === "getting-started.html")!;
  const block = (use: string): string =>
    guide.examples
      .find((example) => example.use === `file ${use}` && ["", version].includes(example.needs))!
      .text.replaceAll("%version%", version);

  test.each(profiles)(
    "has an agent and a client for %s that compile and communicate",
    (profile) => {
      const folder = makeFolder();
      const programs = ["agent", "client"].map((name) => join(folder, `${name}.ts`));
      for (const [index, name] of ["agent", "client"].entries()) {
        const text = block(`${name}.ts`).replaceAll("%profile%", profile);
        writeFileSync(programs[index]!, text);
        const { outputText } = ts.transpileModule(text, {
          compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
        });
        writeFileSync(join(folder, `${name}.js`), outputText);
      }
      writeFileSync(join(folder, "package.json"), '{"type":"module"}');
      const errors = findTypeErrors(programs).map(({ messageText }) =>
        ts.flattenDiagnosticMessageText(messageText, " "),
      );
      expect(errors).toEqual([]);
      const options = { cwd: folder, timeout: 20_000 };
      const ended = runToEnd(process.execPath, ["client.js"], options);
      expect(ended).toEqual({ code: 0, out: "Hello\nend_turn\n", err: "" });
    },
  );

  test.each(profiles)("has an agent and a client for %s in Python that communicate", (profile) => {
    const folder = makeFolder();
    for (const name of ["agent.py", "client.py"])
      writeFileSync(
        join(folder, name),
        block(name).replaceAll("%module%", profile.replaceAll("-", "_")),
      );
    const env = { ...process.env, PYTHONPATH: join(ROOT, "out/python") };
    const ended = runToEnd("python3", ["client.py"], { cwd: folder, env, timeout: 20_000 });
    expect(ended).toMatchObject({ out: "Hello\nend_turn\n", err: "" });
  });

  goTest.each(profiles)("has an agent and a client for %s in Go that communicate", (profile) => {
    const folder = makeFolder();
    const build = (name: string): string => {
      const text = block(`${name}.go`)
        .replaceAll("%package%", packageOf(profile))
        .replaceAll(/\{(v\d):([^}]*)\}/g, (_, only, text: string) =>
          only === version ? text : "",
        );
      return buildProgram(folder, { [`${name}/main.go`]: text }, name);
    };
    build("agent");
    const { out, err } = run(build("client"), [], { cwd: folder });
    expect({ out, err }).toEqual({ out: "Hello\nend_turn\n", err: "" });
  });
});

test("the turn on the front page is a recorded one", () => {
  const said = readFileSync(join(ROOT, "templates/site/demo.ndjson"), "utf8")
    .split("\n")
    .filter((line) => line.includes('"message"'))
    .map((line) => (JSON.parse(line) as { readonly message: object }).message);
  const texts = said.flatMap(textsIn);
  // A message of the agent comes in chunks, whose words end with a space.
  const all = [...texts, texts.filter((text) => /^\S+[ .]$/.test(text)).join("")];
  for (const { method, says } of TURN) {
    expect(texts).toContain(method);
    expect(
      all.some((text) => text.includes(says)),
      says,
    ).toBe(true);
  }
});

/** All texts in a value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

test("every fence of a guide has a language", () => {
  for (const { article, examples } of guides)
    for (const { language, use } of examples)
      expect(`${language} ${use}`.trim(), article.path).toMatch(
        /^(sh( in \S+)?|(ts|python|go) file \S+|json ((file|in \S+) \S+|(v\d )?type \w+|(v\d )?(client|agent) ((answers|fails|update) )?\S+( invalid)?))$/,
      );
});
