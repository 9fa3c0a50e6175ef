import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { diff } from "../../../generators/run/diff.js";
import { InputError } from "../../../generators/schema/problem.js";
import { publishSchema } from "../../../generators/schema/compose/publish.js";
import { ROOT } from "../../support/paths.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { composed, sources } from "../schema/canonical.js";
import { runCommand } from "../cli/run-command.js";
import { REFERENCE } from "../../reference/reference.js";

const SCHEMA = join(ROOT, "schema");
const folder = temporaryFolder();
describe("the comparison of schemas", () => {
  test("finds no difference between a profile and the schema that it follows", async () => {
    expect((await diff("v1", join(REFERENCE, "v1.json"), SCHEMA)).changes).toEqual([]);
  });

  test("groups the differences of two profiles by definition and feature", async () => {
    const { changes: differences } = await diff("v1", "v1-unstable", SCHEMA);
    const added = differences.filter(
      ({ kind, definition, pointer }) => kind === "added" && pointer === `/$defs/${definition}`,
    );
    const { features } = sources.profiles.get("v1-unstable")!;
    const stable = composed("v1").definitions;
    const own = [...composed("v1", features).definitions.keys()].filter(
      (name) => !stable.has(name),
    );
    expect(added.map(({ definition }) => definition).sort()).toEqual(own.sort());
    expect(differences.find(({ definition }) => definition === "ForkSessionRequest")).toMatchObject(
      { feature: "session_fork" },
    );
  });

  test("names the feature of a removed property and of a removed variant", async () => {
    const changed = structuredClone(
      publishSchema(composed("v1", sources.profiles.get("v1-unstable")!.features)),
    ) as { $defs: Record<string, { properties: Record<string, unknown>; oneOf: unknown[] }> };
    delete changed.$defs["SessionCapabilities"]!.properties["fork"];
    const updates = changed.$defs["SessionUpdate"]!;
    updates.oneOf = updates.oneOf.filter(
      (variant) => !JSON.stringify(variant).includes('"cursor_update"'),
    );
    const file = join(folder, "changed.json");
    writeFileSync(file, JSON.stringify(changed));
    const { changes } = await diff("v1-unstable", file, SCHEMA);
    const found = changes.filter(({ kind }) => kind === "removed");
    expect(found.map(({ definition, feature }) => [definition, feature])).toEqual([
      ["SessionCapabilities", "session_fork"],
      ["SessionUpdate", "session_cursors"],
    ]);
  });

  test("refuses an argument that is neither a profile nor a file", async () => {
    await expect(diff("v1", "v11", SCHEMA)).rejects.toThrow('unknown profile or schema file "v11"');
  });
});

