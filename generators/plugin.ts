import { posix } from "node:path";
import { ts } from "ts-morph";
import { createUnplugin, type UnpluginInstance } from "unplugin";
import { compileProfiles } from "./run/generate/update-output.js";
import type { GenerateOptions } from "./run/generate/generate.js";
import { inputFiles, stampOf } from "./run/inputs/input-files.js";

/** What the plugin makes modules from; nothing is written. */
export type PluginOptions = Omit<
  GenerateOptions,
  "out" | "check" | "force" | "onProgress" | "package" | "targets"
>;

/** How modules are imported: `virtual:acp/v1`, `virtual:acp/v1/types`, `virtual:acp/stdio`. */
const PUBLIC = "virtual:acp/";
/** How bundlers know them; the zero byte keeps other plugins away (a Rollup convention). */
const PRIVATE = "\0acp:";

/**
 * A plugin for Vite, Rollup, Rolldown, webpack, Rspack and esbuild: the bindings
 * as virtual modules, compiled from the schema when a bundle first asks for one,
 * and anew when a file of the user's own that they are made from has changed.
 */
export const acp: UnpluginInstance<PluginOptions> = createUnplugin((options: PluginOptions) => {
  let compiled: Compiled | undefined;
  /** What a bundler tells of changes differs, and esbuild tells nothing: the files tell all of them. */
  const modulesOf = async (files: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const state = files.map(stampOf).join("\n");
    const current =
      compiled?.state === state ? compiled : { state, modules: compileModules(options) };
    compiled = current;
    try {
      return await current.modules;
    } catch (error) {
      if (compiled === current) compiled = undefined;
      throw error;
    }
  };
  return {
    name: "acp-codegen",
    resolveId: (id: string, importer?: string): string | undefined => {
      if (id.startsWith(PUBLIC)) return PRIVATE + moduleOf(id.slice(PUBLIC.length));
      if (!importer?.startsWith(PRIVATE) || !id.startsWith(".")) return undefined;
      return PRIVATE + posix.join(posix.dirname(importer.slice(PRIVATE.length)), id);
    },
    loadInclude: (id: string) => id.startsWith(PRIVATE),
    async load(id: string): Promise<string> {
      const files = inputFiles(options);
      // Before anything can fail: a file with a mistake is one to look at again.
      for (const file of files) this.addWatchFile(file);
      const path = id.slice(PRIVATE.length);
      const code = (await modulesOf(files)).get(path);
      if (code === undefined) throw new Error(`there is no module ${PUBLIC}${path}`);
      return code;
    },
  };
});

/** What was compiled, and from what state of the user's files. */
interface Compiled {
  readonly state: string;
  readonly modules: Promise<ReadonlyMap<string, string>>;
}

/** The module behind a subpath: a folder stands for its index, and a lone name may be a runtime module. */
function moduleOf(subpath: string): string {
  if (/^(stdio|session|conformance|nes)$/.test(subpath)) {
    return `runtime/${subpath}/index.js`;
  }
  return subpath.includes("/") ? `${subpath}.js` : `${subpath}/index.js`;
}

/** JavaScript by its path in the package. */
async function compileModules(options: PluginOptions): Promise<ReadonlyMap<string, string>> {
  const files = await compileProfiles(options);
  const sources = files.filter(({ path }) => /^typescript\/src\/.*\.ts$/.test(path));
  return new Map(
    sources.map(({ path, text }) => [
      path.replace("typescript/src/", "").replace(/\.ts$/, ".js"),
      ts.transpileModule(text, { compilerOptions: COMPILER_OPTIONS }).outputText,
    ]),
  );
}

const COMPILER_OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ES2022,
  verbatimModuleSyntax: true,
} as const;
