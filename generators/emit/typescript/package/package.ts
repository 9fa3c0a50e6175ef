import { createHash } from "node:crypto";
import type { Protocol } from "../../../model/protocol.js";
import { code, identifier, joinCode, literal, specifier, type Code } from "../../../output/code.js";
import { outputPath } from "../../../output/file.js";
import { canonicalJson, type Json, type JsonSchema } from "../../../schema/json-schema/json.js";
import { listedExports, refuseExportClashes } from "./export-clashes.js";
import { hasRoles } from "../../has-roles.js";
import { isOwnPackage, licenseText } from "../../package-facts.js";
import { fitReadme } from "./fit-readme.js";
import {
  hasBothVersions,
  packageManifest,
  type Contents,
  type PackagePart,
} from "./package-manifest.js";
import { type EmitContext, type EmittedFile, type Emitter, templateText } from "../../emitter.js";
import { mapSchema } from "../../../schema/json-schema/walk.js";

/**
 * The npm package with the generated sources: manifest, build configuration, an index for each
 * profile, and for roles the whole runtime.
 */
export const packageTarget: Emitter<"files"> = {
  name: "package",
  summary: "the npm package around the sources: manifest, indexes, and for roles the whole runtime",
  requires: ["runtime"],
  inputs: ["files"],
  emit: (protocols, { files: others }, context) => {
    const facts = protocols.map((protocol) => factsModule(protocol, context));
    const files = [...others, ...facts];
    const paths = [...files.map(({ path }) => path), ...(context.kept ?? [])];
    const profiles = profilesOf(paths);
    for (const protocol of protocols)
      refuseExportClashes(
        protocol,
        files.filter(({ path }) => isIndexed(path, protocol.profile)),
      );
    const contents = {
      profiles,
      parts: profiles.flatMap((profile) => partsOf(profile, paths)),
      paths,
      protocols,
    };
    return [
      ...facts,
      ...protocols.map(publishedStructure),
      ...protocols.map((protocol) =>
        printIndex(
          protocol,
          partsOf(protocol.profile, paths),
          protocol.initialize && templateText(ENTRY, context.templates),
        ),
      ),
      {
        path: outputPath("typescript", "package.json"),
        profile: "*",
        text: JSON.stringify(packageManifest(contents, context)),
        language: "json",
      },
      packageFile("tsconfig.json", "json", context),
      packageFile("bundle.js", { comment: "//" }, context),
      ...(hasBothVersions(profiles) ? [agentModule(context)] : []),
      ...packageTexts(contents, context),
    ];
  },
};

/** The template with the exports of the runtime that every profile's index exports as well. */
const ENTRY = "typescript/runtime/entry.ts";

/** Parts whose names the index of a profile exports besides the types. */
const INDEXED: readonly string[] = ["roles", "methods", "protocol"];

/** Folders of the sources that are not those of a profile. */
const OWN_FOLDERS: ReadonlySet<string> = new Set(["runtime", "bridge"]);

