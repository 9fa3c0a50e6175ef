import type { Protocol } from "../../../model/protocol.js";
import { outputPath } from "../../../output/file.js";
import type { Json, JsonObject } from "../../../schema/json-schema/json.js";
import { hasRoles } from "../../has-roles.js";
import { isOwnPackage, npmName, versionOf } from "../../package-facts.js";
import { templateText, type EmitContext } from "../../emitter.js";

/** One generated module of a profile. */
export interface PackagePart {
  readonly profile: string;
  readonly name: string;
}

/** What a package contains. */
export interface Contents {
  readonly profiles: readonly string[];
  readonly parts: readonly PackagePart[];
  /** The paths of all its files. */
  readonly paths: readonly string[];
  /** The protocols of this run. */
  readonly protocols: readonly Protocol[];
}

/** Parts that have no subpath `acp-bindings/<profile>/<name>`: the index of the profile exports them. */
const INDEX_ONLY: readonly string[] = ["roles", "methods", "protocol", "received"];

/** Fields of the template that describe `acp-bindings` and its authors. */
const OUR_FIELDS: ReadonlySet<string> = new Set([
  "homepage",
  "bugs",
  "repository",
  "license",
  "author",
]);

/** Returns whether one agent can serve both versions: it is written for the standard profiles. */
export function hasBothVersions(profiles: readonly string[]): boolean {
  return ["v1", "v2"].every((profile) => profiles.includes(profile));
}

/** Returns the `package.json` of the npm package. */
export function packageManifest(contents: Contents, context: EmitContext): JsonObject {
  const template = JSON.parse(
    templateText("typescript/package/package.json", context.templates),
  ) as Template;
  const isOwn = isOwnPackage(context);
  const { authors: [author, ...contributors] = [], ...named } = context.package ?? {};
  const isOfTypes = !hasRoles(contents.protocols, contents.paths);
  const hasChangelog = (!isOwn && !isOfTypes) || context.texts?.changelog !== undefined;
  const hasBridge = hasBridgeIn(contents);
  const given = {
    ...named,
    ...(author !== undefined && { author }),
    ...(contributors.length > 0 && { contributors }),
  };
  const ours = Object.keys(template).filter((key) => isOwn && OUR_FIELDS.has(key));
  const manifest: { [key: string]: Json } = {
    ...template,
    ...(isOfTypes && OF_TYPES),
    ...given,
  };
  for (const key of ours) if (!Object.hasOwn(given, key)) delete manifest[key];
  return {
    ...manifest,
    name: npmName(context),
    version: versionOf(context, named.version, context.version),
    files: template.files.filter((name) => name !== "CHANGELOG.md" || hasChangelog),
    ...(hasBridge && { bin: { "acp-bridge": "dist/bridge/command.js" } }),
    exports: exportsOf(contents),
  };
}

/** What differs for a package without roles. */
const OF_TYPES: JsonObject = {
  description: "Types and validators of a protocol, generated from its JSON Schema.",
  keywords: ["json-schema", "typescript", "validation", "bindings"],
};

type Template = JsonObject & { readonly files: readonly string[] };

function hasBridgeIn({ paths }: Contents): boolean {
  return paths.includes(outputPath("typescript", "src", "bridge", "index.ts"));
}

/** Returns the subpaths of the package, with the files behind them. */
export function exportsOf(contents: Contents): JsonObject {
  const { profiles, parts, protocols, paths } = contents;
  const withRoles = hasRoles(protocols, paths);
  const entry = (file: string): Json => ({
    types: `./dist/${file}.d.ts`,
    default: `./dist/${file}.js`,
  });
  return {
    ...(withRoles && {
      ".": entry("runtime/index"),
      "./stdio": entry("runtime/stdio/index"),
      "./file-sessions": entry("runtime/file-sessions/index"),
      "./remote": entry("runtime/remote/index"),
      "./remote/node": entry("runtime/remote/node/index"),
    }),
    ...(hasBothVersions(profiles) && { "./agent": entry("agent") }),
    ...(withRoles && {
      "./conformance": entry("runtime/conformance/index"),
      "./nes": entry("runtime/nes/index"),
    }),
    ...(hasBridgeIn(contents) && { "./bridge": entry("bridge/index") }),
    ...Object.fromEntries(profiles.map((profile) => [`./${profile}`, entry(`${profile}/index`)])),
    ...Object.fromEntries(
      parts
        .filter(({ name }) => !INDEX_ONLY.includes(name))
        .map(({ profile, name }) => [`./${profile}/${name}`, entry(`${profile}/${name}`)]),
    ),
    "./package.json": "./package.json",
  };
}
