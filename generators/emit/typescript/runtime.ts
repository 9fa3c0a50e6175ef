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
      text: templates.get(TEMPLATES + path)!,
      language: "plain",
      template: TEMPLATES + path,
    }));
  },
};

const SOURCES = outputPath("typescript", "src");
/** The templates of the package, of which `runtime/` lies among its sources. */
const TEMPLATES = "typescript/";
const MANIFEST = outputPath("typescript", "package.json");

function allModules(templates: EmitContext["templates"]): string[] {
  return [...templates.keys()]
    .filter((path) => path.startsWith(`${TEMPLATES}runtime/`))
    .map((path) => path.slice(TEMPLATES.length));
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
      const text = templates.get(TEMPLATES + imported);
      if (!imported.startsWith("runtime/") || found.has(imported) || text === undefined) continue;
      found.add(imported);
      follow(imported, text);
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
