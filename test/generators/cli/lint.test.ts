import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { lintPaths } from "../../../generators/run/lint/lint.js";
import { LINT_RULES } from "../../../generators/schema/lint/rules.js";
import { ROOT } from "../../support/paths.js";
import { ownFeature } from "./own-feature.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { runCommand } from "./run-command.js";

const folder = temporaryFolder();

interface Profiles {
  readonly [name: string]: { readonly protocol: string };
}

const FEATURE = "v1/features/session_fork.json";

/** A copy of version 1 of the schema with one change in the text of a file. */
function changed(name: string, path: string, before: string, after: string): string {
  const schema = join(folder, name, "schema");
  cpSync(join(ROOT, "schema"), schema, { recursive: true });
  for (const part of ["v2", "bridge"]) rmSync(join(schema, part), { recursive: true });
  const file = join(schema, "profiles.json");
  const { profiles, ...rest } = JSON.parse(readFileSync(file, "utf8")) as { profiles: Profiles };
  const kept = Object.entries(profiles).filter(([, { protocol }]) => protocol === "v1");
  writeFileSync(file, JSON.stringify({ ...rest, profiles: Object.fromEntries(kept) }));
  const text = readFileSync(join(schema, path), "utf8");
  expect(text).toContain(before);
  writeFileSync(join(schema, path), text.replace(before, after));
  return schema;
}

const wordless = changed("wordless", FEATURE, '"description": "`{}` advertises', '"title": "`{}` ');

describe("acp-codegen lint", () => {
  test("finds nothing in the schema of this repository, and prints what it has checked", async () => {
    const { code, out } = await runCommand(["lint"]);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^clean: \d+ files, \d+ rules\n$/) as string,
    });
  });

  test("prints each finding with file, pointer and hint, and exits 1", async () => {
    const { code, out } = await runCommand(["lint", "--schema-directory", wordless]);
    const pointer = "/add/SessionCapabilities/properties/fork";
    expect(code).toBe(1);
    const position = /^error undocumented: (.*?):\d+:\d+#(.*?): the property /.exec(out);
    expect(position?.slice(1)).toEqual([`schema/${FEATURE}`, pointer]);
    expect(out).toMatch(
      /has no description\. Describe its meaning .*\n1 error, 0 warnings in \d+ files, /,
    );
  });

  test("annotates the file on GitHub, with the severity", async () => {
    const env = { GITHUB_ACTIONS: "true" };
    const { out } = await runCommand(["lint", "--schema-directory", wordless], { env });
    expect(out).toMatch(/::error file=(\S+?),line=\d+,title=undocumented::\/add\//);
    expect(out).toContain(`::error file=schema/${FEATURE},`);
  });

  test("prints the findings as JSON, with the subject that exceptions use", async () => {
    const { out } = await runCommand(["lint", "--schema-directory", wordless, "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      findings: [{ rule: "undocumented", severity: "error", subject: "SessionCapabilities.fork" }],
      rules: LINT_RULES.length,
    });
  });

  test("fails on warnings unless only errors count", async () => {
    const meta = changed("meta", FEATURE, '"x-meta": true,\n      "properties"', '"properties"');
    expect((await runCommand(["lint", "--schema-directory", meta])).out).toContain(
      "warning meta-missing: ",
    );
    expect((await runCommand(["lint", "--schema-directory", meta])).code).toBe(1);
    expect(
      (await runCommand(["lint", "--schema-directory", meta, "--fail-on", "error"])).code,
    ).toBe(0);
    expect(
      (await runCommand(["lint", "--schema-directory", meta, "--rule", "undocumented"])).code,
    ).toBe(0);
  });

  test("lists the rules with their findings and reasons", async () => {
    const { out } = await runCommand(["lint", "--list"]);
    for (const { id, severity, finds, why } of LINT_RULES)
      expect(out).toContain(`${id} (${severity}): ${finds}\n  ${why}\n`);
    const listed = JSON.parse((await runCommand(["lint", "--list", "--json"])).out) as object[];
    expect(listed).toHaveLength(LINT_RULES.length + 1);
  });

  test.each([
    [["--rule", "gate-mising"], 'unknown rule "gate-mising". Did you mean "gate-missing"?'],
    [["nowhere.json"], "nowhere.json does not exist"],
    [["test"], "there are no modules or features in test"],
    [["--fail-on", "anything"], "Allowed choices are error, warning."],
  ])("refuses %j with the exit code of usage errors", async (args, message) => {
    const { code, err } = await runCommand(["lint", ...args]);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });
});