describe("a released package", () => {
  test("of the official SDK is compared by the name of its surface, or by a file in it", async () => {
    const sdk = join(ROOT, "node_modules/@agentclientprotocol/sdk");
    const file = join(sdk, "schema/v1/schema.unstable.json");
    for (const name of ["v1-unstable", "schema/v1/schema.unstable.json"]) {
      expect((await diff(file, `${sdk}#${name}`, SCHEMA)).changes, name).toEqual([]);
    }
  });

  test("of acp-codegen is compared profile by profile, from its tarball", async () => {
    const content = join(folder, "content/package");
    cpSync(SCHEMA, join(content, "schema"), { recursive: true });
    rmSync(join(content, "schema/v1/features/llm_providers.json"));
    const profiles = join(content, "schema/profiles.json");
    writeFileSync(profiles, readFileSync(profiles, "utf8").replaceAll(/\s*"llm_providers",/g, ""));
    const tarball = join(folder, "released.tgz");
    execFileSync("tar", ["-czf", tarball, "-C", dirname(content), "package"]);
    const { changes } = await diff(`${tarball}#v1-unstable`, "v1-unstable", SCHEMA);
    expect(new Set(changes.map(({ kind }) => kind))).toEqual(new Set(["added"]));
    expect(changes.map(({ feature }) => feature)).toContain("llm_providers");
    // The envelopes of messages are derived from the methods, so they belong to no feature.
    const other = changes.filter(({ feature }) => feature === undefined);
    expect(new Set(other.map(({ definition }) => definition))).toEqual(
      new Set(["AgentResponse", "ClientRequest"]),
    );
  });

  test("of generated bindings is compared by the schema in it, as npm pack has packed it", async () => {
    const content = join(ROOT, "out/typescript");
    const packed = execFileSync(
      "npm",
      [...["pack", "--silent", "--ignore-scripts", "--pack-destination", folder]].concat(content),
      { encoding: "utf8" },
    );
    const tarball = join(folder, packed.trim());
    const names = ["v1", "v1-full", "v1-unstable", "v2", "v2-full", "v2-unstable"];
    for (const name of names)
      expect((await diff(`${tarball}#${name}`, name, SCHEMA)).changes, name).toEqual([]);
    expect((await diff(`${tarball}#v1`, "v1-unstable", SCHEMA)).changes).not.toEqual([]);
    await expect(diff(`${tarball}#v9`, "v1", SCHEMA)).rejects.toThrow(
      'the package does not contain a schema of "v9". It has v1, v1-full',
    );
  });

  test("is refused when it does not exist, is not a package, or lacks the profile", async () => {
    const noise = join(folder, "noise.tgz");
    writeFileSync(noise, "noise");
    const wrong = [
      ["missing.tgz#v1", /package missing\.tgz does not exist/],
      [`${noise}#v1`, /noise\.tgz: is not a tarball of a package/],
      [`${ROOT}#v9`, /: the package does not contain a schema of "v9"\. It has v1, v1-unstable, /],
    ] as const;
    for (const [side, message] of wrong) {
      await expect(diff("v1", side, SCHEMA)).rejects.toThrow(message);
    }
  });

  /** A tarball of one's own, as npm pack makes them. */
  function pack(name: string, files: { readonly [path: string]: string }): string {
    const content = join(folder, name);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(content, "package", path)), { recursive: true });
      writeFileSync(join(content, "package", path), text);
    }
    execFileSync("tar", ["-czf", `${content}.tgz`, "-C", content, "package"]);
    return `${content}.tgz`;
  }

  test("that lacks the schema is reported with those that it has, without the temporary folder", async () => {
    const none = "no schema/ folder; only packages that ship their schema can be compared.";
    const bare = pack("bare", { "package.json": "{}" });
    const sdk = pack("sdk", {
      "schema/v1/schema.json": "{",
      "schema/v1/schema.unstable.json": "{}",
      "schema/other.json": "{}",
    });
    const wrong = [
      [`${bare}#v1`, `${bare}: the package has ${none}`],
      [`${join(ROOT, "node_modules/ajv")}#v1`, none],
      [
        `${sdk}#v1-full`,
        `${sdk}: the package does not contain a schema of "v1-full". It has other, v1, v1-unstable.`,
      ],
      [`${sdk}#v1`, `${sdk}#schema/v1/schema.json`],
    ] as const;
    for (const [side, message] of wrong) {
      const error = await diff(side, "v1", SCHEMA).catch((error: unknown) => error);
      expect(error, side).toBeInstanceOf(InputError);
      const { message: text, kind } = error as InputError;
      expect(text, side).toContain(message);
      expect(text, side).not.toContain("acp-codegen-");
      expect(kind, side).toBe("usage");
    }
  });

  test("up to 1.9 of the SDK has the unstable surface of version 1 in one file", async () => {
    const schema = readFileSync(join(REFERENCE, "v1-unstable.json"), "utf8");
    const early = pack("early", { "schema/schema.json": schema });
    expect((await diff(`${early}#v1-unstable`, "v1-unstable", SCHEMA)).changes).toEqual([]);
    await expect(diff(`${early}#v1`, "v1", SCHEMA)).rejects.toThrow(
      'the package does not contain a schema of "v1". It has v1-unstable.',
    );
  });

  test("is refused without the name of a profile, as a tarball and as a folder", async () => {
    const tarball = pack("unnamed", { "package.json": "{}" });
    for (const path of [tarball, join(ROOT, "node_modules/ajv")]) {
      const error = await diff("v1", path, SCHEMA).catch((error: unknown) => error);
      expect(error).toMatchObject({ kind: "usage" });
      expect((error as InputError).message).toBe(
        `${path} is a package. Name one of its profiles, e.g. ${path}#v1.`,
      );
    }
  });
});

test("diff exits 1 for differences and 2 for unreadable files", async () => {
  const broken = join(folder, "broken.json");
  writeFileSync(broken, "{");
  const codes: unknown[] = [];
  for (const to of ["v1", "v2", broken, "v9"])
    codes.push((await runCommand(["diff", "v1", to])).code);
  expect(codes).toEqual([0, 1, 2, 2]);
});

test("diff refuses --json together with --format", { timeout: 60_000 }, async () => {
  const { code, out, err } = await runCommand([
    "diff",
    "v1",
    "v1",
    "--json",
    "--format",
    "markdown",
  ]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("'--json' cannot be used with option '--format <format>'");
});