/** Returns the profiles with sources, ordered by name. */
function profilesOf(paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => /^typescript\/src\/([^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(found)].filter((name) => !OWN_FOLDERS.has(name)).sort();
}

function partsOf(profile: string, paths: readonly string[]): PackagePart[] {
  const folder = `typescript/src/${profile}/`;
  const names = paths
    .filter((path) => path.startsWith(folder) && path.endsWith(".ts"))
    .map((path) => path.slice(folder.length).replace(/\.ts$/, ""))
    // Modules in subfolders are internal to the parts.
    .filter((name) => !name.includes("/") && name !== "index");
  return [...new Set(names)].sort().map((name) => ({ profile, name }));
}

/** Returns whether the index of a profile exports the names of a module. */
function isIndexed(path: string, profile: string): boolean {
  return partsOf(profile, [path]).some(({ name }) => INDEXED.includes(name));
}

/**
 * Prints the index of a profile. A definition with the name of an export of the runtime takes its
 * place, since an explicit export precedes those of `*`.
 *
 * @param entry the exports of the runtime, for a protocol that has roles
 */
function printIndex(
  { profile, definitions }: Protocol,
  parts: readonly PackagePart[],
  entry: string | undefined,
): EmittedFile {
  const runtime = listedExports(entry ?? "");
  const hiding = definitions.filter(({ identifier: id }) => runtime.has(id));
  const exports = parts.flatMap(({ name }) => {
    const module = specifier(`./${name}.js`);
    if (INDEXED.includes(name)) return [code`export * from ${module};`];
    if (name === "types")
      return [
        code`export type * from ${module};`,
        ...hiding.map(
          ({ identifier: id }) => code`export type { ${identifier(id)} } from ${module};`,
        ),
      ];
    // Namespaces, because their exports have the names of the types.
    if (name === "received") return [code`export type * as received from ${module};`];
    return name === "schemas" ? [code`export * as schemas from ${module};`] : [];
  });
  return {
    path: outputPath("typescript", "src", profile, "index.ts"),
    profile,
    text: joinCode(
      [...exports, ...(entry === undefined ? [] : [code`export * from "../runtime/entry.js";`])],
      "\n",
    ),
    language: "typescript",
  };
}

function factsModule(protocol: Protocol, context: EmitContext): EmittedFile {
  return {
    path: outputPath("typescript", "src", protocol.profile, "protocol.ts"),
    profile: protocol.profile,
    text: printFacts(protocol, context),
    language: "typescript",
  };
}

function printFacts(protocol: Protocol, { version }: EmitContext): Code {
  const facts: Json = {
    version: protocol.versionNumber,
    profile: protocol.profile,
    features: protocol.features.map(({ name }) => name),
    release: protocol.upstream.release,
    source: protocol.upstream.crate,
    digests: protocol.upstream.digests,
    digest: createHash("sha256").update(canonicalJson(protocol.schema)).digest("hex"),
    generator: version,
  };
  return code`/** The versions and digests that these bindings were generated from. */
export const PROTOCOL = ${literal(facts)} as const;
`;
}

function packageFile(
  name: string,
  language: EmittedFile["language"],
  { templates }: EmitContext,
): EmittedFile {
  return {
    path: outputPath("typescript", name),
    profile: "*",
    text: templateText(`typescript/package/${name}`, templates),
    language,
    template: `typescript/package/${name}`,
  };
}

function agentModule({ templates }: EmitContext): EmittedFile {
  return {
    path: outputPath("typescript", "src", "agent.ts"),
    profile: "*",
    text: templateText("typescript/package/agent.ts", templates),
    language: "typescript",
    template: "typescript/package/agent.ts",
  };
}

/** Returns the texts around the sources: those of the user's own, else ours where they are true. */
function packageTexts(contents: Contents, context: EmitContext): EmittedFile[] {
  const { texts = {} } = context;
  const own = (name: string, text: string): EmittedFile => ({
    path: outputPath("typescript", name),
    profile: "*",
    text,
    language: "plain",
  });
  const license = licenseText(context);
  const isOfTypes = !hasRoles(contents.protocols, contents.paths);
  const template = `typescript/package/${isOfTypes ? "README.types.md" : "README.md"}`;
  const readme = {
    ...packageFile("README.md", "markdown", context),
    text: templateText(template, context.templates),
    template,
  };
  return [
    texts.readme === undefined
      ? { ...readme, text: fitReadme(readme.text, contents, context) }
      : own("README.md", texts.readme),
    ...(texts.changelog !== undefined
      ? [own("CHANGELOG.md", texts.changelog)]
      : isOwnPackage(context) || isOfTypes
        ? []
        : [packageFile("CHANGELOG.md", "markdown", context)]),
    ...(license === undefined ? [] : [own("LICENSE", license)]),
  ];
}

/**
 * Returns the schema of a profile without its texts, as a file of the package: `acp-codegen diff`
 * compares a packed package by it.
 */
function publishedStructure({ profile, schema }: Protocol): EmittedFile {
  const { $defs = {}, ...root } = schema;
  const definitions = Object.entries($defs).map(([name, one]): [string, JsonSchema] => [
    name,
    withoutTexts(one),
  ]);
  return {
    path: outputPath("typescript", "schema", `${profile}.json`),
    profile,
    text: `${JSON.stringify({ ...withoutTexts(root), $defs: Object.fromEntries(definitions) })}\n`,
    language: "plain",
  };
}

function withoutTexts(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, ({ description: _, ...part }) => part);
}
