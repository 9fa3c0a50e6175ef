/**
 * Imports modules of the runtime that the command uses: in the published package, the build has
 * bundled them; in a clone, they run from their sources.
 *
 * @param name the folder in `templates` whose `index.ts` names them
 */
export function importBundled<Exports>(name: "process" | "remote"): Promise<Exports> {
  const path = import.meta.url.endsWith(".ts")
    ? `../../../templates/${name}/index.ts`
    : `../../${name}.js`;
  return import(new URL(path, import.meta.url).href) as Promise<Exports>;
}
