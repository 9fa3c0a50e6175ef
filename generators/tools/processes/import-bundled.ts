/**
 * Imports modules of the runtime that the command uses: in the published package, the build has
 * bundled them; in a clone, they run from their sources.
 *
 * @param name the module in `templates/typescript/command` that names them
 */
export function importBundled<Exports>(name: "process" | "remote"): Promise<Exports> {
  const path = import.meta.url.endsWith(".ts")
    ? `../../../templates/typescript/command/${name}.ts`
    : `../../${name}.js`;
  return import(new URL(path, import.meta.url).href) as Promise<Exports>;
}
