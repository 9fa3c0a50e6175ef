import { posix } from "node:path";
import { outputPath } from "../../output/file.js";
import { hasRoles } from "../has-roles.js";
import type { EmitContext, EmittedFile, Emitter } from "../emitter.js";

/** The runtime modules that the generated sources import; all of them for a package with roles. */
export const runtime: Emitter<"files"> = {
  name: "runtime",
  summary: "the runtime modules that the generated sources import",
  inputs: ["files"],
  emit: (protocols, { files }, context) => {
    const { kept = [], keptText = () => undefined, templates } = context;
    const sources = new Map<string, string>(files.map(({ path, text }) => [path, text]));
    for (const path of kept) if (path.endsWith(".ts")) sources.set(path, keptText(path) ?? "");
    const paths = [...sources.keys(), ...kept];
    const isWhole = paths.includes(MANIFEST) && hasRoles(protocols, paths);
    const modules = isWhole ? allModules(templates) : importedModules(sources, templates);
    return [...modules].map((path): EmittedFile => ({
      path: posix.join(SOURCES, path),
      profile: "*",
      text: templates.get(path)!,
      language: "plain",
      template: path,
    }));
  },
};

const SOURCES = outputPath("typescript", "src");
const MANIFEST = outputPath("typescript", "package.json");

function allModules(templates: EmitContext["templates"]): string[] {
  return [...templates.keys()].filter((path) => path.startsWith("runtime/"));
}

/** Returns the paths of the runtime modules that sources import, directly or through another module. */
function importedModules(
  sources: ReadonlyMap<string, string>,
  templates: EmitContext["templates"],
): ReadonlySet<string> {
  const found = new Set<string>();
  const follow = (path: string, text: string): void => {
    for (const specifier of importsOf(text)) {
      const imported = posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts");
      if (!imported.startsWith("runtime/") || found.has(imported) || !templates.has(imported))
        continue;
      found.add(imported);
      follow(imported, templates.get(imported)!);
    }
  };
  for (const [path, text] of sources) follow(posix.relative(SOURCES, path), text);
  return found;
}

/** Returns the relative module specifiers of all imports and re-exports. */
function importsOf(text: string): readonly string[] {
  const imports = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"\n]+)"/g);
  return [...imports].map(([, specifier]) => specifier!);
}
