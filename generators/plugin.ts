import { posix } from "node:path";
import { ts } from "ts-morph";
import { createUnplugin, type UnpluginInstance } from "unplugin";
import { compileProfiles } from "./run/generate/compile-profiles.js";
import { inputFiles, stampOf } from "./run/inputs/input-paths.js";
import type { OutputOptions, Selection } from "./run/options.js";
import { virtualModule } from "./run/generate/virtual-names.js";
import { writeVirtualTypes } from "./run/generate/virtual-types.js";

export interface PluginOptions extends Selection, Pick<OutputOptions, "header"> {
  /**
   * The path of a declaration file to write, e.g. `src/acp-virtual.d.ts`, so that `tsc`
   * and editors know the types of the virtual modules.
   */
  readonly types?: string;
}

/** The prefix of imports: `virtual:acp/v1`, `virtual:acp/v1/types`, `virtual:acp/stdio`. */
const PUBLIC = "virtual:acp/";
/** The same inside webpack and Rspack, which take what stands before a colon for the scheme of a URL. */
const WITHOUT_SCHEME = "acp-virtual/";
/** The prefix of resolved ids; by convention of Rollup, other plugins ignore ids with a zero byte. */
const PRIVATE = "\0acp:";

/**
 * A plugin for Vite, Rollup, Rolldown, webpack, Rspack and esbuild that provides the
 * bindings as virtual modules. They are compiled on the first import, and again when
 * one of the user's input files has changed.
 */
export const acp: UnpluginInstance<PluginOptions> = createUnplugin((options: PluginOptions) => {
  let compiled: Compiled | undefined;
  /** Compares stamps of the files, since bundlers report changes in different ways or not at all. */
  const modulesOf = async (files: readonly string[]): Promise<Modules> => {
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
      const prefix = [PUBLIC, WITHOUT_SCHEME].find((one) => id.startsWith(one));
      if (prefix !== undefined) return PRIVATE + virtualModule(id.slice(prefix.length));
      // Rspack names a virtual importer with a separator before it.
      const from = importer?.replace(/^[\\/](?=\0)/, "");
      if (!from?.startsWith(PRIVATE) || !id.startsWith(".")) return undefined;
      return PRIVATE + posix.join(posix.dirname(from.slice(PRIVATE.length)), id);
    },
    webpack: withoutScheme,
    rspack: withoutScheme,
    loadInclude: (id: string) => id.startsWith(PRIVATE),
    async load(id: string): Promise<string> {
      const files = inputFiles(options);
      // Registered first, so that files with errors are watched as well.
      for (const file of files) this.addWatchFile(file);
      const path = id.slice(PRIVATE.length);
      const code = (await modulesOf(files)).get(path);
      if (code === undefined) throw new Error(`module ${PUBLIC}${path} does not exist`);
      return code;
    },
  };
});

/** The part of the compilers of webpack and Rspack that is used here. */
interface Compiler {
  readonly webpack: {
    readonly NormalModuleReplacementPlugin: new (
      name: RegExp,
      replace: (request: { request: string }) => void,
    ) => { readonly apply: (compiler: Compiler) => void };
  };
}

/** Renames imports of virtual modules before the bundler looks at their scheme. */
function withoutScheme(compiler: Compiler): void {
  const { NormalModuleReplacementPlugin } = compiler.webpack;
  const rename = (request: { request: string }): void => {
    request.request = request.request.replace(PUBLIC, WITHOUT_SCHEME);
  };
  new NormalModuleReplacementPlugin(new RegExp(`^${PUBLIC}`), rename).apply(compiler);
}

/** JavaScript by path. */
type Modules = ReadonlyMap<string, string>;

/** Compiled modules and the state of the input files that they were compiled from. */
interface Compiled {
  readonly state: string;
  readonly modules: Promise<Modules>;
}

async function compileModules({ types, ...options }: PluginOptions): Promise<Modules> {
  const files = await compileProfiles({ ...options, layout: "flat" });
  const sources = new Map(
    files.filter(({ path }) => path.endsWith(".ts")).map(({ path, text }) => [path, text]),
  );
  if (types !== undefined) writeVirtualTypes(types, sources, PUBLIC);
  const modules = [...sources].map(([path, text]): [string, string] => [
    path.replace(/\.ts$/, ".js"),
    ts.transpileModule(text, { compilerOptions: COMPILER_OPTIONS }).outputText,
  ]);
  return new Map(modules);
}

const COMPILER_OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ES2022,
  verbatimModuleSyntax: true,
} as const;