describe("the paths", () => {
  const own = join(folder, "own");
  const example = /```json\n([\s\S]*?)```/.exec(
    readFileSync(join(ROOT, "templates/site/guides/tool/features.md"), "utf8"),
  )![1]!;
  beforeAll(() => {
    mkdirSync(own);
    writeFileSync(join(own, "session-pin.json"), example);
    writeFileSync(join(own, "settings.json"), "{}");
  });

  const rulesAt = (...paths: readonly string[]): string[] =>
    lintPaths({ paths, schemaDirectory: wordless }).findings.map(({ rule }) => rule);

  test("are modules and features of the schema, or folders with them", () => {
    expect(rulesAt(join(wordless, FEATURE))).toEqual(["undocumented"]);
    expect(rulesAt(join(wordless, "v1/features"))).toEqual(["undocumented"]);
    expect(rulesAt(join(wordless, "v1/base"), join(wordless, "v1/features/nes.json"))).toEqual([]);
  });

  test("have one cause at a place: what a feature cannot add needs no gate, and no hint no space", async () => {
    const file = join(own, "clash.json");
    const cwd = { type: "integer", description: "The number of the folder." };
    const add = { SessionInfo: { properties: { cwd } } };
    writeFileSync(file, JSON.stringify({ ...ownFeature("A clash."), $schema: "x", add }));
    const { out } = await runCommand(["lint", file]);
    expect(out).toContain("is already in schema/v1/base/session.json, with another schema.");
    expect(out).not.toContain("gate-missing");
    expect(out).not.toMatch(/ $/m);
  });

  test("may be custom features, next to the schema that they extend", () => {
    expect(lintPaths({ paths: [join(own, "session-pin.json")] })).toMatchObject({
      findings: [],
      files: 1,
    });
    expect(lintPaths({ paths: [own] }).files).toBe(1);
    const sloppy = example
      .replace('"x-gate": { "agent": "agentCapabilities.sessionCapabilities.pin" },', "")
      .replace(
        '"gate": { "agent": "agentCapabilities.sessionCapabilities.pin" }',
        '"gate": { "agent": "agentCapabilities.pin" }',
      )
      .replace('"after": ["session/list"]', '"after": ["session/lists"]')
      .replace('"pinned": true', '"pinned": "yes"');
    writeFileSync(join(own, "sloppy.json"), sloppy);
    const { findings } = lintPaths({ paths: [join(own, "sloppy.json")] });
    expect(findings.map(({ rule, pointer }) => [rule, pointer])).toEqual([
      ["unknown-capability", "/methods/0/gate"],
      ["unknown-predecessor", "/methods/0/after/0"],
      ["gate-missing", "/add/SessionInfo/properties/pinned"],
    ]);
  });

  test("report everything in one run, causes before what follows from them, with the values", () => {
    const broken = example
      .replace('"status": "proposed"', '"status": "propose"')
      .replace('"$ref": "#/$defs/SessionId"', '"$ref": "#/$defs/SesionId"')
      .replace('"after": ["session/list"]', '"after": ["session/lists"]')
      .replace('"pinned": true', '"pinned": "yes"');
    writeFileSync(join(own, "broken.json"), broken);
    writeFileSync(join(own, "cut.json"), example.slice(0, 99));
    const { findings, files } = lintPaths({
      paths: [join(own, "broken.json"), join(own, "cut.json")],
    });
    expect(files).toBe(2);
    expect(findings.map(({ rule, pointer, message }) => [rule, pointer, message])).toEqual([
      ["invalid-document", "/status", '"propose" is not one of the allowed values'],
      ["invalid-document", "", expect.stringMatching(/^is not JSON/)],
      [
        "does-not-compose",
        "/$defs/PinSessionRequest/properties/sessionId/$ref",
        'unknown definition "SesionId"',
      ],
      [
        "does-not-compose",
        "/methods/0/examples/0/params/pinned",
        'the example does not fit PinSessionRequest: it must be boolean, not "yes"',
      ],
      ["unknown-predecessor", "/methods/0/after/0", expect.stringContaining("session/lists")],
    ]);
  });

  test("report invalid examples once all names are right", () => {
    writeFileSync(join(own, "misfit.json"), example.replace('"pinned": true', '"pinned": "yes"'));
    const { findings } = lintPaths({ paths: [join(own, "misfit.json")] });
    expect(findings.map(({ rule, pointer }) => [rule, pointer])).toEqual([
      ["does-not-compose", "/methods/0/examples/0/params/pinned"],
    ]);
  });
});
